"""A game of the test's own: frogs on a bog, who sink. Nothing outside this folder knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.core.rulebook import HouseRule
from oriflamme.engine.core.state import Kind
from oriflamme.engine.core.steps import Step, Steps
from oriflamme.engine.geometry.shapes import Disc, Outline
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import (
    AreaShown,
    BorderShown,
    Coherency,
    FigureShown,
    StateShown,
    TokenShown,
    UnitShown,
    ZoneShown,
)
from oriflamme.engine.table.pieces import Table

steps = Steps()


class Frogs(engine.Unit[engine.Figure]):
    """Three frogs who keep together."""

    __slots__ = ("sunken",)

    def __init__(self, id: str, side: int, y: float) -> None:
        figures = [engine.Figure(f"{id}.{n}", Disc(15), 20) for n in (1, 2, 3)]
        for number, figure in enumerate(figures):
            figure.x, figure.y = 200.0 + 45 * number, y
        self.sunken = 0
        super().__init__(id, side, figures)


class Bog(engine.Battle[Frogs]):
    """Two sides, and a lantern between them."""

    __slots__ = ()
    slot_kinds: ClassVar[Mapping[str, Kind]] = {}


@steps.step
def sink(battle: Bog) -> Step:
    """The sides take turns to sink some frogs, or to put out the lantern."""
    side = battle.round % 2
    options = [Option.thing(unit.id, "frogs") for unit in battle.units.values()]
    options.append(Option("put_out", "put_out", {}, ("lantern",)))
    key = yield from pick_one(side, options, "choose_frogs", "BOG-01", {"unit": f"frogs_{side}"})
    battle.round += 1
    if key in battle.units:
        battle.units[key].sunken += 1
    battle.over = battle.round >= 6
    if not battle.over:
        battle.then(sink)


class BogPicture(Picture[Bog, Frogs]):
    """A state, a token, a look, a border and an area that no other game has."""

    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("unit",)

    def unit(self, unit: Frogs) -> UnitShown:
        return UnitShown(
            unit.id,
            unit.side,
            {"en": f"Frogs {unit.side + 1}", "fr": f"Grenouilles {unit.side + 1}"},
            tuple(FigureShown.of(figure, "frog") for figure in unit.figures),
            start=3,
            look="frog",
            states=(StateShown("sunken", unit.sunken),) if unit.sunken else (),
        )

    def coherency(self, battle: Bog) -> Coherency:
        return Coherency(nearest=30.0, farthest=80.0)

    def zones(self, battle: Bog) -> Iterator[ZoneShown]:
        for side in (0, 1):
            yield ZoneShown(side, Outline.circle(245.0, 100.0 + 400 * side, 90.0))

    def tokens(self, battle: Bog) -> Iterator[TokenShown]:
        yield TokenShown("lantern", "lantern", 245.0, 300.0, 20.0)

    def borders(self, battle: Bog) -> Iterator[BorderShown]:
        yield BorderShown("reeds", 0, (0.0, 300.0), (600.0, 300.0))

    def areas(self, battle: Bog) -> Iterator[AreaShown]:
        yield AreaShown("mist", 1, ((20.0, 20.0), (80.0, 20.0), (50.0, 80.0)))


class BogGame(Game):
    """The rulebook."""

    id = "bog"
    title: ClassVar[Mapping[str, str]] = {"en": "The Bog", "fr": "La Tourbière"}
    measure = "mm"
    steps = steps
    options: Mapping[str, HouseRule] = {}

    def setup(self, seed: int, **chosen: Any) -> dict[str, Any]:
        return {
            "armies": [{"name": {"en": "Green", "fr": "Vert"}}, {"name": {"en": "Brown", "fr": "Brun"}}],
        }

    def begin(self, setup: dict[str, Any], dice: Dice) -> Bog:
        battle = Bog(Table(600.0, 600.0), 2, {}, dice)
        battle.units = {f"frogs_{side}": Frogs(f"frogs_{side}", side, 100.0 + 400 * side) for side in (0, 1)}
        battle.then(sink)
        return battle

    def score(self, battle: Bog) -> list[int]:
        return [unit.sunken for unit in battle.units.values()]

    def picture(self) -> BogPicture:
        return BogPicture(self.measure)


game = BogGame()
