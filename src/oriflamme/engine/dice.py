"""Dice that can be replayed, scripted and counted.

Rules never ask for faces where a count will do: they say which faces belong together (`Sorting`) and how many dice are
thrown, and get the number of dice of each sort. Seeded dice throw them, scripted dice read them from a case, and
enumerating dice run the same rule once for every outcome that makes a difference, with its exact probability.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, Final, TypeVar

from oriflamme.engine.events import Reason
from oriflamme.engine.keywords import Keyword

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
        counts = [0] * by.kinds
        sorts = by.faces
        for face in faces:
            counts[sorts[face - 1]] += 1
        return tuple(counts)

    def reach(self, number: int, needed: Needed) -> Rolled:
        """How many of so many dice reach what is needed."""
        return Rolled(self.sort(number, needed.sorting()))

    def d6(self) -> int:
        """One die, for its face."""
        return self.sort(1, FACES).index(1) + 1

    def d3(self) -> int:
        """Half a die, rounded up."""
        return (self.d6() + 1) // 2

    def copy(self) -> Dice:
        raise NotImplementedError

    def identity(self) -> Any:
        """How far they have come; what they will show is nobody's to know."""
        return None


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
        self.position = end
        return faces

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


class EnumeratingDice(Dice):
    """Dice that follow one chosen outcome of every question and know how likely it was. See `outcomes`."""

    __slots__ = ("_path", "branches", "denominator", "weight")

    def __init__(self, path: tuple[int, ...]) -> None:
        super().__init__()
        self._path = path
        self.branches: list[int] = []
        self.weight = 1
        self.denominator = 1

    def sort(self, number: int, by: Sorting) -> tuple[int, ...]:
        if number <= 0:
            return (0,) * by.kinds
        choices, total = splits(number, by)
        step = len(self.branches)
        chosen = self._path[step] if step < len(self._path) else 0
        self.branches.append(len(choices))
        counts, weight = choices[chosen]
        self.weight *= weight
        self.denominator *= total
        return counts


@lru_cache(maxsize=8192)
def splits(number: int, by: Sorting) -> tuple[list[tuple[tuple[int, ...], int]], int]:
    """Every way so many dice can fall into the sorts, with its weight, and the sum of all weights."""
    odds = by.odds
    if all(w % 6 == 0 for w in odds):
        odds = tuple(w // 6 for w in odds)
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


R = TypeVar("R", bound=Hashable)


def outcomes(resolve: Callable[[Dice], R]) -> dict[R, Fraction]:
    """Run a rule once for every outcome of its dice; equal results are merged with the sum of their chances."""
    found: dict[R, Fraction] = {}
    for result, weight, out_of in ways(resolve):
        found[result] = found.get(result, Fraction(0)) + Fraction(weight, out_of)
    return found


def ways(resolve: Callable[[Dice], R]) -> Iterator[tuple[R, int, int]]:
    """Run a rule once for every outcome of its dice: what came of it, with its weight and out of how many."""
    path: tuple[int, ...] = ()
    while True:
        dice = EnumeratingDice(path)
        yield resolve(dice), dice.weight, dice.denominator
        taken = list(path) + [0] * (len(dice.branches) - len(path))
        while taken and taken[-1] + 1 >= dice.branches[len(taken) - 1]:
            taken.pop()
        if not taken:
            return
        taken[-1] += 1
        path = tuple(taken)
