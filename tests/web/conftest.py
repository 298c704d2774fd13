"""A real server with the built pages, and Debian's Chromium in front of it."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.visit import ROOT, Server, Visitor

HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A page test that fails is run once more: the dice of a battle begun in a page are known to nobody, and may end it
    sooner than a test wants. What fails twice is a fault; what failed once is named in the summary."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def pages() -> None:
    """The pages, built from what is in the tree now."""
    if shutil.which("npm") is None:
        pytest.skip("no node here to build the pages with")
    with Path(tempfile.gettempdir(), "oriflamme-web-build").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        built = subprocess.run(["make", "web"], cwd=ROOT, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stdout + built.stderr


@pytest.fixture(scope="module")
def browser(pages: None) -> Iterator[Any]:
    """One browser for a file: while it is there, nothing else in this process can run an event loop of its own."""
    playwright = pytest.importorskip("playwright.sync_api")
    if not Path(CHROMIUM).exists():
        pytest.skip("no Chromium here")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def server(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.kill()


@pytest.fixture
def visitor(browser: Any, server: Server) -> Iterator[Visitor]:
    somebody = Visitor(browser, server)
    yield somebody
    somebody.context.close()
    assert not somebody.wrong
