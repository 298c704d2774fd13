"""What a game can tell about armies, and the list builder: one object that a game derives (`Game.armies`).

To look up: factions, ready-made lists, units by name, what they cost part by part, as pages of plain data and as sheets
for a terminal. To build: what may be picked (`offers`), and a draft that is checked and priced as it grows (`checked`);
drafts are written as list files (`to_list`) and read back (`from_list`), and other programs' lists come in
(`import_text`).

All of it is made from the game's `ListReader` and a few answers about its units. `engine.lists.plain` has the answers
for a game whose units are lines of a faction file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.drafts import (
    MOST_POINTS,
    Data,
    Draft,
    Entry,
    filled_in,
    number_in,
    tables_in,
    word_in,
)
from oriflamme.engine.lists.fields import Form, Names, Stat
from oriflamme.engine.lists.reading import ListReader, Options, PathLike, ReadList
from oriflamme.engine.lists.roster_files import looks_like_roster
from oriflamme.engine.lists.units import (
    CheckedDraft,
    CheckedEntry,
    FactionOffer,
    FactionPage,
    Gauge,
    ListedProblem,
    ListPage,
    ListSummary,
    Offers,
    Page,
    PricedUnit,
    PricePart,
    RuleEntry,
    Sheet,
    UnitOffer,
    UnitPage,
)
from oriflamme.engine.words.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.words.notices import name_in, notice
from oriflamme.engine.words.problems import (
    Problem,
    Problems,
    did_you_mean,
    parse_json,
    parse_toml,
    problem_with,
    read_bytes,
    read_toml,
)
from oriflamme.engine.words.sentences import LANGUAGES

MOST_NOTES = 200  # on one list
NOBODY: Mapping[str, Names] = MappingProxyType({})

F = TypeVar("F")
E = TypeVar("E")
R = TypeVar("R")
C = TypeVar("C")


class Armies(Generic[F, E, R]):
    """The armies of a game. `reader` reads its list files; the rest is what a game says about its units."""

    reader: ListReader[F, E, R]
    title: ClassVar[Names] = {}
    # A list is of one faction; how many of a unit one entry may be; the points that lists usually have.
    one_faction = True
    counted = 1
    usual_points: Sequence[int] = ()
    # The rule that makes the agreed points a ceiling, and what they are called.
    points_rule = ""
    points_name: ClassVar[Names] = {}
    imports: ClassVar[Names] = {}
    # What a player's own unit is called in problems, and the fields that are asked for.
    own_unit = "unit"

    def __init__(self, reader: ListReader[F, E, R]) -> None:
        self.reader = reader
        self.game = reader.game

    # -- what a game says of its units ---------------------------------------------------------------------------------

    def faction_pages(self) -> Sequence[FactionPage]:
        """The factions to look up."""
        return ()

    def unit(self, name: str) -> UnitPage:
        """A unit by its name, with upgrades if any (`pikes+banner`); raises Problems with a guess."""
        raise NotImplementedError

    def invented(self, **profile: Any) -> UnitPage:
        """A unit that a player makes up, to look up: what it would cost, and its parts; raises Problems."""
        raise problem_with(self.game, notice("has_none_yet", what="prices for invented units"))

    def summary(self, id: str, roster: R) -> ListSummary:
        """A list in short."""
        raise NotImplementedError

    def pages_of(self, roster: R) -> Sequence[UnitPage]:
        """The units of a list."""
        raise NotImplementedError

    def faction_offers(self) -> Sequence[FactionOffer]:
        """The factions with all that may be picked of them."""
        raise NotImplementedError

    def checked_entries(self, draft: Draft, read: ReadList[F, E]) -> Sequence[CheckedEntry]:
        """What each entry of a draft comes to; `read` is the draft as a list."""
        raise NotImplementedError

    def line(self, entry: Entry) -> Data:
        """An entry of a draft as a list file has it."""
        raise NotImplementedError

    def entry(self, line: Data) -> Entry:
        """An entry of a list file as a draft has it; what a draft has no place for is left out."""
        raise NotImplementedError

    def stats(self) -> Sequence[Stat]:
        """The numbers every unit has."""
        return ()

    def groups(self) -> Mapping[str, Names]:
        """The headings that options are under."""
        return {}

    def kinds(self) -> Mapping[str, Names]:
        """What sorts of units are called, and the choices of the form."""
        return {}

    def words(self) -> Mapping[str, Names]:
        """What special rules have in brackets, where that is a word."""
        return {}

    def glossary(self) -> Mapping[str, RuleEntry]:
        """The special rules."""
        return {}

    def form(self) -> Form | None:
        """What is asked of who makes up a unit, where a game has a price for that."""
        return None

    def gauges(self, read: ReadList[F, E], terms: Terms) -> Sequence[Gauge]:
        """How full the limits are, besides that of the points."""
        return ()

    def faction_name(self, army: F) -> Names:
        """What a faction is called, where a list is of one."""
        return {}

    def names_of(self, army: F | None) -> Mapping[str, Names]:
        """What units are called that problems name by their ids."""
        return NOBODY

    def price_own(self, profile: Data, problems: Problems) -> tuple[Sequence[PricePart], UnitOffer] | None:
        """A unit somebody makes up, from the fields of the form: the parts of its price, and the unit to pick.

        What is wrong with it is noted in the problems.
        """
        raise problem_with(self.game, notice("has_none_yet", what="prices for invented units"))

    # -- looking up ----------------------------------------------------------------------------------------------------

    def factions(self) -> Sequence[FactionPage]:
        """The factions with their units."""
        return self.faction_pages()

    def lists(self) -> list[ListSummary]:
        """The ready-made lists."""
        return [self.summary(id, self.reader.load(id)) for id in self.reader.ready]

    def army(self, name_or_path: PathLike, options: Options | None = None) -> ListPage:
        """A list that was checked, with all its units; raises Problems with every mistake in it."""
        roster = self.reader.load(name_or_path, options)
        short = self.summary(os.fspath(name_or_path), roster)
        return ListPage(
            id=short.id,
            name=short.name,
            story=short.story,
            faction=short.faction,
            points=short.points,
            cost=short.cost,
            models=short.models,
            units=self.pages_of(roster),
        )

    def sheets(self, page: Page, lang: str = "en") -> list[Sheet]:
        """A faction, a list or a unit in tables."""
        rows = [(unit.id, name_in(unit.name, lang), ", ".join(unit.rules), unit.cost) for unit in units_on(page)]
        return [Sheet(("unit", "name", "rules", "points"), rows, right=(3,))]

    def points_sheet(self, units: Sequence[UnitPage], lang: str = "en") -> Sheet:
        """What units cost, part by part."""
        rows = [(unit.id, name_in(unit.name, lang), unit.cost) for unit in units]
        return Sheet(("unit", "name", "points"), rows, right=(2,))

    # -- building ------------------------------------------------------------------------------------------------------

    def offers(self) -> Offers:
        """All that may be picked."""
        return self._offers

    @cached_property
    def _offers(self) -> Offers:
        return Offers(
            title=self.title,
            factions=self.faction_offers(),
            options=list(self.reader.options),
            one_faction=self.one_faction,
            counted=self.counted,
            points=self.usual_points,
            stats=self.stats(),
            groups=self.groups(),
            kinds=self.kinds(),
            glossary=self.glossary(),
            words=self.words(),
            imports=self.imports,
            form=self.form(),
        )

    def checked(self, draft: Draft, options: Options) -> CheckedDraft:
        """What a draft comes to, and everything that is wrong with it."""
        read = self.reader.read(self.to_list(draft), "list", options)
        entries = self.checked_entries(draft, read)
        cost = sum(entry.cost for entry in entries)
        terms = Terms(draft.points, {**self.reader.options, **options})
        points = Gauge("points", self.points_name, cost, draft.points, self.points_rule)
        return CheckedDraft(
            name=draft.name,
            faction=self.faction_name(read.army) if read.army is not None else {},
            points=draft.points,
            cost=cost,
            models=sum(entry.figures for entry in entries),
            limits=[points, *self.gauges(read, terms)],
            entries=entries,
            problems=self.in_words(read.problems, self.names_of(read.army), draft),
            custom=[self.priced(profile) for profile in draft.custom],
        )

    def priced(self, profile: Data) -> PricedUnit:
        """A unit somebody makes up: its price with its parts, or what is wrong with it."""
        problems = Problems(self.own_unit)
        made = self.price_own(profile, problems)
        id = word_in(profile.get("id"))
        if made is None or problems:
            return PricedUnit(id, problems=self.in_words(problems))
        parts, unit = made
        return PricedUnit(id, unit.cost, parts, unit)

    # -- list files ----------------------------------------------------------------------------------------------------

    def to_list(self, draft: Draft) -> Data:
        """The draft as a list file has it."""
        data: Data = {"game": self.game}
        if draft.name:
            data["name"] = draft.name
        if self.one_faction:
            data["army"] = draft.faction
        data |= {"points": draft.points, self.reader.entries: self.lines(draft)}
        if draft.custom:
            data["custom"] = [self.own_line(profile) for profile in draft.custom]
        return data

    def from_list(self, data: Data) -> Draft:
        """What a list file has, as a draft; what a draft has no place for is left out."""
        tables = tables_in(data.get(self.reader.entries), MOST_ENTRIES)
        return Draft(
            name=word_in(data.get("name")),
            points=number_in(data.get("points", self.reader.agreed), 0, MOST_POINTS, 0),
            faction=word_in(data.get("army")) if self.one_faction else "",
            entries=self.entries_of(tables)[:MOST_ENTRIES],
            custom=[self.own_form(one) for one in tables_in(data.get("custom"), MOST_CUSTOM)],
        )

    def lines(self, draft: Draft) -> list[Data]:
        """The entries of a draft as a list file has them."""
        return [self.line(entry) for entry in draft.entries]

    def entries_of(self, tables: Sequence[Data]) -> list[Entry]:
        """The entries of a list file as a draft has them."""
        return [self.entry(table) for table in tables]

    def own_line(self, profile: Data) -> Data:
        """A unit somebody made up, from the fields of the form to what a list file has."""
        return filled_in(profile)

    def own_form(self, table: Data) -> Data:
        """A unit somebody made up, as the form has it."""
        return dict(table)

    def ready(self) -> Mapping[str, Data]:
        """The ready-made lists by id, as their files have them."""
        return {id: dict(read_toml(path)) for id, path in self.reader.ready.items()}

    def find_ready(self, id: str, lang: str = "en") -> Draft:
        """A ready-made list as a draft, named in this language. Only those that ship are looked at, no file."""
        if id not in self.reader.ready:
            raise problem_with("list", notice("no_list", list=id), hint=did_you_mean(id, self.reader.ready))
        data = dict(read_toml(self.reader.ready[id]))
        names = data.get("name", "")
        return self.from_list({**data, "name": names if isinstance(names, str) else name_in(names, lang)})

    # -- from elsewhere ------------------------------------------------------------------------------------------------

    def import_file(
        self, path: PathLike, options: Options | None = None, lang: str = "en", *, printed: bool = False
    ) -> tuple[Data, list[str]]:
        """A list made by another program, ready to be stored and played, and what its player should know about it. With
        `printed` the points of that program count, where they are known, and not ours."""
        content = read_bytes(path)
        if not looks_like_roster(content):
            raise problem_with(self.game, notice("has_none_yet", what="lists to import"))
        draft, notes = self.import_roster(content, os.path.basename(os.fspath(path)), options or {})
        return self.to_list(draft), [note[lang] for note in notes]

    def import_text(self, text: str, options: Options) -> tuple[Draft, list[Names]]:
        """A list from a text, TOML or JSON, and what its player should know; raises Problems if it is none."""
        source = "list"
        data = parse_json(text, source) if looks_like_json(text) else parse_toml(text, source)
        if not isinstance(data, Mapping):
            raise problem_with(source, notice("not_a_list"), hint=notice("paste_the_whole"))
        named = data.get("game")
        if named != self.game:
            what = notice("list_of_another", game=named) if isinstance(named, str) else notice("names_no_game")
            raise problem_with(source, what, where="game", hint=notice("expected_game", game=self.game))
        draft = self.from_list(dict(data))
        return draft, self.left_aside(dict(data), draft, options)

    def shared_at(self, link: str) -> str:
        """The address at which the list of a share link of another program stands; "" if it is no such link."""
        return ""

    def import_roster(self, content: bytes, source: str, options: Options) -> tuple[Draft, list[Names]]:
        """A roster of BattleScribe or New Recruit, and what its player should know; raises Problems if it is none, or
        if nobody has said how those of this game are read."""
        raise problem_with(source, notice("no_rosters_here"), hint=notice("copy_profiles"))

    def left_aside(self, data: Data, draft: Draft, options: Options) -> list[Names]:
        """What was wrong with a list and is no longer, because the draft has no place for it."""
        kept = {problem.what for problem in self.reader.read(self.to_list(draft), "list", options).problems}
        gone = [one for one in self.reader.read(data, "list", options).problems if one.what not in kept]
        return [in_languages(notice("left_aside", problem=problem)) for problem in gone[:MOST_NOTES]]

    # -- problems ------------------------------------------------------------------------------------------------------

    def entry_at(self, where: str, draft: Draft | None) -> int | None:
        """The entry of a draft, counted from 1, that a place in its list file stands for."""
        found = re.match(rf"{self.reader.entries}\[(\d+)\]", where)
        return int(found[1]) if found else None

    def in_words(
        self, problems: Iterable[Problem], names: Mapping[str, Names] = NOBODY, draft: Draft | None = None
    ) -> list[ListedProblem]:
        """Problems in both languages, each with the entry it is about; there, units are called by their `names`."""
        called = {**names, **{name.get("en", ""): name for name in names.values()}}
        return [
            ListedProblem(
                **problem.data(),  # type: ignore[arg-type]
                entry=self.entry_at(problem.where, draft),
                words={lang: problem.data(lang, called) for lang in LANGUAGES},
            )
            for problem in problems
        ]


def units_on(page: Page) -> Sequence[UnitPage]:
    """The units that a page shows."""
    return [page] if isinstance(page, UnitPage) else page.units


def looks_like_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def in_languages(said: Any) -> Names:
    """A notice by language."""
    return {lang: said.in_words(lang) for lang in LANGUAGES}


def find_unit(name: str, factions: Mapping[str, Mapping[str, C]]) -> tuple[str, C, list[str]]:
    """A unit by its id, or with its faction before it (`kiln_clans/stokers`), and behind it what it takes
    (`stokers+banner`): the id of its faction, the unit and the words. Raises Problems with a guess."""
    place, *taken = name.split("+")
    army, slash, wanted = place.rpartition("/")
    if slash and army not in factions:
        raise problem_with("unit", notice("no_faction", faction=army), hint=did_you_mean(army, factions))
    searched = {id: units for id, units in factions.items() if not slash or id == army}
    for id, units in searched.items():
        if wanted in units:
            return id, units[wanted], taken
    known = {unit for units in searched.values() for unit in units}
    hint = did_you_mean(wanted, known) or notice("how_to_find_units")
    raise problem_with("unit", notice("no_such_unit_here", unit=wanted), hint=hint)
