"""Campaigns: what a battle does to both bands, what each side may then choose, and that no crash loses any of it."""

from __future__ import annotations

import ast
import errno
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.sbh.skirmish import OPTIONS, band, play_all, setup, skirmish

from oriflamme import games
from oriflamme.cli import campaign as campaign_commands
from oriflamme.cli import run, show
from oriflamme.cli import table as table_commands
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.campaign_journal import Fight, March
from oriflamme.engine.core.decisions import PickOne
from oriflamme.engine.core.dice import ScriptedDice
from oriflamme.engine.core.events import Event, Refusal
from oriflamme.engine.core.play import Play
from oriflamme.engine.words import catalogue
from oriflamme.engine.words.problems import Problems
from oriflamme.games import sbh
from oriflamme.games.sbh.campaign import Campaign
from oriflamme.games.sbh.campaign import events as campaign_events
from oriflamme.games.sbh.campaign.aftermath import SCENARIOS, Result, after_battle
from oriflamme.games.sbh.campaign.camp import USEFUL, camp_setup, what_is_wrong
from oriflamme.games.sbh.campaign.series import camp_game
from oriflamme.games.sbh.campaign.voice import CampaignVoice, campaign_sentences
from oriflamme.games.sbh.campaign.warband import PRICES as GAINS
from oriflamme.games.sbh.campaign.warband import Item, Member, Warband, muster
from oriflamme.games.sbh.fighters import UPGRADES, Band
from oriflamme.games.sbh.roster import cards

NAMED = cards()
NAMES = {card.id: card.name for card in NAMED.values()}
RULES = set(catalogue.load("sbh").rules)
ROOT = Path(__file__).parents[2]
TEXT = ROOT / "src/oriflamme/games/sbh/text"
DEFAULTS = skirmish.defaults()


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles of a few dice, wherever somebody looks for the game."""
    # The command line is imported above: a module first read in a test would keep these for good, in other tests too.
    monkeypatch.setattr(games, "ids", lambda: ("sbh",))
    monkeypatch.setattr(games, "load", lambda id: skirmish)
    monkeypatch.setattr(sbh, "game", skirmish)


# -- scenes ------------------------------------------------------------------------------------------------------------


def warband(*fighters: str, side: int = 0, **more: Any) -> Warband:
    return muster(Band.from_data(band(*fighters, **more)), side)


class Aftermath:
    """A battle just fought: side A with these fighters against side B, and how each of them ended."""

    def __init__(
        self,
        fates: str,
        *fighters: str,
        winner: int | None = 0,
        dice: tuple[int, ...] = (),
        victory: tuple[int, int] = (0, 0),
        options: dict[str, str] | None = None,
        bands: list[Warband] | None = None,
        side: int = 0,
        item: dict[str, Any] | None = None,
        items: list[dict[str, Any]] | tuple[()] = (),
        last: bool = False,
    ) -> None:
        names = {"s": "stands", "k": "killed", "t": "trapped", "r": "routed", "l": "left"}
        self.bands = bands or [warband(*(fighters or ("human-warrior",)), side=s) for s in (0, 1)]
        ends: list[dict[str, str]] = [{m.id: "stands" for m in b.fielded()} for b in self.bands]
        ends[side] = {m.id: names[f] for m, f in zip(self.bands[side].fielded(), fates, strict=True)}
        told = {"winner": winner, "scenario": "battle", "victory_points": victory, "fates": ends, "item": item}
        result = msgspec.convert(told | {"items": items}, Result)
        assert result.wrong(self.bands, "battle") is None
        self.dice = ScriptedDice(dice)
        self.events = list(after_battle(self.bands, 1, result, self.dice, DEFAULTS | (options or {}), last=last))
        assert self.dice.unused == ()

    def told(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def a(self) -> Warband:
        return self.bands[0]

    @property
    def b(self) -> Warband:
        return self.bands[1]


def in_camp(band: Warband, *, drawn: bool = False, final: bool = False, **options: str) -> Play:
    changed = {f"sbh.{key}": value for key, value in options.items()}
    return Play(camp_game, camp_setup(0, 2, band, DEFAULTS | changed, drawn=drawn, final=final), 1)


def asked(camp: Play) -> PickOne:
    decision = camp.pending[0]
    assert isinstance(decision, PickOne)
    return decision


def do(camp: Play, *answers: str) -> Warband:
    """Answer what is asked; all of it must be accepted."""
    for answer in answers:
        refusal = camp.answer(asked(camp).side, answer)
        assert refusal is None, (answer, refusal)
    found: Warband = camp.battle.band
    return found


def refused(camp: Play, answer: str) -> Refusal:
    before = camp.battle.fingerprint()
    refusal = camp.answer(asked(camp).side, answer)
    assert refusal is not None
    assert camp.battle.fingerprint() == before
    return refusal


def new(
    path: Path, *, battles: int = 3, seed: int = 7, seats: tuple[str, str] = ("captain", "random"), **more: Any
) -> Campaign:
    return Campaign.new(path, skirmish, battles=battles, seed=seed, seats=seats, setup=setup(**more))


def member(id: str, where: Warband) -> Member:
    return where.member(id)


# -- SBH-CAMP-01 and -02: a series of scenarios ------------------------------------------------------------------------


@pytest.mark.parametrize("battles", [1, 3, 5, 20])
def test_a_campaign_is_so_many_battles_and_no_more(tmp_path: Path, battles: int) -> None:
    with new(tmp_path / "x.campaign", battles=battles) as campaign:
        play_all(campaign)

        fought = [entry.battle for entry in campaign.entries if isinstance(entry, Fight)]
        assert fought == list(range(1, battles + 1))
        assert campaign.over


@pytest.mark.parametrize("battles", [0, 21, -1])
def test_a_campaign_of_no_battle_or_of_too_many_is_refused_with_its_rule(tmp_path: Path, battles: int) -> None:
    with pytest.raises(Problems) as found:
        new(tmp_path / "x.campaign", battles=battles)

    problem = found.value.problems[0]
    assert (problem.where, problem.rule) == ("battles", "SBH-CAMP-01")
    assert "3 to 5 are recommended" in str(problem.hint)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("score", "earned", "spent", "winner"),
    [
        ("earned", (12, 8), (12, 0), 0),  # spending does not lower the score
        ("unspent", (12, 8), (12, 0), 1),
        ("earned", (8, 8), (8, 0), None),
        ("unspent", (12, 8), (4, 0), None),
    ],
)
def test_most_victory_points_win_the_campaign(
    tmp_path: Path, score: str, earned: tuple[int, int], spent: tuple[int, int], winner: int | None
) -> None:
    with new(tmp_path / "x.campaign", options={"sbh.campaignScore": score}) as campaign:
        for side, own in enumerate(campaign.bands):
            own.earned, own.spent = earned[side], spent[side]
        assert campaign.winner is None  # nobody has won before the end
        campaign.stage = "over"

        assert campaign.winner == winner


def test_the_end_tells_the_score_of_the_whole_campaign(tmp_path: Path) -> None:
    with new(tmp_path / "x.campaign", seed=3) as campaign:
        play_all(campaign)

        banked = [one.event for one in campaign.log() if isinstance(one.event, campaign_events.VictoryBanked)]
        end = campaign.log()[-1].event
        assert isinstance(end, campaign_events.CampaignEnded)
        assert end.score == tuple(sum(e.points for e in banked if e.side == side) for side in (0, 1))
        assert end.winner == (-1 if end.score[0] == end.score[1] else int(end.score[1] > end.score[0]))
        assert end.rule == "SBH-CAMP-01"


def test_the_die_chooses_among_the_six_scenarios_of_the_table(tmp_path: Path) -> None:
    table = {1: "battle", 2: "ambush", 3: "treasure", 4: "power", 5: "hard", 6: "item"}
    seen = {}
    for seed in range(40):
        with new(tmp_path / f"{seed}.campaign", seed=seed) as campaign:
            campaign.march()
            entry = campaign.entries[-1]
            assert isinstance(entry, March)
            event = campaign.events[-1].event
            assert isinstance(event, campaign_events.ScenarioSet)
            assert entry.dice == [event.face]
            assert event.rule == "SBH-CAMP-02"
            assert campaign.battle_setup()["scenario"] == event.scenario == campaign.scenario
            seen[event.face] = event.scenario

    assert seen == table
    assert tuple(table[face] for face in range(1, 7)) == SCENARIOS


def test_the_scenario_is_rolled_only_when_both_bands_are_chosen(tmp_path: Path) -> None:
    with new(tmp_path / "x.campaign", seed=3, seats=("captain", "captain")) as campaign:
        fight_until_somebody_chooses(campaign)
        assert not campaign.revealed

        campaign.march()

        assert campaign.stage == "camp"
        assert campaign.scenario == ""
        campaign.choose_by_bots()
        campaign.march()
        assert campaign.stage == "battle"


def fight_until_somebody_chooses(campaign: Campaign) -> None:
    campaign.fight_by_bots()
    while campaign.revealed and not campaign.over:
        campaign.fight_by_bots()


# -- SBH-CAMP-03 to -05: who lives -------------------------------------------------------------------------------------


@pytest.mark.parametrize("winner", [0, 1, None])
@pytest.mark.parametrize("fate", ["l", "r"])
def test_who_left_or_routed_survives_on_either_side_and_plays_the_next_game(winner: int | None, fate: str) -> None:
    after = Aftermath(fate + "s", "human-warrior", "human-archer", winner=winner)

    assert [m.id for m in after.a.fielded()] == ["a_human_warrior", "a_human_archer"]
    assert after.a.dead == []
    assert [f["hurt"] for f in after.a.for_battle()["fighters"]] == [0, 0]
    came = after.told(campaign_events.FighterCameBack)
    assert [(e.rule, e.fighter) for e in came] == [("SBH-CAMP-03", "a_human_warrior")]


@pytest.mark.parametrize(
    ("dice", "outcome", "dead", "absent", "hurt"),
    [
        ((3, 4, 6), "unharmed", False, False, 0),
        ((3, 2, 5), "hurt", False, False, 1),
        ((1, 2, 3), "absent", False, True, 0),
        ((1, 2, 2), "dead", True, False, 0),
    ],
)
@pytest.mark.parametrize("fate", ["k", "t"])
@pytest.mark.parametrize("winner", [0, None])
def test_the_survival_table(
    winner: int | None, fate: str, dice: tuple[int, ...], outcome: str, dead: bool, absent: bool, hurt: int
) -> None:
    after = Aftermath(fate, "human-warrior", winner=winner, dice=dice)  # Quality 3+

    rolled = after.told(campaign_events.SurvivalRolled)[0]
    assert (rolled.faces, rolled.needed, rolled.outcome) == (dice, 3, outcome)
    assert rolled.successes == sum(face >= 3 for face in dice)
    assert rolled.rule == ("SBH-CAMP-04" if winner == 0 else "SBH-CAMP-12")
    assert bool(after.a.dead) is dead
    assert [(m.absent, m.fighter.hurt) for m in after.a.members] == ([] if dead else [(absent, hurt)])


def test_a_wound_is_felt_in_the_next_game_and_in_no_other() -> None:
    after = Aftermath("ks", "human-warrior", "human-archer", dice=(3, 2, 5))
    assert [f["hurt"] for f in after.a.for_battle()["fighters"]] == [1, 0]

    again = Aftermath("ss", bands=after.bands)

    assert [f["hurt"] for f in again.a.for_battle()["fighters"]] == [0, 0]
    assert [e.fighter for e in again.told(campaign_events.FighterRecovered)] == ["a_human_warrior"]


def test_one_success_misses_a_game_and_returns_wounded_for_one() -> None:
    after = Aftermath("ks", "human-warrior", "human-archer", dice=(1, 2, 3))
    assert [f["id"] for f in after.a.for_battle()["fighters"]] == ["a_human_archer"]

    second = Aftermath("s", bands=after.bands)
    assert [(f["id"], f["hurt"]) for f in second.a.for_battle()["fighters"]] == [
        ("a_human_warrior", 1),
        ("a_human_archer", 0),
    ]
    assert [e.fighter for e in second.told(campaign_events.FighterReturned)] == ["a_human_warrior"]

    third = Aftermath("ss", bands=second.bands)
    assert [f["hurt"] for f in third.a.for_battle()["fighters"]] == [0, 0]


def test_a_wound_does_not_count_in_the_survival_roll_and_gives_way_to_the_new_result() -> None:
    after = Aftermath("k", "human-warrior", dice=(3, 2, 5))
    again = Aftermath("k", bands=after.bands, dice=(3, 3, 3))

    assert again.told(campaign_events.SurvivalRolled)[0].outcome == "unharmed"
    assert again.a.members[0].fighter.hurt == 0


def test_experience_counts_in_the_survival_roll() -> None:
    bands = [warband("human-warrior", side=side) for side in (0, 1)]
    bands[0].members[0].experience = 3
    bands[0].members[0].train("quality", DEFAULTS)

    after = Aftermath("k", bands=bands, dice=(2, 2, 2))

    assert after.told(campaign_events.SurvivalRolled)[0].outcome == "unharmed"


def test_a_hero_always_has_one_success() -> None:
    bands = [warband("goblin-hero", "goblin-warrior*8", side=side) for side in (0, 1)]

    after = Aftermath("k" + "s" * 8, bands=bands, dice=(1, 1))  # two dice are rolled, not three

    rolled = after.told(campaign_events.SurvivalRolled)[0]
    assert (rolled.faces, rolled.successes, rolled.outcome) == ((6, 1, 1), 1, "absent")


def test_all_eliminated_fighters_of_the_loser_are_dead() -> None:
    after = Aftermath("ktsl", "human-warrior*4", winner=1)  # and no die is thrown

    assert [m.id for m in after.a.dead] == ["a_human_warrior_1", "a_human_warrior_2"]
    assert [m.id for m in after.a.members] == ["a_human_warrior_3", "a_human_warrior_4"]
    assert [e.rule for e in after.told(campaign_events.FighterDied)] == ["SBH-CAMP-05"] * 2


# -- SBH-CAMP-06: reinforcements ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winner", "dice", "points"), [(0, (1, 1, 1, 1, 1, 1), 74), (1, (), 74), (0, (1, 1, 1, 6, 1, 1), 30)]
)
def test_both_sides_get_back_the_points_of_their_dead(winner: int, dice: tuple[int, ...], points: int) -> None:
    after = Aftermath("kks", "human-warrior", "human-archer", "human-thief", winner=winner, dice=dice)

    granted = after.told(campaign_events.ReinforcementsGranted)
    assert [(e.side, e.points, e.personalities, e.rule) for e in granted] == [(0, points, winner == 0, "SBH-CAMP-06")]
    assert after.a.reinforcements == points
    assert after.b.reinforcements == 0


def test_the_points_of_the_dead_buy_fighters_for_the_next_scenario() -> None:
    after = Aftermath("kks", "human-warrior*2", "human-archer", winner=1)  # 60 points
    camp = in_camp(after.a)

    own = do(camp, "reinforce", "humans", "human-heavy-infantry", "reinforce", "undead", "back", "ready")

    assert [m.id for m in own.fielded()] == ["a_human_archer", "a_human_heavy_infantry"]
    assert camp.over
    joined, lost = camp.events
    assert isinstance(joined, campaign_events.FighterJoined)
    assert (joined.cost, joined.left, joined.coin, joined.rule) == (26, 34, "reinforcements", "SBH-CAMP-06")
    assert isinstance(lost, campaign_events.ReinforcementsLost)
    assert (lost.points, own.reinforcements) == (34, 0)


def test_a_fighter_may_cost_all_that_is_left_but_not_a_point_more() -> None:
    own = warband("human-warrior*3")
    own.reinforcements = 30
    camp = in_camp(own)
    do(camp, "reinforce", "humans")

    assert "human-warrior" in asked(camp).keys()
    assert refused(camp, "human-barbarian-warrior") == Refusal(
        "SBH-CAMP-06",
        "too_dear",
        {
            "cost": 36,
            "left": 30,
            "coin": "reinforcements",
            "card": {"en": "Human Barbarian Warrior", "fr": NAMES["human-barbarian-warrior"]["fr"]},
        },
    )


@pytest.mark.parametrize(
    ("hires", "drawn", "rule"), [(False, False, "SBH-CAMP-06"), (False, True, "SBH-CAMP-12"), (True, False, None)]
)
def test_only_the_winner_may_buy_personalities(hires: bool, drawn: bool, rule: str | None) -> None:
    own = warband("human-warrior*6")
    own.reinforcements, own.hires = 60, hires
    camp = in_camp(own, drawn=drawn)
    do(camp, "reinforce", "humans")

    if rule is None:
        assert do(camp, "human-leader").members[-1].id == "a_human_leader"
    else:
        refusal = refused(camp, "human-leader")
        assert (refusal.rule, refusal.why) == (rule, "no_personalities")
        assert all(not NAMED[key].personality for key in asked(camp).keys() if key != "back")


@pytest.mark.parametrize(("warriors", "allowed"), [(4, True), (3, False)])
def test_a_third_is_taken_of_what_the_resulting_band_is_worth(warriors: int, allowed: bool) -> None:
    """Four warriors and a leader are worth 180, a third is 60; three and a leader 150, a third is 50."""
    own = warband(f"human-warrior*{warriors}")
    own.reinforcements, own.hires = 60, True
    camp = in_camp(own)
    do(camp, "reinforce", "humans")

    assert ("human-leader" in asked(camp).keys()) is allowed
    if not allowed:
        refusal = refused(camp, "human-leader")
        assert (refusal.rule, refusal.facts["worth"], refusal.facts["third"]) == ("SBH-BAND-04", 60, 50)


def test_a_third_is_rounded_down() -> None:
    """Seven spearmen at 11 with a hero of 54 are worth 131, a third is 43; what two thirds more would need is 54."""
    own = warband("halfling-spearman*9")  # 99 and 54 are 153, a third is 51
    own.reinforcements, own.hires = 54, True
    camp = in_camp(own)
    do(camp, "reinforce", "halflings")
    assert refused(camp, "halfling-hero").facts["third"] == 51

    own = warband("halfling-spearman*10")  # 110 and 54 are 164, a third is 54 and two thirds of a point
    own.reinforcements, own.hires = 54, True
    assert "a_halfling_hero" in [m.id for m in do(in_camp(own), "reinforce", "halflings", "halfling-hero").members]


def test_personalities_that_survived_count_against_the_third_but_never_have_to_go() -> None:
    after = Aftermath("skkkk", "human-leader", "human-warrior*4", dice=(1,) * 12)
    camp = in_camp(after.a)  # only the leader is left, 120 points to spend

    do(camp, "reinforce", "humans")
    assert refused(camp, "human-mage").rule == "SBH-BAND-04"
    own = do(camp, *("human-warrior", "reinforce", "humans") * 3, "human-warrior")

    assert own.members[0].id == "a_human_leader"
    assert own.value == 180


@pytest.mark.parametrize(("warriors", "allowed"), [(1, True), (0, False)])
def test_at_most_half_of_the_resulting_band_are_animals(warriors: int, allowed: bool) -> None:
    own = warband("human-warrior", "lion", *(["human-archer"] * warriors))
    own.reinforcements = 40
    camp = in_camp(own)
    do(camp, "reinforce")

    if allowed:
        do(camp, "giant_animals", "giant-bear")
    else:
        assert refused(camp, "giant_animals").why == "nobody_of_race"
        do(camp, "humans")
        refusal = refused(camp, "giant-bear")
        assert (refusal.rule, refusal.facts["animals"], refusal.facts["fighters"]) == ("SBH-BAND-06", 2, 3)


def test_non_combatants_are_not_for_hire() -> None:
    own = warband("human-warrior*3")
    own.reinforcements = 30
    camp = in_camp(own)
    do(camp, "reinforce", "humans")

    assert refused(camp, "human-peasant").rule == "SBH-BAND-07"


def test_a_new_swarm_comes_with_two_bases_and_grows_by_one() -> None:
    own = warband("human-warrior*5")
    own.reinforcements = 33
    camp = in_camp(own)

    do(camp, "reinforce", "swarms", "ant-swarm")
    assert (len(own.members), len(camp.battle.band.members), camp.battle.band.reinforcements) == (5, 7, 11)
    do(camp, "reinforce", "swarms", "ant-swarm")
    assert (len(camp.battle.band.members), camp.battle.band.reinforcements) == (8, 0)


def test_racial_bands_stay_of_one_race_where_that_was_agreed() -> None:
    own = warband("human-warrior*3")
    own.reinforcements = 40

    assert set(races_offered(in_camp(own.copy()))) > {"humans", "elves", "undead"}
    assert races_offered(in_camp(own.copy(), racialBands="singleRace")) == ["humans"]


def races_offered(camp: Play) -> list[str]:
    do(camp, "reinforce")
    return [key for key in asked(camp).keys() if key != "back"]


@pytest.mark.parametrize(("source", "cost"), [("printed", 64), ("formula", 94)])
def test_reinforcements_cost_what_was_agreed(source: str, cost: int) -> None:
    own = warband("human-warrior*9")
    own.reinforcements, own.hires = 94, True
    camp = in_camp(own, pointsSource=source)
    do(camp, "reinforce", "dragons", "hydra")

    assert camp.battle.band.reinforcements == 94 - cost


def test_a_profile_that_players_invented_can_be_bought_again() -> None:
    custom = [{"id": "warden", "name": "Warden", "quality": 3, "combat": 4}]
    own = warband("human-warrior", "warden*2", custom=custom)
    own.dead = [own.members.pop()]
    own.reinforcements = 40

    found = do(in_camp(own), "reinforce", "own", "warden").members[-1]

    assert (found.id, found.fighter.name["en"], found.fighter.combat) == ("a_warden_3", "Warden 3", 4)


# -- SBH-CAMP-07 and -08: experience -----------------------------------------------------------------------------------


def test_after_a_victory_each_survivor_who_is_no_animal_gets_one_point() -> None:
    """Standing, fled, routed, back from the dead, and missing the next game: all but the dead and the animals."""
    fighters = ("human-thief*6", "lion*2", "rat-swarm*2")
    dice = (3, 3, 3, 1, 2, 3, 1, 1, 1)
    after = Aftermath("slrkkkssss", *fighters, dice=dice)

    gained = {m.id: m.experience for m in (*after.a.members, *after.a.dead)}
    assert gained == {
        **{f"a_human_thief_{n}": 1 for n in range(1, 6)},
        "a_human_thief_6": 0,
        "a_lion_1": 0,
        "a_lion_2": 0,
        "a_rat_swarm_1": 0,
        "a_rat_swarm_2": 0,
    }
    assert [m.experience for m in after.b.members] == [0] * 10
    told = after.told(campaign_events.ExperienceGained)
    assert [(e.rule, len(e.fighters)) for e in told] == [("SBH-CAMP-07", 5)]


def test_who_missed_the_battle_learned_nothing_from_it() -> None:
    after = Aftermath("ks", "human-warrior", "human-archer", dice=(1, 2, 3))
    again = Aftermath("s", bands=after.bands)

    assert {m.id: m.experience for m in again.a.members} == {"a_human_warrior": 1, "a_human_archer": 2}


def veteran(card: str, experience: int, side: int = 0) -> Warband:
    own = warband(card, "human-warrior*3", side=side)
    own.members[0].experience = experience
    return own


@pytest.mark.parametrize(
    ("gain", "cost"),
    [("quality", 3), ("combat", 3), ("shooter(short)", 2), ("shooter(medium)", 3), ("shooter(long)", 5)],
)
def test_what_experience_buys_and_for_how_much(gain: str, cost: int) -> None:
    key = f"a_human_thief:{gain}"
    poor = in_camp(veteran("human-thief", cost - 1))
    if poor.pending:
        do(poor, "train")
        refusal = refused(poor, key)
        assert (refusal.rule, refusal.facts["cost"], refusal.facts["left"]) == ("SBH-CAMP-08", cost, cost - 1)
    else:
        assert cost == 2  # one point buys nothing at all, so nothing is asked

    camp = in_camp(veteran("human-thief", cost))
    own = do(camp, "train", key)

    thief = own.members[0]
    assert thief.experience == 0
    assert thief.gains == [gain]
    assert thief.fighter.quality == (2 if gain == "quality" else 3)
    assert thief.fighter.combat == (3 if gain == "combat" else 2)
    assert thief.fighter.rules == (("stealthy",) if gain in ("quality", "combat") else ("stealthy", gain))
    event = camp.events[0]
    assert isinstance(event, campaign_events.FighterTrained)
    assert (event.rule, event.cost, event.left) == ("SBH-CAMP-08", cost, 0)


def test_quality_is_never_better_than_two() -> None:
    camp = in_camp(veteran("elf-warrior", 3))  # Quality 2+
    do(camp, "train")

    assert refused(camp, "a_elf_warrior:quality").why == "best_quality"
    assert do(camp, "a_elf_warrior:combat").members[0].fighter.combat == 4


def test_a_better_range_is_bought_at_full_price_and_replaces_the_old_one() -> None:
    camp = in_camp(veteran("human-light-infantry", 6))  # Shooter (medium)
    do(camp, "train")
    for worse in ("shooter(short)", "shooter(medium)"):
        assert refused(camp, f"a_human_light_infantry:{worse}").why == "no_better_range"

    trained = do(camp, "a_human_light_infantry:shooter(long)").members[0]

    assert trained.fighter.rules == ("shooter(long)",)
    assert trained.experience == 1


def test_points_that_are_not_spent_are_kept() -> None:
    camp = in_camp(veteran("human-thief", 2))

    assert do(camp, "ready").members[0].experience == 2


def test_animals_gain_no_experience() -> None:
    own = warband("human-warrior", "lion")
    own.members[0].experience = 3
    camp = in_camp(own)
    do(camp, "train")

    assert refused(camp, "a_lion:combat").rule == "SBH-SR-ANIMAL-01"


# -- SBH-CAMP-09 to -11: victory points --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bank", "winner", "earned"),
    [
        ("winnerOnly", 0, (4, 0)),
        ("winnerOnly", 1, (0, 6)),
        ("bothSides", 0, (4, 6)),
        ("bothSides", 1, (4, 6)),
        ("winnerOnly", None, (0, 0)),
        ("bothSides", None, (0, 0)),
    ],
)
def test_who_receives_victory_points(bank: str, winner: int | None, earned: tuple[int, int]) -> None:
    after = Aftermath("s", winner=winner, victory=(4, 6), options={"sbh.bankVictoryPoints": bank})

    assert (after.a.earned, after.b.earned) == earned
    told = {e.side: e.points for e in after.told(campaign_events.VictoryBanked)}
    assert told == {side: points for side, points in enumerate(earned) if points}


def rich(*fighters: str, victory: int) -> Warband:
    own = warband(*(fighters or ("human-warrior*6",)))
    own.earned = victory
    return own


def test_an_upgrade_costs_ten_victory_points_and_is_bought_once() -> None:
    camp = in_camp(rich(victory=29))
    own = do(camp, "upgrade", "brave")
    assert (own.upgrades, own.purse, own.earned) == (["brave"], 19, 29)

    do(camp, "upgrade")
    assert refused(camp, "brave") == Refusal("SBH-CAMP-10", "upgrade_held", {"upgrade": "brave"})
    do(camp, "hard_bitten")
    assert own.purse == 9
    assert refused(camp, "upgrade") == Refusal("SBH-CAMP-10", "no_upgrade", {"cost": 10, "left": 9})
    assert own.for_battle()["upgrades"] == ["brave", "hard_bitten"]


def test_all_nine_upgrades_can_be_bought() -> None:
    camp = in_camp(rich(victory=90))
    for name in UPGRADES:
        do(camp, "upgrade", name)

    assert camp.battle.band.upgrades == list(UPGRADES)
    assert camp.battle.band.purse == 0
    assert camp.over  # nothing is left to choose
    assert set(USEFUL) == set(UPGRADES)


def test_twenty_victory_points_buy_a_forty_point_fighter() -> None:
    """The example of the book, and one victory point too few."""
    camp = in_camp(rich(victory=20))
    own = do(camp, "recruit", "dwarves", "dwarf-troll-slayer")
    assert (own.members[-1].id, own.purse, own.earned) == ("a_dwarf_troll_slayer", 0, 20)

    camp = in_camp(rich(victory=19))
    do(camp, "recruit", "dwarves")
    refusal = refused(camp, "dwarf-troll-slayer")
    assert (refusal.rule, refusal.facts["cost"], refusal.facts["left"]) == ("SBH-CAMP-11", 20, 19)


def test_half_a_victory_point_is_paid_in_full() -> None:
    camp = in_camp(rich(victory=8))  # a goblin warrior is worth 15

    assert do(camp, "recruit", "orcs_and_goblins", "goblin-warrior").purse == 0


def test_recruits_may_be_personalities_whoever_won() -> None:
    own = rich(victory=30)
    own.hires = False

    assert do(in_camp(own), "recruit", "humans", "human-leader").members[-1].id == "a_human_leader"


def test_recruits_are_held_to_the_limits_too() -> None:
    camp = in_camp(rich("human-warrior*3", victory=30))
    do(camp, "recruit", "humans")

    assert refused(camp, "human-leader").rule == "SBH-BAND-04"


@pytest.mark.parametrize(
    ("victory", "final", "score", "bought"),
    [
        (14, False, "earned", ["upgrade"]),
        (14, True, "earned", ["upgrade", "recruit"]),
        (9, False, "earned", []),  # saved up for an upgrade
        (9, True, "earned", ["recruit"]),
        (40, True, "unspent", []),  # they decide the campaign
    ],
)
def test_bots_spend_victory_points_with_sense(victory: int, final: bool, score: str, bought: list[str]) -> None:
    camp = in_camp(rich(victory=victory), final=final, campaignScore=score)
    done = []
    while camp.pending:
        answer = asked(camp).suggestion()
        done += [answer] if asked(camp).ask == "prepare" else []
        do(camp, answer)

    assert done[-1:] in (["ready"], bought[-1:])
    assert [key for key in done if key != "ready"] == bought


# -- SBH-CAMP-12: draws ------------------------------------------------------------------------------------------------


def test_a_draw_rolls_for_both_sides_and_gives_nobody_anything() -> None:
    bands = [warband("human-warrior", "human-archer", side=side) for side in (0, 1)]
    for side in (0, 1):
        after = Aftermath("ks", bands=bands, winner=None, side=side, dice=(1, 1, 1), victory=(5, 5))
        assert [m.id for m in bands[side].dead] == [f"{'ab'[side]}_human_warrior"]
        granted = after.told(campaign_events.ReinforcementsGranted)
        assert [(e.side, e.points, e.personalities, e.rule) for e in granted] == [(side, 30, False, "SBH-CAMP-12")]
        bands[side] = warband("human-warrior", "human-archer", side=side)

    assert [(b.earned, [m.experience for m in b.members]) for b in bands] == [(0, [0, 0])] * 2


# -- SBH-CAMP-13 and SBH-TARGET-02: what improved fighters are worth ---------------------------------------------------


@pytest.mark.parametrize(("ruling", "value"), [("free", 30), ("formula", 40)])
def test_what_an_improved_fighter_is_worth(ruling: str, value: int) -> None:
    """Combat 4 at Quality 3+ costs 20 × 4 ÷ 2 = 40 by the formula; the roster's 30 stay for choosing targets."""
    own = do(in_camp(veteran("human-warrior", 3), experienceCost=ruling), "train", "a_human_warrior_1:combat")

    assert own.members[0].value == value
    assert own.value == value + 90
    told = own.for_battle()["fighters"][0]
    assert told["points"] == 30
    assert told.get("value", 30) == value

    after = Aftermath("ksss", bands=[own, warband("human-warrior", side=1)], winner=1)
    assert after.a.reinforcements == value


# -- SBH-SCEN-ITEM-08: the magic item ----------------------------------------------------------------------------------

JAVELINS = {"kind": "javelins", "left": 4, "quality": 0}


def held(side: int, fighter: str, **item: Any) -> dict[str, Any]:
    return {"side": side, "fighter": fighter, "item": JAVELINS | item}


@pytest.mark.parametrize(("winner", "kept"), [(0, True), (1, False), (None, False)])
def test_the_winner_keeps_the_item_and_a_loser_who_holds_it_loses_it(winner: int | None, kept: bool) -> None:
    after = Aftermath("s", winner=winner, item=held(0, "a_human_warrior"))

    fighter = after.a.for_battle()["fighters"][0]
    assert fighter["item"] == (JAVELINS if kept else None)
    assert bool(after.told(campaign_events.ItemKept)) is kept
    assert bool(after.told(campaign_events.ItemLost)) is not kept
    assert after.b.items == []


def with_item(*fighters: str, bearer: str = "") -> Warband:
    own = warband(*fighters)
    own.items = [Item("javelins", 4, bearer=bearer)]
    return own


def test_before_each_game_the_item_may_go_to_another_fighter_but_not_to_an_animal() -> None:
    own = with_item("human-warrior", "human-archer", "human-thief", "lion", bearer="a_human_warrior")
    own.members[2].absent = True
    camp = in_camp(own)
    do(camp, "give:0")

    assert asked(camp).keys() == ("a_human_warrior", "a_human_archer", "nobody")
    assert refused(camp, "a_lion").rule == "SBH-SR-ANIMAL-03"
    assert refused(camp, "a_human_thief").why == "misses_game"
    chosen = do(camp, "a_human_archer")
    assert {f["id"]: f["item"] for f in chosen.for_battle()["fighters"]} == {
        "a_human_warrior": None,
        "a_human_archer": JAVELINS,
        "a_lion": None,
    }
    assert camp.events[0] == campaign_events.ItemGiven("SBH-SCEN-ITEM-08", 0, "javelins", "a_human_archer")

    nobody = do(camp, "give:0", "nobody")
    assert all(f["item"] is None for f in nobody.for_battle()["fighters"])
    assert nobody.items == [Item("javelins", 4)]


def test_nobody_bears_two_items() -> None:
    own = with_item("human-warrior", "human-archer", bearer="a_human_warrior")
    own.items.append(Item("ring"))
    camp = in_camp(own)
    do(camp, "give:1")

    assert refused(camp, "a_human_warrior").why == "bears_another"
    assert do(camp, "a_human_archer").items[1].bearer == "a_human_archer"


def test_an_item_brought_along_comes_back_as_it_is_or_not_at_all() -> None:
    def after(fates: str, winner: int | None, items: list[dict[str, Any]]) -> list[Item]:
        own = with_item("human-warrior", "human-archer", bearer="a_human_warrior")
        dice = (3, 3, 3) if "k" in fates and winner != 1 else ()
        bands = [own, warband("human-warrior", side=1)]
        return Aftermath(fates, bands=bands, winner=winner, items=items, dice=dice).a.items

    three = Item("javelins", 3, bearer="a_human_warrior")
    assert after("ss", 0, [held(0, "a_human_warrior", left=3)]) == [three]
    assert after("ss", 1, [held(0, "a_human_warrior", left=3)]) == [three]  # later defeats do not take it away
    assert after("ss", 0, []) == []  # drained
    passed_on = Item("javelins", 4, bearer="a_human_archer")
    assert after("ks", 0, [held(0, "a_human_archer")]) == [passed_on]
    lying = Item("javelins", 3, bearer="")
    assert after("ks", 0, [held(-1, "", left=3)]) == [lying]  # the field is ours
    assert after("ks", 1, [held(-1, "", left=3)]) == []  # or theirs
    assert after("ks", None, [held(-1, "", left=3)]) == []  # or nobody's


@pytest.mark.parametrize(("winner", "theirs"), [(1, 1), (0, 0), (None, 0)])
def test_an_item_taken_from_the_enemy_is_kept_by_a_winner_only(winner: int | None, theirs: int) -> None:
    own = with_item("human-warrior", "human-archer", bearer="a_human_warrior")
    bands = [own, warband("human-warrior", side=1)]
    dice = () if winner == 1 else (3, 3, 3)

    after = Aftermath("ks", bands=bands, winner=winner, items=[held(1, "b_human_warrior")], dice=dice)

    assert (len(after.a.items), len(after.b.items)) == (0, theirs)
    assert [(e.side, e.rule) for e in after.told(campaign_events.ItemLost)] == [(0, "SBH-SCEN-ITEM-08")]


def test_an_item_left_in_camp_is_kept_and_a_dead_bearer_leaves_it_to_others() -> None:
    own = with_item("human-warrior", "human-archer", bearer="")
    bands = [own, warband("human-warrior", side=1)]
    assert Aftermath("ss", bands=bands, winner=1, items=[]).a.items == [Item("javelins", 4)]

    own.items[0].bearer = "a_human_warrior"
    after = Aftermath("ks", bands=bands, dice=(1, 1, 1), items=[held(-1, "")])
    assert after.a.items == [Item("javelins", 4, bearer="")]


def test_nothing_else_of_a_battle_is_carried_into_the_next() -> None:
    """Lost magic, lost healing powers (SBH-SR-PRIEST-04), poison, wounds: a fighter begins each game as he is."""
    bands = [warband("human-priest", "human-warrior*4", side=side) for side in (0, 1)]
    before = bands[0].for_battle()

    after = Aftermath("sssss", bands=bands, winner=1)

    assert after.a.for_battle() == before
    assert set(before["fighters"][0]) == {
        "id", "card", "race", "name", "points", "quality", "combat", "rules", "hurt", "item",
    }  # fmt: skip


# -- nobody left to fight ----------------------------------------------------------------------------------------------


def test_a_band_that_can_have_a_fighter_does_not_go_without_one() -> None:
    own = warband("human-warrior")
    own.members[0].absent = True
    own.reinforcements = 30
    camp = in_camp(own)
    assert asked(camp).ask == "choose_race"  # there is nothing else to do

    do(camp, "humans", "back", "humans", "human-thief")
    assert camp.over


def test_a_game_for_which_a_band_has_nobody_passes_without_a_battle(tmp_path: Path) -> None:
    with new(tmp_path / "x.campaign", seats=("captain", "captain")) as campaign:
        for one in campaign.bands[1].members:
            one.absent = True

        campaign.march()

        assert campaign.number == 2
        assert campaign.events[0].event == campaign_events.BattleNotFought("SBH-CAMP-04", 1, 1)
        assert {m.fighter.hurt for m in campaign.band(1).members} == {1}
        assert {m.fighter.hurt for m in campaign.band(0).members} == {0}
        assert campaign.bands[0].earned == 0


# -- choosing in secret (decision 29) ----------------------------------------------------------------------------------


def test_neither_side_sees_what_the_other_chooses_before_both_are_ready(tmp_path: Path) -> None:
    with new(tmp_path / "x.campaign", seed=11, seats=("human", "human")) as campaign:
        reach_two_camps(campaign)
        before, log = campaign.data(), campaign.log()
        camps = [campaign.camps[0], campaign.camps[1]]
        buy = ["reinforce", "humans", "human-warrior"]

        assert [campaign.choose(0, answer) for answer in buy] == [None] * 3

        assert campaign.data() == before
        assert campaign.log() == log
        assert campaign.data(secrets=[0]) != before
        assert camps[1] is campaign.camps[1]
        assert camps[1] is not None
        assert "a_" not in json.dumps(camps[1].view(1).data())
        assert all(decision.secret for camp in campaign.camps if camp is not None for decision in camp.pending)

        for side in (0, 1):
            campaign.choose(side, "ready")
        assert campaign.revealed
        assert len(campaign.log()) > len(log)


def reach_two_camps(campaign: Campaign) -> None:
    """Both sides have lost somebody: both have something to buy."""
    campaign.march()
    play = campaign.battle()
    ends = play.battle.fates
    for side in (0, 1):
        for id in list(ends[side])[:3]:
            ends[side][id] = "killed"
    play.battle.over, play.battle.winner, play.pending = True, None, ()
    campaign.conclude(play)
    for side in (0, 1):
        campaign.bands[side].reinforcements = 90
        own = camp_setup(side, campaign.number, campaign.bands[side], campaign.options, drawn=True)
        campaign.camps[side] = Play(camp_game, own, 1)


def test_an_answer_can_be_taken_back_until_the_side_is_ready(tmp_path: Path) -> None:
    with new(tmp_path / "x.campaign", seed=3, seats=("human", "captain")) as campaign:
        fight_with_suggestions_until_camp(campaign)
        at_first = msgspec.to_builtins(campaign.band(0))
        for answer in (READY_BOUGHT := first_purchase(campaign)):
            assert campaign.choose(0, answer) is None
        assert msgspec.to_builtins(campaign.band(0)) != at_first

        assert campaign.take_back(0, len(READY_BOUGHT))

        assert msgspec.to_builtins(campaign.band(0)) == at_first
        assert not campaign.take_back(0)
        path, told = campaign.path, campaign.data(secrets=[0, 1])
    again = Campaign.read(path)
    assert again.data(secrets=[0, 1]) == told


def first_purchase(campaign: Campaign) -> list[str]:
    """What the advice would do first, as answers."""
    camp = campaign.camp(0)
    assert camp is not None
    fork = camp.twin()
    answers = []
    for _ in range(3):
        if not fork.pending:
            break
        answers.append(fork.pending[0].suggestion())
        fork.answer(0, answers[-1])
        if fork.pending and fork.pending[0].ask == "prepare":
            break
    return answers


def fight_with_suggestions_until_camp(campaign: Campaign) -> None:
    """Everybody fights as he is advised until a person has something to choose."""
    while campaign.camp(0) is None and not campaign.over:
        campaign.choose_by_bots()
        campaign.march()
        play = campaign.battle()
        while play.pending:
            play.answer(play.pending[0].side, play.pending[0].suggestion())
        campaign.conclude(play)
    assert campaign.camp(0) is not None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_chosen_by_chance_leaves_a_band_that_can_be(tmp_path: Path, seed: int) -> None:
    options = {key: values[seed % len(values)] for key, values in OPTIONS.items() if key != "sbh.racialBands"}
    with new(tmp_path / "x.campaign", seed=seed, battles=6, seats=("random", "random"), options=options) as campaign:
        while not campaign.over:
            for side in (0, 1):
                while (camp := campaign.camp(side)) is not None:
                    decision = asked(camp)
                    assert camp.game.invariants(camp.battle) == []
                    assert decision.rule in RULES
                    for key in (*decision.keys(), decision.suggestion()):
                        fork = camp.twin()
                        assert fork.answer(side, key) is None
                        assert fork.game.invariants(fork.battle) == []
                    assert camp.answer(side, "nonsense") is not None
                    campaign.choose(side, campaign.advised(side, decision))
            campaign.fight_by_bots()
        assert all(what_is_wrong(own) == [] for own in campaign.bands)
        assert {one.event.rule for one in campaign.log()} <= RULES


def test_the_same_seed_is_the_same_campaign_to_the_byte(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with new(tmp_path / name / "x.campaign", seed=5) as campaign:
            play_all(campaign)

    one, two = ((tmp_path / name / "x.campaign").read_bytes() for name in ("one", "two"))
    assert one == two


# -- words -------------------------------------------------------------------------------------------------------------


def test_every_event_of_a_campaign_has_its_sentence_in_both_languages() -> None:
    kinds = {n for n, cls in vars(campaign_events).items() if isinstance(cls, type) and issubclass(cls, Event)} - {
        "Event"
    }
    english, french = campaign_sentences("en"), campaign_sentences("fr")

    for kind in kinds:
        assert english.of["event"][kind].fields() <= set(getattr(campaign_events, kind).__struct_fields__), kind
        assert set(english.of["event"][kind].variants) == set(french.of["event"][kind].variants), kind
    for table in ("word", "ask", "option", "why"):
        one, other = (tomllib.loads((TEXT / f"campaign_{lang}.toml").read_text())[table] for lang in ("en", "fr"))
        assert one.keys() == other.keys()
        assert all(one[key].keys() == other[key].keys() for key in one if isinstance(one[key], dict))


def test_every_question_choice_and_refusal_has_its_sentence_and_none_is_left_over() -> None:
    asked_in_source: dict[str, set[str]] = {"ask": set(), "option": set(), "why": set()}
    place = {"pick_one": ("ask", 2), "Option": ("option", 1), "Refusal": ("why", 1)}
    source = ROOT / "src/oriflamme/games/sbh/campaign"
    for path in source.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in place:
                kind, argument = place[node.func.id]
                word = node.args[argument]
                assert isinstance(word, ast.Constant), ast.unparse(node)
                asked_in_source[kind].add(str(word.value))

    told = tomllib.loads((TEXT / "campaign_en.toml").read_text())
    engine = {"battle_is_over"}
    assert {kind: set(told[kind]) for kind in asked_in_source} == asked_in_source | {
        "why": asked_in_source["why"] - engine
    }


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_asked_and_refused_in_camp_is_told_in_words(tmp_path: Path, lang: str) -> None:
    rich_band = warband("human-thief*3", "giant-toad*5", "elf-warrior", "human-light-infantry")
    rich_band.items = [Item("ring"), Item("sword", bearer="a_elf_warrior")]
    rich_band.upgrades = ["brave"]
    rich_band.reinforcements, rich_band.earned = 100, 45
    for number in (0, 8, 9):
        rich_band.members[number].experience = 5
    rich_band.members[2].absent = True
    poor_band = with_item("human-warrior")
    kin = rich("human-thief*3", victory=45)
    scenes = [
        *((rich_band, "free", way) for way in ([], ["reinforce", "humans"], ["train"], ["upgrade"], ["give:0"])),
        (poor_band, "free", []),
        (kin, "singleRace", ["recruit", "humans"]),
    ]
    beyond = [*NAMED, *UPGRADES, "dragons", "give:9", "reinforce", "train", "upgrade", "recruit", "ready"]
    beyond += [f"{m.id}:{gain}" for m in rich_band.members for gain in GAINS] + [m.id for m in rich_band.members]
    said: list[str] = []
    whys: set[str] = set()
    with new(tmp_path / "x.campaign", battles=2) as campaign:
        voice = CampaignVoice(campaign, lang)
    for own, races, way in scenes:
        camp = in_camp(own, racialBands=races)
        for answer in [*way, ""]:
            decision = asked(camp)
            reasons = [decision.why_not(key) for key in beyond if key not in decision.keys()]
            whys |= {reason.why for reason in reasons}
            said += [voice.ask(decision).text, *(voice.option(decision, o).text for o in decision.options)]
            said += [voice.refusal(reason).text for reason in reasons if reason.why != "not_offered"]
            if answer:
                do(camp, answer)

    known = set(tomllib.loads((TEXT / "campaign_en.toml").read_text())["why"])
    assert known - whys == {"nobody_fights", "nobody_to_bear"}
    for text in said:
        assert not re.search(r"[{}#_]|None|\bcost [0-9]+,|\bleft [0-9]+,", text), text


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_campaign_is_told_in_words_and_names_without_ids(tmp_path: Path, lang: str) -> None:
    for seed in range(6):
        with new(tmp_path / f"{seed}.campaign", seed=seed, battles=5) as campaign:
            play_all(campaign)
            voice = CampaignVoice(campaign, lang)
            for one in campaign.log():
                said = voice.event(one.event)
                assert said.rule in RULES
                assert "_" not in said.text
                assert "{" not in said.text
                assert one.event.name not in said.text


# -- the file ----------------------------------------------------------------------------------------------------------


def undisturbed(folder: Path, **more: Any) -> bytes:
    """The file of a campaign that nothing happened to."""
    folder.mkdir()
    with new(folder / "x.campaign", **more) as campaign:
        play_all(campaign)
    return (folder / "x.campaign").read_bytes()


class Killed(BaseException):
    """The process is no more."""


class Death:
    """Strikes at the n-th thing that is written, after half of it; the rest of the process does nothing any more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
        self.left = at
        self.struck = False
        write, append, whole = os.write, saves.Recorder._append, saves.write_whole

        def os_write(file: int, content: bytes) -> int:
            return (
                write(file, content)
                if self.spares()
                else self.strike(lambda: write(file, content[: len(content) // 2]))
            )

        def recorder_append(recorder: saves.Recorder, content: bytes) -> None:
            if self.spares():
                append(recorder, content)
            else:
                self.strike(lambda: append(recorder, content[: len(content) // 2]))

        def write_whole(path: Any, content: bytes) -> None:
            if self.spares():
                whole(path, content)
            else:
                self.strike(lambda: None)

        monkeypatch.setattr(os, "write", os_write)
        monkeypatch.setattr(saves.Recorder, "_append", recorder_append)
        monkeypatch.setattr(saves, "write_whole", write_whole)

    def spares(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def strike(self, last_deed: Callable[[], Any]) -> int:
        if not self.struck:
            self.struck = True
            last_deed()
        raise Killed


@pytest.mark.slow
def test_a_crash_in_the_middle_of_any_write_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    expected = undisturbed(tmp_path / "whole", battles=3, seed=6, seats=("captain", "captain"))
    at, struck = 0, True
    while struck:
        folder = tmp_path / str(at)
        folder.mkdir()
        path = folder / "x.campaign"
        new(path, battles=3, seed=6, seats=("captain", "captain")).close()
        with pytest.MonkeyPatch.context() as patched:
            death = Death(patched, at)
            try:
                with Campaign.open(path) as campaign:
                    play_all(campaign)
            except Killed:
                pass
            struck = death.struck
        with Campaign.open(path) as campaign:
            play_all(campaign)
        assert path.read_bytes() == expected, f"after a crash at write {at}"
        shutil.rmtree(folder)
        at += 1
    assert at > 40  # it did strike, and often


@pytest.mark.slow
def test_a_campaign_whose_process_is_killed_again_and_again_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """Real processes, really killed (SIGKILL), at moments drawn by lot."""
    expected = undisturbed(tmp_path / "whole", battles=4, seed=9, seats=("captain", "random"))
    path = tmp_path / "x.campaign"
    new(path, battles=4, seed=9, seats=("captain", "random")).close()
    lot, killed = random.Random(1), 0
    while not Campaign.read(path).over and killed < 40:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.sbh.skirmish", str(path)],
            cwd=ROOT,
            env=os.environ | {"SLOWLY": "0.004"},
            stderr=subprocess.PIPE,
        )
        enough = written(tmp_path) + lot.randrange(1, 6000)
        while process.poll() is None and written(tmp_path) < enough:
            time.sleep(0.0005)
        killed += process.poll() is None
        process.send_signal(signal.SIGKILL)
        assert process.communicate()[1] == b""
    with Campaign.open(path) as campaign:
        play_all(campaign)

    assert path.read_bytes() == expected
    assert killed >= 5


def written(folder: Path) -> int:
    """How much is in the campaign and its battles."""
    return sum(file.stat().st_size for file in (folder / "x.campaign", *folder.glob("x.*.save")))


def test_only_one_process_plays_a_campaign_and_others_may_look(tmp_path: Path) -> None:
    path = tmp_path / "x.campaign"
    with new(path):
        with pytest.raises(Problems, match="another process is playing this campaign") as found:
            Campaign.open(path)
        assert found.value.problems[0].hint
        assert Campaign.read(path).number == 1
        other = subprocess.run(
            [sys.executable, "-m", "tests.sbh.skirmish", str(path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "another process is playing this campaign" in other.stderr
    Campaign.open(path).close()


def played(tmp_path: Path, **more: Any) -> Path:
    path = tmp_path / "x.campaign"
    with new(path, battles=3, seed=3, **more) as campaign:
        play_all(campaign)
    return path


def test_a_line_cut_short_by_a_crash_is_left_out_and_done_again(tmp_path: Path) -> None:
    path = played(tmp_path)
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for cut in (last + 1, len(whole) - 20, len(whole) - 2):
        path.write_bytes(whole[:cut])
        assert not Campaign.read(path).over
        assert path.read_bytes() == whole[:cut]  # looking changes nothing

        with Campaign.open(path) as campaign:
            play_all(campaign)

        assert path.read_bytes() == whole


def test_a_line_that_lacks_only_its_end_counts(tmp_path: Path) -> None:
    path = played(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])

    assert Campaign.read(path).over
    Campaign.open(path).close()

    assert path.read_bytes() == whole


def test_a_battle_that_is_over_counts_once(tmp_path: Path) -> None:
    path = played(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if b'"do":"fight"' in line)
    again = json.loads(lines[number])
    again["n"] += 1
    path.write_bytes(b"".join([*lines[: number + 1], json.dumps(again).encode() + b"\n"]))

    with pytest.raises(Problems) as found:
        Campaign.read(path)

    assert found.value.problems[0].where == f"line {number + 2}"
    assert "not what comes here" in str(found.value.problems[0].what)


def test_the_battle_that_is_over_is_named_with_its_fingerprint(tmp_path: Path) -> None:
    path = played(tmp_path)
    for entry in Campaign.read(path).entries:
        if isinstance(entry, Fight):
            assert entry.save == f"x.{entry.battle}.save"
            report = saves.verify(tmp_path / entry.save, games.load)
            assert (report.over, report.fingerprint) == (True, entry.fingerprint)


def change(line: bytes, **changes: Any) -> bytes:
    return json.dumps(json.loads(line) | changes).encode() + b"\n"


@pytest.mark.parametrize(
    ("do", "changes", "said"),
    [
        ("march", {"dice": [7]}, "dice[1] is 7"),
        ("march", {"battle": 2}, "not what comes here"),
        ("fight", {"dice": []}, "dice is []"),
        (
            "fight",
            {"result": {"winner": 0, "scenario": "none", "victory_points": [0, 0], "fates": [{}, {}]}},
            "was rolled",
        ),
        ("fight", {"result": {}}, "damaged"),
        ("choose", {"answer": "win"}, "the answer is refused: not_offered"),
        ("choose", {"events": [{"event": "UpgradeBought"}]}, "events"),
        ("choose", {"side": 2}, "not what comes here"),
        ("choose", {"n": 99}, "entry 99 where entry"),
    ],
)
def test_a_line_that_was_changed_is_found_and_the_rest_can_be_recovered(
    tmp_path: Path, do: str, changes: dict[str, Any], said: str
) -> None:
    path = played(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if f'"do":"{do}"'.encode() in line)
    damaged = b"".join([*lines[:number], change(lines[number], **changes), *lines[number + 1 :]])
    whole = path.read_bytes()
    path.write_bytes(damaged)

    for look in (Campaign.read, Campaign.open):
        with pytest.raises(Problems) as found:
            look(path)
        problem = found.value.problems[0]
        assert problem.where == f"line {number + 1}"
        assert said in str(problem.what)
        assert "--recover" in str(problem.hint)

    with Campaign.open(path, recover=True) as campaign:
        assert campaign.path == tmp_path / "x-recovered.campaign"
        assert campaign.path.read_bytes() == b"".join(lines[:number])
        play_all(campaign)
        assert campaign.over
    assert path.read_bytes() == damaged  # nothing of it is lost
    assert Campaign.read(tmp_path / "x-recovered.campaign").log() == _log_of(whole, tmp_path)


def _log_of(content: bytes, tmp_path: Path) -> list[Any]:
    (tmp_path / "copy.campaign").write_bytes(content)
    return Campaign.read(tmp_path / "copy.campaign").log()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b'{"format": "ori', "cut short in its first line"),
        (b"hello\n", "not JSON"),
        (b"[1]\n", "no campaign of Oriflamme"),
        (b'{"format": "oriflamme-save"}\n', "a single battle, not a campaign"),
        (b'{"format": "oriflamme-campaign", "version": 9, "program": "8"}\n', "made by Oriflamme 8 in format 9"),
        (b'{"format": "oriflamme-campaign", "version": 1}\n', "damaged"),
        (b"\xff\xfe\n", "not JSON"),
        (b"[" * 5000 + b"\n", "not JSON"),
    ],
)
def test_a_file_that_is_no_campaign_is_told_as_such(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "x.campaign"
    path.write_bytes(content)

    for look in (Campaign.read, Campaign.open, lambda p: Campaign.open(p, recover=True)):
        with pytest.raises(Problems) as found:
            look(path)
        assert said in str(found.value)
        assert found.value.problems[0].where == "line 1"
        assert found.value.problems[0].hint
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "chess"}, 'a campaign of "chess"'),
        ({"rules": 99}, "version 99 of the sbh rules"),
        ({"setup": {}}, "KeyError"),
        ({"setup": {"options": {}}}, "KeyError"),
        ({"bands": [{}, {}]}, "missing required field"),
    ],
)
def test_a_first_line_that_was_changed_is_told_as_such(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    path = played(tmp_path)
    first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([change(first, **changes), *rest]))

    with pytest.raises(Problems) as found:
        Campaign.read(path)

    assert said in str(found.value)
    assert (found.value.problems[0].where, bool(found.value.problems[0].hint)) == ("line 1", True)


def test_a_file_that_is_not_there_is_guessed(tmp_path: Path) -> None:
    played(tmp_path)
    for look in (Campaign.read, Campaign.open):
        with pytest.raises(Problems, match=r'no such file; did you mean "x\.campaign"\?'):
            look(tmp_path / "y.campaign")


def test_a_file_that_exists_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.campaign"
    path.write_text("dear to me")

    with pytest.raises(Problems, match="there is such a file already"):
        new(path)

    assert path.read_text() == "dear to me"


@pytest.mark.parametrize(
    ("seats", "said"), [(("human",), "1 given"), (("human", "captian"), 'did you mean "captain"?')]
)
def test_who_plays_is_checked(tmp_path: Path, seats: Any, said: str) -> None:
    with pytest.raises(Problems) as found:
        new(tmp_path / "x.campaign", seats=seats)

    assert said in str(found.value)


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.campaign"
    with new(path) as campaign:
        before, write = path.read_bytes(), os.write

        def full(file: int, content: bytes) -> int:
            if len(content) > 20:
                return write(file, content[:20])
            raise OSError(errno.ENOSPC, "No space left on device")

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(Problems, match="no space left on device"):
                campaign.march()
    assert path.read_bytes() == before
    with Campaign.open(path) as campaign:
        campaign.march()
        assert campaign.stage == "battle"


def halfway(tmp_path: Path) -> Path:
    """A campaign whose first battle is being fought."""
    path = tmp_path / "x.campaign"
    with new(path, seed=3) as campaign:
        campaign.march()
        play = campaign.battle()
        recorder = saves.Recorder(play, campaign.battle_path, campaign.seats)
        for _ in range(3):
            play.answer(play.pending[0].side, play.pending[0].suggestion())
        recorder.note()
    return path


def test_a_battle_in_progress_goes_on_where_it_was_left(tmp_path: Path) -> None:
    path = halfway(tmp_path)

    with Campaign.open(path) as campaign:
        play = campaign.battle()
        assert len(play.answers) == 3
        save = campaign.battle_path
        save.write_bytes(save.read_bytes() + b'{"n": 4, "side')
        assert len(campaign.battle().answers) == 3
        campaign.fight_by_bots()
        assert saves.read(save, games.load).entries[0].answer == play.answers[0][1]
        assert campaign.number == 2


def test_a_save_of_another_battle_is_not_taken_for_this_one(tmp_path: Path) -> None:
    path = halfway(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    with new(other / "x.campaign", seed=4) as campaign:
        campaign.fight_by_bots()
    shutil.copy(other / "x.1.save", tmp_path / "x.1.save")

    with Campaign.open(path) as campaign:
        with pytest.raises(Problems, match=r"not battle 1 of x\.campaign") as found:
            campaign.fight_by_bots()
        assert "move it away" in str(found.value.problems[0].hint)
        assert campaign.number == 1


def test_a_save_that_is_damaged_in_its_middle_is_told_as_such(tmp_path: Path) -> None:
    path = halfway(tmp_path)
    save = tmp_path / "x.1.save"
    lines = save.read_bytes().splitlines(keepends=True)
    save.write_bytes(b"".join([lines[0], b"#\n", *lines[2:]]))

    with Campaign.open(path) as campaign, pytest.raises(Problems, match="line 2: damaged") as found:
        campaign.battle()

    assert "move it away" in str(found.value.problems[0].hint)


def test_a_recovered_campaign_takes_the_battle_in_progress_along(tmp_path: Path) -> None:
    path = halfway(tmp_path)
    path.write_bytes(path.read_bytes() + b"#\n")

    with Campaign.open(path, recover=True) as campaign:
        assert len(campaign.battle().answers) == 3


def test_a_battle_can_only_be_concluded_when_it_is_the_one_and_over(tmp_path: Path) -> None:
    path = halfway(tmp_path)
    with Campaign.open(path) as campaign:
        with pytest.raises(ValueError, match="not over"):
            campaign.conclude(campaign.battle())
        done = campaign.battle()
        while done.pending:
            done.answer(done.pending[0].side, done.pending[0].suggestion())
        campaign.conclude(done)
        with pytest.raises(ValueError, match="not the battle that is due"):
            campaign.conclude(done)
        assert [one.battle for one in campaign.entries if isinstance(one, Fight)] == [1]


def test_a_campaign_that_was_only_read_cannot_be_played(tmp_path: Path) -> None:
    path = halfway(tmp_path)
    before = path.read_bytes()

    with pytest.raises(ValueError, match="only read"):
        Campaign.read(path).fight_by_bots()

    assert path.read_bytes() == before


# -- the command line --------------------------------------------------------------------------------------------------


class Said:
    """What a command said."""

    def __init__(self, code: int, out: str, err: str) -> None:
        assert "Traceback" not in out + err
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Told = Callable[..., Said]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """`oriflamme campaign …` in this process, typed answers included."""
    monkeypatch.chdir(tmp_path)
    for module in (campaign_commands, table_commands):
        monkeypatch.setattr(module, "load", lambda id: skirmish)

    def call(*arguments: str, typed: str = "") -> Said:
        show.console.cache_clear()
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = run(["campaign", *arguments])
        said = capsys.readouterr()
        show.console.cache_clear()
        return Said(code, said.out, said.err)

    return call


BOTS = ("new", "x.campaign", "--players", "captain,random", "--seed", "5")


def test_a_campaign_is_begun_played_and_looked_at(told: Told) -> None:
    begun = told(*BOTS, "--json")
    assert (begun.json["battles"], begun.json["stage"], begun.json["seats"]) == (4, "camp", ["captain", "random"])

    one = told("play", "x.campaign", "--json")
    assert one.json["battle"] == 2
    assert {event["battle"] for event in one.json["events"]} <= {1, 2}
    assert all(event["rule"] in RULES for event in one.json["events"])

    rest = told("play", "x.campaign", "--all", "--json")
    assert rest.json["stage"] == "over"
    log = told("log", "x.campaign", "--json").json["events"]
    assert log == one.json["events"] + rest.json["events"]
    status = told("status", "x.campaign", "--json").json
    assert status["score"] == log[-1]["score"]
    assert {"experience", "absent", "gains", "value"} <= set(status["bands"][0]["members"][0])


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ["Battle 1:", "wins", "experience"]), ("fr", ["Bataille 1 :", "gagne", "expérience"])]
)
def test_everything_is_told_in_both_languages_with_its_rules(told: Told, lang: str, words: list[str]) -> None:
    told(*BOTS)
    played = told("play", "x.campaign", "--all", "--lang", lang).out
    log, status = told("log", "x.campaign", "--lang", lang).out, told("status", "x.campaign", "--lang", lang).out

    for line in log.strip().splitlines():
        assert line.rpartition("  ")[2] in RULES, line
        assert line in played
    assert all(word in log + status for word in words)
    assert told("log", "x.campaign", "--battle", "2", "--lang", lang).out in log


def test_a_person_plays_battle_and_camp_and_may_leave_at_any_question(told: Told) -> None:
    assert told("new", "x.campaign", "--players", "human,captain", "--seed", "5").code == 0
    left = told("play", "x.campaign", typed="1\n")
    assert left.code == 0
    assert "oriflamme campaign play x.campaign" in left.out
    assert told("status", "x.campaign", "--json").json["stage"] == "battle"

    seen = ""
    for _ in range(40):
        said = told("play", "x.campaign", typed="\n" * 3 + "1\n" * 3)
        seen += said.out
        if told("status", "x.campaign", "--json").json["stage"] == "over":
            break
    assert "In camp" in seen
    assert "wins the campaign" in seen or "the campaign is a draw" in seen


def test_camp_explains_itself(told: Told) -> None:
    told("new", "x.campaign", "--players", "human,human", "--seed", "5", "--battles", "20")
    with Campaign.open("x.campaign") as campaign:
        lose_fighters(campaign)
    typed = [
        "nonsense",
        "help",
        "reinforce",
        "humans",
        "leader",
        "why human child",
        "human w",
        "warrior",
        "undo",
        "band",
    ]

    said = told(
        "play", "x.campaign", typed="\n".join([*typed, "rules experience", "rules SBH-CAMP-06", "quit", ""])
    ).out

    assert 'cannot make out "nonsense"' in said
    assert "Human Leader is a Personality" in said
    assert "Human Child costs 1 and does not fight  SBH-BAND-07" in said
    assert "which of these? 1 Human Warrior" in said
    assert "taken back" in said
    assert "SBH-CAMP-07" in said
    assert said.rstrip().endswith("oriflamme campaign play x.campaign")


def test_two_people_at_one_screen_see_nothing_of_each_other(told: Told) -> None:
    told("new", "x.campaign", "--players", "human,human", "--seed", "5", "--battles", "20")
    with Campaign.open("x.campaign") as campaign:
        lose_fighters(campaign)
        campaign.choose(0, "reinforce")
        campaign.choose(0, "humans")
        campaign.choose(0, "human-hunter")

    for look in (told("status", "x.campaign"), told("log", "x.campaign"), told("status", "x.campaign", "--json")):
        assert "Human Hunter" not in look.out
    assert "stays secret" in told("status", "x.campaign").out
    assert "the others look away" in told("play", "x.campaign").out


def lose_fighters(campaign: Campaign) -> None:
    """Fight by chance until side A has fighters to replace and has not won."""
    lot = random.Random(2)
    while campaign.band(0).reinforcements < 30 or campaign.band(0).hires:
        assert not campaign.over
        for side in (0, 1):
            while (camp := campaign.camp(side)) is not None:
                campaign.choose(side, camp.pending[0].suggestion())
        campaign.march()
        play = campaign.battle()
        while play.pending:
            play.answer(play.pending[0].side, play.pending[0].sample(lot))
        campaign.conclude(play)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("new", "x.campaign", "--battles", "21"), "battles: a campaign of 21 (SBH-CAMP-01); from 1 to 20"),
        (("new", "x.campaign", "--players", "captian,random"), 'did you mean "captain"?'),
        (("new", "x.campaign", "--option", "campaignScore=most"), "sbh.campaignScore: cannot be"),
        (("new", "x.campaign", "--set", "scenario=ambush"), "are rolled (SBH-CAMP-02)"),
        (("new", "x.campaign", "--set", "scale=3mm"), "scale: cannot be"),
        (("new", "no/x.campaign"), "make the folder first"),
        (("status", "x.campaign"), "no such file"),
        (("log", "x.campaign"), "no such file"),
        (("play", "x.campaign"), "no such file"),
    ],
)
def test_what_is_asked_wrongly_gets_an_answer(told: Told, arguments: tuple[str, ...], said: str) -> None:
    answer = told(*arguments)

    assert answer.code == 1
    assert said in answer.err


def test_people_cannot_be_played_by_programs(told: Told) -> None:
    told("new", "x.campaign", "--players", "random,human")
    for option in ("--all", "--json"):
        said = told("play", "x.campaign", option)
        assert said.code == 1
        assert f"{option}: 1 problem\n  Side B is played by a person; " in said.err


def test_a_damaged_campaign_is_recovered_in_a_copy(told: Told, tmp_path: Path) -> None:
    told(*BOTS)
    told("play", "x.campaign", "--all")
    path = tmp_path / "x.campaign"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"#\n", *lines[4:]]))

    assert "line 4: damaged" in told("play", "x.campaign").err
    said = told("play", "x.campaign", "--all", "--recover")

    assert said.code == 0
    assert "x-recovered.campaign" in said.err
    assert told("status", "x-recovered.campaign", "--json").json["stage"] == "over"


@pytest.mark.parametrize("command", ["new", "play", "status", "log"])
def test_every_command_explains_itself_by_example(told: Told, command: str) -> None:
    said = told(command, "--help")

    assert said.code == 0
    assert f"oriflamme campaign {command}" in said.out.partition("Example")[2]
