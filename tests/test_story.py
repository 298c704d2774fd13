"""What turned a battle: from headline to headline, whom it helped and what it cost."""

from __future__ import annotations

from typing import Any

from oriflamme.engine.picture.shown import TableShown
from oriflamme.games import load
from oriflamme.lab.battle import decide
from oriflamme.lab.first_battle import begin, first_battle_of
from oriflamme.lab.story import MOST, story_of


def test_the_moments_are_told_in_order_and_count_what_fell_and_what_was_scored() -> None:
    first = first_battle_of("rn3")
    play, game = begin(first), load("rn3")
    bots = [game.bots()[name or game.best_bot](seed=first.seed) for name in first.seats]
    while play.pending:
        decision = play.pending[0]
        play.answer(decision.side, decide(play, decision, bots[decision.side]))
    before = play.battle.fingerprint()

    story = story_of(play)

    assert play.battle.fingerprint() == before
    assert 2 <= len(story.moments) <= MOST
    assert [one.n for one in story.moments] == sorted(one.n for one in story.moments)
    assert all(one.n <= one.until <= len(play.answers) and one.swing > 0 for one in story.moments)
    for one in story.moments:
        fell = [f for f in story.fallen if one.n <= f.n <= one.until]
        assert one.lost == tuple(sum(f.figures for f in fell if f.side == side) for side in (0, 1))
    left = {id: len(unit.figures) for id, unit in play.battle.units.items()}
    start = {id: len(unit.figures) for id, unit in play.again().battle.units.items()}
    lost = {id: sum(f.figures for f in story.fallen if f.unit == id) for id in start}
    assert lost == {id: start[id] - left.get(id, 0) for id in start}


def test_what_weighs_is_what_one_is_told_to_weigh() -> None:
    first = first_battle_of("aof")
    play = begin(first)
    bot = load("aof").bots()["random"](seed=1)
    for _ in range(12):
        play.answer(play.pending[0].side, decide(play, play.pending[0], bot))

    weighed: list[int] = []

    def counting(game: Any, battle: Any, shown: TableShown) -> list[float]:
        weighed.append(shown.round)
        return [0.0, 0.3 if len(weighed) > len(play.answers) else 0.0]

    story = story_of(play, counting)

    assert [(one.side, one.swing) for one in story.moments] == [(1, 0.3)]
    assert story.moments[0].until == len(play.answers)
