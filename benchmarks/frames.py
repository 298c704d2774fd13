"""The table in the browser with 300 figures on it: how long the page works for a frame, without a GPU."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import ours

sys.path.insert(0, str(Path(__file__).parents[1]))

STEPS = 150


@contextmanager
def _crowd() -> Iterator[Any]:
    """A real page, told of a crowded table; NotYet where there is no browser or no built pages."""
    try:
        from playwright.sync_api import sync_playwright
        from tests.web.conftest import CHROMIUM, FLAGS
        from tests.web.crowd import open_crowd
        from tests.web.visit import Server, Visitor
    except ImportError as missing:
        raise ours.NotYet(str(missing)) from missing
    from oriflamme.server.web import pages_are_built

    if not Path(CHROMIUM).exists() or not pages_are_built():
        raise ours.NotYet("no Chromium, or no pages (make web)")
    with tempfile.TemporaryDirectory(prefix="oriflamme-") as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            visitor = Visitor(browser, server)
            open_crowd(server, visitor.page)
            visitor.page.wait_for_timeout(800)
            yield visitor.page
        finally:
            browser.close()
            server.kill()


@cache
def _work() -> dict[str, float]:
    """The median of a frame's work while a unit of 20 is dragged, and while one zooms: in seconds."""
    from tests.web.crowd import WATCH, drag, zoom

    found = {}
    deeds: dict[str, Callable[[Any, int], None]] = {"drag": drag, "zoom": zoom}
    with _crowd() as page:
        for name, deed in deeds.items():
            page.evaluate(WATCH)
            deed(page, STEPS)
            found[name] = statistics.median(page.evaluate("window.watched()")) / 1000
            page.wait_for_timeout(400)
    return found


def drag_seconds() -> float:
    return _work()["drag"]


def zoom_seconds() -> float:
    return _work()["zoom"]


if __name__ == "__main__":
    for name, seconds in _work().items():
        print(f"{name}: {1000 * seconds:.1f} ms of work a frame at the median")
