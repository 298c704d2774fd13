"""What one side does not know, dealt anew for it: the armies of the others, until lists are revealed (LFW-ARMY-11)."""

from __future__ import annotations

from random import Random

from oriflamme.games.lfw.scenarios.book import SCENARIOS
from oriflamme.games.lfw.setup import Seat, take_the_field
from oriflamme.games.lfw.state import Battle


def deal(battle: Battle, seen: Battle, side: int, random: Random) -> None:
    """A ready-made army for each of them, as their seats allow."""
    if battle.is_open():
        return
    plan, own = SCENARIOS[battle.scenario], dict(battle.units)
    battle.units = {}
    for other, role in enumerate(battle.roles[: battle.players]):
        if other == side:
            battle.units |= own
        else:
            take_the_field(
                battle, other, Seat(plan, role, battle.players, battle.options).choose(battle.points, random)
            )
