"""What one side of a battle is shown."""

from __future__ import annotations

from typing import Any

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.words.outcomes import side_letter


class View:
    """What one side may know: its own copy of the state without secrets, and the question it is asked, if any."""

    __slots__ = ("battle", "decision", "number", "side")

    def __init__(self, side: int, battle: Any, decision: Decision | None, number: int) -> None:
        self.side = side
        self.battle = battle
        self.decision = decision
        self.number = number

    def __repr__(self) -> str:
        return f"<View of side {side_letter(self.side)}: round {self.battle.round}, {self.decision or 'not asked'}>"

    def data(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "number": self.number,
            "battle": self.battle.data(),
            "decision": self.decision.data() if self.decision is not None else None,
        }
