"""Army lists of Conquest: how they are read from text files and checked against the book (TLAOK-BUILD).

A list names a faction, and for each warband its character and regiments with what they take; docs/authoring.md shows
such a file. Regiments of the player's own stand in the list itself (`custom`) and are priced by the formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from oriflamme.engine.lists.checking import Terms
from oriflamme.engine.lists.reading import ListReader, Options, PathLike, ReadList, note_at, read_ids
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Reader, problem_with, read_names, wrong_kind
from oriflamme.games.tlaok.army.army_limits import (
    MOST_REGIMENTS,
    Band,
    Follower,
    army_problems,
    mastery_problems,
    regiment_problems,
)
from oriflamme.games.tlaok.army.cards import CharacterCard, Extra, Faction, RegimentCard, Stand
from oriflamme.games.tlaok.army.factions import CHOICE, FACTIONS, read_regiment
from oriflamme.games.tlaok.army.rosters import (
    ListedCharacter,
    ListedRegiment,
    Roster,
    Warband,
    equip_character,
    equip_regiment,
)
from oriflamme.games.tlaok.keywords.moving import Irregular


class ReadBand(NamedTuple):
    """A warband of a list as far as it could be read, None standing for what nobody knows; and what the limits need to
    know of it, if it has a character."""

    leader: ListedCharacter | None
    regiments: tuple[ListedRegiment | None, ...]
    summary: Band | None = None


class ArmyReader(ListReader[Faction, ReadBand, Roster]):
    """How list files are read, and lists that were stored whole."""

    game = "tlaok"
    entries = "warbands"
    story = "story"

    def note_empty(self, top: Reader) -> None:
        top.problem("warbands", notice("no_warband"), "TLAOK-BUILD-04", notice("choose_a_character"))

    def with_own_units(self, army: Faction | None, tables: Sequence[Reader], top: Reader) -> Faction | None:
        if army is None:
            for table in tables:
                table.skip()
            return None
        return with_own_regiments(army, tables)

    def read_entry(self, entry: Reader, army: Faction | None, options: Options) -> ReadBand | None:
        if army is None:
            entry.skip()
            return None
        return _read_warband(entry, army)

    def army_problems(self, read: ReadList[Faction, ReadBand], terms: Terms) -> Iterable[Problem]:
        summaries = [band.summary for band in read.known if band.summary is not None]
        complete = summaries and len(summaries) == len(read.entries)
        return army_problems(summaries, terms.points) if complete else ()

    def roster(self, read: ReadList[Faction, ReadBand]) -> Roster:
        assert read.army is not None
        bands = tuple(
            Warband(band.leader, tuple(one for one in band.regiments if one is not None))
            for band in read.known
            if band.leader is not None
        )
        name = read.name if read.name["en"] else read.army.name
        custom = tuple(dict(own) for own in read.data.get("custom", ()))
        return Roster(name, read.story, read.army.id, read.points, bands, read.army.deck, custom)

    def of_data(self, data: object, where: str, options: Options, folder: PathLike | None) -> Roster:
        """A list file, or a list that was stored whole: that is checked and priced again like any other, whatever it
        says of itself."""
        if not isinstance(data, Mapping):
            raise problem_with(where, wrong_kind(notice("a_list"), data))
        if isinstance(data.get("warbands"), list) and "faction" in data:
            return self.check(Roster.from_data(data, where).as_list(), where, options, folder)
        return self.check(data, where, options, folder)


LISTS: Final = ArmyReader(Path(__file__).parents[1] / "lists", FACTIONS)
check_list: Final = LISTS.check
load_list: Final = LISTS.load


def with_own_regiments(army: Faction, tables: Iterable[Reader]) -> Faction:
    """The faction with regiments that the player has made up: every character may lead them, as the Mainstay or the
    Restricted choice that they say they are. They cost what the formula says."""
    made: dict[str, RegimentCard] = {}
    choices: dict[str, list[str]] = {choice: [] for choice in CHOICE.choices}
    for table in tables:
        id = table.text("id")
        choice = CHOICE.read(table, what="choice", rule="TLAOK-BUILD-08", default="restricted")
        for key in ("points", "extra"):
            if table.has(key):
                table.problem(key, notice("formula_prices_it"), hint=notice("leave_it_out"))
        card = read_regiment(id, table)
        if id in {*army.regiments, *army.characters, *made}:
            table.problem("id", notice("second_id", id=id), hint=notice("another_id"))
        if card.stand.kind:  # nobody knows what a regiment of no known type is
            made[id] = card
            choices[choice or "restricted"].append(id)
    if not made:
        return army
    characters = {
        id: msgspec.structs.replace(
            card,
            mainstay=(*card.mainstay, *choices["mainstay"]),
            restricted=(*card.restricted, *choices["restricted"]),
        )
        for id, card in army.characters.items()
    }
    return msgspec.structs.replace(army, regiments={**army.regiments, **made}, characters=characters)


def _read_warband(entry: Reader, army: Faction) -> ReadBand:
    """One warband of a list; without a leader if there is no such character."""
    followers = entry.tables("regiments", required=False, most=5 * MOST_REGIMENTS)
    if entry.value("character") is None and followers:
        entry.problem("character", notice("nobody_leads"), "TLAOK-BUILD-05", notice("character_before_them"))
        named = ""
    else:
        named = entry.choice("character", army.characters, what="character", rule="TLAOK-BUILD-03")
    warlord = entry.flag("warlord", default=False)
    if not named:
        for key in ("name", "upgrades", "mastery", "spells"):
            entry.has(key)
        return ReadBand(None, tuple(_read_regiment(follower, army) for follower in followers))

    card = army.characters[named]
    leader, unique = _read_character(entry, card, army, warlord)
    raised = [_read_regiment(follower, army) for follower in followers]
    profile = leader.stand.profile()
    summary = Band(
        character=card.id,
        kind=card.stand.kind,
        warlord=warlord,
        own=bool(card.own),
        rider=profile.rider,
        irregular=profile.keywords.has(Irregular),
        mainstay=card.mainstay,
        restricted=card.restricted,
        regiments=tuple(
            Follower(one.id, one.stand.kind, one.stand.profile().keywords.has(Irregular), follower.where)
            for one, follower in zip(raised, followers, strict=True)
            if one is not None
        ),
        unique=unique,
        cost=leader.cost + sum(one.cost for one in raised if one is not None),
        where=entry.where,
    )
    return ReadBand(leader, tuple(raised), summary)


def _called(entry: Reader, stand: Stand) -> Stand:
    """The stand by the name its player has given it, if any."""
    name = read_names(entry, "name", required=False)
    return msgspec.structs.replace(stand, name=name) if name["en"].strip() else stand


def _read_character(
    entry: Reader, card: CharacterCard, army: Faction, warlord: bool
) -> tuple[ListedCharacter, tuple[str, ...]]:
    """A character with what it buys, and what of it an army may have once."""
    offered = {id: army.upgrades[id] for id in card.upgrades}
    taken = read_ids(entry, "upgrades", offered, what=f"upgrade for {card.id}", rule="TLAOK-UPGRADE-01")
    learnt = read_ids(
        entry,
        "spells",
        {spell.id: spell for spell in card.learns},
        what=f"spell for {card.id}",
        rule="TLAOK-MAGIC-02",
    )
    mastery = _read_mastery_taken(entry, card, army)
    leader = equip_character(
        card,
        army,
        upgrades=tuple(taken),
        mastery=mastery.id if mastery is not None else "",
        spells=tuple(learnt),
        warlord=warlord,
    )
    return msgspec.structs.replace(leader, stand=_called(entry, leader.stand)), tuple(
        extra.name["en"] for extra in (*taken.values(), *((mastery,) if mastery is not None else ())) if extra.unique
    )


def _read_mastery_taken(entry: Reader, card: CharacterCard, army: Faction) -> Extra | None:
    """The one mastery a character takes (TLAOK-MASTERY-01)."""
    if isinstance(entry.value("mastery"), list):
        entry.problem("mastery", notice("one_mastery"), "TLAOK-MASTERY-01", notice("keep_one_of_them"))
        return None
    named = entry.choice("mastery", army.masteries, what="mastery", rule="TLAOK-MASTERY-01", default="")
    if not named:
        return None
    found = army.masteries[named]
    note_at(entry.problems, entry.where, mastery_problems(card, named, found.category))
    return found


def _read_regiment(entry: Reader, army: Faction) -> ListedRegiment | None:
    """One regiment of a list; nothing if there is no such regiment."""
    named = entry.choice("regiment", army.regiments, what="regiment", rule="TLAOK-BUILD-03")
    if not named:
        for key in ("name", "stands", "command", "options"):
            entry.has(key)
        return None
    card = army.regiments[named]
    stands = entry.integer("stands", low=1, high=40, default=card.least)
    asked = entry.texts("command", default=())
    models = [*(("leader",) if card.command.leader == "free" and "leader" not in asked else ()), *asked]
    for problem in regiment_problems(card, stands, models):
        entry.problem(problem.where, problem.what, problem.rule, problem.hint)
    known = [model for model in dict.fromkeys(models) if model in card.command.models]
    options = read_ids(entry, "options", card.options, what=f"option for {card.id}", rule="TLAOK-BUILD-13")
    raised = equip_regiment(card, army, stands=stands, models=known, options=tuple(options))
    return msgspec.structs.replace(raised, stand=_called(entry, raised.stand))
