"""List building over HTTP: what may be picked, drafts checked and priced, lists in and out."""

from __future__ import annotations

import re
import unicodedata
from base64 import b64decode
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from oriflamme.engine.lists.drafts import Draft
from oriflamme.engine.lists.printing import as_text
from oriflamme.engine.lists.toml import as_toml
from oriflamme.engine.lists.units import plain
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.server.battles import Body, Request, Word, house_rules
from oriflamme.server.site import Endpoint, Site, body, get, post, respond

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
    packed: Body = ""
    """A roster file of another program, in base64; it may be packed by gzip."""
    ready: Word = ""
    lang: Literal["en", "fr"] = "en"
    options: Options = msgspec.field(default_factory=dict)


class Invent(Request):
    """A unit somebody makes up, with the fields of the game's `form`."""

    profile: Annotated[Data, msgspec.Meta(max_length=40)]


LINK: Final = re.compile(r"(https?://|www\.)\S+")


# -- called in another process: a draft may hold whatever somebody likes -----------------------------------------------


def _options(game: str, given: dict[str, str]) -> dict[str, str]:
    known = load(game)
    return known.defaults() | house_rules(known, given)


def checked(game: str, wanted: CheckDraft) -> Data:
    """A draft with its costs and problems, and as a list file has it."""
    armies = load(game).armies()
    found = armies.checked(wanted.draft, _options(game, wanted.options))
    return plain(found) | {"list": armies.to_list(wanted.draft)}


def exported(game: str, wanted: ExportDraft) -> Data:
    """A draft written down."""
    armies, options = load(game).armies(), _options(game, wanted.options)
    list = armies.to_list(wanted.draft)
    match wanted.format:
        case "toml":
            text, ending = as_toml(list), "toml"
        case "json":
            text, ending = msgspec.json.format(msgspec.json.encode(list), indent=2).decode() + "\n", "json"
        case "text":
            text, ending = as_text(armies.checked(wanted.draft, options), armies.offers(), wanted.lang), "txt"
    return {"file": f"{_file_name(wanted.draft.name)}.{ending}", "text": text}


def imported(game: str, wanted: ImportList) -> Data:
    """A list as a draft, and what its player should know."""
    armies, options = load(game).armies(), _options(game, wanted.options)
    if wanted.ready:
        return {"draft": armies.find_ready(wanted.ready, wanted.lang), "notes": []}
    if wanted.packed:
        try:
            content = b64decode(wanted.packed, validate=True)
        except ValueError:
            raise problem_with("list", notice("no_roster"), where="packed", hint=notice("export_again")) from None
        draft, notes = armies.import_roster(content, "list", options)
        return {"draft": draft, "notes": notes}
    if not wanted.text.strip():
        raise problem_with("list", notice("nothing_given"), where="text", hint=notice("paste_or_choose"))
    if LINK.fullmatch(wanted.text.strip()):
        raise problem_with("list", notice("is_a_link"), where="text", hint=notice("paste_what_it_has"))
    draft, notes = armies.import_text(wanted.text, options)
    return {"draft": draft, "notes": notes}


def invented(game: str, wanted: Invent) -> Data:
    """What a unit that somebody makes up costs."""
    return plain(load(game).armies().priced(wanted.profile))


# -- over HTTP ---------------------------------------------------------------------------------------------------------


async def get_offers(site: Site, request: HttpRequest) -> Response:
    return respond(load(request.path_params["game"]).armies().offers())


W = TypeVar("W", bound=Request)


def _apart(kind: type[W], function: Callable[[str, W], Data]) -> Endpoint:
    """A request that is answered in another process."""

    async def answer(site: Site, request: HttpRequest) -> Response:
        wanted = await body(request, kind)
        return respond(await site.apart(function, request.path_params["game"], wanted))

    return answer


async def post_import(site: Site, request: HttpRequest) -> Response:
    """A list as a draft. One that a link shares is fetched first, where the owner of the server allows it."""
    game, wanted = request.path_params["game"], await body(request, ImportList)
    address = load(game).armies().shared_at(wanted.text) if site.fetcher.allowed and wanted.text else ""
    if address:
        wanted = msgspec.structs.replace(wanted, text=await site.fetcher.text_at(address))
    return respond(await site.apart(imported, game, wanted))


def _file_name(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:60] or "list"


ROUTES: Final = (
    get("/api/muster/{game}", get_offers),
    post("/api/muster/{game}/draft", _apart(CheckDraft, checked), "thoughts"),
    post("/api/muster/{game}/export", _apart(ExportDraft, exported), "thoughts"),
    post("/api/muster/{game}/import", post_import, "thoughts"),
    post("/api/muster/{game}/invent", _apart(Invent, invented), "thoughts"),
)
