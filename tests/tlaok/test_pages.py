"""What is looked up in Conquest: factions, lists, units, invented stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oriflamme.engine.lists.units import plain
from oriflamme.engine.words.problems import Problems
from oriflamme.games.tlaok.army.armies import ARMIES, TlaokArmies
from oriflamme.games.tlaok.army.reading import LISTS

PROFILE = {"M": 5, "V": 0, "C": 2, "A": 4, "W": 4, "R": 2, "D": 1, "E": 0}


@pytest.fixture
def armies() -> TlaokArmies:
    return ARMIES


def test_everything_told_is_plain_data(armies: TlaokArmies) -> None:
    pages = [*armies.factions(), *armies.lists(), armies.army("salt_crown_1000_pay_chest"), armies.unit("tide_abbot")]

    for page in map(plain, pages):
        assert json.loads(json.dumps(page)) == page


def test_a_list_is_told_with_its_warbands(armies: TlaokArmies) -> None:
    told = plain(armies.army("hollow_hunt_1000_one_horn"))

    assert [unit["warband"] for unit in told["units"]] == [1, 1, 1, 2, 2, 2]
    assert sum(unit["cost"] for unit in told["units"]) == told["cost"] <= told["points"]
    assert [unit["id"] for unit in told["units"] if unit.get("warlord")] == ["huntmaster"]


def test_all_lists_are_told(armies: TlaokArmies) -> None:
    assert [told.id for told in armies.lists()] == list(LISTS.ready)


def test_a_unit_is_found_with_stands_and_what_it_takes(armies: TlaokArmies) -> None:
    least, more = armies.unit("salt_crown/tide_pikes"), armies.unit("tide_pikes+6+standard+drilled")

    assert (least.figures, more.figures) == (3, 6)
    assert "Iron Discipline" in more.rules
    assert more.upgrades == ["leader", "standard", "drilled"]
    assert more.cost > 2 * least.cost


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tide_pike", 'did you mean "tide_pikes"'),
        ("salt_crow/tide_pikes", 'did you mean "salt_crown"'),
        ("tide_pikes+banner", 'cannot take "banner"'),
        ("tide_abbot+school_of_the_wall", "cannot take"),
    ],
)
def test_what_there_is_not_gets_a_guess(armies: TlaokArmies, name: str, said: str) -> None:
    with pytest.raises(Problems) as raised:
        armies.unit(name)

    assert said in str(raised.value)


def test_an_invented_stand_is_priced(armies: TlaokArmies) -> None:
    told = armies.invented(type="infantry", rules=["Shield", "Support (2)"], stands=3, **PROFILE)

    assert told.cost == 81
    assert told.parts[0].total == pytest.approx(27.06)


def test_a_wrong_invented_stand_says_all_that_is_wrong(armies: TlaokArmies) -> None:
    wrong: dict[str, Any] = {**PROFILE, "C": 9, "type": "infantri", "rules": ["Sheild"], "wings": 2}

    with pytest.raises(Problems) as raised:
        armies.invented(**wrong)

    assert len(raised.value) == 4


def test_sheets_are_laid_out_in_both_languages(armies: TlaokArmies) -> None:
    (crown,) = [told for told in armies.factions() if told.id == "salt_crown"]

    english, french = armies.sheets(crown, "en"), armies.sheets(crown, "fr")

    assert [sheet.columns[0] for sheet in english] == ["unit", "spell", "supremacy", "mastery or upgrade", "secondary"]
    assert english[0].rows[0][1] == "Dyke Marshal"
    assert french[0].rows[0][1] == "Maréchale des digues"
    assert all(len(row) == len(sheet.columns) for sheet in english + french for row in sheet.rows)
