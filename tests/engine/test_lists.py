"""Lists of a game of the test's own: five units, a points limit and one more, and nothing else to fill in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from oriflamme.engine.lists.checking import Most, Terms, WithinPoints
from oriflamme.engine.lists.drafts import Draft, Entry
from oriflamme.engine.lists.fields import NumberField
from oriflamme.engine.lists.plain import COST, Army, PlainArmies, PlainReader, Troop, UnitCard
from oriflamme.engine.lists.printing import as_text
from oriflamme.engine.lists.toml import as_toml
from oriflamme.engine.lists.units import plain
from oriflamme.engine.words.problems import Problems, Reader, read_names

# -- the game ----------------------------------------------------------------------------------------------------------

STRENGTH = NumberField("strength", {"en": "Strength", "fr": "Force"}, 1, 6)

MILL = """
name = { en = "The Mill", fr = "Le Moulin" }

[unit.miller]
name = { en = "Miller", fr = "Meunier" }
cost = 30
strength = 4

[unit.guard]
name = { en = "Guard", fr = "Garde" }
cost = 10
strength = 2

[unit.archer]
name = { en = "Archer", fr = "Archer" }
cost = 12
strength = 1

[unit.donkey]
name = { en = "Donkey", fr = "Âne" }
cost = 6
strength = 3

[unit.cat]
name = { en = "Cat", fr = "Chat" }
cost = 1
strength = 1
"""

READY = """
game = "tiny"
name = { en = "Flour", fr = "Farine" }
army = "mill"
points = 60
units = [{ unit = "miller", name = "Old Tom" }, { unit = "guard", count = 3 }]
"""


class Card(UnitCard, frozen=True):
    strength: int


class OneMiller(Most[Troop[Card]]):
    rule = "TINY-02"
    key = "millers"
    name = STRENGTH.name
    code = "too_many_units"

    def used(self, units: Sequence[Troop[Card]], terms: Terms) -> int:
        return sum(troop.count for troop in units if troop.card.id == "miller")

    def most(self, units: Sequence[Troop[Card]], terms: Terms) -> int:
        return 1


class TinyReader(PlainReader[Card]):
    game = "tiny"
    limits = (WithinPoints("TINY-01"), OneMiller())

    def read_unit(self, id: str, table: Reader) -> Card:
        return Card(id, read_names(table, "name"), COST.read(table), STRENGTH.read(table))


class TinyArmies(PlainArmies[Card]):
    fields = (STRENGTH,)
    usual_points = (60, 100)


@pytest.fixture
def armies(tmp_path: Path) -> TinyArmies:
    for folder, name, text in (("factions", "mill", MILL), ("lists", "flour", READY)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return TinyArmies(TinyReader(tmp_path))


# -- reading -----------------------------------------------------------------------------------------------------------


def test_a_list_is_read_into_cards_and_counts(armies: TinyArmies) -> None:
    army: Army[Card] = armies.reader.load("flour")

    assert [(troop.card.id, troop.count, troop.name["en"]) for troop in army.troops] == [
        ("miller", 1, "Old Tom"),
        ("guard", 3, "Guard"),
    ]
    assert army.cost == 60


def test_everything_wrong_with_a_list_is_told_at_once_with_its_place_and_rule(armies: TinyArmies) -> None:
    data = {
        "game": "tiny",
        "army": "mill",
        "points": 20,
        "colour": "red",
        "units": [{"unit": "miller", "count": 2}, {"unit": "gaurd"}, {"unit": "cat", "count": 0, "hat": True}],
    }

    with pytest.raises(Problems) as wrong:
        armies.reader.check(data, "list")

    found = {(problem.where, problem.rule) for problem in wrong.value}
    assert found == {
        ("units[2].unit", None),
        ("units[3].count", None),
        ("units[3].hat", None),
        ("colour", None),
        ("points", "TINY-01"),
        ("units", "TINY-02"),
    }
    assert 'did you mean "guard"' in wrong.value.in_words("en")
    assert len(wrong.value.in_words("fr").splitlines()) == len(wrong.value.in_words("en").splitlines()) == 7


def test_a_list_may_name_a_faction_file_beside_it_but_not_over_the_network(armies: TinyArmies, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(MILL.replace("strength = 4", "strength = 9"), encoding="utf-8")
    own = {"game": "tiny", "army": "own.toml", "points": 30, "units": [{"unit": "miller"}]}
    (tmp_path / "mine.toml").write_text(as_toml(own), encoding="utf-8")

    with pytest.raises(Problems) as beside:
        armies.reader.load(tmp_path / "mine.toml")
    with pytest.raises(Problems) as sent:
        armies.reader.check(own, "list")

    assert [problem.where for problem in beside.value] == ["army: own.toml: unit.miller.strength"]
    assert [problem.where for problem in sent.value] == ["army"]


@pytest.mark.parametrize("name", ["flours", "nothing.toml", "nothing.json"])
def test_a_list_that_is_nowhere_is_no_crash(armies: TinyArmies, name: str) -> None:
    with pytest.raises(Problems):
        armies.reader.load(name)


# -- building ----------------------------------------------------------------------------------------------------------


def test_a_draft_is_priced_and_its_limits_are_the_ones_that_are_checked(armies: TinyArmies) -> None:
    draft = Draft("Two millers", 100, "mill", [Entry("miller", count=2), Entry("dragon")])

    checked = armies.checked(draft, {})

    assert (checked.cost, checked.models) == (60, 2)
    assert [(one.key, one.used, one.most, one.rule) for one in checked.limits] == [
        ("points", 60, 100, "TINY-01"),
        ("millers", 2, 1, "TINY-02"),
    ]
    assert checked.entries[1].unit is None
    assert [(problem.entry, problem.rule) for problem in checked.problems] == [(2, None), (None, "TINY-02")]
    assert checked.problems[0].words["fr"]["what"] != checked.problems[0].words["en"]["what"]


def test_a_draft_is_written_as_a_list_file_and_read_back_the_same(armies: TinyArmies) -> None:
    draft = armies.find_ready("flour", "fr")

    back, notes = armies.import_text(as_toml(armies.to_list(draft)), {})

    assert draft.name == "Farine"
    assert back == draft
    assert notes == []


def test_what_a_draft_has_no_place_for_is_named_when_it_is_left_aside(armies: TinyArmies) -> None:
    _, notes = armies.import_text(READY + 'colour = "red"', {})

    assert len(notes) == 1
    assert "colour" in notes[0]["en"]


def test_offers_hold_every_unit_with_its_numbers(armies: TinyArmies) -> None:
    data = msgspec.json.decode(msgspec.json.encode(armies.offers()))

    units = data["factions"][0]["units"]
    assert [unit["id"] for unit in units] == ["miller", "guard", "archer", "donkey", "cat"]
    assert units[0]["stats"] == {"strength": "4"}
    assert data["stats"] == [{"key": "strength", "short": "S", "name": {"en": "Strength", "fr": "Force"}}]


def test_a_list_on_paper_has_a_line_for_each_entry_and_what_is_wrong(armies: TinyArmies) -> None:
    draft = Draft("", 10, "mill", [Entry("guard", count=2), Entry("dragon")])

    text = as_text(armies.checked(draft, {}), armies.offers(), "en")

    assert "1. 2 × Guard [20]" in text
    assert "   S2" in text
    assert "2. dragon: no such unit" in text
    assert "(TINY-01)" in text


# -- looking up --------------------------------------------------------------------------------------------------------


def test_units_are_found_by_name_with_or_without_their_faction(armies: TinyArmies) -> None:
    assert armies.unit("mill/cat") == armies.unit("cat")
    assert plain(armies.unit("cat")) == {
        "id": "cat", "name": {"en": "Cat", "fr": "Chat"}, "figures": 1, "cost": 1, "rules": [],
    }  # fmt: skip
    for name in ("dog", "barn/cat", "cat+hat"):
        with pytest.raises(Problems):
            armies.unit(name)


def test_sheets_have_the_numbers_of_the_cards(armies: TinyArmies) -> None:
    (sheet,) = armies.sheets(armies.army("flour"), "fr")

    assert sheet.columns == ("unit", "name", "models", "S", "rules", "points")
    assert sheet.rows[1] == ("guard", "Garde", 3, "2", "", 30)
