"""The battles that are being played now, for those who would like to watch.

Only those that began at an open table are listed: whoever plays by a link that he was sent plays for himself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oriflamme.server.club.shelf import Shelf
    from oriflamme.server.rooms import Rooms


class Live:
    """Which battles were begun in the open, and the links to watch them."""

    def __init__(self, rooms: Rooms, shelf: Shelf) -> None:
        self.rooms = rooms
        self.shelf = shelf

    async def data(self, most: int) -> list[dict[str, Any]]:
        """Those at which somebody sits, the newest first."""
        going = {room.record.id: room for room in self.rooms.busy() if not room.over}
        links = await self.rooms.run(self.shelf.watched, list(going)) if going else {}
        found = []
        for id, link in links.items():
            about = going[id].summary()
            told = {key: about[key] for key in ("id", "game", "title", "round", "armies")}
            found.append(told | {"link": link, "created": about["created"]})
        return sorted(found, key=lambda one: -one["created"])[:most]
