"""What the table shows of Conquest: The Last Argument of Kings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import (
    BlockShown,
    BorderShown,
    FigureShown,
    ObjectiveShown,
    Role,
    StateShown,
    UnitShown,
    usual,
)
from oriflamme.games.tlaok.looks import look_of
from oriflamme.games.tlaok.rounds.victory import ROUNDS
from oriflamme.games.tlaok.state import Battle, Regiment, Stand


class TlaokPicture(Picture[Battle, Regiment]):
    """Regiments in ranks and files, objective zones, and the lines over which reinforcements come."""

    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("regiment", "unit")

    def last_round(self, battle: Battle) -> int:
        return ROUNDS

    def unit(self, unit: Regiment) -> UnitShown:
        # Ranks are closed over the fallen: none is left lying.
        return UnitShown(
            unit.id,
            unit.side,
            unit.name,
            tuple(map(_stand, unit.figures)),
            start=unit.initial,
            look=usual(look_of(stand.profile) for stand in unit.figures or unit.fallen[:1]),
            states=states_of(unit),
            reserve=unit.reserve,
            fate=unit.fate,
            block=_block(unit),
            inside=unit.garrison,
            facing=unit.facing,
        )

    def turn(self, battle: Battle) -> int:
        return battle.turn

    def objectives(self, battle: Battle) -> Iterator[ObjectiveShown]:
        for zone in battle.zones_of_objectives:
            yield ObjectiveShown(zone.x, zone.y, zone.owner if zone.owner >= 0 else None, zone.radius)

    def borders(self, battle: Battle) -> Iterator[BorderShown]:
        """The edge over which each side comes in (TLAOK-SCN-02), and its reinforcement line with the stretches of the
        side edges behind it, where there is one (TLAOK-ENTRY-02, -11). Before the first round nobody has one."""
        wide, deep = battle.table.width, battle.table.depth
        for side in (0, 1) if battle.round else ():
            home, forward = (0.0, 1.0) if battle.edges[side] == "south" else (deep, -1.0)
            yield BorderShown("entry_edge", side, (0.0, home), (wide, home))
            line = home + forward * battle.lines[side]
            if line != home:
                yield BorderShown("reinforcement_line", side, (0.0, line), (wide, line))
                for x in (0.0, wide):
                    yield BorderShown("entry_side", side, (x, home), (x, line))

    def contacts(self, battle: Battle) -> list[tuple[str, str]]:
        return sorted({(min(a, b), max(a, b)) for a, others in battle.contacts.items() for b in others})


def states_of(regiment: Regiment) -> tuple[StateShown, ...]:
    """What a glance at it must show, the most pressing first."""
    found = {"broken": regiment.broken, "garrison": bool(regiment.garrison), "activated": regiment.activated}
    return tuple(StateShown(id) for id, so in found.items() if so)


def _stand(stand: Stand) -> FigureShown:
    profile = stand.profile
    role: Role = ""
    if profile.rider:
        role = "rider"
    elif stand.role == "command":
        role = "command"
    elif stand.role == "character":
        role = "character"
    look = "leader" if role == "command" else look_of(profile)
    return FigureShown.of(stand, look, stand.wounds, profile.wounds, stand.role == "character", role)


def _block(regiment: Regiment) -> BlockShown | None:
    if not regiment.figures or regiment.reserve is not None or regiment.garrison:
        return None
    box = regiment.footprint
    return BlockShown(regiment.x, regiment.y, regiment.facing, box.width, box.depth)
