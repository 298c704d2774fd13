"""Limits: what a book says about a list as a whole, each as a small object that cites its rule.

A limit names every problem it finds. One that counts something (`Most`) also says how full it is, so that a list
builder shows the very number that is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeVar

from oriflamme.engine.lists.fields import Names
from oriflamme.engine.lists.units import Gauge
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem

S = TypeVar("S", contravariant=True)


class Terms(NamedTuple):
    """What players have agreed on for a list: its points, and house rules by key."""

    points: int
    options: Mapping[str, str] = MappingProxyType({})


class Limit(Generic[S]):
    """One limit on a list of units. A game derives its own, each with the `rule` it cites."""

    rule: str = ""

    def holds(self, terms: Terms) -> bool:
        """Whether it holds under these house rules."""
        return True

    def problems(self, units: Sequence[S], terms: Terms) -> Iterator[Problem]:
        """Everything about these units that breaks it."""
        raise NotImplementedError

    def broken(self, where: str, what: Notice, hint: Notice | None = None) -> Problem:
        """A problem that cites it."""
        return Problem(where, what, self.rule, hint)


class Most(Limit[S]):
    """At most so many of something in the list. `key` and `name` say of what, `where` is its place in a list file;
    `code` and `remedy` are the notices about too many of it: they are told the `number`, the `points`, the `most`."""

    key: str = ""
    name: ClassVar[Names] = {}
    where: str = "units"
    code: str = ""
    remedy: str = ""

    def used(self, units: Sequence[S], terms: Terms) -> int:
        """How many there are."""
        raise NotImplementedError

    def most(self, units: Sequence[S], terms: Terms) -> int:
        """How many there may be."""
        raise NotImplementedError

    def exceeded(self, units: Sequence[S], terms: Terms, used: int, most: int) -> Problem:
        """What to say of too many."""
        what = notice(self.code, number=used, points=terms.points, most=most)
        return self.broken(self.where, what, notice(self.remedy) if self.remedy else None)

    def problems(self, units: Sequence[S], terms: Terms) -> Iterator[Problem]:
        used, most = self.used(units, terms), self.most(units, terms)
        if used > most:
            yield self.exceeded(units, terms, used, most)

    def gauge(self, units: Sequence[S], terms: Terms) -> Gauge:
        """How full it is."""
        return Gauge(self.key, self.name, self.used(units, terms), self.most(units, terms), self.rule)


class Costs(Protocol):
    """Whatever has a price."""

    @property
    def cost(self) -> int: ...


class WithinPoints(Most[Costs]):
    """The agreed points are a ceiling; a list may cost less."""

    key = "points"

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def used(self, units: Sequence[Costs], terms: Terms) -> int:
        return sum(unit.cost for unit in units)

    def most(self, units: Sequence[Costs], terms: Terms) -> int:
        return terms.points

    def exceeded(self, units: Sequence[Costs], terms: Terms, used: int, most: int) -> Problem:
        return self.broken("points", notice("too_dear", cost=used, points=most), self.hint(used, most))

    def hint(self, used: int, most: int) -> Notice:
        return notice("take_out_or_more")


T = TypeVar("T")


def problems_with(limits: Iterable[Limit[T]], units: Sequence[T], terms: Terms) -> list[Problem]:
    """All that is wrong with these units, limit by limit."""
    return [problem for limit in limits if limit.holds(terms) for problem in limit.problems(units, terms)]
