"""What lies on the table and can be named: objectives, treasures, torches and the like, each with its number."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from oriflamme.cli.words import matches, plain
from oriflamme.engine.picture.shown import TableShown
from oriflamme.engine.picture.signs import Signs


class Marker(NamedTuple):
    """A marker: what it is called, what it is called for short, and where it lies, in millimetres."""

    name: str
    short: str
    x: float
    y: float


def markers_of(shown: TableShown, signs: Signs, lang: str, objective: str) -> list[Marker]:
    """All that lie there: objectives by their numbers, the others by their kinds, numbered where there are several."""
    found = [Marker(f"{objective} {n}", f"o{n}", one.x, one.y) for n, one in enumerate(shown.objectives, 1)]
    there = Counter(token.kind for token in shown.tokens)
    so_far: Counter[str] = Counter()
    for number, token in enumerate(shown.tokens, 1):
        so_far[token.kind] += 1
        word = signs.word("token", token.kind, lang).lower()
        name = f"{word} {so_far[token.kind]}" if there[token.kind] > 1 else word
        found.append(Marker(name, f"m{number}", token.x, token.y))
    return found


def named(text: str, markers: list[Marker]) -> list[Marker]:
    """Those a text may mean: by the short name, the whole name, or a clear part of it."""
    short = [one for one in markers if plain(one.short) == plain(text)]
    if short or text.strip().isdigit():
        return short
    return [markers[n] for n in matches(text, [one.name for one in markers], [one.short for one in markers])]
