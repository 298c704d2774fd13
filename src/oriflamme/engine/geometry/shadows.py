"""What of level ground is hidden from an eye, as outlines: it has an area then, and what else covers it can be added.

A point of the ground is hidden if somewhere on the line to it the blocker stands at the height the line has there.
Seen from the eye, that is the blocker's outline blown up, from one size to another, and everything in between.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

from oriflamme.engine.geometry.hulls import Hull
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Interval, Outline
from oriflamme.engine.geometry.sight import Blocker


def shadow(blocker: Blocker, x: float, y: float, eye: float, ground: float, far: float) -> list[Outline]:
    """What a blocker hides of the ground at one height from an eye at x, y and another, no further away than `far`, and
    perhaps some of what is further. The eye is outside the blocker's outline. The parts may overlap."""
    sizes = _sizes(blocker.bottom, blocker.top, eye, ground)
    if sizes is None:
        return []
    outline = blocker.outline
    least, most = sizes[0], min(sizes[1], max(sizes[0], 2 * far / max(outline.distance(x, y), TOLERANCE)))

    def blown_up(px: float, py: float, r: float = 0.0) -> list[tuple[float, float, float]]:
        return [(x + (px - x) * size, y + (py - y) * size, r * size) for size in (least, most)]

    if outline.is_circle:
        discs = blown_up(outline.cx, outline.cy, outline.reach)
        return [*_filled(discs), *(Outline.circle(*disc) for disc in discs)]
    if outline.is_convex:
        # Between two points of the smallest and the largest lie only points of sizes in between.
        return _filled([point for corner in outline.corners() for point in blown_up(*corner)])
    corners = [blown_up(*corner) for corner in outline.corners()]
    sides = [part for a, b in pairwise([corners[-1], *corners]) for part in _filled([*a, *b])]
    return [*sides, *(Outline.polygon([corner[n][:2] for corner in corners]) for n in (0, 1))]


def _sizes(bottom: float, top: float, eye: float, ground: float) -> Interval | None:
    """How many times as far from the eye as the blocker is what it hides, at least and at most; None if nothing is."""
    if eye == ground:
        return (1.0, inf) if bottom <= ground < top else None
    first, last = sorted(((bottom - eye) / (ground - eye), (top - eye) / (ground - eye)))
    first, last = max(first, 0.0), min(last, 1.0)
    if first >= last:
        return None
    return 1.0 / last, 1.0 / first if first > 0.0 else inf


def _filled(discs: list[tuple[float, float, float]]) -> list[Outline]:
    polygon = Hull(discs).polygon
    return [] if polygon is None else [polygon]
