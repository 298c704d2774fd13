"""What the table shows of Age of Fantasy."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final

from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import (
    Coherency,
    FallenShown,
    FigureShown,
    ObjectiveShown,
    StateShown,
    UnitShown,
    ZoneShown,
    usual,
)
from oriflamme.games.aof.deployment import zone
from oriflamme.games.aof.looks import look_of
from oriflamme.games.aof.movement import NEIGHBOUR, SPREAD
from oriflamme.games.aof.state import CONTROL, ROUNDS, Battle, Figure, Unit

SHAKEN: Final = StateShown("shaken")
FATIGUED: Final = StateShown("fatigued")
ACTIVATED: Final = StateShown("activated")


class AofPicture(Picture[Battle, Unit]):
    """Units of models, objectives to hold, and where the armies deploy."""

    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("unit",)

    def last_round(self, battle: Battle) -> int:
        return ROUNDS

    def unit(self, unit: Unit) -> UnitShown:
        figures = tuple(_figure(unit, f) for f in unit.figures)
        looks = [f.look for f in figures] or [_look(unit, f) for f in unit.fallen[:1]]
        return UnitShown(
            unit.id,
            unit.side,
            unit.name,
            figures,
            tuple(map(FallenShown.of, unit.fallen)) if unit.reserve is None else (),
            start=unit.start,
            look=usual(looks),
            states=_states(unit),
            reserve=unit.reserve,
        )

    def turn(self, battle: Battle) -> int:
        return battle.turn

    def zones(self, battle: Battle) -> tuple[ZoneShown, ...]:
        return tuple(ZoneShown(side, _strip(*box)) for side in (0, 1) if _is_there(box := zone(battle, side)))

    def coherency(self, battle: Battle) -> Coherency:
        """Within 1" of another model of the unit, and within 9" of all (AOF-MOVE-02)."""
        return Coherency(NEIGHBOUR, SPREAD)

    def objectives(self, battle: Battle) -> Iterator[ObjectiveShown]:
        return (ObjectiveShown(o.x, o.y, o.owner, CONTROL) for o in battle.objectives)


def _is_there(box: tuple[float, float, float, float]) -> bool:
    return box[2] > box[0] and box[3] > box[1]


@lru_cache(maxsize=64)
def _strip(x0: float, y0: float, x1: float, y1: float) -> Outline:
    return Outline.rectangle((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)


def _figure(unit: Unit, figure: Figure) -> FigureShown:
    profile = figure.profile
    return FigureShown.of(figure, _look(unit, figure), figure.wounds, profile.tough, profile.hero)


def _look(unit: Unit, figure: Figure) -> str:
    return look_of(figure.profile, unit.card.get("kind", ""))


def _states(unit: Unit) -> tuple[StateShown, ...]:
    found = ((SHAKEN, unit.shaken), (FATIGUED, unit.fatigued), (ACTIVATED, unit.activated))
    return tuple(state for state, so in found if so)
