"""Who sees whom, and how much of him is hidden (LFW-DIST-12, LFW-TERR-12 to -17, -22 to -30, LFW-ENV-02 to -04).

The eye is over the middle of a base, as high as the figure. A target is an upright rectangle of 10 x 10 points; only
terrain hides them. Of somebody inside a building it is enough to see an open exit, and who is inside looks out of one:
wherever on its width most is seen, which is exact (`_through`, `_hidden_from`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Interval, Point
from oriflamme.engine.geometry.sight import Blocker
from oriflamme.engine.heights.distances import Spot, distance_to_outline
from oriflamme.engine.heights.silhouettes import (
    GRID,
    Eye,
    Silhouette,
    hidden_area,
    hidden_part,
    is_seen,
    seen_along,
    sees_along,
    sees_point,
    shares_past,
)
from oriflamme.engine.table.insides import TABLE, Mouth
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.ground import distance, distance_to_point
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.terrain import hiding, hollows, is_forest, low_walls, relief_of, spot_of

NIGHT: Final = inches(6)  # LFW-ENV-02
LIGHT: Final = inches(9)  # LFW-ENV-03
QUARTERS: Final = 4
BEHIND_WALL: Final = 0.5  # LFW-TERR-27
IN_FOREST: Final = 0.25  # LFW-TERR-30
INSIDE: Final = 0.75  # LFW-TERR-23
WALL_NEAR: Final = inches(1)  # LFW-TERR-27
# Under a house rule, and from one building into another, an exit is looked out of at so many places of its width
# (LFW-TERR-24).
_ACROSS: Final = 10


class Looking:
    """What somebody is to eyes at night. `when_looking` changes it."""

    __slots__ = ("luminous", "model", "night_sight")

    def __init__(self, model: Model) -> None:
        self.model = model
        # It is not limited by the night (LFW-ENV-02); it makes a zone of light (LFW-ENV-03).
        self.night_sight = False
        self.luminous = False


def looking(battle: Battle, model: Model) -> Looking:
    found = Looking(model)
    for part in model.alive:
        at(Keyword.when_looking, sets_of(battle, part), found)
    return found


def eye_of(model: Model) -> Eye:
    """Over the middle of its base, as high as its silhouette (LFW-DIST-12)."""
    body = model.body
    return Eye(body.x, body.y, body.z + body.height)


def silhouette_of(model: Model) -> Silhouette:
    """As wide as its base and as high as its silhouette, on its feet (LFW-TERR-17)."""
    body = model.body
    return Silhouette(body.x, body.y, body.z, 2 * body.radius, body.height)


def sees(battle: Battle, looker: Model, target: Model) -> bool:
    """A straight unobstructed line exists to some part of the target (LFW-DIST-12), and no night is in between."""
    return not _in_the_dark(battle, looker, target) and has_line(battle, looker, target)


def has_line(battle: Battle, looker: Model, target: Model) -> bool:
    """Some line to a target is free of terrain, whatever the light (LFW-DIST-12, LFW-TERR-22, -24)."""
    if looker is target:
        return True
    if looker.board == target.board:
        return _shows(battle, eye_of(looker), target)
    if target.board != TABLE:
        # An open exit that is seen is enough for everybody inside (LFW-TERR-22).
        return any(_sees_mouth(battle, eye, mouth) for eye in _eyes(battle, looker) for mouth in _exits(battle, target))
    return any(_shows_through(battle, mouth, high, target) for mouth, high in _lookouts(battle, looker))


def _lookouts(battle: Battle, looker: Model) -> Iterable[tuple[Mouth, float]]:
    """The open exits of the building somebody is in, and how high his eye is in each (LFW-TERR-24)."""
    for mouth in _exits(battle, looker):
        yield mouth, mouth.z + min(looker.body.height, _top(battle, mouth))


def _eyes(battle: Battle, looker: Model) -> Iterable[Eye]:
    """Where somebody looks out from: his own eye on the table, else places of every open exit of the building."""
    if looker.board == TABLE:
        yield eye_of(looker)
        return
    for mouth, high in _lookouts(battle, looker):
        for x, y in _points(mouth):
            yield Eye(x, y, high)


def _exits(battle: Battle, inside: Model) -> Iterable[Mouth]:
    """The mouths on the table of the open exits of the building somebody is in."""
    for opening in battle.table.openings:
        if opening.joins_boards and opening.id not in battle.closed and opening.mouth_on(inside.board) is not None:
            mouth = opening.mouth_on(TABLE)
            if mouth is not None:
                yield mouth


def _points(mouth: Mouth) -> Iterable[tuple[float, float]]:
    for n in range(_ACROSS):
        share = (n + 0.5) / _ACROSS
        yield mouth.ax + (mouth.bx - mouth.ax) * share, mouth.ay + (mouth.by - mouth.ay) * share


def _top(battle: Battle, mouth: Mouth) -> float:
    return next(opening.top for opening in battle.table.openings if mouth in opening.mouths)


def _sees_mouth(battle: Battle, eye: Eye, mouth: Mouth) -> bool:
    """Some part of an open exit is seen (LFW-TERR-22). Exact."""
    volumes = hiding(battle.table, battle.closed, battle.roofed)
    high = mouth.z + _top(battle, mouth)
    return sees_along(eye, (mouth.ax, mouth.ay), (mouth.bx, mouth.by), high - TOLERANCE, volumes)


def sees_place(battle: Battle, looker: Model, x: float, y: float) -> bool:
    """A point of the ground is visible, in the light there is."""
    reach = NIGHT + TOLERANCE
    if battle.night and not looking(battle, looker).night_sight and distance_to_point(battle, looker, x, y) > reach:
        return False
    volumes = hiding(battle.table, battle.closed, battle.roofed)
    z = relief_of(battle.table).height_at(x, y)
    if looker.board in (TABLE, battle.table.board_at(x, y)):
        return sees_point(eye_of(looker), x, y, z, volumes, hollows(battle.table))
    return any(_is_seen_from(battle, mouth, high, Eye(x, y, z), volumes) for mouth, high in _lookouts(battle, looker))


def sees_shape(battle: Battle, looker: Model, shape: Silhouette, of: Piece | None = None) -> bool:
    """Some part of what stands there is visible, whatever the light; terrain does not hide itself."""
    volumes = [volume for volume in hiding(battle.table, battle.closed, battle.roofed) if volume is not of]
    if looker.board in (TABLE, battle.table.board_at(shape.x, shape.y)):
        return is_seen(eye_of(looker), shape, volumes, hollows(battle.table))
    return any(_through(battle, mouth, high, shape, volumes) for mouth, high in _lookouts(battle, looker))


# -- out of an exit ----------------------------------------------------------------------------------------------------


def _is_seen_from(battle: Battle, mouth: Mouth, high: float, point: Eye, volumes: Sequence[Blocker]) -> bool:
    """Some eye at a height in an exit sees a point: a line of sight is one from either end. Exact."""
    return bool(_seen_from(battle, mouth, high, point, volumes))


def _seen_from(battle: Battle, mouth: Mouth, high: float, point: Eye, volumes: Sequence[Blocker]) -> list[Interval]:
    """The stretches of the width of an exit from which a point is seen."""
    return seen_along(point, (mouth.ax, mouth.ay), (mouth.bx, mouth.by), high, volumes, hollows(battle.table))


def _columns(shape: Silhouette, mouth: Mouth, high: float) -> Iterable[Point]:
    """The columns of a figure that faces the middle of an exit (LFW-TERR-17)."""
    eye = Eye(*mouth.middle, high)
    return (shape.column(eye, (column + 0.5) / GRID) for column in range(GRID))


def _row(shape: Silhouette, row: int) -> float:
    """How high the points of a row are."""
    return shape.z + shape.height * (row + 0.5) / GRID


def _through(battle: Battle, mouth: Mouth, high: float, shape: Silhouette, volumes: Sequence[Blocker]) -> bool:
    """Some point of a figure is seen from somewhere in an exit: then one of its highest is. Exact."""
    top = _row(shape, GRID - 1)
    return any(_is_seen_from(battle, mouth, high, Eye(x, y, top), volumes) for x, y in _columns(shape, mouth, high))


def _stretches(
    battle: Battle, mouth: Mouth, high: float, shape: Silhouette, volumes: Sequence[Blocker]
) -> Counter[tuple[Interval, ...]]:
    """From which stretches of an exit points of a figure are seen, and how many from each: from wherever one is seen
    those above it are."""
    found: Counter[tuple[Interval, ...]] = Counter()
    for x, y in _columns(shape, mouth, high):
        left = GRID
        for row in range(GRID):
            seen = tuple(_seen_from(battle, mouth, high, Eye(x, y, _row(shape, row)), volumes))
            if seen == ((0.0, 1.0),):
                found[seen] += left
                break
            if not row and not _is_seen_from(battle, mouth, high, Eye(x, y, _row(shape, GRID - 1)), volumes):
                break
            found[seen] += 1
            left -= 1
    return found


def _shows_through(battle: Battle, mouth: Mouth, high: float, target: Model) -> bool:
    """Not all of a target is behind terrain for who looks out of an exit (LFW-TERR-24)."""
    if battle.options.get("lfw.hiddenPart", "grid") == "area":
        return any(_shows(battle, Eye(x, y, high), target) for x, y in _points(mouth))
    return _through(battle, mouth, high, silhouette_of(target), hiding(battle.table, battle.closed, battle.roofed))


def _hidden_from(battle: Battle, mouth: Mouth, high: float, target: Model) -> float:
    """The least that is hidden of a target, wherever in an exit the eye is (LFW-TERR-17, -24). Exact: what is hidden
    changes only where a point of the figure comes into sight or goes out of it, or a wall or a forest begins to stand
    between."""
    if battle.options.get("lfw.hiddenPart", "grid") == "area":
        eyes = [Eye(x, y, high) for x, y in _points(mouth)]
        return min(max(_hidden_by_volume(battle, eye, target), _at_least(battle, eye, target)) for eye in eyes)
    volumes = hiding(battle.table, battle.closed, battle.roofed)
    seen = _stretches(battle, mouth, high, silhouette_of(target), volumes)
    covers = [p.outline for p in (*low_walls(battle.table), *filter(is_forest, battle.table.pieces))]
    ends = (mouth.ax, mouth.ay), (mouth.bx, mouth.by)
    shares = shares_past((target.body.x, target.body.y), *ends, covers)
    shares.update(share for stretches in seen for stretch in stretches for share in stretch)
    cuts = sorted(shares)
    best = 1.0
    for share in (*cuts, *((one + two) / 2 for one, two in pairwise(cuts))):
        shown = sum(n for stretches, n in seen.items() if any(low <= share <= up for low, up in stretches))
        part = 1.0 - shown / (GRID * GRID)
        if part < best:
            x, y = mouth.ax + (mouth.bx - mouth.ax) * share, mouth.ay + (mouth.by - mouth.ay) * share
            best = min(best, max(part, _at_least(battle, Eye(x, y, high), target)))
    return best


# -- how much is hidden ------------------------------------------------------------------------------------------------


def _hidden_by_volume(battle: Battle, eye: Eye, target: Model) -> float:
    """The part of a target behind terrain: of its points, or of its area under a house rule (LFW-TERR-17)."""
    volumes, low = hiding(battle.table, battle.closed, battle.roofed), hollows(battle.table)
    if battle.options.get("lfw.hiddenPart", "grid") == "area":
        return hidden_area(eye, silhouette_of(target), volumes, low)
    return hidden_part(eye, silhouette_of(target), volumes, low)


def _shows(battle: Battle, eye: Eye, target: Model) -> bool:
    """Not all of a target is behind terrain."""
    if battle.options.get("lfw.hiddenPart", "grid") == "area":
        return _hidden_by_volume(battle, eye, target) < 1.0
    return is_seen(
        eye, silhouette_of(target), hiding(battle.table, battle.closed, battle.roofed), hollows(battle.table)
    )


def hidden(battle: Battle, attacker: Model, target: Model) -> float:
    """The hidden fraction of a target (LFW-TERR-17): behind terrain, and no less than walls, forests and buildings
    make it (LFW-TERR-23, -27, -30). Who looks out of a building does so from the exit that shows most."""
    if target.board != TABLE and attacker.board != target.board:
        return INSIDE if has_line(battle, attacker, target) else 1.0
    if attacker.board == target.board:
        eye = eye_of(attacker)
        return max(_hidden_by_volume(battle, eye, target), _at_least(battle, eye, target))
    return min((_hidden_from(battle, mouth, high, target) for mouth, high in _lookouts(battle, attacker)), default=1.0)


def _at_least(battle: Battle, eye: Eye, target: Model) -> float:
    """What walls and forests hide at least (LFW-TERR-27, -30)."""
    body = target.body
    for wall in low_walls(battle.table):
        o = wall.outline
        if (
            wall.height > body.z
            and o.distance(body.x, body.y) - body.radius < WALL_NEAR - TOLERANCE
            and o.crosses(eye.x, eye.y, body.x, body.y)
        ):
            return BEHIND_WALL
    for piece in battle.table.pieces:
        if is_forest(piece) and (
            piece.outline.touches_disc(body.x, body.y, body.radius)
            or piece.outline.crosses(eye.x, eye.y, body.x, body.y)
        ):
            return IN_FOREST
    return 0.0


def cover_of(battle: Battle, attacker: Model, target: Model) -> int:
    """The dodge that its cover gives a target: one for each hidden quarter, three at most (LFW-TERR-13)."""
    return min(QUARTERS - 1, int(hidden(battle, attacker, target) * QUARTERS + 1e-9))


def cover_from(battle: Battle, x: float, y: float, board: str, target: Model) -> int:
    """The same as seen from a point of the ground of a board, such as the middle of an explosion (LFW-SR-EQP-07b)."""
    if board != target.board:
        return QUARTERS - 1
    eye = Eye(x, y, relief_of(battle.table).height_at(x, y))
    part = max(_hidden_by_volume(battle, eye, target), _at_least(battle, eye, target))
    return min(QUARTERS - 1, int(part * QUARTERS + 1e-9))


# -- night and light ---------------------------------------------------------------------------------------------------


def _in_the_dark(battle: Battle, looker: Model, target: Model) -> bool:
    """At night, farther than 6" and not lit (LFW-ENV-02, -03)."""
    if not battle.night or looker is target:
        return False
    if distance(battle, looker, target) <= NIGHT + TOLERANCE or looking(battle, looker).night_sight:
        return False
    return not is_lit(battle, target)


def is_lit(battle: Battle, target: Model) -> bool:
    """Within 9" of something luminous from which a line to it is free; what is luminous is lit itself (LFW-ENV-03,
    -04)."""
    for other in battle.there():
        near = other is target or distance(battle, other, target) <= LIGHT + TOLERANCE
        if near and looking(battle, other).luminous and has_line(battle, other, target):
            return True
    return any(_lights(battle, piece, target) for piece in battle.table.with_trait("luminous"))


def _lights(battle: Battle, piece: Piece, target: Model) -> bool:
    """Luminous scenery lights in the same way (LFW-ENV-04)."""
    o = piece.outline
    board = battle.table.board_at(o.cx, o.cy) or TABLE
    spot: Spot = spot_of(target)
    if distance_to_outline(battle.table, spot, board, o, spot.z, battle.closed) > LIGHT + TOLERANCE:
        return False
    if board == target.board:
        return _hidden_by_volume(battle, Eye(o.cx, o.cy, piece.height), target) < 1.0
    # Through an open exit: it shines out, or in.
    exits = [
        mouth
        for opening in battle.table.openings
        if opening.joins_boards
        and opening.id not in battle.closed
        and {board, target.board} == {m.board for m in opening.mouths}
        for mouth in opening.mouths
        if mouth.board == TABLE
    ]
    if target.board != TABLE:
        return any(_sees_mouth(battle, Eye(o.cx, o.cy, piece.height), mouth) for mouth in exits)
    return any(_shows_through(battle, mouth, mouth.z + _top(battle, mouth), target) for mouth in exits)
