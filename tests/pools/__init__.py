"""A game of the tests' own, all questions and dice, installed as an installer would: the program does not know it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns

from oriflamme import games

HERE = Path(__file__).parent


def install(folder: Path) -> None:
    """Put the game and its entry point into a folder where Python looks for packages."""
    copytree(HERE / "tourney", folder / "tourney", ignore=ignore_patterns("__pycache__"))
    info = folder / "tourney-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tourney\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{games.GROUP}]\ntourney = tourney:game\n")


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
        sys.modules.pop("tourney", None)
        games.look_again()
