"""Playing again: the same armies on the same ground with other dice, on the same sides or on the others.

Who asks first makes the battle; whoever else sat at the old table gets his seat at the new one by asking, too. Nobody's
secret is known to the server, so each is given a new one.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.server import battles
from oriflamme.server.battles import Request, Word
from oriflamme.server.clients import encode, sides_of
from oriflamme.server.club.shelf import Rematch
from oriflamme.server.learn.teaching import again
from oriflamme.server.room import Room
from oriflamme.server.site import Site, body, lang_of, post, respond
from oriflamme.server.store import HOTSEAT, SPECTATOR, Record, new_secret

Data = dict[str, Any]

SEATS: Final = 20  # secrets that open one side of a battle that was played again


class PlayAgain(Request):
    """Play the battle again; with `swap`, everybody on the next side. It counts for who asks first."""

    seat: Word
    swap: bool = False


def turned(side: int, number: int, *, swap: bool) -> int:
    """The side on which somebody plays again, of so many; those who play all sides or none stay as they are."""
    return (side + 1) % number if swap and side >= 0 else side


def made_again(record: Record, *, swap: bool) -> battles.Made:
    """The same battle from its beginning, with a seed of its own."""
    number = len(record.players)
    players = tuple(record.players[(side - 1) % number] for side in range(number)) if swap else record.players
    setup, kept, seed = again(msgspec.json.decode(record.setup), record.game, number, swap=swap)
    about = (record.title, record.pace, seed, record.options)
    return battles.prepared(load(record.game), record.mode, players, setup, *about, kept)


def why_not_again(room: Room, sides: tuple[int, ...], *, made: bool) -> Refusal | None:
    """Why a battle is not played again, or not by one who asks; `made`: it is played again already."""
    if room.record.campaign:
        return Refusal("", "campaign_goes_on")
    if made:
        return None
    if not sides:
        return Refusal("", "spectators_watch")
    alone = len(sides) + len(room.bots) >= len(room.record.players)
    return None if room.over or alone else Refusal("", "again_when_over")


async def play_again(site: Site, room: Room, seat: int, *, swap: bool) -> Rematch | Refusal:
    """The battle after this one, made now if nobody has asked for it yet."""
    known = await site.run(site.shelf.rematch, room.record.id)
    sides = sides_of(seat, room.record.players)
    async with room.lock:
        await room.ready()
        refusal = why_not_again(room, sides, made=known is not None)
    if refusal is not None:
        return refusal
    if known is not None:
        return known
    made = await site.aside(lambda: made_again(room.whole_record(), swap=swap))
    watch = next(secret for secret, side in made.seats if side == SPECTATOR)
    await site.run(site.store.add, made.record, [(watch, SPECTATOR)], made.answers)
    await site.clocks.begin(made.record.id, await site.clocks.terms(room.record.id))
    found = await site.run(site.shelf.add_rematch, Rematch(room.record.id, made.record.id, sides[0], swap, watch))
    for client in room.clients:
        client.push(encode({"type": "rematch", "by": found.by, "swap": found.swapped}))
    return found


async def post_rematch(site: Site, request: HttpRequest) -> Response:
    """A seat at the battle that is played after this one."""
    wanted = await body(request, PlayAgain)
    room, seat = await site.seated(request, wanted.seat)
    found = await play_again(site, room, seat, swap=wanted.swap)
    if isinstance(found, Refusal):
        data = room.views.refusal(found, SPECTATOR, lang_of(request))
        return respond({"error": "refused", "refusal": data}, 409)
    watch = {"secret": found.watch, "link": f"/watch/{found.next}?seat={found.watch}"}
    data = {"id": found.next, "by": found.by, "swap": found.swapped, "spectator": watch, "seats": []}
    if seat != SPECTATOR:
        players = len(room.record.players)
        side, secret = turned(seat, players, swap=found.swapped), new_secret()
        if not await site.run(site.store.add_seat, found.next, secret, side, SEATS):
            raise problem_with("rematch", notice("links_enough", number=SEATS), hint=notice("use_a_link"))
        sides = list(sides_of(seat, room.record.players)) if seat == HOTSEAT else [side]
        data["seats"] = [{"sides": sides, "secret": secret, "link": f"/play/{found.next}?seat={secret}"}]
    return respond(data, 201)


ROUTES: Final = (post("/api/battles/{battle}/rematch", post_rematch, "battles"),)
