"""Leaders of units and the commander of a company: who they are, and who follows them (RN3-LEAD, RN3-CMD)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.rn3.events.losses import CommanderNamed, LeaderNamed, NoCommander
from oriflamme.games.rn3.measures import CAVALRY
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit

# Special fighters who do not lead while others are there (RN3-LEAD-03).
SPECIAL: Final = frozenset({"standard", "musician", "mage", "monk"})


def candidates(unit: Unit) -> list[Fighter]:
    """Who may lead a unit: its Incarnate if it has one, else whoever is no special fighter, else anybody (RN3-LEAD-02,
    -03)."""
    if unit.hero is not None:
        return [unit.hero]
    fighters = _who_stay([f for f in unit.figures if not f.profile.machine])
    return [f for f in fighters if f.profile.role not in SPECIAL] or fighters


def _who_stay(fighters: list[Fighter]) -> list[Fighter]:
    """Those of them who have not lost their last hit point, if there are any (RN3-SKL-01)."""
    return [f for f in fighters if f.doomed is None] or fighters


def leads(battle: Battle, unit: Unit, fighter: str) -> bool:
    """Whether somebody must be named in his place when he falls: the leader of his unit, or the commander."""
    return fighter in (unit.leader, battle.commander[unit.side])


def name_leader(battle: Battle, unit: Unit) -> Asking[None]:
    """The owner names the leader at once where he has a choice (RN3-LEAD-03, -04)."""
    able = candidates(unit)
    if not able:
        unit.leader = ""
        return
    options = [Option.thing(fighter.id, "fighter") for fighter in able]
    rule = "RN3-LEAD-02" if unit.hero is not None else "RN3-LEAD-04"
    unit.leader = yield from pick_one(unit.side, options, "name_leader", rule, {"unit": unit.id})
    battle.tell(LeaderNamed(rule, unit.id, unit.leader))


def authority_of(battle: Battle, side: int) -> int:
    """What a company adds to an authority roll: the AUT printed on the commander's card (RN3-AUTH-01, -02); 0 for who
    is no Incarnate (RN3-CMD-04)."""
    found = commander_of(battle, side)
    return found[1].profile.aut if found is not None and found[1].profile.incarnate else 0


def commander_of(battle: Battle, side: int) -> tuple[Unit, Fighter] | None:
    id = battle.commander[side]
    for unit in battle.units_of(side) if id else ():
        fighter = unit.figure(id)
        if fighter is not None:
            return unit, fighter
    return None


def successors(battle: Battle, side: int) -> list[Fighter]:
    """Who may command: of the Incarnates who are not in reserve those with the highest AUT; without any, infantry and
    cavalry of the highest rank (RN3-CMD-02 to -04)."""
    units = [u for u in battle.units_of(side) if u.place not in ("reserve", "announced", "gone") and not u.summoner]
    heroes = [f for u in units for f in u.figures if f.profile.incarnate]
    if heroes:
        best = max(f.profile.aut for f in heroes)
        return [f for f in heroes if f.profile.aut == best]
    able = [u for u in units if u.profile.category in ("infantry", *CAVALRY) and u.figures]
    rank = max((u.rank for u in able), default=0)
    return _who_stay([f for u in able if u.rank == rank for f in u.figures if not f.profile.machine])


def choose_commander(battle: Battle, side: int) -> Asking[str]:
    """The owner chooses the commander among equals; the rule by which he commands (RN3-CMD-02 to -04)."""
    able = successors(battle, side)
    rule = "RN3-CMD-02" if any(f.profile.incarnate for f in able) else "RN3-CMD-04"
    id = ""
    if able:
        options = [Option.thing(fighter.id, "fighter") for fighter in able]
        id = yield from pick_one(side, options, "name_commander", rule, measured=True)
    set_commander(battle, side, id)
    return rule


def name_commander(battle: Battle, side: int) -> Asking[None]:
    """Another commander at once, openly (RN3-CMD-03, -04)."""
    rule = yield from choose_commander(battle, side)
    tell_commander(battle, side, rule.replace("02", "03"))


def tell_commander(battle: Battle, side: int, rule: str) -> None:
    """Who commands a company, for everybody to know."""
    id = battle.commander[side]
    battle.tell(CommanderNamed(rule, side, id, authority_of(battle, side)) if id else NoCommander(rule, side))


def take_over(battle: Battle, side: int, hero: Fighter) -> None:
    """An Incarnate comes into play: he takes over from who is none at once, from an Incarnate only with a strictly
    higher AUT (RN3-CMD-04)."""
    found = commander_of(battle, side)
    if found is not None and found[1].profile.incarnate and found[1].profile.aut >= hero.profile.aut:
        return
    set_commander(battle, side, hero.id)
    battle.tell(CommanderNamed("RN3-CMD-04", side, hero.id, hero.profile.aut))


def set_commander(battle: Battle, side: int, id: str) -> None:
    named = list(battle.commander)
    named[side] = id
    battle.commander = (named[0], named[1])
