"""Lists that differ from a draft by one change, each checked by the game's own checker.

What may be changed is what a list builder offers: units, how many there are of them, and their options. Whether the
changed list is allowed is for `Armies.checked` to say; nothing here knows a limit of any book.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from oriflamme.engine.lists.armies import Armies
from oriflamme.engine.lists.drafts import Draft, Entry, Pick
from oriflamme.engine.lists.fields import Names
from oriflamme.engine.lists.reading import NO_OPTIONS, Options
from oriflamme.engine.lists.units import CheckedDraft, UnitOffer
from oriflamme.engine.words.limits import MOST_ENTRIES
from oriflamme.engine.words.notices import Notice, notice

NOTHING: Final[Names] = {}
MOST_ALIKE: Final = 12  # of a unit that come in the place of another


class Change(msgspec.Struct, frozen=True):
    """A list that differs from another by one change: what goes, what comes, and of which unit.

    `kind` is one of take_out, swap, more, fewer, add_option, drop_option, add.
    """

    kind: str
    draft: Draft
    cost: int
    unit: Names = NOTHING
    other: Names = NOTHING
    count: int = 1
    """How many there are of it then."""

    def told(self) -> Notice:
        """The change in words."""
        # One of somebody who comes goes without saying.
        count = 0 if self.count == 1 and self.kind in ("swap", "add") else self.count
        return notice(f"change_{self.kind}", unit=self.unit, other=self.other, count=count)


def legal(armies: Armies[Any, Any, Any], draft: Draft, options: Options = NO_OPTIONS) -> CheckedDraft | None:
    """What a draft comes to, if nothing is wrong with it."""
    checked = armies.checked(draft, options)
    return None if checked.problems or checked.cost > draft.points else checked


def without(draft: Draft, number: int) -> Draft:
    """The draft without an entry, counted from 0; whoever goes with another still goes with that one."""
    entries = []
    for at, entry in enumerate(draft.entries):
        if at != number:
            joins = 0 if entry.joins == number + 1 else entry.joins - (entry.joins > number + 1)
            entries.append(msgspec.structs.replace(entry, joins=joins))
    return msgspec.structs.replace(draft, entries=entries)


def shorter(armies: Armies[Any, Any, Any], draft: Draft, options: Options = NO_OPTIONS) -> Iterator[Change]:
    """The draft with an entry less, or with fewer of one."""
    for number, entry in enumerate(draft.entries):
        yield from _checked(armies, "take_out", without(draft, number), options, draft, number)
        if entry.count > 1:
            yield from _checked(armies, "fewer", _with_count(draft, number, entry.count - 1), options, draft, number)


def variations(armies: Armies[Any, Any, Any], draft: Draft, options: Options = NO_OPTIONS) -> Iterator[Change]:
    """All lists that are allowed and differ from the draft by one change."""
    units = _units_for(armies, draft)
    yield from shorter(armies, draft, options)
    for number, entry in enumerate(draft.entries):
        if entry.whole is None and armies.counted > 1:
            yield from _checked(armies, "more", _with_count(draft, number, entry.count + 1), options, draft, number)
        yield from _other_options(armies, draft, number, units.get(entry.unit), options)
        for unit in units.values():
            if unit.id != entry.unit:
                yield from _swaps(armies, draft, number, unit, options)
    if len(draft.entries) < MOST_ENTRIES:
        for unit in units.values():
            yield from _added(armies, draft, unit, options)


def _swaps(
    armies: Armies[Any, Any, Any], draft: Draft, number: int, unit: UnitOffer, options: Options
) -> Iterator[Change]:
    """Another unit in the place of an entry, as many of it as there may be."""
    rest = armies.checked(without(draft, number), options).cost
    for instead in _in_numbers(armies, unit, draft.points - rest):
        kept = msgspec.structs.replace(instead, joins=draft.entries[number].joins if unit.joins else 0)
        found = list(_checked(armies, "swap", _with(draft, number, kept), options, draft, number, unit.name))
        if found:
            yield from found
            return


def _added(armies: Armies[Any, Any, Any], draft: Draft, unit: UnitOffer, options: Options) -> Iterator[Change]:
    """A unit more, as many of it as there may be."""
    spare = draft.points - armies.checked(draft, options).cost
    for added in _in_numbers(armies, unit, spare):
        longer = msgspec.structs.replace(draft, entries=[*draft.entries, added])
        found = list(_checked(armies, "add", longer, options, draft, len(draft.entries), unit.name))
        if found:
            yield from found
            return


def _in_numbers(armies: Armies[Any, Any, Any], unit: UnitOffer, points: int) -> Iterator[Entry]:
    """An entry of a unit, the most of it that so many points may pay for first."""
    low, high = unit.count if unit.count is not UNSET else (1, armies.counted)
    for count in range(min(high, MOST_ALIKE, points // max(unit.cost, 1)), low - 1, -1):
        yield Entry(unit=unit.id, count=count)


def _other_options(
    armies: Armies[Any, Any, Any], draft: Draft, number: int, unit: UnitOffer | None, options: Options
) -> Iterator[Change]:
    """One option more or less for an entry."""
    entry = draft.entries[number]
    names = {option.id: option.name for option in unit.options} if unit is not None else {}
    for at, pick in enumerate(entry.picks):
        fewer = msgspec.structs.replace(entry, picks=[*entry.picks[:at], *entry.picks[at + 1 :]])
        name = names.get(pick.option, {"en": pick.option})
        yield from _checked(armies, "drop_option", _with(draft, number, fewer), options, draft, number, name)
    taken = {pick.option for pick in entry.picks}
    for id, name in names.items():
        if id not in taken:
            more = msgspec.structs.replace(entry, picks=[*entry.picks, Pick(id)])
            yield from _checked(armies, "add_option", _with(draft, number, more), options, draft, number, name)


def _checked(
    armies: Armies[Any, Any, Any],
    kind: str,
    changed: Draft,
    options: Options,
    draft: Draft,
    number: int,
    other: Names = NOTHING,
) -> Iterator[Change]:
    checked = legal(armies, changed, options)
    if checked is not None:
        count = 0 if kind == "take_out" else changed.entries[number].count
        yield Change(kind, changed, checked.cost, _name(armies, draft, number), other, count)


def _name(armies: Armies[Any, Any, Any], draft: Draft, number: int) -> Names:
    if number >= len(draft.entries):
        return NOTHING
    id = draft.entries[number].unit
    unit = _units_for(armies, draft).get(id)
    return unit.name if unit is not None else {"en": id}


def _units_for(armies: Armies[Any, Any, Any], draft: Draft) -> Mapping[str, UnitOffer]:
    """What may be picked for this draft: of its faction, or of all where a list is of none."""
    factions = [one for one in armies.offers().factions if not armies.one_faction or one.id == draft.faction]
    return {unit.id: unit for faction in factions for unit in faction.units}


def _with(draft: Draft, number: int, entry: Entry) -> Draft:
    entries: Sequence[Entry] = [*draft.entries[:number], entry, *draft.entries[number + 1 :]]
    return msgspec.structs.replace(draft, entries=list(entries))


def _with_count(draft: Draft, number: int, count: int) -> Draft:
    return _with(draft, number, msgspec.structs.replace(draft.entries[number], count=count))
