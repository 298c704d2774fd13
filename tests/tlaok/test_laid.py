"""What is kept of where regiments lie is what one would find out anew, and what is quickly told is true."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.blocks.bodies import Block, Pose, any_nearer, gap, gap_between, nearer
from oriflamme.engine.core.play import Play
from oriflamme.games.tlaok.game import game
from oriflamme.games.tlaok.movement.entry import Entrance
from oriflamme.games.tlaok.movement.march import Path
from oriflamme.games.tlaok.movement.reform import Drill, formations_of
from oriflamme.games.tlaok.state import Laid


def moments(seed: int) -> Iterator[Play]:
    """A battle by chance, before every answer."""
    play, random = Play(game, game.setup(seed, points=1000), seed, keep=False, log=False), Random(seed)
    while play.pending:
        yield play
        decision = random.choice(play.pending)
        assert play.answer(decision.side, decision.sample(random)) is None


def test_where_a_regiment_lies_is_never_out_of_date() -> None:
    for play in moments(3):
        for regiment in play.battle.units.values():
            kept, anew = regiment.laid, Laid(regiment)
            assert (kept.ranks, kept.pose, kept.whole.points) == (anew.ranks, anew.pose, anew.whole.points)
            assert [part.points for part in kept.parts] == [part.points for part in anew.parts]
            for stand in regiment.figures:
                base = stand.rectangle
                assert stand.block.points == Block(base.width, base.depth, Pose(stand.x, stand.y, stand.facing)).points


def test_a_regiment_that_stands_still_is_laid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[str] = []
    init = Laid.__init__

    def counted(self: Laid, regiment: object) -> None:
        laid.append("")
        init(self, regiment)  # type: ignore[arg-type]

    monkeypatch.setattr(Laid, "__init__", counted)
    answers = sum(1 for _ in moments(4))
    # A few times for each move and each loss, not for each question about it.
    assert len(laid) < 4 * answers


def test_a_corridor_is_a_legal_way_in(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    corridor = Entrance.corridor

    def checked(self: Entrance) -> Path | None:
        nonlocal seen
        way = corridor(self)
        if way is not None:
            seen += 1
            assert self.why_not(way) is None
        return way

    monkeypatch.setattr(Entrance, "corridor", checked)
    for _ in moments(8):
        pass
    assert seen > 20


def test_a_reform_fits_where_nothing_refuses_it() -> None:
    random, seen = Random(6), {True: 0, False: 0}
    for play in moments(6):
        present = [r for r in play.battle.present() if not r.garrison and not play.battle.is_engaged(r)]
        if not present or random.random() < 0.8:
            continue
        regiment = random.choice(present)
        drill = Drill(play.battle, regiment)
        formation = random.choice(formations_of(regiment, random.randint(min(2, regiment.placed), regiment.placed)))
        facing = random.uniform(-3.0, 3.0)
        fits = drill.fits(formation, facing)
        assert fits == (drill.why_not(formation, facing) is None)
        seen[fits] += 1
    assert min(seen.values()) > 5


blocks = st.builds(
    lambda width, depth, x, y, facing: Block(width, depth, Pose(x, y, facing)),
    st.floats(10, 200),
    st.floats(10, 200),
    st.floats(-200, 200),
    st.floats(-200, 200),
    st.one_of(st.floats(-3.2, 3.2), st.just(0.0)),
)


@given(st.lists(blocks, min_size=1, max_size=3), st.lists(blocks, min_size=1, max_size=3), st.floats(-20, 200))
@settings(max_examples=300, deadline=None)
def test_nearer_is_a_smaller_gap(ones: list[Block], others: list[Block], distance: float) -> None:
    gaps = [gap(one, other) for one in ones for other in others]
    assert gap_between(ones, others) == pytest.approx(min(gaps), abs=1e-9)
    for one in ones:
        for other in others:
            if abs(gap(one, other) - distance) > 1e-6:
                assert nearer(one, other, distance) == (gap(one, other) < distance)
    if all(abs(away - distance) > 1e-6 for away in gaps):
        assert any_nearer(ones, others, distance) == (min(gaps) < distance)
