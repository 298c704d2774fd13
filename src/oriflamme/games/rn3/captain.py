"""The captain: a bot that weighs each unit's orders by exact odds, holds what scores, and splits dice as a mixed game.

It sees exact distances, as its view of the battle has them; a person who may not measure estimates them by eye.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import hypot
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.decisions import Allocate, Decision, Move, PickOne, Place, Refused
from oriflamme.engine.core.play import View
from oriflamme.engine.geometry.measure import cm
from oriflamme.games.rn3.allocation import ATTACK, DEFENCE, Hand, Pair, UnitProfile, hand_of, profile_of, slot
from oriflamme.games.rn3.army.prices import expected
from oriflamme.games.rn3.blows import Onset, Party
from oriflamme.games.rn3.contact import engaged_with, is_free, unit_gap
from oriflamme.games.rn3.melee import fight_of, onset, party_of
from oriflamme.games.rn3.odds.laws import damage_law, mean
from oriflamme.games.rn3.power import power_of
from oriflamme.games.rn3.scenarios import scenario_of, zone_of
from oriflamme.games.rn3.shooting import difficulty_of, targets_of, why_not_shoot
from oriflamme.games.rn3.state import Battle, Fighter, Unit, value_of

# What a victory point is worth, in points of the army; and how much of what an enemy could do back counts.
POINT: Final = 110.0
DANGER: Final = 0.55
# How many rounds of best answers the split of dice is played for, and how it counts a die that is kept.
ROUNDS: Final = 60
KEPT: Final = 0.35


class Plan(NamedTuple):
    """What a unit would do, and what that is worth in army points."""

    unit: str
    order: str
    value: float
    target: str = ""
    spot: tuple[float, float] | None = None
    why: str = ""


class CaptainBot:
    """Charges where the exchange is good, shoots the rest, walks to what scores, and keeps dice for who is yet to act.

    The split of dice between attack, defence and reserve is answered as the matrix game it is: a mixture found by
    playing best answers against each other, drawn by its seed. With `split` "fixed" it always commits everything, as
    much in attack as it may.
    """

    name = "captain"
    needs_view = True

    def __init__(self, seed: int = 0, *, split: str = "mixed") -> None:
        self.random = Random(seed)
        self.split = split
        self.plan: Plan | None = None
        self.said: list[dict[str, Any]] = []

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

    # -- before the battle ---------------------------------------------------------------------------------------------

    def _keep_reserves(self, battle: Battle, decision: Decision) -> Any:
        return ()

    def _choose_formation(self, battle: Battle, decision: PickOne) -> str:
        """Those who shoot, and those whose like is shot at most, stand apart; the rest in a block."""
        unit = battle.units[decision.about["unit"]]
        keys = decision.keys()
        wanted = "compact" if unit.profile.ranged is None and not unit.cavalry else "dispersed"
        return wanted if wanted in keys else keys[0]

    def _place_card(self, battle: Battle, decision: Place) -> Any:
        """Spread along the zone, near its front."""
        side = decision.side
        zone = zone_of(battle, side)
        best, best_value = None, -1e18
        placed = [u for u in battle.units.values() if u.side == side and u.spot is not None]
        for _ in range(6):
            places = decision.sample(self.random)
            if not places:
                return places
            x, y = next(iter(places.values()))[:2]
            front = y if side == 0 else battle.table.depth - y
            crowd = sum(max(0.0, cm(22) - hypot(x - u.spot[0], y - u.spot[1])) for u in placed if u.spot is not None)
            value = front - crowd * 2 - abs(x - (zone.x0 + zone.x1) / 2) * 0.25
            if value > best_value:
                best, best_value = places, value
        return best

    # -- whose go it is ------------------------------------------------------------------------------------------------

    def _choose_unit(self, battle: Battle, decision: PickOne) -> str:
        plans = [self._best_plan(battle, battle.units[key]) for key in decision.keys() if key in battle.units]
        others = [key for key in decision.keys() if key not in battle.units and key not in ("cancel", "wait")]
        if others and (not plans or max(plan.value for plan in plans) < 25):
            return others[0]
        if not plans:
            return decision.keys()[0]
        self.plan = max(plans, key=lambda plan: (plan.value, plan.unit))
        self.said = [{"reason": plan.why, "unit": plan.unit, "worth": round(plan.value, 1)} for plan in plans[:4]]
        return self.plan.unit

    def _planned(self, battle: Battle, unit_id: str) -> Plan:
        if self.plan is None or self.plan.unit != unit_id:
            self.plan = self._best_plan(battle, battle.units[unit_id])
        return self.plan

    def _choose_order(self, battle: Battle, decision: PickOne) -> str:
        unit = battle.units[decision.about["unit"]]
        self.plan = self._best_plan(battle, unit)
        order = self.plan.order
        self.said = [{"reason": self.plan.why, "unit": unit.id, "worth": round(self.plan.value, 1)}]
        return order if order in decision.keys() else "stay" if "stay" in decision.keys() else decision.keys()[0]

    def _best_plan(self, battle: Battle, unit: Unit) -> Plan:
        plans = [Plan(unit.id, "stay", self._ground(battle, unit, unit.leading.x, unit.leading.y), why="hold")]
        enemies = battle.enemies_of(unit.side)
        if not is_free(battle, unit):
            foes = engaged_with(battle, unit)
            gain = sum(self._exchange(battle, unit, foe, Onset(options=battle.options)) for foe in foes)
            plans.append(Plan(unit.id, "engage", gain + 5.0, why="fight"))
            return max(plans, key=lambda plan: plan.value)
        if unit.machine is None:
            for enemy in enemies:
                plans += self._assaults(battle, unit, enemy)
            plans += self._marches(battle, unit, enemies)
        if why_not_shoot(battle, unit) is None:
            for enemy in targets_of(battle, unit):
                worth = self._shot(battle, unit, enemy)
                if worth > 0:
                    plans.append(Plan(unit.id, "shoot", worth, enemy.id, why="shots"))
        return max(plans, key=lambda plan: plan.value)

    def _assaults(self, battle: Battle, unit: Unit, enemy: Unit) -> list[Plan]:
        reach = 2 * cm(min(value_of(unit, f, "mou") for f in unit.figures))
        gap = unit_gap(unit, enemy)
        if gap > reach - cm(0.5) or not (unit.pool.left or unit.hero_pool.left):
            return []
        charge = unit.cavalry or power_of(unit, compact=False) >= power_of(enemy)
        on = Onset(True, charge, charge, False, battle.options)
        worth = self._exchange(battle, unit, enemy, on, share=0.55 + 0.45 * (1 - gap / max(reach, 1.0)))
        worth += self._ground(battle, unit, enemy.leading.x, enemy.leading.y) * 0.6
        return [Plan(unit.id, "assault", worth + 8.0, enemy.id, why="exchange")]

    def _marches(self, battle: Battle, unit: Unit, enemies: Sequence[Unit]) -> list[Plan]:
        """Towards what scores, or towards the enemy: a walk, or a run where nobody could answer it."""
        leader = unit.leading
        mou = cm(value_of(unit, leader, "mou"))
        goals = [(o.x, o.y) for o in battle.objectives]
        nearest = min(enemies, key=lambda e: unit_gap(unit, e)) if enemies else None
        if nearest is not None:
            goals.append((nearest.leading.x, nearest.leading.y))
        plans = []
        for x, y in goals:
            away = hypot(x - leader.x, y - leader.y)
            for order, far in (("walk", mou), ("run", 2 * mou)):
                share = min(1.0, far / away) if away else 0.0
                spot = (leader.x + (x - leader.x) * share, leader.y + (y - leader.y) * share)
                worth = self._ground(battle, unit, *spot) - self._danger(battle, unit, spot, enemies)
                worth += (min(far, away) / cm(10)) * (1.5 if unit.profile.ranged is None else 0.4)
                plans.append(Plan(unit.id, order, worth, spot=spot, why="ground"))
        return plans

    # -- what things are worth -----------------------------------------------------------------------------------------

    def _price(self, unit: Unit) -> float:
        """What one model of a unit is worth."""
        total = unit.points or 35 * (unit.start + (unit.hero is not None))
        return total / max(1, unit.start + 2 * (unit.hero is not None))

    def _ground(self, battle: Battle, unit: Unit, x: float, y: float) -> float:
        """What standing there is worth: objectives nobody else of ours holds, and nearness to them."""
        worth = 0.0
        for objective in battle.objectives:
            away = max(0.0, hypot(x - objective.x, y - objective.y) - objective.radius)
            value = POINT * (objective.points + 0.5 * objective.elixir) * (0.4 if objective.owner == unit.side else 1.0)
            held = any(
                u is not unit and hypot(u.leading.x - objective.x, u.leading.y - objective.y) < objective.radius
                for u in battle.friends_of(unit.side)
            )
            worth += value * (0.25 if held else 0.6) / (1 + away / cm(12))
        scenario = scenario_of(battle)
        if scenario is not None and scenario.crossing:
            goal = battle.table.depth if unit.side == 0 else 0.0
            worth += scenario.crossing * POINT * 0.4 * (1 - abs(y - goal) / battle.table.depth)
        return worth

    def _danger(self, battle: Battle, unit: Unit, spot: tuple[float, float], enemies: Sequence[Unit]) -> float:
        """What enemies who are still to act could do to it there."""
        worst = 0.0
        for enemy in enemies:
            if enemy.order is not None:
                continue
            reach = 2 * cm(value_of(enemy, enemy.leading, "mou")) + cm(6)
            if hypot(spot[0] - enemy.leading.x, spot[1] - enemy.leading.y) <= reach:
                charge = enemy.cavalry or power_of(enemy, compact=False) >= power_of(unit)
                worst = max(worst, self._blow(battle, enemy, unit, Onset(True, charge, charge, False, battle.options)))
        return worst * DANGER

    def _blow(self, battle: Battle, by: Unit, on: Unit, how: Onset, share: float = 0.8) -> float:
        """What a unit can be expected to kill of another, in army points, with most of its dice."""
        dice = round(min(by.pool.left, len(on.figures) * 1.5 * max(1, by.profile.melee.dice)) * share)
        hero = by.hero
        total = 0.0
        target = _typical(on)
        guard = round(min(on.pool.left, len(on.figures)) * 0.35)
        if dice > 0:
            party = _party(by, _typical(by), len(by.figures))
            total += mean(damage_law(party, _party(on, target, len(on.figures)), min(dice, 14), min(guard, 8), how))
        if hero is not None and by.hero_pool.left:
            party = _party(by, hero, 1)
            total += mean(damage_law(party, _party(on, target, len(on.figures)), by.hero_pool.left, 1, how))
        return min(total / target.profile.hit_points, len(on.figures)) * self._price(on)

    def _exchange(self, battle: Battle, unit: Unit, enemy: Unit, how: Onset, share: float = 0.8) -> float:
        """What a fight is worth: what falls there, less what could fall here in answer."""
        gain = self._blow(battle, unit, enemy, how, share)
        back = self._blow(battle, enemy, unit, Onset(options=battle.options), 0.6)
        alive = max(0.2, 1 - gain / max(1.0, self._price(enemy) * len(enemy.figures)))
        return gain - DANGER * back * alive * (0.5 if enemy.attacked else 1.0)

    def _shot(self, battle: Battle, unit: Unit, enemy: Unit) -> float:
        shooters = [f for f in unit.figures if f.profile.ranged is not None]
        if not shooters:
            return 0.0
        target = _typical(enemy)
        hard = sum(reason.amount for reason in difficulty_of(battle, unit, enemy))
        total = 0.0
        for f in shooters:
            line = f.profile.ranged
            assert line is not None
            far = unit_gap(unit, enemy)
            if line.most and far > cm(line.most):
                continue
            hits = line.dice * expected(line.att - hard) * (1.0 if enemy.compact else 0.67)
            if f.profile.machine:
                hits *= len(unit.figures) - 1
            spread = 2.0 if line.area else 1.0
            total += spread * hits * expected(line.force - value_of(enemy, target, "res"))
        return min(total / target.profile.hit_points, len(enemy.figures)) * self._price(enemy)

    # -- carrying it out -----------------------------------------------------------------------------------------------

    def _assault_target(self, battle: Battle, decision: PickOne) -> str:
        plan = self._planned(battle, decision.about["unit"])
        return plan.target if plan.target in decision.keys() else decision.keys()[0]

    def _shoot_target(self, battle: Battle, decision: PickOne) -> str:
        unit = battle.units[decision.about["unit"]]
        keys = [key for key in decision.keys() if key != "none"]
        if not keys:
            return "none"
        return max(keys, key=lambda key: (self._shot(battle, unit, battle.units[key]), key))

    def _shoot_plan(self, battle: Battle, decision: PickOne) -> str:
        return "shoot"

    def _choose_destination(self, battle: Battle, decision: Place) -> Any:
        plan = self._planned(battle, decision.about["unit"])
        if plan.spot is None:
            return decision.suggestion()
        x = min(max(plan.spot[0], 0.0), battle.table.width)
        y = min(max(plan.spot[1], 0.0), battle.table.depth)
        return {decision.figures[0]: (x, y)}

    def _assault_move(self, battle: Battle, decision: Move) -> Any:
        return decision.suggestion()

    def _buy_tactic(self, battle: Battle, decision: PickOne) -> str:
        """Blows rain where a fight is at hand; who stands in a block and will be struck holds fast."""
        keys = decision.keys()
        free = [key for key in keys if key.startswith("free:")]
        if free:
            return free[0]
        unit = battle.units[decision.about["unit"]]
        plan = self._planned(battle, unit.id)
        if plan.order in ("assault", "engage") and "hail_of_blows" in keys and plan.value > 40:
            return "hail_of_blows"
        return "none"

    def _react(self, battle: Battle, decision: PickOne) -> str:
        """Strong units meet a charge with one of their own, others receive it where they may, weak ones go."""
        unit = battle.units[decision.about["unit"]]
        charger = battle.units[str(decision.about.get("charger", battle.acting.unit))]
        keys = decision.keys()
        own = Onset(False, power_of(unit, compact=False) > power_of(charger), False, False, battle.options)
        strike = self._blow(battle, unit, charger, own, 1.0)
        suffer = self._blow(battle, charger, unit, Onset(True, True, unit.cavalry, False, battle.options))
        worth = {"none": -0.75 * suffer + 0.5 * strike, "reception": -0.5 * suffer, "retreat": -0.6 * suffer}
        worth["counter_charge"] = strike - suffer
        self.said = [{"reason": key, "worth": round(worth[key], 1)} for key in keys if key in worth]
        return max(keys, key=lambda key: (worth.get(key, -1e9), key))

    def _strike_back(self, battle: Battle, decision: PickOne) -> str:
        return "yes"

    def _pursue(self, battle: Battle, decision: PickOne) -> str:
        return "no"

    def _push(self, battle: Battle, decision: PickOne) -> str:
        return "no"

    def _push_authority(self, battle: Battle, decision: PickOne) -> str:
        return "no" if "no" in decision.keys() else decision.keys()[0]

    def _mystic_action(self, battle: Battle, decision: PickOne) -> str:
        """Powers that harm or help, as long as points are there; a summoning once."""
        keys = [key for key in decision.keys() if key != "none"]
        if not keys:
            return "none"
        unit = battle.units[decision.about["unit"]]
        powers = {f"{f.id}/{power.id}": power for f in unit.figures for power in f.profile.powers}
        for key in keys:
            power = powers.get(key)
            if power is None or power.kind == "artefact":
                continue
            if power.summons or "force" in power.effect or self.random.random() < 0.4:
                return key
        return "none"

    def _power_target(self, battle: Battle, decision: PickOne) -> str:
        unit = battle.units[decision.about["unit"]]
        return min(decision.keys(), key=lambda key: (unit_gap(unit, battle.units[key]) if key != unit.id else 0.0, key))

    def _sublimation(self, battle: Battle, decision: PickOne) -> str:
        return "1" if "1" in decision.keys() else "0"

    # -- the split of dice ---------------------------------------------------------------------------------------------

    def _set_dice_aside(self, battle: Battle, decision: Allocate) -> Any:
        """The mixed answer of the matrix game between both splits, pairing by pairing in the order of what they are
        worth."""
        if self.split == "fixed" or battle.fight is None:
            return self._all_in(decision)
        fight = fight_of(battle)
        attacker = decision.side == battle.units[fight.unit].side
        candidates = self._splits(decision)
        if len(candidates) < 2:
            return candidates[0] if candidates else decision.suggestion()
        replies = self._replies(battle, decision.side)
        table = [[self._payoff(battle, mine, theirs, attacker) for theirs in replies] for mine in candidates]
        weights = mixture(table, ROUNDS)
        (number,) = self.random.choices(range(len(weights)), weights)
        self.said = [{"reason": "split", "dice": candidates[number], "chance": round(weights[number], 2)}]
        return candidates[number]

    def _all_in(self, decision: Allocate) -> Any:
        return _greedy(decision, decision.most, attack=1.0)

    def _splits(self, decision: Allocate) -> list[Any]:
        """Different legal splits: how many dice in all, and which share of them attacks."""
        found: list[Any] = []
        most = decision.most
        attacks = any(key.startswith(ATTACK) for key in decision.slots)
        for total in sorted({most, max(decision.least, most * 3 // 4), max(decision.least, most // 2), decision.least}):
            for share in (1.0, 0.75, 0.55) if attacks else (0.0,):
                answer = _greedy(decision, total, attack=share)
                if answer is not None and answer not in found:
                    found.append(answer)
        return found or [decision.suggestion()]

    def _replies(self, battle: Battle, side: int) -> list[float]:
        """What the other side might set aside, as a share of its dice."""
        return [0.0, 0.35, 0.7, 1.0]

    def _payoff(self, battle: Battle, mine: dict[str, int], theirs: float, attacker: bool) -> float:
        """What a split is worth against an enemy who sets aside so much of what it could, in army points."""
        fight = fight_of(battle)
        unit = battle.units[fight.unit]
        worth = 0.0
        spent = sum(mine.values())
        for enemy_id in fight.enemies:
            enemy = battle.units[enemy_id]
            if not (unit.on_table and enemy.on_table):
                continue
            hand, facing = hand_of(battle, unit, [enemy]), hand_of(battle, enemy, [unit])
            for pair in hand.pairs:
                back = Pair(pair.against, pair.own)
                if attacker:
                    attack = mine.get(slot(ATTACK, pair), 0)
                    defence = round(theirs * _most(facing, pair.against))
                else:
                    attack = round((0.5 + 0.5 * theirs) * _most(hand, pair.own))
                    defence = mine.get(slot(DEFENCE, back), 0)
                if attack:
                    by, struck = party_of(battle, pair.own, pair.against), party_of(battle, pair.against, pair.own)
                    how = onset(battle, fight, enemy, by.skills)
                    law = damage_law(by, struck, attack, defence, how)
                    fallen = mean(law) / max(1, _hit_points(enemy, pair.against))
                    worth += fallen * self._price(enemy) * (1 if attacker else -1)
        own = unit if attacker else battle.units[fight.enemies[0]]
        waiting = [e for e in battle.enemies_of(own.side) if e.order is None]
        return worth - KEPT * spent * (self._price(own) * 0.4 if waiting else 0.0)


def _most(hand: Hand, own: UnitProfile) -> int:
    return sum(share.dice for share in hand.shares if share.own == own)


def _hit_points(unit: Unit, of: UnitProfile) -> int:
    for f in unit.figures:
        if profile_of(unit, f) == of.profile:
            return f.profile.hit_points
    return 1


def _greedy(decision: Allocate, total: int, *, attack: float) -> Any:
    """A legal answer with about so many dice of which such a share attacks; None if none is found so."""
    slots = sorted(decision.slots, key=lambda key: (not key.startswith(ATTACK), -decision.slots[key], key))
    wanted = {ATTACK: round(total * attack), DEFENCE: total - round(total * attack)}
    answer: dict[str, int] = {}
    for key in slots:
        use = ATTACK if key.startswith(ATTACK) else DEFENCE
        for number in range(min(decision.slots[key], wanted[use]), 0, -1):
            trial = {**answer, key: number}
            if _within(decision, trial):
                answer = trial
                wanted[use] -= number
                break
    try:
        return decision.accept(answer)
    except Refused:
        return None


def _within(decision: Allocate, answer: Mapping[str, int]) -> bool:
    """No budget is exceeded so far."""
    if sum(answer.values()) > decision.most:
        return False
    groups = [group for group in decision.groups if group.most is not None]
    return all(sum(answer.get(key, 0) for key in group.slots) <= (group.most or 0) for group in groups)


def mixture(table: Sequence[Sequence[float]], rounds: int) -> list[float]:
    """How often each row is played by somebody who cannot be outguessed: best answers to each other, again and again
    (fictitious play)."""
    rows, columns = len(table), len(table[0])
    row_worth, column_worth = [0.0] * rows, [0.0] * columns
    played = [0] * rows
    row = 0
    for _ in range(rounds):
        played[row] += 1
        for c in range(columns):
            column_worth[c] += table[row][c]
        column = min(range(columns), key=column_worth.__getitem__)
        for r in range(rows):
            row_worth[r] += table[r][column]
        row = max(range(rows), key=row_worth.__getitem__)
    return [number / rounds for number in played]


def _typical(unit: Unit) -> Fighter:
    for f in unit.figures:
        if f.profile.id == unit.profile.id:
            return f
    return unit.figures[0]


def _party(unit: Unit, fighter: Fighter, fighters: int) -> Party:
    profile = fighter.profile
    return Party(
        unit.id,
        value_of(unit, fighter, "att"),
        value_of(unit, fighter, "def"),
        value_of(unit, fighter, "for"),
        value_of(unit, fighter, "res"),
        profile.skills,
        titan=profile.category == "titan",
        fighters=fighters,
    )
