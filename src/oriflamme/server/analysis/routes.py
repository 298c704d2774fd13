"""The addresses of an analysis. Scenes are read and played in other processes; a battle that goes on is a usual one."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.engine.cases.scene_battles import setup_of
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.server import battles
from oriflamme.server.analysis import desk, files, position
from oriflamme.server.battles import Mode, Request, Seats, Word
from oriflamme.server.clients import sides_of
from oriflamme.server.site import Endpoint, Site, body, get, lang_of, post, respond
from oriflamme.server.store import SPECTATOR

Data = dict[str, Any]
W = TypeVar("W", bound=Request)


class PlayOn(position.Position):
    """A battle that goes on from a scene, against a bot or between people at one screen."""

    mode: Mode = "hotseat"
    side: int = 0
    seats: Seats = msgspec.field(default_factory=list)
    title: Word = ""


# -- called in another process -----------------------------------------------------------------------------------------


def made(game_id: str, wanted: PlayOn) -> battles.Made:
    """A battle from a scene, ready to be stored; what was answered before is not part of it."""
    game = load(game_id)
    setup = setup_of(game_id, wanted.scene, wanted.acts)
    first = Play(game, setup, 0, keep=False, log=False).battle
    like = battles.NewBattle(game=game_id, mode=wanted.mode, side=wanted.side, seats=wanted.seats)
    players = battles.players(game, like, first.players)
    mode = battles.mode_of(like, players)
    title = wanted.title or game.title["en"]
    return battles.prepared(game, mode, players, setup, title, 0.0, secrets.randbits(62), dict(first.options))


def moment_of(
    game_id: str, setup: bytes, seed: int, dice: Data, answers: list[tuple[int, bytes]], side: int | None
) -> Data:
    """A moment of a battle of this server, as a side saw it or as it was."""
    game = load(game_id)
    play = Play(game, msgspec.json.decode(setup), seed, **dice, keep=False)
    play.replay((one, msgspec.json.decode(raw)) for one, raw in answers)
    if side is not None:
        play.battle = play.view(side).battle
    return files.moment(game, play)


# -- over HTTP ---------------------------------------------------------------------------------------------------------


async def get_desk(site: Site, request: HttpRequest) -> Response:
    return respond(await site.apart(desk.desk, request.path_params["game"]))


async def get_palette(site: Site, request: HttpRequest) -> Response:
    return respond(await site.apart(desk.palette, request.path_params["game"], request.path_params["army"]))


async def get_table(site: Site, request: HttpRequest) -> Response:
    return respond(await site.apart(desk.map_table, request.path_params["game"], request.path_params["map"]))


def _apart(kind: type[W], function: Callable[..., Data], *, spoken: bool = True) -> Endpoint:
    """A request about a scene, answered in another process."""

    async def answer(site: Site, request: HttpRequest) -> Response:
        wanted = await body(request, kind)
        lang = (lang_of(request),) if spoken else ()
        return respond(await site.apart(function, request.path_params["game"], wanted, *lang))

    return answer


async def post_file(site: Site, request: HttpRequest) -> Response:
    return respond(await site.apart(files.opened, await body(request, files.ReadFile)))


async def post_battle(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, PlayOn)
    ready = await site.apart(made, request.path_params["game"], wanted)
    await site.run(site.store.add, ready.record, ready.seats, ready.answers)
    return respond(ready.data, 201)


async def get_moment(site: Site, request: HttpRequest) -> Response:
    """A moment of a battle as a scene: as the holder of this seat may know it."""
    room, seat = await site.seated(request, request.query_params.get("seat", ""))
    sides = sides_of(seat, room.record.players)
    async with room.lock:
        await room.ready()
        if not room.disclosed and not room.play.battle.open_measuring:
            raise problem_with("battle", notice("analysed_when_over"))
        side = None if room.disclosed else SPECTATOR if len(sides) != 1 else sides[0]
        last = room.play.number
        asked = request.query_params.get("number", "")
        number = min(int(asked), last) if asked.isdecimal() and len(asked) < 9 else last
        while number in room.play.halves:
            number -= 1
        answers, record = room.written_answers(number), room.whole_record()
        facts = (record.game, record.setup, record.seed, record.dice)
    return respond(await site.apart(moment_of, *facts, answers, side))


ROUTES: Final = (
    get("/api/analysis/{game}", get_desk, "thoughts"),
    get("/api/analysis/{game}/armies/{army}", get_palette, "thoughts"),
    get("/api/analysis/{game}/maps/{map}", get_table, "thoughts"),
    post("/api/analysis/{game}/look", _apart(position.Position, position.looked_at), "thoughts"),
    post("/api/analysis/{game}/ask", _apart(position.AskPosition, position.asked_about), "thoughts"),
    post("/api/analysis/{game}/odds", _apart(position.AskStrike, position.strike_odds), "thoughts"),
    post("/api/analysis/{game}/case", _apart(position.WriteCase, position.written_case, spoken=False), "thoughts"),
    post("/api/analysis/{game}/map", _apart(files.WriteMap, files.map_file, spoken=False), "thoughts"),
    post("/api/analysis/{game}/battle", post_battle, "battles"),
    post("/api/scenes", post_file, "thoughts"),
    get("/api/battles/{battle}/scene", get_moment, "thoughts"),
)
