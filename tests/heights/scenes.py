"""Tables with heights and insides to try things on. Lengths are inches here."""

from __future__ import annotations

from typing import Any

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.heights.relief import Nature, Relief
from oriflamme.engine.heights.walks import Bill, Fault, Gait, Walk, Waypoint, bill, trace
from oriflamme.engine.table.maps import map_from_data
from oriflamme.engine.table.pieces import Piece, Table

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
