"""What a model and its weapons are. Profiles never change during a battle; copies of a battle share them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.state import key_of
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Base, Disc
from oriflamme.games.aof.moments import Keyword, KeywordSet, book

# Groups of attacks are resolved in this order (AOF-HIT-02).
TAKEDOWN_FIRST = 0
DEADLY_NEXT = 1
THEN_THE_REST = 2


class Weapon:
    """A weapon type: name, range in millimetres (0 in melee), Attacks and special rules (AOF-SHOOT-03)."""

    def __init__(self, name: str, range: float, attacks: int, keywords: Iterable[Keyword] = ()) -> None:
        self.name = name
        self.range = range
        self.attacks = attacks
        self.keywords: KeywordSet = book.set_of(keywords)
        self.precedence = THEN_THE_REST
        self.needs_sight = True
        self.strikes_first = False
        self.used_once = False
        self.picks_victim = False
        at(Keyword.when_forged, (self.keywords,), self)

    def with_rules(self, rules: Iterable[Keyword]) -> Weapon:
        """The same weapon with more rules."""
        return Weapon(self.name, self.range, self.attacks, (*self.keywords, *rules))

    @property
    def melee(self) -> bool:
        return self.range <= 0

    @cached_property
    def type(self) -> str:
        """The weapon type: its name and its full list of rules (AOF-SHOOT-03)."""
        rules = ", ".join(sorted(map(str, self.keywords)))
        return f"{self.name} [{rules}]" if rules else self.name

    def facts(self) -> list[Any]:
        """All that it is made of."""
        return [self.name, self.range, self.attacks, self.keywords]

    def identity(self) -> str:
        return key_of(self)

    def __repr__(self) -> str:
        reach = "melee" if self.melee else f'{self.range / inches(1):g}"'
        rules = "".join(f", {k}" for k in self.keywords)
        return f"{self.name} ({reach}, A{self.attacks}{rules})"


class Profile:
    """A model: Quality, Defense, weapons, special rules, base and height (AOF-GEN-01)."""

    def __init__(
        self,
        name: str,
        quality: int,
        defense: int,
        weapons: Iterable[Weapon] = (),
        keywords: Iterable[Keyword] = (),
        base: Base | None = None,
        height: float = inches(1.25),
    ) -> None:
        self.name = name
        self.quality = quality
        self.defense = defense
        self.keywords: KeywordSet = book.set_of(keywords)
        # A rule of weapons that is printed on a model holds for all its weapons.
        lent = [k for k in self.keywords if "weapon" in k.on and "model" not in k.on]
        self.weapons: tuple[Weapon, ...] = tuple(w.with_rules(lent) if lent else w for w in weapons)
        self.base: Base = base or Disc(12.5)
        self.height = height
        self.tough = 1
        self.has_tough = False
        self.hero = False
        self.caster = 0
        self.reserves: frozenset[str] = frozenset()
        at(Keyword.when_mustered, (self.keywords,), self)
        self.melee_weapons = tuple(w for w in self.weapons if w.melee)
        self.ranged_weapons = tuple(w for w in self.weapons if not w.melee)
        self.weapon_keywords: KeywordSet = book.set_of(k for w in self.weapons for k in w.keywords)

    @property
    def radius(self) -> float:
        return self.base.reach

    def facts(self) -> list[Any]:
        """All that it is made of."""
        return [self.name, self.quality, self.defense, self.weapons, self.keywords, self.base, self.height]

    def identity(self) -> str:
        return key_of(self)

    def __repr__(self) -> str:
        return f"<{self.name} Q{self.quality}+ D{self.defense}+ {self.keywords!r} {list(self.weapons)!r}>"
