"""Legal positions (TLAOK-FORM-09): what a regiment stands on, hangs over or touches where it may not."""

from __future__ import annotations

from oriflamme.engine.blocks.bodies import any_nearer, any_overlap, edge_gap
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.tlaok.regiment.contact import rectangle_of
from oriflamme.games.tlaok.state import Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import occupant, parts_of, terrain_on

EDGE = "edge"


def faults_of(battle: Battle, regiment: Regiment) -> frozenset[str]:
    """What is wrong with where its stands are: whom it stands on, which garrison or impassable ground it is in, which
    enemy it touches without being engaged with him, and "edge" if it hangs over that of the table.

    Nothing if the position is legal (TLAOK-FORM-09, TLAOK-GARR-03, TLAOK-CONTACT-07). Inside a garrison and off the
    table there is nothing to be wrong.
    """
    if regiment.garrison or not regiment.on_table:
        return frozenset()
    found: set[str] = set()
    parts, table = parts_of(regiment), battle.table
    if any(edge_gap(part, 0.0, 0.0, table.width, table.depth) < -TOLERANCE for part in parts):
        found.add(EDGE)
    engaged = {enemy.id for enemy in battle.engaged(regiment)}
    for other in battle.present():
        if other.id == regiment.id or other.garrison:
            continue
        strange = other.side != regiment.side and other.id not in engaged
        if any_overlap(parts, parts_of(other)) or (strange and any_nearer(parts, (rectangle_of(other),), TOLERANCE)):
            found.add(other.id)
    for terrain in terrain_on(table):
        if not terrain.words & {"garrison", "impassable"}:
            continue
        holder = occupant(battle, terrain.id) if "garrison" in terrain.words else None
        strange = holder is not None and holder.side != regiment.side and holder.id not in engaged
        if any_nearer(parts, terrain.solids, TOLERANCE if strange else -TOLERANCE):
            found.add(terrain.id)
    return frozenset(found)
