"""Lists at share links of other programs, fetched only where the owner of the server allows it.

A game says at which address the list of a share link stands, and no other address is ever asked. What comes is bounded
in size and time; who sends elsewhere is not followed.
"""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import IO, Any, Final

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with

LARGEST: Final = 2_000_000  # bytes of a list
PATIENCE: Final = 10.0  # seconds
AT_ONCE: Final = 2  # lists that are fetched at the same time


class _StaysThere(urllib.request.HTTPRedirectHandler):
    """Whoever sends elsewhere is not followed."""

    def redirect_request(self, req: Any, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


class Fetcher:
    """Fetches lists, a few at a time; nothing at all unless `allowed`."""

    def __init__(self) -> None:
        self.allowed = False
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def text_at(self, address: str) -> str:
        """What stands at an address; raises Problems."""
        async with self._turn:
            return await asyncio.to_thread(fetched, address)


def fetched(address: str) -> str:
    """What stands at an address, as text; raises Problems."""
    asked = urllib.request.Request(address, headers={"accept": "application/json", "user-agent": "oriflamme"})
    try:
        with urllib.request.build_opener(_StaysThere).open(asked, timeout=PATIENCE) as answer:
            content: bytes = answer.read(LARGEST + 1)
    except (OSError, HTTPException, ValueError) as error:
        reason = f"{error.code} {error.reason}" if isinstance(error, urllib.error.HTTPError) else str(error)
        what = notice("not_fetched", reason=reason[:200])
        raise problem_with("list", what, where="text", hint=notice("paste_what_it_has")) from None
    if len(content) > LARGEST:
        raise problem_with("list", notice("file_too_long", most=LARGEST), where="text", hint=notice("send_less"))
    return content.decode("utf-8", errors="replace")
