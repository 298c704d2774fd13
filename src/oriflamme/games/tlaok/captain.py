"""The captain: a bot that weighs charges, shots, spells and marches in points, and fights for zones and open flanks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import pi
from random import Random
from typing import Any, Final

from oriflamme.engine.blocks.bodies import Pose, rounded_facing, rounded_pose, turn_between
from oriflamme.engine.blocks.marches import Leg
from oriflamme.engine.core.decisions import Decision, Manoeuvre, PickOne, PickSeveral, PutInOrder, Refused
from oriflamme.engine.core.view import View
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Arc, facing_towards
from oriflamme.engine.search.ideas import ideas_of
from oriflamme.games.tlaok.characters.duel import opponents
from oriflamme.games.tlaok.characters.magic import attunement, casters, power_of, spells_of, targets_of
from oriflamme.games.tlaok.charge.charge import distance_to, faces_seen, may_be_charged, onrush_of
from oriflamme.games.tlaok.charge.charge_move import comes_home
from oriflamme.games.tlaok.combat.volley import can_shoot, targets
from oriflamme.games.tlaok.losses.wounds import toughness
from oriflamme.games.tlaok.movement.entry import Entrance
from oriflamme.games.tlaok.movement.march import Course
from oriflamme.games.tlaok.movement.reform import Drill
from oriflamme.games.tlaok.odds.attacks import clash_pools, volley_pools
from oriflamme.games.tlaok.odds.charges import reach_chance
from oriflamme.games.tlaok.odds.duels import duel_odds
from oriflamme.games.tlaok.odds.prospects import Outlook, Prospects, beside, harm, points_of, presence, strength
from oriflamme.games.tlaok.odds.strikes import mean_wounds
from oriflamme.games.tlaok.profile import Spell
from oriflamme.games.tlaok.regiment.contact import engaged_stands
from oriflamme.games.tlaok.regiment.formation import Formation
from oriflamme.games.tlaok.rounds.activation import unit_of
from oriflamme.games.tlaok.state import Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import pose_of, terrain_with
from oriflamme.games.tlaok.trials import value_of

# A charge less likely to arrive than this is not declared, whatever it promises.
LIKELY: Final = 0.5
# A march that gains less than this, in points, is not worth it.
WORTHWHILE: Final = 1.0
# A regiment withdraws only if staying costs this much more than what it would do itself.
WITHDRAWN: Final = 1.5
# Wheels that are tried before going straight, and how much of the rest then.
WHEELS: Final = tuple(k * pi / 12 for k in (0, 1, -1, 2, -2, 3, -3, 4.5, -4.5, 6, -6))
SHARES: Final[tuple[float, ...]] = (1.0, 0.6, 0.25)
# How many marches through friends are looked at.
THROUGH: Final = 2
# Secondary objectives by what they ask for, the easiest first; what is not here is harder still.
EASY: Final = (
    "no_loss", "none_broken", "own_half_clear", "charged", "engaged", "more_regiments", "broken", "enemy_half",
    "destroyed", "zones_held", "near_enemy_edge", "warlord_at_centre", "flank_charged",
)  # fmt: skip

# Draw events that are no use to who is whole, and to who does not fight.
HEALING: Final = frozenset({"regeneration", "biotic_renewal"})
FIGHTING: Final = frozenset({"burnout", "flux_powered"})

Facts = dict[str, Any]
Poses = dict[str, list[list[float]]]


class Plan:
    """Something a regiment could do, what that is worth in points, and why."""

    __slots__ = ("action", "answer", "reasons", "target", "value")

    def __init__(
        self, action: str, reasons: dict[str, float], *, target: str = "", answer: Poses | None = None
    ) -> None:
        self.action = action
        self.reasons = reasons
        self.value = sum(reasons.values())
        self.target = target
        self.answer = answer

    def facts(self) -> list[Facts]:
        return [
            {"because": what, "worth": round(worth, 1)} for what, worth in self.reasons.items() if abs(worth) >= 0.05
        ]


class CaptainBot:
    """Weighs what it would do to the enemy against what the enemy would do back, in points.

    Characters act just before their regiments; those in contact and those who may strike first come early, those who
    arrive last. A regiment charges where the odds are good, shoots and casts where that does more than a march, and
    marches where zones, open flanks and targets are worth most and the enemy's charges cost least.
    """

    name = "captain"
    needs_view = True

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)
        self.said: list[Facts] = []
        self.prospects = Prospects()
        # What the regiment that acts could do, the best first; and the ways it could march.
        self._plans: list[Plan] = []

    def explain(self) -> list[Facts]:
        """Why it chose as it did last, as plain facts: what it weighed, and what each thing was worth in points."""
        return self.said

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        self.said = []
        self.prospects.look()
        answer: Callable[[Battle, Any], Any] | None = getattr(self, f"_{decision.ask}", None)
        return decision.suggestion() if answer is None else answer(view.battle, decision)

    def ideas(self, view: View, decision: Decision, most: int = 4) -> list[Any]:
        """Different answers worth thinking about, its own first."""
        return ideas_of(self, view, decision, most)

    def try_out(self) -> None:
        """It plays in another trial now: what it meant to do in the last one is forgotten."""
        self._plans = []

    def reasons(self, answer: Any) -> list[Facts]:
        """Why one might answer so: what each thing is worth in points."""
        for plan in self._plans:
            if answer in (plan.action, plan.target, plan.answer):
                return plan.facts()
        return self.said

    # -- before the battle, and reinforcements -------------------------------------------------------------------------

    def _attach_character(self, battle: Battle, decision: PickOne) -> str:
        """The largest regiment he may join."""
        return max(decision.keys(), key=lambda id: (points_of(battle.units[id]), id))

    def _discard_secondaries(self, battle: Battle, decision: PickSeveral) -> list[str]:
        """Those that are hardest to achieve."""
        cards = battle.lore["secondaries"]

        def hardness(key: str) -> int:
            when = cards[key.partition(":")[2]]["when"]
            return EASY.index(when) if when in EASY else len(EASY)

        return sorted(decision.keys(), key=hardness, reverse=True)[: decision.least]

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
            return 1e6 - points_of(regiment)
        if battle.is_engaged(regiment):
            return -1e3 - self.prospects.worth(battle, regiment)
        near = min((distance_to(battle, regiment, foe) for foe in battle.foes(regiment)), default=1e5)
        early = self.prospects.charge_reach(battle, regiment)
        return near - early - (6 * INCH if shoots(regiment) else 0.0)

    def _change_die(self, battle: Battle, decision: PickOne) -> str:
        """It means to play first."""
        return "-1"

    def _use_supremacy(self, battle: Battle, decision: PickOne) -> str:
        """Once there is somebody on the table to make use of it."""
        fighting = sum(battle.is_engaged(r) for r in battle.present(decision.side))
        return decision.keys()[-1] if fighting >= 2 or battle.round >= 5 else "none"

    def _choose_regiments(self, battle: Battle, decision: PickSeveral) -> list[str]:
        """Those that fight, those worth most."""
        units = battle.units

        def order(id: str) -> tuple[bool, float, str]:
            return not battle.is_engaged(units[id]), -self.prospects.worth(battle, units[id]), id

        return sorted(decision.keys(), key=order)[: decision.most]

    def _chain_draw(self, battle: Battle, decision: PickOne) -> str:
        """If the next card is that of his regiment."""
        regiment = battle.units[decision.about["regiment"]]
        follows = battle.stacks[decision.side][-1] == regiment.profile.id and not regiment.activated
        return "draw" if follows and regiment.kind != "monster" else "no"

    def _choose_draw_event(self, battle: Battle, decision: PickOne) -> str:
        """Whatever helps: what heals if somebody is hurt, what sharpens blows if there will be any."""
        regiment = battle.units[decision.about["regiment"]]
        hurt = bool(regiment.fallen) or any(stand.wounds for stand in regiment.figures)
        idle: frozenset[str] = frozenset() if hurt else HEALING
        if not self._fights_soon(battle, regiment):
            idle = idle | FIGHTING
        keys = [key for key in decision.keys() if key not in idle]
        return keys[-1] if keys else decision.suggestion()

    def _fights_soon(self, battle: Battle, regiment: Regiment) -> bool:
        reach = self.prospects.charge_reach(battle, regiment)
        near = (distance_to(battle, regiment, foe) <= reach for foe in battle.foes(regiment))
        return battle.is_engaged(regiment) or any(near)

    # -- actions -------------------------------------------------------------------------------------------------------

    def _choose_action(self, battle: Battle, decision: PickOne) -> str:
        regiment = battle.units[decision.about["regiment"]]
        open_to = decision.keys()
        if battle.acting is not None and battle.acting.character:
            plans = self._as_character(battle, regiment, open_to)
        elif battle.is_engaged(regiment):
            plans = self._in_combat(battle, regiment, open_to)
        else:
            plans = self._freely(battle, regiment, open_to)
        self._plans = sorted((p for p in plans if p.action in open_to), key=lambda plan: -plan.value)
        if not self._plans:
            return "pass" if "pass" in open_to else decision.suggestion()
        best = self._plans[0]
        self.said = [{"regiment": regiment.id, "action": best.action, "worth": round(best.value, 1)}, *best.facts()]
        return best.action

    def _more_choose_action(self, battle: Battle, decision: PickOne) -> list[str]:
        return [plan.action for plan in self._plans]

    def _as_character(self, battle: Battle, regiment: Regiment, open_to: Sequence[str]) -> Iterator[Plan]:
        """He duels if he is favoured, rallies a Broken regiment, casts."""
        yield Plan("pass", {})
        if "duel" in open_to:
            yield Plan("duel", {"duel": self._best_duel(battle, regiment)[0]})
        if "rally" in open_to:
            yield Plan("rally", {"morale": 0.3 * self.prospects.worth(battle, regiment)})
        if "cast" in open_to:
            yield Plan("cast", {"spell": self._best_spell(battle, regiment, hero=True)[0]})

    def _in_combat(self, battle: Battle, regiment: Regiment, open_to: Sequence[str]) -> Iterator[Plan]:
        """It rallies, inspires and clashes; with the Clash behind it, there is nothing better than to stand."""
        acting = battle.acting
        assert acting is not None
        yield Plan("pass", {})
        foes = battle.engaged(regiment)
        dealt = sum(
            self.prospects.worth(battle, foe) * harm(battle, foe, clash_pools(battle, regiment, foe)) for foe in foes
        )
        if "clash" in open_to:
            yield Plan("clash", {"exchange": dealt})
        first = acting.used == 0 and "clash" in open_to
        if "combat_rally" in open_to:
            yield Plan("combat_rally", {"morale": (1.5 * dealt + 0.2) if first else 0.2 * points_of(regiment)})
        if first and "inspire" in open_to and "charge" not in acting.performed and not regiment.broken:
            yield Plan("inspire", {"exchange": 1.2 * dealt + 0.1})
        if "withdraw" in open_to and acting.used == 0:
            yield Plan("withdraw", {"danger": self._saved_by_withdrawal(battle, regiment, foes) - WITHDRAWN * dealt})
        taken_aside = all(battle.face_touched(regiment, foe) != "front" for foe in foes)
        if "combat_reform" in open_to and taken_aside and not regiment.broken:
            # Its front is where most of its blows are, and its flanks where its morale suffers.
            yield Plan("combat_reform", {"exchange": (1.4 * dealt if first else 0.0) + 0.1 * points_of(regiment)})
        if "cast" in open_to:
            yield Plan("cast", {"spell": self._best_spell(battle, regiment, hero=False)[0]})

    def _saved_by_withdrawal(self, battle: Battle, regiment: Regiment, foes: Sequence[Regiment]) -> float:
        """What the enemy would do to it if it stayed, less what breaking off costs: a die of wounds, times its stands
        in contact if it loses its order."""
        worth = self.prospects.worth(battle, regiment)
        taken = sum(harm(battle, regiment, clash_pools(battle, foe, regiment)) for foe in foes)
        keeps = min(5, max(1, value_of(battle, regiment, regiment.figures[0], "resolve").number)) / 6
        wounds = 3.5 * (keeps + (1.0 - keeps) * len(engaged_stands(battle, regiment)))
        return worth * (min(1.0, taken) - min(1.0, wounds / strength(battle, regiment)))

    def _occupy_garrison(self, battle: Battle, decision: PickOne) -> str:
        """Who shoots shoots from behind walls; who fights goes in where the garrison lies at an objective."""
        regiment = battle.units[decision.about["regiment"]]
        places = [key for key in decision.keys() if key != "no"]
        zones = battle.zones_of_objectives
        near = [
            key for key in places
            for terrain in terrain_with(battle.table, "garrison")
            if terrain.id == key and any(terrain.piece.outline.distance(z.x, z.y) <= z.radius for z in zones)
        ]  # fmt: skip
        return near[0] if near else places[0] if places and shoots(regiment) else "no"

    def _freely(self, battle: Battle, regiment: Regiment, open_to: Sequence[str]) -> Iterator[Plan]:
        acting = battle.acting
        assert acting is not None
        if not regiment.on_table or acting.entering:
            yield Plan("march", {"ground": 1.0})
            return
        outlook = Outlook(self.prospects, battle, regiment)
        now = outlook.place(pose_of(regiment))
        yield Plan("pass", now)
        if "rally" in open_to:
            yield Plan("rally", {"morale": points_of(regiment)})
            return
        acts = acting.limit - acting.used
        if "charge" in open_to:
            yield from self._charges(battle, regiment, acts, outlook)
        if "volley" in open_to:
            worth, key = self._best_shot(battle, regiment)
            aims = acts >= 2 and "aim" in open_to
            yield Plan("aim" if aims else "volley", now | {"shots": worth * (1.2 if aims else 1.0)}, target=key)
        if "cast" in open_to:
            yield Plan("cast", now | {"spell": self._best_spell(battle, regiment, hero=False)[0]})
        if "leave" in open_to and not shoots(regiment):
            yield Plan("leave", now | {"ground": now["ground"] + WORTHWHILE})
        if "march" in open_to:
            course = Course(battle, regiment)
            course.thorough = False
            ways = self._ways(course, outlook, acts - 1)
            yield from (way for way in ways[:1] if way.value > sum(now.values()) + WORTHWHILE)
        if "reform" in open_to:
            yield from self._turns(battle, regiment, outlook, acts - 1, sum(now.values()))

    # -- charges -------------------------------------------------------------------------------------------------------

    def _charges(self, battle: Battle, regiment: Regiment, acts: int, outlook: Outlook) -> Iterator[Plan]:
        """What each charge promises, in points: impact and Clash, less what the enemy would do back; by the chance to
        arrive. Whether there is a way is asked only of those worth it."""
        onrush = onrush_of(battle, regiment)
        for foe in may_be_charged(battle, regiment, onrush):
            chance = reach_chance(battle, regiment, foe)
            if chance < LIKELY:
                continue
            face: Arc = "front"
            if not foe.garrison:
                seen = faces_seen(battle, regiment, foe)
                face = max(seen, key=lambda each: (seen[each], each != "front"))
            worth = self.prospects.charge(battle, regiment, foe, face, strikes=1.0 if acts >= 2 else 0.0)
            x, y = beside(foe, face, regiment.footprint.depth / 2)
            held = chance * outlook.ground(Pose(x, y, 0.0)) + (1.0 - chance) * outlook.ground(pose_of(regiment))
            fails = (1.0 - chance) * 0.3 * self.prospects.worth(battle, regiment)
            plan = Plan("charge", {"exchange": chance * worth, "ground": held, "danger": -fails}, target=foe.id)
            if plan.value > 0.0 and (foe.garrison or comes_home(battle, regiment, foe, face, onrush.longest)):
                yield plan

    def _charge_target(self, battle: Battle, decision: PickOne) -> str:
        best = next((p.target for p in self._plans if p.action == "charge" and p.target in decision.keys()), None)
        if best is not None:
            return best
        regiment = battle.units[decision.about["regiment"]]
        outlook = Outlook(self.prospects, battle, regiment)
        self._plans = sorted(self._charges(battle, regiment, 1, outlook), key=lambda plan: -plan.value)
        return self._plans[0].target if self._plans else decision.suggestion()

    def _more_charge_target(self, battle: Battle, decision: PickOne) -> list[str]:
        return [plan.target for plan in self._plans if plan.action == "charge"]

    def _charge_face(self, battle: Battle, decision: PickOne) -> str:
        """The rear, a flank, the front."""
        return min(decision.keys(), key=("rear", "left", "right", "front").index)

    # -- shots ---------------------------------------------------------------------------------------------------------

    def _best_shot(self, battle: Battle, regiment: Regiment) -> tuple[float, str]:
        """What the best volley takes away, in points, and its target."""
        return max((self._value_of_shot(battle, regiment, key), key) for key in targets(battle, regiment))

    def _value_of_shot(self, battle: Battle, regiment: Regiment, key: str) -> float:
        kind, _, id = key.rpartition(":")
        foe = battle.units[id]
        pools = volley_pools(battle, regiment, foe, arcing=bool(kind))
        wounds = sum(mean_wounds(pool.strikes) for pool in pools)
        return self.prospects.worth(battle, foe) * min(1.0, wounds / strength(battle, foe))

    def _shoot_target(self, battle: Battle, decision: PickOne) -> str:
        return self._more_shoot_target(battle, decision)[0]

    def _more_shoot_target(self, battle: Battle, decision: PickOne) -> list[str]:
        regiment = battle.units[decision.about["regiment"]]
        worth = {key: self._value_of_shot(battle, regiment, key) for key in decision.keys()}
        best = sorted(worth, key=lambda key: -worth[key])
        self.said = [{"target": best[0]}, {"because": "shots", "worth": round(worth[best[0]], 1)}]
        return best

    # -- spells --------------------------------------------------------------------------------------------------------

    def _best_spell(self, battle: Battle, regiment: Regiment, *, hero: bool) -> tuple[float, str, str]:
        """What the best spell is worth, which it is, and on whom."""
        best = (0.0, "", "")
        stands = casters(regiment, hero=hero)
        for spell in spells_of(regiment, hero=hero) if stands else ():
            for target in targets_of(battle, regiment, stands, spell):
                number = min(6, max(0, attunement(battle, regiment, stands, spell, target).number))
                successes = power_of(regiment, stands[0]).dice * number / 6
                sure = min(1.0, successes / (1.3 * max(1, spell.needed)))
                best = max(best, (sure * self._value_of_spell(battle, spell, target, successes), spell.id, target.id))
        return best

    def _value_of_spell(self, battle: Battle, spell: Spell, target: Regiment, successes: float) -> float:
        """Hits and healing by the wounds they make or mend; what else it does helps or hampers in a fight."""
        effect, worth = spell.effect, self.prospects.worth(battle, target)
        wounds = 0.55 * (effect.get("hits", 0) + effect.get("hits_per_success", 0) * successes)
        hurt = sum(stand.wounds for stand in target.figures)
        lost = sum(toughness(battle, target, stand) for stand in target.fallen)
        wounds += min(hurt + lost, effect.get("heal", 0) + effect.get("heal_per_success", 0) * successes)
        value: float = worth * min(1.0, wounds / strength(battle, target))
        if effect.get("rally") and target.broken:
            value += 0.3 * worth
        if effect.get("changes"):
            value += worth * (0.1 if battle.is_engaged(target) else 0.05 if self._fights_soon(battle, target) else 0.0)
        return value

    def _choose_spell(self, battle: Battle, decision: PickOne) -> str:
        regiment = battle.units[decision.about["regiment"]]
        best = self._best_spell(battle, regiment, hero=bool(decision.about["character"]))
        self.said = [{"spell": best[1], "target": best[2]}, {"because": "spell", "worth": round(best[0], 1)}]
        return best[1] or decision.suggestion()

    def _choose_spell_target(self, battle: Battle, decision: PickOne) -> str:
        regiment = battle.units[decision.about["regiment"]]
        hero = bool(decision.about["character"])
        spell = next(s for s in spells_of(regiment, hero=hero) if s.id == decision.about["spell"])
        successes = power_of(regiment, casters(regiment, hero=hero)[0]).dice * spell.attunement / 6
        return max(
            decision.keys(), key=lambda id: (self._value_of_spell(battle, spell, battle.units[id], successes), id)
        )

    # -- duels ---------------------------------------------------------------------------------------------------------

    def _best_duel(self, battle: Battle, regiment: Regiment) -> tuple[float, str]:
        """What the most favourable duel is worth, and with whom."""
        found = (0.0, "")
        for enemy in opponents(battle, regiment):
            odds = duel_odds(battle, regiment, enemy)
            assert enemy.character is not None
            worth = 120.0 * (odds.challenged_falls - odds.challenger_falls - 0.05)
            found = max(found, (worth, enemy.character.id))
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

    def _ways(self, course: Course, outlook: Outlook, acts: int) -> list[Plan]:
        """Marches and what the places they lead to are worth, the best first; those that may not end there left out."""
        found: list[Plan] = []
        regiment = course.regiment
        for legs in _legs(course):
            march = course.walked(legs)
            if march.length < INCH / 2:
                continue
            path = course.path_of(march)
            data = {regiment.id: [[p.x, p.y, p.facing] for p in path]}
            found.append(Plan("march", outlook.place(path[-1], acts=acts), answer=data))
        found.sort(key=lambda plan: -plan.value)
        through: list[Plan] = []
        for number, plan in enumerate(found):
            assert plan.answer is not None
            end = Pose(*plan.answer[regiment.id][-1])
            refusal = course.why_not_end(end)
            if refusal is None:
                return sorted([*through, plan, *found[number + 1 :]], key=lambda plan: -plan.value)
            if refusal.why == "ends_on_friend" and acts and len(through) < THROUGH:
                course.left = acts
                way = course.clearing(end)
                course.left = 0
                if way is not None:
                    # What counts is where it comes out behind its friends.
                    through.append(Plan("march", outlook.place(way[-1]), answer=plan.answer))
        return sorted(through, key=lambda plan: -plan.value)

    def _march(self, battle: Battle, decision: Manoeuvre) -> Any:
        """The way it had in mind."""
        regiment = battle.units[decision.about["regiment"]]
        if battle.acting is None or battle.acting.entering:
            return decision.suggestion()
        known = [
            p.answer for p in self._plans if p.action == "march" and p.answer is not None and regiment.id in p.answer
        ]
        for way in known or self._more_march(battle, decision)[:1]:
            try:
                decision.accept(way)
            except Refused:
                continue
            return way
        return decision.suggestion()

    def _more_march(self, battle: Battle, decision: Manoeuvre) -> list[Any]:
        regiment = battle.units[decision.about["regiment"]]
        course = Course(battle, regiment)
        self._plans = self._ways(course, Outlook(self.prospects, battle, regiment), 1)
        return [plan.answer for plan in self._plans if plan.answer and _ends_well(course, plan)]

    def _turns(self, battle: Battle, regiment: Regiment, outlook: Outlook, acts: int, now: float) -> Iterator[Plan]:
        """To look at who is behind it, or where it is to go."""
        here = pose_of(regiment)
        spots = [(foe.x, foe.y) for foe in battle.foes(regiment)]
        if not any(presence(regiment, zone) for zone in battle.zones_of_objectives):
            spots += [(zone.x, zone.y) for zone in battle.zones_of_objectives]
        facings = {rounded_facing(facing_towards(here.x, here.y, x, y)) for x, y in spots}
        best: Plan | None = None
        for facing in sorted(facings):
            if abs(turn_between(here.facing, facing)) < pi / 3:
                continue
            place = outlook.place(here._replace(facing=facing), acts=acts)
            plan = Plan("reform", place, answer={regiment.id: [[here.x, here.y, facing]]})
            if plan.value > now + WORTHWHILE and (best is None or plan.value > best.value):
                best = plan
        if best is not None and best.answer is not None:
            facing = best.answer[regiment.id][0][2]
            if Drill(battle, regiment).why_not(regiment.formation, facing) is None:
                yield best

    def _reform(self, battle: Battle, decision: Manoeuvre) -> Any:
        """As it meant to, or towards the nearest enemy."""
        for plan in self._plans:
            if plan.action == "reform" and plan.answer is not None and set(plan.answer) == set(decision.blocks):
                try:
                    decision.accept(plan.answer)
                except Refused:
                    break
                return plan.answer
        return decision.suggestion()

    # -- coming in -----------------------------------------------------------------------------------------------------

    def _entry_edge(self, battle: Battle, decision: PickOne) -> str:
        """The edge with the best way in."""
        regiment = battle.units[decision.about["regiment"]]
        worth: dict[str, float] = {}
        for edge in decision.keys():
            plans = self._ways_in(battle, regiment, regiment.formation, edge)
            worth[edge] = plans[0].value if plans else -1e9
        return max(decision.keys(), key=lambda edge: worth[edge])

    def _enter(self, battle: Battle, decision: Manoeuvre) -> Any:
        """Where it is worth most: straight in, or with a wheel."""
        regiment = battle.units[decision.about["regiment"]]
        formation = Formation(*decision.about["formation"])
        gate = Entrance(battle, regiment, formation, decision.about["edge"])
        for plan in self._ways_in(battle, regiment, formation, gate.edge):
            assert plan.answer is not None
            if not _ends_well(gate.course(Pose(*plan.answer[regiment.id][0])), plan):
                # What the Marches after it could do is in doubt at best.
                continue
            try:
                decision.accept(plan.answer)
            except Refused:
                continue
            self.said = plan.facts()
            return plan.answer
        return decision.suggestion()

    def _ways_in(self, battle: Battle, regiment: Regiment, formation: Formation, edge: str) -> list[Plan]:
        """Ways over an edge, from where zones and enemies lie straight ahead and some places between."""
        gate = Entrance(battle, regiment, formation, edge)
        low, high = gate.span()
        if high < low:
            return []
        across = 1 if edge in ("west", "east") else 0
        spots = [(zone.x, zone.y)[across] for zone in battle.zones_of_objectives]
        spots += [(foe.x, foe.y)[across] for foe in battle.foes(regiment)]
        spots += [low + (high - low) * share for share in (0.1, 0.3, 0.5, 0.7, 0.9)]
        outlook = Outlook(self.prospects, battle, regiment)
        found: list[Plan] = []
        for along in sorted({round(min(max(spot, low), high) / INCH) * INCH for spot in spots}):
            along = min(max(along, low), high)
            course = gate.course(gate.pose(along))
            course.thorough = False
            if gate.why_not_from(course) is not None:
                continue
            march = course.walked([Leg("ahead", course.reach)])
            path = course.path_of(march)
            if len(path) < 2:
                continue
            data = {regiment.id: [[p.x, p.y, p.facing] for p in path]}
            found.append(Plan("march", outlook.place(path[-1]), answer=data))
        return sorted(found, key=lambda plan: -plan.value)


def _legs(course: Course) -> Iterator[list[Leg]]:
    """Marches worth a try."""
    for turn in WHEELS:
        wheel = [Leg("left" if turn > 0 else "right", abs(turn))] if turn else []
        rest = course.reach - course.length(wheel)
        if rest < 0.0:
            continue
        for share in SHARES:
            yield [*wheel, Leg("ahead", rest * share)]
    yield [Leg("back", course.allowance("back"))]
    yield [Leg("leftward", course.allowance("leftward"))]
    yield [Leg("rightward", course.allowance("rightward"))]


def _ends_well(course: Course, plan: Plan) -> bool:
    assert plan.answer is not None
    return course.why_not_end(rounded_pose(Pose(*plan.answer[course.regiment.id][-1]))) is None


def shoots(regiment: Regiment) -> bool:
    return any(can_shoot(regiment, stand) for stand in regiment.figures)
