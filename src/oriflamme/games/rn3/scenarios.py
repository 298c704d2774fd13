"""Scenarios and their war council: zones, objectives, turns, points and elixir (RN3-TURN-01, RN3-ELX-11).

The book has none; these are ours.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from oriflamme.engine.geometry.measure import TOLERANCE, cm
from oriflamme.games.rn3.measures import USUAL_TURNS
from oriflamme.games.rn3.state import Battle, Objective

EDGES: Final = ("own", "left", "right")  # RN3-RSV-07


class Rect(NamedTuple):
    """A part of the table, in millimetres."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def holds(self, x: float, y: float, radius: float) -> bool:
        """A round base lies wholly in it."""
        return (
            self.x0 + radius <= x + TOLERANCE
            and x - TOLERANCE <= self.x1 - radius
            and self.y0 + radius <= y + TOLERANCE
            and y - TOLERANCE <= self.y1 - radius
        )


class Marker(msgspec.Struct, frozen=True):
    """An objective of a scenario, in centimetres."""

    id: str
    name: dict[str, str]
    at: tuple[float, float]
    radius: float
    points: int = 0
    elixir: int = 0


class Scenario(msgspec.Struct, frozen=True):
    """What both sides agree on in the war council, in centimetres."""

    name: dict[str, str]
    council: dict[str, str]
    size: tuple[float, float]
    turns: int
    zones: tuple[tuple[float, float, float, float], tuple[float, float, float, float]]
    objectives: tuple[Marker, ...] = ()
    losses: int = 0
    commander: int = 0
    crossing: int = 0
    edges: tuple[str, ...] = EDGES

    def markers(self) -> tuple[Objective, ...]:
        """Its objectives as they lie on the table, held by nobody."""
        return tuple(
            Objective(o.id, cm(o.at[0]), cm(o.at[1]), cm(o.radius), o.points, o.elixir) for o in self.objectives
        )


def _load() -> dict[str, Scenario]:
    text = (Path(__file__).parent / "scenarios.toml").read_text(encoding="utf-8")
    return {id: msgspec.convert(data, Scenario) for id, data in tomllib.loads(text).items()}


SCENARIOS: Final[Mapping[str, Scenario]] = _load()
# Where nothing is agreed on: two bands along the long edges, as in a pitched battle.
BAND: Final = cm(30)


def scenario_of(battle: Battle) -> Scenario | None:
    return SCENARIOS.get(battle.scenario)


def zone_of(battle: Battle, side: int) -> Rect:
    """The deployment zone of a side (RN3-DEP-03)."""
    scenario, width, depth = scenario_of(battle), battle.table.width, battle.table.depth
    if scenario is None:
        return Rect(0.0, 0.0, width, BAND) if side == 0 else Rect(0.0, depth - BAND, width, depth)
    x0, y0, x1, y1 = scenario.zones[side]
    return Rect(cm(x0), cm(y0), cm(x1), cm(y1))


def edges_of(battle: Battle, side: int) -> tuple[str, ...]:
    """The edges by which reserves of a side may enter, as its player sees them (RN3-RSV-07, -10)."""
    scenario = scenario_of(battle)
    return scenario.edges if scenario is not None else EDGES


def turns_of(scenario: str) -> int:
    return SCENARIOS[scenario].turns if scenario in SCENARIOS else USUAL_TURNS
