"""Charges: declared in turn until confusion, then resolved in turn (LFW-CHG).

Whether a charge reaches its targets is proven or shown: no place in which its base could touch them, or none that is
not proven to be out of reach, is a proof that it does not (`engine.heights.contacts`). A way that is found shows that
it does, and its player may show another one that touches as many. Where neither is known he is asked for a way, and
fails if he has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import hypot
from random import Random
from typing import cast

from oriflamme.engine.core.decisions import Moves, Option, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at
from oriflamme.engine.core.questions import move_figures, pick_several
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.heights import walks
from oriflamme.engine.heights.walks import Other, Waypoint, straight_on
from oriflamme.games.lfw.alternation import Activity, activity
from oriflamme.games.lfw.approach import APART, Approach
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.doorways import doorways, part_before
from oriflamme.games.lfw.events.moves import (
    ChargeCancelled,
    ChargeDeclared,
    ChargeFailed,
    ChargeMade,
    ChargeMet,
    ChargesClosed,
)
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import (
    contact_reach,
    distance,
    in_contact,
    in_melee,
    measured,
    nearest,
    touching_enemies,
)
from oriflamme.games.lfw.measures import CLEARANCE, in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.permits import Permit, permit
from oriflamme.games.lfw.precedence import stage_of_model
from oriflamme.games.lfw.pushing import push_aside
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Asking, Battle, Model, Step
from oriflamme.games.lfw.terrain import base_kept_off, base_of, words_of
from oriflamme.games.lfw.walking import follow, set_out
from oriflamme.games.lfw.wounds import mark_destroyed


class ChargeDeclaration:
    """A charge that was just declared, for whoever may answer it (LFW-SR-MOV-01)."""

    __slots__ = ("answered", "battle", "charger", "target", "targets")

    def __init__(self, battle: Battle, charger: Model, target: Model) -> None:
        self.battle = battle
        self.charger = charger
        # The bearer of the rule that speaks.
        self.target = target
        self.targets = charger.declared
        # Its owner has been asked what he does: both of a duo, or two rules, ask once.
        self.answered = False


def why_not_charge(battle: Battle, model: Model, target: Model) -> Refusal | None:
    """Why a unit may not declare a charge against another (LFW-CHG-01 to -04)."""
    allowed = permit(battle, model, "charge")
    return _why_no_charge(battle, model, allowed) or _why_not_against(battle, model, target, allowed)


def _why_no_charge(battle: Battle, model: Model, allowed: Permit) -> Refusal | None:
    """Why a unit may charge nobody (LFW-CHG-01)."""
    if allowed.forbidden_by:
        return Refusal(allowed.forbidden_by, "held", {"unit": model.id})
    if model.fleeing or model.moved or in_melee(battle, model):
        return Refusal("LFW-CHG-01", "may_not_charge", {"unit": model.id})
    return None


def _why_not_against(battle: Battle, model: Model, target: Model, allowed: Permit) -> Refusal | None:
    facts = {"unit": model.id, "target": target.id}
    forbidden_by = scenario_of(battle).forbids_charge(battle, model, target)
    if forbidden_by:
        return Refusal(forbidden_by, "charge_forbidden", facts)
    needs_sight = battle.option("lfw.chargeNeedsSight") == "yes" and not allowed.sees_all
    if needs_sight and not sees(battle, model, target):
        return Refusal("LFW-DIST-13", "not_visible", facts)
    gap, reach = distance(battle, model, target), gait_of(battle, model, "charge").reach
    if gap > reach + TOLERANCE:
        return Refusal("LFW-CHG-04", "out_of_charge_range", {**facts, "gap": in_inches(gap), "reach": in_inches(reach)})
    return None


def may_charge(battle: Battle, model: Model) -> bool:
    """A unit that is not fleeing, not in a melee and has not moved, with somebody to charge."""
    if model.declared:
        return False
    return next(open_to_charge(battle, model), None) is not None


def open_to_charge(battle: Battle, model: Model) -> Iterator[Model]:
    """The enemies against whom a unit may declare a charge now (LFW-CHG-01 to -04)."""
    if model.fleeing or model.moved or in_melee(battle, model):
        return
    # Who is out of range is no target, whatever else is true.
    reach = gait_of(battle, model, "charge").reach + TOLERANCE
    near = [enemy for enemy in battle.enemies_of(model) if distance(battle, model, enemy) <= reach]
    if not near:
        return
    allowed = permit(battle, model, "charge")
    if not allowed.forbidden_by:
        yield from (enemy for enemy in near if _why_not_against(battle, model, enemy, allowed) is None)


# -- declaring ---------------------------------------------------------------------------------------------------------


class _Declarations(Activity):
    stages: tuple[str, ...] = ()

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_charger", "LFW-CHG-02")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [
            Option.thing(m.id, "unit", {"unit": m.id})
            for m in battle.own(side)
            if may_charge(battle, m) and stage_of_model(battle, m, "declare") in self.stages
        ]

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        yield from declare(battle, battle.units[key])


@activity
class FirstDeclarations(_Declarations):
    """Units that declare first do so before any other (LFW-CHG-21, -22)."""

    name, stages = "declare_charge_first", ("first",)


@activity
class Declarations(_Declarations):
    """Players declare one charge each until nobody can, or confusion (LFW-CHG-02, -05, -06, -23)."""

    name, stages = "declare_charge", ("first", "normal", "last")
    confusion = True

    def ended(self, battle: Battle, because: str) -> None:
        if because:
            battle.tell(ChargesClosed("LFW-CHG-06" if because == "confusion" else "LFW-CHG-05", because))


def declare(battle: Battle, model: Model) -> Asking[None]:
    """One or more targets are named; who is charged may answer (LFW-CHG-03, LFW-SR-MOV-01)."""
    options = [Option.thing(enemy.id, "unit", {"unit": enemy.id}) for enemy in open_to_charge(battle, model)]
    if not options:
        return
    targets = yield from pick_several(
        model.side,
        options,
        1,
        len(options),
        "charge_target",
        "LFW-CHG-03",
        {"unit": model.id},
        default=[options[0].key],
        why_not=lambda key: why_not_charge(battle, model, battle.units[key]) if key in battle.units else None,
    )
    yield from declare_on(battle, model, tuple(targets))


def declare_on(battle: Battle, model: Model, targets: tuple[str, ...]) -> Asking[None]:
    """A charge is declared on these (LFW-CHG-03, -08); who is charged may answer with a move (LFW-SR-MOV-01), a duo as
    its mount can (LFW-CAV-05)."""
    model.declared = targets
    battle.tell(ChargeDeclared("LFW-CHG-03", model.id, targets))
    for id in targets:
        charged = battle.units[id]
        declaration = ChargeDeclaration(battle, model, charged)
        yield from ask_at(Keyword.after_charge_declared, sets_of(battle, charged.mover), declaration)


# -- resolving ---------------------------------------------------------------------------------------------------------


class _Resolutions(Activity):
    stages: tuple[str, ...] = ()

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_charge", "LFW-CHG-10")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [
            Option.thing(m.id, "unit", {"unit": m.id})
            for m in battle.own(side)
            if m.declared and stage_of_model(battle, m, "resolve") in self.stages
        ]

    def must(self, battle: Battle, side: int) -> bool:
        return True

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        yield from resolve_charge(battle, battle.units[key])


@activity
class FirstResolutions(_Resolutions):
    """Units that resolve their charge first do so before any other (LFW-CHG-21, -22)."""

    name, stages = "resolve_charge_first", ("first",)


@activity
class Resolutions(_Resolutions):
    """Players resolve one declared charge each (LFW-CHG-10, -25)."""

    name, stages = "resolve_charge", ("normal",)


@activity
class LastResolutions(_Resolutions):
    """Units that resolve after the others, when all others are done (LFW-CHG-24)."""

    name, stages = "resolve_charge_last", ("last",)


def resolve_charge(battle: Battle, model: Model) -> Asking[None]:
    """A charge is resolved.

    1. Who is in a melee has its charge cancelled, and so has who has no target left.    LFW-CHG-16, -20
    2. Targets that have charged it come half of the way to meet it.                     LFW-CHG-17
    3. It moves into contact with all targets, or with as many as can be.                LFW-CHG-11, -12
    4. If it reaches none it fails, and goes straight at the nearest.                    LFW-CHG-13
    5. Whom it ends on is pushed aside; who flees and is reached is destroyed.           LFW-SR-MOV-03b, LFW-CHG-19
    """
    targets = [battle.units[id] for id in model.declared if battle.units[id].on_table]
    model.declared = ()
    if in_melee(battle, model):
        battle.tell(ChargeCancelled("LFW-CHG-16", model.id, "in_melee"))
        return
    yield from meet_halfway(battle, model, targets)
    if not model.on_table:
        return
    # Who comes to meet it may fall on the way, or leave by an exit.
    targets = [target for target in targets if target.on_table]
    if not targets:
        battle.tell(ChargeCancelled("LFW-CHG-20", model.id, "no_target"))
        return
    charge = ChargeMove(battle, model, targets)
    model.moved = "charge"
    way = yield from charge.ask_for_way()
    if way is None:
        yield from fail(charge)
        return
    cost = in_inches(walks.bill(charge.trace(way)).total)

    def strike_home() -> Asking[None]:
        touched = [target for target in targets if in_contact(battle, model, target)]
        model.charged = True
        battle.tell(ChargeMade("LFW-CHG-11", model.id, tuple(target.id for target in touched), cost))
        if charge.tramples:
            push_aside(battle, model, "LFW-SR-MOV-03b")
        yield from run_down(battle, model, touching_enemies(battle, model))

    yield from follow(battle, model, way, charge.gait, done=strike_home)


def run_down(battle: Battle, model: Model, touched: Sequence[Model]) -> Asking[None]:
    """Fleeing units that a charge reaches are destroyed (LFW-CHG-19)."""
    for target in touched:
        if target.fleeing:
            left = sum(part.pv for part in target.alive)
            battle.run_downs = (*battle.run_downs, (model.id, target.side, left))
            for part in target.alive:
                mark_destroyed(battle, part, "run_down", model.alive[0].id, "LFW-CHG-19")
    yield from resolve_deaths(battle)


def meet_halfway(battle: Battle, model: Model, targets: Sequence[Model]) -> Asking[None]:
    """Each target that has declared a charge on the charger moves straight toward it, half of the distance between
    them; its charge is used thereby (LFW-CHG-17)."""
    for other in targets:
        if model.id not in other.declared or in_melee(battle, other):
            continue
        other.declared = ()
        other.moved = "charge"
        other.charged = True
        half = distance(battle, model, other) / 2
        charge = ChargeMove(battle, other, [model])
        way = charge.straight_at(model, half, partial(base_of, battle, keep=contact_reach(battle) + APART))
        cost = yield from _set_out_on(charge, way)
        battle.tell(ChargeMet("LFW-CHG-17", other.id, model.id, cost))
        yield from follow(battle, other, way, charge.gait)


def fail(charge: ChargeMove) -> Asking[None]:
    """The whole charge distance straight toward the nearest declared target, but no nearer than 1" to any enemy
    (LFW-CHG-13)."""
    battle, model = charge.battle, charge.model
    target = nearest(battle, model, charge.targets)[0]
    way = charge.straight_at(target, charge.reach, partial(base_kept_off, battle, keep=CLEARANCE))
    cost = yield from _set_out_on(charge, way)
    battle.tell(ChargeFailed("LFW-CHG-13", model.id, target.id, cost))
    yield from follow(battle, model, way, charge.gait)


def _set_out_on(charge: ChargeMove, way: tuple[Waypoint, ...]) -> Asking[float]:
    """What it may not take along it leaves before it goes a way; what that costs, in inches of movement."""
    if len(way) < 2:
        return 0.0
    yield from set_out(charge.battle, charge.model)
    return in_inches(walks.bill(charge.trace(way)).total)


class ChargeMove(Approach):
    """The move of a charge: into contact with all its targets, or with as many as can be."""

    rule, apart_rule = "LFW-CHG-11", "LFW-CHG-14"

    def __init__(self, battle: Battle, model: Model, targets: Sequence[Model]) -> None:
        super().__init__(battle, model, targets, gait_of(battle, model, "charge"))

    def numbers(self) -> range:
        """All of them, or as many as can be, unless a house rule makes that a failure (LFW-CHG-11, -12)."""
        least = len(self.targets) if self.battle.option("lfw.partialCharge") == "fails" else 1
        return range(len(self.targets), least - 1, -1)

    def ask_for_way(self) -> Asking[tuple[Waypoint, ...] | None]:
        """The way its player shows, into contact with as many targets as are known to be reached; None: it fails."""
        model, battle = self.model, self.battle
        best = battle.worked_out(self.best)
        if best.found is None and best.proven:
            return None
        if best.found is not None and (model.behaviour or not battle.is_owned(model.side)):
            return best.found.way
        if not battle.is_owned(model.side):
            return None

        def check(moves: Moves) -> Refusal | Moves:
            if not moves:
                if best.number:
                    return Refusal("LFW-CHG-12", "must_charge", {"unit": model.id, "number": best.number})
                return moves
            points = cast(tuple[Waypoint, ...], next(iter(moves.values())))
            way = self.whole(points)
            return self.why_not(way, best.number) or {model.body.id: cast(Path, way)}

        def propose(random: Random) -> Moves:
            return {model.body.id: cast(Path, best.found.way)} if best.found is not None else {}

        about = {"unit": model.id, "targets": [target.id for target in self.targets], "number": best.number}
        words = words_of(battle.table)
        moves = yield from move_figures(
            model.side, (model.body.id,), check, propose, "charge_move", "LFW-CHG-11", about, words=words
        )
        return cast(tuple[Waypoint, ...], moves[model.body.id]) if moves else None

    def why_not(self, way: tuple[Waypoint, ...], number: int) -> Refusal | None:
        """Why a charge may not be made that way (LFW-CHG-11, -12, -14)."""
        walk = self.trace(way)
        refusal = self.why_not_go(walk)
        if refusal is not None:
            return refusal
        touched = self.touched_at(walk.end)
        if touched < max(1, number):
            facts = {"unit": self.model.id, "touched": touched, "number": max(1, number)}
            return Refusal("LFW-CHG-12", "touches_too_few", facts)
        return None

    # -- straight at somebody ------------------------------------------------------------------------------------------

    def straight_at(self, target: Model, far: float, kept_off: Callable[[Model], Other]) -> tuple[Waypoint, ...]:
        """Straight toward somebody, or toward the exit that leads to him, so far or as far as the charge move pays for:
        it stops as far from enemies as it keeps off them, at friends and at what it cannot cross."""
        battle, model = self.battle, self.model
        found = measured(battle, model, target)
        x, y = found.towards if found is not None else (target.body.x, target.body.y)
        sx, sy = self.start
        apart = hypot(x - sx, y - sy)
        if apart <= TOLERANCE:
            return (self.start,)
        share = min(1.0, far / apart)
        end = (sx + (x - sx) * share, sy + (y - sy) * share)
        bases = [
            base_of(battle, other) if battle.are_friends(model.side, other.side) else kept_off(other)
            for other in battle.there()
            if other is not model
        ]
        # Whom it must not come near, it does not come near through an exit either (LFW-TERR-25).
        x, y, *_ = part_before(doorways(battle, bases), self.trace((self.start, end)))[-1]
        return tuple(
            straight_on(self.relief, self.start, (x, y), self.gait, self.reach, self.least, battle.closed, bases)
        )
