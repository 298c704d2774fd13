"""Lengths of text and plain forms, in units of the page."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin

from oriflamme.drawing.terrain import num
from oriflamme.engine.geometry.shapes import Outline, Point

Rectangle = tuple[float, float, float, float]


def star(r: float) -> str:
    points = []
    for k in range(10):
        reach = r if k % 2 == 0 else r * 0.45
        points.append(f"{num(reach * sin(pi * k / 5))} {num(-reach * cos(pi * k / 5))}")
    return "M" + "L".join(points) + "z"


def oval(cx: float, cy: float, rx: float, ry: float) -> Outline:
    return Outline.polygon([(cx + rx * cos(pi * k / 6), cy + ry * sin(pi * k / 6)) for k in range(12)])


def common_area(a: Rectangle, b: Rectangle) -> float:
    """The area two rectangles of the page share."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def text_width(text: str, size: float) -> float:
    """About how wide a line of text is: enough to leave room for it, whatever the font."""
    wide = 0.0
    for letter in text:
        if letter in "iljtfrI.,:;'’()-! ":
            wide += 0.33
        elif letter in "mwMW":
            wide += 0.86
        elif letter.isupper():
            wide += 0.7
        else:
            wide += 0.57
    return wide * size


def cut(text: str, wide: float, size: float) -> str:
    """As much of the text as there is room for."""
    if text_width(text, size) <= wide:
        return text
    while len(text) > 3 and text_width(text, size) + size > wide:
        text = text[:-1]
    return text.rstrip() + "…"


def convex(points: Iterable[Point]) -> list[Point]:
    """The corners of the smallest convex shape round the points, counterclockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(way: Iterable[Point]) -> list[Point]:
        kept: list[Point] = []
        for x, y in way:
            while len(kept) >= 2:
                (ax, ay), (bx, by) = kept[-2], kept[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return half(ordered) + half(reversed(ordered))
