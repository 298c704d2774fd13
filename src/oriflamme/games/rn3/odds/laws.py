"""Laws: how likely each number of successes and each amount of damage is.

The law of one die, with everything that is thrown again and all the dice it earns, is counted by the rule itself
(`trials.throw` over every outcome, exact fractions; what comes after forty successes of one die is lumped together and
has a chance below 1e-12 in every column). Dice of a test are independent, so the law of several is their sum; halving
and toxic dice come last, as in the test. Sums are made in floating point: each chance is right to about 1e-12.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, repeat
from typing import Final

from oriflamme.engine.core.dice import outcomes
from oriflamme.games.rn3.blows import Onset, Party, attack_trial, defence_trial, force_trial
from oriflamme.games.rn3.losses import not_cancelled, rolls_against
from oriflamme.games.rn3.moments import SkillSet
from oriflamme.games.rn3.salvos import save_hits
from oriflamme.games.rn3.trials import Trial, throw, toxic_needs

Law = tuple[float, ...]
NOTHING: Final[Law] = (1.0,)
# Chances below this are left out at the far end of a law.
LEAST: Final = 1e-14


def law_of(trial: Trial) -> Law:
    """How likely each number of successes of a test is."""
    return _law(
        trial.dice,
        trial.extra,
        trial.needed,
        tuple(sorted(trial.earns)),
        len(trial.failures_again),
        len(trial.successes_again),
        trial.halved,
        _toxic(trial),
    )


def _toxic(trial: Trial) -> tuple[int, tuple[int, ...]]:
    """What a toxic die needs and which faces earn another, or nothing (RN3-SKL-47)."""
    if not trial.toxic:
        return (0, ())
    needed, earns = toxic_needs(trial)
    return needed, tuple(sorted(earns))


@lru_cache(maxsize=65536)
def _law(
    dice: int,
    extra: int,
    needed: int,
    earns: tuple[int, ...],
    failures: int,
    successes: int,
    halved: bool,
    toxic: tuple[int, tuple[int, ...]],
) -> Law:
    law = times(_power(dice, needed, earns, failures, successes), _power(extra, needed, earns, 0, 0))
    if halved:
        law = _halved(law)
    if toxic[0]:
        one = _one(*toxic, 0, successes)
        law = mixed(law, list(accumulate(repeat(one, len(law) - 1), times, initial=NOTHING)), add=True)
    return law


@lru_cache(maxsize=16384)
def _power(dice: int, needed: int, earns: tuple[int, ...], failures: int, successes: int) -> Law:
    if dice <= 0:
        return NOTHING
    one = _one(needed, earns, failures, successes)
    if dice == 1:
        return one
    half = _power(dice // 2, needed, earns, failures, successes)
    whole = times(half, half)
    return times(whole, one) if dice % 2 else whole


@lru_cache(maxsize=4096)
def _one(needed: int, earns: tuple[int, ...], failures: int, successes: int) -> Law:
    """One die with all it earns, by the rule itself."""
    trial = Trial("attack", 1, 0, 0, "RN3-URT-11")
    trial.read_as(_COLUMN[needed], "", "")
    trial.earning = frozenset(earns)
    trial.no_extra = not earns
    for _ in range(failures):
        trial.retry_failures("", "")
    for _ in range(successes):
        trial.retry_successes("", "")
    found = outcomes(lambda dice: throw(dice, trial).successes)
    law = [0.0] * (max(found) + 1)
    for number, chance in found.items():
        law[number] = float(chance)
    return trimmed(law)


# A column by the score it needs; privilège is told by what it earns.
_COLUMN: Final = {6: 1, 5: 2, 4: 3, 3: 4, 2: 5}


# -- sums and mixtures -------------------------------------------------------------------------------------------------


def times(one: Law, other: Law) -> Law:
    """The law of the sum of two independent numbers."""
    if len(one) == 1:
        return other
    if len(other) == 1:
        return one
    law = [0.0] * (len(one) + len(other) - 1)
    for a, p in enumerate(one):
        if p:
            for b, q in enumerate(other):
                law[a + b] += p * q
    return trimmed(law)


def mixed(law: Law, then: Sequence[Law], *, add: bool = False) -> Law:
    """What comes of a number whose law is known, if `then` says what comes of each; with `add` on top of it."""
    size = max(len(one) + (number if add else 0) for number, one in enumerate(then))
    found = [0.0] * size
    for number, chance in enumerate(law):
        for more, share in enumerate(then[number]):
            found[more + (number if add else 0)] += chance * share
    return trimmed(found)


def _halved(law: Law) -> Law:
    found = [0.0] * ((len(law) + 1) // 2 + 1)
    for number, chance in enumerate(law):
        found[(number + 1) // 2] += chance
    return trimmed(found)


def trimmed(law: list[float]) -> Law:
    end = len(law)
    while end > 1 and law[end - 1] < LEAST:
        end -= 1
    return tuple(law[:end])


def mean(law: Law) -> float:
    return sum(number * chance for number, chance in enumerate(law))


# -- a pairing ---------------------------------------------------------------------------------------------------------


def hits_law(by: Party, struck: Party, attack: int, defence: int, onset: Onset) -> Law:
    """Attacks that are not cancelled: each success in defence cancels one (RN3-MELEE-10 to -12)."""
    if attack <= 0:
        return NOTHING
    if struck.helpless:
        attacks: Law = tuple(float(n == attack) for n in range(attack + 1))
    else:
        attacks = law_of(attack_trial(by, struck, attack, onset))
    if defence <= 0:
        return attacks
    hits = [0.0] * len(attacks)
    for d, q in enumerate(law_of(defence_trial(struck, by, defence, onset))):
        for a, p in enumerate(attacks):
            hits[a - d if a > d else 0] += p * q
    return trimmed(hits)


def damage_law(by: Party, struck: Party, attack: int, defence: int, onset: Onset) -> Law:
    """Damage of one side of a pairing that sets so many dice aside, against so many in defence (RN3-MELEE-10 to
    -13)."""
    # Which units they are of makes no difference to the dice.
    by, struck = by._replace(unit=""), struck._replace(unit="")
    return _damage(by, struck, attack, defence, onset[:-1], tuple(onset.options.items()))


@lru_cache(maxsize=16384)
def _damage(
    by: Party,
    struck: Party,
    attack: int,
    defence: int,
    how: tuple[bool, bool, bool, bool],
    options: tuple[tuple[str, str], ...],
) -> Law:
    onset = Onset(*how, dict(options))
    hits = hits_law(by, struck, attack, defence, onset)
    return mixed(hits, [law_of(force_trial(by, struck, n, onset)) if n else NOTHING for n in range(len(hits))])


def after_saves(hits: Law, saves: int) -> Law:
    """Hits that are left after so many rolls of saves, each with a die for each (RN3-FORM-08)."""
    for _ in range(saves):
        hits = mixed(hits, [_left(n, "save") for n in range(len(hits))])
    return hits


def suffered(damage: Law, skills: SkillSet) -> Law:
    """Damage that is left after what its bearers roll against it (RN3-SKL-40)."""
    if not rolls_against(skills).rolls:
        return damage
    return mixed(damage, [_left(n, "damage") for n in range(len(damage))])


@lru_cache(maxsize=512)
def _left(number: int, what: str) -> Law:
    """How many of so many are left after a die for each, by the rule that throws it."""
    if number < 2:
        one = {"save": lambda dice: save_hits(dice, number)[0], "damage": lambda dice: not_cancelled(dice, number)}
        found = outcomes(one[what])
        return tuple(float(found.get(n, 0)) for n in range(number + 1))
    half = _left(number // 2, what)
    return times(times(half, half), _left(number % 2, what))


def fallen_law(damage: Law, left: Sequence[int]) -> Law:
    """How many fall of models that have so many hit points left, each finished before the next is wounded;
    damage beyond all of them is lost (RN3-MELEE-14)."""
    needed = list(accumulate(max(1, n) for n in left))
    found = [0.0] * (len(left) + 1)
    for points, chance in enumerate(damage):
        found[bisect_right(needed, points)] += chance
    return trimmed(found)


def matrix(
    by: Party, struck: Party, most_attack: int, most_defence: int, onset: Onset, left: Sequence[int]
) -> list[list[Law]]:
    """Losses for each split: rows are attack dice from 0, columns defence dice from 0. `left` are the hit points of
    those who can be hit, the first to be finished first."""
    by_hits: list[Law] = []

    def losses(hits: Law) -> Law:
        for n in range(len(by_hits), len(hits)):
            damage = law_of(force_trial(by, struck, n, onset)) if n else NOTHING
            by_hits.append(fallen_law(suffered(damage, struck.skills), left))
        return mixed(hits, by_hits[: len(hits)])

    return [
        [losses(hits_law(by, struck, attack, defence, onset)) for defence in range(most_defence + 1)]
        for attack in range(most_attack + 1)
    ]
