"""The captain: better than chance from either side, active with all it has, and able to say why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.play import Play
from oriflamme.games.tlaok.captain import CaptainBot
from oriflamme.games.tlaok.game import game
from oriflamme.lab.battle import play_on

SCENARIOS = ("attrition", "quarters", "centre", "front")


def battle(seed: int, bots: Sequence[Any], *, log: bool = False, **choices: str) -> Play:
    play = Play(game, game.setup(seed, points=1000, choices=choices), seed, keep=False, log=log)
    play_on(play, bots)
    return play


# 95 of 100 is what it is held to; a few battles are played every time, the others at night.
@pytest.mark.slow
@pytest.mark.parametrize(("battles", "least"), [(4, 3), pytest.param(20, 19, marks=pytest.mark.exam)])
@pytest.mark.parametrize("side", [0, 1])
def test_the_captain_beats_chance_from_either_side(side: int, battles: int, least: int) -> None:
    won = 0
    for seed in range(20 * side, 20 * side + battles):
        pair = (CaptainBot(seed), RandomBot(seed)) if side == 0 else (RandomBot(seed), CaptainBot(seed))
        won += battle(seed, pair, scenario=SCENARIOS[seed % 4]).battle.winner == side

    assert won >= least


@pytest.fixture(scope="module")
def fought() -> dict[str, list[Event]]:
    """Battles of two captains, one for each scenario."""
    bots = (CaptainBot(1), CaptainBot(2))
    return {scenario: battle(8, bots, log=True, scenario=scenario).events for scenario in SCENARIOS}


@pytest.mark.slow
def test_captains_use_all_they_have(fought: dict[str, list[Event]]) -> None:
    done = Counter(event.name for events in fought.values() for event in events)
    actions = Counter(event.action for events in fought.values() for event in events if event.name == "ActionTaken")  # type: ignore[attr-defined]

    assert {"charge", "clash", "inspire", "march", "aim", "volley", "cast", "combat_rally"} <= set(actions)
    assert {"SupremacyUsed", "DrawEventUsed", "SecondaryScored"} <= set(done)
    # Nobody stands about: most of what is open to them is done.
    assert done["ActionTaken"] > 3 * done["Passed"]


@pytest.mark.slow
def test_captains_get_onto_flanks(fought: dict[str, list[Event]]) -> None:
    faces = Counter(event.face for events in fought.values() for event in events if event.name == "Charged")  # type: ignore[attr-defined]

    assert faces["left"] + faces["right"] + faces["rear"] >= sum(faces.values()) / 6


@pytest.mark.slow
def test_battles_of_captains_are_decided_by_points_not_by_the_clock(fought: dict[str, list[Event]]) -> None:
    ends = Counter(events[-1].because for events in fought.values())  # type: ignore[attr-defined]

    for scenario, events in fought.items():
        about = {event.about for event in events if event.name == "PointsScored"}  # type: ignore[attr-defined]
        assert ("cards" if scenario == "attrition" else "zone") in about
    assert ends["rounds"] <= 1


@pytest.mark.slow
def test_the_captain_plays_the_same_battle_twice() -> None:
    first, again = (battle(3, (CaptainBot(1), CaptainBot(2))).battle.fingerprint() for _ in range(2))

    assert first == again


def asked(*asks: str) -> tuple[Play, Decision, CaptainBot]:
    """A battle of two captains, at the first such question in its third round."""
    play = Play(game, game.setup(3, points=1000), 5)
    bots = [CaptainBot(1), CaptainBot(2)]
    while play.battle.round < 3 or play.pending[0].ask not in asks:
        decision = play.pending[0]
        play.answer(decision.side, bots[decision.side].decide(play.view(decision.side), decision))
    return play, play.pending[0], bots[play.pending[0].side]


def test_the_captain_says_why() -> None:
    play, decision, bot = asked("choose_action")

    chosen = bot.decide(play.view(decision.side), decision)

    said = bot.explain()
    assert said[0]["action"] == chosen
    assert said[1:]
    assert all({"because", "worth"} == set(reason) for reason in said[1:])


@pytest.mark.parametrize("ask", ["choose_action", "march", "charge_target"])
def test_every_idea_of_the_captain_is_legal_and_another(ask: str) -> None:
    play, decision, bot = asked(ask)

    ideas = bot.ideas(play.view(decision.side), decision)

    assert len(ideas) > 1 or ask == "charge_target"
    for idea in ideas:
        decision.accept(idea)
        # `pass` may have nothing for it.
        assert idea == "pass" or all({"because", "worth"} == set(reason) for reason in bot.reasons(idea))
    assert all(a != b for i, a in enumerate(ideas) for b in ideas[:i])


def test_thinking_never_touches_the_dice_of_the_battle() -> None:
    play, decision, _ = asked("choose_action")
    before = play.battle.fingerprint(), play.battle.dice.counter

    for _ in range(3):
        CaptainBot(9).decide(play.view(decision.side), decision)

    assert (play.battle.fingerprint(), play.battle.dice.counter) == before


def test_a_captain_breaks_off_where_staying_costs_more_than_it_does() -> None:
    play, decision, bot = asked("choose_action")
    while "withdraw" not in getattr(decision, "keys", tuple)() or play.battle.acting.used:
        play.answer(decision.side, bot.decide(play.view(decision.side), decision))
        decision = play.pending[0]
    view = play.view(decision.side)
    assert bot.decide(view, decision) != "withdraw"
    # As many enemies as there are of him would be too many for anybody.
    bot._saved_by_withdrawal = lambda *_: 10_000.0  # type: ignore[method-assign]

    assert bot.decide(view, decision) == "withdraw"
