"""A game of the tests' own for one to four players and an army nobody owns, installed as an installer would."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from oriflamme import games

HERE = Path(__file__).parent


def install(folder: Path) -> None:
    """Put the game and its entry point into a folder where Python looks for packages."""
    copytree(HERE / "fray", folder / "fray", ignore=ignore_patterns("__pycache__"))
    info = folder / "fray-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fray\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{games.GROUP}]\nfray = fray:game\n")


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """The game is installed in that folder, here and in processes that are started, for as long as this lasts."""
    install(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder), prepend=":")
        games.look_again()
        try:
            yield
        finally:
            patch.undo()
            for name in [name for name in sys.modules if name == "fray" or name.startswith("fray.")]:
                del sys.modules[name]
            games.look_again()
