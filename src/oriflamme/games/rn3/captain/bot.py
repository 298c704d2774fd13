"""The captain: a bot that weighs each unit's orders by exact odds, holds what scores, and splits dice as a mixed game.

It sees exact distances, as its view of the battle has them; a person who may not measure estimates them by eye.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.decisions import Allocate, Decision, PickOne, Place
from oriflamme.engine.core.view import View
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.search.ideas import ideas_of
from oriflamme.games.rn3.blows import Onset
from oriflamme.games.rn3.captain import powers, worth
from oriflamme.games.rn3.captain.matrix_game import Matrix, solve
from oriflamme.games.rn3.captain.routes import along, length_of, route
from oriflamme.games.rn3.captain.splits import SplitGame, split_game
from oriflamme.games.rn3.charge import is_in_reach
from oriflamme.games.rn3.contact import engaged_with, is_free, unit_gap
from oriflamme.games.rn3.melee import fight_of, what_is_asked
from oriflamme.games.rn3.power import power_of
from oriflamme.games.rn3.scenarios import zone_of
from oriflamme.games.rn3.shooting import distance_between, targets_of, why_not_shoot
from oriflamme.games.rn3.state import Battle, Unit, value_of

# A march waits until others have acted, and shows the enemy nothing: so much of its worth counts for who goes first.
MARCH_FIRST: Final = 0.3
# What a plan must be worth at least before a titan's card or a reserve goes first, and for a tactic point.
BETTER_THAN_CARDS: Final = 25.0
WORTH_A_TACTIC: Final = 10.0
# The tests for which elixir buys a die.
STRIKES: Final = ("attack", "force", "ranged_attack", "ranged_force")
# The nearest that those who shoot go of their own accord.
STAND_OFF: Final = cm(25)

# How many enemies a unit looks for a way to.
HUNTED: Final = 3
# Splits that are played less often than this are not spoken of.
LEAST_CHANCE: Final = 0.005
# What those count who come into contact only in the next turn.
FOLLOWING: Final = 0.6
# How much more somebody is worth for each unit that is after him already, up to two: only whole units count as losses.
LOYALTY: Final = 1.3
# What a fight to come is worth to those who could shoot instead, unless it is to finish a broken unit.
SHOOTERS: Final = 0.4

# How many spots for a card are compared, and what being near the front and near the others counts.
SPOTS: Final = 60
FRONT: Final = 2.0
APART: Final = 0.3

Reasons = dict[str, float]


class Prize(NamedTuple):
    """An enemy, what fighting it is worth, and how far it is as the crow flies."""

    enemy: Unit
    gain: float
    away: float


class Hunt(NamedTuple):
    """What fighting an enemy is worth, how far it is, and the way there."""

    enemy: str
    gain: float
    away: float
    way: list[Point]


class Plan(NamedTuple):
    """What a unit would do, what that is worth in army points, and why."""

    unit: str
    order: str
    value: float
    reasons: Reasons
    target: str = ""
    spot: Point | None = None
    # How it shoots: with a walk before it, or without (RN3-SHOOT-03).
    shooting: str = "shoot"

    @property
    def urgency(self) -> float:
        return self.value * (MARCH_FIRST if self.order in ("stay", "walk", "run") else 1.0)

    def why(self) -> list[dict[str, Any]]:
        facts = [{"because": what, "worth": round(much, 1)} for what, much in self.reasons.items() if abs(much) >= 0.05]
        return [{"chose": self.unit, "order": self.order, "worth": round(self.value, 1)}, *facts]


class CaptainBot:
    """Charges where the exchange is good, shoots the rest, walks to what scores, and keeps dice for who is yet to act.

    The split of dice between attack, defence and reserve is answered as the matrix game it is: a mixture that nobody
    can outguess, drawn by its seed.
    """

    name = "captain"
    needs_view = True

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)
        self.plan: Plan | None = None
        # Whom each unit was last sent against.
        self.hunted: dict[str, str] = {}
        self.said: list[dict[str, Any]] = []
        # What it thought of the reactions it had last.
        self._reactions: list[str] = []

    def explain(self) -> list[dict[str, Any]]:
        """Why it chose as it did last, as plain facts."""
        return self.said

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        self.said = []
        answer: Callable[[Battle, Any], Any] | None = getattr(self, f"_{decision.ask}", None)
        if answer is None:
            return decision.suggestion()
        return answer(view.battle, decision)

    def ideas(self, view: View, decision: Decision, most: int = 4) -> list[Any]:
        """Different answers worth thinking about, its own first."""
        return ideas_of(self, view, decision, most)

    def try_out(self) -> None:
        """It plays in another trial now: what it meant to do in the last one is forgotten."""
        self.plan, self.hunted = None, {}

    # -- before the battle ---------------------------------------------------------------------------------------------

    def _keep_reserves(self, battle: Battle, decision: Decision) -> Any:
        return ()

    def _choose_formation(self, battle: Battle, decision: PickOne) -> str:
        """Apart: so a unit finds its way through the country, and shots lose themselves."""
        return "dispersed" if "dispersed" in decision.keys() else decision.keys()[0]

    def _place_card(self, battle: Battle, decision: Place) -> Any:
        """Near the front, opposite to what scores or to the enemy's cards, not all on one spot."""
        side, zone = decision.side, zone_of(battle, decision.side)
        mine = [u.spot for u in battle.units_of(side) if u.spot is not None]
        goals = [o.x for o in battle.objectives] or [x for of, x, _ in battle.spots if of != side]
        goals = goals or [(zone.x0 + zone.x1) / 2]
        best, best_value = None, -1e18
        for _ in range(SPOTS):
            places = decision.sample(self.random)
            if not places:
                return places
            x, y = next(iter(places.values()))[:2]
            # Who may stand anywhere stays with the others all the same.
            front = y - zone.y0 if side == 0 else zone.y1 - y
            front = min(front, 2 * (zone.y1 - zone.y0) - front)
            crowd = sum(max(0.0, cm(18) - hypot(x - mx, y - my)) for mx, my in mine)
            apart = min((hypot(x - mx, y - my) for mx, my in mine), default=0.0)
            value = FRONT * front - crowd * 2 - min(abs(x - goal) for goal in goals) * 0.4 - APART * apart
            if value > best_value:
                best, best_value = places, value
        return best

    # -- whose go it is ------------------------------------------------------------------------------------------------

    def _choose_unit(self, battle: Battle, decision: PickOne) -> str:
        plans = [self._best_plan(battle, battle.units[key]) for key in decision.keys() if key in battle.units]
        others = [key for key in decision.keys() if key not in battle.units and key not in ("cancel", "wait")]
        if others and (not plans or max(plan.value for plan in plans) < BETTER_THAN_CARDS):
            return others[0]
        if not plans:
            return decision.keys()[0]
        self.plan = max(plans, key=lambda plan: (plan.urgency, plan.unit))
        self.said = self.plan.why()
        return self.plan.unit

    def _more_choose_unit(self, battle: Battle, decision: PickOne) -> list[str]:
        """The units by what they have to gain."""
        plans = [self._best_plan(battle, battle.units[key]) for key in decision.keys() if key in battle.units]
        return [plan.unit for plan in sorted(plans, key=lambda plan: -plan.urgency)]

    def _more_choose_order(self, battle: Battle, decision: PickOne) -> list[str]:
        """The orders by what they are worth."""
        plans = self._plans(battle, battle.units[decision.about["unit"]])
        plans.sort(key=lambda plan: plan.value, reverse=True)
        return [order for order in dict.fromkeys(plan.order for plan in plans) if order in decision.keys()]

    def _planned(self, battle: Battle, unit_id: str) -> Plan:
        if self.plan is None or self.plan.unit != unit_id:
            self.plan = self._best_plan(battle, battle.units[unit_id])
        return self.plan

    def _choose_order(self, battle: Battle, decision: PickOne) -> str:
        unit = battle.units[decision.about["unit"]]
        keys = decision.keys()
        plans = [plan for plan in self._plans(battle, unit) if plan.order in keys]
        plans.sort(key=lambda plan: plan.value, reverse=True)
        for plan in plans:
            if plan.order != "assault" or is_in_reach(battle, unit, [battle.units[plan.target]]):
                self.plan = plan
                self.hunted[unit.id] = plan.target
                self.said = plan.why()
                return plan.order
        return "stay" if "stay" in keys else keys[0]

    def _best_plan(self, battle: Battle, unit: Unit) -> Plan:
        return max(self._plans(battle, unit), key=lambda plan: plan.value)

    def _plans(self, battle: Battle, unit: Unit) -> list[Plan]:
        if not is_free(battle, unit):
            return self._plans_in_melee(battle, unit)
        enemies = battle.enemies_of(unit.side)
        leader = unit.leading
        here = (leader.x, leader.y)
        fights = unit.machine is None and bool(unit.pool.left or unit.hero_pool.left) and not unit.attacked
        prizes = []
        for enemy in enemies if fights else ():
            gain = worth.exchange(battle, unit, enemy, worth.onset_of(battle, unit, enemy))
            gain *= LOYALTY ** min(2, sum(1 for hunted in self.hunted.values() if hunted == enemy.id))
            if unit.profile.ranged is not None and 2 * len(enemy.figures) > enemy.start:
                gain *= SHOOTERS
            prizes.append(Prize(enemy, gain, unit_gap(unit, enemy)))
        hunts = self._hunts(battle, unit, prizes)
        dangers = worth.Dangers(battle, unit, enemies)
        still = self._at(battle, unit, "stay", here, hunts, enemies, dangers)
        plans = [still]
        if unit.machine is None:
            plans += [self._assault(battle, unit, prize) for prize in prizes if prize.away <= worth.reach_of(unit)]
            plans += self._marches(battle, unit, hunts, enemies, dangers)
        if why_not_shoot(battle, unit) is None:
            plans += self._shots(battle, unit, enemies, dangers, still)
        return plans

    def _hunts(self, battle: Battle, unit: Unit, prizes: Sequence[Prize]) -> list[Hunt]:
        """The enemies whom it would like best to fight, from here, and the way to each."""
        here, reach = (unit.leading.x, unit.leading.y), worth.reach_of(unit)
        wanted = sorted(prizes, key=lambda prize: -worth.approach(battle, prize.gain, prize.away, reach))
        found = []
        for enemy, gain, away in wanted[:HUNTED]:
            goal = (enemy.leading.x, enemy.leading.y)
            way = route(battle, unit, goal) if gain > 0 else None
            if way is not None:
                # What a way goes about counts, and not the bodies of both units.
                about = length_of(here, way) - hypot(goal[0] - here[0], goal[1] - here[1])
                found.append(Hunt(enemy.id, gain, away + about, way))
        return found

    def _plans_in_melee(self, battle: Battle, unit: Unit) -> list[Plan]:
        """Fight on; break away from a fight that is lost."""
        foes = engaged_with(battle, unit)
        plain = Onset(options=battle.options)
        gain = sum(worth.exchange(battle, unit, foe, plain, worth.able_to_touch(unit, foe, 1)) for foe in foes)
        return [
            Plan(unit.id, "engage", max(5.0, gain), {"exchange": gain}),
            Plan(unit.id, "stay", 0.0, {}),
        ]

    def _assault(self, battle: Battle, unit: Unit, prize: Prize) -> Plan:
        enemy = prize.enemy
        models = worth.able_to_touch(unit, enemy)
        gain = worth.exchange(battle, unit, enemy, worth.onset_of(battle, unit, enemy), max(1, models))
        if battle.round < battle.turns:
            # Those who come too late now fight next turn.
            gain += FOLLOWING * max(0.0, prize.gain - gain)
        ground = worth.ground(battle, unit, (enemy.leading.x, enemy.leading.y)) * 0.8
        return Plan(unit.id, "assault", gain + ground, {"exchange": gain, "ground": ground}, enemy.id)

    def _at(
        self,
        battle: Battle,
        unit: Unit,
        order: str,
        spot: Point,
        hunts: Sequence[Hunt],
        enemies: Sequence[Unit],
        dangers: worth.Dangers,
        gone: float = 0.0,
    ) -> Plan:
        """What being at a spot is worth at the end of an order, so much farther on the way to those it hunts."""
        reach = worth.reach_of(unit)
        reasons = {
            "ground": worth.ground(battle, unit, spot),
            "approach": max((worth.approach(battle, h.gain, h.away - gone, reach) for h in hunts), default=0.0),
            "aim": worth.aim(battle, unit, spot, enemies),
            "danger": -dangers.at(spot),
        }
        target = hunts[0].enemy if len(hunts) == 1 else ""
        return Plan(unit.id, order, sum(reasons.values()), reasons, target, spot)

    def _marches(
        self, battle: Battle, unit: Unit, hunts: Sequence[Hunt], enemies: Sequence[Unit], dangers: worth.Dangers
    ) -> list[Plan]:
        """Towards what scores, or towards those whom it would like to fight: a walk or a run."""
        leader = unit.leading
        here, mou = (leader.x, leader.y), cm(value_of(unit, leader, "mou"))
        goals = [(o.x, o.y) for o in battle.objectives]
        beyond = (leader.x, zone_of(battle, 1 - unit.side).middle[1])
        if worth.ground(battle, unit, beyond) > worth.ground(battle, unit, here):
            goals.append(beyond)
        ways: list[tuple[list[Point], Sequence[Hunt]]] = [(hunt.way, (hunt,)) for hunt in hunts]
        ways += [(route(battle, unit, goal) or [goal], ()) for goal in goals]
        if not ways and enemies:
            nearest = min(enemies, key=lambda enemy: unit_gap(unit, enemy)).leading
            ways.append((route(battle, unit, (nearest.x, nearest.y)) or [(nearest.x, nearest.y)], ()))
        return [
            self._at(battle, unit, order, along(here, way, far), after, enemies, dangers, far)
            for way, after in ways
            for order, far in (("walk", mou), ("run", 2 * mou))
        ]

    def _shots(
        self, battle: Battle, unit: Unit, enemies: Sequence[Unit], dangers: worth.Dangers, still: Plan
    ) -> list[Plan]:
        """A shot from where it stands, or after a walk towards its target."""
        plans = []
        leader = unit.leading
        here, mou = (leader.x, leader.y), cm(value_of(unit, leader, "mou"))
        here_still = {key: still.reasons[key] for key in ("ground", "aim", "danger")}
        seen = targets_of(battle, unit)
        for enemy in seen:
            gain = worth.shot(battle, unit, enemy)
            reasons = {"shots": gain, **here_still}
            plans.append(Plan(unit.id, "shoot", sum(reasons.values()), reasons, enemy.id))
        if unit.machine is not None or not enemies:
            return plans
        # Who sees nobody, or would hit better from nearer, walks first.
        for enemy in sorted(enemies, key=lambda enemy: unit_gap(unit, enemy))[:2]:
            away = distance_between(unit, enemy)
            step = min(mou, away - STAND_OFF)
            if step <= cm(1):
                continue
            way = route(battle, unit, (enemy.leading.x, enemy.leading.y))
            if way is None:
                continue
            spot = along(here, way, step)
            gain = worth.shot(battle, unit, enemy, nearer=step) * (1.0 if enemy in seen else 0.6)
            moved = self._at(battle, unit, "shoot", spot, (), enemies, dangers)
            reasons = {"shots": gain, **moved.reasons}
            plans.append(Plan(unit.id, "shoot", gain + moved.value, reasons, enemy.id, spot, "walk_then_shoot"))
        return plans

    # -- carrying it out -----------------------------------------------------------------------------------------------

    def _assault_target(self, battle: Battle, decision: PickOne) -> str:
        plan = self._planned(battle, decision.about["unit"])
        return plan.target if plan.target in decision.keys() else decision.keys()[0]

    def _more_assault_target(self, battle: Battle, decision: PickOne) -> list[str]:
        """Those in reach, by what fighting them is worth."""
        unit = battle.units[decision.about["unit"]]
        foes = [battle.units[key] for key in decision.keys() if key in battle.units]
        foes = [foe for foe in foes if unit_gap(unit, foe) <= worth.reach_of(unit)]
        gains = {f.id: worth.exchange(battle, unit, f, worth.onset_of(battle, unit, f)) for f in foes}
        return sorted(gains, key=lambda id: (-gains[id], id))

    def _shoot_target(self, battle: Battle, decision: PickOne) -> str:
        unit = battle.units[decision.about["unit"]]
        keys = [key for key in decision.keys() if key != "none"]
        if not keys:
            return "none"
        gains = {key: worth.shot(battle, unit, battle.units[key]) for key in keys}
        chosen = max(keys, key=lambda key: (gains[key], key))
        self.said = [{"target": chosen}, {"because": "shots", "worth": round(gains[chosen], 1)}]
        return chosen

    def _shoot_plan(self, battle: Battle, decision: PickOne) -> str:
        plan = self._planned(battle, decision.about["unit"])
        return plan.shooting if plan.shooting in decision.keys() else "shoot"

    def _more_shoot_target(self, battle: Battle, decision: PickOne) -> list[str]:
        unit = battle.units[decision.about["unit"]]
        gains = {key: worth.shot(battle, unit, battle.units[key]) for key in decision.keys() if key in battle.units}
        return sorted(gains, key=lambda key: (-gains[key], key))

    def _more_choose_destination(self, battle: Battle, decision: Place) -> list[Any]:
        """The other places it has thought of."""
        plan = self._planned(battle, decision.about["unit"])
        plans = [
            p for p in self._plans(battle, battle.units[plan.unit]) if p.spot is not None and p.order == plan.order
        ]
        plans.sort(key=lambda one: one.value, reverse=True)
        width, depth = battle.table.width, battle.table.depth
        spots = [one.spot for one in plans if one.spot is not None]
        return [{decision.figures[0]: (min(max(x, 0.0), width), min(max(y, 0.0), depth))} for x, y in spots]

    def _choose_destination(self, battle: Battle, decision: Place) -> Any:
        plan = self._planned(battle, decision.about["unit"])
        if plan.spot is None:
            return decision.suggestion()
        x = min(max(plan.spot[0], 0.0), battle.table.width)
        y = min(max(plan.spot[1], 0.0), battle.table.depth)
        return {decision.figures[0]: (x, y)}

    def _change_formation(self, battle: Battle, decision: PickOne) -> str:
        """A block that finds no way to where it wants to go opens up."""
        unit = battle.units[decision.about["unit"]]
        plan = self._planned(battle, unit.id)
        if not unit.compact or decision.about["when"] != "start" or plan.order not in ("walk", "run"):
            return "keep"
        return "change" if plan.spot and route(battle, unit, plan.spot) is None else "keep"

    def _buy_tactic(self, battle: Battle, decision: PickOne) -> str:
        """Blows rain where a fight is at hand."""
        keys = decision.keys()
        free = [key for key in keys if key.startswith("free:")]
        if free:
            return free[0]
        unit = battle.units[decision.about["unit"]]
        plan = self._planned(battle, unit.id)
        if plan.order in ("assault", "engage") and "hail_of_blows" in keys and plan.value > WORTH_A_TACTIC:
            return "hail_of_blows"
        return "none"

    def _react(self, battle: Battle, decision: PickOne) -> str:
        """What each reaction costs and brings: nothing, with a part of the dice in defence and the rest for later; a
        reception, with all of them; a counter-charge, where both strike; a retreat, if it gets away."""
        unit, charger = battle.units[decision.about["unit"]], battle.units[decision.about["target"]]
        keys = decision.keys()
        onset = worth.onset_of(battle, charger, unit)
        greater = power_of(unit, compact=False) > power_of(charger, compact=False) or unit.cavalry
        into = onset._replace(into_counter_charge=True)
        answer = Onset(False, greater, False, False, battle.options)
        plain = Onset(options=battle.options)

        def suffer(how: Onset, defence: float) -> float:
            return worth.blow(battle, charger, unit, how, defence=defence)

        def alive(lost: float) -> float:
            return max(0.0, 1 - lost / max(1.0, worth.price(battle, unit) * len(unit.figures)))

        half = suffer(onset, 0.5)
        later = 0.0 if unit.attacked else worth.blow(battle, unit, charger, plain, attack=0.5, defence=0.2)
        value = {
            "none": later * alive(half) - half,
            "reception": -suffer(onset, 1.0),
            "counter_charge": worth.blow(battle, unit, charger, answer, defence=0.0) - suffer(into, 0.0),
        }
        mou = cm(min(value_of(unit, f, "mou") for f in unit.figures))
        away = battle.acting.distance + mou > worth.reach_of(charger)
        ground = worth.ground(battle, unit, (unit.leading.x, unit.leading.y))
        value["retreat"] = -0.3 * ground - 0.3 * later - (0.1 if away else 1.0) * half
        self.said = [{"because": key, "worth": round(value[key], 1)} for key in keys if key in value]
        self._reactions = sorted(keys, key=lambda key: (-value.get(key, -1e9), key))
        return max(keys, key=lambda key: (value.get(key, -1e9), key))

    def _more_react(self, battle: Battle, decision: PickOne) -> list[str]:
        return self._reactions

    def _retreat_move(self, battle: Battle, decision: Place) -> Any:
        """Straight away from who charges."""
        unit, charger = battle.units[decision.about["unit"]], battle.units[battle.acting.unit]
        leader = unit.leading
        dx, dy = leader.x - charger.leading.x, leader.y - charger.leading.y
        away = hypot(dx, dy) or 1.0
        mou, r = cm(value_of(unit, leader, "mou")), leader.radius
        x = min(max(leader.x + dx / away * mou, r), battle.table.width - r)
        y = min(max(leader.y + dy / away * mou, r), battle.table.depth - r)
        return {decision.figures[0]: (x, y)}

    def _maintain_assault(self, battle: Battle, decision: PickOne) -> str:
        return "maintain"

    def _strike_back(self, battle: Battle, decision: PickOne) -> str:
        return "yes"

    def _pursue(self, battle: Battle, decision: PickOne) -> str:
        return "yes"

    def _push(self, battle: Battle, decision: PickOne) -> str:
        return "yes"

    def _pursuit_move(self, battle: Battle, decision: Place) -> Any:
        """Towards what scores, or the next enemy."""
        unit = battle.units[decision.about["unit"]]
        here, mou = (unit.leading.x, unit.leading.y), cm(value_of(unit, unit.leading, "mou"))
        goals = [(o.x, o.y) for o in battle.objectives]
        goals += [(enemy.leading.x, enemy.leading.y) for enemy in battle.enemies_of(unit.side)]
        goal = min(goals, key=lambda spot: hypot(spot[0] - here[0], spot[1] - here[1]), default=here)
        return {decision.figures[0]: along(here, route(battle, unit, goal) or [goal], mou)}

    def _push_authority(self, battle: Battle, decision: PickOne) -> str:
        return "no" if "no" in decision.keys() else decision.keys()[0]

    # -- elixir and powers ---------------------------------------------------------------------------------------------

    def _reroll_failures(self, battle: Battle, decision: PickOne) -> str:
        """Where several dice have failed; in the last turns elixir is there to be used."""
        return "yes" if decision.about["failures"] >= (1 if _is_late(battle) else 2) else "no"

    def _one_more_die(self, battle: Battle, decision: PickOne) -> str:
        """In the last turns, to strike."""
        return "yes" if _is_late(battle) and decision.about["test"] in STRIKES else "no"

    def _deny(self, battle: Battle, decision: PickOne) -> str:
        return "yes" if decision.about["successes"] >= 2 else "no"

    def _steady(self, battle: Battle, decision: PickOne) -> str:
        return "yes"

    def _mystic_action(self, battle: Battle, decision: PickOne) -> str:
        """The power that does most for what the unit is about, as long as one does something."""
        unit = battle.units[decision.about["unit"]]
        known = {f"{f.id}/{power.id}": power for f in unit.figures for power in f.profile.powers}
        foe = self._foe(battle, unit)
        # Who is called up before a march stands in its way.
        early = decision.about["window"] != "after" and not self._stays(unit)
        values = {
            key: powers.aimed(battle, unit, known[key], foe).value
            for key in decision.keys()
            if key in known and known[key].kind != "artefact" and not (early and known[key].summons)
        }
        best = max(values, key=lambda key: (values[key], key), default="none")
        return best if values.get(best, 0.0) >= powers.LEAST else "none"

    def _stays(self, unit: Unit) -> bool:
        return self.plan is not None and self.plan.unit == unit.id and self.plan.order in ("stay", "engage")

    def _power_target(self, battle: Battle, decision: PickOne) -> str:
        """The unit in range on which it does most."""
        unit = battle.units[decision.about["unit"]]
        power = next(
            (p for f in unit.figures for p in f.profile.powers if p.id == decision.about["power"]),
            None,
        )
        if power is None:
            return decision.keys()[0]
        values = powers.gains(battle, unit, power, decision.keys(), self._foe(battle, unit))
        return max(decision.keys(), key=lambda key: (values[key], key))

    def _foe(self, battle: Battle, unit: Unit) -> Unit | None:
        """Whom a unit is about to assault."""
        plan = self.plan
        if plan is None or plan.unit != unit.id or plan.order != "assault" or unit.fought:
            return None
        foe = battle.units.get(plan.target)
        return foe if foe is not None and foe.on_table else None

    def _sublimation(self, battle: Battle, decision: PickOne) -> str:
        return "1" if "1" in decision.keys() else "0"

    # -- the split of dice ---------------------------------------------------------------------------------------------

    def _set_dice_aside(self, battle: Battle, decision: Allocate) -> Any:
        """The mixed answer of the matrix game between both splits."""
        if battle.fight is None:
            return decision.suggestion()
        own, theirs, _ = what_is_asked(battle, fight_of(battle))
        if decision.slots not in (own.slots, theirs.slots):
            # An answer to dice that a skill has given: everything that is left.
            return decision.suggestion()
        game = split_game(battle)
        mine = game if decision.side == own.side else _seen_from_other_side(game)
        chances = self.weigh(mine.matrix)
        (number,) = self.random.choices(range(len(chances)), chances)
        self.said = [{"because": "split", "worth": round(solve(mine.matrix).value, 1)}]
        self.said += [
            {"dice": split, "chance": round(chance, 3)}
            for split, chance in zip(mine.rows, chances, strict=True)
            if chance > LEAST_CHANCE
        ]
        return mine.rows[number]

    def weigh(self, matrix: Matrix) -> Sequence[float]:
        """How often each of its splits is played: as somebody does who cannot be outguessed."""
        return solve(matrix).rows


def _is_late(battle: Battle) -> bool:
    return battle.round >= battle.turns - 1


def _seen_from_other_side(game: SplitGame) -> SplitGame:
    turned = [[-game.matrix[r][c] for r in range(len(game.rows))] for c in range(len(game.columns))]
    return SplitGame(game.columns, game.rows, turned)
