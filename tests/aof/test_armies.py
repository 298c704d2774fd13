"""Factions and lists: what ships is legal and complete, and every mistake is named with its place and its rule."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.words.problems import Problems, Reader
from oriflamme.games.aof.army_limits import army_problems, unequal_points
from oriflamme.games.aof.cards import FACTIONS, Faction, Taken, load_faction, read_faction
from oriflamme.games.aof.moments import book
from oriflamme.games.aof.reading import LISTS, check_list, load_list
from oriflamme.games.aof.rosters import EquippedUnit, Roster, equip_unit

OUR_FACTIONS = ("antlered_assize", "drowned_parish", "kiln_clans", "lantern_league")

SMALL_FACTION = """
name = { en = "The Test Company", fr = "La Compagnie d'essai" }

[unit.levy]
name = { en = "Levy", fr = "Levée" }
kind = "infantry"
figures = 10
quality = 5
defense = 5
weapons = [{ name = { en = "spear", fr = "lance" }, attacks = 1 }]
upgrades = [
  "banner", "musician", "sergeant",
  { id = "axes", name = "Axes", replace = "spear", weapons = [{ name = "axe", attacks = 1, keywords = ["AP(1)"] }] },
  { id = "bows", name = "Bows", replace = "spear", weapons = [{ name = "bow", attacks = 1, range = 24 }], models = 3 },
  { id = "nets", name = "Nets", weapons = [{ name = "net", attacks = 1, range = 6 }], models = 2 },
]

[unit.giant]
name = "Giant"
kind = "monster"
figures = 1
quality = 4
defense = 3
base = 80
height = 5
weapons = [{ name = "club", attacks = 5 }]
keywords = ["Tough(12)"]

[unit.captain]
name = "Captain"
kind = "hero"
figures = 1
quality = 3
defense = 4
weapons = [{ name = "sword", attacks = 3 }]
keywords = ["Hero", "Tough(3)"]
upgrades = [
  { id = "horse", name = "Horse", keywords = ["Fast"], base = 40 },
  { id = "oath", name = "Oath", keywords = ["Tough(6)"] },
]

[unit.guard]
name = "Guard"
kind = "infantry"
figures = 5
quality = 3
defense = 3
cost = 200
weapons = [
  { name = "halberd", attacks = 1, keywords = ["Rending"] },
  { name = "handgun", attacks = 1, range = 18, count = 2 },
]
"""


@pytest.fixture
def company(tmp_path: Path) -> Faction:
    return load_faction(written(tmp_path / "company.toml", SMALL_FACTION))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path / "company.toml", SMALL_FACTION)
    return tmp_path


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def list_of(*units: Mapping[str, Any], points: int = 3000, **more: Any) -> dict[str, Any]:
    return {"game": "aof", "army": "company.toml", "points": points, "units": list(units), **more}


def mistakes(data: Mapping[str, Any], folder: Path, **options: str) -> list[str]:
    settings = {f"aof.{key}": value for key, value in options.items()}
    with pytest.raises(Problems) as caught:
        check_list(data, "autumn.toml", settings, folder=folder)
    return [str(problem) for problem in caught.value]


def faction_mistakes(folder: Path, text: str) -> list[str]:
    with pytest.raises(Problems) as caught:
        load_faction(written(folder / "mine.toml", text))
    return [str(problem) for problem in caught.value]


def unit(name: str, cost: int = 100, **more: Any) -> dict[str, Any]:
    return {"unit": name, "cost": cost, **more}


def broken(units: list[dict[str, Any]], points: int, **options: str) -> list[str | None]:
    settings = {f"aof.{key}": value for key, value in options.items()}
    return [problem.rule for problem in army_problems(units, points, settings)]


# -- what ships --------------------------------------------------------------------------------------------------------


def test_there_are_four_factions() -> None:
    assert tuple(FACTIONS.all()) == OUR_FACTIONS


@pytest.mark.parametrize("id", OUR_FACTIONS)
def test_a_faction_has_every_kind_of_unit_and_six_spells(id: str) -> None:
    army = FACTIONS.get(id)
    kinds = Counter(card.kind for card in army.units.values())
    mustered = [equip_unit(army, card) for card in army.units.values()]

    assert 11 <= len(army.units) <= 12
    assert {"infantry", "cavalry", "skirmishers", "monster", "artillery", "flyers"} <= set(kinds)
    assert kinds["hero"] >= 2
    assert sum(unit.hero for unit in mustered) == kinds["hero"]
    assert any(unit.caster for unit in mustered)
    assert len(army.spells) == 6
    assert army.story["en"] != army.story["fr"]


@pytest.mark.parametrize("id", OUR_FACTIONS)
def test_everything_has_a_name_in_both_languages(id: str) -> None:
    army = FACTIONS.get(id)
    names = [army.name, army.story, *(spell.name for spell in army.spells)]
    for card in army.units.values():
        names += [card.name, *card.weapon_names.values(), *(upgrade.name for upgrade in card.upgrades.values())]

    assert all(set(name) == {"en", "fr"} and name["en"].strip() and name["fr"].strip() for name in names)


@pytest.mark.parametrize("id", OUR_FACTIONS)
def test_units_of_one_faction_have_their_own_names(id: str) -> None:
    army = FACTIONS.get(id)

    for language in ("en", "fr"):
        for things in (army.units.values(), army.spells):
            names = [thing.name[language] for thing in things]
            assert len(set(names)) == len(names)


def test_a_weapon_has_one_french_name_in_a_faction() -> None:
    for army in FACTIONS.all().values():
        french: dict[str, set[str]] = {}
        for card in army.units.values():
            for name in card.weapon_names.values():
                french.setdefault(name["en"], set()).add(name["fr"])

        assert {name: found for name, found in french.items() if len(found) > 1} == {}


def test_our_factions_leave_every_cost_to_the_formula() -> None:
    assert [card.id for army in FACTIONS.all().values() for card in army.units.values() if card.cost is not None] == []


def test_every_special_rule_appears_on_some_unit() -> None:
    seen: set[str] = set()
    for army in FACTIONS.all().values():
        for card in army.units.values():
            texts = [*card.model.keywords]
            weapons = [weapon for weapon, _ in card.weapons]
            for upgrade in card.upgrades.values():
                texts += upgrade.keywords
                weapons += upgrade.weapons
            texts += [text for weapon in weapons for text in weapon.keywords]
            seen |= {book.parse(text).title for text in texts}

    printed = {cls.title for cls in book.declared.values() if cls.on != ("effect",)}
    assert len(printed) == 34
    assert printed - seen == set()


def test_spells_of_all_kinds_exist() -> None:
    spells = [spell for army in FACTIONS.all().values() for spell in army.spells]

    assert {spell.value for spell in spells} == {1, 2, 3}
    assert any(spell.hits for spell in spells)
    assert any(spell.heals for spell in spells)
    assert any(spell.gives for spell in spells)
    assert {spell.targets for spell in spells} == {"enemy", "friend"}


def test_each_faction_has_two_lists_at_750_and_two_at_1500() -> None:
    ready = Counter(tuple(id.split("_", 3)[:3]) for id in LISTS.ready)

    assert len(LISTS.ready) == 16
    for id in OUR_FACTIONS:
        first, second = id.split("_")
        assert ready[first, second, "750"] == ready[first, second, "1500"] == 2


@pytest.mark.parametrize("id", sorted(LISTS.ready))
def test_a_ready_made_list_is_legal_and_spends_its_points(id: str) -> None:
    roster = load_list(id)

    assert id.startswith(f"{roster.faction}_{roster.points}_")
    assert 0.92 * roster.points <= roster.cost <= roster.points
    assert roster.name["en"] != roster.name["fr"]
    assert any(unit.hero for unit in roster.units)


def test_the_ready_made_lists_show_what_a_list_can_do() -> None:
    units = [unit for id in LISTS.ready for unit in load_list(id).units]

    assert any(unit.combined for unit in units)
    assert any(unit.caster for unit in units)
    assert {"banner", "musician", "sergeant"} <= {upgrade for unit in units for upgrade in unit.upgrades}


# -- mustering ---------------------------------------------------------------------------------------------------------


def test_a_unit_has_a_profile_for_each_model_and_equal_models_share_theirs(company: Faction) -> None:
    levy = equip_unit(company, company.units["levy"])

    assert len(levy.profiles) == 10
    assert len({id(profile) for profile in levy.profiles}) == 1
    profile = levy.profiles[0]
    assert (profile.quality, profile.defense, profile.radius) == (5, 5, 12.5)
    assert [str(weapon) for weapon in profile.weapons] == ["spear (melee, A1)"]


def test_a_base_and_a_height_come_from_the_card(company: Faction) -> None:
    giant = equip_unit(company, company.units["giant"]).profiles[0]

    assert (giant.radius, giant.height, giant.tough) == (40, inches(5), 12)


def test_a_weapon_carried_by_some_is_carried_by_the_first(company: Faction) -> None:
    guard = equip_unit(company, company.units["guard"])

    assert [len(profile.ranged_weapons) for profile in guard.profiles] == [1, 1, 0, 0, 0]


def taking(army: Faction, name: str, *upgrades: str, models: int = 0) -> EquippedUnit:
    card = army.units[name]
    return equip_unit(army, card, [Taken(card.upgrades[upgrade], models) for upgrade in upgrades])


def test_an_upgrade_for_all_replaces_the_weapon_of_every_model(company: Faction) -> None:
    levy = taking(company, "levy", "axes")

    assert [[weapon.name for weapon in profile.weapons] for profile in levy.profiles] == [["axe"]] * 10
    assert levy.cost > equip_unit(company, company.units["levy"]).cost
    assert levy.upgrades == ("axes",)


@pytest.mark.parametrize(("models", "bows"), [(0, 3), (1, 1), (2, 2)])
def test_an_upgrade_for_some_replaces_the_weapon_of_so_many_models(company: Faction, models: int, bows: int) -> None:
    levy = taking(company, "levy", "bows", models=models)

    assert sum(profile.weapons[0].name == "bow" for profile in levy.profiles) == bows
    assert sum(profile.weapons[0].name == "spear" for profile in levy.profiles) == 10 - bows


def test_a_weapon_can_be_added(company: Faction) -> None:
    levy = taking(company, "levy", "nets")

    assert [len(profile.weapons) for profile in levy.profiles] == [2, 2, *[1] * 8]


def test_single_upgrades_go_to_different_models(company: Faction) -> None:
    levy = taking(company, "levy", "bows", "nets", "banner")

    changed = [bool(profile.keywords) + len(profile.ranged_weapons) for profile in levy.profiles]
    assert changed == [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]


def test_of_two_values_of_a_rule_the_higher_counts(company: Faction) -> None:
    assert taking(company, "captain", "oath").profiles[0].tough == 6


def test_a_mount_comes_with_its_base(company: Faction) -> None:
    assert taking(company, "captain", "horse").profiles[0].radius == 20


def test_a_combined_unit_is_one_unit_of_both_halves(folder: Path) -> None:
    data = list_of({"unit": "levy", "combined": True, "upgrades": ["axes", "banner"]})

    (levy,) = check_list(data, "autumn.toml", folder=folder).units

    assert levy.combined
    assert len(levy.profiles) == 20
    assert all(profile.weapons[0].name == "axe" for profile in levy.profiles)
    assert sum(len(profile.keywords) for profile in levy.profiles) == 1


def test_twice_the_figures_are_a_combined_unit(folder: Path) -> None:
    assert check_list(list_of({"unit": "levy", "figures": 20}), "autumn.toml", folder=folder).units[0].combined


def test_upgrades_of_single_models_may_differ_between_the_halves(folder: Path) -> None:
    data = list_of({"unit": "levy", "combined": True, "upgrades": ["axes", "nets"], "second": ["axes", "banner"]})

    (levy,) = check_list(data, "autumn.toml", folder=folder).units

    assert [len(profile.weapons) for profile in levy.profiles[:10]] == [2, 2, *[1] * 8]
    assert levy.profiles[10].keywords


def test_a_cost_of_the_players_own_stands_for_the_unit_without_upgrades(folder: Path) -> None:
    single, double = check_list(
        list_of({"unit": "guard"}, {"unit": "guard", "combined": True}), "autumn.toml", folder=folder
    ).units

    assert single.cost == 200
    assert double.cost == pytest.approx(400, abs=1)


def test_only_casters_have_spells() -> None:
    for id in LISTS.ready:
        for unit in load_list(id).units:
            assert bool(unit.spells) == any(profile.caster for profile in unit.profiles)


def test_a_roster_survives_being_stored() -> None:
    for id in LISTS.ready:
        roster = load_list(id)

        stored = json.loads(json.dumps(roster.to_data()))

        assert Roster.from_data(stored) == roster
        assert stored["game"] == "aof"


def test_a_stored_roster_needs_no_faction_file(folder: Path) -> None:
    roster = check_list(list_of({"unit": "levy", "upgrades": ["axes"]}), "autumn.toml", folder=folder)
    (folder / "company.toml").unlink()

    again = Roster.from_data(roster.to_data())

    assert again.cost == roster.cost
    assert again.units[0].profiles == roster.units[0].profiles


@pytest.mark.parametrize("damage", [{"points": "many"}, {"units": [{"id": "levy"}]}, {"units": 7}])
def test_a_damaged_stored_roster_is_a_problem_not_a_crash(folder: Path, damage: dict[str, Any]) -> None:
    data = check_list(list_of({"unit": "levy"}), "autumn.toml", folder=folder).to_data()

    with pytest.raises(Problems):
        Roster.from_data({**data, **damage})


def test_a_stored_roster_with_a_model_that_has_no_card_is_a_problem(folder: Path) -> None:
    data = check_list(list_of({"unit": "levy"}), "autumn.toml", folder=folder).to_data()
    data["units"][0]["models"][0] = 9

    with pytest.raises(Problems, match="not among its cards"):
        Roster.from_data(data)


def test_a_spell_lays_rules_or_hits() -> None:
    spells = {spell.id: spell for spell in FACTIONS.get("kiln_clans").spells}

    assert [str(keyword) for keyword in spells["open_the_kiln"].keywords] == ["Blast(3)", "AP(1)"]
    assert spells["open_the_kiln"].range == inches(18)
    assert [str(keyword) for keyword in spells["stoke_the_heart"].gives] == ["Furious"]
    assert spells["crack_the_glaze"].count == 2


# -- two armies -------------------------------------------------------------------------------------------------------


def test_armies_of_different_values_do_not_meet() -> None:
    small, large = (load_list(next(id for id in LISTS.ready if f"_{points}_" in id)) for points in (750, 1500))
    refused = unequal_points(small, large)

    assert unequal_points(small, small) is None
    assert refused is not None
    assert refused.rule == "AOF-ARMY-01"


# -- the rules of an army ----------------------------------------------------------------------------------------------


def test_an_army_may_cost_less_but_never_more() -> None:
    assert broken([unit("a", 100), unit("b", 200)], 900) == []
    assert broken([unit("a", 450), unit("b", 450)], 900, armyLimits="off") == []
    assert broken([unit("a", 450), unit("b", 451)], 900, armyLimits="off") == ["AOF-ARMY-01"]


@pytest.mark.parametrize(
    ("points", "heroes"), [(374, 0), (375, 1), (750, 2), (1000, 2), (1125, 3), (1500, 4), (2000, 5)]
)
def test_one_hero_per_full_375_points(points: int, heroes: int) -> None:
    army = [unit(f"hero_{n}", 10, hero=True) for n in range(heroes)]
    one_more = [*army, unit("one_more", 10, hero=True)]

    assert "AOF-ARMY-07" not in broken(army, points)
    assert "AOF-ARMY-07" in broken(one_more, points)
    assert "AOF-ARMY-07" not in broken(one_more, points, armyLimits="off")
    assert "AOF-ARMY-07" in broken(one_more, points, heroCountsAsUnit="no")


@pytest.mark.parametrize(("points", "copies"), [(500, 1), (750, 2), (1499, 2), (1500, 3)])
def test_copies_of_a_unit_grow_with_the_points(points: int, copies: int) -> None:
    assert "AOF-ARMY-08" not in broken([unit("levy", 10)] * copies, points)
    assert "AOF-ARMY-08" in broken([unit("levy", 10)] * (copies + 1), points)
    assert "AOF-ARMY-08" not in broken([unit("levy", 10)] * (copies + 1), points, armyLimits="off")


@pytest.mark.parametrize(("points", "cost", "legal"), [(750, 262, True), (750, 263, False), (1500, 525, True)])
def test_no_unit_costs_more_than_35_percent(points: int, cost: int, legal: bool) -> None:
    assert ("AOF-ARMY-09" not in broken([unit("giant", cost)], points)) is legal
    assert "AOF-ARMY-09" not in broken([unit("giant", cost)], points, armyLimits="off")


@pytest.mark.parametrize(("points", "units"), [(149, 0), (750, 5), (1000, 6), (1500, 10), (2000, 13)])
def test_one_unit_per_full_150_points(points: int, units: int) -> None:
    army = [unit(f"unit_{n}", 1) for n in range(units)]

    assert "AOF-ARMY-10" not in broken(army, points)
    assert "AOF-ARMY-10" in broken([*army, unit("one_more", 1)], points)
    assert "AOF-ARMY-10" not in broken([*army, unit("one_more", 1)], points, armyLimits="off")


def test_heroes_may_be_left_out_of_the_count_of_units() -> None:
    heroes = [unit("hero", 280, hero=True)] * 2
    others = [unit(f"unit_{n}", 1) for n in range(5)]

    assert broken([*others, heroes[0]], 750, heroCountsAsUnit="yes") == ["AOF-ARMY-09", "AOF-ARMY-10"]
    assert broken([*others, *heroes], 750, heroCountsAsUnit="no") == []
    assert "AOF-ARMY-08" in broken([unit("hero", 1, hero=True)] * 3, 1200)
    assert broken([unit("hero", 1, hero=True)] * 3, 1200, heroCountsAsUnit="no") == []


def test_a_combined_unit_counts_once_for_every_limit() -> None:
    merged = unit("levy", 200, models=20, parts=[{"unit": "levy", "models": 10}] * 2)

    assert broken([merged, merged, *[unit(f"u{n}", 1) for n in range(3)]], 750) == []


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        ([("levy", 10, []), ("levy", 10, [])], None),
        ([("levy", 10, []), ("guard", 10, [])], "AOF-ARMY-03"),
        ([("levy", 10, [])] * 3, "AOF-ARMY-04"),
        ([("giant", 1, [])] * 2, "AOF-ARMY-04"),
        ([("levy", 10, ["axes"]), ("levy", 10, ["axes"])], None),
        ([("levy", 10, ["axes"]), ("levy", 10, [])], "AOF-ARMY-04"),
    ],
)
def test_two_units_alike_may_be_merged(parts: list[tuple[str, int, list[str]]], rule: str | None) -> None:
    halves = [{"unit": name, "models": models, "upgrades": upgrades} for name, models, upgrades in parts]
    merged = unit("levy", 100, models=20, parts=halves)

    assert broken([merged], 3000) == ([rule] if rule else [])


def test_a_unit_has_one_staff_upgrade() -> None:
    both = unit("levy", staff=["Banner", "Musician"])
    twice = unit("levy", staff=["Banner", "Banner"])

    assert broken([unit("levy", staff=["Banner"])], 3000) == []
    assert broken([both], 3000) == ["AOF-STAFF-01"]
    assert broken([both], 3000, armyLimits="off") == ["AOF-STAFF-01"]
    assert broken([both], 3000, staffLimit="oneOfEach") == []
    assert broken([twice], 3000, staffLimit="oneOfEach") == ["AOF-STAFF-01"]


# -- mistakes in a list ------------------------------------------------------------------------------------------------


def test_every_mistake_of_a_list_is_reported_at_once(folder: Path) -> None:
    data = list_of(
        {"unit": "levi"},
        {"unit": "levy", "figures": 15},
        {"unit": "levy", "upgrades": ["baner"]},
        {"unit": "giant", "combined": True, "upgardes": []},
        points=750,
    )

    assert mistakes(data, folder) == [
        'units[1].unit: no unit "levi"; did you mean "levy"?',
        "units[2].figures: 15; levy come in 10, or in 20 combined (AOF-ARMY-03); combine two units that are alike",
        'units[3].upgrades[1]: no upgrade "baner" for levy; did you mean "banner"?',
        'units[4].upgardes: not a known key; did you mean "upgrades"?',
        "units[4]: Giant: a single model cannot be merged (AOF-ARMY-04); give both halves the same, or do not combine",
        "units[4]: Giant for 331; 750 points allow 262 for one unit (AOF-ARMY-09); "
        "take fewer upgrades, or play more points",
    ]


def test_a_list_over_its_points_says_by_how_much(folder: Path) -> None:
    cost = check_list(list_of({"unit": "levy"}), "autumn.toml", folder=folder).cost

    said = f"points: {cost} of 100 (AOF-ARMY-01); take something out, or play more points"
    assert said in mistakes(list_of({"unit": "levy"}, points=100), folder)


def test_two_staff_upgrades_are_one_too_many(folder: Path) -> None:
    data = list_of({"unit": "levy", "upgrades": ["banner", "musician"]})

    said = "units[1]: Banner and Musician; only one staff upgrade is allowed (AOF-STAFF-01); keep one of them"
    assert mistakes(data, folder) == [said]
    assert check_list(data, "autumn.toml", {"aof.staffLimit": "oneOfEach"}, folder=folder)


def test_halves_with_different_upgrades_cannot_be_merged(folder: Path) -> None:
    data = list_of({"unit": "levy", "combined": True, "upgrades": ["axes"], "second": []})

    hint = "give both halves the same, or do not combine"
    assert mistakes(data, folder) == [f"units[1]: axes for one half only; both must take it (AOF-ARMY-04); {hint}"]


def test_a_second_half_needs_a_combined_unit(folder: Path) -> None:
    data = list_of({"unit": "levy", "second": ["axes"]})

    assert mistakes(data, folder) == ["units[1].second: only a combined unit has a second half (AOF-ARMY-03)"]


@pytest.mark.parametrize(
    ("upgrades", "message"),
    [
        (["axes", "axes"], 'units[1].upgrades[2]: "axes" is taken twice'),
        (["axes", "bows"], 'units[1].upgrades[2]: nobody is left with "spear" to replace'),
        ([{"upgrade": "bows", "models": 4}], 'units[1].upgrades[1]: "bows" for 4 models; at most 3 may take it'),
        ([{"upgrade": "axes", "models": 4}], 'units[1].upgrades[1]: "axes" is for every model; it takes no number'),
        ([""], 'units[1].upgrades[1]: no upgrade "" for levy; '
         "they may take banner, musician, sergeant, axes, bows or nets"),
        ([7], "units[1].upgrades[1]: expected the id of an upgrade, found 7"),
        ("banner", 'units[1].upgrades: expected a list of upgrades, found "banner"'),
        (["wings"], 'units[1].upgrades[1]: no upgrade "wings" for levy; '
         "they may take banner, musician, sergeant, axes, bows or nets"),
    ],
)  # fmt: skip
def test_an_upgrade_that_cannot_be_taken(folder: Path, upgrades: object, message: str) -> None:
    assert mistakes(list_of({"unit": "levy", "upgrades": upgrades}), folder) == [message]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"units": []}, "units: an army needs at least one unit"),
        ({"units": "levy"}, 'units: expected a list of tables, found "levy"'),
        ({"points": 0}, "points: expected a whole number of at least 1, found 0"),
        ({"game": "sbh"}, 'game: no game of this kind "sbh"; expected aof'),
        ({"army": "kiln_clan"}, 'army: no faction "kiln_clan"; did you mean "kiln_clans"?'),
        ({"army": "compani.toml"}, 'army: no such file; did you mean "company.toml"?'),
        ({"pionts": 3}, 'pionts: not a known key; did you mean "points"?'),
    ],
)  # fmt: skip
def test_a_list_with_a_wrong_head(folder: Path, change: dict[str, Any], message: str) -> None:
    assert mistakes({**list_of({"unit": "levy"}), **change}, folder) == [message]


def test_missing_keys_are_named(folder: Path) -> None:
    found = mistakes({"units": [{}]}, folder)

    assert {message.split(";")[0] for message in found} == {
        "game: missing",
        "points: missing",
        "army: missing",
        "units[1].unit: missing",
    }


def test_mistakes_in_the_players_faction_are_shown_with_the_list(folder: Path) -> None:
    written(folder / "company.toml", SMALL_FACTION.replace("quality = 5", "quality = 7"))

    assert mistakes(list_of({"unit": "levy"}), folder) == [
        "army: company.toml: unit.levy.quality: expected a whole number from 2 to 6, found 7"
    ]


def test_a_list_from_elsewhere_cannot_name_a_file(folder: Path) -> None:
    data = list_of({"unit": "levy"}, army=str(folder / "company.toml"))

    with pytest.raises(Problems, match="army: no faction"):
        check_list(data, "sent")


def test_a_list_file_is_found_by_its_path(folder: Path) -> None:
    path = written(
        folder / "autumn.toml", 'game = "aof"\narmy = "company.toml"\npoints = 500\nunits = [{ unit = "levy" }]\n'
    )

    assert load_list(path).name["en"] == "The Test Company"


def test_a_broken_list_file_says_where_it_breaks(folder: Path) -> None:
    path = written(folder / "autumn.toml", 'game = "aof"\narmy = company\n')

    with pytest.raises(Problems, match="line 2, column 8: not TOML"):
        load_list(path)


def test_an_unknown_list_gets_a_guess() -> None:
    with pytest.raises(Problems, match='did you mean "kiln_clans_750_red_hot"'):
        load_list("kiln_clans_750_redhot")


def test_a_stored_list_is_loaded_from_its_file(folder: Path) -> None:
    roster = load_list("kiln_clans_750_red_hot")
    path = written(folder / "stored.json", json.dumps(roster.to_data()))

    assert load_list(path) == roster


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "levy", "banner", "Tough(3)"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["unit", "upgrade", "models", "name", "en", "id", "attacks"]), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["game", "army", "points", "name", "units"]), JUNK), JUNK, JUNK)
def test_whatever_stands_in_a_list_it_is_read_or_refused(
    change: dict[str, Any], taken: object, figures: object
) -> None:
    entry = {"unit": "stokers", "upgrades": taken, "figures": figures, "second": taken, "combined": figures}
    data = {"game": "aof", "army": "kiln_clans", "points": 3000, "units": [entry]}

    for tried in (data, {**data, **change}):
        try:
            assert check_list(tried, "junk.toml").units
        except Problems as refused:
            assert str(refused).startswith("junk.toml: ")  # noqa: PT017


# -- mistakes in a faction ---------------------------------------------------------------------------------------------

UNIT = """
name = "Mine"
[unit.levy]
name = "Levy"
kind = "infantry"
figures = 10
quality = 5
defense = 5
"""


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('keywords = ["Fats"]', 'unit.levy.keywords[1]: no special rule "Fats"; did you mean "Fast"?'),
        ('keywords = ["AP(1)"]', "unit.levy.keywords[1]: AP belongs on a weapon, not on a model (AOF-SR-AP-01)"),
        ('keywords = ["Tough"]', 'unit.levy.keywords[1]: "Tough" needs its number; write "Tough(1)"'),
        ('keywords = ["Tough(0)"]', 'unit.levy.keywords[1]: "Tough(0)" needs a number of at least 1'),
        ('keywords = ["Fast(2)"]', 'unit.levy.keywords[1]: "Fast(2)": Fast has no number; write "Fast"'),
        ('keywords = ["Banner"]',
         "unit.levy.keywords: Banner is carried by one model (AOF-STAFF-01); it goes into upgrades"),
        ('keywords = ["Hindered(1)"]', "unit.levy.keywords[1]: Hindered belongs on a spell's target, not on a model"),
        ('weapons = [{ name = "bow", attacks = 1, keywords = ["Stealth"] }]',
         "unit.levy.weapons[1].keywords[1]: Stealth belongs on a model, not on a weapon (AOF-SR-STEALTH-01)"),
        ('weapons = [{ name = "bow", attacks = 1, count = 11 }]',
         "unit.levy.weapons[1].count: expected a whole number from 1 to 10, found 11"),
        ('weapons = [{ name = "bow" }]', "unit.levy.weapons[1].attacks: missing; expected a whole number from 1 to 60"),
        ('upgrades = ["banners"]',
         'unit.levy.upgrades[1]: no staff upgrade "banners" (AOF-STAFF-01); did you mean "banner"?'),
        ('upgrades = [{ id = "x", name = "X" }]', "unit.levy.upgrades[1]: gives nothing; give it weapons or keywords"),
        ('upgrades = [{ id = "x", name = "X", keywords = ["Fast"], replace = "bow" }]',
         'unit.levy.upgrades[1].replace: no weapon "bow"'),
        ('upgrades = [{ id = "x", name = "X", keywords = ["Banner"] }]',
         "unit.levy.upgrades[1].models: Banner is carried by one model: models = 1 (AOF-STAFF-01)"),
        ('upgrades = ["banner", "banner"]', 'unit.levy.upgrades[2]: a second upgrade "banner"'),
        ('upgrades = [3]', "unit.levy.upgrades[1]: expected a staff upgrade or a table, found 3"),
        ('upgrades = "banner"', 'unit.levy.upgrades: expected a list of upgrades, found "banner"'),
        ('wepons = []', 'unit.levy.wepons: not a known key; did you mean "weapons"?'),
        ('keywords = ["Caster(1)"]', "unit.levy: is a Caster, but the faction has no spells (AOF-SR-CASTER-04)"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_unit(tmp_path: Path, lines: str, message: str) -> None:
    assert faction_mistakes(tmp_path, UNIT + lines + "\n") == [message]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("value = 1\nhits = 2\nheals = 1", "spell.glow: does several things: hits, heals; a spell does exactly one"),
        ("value = 1", "spell.glow: does nothing; give it hits, gives or heals"),
        ("value = 4\nhits = 2", "spell.glow.value: expected a whole number from 1 to 3, found 4"),
        ('value = 1\nhits = 2\nkeywords = ["Fast"]',
         "spell.glow.keywords[1]: Fast belongs on a model, not on a weapon (AOF-SR-FAST-01)"),
        ('value = 1\ngives = ["Fast"]\nkeywords = ["AP(1)"]',
         "spell.glow.keywords: only hits have special rules; a rule laid on the target goes into gives"),
        ('value = 1\ngives = ["Xyz"]', 'spell.glow.gives[1]: no special rule "Xyz"'),
    ],
)  # fmt: skip
def test_a_mistake_in_a_spell(tmp_path: Path, lines: str, message: str) -> None:
    spell = '\n[spell.glow]\nname = "Glow"\nrange = 12\ntargets = "enemy"\n'

    assert faction_mistakes(tmp_path, UNIT + spell + lines + "\n") == [message]


def test_a_weapon_with_two_french_names_is_noticed(tmp_path: Path) -> None:
    weapons = """weapons = [
      { name = { en = "bow", fr = "arc" }, attacks = 1 },
      { name = { en = "bow", fr = "arcs" }, attacks = 1 },
    ]"""

    assert faction_mistakes(tmp_path, UNIT + weapons) == [
        'unit.levy.weapons[2].name: "bow" has two French names: arc and arcs'
    ]


def test_all_mistakes_of_a_faction_are_reported_at_once(tmp_path: Path) -> None:
    text = UNIT.replace("infantry", "infantery").replace("quality = 5", "quality = 1").replace("figures = 10", "")

    assert faction_mistakes(tmp_path, text) == [
        'unit.levy.kind: no kind of unit "infantery"; did you mean "infantry"?',
        "unit.levy.figures: missing; expected a whole number from 1 to 40",
        "unit.levy.quality: expected a whole number from 2 to 6, found 1",
    ]


def test_a_faction_without_units_is_no_faction(tmp_path: Path) -> None:
    assert faction_mistakes(tmp_path, 'name = "Mine"\n') == ["unit: missing; expected a table"]


@given(
    st.dictionaries(st.sampled_from(["name", "figures", "quality", "weapons", "keywords", "upgrades", "base"]), JUNK),
    st.dictionaries(st.sampled_from(["name", "value", "range", "targets", "hits", "gives", "keywords"]), JUNK),
)
def test_whatever_stands_in_a_faction_it_is_read_or_refused(unit: dict[str, Any], spell: dict[str, Any]) -> None:
    problems = Problems("junk.toml")

    army = read_faction(Reader({"name": "Junk", "unit": {"x": unit}, "spell": {"y": spell}}, problems), "junk")

    assert problems or equip_unit(army, army.units["x"])
