"""The authority roll: at deployment and at the start of each turn (RN3-AUTH)."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.decisions import Option, PickOne
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import answer_to, answers_to, pick_one
from oriflamme.games.rn3.events.turns import (
    AuthorityPushed,
    AuthorityRolled,
    AuthorityTied,
    AuthorityWon,
    FirstChosen,
)
from oriflamme.games.rn3.leaders import authority_of, commander_of
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.state import Asking, Battle, skills_of


class AuthorityRoll:
    """What one side has rolled so far: how many dice at first, the total, and whether it failed by a 1.

    `may_push` if the die that counts is a 6 that was rolled just now (RN3-AUTH-05).
    """

    __slots__ = ("authority", "dice", "faces", "failed", "may_push", "side", "total")

    def __init__(self, side: int, authority: int) -> None:
        self.side = side
        self.authority = authority
        self.dice = 1
        self.total = authority
        self.failed = False
        self.may_push = False
        self.faces: tuple[int, ...] = ()

    def add(self, faces: Sequence[int]) -> None:
        """Dice fall: the best is kept and added; a 1 makes the whole roll a failure, a 6 may be followed by another
        die (RN3-AUTH-03, -05, -06)."""
        kept = max(faces)
        self.faces += tuple(faces)
        self.total += kept
        self.failed = self.failed or kept == 1
        self.may_push = kept == 6


def roll_authority(battle: Battle, about: str) -> Asking[int]:
    """Both sides roll a die and add the AUT of their commander; who wins.

    1. A commander who is a Strategist rolls two and keeps the better.              RN3-AUTH-03
    2. A 1 is a failure, after sixes too; a failure loses against any other roll.   RN3-AUTH-06
    3. After a 6 a further die may be rolled: the lower total announces first.      RN3-AUTH-05, -07
    4. A tie, or two failures: all dice again.                                      RN3-AUTH-04
    """
    while True:
        rolls = [_first_dice(battle, side) for side in (0, 1)]
        while any(roll.may_push for roll in rolls):
            pushing = yield from _announce(battle, rolls)
            for roll in rolls:
                roll.may_push = False
            for roll in sorted(pushing, key=lambda roll: roll.side):
                roll.add([battle.dice.d6()])
                _tell(battle, roll)
        totals = (rolls[0].total, rolls[1].total)
        winner = winner_of(rolls)
        if winner is not None:
            battle.tell(AuthorityWon("RN3-AUTH-01", winner, about, totals))
            return winner
        battle.tell(AuthorityTied("RN3-AUTH-04", totals))


def _first_dice(battle: Battle, side: int) -> AuthorityRoll:
    roll = AuthorityRoll(side, authority_of(battle, side))
    commander = commander_of(battle, side)
    if commander is not None:
        at(Keyword.before_authority, (skills_of(*commander),), roll)
    roll.add([battle.dice.d6() for _ in range(roll.dice)])
    _tell(battle, roll)
    return roll


def _tell(battle: Battle, roll: AuthorityRoll) -> None:
    battle.tell(
        AuthorityRolled("RN3-AUTH-01", roll.side, roll.authority, roll.faces, roll.total, roll.failed),
    )


def winner_of(rolls: Sequence[AuthorityRoll]) -> int | None:
    """The higher total of those who did not fail; None if it is a tie."""
    one, other = rolls
    if one.failed != other.failed:
        return other.side if one.failed else one.side
    if one.failed or one.total == other.total:
        return None
    return one.side if one.total > other.total else other.side


def _announce(battle: Battle, rolls: Sequence[AuthorityRoll]) -> Asking[list[AuthorityRoll]]:
    """Who of those who may rolls a further die: the lower total says so first, on equal totals the lower AUT; if that
    is equal too, both at the same time and in secret (RN3-AUTH-07)."""
    able = sorted((roll for roll in rolls if roll.may_push), key=lambda roll: (roll.total, roll.authority))
    if len(able) == 2 and (able[0].total, able[0].authority) == (able[1].total, able[1].authority):
        answers = yield from answers_to(*(_question(roll, rolls, secret=True) for roll in able))
        for roll, answer in zip(able, answers, strict=True):
            battle.tell(AuthorityPushed("RN3-AUTH-07", roll.side, answer == "yes"))
        return [roll for roll, answer in zip(able, answers, strict=True) if answer == "yes"]
    pushing: list[AuthorityRoll] = []
    for number, roll in enumerate(able):
        answer = yield from answer_to(_question(roll, rolls, announced=pushing if number else None))
        battle.tell(AuthorityPushed("RN3-AUTH-07", roll.side, answer == "yes"))
        if answer == "yes":
            pushing.append(roll)
    return pushing


def _question(
    roll: AuthorityRoll,
    rolls: Sequence[AuthorityRoll],
    *,
    announced: Sequence[AuthorityRoll] | None = None,
    secret: bool = False,
) -> PickOne:
    """Whether a side rolls a further die; `announced` are those who will, once the other side has said so."""
    other = rolls[1 - roll.side]
    options = [Option("yes", "push_authority"), Option("no", "push_authority")]
    about = {
        "total": roll.total,
        "other": other.total,
        "other_failed": other.failed,
        "other_may": other.may_push and announced is None,
        "other_rolls": announced is not None and other in announced,
    }
    return PickOne(
        roll.side, options, "push_authority", "RN3-AUTH-05", about, secret=secret, default="no", measured=True
    )


def choose_first(battle: Battle, winner: int, about: str) -> Asking[int]:
    """The winner decides which player starts (RN3-AUTH-08)."""
    options = [Option(str(side + 1), "side", {"side": side}) for side in (winner, 1 - winner)]
    ask = "choose_first_deployment" if about == "deployment" else "choose_first_turn"
    answer = yield from pick_one(winner, options, ask, "RN3-AUTH-08", measured=True)
    first = int(answer) - 1
    battle.tell(FirstChosen("RN3-AUTH-08", winner, first, about))
    return first
