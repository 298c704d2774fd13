"""Bands: how they are read from text files and checked against the book (SBH-BAND).

    game     = "sbh"
    name     = { en = "The Green Mile", fr = "La verte lieue" }
    points   = 300
    fighters = [
      { fighter = "elf-wizard", name = "Ysil" },
      { fighter = "elf-warrior", count = 3 },
      { fighter = "warden" },
    ]

    [[custom]]
    id      = "warden"
    name    = { en = "Warden of the Mile", fr = "Garde de la lieue" }
    quality = 3
    combat  = 4
    rules   = ["woodsman"]

Whatever is wrong is reported at once, with its place, the rule and what to do about it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.reading import ListReader, Options, PathLike, ReadList
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Reader, did_you_mean, read_names
from oriflamme.games.sbh.band_limits import band_problems
from oriflamme.games.sbh.fighters import DEFAULTS, Band, Fighter, at_cost, note, upgrade_problems
from oriflamme.games.sbh.roster import Card, cards, races, read_profile

AGREED: Final = 300  # SBH-BAND-02
MOST_POINTS: Final = 100_000
MOST_ALIKE: Final = 100  # fighters that one line of a file may take
MOST_FIGHTERS: Final = 500  # that one file may take

# -- reading a band ----------------------------------------------------------------------------------------------------

# The profiles that a band may take: those of the book and those of its player's own; nothing for one that is not right.
Profiles = Mapping[str, Card | None]


@dataclass
class BandLine:
    """One line of a band file: a profile, how many of it, what they are called and where the file says so; and the
    fighters they become when the whole band is known."""

    card: Card
    count: int
    name: Mapping[str, str]
    where: str
    fighters: tuple[Fighter, ...] = ()


class BandReader(ListReader[Profiles, BandLine, Band]):
    """How band files are read."""

    game = "sbh"
    entries = "fighters"
    story = "about"
    agreed = AGREED
    most_points = MOST_POINTS
    options = DEFAULTS
    unknown_list = ("no_such_band", "ready_band_or_path")

    def read_more(self, top: Reader) -> None:
        note(top.problems, upgrade_problems(top.texts("upgrades", default=())))

    def army_of(self, top: Reader, folder: PathLike | None) -> Profiles:
        """Races may be mixed (SBH-BAND-03): every profile of the book."""
        return cards()

    def with_own_units(self, army: Profiles | None, tables: Sequence[Reader], top: Reader) -> Profiles:
        """The profiles of the book, and those a player invented, priced by the formula (SBH-POINTS-08)."""
        own: dict[str, Card | None] = {}
        plain: set[str] = set()
        printed = {_plain(id) for id in cards()}
        for table in tables:
            before = len(top.problems)
            id = table.text("id")
            if id and not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", id):
                table.problem("id", notice("not_a_fighters_id", id=id))
            elif _plain(id) in printed:
                what = notice("profile_of_the_book", id=id)
                table.problem("id", what, "SBH-POINTS-08", notice("another_fighters_id"))
            elif id and _plain(id) in plain:
                table.problem("id", notice("second_id", id=id), hint=notice("another_fighters_id"))
            plain.add(_plain(id))
            made = read_profile(table, id, read_names(table, "name"))
            own[id] = made if len(top.problems) == before else None
        return {**cards(), **own}

    def note_empty(self, top: Reader) -> None:
        """The limits say so."""

    def read_entry(self, entry: Reader, army: Profiles | None, options: Options) -> BandLine | None:
        known = army or {}
        named = entry.text("fighter")
        count = entry.integer("count", low=1, high=MOST_ALIKE, default=1)
        name = read_names(entry, "name", required=False)
        if not named.strip():
            return None
        if named not in known:
            hint = did_you_mean(named, known) or notice("how_to_find_races")
            entry.problem("fighter", notice("no_such", what="fighter", word=named), "SBH-ROSTER-01", hint)
            return None
        card = known[named]
        if card is None:
            return None
        card = at_cost(card, options) if card.id in cards() else card
        return BandLine(card, count, name if name["en"] else card.name, entry.where)

    def relate(self, tables: Sequence[Reader], entries: list[BandLine | None]) -> None:
        """Every fighter has an id and a name of his own."""
        lines = [line for line in entries if line is not None]
        number = sum(line.count for line in lines)
        if number > MOST_FIGHTERS:
            what = notice("too_many_fighters", number=number, most=MOST_FIGHTERS)
            tables[0].problems.add("fighters", what, hint=notice("take_fewer"))
            entries[:] = [None] * len(entries)
        else:
            number_fighters(lines)

    def army_problems(self, read: ReadList[Profiles, BandLine], terms: Terms) -> Iterable[Problem]:
        places = [line.where for line in read.known for _ in line.fighters]
        found = band_problems(fighters_of(read), terms.points, terms.options, places=places)
        complete = isinstance(read.data.get(self.entries), list) and not any(
            problem.where.startswith((self.entries, "custom")) for problem in read.problems
        )
        # Whoever could not be read may be the very fighter these rules miss; the others only get worse with him.
        missed = (None, "SBH-BAND-06", "SBH-BAND-09")
        return [problem for problem in found if complete or problem.rule not in missed]

    def roster(self, read: ReadList[Profiles, BandLine]) -> Band:
        fighters = fighters_of(read)
        name = read.name
        if not name["en"]:
            name = races()[fighters[0].race].name if fighters[0].race else fighters[0].name
        upgrades = tuple(read.data.get("upgrades", ()))
        return Band(name, read.points, fighters, upgrades, read.story if read.story["en"] else {})


BANDS: Final = BandReader(Path(__file__).parent / "bands")
check_band: Final = BANDS.check
load_band: Final = BANDS.load


def fighters_of(read: ReadList[Profiles, BandLine]) -> tuple[Fighter, ...]:
    """The fighters of a band as far as it could be read."""
    return tuple(fighter for line in read.known for fighter in line.fighters)


def _plain(id: str) -> str:
    return re.sub(r"\W", "_", id.lower())


def number_fighters(lines: Sequence[BandLine]) -> None:
    """The fighters of these lines, each with an id of his own; those who are called alike are numbered."""
    alike: Counter[str] = Counter()
    namesakes: Counter[tuple[str, str]] = Counter()
    for line in lines:
        alike[_plain(line.card.id)] += line.count
        namesakes[line.name["en"], line.name["fr"]] += line.count
    ids = {id for id, number in alike.items() if number == 1}
    numbers: Counter[object] = Counter()

    def fighter(line: BandLine) -> Fighter:
        card, name = line.card, line.name
        id, called = _plain(card.id), (name["en"], name["fr"])
        if alike[id] > 1:
            numbers[id] += 1
            while f"{id}_{numbers[id]}" in ids:
                numbers[id] += 1
            id = f"{id}_{numbers[id]}"
            ids.add(id)
        suffix = ""
        if namesakes[called] > 1:
            numbers[called] += 1
            suffix = f" {numbers[called]}"
        return Fighter(
            id,
            card.id if card.id in cards() else "",
            card.race,
            {lang: text + suffix for lang, text in name.items()},
            card.points,
            card.quality,
            card.combat,
            card.rules,
        )

    for line in lines:
        line.fighters = tuple(fighter(line) for _ in range(line.count))
