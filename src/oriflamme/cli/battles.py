"""Battles between bots, many of them, and battles that were saved."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from oriflamme.cli import show
from oriflamme.cli.phrases import words
from oriflamme.drawing.terminal import table_text
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.bots import is_sealed_off
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.of_battles import names_of
from oriflamme.engine.words.outcomes import outcome, side_letter
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.engine.words.text import Voice
from oriflamme.games import load
from oriflamme.lab.battle import Result, play_on, players, result_of
from oriflamme.lab.simulate import Plan, Share, Tally, as_data, simulate


def tag_units(play: Play) -> dict[str, str]:
    """Give every unit the tag it keeps for the whole battle, whoever joins whom. Tags never touch the rules."""
    from oriflamme.drawing.tags import unit_tags
    from oriflamme.engine.core.dice import SeededDice

    tags = unit_tags(play.game.open(play.setup, SeededDice(play.seed)))
    for id, unit in play.battle.units.items():
        unit.tag = tags.get(id, "")
    return tags


def svg_of(play: Play, lang: str, title: str = "", seen: Any = None) -> str:
    """The table of a battle as a picture, or what one side sees of it."""
    from oriflamme.drawing.svg import draw

    sides = army_names(play, lang)
    return draw(seen or play.battle, play.game.picture(), lang=lang, title=title, sides=sides)


def army_names(play: Play, lang: str) -> list[str]:
    """What the armies are called, by side, where the setup says so."""
    armies = play.setup.get("armies", ())
    return [show.name_of(army["name"], lang) for army in armies if isinstance(army, dict) and army.get("name")]


# -- one battle --------------------------------------------------------------------------------------------------------


def battle(
    game_id: str,
    *,
    seed: int | None,
    bots: str,
    points: int,
    lists: str,
    map_name: str,
    options: Sequence[str],
    choices: Sequence[str],
    save: Path | None,
    svg: Path | None,
    log: bool,
    as_json: bool,
    lang: str,
) -> None:
    """`oriflamme battle`"""
    game = load(game_id)
    seed = show.drawn_seed() if seed is None else seed
    agreed = show.agreed(game, choices)
    number = game.players_of(game.agreed(agreed))
    names = show.parts(bots) or (game.best_bot,) * number
    seated = players(game, names, seed, number)
    setup = game.setup(
        seed,
        points=points,
        lists=show.parts(lists),
        map=map_name,
        options=show.chosen_options(game, options),
        choices=agreed,
    )
    for path in (save, svg):
        _must_be_writable(path)

    begun = perf_counter()
    play = Play(game, setup, seed, keep=any(map(is_sealed_off, seated)))
    voice = Voice(game, names_of(game, play, tag_units(play)), lang)
    teller = _Teller(play, voice) if log and not as_json else None
    play_on(play, seated, teller)
    result = result_of(play, names, round(perf_counter() - begun, 4))

    if save is not None:
        saves.save(play, save, names)
    if svg is not None:
        show.write_text(svg, svg_of(play, lang))
    if as_json:
        show.say_json(_result_data(play, result, save, svg))
        return
    if teller is not None:
        show.say()
        show.say(_drawn(play, lang))
        show.say()
    _show_result(play, voice, result)
    for path, what in ((save, "saved_as"), (svg, "drawn_as")):
        if path is not None:
            show.say(words(lang)[what].format(path=path), "dim")


class _Teller:
    """Prints what happens as it happens."""

    def __init__(self, play: Play, voice: Voice) -> None:
        self.voice = voice
        self.events_shown = 0
        self(play)

    def __call__(self, play: Play) -> None:
        events = play.events[self.events_shown :]
        self.events_shown += len(events)
        if events:
            self.voice.names.learn(play.battle)
        for line in show.log_lines(play.game, self.voice, events):
            show.say(line)


def _drawn(play: Play, lang: str) -> Any:
    from rich.text import Text

    text = table_text(play.battle, play.game.picture(), show.table_width(), lang, colour=show.has_colour())
    return Text.from_ansi(text)


def _result_data(play: Play, result: Result, save: Path | None, svg: Path | None) -> dict[str, Any]:
    setup = play.setup
    data: dict[str, Any] = msgspec.to_builtins(result)
    winner = result.winner
    return data | {
        "winner_bot": result.bots[winner] if winner is not None and winner < len(result.bots) else None,
        "winner_bots": [result.bots[side] for side in result.winners if side < len(result.bots)],
        "points": setup.get("points"),
        "armies": army_names(play, "en"),
        "map": (setup.get("map") or {}).get("id"),
        "choices": {key: setup[key] for key in play.game.choices if key in setup},
        "save": str(save) if save is not None else None,
        "svg": str(svg) if svg is not None else None,
    }


def _show_result(play: Play, voice: Voice, result: Result) -> None:
    said = words(voice.lang)["result"]
    made = show.table("", said["army"], said["bot"], said["score"], right=(3,))
    armies, battle = army_names(play, voice.lang), play.battle
    named: list[str] = []
    for side in range(battle.sides):
        style, name = show.side_style(side, battle.players), voice.side(side)
        bot = result.bots[side] if side < len(result.bots) else said["nobody"]
        army = armies[side] if side < len(armies) else ""
        made.add_row(show.cell(name, style), show.cell(army), show.cell(bot), show.cell(result.score[side]))
        named.append(f"{name} ({bot})" if battle.is_owned(side) else name)
    show.show_table(made)
    # The score of each side stands in the table above.
    shown = play.game.result(battle) | ({} if result.counted else {"score": ()})
    ended = outcome(play.game.id, shown, named, voice.lang)
    show.say(
        said["line"].format(
            outcome=ended, rounds=result.rounds, decisions=result.decisions, seed=result.seed,
            seconds=voice.number(round(result.seconds, 2)), fingerprint=result.fingerprint,
        )
    )  # fmt: skip


def _must_be_writable(path: Path | None) -> None:
    """Say so before the battle, not after it."""
    if path is None:
        return
    folder = path.parent if str(path.parent) else Path(".")
    if not folder.is_dir():
        raise problem_with(path, notice("no_folder", folder=str(folder)), hint=notice("make_folder"))
    if path.is_dir():
        raise problem_with(path, notice("a_folder"))
    if not os.access(folder, os.W_OK):
        raise problem_with(path, notice("not_allowed_to_write", folder=str(folder)))


# -- many battles ------------------------------------------------------------------------------------------------------


def simulate_many(
    game_id: str,
    *,
    number: int,
    workers: int,
    bots: str,
    seed: int,
    points: int,
    lists: str,
    map_name: str,
    options: Sequence[str],
    choices: Sequence[str],
    as_json: bool,
    lang: str,
) -> None:
    """`oriflamme simulate`"""
    game = load(game_id)
    agreed = show.agreed(game, choices)
    plan = Plan(
        game=game_id,
        battles=number,
        bots=show.parts(bots) or (game.best_bot,) * game.players_of(game.agreed(agreed)),
        seed=seed,
        points=points,
        lists=show.parts(lists),
        map=map_name,
        options=show.chosen_options(game, options),
        choices=agreed,
    )
    workers = workers or os.cpu_count() or 1
    if sys.stderr.isatty():
        tally = _with_progress(plan, workers, words(lang)["simulate"])
    else:
        tally = simulate(plan, workers)
    if as_json:
        show.say_json(as_data(tally))
    else:
        _show_tally(game, tally, lang)


def _with_progress(plan: Plan, workers: int, said: Mapping[str, str]) -> Tally:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    standing = TextColumn("{task.description}")
    columns = (TextColumn(said["progress"]), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), standing)
    wins: dict[str, float] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=plan.battles)

        def note(result: Result) -> None:
            for side in result.winners:
                name = result.bots[side] if side < len(result.bots) else said["nobody"]
                wins[name] = wins.get(name, 0) + 1 / len(result.winners)
            if not result.winners:
                wins[said["draws"]] = wins.get(said["draws"], 0) + 1
            bar.update(task, advance=1, description="  ".join(f"{who} {n:g}" for who, n in sorted(wins.items())))

        return simulate(plan, workers, note)


def _show_tally(game: Game, tally: Tally, lang: str) -> None:
    said = words(lang)["simulate"]

    def counted(part: Share) -> tuple[str, str, str]:
        rate, low, high = (show.percent(one, lang, digits=1) for one in (part.rate, part.low, part.high))
        return show.decimal(part.wins, lang), rate, said["to"].format(low=low, high=high)

    made = show.table("", said["wins"], said["rate"], said["interval"], right=(1, 2, 3))
    for name, part in tally.rates.items():
        made.add_row(show.cell(name), *map(show.cell, counted(part)))
    for side, part in enumerate(tally.sides):
        players = len(tally.bots)
        named = said["side"].format(side=side_letter(side).upper()) if side < players else said["nobodys"]
        label = named + (f": {tally.lists[side]}" if side < len(tally.lists) else "")
        made.add_row(show.cell(label, show.side_style(side, players)), *map(show.cell, counted(part)))
    nobody = said["no_winner" if tally.counted else "draws"]
    drawn = show.percent(tally.draws / tally.battles, lang, digits=1)
    made.add_row(*map(show.cell, (nobody, tally.draws, drawn, "")))
    show.show_table(made)
    show.say(
        said["line"].format(
            battles=tally.battles, game=game.id, seconds=show.decimal(tally.seconds, lang, ".1f"), number=tally.workers,
            workers=said["worker" if tally.workers == 1 else "workers"], decisions=show.decimal(tally.decisions, lang),
            rounds=show.decimal(tally.rounds, lang), seed=tally.seed, digest=tally.digest,
        )
    )  # fmt: skip


# -- saved battles -----------------------------------------------------------------------------------------------------


def replay(
    file: Path,
    *,
    verify: bool,
    to: int | None,
    svg: Path | None,
    html: Path | None,
    recover: bool,
    as_json: bool,
    lang: str,
) -> None:
    """`oriflamme replay`"""
    said = words(lang)["replay"]
    if verify:
        report = saves.verify(file, load)
        if as_json:
            show.say_json({"file": str(file), "verified": True, **msgspec.to_builtins(report)})
        else:
            counts = {"answers": report.answers, "events": report.events, "dice": report.dice}
            show.say(said["agrees"].format(file=file, **counts, fingerprint=report.fingerprint))
            if not report.same_kind:
                show.say(said["other_kind"])
            if report.given:
                show.say(said["given"].format(number=report.given))
            if report.seeds > 1:
                show.say(said["seeds"].format(number=report.seeds))
        if to is None and svg is None and html is None:
            return
    _must_be_writable(svg)
    _must_be_writable(html)
    saved = saves.read(file, load, recover=recover)
    if to is not None and to > len(saved.entries):
        raise problem_with(file, notice("fewer_answers", number=len(saved.entries), wanted=to))
    play = saved.play(recover=recover, upto=to)
    _note_loss(saved, play, to, recover, lang)
    voice = Voice(saved.game, names_of(saved.game, play, tag_units(play)), lang)
    if svg is not None:
        show.write_text(svg, svg_of(play, lang))
    if html is not None:
        from oriflamme.server.film import film_of, standalone

        saves.write_whole(html, standalone(film_of(play, saved.seats, lang), lang))
    if as_json:
        show.say_json(_replay_data(file, saved, play))
    elif html is not None and svg is None:
        show.say(words(lang)["library"]["written"].format(path=html))
    elif to is None and svg is None and show.is_terminal():
        _Viewer(saved, voice, lang, recover).run()
    else:
        _tell(play, voice, to, lang)
        if svg is not None:
            show.say(words(lang)["drawn_as"].format(path=svg), "dim")


def _note_loss(saved: saves.Saved, play: Play, to: int | None, recover: bool, lang: str) -> None:
    """Say what a recovery had to leave out."""
    if not recover or to is not None:
        return
    for line in losses(saved, play, lang):
        print(line, file=sys.stderr)


def losses(saved: saves.Saved, play: Play, lang: str) -> list[str]:
    """What a recovery had to leave out, and why."""
    wrong = saved.stopped or saved.broken
    if wrong is None:
        return []
    kept, there = len(play.answers), len(saved.entries)
    said = notice("recovered_so_far", kept=kept, left=there - kept or None)
    return [f"{saved.path}: {said.in_words(lang)}", f"  {wrong.in_words(lang)}"]


def _replay_data(file: Path, saved: saves.Saved, play: Play) -> dict[str, Any]:
    pending = play.pending[0].data() if play.pending else None
    return {
        "file": str(file),
        "game": saved.game.id,
        "seed": saved.header.seed,
        "seats": saved.seats,
        "answers": len(play.answers),
        "of": len(saved.entries),
        "over": play.over,
        **saved.game.result(play.battle),
        "fingerprint": play.battle.fingerprint(),
        "pending": pending,
        "battle": play.battle.data(),
    }


def _tell(play: Play, voice: Voice, to: int | None, lang: str) -> None:
    """The log up to a moment, and the table at that moment."""
    voice.names.learn(play.battle)
    for line in show.log_lines(play.game, voice, play.events):
        show.say(line)
    show.say()
    show.say(_drawn(play, lang))
    said = words(lang)["replay"]["answer" if to is None else "answer_to"]
    show.say(said.format(number=len(play.answers), to=to), "dim")
    asked = words(lang)["replay"]["asked"]
    for decision in play.pending:
        show.say(show.text_of(voice.ask(decision), asked.format(side=voice.side(decision.side))))


class _Viewer:
    """Steps through a save in a terminal."""

    def __init__(self, saved: saves.Saved, voice: Voice, lang: str, recover: bool) -> None:
        self.saved = saved
        self.voice = voice
        self.lang = lang
        self.said = words(lang)["replay"]
        self.recover = recover
        self.total = len(saved.play(recover=recover).answers)

    def run(self) -> None:
        self._jump(0)
        show.say(self.said["help"], "dim")
        while True:
            try:
                wanted = input(f"{len(self.play.answers)}/{self.total}> ").strip().lower()
            except EOFError:
                return
            if wanted in ("q", "quit"):
                return
            if wanted in ("", "n", "next"):
                self._step()
            elif wanted in ("b", "back"):
                self._jump(max(0, len(self.play.answers) - 1))
            elif wanted in ("t", "table"):
                show.say(_drawn(self.play, self.lang))
            elif wanted in ("e", "end"):
                self._jump(self.total)
            elif wanted.isdigit():
                self._jump(min(int(wanted), self.total))
            else:
                show.say(self.said["help"], "dim")

    def _jump(self, number: int) -> None:
        self.play = self.saved.play(recover=self.recover, upto=number)
        tag_units(self.play)
        self.voice.names.learn(self.play.battle)
        show.say(_drawn(self.play, self.lang))
        self._ask()

    def _step(self) -> None:
        number = len(self.play.answers)
        if number >= self.total:
            show.say(self.said["end"], "dim")
            return
        entry = self.saved.entries[number]
        before = len(self.play.events)
        refusal = self.play.answer(entry.side, entry.answer)
        if refusal is not None:
            raise Problems(self.saved.path, [])
        self.voice.names.learn(self.play.battle)
        for line in show.log_lines(self.play.game, self.voice, self.play.events[before:], everything=True):
            show.say(line)
        self._ask()

    def _ask(self) -> None:
        for decision in self.play.pending:
            side = self.said["asked"].format(side=self.voice.side(decision.side))
            show.say(show.text_of(self.voice.ask(decision), side))
