"""What the table shows of Song of Blades and Heroes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Final

from oriflamme.engine.geometry.hexes import HexGrid
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import FallenShown, FigureShown, StateShown, TokenShown, UnitShown, ZoneShown
from oriflamme.games.sbh.looks import look_of
from oriflamme.games.sbh.state import Battle, Fighter

# Ways to leave the game that leave nothing on the table.
_AWAY: Final = ("routed", "left")


class SbhPicture(Picture[Battle, Fighter]):
    """Fighters one by one, markers, and the place of power."""

    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("fighter",)

    def last_round(self, battle: Battle) -> int:
        return battle.turn_limit

    def unit(self, unit: Fighter) -> UnitShown:
        look, hero = look_of(unit.own), unit.profile.hero
        is_there = unit.reserve is None and unit.fate not in _AWAY
        return UnitShown(
            unit.id,
            unit.side,
            unit.name,
            tuple(FigureShown.of(f, look, hero=hero) for f in unit.figures),
            tuple(map(FallenShown.of, unit.fallen)) if is_there else (),
            start=1,
            look=look,
            states=states_of(unit),
            reserve=unit.reserve,
            fate=unit.fate,
        )

    def turn(self, battle: Battle) -> int:
        return battle.turn

    def zones(self, battle: Battle) -> Iterator[ZoneShown]:
        return (ZoneShown(side, outline) for side, outline in battle.zones())

    def hexes(self, battle: Battle) -> HexGrid | None:
        return battle.hexes

    def power(self, battle: Battle) -> str:
        return battle.place_of_power

    def tokens(self, battle: Battle) -> Iterator[TokenShown]:
        return (TokenShown(m.id, m.kind, m.x, m.y, m.radius, m.owner, m.holds) for m in battle.markers)


def states_of(fighter: Fighter) -> tuple[StateShown, ...]:
    """What a glance at him must show, the most pressing first."""
    found = {
        "down": int(fighter.down),
        "transfixed": int(fighter.transfixed is not None),
        "wounded": fighter.wounds,
        "poisoned": fighter.poison,
        "carrying": int(fighter.carries or fighter.item is not None),
        "activated": int(fighter.activated),
    }
    return tuple(StateShown(id, number) for id, number in found.items() if number)
