"""What a fighter is (SBH-PROFILE): Quality, Combat, special rules, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from oriflamme.engine.core.keywords import at
from oriflamme.games.sbh.moments import Keyword, book

NORMAL, BIG, HUGE = 0, 1, 2


class Profile:
    """A fighter as his card says. Never altered once made; fighters share it. Special rules settle the flags."""

    __slots__ = (
        "_changed",
        "animal",
        "card",
        "casts",
        "combat",
        "entangles",
        "flies",
        "gruesome_kin",
        "heals",
        "hero",
        "keywords",
        "kinds",
        "leads",
        "living",
        "mounted",
        "move",
        "named",
        "never_flees",
        "one_move",
        "poisonable",
        "quality",
        "race",
        "range",
        "safe_falls",
        "shy",
        "size",
        "swarm",
        "terrible",
        "walks_walls",
    )

    def __init__(
        self, card: str, race: str, quality: int, combat: int, keywords: Iterable[Keyword], kinds: Iterable[str] = ()
    ) -> None:
        self.card = card
        self.race = race
        self.quality = quality
        self.combat = combat
        # What Deadly may name: by his card, and with what special rules add: "orcs", "mages"... (SBH-SR-DEADLY-04).
        self.named = self.kinds = frozenset(kinds)
        self.size = NORMAL
        self.move = "medium"
        self.range = ""
        self.mounted = False
        self.flies = False
        self.living = True
        self.poisonable = True
        self.animal = False
        self.swarm = False
        self.hero = False
        self.leads = False
        self.casts = False
        self.heals = False
        self.entangles = False
        self.terrible = False
        self.one_move = False
        self.never_flees = False
        self.safe_falls = False
        self.walks_walls = False
        # Cannot be aimed at while touching cover.
        self.shy = False
        # Whether only others of its own type are shaken by its gruesome death.
        self.gruesome_kin = False
        self.keywords = book.set_of(keywords)
        self._changed: dict[str, Profile] = {}
        at(Keyword.when_mustered, (self.keywords,), self)

    def without(self, title: str) -> Profile:
        """The same fighter without one of his special rules."""
        found = self._changed.get(title)
        if found is None:
            found = self._changed[title] = self._with(k for k in self.keywords if k.title != title)
        return found

    def along_with(self, extra: Keyword) -> Profile:
        """The same fighter with one more special rule."""
        found = self._changed.get(str(extra))
        if found is None:
            found = self._changed[str(extra)] = self._with((*self.keywords, extra))
        return found

    def _with(self, keywords: Iterable[Keyword]) -> Profile:
        return Profile(self.card, self.race, self.quality, self.combat, keywords, self.named)

    def __reduce__(self) -> tuple[type[Profile], tuple[Any, ...]]:
        return Profile, (self.card, self.race, self.quality, self.combat, tuple(self.keywords), self.named)

    def identity(self) -> list[Any]:
        return [self.card, self.race, self.quality, self.combat, self.keywords, self.named]

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(k.title for k in self.keywords)


# Races and profiles that Deadly names, beyond those a special rule shows (SBH-SR-DEADLY-04).
_NAMED = {
    "troll": ("trolls",),
    "young-dragon": ("dragons",),
    "adult-dragon": ("dragons",),
    "venerable-dragon": ("dragons",),
}


@lru_cache(maxsize=20_000)
def profile_of(card: str, race: str, quality: int, combat: int, rules: tuple[str, ...]) -> Profile:
    """The profile that a card describes, its special rules as they are printed; equal ones are the same object."""
    keywords = [book.parse(rule) for rule in rules]
    kinds = set(_NAMED.get(card, ()))
    if race == "orcs_and_goblins" and "orc" in card.split("-"):
        kinds.add("orcs")
    return Profile(card, race, quality, combat, keywords, kinds)
