"""Ranged attacks (RN3-SHOOT, RN3-OBS): whom one may shoot at, how hard it is, and who falls."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one, put_in_order
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.hulls import Hull
from oriflamme.engine.geometry.measure import cm, in_cm
from oriflamme.games.rn3 import targets
from oriflamme.games.rn3.area import lay_template, typical
from oriflamme.games.rn3.attempts import attempt
from oriflamme.games.rn3.contact import disc_of, gap, is_free, touches
from oriflamme.games.rn3.elixir import spend, why_not_exploit
from oriflamme.games.rn3.events import HitsSaved, ShotMeasured, ShotOutOfRange, TargetDeclared
from oriflamme.games.rn3.leaders import leads
from oriflamme.games.rn3.losses import Cause, cancel_damage, hurt
from oriflamme.games.rn3.machines import crew_of, dice_of_machine, improvised, why_machine_may_not_shoot
from oriflamme.games.rn3.marching import change_step, declare_destination, walk_step
from oriflamme.games.rn3.measures import CONTACT
from oriflamme.games.rn3.moments import Keyword, book
from oriflamme.games.rn3.mystics import mystic_actions
from oriflamme.games.rn3.orders import order
from oriflamme.games.rn3.profile import Profile
from oriflamme.games.rn3.salvos import Salvo, save_hits
from oriflamme.games.rn3.sight import Lines, block_of, obstacles_of_shot
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Step, Unit, skills_of, step, value_of
from oriflamme.games.rn3.tactics import counter_charges, tactics_at_work
from oriflamme.games.rn3.terrain import hill_under, raised_size

INTERFERENCE: Final = 2  # RN3-OBS-02
FOOT_OF_HILL: Final = 2  # RN3-OBS-05
IMPROVISED: Final = 1  # RN3-WM-10


# -- who may shoot at whom ---------------------------------------------------------------------------------------------


def shooters_of(unit: Unit) -> list[Fighter]:
    """Its fighters with a ranged weapon; of a machine with crew, the machine (RN3-CARD-04, RN3-WM-08)."""
    machine = unit.machine
    if machine is not None:
        return [machine] if crew_of(unit) and machine.profile.ranged is not None else []
    return [f for f in unit.figures if f.profile.ranged is not None]


def why_not_shoot(battle: Battle, unit: Unit) -> Refusal | None:
    """The reason a unit can make no ranged attack at all, if any (RN3-SHOOT-01, -02)."""
    if not shooters_of(unit):
        return Refusal("RN3-SHOOT-01", "no_ranged_weapon", {"unit": unit.id})
    if not is_free(battle, unit):
        return Refusal("RN3-SHOOT-02", "shooters_engaged", {"unit": unit.id})
    return why_machine_may_not_shoot(battle, unit)


def why_not_target(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """The reason this unit is no target of a shot, if any (RN3-SHOOT-04, -05). Distance is none: it is not measured
    before the shot is declared (RN3-GEN-04)."""
    if not is_free(battle, target) and not _shoots_at_engaged(unit):
        return Refusal("RN3-SHOOT-05", "target_engaged", {"unit": unit.id, "target": target.id})
    refusal = targets.why_not_target(battle, unit, target)
    if refusal is not None:
        return refusal
    if not Lines(battle, unit, target, "shoot").any_seen(viewers_of(unit)):
        return Refusal("RN3-SHOOT-04", "target_not_seen", {"unit": unit.id, "target": target.id})
    return None


def viewers_of(unit: Unit) -> list[Fighter]:
    """Those who must see: the shooters, and of a machine it or its crew (RN3-SHOOT-04, RN3-AREA-03)."""
    return [*shooters_of(unit), *(crew_of(unit) if unit.machine is not None else [])]


class Permission:
    """What the skills of shooters allow them besides the rule."""

    __slots__ = ("after_charge", "at_engaged")

    def __init__(self) -> None:
        self.at_engaged = False
        self.after_charge = False


def _shoots_at_engaged(unit: Unit, fighters: Sequence[Fighter] | None = None) -> bool:
    """At least one of its shooters may shoot at engaged enemies (RN3-SKL-43)."""
    return _permission(unit, fighters if fighters is not None else shooters_of(unit)).at_engaged


def _permission(unit: Unit, fighters: Sequence[Fighter]) -> Permission:
    permission = Permission()
    for shooter in fighters:
        at(Keyword.when_choosing_target, (skills_of(unit, shooter),), permission)
    return permission


def targets_of(battle: Battle, unit: Unit) -> list[Unit]:
    return [enemy for enemy in battle.enemies_of(unit.side) if why_not_target(battle, unit, enemy) is None]


# -- how hard it is ----------------------------------------------------------------------------------------------------


def range_of(distance: float) -> int:
    """The tens digit of the distance in centimetres; an exact ten belongs to the upper band (RN3-SHOOT-10)."""
    return int((in_cm(distance) + 1e-6) // 10)


def distance_between(unit: Unit, target: Unit) -> float:
    """From leader to leader, base to base (RN3-SHOOT-10)."""
    return max(0.0, gap(unit.leading, target.leading))


def interferes(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Something lies even partly in the field of fire that is not two sizes smaller than the target (RN3-OBS-02, -04).

    The field of fire is the hull of both units without the units themselves (RN3-SHOOT-06). The target is as large as
    its base troop, raised by its hill; a unit or melee in between is as large as its tallest model (RN3-OBS-03).
    """
    troop = [f for f in target.figures if f.profile.id == target.profile.id] or target.figures
    size = max(raised_size(battle, f) for f in troop)
    units_count = battle.is_option("unitsInterfere", "yes")
    field = Hull([disc_of(f) for f in (*unit.figures, *target.figures)])
    for obstacle in obstacles_of_shot(battle, unit, target):
        if obstacle.size <= size - 2:
            continue
        if obstacle.piece is not None:
            if field.meets_outline(obstacle.piece.outline):
                return True
        elif units_count and block_of(obstacle.discs).lies_in(field):
            return True
    return False


def at_foot_of_hill(battle: Battle, unit: Unit, target: Unit) -> bool:
    """A model of the shooters touches the foot of the hill on which the target stands (RN3-OBS-05)."""
    hills = {f.level: hill for f in target.figures if (hill := hill_under(battle, f)) is not None}
    for level, hill in hills.items():
        for f in unit.figures:
            if f.level != level and hill.outline.distance(f.x, f.y) - f.radius <= CONTACT:
                return True
    return False


def difficulty_of(battle: Battle, unit: Unit, target: Unit) -> tuple[Reason, ...]:
    """Everything that makes a shot hard: range, interference, the foot of a hill, an improvised crew (RN3-OBS-06)."""
    reasons = [Reason("range", range_of(distance_between(unit, target)), "RN3-SHOOT-10")]
    if interferes(battle, unit, target):
        reasons.append(Reason("interference", INTERFERENCE, "RN3-OBS-02"))
    if at_foot_of_hill(battle, unit, target):
        reasons.append(Reason("foot of the hill", FOOT_OF_HILL, "RN3-OBS-05"))
    if improvised(unit):
        reasons.append(Reason("improvised crew", IMPROVISED, "RN3-WM-10"))
    return tuple(reasons)


# -- the shot ----------------------------------------------------------------------------------------------------------


def choose_target(battle: Battle, unit: Unit, targets: Sequence[Unit], rule: str = "RN3-SHOOT-04") -> Asking[str]:
    """Whom it shoots at; nobody measures before that is said (RN3-GEN-04)."""
    key = yield from pick_one(
        unit.side,
        [*(Option.thing(target.id, "unit") for target in targets), Option("none", "none")],
        "shoot_target",
        rule,
        {"unit": unit.id},
        why_not=lambda key: (
            why_not_target(battle, unit, battle.units[key])
            if key in {e.id for e in battle.enemies_of(unit.side)}
            else None
        ),
    )
    return key


def shoot_at(battle: Battle, unit: Unit, target: Unit, *, window: str = "order") -> Asking[None]:
    """One shooting of a unit (RN3-SHOOT).

    1. The profiles that shoot, and in which order; an Incarnate may have a target of his own.   RN3-SHOOT-09, INC-07
    2. The distance is measured once, from leader to leader.                                     RN3-SHOOT-10
    3. Each salvo: Attack test, saves, Force test, losses.                                       RN3-SHOOT-11 to -14

    `window` is "order", "standby" or "assault_shot": models in contact, difficulty 0 (RN3-SKL-44).
    """
    battle.tell(TargetDeclared("RN3-SHOOT-04", unit.id, target.id, window))
    targets.reveal(battle, unit)
    salvos = yield from order_of_salvos(battle, unit, target, window)
    for card in salvos:
        at_whom: Unit | None = target
        shooter = next((f for f in shooters_of(unit) if f.profile.id == card), None)
        if shooter is None:
            continue
        if shooter.profile.incarnate and window == "order":
            at_whom = yield from _target_of_incarnate(battle, unit, shooter, target)
        if at_whom is not None and at_whom.on_table:
            yield from fire(battle, unit, shooter.profile, at_whom, window)


def order_of_salvos(battle: Battle, unit: Unit, target: Unit, window: str) -> Asking[tuple[str, ...]]:
    """One salvo for each profile; the player chooses their order and may leave some out (RN3-SHOOT-09)."""
    able = able_to_shoot(battle, unit, target, window)
    # An Incarnate may shoot at somebody else, so he is asked whether or not he sees this one (RN3-INC-07).
    if window == "order":
        able += [f for f in shooters_of(unit) if f.profile.incarnate and f not in able]
    cards = list(dict.fromkeys(f.profile.id for f in able))
    if len(cards) < 2:
        return tuple(cards)
    options = [Option(card, "card", {"card": card}) for card in cards]
    about = {"unit": unit.id, "target": target.id}
    order = yield from put_in_order(unit.side, options, "order_of_salvos", "RN3-SHOOT-09", about)
    kept = []
    for card in order:
        yes = yield from pick_one(
            unit.side,
            [Option("shoot", "salvo", {"card": card}), Option("hold", "salvo", {"card": card})],
            "fire_salvo",
            "RN3-SHOOT-09",
            {**about, "card": card},
            default="shoot",
        )
        if yes == "shoot":
            kept.append(card)
    return tuple(kept)


def able_to_shoot(battle: Battle, unit: Unit, target: Unit, window: str) -> list[Fighter]:
    """The shooters that take part: those who see a model of the target, for an assault shot those who touch one
    (RN3-SHOOT-07, RN3-SKL-44)."""
    shooters = shooters_of(unit)
    if window == "assault_shot":
        able = [f for f in shooters if _permission(unit, [f]).after_charge]
        return [f for f in able if any(touches(f, enemy) for enemy in target.figures)]
    if not is_free(battle, target):
        shooters = [f for f in shooters if _shoots_at_engaged(unit, [f])]
    lines = Lines(battle, unit, target, "shoot")
    if unit.machine is not None:
        return shooters if lines.any_seen(viewers_of(unit)) else []
    return lines.seen(shooters)[0]


def _target_of_incarnate(battle: Battle, unit: Unit, hero: Fighter, target: Unit) -> Asking[Unit | None]:
    """His shot is a salvo of its own, and may go at another target than his unit's; nobody if he sees none
    (RN3-INC-07)."""
    seen = [e for e in targets_of(battle, unit) if hero in able_to_shoot(battle, unit, e, "order")]
    if not seen:
        return None
    key = yield from pick_one(
        unit.side,
        [Option.thing(e.id, "unit") for e in seen],
        "incarnate_target",
        "RN3-INC-07",
        {"unit": unit.id, "fighter": hero.id},
        default=target.id if target in seen else seen[0].id,
    )
    return battle.units[key]


def fire(battle: Battle, unit: Unit, card: Profile, target: Unit, window: str) -> Asking[None]:
    """One salvo, from the distance to the last loss (RN3-SHOOT-10 to -15)."""
    shooters = [f for f in able_to_shoot(battle, unit, target, window) if f.profile.id == card.id]
    if not shooters:
        return
    part, victims = yield from _part_of_target(battle, unit, target)
    reasons = (
        (Reason("assault shot", 0, "RN3-SKL-44"),) if window == "assault_shot" else difficulty_of(battle, unit, target)
    )
    distance = distance_between(unit, target)
    if window != "assault_shot":
        total = sum(reason.amount for reason in reasons)
        battle.tell(ShotMeasured("RN3-SHOOT-10", unit.id, target.id, in_cm(distance), total, reasons))
        assert card.ranged is not None
        if card.ranged.most and distance > cm(card.ranged.most) + CONTACT:
            most = float(card.ranged.most)
            battle.tell(ShotOutOfRange("RN3-GEN-04", unit.id, target.id, card.id, in_cm(distance), most))
            return
    hero = shooters[0] if card.incarnate else None
    aimed = (yield from _precise_shot(battle, unit, hero, target, window)) if hero is not None else None
    salvo = make_salvo(battle, unit, shooters, target, reasons, aimed or part)
    cause = Cause("area" if salvo.is_area else "shot", unit.id, hero.id if hero else "")
    denier = targets.hero_tested(target, aimed or part)
    attack = yield from attempt(
        battle,
        salvo.attack(unit.id, target.id),
        unit=unit,
        hero=hero,
        against=target,
        target_hero=denier,
        card=card.id,
    )
    hits = yield from roll_saves(battle, target, salvo, attack.successes)
    if salvo.is_area:
        viewers = viewers_of(unit) if unit.machine is not None else shooters
        yield from lay_template(battle, unit, viewers, target, salvo, attack, hits, cause)
        return
    if not hits:
        return
    wound = yield from attempt(
        battle,
        salvo.wound(unit.id, target.id, hits),
        unit=unit,
        hero=hero,
        against=target,
        target_hero=denier,
        card=card.id,
    )
    if not wound.successes:
        return
    named = aimed or part
    if named is not None:
        points = yield from cancel_damage(battle, target, [named], wound.successes, None)
        yield from hurt(battle, target, named, points, cause)
        return
    points = yield from cancel_damage(battle, target, victims, wound.successes, None)
    yield from assign_damage(battle, unit, target, shooters, points, salvo, cause)


def make_salvo(
    battle: Battle,
    unit: Unit,
    shooters: Sequence[Fighter],
    target: Unit,
    difficulty: tuple[Reason, ...],
    part: Fighter | None,
) -> Salvo:
    """The salvo of some fighters of one profile. RES is that of the target's base troop, or of the one model that is
    aimed at (RN3-SHOOT-13, RN3-INC-08, RN3-WM-12). A machine is one weapon, however many work it (RN3-SHOOT-15)."""
    first = shooters[0]
    line = first.profile.ranged
    assert line is not None
    machine = unit.machine is not None
    dice = dice_of_machine(unit, line) if machine else line.dice * len(shooters)
    whose = part or typical(target)
    salvo = Salvo(
        first.profile,
        1 if machine else len(shooters),
        dice,
        value_of(unit, first, "ranged_att"),
        value_of(unit, first, "ranged_for"),
        difficulty,
        value_of(target, whose, "res"),
        skills_of(unit, first),
        skills_of(target, whose),
        scattered=not target.compact,
        stood=any(not f.moved for f in unit.figures),
        titan=whose.profile.category == "titan",
        options=battle.options,
    )
    salvo.protect(book.empty if counter_charges(battle, target) else tactics_at_work(target))
    return salvo


def roll_saves(battle: Battle, target: Unit, salvo: Salvo, hits: int) -> Asking[int]:
    """A dispersed target, and one that goes with care, cancels hits (RN3-FORM-08, RN3-TAC-03)."""
    for save in salvo.saves:
        if hits:
            left, faces = save_hits(battle.dice, hits)
            battle.tell(HitsSaved(save.rule, target.id, save.source, hits, left, faces))
            hits = left
    return hits
    yield


def _part_of_target(battle: Battle, unit: Unit, target: Unit) -> Asking[tuple[Fighter | None, list[Fighter]]]:
    """Of a machine with crew the shooting player names the machine or the crew (RN3-WM-12)."""
    machine = target.machine
    people = [f for f in target.figures if not f.profile.machine]
    if machine is None or not people:
        return machine, people
    options = [Option("crew", "part"), Option("machine", "part")]
    key = yield from pick_one(
        unit.side, options, "machine_or_crew", "RN3-WM-12", {"unit": unit.id, "target": target.id}, default="crew"
    )
    return (machine, people) if key == "machine" else (None, people)


def _precise_shot(battle: Battle, unit: Unit, hero: Fighter, target: Unit, window: str) -> Asking[Fighter | None]:
    """For an elixir an Incarnate chooses the model he shoots at; he must see it (RN3-ELX-03)."""
    if why_not_exploit(battle, unit, hero, "precise_shot") is not None:
        return None
    lines = Lines(battle, unit, target, "shoot")
    seen = [f for f in target.figures if window == "assault_shot" or lines.sees(hero, f)]
    if not seen:
        return None
    key = yield from pick_one(
        unit.side,
        [Option("none", "none"), *(Option.thing(f.id, "fighter") for f in seen)],
        "precise_shot",
        "RN3-ELX-03",
        {"unit": unit.id, "fighter": hero.id, "target": target.id},
        default="none",
    )
    if key == "none":
        return None
    spend(battle, unit, hero, "precise_shot")
    return target.figure(key)


def assign_damage(
    battle: Battle,
    unit: Unit,
    target: Unit,
    shooters: Sequence[Fighter],
    points: int,
    salvo: Salvo,
    cause: Cause,
) -> Asking[None]:
    """Losses of a shot (RN3-SHOOT-08, -14, -15, -18): as many models as possible, the wounded first and then those
    nearest to the shooters' leader, no more than weapons that fired. A fighter falls for an Incarnate who is seen
    (RN3-INC-10); what can eliminate nobody any more stays as wounds."""
    order = in_order_of_loss(battle, unit, target, shooters)
    fallen = who_falls([f.left for f in order], points, salvo.most_losses)
    for number in fallen:
        points -= order[number].left
    rest = [f for number, f in enumerate(order) if number not in fallen]
    for victim in sorted((order[number] for number in fallen), key=lambda f: leads(battle, target, f.id)):
        yield from hurt(battle, target, victim, victim.left, cause)
    for victim in rest:
        taken = min(points, victim.left - 1)
        if taken > 0:
            points -= taken
            yield from hurt(battle, target, victim, taken, cause)


def in_order_of_loss(battle: Battle, unit: Unit, target: Unit, shooters: Sequence[Fighter]) -> list[Fighter]:
    """Who can fall to a shot: those who are seen, and somebody for each Incarnate who is; the wounded first and then
    those nearest to the shooters' leader (RN3-SHOOT-08, -14, RN3-INC-10)."""
    lines = Lines(battle, unit, target, "shoot")
    _, seen = lines.seen(shooters if unit.machine is None else viewers_of(unit))
    leader = unit.leading
    troops = [f for f in target.figures if not f.profile.incarnate and not f.profile.machine]
    heroes = [f for f in seen if f.profile.incarnate]
    eligible = [f for f in troops if f in seen]
    if heroes and troops:
        hidden = [f for f in troops if f not in seen]
        eligible += sorted(hidden, key=lambda f: _away(leader, f))[: len(heroes)]
    elif heroes:
        eligible = heroes
    return sorted(eligible, key=lambda f: (f.left if f.wounds else 99, _away(leader, f)))


def who_falls(left: Sequence[int], points: int, most: int | None) -> list[int]:
    """Which models so much damage eliminates: as many as it can, and of such choices the first in their order
    (RN3-SHOOT-14); `left` are their hit points."""

    def number(candidates: Sequence[int], damage: int, room: int) -> int:
        found = 0
        for needed in sorted(candidates):
            if found == room or damage < needed:
                break
            damage -= needed
            found += 1
        return found

    room = len(left) if most is None else most
    best = number(left, points, room)
    fallen: list[int] = []
    for place, needed in enumerate(left):
        rest = points - needed
        if rest >= 0 and len(fallen) < best:
            behind = number(left[place + 1 :], rest, room - len(fallen) - 1)
            if len(fallen) + 1 + behind == best:
                fallen.append(place)
                points = rest
    return fallen


def _away(leader: Fighter, fighter: Fighter) -> tuple[float, str]:
    return (round(hypot(leader.x - fighter.x, leader.y - fighter.y) - fighter.radius, 2), fighter.id)


# -- the order ---------------------------------------------------------------------------------------------------------

# In which order a unit shoots and walks (RN3-SHOOT-03).
PLANS: Final = ("shoot", "shoot_then_walk", "walk_then_shoot")


def declare_shot(battle: Battle, unit: Unit) -> Asking[None]:
    """Whether the unit also walks, and when, and whom it shoots at or where it goes first: said before anything is
    measured (RN3-SHOOT-03, -04, RN3-GEN-04)."""
    acting = battle.acting
    plans = ("shoot",) if not may_walk(unit) else PLANS
    acting.plan = yield from pick_one(
        unit.side, [Option(plan, "plan") for plan in plans], "shoot_plan", "RN3-SHOOT-03", {"unit": unit.id}
    )
    if acting.plan == "walk_then_shoot":
        yield from declare_destination(battle, unit)
    else:
        target = yield from choose_target(battle, unit, targets_of(battle, unit))
        acting.targets = (target,) if target != "none" else ()


def may_walk(unit: Unit) -> bool:
    """A machine that moves cannot shoot this turn, so its shot goes without a walk (RN3-WM-05)."""
    return unit.machine is None


@order("shoot", "RN3-SHOOT-01", free=True, why_not=why_not_shoot, declare=declare_shot)
def order_shoot(battle: Battle, unit: Unit) -> Asking[None]:
    """A ranged attack: one shooting and perhaps one walk, in either order; mystics act in between (RN3-SHOOT-03). The
    unit may change its formation at the start or at the end of it all, and before or after its walk (RN3-FCH-01)."""
    plan = battle.acting.plan
    between = due(mystic_actions, unit.id, "between")
    start, end = due(change_step, unit.id, "start"), due(change_step, unit.id, "end")
    if plan == "walk_then_shoot":
        battle.then_all(due(walk_step, unit.id), between, due(shoot_after_walk, unit.id), end)
    elif plan == "shoot_then_walk":
        battle.then_all(start, due(shoot_now, unit.id), between, due(walk_step, unit.id))
    else:
        battle.then_all(start, due(shoot_now, unit.id), end)
    return
    yield


@step
def shoot_now(battle: Battle, unit_id: str) -> Step:
    """The shot at the target that was declared."""
    unit = battle.units[unit_id]
    targets = battle.acting.targets
    if unit.on_table and targets and battle.units[targets[0]].on_table:
        battle.acting.shot = True
        yield from shoot_at(battle, unit, battle.units[targets[0]])


@step
def shoot_after_walk(battle: Battle, unit_id: str) -> Step:
    """After the walk the target is named, and then measured (RN3-SHOOT-03, -04)."""
    unit = battle.units[unit_id]
    if not unit.on_table or why_not_shoot(battle, unit) is not None:
        return
    found = targets_of(battle, unit)
    if not found:
        return
    key = yield from choose_target(battle, unit, found)
    if key != "none":
        battle.acting.targets = (key,)
        battle.acting.shot = True
        yield from shoot_at(battle, unit, battle.units[key])
