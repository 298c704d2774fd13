"""Who is at a table, and what they say to each other.

Who comes and goes is told to all; names are what people call themselves. What is said is kept, one line each, and only
those who play may speak.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from oriflamme.engine.core.events import Refusal
from oriflamme.server.clients import Client, encode
from oriflamme.server.club.names import plain_line
from oriflamme.server.club.shelf import Said, Shelf
from oriflamme.server.store import now

if TYPE_CHECKING:
    from oriflamme.server.room import Room

Data = dict[str, Any]

LONGEST: Final = 200  # characters of one line
MOST: Final = 1000  # lines of one battle
LAST: Final = 50  # lines that somebody is told who comes
NAME: Final = 30
BURST, SPAN = 6, 12.0  # so many lines of one client within so many seconds


def present(room: Room, names: dict[int, str]) -> bytes:
    """Who is there: the sides that somebody sits at, how many watch, and what people call themselves."""
    sides = sorted({side for client in room.clients for side in client.sides})
    watching = sum(not client.sides for client in room.clients)
    return encode({"type": "present", "sides": sides, "watching": watching, "names": names})


async def tell_present(shelf: Shelf, room: Room) -> None:
    """Tell everybody who is there."""
    told = present(room, await room.run(shelf.people, room.record.id))
    for client in room.clients:
        client.push(told)


async def greet(shelf: Shelf, room: Room, client: Client) -> None:
    """Somebody has come: everybody is told, and he what was said before."""
    await tell_present(shelf, room)
    lines = await room.run(shelf.talk, room.record.id, LAST)
    if lines:
        client.push(said(lines))


def note(room: Room, what: str, by: int) -> None:
    """Tell everybody what was asked for, agreed on or refused at the table; -1 is nobody in particular."""
    told = encode({"type": "note", "what": what, "by": by})
    for client in room.clients:
        client.push(told)


def said(lines: list[Said]) -> bytes:
    return encode({"type": "said", "lines": lines})


async def speak(shelf: Shelf, room: Room, client: Client, text: str) -> Refusal | None:
    """Somebody says something to the others."""
    line, at = plain_line(text, LONGEST), time.monotonic()
    client.spoke = [one for one in client.spoke if at - one < SPAN]
    if not line:
        return Refusal("", "nothing_said")
    if len(client.spoke) >= BURST:
        return Refusal("", "too_talkative")
    client.spoke.append(at)
    kept = await room.run(shelf.say, room.record.id, client.side, line, now(), MOST)
    if kept is None:
        return Refusal("", "enough_said")
    for other in room.clients:
        other.push(said([kept]))
    return None


async def call_oneself(shelf: Shelf, room: Room, client: Client, name: str) -> None:
    """What somebody calls himself from now on."""
    line = plain_line(name, NAME)
    for side in client.sides[:1]:
        await room.run(shelf.call, room.record.id, side, line)
    await tell_present(shelf, room)
