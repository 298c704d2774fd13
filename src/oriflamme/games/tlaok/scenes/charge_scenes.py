"""Cases of charges and moves in combat: questions, and how a case says where a regiment comes to stand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import pi, radians
from typing import Any, Final

from oriflamme.engine.blocks.bodies import Pose, face_named, rounded_pose
from oriflamme.engine.cases.scenes import Question
from oriflamme.engine.core.decisions import Manoeuvre
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.words.notices import quoted
from oriflamme.engine.words.problems import problem_with
from oriflamme.games.tlaok.combat.combat_reform import OUT
from oriflamme.games.tlaok.regiment.contact import rectangle_of
from oriflamme.games.tlaok.regiment.formation import depth_of
from oriflamme.games.tlaok.state import Battle, footprint_of

QUESTIONS: Final[Mapping[str, Question]] = {
    "charge_target": Question("active player", "<regiment>", "not asked if there is only one"),
    "charge_face": Question(
        "active player", "front rear left right", "of faces with equally many stands in their arcs"
    ),
    "reroll_charge": Question("active player", "yes no"),
    "charge_wheel": Question(
        "active player",
        "<number>",
        "of wheels that engage as many stands; 1 is the smallest. Offered are those that differ in what happens, of "
        "each the smallest, and the one that lies most in the middle; the others are open besides",
        suggested=True,
    ),
    "combat_reform": Question(
        "active player",
        what='after choose_files: "front on the left of orcs shifted 1in" (its own face, the face it lies on, to the '
        "right as one looks at that from outside), or [x, y, degrees]; the suggestion has most stands in contact",
        suggested=True,
    ),
    "withdraw": Question(
        "active player",
        what="[{ turn = 180 }, { ahead = 5 }]: a turn about its middle, then a march; the suggestion is straight back",
        suggested=True,
    ),
    "order_of_pushes": Question("active player", "<regiment>", suggested=True),
}

_FLUSH: Final = re.compile(
    r"^(front|rear|left|right) on the (front|rear|left|right) of ([\w-]+)(?: shifted (-?[\d.]+)\s*in)?$"
)


def flush_answer(battle: Battle, decision: Manoeuvre, raw: str) -> Any:
    """`front on the left of orcs shifted 1in`: flush, middle on middle, shifted to the right as one looks at the face
    from outside."""
    match = _FLUSH.match(raw)
    if match is None:
        hint = 'write "stay", or "front on the left of orcs shifted 1in" of a Combat Reform'
        raise problem_with("answers", f"{quoted(raw)} is not a move", hint=hint)
    enemy = battle.units.get(match.group(3))
    if enemy is None:
        raise problem_with("answers", f"no regiment {quoted(match.group(3))} in the scene")
    id = next(iter(decision.blocks))
    regiment = battle.units[id]
    if "files" not in decision.about:
        raise problem_with("answers", f"{quoted(raw)} answers combat_reform only", hint="write legs or [x, y, facing]")
    files = int(decision.about["files"])
    box = footprint_of(regiment.profile.base, files, depth_of(regiment.placed, files))
    own, face = face_named(match.group(1)), face_named(match.group(2))
    other = rectangle_of(enemy)
    ax, ay, bx, by = other.face(face)
    nx, ny = other.outward(face)
    deep = (box.depth if own in ("front", "rear") else box.width) / 2
    shift = float(match.group(4) or 0) * INCH
    # Right for one who looks at the face is left for one who looks out over it.
    x, y = (ax + bx) / 2 + nx * deep + ny * shift, (ay + by) / 2 + ny * deep - nx * shift
    pose = rounded_pose(Pose(x, y, other.facing + OUT[face] + pi - OUT[own]))
    return {id: [list(pose)]}


def turned(pose: Pose, degrees: float) -> Pose:
    """`{ turn = 180 }`: about its middle, to the left."""
    return Pose(pose.x, pose.y, pose.facing + radians(degrees))
