"""Campaigns over HTTP: made, looked at, chosen for in camp. Their battles are battles like any other."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, NamedTuple

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.engine.core.campaign import Series
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.words.limits import HUGE, has_huge_number, one_line
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.server import battles
from oriflamme.server.battles import Request, Word
from oriflamme.server.clients import sides_of
from oriflamme.server.ledger import Ledger, campaigns_of
from oriflamme.server.questions import question
from oriflamme.server.site import NotFound, Site, body, get, lang_of, number_in, post, respond
from oriflamme.server.store import HOTSEAT, SPECTATOR, Chronicle, new_secret, now, seed_hash
from oriflamme.server.words import refusal_line, spans

Data = dict[str, Any]


class NewCampaign(battles.NewBattle):
    """A campaign to be made, of so many battles; the rest is as for a battle, and holds for each of them."""

    battles: int | None = None


class Choose(Request):
    """An answer in camp to the question of this number; `side` is needed only where one seat plays several."""

    seat: Word
    number: Annotated[int, msgspec.Meta(ge=0)]
    answer: Any
    side: int | None = None


class Reconsider(Request):
    """The last answer in camp is to be taken back; `number` is that of the question asked now."""

    seat: Word
    number: Annotated[int, msgspec.Meta(ge=0)]
    side: int | None = None


class Fight(Request):
    """Bots are to fight the battle that is due without anybody watching."""

    seat: Word


# -- making one --------------------------------------------------------------------------------------------------------


class Made(NamedTuple):
    """A campaign ready to be stored, its seats as secret and side, its first line, and what its maker is told."""

    record: Chronicle
    seats: list[tuple[str, int]]
    first: bytes
    data: Data


def make(wanted: NewCampaign) -> Made:
    """A new campaign, with links to its seats. Raises Problems with all that is wrong."""
    known, game = campaigns_of(wanted.game), load(wanted.game)
    options = battles.house_rules(game, wanted.options)
    players = battles.players(game, wanted, game.players_of(game.agreed(wanted.choices)))
    mode = battles.mode_of(wanted, players)
    setup = battles.setup_of(game, wanted, options)
    seed, salt, id = secrets.randbits(62), secrets.token_hex(16), secrets.token_urlsafe(9)
    number = known.usual if wanted.battles is None else wanted.battles
    first = known.new(battles=number, seed=seed, players=players, setup=setup)
    record = Chronicle(
        id=id,
        game=game.id,
        title=one_line(wanted.title),
        mode=mode,
        players=players,
        options=options,
        salt=salt,
        seed_hash=seed_hash(seed, salt),
        pace=battles.pace_of(wanted, mode),
        created=now(),
    )
    people = [side for side, bot in enumerate(players) if not bot]
    seats = [(new_secret(), side) for side in ([HOTSEAT] if mode == "hotseat" else people)]
    spectator = new_secret()
    data = {
        "id": id,
        "seed_hash": record.seed_hash,
        "seats": [
            {"sides": list(sides_of(side, players)), "secret": secret, "link": f"/campaign/{id}?seat={secret}"}
            for secret, side in seats
        ],
        "spectator": {"secret": spectator, "link": f"/campaign/{id}?seat={spectator}"},
    }
    return Made(record, [*seats, (spectator, SPECTATOR)], first, data)


async def post_campaign(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, NewCampaign)
    made = await (site.apart if battles.has_own_army(wanted) else site.aside)(make, wanted)
    await site.run(site.store.begin, made.record, made.seats, made.first)
    return respond(made.data, 201)


# -- looking at one, and choosing --------------------------------------------------------------------------------------


async def _seated(site: Site, request: HttpRequest, secret: str) -> tuple[Ledger, tuple[int, ...]]:
    """The campaign, and the sides that the secret plays in it."""
    id = request.path_params["campaign"]
    seat = await site.run(site.store.campaign_seat, id, secret)
    ledger = await site.ledgers.get(id) if seat is not None else None
    if seat is None or ledger is None:
        raise NotFound
    return ledger, sides_of(seat, ledger.record.players)


async def get_campaign(site: Site, request: HttpRequest) -> Response:
    """How it stands, as the holder of this seat may know it."""
    ledger, sides = await _seated(site, request, request.query_params.get("seat", ""))
    side = number_in(request.query_params.get("side", ""))
    async with ledger.lock:
        await ledger.follow()
        return respond(await _status(site, ledger, sides, side, lang_of(request)))


async def post_choose(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, Choose)
    if has_huge_number(wanted.answer):
        raise problem_with("body", HUGE, where="answer")
    return await _acted(site, request, wanted, wanted.answer)


async def post_back(site: Site, request: HttpRequest) -> Response:
    return await _acted(site, request, await body(request, Reconsider))


async def _acted(site: Site, request: HttpRequest, wanted: Choose | Reconsider, answer: Any = None) -> Response:
    """How it stands after an answer, or after one was taken back; or why not."""
    ledger, sides = await _seated(site, request, wanted.seat)
    lang = lang_of(request)
    side = wanted.side if wanted.side is not None else sides[0] if sides else SPECTATOR
    if side not in sides:
        refusal: Refusal | None = Refusal("", "not_your_side" if sides else "spectators_watch", {"side": side})
    elif isinstance(wanted, Choose):
        refusal = await ledger.choose(side, wanted.number, answer)
    else:
        refusal = await ledger.take_back(side, wanted.number)
    async with ledger.lock:
        await ledger.follow()
        if refusal is None:
            return respond(await _status(site, ledger, sides, side, lang))
        words = spans(refusal_line(ledger.series.voice(lang), refusal))
    data = {"rule": refusal.rule, "why": refusal.why, "facts": refusal.facts, "words": words}
    return respond({"error": "refused", "refusal": data}, 409)


async def post_fight(site: Site, request: HttpRequest) -> Response:
    """Bots fight the battle that is due, whether anybody watches or not."""
    wanted = await body(request, Fight)
    ledger, _ = await _seated(site, request, wanted.seat)
    if not await ledger.hurry():
        return respond({"error": "not_for_bots"}, 409)
    return respond({"fighting": True}, 202)


async def get_file(site: Site, request: HttpRequest) -> Response:
    """The campaign file, for `oriflamme campaign status`; only when it is over, for it has the seed."""
    ledger, _ = await _seated(site, request, request.query_params.get("seat", ""))
    async with ledger.lock:
        await ledger.follow()
        if not ledger.series.over:
            return respond({"error": "not_over"}, 409)
        content = b"".join(line + b"\n" for line in ledger.lines)
    name = f"{ledger.record.game}-{ledger.record.id}.campaign"
    return Response(
        content, media_type="application/x-ndjson", headers={"content-disposition": f'attachment; filename="{name}"'}
    )


async def _status(site: Site, ledger: Ledger, sides: tuple[int, ...], wanted: int | None, lang: str) -> Data:
    record, series = ledger.record, ledger.series
    side = _viewpoint(series, sides, wanted)
    known = ledger.secrets(side)
    chapters = await site.run(site.store.chapters, record.id)
    data: Data = {
        "id": record.id,
        "game": record.game,
        "title": record.title,
        "mode": record.mode,
        "created": record.created,
        "players": [{"side": number, "bot": name or None} for number, name in enumerate(record.players)],
        "options": record.options,
        "seed_hash": record.seed_hash,
        "you": {"sides": list(sides), "spectator": not sides},
        "side": side,
        "battles": series.battles,
        "number": series.number,
        "stage": series.stage,
        "due": series.due(lang),
        "ready": [series.ready(number) for number in range(len(record.players))],
        "score": list(series.standing(known)),
        "score_name": series.score_name(lang),
        "over": series.over,
        "winner": series.winner,
        "winners": list(series.winners),
        "fought": [
            {"battle": chapter.battle, **msgspec.to_builtins(outcome), "winner": _only(outcome.winners)}
            for outcome in series.outcomes(lang)
            for chapter in chapters
            if chapter.number == outcome.number
        ],
        "battle": next((c.battle for c in chapters if c.number == series.number and not c.settled), None),
        "bands": [series.page(number, lang, known) for number in range(len(record.players))],
        "log": _log(series, known, lang),
        **_asked(series, side, lang),
    }
    return data | {"seed": str(series.seed), "salt": record.salt} if series.over else data


def _only(winners: tuple[int, ...]) -> int | None:
    return winners[0] if len(winners) == 1 else None


def _viewpoint(series: Series, sides: tuple[int, ...], wanted: int | None) -> int:
    """The side one looks from: his own; where he plays several, the one he asks for or the first that is asked."""
    if not sides:
        return SPECTATOR
    if wanted in sides:
        return int(wanted or 0)
    return next((side for side in sides if not series.ready(side)), sides[0])


def _asked(series: Series, side: int, lang: str) -> Data:
    """The question in camp, its number, and how many answers can be taken back."""
    camp = series.camp(side) if side != SPECTATOR else None
    decision = camp.decision_of(side) if camp is not None else None
    if camp is None or decision is None:
        return {"decision": None, "asked": None, "answers": 0}
    return {
        "decision": question(decision, series.voice(lang)),
        "asked": series.asked(side),
        "answers": len(camp.answers),
    }


def _log(series: Series, known: tuple[int, ...], lang: str) -> list[Data]:
    voice = series.voice(lang)
    log: list[Data] = []
    for happened in series.chronicle(known):
        line = voice.event(happened.event)
        entry: Data = {"n": happened.battle, "event": happened.event.facts(), "words": spans(line), "rule": line.rule}
        log.append(entry | ({"head": True} if happened.event.name in series.headlines else {}))
    return log


ROUTES = (
    post("/api/campaigns", post_campaign, "battles"),
    get("/api/campaigns/{campaign}", get_campaign),
    post("/api/campaigns/{campaign}/choose", post_choose),
    post("/api/campaigns/{campaign}/back", post_back),
    post("/api/campaigns/{campaign}/fight", post_fight),
    get("/api/campaigns/{campaign}/file", get_file),
)
