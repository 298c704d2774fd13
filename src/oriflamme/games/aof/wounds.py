"""Wounds and casualties (AOF-WOUND): who takes a wound, and what becomes of the model and its unit."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one, pick_several
from oriflamme.engine.core.steps import Asking, Step
from oriflamme.engine.geometry.measure import in_inches
from oriflamme.games.aof.attack import shrug_off
from oriflamme.games.aof.events import FigureLost, FigureWounded, UnitDestroyed, WoundsIgnored
from oriflamme.games.aof.moments import KeywordSet
from oriflamme.games.aof.state import Battle, Figure, Unit, at_once


def next_to_be_wounded(figures: Sequence[Figure]) -> list[Figure]:
    """The models of which one takes the next wound (AOF-WOUND-03).

    1. Models without Tough.
    2. Tough models that are not Heroes: the one with the most wounds, until it is destroyed.
    3. The joined Hero, last of all even if already wounded.
    """
    plain = [f for f in figures if not f.profile.has_tough and not f.profile.hero]
    if plain:
        return plain
    tough = [f for f in figures if not f.profile.hero]
    if tough:
        most = max(f.wounds for f in tough)
        return [f for f in tough if f.wounds == most]
    return list(figures)


class Harm:
    """Wounds on their way to a unit: how many each one counts for, what may be ignored, and on whom they must go."""

    __slots__ = ("counted", "multiplier", "overkill", "regen_first", "sets", "victim")

    def __init__(
        self,
        sets: tuple[KeywordSet, ...],
        multiplier: int = 1,
        victim: str | None = None,
        regen_first: bool = False,
        overkill: bool = False,
    ) -> None:
        self.sets = sets
        self.multiplier = multiplier
        self.victim = victim
        self.regen_first = regen_first
        self.overkill = overkill
        # Wounds that count for the result of a melee (AOF-MELEE-07).
        self.counted = 0


def take_wounds(battle: Battle, unit: Unit, wounds: int, harm: Harm) -> Step:
    """Wounds are suffered (AOF-HIT-13).

    1. Deadly wounds are handled one by one: assigned, multiplied, rolled for, applied.   AOF-SR-DEADLY-01
    2. Other wounds are rolled for together.                                              AOF-SR-REGENERATION-01
    3. The rest are applied in the order of AOF-WOUND-03; leftovers are lost.             AOF-WOUND-05
    """
    if harm.multiplier > 1:
        for _ in range(wounds):
            if not unit.figures or (harm.victim is not None and unit.figure(harm.victim) is None):
                harm.counted += harm.multiplier if harm.overkill else 0
                continue
            figure = yield from choose_victim(battle, unit, harm)
            yield from _one_deadly_wound(battle, unit, figure, harm)
        return

    suffered = wounds - ignored(battle, unit, wounds, harm)
    yield from apply_wounds(battle, unit, suffered, harm)


def ignored(battle: Battle, unit: Unit, wounds: int, harm: Harm) -> int:
    """How many of these wounds the unit ignores (AOF-SR-REGENERATION-01)."""
    victim = unit.figure(harm.victim) if harm.victim is not None else None
    return roll_to_ignore(battle, unit, wounds, harm.sets, (unit.shared,) if victim is None else alone(unit, victim))


def roll_to_ignore(
    battle: Battle, unit: Unit, wounds: int, sets: tuple[KeywordSet, ...], target_sets: tuple[KeywordSet, ...]
) -> int:
    """Roll for wounds that rules of the unit may ignore, those of the attacker forbid it; how many it ignores."""
    roll = shrug_off(wounds, sets, target_sets, battle.dice)
    if roll.reason is not None:
        battle.tell(WoundsIgnored("AOF-SR-REGENERATION-01", unit.id, roll.faces, roll.ignored))
    return roll.ignored


def alone(unit: Unit, figure: Figure) -> tuple[KeywordSet, ...]:
    """The rules of a model that is treated as a unit of one (AOF-SR-TAKEDOWN-04)."""
    return (at_once(figure.profile.keywords, unit.effects),)


def _one_deadly_wound(battle: Battle, unit: Unit, figure: Figure, harm: Harm) -> Step:
    if harm.regen_first:
        damage = harm.multiplier * (1 - ignored(battle, unit, 1, harm))
    else:
        damage = harm.multiplier - ignored(battle, unit, harm.multiplier, harm)
    harm.counted += damage if harm.overkill else min(damage, figure.left)
    # Damage beyond what kills this model is lost (AOF-SR-DEADLY-03).
    wound(battle, unit, figure, min(damage, figure.left))
    yield from ()


def choose_victim(battle: Battle, unit: Unit, harm: Harm) -> Asking[Figure]:
    """The defender says which of the models that are due takes the wound (AOF-WOUND-02)."""
    due = [f for f in unit.figures if f.id == harm.victim] if harm.victim else next_to_be_wounded(unit.figures)
    if len(due) == 1:
        return due[0]
    key = yield from pick_one(
        unit.side,
        [Option.thing(f.id, "figure") for f in due],
        "who_takes_the_wound",
        "AOF-WOUND-02",
        {"unit": unit.id},
    )
    return next(f for f in due if f.id == key)


def apply_wounds(battle: Battle, unit: Unit, wounds: int, harm: Harm) -> Step:
    """Each wound removes a model, or is noted on a Tough one (AOF-SHOOT-07)."""
    if harm.overkill:
        harm.counted += wounds
    while wounds > 0 and unit.figures:
        if harm.victim is not None:
            victim = unit.figure(harm.victim)
            if victim is not None:
                taken = min(wounds, victim.left)
                harm.counted += 0 if harm.overkill else taken
                wound(battle, unit, victim, taken)
            return

        due = next_to_be_wounded(unit.figures)
        if not due[0].profile.has_tough:
            # One wound each: the defender picks as many as fall.
            number = min(wounds, len(due))
            if number < len(due):
                keys = yield from pick_several(
                    unit.side,
                    [Option.thing(f.id, "figure") for f in due],
                    number,
                    number,
                    "who_falls",
                    "AOF-WOUND-02",
                    {"unit": unit.id, "wounds": number},
                    default=[f.id for f in due[-number:]],
                )
                due = [f for f in due if f.id in keys]
            for figure in due:
                harm.counted += 0 if harm.overkill else 1
                wound(battle, unit, figure, 1)
            wounds -= number
            continue

        figure = yield from choose_victim(battle, unit, harm)
        taken = min(wounds, figure.left)
        harm.counted += 0 if harm.overkill else taken
        wound(battle, unit, figure, taken)
        wounds -= taken


def wound(battle: Battle, unit: Unit, figure: Figure, wounds: int) -> None:
    """A model takes wounds, and is removed when it has taken all it can (AOF-GEN-15)."""
    if wounds <= 0:
        return
    figure.wounds += wounds
    note_hurt(battle, unit)
    if figure.left > 0:
        battle.tell(FigureWounded("AOF-SR-TOUGH-01", unit.id, figure.id, wounds, figure.left))
        return
    remove(battle, unit, figure)


def note_hurt(battle: Battle, unit: Unit) -> None:
    """The unit took wounds in this activation (AOF-MORALE-01)."""
    activation = battle.activation
    if activation is not None and unit.id not in activation.hurt:
        activation.hurt = (*activation.hurt, unit.id)


def remove(battle: Battle, unit: Unit, figure: Figure) -> None:
    """A destroyed model leaves the table; with the last one the unit is destroyed."""
    unit.figures.remove(figure)
    unit.fallen.append(figure)
    unit.changed()
    unit.update_bounds()
    battle.tell(FigureLost("AOF-WOUND-01", unit.id, figure.id, (in_inches(figure.x), in_inches(figure.y))))
    if not unit.figures:
        battle.tell(UnitDestroyed("AOF-GEN-15", unit.id))


def remove_unit(battle: Battle, unit: Unit) -> None:
    """A whole unit leaves the table as destroyed (AOF-MORALE-08)."""
    unit.fallen.extend(unit.figures)
    unit.figures.clear()
    unit.changed()
