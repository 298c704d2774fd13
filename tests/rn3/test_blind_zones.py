"""Blind zones are drawn where the rule hides somebody, and nowhere while nobody may measure (RN3-HILL, RN3-GEN-04)."""

from __future__ import annotations

from random import Random

import pytest
from tests.rn3.laid import battle_of, unit_of

from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.rn3.blind_zones import Ring, blind_zones
from oriflamme.games.rn3.game import game
from oriflamme.games.rn3.hills import hidden_by_level
from oriflamme.games.rn3.state import Activation, Battle

OUTLINES = [Outline.rectangle(cm(60), cm(60), cm(24), cm(16), 0.4), Outline.circle(cm(60), cm(60), cm(12))]


def on_a_hill(outline: Outline, size: int, where: tuple[float, float], **options: str) -> Battle:
    """A single guard at a spot, in centimetres, and a scout who is put here and there."""
    battle = battle_of(unit_of("guard", 0, [where]), unit_of("scout", 1, [(5, 5)]), **options)
    battle.table = Table(1200.0, 1200.0, [Piece("hill", "hill", outline, cm(5), (), (cm(5),), size)])
    for unit in battle.units.values():
        for fighter in unit.figures:
            fighter.level = "hill" if outline.contains(fighter.x, fighter.y) else ""
    battle.activation = Activation("guard", 0, 1)
    return battle


def is_in(ring: Ring, x: float, y: float) -> bool:
    """Whether a point lies in an area: a ray to the right crosses its border an odd number of times."""
    odd = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


@pytest.mark.parametrize("outline", OUTLINES)
@pytest.mark.parametrize("size", [3, 6])
@pytest.mark.parametrize("where", [(60, 60), (57, 62), (60, 40), (85, 66)])
@pytest.mark.parametrize("sight", ["literal", "mutual"])
def test_whoever_stands_in_the_middle_of_a_zone_is_hidden_and_far_from_it_seen(
    outline: Outline, size: int, where: tuple[float, float], sight: str
) -> None:
    battle = on_a_hill(outline, size, where, hillSight=sight)
    guard, scout = battle.units["guard"], battle.units["scout"]
    (spy,) = scout.figures
    rings = blind_zones(battle, guard)
    above = outline.contains(cm(where[0]), cm(where[1]))
    random = Random(3)
    hidden = seen = 0
    for _ in range(600):
        spy.x, spy.y = cm(random.uniform(30, 90)), cm(random.uniform(30, 90))
        spy.level = "hill" if outline.contains(spy.x, spy.y) else ""
        if (spy.level == "hill") == above:
            continue
        reach = spy.radius + cm(0.5)
        spots = [(spy.x + dx * reach, spy.y + dy * reach) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        within = [any(is_in(ring, *spot) for ring in rings) for spot in spots]
        if all(within):
            hidden += 1
            assert hidden_by_level(battle, guard, guard.figures[0], scout, spy)
        elif not any(within):
            seen += 1
            assert not hidden_by_level(battle, guard, guard.figures[0], scout, spy)

    assert seen
    assert hidden or where != (57, 62)


def test_nothing_is_drawn_while_nobody_may_measure_or_acts() -> None:
    openly = on_a_hill(OUTLINES[0], 3, (60, 60), openMeasuring="yes")
    closed = on_a_hill(OUTLINES[0], 3, (60, 60), openMeasuring="no")
    picture = game.picture()

    assert [area.kind for area in picture.show(openly).areas] == ["blind"]
    assert picture.show(closed).areas == ()
    openly.activation = None
    assert picture.show(openly).areas == ()
