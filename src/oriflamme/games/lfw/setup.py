"""From armies, a scenario and options to the battle before its first step. A setup is plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import msgspec

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.lists.shelf import agreed_points, ready_for
from oriflamme.engine.table.maps import map_from_data
from oriflamme.engine.table.pieces import Table
from oriflamme.games.lfw.armies import ARMIES
from oriflamme.games.lfw.army.cards import Enlisted, Warband
from oriflamme.games.lfw.deployment import begin_deployment
from oriflamme.games.lfw.scenarios.book import SCENARIOS, Scenario
from oriflamme.games.lfw.sheets import sheet_of
from oriflamme.games.lfw.specialists import become
from oriflamme.games.lfw.state import Battle, Model, Part

USUAL: Final = "scn5"
BY_LOT: Final = "random"  # LFW-SETUP-03
PLAYERS: Final = ("2", "3", "4")
# Scenarios without an end of their own are cut off after so many turns, if players agree on it.
TURNS: Final = ("8", "10", "12", "none")
LETTERS: Final = "abcde"


def choices() -> dict[str, tuple[str, ...]]:
    """What players agree on before a battle."""
    scenarios = (USUAL, *(id for id in SCENARIOS if id != USUAL), BY_LOT)
    return {"scenario": scenarios, "players": PLAYERS, "turns": TURNS}


def goes_with() -> dict[str, dict[str, dict[str, tuple[str, ...]]]]:
    """How many players a scenario is for (LFW-SETUP-02, 2)."""
    numbers = {
        plan.id: tuple(number for number in PLAYERS if plan.players[0] <= int(number) <= plan.players[1])
        for plan in SCENARIOS.values()
    }
    return {"scenario": {id: {"players": usable} for id, usable in numbers.items() if usable}}


def choose_setup(
    seed: int, points: int, lists: Sequence[str], options: Mapping[str, str], agreed: Mapping[str, str]
) -> dict[str, Any]:
    """The setup of a battle: what is named, and for the rest what the seed picks."""
    random = Random(seed)
    reader = ARMIES.reader
    players = int(agreed["players"])
    plan = scenario_for(agreed["scenario"], players, random)
    named = [reader.load(name, options) if name else None for name in (*lists, *[""] * players)[:players]]
    size = agreed_points(points, [army.points if army is not None else None for army in named], plan.points)
    ready = ready_for(size, {name: reader.load(name, options).points for name in reader.ready})
    armies = [army or reader.load(random.choice(ready), options) for army in named]
    return {
        "game": "lfw",
        "points": size,
        "options": dict(options),
        **agreed,
        "scenario": plan.id,
        "armies": [army.to_data() for army in armies],
    }


def scenario_for(named: str, players: int, random: Random) -> Scenario:
    """The scenario that is named, or one by lot of those that allow so many players (LFW-SETUP-03)."""
    if named != BY_LOT:
        return SCENARIOS[named]
    return random.choice([plan for plan in SCENARIOS.values() if plan.players[0] <= players <= plan.players[1]])


def begin(setup: dict[str, Any], dice: Dice) -> Battle:
    """The battle before its first step: nobody is on the table."""
    plan = SCENARIOS[setup["scenario"]]
    armies = msgspec.convert(setup["armies"], list[Warband])
    table = map_from_data(setup["map"], "map of the save").table if setup.get("map") else table_of(plan)
    roles = plan.roles(len(armies))
    battle = Battle(
        table,
        len(roles),
        dict(setup["options"]),
        dice,
        scenario=plan.id,
        points=setup["points"],
        players=len(armies),
        teams=plan.teams(len(armies)),
    )
    battle.roles = roles
    battle.last_turn = 0 if setup["turns"] == "none" or not plan.unlimited else int(setup["turns"])
    for side, army in enumerate(armies):
        take_the_field(battle, side, army)
    plan.layout(battle)
    battle.then(begin_deployment)
    return battle


def table_of(plan: Scenario) -> Table:
    """The table of a scenario with the terrain it describes (LFW-SETUP-12)."""
    data = {"name": plan.id, "size": list(plan.size), "piece": [dict(piece) for piece in plan.terrain]}
    return map_from_data(data, plan.id).table


def bare_table(size: tuple[float, float]) -> Table:
    return Table(inches(size[0]), inches(size[1]))


def take_the_field(battle: Battle, side: int, army: Warband) -> None:
    """The units of an army, in reserve until they are deployed."""
    number = 0
    for unit in army.troops:
        for _ in range(unit.count):
            number += 1
            model = model_of(unit, f"{LETTERS[side]}{number}", side)
            battle.units[model.id] = model


def model_of(unit: Enlisted, id: str, side: int) -> Model:
    """A unit of a list, or a duo: its sheets with the options, the spells it knows, its specialist."""
    parts = []
    for card, role in zip(unit.cards, ("rider", "mount") if unit.mount is not None else ("",), strict=True):
        sheet = sheet_of(card.id, card.name, card.price(unit.options), card.equipped(unit.options))
        part = Part(f"{id}.mount" if role == "mount" else id, id, side, sheet, role=role)
        if card is unit.card:
            part.spells = (*part.spells, *unit.spells)
        if unit.specialisation and card is unit.expert:
            become(part, unit.specialisation, unit.level, unit.skills)
        parts.append(part)
    model = Model(id, side, parts, unit.name)
    model.place = "reserve"
    return model
