"""The tables of a store: battles with their seats and answers, campaigns with their lines."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

VERSION: Final = 2
"""Of the tables. What a database of an earlier version lacks is added; one of a later version is not touched."""

METADATA: Final = MetaData()
battles = Table(
    "battles",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("game", String(16), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("mode", String(16), nullable=False),
    Column("players", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("setup", LargeBinary, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("seed_hash", String(64), nullable=False),
    Column("pace", Float, nullable=False),
    Column("created", Float, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("undo", Text, nullable=False),
    Column("given", Text, nullable=False, server_default="[]"),
    Column("parent", String(32), nullable=False, server_default=""),
    Column("seeds", Text, nullable=False, server_default="[]"),
    Column("analysis", Boolean, nullable=False, server_default=false()),
    # When somebody last answered; 0 in a battle of before this was noted.
    Column("touched", Float, nullable=False, server_default="0"),
)
seats = Table(
    "seats",
    METADATA,
    Column("secret", String(64), primary_key=True),
    Column("battle", ForeignKey("battles.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("side", Integer, nullable=False),
)
answers = Table(
    "answers",
    METADATA,
    Column("battle", ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("side", Integer, nullable=False),
    Column("ask", Text, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("dice", Text, nullable=False),
    Column("events", LargeBinary, nullable=False),
)

passes = Table(
    "passes",
    METADATA,
    Column("battle", ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),
    Column("ask", String(80), primary_key=True),
    Column("words", Text, nullable=False),
)

campaigns = Table(
    "campaigns",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("game", String(16), nullable=False),
    Column("title", Text, nullable=False),
    Column("mode", String(16), nullable=False),
    Column("players", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("seed_hash", String(64), nullable=False),
    Column("pace", Float, nullable=False),
    Column("created", Float, nullable=False),
    Column("lines", Integer, nullable=False),
)
campaign_seats = Table(
    "campaign_seats",
    METADATA,
    Column("secret", String(64), primary_key=True),
    Column("campaign", ForeignKey("campaigns.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("side", Integer, nullable=False),
)
campaign_lines = Table(
    "campaign_lines",
    METADATA,
    Column("campaign", ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
campaign_battles = Table(
    "campaign_battles",
    METADATA,
    Column("campaign", ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("battle", ForeignKey("battles.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("settled", Boolean, nullable=False),
)

# What a store says of itself, such as the version of its tables.
about = Table(
    "about",
    METADATA,
    Column("key", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)
