"""The form of a case: what may stand under each of its keys, checked before anything is played.

A shape notes what is wrong with a value, with its place and a remedy. Nothing the runner does afterwards has to wonder
whether it holds a list or a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from oriflamme.cases import values
from oriflamme.engine.core.dice import DIRECTION
from oriflamme.engine.core.events import Event
from oriflamme.engine.words.notices import described, listed, quoted
from oriflamme.engine.words.problems import Problems, did_you_mean

Shape = Callable[[Any, str, Problems], None]
_DIRECTION: Final = re.compile(r"^(?:[12]?\d?\d|3[0-5]\d)(?:\.\d)? degrees$")


def text(value: Any, where: str, problems: Problems) -> None:
    if not isinstance(value, str) or not value.strip():
        problems.add(where, f"expected text, found {described(value)}")


def table(value: Any, where: str, problems: Problems) -> None:
    if not isinstance(value, dict):
        problems.add(where, f"expected a table, found {described(value)}", hint="write { key = value, ... }")


def anything(value: Any, where: str, problems: Problems) -> None:
    """Whatever it is, the question or the comparison judges it."""


def integer(low: int, high: int) -> Shape:
    def check(value: Any, where: str, problems: Problems) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            problems.add(where, f"expected a whole number from {low} to {high}, found {described(value)}")

    return check


def several(of: Shape, what: str, *, least: int = 1) -> Shape:
    """A list of things of one shape; an empty one must be worth writing."""

    def check(value: Any, where: str, problems: Problems) -> None:
        if not isinstance(value, list):
            problems.add(where, f"expected a list of {what}, found {described(value)}")
        elif len(value) < least:
            problems.add(
                where, "an empty list expects nothing", hint=f"name at least one of the {what}, or leave it out"
            )
        else:
            for number, item in enumerate(value, 1):
                of(item, f"{where}[{number}]", problems)

    return check


def one_or_several(of: Shape, what: str) -> Shape:
    """One such thing, or a list of them."""
    many = several(of, what)

    def check(value: Any, where: str, problems: Problems) -> None:
        (many if isinstance(value, list) else of)(value, where, problems)

    return check


def tables_by_name(what: str) -> Shape:
    """A table of tables, none of them empty."""

    def check(value: Any, where: str, problems: Problems) -> None:
        table(value, where, problems)
        if not isinstance(value, dict):
            return
        if not value:
            problems.add(where, "an empty table expects nothing", hint=f"name at least one of the {what}")
        for name, inner in value.items():
            table(inner, f"{where}.{name}", problems)
            if isinstance(inner, dict) and not inner:
                problems.add(f"{where}.{name}", "an empty table expects nothing", hint="say what must be true of it")

    return check


def event(value: Any, where: str, problems: Problems) -> None:
    if isinstance(value, dict):
        if not isinstance(value.get("event"), str):
            problems.add(where, "names no event", hint='write { event = "UnitShaken", unit = "levy" }')
    elif not isinstance(value, str):
        problems.add(where, f"expected the name of an event or a table, found {described(value)}")


def refusal(value: Any, where: str, problems: Problems) -> None:
    if not isinstance(value, dict):
        problems.add(where, f"expected a table, found {described(value)}", hint='write { answer = "...", by = "..." }')
        return
    for key, remedy in (("answer", "say which answer is refused"), ("by", "say which rule refuses it")):
        if key not in value:
            problems.add(f"{where}.{key}", "missing", hint=remedy)
    if "by" in value:
        text(value["by"], f"{where}.by", problems)


def answers(value: Any, where: str, problems: Problems) -> None:
    table(value, where, problems)
    if not isinstance(value, dict):
        return
    for key, answer in value.items():
        place = f"{where}.{key}"
        if key == "otherwise" and answer not in ("suggestion", False):
            problems.add(place, f'expected "suggestion", found {described(answer)}')
        elif isinstance(answer, dict) and "each" in answer:
            if set(answer) != {"each"}:
                problems.add(place, "other keys beside each", hint="write { each = [first, second] }")
            several(anything, "answers", least=0)(answer["each"], f"{place}.each", problems)


def dice(value: Any, where: str, problems: Problems) -> None:
    if not isinstance(value, list):
        problems.add(where, f"expected a list of faces from 1 to 6, found {described(value)}")
        return
    for number, face in enumerate(value, 1):
        place = f"{where}[{number}]"
        if not isinstance(face, str):
            integer(1, 6)(face, place, problems)
        elif _DIRECTION.match(face) is None:
            hint = 'write "90 degrees", from 0 to 359.9: 0 is along x, 90 along y'
            problems.add(place, f"expected a face from 1 to 6 or a direction, found {described(face)}", hint=hint)


def script(value: list[int | str]) -> list[int]:
    """Dice as they are written, for dice that fall so: a direction is a number of tenths of a degree."""
    return [face if isinstance(face, int) else DIRECTION + round(10 * float(face.split()[0])) for face in value]


def until(value: Any, where: str, problems: Problems) -> None:
    """An event, or how a row says that it goes on to the end after all."""
    if value not in ("", False):
        text(value, where, problems)


TEXTS = several(text, "texts")
NAMES = one_or_several(text, "names")

SCENE: Mapping[str, Shape] = dict.fromkeys(("given", "table", "battle", "campaign", "options", "army"), table)
WHEN: Mapping[str, Shape] = {
    "do": one_or_several(text, "sentences"),
    "dice": dice,
    "answers": answers,
    "until": until,
}
CITED: Mapping[str, Shape] = {"rule": text, "rules": TEXTS, "note": text}
# What one case has of its own, and what several in a file may share.
OF_ONE: Mapping[str, Shape] = {"title": text, "rule": text, "rules": TEXTS, "then": anything}
SHARED: Mapping[str, Shape] = {"game": text, "note": text, **SCENE, "when": table}
TOP: Mapping[str, Shape] = {**OF_ONE, **SHARED}
ROW: Mapping[str, Shape] = {"why": text, **CITED, **SCENE, **WHEN}
EXPECT: Mapping[str, Shape] = {
    "events": one_or_several(event, "events"),
    "no_events": one_or_several(event, "events"),
    "units": tables_by_name("units"),
    "unchanged": NAMES,
    "asks": NAMES,
    "asks_side": anything,
    "asked": NAMES,
    "not_asked": NAMES,
    "offered": several(text, "keys"),
    "offers": NAMES,
    "not_offered": NAMES,
    "suggests": anything,
    "refused": one_or_several(refusal, "refusals"),
    "accepted": several(anything, "answers"),
    "problems": several(text, "rules", least=0),
}


# What each key of a case means; the list of words has these.
WHAT: Mapping[str, Mapping[str, str]] = {
    "case": {
        "title": "a sentence somebody could disagree with",
        "rule": "the rule this case shows: it must fail if that rule were broken",
        "rules": "several of them",
        "then": "the rows of expectations, [[then]]",
        "game": "which game; known by its folder or its rule ids too",
        "note": "a remark",
        "given": "who is there",
        "table": "size and terrain",
        "battle": "round, turn, scenario and the like",
        "campaign": "of a scene between battles, in games that have campaigns",
        "options": "house rules, with or without the game's name",
        "army": "an army list to be checked",
        "when": "what is done",
        "case": "several cases in one file, [[case]], each with its own title, rule and then; they share the rest",
    },
    "when": {
        "do": "a sentence, or a list of sentences done one after the other",
        "dice": 'the faces in the order they are rolled; a random direction is a text, "90 degrees"',
        "answers": "answers to questions, by their names",
        "until": "look no further than the first event of this name",
    },
    "then": {
        "why": "the point of this row, in words",
        "note": "a remark",
        "rule": "a rule that this row shows besides",
        "rules": "several of them",
        "given": "laid over that of the case, as table, battle, campaign, options, army and answers",
        "do": "instead of that of the case, as dice and until",
        "events": "these happen in this order, others may come between: names, or tables with fields",
        "no_events": "these never happen",
        "units": "what is true of units, by their names",
        "unchanged": "units of which nothing changed",
        "asks": "the question that is left open; a list for simultaneous ones",
        "asks_side": "the side that it is put to",
        "asked": "questions that were put, whoever answered them",
        "not_asked": "questions that were not put",
        "offered": "exactly the keys of the open question",
        "offers": "some of its keys",
        "not_offered": "keys it does not have",
        "suggests": "what it suggests to who has no opinion: a key, or a list of keys",
        "refused": "answers to it that are refused: { answer, by, because, and the numbers of the refusal }",
        "accepted": "answers to it that would be accepted",
        "problems": "of an army or a table that was checked: exactly the rules that are broken",
    },
}


def check(data: dict[str, Any], shapes: Mapping[str, Shape], where: str, problems: Problems) -> None:
    """Note every value of the wrong shape; keys without a shape are somebody else's business."""
    for key, value in data.items():
        if key in shapes:
            shapes[key](value, f"{where}.{key}" if where else key, problems)


def known_keys(data: Iterable[str], known: Sequence[str], where: str, problems: Problems) -> None:
    for key in data:
        if key not in known:
            problems.add(f"{where}.{key}" if where else key, "unknown key", hint=did_you_mean(key, known))


def known_names(
    names: Iterable[Any], known: Iterable[str], what: str, where: str, problems: Problems, *, listing: bool = True
) -> None:
    """Note the names that are none of those there are, with a guess, or a list where it is of use."""
    there = sorted(known)
    for name in names:
        if name not in there:
            hint = did_you_mean(str(name), there) or (
                f"there are {listed(there, 'and')}" if listing and there else None
            )
            problems.add(where, f"no {what} {described(name)}", hint=hint)


def known_events(
    wanted: Iterable[Any],
    events: Mapping[str, type[Event]],
    words: Mapping[str, Sequence[str] | str],
    sides: int,
    where: str,
    problems: Problems,
) -> None:
    """Note events and fields that do not exist, and values a field can never have, or always has."""
    for number, want in enumerate(wanted, 1):
        name = want["event"] if isinstance(want, dict) else want
        place = f"{where}[{number}]"
        if name not in events:
            known_names([name], events, "event", place, problems)
            continue
        if not isinstance(want, dict):
            continue
        fields = {field.name: field.type for field in msgspec.structs.fields(events[name])}
        for key, value in want.items():
            if key == "event":
                continue
            if key not in fields:
                hint = did_you_mean(key, fields) or f"it has {listed(fields, 'and')}"
                problems.add(f"{place}.{key}", f"{name} has no such field", hint=hint)
            elif key == "side" and not values.is_open(value) and value not in range(sides):
                hint = f"sides in events are {listed(map(str, range(sides)), 'and')}"
                problems.add(f"{place}.{key}", f"can never be {described(value)}", hint=hint)
            elif not isinstance(known := words.get(f"{name}.{key}", ""), str) and not _is_word(value, known):
                unknown = [v for v in _values_of(value) if v not in known]
                if unknown:
                    hint = did_you_mean(str(unknown[0]), known) or f"it is {listed(w or quoted(w) for w in known)}"
                    problems.add(f"{place}.{key}", f"can never be {described(unknown[0])}", hint=hint)
                else:
                    problems.add(f"{place}.{key}", "is always one of these", hint="name fewer, or leave it out")
            elif not _may_be(value, fields[key]):
                problems.add(f"{place}.{key}", f"can never be {described(value)}", hint="see docs/events.md")


def _values_of(value: Any) -> list[Any]:
    choice = value.get(values.CHOICE) if values.is_open(value) else None
    return choice if isinstance(choice, list) else [value]


def _is_word(value: Any, known: Sequence[str]) -> bool:
    """Whether something can be, and can fail to be, one of these words."""
    found = _values_of(value)
    return all(word in known for word in found) and not all(word in found for word in known)


def _may_be(value: Any, kind: Any) -> bool:
    """A value of a field, or a part of one: tables are compared key by key and need not be whole."""
    if values.is_open(value):
        choice = value.get(values.CHOICE, [])
        if values.CHOICE not in value:
            return _may_be(1, kind) or _may_be(1.5, kind)
        return all(_may_be(member, kind) for member in choice) if isinstance(choice, list) else True
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, dict | list) for v in value)):
        return True
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True
