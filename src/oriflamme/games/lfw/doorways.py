"""Enemies behind open exits. From outside to inside one measures through an exit (LFW-TERR-25), and so one keeps
off who stands behind it (LFW-MOVE-06, LFW-CHG-13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot, inf, sqrt
from typing import Final, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import segment_segment_distance
from oriflamme.engine.heights.distances import Spot, distance_to_mouth
from oriflamme.engine.heights.relief import Fault, near_side
from oriflamme.engine.heights.walks import Leg, Other, Portion, Walk, Waypoint, cut_way
from oriflamme.engine.table.insides import TABLE, Mouth
from oriflamme.games.lfw.ground import heights_count
from oriflamme.games.lfw.state import Battle

_DISCS: Final = 8


class Doorway(NamedTuple):
    """One side of an open exit, and an enemy so far behind it that one does not come near it."""

    enemy: str
    mouth: Mouth
    behind: float
    keep: float
    """From the enemy, through the exit."""

    def clearance(self, z: float) -> float:
        """How far in plan a base at that elevation keeps from the mouth; below 0 where it may be anywhere."""
        left, rise = self.keep - self.behind, abs(z - self.mouth.z)
        return sqrt(left * left - rise * rise) if rise < left else -inf


def doorways(battle: Battle, others: Iterable[Other]) -> list[Doorway]:
    """The exits that are passed at a distance, because of enemies who stand behind them."""
    exits = [o for o in battle.table.openings if o.joins_boards and o.id not in battle.closed]
    if not exits:
        return []
    heights = heights_count(battle)
    found = []
    for other in others:
        if not other.keep:
            continue
        spot = Spot(other.x, other.y, other.z, other.radius)
        for opening in exits:
            for mouth, beyond in (opening.mouths, opening.mouths[::-1]):
                behind = distance_to_mouth(
                    battle.table,
                    spot,
                    beyond,
                    battle.closed,
                    heights=heights,
                    without=opening.id,
                    within=other.keep,
                )
                if behind < other.keep - TOLERANCE:
                    found.append(Doorway(other.id, mouth, behind, other.keep))
    return found


def why_not_past(found: Sequence[Doorway], walk: Walk) -> Fault | None:
    """Why a way comes too near to somebody behind an exit. Who begins nearer may go, as long as he comes no nearer and
    ends far enough away (LFW-MOVE-07)."""
    r = walk.gait.radius
    for doorway in found:
        mouth = doorway.mouth
        for leg in walk.legs:
            if leg.board != mouth.board or (walk.gait.flies and leg.board == TABLE):
                continue
            for portion in leg.portions:
                needed = doorway.clearance(portion.z) + r - TOLERANCE
                a, b = leg.at(portion.t0), leg.at(portion.t1)
                nearest = segment_segment_distance(*a, *b, mouth.ax, mouth.ay, mouth.bx, mouth.by)
                first = mouth.distance(*a)
                if nearest < needed and (first >= needed or nearest < first - TOLERANCE):
                    return _too_near(doorway, nearest - r)
    return None


def why_not_there(found: Sequence[Doorway], board: str, here: Spot) -> Fault | None:
    """Why a place is too near to somebody behind an exit."""
    for doorway in found:
        gap = doorway.mouth.distance(here.x, here.y) - here.radius
        if doorway.mouth.board == board and gap < doorway.clearance(here.z) - TOLERANCE:
            return _too_near(doorway, gap)
    return None


def _too_near(doorway: Doorway, gap: float) -> Fault:
    facts = {"other": doorway.enemy, "gap": doorway.behind + max(0.0, gap), "keep": doorway.keep}
    return Fault("too_near", facts)


def part_before(found: Sequence[Doorway], walk: Walk) -> tuple[Waypoint, ...]:
    """The first part of a way, before it comes too near to somebody behind an exit; who begins nearer may go away from
    it."""
    for number, leg in enumerate(walk.legs if found else ()):
        for portion in leg.portions:
            share = _share_before(found, leg, portion, walk.gait.radius)
            if share < 1.0:
                passed = sum(passage.after <= number for passage in walk.passages)
                upto = number + passed + portion.t0 + (portion.t1 - portion.t0) * share
                return tuple(cut_way(walk.way, upto))
    return walk.way


def _share_before(found: Sequence[Doorway], leg: Leg, portion: Portion, r: float) -> float:
    a, b = leg.at(portion.t0), leg.at(portion.t1)
    share = 1.0
    for doorway in found:
        mouth = doorway.mouth
        needed = doorway.clearance(portion.z) + r - TOLERANCE
        if mouth.board != leg.board or needed <= 0.0:
            continue
        part = near_side(*a, *b, mouth.ax, mouth.ay, mouth.bx, mouth.by, needed)
        if part is None or part[0] >= 1.0 or part[1] <= 0.0:
            continue
        nearest = segment_segment_distance(*a, *b, mouth.ax, mouth.ay, mouth.bx, mouth.by)
        if part[0] > 0.0 or nearest < mouth.distance(*a) - TOLERANCE:
            share = min(share, max(0.0, part[0]))
    return share


def as_bases(found: Sequence[Doorway]) -> list[Other]:
    """Discs that cover what a way keeps out of, a little more than that, to look for a way round."""
    covering = []
    for doorway in found:
        mouth, left = doorway.mouth, doorway.keep - doorway.behind
        dx, dy = mouth.bx - mouth.ax, mouth.by - mouth.ay
        radius = hypot(left, hypot(dx, dy) / _DISCS / 2)
        covering += [
            Other(doorway.enemy, mouth.ax + dx * n / _DISCS, mouth.ay + dy * n / _DISCS, mouth.z, 0.0, radius)
            for n in range(_DISCS + 1)
        ]
    return covering
