"""Dice with something to reach, as an event tells of them; `engine.core.luck` makes these and adds them up."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, Literal, NamedTuple

Kind = Literal["attack", "defence", "nerve", "activation", "magic", "other"]
KINDS: Final[tuple[Kind, ...]] = ("activation", "attack", "defence", "nerve", "magic", "other")


class Roll(NamedTuple):
    """Dice somebody rolled: a unit, figure or fighter by its id, or a side. `got` counts successes, of which dice that
    earn dice may have more than there were dice."""

    who: str | int
    kind: Kind
    dice: int
    got: Fraction
    expected: Fraction
    variance: Fraction
