"""Who may be the object of an offensive action at all (RN3-SKL-17), and when it is the Incarnate himself (RN3-INC-08);
range, sight and the rest are of each chapter."""

from __future__ import annotations

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.games.rn3.contact import unit_gap
from oriflamme.games.rn3.events.turns import Revealed
from oriflamme.games.rn3.measures import CONTACT, SCOUT_RANGE
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.state import Battle, Fighter, Unit, skills_of


class Targeting:
    """An offensive action of one unit against another that is being considered. `hidden` is how many of the target's
    fighters say that they are no target."""

    __slots__ = ("battle", "by", "hidden", "refusal", "target")

    def __init__(self, battle: Battle, by: Unit, target: Unit) -> None:
        self.battle = battle
        self.by = by
        self.target = target
        self.hidden = 0
        self.refusal: Refusal | None = None

    def hide(self, refusal: Refusal) -> None:
        """One fighter more cannot be a target."""
        self.hidden += 1
        self.refusal = refusal


def why_not_target(battle: Battle, by: Unit, target: Unit) -> Refusal | None:
    """Why a unit can be the object of no offensive action of another, if so: none of its fighters can."""
    targeting = Targeting(battle, by, target)
    for fighter in target.figures:
        skills = skills_of(target, fighter)
        # One who has nothing to hide by is a target, and so is his unit.
        if not skills.changing(Keyword.before_targeted):
            return None
        at(Keyword.before_targeted, (skills,), targeting)
    return targeting.refusal if targeting.hidden == len(target.figures) else None


def is_hidden(battle: Battle, unit: Unit) -> bool:
    """Nobody can make it the object of an offensive action (RN3-SKL-17)."""
    return any(why_not_target(battle, enemy, unit) is not None for enemy in battle.enemies_of(unit.side)[:1])


def reveal(battle: Battle, unit: Unit) -> None:
    """It can be a target from now on, for good: it has acted, or an enemy is near (RN3-SKL-17)."""
    if not unit.revealed and is_hidden(battle, unit):
        battle.tell(Revealed("RN3-SKL-17", unit.id))
    unit.revealed = True


def look_for_hidden(battle: Battle) -> None:
    """At the start and at the end of every activation: who hides and has an enemy within 20 cm is found
    (RN3-SKL-17)."""
    for unit in battle.on_table():
        if unit.revealed or not is_hidden(battle, unit):
            continue
        if any(unit_gap(unit, enemy) <= SCOUT_RANGE + CONTACT for enemy in battle.enemies_of(unit.side)):
            reveal(battle, unit)


def hero_tested(target: Unit, named: Fighter | None = None) -> Fighter | None:
    """The Incarnate against whom a test against his unit is made: he who is named, or who is the last of it; otherwise
    the others take it in his place (RN3-INC-08, -11, RN3-ELX-07)."""
    if named is not None:
        return named if named.profile.incarnate else None
    return target.hero if all(f.profile.incarnate or f.profile.machine for f in target.figures) else None
