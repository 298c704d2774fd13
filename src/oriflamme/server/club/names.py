"""What strangers write for others to read: one line, of a length, without signs that do anything but be read."""

from __future__ import annotations

import unicodedata
from typing import Final

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with

# Control, format (such as those that turn the direction of writing), private and unassigned characters, line and
# paragraph ends.
UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
NAME: Final = 30  # characters
MARKS: Final = 2  # combining marks on one letter


def plain_line(text: str, most: int) -> str:
    """The text as one line of at most so many characters; "" if nothing is left."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind in UNSEEN or kind.startswith("Z"):
            kept.append(" ")
        elif marks <= MARKS:
            kept.append(letter)
    return " ".join("".join(kept).split())[:most].strip()


def name_of(name: str) -> str:
    """A name as others read it; raises Problems if nothing of it is left."""
    line = plain_line(name, NAME)
    if not line:
        raise problem_with("name", notice("name_yourself"))
    return line
