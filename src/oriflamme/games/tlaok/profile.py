"""What a stand is (TLAOK-PROF): type and class, eight characteristics, draw events, special rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry import Box
from oriflamme.engine.keywords import at
from oriflamme.games.tlaok.measures import SIZES, STANDS
from oriflamme.games.tlaok.moments import Keyword, book

CHARACTERISTICS: Final = ("march", "volley", "clash", "attacks", "wounds", "resolve", "defence", "evasion")


class Barrage(NamedTuple):
    """A ranged weapon: shots a stand, range in inches, special rules of its shots (TLAOK-SR-BARRAGE)."""

    shots: int
    range: int
    rules: tuple[Keyword, ...] = ()

    def __str__(self) -> str:
        rules = "".join(f", {rule}" for rule in self.rules)
        return f'Barrage({self.shots}) ({self.range}"{rules})'


class DrawEvent(NamedTuple):
    """A draw event as printed: `bastion` with its number; `adds` if written (+X), and whether it must be used."""

    id: str
    x: int = 0
    adds: bool = False
    mandatory: bool = False


class Spell(NamedTuple):
    """A spell as its card says (TLAOK-MAGIC-03): `range` in inches, 0 for Self; `effect` is what it does, as data."""

    id: str
    name: Mapping[str, str]
    range: int
    attunement: int
    scaling: bool
    needed: int
    target: str
    hits: bool
    effect: Mapping[str, Any]


class Profile:
    """A stand as its list entry says, with everything bought for it (TLAOK-PROF-14). Never altered once made; stands
    share it. Special rules settle the flags.

    `name` is the printed name, which its command card carries (TLAOK-CARD-02). Two profiles of one name are
    interchangeable for cards.
    """

    __slots__ = (
        "attacks",
        "barrages",
        "caster",
        "character",
        "clash",
        "defence",
        "evasion",
        "events",
        "flanks",
        "flies",
        "id",
        "irregular",
        "keywords",
        "kind",
        "march",
        "name",
        "resolve",
        "rider",
        "spells",
        "volley",
        "weight",
        "wounds",
    )

    def __init__(
        self,
        id: str,
        name: Mapping[str, str],
        kind: str,
        weight: str,
        characteristics: Mapping[str, int],
        keywords: Iterable[Keyword] = (),
        barrages: Iterable[Barrage] = (),
        events: Iterable[DrawEvent] = (),
        spells: Iterable[Spell] = (),
        *,
        character: bool = False,
    ) -> None:
        self.id = id
        self.name = name
        self.kind = kind
        # The class: "light", "medium" or "heavy"; "" for a character, who takes that of his regiment (TLAOK-CHAR-02).
        self.weight = weight
        self.march = characteristics["march"]
        self.volley = characteristics["volley"]
        self.clash = characteristics["clash"]
        self.attacks = characteristics["attacks"]
        self.wounds = characteristics["wounds"]
        self.resolve = characteristics["resolve"]
        self.defence = characteristics["defence"]
        self.evasion = characteristics["evasion"]
        self.barrages = tuple(barrages)
        self.events = tuple(events)
        self.spells = tuple(spells)
        self.character = character
        # Dice for casting, 0 for who is no Wizard or Priest; whether it flies; whether it rides a Monster.
        self.caster = 0
        self.flies = False
        self.rider = False
        # Ignored for reinforcement lines (TLAOK-SR-IRREGULAR); comes when its player says so (TLAOK-SR-FLANK).
        self.irregular = False
        self.flanks = False
        self.keywords = book.set_of(keywords)
        at(Keyword.when_mustered, (self.keywords,), self)

    @property
    def base(self) -> Box:
        return STANDS[self.kind]

    @property
    def size(self) -> int:
        return SIZES[self.kind]

    def characteristics(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in CHARACTERISTICS}

    def __repr__(self) -> str:
        return f"<{self.id}>"
