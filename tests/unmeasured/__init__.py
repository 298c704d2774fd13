"""A game of the tests' own in which nobody measures before he has decided, installed as an installer would."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from oriflamme import games
from oriflamme.server import battles

HERE = Path(__file__).parent


@contextmanager
def installed(folder: Path) -> Iterator[Path]:
    """The game is where Python looks for packages, here and in processes that are started, as long as this lasts."""
    copytree(HERE / "ford", folder / "ford", ignore=ignore_patterns("__pycache__"))
    info = folder / "ford-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ford\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{games.GROUP}]\nford = ford:game\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder), prepend=":")
        # It has no lists to choose from.
        patch.setattr(battles, "ready_armies", lambda game: frozenset())
        games.look_again()
        try:
            yield folder
        finally:
            patch.undo()
            for name in [name for name in sys.modules if name == "ford" or name.startswith("ford.")]:
                del sys.modules[name]
            games.look_again()
