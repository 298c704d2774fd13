"""What each side may know of a battle: the table, the log, the questions and refusals, in its language.

Everything is made from `Play.view`: nothing holds the dice to come, the seed, what is hidden from its receiver, or what
others committed.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from operator import itemgetter
from typing import Any, Final

import msgspec

from oriflamme.drawing.tags import unit_tags
from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.decisions import Decision, Manoeuvre, Option, PickOne
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.screen.measuring import told_refusal, why_not_measured
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.text import Names, Voice
from oriflamme.server.clients import encode
from oriflamme.server.film import line_of
from oriflamme.server.questions import question
from oriflamme.server.scene import Painter, Scene
from oriflamme.server.store import SPECTATOR
from oriflamme.server.words import refusal_line, spans

Data = dict[str, Any]

PACKED: Final = 16  # lines of the log
NOBODY: Final = -9  # whose names nobody has asked for yet


class Lines:
    """The lines of a log, written out. Hardly anybody looks at those far back: they are packed, so many at a time."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._last: list[msgspec.Raw] = []

    def __len__(self) -> int:
        return len(self._packed) * PACKED + len(self._last)

    def append(self, line: msgspec.Raw) -> None:
        self._last.append(line)
        if len(self._last) == 2 * PACKED:
            # JSON has no line break within.
            self._packed.append(zlib.compress(b"\n".join(map(bytes, self._last[:PACKED])), 1))
            del self._last[:PACKED]

    def since(self, number: int) -> list[msgspec.Raw]:
        """Those after so many."""
        first, found = number // PACKED, list[msgspec.Raw]()
        for packed in self._packed[first:]:
            found += map(msgspec.Raw, zlib.decompress(packed).split(b"\n"))
        return (found + self._last)[number - min(first, len(self._packed)) * PACKED :]


class Ahead(msgspec.Struct):
    """What somebody would be asked next."""

    ask: str
    rule: str
    about: dict[str, Any]
    options: list[Option]


decode_ahead: Final = msgspec.json.Decoder(Ahead | None).decode


class Views:
    """One battle as each side sees it. What was made for one client is kept for the next, until something happens."""

    def __init__(self, game: Game, first: Battle[Any], play: Play) -> None:
        self.game = game
        self.play = play
        self._picture, self._aids, self._drafts = game.picture(), game.aids(), game.odds().drafts
        self.tags = unit_tags(first)
        # Whether this game ever hides anything; whether it does now, the battle knows.
        self.has_secrets = type(first).hide is not Battle.hide
        self.names = Names(game, first, self.tags)
        self.voices = {lang: Voice(game, self.names, lang) for lang in LANGUAGES}
        self._seen: dict[int, Any] = {}
        self._scenes: dict[int, Scene] = {}
        self._painters: dict[int, Painter] = {}
        self._named = NOBODY
        self._open = False
        self._lines: dict[tuple[int, str], Lines] = {}
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

    def scene(self, side: int) -> Scene:
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
            self.names.learn(seen, self._hidden_from(side))
            self._named = side

    def _hidden_from(self, side: int) -> frozenset[str]:
        """The units that somebody does not know of."""
        there = self.play.battle.units
        return frozenset() if self._open else frozenset(there.keys() - self.seen(side).units.keys())

    def lines(self, side: int, lang: str) -> Lines:
        """The log in words. Events are public; what a thing is called may depend on who looks."""
        key = (side if self.has_secrets else SPECTATOR, lang)
        made = self._lines.setdefault(key, Lines())
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
        data = question(decision, voice, lambda option: self._more_of(decision, option))
        data["subject"] = self._picture.subject(decision)
        if decision.ask in self._drafts:
            data["draft_odds"] = True
        if not isinstance(decision, Manoeuvre) or why_not_measured(self.play.battle, decision) is not None:
            return data
        guide = self._aids.guide(self.seen(side), decision)
        return data | {"guide": msgspec.to_builtins(guide)} if guide is not None else data

    def _more_of(self, decision: Decision, option: Option) -> Data:
        """Of something that is an attack, whose on whom."""
        strike = self._aids.strike(decision, option)
        return {"strike": msgspec.to_builtins(strike)} if strike is not None else {}

    def ahead(self, side: int, lang: str, found: bytes) -> Data | None:
        """What a side would be asked next, as it was found out, with words for everything."""
        one = decode_ahead(found)
        if one is None:
            return None
        decision = PickOne(side, one.options, one.ask, one.rule, one.about)
        asked = question(decision, self.voice(side, lang), lambda option: self._more_of(decision, option))
        return asked | {"subject": ""}

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
        hidden = frozenset() if disclosed else self._hidden_from(side)
        keep = {self.play.battle.units[id].side for id in hidden} - {side}
        return [None if n in keep else army.get("name") for n, army in enumerate(self.play.setup.get("armies", ()))]
