"""Charges: declared in turn until confusion, then resolved in turn (LFW-CHG).

Whether a charge reaches its targets is proven or shown: no place in which its base could touch them, or none that is
not proven to be out of reach, is a proof that it does not (`engine.heights.contacts`). A way that is found shows that
it does, and its player may show another one that touches as many. Where neither is known he is asked for a way, and
fails if he has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import hypot
from random import Random
from typing import Final, NamedTuple, cast

from oriflamme.engine.core.decisions import Moves, Option, Path
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at
from oriflamme.engine.core.questions import move_figures, pick_several
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.heights import walks
from oriflamme.engine.heights.contacts import contact_places, find_walk_to_any, is_out_of_reach
from oriflamme.engine.heights.distances import Spot
from oriflamme.engine.heights.relief import near_outline
from oriflamme.engine.heights.routes import Found
from oriflamme.engine.heights.walks import JUMP, Other, Waypoint, farthest
from oriflamme.games.lfw.alternation import Activity, activity
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.events.moves import ChargeCancelled, ChargeDeclared, ChargeFailed, ChargeMade, ChargeMet
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import contact_reach, distance, in_contact, in_melee, measured, nearest, touch_there
from oriflamme.games.lfw.measures import CLEARANCE, in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.permits import permit
from oriflamme.games.lfw.precedence import stage_of_model
from oriflamme.games.lfw.sight import sees
from oriflamme.games.lfw.state import Asking, Battle, Model, Step
from oriflamme.games.lfw.terrain import THICKEST, base_of, elevation, low_walls, refused, relief_for, spot_of, words_of
from oriflamme.games.lfw.walking import follow
from oriflamme.games.lfw.wounds import mark_destroyed

# So much farther than contact is no contact, however it is rounded.
_APART: Final = 2.5 * TOLERANCE


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


def declare(battle: Battle, model: Model) -> Asking[None]:
    """One or more targets are named; who is charged may answer (LFW-CHG-03, LFW-SR-MOV-01)."""
    options = [
        Option.thing(enemy.id, "unit", {"unit": enemy.id})
        for enemy in battle.enemies_of(model)
        if why_not_charge(battle, model, enemy) is None
    ]
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
    model.declared = tuple(targets)
    battle.tell(ChargeDeclared("LFW-CHG-03", model.id, model.declared))
    for id in model.declared:
        charged = battle.units[id]
        for part in charged.alive:
            yield from ask_at(
                Keyword.after_charge_declared, sets_of(battle, part), ChargeDeclaration(battle, model, charged)
            )


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
    """
    targets = [battle.units[id] for id in model.declared if battle.units[id].on_table]
    model.declared = ()
    if in_melee(battle, model):
        battle.tell(ChargeCancelled("LFW-CHG-16", model.id, "in_melee"))
        return
    if not targets:
        battle.tell(ChargeCancelled("LFW-CHG-20", model.id, "no_target"))
        return
    yield from meet_halfway(battle, model, targets)
    if not model.on_table:
        return
    targets = [target for target in targets if target.on_table]
    charge = ChargeMove(battle, model, targets)
    model.moved = "charge"
    way = yield from charge.ask_for_way()
    if way is None:
        yield from fail(charge)
        return
    cost = in_inches(walks.bill(charge.trace(way)).total)
    if not (yield from follow(battle, model, way, charge.gait)):
        return
    touched = [target for target in targets if in_contact(battle, model, target)]
    model.charged = True
    battle.tell(ChargeMade("LFW-CHG-11", model.id, tuple(target.id for target in touched), cost))
    yield from run_down(battle, model, touched)


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
        way = charge.straight_at(model, half, keep=contact_reach(battle) + _APART)
        cost = in_inches(walks.bill(charge.trace(way)).total) if len(way) > 1 else 0.0
        battle.tell(ChargeMet("LFW-CHG-17", other.id, model.id, cost))
        yield from follow(battle, other, way, charge.gait)


def fail(charge: ChargeMove) -> Asking[None]:
    """The whole charge distance straight toward the nearest declared target, but no nearer than 1" to any enemy
    (LFW-CHG-13)."""
    battle, model = charge.battle, charge.model
    target = nearest(battle, model, charge.targets)[0]
    way = charge.straight_at(target, charge.reach, keep=CLEARANCE)
    cost = in_inches(walks.bill(charge.trace(way)).total) if len(way) > 1 else 0.0
    battle.tell(ChargeFailed("LFW-CHG-13", model.id, target.id, cost))
    yield from follow(battle, model, way, charge.gait)


class Best(NamedTuple):
    """The most targets that are known to be reached, a way there, and whether more is proven to be impossible."""

    number: int
    found: Found | None
    proven: bool


class ChargeMove:
    """The move of a charge: who may be touched, and how it is got there."""

    def __init__(self, battle: Battle, model: Model, targets: Sequence[Model]) -> None:
        self.battle = battle
        self.model = model
        self.targets = list(targets)
        own = gait_of(battle, model, "charge")
        self.reach, self.least, self.gait = own.reach, own.least, own.walk()
        self.relief = relief_for(battle, model)
        self.near = contact_reach(battle)
        self.others = [self._other(other) for other in battle.there() if other is not model]
        through = battle.option("lfw.moveThroughFriends") == "yes"
        friends = {friend.id for friend in battle.friends_of(model)} if through else set()
        self.passed_by = [other for other in self.others if other.id not in friends]
        self._best: Best | None = None

    def _other(self, other: Model) -> Other:
        """A base, and how far the charge keeps from it: out of contact with enemies that were not declared
        (LFW-CHG-14, -15)."""
        kept = not self.battle.are_friends(self.model.side, other.side) and other not in self.targets
        return base_of(self.battle, other, self.near + _APART if kept else 0.0)

    @property
    def start(self) -> tuple[float, float]:
        return self.model.body.x, self.model.body.y

    def trace(self, way: Sequence[Waypoint]) -> walks.Walk:
        return walks.trace(self.relief, way, self.gait, self.battle.closed)

    def touches(self, place: tuple[float, float], other: Model) -> bool:
        """It would be in contact there."""
        here = Spot(*place, elevation(self.battle, *place), self.model.body.radius)
        return touch_there(self.battle, here, spot_of(other))

    # -- as many as possible ------------------------------------------------------------------------------------------

    def best(self) -> Best:
        """As many targets as are known to be reached, with a way, the cheapest known (LFW-CHG-11, -12)."""
        if self._best is None:
            self._best = self._find_best()
        return self._best

    def _find_best(self) -> Best:
        proven = True
        least = len(self.targets) if self.battle.option("lfw.partialCharge") == "fails" else 1
        reachable = [t for t in self.targets if not self._is_beyond(t)]
        for number in range(len(self.targets), least - 1, -1):
            for targets in combinations(self.targets, number):
                if any(target not in reachable for target in targets):
                    continue
                found, possible = self._way_to(targets)
                if found is not None:
                    return Best(number, found, proven)
                proven &= not possible
        return Best(0, None, proven)

    def _is_beyond(self, target: Model) -> bool:
        """Proven: no way ends in contact with it."""
        far = self.near + (THICKEST + self.near if low_walls(self.battle.table) else 0.0)
        other = self._other(target)
        closed = self.battle.closed
        return is_out_of_reach(self.relief, self.start, other, self.gait, self.reach, self.least, far, closed)

    def _way_to(self, targets: Sequence[Model]) -> tuple[Found | None, bool]:
        """A way into contact with all of these, and whether there could be one: base to base, else as near as contact
        goes, else across a wall."""
        by_id = {target.id: target for target in targets}
        bases = [self._other(target) for target in targets]
        walls = low_walls(self.battle.table) if self.battle.option("lfw.fightAcrossWalls") == "on" else ()
        possible = False
        for near in (self.near, *((THICKEST + 2 * self.near,) if walls else ())):
            places = self._places(targets, bases, near, by_id, [w.outline for w in walls] if near > self.near else [])
            possible |= bool(places)
            found = self._walk_to(places)
            if found is None:
                continue
            # Base to base rather than only as near as contact goes, if that is paid for.
            closer = self._walk_to(self._places(targets, bases, 2 * TOLERANCE, by_id, []))
            return closer or found, True
        return None, possible

    def _places(
        self,
        targets: Sequence[Model],
        bases: list[Other],
        near: float,
        by_id: dict[str, Model],
        walls: list[Outline],
    ) -> list[tuple[float, float]]:
        found = [
            contact_places(
                self.relief,
                anchor,
                self.model.body.radius,
                bases,
                near,
                lambda place, other: self.touches(place, by_id[other.id]),
                self.battle.closed,
                self.others,
                walls,
            )
            for anchor in self._anchors(targets[0])
        ]
        return [place for places in found for place in places]

    def _walk_to(self, places: list[tuple[float, float]]) -> Found | None:
        return find_walk_to_any(
            self.relief, self.start, places, self.gait, self.reach, self.least, self.battle.closed, self.passed_by
        )

    def _anchors(self, target: Model) -> list[tuple[float, float]]:
        """Where it comes from: from where it stands, or through the exits of the board of its target."""
        if target.board == self.model.board:
            return [self.start]
        exits = [o for o in self.battle.table.openings if o.joins_boards and o.id not in self.battle.closed]
        mouths = [opening.mouth_on(target.board) for opening in exits]
        return [mouth.middle for mouth in mouths if mouth is not None]

    # -- shown by its player ------------------------------------------------------------------------------------------

    def ask_for_way(self) -> Asking[tuple[Waypoint, ...] | None]:
        """The way its player shows, into contact with as many targets as are known to be reached; None: it fails."""
        best = self.best()
        model, battle = self.model, self.battle
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

    def whole(self, points: tuple[Waypoint, ...]) -> tuple[Waypoint, ...]:
        """A way as it is gone: to a single point, one that was found."""
        way = (self.start, *(points[1:] if tuple(points[0]) == self.start else points))
        if len(way) == 2 and (len(way[1]) == 2 or way[1][2] == JUMP):
            found = find_walk_to_any(
                self.relief,
                self.start,
                [(way[1][0], way[1][1])],
                self.gait,
                self.reach,
                self.least,
                self.battle.closed,
                self.passed_by,
                jumping=len(way[1]) == 3,
            )
            return found.way if found is not None else way
        return way

    def why_not(self, way: tuple[Waypoint, ...], number: int) -> Refusal | None:
        """Why a charge may not be made that way (LFW-CHG-11, -12, -14)."""
        model, battle = self.model, self.battle
        walk = self.trace(way)
        fault = walk.why_not(self.passed_by)
        if fault is not None:
            refusal = refused(model, fault)
            return Refusal("LFW-CHG-14", refusal.why, refusal.facts) if refusal.rule == "LFW-MOVE-06" else refusal
        bill = walks.bill(walk)
        if not bill.is_paid_by(self.reach, self.least):
            facts = {"unit": model.id, "gap": in_inches(bill.total), "reach": in_inches(self.reach)}
            return Refusal("LFW-CHG-11", "too_far", facts)
        for enemy in battle.enemies_of(model):
            if enemy not in self.targets and self.touches(walk.end, enemy):
                return Refusal("LFW-CHG-14", "touches_stranger", {"unit": model.id, "target": enemy.id})
        touched = sum(self.touches(walk.end, target) for target in self.targets)
        if touched < max(1, number):
            facts = {"unit": model.id, "touched": touched, "number": max(1, number)}
            return Refusal("LFW-CHG-12", "touches_too_few", facts)
        return None

    # -- straight at somebody ------------------------------------------------------------------------------------------

    def straight_at(self, target: Model, reach: float, keep: float) -> tuple[Waypoint, ...]:
        """Straight toward somebody, or toward the exit that leads to him, as far as such a move pays for: it stops so
        far from enemies, at friends and at what it cannot cross."""
        battle, model = self.battle, self.model
        found = measured(battle, model, target)
        x, y = found.towards if found is not None else (target.body.x, target.body.y)
        sx, sy = self.start
        apart = hypot(x - sx, y - sy)
        if apart <= TOLERANCE:
            return (self.start,)
        ux, uy = (x - sx) / apart, (y - sy) / apart
        limit = min(reach, apart)
        r, z = model.body.radius, model.body.z
        bases = []
        for other in battle.there():
            if other is model:
                continue
            off = 0.0 if battle.are_friends(model.side, other.side) else keep
            body = other.body
            bases.append(base_of(battle, other, off))
            along = (body.x - sx) * ux + (body.y - sy) * uy
            across = abs((body.x - sx) * uy - (body.y - sy) * ux)
            clear = body.radius + r + off
            if along > 0 and across < clear - TOLERANCE and abs(body.z - z) < max(off, TOLERANCE):
                limit = min(limit, max(0.0, along - (clear * clear - across * across) ** 0.5))
        far = (sx + ux * reach, sy + uy * reach)
        for outline in self.relief.walls(r, battle.closed):
            for low, _ in near_outline(outline, sx, sy, *far, r - TOLERANCE)[:1]:
                limit = min(limit, low * reach)
        way: list[Waypoint] = [self.start, (sx + ux * limit, sy + uy * limit)]
        return tuple(farthest(self.relief, way, self.gait, reach, 0.0, battle.closed, bases))
