"""Crowded tables of Song of Blades and Heroes for the proofs, and the rules on room in plain geometry.

Nothing here calls the geometry of the program: distances are written out with numpy, terrain is shapely's.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from random import Random
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from oriflamme import games
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.sbh.measures import SCALES, Ruler
from oriflamme.games.sbh.movement import put
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.state import Activation, Battle, Fighter

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

SIZE = 600.0
SHORT, MEDIUM, LONG = 50.0, 80.0, 120.0
# What is so much better than the rule asks is clearly legal; what is so much worse is clearly not.
CLEARLY = 0.12
KINDS = {"rocks": ("blocking", "impassable"), "swamp": ("difficult",), "wall": ("obstacle",)}


def rock(number: int, kind: str, x: float, y: float, wide: float, deep: float, turn: float) -> Piece:
    """A rectangular piece of terrain."""
    return Piece(f"{kind}.{number}", kind, Outline.rectangle(x, y, wide, deep, turn), 0.0, KINDS[kind])


def lay(pieces: Sequence[Piece] = ()) -> Battle:
    """An empty table of 600 by 600 with these pieces, in somebody's turn."""
    defaults = games.load("sbh").defaults()
    battle = Battle(
        Table(SIZE, SIZE, pieces),
        defaults,
        SeededDice(1),
        scale="15mm",
        sticks=SCALES["15mm"],
        ruler=Ruler(SCALES["15mm"]),
    )
    battle.halved = (True, True)
    return battle


def stand(
    battle: Battle, id: str, side: int, x: float, y: float, *, width: float = 16.0, rules: tuple[str, ...] = ()
) -> Fighter:
    """A fighter there."""
    profile = profile_of(id, "humans", 4, 3, rules)
    card: dict[str, Any] = {"id": id, "name": {"en": id, "fr": id}, "points": 30, "card": id, "race": "humans"}
    fighter = Fighter(id, side, profile, width, card)
    fighter.reserve = None
    battle.units[id] = fighter
    put(battle, fighter, round(x, 2), round(y, 2))
    battle.displaced()
    return fighter


def acting(battle: Battle, fighter: Fighter, actions: int, kind: str = "") -> None:
    """He is activated, and has so many actions."""
    battle.turn = fighter.side
    battle.acting = [Activation((fighter.id,), actions, kind)]


def is_clear(battle: Battle, x: float, y: float, r: float, *, but: Sequence[Fighter] = ()) -> bool:
    """A base fits there: on the table, on nobody, and on nothing solid."""
    if not r <= x <= SIZE - r or not r <= y <= SIZE - r:
        return False
    for other in battle.present():
        if other not in but and np.hypot(x - other.x, y - other.y) < r + other.radius:
            return False
    solid = [drawn(piece) for piece in battle.table.pieces if "impassable" in piece.traits]
    return all(shape.distance(shapely.Point(x, y)) >= r for shape in solid)


def drawn(piece: Piece) -> shapely.Polygon:
    """A piece as shapely draws it."""
    return shapely.Polygon(piece.outline.corners())


def crowd(battle: Battle, random: Random, number: int, x: float, y: float, near: float, far: float, side: int) -> None:
    """Fighters of one side at some distance from a place, wherever they fit."""
    for _ in range(6 * number):
        if number == 0:
            return
        angle, away = random.uniform(0.0, 2 * np.pi), random.uniform(near, far)
        width = random.choice((16.0, 16.0, 20.0, 25.0))
        px, py = x + away * np.cos(angle), y + away * np.sin(angle)
        if is_clear(battle, px, py, width / 2):
            stand(battle, f"{'ab'[side]}{len(battle.units)}", side, px, py, width=width)
            number -= 1


def suggested(asking: Generator[Decision, Any, Any]) -> Any:
    """Drives a rule with the answers that it suggests itself."""
    try:
        decision = next(asking)
        while True:
            decision = asking.send(decision.accept(decision.suggestion()))
    except StopIteration as stop:
        return stop.value


# -- rules on straight moves, for many at once -------------------------------------------------------------------------


def apart(x: float, y: float, ax: float | Numbers, ay: float | Numbers, bx: Numbers, by: Numbers) -> Numbers:
    """From a point to each of the segments from a to b."""
    dx, dy = bx - ax, by - ay
    length2 = np.maximum(dx * dx + dy * dy, 1e-12)
    share = np.clip(((x - ax) * dx + (y - ay) * dy) / length2, 0.0, 1.0)
    return np.hypot(ax + share * dx - x, ay + share * dy - y)


def on_table(xs: Numbers, ys: Numbers, r: float, slack: float) -> Flags:
    return (xs >= r + slack) & (xs <= SIZE - r - slack) & (ys >= r + slack) & (ys <= SIZE - r - slack)


def runs_free(
    battle: Battle, fighter: Fighter, xs: Numbers, ys: Numbers, slack: float, stick: float, *, touch: bool = False
) -> Flags:
    """Which straight moves from where he stands may be made (SBH-MOVE-01, -04, -06, -07): within the stick, or the next
    shorter one if any part is in difficult ground; over nobody, through nothing solid. `slack` makes all of it
    stricter, or more lenient. Enemies are not touched, unless he touches them now and does not come nearer; friends
    may be touched at the end if `touch` says so."""
    x, y, r = fighter.x, fighter.y, fighter.radius
    length = np.hypot(xs - x, ys - y)
    free = on_table(xs, ys, r, slack) & (length <= stick - slack)
    for other in battle.present():
        if other is fighter:
            continue
        reach = r + other.radius
        now = float(np.hypot(other.x - x, other.y - y))
        passing = apart(other.x, other.y, x, y, xs, ys)
        ending = np.hypot(xs - other.x, ys - other.y)
        hair = 0.03 if other.side != fighter.side else 0.0
        if now < reach + (CLEARLY if slack > 0.0 else TOLERANCE):
            # In contact already: he may go away from him, not along.
            forward = (xs - x) * (other.x - x) + (ys - y) * (other.y - y)
            leaves = forward <= slack * length * now * -0.002
            if slack < 0.0:
                leaves |= passing >= reach + slack
            free &= leaves & (ending >= reach + hair + slack)
        elif touch and other.side == fighter.side:
            free &= (passing >= reach + slack) | ((ending <= passing + 1e-9) & (ending >= reach - 0.03))
        else:
            free &= (passing >= reach + hair + slack) & (ending >= reach + hair + slack)
    rest = np.flatnonzero(free)
    for piece in battle.table.pieces:
        if not len(rest):
            break
        begins = np.broadcast_to((x, y), (len(rest), 2))
        ways = shapely.linestrings(np.stack([begins, np.stack([xs[rest], ys[rest]], 1)], 1))
        shape = drawn(piece)
        shapely.prepare(shape)
        near = shapely.distance(ways, shape) < r + slack
        if "impassable" in piece.traits or stick <= SHORT:
            # For a Short move through difficult ground one action is not enough (SBH-MOVE-05).
            rest = rest[~near]
        else:
            rest = rest[~near | (length[rest] <= (SHORT if stick <= MEDIUM else MEDIUM) - slack)]
    found = np.zeros(len(xs), dtype=bool)
    found[rest] = True
    return found


def star(x: float, y: float, reach: float, directions: int, lengths: int, turn: float = 0.0) -> tuple[Numbers, Numbers]:
    """Places all round a point, in so many directions and at so many lengths up to a reach."""
    angles = turn + np.arange(directions) * (2 * np.pi / directions)
    far = reach * np.arange(1, lengths + 1) / lengths
    xs = x + np.outer(np.cos(angles), far)
    ys = y + np.outer(np.sin(angles), far)
    return xs.ravel(), ys.ravel()
