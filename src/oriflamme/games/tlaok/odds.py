"""The odds of a volley, a Clash, a charge, a duel or a spell, counted by the very rules that play them.

What is asked about is prepared by the chapter that plays it: the same strikes, with the same values and special rules.
One die of each kind is counted by the rule that rolls it, so many dice are added up, and what the rules make of the
sums is asked of the rules again. Wounds are then suffered on a copy of the battle.

Odds tell what an attack does by itself, with every re-roll taken and every choice made as it usually is. What it gives
back (Counter-Attack and the like) is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from oriflamme.engine.dice import Dice, OutOfDice, ScriptedDice, Sorting, sorting
from oriflamme.engine.measure import TOLERANCE
from oriflamme.games.tlaok.blows import Guard, Strike, wounds_of
from oriflamme.games.tlaok.charge import charge_at, distance_to, onrush_of, roll
from oriflamme.games.tlaok.clash import blows_at, dice_against, may_strike
from oriflamme.games.tlaok.duel import Duellist, blow_of, roll_for_resolve
from oriflamme.games.tlaok.impact import impact_of
from oriflamme.games.tlaok.state import Activation, Asking, Battle, Regiment
from oriflamme.games.tlaok.trials import Sought, Tested
from oriflamme.games.tlaok.volley import choose_shots, is_murderous, strikes_of
from oriflamme.games.tlaok.wounds import Cause, suffer, toughness
from oriflamme.odds import Distribution

A = TypeVar("A")
R = TypeVar("R", bound=Hashable)

# Hits and wounds of a pool, before morale.
Blow = tuple[int, int]
# Successes, ones, failures and sixes of so many dice.
Rolled = tuple[int, int, int, int]
NOTHING: Final = Distribution.always(0)


class Pool(NamedTuple):
    """Strikes whose wounds are suffered together (TLAOK-WOUND-01), and what causes them."""

    strikes: list[Strike]
    cause: Cause


class Fate(NamedTuple):
    """What has become of a regiment: stands lost, and whether it is Broken or gone."""

    lost: int
    broken: bool
    gone: bool


class Odds(NamedTuple):
    """What an attack may do: hits, wounds before morale, and what becomes of the regiment when all is over."""

    what: str
    attacks: int
    hits: Distribution[int]
    wounds: Distribution[int]
    fate: Distribution[Fate]

    @property
    def lost(self) -> Distribution[int]:
        return self.fate.map(lambda fate: fate.lost)

    @property
    def destroyed(self) -> float:
        return float(self.fate.chance(lambda fate: fate.gone))

    @property
    def broken(self) -> float:
        """Broken and still there, by this attack or before."""
        return float(self.fate.chance(lambda fate: fate.broken and not fate.gone))


# -- playing it out ----------------------------------------------------------------------------------------------------


def settled(asking: Asking[A]) -> A:
    """What comes of a part of a step when every question is answered as it usually is."""
    try:
        question = next(asking)
        while True:
            question = asking.send(question.suggestion())  # type: ignore[union-attr]
    except StopIteration as end:
        found: A = end.value
        return found


class PassOrFail(Dice):
    """Dice of which only success matters: ones and sixes are not told apart."""

    __slots__ = ("_dice",)

    def __init__(self, dice: Dice) -> None:
        super().__init__()
        self._dice = dice

    def sort(self, number: int, by: Sorting) -> tuple[int, ...]:
        failed, passed = (*self._dice.sort(number, _merged(by)), 0)[:2]
        return (failed, passed, *(0,) * (by.kinds - 2))[: max(2, by.kinds)]


@lru_cache(maxsize=256)
def _merged(by: Sorting) -> Sorting:
    return sorting(tuple(int(sort in (1, 2)) for sort in by.faces), by.again)


# -- dice --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _dice_law(by: Sorting, number: int) -> Distribution[Rolled]:
    """So many dice of one sorting: successes, ones, failures and sixes."""

    def one(dice: Dice) -> Rolled:
        failed, passed, ones, sixes, blanks = (*dice.sort(1, by), 0, 0, 0, 0)[:5]
        return passed + ones, ones + blanks, failed + sixes + blanks, sixes

    return Distribution.of(one).power(number)


def _rolled(sought: Sought, number: int, cancel: str) -> Distribution[Rolled]:
    return _dice_law(sought.sorting(cancel), number) if number else Distribution.always((0, 0, 0, 0))


def hits_of(strike: Strike) -> Distribution[tuple[int, int]]:
    """Hits, and the natural ones among them."""
    if strike.value is None:
        return Distribution.always((strike.hits, 0))
    strike = _fresh(strike)
    strike.settle_hits()

    def taken(dice: Rolled) -> tuple[int, int]:
        rolled = copy(strike)
        rolled.extra = []
        rolled.take_hits(Tested(*dice, ()))
        return rolled.hits, rolled.ones

    return _rolled(strike.sought, strike.attacks, strike.house.cancel).map(taken)


def _fresh(strike: Strike) -> Strike:
    """The same strike, to be settled apart."""
    twin = copy(strike)
    twin.value = strike.value.copy() if strike.value is not None else None
    twin.sought = Sought(0)
    twin.extra = []
    return twin


def _with_hits(strike: Strike, hits: int, ones: int) -> Strike:
    twin = _fresh(strike)
    twin.hits, twin.ones = hits, ones
    twin.settle_defence()
    return twin


def _wounds(strikes: Sequence[Strike]) -> Distribution[int]:
    """Wounds of strikes whose hits are known."""
    guards = [(strike, guard) for strike in strikes for guard in strike.guards]
    laws = [_defended(strike, guard) for strike, guard in guards]
    if all(strike.spared is None for strike in strikes):
        found = NOTHING
        for law, (_, guard) in zip(laws, guards, strict=True):
            found = found.convolve(law.map(_doubly if guard.deadly else _singly))
        return found

    def spared(rolled: tuple[Rolled, ...]) -> int:
        for (_, guard), dice in zip(guards, rolled, strict=True):
            guard.saved = 0
            guard.tested = Tested(*dice, ())
        return wounds_of(strikes)

    return _together(laws).map(spared)


def _singly(dice: Rolled) -> int:
    return dice[2]


def _doubly(dice: Rolled) -> int:
    return dice[2] + dice[3]


def _together(laws: Iterable[Distribution[R]]) -> Distribution[tuple[R, ...]]:
    """Several things that do not touch one another, side by side."""
    joint: Distribution[tuple[R, ...]] = Distribution.always(())
    for law in laws:
        joint = _beside(joint, law)
    return joint


def _beside(before: Distribution[tuple[R, ...]], law: Distribution[R]) -> Distribution[tuple[R, ...]]:
    return before.then(lambda told: law.map(lambda value: (*told, value)))


def _defended(strike: Strike, guard: Guard) -> Distribution[Rolled]:
    if not strike.looked_at(guard):
        return Distribution.always((0, 0, guard.hits, 0))
    return _rolled(guard.sought, guard.hits, strike.house.cancel)


def blows_of(strikes: Sequence[Strike]) -> Distribution[Blow]:
    """Hits and wounds of one pool."""
    laws = []
    for strike in strikes:
        law = hits_of(strike)
        # Where nobody looks at natural ones any more they are like other hits.
        looked_at = len(_with_hits(strike, 2, 1).guards) > 1
        laws.append(law if looked_at else law.map(lambda told: (told[0], 0)))

    def follow(told: tuple[tuple[int, int], ...]) -> Distribution[Blow]:
        hits = sum(number for number, _ in told)
        struck = [_with_hits(strike, *each) for strike, each in zip(strikes, told, strict=True)]
        return _wounds(struck).map(lambda wounds: (hits, wounds))

    return _together(laws).then(follow)


def mean_wounds(strikes: Sequence[Strike]) -> float:
    """The wounds of a pool on average, Tenacious left out. Made for being asked often."""
    found = 0.0
    for strike in strikes:
        if strike.value is None:
            hits, ones = float(strike.hits), 0.0
        else:
            rolled = _fresh(strike)
            rolled.settle_hits()
            odds = rolled.sought.sorting(rolled.house.cancel).odds
            passed, lucky = (*odds, 0, 0, 0)[1:3]
            ones = strike.attacks * lucky / sum(odds)
            plain = copy(rolled)
            plain.take_hits(Tested(1, 1, 0, 0, ()))
            hits = strike.attacks * (passed + lucky) / sum(odds) + ones * (plain.hits - 1)
        many = 100
        ready = _with_hits(strike, many, round(many * ones / hits) if hits else 0)
        for guard in ready.guards:
            failed = 1.0
            if ready.looked_at(guard):
                odds = (*guard.sought.sorting(ready.house.cancel).odds, 0, 0, 0, 0)
                failed = (odds[0] + odds[3] * (1 + guard.deadly) + odds[4]) / sum(odds)
            found += hits * failed * guard.hits / many
    return found


# -- what it does to a regiment ----------------------------------------------------------------------------------------


def fates(battle: Battle, target: Regiment, pools: Sequence[tuple[int, Cause]]) -> Distribution[Fate]:
    """What becomes of a regiment that suffers so many wounds, one pool after the other, with its morale."""

    def play(dice: Dice) -> Fate:
        twin = battle.copy()
        twin.dice = PassOrFail(dice)
        whom = twin.units[target.id]
        for wounds, cause in pools:
            if not whom.fate:
                settled(suffer(twin, whom, wounds, cause))
        lost = target.size - (0 if whom.fate else whom.size)
        return Fate(lost, whom.broken, bool(whom.fate))

    return Distribution.of(play)


def odds_of(battle: Battle, target: Regiment, what: str, pools: Sequence[Pool]) -> Odds:
    """What pools of strikes may do to a regiment."""
    most = sum(toughness(battle, target, stand) for stand in target.troops)
    whole = _together(blows_of(pool.strikes) for pool in pools)
    known: dict[tuple[int, ...], Distribution[Fate]] = {}

    def fate(wounds: tuple[int, ...]) -> Distribution[Fate]:
        if wounds not in known:
            causes = [pool.cause for pool in pools]
            known[wounds] = fates(battle, target, list(zip(wounds, causes, strict=True)))
        return known[wounds]

    attacks = sum(strike.attacks for pool in pools for strike in pool.strikes)
    suffered = whole.map(lambda blows: tuple(min(wounds, most) for _, wounds in blows))
    return Odds(
        what,
        attacks,
        whole.map(lambda blows: sum(hits for hits, _ in blows)),
        whole.map(lambda blows: sum(wounds for _, wounds in blows)),
        suffered.then(fate),
    )


# -- attacks -----------------------------------------------------------------------------------------------------------


def volley_pools(battle: Battle, regiment: Regiment, target: Regiment, *, arcing: bool = False) -> list[Pool]:
    """The shots of a volley, a pool for each arc of the target; who is in two shoots at the first."""
    shooters = settled(choose_shots(battle, regiment, target, arcing=arcing))
    by_arc: dict[str, list[int]] = {}
    for number, shooter in enumerate(shooters):
        by_arc.setdefault(shooter.arcs[0], []).append(number)
    tested = is_murderous(battle, regiment, target)
    return [
        Pool(
            list(strikes_of(battle, regiment, target, arc, [shooters[n] for n in numbers], arcing)),
            Cause("TLAOK-VOLLEY-21", "volley", regiment.id, arc, morale=tested, saved=True),
        )
        for arc, numbers in by_arc.items()
    ]


def clash_pools(battle: Battle, regiment: Regiment, target: Regiment) -> list[Pool]:
    """All that can strike or support against one enemy in contact."""
    touched = may_strike(battle, regiment)
    fighting = [stand for stand, ids in touched if target.id in ids]
    busy = {stand.id for stand, _ in touched}
    supporting = [stand for stand in regiment.figures if stand.id not in busy]
    strikes, cause = blows_at(battle, regiment, target, list(dice_against(battle, regiment, fighting, supporting)))
    return [Pool(strikes, cause)] if strikes else []


def impact_pools(battle: Battle, regiment: Regiment, target: Regiment) -> list[Pool]:
    strikes, cause = impact_of(battle, regiment, target)
    return [Pool(strikes, cause)] if strikes and not target.garrison else []


def volley_odds(battle: Battle, regiment: Regiment, target: Regiment, *, arcing: bool = False) -> Odds:
    return odds_of(battle, target, "volley", volley_pools(battle, regiment, target, arcing=arcing))


def clash_odds(battle: Battle, regiment: Regiment, target: Regiment) -> Odds:
    return odds_of(battle, target, "clash", clash_pools(battle, regiment, target))


def impact_odds(battle: Battle, regiment: Regiment, target: Regiment) -> Odds:
    return odds_of(battle, target, "impact", impact_pools(battle, regiment, target))


# -- charges -----------------------------------------------------------------------------------------------------------


def reach_chance(battle: Battle, regiment: Regiment, target: Regiment) -> float:
    """The chance that a charge is long enough, a failed roll rolled again where that is allowed."""
    onrush, away = onrush_of(battle, regiment), distance_to(battle, regiment, target)
    twin = battle.copy()

    def long_enough(dice: Dice) -> bool:
        twin.dice = dice
        return onrush.reach(settled(roll(twin, regiment, onrush, away))) + TOLERANCE >= away

    return float(Distribution.of(long_enough)[True])


def charged_home(battle: Battle, regiment: Regiment, target: Regiment) -> Battle | None:
    """The battle after the longest possible charge, before its impact attacks; None if it fails even so."""
    twin = battle.copy()
    twin.dice = ScriptedDice([6])
    twin.acting = twin.acting or Activation(regiment.id)
    try:
        settled(charge_at(twin, twin.units[regiment.id], twin.units[target.id]))
    except OutOfDice:
        pass
    return twin if target.id in twin.contacts.get(regiment.id, {}) else None


# -- duels -------------------------------------------------------------------------------------------------------------


class DuelOdds(NamedTuple):
    """Wounds of the challenger and of the challenged, together; and how likely each is to fall."""

    wounds: Distribution[tuple[int, int]]
    challenger_falls: float
    challenged_falls: float


def duel_odds(battle: Battle, regiment: Regiment, enemy: Regiment) -> DuelOdds:
    """A duel that is accepted (TLAOK-DUEL-09 to -12); what a Counter-Attack gives back is left out."""
    own, other = Duellist(battle, regiment), Duellist(battle, enemy)
    given, taken = (_struck_in_duel(battle, *pair) for pair in ((own, other), (other, own)))
    deadly = [toughness(battle, each.regiment, each.stand) - each.stand.wounds for each in (own, other)]
    quick = bool(own.first) != bool(other.first)
    if quick and own.first:
        law = given.then(
            lambda hurt: (Distribution.always(0) if hurt >= deadly[1] else taken).map(lambda back: (back, hurt))
        )
    elif quick:
        law = taken.then(
            lambda hurt: (Distribution.always(0) if hurt >= deadly[0] else given).map(lambda back: (hurt, back))
        )
    else:
        law = taken.then(lambda hurt: given.map(lambda back: (hurt, back)))
    return DuelOdds(
        law,
        float(law.chance(lambda told: told[0] >= deadly[0])),
        float(law.chance(lambda told: told[1] >= deadly[1])),
    )


def _struck_in_duel(battle: Battle, by: Duellist, whom: Duellist) -> Distribution[int]:
    """The wounds that one gives the other, with those of the Resolve rolls."""
    blow = blow_of(battle, by, whom)
    if not blow.attacks:
        return NOTHING

    twin = battle.copy()

    def tested(wounds: int) -> Distribution[int]:
        def play(dice: Dice) -> int:
            twin.dice = PassOrFail(dice)
            return wounds + roll_for_resolve(twin, whom, by, wounds)

        return Distribution.of(play) if wounds else NOTHING

    return blows_of([blow]).map(lambda told: told[1]).then(tested)
