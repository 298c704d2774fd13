"""The alternation procedure: going round in initiative order, each player does one thing or passes (LFW-TURN-09).

A phase declares what is done in it as an `Activity` and begins it with `begin_alternation`; then the order of goes,
passes, players who have nothing to do and the army nobody owns are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.lfw.events.turns import Passed
from oriflamme.games.lfw.state import Asking, Battle, Going, Model, Step, step

PASS: Final = Option("pass", "pass")


class Activity:
    """Something that players do in turn."""

    name = ""
    # It ends by confusion: n + 1 passes in a row, and a player without anything to do passes (LFW-CHG-06).
    confusion = False

    def options(self, battle: Battle, side: int) -> list[Option]:
        """What a side may do on its go; nothing: it is skipped."""
        raise NotImplementedError

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        """Ask a side what it does: `put` with the question and its rule."""
        raise NotImplementedError

    # Whether passing is what is suggested to who has no opinion.
    rests = False

    def put(self, battle: Battle, side: int, options: list[Option], ask: str, rule: str) -> Asking[str]:
        """Pick one of the options, or pass if the side may: not as long as a unit of its is to act by its behaviour
        (LFW-AUTO-03)."""
        must = self.must(battle, side) or any(_dictated(battle, self, each) for each in options)
        return pick_one(
            side,
            options if must else [*options, PASS],
            ask,
            rule,
            {"phase": battle.phase},
            why_not=lambda key: self.why_not(battle, side, key),
            passing=None if must else "pass",
            default="pass" if self.rests and not must else None,
        )

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        """Do it; what follows may be put on the turn track."""
        raise NotImplementedError

    def must(self, battle: Battle, side: int) -> bool:
        """The side may not pass."""
        return False

    def why_not(self, battle: Battle, side: int, key: str) -> Refusal | None:
        """Why something is not among the options."""
        return None

    def ended(self, battle: Battle, because: str) -> None:
        """Nobody goes on: "confusion", "passed", or "nobody" if nobody could; "" where nobody ever could."""


ACTIVITIES: Final[dict[str, Activity]] = {}


def activity(kind: type[Activity]) -> type[Activity]:
    """Declare an activity."""
    ACTIVITIES[kind.name] = kind()
    return kind


# How the army that nobody owns plays its go, and how a unit with a behaviour does what it was picked for: given by
# `automata`. Each tells whether something was done.
Ownerless = Callable[[Battle, Activity, list[Option]], Asking[bool]]
Behaving = Callable[[Battle, Activity, Model], Asking[bool]]
OWNERLESS: Final[list[Ownerless]] = []
BEHAVING: Final[list[Behaving]] = []
# Whether a behaviour dictates what an option says (True), has nothing of the kind (False), or says nothing about it
# (None): given by `automata`.
Dictating = Callable[[Battle, Activity, Model, str], bool | None]
DICTATING: Final[list[Dictating]] = []


def open_to(battle: Battle, kind: Activity, side: int) -> list[Option]:
    """What a side may do on its go; a unit that follows a behaviour only what that dictates (LFW-AUTO-03, -09)."""
    return [option for option in kind.options(battle, side) if _dictated(battle, kind, option) is not False]


def _dictated(battle: Battle, kind: Activity, option: Option) -> bool | None:
    unit = option.facts.get("unit")
    model = battle.units.get(unit.partition(".")[0]) if isinstance(unit, str) else None
    if model is None or not model.behaviour:
        return None
    return next((dictates(battle, kind, model, option.key) for dictates in DICTATING), None)


def begin_alternation(battle: Battle, name: str) -> None:
    """It starts with the first player of the initiative order (LFW-TURN-10)."""
    battle.going = Going(name)
    battle.then(alternate)


@step
def alternate(battle: Battle) -> Step:
    """The next go: one action or a pass. It ends when all pass or are skipped one after the other."""
    going = battle.going
    assert going is not None
    kind = ACTIVITIES[going.what]
    order = battle.order
    # Who has conceded is out of the count (LFW-END-04).
    playing = [side for side in order if side not in battle.gone]
    least = len(playing) + 1 if kind.confusion else len(playing)
    place, passes, out = going.place, going.passes, going.out
    because = "confusion" if kind.confusion else "passed"
    while passes < least:
        side = order[place % len(order)]
        place += 1
        if side in battle.gone:
            continue
        options = _options(battle, kind, side) if side not in out else []
        if not options:
            passes += 1
            if kind.confusion and not any(open_to(battle, kind, other) for other in playing):
                because = "nobody" if going.place else ""
                break
            continue
        # What is performed may begin another alternation: this one goes on behind it.
        battle.then(resume, kind.name, place, 0, tuple(sorted(out)))
        if (yield from _play(battle, kind, side, options)):
            return
        battle.track.pop()
        passes += 1
        if battle.option("lfw.passIsFinal") == "yes" and not kind.confusion:
            out |= {side}
    battle.going = None
    kind.ended(battle, because)


def _options(battle: Battle, kind: Activity, side: int) -> list[Option]:
    return battle.worked_out(lambda: open_to(battle, kind, side))


@step
def resume(battle: Battle, name: str, place: int, passes: int, out: tuple[int, ...]) -> None:
    """An alternation goes on after what somebody did."""
    battle.going = Going(name, place, passes, frozenset(out))
    battle.then(alternate)


def _play(battle: Battle, kind: Activity, side: int, options: list[Option]) -> Asking[bool]:
    """A side's go; whether it did something."""
    if side == battle.nobody:
        for play in OWNERLESS:
            if (yield from play(battle, kind, options)):
                return True
        return False
    key = yield from kind.choose(battle, side, options)
    if key == "pass":
        battle.tell(Passed("LFW-TURN-09", side, kind.name))
        return False
    model = battle.units.get(key)
    if model is not None and model.behaviour:
        for behave in BEHAVING:
            if (yield from behave(battle, kind, model)):
                return True
    yield from kind.perform(battle, side, key)
    return True
