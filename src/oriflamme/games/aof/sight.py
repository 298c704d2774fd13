"""Line of sight (AOF-LOS), range (AOF-SHOOT-02) and Cover (AOF-TERRAIN-01 to -04)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.geometry.areas import covered_share
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import Circle, Curve, critical_places, rim
from oriflamme.engine.geometry.shadows import shadow
from oriflamme.engine.geometry.shapes import GRAZE, Outline
from oriflamme.engine.geometry.sight import Blocker, sees
from oriflamme.engine.screen.aids import Standing
from oriflamme.games.aof.state import Battle, Figure, Unit

# Less than this of a base is no more than what lies within the tolerance.
_NEARLY = 0.01
Disc5 = tuple[float, float, float, float, float]
# More than half, for all the rounding of areas.
_HALF = 0.5 + 1e-9


def _walls(battle: Battle, x0: float, y0: float, x1: float, y1: float) -> list[Blocker]:
    return list(battle.table.pieces_near(x0, y0, x1, y1, "blocking")) if battle.table.with_trait("blocking") else []


def can_see(battle: Battle, shooter: Standing, by: Unit | None, seen: Standing, of: Unit | None) -> bool:
    """One straight line between the two bases crosses no blocking terrain and no model of a third unit (AOF-LOS-02).

    A piece that one of the two stands in does not block: one sees into it and out of it, not through it.
    """
    x0, x1 = (shooter.x, seen.x) if shooter.x < seen.x else (seen.x, shooter.x)
    y0, y1 = (shooter.y, seen.y) if shooter.y < seen.y else (seen.y, shooter.y)
    r = max(shooter.radius, seen.radius)
    x0, y0, x1, y1 = x0 - r, y0 - r, x1 + r, y1 + r
    walls = [
        p
        for p in _walls(battle, x0, y0, x1, y1)
        if not p.outline.contains(shooter.x, shooter.y) and not p.outline.contains(seen.x, seen.y)
    ]
    discs: list[Disc5] = []
    if battle.options["aof.los"] == "modelsBlock":
        for unit in battle.units.values():
            if unit is by or unit is of or unit.reserve is not None or not unit.figures:
                continue
            box = unit.box
            if box[0] > x1 or box[2] < x0 or box[1] > y1 or box[3] < y0:
                continue
            # Under a model is what it stands on: nobody looks through below its feet.
            discs += [
                (f.x, f.y, f.radius, 0.0, f.z + f.height)
                for f in unit.figures
                if f.x + f.radius > x0 and f.x - f.radius < x1 and f.y + f.radius > y0 and f.y - f.radius < y1
            ]
    if not walls and not discs:
        return True
    return sees(shooter.x, shooter.y, shooter.radius, shooter.z, seen.x, seen.y, seen.radius, seen.z, walls, discs)


def gap(a: Figure, b: Figure) -> float:
    """The distance between two models, from base to base (AOF-GEN-08)."""
    return hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius


def range_to(battle: Battle, shooter: Figure, by: Unit, target: Unit, reach: float, needs_sight: bool) -> float | None:
    """The distance to the closest model of the target that this one can see, if within reach (AOF-SHOOT-02)."""
    x, y, r = shooter.x, shooter.y, shooter.radius
    box = target.box
    if box_gap((x - r, y - r, x + r, y + r), box) > reach + TOLERANCE:
        return None
    near = [
        (away, f.id, f) for f in target.figures if (away := hypot(x - f.x, y - f.y) - r - f.radius) <= reach + TOLERANCE
    ]
    near.sort()
    for away, _, f in near:
        if not needs_sight or can_see(battle, shooter, by, f, target):
            return away
    return None


def unit_in_reach(unit: Unit, target: Unit, reach: float) -> bool:
    return box_gap(unit.box, target.box) <= reach + TOLERANCE


def _screens(battle: Battle, eye: Figure, figure: Figure) -> list[Blocker]:
    """Blocking terrain that may hide the figure from the eye: none that one of the two stands in."""
    x0, x1 = (eye.x, figure.x) if eye.x < figure.x else (figure.x, eye.x)
    y0, y1 = (eye.y, figure.y) if eye.y < figure.y else (figure.y, eye.y)
    r = figure.radius
    return [
        p
        for p in _walls(battle, x0 - r, y0 - r, x1 + r, y1 + r)
        if not p.outline.contains(eye.x, eye.y) and not p.outline.contains(figure.x, figure.y)
    ]


def _shadows(battle: Battle, eye: Figure, figure: Figure) -> list[Outline]:
    """The ground at the model's feet that blocking terrain hides from the eye."""
    far = hypot(eye.x - figure.x, eye.y - figure.y) + figure.radius
    screens = _screens(battle, eye, figure)
    return [part for screen in screens for part in shadow(screen, eye.x, eye.y, eye.z, figure.z, far)]


def _is_mostly_in(figure: Figure, outlines: Sequence[Outline]) -> bool:
    """More than half of the base lies in one of the outlines or another; what several cover counts once. Exact."""
    x, y, r = figure.x, figure.y, figure.radius
    shares = [outline.disc_share(x, y, r) for outline in outlines]
    if max(shares, default=0.0) > _HALF:
        return True
    return sum(shares) > _HALF and covered_share(outlines, x, y, r) > _HALF


def is_behind(battle: Battle, eye: Figure, figure: Figure) -> bool:
    """More than half of the base is hidden from the eye by blocking terrain (AOF-TERRAIN-04)."""
    return _is_mostly_in(figure, _shadows(battle, eye, figure))


def is_inside(battle: Battle, figure: Figure) -> bool:
    """The model stands wholly in Cover terrain, be it of one piece or of several side by side (AOF-TERRAIN-02).

    That something of it stands outside all of them is decided by critical places: where their rims meet each other or
    the rim of the base, or are nearest to its middle.
    """
    x, y, r = figure.x, figure.y, figure.radius
    outlines = [p.outline for p in battle.table.touching(x, y, r, "cover")]
    if any(outline.holds_disc(x, y, r) for outline in outlines):
        return True
    if sum(outline.disc_share(x, y, r) for outline in outlines) < 1.0 - _NEARLY:
        return False
    inner = r - TOLERANCE
    curves: list[Curve] = [Circle(x, y, inner), *(side for outline in outlines for side in rim(outline, TOLERANCE))]
    return not any(
        all(outline.distance(px, py) >= TOLERANCE - GRAZE for outline in outlines)
        for px, py in critical_places(curves, x, y, inner)
    )


def most_of(battle: Battle, eye: Figure, figure: Figure) -> tuple[bool, bool]:
    """Most of a single model is inside Cover terrain, or only with what is behind blocking terrain (AOF-TERRAIN-03)."""
    cover = [piece.outline for piece in battle.table.touching(figure.x, figure.y, figure.radius, "cover")]
    if _is_mostly_in(figure, cover):
        return (True, False)
    return (False, _is_mostly_in(figure, [*cover, *_shadows(battle, eye, figure)]))


def cover_of(battle: Battle, eye: Figure, target: Unit, victim: Figure | None = None) -> tuple[bool, bool]:
    """Whether the target is in Cover from this viewpoint: by terrain it stands in, or only with what it is behind.

    A unit of several models needs strictly more than half of them; a single model most of itself (AOF-TERRAIN-02, -03).
    """
    if not battle.table.pieces:
        return (False, False)
    if victim is not None or target.start == 1 or len(target.figures) == 1:
        return most_of(battle, eye, victim if victim is not None else target.figures[0])
    inside_count = behind_count = 0
    for figure in target.figures:
        if is_inside(battle, figure):
            inside_count += 1
        elif is_behind(battle, eye, figure):
            behind_count += 1
    number = len(target.figures)
    inside = inside_count * 2 > number
    return (inside, not inside and (inside_count + behind_count) * 2 > number)
