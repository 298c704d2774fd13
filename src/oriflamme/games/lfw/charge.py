"""Charges: declared in turn until confusion, then resolved in turn (LFW-CHG).

One target each, straight at it or round what is in the way, on a bare table.
"""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.paths import cut_path, path_length, shortest_path_to_rims
from oriflamme.games.lfw.alternation import Activity, activity
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.events.moves import ChargeCancelled, ChargeDeclared, ChargeFailed, ChargeMade
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import contact_reach, distance, in_contact, in_melee, plan_gap
from oriflamme.games.lfw.measures import CLEARANCE, in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.permits import permit
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Asking, Battle, Model, Step
from oriflamme.games.lfw.walking import stand
from oriflamme.games.lfw.wounds import mark_destroyed


class ChargeDeclaration:
    """A charge that was just declared, for whoever may answer it (LFW-SR-MOV-01)."""

    __slots__ = ("battle", "charger", "target", "targets")

    def __init__(self, battle: Battle, charger: Model, target: Model) -> None:
        self.battle = battle
        self.charger = charger
        # The bearer of the rule that speaks.
        self.target = target
        self.targets = charger.declared


def why_not_charge(battle: Battle, model: Model, target: Model) -> Refusal | None:
    """Why a unit may not declare a charge against another (LFW-CHG-01 to -04)."""
    facts = {"unit": model.id, "target": target.id}
    allowed = permit(battle, model, "charge")
    if allowed.forbidden_by:
        return Refusal(allowed.forbidden_by, "held", {"unit": model.id})
    if model.fleeing or model.moved or in_melee(battle, model):
        return Refusal("LFW-CHG-01", "may_not_charge", {"unit": model.id})
    needs_sight = battle.option("lfw.chargeNeedsSight") == "yes" and not allowed.sees_all
    if needs_sight and not sees(battle, model, target):
        return Refusal("LFW-DIST-13", "not_visible", facts)
    gap, reach = distance(battle, model, target), gait_of(battle, model, "charge").reach
    if gap > reach + TOLERANCE:
        return Refusal("LFW-CHG-04", "out_of_charge_range", {**facts, "gap": in_inches(gap), "reach": in_inches(reach)})
    return None


def may_charge(battle: Battle, model: Model) -> bool:
    """A unit that is not fleeing, not in a melee and has not moved, with somebody to charge."""
    if model.fleeing or model.moved or model.declared or in_melee(battle, model):
        return False
    return any(why_not_charge(battle, model, enemy) is None for enemy in battle.enemies_of(model))


@activity
class Declarations(Activity):
    """Players declare one charge each until nobody can, or confusion (LFW-CHG-02, -05, -06)."""

    name = "declare_charge"
    confusion = True

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_charger", "LFW-CHG-02")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [Option.thing(m.id, "unit", {"unit": m.id}) for m in battle.own(side) if may_charge(battle, m)]

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        yield from declare(battle, battle.units[key])


def declare(battle: Battle, model: Model) -> Asking[None]:
    """The targets are named; who is charged may answer (LFW-CHG-03, LFW-SR-MOV-01)."""
    options = [
        Option.thing(enemy.id, "unit", {"unit": enemy.id})
        for enemy in battle.enemies_of(model)
        if why_not_charge(battle, model, enemy) is None
    ]
    target = yield from pick_one(
        model.side,
        options,
        "charge_target",
        "LFW-CHG-03",
        {"unit": model.id},
        why_not=lambda key: why_not_charge(battle, model, battle.units[key]) if key in battle.units else None,
    )
    model.declared = (target,)
    battle.tell(ChargeDeclared("LFW-CHG-03", model.id, model.declared))
    for id in model.declared:
        charged = battle.units[id]
        for part in charged.alive:
            yield from ask_at(
                Keyword.after_charge_declared, sets_of(battle, part), ChargeDeclaration(battle, model, charged)
            )


@activity
class Resolutions(Activity):
    """Players resolve one declared charge each until all are resolved (LFW-CHG-10)."""

    name = "resolve_charge"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_charge", "LFW-CHG-10")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [Option.thing(m.id, "unit", {"unit": m.id}) for m in battle.own(side) if m.declared]

    def must(self, battle: Battle, side: int) -> bool:
        return True

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        yield from resolve_charge(battle, battle.units[key])


def resolve_charge(battle: Battle, model: Model) -> Asking[None]:
    """A charge move into contact, a failed charge, or a cancelled one (LFW-CHG-11 to -20)."""
    targets = [battle.units[id] for id in model.declared if battle.units[id].on_table]
    model.declared = ()
    if in_melee(battle, model):
        battle.tell(ChargeCancelled("LFW-CHG-16", model.id, "in_melee"))
        return
    if not targets:
        battle.tell(ChargeCancelled("LFW-CHG-20", model.id, "no_target"))
        return
    (target,) = targets
    reach = gait_of(battle, model, "charge").reach
    way = way_into_contact(battle, model, target)
    model.moved = "charge"
    if way is not None and path_length(way) <= reach + TOLERANCE:
        stand(battle, model, *way[-1])
        model.charged = True
        battle.tell(ChargeMade("LFW-CHG-11", model.id, (target.id,), in_inches(path_length(way))))
        if target.fleeing:
            left = sum(part.pv for part in target.alive)
            battle.run_downs = (*battle.run_downs, (model.id, target.side, left))
            for part in target.alive:
                mark_destroyed(battle, part, "run_down", model.alive[0].id, "LFW-CHG-19")
            yield from resolve_deaths(battle)
        return
    far = _failed_reach(battle, model, target, reach)
    body, aim = model.body, target.body
    apart = hypot(aim.x - body.x, aim.y - body.y)
    end = cut_path([(body.x, body.y), (aim.x, aim.y)], min(far, apart))[-1] if far > TOLERANCE else (body.x, body.y)
    stand(battle, model, *end)
    battle.tell(ChargeFailed("LFW-CHG-13", model.id, target.id, in_inches(far)))


def way_into_contact(battle: Battle, model: Model, target: Model) -> list[tuple[float, float]] | None:
    """The shortest way that ends touching a target and touches no other enemy (LFW-CHG-14)."""
    body = model.body
    touch = TOLERANCE * 2
    if plan_gap(model, target) <= touch:
        return [(body.x, body.y), (body.x, body.y)]
    discs = []
    for other in battle.there():
        if other is model or other is target or other.board != model.board:
            continue
        apart = other.body.radius + body.radius
        if not battle.are_friends(model.side, other.side):
            apart += contact_reach(battle) + touch
        discs.append((other.body.x, other.body.y, apart))
    rim = (target.body.x, target.body.y, target.body.radius + body.radius)
    outlines = [piece.outline for piece in battle.table.with_trait("impassable")]
    r = body.radius
    bounds = (r, r, battle.table.width - r, battle.table.depth - r)
    return shortest_path_to_rims((body.x, body.y), [rim], body.radius, discs, outlines, 1e9, bounds)


def _failed_reach(battle: Battle, model: Model, target: Model, reach: float) -> float:
    """How far it goes straight at its target: its whole charge, but not nearer than 1" to an enemy (LFW-CHG-13)."""
    body, aim = model.body, target.body
    apart = hypot(aim.x - body.x, aim.y - body.y)
    if apart <= TOLERANCE:
        return 0.0
    dx, dy = (aim.x - body.x) / apart, (aim.y - body.y) / apart
    far = reach
    for other in battle.there():
        if other is model or other.board != model.board:
            continue
        ox, oy = other.body.x - body.x, other.body.y - body.y
        along, across = ox * dx + oy * dy, abs(ox * dy - oy * dx)
        near = other.body.radius + body.radius
        near += 0.0 if battle.are_friends(model.side, other.side) else CLEARANCE
        if along > 0 and across < near:
            far = min(far, max(0.0, along - (near * near - across * across) ** 0.5))
    return far


def charging_into(battle: Battle, model: Model) -> list[Model]:
    """Enemies it touches."""
    return [enemy for enemy in battle.enemies_of(model) if in_contact(battle, model, enemy)]
