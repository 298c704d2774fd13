"""A mine made from a seed: nine rooms, or fewer where some are one, between blocks of rock (LFW-LEG2-05).

Rock stands between every two rooms; where they are joined a corridor leads through it, or the rock is missing
altogether. All rooms are joined: first along a tree that chance grows, then here and there besides.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

ROOMS: Final = 3  # in each direction
THICK: Final = 2.4  # inches of rock between two rooms
CORRIDOR: Final = 2.8  # inches, for bases up to 70 mm
HEIGHT: Final = 8  # inches: nobody looks over it
MOST_OPEN: Final = 2  # pairs of rooms without rock between them

Room = tuple[int, int]


def dig(random: Random, data: dict[str, Any]) -> None:
    """Write the pieces of a mine into a map of 24" x 24"."""
    columns, rows = _spans(random), _spans(random)
    joined = _joined(random)
    pieces: list[dict[str, Any]] = []

    def block(x0: float, y0: float, x1: float, y1: float) -> None:
        size = [round(x1 - x0, 2), round(y1 - y0, 2)]
        at = [round((x0 + x1) / 2, 3), round((y0 + y1) / 2, 3)]
        pieces.append({"kind": "rocks", "at": at, "size": size, "height": HEIGHT})

    for i in range(ROOMS):
        for j in range(ROOMS):
            (x0, x1), (y0, y1) = columns[i], rows[j]
            if i + 1 < ROOMS:
                right = (x1, columns[i + 1][0])
                for a, b in _blocked(random, y0, y1, joined.get(((i, j), (i + 1, j)))):
                    block(right[0], a, right[1], b)
            if j + 1 < ROOMS:
                above = (y1, rows[j + 1][0])
                for a, b in _blocked(random, x0, x1, joined.get(((i, j), (i, j + 1)))):
                    block(a, above[0], b, above[1])
            if i + 1 < ROOMS and j + 1 < ROOMS:
                block(x1, y1, columns[i + 1][0], rows[j + 1][0])
    pieces += _furniture(random, columns, rows)
    data["piece"] = pieces


def _spans(random: Random) -> list[tuple[float, float]]:
    """From where to where rooms reach: three that fill 24" with rock between them."""
    free = 24 - (ROOMS - 1) * THICK
    first = round(random.uniform(0.29, 0.38) * free, 1)
    last = round(random.uniform(0.29, 0.38) * free, 1)
    start = first + THICK
    return [(0.0, first), (start, round(24 - last - THICK, 1)), (round(24 - last, 1), 24.0)]


def _joined(random: Random) -> dict[tuple[Room, Room], str]:
    """Pairs of neighbours that are joined: by a corridor, or without rock between them."""
    rooms = [(i, j) for i in range(ROOMS) for j in range(ROOMS)]
    pairs = [((i, j), (i + 1, j)) for i, j in rooms if i + 1 < ROOMS]
    pairs += [((i, j), (i, j + 1)) for i, j in rooms if j + 1 < ROOMS]
    found: dict[tuple[Room, Room], str] = {}
    reached = {random.choice(rooms)}
    while len(reached) < len(rooms):
        pair = random.choice([(a, b) for a, b in pairs if (a in reached) != (b in reached)])
        whole = sum(how == "open" for how in found.values()) < MOST_OPEN and random.random() < 0.3
        found[pair] = "open" if whole else "corridor"
        reached |= set(pair)
    for pair in random.sample([pair for pair in pairs if pair not in found], 2):
        found[pair] = "corridor"
    return found


def _blocked(random: Random, low: float, high: float, joined: str | None) -> list[tuple[float, float]]:
    """The stretches of rock between two rooms."""
    if joined is None:
        return [(low, high)]
    if joined == "open":
        return []
    start = round(random.uniform(low, high - CORRIDOR), 1)
    ends = [(low, start), (round(start + CORRIDOR, 1), high)]
    return [(a, b) for a, b in ends if b - a > 0.05]


def _furniture(
    random: Random, columns: list[tuple[float, float]], rows: list[tuple[float, float]]
) -> list[dict[str, Any]]:
    """Crates to hide behind in four rooms, and torches in three others."""
    rooms = [(i, j) for i in range(ROOMS) for j in range(ROOMS)]
    random.shuffle(rooms)
    found: list[dict[str, Any]] = []
    for number, (i, j) in enumerate(rooms[:7]):
        (x0, x1), (y0, y1) = columns[i], rows[j]
        at = [round((x0 + x1) / 2 + random.uniform(-0.6, 0.6), 1), round((y0 + y1) / 2 + random.uniform(-0.6, 0.6), 1)]
        if number < 4:
            size = random.choice(([1.6, 0.6], [0.6, 1.6]))
            found.append({"id": f"crates_{number + 1}", "kind": "barricade", "at": at, "size": size, "height": 0.9})
        else:
            found.append({"id": f"lamp_{number - 3}", "kind": "torch", "at": at, "radius": 0.3})
    return found
