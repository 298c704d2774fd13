"""How time for a decision grows with the size of a battle: python benchmarks/growth.py [--games aof,sbh] [--write]

Battles of random players are played at the usual size of each game and at multiples of it. Printed are microseconds of
CPU time a decision, and the exponent that fits them best: 1 is in proportion. `--write` puts the table and a plot into
docs/.
"""

from __future__ import annotations

import argparse
import sys
from math import exp, log
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

USUAL = {"aof": 1500, "sbh": 300, "tlaok": 2000, "rn3": 3000, "lfw": 600}
# What the data of an army calls its units: armies larger than ready-made lists are several lists of half the usual size
# under one banner. Song of Blades musters bands of any size.
UNITS = {"aof": "units", "tlaok": "warbands", "rn3": "units", "lfw": "troops"}
TIMES = (1.0, 1.5, 2.0, 3.0)
DOCS = Path(__file__).parents[1] / "docs"
PLOT = "growth.svg"
# Between these lines of docs/performance.md the table stands.
BEGIN, END = "<!-- growth: benchmarks/growth.py --write -->", "<!-- end of growth -->"
COLOURS = {"aof": "#1b6ca8", "sbh": "#2e8b57", "tlaok": "#b8860b", "rn3": "#a83232", "lfw": "#6a4c93"}


class Growth(NamedTuple):
    """A game: seconds a decision takes, by how many times the usual size is played."""

    game: str
    seconds: dict[float, float]

    @property
    def exponent(self) -> float:
        """Of the power of the size that time grows with: the slope of the line through the logarithms."""
        points = [(log(times), log(spent)) for times, spent in self.seconds.items()]
        x, y = (sum(part) / len(points) for part in zip(*points, strict=True))
        return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def setup_of(game: Any, seed: int, times: float) -> dict[str, Any]:
    """The setup of a battle of so many times the usual size."""
    usual = USUAL[game.id]
    if game.id not in UNITS:
        setup: dict[str, Any] = game.setup(seed, points=round(usual * times))
        return setup
    unit = UNITS[game.id]
    first, *others = [game.setup(seed + 1000 * part, points=usual // 2) for part in range(round(2 * times))]
    armies = [
        army | {"points": sum(s["armies"][side]["points"] for s in (first, *others))}
        | {unit: [each for s in (first, *others) for each in s["armies"][side][unit]]}
        for side, army in enumerate(first["armies"])
    ]  # fmt: skip
    return first | {"points": round(usual * times), "armies": armies}


def seconds_a_decision(game_id: str, times: float, least: float, battles: int) -> float:
    """CPU time of a decision, with setup left out: so many battles at least, and so many seconds of play."""
    from oriflamme import games
    from oriflamme.bots.random import RandomBot
    from oriflamme.engine.core.play import Play

    game = games.load(game_id)
    spent, decisions, seed = 0.0, 0, 0
    while seed < battles or spent < least:
        setup = setup_of(game, seed, times)
        bots = (RandomBot(2 * seed), RandomBot(2 * seed + 1))
        start = process_time()
        play = Play(game, setup, seed, keep=False, log=False)
        while play.pending:
            decision = play.pending[0]
            play.answer(decision.side, bots[decision.side].decide(None, decision))
        spent += process_time() - start
        decisions += play.number
        seed += 1
    return spent / decisions


def growth_of(game: str, least: float, battles: int) -> Growth:
    seconds_a_decision(game, 1.0, 0.0, 1)  # what is loaded and kept the first time is not counted
    return Growth(game, {t: seconds_a_decision(game, t, least, battles) for t in TIMES})


def table(found: list[Growth]) -> str:
    heads = ["us a decision", *(f"{times:g}x" for times in TIMES), "exponent"]
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    for growth in found:
        cells = [f"{growth.game}, {USUAL[growth.game]}", *(f"{growth.seconds[t] * 1e6:,.0f}" for t in TIMES)]
        lines.append("| " + " | ".join([*cells, f"{growth.exponent:.2f}"]) + " |")
    return "\n".join(lines)


def plot(found: list[Growth]) -> str:
    """Both axes by their logarithms; a dashed line is growth in proportion."""
    wide, deep, left, top, right, below = 640, 400, 70, 20, 120, 50
    least = min(min(growth.seconds.values()) for growth in found) / 1.3
    most = max(max(growth.seconds.values()) for growth in found) * 1.3

    def x_of(times: float) -> float:
        return left + (wide - left - right) * log(times) / log(TIMES[-1])

    def y_of(seconds: float) -> float:
        return deep - below - (deep - below - top) * (log(seconds) - log(least)) / (log(most) - log(least))

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {deep}" font-family="sans-serif" font-size="13">',
        f'<rect width="{wide}" height="{deep}" fill="white"/>',
    ]
    for times in TIMES:
        lines.append(f'<path d="M{x_of(times):.1f} {top}V{deep - below}" stroke="#ddd"/>')
        lines.append(f'<text x="{x_of(times):.1f}" y="{deep - below + 18}" text-anchor="middle">{times:g}x</text>')
    for microseconds in (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000):
        if least < microseconds / 1e6 < most:
            y = y_of(microseconds / 1e6)
            lines.append(f'<path d="M{left} {y:.1f}H{wide - right}" stroke="#ddd"/>')
            lines.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{microseconds:,}</text>')
    for growth in found:
        colour = COLOURS[growth.game]
        dots = [(x_of(times), y_of(spent)) for times, spent in growth.seconds.items()]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in dots)
        lines.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in dots]
        label = f"{growth.game} ({growth.exponent:.2f})"
        lines.append(f'<text x="{wide - right + 8}" y="{dots[-1][1] + 4:.1f}" fill="{colour}">{label}</text>')
    first = exp(sum(log(growth.seconds[1.0]) for growth in found) / len(found))
    if first * TIMES[-1] < most:
        ends = f"M{x_of(1.0):.1f} {y_of(first):.1f}L{x_of(TIMES[-1]):.1f} {y_of(first * TIMES[-1]):.1f}"
        lines.append(f'<path d="{ends}" stroke="#888" stroke-dasharray="5 4"/>')
    lines.append(
        f'<text x="{(left + wide - right) / 2}" y="{deep - 10}" text-anchor="middle">times the usual size</text>'
    )
    middle = (deep - below + top) / 2
    lines.append(
        f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">us a decision</text>'
    )
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python benchmarks/growth.py", description=__doc__)
    parser.add_argument("--games", default=",".join(USUAL), help="which games, with commas (default: all)")
    parser.add_argument("--seconds", type=float, default=5.0, help="of play at each size, at least (default 5)")
    parser.add_argument("--battles", type=int, default=4, help="battles at each size, at least (default 4)")
    parser.add_argument("--write", action="store_true", help="put the table and the plot into docs/")
    asked = parser.parse_args()
    found = [growth_of(game, asked.seconds, asked.battles) for game in asked.games.split(",")]
    print(table(found))
    if asked.write:
        (DOCS / PLOT).write_text(plot(found), encoding="utf-8")
        page = DOCS / "performance.md"
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        _, after = rest.split(END)
        page.write_text(f"{before}{BEGIN}\n{table(found)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
