"""What the scenes of Conquest have in common: a table with a few pieces, regiments by chance, and their ground for
shapely. No question of its own."""

from __future__ import annotations

from math import cos, sin
from random import Random
from typing import Any

import numpy as np
import shapely

from oriflamme.engine.blocks.bodies import Pose
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.rulebook import house_rules_of
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.tlaok.profile import Profile
from oriflamme.games.tlaok.regiment.formation import Formation, usual
from oriflamme.games.tlaok.state import Battle, Regiment, Stand

STAND = 62.0
NUMBERS = {"volley": 0, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3, "defence": 2, "evasion": 0}
# Nearer than this to a limit the grid does not say who is right.
MARGIN = 0.12


def a_battle(width: float, depth: float, pieces: list[Piece]) -> Battle:
    options = {key: option.default for key, option in house_rules_of("tlaok").items()}
    battle = Battle(Table(width, depth, pieces), options, SeededDice(1))
    battle.round = 2
    return battle


def a_regiment(
    battle: Battle, id: str, side: int, stands: int, files: int, march: int = 5, kind: str = "infantry"
) -> Regiment:
    profile = Profile(id, {"en": id, "fr": id}, kind, "medium", NUMBERS | {"march": march})
    regiment = Regiment(id, side, profile, [Stand(f"{id}.{n}", profile) for n in range(stands)])
    regiment.reserve = None
    regiment.draw_up(usual(stands, files, command=False, character=False))
    battle.units[id] = regiment
    return regiment


def squares(stands: int, formation: Formation) -> np.ndarray[Any, Any]:
    """The corners of the stands about the middle of a regiment that looks north: the front rank full, the last as
    central as its files allow (TLAOK-FORM-04)."""
    files = formation.files
    ranks = -(-stands // files)
    found = []
    for number in range(stands):
        rank, file = divmod(number, files)
        left = stands - rank * files
        indent = (files - left + formation.lean) // 2 if left < files else 0
        x = (file + indent + 0.5 - files / 2) * STAND
        y = (ranks / 2 - rank - 0.5) * STAND
        h = STAND / 2
        found.append([(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)])
    return np.array(found)


def carried(corners: np.ndarray[Any, Any], poses: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The corners at each of many poses x, y, facing: poses, stands, corners, two."""
    c, s = np.cos(poses[:, 2])[:, None, None], np.sin(poses[:, 2])[:, None, None]
    x = poses[:, 0][:, None, None] + c * corners[None, ..., 0] - s * corners[None, ..., 1]
    y = poses[:, 1][:, None, None] + s * corners[None, ..., 0] + c * corners[None, ..., 1]
    return np.stack([x, y], axis=-1)


def ground(regiment: Regiment) -> Any:
    """The ground its stands cover."""
    pose = np.array([[regiment.x, regiment.y, regiment.facing]])
    corners = carried(squares(regiment.placed, regiment.formation), pose)[0]
    return shapely.union_all(shapely.polygons(corners))


def stand_apart(battle: Battle, regiment: Regiment, pose: Pose, apart: Any) -> bool:
    """Puts a regiment there if it stands on nothing of `apart`; takes it away otherwise."""
    regiment.stand_at(*pose)
    if shapely.intersects(ground(regiment), apart):
        del battle.units[regiment.id]
        return False
    return True


def somewhere(random: Random, x: float, y: float, near: float, far: float) -> Pose:
    """So far from a point, any way, looking anywhere."""
    angle, distance = random.uniform(0, 6.2832), random.uniform(near, far) * INCH
    return Pose(x + cos(angle) * distance, y + sin(angle) * distance, random.uniform(0, 6.2832))
