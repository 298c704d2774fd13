"""Share links: opened only where that is allowed, only at the address the game names, and only so far."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.server.table import Server

from oriflamme.engine.words.problems import Problems
from oriflamme.games import ids, load
from oriflamme.server import fetching

LINK = "https://army-forge.onepagerules.com/share?id=AbC_12-xyz&name=Host"


class Site(BaseHTTPRequestHandler):
    """A site that answers, sends elsewhere, or does not end."""

    def do_GET(self) -> None:
        if self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("location", "/list")
            self.end_headers()
            return
        content = b'{"units": []}' if self.path == "/list" else b" " * (fetching.LARGEST + 10)
        self.send_response(200 if self.path != "/none" else 404)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def site() -> Iterator[str]:
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{serving.server_address[1]}"
    serving.shutdown()
    serving.server_close()


def test_what_is_fetched_is_bounded_and_nobody_is_followed(site: str) -> None:
    assert fetching.fetched(f"{site}/list") == '{"units": []}'
    for path in ("elsewhere", "endless", "none"):
        with pytest.raises(Problems):
            fetching.fetched(f"{site}/{path}")
    with pytest.raises(Problems):
        fetching.fetched("http://127.0.0.1:1/list")


def test_only_share_links_lead_anywhere_and_only_to_their_own_site() -> None:
    armies = load("aof").armies()
    assert armies.shared_at(LINK) == "https://army-forge.onepagerules.com/api/tts?id=AbC_12-xyz"
    for link in (
        "https://army-forge.onepagerules.com.evil.example/share?id=AbC_12",
        "http://army-forge.onepagerules.com/share?id=AbC_12",
        "https://army-forge.onepagerules.com@127.0.0.1/share?id=AbC_12",
        "https://army-forge.onepagerules.com/share?id=../../x",
        "file:///etc/hostname",
        "https://127.0.0.1/share?id=AbC_12",
    ):
        assert all(load(game).armies().shared_at(link) == "" for game in ids()), link


def test_without_leave_a_link_is_not_opened_and_the_page_says_what_to_paste(server: Server) -> None:
    status, told = server.call("/api/muster/aof/import", {"text": LINK})
    assert status == 422
    assert "not opened" in told["problems"][0]["what"]
    assert "paste" in told["problems"][0]["hint"]
