"""What strangers write for others to read: one line, of a length, without signs that do anything but be read."""

from __future__ import annotations

import unicodedata
from typing import Final

# Control, format (such as those that turn the direction of writing), private and unassigned characters, line and
# paragraph ends.
UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
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
