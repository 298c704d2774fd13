"""The OpenAPI document of the HTTP side, its bodies taken from the very types that check them."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from oriflamme import __version__
from oriflamme.engine.words.problems import Problem
from oriflamme.server import battles, campaigns, improving, lists
from oriflamme.server.analysis import files, position
from oriflamme.server.analysis.routes import PlayOn
from oriflamme.server.club import league_routes, leagues, lobby, rematch
from oriflamme.server.learn import pages

Data = dict[str, Any]

# What operations are sent and answer with, by its name: whatever the document refers to is described in it.
_KINDS: dict[str, type] = {}


def _parameter(name: str, where: str, about: str) -> Data:
    return {"name": name, "in": where, "required": where == "path", "schema": {"type": "string"}, "description": about}


GAME = _parameter("game", "path", "The id of a game, as `/api/games` tells it.")
BATTLE = _parameter("battle", "path", "The id of a battle.")
SEAT = _parameter("seat", "query", "The secret of a seat, or of a spectator.") | {"required": True}
TABLE = _parameter("table", "path", "The id of an open table.")
JOB = _parameter("job", "path", "What the search was called when it began.")
LEAGUE = _parameter("league", "path", "The id of a league.")
CAMPAIGN = _parameter("campaign", "path", "The id of a campaign.")
LANG = _parameter("lang", "query", '"en" or "fr".')


def _operation(
    about: str, *parameters: Data, body: type | None = None, status: str = "200", refused: dict[str, str] | None = None
) -> Data:
    answers: Data = {status: {"description": "done", "content": {"application/json": {"schema": {"type": "object"}}}}}
    problems = {"type": "object", "properties": {"problems": {"type": "array", "items": _ref(Problem)}}}
    answers["422"] = {"description": "what is wrong", "content": {"application/json": {"schema": problems}}}
    again = {"Retry-After": {"description": "seconds", "schema": {"type": "integer"}}}
    answers["429"] = {"description": "too much from one address; come again", "headers": again}
    answers["421"] = {"description": "the server does not go by that name"}
    answers["503"] = {"description": "the store does not answer, or it is too hard"}
    if body is not None:
        answers["403"] = {"description": "sent by a page of somebody else's"}
    if any(one["in"] == "path" for one in parameters):
        answers["404"] = {"description": "no such thing here"}
    answers |= {code: {"description": said} for code, said in (refused or {}).items()}
    data: Data = {"summary": about, "parameters": list(parameters), "responses": answers}
    if body is not None:
        data["requestBody"] = {"required": True, "content": {"application/json": {"schema": _ref(body)}}}
    return data


def _ref(kind: type) -> Data:
    _KINDS[kind.__name__] = kind
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


@cache
def document() -> Data:
    """The OpenAPI document."""
    gone = {"404": "no such battle or seat"}
    no = gone | {"409": "refused: why"}
    early = gone | {"409": "it is not over"}
    paths: Data = {
        "/api/games": {"get": _operation("The games: armies, maps, options, choices and bots of each.")},
        "/api/games/{game}/picture": {
            "get": _operation("The signs of a game: states, tokens, looks and borders, with words and icons.", GAME)
        },
        "/api/games/{game}/factions": {
            "get": _operation("The factions of a game with their units.", GAME)
        },
        "/api/maps/{map}": {
            "get": _operation("A map with its table.", _parameter("map", "path", "Its id, or generated_7."))
        },
        "/api/games/{game}/page": {"get": _operation("What a game is, how a turn goes, how one wins.", GAME)},
        "/api/first-battles": {
            "get": _operation("The first battles of the games, and the club's own."),
            "post": _operation("Begin a first battle.", body=pages.BeginFirst, status="201"),
        },
        "/api/battles": {"post": _operation("Make a battle.", body=battles.NewBattle, status="201")},
        "/api/battles/{battle}": {"get": _operation("How a battle stands: nothing secret.", BATTLE, refused=gone)},
        "/api/battles/{battle}/replay": {
            "get": _operation(
                "What each answer brought about, as the holder of this seat may know it.",
                BATTLE, SEAT, LANG, _parameter("scenes", "query", "1: with the table after each answer."), refused=gone,
            )
        },
        "/api/battles/{battle}/story": {
            "get": _operation("The moments that turned a battle, when it is over.", BATTLE, SEAT, refused=early)
        },
        "/api/battles/{battle}/save": {
            "get": _operation("The save file, when it is over.", BATTLE, SEAT, refused=early)
        },
        "/api/battles/{battle}/branch": {
            "post": _operation(
                "A new battle from a moment of this one, with the same dice or with new ones.",
                BATTLE, body=battles.Branch, status="201", refused=no,
            )
        },
        "/api/battles/{battle}/scene": {
            "get": _operation("A moment of a battle as a scene.", BATTLE, SEAT, LANG, refused=gone)
        },
        "/api/battles/{battle}/export": {
            "get": _operation("The replay as one HTML file.", BATTLE, SEAT, LANG, refused=gone)
        },
        "/api/battles/{battle}/share": {
            "post": _operation("A link for those who watch.", BATTLE, body=battles.Share, status="201", refused=gone)
        },
        "/api/battles/{battle}/rematch": {
            "post": _operation(
                "Play it again, on the same sides or on the others.",
                BATTLE, body=rematch.PlayAgain, status="201", refused=no,
            )
        },
        "/api/battles/{battle}/undo": {
            "post": _operation("Take answers back.", BATTLE, body=battles.TakeBack, refused=no)
        },
        "/api/battles/{battle}/consent": {
            "post": _operation(
                "Let somebody take answers back.", BATTLE, body=battles.Agree, refused=no
            )
        },
        "/api/campaigns": {
            "post": _operation("Make a campaign.", body=campaigns.NewCampaign, status="201")
        },
        "/api/campaigns/{campaign}": {
            "get": _operation(
                "How a campaign stands, as the holder of this seat may know it.",
                CAMPAIGN, SEAT, LANG, _parameter("side", "query", "Whose camp, where one seat plays several."),
                refused=gone,
            )
        },
        "/api/campaigns/{campaign}/choose": {
            "post": _operation("Answer in camp.", CAMPAIGN, LANG, body=campaigns.Choose, refused=no)
        },
        "/api/campaigns/{campaign}/back": {
            "post": _operation(
                "Take the last answer in camp back.", CAMPAIGN, LANG, body=campaigns.Reconsider, refused=no
            )
        },
        "/api/campaigns/{campaign}/fight": {
            "post": _operation(
                "Let bots fight the battle that is due.", CAMPAIGN, body=campaigns.Fight, status="202", refused=no
            )
        },
        "/api/campaigns/{campaign}/file": {
            "get": _operation("The campaign file, when it is over.", CAMPAIGN, SEAT, refused=early)
        },
        "/api/rules": {
            "get": _operation(
                "The rules that speak of some words, or those under an id.",
                _parameter("game", "query", "Only this game."), _parameter("q", "query", "Words."),
                _parameter("id", "query", "An id, or the beginning of one."), _parameter("most", "query", "So many."),
                LANG,
            )
        },
        "/api/leagues": {
            "get": _operation("The leagues of this server."),
            "post": _operation("Open a league.", body=leagues.NewLeague, status="201"),
        },
        "/api/leagues/{league}": {
            "get": _operation("How a league stands.", LEAGUE, _parameter("key", "query", "One's own key, if any."))
        },
        "/api/leagues/{league}/enter": {
            "post": _operation("Take part.", LEAGUE, body=league_routes.Enter, status="201")
        },
        "/api/leagues/{league}/pair": {
            "post": _operation("Pair the next round.", LEAGUE, body=league_routes.Organise, status="201")
        },
        "/api/leagues/{league}/play": {
            "post": _operation("Sit down at a fixture.", LEAGUE, body=league_routes.SitAt, status="201")
        },
        "/api/leagues/{league}/result": {
            "post": _operation("Enter a result by hand.", LEAGUE, body=league_routes.Decide)
        },
        "/api/leagues/{league}/close": {
            "post": _operation("Take a league out.", LEAGUE, body=league_routes.Organise)
        },
        "/api/lobby": {
            "get": _operation("Open tables, and battles to watch."),
            "post": _operation("Open a table.", body=lobby.OpenOne, status="201"),
        },
        "/api/lobby/{table}/join": {
            "post": _operation("Sit down at a table.", TABLE, LANG, body=lobby.SitDown, status="201", refused=gone)
        },
        "/api/lobby/{table}/seat": {
            "post": _operation("The host's seat, when somebody has come.", TABLE, body=lobby.MyTable, refused=gone)
        },
        "/api/lobby/{table}/close": {"post": _operation("Wait no longer.", TABLE, body=lobby.MyTable, refused=gone)},
        "/api/army/check": {"post": _operation("Check and price a list.", body=battles.CheckArmy)},
        "/api/muster/{game}": {"get": _operation("All that may be picked for an army.", GAME)},
        "/api/muster/{game}/draft": {
            "post": _operation("Check and price a list in the making.", GAME, body=lists.CheckDraft)
        },
        "/api/muster/{game}/export": {
            "post": _operation("A draft as TOML, JSON or plain text.", GAME, body=lists.ExportDraft)
        },
        "/api/muster/{game}/import": {
            "post": _operation("A list as a draft, and notes on it.", GAME, body=lists.ImportList)
        },
        "/api/muster/{game}/invent": {
            "post": _operation("What a unit one makes up costs, part by part.", GAME, body=lists.Invent)
        },
        "/api/muster/{game}/improve": {
            "post": _operation("Begin to make a list better, by battles.", GAME, body=improving.Improve)
        },
        "/api/improve/{job}": {"get": _operation("How far it is, and what was found.", JOB)},
        "/api/improve/{job}/stop": {"post": _operation("Look no further.", JOB)},
        "/api/analysis/{game}": {"get": _operation("What an editor of scenes needs to know of a game.", GAME)},
        "/api/analysis/{game}/look": {
            "post": _operation("The table of a scene.", GAME, LANG, body=position.Position)
        },
        "/api/analysis/{game}/ask": {
            "post": _operation("What is asked in a scene.", GAME, LANG, body=position.AskPosition)
        },
        "/api/analysis/{game}/odds": {
            "post": _operation("The odds of an attack in a scene.", GAME, LANG, body=position.AskStrike)
        },
        "/api/analysis/{game}/case": {
            "post": _operation("A scene as a case that passes.", GAME, body=position.WriteCase)
        },
        "/api/analysis/{game}/map": {"post": _operation("A table as a map file.", GAME, body=files.WriteMap)},
        "/api/analysis/{game}/battle": {
            "post": _operation("A battle that goes on from a scene.", GAME, body=PlayOn, status="201")
        },
        "/api/scenes": {"post": _operation("The scenes of a file.", body=files.ReadFile)},
        "/api/odds/{game}": {"get": _operation("What may be told about an attack, for a form.", GAME)},
        "/api/odds": {"post": _operation("The odds of one unit against another.", body=battles.AskOdds)},
    }  # fmt: skip
    _, schemas = msgspec.json.schema_components(_KINDS.values(), ref_template="#/components/schemas/{name}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Oriflamme", "version": __version__, "description": "The WebSocket is in docs/server.md."},
        "paths": paths,
        "components": {"schemas": schemas},
    }
