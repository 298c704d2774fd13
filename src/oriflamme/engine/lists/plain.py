"""Lists for a game whose units are lines of a faction file: the shortest way to armies.

A faction file has a name, perhaps a story, and units:

    name = { en = "The Mill", fr = "Le Moulin" }

    [unit.guard]
    name = { en = "Guard", fr = "Garde" }
    cost = 10

A list names some of them:

    game   = "tiny"
    army   = "mill"
    points = 100
    units  = [{ unit = "guard", count = 3 }, { unit = "miller", name = "Old Tom" }]

A game says what its units are (a struct with `id`, `name` and `cost`, and how it is read) and how they are shown; and
may say more: limits besides the points, options, special rules, a price for units that players make up.

    class Card(UnitCard, frozen=True):
        strength: int

    class TinyReader(PlainReader[Card]):
        game = "tiny"
        limits = (WithinPoints("TINY-ARMY-01"),)

        def read_unit(self, id, table):
            return Card(id, read_names(table, "name"), COST.read(table), STRENGTH.read(table))

    class TinyArmies(PlainArmies[Card]):
        fields = (STRENGTH,)

    ARMIES = TinyArmies(TinyReader(Path(__file__).parent))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec

from oriflamme.engine.lists.armies import Armies, find_unit, units_on
from oriflamme.engine.lists.checking import Limit, Most, Terms, WithinPoints, problems_with
from oriflamme.engine.lists.drafts import Data, Draft, Entry, number_in, word_in
from oriflamme.engine.lists.fields import Names, NumberField, Stat
from oriflamme.engine.lists.reading import ListReader, Options, ReadList
from oriflamme.engine.lists.shelf import Shelf, read_whole
from oriflamme.engine.lists.units import (
    CheckedEntry,
    FactionOffer,
    FactionPage,
    Gauge,
    ListSummary,
    Page,
    Sheet,
    UnitOffer,
    UnitPage,
    UnitSheet,
)
from oriflamme.engine.words.notices import name_in, notice
from oriflamme.engine.words.problems import Problem, Reader, problem_with, read_names
from oriflamme.engine.words.wording import ENGINE_TEXTS, Wording

MOST_ALIKE: Final = 100  # of a unit in one entry

_WORDS: Final = Wording(ENGINE_TEXTS, "plain_lists")

COST: Final = NumberField("cost", _WORDS("points"), 1, 10_000)


class UnitCard(msgspec.Struct, frozen=True):
    """A unit of a faction. A game derives its own, with what its units have besides."""

    id: str
    name: dict[str, str]
    cost: int


C = TypeVar("C", bound=UnitCard)


class Faction(msgspec.Struct, Generic[C], frozen=True):
    """A faction and its units, in the order of its file."""

    id: str
    name: dict[str, str]
    story: dict[str, str]
    units: dict[str, C]


class Troop(msgspec.Struct, Generic[C], frozen=True):
    """An entry of a list: a unit, how many of it, what it is called, and where the list says so."""

    card: C
    count: int
    name: dict[str, str]
    where: str = ""

    @property
    def cost(self) -> int:
        return self.card.cost * self.count


class Army(msgspec.Struct, Generic[C], frozen=True):
    """A list that was checked."""

    name: dict[str, str]
    faction: str
    points: int
    troops: tuple[Troop[C], ...]

    @property
    def cost(self) -> int:
        return sum(troop.cost for troop in self.troops)

    def to_data(self) -> dict[str, Any]:
        """The whole list as plain data, for a setup."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


class PlainReader(ListReader[Faction[C], Troop[C], Army[C]]):
    """Factions and lists in the folders `factions` and `lists` beside the game's code."""

    # The limits on a list, that of the points first.
    limits: Sequence[Limit[Any]] = (WithinPoints(""),)

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "lists", Shelf(folder / "factions", self.load_faction, what="faction", where="army"))

    def read_unit(self, id: str, table: Reader) -> C:
        """A unit as its table in a faction file has it."""
        raise NotImplementedError

    def load_faction(self, path: Path) -> Faction[C]:
        return read_whole(path, self.read_faction)

    def read_faction(self, top: Reader, id: str) -> Faction[C]:
        """A faction from its tables; whatever is wrong is noted in the reader's problems."""
        name, story = read_names(top, "name"), read_names(top, "story", required=False)
        units = {key: self.read_unit(key, table) for key, table in top.named_tables("unit").items()}
        top.finish()
        return Faction(id, name, story, units)

    def read_entry(self, entry: Reader, army: Faction[C] | None, options: Options) -> Troop[C] | None:
        count = entry.integer("count", low=1, high=MOST_ALIKE, default=1)
        name = read_names(entry, "name", required=False)
        named = entry.text("unit") if army is None else entry.choice("unit", army.units, what="unit")
        if army is None or named not in army.units:
            return None
        card = army.units[named]
        return Troop(card, count, name if name["en"] else card.name, entry.where)

    def army_problems(self, read: ReadList[Faction[C], Troop[C]], terms: Terms) -> Iterable[Problem]:
        return problems_with(self.limits, read.known, terms)

    def roster(self, read: ReadList[Faction[C], Troop[C]]) -> Army[C]:
        assert read.army is not None
        name = read.name if read.name["en"] else read.army.name
        return Army(name, read.army.id, read.points, tuple(read.known))


class PlainArmies(Armies[Faction[C], Troop[C], Army[C]]):
    """The armies of such a game: `fields` are the numbers on its cards, read from files and shown as columns."""

    reader: PlainReader[C]
    fields: Sequence[NumberField] = ()
    counted = MOST_ALIKE
    points_name: ClassVar[Names] = _WORDS("points")
    imports: ClassVar[Names] = _WORDS("paste_a_list")

    def __init__(self, reader: PlainReader[C]) -> None:
        super().__init__(reader)
        self.points_rule = reader.limits[0].rule if reader.limits else ""

    def sheet(self, card: C, name: Names) -> UnitSheet:
        """A unit as its card shows it. A game with special rules, weapons or kinds says them here."""
        return UnitSheet(name=name, stats={field.key: field.shown(getattr(card, field.key)) for field in self.fields})

    def known_factions(self) -> Mapping[str, Faction[C]]:
        assert self.reader.shelf is not None
        return self.reader.shelf.all()

    # -- looking up ----------------------------------------------------------------------------------------------------

    def faction_pages(self) -> Sequence[FactionPage]:
        return [
            FactionPage(
                id=faction.id,
                name=faction.name,
                story=faction.story,
                units=[self._page(card, 1, card.name) for card in faction.units.values()],
            )
            for faction in self.known_factions().values()
        ]

    def unit(self, name: str) -> UnitPage:
        factions = {id: faction.units for id, faction in self.known_factions().items()}
        _, card, words = find_unit(name, factions)
        if words:
            raise problem_with("unit", notice("cannot_take", unit=card.id, word=words[0]))
        return self._page(card, 1, card.name)

    def summary(self, id: str, roster: Army[C]) -> ListSummary:
        return ListSummary(
            id=id,
            name=roster.name,
            faction=roster.faction,
            points=roster.points,
            cost=roster.cost,
            units=len(roster.troops),
            models=sum(troop.count for troop in roster.troops),
        )

    def pages_of(self, roster: Army[C]) -> Sequence[UnitPage]:
        return [self._page(troop.card, troop.count, troop.name) for troop in roster.troops]

    def sheets(self, page: Page, lang: str = "en") -> list[Sheet]:
        cards = {card.id: card for faction in self.known_factions().values() for card in faction.units.values()}
        rows = []
        for unit in units_on(page):
            shown = [field.shown(getattr(cards[unit.id], field.key)) for field in self.fields]
            rows.append((unit.id, name_in(unit.name, lang), unit.figures, *shown, ", ".join(unit.rules), unit.cost))
        columns = ("unit", "name", "models", *(stat.short for stat in self.stats()), "rules", "points")
        return [Sheet(columns, rows, right=(2, len(columns) - 1))]

    def _page(self, card: C, count: int, name: Names) -> UnitPage:
        rules = self.sheet(card, name).rules
        return UnitPage(id=card.id, name=name, figures=count, cost=card.cost * count, rules=rules)

    # -- building ------------------------------------------------------------------------------------------------------

    def stats(self) -> Sequence[Stat]:
        return [Stat(field.key, field.key[:1].upper(), field.name) for field in self.fields]

    def faction_offers(self) -> Sequence[FactionOffer]:
        return [
            FactionOffer(
                faction.id,
                faction.name,
                faction.story,
                [self._offer(card) for card in faction.units.values()],
            )
            for faction in self.known_factions().values()
        ]

    def _offer(self, card: C) -> UnitOffer:
        return UnitOffer(id=card.id, cost=card.cost, **msgspec.structs.asdict(self.sheet(card, card.name)))

    def gauges(self, read: ReadList[Faction[C], Troop[C]], terms: Terms) -> Sequence[Gauge]:
        counted = [limit for limit in self.reader.limits[1:] if isinstance(limit, Most) and limit.holds(terms)]
        return [limit.gauge(read.known, terms) for limit in counted]

    def faction_name(self, army: Faction[C]) -> Names:
        return army.name

    def names_of(self, army: Faction[C] | None) -> Mapping[str, Names]:
        return {id: card.name for id, card in army.units.items()} if army is not None else {}

    def checked_entries(self, draft: Draft, read: ReadList[Faction[C], Troop[C]]) -> Sequence[CheckedEntry]:
        return [
            CheckedEntry(entry.unit, self.sheet(troop.card, troop.name), troop.cost, troop.count)
            if troop is not None
            else CheckedEntry(entry.unit)
            for entry, troop in zip(draft.entries, read.entries, strict=True)
        ]

    def line(self, entry: Entry) -> Data:
        line: Data = {"unit": entry.unit}
        if entry.count != 1:
            line["count"] = entry.count
        if entry.name:
            line["name"] = entry.name
        return line

    def entry(self, line: Data) -> Entry:
        return Entry(word_in(line.get("unit")), word_in(line.get("name")), number_in(line.get("count"), 1, 1000, 1))
