"""Centimetres, bases, sizes and what follows from them (RN3-GEN, RN3-SIZE, RN3-HP, RN3-PWR)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.geometry.measure import TOLERANCE, cm

CATEGORIES: Final = ("infantry", "light_cavalry", "heavy_cavalry", "creature", "war_machine", "titan")
CAVALRY: Final = frozenset({"light_cavalry", "heavy_cavalry"})
RANKS: Final = (1, 2, 3)
FORMATIONS: Final = ("compact", "dispersed")

# Two bases touch when no more than this lies between them, and whoever acts is given this much (RN3-GEN-02, -06); a
# hair more, since the difference of two places is not exact.
CONTACT: Final = cm(0.01) + 1e-6
# A dispersed unit: how near its fighters may stand, how far from a neighbour, and from the leader (RN3-FORM-05,
# RN3-UNIT-10).
LEAST_GAP: Final = cm(0.5)
NEIGHBOUR: Final = cm(2.5)
LEADER_REACH: Final = cm(10)
# Through a wider gap between two models of a unit a line of sight passes (RN3-LOS-08).
SIGHT_GAP: Final = cm(3)
MYSTIC_RANGE: Final = cm(40)  # RN3-MYS-02
SCOUT_RANGE: Final = cm(20)  # RN3-SKL-17
USUAL_TURNS: Final = 6  # RN3-TURN-01


def size_of_base(diameter: int) -> int:
    """The size of a fighter on a base of so many millimetres, unless its card says otherwise (RN3-SIZE-01, -02)."""
    return 2 if diameter <= 30 else 3


def power_of_size(size: int) -> int:
    """What a fighter adds to the power of its unit, unless its card says otherwise (RN3-PWR-01)."""
    return 1 if size <= 2 else 2 if size == 3 else 3


def usual_hit_points(size: int, rank: int, category: str) -> int:
    """Hit points by size and rank (RN3-HP-01); riders of rank 2 have 3 (RN3-HP-02)."""
    if category in CAVALRY and rank == 2:
        return 3
    if size <= 2:
        return 2 if rank == 3 else 1
    return 3 if rank == 3 else 2


def size_of_obstacle(height: float) -> int:
    """The size of scenery so high; a shared limit belongs to the smaller size (RN3-SIZE-04)."""
    return 1 + sum(height > limit + TOLERANCE for limit in (cm(2), cm(4), cm(6)))


def usual_skills(category: str, role: str) -> tuple[str, ...]:
    """What a category brings as skills: light riders leap, heavy ones add force to a charge, all of them and titans
    leave melee without a test (RN3-CAV-02, -04, -05, RN3-TIT-03)."""
    if role == "machine":
        return ()
    return _OF_CATEGORY.get(category, ())


_OF_CATEGORY: Final = {
    "light_cavalry": ("Leap", "Disengagement"),
    "heavy_cavalry": ("Force in the charge", "Disengagement"),
    "titan": ("Disengagement",),
}
