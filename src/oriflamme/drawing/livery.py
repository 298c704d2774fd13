"""How sides are told apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec


class Livery(msgspec.Struct, frozen=True):
    """How a side is told apart: by colour and, for those who cannot tell colours, by the pattern of its rims."""

    colour: str
    dark: str
    pattern: str


LIVERIES: Final = (
    Livery("#1f559c", "#0c2a55", "solid"),
    Livery("#b02a26", "#5f0f12", "double"),
    Livery("#806000", "#4a3700", "dashed"),
    Livery("#5f3186", "#351550", "notched"),
)


def livery(side: int) -> Livery:
    return LIVERIES[side % len(LIVERIES)]


def rim(dress: Livery, ring: Callable[[float], str]) -> list[str]:
    """The pattern inside the rim that tells a side without its colour."""
    match dress.pattern:
        case "double":
            return [ring(1.9) + ' fill="none" stroke="#ffffff" stroke-width="1.1"/>']
        case "dashed":
            return [ring(1.5) + ' fill="none" stroke="#ffffff" stroke-width="1.4" stroke-dasharray="3.2 2.6"/>']
        case "notched":
            return [ring(0.6) + ' fill="none" stroke="#ffffff" stroke-width="2.8" stroke-dasharray="1.3 4.4"/>']
        case _:
            return []
