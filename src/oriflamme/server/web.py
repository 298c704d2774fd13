"""The server: HTTP for what is asked once, a WebSocket for the table. `docs/server.md` has every message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route, Router, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.screen.measuring import why_not_tried
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.server import battles, campaigns, ending, improving, lists, messages, metrics, replays
from oriflamme.server.analysis import routes as analysis
from oriflamme.server.bots import suggested
from oriflamme.server.clients import CLIENTS, Client, encode, sides_of
from oriflamme.server.club import clocks, league_routes, lobby, rematch, table_talk
from oriflamme.server.door import ABORT, LAST_WORDS, SEND
from oriflamme.server.eye_aids import aids_for, costs_of, end_at, sight_between, why_not_now
from oriflamme.server.guard import Guard, own_names
from oriflamme.server.learn import pages as learn
from oriflamme.server.learn.first_battles import FirstBattles
from oriflamme.server.limits import Gate, TooMuch, address_of
from oriflamme.server.openapi import document
from oriflamme.server.owner import Owner
from oriflamme.server.pace import DEAR, PER_BYTE, Pace
from oriflamme.server.room import Room
from oriflamme.server.site import NotFound, Site, body, get, lang_of, number_in, post, respond
from oriflamme.server.store import SPECTATOR, Store, hash_of
from oriflamme.server.thinking import GaveUp, Job, Thought
from oriflamme.server.undo import consent, take_back
from oriflamme.server.words import terms_of
from oriflamme.server.workers import ASKS

STATIC: Final = Path(__file__).parent / "static"

log = logging.getLogger("oriflamme.server")
Data = dict[str, Any]


async def get_games(site: Site, request: Request) -> Response:
    return Response(await site.aside(battles.games_data), media_type="application/json")


async def get_map(site: Site, request: Request) -> Response:
    return Response(await site.aside(battles.map_data, request.path_params["map"]), media_type="application/json")


async def get_factions(site: Site, request: Request) -> Response:
    data = await site.aside(battles.factions_data, request.path_params["game"])
    return Response(data, media_type="application/json")


async def get_picture(site: Site, request: Request) -> Response:
    """The signs of a game, with words and icons."""
    from oriflamme.games import load

    return respond(load(request.path_params["game"]).picture().signs.data())


async def post_battle(site: Site, request: Request) -> Response:
    wanted = await body(request, battles.NewBattle)
    # What ships is known and made at once; what somebody sends is read where it holds up nobody.
    make = site.apart if battles.has_own_army(wanted) else site.aside
    made = await make(battles.make, wanted)
    answer = await _store(site, made)
    await site.clocks.begin(made.record.id, wanted.clock)
    return answer


async def _store(site: Site, made: battles.Made) -> Response:
    await site.run(site.store.add, made.record, made.seats, made.answers)
    return respond(made.data, 201)


async def get_battle(site: Site, request: Request) -> Response:
    room = await site.room(request)
    clocks = room.clock.data() if room.clock is not None and room.clock.version else None
    return respond(room.summary() | {"clock": clocks})


async def post_undo(site: Site, request: Request) -> Response:
    wanted = await body(request, battles.TakeBack)
    room, seat = await site.seated(request, wanted.seat)
    share = site.shares.of(address_of(request.scope.get("client")))
    share.use(again(room))
    await share.turn()
    sides = sides_of(seat, room.record.players)
    return _undone(room, sides, await take_back(room, sides, wanted.to, anyway=wanted.anyway), lang_of(request))


async def post_consent(site: Site, request: Request) -> Response:
    wanted = await body(request, battles.Agree)
    room, seat = await site.seated(request, wanted.seat)
    share = site.shares.of(address_of(request.scope.get("client")))
    share.use(again(room))
    await share.turn()
    sides = sides_of(seat, room.record.players)
    return _undone(room, sides, await consent(room, sides, wanted.yes), lang_of(request))


def _undone(room: Room, sides: tuple[int, ...], refusal: Refusal | None, lang: str) -> Response:
    if refusal is not None:
        data = room.views.refusal(refusal, sides[0] if sides else SPECTATOR, lang)
        return respond({"error": "refused", "refusal": data}, 409)
    return respond({"number": room.play.number, "epoch": room.epoch, "undo": room.undo or None})


async def get_rules(site: Site, request: Request) -> Response:
    query = request.query_params
    most = number_in(query.get("most", ""))
    limit = min(200, most) if most is not None else 20
    asked = query.get("game", ""), query.get("id", "")[:80], query.get("q", "")[:200], limit, lang_of(request)
    return respond({"rules": await site.aside(battles.find_rules, *asked)})


async def post_army(site: Site, request: Request) -> Response:
    wanted = await body(request, battles.CheckArmy)
    return respond(await site.apart(battles.check_army, wanted))


async def get_odds(site: Site, request: Request) -> Response:
    """What may be told about an attack in this game, for a form."""
    from oriflamme.games import load

    return respond({"conditions": load(request.path_params["game"]).odds().form()})


async def post_odds(site: Site, request: Request) -> Response:
    from oriflamme.games import load

    wanted = await body(request, battles.AskOdds)
    known = {field.key for field in load(wanted.game).odds().fields()}
    strange = sorted(set(wanted.particulars) - known)
    if strange:
        raise problem_with("particulars", notice("knows_no", game=wanted.game, key=strange[0]))
    facts: Data = {"attacker": wanted.attacker, "defender": wanted.defender, "charge": wanted.charge}
    thought = await site.think(Job("odds_of", "", wanted.game, b"", 0, 0, [], 0, facts | wanted.particulars))
    if thought.problems:
        raise Problems("odds", thought.what_is_wrong())
    if thought.failed or thought.refusal is not None:
        return respond({"error": "refused", "refusal": thought.refusal}, 409)
    return Response(thought.value, media_type="application/json")


async def get_document(site: Site, request: Request) -> Response:
    return respond(document())


async def get_health(site: Site, request: Request) -> Response:
    """Whether battles can go on: the store is asked to store something."""
    trouble = await site.health()
    return respond({"ok": not trouble, "store": trouble or "ok"}, 503 if trouble else 200)


async def home(site: Site, request: Request) -> Response:
    return PlainTextResponse("Oriflamme is running; the pages of the table are not built. The API: /api/openapi.json\n")


# -- the table ---------------------------------------------------------------------------------------------------------


def again(room: Room) -> float:
    """Seconds that are counted for a battle that may have to be played again: about what they are."""
    return DEAR * (1 + len(room.play.answers) / 25)


class Table:
    """One client at one table: reads what it says, and answers."""

    def __init__(self, site: Site, room: Room, client: Client) -> None:
        self.site = site
        self.room = room
        self.client = client
        self.pace = Pace(site.rate, 2 * site.rate)
        self.share = site.shares.of(client.address)
        # What is being thought about for this client: a suggestion does not wait for a table of odds.
        self.busy: dict[str, asyncio.Task[None]] = {}

    def say(self, type: str, id: Any = None, **facts: Any) -> None:
        self.send(encode({"type": type} | ({"id": id} if id is not None else {}) | facts))

    def send(self, said: bytes) -> None:
        """Send what was asked for: how much it is, is counted."""
        self.share.use(len(said) * PER_BYTE)
        self.client.push(said)

    async def hear(self, text: str | bytes) -> None:
        """Take one message."""
        self.pace.use(1)
        await self.pace.turn()
        await self.share.turn()
        try:
            message = messages.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
            self.say("error", why="not_understood", what=str(error)[:200])
            return
        try:
            await self.take(message)
        except (SQLAlchemyError, Problems) as error:
            log.error("battle %s: %s", self.room.record.id, error)
            self.say("error", message.id, why="store")
        except Exception:
            log.exception("battle %s: a message could not be taken", self.room.record.id)
            self.say("error", message.id, why="failed")

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Look at the battle, without waiting for anything: how long it takes is counted. Of one address one at a time
        gets so far, and in between others have a turn."""
        async with self.share.one_by_one:
            await self.share.turn()
        async with self.room.lock:
            with self.share.counted():
                yield

    async def take(self, message: messages.Spoken) -> None:
        room, client = self.room, self.client
        match message:
            case messages.Ping():
                self.say("pong", message.id)
            case messages.Speak():
                async with self.looking():
                    client.lang = message.lang
                    self.send(room.hello(client))
            case messages.AskUnit():
                async with self.looking():
                    battle = room.views.seen(client.side)
                    if message.unit in battle.units:
                        unit = room.game.unit_at(battle, message.unit)
                        self.say("unit", message.id, unit=unit | {"terms": terms_of(room.game.id, unit)})
                        return
                self.refuse(message.id, Refusal("", "no_such_unit", {"unit": message.unit}))
            case messages.AskAids():
                async with self.looking():
                    data = aids_for(
                        room.views, client.side, client.lang, threats=message.threats, option=message.option
                    )
                    if isinstance(data, Refusal):
                        self.refuse(message.id, data)
                    else:
                        self.say("aids", message.id, number=room.play.number, aids=data)
            case messages.AskSight():
                async with self.looking():
                    self.sight(message)
            case messages.AskWhy():
                async with self.looking():
                    if message.unit in room.views.seen(client.side).units:
                        self.say(
                            "why", message.id, cannot=why_not_now(room.views, client.side, client.lang, message.unit)
                        )
                        return
                self.refuse(message.id, Refusal("", "no_such_unit", {"unit": message.unit}))
            case messages.Odds():
                self.think(message.id, "odds", self.odds(message))
            case _ if not client.sides:
                self.refuse(message.id, Refusal("", "spectators_watch"))
            case messages.GiveAnswer():
                side = client.side if message.side is None else message.side
                if side not in client.sides:
                    self.refuse(message.id, Refusal("", "not_your_side", {"side": side}))
                    return
                refusal = await room.answer(side, message.answer, message.number, message.epoch)
                if refusal is not None:
                    self.share.use(room.took)
                    self.refuse(message.id, refusal)
                else:
                    self.say("ack", message.id, number=message.number, epoch=message.epoch)
            case messages.Try():
                async with self.looking():
                    side = client.side if message.side is None else message.side
                    if side not in client.sides:
                        self.refuse(message.id, Refusal("", "not_your_side", {"side": side}))
                        return
                    barred = why_not_tried(room.play.battle, room.play.decision_of(side))
                    if barred is not None:
                        self.refuse(message.id, barred)
                        return
                    accepted, refusal = room.tried(side, message.answer, message.number, message.epoch)
                    why = room.views.refusal(refusal, side, client.lang) if refusal is not None else None
                    costs = costs_of(room.views, side, client.lang, accepted) if why is None else []
                if why is not None:
                    self.say("tried", message.id, ok=False, refusal=why)
                else:
                    self.say("tried", message.id, ok=True, answer=accepted, **({"costs": costs} if costs else {}))
            case messages.Pass():
                side = client.side if message.side is None else message.side
                if side not in client.sides:
                    self.refuse(message.id, Refusal("", "not_your_side", {"side": side}))
                elif message.always:
                    self._done(message.id, await room.pass_always(side, message.ask, message.number, message.epoch))
                else:
                    self.share.use(DEAR)
                    await room.ask_again(side, message.ask)
                    self._done(message.id, None)
            case messages.Deploy():
                side = client.side if message.side is None else message.side
                if side not in client.sides:
                    self.refuse(message.id, Refusal("", "not_your_side", {"side": side}))
                else:
                    self._done(message.id, await room.bot_players.deploy(side))
            case messages.Suggest():
                side = client.side if message.side is None else message.side
                if side not in client.sides or room.play.decision_of(side) is None:
                    self.refuse(message.id, room.not_yours(side))
                    return
                bot = room.game.best_bot
                self.think(message.id, "suggestion", suggested(room, side, bot, message.other))
            case messages.AskSeen():
                side = client.side if message.side is None else message.side
                if side not in client.sides:
                    self.refuse(message.id, Refusal("", "not_your_side", {"side": side}))
                elif room.play.decision_of(side) is None:
                    self.refuse(message.id, room.not_yours(side))
                else:
                    self.think(message.id, "seen", room.ask("seen", side))
            case messages.AskWays():
                if room.play.decision_of(client.side) is None:
                    self.refuse(message.id, room.not_yours(client.side))
                    return
                self.think(message.id, "ways", room.ask("ways", client.side, unit=message.unit))
            case messages.AskAhead():
                if room.play.decision_of(client.side) is None:
                    self.refuse(message.id, room.not_yours(client.side))
                    return
                self.think(message.id, "ahead", room.ask("ahead", client.side, keys=message.keys))
            case messages.Say():
                self._done(message.id, await table_talk.speak(self.site.shelf, room, client, message.text))
            case messages.CallMe():
                self.share.use(DEAR)
                await table_talk.call_oneself(self.site.shelf, room, client, message.name)
                self._done(message.id, None)
            case messages.Undo():
                self.share.use(again(room))
                refusal = await take_back(room, client.sides, message.to, anyway=message.anyway)
                self._done(message.id, refusal)
            case messages.Consent():
                self.share.use(again(room))
                self._done(message.id, await consent(room, client.sides, message.yes))
            case messages.Pause():
                if room.clock is not None:
                    self._done(message.id, await room.clock.pause(client.sides, yes=message.yes))
            case messages.Claim():
                if room.clock is not None:
                    self._done(message.id, await room.clock.claim(client.sides, message.side))

    def sight(self, message: messages.AskSight) -> None:
        room, client = self.room, self.client
        start, end = (end_at(room.views, client.side, place) for place in (message.start, message.end))
        if start is None or end is None:
            self.refuse(message.id, Refusal("", "no_such_unit", {"unit": message.start if not start else message.end}))
            return
        seen = sight_between(room.views, client.side, client.lang, start, end)
        if isinstance(seen, Refusal):
            self.refuse(message.id, seen)
        else:
            self.say("sight", message.id, number=room.play.number, **seen)

    def _done(self, id: Any, refusal: Refusal | None) -> None:
        if refusal is not None:
            self.refuse(id, refusal)
        else:
            self.say("ack", id, number=self.room.play.number, epoch=self.room.epoch)

    def refuse(self, id: Any, refusal: Refusal) -> None:
        room, client = self.room, self.client
        data = room.views.refusal(refusal, client.side, client.lang)
        self.say("refused", id, number=room.play.number, epoch=room.epoch, refusal=data)

    def odds(self, message: messages.Odds) -> Awaitable[Thought]:
        room, client = self.room, self.client
        if message.attacker or message.defender:
            facts = {"attacker": message.attacker, "defender": message.defender}
            return room.ask("odds_at", client.side, **facts, charge=message.charge, way=message.way)
        if not client.sides or room.play.decision_of(client.side) is None:
            return _nothing()
        return room.ask("odds_for", client.side, answer=message.answer)

    def think(self, id: Any, type: str, thought: Awaitable[Thought]) -> None:
        """Answer when it has been thought about; one thing of a kind at a time for each client."""
        if type in self.busy and not self.busy[type].done():
            asyncio.ensure_future(thought).cancel()
            self.say("error", id, why="busy")
            return
        self.busy[type] = asyncio.create_task(self._think(id, type, thought))

    async def _think(self, id: Any, type: str, thought: Awaitable[Thought]) -> None:
        number = self.room.play.number
        try:
            found = await thought
        except GaveUp:
            self.say("error", id, why="too_hard")
            return
        except Exception:
            log.exception("battle %s: nothing could be thought about it", self.room.record.id)
            self.say("error", id, why="failed")
            return
        if found.refusal is not None:
            self.refuse(id, found.refusal)
        elif found.problems or found.failed:
            if found.failed:
                log.error("battle %s: %s", self.room.record.id, found.failed)
            self.say(
                "error", id, why="no_answer", problems=[one.data(self.client.lang) for one in found.what_is_wrong()]
            )
        elif type == "ahead":
            asked = self.room.views.ahead(self.client.side, self.client.lang, found.value)
            self.say(type, id, number=number, decision=asked)
        elif type == "seen":
            self.say(type, id, view=msgspec.Raw(found.value))
        elif type == "suggestion":
            self.say(type, id, number=number, answer=msgspec.Raw(found.value), because=found.said, ideas=found.ideas)
        else:
            self.say(type, id, **{"number": number, "ways" if type == "ways" else "odds": msgspec.Raw(found.value)})


async def _nothing() -> Thought:
    return Thought()


def table(site: Site) -> Callable[[WebSocket], Awaitable[None]]:
    async def serve(socket: WebSocket) -> None:
        if not site.is_welcome(socket):
            await socket.close(1008)
            return
        await socket.accept()
        try:
            room, seat = await site.seated(socket, socket.query_params.get("seat", ""))
        except NotFound:
            await _turn_away(socket, 4404, "no_such_seat")
            return
        except Problems as problems:
            await _turn_away(socket, 4409, "cannot_be_opened", problems=[one.data(lang_of(socket)) for one in problems])
            return
        except SQLAlchemyError:
            await _turn_away(socket, 1013, "store")
            return
        watching = [one for one in room.clients if not one.sides]
        if seat == SPECTATOR and len(watching) >= CLIENTS:
            await _turn_away(socket, 1013, "full")
            return
        address = address_of(socket.scope.get("client"))
        ASKS.set(address)
        try:
            site.gate.sit(address, plays=seat != SPECTATOR)
        except TooMuch as refused:
            await _turn_away(socket, 1013, "too_many", what=refused.what, retry_after=refused.seconds)
            return
        client = Client(seat, sides_of(seat, room.record.players), lang_of(socket), site.backlog)
        client.link, client.address = hash_of(socket.query_params.get("seat", "")), address
        try:
            abort = socket.scope.get("state", {}).get(ABORT)
            if abort is not None:
                client.on_cut = lambda: asyncio.get_running_loop().call_later(LAST_WORDS, abort)
            await _serve(socket, Table(site, room, client))
        finally:
            client.forget()
            site.gate.leave(address)

    return serve


async def _turn_away(socket: WebSocket, code: int, why: str, **facts: Any) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(encode({"type": "error", "why": why, **facts}).decode())
        await socket.close(code)


async def _serve(socket: WebSocket, table: Table) -> None:
    """Greet a client, and listen until it leaves."""
    room, client = table.room, table.client
    since, epoch = (number_in(socket.query_params.get(name, "")) or 0 for name in ("since", "epoch"))
    room.sit_down(client)
    writer: asyncio.Task[None] | None = None
    try:
        async with room.lock:
            await room.ready()
            with table.share.counted():
                table.send(room.hello(client, since if epoch == room.epoch else 0))
            room.bot_players.wake()
        writer = asyncio.create_task(_write(socket, client))
        await table_talk.greet(table.site.shelf, room, client)
        await clocks.greet(room, client)
        while True:
            heard = await socket.receive()
            if heard["type"] == "websocket.disconnect":
                return
            await table.hear(heard.get("text") or heard.get("bytes") or b"")
    except (WebSocketDisconnect, RuntimeError):
        return
    except (SQLAlchemyError, Problems) as error:
        log.error("battle %s: %s", room.record.id, error)
        await _turn_away(socket, 1013, "store")
    finally:
        room.clients.discard(client)
        with suppress(SQLAlchemyError):
            await table_talk.tell_present(table.site.shelf, room)
        for task in (writer, *table.busy.values()):
            if task is not None:
                task.cancel()


async def _write(socket: WebSocket, client: Client) -> None:
    """Send what waits for a client, all of it in one go."""
    send = socket.scope.get("state", {}).get(SEND) or partial(_one_by_one, socket)
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            messages, last = await client.next()
            if socket.application_state is not WebSocketState.CONNECTED or not await send(messages):
                return
            # It is long until there is more to be sent, and what was sent first is all that there is to see.
            del messages
            if last:
                await socket.close(1013)
                return


async def _one_by_one(socket: WebSocket, texts: Sequence[bytes]) -> bool:
    for text in texts:
        await socket.send_text(text.decode())
    return True


# -- the application ---------------------------------------------------------------------------------------------------


class _Otherwise:
    """What is asked under /api and is not there, or not in that way. The pages would take it for a page."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self.routes = [route for route in routes if isinstance(route, Route)]
        self.nothing = Router().not_found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        whole = {**scope, "root_path": scope.get("app_root_path", "")}
        there = [route for route in self.routes if route.matches(whole)[0] is Match.PARTIAL]
        ways = sorted({way for route in there for way in route.methods or ()})
        if ways:
            response = PlainTextResponse("Method Not Allowed", 405, {"allow": ", ".join(ways)})
            await response(scope, receive, send)
        else:
            await self.nothing(scope, receive, send)


class _Pages(StaticFiles):
    """The built frontend: what is no file is a page of the one application."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        from starlette.exceptions import HTTPException

        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or "." in path.rpartition("/")[2]:
                raise
            return await super().get_response("index.html", scope)


ROUTES: Final = (
    get("/api/games", get_games),
    get("/api/games/{game}/factions", get_factions),
    get("/api/games/{game}/picture", get_picture),
    get("/api/maps/{map}", get_map, "thoughts"),
    post("/api/battles", post_battle, "battles"),
    get("/api/battles/{battle}", get_battle),
    *replays.ROUTES,
    *rematch.ROUTES,
    *lobby.ROUTES,
    *league_routes.ROUTES,
    *learn.ROUTES,
    *ending.ROUTES,
    post("/api/battles/{battle}/undo", post_undo),
    post("/api/battles/{battle}/consent", post_consent),
    get("/api/rules", get_rules, "thoughts"),
    post("/api/army/check", post_army, "thoughts"),
    *lists.ROUTES,
    *improving.ROUTES,
    *analysis.ROUTES,
    get("/api/odds/{game}", get_odds),
    post("/api/odds", post_odds, "thoughts"),
    get("/api/openapi.json", get_document),
    get("/api/health", get_health),
    *campaigns.ROUTES,
    *metrics.ROUTES,
)


async def _tick(site: Site) -> None:
    """Look at the clocks for as long as the server runs."""
    while True:
        try:
            await site.clocks.look()
        except Exception:
            log.exception("the clocks could not be looked at")
        await asyncio.sleep(1.0)


def pages_are_built() -> bool:
    return (STATIC / "index.html").exists()


def application(
    store: Store,
    *,
    thinkers: int = 2,
    poll: float = 0.1,
    gate: Gate | None = None,
    names: frozenset[str] = frozenset(),
    first_battles: FirstBattles | None = None,
    meet: bool = False,
    owned: Callable[[Owner], None] | None = None,
    fetch_lists: bool = False,
) -> ASGIApp:
    """The whole server as an ASGI application; `names` are those it goes by, and `meet` opens a lobby. `owned` is told
    of the page that its owner has, which there is only for one who asks. With `fetch_lists` share links of other
    programs are opened."""
    site = Site(store, thinkers=thinkers, poll=poll, gate=gate)
    site.first_battles = first_battles or site.first_battles
    site.lobby = meet
    site.fetcher.allowed = fetch_lists

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(site.rooms.watch())
        ticking = asyncio.create_task(_tick(site))
        try:
            yield
        finally:
            watching.cancel()
            ticking.cancel()
            site.close()
            store.close()

    owner = Owner(site)
    if owned is not None:
        owned(owner)
    asked: list[BaseRoute] = [route(site) for route in ROUTES]
    routes: list[BaseRoute] = [
        *asked,
        Mount("/api", _Otherwise(asked)),
        *(owner.routes() if owned is not None else ()),
        WebSocketRoute("/ws/{battle}", table(site)),
        Mount("/", _Pages(directory=STATIC, html=True)) if pages_are_built() else get("/", home)(site),
    ]
    # Pages and scenes are mostly words and repeat themselves: packed, the first load is about half as large.
    packed = Middleware(GZipMiddleware, minimum_size=1000)
    return Guard(Starlette(routes=routes, lifespan=lifespan, middleware=[packed]), site.gate, names or own_names())
