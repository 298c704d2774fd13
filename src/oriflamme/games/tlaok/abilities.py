"""What supremacy abilities, spells, upgrades and officers do, as data from a closed set of effects.

An effect is a table: `{scope, stat, add | set, cap, grant, heal, rally, until}`. `scope` says on whom it works: "own"
is the regiment of the character who brings it, "target" the regiment aimed at, "army" every regiment of the side on the
table, "infantry" (and the other types) those of that type. `stat` with `add` or `set`, `grant` (a special rule as
printed), `heal` (points) or `rally` (true) says what it does; `until` ("activation", "round", "battle") for how long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from oriflamme.games.tlaok.healing import heal
from oriflamme.games.tlaok.measures import TYPES
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.state import Asking, Battle, Character, Effect, Regiment


class Ability(NamedTuple):
    """A supremacy ability (TLAOK-SUPR): once in a game or every round, always at work or declared, and its effects."""

    id: str
    name: Mapping[str, str]
    effects: Sequence[Mapping[str, Any]]
    once: bool = True
    always: bool = False
    on_table: bool = True


def ability_of(battle: Battle, id: str) -> Ability | None:
    """The ability of that id; None for a character who has none."""
    told = battle.lore["abilities"].get(id)
    return Ability(id, **told) if told is not None else None


def use_ability(battle: Battle, regiment: Regiment, hero: Character, ability: Ability) -> Asking[None]:
    for effect in ability.effects:
        yield from apply(battle, regiment, effect, ability.id, "TLAOK-SUPR-06")


def reached(battle: Battle, regiment: Regiment, scope: str, target: Regiment | None = None) -> list[Regiment]:
    """The regiments an effect works on."""
    if scope == "target":
        return [target] if target is not None else []
    if scope == "own":
        return [regiment]
    army = battle.present(regiment.side)
    return [r for r in army if r.kind == scope] if scope in TYPES else army


def apply(
    battle: Battle,
    regiment: Regiment,
    effect: Mapping[str, Any],
    source: str,
    rule: str,
    target: Regiment | None = None,
) -> Asking[None]:
    """Let an effect work on whom it reaches."""
    for each in reached(battle, regiment, effect.get("scope", "own"), target):
        until = effect.get("until", "round")
        if "stat" in effect:
            told = (effect["stat"], effect.get("add", 0), effect.get("set"), effect.get("cap"))
            each.affect(Effect(source, rule, until, *told))
        if "grant" in effect:
            each.affect(Effect(source, rule, until, grant=book.parse(effect["grant"])))
        if "heal" in effect:
            yield from heal(battle, each, effect["heal"], rule)
        if effect.get("rally"):
            each.broken = False
