"""Fights between two units, counted: how their dice meet, split by split, and what each reaction would bring."""

from __future__ import annotations

from typing import NamedTuple

from oriflamme.games.rn3.area import typical
from oriflamme.games.rn3.blows import Onset, Party
from oriflamme.games.rn3.charge import why_charge
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.odds.laws import NOTHING, Law, damage_law, fallen_law, matrix, suffered
from oriflamme.games.rn3.power import power_of
from oriflamme.games.rn3.state import Battle, Fighter, Unit, skills_of, value_of
from oriflamme.games.rn3.tactics import effects_without_tactics, tactics_at_work


class Meeting(NamedTuple):
    """Two units as they would meet: so many models of each in contact, with the dice they bring, base troop against
    base troop. Incarnates fight their own fight and are left out."""

    unit: Unit
    enemy: Unit
    models: int
    facing: int
    dice: int
    guard: int
    # Who counter-charges: his tactics have no effect (RN3-CCH-07).
    asleep: str = ""

    def parties(self) -> tuple[Party, Party]:
        """Both as they fight."""
        by = party(self.unit, self.models, asleep=self.unit.id == self.asleep)
        return by, party(self.enemy, self.facing, asleep=self.enemy.id == self.asleep)


def party(unit: Unit, fighters: int, *, asleep: bool = False) -> Party:
    """The base troop of a unit as it fights."""
    one = typical(unit)
    effects = effects_without_tactics(unit) if asleep else unit.effects
    return Party(
        unit.id,
        value_of(unit, one, "att", effects),
        value_of(unit, one, "def", effects),
        value_of(unit, one, "for", effects),
        value_of(unit, one, "res", effects),
        skills_of(unit, one),
        book.empty if asleep else tactics_at_work(unit),
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


def powers(battle: Battle, unit: Unit, enemy: Unit, *, dispersed: bool = False) -> tuple[float, float]:
    """The power of both when they meet: who assaults is dispersed by then, and perhaps the enemy, unless a house rule
    counts them as they stand (RN3-PWR-04)."""
    if battle.is_option("assaultPower", "beforeMove"):
        return power_of(unit), power_of(enemy)
    alone, alone_too = len(unit.figures) == 1, len(enemy.figures) == 1
    return power_of(unit, compact=alone), power_of(enemy, compact=alone_too if dispersed else None)


def is_charge(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    """Power at least as great, or what rules make a charge of it (RN3-ASLT-10, RN3-CAV-03)."""
    return why_charge(battle, unit, enemy, *powers(battle, unit, enemy)) is not None


def losses(met: Meeting, attack: int, defence: int, onset: Onset) -> Law:
    """Models that fall to so many attack dice against so many in defence."""
    by, struck = met.parties()
    damage = suffered(damage_law(by, struck, attack, defence, onset), struck.skills)
    return fallen_law(damage, hit_points_left(met.enemy, met.facing))


def splits(met: Meeting, onset: Onset) -> list[list[Law]]:
    """Losses for every split, as a matrix: rows are attack dice, columns defence dice."""
    return matrix(*met.parties(), met.dice, met.guard, onset, hit_points_left(met.enemy, met.facing))


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
    of them; a counter-charge, where both sides strike with all of theirs (RN3-REC-04, RN3-CCH-04, -06, -08, -09)."""
    counters = reaction == "counter_charge"
    asleep = unit.id if counters else ""
    met, back = meeting(charger, unit)._replace(asleep=asleep), meeting(unit, charger)._replace(asleep=asleep)
    dispersed = counters and battle.is_option("counterChargeFormation", "dispersed")
    power, against = powers(battle, charger, unit, dispersed=dispersed)
    charge = why_charge(battle, charger, unit, power, against) is not None
    onset = Onset(True, charge, charge, counters, battle.options)
    if counters:
        bonus = unit.cavalry or against > power
        force = bonus and battle.is_option("forceOnCounterCharge", "yes")
        answer = Onset(False, bonus, force, False, battle.options)
        return ReactionOdds(losses(met, met.dice, 0, onset), losses(back, back.dice, 0, answer))
    defence = met.guard if reaction == "reception" else met.guard // 2
    return ReactionOdds(losses(met, met.dice, defence, onset), NOTHING)
