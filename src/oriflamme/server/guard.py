"""What comes before every request: by which name the server is called, how much one address asks, and the headers that
keep a page of ours from being used by others and seats from being told on."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.server.clients import encode
from oriflamme.server.limits import Gate, TooMuch, address_of

# A name and a port, as browsers write them.
_NAMED: Final = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?", re.IGNORECASE)

_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
# What is data is never a page, whoever opens it as one.
_OF_DATA: Final = b"default-src 'none'; frame-ancestors 'none'; sandbox"
# Pages run scripts and styles that are files of ours; only `style` attributes may be written out.
_OF_PAGES: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; manifest-src 'self'; connect-src 'self' ws://{host} wss://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def own_names(named: Iterable[str] = ()) -> frozenset[str]:
    """The names a server goes by: those it was given, and those of its machine. Addresses need no naming."""
    machine = socket.gethostname().lower()
    return frozenset({"localhost", machine, f"{machine}.local", *(one.strip().lower() for one in named if one.strip())})


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a request that says it is for this host may be for this server.

    A page from elsewhere can have its own name lead to this machine, and then speaks to us as if it were ours. It
    cannot have itself called by an address, nor by our name.
    """
    found = _NAMED.fullmatch(host)
    if found is None:
        return False
    name = found[1].lower().rstrip(".")
    if name in names or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def too_much(refused: TooMuch, lang: str) -> Response:
    """Too much was asked for, and when to come again."""
    problem = Problem("", refused.notice, None, notice("come_again", seconds=refused.seconds))
    data = {
        "error": "too_many",
        "what": refused.what,
        "retry_after": refused.seconds,
        "problems": [problem.data(lang)],
    }
    headers = {"retry-after": str(refused.seconds)}
    return Response(encode(data), 429, media_type="application/json", headers=headers)


class Guard:
    """Stands before an application."""

    def __init__(self, app: ASGIApp, gate: Gate, names: frozenset[str]) -> None:
        self.app = app
        self.gate = gate
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        refused = self._refused(scope, host)
        answer: ASGIApp = self.app if refused is None else refused
        await answer(scope, receive, _careful(scope, host, send) if scope["type"] == "http" else send)

    def _refused(self, scope: Scope, host: str) -> Response | None:
        lang = "fr" if b"lang=fr" in scope.get("query_string", b"") and "fr" in LANGUAGES else "en"
        if not is_ours(host, self.names):
            self.gate.hits["names"] += 1
            problem = Problem("host", notice("not_our_name", host=host[:80]), None, notice("name_the_host"))
            data = {"error": "wrong_host", "problems": [problem.data(lang)]}
            return Response(encode(data), 421, media_type="application/json")
        try:
            self.gate.take("requests", address_of(scope.get("client")))
        except TooMuch as found:
            return too_much(found, lang)
        return None


def _careful(scope: Scope, host: str, send: Send) -> Send:
    is_data = scope["path"].startswith("/api/")

    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            policy = _OF_DATA if is_data else _OF_PAGES.format(host=host).encode("latin-1", "replace")
            more: list[Any] = [*_ALWAYS, (b"content-security-policy", policy)]
            if is_data:
                more.append((b"cache-control", b"no-store"))
            own = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(one for one in more if one[0] not in own)]
        await send(message)

    return send_more
