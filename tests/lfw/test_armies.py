"""Armies of Last Fantasy War: the factions hold what the book leaves open, their prices follow one formula, the lists
are legal, and what a scenario lifts is lifted."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.problems import Problems, Reader
from oriflamme.games import load
from oriflamme.games.lfw.abilities import ABILITIES
from oriflamme.games.lfw.armies import ARMIES
from oriflamme.games.lfw.army.cards import Card, People
from oriflamme.games.lfw.army.prices import SHARES, price_of
from oriflamme.games.lfw.magic import Spell, second_price
from oriflamme.games.lfw.moments import book, rules_named, skills
from oriflamme.games.lfw.profile import DOMAINS, ROLES, SPECIALISATIONS, TYPE_RULES, TYPES
from oriflamme.games.lfw.rules.mounts import MANNERS
from oriflamme.games.lfw.scenarios.book import SCENARIOS, Scenario
from oriflamme.games.lfw.specialists import SKILLS
from oriflamme.games.lfw.state import Battle

load("lfw")
FACTIONS = ARMIES.known_factions()
CARDS = [(faction.id, card) for faction in FACTIONS.values() for card in faction.units.values()]
POINTS = Path(__file__).parents[2] / "docs" / "points.md"


def titles_on(card: Card) -> set[str]:
    """The special rules that a sheet, its weapons and its options use."""
    sheet, extras = card.sheet, card.options.values()
    weapons = [*sheet.weapons, *(weapon for extra in extras for weapon in extra.weapons)]
    names = [*sheet.rules, *TYPE_RULES[sheet.type], *(rule for weapon in weapons for rule in weapon.rules)]
    names += [rule for extra in extras for rule in extra.rules]
    return {keyword.title for name in names for keyword in rules_named((name,))}


@pytest.mark.parametrize(("faction", "card"), CARDS, ids=[f"{faction}-{card.id}" for faction, card in CARDS])
def test_every_sheet_costs_what_the_formula_says(faction: str, card: Card) -> None:
    assert card.cost == price_of(card.sheet, card.knows).points


def test_the_formula_knows_every_special_rule_and_the_page_says_what_it_is_worth() -> None:
    assert {kind.title for kind in book.declared.values()} <= set(SHARES)
    page = POINTS.read_text(encoding="utf-8").partition("## Last Fantasy War")[2]
    said = dict(re.findall(r"^\| ([A-Z][\w ]+?) \| (-?\d+) %", page, re.MULTILINE))
    assert said == {title: str(round(100 * share)) for title, (share, _) in SHARES.items()}


def test_every_skill_has_its_place_in_the_table() -> None:
    assert {kind.title for kind in skills.declared.values()} <= {title for own in SKILLS.values() for title in own}
    for specialisation, own in SKILLS.items():
        first = 1 if specialisation == "captain" else 2
        assert Counter(own.values()) == {1: first, 2: 2, 3: 2, 4: 2}


def test_the_factions_use_all_the_rules_between_them() -> None:
    """LFW-MISS-01 to -07."""
    cards = [card for _, card in CARDS]
    assert set().union(*map(titles_on, cards)) >= {kind.title for kind in book.declared.values()}
    assert {id for card in cards for id in card.sheet.adc} == set(ABILITIES)
    mages = [card for card in cards if "mage" in card.sheet.specialisations]
    assert sorted(domain for card in mages for domain in card.sheet.domains) == sorted(DOMAINS)
    unstable = " ".join(rule for card in cards for rule in card.sheet.rules if rule.startswith("Unstable"))
    assert all(manner in unstable for manner in MANNERS)
    assert {card.sheet.vitality for card in cards} == {"living", "dead", "neutral"}


def test_every_rule_of_weapons_is_that_of_some_weapon_and_every_rule_of_a_unit_is_on_some_sheet() -> None:
    """A rule of the chapter on equipment that nobody carries as one fails here, and so does one of another chapter
    that no sheet has (LFW-MISS-02, -03)."""
    cards = [card for _, card in CARDS]
    carried = [
        *(w for c in cards for w in c.sheet.weapons),
        *(w for c in cards for e in c.options.values() for w in e.weapons),
    ]
    on_weapons = {rule.title for weapon in carried for rule in rules_named(weapon.rules)}
    on_sheets = {
        rule.title
        for card in cards
        for rule in rules_named((*card.sheet.rules, *TYPE_RULES[card.sheet.type], *_of_options(card)))
    }
    declared = {kind.title: kind.rule for kind in book.declared.values()}
    of_weapons = {title for title, rule in declared.items() if rule.startswith("LFW-SR-EQP")} - SHIELDS
    assert of_weapons <= on_weapons
    assert declared.keys() - of_weapons <= on_sheets | {"Weak"}
    assert "Weak" in on_weapons


SHIELDS = {"Shield", "Long shield"}


def _of_options(card: Card) -> list[str]:
    return [rule for extra in card.options.values() for rule in extra.rules]


def test_there_are_riders_legends_and_titans_in_every_faction() -> None:
    """Riders, mounts that are unstable, units of legend, and one of them a titan for LFW-LEG4 (LFW-MISS-06, -07)."""
    for faction in FACTIONS.values():
        cards = list(faction.units.values())
        ridden = {mount for card in cards for mount in card.mounts}
        assert any("Unstable behaviour" in titles_on(faction.units[mount]) for mount in ridden)
        legends = [card for card in cards if "legend" in card.sheet.notes]
        assert any(card.sheet.type == "behemoth" and card.cost > 300 for card in legends)


@pytest.mark.parametrize("id", FACTIONS)
def test_each_faction_has_all_that_a_game_needs(id: str) -> None:
    faction = FACTIONS[id]
    assert isinstance(faction, People)
    cards = list(faction.units.values())
    assert len(cards) >= 10
    assert {card.sheet.type for card in cards} == set(TYPES)
    assert {card.sheet.role for card in cards} == set(ROLES)
    assert {name for card in cards for name in card.sheet.specialisations} == set(SPECIALISATIONS)
    assert any("legend" in card.sheet.notes for card in cards)
    assert sum("commander" in card.sheet.notes for card in cards) == 1
    assert any(card.mounts for card in cards)
    assert any(card.ridden for card in cards)
    assert any("Unique" in card.sheet.rules for card in cards)
    assert all(card.name["en"] != "" and card.name["fr"] != "" for card in cards)


def test_scenarios_find_demons_and_the_dead() -> None:
    assert {"demons", "dead"} <= {faction.keyword for faction in FACTIONS.values() if isinstance(faction, People)}


def test_each_faction_has_two_lists_of_300_and_one_of_600() -> None:
    lists = [ARMIES.reader.load(id) for id in ARMIES.reader.ready]
    assert Counter((army.faction, army.points) for army in lists) == {
        (faction, points): number for faction in FACTIONS for points, number in ((300, 2), (600, 1))
    }
    assert all(0.95 * army.points <= army.cost <= army.points for army in lists)


@pytest.mark.parametrize("id", ARMIES.reader.ready)
def test_a_list_becomes_a_draft_and_a_list_again_without_a_loss(id: str) -> None:
    draft = ARMIES.find_ready(id)
    again = ARMIES.reader.check({**ARMIES.to_list(draft), "name": ARMIES.ready()[id]["name"]}, id)
    assert again.to_data() == ARMIES.reader.load(id).to_data()


@pytest.mark.parametrize("id", ARMIES.reader.ready)
def test_all_that_a_list_takes_is_offered_and_a_draft_of_it_costs_the_same(id: str) -> None:
    army, draft = ARMIES.reader.load(id), ARMIES.find_ready(id)
    offered = {
        unit.id: {option.id for option in unit.options}
        for faction in ARMIES.offers().factions
        if faction.id == army.faction
        for unit in faction.units
    }
    for entry in draft.entries:
        assert {pick.option for pick in entry.picks} <= offered[entry.unit]
    checked = ARMIES.checked(draft, {})
    assert (checked.cost, list(checked.problems)) == (army.cost, [])


def test_the_list_and_the_faction_of_the_guide_can_be_used_as_they_are(tmp_path: Path) -> None:
    chapter = (POINTS.parent / "authoring.md").read_text(encoding="utf-8").partition("# Last Fantasy War")[2]
    for name, text in re.findall(r"```toml\n# (\S+)\n(.*?)```", chapter, re.DOTALL):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert ARMIES.reader.load(tmp_path / "valley_road.toml").cost <= 300
    captain = 'specialisation = "captain", level = 1, skills = ["Team leader"]'
    own = tmp_path / "own.toml"
    own.write_text(
        'game = "lfw"\narmy = "toll_gate.toml"\npoints = 100\n'
        f'units = [{{ unit = "keeper", mount = "mule", options = ["lantern"], {captain} }}]\n',
        encoding="utf-8",
    )
    army = ARMIES.reader.load(own)
    assert army.cost == 20 + 8 + 2
    assert all("Night sight" in troop.card.sheet.rules for troop in army.troops)


def test_words_that_nobody_knows_are_named_with_their_place() -> None:
    problems = Problems("own.toml")
    wrong = {"notes": ["comander"], "domains": ["fir"], "specialisations": ["cook"], "adc": ["shout"]}
    unit = {"name": "Cook", "cost": 5, "weapons": [{"id": "ladle", "range": 6}], **wrong}
    ARMIES.reader.read_faction(Reader({"name": "Own", "unit": {"cook": unit}}, problems), "own")
    places = {problem.where for problem in problems}
    assert places == {f"unit.cook.{key}" for key in (*wrong, "weapons")}


# -- what a scenario lifts ---------------------------------------------------------------------------------------------


class Champions(Scenario):
    id, legends, dear_units = "champions", True, True


class Hunted(Scenario):
    id, lone_role = "hunted", "titan"


def refusals(**top: Any) -> list[str | None]:
    """The rules that refuse a list of the hearth oath."""
    data = {"game": "lfw", "army": "hearth_oath", "points": 600, **top}
    try:
        ARMIES.reader.check(data, "list")
    except Problems as wrong:
        return [problem.rule for problem in wrong]
    return []


CAPTAIN = {"unit": "sergeant", "specialisation": "captain", "level": 1, "skills": ["Team leader"]}
LEGEND = {"unit": "mountain_that_woke"}


def test_legends_and_dear_units_are_for_scenarios_that_allow_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """LFW-ARMY-07, -08, LFW-LEG5-02."""
    monkeypatch.setitem(SCENARIOS, "champions", Champions())
    assert refusals(units=[CAPTAIN, LEGEND]) == ["LFW-ARMY-07", "LFW-ARMY-08"]
    assert refusals(units=[CAPTAIN, LEGEND], scenario="champions") == []


def test_a_lone_unit_needs_no_captain(monkeypatch: pytest.MonkeyPatch) -> None:
    """LFW-ARMY-03, LFW-LEG4-02."""
    monkeypatch.setitem(SCENARIOS, "hunted", Hunted())
    assert refusals(units=[LEGEND], scenario="hunted", role="titan") == []
    assert refusals(units=[LEGEND], scenario="hunted", role="assailant") == [
        "LFW-ARMY-03",
        "LFW-ARMY-07",
        "LFW-ARMY-08",
    ]
    assert refusals(units=[LEGEND, CAPTAIN], scenario="hunted", role="titan") == ["LFW-LEG4-02"]


def test_a_second_target_costs_half_of_the_spell_rounded_down_and_one_at_least() -> None:
    """LFW-MAGE-06: no spell on one friend costs 4, so that no case can show that."""
    battle = Battle(Table(100.0, 100.0), 2, load("lfw").defaults(), SeededDice(0))

    class Priced(Spell):
        def __init__(self, cost: int) -> None:
            self.cost = cost

    assert [second_price(Priced(cost), battle) for cost in (1, 2, 3, 4)] == [1, 1, 1, 2]
