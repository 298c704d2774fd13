"""Tables made from a seed: each for a scenario and a number of players, the same everywhere (LFW-SETUP-12, R-128).

A plan says what lies on such a table and where it may lie. Chance finds the places; what is laid once for one player is
laid again for the others, turned or mirrored. Whether the result is what the scenario asks for is judged elsewhere
(`demands.py`), and nothing here asks for that judgement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.maps import Map, gap_between, map_from_data
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.wording import Wording
from oriflamme.games.lfw.battlefields import houses
from oriflamme.games.lfw.battlefields.fairness import HALF, MIRROR, QUARTER, symmetry_of
from oriflamme.games.lfw.battlefields.houses import APART, PATH, Lot, Maker, Pose
from oriflamme.games.lfw.battlefields.mine import dig
from oriflamme.games.lfw.scenarios.book import SCENARIOS

in_both: Final = Wording(Path(__file__).parents[1] / "text", "battlefields")
Box = tuple[float, float, float, float]
TRIES: Final = 120
ATTEMPTS: Final = 60
# How far from the edges what is walked round lies, so that those who deploy there have room, and what is not.
EDGE: Final = 3.0
NEAR_EDGE: Final = 1.0


class Kept(NamedTuple):
    """A round that terrain keeps out of, but for some: its middle by shares of the table, its radius in inches."""

    across: float
    along: float
    radius: float
    allowed: tuple[str, ...] = ()


class Laid(NamedTuple):
    """Lots that are laid: one of some kinds, at least so often and at most, within a part of the table."""

    makers: Sequence[Maker]
    least: int
    most: int
    box: Box | None = None
    """By shares of the table; None is all of it."""
    square: bool = False
    """It is turned by quarters only."""


class Plan(NamedTuple):
    """What lies on a table."""

    laid: Sequence[Laid]
    kept: Sequence[Kept] = ()
    heart: Sequence[Maker] = ()
    """One of these lies in the middle."""
    edge: float = EDGE
    """How far from the edges what is walked round lies, in inches."""


# -- what each scenario is played on ----------------------------------------------------------------------------------

_ANY: Final[tuple[Maker, ...]] = (
    houses.house, houses.ruin, houses.hill, houses.hollow, houses.forest, houses.pond, houses.stream, houses.rocks,
    houses.low_wall, houses.barricade,
)  # fmt: skip
_TOWN: Final[tuple[Maker, ...]] = (houses.house, houses.ruin)
_LOW: Final[tuple[Maker, ...]] = (houses.low_wall, houses.barricade)
_OPEN: Final[tuple[Maker, ...]] = (houses.forest, houses.pond, houses.stream)
_MEADOW: Final[tuple[Maker, ...]] = (houses.forest, houses.ruin, houses.low_wall, houses.pond)


def _small_house(random: Random) -> Lot:
    return houses.house(random, (3.2, 4))


def _small_ruin(random: Random) -> Lot:
    return houses.ruin(random, (3.2, 4))


def _tree(random: Random) -> Lot:
    return houses.forest(random, (1.1, 1.5))


def _knoll(random: Random) -> Lot:
    return houses.hill(random, (1.8, 2.6))


def _boulder(random: Random) -> Lot:
    return houses.rocks(random, (1.4, 2.2))


def _half_hill(random: Random) -> Lot:
    return houses.round_hill(random, 2)


def _quarter_hill(random: Random) -> Lot:
    return houses.round_hill(random, 4)


# The four parts of a stronghold, more than 6" from the edges and more than 3" from each other.
_WARDS: Final[tuple[Box, ...]] = tuple(
    (x, y, x + 4.3 / 24, y + 4.3 / 24) for x in (6.1 / 24, 13.6 / 24) for y in (6.1 / 24, 13.6 / 24)
)
_RIM: Final[tuple[Box, ...]] = ((0, 0, 1, 0.23), (0, 0.77, 1, 1), (0, 0.2, 0.23, 0.8), (0.77, 0.2, 1, 0.8))
_CORNERS: Final[tuple[Box, ...]] = ((0, 0, 0.5, 0.5), (0.5, 0, 1, 0.5), (0, 0.5, 0.5, 1), (0.5, 0.5, 1, 1))
# Of a long table, which lies from west to east: both sides of the corridor through the first territory, and the second
# one (LFW-LEG4-06).
FIRST: Final[tuple[Box, ...]] = ((0, 0, 0.49, 0.245), (0, 0.755, 0.49, 1))
SECOND: Final[Box] = (0.51, 0, 1, 1)
_NORTH: Final[Box] = (0.05, 0.52, 0.48, 0.7)

PLANS: Final[Mapping[str, Plan]] = {
    "scn1": Plan(
        (
            *(Laid((_small_house, _small_ruin), 1, 1, ward, square=True) for ward in _WARDS),
            *(Laid((_tree, houses.low_wall), 0, 1, rim, square=True) for rim in _RIM),
        )
    ),
    "scn2": Plan(
        (Laid(_TOWN, 1, 2), Laid(_ANY, 1, 2), Laid(_OPEN, 1, 1), Laid(_LOW, 1, 2)),
        (Kept(0.5, 0, 3.1), Kept(0.5, 1, 3.1)),
    ),
    "scn3": Plan(
        (
            *(Laid((_small_house, houses.ruin), 1, 1, corner) for corner in _CORNERS),
            Laid((_small_house, _small_ruin), 0, 4),
            Laid(_LOW, 1, 4, (0.3, 0.3, 0.7, 0.7)),
            Laid((houses.torch,), 0, 2),
        ),
        (Kept(0.5, 0.5, 3.1), Kept(0.5, 0.5, 4.6, ("low_wall",))),
    ),
    "scn4": Plan(
        (Laid((houses.house, houses.ruin, houses.rocks), 2, 2), Laid(_ANY, 1, 2), Laid(_OPEN, 1, 1), Laid(_LOW, 1, 2)),
        (
            Kept(0.5, 0.5, 1.2),
            Kept(0.235, 0.765, 1.2),
            Kept(0.765, 0.235, 1.2),
            Kept(0, 0, 7),
            Kept(1, 1, 7),
        ),
    ),
    "scn5": Plan((Laid(_MEADOW, 1, 2), Laid(_MEADOW, 1, 2)), (), (_half_hill,)),
    "scn6": Plan(
        (
            Laid(_LOW, 1, 1, _NORTH, square=True),
            Laid(_LOW, 0, 1, _NORTH, square=True),
            Laid(_ANY, 2, 3),
            Laid(_OPEN, 0, 1),
        ),
        (Kept(0.5, 0.5, 2.5),),
    ),
    "scn7": Plan((Laid(_TOWN, 1, 1), Laid(_TOWN, 1, 2), Laid(_LOW, 1, 2)), (), (houses.open_ruin,)),
    "scn8": Plan(
        (Laid(_TOWN, 1, 1), Laid(_ANY, 1, 2), Laid(_OPEN, 1, 1), Laid(_LOW, 1, 1), Laid((houses.torch,), 0, 1))
    ),
    "leg1": Plan((Laid(_TOWN, 1, 2), Laid(_ANY, 3, 5), Laid(_OPEN, 1, 2), Laid(_LOW, 2, 4))),
    "leg3": Plan(
        (Laid(_TOWN, 1, 2), Laid(_ANY, 1, 2), Laid(_OPEN, 1, 1), Laid(_LOW, 1, 1)),
        tuple(Kept(x, y, 1.2) for x in (0.25, 0.75) for y in (0.25, 0.75)),
    ),
    "leg4": Plan(
        (
            *(Laid((_knoll, _tree, _boulder), 1, 2, beside) for beside in FIRST),
            Laid(_TOWN, 3, 4, SECOND),
            Laid(_ANY, 3, 4, SECOND),
            Laid(_LOW, 3, 4, SECOND),
        ),
        edge=0.2,
    ),
    "leg5": Plan(
        (Laid(_TOWN, 2, 3), Laid(_ANY, 3, 5), Laid(_OPEN, 1, 2), Laid(_LOW, 2, 3), Laid((houses.torch,), 0, 1))
    ),
}

# Where everything lies four times there is less room.
FOR_FOUR: Final[Mapping[str, Plan]] = {
    "scn5": Plan(
        (Laid((_tree, _small_ruin, houses.pond), 1, 1), Laid((_tree, houses.low_wall), 1, 1)), (), (_quarter_hill,)
    ),
    "scn8": Plan(
        (Laid((_small_house, _small_ruin), 1, 1), Laid((_tree, houses.pond, houses.low_wall), 1, 1), Laid(_LOW, 0, 1))
    ),
}


# -- laying it out ----------------------------------------------------------------------------------------------------


def generate_battlefield(seed: int, scenario: str, players: int) -> Map:
    """The table of a scenario that a seed makes; raises Problems if chance finds no room for what it needs."""
    size = SCENARIOS[scenario].size
    symmetry = symmetry_of(scenario, players)
    plan = FOR_FOUR[scenario] if symmetry == QUARTER else PLANS.get(scenario, Plan(()))
    id = f"battlefield_{scenario}_{players}_{seed}"
    data: dict[str, Any] = {"id": id, "name": in_both("made", seed=seed), "size": list(size), "measure": "in"}
    data |= {"piece": [], "board": [], "opening": []}
    random = Random(id)
    if scenario == "leg2":
        dig(random, data)
        return map_from_data(data, id)
    for _ in range(ATTEMPTS):
        ground = _Ground(size, symmetry, plan, random)
        if ground.fill():
            for number, (lot, pose) in enumerate(ground.lots, 1):
                lot.laid(f"{lot.pieces[0]['kind']}_{number}", pose, data)
            return map_from_data(data, id)
    raise problem_with("map", notice("no_table_made", seed=seed, scenario=scenario))


class _Ground:
    """A table being filled."""

    def __init__(self, size: tuple[float, float], symmetry: str, plan: Plan, random: Random) -> None:
        self.width, self.depth = size
        self.symmetry = symmetry
        self.plan = plan
        self.random = random
        self.lots: list[tuple[Lot, Pose]] = []
        self.outlines: list[tuple[Outline, Lot]] = []

    def fill(self) -> bool:
        """The middle first, then everything that must be there, then what chance adds; False if something has no
        place."""
        if self.plan.heart:
            heart = self.random.choice(self.plan.heart)(self.random)
            self._put([(heart, Pose(self.width / 2, self.depth / 2))])
        for laid in self.plan.laid:
            if not all(self._lay(laid) for _ in range(laid.least)):
                return False
        for laid in self.plan.laid:
            for _ in range(self.random.randint(0, laid.most - laid.least)):
                self._lay(laid)
        return True

    def _lay(self, laid: Laid) -> bool:
        """Of some places by chance, the first where it lies with all its images."""
        for _ in range(TRIES):
            lot = self.random.choice(laid.makers)(self.random)
            x0, y0, x1, y1 = laid.box or (0, 0, 1, 1)
            x = round(self.random.uniform(x0, x1) * self.width, 1)
            y = round(self.random.uniform(y0, y1) * self.depth, 1)
            turn = self.random.choice((0, 90, 180, 270)) if laid.square else self.random.randrange(0, 360, 15)
            images = [(lot, pose) for pose in self._images(Pose(x, y, turn))]
            outlines = [lot.outline(pose) for lot, pose in images]
            if laid.box is not None and not self._is_in(outlines[0], laid.box):
                continue
            if all(self._fits(lot, outline, outlines[:n]) for n, outline in enumerate(outlines)):
                self._put(images)
                return True
        return False

    def _images(self, pose: Pose) -> list[Pose]:
        """The same place for every player."""
        x, y, turn, _ = pose
        w, d = self.width, self.depth
        match self.symmetry:
            case symmetry if symmetry == HALF:
                return [pose, Pose(w - x, d - y, turn + 180)]
            case symmetry if symmetry == QUARTER:
                turned = [(x, y), (w - y, x), (w - x, d - y), (y, d - x)]
                return [Pose(round(px, 3), round(py, 3), turn + 90 * n) for n, (px, py) in enumerate(turned)]
            case symmetry if symmetry == MIRROR:
                return [pose, Pose(w - x, y, -turn, mirrored=True)]
        return [pose]

    def _is_in(self, outline: Outline, box: Box) -> bool:
        x0, y0, x1, y1 = (inches(share * side) for share, side in zip(box, (self.width, self.depth) * 2, strict=True))
        return outline.x0 >= x0 and outline.y0 >= y0 and outline.x1 <= x1 and outline.y1 <= y1

    def _fits(self, lot: Lot, outline: Outline, images: Sequence[Outline]) -> bool:
        """On the table, out of what is kept free, and far enough from everything else."""
        edge = inches(self.plan.edge if lot.solid else min(NEAR_EDGE, self.plan.edge))
        if outline.x0 < edge or outline.y0 < edge:
            return False
        if outline.x1 > inches(self.width) - edge or outline.y1 > inches(self.depth) - edge:
            return False
        for kept in self.plan.kept:
            x, y = inches(kept.across * self.width), inches(kept.along * self.depth)
            if lot.sort not in kept.allowed and outline.distance(x, y) < inches(kept.radius):
                return False
        own = inches(PATH if lot.solid else APART)
        if any(_are_near(outline, image, own) for image in images):
            return False
        return not any(
            _are_near(outline, other, inches(PATH if lot.solid or its.solid else APART)) for other, its in self.outlines
        )

    def _put(self, images: Sequence[tuple[Lot, Pose]]) -> None:
        self.lots += images
        self.outlines += [(lot.outline(pose), lot) for lot, pose in images]


def _are_near(a: Outline, b: Outline, apart: float) -> bool:
    """Some points of two outlines are nearer than that."""
    if max(a.x0 - b.x1, b.x0 - a.x1, a.y0 - b.y1, b.y0 - a.y1) >= apart:
        return False
    return gap_between(a, b) < apart
