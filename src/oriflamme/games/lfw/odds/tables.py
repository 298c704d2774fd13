"""What tables of odds are made of: columns, clauses and words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from oriflamme.engine.odds import Clause, Table
from oriflamme.engine.odds.telling import Column, Label, Words, table
from oriflamme.engine.words.wording import Wording
from oriflamme.games.lfw.odds.wounds import Law

TEXT: Final = Path(__file__).parents[1] / "text"
in_both: Final = Wording(TEXT, "odds")


class Toll(NamedTuple):
    """What an attack brings its target: wounds that are not cancelled, and how many it can suffer."""

    wounds: Law
    left: int

    @property
    def destroyed(self) -> Fraction:
        return self.wounds.chance(lambda number: number >= self.left)


COLUMNS: Final[list[Column[Toll]]] = [
    Column(in_both("wounds"), lambda toll: toll.wounds, "number"),
    Column(in_both("at_least_one"), lambda toll: toll.wounds.chance(lambda number: number > 0)),
    Column(in_both("destroyed"), lambda toll: toll.destroyed),
]
CLAUSES: Final[list[Clause[Toll]]] = [
    Clause(in_both("p_to_destroy"), lambda toll: toll.destroyed),
    Clause(in_both("n_on_average"), lambda toll: toll.wounds.mean(), in_both.forms("wound"), always=True),
]

Numbers = Sequence[float | Fraction]
# Heads of what is counted; under the others stand chances.
COUNTED: Final = frozenset(
    {
        "wounds",
        "first_wounds",
        "second_wounds",
        "other_enemies",
        "own_friends",
        "own_lost",
        "their_lost",
        "own_flee",
        "their_flee",
        "successes",
        "gained",
    }
)


def of_numbers(
    title: Words, heads: Sequence[str], rows: Iterable[tuple[Label, Numbers]], note: Words | None = None
) -> Table:
    """A table of numbers that are found already, under heads that are labels."""

    def column(place: int, head: str) -> Column[Numbers]:
        return Column(in_both(head), lambda row: row[place], "number" if head in COUNTED else "chance")

    return table(title, [column(place, head) for place, head in enumerate(heads)], rows, note)
