"""Which table a battle is fought on: the one that is named, else one that ships or one that is made, by the seed
(LFW-SETUP-12)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Final

from oriflamme.engine.table.maps import Map, load_map, shipped_maps
from oriflamme.engine.words.problems import Problems
from oriflamme.games.lfw.battlefields.demands import Field, why_not
from oriflamme.games.lfw.battlefields.generator import generate_battlefield
from oriflamme.games.lfw.scenarios.book import SCENARIOS

BY_LOT: Final = "random"  # LFW-SETUP-03
MINES: Final = "leg2"
MADE: Final = re.compile(r"battlefield_(\d{1,18})")


@lru_cache(maxsize=64)
def _shipped(name: str) -> Map:
    return load_map(name)


def shipped() -> tuple[str, ...]:
    """The maps that come with the program for this game."""
    return shipped_maps("warband")


@lru_cache(maxsize=64)
def usual_maps(scenario: str) -> tuple[str, ...]:
    """The maps that ship, are what a scenario asks for and are of its own size. Nobody goes down into a mine unless the
    scenario leads there (LFW-LEG2-05)."""
    fitting = [name for name in shipped() if not why_not(_shipped(name).table, scenario)]
    if scenario != MINES:
        fitting = [name for name in fitting if why_not(_shipped(name).table, MINES)]
    return tuple(name for name in fitting if _size(_shipped(name)) == SCENARIOS[scenario].size)


def _size(map: Map) -> tuple[float, float]:
    field = Field(map.table)
    return field.width, field.depth


@lru_cache(maxsize=64)
def scenarios_on(map: Map) -> tuple[str, ...]:
    """The scenarios that can be played on a map."""
    return tuple(id for id in SCENARIOS if not why_not(map.table, id))


def scenario_on(name: str, seed: int, choices: Mapping[str, str]) -> Mapping[str, str]:
    """What players agree on, with a scenario that can be played on the map they name, where they leave that open."""
    if not name or MADE.fullmatch(name) or choices.get("scenario", BY_LOT) != BY_LOT:
        return choices
    players = int(choices.get("players", 0))
    fitting = [id for id in scenarios_on(load_map(name)) if not players or is_for(id, players)]
    if not fitting:
        return choices
    return {**choices, "scenario": fitting[0] if "scenario" not in choices else Random(seed).choice(fitting)}


def is_for(scenario: str, players: int) -> bool:
    """A scenario is for so many players (LFW-SETUP-02, 2)."""
    least, most = SCENARIOS[scenario].players
    return least <= players <= most


def battlefield(name: str, seed: int, scenario: str, players: int) -> Map:
    """The map of a name; `battlefield_7` is the one that seed 7 makes for the scenario. Without a name it is as often
    one that ships as one that is made. Raises Problems if the scenario asks for another table."""
    made = MADE.fullmatch(name)
    if made:
        return generate_battlefield(int(made[1]), scenario, players)
    if name:
        return _judged(load_map(name), scenario)
    random = Random(f"battlefield {seed}")
    usual = usual_maps(scenario)
    if usual and random.random() < 0.5:
        return _shipped(random.choice(usual))
    return generate_battlefield(seed, scenario, players)


def _judged(map: Map, scenario: str) -> Map:
    Problems(f"map {map.id}, {scenario}", why_not(map.table, scenario)).raise_if_any()
    return map
