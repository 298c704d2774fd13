"""What is told of a battle that is over: the moments that turned it, and what fell when."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from oriflamme.server.site import Site, get, respond
from oriflamme.server.store import SPECTATOR
from oriflamme.server.thinking import GaveUp


async def get_story(site: Site, request: Request) -> Response:
    """How a battle went, when everything may be known."""
    room, _ = await site.seated(request, request.query_params.get("seat", ""))
    async with room.lock:
        await room.ready()
        if not room.disclosed:
            return respond({"error": "not_over"}, 409)
        job = room.job("story", SPECTATOR)
    thought = await site.think(job)
    if thought.failed:
        raise GaveUp(thought.failed)
    return Response(thought.value, media_type="application/json")


ROUTES: Final = (get("/api/battles/{battle}/story", get_story, "thoughts"),)
