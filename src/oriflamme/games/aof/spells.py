"""Spells: what a Caster may try with its tokens (AOF-SR-CASTER). The book has none, so the factions bring their own."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import msgspec

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Reader
from oriflamme.games.aof.moments import Keyword, KeywordSet, book

TARGETS = ("enemy", "friend")
MOST_VALUE = 3


class Spell(msgspec.Struct, frozen=True, dict=True):
    """A spell, as plain data: its value in tokens, its reach in millimetres, whom it may touch and what it does.

    It does exactly one thing: hits each target (`hits` hits with the special rules `keywords`), lays special rules on
    each target until the round ends (`gives`), or heals wounds of each target (`heals`).
    """

    id: str
    name: dict[str, str]
    value: int
    range: float
    targets: Literal["enemy", "friend"]
    count: int = 1
    hits: int = 0
    hit_rules: tuple[str, ...] = ()
    laid_rules: tuple[str, ...] = ()
    heals: int = 0

    @cached_property
    def keywords(self) -> KeywordSet:
        """The special rules of its hits."""
        return book.set_of(map(book.parse, self.hit_rules))

    @cached_property
    def gives(self) -> tuple[Keyword, ...]:
        """What it lays on its targets until the round ends; a rule of weapons then counts for all their weapons."""
        return tuple(map(book.parse, self.laid_rules))

    def __hash__(self) -> int:
        return hash((self.id, self.value, self.range))


def read_spell(id: str, table: Reader, name: dict[str, str], hit: tuple[str, ...], laid: tuple[str, ...]) -> Spell:
    """A spell as a faction file has it; `name`, `hit` and `laid` are already read."""
    effects = [key for key in ("hits", "gives", "heals") if table.has(key)]
    if not effects:
        table.problem("", notice("spell_does_nothing"), hint=notice("give_it", keys=["hits", "gives", "heals"]))
    elif len(effects) > 1:
        table.problem("", notice("spell_does_several", effects=", ".join(effects)), hint=notice("spell_does_one"))
    if hit and "hits" not in effects:
        table.problem("keywords", notice("only_hits_have_rules"), hint=notice("laid_rule_in_gives"))
    targets = table.choice("targets", TARGETS, what="kind of target")
    return Spell(
        id=id,
        name=name,
        value=table.integer("value", low=1, high=MOST_VALUE),
        range=inches(table.number("range", low=1, high=72)),
        targets="friend" if targets == "friend" else "enemy",
        count=table.integer("count", low=1, high=6, default=1),
        hits=table.integer("hits", low=1, high=60, default=0),
        hit_rules=hit,
        laid_rules=laid,
        heals=table.integer("heals", low=1, high=20, default=0),
    )
