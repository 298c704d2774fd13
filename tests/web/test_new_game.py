"""The game of docs/new-game.md, which no page knows: chosen on the first page and played to its end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from tests.tiny_game.installing import install
from tests.web.visit import Server, Visitor


@pytest.fixture
def visitor(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Somebody at a server that has the game as another package."""
    packages = tmp_path_factory.mktemp("site-packages")
    install(packages)
    path = os.pathsep.join((str(packages), os.environ.get("PYTHONPATH", "")))
    server = Server(tmp_path_factory.mktemp("server"), PYTHONPATH=path)
    somebody = Visitor(browser, server)
    yield somebody
    somebody.context.close()
    server.kill()
    assert not somebody.wrong


def test_it_is_played_to_its_end(visitor: Visitor) -> None:
    page = visitor.new_battle("beacon", mode="hotseat")
    assert len(page.query_selector_all(".figure")) == 6

    answered = set()
    for _ in range(200):
        if page.query_selector(".result") is not None:
            break
        answered.add(visitor.answer())

    assert {"pick one", "move figures"} <= answered
    assert "at the beacon" in page.inner_text(".log")
    assert page.query_selector(".log .rule").inner_text().startswith("BEACON-")
