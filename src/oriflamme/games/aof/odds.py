"""The odds of a volley and of a melee (AOF-SHOOT, AOF-MELEE), counted by the very steps that play them.

Nothing here knows a rule. Steps of the book are run on two units set apart from the battle, under dice that enumerate
instead of rolling, with every question answered as the rules suggest. Three seams keep the numbers small:

1. Attacks of a group do not touch one another. One attack is run from its hit roll to its wounds, and added up.
2. Wounds are suffered one by one. What one more wound does to a unit is run once for every state the unit can be in.
3. After each group, outcomes that leave both units alike are merged. Later groups see what is left.

Where that is still too much, the same steps are played with seeded dice many times, and the odds say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from oriflamme.engine import foresight
from oriflamme.engine.catalogue import load
from oriflamme.engine.decisions import Refused, Together
from oriflamme.engine.dice import Dice, HiddenDice, SeededDice
from oriflamme.engine.events import Refusal
from oriflamme.engine.measure import TOLERANCE, inches
from oriflamme.engine.table import Table
from oriflamme.engine.wording import Wording
from oriflamme.games.aof.attack import Attack, roll_to_block, roll_to_hit
from oriflamme.games.aof.charge import touches, why_not_charge
from oriflamme.games.aof.events import HitsRolled, MeleeCounted
from oriflamme.games.aof.melee import (
    Tally,
    begin_melee,
    charge,
    impact_attack,
    impact_dice,
    loser_of,
    roll_impact,
    tally,
)
from oriflamme.games.aof.moments import Keyword, KeywordSet, book
from oriflamme.games.aof.morale import lose_melee, quality_of, test_after_wounds
from oriflamme.games.aof.shooting import (
    LONG_SHOT,
    attack_of,
    declare_shots,
    harm_of,
    judge_cover,
    next_group,
    order_attacks,
    ranged_types,
    shooters,
)
from oriflamme.games.aof.sight import can_see, cover_of
from oriflamme.games.aof.state import Activation, Battle, Group, Unit, steps
from oriflamme.games.aof.terrain import notice_danger, roll_for_danger
from oriflamme.games.aof.wounds import Harm, apply_wounds, ignored, note_hurt, take_wounds
from oriflamme.odds.distribution import Distribution, Estimate

in_both: Final = Wording(Path(__file__).parent / "text", "odds")

SAMPLES = 2000
# Beyond these the odds are sampled: standings to be told apart, and Dangerous-terrain dice to be followed.
MOST_STANDINGS = 30_000
MOST_DANGER = 5


class TooMany(Exception):
    """More outcomes than can be followed one by one."""


# -- a unit in one state -----------------------------------------------------------------------------------------------


class Ranks:
    """A unit at one moment of an attack: who lives, with which wounds. Equal ranks are one and the same object."""

    __slots__ = ("below", "bonus", "face", "ladders", "left", "nerve", "number", "suffered", "unit", "wounded")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        # All that an attack on the whole unit sees of it, besides the number of its models.
        self.face = (bearing(unit.shared), unit.defense) if unit.figures else ()
        self.number = len(unit.figures)
        self.left = sum(f.left for f in unit.figures)
        # What is found out about it on the way, kept for the next time it is met.
        self.below: dict[tuple[object, ...], Hurt] = {}
        self.ladders: dict[tuple[object, ...], list[Hurt]] = {}
        self.wounded: dict[tuple[object, ...], Distribution[Hurt]] = {}
        self.suffered: dict[tuple[object, ...], list[Distribution[Hurt]]] = {}
        self.nerve: tuple[object, ...] | None = None
        self.bonus: tuple[int | None] | None = None


class Muster:
    """All the ranks that attacks have been followed through so far, and what the attacks did to them."""

    def __init__(self) -> None:
        self.ranks: dict[tuple[object, ...], Ranks] = {}
        self.declared: dict[tuple[object, ...], Waiting] = {}
        self.due: dict[tuple[object, ...], tuple[Waiting, Waiting]] = {}
        self.blows: dict[tuple[object, ...], Falling] = {}
        self.fates: dict[tuple[object, ...], Distribution[str]] = {}
        self.harmed: dict[tuple[object, ...], Distribution[Hurt]] = {}
        self.volleys: dict[tuple[object, ...], QuickShooting] = {}
        self.melees: dict[tuple[object, ...], QuickMelee] = {}

    def stand(self, unit: Unit) -> Ranks:
        """The unit as it stands; it is kept, and must not be altered afterwards."""
        key = _key(unit, unit.id)
        found = self.ranks.get(key)
        if found is None:
            found = self.ranks[key] = Ranks(unit)
        return found

    def enlist(self, unit: Unit, role: str) -> Ranks:
        """The unit as it is, wherever it stands: all its models in one spot, under the name of its role."""
        key = _key(unit, role)
        found = self.ranks.get(key)
        if found is None:
            twin = unit.copy()
            twin.id = role
            twin.reserve = None
            for figure in twin.figures:
                figure.x = figure.y = figure.z = 0.0
            twin.settle()
            found = self.ranks[key] = Ranks(twin)
        return found


def _key(unit: Unit, id: str) -> tuple[object, ...]:
    return (
        id,
        unit.start,
        unit.shaken,
        unit.fatigued,
        unit.effects,
        tuple([(f.id, f.profile, f.wounds, f.used) for f in unit.figures]),
    )


# A unit after some attacks, and how many of their wounds count for the result of a melee.
Hurt = tuple[Ranks, int]
# Both units, and the wounds that count for each.
Standing = tuple[Ranks, Ranks, int, int]
Entries = tuple[tuple[str, tuple[Any, ...]], ...]
# Attacks that are declared and not rolled yet, in the order they are resolved.
Waiting = tuple[Group, ...]


def settle(step: Any) -> Any:
    """Play a step to its end, every question answered as the rules suggest."""
    if step is None:
        return None
    try:
        asked = next(step)
        while True:
            if isinstance(asked, Together):
                asked = step.send([decision.suggestion() for decision in asked.decisions])
            else:
                asked = step.send(asked.suggestion())
    except StopIteration as end:
        return end.value


# -- one attack --------------------------------------------------------------------------------------------------------

# Everything an attack is declared with, but for the numbers of attacks and of models in the target.
_CIRCUMSTANCES = tuple(
    slot
    for slot in Attack.__slots__
    if slot not in ("attacks", "block", "cover", "extra", "models_in_target", "needed", "sets", "target_sets")
)
# Moments that no attack comes to, between the hit roll and the wounds.
_ELSEWHERE = frozenset(
    moment.__name__
    for moment in (
        Keyword.when_mustered,
        Keyword.when_forged,
        Keyword.at_round_start,
        Keyword.restricts_actions,
        Keyword.when_moving,
        Keyword.when_unit_moves,
        Keyword.before_impact,
        Keyword.before_being_struck,
        Keyword.when_melee_is_counted,
        Keyword.before_morale_test,
        Keyword.before_unit_tests,
        Keyword.after_failed_morale,
    )
)


@cache
def bearing(held: KeywordSet) -> KeywordSet:
    """The special rules of a set that may have a bearing on an attack."""
    concerned = {id(k) for moment, found in held.by_moment.items() if moment not in _ELSEWHERE for k in found}
    return book.set_of(k for k in held if id(k) in concerned or k in held.silencers)


class Blow:
    """One attack of a group: the hits it makes, of which some with added AP, and the wounds of each kind of hit.

    Wounds are those that remain to be suffered: Regeneration is counted in, unless wounds are multiplied (AOF-HIT-13).
    """

    __slots__ = ("_powers", "hits", "models", "plain", "sharp")

    def __init__(
        self,
        hits: Distribution[tuple[int, int]],
        plain: Distribution[int],
        sharp: Distribution[int],
        models: int | None,
    ) -> None:
        self.hits = hits
        self.plain = plain
        self.sharp = sharp
        # How many models the target has, if any rule asked.
        self.models = models
        self._powers: dict[int, Distribution[int]] = {}

    def _wounds(self, hit: tuple[int, int]) -> Distribution[int]:
        hits, sharp = hit
        return Distribution.added((self.plain, hits - sharp), (self.sharp, sharp))

    def wounds(self, number: int) -> Distribution[int]:
        """The wounds of so many attacks."""
        found = self._powers.get(number)
        if found is None:
            found = self._powers[number] = self.hits.then(self._wounds).power(number)
        return found

    def hits_and_wounds(self) -> Distribution[tuple[int, int]]:
        """The hits of one attack together with their wounds."""
        return self.hits.then(lambda hit: self._wounds(hit).map(lambda wounds: (hit[0], wounds)))


class Falling:
    """What a group does to a target: so many attacks of each blow, and what their wounds do."""

    __slots__ = ("_wounds", "blows", "harm")

    def __init__(self, blows: dict[Blow, int], harm: Harm) -> None:
        self.blows = blows
        self.harm = harm
        self._wounds: Distribution[int] | None = None

    @property
    def models(self) -> int | None:
        """How many models the target has, if any rule asked."""
        return next((blow.models for blow in self.blows if blow.models is not None), None)

    def wounds(self) -> Distribution[int]:
        """The wounds of all its attacks."""
        if self._wounds is None:
            first, *others = [blow.wounds(number) for blow, number in self.blows.items()]
            self._wounds = Distribution.added((first, 1), *((other, 1) for other in others)) if others else first
        return self._wounds

    def hits(self) -> Distribution[int]:
        """The hits of all its attacks."""
        return Distribution.added(*((blow.hits.map(lambda hit: hit[0]), n) for blow, n in self.blows.items()))

    def hits_and_wounds(self) -> Distribution[tuple[int, int]]:
        """The hits of all its attacks together with their wounds."""
        return Distribution.added(*((blow.hits_and_wounds(), number) for blow, number in self.blows.items()))


_blows: dict[tuple[object, ...], Blow] = {}


def blow_of(battle: Battle, group: Group | None, target: Unit, attack: Attack) -> Blow:
    """What one attack of the group does, or one Impact die where there is no group. `attack` is as declared."""
    key = (
        group is None,
        *[getattr(attack, slot) for slot in _CIRCUMSTANCES],
        attack.cover.inside,
        attack.cover.behind,
        tuple([bearing(held) for held in attack.sets]),
        tuple([bearing(held) for held in attack.target_sets]),
    )
    number = attack.models_in_target
    found = _blows.get(key) or _blows.get((key, number))
    if found is None:
        if len(_blows) > 50_000:
            _blows.clear()
        try:
            # Where no rule asks how many models the target has, the answer is good for any number.
            found = _blows[key] = _count_blow(battle, group, target, None)
        except AttributeError as asked:
            if asked.name != "models_in_target":
                raise
            found = _blows[key, number] = _count_blow(battle, group, target, number)
    return found


def _count_blow(battle: Battle, group: Group | None, target: Unit, models: int | None) -> Blow:
    victim = group.victim if group is not None else None

    def declared(attacks: int) -> Attack:
        attack = attack_of(battle, group) if group is not None else impact_attack(target, 0)
        attack.attacks = attacks
        if models is None:
            del attack.models_in_target
        else:
            attack.models_in_target = models
        return attack

    def swing(dice: Dice) -> tuple[int, int]:
        if group is None:
            return roll_impact(1, dice), 0
        attack = declared(1)
        roll_to_hit(attack, dice)
        return attack.hits, attack.sharp

    def struck(sharp: int) -> Distribution[int]:
        def strike(dice: Dice) -> int:
            attack = declared(0)
            if group is not None:
                roll_to_hit(attack, dice)
            attack.hits, attack.sharp = 1, sharp
            wounds = sum(block.wounds for block in roll_to_block(attack, dice))
            harm = harm_of(battle, attack, victim)
            if wounds and harm.multiplier == 1:
                battle.dice = dice
                wounds -= ignored(battle, target, wounds, harm)
            return wounds

        return Distribution.of(strike)

    hits = Distribution.of(swing)
    plain = struck(0)
    return Blow(hits, plain, struck(1) if any(sharp for _, sharp in hits) else plain, models)


# -- two units apart ---------------------------------------------------------------------------------------------------


class Engagement:
    """Two units set apart from the battle they stand in, and the steps that lie before them.

    `battle` is its own: the same table, the same neighbours, and whichever two states of the units are being looked at.
    Where positions do not count (`free`), everybody can strike everybody.
    """

    def __init__(self, battle: Battle, muster: Muster, first: Ranks, second: Ranks, *, free: bool) -> None:
        self.battle = battle
        self.muster = muster
        self.ids = (first.unit.id, second.unit.id)
        self.start: Standing = (first, second, 0, 0)
        self.free = free
        self.first_blows: Waiting = ()
        # Groups that stand on no table are declared once and met again.
        self.harmed = muster.harmed if free else {}
        self.blows = muster.blows if free else {}
        self.due = muster.due if free else {}
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
        key: tuple[object, ...] = (name, unit, enemy, tuple([(g.figures, g.victim) for g in self.first_blows]))
        if self.free and unit.number and enemy.number and not _picks_victims(unit):
            # Everybody can strike everybody: of the enemy only what it brings to an attack makes a difference.
            key = (name, unit, *enemy.face)
        found = self.muster.declared.get(key)
        if found is None:
            battle = self.at(standing)
            if any(w.used_once for f in unit.unit.figures for w in f.profile.melee_weapons):
                # Limited weapons are used up, but not for good.
                battle.units[args[0]] = unit.unit.copy()
            # A model keeps the victim that it has named (AOF-SR-TAKEDOWN-01).
            battle.acting.groups = self.first_blows
            battle.track = []
            settle(steps.by_name[name](battle, *args))
            found = self.muster.declared[key] = _on_track(battle)
        if name == "counter_strike":
            self.first_blows = found
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
            found = self.harmed[declared, target] = states.map(lambda state: state[1])
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

    def next_group(self, waiting: Waiting, ranks: Ranks) -> tuple[Waiting, Waiting]:
        """The attacks that are rolled next on a target in this state, and those left after them (AOF-HIT-01)."""
        if not waiting:
            return (), ()
        key = (waiting, ranks if any(g.victim is not None for g in waiting) else ranks.face)
        found = self.due.get(key)
        if found is None:
            battle, acting = self.battle, self.battle.acting
            battle.units[waiting[0].target] = ranks.unit
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
            ranks, counted = state = next(iter(waiting))
            together = {0: waiting.pop(state)}
            falling = self.falling(group, ranks)
            wounds = falling.wounds()
            harm = falling.harm
            if harm.multiplier == 1 and harm.victim is None:
                # States that lie so many wounds further on, and that the same blows fall on, are taken along.
                for other in list(waiting):
                    below = ranks.left - other[0].left
                    leads_there = self.rung(ranks, harm, below) == (other[0], other[1] - counted)
                    if leads_there and self.falling(group, other[0]) is falling:
                        together[below] = waiting.pop(other)
            if len(together) > 1:
                wounds = wounds.convolve(Distribution.weighted(together))
            after = self.suffer(ranks, harm, wounds)
            if counted:
                after = _count_on(after, counted)
            weights[len(parts)] = sum(together.values())
            parts.append(after)
        if len(parts) == 1:
            return parts[0]
        return Distribution.weighted(weights).then(lambda part: parts[part])

    def falling(self, group: Waiting, ranks: Ranks) -> Falling:
        """What the attacks of a group do to a target in this state."""
        key = (group, ranks.face if group[0].victim is None else ranks)
        found = self.blows.get(key)
        if found is None or found.models not in (None, ranks.number):
            battle = self.battle
            battle.units[group[0].target] = ranks.unit
            blows: dict[Blow, int] = {}
            for declared in group:
                attack = attack_of(battle, declared)
                blow = blow_of(battle, declared, ranks.unit, attack)
                blows[blow] = blows.get(blow, 0) + declared.attacks
            harm = found.harm if found is not None else harm_of(battle, attack, group[0].victim)
            found = self.blows[key] = Falling(blows, harm)
        return found

    def impact(self, standing: Standing) -> Distribution[Standing]:
        """Impact dice are rolled for the charger (AOF-SR-IMPACT-01)."""
        battle = self.at(standing)
        unit, target = standing[0].unit, standing[1].unit
        dice = impact_dice(battle, unit, target).dice
        if not dice:
            return Distribution.always(standing)
        attack = impact_attack(target, 1)
        blow = blow_of(battle, None, target, attack)
        found = self.suffer(standing[1], harm_of(battle, attack), blow.wounds(dice))
        return _harmed(standing, 1, found)

    def suffer(self, ranks: Ranks, harm: Harm, wounds: Distribution[int]) -> Distribution[Hurt]:
        """What wounds make of a unit.

        Multiplied wounds are suffered one by one in play as well (AOF-SR-DEADLY-01); for others it is the same whether
        the defender removes so many models at once or one after the other.
        """
        if harm.multiplier == 1:
            self.rung(ranks, harm, max(wounds))
            return wounds.map(ranks.ladders[_kind(harm)].__getitem__)
        return wounds.then(lambda number: self.deadly(ranks, harm, number))

    def rung(self, ranks: Ranks, harm: Harm, number: int) -> Hurt:
        """What so many wounds make of a unit, when it can no longer ignore any."""
        kind = _kind(harm)
        ladder = ranks.ladders.get(kind)
        if ladder is None:
            ladder = ranks.ladders[kind] = [(ranks, 0)]
        while len(ladder) <= number:
            last, counted = ladder[-1]
            below = last.below.get(kind)
            if below is None:
                unit = last.unit.copy()
                one = Harm(harm.sets, 1, harm.victim, harm.regen_first, harm.overkill)
                settle(apply_wounds(self.battle, unit, 1, one))
                below = last.below[kind] = (self.muster.stand(unit), one.counted)
            ladder.append((below[0], counted + below[1]))
        return ladder[number]

    def deadly(self, ranks: Ranks, harm: Harm, number: int) -> Distribution[Hurt]:
        """What so many multiplied wounds make of a unit."""
        kind = _kind(harm)
        suffered = ranks.suffered.setdefault(kind, [Distribution.always((ranks, 0))])
        battle = self.battle

        def one_more(state: Hurt) -> Distribution[Hurt]:
            before, counted = state

            def suffer(dice: Dice) -> Hurt:
                unit = before.unit.copy()
                one = Harm(harm.sets, harm.multiplier, harm.victim, harm.regen_first, harm.overkill)
                battle.dice = dice
                settle(take_wounds(battle, unit, 1, one))
                return self.muster.stand(unit), one.counted

            found = before.wounded.get(kind)
            if found is None:
                found = before.wounded[kind] = Distribution.of(suffer)
            return _count_on(found, counted)

        while len(suffered) <= number:
            suffered.append(suffered[-1].then(one_more))
        return suffered[number]

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

        def roll(dice: Dice) -> tuple[Ranks, int]:
            battle.units[unit_id] = twin = unit.copy()
            battle.dice, acting.rolled = dice, rolled
            settle(roll_for_danger(battle, unit_id))
            return self.muster.stand(twin), 0

        found = Distribution.of(roll)
        acting.rolled = rolled
        return _harmed(standing, hurt, found)

    # -- what follows the attacks ----------------------------------------------------------------------------------

    def loser(self, standing: Standing) -> int | None:
        """Who has to test its morale after the melee: 0, 1 or nobody (AOF-MELEE-07)."""
        return _loser(self._bonus(standing, 0), self._bonus(standing, 1), standing[2], standing[3])

    def _bonus(self, standing: Standing, side: int) -> int | None:
        """What a unit's living models add to its wounds when they are compared; None if it is destroyed."""
        ranks = standing[:2][side]
        if ranks.bonus is None:
            counted = tally(self.at(standing), ranks.unit, 0)
            ranks.bonus = (counted.total if counted is not None else None,)
        return ranks.bonus[0]

    def fate(self, ranks: Ranks, test: Callable[[Battle, Unit], Any]) -> Distribution[str]:
        """What a Morale Test makes of the unit: "shaken", "routed", or "" if nothing new."""
        if ranks.nerve is None:
            ranks.nerve = _nerve(ranks.unit)
        key = (test, ranks.nerve)
        found = self.muster.fates.get(key)
        if found is None:
            battle = self.battle

            def roll(dice: Dice) -> str:
                battle.units[ranks.unit.id] = unit = _twin(ranks.unit)
                battle.dice = dice
                settle(test(battle, unit))
                if not unit.figures and ranks.number:
                    return "routed"
                return "shaken" if unit.shaken and not ranks.unit.shaken else ""

            found = self.muster.fates[key] = Distribution.of(roll)
        return found

    def hits_of(self, side: int) -> Distribution[int]:
        """All hits that the weapons of one side make, from the first step on the turn track to the last."""
        known: dict[tuple[int, Ranks, Ranks], Distribution[int]] = {}

        def hits_from(number: int, first: Ranks, second: Ranks) -> Distribution[int]:
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
        later: Callable[[Ranks, Ranks], Distribution[int]] = lambda *both: Distribution.always(0),
    ) -> Distribution[int]:
        """The hits of all attacks together, and those to come later; attacks that are lost make none."""
        known: dict[tuple[Waiting, Ranks], Distribution[int]] = {}
        first, second = standing[:2]
        hurt = 1 if declared[0].target == self.ids[1] else 0

        def hits_from(waiting: Waiting, target: Ranks) -> Distribution[int]:
            if not waiting:
                return later(first, target) if hurt else later(target, second)
            found = known.get((waiting, target))
            if found is None:
                found = known[waiting, target] = count(waiting, target)
            return found

        def count(waiting: Waiting, target: Ranks) -> Distribution[int]:
            self.at(standing)
            group, left = self.next_group(waiting, target)
            if not group:
                return hits_from(left, target)
            falling = self.falling(group, target)
            # What is yet to come matters only as far as it differs from wounds to wounds.
            rests: list[Distribution[int]] = []
            which: dict[int, int] = {}
            for wounds in falling.wounds():
                after = self.suffer(target, falling.harm, Distribution.always(wounds))
                rest = after.then(lambda state: hits_from(left, state[0]))
                if rest not in rests:
                    rests.append(rest)
                which[wounds] = rests.index(rest)
            if len(rests) == 1:
                return falling.hits().convolve(rests[0])
            both = falling.hits_and_wounds().map(lambda found: (found[0], which[found[1]]))
            return both.then(lambda found: rests[found[1]].map(lambda hits: hits + found[0]))

        return hits_from(declared, second if hurt else first)


def _on_track(battle: Battle) -> Waiting:
    """The attacks that are declared and on the turn track, in the order they are resolved."""
    ordered = [members for name, args in reversed(battle.track) if name == "resolve_attacks" for members in args[1]]
    return tuple([battle.acting.groups[number] for members in ordered for number in members])


def _nerve(unit: Unit) -> tuple[object, ...]:
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


def _picks_victims(ranks: Ranks) -> bool:
    return any(weapon.picks_victim for f in ranks.unit.figures for weapon in f.profile.melee_weapons)


def _fewest_wounds(item: tuple[Hurt, int]) -> int:
    return -item[0][0].left


def _count_on(after: Distribution[Hurt], counted: int) -> Distribution[Hurt]:
    """The same, with so many wounds that counted before."""
    return after.map(lambda state: (state[0], state[1] + counted))


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


# -- what is told about it ---------------------------------------------------------------------------------------------

# A unit after the attack: how many models live, how many wounds they can still take, and what morale made of it.
After = tuple[int, int, str]


def _told(law: Distribution[int], samples: int) -> dict[str, Any]:
    """A distribution as plain data; of one that was sampled also the standard error of its mean."""
    data: dict[str, Any] = {"mean": float(law.mean()), "chances": law.to_data()}
    return data | {"error": Estimate.of_mean(law, samples).error} if samples else data


class SideOdds:
    """What an attack does to one unit.

    `wounds` are those its models take and `lost` the models that fall. It is `destroyed` when the last one falls,
    `routed` when it flees, and `shaken` when it becomes Shaken that was not. `share` is the part it loses, on average,
    of the wounds it could still take; a routed unit has lost everything.
    """

    __slots__ = ("after", "left", "number")

    def __init__(self, number: int, left: int, after: Distribution[After]) -> None:
        self.number = number
        self.left = left
        self.after = after

    @property
    def wounds(self) -> Distribution[int]:
        return self.after.map(lambda unit: self.left - unit[1])

    @property
    def lost(self) -> Distribution[int]:
        return self.after.map(lambda unit: self.number - unit[0])

    @property
    def destroyed(self) -> Fraction:
        return self.after.chance(lambda unit: unit[0] == 0)

    @property
    def routed(self) -> Fraction:
        return self.after.chance(lambda unit: unit[2] == "routed")

    @property
    def shaken(self) -> Fraction:
        return self.after.chance(lambda unit: unit[2] == "shaken")

    @property
    def out(self) -> Fraction:
        """The chance that it is gone afterwards, destroyed or routed."""
        return self.destroyed + self.routed

    @property
    def share(self) -> Fraction:
        kept = self.after.map(lambda unit: 0 if unit[2] == "routed" else unit[1]).mean()
        return 1 - kept / self.left if self.left else Fraction(0)

    def in_decimals(self) -> tuple[float, float, float]:
        """`share`, `out` and `shaken`, for who is in a hurry."""
        return (
            1 - self.after.decimal(lambda unit: 0 if unit[2] == "routed" else unit[1]) / max(1, self.left),
            self.after.decimal(lambda unit: unit[0] == 0 or unit[2] == "routed"),
            self.after.decimal(lambda unit: unit[2] == "shaken"),
        )

    def to_data(self, samples: int = 0) -> dict[str, Any]:
        """Plain data with decimals; of sampled odds also the standard errors."""
        data: dict[str, Any] = {
            "wounds": _told(self.wounds, samples),
            "lost": _told(self.lost, samples),
            "destroyed": float(self.destroyed),
            "routed": float(self.routed),
            "shaken": float(self.shaken),
            "share": float(self.share),
        }
        if samples:
            for name in ("destroyed", "routed", "shaken"):
                data[f"{name}_error"] = Estimate.of_chance(getattr(self, name), samples).error
        return data


class ShootingOdds:
    """What a volley does: its hits, and what they do to the target."""

    def __init__(self, target: SideOdds, attacks: int, hits: Callable[[], Distribution[int]], samples: int = 0) -> None:
        self.target = target
        self.attacks = attacks
        self.samples = samples
        self._count_hits = hits
        self._hits: Distribution[int] | None = None

    @property
    def hits(self) -> Distribution[int]:
        """All hits, counted when somebody asks."""
        if self._hits is None:
            self._hits = self._count_hits()
        return self._hits

    @property
    def wounds(self) -> Distribution[int]:
        return self.target.wounds

    @property
    def lost(self) -> Distribution[int]:
        return self.target.lost

    @property
    def destroyed(self) -> Fraction:
        return self.target.destroyed

    @property
    def shaken(self) -> Fraction:
        return self.target.shaken

    @property
    def method(self) -> str:
        return "sampled" if self.samples else "exact"

    def to_data(self) -> dict[str, Any]:
        """Plain data with decimals."""
        data: dict[str, Any] = {"method": self.method, "samples": self.samples, "attacks": self.attacks}
        return data | {"hits": _told(self.hits, self.samples), "target": self.target.to_data(self.samples)}


class MeleeOdds:
    """What a whole melee does to both units, and who wins it. A unit whose opponent is destroyed has won.

    Hits are those of a unit's weapons, Counter included and Impact not.
    """

    def __init__(
        self,
        charger: SideOdds,
        defender: SideOdds,
        winner: Distribution[str],
        hits: Callable[[int], Distribution[int]],
        samples: int = 0,
    ) -> None:
        self.charger = charger
        self.defender = defender
        self.winner = winner
        self.samples = samples
        self._count_hits = hits
        self._hits: dict[int, Distribution[int]] = {}

    def _hits_of(self, side: int) -> Distribution[int]:
        if side not in self._hits:
            self._hits[side] = self._count_hits(side)
        return self._hits[side]

    @property
    def charger_hits(self) -> Distribution[int]:
        """All hits of the charger's weapons, counted when somebody asks."""
        return self._hits_of(0)

    @property
    def defender_hits(self) -> Distribution[int]:
        """All hits of the defender's weapons, counted when somebody asks."""
        return self._hits_of(1)

    @property
    def charger_wins(self) -> Fraction:
        return self.winner["charger"]

    @property
    def defender_wins(self) -> Fraction:
        return self.winner["defender"]

    @property
    def draw(self) -> Fraction:
        return self.winner["nobody"]

    @property
    def method(self) -> str:
        return "sampled" if self.samples else "exact"

    def to_data(self) -> dict[str, Any]:
        """Plain data with decimals."""
        data = {
            "method": self.method,
            "samples": self.samples,
            "charger_wins": float(self.charger_wins),
            "draw": float(self.draw),
            "defender_wins": float(self.defender_wins),
        }
        if self.samples:
            for name in ("charger_wins", "draw", "defender_wins"):
                data[f"{name}_error"] = Estimate.of_chance(getattr(self, name), self.samples).error
        sides = {
            "charger": self.charger.to_data(self.samples),
            "defender": self.defender.to_data(self.samples),
        }
        for side, hits in (("charger", self.charger_hits), ("defender", self.defender_hits)):
            sides[side] = {"hits": _told(hits, self.samples)} | sides[side]
        return data | sides


_WOUNDS = in_both.forms("wound")
_SAID = in_both.forms("share_to_destroy")


def foreseen(odds: ShootingOdds | MeleeOdds) -> dict[str, Any]:
    """An attack in one sentence, and how many wounds it does as a chart."""
    hurt = odds.defender if isinstance(odds, MeleeOdds) else odds.target
    samples = odds.samples

    def share(chance: Fraction, lang: str) -> str:
        return foresight.percent(float(chance), lang, Estimate.of_chance(chance, samples).error if samples else 0.0)

    def told(lang: str) -> str:
        destroyed, hurts, melee = _SAID[lang]
        said = destroyed.format(share=share(hurt.destroyed, lang)) if hurt.destroyed else ""
        said += hurts.format(wounds=foresight.count(float(hurt.wounds.mean()), lang, *_WOUNDS[lang]))
        if not isinstance(odds, MeleeOdds):
            return said
        taken = foresight.count(float(odds.charger.wounds.mean()), lang, *_WOUNDS[lang])
        return said + melee.format(share=share(odds.charger_wins, lang), wounds=taken)

    chances = {number: float(chance) for number, chance in hurt.wounds.items()}
    return {
        "summary": {lang: told(lang) for lang in _SAID},
        "chart": foresight.counted({lang: many for lang, (_, many) in _WOUNDS.items()}, chances),
    }


class QuickShooting(NamedTuple):
    """The odds of a volley in decimals: mean wounds, the share of the target that is lost, and the chances."""

    wounds: float
    lost: float
    destroyed: float
    shaken: float


class QuickMelee(NamedTuple):
    """The odds of a melee in decimals: shares lost (a routed unit is all lost), and the chances."""

    charger_lost: float
    charger_out: float
    charger_shaken: float
    target_lost: float
    target_out: float
    target_shaken: float
    charger_wins: float
    target_wins: float


# -- counting ----------------------------------------------------------------------------------------------------------


def _test_after_volley(battle: Battle, unit: Unit) -> Any:
    battle.acting.hurt = ()
    note_hurt(battle, unit)
    return test_after_wounds(battle)


def _after_volley(engagement: Engagement, declared: Waiting) -> Distribution[After]:
    """The target after the volley and the Morale Test that ends the activation (AOF-MORALE-01)."""
    before = engagement.start[1]

    def after(standing: Standing) -> Distribution[After]:
        ranks = standing[1]
        if ranks is before:
            return Distribution.always((ranks.number, ranks.left, ""))
        return engagement.fate(ranks, _test_after_volley).map(lambda fate: (ranks.number, ranks.left, fate))

    return engagement.attacks(engagement.start, declared).then(after)


class Melee(NamedTuple):
    """Both units after a melee, who has won it, and the hits of either side for who asks."""

    charger: Distribution[After]
    defender: Distribution[After]
    winner: Distribution[str]
    hits: Callable[[int], Distribution[int]]


def _after_melee(engagement: Engagement) -> Melee:
    """Both units after the melee and the loser's Morale Test, and who has won (AOF-MELEE-07)."""
    standings = engagement.follow()
    sides: tuple[dict[tuple[Ranks, bool], int], dict[tuple[Ranks, bool], int]] = ({}, {})
    winners: dict[str, int] = {}
    for standing, weight in standings.weights().items():
        loser = engagement.loser(standing)
        for side, ranks in enumerate(standing[:2]):
            key = (ranks, loser == side)
            sides[side][key] = sides[side].get(key, 0) + weight
        if loser is None and standing[0].number and standing[1].number:
            winner = "nobody"
        else:
            winner = "defender" if loser == 0 or not standing[0].number else "charger"
        winners[winner] = winners.get(winner, 0) + weight

    def after(state: tuple[Ranks, bool]) -> Distribution[After]:
        ranks, lost = state
        if not lost:
            return Distribution.always((ranks.number, ranks.left, ""))
        return engagement.fate(ranks, lose_melee).map(lambda fate: (ranks.number, ranks.left, fate))

    first, second = (Distribution.weighted(side).then(after) for side in sides)
    return Melee(first, second, Distribution.weighted(winners), engagement.hits_of)


# -- trying out --------------------------------------------------------------------------------------------------------


def _try(battle: Battle, units: tuple[Unit, Unit], last: str, samples: int, seed: int) -> list[Battle]:
    """Play what is on the turn track up to a last step so many times; the battles afterwards, with their logs."""
    dice = SeededDice(seed)
    played = []
    for _ in range(samples):
        twin = _apart(battle, *units)
        twin.activation = battle.acting.copy()
        twin.activation.hurt = ()
        twin.track = battle.track[:]
        twin.dice = dice
        twin.log = []
        while twin.track:
            name, args = twin.track.pop()
            settle(steps.by_name[name](twin, *args))
            if name == last:
                break
        played.append(twin)
    return played


def _after(before: Unit, after: Unit) -> After:
    wounds = {f.id: f.wounds for f in (*after.figures, *after.fallen)}
    left = [f.profile.tough - wounds[f.id] for f in before.figures]
    fate = "shaken" if after.figures and after.shaken and not before.shaken else ""
    if not after.figures and any(left):
        fate = "routed"
    return sum(1 for n in left if n > 0), sum(left), fate


def _try_volley(battle: Battle, units: tuple[Unit, Unit], samples: int, seed: int) -> ShootingOdds:
    played = _try(battle, units, "test_after_wounds", samples, seed)
    target = units[1]
    after = Distribution.counted(_after(target, twin.units[target.id]) for twin in played)
    hits = Distribution.counted(sum(e.hits for e in twin.log or () if isinstance(e, HitsRolled)) for twin in played)
    side = SideOdds(len(target.figures), sum(f.left for f in target.figures), after)
    return ShootingOdds(side, sum(g.attacks for g in battle.acting.groups), lambda: hits, samples)


def _try_melee(battle: Battle, units: tuple[Unit, Unit], samples: int, seed: int) -> MeleeOdds:
    played = _try(battle, units, "melee_results", samples, seed)
    afters = [Distribution.counted(_after(unit, twin.units[unit.id]) for twin in played) for unit in units]

    def winner(twin: Battle) -> str:
        for event in twin.log or ():
            if isinstance(event, MeleeCounted):
                return {units[0].id: "defender", units[1].id: "charger"}.get(event.loser or "", "nobody")
        return "charger" if twin.units[units[0].id].figures else "defender"

    charger, defender = (
        SideOdds(len(unit.figures), sum(f.left for f in unit.figures), after)
        for unit, after in zip(units, afters, strict=True)
    )

    def hits(side: int) -> Distribution[int]:
        rolled = ([e for e in twin.log or () if isinstance(e, HitsRolled)] for twin in played)
        return Distribution.counted(sum(e.hits for e in events if e.unit == units[side].id) for events in rolled)

    return MeleeOdds(charger, defender, Distribution.counted(map(winner, played)), hits, samples)


# -- setting the scene -------------------------------------------------------------------------------------------------

_FAR = inches(1000)


@cache
def _defaults() -> dict[str, str]:
    return {key: option.default for key, option in load("aof").options.items()}


@cache
def _bare_table() -> Table:
    return Table(inches(72), inches(48))


_musters: dict[frozenset[tuple[str, str]], Muster] = {}


def _muster(options: Mapping[str, str]) -> Muster:
    """What is known of units wherever they stand, by the house rules in force."""
    key = frozenset(options.items())
    found = _musters.get(key)
    if found is None or len(found.ranks) > 20_000 or len(found.harmed) > 200_000:
        found = _musters[key] = Muster()
    return found


def forget() -> None:
    """Forget everything counted so far."""
    _blows.clear()
    _musters.clear()
    _loser.cache_clear()


def _apart(battle: Battle, *units: Unit) -> Battle:
    """The same table and the same neighbours, with its own copies of these units."""
    twin = Battle(battle.table, battle.options, HiddenDice(), battle.points)
    twin.log = None
    twin.round = battle.round
    twin.units = dict(battle.units)
    for unit in units:
        twin.units[unit.id] = unit.copy()
    return twin


def _nowhere(options: Mapping[str, str]) -> Battle:
    battle = Battle(_bare_table(), dict(options), HiddenDice())
    battle.log = None
    return battle


def _aim(battle: Battle, unit: Unit, target: Unit, weapons: Iterable[str] | None) -> None:
    """All shots of the unit at that target are declared and on the turn track, the Morale Test behind them."""
    battle.activation = Activation(unit.id, unit.side, "hold")
    named = None if weapons is None else set(weapons)
    declared: list[Group] = []
    for weapon_type, weapon in ranged_types(unit).items():
        if named is not None and not named & {weapon_type, weapon.name}:
            continue
        firing = shooters(battle, unit, weapon_type, target)
        if firing:
            declared += settle(declare_shots(battle, unit, weapon, target, firing, declared))
    judge_cover(battle, unit, declared)
    battle.then((test_after_wounds,))
    settle(order_attacks(battle, unit.side, declared))


def _volley(battle: Battle, muster: Muster, unit: Unit, target: Ranks) -> ShootingOdds:
    """The volley that is on the turn track."""
    engagement = Engagement(battle, muster, Ranks(unit), target, free=False)
    declared = _on_track(battle)
    try:
        after = _after_volley(engagement, declared)
    except TooMany:
        return _try_volley(battle, (unit, target.unit), SAMPLES, 0)
    attacks = sum(group.attacks for group in declared)
    return ShootingOdds(SideOdds(target.number, target.left, after), attacks, lambda: _hits(engagement, declared))


def _hits(engagement: Engagement, declared: Waiting) -> Distribution[int]:
    return engagement.hits(declared, engagement.start) if declared else Distribution.always(0)


def _charge(battle: Battle, charger: Unit, target: Unit, *, move: bool) -> Battle:
    """The charge is declared, and made as the rules suggest; the melee is on the turn track."""
    scene = _apart(battle, charger, target)
    unit, enemy = scene.units[charger.id], scene.units[target.id]
    scene.activation = Activation(unit.id, unit.side, "charge", (enemy.id,))
    notice_danger(scene, unit)
    if move:
        settle(charge(scene, unit.id))
        if not any(touches(figure, enemy) for figure in unit.figures):
            refusal = why_not_charge(battle, charger, target)
            raise Refused(refusal or Refusal("AOF-MOVE-06", "no_way_to_charge", {"target": target.id}))
    scene.then((roll_for_danger, unit.id), (begin_melee, unit.id))
    return scene


def _melee(scene: Battle, unit: Unit, enemy: Unit) -> MeleeOdds:
    """The melee with everybody where they stand after the charge."""
    muster = Muster()
    start = (muster.stand(unit), muster.stand(enemy), 0, 0)
    arrived = Engagement(scene, muster, *start[:2], free=False).danger(start, unit.id)

    def fight(standing: Standing) -> Melee:
        # Who fell on the way decides where the defenders move.
        light = _apart(scene, standing[0].unit, standing[1].unit)
        light.activation = scene.acting.copy()
        return _fight(light, Muster(), light.units[unit.id], light.units[enemy.id], free=False)

    fought = {standing: fight(standing) for standing in arrived}
    melee = Melee(
        arrived.then(lambda standing: fought[standing].charger),
        arrived.then(lambda standing: fought[standing].defender),
        arrived.then(lambda standing: fought[standing].winner),
        lambda side: arrived.then(lambda standing: fought[standing].hits(side)),
    )
    return _melee_of(start, melee)


def _melee_of(before: Standing, melee: Melee) -> MeleeOdds:
    charger, defender = before[:2]
    return MeleeOdds(
        SideOdds(charger.number, charger.left, melee.charger),
        SideOdds(defender.number, defender.left, melee.defender),
        melee.winner,
        melee.hits,
    )


def _fight(battle: Battle, muster: Muster, unit: Unit, enemy: Unit, *, free: bool) -> Melee:
    """The melee from the counter-move to its results."""
    settle(begin_melee(battle, unit.id))
    track = battle.track[::-1]
    names = [name for name, _ in track]
    if "melee_results" in names:
        # What comes after the results is not part of the odds.
        del track[names.index("melee_results") :]
    if track and track[0][0] == "counter_move":
        name, args = track.pop(0)
        if not free:
            settle(steps.by_name[name](battle, *args))
    battle.track = track[::-1]
    return _after_melee(Engagement(battle, muster, muster.stand(unit), muster.stand(enemy), free=free))


# -- asking ------------------------------------------------------------------------------------------------------------


def shooting_odds(battle: Battle, unit: Unit, target: Unit, weapons: Iterable[str] | None = None) -> ShootingOdds:
    """The odds of the unit shooting at the target as things stand on the table, with all its weapons or those named.

    The battle is left as it is.
    """
    scene = _apart(battle, unit, target)
    unit, target = scene.units[unit.id], scene.units[target.id]
    _aim(scene, unit, target, weapons)
    muster = Muster()
    return _volley(scene, muster, unit, muster.stand(target))


def melee_odds(battle: Battle, charger: Unit, target: Unit, charging: bool = True) -> MeleeOdds:
    """The odds of a charge as things stand on the table: the charge move is made as the rules suggest, and whoever can
    strike from there does. With `charging` false the charge move has been made already.

    The battle is left as it is. Raises Refused if the target cannot be charged (AOF-MOVE-06).
    """
    scene = _charge(battle, charger, target, move=charging)
    units = (scene.units[charger.id], scene.units[target.id])
    try:
        return _melee(scene, *units)
    except TooMany:
        return _try_melee(scene, units, SAMPLES, 0)


def sampled_shooting(
    battle: Battle,
    unit: Unit,
    target: Unit,
    weapons: Iterable[str] | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> ShootingOdds:
    """`shooting_odds` by playing the volley so many times instead of counting it."""
    scene = _apart(battle, unit, target)
    _aim(scene, scene.units[unit.id], scene.units[target.id], weapons)
    return _try_volley(scene, (scene.units[unit.id], scene.units[target.id]), samples, seed)


def sampled_melee(
    battle: Battle, charger: Unit, target: Unit, charging: bool = True, *, samples: int = SAMPLES, seed: int = 0
) -> MeleeOdds:
    """`melee_odds` by playing the melee so many times instead of counting it."""
    scene = _charge(battle, charger, target, move=charging)
    return _try_melee(scene, (scene.units[charger.id], scene.units[target.id]), samples, seed)


def odds_between(
    attacker: Unit,
    defender: Unit,
    *,
    charge: bool = False,
    distance: float = 12.0,
    cover: bool = False,
    moved: bool = False,
    attacker_fatigued: bool = False,
    defender_fatigued: bool = False,
    defender_shaken: bool = False,
    weapons: Iterable[str] | None = None,
    options: Mapping[str, str] | None = None,
) -> ShootingOdds | MeleeOdds:
    """The odds of one unit against another that stand on no table: of a charge, or else of a volley over a distance."""
    unit, enemy = attacker.copy(), defender.copy()
    unit.fatigued |= attacker_fatigued
    enemy.fatigued |= defender_fatigued
    enemy.shaken |= defender_shaken
    if charge:
        return melee_between(unit, enemy, options=options)
    return shooting_between(unit, enemy, distance=distance, cover=cover, moved=moved, weapons=weapons, options=options)


def shooting_between(
    unit: Unit,
    target: Unit,
    *,
    distance: float = 12.0,
    cover: bool = False,
    moved: bool = False,
    weapons: Iterable[str] | None = None,
    options: Mapping[str, str] | None = None,
) -> ShootingOdds:
    """The odds of a volley on no table, with every weapon that reaches so many inches, or those that are named."""
    rules = _defaults() | dict(options or {})
    away = [inches(distance)] * len(unit.figures)
    return _volley_anywhere(_muster(rules), unit, target, away, (cover, False), moved, weapons, rules)


def melee_between(charger: Unit, target: Unit, *, options: Mapping[str, str] | None = None) -> MeleeOdds:
    """The odds of a charge on no table: everybody who lives can strike."""
    rules = _defaults() | dict(options or {})
    return _melee_anywhere(_muster(rules), charger, target, rules)


def _volley_anywhere(
    muster: Muster,
    unit: Unit,
    target: Unit,
    away: Sequence[float],
    cover: tuple[bool, bool],
    moved: bool,
    weapons: Iterable[str] | None,
    options: Mapping[str, str],
) -> ShootingOdds:
    """A volley in the open: each model so far away from the target, which claims Cover or not."""
    battle = _nowhere(options)
    ranks = muster.enlist(target, "target")
    shooting, shot = unit.copy(), ranks.unit.copy()
    shooting.id, shooting.reserve = "shooter", None
    for figure, distance in zip(shooting.figures, away, strict=True):
        figure.x, figure.y, figure.z = -figure.radius - distance, 0.0, 0.0
        figure.moved = moved
    for figure in shot.figures:
        figure.x = figure.radius
    shooting.settle()
    shot.settle()
    battle.units = {shooting.id: shooting, shot.id: shot}
    _aim(battle, shooting, shot, weapons)
    for group in battle.acting.groups:
        group.inside, group.behind = cover
    return _volley(battle, muster, shooting, ranks)


def _melee_anywhere(muster: Muster, charger: Unit, target: Unit, options: Mapping[str, str]) -> MeleeOdds:
    """A melee in which everybody who lives can strike."""
    battle = _nowhere(options)
    first, second = muster.enlist(charger, "charger"), muster.enlist(target, "target")
    battle.units = {"charger": first.unit, "target": second.unit}
    battle.activation = Activation("charger", charger.side, "charge", ("target",))
    try:
        return _melee_of((first, second, 0, 0), _fight(battle, muster, first.unit, second.unit, free=True))
    except TooMany:
        battle.track = []
        battle.then((begin_melee, "charger"))
        return _try_melee(battle, (first.unit, second.unit), SAMPLES, 0)


def quick_shooting(
    battle: Battle, unit: Unit, target: Unit, dx: float = 0.0, dy: float = 0.0, *, moved: bool = False
) -> QuickShooting:
    """`shooting_odds` in decimals, from where the unit would stand if it were shifted; remembered for the next time.

    Range is measured from every model; sight and Cover are judged once, from the model nearest to the target.
    """
    ranges = sorted({LONG_SHOT, *(w.range for f in unit.figures for w in f.profile.ranged_weapons)})
    places = [(f.x, f.y, f.radius, f) for f in target.figures]
    nearest = (_FAR, unit.figures[0], target.figures[0])
    away: list[float] = []
    for figure in unit.figures:
        x, y = figure.x + dx, figure.y + dy
        least = _FAR
        for ox, oy, r, other in places:
            gap = ((x - ox) ** 2 + (y - oy) ** 2) ** 0.5 - r
            if gap < least:
                least, closest = gap, other
        least -= figure.radius
        if least < nearest[0]:
            nearest = (least, figure, closest)
        # Only which ranges it is within makes a difference.
        away.append(next((reach for reach in ranges if least <= reach + TOLERANCE), _FAR))
    if min(away) == _FAR:
        return QuickShooting(0.0, 0.0, 0.0, 0.0)

    eye = nearest[1].copy()
    eye.x, eye.y = eye.x + dx, eye.y + dy
    seen = can_see(battle, eye, unit, nearest[2], target)
    cover = cover_of(battle, eye, target)
    muster = _muster(battle.options)
    ranks = muster.enlist(target, "target")
    firing = frozenset(Counter((f.profile, f.used, reach) for f, reach in zip(unit.figures, away, strict=True)).items())
    key = (ranks, firing, unit.effects, seen, cover, moved)
    found = muster.volleys.get(key)
    if found is None:
        blind = None if seen else [type for type, weapon in ranged_types(unit).items() if not weapon.needs_sight]
        odds = _volley_anywhere(muster, unit, target, away, cover, moved, blind, battle.options).target
        share, destroyed, shaken = odds.in_decimals()
        found = muster.volleys[key] = QuickShooting(share * odds.left, share, destroyed, shaken)
    return found


def quick_melee(battle: Battle, charger: Unit, target: Unit) -> QuickMelee:
    """`melee_between` in decimals, and remembered for the next time. Nobody is out of reach."""
    muster = _muster(battle.options)
    sides = muster.enlist(charger, "charger"), muster.enlist(target, "target")
    found = muster.melees.get(sides)
    if found is None:
        odds = _melee_anywhere(muster, charger, target, battle.options)
        found = muster.melees[sides] = QuickMelee(
            *odds.charger.in_decimals(),
            *odds.defender.in_decimals(),
            odds.winner.decimal(lambda winner: winner == "charger"),
            odds.winner.decimal(lambda winner: winner == "defender"),
        )
    return found
