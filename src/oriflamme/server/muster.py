"""Mustering over HTTP: what may be picked, drafts checked and priced, lists in and out."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from typing import Annotated, Any, Final, Literal

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.engine.muster import Draft, Muster, as_text, as_toml
from oriflamme.engine.problems import problem_with
from oriflamme.games import load
from oriflamme.server.battles import Body, Request, Word, house_rules
from oriflamme.server.site import Site, body, get, post, respond

Data = dict[str, Any]


Options = dict[Word, Word]


class CheckDraft(Request):
    """A draft to be checked and priced; it need not be finished."""

    draft: Draft
    options: Options = msgspec.field(default_factory=dict)


class ExportDraft(Request):
    """A draft to be written down."""

    draft: Draft
    format: Literal["toml", "json", "text"]
    lang: Literal["en", "fr"] = "en"
    options: Options = msgspec.field(default_factory=dict)


class ImportList(Request):
    """A list to be read: the text of a file, or the id of a ready-made one."""

    text: Body = ""
    ready: Word = ""
    lang: Literal["en", "fr"] = "en"
    options: Options = msgspec.field(default_factory=dict)


class Invent(Request):
    """A unit somebody makes up, with the fields of the game's `form`."""

    profile: Annotated[Data, msgspec.Meta(max_length=40)]


def _muster(request: HttpRequest) -> Muster:
    return load(request.path_params["game"]).desk().muster()


def _options(request: HttpRequest, given: dict[str, str]) -> dict[str, str]:
    game = load(request.path_params["game"])
    return game.defaults() | house_rules(game, given)


async def get_offers(site: Site, request: HttpRequest) -> Response:
    return respond(_muster(request).offers())


async def post_draft(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, CheckDraft)
    muster = _muster(request)
    told = await asyncio.to_thread(muster.checked, wanted.draft, _options(request, wanted.options))
    return respond(told | {"list": muster.to_list(wanted.draft)})


async def post_export(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, ExportDraft)
    muster, options = _muster(request), _options(request, wanted.options)
    list = muster.to_list(wanted.draft)
    match wanted.format:
        case "toml":
            text, ending = as_toml(list), "toml"
        case "json":
            text, ending = msgspec.json.format(msgspec.json.encode(list), indent=2).decode() + "\n", "json"
        case "text":
            text, ending = as_text(muster.checked(wanted.draft, options), muster.offers(), wanted.lang), "txt"
    return respond({"file": f"{_file_name(wanted.draft.name)}.{ending}", "text": text})


async def post_import(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, ImportList)
    muster, options = _muster(request), _options(request, wanted.options)
    if wanted.ready:
        return respond({"draft": muster.find_ready(wanted.ready, wanted.lang), "notes": []})
    if not wanted.text.strip():
        raise problem_with("list", "nothing was given", where="text", hint="paste a list, or choose a file")
    draft, notes = muster.imported(wanted.text, options)
    return respond({"draft": draft, "notes": notes})


async def post_invent(site: Site, request: HttpRequest) -> Response:
    wanted = await body(request, Invent)
    return respond(_muster(request).invented(wanted.profile))


def _file_name(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:60] or "list"


ROUTES: Final = (
    get("/api/muster/{game}", get_offers),
    post("/api/muster/{game}/draft", post_draft),
    post("/api/muster/{game}/export", post_export),
    post("/api/muster/{game}/import", post_import),
    post("/api/muster/{game}/invent", post_invent),
)
