"""Damage and losses: hit points, the dice of the dead, who is gone (RN3-GEN-07, RN3-MELEE-17, RN3-UNIT-12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import Dice, sorting
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.rn3.bonds import after_elimination
from oriflamme.games.rn3.elixir import gain
from oriflamme.games.rn3.events.losses import (
    DamageCancelled,
    DiceLost,
    Eliminated,
    Hurt,
    LivesOn,
    UnitEliminated,
)
from oriflamme.games.rn3.events.shooting import MachineLost
from oriflamme.games.rn3.leaders import name_commander, name_leader
from oriflamme.games.rn3.moments import Keyword, SkillSet
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Pool, Unit, skills_of

if TYPE_CHECKING:
    from oriflamme.games.rn3.trials import Trial

# A die that cancels a point of damage shows 5 or 6 (RN3-SKL-40).
_CANCELS: Final = sorting((0, 0, 0, 0, 1, 1))


class Cause(NamedTuple):
    """How damage came about: "melee", "shot", "area", "power", "skill", "disengage", "break", "summoning" ...; by which
    unit, and by which Incarnate of it if he did it himself."""

    kind: str
    by: str = ""
    by_hero: str = ""


class Damage:
    """Damage that a unit is about to take. A special rule says that its bearer rolls against it."""

    __slots__ = ("rolls", "rule", "source")

    def __init__(self) -> None:
        self.rolls = False
        self.source = ""
        self.rule = ""

    def roll_against(self, source: str, rule: str) -> None:
        """One die for each point, which 5 and 6 cancel; several such rules do not add up (RN3-SKL-41)."""
        if not self.rolls:
            self.rolls, self.source, self.rule = True, source, rule


class Removal:
    """A fighter who has lost his last hit point. A special rule may keep him in play until the end of the phase."""

    __slots__ = ("because", "fighter", "unit")

    def __init__(self, unit: Unit, fighter: Fighter) -> None:
        self.unit = unit
        self.fighter = fighter
        self.because: Keyword | None = None

    def stay(self, because: Keyword) -> None:
        self.because = because


def cancel_damage(
    battle: Battle, unit: Unit, fighters: Sequence[Fighter], points: int, trial: Trial | None
) -> Asking[int]:
    """What is left of damage to these fighters, who are of one profile, after what they roll against it: once for each
    test that caused it, before losses are removed (RN3-SKL-40, RN3-URT-11, 9)."""
    if points <= 0 or not fighters:
        return 0
    damage = rolls_against(skills_of(unit, fighters[0]))
    if not damage.rolls:
        return points
    start = len(battle.dice.thrown)
    left = not_cancelled(battle.dice, points)
    faces = tuple(battle.dice.thrown[start:])
    battle.tell(DamageCancelled(damage.rule, unit.id, damage.source, points, faces, points - left))
    return left
    yield


def rolls_against(skills: SkillSet) -> Damage:
    """Whether the bearer of such skills rolls against damage, and why."""
    damage = Damage()
    at(Keyword.before_losses, (skills,), damage)
    return damage


def not_cancelled(dice: Dice, points: int) -> int:
    """One die for each point of damage; 5 and 6 cancel it (RN3-SKL-40)."""
    return dice.sort(points, _CANCELS)[0]


def hurt(battle: Battle, unit: Unit, fighter: Fighter, points: int, cause: Cause) -> Asking[int]:
    """So many points of damage to one fighter; at 0 hit points he is eliminated (RN3-GEN-07). How many models have lost
    their last hit point by it.

    What exceeds his hit points is lost; who has died and stays takes no more (RN3-SKL-01).
    """
    if points <= 0 or fighter.doomed is not None or unit.figure(fighter.id) is None:
        return 0
    fighter.wounds = min(fighter.profile.hit_points, fighter.wounds + points)
    if fighter.left > 0:
        battle.tell(Hurt("RN3-GEN-07", unit.id, fighter.id, points, fighter.left))
        return 0
    removal = Removal(unit, fighter)
    at(Keyword.before_removal, (skills_of(unit, fighter),), removal)
    if removal.because is not None:
        fighter.doomed = (cause.kind, cause.by, cause.by_hero)
        battle.tell(LivesOn(removal.because.rule, unit.id, fighter.id, removal.because.title))
        return 1
    yield from eliminate(battle, unit, fighter, cause)
    return 1


def eliminate(battle: Battle, unit: Unit, fighter: Fighter, cause: Cause) -> Asking[None]:
    """A fighter is removed at once, whatever hit points he has left.

    1. He leaves the table; his melee dice leave the pool.                      RN3-MELEE-17
    2. An Incarnate slain by another gains his slayer's company elixir.         RN3-ELX-11
    3. A unit with no model left is eliminated; the crew of a machine stays.    RN3-UNIT-12, RN3-WM-15
    4. Another leads, another commands, at once.                                RN3-LEAD-04, RN3-CMD-03
    """
    unit.figures.remove(fighter)
    unit.fallen.append(fighter)
    fighter.doomed = None
    unit.update_bounds()
    battle.tell(Eliminated("RN3-GEN-07", unit.id, fighter.id, cause.kind, cause.by))
    yield from take_dice(battle, unit, fighter)

    if fighter.profile.incarnate:
        slain = is_incarnate(battle, cause.by_hero)
        battle.returned += ((unit.id, fighter.id, slain),)
        if slain and battle.units[cause.by].side != unit.side:
            gain(battle, 1 - unit.side, fighter.profile.elixir, "slain", fighter.id)

    yield from after_elimination(battle, unit, fighter)
    if fighter.profile.machine and unit.figures:
        battle.tell(MachineLost("RN3-WM-15", unit.id))
    if not unit.figures:
        unit.place = "gone"
        unit.standby = False
        battle.tell(UnitEliminated("RN3-UNIT-12", unit.side, unit.id))
    elif fighter.id == unit.leader:
        yield from name_leader(battle, unit)
    if fighter.id == battle.commander[unit.side]:
        yield from name_commander(battle, unit.side)


def is_incarnate(battle: Battle, fighter: str) -> bool:
    """Whether somebody, who may have fallen himself, is an Incarnate."""
    for unit in battle.units.values() if fighter else ():
        for figure in (*unit.figures, *unit.fallen):
            if figure.id == fighter:
                return figure.profile.incarnate
    return False


def take_dice(battle: Battle, unit: Unit, fighter: Fighter) -> Asking[None]:
    """The melee dice of the dead leave the unit: the owner may take them from dice already used and must complete from
    the reserve; what neither holds is ignored (RN3-MELEE-17)."""
    if fighter.profile.machine:
        return
    pool, owed = unit.pool_of(fighter), fighter.profile.melee.dice
    spare = min(owed, pool.used if battle.is_option("deadDice", "anyUsed") else pool.defence)
    used = spare
    if spare and pool.left:
        least = max(0, owed - pool.left)
        options = [
            Option(str(n), "dead_dice", {"used": n, "reserve": min(pool.left, owed - n)})
            for n in range(spare, least - 1, -1)
        ]
        about = {"unit": unit.id, "fighter": fighter.id, "dice": owed}
        most = str(spare)
        answer = yield from pick_one(
            unit.side, options, "dead_dice", "RN3-MELEE-17", about, default=most, passing=most, measured=True
        )
        used = int(answer)
    reserve = min(pool.left, owed - used)
    remove_dice(pool, used, reserve)
    if used or reserve:
        battle.tell(DiceLost("RN3-MELEE-17", unit.id, used, reserve))


def remove_dice(pool: Pool, used: int, reserve: int) -> None:
    """Dice leave a pool for good: those that defended in the fight under way are the first of the used ones."""
    pool.used -= used
    pool.defence = max(0, pool.defence - used)
    pool.left -= reserve
