"""The reference of `import oriflamme`, made from its docstrings: python tools/api.py writes docs/api.md."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import oriflamme

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
HEAD = """# The reference of the library

What `import oriflamme` offers, name by name. [library.md](library.md) is the tour; this page is made from the
docstrings by `python tools/api.py`.
"""


def reference() -> str:
    """The whole page."""
    names = sorted((name for name in oriflamme.__all__ if name != "__version__"), key=str.lower)
    index = ", ".join(f"[`{name}`](#{name.lower()})" for name in names)
    return "\n\n".join([HEAD.strip(), index, *(_entry(name, getattr(oriflamme, name)) for name in names)]) + "\n"


def _entry(name: str, thing: Any) -> str:
    lines = [f"## {name}", f"`{_signature(name, thing)}`", _words(thing)]
    if inspect.isclass(thing):
        members = "\n".join(_members(thing))
        lines += [f"| | |\n|---|---|\n{members}"] if members else []
    return "\n\n".join(filter(None, lines))


def _members(cls: type) -> Iterator[str]:
    """What a class has of its own that is not private, in the order it is written down, and what it has from ours."""
    seen = set()
    for owner in cls.__mro__:
        if not owner.__module__.startswith("oriflamme"):
            continue
        for name, member in vars(owner).items():
            told = _member(name, member) if not name.startswith("_") and name not in seen else None
            seen.add(name)
            if told:
                yield told


def _member(name: str, member: Any) -> str | None:
    """A line about a method or a property; nothing about what has no words of its own."""
    found = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
    if isinstance(found, property) or hasattr(found, "func"):
        getter = found.fget if isinstance(found, property) else found.func
        return f"| `.{name}` | {_first(getter)} |" if _first(getter) else None
    if inspect.isfunction(found):
        return f"| `.{_signature(name, found)}` | {_first(found)} |" if _first(found) else None
    return None


def _signature(name: str, thing: Any) -> str:
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    shown = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    plain = [p.replace(annotation=p.empty, default=_plain(p.default)) for p in shown]
    if getattr(thing, "_is_protocol", False):
        return name
    return name + str(signature.replace(parameters=plain, return_annotation=signature.empty)).replace("|", "\\|")


class _As(str):
    """Written as it stands."""

    def __repr__(self) -> str:
        return str(self)


def _plain(default: Any) -> Any:
    """A default as one writes it, the same on every machine."""
    if default is inspect.Parameter.empty or isinstance(default, (str, int, float, bool, tuple, type(None))):
        return default
    return _As(str(default) if isinstance(default, Enum) else "…")


def _words(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


def _first(thing: Any) -> str:
    """The first paragraph on one line."""
    return " ".join(_words(thing).partition("\n\n")[0].split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
