"""What is answered for units that decide nothing (LFW-AUTO-09, -13): no question is put to an army nobody owns, and
none about what a unit does that follows a behaviour.

Optional benefits are used whenever they help; nobody challenges, steps aside, pushes on or splits of its own accord;
who flees goes straight; equal cases are drawn at random, and better ones taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from oriflamme.engine.core.decisions import Decision, PickOne, Together
from oriflamme.engine.core.dice import DIRECTIONS
from oriflamme.games.lfw.answered import ANSWERS, UNDECIDED
from oriflamme.games.lfw.state import Asking, Battle

T = TypeVar("T")
R = TypeVar("R")

# Questions that are answered in one way only; others take what the rules suggest.
ALWAYS: Final = {
    "accept_challenge": "no",
    "challenge": "none",
    "roll_again": "yes",
    "step_aside": "no",
    "stay_hidden": "no",
    "test_again": "yes",
}
# Moves that are never made (LFW-AUTO-13): who flees goes straight, who forces a passage stays before it (LFW-LEG1-08).
NEVER: Final = ("go_through", "hide")
# Questions that are not put to the owner of a unit that follows a behaviour, whenever they come: benefits are used, and
# it flees straight. The others are put to him, or answered while the unit acts.
OF_ITSELF: Final = ("choose_dodge", "hide", "roll_again", "stay_hidden", "test_again")
# Questions in which equal cases are drawn at random.
DRAWN: Final = ("choose_fighter", "choose_combat", "flee_from", "which_component", "shoot_at")


def draw(battle: Battle, among: Sequence[T]) -> T:
    """One of some, each as likely as the next; drawn like a direction, so that it is kept and can be written down."""
    if len(among) == 1:
        return among[0]
    fair = DIRECTIONS - DIRECTIONS % len(among)
    while True:
        drawn = round(10 * battle.dice.direction())
        if drawn < fair:
            return among[drawn % len(among)]


def answer(battle: Battle, asked: Decision) -> Any:
    """The answer to a question that nobody decides."""
    if asked.ask in ALWAYS and isinstance(asked, PickOne):
        keys = [option.key for option in asked.options]
        if ALWAYS[asked.ask] in keys:
            return asked.accept(ALWAYS[asked.ask])
    if asked.ask in NEVER:
        return asked.accept({})
    if asked.ask in DRAWN and isinstance(asked, PickOne):
        return asked.accept(draw(battle, [option.key for option in asked.options if option.key != "none"]))
    return asked.accept(asked.suggestion())


def without_asking(battle: Battle, playing: Asking[R], is_decided: Callable[[Decision], bool]) -> Asking[R]:
    """Play something that asks players, and answer by itself what nobody decides."""
    given: object = None
    while True:
        try:
            asked = playing.send(given)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        if isinstance(asked, Together) or not is_decided(asked):
            given = yield asked
        else:
            given = answer(battle, asked)


def is_undecided(battle: Battle, asked: Decision) -> bool:
    """Nobody decides it: nobody plays that side, or it is about a unit of it that follows a behaviour (LFW-AUTO-09)."""
    if not battle.is_owned(asked.side):
        return True
    unit = asked.about.get("unit")
    if asked.ask not in OF_ITSELF or not isinstance(unit, str):
        return False
    model = battle.units.get(unit.partition(".")[0])
    return model is not None and model.side == asked.side and bool(model.behaviour)


UNDECIDED.append(is_undecided)
ANSWERS.append(answer)
