"""How much of a disc several outlines cover together, exactly: what two of them share counts once.

The disc is cut into strips where anything begins, ends or crosses. In a strip what is covered has the same edges above
and below from one side to the other, and the area between them is known in closed form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import asin, hypot, pi, sqrt
from typing import NamedTuple

from oriflamme.engine.geometry.places import Circle, Curve, Line, crossings
from oriflamme.engine.geometry.shapes import Outline, Point


class _Edge(NamedTuple):
    """The height of a straight edge or, with a radius, of the upper (1) or lower (-1) half of a circle."""

    x: float
    y: float
    slope: float
    radius: float = 0.0
    half: int = 0

    def at(self, x: float) -> float:
        if not self.half:
            return self.y + self.slope * (x - self.x)
        return self.y + self.half * sqrt(max(0.0, self.radius * self.radius - (x - self.x) ** 2))

    def area(self, low: float, high: float) -> float:
        """Between it and the line where y is 0, from low to high."""
        if not self.half:
            return (high - low) * (self.at(low) + self.at(high)) / 2
        return self.y * (high - low) + self.half * (self._sector(high) - self._sector(low))

    def _sector(self, x: float) -> float:
        r, u = self.radius, max(-self.radius, min(self.radius, x - self.x))
        return (u * sqrt(max(0.0, r * r - u * u)) + r * r * asin(u / r)) / 2


_Part = tuple[float, float, _Edge, _Edge]


def covered_share(outlines: Sequence[Outline], x: float, y: float, r: float) -> float:
    """The fraction of a disc's area that lies in one of the outlines or another."""
    shapes = [_moved(outline, x, y) for outline in outlines]
    curves: list[Curve] = [Circle(0.0, 0.0, r), *(curve for shape in shapes for curve in _curves(shape))]
    marks = {-r, r, *(point[0] for one, other in combinations(curves, 2) for point in crossings(one, other))}
    for shape in shapes:
        if isinstance(shape, Circle):
            marks |= {shape.x - shape.r, shape.x + shape.r}
        else:
            marks |= {px for px, _ in shape}
    top, bottom = _Edge(0.0, 0.0, 0.0, r, 1), _Edge(0.0, 0.0, 0.0, r, -1)
    covered = 0.0
    for low, high in pairwise(sorted(mark for mark in marks if -r <= mark <= r)):
        middle = (low + high) / 2
        parts = sorted(part for shape in shapes for part in _parts(shape, middle))
        covered += sum(
            over.area(low, high) - under.area(low, high) for under, over in _joined(parts, bottom, top, middle)
        )
    return min(1.0, max(0.0, covered / (pi * r * r)))


def _moved(outline: Outline, x: float, y: float) -> Circle | list[Point]:
    if outline.is_circle:
        return Circle(outline.cx - x, outline.cy - y, outline.reach)
    return [(px - x, py - y) for px, py in outline.corners()]


def _curves(shape: Circle | list[Point]) -> Iterator[Curve]:
    """The lines or the circle that the edge of a shape lies on."""
    if isinstance(shape, Circle):
        yield shape
        return
    for (ax, ay), (bx, by) in pairwise([shape[-1], *shape]):
        length = hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / length, (ax - bx) / length
        yield Line(nx, ny, nx * ax + ny * ay)


def _parts(shape: Circle | list[Point], x: float) -> Iterator[_Part]:
    """From where to where a shape goes at x, and between which of its edges."""
    edges: list[_Edge] = []
    if isinstance(shape, Circle):
        if abs(x - shape.x) < shape.r:
            edges = [_Edge(shape.x, shape.y, 0.0, shape.r, half) for half in (-1, 1)]
    else:
        for (ax, ay), (bx, by) in pairwise([shape[-1], *shape]):
            if (ax > x) != (bx > x):
                edges.append(_Edge(ax, ay, (by - ay) / (bx - ax)))
    edges.sort(key=lambda edge: edge.at(x))
    for under, over in zip(edges[::2], edges[1::2], strict=True):
        yield under.at(x), over.at(x), under, over


def _joined(parts: Sequence[_Part], bottom: _Edge, top: _Edge, x: float) -> Iterator[tuple[_Edge, _Edge]]:
    """The parts inside the disc, joined where they overlap: what is below and above."""
    least, most = bottom.at(x), top.at(x)
    reached, last = least, bottom
    for low, high, under, over in parts:
        if high <= reached or low >= most:
            continue
        start = under if low > reached else last
        end = over if high < most else top
        yield start, end
        reached, last = (high, over) if high < most else (most, top)
