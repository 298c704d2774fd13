"""Wounds, losses, morale and healing."""

from __future__ import annotations

from oriflamme.engine.events import Event


class Healed(Event, frozen=True):
    """Healing points used, wounds taken off and stands restored, and points that were lost (TLAOK-HEAL)."""

    regiment: str
    points: int
    wounds: int
    restored: tuple[str, ...]
    wasted: int
