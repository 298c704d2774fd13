"""What must be true of every state of a battle, whoever plays it."""

from __future__ import annotations

from collections import Counter
from math import hypot

from oriflamme.engine.blocks.bodies import Block, overlaps
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.tlaok.movement.march import on_table
from oriflamme.games.tlaok.regiment.contact import block_of, rectangle_of, touch
from oriflamme.games.tlaok.regiment.formation import slots
from oriflamme.games.tlaok.rounds.activation import named
from oriflamme.games.tlaok.rounds.victory import ROUNDS
from oriflamme.games.tlaok.state import Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import terrain_of

SLACK = 4 * TOLERANCE


def what_is_wrong(battle: Battle) -> list[str]:
    """Every broken promise of this state, in words; nothing if it is sound."""
    wrong: list[str] = []
    for regiment in battle.units.values():
        if battle.acting is not None and regiment.hero is not None and not regiment.troops:
            # Its character makes his last stand.
            continue
        wrong += _strength(regiment)
        if regiment.on_table and not regiment.garrison:
            wrong += _formation(regiment)
    wrong += _contacts(battle)
    wrong += _cards(battle)
    if battle.acting is None:
        # What must be true between two activations.
        wrong += _places(battle)
        if battle.queue:
            wrong.append(f"left unsettled: {battle.queue}")
    if battle.round > ROUNDS:
        wrong.append(f"round {battle.round} (TLAOK-SCN-04)")
    return wrong


def _strength(regiment: Regiment) -> list[str]:
    """Stands and wounds add up."""
    wrong = []
    if bool(regiment.fate) != (not regiment.troops):
        wrong.append(f"{regiment.id} is {regiment.fate or 'in play'} with {len(regiment.troops)} stands")
    ids = [s.id for s in (*regiment.figures, *regiment.fallen)]
    if len(set(ids)) != len(ids):
        wrong.append(f"{regiment.id} has a stand twice: {ids}")
    wrong += [
        f"{s.id} lives with {s.wounds} of {s.profile.wounds} wounds (TLAOK-WOUND-05)"
        for s in regiment.figures
        if not 0 <= s.wounds < s.profile.wounds
    ]
    if sum(1 for s in regiment.figures if s.role == "character") > 1:
        wrong.append(f"{regiment.id} has two characters (TLAOK-CHAR-04)")
    if regiment.fate and regiment.reserve is not None:
        wrong.append(f"{regiment.id} was destroyed in reinforcements")
    return wrong


def _formation(regiment: Regiment) -> list[str]:
    """Every stand is where its rank and file say (TLAOK-FORM)."""
    wrong = []
    placed = [s for s in regiment.figures if not (s.role == "character" and s.profile.rider)]
    if sorted((s.rank, s.file) for s in placed) != sorted(slots(len(placed), regiment.formation)):
        wrong.append(f"{regiment.id} is not drawn up as {regiment.formation} (TLAOK-FORM-02)")
        return wrong
    whole, base, ranks = rectangle_of(regiment), regiment.profile.base, regiment.ranks
    for stand in placed:
        slot = whole.part(
            (stand.file + 0.5) * base.width - whole.width / 2,
            whole.depth / 2 - (stand.rank + 0.5) * whole.depth / ranks,
            base.width,
            base.depth,
        )
        if hypot(slot.pose.x - stand.x, slot.pose.y - stand.y) > SLACK:
            wrong.append(f"{stand.id} has left its place (TLAOK-FORM-02)")
    return wrong


def _contacts(battle: Battle) -> list[str]:
    """Who is engaged is so both ways, with an enemy on the table, and touches him."""
    wrong = []
    for id, faces in battle.contacts.items():
        regiment = battle.units[id]
        for other in faces:
            enemy = battle.units[other]
            if id not in battle.contacts.get(other, {}):
                wrong.append(f"{id} is engaged with {other}, but not {other} with {id} (TLAOK-CONTACT-07)")
            if enemy.side == regiment.side or not (regiment.on_table and enemy.on_table):
                wrong.append(f"{id} is engaged with {other} (TLAOK-CONTACT-03)")
            elif battle.acting is None and not touch(battle, regiment, enemy):
                wrong.append(f"{id} is engaged with {other} and does not touch it (TLAOK-CONTACT-02)")
    return wrong


def _cards(battle: Battle) -> list[str]:
    """No more cards of a name than units that have come to the field with it (TLAOK-STACK-02)."""
    wrong = []
    for side, stack in enumerate(battle.stacks):
        have = Counter(r.profile.id for r in battle.units_of(side))
        have += Counter(r.character.profile.id for r in battle.units_of(side) if r.character is not None)
        wrong += [
            f"{number} cards of {card} for {have[card]}"
            for card, number in Counter(stack).items()
            if number > have[card]
        ]
        for card in set(stack):
            left, cards = len(named(battle, side, card)), stack.count(card)
            # One card may have been turned over just now.
            if left > cards + 1:
                wrong.append(f"{left} to activate by {cards} cards of {card} (TLAOK-CARD-01)")
    return wrong


def _core(block: Block) -> Block:
    """A stand without the hair by which touching ones may overlap, and by which rounding may leave the table."""
    return Block(block.width - 2 * SLACK, block.depth - 2 * SLACK, block.pose)


def _places(battle: Battle) -> list[str]:
    """At the end of an activation nobody is off the table, on somebody else or where nobody can stand."""
    wrong = []
    there = [r for r in battle.present() if not r.garrison]
    solid = [terrain for terrain in map(terrain_of, battle.table.pieces) if terrain.words & {"garrison", "impassable"}]
    for number, regiment in enumerate(there):
        if not on_table(battle, [_core(block_of(s)) for s in regiment.figures]):
            wrong.append(f"{regiment.id} is off the table (TLAOK-FORM-09)")
        blocks, whole = [_core(block_of(s)) for s in regiment.figures], rectangle_of(regiment)
        wrong += [
            f"{regiment.id} stands on {other.id} (TLAOK-FORM-10)"
            for other in there[:number]
            if overlaps(whole, rectangle_of(other))
            and any(overlaps(a, block_of(s)) for a in blocks for s in other.figures)
        ]
        wrong += [
            f"{regiment.id} stands in {terrain.id} (TLAOK-GARR-03)"
            for terrain in solid
            if any(overlaps(a, b) for a in blocks for b in terrain.solids)
        ]
    held = Counter(r.garrison for r in battle.present() if r.garrison)
    wrong += [f"{number} regiments in {id} (TLAOK-GARR-09)" for id, number in held.items() if number > 1]
    return wrong
