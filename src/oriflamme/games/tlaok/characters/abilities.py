"""What supremacy abilities and spells do, as data from a closed set of effects (`cards.Supremacy`, `cards.SpellCard`).

`changes` are laid on a regiment for a while, `heal` takes wounds off, `rally` takes Broken away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

import msgspec

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_several
from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.games.tlaok.army.cards import Change, Supremacy
from oriflamme.games.tlaok.losses.healing import heal
from oriflamme.games.tlaok.losses.morale import rally
from oriflamme.games.tlaok.regiment.distances import apart, ground_of
from oriflamme.games.tlaok.state import Asking, Battle, Character, Effect, Regiment


def ability_of(battle: Battle, id: str) -> Supremacy | None:
    """The ability of that id; None for a character who has none."""
    ability = battle.lore["abilities"].get(id)
    return msgspec.convert(ability, Supremacy) if ability is not None else None


def abilities_of(battle: Battle, hero: Character) -> list[Supremacy]:
    """All abilities of a character: his own, and those that upgrades open (TLAOK-UPGRADE-01, TLAOK-SUPR-09)."""
    ids = [card["id"] for card in hero.card.get("supremacies", ())] or [hero.supremacy]
    return [ability for id in ids if (ability := ability_of(battle, id)) is not None]


def take_the_field(regiment: Regiment) -> None:
    """It is on the table from now on, and the abilities of its Warlord that are always active begin (TLAOK-SUPR-11)."""
    regiment.reserve = None
    hero = regiment.character
    if hero is None or not hero.warlord:
        return
    for ability in hero.card.get("supremacies", ()):
        if ability.get("uses") == "always":
            regiment.affect(*laid(ability["changes"], hero.id, "TLAOK-SUPR-11", "character"))


def use_ability(battle: Battle, regiment: Regiment, hero: Character, ability: Supremacy) -> Asking[None]:
    """The ability works on all it reaches, or on as many of them as its player may pick."""
    able = reached(battle, regiment, ability)
    if ability.count and len(able) > ability.count:
        options = [Option.thing(r.id) for r in able]
        about = {"character": hero.id, "ability": ability.id, "number": ability.count}
        default = [r.id for r in able[: ability.count]]
        chosen = yield from pick_several(
            regiment.side, options, 1, ability.count, "choose_regiments", "TLAOK-SUPR-06", about, default=default
        )
        able = [r for r in able if r.id in chosen]
    for each in able:
        yield from apply(battle, each, msgspec.to_builtins(ability), ability.id, "TLAOK-SUPR-06")


def reached(battle: Battle, regiment: Regiment, ability: Supremacy) -> list[Regiment]:
    """The regiments an ability of a character in this regiment may work on."""
    match ability.on:
        case "own_regiment":
            found = [regiment]
        case "warband":
            found = [r for r in battle.present(regiment.side) if r.warband == regiment.warband]
        case "enemies":
            found = battle.present(1 - regiment.side)
        case _:
            found = battle.present(regiment.side)
    return [
        r
        for r in found
        if (not ability.types or r.kind in ability.types)
        and (not ability.classes or r.weight in ability.classes)
        and (not ability.within or _distance(battle, regiment, r) <= ability.within * INCH + TOLERANCE)
    ]


def _distance(battle: Battle, regiment: Regiment, other: Regiment) -> float:
    """From the character's own stand to the nearest stand of a regiment (TLAOK-DIST-06); 0 to his own."""
    if regiment is other:
        return 0.0
    if not regiment.on_table:
        return inf
    stands = [regiment.hero] if regiment.hero is not None else regiment.figures
    return apart(ground_of(battle, regiment, stands), ground_of(battle, other))


def apply(
    battle: Battle, regiment: Regiment, effects: Mapping[str, Any], source: str, rule: str, *, successes: int = 0
) -> Asking[None]:
    """What an ability or a spell that does not cause hits does to one regiment, until the round ends."""
    regiment.affect(*laid(effects.get("changes", ()), source, rule))
    if effects.get("rally"):
        rally(battle, regiment, rule)
    healed = effects.get("heal", 0) + effects.get("heal_per_success", 0) * successes
    if healed:
        yield from heal(battle, regiment, healed, rule)


def laid(changes: Iterable[Mapping[str, Any]], source: str, rule: str, until: str = "round") -> tuple[Effect, ...]:
    return tuple(Change(**change).effect(source, rule, until) for change in changes)
