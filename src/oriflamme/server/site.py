"""One server process, and what every request has in common: bodies that are checked, answers, and what may go wrong."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from oriflamme.engine.words.limits import TOO_DEEP, is_deep_json
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Problems, problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.server.clients import Backlog, encode
from oriflamme.server.club.clocks import Clocks
from oriflamme.server.club.live import Live
from oriflamme.server.club.shelf import Shelf
from oriflamme.server.fetching import Fetcher
from oriflamme.server.guard import too_much
from oriflamme.server.learn.first_battles import FirstBattles
from oriflamme.server.ledger import Ledgers
from oriflamme.server.limits import Gate, Limits, Made, TooMuch, address_of
from oriflamme.server.pace import Shares
from oriflamme.server.room import Room
from oriflamme.server.rooms import Rooms
from oriflamme.server.store import Store
from oriflamme.server.thinking import Job, Thinkers, Thought, think_once
from oriflamme.server.workers import ASKS, PATIENCE, Checkers, GaveUp

LARGEST: Final = 256 * 1024  # bytes of a message or a body
MOST_PROBLEMS: Final = 200  # problems of one request that are told
UPLOAD: Final = 30.0  # seconds in which a body has come to its end
ASKED: Final = 5.0  # seconds in which a store says whether it stores anything
RATE: Final = 100.0  # messages a second from one client; twice as many at once

log = logging.getLogger("oriflamme.server")
B = TypeVar("B")
Data = dict[str, Any]


class NotFound(Exception):
    """No such battle or campaign, or no such seat: which of the two is nobody's business."""


class Site:
    """One server process: the store, the battles in memory, the thinking processes."""

    def __init__(self, store: Store, *, thinkers: int = 2, poll: float = 0.1, gate: Gate | None = None) -> None:
        self.store = store
        self.gate = gate or Gate(Limits())
        self.backlog = Backlog(self.gate.limits.behind, self.gate.limits.all_behind)
        self.shares = Shares(self.gate.limits.share / 100)
        self.shelf = Shelf(store)
        self.first_battles = FirstBattles()
        patience = float(os.environ.get("ORIFLAMME_PATIENCE") or PATIENCE)
        self.thinkers = Thinkers(thinkers, patience)
        self.checkers = Checkers(patience=patience)
        self.rooms = Rooms(store, self.thinkers, poll)
        # When the store was asked last whether it stores anything, and what it said.
        self._asked: tuple[float, str] | None = None
        self._aside = ThreadPoolExecutor(1, "oriflamme-aside")
        self.ledgers = Ledgers(store, self.rooms)
        # Whether strangers may meet here, and the battles they began so.
        self.lobby = False
        self.live = Live(self.rooms, self.shelf)
        self.clocks = Clocks(self.shelf, self.rooms)
        self.rooms.loaded = self.clocks.attach
        self.fetcher = Fetcher()
        self.rate = float(os.environ.get("ORIFLAMME_RATE") or RATE)
        self.origins = frozenset(filter(None, os.environ.get("ORIFLAMME_ORIGINS", "").split(",")))

    async def run(self, function: Callable[..., B], *args: Any) -> B:
        """Use the store: a file at once, a server in a thread."""
        return await self.rooms.run(function, *args)

    async def aside(self, function: Callable[..., B], *args: Any) -> B:
        """Do something that takes a while, such as making a battle, while all battles go on. One thing at a time."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, function, *args)

    async def apart(self, function: Callable[..., B], *args: Any) -> B:
        """Read and check what a player has sent, in another process: whatever it is, no table waits for it."""
        try:
            return await self.checkers.call(function, *args)
        except GaveUp as error:
            log.warning("a request was given up: %s", error)
            raise problem_with("request", notice("takes_too_much"), hint=notice("send_less")) from None

    async def think(self, job: Job) -> Thought:
        """Work something out that no table waits for, in another process; raises GaveUp."""
        return await self.checkers.call(think_once, job)

    async def health(self) -> str:
        """What keeps the store from storing anything, "" if nothing does. It is asked at most once a second."""
        now = monotonic()
        if self._asked is None or now - self._asked[0] >= 1.0:
            try:
                trouble = await asyncio.wait_for(asyncio.to_thread(self.store.ask), ASKED)
            except TimeoutError:
                trouble = "no answer"
            if trouble and (self._asked is None or not self._asked[1]):
                log.error("the store does not take anything: %s", trouble)
            self._asked = (now, trouble)
        return self._asked[1]

    def close(self) -> None:
        """End what runs beside the server."""
        self.rooms.close()
        self.thinkers.close()
        self.checkers.close()

    async def room(self, connection: HTTPConnection) -> Room:
        room = await self.rooms.get(connection.path_params["battle"])
        if room is None:
            raise NotFound
        return room

    async def seated(self, connection: HTTPConnection, secret: str) -> tuple[Room, int]:
        """The room, and whose seat the secret opens."""
        id = connection.path_params["battle"]
        seat = await self.run(self.store.seat, id, secret)
        if seat is None:
            raise NotFound
        return await self.room(connection), seat

    def is_welcome(self, connection: HTTPConnection) -> bool:
        """It comes from a page of ours, or from no page at all."""
        origin = connection.headers.get("origin")
        if origin is None or origin in self.origins:
            return True
        return urlsplit(origin).netloc == connection.headers.get("host")


# -- answering a request -----------------------------------------------------------------------------------------------


def respond(data: Any, status: int = 200) -> Response:
    return Response(encode(data), status, media_type="application/json")


def problems_response(problems: Problems, lang: str, status: int = 422) -> Response:
    """What is wrong, in full and in this language. The name of a file of ours is not part of it."""
    source = os.path.basename(problems.source)
    shown = problems.problems[:MOST_PROBLEMS]
    if len(problems) > MOST_PROBLEMS:
        more = notice("more_problems", number=len(problems) - MOST_PROBLEMS)
        shown.append(Problem("", more, None, notice("mend_these")))
    return respond({"error": "problems", "source": source, "problems": [one.data(lang) for one in shown]}, status)


async def body(request: Request, kind: type[B]) -> B:
    """The body as this kind of request; raises Problems."""
    content = bytearray()
    try:
        async with asyncio.timeout(UPLOAD):
            async for chunk in request.stream():
                content += chunk
                if len(content) > LARGEST:
                    raise problem_with("body", notice("file_too_long", most=LARGEST), hint=notice("send_less"))
    except TimeoutError:
        raise problem_with("body", notice("upload_too_slow"), hint=notice("try_again")) from None
    if is_deep_json(bytes(content)):
        raise problem_with("body", TOO_DEEP, hint=notice("fewer_levels"))
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what, _, place = str(error)[:200].partition(" - at ")
        said, where = notice("in_their_words", reason=what), place.strip("`").removeprefix("$").removeprefix(".")
        raise problem_with("body", said, where=where) from None


def lang_of(connection: HTTPConnection) -> str:
    lang = connection.query_params.get("lang", "en")
    return lang if lang in LANGUAGES else "en"


def number_in(text: str) -> int | None:
    """A whole number of a few digits, as an address may have it."""
    return int(text) if text.isdecimal() and len(text) < 10 else None


Handler = Callable[[Request], Awaitable[Response]]
Endpoint = Callable[[Site, Request], Awaitable[Response]]


def endpoint(site: Site, function: Endpoint, takes: Made | None = None) -> Handler:
    """A request answered, whatever happens. `takes` is what of an address' limits it counts against."""

    async def handle(request: Request) -> Response:
        if request.method != "GET" and not site.is_welcome(request):
            return respond({"error": "wrong_origin"}, 403)
        address = address_of(request.scope.get("client"))
        ASKS.set(address)
        try:
            if takes is not None:
                site.gate.take(takes, address)
            return await function(site, request)
        except TooMuch as refused:
            return too_much(refused, lang_of(request))
        except ClientDisconnect:
            # Nobody is there to read it.
            return Response(status_code=400)
        except Problems as problems:
            return problems_response(problems, lang_of(request))
        except NotFound:
            return respond({"error": "not_found"}, 404)
        except GaveUp:
            return respond({"error": "too_hard"}, 503)
        except SQLAlchemyError:
            log.exception("the database does not answer")
            return respond({"error": "store"}, 503)

    return handle


def get(path: str, function: Endpoint, takes: Made | None = None) -> Callable[[Site], Route]:
    return lambda site: Route(path, endpoint(site, function, takes), methods=["GET"])


def post(path: str, function: Endpoint, takes: Made | None = None) -> Callable[[Site], Route]:
    return lambda site: Route(path, endpoint(site, function, takes), methods=["POST"])
