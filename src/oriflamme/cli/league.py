"""`oriflamme league`: lists that meet each other, battle after battle, and what comes of it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from os import cpu_count
from pathlib import Path

import msgspec

from oriflamme.cli import show
from oriflamme.cli.progress import progress
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.save import write_whole
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.lab import report_page, tournament
from oriflamme.lab.files import write_files
from oriflamme.lab.journal import Journal
from oriflamme.lab.plots import plots
from oriflamme.lab.report import Report, report
from oriflamme.lab.tournament import Entry, Line, Spread, Tournament

RESULTS = "results.jsonl"


@cache
def words(lang: str) -> dict[str, str]:
    path = Path(report_page.__file__).with_name(f"league_{lang}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def league(
    game_id: str,
    *,
    lists: Sequence[str],
    bots: str,
    tables: int,
    swiss: int,
    seed: int,
    points: int,
    map_name: str,
    options: Sequence[str],
    choices: Sequence[str],
    versus: Sequence[str],
    workers: int,
    on: str,
    out: Path | None,
    as_json: bool,
    lang: str,
) -> None:
    """`oriflamme league`"""
    game = load(game_id)
    cup = Tournament(
        game.id,
        tuple(_entries(game, lists, show.parts(bots), points)),
        tables=tables,
        seed=seed,
        points=points,
        map=map_name,
        options=show.chosen_options(game, options),
        choices=show.agreed(game, choices),
        versus=show.chosen_options(game, versus, "--versus"),
        swiss=swiss,
    )
    tournament.must_be_sensible(cup)
    tournament.check(cup)
    journal = Journal(out / RESULTS, {"oriflamme league": tournament.known_by(cup)}, Line) if out is not None else None
    known = {line.key: line for line in journal.read()} if journal is not None else {}
    said = words(lang)
    if known and not as_json:
        show.say(said["resumed"].format(number=len(known)), "dim")
    fresh = _played(cup, known, journal, _spread(on, workers), said)
    mine = [line for line in (*known.values(), *fresh) if {line.first, line.second} <= set(cup.names)]
    made = report(cup, mine)
    written = _write(out, game, made, mine, said, lang) if out is not None else []
    if as_json:
        show.say_json(msgspec.to_builtins(made, enc_hook=str))
        return
    _show(made, said, lang)
    for path in written:
        show.say(said["written"].format(path=path), "dim")


def _entries(game: Game, lists: Sequence[str], bots: Sequence[str], points: int) -> list[Entry]:
    """Each list with each bot; a list may name its own, as in autumn.toml@captain. Without lists, all that ship."""
    wanted = points or min(game.sizes)
    reader = game.armies().reader
    named = list(lists)
    if not named:
        named = [id for id in sorted(reader.ready) if reader.load(id, game.defaults()).points == wanted]
    if not named:
        raise problem_with("lists", notice("no_list_of_size", points=wanted), hint=notice("name_lists"))
    entries = []
    for name in named:
        id, at, bot = name.rpartition("@")
        entries += [Entry(id, bot)] if at and id else [Entry(name, bot) for bot in bots or ("",)]
    return entries


def _spread(on: str, workers: int) -> Spread:
    if on == "local":
        return tournament.here(workers or cpu_count() or 1)
    from oriflamme.lab.cluster import on_ray

    return on_ray(on)


def _played(
    cup: Tournament, known: dict[str, Line], journal: Journal[Line] | None, spread: Spread, said: dict[str, str]
) -> list[Line]:
    """What is played now; each result is kept as it comes."""
    fresh: list[Line] = []

    def play_all(add: Callable[[Line], None]) -> None:
        with progress(said["progress"], battles_of(cup), len(known)) as note:
            for line in tournament.play(cup, known, spread):
                add(line)
                fresh.append(line)
                note()

    try:
        if journal is None:
            play_all(lambda line: None)
        else:
            with journal.adding() as add:
                play_all(add)
    except KeyboardInterrupt:
        if journal is not None:
            show.say(said["stopped"].format(number=len(known) + len(fresh), all=battles_of(cup)))
        raise
    return fresh


def battles_of(cup: Tournament) -> int:
    """How many battles there are in all."""
    pairs = len(cup.entries) // 2 * tournament.rounds_of(cup)
    return pairs * cup.tables * 2 * len(cup.variants)


def _write(
    folder: Path, game: Game, made: Report, lines: Sequence[Line], said: dict[str, str], lang: str
) -> list[Path]:
    drawn = plots(made, said, "svg")
    title = said["title"].format(game=show.name_of(game.title, lang))
    written = [folder / "report.html"]
    write_whole(written[0], report_page.page(made, title, said, drawn, lang).encode())
    for kind in ("svg", "png"):
        for name, picture in (drawn if kind == "svg" else plots(made, said, kind)).items():
            written.append(folder / f"{name}.{kind}")
            write_whole(written[-1], picture)
    if not drawn:
        show.say(said["no_plots"], "dim")
    return written + write_files(folder, made, lines)


def _show(made: Report, said: dict[str, str], lang: str) -> None:
    for heading, rows in (
        (said["entries"], report_page.entrant_table(made, said, lang)),
        (said["matrix"], report_page.matrix_table(made, lang)),
        *([(said["standings"], report_page.standing_table(made, said))] if made.standings else []),
        *([(_changes(made, said), report_page.change_table(made, said, lang))] if made.changes else []),
    ):
        _show_rows(heading, rows)
    show.say(report_page.made_of(made, said, lang))


def _changes(made: Report, said: dict[str, str]) -> str:
    return said["changes"].format(rule=", ".join(f"{key} = {value}" for key, value in made.versus.items()))


def _show_rows(heading: str, rows: Sequence[Sequence[str]]) -> None:
    head, *body = rows
    made = show.table(*head, title=heading, right=range(1, len(head)))
    for row in body:
        made.add_row(*map(show.cell, row))
    show.show_table(made)
