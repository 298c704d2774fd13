"""The authority gamble, counted: what a further die after a 6 brings (RN3-AUTH-04 to -07)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from oriflamme.engine.core.dice import Dice, outcomes
from oriflamme.games.rn3.authority import AuthorityRoll, winner_of


class Gamble(NamedTuple):
    """How likely a side wins the authority roll, loses it, or ties, so that all dice are rolled again."""

    wins: float
    ties: float
    loses: float


def gambles(about: Mapping[str, Any]) -> dict[tuple[str, bool], Gamble]:
    """For each answer, and whether the other side rolls a further die too: what follows if nobody goes on after that.

    `about` is what the question says: both totals, whether the other side has failed, whether it may still roll, and
    whether it has said that it will.
    """
    others = (False, True) if about["other_may"] else (bool(about["other_rolls"]),)
    return {(answer, other): _gamble(about, answer == "yes", other) for other in others for answer in ("yes", "no")}


def _gamble(about: Mapping[str, Any], own: bool, other: bool) -> Gamble:
    def rolled(dice: Dice) -> int | None:
        rolls = [AuthorityRoll(0, about["total"]), AuthorityRoll(1, about["other"])]
        rolls[1].failed = about["other_failed"]
        for roll, further in zip(rolls, (own, other), strict=True):
            if further:
                roll.add([dice.d6()])
        return winner_of(rolls)

    found = outcomes(rolled)
    return Gamble(*(float(found.get(side, 0)) for side in (0, None, 1)))
