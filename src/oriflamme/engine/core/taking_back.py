"""What nobody can take back: the end of a battle, which tells everything, and whatever brought a secret to light; and
what nobody takes back without the others: a length that was measured, where nobody measures before he decides."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, NamedTuple

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.rulebook import Rulebook

EVERYBODY = -1  # the side of those who see what everybody sees


class Secrets(NamedTuple):
    """What is hidden from a side: units, and what lies under markers; and the cards that were turned up so far."""

    units: frozenset[str]
    markers: frozenset[str]
    shown: Mapping[tuple[int, str], tuple[Any, ...]]


def secrets_from(play: Play, side: int) -> Secrets:
    """What is hidden from a side now."""
    battle = play.battle
    if battle.is_open():
        return Secrets(frozenset(), frozenset(), {})
    seen = play.view(side).battle
    units = frozenset(battle.units) - frozenset(seen.units)
    under, known = _under(play.game, battle), _under(play.game, seen)
    markers = frozenset(id for id, holds in under.items() if known.get(id) != holds)
    return Secrets(units, markers, {(pile.side, pile.kind): tuple(pile.shown) for pile in seen.piles()})


def _under(game: Rulebook, battle: Any) -> dict[str, str | None]:
    """What lies under each token, as far as may be known."""
    return {token.id: token.holds for token in game.picture().tokens(battle)}


def came_to_light(before: Secrets, now: Secrets, battle: Any) -> bool:
    """Whether something that was hidden before is known now: a unit, what lay under a marker, a card."""
    if (before.units & frozenset(battle.units)) - now.units or before.markers - now.markers:
        return True
    for pile, cards in now.shown.items():
        known = before.shown.get(pile, ())
        # A new round begins with no card turned up.
        if cards != known[: len(cards)]:
            return True
    return False


def why_never(play: Play, to: int) -> Generator[None, None, Refusal | None]:
    """Why nobody can take back the answers after the first `to`, if that is so. Pauses after each that is played again.

    The battle has ended; something hidden came to light, for whomever; or all who were asked something at the same time
    had answered, which opens what each had chosen.
    """
    if not play.pending:
        return Refusal("", "ended_for_good")
    again = play.again()
    sides = (EVERYBODY, *range(play.battle.sides))
    before: list[Secrets] = []
    for number, answer in enumerate(play.answers):
        if number == to:
            before = [secrets_from(again, side) for side in sides]
        question = again.number
        several = len(again.pending) > 1 or question < len(again.answers)
        again.replay([answer])
        yield
        if number < to:
            continue
        if several and again.number > question:
            return Refusal("", "something_was_revealed")
        now = [secrets_from(again, side) for side in sides]
        if any(came_to_light(*both, again.battle) for both in zip(before, now, strict=True)):
            return Refusal("", "something_was_revealed")
        before = now
    return None


def what_was_measured(play: Play, to: int) -> Refusal | None:
    """Why the answers after the first `to` are taken back only if the others agree: a length is known since then."""
    _, events, _ = play.marks[to]
    if not play.battle.open_measuring and any(event.measures for event in play.events[events:]):
        return Refusal(play.battle.measuring_rule, "something_was_measured")
    return None


def nobody_may(play: Play, to: int) -> Refusal | None:
    """The same, without a pause."""
    looking = why_never(play, to)
    while True:
        try:
            next(looking)
        except StopIteration as done:
            refusal: Refusal | None = done.value
            return refusal
