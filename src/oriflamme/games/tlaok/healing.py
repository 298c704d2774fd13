"""Healing (TLAOK-HEAL): wounds are taken off in a fixed order, then stands come back at half strength."""

from __future__ import annotations

from oriflamme.engine.decisions import Option, PickOne
from oriflamme.engine.geometry import ahead, gap
from oriflamme.engine.measure import TOLERANCE
from oriflamme.games.tlaok.events import Healed
from oriflamme.games.tlaok.state import Asking, Battle, Regiment, Stand


def heal(battle: Battle, regiment: Regiment, points: int, rule: str, *, only: str = "") -> Asking[None]:
    """Use up healing points (TLAOK-HEAL-01, -10). `only` "troops" leaves the character out, "character" the rest.

    The Broken and the destroyed are not healed (TLAOK-HEAL-11, -12).
    """
    if regiment.broken or regiment.fate or points <= 0:
        return
    left, wounds, restored = points, 0, []
    hero = regiment.hero
    if hero is not None and only != "troops":
        # Step 1: the character (TLAOK-HEAL-03).
        taken = min(left, hero.wounds)
        hero.wounds -= taken
        wounds += taken
        left -= taken
    while left > 0 and only != "character":
        # Step 2: the command stand, then the others (-04).
        hurt = sorted((s for s in regiment.troops if s.wounds), key=lambda s: (s.role != "command", -s.wounds))
        for stand in hurt:
            taken = min(left, stand.wounds)
            stand.wounds -= taken
            wounds += taken
            left -= taken
        # Step 3: a stand comes back (-05, -06).
        back = yield from _restore(battle, regiment, left)
        if back is None:
            break
        restored.append(back.id)
        cost = -(-back.profile.wounds // 2)
        back.wounds = back.profile.wounds - cost
        left -= cost
    regiment.arrange()
    battle.tell(Healed(rule, regiment.id, points, wounds, tuple(restored), left))


def _restore(battle: Battle, regiment: Regiment, points: int) -> Asking[Stand | None]:
    """A removed stand that so many points can bring back: those with command models first (TLAOK-HEAL-05, -07)."""
    lost = [s for s in regiment.fallen if s.role != "character" and points >= -(-s.profile.wounds // 2)]
    if not lost or regiment.size >= regiment.initial:
        return None
    command = [s for s in lost if s.role == "command" or s.models]
    able = command or lost[:1]
    chosen = able[0]
    if len(able) > 1:
        options = [Option(s.id) for s in able]
        about = {"regiment": regiment.id}
        key = yield PickOne(regiment.side, options, "restore_stand", "TLAOK-HEAL-07", about)
        chosen = next(s for s in able if s.id == key)
    if not has_room(battle, regiment, chosen):
        return None
    regiment.fallen.remove(chosen)
    chosen.wounds = 0
    regiment.figures.append(chosen)
    grow(regiment)
    return chosen


def grow(regiment: Regiment) -> None:
    """A stand more: the front edge stays where it is, the last rank grows (TLAOK-HEAL-08)."""
    before = regiment.footprint.depth
    regiment.draw_up()
    deeper = (regiment.footprint.depth - before) / 2
    if deeper:
        dx, dy = ahead(regiment.facing)
        regiment.stand_at(regiment.x - dx * deeper, regiment.y - dy * deeper, regiment.facing)


def has_room(battle: Battle, regiment: Regiment, stand: Stand) -> bool:
    """There is a legal place for one stand more, which touches no enemy it was not engaged with (TLAOK-HEAL-08)."""
    if regiment.garrison:
        return regiment.size < capacity_of(battle, regiment.garrison)
    twin = regiment.copy()
    other = stand.copy()
    twin.figures.append(other)
    grow(twin)
    box = twin.footprint
    if not battle.table.holds(box, twin.x, twin.y, twin.facing):
        return False
    for each in battle.present():
        if each.id == regiment.id or each.garrison:
            continue
        apart = gap(box, twin.x, twin.y, twin.facing, each.footprint, each.x, each.y, each.facing)
        friend = each.side == regiment.side or each in battle.engaged(regiment)
        if apart < -TOLERANCE or (not friend and apart <= TOLERANCE):
            return False
    return True


def capacity_of(battle: Battle, garrison: str) -> int:
    """How many stands a garrison holds (TLAOK-GARR-02): the trait "capacity 4" of its piece."""
    for trait in battle.table.piece(garrison).traits:
        if trait.startswith("capacity "):
            return int(trait.split()[1])
    return 4
