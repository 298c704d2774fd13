"""How sides are told apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec


class Livery(msgspec.Struct, frozen=True):
    """How a side is told apart: by colour and, for those who cannot tell colours, by the pattern of its rims.

    The colours lie far apart for people who see no red or no green, too, and are dark enough for white letters on them
    and for being letters on paper (`tests/test_drawing.py`).
    """

    colour: str
    dark: str
    pattern: str


LIVERIES: Final = (
    Livery("#2b68ba", "#12325f", "solid"),
    Livery("#882233", "#4a0d18", "double"),
    Livery("#995e0e", "#553303", "dashed"),
    Livery("#442b78", "#221140", "notched"),
)
# Of an army that nobody owns.
NOBODYS: Final = Livery("#1f1c1b", "#000000", "banded")


def livery(side: int, players: int) -> Livery:
    """Of a side; the first so many are played, the others are nobody's."""
    return LIVERIES[side] if side < min(players, len(LIVERIES)) else NOBODYS


def rim(dress: Livery, ring: Callable[[float], str]) -> list[str]:
    """The pattern inside the rim that tells a side without its colour."""
    match dress.pattern:
        case "double":
            return [ring(1.9) + ' fill="none" stroke="#ffffff" stroke-width="1.1"/>']
        case "dashed":
            return [ring(1.5) + ' fill="none" stroke="#ffffff" stroke-width="1.4" stroke-dasharray="3.2 2.6"/>']
        case "notched":
            return [ring(0.6) + ' fill="none" stroke="#ffffff" stroke-width="2.8" stroke-dasharray="1.3 4.4"/>']
        case "banded":
            return [ring(1.6) + ' fill="none" stroke="#ffffff" stroke-width="2.6"/>']
        case _:
            return []
