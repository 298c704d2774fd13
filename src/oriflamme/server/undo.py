"""Taking answers back: what the rules of undo allow at once, and what others have to consent to."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from itertools import count

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.taking_back import what_was_measured, why_never
from oriflamme.server.clients import encode
from oriflamme.server.club.table_talk import note
from oriflamme.server.room import SLICE, Room
from oriflamme.server.store import Conflict, Settled, sealed


async def take_back(room: Room, sides: Sequence[int], to: int | None, *, anyway: bool) -> Refusal | None:
    """Take answers back: freely while no die fell and nothing was measured, further if the others consent; but not what
    ended the battle or brought something to light. Where dice fell, those to come are of a new seed."""
    async with room.lock:
        await room.ready()
        if bool(room.record.campaign) and await room.run(room.store.is_closed, room.record.id):
            return Refusal("", "campaign_went_on")
        mine = [n for n, (side, _) in enumerate(room.play.answers) if side in sides]
        if not mine:
            return Refusal("", "nothing_to_take_back")
        to = mine[-1] if to is None else to
        if to not in mine:
            return Refusal("", "not_your_answer", {"number": to})
        never = await _why_never(room, to)
        if never is not None:
            return never
        why = _why_not_back(room, sides, to)
        if why is not None and not anyway:
            return why
        others = _others(room, sides)
        if why is not None and others:
            wish = {"by": sides[0], "to": to, "yes": []}
            try:
                await room.run(
                    room.store.ask_undo, room.record.id, room.epoch, len(room.play.answers), encode(wish).decode()
                )
            except Conflict:
                await room.resume()
                return Refusal("", "answer_is_late")
            room.undo = wish
            room.broadcast()
            note(room, "undo_asked", sides[0])
            return None
        refusal = await _back(room, to)
        if refusal is None:
            note(room, "undo_done", sides[0])
        return refusal


async def consent(room: Room, sides: Sequence[int], yes: bool) -> Refusal | None:
    """Let somebody take answers back, or not."""
    async with room.lock:
        await room.ready()
        wish = room.undo
        if not wish or wish["by"] in sides:
            return Refusal("", "nothing_to_consent_to")
        agreed = sorted({*wish["yes"], *(side for side in sides if yes)})
        note(room, "undo_agreed" if yes else "undo_refused", sides[0])
        if yes and all(side in agreed for side in _others(room, (wish["by"],))):
            return await _back(room, wish["to"])
        wish = wish | {"yes": agreed} if yes else {}
        text = encode(wish).decode() if wish else ""
        try:
            await room.run(room.store.ask_undo, room.record.id, room.epoch, len(room.play.answers), text)
        except Conflict:
            await room.resume()
            return Refusal("", "answer_is_late")
        room.undo = wish
        room.broadcast()
        return None


def _others(room: Room, sides: Sequence[int]) -> list[int]:
    """The people who would have to agree."""
    if room.record.mode == "hotseat":
        return []
    return [side for side in room.play.battle.playing if side not in sides and side not in room.bots]


async def _back(room: Room, to: int) -> Refusal | None:
    seeds = room.record.seeds
    if not room.record.analysis:
        kept = {one.after: one for one in seeds}
        pairs = room.play.seeds_after(to, secrets.randbits(62))
        # One that stays was published when it came; another one in its place is published now.
        seeds = tuple(
            kept[after] if after in kept and kept[after].seed == seed else sealed(after, seed) for after, seed in pairs
        )
    try:
        await room.run(room.store.take_back, room.record.id, room.epoch, len(room.play.answers), to, seeds)
    except Settled:
        return Refusal("", "campaign_went_on")
    except Conflict:
        await room.resume()
        return Refusal("", "answer_is_late")
    await room.resume()
    return None


async def _why_never(room: Room, to: int) -> Refusal | None:
    """Why nobody can take back the answers after `to`, whoever agrees."""
    looking = why_never(room.play, to)
    for number in count(1):
        try:
            next(looking)
        except StopIteration as done:
            refusal: Refusal | None = done.value
            return refusal
        if number % SLICE == 0:
            await asyncio.sleep(0)
    return None


def _why_not_back(room: Room, sides: Sequence[int], to: int) -> Refusal | None:
    """Why answers after `to` may not be taken back just like that."""
    play = room.play
    others = sorted({s for s, _ in play.answers[to : play.number] if s not in sides and s not in room.bots})
    if others:
        return Refusal("", "others_have_answered", {"sides": others})
    if len(room.asked) > 1 and any(side not in sides and side not in room.bots for side in room.asked):
        # Whether they have answered already is nobody's business.
        return Refusal("", "others_are_asked")
    if play.marks[to][2] != play.marks[-1][2]:
        return Refusal("", "dice_have_fallen", {"dice": play.marks[-1][2] - play.marks[to][2]})
    return what_was_measured(play, to)
