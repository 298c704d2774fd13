"""The game of the tests' own, installed for one file of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.several import installed

from oriflamme import games
from oriflamme.engine.core.game import Game


@pytest.fixture(scope="module")
def fray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    with installed(tmp_path_factory.mktemp("site-packages")):
        yield games.load("fray")
