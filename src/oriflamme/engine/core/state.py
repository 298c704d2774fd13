"""State that describes itself: from the slots of a class come its copy, its plain data and its fingerprint, and a
snapshot to be compared with later ones.

Every slot of a `State` is copied and told. A slot holds plain values that are never altered in place (numbers, words,
tuples, frozen sets, records); what holds something else says so in `slot_kinds`, once, beside the slots:

    class Unit(State):
        __slots__ = ("_reach", "figures", "id", "profile", "shaken")
        slot_kinds = {"figures": PARTS, "profile": SHARED, "_reach": derived("reach")}

So nothing can be forgotten: a slot that is not in the fingerprint is one that is declared to follow from the others,
with what finds it anew. What is declared wrongly is refused: at once where the class is made, or when it is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import inf
from typing import Any, ClassVar, Final, NamedTuple, Self

import msgspec

# Which kind of fingerprint this is: of other kinds nothing can be said. 1 was written by hand and left slots out; under
# 2 the turn track held the rest of a round otherwise; under 3 some slots had other names; under 4 a battle had one
# winner and every side a player; under 5 some lengths were whole numbers.
FINGERPRINT: Final = 6


class Kind(NamedTuple):
    """What a slot holds, and so how it is copied.

    `copied` is the expression for the copy's slot; `{0}` stands for the slot of the original, `self` for the original
    and `twin` for the copy. What is not state is not told; `found_by` names what finds it from the other slots when it
    is `empty`, or what sets it (`is_set`).
    What a copy shares is never altered in place, but for so many `alterable` levels that it has for itself. `data_of`
    makes data of it where it is not its own. `of` is the very class of a part that is copied slot by slot with the
    whole. `held` is the expression for what the slot holds at the moment; without one, that is told as plain data.
    """

    copied: str
    alterable: float = inf
    is_state: bool = True
    found_by: str = ""
    data_of: Callable[[Any], Any] | None = None
    of: type[State] | None = None
    held: str = "{0}"
    empty: Callable[[], Any] = type(None)
    is_set: bool = False


# Plain values, which are never altered in place: what a slot holds that says nothing else.
VALUE: Final = Kind("{0}", alterable=0)
# A list, a dictionary of plain values: the copy has its own.
LIST: Final = Kind("{0}[:]", alterable=1, held="{0}[:]")
DICT: Final = Kind("{0}.copy()", alterable=1, held="{0}.copy()")
# State of its own, or a list of such, or such by name: copied with the whole.
PART: Final = Kind("{0}.copy()", held="{0}.snapshot()")
MAYBE_PART: Final = Kind("None if {0} is None else {0}.copy()", held="None if {0} is None else {0}.snapshot()")
PARTS: Final = Kind("[part.copy() for part in {0}]", held="[part.snapshot() for part in {0}]")
NAMED_PARTS: Final = Kind(
    "{{name: part.copy() for name, part in {0}.items()}}",
    held="{{name: part.snapshot() for name, part in {0}.items()}}",
)
# What nobody alters in place, though it could be: profiles, tables, names, mappings that are only ever replaced.
SHARED: Final = Kind("{0}")
# A list of the copy's own, of things that nobody alters any more.
LIST_OF_SHARED: Final = Kind("{0}[:]", held="{0}[:]")
# No state, but what is kept beside it: a copy begins with None.
BESIDE: Final = Kind("None", is_state=False)
# No state either, but a label for whoever looks: copies keep it.
LABEL: Final = Kind("{0}", is_state=False)


def part_of(cls: type[State]) -> Kind:
    """State of its own that is always of this very class: copied with the whole, and faster than any part."""
    return Kind("{0}.copy()", of=cls, held="{0}.snapshot()")


def _nothing() -> None:
    return None


def derived(found_by: str, empty: Callable[[], Any] = _nothing) -> Kind:
    """Follows from other slots, and is found by that method or property of the class when it is asked for and the slot
    is `empty`. A copy keeps it."""
    return Kind("{0}", is_state=False, found_by=found_by, empty=empty)


def set_by(method: str, empty: Callable[[], Any] = _nothing) -> Kind:
    """Follows from other slots, and is set by that method of the class, or stays `empty`. A copy keeps it."""
    return Kind("{0}", is_state=False, found_by=method, empty=empty, is_set=True)


def forgotten(found_by: str) -> Kind:
    """Follows from other slots and leads to parts of the original: a copy has None there, and finds it anew."""
    return Kind("None", is_state=False, found_by=found_by)


def only(part: str) -> Kind:
    """A list that holds this part, or nothing."""
    return Kind(f"[twin.{part}] if {{0}} else []", data_of=bool, held="bool({0})")


def made(expression: str, data_of: Callable[[Any], Any] | None = None) -> Kind:
    """Copied by an expression in `self` and `twin`, when all other slots are."""
    return Kind(expression, data_of=data_of, held="")


def shared_as(data_of: Callable[[Any], Any]) -> Kind:
    """Shared, and told by what tells it from others."""
    return Kind("{0}", data_of=data_of)


@lru_cache(maxsize=8192)
def key_of(thing: Any) -> str:
    """A short name for something that never changes, from its `id` or `name` and all that `facts` tells of it."""
    digest = hashlib.blake2b(msgspec.json.encode(plain(thing.facts())), digest_size=6).hexdigest()
    return f"{getattr(thing, 'id', None) or thing.name} {digest}"


def kinds_of(cls: type[State]) -> dict[str, Kind]:
    """Every slot of a class and of those it derives from, and what it holds."""
    lineage = [base for base in reversed(cls.__mro__) if base is not object]
    kinds = {slot: VALUE for base in lineage for slot in base.__dict__.get("__slots__", ())}
    for base in lineage:
        kinds.update(base.__dict__.get("slot_kinds", {}))
    return kinds


def _check(cls: type[State]) -> None:
    name = cls.__qualname__
    if "__slots__" not in cls.__dict__ or cls.__dictoffset__:
        raise TypeError(f"{name}: state is kept in slots; give it __slots__, and all that it derives from")
    if {"copy", "data", "snapshot"} & cls.__dict__.keys():
        raise TypeError(f"{name}: copy, data and snapshot come from the slots; say in slot_kinds what they hold")
    slots = {slot for base in cls.__mro__ for slot in base.__dict__.get("__slots__", ())}
    for slot, kind in kinds_of(cls).items():
        if slot not in slots:
            raise TypeError(f"{name}: slot_kinds names {slot!r}, which is no slot")
        if kind.found_by and not hasattr(cls, kind.found_by):
            raise TypeError(f"{name}.{slot}: nothing is called {kind.found_by!r} that could find it anew")


def _copier(cls: type[State]) -> Callable[[Any], Any]:
    """`copy` of a class, slot by slot, as one would write it by hand."""
    # What is made from the copy's own slots comes last.
    kinds = sorted(kinds_of(cls).items(), key=lambda item: "twin" in item[1].copied)
    names: dict[str, Any] = {"new": cls.__new__, "cls": cls}
    lines: list[str] = []
    for slot, kind in kinds:
        if kind.of is None:
            lines.append(f"    twin.{slot} = {kind.copied.format(f'self.{slot}')}")
        else:
            names[f"class_of_{slot}"] = kind.of
            lines += [f"    whole, part = self.{slot}, new(class_of_{slot})", f"    twin.{slot} = part"]
            lines += [f"    part.{s} = {k.copied.format(f'whole.{s}')}" for s, k in kinds_of(kind.of).items()]
    return _compiled(cls, "copy", ["def copy(self):", "    twin = new(cls)", *lines, "    return twin"], names)


def _teller(cls: type[State]) -> Callable[[Any], dict[str, Any]]:
    """`data` of a class: every slot that is state, in the order of their names."""
    names: dict[str, Any] = {"atoms": _ATOMS, "plain": plain, "inf": inf}
    kinds = sorted(kinds_of(cls).items())
    lines = [f"        {slot!r}: {_told(slot, kind, names)}," for slot, kind in kinds if kind.is_state]
    return _compiled(cls, "data", ["def data(self):", "    return {", *lines, "    }"], names)


def _told(slot: str, kind: Kind, names: dict[str, Any]) -> str:
    """The expression for the plain data of a slot; `names` is what it speaks of."""
    found = "value"
    if kind.data_of is not None:
        names[f"data_of_{slot}"], found = kind.data_of, f"data_of_{slot}(value)"
    return f"value if type(value := self.{slot}) in atoms else plain({found}, {kind.alterable}, {slot!r})"


def _holder(cls: type[State]) -> Callable[[Any], tuple[Any, ...]]:
    """`snapshot` of a class: every slot that is state, and labels."""
    names: dict[str, Any] = {"atoms": _ATOMS, "plain": plain, "inf": inf}
    lines = [
        f"        {kind.held.format(f'self.{slot}') if kind.held else f'({_told(slot, kind, names)})'},"
        for slot, kind in kinds_of(cls).items()
        if kind.is_state or kind is LABEL
    ]
    return _compiled(cls, "snapshot", ["def snapshot(self):", "    return (", *lines, "    )"], names)


def _compiled(cls: type[State], name: str, lines: list[str], names: dict[str, Any]) -> Callable[..., Any]:
    exec(compile("\n".join(lines), f"<{name} of {cls.__module__}.{cls.__qualname__}>", "exec"), names)
    function: Callable[..., Any] = names[name]
    function.__doc__ = getattr(State, name).__doc__
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    function.__module__ = cls.__module__
    return function


_ATOMS: Final = frozenset({str, int, float, bool, type(None)})


def plain(value: Any, alterable: float = inf, where: str = "a value") -> Any:
    """A value as plain data that JSON can hold: the same for equal values, in any process.

    Only so many levels of it may be `alterable` in place: what a copy would share though it can be altered is refused.
    """
    kind = type(value)
    if kind in _ATOMS:
        return value
    form = _FORMS.get(kind)
    if form is None:
        form = _FORMS[kind] = _form_of(kind, where)
    if form == "tuple":
        return [part if type(part) in _ATOMS else plain(part, alterable, where) for part in value] if value else []
    if form == "frozen set":
        return in_order([plain(part, alterable, where) for part in value]) if value else []
    if form == "data":
        return value.data()
    if form == "identity":
        identity = value.identity()
        return identity if type(identity) in _ATOMS else plain(identity, inf, where)
    if form == "frozen struct":
        return msgspec.to_builtins(value)
    if not alterable or (form == "state" and alterable < inf):
        raise TypeError(f"{where}: {kind.__name__} can be altered; say in slot_kinds what the slot holds")
    inside = alterable - 1
    if form == "mapping":
        if all(type(key) is str for key in value):
            return {k: part if type(part) in _ATOMS else plain(part, inside, where) for k, part in value.items()}
        return [[plain(key, inside, where), plain(part, inside, where)] for key, part in value.items()]
    if form == "list":
        return [part if type(part) in _ATOMS else plain(part, inside, where) for part in value]
    if form == "set":
        return in_order([plain(part, inside, where) for part in value])
    if form == "struct":
        return msgspec.to_builtins(value)
    return value.data()


_FORMS: Final[dict[type, str]] = {
    tuple: "tuple",
    frozenset: "frozen set",
    dict: "mapping",
    list: "list",
    set: "set",
}


def in_order(values: list[Any]) -> list[Any]:
    """Plain values that have no order, in the order of what is written of them."""
    return sorted(values, key=msgspec.json.encode)


def _form_of(kind: type, where: str) -> str:
    """How things of a type are told."""
    if issubclass(kind, tuple):
        return "tuple"
    if issubclass(kind, State):
        return "data" if issubclass(kind, Record) else "state"
    if issubclass(kind, msgspec.Struct):
        return "frozen struct" if kind.__struct_config__.frozen else "struct"
    if issubclass(kind, Mapping):
        return "mapping"
    if hasattr(kind, "identity"):
        return "identity"
    if hasattr(kind, "data"):
        return "data"
    raise TypeError(f"{where}: {kind.__name__} is no plain value, and has neither an identity nor data to be told by")


class State:
    """Something a battle consists of. Classes derived from it get `copy`, `data` and `snapshot` from their slots."""

    __slots__ = ()
    slot_kinds: ClassVar[Mapping[str, Kind]] = {}
    never_altered: ClassVar[bool] = False

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        _check(cls)
        made: Any = cls
        if not cls.never_altered:
            made.copy = _copier(cls)
            made.snapshot = _holder(cls)
        made.data = _teller(cls)

    def copy(self) -> Self:
        """The same, apart: nothing done to one is seen in the other."""
        return self

    def snapshot(self) -> Any:
        """What it holds at this moment: equal to what it held before if nothing has been done to it since. It is made
        quickly, and to be compared only with snapshots of the same thing, or of a copy of it."""
        return self

    def data(self) -> dict[str, Any]:
        """Its state as plain data: the same for equal ones, in any process."""
        return {}

    def find_anew(self) -> None:
        """What follows from its other slots is found anew."""
        kinds = kinds_of(type(self))
        for slot, kind in kinds.items():
            if not kind.is_state and kind is not LABEL:
                setattr(self, slot, kind.empty())
        for kind in kinds.values():
            if kind.is_set:
                getattr(self, kind.found_by)()

    def fingerprint(self) -> str:
        """A short name for this very state."""
        return hashlib.blake2b(msgspec.json.encode(self.data()), digest_size=12).hexdigest()


class Record(State):
    """State that is never altered once it is made: a change is a new one, and copies share it."""

    __slots__ = ()
    never_altered: ClassVar[bool] = True
