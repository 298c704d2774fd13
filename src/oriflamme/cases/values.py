"""What a row expects of a value: the value itself, bounds of a number, or one of several values.

    hits = 3
    hits = { at_least = 2, at_most = 4 }
    fate = { one_of = ["killed", "routed"] }

Bounds and choices stand wherever a value is compared: in a row, under a unit, in an event, in a refusal, at any depth.
"""

from __future__ import annotations

import difflib
from math import isfinite
from typing import Any, Final

from oriflamme.engine.words.notices import described, quoted
from oriflamme.engine.words.problems import Problems, did_you_mean

LEAST: Final = "at_least"
MOST: Final = "at_most"
CHOICE: Final = "one_of"
BOUNDS: Final = (LEAST, MOST)
TOLERANCE: Final = 0.011  # numbers are compared to a hundredth


def is_open(value: Any) -> bool:
    """Whether a value leaves room: bounds, or a choice."""
    return isinstance(value, dict) and any(key in value for key in (*BOUNDS, CHOICE))


def same(wanted: Any, found: Any) -> bool:
    """Whether a value is as expected: numbers to a hundredth, lists and tables member by member."""
    if is_open(wanted):
        return _within(wanted, found)
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(wanted - found) <= TOLERANCE
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(same(a, b) for a, b in zip(wanted, found, strict=True))
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(key in found and same(value, found[key]) for key, value in wanted.items())
    return bool(wanted == found)


def _within(wanted: dict[str, Any], found: Any) -> bool:
    if CHOICE in wanted:
        return any(same(value, found) for value in wanted[CHOICE])
    if isinstance(found, bool) or not isinstance(found, int | float):
        return False
    return bool(wanted.get(LEAST, found) - TOLERANCE <= found <= wanted.get(MOST, found) + TOLERANCE)


def check(value: Any, where: str, problems: Problems) -> None:
    """Note bounds and choices that are misspelt, that nothing can meet, or that everything meets."""
    if is_open(value):
        (_check_choice if CHOICE in value else _check_bounds)(value, where, problems)
    elif isinstance(value, dict):
        for key, inner in value.items():
            # A key that is nearly one of ours, with what belongs under it, was meant to be it.
            near = BOUNDS if isinstance(inner, int | float) else (CHOICE,) if isinstance(inner, list) else ()
            meant = difflib.get_close_matches(key, near, n=1, cutoff=0.75)
            if meant:
                problems.add(f"{where}.{key}", "unknown key", hint=f"did you mean {quoted(meant[0])}?")
            check(inner, f"{where}.{key}", problems)
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            check(inner, f"{where}[{number}]", problems)


def _check_bounds(value: dict[str, Any], where: str, problems: Problems) -> None:
    for key, bound in value.items():
        if key not in BOUNDS:
            hint = did_you_mean(key, BOUNDS) or "bounds are { at_least = 2, at_most = 4 }, or one of the two"
            problems.add(f"{where}.{key}", "unknown key beside a bound", hint=hint)
        elif isinstance(bound, bool) or not isinstance(bound, int | float) or not isfinite(bound):
            problems.add(f"{where}.{key}", f"expected a number, found {described(bound)}")
    least, most = value.get(LEAST), value.get(MOST)
    if isinstance(least, int | float) and isinstance(most, int | float):
        if least > most:
            problems.add(where, f"nothing is at least {least} and at most {most}", hint="exchange the two bounds")
        elif least == most:
            problems.add(where, "both bounds are the same", hint=f"write {least}")


def _check_choice(value: dict[str, Any], where: str, problems: Problems) -> None:
    for key in value:
        if key != CHOICE:
            problems.add(f"{where}.{key}", 'unknown key beside "one_of"', hint='write { one_of = ["a", "b"] } alone')
    choice, place = value[CHOICE], f"{where}.{CHOICE}"
    if not isinstance(choice, list):
        problems.add(
            place, f"expected a list of values, found {described(choice)}", hint='write { one_of = ["a", "b"] }'
        )
        return
    if not choice:
        problems.add(place, "an empty list: nothing is one of it", hint="name at least two values")
    elif len(choice) == 1:
        problems.add(place, "a choice of one", hint="write the value itself")
    if any(same(a, b) for n, a in enumerate(choice) for b in choice[:n]):
        problems.add(place, "the same value twice", hint="name each once")
    if any(member is True for member in choice) and any(member is False for member in choice):
        problems.add(place, "true or false: it cannot fail", hint="expect one of them, or leave it out")
    for number, inner in enumerate(choice, 1):
        check(inner, f"{place}[{number}]", problems)
