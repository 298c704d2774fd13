"""What nobody can take back, told by the rules of each game: the end, and what was hidden and is known."""

from __future__ import annotations

from typing import Any

import pytest

from oriflamme.engine.core.play import Play
from oriflamme.engine.core.taking_back import nobody_may
from oriflamme.games import load
from oriflamme.lab import play_on, players


def why(play: Play, to: int) -> str:
    refusal = nobody_may(play, to)
    return "" if refusal is None else refusal.why


def played(game_id: str, look: Any, **choices: str) -> Play:
    game = load(game_id)
    play = Play(game, game.setup(5, choices=game.agreed(choices)), 11)
    play_on(play, players(game, ("random", "random"), 3), look)
    return play


@pytest.mark.parametrize("game", ["aof", "sbh", "tlaok"])
def test_most_answers_can_be_taken_back_at_once_and_no_end_can(game: str) -> None:
    found: list[str] = []

    def look(play: Play) -> None:
        if play.pending and len(play.answers) % 9 == 0 and len(found) < 15:
            found.append(why(play, len(play.answers) - 1))

    play = played(game, look)

    assert "" in found
    assert set(found) <= {"", "something_was_revealed"}
    assert {why(play, to) for to in (0, len(play.answers) // 2, len(play.answers) - 1)} == {"ended_for_good"}


def test_a_fighter_who_was_deployed_has_been_seen() -> None:
    """Bands are secret until they are deployed (SBH-BAND-01); nobody can take back what the other has seen."""
    told: list[str] = []
    hidden = [0]

    def look(play: Play) -> None:
        now = sum(fighter.reserve is not None for fighter in play.battle.units.values())
        if now < hidden[0]:
            told.append(why(play, len(play.answers) - 1))
        hidden[0] = now

    played("sbh", look)

    assert len(told) > 1
    assert set(told) == {"something_was_revealed"}


def test_what_was_chosen_at_the_same_time_is_open_when_all_have_chosen() -> None:
    """The first who answers may still reconsider, for nobody knows anything; when both have, nobody may."""
    halves: set[str] = set()
    wholes: set[str] = set()

    def look(play: Play) -> None:
        number = len(play.answers)
        if number > 60 or not play.pending:
            return
        if number in play.halves:
            halves.add(why(play, number - 1))
        elif number - 1 in play.halves:
            wholes.add(why(play, number - 1))

    played("tlaok", look)

    assert halves == {""}
    assert wholes == {"something_was_revealed"}
