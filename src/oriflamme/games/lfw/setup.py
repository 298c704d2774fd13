"""From armies, a scenario and options to the battle before its first step. A setup is plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.lists.checking import Terms, problems_with
from oriflamme.engine.lists.shelf import Shelf, agreed_points, ready_for
from oriflamme.engine.table.maps import map_from_data
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Problems, problem_with
from oriflamme.games.lfw.armies import ARMIES
from oriflamme.games.lfw.army.cards import Card, Enlisted, Warband
from oriflamme.games.lfw.army.limits import BY_SCENARIO, ROLE, SCENARIO
from oriflamme.games.lfw.battlefields.choice import BY_LOT as BY_LOT
from oriflamme.games.lfw.battlefields.choice import is_for
from oriflamme.games.lfw.deployment import begin_deployment
from oriflamme.games.lfw.profile import Sheet
from oriflamme.games.lfw.scenarios.book import SCENARIOS, Scenario
from oriflamme.games.lfw.scenarios.flood import MODES
from oriflamme.games.lfw.sheets import sheet_of
from oriflamme.games.lfw.specialists import become
from oriflamme.games.lfw.state import CAMPAIGN, SECRET, Battle, Model, Part, Recruit

USUAL: Final = "scn5"
PLAYERS: Final = ("2", "3", "4", "1")
# Scenarios without an end of their own are cut off after so many turns, if players agree on it.
TURNS: Final = ("8", "10", "12", "none")
PRICES: Final = "lfw.specialistPrice"
LIGHT: Final = ("day", "night")  # LFW-ENV-01, -02
ENDLESS: Final = "none"
LETTERS: Final = "abcd"


def _read(path: Path) -> Warband:
    return warband_of(str(path), ARMIES.reader.options)


# The rosters of armies that nobody owns (LFW-LEG1-06), and lists for one scenario only: titans, and armies with units
# of legend (LFW-LEG4-02, LFW-LEG5-02).
TIDES: Final = Shelf(Path(__file__).parent / "tides", _read, what="tide", where="tide", rule="LFW-LEG1-06")
LEGENDS: Final = Shelf(Path(__file__).parent / "legends", _read, what="list", where="lists")


def choices() -> dict[str, tuple[str, ...]]:
    """What players agree on before a battle."""
    others = sorted((plan.legendary, id) for id, plan in SCENARIOS.items() if id != USUAL)
    return {
        "scenario": (USUAL, *(id for _, id in others), BY_LOT),
        "players": PLAYERS,
        "turns": TURNS,
        "light": LIGHT,
        "mode": MODES,
        "tide": tuple(TIDES.files),
    }


def goes_with() -> dict[str, dict[str, dict[str, tuple[str, ...]]]]:
    """How many players a scenario is for (LFW-SETUP-02, 2), and that one with an end of its own is not cut off."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for plan in SCENARIOS.values():
        numbers = tuple(number for number in PLAYERS if plan.players[0] <= int(number) <= plan.players[1])
        found[plan.id] = {"players": numbers} | ({"turns": (ENDLESS,)} if plan.unowned_role else {})
    return {"scenario": found}


def choose_setup(
    seed: int, points: int, lists: Sequence[str], options: Mapping[str, str], agreed: Mapping[str, str]
) -> dict[str, Any]:
    """The setup of a battle: what is named, and for the rest what the seed picks."""
    random = Random(seed)
    players = int(agreed["players"])
    plan = scenario_for(agreed["scenario"], players, random)
    named = [warband_of(name, options) if name else None for name in (*lists, *[""] * players)[:players]]
    seats = [Seat(plan, role, players, options) for role in plan.roles(players)[:players]]
    sizes = [
        army.points if army is not None and not seat.own_size else None for army, seat in zip(named, seats, strict=True)
    ]
    size = agreed_points(points, sizes, plan.points)
    armies = []
    for number, (army, seat) in enumerate(zip(named, seats, strict=True), 1):
        if army is not None:
            seat.check(army, number)
        armies.append(army or seat.choose(size, random))
    data = {
        "game": "lfw",
        "points": size,
        "options": dict(options),
        **agreed,
        "scenario": plan.id,
        "armies": [army.to_data() for army in armies],
    }
    if plan.unowned_role:
        data["tide"] = tide_of(lists[players] if len(lists) > players else agreed["tide"], options).to_data()
    return data


def warband_of(name: str, options: Mapping[str, str]) -> Warband:
    """A list by its name or its path. Those that ship are written for the prices of the book (LFW-SPEC-06)."""
    if name in ARMIES.reader.ready or name in LEGENDS.files:
        options = {key: value for key, value in options.items() if key != PRICES}
    army = ARMIES.reader.load(LEGENDS.files.get(name, name), options)
    assert isinstance(army, Warband)
    return army


def tide_of(name: str, options: Mapping[str, str]) -> Warband:
    """What the army that nobody owns is made of: a roster that ships, or a player's own by its path (LFW-LEG1-06)."""
    army = TIDES.get(name) if name in TIDES.files else warband_of(name, options)
    if not all(unit.wave for unit in army.troops):
        raise problem_with(name, notice("no_tide"), hint=notice("write_a_tide"))
    return army


class Seat:
    """A place at the table: what armies may have its role in a scenario (LFW-LEG2-01, LFW-LEG3-01, LFW-LEG4-02)."""

    def __init__(self, plan: Scenario, role: str, players: int, options: Mapping[str, str]) -> None:
        self.plan = plan
        self.role = role
        self.options = options
        self.most = plan.most_points(role, players)

    @property
    def own_size(self) -> bool:
        """Its army has another size than those of the others."""
        return bool(self.most)

    def problems(self, army: Warband) -> list[Problem]:
        """All that is wrong with an army in this seat."""
        found: list[Problem] = []
        rule = self.plan.why_not_kind(self.role, army.keyword)
        if rule:
            what = notice("army_of_wrong_kind", role=self.role, faction=army.faction)
            found.append(Problem("army", what, rule, notice("see_the_roles")))
        if self.own_size and army.cost > self.most:
            found.append(Problem("points", notice("too_dear", cost=army.cost, points=self.most), "LFW-LEG4-02"))
        terms = Terms(army.points, {**self.options, SCENARIO: self.plan.id, ROLE: self.role})
        if any(unit.wave for unit in army.troops):
            found.append(Problem("army", notice("tide_in_seat"), "LFW-LEG1-06"))
            return found
        return found + problems_with(BY_SCENARIO, army.troops, terms)

    def check(self, army: Warband, number: int) -> None:
        """Raises Problems if an army cannot have this seat."""
        wrong = self.problems(army)
        if wrong:
            problems = Problems(f"list {number}")
            for problem in wrong:
                problems.note(problem)
            problems.raise_if_any()

    def choose(self, size: int, random: Random) -> Warband:
        """A ready-made army for it, by lot."""
        known = {name: warband_of(name, self.options) for name in (*ARMIES.reader.ready, *LEGENDS.files)}
        fit = {name: army for name, army in known.items() if not self.problems(army)}
        sizes = {name: size if self.own_size else army.points for name, army in fit.items()}
        return known[random.choice(ready_for(size, sizes))]


def scenario_for(named: str, players: int, random: Random) -> Scenario:
    """The scenario that is named, or one by lot of those that allow so many players (LFW-SETUP-03)."""
    return SCENARIOS[named] if named != BY_LOT else random.choice(drawn_from(players))


def drawn_from(players: int) -> list[Scenario]:
    """The scenarios that allow so many players, each as likely as the next (LFW-SETUP-03)."""
    return [plan for plan in SCENARIOS.values() if is_for(plan.id, players)]


def begin(setup: dict[str, Any], dice: Dice) -> Battle:
    """The battle before its first step: nobody is on the table."""
    plan = SCENARIOS[setup["scenario"]]
    armies = msgspec.convert(setup["armies"], list[Warband])
    table = _table(msgspec.json.encode(setup["map"])) if setup.get("map") else table_of(plan)
    roles = plan.roles(len(armies))
    battle = Battle(
        table,
        len(roles),
        dict(setup["options"]),
        dice,
        scenario=plan.id,
        points=setup["points"],
        players=len(armies),
        teams=plan.teams(len(armies), setup),
    )
    battle.roles = roles
    battle.dark, battle.roofed = plan.night or setup.get("light") == "night", plan.roofed
    if plan.unowned_role:
        battle.tide = recruits(msgspec.convert(setup["tide"], Warband))
    battle.last_turn = 0 if setup["turns"] == "none" or not plan.unlimited else int(setup["turns"])
    for side, army in enumerate(armies):
        take_the_field(battle, side, army)
    battle.notes[SECRET] = True
    if setup.get(CAMPAIGN):
        battle.notes[CAMPAIGN] = True
    plan.layout(battle)
    battle.then(begin_deployment)
    return battle


@lru_cache(maxsize=64)
def _table(map_data: bytes) -> Table:
    return map_from_data(msgspec.json.decode(map_data), "map of the save").table


@lru_cache(maxsize=32)
def table_of(plan: Scenario) -> Table:
    """The table of a scenario with the terrain it describes (LFW-SETUP-12). A table never changes: what is laid on it
    makes another one."""
    data = {"name": plan.id, "size": list(plan.size), "piece": [dict(piece) for piece in plan.terrain]}
    return map_from_data(data, plan.id).table


def recruits(army: Warband) -> tuple[Recruit, ...]:
    """The units of a tide: elites behave as their roster says, all others as classic automata (LFW-LEG1-08)."""
    return tuple(
        Recruit(unit.wave, unit.behaviour or "classic", unit.name, tuple(sheet for _, sheet in sheets_of(unit)))
        for unit in army.troops
    )


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


def sheets_of(unit: Enlisted) -> list[tuple[Card, Sheet]]:
    """The sheets of a unit or a duo, with its options."""
    return [
        (card, sheet_of(card.id, card.name, card.price(unit.options), card.equipped(unit.options)))
        for card in unit.cards
    ]


def model_of(unit: Enlisted, id: str, side: int) -> Model:
    """A unit of a list, or a duo: its sheets with the options, the spells it knows, its specialist."""
    parts = []
    roles = ("rider", "mount") if unit.mount is not None else ("",)
    for (card, sheet), role in zip(sheets_of(unit), roles, strict=True):
        part = Part(f"{id}.mount" if role == "mount" else id, id, side, sheet, role=role)
        if card is unit.card:
            part.spells = (*part.spells, *unit.spells)
        if unit.specialisation and card is unit.expert:
            become(part, unit.specialisation, unit.level, unit.skills)
        parts.append(part)
    model = Model(id, side, parts, unit.name)
    model.place = "reserve"
    return model
