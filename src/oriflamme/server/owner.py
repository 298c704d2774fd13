"""A page for the owner of a server, where `oriflamme serve --admin` was asked for one: what goes on and how much of it,
which limits were hit, and whom to let go. The link has a key that is made anew whenever the server starts.

It is plain HTML without a script: it works wherever a browser does, and there is nothing to be run in it.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from oriflamme.engine.words.limits import one_line
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games import load
from oriflamme.server import upkeep
from oriflamme.server.room import Room
from oriflamme.server.site import NotFound, Site, endpoint, lang_of
from oriflamme.server.store import HOTSEAT, SPECTATOR, hash_of

PATH: Final = "/owner"
MOST: Final = 200  # battles that are shown
LARGEST: Final = 4096  # bytes of a form
BARRED: Final = 600.0  # seconds for which somebody who was sent away finds no place at a table
POLICY: Final = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
HEADERS: Final = {
    "content-security-policy": POLICY,
    # A browser that tells nobody where it comes from would not tell us that a form is one of ours.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}
STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0 2rem}th,td{text-align:left;padding:.3rem .6rem;"
    "border-bottom:1px solid #8884;vertical-align:top}details,form{display:inline-block;margin:0 .4rem .2rem 0}"
    ".bad{font-weight:bold;color:#b00020}:root{color-scheme:light dark}"
)

in_both: Final = Wording(Path(__file__).parent / "text", "owner")


class Owner:
    """The page of one server, and its key."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.key = secrets.token_urlsafe(24)
        self.since = time.time()

    @property
    def link(self) -> str:
        """Where the page is, without the address of the server."""
        return f"{PATH}?key={self.key}"

    def routes(self) -> list[Route]:
        """The addresses of the page."""
        return [
            Route(PATH, self._for_the_owner(self._get), methods=["GET"]),
            Route(PATH, self._for_the_owner(self._post), methods=["POST"]),
            Route(f"{PATH}/style.css", _style, methods=["GET"]),
        ]

    def _for_the_owner(
        self, function: Callable[[Request, dict[str, str]], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Whoever has no key finds nothing here."""

        async def with_key(site: Site, request: Request) -> Response:
            said = await _form(request) if request.method == "POST" else dict(request.query_params)
            if not hmac.compare_digest(hash_of(said.get("key", "")), hash_of(self.key)):
                raise NotFound
            return await function(request, said)

        return endpoint(self.site, with_key)

    async def _get(self, request: Request, said: dict[str, str]) -> Response:
        page = await self._page(lang_of(request))
        return Response(page, media_type="text/html", headers=HEADERS)

    async def _post(self, request: Request, said: dict[str, str]) -> Response:
        """Do what a button says, and show the page again."""
        battle, link, address = (said.get(name, "")[:80] for name in ("battle", "link", "address"))
        match said.get("do"):
            case "kick":
                self.site.gate.bar(address, BARRED)
                self._cut(lambda room, client: client.address == address)
            case "revoke":
                await self.site.run(self.site.store.revoke, battle, link)
                self._cut(lambda room, client: room.record.id == battle and client.link == link)
            case "close":
                await self.site.run(self.site.store.revoke, battle)
                self._cut(lambda room, client: room.record.id == battle)
                await self.site.run(self.site.shelf.close_to_watchers, battle)
        lang = said.get("lang", "en")
        return RedirectResponse(f"{self.link}&lang={quote(lang)}", 303)

    def _cut(self, wanted: Callable[[Room, Any], bool]) -> None:
        for room in self.site.rooms.busy():
            for client in [one for one in room.clients if wanted(room, one)]:
                client.cut()

    # -- the page ------------------------------------------------------------------------------------------------------

    async def _page(self, lang: str) -> str:
        word, site = in_both.of(lang), self.site
        standing = await site.run(upkeep.status, site.store)
        trouble = await site.health()
        facts = (
            ("since", time.strftime("%Y-%m-%d %H:%M", time.gmtime(self.since)) + " UTC"),
            ("store", trouble or word["ok"]),
            ("battles", f"{standing.battles} ({word['running']}: {standing.running}, {word['over']}: {standing.over})"),
            ("size", f"{standing.bytes / 1e6:.1f} MB"),
            ("in_memory", len(site.rooms)),
            ("clients", site.gate.sitting),
            ("connections", site.gate.open),
            ("answers", site.store.timings.count),
            ("waiting", f"{site.backlog.waiting / 1e6:.1f} MB"),
            ("cut", site.backlog.cut),
            ("given_up", site.thinkers.given_up + site.checkers.given_up),
            ("memory", f"{_memory() / 1e6:.0f} MB"),
        )
        busy = sorted(site.rooms.busy(), key=lambda room: -room.record.created)[:MOST]
        links = await site.run(site.store.links, [room.record.id for room in busy])
        hits: list[tuple[str, Any]] = [*sorted(site.gate.hits.items())] or [(word["none"], "")]
        other = next(one for one in LANGUAGES if one != lang)
        return (
            f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>Oriflamme</title>'
            f'<link rel="stylesheet" href="{PATH}/style.css"></head><body>'
            f'<p><a href="{escape(self.link)}&amp;lang={other}">{other}</a></p><h1>{escape(word["title"])}</h1>'
            + _table((), ((word[key], value) for key, value in facts))
            + f"<h2>{escape(word['limits'])}</h2>"
            + _table((), hits or [(word["none"], "")])
            + f"<h2>{escape(word['tables'])}</h2><p>{escape(word['about'])}</p>"
            + "".join(self._battle(room, links.get(room.record.id, []), word, lang) for room in busy)
            + "</body></html>"
        )

    def _battle(self, room: Room, links: list[tuple[str, int]], word: Any, lang: str) -> str:
        """One battle: what it is, who is there, and the links to it."""
        record = room.record
        title = load(record.game).title
        about = f"{title.get(lang, title['en'])}, {record.title or record.id}, {record.mode}"
        close = self._button("close", word, lang, sure=True, battle=record.id)
        rows: list[tuple[str, ...]] = []
        for link, side in sorted(links, key=lambda one: (one[1] == SPECTATOR, one[1])):
            there = [client for client in room.clients if client.link == link]
            who = ", ".join(sorted({_shown(client.address) for client in there})) or "–"
            rows.append((_seat(side, word), who, self._button("revoke", word, lang, battle=record.id, link=link)))
        kicks = "".join(
            self._button("kick", word, lang, address=address, said=f"{word['kick']} {_shown(address)}")
            for address in sorted({client.address for client in room.clients})
        )
        told = f"{escape(about)}: {escape(word['answered'])} {len(room.play.answers)}"
        return f"<h3>{told}</h3>{close}{kicks}" + _table((word["seat"], word["there"], ""), rows, raw=2)

    def _button(self, do: str, word: Any, lang: str, *, sure: bool = False, said: str = "", **facts: str) -> str:
        hidden = {"key": self.key, "lang": lang, "do": do, **facts}
        fields = "".join(f'<input type="hidden" name="{name}" value="{escape(to)}">' for name, to in hidden.items())
        label = escape(said or word[do])
        button = f"<button>{escape(word['sure']) if sure else label}</button>"
        form = f'<form method="post" action="{PATH}">{fields}{button}</form>'
        return f"<details><summary>{label}</summary>{form}</details>" if sure else form


def _seat(side: int, word: Any) -> str:
    if side == SPECTATOR:
        return str(word["watches"])
    return str(word["hotseat"]) if side == HOTSEAT else f"{word['side']} {'ABCD'[side]}"


def _shown(address: str) -> str:
    """An address as people read it; of IPv6 it is a network."""
    try:
        return f"{address}/64" if ipaddress.ip_address(address).version == 6 else address
    except ValueError:
        return one_line(address) or "?"


def _table(heads: Iterable[str], rows: Iterable[Iterable[Any]], raw: int = -1) -> str:
    """A table; its cells are text, but for those of one column."""
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    lines = (
        "".join(f"<td>{cell if number == raw else escape(str(cell))}</td>" for number, cell in enumerate(row))
        for row in rows
    )
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _memory() -> int:
    """Bytes this process holds, where the system tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except (OSError, ValueError):
        return 0


async def _form(request: Request) -> dict[str, str]:
    """The fields of a short form."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > LARGEST:
            raise NotFound
    return {name: values[0] for name, values in parse_qs(content.decode("utf-8", "replace"), max_num_fields=20).items()}


async def _style(request: Request) -> Response:
    return Response(STYLE, media_type="text/css")
