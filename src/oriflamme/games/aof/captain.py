"""The captain: a bot that weighs every activation by its exact odds and fights for the objectives."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import hypot
from random import Random
from typing import Any

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.core.decisions import Allocate, Decision, Move, Moves, PickOne, PickSeveral, Place, Refused
from oriflamme.engine.core.view import View
from oriflamme.engine.geometry.measure import inches, rounded
from oriflamme.engine.search.ideas import ideas_of
from oriflamme.games.aof.activation import can_charge, charge_targets, offered_moves, waiting, walking_ground
from oriflamme.games.aof.deployment import area_for, check_placing, ranked_at
from oriflamme.games.aof.mission import why_not_objective
from oriflamme.games.aof.movement import Ground, gaits_of, march, where_after
from oriflamme.games.aof.odds.melees import quick_melee
from oriflamme.games.aof.odds.results import QuickMelee
from oriflamme.games.aof.odds.volleys import quick_shooting
from oriflamme.games.aof.spells import Spell
from oriflamme.games.aof.state import CONTROL, ENEMY_DISTANCE, ROUNDS, Battle, Objective, Unit

# What an objective is worth, in points of the army that fights for it, from the first round to the last.
OBJECTIVE = (0.06, 0.08, 0.11, 0.25)
DANGER = 0.45
# Nothing further away than this changes what a unit would do.
SURROUNDINGS = inches(30)


class Plan:
    """What a unit would do, what that is worth in points, and why."""

    __slots__ = ("action", "made_for", "moves", "reasons", "target", "unit", "value")

    def __init__(self, unit: str, action: str, value: float, reasons: list[dict[str, Any]]) -> None:
        self.unit = unit
        self.action = action
        self.value = value
        self.reasons = reasons
        self.moves: Moves | None = None
        self.target: str | None = None
        # The round and the unit as it was when the plan was made.
        self.made_for: tuple[object, ...] = ()


class CaptainBot:
    """Takes objectives nobody holds, plays the best expected exchange, and keeps weak units out of charge reach.

    It looks one activation ahead: for each unit it tries to hold, advance, rush and charge, weighs shots and melees
    with the exact odds, counts what it would gain at the objectives, and subtracts what the enemy could do to it there.
    `budget` bounds how many plans it weighs for a decision, `seconds` the time it may take, if that is given.
    """

    name = "captain"
    needs_view = True

    def __init__(self, seed: int = 0, *, budget: int = 400, seconds: float | None = None) -> None:
        self.random = Random(seed)
        self.budget = budget
        self.seconds = seconds
        # Asked in trials: whom to send next it judges by what it thought of each when it last looked at him.
        self.light = False
        self.plan: Plan | None = None
        self.said: list[dict[str, Any]] = []
        self._weighed = 0
        self._began = 0.0
        # Plans that still hold: by unit, with what they were made from.
        self._plans: dict[str, tuple[tuple[object, ...], Plan]] = {}
        self._threats: dict[tuple[str, str], QuickMelee] = {}
        # What is looked up again and again within one decision.
        self._worth: dict[str, float] = {}
        self._reach: dict[str, float] = {}
        self._price = 0.0

    def explain(self) -> list[dict[str, Any]]:
        """Why it chose as it did last, as plain facts: what it weighed, and what each thing was worth in points."""
        return self.said

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        self.said = []
        self._weighed = 0
        self._began = time.perf_counter()
        self._worth.clear()
        self._reach.clear()
        self._price = 0.0
        answer: Callable[[Battle, Any], Any] | None = getattr(self, f"_{decision.ask}", None)
        if answer is None:
            return decision.suggestion()
        return answer(view.battle, decision)

    def ideas(self, view: View, decision: Decision, most: int = 4) -> list[Any]:
        """Different answers worth thinking about, its own first."""
        return ideas_of(self, view, decision, most)

    def try_out(self) -> None:
        """It plays in another trial now: quickly, and what it meant to do in the last one is forgotten."""
        self.light, self.plan = True, None

    def _spent(self) -> bool:
        """Whether it must make up its mind now."""
        self._weighed += 1
        if self._weighed > self.budget:
            return True
        return self.seconds is not None and time.perf_counter() - self._began > self.seconds

    def worth(self, unit: Unit) -> float:
        found = self._worth.get(unit.id)
        if found is None:
            found = self._worth[unit.id] = worth(unit)
        return found

    def charge_reach(self, battle: Battle, unit: Unit) -> float:
        found = self._reach.get(unit.id)
        if found is None:
            found = self._reach[unit.id] = max(g.allowance for g in gaits_of(battle, unit, "charge").values())
        return found

    # -- before the battle ---------------------------------------------------------------------------------------------

    def _place_objective(self, battle: Battle, decision: Place) -> Any:
        """Markers go near the middle line, spread out, where units can reach them."""
        name = decision.figures[0]
        table = battle.table
        for _ in range(40):
            x = rounded(table.width * (0.12 + 0.76 * self.random.random()))
            y = rounded(table.depth * (0.42 + 0.16 * self.random.random()))
            if battle.axis == "x":
                x, y = rounded(y * table.width / table.depth), rounded(x * table.depth / table.width)
            if why_not_objective(battle, x, y) is None:
                return {name: (x, y)}
        return decision.sample(self.random)

    def _set_aside(self, battle: Battle, decision: PickSeveral) -> Any:
        """Scouts are set aside to start further forward; nobody waits in ambush while objectives lie open."""
        picked: list[str] = []
        seen: set[str] = set()
        for key in decision.keys():
            names, _, way = key.partition(":")
            ids = set(names.split("+"))
            if way == "scout" and not ids & seen:
                picked.append(key)
                seen |= ids
        return picked

    def _choose_unit_to_place(self, battle: Battle, decision: PickOne) -> str:
        """Heroes join the largest unit they can; slow units show where they go first."""
        keys = decision.keys()
        joined = [k for k in keys if "+" in k]
        if joined:
            return max(joined, key=lambda k: (worth(battle.units[k.partition("+")[0]]), k))
        return min(keys, key=lambda k: (worth(battle.units[k]), k))

    def _place_unit(self, battle: Battle, decision: Place) -> Any:
        return next(self._more_place_unit(battle, decision), None) or decision.sample(self.random)

    def _more_place_unit(self, battle: Battle, decision: Place) -> Iterator[Any]:
        """In front of the objective that has the fewest friends, forward to fight, back to shoot."""
        unit = battle.units[decision.about["unit"]]
        reserve = decision.about["reserve"]
        x0, y0, x1, y1 = area_for(battle, unit.side, reserve)
        goals = sorted(battle.objectives, key=lambda o: (_friends_near(battle, unit, o), o.x)) or [
            Objective(battle.table.width / 2, battle.table.depth / 2)
        ]
        files = 5 if len(unit.figures) >= 5 else max(1, len(unit.figures))
        shooter = any(f.profile.ranged_weapons for f in unit.figures)
        low = battle.edge[unit.side] == "low"
        for goal in goals:
            for aside in (0, 4, -4, 8, -8, 12, -12, 18, -18):
                for back in (2.2, 4.5, 7.5) if not shooter else (4.5, 7.5, 2.2):
                    if battle.axis == "y":
                        x = goal.x + inches(aside)
                        y = y1 - inches(back) if low else y0 + inches(back)
                    else:
                        y = goal.y + inches(aside)
                        x = x1 - inches(back) if low else x0 + inches(back)
                    if reserve == "ambush":
                        x, y = goal.x + inches(aside), goal.y + inches(back - 4)
                    places = ranked_at(battle, unit, x, y, files)
                    if check_placing(battle, unit, reserve, places) is None:
                        yield places
                    if self._spent():
                        return

    def _place_ambush(self, battle: Battle, decision: PickOne) -> str:
        keys = [k for k in decision.keys() if k != "pass"]
        return max(keys, key=lambda k: (worth(battle.units[k.partition("+")[0]]), k))

    # -- an activation -------------------------------------------------------------------------------------------------

    def _choose_unit(self, battle: Battle, decision: PickOne) -> str:
        """The unit with the most to gain acts now."""
        side = decision.side
        best: Plan | None = None
        marks = {u.id: _mark(u) for u in battle.on_table()}
        owners = (battle.round, *(o.owner for o in battle.objectives))
        for unit in waiting(battle, side):
            made_from: tuple[object, ...] = (owners, marks[unit.id])
            if not self.light:
                near = [u for u in battle.on_table() if u is not unit and box_gap(u.box, unit.box) < SURROUNDINGS]
                made_from = (*made_from, *(marks[u.id] for u in near))
            kept = self._plans.get(unit.id)
            if kept is not None and kept[0] == made_from:
                plan = kept[1]
            else:
                plan = self._best_plan(battle, unit)
                self._plans[unit.id] = (made_from, plan)
            if best is None or plan.value > best.value:
                best = plan
            if self._spent():
                break
        assert best is not None
        self.plan = best
        best.made_for = () if self.light else (battle.round, _mark(battle.units[best.unit])[:-2])
        self.said = [{"chose": best.unit, "action": best.action, "worth": round(best.value, 1)}, *best.reasons]
        return best.unit

    def _choose_action(self, battle: Battle, decision: PickOne) -> str:
        plan = self.plan
        unit = battle.units[decision.about["unit"]]
        # The choice of the unit is not asked when there is only one: then there is no fresh plan for it.
        fresh = plan is not None and plan.made_for == (battle.round, _mark(unit)[:-2])
        if plan is None or not fresh or plan.action not in decision.keys():
            plan = self.plan = self._best_plan(battle, unit, decision.keys())
        self.said = [{"chose": plan.action, "worth": round(plan.value, 1)}, *plan.reasons]
        return plan.action

    def _more_choose_unit(self, battle: Battle, decision: PickOne) -> list[str]:
        """The units by what they have to gain."""
        plans = [kept[1] for id, kept in self._plans.items() if id in decision.keys()]
        return [plan.unit for plan in sorted(plans, key=lambda p: -p.value)]

    def _more_choose_action(self, battle: Battle, decision: PickOne) -> list[str]:
        """The actions by what they are worth."""
        unit = battle.units[decision.about["unit"]]
        plans: list[Plan] = []
        for key in decision.keys():
            if key == "hold":
                plans.append(self._stand(battle, unit))
            elif key.startswith("charge:"):
                plans.append(self._charge(battle, unit, key, battle.units[key.partition(":")[2]]))
            else:
                plans += self._walk(battle, unit, key)
        return list(dict.fromkeys(plan.action for plan in sorted(plans, key=lambda p: -p.value)))

    def _more_move_unit(self, battle: Battle, decision: Move) -> list[Moves]:
        """The other ways it had thought of."""
        plans = self._walk(battle, battle.units[decision.about["unit"]], decision.about["action"])
        return [plan.moves for plan in sorted(plans, key=lambda p: -p.value) if plan.moves]

    def _more_choose_target(self, battle: Battle, decision: PickOne) -> list[str]:
        return [str(said["target"]) for said in sorted(self.said, key=lambda said: -said["worth"])]

    def _best_plan(self, battle: Battle, unit: Unit, keys: tuple[str, ...] | None = None) -> Plan:
        """Everything the unit could do, weighed."""
        if unit.shaken:
            return Plan(unit.id, "hold", 0.0, [{"because": "shaken"}])
        if keys is None:
            keys = tuple(o.key for o in offered_moves(battle, unit))
            charges = charge_targets(battle, unit)
        else:
            charges = [battle.units[k.partition(":")[2]] for k in keys if k.startswith("charge:")]
        plans: list[Plan] = []
        for key in keys:
            if key == "hold":
                plans.append(self._stand(battle, unit))
            elif not key.startswith("charge:"):
                plans += self._walk(battle, unit, key)
            if self._spent():
                break
        best = max(plans, key=lambda p: p.value) if plans else None
        weighed = [self._charge(battle, unit, f"charge:{target.id}", target) for target in charges]
        for plan in sorted(weighed, key=lambda p: -p.value):
            if best is not None and plan.value <= best.value:
                break
            # Whether there is a way is asked only of the charge it would make.
            if can_charge(battle, unit, battle.units[plan.action.partition(":")[2]]):
                return plan
        return best if best is not None else weighed[0]

    def _stand(self, battle: Battle, unit: Unit) -> Plan:
        places = where_after(unit, {})
        shots, target = self._shots(battle, unit, 0.0, 0.0, moved=False)
        ground = self._ground_worth(battle, unit, places)
        danger = self._danger(battle, unit, 0.0, 0.0)
        plan = Plan(unit.id, "hold", shots + ground - danger, _why(shots=shots, ground=ground, danger=-danger))
        plan.target = target
        return plan

    def _walk(self, battle: Battle, unit: Unit, action: str) -> list[Plan]:
        """Towards each objective worth it, towards the nearest enemy, and away from danger."""
        gaits = gaits_of(battle, unit, action)
        reach = min(g.allowance for g in gaits.values())
        if reach <= 0:
            return []
        ground = walking_ground(battle, unit, gaits)
        x0, y0, x1, y1 = unit.box
        cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
        wanted = [o for o in battle.objectives if o.owner != unit.side] or battle.objectives
        goals = sorted(((o.x, o.y) for o in wanted), key=lambda g: hypot(g[0] - cx, g[1] - cy))[:2]
        enemies = battle.enemies_of(unit.side) if action == "advance" else []
        if enemies:
            near = min(enemies, key=lambda e: box_gap(unit.box, e.box))
            ex, ey = (near.box[0] + near.box[2]) / 2, (near.box[1] + near.box[3]) / 2
            goals.append((ex, ey))
            away = hypot(cx - ex, cy - ey) or 1.0
            goals.append((cx + (cx - ex) / away * reach, cy + (cy - ey) / away * reach))
        plans = []
        for gx, gy in goals:
            moves = march(ground, gaits, gx, gy)
            if not moves:
                continue
            first = unit.figures[0]
            sx, sy = moves[first.id][-1] if first.id in moves else (first.x, first.y)
            dx, dy = sx - first.x, sy - first.y
            places = where_after(unit, moves)
            shots, target = self._shots(battle, unit, dx, dy, moved=True) if action == "advance" else (0.0, None)
            held = self._ground_worth(battle, unit, places)
            danger = self._danger(battle, unit, dx, dy)
            plan = Plan(unit.id, action, shots + held - danger, _why(shots=shots, ground=held, danger=-danger))
            plan.moves = moves
            plan.target = target
            plans.append(plan)
            if self._spent():
                break
        return plans

    def _charge(self, battle: Battle, unit: Unit, key: str, target: Unit) -> Plan:
        """What the melee would cost both sides, by its exact odds."""
        odds = quick_melee(battle, unit, target)
        mine, theirs = self.worth(unit), self.worth(target)
        gain = theirs * odds.target_lost - mine * odds.charger_lost
        held = sum(
            self._objective(battle) * (odds.target_out + 0.5 * odds.target_shaken)
            for o in battle.objectives
            if _near(target, o)
        )
        # Where it ends up, roughly: beside the target.
        x = (target.box[0] + target.box[2]) / 2 - (unit.box[0] + unit.box[2]) / 2
        y = (target.box[1] + target.box[3]) / 2 - (unit.box[1] + unit.box[3]) / 2
        ground = 0.7 * self._ground_worth(battle, unit, [(f.x + x, f.y + y, f.radius) for f in unit.figures])
        return Plan(unit.id, key, gain + held + ground, _why(exchange=gain, objective=held, ground=ground))

    def _shots(self, battle: Battle, unit: Unit, dx: float, dy: float, *, moved: bool) -> tuple[float, str | None]:
        """The best target's expected loss in points, seen from where the unit would stand."""
        if not any(f.profile.ranged_weapons for f in unit.figures):
            return 0.0, None
        best, chosen = 0.0, None
        reach = max(w.range for f in unit.figures for w in f.profile.ranged_weapons)
        box = (unit.box[0] + dx, unit.box[1] + dy, unit.box[2] + dx, unit.box[3] + dy)
        for enemy in battle.enemies_of(unit.side):
            if box_gap(box, enemy.box) > reach:
                continue
            odds = quick_shooting(battle, unit, enemy, dx, dy, moved=moved)
            value = self.worth(enemy) * (odds.lost + 0.25 * odds.shaken)
            held = sum(_near(enemy, o) for o in battle.objectives)
            value += held * self._objective(battle) * 0.5 * (odds.destroyed + odds.shaken)
            if value > best:
                best, chosen = value, enemy.id
            if self._spent():
                break
        return best, chosen

    def _objective(self, battle: Battle) -> float:
        if not self._price:
            army = max(400.0, sum(self.worth(u) for u in battle.units.values() if u.figures) / 2)
            self._price = OBJECTIVE[min(ROUNDS, max(1, battle.round)) - 1] * army
        return self._price

    def _ground_worth(self, battle: Battle, unit: Unit, places: list[tuple[float, float, float]]) -> float:
        """What standing there is worth at the objectives: taken, contested, or come nearer to."""
        price = self._objective(battle)
        total = 0.0
        nearest = 0.0
        for objective in battle.objectives:
            away = min(hypot(x - objective.x, y - objective.y) - r for x, y, r in places)
            mine = objective.owner == unit.side
            want = 0.35 if mine else 1.0 if objective.owner is None else 1.4
            if _others_hold(battle, unit, objective):
                want *= 0.25
            if away <= CONTROL:
                total += price * want
            elif not mine or battle.round == ROUNDS:
                # Coming nearer counts less the further it is and the less time is left.
                left = ROUNDS - battle.round
                if away <= inches(12) * left + CONTROL:
                    nearest = max(nearest, 0.6 * price * want * (1 - away / (inches(12) * (left + 1))))
        return total + nearest

    def _danger(self, battle: Battle, unit: Unit, dx: float, dy: float) -> float:
        """What the enemy's best charge could cost the unit there."""
        worst = 0.0
        box = (unit.box[0] + dx, unit.box[1] + dy, unit.box[2] + dx, unit.box[3] + dy)
        threats = [
            e
            for e in battle.enemies_of(unit.side)
            if not e.shaken
            and not e.fatigued
            and box_gap(box, e.box) <= self.charge_reach(battle, e)
            and any(f.profile.melee_weapons for f in e.figures)
        ]
        # The dearest two stand for all.
        for enemy in sorted(threats, key=lambda e: (-self.worth(e), e.id))[:2]:
            loss = self._threat(battle, enemy, unit)
            soon = 1.0 if not enemy.activated else 0.5
            worst = max(worst, loss * soon)
            if self._spent():
                break
        return DANGER * worst

    def _threat(self, battle: Battle, enemy: Unit, unit: Unit) -> float:
        """What a charge by this enemy would cost, in points; its odds are judged once, for it is a guess anyway."""
        key = (enemy.id, unit.id)
        odds = self._threats.get(key)
        if odds is None:
            odds = self._threats[key] = quick_melee(battle, enemy, unit)
        return self.worth(unit) * odds.target_lost - self.worth(enemy) * odds.charger_lost

    # -- within an activation ------------------------------------------------------------------------------------------

    def _move_unit(self, battle: Battle, decision: Move) -> Any:
        plan, action = self.plan, decision.about["action"]
        if plan is None or plan.unit != decision.about["unit"] or plan.action != action:
            # Somebody else has chosen for it.
            plans = self._walk(battle, battle.units[decision.about["unit"]], action)
            plan = max(plans, key=lambda one: one.value, default=None)
        if plan is not None and plan.moves is not None:
            try:
                return decision.accept(plan.moves)
            except Refused:
                # Something came in between, such as a spell of its own.
                pass
        return decision.suggestion()

    def _move_after_melee(self, battle: Battle, decision: Move) -> Any:
        """Three inches towards the nearest objective that is not ours."""
        unit = battle.units[decision.about["unit"]]
        open_ones = [o for o in battle.objectives if o.owner != unit.side]
        if not open_ones:
            return {}
        x0, y0, x1, y1 = unit.box
        cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
        goal = min(open_ones, key=lambda o: hypot(o.x - cx, o.y - cy))
        gaits = gaits_of(battle, unit, "consolidate")
        ground = Ground(battle, unit, inches(3), keep_off=ENEMY_DISTANCE)
        moves = march(ground, gaits, goal.x, goal.y)
        try:
            return decision.accept(moves)
        except Refused:
            # Others may stand where it would come to stand.
            return decision.suggestion()

    def _choose_target(self, battle: Battle, decision: PickOne) -> str:
        """The target that stands to lose the most points."""
        unit = battle.units[decision.about["unit"]]
        best, chosen = 0.0, "none"
        for key in decision.keys():
            if key == "none":
                continue
            enemy = battle.units[key]
            odds = quick_shooting(battle, unit, enemy, 0.0, 0.0, moved=unit.figures[0].moved)
            value = worth(enemy) * (odds.lost + 0.25 * odds.shaken) + 0.001
            self.said.append({"target": key, "worth": round(value, 1)})
            if value > best:
                best, chosen = value, key
        return chosen

    def _strike_back(self, battle: Battle, decision: PickOne) -> str:
        """Strikes back, unless it could only hope for sixes it will need fresh arms for."""
        return "yes"

    def _choose_spell(self, battle: Battle, decision: PickOne) -> str:
        """The spell that promises the most; tokens are no use unspent."""
        unit = battle.units[decision.about["unit"]]
        spells = {s.id: s for s in unit.spells}
        best, chosen = 0.0, "none"
        for key in decision.keys():
            if key != "none":
                value = self._spell_worth(spells[key])
                if value > best:
                    best, chosen = value, key
        return chosen

    def _spell_worth(self, spell: Spell) -> float:
        if spell.hits:
            return 3.0 * spell.hits * spell.count / spell.value
        return (4.0 if spell.gives else 1.0) * spell.count / spell.value

    def _choose_spell_target(self, battle: Battle, decision: PickOne) -> str:
        return max(decision.keys(), key=lambda k: (worth(battle.units[k]), k))

    def _spend_tokens(self, battle: Battle, decision: Allocate) -> Any:
        """One token for a friend's spell, two against an enemy's, if there are that many."""
        caster = decision.about["figure"]
        friendly = any(f.id == caster for u in battle.friends_of(decision.side) for f in u.figures)
        sign, most = ("+", 1) if friendly else ("-", 2)
        for slot, held in decision.slots.items():
            if slot.endswith(sign) and held >= most:
                return {slot: most}
        return {}


def _mark(unit: Unit) -> tuple[object, ...]:
    """What others see of a unit: if it is the same, so are their plans."""
    wounds = sum(f.wounds for f in unit.figures)
    return (unit.id, unit.box, len(unit.figures), wounds, unit.shaken, unit.fatigued, unit.activated, unit.effects)


def _why(**worth_of: float) -> list[dict[str, Any]]:
    return [{"because": what, "worth": round(value, 1)} for what, value in worth_of.items() if abs(value) >= 0.05]


def worth(unit: Unit) -> float:
    """What is left of the unit, in points."""
    total = sum(f.profile.tough for f in unit.figures) + sum(f.profile.tough for f in unit.fallen)
    left = sum(f.left for f in unit.figures)
    cost = float(unit.card.get("cost", 0) or 20 * unit.start)
    return cost * left / total if total else 0.0


def _near(unit: Unit, objective: Objective) -> bool:
    return any(hypot(f.x - objective.x, f.y - objective.y) - f.radius <= CONTROL for f in unit.figures)


def _others_hold(battle: Battle, unit: Unit, objective: Objective) -> bool:
    friends = [u for u in battle.friends_of(unit.side) if u.id != unit.id and not u.shaken]
    return any(_near(u, objective) for u in friends)


def _friends_near(battle: Battle, unit: Unit, objective: Objective) -> int:
    along = 0 if battle.axis == "y" else 1
    here = (objective.x, objective.y)[along]
    friends = [u for u in battle.friends_of(unit.side) if u is not unit]
    return sum(abs((u.figures[0].x, u.figures[0].y)[along] - here) < inches(9) for u in friends)
