"""How the exam is dealt out: every game sits every part, in small lots that can be taken side by side.

`ORIFLAMME_EXAM=20 pytest tests/exam` sits twenty times as many battles.
"""

from __future__ import annotations

import os

import pytest
from tests.exam.exam import Sitting

from oriflamme import games

# For each part of the exam: how many battles at the game's usual size and at its larger one.
BATTLES = {
    "soundness": (80, 16),
    "sameness": (14, 3),
    "forks": (10, 2),
    "undoing": (7, 1),
    "saving": (8, 2),
    "misbehaviour": (10, 2),
    "offers": (16, 4),
    "liberties": (14, 3),
    "refusals": (14, 3),
    "secrets": (6, 1),
    "twins": (4, 0),
}
# These look at the same battles, each played once for all of them; every other part has battles of its own.
RECORDED = ("soundness", "sameness", "forks", "undoing", "saving", "misbehaviour")
# The share of these that a game plays whose battles take many times as long: at its usual size one of each at least, at
# its larger one as many as that makes, which may be none unless more are asked for. Others play all.
SHARE = {"lfw": 0.1, "rn3": 0.1, "tlaok": 0.2}
# About so many times is a battle played in one test: few enough to be shared out evenly.
LOT = 12

Sat = tuple[Sitting, list[str]]


def sittings(game: str, part: str) -> list[Sitting]:
    """The battles of one part. Those of parts that are not recorded have seeds of their own."""
    times = int(os.environ.get("ORIFLAMME_EXAM", "1"))
    first = 0 if part in RECORDED else 10_000 * list(BATTLES).index(part)
    small, large = (round(number * times * SHARE.get(game, 1.0)) for number in BATTLES[part])
    usual, larger = games.load(game).sizes
    found = [Sitting(game, first + n, usual) for n in range(max(1, small))]
    return found + [Sitting(game, first + 5_000 + n, larger) for n in range(large)]


def lots(game: str) -> dict[str, list[Sat]]:
    """The exam of a game in parts that can be sat side by side, by name: battles, each with what is looked at."""
    sat: dict[str, list[Sat]] = {}
    for part in BATTLES:
        if part not in RECORDED:
            sat[part] = [(sitting, [part]) for sitting in sittings(game, part)]
    recorded: dict[Sitting, list[str]] = {}
    for part in RECORDED:
        for sitting in sittings(game, part):
            recorded.setdefault(sitting, []).append(part)
    sat["recorded"] = list(recorded.items())
    found: dict[str, list[Sat]] = {}
    for name, battles in sat.items():
        number = played = 0
        for sitting, parts in battles:
            if played == 0:
                number += 1
            found.setdefault(f"{game}-{name}-{number}", []).append((sitting, parts))
            played = (played + 2 * len(parts)) if played + 2 * len(parts) < LOT else 0
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "lot" in metafunc.fixturenames:
        found = {name: lot for game in games.ids() for name, lot in lots(game).items()}
        metafunc.parametrize("lot", list(found.values()), ids=list(found))
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games.ids())
