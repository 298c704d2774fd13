"""What skills and tactics are called and say on paper, in both languages."""

from __future__ import annotations

import re

from oriflamme.engine.words.catalogue import load as load_catalogue
from oriflamme.engine.words.sentences import sentences
from oriflamme.games import load
from oriflamme.games.rn3.skills import book


def test_every_skill_and_tactic_is_explained_in_both_languages() -> None:
    glossary = load("rn3").armies().glossary()
    explained = {entry.rule for entry in glossary.values()}

    # "Le bloc" (RN3-TAC-09) is no tactic any more.
    printed = {id for id in load_catalogue("rn3").rules if re.match("RN3-(SKL|TAC)-", id)} - {"RN3-TAC-09"}
    assert len(printed) == 51 + 8
    assert explained >= printed
    assert {cls.title for cls in book.declared.values()} == set(glossary)
    for title, entry in glossary.items():
        assert entry.name["fr"] == sentences("rn3", "fr").term(title)
        for text in entry.text.values():
            assert re.match(r"[A-ZÀ-Þ0-9]", text), (title, text)
            assert re.search(r"[*\[\]`§]|RN3-|\.\.", text) is None, (title, text)
            assert text.endswith("."), (title, text)


def test_the_english_text_of_a_skill_is_the_statement_of_the_book() -> None:
    glossary = load("rn3").armies().glossary()

    assert glossary["Tough nut"].text["en"] == "The opponent never gets extra dice in Force tests against him."
    assert glossary["Force in the charge"].text["en"].startswith("After a successful charge adds ATT to FOR")
