"""Round templates laid on the table: which bases are even partly under one, and who is nearest to its middle.

Exact: a base that only touches the edge of the template, within `TOLERANCE`, is not under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from oriflamme.engine.geometry.hulls import DiscAt
from oriflamme.engine.geometry.measure import TOLERANCE


def under_template(bases: Sequence[DiscAt], x: float, y: float, radius: float) -> list[int]:
    """The bases that are at least partly under a template, by number, those nearest to its middle first."""
    hit = [i for i, (bx, by, r) in enumerate(bases) if hypot(bx - x, by - y) < radius + r - TOLERANCE]
    return nearest_to(bases, x, y, hit)


def nearest_to(bases: Sequence[DiscAt], x: float, y: float, among: Sequence[int] | None = None) -> list[int]:
    """Bases by number, those whose edge is nearest to a point first; equally near ones in order of number.

    Whoever covers the point comes before everybody else, the one whose edge is farthest beyond it first.
    """
    chosen = range(len(bases)) if among is None else among
    away = {i: hypot(bases[i][0] - x, bases[i][1] - y) - bases[i][2] for i in chosen}
    return sorted(away, key=lambda i: (round(away[i], 6), i))
