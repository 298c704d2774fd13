"""A lobby: tables at which somebody waits for another player, and battles that may be watched.

Who opens a table says what he would like to play and brings his army; who sits down brings his own. Only then is there
a battle. The host knows his table by a key of which only the hash is stored; with it he gets his seat. There is a lobby
only where the owner of the server wants one: by default for players at this machine.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.server import battles
from oriflamme.server.battles import NewBattle, OwnArmy, Request, Word
from oriflamme.server.club.names import name_of
from oriflamme.server.club.shelf import OpenTable
from oriflamme.server.site import NotFound, Site, body, get, post, respond
from oriflamme.server.store import hash_of, new_secret, now

Data = dict[str, Any]

MOST: Final = 200  # open tables
FORGOTTEN: Final = 24 * 3600.0  # seconds after which a table is closed whose host has not come back
HERE: Final = 15.0  # seconds within which a host was there who is there
LIVE: Final = 50  # battles that are listed for those who would like to watch


class OpenOne(Request):
    """Open a table: who one is, and what one would like to play. `battle.armies` has one's own army, the others' places
    are empty."""

    name: Word
    battle: NewBattle


class SitDown(Request):
    """Sit down at an open table, with an army of one's own, a ready-made one, or any."""

    name: Word
    army: Word | OwnArmy | None = None


class MyTable(Request):
    """The key of a table that one has opened."""

    key: Annotated[str, msgspec.Meta(max_length=80)]


def about(table: OpenTable, at: float) -> Data:
    """An open table as everybody may see it."""
    wanted = msgspec.json.decode(table.wanted, type=NewBattle)
    mine = wanted.armies[0] if wanted.armies else None
    return {
        "id": table.id,
        "name": table.name,
        "game": wanted.game,
        "points": wanted.points,
        "map": wanted.map if isinstance(wanted.map, str) else "",
        "own_map": not isinstance(wanted.map, str),
        "choices": wanted.choices,
        "options": wanted.options,
        "clock": wanted.clock,
        "army": mine if isinstance(mine, str) else None,
        "own": isinstance(mine, OwnArmy),
        "created": table.created,
        "here": at - table.seen < HERE,
    }


async def _table(site: Site, request: HttpRequest, key: str | None = None) -> OpenTable:
    found = await site.run(site.shelf.open_table, request.path_params["table"]) if site.lobby else None
    if found is None or (key is not None and not secrets.compare_digest(found.key, hash_of(key))):
        raise NotFound
    return found


async def get_lobby(site: Site, request: HttpRequest) -> Response:
    """The open tables, and whether there is a lobby at all."""
    if not site.lobby:
        return respond({"open": False, "tables": [], "live": []})
    at = now()
    await site.run(site.shelf.close_tables, at - FORGOTTEN)
    tables = [about(one, at) for one in await site.run(site.shelf.open_tables) if not one.battle]
    return respond({"open": True, "tables": tables, "live": await site.live.data(LIVE)})


async def post_table(site: Site, request: HttpRequest) -> Response:
    """Open a table."""
    if not site.lobby:
        raise NotFound
    wanted = await body(request, OpenOne)
    battle = msgspec.structs.replace(wanted.battle, mode="invite", seats=[], bots=[], armies=wanted.battle.armies[:1])
    name, game = name_of(wanted.name), load(battle.game)
    if game.players_of(game.agreed(battle.choices)) != 2:
        raise problem_with("battle", notice("lobby_for_two"))
    # What cannot begin is not offered to anybody.
    await (site.apart if battles.has_own_army(battle) else site.aside)(battles.make, battle)
    key, at = new_secret(), now()
    table = OpenTable(secrets.token_urlsafe(9), hash_of(key), name, msgspec.json.encode(battle), at, at)
    if not await site.run(site.shelf.open, table, MOST):
        raise problem_with("lobby", notice("lobby_is_full", number=MOST))
    return respond({**about(table, at), "key": key}, 201)


async def post_join(site: Site, request: HttpRequest) -> Response:
    """Sit down at an open table: the battle is made, and who sits down has the second seat."""
    wanted = await body(request, SitDown)
    table, name = await _table(site, request), name_of(wanted.name)
    battle = msgspec.json.decode(table.wanted, type=NewBattle)
    armies = [*(battle.armies or [None]), wanted.army]
    battle = msgspec.structs.replace(battle, armies=armies, title=f"{table.name} – {name}")
    made = await (site.apart if battles.has_own_army(battle) else site.aside)(battles.make, battle)
    await site.run(site.store.add, made.record, made.seats[1:], made.answers)
    if not await site.run(site.shelf.take_table, table.id, made.record.id):
        raise problem_with("table", notice("table_is_taken"))
    await site.run(site.shelf.let_watch, made.record.id, made.data["spectator"]["link"])
    await site.clocks.begin(made.record.id, battle.clock)
    for side, called in enumerate((table.name, name)):
        await site.run(site.shelf.call, made.record.id, side, called)
    return respond({**made.data, "seats": made.data["seats"][1:]}, 201)


async def post_seat(site: Site, request: HttpRequest) -> Response:
    """The host looks whether somebody has come, and gets his seat if so."""
    wanted = await body(request, MyTable)
    table = await _table(site, request, wanted.key)
    await site.run(site.shelf.see_host, table.id, now())
    if not table.battle:
        return respond({"waiting": True})
    secret, id = new_secret(), table.battle
    await site.run(site.store.add_seat, id, secret, 0, MOST)
    await site.run(site.shelf.close_table, table.id)
    return respond({"id": id, "seats": [{"sides": [0], "secret": secret, "link": f"/play/{id}?seat={secret}"}]}, 201)


async def post_close(site: Site, request: HttpRequest) -> Response:
    """Wait no longer."""
    wanted = await body(request, MyTable)
    table = await _table(site, request, wanted.key)
    await site.run(site.shelf.close_table, table.id)
    return respond({"closed": True})


ROUTES: Final = (
    get("/api/lobby", get_lobby),
    post("/api/lobby", post_table, "battles"),
    post("/api/lobby/{table}/join", post_join, "battles"),
    post("/api/lobby/{table}/seat", post_seat),
    post("/api/lobby/{table}/close", post_close),
)
