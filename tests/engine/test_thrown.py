"""Dice as events tell of them, to be shown: each with what it needed."""

from __future__ import annotations

import pytest

from oriflamme.engine.events import Throw
from oriflamme.engine.play import Play
from oriflamme.games import load
from oriflamme.games.aof import events as aof
from oriflamme.games.sbh import events as sbh
from oriflamme.lab import play_on, players


def test_dice_are_told_with_what_they_needed() -> None:
    hits = aof.HitsRolled("AOF-HIT-01", "a", "b", "pike", 3, (2, 6, 4), 4, (), 2, 2)
    assert hits.thrown() == (Throw((2, 6, 4), 4, 2),)
    assert aof.ImpactRolled("AOF-SR-IMPACT-01", "a", "b", (1, 5), 1, ()).thrown() == (Throw((1, 5), 2, 1),)
    assert sbh.MoraleRolled("SBH-MORALE-01", "a", "half", (1, 2, 5), 3, 2, ()).thrown() == (Throw((1, 2, 5), 3, 1),)
    assert aof.ObjectivesRolled("AOF-MISSION-01", 3, 4).thrown() == (Throw((3,)),)
    assert aof.UnitRouted("AOF-MORALE-05", "a").thrown() == ()


def test_what_the_rules_count_as_a_success_is_shown_as_one() -> None:
    """A natural 6 succeeds whatever is needed."""
    rolled = sbh.Activated("SBH-ACT-01", "a", (6, 3), 7, 1, 1, "", ())

    assert rolled.thrown() == (Throw((6, 3), 7, 1),)


def test_an_opposed_roll_shows_both_totals_and_who_won() -> None:
    fought = sbh.Fought("SBH-COMBAT-02", "melee", "a", "b", (5, 2), (9, 6), "b", "recoils", (), ())
    assert fought.thrown() == (Throw((5,), good=1, total=9, by="a"), Throw((2,), good=0, total=6, by="b"))

    tie = sbh.Fought("SBH-COMBAT-02", "melee", "a", "b", (5, 2), (7, 7), "", "nothing", (), ())
    assert [throw.good for throw in tie.thrown()] == [None, None]


@pytest.mark.parametrize("id", ["aof", "sbh"])
def test_no_die_of_a_whole_battle_goes_unseen(id: str) -> None:
    game = load(id)
    play = Play(game, game.setup(7), 7)
    play_on(play, players(game, ("random", "random"), 7))

    seen = 0
    for event in play.events:
        throws = event.thrown()
        seen += len(throws)
        assert bool(throws) or not event.luck(play.events[:0])
        for throw in throws:
            assert throw.faces
            assert set(throw.faces) <= set(range(1, 7))
            assert throw.good is None or 0 <= throw.good <= len(throw.faces)
            if throw.needed and 1 < throw.needed < 7:
                assert throw.good == sum(face >= throw.needed for face in throw.faces)
    assert seen > 5
