"""What a stand is (TLAOK-PROF): type and class, eight characteristics, draw events, special rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.keywords import UnknownKeyword, at
from oriflamme.engine.core.state import key_of
from oriflamme.engine.geometry.shapes import Box
from oriflamme.engine.words.notices import notice
from oriflamme.games.tlaok.measures import SIZES, STANDS
from oriflamme.games.tlaok.moments import Keyword, book

CHARACTERISTICS: Final = ("march", "volley", "clash", "attacks", "wounds", "resolve", "defence", "evasion")
# The letters they are printed with (TLAOK-PROF-06 to -13).
LETTERS: Final = dict(zip("MVCAWRDE", CHARACTERISTICS, strict=True))

# The draw events by id, as printed; {x} where a number stands (TLAOK-DE). Eruption is our own: the book has a rule for
# draw events that cause hits (TLAOK-DRAW-07) and none that does.
DRAW_EVENTS: Final = {
    "bastion": "Bastion ({x})",
    "biotic_renewal": "Biotic Renewal",
    "burnout": "Burnout",
    "double_time": "Double Time",
    "eruption": "Eruption ({x})",
    "fire_and_advance": "Fire and Advance",
    "flux_powered": "Flux-Powered",
    "murderous_volley": "Murderous Volley",
    "regeneration": "Regeneration ({x})",
}


class Barrage(NamedTuple):
    """A ranged weapon: shots a stand, range in inches, special rules of its shots (TLAOK-SR-BARRAGE)."""

    shots: int
    range: int
    rules: tuple[Keyword, ...] = ()

    def __str__(self) -> str:
        rules = "".join(f", {rule}" for rule in self.rules)
        return f'Barrage ({self.shots}) ({self.range}"{rules})'


class DrawEvent(NamedTuple):
    """A draw event as printed: `bastion` with its number; `adds` if written (+X), and whether it must be used."""

    id: str
    x: int = 0
    adds: bool = False
    mandatory: bool = False

    def __str__(self) -> str:
        return DRAW_EVENTS[self.id].replace("{x}", f"+{self.x}" if self.adds else str(self.x))


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


_BARRAGE: Final = re.compile(r"\s*Barrage\s*\(\s*(\d+)\s*\)\s*\(\s*(\d+)\s*(?:\"|in)?\s*(?:,(.*))?\)\s*", re.IGNORECASE)
_EVENT: Final = re.compile(r"\s*([^()]+?)\s*(?:\(\s*(\+?)\s*(\d+)\s*\))?\s*(!?)\s*")


def parse_barrage(text: str) -> Barrage | None:
    """A ranged weapon as printed, `Barrage (4) (24", Armor Piercing (1))`; None if it is something else."""
    found = _BARRAGE.fullmatch(text)
    if found is None:
        return None
    rules = [rule for rule in (found[3] or "").split(",") if rule.strip()]
    return Barrage(int(found[1]), int(found[2]), tuple(book.parse(rule) for rule in rules))


def parse_event(text: str) -> DrawEvent:
    """A draw event as printed, `Bastion (+1)`; with `!` behind it if it must be used. Raises UnknownKeyword."""
    found = _EVENT.fullmatch(text)
    named = re.sub(r"[\s\-]+", "_", (found[1] if found else text).strip().lower())
    printed = DRAW_EVENTS.get(named)
    if found is None or printed is None:
        raise UnknownKeyword(text, notice("no_draw_event", event=text))
    if ("{x}" in printed) != (found[3] is not None):
        code = "needs_its_number" if "{x}" in printed else "takes_no_number"
        raise UnknownKeyword(text, notice(code, rule=text), notice("write_quoted", text=printed.replace("{x}", "1")))
    return DrawEvent(named, int(found[3] or 0), bool(found[2]), bool(found[4]))


def best_events(events: Iterable[DrawEvent]) -> tuple[DrawEvent, ...]:
    """Each draw event once: the best of its numbers, and on top of it those written (+X) (TLAOK-DRAW-06)."""
    best: dict[str, DrawEvent] = {}
    added: dict[str, int] = {}
    for event in events:
        held = best.setdefault(event.id, DrawEvent(event.id, adds=True))
        must = held.mandatory or event.mandatory
        if event.adds:
            added[event.id] = added.get(event.id, 0) + event.x
        best[event.id] = DrawEvent(
            event.id, held.x if event.adds else max(held.x, event.x), held.adds and event.adds, must
        )
    return tuple(e._replace(x=e.x + added.get(e.id, 0)) for e in best.values())


class Profile:
    """A stand as its list entry says, with everything bought for it (TLAOK-PROF-14). Never altered once made; stands
    share it. Special rules settle the flags.

    `name` is the printed name, which its command card carries (TLAOK-CARD-02). Two profiles of one name are
    interchangeable for cards. `bought` are the special rules it did not have by itself: they never reach an attached
    character (TLAOK-REG-07), as `printed` ones may.
    """

    __slots__ = (
        "attacks",
        "barrages",
        "base",
        "caster",
        "character",
        "clash",
        "defence",
        "evasion",
        "events",
        "flies",
        "id",
        "irregular",
        "keywords",
        "kind",
        "march",
        "name",
        "printed",
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
        bought: Iterable[Keyword] = (),
        base: Box | None = None,
    ) -> None:
        self.id = id
        self.name = name
        self.kind = kind
        # As large as stands of its type are, unless something else was agreed (TLAOK-STAND-09).
        self.base = base or STANDS[kind]
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
        self.events = best_events(events)
        self.spells = tuple(spells)
        self.character = character
        # Dice for casting, 0 for who is no Wizard or Priest; whether it flies; whether it rides a Monster.
        self.caster = 0
        self.flies = False
        self.rider = False
        # Ignored for reinforcement lines (TLAOK-SR-IRREGULAR); comes when its player says so (TLAOK-SR-FLANK).
        self.irregular = False
        self.printed = book.set_of(keywords)
        self.keywords = book.set_of((*self.printed, *bought))
        at(Keyword.when_mustered, (self.keywords,), self)

    @property
    def size(self) -> int:
        return SIZES[self.kind]

    def characteristics(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in CHARACTERISTICS}

    def facts(self) -> dict[str, Any]:
        """All that it is made of."""
        return {slot: getattr(self, slot) for slot in self.__slots__}

    def identity(self) -> str:
        return key_of(self)

    def __repr__(self) -> str:
        return f"<{self.id}>"
