"""The secret split of melee dice as the matrix game it is (RN3-MELEE-07).

Rows are splits of the side whose fight it is, columns those of the other; entries are what the first can expect to
gain, in army points, by the exact laws of attack, defence and force. Dice that are kept count for what they can still
do: strike back, act later in the turn, or defend against those who are yet to act.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Allocate, Refused
from oriflamme.games.rn3.allocation import ATTACK, DEFENCE, Pair, UnitProfile, hand_of, members, set_aside
from oriflamme.games.rn3.blows import Onset, Party
from oriflamme.games.rn3.captain.worth import is_in_reach, losses_of, price
from oriflamme.games.rn3.melee import (
    DEFENDS_ONLY,
    Fight,
    counter_onset,
    eligible,
    fight_of,
    onset,
    party_of,
    what_is_asked,
)
from oriflamme.games.rn3.odds.laws import damage_law, fallen_law, suffered
from oriflamme.games.rn3.state import Battle, Unit

Split = dict[str, int]
Losses = Callable[[int, int], float]
# How many steps from the fewest to the most dice are considered, and at most how many splits.
STEPS: Final = 4
MOST: Final = 24
# What a die that is kept saves against somebody yet to come, in models; and how sure an attack later this turn is.
SAVED: Final = 0.15
LATER: Final = 0.8
# An Incarnate is worth so many models of his unit.
INCARNATE: Final = 3.0


class SplitGame(NamedTuple):
    """Splits of the side whose fight it is, those of the other, and what the first gains."""

    rows: list[Split]
    columns: list[Split]
    matrix: list[list[float]]


def split_game(battle: Battle) -> SplitGame:
    """The game that is played when dice are set aside in the fight under way."""
    fight = fight_of(battle)
    own, theirs, pairs = what_is_asked(battle, fight)
    rows = splits_of(own, with_defence=fight.simultaneous)
    columns = splits_of(theirs, with_defence=True)
    payoff = _Payoff(battle, fight, list(pairs))
    return SplitGame(rows, columns, [[payoff(row, column) for column in columns] for row in rows])


# -- which splits there are --------------------------------------------------------------------------------------------


def splits_of(question: Allocate, *, with_defence: bool) -> list[Split]:
    """Different legal answers: from the fewest dice to the most, evenly or with one pairing before the others. Where
    nobody strikes back at once, defence dice of who attacks are as good as kept and are left out."""
    slots = [key for key in question.slots if with_defence or key.startswith(ATTACK)]
    if not slots:
        return [question.suggestion()]
    found: list[Split] = []
    least = sum(filled(question, slots, 0, None).values())
    totals = sorted({round(least + (question.most - least) * step / STEPS) for step in range(STEPS + 1)})
    for first in (None, *(slots if len(slots) > 1 else ())):
        for total in totals:
            try:
                answer = question.accept(filled(question, slots, total, first))
            except Refused:
                continue
            if answer not in found:
                found.append(answer)
    return found[:MOST] or [question.suggestion()]


def filled(question: Allocate, slots: list[str], total: int, first: str | None) -> Split:
    """So many dice, what must be spent at least before anything else; one slot before the others, which get theirs
    evenly."""
    answer: Split = dict.fromkeys(slots, 0)

    def next_of(keys: list[str]) -> str | None:
        open_ = [key for key in keys if _has_room(question, answer, key)]
        if first in open_:
            return first
        return min(open_, key=lambda key: answer[key] / question.slots[key], default=None)

    for group in question.groups:
        keys = [key for key in slots if key in group.slots]
        while group.spent(answer) < group.least and (key := next_of(keys)) is not None:
            answer[key] += 1
    while sum(answer.values()) < max(total, question.least) and (key := next_of(slots)) is not None:
        answer[key] += 1
    return {key: number for key, number in answer.items() if number}


def _has_room(question: Allocate, answer: Split, key: str) -> bool:
    if answer[key] >= question.slots[key] or sum(answer.values()) >= question.most:
        return False
    return all(group.spent(answer) < question.most_in(group) for group in question.groups if key in group.slots)


# -- what they are worth -----------------------------------------------------------------------------------------------


class _Payoff:
    """What the unit whose fight it is gains by two splits."""

    def __init__(self, battle: Battle, fight: Fight, pairs: list[Pair]) -> None:
        self.battle = battle
        self.fight = fight
        self.pairs = pairs
        self.unit = battle.units[fight.unit]
        self.enemies = [battle.units[id] for id in fight.enemies if battle.units[id].on_table]
        self.hail = fight.ordered and fight.reaction != "reception" and "hail_of_blows" in self.unit.tactics
        self.gains = [self._blows(pair, back=False) for pair in pairs]
        self.answers = [self._blows(Pair(pair.against, pair.own), back=True) for pair in pairs]
        self.reserve = _dice(self.unit)
        self.kept_worth = self._kept_worth(self.unit, {enemy.id for enemy in self.enemies})
        self.facing = {enemy.id: self._facing(enemy) for enemy in self.enemies}

    def __call__(self, mine: Split, theirs: Split) -> float:
        worth, fallen = 0.0, dict.fromkeys(self.facing, 0.0)
        spent = 0
        held: dict[str, int] = dict.fromkeys(self.facing, 0)
        for number, pair in enumerate(self.pairs):
            back = Pair(pair.against, pair.own)
            attack, guard = set_aside(mine, ATTACK, pair), set_aside(mine, DEFENCE, pair)
            counter, defence = set_aside(theirs, ATTACK, back), set_aside(theirs, DEFENCE, back)
            gain = self.gains[number](attack + (defence if self.hail else 0), defence)
            worth += gain - self.answers[number](counter, guard)
            fallen[pair.against.unit] += gain
            spent += attack
            held[pair.against.unit] += counter + defence
        left = self.reserve - spent
        worth += left * self.kept_worth
        for enemy in self.enemies:
            worth -= self._afterwards(enemy, _dice(enemy) - held[enemy.id], left, fallen[enemy.id])
        return worth

    def _blows(self, pair: Pair, *, back: bool) -> Losses:
        """What one side of a pairing loses to so many attack dice against so many in defence, in army points."""
        battle = self.battle
        by, struck = party_of(battle, pair.own, pair.against), party_of(battle, pair.against, pair.own)
        victim = battle.units[pair.against.unit]
        if back:
            how = counter_onset(battle, self.fight)
        else:
            how = onset(battle, self.fight, victim, by.skills)
        fighters = eligible(battle, pair.own, pair.against) or members(victim, pair.against.profile)
        left = sorted(f.left for f in fighters)
        if fighters[0].profile.incarnate:
            return _counted(
                by, struck, how, left, [n * INCARNATE * price(battle, victim) for n in range(len(left) + 1)]
            )
        return _counted(by, struck, how, left, losses_of(battle, victim, len(left)))

    # -- dice that are kept --------------------------------------------------------------------------------------------

    def _kept_worth(self, unit: Unit, but: set[str]) -> float:
        """What a die that a unit keeps is worth against enemies who are yet to act and can come."""
        battle = self.battle
        coming = [
            enemy
            for enemy in battle.enemies_of(unit.side)
            if enemy.order is None and enemy.id not in but and is_in_reach(battle, unit, enemy)
        ]
        return SAVED * price(battle, unit) if coming else 0.0

    def _facing(self, enemy: Unit) -> tuple[Losses | None, int, int, float, float]:
        """How an enemy can still attack this turn, with at most how many dice against how many, how sure that is, and
        what its kept dice are worth besides."""
        kept = self._kept_worth(enemy, {self.unit.id})
        may = not enemy.attacked and enemy.reaction not in DEFENDS_ONLY and not self.fight.simultaneous
        main = next((pair for pair in self.pairs if pair.against.unit == enemy.id), None)
        if not may or main is None or self.fight.kind == "strike_back":
            return None, 0, 0, 0.0, kept
        battle = self.battle
        theirs, mine = hand_of(battle, enemy, [self.unit]).total, hand_of(battle, self.unit, [enemy]).total
        strike = self._plain(main.against, main.own)
        return strike, theirs, mine, LATER if enemy.order is None else 1.0, kept

    def _plain(self, by: UnitProfile, on: UnitProfile) -> Losses:
        battle = self.battle
        one, other, victim = party_of(battle, by, on), party_of(battle, on, by), battle.units[on.unit]
        left = sorted(f.left for f in victim.figures)
        return _counted(one, other, Onset(options=battle.options), left, losses_of(battle, victim, len(left)))

    def _afterwards(self, enemy: Unit, dice: int, guard: int, fallen: float) -> float:
        """What the enemy can expect of the dice it has kept, if it still stands."""
        strike, most, most_guard, sure, kept = self.facing[enemy.id]
        alive = max(0.0, 1 - fallen / max(1.0, price(self.battle, enemy) * len(enemy.figures)))
        worth = dice * kept * alive
        attack = min(dice, most) * alive
        if strike is not None and attack > 0:
            # Between two whole numbers of dice, in proportion.
            low = int(attack)
            a, b = (strike(n, min(guard, most_guard)) for n in (low, low + 1))
            worth += sure * (a + (b - a) * (attack - low))
        return worth


def _counted(by: Party, struck: Party, how: Onset, left: list[int], losses: Sequence[float]) -> Losses:
    """What falls to so many attack dice against so many in defence, of models with such hit points left; `losses` is
    what it counts if none, one, two and so on fall."""
    known: dict[tuple[int, int], float] = {}

    def counted(attack: int, defence: int) -> float:
        if attack <= 0:
            return 0.0
        found = known.get((attack, defence))
        if found is None:
            law = suffered(damage_law(by, struck, attack, defence, how), struck.skills)
            fallen = fallen_law(law, left)
            found = known[attack, defence] = sum(chance * losses[n] for n, chance in enumerate(fallen))
        return found

    return counted


def _dice(unit: Unit) -> int:
    return unit.pool.left + unit.hero_pool.left
