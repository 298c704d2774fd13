"""Moves (SBH-MOVE): one stick in a straight line, shorter where the ground is difficult, ended by contact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import cos, pi, sin, sqrt
from random import Random

from oriflamme.engine.core.decisions import Moves, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Interval, point_segment_distance
from oriflamme.engine.table.maps import is_obstacle
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.sbh.measures import LENGTHS
from oriflamme.games.sbh.moments import Keyword
from oriflamme.games.sbh.sight import WOOD
from oriflamme.games.sbh.state import Battle, Fighter

CROSSINGS = frozenset({"bridge", "ford"})
WATERS = frozenset({"water", "stream"})


class Gait:
    """How a fighter moves: his stick, the ground that does not hinder him, whether he flies or climbs, and whether he
    passes over his own kind."""

    __slots__ = ("climbs", "flies", "flows", "free", "stick", "sure")

    def __init__(self, stick: str) -> None:
        self.stick = stick
        self.free: frozenset[str] = frozenset()
        self.flies = False
        self.climbs = False
        self.flows = False
        # No ground hinders him (SBH-UPG-TERRAIN-01).
        self.sure = False

    def unhindered_by(self, kinds: Iterable[str], because: AnyKeyword) -> None:
        self.free |= frozenset(kinds)

    def slowed_by(self, piece: Piece) -> bool:
        """Whether this piece is difficult ground to him (SBH-MOVE-10, SBH-WOODS-01); climbing over a wall is, unless
        he climbs."""
        if self.flies or self.sure or piece.kind in CROSSINGS or piece.kind in self.free:
            return False
        if self.climbs and _is_sheer(piece):
            return False
        return piece.kind == WOOD or "difficult" in piece.traits or is_obstacle(piece)

    def stopped_by(self, piece: Piece) -> bool:
        """Whether he cannot go through it at all."""
        if "impassable" not in piece.traits or self.flies or piece.kind in self.free:
            return False
        return not self.climbs or piece.kind in WATERS

    def may_stand(self, piece: Piece) -> bool:
        """Whether he may end a move there; those who fly may alight on deep water, but not in a rock."""
        if "impassable" not in piece.traits or piece.levels or piece.kind in self.free:
            return True
        return self.flies if piece.kind in WATERS else self.climbs


def _is_sheer(piece: Piece) -> bool:
    """A wall, a rock or a cliff: a climber walks on it as on open ground (SBH-SR-CLIMBER-01)."""
    return is_obstacle(piece) or piece.kind == "cliff" or ("impassable" in piece.traits and piece.kind not in WATERS)


def gait_of(battle: Battle, fighter: Fighter) -> Gait:
    gait = Gait(fighter.profile.move)
    at(Keyword.when_moving, (fighter.keywords,), gait)
    gait.sure = battle.is_sure_footed(fighter)
    return gait


class Stride:
    """A straight move that may be made: where it ends, how long it is, what it costs and whom it touches."""

    __slots__ = ("contacts", "cost", "distance", "entered", "slowed", "x", "y")

    def __init__(
        self,
        x: float,
        y: float,
        distance: float,
        slowed: bool,
        cost: int,
        contacts: tuple[Fighter, ...],
        entered: tuple[Piece, ...],
    ) -> None:
        self.x = x
        self.y = y
        self.distance = distance
        self.slowed = slowed
        self.cost = cost
        self.contacts = contacts
        self.entered = entered


def shorter(stick: str) -> str:
    """One category less; Short stays Short (SBH-MOVE-04)."""
    return LENGTHS[max(0, LENGTHS.index(stick) - 1)]


def plan_move(
    battle: Battle,
    fighter: Fighter,
    x: float,
    y: float,
    actions: int,
    *,
    shun: tuple[Fighter, ...] = (),
    bold: bool = False,
    fleeing: bool = False,
) -> Stride | Refusal:
    """A straight move to that place, or why it may not be made. One that runs into an enemy ends in contact.

    `shun` are enemies whom the move must leave (SBH-LEAVE-04). `bold` runs into whoever is met, also where the place
    aimed at lies beyond (an ambusher who rises in the way).
    """
    x, y = battle.ruler.spot(x, y)
    gait = gait_of(battle, fighter)
    grid = battle.ruler.grid
    if grid is not None:
        end = _hex_end(battle, fighter, gait, x, y, bold)
    else:
        end = _open_end(battle, fighter, gait, x, y, bold)
    if isinstance(end, Refusal):
        return end
    while end != (x, y) and grid is None:
        # Where it ends is where it could have been aimed at: nobody is under him, and a save plays it again from there.
        x, y = end
        end = _open_end(battle, fighter, gait, x, y, False)
        if isinstance(end, Refusal):
            return end
    x, y = end
    if not battle.table.holds(fighter.body.base, x, y, 0.0):
        return Refusal("SBH-MOVE-01", "off_the_table", {"x": x, "y": y})
    slowed, entered, barrier = _ground(battle, fighter, gait, x, y)
    if barrier is not None:
        return Refusal("SBH-MOVE-06", "impassable", {"piece": barrier.id})
    distance = battle.ruler.walked(fighter.x, fighter.y, x, y)
    stick = shorter(gait.stick) if slowed else gait.stick
    cost = 2 if slowed and gait.stick == "short" else 1
    reach = battle.ruler.sticks.of(stick)
    if distance > reach + TOLERANCE:
        rule = "SBH-MOVE-04" if slowed and distance <= battle.ruler.sticks.of(gait.stick) + TOLERANCE else "SBH-MOVE-01"
        return Refusal(rule, "too_far", {"distance": battle.ruler.in_measure(distance), "reach": reach})
    if cost > actions:
        return Refusal("SBH-MOVE-05", "too_few_actions", {"needed": cost, "actions": actions})
    contacts = contacts_at(battle, fighter, x, y)
    for enemy in contacts:
        if enemy in shun:
            return Refusal("SBH-LEAVE-04", "still_in_contact", {"fighter": enemy.id})
        if enemy.id in fighter.barred:
            return Refusal("SBH-SR-TERROR-02", "dares_not", {"fighter": enemy.id})
    if fighter.profile.swarm and not fleeing:
        refusal = _swarm_refusal(battle, fighter, x, y)
        if refusal is not None:
            return refusal
    return Stride(x, y, distance, slowed, cost, contacts, entered)


def contacts_at(battle: Battle, fighter: Fighter, x: float, y: float) -> tuple[Fighter, ...]:
    """The enemies he would touch there, across a wall too."""
    touches, across = battle.ruler.touches, battle.across
    r = fighter.radius
    return tuple(f for f in battle.foes(fighter) if touches(x, y, r, f.x, f.y, f.radius) or across(x, y, r, f.body))


def contact_spot(battle: Battle, fighter: Fighter, foe: Fighter) -> tuple[float, float]:
    """Where he touches that enemy if he goes straight at him; on hexes, the last hex before his."""
    grid = battle.ruler.grid
    if grid is not None:
        line = (here := grid.cell_at(fighter.x, fighter.y), *grid.line(here, grid.cell_at(foe.x, foe.y)))
        return grid.spot(*grid.centre(line[-2]))
    apart = battle.ruler.walked(fighter.x, fighter.y, foe.x, foe.y)
    share = max(0.0, apart - fighter.radius - foe.radius) / apart
    return battle.ruler.spot(fighter.x + (foe.x - fighter.x) * share, fighter.y + (foe.y - fighter.y) * share)


def until_met(fighter: Fighter, ux: float, uy: float, other: Fighter) -> tuple[float, float]:
    """Going straight in a direction: after how far his base would meet another, and by how much it misses at the
    nearest point of the way; negative if it would run into it."""
    wx, wy = other.x - fighter.x, other.y - fighter.y
    along = wx * ux + wy * uy
    reach = fighter.radius + other.radius
    aside2 = max(0.0, wx * wx + wy * wy - along * along)
    return max(0.0, along - sqrt(max(0.0, reach * reach - aside2))), sqrt(aside2) - reach


def _open_end(
    battle: Battle, fighter: Fighter, gait: Gait, x: float, y: float, bold: bool
) -> tuple[float, float] | Refusal:
    """Where a straight line towards that place ends on an open table: there, or in contact with an enemy."""
    ax, ay, r = fighter.x, fighter.y, fighter.radius
    dx, dy = x - ax, y - ay
    length = sqrt(dx * dx + dy * dy)
    if length < 1e-9:
        return x, y
    ux, uy = dx / length, dy / length
    first, met = length, None
    kin = kin_of(battle, fighter) if gait.flows else ()
    for other in battle.units.values():
        if other is fighter or other.reserve is not None or other.fate:
            continue
        body = other.body
        wx, wy, reach = body.x - ax, body.y - ay, r + body.radius + TOLERANCE
        along = wx * ux + wy * uy
        if along <= 0.0 or along - reach > first or abs(wx * uy - wy * ux) > reach:
            continue
        until, missed = until_met(fighter, ux, uy, other)
        at_end = _gap(other, x, y, r)
        if missed >= TOLERANCE or until >= first or (along >= length and at_end >= -TOLERANCE):
            continue
        hostile = other.side != fighter.side
        if missed >= -TOLERANCE and (at_end <= TOLERANCE or not hostile or other in battle.touching(fighter)):
            # They only graze: that is no contact among friends, and none anew with whom he touches.
            continue
        over = other in kin or (gait.flies and not (hostile and other.profile.flies))
        if not over or at_end < -TOLERANCE:
            first, met = until, other
    if met is not None:
        if met.side == fighter.side or first < TOLERANCE:
            return Refusal("SBH-MOVE-06", "in_the_way", {"fighter": met.id})
        if _gap(met, x, y, r) >= -TOLERANCE and not bold:
            if until_met(fighter, ux, uy, met)[1] >= -TOLERANCE:
                return Refusal("SBH-MOVE-07", "contact_ends_the_move", {"fighter": met.id})
            return Refusal("SBH-MOVE-06", "in_the_way", {"fighter": met.id})
        if _gap(met, x, y, r) < -r and not bold:
            # Put down partly on an enemy's base it is meant to touch it; in its middle it is not.
            return Refusal("SBH-MOVE-06", "in_the_way", {"fighter": met.id})
        x, y = battle.ruler.spot(ax + ux * first, ay + uy * first)
    return x, y


def _gap(other: Fighter, x: float, y: float, r: float) -> float:
    """Between a base there and another; negative by as much as they overlap."""
    dx, dy = other.x - x, other.y - y
    return sqrt(dx * dx + dy * dy) - r - other.radius


def _hex_end(
    battle: Battle, fighter: Fighter, gait: Gait, x: float, y: float, bold: bool
) -> tuple[float, float] | Refusal:
    """The same on hexes: along the cells of the line; entering a hex beside an enemy ends the move (SBH-HEX-03)."""
    grid = battle.ruler.grid
    assert grid is not None
    here, there = grid.cell_at(fighter.x, fighter.y), grid.cell_at(x, y)
    if not grid.on_board(there):
        return Refusal("SBH-MOVE-01", "off_the_table", {"x": x, "y": y})
    if here == there:
        return x, y
    taken = {grid.cell_at(f.x, f.y): f for f in battle.present() if f is not fighter}
    before = battle.enemies_at(fighter)
    kin = kin_of(battle, fighter) if gait.flows else ()
    foes = [
        (f, grid.cell_at(f.x, f.y))
        for f in battle.foes(fighter)
        if f not in before and (f.profile.flies or not gait.flies)
    ]
    end = here
    for cell in grid.line(here, there):
        met = taken.get(cell)
        if met is not None:
            hostile = met.side != fighter.side
            over = met in kin or (gait.flies and not (hostile and met.profile.flies))
            if not over or cell == there:
                if hostile and end != here and bold:
                    break
                return Refusal("SBH-MOVE-06", "in_the_way", {"fighter": met.id})
        end = cell
        beside = next((f for f, spot in foes if grid.distance(cell, spot) == 1), None) if cell != there else None
        if beside is not None:
            if bold:
                break
            return Refusal("SBH-MOVE-07", "contact_ends_the_move", {"fighter": beside.id})
    if end in taken:
        return Refusal("SBH-MOVE-06", "in_the_way", {"fighter": taken[end].id})
    return grid.spot(*grid.centre(end))


def _ground(
    battle: Battle, fighter: Fighter, gait: Gait, x: float, y: float
) -> tuple[bool, tuple[Piece, ...], Piece | None]:
    """What the straight line goes through: whether it slows, what he newly enters, and what stops him."""
    table = battle.table
    if not table.pieces:
        return False, (), None
    ax, ay = fighter.x, fighter.y
    r = 0.0 if battle.ruler.grid is not None else fighter.radius
    near = r - TOLERANCE
    x0, x1 = (ax, x) if ax < x else (x, ax)
    y0, y1 = (ay, y) if ay < y else (y, ay)
    slowed, entered = False, []
    moves = ax != x or ay != y
    for piece in table.pieces_near(x0 - r, y0 - r, x1 + r, y1 + r):
        outline = piece.outline
        lands = outline.touches_disc(x, y, r) if r else outline.contains(x, y)
        passes = lands or (outline.comes_within(ax, ay, x, y, near) if r else outline.crosses(ax, ay, x, y))
        if not passes:
            continue
        started = outline.touches_disc(ax, ay, r) if r else outline.contains(ax, ay)
        if not started and (lands or not gait.flies):
            entered.append(piece)
        if piece.kind in WATERS and _is_crossed_dry(table.pieces, piece, ax, ay, x, y):
            continue
        if lands and not gait.may_stand(piece):
            return slowed, (), piece
        if moves and gait.stopped_by(piece) and not _stays_on_top(piece, ax, ay, x, y):
            return slowed, (), piece
        if moves and gait.slowed_by(piece):
            slowed = True
    return slowed, tuple(entered), None


def _stays_on_top(piece: Piece, ax: float, ay: float, bx: float, by: float) -> bool:
    """The whole way is on the top of a cliff or another impassable piece that one can stand on."""
    on_top = piece.outline.overlap(ax, ay, bx, by) if piece.levels else []
    return sum(end - start for start, end in on_top) >= 1.0 - 1e-9


def _is_crossed_dry(pieces: tuple[Piece, ...], river: Piece, ax: float, ay: float, bx: float, by: float) -> bool:
    """The whole way through the river is on bridges or in fords, but for less than what counts as nothing."""
    crossings = [piece.outline for piece in pieces if piece.kind in CROSSINGS]
    if not crossings:
        return False
    length = sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    hair = TOLERANCE / length if length > TOLERANCE else 0.0
    wet = [(start, end) for start, end in river.outline.overlap(ax, ay, bx, by) if end - start > hair]
    if not wet:
        # Only his base is over the water: what counts is whether he comes from a bridge, or goes to one.
        return any(outline.contains(ax, ay) or outline.contains(bx, by) for outline in crossings)
    dry = sorted(span for outline in crossings for span in outline.overlap(ax, ay, bx, by))
    return all(_is_covered(start, end, dry, hair) for start, end in wet)


def _is_covered(start: float, end: float, spans: Sequence[Interval], hair: float) -> bool:
    """Spans in their order leave no gap wider than a hair from start to end."""
    for first, last in spans:
        if first > start + hair:
            break
        start = max(start, last)
    return end <= start + hair


def kin_of(battle: Battle, fighter: Fighter) -> list[Fighter]:
    """The other bases of his swarm: friends of the same type; nobody if he is no swarm."""
    if not fighter.profile.swarm:
        return []
    return [f for f in battle.friends(fighter) if f.profile.swarm and f.own.card == fighter.own.card]


def _swarm_refusal(battle: Battle, fighter: Fighter, x: float, y: float) -> Refusal | None:
    """A swarm base ends its move in contact with another of its type; one that was parted from them, nearer to them
    than before (SBH-SR-SWARM-02)."""
    kin = kin_of(battle, fighter)
    touches = battle.ruler.touches
    if not kin or any(touches(x, y, fighter.radius, f.x, f.y, f.radius) for f in kin):
        return None
    now = min(battle.gap(fighter, f) for f in kin)
    then = min(battle.ruler.between(x, y, fighter.radius, f.x, f.y, f.radius) for f in kin)
    if then < now - TOLERANCE and not any(battle.in_contact(fighter, f) for f in kin):
        return None
    facts = {"fighter": fighter.id, "gap": battle.ruler.in_measure(then)}
    return Refusal("SBH-SR-SWARM-02", "swarm_must_touch", facts)


def put(battle: Battle, fighter: Fighter, x: float, y: float) -> None:
    """He stands there now, on the highest level there is for him."""
    body = fighter.body
    body.x, body.y = x, y
    body.z = battle.table.height_at(x, y) if battle.table.standable() else 0.0
    fighter.update_bounds()
    battle.displaced()


def check_move(
    battle: Battle, fighter: Fighter, plan: Callable[[float, float], Stride | Refusal], moves: Moves
) -> Moves | Refusal:
    """A move as a player gives it: one straight line; staying is no line at all."""
    path = moves.get(fighter.id, ())
    if not path:
        return {}
    if not is_straight(fighter, path):
        return Refusal("SBH-MOVE-02", "not_straight", {"points": len(path)})
    stride = plan(*path[-1])
    if isinstance(stride, Refusal):
        return stride
    if (stride.x, stride.y) == (fighter.x, fighter.y):
        return {}
    return {fighter.id: ((stride.x, stride.y),)}


def is_straight(fighter: Fighter, path: Path) -> bool:
    """The path is one straight line from where he stands."""
    x, y = path[-1]
    return all(point_segment_distance(*spot, fighter.x, fighter.y, x, y) <= 3 * TOLERANCE for spot in path[:-1])


def propose_move(
    battle: Battle, fighter: Fighter, plan: Callable[[float, float], Stride | Refusal], random: Random
) -> Moves:
    """A legal move by chance, towards somebody as often as not; none if a few tries find none."""
    reach = battle.sticks.of(fighter.profile.move)
    foes = battle.foes(fighter)
    for _ in range(6):
        if foes and random.random() < 0.5:
            tx, ty = contact_spot(battle, fighter, foes[int(random.random() * len(foes))])
            dx, dy = tx - fighter.x, ty - fighter.y
            apart = sqrt(dx * dx + dy * dy) or 1.0
            share = min(1.0, reach / apart)
            if share < 1.0:
                share *= 0.4 + 0.6 * random.random()
            x, y = fighter.x + dx * share, fighter.y + dy * share
        else:
            angle, far = random.random() * 2 * pi, reach * sqrt(random.random())
            x, y = fighter.x + cos(angle) * far, fighter.y + sin(angle) * far
        stride = plan(x, y)
        if isinstance(stride, Stride) and (stride.x, stride.y) != (fighter.x, fighter.y):
            return {fighter.id: ((stride.x, stride.y),)}
    return {}
