"""Write the types of messages for the pages: `python tools/messages.py` renews web/src/messages.ts.

They are read off the structs of `oriflamme.server.messages`, what clients say, and `oriflamme.server.sent`, what they
are sent. `tests/server/test_sent.py` holds that the file is up to date.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from oriflamme.server import messages, sent

FILE = Path(__file__).parents[1] / "web" / "src" / "messages.ts"
HEAD = """// Written by `python tools/messages.py` from the structs of the server: what clients say, what they are sent.

import type { Base } from './drawing/geometry'
import type { TableData } from './drawing/terrain'
import type { Named } from './words'
"""
NAMED = ("Base", "Named", "TableData")
"""Types of the pages' own, by the titles they have in the structs."""
SIMPLE: dict[type, str] = {
    inspect.StrType: "string", inspect.IntType: "number", inspect.FloatType: "number", inspect.BoolType: "boolean",
    inspect.NoneType: "null", inspect.AnyType: "unknown",
}  # fmt: skip


class Writer:
    """The types that are asked for and those they are made of, each after what it needs."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}

    def type(self, told: inspect.Type) -> str:
        if isinstance(told, inspect.Metadata):
            title = (told.extra_json_schema or {}).get("title", "")
            return title if title in NAMED else self.type(told.type)
        if type(told) in SIMPLE:
            return SIMPLE[type(told)]
        match told:
            case inspect.LiteralType():
                return " | ".join("'" + str(value) + "'" for value in told.values)
            case inspect.ListType() | inspect.VarTupleType():
                item = self.type(told.item_type)
                return f"({item})[]" if " | " in item else f"{item}[]"
            case inspect.TupleType():
                return "[" + ", ".join(self.type(item) for item in told.item_types) + "]"
            case inspect.DictType():
                return f"Record<string, {self.type(told.value_type)}>"
            case inspect.UnionType():
                return " | ".join(dict.fromkeys(self.type(one) for one in told.types))
            case inspect.StructType():
                return self.struct(told)
        raise TypeError(f"no type of the pages for {told}")

    def struct(self, told: inspect.StructType) -> str:
        name = told.cls.__name__
        if name not in self.written:
            self.written[name] = ""  # one that holds its like
            lines = [self._comment(told.cls), f"export interface {name} {{"]
            if told.tag is not None:
                lines.append(f"  {told.tag_field}: '{told.tag}'")
            omitted = told.cls.__struct_config__.omit_defaults
            lines += [f"  {self._field(field, omitted=omitted)}" for field in told.fields]
            del self.written[name]
            self.written[name] = "\n".join(filter(None, [*lines, "}"]))
        return name

    def _field(self, field: inspect.Field, *, omitted: bool) -> str:
        optional = not field.required and (omitted or field.default is msgspec.NODEFAULT)
        return f"{field.encode_name}{'?' if optional else ''}: {self.type(field.type)}"

    def _comment(self, kind: type) -> str:
        about = " ".join((kind.__doc__ or "").split())
        if len(about) < 120:
            return f"/** {about} */"
        return "\n".join(["/**", *(f" * {line}" for line in textwrap.wrap(about, 130)), " */"])


class Said(Writer):
    """What clients say: what has a default may be left out."""

    def _field(self, field: inspect.Field, *, omitted: bool) -> str:
        return super()._field(field, omitted=True)


def text() -> str:
    """The whole file."""
    said, told = Said(), Writer()
    for kind in get_args(messages.Spoken):
        said.struct(_info(kind))
    for kind in sent.SENT:
        told.struct(_info(kind))
    spoken = " | ".join(said.written)
    parts = [HEAD, "// -- what clients say", *said.written.values(), f"export type Spoken = {spoken}"]
    return "\n\n".join([*parts, "// -- what they are sent", *told.written.values()]).replace("\n\n\n", "\n\n") + "\n"


def _info(kind: Any) -> inspect.StructType:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info


def main() -> int:
    FILE.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
