"""The captain: a bot that gambles by the odds, gangs up, shoots what it may, and lets its Leader move the band."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, hypot, sin
from random import Random
from typing import Any

from oriflamme.engine.core.decisions import Decision, Move, PickOne, PickSeveral, Place, Refused
from oriflamme.engine.core.view import View
from oriflamme.engine.search.ideas import ideas_of
from oriflamme.games.sbh.bout import Bout
from oriflamme.games.sbh.fighting import close_bout
from oriflamme.games.sbh.movement import Stride, contact_spot, plan_move
from oriflamme.games.sbh.odds.attacks import Fortune, chances
from oriflamme.games.sbh.odds.gambles import successes
from oriflamme.games.sbh.quality import QualityRoll, quality_roll
from oriflamme.games.sbh.runs import edge_distances
from oriflamme.games.sbh.shooting import aim_of, ranged_bout, targets
from oriflamme.games.sbh.state import Battle, Fighter, Marker

# What a result is worth, as a share of the points of whom it befalls.
KILL, GRUESOME, WOUND, FALL, RECOIL, POISON = 1.0, 1.3, 0.35, 0.3, 0.06, 0.25
# What a fighter's activation is worth to the band when nothing is known of it, in points.
ACTIVATION = 2.5
# An activation that is worth less than this is left alone.
IDLE = -1.0
# Getting nearer by a whole stick is worth this much of what waits there.
APPROACH = 0.18
# Enemies further away than so many others are not worth a thought.
NEAREST = 6


class CaptainBot:
    """Chooses fighter, dice and action by what they are worth in points.

    For each fighter it weighs what one, two and three actions would bring (a fight, a shot, a spell, coming closer) and
    takes the number of dice with the best expectation, counting what a lost turn would cost those who have not acted.
    """

    name = "captain"
    needs_view = True

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)
        self.said: list[dict[str, Any]] = []
        # Where the fighter who acts is going, and what for: an enemy, a marker, home.
        self.goal: dict[str, tuple[float, float]] = {}
        self._values: dict[str, tuple[float, float, float]] = {}
        self._side = 0
        # What meetings are worth, as long as the turn lasts.
        self._round = -1
        self._rolls: dict[str, QualityRoll] = {}
        self._meetings: dict[object, float] = {}

    def explain(self) -> list[dict[str, Any]]:
        """Why it chose as it did last, as plain facts: what it weighed, and what each thing was worth in points."""
        return self.said

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        self.said = []
        self._rolls = {}
        self._side = decision.side
        if view.battle.round != self._round:
            self._round = view.battle.round
            self._meetings = {}
        answer: Callable[[Battle, Any], Any] | None = getattr(self, f"_{decision.ask}", None)
        if answer is None:
            return decision.suggestion()
        return answer(view.battle, decision)

    def ideas(self, view: View, decision: Decision, most: int = 4) -> list[Any]:
        """Different answers worth thinking about, its own first."""
        return ideas_of(self, view, decision, most)

    def try_out(self) -> None:
        """It plays in another trial now: what it thought in the last one is forgotten."""
        self.goal, self._values = {}, {}

    def _say(self, **facts: Any) -> None:
        self.said.append(facts)

    # -- before the battle ---------------------------------------------------------------------------------------------

    def _choose_role(self, battle: Battle, decision: PickOne) -> str:
        return "attacker"

    def _choose_terrain(self, battle: Battle, decision: PickOne) -> str:
        """A few pieces, so that the table is worth looking at, and no more than that: it means to fight."""
        enough = decision.about["number"] > 4
        return "done" if enough and "done" in decision.keys() else decision.suggestion()

    def _deploy(self, battle: Battle, decision: Place) -> Any:
        """Side by side in the middle of the edge, those who lead and shoot behind the others."""
        front = [battle.units[id] for id in decision.figures]
        front.sort(key=lambda f: (f.profile.leads or bool(f.profile.range) or f.profile.casts, -f.profile.combat))
        for _ in range(3):
            places = self._ranks(battle, decision, front)
            try:
                decision.accept(places)
            except Refused:
                self.random.shuffle(front)
                continue
            return places
        return decision.sample(self.random)

    def _ranks(self, battle: Battle, decision: Place, band: list[Fighter]) -> dict[str, list[float]]:
        """One rank, or two if there are many, bases in contact, round the middle of the edge or a little aside."""
        table, edge = battle.table, battle.edges[decision.side]
        along_x = edge in ("south", "north")
        length = table.width if along_x else table.depth
        wide = sum(f.width for f in band)
        half = len(band) if wide < 0.5 * length else (len(band) + 1) // 2
        aside = (self.random.random() - 0.5) * length * 0.4
        places: dict[str, list[float]] = {}
        back = 0.0
        for rank, row in enumerate((band[half:], band[:half])):
            deep = max((f.radius for f in row), default=0.0)
            into = back + deep
            at = length / 2 + aside - sum(f.width for f in row) / 2
            for f in row:
                spot = (
                    at + f.radius,
                    into if edge in ("south", "west") else (table.depth if along_x else table.width) - into,
                )
                x, y = spot if along_x else (spot[1], spot[0])
                places[f.id] = [*battle.ruler.spot(x, y)]
                at += f.width
            back = into + deep if rank == 0 else back
        return {id: places[id] for id in decision.figures}

    # -- whom to activate ----------------------------------------------------------------------------------------------

    def _choose_fighter(self, battle: Battle, decision: PickOne) -> str:
        """The surest gain first, so that a lost turn costs little; Leaders early, while friends can obey."""
        best, most = "end", -1e9
        self._values = {}
        for key in decision.keys():
            fighter, late = battle.units.get(key), 0.0
            if fighter is None:
                value = self._value_of_marker(battle, key)
            else:
                number, value = self._best_dice(battle, fighter)
                value /= 1 + self._lost(battle, fighter, number)
                late = 0.002 * self._to_the_enemy(battle, fighter)
                if fighter.profile.leads and self._group_of(battle, fighter):
                    value += 4 * ACTIVATION
            if key != "end":
                self._say(fighter=key, value=round(value, 2))
            # However far the enemy is, who has something to do does it.
            if key != "end" and value > IDLE and value - late > most:
                best, most = key, value - late
        return best

    def _to_the_enemy(self, battle: Battle, fighter: Fighter) -> float:
        """Those in front go first, so that those behind have room."""
        return min((hypot(f.x - fighter.x, f.y - fighter.y) for f in battle.foes(fighter)), default=0.0)

    def _value_of_marker(self, battle: Battle, key: str) -> float:
        """An ambusher rises when the enemy is near; decoys are never turned over."""
        marker = next((m for m in battle.markers if m.id == key), None)
        if marker is None or not marker.holds:
            return -2.0
        foes = [f for f in battle.present() if f.side != self._side]
        near = min((hypot(f.x - marker.x, f.y - marker.y) for f in foes), default=0.0)
        return ACTIVATION if near < 2.5 * battle.sticks.long else -2.0

    # -- how many dice -------------------------------------------------------------------------------------------------

    def _odds(self, battle: Battle, fighter: Fighter, dice: int) -> tuple[float, ...]:
        """The chance of each number of successes."""
        if fighter.id not in self._rolls:
            self._rolls[fighter.id] = quality_roll(battle, fighter, "activation")
        return successes(self._rolls[fighter.id], dice)

    def _lost(self, battle: Battle, fighter: Fighter, dice: int) -> float:
        """The chance to lose the turn."""
        odds = self._odds(battle, fighter, dice)
        return sum(chance for good, chance in enumerate(odds) if dice - good >= 2)

    def _waiting(self, battle: Battle, fighter: Fighter) -> float:
        """What a lost turn would cost: the activations of those who have not acted."""
        return ACTIVATION * sum(not f.activated and f is not fighter for f in battle.present(self._side))

    def _best_dice(self, battle: Battle, fighter: Fighter) -> tuple[int, float]:
        """The number of dice with the best expectation, and that expectation."""
        worth = self._worth_of_actions(battle, fighter)
        waiting = self._waiting(battle, fighter)
        best, most = 1, -1e9
        for dice in (1, 2, 3):
            odds = self._odds(battle, fighter, dice)
            gain = sum(chance * worth[good] for good, chance in enumerate(odds))
            gain -= waiting * sum(chance for good, chance in enumerate(odds) if dice - good >= 2)
            if gain > most + 1e-9:
                best, most = dice, gain
        return best, most

    def _choose_dice(self, battle: Battle, decision: PickOne) -> str:
        fighter = battle.units[decision.about["fighter"]]
        dice, gain = self._best_dice(battle, fighter)
        self._say(
            fighter=fighter.id, dice=dice, gain=round(gain, 2), worth=[round(v, 2) for v in self._values[fighter.id]]
        )
        keys = decision.keys()
        for word in ("cast", "heal"):
            if f"{dice}:{word}" in keys and self._wants(battle, fighter, word):
                return f"{dice}:{word}"
        return str(dice)

    def _wants(self, battle: Battle, fighter: Fighter, word: str) -> bool:
        if word == "heal":
            return any(f.side == fighter.side and (f.wounds or f.poison or f.down) for f in battle.touching(fighter))
        return True

    def _choose_group_dice(self, battle: Battle, decision: PickOne) -> str:
        """Two dice as a rule; three for those who hardly fail."""
        return "3" if decision.about["needed"] <= 2 else "2" if decision.about["needed"] <= 4 else "1"

    # -- what actions are worth ----------------------------------------------------------------------------------------

    def _worth_of_actions(self, battle: Battle, fighter: Fighter) -> tuple[float, float, float, float]:
        """What none, one, two and three actions would bring, in points."""
        known = self._values.get(fighter.id)
        if known is None:
            known = self._values[fighter.id] = self._weigh(battle, fighter)
        return (0.0, *known)

    def _weigh(self, battle: Battle, fighter: Fighter) -> tuple[float, float, float]:
        if fighter.transfixed is not None:
            return (0.0, 5.0, 6.0)
        enemies = battle.enemies_at(fighter)
        if fighter.down:
            fights = max((self._fight(battle, fighter, e) for e in enemies), default=-1e9)
            rise = 4.0 if not enemies else 2.0
            one = max(rise, fights)
            return (one, max(one, rise + max(0.0, fights)), one + 2.0)
        if any(not e.helpless for e in enemies):
            plain = max(self._fight(battle, fighter, e) for e in enemies)
            power = max(self._fight(battle, fighter, e, power=True) for e in enemies)
            one = max(plain, 0.3)
            return (one, max(one, power), max(one, power))
        return self._weigh_at_large(battle, fighter, enemies)

    def _weigh_at_large(self, battle: Battle, fighter: Fighter, enemies: list[Fighter]) -> tuple[float, float, float]:
        """Nobody holds him: shoot, cast, strike at the helpless, or go where a fight, a marker or the way home is."""
        shot, aimed = self._shots(battle, fighter)
        strike = max((self._fight(battle, fighter, e) for e in enemies), default=0.0)
        spell = self._spells(battle, fighter)
        goal, prize = self._aim(battle, fighter)
        reach = battle.sticks.of(fighter.profile.move)
        moves = max(1, -(-int(goal) // int(reach)))
        near = APPROACH * prize / (1 + goal / (3 * reach))
        one = max(shot, strike, spell[0], prize * 0.35 if moves == 1 else near, 0.5)
        two = max(one, aimed, spell[1], prize if moves == 1 else prize * 0.4 if moves == 2 else 2 * near)
        three = max(two, spell[2], prize if moves == 2 else 3 * near, prize * 1.1 if moves == 1 else 0.0)
        return (one, two, three)

    def _fight(self, battle: Battle, fighter: Fighter, enemy: Fighter, *, power: bool = False) -> float:
        """What a close-combat attack brings, less what it costs."""
        return value_of(close_bout(battle, fighter, enemy, "melee", power=power), battle)

    def _shots(self, battle: Battle, fighter: Fighter) -> tuple[float, float]:
        if not fighter.profile.range or fighter.out_of_ammo or fighter.attacked:
            return 0.0, 0.0
        aim = aim_of(battle, fighter, "shot")
        plain = aimed = 0.0
        for id in targets(battle, fighter, aim):
            enemy = battle.units.get(id)
            if enemy is None:
                plain = max(plain, 1.0)
                continue
            plain = max(plain, value_of(ranged_bout(battle, [fighter], enemy, aim), battle))
            aimed = max(aimed, value_of(ranged_bout(battle, [fighter], enemy, aim, aimed=True), battle))
        return plain, max(plain, aimed)

    def _spells(self, battle: Battle, fighter: Fighter) -> list[float]:
        """The best spell of each Power: a bolt, or a transfix."""
        best = [0.0, 0.0, 0.0]
        if not fighter.profile.casts or fighter.drained or any(not e.down for e in battle.enemies_at(fighter)):
            return best
        for power in (1, 2, 3):
            aim = aim_of(battle, fighter, "spell", power)
            for id in targets(battle, fighter, aim):
                enemy = battle.units.get(id)
                if enemy is not None:
                    best[power - 1] = max(best[power - 1], value_of(ranged_bout(battle, [fighter], enemy, aim), battle))
            reach = battle.ruler.sticks.of(aim.stick)
            for enemy in battle.foes(fighter):
                if enemy.transfixed is None and battle.gap(fighter, enemy) <= reach:
                    best[power - 1] = max(best[power - 1], snare_value(battle, enemy, power))
        return [best[0], max(best[:2]), max(best)]

    def _aim(self, battle: Battle, fighter: Fighter) -> tuple[float, float]:
        """Where he goes: how far it is, and what it is worth there."""
        best_far, best = 1e9, 0.0
        reach = battle.sticks.of(fighter.profile.move)

        def consider(x: float, y: float, far: float, worth: float) -> None:
            nonlocal best_far, best
            score = worth / (1 + far / (2 * reach))
            if score > best / (1 + best_far / (2 * reach)) if best else worth > 0:
                best_far, best = far, worth
                self.goal[fighter.id] = (x, y)

        if fighter.carries or (fighter.item is not None and fighter.item.prize and battle.scenario == "treasure"):
            x, y, far = self._home(battle, fighter)
            consider(x, y, far, 60.0)
            return best_far, best
        foes = [f for f in battle.foes(fighter) if f.id not in fighter.barred]
        if len(foes) > NEAREST:
            foes.sort(key=lambda f: (f.x - fighter.x) ** 2 + (f.y - fighter.y) ** 2)
        for enemy in foes[:NEAREST]:
            far = max(0.0, hypot(enemy.x - fighter.x, enemy.y - fighter.y) - fighter.radius - enemy.radius)
            spot = contact_spot(battle, fighter, enemy)
            consider(*spot, far, self._worth_of_meeting(battle, fighter, enemy, far))
        for marker in battle.markers:
            worth = self._worth_of_marker(battle, fighter, marker)
            if worth:
                far = max(0.0, hypot(marker.x - fighter.x, marker.y - fighter.y) - fighter.radius - marker.radius)
                consider(marker.x, marker.y, far, worth)
        return (best_far, best) if best else (1e3, 0.5)

    def _worth_of_meeting(self, battle: Battle, fighter: Fighter, enemy: Fighter, far: float) -> float:
        """What a fight with that enemy would bring, with the friends who are already at him."""
        friends = sum(f.side == fighter.side for f in battle.touching(enemy))
        key = (fighter.id, enemy.id, friends, enemy.down, enemy.transfixed, enemy.wounds, len(battle.touching(fighter)))
        known = self._meetings.get(key)
        if known is None:
            bout = close_bout(battle, fighter, enemy, "melee")
            bout.defender.bonus -= friends
            known = self._meetings[key] = value_of(bout, battle)
        value = known
        if fighter.profile.range and not fighter.out_of_ammo and not enemy.helpless:
            # Shooters keep their distance unless the fight is good.
            value -= 2.0
        # The more friends are at hand, the better.
        reach = (2 * battle.sticks.medium) ** 2
        x, y, near = enemy.x, enemy.y, 0
        for f in battle.units.values():
            if f.side == fighter.side and f is not fighter and f.reserve is None and not f.fate:
                body = f.body
                near += (body.x - x) ** 2 + (body.y - y) ** 2 < reach
        return max(0.6, value) + 0.4 * min(3, near)

    def _worth_of_marker(self, battle: Battle, fighter: Fighter, marker: Marker) -> float:
        if marker.kind == "ambush":
            return 2.0 if marker.side != fighter.side else 0.0
        if marker.kind == "prize":
            item = marker.item is not None or battle.scenario == "item"
            if item and (fighter.profile.animal or fighter.item is not None):
                return 0.0
            return 25.0
        return 6.0

    def _home(self, battle: Battle, fighter: Fighter) -> tuple[float, float, float]:
        edge = battle.edges[fighter.side]
        away = edge_distances(battle, fighter.x, fighter.y, fighter.radius)[edge]
        r, table = fighter.radius, battle.table
        x = r if edge == "west" else table.width - r if edge == "east" else fighter.x
        y = r if edge == "south" else table.depth - r if edge == "north" else fighter.y
        return x, y, away

    # -- what to do ----------------------------------------------------------------------------------------------------

    def _choose_action(self, battle: Battle, decision: PickOne) -> str:
        fighter = battle.units[decision.about["fighter"]]
        actions: int = decision.about["actions"]
        if fighter.carries and any(o.key == "off" for o in decision.extra_options):
            return "off"
        best, most = "done", 0.05
        for key in decision.keys():
            value = self._value_of_action(battle, fighter, key, actions)
            if value > most:
                best, most = key, value
        self._say(fighter=fighter.id, action=best, value=round(most, 2))
        return best

    def _more_choose_action(self, battle: Battle, decision: PickOne) -> list[str]:
        """The actions by what they are worth."""
        fighter, actions = battle.units[decision.about["fighter"]], decision.about["actions"]
        values = {key: self._value_of_action(battle, fighter, key, actions) for key in decision.keys()}
        return sorted(values, key=lambda key: -values[key])

    def _value_of_action(self, battle: Battle, fighter: Fighter, key: str, actions: int) -> float:
        deed, _, rest = key.partition(":")
        target = battle.units.get(rest)
        match deed:
            case "attack" if target is not None:
                return self._fight(battle, fighter, target)
            case "power" if target is not None:
                return self._fight(battle, fighter, target, power=True) - 0.05
            case "shoot" | "aim" | "javelin" | "aimjavelin":
                return self._value_of_shot(battle, fighter, deed, target, actions)
            case "bolt" | "transfix" | "entangle":
                return self._value_of_spell(battle, fighter, deed, rest)
            case "stand":
                return 3.0
            case "break":
                return 6.0
            case "take":
                return 40.0
            case "heal":
                return 8.0
            case "raise":
                return 6.0
            case "receive":
                return 1.0
            case "order":
                return self._value_of_order(battle, fighter, rest)
            case "move":
                return self._value_of_move(battle, fighter, actions)
            case "leave":
                return self._value_of_leaving(battle, fighter)
        return 0.0

    def _value_of_shot(
        self, battle: Battle, fighter: Fighter, deed: str, target: Fighter | None, actions: int
    ) -> float:
        if target is None:
            return 1.0
        manner = "javelin" if "javelin" in deed else "shot"
        aimed = deed.startswith("aim")
        bout = ranged_bout(battle, [fighter], target, aim_of(battle, fighter, manner), aimed=aimed)
        return value_of(bout, battle) + 0.4 - (0.1 if aimed and actions > 2 else 0.0)

    def _value_of_spell(self, battle: Battle, fighter: Fighter, deed: str, rest: str) -> float:
        number, _, id = rest.partition(":")
        target, power = battle.units.get(id), int(number)
        if target is None:
            return 1.0
        if deed == "bolt":
            return (
                value_of(ranged_bout(battle, [fighter], target, aim_of(battle, fighter, "spell", power)), battle) + 0.4
            )
        return snare_value(battle, target, power)

    def _value_of_order(self, battle: Battle, fighter: Fighter, order: str) -> float:
        if order != "group":
            return 0.0
        return ACTIVATION * len(self._group_of(battle, fighter))

    def _value_of_move(self, battle: Battle, fighter: Fighter, actions: int) -> float:
        """A move that leads somewhere; shooters and Mages who can use their arts stay."""
        goal, prize = self._aim(battle, fighter)
        if goal <= battle.sticks.of(fighter.profile.move) and actions >= 2:
            return prize
        return max(0.2, APPROACH * prize)

    def _value_of_leaving(self, battle: Battle, fighter: Fighter) -> float:
        """Only who is hopelessly outnumbered turns his back."""
        enemies = battle.enemies_at(fighter)
        if fighter.carries:
            return 20.0
        return 1.0 if len(enemies) >= 3 and all(self._fight(battle, fighter, e) < -3 for e in enemies) else -1.0

    def _move_fighter(self, battle: Battle, decision: Move) -> Any:
        """Straight to where he wants to be, or as near as legs and ground allow."""
        fighter = battle.units[decision.figures[0]]
        self._aim(battle, fighter)
        spot = self.goal.get(fighter.id)
        if spot is None:
            return decision.suggestion()
        stride = self._towards(battle, decision, fighter, *spot)
        return {fighter.id: [[stride[0], stride[1]]]} if stride is not None else decision.suggestion()

    def _more_move_fighter(self, battle: Battle, decision: Move) -> list[Any]:
        """Towards others than the one it has chosen, and back."""
        fighter = battle.units[decision.figures[0]]
        foes = sorted(battle.foes(fighter), key=lambda foe: battle.gap(fighter, foe))[:NEAREST]
        spots = [contact_spot(battle, fighter, foe) for foe in foes[:3]]
        if foes:
            away = max(1.0, hypot(fighter.x - foes[0].x, fighter.y - foes[0].y))
            far = battle.sticks.of(fighter.profile.move) / away
            x = min(max(fighter.x + (fighter.x - foes[0].x) * far, fighter.radius), battle.table.width - fighter.radius)
            y = min(max(fighter.y + (fighter.y - foes[0].y) * far, fighter.radius), battle.table.depth - fighter.radius)
            spots.append((x, y))
        strides = [self._towards(battle, decision, fighter, x, y) for x, y in spots]
        return [{fighter.id: [[stride[0], stride[1]]]} for stride in strides if stride is not None]

    def _towards(
        self, battle: Battle, decision: Move, fighter: Fighter, gx: float, gy: float
    ) -> tuple[float, float] | None:
        actions = 2
        if battle.acting and fighter.id in battle.active.actions:
            actions = max(1, battle.active.actions[fighter.id])
        best: tuple[float, float, float] | None = None
        dx, dy = gx - fighter.x, gy - fighter.y
        apart = hypot(dx, dy) or 1.0
        full = battle.sticks.of(fighter.profile.move)
        for reach in (min(full, apart), min(battle.sticks.short, apart)):
            for turn in (0.0, 0.35, -0.35, 0.75, -0.75, 1.25, -1.25):
                c, s = cos(turn), sin(turn)
                share = reach / apart
                x, y = fighter.x + (dx * c - dy * s) * share, fighter.y + (dx * s + dy * c) * share
                stride = plan_move(battle, fighter, x, y, actions)
                if not isinstance(stride, Stride):
                    continue
                far = hypot(gx - stride.x, gy - stride.y)
                if (best is None or far < best[0] - 0.5) and self._is_accepted(decision, fighter, stride):
                    best = (far, stride.x, stride.y)
                if best is not None and turn == 0.0:
                    break
            if best is not None and best[0] < apart - 5.0:
                break
        if best is None or best[0] >= apart:
            return None
        return best[1], best[2]

    def _is_accepted(self, decision: Move, fighter: Fighter, stride: Stride) -> bool:
        try:
            decision.accept({fighter.id: [[stride.x, stride.y]]})
        except Refused:
            return False
        return True

    # -- orders --------------------------------------------------------------------------------------------------------

    def _group_of(self, battle: Battle, leader: Fighter) -> list[Fighter]:
        """Friends in contact with one another who have not acted and are free to go, within Long of their Leader."""
        able = [
            f
            for f in battle.friends(leader)
            if not f.activated
            and not f.helpless
            and not f.profile.leads
            and battle.within(leader, f, "long")
            and not battle.enemies_at(f)
        ]
        group = [f for f in able if any(o in able for o in battle.touching(f))]
        return group[:5] if len(group) >= 3 else []

    def _choose_members(self, battle: Battle, decision: PickSeveral) -> Any:
        leader = battle.units[decision.about["fighter"]]
        wanted = [f.id for f in self._group_of(battle, leader) if f.id in decision.keys()]
        for number in range(min(len(wanted), decision.most), decision.least - 1, -1):
            try:
                return decision.accept(wanted[:number])
            except Refused:
                continue
        return decision.suggestion()

    def _choose_member(self, battle: Battle, decision: PickOne) -> str:
        """Volleys first, then whoever is nearest to the enemy, so that those behind have room."""
        keys = decision.keys()
        volley = [key for key in keys if key.startswith("volley:")]
        if volley:
            return volley[0]
        members = [battle.units[key] for key in keys if key in battle.units]
        if not members:
            return keys[-1]
        foes = battle.foes(members[0]) or members

        def nearest(f: Fighter) -> float:
            return min((f.x - e.x) ** 2 + (f.y - e.y) ** 2 for e in foes)

        return min(members, key=nearest).id

    # -- answers in passing --------------------------------------------------------------------------------------------

    def _recoil(self, battle: Battle, decision: Move) -> Any:
        return decision.suggestion()

    def _make_free_hack(self, battle: Battle, decision: PickOne) -> str:
        return "yes"

    def _ignore_kill(self, battle: Battle, decision: PickOne) -> str:
        return decision.keys()[-1]

    def _protect_from_spell(self, battle: Battle, decision: PickOne) -> str:
        return decision.keys()[-1]

    def _be_brave(self, battle: Battle, decision: PickOne) -> str:
        return "brave" if decision.about["failures"] >= 2 else "none"

    def _regain_initiative(self, battle: Battle, decision: PickOne) -> str:
        return decision.keys()[-1] if self._waiting(battle, battle.units[decision.about["fighter"]]) > 6 else "none"

    def _reroll_die(self, battle: Battle, decision: PickOne) -> str:
        """A failed die of an activation or morale roll, or a low one in a fight that goes badly."""
        about = decision.about
        faces = about["faces"]
        if "needed" in about:
            low = min(faces)
            failed = sum(face < about["needed"] for face in faces)
            return f"die:{low}" if failed >= 2 or (failed and about["about"] == "morale") else "none"
        if about["total"] < about["against"] and faces[0] <= 3:
            return f"die:{faces[0]}"
        return "none"


def worth(fighter: Fighter) -> float:
    """What a fighter is worth to his band, in points."""
    value = float(max(5, fighter.points))
    return value * 1.4 if fighter.profile.leads else value


def value_of(bout: Bout, battle: Battle) -> float:
    """What a bout brings the attacker: what it does to the other, less what it may do to himself."""
    odds = chances(bout)
    gain = worth(bout.defender.fighter) * _share(odds.defender, bout.defender.fighter)
    return gain - 0.8 * worth(bout.attacker.fighter) * _share(odds.attacker, bout.attacker.fighter)


def _share(fortune: Fortune, fighter: Fighter) -> float:
    fall = 0.0 if fighter.down else FALL
    return (
        KILL * fortune.kill
        + GRUESOME * fortune.gruesome
        + WOUND * fortune.wound
        + fall * fortune.fall
        + RECOIL * fortune.recoil
        + POISON * fortune.poison
    )


def snare_value(battle: Battle, enemy: Fighter, power: int) -> float:
    """What transfixing an enemy is worth: more if somebody is there to finish him."""
    resists = successes(quality_roll(battle, enemy, "spell"), power)[power]
    hands = any(f.side != enemy.side for f in battle.touching(enemy))
    return (1 - resists) * worth(enemy) * (0.45 if hands else 0.15)
