"""First battles: a real battle, set up and deployed already, with a hint for each question when it comes.

A first battle is a TOML file, so that a club can write its own; docs/first-battles.md is the whole format:

    game  = "aof"
    name  = { en = "First Firing", fr = "Première cuisson" }
    lists = ["kiln.toml", "kiln.toml"]
    seed  = 4
    bot   = "random"

    [[hint]]
    ask  = "choose_unit"
    rule = "AOF-ACT-01"
    say  = { en = "Choose a unit that has not acted yet.", fr = "Choisissez une unité qui n'a pas encore agi." }

Until the first round begins the best bot of the game answers for both sides; its answers are recorded like any others.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.catalogue import load as load_catalogue
from oriflamme.engine.words.homes import home_of
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, Reader, badly_written, problem_with, read_names, read_toml
from oriflamme.engine.words.sentences import sentences
from oriflamme.games import ids, load
from oriflamme.lab.battle import decide, derived

KEY: Final = "first_battle"
"""Where the setup of a battle has its hints: they go with it into a save."""
FILE: Final = "battle.toml"
MOST_HINTS: Final = 200
MOST_WORDS: Final = 600
MOST_SEED: Final = 10**15
KINDS: Final = ("pick one", "pick several", "allocate", "put in order", "place figures", "move figures")


class Hint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a newcomer is told at a question, and when. What is left out fits every question."""

    say: dict[str, str]
    rule: str = ""
    """The rule to read; that of the question where none is named."""
    asks: tuple[str, ...] = ()
    kind: str = ""
    by: str = ""
    """The rule that asks, or the beginning of several."""
    offers: str = ""
    """An option that can be chosen: its key, or what that begins with before a colon."""
    first: bool = False
    """Only the first time that something like it is asked."""

    def fits(self, decision: Decision, earlier: Sequence[str]) -> bool:
        """It is about this question, the side having answered `earlier` ones."""
        return (
            (not self.asks or decision.ask in self.asks)
            and (not self.kind or decision.kind == self.kind)
            and decision.rule.startswith(self.by)
            and (not self.offers or any(_is(option.key, self.offers) for option in getattr(decision, "options", ())))
            and not (self.first and decision.ask in earlier)
        )


def _is(key: object, word: str) -> bool:
    return isinstance(key, str) and word in (key, key.partition(":")[0])


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a first battle that goes with the battle: whom it teaches, and its hints in the order of the file."""

    side: int
    name: dict[str, str]
    about: dict[str, str]
    hints: tuple[Hint, ...]
    deployed: int = 0
    """How many answers were given for everybody before the lesson began."""


class FirstBattle(msgspec.Struct, frozen=True):
    """A battle to learn by, as its file has it."""

    game: str
    seed: int
    bot: str
    setup: dict[str, Any]
    lesson: Lesson

    @property
    def seats(self) -> tuple[str, ...]:
        """Who plays, by side: the name of a bot, or "" for the person who learns."""
        number = load(self.game).players_of(self.setup)
        return tuple("" if side == self.lesson.side else self.bot for side in range(number))


# -- files -------------------------------------------------------------------------------------------------------------


def shipped_for(game: str) -> Path | None:
    """The file of the first battle that comes with a game, if there is one."""
    home = home_of(game)
    path = home.folder / "first_battle" / FILE if home is not None else None
    return path if path is not None and path.is_file() else None


def first_battle_of(game: str) -> FirstBattle:
    """The first battle that comes with a game; raises Problems if there is none."""
    load(game)
    path = shipped_for(game)
    if path is None:
        raise problem_with("game", notice("no_first_battle", game=game), hint=notice("write_first_battle"))
    return read(path)


def read(path: str | os.PathLike[str]) -> FirstBattle:
    """A first battle from its file; raises Problems with all that is wrong. Lists and map may be files beside it."""
    file = Path(path)
    problems = Problems(path)
    top = Reader(read_toml(file), problems)
    id = top.choice("game", ids(), what="game")
    if not id:
        problems.raise_if_any()
    game = load(id)
    name, about = read_names(top, "name"), read_names(top, "about", required=False)
    lists = [_beside(file, one) for one in top.texts("lists", default=())]
    map_name = _beside(file, top.text("map", default=""))
    seed = top.integer("seed", low=0, high=MOST_SEED)
    points = top.integer("points", low=0, high=100_000, default=0)
    bot = top.choice("bot", game.bots(), what="bot", default="random")
    side = top.integer("side", low=1, high=game.most_sides, default=1) - 1
    agreed, options = _texts(top, "choices"), _texts(top, "options")
    hints = tuple(_hint(entry, game) for entry in top.tables("hint", most=MOST_HINTS))
    top.finish()
    problems.raise_if_any()

    game_options = _house_rules(game, options, problems)
    problems.raise_if_any()
    setup = game.setup(seed, points=points, lists=lists, map=map_name, options=game_options, choices=agreed)
    sides = [str(number) for number in range(1, game.players_of(setup) + 1)]
    if side >= len(sides):
        problems.add("side", notice("cannot_be", value=str(side + 1)), hint=notice("expected_one_of", choices=sides))
    problems.raise_if_any()
    lesson = Lesson(side, name, about, hints)
    return FirstBattle(id, seed, bot, setup | {KEY: msgspec.to_builtins(lesson)}, lesson)


def _beside(file: Path, name: str) -> str:
    """A file beside this one, by its name; anything else is a name that the game knows."""
    near = file.parent / name
    return str(near) if name.endswith(".toml") and Path(name).name == name and near.is_file() else name


def _texts(top: Reader, key: str) -> dict[str, str]:
    table = top.table(key, required=False)
    return {name: table.text(name) for name in table.names()}


def _house_rules(game: Game, options: dict[str, str], problems: Problems) -> dict[str, str]:
    reader = Reader(options, problems, "options")
    made = {key: reader.choice(key, game.options[key].values) for key in options if key in game.options}
    reader.finish()
    return made


def _hint(entry: Reader, game: Game) -> Hint:
    asked = entry.value("ask", ())
    asks = entry.texts("ask", default=()) if isinstance(asked, list) else [entry.text("ask", default="")]
    questions = sentences(game.id, "en").of["ask"]
    for number, ask in enumerate(asks, 1):
        if ask and ask not in questions:
            entry.unknown(f"ask[{number}]" if isinstance(asked, list) else "ask", ask, questions, what="question")
    known = load_catalogue(game.id).rules
    rule = entry.choice("rule", known, what="rule", default="")
    say = read_names(entry, "say")
    longest = max(map(len, say.values()))
    if longest > MOST_WORDS:
        entry.problem("say", notice("hint_too_long", number=longest, most=MOST_WORDS), hint=notice("hint_in_two"))
    return Hint(
        say=say,
        rule=rule or "",
        asks=tuple(filter(None, asks)),
        kind=entry.choice("kind", KINDS, what="kind of question", default=""),
        by=entry.text("by", default=""),
        offers=entry.text("offers", default=""),
        first=entry.flag("first", default=False),
    )


# -- at the table ------------------------------------------------------------------------------------------------------


def is_deploying(play: Play) -> bool:
    """The first round has not begun."""
    return not play.over and play.battle.round == 0


def deploy(play: Play, sides: Collection[int] | None = None) -> None:
    """Let the best bot of the game answer for these sides, or for all, until the first round begins."""
    bots = {side: captain(play, side) for side in (range(play.battle.players) if sides is None else sides)}
    while is_deploying(play):
        decision = next((one for one in play.pending if one.side in bots), None)
        if decision is None:
            break
        refusal = play.answer(decision.side, decide(play, decision, bots[decision.side]))
        if refusal is not None:
            raise RuntimeError(f"deploying, a bot answered {decision.ask} wrongly: {refusal}")


def begin(first: FirstBattle, seed: int | None = None) -> Play:
    """A first battle with everybody deployed; with another seed, with other dice."""
    return begin_deployed(first.game, first.setup, first.seed if seed is None else seed)


def begin_deployed(game: str, setup: dict[str, Any], seed: int) -> Play:
    """A battle that is a first one, with everybody deployed."""
    play = Play(load(game), setup, seed)
    deploy(play)
    play.setup = setup | {KEY: setup[KEY] | {"deployed": len(play.answers)}}
    return play


def captain(play: Play, side: int) -> Any:
    """The best bot of the game, to deploy a side."""
    return play.game.bots()[play.game.best_bot](seed=derived(play.seed, "deploy", side))


def lesson_of(setup: dict[str, Any]) -> Lesson | None:
    """What goes with a battle that is a first one; raises Problems if somebody has written it badly into a save."""
    if KEY not in setup:
        return None
    try:
        return msgspec.convert(setup[KEY], Lesson)
    except msgspec.ValidationError as error:
        raise Problems(KEY, [badly_written(error)]) from None


class Told(msgspec.Struct, frozen=True):
    """The hint at a question, and whether it is new: the side has not been told it before."""

    say: dict[str, str]
    rule: str
    new: bool


def hint_at(lesson: Lesson, play: Play, decision: Decision) -> Told | None:
    """What the one who learns is told at a question."""
    earlier = _asked_before(lesson, play)
    number = _fitting(lesson, decision, earlier)
    if number is None:
        return None
    hint = lesson.hints[number]
    return Told(hint.say, hint.rule or decision.rule, decision.ask not in earlier)


def _asked_before(lesson: Lesson, play: Play) -> list[str]:
    asked = zip(play.marks[lesson.deployed + 1 :], play.answers[lesson.deployed :], strict=False)
    return [mark[0] for mark, (side, _) in asked if side == lesson.side]


def _fitting(lesson: Lesson, decision: Decision, earlier: Sequence[str]) -> int | None:
    """Which hint it is that the one who learns is told."""
    if decision.side != lesson.side:
        return None
    return next((number for number, hint in enumerate(lesson.hints) if hint.fits(decision, earlier)), None)


class Progress:
    """How much of a lesson has been explained: which hints, and after how many answers. What is taken back is not
    explained any more."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self._shown: dict[int, int] = {}

    def look(self, play: Play) -> None:
        """Note the hint at what is asked now."""
        decision = play.decision_of(self.lesson.side)
        if decision is None:
            return
        number = _fitting(self.lesson, decision, _asked_before(self.lesson, play))
        if number is not None:
            self._shown[len(play.answers)] = number

    def explained(self, play: Play) -> int:
        """How many hints have been shown until now."""
        return len({hint for answers, hint in self._shown.items() if answers <= len(play.answers)})
