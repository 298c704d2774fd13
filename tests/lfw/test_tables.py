"""The tables of the catalogue, row by row: prices, skills, spells, command abilities and scenarios are what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.lists.glossary import french_rules
from oriflamme.games import load
from oriflamme.games.lfw.abilities import ABILITIES
from oriflamme.games.lfw.army.offers import PACKAGE
from oriflamme.games.lfw.magic import SPELLS, Spell
from oriflamme.games.lfw.names import declared_names
from oriflamme.games.lfw.profile import SPECIALISATIONS
from oriflamme.games.lfw.scenarios.book import SCENARIOS
from oriflamme.games.lfw.setup import bare_table
from oriflamme.games.lfw.specialists import PRICES, SKILLS
from oriflamme.games.lfw.state import Battle
from oriflamme.games.lfw.targeting import Entry

load("lfw")
CATALOGUE = Path(__file__).parents[2] / "docs" / "rules" / "lfw.md"


def rows_of(table: str) -> list[list[str]]:
    """The rows of a table of the catalogue, without its head."""
    text = CATALOGUE.read_text(encoding="utf-8").partition(f"### {table} ")[2].partition("\n### ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def battle() -> Battle:
    return Battle(bare_table((24, 24)), 2, load("lfw").defaults(), SeededDice(0))


def test_specialists_cost_what_t8_says() -> None:
    for level, *cells in rows_of("T-8"):
        for specialisation, cell in zip(SPECIALISATIONS, cells, strict=True):
            assert PRICES[specialisation][int(level) - 1] == tuple(map(int, cell.split("/")))


# A skill that has the name of a special rule has another here, so that a sheet can be read.
RENAMED = {"Vétéran": "Vieux de la vieille"}


def test_skills_are_those_of_t9() -> None:
    french = {title: said["name"] for title, said in french_rules(PACKAGE).items()}
    for level, *cells in rows_of("T-9"):
        for specialisation, cell in zip(SPECIALISATIONS, cells, strict=True):
            own = {french[title] for title, at in SKILLS[specialisation].items() if at == int(level)}
            assert own == {RENAMED.get(name, name) for name in cell.split("; ")}


def target_of(entry: Entry) -> str:
    if entry.caster:
        return "caster"
    who = f"all {entry.who}s" if entry.every else entry.who
    return f"visible {who}" if entry.visible else who


# What the table calls by another word.
POINTS = {"visible point", "point", "destroyed friend"}
LASTS = {"instant": ("instant",), "turn": ("turn",), "game": ("game", "instant", "turn"), "permanent": ("game",)}


@pytest.mark.parametrize("row", rows_of("T-15"), ids=lambda row: row[0])
def test_a_spell_is_that_of_t15(row: list[str]) -> None:
    id, name, cost, target, reach, duration = row
    known: Spell = next(spell for spell in SPELLS.values() if spell.rule == f"LFW-{id}")

    assert declared_names()["spell"][known.id]["fr"] == name
    assert known.price(battle()) == int(cost.split()[0])
    far = known.entry.range if known.entry is not None else known.points_within or None
    assert far == (None if reach == "-" else float(reach.split('"')[0]))
    assert known.duration in LASTS[duration]
    if known.entry is None:
        assert target in POINTS or target == "-"
        assert bool(known.points_within) is (target in POINTS)
    else:
        assert target_of(known.entry) == target.replace(" living", "")


def test_every_spell_stands_in_t15_and_every_ability_in_t16() -> None:
    assert {f"LFW-{row[0]}" for row in rows_of("T-15")} == {spell.rule for spell in SPELLS.values()}
    assert {f"LFW-{row[0]}" for row in rows_of("T-16")} == {ability.rule for ability in ABILITIES.values()}


@pytest.mark.parametrize("row", rows_of("T-16"), ids=lambda row: row[0])
def test_an_ability_is_that_of_t16(row: list[str]) -> None:
    id, name, activation, target, reach, duration, _ = row
    known = next(ability for ability in ABILITIES.values() if ability.rule == f"LFW-{id}")

    assert declared_names()["ability"][known.id]["fr"] == name
    assert known.entry.range == (None if reach == "-" else float(reach.split('"')[0]))
    assert target_of(known.entry) in target.replace("fleeing ", "")
    for moment, phase in known.when:
        assert moment in activation
        assert phase[:4] in activation
    assert duration == "instant" or known.duration == duration


def test_scenarios_are_those_of_t12() -> None:
    rows = rows_of("T-12")
    assert {row[0].lower() for row in rows} == set(SCENARIOS)
    for id, title, players, size, *_ in rows:
        plan = SCENARIOS[id.lower()]
        fewest, _, most = players.partition("-")
        assert plan.players == (int(fewest), int(most or fewest))
        assert sorted(plan.size) == sorted(map(float, size.split(",")[0].split("x")))
        assert plan.legendary is id.startswith("LEG")
        assert title == declared_names()["scenario"][plan.id]["fr"] or "lost" in title
