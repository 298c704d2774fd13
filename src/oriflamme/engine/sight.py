"""Lines of sight over the table."""

from __future__ import annotations

from oriflamme.engine.geometry import Outline


class Blocker:
    """Something upright that sight does not pass: an outline, filled from `bottom` up to `top`."""

    __slots__ = ("bottom", "outline", "top")

    def __init__(self, outline: Outline, bottom: float, top: float) -> None:
        self.outline = outline
        self.bottom = bottom
        self.top = top

    @staticmethod
    def disc(x: float, y: float, r: float, bottom: float, top: float) -> Blocker:
        """An upright cylinder."""
        return Blocker(Outline.circle(x, y, r), bottom, top)

    def __repr__(self) -> str:
        return f"Blocker({self.outline!r}, {self.bottom!r}, {self.top!r})"
