"""A battle looked at again: the replay, the save file, a link to share, a page to keep, and what might have been."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from oriflamme.engine.core import save as saves
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.server import battles
from oriflamme.server.clients import sides_of
from oriflamme.server.film import standalone
from oriflamme.server.room import Room
from oriflamme.server.site import Site, body, get, lang_of, post, respond
from oriflamme.server.store import SPECTATOR, new_secret
from oriflamme.server.thinking import GaveUp

Data = dict[str, Any]

LINKS: Final = 100  # a battle has at most so many links for those who watch


async def get_replay(site: Site, request: Request) -> Response:
    """What each answer brought about, as the holder of this seat may know it."""
    return respond(await _replay(site, request, scenes=bool(request.query_params.get("scenes"))))


async def _replay(site: Site, request: Request, *, scenes: bool) -> Data:
    room, seat = await site.seated(request, request.query_params.get("seat", ""))
    sides, lang = sides_of(seat, room.record.players), lang_of(request)
    async with room.lock:
        await room.ready()
        side = SPECTATOR if len(sides) != 1 else sides[0]
        data = room.summary() | {"measure": room.game.measure, "log": room.views.lines(side, lang).since(0)}
        data["you"] = {"sides": list(sides), "spectator": seat == SPECTATOR}
        data["branch"] = _modes(room, seat)
        count = room.play.number
        data["answers"] = [
            {"n": n + 1, "side": answer[0]}
            # Dice may deal cards that are nobody else's business, as answers may be.
            | (
                {"dice": room.play.battle.dice.thrown[before[2] : after[2]], "answer": answer[1]}
                if room.disclosed
                else {}
            )
            for n, (answer, before, after) in enumerate(
                zip(room.play.answers[:count], room.play.marks, room.play.marks[1:], strict=False)
            )
        ]
        job = room.job("replay", side, tags=room.views.tags, open=room.disclosed)
        job.answers = job.answers[:count]
    if scenes:
        thought = await site.think(job)
        if thought.failed:
            raise GaveUp(thought.failed)
        data |= msgspec.json.decode(thought.value, type=dict[str, msgspec.Raw])
    return data


async def get_export(site: Site, request: Request) -> Response:
    """The replay as one page that opens anywhere, without a network."""
    data = await _replay(site, request, scenes=True)
    kept = {key: value for key, value in data.items() if key not in ("answers", "you", "branch")}
    kept["picture"] = load(data["game"]).picture().signs.data()
    name = f"{data['game']}-{data['id']}.html"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(standalone(kept, lang_of(request)), media_type="text/html; charset=utf-8", headers=headers)


async def get_save(site: Site, request: Request) -> Response:
    """The whole battle as a save file, for `oriflamme replay --verify`; only when everything may be known."""
    room, _ = await site.seated(request, request.query_params.get("seat", ""))
    async with room.lock:
        await room.ready()
        if not room.disclosed:
            return respond({"error": "not_over"}, 409)
        players = [name or "human" for name in room.record.players]
        content = _save_file(room, players)
    name = f"{room.record.game}-{room.record.id}.save"
    return Response(
        content, media_type="application/x-ndjson", headers={"content-disposition": f'attachment; filename="{name}"'}
    )


def _save_file(room: Room, players: list[str]) -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="oriflamme-") as folder:
        path = Path(folder, "battle.save")
        saves.save(room.play, path, players)
        return path.read_bytes()


async def post_share(site: Site, request: Request) -> Response:
    """A link for those who watch: who has one seat may let others look on."""
    wanted = await body(request, battles.Share)
    room, _ = await site.seated(request, wanted.seat)
    secret, id = new_secret(), room.record.id
    if not await site.run(site.store.add_seat, id, secret, SPECTATOR, LINKS):
        raise problem_with("share", notice("links_enough", number=LINKS), hint=notice("use_a_link"))
    return respond({"secret": secret, "link": f"/replay/{id}?seat={secret}"}, 201)


# -- what if -----------------------------------------------------------------------------------------------------------


def _modes(room: Room, seat: int) -> list[str]:
    """How this seat may play on from a moment of the battle.

    When everything may be known, anyhow. Before, only who shares the table with nobody but bots, with new dice; and who
    plays one side goes on with that side against bots, so that what is hidden from him stays hidden. Where nobody
    measures before he has decided, nobody plays on before the end: he would measure there.
    """
    if room.disclosed:
        return ["bot", "hotseat", "invite", "watch"]
    sides = sides_of(seat, room.record.players)
    if not room.play.battle.open_measuring:
        return []
    if not sides or room.over or len(sides) + len(room.bots) < len(room.record.players):
        return []
    return ["bot"] if room.bots else ["bot", "hotseat", "invite", "watch"]


def _why_not_branch(room: Room, seat: int, wanted: battles.Branch) -> Refusal | None:
    modes = _modes(room, seat)
    if not modes and not room.play.battle.open_measuring:
        return Refusal(room.play.battle.measuring_rule, "branch_measures")
    if not modes:
        return Refusal("", "branch_when_over")
    if not room.disclosed and wanted.dice != "new":
        return Refusal("", "dice_to_come")
    players = battles.players(room.game, wanted, len(room.record.players))
    people = {side for side, bot in enumerate(players) if not bot}
    sides = sides_of(seat, room.record.players)
    if battles.mode_of(wanted, players) not in modes or (not room.disclosed and room.bots and not people <= {*sides}):
        return Refusal("", "branch_your_side", {"side": sides[0]})
    return None


async def post_branch(site: Site, request: Request) -> Response:
    """A new battle from a moment of this one."""
    wanted = await body(request, battles.Branch)
    room, seat = await site.seated(request, wanted.seat)
    async with room.lock:
        await room.ready()
        refusal = _why_not_branch(room, seat, wanted)
        if refusal is not None:
            data = room.views.refusal(refusal, SPECTATOR, lang_of(request))
            return respond({"error": "refused", "refusal": data}, 409)
        if wanted.number > room.play.number:
            raise problem_with("number", notice("battle_has_answers", wanted=wanted.number, number=room.play.number))
        number = wanted.number
        # Nobody goes on with an answer somebody else has already given in secret.
        while number in room.play.halves:
            number -= 1
        thrown = room.play.battle.dice.thrown[: room.play.marks[number][2]]
        parent = "" if room.disclosed else room.record.id
        answers = (await room.run(site.store.answers, room.record.id))[:number]
    made = await site.aside(battles.branch, room.whole_record(), answers, wanted, tuple(thrown), parent)
    await site.run(site.store.add, made.record, made.seats, made.answers)
    return respond(made.data, 201)


ROUTES: Final = (
    get("/api/battles/{battle}/replay", get_replay, "thoughts"),
    get("/api/battles/{battle}/export", get_export, "thoughts"),
    get("/api/battles/{battle}/save", get_save, "thoughts"),
    post("/api/battles/{battle}/share", post_share, "links"),
    post("/api/battles/{battle}/branch", post_branch, "battles"),
)
