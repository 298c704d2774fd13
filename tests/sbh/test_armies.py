"""Fighters and bands are looked up, and the command line shows them without knowing the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from oriflamme import games
from oriflamme.cli import library, run, show
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.rulebook import HouseRule
from oriflamme.engine.lists.armies import Armies
from oriflamme.engine.lists.units import plain
from oriflamme.engine.words.problems import Problems
from oriflamme.games.sbh.armies import ARMIES, SbhArmies
from oriflamme.games.sbh.bands import BANDS
from oriflamme.games.sbh.roster import cards, races


class Songs(Game):
    """The game as far as its armies need it."""

    id = "sbh"
    title: ClassVar = {"en": "Song of Blades and Heroes", "fr": "Song of Blades and Heroes"}
    options: ClassVar = {
        "sbh.racialBands": HouseRule("sbh.racialBands", "free", ("singleRace",), "SBH-BAND-03"),
        "sbh.pointsSource": HouseRule("sbh.pointsSource", "printed", ("formula",), "SBH-POINTS-08"),
    }

    def armies(self) -> Armies[Any, Any, Any]:
        return ARMIES


@pytest.fixture
def armies() -> SbhArmies:
    return ARMIES


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """What the command line prints, and its exit code, in a program with two games."""
    monkeypatch.delenv("ORIFLAMME_LANG", raising=False)
    monkeypatch.setattr(library, "ids", lambda: ("aof", "sbh"))
    monkeypatch.setattr(library, "load", lambda id: Songs() if id == "sbh" else games.load(id))

    def call(*arguments: str) -> tuple[int, str, str]:
        show.console.cache_clear()
        capsys.readouterr()
        code = run(list(arguments))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


# -- looking up --------------------------------------------------------------------------------------------------------


def test_races_are_told_with_their_profiles(armies: SbhArmies) -> None:
    told = armies.factions()

    assert [race.id for race in told] == list(races())
    assert [unit.id for race in told for unit in race.units] == list(cards())


def test_a_profile_is_told_with_its_price_and_what_it_counts_as(armies: SbhArmies) -> None:
    hydra = plain(armies.unit("hydra"))

    assert hydra["cost"] == 64
    assert hydra["parts"] == [
        {
            "models": 1,
            "combat": 20,
            "rules": {"huge": 5, "shooter(long)": 7, "tough": 15},
            "sum": 47,
            "factor": 2.0,
            "total": 94.0,
            "points": 94,
        }
    ]
    assert hydra["counts_as"] == ["personality"]
    assert armies.unit("dragons/wyvern").counts_as == ["personality", "animal"]
    assert armies.unit("dread-mould").counts_as == ["animal", "noncombatant"]
    assert armies.unit("rat-swarm").counts_as == ["animal"]
    assert armies.unit("young-dragon").counts_as == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hydro", 'did you mean "hydra"?'),
        ("dragon/hydra", 'no race "dragon" (SBH-ROSTER-03); did you mean "dragons"?'),
        ("elves/hydra", 'no fighter "hydra" among elves (SBH-ROSTER-03); write "dragons/hydra"'),
    ],
)
def test_a_profile_that_is_not_there(armies: SbhArmies, name: str, said: str) -> None:
    with pytest.raises(Problems) as found:
        armies.unit(name)

    assert said in str(found.value)


def test_bands_are_told_with_all_their_fighters(armies: SbhArmies) -> None:
    told = {one.id: one for one in armies.lists()}
    band = armies.army("broken_tusks")

    assert list(told) == list(BANDS.ready)
    assert (band.cost, len(band.units), band.faction) == (292, 7, "orcs_and_goblins")
    assert band.cost == sum(unit.cost for unit in band.units) == told["broken_tusks"].cost
    assert band.units[0].name == {"en": "Ghorrak the Patient", "fr": "Ghorrak le Patient"}
    assert plain(band)["units"][0]["equipment"]["en"] == "mail coat, shield and one-handed weapon"


def test_options_count_for_a_band(armies: SbhArmies) -> None:
    assert armies.army("cellar_kings", {"sbh.pointsSource": "formula"}).cost == armies.army("cellar_kings").cost + 4
    with pytest.raises(Problems, match="SBH-BAND-03"):
        armies.army("cellar_kings", {"sbh.racialBands": "singleRace"})


def test_an_invented_fighter_is_priced_with_his_parts(armies: SbhArmies) -> None:
    told = armies.invented(quality=3, combat=4, rules=("tough", "shooter(long)"))

    assert told.cost == 84
    assert told.parts[0].rules == {"tough": 15, "shooter(long)": 7}
    assert armies.invented(quality=6, combat=0).cost == 1


def test_everything_wrong_with_an_invented_fighter_is_told(armies: SbhArmies) -> None:
    with pytest.raises(Problems) as found:
        armies.invented(quality=7, rules=("touhg",), defense=3)

    assert [problem.where for problem in found.value] == ["quality", "combat", "rules[1]", "defense"]


def test_a_game_that_prices_no_inventions_says_so() -> None:
    with pytest.raises(Problems, match="has no prices for invented units"):
        Armies(BANDS).invented(quality=3)


# -- the command line --------------------------------------------------------------------------------------------------


def test_races_and_bands_are_listed_beside_those_of_other_games(said: Any) -> None:
    _, out, _ = said("army", "list", "--json")
    listed = json.loads(out)

    assert {faction["game"] for faction in listed["factions"]} == {"aof", "sbh"}
    assert [one["id"] for one in listed["lists"] if one["game"] == "sbh"] == list(BANDS.ready)
    assert "They work at night" in said("army", "list", "--game", "sbh")[1]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("elves",), ["Elves", "elf-wizard", "mage, woodsman", "Personality", "spear and shield", "100"]),
        (("green_mile", "--lang", "fr"), ["La Verte Lieue", "297", "Ysil", "Personnage", "dague et arc long"]),
        (("dread-mould",), ["Dread Mould", "6+", "climber, poison, slow, short-move, animal", "non-combatant"]),
        (("stokers+banner",), ["Stokers [banner]", "stoking iron (A1)", "banner"]),
        (("kiln_clans",), ["Kiln Clans", "Kiln Mother", "fire rake (A2, AP(1))", "tokens"]),
    ],
)
def test_races_bands_and_fighters_are_shown(said: Any, arguments: tuple[str, ...], shown: list[str]) -> None:
    code, out, _ = said("army", "show", *arguments)

    assert code == 0
    assert [text for text in shown if text not in out] == []


def test_a_file_is_shown_and_checked_by_the_game_it_is_written_for(said: Any, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(
        'game = "sbh"\nname = "Mine"\nfighters = [{ fighter = "elf-warrior" }, { fighter = "orc-warrior" }]\n'
        'upgrades = ["brave"]\n'
    )
    bad.write_text('game = "sbh"\nfighters = [{ fighter = "vampire" }, { fighter = "elf-warior" }]\n')

    code, out, _ = said("army", "show", str(good))
    assert code == 0
    assert all(text in out for text in ("Mine: 61 of 300 points", "elf_warrior", "Orc Warrior", "Brave"))
    assert "legal; Mine, 61 of 300 points, 2 units" in said("army", "check", str(good))[1]

    code, _, err = said("army", "check", str(bad))
    assert code == 1
    assert "(SBH-BAND-04)" in err
    assert 'fighters[2].fighter: no fighter "elf-warior" (SBH-ROSTER-01); did you mean "elf-warrior"?' in err
    assert "SBH-BAND-03" in said("army", "check", str(good), "--option", "racialBands=singleRace")[2]


def test_points_are_shown_with_their_parts(said: Any) -> None:
    _, out, _ = said("points", "sbh", "giant")
    assert all(text in out for text in ("-5 slow +5 huge +10 long-move +7 shooter(long) +15 tough", "85.5", "86"))

    _, out, _ = said("points", "sbh", "--json")
    assert {(unit["game"], unit["id"]) for unit in json.loads(out)["units"]} == {("sbh", id) for id in cards()}

    _, out, _ = said("points", "giant", "stokers", "third_shift", "--json")
    assert [unit["game"] for unit in json.loads(out)["units"]] == ["sbh", "aof", *["sbh"] * 8]


def test_an_invented_fighter_is_priced_on_the_command_line(said: Any) -> None:
    asked = ("--quality", "3", "--combat", "4", "--rules", "tough, shooter(long)")

    code, out, _ = said("points", "sbh", *asked)
    assert code == 0
    assert "+15 tough +7 shooter(long)" in out
    assert "84" in out
    assert said("points", *asked, "--game", "sbh")[1] == out
    assert json.loads(said("points", "sbh", *asked, "--json")[1])["units"][0]["cost"] == 84


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (("--quality", "3"), "name it first: aof or sbh"),
        (("sbh", "giant", "--quality", "3"), '"giant" besides an invented unit'),
        (("sbh", "--quality", "3"), "combat: missing; expected a whole number from 0 to 6"),
        (("--game", "sbhh", "--quality", "3"), 'no game "sbhh"'),
    ],
)
def test_what_cannot_be_priced_is_answered(said: Any, arguments: tuple[str, ...], answer: str) -> None:
    code, _, err = said("points", *arguments)

    assert code == 1
    assert answer in err
