"""Keeping a battle while it is played: whatever happens, what was played can be taken up again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from oriflamme.cli import show
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


MOST_SAVES: Final = 200  # that are listed


def show_saves(folder: Path | None, as_json: bool, lang: str) -> None:
    """`oriflamme saves`: the battles in a folder, the one that was played last first."""
    from oriflamme.cli.phrases import words

    said = words(lang)["saves"]
    place = folder or data_folder()
    if folder is not None and not folder.is_dir():
        raise problem_with(folder, notice("no_such_folder"))
    files = sorted(place.glob("*.save"), key=lambda path: path.stat().st_mtime, reverse=True)
    rows = [_told(path, lang) for path in files[:MOST_SAVES]]
    if as_json:
        show.say_json({"folder": str(place), "saves": rows})
        return
    if not rows:
        show.say(said["none"].format(folder=place))
        return
    made = show.table(*(said[key] for key in ("when", "battle", "answers", "state", "file")), right=(2,))
    for row in rows:
        battle = " – ".join(filter(None, (row["title"], row["armies"])))
        made.add_row(*map(show.cell, (row["when"], battle, row["answers"], said[row["state"]], row["file"])))
    show.show_table(made)
    show.say(said["go_on"].format(file=rows[0]["path"]), "dim")


def _told(path: Path, lang: str) -> dict[str, Any]:
    """What a save is about, as far as it can be read without playing it."""
    from oriflamme.games import load

    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    row: dict[str, Any] = {"file": path.name, "path": str(path), "when": when}
    try:
        saved = saves.read(path, load, recover=True)
    except (Problems, OSError):
        return row | {"game": "", "title": "", "armies": "", "answers": 0, "state": "damaged"}
    armies = [one.get("name") for one in saved.header.setup.get("armies", ()) if isinstance(one, dict)]
    names = [show.name_of(name, lang) if isinstance(name, dict) else str(name or "") for name in armies]
    over = saved.end is not None and saved.end.over
    return row | {
        "game": saved.game.id,
        "title": show.name_of(saved.game.title, lang),
        "armies": " / ".join(filter(None, names)),
        "answers": len(saved.entries),
        "state": "damaged" if saved.broken is not None else "over" if over else "open",
    }


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
