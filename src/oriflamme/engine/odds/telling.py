"""Odds for people: in a table, in one short sentence and in a small chart, in the words and numbers of each language.

A game declares what its tables and sentences hold (`Column`, `Clause`); the words are labels of its text files.
As plain data they are

    table       {"title": {"en", "fr"}, "columns": [{"en", "fr"}, …], "rows": [[label, number, …], …], "note": …}
    sentence    {"en": "62% to destroy, 4.1 wounds on average", "fr": …}
    chart       {"title": {"en", "fr"}, "bars": [{"label": {"en", "fr"}, "chance": 0.08}, …]}

The label of a row is the key of the option it belongs to, or a name by language. The first column holds the labels; the
others hold chances, but one that is `as` "number" holds numbers, and one that is `as` "at_least" how likely so many or
more are: `{"1": 0.98, "2": 0.9}`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

import msgspec

from oriflamme.engine.odds.distribution import Distribution, Estimate
from oriflamme.engine.words.notices import tell
from oriflamme.engine.words.sentences import LANGUAGES, engine_words

# What odds are told of: whatever a game counts.
Of = TypeVar("Of")
Counted = TypeVar("Counted", contravariant=True)
Data = dict[str, Any]
# What something is called, by language.
Words = Mapping[str, str]
Forms = Mapping[str, Sequence[str]]
Label = str | Words
Value = float | Fraction | Distribution[int]

Kind = Literal["chance", "number", "at_least"]

MOST_BARS: Final = 14
_RARE: Final = 0.002
NO_WORDS: Final[Words] = dict.fromkeys(LANGUAGES, "")
JUST_THE_NUMBER: Final[Words] = dict.fromkeys(LANGUAGES, "{n}")


# -- numbers -----------------------------------------------------------------------------------------------------------


def percent(share: float, lang: str, error: float = 0.0) -> str:
    """`62%`, or `62 ± 1%` for what was sampled; what is possible but rare is not told as nothing."""
    if 0.0 < share < 0.005:
        number = f"< {_number(1, 0, lang)}"
    elif 0.995 < share < 1.0:
        number = f"> {_number(99, 0, lang)}"
    else:
        number = _number(share * 100, 0, lang)
    about = f" ± {_number(max(1.0, error * 100), 0, lang)}" if error else ""
    return f"{number}{about}\u202f%" if lang == "fr" else f"{number}{about}%"


def count(value: float, lang: str, one: str, many: str) -> str:
    """`4.1 wounds`, `1 wound`; in French all that is less than two is singular."""
    number = _number(value, 1, lang)
    single = round(value, 1) < 2 if lang == "fr" else number == "1"
    return f"{number} {one if single else many}"


def _number(value: float, places: int, lang: str) -> str:
    number = f"{value:.{places}f}"
    number = number.rstrip("0").rstrip(".") if places else number
    return number.replace(".", ",") if lang == "fr" else number


def _mean(value: Value) -> float:
    return float(value.mean()) if isinstance(value, Distribution) else value if isinstance(value, int) else float(value)


def law_data(law: Distribution[int], samples: int = 0) -> Data:
    """A distribution as plain data; of one that was sampled also the standard error of its mean."""
    data: Data = {"mean": float(law.mean()), "chances": law.to_data()}
    return data | {"error": Estimate.of_mean(law, samples).error} if samples else data


# -- tables ------------------------------------------------------------------------------------------------------------


class Table(msgspec.Struct, frozen=True):
    """Odds in rows and columns. `note` says what they leave out, or how they are to be read."""

    title: Words
    columns: Sequence[Words]
    rows: Sequence[Sequence[Any]]
    note: Words | None = None

    def data(self) -> Data:
        data: Data = {"title": self.title, "columns": self.columns, "rows": self.rows}
        return data | {"note": self.note} if self.note is not None else data


class Column(NamedTuple, Generic[Counted]):
    """A column of a table: what it is called, and what it tells of the odds of a row. One that is `rare` is left out
    where it is nothing in every row. A distribution is told by its mean."""

    words: Words
    of: Callable[[Counted], Value]
    kind: Kind = "chance"
    rare: bool = False

    def heading(self) -> Words:
        return self.words if self.kind == "chance" else {**self.words, "as": self.kind}

    def cell(self, odds: Counted) -> Any:
        value = self.of(odds)
        if self.kind == "at_least":
            assert isinstance(value, Distribution)
            return {str(number): float(value.at_least(number)) for number in sorted(value) if number}
        return _mean(value)


def listed(words: Iterable[Words], kind: Kind = "chance") -> list[Column[Sequence[float]]]:
    """Columns for rows whose numbers are found already, one after the other."""
    return [Column(one, itemgetter(number), kind) for number, one in enumerate(words)]


def table(
    title: Words,
    columns: Iterable[Column[Of]],
    rows: Iterable[tuple[Label, Of]],
    note: Words | None = None,
    *,
    head: Words = NO_WORDS,
) -> Table:
    """A row for each of the odds under its label; `head` is what the labels are called."""
    labels, odds = zip(*found, strict=True) if (found := list(rows)) else ((), ())
    filled = [(column.heading(), [column.cell(one) for one in odds], column.rare) for column in columns]
    shown = [(heading, cells) for heading, cells, rare in filled if not rare or any(cells)]
    made = [[label, *(cells[number] for _, cells in shown)] for number, label in enumerate(labels)]
    return Table(title, [head, *(heading for heading, _ in shown)], made, note)


# -- sentences ---------------------------------------------------------------------------------------------------------


class Clause(NamedTuple, Generic[Counted]):
    """A part of a sentence about an attack: `{p}` in its words is a chance, `{n}` a number of what its `forms` name.
    It is left out where there is no such chance, or nothing is counted and it is not told `always`."""

    words: Words
    of: Callable[[Counted], Value | None]
    forms: Forms | None = None
    always: bool = False

    def text(self, odds: Counted, lang: str, samples: int) -> str:
        value = self.of(odds)
        number = 0.0 if value is None else _mean(value)
        if value is None or not (number or self.always):
            return ""
        if self.forms is not None:
            one, many = self.forms[lang]
            return tell(self.words[lang], {"n": count(number, lang, one, many)}, lang)
        error = Estimate.of_chance(Fraction(number), samples).error if samples else 0.0
        return tell(self.words[lang], {"p": percent(number, lang, error)}, lang)


def sentence(
    odds: Of,
    clauses: Iterable[Clause[Of]],
    back: Iterable[Clause[Of]] = (),
    *,
    label: Words | None = None,
    most: int | None = None,
    samples: int = 0,
) -> dict[str, str]:
    """What an attack may bring in one sentence: what it is called, at `most` so many clauses, and then those about what
    it brings to whoever makes it."""

    def sentence(lang: str) -> str:
        words = engine_words(lang).words["list"]
        first, then = (
            ", ".join([part for clause in group if (part := clause.text(odds, lang, samples))][:number])
            for group, number in ((clauses, most), (back, None))
        )
        said = words["apart"].join(filter(None, (first, then)))
        return f"{label[lang]}{words['of']}{said}" if label is not None else said

    return {lang: sentence(lang) for lang in LANGUAGES}


# -- charts ------------------------------------------------------------------------------------------------------------


class Chart(msgspec.Struct, frozen=True):
    """How likely each thing is that may happen, as bars."""

    title: Words
    bars: Sequence[tuple[Words, float]]

    def data(self) -> Data:
        return {"title": self.title, "bars": [{"label": label, "chance": chance} for label, chance in self.bars]}


def chart_of(title: Words, law: Distribution[int] | Mapping[int, float]) -> Chart:
    """A chart of how many: numbers that are hardly ever met are left out at both ends, and many are put together."""
    chances = {number: float(chance) for number, chance in law.items()}
    likely = [number for number, chance in chances.items() if chance >= _RARE]
    if not likely:
        return Chart(title, ())
    low, high = min(likely), max(likely)
    wide = -(-(high - low + 1) // MOST_BARS)
    bars = []
    for first in range(low, high + 1, wide):
        last = min(first + wide - 1, high)
        label = str(first) if first == last else f"{first}–{last}"
        bars.append((dict.fromkeys(LANGUAGES, label), sum(chances.get(n, 0.0) for n in range(first, last + 1))))
    return Chart(title, bars)
