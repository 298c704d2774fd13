"""The melee phase: combats are fought one by one, and wounds wait until all have struck (LFW-MEL)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, cast

from oriflamme.engine.core.decisions import Moves, Option, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at, at
from oriflamme.engine.core.questions import move_figures, pick_one
from oriflamme.engine.core.steps import due
from oriflamme.engine.heights import walks
from oriflamme.engine.heights.walks import Waypoint
from oriflamme.games.lfw.alternation import Activity, activity, begin_alternation
from oriflamme.games.lfw.approach import Approach
from oriflamme.games.lfw.attack import Attack
from oriflamme.games.lfw.attacks import attack_value, make_attack, prepare, roll_attack
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.combat import (
    Armoury,
    Challenge,
    Fighting,
    Victory,
    armoury_of,
    attack_with,
    blows_of,
    fighting_of,
    highest_attack,
    saturate,
    verdict_on,
)
from oriflamme.games.lfw.deeds import COMBAT, note_deed
from oriflamme.games.lfw.events.melee import AttackSplit, CombatBegan, CombatDecided, Pushed
from oriflamme.games.lfw.gait import gait_of_inches
from oriflamme.games.lfw.ground import (
    distance,
    in_melee,
    is_duelling,
    melees,
    only_duels,
    touching_enemies,
)
from oriflamme.games.lfw.measures import PUSH, in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.morale import add_cause
from oriflamme.games.lfw.permits import is_free
from oriflamme.games.lfw.precedence import stage_of
from oriflamme.games.lfw.profile import WEAPON_NAMES, Weapon
from oriflamme.games.lfw.rolls import Rerolls
from oriflamme.games.lfw.shooting import Volley, permission
from oriflamme.games.lfw.state import Asking, Battle, Combat, Model, Part, Step, Wound, step
from oriflamme.games.lfw.terrain import words_of
from oriflamme.games.lfw.values import Amount, Sum
from oriflamme.games.lfw.walking import follow
from oriflamme.games.lfw.wounds import become_crippled, end_parted_duels, suffer

# Activations of the melee phase besides combats, such as forcing an opening (LFW-MEL-25): each has `options` and
# `perform` of its own, with keys that no other has.
MELEE_ACTIONS: Final[list[Activity]] = []
# How a unit with a behaviour strikes: given by `automata`; tells whether it did.
STRIKES: Final[list[Callable[[Fighting, Armoury], Asking[bool]]]] = []
# What is done when a combat is decided, before anybody pushes on (LFW-OBJ-09).
AFTER_COMBAT: Final[list[Callable[[Battle, Combat, tuple[int, ...]], Asking[None]]]] = []


@step
def begin_melee(battle: Battle) -> None:
    """The combats of the phase are the melees there are now; who will fight gets a combat marker (LFW-MEL-03,
    LFW-MARK-08)."""
    battle.combats = tuple(melees(battle))
    battle.fought = []
    for model in battle.units.values():
        model.to_fight = any(model.id in combat for combat in battle.combats)
    battle.then(end_melee)
    begin_alternation(battle, "fight")


@activity
class Combats(Activity):
    """Players activate one combat each; fighting is not optional (LFW-MEL-02)."""

    name = "fight"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_combat", "LFW-MEL-02")

    def options(self, battle: Battle, side: int) -> list[Option]:
        found = [
            Option(combat[0], "combat", {"units": list(combat)}, combat)
            for combat in battle.combats
            if any(battle.units[id].side == side and battle.units[id].on_table for id in combat)
        ]
        for action in MELEE_ACTIONS:
            found += action.options(battle, side)
        return found

    def must(self, battle: Battle, side: int) -> bool:
        return any(battle.units[id].side == side for combat in battle.combats for id in combat)

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        for combat in battle.combats:
            if combat[0] == key:
                fight_combat(battle, combat, side)
                return
        for action in MELEE_ACTIONS:
            if any(option.key == key for option in action.options(battle, side)):
                yield from action.perform(battle, side, key)
                return


def fight_combat(battle: Battle, models: tuple[str, ...], side: int) -> None:
    """A combat is fought in the order of LFW-MEL-05."""
    battle.combats = tuple(combat for combat in battle.combats if combat != models)
    there = tuple(id for id in models if battle.units[id].on_table)
    parts = tuple(part.id for id in there for part in battle.units[id].alive if _takes_part(battle, part))
    battle.combat = Combat(there, parts, side)
    battle.tell(CombatBegan("LFW-MEL-02", side, there))
    battle.then_all(due(challenges), due(strikes, "first"), due(strikes, "normal"), due(close_fighting))


def _takes_part(battle: Battle, part: Part) -> bool:
    """One of a duo whose other fights a duel stands by, if all enemies it touches do so too (LFW-CAV-23,
    LFW-SR-BLD-02i)."""
    model = battle.model_of(part)
    if part.duel or not is_duelling(model):
        return True
    return not all(only_duels(enemy) for enemy in touching_enemies(battle, model))


@step
def close_fighting(battle: Battle) -> None:
    """All have fought but those who strike last: wounds, and what follows; a house rule lets all wounds of the phase
    wait for the last combat (LFW-MEL-07)."""
    if battle.option("lfw.meleeWounds") == "perPhase" and battle.combat is not None:
        battle.fought.append(battle.combat)
        battle.combat = None
        return
    battle.then_all(*_AFTERMATH)


@step
def end_melee(battle: Battle) -> Step:
    """Wounds that have waited, and what skills do at the end of the phase (LFW-MEL-26)."""
    if battle.fought:
        battle.combat = battle.fought.pop(0)
        battle.then(end_melee)
        battle.then_all(*_AFTERMATH)
        return
    for model in battle.units.values():
        model.to_fight = False
    for side in battle.order:
        for model in battle.own(side):
            for part in model.alive:
                yield from ask_at(Keyword.at_end_of_melee, sets_of(battle, part), part, battle)


@step
def challenges(battle: Battle) -> Step:
    """Duels are fixed at the start, beginning with the player who chose the combat (LFW-MEL-05, 1)."""
    combat = battle.combat
    assert combat is not None
    for side in order_from(battle, combat.activator):
        for id in combat.parts:
            part = battle.part(id)
            if part.side == side and not part.duel and not battle.model_of(part).fleeing:
                challenge = Challenge(battle, combat, part)
                yield from ask_at(Keyword.before_combat, sets_of(battle, part), challenge)


def order_from(battle: Battle, first: int) -> tuple[int, ...]:
    """The initiative order, beginning with a side (LFW-MEL-06)."""
    place = battle.order.index(first) if first in battle.order else 0
    return battle.order[place:] + battle.order[:place]


# -- striking ----------------------------------------------------------------------------------------------------------


@step
def strikes(battle: Battle, stage: str) -> None:
    """Units that fight in this step of a combat do so in turn; the wounds of those who strike first or last are
    resolved at once (LFW-MEL-05, -06)."""
    assert battle.combat is not None
    battle.combat.stage, battle.combat.place = stage, 0
    if stage != "normal":
        battle.then(resolve_wounds)
    battle.then(next_strike)


@step
def next_strike(battle: Battle) -> Step:
    """One unit of the next player who has one left fights; its player chooses which (LFW-MEL-06)."""
    combat = battle.combat
    assert combat is not None
    order = order_from(battle, combat.activator)
    for shift in range(len(order)):
        place = (combat.place + shift) % len(order)
        side = order[place]
        fighters, helpers = ready(battle, combat, side), supporters(battle, combat, side)
        if not fighters and not helpers:
            continue
        combat.place = place + 1
        battle.then(next_strike)
        options = [Option(part.id, "fighter", {"unit": part.id}, (part.model,)) for part in (*fighters, *helpers)]
        if not fighters:
            options.append(Option("none", "no_support"))
        key = yield from pick_one(side, options, "choose_fighter", "LFW-MEL-06", {"step": combat.stage})
        if key == "none":
            combat.struck |= {part.id for part in helpers}
            return
        yield from strike(battle, combat, battle.part(key))
        return
    combat.place = 0


def ready(battle: Battle, combat: Combat, side: int) -> list[Part]:
    """Who of a side takes part, fights in this step and has not fought yet; who flees does not fight (LFW-FLEE-17)."""
    return [
        part
        for id in combat.parts
        if id not in combat.struck
        for part in [battle.part(id)]
        if part.side == side
        and not part.destroyed
        and not battle.model_of(part).fleeing
        and stage_of(battle, part, "strike") == combat.stage
        and fighting_of(battle, combat, part).targets
    ]


def supporters(battle: Battle, combat: Combat, side: int) -> list[Part]:
    """Who is in no melee and may fight through a friend (LFW-SR-EQP-13a); of a duo each does (LFW-CAV-10)."""
    found = []
    for model in battle.own(side):
        if model.fleeing or model.behaviour or in_melee(battle, model):
            continue
        for part in model.alive:
            if part.id in combat.parts or part.id in combat.struck or stage_of(battle, part, "strike") != combat.stage:
                continue
            if fighting_of(battle, combat, part).targets:
                found.append(part)
    return found


def strike(battle: Battle, combat: Combat, part: Part) -> Asking[None]:
    """A part fights once: one attack with one of its weapons, split if it can be; and what it makes besides
    (LFW-MEL-04, -08)."""
    combat.struck |= {part.id}
    fighting = fighting_of(battle, combat, part)
    if part.id not in combat.parts:
        combat.parts = (*combat.parts, part.id)
        combat.models = tuple(dict.fromkeys((*combat.models, part.model)))
    armoury = armoury_of(battle, part, fighting)
    yield from _impacts(fighting)
    if fighting.model.behaviour or part.side == battle.nobody:
        for behave in STRIKES:
            if (yield from behave(fighting, armoury)):
                return
    choices = [*armoury.weapons, *armoury.shots]
    if choices:
        weapon = choices[0]
        if len(choices) > 1:
            options = [Option(each.id, "weapon", {"weapon": each.id}) for each in choices]
            id = yield from pick_one(part.side, options, "fight_with", "LFW-MEL-08", {"unit": part.id})
            weapon = next(each for each in choices if each.id == id)
        yield from strike_with(fighting, weapon, shot=weapon in armoury.shots)
    for weapon in armoury.besides:
        yield from strike_with(fighting, weapon, shot=not weapon.melee)


def strike_with(fighting: Fighting, weapon: Weapon, *, shot: bool = False) -> Asking[None]:
    """The attacks of one weapon: at one target, at every target of a sweep, or split (LFW-MEL-08 to -14)."""
    part = fighting.part
    blows = blows_of(fighting, weapon)
    if blows.sweeps and not shot:
        for target in blows.targets:
            yield from blow(fighting, weapon, target, attack_with(fighting.battle, part, weapon, target))
        return
    target = yield from _choose_target(fighting, fighting.targets, weapon, "strike_at")
    if shot:
        yield from shoot_in_melee(fighting, weapon, target)
        return
    yield from _attack_and_split(fighting, weapon, target, None, ())


def _choose_target(fighting: Fighting, targets: list[Part], weapon: Weapon, ask: str) -> Asking[Part]:
    options = [Option(enemy.id, "target", {"unit": enemy.id}, (enemy.model,)) for enemy in targets]
    facts = {"unit": fighting.part.id, "weapon": weapon.id}
    id = yield from pick_one(fighting.part.side, options, "strike_at", "LFW-MEL-08", facts)
    return fighting.battle.part(id)


def _attack_and_split(
    fighting: Fighting, weapon: Weapon, target: Part, left: int | None, attacked: tuple[str, ...]
) -> Asking[None]:
    """An attack whose value is higher than the target's may leave the rest for another target, who was not attacked yet
    by this weapon; that is decided before the first roll (LFW-MEL-09 to -13)."""
    battle, part = fighting.battle, fighting.part
    value = attack_with(battle, part, weapon, target) if left is None else left
    attacked = (*attacked, target.id)
    highest = highest_attack(battle, target, part)
    others = [enemy for enemy in fighting.targets if enemy.id not in attacked]
    second = None
    if value > highest and others:
        options = [Option("no", "no_split"), *(Option(e.id, "target", {"unit": e.id}, (e.model,)) for e in others)]
        facts = {
            "unit": part.id,
            "target": target.id,
            "weapon": weapon.id,
            "first": highest,
            "rest": value - highest,
        }
        key = yield from pick_one(part.side, options, "split", "LFW-MEL-09", facts)
        second = battle.part(key) if key != "no" else None
    if second is None:
        yield from blow(fighting, weapon, target, value)
        return
    battle.tell(AttackSplit("LFW-MEL-09", part.id, second.id, highest, value - highest))
    yield from blow(fighting, weapon, target, highest)
    yield from _attack_and_split(fighting, weapon, second, value - highest, attacked)


def melee_attack(battle: Battle, part: Part, weapon: Weapon, target: Part, number: int) -> Attack:
    """A melee attack with all that changes it, saturation included (LFW-MEL-15 to -18)."""
    attack = make_attack(battle, "melee", part, target, weapon)
    prepare(attack)
    attack.number = Sum(number, floor=0)
    highest = highest_attack(battle, target, part)
    saturate(battle, number, highest, attack.bonus, attack.guard, saturates=attack.saturates)
    return attack


def blow(fighting: Fighting, weapon: Weapon, target: Part, number: int) -> Asking[None]:
    """One melee attack; its wounds wait (LFW-MEL-07)."""
    attack = melee_attack(fighting.battle, fighting.part, weapon, target, number)
    yield from _record(fighting, attack)


def _record(fighting: Fighting, attack: Attack) -> Asking[None]:
    attack, wounds = yield from roll_attack(fighting.battle, attack)
    if wounds:
        by = attack.attacker.id if attack.attacker is not None else ""
        forced = attack.rerolls["protection"]
        fighting.combat.waiting.append(
            Wound(
                attack.target.id,
                wounds,
                by,
                piercing=attack.pierces,
                flaming=attack.flaming,
                forced="impetuous" if forced.impetuous else "impertinent" if forced.impertinent else "",
            )
        )


def shoot_in_melee(fighting: Fighting, weapon: Weapon, target: Part) -> Asking[None]:
    """A ranged attack instead of a melee attack: dodge, no cover, no saturation, no split, at the one target
    (LFW-SR-EQP-19)."""
    battle, part = fighting.battle, fighting.part
    volley = Volley(battle, part, fighting.model, target, weapon)
    yield from ask_at(Keyword.when_shooting, sets_of(battle, part, weapon), volley)
    number = yield from attack_value(battle, part, weapon)
    attack = make_attack(battle, "ranged", part, target, weapon, number=number)
    attack.from_melee = True
    attack.times, attack.range = volley.times, permission(battle, part, weapon).range
    for amount, source, rule in volley.bonus:
        attack.bonus.change_by(amount, source, rule)
    prepare(attack)
    yield from _record(fighting, attack)


def _impacts(fighting: Fighting) -> Asking[None]:
    """Ranged attacks at every enemy in contact besides the normal attack, with CT 2+ (LFW-SR-BLD-06)."""
    for number, strength, rules in fighting.impacts:
        weapon = Weapon("impact", WEAPON_NAMES("impact"), 0.0, Amount(1), strength, rules)
        for target in fighting.targets:
            for _ in range(number):
                attack = make_attack(fighting.battle, "ranged", fighting.part, target, weapon, skill=2)
                attack.from_melee = True
                prepare(attack)
                yield from _record(fighting, attack)


# -- wounds, victory, push --------------------------------------------------------------------------------------------


@step
def resolve_wounds(battle: Battle) -> Step:
    """All wounds that wait are resolved together, protections, life points and who is crippled; then the destroyed are
    removed (LFW-MEL-19). Uncancelled ones count for victory, beyond the last life point too (LFW-WND-04)."""
    combat = battle.combat
    assert combat is not None
    waiting, combat.waiting = combat.waiting, []
    for wound in waiting:
        part = battle.part(wound.target)
        forced = Rerolls()
        forced.impertinent, forced.impetuous = wound.forced == "impertinent", wound.forced == "impetuous"
        suffered = yield from suffer(
            battle,
            part,
            wound.number,
            "melee",
            wound.by,
            piercing=wound.piercing,
            flaming=wound.flaming,
            protected=forced,
            together=True,
        )
        combat.suffered[part.side] = combat.suffered.get(part.side, 0) + suffered
    for target in dict.fromkeys(wound.target for wound in waiting):
        yield from become_crippled(battle, battle.part(target))
    yield from resolve_deaths(battle)


@step
def decide_combat(battle: Battle) -> Step:
    """Who has won is told, and who has lost tests its morale (LFW-MEL-20 to -23)."""
    combat = battle.combat
    assert combat is not None
    parts = [battle.part(id) for id in combat.parts]
    sides, suffered, winners = verdict_on(battle, combat)
    battle.tell(CombatDecided("LFW-MEL-20", sides, suffered, winners))
    for id in combat.models:
        model = battle.units[id]
        model.fought, model.to_fight = True, False
        if model.on_table and model.side not in winners and winners:
            add_cause(battle, model, "lost_combat", "|".join(combat.models), "LFW-MEL-23")
    for part in parts:
        if not part.destroyed:
            if part.side in winners:
                note_deed(battle, COMBAT, part)
            at(Keyword.after_combat, sets_of(battle, part), Victory(battle, combat, part, part.side in winners))
    for after in AFTER_COMBAT:
        yield from after(battle, combat, winners)
    battle.then(next_push, winners, ())


@step
def next_push(battle: Battle, winners: tuple[int, ...], done: tuple[str, ...]) -> Step:
    """Winners move units that touch no enemy into contact with enemies that took part, in turn, one unit at a time
    (LFW-MEL-24)."""
    combat = battle.combat
    assert combat is not None
    order = order_from(battle, combat.activator)
    for shift in range(len(order)):
        side = order[(combat.place + shift) % len(order)]
        if side not in winners:
            continue
        able = [
            model
            for id in combat.models
            for model in [battle.units[id]]
            if model.side == side and id not in done and may_push(battle, combat, model)
        ]
        if not able:
            continue
        combat.place = (combat.place + shift + 1) % len(order)
        options = [*(Option.thing(m.id, "unit", {"unit": m.id}) for m in able), Option("pass", "pass")]
        key = yield from pick_one(side, options, "choose_push", "LFW-MEL-24", {}, passing="pass")
        if key == "pass":
            battle.then(next_push, winners, (*done, *(model.id for model in able)))
            return
        battle.then(next_push, winners, (*done, key))
        yield from push(battle, combat, battle.units[key])
        return
    close_combat(battle, combat)


def close_combat(battle: Battle, combat: Combat) -> None:
    """Who touches only duelling enemies and is in no duel himself stands by from now on (LFW-SR-BLD-02e); who has lost
    contact by the death of his mount duels no more (LFW-SR-BLD-02d)."""
    for id in combat.models:
        end_parted_duels(battle, battle.units[id])
    for id in combat.models:
        model = battle.units[id]
        touched = touching_enemies(battle, model) if model.on_table else []
        model.bystander = bool(touched) and not is_duelling(model) and all(only_duels(enemy) for enemy in touched)
    battle.combat = None


class PushMove(Approach):
    """Up to 3" into contact with an enemy that took part, and with no other (LFW-MEL-24)."""

    rule = apart_rule = "LFW-MEL-24"

    def __init__(self, battle: Battle, combat: Combat, model: Model) -> None:
        foes = [enemy for enemy in battle.enemies_of(model) if enemy.id in combat.models]
        foes.sort(key=lambda enemy: distance(battle, model, enemy))
        gait = gait_of_inches(battle, model, PUSH)
        gait.burden = 0  # a treasure that would be one is abandoned (LFW-OBJ-06)
        super().__init__(battle, model, foes, gait)

    def numbers(self) -> range:
        return range(1, 2)

    def why_not(self, way: tuple[Waypoint, ...]) -> Refusal | None:
        walk = self.trace(way)
        refusal = self.why_not_go(walk)
        if refusal is None and not self.touched_at(walk.end):
            return Refusal("LFW-MEL-24", "must_touch", {"unit": self.model.id})
        return refusal


def may_push(battle: Battle, combat: Combat, model: Model) -> bool:
    """It took part, touches no enemy, nothing forbids it, and is not proven to come into contact with none that took
    part within 3" (LFW-MEL-24)."""
    if not model.on_table or model.fleeing or model.behaviour or touching_enemies(battle, model):
        return False
    if not is_free(battle, model, "push"):
        return False
    best = PushMove(battle, combat, model).best()
    return best.found is not None or not best.proven


def push(battle: Battle, combat: Combat, model: Model) -> Asking[None]:
    """Up to 3", ending in contact with an enemy that took part and touching no other (LFW-MEL-24). Where no such way is
    known its player may show one, or stay."""
    move = PushMove(battle, combat, model)
    found = move.best().found

    def check(moves: Moves) -> Refusal | Moves:
        if not moves:
            return moves if found is None else Refusal("LFW-MEL-24", "must_touch", {"unit": model.id})
        way = move.whole(cast(tuple[Waypoint, ...], next(iter(moves.values()))))
        return move.why_not(way) or {model.body.id: cast(Path, way)}

    def propose(random: Random) -> Moves:
        return {model.body.id: cast(Path, found.way)} if found is not None else {}

    about = {"unit": model.id, "reach": PUSH}
    words = words_of(battle.table)
    moves = yield from move_figures(
        model.side, (model.body.id,), check, propose, "push", "LFW-MEL-24", about, words=words
    )
    if not moves:
        return
    way = cast(tuple[Waypoint, ...], moves[model.body.id])
    length = in_inches(walks.bill(move.trace(way)).total)
    # It is no move of the movement phase: its marker stays as it is.
    before, model.moved = model.moved, "push"

    def told() -> Asking[None]:
        touched = tuple(enemy.id for enemy in touching_enemies(battle, model))
        battle.tell(Pushed("LFW-MEL-24", model.id, length, touched))
        return
        yield

    yield from follow(battle, model, way, move.gait, done=told)
    model.moved = before


_AFTERMATH: Final = (due(resolve_wounds), due(strikes, "last"), due(decide_combat))
