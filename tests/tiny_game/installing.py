"""Puts the game of docs/new-game.md where Python looks for packages, as an installer would."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from oriflamme import games

GAME = Path(__file__).parent / "beacon"


def install(folder: Path) -> None:
    """The package and its metadata: what `pip install` of it would leave in that folder."""
    shutil.copytree(GAME, folder / "beacon", ignore=shutil.ignore_patterns("__pycache__"))
    info = folder / "beacon-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: beacon\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[oriflamme.games]\nbeacon = beacon:game\n")


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """The game is installed in that folder, for as long as this lasts."""
    install(folder)
    sys.path.insert(0, str(folder))
    games.look_again()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name == "beacon" or name.startswith("beacon.")]:
            del sys.modules[name]
        games.look_again()
