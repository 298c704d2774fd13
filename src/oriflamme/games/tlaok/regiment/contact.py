"""Contact (TLAOK-CONTACT, TLAOK-CLASH-08 to -11): which stands touch whom.

Regiments are engaged as `battle.contacts` says; here it is found out, stand by stand, who takes part.
"""

from __future__ import annotations

from oriflamme.engine.blocks.bodies import Block, any_nearer, touches
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.tlaok.state import Battle, Regiment, Stand


def block_of(stand: Stand) -> Block:
    """A stand as a rectangle on the table."""
    return stand.block


def rectangle_of(regiment: Regiment) -> Block:
    """Its footprint, gaps of the last rank filled (TLAOK-FORM-12)."""
    return regiment.laid.whole


def at_walls(battle: Battle, regiment: Regiment, garrison: str) -> bool:
    """Its rectangle touches the walls of a garrison (TLAOK-GARR-24, -30)."""
    # Losses are what terrain does too: the chapter on terrain needs this one.
    from oriflamme.games.tlaok.terrain.ground import terrain_of

    return any_nearer((rectangle_of(regiment),), terrain_of(battle.table.piece(garrison)).solids, TOLERANCE)


def touch(battle: Battle, regiment: Regiment, enemy: Regiment) -> bool:
    """Two engaged regiments touch as they stand now, rectangle to rectangle (TLAOK-CONTACT-02, -05), or to the walls of
    the garrison in which one of them is (TLAOK-GARR-30)."""
    if regiment.garrison or enemy.garrison:
        if enemy.id not in battle.contacts.get(regiment.id, {}):
            return False
        outside, inside = (enemy, regiment) if regiment.garrison else (regiment, enemy)
        return at_walls(battle, outside, inside.garrison)
    return touches(rectangle_of(regiment), rectangle_of(enemy))


def held_now(battle: Battle, regiment: Regiment) -> dict[str, dict[str, int]]:
    """How many stands of a regiment and of each of its enemies are in contact with each other."""
    found: dict[str, dict[str, int]] = {}
    for enemy in battle.engaged(regiment):
        found.setdefault(regiment.id, {})[enemy.id] = len(stands_touching(battle, regiment, enemy))
        found.setdefault(enemy.id, {})[regiment.id] = len(stands_touching(battle, enemy, regiment))
    return found


def stands_touching(battle: Battle, regiment: Regiment, enemy: Regiment) -> list[Stand]:
    """The stands of a regiment that are in contact with an enemy: with his stands or with his filled rectangle, at a
    corner too (TLAOK-CONTACT-01, -05, TLAOK-CLASH-10).

    Against a garrison the whole front rank is in contact, and so is everybody in one (TLAOK-GARR-24, -25).
    """
    if enemy.id not in battle.contacts.get(regiment.id, {}):
        return []
    if regiment.garrison:
        return list(regiment.figures)
    if enemy.garrison:
        return [s for s in regiment.figures if s.rank == 0]
    whole = rectangle_of(enemy)
    found = [s for s in regiment.figures if touches(block_of(s), whole)]
    if battle.option("tlaok.gapStands") == "bothSides":
        found += [s for s in _beside_gap(regiment, enemy) if s not in found]
    return found


def _beside_gap(regiment: Regiment, enemy: Regiment) -> list[Stand]:
    """Stands next to a gap of their own last rank, where an enemy touches the filled rectangle (TLAOK-CLASH-11)."""
    own = rectangle_of(regiment)
    if not any(touches(block_of(s), own) for s in enemy.figures):
        return []
    base = regiment.profile.base
    last = regiment.ranks - 1
    taken = {(s.rank, s.file) for s in regiment.figures}
    found = []
    for file in range(regiment.formation.files):
        if (last, file) in taken:
            continue
        gap = own.part(
            (file + 0.5) * base.width - own.width / 2, own.depth / 2 - (last + 0.5) * base.depth, base.width, base.depth
        )
        if any(touches(block_of(s), gap) for s in enemy.figures):
            found += [s for s in regiment.figures if touches(block_of(s), gap)]
    return list(dict.fromkeys(found))


def engaged_stands(battle: Battle, regiment: Regiment) -> dict[str, list[str]]:
    """By stand, the enemies it touches; stands that touch nobody are not in it."""
    found: dict[str, list[str]] = {}
    for enemy in battle.engaged(regiment):
        for stand in stands_touching(battle, regiment, enemy):
            found.setdefault(stand.id, []).append(enemy.id)
    return found
