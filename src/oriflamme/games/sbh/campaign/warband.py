"""A band through a campaign: who is in it, what befell them, what they have learned and earned."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from oriflamme.games.sbh.fighters import Band, Fighter, at_cost
from oriflamme.games.sbh.keywords import book
from oriflamme.games.sbh.points import price
from oriflamme.games.sbh.roster import Card, cards

# What experience buys, and for how much (SBH-CAMP-08).
PRICES: Final = {"quality": 3, "combat": 3, "shooter(short)": 2, "shooter(medium)": 3, "shooter(long)": 5}
RANGES: Final = ("shooter(short)", "shooter(medium)", "shooter(long)")
BEST_QUALITY: Final = 2
UPGRADE: Final = 10  # victory points (SBH-CAMP-10)
PER_POINT: Final = 2  # points of fighter for one victory point (SBH-CAMP-11)


class Member(msgspec.Struct):
    """A fighter as he goes into battle, and what the campaign has made of him.

    His `points` stay those of the roster (SBH-TARGET-02); `value` is what he counts for (SBH-CAMP-13).
    """

    fighter: Fighter
    value: int
    experience: int = 0
    absent: bool = False
    gains: list[str] = []

    @property
    def id(self) -> str:
        return self.fighter.id

    def train(self, gain: str, options: Mapping[str, str]) -> None:
        """Better by what three, two or five points of experience buy (SBH-CAMP-08)."""
        him = self.fighter
        quality = him.quality - (gain == "quality")
        combat = him.combat + (gain == "combat")
        rules = him.rules
        if gain in RANGES:
            # A better range replaces the old one.
            rules = (*(rule for rule in rules if rule not in RANGES), gain)
        self.fighter = msgspec.structs.replace(him, quality=quality, combat=combat, rules=rules)
        self.experience -= PRICES[gain]
        self.gains.append(gain)
        if options["sbh.experienceCost"] == "formula":
            self.value = price(quality, combat, rules)


class Item(msgspec.Struct):
    """A magic item that a band has kept, and who is to bear it: nobody if `bearer` is empty."""

    kind: str
    left: int = 0
    quality: int = 0
    bearer: str = ""

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "left": self.left, "quality": self.quality}


class Warband(msgspec.Struct):
    """One side of a campaign. `reinforcements` are points to spend before the next battle; `hires` says whether they
    may go into Personalities (SBH-CAMP-06)."""

    name: dict[str, str]
    points: int
    members: list[Member]
    dead: list[Member] = []
    upgrades: list[str] = []
    items: list[Item] = []
    # Profiles that a player invented for this band: they are his to take again.
    invented: list[Card] = []
    earned: int = 0
    spent: int = 0
    reinforcements: int = 0
    hires: bool = False

    @property
    def purse(self) -> int:
        """Victory points not spent yet."""
        return self.earned - self.spent

    @property
    def value(self) -> int:
        """What the whole band is worth, those included who miss a game."""
        return sum(member.value for member in self.members)

    def member(self, id: str) -> Member:
        return next(member for member in self.members if member.id == id)

    def fielded(self) -> list[Member]:
        """Those who can fight the next battle."""
        return [member for member in self.members if not member.absent]

    def bearer_of(self, item: Item) -> Member | None:
        """Who takes it into the next battle: its bearer, if he can fight."""
        return next((member for member in self.fielded() if member.id == item.bearer), None)

    def for_battle(self) -> dict[str, Any]:
        """The band as a battle takes it; a fighter who counts for other than his points has a `value` (SBH-CAMP-13)."""
        carried = {item.bearer: item.data() for item in self.items if self.bearer_of(item) is not None}
        fighters = [msgspec.structs.replace(m.fighter, item=carried.get(m.id)) for m in self.fielded()]
        data = Band(self.name, self.points, tuple(fighters), tuple(self.upgrades)).to_data()
        for fighter, member in zip(data["fighters"], self.fielded(), strict=True):
            if member.value != member.fighter.points:
                fighter["value"] = member.value
        return data

    def enlist(self, card: Card, side: int) -> Member:
        """A new fighter with an id and a name of his own: neither is ever given twice in a campaign."""
        known = [*self.members, *self.dead]
        stem = f"{prefix(side)}{plain(card.id)}"
        numbers = [_number(member.id, stem) for member in known]
        number = max(numbers, default=0) + 1
        id = stem if number == 1 else f"{stem}_{number}"
        called = {re.sub(r" \d+$", "", member.fighter.name["en"]) for member in known}
        suffix = f" {number}" if card.name["en"] in called else ""
        name = {lang: text + suffix for lang, text in card.name.items()}
        rostered = card.id if card.id in cards() else ""
        fighter = Fighter(id, rostered, card.race, name, card.points, card.quality, card.combat, card.rules)
        member = Member(fighter, card.points)
        self.members.append(member)
        return member

    def main_race(self) -> str:
        """The race most of the band belong to, the fallen included."""
        counted = Counter(member.fighter.race for member in (*self.members, *self.dead))
        return counted.most_common(1)[0][0] if counted else ""

    def copy(self) -> Warband:
        return msgspec.convert(msgspec.to_builtins(self), Warband)


def prefix(side: int) -> str:
    """Before the id of every fighter of a side: both bands may hold the same profiles."""
    return f"{'ab'[side]}_"


def plain(id: str) -> str:
    return re.sub(r"\W", "_", id.lower())


def _number(id: str, stem: str) -> int:
    """Which one of his kind a fighter is, by his id; 0 for another kind."""
    found = re.fullmatch(rf"{re.escape(stem)}(?:_(\d+))?", id)
    return int(found[1] or 1) if found else 0


def muster(band: Band, side: int) -> Warband:
    """The band that a side begins a campaign with."""
    members = [
        Member(msgspec.structs.replace(fighter, id=prefix(side) + fighter.id), fighter.points)
        for fighter in band.fighters
    ]
    return Warband(band.name, band.points, members, upgrades=list(band.upgrades), invented=_invented(band))


def _invented(band: Band) -> list[Card]:
    """The profiles of a band that are not in the roster, each once."""
    found: dict[object, Card] = {}
    for f in band.fighters:
        if not f.card and f.type not in found:
            name = {lang: re.sub(r" \d+$", "", text) for lang, text in f.name.items()}
            id = re.sub(r"_\d+$", "", f.id)
            found[f.type] = Card(id, f.race, name, {}, f.points, f.quality, f.combat, f.rules)
    return list(found.values())


def on_offer(band: Warband, options: Mapping[str, str]) -> dict[str, Card]:
    """Every profile a band may think of: the roster at the agreed prices, and its own inventions."""
    rostered = (at_cost(card, options) for card in cards().values())
    return {card.id: card for card in (*rostered, *band.invented)}


def bases(band: Warband, card: Card) -> int:
    """How many come at once: two of a swarm the band has none of, else one (SBH-BAND-09)."""
    return 2 if card.swarm and all(not _same(member.fighter, card) for member in band.members) else 1


def _same(fighter: Fighter, card: Card) -> bool:
    return fighter.type in (card.id, (card.race, card.quality, card.combat, card.rules))


def titles(rules: Iterable[str]) -> list[str]:
    """Special rules as they are printed: `shooter(long)` is "Shooter(long)"."""
    return [str(book.parse(rule)) for rule in rules]


def victory_price(points: int) -> int:
    """Victory points for a fighter of so many points: one for every two, the odd one counting full (SBH-CAMP-11)."""
    return -(-points // PER_POINT)


def total(members: Iterable[Member]) -> int:
    return sum(member.value for member in members)
