"""From what a person types to what is meant: numbers, names, tags, and clear parts of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence


def plain(text: str) -> str:
    """Without capitals, accents and signs: é is e, and punctuation is a space."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter))
    return " ".join(kept.split())


def matches(text: str, labels: Sequence[str], keys: Sequence[str]) -> list[int]:
    """Which of several things a text may mean, by place; the clearest reading wins.

    A number counts from 1. Otherwise: the key itself, the whole label, a word of only one label, and last every word of
    the text as the beginning of a word of the label.
    """
    text = text.strip()
    if re.fullmatch(r"\d{1,6}", text):
        number = int(text) - 1
        return [number] if 0 <= number < len(labels) else []
    for whole in (keys, labels):
        exact = [n for n, other in enumerate(whole) if other.casefold() == text.casefold()]
        if exact:
            return exact
    wanted = plain(text).split()
    if not wanted:
        return []
    words = [plain(label).split() for label in labels]
    for fits in (_has, _begins):
        found = [n for n, there in enumerate(words) if all(fits(word, there) for word in wanted)]
        if found:
            # "hold" means the action called so, not the one whose description mentions it.
            first = [n for n in found if words[n][: len(wanted)] == wanted]
            return first if len(first) == 1 else found
    return []


def _has(word: str, there: Iterable[str]) -> bool:
    return word in there


def _begins(word: str, there: Iterable[str]) -> bool:
    return any(other.startswith(word) for other in there)


# Which way is meant, in degrees counterclockwise from the right: north is the far edge.
WAYS = {
    way: 45 * number
    for number, ways in enumerate(
        (
            "e east est right droite", "ne northeast nordest", "n north nord up haut", "nw northwest no nordouest",
            "w west o ouest left gauche", "sw southwest so sudouest", "s south sud down bas", "se southeast sudest",
        )
    )
    for way in ways.split()
}  # fmt: skip
_HEADING = re.compile(r"(.+?)(?:\s+(\d{1,5}(?:[.,]\d{1,3})?)\s*(mm|cm|in|\"|″)?)?")


def heading(text: str) -> tuple[int, float | None, str] | None:
    """`north`, `ne 40`, `nord-est 4 cm`: which way in degrees, how far, if that is said, and in which measure."""
    found = _HEADING.fullmatch(text.strip())
    way = WAYS.get(plain(found[1]).replace(" ", "")) if found else None
    if found is None or way is None:
        return None
    return way, float(found[2].replace(",", ".")) if found[2] else None, (found[3] or "").replace('"', "in")


_NUMBER = re.compile(r"-?\d{1,6}(?:[.,]\d{1,6})?")


def numbers(text: str) -> list[float] | None:
    """The numbers of a text such as `30 24`, `30,24`, `30,5 24` or `30.5" 24"`; None if there is anything else."""
    parts = [part.strip(",") for part in re.split(r"[\s;/x×\"″]+", text) if part.strip(",")]
    if len(parts) == 1 and parts[0].count(",") == 1:
        # A single comma with nothing else between the numbers stands between two of them.
        parts = parts[0].split(",")
    if not parts or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    return [float(part.replace(",", ".")) for part in parts]
