"""Oriflamme as a library: what `import oriflamme` offers. docs/library.md is the tour, and runs as a test."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from oriflamme.engine.core import save as saves
from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.chances import chances
from oriflamme.engine.core.decisions import Allocate, Decision, Refused
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.odds.asking import Answer as OddsAnswer
from oriflamme.engine.odds.telling import Table
from oriflamme.engine.words.of_battles import names_of
from oriflamme.engine.words.text import Voice
from oriflamme.games import ids, load
from oriflamme.lab.battle import Result, decide, derived, play_on, players, result_of


def game_ids() -> tuple[str, ...]:
    """The games there are."""
    return ids()


def load_game(id: str) -> Game:
    """The game of that id; raises Problems, with a guess if there is none."""
    return load(id)


def load_bot(name: str, game: str, seed: int = 0) -> Bot:
    """A bot of a game by its name; raises Problems, with a guess if there is none."""
    bot: Bot = players(load(game), [name], seed, 1)[0]
    return bot


def new_match(
    game: str | Game,
    *,
    seed: int = 0,
    points: int = 0,
    lists: Sequence[str] = (),
    map: str = "",
    options: Mapping[str, str] | None = None,
    choices: Mapping[str, str] | None = None,
) -> Match:
    """A battle before its first answer. What is not said is the usual, or chosen by the seed; raises Problems."""
    played = load(game) if isinstance(game, str) else game
    setup = played.setup(seed, points=points, lists=lists, map=map, options=options, choices=choices)
    return Match(played, setup, seed)


def open_match(path: str | os.PathLike[str]) -> Match:
    """A battle that was saved, as it stood; raises Problems if the file does not agree with the rules."""
    saved = saves.load(path, load)
    match = Match(saved.game, saved.setup, saved.seed, given=saved.given, seeds=saved.seeds)
    match.replay(saved.answers)
    return match


class Match(Play):
    """One battle, for programs: a `Play` with what else one wants at hand.

    A match is the whole truth, secrets included. What one side may know is `match.view(side)`.
    """

    # -- the question ----------------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The question that is asked now, the first if there are several; None once the battle is over."""
        return self.pending[0] if self.pending else None

    @property
    def question(self) -> str:
        """That question in words."""
        return self.question_in("en")

    def question_in(self, lang: str) -> str:
        """That question in the words of a language."""
        return self.voice(lang).ask(self.pending[0]).text if self.pending else ""

    def options(self, lang: str = "en") -> dict[str, str]:
        """What may be picked, put in order or given a share now, by key, in words; empty for places and moves."""
        if not self.pending:
            return {}
        decision, voice = self.pending[0], self.voice(lang)
        if isinstance(decision, Allocate):
            return {slot: voice.slot(decision, slot).text for slot in decision.slots}
        return {option.key: voice.option(decision, option).text for option in getattr(decision, "options", ())}

    # -- playing ---------------------------------------------------------------------------------------------------

    def push(self, answer: Any, side: int | None = None) -> None:
        """Answer the question, or that of a side; raises Refused, and changes nothing, if rules forbid it."""
        asked = side if side is not None else self.pending[0].side if self.pending else 0
        refusal = self.answer(asked, answer)
        if refusal is not None:
            raise Refused(refusal)

    def undo(self, answers: int = 1) -> None:
        """Take answers back. Where dice have fallen since, new ones are thrown: those that fell are known."""
        to = max(0, len(self.answers) - answers)
        seed = derived(self.seed, "undo", len(self.seeds), len(self.answers), to)
        if len(self.marks) == len(self.answers) + 1:
            self.__dict__ = self.taken_back(to, seed).__dict__
            return
        # A fork does not know which answers brought dice: they might have.
        seeds = (*(one for one in self.seeds if one[0] < to), (to, seed))
        earlier = type(self)(self.game, self.setup, self.seed, given=self.given, seeds=seeds, keep=self.keep)
        earlier.replay(self.answers[:to])
        self.__dict__ = earlier.__dict__

    def let(self, bot: Bot) -> Any:
        """Let a bot answer the question; its answer."""
        answer = decide(self, self.pending[0], bot)
        self.push(answer)
        return answer

    def play_out(self, bots: Sequence[Bot | str]) -> Result:
        """Let bots play to the end, one for each side, by name or your own; what came of it."""
        names = [bot if isinstance(bot, str) else bot.name for bot in bots]
        seated = [
            players(self.game, [bot], derived(self.seed, "seat", side), 1)[0] if isinstance(bot, str) else bot
            for side, bot in enumerate(bots)
        ]
        play_on(self, seated)
        return result_of(self, names)

    # -- telling ---------------------------------------------------------------------------------------------------

    def voice(self, lang: str = "en") -> Voice:
        """What puts questions, events, refusals and names of this battle into words."""
        return Voice(self.game, names_of(self.game, self), lang)

    def story(self, lang: str = "en") -> list[str]:
        """What has happened, a sentence for each event."""
        voice = self.voice(lang)
        voice.names.learn(self.battle)
        return [voice.event(event).text for event in self.events]

    def odds(self, attacker: str, defender: str, *, charge: bool = False, way: str = "") -> OddsAnswer:
        """The odds of an attack of one unit on another as things stand; raises Refused if it may not attack."""
        return self.game.odds().at(self.battle, attacker, defender, charge=charge, way=way)

    def helping_odds(self) -> Table | None:
        """The odds that help to answer the question; None where there are none."""
        return self.game.odds().helping(self.battle, self.pending[0]) if self.pending else None

    def chances(self) -> tuple[float, ...] | None:
        """The chances of each side to win, as things stand; None where nothing is known of such battles."""
        return chances(self.game, self.battle)

    def save(self, path: str | os.PathLike[str], seats: Sequence[str] = ()) -> None:
        """Write the battle to a file; `open_match`, the terminal and the server read it."""
        saves.save(self, path, seats)

    def svg(self, lang: str = "en", title: str = "") -> str:
        """The table as a picture."""
        from oriflamme.drawing.svg import draw

        return draw(self.battle, self.game.picture(), lang=lang, title=title)

    def _repr_svg_(self) -> str:
        return self.svg()

    def text(self, width: int = 96, lang: str = "en") -> str:
        """The table in characters."""
        from oriflamme.drawing.terminal import table_text

        return table_text(self.battle, self.game.picture(), width, lang, colour=False)
