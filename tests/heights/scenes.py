"""Tables with heights and insides to try things on. Lengths are inches here."""

from __future__ import annotations

from math import hypot
from random import Random
from typing import Any

from oriflamme.engine.geometry.measure import inches, rounded
from oriflamme.engine.heights.relief import Nature, Relief
from oriflamme.engine.heights.walks import Bill, Fault, Gait, Other, Walk, Waypoint, bill, trace
from oriflamme.engine.table.maps import map_from_data
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.problems import Problems

MAN = Gait(
    radius=inches(0.5),
    step=inches(1),
    climb_each=inches(2),
    climb_price=inches(1),
    difficult_each=inches(3),
    difficult_price=inches(1),
    water_factor=2.0,
    opening_price=inches(1),
    contact=inches(0.1),
)

MILL: dict[str, Any] = {
    "name": "mill",
    "size": [24, 24],
    "piece": [
        {"kind": "building", "id": "mill", "at": [10, 10], "size": [6, 4], "height": 3, "levels": [3]},
        {"kind": "partition", "id": "inner_wall", "board": "mill_inside", "at": [3, 2], "size": [0.3, 4]},
        {"kind": "building", "id": "shed", "at": [20, 12], "size": [2, 2]},
        {"kind": "masonry", "id": "high_wall", "at": [4, 18], "size": [6, 0.5], "height": 3},
        {"kind": "wall", "id": "low_wall", "at": [12, 18], "size": [4, 0.5], "height": 0.9},
        {"kind": "hill", "id": "hill", "at": [18, 18], "size": [6, 6], "height": 2, "slopes": [4]},
        {"kind": "forest", "id": "wood", "at": [18, 6], "radius": 3},
        {"kind": "pond", "id": "pond", "at": [4, 12], "size": [4, 2]},
        {"kind": "hollow", "id": "pit", "at": [4, 4], "size": [4, 4]},
    ],
    "board": [{"of": "mill"}],
    "opening": [
        {"kind": "door", "id": "front", "piece": "mill", "at": [8.5, 8]},
        {"kind": "window", "id": "side", "piece": "mill", "at": [7, 10]},
        {"kind": "door", "id": "inner", "piece": "inner_wall", "at": [3, 2]},
    ],
}


def nature(piece: Piece) -> Nature:
    """What pieces are, by kinds: as a game would say it."""
    match piece.kind:
        case "building" | "hill" | "floor" | "hollow":
            return Nature(surface=piece.levels[-1]) if piece.levels else Nature(solid=True)
        case "partition" | "rocks":
            return Nature(solid=True)
        case "wall" | "masonry":
            return Nature(obstacle=piece.height)
        case "forest" | "ruin":
            return Nature(area="difficult")
        case "pond":
            return Nature(area="water")
    return Nature()


def table_of(*pieces: dict[str, Any], size: tuple[float, float] = (24, 24), **more: Any) -> Table:
    return map_from_data({"name": "scene", "size": list(size), "piece": list(pieces), **more}, "scene").table


def mill() -> Relief:
    return Relief(map_from_data(MILL, "mill").table, nature)


def way_of(*points: tuple[Any, ...]) -> list[Waypoint]:
    return [(inches(point[0]), inches(point[1]), *point[2:]) for point in points]  # type: ignore[misc]


def walk_of(relief: Relief, *points: tuple[Any, ...], gait: Gait = MAN, closed: frozenset[str] = frozenset()) -> Walk:
    return trace(relief, way_of(*points), gait, closed)


def costs(walk: Walk) -> dict[str, float]:
    """What a walk costs, in inches, by what for; nothing is left out but what costs nothing."""
    found: dict[str, float] = {}
    for item in bill(walk).items:
        found[item.what] = round(found.get(item.what, 0.0) + item.length / inches(1), 2)
    return found


def total(walk: Walk) -> float:
    return round(_bill(walk).total / inches(1), 2)


def _bill(walk: Walk) -> Bill:
    return bill(walk)


def why(fault: Fault | None) -> str:
    return "" if fault is None else fault.why


def random_scene(random: Random) -> Relief:
    """A small table with a few of everything, some on top of each other."""
    pieces: list[dict[str, Any]] = []
    for _ in range(random.randint(2, 6)):
        at = [round(random.uniform(3, 13), 1), round(random.uniform(3, 13), 1)]
        size = [round(random.uniform(1.5, 4), 1), round(random.uniform(1.5, 4), 1)]
        angle = random.randint(0, 90)
        match random.randint(0, 7):
            case 0:
                pieces.append({"kind": "rocks", "at": at, "radius": 1})
            case 1:
                pieces.append({"kind": "wall", "at": at, "size": [size[0] * 1.5, 0.4], "angle": angle, "height": 0.8})
            case 2:
                height = random.choice([1.5, 3])
                pieces.append({"kind": "masonry", "at": at, "size": [size[0], 0.4], "angle": angle, "height": height})
            case 3:
                pieces.append({"kind": "forest", "at": at, "radius": 1.5})
            case 4:
                pieces.append({"kind": "pond", "at": at, "size": size, "angle": angle})
            case 5:
                slopes = random.choice([[], [1], [1, 2]])
                hill = {"kind": "hill", "at": at, "size": [4, 4], "angle": angle, "height": random.choice([1, 2])}
                pieces.append(hill | ({"slopes": slopes} if slopes else {}))
            case 6:
                pieces.append({"kind": "building", "at": at, "size": size, "height": 3, "levels": [3]})
            case _:
                pieces.append({"kind": "hollow", "at": at, "size": size, "angle": angle, "height": -1.5})
    kept = []
    for piece in pieces:
        try:
            table_of(*kept, piece, size=(16, 16))
        except Problems:
            continue
        kept.append(piece)
    return Relief(table_of(*kept, size=(16, 16)), nature)


def random_place(random: Random, relief: Relief, r: float = MAN.radius) -> tuple[float, float]:
    """A place to stand."""
    while True:
        x, y = rounded(random.uniform(0, relief.table.width)), rounded(random.uniform(0, relief.table.depth))
        if relief.may_stand(x, y, r):
            return x, y


def random_others(random: Random, relief: Relief, start: tuple[float, float], number: int) -> list[Other]:
    """Others here and there, friends and enemies, none in the way of where somebody stands."""
    found: list[Other] = []
    for n in range(number):
        x, y = random_place(random, relief)
        keep = random.choice([0.0, inches(1)])
        if hypot(x - start[0], y - start[1]) > 2 * MAN.radius + keep:
            found.append(Other(f"other_{n}", x, y, relief.height_at(x, y), MAN.radius, keep))
    return found
