"""Dangerous terrain (AOF-TERRAIN-07): models that pass through it, or activate in it, roll for their lives."""

from __future__ import annotations

from oriflamme.engine.core.dice import sorting
from oriflamme.engine.core.steps import Step
from oriflamme.games.aof.events import DangerRolled
from oriflamme.games.aof.state import Battle, Unit, step
from oriflamme.games.aof.wounds import Harm, apply_wounds, roll_to_ignore

ONES = sorting((1, 0, 0, 0, 0, 0))


def notice_danger(battle: Battle, unit: Unit) -> None:
    """Models that activate in Dangerous terrain will roll, whatever they do (AOF-TERRAIN-07)."""
    table = battle.table
    if not table.with_trait("dangerous"):
        return
    inside = tuple(f.id for f in unit.figures if table.touching(f.x, f.y, f.radius, "dangerous"))
    battle.acting.endangered = (*battle.acting.endangered, *inside)


@step
def roll_for_danger(battle: Battle, unit_id: str) -> Step | None:
    """One die per model, or as many as its Tough value; each 1 is a wound on that model (AOF-TERRAIN-07).

    Once per model and activation, without a Defense roll; Regeneration may be used. The order of AOF-WOUND-03
    does not count: the model that rolled is the one that suffers (AOF-WOUND-08).
    """
    acting = battle.acting
    unit = battle.units[unit_id]
    due = [f.id for f in unit.figures if f.id in acting.endangered and f.id not in acting.rolled]
    if not due:
        return None
    acting.rolled = (*acting.rolled, *due)
    for id in due:
        figure = unit.figure(id)
        if figure is None:
            continue
        _, wounds = battle.dice.sort(figure.profile.tough, ONES)
        battle.tell(DangerRolled("AOF-TERRAIN-07", unit.id, id, tuple(battle.dice.last), wounds))
        if wounds:
            wounds -= roll_to_ignore(battle, unit, wounds, (), (unit.shared,))
            # The model is named, so nobody is asked.
            for _ in apply_wounds(battle, unit, wounds, Harm((), victim=id)):
                raise AssertionError("a named victim leaves nothing to choose")
    return None
