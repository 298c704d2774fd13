"""What a side wants in a scenario, in a form that whoever plays it understands without knowing the scenario.

A scenario tells with `Scenario.aims` where a side wants units to be, and what for. Programs that play go by it; a
scenario that says nothing is played for its `places`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

# hold         be there at the end of turns, neither fleeing nor in a melee             LFW-OBJ-01
# take         come into contact with a treasure by a normal move                       LFW-OBJ-04
# bring        get there with a treasure                                                LFW-OBJ-13
# search       be there in the shooting phase without having run                        LFW-SCN7-05
# investigate  be there in the organisation phase                                       LFW-SEC-04
# leave        get there and leave the table                                            LFW-SCN4-06
What = Literal["hold", "take", "bring", "search", "investigate", "leave"]
WITH_TREASURE: Final = frozenset({"bring"})


class Aim(NamedTuple):
    """Something that units of a side are to do in a rectangle of the table, in millimetres.

    `worth` is what it contributes to a victory, of which 1 is the whole; `enough` is how many units it takes, 0 where
    more are always better.
    """

    what: What
    x0: float
    y0: float
    x1: float
    y1: float
    worth: float = 1.0
    enough: int = 0

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """The point of it that is nearest to another."""
        return min(max(x, self.x0), self.x1), min(max(y, self.y0), self.y1)


def aim_round(what: What, x: float, y: float, radius: float, worth: float = 1.0, enough: int = 0) -> Aim:
    """An aim in a circle, as the square in it."""
    half = radius * 0.7
    return Aim(what, x - half, y - half, x + half, y + half, worth, enough)


def aim_along(what: What, edge: str, width: float, depth: float, worth: float = 1.0, enough: int = 0) -> Aim:
    """An aim all along an edge of the table."""
    x0, y0, x1, y1 = {
        "south": (0.0, 0.0, width, 0.0),
        "north": (0.0, depth, width, depth),
        "west": (0.0, 0.0, 0.0, depth),
        "east": (width, 0.0, width, depth),
    }[edge]
    return Aim(what, x0, y0, x1, y1, worth, enough)
