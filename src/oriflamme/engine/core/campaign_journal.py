"""The campaign file: JSON, one thing to a line, each on the disk before the next is done.

    {"format": "oriflamme-campaign", "version": 1, "program": "0.2.0", "game": "GAME", "rules": 1, "seed": 7, ...}
    {"do": "march", "n": 1, "battle": 1, "dice": [2], "events": [...]}
    {"do": "fight", "n": 2, "battle": 1, "save": "autumn.1.save", "fingerprint": "5d0c…", "result": {...}, ...}
    {"do": "choose", "n": 3, "battle": 2, "side": 0, "ask": "prepare", "answer": "reinforce", "events": []}
    {"do": "undo", "n": 4, "battle": 2, "side": 0, "answers": 0}

Lines are only ever added. One that a crash has cut short is the last and has no end; it is left out, and whatever it
was to say comes about again in the same way: dice are made from the seed and the number of the battle.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Protocol

import msgspec

from oriflamme.engine.core.campaign import Keep
from oriflamme.engine.core.campaign_files import first_line, lines_of
from oriflamme.engine.core.save import Damaged, reason_of, write_whole
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem, problem_with, read_bytes

encode = msgspec.json.Encoder().encode


class Header(msgspec.Struct):
    """The first line: all that a campaign begins with. `setup` is what every battle of it has in common."""

    format: str
    version: int
    program: str
    game: str
    rules: int
    seed: int
    battles: int
    seats: tuple[str, ...]
    setup: dict[str, Any]
    bands: tuple[dict[str, Any], ...]


class Entry(msgspec.Struct, tag_field="do"):
    """Something that was done, counted from 1, before or after which battle, and what it brought about."""

    n: int
    battle: int


class March(Entry, tag="march"):
    """All sides are ready: the scenario of the next battle."""

    dice: list[int]
    events: list[dict[str, Any]]


class Fight(Entry, tag="fight"):
    """A battle is over, and what came of it: `result` is of the kind that the game has."""

    save: str
    fingerprint: str
    result: Any
    dice: list[int]
    events: list[dict[str, Any]]


class Choose(Entry, tag="choose"):
    """An answer in camp."""

    side: int
    ask: str
    answer: Any
    events: list[dict[str, Any]]


class Undo(Entry, tag="undo"):
    """Answers in camp were taken back; so many stand."""

    side: int
    answers: int


Line = March | Fight | Choose | Undo
_decode_line = msgspec.json.Decoder(Line).decode


class Read:
    """A campaign file that was read: its header, its whole lines, and the first thing wrong with the rest, if any.

    `length` is how many bytes are whole; `torn` says that a crash has cut the last line short, `unended` that it has
    left out only its end.
    """

    def __init__(self, path: Path, content: bytes, result: type[Any]) -> None:
        self.path = path
        self.result = result
        lines, tail = lines_of(path, content)
        self.header = _read_header(path, lines[0])
        self.entries: list[Line] = []
        self.broken: Problem | None = None
        self.length = len(lines[0]) + 1
        self.torn = False
        self.unended = False
        for number, line in enumerate(lines[1:], 2):
            try:
                self._take(line)
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                what = notice("damaged", reason=reason_of(error))
                self.broken = Problem(f"line {number}", what, None, self.hint())
                return
        if not tail:
            return
        try:
            self._take(tail)
        except (msgspec.DecodeError, ValueError, RecursionError):
            self.torn = True
        else:
            self.unended = True
            self.length -= 1

    def _take(self, line: bytes) -> None:
        entry = _decode_line(line)
        if isinstance(entry, Fight):
            entry.result = msgspec.convert(entry.result, self.result)
        if entry.n != len(self.entries) + 1:
            raise Damaged(notice("entry_out_of_place", number=entry.n, expected=len(self.entries) + 1))
        self.entries.append(entry)
        self.length += len(line) + 1

    def hint(self, number: int | None = None) -> Notice:
        """What can be done about damage, with so many entries whole before it."""
        return notice("entries_whole", whole=len(self.entries) if number is None else number)


def _read_header(path: Path, line: bytes) -> Header:
    first_line(path, line)
    try:
        return msgspec.json.decode(line, type=Header)
    except msgspec.ValidationError as error:
        what = notice("damaged", reason=reason_of(error))
        raise problem_with(path, what, where="line 1", hint=notice("put_line_back")) from None


def read(path: str | os.PathLike[str], result: type[Any]) -> Read:
    """Read a campaign file as it is. Nothing is changed, and nobody is kept from writing to it."""
    return Read(Path(path), read_bytes(path), result)


def write_new(path: Path, header: Header, lines: list[Line]) -> None:
    """Make a campaign file, which is there complete or not at all; one that exists is never replaced."""
    if path.exists():
        raise problem_with(path, notice("file_is_there"), hint=notice("another_file_name"))
    write_whole(path, b"".join(encode(line) + b"\n" for line in (header, *lines)))


class Keeper(Protocol):
    """Where the lines of a campaign are kept."""

    def append(self, line: Line) -> None:
        """Add a line. When this returns it is safe; when it fails nothing has changed."""

    def close(self) -> None: ...


class Elsewhere:
    """Lines that somebody else keeps."""

    def __init__(self, keep: Keep) -> None:
        self.keep = keep

    def append(self, line: Line) -> None:
        self.keep(encode(line))

    def close(self) -> None:
        return


class Journal:
    """A campaign file open for writing. Nobody else can open it so until it is closed or this process ends."""

    def __init__(self, path: Path, result: type[Any]) -> None:
        self.path = path
        try:
            self._file: int | None = os.open(path, os.O_RDWR | os.O_APPEND)
        except FileNotFoundError:
            read_bytes(path)  # says so, with a guess
            raise
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise problem_with(path, notice("cannot_be_opened", reason=reason)) from None
        try:
            if not _lock(self._file):
                raise problem_with(path, notice("being_played"), hint=notice("let_it_finish"))
            self.read = read(path, result)
            self._length = self.read.length
            if self.read.broken is None:
                self._mend()
        except BaseException:
            self.close()
            raise

    def _mend(self) -> None:
        """Cut off what a crash has left of a line, and end a line that lacks only its end."""
        assert self._file is not None
        if self.read.torn:
            os.ftruncate(self._file, self._length)
            os.fsync(self._file)
        elif self.read.unended:
            self._write(b"\n")

    def append(self, line: Line) -> None:
        """Add a line. When this returns it is on the disk; when it fails the file is as it was."""
        self._write(encode(line) + b"\n")

    def _write(self, content: bytes) -> None:
        assert self._file is not None, "the campaign is closed"
        try:
            left = content
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._length)
            what = notice("cannot_be_written", reason=(error.strerror or str(error)).lower())
            raise problem_with(self.path, what, hint=notice("nothing_before_is_lost")) from None
        self._length += len(content)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> bool:
        """Whether the file is ours alone now. A byte far beyond its end stands for it."""
        try:
            os.lseek(file, 1 << 40, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: int) -> bool:
        """Whether the file is ours alone now. The lock goes with the process, however that ends."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
