"""What one side may know, as plain data: sent to a bot elsewhere, it is a view there that can be played on.

A sealed view (`Play.known`) is a battle and what has happened since. It is written thing by thing, so that what is one
thing here is one thing there: a list of them, each after those it is made of, `[12]` being the thing of that number.
Things are lists, tuples, sets and mappings, and instances of the engine's and the game's own classes by the names of
their fields; a class that says what it is made of (`__reduce__`) is made of that. Of state goes what is state: all that
follows from it is found anew. Whoever reads it needs the same rules and the same program, and carries out nothing but
what such a class does to be made.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from math import isfinite
from random import Random
from typing import Any, Final

import msgspec

from oriflamme.engine.core.play import Play
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.core.state import LABEL, Record, State, kinds_of, plain
from oriflamme.engine.core.view import UNKNOWN, Origin, View

# No shape on a table is larger, in millimetres.
FARTHEST: Final = 100_000.0
# How many things that never change are remembered, to be the same ones at the next question.
REMEMBERED: Final = 20_000

_ENGINE: Final = "oriflamme.engine"
_ATOMS: Final = frozenset({str, int, float, bool, type(None)})


class Misread(ValueError):
    """Data that is no view of this game, or one of another version of the program."""


def data_of(view: View) -> dict[str, Any]:
    """A sealed view as data that JSON can hold."""
    origin = view.origin
    if origin is None:
        raise LookupError("this view cannot be continued: a sealed one can (`Play.known(side)`)")
    writer = _Writer(origin.game)
    writer.written((view.battle, origin.battle, origin.since, origin.dice, origin.now, origin.asked))
    return {
        "game": origin.game.id,
        "rules": origin.game.version,
        "side": view.side,
        "number": view.number,
        "classes": writer.classes,
        "things": writer.things,
    }


# -- writing -----------------------------------------------------------------------------------------------------------


class _Writer:
    def __init__(self, game: Rulebook) -> None:
        # Each class with the fields it is written by, and the things.
        self.classes: list[list[str]] = []
        self.things: list[list[Any]] = []
        self._packages = _packages(game)
        self._class_numbers: dict[tuple[str, ...], int] = {}
        self._numbers: dict[int, int] = {}
        # What is numbered is kept, so that nothing else is taken for it.
        self._kept: list[Any] = []

    def written(self, value: Any) -> Any:
        """A value as it stands in a thing."""
        if type(value) in _ATOMS and not (type(value) is float and not isfinite(value)):
            return value
        number = self._numbers.get(id(value))
        if number is None:
            thing = self._thing(value)
            number = self._numbers[id(value)] = len(self.things)
            self.things.append(thing)
            self._kept.append(value)
        return [number]

    def _thing(self, value: Any) -> list[Any]:
        cls = type(value)
        if value is UNKNOWN:
            return ["unknown"]
        if cls is float:
            return ["float", repr(value)]
        if cls in (list, tuple):
            return [cls.__name__, *map(self.written, value)]
        if cls in (set, frozenset):
            return [cls.__name__, *map(self.written, sorted(value, key=lambda one: msgspec.json.encode(plain(one))))]
        if isinstance(value, Mapping):
            return ["dict", *(self.written(part) for item in value.items() for part in item)]
        if not _is_within(cls.__module__, self._packages):
            raise TypeError(f"{cls.__module__}.{cls.__qualname__} is no part of a battle")
        if _says_how(cls):
            made, parts = value.__reduce__()
            return [self._class(made), *map(self.written, parts)]
        fields = _fields_of(value)
        return [self._class(cls, *fields), *(self.written(getattr(value, field)) for field in fields)]

    def _class(self, cls: type[Any], *fields: str) -> int:
        key = (f"{cls.__module__}:{cls.__qualname__}", *fields)
        number = self._class_numbers.setdefault(key, len(self.classes))
        if number == len(self.classes):
            self.classes.append(list(key))
        return number


def _says_how(cls: type[Any]) -> bool:
    """Its instances say of what they are made."""
    return not issubclass(cls, State | tuple | msgspec.Struct) and any(
        "__reduce__" in base.__dict__ for base in cls.__mro__[:-1]
    )


def _fields_of(value: Any) -> tuple[str, ...]:
    """What an instance is written by."""
    cls: Any = type(value)
    if isinstance(value, State | tuple | msgspec.Struct):
        return _fields_of_class(cls)
    return (*_fields_of_class(cls), *(name for name in getattr(value, "__dict__", ()) if not _is_kept(cls, name)))


@lru_cache(maxsize=1024)
def _fields_of_class(cls: type[object]) -> tuple[str, ...]:
    if issubclass(cls, State):
        return tuple(slot for slot, kind in kinds_of(cls).items() if kind.is_state or kind is LABEL)
    if issubclass(cls, tuple):
        return tuple(cls._fields)  # type: ignore[attr-defined]
    if issubclass(cls, msgspec.Struct):
        return cls.__struct_fields__
    return tuple(slot for base in cls.__mro__ for slot in base.__dict__.get("__slots__", ()) if slot != "__dict__")


def _is_kept(cls: type[Any], name: str) -> bool:
    """What was worked out once and is kept beside what it follows from."""
    return isinstance(getattr(cls, name, None), cached_property)


def _packages(game: Rulebook) -> tuple[str, ...]:
    """Where the classes are that a battle consists of."""
    return _ENGINE, sys.modules[type(game).__module__].__package__ or type(game).__module__


def _is_within(module: str, packages: Sequence[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


# -- reading -----------------------------------------------------------------------------------------------------------


class Reader:
    """Reads the views of one battle. What never changes, profiles and the table, is the same thing in all of them."""

    def __init__(self, game: Rulebook) -> None:
        self.game = game
        self._packages = _packages(game)
        self._remembered: dict[bytes, Any] = {}

    def view(self, data: Mapping[str, Any]) -> View:
        """The view that this is the data of, with the question it is about; raises Misread."""
        try:
            side, number = msgspec.convert((data["side"], data["number"]), tuple[int, int])
            battle, *known = self._root(data["classes"], data["things"])
            view = View(side, battle, None, number, Origin(Play.of, self.game, *known))
            view.decision = view.imagine(Random(view.number)).decision_of(view.side)
        except Exception as error:
            # Whatever somebody has sent: nothing can be told of it but that it is no such view.
            raise Misread(f"{type(error).__name__}: {error}"[:400]) from error
        return view

    def _root(self, named: Sequence[list[str]], written: Sequence[list[Any]]) -> Any:
        classes = [(self._class(name), fields) for name, *fields in named]
        things: list[Any] = []
        # What tells each from others: itself and the contents of those it is made of; None where it may be altered.
        contents: list[bytes | None] = []
        for kind, *parts in written:
            values = [things[part[0]] if type(part) is list else part for part in parts]
            held = [contents[part[0]] if type(part) is list else f"{part!r} ".encode() for part in parts]
            if type(kind) is str:
                contents.append(_content_of(kind, held))
                things.append(_PLAIN[kind](values))
                continue
            cls, fields = classes[kind]
            altered = issubclass(cls, State) and not issubclass(cls, Record)
            contents.append(None if altered else _content_of(named[kind], held))
            things.append(self._made(cls, fields, values, contents[-1]))
        return things[-1]

    def _made(self, cls: type[Any], fields: Sequence[str], values: list[Any], content: bytes | None) -> Any:
        """An instance; of what never changes the one that is there already."""
        found = self._remembered.get(content) if content is not None else None
        if found is None:
            found = _instance(cls, fields, values)
            if content is not None:
                if len(self._remembered) >= REMEMBERED:
                    self._remembered.clear()
                self._remembered[content] = found
        return found

    def _class(self, name: str) -> type[Any]:
        module, _, word = name.partition(":")
        found = getattr(sys.modules.get(module), word, None) if _is_within(module, self._packages) else None
        if not isinstance(found, type) or found.__module__ != module:
            raise Misread(f"no class {name!r}")
        return found


def _content_of(kind: Any, held: Sequence[bytes | None]) -> bytes | None:
    """What tells a thing from others by what it holds; None where some of that may be altered."""
    known = [one for one in held if one is not None]
    return blake2b(repr(kind).encode() + b"".join(known), digest_size=16).digest() if len(known) == len(held) else None


def _instance(cls: type[Any], fields: Sequence[str], values: list[Any]) -> Any:
    """An instance of a class that holds these, or is made of them."""
    if issubclass(cls, State):
        thing = _filled(cls, fields, values)
        thing.find_anew()
        return thing
    if issubclass(cls, tuple):
        return cls._make(values)  # type: ignore[attr-defined]
    if issubclass(cls, msgspec.Struct):
        return cls(**dict(zip(fields, values, strict=True)))
    if _says_how(cls):
        if any(type(value) in (int, float) and abs(value) > FARTHEST for value in values):
            raise Misread(f"{cls.__name__} is too large")
        return cls(*values)
    return _filled(cls, fields, values)


def _filled(cls: Any, fields: Sequence[str], values: list[Any]) -> Any:
    """An instance that holds these, whatever its class does when it is made anew."""
    thing, slots = object.__new__(cls), _fields_of_class(cls)
    for field, value in zip(fields, values, strict=True):
        if field in slots:
            setattr(thing, field, value)
        else:
            thing.__dict__[field] = value
    return thing


def _pairs(values: list[Any]) -> dict[Any, Any]:
    return dict(zip(values[::2], values[1::2], strict=True))


_PLAIN: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "dict": _pairs,
    "float": lambda values: float(values[0]),
    "frozenset": frozenset,
    "list": list,
    "set": set,
    "tuple": tuple,
    "unknown": lambda values: UNKNOWN,
}
