"""What stands on a table that is made from a seed: houses with doors and an inside, ruins, hills, woods, walls.

A lot is one element with all its parts, round the point 0, 0; `Lot.laid` puts it on the table, turned, or mirrored.
Lengths are inches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, radians, sin
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.maps import outline_of

Shape = Mapping[str, Any]
# Inches between two elements that nobody walks through, so that a base of 60 mm passes, and between others.
PATH: Final = 2.5
APART: Final = 1.7
WALL: Final = 0.3


class Pose(NamedTuple):
    """Where a lot lies: its middle, how far it is turned, in degrees, and whether it is mirrored from left to right
    before that."""

    x: float
    y: float
    turn: float = 0.0
    mirrored: bool = False

    def point(self, x: float, y: float) -> tuple[float, float]:
        x = -x if self.mirrored else x
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        return _tidy(self.x + c * x - s * y), _tidy(self.y + s * x + c * y)

    def shape(self, shape: Shape) -> dict[str, Any]:
        """A piece of a lot as a map writes it."""
        made = dict(shape)
        if "outline" in made:
            corners = [list(self.point(*corner)) for corner in made["outline"]]
            made["outline"] = corners[::-1] if self.mirrored else corners
            number = len(corners)
            turned = {side: number - side if side < number else number for side in range(1, number + 1)}
        else:
            made["at"] = list(self.point(*made["at"]))
            turned = {1: 1, 2: 4, 3: 3, 4: 2}
            angle = -made.pop("angle", 0.0) if self.mirrored else made.pop("angle", 0.0)
            if "size" in made and (angle + self.turn) % 360:
                made["angle"] = _tidy((angle + self.turn) % 360)
        for key in ("slopes", "stairs"):
            if self.mirrored and isinstance(made.get(key), list):
                made[key] = sorted(turned[side] for side in made[key])
        return made


def _tidy(number: float) -> float:
    found = round(number, 3)
    return int(found) if float(found).is_integer() else found


class Lot:
    """One element of terrain: its pieces, what is inside of it and its openings; the first piece is its ground."""

    __slots__ = ("inner", "inside", "openings", "pieces", "solid", "sort")

    def __init__(self, sort: str, pieces: Sequence[Shape], *, solid: bool = False) -> None:
        self.sort = sort
        self.pieces = list(pieces)
        self.solid = solid
        """It is walked round: by some of those who play at least."""
        self.inside = False
        self.inner: list[Shape] = []
        self.openings: list[Shape] = []

    def outline(self, pose: Pose) -> Outline:
        return outline_of(pose.shape(self.pieces[0]), INCH)

    def laid(self, name: str, pose: Pose, data: dict[str, Any]) -> None:
        """Write it into a map; its pieces have names that begin with this one."""
        ids = {}
        for number, shape in enumerate(self.pieces):
            ids[shape.get("part", "")] = id = name if number == 0 else f"{name}_{shape['part']}"
            data["piece"].append({"id": id, **_written(pose.shape(shape))})
        if self.inside:
            outline = self.outline(pose)
            corner = (outline.x0 / INCH, outline.y0 / INCH)
            data["board"].append({"of": name})
            for shape in self.inner:
                ids[shape["part"]] = id = f"{name}_{shape['part']}"
                made = pose.shape(shape)
                made["at"] = [_tidy(a - b) for a, b in zip(made["at"], corner, strict=True)]
                data["piece"].append({"id": id, "board": f"{name}_inside", **_written(made)})
        for opening in self.openings:
            at = pose.point(*opening["at"])
            inner = bool(opening.get("inner"))
            if inner:
                at = (_tidy(at[0] - corner[0]), _tidy(at[1] - corner[1]))
            entry = {"id": f"{name}_{opening['part']}", "kind": opening["kind"], "piece": ids[opening.get("of", "")]}
            said = {key: opening[key] for key in ("width", "closed") if key in opening}
            data["opening"].append(entry | {"at": list(at)} | said)


def _written(shape: Shape) -> dict[str, Any]:
    return {key: value for key, value in shape.items() if key != "part"}


# -- what there is ----------------------------------------------------------------------------------------------------


def house(random: Random, size: tuple[float, float] = (3.4, 5.4)) -> Lot:
    """A house with an inside: a door and a window or a second door, in two rooms if it is long; half of the roofs can
    be stood on."""
    wide, deep = _some(random, *size), _some(random, size[0], min(size[1], 4.2))
    height = random.choice((2.5, 3, 3.5))
    ground: dict[str, Any] = {"kind": "building", "at": [0, 0], "size": [wide, deep], "height": height}
    if random.random() < 0.5:
        ground["levels"] = [height]
    found = Lot("building", [ground], solid=True)
    found.inside = True
    # Along the long sides, left and right of where an inner wall may be.
    left, right = -wide / 4, wide / 4
    found.openings = [
        {"part": "door", "kind": "door", "at": (left, -deep / 2)},
        {"part": "back", "kind": random.choice(("window", "door")), "at": (right, deep / 2)},
    ]
    if random.random() < 0.3:
        found.openings[1] = {"part": "back", "kind": "door", "at": (right, deep / 2), "closed": True}
    if wide >= 4.6:
        inner_wall = {"part": "partition", "kind": "partition", "at": [0, 0], "size": [WALL, deep]}
        found.inner.append(inner_wall)
        passage = {"part": "passage", "kind": "door", "of": "partition", "at": (0, 0), "inner": True, "width": 2}
        found.openings.append(passage)
    if random.random() < 0.5:
        hearth = [_tidy(wide / 2 - 0.5), _tidy(0.5 - deep / 2)]
        found.inner.append({"part": "hearth", "kind": "torch", "at": hearth, "radius": 0.3})
    return found


def ruin(random: Random, size: tuple[float, float] = (3.6, 5.2)) -> Lot:
    """A ruin: two broken walls that meet, and perhaps what is left of a floor in their corner."""
    wide, deep = _some(random, *size), _some(random, size[0], min(size[1], 4.6))
    high = random.choice((2, 2.5, 3))
    ground = {"kind": "ruin", "at": [0, 0], "size": [wide, deep]}
    long, short = _tidy(round(wide * random.uniform(0.6, 1), 1)), _tidy(round(deep * random.uniform(0.5, 0.9), 1))
    walls = [
        {"part": "gable", "kind": "masonry", "at": [(long - wide) / 2, (deep - WALL) / 2], "size": [long, WALL]},
        {"part": "side", "kind": "masonry", "at": [(WALL - wide) / 2, (deep - short) / 2], "size": [WALL, short]},
    ]
    parts: list[Shape] = [ground, *(wall | {"height": high + 0.5} for wall in walls)]
    if random.random() < 0.5 and short >= 2.4 and long >= 2.4:
        # Within both walls.
        w, d = min(long, wide - 1.8) - WALL, short - WALL
        at = [WALL - wide / 2 + w / 2, deep / 2 - WALL - d / 2]
        parts.append({"part": "floor", "kind": "floor", "at": at, "size": [_tidy(w), _tidy(d)], "height": high})
    return Lot("ruin", parts, solid=True)


def open_ruin(random: Random) -> Lot:
    """A ruin that looks the same from two opposite sides."""
    wide, deep = _some(random, 4, 5), _some(random, 3.6, 4.4)
    long = _tidy(round(wide * random.uniform(0.5, 0.8), 1))
    ground = {"kind": "ruin", "at": [0, 0], "size": [wide, deep]}
    walls = [
        {
            "part": part, "kind": "masonry", "at": [side * (wide - long) / 2, side * (deep - WALL) / 2],
            "size": [long, WALL], "height": 2.5,
        }
        for part, side in (("north_wall", 1), ("south_wall", -1))
    ]  # fmt: skip
    return Lot("ruin", [ground, *walls], solid=True)


def hill(random: Random, reach: tuple[float, float] = (2.2, 3.2)) -> Lot:
    """A hill of eight sides, some of them gentle, the others steep."""
    return Lot("hill", [_mound(random, "hill", reach, random.choice((1.5, 2, 2.5)), 3)], solid=True)


def hollow(random: Random) -> Lot:
    return Lot("hill", [_mound(random, "hollow", (1.8, 2.4), -1.5, 2)], solid=True)


def _mound(random: Random, kind: str, reach: tuple[float, float], height: float, gentle: int) -> dict[str, Any]:
    corners = _oval(random, reach, 8)
    first = random.randrange(8)
    slopes = sorted((first + n) % 8 + 1 for n in range(gentle))
    return {"kind": kind, "outline": corners, "height": height, "slopes": slopes}


def round_hill(random: Random, sides: int) -> Lot:
    """A hill that looks the same from so many sides: gentle towards each of them, steep between, or gentle all
    round."""
    reach = _some(random, 4, 5.5)
    height = random.choice((1.5, 2))
    if random.random() < 0.3:
        return Lot("hill", [{"kind": "hill", "at": [0, 0], "radius": reach, "height": height, "slopes": "all"}])
    # Corner n lies half a step to the right of "east", so that the second side looks north-east.
    number = 8
    corners = [_at(reach, 2 * pi * (n - 0.5) / number) for n in range(number)]
    ways = {2: (3, 7), 4: (1, 3, 5, 7)}[sides]
    return Lot("hill", [{"kind": "hill", "outline": corners, "height": height, "slopes": list(ways)}])


def forest(random: Random, reach: tuple[float, float] = (1.5, 2.3)) -> Lot:
    return Lot("forest", [{"kind": "forest", "outline": _oval(random, reach, 10)}])


def pond(random: Random) -> Lot:
    return Lot("water_point", [{"kind": "pond", "outline": _oval(random, (1.4, 2.2), 9)}])


def stream(random: Random) -> Lot:
    return Lot("water_point", [{"kind": "stream", "at": [0, 0], "size": [_some(random, 3.5, 5.5), 1.5]}])


def rocks(random: Random, reach: tuple[float, float] = (1.0, 1.6)) -> Lot:
    return Lot("blocking", [{"kind": "rocks", "outline": _oval(random, reach, 7)}], solid=True)


def low_wall(random: Random) -> Lot:
    return Lot("low_wall", [{"kind": "wall", "at": [0, 0], "size": [_some(random, 2.4, 4), 0.4], "height": 0.8}])


def barricade(random: Random) -> Lot:
    return Lot("low_wall", [{"kind": "barricade", "at": [0, 0], "size": [_some(random, 2, 3), 0.6], "height": 1.2}])


def torch(random: Random) -> Lot:
    return Lot("light", [{"kind": "torch", "at": [0, 0], "radius": 0.3}])


Maker = Callable[[Random], Lot]


def _some(random: Random, low: float, high: float) -> float:
    return _tidy(round(random.uniform(low, high), 1))


def _at(reach: float, turn: float) -> list[float]:
    return [_tidy(reach * cos(turn)), _tidy(reach * sin(turn))]


def _oval(random: Random, reach: tuple[float, float], corners: int) -> list[list[float]]:
    """An uneven round: its corners go once round its middle, so that it never crosses itself."""
    far = random.uniform(*reach)
    return [_at(far * random.uniform(0.85, 1.0), 2 * pi * n / corners) for n in range(corners)]
