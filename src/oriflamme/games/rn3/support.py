"""The support phase: the delayed dead leave, reinforcements come (RN3-TURN-04)."""

from __future__ import annotations

from oriflamme.engine.core.keywords import at
from oriflamme.games.rn3 import mystics
from oriflamme.games.rn3.events.turns import FighterLeft, FightersReturned
from oriflamme.games.rn3.losses import Cause, eliminate
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.phases import begin_phase
from oriflamme.games.rn3.placing import place_back
from oriflamme.games.rn3.state import Asking, Battle, Step, Unit, skills_of, step


class Support:
    """What a unit gets in the support phase: so many of its fallen fighters come back."""

    __slots__ = ("back", "battle", "rule", "unit")

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle = battle
        self.unit = unit
        self.back = 0
        self.rule = ""

    def return_fighters(self, number: int, rule: str) -> None:
        if number > self.back:
            self.back, self.rule = number, rule


def remove_the_doomed(battle: Battle) -> Asking[None]:
    """Who died and stayed leaves at the end of the phase (RN3-TURN-04, RN3-SKL-01)."""
    for unit in list(battle.units.values()):
        for fighter in list(unit.figures):
            if fighter.doomed is not None:
                battle.tell(FighterLeft("RN3-TURN-04", unit.id, fighter.id))
                yield from eliminate(battle, unit, fighter, Cause(*fighter.doomed))


def support_of(battle: Battle, unit: Unit) -> Support:
    """Who comes back to a unit."""
    support = Support(battle, unit)
    for skills in dict.fromkeys(skills_of(unit, fighter) for fighter in unit.figures):
        at(Keyword.in_support, (skills,), support)
    return support


@step
def support_phase(battle: Battle) -> Step:
    """Phase 3: who died and stayed is removed, then reinforcements return, those of the authority winner first
    (RN3-TURN-04, RN3-GEN-12)."""
    begin_phase(battle, "support", "RN3-TURN-04")
    mystics.end_orders(battle)
    yield from remove_the_doomed(battle)
    for side in (battle.winner_of_authority, 1 - battle.winner_of_authority):
        for unit in battle.friends_of(side):
            yield from reinforce(battle, unit)


def reinforce(battle: Battle, unit: Unit) -> Asking[None]:
    """Eliminated standard fighters come back to a unit that still exists, in formation and out of contact, never above
    its initial strength; their owner says where they stand (RN3-SKL-51)."""
    support = support_of(battle, unit)
    fallen = [f for f in unit.fallen if f.profile.role == "troop"]
    number = min(support.back, len(fallen), unit.start - unit.strength)
    came: list[str] = []
    for fighter in fallen[:number]:
        if not (yield from place_back(battle, unit, fighter, support.rule, "place_returning")):
            break
        fighter.wounds = 0
        fighter.moved = fighter.swapped = False
        came.append(fighter.id)
    if came:
        battle.tell(FightersReturned(support.rule, unit.id, tuple(came)))
