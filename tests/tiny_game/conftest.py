"""The game of docs/new-game.md, installed for these tests as another package."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.tiny_game.installing import installed

from oriflamme import games
from oriflamme.engine.core.game import Game


@pytest.fixture(scope="module")
def beacon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    with installed(tmp_path_factory.mktemp("site-packages")):
        yield games.load("beacon")
