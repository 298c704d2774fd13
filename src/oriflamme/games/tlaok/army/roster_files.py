"""Rosters of BattleScribe and New Recruit for this game: their regiments, as regiments of a player's own.

Type, Class, the eight characteristics, Stands, special rules, draw events and barrages are what is printed there, and
what is read. Characters have no profile one could make up here, and are named: a warband is led by one of ours.
"""

from __future__ import annotations

import re
from typing import Final

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.lists.drafts import LONGEST, MOST_POINTS, Data, Draft, Entry
from oriflamme.engine.lists.roster_files import Profile, RosterFile, Selection
from oriflamme.engine.words.limits import MOST_CUSTOM
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games.tlaok.army.factions import CLASS, MOST_STANDS, TYPE
from oriflamme.games.tlaok.army.own_regiments import FIRST, printed_key
from oriflamme.games.tlaok.keywords import book
from oriflamme.games.tlaok.profile import LETTERS, parse_event

MOST_DIGITS: Final = 2
CHARACTER: Final = "character"


def as_draft(roster: RosterFile, source: str) -> tuple[Draft, list[Notice]]:
    """The regiments as a draft, and what its player should know; raises Problems if there is none in it."""
    custom: list[Data] = []
    entries: list[Entry] = []
    notes: list[Notice] = []
    known: dict[str, str] = {}
    for one in roster.selections:
        stats = next((found for inner in one.all() for found in inner.profiles if _is_printed(found)), None)
        if stats is None or CHARACTER in stats.kind.casefold() or stats.value("Type").casefold() == CHARACTER:
            notes.append(notice("pick_left_out" if stats is None else "character_left_out", name=one.name))
            continue
        stands = _stands(one, stats)
        profile = _regiment(one, stats, stands, notes)
        if profile["name"] not in known and len(custom) < MOST_CUSTOM:
            known[profile["name"]] = profile["id"] = _id(profile["name"], set(known.values()))
            custom.append(profile)
        if profile["name"] in known:
            entries.append(Entry(known[profile["name"]], count=stands))
    if not custom:
        raise problem_with(source, notice("roster_without_regiments"), hint=notice("roster_has_characteristics"))
    printed = round(sum(inner.cost for one in roster.selections for inner in one.all()))
    notes.append(notice("roster_costs", theirs=printed))
    points = min(MOST_POINTS, round(roster.limit or roster.cost or printed))
    return Draft(roster.name[:LONGEST], points, entries=entries, custom=custom), list(dict.fromkeys(notes))


def _is_printed(profile: Profile) -> bool:
    return all(re.search(r"\d|-|–", profile.value(letter)) for letter in LETTERS)


def _stands(one: Selection, stats: Profile) -> int:
    """How many stands it has: what is printed, and those that were added."""
    printed = _number(stats.value("Stands")) or 3
    added = sum(inner.number for inner in one.selections if "stand" in inner.name.casefold())
    return max(1, min(MOST_STANDS, printed + added))


def _regiment(one: Selection, stats: Profile, stands: int, notes: list[Notice]) -> Data:
    name = (one.name or stats.name)[:60]
    rules: list[str] = []
    events: list[str] = []
    for printed in dict.fromkeys(rule for inner in one.all() for rule in inner.rules):
        rule = re.sub(r"\s+(\d+)$", r" (\1)", printed)
        try:
            rules.append(printed_key(str(book.parse(rule))))
        except UnknownKeyword:
            try:
                events.append(printed_key(str(parse_event(rule))))
            except UnknownKeyword:
                notes.append(notice("rule_of_unit_ignored", unit=name, rule=printed))
    barrages = [
        {"shots": shots, "range": reach, "rules": []}
        for inner in one.all()
        for profile in inner.profiles
        if (shots := _number(profile.value("Shots"))) and (reach := _number(profile.value("Range")))
    ]
    kinds, classes = (field.choices for field in (TYPE, CLASS))
    kind, weight = stats.value("Type").casefold(), stats.value("Class").casefold()
    return {
        **FIRST,
        "name": name,
        "type": kind if kind in kinds else FIRST["type"],
        "class": weight if weight in classes else FIRST["class"],
        **{letter: _number(stats.value(letter)) for letter in LETTERS},
        "least": min(stands, _number(stats.value("Stands")) or stands),
        "most": max(stands, _number(stats.value("Stands")) or stands),
        "rules": rules,
        "events": events,
        "barrages": barrages,
    }


def _number(text: str) -> int:
    """The first number in it, of at most two digits; 0 for a dash."""
    found = re.search(rf"\d{{1,{MOST_DIGITS}}}", text)
    return int(found[0]) if found else 0


def _id(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789") or "own"
    return next(id for id in (plain, *(f"{plain}_{n}" for n in range(2, 1000))) if id not in taken)
