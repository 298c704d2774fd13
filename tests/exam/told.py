"""What a server tells of a battle as it stands: to each side, and to those who watch."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from oriflamme.engine.core.play import Play
from oriflamme.server.clients import Client
from oriflamme.server.eye_aids import aids_for, why_not_now
from oriflamme.server.room import Room
from oriflamme.server.store import SPECTATOR, Record, seed_hash

SALT = "salt"


class Listening:
    """A table that somebody asks everything about, battle by battle."""

    def __init__(self, play: Play) -> None:
        record = Record(
            id="battle",
            game=play.game.id,
            rules=play.game.version,
            title="",
            mode="invite",
            players=("",) * play.battle.players,
            options={},
            setup=msgspec.json.encode(play.setup),
            seed=play.seed,
            salt=SALT,
            seed_hash=seed_hash(play.seed, SALT),
            pace=0.0,
            created=0.0,
        )
        # Nothing is stored and nobody thinks here.
        self.room = Room(record, cast("Any", None), cast("Any", None))

    def told(self, play: Play, side: int) -> dict[str, Any]:
        """Everything a side is told, or who watches (-1): the table, the log, questions, aids and reasons."""
        room = self.room
        room.play = play
        room.views.begin_anew(play)
        room._changed()
        client = Client(side, () if side == SPECTATOR else (side,), "en" if len(play.answers) % 2 else "fr")
        said: dict[str, Any] = msgspec.json.decode(room.hello(client))
        views, units = room.views, sorted(room.views.seen(side).units)
        said["threats"] = aids_for(views, side, client.lang, threats=True, option="")
        said["why"] = [why_not_now(views, side, client.lang, unit) for unit in (*units[:1], *units[-1:])]
        return cast("dict[str, Any]", msgspec.json.decode(msgspec.json.encode(said, enc_hook=str)))
