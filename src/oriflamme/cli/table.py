"""The game in the terminal: what is asked in words, what is typed understood, and the table drawn in between."""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import cos, radians, sin
from pathlib import Path
from random import Random
from typing import Any

from oriflamme.bots.own import is_own, maker_of
from oriflamme.cli import blocks, cards, library, manoeuvres, odds, show
from oriflamme.cli.battles import army_names, losses, svg_of, tag_units
from oriflamme.cli.dangers import dangers, ends_of
from oriflamme.cli.keeping import Keeper
from oriflamme.cli.markers import Marker, markers_of, named
from oriflamme.cli.phrases import Phrases, in_english, is_nobody, places_in_english
from oriflamme.cli.words import heading, matches, numbers, plain
from oriflamme.drawing.terminal import table_text
from oriflamme.engine.blocks.bodies import Block, Pose
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.bots import at_the_table
from oriflamme.engine.core.decisions import (
    Allocate,
    Decision,
    Manoeuvre,
    Move,
    PickOne,
    PickSeveral,
    Place,
    PutInOrder,
    Refused,
)
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.taking_back import nobody_may, what_was_measured
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.odds.telling import Table
from oriflamme.engine.picture.shown import TableShown
from oriflamme.engine.screen import measuring
from oriflamme.engine.screen.aids import End
from oriflamme.engine.words.notices import notice, quoted
from oriflamme.engine.words.of_battles import goal_of, names_of
from oriflamme.engine.words.outcomes import LETTERS, outcome
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.engine.words.text import Voice
from oriflamme.games import load
from oriflamme.lab.battle import decide, derived
from oriflamme.lab.first_battle import (
    FirstBattle,
    Progress,
    begin,
    deploy,
    first_battle_of,
    hint_at,
    is_deploying,
    lesson_of,
    read,
)

HUMAN = "human"
MOST_DANGERS = 5  # that are told at once
# Commands after which the question has scrolled away and is put again.
LENGTHY = frozenset({"help", "?", "table", "forces", "log", "rules", "odds", "why"})
# How a way is begun that is typed point by point, and one whose last leg jumps.
JUMP_VERBS = ("jump", "saut", "sauter")
WAY_VERBS = ("way", "chemin", *JUMP_VERBS)


class Leave(Exception):
    """The player gets up from the table."""


# -- sitting down ------------------------------------------------------------------------------------------------------


def play(
    game_id: str,
    *,
    bot: str,
    side: str,
    hotseat: bool,
    seats: str,
    seed: int | None,
    points: int,
    lists: str,
    map_name: str,
    options: Sequence[str],
    choices: Sequence[str],
    carry_on: Path | None,
    recover: bool,
    first: bool,
    first_file: Path | None,
    lang: str,
) -> None:
    """`oriflamme play`"""
    if carry_on is not None:
        session = _carry_on(carry_on, recover, lang)
    elif first or first_file is not None:
        session = _first(read(first_file) if first_file is not None else first_battle_of(game_id), lang)
    else:
        game = load(game_id)
        seed = show.drawn_seed() if seed is None else seed
        agreed = show.agreed(game, choices)
        number = game.players_of(game.agreed(agreed))
        named = show.parts(seats)
        seated = _seated(game, named, number) if named else _seats(game, bot, side, hotseat, number)
        setup = game.setup(
            seed,
            points=points,
            lists=show.parts(lists),
            map=map_name,
            options=show.chosen_options(game, options),
            choices=agreed,
        )
        session = Session(Play(game, setup, seed), list(seated), lang, None)
    session.run()


def _seats(game: Game, bot: str, side: str, hotseat: bool, number: int) -> list[str]:
    letters = LETTERS[:number]
    if side.lower() not in letters or len(side) != 1:
        what, hint = notice("no_such", what="side", word=side), notice("there_is", rule=list(letters))
        raise problem_with("--side", what, hint=hint)
    if hotseat:
        return [HUMAN] * number
    if bot:
        maker_of(game, bot, "--bot")
    seats = [bot or game.best_bot] * number
    seats[letters.index(side.lower())] = HUMAN
    return seats


def _seated(game: Game, named: Sequence[str], number: int) -> tuple[str, ...]:
    """People and bots, bots of one's own too."""
    for name in filter(is_own, named):
        maker_of(game, name, "--seats")
    seats = game.seated(["" if is_own(name) else name for name in named], number, "--seats")
    return tuple(own if is_own(own) else seat for own, seat in zip(named, seats, strict=True))


def _first(taught: FirstBattle, lang: str) -> Session:
    """A first battle, deployed already."""
    return Session(begin(taught), [bot or HUMAN for bot in taught.seats], lang, None)


def _carry_on(path: Path, recover: bool, lang: str) -> Session:
    saved = saves.read(path, load, recover=recover)
    play = saved.play(recover=recover)
    number = play.battle.players
    seats = list(saved.seats) if len(saved.seats) == number else []
    known = saved.game.bots()
    replaced = HUMAN not in seats or any(seat != HUMAN and seat not in known and not is_own(seat) for seat in seats)
    if replaced:
        seats = [HUMAN, *[saved.game.best_bot] * (number - 1)]
    # The file that was named stays as it is: the battle goes on in one of its own.
    if not recover:
        return Session(play, seats, lang, None)
    session = Session(play, seats, lang, path.with_name(f"{path.stem}-recovered{path.suffix}"))
    session.say.tell("recovered", "dim", number=len(play.answers))
    for line in losses(saved, play, lang):
        show.say(line, "dim")
    if replaced:
        show.say(notice("seats_replaced", seats=", ".join(seats)).in_words(lang), "dim")
    return session


# -- the session -------------------------------------------------------------------------------------------------------


class Session:
    """People and bots round one table."""

    def __init__(self, play: Play, seats: list[str], lang: str, path: Path | None) -> None:
        self.game = play.game
        self.seats = seats
        self.lang = lang
        self.tags = tag_units(play)
        self.voice = Voice(self.game, names_of(self.game, play, self.tags), lang)
        self.say = Phrases(self.game, self.voice, play.battle)
        self.play = play
        self.lesson = lesson_of(play.setup)
        self.progress = Progress(self.lesson) if self.lesson is not None else None
        self.bots = {
            side: at_the_table(maker_of(self.game, seat)(seed=derived(play.seed, "seat", side)))
            for side, seat in enumerate(seats)
            if seat != HUMAN
        }
        self._adviser: Any = None
        self.events_shown = len(play.events)
        self.drawn = ""
        self.draws = True
        self.refusal: Refusal | None = None
        self.draft: Any = None
        self.proposals = 0
        self.commands: dict[str, Callable[[str], None]] = {
            "help": self._help, "?": self._help, "table": self._table, "forces": self._forces, "show": self._show,
            "log": self._log, "why": self._why, "odds": self._odds, "rules": self._rules, "undo": self._undo,
            "undo!": self._undo_anyway, "save": self._save, "svg": self._svg, "draw": self._draw, "quit": self._quit,
            "exit": self._quit, "q": self._quit, "suggest": self._suggest, "pass": self._pass,
            "measure": self._measure, "markers": self._tell_markers, "deploy": self._deploy,
        }  # fmt: skip
        # What each side lets pass whenever it is asked, in the words it was asked in; and the question it is asked all
        # the same, since answers were taken back to it.
        self.passes: dict[int, dict[str, str]] = {}
        self.asked_again: int | None = None
        # The sides that the captain deploys.
        self.deploying: set[int] = set()
        self.keeper = Keeper(play, path, seats, self._not_kept)

    def _not_kept(self, lost: Problems) -> None:
        self.say.tell("no_autosave", why=f"{lost.source}: {lost.problems[0].in_words(self.lang)}")

    # -- the battle ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until the battle is over or the player leaves."""
        _edit_lines(self)
        self._greet()
        try:
            while self.play.pending:
                decision = self._next()
                if decision.side in self.bots:
                    self._let_bot(decision)
                elif decision.side in self.deploying and is_deploying(self.play):
                    deploy(self.play, [decision.side])
                elif not self._lets_pass(decision):
                    self._ask(decision)
                self.keeper.note()
        except (Leave, KeyboardInterrupt, EOFError) as left:
            self._leave()
            if isinstance(left, KeyboardInterrupt):
                raise
            return
        self._finish()

    def _greet(self) -> None:
        battle = self.play.battle
        names = army_names(self.play, self.lang)
        title = show.name_of(self.game.title, self.lang)
        self.say.tell("title", "bold", game=title, armies=" – ".join(names))
        for side, seat in enumerate(self.seats):
            who = self.say("you") if seat == HUMAN else seat
            show.say(self.say("seats", side=self.voice.side(side), who=who), show.side_style(side))
        for side in range(battle.players, battle.sides):
            style = show.side_style(side, battle.players)
            show.say(self.say("nobodys", side=names[side] if side < len(names) else self.voice.side(side)), style)
        goal = goal_of(self.game.id, self._shown(battle).goal)
        if goal:
            show.say(f"{goal['title'][self.lang]} · {goal['goal'][self.lang]} {goal['scores'][self.lang]}", "dim")
        if self.lesson is not None:
            show.say(self.lesson.name[self.lang], "bold")
            show.say(self.lesson.about[self.lang])
        self.say.tell("hint", "dim")
        self.events_shown = max(0, self.events_shown - 12) if self.play.answers else 0

    def _next(self) -> Decision:
        """Whose answer is wanted first: a bot's, so that a person never waits for one to be asked."""
        for decision in self.play.pending:
            if decision.side in self.bots:
                return decision
        return self.play.pending[0]

    def _let_bot(self, decision: Decision) -> None:
        refusal = self.play.answer(decision.side, decide(self.play, decision, self.bots[decision.side]))
        if refusal is not None:
            raise RuntimeError(f"a bot answered {decision.ask} wrongly: {refusal}")

    def _lets_pass(self, decision: Decision) -> bool:
        """Answer for somebody who lets this question pass."""
        if decision.passing is None or decision.ask not in self.passes.get(decision.side, {}):
            return False
        if self.play.number == self.asked_again:
            return False
        return self.play.answer(decision.side, decision.passing[0]) is None

    def _news(self) -> None:
        """Tell what has happened since."""
        events = self.play.events[self.events_shown :]
        self.events_shown = len(self.play.events)
        self.voice.names.learn(self._seen())
        for line in show.log_lines(self.game, self.voice, events):
            show.say(line)

    def _seen(self) -> Any:
        """The battle as the player who is asked may see it, and all of it when it is over."""
        decision = self._human_decision()
        return self.play.view(decision.side).battle if decision is not None else self.play.battle

    def _finish(self) -> None:
        self._table("")
        self._news()
        result = self.game.result(self.play.battle)
        names = [self.voice.side(side) for side in range(self.play.battle.sides)]
        self.say.tell("over", "bold", result=outcome(self.game.id, result, names, self.lang))
        if self.keeper.close():
            self.say.tell("stored", path=self.keeper.path)
            self.say.tell("look", path=self.keeper.path)

    # -- asking ----------------------------------------------------------------------------------------------------

    def _ask(self, decision: Decision) -> None:
        """Ask a person until there is an answer."""
        self.draft = None
        self.refusal = None
        # The table first and the news below it: what was told last stands next to what is asked.
        if self.draws:
            self._draw_if_changed(decision)
        self._news()
        if decision.secret and self._shared_screen():
            self.say.tell("secret", "italic")
        self._put(decision)
        while self.play.pending and decision in self.play.pending:
            typed = self._read(decision)
            before = self.play
            try:
                self._take(decision, typed)
            except Refused as refused:
                self._refuse(refused.refusal)
            except Problems as problems:
                show.say(problems.in_words(self.lang))
            if self.play is not before:
                return

    def _put(self, decision: Decision) -> None:
        """The question, its rule, and what may be answered."""
        show.say()
        hint = hint_at(self.lesson, self.play, decision) if self.lesson is not None else None
        if hint is not None and hint.new and self.progress is not None:
            self.progress.look(self.play)
            done, of = self.progress.explained(self.play), len(self.progress.lesson.hints)
            show.say(f"> {hint.say[self.lang]} ({hint.rule})", "italic")
            self.say.tell("explained", "dim", number=done, of=of)
        ask = self.voice.ask(decision)
        show.say(show.text_of(ask, f"{self.voice.side(decision.side)}  ", bold=True))
        for number, (label, default) in enumerate(self.say.choices(decision), 1):
            show.say(f"  {number:>2}  {label}" + ("  *" if default else ""))
        if isinstance(decision, Allocate):
            for budget in self.say.budgets(decision, self.draft if self.draft is not None else decision.suggestion()):
                show.say(f"      {budget}")
        texts = [self.voice.option(decision, option).text for option in decision.extra_options]
        if texts:
            self.say.tell("besides", "dim", what=" · ".join(texts))
        if decision.passing is not None:
            what = self.say.answer(decision, decision.passing[0], self.play.battle)
            self.say.tell("may_pass", "dim", what=what)

    def _default(self, decision: Decision) -> tuple[Any, str] | None:
        """What Enter takes, and what that is in words."""
        if self.draft is not None:
            return self.draft, self.say.answer(decision, self.draft, self.play.battle)
        match decision:
            case PickOne():
                if decision.default is None:
                    return None
                return decision.default, self.say.answer(decision, decision.default, self.play.battle)
            case Place():
                self.draft = self._proposed_place(decision)
                if not self.draft:
                    return self.draft, self.say.answer(decision, self.draft, self.play.battle)
                x, y = blocks.middle(self.draft)
                return self.draft, self.say("the_place", **self.say.spot(x, y))
            case Move():
                moves = decision.suggestion()
                if len(decision.figures) == 1 or isinstance(decision, Manoeuvre):
                    return moves, self.say.answer(decision, moves, self.play.battle)
                return moves, self.say("the_plan" if moves else "stay")
        answer = decision.suggestion()
        return answer, self.say.answer(decision, answer, self.play.battle)

    def _proposed_place(self, decision: Place) -> Any:
        """Where a bot would put it, or else any legal place."""
        if self._is_blind(decision):
            return decision.suggestion()
        try:
            answer = decide(self.play, decision, self.adviser)
            if blocks.refusal_of(decision, answer) is None:
                return answer
        except LookupError:
            pass
        return decision.suggestion()

    def _read(self, decision: Decision) -> str:
        default = self._default(decision)
        usage = self.say.usage(decision, self.play.battle)
        if default is not None:
            self._warn(decision, default[0])
        show.say(f"  {usage}" + (f"  {self.say('enter', what=default[1])}" if default else ""), "dim")
        return input("> ").strip()

    def _warn(self, decision: Decision, answer: Any) -> None:
        """Which enemies threaten those who would go or stand there."""
        if not isinstance(decision, Move | Place) or measuring.why_not_measured(self.play.battle, decision) is not None:
            return
        seen = self.play.view(decision.side).battle
        figures = blocks.figures_of(seen, decision.figures)
        found = dangers(self.game.aids().threats(seen, decision.side), ends_of(decision, answer, figures))
        if found:
            told = [self.voice.aid(aid.say, aid.facts).text for aid in found[:MOST_DANGERS]]
            more = self.say("more_dangers", number=len(found) - MOST_DANGERS) if len(found) > MOST_DANGERS else ""
            self.say.tell("dangers", dangers="; ".join(told) + more)

    def _take(self, decision: Decision, typed: str) -> None:
        """A command, or an answer."""
        typed = in_english(typed)
        word, _, rest = typed.partition(" ")
        command = self.commands.get(word.lower())
        if command is not None:
            command(rest.strip())
            if word.lower() in LENGTHY and decision in self.play.pending:
                self._put(decision)
            return
        if not typed:
            default = self._default(decision)
            if default is None:
                self.say.tell("no_default")
                self._put(decision)
            else:
                self._answer(decision, default[0])
            return
        way_out = self._extra_option(decision, typed)
        if way_out is not None:
            self._answer(decision, way_out)
            return
        match decision:
            case PickOne():
                keys = self._picked(decision, [typed])
                if keys is not None:
                    self._answer(decision, keys[0])
                else:
                    self._put(decision)
            case PickSeveral() | PutInOrder():
                keys = [] if is_nobody(typed) else self._picked(decision, _listed(typed, decision))
                if keys is not None:
                    self._answer(decision, keys)
            case Allocate():
                self._allocate(decision, typed)
            case Place():
                self._place_words(decision, places_in_english(typed))
            case Manoeuvre():
                self._march_words(decision, places_in_english(typed))
            case Move():
                self._move_words(decision, places_in_english(typed))

    def _answer(self, decision: Decision, answer: Any) -> None:
        refusal = self.play.answer(decision.side, answer)
        if refusal is not None:
            if not isinstance(decision, Move | Place):
                self.draft = None
            raise Refused(refusal)
        self.draft = None
        if decision.secret and self._shared_screen():
            if show.is_terminal():
                sys.stdout.write("\x1b[2J\x1b[H")
            self.say.tell("secret_done", "dim")

    def _shared_screen(self) -> bool:
        """Several people look at it."""
        return self.seats.count(HUMAN) > 1

    def _refuse(self, refusal: Refusal) -> None:
        refusal = self.refusal = self._told_of(refusal)
        show.say(show.text_of(self.voice.refusal(refusal), self.say("refused")))

    def _told_of(self, refusal: Refusal) -> Refusal:
        """What may be told of why not: no length, while nobody measures before he has decided."""
        line = self.voice.refusal(refusal)
        return measuring.told_refusal(self.play.battle, self._human_decision(), refusal, line)

    def _is_blind(self, decision: Decision | None) -> bool:
        """Nothing a question is about has been measured, nor may be."""
        return measuring.why_not_measured(self.play.battle, decision) is not None

    def _extra_option(self, decision: Decision, typed: str) -> str | None:
        """An answer that is open but not offered, if it is written out: nobody gives it by mistake."""
        for option in decision.extra_options:
            label = self.voice.option(decision, option).text
            if plain(typed) in (plain(option.key), plain(label), plain(label.partition(":")[0])):
                return option.key
        return None

    def _picked(self, decision: PickOne | PickSeveral | PutInOrder, texts: Sequence[str]) -> list[str] | None:
        """The keys that are meant; None after saying what is not clear."""
        labels = [self.voice.option(decision, option).text for option in decision.options]
        keys = decision.keys()
        found: list[str] = []
        for text in texts:
            places = matches(text, labels, keys)
            if len(places) > 1:
                self.say.tell("which", names=", ".join(f"{n + 1} {labels[n]}" for n in places[:8]))
                return None
            if not places:
                if isinstance(decision, PickOne):
                    refusal = self._not_offered(decision, text)
                    if refusal is not None:
                        raise Refused(refusal)
                self.say.tell("no_match", text=quoted(text))
                return None
            found.append(keys[places[0]])
        return found

    def _allocate(self, decision: Allocate, typed: str) -> None:
        answer = self._shares(decision, typed)
        if answer is not None:
            self._answer(decision, answer)

    def _shares(self, decision: Allocate, typed: str) -> dict[str, int] | None:
        """How many go where; None after saying what is not clear."""
        slots = list(decision.slots)
        answer: dict[str, int] = {}
        if not is_nobody(typed):
            for part in re.split(r"[,\s]+", typed):
                found = re.fullmatch(r"(\d+)[=:](\d+)", part)
                if found is None or not 1 <= int(found[1]) <= len(slots):
                    self.say.tell("no_match", text=quoted(part))
                    return None
                answer[slots[int(found[1]) - 1]] = int(found[2])
        return answer

    # -- moving and placing ----------------------------------------------------------------------------------------

    def _move_words(self, decision: Move, typed: str) -> None:
        verb, _, rest = typed.partition(" ")
        verb = verb.lower()
        way = heading(typed)
        if verb == "stay":
            self._answer(decision, {})
        elif verb in WAY_VERBS and decision.words and len(decision.figures) == 1:
            self._way(decision, rest, jumping=verb in JUMP_VERBS)
        elif verb == "to" or numbers(typed) is not None:
            self._move_to(decision, rest if verb == "to" else typed)
        elif verb in ("model", "figure"):
            self._model(decision, rest)
        elif way is not None:
            self._go(decision, *way)
        else:
            self._move_to(decision, typed)

    def _way(self, decision: Move, typed: str, *, jumping: bool) -> None:
        """A way point by point, each perhaps with how one gets there: `6 7; 28 2 front_door; 29 1`, `jump 12 4`."""
        named = {word: [word, self.voice.name(word, "opening").lower()] for word in decision.words}
        path: list[tuple[Any, ...]] = []
        for part in typed.split(";"):
            place = re.match(r"\s*-?[\d.,]+\"?\s+-?[\d.,]+\"?", part)
            given = numbers(place[0]) if place else None
            said = part[place.end() :].strip().lower() if place else ""
            meant = [word for word, names in named.items() if said in names]
            if given is None or len(given) != 2 or (said and not meant):
                self.say.tell("no_match", text=quoted(part.strip()))
                self.say.tell("way_words", words=", ".join(decision.words))
                return
            path.append((given[0] * self.say.printed, given[1] * self.say.printed, *meant[:1]))
        if jumping and len(path[-1]) == 2:
            path[-1] = (*path[-1], decision.words[0])
        answer = {decision.figures[0]: path}
        if self._is_blind(decision):
            self.draft = answer
            return
        refusal = blocks.refusal_of(decision, answer)
        if refusal is not None:
            self._refuse(refusal)
            return
        self._tell_costs(decision, decision.accept(answer))
        self.draft = answer

    def _tell_costs(self, decision: Move, moves: Any) -> None:
        """What a way costs, part by part."""
        costs = self.play.game.aids().costs(self.play.view(decision.side).battle, decision, moves)
        if costs:
            self.say.tell("costs", costs=" · ".join(str(self.voice.aid(cost.say, cost.facts)) for cost in costs))

    def _march_words(self, decision: Manoeuvre, typed: str) -> None:
        """Legs, or a place to go to."""
        block = manoeuvres.Block(decision)
        reach = float(decision.about.get("reach", 0.0)) * self.say.step
        if typed.lower() == "stay":
            self._answer(decision, {})
        elif manoeuvres.is_way(typed):
            legs = manoeuvres.legs_of(typed, self.say.step, self.say.printed, self._point)
            if isinstance(legs, str):
                self.say.tell("no_match", text=quoted(legs))
                return
            self._shift(decision, block.walk(legs, reach))
        else:
            where = typed[3:] if typed.lower().startswith("to ") else typed
            found = self._point(where)
            if found is None:
                self.say.tell("no_match", text=quoted(where))
                return
            most = self.say.in_mm(found[2]) if found[2] is not None else reach
            self._shift(decision, block.towards(found[0], found[1], min(most, reach)))

    def _move_to(self, decision: Move, where: str) -> None:
        """Move towards a place or a unit: the whole unit alike, a single figure into contact if it can."""
        figures = blocks.figures_of(self.play.battle, decision.figures)
        found = self._point(where)
        if found is None:
            self.say.tell("no_match", text=quoted(where))
            return
        x, y, most = found
        reach = float(decision.about.get("reach", 0.0)) * self.say.step
        if most is not None:
            reach = min(reach, self.say.in_mm(most)) if reach else self.say.in_mm(most)
        if self._is_blind(decision):
            # How far it comes is seen when it has been decided.
            self.draft = blocks.moved_to(figures, x, y)
            return
        shift = blocks.move_towards(decision, figures, x, y, reach)
        target = self._unit(where)
        if shift.refusal is not None and len(figures) == 1 and target is not None and len(target.figures) == 1:
            beside = blocks.into_contact(decision, next(iter(figures.values())), target.figures[0], reach)
            if beside is not None:
                shift = blocks.Shift(beside, reach, None)
        self._shift(decision, shift)

    def _go(self, decision: Move, degrees: int, far: float | None, measure: str) -> None:
        """Move that way, so far or as far as may be."""
        figures = blocks.figures_of(self.play.battle, decision.figures)
        reach = float(decision.about.get("reach", 0.0)) * self.say.step
        length = self.say.in_mm(far, measure) if far is not None else reach
        # Without a limit of its own a move is as long as the rules make it: what counts is the way.
        length = length or 2 * max((f.radius for f in figures.values()), default=0.0)
        x, y = blocks.middle({id: (f.x, f.y) for id, f in figures.items()})
        x, y = x + length * cos(radians(degrees)), y + length * sin(radians(degrees))
        if self._is_blind(decision):
            self.draft = blocks.moved_to(figures, x, y)
            return
        self._shift(decision, blocks.move_towards(decision, figures, x, y, 0.0))

    def _shift(self, decision: Move, shift: blocks.Shift) -> None:
        """Draw the move up, for Enter to take, and say what is wrong with what was typed."""
        if self._is_blind(decision):
            self.draft = shift.moves
            return
        if shift.refusal is not None:
            self._refuse(shift.refusal)
            if shift.moves is None:
                self.say.tell("nowhere")
                return
            self.say.tell("nearest", length=self.say.length(shift.length))
        self.draft = shift.moves

    def _point(self, where: str) -> tuple[float, float, float | None] | None:
        """A place on the table, in millimetres, from numbers, a unit or an objective; and how far to go, if said."""
        given = numbers(where)
        if given is not None and len(given) >= 2:
            most = given[2] if len(given) > 2 else None
            return given[0] * self.say.printed, given[1] * self.say.printed, most
        # "treasure 2" is the second of them, not two inches towards it.
        exact = [one for one in self._markers() if plain(where) in (plain(one.name), one.short)]
        if len(exact) == 1:
            return exact[0].x, exact[0].y, None
        name, _, last = where.rpartition(" ")
        most = None
        if name and numbers(last) is not None and not re.fullmatch(r"(?i)o|objective|flag|objectif", name.strip()):
            where, most = name, (numbers(last) or [0.0])[0]
        where = re.sub(r"(?i)^(?:o|objective|objectif|flag|⚑)\s*(?=\d+$)", "o", where.strip())
        unit = self._unit(where)
        meant = named(where, self._markers()) if unit is None else []
        if len(meant) > 1:
            self.say.tell("which", names=", ".join(f"{one.short} {one.name}" for one in meant[:8]))
        if len(meant) == 1:
            return meant[0].x, meant[0].y, most
        if unit is None or not unit.figures:
            return None
        x, y = blocks.middle({f.id: (f.x, f.y) for f in unit.figures})
        return x, y, most

    def _markers(self) -> list[Marker]:
        picture = self.game.picture()
        return markers_of(self._shown(self._seen()), picture.signs, self.lang, self.say("an_objective"))

    def _tell_markers(self, rest: str) -> None:
        """What lies on the table, what it is called, and where."""
        markers = self._markers()
        if not markers:
            self.say.tell("no_marker")
        for one in markers:
            show.say(self.say("marker", short=one.short, name=one.name, **self.say.spot(one.x, one.y)))

    def _unit(self, text: str) -> Any:
        """A unit by its tag or name; None if that is not clear."""
        units = list(self._seen().units.values())
        labels = [self.voice.name(unit.id) for unit in units]
        found = matches(text, labels, [unit.id for unit in units]) if not text.strip().isdigit() else []
        return units[found[0]] if len(found) == 1 else None

    def _model(self, decision: Move | Place, rest: str) -> None:
        """Change the draft for one figure."""
        found = re.fullmatch(r"(?i)(\S+)\s+(?:to|at)?\s*(.+)", rest)
        given = numbers(found[2]) if found else None
        by_number = {self.tags.get(id, id.rpartition(".")[2]): id for id in decision.figures}
        id = by_number.get(found[1].lower()) if found else None
        if found is None or given is None or len(given) != 2:
            self.say.tell("no_match", text=quoted(rest))
            return
        if id is None:
            self.say.tell("no_model", text=quoted(found[1]), names=", ".join(by_number))
            return
        spot = (given[0] * self.say.printed, given[1] * self.say.printed)
        if isinstance(decision, Move):
            draft = dict(self.draft if self.draft is not None else decision.suggestion())
            draft[id] = (spot,)
        else:
            self._default(decision)
            draft = {**self.draft, id: spot}
        self.draft = draft
        refusal = blocks.refusal_of(decision, draft)
        if refusal is not None and not self._is_blind(decision):
            self.refusal = refusal
            self.say.tell("not_yet", why=str(self.voice.refusal(refusal)))

    def _place_words(self, decision: Place, typed: str) -> None:
        verb, _, rest = typed.partition(" ")
        if verb.lower() in ("model", "figure"):
            self._model(decision, rest)
            return
        if verb.lower() in self.tags.values():
            self._model(decision, typed)
            return
        turn = re.search(r"(?i)\s+turn(?:ed)?\s+(-?\d{1,3})$", typed) if "corners" in decision.about else None
        said = typed[: turn.start()] if turn else typed
        found = re.fullmatch(r"(?i)(?:(?:ranks?|rangs?)\s+(\d{1,3})\s*)?(?:(?:at|to|face)\s+)?(.+)", said)
        given = numbers(found[2]) if found else None
        if found is None or given is None or len(given) != 2:
            self.say.tell("no_match", text=quoted(typed))
            return
        x, y = given[0] * self.say.printed, given[1] * self.say.printed
        figures = blocks.figures_of(self.play.battle, decision.figures)
        files = max(1, min(int(found[1] or 5), len(decision.figures)))
        front = 1.0 if y < self.play.battle.table.depth / 2 else -1.0
        places = blocks.ranks_at(decision, figures, x, y, files, front)
        if turn is not None:
            places = {id: (*spot[:2], 0.0, radians(int(turn[1]))) for id, spot in places.items()}
        refusal = blocks.refusal_of(decision, places) if not self._is_blind(decision) else None
        if refusal is not None:
            self._refuse(refusal)
            near = blocks.nearest_legal(decision, places, 8 * INCH)
            if near is None and len(places) > 1:
                near = blocks.nearest_legal(decision, blocks.turned(places), 8 * INCH)
            if near is None:
                self.say.tell("no_place")
                return
            nx, ny = blocks.middle(near)
            self.say.tell("nearest_at", **self.say.spot(nx, ny))
            places = near
        self.draft = places

    # -- commands --------------------------------------------------------------------------------------------------

    def _help(self, rest: str) -> None:
        decision = self._human_decision()
        number = self.say.example
        data = {"number": number, "far": self.voice.length(number), "rule": decision.rule if decision else ""}
        show.say(self.say("help", **data).strip())

    def _table(self, rest: str) -> None:
        from rich.text import Text

        text = table_text(
            self._seen(),
            self.game.picture(),
            show.table_width(),
            self.lang,
            colour=show.has_colour(),
            ghosts=self._ghosts(),
            moved=self._drawn_up(),
            ring=self._ringed(),
        )
        show.say(Text.from_ansi(text))
        self.drawn = self._look()

    def _ringed(self) -> str:
        """The unit that is asked about, while it may be known how far its leader's ring reaches."""
        decision = self._human_decision()
        if decision is None or self._is_blind(decision):
            return ""
        return self.game.picture().subject(decision)

    def _shown(self, battle: Any) -> TableShown:
        return self.game.picture().show(battle)

    def _drawn_up(self) -> dict[str, Point]:
        """Where figures would stand with the move or place that is drawn up."""
        decision = self._human_decision()
        if self.draft is None or not isinstance(decision, Move | Place) or isinstance(decision, Manoeuvre):
            return {}
        spots = {id: spot[-1] if isinstance(decision, Move) else spot for id, spot in self.draft.items()}
        return {id: (spot[0], spot[1]) for id, spot in spots.items()}

    def _ghosts(self) -> list[Block]:
        """Where the block that is being moved would stand, or waits to come in."""
        decision = self._human_decision()
        if not isinstance(decision, Manoeuvre):
            return []
        ways = self.draft or {id: [pose] for id, pose in decision.blocks.items()}
        return [part for id, way in ways.items() for part in decision.bodies[id].at(Pose(*way[-1]))]

    def _look(self) -> str:
        """What the table looks like, in short: if this is the same, so is the picture."""
        shown = self._shown(self._seen())
        places = [(u.id, u.reserve, [(f.id, f.x, f.y) for f in u.figures]) for u in shown.units]
        return str((places, shown.objectives, shown.tokens, len(shown.table.pieces)))

    def _draw_if_changed(self, decision: Decision) -> None:
        """Draw the table when it has changed and the question is about where things are."""
        last = self.play.answers[-1][0] if self.play.answers else None
        news = isinstance(decision, PickOne) and (last != decision.side or self._moved_last())
        if self._is_bare():
            return
        if (news or not self.drawn or isinstance(decision, Move | Place)) and self._look() != self.drawn:
            show.say()
            self._table("")

    def _is_bare(self) -> bool:
        """Nothing lies on the table and nobody stands there."""
        shown = self._shown(self._seen())
        return not shown.standing and not shown.table.pieces

    def _moved_last(self) -> bool:
        return bool(self.play.answers) and isinstance(self.play.answers[-1][1], dict)

    def _forces(self, rest: str) -> None:
        for side in range(self.play.battle.sides):
            cards.show_forces(self._seen(), side, self.game, self.voice, self.tags)

    def _show(self, rest: str) -> None:
        unit = self._unit(rest)
        if unit is None:
            self.say.tell("no_unit", text=quoted(rest))
            return
        cards.show_card(self._seen(), unit.id, self.game, self.voice, self.tags, self.say)

    def _log(self, rest: str) -> None:
        lines = show.log_lines(self.game, self.voice, self.play.events)
        number = len(lines) if rest.lower() == "all" else int(rest) if rest.isdigit() else 20
        for line in lines[-number:] if number else []:
            show.say(line)

    def _why(self, rest: str) -> None:
        """Why something is not offered, or the rule behind the last refusal."""
        decision = self._human_decision()
        if not rest:
            if self.refusal is None:
                self.say.tell("no_reason")
                return
            self._refuse(self.refusal)
            self._explain(self.refusal.rule)
            return
        if isinstance(decision, PickOne):
            labels = [self.voice.option(decision, option).text for option in decision.options]
            places = matches(rest, labels, decision.keys())
            if len(places) == 1:
                self.say.tell("is_offered", what=labels[places[0]], number=places[0] + 1)
                return
            self._refuse(self._not_offered(decision, rest) or decision.why_not(rest))
            assert self.refusal is not None
            self._explain(self.refusal.rule)
            return
        self.say.tell("no_reason")

    def _not_offered(self, decision: PickOne, text: str) -> Refusal | None:
        """Why what is typed is not among the options, if it names something the rules know."""
        known: dict[str, list[str]] = {}
        for table in self.voice.text.words.values():
            for key, word in table.items():
                known.setdefault(plain(word), []).append(key)
        first, _, rest = text.strip().partition(" ")
        verbs = [first.lower(), *known.get(plain(first), ())]
        whole, target = self._unit(text), self._unit(rest) if rest else None
        candidates = [f"{verb}:{target.id}" for verb in verbs] if target is not None else []
        candidates += [whole.id] if whole is not None else []
        for key in (*candidates, text.strip(), *known.get(plain(text), ()), *verbs):
            if key and key not in decision.keys():
                refusal = decision.why_not(key)
                if refusal.why != "not_offered":
                    return refusal
        return None

    def _explain(self, rule: str) -> None:
        if rule:
            try:
                for found in library.find_rules(rule, self.game.id, self.lang)[:3]:
                    library.print_rule(found, self.lang)
            except Problems:
                pass

    def _human_decision(self) -> Decision | None:
        return next((d for d in self.play.pending if d.side not in self.bots), None)

    def _measure(self, rest: str) -> None:
        """The tape: how far it is from a unit to another, and what is seen of it."""
        tokens = rest.split()
        cuts = range(1, len(tokens))
        pairs = ([self._unit(" ".join(tokens[:cut])), self._unit(" ".join(tokens[cut:]))] for cut in cuts)
        found = next((pair for pair in pairs if all(unit is not None and unit.figures for unit in pair)), None)
        if found is None:
            self.say.tell("measure_usage")
            return
        ends = [End(unit.figures[0].x, unit.figures[0].y, unit.figures[0].id) for unit in found]
        sight = self.game.aids().sight(self._seen(), *ends)
        line = self.voice.aid(sight.say, sight.facts, sight.rule)
        barred = measuring.why_not_seen(self.play.battle, sight, line)
        if barred is not None:
            self._refuse(barred)
            return
        show.say(show.text_of(line))

    def _odds(self, rest: str) -> None:
        """The odds between two units as things stand, or those that help to answer what is asked."""
        tokens = rest.split()
        charge = any(plain(t) in ("charge", "charger", "melee") for t in tokens)
        tokens = [t for t in tokens if plain(t) not in ("charge", "charger", "melee")]
        decision = self._human_decision()
        in_making = re.fullmatch(r"[\d\s,=:]+", rest) is not None
        offered = self.game.odds()
        helped = decision is not None and decision.ask in (*offered.helpers, *offered.drafts)
        if decision is not None and helped and (not tokens or (in_making and decision.ask in offered.drafts)):
            barred = measuring.why_not_odds(self.game, self.play.battle, decision)
            if barred is not None:
                self._refuse(barred)
                return
            tables = [] if tokens else [self.game.odds().helping(self._seen(), decision)]
            tables.append(self._odds_of_draft(decision, rest.strip()))
            for table in filter(None, tables):
                self._print_odds(decision, table)
            if in_making or any(tables):
                return
        about, all_units = decision.about if decision is not None else {}, self.play.battle.units
        acting = next((all_units[id] for id in about.values() if isinstance(id, str) and id in all_units), None)
        units = [acting, self._unit(" ".join(tokens))] if tokens else []
        if tokens and units[1] is None:
            for cut in range(1, len(tokens)):
                pair = [self._unit(" ".join(tokens[:cut])), self._unit(" ".join(tokens[cut:]))]
                if None not in pair:
                    units = pair
                    break
        if len(units) != 2 or None in units:
            self.say.tell("odds_usage")
            return
        attacker, defender = units
        ways = (True,) if charge else (False, True)
        refused: list[Callable[[], None]] = []
        refusals: list[Refusal] = []
        unmeasured: list[Refusal] = []
        told = False
        for way in ways:
            barred = measuring.why_not_odds_between(
                self.game, self.play.battle, decision, attacker.id, defender.id, charge=way, way=""
            )
            if barred is not None:
                unmeasured.append(barred)
                continue
            try:
                answer = self.game.odds().at(self.play.battle, attacker.id, defender.id, charge=way)
            except Refused as refusal:
                if refusal.refusal not in refusals:
                    refusals.append(refusal.refusal)
                    refused.append(partial(self._refuse, refusal.refusal))
                continue
            except Problems as problems:
                refused.append(partial(show.say, problems.problems[0].in_words(self.lang)))
                continue
            odds.print_answer(answer, self.lang)
            told = True
        # That the other way of attacking is not measured says nothing about the one that was asked for.
        if unmeasured and not told:
            self._refuse(unmeasured[0])
        for speak in refused:
            speak()

    def _odds_of_draft(self, decision: Decision, typed: str) -> Table | None:
        """The odds of an answer as it is typed, or of the one that Enter takes; None where there are none."""
        if decision.ask not in self.game.odds().drafts:
            return None
        answer: Any = None
        if not typed:
            default = self._default(decision)
            answer = default[0] if default is not None else None
        elif isinstance(decision, Allocate):
            answer = self._shares(decision, typed)
        elif isinstance(decision, PickOne | PickSeveral | PutInOrder):
            keys = self._picked(decision, _listed(typed, decision))
            answer = keys[0] if keys and isinstance(decision, PickOne) else keys
        return self.game.odds().of_draft(self._seen(), decision, answer) if answer is not None else None

    def _print_odds(self, decision: Decision, table: Table) -> None:
        words = {o.key: self.voice.option(decision, o).text for o in getattr(decision, "options", ())}
        odds.print_table(table, self.lang, label=lambda key: words.get(key) or self.voice.name(key))

    def _pass(self, rest: str) -> None:
        """Let what is asked pass, now or from now on; or be asked again."""
        decision = self._human_decision()
        if decision is None:
            return
        word, _, number = rest.lower().partition(" ")
        passed = self.passes.setdefault(decision.side, {})
        if word == "ask":
            asks = list(passed)
            for ask in (
                asks if not number.strip() else asks[int(number) - 1 : int(number)] if number.isdecimal() else ()
            ):
                show.say(self.say("asked_again", ask=passed.pop(ask)))
            self._tell_passes(decision.side)
        elif decision.passing is None or word not in ("", "always"):
            self.say.tell("must_be_answered" if decision.passing is None else "pass_usage")
        else:
            if word == "always":
                passed[decision.ask] = self.voice.ask(decision).text
            self._answer(decision, decision.passing[0])

    def _tell_passes(self, side: int) -> None:
        for number, ask in enumerate(self.passes.get(side, {}).values(), 1):
            show.say(self.say("let_pass", number=number, ask=ask))

    def _rules(self, rest: str) -> None:
        if not rest:
            decision = self._human_decision()
            self.say.tell("which_word", rule=decision.rule if decision else "")
            return
        if re.match(r"(?i)^[a-z]+\d*-[a-z]", rest):
            for rule in library.find_rules(rest, self.game.id, self.lang):
                library.print_rule(rule, self.lang)
            return
        from oriflamme.engine.words.catalogue import load as load_catalogue

        found = load_catalogue(self.game.id, self.lang).search(rest)
        if found:
            library.print_found(found, 8, self.lang)
        else:
            self.say.tell("nothing_found", text=quoted(rest))

    def _suggest(self, rest: str) -> None:
        """What the bot would do in your place."""
        decision = self._human_decision()
        if decision is None:
            return
        if self._is_blind(decision):
            self.draft = decision.suggestion()
            self.say.tell("suggested", what=self.say.answer(decision, self.draft, self.play.battle))
            return
        adviser = self.adviser
        answer: Any = None
        try:
            answer = decide(self.play, decision, adviser)
            if isinstance(decision, Place) and self.draft is not None and answer == self.draft:
                self.proposals += 1
                answer = decision.sample(Random(self.proposals))
            if blocks.refusal_of(decision, answer) is not None:
                answer = None
        except LookupError:
            answer = None
        if isinstance(decision, Move) and not answer:
            answer = self._towards_goal(decision) or decision.suggestion()
        if answer is None:
            answer = decision.suggestion()
        self.draft = answer
        self.say.tell("suggests", bot=adviser.name, what=self.say.answer(decision, answer, self.play.battle))
        reasons = [self.say.reason(reason) for reason in adviser.explain() if "because" in reason]
        if reasons:
            self.say.tell("because", "dim", reasons=", ".join(reasons))

    def _towards_goal(self, decision: Move) -> Any:
        """Towards the nearest objective that is not ours, if there is one."""
        figures = blocks.figures_of(self.play.battle, decision.figures)
        goals = [o for o in self._shown(self.play.battle).objectives if o.owner != decision.side]
        if not figures or not goals:
            return None
        x, y = blocks.middle({id: (f.x, f.y) for id, f in figures.items()})
        goal = min(goals, key=lambda o: (o.x - x) ** 2 + (o.y - y) ** 2)
        reach = float(decision.about.get("reach", 0.0)) * self.say.step
        return blocks.move_towards(decision, figures, goal.x, goal.y, reach).moves

    @property
    def adviser(self) -> Any:
        if self._adviser is None:
            self._adviser = self.game.bots()[self.game.best_bot](seed=derived(self.play.seed, "adviser"))
        return self._adviser

    def _deploy(self, rest: str) -> None:
        """Let the captain deploy the side that is asked."""
        decision = self._human_decision()
        if decision is None or not is_deploying(self.play):
            self.say.tell("deployed_already")
            return
        self.deploying.add(decision.side)
        deploy(self.play, [decision.side])

    def _undo(self, rest: str) -> None:
        self._take_back(anyway=False)

    def _undo_anyway(self, rest: str) -> None:
        self._take_back(anyway=True)

    def _take_back(self, *, anyway: bool) -> None:
        """Back to the last question a person answered. Where dice fell since, others fall from now on."""
        mine = [n for n, (side, _) in enumerate(self.play.answers) if side not in self.bots]
        if not mine:
            self.say.tell("no_undo")
            return
        never = nobody_may(self.play, mine[-1])
        if never is not None:
            self._refuse(never)
            return
        if self.play.marks[-1][2] > self.play.marks[mine[-1]][2] and not anyway:
            self.say.tell("dice_fell")
            return
        if what_was_measured(self.play, mine[-1]) is not None and not anyway:
            self.say.tell("was_measured")
            return
        self.play = self.play.taken_back(mine[-1], secrets.randbits(62))
        tag_units(self.play)
        self.events_shown = len(self.play.events)
        self.drawn = ""
        self.draft = None
        self.asked_again = self.play.number
        self.deploying.clear()
        self.keeper.rewrite(self.play)
        self.say.tell("undone", ask=self.voice.ask(self.play.pending[0]).text)

    def _save(self, rest: str) -> None:
        if not rest:
            self.say.tell("which_file")
            return
        saves.save(self.play, Path(rest).expanduser(), self.seats)
        self.say.tell("saved", path=rest)

    def _svg(self, rest: str) -> None:
        if not rest:
            self.say.tell("which_file")
            return
        show.write_text(Path(rest).expanduser(), svg_of(self.play, self.lang, seen=self._seen()))
        self.say.tell("drawn", path=rest)

    def _draw(self, rest: str) -> None:
        if rest.lower() in ("on", "off"):
            self.draws = rest.lower() == "on"
        else:
            self._table("")

    def _quit(self, rest: str) -> None:
        raise Leave

    def _leave(self) -> None:
        show.say()
        if self.keeper.close():
            self.say.tell("stored", path=self.keeper.path)
            self.say.tell("go_on", path=self.keeper.path)


def _listed(typed: str, decision: PickOne | PickSeveral | PutInOrder) -> list[str]:
    """What stands between commas; numbers may stand between spaces."""
    if re.fullmatch(r"[\d\s,;]+", typed):
        return [part for part in re.split(r"[\s,;]+", typed) if part]
    return [part.strip() for part in re.split(r"[,;]", typed) if part.strip()]


def _edit_lines(session: Session) -> None:
    """Arrow keys and completion, where there is a terminal that knows them."""
    if not sys.stdin.isatty() or os.environ.get("TERM") == "dumb":
        return
    try:
        import readline
    except ImportError:
        return

    def complete(text: str, state: int) -> str | None:
        known = [*session.commands, "to", "at", "model", "stay", "ranks", "way", "jump", *session.tags.values()]
        found = sorted({word for word in known if word.startswith(text.lower())})
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")
