"""A small policy learns from the captain, and plays.

    python docs/examples/imitate.py sbh policy.npz 30
    oriflamme arena sbh --file learnt.jsonl --points 100 --bots random,docs/examples/imitate.py:Imitator --battles 10

It watches captains play. Each answer that may be given is a row of numbers, as in an environment (docs/research.md,
`options`); for every kind of question it fits how much each number counts, so that the captain's answer is likely among
the others. Nothing but numpy is needed (`pip install oriflamme[research]`). What is learnt lies in the file that is
named first, or by ORIFLAMME_POLICY when it plays; "policy.npz" if nothing is said.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from typing import Any

import numpy as np

import oriflamme
from oriflamme.engine.core.decisions import Move, PickOne, Place
from oriflamme.research.micro import Asking
from oriflamme.research.tables import OPTION, Scene, Sizes, Tables, is_turned

POINTS = 100
SIZES = Sizes()
X, Y = OPTION.index("x"), OPTION.index("y")
STEPS, RATE, CALM = 300, 0.05, 1e-3


class Watcher:
    """Turns questions of one side into rows of numbers."""

    def __init__(self, game: oriflamme.Game) -> None:
        self.game, self.tables = game, Tables(game, SIZES)
        self.turned: dict[int, bool] = {}

    def rows(self, view: Any, decision: Any, seed: int) -> tuple[Asking, Any] | None:
        """The answers to choose from and their numbers; None for questions that are left to the rules."""
        if not isinstance(decision, PickOne | Place | Move):
            return None
        asking = Asking(decision, SIZES.options, 7, seed)
        if len(asking.shown) < 2:
            return None
        side = decision.side
        self.turned[side] = is_turned(self.game, view.battle, side, self.turned.get(side))
        numbers = Scene(self.tables, view, self.turned[side]).options(asking)[: len(asking.shown)]
        return asking, numbers


# -- to watch ----------------------------------------------------------------------------------------------------------


def watch(game: str, battles: int) -> dict[str, list[tuple[Any, int]]]:
    """Of each kind of question: the rows, and which one the captain took, or came nearest to."""
    seen: dict[str, list[tuple[Any, int]]] = defaultdict(list)
    for seed in range(battles):
        match = oriflamme.new_match(game, seed=seed, points=POINTS)
        watcher = Watcher(match.game)
        captains = [oriflamme.load_bot("captain", game, seed=2 * seed + side) for side in range(match.battle.players)]
        while (decision := match.decision) is not None:
            view = match.view(decision.side)
            found = watcher.rows(view, decision, seed)
            answer = match.let(captains[decision.side])
            if found is not None:
                asking, numbers = found
                seen[decision.ask].append((numbers, chosen(watcher, view, asking, numbers, answer)))
    return seen


def chosen(watcher: Watcher, view: Any, asking: Asking, numbers: Any, answer: Any) -> int:
    """The row of an answer; of places and moves, which are endless, the one that ends nearest to it."""
    if isinstance(asking.decision, PickOne):
        keys = [row.option.key for row in asking.shown]
        return keys.index(answer) if answer in keys else 0
    scene = Scene(watcher.tables, view, watcher.turned[asking.decision.side])
    told = scene._told(answer)
    return int(np.hypot(numbers[:, X] - told[1], numbers[:, Y] - told[2]).argmin())


# -- to learn ----------------------------------------------------------------------------------------------------------


def learn(seen: list[tuple[Any, int]]) -> Any:
    """How much each number counts (softmax over the rows, by Adam)."""
    most, width = max(len(numbers) for numbers, _ in seen), seen[0][0].shape[1]
    rows, there = np.zeros((len(seen), most, width)), np.zeros((len(seen), most), dtype=bool)
    for n, (numbers, _) in enumerate(seen):
        rows[n, : len(numbers)], there[n, : len(numbers)] = numbers, True
    right = np.array([index for _, index in seen])
    w, first, second = np.zeros(width), np.zeros(width), np.zeros(width)
    for step in range(1, STEPS + 1):
        likely = softmax(np.where(there, rows @ w, -np.inf))
        grad = rows[np.arange(len(seen)), right].mean(0) - np.einsum("nr,nrw->w", likely, rows) / len(seen) - CALM * w
        first, second = 0.9 * first + 0.1 * grad, 0.999 * second + 0.001 * grad**2
        w += RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return w


def softmax(values: Any) -> Any:
    grown = np.exp(values - values.max(axis=-1, keepdims=True))
    return grown / grown.sum(axis=-1, keepdims=True)


# -- to play -----------------------------------------------------------------------------------------------------------


class Imitator(oriflamme.BaseBot):
    """Answers as it thinks the captain would."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.weights = dict(np.load(os.environ.get("ORIFLAMME_POLICY", "policy.npz")))
        self.watcher: Watcher | None = None

    def decide(self, view: Any, decision: Any) -> Any:
        weights = self.weights.get(decision.ask)
        if weights is None:
            return decision.suggestion()
        self.watcher = self.watcher or Watcher(oriflamme.load_game(str(self.weights["game"])))
        found = self.watcher.rows(view, decision, self.random.getrandbits(30))
        if found is None:
            return decision.suggestion()
        asking, numbers = found
        answer = asking.point(asking.shown[int((numbers @ weights).argmax())])
        return answer[0] if answer is not None else decision.suggestion()


def main() -> None:
    game, file, battles = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seen = watch(game, battles)
    weights = {}
    for ask, questions in sorted(seen.items(), key=lambda each: -len(each[1])):
        part = len(questions) * 4 // 5
        held = questions[part:] if part else []
        weights[ask] = learn(questions)
        judged = learn(questions[:part]) if held else None
        hits = sum(int((numbers @ judged).argmax()) == index for numbers, index in held)
        by_chance = sum(1 / len(numbers) for numbers, _ in held)
        if held:
            told = f"as the captain {100 * hits / len(held):3.0f} %, by chance {100 * by_chance / len(held):3.0f} %"
            print(f"{ask:24} {len(questions):6} questions; of {len(held)} held out {told}")
    np.savez(file, game=np.array(game), **weights)


if __name__ == "__main__":
    main()
