"""How the exam is dealt out: every game sits every part, in small lots that can be taken side by side.

`ORIFLAMME_EXAM=20 pytest tests/exam` sits twenty times as many battles.
"""

from __future__ import annotations

import os

import pytest
from tests.exam.exam import Sitting

from oriflamme import games

# For each part of the exam: how many battles at the game's usual size and at its larger one, and how many make a lot.
BATTLES = {
    "soundness": (80, 16, 16),
    "offers": (16, 4, 8),
    "liberties": (14, 3, 6),
    "refusals": (14, 3, 8),
    "sameness": (14, 3, 9),
    "forks": (10, 2, 6),
    "undoing": (7, 1, 4),
    "saving": (8, 2, 5),
    "secrets": (6, 1, 4),
    "misbehaviour": (10, 2, 6),
}
# The share of these that a game plays whose battles take many times as long: at its usual size one of each at least, at
# its larger one as many as that makes, which may be none unless more are asked for. Others play all.
SHARE = {"tlaok": 0.2}


def sittings(game: str, part: str) -> list[Sitting]:
    """The battles of one part. Each part has seeds of its own, so that no two look at the same battles."""
    times = int(os.environ.get("ORIFLAMME_EXAM", "1"))
    first = 10_000 * list(BATTLES).index(part)
    small, large = (round(number * times * SHARE.get(game, 1.0)) for number in BATTLES[part][:2])
    usual, larger = games.load(game).sizes
    found = [Sitting(game, first + n, usual) for n in range(max(1, small))]
    return found + [Sitting(game, first + 5_000 + n, larger) for n in range(large)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "lot" in metafunc.fixturenames:
        lots, names = [], []
        for game in games.ids():
            for part, (_, _, size) in BATTLES.items():
                battles = sittings(game, part)
                for start in range(0, len(battles), size):
                    lots.append((part, battles[start : start + size]))
                    names.append(f"{game}-{part}-{start // size + 1}")
        metafunc.parametrize("lot", lots, ids=names)
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games.ids())
