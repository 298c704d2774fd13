"""How likely each value is, exactly. Whole numbers inside, fractions at the edge, decimals only for people.

A rule is counted by running it under enumerating dice (`Distribution.of`). Dice that do not touch one another are
counted one at a time and added up (`power`); what follows from a value is counted from each value apart, and equal
outcomes are merged (`then`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm, prod, sqrt
from typing import Any, Generic, TypeVar, cast

from oriflamme.engine.core.dice import Dice, ways

V = TypeVar("V", bound=Hashable)
W = TypeVar("W", bound=Hashable)


class Distribution(Generic[V]):
    """A chance for every value that can come up; together they make 1. Never altered, compared by value.

    Where dice earn dice, the most unlikely outcomes are lumped together: `lumped` is a bound for how likely those are.

    >>> die = Distribution({face: Fraction(1, 6) for face in range(1, 7)})
    >>> die.power(2)[7]
    Fraction(1, 6)
    """

    __slots__ = ("_total", "_weights", "lumped")

    _weights: dict[V, int]
    _total: int
    lumped: Fraction | int

    def __init__(self, chances: Mapping[V, Fraction | int], total: int = 0, lumped: Fraction | int = 0) -> None:
        """With a `total`, the chances are whole shares of it already, none of them nothing."""
        if total:
            self._weights = cast("dict[V, int]", chances)
            self._total = total
            self.lumped = lumped
            return
        total = lcm(*(chance.denominator for chance in chances.values()))
        self._weights = {v: chance.numerator * (total // chance.denominator) for v, chance in chances.items() if chance}
        self._total = total
        self.lumped = 0
        if sum(self._weights.values()) != total or min(self._weights.values()) < 0:
            raise ValueError(f"chances make {float(sum(chances.values())):g}, not 1")

    @classmethod
    def weighted(cls, weights: Mapping[V, int]) -> Distribution[V]:
        """Each value as likely as its weight says."""
        return Distribution({value: weight for value, weight in weights.items() if weight}, sum(weights.values()))

    @classmethod
    def always(cls, value: V) -> Distribution[V]:
        """Nothing is left to chance."""
        return Distribution({value: 1}, 1)

    @classmethod
    def of(cls, rule: Callable[[Dice], V]) -> Distribution[V]:
        """What comes of a rule that throws dice."""
        found = list(ways(rule))
        total = lcm(*{way.out_of for way in found})
        weights: dict[V, int] = {}
        lumped = 0
        for result, weight, out_of, several in found:
            weight *= total // out_of
            weights[result] = weights.get(result, 0) + weight
            lumped += weight if several else 0
        return Distribution(weights, total, Fraction(lumped, total) if lumped else 0)

    @classmethod
    def counted(cls, values: Iterable[V]) -> Distribution[V]:
        """How often each value came up among some that were tried."""
        weights: dict[V, int] = {}
        for value in values:
            weights[value] = weights.get(value, 0) + 1
        return cls.weighted(weights)

    @classmethod
    def added(cls, *parts: tuple[Distribution[V], int]) -> Distribution[V]:
        """The sum of independent values, so many of each part: numbers, or equally long tuples of counts.

        Weights are written into one long number, a field of bytes for each value: multiplying such numbers adds the
        values and multiplies the weights, and nothing multiplies long numbers faster than Python itself.
        """
        added = _added([part for part in parts if part[1]] or [(parts[0][0], 0)])
        lumped = sum([part.lumped * number for part, number in parts if part.lumped])
        return Distribution(added._weights, added._total, lumped) if lumped else added

    # -- asking ---------------------------------------------------------------------------------------------------

    def __getitem__(self, value: V) -> Fraction:
        return Fraction(self._weights.get(value, 0), self._total)

    def __iter__(self) -> Iterator[V]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def items(self) -> Iterator[tuple[V, Fraction]]:
        """Every value that can come up, with its chance."""
        return ((value, Fraction(weight, self._total)) for value, weight in self._weights.items())

    def weights(self) -> dict[V, int]:
        """Every value that can come up, with its weight; the sum of all weights is `out_of`."""
        return self._weights

    @property
    def out_of(self) -> int:
        return self._total

    def total(self) -> Fraction:
        """All chances together: 1."""
        return Fraction(sum(self._weights.values()), self._total)

    def chance(self, of: Callable[[V], bool]) -> Fraction:
        """The chance that a value for which this is true comes up."""
        return Fraction(sum(weight for value, weight in self._weights.items() if of(value)), self._total)

    def at_least(self, number: V) -> Fraction:
        """The chance of so many or more."""
        return self.chance(lambda value: value >= number)  # type: ignore[operator]

    def decimal(self, of: Callable[[V], float]) -> float:
        """What a function makes of the value on average, as a decimal; of a truth, its chance."""
        return sum([of(value) * (weight / self._total) for value, weight in self._weights.items()])

    def mean(self) -> Fraction:
        """The value on average, for values that are numbers."""
        return Fraction(sum(cast(Any, value) * weight for value, weight in self._weights.items()), self._total)

    def deviation(self) -> float:
        """How far values usually lie from the mean (the standard deviation)."""
        mean = self.mean()
        squares = sum((cast(Any, value) - mean) ** 2 * weight for value, weight in self._weights.items())
        return sqrt(squares / self._total)

    # -- making others --------------------------------------------------------------------------------------------

    def map(self, what: Callable[[V], W]) -> Distribution[W]:
        """What a function makes of the value; equal results are merged."""
        weights: dict[W, int] = {}
        known = weights.get
        for value, weight in self._weights.items():
            made = what(value)
            weights[made] = known(made, 0) + weight
        return Distribution(weights, self._total, self.lumped)

    def then(self, what: Callable[[V], Distribution[W]]) -> Distribution[W]:
        """What follows from the value by chance; equal results are merged."""
        if len(self._weights) == 1 and not self.lumped:
            return what(next(iter(self._weights)))
        followed = [(weight, what(value)) for value, weight in self._weights.items()]
        lumped = self.lumped + sum(
            [after.lumped * Fraction(weight, self._total) for weight, after in followed if after.lumped]
        )
        common = lcm(*{after._total for _, after in followed})
        weights: dict[W, int] = {}
        known = weights.get
        for weight, after in followed:
            scale = weight * (common // after._total)
            for made, share in after._weights.items():
                weights[made] = known(made, 0) + scale * share
        return Distribution(weights, self._total * common, lumped)

    def convolve(self, other: Distribution[V]) -> Distribution[V]:
        """The sum of two independent values."""
        for nothing, something in ((self, other), (other, self)):
            if len(nothing._weights) == 1 and 0 in nothing._weights:
                return something
        return self.added((self, 1), (other, 1))

    def power(self, number: int) -> Distribution[V]:
        """The sum of so many independent values of this distribution."""
        return self.added((self, number))

    # -- showing --------------------------------------------------------------------------------------------------

    def to_data(self) -> dict[str, float]:
        """Plain data for a program: each value as text, in order, with its chance as a decimal."""
        values = sorted(self._weights, key=cast(Any, None))
        return {str(value): self._weights[value] / self._total for value in values}

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Distribution):
            if self._weights.keys() != other._weights.keys():
                return False
            return all(w * other._total == other._weights[v] * self._total for v, w in self._weights.items())
        if isinstance(other, Mapping):
            return dict(self.items()) == {value: chance for value, chance in other.items() if chance}
        return NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{value!r}: {weight / self._total:.4g}" for value, weight in self._weights.items())
        return f"<{shown}>"


class Estimate:
    """A figure that was tried out rather than counted: about so much, give or take `error` (one standard error)."""

    __slots__ = ("error", "value")

    def __init__(self, value: float, error: float) -> None:
        self.value = value
        self.error = error

    @classmethod
    def of_chance(cls, chance: Fraction, samples: int) -> Estimate:
        """A chance as seen in so many samples. One never or always seen is known to about 1 in that many."""
        spread = sqrt(chance * (1 - chance) / samples)
        return cls(float(chance), max(spread, 1 / samples))

    @classmethod
    def of_mean(cls, values: Distribution[int], samples: int) -> Estimate:
        return cls(float(values.mean()), values.deviation() / sqrt(samples))

    def __str__(self) -> str:
        return f"{self.value:.3g} ± {self.error:.2g}"


def _added(parts: Sequence[tuple[Distribution[Any], int]]) -> Distribution[Any]:
    if len(parts) == 1 and parts[0][1] == 1:
        return parts[0][0]
    if isinstance(next(iter(parts[0][0]._weights)), tuple):
        return _added_along_axes(parts)
    step = 0
    for part, _ in parts:
        low = min(part._weights)
        step = gcd(step, *[value - low for value in part._weights])
    step = step or 1
    total = prod([part._total**number for part, number in parts])
    field = (total.bit_length() + 7) // 8
    packed, start, length = 1, 0, 1
    for part, number in parts:
        low = min(part._weights)
        written = 0
        for value, weight in part._weights.items():
            written += weight << (8 * field * ((value - low) // step))
        packed *= written**number
        start += low * number
        length += (max(part._weights) - low) // step * number
    data = packed.to_bytes(field * length, "little")
    weights: dict[Any, int] = {}
    for cell in range(length):
        weight = int.from_bytes(data[cell * field : (cell + 1) * field], "little")
        if weight:
            weights[start + cell * step] = weight
    return Distribution(weights, total)


def _added_along_axes(parts: Sequence[tuple[Distribution[Any], int]]) -> Distribution[Any]:
    """The same for tuples: the cells of all axes lie in one row, those of the last axis side by side."""
    values = [list(zip(*part._weights, strict=True)) for part, _ in parts]
    steps, lengths = [], []
    for axis in range(len(values[0])):
        step = gcd(*[number for columns in values for number in columns[axis]]) or 1
        steps.append(step)
        lengths.append(1 + sum([max(c[axis]) // step * number for c, (_, number) in zip(values, parts, strict=True)]))
    strides = [prod(lengths[axis + 1 :]) for axis in range(len(lengths))]
    axes = list(zip(steps, strides, lengths, strict=True))

    rows = []
    for part, number in parts:
        row = {
            sum([along // step * stride for along, (step, stride, _) in zip(value, axes, strict=True)]): weight
            for value, weight in part._weights.items()
        }
        rows.append((Distribution(row, part._total), number))
    added = _added(rows)
    weights = {
        tuple([cell // stride % length * step for step, stride, length in axes]): weight
        for cell, weight in added._weights.items()
    }
    return Distribution(weights, added._total)
