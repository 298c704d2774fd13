"""How likely a jump goes wrong, a door gives way, a search finds something and a spell does what it is meant to, as the
rules play them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.odds import Distribution, over_all_dice, play_out
from oriflamme.engine.odds.playing import suggested
from oriflamme.games.lfw.attack import roll_defence, roll_to_hit
from oriflamme.games.lfw.environments import attack_on
from oriflamme.games.lfw.jumping import jump_down, resolve_jump
from oriflamme.games.lfw.magic import Spell, cast
from oriflamme.games.lfw.noting import Noted, noting
from oriflamme.games.lfw.odds.blasts import blast_tolls
from oriflamme.games.lfw.odds.wounds import NOTHING, Law, Tolls, TooMany, added, amount_law, tolls_of
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.rolls import plain_throw
from oriflamme.games.lfw.scenarios.search import is_found, search
from oriflamme.games.lfw.state import Battle, Model, Part

# A spell whose dice have more outcomes than this is not counted to the last.
MOST_CASTS: Final = 5_000

# -- jumps -------------------------------------------------------------------------------------------------------------


class JumpOdds(NamedTuple):
    """A jump: how likely it hurts, and the wounds of it (LFW-TERR-09)."""

    hurts: Fraction
    wounds: Law


def jump_odds(battle: Battle, model: Model, heights: Iterable[float]) -> JumpOdds:
    """Of jumps one after the other, each down so far, as long as it survives them."""
    safe, wounds = Fraction(1), NOTHING
    for height in heights:
        jump = jump_down(height)
        safe *= Fraction(sum(not jump.hurts(face) for face in range(1, 7)), 6)
        tolls = tolls_of(battle, lambda twin, height=height: resolve_jump(twin, twin.units[model.id], height))  # type: ignore[misc]
        wounds = wounds.convolve(tolls.get(model.mover.id, NOTHING))
    return JumpOdds(1 - safe, wounds)


# -- doors -------------------------------------------------------------------------------------------------------------


def door_chance(battle: Battle, part: Part, weapon: Weapon, opening: str, *, charged: bool) -> Fraction:
    """That a closed opening is forced by one attack (LFW-ENV-13, -14)."""

    def gives_way(number: int) -> Distribution[bool]:
        attack = attack_on(battle, part, weapon, opening, number, charged=charged)

        def rolled(dice: Dice) -> bool:
            twin = attack.copy()
            throw = plain_throw(dice)
            play_out(roll_to_hit(twin, throw))
            if not twin.hits:
                return False
            play_out(roll_defence(twin, throw))
            return twin.saved is not None and not twin.saved.success

        return Distribution.of(rolled)

    return amount_law(weapon.attack).then(gives_way)[True]


# -- searches ----------------------------------------------------------------------------------------------------------


class SearchOdds(NamedTuple):
    """A search: how likely it turns the marker over, and how likely that is the treasure (LFW-SCN7-05, -06)."""

    turned: Fraction
    treasure: Fraction


def search_chance(failures: int) -> Fraction:
    """That a place gives up its marker that was searched in vain so many times."""
    return Fraction(sum(is_found(face, failures) for face in range(1, 7)), 6)


def search_odds(battle: Battle, model: Model, place: str) -> SearchOdds:
    def searched(twin: Battle) -> tuple[bool, bool]:
        own = twin.units[model.id]
        play_out(search(twin, own, place))
        return place not in twin.tokens, bool(own.treasure)

    law = over_all_dice(battle, searched)
    return SearchOdds(law.chance(lambda end: end[0]), law.chance(lambda end: end[1]))


# -- spells ------------------------------------------------------------------------------------------------------------


class SpellOdds(NamedTuple):
    """What a spell brings: wounds and life points gained, by part, and how likely something lies on each afterwards."""

    wounds: Tolls
    gained: dict[str, Law]
    lies: dict[str, Fraction]


class _Cast(NamedTuple):
    """What came of casting it once: what it attacks, life points gained, and on whom something new lies."""

    noted: tuple[Noted, ...]
    gained: tuple[tuple[str, int], ...]
    lies: tuple[str, ...]


def spell_odds(
    battle: Battle, caster: Part, known: Spell, target: Part | None = None, point: Point | None = None
) -> SpellOdds:
    """A spell on a target, or on a point. Every other choice is made as the rules suggest; those that the spell attacks
    are counted each by itself. Raises `TooMany`."""
    if known.explosion is not None:
        body = battle.model_of(target).body if target is not None else None
        aimed = (body.x, body.y) if body is not None else point
        assert aimed is not None
        return SpellOdds(blast_tolls(battle, caster, known.explosion, aimed), {}, {})

    def answer(decision: Decision) -> object:
        match decision.ask:
            case "choose_target" if target is not None:
                return target.model
            case "which_component" if target is not None and target.id in decision.keys():  # type: ignore[attr-defined]
                return target.id
            case "choose_point" if point is not None:
                return {"point": point}
        return suggested(decision)

    casts = 0

    def played(twin: Battle) -> _Cast:
        nonlocal casts
        casts += 1
        if casts > MOST_CASTS:
            raise TooMany
        before = {part.id: (part.pv, part.effects) for part in twin.parts_there()}
        with noting() as noted:
            play_out(cast(twin, twin.part(caster.id), known), answer)
        after = [part for part in twin.parts_there() if part.id in before]
        gained = tuple((part.id, part.pv - before[part.id][0]) for part in after if part.pv > before[part.id][0])
        lies = tuple(part.id for part in after if part.effects != before[part.id][1])
        return _Cast(tuple(noted), gained, lies)

    runs = over_all_dice(battle, played)
    gainers = dict.fromkeys(id for run in runs for id, _ in run.gained)
    holders = dict.fromkeys(id for run in runs for id in run.lies)
    return SpellOdds(
        added(battle, runs.map(lambda run: run.noted)),
        {id: runs.map(lambda run, id=id: dict(run.gained).get(id, 0)) for id in gainers},  # type: ignore[misc]
        {id: runs.chance(lambda run, id=id: id in run.lies) for id in holders},  # type: ignore[misc]
    )
