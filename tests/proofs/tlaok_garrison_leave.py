"""Leaving a garrison (TLAOK-GARR-16 to -18): one stand at the walls, more than an inch from enemies, no stand further
from the walls than the March; twice that, and Broken, only where there is no such place; staying only where there is
none at all."""

from __future__ import annotations

from math import cos, pi, sin
from random import Random
from typing import Any

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.tlaok_scenes import MARGIN, a_battle, a_regiment, carried, ground, somewhere, squares, stand_apart

from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.tlaok.movement.garrison import way_out
from oriflamme.games.tlaok.regiment.formation import Formation, frontages, leans
from oriflamme.games.tlaok.state import Battle, Regiment

FACINGS = 18
STEP = 9.0


def lay(random: Random) -> tuple[Battle, Regiment, Any]:
    """A house or a tower with somebody in it, and many round it."""
    x = y = 24 * INCH
    if random.random() < 0.2:
        outline = Outline.circle(x, y, random.uniform(1.5, 3.5) * INCH)
        walls = shapely.Point(x, y).buffer(outline.reach, quad_segs=64)
    else:
        size = random.uniform(2, 7) * INCH, random.uniform(2, 5) * INCH
        outline = Outline.rectangle(x, y, *size, random.uniform(0, pi))
        walls = shapely.Polygon(outline.corners())
    pieces = [Piece("house", "building", outline, traits=("garrison", "capacity 6"))]
    if random.random() < 0.4:
        far = random.uniform(5, 9) * INCH
        way = random.uniform(0, 2 * pi)
        rock = Outline.rectangle(x + far * cos(way), y + far * sin(way), 3 * INCH, 4 * INCH, random.uniform(0, pi))
        if not shapely.intersects(shapely.Polygon(rock.corners()), walls):
            pieces.append(Piece("rock", "rocks", rock, traits=("impassable",)))
    battle = a_battle(48 * INCH, 48 * INCH, pieces)
    pikes = a_regiment(battle, "pikes", 0, random.randint(2, 5), 2, random.randint(2, 5))
    apart = shapely.union_all([shapely.Polygon(p.outline.corners()) for p in pieces[1:]] + [walls])
    for number in range(random.randint(5, 10)):
        stands = random.randint(2, 5)
        side = int(random.random() < 0.6)
        other = a_regiment(battle, f"other{number}", side, stands, random.randint(2, stands))
        if stand_apart(battle, other, somewhere(random, x, y, 3, 9), apart):
            apart = shapely.union(apart, ground(other))
    pikes.garrison = "house"
    pikes.stand_at(x, y, 0.0)
    return battle, pikes, walls


def poses_at(walls: Any, corners: np.ndarray[Any, Any], random: Random) -> np.ndarray[Any, Any]:
    """Poses with a stand that touches the walls, by a grid of facings and places."""
    found = []
    shift = random.random()
    rim = np.array(walls.exterior.coords)
    for number in range(FACINGS):
        facing = (number + shift) * 2 * pi / FACINGS
        turned = carried(corners, np.array([[0.0, 0.0, facing]]))[0]
        # Where its middle may not be because a stand would be in the walls.
        filled = [
            shapely.MultiPoint((rim[:, None, :] - stand[None, :, :]).reshape(-1, 2)).convex_hull for stand in turned
        ]
        border = shapely.union_all(filled).exterior
        places = shapely.line_interpolate_point(border, np.arange(shift * STEP, border.length, STEP))
        found.append(np.column_stack([shapely.get_coordinates(places), np.full(len(places), facing)]))
    return np.concatenate(found)


def legal(
    battle: Battle, pikes: Regiment, walls: Any, corners: np.ndarray[Any, Any], poses: np.ndarray[Any, Any],
    reach: float, slack: float,
) -> np.ndarray[Any, Any]:  # fmt: skip
    """Which of the poses are legal, with so much to spare, or so much amiss if it is negative."""
    laid = carried(corners, poses)
    fits = (laid >= slack).all(axis=(1, 2, 3)) & (laid <= 48 * INCH - slack).all(axis=(1, 2, 3))
    others = [r for r in battle.present() if r is not pikes]
    foes = shapely.union_all([ground(r) for r in others if r.side == 1] or [shapely.Point(-9999, -9999)])
    things = [ground(r) for r in others if r.side == 0]
    things += [shapely.Polygon(p.outline.corners()) for p in battle.table.pieces if p.id != "house"]
    friends = shapely.union_all(things or [shapely.Point(-9999, -9999)])
    shapely.prepare([foes, friends, walls])
    index = np.flatnonzero(fits)
    for obstacle, least in ((foes, INCH + slack), (friends, slack), (walls, 0.0)):
        if not len(index):
            break
        if least > 0.0:
            near = shapely.dwithin(shapely.polygons(laid[index]), obstacle, least).any(axis=1)
        else:
            blocks = shapely.buffer(shapely.polygons(laid[index]), min(-TOLERANCE, slack) - 0.01, join_style="mitre")
            near = shapely.intersects(blocks, obstacle).any(axis=1)
        index = index[~near]
    if len(index):
        within = shapely.distance(shapely.polygons(laid[index]), walls).max(axis=1) <= reach - slack
        index = index[within]
    fits[:] = False
    fits[index] = True
    return fits


def scene(seed: int) -> Found:
    random = Random(seed)
    battle, pikes, walls = lay(random)
    march = pikes.profile.march * INCH
    leaving = way_out(battle, pikes)
    able = {} if leaving is None else leaving.able().by_files()
    far = leaving is None or leaving.far

    for files, formations in able.items():
        for shown in formations:
            assert leaving is not None
            pose = np.array([[*next(leaving.poses(shown))]])
            corners = squares(pikes.placed, shown)
            reach = march * (2 if far else 1)
            away = shapely.distance(shapely.polygons(carried(corners, pose)[0]), walls).min()
            if away > 0.05 or not legal(battle, pikes, walls, corners, pose, reach, -0.03)[0]:
                raise Fault("allowed", f"{files} files at {pose}, {away} from the walls")

    files = random.choice(list(frontages(pikes.placed)))
    formation = Formation(files, lean=random.choice(leans(pikes.placed, files)))
    room = any(shown.lean == formation.lean for shown in able.get(files, ()))
    corners = squares(pikes.placed, formation)
    poses = poses_at(walls, corners, random)
    near = legal(battle, pikes, walls, corners, poses, march, MARGIN)
    if near.any() and (far or not room):
        place = poses[np.flatnonzero(near)[0]]
        raise Fault("refused", f"{formation} with the lowest March at {place}: {'far' if far else 'no room'}")
    if near.any():
        return "possible"
    if room and not far:
        return "finer"
    if far:
        twice = legal(battle, pikes, walls, corners, poses, 2 * march, MARGIN)
        if twice.any() and not room:
            raise Fault("refused", f"{formation} with twice the March at {poses[np.flatnonzero(twice)[0]]}")
    return "impossible"


QUESTION = Question("tlaok-garrison-leave", "TLAOK-GARR-18", scene)
