"""The three behaviours, line by line (LFW-AUTO-06, -07, T-14), and how they play a go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Decision, Option
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.alternation import BEHAVING, DICTATING, OWNERLESS, Activity
from oriflamme.games.lfw.automata.acting import Actor, strongest, weakest
from oriflamme.games.lfw.automata.answers import draw, without_asking
from oriflamme.games.lfw.automata.breaking_in import nearest_way_in
from oriflamme.games.lfw.charge import declare_on, open_to_charge
from oriflamme.games.lfw.combat import Armoury, Fighting, attack_with, blows_of, highest_attack
from oriflamme.games.lfw.events.melee import AttackSplit
from oriflamme.games.lfw.events.scenarios import AutomatonActed
from oriflamme.games.lfw.flee import flee_of_own_will, may_flee
from oriflamme.games.lfw.ground import distance, distance_between
from oriflamme.games.lfw.melee import STRIKES, blow, shoot_in_melee
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.shooting import Volley, fire, permission, why_not_shoot, why_not_target
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Asking, Battle, Model, Part

WOUNDED_NEAR: Final = 9.0  # inches (LFW-AUTO-A4)
# Activities that a unit nobody decides for takes part in as the rules demand, whatever its behaviour says.
COMPULSORY: Final = ("resolve_charge_first", "resolve_charge", "resolve_charge_last", "fight", "morale")
# Activities that no line speaks of: such a unit takes no part in them.
VOLUNTARY: Final = ("engage", "vanguard")


class Line(NamedTuple):
    """A line of a behaviour: its rule, its number, the step it belongs to, its condition, and what it does."""

    rule: str
    number: int
    step: str
    holds: Callable[[Actor], bool]
    act: Callable[[Actor, str], Asking[None]]


# -- what lines do -----------------------------------------------------------------------------------------------------


def is_in_melee(actor: Actor) -> bool:
    return actor.in_melee


def stay_in_melee(actor: Actor, rule: str) -> Asking[None]:
    return
    yield


def may_leave_melee(actor: Actor) -> bool:
    return actor.in_melee and may_flee(actor.battle, actor.model)


def flee_from_melee(actor: Actor, rule: str) -> Asking[None]:
    """A voluntary flight (LFW-FLEE-04)."""
    yield from flee_of_own_will(actor.battle, actor.model)


def _open_to_charge(actor: Actor) -> list[Model]:
    """Those it sees of whom it may charge: by some rules not the same (LFW-AUTO-C2, LFW-SPELL-P6)."""
    battle, model = actor.battle, actor.model
    return [enemy for enemy in open_to_charge(battle, model) if sees(battle, model, enemy)]


def may_charge(actor: Actor) -> bool:
    return bool(_open_to_charge(actor))


def charge_nearest(actor: Actor, rule: str) -> Asking[None]:
    """Only the one target is declared (LFW-AUTO-11)."""
    target = actor.nearest(_open_to_charge(actor))
    if target is not None:
        yield from declare_on(actor.battle, actor.model, (target.id,))


def sees_somebody(actor: Actor) -> bool:
    return bool(actor.visible())


def is_unalarmed(actor: Actor) -> bool:
    return not actor.is_alarmed() and sees_somebody(actor)


def run_to_nearest(actor: Actor, rule: str) -> Asking[None]:
    target = actor.nearest(actor.visible())
    if target is not None:
        yield from actor.go_to_unit(target, "run", rule)


def sees_goal(actor: Actor) -> bool:
    return bool(actor.goals())


def sees_goal_unalarmed(actor: Actor) -> bool:
    return not actor.is_alarmed() and sees_goal(actor)


def walk_to_goal(actor: Actor, rule: str) -> Asking[None]:
    yield from actor.go_to_place(draw(actor.battle, actor.goals()), "normal", rule)


def is_out_of_range(actor: Actor) -> bool:
    return not actor.has_in_range() and sees_somebody(actor)


def walk_into_range(actor: Actor, rule: str) -> Asking[None]:
    target = actor.nearest(actor.visible())
    if target is not None:
        yield from actor.go_to_unit(target, "normal", rule)


def _wounded_near(actor: Actor) -> list[Model]:
    battle, model = actor.battle, actor.model
    return [
        enemy
        for enemy in battle.enemies_of(model)
        if any(part.pv < part.most for part in enemy.alive)
        and distance(battle, model, enemy) <= inches(WOUNDED_NEAR) + TOLERANCE
    ]


def is_near_the_wounded(actor: Actor) -> bool:
    return bool(_wounded_near(actor))


def hunt_the_wounded(actor: Actor, rule: str) -> Asking[None]:
    prey = actor.nearest(_wounded_near(actor))
    if prey is not None:
        yield from actor.hunt(prey, "run", rule)


def always(actor: Actor) -> bool:
    return True


def wander(actor: Actor, rule: str) -> Asking[None]:
    """In a random direction; the tide goes to the door of who has shut himself in (LFW-LEG1-08)."""
    opening = nearest_way_in(actor.battle, actor.model)
    if opening is not None:
        yield from actor.go_to_opening(opening, "normal", rule)
        return
    yield from actor.go_straight(actor.battle.dice.direction(), "normal", rule)


def _usable(actor: Actor, part: Part, weapons: Iterable[Weapon]) -> dict[str, list[Weapon]]:
    """Visible enemies that are in range, with the weapons of these it can use on each."""
    battle, model = actor.battle, actor.model
    ranged = [weapon for weapon in weapons if not weapon.melee]
    found = {
        enemy.id: [weapon for weapon in ranged if why_not_shoot(battle, part, weapon, enemy) is None]
        for enemy in actor.visible()
        if why_not_target(battle, model, enemy) is None
    }
    return {id: weapons for id, weapons in found.items() if weapons}


def has_target(actor: Actor) -> bool:
    return any(_usable(actor, part, part.weapons) for part in actor.model.alive)


def shoot_nearest(actor: Actor, rule: str) -> Asking[None]:
    """At the nearest visible enemy that is in range of a weapon it can use; then with those that are used in addition,
    at the nearest that is in range of each (LFW-SR-EQP-21)."""
    battle, model = actor.battle, actor.model
    model.to_shoot = False
    for part in list(model.alive):
        more = [weapon for weapon in part.weapons if permission(battle, part, weapon).besides]
        yield from _shoot(actor, part, [weapon for weapon in part.weapons if weapon not in more])
        for weapon in more:
            yield from _shoot(actor, part, [weapon])


def _shoot(actor: Actor, part: Part, weapons: list[Weapon]) -> Asking[None]:
    """One shot of a part with the strongest of some weapons, if there is anybody to shoot at."""
    battle, model = actor.battle, actor.model
    usable = _usable(actor, part, weapons) if model.on_table and not part.destroyed else {}
    target = actor.nearest([battle.units[id] for id in usable])
    if target is not None:
        victim = draw(battle, target.alive)
        weapon = strongest(usable[target.id], battle, part, victim)
        yield from fire(Volley(battle, part, model, victim, weapon))


# -- the tables --------------------------------------------------------------------------------------------------------

CLASSIC: Final = (
    Line("LFW-AUTO-C1", 1, "flee", is_in_melee, stay_in_melee),
    Line("LFW-AUTO-C2", 1, "declare_charge", may_charge, charge_nearest),
    Line("LFW-AUTO-C3", 1, "run", sees_somebody, run_to_nearest),
    Line("LFW-AUTO-C4", 1, "move", sees_goal, walk_to_goal),
    Line("LFW-AUTO-C5", 1, "move", always, wander),
)
AGGRESSIVE: Final = (
    Line("LFW-AUTO-A1", 1, "flee", is_in_melee, stay_in_melee),
    Line("LFW-AUTO-A2", 1, "declare_charge", may_charge, charge_nearest),
    Line("LFW-AUTO-A3", 1, "run", sees_somebody, run_to_nearest),
    Line("LFW-AUTO-A4", 1, "move", is_near_the_wounded, hunt_the_wounded),
    Line("LFW-AUTO-A5", 1, "move", always, wander),
)
SHOOTER: Final = (
    Line("LFW-AUTO-T2", 1, "flee", may_leave_melee, flee_from_melee),
    Line("LFW-AUTO-T3", 1, "run", is_unalarmed, run_to_nearest),
    Line("LFW-AUTO-T4", 1, "move", is_out_of_range, walk_into_range),
    Line("LFW-AUTO-T5", 1, "move", sees_goal_unalarmed, walk_to_goal),
    Line("LFW-AUTO-T6", 2, "shoot", has_target, shoot_nearest),
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


def is_spent(model: Model, number: int) -> bool:
    """It has performed an action of that number this turn (LFW-AUTO-07). A failed charge is one, a cancelled one is not
    (LFW-AUTO-12)."""
    marks = {mark for part in model.alive for mark in part.used}
    if f"charge_{number}" in marks:
        return bool(model.declared) or model.moved == "charge"
    return f"line_{number}" in marks


def _spend(model: Model, line: Line) -> None:
    mark = f"charge_{line.number}" if line.step == "declare_charge" else f"line_{line.number}"
    for part in model.alive:
        part.used = (part.used - {f"charge_{line.number}"}) | {mark}


def next_line(battle: Battle, kind: Activity, model: Model) -> Line | None:
    """The line that is carried out in this step: of those of a number that is not spent, in the printed order, the
    first whose condition holds (LFW-AUTO-06, -07)."""
    step = STEPS.get(kind.name)
    actor = Actor(battle, model)
    lines = sorted(TABLES[model.behaviour or "classic"], key=lambda line: line.number)
    return next(
        (line for line in lines if line.step == step and not is_spent(model, line.number) and line.holds(actor)), None
    )


def follow(battle: Battle, kind: Activity, model: Model) -> Asking[bool]:
    """Its next line is told and carried out; whether there is one."""
    line = next_line(battle, kind, model)
    if line is None:
        return False
    _spend(model, line)
    battle.tell(AutomatonActed(line.rule, model.id, line.rule.rpartition("-")[2]))
    yield from without_asking(battle, line.act(Actor(battle, model), line.rule), lambda asked: _is_own(model, asked))
    return True


def dictates(battle: Battle, kind: Activity, model: Model, key: str) -> bool | None:
    """Whether its behaviour says that a unit acts in a step. What is demanded of any unit is not asked of it; there is
    nothing that it does of its own will (LFW-AUTO-09)."""
    if kind.name == "fight" and key.startswith("force:"):
        return None
    if kind.name not in STEPS:
        return False if kind.name in VOLUNTARY or (kind.name == "fight" and key != model.id) else None
    if kind.name == "flee" and model.fleeing:
        return None
    return key == model.id and next_line(battle, kind, model) is not None


def _is_own(model: Model, asked: Decision) -> bool:
    """A question to its own side about itself."""
    about = asked.about.get("unit")
    return asked.side == model.side and any(about == part.id for part in model.parts)


def play_ownerless(battle: Battle, kind: Activity, options: list[Option]) -> Asking[bool]:
    """The go of the army nobody owns: the unit nearest to an enemy that can act does (LFW-AUTO-04)."""
    side = battle.nobody
    keys = [option.key for option in options]
    if kind.name in COMPULSORY or kind.must(battle, side):
        units = [key for key in keys if key in battle.units]
        key = _nearest_to_enemy(battle, units)[0].id if units else keys[0]
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
    enemies = battle.enemies_of(left[0]) if left else []  # they are all of one army
    gaps = {model.id: distance_between(battle, [model], enemies) for model in left}
    found: list[Model] = []
    while left:
        least = min(gaps[model.id] for model in left) + TOLERANCE
        chosen = draw(battle, [model for model in left if gaps[model.id] <= least])
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
    """The enemy with the fewest life points, with the strongest weapon and those that are used in addition
    (LFW-SR-EQP-21); an aggressive unit splits, a shooter uses its pistol (LFW-AUTO-C6, -A6, -T7, -T8)."""
    battle, part = fighting.battle, fighting.part
    behaviour = fighting.model.behaviour or "classic"
    if not fighting.targets:
        return True
    target = weakest(battle, fighting.targets)
    pistols = [*armoury.shots, *(weapon for weapon in armoury.besides if not weapon.melee)]
    if behaviour == "shooter" and pistols:
        _tell(battle, part, "LFW-AUTO-T7")
        pistol = strongest(pistols, battle, part, target)
        yield from shoot_in_melee(fighting, pistol, target)
        weapons = [weapon for weapon in armoury.besides if weapon is not pistol]
    else:
        rule = {"classic": "LFW-AUTO-C6", "aggressive": "LFW-AUTO-A6", "shooter": "LFW-AUTO-T8"}[behaviour]
        _tell(battle, part, rule)
        best = [strongest(armoury.weapons, battle, part, target)] if armoury.weapons else []
        weapons = [*best, *armoury.besides]
    for weapon in weapons:
        yield from _strike_with(fighting, weapon, target, splits=behaviour == "aggressive")
    return True


def _strike_with(fighting: Fighting, weapon: Weapon, target: Part, *, splits: bool) -> Asking[None]:
    """The attacks of one weapon: on everybody if it sweeps (LFW-SR-EQP-03), else on one, or with what is left of them
    on others too (LFW-MEL-09)."""
    battle, part = fighting.battle, fighting.part
    if not weapon.melee:
        yield from shoot_in_melee(fighting, weapon, target)
        return
    blows = blows_of(fighting, weapon)
    if blows.sweeps:
        for enemy in blows.targets:
            yield from blow(fighting, weapon, enemy, attack_with(battle, part, weapon, enemy))
        return
    value = attack_with(battle, part, weapon, target)
    others = [enemy for enemy in fighting.targets if enemy is not target]
    while splits and others and value > highest_attack(battle, target, part):
        first = highest_attack(battle, target, part)
        second = weakest(battle, others)
        battle.tell(AttackSplit("LFW-MEL-09", part.id, second.id, first, value - first))
        yield from blow(fighting, weapon, target, first)
        value, target = value - first, second
        others = [enemy for enemy in others if enemy is not second]
    yield from blow(fighting, weapon, target, value)


def _tell(battle: Battle, part: Part, rule: str) -> None:
    battle.tell(AutomatonActed(rule, part.id, rule.rpartition("-")[2]))


DICTATING.append(dictates)
OWNERLESS.append(play_ownerless)
BEHAVING.append(behave)
STRIKES.append(strike_by_table)
