"""Prints how fast Oriflamme is beside its peers, all measured in this one run: `make bench`.

Both builds are measured where the checkout is compiled (`make fast`): the goals are those of the compiled one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

import builds
import frames
import ours
import peers
import server


class Target(NamedTuple):
    """What a figure is held to: a bound on the figure, or on its ratio to the peer's."""

    text: str
    met: Callable[[float, float], bool]


class Row(NamedTuple):
    """A figure of ours; `whole` ones are of the program as it is installed, whichever build that is."""

    what: str
    unit: str
    scale: float
    ours: Callable[[], float]
    peer_name: str = ""
    peer: Callable[[], float] | None = None
    target: Target | None = None
    whole: bool = False


def at_least_times(bound: float) -> Target:
    return Target(f"at least {bound:g}x", lambda mine, theirs: mine >= bound * theirs)


def at_most_times(bound: float) -> Target:
    return Target(f"at most {bound:g}x", lambda mine, theirs: mine <= bound * theirs)


def at_least(bound: float) -> Target:
    return Target(f"at least {bound:,g}", lambda mine, _: mine >= bound)


def under(bound: float, text: str) -> Target:
    return Target(f"under {text}", lambda mine, _: mine < bound)


class Goals(NamedTuple):
    """A game at its usual size, and what is aimed at: random play as a multiple of catanatron, captains in seconds."""

    game: str
    points: int
    play: float
    captains: float
    battles: int


GOALS = [
    Goals("aof", 1500, 0.7, 0.35, 3),
    Goals("sbh", 300, 1.2, 0.2, 12),
    Goals("tlaok", 2000, 0.35, 1.0, 3),
    Goals("rn3", 3000, 0.5, 1.2, 4),
    Goals("lfw", 300, 1.0, 0.4, 6),
]


def rows_of(goals: Goals) -> Iterator[Row]:
    """What is measured of every game."""
    game, points = goals.game, goals.points
    play = partial(ours.random_decisions_per_second, game, points)
    copy = partial(ours.copy_seconds, game, points)
    what = f"{game}: random play, {points} points"
    catanatron, chess = peers.catanatron_actions_per_second, peers.chess_plies_per_second
    yield Row(what, "decisions/s", 1, play, "catanatron actions/s", catanatron, at_least_times(goals.play))
    if game == "aof":
        yield Row(what, "decisions/s", 1, play, "python-chess plies/s", chess)
    yield Row(
        f"{game}: captain against captain, {points} points",
        "s CPU",
        1,
        partial(ours.captain_battle_cpu_seconds, game, points, goals.battles),
        target=under(goals.captains, f"{goals.captains:g} s"),
    )
    forks = partial(ours.forks_per_second, game, points)
    worst = partial(ours.worst_fork_seconds, game, points)
    yield Row(f"{game}: forks, {points} points", "1/s", 1, forks, target=at_least(5000))
    yield Row(f"{game}: the dearest fork, {points} points", "ms", 1e3, worst, target=under(0.002, "2 ms"))
    what = f"{game}: copy at a step boundary"
    yield Row(what, "us", 1e6, copy, "catanatron game copy", peers.catanatron_copy_seconds, at_most_times(0.5))
    if game == "aof":
        yield Row(what, "us", 1e6, copy, "python-chess board copy", peers.chess_copy_seconds)


ROWS = [
    *(row for goals in GOALS for row in rows_of(goals)),
    Row(
        "aof: 40 attacks, exact odds",
        "ms",
        1e3,
        ours.volley_seconds,
        "icepool",
        peers.icepool_volley_seconds,
        under(0.001, "1 ms"),
    ),
    Row("sbh: muster a band, 300 points", "ms", 1e3, ours.band_seconds, target=under(0.002, "2 ms")),
    Row("sbh: chances of a known bout", "us", 1e6, ours.known_bout_seconds, target=under(50e-6, "50 us")),
    Row("aof: load a saved battle", "s", 1, ours.load_seconds, target=under(0.1, "0.1 s")),
    Row(
        "aof: server, 200 battles at once",
        "answers/s CPU",
        1,
        partial(server.figure, "aof", "rate"),
        "boardgame.io moves/s CPU",
        partial(server.figure, "peer", "rate"),
        at_least_times(1),
        whole=True,
    ),
    Row(
        "aof: server, answer to ack at 200 a second, p99",
        "ms",
        1e3,
        partial(server.figure, "aof", "calm_p99"),
        "boardgame.io",
        partial(server.figure, "peer", "calm_p99"),
        at_most_times(1),
        whole=True,
    ),
    Row(
        "aof: server, memory of a battle",
        "kB",
        1e-3,
        partial(server.figure, "aof", "memory"),
        "boardgame.io",
        partial(server.figure, "peer", "memory"),
        whole=True,
    ),
    Row(
        "aof: server, two processes on PostgreSQL, by the clock",
        "answers/s",
        1,
        partial(server.figure, "aof", "wall_rate", processes=2, database="postgres"),
        "boardgame.io moves/s",
        partial(server.figure, "peer", "wall_rate"),
        at_least_times(2),
        whole=True,
    ),
    Row("sbh: server, 200 battles at once", "answers/s CPU", 1, partial(server.figure, "sbh", "rate"), whole=True),
    Row("oriflamme --help", "s", 1, ours.help_seconds, target=under(0.3, "0.3 s"), whole=True),
    Row(
        "web: a frame while a unit is dragged, 300 figures",
        "ms",
        1e3,
        frames.drag_seconds,
        target=under(0.010, "10 ms"),
        whole=True,
    ),
    Row(
        "web: a frame while one zooms, 300 figures",
        "ms",
        1e3,
        frames.zoom_seconds,
        target=under(0.016, "16 ms"),
        whole=True,
    ),
]


class Bench:
    """One run: what was measured is not measured again for the next row."""

    def __init__(self) -> None:
        self._builds = builds.builds()
        self._known: dict[tuple[str, Callable[[], float]], float | None] = {}

    def figures(self, row: Row) -> list[float | None]:
        """The figure of the pure build and, where there is one, of the compiled build."""
        if row.whole:
            return [None] * (len(self._builds) - 1) + [self._figure("whole", row.ours, row.ours)]
        return [self._figure(build.name, row.ours, partial(build.measure, row.ours)) for build in self._builds] or [
            None
        ]

    def close(self) -> None:
        for build in self._builds:
            build.close()

    def _figure(self, build: str, figure: Callable[[], float], measure: Callable[[], float]) -> float | None:
        key = (build, figure)
        if key not in self._known:
            try:
                self._known[key] = measure()
            except ours.NotYet:
                self._known[key] = None
        return self._known[key]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python benchmarks/run.py", description=__doc__)
    parser.add_argument("--only", default="", help="rows whose names have this in them, such as aof: or forks")
    asked = parser.parse_args()
    bench = Bench()
    compiled = builds.is_compiled()
    table = Table(title="Oriflamme beside its peers, one run on this machine")
    for column in ("what", "unit", "pure", *(["compiled"] if compiled else []), "peer", "peer's", "ratio", "goal", ""):
        right = column in ("pure", "compiled", "peer's", "ratio")
        table.add_column(column, justify="right" if right else "left")

    progress = Console(stderr=True)
    for row in ROWS:
        if asked.only not in row.what:
            continue
        if progress.is_terminal:
            progress.print(f"measuring: {row.what}", style="dim")
        found = bench.figures(row)
        mine = found[-1]
        theirs = row.peer() or None if row.peer else None
        judged = row.target if mine is not None and (theirs is not None or row.peer is None) else None
        table.add_row(
            row.what,
            row.unit,
            *("" if row.whole and n < len(found) - 1 else shown(figure, row.scale) for n, figure in enumerate(found)),
            row.peer_name,
            shown(theirs, row.scale, "not here") if row.peer else "",
            f"{mine / theirs:.2f}x" if mine is not None and theirs else "",
            row.target.text if row.target else "",
            "" if judged is None else "met" if judged.met(mine or 0.0, theirs or 0.0) else "SHORT",
        )
    bench.close()
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def shown(figure: float | None, scale: float, nothing: str = "not yet") -> str:
    if figure is None:
        return nothing
    value = figure * scale
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
