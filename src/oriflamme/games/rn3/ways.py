"""How a fighter moves: how far, and what it may ignore (RN3-MOVE-02, -03, -07, RN3-WM-04)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.rn3.moments import Keyword, book
from oriflamme.games.rn3.state import Battle, Fighter, Unit, skills_of, value_of
from oriflamme.games.rn3.tactics import tactics_at_work

# How often its MOU a fighter goes at most, by the move (table T10).
PACE: Final[Mapping[str, int]] = {
    "stay": 1,  # only a change of formation (RN3-FCH-07)
    "shoot": 1,
    "walk": 1,
    "run": 2,
    "assault": 2,
    "failed_assault": 2,
    "engage": 1,
    "reception": 1,
    "counter_charge": 2,
    "retreat": 1,
    "pursuit": 1,
    "tactical": 1,
    "entry": 1,
}
LEAPT: Final = cm(10)  # how high and how wide an obstacle is that Bond crosses (RN3-CAV-02)


class Gait:
    """How one fighter makes one kind of move."""

    __slots__ = ("because", "flies", "leaps", "mou", "move", "reach")

    def __init__(self, move: str, mou: float) -> None:
        self.move = move
        self.mou = mou
        self.reach = mou * PACE[move]
        # Passes over units and small obstacles (RN3-SKL-05); over everything (RN3-SKL-50).
        self.leaps = False
        self.flies = False
        self.because: list[SpecialRule] = []

    def leap(self, because: SpecialRule) -> None:
        self.leaps = True
        self.because.append(because)

    def fly(self, because: SpecialRule) -> None:
        self.leaps = self.flies = True
        self.because.append(because)

    def limit(self, times: int, because: SpecialRule) -> None:
        """No further than so many times its MOU, whatever the move (RN3-TAC-03)."""
        self.reach = min(self.reach, self.mou * times)
        self.because.append(because)

    def crosses(self, piece: Piece) -> bool:
        """Whether an obstacle is no obstacle to its way (RN3-MOVE-10)."""
        return self.flies or (self.leaps and piece.height <= LEAPT and narrow_side(piece) <= LEAPT)


def narrow_side(piece: Piece) -> float:
    """How wide an obstacle is: its least width, from whichever side one comes (RN3-CAV-02)."""
    outline = piece.outline
    if outline.is_circle:
        return 2 * outline.reach
    corners = outline.corners()
    least = 2 * outline.reach
    for i, (bx, by) in enumerate(corners):
        ax, ay = corners[i - 1]
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        if length > 0.0:
            nx, ny = (by - ay) / length, (ax - bx) / length
            along = [nx * x + ny * y for x, y in corners]
            least = min(least, max(along) - min(along))
    return least


def gait_of(unit: Unit, fighter: Fighter, move: str) -> Gait:
    """How this fighter makes this move, with what its skills and the tactics of its unit say; in a counter-charge these
    have no effect (RN3-CCH-07)."""
    gait = Gait(move, cm(value_of(unit, fighter, "mou")))
    tactics = tactics_at_work(unit) if move != "counter_charge" else book.empty
    at(Keyword.when_moving, (skills_of(unit, fighter), tactics), gait)
    return gait


def gaits_of(battle: Battle, unit: Unit, move: str) -> dict[str, Gait]:
    """How everybody of the unit moves; who works a machine goes with it (RN3-WM-04)."""
    shared: dict[int, Gait] = {}
    plain = not unit.effects
    found: dict[str, Gait] = {}
    for fighter in unit.figures:
        kind = id(fighter.profile)
        gait = shared.get(kind) if plain else None
        if gait is None:
            gait = shared[kind] = gait_of(unit, fighter, move)
        found[fighter.id] = gait
    machine = unit.machine
    if machine is not None:
        found[machine.id] = machine_gait(unit, found, move)
    return found


def machine_gait(unit: Unit, crew: Mapping[str, Gait], move: str) -> Gait:
    """One man cannot move it, two go at the MOU of the slowest, three at twice that (RN3-WM-04)."""
    working = [crew[f.id] for f in unit.figures if f.profile.role != "machine"]
    gait = Gait(move, min((g.mou for g in working), default=0.0))
    gait.reach = min(gait.mou * (0 if len(working) < 2 else min(PACE[move], 1 if len(working) == 2 else 2)), gait.reach)
    return gait


def reach_of(battle: Battle, unit: Unit, move: str) -> dict[str, float]:
    """How far everybody may go in this move, in millimetres (RN3-MOVE-07)."""
    return {id: gait.reach for id, gait in gaits_of(battle, unit, move).items()}
