"""Prints how fast Oriflamme is beside its peers, all measured in this one run: `make bench`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

import frames
import ours
import peers
import server


class Target(NamedTuple):
    """What a figure is held to: a bound on the figure, or on its ratio to the peer's."""

    text: str
    met: Callable[[float, float], bool]


class Row(NamedTuple):
    what: str
    unit: str
    scale: float
    ours: Callable[[], float]
    peer_name: str = ""
    peer: Callable[[], float] | None = None
    target: Target | None = None


def at_least_times(bound: float) -> Target:
    return Target(f"at least {bound:g}x", lambda mine, theirs: mine >= bound * theirs)


def at_most_times(bound: float) -> Target:
    return Target(f"at most {bound:g}x", lambda mine, theirs: mine <= bound * theirs)


def under(bound: float, text: str) -> Target:
    return Target(f"under {text}", lambda mine, _: mine < bound)


# Age of Fantasy at 1500 points, Song of Blades and Heroes at 300, The Last Argument of Kings at 2000, Rag'Narok 3 at
# 1500 and 3000, Last Fantasy War at 300.
AOF_PLAY, AOF_COPY, AOF_CAPTAINS = (
    partial(ours.random_decisions_per_second, "aof", 1500),
    partial(ours.copy_seconds, "aof", 1500),
    partial(ours.captain_battle_cpu_seconds, "aof", 1500, 3),
)
SBH_PLAY, SBH_COPY, SBH_CAPTAINS = (
    partial(ours.random_decisions_per_second, "sbh", 300),
    partial(ours.copy_seconds, "sbh", 300),
    partial(ours.captain_battle_cpu_seconds, "sbh", 300, 12),
)
TLAOK_PLAY, TLAOK_COPY, TLAOK_CAPTAINS = (
    partial(ours.random_decisions_per_second, "tlaok", 2000),
    partial(ours.copy_seconds, "tlaok", 2000),
    partial(ours.captain_battle_cpu_seconds, "tlaok", 2000, 3),
)
RN3_PLAY, RN3_PLAY_3000, RN3_COPY, RN3_CAPTAINS = (
    partial(ours.random_decisions_per_second, "rn3", 1500),
    partial(ours.random_decisions_per_second, "rn3", 3000),
    partial(ours.copy_seconds, "rn3", 3000),
    partial(ours.captain_battle_cpu_seconds, "rn3", 3000, 4),
)
LFW_PLAY, LFW_COPY, LFW_CAPTAINS = (
    partial(ours.random_decisions_per_second, "lfw", 300),
    partial(ours.copy_seconds, "lfw", 300),
    partial(ours.captain_battle_cpu_seconds, "lfw", 300, 6),
)

ROWS = [
    Row(
        "aof: random play, 1500 points",
        "decisions/s",
        1,
        AOF_PLAY,
        "catanatron actions/s",
        peers.catanatron_actions_per_second,
        at_least_times(0.3),
    ),
    Row(
        "aof: random play, 1500 points",
        "decisions/s",
        1,
        AOF_PLAY,
        "python-chess plies/s",
        peers.chess_plies_per_second,
    ),
    Row(
        "aof: copy at a step boundary",
        "us",
        1e6,
        AOF_COPY,
        "catanatron game copy",
        peers.catanatron_copy_seconds,
        at_most_times(3),
    ),
    Row(
        "aof: copy at a step boundary",
        "us",
        1e6,
        AOF_COPY,
        "python-chess board copy",
        peers.chess_copy_seconds,
    ),
    Row("aof: captain against captain, 1500 points", "s CPU", 1, AOF_CAPTAINS, target=under(1, "1 s")),
    Row(
        "sbh: random play, 300 points",
        "decisions/s",
        1,
        SBH_PLAY,
        "catanatron actions/s",
        peers.catanatron_actions_per_second,
        at_least_times(0.3),
    ),
    Row(
        "sbh: copy at a step boundary",
        "us",
        1e6,
        SBH_COPY,
        "catanatron game copy",
        peers.catanatron_copy_seconds,
    ),
    Row("sbh: captain against captain, 300 points", "s CPU", 1, SBH_CAPTAINS, target=under(0.7, "0.7 s")),
    Row(
        "tlaok: random play, 2000 points",
        "decisions/s",
        1,
        TLAOK_PLAY,
        "catanatron actions/s",
        peers.catanatron_actions_per_second,
        at_least_times(0.2),
    ),
    Row(
        "tlaok: copy at a step boundary",
        "us",
        1e6,
        TLAOK_COPY,
        "catanatron game copy",
        peers.catanatron_copy_seconds,
    ),
    Row("tlaok: captain against captain, 2000 points", "s CPU", 1, TLAOK_CAPTAINS, target=under(3, "3 s")),
    Row(
        "rn3: random play, 1500 points",
        "decisions/s",
        1,
        RN3_PLAY,
        "catanatron actions/s",
        peers.catanatron_actions_per_second,
        at_least_times(0.3),
    ),
    Row(
        "rn3: random play, 3000 points",
        "decisions/s",
        1,
        RN3_PLAY_3000,
        "catanatron actions/s",
        peers.catanatron_actions_per_second,
        at_least_times(0.3),
    ),
    Row(
        "rn3: copy at a step boundary, 3000 points",
        "us",
        1e6,
        RN3_COPY,
        "catanatron game copy",
        peers.catanatron_copy_seconds,
    ),
    Row("rn3: captain against captain, 3000 points", "s CPU", 1, RN3_CAPTAINS, target=under(3, "3 s")),
    Row(
        "lfw: random play, 300 points",
        "decisions/s",
        1,
        LFW_PLAY,
        "catanatron actions/s",
        peers.catanatron_actions_per_second,
        at_least_times(0.3),
    ),
    Row(
        "lfw: copy at a step boundary",
        "us",
        1e6,
        LFW_COPY,
        "catanatron game copy",
        peers.catanatron_copy_seconds,
        at_most_times(3),
    ),
    Row("lfw: captain against captain, 300 points", "s CPU", 1, LFW_CAPTAINS, target=under(1, "1 s")),
    Row(
        "aof: 40 attacks, exact odds",
        "ms",
        1e3,
        ours.volley_seconds,
        "icepool",
        peers.icepool_volley_seconds,
        under(0.010, "10 ms"),
    ),
    Row("sbh: muster a band, 300 points", "ms", 1e3, ours.band_seconds, target=under(0.002, "2 ms")),
    Row("sbh: chances of a known bout", "µs", 1e6, ours.known_bout_seconds, target=under(50e-6, "50 µs")),
    Row("aof: load a saved battle", "s", 1, ours.load_seconds, target=under(0.5, "0.5 s")),
    Row(
        "aof: server, 200 battles at once",
        "answers/s CPU",
        1,
        partial(server.figure, "aof", "rate"),
        "boardgame.io moves/s CPU",
        partial(server.figure, "peer", "rate"),
        at_least_times(1),
    ),
    Row(
        "aof: server, answer to ack at 200 a second, p99",
        "ms",
        1e3,
        partial(server.figure, "aof", "calm_p99"),
        "boardgame.io",
        partial(server.figure, "peer", "calm_p99"),
        at_most_times(1),
    ),
    Row(
        "aof: server, memory of a battle",
        "kB",
        1e-3,
        partial(server.figure, "aof", "memory"),
        "boardgame.io",
        partial(server.figure, "peer", "memory"),
    ),
    Row("sbh: server, 200 battles at once", "answers/s CPU", 1, partial(server.figure, "sbh", "rate")),
    Row("oriflamme --help", "s", 1, ours.help_seconds, target=under(0.3, "0.3 s")),
    Row(
        "web: a frame while a unit is dragged, 300 figures",
        "ms",
        1e3,
        frames.drag_seconds,
        target=under(0.016, "16 ms"),
    ),
    Row("web: a frame while one zooms, 300 figures", "ms", 1e3, frames.zoom_seconds, target=under(0.016, "16 ms")),
]


def main() -> None:
    table = Table(title="Oriflamme beside its peers, one run on this machine")
    for column in ("what", "unit", "ours", "peer", "peer's", "ratio", "target", ""):
        table.add_column(column, justify="right" if column in ("ours", "peer's", "ratio") else "left")

    measured: dict[Callable[[], float], float | None] = {}
    progress = Console(stderr=True)
    for row in ROWS:
        if row.ours not in measured:
            if progress.is_terminal:
                progress.print(f"measuring: {row.what}", style="dim")
            try:
                measured[row.ours] = row.ours()
            except ours.NotYet:
                measured[row.ours] = None
        mine = measured[row.ours]
        theirs = row.peer() or None if row.peer else None
        judged = row.target if mine is not None and (theirs is not None or row.peer is None) else None
        table.add_row(
            row.what,
            row.unit,
            shown(mine, row.scale),
            row.peer_name,
            shown(theirs, row.scale, "not here") if row.peer else "",
            f"{mine / theirs:.2f}x" if mine is not None and theirs else "",
            row.target.text if row.target else "",
            "" if judged is None else "met" if judged.met(mine or 0.0, theirs or 0.0) else "SHORT",
        )
    Console(width=None if sys.stdout.isatty() else 150).print(table)


def shown(figure: float | None, scale: float, nothing: str = "not yet") -> str:
    if figure is None:
        return nothing
    value = figure * scale
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
