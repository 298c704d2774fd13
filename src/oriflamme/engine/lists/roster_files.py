"""Roster files of BattleScribe and New Recruit (`.ros`, and `.rosz`, which is one in a zip file), as plain data.

Whatever the file is, reading it is bounded: how large it is unpacked, how deep, how many elements it has. It is XML
without a document type and without entities; one that has any is refused unread. What a selection means, each game
says for itself.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

import msgspec

from oriflamme.engine.words.limits import one_line
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, problem_with

LARGEST: Final = 8_000_000  # bytes of the file, unpacked
MOST: Final = 60_000  # elements
DEEPEST: Final = 40  # levels
MOST_FILES: Final = 20  # in a zip file
LONGEST: Final = 400  # characters of a name or a value
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"


class Profile(msgspec.Struct):
    """A profile as it is printed: what it is of, of what kind, and its characteristics by name."""

    name: str
    kind: str
    values: dict[str, str] = msgspec.field(default_factory=dict)

    def value(self, *names: str) -> str:
        """The characteristic of one of these names, whatever its capitals; "" if there is none."""
        wanted = {name.casefold() for name in names}
        return next((text.strip() for name, text in self.values.items() if name.casefold().strip() in wanted), "")


class Selection(msgspec.Struct):
    """Something that was picked, with what was picked for it. `number` counts all there are of it."""

    name: str
    kind: str
    number: int
    cost: float = 0.0
    rules: list[str] = msgspec.field(default_factory=list)
    profiles: list[Profile] = msgspec.field(default_factory=list)
    selections: list[Selection] = msgspec.field(default_factory=list)

    def all(self) -> Iterator[Selection]:
        """It and all that was picked for it."""
        yield self
        for one in self.selections:
            yield from one.all()


class RosterFile(msgspec.Struct):
    """A roster: what it is called, of which game system it is, what it costs there, and what was picked."""

    name: str
    system: str
    cost: float = 0.0
    limit: float = 0.0
    selections: list[Selection] = msgspec.field(default_factory=list)


def looks_like_roster(content: bytes) -> bool:
    """It is packed, or begins as a roster does."""
    return content.startswith((ZIP, GZIP)) or b"<roster" in content[:2000]


def read_roster(content: bytes, source: str) -> RosterFile:
    """The roster in such a file; raises Problems if it is none, or more than is read."""
    return _Reader(source).read(_unpacked(content, source))


def _refused(source: str, what: Notice, hint: Notice | None = None) -> Problems:
    return problem_with(source, what, hint=hint)


def _unpacked(content: bytes, source: str) -> bytes:
    """The roster itself, however it was packed; never more than LARGEST bytes of it."""
    too_long = _refused(source, notice("file_too_long", most=LARGEST), notice("send_less"))
    try:
        if content.startswith(ZIP):
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                files = packed.infolist()
                inside = [one for one in files if one.filename.lower().endswith(".ros")]
                if len(files) > MOST_FILES or len(inside) != 1 or inside[0].flag_bits & 1:
                    raise _refused(source, notice("no_roster"), notice("one_roster_in_it"))
                with packed.open(inside[0]) as file:
                    found = file.read(LARGEST + 1)
        elif content.startswith(GZIP):
            unpack = zlib.decompressobj(wbits=31)
            found = unpack.decompress(content, LARGEST + 1)
        else:
            found = content
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError, RuntimeError, ValueError):
        raise _refused(source, notice("no_roster"), notice("one_roster_in_it")) from None
    if len(found) > LARGEST:
        raise too_long
    return found


class _Reader:
    """Reads one roster, element by element."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.roster: RosterFile | None = None
        self.open: list[str] = []
        self.held: list[Selection] = []
        self.profile: Profile | None = None
        self.characteristic = ""
        self.text: list[str] = []
        self.number = 0

    def read(self, content: bytes) -> RosterFile:
        parser = expat.ParserCreate()
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._forbidden
        parser.EntityDeclHandler = self._forbidden
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._said
        try:
            parser.Parse(content, True)
        except (expat.ExpatError, ValueError) as error:
            raise _refused(
                self.source, notice("in_their_words", reason=str(error)[:200]), notice("export_again")
            ) from None
        if self.roster is None:
            raise _refused(self.source, notice("no_roster"), notice("export_again"))
        return self.roster

    def _forbidden(self, *_: object) -> None:
        raise _refused(self.source, notice("roster_with_entities"), notice("export_again"))

    def _start(self, tag: str, has: dict[str, str]) -> None:
        self.number += 1
        self.open.append(tag)
        if len(self.open) > DEEPEST or self.number > MOST:
            raise _refused(self.source, notice("roster_too_large", most=MOST, levels=DEEPEST), notice("send_less"))
        if len(self.open) == 1:
            if tag != "roster":
                raise _refused(self.source, notice("no_roster"), notice("export_again"))
            self.roster = RosterFile(_short(has.get("name")), _short(has.get("gameSystemName")))
        elif tag == "selection":
            name = _short(has.get("customName")) or _short(has.get("name"))
            one = Selection(name, _short(has.get("type")), _whole(has.get("number")))
            siblings = self.held[-1].selections if self.held else self._roster.selections
            siblings.append(one)
            self.held.append(one)
        elif tag == "rule" and self.held and has.get("hidden") != "true":
            self.held[-1].rules.append(_short(has.get("name")))
        elif tag == "profile" and self.held and has.get("hidden") != "true":
            self.profile = Profile(_short(has.get("name")), _short(has.get("typeName")))
            self.held[-1].profiles.append(self.profile)
        elif tag == "characteristic":
            self.characteristic, self.text = _short(has.get("name")), []
        elif tag == "cost" and _is_points(has):
            if self.held:
                self.held[-1].cost += _amount(has.get("value"))
            else:
                self._roster.cost += _amount(has.get("value"))
        elif tag == "costLimit" and _is_points(has):
            self._roster.limit = _amount(has.get("value"))

    @property
    def _roster(self) -> RosterFile:
        assert self.roster is not None
        return self.roster

    def _end(self, tag: str) -> None:
        self.open.pop()
        if tag == "selection" and self.held:
            self.held.pop()
        elif tag == "profile":
            self.profile = None
        elif tag == "characteristic" and self.profile is not None and self.characteristic:
            self.profile.values[self.characteristic] = _short("".join(self.text))
            self.characteristic = ""

    def _said(self, text: str) -> None:
        if self.characteristic:
            self.text.append(text[:LONGEST])


def _short(text: str | None) -> str:
    return one_line((text or "")[:LONGEST]).strip()


def _is_points(has: dict[str, str]) -> bool:
    return has.get("name", "").strip().casefold() in ("pts", "points", "pt")


def _amount(text: str | None) -> float:
    try:
        found = float(text or 0)
    except ValueError:
        return 0.0
    return found if 0 <= found < 1e6 else 0.0


def _whole(text: str | None) -> int:
    return max(1, min(1000, int(_amount(text)))) if text else 1
