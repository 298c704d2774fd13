"""The shooting phase: one unit each shoots (LFW-SHOOT)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at, at
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.alternation import Activity, activity, begin_alternation
from oriflamme.games.lfw.attack import Attack
from oriflamme.games.lfw.attacks import attack_value, make_attack, prepare, roll_attack
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.events.attacks import WaysChosen
from oriflamme.games.lfw.ground import distance, in_melee, melee_round
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.permits import is_free
from oriflamme.games.lfw.precedence import stage_of_model
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.sight import cover_of, sees
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Step, step
from oriflamme.games.lfw.stats import stat_of
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.wounds import suffer


class Permission:
    """Whether a part may shoot with a weapon, at a target or at all. Rules of both change it.

    `range` in inches; `refusal` forbids it. `after` are the moves after which it may shoot (LFW-SHOOT-02).
    """

    __slots__ = (
        "after", "at_points", "battle", "besides", "heavy", "mobile", "model", "part", "range", "refusal", "target",
        "weapon",
    )  # fmt: skip

    def __init__(self, battle: Battle, part: Part, weapon: Weapon, target: Model | None) -> None:
        self.battle = battle
        self.part = part
        self.model = battle.model_of(part)
        self.weapon = weapon
        self.target = target
        self.range = weapon.range or 0.0
        self.after = {"", "normal", "engagement"}
        # A heavy weapon is not fired by who moved (LFW-SR-EQP-15); who is mobile fires one after a normal move, and
        # others after a run (LFW-SHA-06).
        self.heavy = False
        # It may be used in addition to any other weapon (LFW-SR-EQP-21).
        self.besides = False
        # It may be aimed at a point of the ground (LFW-SR-EQP-07a).
        self.at_points = False
        self.mobile = False
        self.refusal: Refusal | None = None

    def forbid(self, refusal: Refusal) -> None:
        """It may not; the first reason counts."""
        if self.refusal is None:
            self.refusal = refusal


def permission(battle: Battle, part: Part, weapon: Weapon, target: Model | None = None) -> Permission:
    """What a part may do with a ranged weapon, as its rules leave it."""
    found = Permission(battle, part, weapon, target)
    if stat_of(battle, part, "CT") is None and not _fixes_skill(battle, part, weapon):
        found.forbid(Refusal("LFW-CHAR-12", "no_shooting_skill", {"unit": part.id}))
    at(Keyword.when_choosing_weapon, sets_of(battle, part, weapon), found)
    if found.heavy:
        found.after = {"", "normal"} if found.mobile else {""}
    elif found.mobile:
        found.after |= {"run"}
    if found.heavy and found.model.moved not in found.after:
        facts = {"unit": part.id, "weapon": weapon.id, "how": found.model.moved}
        found.forbid(Refusal("LFW-SR-EQP-15", "too_heavy", facts))
    elif found.model.moved not in found.after:
        found.forbid(Refusal("LFW-SHOOT-02", "moved_too_fast", {"unit": part.id, "how": found.model.moved}))
    return found


def _fixes_skill(battle: Battle, part: Part, weapon: Weapon) -> bool:
    """The weapon has its own CT (LFW-CHAR-12, LFW-SR-EQP-12a)."""
    trial = make_attack(battle, "ranged", part, part, weapon, skill=7)
    at(Keyword.when_attacking, (weapon.rules,), trial)
    return trial.skill.value != trial.skill.base


def why_not_target(battle: Battle, model: Model, target: Model) -> Refusal | None:
    """Why an enemy may not be shot at: unseen, or in a melee with friends of the shooter (LFW-SHOOT-04)."""
    facts = {"unit": model.id, "target": target.id}
    if battle.are_friends(model.side, target.side) or not target.on_table:
        return Refusal("LFW-SHOOT-04", "no_enemy", facts)
    if all(part.duel for part in target.alive):
        return Refusal("LFW-SR-BLD-02j", "in_a_duel", facts)
    if in_melee(battle, target):
        for fighter in melee_round(battle, target):
            if battle.are_friends(fighter.side, model.side):
                return Refusal("LFW-SHOOT-04", "in_melee_with_friends", facts)
    if not sees(battle, model, target):
        return Refusal("LFW-DIST-13", "not_visible", facts)
    return None


def why_not_shoot(battle: Battle, part: Part, weapon: Weapon, target: Model) -> Refusal | None:
    """Why a part may not shoot at a target with a weapon (LFW-SHOOT-02 to -05)."""
    allowed = permission(battle, part, weapon, target)
    if allowed.refusal is not None:
        return allowed.refusal
    gap = distance(battle, allowed.model, target)
    if gap > inches(allowed.range) + TOLERANCE:
        facts = {"unit": part.id, "target": target.id, "gap": in_inches(gap), "reach": allowed.range}
        return Refusal("LFW-SHOOT-05", "out_of_range", facts)
    return None


def may_shoot(battle: Battle, model: Model) -> bool:
    """Has a ranged weapon it may use, is not in a melee, not fleeing, and made no charge, flee or run move
    (LFW-SHOOT-02)."""
    if model.fleeing or in_melee(battle, model) or not is_free(battle, model, "shoot"):
        return False
    return any(
        permission(battle, part, weapon).refusal is None
        for part in model.alive
        for weapon in part.weapons
        if not weapon.melee
    )


def targets_of(battle: Battle, part: Part) -> list[Model]:
    """Enemies at which a part may shoot with some weapon."""
    return list(_targets(battle, part))


def _targets(battle: Battle, part: Part) -> Iterator[Model]:
    """The same, one after the other: whether there is any is known with the first."""
    model = battle.model_of(part)
    ranged = [weapon for weapon in part.weapons if not weapon.melee]
    if not ranged:
        return
    for enemy in battle.enemies_of(model):
        if (
            any(why_not_shoot(battle, part, weapon, enemy) is None for weapon in ranged)
            and why_not_target(battle, model, enemy) is None
        ):
            yield enemy


@step
def begin_shooting(battle: Battle) -> None:
    """Eligible units get a shooting marker (LFW-MARK-07). Who shoots first does so before all others, who shoots last
    when all others that want to have shot (LFW-SHOOT-08)."""
    for model in battle.there():
        model.to_shoot = may_shoot(battle, model)
    battle.then_all(*(due(begin_shots, kind.name) for kind in (FirstShots, Shots, LastShots)), due(end_shooting))


@step
def begin_shots(battle: Battle, name: str) -> None:
    """Players make one eligible unit shoot each (LFW-SHOOT-01)."""
    begin_alternation(battle, name)


@step
def end_shooting(battle: Battle) -> Step:
    """Shooting markers are removed (LFW-MARK-03); then what is done when all shooting is, in initiative order."""
    for model in battle.units.values():
        model.to_shoot = False
    for side in battle.order:
        for model in battle.own(side):
            for part in model.alive:
                yield from ask_at(Keyword.at_end_of_shooting, sets_of(battle, part), part, battle)


def aimed_weapons(battle: Battle, part: Part) -> list[Weapon]:
    """Its weapons that it may aim at a point of the ground now (LFW-SR-EQP-07a): some point is always in range."""
    allowed = [permission(battle, part, weapon) for weapon in part.weapons if not weapon.melee]
    return [each.weapon for each in allowed if each.at_points and each.refusal is None]


AIM: Final = "aim"


class _Shots(Activity):
    """Players make one eligible unit shoot each, at somebody or at a point, once a turn (LFW-SHOOT-01, -03)."""

    stages: tuple[str, ...] = ()

    def options(self, battle: Battle, side: int) -> list[Option]:
        models = [
            model
            for model in battle.own(side)
            if model.to_shoot and stage_of_model(battle, model, "shoot") in self.stages and may_shoot(battle, model)
        ]
        return [
            *(
                Option.thing(model.id, "unit", {"unit": model.id})
                for model in models
                if any(next(_targets(battle, part), None) is not None for part in model.alive)
            ),
            *(
                Option(f"{AIM}:{model.id}", "aim_at_point", {"unit": model.id}, (model.id,))
                for model in models
                if not model.behaviour and any(aimed_weapons(battle, part) for part in model.alive)
            ),
        ]

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_shooter", "LFW-SHOOT-01")

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        how, _, id = key.rpartition(":")
        model = battle.units[id]
        model.to_shoot = False
        model.mover.used |= {SHOT}
        # Each of a duo that has a weapon may shoot during one activation (LFW-CAV-16).
        for part in list(model.alive):
            if part.destroyed or not model.on_table:
                continue
            if how == AIM and aimed_weapons(battle, part):
                yield from shoot_at_point(battle, part)
            else:
                yield from shoot(battle, part, optional=len(model.alive) > 1)


# Activations of the shooting phase besides shots, such as a search (LFW-SCN7-05): each has `options` and `perform` of
# its own, with keys that no other has.
SHOOTING_ACTIONS: Final[list[Activity]] = []
SHOT: Final = "shot"  # what a unit has done that was activated in the shooting phase


@activity
class FirstShots(_Shots):
    name, stages = "shoot_first", ("first",)


@activity
class Shots(_Shots):
    name, stages = "shoot", ("first", "normal")

    def options(self, battle: Battle, side: int) -> list[Option]:
        found = super().options(battle, side)
        for action in SHOOTING_ACTIONS:
            found += action.options(battle, side)
        return found

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        for action in SHOOTING_ACTIONS:
            if any(option.key == key for option in action.options(battle, side)):
                yield from action.perform(battle, side, key)
                return
        yield from super().perform(battle, side, key)


@activity
class LastShots(_Shots):
    name, stages = "shoot_last", ("last",)


def shoot(battle: Battle, part: Part, *, optional: bool = False) -> Asking[None]:
    """Choose the target first (LFW-SHOOT-04), then the weapon (LFW-SHOOT-05), then make the attack."""
    model = battle.model_of(part)
    targets = targets_of(battle, part)
    if not targets:
        return
    options = [Option.thing(enemy.id, "unit", {"unit": enemy.id}) for enemy in targets]
    if optional:
        options.append(Option("hold", "hold_fire"))
    key = yield from pick_one(
        part.side,
        options,
        "shoot_at",
        "LFW-SHOOT-04",
        {"unit": part.id},
        why_not=lambda key: _why_not_at(battle, part, key),
    )
    if key == "hold":
        return
    enemy = battle.units[key]
    target = yield from choose_component(battle, part, enemy)
    weapons = [w for w in part.weapons if not w.melee and why_not_shoot(battle, part, w, enemy) is None]
    weapons = [weapon for weapon in weapons if not permission(battle, part, weapon).besides] or weapons
    weapon = weapons[0]
    if len(weapons) > 1:
        named = [Option(w.id, "weapon", {"weapon": w.id}) for w in weapons]
        id = yield from pick_one(part.side, named, "shoot_with", "LFW-SHOOT-05", {"unit": part.id, "target": key})
        weapon = next(w for w in weapons if w.id == id)
    yield from fire(Volley(battle, part, model, target, weapon))
    yield from _shoot_with_others(battle, part, weapon)


def shoot_at_point(battle: Battle, part: Part) -> Asking[None]:
    """Choose the weapon, then a point of the ground, which the rule of the weapon asks for (LFW-SR-EQP-07a)."""
    weapons = aimed_weapons(battle, part)
    id = weapons[0].id
    if len(weapons) > 1:
        named = [Option(weapon.id, "weapon", {"weapon": weapon.id}) for weapon in weapons]
        id = yield from pick_one(part.side, named, "aim_with", "LFW-SHOOT-05", {"unit": part.id})
    weapon = next(weapon for weapon in weapons if weapon.id == id)
    yield from fire(Volley(battle, part, battle.model_of(part), None, weapon))
    yield from _shoot_with_others(battle, part, weapon)


def _shoot_with_others(battle: Battle, part: Part, weapon: Weapon) -> Asking[None]:
    """The weapons that are used in addition to the one it has shot with (LFW-SR-EQP-21)."""
    model = battle.model_of(part)
    ranged = [each for each in part.weapons if not each.melee and each is not weapon]
    for other in [each for each in ranged if permission(battle, part, each).besides]:
        if not part.destroyed and model.on_table:
            yield from shoot_besides(battle, part, other)


def shoot_besides(battle: Battle, part: Part, weapon: Weapon) -> Asking[None]:
    """A weapon that is used in addition to another, at the same target or not (LFW-SR-EQP-21)."""
    model = battle.model_of(part)
    targets = [
        enemy
        for enemy in battle.enemies_of(model)
        if why_not_target(battle, model, enemy) is None and why_not_shoot(battle, part, weapon, enemy) is None
    ]
    if not targets:
        return
    options = [Option.thing(enemy.id, "unit", {"unit": enemy.id}) for enemy in targets]
    options.append(Option("hold", "hold_fire"))
    facts = {"unit": part.id, "weapon": weapon.id}
    key = yield from pick_one(part.side, options, "shoot_besides", "LFW-SR-EQP-21", facts)
    if key != "hold":
        target = yield from choose_component(battle, part, battle.units[key])
        yield from fire(Volley(battle, part, model, target, weapon))


def _why_not_at(battle: Battle, part: Part, key: str) -> Refusal | None:
    if key not in battle.units:
        return None
    model, target = battle.model_of(part), battle.units[key]
    refusal = why_not_target(battle, model, target)
    if refusal is not None:
        return refusal
    reasons = [why_not_shoot(battle, part, weapon, target) for weapon in part.weapons if not weapon.melee]
    return next((reason for reason in reasons if reason is not None), None)


def choose_component(battle: Battle, part: Part, enemy: Model) -> Asking[Part]:
    """The shooter chooses rider or mount (LFW-CAV-07), not one that fights a duel (LFW-SR-BLD-02j)."""
    open_to = [each for each in enemy.alive if not each.duel]
    if len(open_to) == 1:
        return open_to[0]
    options = [Option(each.id, "part", {"unit": each.id, "role": each.role}) for each in open_to]
    id = yield from pick_one(part.side, options, "which_component", "LFW-CAV-07", {"unit": part.id, "target": enemy.id})
    return battle.part(id)


class Blast(NamedTuple):
    """An explosion: how far it drifts if it is missed, and who is caught, in inches. `stronger` is the strength
    against who stands on the point itself (LFW-SPELL-V4)."""

    weapon: Weapon
    drift: Amount
    radius: float
    stronger: int = 0


class Terms(NamedTuple):
    """What a shot brings to each attack it makes: those of an explosion too (LFW-SR-EQP-07b)."""

    times: int = 1
    bonus: tuple[tuple[int, str, str], ...] = ()
    range: float = 0.0
    on_the_move: bool = False

    def apply(self, attack: Attack) -> None:
        attack.times, attack.on_the_move = self.times, self.on_the_move
        if self.range:
            attack.range = self.range
        for amount, source, rule in self.bonus:
            attack.bonus.change_by(amount, source, rule)


PLAIN: Final = Terms()


class Volley:
    """A shot: who shoots at whom with what; no target if it is aimed at a point. `when_shooting` may change it.

    The Attack value counts `times` over; `victims` are all parts that suffer the attack where it is not only the target
    (LFW-SR-EQP-14, -20): those are never redirected (LFW-CAV-09). A rule may `resolve` it in its own way, such as by an
    `explosion`.
    """

    __slots__ = (
        "battle",
        "bonus",
        "cover",
        "explosion",
        "model",
        "part",
        "resolve",
        "target",
        "times",
        "victims",
        "weapon",
    )

    def __init__(self, battle: Battle, part: Part, model: Model, target: Part | None, weapon: Weapon) -> None:
        self.battle = battle
        self.part = part
        self.model = model
        self.target = target
        self.weapon = weapon
        self.times = 1
        self.bonus: list[tuple[int, str, str]] = []
        self.victims: tuple[str, ...] = ()
        # The dodge of the target's cover, if it is not what the table makes it.
        self.cover: int | None = None
        self.explosion: Blast | None = None
        self.resolve: Callable[[Volley], Asking[None]] | None = None

    @property
    def terms(self) -> Terms:
        """What it brings to each of its attacks, as special rules have left it."""
        allowed = permission(self.battle, self.part, self.weapon)
        on_the_move = self.model.moved == "run" or (allowed.heavy and self.model.moved == "normal")
        return Terms(self.times, tuple(self.bonus), allowed.range, on_the_move)


def fire(volley: Volley) -> Asking[None]:
    """A weapon makes one ranged attack, and its wounds are resolved at once (LFW-SHOOT-06, -07)."""
    battle, part, weapon = volley.battle, volley.part, volley.weapon
    yield from ask_at(Keyword.when_shooting, sets_of(battle, part, weapon), volley)
    if volley.resolve is not None:
        yield from volley.resolve(volley)
        return
    number = yield from attack_value(battle, part, weapon)
    struck = [battle.part(id) for id in volley.victims] or ([volley.target] if volley.target is not None else [])
    for victim in struck:
        if victim.destroyed or not battle.model_of(victim).on_table:
            continue
        attack = make_attack(battle, "ranged", part, victim, weapon, number=number)
        attack.cover = volley.cover
        volley.terms.apply(attack)
        yield from resolve_shot(battle, attack, redirects=not volley.victims)


def resolve_shot(battle: Battle, attack: Attack, *, redirects: bool = True, covered: bool = True) -> Asking[None]:
    """One ranged attack from cover to wounds. A shot that hits one of a duo may go to the other (LFW-CAV-08)."""
    prepare(attack)
    if covered:
        yield from choose_dodge(battle, attack)
    attack, wounds = yield from roll_attack(battle, attack, redirects=redirects)
    yield from suffer(
        battle,
        attack.target,
        wounds,
        "shot",
        attack.attacker.id if attack.attacker is not None else "",
        piercing=attack.pierces,
        flaming=attack.flaming,
        protected=attack.rerolls["protection"],
    )
    if attack.target.destroyed:
        at(Keyword.after_destroyed, attack.sets, attack, battle)
    yield from resolve_deaths(battle)


def choose_dodge(battle: Battle, attack: Attack) -> Asking[None]:
    """The owner of the target may answer with the dodge of its cover instead of its own (LFW-SHOOT-09, LFW-TERR-14)."""
    if attack.model is None:
        return
    cover = attack.cover if attack.cover is not None else cover_of(battle, attack.model, attack.target_model)
    if cover <= 0:
        return
    hidden = copy(attack.guard)
    hidden.restart(cover, attack.against)
    own, behind = attack.guard.value, hidden.value
    options = [Option("own", "dodge", {"dodge": own}), Option("cover", "dodge", {"dodge": behind})]
    best = "cover" if behind > own else "own"
    facts = {"unit": attack.target.id, "dodge": own, "cover": behind, **attack.facts()}
    key = yield from pick_one(attack.target.side, options, "choose_dodge", "LFW-TERR-12", facts, default=best)
    if key == "cover":
        attack.guard = hidden
    battle.tell(WaysChosen("LFW-TERR-12", attack.target.id, attack.guard.value, key == "cover"))
