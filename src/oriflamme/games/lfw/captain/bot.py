"""The captain: a bot that plays for what the scenario wants, and fights where the exact odds are good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.decisions import Decision, Move, PickOne, PickSeveral, Place, Refused
from oriflamme.engine.core.view import View
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.search.ideas import ideas_of
from oriflamme.games.lfw.abilities import ABILITIES, targets_of, use
from oriflamme.games.lfw.captain.goals import Goal, aims_for, contested, goals_of, is_in, keeps_treasure, weigh
from oriflamme.games.lfw.captain.powers import best_point, gain_of
from oriflamme.games.lfw.captain.routes import Way, reaches, spots_towards, straight_to, way_round
from oriflamme.games.lfw.captain.worth import (
    Judgement,
    Threat,
    breaks,
    danger,
    is_shooter,
    longest_shot,
    price,
    shoots,
    value,
)
from oriflamme.games.lfw.charge import ChargeMove
from oriflamme.games.lfw.combat import attack_with
from oriflamme.games.lfw.flee import Flight
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import distance, in_melee, nearest, plan_gap, touching_enemies
from oriflamme.games.lfw.magic import SPELLS, cast
from oriflamme.games.lfw.moves import may_move, may_run
from oriflamme.games.lfw.scenarios.aims import Aim
from oriflamme.games.lfw.shooting import why_not_shoot
from oriflamme.games.lfw.sight import cover_of, sees
from oriflamme.games.lfw.state import Battle, Model, Part
from oriflamme.games.lfw.walking import Walk, stand

# What a charge must be worth, and how much of a shot that it gives up it must be worth besides.
LEAST_CHARGE: Final = 2.0
# What is left of a fight for each turn that it is away.
PATIENCE: Final = 0.6
# How many goals, enemies and places a unit thinks of.
GOALS: Final = 2
HUNTED: Final = 2
PLACES: Final = 14
# Millimetres from its goal at which a unit looks for no way round any more.
NEAR_ENOUGH: Final = 30.0
# How many targets of a charge are looked at in earnest.
CHARGED: Final = 2
# What a command or magic point must bring before it is spent; less when few turns are left.
COMMAND_POINT: Final = 5.0
MAGIC_POINT: Final = 2.0
# What a fight must cost before somebody flees from it, as a share of his price, and the least chance to stand then.
HOPELESS: Final = 0.4
STEADY: Final = 0.5
# Places that are tried when a unit is deployed, and how many inches in front of shooters others stand.
DEPLOYED: Final = 10
# A move that is so much better than standing still is made.
BETTER: Final = 0.4
# Organisation actions that are not taken as they come: a command is weighed first, the others need a reason.
UNWANTED: Final = frozenset({"pass", "command", "block_opening"})
# A failed defence of so much or less is thrown again: more is likelier to come.
POOR: Final = 3

Reasons = dict[str, float]


class Plan(NamedTuple):
    """What a unit would do in its move: of which kind, where, what that is worth in army points, and why."""

    unit: str
    kind: str
    value: float
    reasons: Reasons
    way: Way = ()

    def why(self) -> list[dict[str, Any]]:
        return said(self.unit, self.kind, self.reasons)


def said(unit: str, order: str, reasons: Reasons) -> list[dict[str, Any]]:
    """Why something was chosen, as facts."""
    facts = [{"because": what, "worth": round(much, 1)} for what, much in reasons.items() if abs(much) >= 0.05]
    return [{"chose": unit, "order": order, "worth": round(sum(reasons.values()), 1)}, *facts]


class CaptainBot:
    """Goes where the scenario wants it, takes treasures and brings them home; charges where the exchange is good and
    nobody waits for it, shoots what is worth most, and keeps its points for what they bring.

    While a pass cannot end the declarations it lets others declare first (LFW-CHG-06).
    """

    name = "captain"
    needs_view = True

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)
        self.judgement = Judgement()
        self.said: list[dict[str, Any]] = []
        self._turn = -1
        # Plans of this turn, who was asked for in which kind of move, and charges that cannot be made.
        self._plans: dict[str, Plan] = {}
        self._passed: set[tuple[str, str]] = set()
        self._charges: dict[str, tuple[float, tuple[str, ...], Reasons]] = {}
        self._aims: Sequence[Aim] = ()
        # The targets thought of when a spell or an ability was chosen.
        self._intended: dict[tuple[str, str], str] = {}

    def explain(self) -> list[dict[str, Any]]:
        """Why it chose as it did last, as plain facts."""
        return self.said

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        battle = view.battle
        self.said = []
        if battle.round != self._turn:
            self._turn = battle.round
            self._plans, self._passed, self._charges, self._intended = {}, set(), {}, {}
        self._aims = aims_for(battle, decision.side)
        answer: Callable[[Battle, Any], Any] | None = getattr(self, f"_{decision.ask}", None)
        if answer is None:
            return decision.suggestion()
        return answer(battle, decision)

    def ideas(self, view: View, decision: Decision, most: int = 4) -> list[Any]:
        """Different answers worth thinking about, its own first."""
        return ideas_of(self, view, decision, most)

    def try_out(self) -> None:
        """It plays in another trial now: what it meant to do in the last one is forgotten."""
        self._turn = -1

    # -- before the battle ---------------------------------------------------------------------------------------------

    def _choose_secondary(self, battle: Battle, decision: PickOne) -> str:
        """More units than the enemy in the middle: what it can do something for every turn."""
        return "supremacy" if "supremacy" in decision.keys() else decision.suggestion()

    def _choose_deployed(self, battle: Battle, decision: PickOne) -> str:
        """Those who hold and fight first, shooters and the dearest last, when the enemy is seen."""
        models = [battle.units[key] for key in decision.keys() if key in battle.units]
        if not models:
            return decision.suggestion()
        return min(models, key=lambda model: (shoots(model), value(model), model.id)).id

    def _deploy(self, battle: Battle, decision: Place) -> Any:
        """As near to what the scenario wants as the zone lets it, shooters a little behind."""
        model = battle.units[decision.about["unit"]]
        aims = [aim for aim in self._aims if aim.what != "bring"]
        best, most = None, float("-inf")
        for _ in range(DEPLOYED):
            places = decision.sample(self.random)
            (x, y, *_), *_ = places.values()
            near = [hypot(*(a - b for a, b in zip(aim.nearest(x, y), (x, y), strict=True))) for aim in aims]
            foes = [hypot(e.body.x - x, e.body.y - y) for e in battle.enemies_of(model)]
            worth = -min(near, default=min(foes, default=0.0))
            if shoots(model):
                worth = -abs(worth + longest_shot(model) / 2)
            if worth > most:
                best, most = dict(places), worth
        return best

    def _choose_vanguard(self, battle: Battle, decision: PickOne) -> str:
        for key in decision.keys():
            kind, _, id = key.partition(":")
            if id in battle.units and kind == "run" and self._is_new("vanguard", id):
                return key
        return "pass"

    # -- organisation and magic ----------------------------------------------------------------------------------------

    def _choose_action(self, battle: Battle, decision: PickOne) -> str:
        """What must be done, what costs nothing, and commands that are worth their point."""
        keys = decision.keys()
        for key in keys:
            id, _, name = key.partition(":")
            if id in UNWANTED or not self._is_new(id, name):
                continue
            return key
        for key in keys:
            id, _, name = key.partition(":")
            if id == "command" and self._best_command(battle, battle.part(name), ("during", "organisation")):
                return key
        return "pass" if "pass" in keys else keys[0]

    def _which_ability(self, battle: Battle, decision: PickOne) -> str:
        part = battle.part(decision.about["unit"])
        return self._best_command(battle, part, ("during", "organisation"), decision.keys()) or decision.keys()[0]

    def _use_ability(self, battle: Battle, decision: PickOne) -> str:
        """An ability at the beginning or end of a phase, if it is worth its point."""
        found: list[tuple[float, str]] = []
        for key in decision.keys():
            id, _, name = key.partition(":")
            if key != "pass":
                gain = self._gain_of_command(battle, battle.part(name), id)
                if gain > self._price_of_command(battle):
                    found.append((gain, key))
        if not found:
            return "pass"
        gain, key = max(found)
        self.said = said(key.partition(":")[2], "command", {"command": gain})
        return key

    def _best_command(
        self, battle: Battle, part: Part, when: tuple[str, str], among: Sequence[str] | None = None
    ) -> str:
        """The ability of a part that is most worth its point; "" if none is."""
        best, most = "", self._price_of_command(battle)
        for id in part.adc if among is None else among:
            known = ABILITIES.get(id)
            if known is None or (among is None and when not in known.when) or not targets_of(battle, part, known):
                continue
            gain = self._gain_of_command(battle, part, id)
            if gain > most or (among is not None and not best):
                best, most = id, max(most, gain)
        if best:
            self.said = said(part.id, "command", {"command": most})
        return best

    def _price_of_command(self, battle: Battle) -> float:
        """Points are for the whole game: the fewer turns there are, the cheaper they are."""
        return COMMAND_POINT if battle.round <= 2 else COMMAND_POINT / 2

    def _gain_of_command(self, battle: Battle, user: Part, id: str) -> float:
        def doing(trial: Battle) -> Any:
            return use(trial, trial.part(user.id), ABILITIES[id])

        return self._tried(battle, user, id, doing)

    def _choose_spell(self, battle: Battle, decision: PickOne) -> str:
        """The spell that brings most for its magic points."""
        found: list[tuple[float, float, str]] = []
        for key in decision.keys():
            id, _, name = key.partition(":")
            if key == "pass":
                continue
            known, caster = SPELLS[id], battle.part(name)
            gain = self._gain_of_spell(battle, caster, id)
            cost = MAGIC_POINT * known.price(battle)
            if gain > cost:
                found.append((gain - cost, gain, key))
        if not found:
            return "pass"
        _, gain, key = max(found)
        self.said = said(key.partition(":")[2], "spell", {"spell": gain})
        return key

    def _gain_of_spell(self, battle: Battle, caster: Part, id: str) -> float:
        def doing(trial: Battle) -> Any:
            return cast(trial, trial.part(caster.id), SPELLS[id])

        return self._tried(battle, caster, id, doing)

    def _tried(self, battle: Battle, user: Part, id: str, doing: Callable[[Battle], Any]) -> float:
        """What a spell or an ability is worth on the best of its targets, whom it remembers."""
        asked: list[tuple[str, ...]] = []
        chosen = ""

        def answer(decision: Decision) -> Any:
            if decision.ask == "choose_target" and isinstance(decision, PickOne):
                asked.append(decision.keys())
                return chosen or decision.keys()[0]
            if decision.ask == "choose_point" and isinstance(decision, Place):
                return best_point(battle, user.side, decision, self.random)
            return decision.suggestion()

        first = self._gain(battle, user.side, doing, answer)
        if not asked:
            return first
        gains = {asked[0][0]: first}
        for key in self._likely(battle, user, asked[0]):
            if key not in gains:
                chosen = key
                gains[key] = self._gain(battle, user.side, doing, answer)
        best = max(gains, key=lambda key: gains[key])
        self._intended[user.id, id] = best
        return gains[best]

    def _gain(self, battle: Battle, side: int, doing: Callable[[Battle], Any], answer: Any) -> float:
        return gain_of(battle, self.judgement, side, self.random, doing, answer)

    def _likely(self, battle: Battle, user: Part, keys: Sequence[str]) -> list[str]:
        """The targets that are worth a thought: those in melee or nearest to an enemy, and the dearest."""
        models = [battle.units[key] for key in keys if key in battle.units]
        models.sort(key=lambda m: (not in_melee(battle, m), -value(m), m.id))
        return [model.id for model in models[:4]]

    def _choose_target(self, battle: Battle, decision: PickOne) -> str:
        intended = self._intended.get((decision.about["unit"], decision.about["about"]))
        return intended if intended in decision.keys() else decision.keys()[0]

    def _choose_point(self, battle: Battle, decision: Place) -> Any:
        return best_point(battle, decision.side, decision, self.random)

    # -- flights -------------------------------------------------------------------------------------------------------

    def _choose_flight(self, battle: Battle, decision: PickOne) -> str:
        """Who must flee does; who fights a hopeless fight does if nothing kills it on its way and it is likely to
        stand afterwards."""
        keys = decision.keys()
        if "pass" not in keys:
            return keys[0]
        for key in keys:
            model = battle.units.get(key)
            if model is not None and in_melee(battle, model) and self._is_new("flee", key):
                gain = self._gain_of_flight(battle, model)
                if gain > 0.0:
                    self.said = said(key, "flee", {"flight": gain})
                    return key
        return "pass"

    def _gain_of_flight(self, battle: Battle, model: Model) -> float:
        """What stepping out of a melee saves, less what it risks."""
        touched = touching_enemies(battle, model)
        helped = any(len(touching_enemies(battle, enemy)) > 1 for enemy in touched)
        loss = -sum(self.judgement.exchange(battle, model, enemy, charged=False) for enemy in touched)
        if helped or loss < HOPELESS * value(model):
            return 0.0
        flight = Flight(battle, model, nearest(battle, model, battle.enemies_of(model))[0])
        if flight.straight.fate:
            return 0.0
        x, y = flight.straight.end
        hunters = [
            enemy
            for enemy in battle.enemies_of(model)
            if not enemy.fleeing
            and hypot(enemy.body.x - x, enemy.body.y - y) - enemy.body.radius - model.body.radius
            <= self.judgement.reach(battle, enemy, "charge")
        ]
        risk = breaks(model.alive[0])
        if risk > STEADY:
            return 0.0
        return loss - value(model) * risk * (1.0 if hunters else 0.3) - (0.3 * loss if hunters else 0.0)

    def _flee_from(self, battle: Battle, decision: PickOne) -> str:
        """From whom nothing kills it on its way."""
        model = battle.units[decision.about["unit"]]
        for key in decision.keys():
            if not Flight(battle, model, battle.units[key]).straight.fate:
                return key
        return decision.keys()[0]

    def _hide(self, battle: Battle, decision: Move) -> Any:
        """Out of sight if a place is found; that also saves it from a wall or the edge on its line."""
        for _ in range(2):
            moves = decision.sample(self.random)
            if moves:
                return moves
        return {}

    # -- charges -------------------------------------------------------------------------------------------------------

    def _choose_charger(self, battle: Battle, decision: PickOne) -> str:
        """The best charge; but as long as a pass cannot end the declarations, others may show what they do first."""
        found: list[tuple[float, str]] = []
        for key in decision.keys():
            model = battle.units.get(key)
            if model is not None:
                worth = self._charge_of(battle, model)[0]
                if worth > 0.0:
                    found.append((worth, key))
        if not found:
            return "pass" if "pass" in decision.keys() else decision.keys()[0]
        worth, key = max(found)
        going = battle.going
        waits = going is not None and going.passes == 0 and "pass" in decision.keys()
        if waits and self._may_be_answered(battle, decision.side) and self._is_new("bluff", str(decision.side)):
            self.said = said(key, "wait", {"bluff": worth})
            return "pass"
        self.said = said(key, "charge", self._charges[key][2])
        return key

    def _more_choose_charger(self, battle: Battle, decision: PickOne) -> list[str]:
        """Nobody, or the others whose charges are worth something."""
        worths = {key: self._charge_of(battle, battle.units[key])[0] for key in decision.keys() if key in battle.units}
        chargers = sorted((key for key in worths if worths[key] > 0.0), key=lambda key: (-worths[key], key))
        return [key for key in (*chargers[:1], "pass", *chargers[1:]) if key in decision.keys()]

    def _may_be_answered(self, battle: Battle, side: int) -> bool:
        """Some enemy could still declare a charge: what it charges is worth knowing first."""
        return any(
            not enemy.declared
            and not enemy.fleeing
            and any(
                plan_gap(enemy, own) <= self.judgement.reach(battle, enemy, "charge")
                and self.judgement.exchange(battle, enemy, own, charged=True) > 0.0
                for own in battle.own(side)
            )
            for enemy in battle.there()
            if not battle.are_friends(side, enemy.side)
        )

    def _charge_of(self, battle: Battle, model: Model) -> tuple[float, tuple[str, ...], Reasons]:
        """The best charge of a unit: its worth, less what it gives up, whom, and why."""
        known = self._charges.get(model.id)
        if known is not None and all(battle.units[id].on_table for id in known[1]):
            return known
        found: tuple[float, tuple[str, ...], Reasons] = (0.0, (), {})
        if not model.treasure:
            gives_up = self._given_up(battle, model)
            options = []
            for enemy in battle.enemies_of(model):
                if plan_gap(model, enemy) <= self.judgement.reach(battle, model, "charge"):
                    reasons = self._charge_reasons(battle, model, enemy)
                    options.append((sum(reasons.values()) - gives_up - LEAST_CHARGE, enemy, reasons))
            options.sort(key=lambda option: (-option[0], option[1].id))
            for worth, enemy, reasons in options[:CHARGED]:
                if worth <= 0.0:
                    break
                if sees(battle, model, enemy) and reaches(ChargeMove(battle, model, [enemy]), enemy):
                    found = (worth, (enemy.id,), reasons)
                    break
        self._charges[model.id] = found
        return found

    def _charge_reasons(self, battle: Battle, model: Model, enemy: Model) -> Reasons:
        helpers = [other for other in touching_enemies(battle, enemy) if other is not model]
        exchange = self.judgement.exchange(battle, model, enemy, charged=True)
        gang = 0.0
        if helpers and exchange < 0.0:
            # Others share what the enemy strikes back with.
            gang = -exchange * len(helpers) / (len(helpers) + 1)
        others = [
            other
            for other in battle.enemies_of(model)
            if other is not enemy and plan_gap(other, enemy) <= self.judgement.reach(battle, other, "charge") / 2
        ]
        follow = -0.15 * sum(max(0.0, self.judgement.exchange(battle, other, model, charged=True)) for other in others)
        return {
            "exchange": exchange,
            "gang": gang,
            "goal": contested(battle, enemy, self._aims),
            "danger": max(follow, -0.5 * value(model)),
        }

    def _given_up(self, battle: Battle, model: Model) -> float:
        """What a unit does not do that charges: its shot, the place it holds."""
        shot = max(
            (
                self.judgement.best_shot(battle, model, enemy, 1, plan_gap(model, enemy))
                for enemy in battle.enemies_of(model)
            )
            if shoots(model)
            else (),
            default=0.0,
        )
        aim = is_in(model, self._aims)
        held = 0.12 * goals_of(battle, self.judgement, model, [aim])[0].worth if aim is not None else 0.0
        return shot + held

    def _charge_target(self, battle: Battle, decision: PickSeveral) -> Any:
        """Its target, and who flees beside it: they are run down."""
        model = battle.units[decision.about["unit"]]
        _, targets, reasons = self._charge_of(battle, model)
        keys = decision.keys()
        wanted = [id for id in targets if id in keys]
        if not wanted:
            enemies = [battle.units[key] for key in keys]
            wanted = [max(enemies, key=lambda e: self.judgement.exchange(battle, model, e, charged=True)).id]
        first = battle.units[wanted[0]]
        for key in keys:
            other = battle.units[key]
            if key not in wanted and other.fleeing and plan_gap(first, other) < 2 * model.body.radius:
                wanted.append(key)
        self.said = said(model.id, "charge", reasons)
        return wanted

    def _more_charge_target(self, battle: Battle, decision: PickSeveral) -> list[list[str]]:
        """The others, by what fighting them is worth."""
        model = battle.units[decision.about["unit"]]
        worths = {
            key: self.judgement.exchange(battle, model, battle.units[key], charged=True) for key in decision.keys()
        }
        return [[key] for key in sorted(worths, key=lambda key: (-worths[key], key))]

    def _choose_charge(self, battle: Battle, decision: PickOne) -> str:
        """First the charges that an enemy's charge could cancel (LFW-CHG-16), then the best."""
        threatened = {id for model in battle.there() for id in model.declared}

        def rank(key: str) -> tuple[bool, float, str]:
            return key in threatened, self._charges.get(key, (0.0, (), {}))[0], key

        return max((key for key in decision.keys() if key in battle.units), key=rank, default=decision.keys()[0])

    # -- moves ---------------------------------------------------------------------------------------------------------

    def _choose_runner(self, battle: Battle, decision: PickOne) -> str:
        return self._next_mover(battle, decision, "run")

    def _choose_mover(self, battle: Battle, decision: PickOne) -> str:
        return self._next_mover(battle, decision, "normal")

    def _next_mover(self, battle: Battle, decision: PickOne, kind: str) -> str:
        """Those in front first, so that those behind have room."""
        models = [battle.units[key] for key in decision.keys() if key in battle.units]
        models = [model for model in models if (kind, model.id) not in self._passed]
        models.sort(key=lambda model: (self._to_go(battle, model), model.id))
        for model in models:
            self._passed.add((kind, model.id))
            plan = self._planned(battle, model, kind)
            if plan.kind == kind and plan.way:
                self.said = plan.why()
                return model.id
        return "pass" if "pass" in decision.keys() else decision.keys()[0]

    def _to_go(self, battle: Battle, model: Model) -> float:
        near = [hypot(aim.nearest(model.body.x, model.body.y)[0] - model.body.x, 0.0) for aim in self._aims[:2]]
        foes = [plan_gap(model, enemy) for enemy in battle.enemies_of(model)]
        return min([*near, *foes], default=0.0)

    def _planned(self, battle: Battle, model: Model, kind: str) -> Plan:
        """Its plan of this turn; made anew if it can no longer be carried out."""
        plan = self._plans.get(model.id)
        if plan is None:
            plan = self._plans[model.id] = self._plan(battle, model)
        elif plan.kind == kind == "normal" and plan.way:
            walk = walk_of(battle, model, kind)
            if walk.why_not(plan.way) is not None:
                plan = self._plans[model.id] = self._plan(battle, model)
        return plan

    def _plan(self, battle: Battle, model: Model) -> Plan:
        """The best of standing still, a normal move and a run."""
        enemies = battle.enemies_of(model)
        goals = goals_of(battle, self.judgement, model, self._aims)[:GOALS]
        prizes = self._prizes(battle, model, enemies)
        thought = Thought(battle, self.judgement, model, enemies, goals, prizes)
        body = model.body
        best = Plan(model.id, "stay", *thought.at(body.x, body.y, ""))
        kinds = []
        if may_move(battle, model):
            kinds.append("normal")
        if may_run(battle, model) and keeps_treasure(battle, model, "run"):
            kinds.append("run")
        for kind in kinds:
            plan = self._best_move(thought, kind)
            if plan is not None and plan.value > best.value + (BETTER if best.kind == "stay" else 0.0):
                best = plan
        if best.kind == "stay" and kinds:
            plan = self._round_about(thought, kinds[-1])
            if plan is not None and plan.value > best.value + BETTER:
                best = plan
        return best

    def _prizes(self, battle: Battle, model: Model, enemies: Sequence[Model]) -> list[tuple[Model, float]]:
        """The enemies whom it would like best to charge from here, and what that is worth."""
        if model.treasure:
            return []
        reach = self.judgement.reach(battle, model, "charge")
        found = []
        for enemy in enemies:
            gain = self.judgement.exchange(battle, model, enemy, charged=True)
            gain += contested(battle, enemy, self._aims)
            if gain > 0.0:
                found.append((gain * PATIENCE ** (plan_gap(model, enemy) / reach), enemy, gain))
        found.sort(key=lambda each: (-each[0], each[1].id))
        return [(enemy, gain) for _, enemy, gain in found[:HUNTED]]

    def _best_move(self, thought: Thought, kind: str) -> Plan | None:
        battle, model = thought.battle, thought.model
        walk = walk_of(battle, model, kind)
        spots: list[tuple[float, Point, Reasons]] = []
        for goal, stop in thought.directions():
            for spot in spots_towards(walk, goal, stop):
                worth, reasons = thought.at(*spot, kind)
                spots.append((worth, spot, reasons))
        spots.sort(key=lambda each: -each[0])
        for worth, spot, reasons in spots[:PLACES]:
            way = straight_to(walk, spot)
            if way is not None:
                worth, reasons = thought.looked_at(*spot, kind, reasons)
                return Plan(model.id, kind, worth, reasons, way)
        return None

    def _round_about(self, thought: Thought, kind: str) -> Plan | None:
        """Part of a way round to its goal, or to whom it would like to charge, where nothing leads there straight."""
        if thought.goals:
            goal = thought.goals[0].spot
            away = thought.goals[0].away(*spot_of(thought.model))
        elif thought.prizes:
            goal, away = spot_of(thought.prizes[0][0]), 0.0
        else:
            return None
        walk = walk_of(thought.battle, thought.model, kind)
        way = way_round(walk, goal) if not thought.goals or away > NEAR_ENOUGH else None
        if way is None:
            return None
        worth, reasons = thought.at(way[-1][0], way[-1][1], kind)
        return Plan(thought.model.id, kind, worth, reasons, way)

    def _move(self, battle: Battle, decision: Move) -> Any:
        """The way it has planned, if it is a move of that kind; else the best it finds now."""
        model = battle.units[decision.about["unit"]]
        (figure,) = decision.figures
        plan = self._plans.get(model.id)
        ways: list[Way] = []
        if plan is not None and plan.way and plan.kind == decision.about["how"] and plan.way[0] == spot_of(model):
            ways.append(plan.way)
        else:
            made = self._free_move(battle, model, decision)
            ways += [made.way] if made is not None else []
        for way in ways:
            moves = {figure: [list(point) for point in way[1:]]}
            try:
                decision.accept(moves)
            except Refused:
                continue
            return moves
        return {}

    def _more_move(self, battle: Battle, decision: Move) -> list[Any]:
        """To stay, and the best places in other directions."""
        model = battle.units[decision.about["unit"]]
        (figure,) = decision.figures
        kind = "run" if decision.about["how"] == "run" else "normal"
        enemies = battle.enemies_of(model)
        goals = goals_of(battle, self.judgement, model, self._aims)[:GOALS]
        thought = Thought(battle, self.judgement, model, enemies, goals, self._prizes(battle, model, enemies))
        walk = walk_of(battle, model, kind)
        found: list[Any] = []
        for goal, stop in thought.directions():
            spots = sorted(spots_towards(walk, goal, stop), key=lambda spot: -thought.at(spot[0], spot[1], kind)[0])
            for spot in spots[:PLACES]:
                way = straight_to(walk, spot)
                if way is not None:
                    found.append({figure: [list(point) for point in way[1:]]})
                    break
        return [*found, {}]

    def _free_move(self, battle: Battle, model: Model, decision: Move) -> Plan | None:
        """A move besides the one of the movement phase: a vanguard's, or by an ability."""
        kind = "run" if decision.about["how"] == "run" else "normal"
        enemies = battle.enemies_of(model)
        goals = goals_of(battle, self.judgement, model, self._aims)[:GOALS]
        thought = Thought(battle, self.judgement, model, enemies, goals, self._prizes(battle, model, enemies))
        still = thought.at(model.body.x, model.body.y, kind)[0]
        plan = self._best_move(thought, kind)
        return plan if plan is not None and plan.value > still else None

    # -- treasures -----------------------------------------------------------------------------------------------------

    def _take_treasure(self, battle: Battle, decision: PickOne) -> str:
        """What lies there; what a friend holds it leaves to him."""
        for key in decision.keys():
            if key != "none" and not any(model.treasure == key for model in battle.own(decision.side)):
                return key
        return "none"

    def _take_spoils(self, battle: Battle, decision: PickOne) -> str:
        models = [battle.units[key] for key in decision.keys() if key in battle.units]
        best = max(models, key=lambda model: (self.judgement.reach(battle, model, "normal"), model.id), default=None)
        return best.id if best is not None else decision.keys()[0]

    def _abandon(self, battle: Battle, decision: PickOne) -> str:
        """A treasure is not abandoned for a faster move."""
        return decision.suggestion()

    def _leave_table(self, battle: Battle, decision: PickOne) -> str:
        model = battle.units[decision.about["unit"]]
        wants = bool(model.treasure) or any(aim.what == "leave" for aim in self._aims)
        return next(key for key in decision.keys() if (key != "no") is wants)

    # -- shooting ------------------------------------------------------------------------------------------------------

    def _choose_shooter(self, battle: Battle, decision: PickOne) -> str:
        """A search first where the scenario wants one; then who does most."""
        best, most = "pass", 0.0
        for key in decision.keys():
            if key.startswith("search:"):
                return key
            model = battle.units.get(key)
            if model is not None:
                worth = max((self._shot_at(battle, model, e) for e in battle.enemies_of(model)), default=0.0)
                if worth > most or best == "pass":
                    best, most = key, worth
        if best != "pass":
            self.said = said(best, "shoot", {"shots": most})
        return best if best in decision.keys() else decision.keys()[0]

    def _more_shoot_at(self, battle: Battle, decision: PickOne) -> list[str]:
        model = battle.model_of(battle.part(decision.about["unit"]))
        worths = {k: self._shot_at(battle, model, battle.units[k]) for k in decision.keys() if k in battle.units}
        return sorted(worths, key=lambda key: (-worths[key], key))

    def _shot_at(self, battle: Battle, model: Model, enemy: Model) -> float:
        return self.judgement.best_shot(
            battle, model, enemy, cover_of(battle, model, enemy), distance(battle, model, enemy)
        )

    def _shoot_at(self, battle: Battle, decision: PickOne) -> str:
        part = battle.part(decision.about["unit"])
        model = battle.model_of(part)
        targets = [battle.units[key] for key in decision.keys() if key in battle.units]
        best = max(targets, key=lambda enemy: (self._shot_at(battle, model, enemy), enemy.id))
        self.said = said(best.id, "shoot", {"shots": self._shot_at(battle, model, best)})
        return best.id

    def _shoot_besides(self, battle: Battle, decision: PickOne) -> str:
        return self._shoot_at(battle, decision)

    def _shoot_with(self, battle: Battle, decision: PickOne) -> str:
        part, enemy = battle.part(decision.about["unit"]), battle.units[decision.about["target"]]
        cover = cover_of(battle, battle.model_of(part), enemy)
        weapons = [w for w in part.weapons if w.id in decision.keys()]

        def worth(weapon: Any) -> float:
            if why_not_shoot(battle, part, weapon, enemy) is not None:
                return -1.0
            return max(self.judgement.shot(battle, part, weapon, target, cover) for target in enemy.alive)

        return max(weapons, key=worth).id

    def _which_component(self, battle: Battle, decision: PickOne) -> str:
        """Of a duo the one that is likeliest to fall; of one's own duo the dearer."""
        parts = [battle.part(key) for key in decision.keys()]
        if parts[0].side == decision.side:
            return max(parts, key=price).id
        return max(parts, key=lambda part: price(part) / max(1, part.pv + part.sheet.d)).id

    def _roll_again(self, battle: Battle, decision: PickOne) -> str:
        """Failures are thrown again; a defence that failed by little might get worse."""
        faces = decision.about["faces"]
        again = decision.about["roll"] != "defence" or min(faces) <= POOR
        return next(key for key in decision.keys() if (key != "no") is again)

    def _replace_die(self, battle: Battle, decision: PickOne) -> str:
        """One's own worst die becomes a 6, the enemy's best a 1, if it matters."""
        faces = decision.about["faces"]
        values = {int(key.split(":")[1]) for key in decision.keys() if key != "keep"}
        own = max(values) == 6
        face = min(faces) if own else max(faces)
        matters = decision.about["roll"] in ("hit", "combat", "defence", "morale", "rally", "search")
        if not matters or (face > 2 if own else face < 5):
            return "keep"
        key = f"{faces.index(face) + 1}:{max(values) if own else min(values)}"
        return key if key in decision.keys() else "keep"

    # -- melee ---------------------------------------------------------------------------------------------------------

    def _choose_combat(self, battle: Battle, decision: PickOne) -> str:
        """The combat where most is to be won first, so that a push still finds somebody."""

        def worth(key: str) -> float:
            model = battle.units.get(key)
            if model is None:
                return -1e9
            return sum(
                self.judgement.exchange(battle, model, enemy, charged=model.charged)
                for enemy in touching_enemies(battle, model)
            ) * (1 if model.side == decision.side else -1)

        combats = [key for key in decision.keys() if key in battle.units]
        if not combats:
            return "pass" if "pass" in decision.keys() else decision.keys()[0]
        return max(combats, key=lambda key: (worth(key), key))

    def _choose_fighter(self, battle: Battle, decision: PickOne) -> str:
        return next((key for key in decision.keys() if key != "none"), "none")

    def _waiting(self, battle: Battle, target: Part) -> int:
        """Wounds of a part that wait already (LFW-MEL-07)."""
        combat = battle.combat
        return sum(w.number for w in combat.waiting if w.target == target.id) if combat is not None else 0

    def _strike(self, battle: Battle, part: Part, weapon: Any, target: Part, number: int | None = None) -> float:
        value = attack_with(battle, part, weapon, target) if number is None else number
        return self.judgement.strike(battle, part, weapon, target, value, self._waiting(battle, target))

    def _fight_with(self, battle: Battle, decision: PickOne) -> str:
        part = battle.part(decision.about["unit"])
        model = battle.model_of(part)
        targets = [foe for enemy in touching_enemies(battle, model) for foe in enemy.alive]
        weapons = [w for w in part.weapons if w.id in decision.keys()]

        def worth(weapon: Any) -> float:
            if not weapon.melee:
                return max((self.judgement.shot(battle, part, weapon, foe, 0) for foe in targets), default=0.0)
            return max((self._strike(battle, part, weapon, foe) for foe in targets), default=0.0)

        return max(weapons, key=worth).id if weapons else decision.keys()[0]

    def _strike_at(self, battle: Battle, decision: PickOne) -> str:
        """Whom it hurts most, wounds that wait already considered."""
        part = battle.part(decision.about["unit"])
        weapon = next((w for w in part.weapons if w.id == decision.about["weapon"]), None)
        targets = [battle.part(key) for key in decision.keys()]
        if weapon is None or not weapon.melee:
            return max(targets, key=lambda target: (price(target), target.id)).id
        worths = {target.id: self._strike(battle, part, weapon, target) for target in targets}
        best = max(targets, key=lambda target: (worths[target.id], target.id))
        self.said = said(best.id, "strike", {"exchange": worths[best.id]})
        return best.id

    def _split(self, battle: Battle, decision: PickOne) -> str:
        """Saturation against one, or the rest of the attack for another: whichever is worth more, exactly."""
        about = decision.about
        part, target = battle.part(about["unit"]), battle.part(about["target"])
        weapons = [w for w in part.weapons if w.melee]
        total = about["first"] + about["rest"]
        weapon = next((w for w in weapons if attack_with(battle, part, w, target) == total), weapons[0])
        whole = self._strike(battle, part, weapon, target, total)
        half = self._strike(battle, part, weapon, target, about["first"])
        best, most = "no", whole
        for key in decision.keys():
            if key != "no":
                worth = half + self._strike(battle, part, weapon, battle.part(key), about["rest"])
                if worth > most:
                    best, most = key, worth
        self.said = said(part.id, "split" if best != "no" else "strike", {"exchange": most})
        return best

    def _challenge(self, battle: Battle, decision: PickOne) -> str:
        """A duel that it is likely to win."""
        part = battle.part(decision.about["unit"])
        best, most = "none", 0.0
        for key in decision.keys():
            if key != "none":
                enemy = battle.model_of(battle.part(key))
                worth = self.judgement.exchange(battle, battle.model_of(part), enemy, charged=False)
                if worth > most:
                    best, most = key, worth
        return best

    def _accept_challenge(self, battle: Battle, decision: PickOne) -> str:
        part, enemy = battle.part(decision.about["unit"]), battle.part(decision.about["target"])
        worth = self.judgement.exchange(battle, battle.model_of(part), battle.model_of(enemy), charged=False)
        return next(key for key in decision.keys() if (key != "no") is (worth > 0.0))

    def _choose_push(self, battle: Battle, decision: PickOne) -> str:
        """Into contact again where the fight goes well, and not off a place that it holds."""
        combat = battle.combat
        for key in decision.keys():
            model = battle.units.get(key)
            if model is None or combat is None or model.treasure:
                continue
            foes = [e for e in battle.enemies_of(model) if e.id in combat.models]
            near = min(foes, key=lambda enemy: plan_gap(model, enemy), default=None)
            if near is not None and self.judgement.exchange(battle, model, near, charged=False) > 0.0:
                return key
        return "pass"

    # -- in passing ----------------------------------------------------------------------------------------------------

    def _is_new(self, what: str, who: str) -> bool:
        """Asked for the first time this turn."""
        new = (what, who) not in self._passed
        self._passed.add((what, who))
        return new


def spot_of(model: Model) -> Point:
    return model.body.x, model.body.y


def walk_of(battle: Battle, model: Model, kind: str) -> Walk:
    """Where a model may go with a normal move or a run."""
    return Walk(battle, gait_of(battle, model, kind), "LFW-RUN-03" if kind == "run" else "LFW-NORM-03")


class Thought:
    """A unit that thinks of where to go: its enemies, its goals, and whom it would like to charge."""

    def __init__(
        self,
        battle: Battle,
        judgement: Judgement,
        model: Model,
        enemies: Sequence[Model],
        goals: Sequence[Goal],
        prizes: Sequence[tuple[Model, float]],
    ) -> None:
        self.battle = battle
        self.judgement = judgement
        self.model = model
        self.enemies = enemies
        self.free = [enemy for enemy in enemies if not enemy.fleeing and not in_melee(battle, enemy)]
        self.goals = goals
        self.prizes = prizes
        self.reach = judgement.reach(battle, model, "normal")
        self.charge = judgement.reach(battle, model, "charge")
        self.range = longest_shot(model)
        self.shoots = shoots(model)
        self.mobile = self.shoots and is_shooter(battle, model)
        self.threats = judgement.threats(battle, model, self.free)
        # What its shots would do to each, and from how far.
        self.targets = [
            Threat(judgement.best_shot(battle, model, e, 0, 0.0), e.body.x, e.body.y, self.range + e.body.radius)
            for e in (enemies if self.shoots else ())
        ]

    def directions(self) -> list[tuple[Point, float]]:
        """Where it may want to go, and how near."""
        found: list[tuple[Point, float]] = [(goal.spot, 0.0) for goal in self.goals]
        for enemy, _ in self.prizes[:1]:
            found.append((spot_of(enemy), enemy.body.radius + self.model.body.radius + 27.0))
        if self.shoots and self.enemies:
            near = min(self.enemies, key=lambda enemy: plan_gap(self.model, enemy))
            found.append((spot_of(near), 0.6 * self.range))
        if self.free and (self.model.treasure or not self.prizes):
            x, y = spot_of(self.model)
            near = min(self.free, key=lambda enemy: plan_gap(self.model, enemy))
            away = (2 * x - near.body.x, 2 * y - near.body.y)
            found.append((away, 0.0))
        return found

    def at(self, x: float, y: float, kind: str) -> tuple[float, Reasons]:
        """What being at a place is worth after a move of that kind."""
        reasons: Reasons = {}
        if self.goals:
            best = max(self.goals, key=lambda goal: self._goal(goal, x, y, kind))
            reasons["goal"] = self._goal(best, x, y, kind)
        approach = 0.0
        for enemy, gain in self.prizes:
            apart = hypot(enemy.body.x - x, enemy.body.y - y) - enemy.body.radius - self.model.body.radius
            turns = 1 + max(0.0, apart - self.charge) / max(1.0, self.charge)
            approach = max(approach, gain * PATIENCE**turns)
        reasons["approach"] = approach * (0.4 if self.shoots else 0.8)
        if self.shoots and kind != "run" and (kind == "" or self.mobile):
            reasons["shots"] = self._shots(x, y)
        heed = 1.5 if self.model.treasure else 1.0
        reasons["danger"] = -heed * danger(self.threats, x, y)
        return sum(reasons.values()), reasons

    def _goal(self, goal: Goal, x: float, y: float, kind: str) -> float:
        worth = weigh(goal, x, y, self.reach)
        if goal.aim.what in ("search", "take") and kind == "run" and goal.away(x, y) < 1.0:
            # By a run nothing is taken or searched this turn.
            worth *= 0.8
        return worth

    def _shots(self, x: float, y: float) -> float:
        return max([s.worth for s in self.targets if (s.x - x) ** 2 + (s.y - y) ** 2 <= s.reach**2], default=0.0)

    def looked_at(self, x: float, y: float, kind: str, reasons: Reasons) -> tuple[float, Reasons]:
        """The same once it is known what one sees from there, and what covers one against those who shoot."""
        battle, model = self.battle, self.model
        marksmen = [enemy for enemy in self.free if shoots(enemy) and plan_gap(model, enemy) <= 2 * longest_shot(enemy)]
        if not marksmen and "shots" not in reasons:
            return sum(reasons.values()), reasons
        before = spot_of(model)
        stand(battle, model, x, y)
        try:
            found = dict(reasons)
            if "shots" in reasons:
                found["shots"] = max(
                    (
                        self.judgement.best_shot(battle, model, e, cover_of(battle, model, e), plan_gap(model, e))
                        for e in self.enemies
                        if plan_gap(model, e) <= self.range and sees(battle, model, e)
                    ),
                    default=0.0,
                )
            exposed = 0.0
            for enemy in marksmen[:3]:
                if plan_gap(model, enemy) <= longest_shot(enemy) and sees(battle, enemy, model):
                    cover = cover_of(battle, enemy, model)
                    exposed += self.judgement.best_shot(battle, enemy, model, cover, plan_gap(model, enemy))
            found["cover"] = -0.25 * exposed
        finally:
            stand(battle, model, *before)
        return sum(found.values()), found
