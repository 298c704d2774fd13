"""Numbers that keep their reasons: characteristics, modifiers, strengths (T-4, LFW-ATK-25 to -27)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword


class Sum:
    """A number and everything that changed it. All changes are added up (LFW-ATK-27); `floor` holds the sum from below
    (LFW-ATK-26)."""

    __slots__ = ("_held", "base", "floor", "reasons")

    def __init__(self, base: int = 0, *, floor: int | None = None) -> None:
        self.base = base
        self.floor = floor
        self.reasons: list[Reason] = []
        self._held: Reason | None = None

    def copy(self) -> Sum:
        twin = Sum(self.base, floor=self.floor)
        twin.reasons, twin._held = list(self.reasons), self._held
        return twin

    def change(self, amount: int, because: Keyword) -> None:
        """Add to it because of a special rule."""
        self.change_by(amount, because.title, because.rule)

    def change_by(self, amount: int, source: str, rule: str) -> None:
        """Add to it because of what the book says, a command or a spell."""
        if amount:
            self.reasons.append(Reason(source, amount, rule))

    def hold(self, number: int, because: Keyword) -> None:
        """It is this number, whatever changes it."""
        self._held = Reason(because.title, number, because.rule)
        self.reasons.append(self._held)

    def resume(self) -> None:
        """If it is held, it begins at that number, and what changes it from now on counts again."""
        if self._held is not None:
            self.restart(0, [self._held])

    def restart(self, base: int, reasons: list[Reason]) -> None:
        """It is another number from now on, changed by these reasons only."""
        self.base, self.reasons, self._held = base, list(reasons), None

    @property
    def changes(self) -> int:
        return sum(reason.amount for reason in self.reasons)

    @property
    def value(self) -> int:
        if self._held is not None:
            return self._held.amount
        total = self.base + self.changes
        return total if self.floor is None else max(self.floor, total)

    def why(self) -> tuple[Reason, ...]:
        return tuple(self.reasons)


_FORMULA: Final = re.compile(r"^(?:(\d+)\+)?(\d*)[dD]([36])(?:\+(\d+))?$|^(\d+)$")


class Amount(NamedTuple):
    """A number or a formula such as 2D6, D3+1, 5+D3: the sum of the stated dice and constants (LFW-DICE-03)."""

    plus: int
    dice: int = 0
    sides: int = 6

    def total(self, faces: tuple[int, ...]) -> int:
        """What it comes to with these faces of D6: a D3 is half of one, rounded up (LFW-DICE-02)."""
        return self.plus + sum((face + 1) // 2 if self.sides == 3 else face for face in faces)

    def __str__(self) -> str:
        if not self.dice:
            return str(self.plus)
        dice = f"{self.dice if self.dice > 1 else ''}D{self.sides}"
        return f"{dice}+{self.plus}" if self.plus else dice


def amount_of(text: str | int) -> Amount | None:
    """The amount that is written so; None if it is none."""
    match = _FORMULA.match(str(text).replace(" ", ""))
    if match is None:
        return None
    before, dice, sides, after, number = match.groups()
    if number is not None:
        return Amount(int(number))
    return Amount(int(before or 0) + int(after or 0), int(dice or 1), int(sides))
