"""How companies or other armies fare against each other: python tools/balance.py GAME POINTS RESULTS [BATTLES]

Captains play so many battles for each pair of factions, with every ready-made list of both by turns and seats swapped,
and each result is a line of the file RESULTS. A run that was stopped goes on where it ended; with as many battles as
there are already, it only prints the table. A drawn battle counts half for both.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from oriflamme.games import load
from oriflamme.lab.battle import derived, play_battle
from oriflamme.lab.simulate import wilson

SEED = 13
USUAL = 200


def lists_by_faction(game: Any, points: int) -> dict[str, list[str]]:
    """The ready-made lists of this size, by the faction their names begin with, else by the one they are for."""
    found: dict[str, list[str]] = {}
    reader = game.armies().reader
    for name in sorted(reader.ready):
        faction, sign, _ = name.partition(f"_{points}_")
        if sign:
            found.setdefault(faction, []).append(name)
    if not found:
        for name in sorted(reader.ready):
            army = reader.load(name, game.defaults())
            if army.points == points:
                found.setdefault(army.faction, []).append(name)
    return found


def battles_of(lists: dict[str, list[str]], battles: int) -> Iterator[tuple[str, str, int]]:
    """Every pair and number, all pairs by turns, so that a run that is stopped has as many of each."""
    for number in range(battles):
        for one, other in combinations(sorted(lists), 2):
            yield one, other, number


def play(game: Any, points: int, one: str, other: str, number: int, lists: dict[str, list[str]]) -> float:
    """What the first of both factions gets from a battle: 1, a half or nothing."""
    mine, theirs = lists[one], lists[other]
    seats = [mine[number // 2 % len(mine)], theirs[number // (2 * len(mine)) % len(theirs)]]
    turned = number % 2
    setup = game.setup(
        derived(SEED, one, other, number // 2), points=points, lists=tuple(seats[::-1] if turned else seats)
    )
    winner = play_battle(game, setup, derived(SEED, one, other, "battle", number), ("captain", "captain")).winner
    return 0.5 if winner is None else float(winner == turned)


def table(results: dict[tuple[str, str, int], float], factions: list[str]) -> str:
    """Wins of the row against the column, and of each against all with the bounds of a 95 % confidence interval."""
    lines = ["| | " + " | ".join(factions) + " | all | 95 % |", "|---|" + "---|" * (len(factions) + 2)]
    for one in factions:
        cells, total, number = [], 0.0, 0
        for other in factions:
            got = [r for (a, b, _), r in results.items() if (a, b) == (one, other)]
            got += [1 - r for (a, b, _), r in results.items() if (a, b) == (other, one)]
            cells.append(f"{sum(got):g} of {len(got)}" if got else "")
            total, number = total + sum(got), number + len(got)
        low, high = wilson(round(total), number)
        rate = total / number if number else 0.0
        lines.append(f"| {one} | {' | '.join(cells)} | {rate:.1%} | {low:.1%} to {high:.1%} |")
    return "\n".join(lines)


def main() -> None:
    name, size, file, *rest = sys.argv[1:]
    game, points, path = load(name), int(size), Path(file)
    lists = lists_by_faction(game, points)
    results: dict[tuple[str, str, int], float] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            one, other, number, got = json.loads(line)
            results[one, other, number] = got
    with path.open("a", encoding="utf-8") as out:
        for key in battles_of(lists, int(rest[0]) if rest else USUAL):
            if key not in results:
                results[key] = play(game, points, *key, lists)
                out.write(json.dumps([*key, results[key]]) + "\n")
                out.flush()
    print(table(results, sorted(lists)))


if __name__ == "__main__":
    main()
