"""What a faction offers and a list chooses: units with their options, duos, specialists with their skills."""

from __future__ import annotations

import msgspec

from oriflamme.engine.lists.plain import Army, Faction, Troop, UnitCard
from oriflamme.games.lfw.sheets import SheetData, WeaponData


class Extra(msgspec.Struct, frozen=True):
    """An option of a sheet: weapons and rules it adds, weapons it takes away (LFW-WPN-01)."""

    id: str
    name: dict[str, str]
    cost: int
    rules: tuple[str, ...] = ()
    weapons: tuple[WeaponData, ...] = ()
    replaces: tuple[str, ...] = ()


class Card(UnitCard, frozen=True):
    """A unit of a faction: its sheet; the mounts it may ride, and whether it is only ever ridden (LFW-MISS-06); how
    many spells of its domains it knows (LFW-MISS-04); how many of it an army may have, 0 for any number."""

    sheet: SheetData = SheetData()
    mounts: tuple[str, ...] = ()
    ridden: bool = False
    knows: int = 0
    most: int = 0
    options: dict[str, Extra] = msgspec.field(default_factory=dict)

    def equipped(self, taken: tuple[str, ...]) -> SheetData:
        """Its sheet with the options it has taken."""
        extras = [self.options[id] for id in taken if id in self.options]
        if not extras:
            return self.sheet
        gone = {id for extra in extras for id in extra.replaces}
        weapons = tuple(weapon for weapon in self.sheet.weapons if weapon.id not in gone)
        return msgspec.structs.replace(
            self.sheet,
            weapons=(*weapons, *(weapon for extra in extras for weapon in extra.weapons)),
            rules=(*self.sheet.rules, *(rule for extra in extras for rule in extra.rules)),
        )

    def price(self, taken: tuple[str, ...]) -> int:
        """What it costs with these options."""
        return self.cost + sum(self.options[id].cost for id in taken if id in self.options)


class People(Faction[Card], frozen=True):
    """A faction, and the word that scenarios know its kind by (LFW-ARMY-01, LFW-MISS-01)."""

    keyword: str = ""


class Enlisted(Troop[Card], frozen=True):
    """A unit of a list, or a duo of rider and mount, with all that was chosen for it. `specialist` says which of a duo
    is the specialist (LFW-CAV-03), `fee` is what being one costs (LFW-SPEC-06). In the army that nobody owns, `wave` is
    what it is there, and `behaviour` how it acts (LFW-LEG1-06, -08)."""

    mount: Card | None = None
    options: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    specialisation: str = ""
    level: int = 0
    skills: tuple[str, ...] = ()
    specialist: str = "rider"
    fee: int = 0
    wave: str = ""
    behaviour: str = ""

    @property
    def cards(self) -> tuple[Card, ...]:
        return (self.card,) if self.mount is None else (self.card, self.mount)

    @property
    def expert(self) -> Card:
        """Who of a duo is the specialist, if it is one."""
        return self.mount if self.mount is not None and self.specialist == "mount" else self.card

    @property
    def each(self) -> int:
        """What one of it costs: rider, mount, options, level (LFW-ARMY-09)."""
        return sum(card.price(self.options) for card in self.cards) + self.fee

    @property
    def cost(self) -> int:
        return self.each * self.count


class Warband(Army[Card], frozen=True):
    """A list that was checked. `keyword` is that of its faction."""

    troops: tuple[Enlisted, ...]
    keyword: str = ""
