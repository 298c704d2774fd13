"""What may be told about an attack when its odds are asked for: declared once by the game, as the fields of a struct.

    class MyConditions(Conditions, frozen=True):
        from_afar = frozenset({"distance", "cover"})

        distance: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 12.0
        cover: bool = False
        scale: Literal["15mm", "28mm"] = "15mm"

From that come the flags of the command line, the keys that the server takes and the form of a page, with the bounds of
each value. What each of them means is a label of the game, `[label.conditions]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, TypeVar

import msgspec

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, Reader

C = TypeVar("C", bound="Conditions")
Kind = Literal["flag", "whole", "number", "choice"]


class Conditions(msgspec.Struct, frozen=True):
    """How two units stand to each other, as far as it bears on an attack. A game derives its own."""

    # Those that count only in close combat, and those that count only from afar.
    close_combat: ClassVar[frozenset[str]] = frozenset()
    from_afar: ClassVar[frozenset[str]] = frozenset()
    # Shorter names for some, on the command line.
    short: ClassVar[Mapping[str, str]] = {}


class Field(msgspec.Struct, frozen=True):
    """One condition: its key, and what kind of value it has, within which bounds; `default` counts if none is given."""

    key: str
    kind: Kind
    default: Any
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def read(self, reader: Reader) -> Any:
        """Its value in what a person tells; problems are noted."""
        match self.kind:
            case "flag":
                return reader.flag(self.key, default=self.default)
            case "whole":
                low, high = (None if bound is None else int(bound) for bound in (self.low, self.high))
                return reader.integer(self.key, low=low, high=high, default=self.default)
            case "number":
                return reader.number(self.key, low=self.low, high=self.high, default=self.default)
            case "choice":
                return reader.choice(self.key, self.choices, default=self.default)


def fields_of(conditions: type[Conditions]) -> Iterator[Field]:
    """The conditions that a game declares, in its order."""
    for field in msgspec.structs.fields(conditions):
        found = msgspec.inspect.type_info(field.type)
        if isinstance(found, msgspec.inspect.UnionType):
            # Left open, as long as nobody tells it.
            (found,) = (one for one in found.types if not isinstance(one, msgspec.inspect.NoneType))
        match found:
            case msgspec.inspect.BoolType():
                yield Field(field.name, "flag", field.default)
            case msgspec.inspect.IntType(ge=low, le=high):
                yield Field(field.name, "whole", field.default, low, high)
            case msgspec.inspect.FloatType(ge=low, le=high):
                yield Field(field.name, "number", field.default, low, high)
            case msgspec.inspect.LiteralType(values=values):
                yield Field(field.name, "choice", field.default, choices=tuple(map(str, values)))
            case _:
                raise TypeError(f"{conditions.__name__}.{field.name}: {field.type} is not a kind of condition")


def read_conditions(conditions: type[C], given: Mapping[str, Any], *, charge: bool) -> C:
    """What a person tells about an attack; raises Problems with everything that makes no sense."""
    problems = Problems("odds")
    reader = Reader({key: value for key, value in given.items() if value is not None}, problems)
    fields = list(fields_of(conditions))
    for field in fields:
        if field.key in (conditions.from_afar if charge else conditions.close_combat) and given.get(field.key):
            what = notice("for_attacks_from_afar") if charge else notice("for_close_combat")
            hint = notice("leave_out_charge") if charge else notice("charge_for_close_combat")
            reader.problem(field.key, what, hint=hint)
    values = {field.key: field.read(reader) for field in fields}
    reader.finish()
    problems.raise_if_any()
    return conditions(**values)
