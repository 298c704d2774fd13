"""Two units set apart from a battle, followed through the attacks that lie before them.

Steps of the book are run on them under dice that enumerate instead of rolling, with every question answered as the
rules suggest. Three seams keep the numbers small:

1. Attacks of a group do not touch one another. One attack is run from its hit roll to its wounds, and added up.
2. Wounds are taken one by one. What one more wound does to a unit is run once for every state the unit can be in.
3. After each group, outcomes that leave both units alike are merged. Later groups see what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.games.aof.attacks import attack_of, harm_of, next_group
from oriflamme.games.aof.melee import Tally, impact_attack, impact_dice, loser_of, tally
from oriflamme.games.aof.morale import quality_of
from oriflamme.games.aof.odds.attacks import AttackLaw, GroupLaw, attack_law
from oriflamme.games.aof.odds.states import Entries, Hurt, Memory, Standing, UnitState, Waiting
from oriflamme.games.aof.state import Battle, Unit, steps
from oriflamme.games.aof.terrain import roll_for_danger
from oriflamme.games.aof.wounds import Harm, apply_wounds, take_wounds

# Beyond these the odds are sampled: standings to be told apart, and Dangerous-terrain dice to be followed.
MOST_STANDINGS = 30_000
MOST_DANGER = 5


class TooMany(Exception):
    """More outcomes than can be followed one by one."""


class Engagement:
    """Two units set apart from the battle they stand in, and the steps that lie before them.

    `battle` is its own: the same table, the same neighbours, and whichever two states of the units are being looked at.
    Where positions do not count (`anywhere`), everybody can strike everybody.
    """

    def __init__(self, battle: Battle, memory: Memory, first: UnitState, second: UnitState, *, anywhere: bool) -> None:
        self.battle = battle
        self.memory = memory
        self.ids = (first.unit.id, second.unit.id)
        self.start: Standing = (first, second, 0, 0)
        self.anywhere = anywhere
        self.counter_attacks: Waiting = ()
        # Groups that stand on no table are declared once and met again.
        self.harmed = memory.harmed if anywhere else {}
        self.group_laws = memory.group_laws if anywhere else {}
        self.due = memory.due if anywhere else {}
        self.track: Entries = tuple(reversed(battle.track))

    def at(self, standing: Standing) -> Battle:
        """The battle with both units as they stand then; they must not be altered."""
        battle = self.battle
        battle.units[self.ids[0]] = standing[0].unit
        battle.units[self.ids[1]] = standing[1].unit
        return battle

    def follow(self) -> Distribution[Standing]:
        """How both units may stand when all attacks are made."""
        standings = Distribution.always(self.start)
        for name, args in self.track:
            standings = self.play(standings, name, args)
            if len(standings) > MOST_STANDINGS:
                raise TooMany
        return standings

    def play(self, standings: Distribution[Standing], name: str, args: tuple[Any, ...]) -> Distribution[Standing]:
        return standings.then(lambda standing: self.after(standing, name, args))

    def after(self, standing: Standing, name: str, args: tuple[Any, ...]) -> Distribution[Standing]:
        """How both may stand after one step."""
        if name == "impact":
            return self.impact(standing)
        if name == "roll_for_danger":
            return self.danger(standing, args[0])
        return self.attacks(standing, self.declared(standing, name, args))

    def declared(self, standing: Standing, name: str, args: tuple[Any, ...]) -> Waiting:
        """The attacks that a step puts on the turn track, all of one unit on the other."""
        unit, enemy = (standing[0], standing[1]) if args[0] == self.ids[0] else (standing[1], standing[0])
        key: tuple[object, ...] = (name, unit, enemy, tuple([(g.figures, g.victim) for g in self.counter_attacks]))
        if self.anywhere and unit.number and enemy.number and not _picks_victims(unit):
            # Everybody can strike everybody: of the enemy only what it brings to an attack makes a difference.
            key = (name, unit, *enemy.as_target)
        found = self.memory.declared.get(key)
        if found is None:
            battle = self.at(standing)
            if any(w.used_once for f in unit.unit.figures for w in f.profile.melee_weapons):
                # Limited weapons are used up, but not for good.
                battle.units[args[0]] = unit.unit.copy()
            # A model keeps the victim that it has named (AOF-SR-TAKEDOWN-01).
            battle.acting.groups = self.counter_attacks
            battle.track = []
            play_out(steps.by_name[name](battle, *args))
            found = self.memory.declared[key] = declared_on_track(battle)
        if name == "counter_strike":
            self.counter_attacks = found
        return found

    def attacks(self, standing: Standing, declared: Waiting) -> Distribution[Standing]:
        """Declared attacks are resolved group by group (AOF-HIT-02); which groups they make, each state decides."""
        if not declared:
            return Distribution.always(standing)
        hurt = 1 if declared[0].target == self.ids[1] else 0
        target = standing[:2][hurt]
        found = self.harmed.get((declared, target))
        if found is None:
            self.at(standing)
            states: Distribution[tuple[Waiting, Hurt]] = Distribution.always((declared, (target, 0)))
            while any(waiting for waiting, _ in states):
                states = self.resolve_next(states)
                if len(states) > MOST_STANDINGS:
                    raise TooMany
            found = self.harmed[declared, target] = states.map(lambda found: found[1])
        return _harmed(standing, hurt, found)

    def resolve_next(self, states: Distribution[tuple[Waiting, Hurt]]) -> Distribution[tuple[Waiting, Hurt]]:
        """The next group of the attacks that wait; states in which that is the same group are followed together."""
        due: dict[tuple[Waiting, Waiting], dict[Hurt, int]] = {}
        for (waiting, hurt), weight in states.weights().items():
            together = due.setdefault(self.next_group(waiting, hurt[0]), {})
            together[hurt] = together.get(hurt, 0) + weight

        def after(part: tuple[Waiting, Waiting]) -> Distribution[tuple[Waiting, Hurt]]:
            group, later = part
            resolved = self.resolve(group, Distribution.weighted(due[part]))
            return resolved.map(lambda hurt: (later, hurt))

        return Distribution.weighted({part: sum(weights.values()) for part, weights in due.items()}).then(after)

    def next_group(self, waiting: Waiting, state: UnitState) -> tuple[Waiting, Waiting]:
        """The attacks that are rolled next on a target in this state, and those left after them (AOF-HIT-01)."""
        if not waiting:
            return (), ()
        key = (waiting, state if any(g.victim is not None for g in waiting) else state.as_target)
        found = self.due.get(key)
        if found is None:
            battle, acting = self.battle, self.battle.acting
            battle.units[waiting[0].target] = state.unit
            declared, acting.groups = acting.groups, waiting
            groups, after = next_group(battle, range(len(waiting)))
            acting.groups = declared
            later = [number for group in groups[1:] for number in group] + after
            first = groups[0] if groups else ()
            found = self.due[key] = tuple([waiting[n] for n in first]), tuple([waiting[n] for n in later])
        return found

    def resolve(self, group: Waiting, states: Distribution[Hurt]) -> Distribution[Hurt]:
        """One group of attacks, on a target in any of these states (AOF-HIT-14)."""
        if not group:
            return states
        waiting = (
            dict(sorted(states.weights().items(), key=_fewest_wounds)) if len(states) > 1 else states.weights().copy()
        )
        parts: list[Distribution[Hurt]] = []
        weights: dict[int, int] = {}
        while waiting:
            first = next(iter(waiting))
            together = {0: waiting.pop(first)}
            state, counted = first
            law = self.law_of(group, state)
            wounds = law.wounds()
            harm = law.harm
            if harm.multiplier == 1 and harm.victim is None:
                # States that lie so many wounds further on, and that the same attacks fall on, are taken along.
                for other in list(waiting):
                    below = state.left - other[0].left
                    leads_there = self.after_wounds(state, harm, below) == (other[0], other[1] - counted)
                    if leads_there and self.law_of(group, other[0]) is law:
                        together[below] = waiting.pop(other)
            if len(together) > 1:
                wounds = wounds.convolve(Distribution.weighted(together))
            after = self.take(state, harm, wounds)
            if counted:
                after = _count_on(after, counted)
            weights[len(parts)] = sum(together.values())
            parts.append(after)
        if len(parts) == 1:
            return parts[0]
        return Distribution.weighted(weights).then(lambda part: parts[part])

    def law_of(self, group: Waiting, state: UnitState) -> GroupLaw:
        """What the attacks of a group do to a target in this state."""
        key = (group, state.as_target if group[0].victim is None else state)
        found = self.group_laws.get(key)
        if found is None or found.models not in (None, state.number):
            battle = self.battle
            battle.units[group[0].target] = state.unit
            laws: dict[AttackLaw, int] = {}
            for declared in group:
                attack = attack_of(battle, declared)
                one = attack_law(battle, declared, state.unit, attack)
                laws[one] = laws.get(one, 0) + declared.attacks
            harm = found.harm if found is not None else harm_of(battle, attack, group[0].victim)
            found = self.group_laws[key] = GroupLaw(laws, harm)
        return found

    def impact(self, standing: Standing) -> Distribution[Standing]:
        """Impact dice are rolled for the charger (AOF-SR-IMPACT-01)."""
        battle = self.at(standing)
        unit, target = standing[0].unit, standing[1].unit
        dice = impact_dice(battle, unit, target).dice
        if not dice:
            return Distribution.always(standing)
        attack = impact_attack(target, 1)
        law = attack_law(battle, None, target, attack)
        found = self.take(standing[1], harm_of(battle, attack), law.wounds(dice))
        return _harmed(standing, 1, found)

    def take(self, state: UnitState, harm: Harm, wounds: Distribution[int]) -> Distribution[Hurt]:
        """What wounds make of a unit.

        Multiplied wounds are taken one by one in play as well (AOF-SR-DEADLY-01); for others it is the same whether
        the defender removes so many models at once or one after the other.
        """
        if harm.multiplier == 1:
            self.after_wounds(state, harm, max(wounds))
            return wounds.map(state.ladders[_kind(harm)].__getitem__)
        return wounds.then(lambda number: self.deadly(state, harm, number))

    def after_wounds(self, state: UnitState, harm: Harm, number: int) -> Hurt:
        """What so many wounds make of a unit, when it can no longer ignore any."""
        kind = _kind(harm)
        ladder = state.ladders.get(kind)
        if ladder is None:
            ladder = state.ladders[kind] = [(state, 0)]
        while len(ladder) <= number:
            last, counted = ladder[-1]
            below = last.below.get(kind)
            if below is None:
                unit = last.unit.copy()
                one = Harm(harm.sets, 1, harm.victim, harm.regen_first, harm.overkill)
                play_out(apply_wounds(self.battle, unit, 1, one))
                below = last.below[kind] = (self.memory.state_of(unit), one.counted)
            ladder.append((below[0], counted + below[1]))
        return ladder[number]

    def deadly(self, state: UnitState, harm: Harm, number: int) -> Distribution[Hurt]:
        """What so many multiplied wounds make of a unit."""
        kind = _kind(harm)
        taken = state.taken.setdefault(kind, [Distribution.always((state, 0))])
        battle = self.battle

        def one_more(hurt: Hurt) -> Distribution[Hurt]:
            before, counted = hurt

            def take(dice: Dice) -> Hurt:
                unit = before.unit.copy()
                one = Harm(harm.sets, harm.multiplier, harm.victim, harm.regen_first, harm.overkill)
                battle.dice = dice
                play_out(take_wounds(battle, unit, 1, one))
                return self.memory.state_of(unit), one.counted

            found = before.wounded.get(kind)
            if found is None:
                found = before.wounded[kind] = Distribution.of(take)
            return _count_on(found, counted)

        while len(taken) <= number:
            taken.append(taken[-1].then(one_more))
        return taken[number]

    def danger(self, standing: Standing, unit_id: str) -> Distribution[Standing]:
        """Models that passed Dangerous terrain roll for it (AOF-TERRAIN-07)."""
        hurt = 0 if unit_id == self.ids[0] else 1
        battle = self.at(standing)
        acting = battle.acting
        unit = standing[:2][hurt].unit
        due = [f for f in unit.figures if f.id in acting.endangered and f.id not in acting.rolled]
        if not due:
            return Distribution.always(standing)
        if sum(f.profile.tough for f in due) > MOST_DANGER:
            raise TooMany
        rolled = acting.rolled

        def roll(dice: Dice) -> tuple[UnitState, int]:
            battle.units[unit_id] = twin = unit.copy()
            battle.dice, acting.rolled = dice, rolled
            play_out(roll_for_danger(battle, unit_id))
            return self.memory.state_of(twin), 0

        found = Distribution.of(roll)
        acting.rolled = rolled
        return _harmed(standing, hurt, found)

    # -- what follows the attacks ----------------------------------------------------------------------------------

    def loser(self, standing: Standing) -> int | None:
        """Who has to test its morale after the melee: 0, 1 or nobody (AOF-MELEE-07)."""
        return _loser(self._bonus(standing, 0), self._bonus(standing, 1), standing[2], standing[3])

    def _bonus(self, standing: Standing, side: int) -> int | None:
        """What a unit's living models add to its wounds when they are compared; None if it is destroyed."""
        state = standing[:2][side]
        if state.bonus is None:
            counted = tally(self.at(standing), state.unit, 0)
            state.bonus = (counted.total if counted is not None else None,)
        return state.bonus[0]

    def fate(self, state: UnitState, test: Callable[[Battle, Unit], Any]) -> Distribution[str]:
        """What a Morale Test makes of the unit: "shaken", "routed", or "" if nothing new."""
        if state.morale_key is None:
            state.morale_key = _morale_key(state.unit)
        key = (test, state.morale_key)
        found = self.memory.fates.get(key)
        if found is None:
            battle = self.battle

            def roll(dice: Dice) -> str:
                battle.units[state.unit.id] = unit = _twin(state.unit)
                battle.dice = dice
                play_out(test(battle, unit))
                if not unit.figures and state.number:
                    return "routed"
                return "shaken" if unit.shaken and not state.unit.shaken else ""

            found = self.memory.fates[key] = Distribution.of(roll)
        return found

    def hits_of(self, side: int) -> Distribution[int]:
        """All hits that the weapons of one side make, from the first step on the turn track to the last."""
        known: dict[tuple[int, UnitState, UnitState], Distribution[int]] = {}

        def hits_from(number: int, first: UnitState, second: UnitState) -> Distribution[int]:
            if number == len(self.track):
                return Distribution.always(0)
            found = known.get((number, first, second))
            if found is None:
                found = known[number, first, second] = count(number, (first, second, 0, 0))
            return found

        def count(number: int, standing: Standing) -> Distribution[int]:
            name, args = self.track[number]
            if args[0] == self.ids[side] and name not in ("impact", "roll_for_danger"):
                declared = self.declared(standing, name, args)
                if declared:
                    return self.hits(declared, standing, lambda *both: hits_from(number + 1, *both))
            return self.after(standing, name, args).then(lambda after: hits_from(number + 1, *after[:2]))

        return hits_from(0, *self.start[:2])

    def hits(
        self,
        declared: Waiting,
        standing: Standing,
        later: Callable[[UnitState, UnitState], Distribution[int]] = lambda *both: Distribution.always(0),
    ) -> Distribution[int]:
        """The hits of all attacks together, and those to come later; attacks that are lost make none."""
        known: dict[tuple[Waiting, UnitState], Distribution[int]] = {}
        first, second = standing[:2]
        hurt = 1 if declared[0].target == self.ids[1] else 0

        def hits_from(waiting: Waiting, target: UnitState) -> Distribution[int]:
            if not waiting:
                return later(first, target) if hurt else later(target, second)
            found = known.get((waiting, target))
            if found is None:
                found = known[waiting, target] = count(waiting, target)
            return found

        def count(waiting: Waiting, target: UnitState) -> Distribution[int]:
            self.at(standing)
            group, left = self.next_group(waiting, target)
            if not group:
                return hits_from(left, target)
            law = self.law_of(group, target)
            # What is yet to come matters only as far as it differs from wounds to wounds.
            rests: list[Distribution[int]] = []
            which: dict[int, int] = {}
            for wounds in law.wounds():
                after = self.take(target, law.harm, Distribution.always(wounds))
                rest = after.then(lambda hurt: hits_from(left, hurt[0]))
                if rest not in rests:
                    rests.append(rest)
                which[wounds] = rests.index(rest)
            if len(rests) == 1:
                return law.hits().convolve(rests[0])
            both = law.hits_and_wounds().map(lambda found: (found[0], which[found[1]]))
            return both.then(lambda found: rests[found[1]].map(lambda hits: hits + found[0]))

        return hits_from(declared, second if hurt else first)


def declared_on_track(battle: Battle) -> Waiting:
    """The attacks that are declared and on the turn track, in the order they are resolved."""
    ordered = [members for name, args in reversed(battle.track) if name == "resolve_attacks" for members in args[1]]
    return tuple([battle.acting.groups[number] for members in ordered for number in members])


def _morale_key(unit: Unit) -> tuple[object, ...]:
    """All that a Morale Test sees of a unit."""
    if not unit.figures:
        return ()
    kinds = tuple(dict.fromkeys([f.profile for f in unit.figures]))
    alone = len(unit.figures) == 1
    return unit.shared, unit.shaken, unit.start > 1, unit.at_half, kinds, alone, quality_of(unit)


_SLOTS = tuple(slot for cls in Unit.__mro__ for slot in cls.__dict__.get("__slots__", ()))


def _twin(unit: Unit) -> Unit:
    """The unit again, with the same models: they may leave, but must not be altered."""
    twin = Unit.__new__(Unit)
    for slot in _SLOTS:
        setattr(twin, slot, getattr(unit, slot))
    twin.figures, twin.fallen = unit.figures[:], unit.fallen[:]
    return twin


def _picks_victims(state: UnitState) -> bool:
    return any(weapon.picks_victim for f in state.unit.figures for weapon in f.profile.melee_weapons)


def _fewest_wounds(item: tuple[Hurt, int]) -> int:
    return -item[0][0].left


def _count_on(after: Distribution[Hurt], counted: int) -> Distribution[Hurt]:
    """The same, with so many wounds that counted before."""
    return after.map(lambda hurt: (hurt[0], hurt[1] + counted))


def _kind(harm: Harm) -> tuple[object, ...]:
    """All that makes a difference to one wound. Who may ignore it is settled before, unless wounds are multiplied."""
    sets = harm.sets if harm.multiplier > 1 else None
    return harm.multiplier, harm.victim, harm.regen_first, harm.overkill, sets


def _harmed(standing: Standing, hurt: int, found: Distribution[Hurt]) -> Distribution[Standing]:
    first, second, by_first, by_second = standing
    if hurt == 1:
        return found.map(lambda harm: (first, harm[0], by_first + harm[1], by_second))
    return found.map(lambda harm: (harm[0], second, by_first, by_second + harm[1]))


@lru_cache(maxsize=20_000)
def _loser(bonus: int | None, other_bonus: int | None, wounds: int, other_wounds: int) -> int | None:
    charger = None if bonus is None else Tally(wounds + bonus)
    defender = None if other_bonus is None else Tally(other_wounds + other_bonus)
    return loser_of(charger, defender)
