"""Lengths. Inside the program a length is in millimetres; each game speaks its own measure at its edges."""

from __future__ import annotations

from typing import Final

INCH: Final = 25.4
CM: Final = 10.0

# Two lengths that differ by less than this are the same length: about 0.001", far below what a tape shows.
TOLERANCE: Final = 0.02


def inches(number: float) -> float:
    """So many inches, as a length."""
    return number * INCH


def cm(number: float) -> float:
    """So many centimetres, as a length."""
    return number * CM


def in_inches(length: float) -> float:
    """A length as inches, rounded as people read a tape."""
    return round(length / INCH, 2)


def in_cm(length: float) -> float:
    """A length as centimetres, rounded as people read a tape."""
    return round(length / CM, 2)


def rounded(coordinate: float) -> float:
    """A coordinate as it is stored: a hundredth of a millimetre, so that positions never drift."""
    return round(coordinate, 2)
