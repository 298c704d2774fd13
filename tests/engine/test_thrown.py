"""Dice as events tell of them, to be shown: each with what it needed."""

from __future__ import annotations

import pytest

from oriflamme.engine.core.events import Throw
from oriflamme.engine.core.play import Play
from oriflamme.games import ids, load
from oriflamme.games.aof import events as aof
from oriflamme.games.sbh import events as sbh
from oriflamme.games.tlaok import events as tlaok
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


def test_where_low_is_good_dice_say_the_most_they_might_show() -> None:
    struck = tlaok.AttacksRolled("TLAOK-CLASH-15", "a", "b", "clash", False, "front", 4, 6, 5, (1, 3, 5, 6), (), (), ())
    assert struck.thrown() == (Throw((1, 3, 5, 6), 5, 3, low=True),)
    lucky = tlaok.MoraleTested("TLAOK-MORALE-05", "a", 2, 0, 1, 1, (1, 2), ())
    assert lucky.thrown() == (Throw((1, 2), 1, 1, low=True),)
    bare = tlaok.DefenceRolled("TLAOK-CLASH-17", "a", 2, 0, 0, 2, (1, 6), ())
    assert bare.thrown() == (Throw((1, 6)),)
    spell = tlaok.SpellCast("TLAOK-MAGIC-10", "a", "s", "b", 3, 3, 3, 2, True, (2, 4, 3), ())
    assert spell.thrown() == (Throw((2, 4, 3), 3, 2, low=True),)
    ground = tlaok.GroundTested("TLAOK-ZONE-21", "a", "bog", "dangerous", 6, (6, 1), 1)
    assert ground.thrown() == (Throw((6, 1), 5, 1, low=True),)


def test_a_charge_says_the_lowest_die_that_is_long_enough() -> None:
    def rolled(die: int, distance: float, reached: bool) -> tuple[Throw, ...]:
        return tlaok.ChargeRolled("TLAOK-CHARGE-05", "a", die, 5.0 + die, distance, reached, ()).thrown()

    assert rolled(4, 7.5, True) == (Throw((4,), 3, 1),)
    assert rolled(2, 7.5, False) == (Throw((2,), 3, 0),)
    # 8.002 inches are told as 8: three is not enough.
    assert rolled(3, 8.0, False) == (Throw((3,), 4, 0),)
    assert rolled(0, 3.0, True) == ()


@pytest.mark.parametrize("id", ids())
def test_no_die_of_a_whole_battle_goes_unseen(id: str) -> None:
    game = load(id)
    play = Play(game, game.setup(7, points=min(game.sizes)), 7)
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
                good = sum(face <= throw.needed if throw.low else face >= throw.needed for face in throw.faces)
                assert throw.good == good
    assert seen > 5
