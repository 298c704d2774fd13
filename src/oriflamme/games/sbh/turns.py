"""Turns and activations (SBH-ACT): one fighter after the other, one to three dice, until two of them fail."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.decisions import Option, PickOne, PickSeveral
from oriflamme.engine.events import Refusal
from oriflamme.games.sbh import markers, resources
from oriflamme.games.sbh.actions import open_actions, option_of, perform, why_not, why_not_off
from oriflamme.games.sbh.events import (
    Activated,
    Conceded,
    DieRerolled,
    Exhausted,
    GroupActivated,
    TurnBegan,
    TurnedOver,
    TurnEnded,
)
from oriflamme.games.sbh.morale import settle
from oriflamme.games.sbh.orders import choose_next, fire_volley, may_rest
from oriflamme.games.sbh.quality import QualityRoll, on_place_of_power, quality_roll, with_leaders
from oriflamme.games.sbh.scenarios import check_field, check_wiped_out, end_battle
from oriflamme.games.sbh.state import Activation, Asking, Battle, Fighter, Step, step

DICE = (1, 2, 3)
CONCEDE = (Option("concede"),)


@step
def begin_turn(battle: Battle, side: int) -> None:
    """A complete new turn: everybody can be activated once (SBH-ACT-07)."""
    battle.turn = side
    battle.round += 1
    battle.swapped = ()
    for fighter in battle.units.values():
        fighter.offers = ""
        fighter.activated = False
        fighter.attacked = False
        fighter.moved = False
        fighter.used = frozenset()
        fighter.barred = frozenset()
    battle.start_spots = {f.id: (f.x, f.y, f.z) for f in battle.present()}
    battle.tell(TurnBegan("SBH-ACT-07", side, battle.round))
    battle.then(("next_fighter",))


def ready(battle: Battle) -> list[Fighter]:
    """The fighters of the active player who have not been activated this turn (SBH-ACT-05)."""
    return [f for f in battle.present(battle.turn) if not f.activated]


@step
def next_fighter(battle: Battle) -> Step:
    """Name a fighter, or end the turn (SBH-ACT-01, -06, -11)."""
    side = battle.turn
    keys = [f.id for f in ready(battle)] + [m.id for m in markers.ambushes(battle, side)]
    if not keys:
        battle.then(("end_turn", "all_activated"))
        return

    def reason(key: str) -> Refusal | None:
        fighter = battle.units.get(key)
        if fighter is not None and fighter.side == side and fighter.on_table and fighter.activated:
            return Refusal("SBH-ACT-05", "activated", {"fighter": key})
        return None

    options = [Option(key) for key in keys] + [Option("end", "end")]
    key = yield PickOne(
        side, options, "choose_fighter", "SBH-ACT-01", {"turn": battle.round}, why_not=reason, besides=CONCEDE
    )
    if key == "concede":
        concede(battle, side)
    elif key == "end":
        battle.then(("end_turn", "chosen"))
    elif key in battle.units:
        battle.then(("activate", key))
    else:
        # An ambusher is revealed before he rolls; a decoy makes no roll (SBH-SCEN-AMBUSH-04).
        marker = next(m for m in battle.markers if m.id == key)
        fighter = markers.reveal(battle, marker)
        battle.then(("activate", fighter.id) if fighter is not None else ("next_fighter",))


def concede(battle: Battle, side: int) -> None:
    """A player gives up the field (SBH-END-02): what was earned by then is counted."""
    battle.tell(Conceded("SBH-END-02", side))
    end_battle(battle, "conceded", "SBH-END-02", lost=(side,))


# -- the activation roll -----------------------------------------------------------------------------------------------


def announcements(fighter: Fighter) -> list[str]:
    """What he may announce before the roll: casting, healing, reading a scroll (SBH-MAGIC-02, SBH-SR-PRIEST-02)."""
    words = []
    if fighter.profile.casts and not fighter.drained:
        words.append("cast")
    if fighter.profile.heals and not fighter.forsaken:
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
    if "heal" in words and fighter.forsaken:
        return Refusal("SBH-SR-PRIEST-04", "powers_lost", who)
    return None


@step
def activate(battle: Battle, id: str) -> Step:
    """One to three dice against his Quality; each success is an action (SBH-ACT-01 to -04)."""
    fighter = battle.units[id]
    side = fighter.side
    yield from _swap_quality(battle, [fighter])
    words = announcements(fighter)
    options = [Option(str(n), "", {"dice": n}) for n in DICE]
    options += [Option(f"{n}:{word}", word, {"dice": n}) for word in words for n in DICE]
    answer = yield PickOne(
        side,
        options,
        "choose_dice",
        "SBH-ACT-01",
        {"fighter": id},
        default="2",
        why_not=lambda key: why_not_announce(fighter, key),
    )
    number, _, announced = answer.partition(":")
    footed = yield from _treads_surely(battle, [fighter])
    tricked = yield from resources.tricks_on(battle, with_leaders(battle, fighter), fighter=id, manner="activation")
    roll = quality_roll(battle, fighter, "scroll" if announced == "scroll" else "activation")
    faces = yield from _throw(battle, roll, int(number))
    resources.end_tricks(tricked)
    good = roll.successes(faces)
    failures = len(faces) - good
    battle.tell(Activated("SBH-ACT-01", id, tuple(faces), roll.needed, good, failures, announced, tuple(roll.reasons)))
    activation = Activation((id,), good)
    activation.announced = {id: frozenset(announced.split("+")) if announced else frozenset()}
    activation.footed = footed
    fighter.activated = True
    battle.acting.append(activation)
    if failures == 3:
        _exhaust(battle, fighter, activation.announced[id])
    yield from _turn_over(battle, fighter, failures)
    battle.then(("act",))


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
        fighter.forsaken = True
        battle.tell(Exhausted("SBH-SR-PRIEST-04", fighter.id, "healing"))
    if "scroll" in announced and fighter.item is not None:
        fighter.equip(fighter.item.drain())
        battle.tell(Exhausted("SBH-ITEM-SCROLL-02", fighter.id, "scroll"))


def _turn_over(battle: Battle, fighter: Fighter, failures: int) -> Asking[None]:
    """Two failures or more hand the turn to the opponent once this activation is over (SBH-ACT-04)."""
    if failures < 2:
        return
    side = fighter.side
    if resources.has(battle, side, "regain_the_initiative"):
        about = {"fighter": fighter.id, "failures": failures}
        used = yield from resources.ask(
            battle, side, "regain_initiative", "SBH-UPG-INITIATIVE-01", ["regain_the_initiative"], about
        )
        if used != "none":
            resources.spend(battle, side, "regain_the_initiative", "SBH-UPG-INITIATIVE-01", fighter.id)
            return
    battle.active.turnover = True
    battle.tell(TurnedOver("SBH-ACT-04", fighter.id, side))


def _swap_quality(battle: Battle, company: Sequence[Fighter]) -> Asking[None]:
    """Unpredictable: one of those who are about to roll swaps his Quality with another fighter of the band; neither has
    been activated yet (SBH-UPG-UNPREDICTABLE-01)."""
    for fighter in company:
        if not resources.has(battle, fighter.side, "unpredictable"):
            return
        others = [f.id for f in ready(battle) if f.own.quality != fighter.own.quality]
        about = {"fighter": fighter.id}
        used = yield from resources.ask(battle, fighter.side, "swap_quality", "SBH-UPG-UNPREDICTABLE-01", others, about)
        if used != "none":
            resources.spend(battle, fighter.side, "unpredictable", "SBH-UPG-UNPREDICTABLE-01", fighter.id)
            battle.swapped = (fighter.id, used)


def _treads_surely(battle: Battle, company: Sequence[Fighter]) -> Asking[str]:
    """Knowledge of the Terrain: whom difficult ground does not hinder in this activation (SBH-UPG-TERRAIN-01)."""
    upgrade, rule = "knowledge_of_terrain", "SBH-UPG-TERRAIN-01"
    for fighter in company:
        if not resources.has(battle, fighter.side, upgrade) or not battle.table.pieces:
            break
        about = {"fighter": fighter.id}
        used = yield from resources.ask(battle, fighter.side, "know_the_terrain", rule, [upgrade], about)
        if used != "none":
            resources.spend(battle, fighter.side, upgrade, rule, fighter.id)
            return fighter.id
    return ""


def _worst_of(battle: Battle, company: Sequence[Fighter]) -> QualityRoll:
    """The roll of the member who needs most, before naturals level it (SBH-GROUP-06)."""
    rolls = [quality_roll(battle, f, "group", company) for f in company]
    return max(rolls, key=lambda roll: roll.target - roll.bonus)


def _announced(chief: Fighter, company: list[Fighter]) -> Asking[dict[str, frozenset[str]]]:
    """Who of a group means to cast or to heal: he must say so before the roll (SBH-GROUP-11, SBH-SR-PRIEST-02)."""
    powers: dict[str, frozenset[str]] = {}
    about = {"fighter": chief.id}
    casters = [Option(f.id) for f in company if f.profile.casts and not f.drained]
    if casters:
        picked = yield PickSeveral(
            chief.side, casters, 0, len(casters), "announce_casting", "SBH-GROUP-11", about, default=()
        )
        powers |= {id: frozenset({"cast"}) for id in picked}
    healers = [Option(f.id) for f in company if f.profile.heals and not f.forsaken]
    if healers:
        picked = yield PickSeveral(
            chief.side, healers, 0, len(healers), "announce_healing", "SBH-SR-PRIEST-02", about, default=()
        )
        powers |= {id: powers.get(id, frozenset()) | {"heal"} for id in picked}
    return powers


@step
def activate_group(battle: Battle, leader: str, order: str, members: tuple[str, ...]) -> Step:
    """One roll for all of them with the worst Quality among them (SBH-GROUP-06 to -08)."""
    chief = battle.units[leader]
    company = [battle.units[id] for id in members]
    yield from _swap_quality(battle, company)
    announced = yield from _announced(chief, company if order == "group" else [])
    roll = _worst_of(battle, company)
    options = [Option(str(n), "", {"dice": n}) for n in DICE]
    about = {"fighter": leader, "order": order, "needed": roll.needed}
    number = yield PickOne(chief.side, options, "choose_group_dice", "SBH-GROUP-06", about, default="2")
    footed = yield from _treads_surely(battle, company)
    concerned = (chief, *company, *with_leaders(battle, chief))
    tricked = yield from resources.tricks_on(battle, concerned, fighter=leader, manner="order")
    obeyed = chief.profile.leads
    if tricked:
        roll = _worst_of(battle, company)
    resources.end_tricks(tricked)
    if not obeyed:
        # A cancelled order is lost.
        battle.then(("act",))
        return
    faces = roll.throw(int(number), battle.dice)
    good = roll.successes(faces)
    failures = len(faces) - good
    told = (tuple(faces), roll.needed, good, failures, roll.fighter.id, tuple(roll.reasons))
    battle.tell(GroupActivated("SBH-GROUP-06", leader, members, *told))
    activation = Activation(members, good, order, leader)
    activation.announced = announced
    activation.footed = footed
    for fighter in company:
        fighter.activated = True
    battle.acting.append(activation)
    if failures == 3:
        for id, powers in announced.items():
            _exhaust(battle, battle.units[id], powers)
    yield from _turn_over(battle, chief, failures)
    battle.then(("act",))


# -- acting ------------------------------------------------------------------------------------------------------------


@step
def act(battle: Battle) -> Step:
    """One action of whoever is acting; then the next, until none is left (SBH-ACT-08, -09)."""
    activation = battle.active
    able = [
        f
        for f in (battle.units[id] for id in activation.members)
        if f.on_table and activation.actions[f.id] > 0 and f.id not in activation.resting
    ]
    if not able:
        battle.then(("end_activation",))
        return
    fighter = able[0]
    if activation.kind:
        key = yield from choose_next(battle, able)
        if key == "done":
            battle.then(("end_activation",))
            return
        if key not in battle.units:
            yield from fire_volley(battle, key)
            yield from _after_action(battle)
            return
        fighter = battle.units[key]
    keys = open_actions(battle, fighter)
    if activation.kind == "rally" and not may_rest(battle, fighter, activation.actions[fighter.id]) and len(keys) > 1:
        keys.remove("done")
    if len(keys) == 1:
        key = keys[0]
    else:
        key = yield PickOne(
            fighter.side,
            [option_of(battle, key) for key in keys],
            "choose_action",
            "SBH-ACTION-01",
            {"fighter": fighter.id, "actions": activation.actions[fighter.id]},
            default=keys[0],
            why_not=lambda key: why_not(battle, fighter, key),
            besides=(Option("off", "off"),) if why_not_off(battle, fighter) is None else (),
        )
    if key == "done":
        activation.resting |= {fighter.id}
        battle.then(("act",) if activation.kind else ("end_activation",))
        return
    yield from perform(battle, fighter, key)
    yield from _after_action(battle)


def _after_action(battle: Battle) -> Asking[None]:
    """Whether the battle is over, else morale, then whether anybody is left to fight; orders have put their own steps
    on the track."""
    check_wiped_out(battle)
    yield from settle(battle)
    check_wiped_out(battle)
    if not battle.over and not (battle.track and battle.track[-1][0] == "activate_group"):
        battle.then(("act",))


@step
def end_activation(battle: Battle) -> None:
    """The next fighter, the Leader's remaining actions, or the end of the turn."""
    done = battle.acting.pop()
    if done.turnover:
        # Actions that a Leader has kept are lost with the turn (SBH-GROUP-10).
        battle.acting = []
        battle.then(("end_turn", "turnover"))
    elif battle.acting:
        battle.then(("act",))
    else:
        battle.then(("next_fighter",))


@step
def end_turn(battle: Battle, because: str) -> None:
    """The opponent's turn, unless the field is lost or the agreed time is up (SBH-END-02)."""
    rule = {"all_activated": "SBH-ACT-06", "turnover": "SBH-ACT-04", "chosen": "SBH-ACT-11"}[because]
    battle.tell(TurnEnded(rule, battle.turn, because))
    check_field(battle)
    if battle.over:
        return
    if battle.turn_limit and battle.round >= battle.turn_limit:
        end_battle(battle, "time", "SBH-END-03")
        return
    battle.then(("begin_turn", 1 - battle.turn))
