"""The blocks of docs/new-game.md, written anew from the files of the game: `python -m tests.tiny_game.document`.

A block says after its language which file it shows, `python beacon/rounds.py`. A file may be shown in several blocks:
each begins with a line that the file has once, decorators aside, and goes on to where the next one begins.
"""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "new-game.md"
_BLOCK = re.compile(r"^```(\w+) (beacon/\S+)\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def document(text: str) -> str:
    """The document with every block as its file has it now."""
    firsts: dict[str, list[str]] = {}
    for _, file, content in _BLOCK.findall(text):
        firsts.setdefault(file, []).append(next(line for line in content.split("\n") if not line.startswith("@")))
    pieces = {file: iter(_pieces(file, lines)) for file, lines in firsts.items()}
    return _BLOCK.sub(lambda block: f"```{block[1]} {block[2]}\n{next(pieces[block[2]])}\n```", text)


def _pieces(file: str, firsts: list[str]) -> list[str]:
    lines = (HERE / file).read_text(encoding="utf-8").rstrip("\n").split("\n")
    places = []
    for first in firsts:
        if lines.count(first) != 1:
            raise LookupError(f"{file} has {lines.count(first)} lines {first!r}; a block begins with a line of its own")
        place = lines.index(first)
        while place and lines[place - 1].startswith("@"):
            place -= 1
        places.append(place)
    if places[0] != 0 or places != sorted(places):
        raise LookupError(f"{file}: its blocks begin with its first line, and follow in its order")
    ends = [*places[1:], len(lines)]
    return ["\n".join(lines[a:b]).strip("\n") for a, b in zip(places, ends, strict=True)]


def shown() -> set[str]:
    """The files that the document shows."""
    return {file for _, file, _ in _BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))}


if __name__ == "__main__":
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
