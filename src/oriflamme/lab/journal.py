"""Results that are kept as they come: a file of lines that is added to, and taken up again after whatever happened.

The first line says what the file is about. Every other line is one result. A last line that was cut off in the middle
is left out, and what it had is played again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with

R = TypeVar("R")
MOST_LINE: Final = 1_000_000  # bytes


class Journal(Generic[R]):
    """A file of results of one kind. `about` must be the same for all of them."""

    def __init__(self, path: Path, about: dict[str, Any], kind: type[R]) -> None:
        self.path = path
        self.about = about
        self._decoder = msgspec.json.Decoder(kind)

    def read(self) -> list[R]:
        """What is there; nothing if there is no file. Raises Problems if it is about something else or damaged."""
        try:
            with self.path.open("rb") as file:
                return list(self._results(file.readline(MOST_LINE), file.readline))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise problem_with(self.path, notice("cannot_be_read", reason=str(error))) from None

    def _results(self, head: bytes, next_line: Callable[[int], bytes]) -> Iterator[R]:
        try:
            about = json.loads(head)
        except ValueError:
            raise problem_with(self.path, notice("no_results_file"), hint=notice("name_another_folder")) from None
        if about != self.about:
            raise problem_with(self.path, notice("other_results"), hint=notice("name_another_folder"))
        number = 1
        while line := next_line(MOST_LINE):
            number += 1
            if not line.endswith(b"\n"):
                return  # cut off while it was written
            try:
                yield self._decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                what = notice("damaged_result", line=number)
                raise problem_with(self.path, what, hint=notice("take_line_out")) from None

    @contextmanager
    def adding(self) -> Iterator[Callable[[R], None]]:
        """Add to it; each result is on the disk when the call returns."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._mend()
            file = self.path.open("ab", buffering=0)
        except OSError as error:
            raise problem_with(self.path, notice("cannot_be_written", reason=str(error))) from None
        with file:
            if file.tell() == 0:
                file.write(json.dumps(self.about).encode() + b"\n")

            def add(result: R) -> None:
                file.write(msgspec.json.encode(result) + b"\n")

            yield add

    def _mend(self) -> None:
        """Take away a last line that was cut off."""
        if not self.path.exists():
            return
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            with self.path.open("r+b") as file:
                file.truncate(whole)
