"""Openings that are forced and blocked, and deep water."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class OpeningForced(Event, frozen=True):
    """An attack on a closed opening (LFW-ENV-12): whether the passage is open now."""

    unit: str
    opening: str
    forced: bool


class OpeningBlocked(Event, frozen=True):
    """An attempt to close an opening (LFW-ENV-16)."""

    unit: str
    opening: str
    face: int
    blocked: bool


class DeepWaterNoted(Event, frozen=True):
    """There is deep water on the table of a classic scenario, which is not advised (LFW-ENV-08)."""

    pieces: tuple[str, ...]


class Drowned(Event, frozen=True):
    """Somebody in deep water (LFW-ENV-06): it drowned, or is pulled out."""

    unit: str
    face: int
    drowned: bool
