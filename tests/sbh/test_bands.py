"""Bands: what ships is legal, both sides of every limit, and every mistake named with its place, rule and remedy."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.words.problems import Problem, Problems
from oriflamme.games.sbh.band_limits import band_problems
from oriflamme.games.sbh.bands import BANDS, check_band, load_band
from oriflamme.games.sbh.fighters import DEFAULTS, UPGRADES, Band
from oriflamme.games.sbh.points import COSTS
from oriflamme.games.sbh.random_bands import MOST_FIGHTERS, random_band
from oriflamme.games.sbh.roster import card, cards

SINGLE_RACE = {**DEFAULTS, "sbh.racialBands": "singleRace"}
BY_FORMULA = {**DEFAULTS, "sbh.pointsSource": "formula"}

RULES = {rule.partition("(")[0] for rule in COSTS}


def band(*fighters: str | dict[str, Any], points: int = 300, **more: Any) -> dict[str, Any]:
    """A band as a player writes it; a fighter may be `id` or `id*3`."""
    entries: list[dict[str, Any]] = []
    for one in fighters:
        if isinstance(one, str):
            id, _, count = one.partition("*")
            entries.append({"fighter": id, "count": int(count)} if count else {"fighter": id})
        else:
            entries.append(one)
    return {"game": "sbh", "name": "A band", "points": points, "fighters": entries, **more}


def wrong(data: object, options: dict[str, str] = DEFAULTS) -> list[Problem]:
    """Everything that is wrong with a band."""
    with pytest.raises(Problems) as found:
        check_band(data, "band.toml", options)
    return list(found.value)


def broken(data: object, options: dict[str, str] = DEFAULTS) -> list[tuple[str, str | None]]:
    """The places and rules of everything that is wrong; each has a remedy."""
    problems = wrong(data, options)
    assert all(problem.hint for problem in problems), problems
    return [(problem.where, problem.rule) for problem in problems]


# -- the limits of a band ----------------------------------------------------------------------------------------------


def test_a_band_costs_at_most_the_agreed_points() -> None:
    assert check_band(band("human-warrior*10"), "").cost == 300
    assert broken(band("human-warrior*9", "goblin-light-infantry*4")) == [("points", "SBH-BAND-02")]  # 302
    assert str(wrong(band("human-warrior*11"))[0]) == "points: 330 of 300 (SBH-BAND-02); leave out 30, or agree on 330"


def test_players_may_agree_on_more_and_300_is_what_they_mean_otherwise() -> None:
    unsaid = band("human-warrior")
    del unsaid["points"]

    assert check_band(band("human-warrior*11", points=330), "").points == 330
    assert check_band(unsaid, "").points == 300


def test_races_may_be_mixed_unless_a_single_race_was_agreed() -> None:
    mixed = band("elf-warrior", "orc-warrior*2")

    assert check_band(mixed, "").races == ("orcs_and_goblins", "elves")
    assert broken(mixed, SINGLE_RACE) == [("fighters", "SBH-BAND-03")]
    assert "keep to orcs_and_goblins" in str(wrong(mixed, SINGLE_RACE)[0])
    assert check_band(band("orc-warrior", "goblin-warrior"), "", SINGLE_RACE).races == ("orcs_and_goblins",)


def test_an_invented_fighter_is_of_the_race_he_says() -> None:
    own = {"id": "reeve", "name": "Reeve", "quality": 3, "combat": 3}

    assert check_band(band("elf-warrior", "reeve", custom=[{**own, "race": "elves"}]), "", SINGLE_RACE).cost == 68
    assert broken(band("elf-warrior", "reeve", custom=[own]), SINGLE_RACE) == [("fighters", "SBH-BAND-03")]
    assert broken(band("reeve", custom=[{**own, "race": "elfs"}])) == [("custom[1].race", "SBH-BAND-03")]


def test_exactly_a_third_may_go_to_personalities_and_not_a_point_more() -> None:
    assert check_band(band("orc-warlord"), "").cost == 100
    assert check_band(band("human-leader", "human-mage"), "").cost == 100
    assert check_band(band("dwarf-officer", "human-warrior*6"), "").cost == 275
    assert broken(band("dwarf-officer", "halfling-sage")) == [("fighters", "SBH-BAND-04")]
    assert "leave out 8 among Dwarf Officer (95) and Halfling Sage (13)" in str(
        wrong(band("dwarf-officer", "halfling-sage"))[0]
    )


@pytest.mark.parametrize(("points", "third"), [(300, 100), (301, 100), (302, 100), (303, 101), (299, 99)])
def test_the_third_is_rounded_down(points: int, third: int) -> None:
    def fighters(cost: int) -> list[dict[str, Any]]:
        hero = check_band(band("goblin-hero"), "").to_data()["fighters"][0]
        return [{**hero, "points": cost}]

    assert band_problems(fighters(third), points) == []
    assert [problem.rule for problem in band_problems(fighters(third + 1), points)] == ["SBH-BAND-04"]


def test_six_profiles_are_too_dear_for_a_game_of_300_points() -> None:
    never = [
        (one.id, one.points)
        for one in cards().values()
        if one.points > 5 and any(p.rule == "SBH-BAND-04" for p in _alone(one.id))
    ]

    assert never == [
        ("vampire", 116),
        ("vampire-lord", 136),
        ("minotaur-officer", 112),
        ("adult-dragon", 218),
        ("venerable-dragon", 268),
        ("tarrasque", 140),
    ]
    assert check_band(band("wandering-soul-rider"), "").cost == 114


def _alone(id: str) -> list[Problem]:
    try:
        check_band(band(id), "")
    except Problems as found:
        return list(found)
    return []


def test_a_personality_too_dear_is_told_with_the_points_it_needs() -> None:
    (problem,) = wrong(band("vampire"))

    assert str(problem.what) == "personalities for 116; a third of 300 is 100"
    assert str(problem.hint) == "Vampire costs 116 and needs 348 points in all"
    assert check_band(band("vampire", points=348), "").cost == 116
    assert broken(band("vampire", points=347)) == [("fighters", "SBH-BAND-04")]


def test_at_most_half_of_the_fighters_are_animals() -> None:
    assert len(check_band(band("human-town-militia*4", "giant-toad*3"), "").fighters) == 7
    assert broken(band("human-town-militia*3", "giant-toad*4")) == [("fighters", "SBH-BAND-06")]
    assert len(check_band(band("human-town-militia*3", "giant-toad*3"), "").fighters) == 6
    assert str(wrong(band("giant-toad*3", "human-warrior"))[0]) == (
        "fighters: 3 of 4 are animals; at most 2 may be (SBH-BAND-06); leave out 2 of them, or add 2 others"
    )


def test_swarms_are_animals_too() -> None:
    assert len(check_band(band("human-warrior*2", "rat-swarm*2"), "").fighters) == 4
    assert broken(band("human-warrior", "rat-swarm*2")) == [("fighters", "SBH-BAND-06")]


@pytest.mark.parametrize("id", ["human-peasant", "human-child", "shrieking-fungus", "dread-mould"])
def test_non_combatants_are_for_special_scenarios(id: str) -> None:
    assert ("fighters[2]", "SBH-BAND-07") in broken(band("human-warrior*3", f"{id}*2"))


def test_five_points_make_a_non_combatant_and_six_do_not() -> None:
    def page(*rules: str) -> dict[str, Any]:
        own = {"id": "page", "name": "Page", "quality": 4, "combat": 1, "rules": list(rules)}
        return band("page*3", custom=[own])

    assert broken(page("slow", "gregarious")) == [("fighters[1]", "SBH-BAND-07")]  # 4.5, so 5
    assert check_band(page("short-move", "shooter(short)"), "").cost == 18
    assert check_band(band("halfling-villager"), "").cost == 6


def test_a_leader_is_not_needed_and_a_profile_may_be_taken_again_and_again() -> None:
    goblins = check_band(band("goblin-light-infantry*37"), "")

    assert goblins.cost == 296
    assert not any(fighter.personality for fighter in goblins.fighters)


def test_a_swarm_has_at_least_two_bases_of_its_type() -> None:
    assert len(check_band(band("human-warrior*3", "rat-swarm*2"), "").fighters) == 5
    assert broken(band("human-warrior*3", "rat-swarm")) == [("fighters[2]", "SBH-BAND-09")]
    assert broken(band("human-warrior*3", "ant-swarm", "rat-swarm*2")) == [("fighters[2]", "SBH-BAND-09")]
    assert len(check_band(band("human-warrior*3", "rat-swarm", "rat-swarm"), "").fighters) == 5


def test_printed_points_count_unless_the_formula_was_agreed() -> None:
    four = {"hydra": (64, 94), "blob": (19, 12), "halfling-sage": (13, 12), "rat-swarm": (22, 24)}
    for id, (printed, formula) in four.items():
        data = band(f"{id}*2", "human-warrior*2", points=1000)
        assert check_band(data, "").fighters[0].points == printed
        assert check_band(data, "", BY_FORMULA).fighters[0].points == formula
    others = band("elf-warrior", "human-warrior")
    assert check_band(others, "", BY_FORMULA).cost == check_band(others, "").cost == 68

    hunted = band("hydra", "human-archer*4", "human-warrior*2")
    assert check_band(hunted, "").cost == 300
    assert broken(hunted, BY_FORMULA) == [("points", "SBH-BAND-02")]


def test_all_mistakes_are_told_at_once() -> None:
    data = band("vampire", "rat-swarm", "human-child*2", "giant-toad*8", "elf-warior", points=200)
    data["fighters"].append({"fighter": "orc-warrior", "cuont": 2})
    data["upgrades"] = ["brave", "brve", "brave"]
    data["custom"] = [{"id": "elf-warrior", "name": "Mine", "quality": 7, "combat": 3, "rules": ["touhg"]}]

    told = [(problem.where, problem.rule) for problem in wrong(data)]

    assert set(told) == {
        ("upgrades[2]", "SBH-CAMP-10"),
        ("upgrades[3]", "SBH-CAMP-10"),
        ("custom[1].id", "SBH-POINTS-08"),
        ("custom[1].quality", None),
        ("custom[1].rules[1]", "SBH-PROFILE-01"),
        ("fighters[5].fighter", "SBH-ROSTER-01"),
        ("fighters[6].cuont", None),
        ("points", "SBH-BAND-02"),
        ("fighters", "SBH-BAND-04"),
        ("fighters[3]", "SBH-BAND-07"),
    }


def test_a_fighter_who_cannot_be_read_is_not_counted_against_the_others() -> None:
    misspelt = band("giant-toad*2", "human-warior*2", "rat-swarm", "rat-swrm")
    miscounted = band("human-warrior*3", {"fighter": "rat-swarm", "count": "two"})
    misnamed = band("human-warrior*3", {"fighter": "rat-swarm", "cuont": 2})
    ill_made = band("giant-toad", "own", custom=[{"id": "own", "name": "Own", "quality": 9, "combat": 1}])

    assert {problem.where for problem in wrong(misspelt)} == {"fighters[2].fighter", "fighters[4].fighter"}
    assert [problem.where for problem in wrong(miscounted)] == ["fighters[2].count"]
    assert [problem.where for problem in wrong(misnamed)] == ["fighters[2].cuont"]
    assert [problem.where for problem in wrong(ill_made)] == ["custom[1].quality"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (band(), "fighters: a band needs at least one fighter"),
        ({"game": "sbh"}, "fighters: missing"),
        ({**band("elf-warrior"), "game": "aof"}, 'game: no game of this kind "aof"'),
        ({**band("elf-warrior"), "pionts": 300}, 'pionts: not a known key; did you mean "points"?'),
        (band("elf-warrior", points=0), "points: expected a whole number from 1"),
        (band("elf-warier"), 'fighters[1].fighter: no fighter "elf-warier" (SBH-ROSTER-01); did you mean'),
        (band("qqq"), "`oriflamme army list --game sbh` shows the races"),
        (band("elf-warrior*0"), "fighters[1].count: expected a whole number from 1"),
        (band("elf-warrior*1000000000"), "fighters[1].count: expected a whole number from 1"),
        (band({"count": 2}), "fighters[1].fighter: missing"),
        (band({"fighter": 7}), "fighters[1].fighter: expected text, found 7"),
        (band("elf-warrior", name={"de": "Bande"}), "name.de: not a known key; expected en or fr"),
        (
            band("elf-warrior", upgrades=["brve"]),
            'upgrades[1]: no band upgrade "brve" (SBH-CAMP-10); did you mean "brave"',
        ),
        (band("elf-warrior", custom=[{"id": "a b", "name": "A", "quality": 3, "combat": 3}]), "custom[1].id: "),
        (band("elf-warrior", custom=[{"id": "Elf_Warrior", "name": "A", "quality": 3, "combat": 3}]), "of the book"),
        (band("elf-warrior", custom=[{"id": "a", "name": "A", "quality": 1, "combat": 7}]), "quality: expected"),
        (band("elf-warrior", custom=[{"id": "a", "name": "A", "quality": 2, "combat": 7}]), "combat: expected"),
        (band("elf-warrior", custom=[{"id": "a", "name": "A", "quality": 3, "combat": 3}] * 2), 'a second "a"'),
        ({**band("elf-warrior"), "fighters": "all"}, "fighters: expected a list of tables"),
        ([], "expected a table"),
        (None, "expected a table"),
    ],
)
def test_bad_bands_get_helpful_answers(data: Any, said: str) -> None:
    with pytest.raises(Problems) as found:
        check_band(data, "band.toml")

    assert said in str(found.value)


# -- reading -----------------------------------------------------------------------------------------------------------


def test_a_band_is_plain_data_that_the_rest_of_the_game_can_rely_on() -> None:
    warden = {"id": "warden", "name": {"en": "Warden", "fr": "Garde"}, "quality": 3, "combat": 4}
    data = band("elf-warrior*2", {"fighter": "elf-wizard", "name": "Ysil"}, "warden")
    data |= {"name": {"en": "The Mile", "fr": "La Lieue"}, "upgrades": ["brave"]}
    data |= {"custom": [{**warden, "rules": ["shooter(short)"]}]}

    told = check_band(data, "").to_data()

    assert told == {
        "name": {"en": "The Mile", "fr": "La Lieue"},
        "points": 300,
        "upgrades": ["brave"],
        "fighters": [
            {
                "id": "elf_warrior_1", "card": "elf-warrior", "race": "elves", "points": 38, "quality": 2, "combat": 3,
                "name": {"en": "Elf Warrior 1", "fr": "Elfe, Guerrier 1"}, "rules": [], "hurt": 0, "item": None,
            },
            {
                "id": "elf_warrior_2", "card": "elf-warrior", "race": "elves", "points": 38, "quality": 2, "combat": 3,
                "name": {"en": "Elf Warrior 2", "fr": "Elfe, Guerrier 2"}, "rules": [], "hurt": 0, "item": None,
            },
            {
                "id": "elf_wizard", "card": "elf-wizard", "race": "elves", "points": 70, "quality": 2, "combat": 2,
                "name": {"en": "Ysil", "fr": "Ysil"}, "rules": ["mage", "woodsman"], "hurt": 0, "item": None,
            },
            {
                "id": "warden", "card": "", "race": "", "points": 44, "quality": 3, "combat": 4,
                "name": {"en": "Warden", "fr": "Garde"}, "rules": ["shooter(short)"], "hurt": 0, "item": None,
            },
        ],
    }  # fmt: skip
    assert json.loads(json.dumps(told)) == told
    assert Band.from_data(told).to_data() == told


def test_fighters_of_one_profile_are_told_apart_wherever_they_stand() -> None:
    own = {"id": "orc", "name": "Orc", "quality": 4, "combat": 3}
    first = {"id": "orc_1", "name": "Orc", "quality": 4, "combat": 2}
    data = band("orc", "goblin-warrior", "orc_1", {"fighter": "orc", "name": "Gruk"}, custom=[own, first])

    fighters = check_band(data, "").fighters

    assert [fighter.id for fighter in fighters] == ["orc_2", "goblin_warrior", "orc_1", "orc_3"]
    assert [fighter.name["en"] for fighter in fighters] == ["Orc 1", "Goblin Warrior", "Orc 2", "Gruk"]


def test_a_band_without_a_name_is_called_after_its_race() -> None:
    unnamed = band("elf-warrior")
    del unnamed["name"]

    assert check_band(unnamed, "").name == {"en": "Elves", "fr": "Elfes"}


def test_a_band_is_read_from_toml_and_from_json_of_the_same_shape(tmp_path: Path) -> None:
    toml, text = tmp_path / "mile.toml", tmp_path / "mile.json"
    toml.write_text(
        'game = "sbh"\nname = "Mile"\npoints = 300\nfighters = [{ fighter = "elf-warrior", count = 3 }]\n'
        '[[custom]]\nid = "warden"\nname = "Warden"\nquality = 3\ncombat = 4\nrules = ["woodsman"]\n'
    )
    own = {"id": "warden", "name": "Warden", "quality": 3, "combat": 4, "rules": ["woodsman"], "race": None}
    text.write_text(json.dumps(band("elf-warrior*3", custom=[own], name="Mile")))

    assert load_band(toml) == load_band(str(text))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("green_mil", 'no such band; did you mean "green_mile"?'),
        ("nothing.toml", "no such file"),
        ("nothing.json", "no such file"),
    ],
)
def test_a_band_that_is_not_there(name: str, said: str) -> None:
    with pytest.raises(Problems) as found:
        load_band(name)

    assert said in str(found.value)


def test_data_that_no_band_wrote_is_refused_with_its_place() -> None:
    good = check_band(band("elf-warrior*2"), "").to_data()

    def spoilt(**change: Any) -> dict[str, Any]:
        return {**good, "fighters": [good["fighters"][0], {**good["fighters"][1], **change}]}

    for data, said in (
        (spoilt(quality=7), "fighters[2].quality"),
        (spoilt(id="elf warrior"), "fighters[2].id"),
        (spoilt(id="elf_warrior_1"), '2 fighters with the id "elf_warrior_1"'),
        (spoilt(rules=["touhg"]), 'fighters[2].rules[1]: no special rule "touhg"'),
        (spoilt(card="elf-warior"), 'fighters[2].card: no fighter "elf-warior"'),
        (spoilt(race="elfs"), 'fighters[2].race: no race "elfs"'),
        (spoilt(name={"en": "Elf"}), "fighters[2].name.fr: missing"),
        ({**good, "name": {"en": "", "fr": "Bande"}}, "name.en: empty"),
        (spoilt(cost=3), "cost"),
        ({**good, "upgrades": ["brave", "brave"]}, "upgrades[2]"),
        ({**good, "fighters": 3}, "fighters"),
        ([], "object"),
    ):
        with pytest.raises(Problems) as found:
            Band.from_data(data)
        assert said in str(found.value)


# -- campaigns ---------------------------------------------------------------------------------------------------------


def test_in_a_campaign_a_third_is_taken_of_what_the_band_is_worth() -> None:
    grown = check_band(band("orc-warlord", "orc-warrior*8", "goblin-spy", points=400), "").to_data()["fighters"]
    worth = sum(fighter["points"] for fighter in grown)  # 304

    assert band_problems(grown, 300, campaign_total=worth) == []
    assert [p.rule for p in band_problems(grown, 300)] == ["SBH-BAND-02"]
    assert [p.rule for p in band_problems(grown[:-1], 300, campaign_total=worth - 20)] == ["SBH-BAND-04"]
    assert band_problems(grown[:-1], 300, campaign_total=300) == []


def test_in_a_campaign_half_may_be_animals_and_a_swarm_may_have_lost_all_but_one() -> None:
    swarm = check_band(band("human-warrior*2", "rat-swarm*2"), "").to_data()["fighters"]

    assert band_problems(swarm[:3], 300, campaign_total=82) == []
    assert [p.rule for p in band_problems(swarm[1:], 300, campaign_total=74)] == ["SBH-BAND-06"]
    assert [p.where for p in band_problems(swarm[:3], 300)] == ["fighters[3]"]


def test_the_nine_upgrades_are_taken_once_each() -> None:
    assert len(UPGRADES) == 9
    assert check_band(band("elf-warrior", upgrades=list(UPGRADES)), "").upgrades == tuple(UPGRADES)
    assert broken(band("elf-warrior", upgrades=["brave", "brave"])) == [("upgrades[2]", "SBH-CAMP-10")]


# -- what ships --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", BANDS.ready)
def test_every_ready_made_band_is_legal_and_spends_its_points(id: str) -> None:
    ready = load_band(id)

    assert ready.points == 300
    assert 290 <= ready.cost <= 300
    assert set(ready.name) == set(ready.about) == {"en", "fr"}
    assert ready.name["en"] != ready.name["fr"]
    assert load_band(id, BY_FORMULA).points == 300


def test_the_ready_made_bands_show_every_special_rule_and_most_races() -> None:
    ready = [load_band(id) for id in BANDS.ready]

    assert len(ready) >= 8
    assert {rule.partition("(")[0] for one in ready for f in one.fighters for rule in f.rules} == RULES
    assert len({race for one in ready for race in one.races}) >= 15


# -- by chance ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [DEFAULTS, SINGLE_RACE, BY_FORMULA], ids=["free", "single race", "formula"])
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), points=st.integers(6, 2000))
def test_a_band_by_chance_is_legal_and_spends_nearly_all(options: dict[str, str], seed: int, points: int) -> None:
    mustered = random_band(Random(seed), points, options)

    assert band_problems(mustered.fighters, points, options) == []
    assert len(mustered.fighters) <= MOST_FIGHTERS
    # Two dozen cheap fighters cannot spend very many points.
    assert points - mustered.cost <= max(15, points // 20) or len(mustered.fighters) == MOST_FIGHTERS
    assert Band.from_data(mustered.to_data()) == mustered


def test_bands_by_chance_show_every_special_rule_and_are_all_different() -> None:
    mustered = [random_band(Random(seed), 300) for seed in range(200)]

    assert {rule.partition("(")[0] for one in mustered for f in one.fighters for rule in f.rules} == RULES
    assert len({tuple(f.card for f in one.fighters) for one in mustered}) == 200
    assert max(Counter(f.card for one in mustered for f in one.fighters).values()) < 120
    assert all(one.cost >= 290 for one in mustered)


def test_the_same_chance_gives_the_same_band() -> None:
    assert random_band(Random(7), 450) == random_band(Random(7), 450)


def test_a_band_of_very_many_points_has_twenty_four_fighters_at_most() -> None:
    assert len(random_band(Random(1), 100_000).fighters) == 24


def test_too_few_points_buy_nobody() -> None:
    with pytest.raises(Problems, match=r"5 points buy nobody; the cheapest fighter costs 6 \(SBH-BAND-07\)"):
        random_band(Random(1), 5)


def test_cards_taken_into_a_band_are_as_printed() -> None:
    for id in ("adult-dragon", "elf-hero", "human-hunter"):
        taken = check_band(band(id, points=900), "").fighters[0]
        assert (taken.quality, taken.combat, taken.rules) == (card(id).quality, card(id).combat, card(id).rules)
