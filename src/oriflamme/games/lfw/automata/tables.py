"""The three behaviours, line by line (LFW-AUTO-06, -07, T-14), and how they play a go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Decision, Option
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.alternation import BEHAVING, OWNERLESS, Activity
from oriflamme.games.lfw.automata.acting import Actor, strongest, weakest
from oriflamme.games.lfw.automata.answers import draw, without_asking
from oriflamme.games.lfw.charge import why_not_charge
from oriflamme.games.lfw.combat import Armoury, Fighting, attack_with, highest_attack
from oriflamme.games.lfw.courage import passes_courage
from oriflamme.games.lfw.events.melee import AttackSplit
from oriflamme.games.lfw.events.moves import ChargeDeclared
from oriflamme.games.lfw.events.scenarios import AutomatonActed
from oriflamme.games.lfw.flee import begin_flight, flee_move, rally
from oriflamme.games.lfw.ground import distance
from oriflamme.games.lfw.melee import STRIKES, blow, shoot_in_melee
from oriflamme.games.lfw.shooting import Volley, fire, why_not_shoot, why_not_target
from oriflamme.games.lfw.state import Asking, Battle, Model, Part

WOUNDED_NEAR: Final = 9.0  # inches (LFW-AUTO-A4)
# Activities that a unit nobody decides for takes part in as the rules demand, whatever its behaviour says.
COMPULSORY: Final = ("resolve_charge_first", "resolve_charge", "resolve_charge_last", "fight", "morale")


class Line(NamedTuple):
    """A line of a behaviour: its rule, its number, the step it belongs to, and what it does. That tells whether its
    condition held and the action was carried out."""

    rule: str
    number: int
    step: str
    act: Callable[[Actor, str], Asking[bool]]


# -- what lines do -----------------------------------------------------------------------------------------------------


def stay_in_melee(actor: Actor, rule: str) -> Asking[bool]:
    return actor.in_melee
    yield


def flee_from_melee(actor: Actor, rule: str) -> Asking[bool]:
    """A voluntary flight (LFW-FLEE-04)."""
    battle, model = actor.battle, actor.model
    if not actor.in_melee or battle.option("lfw.voluntaryFlight") == "off":
        return False
    yield from flee_move(battle, model, voluntary=True)
    if model.on_table and not model.began_fleeing:
        if (yield from passes_courage(battle, model, "flight")):
            rally(battle, model, "LFW-FLEE-06")
        else:
            begin_flight(battle, model, "LFW-FLEE-06")
    return True


def charge_nearest(actor: Actor, rule: str) -> Asking[bool]:
    battle, model = actor.battle, actor.model
    open_to = [enemy for enemy in actor.visible() if why_not_charge(battle, model, enemy) is None]
    target = actor.nearest(open_to)
    if target is None:
        return False
    model.declared = (target.id,)
    battle.tell(ChargeDeclared("LFW-CHG-03", model.id, model.declared))
    return True
    yield


def run_to_nearest(actor: Actor, rule: str) -> Asking[bool]:
    target = actor.nearest(actor.visible())
    if target is None:
        return False
    yield from actor.go_towards((target.body.x, target.body.y, target.body.radius), "run", rule)
    return True


def run_if_unalarmed(actor: Actor, rule: str) -> Asking[bool]:
    return not actor.is_alarmed() and (yield from run_to_nearest(actor, rule))


def walk_to_goal(actor: Actor, rule: str) -> Asking[bool]:
    goal = actor.goal()
    if goal is None:
        return False
    yield from actor.go_towards(goal, "normal", rule)
    return True


def walk_to_goal_if_unalarmed(actor: Actor, rule: str) -> Asking[bool]:
    return not actor.is_alarmed() and (yield from walk_to_goal(actor, rule))


def walk_into_range(actor: Actor, rule: str) -> Asking[bool]:
    target = None if actor.has_in_range() else actor.nearest(actor.visible())
    if target is None:
        return False
    yield from actor.go_towards((target.body.x, target.body.y, target.body.radius), "normal", rule)
    return True


def hunt_the_wounded(actor: Actor, rule: str) -> Asking[bool]:
    battle, model = actor.battle, actor.model
    wounded = [
        enemy
        for enemy in battle.enemies_of(model)
        if any(part.pv < part.most for part in enemy.alive)
        and distance(battle, model, enemy) <= inches(WOUNDED_NEAR) + TOLERANCE
    ]
    prey = actor.nearest(wounded)
    if prey is None:
        return False
    yield from actor.hunt(prey, "run", rule)
    return True


def wander(actor: Actor, rule: str) -> Asking[bool]:
    yield from actor.go_straight(actor.battle.dice.direction(), "normal", rule)
    return True


def shoot_nearest(actor: Actor, rule: str) -> Asking[bool]:
    """At the nearest visible enemy that is in range of a weapon it can use."""
    battle, model = actor.battle, actor.model
    shot = False
    for part in list(model.alive):
        ranged = [weapon for weapon in part.weapons if not weapon.melee]
        usable = {
            enemy.id: [weapon for weapon in ranged if why_not_shoot(battle, part, weapon, enemy) is None]
            for enemy in actor.visible()
            if why_not_target(battle, model, enemy) is None
        }
        target = actor.nearest([battle.units[id] for id, weapons in usable.items() if weapons])
        if target is None or not model.on_table:
            continue
        model.to_shoot = False
        victim = target.alive[0] if len(target.alive) == 1 else draw(battle, target.alive)
        weapon = strongest(usable[target.id], battle, part, victim)
        yield from fire(Volley(battle, part, model, victim, weapon))
        shot = True
    return shot


# -- the tables --------------------------------------------------------------------------------------------------------

CLASSIC: Final = (
    Line("LFW-AUTO-C1", 1, "flee", stay_in_melee),
    Line("LFW-AUTO-C2", 1, "declare_charge", charge_nearest),
    Line("LFW-AUTO-C3", 1, "run", run_to_nearest),
    Line("LFW-AUTO-C4", 1, "move", walk_to_goal),
    Line("LFW-AUTO-C5", 1, "move", wander),
)
AGGRESSIVE: Final = (
    Line("LFW-AUTO-A1", 1, "flee", stay_in_melee),
    Line("LFW-AUTO-A2", 1, "declare_charge", charge_nearest),
    Line("LFW-AUTO-A3", 1, "run", run_to_nearest),
    Line("LFW-AUTO-A4", 1, "move", hunt_the_wounded),
    Line("LFW-AUTO-A5", 1, "move", wander),
)
SHOOTER: Final = (
    Line("LFW-AUTO-T2", 1, "flee", flee_from_melee),
    Line("LFW-AUTO-T3", 1, "run", run_if_unalarmed),
    Line("LFW-AUTO-T4", 1, "move", walk_into_range),
    Line("LFW-AUTO-T5", 1, "move", walk_to_goal_if_unalarmed),
    Line("LFW-AUTO-T6", 2, "shoot", shoot_nearest),
)
TABLES: Final = {"classic": CLASSIC, "aggressive": AGGRESSIVE, "shooter": SHOOTER}
# The steps of the lines, by the activities in which they are carried out.
STEPS: Final = {
    "flee": "flee",
    "declare_charge_first": "declare_charge",
    "declare_charge": "declare_charge",
    "run": "run",
    "move": "move",
    "shoot_first": "shoot",
    "shoot": "shoot",
    "shoot_last": "shoot",
}


def _mark(number: int) -> str:
    return f"line_{number}"


def follow(battle: Battle, kind: Activity, model: Model) -> Asking[bool]:
    """The lines of each number in the printed order, until one is carried out; a number is used once a turn
    (LFW-AUTO-06, -07)."""
    step = STEPS.get(kind.name)
    actor = Actor(battle, model)
    mind = model.alive[0]
    for number in (1, 2, 3):
        if _mark(number) in mind.used:
            continue
        for line in TABLES[model.behaviour or "classic"]:
            if line.number != number or line.step != step:
                continue
            if (yield from without_asking(battle, line.act(actor, line.rule), lambda asked: _is_own(model, asked))):
                mind.used |= {_mark(number)}
                battle.tell(AutomatonActed(line.rule, model.id, line.rule.rpartition("-")[2]))
                return True
    return False


def _is_own(model: Model, asked: Decision) -> bool:
    """A question to its own side about itself."""
    about = asked.about.get("unit")
    return asked.side == model.side and any(about == part.id for part in model.parts)


def play_ownerless(battle: Battle, kind: Activity, options: list[Option]) -> Asking[bool]:
    """The go of the army nobody owns: the unit nearest to an enemy that can act does (LFW-AUTO-04)."""
    side = battle.nobody
    keys = [option.key for option in options]
    if kind.name in COMPULSORY or kind.must(battle, side):
        key = keys[0] if keys[0] not in battle.units else _nearest_to_enemy(battle, keys)[0].id
        yield from kind.perform(battle, side, key)
        return True
    if kind.name not in STEPS:
        return False
    for model in _nearest_to_enemy(battle, [key for key in keys if key in battle.units]):
        if (yield from follow(battle, kind, model)):
            return True
    return False


def _nearest_to_enemy(battle: Battle, ids: list[str]) -> list[Model]:
    """Those nearest to an enemy first; ties in an order drawn at random."""
    left = [battle.units[id] for id in ids]
    found: list[Model] = []
    while left:
        gaps = {
            model.id: min((distance(battle, model, enemy) for enemy in battle.enemies_of(model)), default=0.0)
            for model in left
        }
        least = min(gaps.values())
        chosen = draw(battle, [model for model in left if gaps[model.id] <= least + TOLERANCE])
        found.append(chosen)
        left.remove(chosen)
    return found


def behave(battle: Battle, kind: Activity, model: Model) -> Asking[bool]:
    """A unit with a behaviour was picked by its player: its lines say what it does (LFW-AUTO-03). What the rules demand
    of it in this step is done as of any other."""
    if kind.name not in STEPS or (kind.name == "flee" and model.fleeing):
        return False
    yield from follow(battle, kind, model)
    return True


# -- striking ----------------------------------------------------------------------------------------------------------


def strike_by_table(fighting: Fighting, armoury: Armoury) -> Asking[bool]:
    """The enemy with the fewest life points, with the strongest weapon; an aggressive unit splits, a shooter uses its
    pistol (LFW-AUTO-C6, -A6, -T7, -T8)."""
    battle, part = fighting.battle, fighting.part
    behaviour = fighting.model.behaviour or "classic"
    if not fighting.targets:
        return True
    target = weakest(battle, fighting.targets)
    if behaviour == "shooter" and armoury.shots:
        _tell(battle, part, "LFW-AUTO-T7")
        yield from shoot_in_melee(fighting, strongest(armoury.shots, battle, part, target), target)
        return True
    rule = {"classic": "LFW-AUTO-C6", "aggressive": "LFW-AUTO-A6", "shooter": "LFW-AUTO-T8"}[behaviour]
    _tell(battle, part, rule)
    if not armoury.weapons:
        return True
    weapon = strongest(armoury.weapons, battle, part, target)
    value = attack_with(battle, part, weapon, target)
    others = [enemy for enemy in fighting.targets if enemy is not target]
    while behaviour == "aggressive" and others and value > highest_attack(battle, target, part):
        first = highest_attack(battle, target, part)
        second = weakest(battle, others)
        battle.tell(AttackSplit("LFW-MEL-09", part.id, second.id, first, value - first))
        yield from blow(fighting, weapon, target, first)
        value, target = value - first, second
        others = [enemy for enemy in others if enemy is not second]
    yield from blow(fighting, weapon, target, value)
    return True


def _tell(battle: Battle, part: Part, rule: str) -> None:
    battle.tell(AutomatonActed(rule, part.id, rule.rpartition("-")[2]))


OWNERLESS.append(play_ownerless)
BEHAVING.append(behave)
STRIKES.append(strike_by_table)
