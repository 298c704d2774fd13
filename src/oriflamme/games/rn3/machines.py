"""War machines: a machine and its crew are one unit with two profiles (RN3-WM)."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one, pick_several
from oriflamme.games.rn3.contact import touches
from oriflamme.games.rn3.events import CrewLeft
from oriflamme.games.rn3.leaders import name_leader
from oriflamme.games.rn3.profile import Line
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit


def crew_of(unit: Unit) -> list[Fighter]:
    """Those who work the machine of a unit (RN3-WM-02)."""
    return [f for f in unit.figures if not f.profile.machine]


def dice_of_machine(unit: Unit, line: Line) -> int:
    """Dice of its shot: of so many crew as there are, and never of more than the regular crew (RN3-WM-08, -11)."""
    return min(len(crew_of(unit)), unit.regular_crew) * line.dice


def improvised(unit: Unit) -> bool:
    """Shooters who took over the machine work it (RN3-WM-10)."""
    return unit.machine is not None and any(f.profile.role != "crew" for f in crew_of(unit))


def why_machine_may_not_shoot(battle: Battle, unit: Unit) -> Refusal | None:
    """A machine that moved cannot shoot in that turn nor in the next (RN3-WM-05)."""
    if unit.machine is not None and unit.moved_turn and battle.round - unit.moved_turn < 2:
        return Refusal("RN3-WM-05", "machine_moved", {"unit": unit.id, "turn": unit.moved_turn})
    return None


def reach_of_machine(unit: Unit) -> int:
    """How many times the lowest MOU of its crew a machine may be moved: not at all by one, once by two, twice by three
    or more (RN3-WM-04)."""
    return 0 if len(crew_of(unit)) <= 1 else 1 if len(crew_of(unit)) == 2 else 2


def unmanned(unit: Unit) -> bool:
    """A machine with no crew and no pilot: it cannot be activated (RN3-WM-03)."""
    return unit.machine is not None and not crew_of(unit)


def machines_to_man(battle: Battle, unit: Unit) -> list[Unit]:
    """The unmanned machines of its side that shooters of the unit touch (RN3-WM-09). Who splits stays a unit: one model
    alone cannot."""
    if unit.machine is not None or len(unit.figures) < 2:
        return []
    free = [u for u in battle.friends_of(unit.side) if unmanned(u)]
    return [u for u in free if any(touches(f, u.leading) for f in _who_may_leave(unit))]


def _who_may_leave(unit: Unit) -> list[Fighter]:
    """Fighters with a ranged weapon; never the Incarnate (RN3-WM-09)."""
    return [f for f in unit.figures if f.profile.ranged is not None and not f.profile.incarnate]


def man_machines(battle: Battle, unit: Unit) -> Asking[None]:
    """At the start or end of their activation shooters may leave their unit to work a machine that has lost all its
    crew (RN3-WM-09)."""
    for machine in machines_to_man(battle, unit):
        near = [f for f in _who_may_leave(unit) if touches(f, machine.leading)]
        about = {"unit": unit.id, "machine": machine.id}
        options = [Option(key, "man_machine", {"machine": machine.id}) for key in ("no", "yes")]
        if (yield from pick_one(unit.side, options, "man_machine", "RN3-WM-09", about, default="no")) == "no":
            continue
        most = min(len(near), len(unit.figures) - 1)
        able = [Option.thing(f.id, "fighter") for f in near]
        chosen = yield from pick_several(unit.side, able, 1, most, "who_mans_machine", "RN3-WM-09", about)
        for fighter in near:
            if fighter.id in chosen:
                _join_crew(unit, machine, fighter)
        battle.tell(CrewLeft("RN3-WM-09", unit.id, machine.id, tuple(chosen)))
        if unit.leader in chosen:
            yield from name_leader(battle, unit)
        if machine.figure(machine.leader) is None:
            machine.leader = chosen[0]


def _join_crew(unit: Unit, machine: Unit, fighter: Fighter) -> None:
    """A shooter leaves his unit for good, with his melee dice; its initial strength drops, so that this causes no
    courage test (RN3-WM-09)."""
    dice = fighter.profile.melee.dice
    fresh = min(dice, unit.pool.left)
    used = min(dice - fresh, unit.pool.used)
    for pool, sign in ((unit.pool, -1), (machine.pool, 1)):
        pool.left += sign * fresh
        pool.used += sign * used
    unit.figures.remove(fighter)
    machine.figures.insert(len(crew_of(machine)), fighter)
    unit.start -= 1
    machine.start = max(machine.start, machine.strength)
    unit.update_bounds()
    machine.update_bounds()
