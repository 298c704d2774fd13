"""Disengaging: a unit leaves its melee, at a price, and acts as if it had been free (RN3-DIS)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one, pick_several
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.rn3 import activation, levels
from oriflamme.games.rn3.allocation import profile_of
from oriflamme.games.rn3.attempts import attempt
from oriflamme.games.rn3.contact import engaged_with, touches
from oriflamme.games.rn3.events.melee import BrokeAway, NoTestToBreakAway
from oriflamme.games.rn3.ground import Ground, ground_of, put
from oriflamme.games.rn3.losses import Cause, cancel_damage, eliminate, hurt
from oriflamme.games.rn3.machines import reach_of_machine
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.mystics import mystic_actions
from oriflamme.games.rn3.orders import ORDERS, order
from oriflamme.games.rn3.placing import NEAR, Area, places_for
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Step, Unit, skills_of, step
from oriflamme.games.rn3.trials import Trial

# What a unit may do once it has left: as if it had been free (RN3-DIS-07).
FOLLOW_UPS: Final = ("walk", "run", "assault", "shoot")


class BreakingAway:
    """A profile that is about to leave a melee; a special rule may spare it the test."""

    __slots__ = ("because",)

    def __init__(self) -> None:
        self.because: SpecialRule | None = None

    def needs_no_test(self, because: SpecialRule) -> None:
        self.because = because


# -- the way out -------------------------------------------------------------------------------------------------------


def in_touch(battle: Battle, unit: Unit) -> list[Fighter]:
    """Its models that touch an enemy."""
    enemies = [f for enemy in battle.enemies_of(unit.side) for f in enemy.figures]
    return [f for f in unit.figures if any(touches(f, enemy) for enemy in enemies)]


def nearest_way_out(clear: Ground, passing: Ground, fighter: Fighter) -> Point | None:
    """The nearest place out of contact that a model can reach without passing through an enemy; its own unit is not in
    the way. None is a proof: every part of the ground that is out of contact has a critical place in it, and from one
    place of a part to another there is a way.

    `clear` keeps off all enemies, in `passing` it may touch them on its way. Once a place has no way, nothing beyond a
    circle that cannot be reached is asked about, and nothing that can be reached straight from a place without a way.
    """
    x, y = fighter.x, fighter.y
    shut: dict[levels.Levels, list[Point]] = {}
    circle, most = NEAR, inf
    for place in places_for(clear, fighter, Area(), (x, y)):
        if hypot(place[0] - x, place[1] - y) > most:
            return None
        known = shut.setdefault(levels.levels_under(passing.table, *place), [])
        if any(passing.is_clear(fighter, other, place) for other in known):
            continue
        if passing.way(fighter, place) is not None:
            return place
        known.append(place)
        if most == inf:
            if passing.is_shut_in(fighter, circle):
                most = circle
            else:
                circle *= 2
    return None


def _grounds(battle: Battle, unit: Unit) -> tuple[Ground, Ground]:
    enemies = frozenset(enemy.id for enemy in battle.enemies_of(unit.side))
    return ground_of(battle, unit, move="walk"), ground_of(battle, unit, touch=enemies, move="walk")


def why_not_disengage(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit in contact may not disengage, if so: the way out of one of its models is blocked, or it is
    a machine that its crew cannot move (RN3-DIS-02, RN3-WM-04)."""
    clear, passing = _grounds(battle, unit)
    for fighter in in_touch(battle, unit):
        stuck = fighter.profile.machine and not reach_of_machine(unit)
        if stuck or nearest_way_out(clear, passing, fighter) is None:
            return Refusal("RN3-DIS-02", "no_way_out", {"unit": unit.id, "figure": fighter.id})
    return None


# -- the order ---------------------------------------------------------------------------------------------------------


@order("disengage", "RN3-DIS-01", free=False, why_not=why_not_disengage)
def disengage(battle: Battle, unit: Unit) -> Asking[None]:
    """A unit leaves its melee (RN3-DIS).

    1. Models in contact test their Force, profile by profile; some need not.   RN3-DIS-03, -04, -08
    2. Each failure eliminates a model, or wounds an Incarnate.                 RN3-DIS-05
    3. The survivors leave, and do what a free unit may.                        RN3-DIS-07
    """
    enemies = engaged_with(battle, unit)
    inside = in_touch(battle, unit)
    profiles = dict.fromkeys(profile_of(unit, fighter) for fighter in inside)
    losses: list[Fighter] = []
    for profile in profiles:
        tested = [fighter for fighter in inside if profile_of(unit, fighter) == profile]
        losses += yield from break_away(battle, unit, profile, tested, enemies)
    for fighter in losses:
        if fighter.profile.incarnate:
            points = yield from cancel_damage(battle, unit, [fighter], 1, None)
            yield from hurt(battle, unit, fighter, points, Cause("disengage", enemies[0].id))
        else:
            yield from eliminate(battle, unit, fighter, Cause("disengage", enemies[0].id))
    battle.acting.broken_from = tuple(enemy.id for enemy in enemies)
    if unit.on_table:
        battle.tell(BrokeAway("RN3-DIS-07", unit.id, battle.acting.broken_from))
        battle.then_all(
            due(mystic_actions, unit.id, "between"), due(act_as_if_free, unit.id), due(leave_contact, unit.id)
        )


def break_away(
    battle: Battle, unit: Unit, profile: str, tested: Sequence[Fighter], enemies: Sequence[Unit]
) -> Asking[list[Fighter]]:
    """The test of one profile: the FOR of its card, no skills and no effects, against the highest FOR that touches
    them; one die for each model (RN3-DIS-03). Those who fail: the owner chooses who (RN3-DIS-05)."""
    breaking = BreakingAway()
    at(Keyword.before_breaking_away, (skills_of(unit, tested[0]),), breaking)
    if breaking.because is not None:
        battle.tell(NoTestToBreakAway("RN3-DIS-08", unit.id, profile, breaking.because.title))
        return []
    trial = disengage_trial(unit, tested, enemies)
    hero = tested[0] if tested[0].profile.incarnate else None
    result = yield from attempt(battle, trial, unit=unit, hero=hero, card=profile)
    if hero is not None:
        # One more die by an exploit may be the one that succeeds (RN3-ELX-05).
        return [] if result.passed else [hero]
    failed = min(len(tested), result.failures)
    options = [Option.thing(fighter.id, "casualty", {"left": fighter.left}) for fighter in tested]
    about = {"unit": unit.id, "number": failed}
    chosen = yield from pick_several(unit.side, options, failed, failed, "disengage_losses", "RN3-DIS-05", about)
    return [fighter for fighter in tested if fighter.id in chosen]


def disengage_trial(unit: Unit, tested: Sequence[Fighter], enemies: Sequence[Unit]) -> Trial:
    """FOR as printed against the highest printed FOR of the enemies in contact with them; a machine has none."""
    touching = [f for enemy in enemies for f in enemy.figures if any(touches(f, own) for own in tested)]
    difficulty = max((f.profile.melee.force for f in touching if not f.profile.machine), default=0)
    force = tested[0].profile.melee.force
    trial = Trial(
        "disengage",
        len(tested),
        force,
        difficulty,
        "RN3-DIS-03",
        by=unit.id,
        against=enemies[0].id if enemies else "",
        single=True,
        sources=("for", "for"),
    )
    trial.without_skills = True
    return trial


@step
def act_as_if_free(battle: Battle, unit_id: str) -> Step:
    """Walk, run, shoot and walk, or assault another; it is part of the same order (RN3-DIS-07)."""
    unit = battle.units[unit_id]
    if not unit.on_table:
        return
    options = [Option(id, "order") for id in FOLLOW_UPS if activation.why_not_order(battle, unit, ORDERS[id]) is None]

    def why_not(key: str) -> Refusal | None:
        return activation.why_not_order(battle, unit, ORDERS[key]) if key in FOLLOW_UPS else None

    about = {"unit": unit_id}
    key = yield from pick_one(unit.side, options, "follow_up", "RN3-DIS-07", about, why_not=why_not)
    battle.acting.order = key
    yield from ORDERS[key].declare(battle, unit)
    yield from ORDERS[key].perform(battle, unit)


@step
def leave_contact(battle: Battle, unit_id: str) -> None:
    """Whoever still touches an enemy the unit has broken away from steps to the nearest place out of contact: it has
    left that melee (RN3-DIS-07). Where fellows stand so close that no such place is free, he stays."""
    unit = battle.units[unit_id]
    left = [battle.units[id] for id in battle.acting.broken_from if battle.units[id].on_table]
    for fighter in unit.figures if unit.on_table else ():
        if not any(touches(fighter, f) for enemy in left for f in enemy.figures):
            continue
        clear, passing = _grounds(battle, unit)
        others = [(f.x, f.y, f.radius) for f in unit.figures if f is not fighter]
        place = nearest_way_out(clear.among(others), passing, fighter)
        if place is not None:
            put(battle, fighter, *place)
    unit.update_bounds()
