"""Whatever stands in a list or a faction file, it is read or refused with reasons; nothing else happens."""

from __future__ import annotations

import contextlib
import copy
import tomllib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from oriflamme.engine.words.problems import Problems, Reader, without_nulls
from oriflamme.games.tlaok.army.factions import FACTIONS, read_faction
from oriflamme.games.tlaok.army.fielding import field_army, field_character
from oriflamme.games.tlaok.army.reading import LISTS, check_list
from oriflamme.games.tlaok.army.rosters import equip_character, equip_regiment

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**12) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)

LIST = tomllib.loads((LISTS.folder / "salt_crown_2000_sea_wall.toml").read_text(encoding="utf-8"))
FACTION = tomllib.loads((FACTIONS.folder / "brass_orchard.toml").read_text(encoding="utf-8"))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in nested data."""
    if isinstance(value, dict):
        inside = [place for key, inner in value.items() for place in places(inner, (*path, key))]
    elif isinstance(value, list):
        inside = [place for number, inner in enumerate(value) for place in places(inner, (*path, number))]
    else:
        inside = []
    return [path, *inside] if path else inside


def spoilt(data: Any, path: tuple[Any, ...], junk: Any) -> Any:
    made = copy.deepcopy(data)
    place = made
    for key in path[:-1]:
        place = place[key]
    if junk is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = junk
    return made


@settings(max_examples=300, deadline=None)
@given(path=st.sampled_from(places(LIST)), junk=JUNK | st.just(...))
def test_a_spoilt_list_is_read_or_refused(path: tuple[Any, ...], junk: Any) -> None:
    try:
        roster = check_list(spoilt(LIST, path, junk), "list")
    except Problems:
        return
    assert roster.cost <= roster.points
    field_army(roster, 0)


@settings(max_examples=300, deadline=None)
@given(path=st.sampled_from(places(FACTION)), junk=JUNK | st.just(...))
def test_a_spoilt_faction_is_read_or_refused(path: tuple[Any, ...], junk: Any) -> None:
    problems = Problems("faction")

    army = read_faction(Reader(without_nulls(spoilt(FACTION, path, junk)), problems), "orchard")

    if not problems:
        for card in army.regiments.values():
            equip_regiment(card, army, models=card.command.models[:1], options=list(card.options))
        for hero in army.characters.values():
            spells = [spell.id for spell in hero.learns]
            field_character(equip_character(hero, army, upgrades=hero.upgrades, spells=spells, warlord=True), hero.id)


@settings(max_examples=150, deadline=None)
@given(junk=JUNK)
def test_rubbish_is_no_list(junk: Any) -> None:
    with contextlib.suppress(Problems):
        LISTS.of_data(junk, "list", {}, None)
