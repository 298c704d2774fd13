"""Regiments, characters and all that may be bought for them, on paper (TLAOK-PROF, TLAOK-BUILD).

A faction is made of these cards; a list picks among them. Everything is plain data, so that a save holds it whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from oriflamme.engine.geometry.shapes import Box
from oriflamme.games.tlaok.moments import Keyword, book
from oriflamme.games.tlaok.profile import CHARACTERISTICS, Barrage, Profile, Spell, parse_barrage, parse_event
from oriflamme.games.tlaok.state import Effect

Names = dict[str, str]

MASTERIES: Final = ("tactical", "combat", "arcane")  # TLAOK-MASTERY-03
MODELS: Final = ("leader", "standard")  # and officers, by their ids

# How secondary objectives are won (TLAOK-SEC-04): the conditions a card may have, each with the parameters it takes and
# what they are when the card gives none. What they mean is in `secondaries`.
CONDITIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    # What happened this round: so many enemy regiments destroyed (of these types and classes, if any are given), or
    # broken; charges that reached the enemy, or his flank or rear; duels won, characters removed, spells cast.
    "destroyed": {"number": 1, "types": [], "classes": []},
    "broken": {"number": 1},
    "charged": {"number": 1},
    "flank_charged": {"number": 1},
    "duel_won": {"number": 1},
    "character_slain": {"number": 1},
    "spell_cast": {"number": 1},
    # How things stand when points are counted. Regiments that are Broken do not count for where they are.
    "warlord_dead": {},
    "zones_held": {"number": 1},
    "enemy_half": {"number": 1, "classes": []},
    "near_enemy_edge": {"number": 1, "within": 12},
    "own_half_clear": {},
    "warlord_at_centre": {"within": 9},
    "engaged": {"number": 2},
    "more_regiments": {"number": 1},
    "none_broken": {"number": 3},
    "no_loss": {},
    "garrison_held": {},
}


# What a change may do besides changing a characteristic: halve the Barrage of those who shoot at the regiment, let each
# of its stands count as so many more for capturing (TLAOK-CTRL-04), make it control zones in any case (TLAOK-CTRL-09),
# lengthen its charges (TLAOK-CHARGE-04), let it use so many more draw events when it is activated (TLAOK-DRAW-03).
STATES: Final = ("halved_barrage", "capturing", "controls", "charge", "draw_events")


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What something bought, cast or commanded changes.

    `stat` with `add` or `set`, perhaps up to `cap`; `grant` is a special rule as printed and may have a cap for its
    number; `event` a draw event. `STATES` are stats too.
    What a character buys with `scope` "regiment" is for the regiment he is attached to, himself included.
    """

    stat: str = ""
    add: int = 0
    set: int | None = None
    cap: int | None = None
    grant: str = ""
    event: str = ""
    scope: str = ""

    def effect(self, source: str, rule: str, until: str) -> Effect:
        """The same while a battle lasts, for as long as `until` says."""
        grant = book.parse(self.grant) if self.grant else None
        event = parse_event(self.event) if self.event else None
        return Effect(source, rule, until, self.stat, self.add, self.set, self.cap, grant, event)

    def __str__(self) -> str:
        if self.grant or self.event:
            return self.grant or self.event
        value = f"= {self.set}" if self.set is not None else f"{self.add:+d}"
        return f"{self.stat} {value}" + (f" (max {self.cap})" if self.cap is not None else "")


class SpellCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A spell (TLAOK-MAGIC-03). Its range is in inches, 0 for Self; `target` is "friend", "enemy" or "self".

    `effect` has one or more of: `hits` (so many) or `hits_per_success`, with `rules` of the hits; `changes` laid on the
    target until the round ends; `heal` or `heal_per_success`; `rally`, which takes Broken away.
    """

    id: str
    name: Names
    range: int
    attunement: int
    target: str
    effect: dict[str, Any]
    scaling: bool = False
    needed: int = 2

    @property
    def hits(self) -> bool:
        return "hits" in self.effect or "hits_per_success" in self.effect

    def learn(self) -> Spell:
        return Spell(
            self.id,
            self.name,
            self.range,
            self.attunement,
            self.scaling,
            self.needed,
            self.target,
            self.hits,
            self.effect,
        )


class Stand(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands of one sort are on paper (TLAOK-PROF-01). `bought` are the special rules that were added to those of
    its entry, `states` changes of `STATES`; `base` is how wide and deep it is, in millimetres, where players have
    agreed on sizes of their own (tlaok.standSizes = custom)."""

    id: str
    name: Names
    kind: str
    weight: str
    stats: dict[str, int]
    rules: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    spells: tuple[SpellCard, ...] = ()
    character: bool = False
    bought: tuple[str, ...] = ()
    states: tuple[Change, ...] = ()
    base: tuple[float, float] | None = None

    @property
    def all_rules(self) -> tuple[str, ...]:
        return (*self.rules, *self.bought)

    def with_changes(self, changes: Iterable[Change]) -> Stand:
        """The stand with what was bought for it, which its unmodified values include (TLAOK-PROF-14).

        Values are set before they are added to, and kept under the caps that were set (TLAOK-PROF-18).
        """
        bought = tuple(changes)
        stats = dict(self.stats)
        for change in bought:
            if change.stat in stats and change.set is not None:
                stats[change.stat] = change.set
        for change in bought:
            if change.stat in stats:
                stats[change.stat] += change.add
        for change in bought:
            if change.stat in stats and change.cap is not None:
                stats[change.stat] = min(stats[change.stat], change.cap)
        return msgspec.structs.replace(
            self,
            stats={name: max(0, value) for name, value in stats.items()},
            bought=(*self.bought, *(change.grant for change in bought if change.grant)),
            events=(*self.events, *(change.event for change in bought if change.event)),
            states=(*self.states, *(change for change in bought if change.stat in STATES)),
        )

    def profile(self) -> Profile:
        """The profile itself; equal stands give the same one."""
        return _profile(msgspec.json.encode(self))

    def sized(self, custom: bool) -> Stand:
        """The stand as large as was agreed: by its own entry, or by the table of types (TLAOK-STAND-09)."""
        return self if custom or self.base is None else msgspec.structs.replace(self, base=None)


@lru_cache(maxsize=1024)
def _profile(data: bytes) -> Profile:
    stand = msgspec.json.decode(data, type=Stand)
    barrages = [found for rule in stand.all_rules if (found := parse_barrage(rule)) is not None]
    more = sum(keyword.x for keyword in _keywords(stand.all_rules) if keyword.adds_shots)
    return Profile(
        stand.id,
        stand.name,
        stand.kind,
        stand.weight,
        {name: stand.stats[name] for name in CHARACTERISTICS},
        [keyword for keyword in _keywords(stand.rules) if not keyword.adds_shots],
        [Barrage(barrage.shots + more, barrage.range, barrage.rules) for barrage in barrages],
        [parse_event(event) for event in stand.events],
        [spell.learn() for spell in stand.spells],
        character=stand.character,
        bought=[keyword for keyword in _keywords(stand.bought) if not keyword.adds_shots],
        base=Box(*stand.base) if stand.base is not None else None,
    )


def _keywords(rules: Iterable[str]) -> list[Keyword]:
    """Special rules as printed, but for ranged weapons."""
    return [book.parse(rule) for rule in rules if parse_barrage(rule) is None]


class Extra(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that may be bought: an option of a regiment, an officer, an upgrade or a mastery of a character.

    `category` is that of a mastery or the sort of an upgrade; `unique` if the army may have it once (TLAOK-MASTERY-02).
    `supremacy` is an ability it opens (TLAOK-UPGRADE-01). `points` stands for the formula where a file gives its own.
    """

    id: str
    name: Names
    changes: tuple[Change, ...] = ()
    category: str = ""
    unique: bool = False
    supremacy: str = ""
    points: int | None = None


class Command(msgspec.Struct, frozen=True, omit_defaults=True):
    """The command models a regiment may have (TLAOK-CMD-01): a leader that is "free", to "buy" or none at all."""

    leader: str = ""
    standard: bool = False
    officers: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """All that may be bought, or come for free."""
        return (*(("leader",) if self.leader else ()), *(("standard",) if self.standard else ()), *self.officers)


class RegimentCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A regiment of a faction: one sort of stand, how many there may be, and what may be bought."""

    id: str
    stand: Stand
    least: int
    most: int
    command: Command = Command()
    options: dict[str, Extra] = {}
    points: int | None = None
    extra: int | None = None

    @property
    def name(self) -> Names:
        return self.stand.name


class CharacterCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A character of a faction: its stand, which regiments follow it, and what it may buy.

    `own` is its class if it is a regiment of its own (TLAOK-CHAR-06), else empty. `learns` are spells it may buy.
    """

    id: str
    stand: Stand
    mainstay: tuple[str, ...]
    restricted: tuple[str, ...] = ()
    own: str = ""
    learns: tuple[SpellCard, ...] = ()
    masteries: tuple[str, ...] = ()
    upgrades: tuple[str, ...] = ()
    supremacy: str = ""
    points: int | None = None

    @property
    def name(self) -> Names:
        return self.stand.name

    @property
    def rider(self) -> bool:
        return self.stand.profile().rider


class Supremacy(msgspec.Struct, frozen=True, omit_defaults=True):
    """A supremacy ability (TLAOK-SUPR-07).

    `uses` is "once", "each_round" or "always"; `anywhere` if its character need not be on the table. `on` says whom it
    helps or harms: "own_regiment", "warband", "friends" or "enemies", narrowed down by `types` and `classes` and by
    inches from the character (`within`, 0 for any distance); of these `count` are picked, or all if it is 0.
    What happens: `changes` until the round ends, `heal` wounds, `rally`. One that is always active is for the own
    regiment, and changes it as long as the character is there (TLAOK-SUPR-11).
    """

    id: str
    name: Names
    text: Names
    on: str
    uses: str = "once"
    anywhere: bool = False
    count: int = 0
    within: int = 0
    types: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    heal: int = 0
    rally: bool = False

    @property
    def once(self) -> bool:
        return self.uses == "once"

    @property
    def always(self) -> bool:
        return self.uses == "always"


class ArmyRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """What all regiments of a faction have, or those of some types and classes; characters never (TLAOK-REG-07)."""

    name: Names
    text: Names
    changes: tuple[Change, ...]
    types: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    def reaches(self, stand: Stand) -> bool:
        return (not self.types or stand.kind in self.types) and (not self.classes or stand.weight in self.classes)


class Secondary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A secondary-objective card (TLAOK-SEC-01): its condition is one of CONDITIONS with its parameters."""

    id: str
    name: Names
    text: Names
    when: str
    given: dict[str, Any] = {}
    copies: int = 1

    @property
    def asks(self) -> dict[str, Any]:
        """The condition with all its parameters, the usual ones where the card gives none."""
        return {"when": self.when, **CONDITIONS[self.when], **self.given}


class Faction(msgspec.Struct, frozen=True):
    """A faction: its cards in the order of its file."""

    id: str
    name: Names
    story: Names
    rule: ArmyRule | None
    regiments: dict[str, RegimentCard]
    characters: dict[str, CharacterCard]
    officers: dict[str, Extra]
    upgrades: dict[str, Extra]
    masteries: dict[str, Extra]
    spells: dict[str, SpellCard]
    supremacies: dict[str, Supremacy]
    deck: tuple[Secondary, ...]

    @property
    def units(self) -> dict[str, RegimentCard | CharacterCard]:
        """All that a list may name, characters first."""
        return {**self.characters, **self.regiments}
