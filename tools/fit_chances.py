"""Fits chances to win to battles of captains, and says how true they are.

    python tools/fit_chances.py GAME positions.jsonl BATTLES [--write] [--points N,N,…] [--seed S]

Each battle adds some of its positions to the file, a line each: how it stood, how much of it was over, and what came of
it. A run that was stopped goes on where it ended. In two battles of three one side begins as a recruit, until some of
the battle is over, so that one-sided positions occur too; positions are taken from then on, when captains play on both
sides. Every other battle is of the usual scenario, the others go through all that two can play.

How true they are is judged by battles that were held out: battles are dealt into ten heaps, and those of each heap are
told by weights that were fitted to the other nine. Positions of a battle go together, so bounds come from drawing whole
battles anew. With --write the weights, fitted to all battles, go to the game's `chances.toml`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.chances import LAST
from oriflamme.engine.core.play import Play
from oriflamme.engine.search.levels import RECRUIT, LearningBot
from oriflamme.games import load
from oriflamme.lab.battle import derived, play_on

POSITIONS: Final = 12  # of each battle
HEAPS: Final = 10
DRAWS: Final = 400  # times battles are drawn anew for the bounds
BANDS: Final = 10
CALM: Final = (3.0, 10.0, 30.0, 100.0, 300.0)  # how strongly weights may be held near 0
MIDDLE: Final = 1e-4  # how near to 0 or 1 a chance is told at most


# -- battles -----------------------------------------------------------------------------------------------------------


def agreed(game: Any, number: int) -> dict[str, str]:
    """Every other battle is of the usual scenario; the others go through all that two can play."""
    fitting = []
    for value in game.choices.get("scenario", ()):
        made = game.agreed({"scenario": value})
        if game.players_of(made) == 2:
            fitting.append(value)
    return {"scenario": fitting[number // 2 % len(fitting)]} if number % 2 and fitting else {}


def position_of(game: Any, play: Play) -> dict[str, Any]:
    """How a battle stands for each side, and how much of it is over."""
    standing = [dict(game.standing(play.battle, side)) for side in range(play.battle.players)]
    return {"standing": standing, "progress": game.progress(play.battle)}


def battle(game_id: str, number: int, points: int, seed: int) -> list[dict[str, Any]]:
    """Some positions of a battle, and what came of it."""
    game = load(game_id)
    captain = game.bots()["captain"]
    begun = derived(seed, "chances", number)
    setup = game.setup(begun, points=points, choices=agreed(game, number))
    seats = game.players_of(setup)
    play = Play(game, setup, begun, keep=False, log=False)
    if play.battle.are_friends(0, 1):
        # Both play against an army that nobody owns: nobody's chances are the other's loss.
        return []
    random = Random(begun)
    learning, until = number % 3 - 1, 0.1 + 0.6 * random.random()
    bots: list[Bot] = [captain(seed=derived(begun, "seat", seat)) for seat in range(seats)]
    if learning >= 0:
        bots[learning] = LearningBot(derived(begun, "learning"), captain=captain, name="recruit", by_chance=RECRUIT)
    found: list[dict[str, Any]] = []

    def note(play: Play) -> None:
        nonlocal learning
        if learning >= 0 and game.progress(play.battle) >= until:
            bots[learning], learning = captain(seed=derived(begun, "seat", learning)), -1
        # Evenly by answers, whatever their number turns out to be.
        if random.random() < 0.25 and learning < 0 and play.battle.round and not play.battle.over:
            found.append(position_of(game, play))

    play_on(play, bots, note)
    winners = play.battle.winners
    result = [1 / len(winners) if side in winners else 0.0 if winners else 1 / seats for side in range(seats)]
    chosen = sorted(random.sample(range(len(found)), min(POSITIONS, len(found))))
    return [found[n] | {"battle": number, "result": result} for n in chosen]


# -- the fit -----------------------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """Differences of two sides, what became of the first, and which battle it was; a row for each position."""

    rows: Any
    results: Any
    of: Any

    def where(self, chosen: Any) -> Table:
        return Table(self.rows[chosen], self.results[chosen], self.of[chosen])


def table_of(lines: list[dict[str, Any]], names: list[str]) -> Table:
    """What the fit is made of; each position is seen from the side it names first."""
    rows, results, of = [], [], []
    for line in lines:
        one, other = line["standing"][:2]
        t = line["progress"]
        diff = np.array([one[name] - other[name] for name in names])
        rows.append(np.concatenate([diff, diff * t, diff * t**LAST]))
        results.append(line["result"][0])
        of.append(line["battle"])
    return Table(np.array(rows), np.array(results), np.array(of))


def fit(table: Table, calm: float) -> Any:
    """Newton's method for a logistic curve through the middle. Numbers are weighed by how much they vary."""
    scale = np.sqrt((table.rows**2).mean(axis=0))
    scale[scale < 1e-9] = np.inf  # what never differs counts nothing
    rows = table.rows / scale
    w = np.zeros(rows.shape[1])
    for _ in range(60):
        p = told(rows, w)
        grad = rows.T @ (table.results - p) - calm * w
        hess = (rows * (p * (1 - p))[:, None]).T @ rows + calm * np.eye(len(w))
        step = np.linalg.solve(hess, grad)
        w += step
        if np.abs(step).max() < 1e-8:
            break
    return w / scale


def told(rows: Any, w: Any) -> Any:
    return np.clip(1 / (1 + np.exp(-np.clip(rows @ w, -30, 30))), MIDDLE, 1 - MIDDLE)


def loss_of(told: Any, results: Any) -> float:
    """What was not foreseen: 0 if all was, 0.693 if every chance was told to be even."""
    return float(-np.mean(results * np.log(told) + (1 - results) * np.log(1 - told)))


def tempered(rows: Any, results: Any) -> float:
    """By how much chances are to be told more boldly (above 1) or more carefully (below 1)."""
    bold = np.exp(np.linspace(np.log(0.3), np.log(3.0), 200))
    logits = np.log(rows / (1 - rows))
    losses = [loss_of(np.clip(1 / (1 + np.exp(-b * logits)), MIDDLE, 1 - MIDDLE), results) for b in bold]
    return float(bold[int(np.argmin(losses))])


def held_out(table: Table, calm: float) -> Any:
    """The chances of each position by weights that were fitted to other battles."""
    found = np.zeros(len(table.of))
    for heap in range(HEAPS):
        out = table.of % HEAPS == heap
        if out.any():
            found[out] = told(table.rows[out], fit(table.where(~out), calm))
    return found


# -- how true ----------------------------------------------------------------------------------------------------------


def bands(told: Any, results: Any, weight: Any) -> list[tuple[float, float, float]]:
    """What was told and what was won on average, and in how many positions, by tenths of the chances. A position counts
    from both sides of the table."""
    p = np.concatenate([told, 1 - told])
    r, w = np.concatenate([results, 1 - results]), np.concatenate([weight, weight])
    tenth = np.minimum((p * BANDS).astype(int), BANDS - 1)
    found = []
    for number in range(BANDS):
        inside = tenth == number
        many = w[inside].sum()
        if many:
            found.append((float((p * w)[inside].sum() / many), float((r * w)[inside].sum() / many), float(many)))
    return found


def off_by(told: Any, results: Any, weight: Any) -> float:
    """How far what was told and what was won lie apart on average, in points of a hundred."""
    found = bands(told, results, weight)
    return 100 * sum(many * abs(told - won) for told, won, many in found) / sum(many for *_, many in found)


def bounds(told: Any, table: Table, draws: int = DRAWS) -> tuple[float, float, float]:
    """How far apart 19 times out of 20, when whole battles are drawn anew; and how far on average if every chance were
    exact, so few battles as there are."""
    random = np.random.default_rng(1)
    battles, numbers = np.unique(table.of, return_inverse=True)
    last = dict(zip(table.of, told, strict=True))
    ends = np.array([last[of] for of in battles])
    drawn, exact = [], []
    for _ in range(draws):
        times = random.multinomial(len(battles), np.full(len(battles), 1 / len(battles)))
        drawn.append(off_by(told, table.results, times[numbers].astype(float)))
        # Chances that are exact say by the last of them who wins.
        won = (random.random(len(battles)) < ends).astype(float)
        exact.append(off_by(told, won[numbers], np.ones(len(numbers))))
    return float(np.quantile(drawn, 0.025)), float(np.quantile(drawn, 0.975)), float(np.mean(exact))


def report(game: str, table: Table, names: list[str]) -> tuple[float, float]:
    """Says how true chances are in battles that were held out; how calm the fit is best, and how bold what it tells."""
    losses = {calm: loss_of(held_out(table, calm), table.results) for calm in CALM}
    calm = min(losses, key=lambda one: losses[one])
    out = held_out(table, calm)
    bold = tempered(out, table.results)
    one = np.ones(len(table.of))
    low, high, exact = bounds(out, table)
    print(f"{game}: {len(set(table.of))} battles, {len(table.of)} positions, all of them held out once")
    even = table.results != 0.5
    right = np.mean((out > 0.5)[even] == (table.results > 0.5)[even])
    print(f"log loss {losses[calm]:.3f} (0.693 says nothing), right side {100 * right:.1f} %")
    print(f"calm {calm:g}, bold {bold:.2f}")
    for told, won, many in bands(out, table.results, one):
        print(f"  told {100 * told:5.1f} %  won {100 * won:5.1f} %  of {many:.0f}")
    print(f"off by {off_by(out, table.results, one):.1f} points on average ({low:.1f} to {high:.1f});", end=" ")
    print(f"exact chances would be off by {exact:.1f} in so many battles")
    return calm, bold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("file", type=Path)
    parser.add_argument("battles", type=int)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--points", default="0", help="sizes, one battle after the other; 0 is the usual")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    lines = [json.loads(line) for line in asked.file.read_text().splitlines()] if asked.file.exists() else []
    done = {line["battle"] for line in lines}
    sizes = [int(size) for size in asked.points.split(",")]
    with asked.file.open("a") as file:
        for number in range(asked.battles):
            if number not in done:
                new = battle(asked.game, number, sizes[number % len(sizes)], asked.seed)
                file.writelines(json.dumps(line) + "\n" for line in new)
                file.flush()
                lines += new
    names = list(lines[0]["standing"][0])
    table = table_of(lines, names)
    calm, bold = report(asked.game, table, names)
    if asked.write:
        write(asked, names, bold * fit(table, calm), len(set(table.of)))


def write(asked: argparse.Namespace, names: list[str], weights: Any, battles: int) -> None:
    sizes = f", of {asked.points} points" if asked.points != "0" else ""
    made = f"fitted to {battles} battles{sizes} by tools/fit_chances.py"
    text = [f"# What each number of a standing counts towards winning (`engine.core.chances`), {made}", ""]
    for title, part in zip(("at_first", "later", "at_last"), np.split(weights, 3), strict=True):
        text += [f"[{title}]", *(f'"{name}" = {value:.4f}' for name, value in zip(names, part, strict=True)), ""]
    (load(asked.game).folder / "chances.toml").write_text("\n".join(text))


if __name__ == "__main__":
    main()
