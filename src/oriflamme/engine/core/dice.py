"""Dice that can be replayed, scripted and counted.

Rules never ask for faces where a count will do: they say which faces belong together (`Sorting`) and how many dice are
thrown, and get the number of dice of each sort. Seeded dice throw them, scripted dice read them from a case, and
enumerating dice run the same rule once for every outcome that makes a difference, with its exact probability.

Dice that earn more dice (`Chain`) have no end to their outcomes. Enumerating dice go through all of them but the least
likely, which are lumped together: `Way.lumped` says so, and the chances still make 1 to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, Final, Generic, NamedTuple, TypeVar

from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword

_MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_DIGITS: Final = 24
_SPAN: Final = 6**_DIGITS
_FAIR: Final = (1 << 64) // _SPAN * _SPAN


class Sorting:
    """Which sort each face of a die belongs to, and which faces are thrown again once. Equal sortings are shared."""

    __slots__ = ("again", "faces", "kinds", "odds")

    def __init__(self, faces: tuple[int, ...], again: tuple[bool, ...]) -> None:
        self.faces = faces
        self.again = again
        self.kinds = max(faces) + 1
        # Chances of each sort, in 36ths: a die thrown again counts its second face.
        odds = [0] * self.kinds
        for face in range(6):
            if again[face]:
                for second in range(6):
                    odds[faces[second]] += 1
            else:
                odds[faces[face]] += 6
        self.odds = tuple(odds)


@lru_cache(maxsize=4096)
def sorting(faces: tuple[int, ...], again: tuple[bool, ...] = (False,) * 6) -> Sorting:
    """The sorting in which face i+1 is of sort faces[i]."""
    return Sorting(faces, again)


FACES: Final = sorting((0, 1, 2, 3, 4, 5))

# What is thrown again before dice are earned: the sorts of each effect, one effect after the other. A die that comes to
# lie in a sort of the next effect is thrown again by that too.
Layers = tuple[tuple[int, ...], ...]

# Of dice that earn dice, outcomes are lumped together that are less likely than this.
REST: Final = Fraction(1, 10**24)


class Chain:
    """Dice that earn dice: how they are sorted, which sorts earn one more die, and what is counted of all of them.

    `counted` says for each sort to which count it adds, -1 being none: who counts little has few outcomes to go
    through. `rest` bounds the chance of what enumerating dice lump together. Equal chains are shared: see `chain`.
    """

    __slots__ = ("by", "counted", "counts", "earning", "rest")

    def __init__(self, by: Sorting, earning: tuple[int, ...], counted: tuple[int, ...], rest: Fraction) -> None:
        if len(counted) != by.kinds or not set(earning) <= set(range(by.kinds)):
            raise ValueError(f"{by.kinds} sorts of dice, but {earning} earn and {counted} are counted")
        if all(by.odds[sort] == 0 for sort in range(by.kinds) if sort not in earning):
            raise ValueError("dice that all earn another have no end")
        self.by = by
        self.earning = earning
        self.counted = counted
        self.counts = max(counted) + 1
        self.rest = rest

    def earned_by(self, sorts: tuple[int, ...]) -> int:
        """How many dice are earned by dice that lie so, counted by sort."""
        return sum([sorts[sort] for sort in self.earning])

    def count(self, sorts: tuple[int, ...]) -> tuple[int, ...]:
        """What is counted of dice that lie so, counted by sort."""
        found = [0] * self.counts
        for count, number in zip(self.counted, sorts, strict=True):
            if count >= 0:
                found[count] += number
        return tuple(found)


@lru_cache(maxsize=4096)
def chain(
    by: Sorting, earning: tuple[int, ...], counted: tuple[int, ...] | None = None, rest: Fraction = REST
) -> Chain:
    """The dice so sorted of which those of some sorts earn one more each. Every sort is counted apart, unless told."""
    return Chain(by, earning, tuple(range(by.kinds)) if counted is None else counted, rest)


class Needed:
    """The number a die must reach, with everything that changed it (high is good; 6 always, 1 never).

    `change` collects modifiers with their source, so that a log line can say "4+, Stealth -1" and link both to their
    rule. `only_sixes` overrides number and modifiers alike.
    """

    __slots__ = ("_only_sixes", "_penalties_ignored", "again", "number", "reasons")

    def __init__(self, number: int, source: str, rule: str) -> None:
        self.number = number
        self.reasons: list[Reason] = [Reason(source, number, rule)]
        self.again: tuple[int, ...] = ()
        self._only_sixes = False
        self._penalties_ignored = False

    def change(self, amount: int, because: Keyword) -> None:
        """Add a modifier to the die."""
        if amount:
            self.reasons.append(Reason(because.title, amount, because.rule))

    def change_by(self, amount: int, source: str, rule: str) -> None:
        """Add a modifier that no special rule stands behind."""
        if amount:
            self.reasons.append(Reason(source, amount, rule))

    def start_from(self, number: int, because: Keyword) -> None:
        """Replace the number itself."""
        self.number = number
        self.reasons[0] = Reason(because.title, number, because.rule)

    def ignore_penalties(self, because: Keyword) -> None:
        """Modifiers below zero do not count, whoever brings them."""
        self._penalties_ignored = True
        self.reasons.append(Reason(because.title, 0, because.rule))

    def roll_again(self, face: int, because: Keyword) -> None:
        """Dice that show this face are thrown again, once."""
        self.again += (face,)
        self.reasons.append(Reason(because.title, 0, because.rule))

    def only_sixes(self, source: str, rule: str) -> None:
        self._only_sixes = True
        self.reasons.append(Reason(source, 0, rule))

    @property
    def bonus(self) -> int:
        """All modifiers together, without a cap."""
        amounts = (r.amount for r in self.reasons[1:])
        return sum(a for a in amounts if a > 0 or not self._penalties_ignored)

    @property
    def face(self) -> int:
        """The lowest unmodified face that succeeds."""
        if self._only_sixes:
            return 6
        return min(6, max(2, self.number - self.bonus))

    def sorting(self) -> Sorting:
        """Failures, successes, and unmodified sixes apart."""
        least = self.face
        return _reach(least, self.again)

    def why(self) -> tuple[Reason, ...]:
        """The number and everything that changed it; what does not count is left out."""
        if self._penalties_ignored:
            return (self.reasons[0], *(r for r in self.reasons[1:] if r.amount >= 0))
        return tuple(self.reasons)


@lru_cache(maxsize=512)
def _reach(least: int, again: tuple[int, ...]) -> Sorting:
    faces = tuple(2 if f == 6 else 1 if f >= least else 0 for f in range(1, 7))
    return sorting(faces, tuple(f in again for f in range(1, 7)))


class Rolled:
    """What came of dice that had to reach a number: successes (sixes among them) and failures."""

    __slots__ = ("failures", "sixes", "successes")

    def __init__(self, counts: tuple[int, ...]) -> None:
        self.failures = counts[0]
        self.sixes = counts[2]
        self.successes = counts[1] + counts[2]


# A random direction is drawn in steps of a tenth of a degree. Among faces it is written as DIRECTION and the tenths, so
# that nobody takes one for the other.
DIRECTIONS: Final = 3600
DIRECTION: Final = 10_000


class Dice:
    """Where dice come from. `thrown` keeps every face since it was last emptied, in order, second throws included."""

    __slots__ = ("last", "thrown")

    def __init__(self) -> None:
        self.thrown: list[int] = []
        self.last: list[int] = []

    def throw(self, number: int) -> list[int]:
        """So many faces."""
        raise NotImplementedError

    def sort(self, number: int, by: Sorting) -> tuple[int, ...]:
        """Throw dice and count them by sort; `last` holds the faces that stand."""
        faces = self.throw(number) if number else []
        self.thrown += faces
        again = by.again
        for i, face in enumerate(faces):
            if again[face - 1]:
                second = self.throw(1)
                self.thrown += second
                faces[i] = second[0]
        self.last = faces
        return _by_sort(faces, by)

    def throw_again(self, counts: tuple[int, ...], by: Sorting, sorts: tuple[int, ...]) -> tuple[int, ...]:
        """Of dice that lie so, throw those of some sorts again, from left to right; all of them, counted by sort.

        `last` holds all faces that stand, if these dice were the last to be thrown, and else those thrown again.
        """
        number = sum([counts[sort] for sort in sorts])
        if not number:
            return counts
        lying = self.last
        fresh = self.sort(number, by)
        if _by_sort(lying, by) == counts:
            thrown = iter(self.last)
            self.last = [next(thrown) if by.faces[face - 1] in sorts else face for face in lying]
        kept = [0 if sort in sorts else lie for sort, lie in enumerate(counts)]
        return tuple([lie + more for lie, more in zip(kept, fresh, strict=True)])

    def earned(self, number: int, by: Chain, again: Layers = ()) -> tuple[int, ...]:
        """Throw dice, throw some of them `again` layer by layer, and then one more die for each that earns one,
        generation by generation, until none does. Dice that were earned are not thrown again by any layer.

        Gives what the chain counts; `last` holds the faces that stand, those of the first dice first.
        """
        counts = self.sort(number, by.by)
        for sorts in again:
            counts = self.throw_again(counts, by.by, sorts)
        found = by.count(counts)
        more = by.earned_by(counts)
        if not more:
            return found
        lying = self.last
        follow = self.earned(more, by)
        self.last = lying + self.last
        return tuple([count + further for count, further in zip(found, follow, strict=True)])

    def reach(self, number: int, needed: Needed) -> Rolled:
        """How many of so many dice reach what is needed."""
        return Rolled(self.sort(number, needed.sorting()))

    def d6(self) -> int:
        """One die, for its face."""
        return self.sort(1, FACES).index(1) + 1

    def d3(self) -> int:
        """Half a die, rounded up."""
        return (self.d6() + 1) // 2

    def direction(self) -> float:
        """A random direction in degrees, each tenth of one as likely as the next."""
        tenths = self._tenths()
        self.thrown.append(DIRECTION + tenths)
        self.last = []
        return tenths / 10

    def _tenths(self) -> int:
        raise NotImplementedError

    def copy(self) -> Dice:
        raise NotImplementedError

    def identity(self) -> Any:
        """How far they have come; what they will show is nobody's to know."""
        return None


def _by_sort(faces: list[int], by: Sorting) -> tuple[int, ...]:
    counts = [0] * by.kinds
    sorts = by.faces
    for face in faces:
        counts[sorts[face - 1]] += 1
    return tuple(counts)


class SeededDice(Dice):
    """Dice made from a seed and a counter alone: the same everywhere, and copied by copying two numbers."""

    __slots__ = ("counter", "seed")

    def __init__(self, seed: int, counter: int = 0) -> None:
        super().__init__()
        self.seed = seed & _MASK
        self.counter = counter

    def _word(self) -> int:
        while True:
            self.counter += 1
            z = (self.seed + self.counter * _GOLDEN) & _MASK
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            z ^= z >> 31
            if z < _FAIR:
                return z

    def throw(self, number: int) -> list[int]:
        faces: list[int] = []
        while number > 0:
            word = self._word()
            for _ in range(min(number, _DIGITS)):
                word, face = divmod(word, 6)
                faces.append(face + 1)
            number -= _DIGITS
        return faces

    def _tenths(self) -> int:
        while True:
            word = self._word()
            if word < _FAIR - _FAIR % DIRECTIONS:
                return word % DIRECTIONS

    def renew(self, seed: int) -> None:
        """From now on, dice of another seed."""
        self.seed = seed & _MASK
        self.counter = 0

    def copy(self) -> SeededDice:
        return SeededDice(self.seed, self.counter)

    def identity(self) -> Any:
        return self.counter


class ContinuedDice(SeededDice):
    """Faces that are known, and then dice from a seed: a battle that goes on from a moment of another with new dice."""

    __slots__ = ("faces", "position")

    def __init__(self, faces: Iterable[int], seed: int, counter: int = 0, position: int = 0) -> None:
        super().__init__(seed, counter)
        self.faces = tuple(faces)
        self.position = position

    def throw(self, number: int) -> list[int]:
        known = list(self.faces[self.position : self.position + number])
        self.position += len(known)
        return known + super().throw(number - len(known)) if len(known) < number else known

    def _tenths(self) -> int:
        if self.position == len(self.faces):
            return super()._tenths()
        self.position += 1
        return self.faces[self.position - 1] - DIRECTION

    def renew(self, seed: int) -> None:
        super().renew(seed)
        self.position = len(self.faces)

    def copy(self) -> ContinuedDice:
        return ContinuedDice(self.faces, self.seed, self.counter, self.position)

    def identity(self) -> Any:
        return [self.position, self.counter]


def dice_from(seed: int, given: Sequence[int] = ()) -> SeededDice:
    """The dice of a battle: those of its seed, after those it was given."""
    return ContinuedDice(given, seed) if given else SeededDice(seed)


class OutOfDice(Exception):
    """A script ended before the dice did."""


class WrongDie(OutOfDice):
    """A script has a face where a direction is drawn, or the other way round."""


class ScriptedDice(Dice):
    """Dice that a case or a save has written down."""

    __slots__ = ("faces", "position")

    def __init__(self, faces: Iterable[int], position: int = 0) -> None:
        super().__init__()
        self.faces = tuple(faces)
        self.position = position

    def throw(self, number: int) -> list[int]:
        end = self.position + number
        if end > len(self.faces):
            given = len(self.faces)
            raise OutOfDice(f"{number} more dice are thrown after {self.position}, but only {given} are given")
        faces = list(self.faces[self.position : end])
        if any(face >= DIRECTION for face in faces):
            raise WrongDie(f"{number} dice are thrown after {self.position}, but a direction is given")
        self.position = end
        return faces

    def _tenths(self) -> int:
        if self.position == len(self.faces):
            raise OutOfDice(f"a direction is drawn after {self.position} dice, but only {self.position} are given")
        tenths = self.faces[self.position] - DIRECTION
        if tenths < 0:
            raise WrongDie(f"a direction is drawn after {self.position} dice, but a face is given")
        self.position += 1
        return tenths

    @property
    def unused(self) -> tuple[int, ...]:
        return self.faces[self.position :]

    def copy(self) -> ScriptedDice:
        return ScriptedDice(self.faces, self.position)

    def identity(self) -> Any:
        return self.position


class HiddenDice(Dice):
    """The dice as a player sees them: there, and not to be known in advance."""

    __slots__ = ()

    def throw(self, number: int) -> list[int]:
        raise RuntimeError("a view has no dice to throw")

    def copy(self) -> HiddenDice:
        return HiddenDice()


_EVERY_DIRECTION: Final[list[tuple[tuple[int, ...], int]]] = [((tenths,), 1) for tenths in range(DIRECTIONS)]


class EnumeratingDice(Dice):
    """Dice that follow one chosen outcome of every question and know how likely it was. See `outcomes`.

    `lumped` tells that one of the outcomes stands for several: so many, or more.
    """

    __slots__ = ("_path", "branches", "denominator", "lumped", "weight")

    def __init__(self, path: tuple[int, ...]) -> None:
        super().__init__()
        self._path = path
        self.branches: list[int] = []
        self.weight = 1
        self.denominator = 1
        self.lumped = False

    def sort(self, number: int, by: Sorting) -> tuple[int, ...]:
        if number <= 0:
            return (0,) * by.kinds
        choices, total = splits(number, by)
        return self._follow(choices, total)[1]

    def earned(self, number: int, by: Chain, again: Layers = ()) -> tuple[int, ...]:
        if number <= 0:
            return (0,) * by.counts
        choices, total, lumped = chain_splits(number, by, again)
        chosen, counts = self._follow(choices, total)
        self.lumped |= lumped and chosen == len(choices) - 1
        return counts

    def _tenths(self) -> int:
        return self._follow(_EVERY_DIRECTION, DIRECTIONS)[1][0]

    def _follow(self, choices: list[tuple[tuple[int, ...], int]], total: int) -> tuple[int, tuple[int, ...]]:
        step = len(self.branches)
        chosen = self._path[step] if step < len(self._path) else 0
        self.branches.append(len(choices))
        counts, weight = choices[chosen]
        self.weight *= weight
        self.denominator *= total
        return chosen, counts


def _odds(by: Sorting) -> tuple[int, ...]:
    """The chances of each sort: in sixths, if that is enough."""
    return by.odds if any(w % 6 for w in by.odds) else tuple(w // 6 for w in by.odds)


@lru_cache(maxsize=8192)
def splits(number: int, by: Sorting) -> tuple[list[tuple[tuple[int, ...], int]], int]:
    """Every way so many dice can fall into the sorts, with its weight, and the sum of all weights."""
    odds = _odds(by)
    found: list[tuple[tuple[int, ...], int]] = []

    def fill(sort: int, left: int, weight: int, counts: tuple[int, ...]) -> None:
        if sort == len(odds) - 1:
            last = weight * odds[sort] ** left
            if last:
                found.append(((*counts, left), last))
            return
        for n in range(left + 1):
            w = weight * comb(left, n) * odds[sort] ** n
            if w:
                fill(sort + 1, left - n, w, (*counts, n))

    fill(0, number, 1, ())
    return found, sum(odds) ** number


# -- dice that earn dice, counted --------------------------------------------------------------------------------------

# The weight of everything that may be counted: a polynomial with a variable for each count.
_Law = dict[tuple[int, ...], int]


@lru_cache(maxsize=4096)
def chain_splits(number: int, by: Chain, again: Layers = ()) -> tuple[list[tuple[tuple[int, ...], int]], int, bool]:
    """Everything that may be counted of dice that earn dice, with its weight; the sum of all weights; and whether the
    last of them stands for all that earn still more.

    One die brings F / (1 - E), where F is what a die that earns none adds to the counts, and E what one that earns
    another adds. So n dice bring F^n / (1 - E)^n, a series by the number of dice that earn and are counted. It is cut
    where the rest is unlikely enough.
    """
    odds = _odds(by.by)
    nothing = (0,) * by.counts
    ends, earns = _laws(by, odds)
    # Dice that earn another and are not counted only put off the end.
    out_of = sum(odds) - earns.pop(nothing, 0)
    cut = _cut(number, Fraction(sum(earns.values()), out_of), by.rest)

    def chained(dice: int) -> _Law:
        """What so many dice bring: out of `out_of` to the power of `number` + `cut`."""
        if dice == 0:
            return {nothing: out_of ** (number + cut)}
        longer: _Law = {}
        earners = {nothing: 1}
        for earning in range(cut):
            scale = comb(dice + earning - 1, earning) * out_of ** (number + cut - dice - earning)
            _add(longer, earners, scale)
            earners = _times(earners, earns)
        return _times(longer, _power(ends, dice, nothing))

    if not again:
        law, total = chained(number), out_of ** (number + cut)
    else:
        first = standing_odds(by.by, again)
        first_ends, first_earns = _laws(by, first)
        law, total = {}, out_of ** (number + cut) * sum(first) ** number
        for earning in range(number + 1):
            thrown = _times(_power(first_ends, number - earning, nothing), _power(first_earns, earning, nothing))
            _add(law, _times(thrown, chained(earning)), comb(number, earning))
    found = sorted(law.items())
    rest = total - sum(law.values())
    if rest:
        # The plainest of those that are left: one die earns them all, and all end in the lowest sort there is.
        low = next(sort for sort, odd in enumerate(odds) if odd and sort not in by.earning)
        high = next(sort for sort in by.earning if odds[sort] and by.counted[sort] >= 0)
        sorts = [0] * by.by.kinds
        sorts[low], sorts[high] = number, cut + bool(again)
        found.append((by.count(tuple(sorts)), rest))
    return found, total, rest > 0


def _laws(by: Chain, odds: tuple[int, ...]) -> tuple[_Law, _Law]:
    """What one die adds to the counts: if it earns none, and if it earns another."""
    ends: _Law = {}
    earns: _Law = {}
    for sort, odd in enumerate(odds):
        if odd:
            law = earns if sort in by.earning else ends
            _add(law, {by.count(tuple([int(sort == other) for other in range(by.by.kinds)])): odd}, 1)
    return ends, earns


def standing_odds(by: Sorting, again: Layers) -> tuple[int, ...]:
    """How likely each sort is once a die has gone through all layers, as weights."""
    odds = stand = _odds(by)
    for sorts in again:
        thrown = sum([stand[sort] for sort in sorts])
        kept = [0 if sort in sorts else odd * sum(odds) for sort, odd in enumerate(stand)]
        stand = tuple([keep + thrown * odd for keep, odd in zip(kept, odds, strict=True)])
    return stand


def _cut(dice: int, earning: Fraction, rest: Fraction) -> int:
    """The least number of dice that earn that so many dice reach with no more than this chance."""
    chance = (1 - earning) ** dice
    left, cut = 1 - chance, 1
    while left > rest:
        chance *= earning * Fraction(dice + cut - 1, cut)
        left -= chance
        cut += 1
    return cut


def _add(law: _Law, more: _Law, scale: int) -> None:
    for counts, weight in more.items():
        law[counts] = law.get(counts, 0) + weight * scale


def _times(first: _Law, second: _Law) -> _Law:
    """What two that have nothing to do with one another bring together."""
    found: _Law = {}
    for counts, weight in first.items():
        for further, other in second.items():
            both = tuple([a + b for a, b in zip(counts, further, strict=True)])
            found[both] = found.get(both, 0) + weight * other
    return found


def _power(law: _Law, number: int, nothing: tuple[int, ...]) -> _Law:
    found = {nothing: 1}
    for _ in range(number):
        found = _times(found, law)
    return found


# -- every outcome -----------------------------------------------------------------------------------------------------

R = TypeVar("R", bound=Hashable)


class Way(NamedTuple, Generic[R]):
    """One outcome of the dice of a rule: what came of it, its weight, and out of how many. One that is `lumped` stands
    for several that are most unlikely, and its weight is that of all of them."""

    result: R
    weight: int
    out_of: int
    lumped: bool


def outcomes(resolve: Callable[[Dice], R]) -> dict[R, Fraction]:
    """Run a rule once for every outcome of its dice; equal results are merged with the sum of their chances."""
    found: dict[R, Fraction] = {}
    for result, weight, out_of, _ in ways(resolve):
        found[result] = found.get(result, Fraction(0)) + Fraction(weight, out_of)
    return found


def ways(resolve: Callable[[Dice], R]) -> Iterator[Way[R]]:
    """Run a rule once for every outcome of its dice."""
    path: tuple[int, ...] = ()
    while True:
        dice = EnumeratingDice(path)
        yield Way(resolve(dice), dice.weight, dice.denominator, dice.lumped)
        taken = list(path) + [0] * (len(dice.branches) - len(path))
        while taken and taken[-1] + 1 >= dice.branches[len(taken) - 1]:
            taken.pop()
        if not taken:
            return
        taken[-1] += 1
        path = tuple(taken)
