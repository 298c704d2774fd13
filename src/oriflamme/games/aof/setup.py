"""From lists, a map and options to the battle before its first step. A setup is plain data and holds everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

import msgspec

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.crowds import crowding
from oriflamme.engine.geometry.shapes import Base
from oriflamme.engine.lists.shelf import agreed_points, ready_for
from oriflamme.engine.table.maps import Map, generate_map, load_map, map_from_data
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems
from oriflamme.games.aof.army_limits import unequal_points
from oriflamme.games.aof.deployment import choose_edge
from oriflamme.games.aof.mission import set_up_mission
from oriflamme.games.aof.reading import LISTS, load_list
from oriflamme.games.aof.rosters import EquippedUnit, Roster
from oriflamme.games.aof.rounds import begin_round
from oriflamme.games.aof.state import Battle, Figure, Unit
from oriflamme.games.aof.tables import table_problems, zones

USUAL_POINTS: Final = 750


def make_setup(rosters: tuple[Roster, Roster], table: Map, options: Mapping[str, str], points: int) -> dict[str, Any]:
    """Everything a battle begins with, as plain data: the lists and the map themselves, not their names."""
    return {
        "game": "aof",
        "points": points,
        "options": dict(options),
        "map": table.to_data(),
        "armies": [roster.to_data() for roster in rosters],
    }


def choose_setup(
    seed: int, points: int, lists: Sequence[str], map_name: str, options: Mapping[str, str]
) -> dict[str, Any]:
    """The setup of a battle: what is named, and for the rest what the seed picks. Without points it is as large as the
    list that is named, or as usual.
    """
    random = Random(seed)
    named = [load_list(name, options) if name else None for name in (*lists, "", "")[:2]]
    points = agreed_points(points, [roster.points if roster is not None else None for roster in named], USUAL_POINTS)
    rosters = [roster or load_list(random.choice(_lists_of(points)), options) for roster in named]
    table = load_map(map_name) if map_name else generate_map(seed)
    problems = Problems("setup", table_problems(table.table, options))
    unequal = unequal_points(rosters[0], rosters[1])
    if unequal is not None:
        problems.add(unequal.where, unequal.what, unequal.rule, notice("choose_same_size"))
    grounds = zones(table.table, options)
    for number, roster in enumerate(rosters, 1):
        crowded = crowding(f"lists[{number}]", must_deploy(roster), grounds, "AOF-DEPLOY-03")
        if crowded is not None:
            problems.note(crowded)
    problems.raise_if_any()
    return make_setup((rosters[0], rosters[1]), table, options, points)


def must_deploy(roster: Roster) -> list[Base]:
    """The bases of the units that no rule lets a player set aside: they are all placed in the zone (AOF-DEPLOY-02)."""
    kept = [unit.profiles for unit in roster.units if not all(profile.reserves for profile in unit.profiles)]
    return [profile.base for profiles in kept for profile in profiles]


def _lists_of(points: int) -> list[str]:
    return ready_for(points, {name: load_list(name).points for name in LISTS.ready})


def begin(setup: dict[str, Any], dice: Dice) -> Battle:
    """The battle before its first step."""
    table = _table(msgspec.json.encode(setup["map"]))
    battle = Battle(table, dict(setup["options"]), dice, setup["points"])
    for side, data in enumerate(setup["armies"]):
        roster = _roster(msgspec.json.encode(data))
        ids: list[str] = []
        for listed in roster.units:
            unit = field(listed, side, battle.units)
            battle.units[unit.id] = unit
            ids.append(unit.id)
        for hero, listed in zip(ids, roster.units, strict=True):
            if 0 < listed.joins <= len(ids):
                battle.units[hero].card["joins"] = ids[listed.joins - 1]
    battle.then_all(due(set_up_mission), due(choose_edge), due(begin_round))
    return battle


# Tables and profiles never change, so battles on the same map or with the same list share them.


@lru_cache(maxsize=64)
def _table(data: bytes) -> Table:
    return map_from_data(msgspec.json.decode(data), "map of the save").table


@lru_cache(maxsize=64)
def _roster(data: bytes) -> Roster:
    return Roster.from_data(msgspec.json.decode(data))


def field(listed: EquippedUnit, side: int, taken: Mapping[str, Unit]) -> Unit:
    """A unit of a list as a unit of the battle, with a name of its own."""
    id, number = listed.id, 1
    while id in taken:
        number += 1
        id = f"{listed.id}_{number}"
    figures = [Figure(f"{id}.{n}", profile) for n, profile in enumerate(listed.profiles, 1)]
    unit = Unit(id, side, figures, dict(listed.name), listed.spells)
    unit.card = {"kind": listed.kind, "cost": listed.cost, "weapon_names": listed.weapon_names}
    return unit
