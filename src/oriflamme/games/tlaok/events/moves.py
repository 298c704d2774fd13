"""What happens when regiments move: marches, entries, reforms, garrisons, the ground under them."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.events import Event
from oriflamme.engine.core.luck import stayed
from oriflamme.engine.core.rolls import Roll

Way = tuple[tuple[float, float, float], ...]


class Marched(Event, frozen=True):
    """A regiment marched so many inches; `path` are the poses (x, y, facing) of its middle, the first where it was."""

    regiment: str
    direction: str
    length: float
    path: Way


class Entered(Event, frozen=True):
    """A regiment comes in over an edge of the table, at `distance` inches along it from its west or south end."""

    regiment: str
    edge: str
    distance: float
    files: int


class EntryFailed(Event, frozen=True):
    """No legal entry: it goes back to reinforcements (TLAOK-ENTRY-16)."""

    regiment: str


class ClearedFriends(Event, frozen=True):
    """A regiment that could not march off its friends is moved as little as needed."""

    regiment: str
    path: Way


class Reformed(Event, frozen=True):
    """A regiment took another formation or facing about its middle; `degrees` is how far it turned to its left."""

    regiment: str
    files: int
    ranks: int
    degrees: float
    path: Way


class GarrisonOccupied(Event, frozen=True):
    regiment: str
    garrison: str


class GarrisonLeft(Event, frozen=True):
    regiment: str
    garrison: str
    path: Way


class GroundTested(Event, frozen=True):
    """A die for each stand that crosses a zone; those that show `needed` or more wound the regiment."""

    regiment: str
    zone: str
    ground: str
    needed: int
    faces: tuple[int, ...]
    wounds: int

    low = True

    def goal(self) -> int:
        return self.needed - 1

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        return (stayed(self.regiment, "other", self.faces, self.goal()),)
