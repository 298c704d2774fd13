"""How large and how deep a text may be before anybody parses it.

A parser may need far more time and memory than its text is long: one TOML key of 99,000 dotted parts costs gigabytes.
So a text that a person gives is measured first, in one pass that keeps nothing but a few counts. The pass reads strings
and comments as the formats do; where a text is no TOML or no JSON, it measures what stands before the mistake, which is
as far as a parser comes.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from oriflamme.engine.words.notices import Notice, notice

MOST_BYTES: Final = 64 * 1024 * 1024  # of any file that is read
MOST_TOML: Final = 1_000_000  # characters
MOST_JSON: Final = 4_000_000
MOST_TOML_VALUES: Final = 20_000  # keys and entries of lists, all together
MOST_JSON_VALUES: Final = 200_000
MOST_ENTRIES: Final = 100  # of an army list
MOST_CUSTOM: Final = 30  # units of its player's own in a list
LONGEST_NAME: Final = 80  # characters of what somebody calls a list, a unit or a battle
LONGEST_TEXT: Final = 2000  # of a story
LARGEST: Final = 2**53  # whole numbers that every program reads alike
DEEPEST: Final = 32  # tables and lists in one another, dotted keys counted part by part


# What steers a terminal or turns the direction of writing, what no eye sees, and what no document may hold.
_STEERING: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\uffff"
    "\U000e0000-\U000e0fff]+"
)


def one_line(text: str) -> str:
    """What somebody has called something, on one line and with nothing in it that cannot be seen."""
    return _STEERING.sub(" ", text).strip() if _STEERING.search(text) else text


def holds_steering(data: Any) -> bool:
    """Whether some text in plain data steers a terminal or cannot be seen; lines may end in it."""
    if isinstance(data, str):
        return _STEERING.search(data.replace("\n", " ")) is not None
    if isinstance(data, dict):
        return any(holds_steering(key) or holds_steering(value) for key, value in data.items())
    return isinstance(data, list | tuple) and any(map(holds_steering, data))


class Excess(NamedTuple):
    """What there is too much of: the place in the text it was noticed at, what it is, and what to do."""

    position: int
    what: Notice
    hint: Notice


# Every alternative matches to the end of the text if it must, and gives back nothing it has read: one pass is enough.
_TOML: Final = re.compile(
    r'''
      (?P<skip> """(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\\?\Z)
              | \'\'\'(?:[^']|'(?!''))*+(?:'{3,5}|\Z)
              | "(?:[^"\\\n]|\\.)*+(?:"|\\?\Z|(?=\n))
              | '[^'\n]*+'?
              | \#[^\n]*+ )
    | (?P<mark> [\[\]{}=,.] | \n\s*+ )
    ''',
    re.VERBOSE | re.DOTALL,
)
_JSON: Final = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_BRACKETS: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


def toml_excess(text: str) -> Excess | None:
    """What there is too much of in a TOML text, if anything."""
    if len(text) > MOST_TOML:
        return _too_long(MOST_TOML)
    values = 0
    outer: list[int] = []  # the levels round each bracket that is open
    level = here = 0  # of what is in the innermost bracket, or below the last heading; of the value being read
    dots = 0  # in the key being read
    in_heading = assigned = False
    for found in _TOML.finditer(text):
        mark = found["mark"]
        if mark is None:
            continue
        match mark[0]:
            case ".":
                dots += 1
            case "=":
                values += 1
                assigned = True
                here, dots = here + dots, 0
            case "[" | "{" if outer or assigned:
                outer.append(level)
                level = here = here + 1
                dots = 0
            case "[" | "{":
                values += not in_heading
                in_heading, level, here = True, 0, 0
            case "]" | "}" if in_heading:
                level = here = max(level, dots + 1)
                dots = 0
            case "]" | "}":
                level = here = outer.pop() if outer else level
                dots = 0
            case ",":
                values += 1
                here, dots = level, 0
            case _:
                dots = 0
                if not outer:
                    in_heading, assigned, here = False, False, level
        if here + dots > DEEPEST:
            return _too_deep(found.start())
        if values > MOST_TOML_VALUES:
            return _too_many(found.start(), MOST_TOML_VALUES)
    return None


def json_excess(text: str) -> Excess | None:
    """What there is too much of in a JSON text, if anything."""
    if len(text) > MOST_JSON:
        return _too_long(MOST_JSON)
    values = depth = 0
    for found in _JSON.finditer(text):
        match found[0]:
            case "[" | "{":
                depth += 1
                values += 1
            case "]" | "}":
                depth -= 1
            case ",":
                values += 1
        if depth > DEEPEST:
            return _too_deep(found.start())
        if values > MOST_JSON_VALUES:
            return _too_many(found.start(), MOST_JSON_VALUES)
    return None


def is_deep_json(content: bytes) -> bool:
    """Whether the brackets of a JSON text are nested too deep. One with few brackets is not even looked through."""
    if content.count(b"[") + content.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for found in _BRACKETS.finditer(content):
        match found[0]:
            case b"[" | b"{":
                depth += 1
                if depth > DEEPEST:
                    return True
            case b"]" | b"}":
                depth -= 1
    return False


def has_huge_number(value: object) -> bool:
    """Whether plain data holds a whole number that no rule knows and no other program can read."""
    if isinstance(value, int):
        return not -LARGEST <= value <= LARGEST
    if isinstance(value, dict):
        return any(map(has_huge_number, value.values()))
    return isinstance(value, list) and any(map(has_huge_number, value))


TOO_DEEP: Final = notice("nested_too_deep", most=DEEPEST)
HUGE: Final = notice("number_too_large", most=LARGEST)


def _too_long(most: int) -> Excess:
    return Excess(0, notice("text_too_long", most=most), notice("leave_out"))


def _too_deep(position: int) -> Excess:
    return Excess(position, TOO_DEEP, notice("fewer_levels"))


def _too_many(position: int, most: int) -> Excess:
    return Excess(position, notice("too_many_values", most=most), notice("leave_out"))
