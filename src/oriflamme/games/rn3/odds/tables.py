"""Tables of the odds of Rag'Narok 3, and their words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from oriflamme.engine.odds import Table
from oriflamme.engine.odds.telling import Words, listed, table
from oriflamme.engine.words.wording import Wording
from oriflamme.games.rn3.odds.laws import Law, mean

TEXT: Final = Path(__file__).parents[1] / "text"
in_both: Final = Wording(TEXT, "odds")


def numbers(made: Table, *places: int) -> Table:
    """The same with these columns told as numbers."""
    columns = [{**column, "as": "number"} if n in places else column for n, column in enumerate(made.columns)]
    return msgspec.structs.replace(made, columns=columns)


def matrix_table(title: Words, found: Sequence[Sequence[Law]], note: Words | None = None) -> Table:
    """Models lost on average for each split: a row for each number of attack dice, a column for each of defence."""
    columns = [in_both("against_defence", dice=d) for d in range(len(found[0]))]
    rows = [(in_both("with_attack", dice=a), [mean(law) for law in row]) for a, row in enumerate(found) if a]
    return numbers(table(title, listed(columns), rows, note), *range(1, len(columns) + 1))
