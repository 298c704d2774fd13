"""Courage tests (LFW-DICE-09 to -12)."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one, yes_or_no
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.dicing import throw_dice
from oriflamme.games.lfw.events.morale import CourageTested
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Asking, Battle, Model, Part
from oriflamme.games.lfw.stats import value_of
from oriflamme.games.lfw.values import Sum


class Courage:
    """A courage test about to be made: with which Co, with which modifiers. `before_courage` changes it.

    `about` is why: "rally", "flight" (a voluntary one), "morale", or a spell or rule by its id.
    """

    __slots__ = ("about", "battle", "bonus", "may_reroll", "model", "needed", "part", "passes", "unmodified")

    def __init__(self, battle: Battle, model: Model, part: Part, about: str) -> None:
        self.battle = battle
        self.model = model
        self.part = part
        self.about = about
        self.needed = value_of(battle, part, "Co")
        self.bonus = Sum()
        # It succeeds without dice (LFW-DICE-11); failures may be rolled again; penalties do not count.
        self.passes = False
        self.may_reroll = False
        self.unmodified = False

    @property
    def modifier(self) -> int:
        return sum(reason.amount for reason in self.reasons())

    def reasons(self) -> tuple[Reason, ...]:
        """The modifiers that count."""
        return tuple(reason for reason in self.bonus.why() if reason.amount > 0 or not self.unmodified)


def prepared(battle: Battle, model: Model, part: Part, about: str, modifiers: tuple[Reason, ...] = ()) -> Courage:
    """A test of one part with all that bears on it."""
    courage = Courage(battle, model, part, about)
    courage.bonus.reasons += modifiers
    at(Keyword.before_courage, sets_of(battle, part), courage)
    return courage


def choose_part(battle: Battle, model: Model, about: str, modifiers: tuple[Reason, ...] = ()) -> Asking[Part]:
    """The owner of a duo chooses whose sheet is used (LFW-CAV-06)."""
    if not model.duo:
        return model.alive[0]
    options = [
        Option(part.id, "part", {"unit": part.id, "courage": value_of(battle, part, "Co")}) for part in model.alive
    ]
    best = min(model.alive, key=lambda part: value_of(battle, part, "Co"))
    facts = {"unit": model.id, "about": about, "modifier": sum(reason.amount for reason in modifiers)}
    id = yield from pick_one(model.side, options, "whose_courage", "LFW-CAV-06", facts, default=best.id)
    return battle.part(id)


def passes_courage(battle: Battle, model: Model, about: str, modifiers: tuple[Reason, ...] = ()) -> Asking[bool]:
    """2D6 and modifiers reach Co; two 6s always succeed, two 1s always fail (LFW-DICE-09 to -11). A re-roll throws both
    dice again, once (LFW-DICE-06, -07)."""
    part = yield from choose_part(battle, model, about, modifiers)
    courage = prepared(battle, model, part, about, modifiers)
    if courage.passes:
        battle.tell(CourageTested("LFW-DICE-11", part.id, about, (), 0, courage.needed, True))
        return True
    passed, fixed = yield from _throw(courage)
    if not passed and courage.may_reroll and not fixed:
        facts = {"unit": part.id, "about": about, "modifier": sum(reason.amount for reason in modifiers)}
        if (yield from yes_or_no(part.side, "test_again", "LFW-DICE-07", facts, word="roll_again")):
            passed, _ = yield from _throw(courage)
    return passed


def _throw(courage: Courage) -> Asking[tuple[bool, bool]]:
    """Both dice: whether the test is passed, and whether a die was replaced."""
    battle, part = courage.battle, courage.part
    dice = yield from throw_dice(battle, part.side, 2, "courage")
    faces = (dice[0].face, dice[1].face)
    total = sum(faces) + courage.modifier
    passed = faces == (6, 6) or (faces != (1, 1) and total >= courage.needed)
    rule = "LFW-DICE-10" if faces == (6, 6) else "LFW-DICE-11" if faces == (1, 1) else "LFW-DICE-09"
    battle.tell(CourageTested(rule, part.id, courage.about, faces, total, courage.needed, passed, courage.reasons()))
    return passed, any(die.fixed for die in dice)
