"""Inches, stands and sizes (TLAOK-DIST, TLAOK-STAND)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Box

TYPES: Final = ("infantry", "cavalry", "brute", "chariot", "monster")
CLASSES: Final = ("light", "medium", "heavy")
FACES: Final = ("front", "right", "rear", "left")

# How wide and deep a stand is, in millimetres (TLAOK-STAND-09).
STANDS: Final = {
    "infantry": Box(62.0, 62.0),
    "cavalry": Box(62.0, 62.0),
    "brute": Box(62.0, 62.0),
    "chariot": Box(62.0, 124.0),
    "monster": Box(124.0, 124.0),
}
# Size classes, for sight only (TLAOK-STAND-10), and figures on a stand (TLAOK-STAND-03).
SIZES: Final = {"infantry": 1, "brute": 2, "chariot": 2, "cavalry": 2, "monster": 3}
MODELS: Final = {"infantry": 4, "cavalry": 1, "brute": 1, "chariot": 1, "monster": 1}

ONE_INCH: Final = INCH
SIGHT_WIDTH: Final = 1.0  # a line of sight is one millimetre wide (TLAOK-LOS-02)
