"""Keeping a battle while it is played: whatever happens, what was played can be taken up again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from oriflamme.engine.core import save as saves
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, problem_with


def data_folder() -> Path:
    """Where battles are kept while they are played."""
    named = os.environ.get("ORIFLAMME_DATA")
    if named:
        return Path(named)
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "oriflamme" / "battles"


class Keeper:
    """Writes every answer to a file as it is given; if that fails, it says so once and the battle goes on."""

    def __init__(self, play: Play, path: Path | None, seats: Sequence[str], lost: Callable[[Problems], None]) -> None:
        if path is None:
            stamp = time.strftime("%Y-%m-%d-%H%M%S")
            path = data_folder() / f"{play.game.id}-{stamp}-{play.seed}.save"
        self.path = path
        self._lost = lost
        self._recorder: saves.Recorder | None = None

        def begin() -> None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._recorder = saves.Recorder(play, self.path, seats)

        self._try(begin)

    def note(self) -> None:
        """Write down the answers given since."""
        if self._recorder is not None:
            self._try(self._recorder.note)

    def rewrite(self, play: Play) -> None:
        """Begin afresh: answers were taken back."""
        recorder = self._recorder
        if recorder is not None:
            self._try(lambda: recorder.rewrite(play))

    def close(self) -> bool:
        """Write the last line; whether the file is whole."""
        if self._recorder is not None:
            self._try(self._recorder.close)
        return self._recorder is not None

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except OSError as error:
            reason = str(error.strerror or error).lower()
            self._lose(problem_with(self.path, notice("in_their_words", reason=reason)))
        except Problems as problems:
            self._lose(problems)

    def _lose(self, problems: Problems) -> None:
        self._recorder = None
        self._lost(problems)
