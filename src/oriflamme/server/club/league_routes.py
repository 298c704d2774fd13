"""Leagues over HTTP: opening one, entering, pairing, sitting down, results, and the table."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.server.battles import OwnArmy, Request, Word
from oriflamme.server.club.leagues import (
    Entrant,
    Fixture,
    League,
    Leagues,
    NewLeague,
    Result,
    made_of,
    must_play,
)
from oriflamme.server.club.names import name_of
from oriflamme.server.club.shelf import LeagueRow
from oriflamme.server.site import NotFound, Site, body, get, post, respond
from oriflamme.server.store import SPECTATOR, hash_of, new_secret

Data = dict[str, Any]

SEATS: Final = 100  # secrets that open one side of a battle of a league

Key = Annotated[str, msgspec.Meta(max_length=80)]


class Enter(Request):
    """Take part, with an army of one's own, a ready-made one, or any. With the key of the organiser a bot may."""

    name: Word
    army: Word | OwnArmy | None = None
    bot: Word = ""
    key: Key = ""


class Organise(Request):
    """Something that the organiser does: pair the next round, or take the league out."""

    key: Key


class SitAt(Request):
    """Sit down at a fixture of one's own, counted from 1 in its round; bots among themselves are sent to play."""

    key: Key
    round: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    number: Annotated[int, msgspec.Meta(ge=1, le=1000)]


class Decide(SitAt):
    """The organiser says how a fixture has ended that was played elsewhere, or not at all; "" takes that back."""

    result: Result


def _leagues(site: Site) -> Leagues:
    if not site.lobby:
        raise NotFound
    return Leagues(site.store, site.shelf)


async def _found(site: Site, request: HttpRequest) -> tuple[Leagues, LeagueRow, League]:
    leagues = _leagues(site)
    found = await site.run(leagues.get, request.path_params["league"])
    if found is None:
        raise NotFound
    return leagues, *found


def _organises(row: LeagueRow, key: str) -> bool:
    return secrets.compare_digest(row.key, hash_of(key))


async def get_leagues(site: Site, request: HttpRequest) -> Response:
    """All leagues, and whether there may be any."""
    if not site.lobby:
        return respond({"open": False, "leagues": []})
    told = [
        {
            "id": id,
            "name": one.about.name,
            "game": one.about.game,
            "kind": one.about.kind,
            "players": len(one.players),
            "round": one.round,
            "rounds": one.rounds,
            "over": one.over,
        }
        for id, one in await site.run(_leagues(site).all)
    ]
    return respond({"open": True, "leagues": told})


async def post_league(site: Site, request: HttpRequest) -> Response:
    """Open a league."""
    leagues = _leagues(site)
    wanted = await body(request, NewLeague)
    await site.aside(must_play, wanted, None)  # what cannot be played is not opened
    id, key = await site.run(leagues.new, wanted)
    return respond({"id": id, "key": key}, 201)


async def get_league(site: Site, request: HttpRequest) -> Response:
    """How a league stands; battles that are over have their results."""
    leagues, row, _ = await _found(site, request)
    league = await site.aside(leagues.settled, row.id)
    if league is None:
        raise NotFound
    key = request.query_params.get("key", "")[:80]
    me = next((one.name for one in league.players if one.key and secrets.compare_digest(one.key, hash_of(key))), None)
    return respond({"id": row.id, **league.data(), "you": {"name": me, "organises": _organises(row, key)}})


async def post_enter(site: Site, request: HttpRequest) -> Response:
    """Take part."""
    wanted = await body(request, Enter)
    leagues, row, league = await _found(site, request)
    if wanted.bot:
        if not _organises(row, wanted.key):
            raise NotFound
        load(league.about.game).must_have_bot(wanted.bot, "bot")
    key = new_secret()
    entrant = Entrant(name_of(wanted.name), wanted.army, "" if wanted.bot else hash_of(key), wanted.bot)
    await (site.apart if isinstance(wanted.army, OwnArmy) else site.aside)(must_play, league.about, wanted.army)
    await site.run(leagues.change, row.id, lambda league: league.enter(entrant))
    return respond({"name": entrant.name, **({} if wanted.bot else {"key": key})}, 201)


async def post_pair(site: Site, request: HttpRequest) -> Response:
    """Pair the next round."""
    wanted = await body(request, Organise)
    leagues, row, _ = await _found(site, request)
    if not _organises(row, wanted.key):
        raise NotFound
    await site.aside(leagues.settled, row.id)
    league = await site.run(leagues.change, row.id, League.pair)
    return respond({"id": row.id, **league.data()}, 201)


async def post_play(site: Site, request: HttpRequest) -> Response:
    """A seat at the battle of a fixture, which is made when the first one comes."""
    wanted = await body(request, SitAt)
    leagues, row, league = await _found(site, request)
    fixture = league.fixture(wanted.round, wanted.number)
    me = next((one for one in league.players if one.key and secrets.compare_digest(one.key, hash_of(wanted.key))), None)
    bots = all(league.player(name).bot for name in (fixture.first, fixture.second) if name)
    mine = me is not None and me.name in (fixture.first, fixture.second)
    if not fixture.second or not (mine or (bots and _organises(row, wanted.key))):
        raise NotFound
    if not fixture.is_open and not fixture.battle:
        raise problem_with("fixture", notice("nobody_left_to_play"))
    battle = fixture.battle or await _begin(site, leagues, row.id, league, fixture, wanted)
    if bots or me is None:
        room = await site.rooms.get(battle)
        if room is not None:
            room.bot_players.hurried = True
            room.bot_players.wake()
        return respond({"id": battle, "seats": []}, 201)
    side, secret = (fixture.first, fixture.second).index(me.name), new_secret()
    if not await site.run(site.store.add_seat, battle, secret, side, SEATS):
        raise problem_with("fixture", notice("links_enough", number=SEATS), hint=notice("use_a_link"))
    link = f"/play/{battle}?seat={secret}"
    return respond({"id": battle, "seats": [{"sides": [side], "secret": secret, "link": link}]}, 201)


async def _begin(site: Site, leagues: Leagues, id: str, league: League, fixture: Fixture, wanted: SitAt) -> str:
    """Make the battle of a fixture; if somebody was quicker, it is his."""
    own = any(isinstance(league.player(name).army, OwnArmy) for name in (fixture.first, fixture.second))
    made = await (site.apart if own else site.aside)(made_of, league, fixture)
    watch = next((secret, side) for secret, side in made.seats if side == SPECTATOR)
    await site.run(site.store.add, made.record, [watch], made.answers)
    people = [league.player(name).bot for name in (fixture.first, fixture.second)].count("")
    await site.clocks.begin(made.record.id, league.about.clock if people == 2 else None)
    for side, name in enumerate((fixture.first, fixture.second)):
        await site.run(site.shelf.call, made.record.id, side, name)
    link = made.data["spectator"]["link"]
    await site.run(site.shelf.let_watch, made.record.id, link)

    def note(league: League) -> None:
        found = league.fixture(wanted.round, wanted.number)
        if not found.battle:
            found.battle, found.watch = made.record.id, link

    changed = await site.run(leagues.change, id, note)
    return changed.fixture(wanted.round, wanted.number).battle


async def post_result(site: Site, request: HttpRequest) -> Response:
    """Enter a result by hand, or take it back."""
    wanted = await body(request, Decide)
    leagues, row, _ = await _found(site, request)
    if not _organises(row, wanted.key):
        raise NotFound
    league = await site.run(leagues.change, row.id, lambda one: one.decide(wanted.round, wanted.number, wanted.result))
    return respond({"id": row.id, **league.data()})


async def post_close(site: Site, request: HttpRequest) -> Response:
    """Take a league out; its battles stay."""
    wanted = await body(request, Organise)
    _, row, _ = await _found(site, request)
    if not _organises(row, wanted.key):
        raise NotFound
    await site.run(site.shelf.close_league, row.id)
    return respond({"closed": True})


ROUTES: Final = (
    get("/api/leagues", get_leagues),
    post("/api/leagues", post_league, "battles"),
    get("/api/leagues/{league}", get_league),
    post("/api/leagues/{league}/enter", post_enter, "battles"),
    post("/api/leagues/{league}/pair", post_pair),
    post("/api/leagues/{league}/play", post_play, "battles"),
    post("/api/leagues/{league}/result", post_result),
    post("/api/leagues/{league}/close", post_close),
)
