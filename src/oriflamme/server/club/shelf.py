"""Where a club's own things are kept, beside the battles and in the same database.

What belongs to a battle goes when the battle goes.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import Boolean, Column, ForeignKey, Integer, MetaData, String, Table, insert, select
from sqlalchemy.exc import IntegrityError

from oriflamme.server.store import BATTLES, Store

METADATA: Final = MetaData()

_rematches = Table(
    "rematches",
    METADATA,
    Column("battle", ForeignKey(BATTLES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("next", ForeignKey(BATTLES.c.id, ondelete="CASCADE"), nullable=False, unique=True),
    Column("by", Integer, nullable=False),
    Column("swapped", Boolean, nullable=False),
    Column("watch", String(64), nullable=False),
)


class Rematch(msgspec.Struct, frozen=True):
    """The battle that is played after another one: who asked for it, and whether sides were changed."""

    battle: str
    next: str
    by: int
    swapped: bool
    watch: str
    """The secret of those who watch."""


class Shelf:
    """A club's own things in the database of the battles."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.engine = store.engine
        store.adopt(METADATA)

    # -- playing again -------------------------------------------------------------------------------------------------

    def rematch(self, battle: str) -> Rematch | None:
        """What is played after this battle, if anything is."""
        with self.engine.connect() as connection:
            found = connection.execute(select(_rematches).where(_rematches.c.battle == battle)).one_or_none()
        return Rematch(*found) if found is not None else None

    def add_rematch(self, made: Rematch) -> Rematch:
        """Note what is played after a battle; if somebody was quicker, it is his."""
        try:
            with self.engine.begin() as connection:
                connection.execute(insert(_rematches).values(**msgspec.structs.asdict(made)))
        except IntegrityError:
            return self.rematch(made.battle) or made
        return made
