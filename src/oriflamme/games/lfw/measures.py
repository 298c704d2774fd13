"""Lengths of the book that several chapters use (T-1). Inside the program they are millimetres."""

from __future__ import annotations

from math import ceil
from typing import Final

from oriflamme.engine.geometry.measure import INCH, inches

CLEARANCE: Final = inches(1)  # from enemies in runs and normal moves (LFW-MOVE-06)
STEP: Final = inches(1)  # heights below it are stepped over (LFW-TERR-03), and ignored for contact (LFW-DIST-07)
TABLE: tuple[float, float] = (24.0, 24.0)  # inches (LFW-TERR-01)
PUSH: Final = 3.0  # inches, into melee (LFW-MEL-24)
# Silhouettes in inches, where a sheet says nothing (LFW-TERR-17).
HEIGHTS: Final = {"infantry": 1.25, "beast": 1.0, "cavalry": 2.0, "monster": 2.5, "behemoth": 4.0}
# What a move adds to M in inches (LFW-MOVE-09); an engagement is half of M, rounded up (LFW-ENG-03).
ADDED: Final = {"flee": 2, "charge": 4, "run": 2, "normal": 0}
# The moves that Rapid and Slow change (LFW-MOVE-09).
HURRIED: Final = frozenset({"flee", "charge", "run"})


def half_rounded_up(number: float) -> int:
    """Half of so many inches, to the next whole inch (LFW-ENG-03)."""
    return ceil(number / 2 - 1e-9)


def in_inches(length: float) -> float:
    """A length as it is read from a tape."""
    return round(length / INCH, 2)
