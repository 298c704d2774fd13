"""Two territories of a vast table: its two halves, side by side along its longer edge (LFW-LEG4-06, LFW-LEG5-05)."""

from __future__ import annotations

from oriflamme.engine.geometry.measure import TOLERANCE, in_inches
from oriflamme.games.lfw.scenarios.zones import Square
from oriflamme.games.lfw.state import Battle

VAST = (48.0, 24.0)  # inches (LFW-ENV-09)


def is_wide(battle: Battle) -> bool:
    """The territories lie to the left and to the right, not near and far."""
    return battle.table.width >= battle.table.depth


def names(battle: Battle) -> tuple[str, str]:
    """The first and the second territory."""
    return ("left", "right") if is_wide(battle) else ("near", "far")


def part_of(battle: Battle, number: int, *, short_by: float = 0.0, low: float = 0.0, high: float = 0.0) -> Square:
    """The first or second territory (0 or 1), but for so many inches next to the other one; of its breadth only what
    lies between `low` and `high`, if that is given."""
    width, depth = in_inches(battle.table.width), in_inches(battle.table.depth)
    long, broad = (width, depth) if is_wide(battle) else (depth, width)
    start, end = (0.0, long / 2 - short_by) if number == 0 else (long / 2 + short_by, long)
    high = high or broad
    return Square(start, low, end, high) if is_wide(battle) else Square(low, start, high, end)


def is_beyond(battle: Battle, x: float, y: float) -> bool:
    """A point lies in the second territory, beyond the middle line (LFW-LEG4-09)."""
    far = x - battle.table.width / 2 if is_wide(battle) else y - battle.table.depth / 2
    return far > TOLERANCE
