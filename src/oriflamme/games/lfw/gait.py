"""How far a unit goes in a move of some kind, and what it may ignore on the way (LFW-MOVE-09, LFW-DIST-11)."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.heights import walks
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.measures import ADDED, HURRIED, STEP, half_rounded_up
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.stats import value_of

SLOWER: Final = -1  # inches, of whoever is slow (LFW-SR-MOV-07)
LONG_STEP: Final = inches(2)  # of monsters, and of cavalry in a run or charge (LFW-TERR-03)
CLIMB_EACH: Final = inches(2)  # LFW-TERR-06
DIFFICULT_EACH: Final = inches(3)  # LFW-TERR-18
WATER: Final = 2.0  # inches of movement per inch (LFW-TERR-33)
TRANSITION: Final = inches(1)  # LFW-TERR-21
BIG: Final = ("monster", "behemoth")  # LFW-TERR-03


class Gait:
    """A move of a model: its kind, its inches and what it ignores. `when_moving` changes it."""

    __slots__ = (
        "battle", "burden", "carries", "climber", "climbs", "flies", "kind", "m", "model", "mountaineer", "on_ground",
        "prowls", "reasons", "sheet_m", "tramples",
    )  # fmt: skip

    def __init__(self, battle: Battle, model: Model, kind: str) -> None:
        self.battle = battle
        self.model = model
        self.kind = kind
        # M of the sheet after permanent changes, and as it is now with temporary ones (LFW-DIST-11).
        self.sheet_m: float = model.mover.sheet.m
        self.m: float = value_of(battle, model.mover, "M")
        self.reasons: list[tuple[str, float, str]] = []
        # Those that count unless it flies, whatever makes it fly and whatever keeps it down.
        self.on_ground: list[tuple[str, float, str]] = []
        self.flies = False  # LFW-SR-MOV-10a
        self.climbs = True  # LFW-TERR-07
        # It climbs better, or can climb after all (LFW-SCO-05); it may make this move with a treasure (LFW-SCO-07).
        self.climber = False
        self.carries = False
        # Inches that a treasure costs in the moves one makes with it (LFW-OBJ-14).
        self.burden = 0
        self.prowls = False  # ignores difficult ground (LFW-SR-MOV-08)
        self.mountaineer = False  # LFW-SR-MOV-09
        self.tramples = False  # ignores units in its way, and may end on them (LFW-SR-MOV-03a)

    def hurry(self, inches: float, because: AnyKeyword) -> None:
        """So many inches more (or fewer) in flee, charge and run moves only (LFW-MOVE-09)."""
        if self.kind in HURRIED:
            self.reasons.append((because.title, inches, because.rule))

    def change(self, inches: float, source: str, rule: str) -> None:
        """So many inches more (or fewer) in a move of any kind."""
        self.reasons.append((source, inches, rule))

    @property
    def inches(self) -> float:
        """The distance, never less than half of M (LFW-DIST-11)."""
        base = float(half_rounded_up(self.m)) if self.kind == "engagement" else self.m + ADDED[self.kind]
        burden = self.burden if self.kind == "normal" or self.carries else 0
        return max(base + burden + sum(change for _, change, _ in self.reasons), self.sheet_m / 2)

    @property
    def reach(self) -> float:
        return inches(self.inches)

    @property
    def least(self) -> float:
        """What reductions always leave (LFW-DIST-11)."""
        return inches(self.sheet_m / 2)

    @property
    def step(self) -> float:
        """What it steps over: less than 1", or less than 2" if it is big, or mounted and in a hurry (LFW-TERR-03)."""
        hurried = self.kind in ("run", "charge")
        big = self.model.type in BIG and (hurried or self.battle.option("lfw.monsterStride") == "always")
        return LONG_STEP if big or (self.model.duo and hurried) else STEP

    def walk(self) -> walks.Gait:
        """How the move is paid for, leg by leg (LFW-TERR-03 to -10, -18, -21, -33)."""
        battle = self.battle
        dry = self.prowls and battle.option("lfw.prowlerInWater") == "ignoresCost"
        return walks.Gait(
            radius=self.model.body.radius,
            step=self.step,
            climbs=self.climbs or self.climber,
            climb_each=CLIMB_EACH,
            climb_price=0.0 if self.mountaineer or (self.climber and self.climbs) else inches(1),
            climb_summed=battle.option("lfw.climbPenalty") == "summed",
            difficult_each=DIFFICULT_EACH,
            difficult_price=0.0 if self.prowls else inches(1),
            water_factor=1.0 if dry else WATER,
            opening_price=TRANSITION,
            contact=inches(float(battle.option("lfw.contact"))),
            jump_counts=battle.option("lfw.jumpCost") == "height",
            flies=self.flies,
        )


def gait_of(battle: Battle, model: Model, kind: str) -> Gait:
    """How a model moves: only the mount's sheet counts for a duo (LFW-CAV-05, -22)."""
    gait = Gait(battle, model, kind)
    mover = model.mover
    if mover.slow and kind in HURRIED:
        gait.change(SLOWER, "crippled", "LFW-WND-11")
    at(Keyword.when_moving, sets_of(battle, mover), gait)
    if battle.roofed:
        gait.flies = False  # LFW-ENV-10
    if not gait.flies or model.board:
        # Inside there is a ceiling too (LFW-ENV-17).
        gait.reasons += gait.on_ground
    return gait


def gait_of_inches(battle: Battle, model: Model, inches: float, kind: str = "normal") -> Gait:
    """How a model moves so many inches instead of its own; what slows it leaves it half of its M of them, or all where
    they are fewer (LFW-DIST-11)."""
    gait = gait_of(battle, model, kind)
    gait.m = inches
    gait.sheet_m = min(gait.sheet_m, 2 * inches)
    gait.reasons = []
    return gait
