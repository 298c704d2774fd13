"""Reinforcement lines (TLAOK-ENTRY-02 to -09): how far forward a side may come in from the side edges.

A line is a distance from one's own edge. It lies at the rear of the most advanced regiment that no enemy has got past.
"""

from __future__ import annotations

from oriflamme.engine.geometry.measure import TOLERANCE, in_inches
from oriflamme.games.tlaok.events import LineDrawn
from oriflamme.games.tlaok.state import Battle, Regiment


def is_irregular(regiment: Regiment) -> bool:
    """It is ignored for reinforcement lines (TLAOK-SR-IRREGULAR-01)."""
    for stand in regiment.figures:
        if stand.role != "character":
            for rule in regiment.keywords_of(stand):  # noqa: SIM110  a generator here doubles the time
                if rule.irregular:
                    return True
            return False
    return False


def forward(battle: Battle, side: int, y: float) -> float:
    """How far from its own edge a side counts this place."""
    return y if battle.edges[side] == "south" else battle.table.depth - y


def reach(battle: Battle, side: int, regiment: Regiment) -> tuple[float, float]:
    """The rearmost and the foremost point of a regiment, as that side counts; of its garrison if it is in one."""
    if regiment.garrison:
        outline = battle.table.piece(regiment.garrison).outline
        low, high = outline.y0, outline.y1
    else:
        low, high = regiment.laid.whole.y0, regiment.laid.whole.y1
    if battle.edges[side] == "south":
        return low, high
    return battle.table.depth - high, battle.table.depth - low


def best_line(battle: Battle, side: int) -> tuple[float, str]:
    """The most advanced line that can be drawn now, and the regiment that holds it; the edge if there is none."""
    own = [(*reach(battle, side, r), r.id) for r in battle.present(side) if not is_irregular(r)]
    by_front = battle.option("tlaok.mostAdvanced") == "foremostCorner"
    own.sort(key=lambda found: found[1] if by_front else found[0], reverse=True)
    nearest = min(
        (reach(battle, side, r)[0] for r in battle.present(1 - side) if not is_irregular(r)), default=float("inf")
    )
    for rear, _, id in own:
        if nearest >= rear - TOLERANCE:
            return rear, id
    return 0.0, ""


def draw_lines(battle: Battle) -> None:
    """At the start of a round both lines are found from scratch (TLAOK-ENTRY-02, -09)."""
    found = [best_line(battle, side) for side in (0, 1)]
    battle.lines = battle.starting_lines = (found[0][0], found[1][0])
    battle.holders = (found[0][1], found[1][1])
    for side in (0, 1):
        if battle.lines[side] > TOLERANCE:
            battle.tell(LineDrawn("TLAOK-ENTRY-02", side, in_inches(battle.lines[side])))


def check_lines(battle: Battle) -> None:
    """After an activation: a line falls back if its holder is gone or an enemy has crossed it, and may come forward
    again as far as it was when the round began (TLAOK-ENTRY-05 to -08)."""
    for side in (0, 1):
        line, holder = battle.lines[side], battle.holders[side]
        gone = bool(holder) and not battle.units[holder].on_table
        # Nobody crosses an edge, and a line that is where it was comes no further forward.
        crossed = line > TOLERANCE and any(
            reach(battle, side, r)[0] < line - TOLERANCE and not is_irregular(r) for r in battle.present(1 - side)
        )
        beyond = line < battle.starting_lines[side] - TOLERANCE and any(
            reach(battle, side, r)[0] > line + TOLERANCE and not is_irregular(r) for r in battle.present(side)
        )
        if not (gone or crossed or beyond):
            continue
        now, id = best_line(battle, side)
        new = min(battle.starting_lines[side], now)
        if not (gone or crossed):
            new = max(line, new)
        if abs(new - line) > TOLERANCE:
            battle.tell(LineDrawn("TLAOK-ENTRY-06" if new < line else "TLAOK-ENTRY-07", side, in_inches(new)))
        lines, holders = list(battle.lines), list(battle.holders)
        lines[side] = new
        if gone or crossed or new > line:
            holders[side] = id if new else ""
        battle.lines, battle.holders = (lines[0], lines[1]), (holders[0], holders[1])
