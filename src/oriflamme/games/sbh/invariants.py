"""What must be true of every state of a battle, whoever plays it."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.sbh.movement import gait_of
from oriflamme.games.sbh.state import DEADLY_QUALITY, Battle

SLACK = 4 * TOLERANCE


def what_is_wrong(battle: Battle) -> list[str]:
    """Every broken promise of this state, in words; nothing if it is sound."""
    wrong: list[str] = []
    there = battle.present()
    for number, f in enumerate(there):
        if not battle.table.holds(f.body.base, f.x, f.y, 0.0):
            wrong.append(f"{f.id} is off the table at {f.x}, {f.y} (SBH-MOVE-01)")
        if f.own.quality + f.wounds + f.poison >= DEADLY_QUALITY:
            wrong.append(f"{f.id} lives with Quality {f.own.quality + f.wounds + f.poison}+ (SBH-PROFILE-05)")
        if f.wounds < 0 or f.poison < 0:
            wrong.append(f"{f.id} is better than new (SBH-SR-PRIEST-02)")
        if f.slow_to_rise and not f.down:
            wrong.append(f"{f.id} stands and is slow to rise from a fall (SBH-FALL-04)")
        if battle.table.with_trait("impassable"):
            gait = gait_of(battle, f)
            wrong += [
                f"{f.id} stands in {piece.id} (SBH-MOVE-06)"
                for piece in battle.table.touching(f.x, f.y, f.radius - SLACK, "impassable")
                if (battle.ruler.grid is None or piece.outline.contains(f.x, f.y)) and not gait.may_stand(piece)
            ]
        if abs(f.z - battle.table.height_at(f.x, f.y)) > SLACK:
            wrong.append(f"{f.id} floats at {f.z} (SBH-COMBAT-16)")
        for g in there[:number]:
            if hypot(f.x - g.x, f.y - g.y) < f.radius + g.radius - SLACK:
                wrong.append(f"{f.id} stands on {g.id} (SBH-MOVE-06)")
    for f in battle.units.values():
        if len(f.figures) + len(f.fallen) != 1 or bool(f.fate) != bool(f.fallen):
            wrong.append(f"{f.id} is {f.fate or 'in play'} with {len(f.figures)} figures")
        if f.reserve == "band" and battle.round > 0 and not f.fate:
            wrong.append(f"{f.id} was never deployed (SBH-SETUP-04)")
        if f.reserve == "marker" and not any(m.holds == f.id for m in battle.markers):
            wrong.append(f"{f.id} hides behind no marker (SBH-SCEN-AMBUSH-03)")
        if f.item is not None and f.profile.animal:
            wrong.append(f"{f.id} is an animal with a magic item (SBH-SR-ANIMAL-03)")
        if f.transfixed and battle.units[f.transfixed].fate in ("killed", "trapped"):
            wrong.append(f"{f.id} is transfixed by a dead Mage (SBH-TRANSFIX-09)")
    wrong += [
        f"actions left: {activation.actions} (SBH-ACT-02)"
        for activation in battle.acting
        if any(not 0 <= left <= 3 for left in activation.actions.values())
    ]
    if sum(f.carries for f in battle.units.values()) + sum(m.id == "prize" for m in battle.markers) > 1:
        wrong.append("there are two treasures (SBH-SCEN-TREASURE-03)")
    return wrong
