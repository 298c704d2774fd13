"""What an army may be: each limit holds at its edge, and is refused by its own rule beyond it."""

from __future__ import annotations

from typing import Any

import pytest

from oriflamme.engine.words.problems import Problems
from oriflamme.games.tlaok.army.army_limits import army_problems, regiment_problems
from oriflamme.games.tlaok.army.cards import Command, RegimentCard, Stand
from oriflamme.games.tlaok.army.factions import FACTIONS
from oriflamme.games.tlaok.army.reading import check_list


def band(*regiments: str, **more: Any) -> dict[str, Any]:
    """A warband of a captain who may lead levy and guard, and knights and giants as Restricted choices."""
    kinds = {"knights": "cavalry", "giants": "brute", "wyrm": "monster"}
    followers = [{"regiment": id, "kind": kinds.get(id, "infantry"), "irregular": id == "strays"} for id in regiments]
    mainstay, restricted = ["levy", "guard", "strays"], ["knights", "giants", "wyrm"]
    told = {"character": "captain", "warlord": True, "mainstay": mainstay, "restricted": restricted}
    return {**told, "regiments": followers, **more}


def rules_of(*bands: dict[str, Any], points: int = 1000) -> list[str | None]:
    return [problem.rule for problem in army_problems(bands, points)]


@pytest.mark.parametrize(("cost", "broken"), [(999, []), (1000, []), (1001, ["TLAOK-BUILD-02"])])
def test_an_army_may_cost_less_but_never_more(cost: int, broken: list[str]) -> None:
    assert rules_of(band("levy", cost=cost)) == broken


def test_points_are_summed_over_all_warbands() -> None:
    second = band("levy", warlord=False, cost=600)

    assert rules_of(band("levy", cost=401), second) == ["TLAOK-BUILD-02"]
    assert rules_of(band("levy", cost=400), second) == []


def test_exactly_one_character_is_the_warlord() -> None:
    assert rules_of(band("levy", warlord=False)) == ["TLAOK-BUILD-04"]
    assert rules_of(band("levy"), band("levy")) == ["TLAOK-BUILD-04"]
    assert rules_of(band("levy"), band("levy", warlord=False)) == []


def test_every_character_leads_a_warband() -> None:
    assert rules_of(band()) == ["TLAOK-BUILD-05"]
    assert rules_of(band(own=True)) == []


@pytest.mark.parametrize(("number", "broken"), [(1, []), (4, []), (5, ["TLAOK-BUILD-06"])])
def test_a_warband_holds_one_to_four_regiments(number: int, broken: list[str]) -> None:
    assert rules_of(band(*["levy"] * number)) == broken


def test_a_warband_has_a_regiment_its_character_can_join() -> None:
    assert rules_of(band("levy", kind="cavalry")) == ["TLAOK-BUILD-07"]
    assert rules_of(band("levy", "knights", kind="cavalry")) == []
    assert rules_of(band("levy", kind="monster", own=True)) == []


def test_a_rider_needs_a_monster() -> None:
    assert rules_of(band("levy", kind="monster", rider=True)) == ["TLAOK-SR-RIDER-01"]
    assert rules_of(band("levy", "wyrm", kind="monster", rider=True)) == []


def test_only_the_irregular_join_the_irregular() -> None:
    assert rules_of(band("strays")) == ["TLAOK-SR-IRREGULAR-01"]
    assert rules_of(band("strays", "levy")) == []
    assert rules_of(band("strays", irregular=True)) == []


def test_a_character_leads_only_what_its_entry_names() -> None:
    assert rules_of(band("levy", "pirates")) == ["TLAOK-BUILD-08"]


def test_the_same_regiment_is_mainstay_for_one_and_restricted_for_another() -> None:
    marshal = band("knights", "levy", character="marshal", kind="cavalry", mainstay=["knights"], restricted=["levy"])

    assert rules_of(marshal, band("levy", "knights", warlord=False)) == []
    assert rules_of(marshal | {"kind": "infantry", "regiments": [{"regiment": "levy"}]}) == ["TLAOK-BUILD-11"]


@pytest.mark.parametrize(
    ("regiments", "broken"),
    [
        (["levy", "knights"], []),
        (["levy", "guard", "knights", "giants"], []),
        (["levy", "levy", "giants", "giants"], []),
        (["levy", "knights", "giants"], ["TLAOK-BUILD-11"]),
        (["levy", "knights", "giants", "wyrm"], ["TLAOK-BUILD-10", "TLAOK-BUILD-11"]),
        (["levy", "levy", "levy", "knights", "knights", "giants"], ["TLAOK-BUILD-06", "TLAOK-BUILD-10"]),
        (["levy", "levy", "levy", "levy"], []),
    ],
)
def test_two_restricted_choices_and_a_mainstay_for_each(regiments: list[str], broken: list[str]) -> None:
    assert rules_of(band(*regiments)) == broken


def test_what_is_unique_is_taken_once_in_an_army() -> None:
    second = band("levy", warlord=False, unique=["Night Roads"])

    assert rules_of(band("levy", unique=["Night Roads"]), second) == ["TLAOK-MASTERY-02"]
    assert rules_of(band("levy", unique=["First Blood"]), second) == []


# -- what a regiment may buy -------------------------------------------------------------------------------------------

STATS = {"march": 5, "volley": 0, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3, "defence": 2, "evasion": 0}


def card(kind: str = "infantry", **command: Any) -> RegimentCard:
    return RegimentCard("levy", Stand("levy", {"en": "Levy"}, kind, "medium", STATS), 3, 9, Command(**command))


def bought(card: RegimentCard, stands: int, *models: str) -> list[str | None]:
    return [problem.rule for problem in regiment_problems(card, stands, models)]


@pytest.mark.parametrize(("stands", "broken"), [(2, ["TLAOK-BUILD-13"]), (3, []), (9, []), (10, ["TLAOK-BUILD-13"])])
def test_a_regiment_has_as_many_stands_as_its_entry_says(stands: int, broken: list[str]) -> None:
    assert bought(card(), stands) == broken


def test_only_command_models_of_its_entry_may_be_bought() -> None:
    assert bought(card(leader="free"), 3, "leader", "standard") == ["TLAOK-CMD-01"]
    assert bought(card(), 3, "leader") == ["TLAOK-CMD-01"]
    assert bought(card("monster"), 3, "leader") == ["TLAOK-CMD-15"]
    assert bought(card("chariot"), 3, "leader") == ["TLAOK-CMD-15"]
    assert bought(card("chariot", leader="buy"), 3, "leader") == []


def test_no_command_model_is_there_twice() -> None:
    able = card(leader="free", standard=True, officers=("drummer",))

    assert bought(able, 3, "leader", "standard", "drummer") == []
    assert bought(able, 3, "leader", "standard", "standard") == ["TLAOK-CMD-03"]
    assert bought(able, 3, "leader", "drummer", "drummer") == ["TLAOK-CMD-20"]


def test_at_most_four_command_models() -> None:
    officers = ("drummer", "surgeon", "cook")
    models = ("leader", "standard", *officers)

    assert bought(card(leader="free", standard=True, officers=officers), 3, *models[:4]) == []
    assert bought(card(leader="free", standard=True, officers=officers), 9, *models) == ["TLAOK-CMD-02"]
    assert bought(card("cavalry", leader="free", standard=True, officers=officers), 9, *models) == ["TLAOK-CMD-12"]


@pytest.mark.parametrize("kind", ["cavalry", "brute"])
def test_a_command_model_on_horseback_takes_a_stand_of_its_own(kind: str) -> None:
    able = card(kind, leader="free", standard=True, officers=("drummer", "surgeon"))

    assert bought(able, 3, "leader", "standard", "drummer") == []
    assert bought(able, 3, "leader", "standard", "drummer", "surgeon") == ["TLAOK-CMD-11"]
    assert bought(able, 4, "leader", "standard", "drummer", "surgeon") == []


def test_several_regiments_may_each_have_the_same_officer() -> None:
    levy = {"regiment": "dyke_levy", "command": ["drum_sergeant"]}
    told = {
        "game": "tlaok",
        "army": "salt_crown",
        "points": 1000,
        "warbands": [{"character": "dyke_marshal", "warlord": True, "regiments": [levy, levy]}],
    }

    check_list(told, "x")


# -- what a character may buy ------------------------------------------------------------------------------------------


def warband(**bought: Any) -> dict[str, Any]:
    leader = {"character": "dyke_marshal", "warlord": True, "regiments": [{"regiment": "dyke_levy"}]}
    return {"game": "tlaok", "army": "salt_crown", "points": 1000, "warbands": [leader | bought]}


@pytest.mark.parametrize(
    ("bought", "rule"),
    [
        ({"mastery": "long_breath"}, "TLAOK-MASTERY-01"),
        ({"mastery": ["steady_there", "night_roads"]}, "TLAOK-MASTERY-01"),
        ({"mastery": "boldness"}, "TLAOK-MASTERY-01"),
        ({"upgrades": ["reliquary"]}, "TLAOK-UPGRADE-01"),
        ({"spells": ["absolution"]}, "TLAOK-MAGIC-02"),
    ],
)
def test_a_character_buys_what_its_entry_opens(bought: dict[str, Any], rule: str) -> None:
    with pytest.raises(Problems) as raised:
        check_list(warband(**bought), "x")

    assert [problem.rule for problem in raised.value] == [rule]


def test_a_mastery_costs_and_counts() -> None:
    plain = check_list(warband(), "x")
    taught = check_list(warband(mastery="school_of_the_wall", upgrades=["grandmothers_mail"]), "x")

    assert taught.cost > plain.cost
    assert taught.warbands[0].leader.stand.profile().attacks == plain.warbands[0].leader.stand.profile().attacks + 1


def test_a_faction_may_have_masteries_of_its_own_kind() -> None:
    army = FACTIONS.get("salt_crown")

    assert "litany" in army.characters["tide_abbot"].masteries
    assert "litany" not in army.characters["gauger"].masteries
