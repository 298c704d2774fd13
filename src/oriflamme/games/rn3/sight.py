"""Lines of sight: who sees whom, by sizes and past what (RN3-LOS, RN3-HILL).

A line is drawn in plan from the edge of one base to the edge of the other. What is strictly smaller than one of the two
does not cut it (RN3-LOS-04), so only what is as large as both is handed to the engine, which finds a free line or
proves that there is none (`engine.geometry.plan_sight`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import hypot
from typing import Final, NamedTuple

from oriflamme.engine.geometry.disc_blocks import DiscBlock
from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.plan_sight import PlanSight
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.geometry.sight import HAIR
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.rn3.contact import disc_of, melees
from oriflamme.games.rn3.hills import hidden_by_level, point_hidden_above
from oriflamme.games.rn3.measures import SIGHT_GAP
from oriflamme.games.rn3.state import GROUND, Battle, Fighter, Unit
from oriflamme.games.rn3.terrain import is_hill, raised_size, scenery_of

# What somebody looks for: only for a shot do own models never block (RN3-LOS-05, -06); a standard is seen at size 4
# (RN3-SIZE-03).
PURPOSES: Final = ("shoot", "mystic", "react", "standard")
STANDARD: Final = 4
Box = tuple[float, float, float, float]


class Obstacle(NamedTuple):
    """Something that may cut lines of sight and lie in the way of shots: scenery, a hill, a unit or a melee.

    `sizes` are those of its discs, raised by the hill they stand on; scenery has one.
    """

    size: int
    piece: Piece | None = None
    discs: tuple[DiscAt, ...] = ()
    sizes: tuple[int, ...] = ()


# What is prepared here depends on places and sizes alone, so that it is kept for whoever asks again: battles that were
# copied, other units that look past the same ones.


@lru_cache(maxsize=1024)
def block_of(discs: tuple[DiscAt, ...], counts: tuple[bool, ...] | None = None) -> DiscBlock:
    """A unit or melee as one solid block, with strips where no line passes (RN3-LOS-07, -08)."""
    return DiscBlock(discs, SIGHT_GAP, counts)


class Outlook:
    """Lines past some blockers. What it has found out it keeps."""

    __slots__ = ("_hidden", "_known", "_sight")

    def __init__(self, blocks: Sequence[DiscBlock], discs: Sequence[DiscAt], outlines: Sequence[Outline]) -> None:
        self._sight = PlanSight(blocks, discs, outlines)
        self._known: dict[tuple[DiscAt, DiscAt], bool] = {}
        self._hidden: dict[tuple[DiscAt, DiscAt], bool] = {}

    def sees(self, a: DiscAt, b: DiscAt) -> bool:
        known = self._known.get((a, b))
        if known is None:
            known = self._known[a, b] = self._sight.sees(a, b)
        return known

    def hides(self, a: DiscAt, b: DiscAt) -> bool:
        """One thing hides all of a circle."""
        known = self._hidden.get((a, b))
        if known is None:
            known = self._hidden[a, b] = self._sight.hides(a, b)
        return known


@lru_cache(maxsize=256)
def outlook_past(blocks: tuple[DiscBlock, ...], discs: tuple[DiscAt, ...], outlines: tuple[Outline, ...]) -> Outlook:
    """The lines past blocks, single bases and scenery, all of them tall enough to count."""
    return Outlook(blocks, discs, outlines)


def obstacles_between(
    battle: Battle, unit: Unit, other: Unit | None, levels: Iterable[str], box: Box
) -> list[Obstacle]:
    """Everything that may lie between a unit and another: scenery, other units and melees, but for the hills, by their
    ids, that the two stand on (RN3-LOS-07, RN3-OBS-07). What is nowhere near the box is left out."""
    own = set(levels)
    apart = {unit.id, other.id if other is not None else ""}
    found = [
        Obstacle(size, piece)
        for piece, size in scenery_of(battle.table)
        if piece.id not in own and _meet(box, (piece.outline.x0, piece.outline.y0, piece.outline.x1, piece.outline.y1))
    ]
    for melee in melees(battle):
        others = [member for member in melee if member.id not in apart]
        if others and _meet(box, others[0].box if len(others) == 1 else _round(*[member.box for member in others])):
            found.append(_solid(battle, others))
    return found


def obstacles_of_shot(battle: Battle, unit: Unit, other: Unit) -> list[Obstacle]:
    """Everything that may lie between two units, as they stand."""
    levels = {f.level for f in (*unit.figures, *other.figures)}
    return obstacles_between(battle, unit, other, levels, _round(unit.box, other.box))


def _meet(a: Box, b: Box) -> bool:
    """Two boxes have at least an edge in common, or nearly so."""
    return a[0] <= b[2] + HAIR and b[0] <= a[2] + HAIR and a[1] <= b[3] + HAIR and b[1] <= a[3] + HAIR


def _round(*boxes: Box) -> Box:
    """The box round some others."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def _solid(battle: Battle, units: Sequence[Unit]) -> Obstacle:
    fighters = [f for unit in units for f in unit.figures]
    sizes = tuple([raised_size(battle, f) for f in fighters])
    return Obstacle(max(sizes), None, tuple(map(disc_of, fighters)), sizes)


def _outlook(obstacles: Iterable[Obstacle], taller: int, discs: Sequence[DiscAt], *, always: bool) -> Outlook:
    """Past everything that is not smaller than the taller of the two who look at each other (RN3-LOS-04). With
    unitBlocks = always no line passes over a unit, whatever the sizes."""
    blocks, outlines = [], []
    for obstacle in obstacles:
        if obstacle.piece is not None:
            if obstacle.size >= taller:
                outlines.append(obstacle.piece.outline)
        elif always or obstacle.size >= taller:
            counts = None if always else tuple([size >= taller for size in obstacle.sizes])
            blocks.append(block_of(obstacle.discs, None if counts is not None and all(counts) else counts))
    return outlook_past(tuple(blocks), tuple(discs), tuple(outlines))


class Lines:
    """The lines of sight from one unit to another, for one purpose. Make one for a shot: it keeps what it finds out."""

    def __init__(self, battle: Battle, unit: Unit, other: Unit, purpose: str) -> None:
        self.battle = battle
        self.unit = unit
        self.other = other
        self.purpose = purpose
        self.obstacles = obstacles_of_shot(battle, unit, other)
        self._outlooks: dict[tuple[int, str], Outlook] = {}
        # A circle round the other unit, and how tall its tallest model is.
        self._around: DiscAt | None = None
        self._tallest = 0

    def size_of_target(self, target: Fighter) -> int:
        """A standard is looked for at size 4, on a hill as much higher (RN3-SIZE-03)."""
        size = raised_size(self.battle, target)
        if self.purpose == "standard" and target.profile.role == "standard":
            return max(size, size - target.profile.size + STANDARD)
        return size

    def sees(self, viewer: Fighter, target: Fighter) -> bool:
        """Some line between the two is free, and no level hides the target (RN3-LOS-02, -04, RN3-HILL-02)."""
        if hidden_by_level(self.battle, self.unit, viewer, self.other, target):
            return False
        taller = max(raised_size(self.battle, viewer), self.size_of_target(target))
        return self._past(taller, viewer).sees(disc_of(viewer), disc_of(target))

    def hides_all(self, viewer: Fighter) -> bool:
        """One thing that is as large as everybody hides the whole other unit from a viewer: he sees none of them."""
        if self._around is None:
            targets = self.other.figures
            x0, y0, x1, y1 = self.other.box
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            self._around = x, y, max([hypot(f.x - x, f.y - y) + f.radius for f in targets])
            self._tallest = max([self.size_of_target(target) for target in targets])
        taller = max(raised_size(self.battle, viewer), self._tallest)
        return self._past(taller, viewer).hides(disc_of(viewer), self._around)

    def seen_by(self, viewer: Fighter) -> Iterator[bool]:
        """Whether he sees them, one after the other, all models of the other unit."""
        if self.hides_all(viewer):
            yield False
            return
        for target in self.other.figures:
            yield self.sees(viewer, target)

    def any_seen(self, viewers: Iterable[Fighter]) -> bool:
        """One of the viewers sees one of the other unit (RN3-LOS-10)."""
        return any(any(self.seen_by(viewer)) for viewer in viewers)

    def seen(self, viewers: Sequence[Fighter]) -> tuple[list[Fighter], list[Fighter]]:
        """The viewers who see a model of the other unit, and the models of it that one of them sees."""
        lookers: dict[str, Fighter] = {}
        found: dict[str, Fighter] = {}
        able = [viewer for viewer in viewers if not self.hides_all(viewer)]
        for target in self.other.figures:
            for viewer in able:
                if viewer.id in lookers and target.id in found:
                    continue
                if self.sees(viewer, target):
                    lookers[viewer.id] = viewer
                    found[target.id] = target
        return [f for f in viewers if f.id in lookers], [f for f in self.other.figures if f.id in found]

    def _past(self, taller: int, viewer: Fighter) -> Outlook:
        """For mystics, other profiles of their own unit block base by base (RN3-LOS-05); for a shot nobody of one's own
        unit does (RN3-LOS-06)."""
        own = viewer.profile.id if self.purpose != "shoot" else ""
        outlook = self._outlooks.get((taller, own))
        if outlook is None:
            always = self.battle.is_option("unitBlocks", "always")
            discs = _in_own_way(self.battle, self.unit, viewer, taller) if own else []
            outlook = self._outlooks[taller, own] = _outlook(self.obstacles, taller, discs, always=always)
        return outlook


def _in_own_way(battle: Battle, unit: Unit, viewer: Fighter, taller: int) -> list[DiscAt]:
    """The bases of other profiles of his unit that hide something from a viewer (RN3-LOS-05)."""
    others = [f for f in unit.figures if f.profile.id != viewer.profile.id]
    return [disc_of(f) for f in others if raised_size(battle, f) >= taller]


def fighter_sees(battle: Battle, unit: Unit, fighter: Fighter, other_unit: Unit, other: Fighter, purpose: str) -> bool:
    """One fighter sees another (RN3-LOS-02)."""
    return Lines(battle, unit, other_unit, purpose).sees(fighter, other)


def unit_sees(battle: Battle, unit: Unit, other: Unit, purpose: str) -> bool:
    """At least one of its models sees at least one of the other's (RN3-LOS-10)."""
    return Lines(battle, unit, other, purpose).any_seen(unit.figures)


def sees_point(battle: Battle, unit: Unit, fighter: Fighter, x: float, y: float) -> bool:
    """A fighter sees a point of the battlefield; from below only the line of the change of level is seen (RN3-HILL-10).

    A point has no size of its own: whatever is as large as the fighter hides it.
    """
    if point_hidden_above(battle, fighter, x, y):
        return False
    levels = {fighter.level, *(piece.id for piece in battle.table.at(x, y) if is_hill(piece))}
    taller = raised_size(battle, fighter)
    obstacles = obstacles_between(battle, unit, None, levels - {GROUND}, _round(unit.box, (x, y, x, y)))
    discs = _in_own_way(battle, unit, fighter, taller)
    outlook = _outlook(obstacles, taller, discs, always=battle.is_option("unitBlocks", "always"))
    return outlook.sees(disc_of(fighter), (x, y, 0.0))
