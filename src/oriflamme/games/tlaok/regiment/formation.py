"""Ranks and files (TLAOK-FORM): where each stand of a regiment belongs.

A place is `(rank, file)`, counted from the front and from the left as the regiment looks. The front rank is full, the
last one may not be and stands as centrally as its files allow. Nothing here knows the table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

Slot = tuple[int, int]


class Formation(NamedTuple):
    """How a regiment is drawn up: its frontage, where command stand and character are in the front rank (-1 if there is
    none), and to which side an incomplete last rank leans when it cannot be exactly in the middle (0 left, 1 right)."""

    files: int
    command: int = -1
    character: int = -1
    lean: int = 0


def depth_of(stands: int, files: int) -> int:
    """How many ranks so many stands make (TLAOK-FORM-11)."""
    return -(-stands // files)


def frontages(stands: int) -> range:
    """The frontages a regiment of so many stands may take (TLAOK-FORM-02, -11)."""
    return range(min(2, stands), stands + 1)


@lru_cache(maxsize=4096)
def slots(stands: int, formation: Formation) -> tuple[Slot, ...]:
    """The places of all ordinary stands, front to rear and left to right; then that of the command stand, then that of
    the character, as far as there are such."""
    files = formation.files
    ranks = depth_of(stands, files)
    last = stands - files * (ranks - 1)
    indent = (files - last + formation.lean) // 2
    apart = [(0, place) for place in (formation.command, formation.character) if place >= 0]
    ordinary = [
        (rank, file)
        for rank in range(ranks)
        for file in (range(files) if rank < ranks - 1 else range(indent, indent + last))
        if (rank, file) not in apart
    ]
    return (*ordinary, *apart)


def leans(stands: int, files: int) -> tuple[int, ...]:
    """The most central placings of an incomplete last rank: one, or two to choose from (TLAOK-FORM-04)."""
    last = stands - files * (depth_of(stands, files) - 1)
    return (0, 1) if (files - last) % 2 else (0,)


@lru_cache(maxsize=4096)
def formations(stands: int, files: int, command: bool, character: bool) -> tuple[Formation, ...]:
    """Every legal way to draw up with that frontage; the first is the usual one (TLAOK-FORM-04, -06, -07)."""
    middle = (files - 1) // 2
    centres = (middle,) if files % 2 else (middle, middle + 1)
    pairs: list[tuple[int, int]]
    if command and character and files > 1:
        if files % 2:
            around = (middle + 1, middle - 1)
            pairs = [(middle, beside) for beside in around] + [(beside, middle) for beside in around]
        else:
            pairs = [(middle, middle + 1), (middle + 1, middle)]
    elif command:
        pairs = [(place, -1) for place in centres]
    elif character:
        pairs = [(-1, place) for place in centres]
    else:
        pairs = [(-1, -1)]
    return tuple(Formation(files, c, h, lean) for c, h in pairs for lean in leans(stands, files))


def usual(stands: int, files: int, command: bool, character: bool) -> Formation:
    """The formation a player gets who has no opinion about the details."""
    return formations(stands, files, command, character)[0]
