"""What each side may know of a battle: the table, the log, the questions and refusals, in its language.

Everything is made from `Play.view`: nothing holds the dice to come, the seed, what is hidden from its receiver, or what
others committed.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import Any, Final

import msgspec

from oriflamme.drawing.tags import unit_tags
from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.decisions import Decision, Manoeuvre, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.measuring import told_refusal, why_not_measured
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.text import Names, Voice
from oriflamme.server.clients import encode
from oriflamme.server.film import line_of
from oriflamme.server.questions import offered, question
from oriflamme.server.scene import Painter
from oriflamme.server.store import SPECTATOR
from oriflamme.server.words import refusal_line, spans

Data = dict[str, Any]

NOBODY: Final = -9  # whose names nobody has asked for yet


class Views:
    """One battle as each side sees it. What was made for one client is kept for the next, until something happens."""

    def __init__(self, game: Game, first: Battle[Any], play: Play) -> None:
        self.game = game
        self.play = play
        self.tags = unit_tags(first)
        # Whether this game ever hides anything; whether it does now, the battle knows.
        self.has_secrets = type(first).hide is not Battle.hide
        self.names = Names(game, first, self.tags)
        self.voices = {lang: Voice(game, self.names, lang) for lang in LANGUAGES}
        self._seen: dict[int, Any] = {}
        self._scenes: dict[int, Data] = {}
        self._painters: dict[int, Painter] = {}
        self._named = NOBODY
        self._open = False
        self._lines: dict[tuple[int, str], list[msgspec.Raw]] = {}
        self._spoken: dict[tuple[int, str, int], msgspec.Raw] = {}

    def begin_anew(self, play: Play) -> None:
        """The battle is played again from the beginning."""
        self.play = play
        self._lines.clear()

    def changed(self) -> None:
        """Something has happened: the table is looked at anew."""
        self._seen.clear()
        self._scenes.clear()
        self._spoken.clear()
        self._named = NOBODY
        self._open = self.play.battle.is_open()

    def seen(self, side: int) -> Any:
        """The battle as a side sees it; a spectator sees what everybody does."""
        side = self._eyes(side)
        if side not in self._seen:
            self._seen[side] = self.play.view(side).battle
        return self._seen[side]

    def _eyes(self, side: int) -> int:
        """Whose eyes are as good: where nothing is hidden, anybody's."""
        return SPECTATOR if self._open else side

    def _look(self, side: int) -> Any:
        """What a side sees, to be read and nothing else: the battle itself where nothing is hidden."""
        return self.play.battle if self._open else self.seen(side)

    def scene(self, side: int) -> Data:
        side = self._eyes(side)
        if side not in self._scenes:
            self._learn(side)
            painter = self._painters.setdefault(side, Painter(self.game, self.tags))
            self._scenes[side] = painter.scene(self._look(side))
        return self._scenes[side]

    def voice(self, side: int, lang: str) -> Voice:
        self._learn(self._eyes(side))
        return self.voices[lang]

    def _learn(self, side: int) -> None:
        """Things are called what this side knows them by."""
        if self._named != side:
            seen = self._look(side)
            self.names.learn(seen, frozenset(id for id in self.play.battle.units if id not in seen.units))
            self._named = side

    def lines(self, side: int, lang: str) -> list[msgspec.Raw]:
        """The log in words. Events are public; what a thing is called may depend on who looks."""
        made = self._lines.setdefault((side if self.has_secrets else SPECTATOR, lang), [])
        events = self.play.events
        if len(made) < len(events):
            voice, eyes = self.voice(side, lang), self._eyes(side)
            number = bisect_right(self.play.marks, len(made), key=itemgetter(1))
            for place in range(len(made), len(events)):
                while number < len(self.play.marks) and self.play.marks[number][1] <= place:
                    number += 1
                line = self._spoken.get((eyes, lang, place))
                if line is None:
                    line = self._spoken[eyes, lang, place] = msgspec.Raw(
                        encode(line_of(self.play, voice, place, number))
                    )
                made.append(line)
        return made

    def decision(self, side: int, lang: str) -> Data | None:
        """What a side is asked, with words for everything."""
        decision = self.play.decision_of(side)
        if decision is None:
            return None
        voice = self.voice(side, lang)
        data = question(decision, voice, lambda option: self._option(voice, decision, option))
        data["subject"] = self.game.picture().subject(decision)
        if decision.ask in self.game.odds().drafts:
            data["draft_odds"] = True
        if not isinstance(decision, Manoeuvre) or why_not_measured(self.play.battle, decision) is not None:
            return data
        guide = self.game.aids().guide(self.seen(side), decision)
        return data | {"guide": msgspec.to_builtins(guide)} if guide is not None else data

    def _option(self, voice: Voice, decision: Decision, option: Option) -> Data:
        """Something that may be chosen: in words, and if it is an attack, whose on whom."""
        data = offered(option, decision, voice)
        if option in decision.extra_options:
            return data
        strike = self.game.aids().strike(decision, option)
        return data | {"strike": msgspec.to_builtins(strike)} if strike is not None else data

    def told_of(self, refusal: Refusal, decision: Decision | None, side: int, lang: str) -> Refusal:
        """What a side may be told of why not, while it is asked that."""
        line = refusal_line(self.voice(side, lang), refusal)
        return told_refusal(self.play.battle, decision, refusal, line)

    def refusal(self, refusal: Refusal, side: int, lang: str) -> Data:
        """Why not: rule, numbers and words."""
        refusal = self.told_of(refusal, self.play.decision_of(side), side, lang)
        words = spans(refusal_line(self.voice(side, lang), refusal))
        return {"rule": refusal.rule, "why": refusal.why, "facts": refusal.facts, "words": words}

    def armies(self, side: int, *, disclosed: bool) -> list[Data | None]:
        """What the armies are called; one of which something is hidden keeps its name to itself."""
        names: list[Data | None] = []
        seen = self.play.battle.units if disclosed else self._look(side).units
        for number, army in enumerate(self.play.setup.get("armies", ())):
            hidden = any(u.side == number and id not in seen for id, u in self.play.battle.units.items())
            names.append(None if hidden and number != side else army.get("name"))
        return names
