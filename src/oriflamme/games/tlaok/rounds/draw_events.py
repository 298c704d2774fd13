"""Draw events (TLAOK-DE, general rules TLAOK-DRAW): what happens when a card is drawn, before the first action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.combat.attacks import strike_without_dice
from oriflamme.games.tlaok.events import DrawEventUsed, HitWithoutDice, RenewalRolled
from oriflamme.games.tlaok.losses.aftermath import resolve_queue
from oriflamme.games.tlaok.losses.healing import heal
from oriflamme.games.tlaok.losses.wounds import Cause
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.profile import DRAW_EVENTS, DrawEvent
from oriflamme.games.tlaok.state import Asking, Battle, Character, Effect, Regiment

Resolve = Callable[[Battle, Regiment, "Character | None", DrawEvent], Asking[None]]


def use_draw_event(battle: Battle, regiment: Regiment, hero: Character | None) -> Asking[None]:
    """One of them, if its player wants; none while it is not on the table (TLAOK-DRAW-01, -02, -04, -05). Where a rule
    allows several, one after the other in the order he likes (TLAOK-DRAW-03)."""
    laid = hero.effects if hero is not None else regiment.effects
    several = 1 + sum(effect.add for effect in laid if effect.stat == "draw_events")
    used: set[str] = set()
    while regiment.on_table and len(used) < several:
        left = [e for e in regiment.events_of(character=hero is not None) if e.id not in used]
        event = (yield from _choose(regiment, hero, left)) if left else None
        if event is None:
            return
        used.add(event.id)
        rule, resolve = RESOLVE[event.id]
        battle.tell(DrawEventUsed(rule, regiment.id, event.id, event.x))
        yield from resolve(battle, regiment, hero, event)
        yield from resolve_queue(battle)


def _choose(regiment: Regiment, hero: Character | None, events: Sequence[DrawEvent]) -> Asking[DrawEvent | None]:
    """One of these, or none unless some must be used (TLAOK-DRAW-04)."""
    must = [e for e in events if e.mandatory]
    options = [Option(e.id, "draw_event", {"x": e.x}) for e in must or events]
    if not must:
        options.insert(0, Option("none", "draw_event"))

    def reason(key: str) -> Refusal | None:
        return Refusal("TLAOK-DRAW-04", "must_use_event", {"regiment": regiment.id}) if must else None

    about = {"regiment": regiment.id, "character": hero.id if hero is not None else ""}
    default = options[-1].key
    key = yield from pick_one(
        regiment.side, options, "choose_draw_event", "TLAOK-DRAW-02", about, default=default, why_not=reason
    )
    return next((e for e in events if e.id == key), None)


def lay(regiment: Regiment, *effects: Effect, adds: bool = False) -> None:
    """A draw event works on all stands of the regiment. The same one from elsewhere does not add up, the better counts;
    one written (+X) adds (TLAOK-DRAW-06)."""
    for effect in effects:
        same = [e for e in regiment.effects if not adds and (e.rule, e.stat) == (effect.rule, effect.stat)]
        if any(e.add >= effect.add for e in same):
            continue
        regiment.effects = tuple(e for e in regiment.effects if e not in same)
        regiment.affect(effect)


def _bastion(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    lay(regiment, Effect("Bastion", "TLAOK-DE-BASTION-01", "round", "defence", event.x), adds=event.adds)
    return
    yield


def _burnout(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    rule = "TLAOK-DE-BURNOUT-01"
    lay(
        regiment,
        Effect("Burnout", rule, "round", "clash", 1),
        Effect("Burnout", rule, "round", "march", 2),
        Effect("Burnout", "TLAOK-DE-BURNOUT-02", "round", grant=book.parse("Decay(3)")),
    )
    return
    yield


def _flux_powered(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    options = [Option("clash", "flux"), Option("attacks", "flux")]
    rule = "TLAOK-DE-FLUXPOWERED-01"
    stat = yield from pick_one(regiment.side, options, "choose_flux", rule, {"regiment": regiment.id})
    lay(regiment, Effect("Flux-Powered", rule, "round", stat, 2))


def _double_time(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    lay(regiment, Effect("Double Time", "TLAOK-DE-DOUBLETIME-01", "activation", "double_time"))
    return
    yield


def _eruption(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    """X hits on each enemy in contact, and on itself: saved, removed and tested like all others (TLAOK-DRAW-07)."""
    rule = "TLAOK-DRAW-07"
    for enemy in (*battle.engaged(regiment), regiment):
        face = battle.contacts.get(enemy.id, {}).get(regiment.id, "")
        battle.tell(HitWithoutDice(rule, regiment.id, enemy.id, event.x, DRAW_EVENTS[event.id].partition(" (")[0]))
        by = regiment.id if enemy is not regiment else ""
        cause = Cause(rule, "draw_event", by, face, saved=True)
        yield from strike_without_dice(battle, regiment, enemy, event.x, cause)


def _regeneration(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    yield from heal(
        battle, regiment, event.x, "TLAOK-DE-REGENERATION-01", only="character" if hero is not None else "troops"
    )


def _biotic_renewal(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    face = battle.dice.d6()
    points = face if regiment.kind == "infantry" else (face + 1) // 2
    battle.tell(RenewalRolled("TLAOK-DE-BIOTICRENEWAL-01", regiment.id, face, points))
    yield from heal(battle, regiment, points, "TLAOK-DE-BIOTICRENEWAL-01")


def _fire_and_advance(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    lay(regiment, Effect("Fire and Advance", "TLAOK-DE-FIREANDADVANCE-01", "activation", "fire_and_advance"))
    return
    yield


def _murderous_volley(battle: Battle, regiment: Regiment, hero: Character | None, event: DrawEvent) -> Asking[None]:
    lay(regiment, Effect("Murderous Volley", "TLAOK-DE-MURDEROUSVOLLEY-01", "round", "murderous_volley"))
    return
    yield


def more_marches(battle: Battle, regiment: Regiment, action: str) -> None:
    """The free March after a second one, and after a Volley that is the second action (TLAOK-DE-DOUBLETIME-01,
    TLAOK-DE-FIREANDADVANCE-01)."""
    acting = battle.acting
    assert acting is not None
    laid = {effect.stat for effect in regiment.effects}
    second_march = action == "march" and acting.performed.count("march") == 2
    second_volley = action == "volley" and acting.used == acting.limit
    if ("double_time" in laid and second_march) or ("fire_and_advance" in laid and second_volley):
        acting.allowed += (("march", True),)


RESOLVE: Final[dict[str, tuple[str, Resolve]]] = {
    "bastion": ("TLAOK-DE-BASTION-01", _bastion),
    "burnout": ("TLAOK-DE-BURNOUT-01", _burnout),
    "flux_powered": ("TLAOK-DE-FLUXPOWERED-01", _flux_powered),
    "double_time": ("TLAOK-DE-DOUBLETIME-01", _double_time),
    "eruption": ("TLAOK-DRAW-07", _eruption),
    "regeneration": ("TLAOK-DE-REGENERATION-01", _regeneration),
    "biotic_renewal": ("TLAOK-DE-BIOTICRENEWAL-01", _biotic_renewal),
    "fire_and_advance": ("TLAOK-DE-FIREANDADVANCE-01", _fire_and_advance),
    "murderous_volley": ("TLAOK-DE-MURDEROUSVOLLEY-01", _murderous_volley),
}
