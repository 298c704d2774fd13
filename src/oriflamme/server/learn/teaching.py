"""The hints of a first battle, as the table in the browser shows them, and battles that begin deployed."""

from __future__ import annotations

import secrets
from typing import Any

from oriflamme.engine.core.play import Play
from oriflamme.lab.first_battle import KEY, Progress, begin_deployed, hint_at, lesson_of
from oriflamme.server.clients import encode
from oriflamme.server.store import Kept

Data = dict[str, Any]


class Teacher:
    """What the one who learns is told at each question of a battle; in most battles nobody learns."""

    def __init__(self, setup: Data) -> None:
        self.lesson = lesson_of(setup)
        self._progress = Progress(self.lesson) if self.lesson is not None else None

    def look(self, play: Play) -> None:
        """Note what is explained now."""
        if self._progress is not None:
            self._progress.look(play)

    def about(self) -> Data:
        """What the battle says of itself."""
        lesson = self.lesson
        return {"lesson": {"name": lesson.name, "about": lesson.about, "side": lesson.side}} if lesson else {}

    def with_hint(self, data: Data | None, play: Play, side: int, lang: str) -> Data | None:
        """A question as it is sent, with its hint."""
        decision = play.decision_of(side)
        if data is None or decision is None or self._progress is None or self.lesson is None:
            return data
        told = hint_at(self.lesson, play, decision)
        if told is None:
            return data
        said = told.say.get(lang) or told.say.get("en", "")
        done, of = self._progress.explained(play), len(self.lesson.hints)
        return data | {"hint": {"say": said, "rule": told.rule, "new": told.new, "explained": done, "of": of}}


def kept_of(play: Play, after: int = 0) -> list[Kept]:
    """The answers of a battle as they are stored; those after a number."""
    found = []
    steps = zip(play.answers[after:], play.marks[after:], play.marks[after + 1 :], strict=False)
    for number, ((side, answer), (_, events, dice), (ask, events_now, dice_now)) in enumerate(steps, after + 1):
        thrown = tuple(play.battle.dice.thrown[dice:dice_now])
        found.append(Kept(number, side, ask, encode(answer), thrown, encode(play.events[events:events_now])))
    return found


def again(setup: Data, game: str, number: int, *, swap: bool) -> tuple[Data, list[Kept], int]:
    """A battle to be played again: its setup, the answers it begins with, and its seed. A first battle is deployed
    already, and teaches the one it taught before."""
    seed = secrets.randbits(62)
    lesson = lesson_of(setup)
    if lesson is None:
        return setup, [], seed
    if swap:
        setup = setup | {KEY: setup[KEY] | {"side": (lesson.side + 1) % number}}
    play = begin_deployed(game, setup, seed)
    return play.setup, kept_of(play), seed
