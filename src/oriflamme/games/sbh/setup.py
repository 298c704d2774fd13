"""From bands, a table and options to the battle before its first step. A setup is plain data and holds everything."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

import msgspec

from oriflamme.engine.core.dice import Dice, HiddenDice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.crowds import crowding
from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.engine.lists.shelf import agreed_points
from oriflamme.engine.table.maps import Map, load_map, map_from_data
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem, Problems
from oriflamme.games.sbh.bands import BANDS, load_band
from oriflamme.games.sbh.deployment import (
    choose_edge,
    choose_roles,
    deploy_bands,
    lay_markers,
    name_place_of_power,
    roll_scenario,
    set_terrain,
)
from oriflamme.games.sbh.fighters import Band
from oriflamme.games.sbh.measures import (
    HEX_WIDTHS,
    HEXES,
    SCALES,
    TABLES,
    HexRuler,
    Ruler,
    Sticks,
    base_width,
    why_not_hexes,
)
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.random_bands import random_band
from oriflamme.games.sbh.scenarios import SCENARIOS
from oriflamme.games.sbh.state import Battle, Fighter
from oriflamme.games.sbh.terrain import why_not_table

POINTS: Final = 300  # SBH-BAND-02
CHOICES: Final = {
    "scenario": ("roll", *SCENARIOS),
    "scale": ("15mm", "28mm"),
    "board": ("open", "hex"),
    # A host may limit the number of turns, both players' together; the book does not.
    "turns": ("60", "none", "20", "40", "80", "100", "120"),
}


def choose_setup(
    seed: int,
    points: int,
    lists: Sequence[str],
    map_name: str,
    options: Mapping[str, str],
    choices: Mapping[str, str],
) -> dict[str, Any]:
    """The setup of a battle: what is named, and for the rest what the seed picks. Without points it is as large as the
    band that is named, or as the book has it.

    Without a map the defender lays the terrain himself, as the book has it.
    """
    random = Random(seed)
    named = [load_band(name, options) if name else None for name in (*lists, "", "")[:2]]
    points = agreed_points(points, [band.points if band is not None else None for band in named], POINTS)
    first = named[0] or _some_band(random, points, options, named[1])
    bands = [first, named[1] or _some_band(random, points, options, first)]
    problems = Problems("setup")
    if bands[0].points != bands[1].points:
        what = notice("points_against", first=bands[0].points, second=bands[1].points)
        problems.add("lists", what, "SBH-BAND-02", notice("choose_same_bands"))
    table = load_map(map_name) if map_name else None
    misfit = why_not_board(table.table, table.grid(), choices["scale"]) if table is not None else None
    if misfit is not None:
        problems.add("map", *_in_words(misfit, choices["scale"]))
    setup = make_setup([band.to_data() for band in bands], points, options, choices, table)
    if choices["scenario"] != "ambush":
        for crowded in _crowded(setup):
            problems.note(crowded)
    problems.raise_if_any()
    return setup


def _crowded(setup: dict[str, Any]) -> list[Problem]:
    """The bands of which not all can be placed within Short of any edge, as their bases cover more (SBH-SETUP-04)."""
    battle = begin(setup, HiddenDice())
    found = []
    for side in (0, 1):
        bases = [Disc(fighter.radius) for fighter in battle.units.values() if fighter.side == side]
        deep = battle.sticks.short + 2 * max((base.radius for base in bases), default=0.0)
        grounds = [(battle.table.width, deep), (battle.table.depth, deep)]
        crowded = crowding(f"lists[{side + 1}]", bases, grounds, "SBH-SETUP-04")
        found += [crowded] if crowded is not None else []
    return found


def why_not_board(table: Table, grid: HexGrid | None, scale: str) -> Refusal | None:
    """Why such figures cannot play on this table, or on its hexes if it has any (SBH-GEN-02, SBH-HEX-01)."""
    return why_not_table(table, scale) if grid is None else why_not_hexes(grid, scale)


def _in_words(misfit: Refusal, scale: str) -> tuple[Notice, str, Notice]:
    """What is wrong with a map, by which rule, and what may be done about it."""
    facts = misfit.facts
    if misfit.why == "hexes_do_not_fit":
        what = notice("hexes_misfit", width=facts["width"], scale=scale, least=facts["least"], most=facts["most"])
        return what, misfit.rule, notice("change_hexes")
    if misfit.why == "board_too_small":
        return notice("larger_board"), misfit.rule, notice("another_map")
    small = misfit.why == "table_too_small"
    size = notice("large_ground" if scale == "28mm" else "small_ground")
    what = notice("table_misfit", small=small, scale=scale, size=size)
    return what, misfit.rule, notice("another_scale", scale="15mm" if small else "28mm")


def _some_band(random: Random, points: int, options: Mapping[str, str], other: Band | None) -> Band:
    """A ready-made band if the points are the usual ones, and not the one it meets; else one mustered by chance."""
    if points == POINTS and options["sbh.racialBands"] == "free":
        names = [name for name in sorted(BANDS.ready) if other is None or load_band(name, options) != other]
        return load_band(random.choice(names), options)
    return random_band(random, points, options)


def make_setup(
    bands: Sequence[Mapping[str, Any]],
    points: int,
    options: Mapping[str, str],
    choices: Mapping[str, str],
    table: Map | None = None,
) -> dict[str, Any]:
    """Everything a battle begins with, as plain data: the bands and the map themselves, not their names."""
    return {
        "game": "sbh",
        "points": points,
        "options": dict(options),
        "scenario": choices["scenario"],
        "scale": choices["scale"],
        "board": choices["board"],
        "turns": 0 if choices["turns"] == "none" else int(choices["turns"]),
        "map": table.to_data() if table is not None else None,
        "armies": [dict(band) for band in bands],
    }


def begin(setup: dict[str, Any], dice: Dice) -> Battle:
    """The battle before its first step."""
    scale: str = setup["scale"]
    table, grid = _board(msgspec.json.encode(setup["map"]), scale, setup["board"])
    sticks, ruler = measures(scale, grid)
    battle = Battle(
        table,
        dict(setup["options"]),
        dice,
        scale=scale,
        sticks=sticks,
        ruler=ruler,
        scenario=setup["scenario"],
        points=setup["points"],
        turn_limit=setup["turns"],
    )
    upgrades = []
    for side, data in enumerate(setup["armies"]):
        upgrades.append(frozenset(data.get("upgrades", ())))
        for card in data["fighters"]:
            fighter = field(battle, card, side)
            battle.units[fighter.id] = fighter
    battle.upgrades = (upgrades[0], upgrades[1])
    first = [due(roll_scenario)] if battle.scenario == "roll" else []
    terrain = [due(set_terrain)] if setup["map"] is None else []
    battle.then_all(
        *first,
        due(choose_roles),
        *terrain,
        due(name_place_of_power),
        due(lay_markers),
        due(choose_edge),
        due(deploy_bands),
    )
    return battle


def measures(scale: str, grid: HexGrid | None) -> tuple[Sticks, Ruler]:
    """The sticks in millimetres, and how distances are counted."""
    if grid is None:
        return SCALES[scale], _open_rulers[scale]
    wide = grid.width
    return Sticks(HEXES.short * wide, HEXES.medium * wide, HEXES.long * wide), HexRuler(grid)


_open_rulers = {scale: Ruler(sticks) for scale, sticks in SCALES.items()}


@lru_cache(maxsize=64)
def _board(map_data: bytes, scale: str, board: str) -> tuple[Table, HexGrid | None]:
    """The table and its hexes, if it has any. Neither changes, so battles share them."""
    data = msgspec.json.decode(map_data)
    if data is None:
        table = Table(TABLES[scale], TABLES[scale])
        return table, HexGrid(HEX_WIDTHS[scale][1], table.width, table.depth) if board == "hex" else None
    made = map_from_data(data, "map of the save")
    grid = made.grid()
    if grid is None and board == "hex":
        grid = HexGrid(HEX_WIDTHS[scale][1], made.table.width, made.table.depth)
    return made.table, grid


_SECOND = re.compile(r"_b(_\d+)?$")


def field(battle: Battle, card: Mapping[str, Any], side: int) -> Fighter:
    """A fighter of a band as a fighter of the battle, with an id of his own.

    The second band's ids end in `_b` and the first one's never do: nobody's own ids tell him who is in a band that he
    may not see yet (SBH-BAND-01).
    """
    own = str(card["id"])
    own = f"{own}_b" if side else f"{own}_a" if _SECOND.search(own) else own
    id, number = own, 1
    while id in battle.units:
        number += 1
        id = f"{own}_{number}"
    rules = tuple(card["rules"])
    type_of = card["card"] or f"{card['race']}/{card['quality']}/{card['combat']}/{'+'.join(rules)}"
    profile = profile_of(type_of, card["race"], card["quality"], card["combat"], rules)
    grid = battle.ruler.grid
    if grid is not None:
        width = grid.width
    else:
        width = base_width(battle.scale, profile.size, profile.mounted, battle.options["sbh.baseSizes"])
    return Fighter(id, side, profile, width, dict(card))
