"""Line of sight (AOF-LOS), range (AOF-SHOOT-02) and Cover (AOF-TERRAIN-01 to -04)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.battle import box_gap
from oriflamme.engine.measure import TOLERANCE
from oriflamme.engine.sight import Blocker, hidden_fraction, sees
from oriflamme.games.aof.state import Battle, Figure, Unit

Disc5 = tuple[float, float, float, float, float]


def _walls(battle: Battle, x0: float, y0: float, x1: float, y1: float) -> list[Blocker]:
    return list(battle.table.pieces_near(x0, y0, x1, y1, "blocking")) if battle.table.with_trait("blocking") else []


def can_see(battle: Battle, shooter: Figure, by: Unit, seen: Figure, of: Unit) -> bool:
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
            discs += [
                (f.x, f.y, f.radius, f.z, f.z + f.height)
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


def is_behind(battle: Battle, eye: Figure, figure: Figure) -> bool:
    """More than half of the base is hidden from the eye by blocking terrain (AOF-TERRAIN-04)."""
    x0, x1 = (eye.x, figure.x) if eye.x < figure.x else (figure.x, eye.x)
    y0, y1 = (eye.y, figure.y) if eye.y < figure.y else (figure.y, eye.y)
    r = figure.radius
    walls = [
        p
        for p in _walls(battle, x0 - r, y0 - r, x1 + r, y1 + r)
        if not p.outline.contains(eye.x, eye.y) and not p.outline.contains(figure.x, figure.y)
    ]
    if not walls:
        return False
    hidden = hidden_fraction(eye.x, eye.y, eye.z, figure.x, figure.y, r, figure.z, 0.0, walls)
    return hidden > 0.5


def is_inside(battle: Battle, figure: Figure, *, wholly: bool) -> bool:
    """The model stands in Cover terrain: wholly, or for the most part if it is alone (AOF-TERRAIN-02, -03)."""
    pieces = battle.table.touching(figure.x, figure.y, figure.radius, "cover")
    if not pieces:
        return False
    if wholly:
        return any(p.outline.holds_disc(figure.x, figure.y, figure.radius) for p in pieces)
    return sum(p.outline.disc_share(figure.x, figure.y, figure.radius) for p in pieces) > 0.5


def cover_of(battle: Battle, eye: Figure, target: Unit, victim: Figure | None = None) -> tuple[bool, bool]:
    """Whether the target is in Cover from this viewpoint: by terrain it stands in, or only with what it is behind.

    A unit of several models needs strictly more than half of them; a single model most of itself (AOF-TERRAIN-02, -03).
    """
    if not battle.table.pieces:
        return (False, False)
    if victim is not None or target.start == 1 or len(target.figures) == 1:
        figure = victim if victim is not None else target.figures[0]
        inside = is_inside(battle, figure, wholly=False)
        return (inside, not inside and is_behind(battle, eye, figure))
    inside_count = behind_count = 0
    for figure in target.figures:
        if is_inside(battle, figure, wholly=True):
            inside_count += 1
        elif is_behind(battle, eye, figure):
            behind_count += 1
    number = len(target.figures)
    inside = inside_count * 2 > number
    return (inside, not inside and (inside_count + behind_count) * 2 > number)
