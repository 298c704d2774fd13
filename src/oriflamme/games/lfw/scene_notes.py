"""What a scene notes of its battle (`battle.notes`): which notes there are, and the form of each. Whatever else is
written is refused, with its place and what was meant."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Reader, wrong_kind
from oriflamme.games.lfw.deeds import ABILITY, COMBAT, SAVED, SPELL
from oriflamme.games.lfw.scenarios.mine import TORCHES
from oriflamme.games.lfw.scenarios.respect import TERRITORY
from oriflamme.games.lfw.scenarios.search import FAILURES, TURNED
from oriflamme.games.lfw.scenarios.titan import KILL, KILLED
from oriflamme.games.lfw.secondary import CHOSEN, IMPROVISED, OBJECTIVES, corners
from oriflamme.games.lfw.state import CAMPAIGN, SECRET, Battle

Form = Callable[[Reader, str], Any]
MOST: Final = 99  # of whatever is counted
QUARTERS: Final = ("00", "01", "10", "11")
LEAVE_OUT: Final = notice("leave_others_out")
PAIRED: Final = 'write ["ann", "north_west"]'


def read_notes(battle: Battle, notes: Reader, units: Collection[str]) -> dict[str, Any]:
    """The notes of a scene with these units, each of its form, in the order in which they are written."""
    forms = {**_of_battle(battle, units), **_of_specialists(units), **_of_places(notes.names())}
    for key in forms:
        # Those of specialists are too many to be offered to whoever mistypes another.
        if ":" not in key:
            notes.has(key)
    return {key: forms[key](notes, key) for key in notes.names() if key in forms}


def _of_battle(battle: Battle, units: Collection[str]) -> Mapping[str, Form]:
    pieces = [piece.id for piece in battle.table.pieces]
    objectives = ("", *OBJECTIVES)
    per_side = _numbers(battle.sides, MOST)
    sides = _sides(battle)
    forms: dict[str, Form] = {
        SECRET: _flag,
        CAMPAIGN: _flag,
        "saved": per_side,
        "points": _words(pieces, "piece of the table"),
        "forced_by": sides,
        "holder": lambda notes, key: (
            None if notes.value(key) is None else notes.integer(key, low=0, high=battle.sides - 1)
        ),
        "held": _count,
        "eliminated": sides,
        TORCHES: _words(units, "unit"),
        TERRITORY: lambda notes, key: notes.integer(key, low=0, high=1),
        "champions": _words(units, "unit"),
        "fallen": sides,
        CHOSEN: _words(objectives, "secondary objective"),
        IMPROVISED: lambda notes, key: notes.choice(key, objectives, what="secondary objective"),
        "investigated": _pairs({str(side): side for side in range(battle.sides)}, corners(battle), "side"),
        "investigating": _pairs({id: id for id in units}, corners(battle), "unit"),
    }
    for side in range(battle.sides):
        forms[f"aim_{side}"] = lambda notes, key: notes.choice(key, ("", KILL, KILLED))
        forms[f"fled_{side}"] = _flag
    return forms | {f"gained_{id}": per_side for id in OBJECTIVES}


def _of_places(written: Iterable[str]) -> Mapping[str, Form]:
    """What is noted of places that are searched: of any piece, as a row of a case may lay another table."""
    forms: dict[str, Form] = {key: _count for key in written if key.startswith(FAILURES)}
    return forms | {key: _flag for key in written if key.startswith(TURNED)}


def _of_specialists(units: Iterable[str]) -> Mapping[str, Form]:
    """What specialists have done in a battle of a campaign."""
    forms: dict[str, Form] = {f"{what}:{id}": _count for id in units for what in (ABILITY, SPELL, COMBAT, SAVED)}
    return forms | {f"quarters:{id}": _words(QUARTERS, "table quarter") for id in units}


# -- forms -------------------------------------------------------------------------------------------------------------


def _flag(notes: Reader, key: str) -> bool:
    return notes.flag(key)


def _count(notes: Reader, key: str) -> int:
    return notes.integer(key, low=0, high=MOST)


def _numbers(count: int, high: int) -> Form:
    """A number for each of so many, from 0 to the highest; those that are left out are 0."""

    def read(notes: Reader, key: str) -> tuple[int, ...]:
        found = notes.integers(key, low=0, high=high)
        if len(found) > count:
            notes.problem(key, notice("too_many_entries", number=len(found), most=count), hint=LEAVE_OUT)
        return (*found[:count], *(0 for _ in range(count - len(found))))

    return read


def _sides(battle: Battle) -> Form:
    """Some of the sides, counted from 0."""
    return lambda notes, key: tuple(notes.integers(key, low=0, high=battle.sides - 1))


def _side_or_nobody(battle: Battle) -> Form:
    def read(notes: Reader, key: str) -> int | None:
        return None if notes.value(key) is None else notes.integer(key, low=0, high=battle.sides - 1)

    return read


def _words(known: Collection[str], what: str) -> Form:
    """A list of words that are known."""

    def read(notes: Reader, key: str) -> tuple[str, ...]:
        return tuple(_word(notes, place, word, known, what) for place, word in _entries(notes, key))

    return read


def _pairs(known: Mapping[str, Any], places: Collection[str], what: str) -> Form:
    """A list of [who, where]."""

    def read(notes: Reader, key: str) -> tuple[tuple[Any, str], ...]:
        found = []
        for place, pair in _entries(notes, key):
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                notes.problem(place, wrong_kind(notice("a_list"), pair), hint=PAIRED)
                continue
            who = _word(notes, place, str(pair[0]), known, what)
            found.append((known.get(who), _word(notes, place, pair[1], places, "corner")))
        return tuple(found)

    return read


def _entries(notes: Reader, key: str) -> Iterable[tuple[str, Any]]:
    """The entries of a list, each with its place."""
    found = notes.value(key)
    if not isinstance(found, list | tuple):
        notes.problem(key, wrong_kind(notice("a_list"), found))
        return ()
    return [(f"{key}[{number}]", entry) for number, entry in enumerate(found, 1)]


def _word(notes: Reader, place: str, word: Any, known: Collection[str], what: str) -> str:
    if not isinstance(word, str):
        notes.problem(place, wrong_kind(notice("text"), word))
        return ""
    if word not in known:
        notes.unknown(place, word, known, what=what)
    return word
