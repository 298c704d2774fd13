"""Strikes against a regiment: their hits, and the wounds that its defence dice let through.

One die of each kind is counted by the rule that rolls it, many dice are added up, and what the rules make of the sums
is asked of the rules again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from oriflamme.engine.core.dice import Dice, Sorting
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.odds import Distribution
from oriflamme.games.tlaok.combat.blows import DefenceRoll, Strike
from oriflamme.games.tlaok.trials import RollResult, RollTarget

R = TypeVar("R", bound=Hashable)

# Hits, wounds before morale, and hits that strike back, of a pool.
Blow = tuple[int, int, int]
# What defence dice come to: wounds; failed dice of which one may yet be spared, and the sixes among them that wound
# twice; natural ones that strike back.
Saves = tuple[int, int, int, int]
NO_BLOW: Final = (0, 0, 0)


# -- dice that hit -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _hit_dice(by: Sorting, number: int) -> Distribution[tuple[int, int]]:
    """So many dice of one sorting: successes, and the natural ones among them."""

    def one(dice: Dice) -> tuple[int, int]:
        _, passed, ones = (*dice.sort(1, by), 0, 0)[:3]
        return passed + ones, ones

    return Distribution.of(one).power(number)


def hits_of(strike: Strike) -> Distribution[tuple[int, int]]:
    """Hits, and the natural ones among them."""
    if strike.value is None:
        return Distribution.always((strike.hits, 0))
    if not strike.attacks:
        return Distribution.always((0, 0))
    strike = fresh(strike)
    strike.set_hit_target()

    def taken(rolled: tuple[int, int]) -> tuple[int, int]:
        struck = copy(strike)
        struck.extra = []
        struck.take_hits(RollResult(*rolled, strike.attacks - rolled[0], 0, ()))
        return struck.hits, struck.ones

    return _hit_dice(strike.roll_target.sorting(strike.house.cancel), strike.attacks).map(taken)


def fresh(strike: Strike) -> Strike:
    """The same strike, to be settled apart."""
    twin = copy(strike)
    twin.value = strike.value.copy() if strike.value is not None else None
    twin.roll_target = RollTarget(0)
    twin.extra = []
    return twin


# -- dice that save ----------------------------------------------------------------------------------------------------


class Die(NamedTuple):
    """One defence die: how it is sorted, None where nothing is thrown; whether failed sixes wound twice and ones strike
    back; what spares one failed die, among all of the pool or among those of one `group`."""

    by: Sorting | None
    deadly: bool
    answered: bool
    spared: SpecialRule | None
    group: int = 0


@lru_cache(maxsize=1024)
def _saves(die: Die) -> Distribution[Saves]:
    """What comes of one die."""
    by = die.by

    def one(dice: Dice) -> Saves:
        failed, _, ones, sixes, blanks = (*dice.sort(1, by), 0, 0, 0, 0)[:5] if by is not None else (1, 0, 0, 0, 0)
        lost = failed + sixes + blanks
        twice = sixes if die.deadly else 0
        back = ones + blanks if die.answered else 0
        return (lost + twice, 0, 0, back) if die.spared is None else (0, lost, twice, back)

    return Distribution.of(one)


def _defence_rolls(strike: Strike) -> list[DefenceRoll]:
    """What the hits of a strike meet: the plain ones, and natural ones apart where a rule looks at them."""
    strike.hits, strike.ones = 2, 1
    strike.set_defence()
    return strike.defence_rolls


def _spared(saves: Saves, because: SpecialRule | None) -> tuple[int, int]:
    """Wounds, with one failed die spared where there is one, and ones that strike back."""
    wounds, failed, sixes, ones = saves
    if because is not None:
        guard = DefenceRoll(failed, 0, 0, RollTarget(0), ())
        guard.tested = RollResult(0, 0, failed, sixes, ())
        guard.deadly = bool(sixes)
        guard.spare(because)
        wounds += guard.wounds
    return wounds, ones


def blows_of(strikes: Sequence[Strike]) -> Distribution[Blow]:
    """Hits, wounds and hits that strike back, of one pool."""
    kinds: list[Die] = []
    meets: list[list[int]] = []
    for strike in strikes:
        ready = fresh(strike)
        met = []
        for guard in _defence_rolls(ready):
            by = guard.roll_target.sorting(ready.house.cancel) if ready.looked_at(guard) else None
            die = Die(by, guard.deadly, ready.answered is not None, ready.spared)
            if ready.spared is not None and ready.house.tenacious != "pool":
                die = die._replace(group=len(kinds) + 1)
            if die not in kinds:
                kinds.append(die)
            met.append(kinds.index(die))
        meets.append(met)
    counts = [
        hits_of(strike).map(lambda rolled, met=met: _shared(rolled, met, len(kinds)))  # type: ignore[misc]
        for strike, met in zip(strikes, meets, strict=True)
    ]
    return Distribution.added(*((law, 1) for law in counts)).then(lambda met: _defended(kinds, met))


def _shared(rolled: tuple[int, int], met: Sequence[int], kinds: int) -> tuple[int, ...]:
    """How many dice of each kind are rolled against so many hits and ones."""
    hits, ones = rolled
    numbers = [0] * kinds
    sharp = ones if len(met) > 1 else 0
    numbers[met[0]] += hits - sharp
    numbers[met[-1]] += sharp
    return tuple(numbers)


def _defended(kinds: Sequence[Die], numbers: Sequence[int]) -> Distribution[Blow]:
    """So many dice of each kind."""
    rolled = [(die, number) for die, number in zip(kinds, numbers, strict=True) if number]
    if not rolled:
        return Distribution.always(NO_BLOW)
    hits = sum(numbers)
    if any(die.group for die, _ in rolled):
        groups = [_saves(die).power(number).map(lambda s, d=die: _spared(s, d.spared)) for die, number in rolled]  # type: ignore[misc]
        found = Distribution.added(*((law, 1) for law in groups))
    else:
        because = next((die.spared for die, _ in rolled if die.spared is not None), None)
        found = Distribution.added(*((_saves(die), number) for die, number in rolled)).map(
            lambda saves: _spared(saves, because)
        )
    return found.map(lambda saved: (hits, *saved))


def together(laws: Iterable[Distribution[R]]) -> Distribution[tuple[R, ...]]:
    """Several things that do not touch one another, side by side."""
    joint: Distribution[tuple[R, ...]] = Distribution.always(())
    for law in laws:
        joint = _beside(joint, law)
    return joint


def _beside(before: Distribution[tuple[R, ...]], law: Distribution[R]) -> Distribution[tuple[R, ...]]:
    return before.then(lambda values: law.map(lambda value: (*values, value)))


def mean_wounds(strikes: Sequence[Strike]) -> float:
    """The wounds of a pool on average, Tenacious left out. Made for being asked often."""
    found = 0.0
    for strike in strikes:
        if strike.value is None:
            hits, ones = float(strike.hits), 0.0
        else:
            rolled = fresh(strike)
            rolled.set_hit_target()
            odds = rolled.roll_target.sorting(rolled.house.cancel).odds
            passed, lucky = (*odds, 0, 0, 0)[1:3]
            ones = strike.attacks * lucky / sum(odds)
            plain = copy(rolled)
            plain.take_hits(RollResult(1, 1, 0, 0, ()))
            hits = strike.attacks * (passed + lucky) / sum(odds) + ones * (plain.hits - 1)
        ready = fresh(strike)
        defence_rolls = _defence_rolls(ready)
        shares = [hits - ones, ones] if len(defence_rolls) > 1 else [hits]
        for guard, share in zip(defence_rolls, shares, strict=True):
            failed = 1.0
            if ready.looked_at(guard):
                odds = (*guard.roll_target.sorting(ready.house.cancel).odds, 0, 0, 0, 0)
                failed = (odds[0] + odds[3] * (1 + guard.deadly) + odds[4]) / sum(odds)
            found += share * failed
    return found
