"""A "no" is proven: what the program calls impossible, a search that knows none of its geometry must not find.

Each question of a game that decides over a fighter's life, a move or an offer is a module here with a `QUESTION`. Its
`scene` lays a crowded scene by chance, asks the program, and looks for itself: by fine grids, with shapely where it
fits, slowly, and by the words of the rule alone. What comes of it is one of four:

    possible      the program says yes and shows how, and the rule as written here agrees
    impossible    the program says no, and the grid finds nothing
    finer         the program shows a way that is legal by the rule as written here, and that fell between the grid
    (a Fault)     something legal was refused, or something illegal was allowed

    python -m tests.proofs --scenes 10000           every question, and the table for people
    python -m tests.proofs --only sbh-flight --seed 4711 --scenes 1
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Literal, NamedTuple

Found = Literal["possible", "impossible", "finer"]


class Fault(AssertionError):
    """The program and the rule disagree: `kind` is "refused" (it was legal) or "allowed" (it was not)."""

    def __init__(self, kind: Literal["refused", "allowed"], what: str) -> None:
        super().__init__(f"{kind}: {what}")
        self.kind = kind


class Question(NamedTuple):
    """One question: its name (`game-question`), the rule that asks it, and a scene by its seed."""

    name: str
    rule: str
    scene: Callable[[int], Found]


def questions() -> list[Question]:
    """All questions there are, by name."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        if module.name not in ("__main__", "test_proofs"):
            loaded = importlib.import_module(f"{__name__}.{module.name}")
            found += [loaded.QUESTION] if hasattr(loaded, "QUESTION") else getattr(loaded, "QUESTIONS", [])
    return sorted(found, key=lambda question: question.name)
