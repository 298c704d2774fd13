"""Break the ranks: models change places with enemies of a dispersed unit, and slide into contact (RN3-BRK)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import hypot
from random import Random

from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_figures, pick_several
from oriflamme.engine.geometry.measure import TOLERANCE, cm, in_cm, rounded
from oriflamme.engine.geometry.paths import path_length, straight_is_clear
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.rn3 import levels
from oriflamme.games.rn3.contact import gap, in_contact, touches
from oriflamme.games.rn3.events.melee import ModelsSlid, RanksBroken
from oriflamme.games.rn3.ground import TOUCHING, put
from oriflamme.games.rn3.losses import Cause, cancel_damage, hurt
from oriflamme.games.rn3.measures import CONTACT
from oriflamme.games.rn3.orders import ending
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Step, Unit, step
from oriflamme.games.rn3.terrain import is_obstacle

Places = dict[str, Point]


def why_not_break(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """Why a unit may not break the ranks of one it has assaulted, if so: it is not dispersed (RN3-BRK-01, -02)."""
    facts = {"unit": unit.id, "target": target.id}
    if not target.on_table or not in_contact(unit, target):
        return Refusal("RN3-BRK-01", "not_in_contact", facts)
    if target.compact:
        return Refusal("RN3-BRK-01", "not_dispersed", facts)
    return None


@step
def break_the_ranks(battle: Battle, unit_id: str) -> Step:
    """Once contacts are placed and tests at contact made, the assaulting player may break the ranks of a dispersed
    target (RN3-BRK-02, -03).

    1. Any of his models in contact change places with an enemy each touches, each enemy at most once.
    2. Then he may slide models of both units a little, so that they touch an enemy.
    """
    unit = battle.units[unit_id]
    broken = [battle.units[id] for id in battle.acting.targets if why_not_break(battle, unit, battle.units[id]) is None]
    if not unit.on_table or not broken:
        return
    swapped = yield from _swap(battle, unit, broken)
    if swapped:
        yield from _slide(battle, unit, broken)


def _swap(battle: Battle, unit: Unit, broken: Sequence[Unit]) -> Asking[bool]:
    """Who changes places with whom. A titan is moved by nobody's effect (RN3-TIT-02)."""
    pairs = {
        f"{own.id} > {enemy.id}": (own, enemy)
        for own in unit.figures
        for target in broken
        for enemy in target.figures
        if touches(own, enemy) and enemy.profile.category != "titan" and not enemy.profile.machine
    }
    # Who may give way by a swap of his own is not in the way: what is left out is proven impossible, what is offered is
    # judged with all that is chosen.
    may_go = {model.id for pair in pairs.values() for model in pair}
    pairs = {k: pair for k, pair in pairs.items() if _why_not_stand(battle, _exchanged([pair]), may_go) is None}
    if not pairs:
        return False

    def check(keys: tuple[str, ...]) -> Refusal | None:
        chosen = [pairs[key] for key in keys]
        models = [model.id for pair in chosen for model in pair]
        if len(set(models)) < len(models):
            return Refusal("RN3-BRK-03", "swaps_once", {"unit": unit.id})
        return _why_not_stand(battle, _exchanged(chosen))

    options = [
        Option(key, "swap", {"figure": own.id, "enemy": enemy.id}, (own.id, enemy.id))
        for key, (own, enemy) in pairs.items()
    ]
    most = min(len({own.id for own, _ in pairs.values()}), len({enemy.id for _, enemy in pairs.values()}))
    about = {"unit": unit.id, "targets": [target.id for target in broken]}
    keys = yield from pick_several(
        unit.side, options, 0, most, "break_the_ranks", "RN3-BRK-03", about, default=(), check=check, measured=True
    )
    if not keys:
        return False
    chosen = [pairs[key] for key in keys]
    places = _exchanged(chosen)
    for own, enemy in chosen:
        own.swapped = True
        put(battle, own, *places[own.id])
        put(battle, enemy, *places[enemy.id])
    for each in (unit, *broken):
        each.update_bounds()
    swaps = tuple((own.id, enemy.id) for own, enemy in chosen)
    battle.tell(RanksBroken("RN3-BRK-03", unit.id, tuple(target.id for target in broken), swaps))
    return True


def _exchanged(pairs: Iterable[tuple[Fighter, Fighter]]) -> Places:
    """Where models stand that have changed places: on each other's spot, so that their bases still touch."""
    places: Places = {}
    for own, enemy in pairs:
        places[own.id], places[enemy.id] = (enemy.x, enemy.y), (own.x, own.y)
    return places


def _why_not_stand(
    battle: Battle, places: Mapping[str, Point], may_go: Collection[str] = frozenset()
) -> Refusal | None:
    """Nobody ends on another, off the table, on another level, or in contact with a unit he did not touch before
    (RN3-BRK-03). Those who may go out of the way themselves are left out of account."""
    everybody = list(battle.fighters())
    table = battle.table
    for unit, fighter in everybody:
        if fighter.id not in places:
            continue
        x, y = places[fighter.id]
        facts = {"figure": fighter.id}
        if not table.holds(fighter.base, x, y, 0.0):
            return Refusal("RN3-GEN-10", "off_the_table", facts)
        if levels.level_at(table, x, y) != fighter.level or levels.straddles(table, x, y, fighter.radius):
            return Refusal("RN3-BRK-03", "other_level", facts)
        if any(is_obstacle(p) and p.outline.touches_disc(x, y, fighter.radius) for p in table.pieces):
            return Refusal("RN3-MOVE-10", "on_an_obstacle", facts)
        for other_unit, other in everybody:
            if other is fighter or (other.id in may_go and other.id not in places):
                continue
            ox, oy = places.get(other.id, (other.x, other.y))
            apart = hypot(ox - x, oy - y) - other.radius - fighter.radius
            if apart < -TOLERANCE:
                return Refusal("RN3-GEN-10", "on_a_base", facts)
            third = other_unit.side != unit.side and other_unit.id not in _in_this_fight(battle)
            if apart <= CONTACT and third and not in_contact(unit, other_unit):
                return Refusal("RN3-BRK-03", "touches_a_third", {**facts, "unit": other_unit.id})
    return None


def _in_this_fight(battle: Battle) -> tuple[str, ...]:
    return (battle.acting.unit, *battle.acting.targets)


def _slide(battle: Battle, unit: Unit, broken: Sequence[Unit]) -> Asking[None]:
    """Models of both units slide, by so little as the house rule says, so that each touches an enemy (RN3-BRK-03).

    Offered if somebody is so near to an enemy who touches him not that they meet if both slide; that nobody is proves
    that there is no slide.
    """
    most = cm(int(battle.options["rn3.breakSlide"]))
    foes = [f for target in broken for f in target.figures]
    against = {f.id: foes for f in unit.figures} | {f.id: unit.figures for f in foes}
    movable = [f for f in (*unit.figures, *foes) if f.profile.category != "titan" and not f.profile.machine]
    near = [f for f in movable if any(CONTACT < gap(f, e) <= 2 * most for e in against[f.id])] if most else []
    if not near:
        return

    def check(moves: Moves) -> Refusal | Moves:
        places = {id: path[-1] for id, path in moves.items() if path}
        for fighter in movable:
            if fighter.id not in places:
                continue
            x, y = places[fighter.id]
            far = path_length([(fighter.x, fighter.y), *moves[fighter.id]])
            facts = {"figure": fighter.id}
            if far > most + CONTACT:
                return Refusal("RN3-BRK-03", "slides_too_far", {**facts, "moved": in_cm(far), "allowed": in_cm(most)})
            if not any(
                hypot(ex - x, ey - y) - e.radius - fighter.radius <= CONTACT
                for e in against[fighter.id]
                for ex, ey in (places.get(e.id, (e.x, e.y)),)
            ):
                return Refusal("RN3-BRK-03", "must_end_in_contact", facts)
            if not _slides_freely(battle, fighter, places):
                return Refusal("RN3-BRK-03", "cannot_slide_there", facts)
        refusal = _why_not_stand(battle, places)
        return refusal if refusal is not None else {id: (place,) for id, place in places.items()}

    def some(order: Sequence[Fighter]) -> Moves:
        moves: Moves = {}
        for fighter in order:
            spot = _straight_into_contact(fighter, against[fighter.id], most)
            if spot is not None and not isinstance(check({**moves, fighter.id: (spot,)}), Refusal):
                moves[fighter.id] = (spot,)
        return moves

    loose = [f for f in near if not any(touches(f, e) for e in against[f.id])]

    def propose(random: Random) -> Moves:
        return some([f for f in loose if random.random() < 0.75])

    moves = yield from move_figures(
        unit.side,
        [f.id for f in movable],
        check,
        propose,
        "slide_into_contact",
        "RN3-BRK-03",
        {"unit": unit.id, "slide": in_cm(most)},
        suggest=lambda: some(loose),
        measured=True,
        laid=True,
    )
    for fighter in movable:
        if fighter.id in moves:
            put(battle, fighter, *moves[fighter.id][-1])
    for each in (unit, *broken):
        each.update_bounds()
    if moves:
        battle.tell(ModelsSlid("RN3-BRK-03", unit.id, tuple(moves)))


def _slides_freely(battle: Battle, fighter: Fighter, places: Mapping[str, Point]) -> bool:
    """Nobody who stays stands between a model and where it slides to."""
    others = [
        (other.x, other.y, other.radius + fighter.radius)
        for _, other in battle.fighters()
        if other is not fighter and other.id not in places
    ]
    return straight_is_clear(fighter.x, fighter.y, *places[fighter.id], others, (), fighter.radius)


def _straight_into_contact(fighter: Fighter, enemies: Sequence[Fighter], most: float) -> Point | None:
    """Straight to the nearest enemy, if that is near enough."""
    nearest = min(enemies, key=lambda e: (gap(fighter, e), e.id))
    apart = gap(fighter, nearest)
    if not CONTACT < apart <= most:
        return None
    share = (apart - TOUCHING) / hypot(nearest.x - fighter.x, nearest.y - fighter.y)
    x = rounded(fighter.x + (nearest.x - fighter.x) * share)
    y = rounded(fighter.y + (nearest.y - fighter.y) * share)
    return x, y


@ending
def wound_who_went_in(battle: Battle, unit: Unit) -> Asking[None]:
    """At the end of the activation each model that went into the enemy ranks and still touches an enemy takes one
    wound, without a test; Incarnates are not protected (RN3-BRK-04)."""
    inside = [fighter for fighter in unit.figures if fighter.swapped]
    for fighter in inside:
        fighter.swapped = False
        enemies = battle.enemies_of(unit.side)
        if any(touches(fighter, enemy) for other in enemies for enemy in other.figures):
            points = yield from cancel_damage(battle, unit, [fighter], 1, None)
            yield from hurt(battle, unit, fighter, points, Cause("break"))
