"""The captain: a bot that shoots what it may, charges what it will beat, and marches on zones and open flanks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, hypot, inf, sin
from random import Random
from typing import Any, Final

from oriflamme.engine.blocks import Pose, turn_between
from oriflamme.engine.decisions import Decision, Manoeuvre, PickOne, PickSeveral, PutInOrder, Refused
from oriflamme.engine.geometry import facing_towards
from oriflamme.engine.marches import way_to
from oriflamme.engine.measure import INCH
from oriflamme.engine.play import View
from oriflamme.games.tlaok.activation import unit_of
from oriflamme.games.tlaok.charge import distance_to, may_be_charged, onrush_of
from oriflamme.games.tlaok.control import in_range
from oriflamme.games.tlaok.duel import opponents
from oriflamme.games.tlaok.march import Course, marches_left
from oriflamme.games.tlaok.odds import (
    Pool,
    charged_home,
    clash_pools,
    duel_odds,
    impact_pools,
    mean_wounds,
    reach_chance,
    volley_pools,
)
from oriflamme.games.tlaok.state import Battle, Regiment, Zone
from oriflamme.games.tlaok.trials import value_of
from oriflamme.games.tlaok.volley import can_shoot, targets
from oriflamme.games.tlaok.wounds import toughness

# A charge less likely to arrive than this is not declared, whatever it promises.
LIKELY: Final = 0.5
# An enemy who is further away than this is no reason to leave a zone alone.
NEAR: Final = 16 * INCH
# What a blow struck is worth beside a blow taken: who attacks chooses when, and is fresh for it.
BOLD: Final = 0.6
# Shots that cause fewer wounds than this are not worth standing still for.
FEW: Final = 0.7
# A march that brings it less than this share of its reach nearer is not worth it; then it tries these turns.
WORTHWHILE: Final = 0.3
DETOURS: Final = (0.0, 0.6, -0.6, 1.1, -1.1)
STUCK: Final = 2 * INCH
STRAY: Final = 4


class CaptainBot:
    """Weighs what it would do to the enemy against what the enemy would do back, in points.

    Characters act just before their regiments, those in contact and those who shoot first, those who arrive last. A
    regiment holds a zone it stands on, charges where the odds are good, and else goes for the zone or the enemy that is
    worth most for the way there.
    """

    name = "captain"
    needs_view = True

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)
        self.said: list[dict[str, Any]] = []
        # Charges as they were weighed for the regiment that acts.
        self._charges: dict[str, float] = {}
        # Where a regiment was when it last found its way barred.
        self._seen: dict[str, tuple[float, float]] = {}

    def explain(self) -> list[dict[str, Any]]:
        """Why it chose as it did last, as plain facts: what it weighed, and what each thing was worth in points."""
        return self.said

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        self.said = []
        answer: Callable[[Battle, Any], Any] | None = getattr(self, f"_{decision.ask}", None)
        return decision.suggestion() if answer is None else answer(view.battle, decision)

    def _say(self, **facts: Any) -> None:
        self.said.append(facts)

    # -- before the battle, and reinforcements -------------------------------------------------------------------------

    def _attach_character(self, battle: Battle, decision: PickOne) -> str:
        """The largest regiment he may join."""
        return max(decision.keys(), key=lambda id: (points_of(battle.units[id]), id))

    def _automatic_pick(self, battle: Battle, decision: PickOne) -> str:
        """The regiment worth most comes without a die."""
        coming = [key for key in decision.keys() if key.startswith("arrive:")]
        worth = {key: points_of(battle.units[key.partition(":")[2]]) for key in coming}
        return max(coming, key=lambda key: (worth[key], key), default="none")

    def _use_successes(self, battle: Battle, decision: PickSeveral) -> list[str]:
        """Those worth most."""
        keys = sorted(decision.keys(), key=lambda id: (-points_of(battle.units[id]), id))
        return keys[: decision.most]

    # -- the command stack ---------------------------------------------------------------------------------------------

    def _order_stack(self, battle: Battle, decision: PutInOrder) -> list[str]:
        """Those in contact, those who shoot, those near the enemy, those who arrive; a leader before his own."""

        def order(key: str) -> tuple[float, str, bool]:
            regiment, hero = unit_of(battle, key)
            return self._urgency(battle, regiment), regiment.id, hero is None

        return sorted(decision.keys(), key=order)

    def _urgency(self, battle: Battle, regiment: Regiment) -> float:
        """How late it may act."""
        if not regiment.on_table:
            return 1e6
        if battle.is_engaged(regiment):
            return -1e3 - points_of(regiment)
        near = min((distance_to(battle, regiment, foe) for foe in battle.foes(regiment)), default=1e5)
        return near - (12 * INCH if shoots(regiment) else 0.0)

    def _change_die(self, battle: Battle, decision: PickOne) -> str:
        """It means to play first."""
        return "-1"

    def _use_supremacy(self, battle: Battle, decision: PickOne) -> str:
        """Once there is somebody on the table to make use of it."""
        fighting = sum(battle.is_engaged(r) for r in battle.present(decision.side))
        return decision.keys()[-1] if fighting >= 2 or battle.round >= 5 else "none"

    def _chain_draw(self, battle: Battle, decision: PickOne) -> str:
        return "draw"

    # -- actions -------------------------------------------------------------------------------------------------------

    def _choose_action(self, battle: Battle, decision: PickOne) -> str:
        regiment = battle.units[decision.about["regiment"]]
        open_to = decision.keys()
        self._charges = {}
        if battle.acting is not None and battle.acting.character:
            key = self._act_as_character(battle, regiment, open_to)
        elif battle.is_engaged(regiment):
            key = self._act_in_combat(battle, regiment, open_to)
        else:
            key = self._act_freely(battle, regiment, open_to)
        self._say(regiment=regiment.id, action=key)
        return key if key in open_to else "pass" if "pass" in open_to else decision.suggestion()

    def _act_as_character(self, battle: Battle, regiment: Regiment, open_to: Sequence[str]) -> str:
        """He duels if he is favoured, rallies a Broken regiment, casts."""
        if "duel" in open_to and self._best_duel(battle, regiment)[0] > 0.0:
            return "duel"
        return next((key for key in ("rally", "cast") if key in open_to), "pass")

    def _act_in_combat(self, battle: Battle, regiment: Regiment, open_to: Sequence[str]) -> str:
        """It rallies, inspires and clashes; with the Clash behind it, there is nothing better than to stand."""
        acting = battle.acting
        assert acting is not None
        if "combat_rally" in open_to and acting.used == 0:
            return "combat_rally"
        if "clash" not in open_to:
            return "pass"
        fresh = acting.used == 0 and "inspire" in open_to and "charge" not in acting.performed
        return "inspire" if fresh and not regiment.broken else "clash"

    def _act_freely(self, battle: Battle, regiment: Regiment, open_to: Sequence[str]) -> str:
        acting = battle.acting
        assert acting is not None
        if "rally" in open_to:
            return "rally"
        if "charge" in open_to:
            best = max(self._weigh_charges(battle, regiment).values(), default=0.0)
            if best > 0.0:
                return "charge"
        if "volley" in open_to:
            wounds = self._best_shot(battle, regiment)[0]
            if acting.used > 0 or wounds > FEW:
                return "aim" if acting.used == 0 and "aim" in open_to else "volley"
        if "cast" in open_to:
            return "cast"
        if "march" in open_to and (not regiment.on_table or acting.entering or self._goal(battle, regiment)):
            return "march"
        return "pass" if "pass" in open_to else "march"

    # -- charges -------------------------------------------------------------------------------------------------------

    def _weigh_charges(self, battle: Battle, regiment: Regiment) -> dict[str, float]:
        """What each charge promises, in points."""
        acting = battle.acting
        strikes_too = acting is not None and acting.limit - acting.used >= 2
        self._charges = {
            foe.id: self._value_of_charge(battle, regiment, foe, strikes_too=strikes_too)
            for foe in may_be_charged(battle, regiment, onrush_of(battle, regiment))
        }
        return self._charges

    def _value_of_charge(self, battle: Battle, regiment: Regiment, foe: Regiment, *, strikes_too: bool) -> float:
        """What impact and Clash would do, less what the enemy would do back; by the chance to arrive."""
        chance = reach_chance(battle, regiment, foe)
        if chance < LIKELY:
            return 0.0
        twin = charged_home(battle, regiment, foe)
        if twin is None:
            return 0.0
        own, other = twin.units[regiment.id], twin.units[foe.id]
        given = harm(twin, other, impact_pools(twin, own, other))
        given += harm(twin, other, clash_pools(twin, own, other)) * (1.0 if strikes_too else 0.7)
        taken = harm(twin, own, clash_pools(twin, other, own))
        worth = chance * given * points_of(other) - BOLD * taken * points_of(own)
        self._say(charge=foe.id, chance=round(chance, 2), given=round(given, 2), taken=round(taken, 2))
        return worth

    def _charge_target(self, battle: Battle, decision: PickOne) -> str:
        known = self._charges or self._weigh_charges(battle, battle.units[decision.about["regiment"]])
        return max(decision.keys(), key=lambda id: known.get(id, 0.0))

    def _charge_face(self, battle: Battle, decision: PickOne) -> str:
        """The rear, a flank, the front."""
        return min(decision.keys(), key=("rear", "left", "right", "front").index)

    # -- shots ---------------------------------------------------------------------------------------------------------

    def _best_shot(self, battle: Battle, regiment: Regiment) -> tuple[float, str]:
        """The most wounds, and at whom."""
        return max((self._value_of_shot(battle, regiment, key), key) for key in targets(battle, regiment))

    def _value_of_shot(self, battle: Battle, regiment: Regiment, key: str) -> float:
        kind, _, id = key.rpartition(":")
        pools = volley_pools(battle, regiment, battle.units[id], arcing=bool(kind))
        return sum(mean_wounds(pool.strikes) for pool in pools)

    def _shoot_target(self, battle: Battle, decision: PickOne) -> str:
        regiment = battle.units[decision.about["regiment"]]

        def value(key: str) -> float:
            foe = battle.units[key.rpartition(":")[2]]
            return self._value_of_shot(battle, regiment, key) * points_of(foe) / strength(battle, foe)

        return max(decision.keys(), key=value)

    # -- duels ---------------------------------------------------------------------------------------------------------

    def _best_duel(self, battle: Battle, regiment: Regiment) -> tuple[float, str]:
        found = (0.0, "")
        for enemy in opponents(battle, regiment):
            odds = duel_odds(battle, regiment, enemy)
            assert enemy.character is not None
            found = max(found, (odds.challenged_falls - odds.challenger_falls - 0.05, enemy.character.id))
        return found

    def _choose_duel(self, battle: Battle, decision: PickOne) -> str:
        best = self._best_duel(battle, battle.units[decision.about["regiment"]])[1]
        return best or decision.suggestion()

    def _accept_duel(self, battle: Battle, decision: PickOne) -> str:
        """Rather than being shamed it fights, unless it is likely to be slain for nothing."""
        challenged, _ = unit_of(battle, decision.about["character"])
        challenger, _ = unit_of(battle, decision.about["challenger"])
        odds = duel_odds(battle, challenger, challenged)
        return "refuse" if odds.challenged_falls > 0.3 + odds.challenger_falls else "accept"

    # -- marches -------------------------------------------------------------------------------------------------------

    def _goal(self, battle: Battle, regiment: Regiment) -> tuple[float, float] | None:
        """Where it wants to be; None if it is there."""
        zones = [] if regiment.weight == "light" else battle.zones_of_objectives
        if any(holds(battle, regiment, zone) for zone in zones):
            return None
        return self._pull(battle, regiment, regiment.x, regiment.y)[1:]

    def _pull(self, battle: Battle, regiment: Regiment, x: float, y: float) -> tuple[float, float, float]:
        """What draws it most from a spot, and how much: what is worth more, is nearer, and has fewer friends there."""
        best = (0.0, battle.table.width / 2, battle.table.depth / 2)
        for foe in battle.foes(regiment):
            far = hypot(foe.x - x, foe.y - y)
            if not battle.zones_of_objectives or far < NEAR or regiment.weight == "light":
                best = max(best, ((0.5 + points_of(foe) / 200) / (6 * INCH + far), foe.x, foe.y))
        for zone in () if regiment.weight == "light" else battle.zones_of_objectives:
            far = hypot(zone.x - x, zone.y - y)
            crowd = sum(
                hypot(r.x - zone.x, r.y - zone.y) < far for r in battle.friends(regiment) if r.weight != "light"
            )
            best = max(best, (3.0 * zone.worth[regiment.side] / (6 * INCH + far) / (1 + crowd), zone.x, zone.y))
        return best

    def _enter(self, battle: Battle, decision: Manoeuvre) -> Any:
        """Where something draws it most: straight in, or the best of some ways by chance."""
        regiment = battle.units[decision.about["regiment"]]
        usual = decision.suggestion()
        told = [usual, *(decision.sample(self.random) for _ in range(STRAY))]
        best = max(told, key=lambda way: self._pull(battle, regiment, *way[regiment.id][-1][:2])[0])
        return {id: [list(pose) for pose in path] for id, path in best.items()}

    def _march(self, battle: Battle, decision: Manoeuvre) -> Any:
        """Towards its goal as far as it goes."""
        regiment = battle.units[decision.about["regiment"]]
        goal = self._goal(battle, regiment)
        if goal is None or battle.acting is None or battle.acting.entering:
            return decision.suggestion()
        course = Course(battle, regiment, left=marches_left(battle))
        x, y = course.start.x, course.start.y
        far = hypot(goal[0] - x, goal[1] - y)
        if far < INCH:
            return decision.suggestion()
        best: tuple[float, Any] = (far - WORTHWHILE * course.reach, None)
        for turn in DETOURS:
            path = self._way(course, goal, far, turn)
            if len(path) > 1 and course.why_not_end(path[-1]) is None:
                left = hypot(goal[0] - path[-1].x, goal[1] - path[-1].y)
                if left < best[0]:
                    best = (left, {regiment.id: [[p.x, p.y, p.facing] for p in path]})
            if best[1] is not None:
                break
        try:
            decision.accept(best[1])
        except Refused:
            return self._stray(decision, regiment, goal)
        return best[1]

    def _way(self, course: Course, goal: tuple[float, float], far: float, turn: float) -> Sequence[Pose]:
        """As far as it goes towards a spot, or so much to the left of it."""
        x, y = course.start.x, course.start.y
        share = min(1.0, (course.reach + course.body.depth) / far)
        dx, dy = (goal[0] - x) * share, (goal[1] - y) * share
        tx, ty = x + dx * cos(turn) - dy * sin(turn), y + dx * sin(turn) + dy * cos(turn)
        there = Pose(tx, ty, facing_towards(x, y, tx, ty))
        march = way_to(
            course.body, course.start, there, course.reach, course.obstacles, course.field, chord=course.chord
        )
        return course.path_of(march)

    def _stray(self, decision: Manoeuvre, regiment: Regiment, goal: tuple[float, float]) -> Any:
        """Something is in the way: the best of some marches by chance."""
        tries = [decision.sample(self.random) for _ in range(STRAY)]

        def left(told: Any) -> float:
            end = told[regiment.id][-1] if told.get(regiment.id) else (regiment.x, regiment.y, regiment.facing)
            ahead = facing_towards(end[0], end[1], *goal)
            return hypot(goal[0] - end[0], goal[1] - end[1]) + INCH * abs(turn_between(end[2], ahead))

        def away(told: Any) -> float:
            end = told[regiment.id][-1] if told.get(regiment.id) else (regiment.x, regiment.y)
            return -hypot(end[0] - regiment.x, end[1] - regiment.y)

        # Who has not come away from where he was last time takes the longest way out.
        x, y = self._seen.get(regiment.id, (-inf, -inf))
        stuck = hypot(regiment.x - x, regiment.y - y) < STUCK
        self._seen[regiment.id] = (regiment.x, regiment.y)
        found = min(tries, key=away if stuck else left)
        return {id: [list(pose) for pose in path] for id, path in found.items()}


# -- what things are worth ---------------------------------------------------------------------------------------------


def points_of(regiment: Regiment) -> int:
    return int(regiment.card.get("points", 0)) or 100


def shoots(regiment: Regiment) -> bool:
    return any(can_shoot(regiment, stand) for stand in regiment.figures)


def strength(battle: Battle, regiment: Regiment) -> int:
    """The wounds it can take."""
    return max(1, sum(toughness(battle, regiment, stand) - stand.wounds for stand in regiment.troops))


def harm(battle: Battle, target: Regiment, pools: list[Pool]) -> float:
    """The share of a regiment that an attack takes away on average, with its failed morale."""
    lost = 0.0
    if not target.troops:
        return lost
    resolve = min(5, max(1, value_of(battle, target, target.troops[0], "resolve").number)) / 6
    for pool in pools:
        passes = resolve**2 if pool.cause.face not in ("front", "") else resolve
        lost += mean_wounds(pool.strikes) * (2 - passes if pool.cause.morale else 1.0)
    return min(1.0, lost / strength(battle, target))


def holds(battle: Battle, regiment: Regiment, zone: Zone) -> bool:
    """Half of its front rank or more is on the zone."""
    front = [stand for stand in regiment.figures if stand.rank == 0]
    return 2 * sum(in_range(battle, stand, zone) for stand in front) >= len(front)
