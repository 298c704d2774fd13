"""Companies and lists of Rag'Narok 3: what is read, what is refused, what takes the field, and what it costs."""

from __future__ import annotations

import re
import tomllib
from copy import deepcopy
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from oriflamme.engine.words.problems import Problems, Reader
from oriflamme.games.rn3.army.armies import ARMIES
from oriflamme.games.rn3.army.companies import PEOPLES, People, read_people
from oriflamme.games.rn3.army.fielding import field_company
from oriflamme.games.rn3.army.prices import EXPECTED, SKILLS, SUPPORT_CREW, price_of
from oriflamme.games.rn3.army.reading import LISTS
from oriflamme.games.rn3.army.rosters import Company, ListedUnit, cards_of
from oriflamme.games.rn3.measures import CATEGORIES
from oriflamme.games.rn3.skills import book

ROOT = Path(__file__).parents[2]
IDS = ["ember_oath", "fen_court", "high_eyrie", "iron_litany"]
READY = sorted(LISTS.ready)
SKILL_TITLES = {cls.title for cls in book.declared.values() if cls.rule.startswith("RN3-SKL-")}


def cards_in(people: People) -> list[Any]:
    specials = [special.card for troop in people.troops.values() for special in troop.specials.values()]
    machines = [troop.machine for troop in people.troops.values() if troop.machine is not None]
    return [
        *(troop.card for troop in people.troops.values()),
        *specials,
        *machines,
        *(h.card for h in people.heroes.values()),
    ]


def skills_in(unit: ListedUnit) -> set[str]:
    return {skill.title for card in cards_of(unit) for skill in card.profile().skills}


# -- our companies and lists -------------------------------------------------------------------------------------------


def test_there_are_four_companies() -> None:
    assert list(PEOPLES.all()) == IDS


@pytest.mark.parametrize("id", IDS)
def test_a_company_has_what_a_battle_asks_for(id: str) -> None:
    people = PEOPLES.get(id)
    plain = [troop for troop in people.troops.values() if troop.machine is None and troop.card.category != "titan"]
    artefacts = [one for one in people.attributes.values() if one.power is None or one.power.kind == "artefact"]
    powers = {power.id: power for card in cards_in(people) for power in card.powers}
    powers |= {one.power.id: one.power for one in people.attributes.values() if one.power and one.power.tested}

    assert len(plain) >= 8
    assert {troop.card.rank for troop in plain} == {1, 2, 3}
    assert {troop.card.category for troop in plain} == set(CATEGORIES) - {"war_machine", "titan"}
    assert sum(troop.machine is not None for troop in people.troops.values()) == 2
    assert all(troop.abilities for troop in people.troops.values() if troop.card.category == "titan")
    assert sum(troop.card.category == "titan" for troop in people.troops.values()) == 1
    assert len(people.heroes) >= 4
    assert any(hero.card.pou or hero.card.foi for hero in people.heroes.values())
    assert len(artefacts) >= 6
    assert len(powers) >= 8
    assert any(power.summons for power in powers.values())
    assert any(troop.specials for troop in plain)
    assert any(troop.tactics for troop in plain)
    assert people.trait.name
    assert people.banners


@pytest.mark.parametrize("id", IDS)
def test_everything_of_a_company_has_its_name_in_both_languages(id: str) -> None:
    people = PEOPLES.get(id)
    names = [card.name for card in cards_in(people)] + [one.name for one in people.attributes.values()]
    names += [one.about for one in people.attributes.values()] + [banner.name for banner in people.banners.values()]
    names += [people.name, people.story, people.trait.name, people.trait.about]

    for name in names:
        assert name["en"], name
        assert name["fr"], name


@pytest.mark.parametrize("id", READY)
def test_every_ready_made_list_is_legal_and_near_its_size(id: str) -> None:
    company = LISTS.load(id)

    assert company.points in (1500, 3000)
    assert company.points - 60 <= company.cost <= company.points
    assert all(company.name[lang] for lang in ("en", "fr"))


def test_each_company_has_two_lists_of_each_size() -> None:
    sizes = [(LISTS.load(id).faction, LISTS.load(id).points) for id in READY]

    assert sorted(sizes) == sorted((id, points) for id in IDS for points in (1500, 3000) for _ in range(2))


def test_the_lists_use_all_skills_and_categories_and_every_kind_of_thing() -> None:
    units = [unit for id in READY for unit in LISTS.load(id).units]
    peoples = [PEOPLES.get(id) for id in IDS]
    powers = [power for card in chain.from_iterable(map(cards_of, units)) for power in card.powers]
    laid = {skill for power in powers for skill in power.effect.get("skills", ())}
    summoned = {s for p in powers if p.summons for s in p.effect["summon"]["card"].get("skills", ())}

    assert {card.category for unit in units for card in cards_of(unit)} == set(CATEGORIES)
    found = set().union(*(skills_in(unit) for unit in units))
    found |= {str(book.parse(skill)).partition("(")[0].strip() for skill in laid | summoned}
    assert SKILL_TITLES - found == set()
    assert {power.kind for power in powers} == {"spell", "miracle", "ritual", "litany", "artefact", "ability"}
    assert any(unit.tactics for unit in units)
    assert {unit.id for unit in units} == {id for people in peoples for id in people.troops}
    assert {hero.card.id for p in peoples for hero in p.heroes.values()} == {u.hero.id for u in units if u.hero}


# -- what takes the field ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", READY)
def test_a_list_takes_the_field_as_it_is_written(id: str) -> None:
    company = LISTS.load(id)
    units = field_company(company, 0)

    assert len(units) == len(company.units)
    for unit, listed in zip(units, company.units, strict=True):
        assert unit.strength == listed.count + len(listed.specials)
        assert unit.points == listed.cost
        assert unit.banner == listed.banner
        assert (unit.hero is not None) == (listed.hero is not None)
        if listed.machine is not None:
            assert unit.regular_crew == listed.regular_crew
        assert unit.cards == listed.abilities


@pytest.mark.parametrize("id", READY)
def test_a_company_in_a_save_is_read_again(id: str) -> None:
    company = LISTS.load(id)

    assert Company.from_data(company.to_data()) == company


def test_the_trait_of_a_company_is_at_work() -> None:
    levy = next(unit for unit in LISTS.load("ember_oath_3000_forge").units if unit.id == "coal_levy")
    oathsworn = next(unit for unit in LISTS.load("ember_oath_3000_forge").units if unit.id == "oathsworn")

    assert "Bravery" in skills_in(levy)
    assert "Bravery" not in {skill.title for skill in oathsworn.troop.profile().skills}
    assert LISTS.load("fen_court_1500_reeds").elixir == 1


def test_free_tactics_come_with_their_troops() -> None:
    tactics = {unit.id: [tactic.id for tactic in unit.tactics] for id in READY for unit in LISTS.load(id).units}

    assert tactics["coal_levy"] == ["locked_shields"]
    assert tactics["lantern_bearers"] == ["lights_out"]
    assert tactics["oathsworn"] == []


# -- what is refused ---------------------------------------------------------------------------------------------------

COMPANY: dict[str, Any] = tomllib.loads(
    re.findall(
        r"```toml\n# toll_company.toml\n(.*?)```", (ROOT / "docs" / "authoring.md").read_text("utf-8"), re.DOTALL
    )[0]
)
LIST: dict[str, Any] = {
    "game": "rn3",
    "points": 1500,
    "units": [
        {"unit": "carters", "count": 8, "take": ["marta", "long_whip"], "banner": "wheel"},
        {"unit": "stone_cart"},
    ],
}


def own_company(**changes: Any) -> People:
    """The company of the guide with changes, laid over it table by table."""
    problems = Problems("company")
    people = read_people(Reader(_laid(COMPANY, changes), problems), "own")
    problems.raise_if_any()
    return people


def _laid(over: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    made = deepcopy(over)
    for key, value in changes.items():
        made[key] = _laid(made[key], value) if isinstance(value, dict) and isinstance(made.get(key), dict) else value
        if value is None:
            del made[key]
    return made


def notices_of_list(*units: dict[str, Any], points: int = 1500, **company: Any) -> list[str]:
    own = own_company(**company)
    with pytest.raises(Problems) as raised:
        LISTS.check({**LIST, "points": points, "units": list(units)}, "list", own=own)
    return [code for problem in raised.value for code in _codes(problem)]


def _codes(problem: Any) -> list[str]:
    return [said.code for said in (problem.what, problem.hint) if hasattr(said, "code")]


LED = {"unit": "carters", "take": ["marta"]}
JOSS = {key: value for key, value in COMPANY["incarnate"]["marta"].items() if key not in ("pou", "path")} | {
    "foi": 3,
    "cult": "toll_company",
    "schools": ["creation"],
}
CHAMPION = {**JOSS, "champion_of": "the_ox"}
WRONG_LISTS: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "wrong_strength": ([{**LED, "count": 5}], {}),
    "no_machine": ([{**LED, "crew": 1}], {}),
    "too_many_crew": ([LED, {"unit": "stone_cart", "crew": 3}], {}),
    "special_too_often": ([{**LED, "take": ["marta", "standard", "standard"]}], {}),
    "nobody_but_specials": (
        [{"unit": "carters", "count": 1, "take": ["marta", "standard"]}],
        {"troop": {"carters": {"unit": [1, 12]}}},
    ),
    "second_incarnate": ([{**LED, "take": ["marta", "joss"]}], {"incarnate": {"joss": JOSS}}),
    "champion_of_others": ([LED, {"unit": "carters", "take": ["joss"]}], {"incarnate": {"joss": CHAMPION}}),
    "put_him_with": ([LED, {"unit": "carters", "take": ["joss"]}], {"incarnate": {"joss": CHAMPION}}),
    "leads_no_machine": ([{"unit": "stone_cart", "take": ["marta"]}], {}),
    "put_him_elsewhere": ([{"unit": "the_ox", "take": ["marta"]}], {}),
    "not_alone": ([LED, {"unit": "marta"}], {}),
    "attribute_without_incarnate": ([LED, {"unit": "carters", "take": ["horn"]}], {}),
    "attribute_not_his": (
        [{"unit": "carters", "take": ["marta", "horn"]}],
        {"artefact": {"horn": {"only_for": ["joss"]}}},
    ),
    "no_faithful": (
        [{"unit": "carters", "take": ["marta", "landslide"]}],
        {"power": {"landslide": {"kind": "litany"}}},
    ),
    "no_magician": (
        [{"unit": "carters", "take": ["joss", "landslide"]}],
        {"incarnate": {"joss": JOSS}},
    ),
    "of_another_path": ([{"unit": "carters", "take": ["marta", "landslide"]}], {"incarnate": {"marta": {"path": "x"}}}),
    "of_another_school": (
        [{"unit": "carters", "take": ["marta", "landslide"]}],
        {"incarnate": {"marta": {"schools": ["fire"]}}},
    ),
    "no_incarnate": ([{"unit": "carters"}], {}),
    "take_an_incarnate": ([{"unit": "carters"}], {}),
    "incarnate_twice": ([LED, LED], {}),
    "over_allowance": ([{"unit": "carters", "take": ["marta", "landslide", "horn", "long_whip"]}], {}),
    "leave_an_attribute": ([{"unit": "carters", "take": ["marta", "landslide", "horn", "long_whip"]}], {}),
    "attribute_twice": ([{"unit": "carters", "take": ["marta", "mud_men", "mud_men"]}], {}),
    "artefact_twice": (
        [
            {"unit": "carters", "take": ["marta", "horn"]},
            {"unit": "carters", "take": ["joss", "horn"]},
        ],
        {"incarnate": {"joss": JOSS}},
    ),
    "rank_not_under": ([{**LED, "banner": "wheel"}], {"banner": {"wheel": {"ranks": [2]}}}),
    "banner_of_another_size": ([{**LED, "banner": "wheel"}], {"banner": {"wheel": {"least": 2}}}),
}
WRONG_COMPANIES: dict[str, dict[str, Any]] = {
    "line_of_combat": {"troop": {"carters": {"melee": [1, 4]}}},
    "write_line_of_combat": {"troop": {"carters": {"melee": [1, 4, 5, 6]}}},
    "courage_or_fear": {"troop": {"carters": {"peu": 4}}},
    "strength_from_to": {"troop": {"carters": {"unit": [12, 6]}}},
    "write_strength_from_to": {"troop": {"carters": {"unit": [6]}}},
    "effect_is_a_table": {"power": {"rut": {"effect": "mud"}}},
    "effect_does_nothing": {"power": {"nothing": {"kind": "spell", "name": "Nothing", "effect": {}}}},
    "lasts_no_time": {"power": {"rut": {"duration": "instant"}}},
    "say_how_long": {"power": {"rut": {"duration": "instant"}}},
    "difficulty_is": {"power": {"landslide": {"difficulty": "mud"}}},
    "ability_of_a_titan": {"troop": {"carters": {"powers": ["bellow"]}}},
    "for_incarnates_only": {"troop": {"carters": {"pou": 1, "powers": ["landslide"]}}},
    "not_for_incarnates": {
        "incarnate": {"marta": {"foi": 1, "powers": ["rut"]}},
        "power": {"rut": {"kind": "miracle"}},
    },
    "needs_stat": {"troop": {"carters": {"powers": ["rut"]}}},
}


@pytest.mark.parametrize("code", WRONG_LISTS)
def test_what_is_wrong_with_a_list_is_told(code: str) -> None:
    units, company = WRONG_LISTS[code]

    assert code in notices_of_list(*units, **company)


@pytest.mark.parametrize("code", WRONG_COMPANIES)
def test_what_is_wrong_with_a_company_is_told(code: str) -> None:
    with pytest.raises(Problems) as raised:
        own_company(**WRONG_COMPANIES[code])

    assert code in [said for problem in raised.value for said in _codes(problem)]


def test_what_is_not_open_to_a_unit_is_told() -> None:
    with pytest.raises(Problems) as raised:
        ARMIES.unit("coal_levy+captain_holt")

    assert [code for problem in raised.value for code in _codes(problem)] == ["not_open_to"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_each_notice_about_lists_is_given_by_something(lang: str) -> None:
    known = tomllib.loads((ROOT / f"src/oriflamme/games/rn3/text/{lang}/lists.toml").read_text("utf-8"))["notice"]

    assert set(known) == {*WRONG_LISTS, *WRONG_COMPANIES, "not_open_to"}


# -- what it costs -----------------------------------------------------------------------------------------------------


def test_a_list_may_cost_exactly_what_was_agreed() -> None:
    own = own_company()
    cost = LISTS.check(LIST, "list", own=own).cost

    assert LISTS.check({**LIST, "points": cost}, "list", own=own).cost == cost
    with pytest.raises(Problems):
        LISTS.check({**LIST, "points": cost - 1}, "list", own=own)


def test_support_crew_costs_forty_each() -> None:
    own = own_company()
    plain, more = (
        LISTS.check({**LIST, "units": [LED, {"unit": "stone_cart", "crew": crew}]}, "list", own=own) for crew in (0, 2)
    )

    assert more.cost - plain.cost == 2 * SUPPORT_CREW == 80


def test_every_skill_has_a_price() -> None:
    assert set(SKILLS) == SKILL_TITLES


def test_the_formula_is_the_one_that_is_documented() -> None:
    chapter = (ROOT / "docs" / "points.md").read_text("utf-8").split("## Rag'Narok 3")[1].split("\n## ")[0]
    shares = dict(re.findall(r"^\| ([A-Z][^|]*?) \| (\d+) % \|$", chapter, re.MULTILINE))
    columns = re.findall(r"^\| a die \| (.*) \|$", chapter, re.MULTILINE)[0].split(" | ")
    lancer = PEOPLES.get("ember_oath").troops["road_lancers"].card
    price = price_of(lancer)

    assert shares == {skill: f"{share * 100:.0f}" for skill, share in SKILLS.items()}
    assert columns == [f"{worth:.2f}" for worth in EXPECTED]
    assert f"**{price.fight:.1f}**" in chapter
    assert f"**{price.ways:.1f}**" in chapter
    assert f"heart is **{price.heart:.0f}**" in chapter
    assert f"**{price.total} PA**" in chapter


# -- lists in the making, and the guide --------------------------------------------------------------------------------


@pytest.mark.parametrize("id", READY)
def test_a_list_becomes_a_draft_and_a_list_again_without_a_loss(id: str) -> None:
    data = tomllib.loads(LISTS.ready[id].read_text("utf-8"))

    lines = [ARMIES.line(ARMIES.entry(line)) for line in data["units"]]

    again = LISTS.check({**data, "units": lines}, id)
    assert again.to_data() == LISTS.load(id).to_data()


def test_the_list_and_the_company_of_the_guide_can_be_used_as_they_are(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "authoring.md").read_text("utf-8")
    chapter = guide.split("# Rag'Narok 3")[1].split("# Last Fantasy War")[0]
    texts = dict(re.findall(r"```toml\n# (\S+)\n(.*?)```", chapter, re.DOTALL))
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    own = 'game = "rn3"\narmy = "toll_company.toml"\npoints = 1500\n' + (
        'units = [{ unit = "carters", take = ["marta", "mud_men", "horn"] }, { unit = "the_ox" }]\n'
    )
    (tmp_path / "own.toml").write_text(own, encoding="utf-8")

    assert set(texts) == {"coal_road.toml", "toll_company.toml"}
    assert LISTS.load(tmp_path / "coal_road.toml").cost <= 1500
    assert LISTS.load(tmp_path / "own.toml").units[1].abilities == ("bellow",)
