"""What the pages ask for who has never played: the first battles, one of them begun, and the page of a game."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.drawing.tags import unit_tags
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.of_battles import game_page
from oriflamme.games import ids, load
from oriflamme.lab.battle import decide
from oriflamme.lab.first_battle import begin, captain, shipped_for
from oriflamme.server.battles import Request, Word
from oriflamme.server.clients import encode
from oriflamme.server.learn.first_battles import about, begun, shipped
from oriflamme.server.scene import scene_of
from oriflamme.server.site import NotFound, Site, body, get, post, respond

Data = dict[str, Any]

SHOWN: Final = 3  # the round in which the first battle of a game is shown


class BeginFirst(Request):
    """A first battle to be begun, by its id."""

    id: Word


def play_on(play: Play, round: int) -> None:
    """Let the best bot of the game answer for everybody until this round, so that there is something to see."""
    bots = [captain(play, side) for side in range(play.battle.players)]
    while play.pending and play.battle.round < round:
        decision = play.pending[0]
        play.answer(decision.side, decide(play, decision, bots[decision.side]))


@cache
def page_of(id: str) -> bytes:
    """What a game is, how a turn goes and how one wins; with its first battle, and a moment of it for a picture."""
    game = load(id)
    data: Data = {
        "id": id,
        "title": dict(game.title),
        "minutes": game.minutes,
        "learning": game.learning,
        "measure": game.measure,
        "words": game_page(game),
    }
    if shipped_for(id) is not None:
        first = shipped(id)
        play = begin(first)
        tags = unit_tags(play.again().battle)
        play_on(play, SHOWN)
        scene = scene_of(game, play.view(first.lesson.side).battle, tags)
        armies = [army.get("name") for army in first.setup.get("armies", ())]
        data |= {"first": about(id, first), "scene": scene, "armies": armies}
    return encode(data)


async def get_first_battles(site: Site, request: HttpRequest) -> Response:
    return respond({"first_battles": await site.aside(site.first_battles.data)})


async def post_first_battle(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, BeginFirst)
    first = site.first_battles.get(wanted.id)
    made = await site.aside(begun, first, first.lesson.name.get("en", ""))
    await site.run(site.store.add, made.record, made.seats, made.answers)
    return respond(made.data, 201)


async def get_page(site: Site, request: HttpRequest) -> Response:
    id = request.path_params["game"]
    if id not in ids():
        raise NotFound
    return Response(await site.aside(page_of, id), media_type="application/json")


ROUTES: Final = (
    get("/api/first-battles", get_first_battles),
    post("/api/first-battles", post_first_battle, "battles"),
    get("/api/games/{game}/page", get_page),
)
