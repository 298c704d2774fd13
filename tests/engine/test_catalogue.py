from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oriflamme.engine.words.catalogue import Catalogue, Option, games, load, parse, translated
from oriflamme.engine.words.problems import Problems
from oriflamme.games import ids

# One small catalogue in each of the ways the five are written.

PLAIN = """\
# Plain Game — rule catalogue

- **Id** — not a rule.

## 1. Overview

| Topic | Value |
|---|---|
| Dice | D6 |

## 2. General principles — PG-GEN

- **PG-GEN-01** A test is one die.
- **PG-GEN-02** A six always succeeds. (derived)
  - Ruling: for every die.
  - Check: only a 6 hits.
  - Check (small table): a 1 fails.
- **PG-GEN-11** Rules bind those who have them.
  - Ruling [opt pg.scope = each | all]: each on its own.

## 3. Special rules — PG-SR [Règles]

### Blast (X) [Explosion (X)]
- **PG-SR-BLAST-01** Ignores cover.
  - Ruling [opt pg.cover = own | unit]. Said in passing.

### House-rule options
| Key | Default | Alternatives | Rule |
|---|---|---|---|
| `pg.scope` | each | all | PG-GEN-11 |
| `pg.cover` | own | unit, none | PG-SR-BLAST-01 |
"""

DASHED = """\
# Dashed Game — rule catalogue

## 0. Overview
### 0.1 What a player does
Plays.

## 5. Categories (CAT)
### 5.1 Infantry (INF)
- **DG-INF-01** — Walks. (§2.1)
  - Ruling 1 [opt dg.walk = slow | fast | never]: slowly.
  - Ruling 2: never backwards.
  - Ruling for validation: feet touch the ground.
  - Example (ours): 8 men walk 8 cm.
- **DG-ELX-08a** — First half.
- **DG-ELX-08b** — Second half.
"""

LETTERED = """\
# Lettered Game (LG) - Rule catalogue

## How to read this catalogue

- Every rule is one statement: `LG-<CHAPTER>-<nn>`.

# Part A - Basic principles

## 1. Dice and tests (DICE)

- **LG-DICE-05** (inferred) All dice are rolled in the open.
- **LG-DICE-06** Mutual charge.
  - (a) Y moves first.
  - (b) Then X moves.
  - Ruling: [R-001] [opt lg.first = y | x] unsaid.

### 1.1 Lists

- **LG-SPELL-L6** Check the lines in order.

```yaml
- **LG-NOT-01** a sample, not a rule
```

# Part B - More

## 2. More (MORE)

- **LG-MORE-01** More.
"""

QUOTED = """\
# QG — Rule catalogue

**How to read it**

# 1. General (GEN)

- **QG-GEN-02** A die decides. `Ruling:` no such moment here. `Example:` 3 beats 2.
- **QG-GEN-07** `Ruling:` [opt qg.half = up | down] halves go up.
  - `Example (derived):` half of 5 is 3.

## Broken [Brisé]

- **QG-BROKEN-01** It flees.

**T15 House-rule options** (1 key)

| Key | Default | Alternatives | Rule | What the alternative means |
|---|---|---|---|---|
| `qg.half` | up | down | QG-GEN-07 | down: `a|b` goes \\| down |
"""


@pytest.fixture(scope="module")
def aof() -> Catalogue:
    return load("aof")


def test_a_plain_catalogue_is_read_rule_by_rule() -> None:
    book = parse(PLAIN, "pg")

    assert book.title == "Plain Game — rule catalogue"
    assert list(book.rules) == ["PG-GEN-01", "PG-GEN-02", "PG-GEN-11", "PG-SR-BLAST-01"]
    assert [(chapter.number, chapter.title) for chapter in book.chapters] == [
        ("1", "Overview"),
        ("2", "General principles"),
        ("3", "Special rules [Règles]"),
    ]
    assert book.rules["PG-GEN-01"].text == "A test is one die."
    assert not book.rules["PG-GEN-01"].derived
    six = book.rules["PG-GEN-02"]
    assert six.text == "A six always succeeds."
    assert six.derived
    assert six.rulings == ("for every die.",)
    assert six.checks == ("only a 6 hits.", "(small table) a 1 fails.")
    blast = book.rules["PG-SR-BLAST-01"]
    assert blast.section == "Blast (X) [Explosion (X)]"
    assert blast.rulings == ("[opt pg.cover = own | unit] Said in passing.",)
    assert blast.options == ("pg.cover",)


def test_tables_stay_with_their_chapter() -> None:
    overview, _, special = parse(PLAIN, "pg").chapters

    assert [(table.columns, table.rows) for table in overview.tables] == [(("Topic", "Value"), (("Dice", "D6"),))]
    assert [table.title for table in special.tables] == ["House-rule options"]


def test_options_come_from_their_table() -> None:
    assert parse(PLAIN, "pg").options == {
        "pg.scope": Option("pg.scope", "each", ("all",), "PG-GEN-11"),
        "pg.cover": Option("pg.cover", "own", ("unit", "none"), "PG-SR-BLAST-01"),
    }
    assert parse(PLAIN, "pg").options["pg.cover"].values == ("own", "unit", "none")


def test_dashes_letters_and_numbered_rulings_are_understood() -> None:
    book = parse(DASHED, "dg")

    assert list(book.rules) == ["DG-INF-01", "DG-ELX-08a", "DG-ELX-08b"]
    walks = book.rules["DG-INF-01"]
    assert (walks.text, walks.chapter, walks.section) == ("Walks. (§2.1)", "Categories", "Infantry")
    assert walks.rulings == (
        "[opt dg.walk = slow | fast | never] slowly.",
        "never backwards.",
        "for validation: feet touch the ground.",
    )
    assert walks.examples == ("(ours) 8 men walk 8 cm.",)


def test_parts_of_a_rule_and_samples_of_code_are_not_rules() -> None:
    book = parse(LETTERED, "lg")

    assert list(book.rules) == ["LG-DICE-05", "LG-DICE-06", "LG-SPELL-L6", "LG-MORE-01"]
    assert book.rules["LG-DICE-05"].derived
    assert book.rules["LG-DICE-05"].text == "All dice are rolled in the open."
    assert book.rules["LG-DICE-06"].text == "Mutual charge.\n(a) Y moves first.\n(b) Then X moves."
    assert book.rules["LG-DICE-06"].rulings == ("[R-001] [opt lg.first = y | x] unsaid.",)
    assert book.rules["LG-DICE-06"].options == ("lg.first",)
    assert book.rules["LG-SPELL-L6"].text == "Check the lines in order."
    assert book.rules["LG-SPELL-L6"].title == "Lists"
    assert book.rules["LG-MORE-01"].chapter == "More"


def test_rulings_on_the_line_of_the_statement_are_taken_apart() -> None:
    book = parse(QUOTED, "qg")

    decides = book.rules["QG-GEN-02"]
    assert (decides.text, decides.rulings, decides.examples) == (
        "A die decides.",
        ("no such moment here.",),
        ("3 beats 2.",),
    )
    alone = book.rules["QG-GEN-07"]
    assert alone.text == "[opt qg.half = up | down] halves go up."
    assert alone.derived
    assert alone.options == ("qg.half",)
    assert alone.examples == ("(derived) half of 5 is 3.",)
    assert book.rules["QG-BROKEN-01"].section == "Broken [Brisé]"
    assert book.options["qg.half"].meaning == "down: `a|b` goes | down"
    assert next(book.tables()).title == "T15 House-rule options"


def test_an_id_declared_twice_is_refused() -> None:
    with pytest.raises(Problems, match="PG-GEN-01: declared twice"):
        parse(PLAIN + "\n- **PG-GEN-01** Again.\n", "pg")


def test_age_of_fantasy_has_249_rules_and_one_of_ours_for_conceding(aof: Catalogue) -> None:
    assert len(aof.rules) == 249 + 1
    assert "AOF-MISSION-14" in aof.rules
    assert len(aof.options) == 19
    assert sum(len(rule.checks) for rule in aof.rules.values()) == 29


@pytest.mark.parametrize("game", games())
def test_every_catalogue_is_whole(game: str) -> None:
    book = load(game)
    stated = {
        key: (rule.id, tuple(value.strip() for value in values.split("|")))
        for rule in book.rules.values()
        for said in (rule.text, *rule.rulings)
        for key, values in re.findall(r"\[opt ([\w.]+) = ([^\]]+)\]", said)
    }

    assert book.rules
    assert all(rule.text and rule.chapter for rule in book.rules.values())
    assert all(rule_id.startswith(game.upper() + "-") for rule_id in book.rules)
    assert {key: (option.rule, option.values) for key, option in book.options.items()} == stated
    assert sum(len(chapter.rules) for chapter in book.chapters) == len(book.rules)


@pytest.mark.parametrize("game", games())
def test_a_catalogue_speaks_only_of_rules_it_has(game: str) -> None:
    book = load(game)
    prefix = game.upper()
    said = " ".join(" ".join([rule.text, *rule.rulings, *rule.checks]) for rule in book.rules.values())

    mentioned = set(re.findall(rf"\b{prefix}(?:-[A-Z]+)+-\d+\b", said))

    assert mentioned - set(book.rules) == set()


@pytest.mark.parametrize("typed", ["AOF-GEN-02", "aof-gen-02", "GEN-02", "gen 2", " aof_gen_02 "])
def test_an_id_may_be_typed_loosely(aof: Catalogue, typed: str) -> None:
    assert aof.find(typed).id == "AOF-GEN-02"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("AOF-SHOT-01", 'did you mean "AOF-SHOOT-01"?'),
        ("AOF-SR-BLAST", "there are AOF-SR-BLAST-01 to AOF-SR-BLAST-02"),
        ("sr-fast", "there is AOF-SR-FAST-01"),
        ("", 'no rule ""'),
        ("?" * 5000, "no rule"),
    ],
)
def test_a_wrong_id_gets_a_guess(aof: Catalogue, typed: str, hint: str) -> None:
    with pytest.raises(Problems) as caught:
        aof.find(typed)

    assert hint in str(caught.value)


def test_rules_under_a_heading_come_in_order(aof: Catalogue) -> None:
    assert [rule.id for rule in aof.under("aof-sr-hero")] == [f"AOF-SR-HERO-0{n}" for n in range(1, 8)]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("blast", "AOF-SR-BLAST-"),
        ("Furtif", "AOF-SR-STEALTH-01"),
        ("ebranlee", "AOF-SHAKEN-"),
        ("coherency", "AOF-MOVE-02"),
        ("charge", "AOF-MOVE-"),
        ("cover blast", "AOF-SR-BLAST-01"),
        ("routs melee", "AOF-SHAKEN-04"),
    ],
)
def test_a_search_puts_the_rule_about_it_first(aof: Catalogue, words: str, first: str) -> None:
    assert aof.search(words)[0].id.startswith(first)


def test_a_search_wants_all_words_but_settles_for_some(aof: Catalogue) -> None:
    assert {rule.id for rule in aof.search("cover blast")} < {rule.id for rule in aof.search("blast")}
    assert aof.search("zorglub blast") == aof.search("blast")
    assert aof.search("zorglub") == []
    assert aof.search(" ") == []


@pytest.mark.parametrize(("game", "said"), [("aoff", 'did you mean "aof"?'), ("../aof", '"../aof"'), ("", '""')])
def test_an_unknown_game_is_refused(game: str, said: str) -> None:
    with pytest.raises(Problems) as caught:
        load(game)

    assert said in str(caught.value)


@given(st.text())
def test_any_text_can_be_read_as_a_catalogue(text: str) -> None:
    parse(text, "pg")


# -- in another language -----------------------------------------------------------------------------------------------

FRENCH = {
    "title": "Jeu simple",
    "titles": {"General principles": "Principes généraux"},
    "meanings": {"pg.cover": "qui donne le couvert"},
    "PG-GEN-01": {"text": "Un test est un dé."},
    "PG-GEN-02": {"text": "Un six réussit toujours.", "checks": ["seul un 6 touche.", "un 1 échoue."]},
}
SAME = {"Actions", "Adaptations.", "Fatigue", "Mission", "Terrain"}  # the same word in both languages
ENGLISH = re.compile(r"\b(the|of|and|with|is|are|if|may|not|must|that|this|each|units?|models?|wounds?|dice)\b", re.I)


def test_a_catalogue_is_told_in_another_language_as_far_as_it_goes() -> None:
    book = translated(parse(PLAIN, "pg"), FRENCH, "fr/pg.toml")

    assert book.title == "Jeu simple"
    assert [chapter.title for chapter in book.chapters] == ["Overview", "Principes généraux", "Règles [Special rules]"]
    six = book.rules["PG-GEN-02"]
    assert (six.text, six.chapter, six.derived) == ("Un six réussit toujours.", "Principes généraux", True)
    assert six.checks == ("seul un 6 touche.", "un 1 échoue.")
    assert six.rulings == ("for every die.",)
    assert book.rules["PG-GEN-11"].text == "Rules bind those who have them."
    assert book.rules["PG-SR-BLAST-01"].section == "Explosion (X) [Blast (X)]"
    assert (book.options["pg.cover"].meaning, book.options["pg.scope"].meaning) == ("qui donne le couvert", "")
    assert [rule.id for rule in book.search("echoue reussit")] == ["PG-GEN-02"]


def test_what_is_said_of_nothing_is_reported() -> None:
    said = {
        "titles": {"General principle": "Principes"},
        "meanings": {"pg.covers": "…"},
        "PG-GEN-3": {"text": "Rien."},
        "PG-GEN-01": {"txt": "Un test est un dé."},
        "PG-GEN-02": {"text": "Un six.", "checks": ["seul un 6 touche."]},
    }

    with pytest.raises(Problems) as caught:
        translated(parse(PLAIN, "pg"), said, "fr/pg.toml")

    assert [problem.where for problem in caught.value] == [
        "titles.General principle", "meanings.pg.covers", "PG-GEN-3", "PG-GEN-01", "PG-GEN-02",
    ]  # fmt: skip
    assert "1 checks; in English 2" in str(caught.value)
    assert 'did you mean "General principles"?' in str(caught.value)


def told_in_both(game: str) -> Iterator[tuple[str, str, str]]:
    """Every statement, ruling, check and example in English and in French."""
    french = load(game, "fr").rules
    for rule in load(game).rules.values():
        other = french[rule.id]
        yield rule.id, rule.text, other.text
        for part in ("rulings", "checks", "examples"):
            for ours, theirs in zip(getattr(rule, part), getattr(other, part), strict=True):
                yield rule.id, ours, theirs


def numbers(text: str) -> Counter[str]:
    """The numbers in a text, those of ids included; French writes 262,5."""
    return Counter(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d)", ".", text)))


def words_of(text: str) -> str:
    """Without ids, keys of house rules and words of the program."""
    return re.sub(r"\[opt [^\]]+\]|`[^`]*`|\b[A-Z]+(-[A-Z0-9]+)+", "", text)


@pytest.mark.parametrize("game", ids())
def test_every_rule_is_told_in_french(game: str) -> None:
    told = [(id, words_of(ours), words_of(theirs)) for id, ours, theirs in told_in_both(game)]

    left = [(id, ours) for id, ours, theirs in told if ours == theirs and re.search("[a-z]{2}", ours)]
    english = [(id, theirs) for id, _, theirs in told if ENGLISH.search(theirs)]

    assert [(id, ours) for id, ours in left if ours not in SAME] == []
    assert english == []


@pytest.mark.parametrize("game", ids())
def test_every_chapter_and_section_has_a_french_title(game: str) -> None:
    english = load(game)
    own = {rule.chapter for rule in english.rules.values()} | {rule.section for rule in english.rules.values()} - {""}
    french = load(game, "fr")

    left = own & {title for rule in french.rules.values() for title in (rule.chapter, rule.section)}

    assert left <= SAME


@pytest.mark.parametrize("game", ids())
def test_french_keeps_every_number_and_every_house_rule(game: str) -> None:
    for id, ours, theirs in told_in_both(game):
        assert numbers(ours) == numbers(theirs), (id, ours, theirs)
        assert re.findall(r"\[opt [^\]]+\]", ours) == re.findall(r"\[opt [^\]]+\]", theirs), id


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("charge", "AOF-MOVE-"),
        ("contre-charge", "AOF-SR-COUNTER-"),
        ("COHESION", "AOF-MOVE-02"),
        ("couvert explosion", "AOF-SR-BLAST-01"),
        ("ébranlée objectif", "AOF-SHAKEN-05"),
        ("stealth", "AOF-SR-STEALTH-01"),
    ],
)
def test_a_search_in_french_puts_the_rule_about_it_first(words: str, first: str) -> None:
    assert load("aof", "fr").search(words)[0].id.startswith(first)


def test_a_language_nobody_wrote_is_english() -> None:
    assert load("aof", "de") == load("aof")
