"""Jumps down a drop (LFW-TERR-08 to -10): a die, less the height, and perhaps a hit."""

from __future__ import annotations

from math import ceil, floor
from typing import Final, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.attacks import impose_hit
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.moves import Jumped
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.state import Asking, Battle, Model

EACH: Final = inches(2)
HURT: Final = 1  # this result or less


class Jump(NamedTuple):
    """What a drop means: what is taken from the die, and how strong the hit is."""

    less: int
    strength: int

    def hurts(self, face: int) -> bool:
        return face - self.less <= HURT


def jump_down(height: float) -> Jump:
    """Started 2" steps lower the roll, complete ones are the strength of the hit (LFW-TERR-09)."""
    return Jump(ceil(height / EACH - TOLERANCE / EACH), floor(height / EACH + TOLERANCE / EACH))


def resolve_jump(battle: Battle, model: Model, height: float) -> Asking[bool]:
    """The die of a jump, and the hit if it goes wrong; whether the unit can go on (LFW-TERR-09, -10)."""
    jump = jump_down(height)
    (face,) = yield from roll_faces(battle, model.side, 1, "jump")
    hurt = jump.hurts(face)
    battle.tell(Jumped("LFW-TERR-09", model.id, in_inches(height), face, face - jump.less, hurt))
    if hurt:
        # All movement is the mount's (LFW-CAV-05), and so is the fall.
        yield from impose_hit(battle, model.mover, jump.strength, "jump", rule="LFW-TERR-09")
        yield from resolve_deaths(battle)
    return model.on_table
