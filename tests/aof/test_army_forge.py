"""Lists from Army Forge: old and new ones are read from their loadout, and nothing is dropped without a word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.words.problems import Problems
from oriflamme.games.aof.army_forge import Note, import_army_forge
from oriflamme.games.aof.reading import load_list
from oriflamme.games.aof.rosters import EquippedUnit, Roster

FIXTURES = Path(__file__).parent / "fixtures"

Import = tuple[Roster, list[Note]]


def fixture(name: str) -> str:
    return (FIXTURES / f"army_forge_{name}.json").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def new() -> Import:
    return import_army_forge(fixture("new"))


@pytest.fixture(scope="module")
def old() -> Import:
    return import_army_forge(fixture("old"))


def unit(imported: Import, name: str) -> EquippedUnit:
    return next(unit for unit in imported[0].units if unit.name["en"] == name)


def said(imported: Import, kind: str) -> list[str]:
    return [str(note) for note in imported[1] if note.kind == kind]


def one_unit(**change: Any) -> str:
    carters: dict[str, Any] = {
        "name": "Carters",
        "size": 4,
        "quality": 4,
        "defense": 5,
        "rules": [],
        "loadout": [{"type": "ArmyBookWeapon", "name": "Cudgel", "count": 4, "range": 0, "attacks": 1}],
    }
    return json.dumps({"name": "One", "units": [{**carters, **change}]})


def problems_of(text: str) -> list[str]:
    with pytest.raises(Problems) as caught:
        import_army_forge(text, "list.json")
    return [str(problem) for problem in caught.value]


# -- what is read ------------------------------------------------------------------------------------------------------


def test_the_army_of_a_new_list(new: Import) -> None:
    roster, _ = new

    assert roster.name["en"] == "Rats of the Salt Road"
    assert roster.points == 1000
    assert [unit.name["en"] for unit in roster.units] == ["Old Marga", "Carters", "Ox Cart"]


def test_gear_is_read_from_the_loadout_and_not_from_the_weapons(new: Import) -> None:
    marga = unit(new, "Old Marga").profiles[0]

    assert [str(weapon) for weapon in marga.weapons] == ["Great Flail (melee, A3, AP(2), Furious)", 'Sling (12", A2)']


def test_items_give_their_rules_to_the_model(new: Import) -> None:
    marga = unit(new, "Old Marga").profiles[0]

    assert (marga.tough, marga.caster, marga.hero) == (6, 2, True)
    assert marga.defense == 3


def test_a_combined_unit_is_one_unit(new: Import) -> None:
    carters = unit(new, "Carters")

    assert carters.combined
    assert len(carters.profiles) == 20
    assert all(str(next(iter(profile.keywords))) == "Strider" for profile in carters.profiles)


def test_replaced_weapons_are_shared_out_model_by_model(new: Import) -> None:
    first_half = unit(new, "Carters").profiles[:10]

    assert [weapon.name for profile in first_half for weapon in profile.weapons] == ["Cudgel"] * 7 + ["Wagon Pole"] * 3


def test_an_item_carried_once_is_carried_by_one_model(new: Import) -> None:
    bearers = [p for p in unit(new, "Carters").profiles if "Musician" in map(str, p.keywords)]

    assert len(bearers) == 1


def test_a_hero_stays_a_unit_and_his_wish_to_join_is_noted(new: Import) -> None:
    assert said(new, "join") == ["Old Marga: wishes to join Carters; that is decided at deployment"]


def test_numbers_are_read_in_all_their_spellings(new: Import) -> None:
    cart = unit(new, "Ox Cart").profiles[0]

    assert (cart.quality, cart.defense, cart.tough) == (4, 3, 6)
    assert [weapon.range for weapon in cart.weapons] == [0, inches(18)]


def test_an_oval_base_becomes_a_circle_of_its_area(new: Import) -> None:
    assert unit(new, "Ox Cart").profiles[0].radius == pytest.approx((60 * 35) ** 0.5 / 2, abs=0.1)


def test_a_rule_of_weapons_on_a_unit_goes_to_all_its_weapons(new: Import) -> None:
    cart = unit(new, "Ox Cart").profiles[0]

    assert all("Counter" in map(str, weapon.keywords) for weapon in cart.weapons)
    assert "Ox Cart: Counter is a rule of weapons; given to all of theirs" in said(new, "moved rule")
    assert "Ox Cart: Horns: Fast is no rule of weapons; ignored" in said(new, "moved rule")


def test_a_rule_from_a_chosen_upgrade_counts(new: Import) -> None:
    assert unit(new, "Ox Cart").profiles[0].reserves == {"ambush"}


def test_of_several_ways_to_shoot_the_first_is_used(new: Import) -> None:
    assert unit(new, "Ox Cart").profiles[0].ranged_weapons[0].name == "Pot Thrower, burning"
    assert said(new, "loadout") == ["Ox Cart: Pot Thrower has several ways to shoot; the first is used"]


def test_every_unknown_rule_is_named_with_its_unit(new: Import, old: Import) -> None:
    assert said(new, "unknown rule") == [
        'Old Marga: no special rule "Salt Oath"; ignored',
        'Old Marga: no special rule "Brine Stare"; ignored',
    ]
    assert said(old, "unknown rule") == ['Reed Archers: no special rule "Frogblood(2)"; ignored']


def test_rules_of_earlier_editions_are_known_by_their_new_names(new: Import, old: Import) -> None:
    assert said(new, "renamed rule") == ["Carters: Lance is taken as Thrust"]
    assert said(old, "renamed rule") == [
        "Reed Archers: Poison is taken as Bane",
        "Reed Archers: Battle Standard is taken as Banner",
        "Heron Knights: Lance is taken as Thrust",
        "Heron Knights: Wizard is taken as Caster",
    ]


def test_a_rule_without_its_number_gets_a_one(new: Import) -> None:
    assert said(new, "number") == ["Ox Cart: Fear has no number; taken as Fear(1)"]


def test_points_are_counted_anew_and_the_lists_own_figure_is_kept(new: Import) -> None:
    assert said(new, "points") == [f"Army Forge counts 655 points, our formula {new[0].cost}"]
    assert new[0].cost == sum(unit.cost for unit in new[0].units)


def test_casters_get_spells(new: Import) -> None:
    assert len(unit(new, "Old Marga").spells) == 6
    assert unit(new, "Carters").spells == ()
    assert said(new, "spells")


def test_the_army_of_an_old_list(old: Import) -> None:
    roster, _ = old

    assert roster.name["en"] == "Spring Flood"
    assert roster.points == 310
    assert said(old, "game") == ['made for "aofs"; played by the rules of Age of Fantasy']


def test_an_upgrade_may_add_a_model(old: Import) -> None:
    archers = unit(old, "Reed Archers").profiles

    assert [sorted(weapon.name for weapon in profile.weapons) for profile in archers] == [
        *[["Bow", "CCW"]] * 5,
        ["Beak"],
    ]
    assert sum("Banner" in map(str, profile.keywords) for profile in archers) == 1


def test_without_a_loadout_and_without_upgrades_the_equipment_counts(old: Import) -> None:
    knights = unit(old, "Heron Knights").profiles

    assert [str(weapon) for weapon in knights[0].weapons] == ["Lance (melee, A2, Thrust, AP(1))"]
    assert said(old, "loadout") == ["Heron Knights: has no loadout; what it carries is read from equipment"]
    assert said(old, "campaign") == ["Heron Knights: experience and traits of a campaign are left out"]
    assert said(old, "join") == ["Heron Knights: joins a unit that is not in the list; it stands alone"]


def test_a_list_beyond_the_limits_is_imported_and_says_so() -> None:
    imported = import_army_forge(one_unit(rules=[{"name": "Hero"}]))

    assert [note.name for note in imported[1] if note.kind == "limits"] == [
        "AOF-ARMY-07",
        "AOF-ARMY-09",
        "AOF-ARMY-10",
    ]


def test_an_imported_army_can_be_stored(new: Import, old: Import) -> None:
    for roster, _ in (new, old):
        assert Roster.from_data(json.loads(json.dumps(roster.to_data()))) == roster


def test_an_export_can_be_named_wherever_a_list_can() -> None:
    assert load_list(FIXTURES / "army_forge_new.json").name["en"] == "Rats of the Salt Road"


def test_a_bare_list_of_units_is_enough() -> None:
    units = json.loads(one_unit())["units"]

    roster, _ = import_army_forge(json.dumps(units))

    assert len(roster.units[0].profiles) == 4


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: the file is empty"),
        ("Carters, 10 models", "line 1, column 1: not JSON: expecting value"),
        ('{"units": [', "line 1, column 12: not JSON: expecting value"),
        ("7", "expected a list of Army Forge, found 7"),
        ("{}", "units: not a list of Army Forge: it has no units"),
        ('{"units": 3}', "units: expected a list of tables, found 3"),
        ('{"units": []}', "units: an army needs at least one unit"),
    ],
)
def test_junk_is_refused_with_a_reason(text: str, message: str) -> None:
    assert message in problems_of(text)


def test_everything_missing_is_reported_at_once() -> None:
    assert problems_of(fixture("missing")) == [
        "units[4]: expected a table, found \"Drummer\"",
        "units[1].quality: missing; expected a whole number from 2 to 6",
        "units[2].size: expected a whole number from 1 to 200, found 0",
        'units[2].defense: expected a whole number from 2 to 6, found "three"',
        'units[2].rules: expected a list of special rules, found "Tough"',
        "units[2].loadout[1]: expected a weapon or an item, found 3",
        "units[2].loadout[2].attacks: missing; expected a whole number from 0 to 200",
        "units[3].name: missing; expected text",
        "units[3].rules[1]: expected a special rule with a name, found a table",
        "units[3].loadout: missing; its upgrades are not in the list; share it again from Army Forge",
        "units[4].name: missing; expected text",
        "units[4].size: missing; expected a whole number from 1 to 200",
        "units[4].quality: missing; expected a whole number from 2 to 6",
        "units[4].defense: missing; expected a whole number from 2 to 6",
        "units[4].loadout: missing; expected the list of what the unit carries",
    ]  # fmt: skip


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 300) | st.floats() | st.sampled_from(["", "Tough(3)", "4+", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "rating", "count", "type", "content", "gains", "option"]), inner)
    ),
    max_leaves=8,
)
FIELDS = ("size", "quality", "rules", "loadout", "selectedUpgrades", "joinToUnit", "combined", "bases", "customName")


@given(st.dictionaries(st.sampled_from(FIELDS), JUNK))
def test_whatever_stands_in_a_field_it_is_read_or_refused(change: dict[str, Any]) -> None:
    try:
        roster, _ = import_army_forge(one_unit(**change))
    except Problems as refused:
        places = [problem.where for problem in refused]
    else:
        assert roster.cost > 0
        places = []

    assert all(place.startswith("units[1]") for place in places)


def test_an_imported_army_keeps_no_trace_of_unknown_rules(new: Import) -> None:
    stored = json.dumps(new[0].to_data())

    assert "Salt Oath" not in stored
    assert "Brine Stare" not in stored
