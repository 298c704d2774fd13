"""Command: secrets of deployment and reserves, scenarios, and whole battles by chance."""

from __future__ import annotations

from typing import Any

import pytest

from oriflamme.engine.core.bots import RandomBot
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.state import plain
from oriflamme.engine.geometry.measure import cm
from oriflamme.games import load
from oriflamme.games.rn3.scenarios import EDGES, SCENARIOS
from oriflamme.games.rn3.state import Battle

GAME = load("rn3")


def begun(seed: int = 5, **options: str) -> Play:
    chosen = {f"rn3.{key}": value for key, value in options.items()}
    return Play(GAME, GAME.setup(seed, options=chosen), seed)


def to_question(play: Play, *asks: str) -> Decision:
    """Play by suggestion until one of these questions is open."""
    while play.pending[0].ask not in asks:
        decision = play.pending[0]
        assert play.answer(decision.side, decision.suggestion()) is None
    return play.pending[0]


def known_to(play: Play, side: int) -> Any:
    """All that a side may know, as plain data."""
    return plain(play.view(side).battle)


def test_nobody_sees_which_card_lies_face_down() -> None:
    play = begun()
    decision = to_question(play, "choose_card")
    side, (one, other) = decision.side, decision.keys()[:2]  # type: ignore[attr-defined]
    seen = []

    for card in (one, other):
        fork = play.twin(log=True)
        assert fork.answer(side, card) is None
        placing = fork.pending[0]
        spot = {"card": (cm(90), cm(10) if side == 0 else cm(110))}
        assert placing.ask == "place_card"
        assert fork.answer(side, spot) is None
        seen.append((known_to(fork, 1 - side), known_to(fork, 9), [event.facts() for event in fork.events]))

    assert seen[0] == seen[1]
    assert known_to(play, side) != known_to(play, 1 - side)


@pytest.mark.parametrize(("secrecy", "alike"), [("hidden", True), ("open", False)])
def test_reserves_are_known_to_the_other_side_only_where_they_are_named(secrecy: str, *, alike: bool) -> None:
    play = begun(reserveSecrecy=secrecy)
    to_question(play, "keep_reserves")
    offered = {decision.side: decision.keys() for decision in play.pending}  # type: ignore[attr-defined]
    seen = []

    for kept in offered[0][:2]:
        fork = play.twin(log=True)
        assert fork.answer(1, []) is None
        assert fork.answer(0, [kept]) is None
        seen.append((known_to(fork, 1), [event.facts() for event in fork.events]))

    assert (seen[0] == seen[1]) is alike


def test_what_is_hidden_comes_to_light_with_the_last_card() -> None:
    play = begun()
    to_question(play, "choose_formation")

    for side in (0, 1):
        view = play.view(side).battle
        assert {unit.id for unit in view.units.values()} == {
            unit.id for unit in play.battle.units.values() if unit.side == side or unit.place != "reserve"
        }


def test_cards_in_hand_are_counted_for_everybody() -> None:
    play = begun()
    to_question(play, "choose_card")

    piles = {(pile.side, pile.kind): pile.cards for pile in play.view(0).battle.piles()}

    assert all(card is not None for card in piles[0, "hand"])
    assert piles[1, "hand"] == (None,) * sum(unit.place == "hand" for unit in play.battle.units_of(1))


@pytest.mark.parametrize("id", SCENARIOS)
def test_a_scenario_has_room_for_both_sides_and_its_objectives(id: str) -> None:
    scenario = SCENARIOS[id]
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = scenario.zones
    width, depth = scenario.size

    assert scenario.size in ((120, 120), (180, 120))
    assert ax1 <= bx0 or bx1 <= ax0 or ay1 <= by0 or by1 <= ay0
    for x0, y0, x1, y1 in scenario.zones:
        assert 0 <= x0 < x1 <= width
        assert 0 <= y0 < y1 <= depth
    for marker in scenario.objectives:
        assert 0 <= marker.at[0] <= width
        assert 0 <= marker.at[1] <= depth
        assert marker.points or marker.elixir
    assert set(scenario.edges) <= set(EDGES)
    assert scenario.losses or scenario.objectives
    assert {"en", "fr"} == set(scenario.name) == set(scenario.council)


def test_zones_face_each_other_fairly() -> None:
    """What one side has, turned half round, is what the other has: zones and objectives."""
    for scenario in SCENARIOS.values():
        width, depth = scenario.size
        x0, y0, x1, y1 = scenario.zones[0]
        assert scenario.zones[1] == (width - x1, depth - y1, width - x0, depth - y0)
        places = {(m.at, m.radius, m.points, m.elixir) for m in scenario.objectives}
        turned = {((width - m.at[0], depth - m.at[1]), m.radius, m.points, m.elixir) for m in scenario.objectives}
        assert places == turned


@pytest.mark.parametrize("seed", range(3))
def test_a_battle_by_chance_keeps_every_invariant(seed: int) -> None:
    play = Play(GAME, GAME.setup(seed, choices={"scenario": list(SCENARIOS)[seed]}), seed)
    bots = [RandomBot(seed * 2 + side) for side in (0, 1)]

    while not play.over:
        decision = play.pending[0]
        assert play.answer(decision.side, bots[decision.side].decide(None, decision)) is None
        assert GAME.invariants(play.battle) == []

    assert isinstance(play.battle, Battle)
    assert play.battle.round == play.battle.turns or play.events[-1].facts()["because"] == "wiped_out"
