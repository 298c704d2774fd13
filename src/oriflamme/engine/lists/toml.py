"""Lists written as TOML that a person can read and write in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any


def as_toml(data: Mapping[str, Any]) -> str:
    """A list as a file: short tables in one line, long ones under a heading."""
    plain, later = [], []
    for key, value in data.items():
        tables = isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)
        if tables and any(_is_long(item) for item in value):
            later += ["\n".join([f"[[{key}]]", *_lines(item)]) for item in value]
        elif tables:
            plain.append("\n".join([f"{key} = [", *(f"  {_toml(item)}," for item in value), "]"]))
        else:
            plain += _lines({key: value})
    return "\n\n".join(["\n".join(plain), *later]) + "\n"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_toml(value)}" for key, value in table.items() if value is not None]


def _is_long(table: Mapping[str, Any]) -> bool:
    return len(_toml(table)) > 200


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml(key)


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            inside = ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items() if v is not None)
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(_toml(item) for item in value if item is not None)}]"
        case _:
            return str(value)
