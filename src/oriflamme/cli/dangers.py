"""What threatens those who would stand where a move or a place takes them: told before Enter takes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import hypot
from typing import Any

from oriflamme.engine.blocks.bodies import Pose
from oriflamme.engine.core.decisions import Decision, Manoeuvre, Move, Place
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.screen.aids import Aid, Ring, ring_of


def ends_of(decision: Decision, answer: Any, figures: Mapping[str, Any]) -> list[Point]:
    """Where those who are moved or placed would stand; of a block its middle and its corners."""
    if isinstance(decision, Manoeuvre):
        ways = answer or {id: [pose] for id, pose in decision.blocks.items()}
        found: list[Point] = []
        for id, way in ways.items():
            pose = Pose(*way[-1])
            found.append((pose.x, pose.y))
            found += [corner for part in decision.bodies[id].at(pose) for corner in ring_of(part)]
        return found
    if isinstance(decision, Move):
        moved = answer or {}
        return [
            (moved[id][-1][0], moved[id][-1][1]) if id in moved else (figures[id].x, figures[id].y)
            for id in decision.figures
            if id in moved or id in figures
        ]
    if isinstance(decision, Place) and figures and answer:
        return [(spot[0], spot[1]) for spot in answer.values()]
    return []


def dangers(threats: Iterable[Aid], ends: Iterable[Point]) -> list[Aid]:
    """The threats that reach one of these places."""
    spots = list(ends)
    return [aid for aid in threats if any(_reaches(aid, x, y) for x, y in spots)]


def _reaches(aid: Aid, x: float, y: float) -> bool:
    return any(hypot(x - cx, y - cy) <= r for cx, cy, r in aid.circles) or any(_holds(ring, x, y) for ring in aid.rings)


def _holds(ring: Ring, x: float, y: float) -> bool:
    """A place lies within a ring: a line from it to the right crosses the ring an odd number of times."""
    inside = False
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside
