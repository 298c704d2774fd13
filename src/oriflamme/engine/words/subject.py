"""What words and odds need to know of the game they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Subject(Protocol):
    """The game that words and odds are about. Every `Rulebook` is one."""

    id: str
    measure: str

    def names(self, battle: Any) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """What people call the things that events and questions name otherwise than by units and figures."""

    def defaults(self) -> dict[str, str]:
        """Its house rules, as its catalogue rules them."""
