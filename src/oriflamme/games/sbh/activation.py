"""Activations (SBH-ACT, SBH-GROUP): one to three dice against Quality, for a fighter or for a group; each success is an
action. What is done with them comes next on the turn track (`turns.act`)."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at
from oriflamme.engine.core.questions import pick_one, pick_several
from oriflamme.games.sbh import resources
from oriflamme.games.sbh.events import Activated, DieRerolled, Exhausted, GroupActivated, TurnedOver
from oriflamme.games.sbh.moments import Upgrade
from oriflamme.games.sbh.quality import QualityRoll, on_place_of_power, quality_roll, with_leaders
from oriflamme.games.sbh.state import Activation, Asking, Battle, Fighter, Step, step

DICE = (1, 2, 3)


def announcements(fighter: Fighter) -> list[str]:
    """What he may announce before the roll: casting, healing, reading a scroll (SBH-MAGIC-02, SBH-SR-PRIEST-02)."""
    words = []
    if fighter.profile.casts and not fighter.drained:
        words.append("cast")
    if fighter.profile.heals and not fighter.lost_powers:
        words.append("heal")
        words += ["cast+heal"] if "cast" in words else []
    if fighter.bears("scroll") is not None and not fighter.profile.animal:
        words.append("scroll")
    return words


def why_not_announce(fighter: Fighter, key: str) -> Refusal | None:
    """Why he cannot announce that: he never had the power, or has it no more."""
    words, who = key.partition(":")[2].split("+"), {"fighter": fighter.id}
    if "cast" in words and not fighter.profile.casts:
        return Refusal("SBH-MAGIC-01", "no_mage", who)
    if "cast" in words and fighter.drained:
        return Refusal("SBH-MAGIC-05", "magic_exhausted", who)
    if "heal" in words and not fighter.profile.heals:
        return Refusal("SBH-SR-PRIEST-02", "no_priest", who)
    if "heal" in words and fighter.lost_powers:
        return Refusal("SBH-SR-PRIEST-04", "powers_lost", who)
    return None


@step
def activate(battle: Battle, id: str) -> Step:
    """One to three dice against his Quality; each success is an action (SBH-ACT-01 to -04)."""
    fighter = battle.units[id]
    side = fighter.side
    company = resources.Company(battle, [fighter])
    yield from ask_at(Upgrade.before_activation, resources.upgrades_of(battle, side), company)
    words = announcements(fighter)
    options = [Option(str(n), "", {"dice": n}) for n in DICE]
    options += [Option(f"{n}:{word}", word, {"dice": n}) for word in words for n in DICE]
    answer = yield from pick_one(
        side,
        options,
        "choose_dice",
        "SBH-ACT-01",
        {"fighter": id},
        default="2",
        why_not=lambda key: why_not_announce(fighter, key),
    )
    number, _, announced = answer.partition(":")
    yield from ask_at(Upgrade.before_activation_roll, resources.upgrades_of(battle, side), company)
    cancelled = yield from resources.cancel_rules(
        battle, with_leaders(battle, fighter), fighter=id, manner="activation"
    )
    roll = quality_roll(battle, fighter, "scroll" if announced == "scroll" else "activation")
    faces = yield from _throw(battle, roll, int(number))
    resources.restore_rules(cancelled)
    good = roll.successes(faces)
    failures = len(faces) - good
    battle.tell(Activated("SBH-ACT-01", id, tuple(faces), roll.needed, good, failures, announced, tuple(roll.reasons)))
    activation = Activation((id,), good)
    activation.announced = {id: frozenset(announced.split("+")) if announced else frozenset()}
    activation.sure_footed = company.sure_footed
    fighter.activated = True
    battle.acting.append(activation)
    if failures == 3:
        _exhaust(battle, fighter, activation.announced[id])
    yield from _turn_over(battle, fighter, failures)


def _throw(battle: Battle, roll: QualityRoll, number: int) -> Asking[list[int]]:
    """The dice of an activation, with the Hero's re-roll (SBH-SR-HERO-02)."""
    faces = roll.throw(number, battle.dice)
    rolled = number - min(roll.sure, number)
    about = {"about": roll.about, "needed": roll.needed}
    again = yield from resources.reroll(battle, roll.fighter, faces[:rolled], about)
    if again >= 0:
        was, faces[again] = faces[again], battle.dice.d6()
        battle.tell(DieRerolled("SBH-SR-HERO-02", roll.fighter.id, was, faces[again]))
    return faces


def _exhaust(battle: Battle, fighter: Fighter, announced: frozenset[str]) -> None:
    """Three failures on an announced roll take the power away (SBH-MAGIC-05, SBH-SR-PRIEST-04, SBH-ITEM-SCROLL-02)."""
    if "cast" in announced and not on_place_of_power(battle, fighter):
        fighter.drained = True
        battle.tell(Exhausted("SBH-MAGIC-05", fighter.id, "magic"))
    if "heal" in announced:
        fighter.lost_powers = True
        battle.tell(Exhausted("SBH-SR-PRIEST-04", fighter.id, "healing"))
    if "scroll" in announced and fighter.item is not None:
        fighter.equip(fighter.item.drain())
        battle.tell(Exhausted("SBH-ITEM-SCROLL-02", fighter.id, "scroll"))


def _turn_over(battle: Battle, fighter: Fighter, failures: int) -> Asking[None]:
    """Two failures or more hand the turn to the opponent once this activation is over (SBH-ACT-04)."""
    if failures < 2:
        return
    mishap = resources.Mishap(battle, fighter, failures=failures)
    yield from ask_at(Upgrade.when_turn_is_lost, resources.upgrades_of(battle, fighter.side), mishap)
    if mishap.averted:
        return
    battle.active.turnover = True
    battle.tell(TurnedOver("SBH-ACT-04", fighter.id, fighter.side))


def _worst_of(battle: Battle, company: Sequence[Fighter]) -> QualityRoll:
    """The roll of the member who needs most, before naturals level it (SBH-GROUP-06)."""
    rolls = [quality_roll(battle, f, "group", company) for f in company]
    return max(rolls, key=lambda roll: roll.target - roll.bonus)


def _announced(chief: Fighter, company: list[Fighter]) -> Asking[dict[str, frozenset[str]]]:
    """Who of a group means to cast or to heal: he must say so before the roll (SBH-GROUP-11, SBH-SR-PRIEST-02)."""
    powers: dict[str, frozenset[str]] = {}
    about = {"fighter": chief.id}
    casters = [Option.thing(f.id) for f in company if f.profile.casts and not f.drained]
    if casters:
        picked = yield from pick_several(
            chief.side, casters, 0, len(casters), "announce_casting", "SBH-GROUP-11", about, default=()
        )
        powers |= {id: frozenset({"cast"}) for id in picked}
    healers = [Option.thing(f.id) for f in company if f.profile.heals and not f.lost_powers]
    if healers:
        picked = yield from pick_several(
            chief.side, healers, 0, len(healers), "announce_healing", "SBH-SR-PRIEST-02", about, default=()
        )
        powers |= {id: powers.get(id, frozenset()) | {"heal"} for id in picked}
    return powers


@step
def activate_group(battle: Battle, leader: str, order: str, members: tuple[str, ...]) -> Step:
    """One roll for all of them with the worst Quality among them (SBH-GROUP-06 to -08)."""
    chief = battle.units[leader]
    company = [battle.units[id] for id in members]
    together = resources.Company(battle, company)
    yield from ask_at(Upgrade.before_activation, resources.upgrades_of(battle, chief.side), together)
    announced = yield from _announced(chief, company if order == "group" else [])
    roll = _worst_of(battle, company)
    options = [Option(str(n), "", {"dice": n}) for n in DICE]
    about = {"fighter": leader, "order": order, "needed": roll.needed}
    number = yield from pick_one(chief.side, options, "choose_group_dice", "SBH-GROUP-06", about, default="2")
    yield from ask_at(Upgrade.before_activation_roll, resources.upgrades_of(battle, chief.side), together)
    concerned = (chief, *company, *with_leaders(battle, chief))
    cancelled = yield from resources.cancel_rules(battle, concerned, fighter=leader, manner="order")
    obeyed = chief.profile.leads
    if cancelled:
        roll = _worst_of(battle, company)
    resources.restore_rules(cancelled)
    if not obeyed:
        # A cancelled order is lost.
        return
    faces = roll.throw(int(number), battle.dice)
    good = roll.successes(faces)
    failures = len(faces) - good
    rolled_facts = (tuple(faces), roll.needed, good, failures, roll.fighter.id, tuple(roll.reasons))
    battle.tell(GroupActivated("SBH-GROUP-06", leader, members, *rolled_facts))
    activation = Activation(members, good, order, leader)
    activation.announced = announced
    activation.sure_footed = together.sure_footed
    for fighter in company:
        fighter.activated = True
    battle.acting.append(activation)
    if failures == 3:
        for id, powers in announced.items():
            _exhaust(battle, battle.units[id], powers)
    yield from _turn_over(battle, chief, failures)
