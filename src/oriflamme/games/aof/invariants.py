"""What must be true of every state of a battle, whoever plays it."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.aof.keywords.magic import MOST_TOKENS
from oriflamme.games.aof.movement import is_coherent
from oriflamme.games.aof.state import ROUNDS, Battle

SLACK = 4 * TOLERANCE


def what_is_wrong(battle: Battle) -> list[str]:
    """Every broken promise of this state, in words; nothing if it is sound."""
    wrong: list[str] = []
    models = [(f, u) for u in battle.on_table() for f in u.figures]
    for i, (f, u) in enumerate(models):
        if not battle.table.holds(f.base, f.x, f.y, f.facing):
            wrong.append(f"{f.id} is off the table at {f.x}, {f.y} (AOF-MOVE-08)")
        if not 0 <= f.wounds < f.profile.tough:
            wrong.append(f"{f.id} has {f.wounds} wounds of {f.profile.tough} (AOF-GEN-15)")
        if not 0 <= f.tokens <= MOST_TOKENS:
            wrong.append(f"{f.id} has {f.tokens} tokens (AOF-SR-CASTER-02)")
        if f.tokens and not f.profile.caster:
            wrong.append(f"{f.id} has tokens and is no Caster (AOF-SR-CASTER-07)")
        if battle.table.touching(f.x, f.y, f.radius - SLACK, "impassable"):
            wrong.append(f"{f.id} stands in Impassable terrain (AOF-MOVE-04)")
        if abs(f.z - battle.table.height_at(f.x, f.y)) > SLACK:
            wrong.append(f"{f.id} floats at {f.z} (AOF-MOVE-05)")
        for g, v in models[:i]:
            if hypot(f.x - g.x, f.y - g.y) < f.radius + g.radius - SLACK:
                wrong.append(f"{f.id} of {u.id} stands on {g.id} of {v.id} (AOF-MOVE-04)")
    for unit in battle.units.values():
        if len(unit.figures) + len(unit.fallen) != unit.start:
            left = f"{len(unit.figures)} + {len(unit.fallen)} fallen"
            wrong.append(f"{unit.id} began with {unit.start} models and has {left}")
        # Losses may scatter a unit, nothing else does.
        if unit.on_table and not unit.fallen and not is_coherent(unit):
            wrong.append(f"{unit.id} is scattered and has lost nobody (AOF-MOVE-02)")
        if unit.reserve == "deploy" and battle.round > 0:
            wrong.append(f"{unit.id} was never deployed (AOF-DEPLOY-02)")
    if not 0 <= battle.round <= ROUNDS:
        wrong.append(f"round {battle.round} (AOF-MISSION-11)")
    strangers = [o.owner for o in battle.objectives if o.owner not in (None, 0, 1)]
    if strangers:
        wrong.append(f"objectives belong to {strangers} (AOF-MISSION-05)")
    return wrong
