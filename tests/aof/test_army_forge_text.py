"""A list that Army Forge shares as text is read like its file, line by line."""

from __future__ import annotations

import pytest

from oriflamme.engine.words.problems import Problems
from oriflamme.games import load
from oriflamme.games.aof.army_forge_text import looks_like_shared_text, shared_text

SHARED = """++ Winter Host [AOF 300pts] ++

Elf Prince [1] Q3+ D4+ | 75pts | Fearless, Hero, Tough(3), 1x Steed(Fast, Impact(1))
CCW (A2), Bow (24", A1, AP(1))

2x Elf Warriors [5] Q4+ D5+ | 70pts | Strider, 1x Odd Thing(Nonsense)
4x Hand Weapon (A1), Halberd (A1, AP(1))
"""


def test_units_with_their_gear_are_those_of_the_text() -> None:
    draft, notes = load("aof").armies().import_text(SHARED, load("aof").defaults())

    assert (draft.name, draft.points) == ("Winter Host", 300)
    assert [entry.unit for entry in draft.entries] == ["elf_prince", "elf_warriors", "elf_warriors"]
    prince, warriors = (draft.entries[n].whole for n in (0, 1))
    assert prince["cards"][0]["keywords"] == ["Fearless", "Hero", "Tough(3)", "Fast", "Impact(1)"]
    assert prince["cards"][0]["weapons"][1] == {"name": "Bow", "attacks": 1, "range": 24.0, "keywords": ["AP(1)"]}
    assert warriors["models"] == [0, 0, 0, 0, 1]
    said = [note["en"] for note in notes]
    assert any("Nonsense" in one for one in said)
    assert any("215" in one for one in said)  # their points, beside ours


def test_a_line_that_is_none_is_told() -> None:
    with pytest.raises(Problems) as wrong:
        shared_text("++ A [AOF 10pts] ++\nwhat is this\n")

    assert wrong.value.problems[0].where == "line 2"


@pytest.mark.parametrize("text", ["", "game = 1", "{}", "(" * 5000, "++" * 5000, "a [" * 5000, "1x " * 5000])
def test_other_texts_are_not_taken_for_one(text: str) -> None:
    assert not looks_like_shared_text(text)
