"""How a game is shown: each rulebook derives a `Picture` and fills it; what it leaves out is not shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from oriflamme.engine.core.battle import Battle, Unit
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.picture.shown import (
    AreaShown,
    BorderShown,
    Coherency,
    FallenShown,
    FigureShown,
    LightShown,
    ObjectiveShown,
    TableShown,
    TokenShown,
    UnitShown,
    ZoneShown,
)
from oriflamme.engine.picture.signs import Signs, signs_in

B = TypeVar("B", bound=Battle[Any])
U = TypeVar("U", bound=Unit[Any])


class Picture(Generic[B, U]):
    """What the table shows of a game, of a battle as one side sees it."""

    # The folder of the game: its `picture.toml`, `icons/` and `text/` hold the signs and their words.
    folder: ClassVar[Path | None] = None

    # It is played with real heights: how high figures and surfaces are is shown.
    heights: ClassVar[bool] = False

    # The facts of a question that hold the id of the unit it is about, the most telling first.
    subjects: ClassVar[tuple[str, ...]] = ()

    def __init__(self, measure: str) -> None:
        self.measure = measure

    @property
    def signs(self) -> Signs:
        """Its states, tokens, looks and borders, with words and icons."""
        return signs_in(self.folder)

    def subject(self, decision: Decision) -> str:
        """The unit that a question is about; "" if it is about none."""
        return next((str(decision.about[fact]) for fact in self.subjects if decision.about.get(fact)), "")

    def show(self, battle: B, unit: Callable[[U], UnitShown] | None = None) -> TableShown:
        """All there is to see at this moment. `unit` says what there is to see of a unit, for one who remembers it; it
        follows from the unit alone."""
        return TableShown(
            table=battle.table,
            sides=battle.sides,
            round=battle.round,
            measure=self.measure,
            units=tuple(map(unit or self.unit, battle.units.values())),
            turn=self.turn(battle),
            zones=tuple(self.zones(battle)),
            coherency=self.coherency(battle),
            hexes=self.hexes(battle),
            power=self.power(battle),
            objectives=tuple(self.objectives(battle)),
            tokens=tuple(self.tokens(battle)),
            borders=tuple(self.borders(battle)),
            areas=tuple(self.areas(battle)) if battle.open_measuring else (),
            contacts=tuple(self.contacts(battle)),
            players=battle.players,
            heights=self.heights,
            closed=frozenset(self.closed(battle)),
            night=self.night(battle),
            lights=tuple(self.lights(battle)),
            goal=self.goal(battle),
            last_round=self.last_round(battle),
        )

    # -- what a game fills ---------------------------------------------------------------------------------------------

    def unit(self, unit: U) -> UnitShown:
        """A unit. Without more, its figures are shown where they stand, and nothing is known of it but its id."""
        figures = tuple(map(FigureShown.of, unit.figures))
        fallen = tuple(map(FallenShown.of, unit.fallen))
        return UnitShown(unit.id, unit.side, {"en": unit.id}, figures, fallen, len(figures) + len(fallen))

    def goal(self, battle: B) -> str:
        """What it is fought for: a key of `[setup.goals]` in the game's text; its scenario, where it has any."""
        return str(getattr(battle, "scenario", "")) or "usual"

    def last_round(self, battle: B) -> int:
        """The round in which it ends at the latest; 0 if that is not known."""
        return 0

    def turn(self, battle: B) -> int | None:
        """The side whose turn it is."""
        return None

    def zones(self, battle: B) -> Iterable[ZoneShown]:
        """Where each side deploys."""
        return ()

    def coherency(self, battle: B) -> Coherency | None:
        """How figures of one unit keep together, where that is the same for all units (`UnitShown.coherency`)."""
        return None

    def hexes(self, battle: B) -> HexGrid | None:
        """The board of hexes it is played on."""
        return None

    def power(self, battle: B) -> str:
        """The id of a piece of terrain that is worth holding."""
        return ""

    def objectives(self, battle: B) -> Iterable[ObjectiveShown]:
        """Places to hold."""
        return ()

    def tokens(self, battle: B) -> Iterable[TokenShown]:
        """What lies on the table besides figures and terrain."""
        return ()

    def borders(self, battle: B) -> Iterable[BorderShown]:
        """Lines across the table that mean something to a side."""
        return ()

    def areas(self, battle: B) -> Iterable[AreaShown]:
        """Parts of the table that mean something to a side just now. How large they are may hang on distances: they are
        asked for and shown only where measuring is open."""
        return ()

    def closed(self, battle: B) -> Iterable[str]:
        """The ids of the openings that are closed now."""
        return (opening.id for opening in battle.table.openings if opening.closed)

    def night(self, battle: B) -> bool:
        """It is dark but for lights."""
        return False

    def lights(self, battle: B) -> Iterable[LightShown]:
        """What gives light now."""
        return ()

    def contacts(self, battle: B) -> Iterable[tuple[str, str]]:
        """Units that fight each other hand to hand, each pair once."""
        return ()
