"""What must be true of every state of a battle: checked after every step by the exam."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.geometry.measure import in_cm
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.spacing import is_in_formation
from oriflamme.games.rn3.state import Battle, Unit
from oriflamme.games.rn3.tactics import MOST, TACTICS

# Touching bases may overlap by a hair, since places are rounded.
SLACK = 0.05


def what_is_wrong(battle: Battle) -> list[str]:
    """Everything that is wrong with a state, with its rule."""
    wrong = [*_reserves_of_sides(battle), *_places(battle)]
    for unit in battle.units.values():
        wrong += _unit(battle, unit)
    if battle.activation is None and battle.phase == "orders":
        wrong += _between(battle)
    return wrong


def _reserves_of_sides(battle: Battle) -> list[str]:
    wrong = []
    if min(battle.tactic_points) < 0:
        wrong.append(f"tactic points {battle.tactic_points} (RN3-TACG-02)")
    if min(battle.elixir) < 0:
        wrong.append(f"elixir {battle.elixir} (RN3-ELX-01)")
    return wrong


def _unit(battle: Battle, unit: Unit) -> list[str]:
    """Pools are never negative, nobody stands without hit points, tactics are two at most."""
    wrong = [
        f"{unit.id} has {pool.left} dice, {pool.used} used, {pool.defence} of them in defence (RN3-MELEE-04)"
        for pool in (unit.pool, unit.hero_pool)
        if pool.left < 0 or pool.used < 0 or not 0 <= pool.defence <= pool.used
    ]
    wrong += [f"{f.id} stands without hit points (RN3-GEN-07)" for f in unit.figures if f.left <= 0 and not f.doomed]
    if sum(tactic in TACTICS for tactic in unit.tactics) > MOST:
        wrong.append(f"{unit.id} has {len(unit.tactics)} tactics (RN3-TACG-01)")
    if unit.routed and unit.tactics:
        wrong.append(f"{unit.id} is routed and has tactics (RN3-MOR-13)")
    if sum(f.profile.incarnate for f in unit.figures) > 1:
        wrong.append(f"{unit.id} has two Incarnates (RN3-UNIT-03)")
    if unit.place == "table" and not unit.figures:
        wrong.append(f"{unit.id} has nobody left and is not gone (RN3-UNIT-12)")
    return wrong


def _places(battle: Battle) -> list[str]:
    """Nobody is off the table or on somebody else (RN3-GEN-10)."""
    wrong = []
    there = battle.on_table()
    for number, unit in enumerate(there):
        wrong += [
            f"{f.id} is off the table (RN3-GEN-10)"
            for f in unit.figures
            if not (
                f.radius - SLACK <= f.x <= battle.table.width - f.radius + SLACK
                and f.radius - SLACK <= f.y <= battle.table.depth - f.radius + SLACK
            )
        ]
        for other in there[: number + 1]:
            if box_gap(unit.box, other.box) <= 0.0:
                wrong += _overlaps(unit, other)
    return wrong


def _overlaps(unit: Unit, other: Unit) -> list[str]:
    wrong = []
    for number, f in enumerate(unit.figures):
        for g in unit.figures[:number] if other is unit else other.figures:
            apart = hypot(f.x - g.x, f.y - g.y) - f.radius - g.radius
            if apart < -SLACK:
                wrong.append(f"{f.id} stands on {g.id} by {in_cm(-apart)} cm (RN3-GEN-10)")
    return wrong


def _between(battle: Battle) -> list[str]:
    """Between activations every unit has its leader and no more dice than its fighters bring, every company its
    commander, and whoever walked or ran and has lost nobody is in formation."""
    wrong = []
    for unit in battle.on_table():
        if any(not f.profile.machine for f in unit.figures) and unit.figure(unit.leader) is None:
            wrong.append(f"{unit.id} has no leader (RN3-LEAD-01)")
        if unit.hero is not None and unit.leader != unit.hero.id:
            wrong.append(f"{unit.id} is not led by its Incarnate (RN3-LEAD-02)")
        dice = sum(f.profile.melee.dice for f in unit.figures if not f.profile.incarnate and not f.profile.machine)
        if unit.pool.left > dice:
            wrong.append(f"{unit.id} has {unit.pool.left} dice for {dice} (RN3-MELEE-02, -17)")
        moved = unit.order in ("walk", "run") and any(f.moved for f in unit.figures)
        whole = not (unit.fallen or unit.fought or unit.routed)
        if moved and whole and is_free(battle, unit) and not is_in_formation(battle, unit):
            wrong.append(f"{unit.id} is not in formation (RN3-UNIT-10)")
    for side in (0, 1):
        id = battle.commander[side]
        if id and not any(unit.figure(id) for unit in battle.units_of(side)):
            wrong.append(f"side {side + 1} is commanded by {id}, who is gone (RN3-CMD-03)")
    return wrong
