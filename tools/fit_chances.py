"""Fits chances to win to battles of captains, and says how true they are.

    python tools/fit_chances.py GAME positions.jsonl BATTLES [--write] [--bots A,B] [--points N] [--seed S]

Each battle adds some of its positions to the file, a line each: how it stood, how much of it was over, and what came of
it. A run that was stopped goes on where it ended. Of every five battles one is held out: the weights are fitted to the
others and judged by these. With --write they go to the game's `chances.toml`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.lab.battle import derived, play_on, players

POSITIONS = 12  # of each battle
CALM = 4.0  # how strongly weights are held near 0
BANDS = [
    (0.0, 0.1),
    (0.1, 0.2),
    (0.2, 0.3),
    (0.3, 0.4),
    (0.4, 0.5),
    (0.5, 0.6),
    (0.6, 0.7),
    (0.7, 0.8),
    (0.8, 0.9),
    (0.9, 1.01),
]


def agreed(game: Any, number: int) -> dict[str, str]:
    """Every other battle is of the usual scenario; the others go through all that two can play."""
    fitting = []
    for value in game.choices.get("scenario", ()):
        made = game.agreed({"scenario": value})
        if game.players_of(made) == 2:
            fitting.append(value)
    return {"scenario": fitting[number // 2 % len(fitting)]} if number % 2 and fitting else {}


def battle(game_id: str, number: int, bots: tuple[str, ...], points: int, seed: int) -> list[dict[str, Any]]:
    """Some positions of a battle, and what came of it."""
    game = load(game_id)
    begun = derived(seed, "chances", number)
    setup = game.setup(begun, points=points, choices=agreed(game, number))
    seats = game.players_of(setup)
    play = Play(game, setup, begun, keep=False, log=False)
    random = Random(begun)
    known: list[dict[str, Any]] = []

    def note(play: Play) -> None:
        # Evenly by answers, whatever their number turns out to be.
        known.append({}) if random.random() > 0.25 or play.battle.over or play.battle.round < 1 else known.append(
            {
                "standing": [dict(game.standing(play.battle, side)) for side in range(seats)],
                "progress": game.progress(play.battle),
            }
        )

    play_on(play, players(game, [bots[(n + number) % len(bots)] for n in range(seats)], begun, seats), note)
    winners = play.battle.winners
    result = [1 / len(winners) if side in winners else 0.0 if winners else 1 / seats for side in range(seats)]
    found = [position for position in known if position]
    chosen = random.sample(found, min(POSITIONS, len(found)))
    return [position | {"battle": number, "result": result} for position in chosen]


def table_of(lines: list[dict[str, Any]], names: list[str]) -> tuple[Any, Any, Any]:
    """Differences of two sides, what became of the first, and which battle it was: from either side of the table."""
    rows, results, of = [], [], []
    for line in lines:
        one, other = line["standing"][:2]
        t = line["progress"]
        diff = np.array([one[name] - other[name] for name in names])
        row = np.concatenate([diff, diff * t])
        rows += [row, -row]
        results += [line["result"][0], line["result"][1]]
        of += [line["battle"]] * 2
    return np.array(rows), np.array(results), np.array(of)


def fit(rows: Any, results: Any) -> Any:
    """Newton's method for a logistic curve through the middle."""
    w = np.zeros(rows.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(rows @ w, -30, 30)))
        grad = rows.T @ (results - p) - CALM * w
        hess = (rows * (p * (1 - p))[:, None]).T @ rows + CALM * np.eye(len(w))
        step = np.linalg.solve(hess, grad)
        w += step
        if np.abs(step).max() < 1e-8:
            break
    return w


def told(rows: Any, w: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(rows @ w, -30, 30)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("file", type=Path)
    parser.add_argument("battles", type=int)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--bots", default="captain,captain")
    parser.add_argument("--points", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    lines = [json.loads(line) for line in asked.file.read_text().splitlines()] if asked.file.exists() else []
    done = {line["battle"] for line in lines}
    bots = tuple(asked.bots.split(","))
    with asked.file.open("a") as file:
        for number in range(asked.battles):
            if number not in done:
                new = battle(asked.game, number, bots, asked.points, asked.seed)
                file.writelines(json.dumps(line) + "\n" for line in new)
                file.flush()
                lines += new
    names = list(lines[0]["standing"][0])
    rows, results, of = table_of(lines, names)
    held_out = of % 5 == 4
    w = fit(rows[~held_out], results[~held_out])
    p = told(rows[held_out], w)
    wins = results[held_out]
    loss = -np.mean(wins * np.log(p) + (1 - wins) * np.log(1 - p))
    print(f"{asked.game}: {len(set(of))} battles, {len(lines)} positions; held out: {len(set(of[held_out]))} battles")
    print(f"log loss {loss:.3f} (0.693 says nothing), right side {np.mean((p > 0.5) == (wins > 0.5)):.3f}")
    error = 0.0
    for low, high in BANDS:
        within = (p >= low) & (p < high)
        if within.any():
            print(f"  told {100 * p[within].mean():5.1f} %  won {100 * wins[within].mean():5.1f} %  of {within.sum()}")
            error += within.mean() * abs(p[within].mean() - wins[within].mean())
    print(f"off by {100 * error:.1f} points on average")
    if asked.write:
        w = fit(rows, results)
        path = load(asked.game).folder / "chances.toml"
        half = len(names)
        made = f"python tools/fit_chances.py {asked.game} positions.jsonl {len(set(of))} --bots {asked.bots}"
        if asked.points:
            made += f" --points {asked.points}"
        text = [f"# What each number of a standing counts towards winning (`engine.core.chances`): {made} --write", ""]
        for title, part in (("at_first", w[:half]), ("later", w[half:])):
            text += [f"[{title}]", *(f'"{name}" = {value:.4f}' for name, value in zip(names, part, strict=True)), ""]
        path.write_text("\n".join(text))


if __name__ == "__main__":
    main()
