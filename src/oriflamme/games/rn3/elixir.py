"""Elixir: the common reserve of a company, and the exploits of its Incarnates (RN3-ELX)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import yes_or_no
from oriflamme.games.rn3.events.losses import ElixirGained
from oriflamme.games.rn3.events.trials import ExploitUsed
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit

if TYPE_CHECKING:
    from oriflamme.games.rn3.trials import Attempt

# The exploits of the book and their rules; artefacts have costs and effects of their own (RN3-ELX-04).
EXPLOITS: Final = {
    "precise_shot": "RN3-ELX-03",
    "one_more_die": "RN3-ELX-05",
    "reroll_failures": "RN3-ELX-06",
    "deny": "RN3-ELX-07",
    "return": "RN3-ELX-08",
    "steady": "RN3-ELX-09",
}
COST: Final = 1
# Elixir is neither gained nor lost in these phases (RN3-TURN-10, RN3-ELX-12).
DEAD_TIME: Final = frozenset({"upkeep", "moves", "reserves"})


def why_not_exploit(battle: Battle, unit: Unit, hero: Fighter, exploit: str, cost: int = COST) -> Refusal | None:
    """Why an Incarnate may not use an exploit now, if so: elixir is there, time is not dead, and he has not used it in
    this activation, or outside activations in this phase (RN3-ELX-01, -10, -12)."""
    rule = EXPLOITS.get(exploit, "RN3-ELX-04")
    if battle.phase in DEAD_TIME:
        return Refusal("RN3-ELX-12", "dead_time", {"fighter": hero.id})
    if (hero.id, exploit) in (battle.exploits if battle.activation is None else battle.activation.exploits):
        return Refusal("RN3-ELX-10", "exploit_used", {"fighter": hero.id, "exploit": exploit})
    if battle.elixir[unit.side] < cost:
        facts = {"fighter": hero.id, "cost": cost, "elixir": battle.elixir[unit.side]}
        return Refusal(rule, "too_little_elixir", facts)
    return None


def spend(battle: Battle, unit: Unit, hero: Fighter, exploit: str, cost: int = COST, rule: str = "") -> None:
    """An Incarnate uses an exploit: the company pays at once (RN3-ELX-12)."""
    change(battle, unit.side, -cost)
    used = (hero.id, exploit)
    if battle.activation is None:
        battle.exploits += (used,)
    else:
        battle.activation.exploits += (used,)
    left = battle.elixir[unit.side]
    battle.tell(ExploitUsed(rule or EXPLOITS.get(exploit, "RN3-ELX-04"), unit.side, hero.id, exploit, cost, left))


def gain(battle: Battle, side: int, elixir: int, cause: str, of: str) -> None:
    """Elixir for a fallen Incarnate or an objective, except in dead time (RN3-ELX-11, -12)."""
    if elixir and battle.phase not in DEAD_TIME:
        change(battle, side, elixir)
        battle.tell(ElixirGained("RN3-ELX-11", side, elixir, cause, of, battle.elixir[side]))


def change(battle: Battle, side: int, amount: int) -> None:
    """The reserve of a company changes by so much."""
    have = list(battle.elixir)
    have[side] += amount
    battle.elixir = (have[0], have[1])


def offer(battle: Battle, unit: Unit, hero: Fighter, exploit: str, about: dict[str, object]) -> Asking[bool]:
    """Ask the owner of an Incarnate whether he uses an exploit now, if he may; he has paid if it is yes."""
    if unit.figure(hero.id) is None or why_not_exploit(battle, unit, hero, exploit) is not None:
        return False
    rule = EXPLOITS[exploit]
    if not (
        yield from yes_or_no(
            unit.side, exploit, rule, about, word="exploit", default=False, may_pass=True, measured=True
        )
    ):
        return False
    spend(battle, unit, hero, exploit)
    return True


# -- in a test, in the order of RN3-URT-11 -----------------------------------------------------------------------------


def may_add_die(made: Attempt) -> Asking[None]:
    """One more die before a test with a characteristic of the Incarnate: it joins the first roll (RN3-ELX-05)."""
    unit, hero, trial = made.unit, made.hero, made.trial
    if unit is None or hero is None:
        return
    about = {
        "fighter": hero.id,
        "cost": COST,
        "elixir": made.battle.elixir[unit.side],
        "test": trial.kind,
        "needed": trial.needed,
    }
    if (yield from offer(made.battle, unit, hero, "one_more_die", about)):
        trial.more_dice(1)


def may_reroll(made: Attempt, failures: int) -> Asking[bool]:
    """The failures of a test with a characteristic of the Incarnate once more (RN3-ELX-06)."""
    unit, hero, trial = made.unit, made.hero, made.trial
    if unit is None or hero is None:
        return False
    about = {
        "fighter": hero.id,
        "cost": COST,
        "elixir": made.battle.elixir[unit.side],
        "test": trial.kind,
        "needed": trial.needed,
        "failures": failures,
    }
    return (yield from offer(made.battle, unit, hero, "reroll_failures", about))


def may_deny(made: Attempt, successes: int) -> Asking[bool]:
    """The successes of a test against the Incarnate once more (RN3-ELX-07)."""
    unit, hero, trial = made.against, made.target_hero, made.trial
    if unit is None or hero is None:
        return False
    about = {
        "fighter": hero.id,
        "cost": COST,
        "elixir": made.battle.elixir[unit.side],
        "test": trial.kind,
        "needed": trial.needed,
        "successes": successes,
    }
    return (yield from offer(made.battle, unit, hero, "deny", about))


def may_steady(battle: Battle, unit: Unit, needed: int) -> Asking[bool]:
    """A failed courage test of his unit once more (RN3-ELX-09, RN3-MOR-18)."""
    hero = unit.hero
    if hero is None:
        return False
    about = {
        "fighter": hero.id,
        "cost": COST,
        "elixir": battle.elixir[unit.side],
        "unit": unit.id,
        "needed": needed,
    }
    return (yield from offer(battle, unit, hero, "steady", about))
