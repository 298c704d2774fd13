"""Fights between two units, counted: how their dice meet, split by split, and what each reaction would bring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from oriflamme.games.rn3.area import typical
from oriflamme.games.rn3.blows import Onset, Party
from oriflamme.games.rn3.odds.laws import Law, damage_law, fallen_law, matrix, suffered
from oriflamme.games.rn3.power import power_of
from oriflamme.games.rn3.state import Battle, Fighter, Unit, skills_of, value_of
from oriflamme.games.rn3.tactics import tactics_at_work


class Meeting(NamedTuple):
    """Two units as they would meet: so many models of each in contact, with the dice they bring, base troop against
    base troop. Incarnates fight their own fight and are left out."""

    unit: Unit
    enemy: Unit
    models: int
    facing: int
    dice: int
    guard: int


def party(unit: Unit, fighters: int) -> Party:
    """The base troop of a unit as it fights."""
    one = typical(unit)
    return Party(
        unit.id,
        value_of(unit, one, "att"),
        value_of(unit, one, "def"),
        value_of(unit, one, "for"),
        value_of(unit, one, "res"),
        skills_of(unit, one),
        tactics_at_work(unit),
        one.profile.category == "titan",
        fighters,
        any(not f.moved for f in unit.figures),
    )


def meeting(unit: Unit, enemy: Unit, models: int = 0) -> Meeting:
    """As many in contact as one may expect: each of the smaller unit, and a few more of the larger."""
    own, others = len(troop_or_hero(unit)), len(troop_or_hero(enemy))
    touching = models or min(own, others + 2)
    facing = min(others, touching + 1)
    dice = min(unit.pool_of(typical(unit)).left, touching * typical(unit).profile.melee.dice)
    guard = min(enemy.pool_of(typical(enemy)).left, facing * typical(enemy).profile.melee.dice)
    return Meeting(unit, enemy, touching, facing, dice, guard)


def is_charge(unit: Unit, enemy: Unit) -> bool:
    """Cavalry, or power at least as great; who assaults is dispersed (RN3-ASLT-10, RN3-CAV-03, RN3-PWR-04)."""
    return unit.cavalry or power_of(unit, compact=len(unit.figures) == 1) >= power_of(enemy)


def losses(met: Meeting, attack: int, defence: int, onset: Onset) -> Law:
    """Models that fall to so many attack dice against so many in defence."""
    damage = damage_law(party(met.unit, met.models), party(met.enemy, met.facing), attack, defence, onset)
    return fallen_law(
        suffered(damage, skills_of(met.enemy, typical(met.enemy))), hit_points_left(met.enemy, met.facing)
    )


def splits(met: Meeting, onset: Onset) -> list[list[Law]]:
    """Losses for every split, as a matrix: rows are attack dice, columns defence dice."""
    by, struck = party(met.unit, met.models), party(met.enemy, met.facing)
    return matrix(by, struck, met.dice, met.guard, onset, hit_points_left(met.enemy, met.facing))


def hit_points_left(unit: Unit, models: int) -> list[int]:
    """What so many of its fighters have left; the wounded are finished before others are hit (RN3-MELEE-14)."""
    return sorted(f.left for f in troop_or_hero(unit) if f.doomed is None)[:models]


def troop_or_hero(unit: Unit) -> list[Fighter]:
    """Its fighters without the Incarnate; he alone when nobody else is left."""
    return [f for f in unit.figures if not f.profile.incarnate] or unit.figures


class ReactionOdds(NamedTuple):
    """What a reaction brings: models it may lose, and models the charger may lose."""

    own: Law
    charger: Law


def reaction_odds(battle: Battle, unit: Unit, charger: Unit, reaction: str) -> ReactionOdds:
    """A charge with all its dice against each reaction: nothing, with half the dice in defence; a reception, with all
    of them; a counter-charge, where both sides strike (RN3-REC-04, RN3-CCH-04, -06, -08, -09)."""
    met, back = meeting(charger, unit), meeting(unit, charger)
    charge = is_charge(charger, unit)
    options = battle.options
    if reaction == "counter_charge":
        greater = power_of(unit, compact=False) > power_of(charger, compact=False)
        onset = Onset(True, charge or not greater, charge, True, options)
        own = losses(met, met.dice, 0, onset)
        return ReactionOdds(own, losses(back, back.dice, 0, _answer(unit, options, greater=greater)))
    defence = met.guard if reaction == "reception" else met.guard // 2
    return ReactionOdds(losses(met, met.dice, defence, Onset(True, charge, charge, False, options)), (1.0,))


def _answer(unit: Unit, options: Mapping[str, str], *, greater: bool) -> Onset:
    """How a counter-charging unit strikes: with the bonus if its power is greater, or if it rides (RN3-CCH-09)."""
    return Onset(False, greater or unit.cavalry, False, False, options)
