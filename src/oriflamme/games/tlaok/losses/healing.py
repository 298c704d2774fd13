"""Healing (TLAOK-HEAL): wounds are taken off in a fixed order, then stands come back at half strength."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.events import Healed
from oriflamme.games.tlaok.regiment.command import regain_models
from oriflamme.games.tlaok.regiment.formation import leans
from oriflamme.games.tlaok.regiment.positions import faults_of
from oriflamme.games.tlaok.regiment.ranks import LEFT, RIGHT, centre, redraw
from oriflamme.games.tlaok.state import Asking, Battle, Regiment, Stand
from oriflamme.games.tlaok.terrain.ground import terrain_of

# Where a stand may come back: in the last rank or behind it, or at an end of a single rank.
PLACES: Final = {"behind": 0, "left": LEFT, "right": RIGHT}


def heal(battle: Battle, regiment: Regiment, points: int, rule: str, *, only: str = "") -> Asking[None]:
    """Use up healing points (TLAOK-HEAL-01). `only` "troops" leaves the character out, "character" the rest.

    1. Wounds of the character are taken off.                          TLAOK-HEAL-03
    2. Then those of the command stand, then those of the others.      TLAOK-HEAL-04
    3. When nobody is wounded, a stand comes back, half its wounds
       taken off for as many points; then 2. again.                    TLAOK-HEAL-05, -06
    4. What cannot be used is lost.                                    TLAOK-HEAL-08, -10

    Nobody heals the Broken or the destroyed (TLAOK-HEAL-11, -12).
    """
    if points <= 0 or regiment.fate:
        return
    if regiment.broken:
        battle.tell(Healed("TLAOK-HEAL-11", regiment.id, points, 0, (), points))
        return
    left, wounds, restored = points, 0, []
    hero = regiment.hero
    if hero is not None and only != "troops":
        taken = min(left, hero.wounds)
        hero.wounds -= taken
        wounds += taken
        left -= taken
    while left > 0 and only != "character":
        for stand in sorted(regiment.troops, key=lambda s: (s.role != "command", -s.wounds)):
            taken = min(left, stand.wounds)
            stand.wounds -= taken
            wounds += taken
            left -= taken
        back = yield from _restore(battle, regiment, left)
        if back is None:
            break
        restored.append(back.id)
        back.wounds = back.profile.wounds - cost_of(back)
        left -= cost_of(back)
    regiment.arrange()
    battle.tell(Healed(rule, regiment.id, points, wounds, tuple(restored), left))
    if restored:
        yield from centre(battle, regiment)


def cost_of(stand: Stand) -> int:
    """What bringing a stand back costs, and how many wounds it then can take: half, rounded up (TLAOK-HEAL-05, -06)."""
    return -(-stand.profile.wounds // 2)


def _restore(battle: Battle, regiment: Regiment, points: int) -> Asking[Stand | None]:
    """A removed stand that so many points can bring back: those with command models first (TLAOK-HEAL-05, -07)."""
    lost = [s for s in regiment.fallen if s.role != "character"]
    able = [s for s in lost if s.role == "command" or s.models] or lost[:1]
    if not able or points < cost_of(able[0]) or regiment.size >= regiment.initial:
        return None
    chosen = able[0]
    if len(able) > 1:
        options = [Option.thing(s.id, "casualty", {"models": list(s.models)}) for s in able]
        about = {"regiment": regiment.id}
        key = yield from pick_one(regiment.side, options, "restore_stand", "TLAOK-HEAL-07", about)
        chosen = next(s for s in able if s.id == key)
    places = [place for place in PLACES if has_room(battle, regiment, chosen, place)]
    if not places:
        return None
    place = places[0]
    if len(places) > 1:
        about = {"regiment": regiment.id}
        place = yield from pick_one(
            regiment.side, [Option(p, "place") for p in places], "place_restored", "TLAOK-HEAL-08", about
        )
    regiment.fallen.remove(chosen)
    before = faults_of(battle, regiment)
    grow(regiment, chosen, place)
    if not faults_of(battle, regiment) <= before:
        # There is room only where the last rank leans the other way.
        regiment.formation = regiment.formation._replace(lean=1 - regiment.formation.lean)
        regiment.arrange()
    if battle.option("tlaok.restoredStands") == "offsetLosses":
        regiment.lost = max(0, regiment.lost - 1)
    regain_models(battle, regiment, chosen)
    return chosen


def grow(regiment: Regiment, stand: Stand, place: str) -> None:
    """A stand more: in the last rank, or at an end of a single rank; a command stand in the middle of the front."""
    box, files, size = regiment.footprint, regiment.formation.files, regiment.placed
    stand.wounds = 0
    # Last in the order of the ranks; first at the left end of a single one.
    stand.rank, stand.file = (0, -1) if place == "left" else (regiment.ranks, 0)
    regiment.figures.append(stand)
    redraw(regiment, box, files if place == "behind" else size + 1, end=PLACES[place])


def has_room(battle: Battle, regiment: Regiment, stand: Stand, place: str) -> bool:
    """It makes a legal formation in a legal position, touching no enemy it was not engaged with (TLAOK-HEAL-08)."""
    if regiment.garrison:
        return place == "behind" and regiment.size < terrain_of(battle.table.piece(regiment.garrison)).capacity
    if place == "behind" and regiment.formation.files < 2:
        # Two stands must both be in the front rank (TLAOK-FORM-02).
        return False
    if place != "behind" and regiment.ranks > 1:
        return False
    if not regiment.on_table:
        return True
    twin = regiment.copy()
    grow(twin, stand.copy(), place)
    before = faults_of(battle, regiment)
    return any(faults_of(battle, _leaning(twin, lean)) <= before for lean in leans(twin.placed, twin.formation.files))


def _leaning(regiment: Regiment, lean: int) -> Regiment:
    """The same with its last rank placed so."""
    regiment.formation = regiment.formation._replace(lean=lean)
    regiment.arrange()
    return regiment
