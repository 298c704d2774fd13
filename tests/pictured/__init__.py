"""A game of the tests' own, installed as an installer would: nothing in the program knows it."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

from oriflamme import games

HERE = Path(__file__).parent


def install(folder: Path) -> None:
    """Put the game and its entry point into a folder where Python looks for packages."""
    copytree(HERE / "bog", folder / "bog")
    info = folder / "bog-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bog\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{games.GROUP}]\nbog = bog:game\n")
