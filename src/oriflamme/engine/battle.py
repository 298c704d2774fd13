"""A battle is data: table, units, turn track, dice. Copying it is copying a few lists; history lives beside it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from oriflamme.engine.decisions import Decision, Together
from oriflamme.engine.dice import Dice
from oriflamme.engine.events import Event
from oriflamme.engine.geometry import Base
from oriflamme.engine.state import BESIDE, LABEL, LIST, NAMED_PARTS, PART, PARTS, SHARED, Kind, State, derived
from oriflamme.engine.table import Table

A = TypeVar("A")
# A part of a step that may ask players before it gives back what it found.
Asking = Generator[Decision | Together, Any, A]
Step = Generator[Decision | Together, Any, None]
StepFunction = Callable[..., Step | None]
Track = list[tuple[str, tuple[Any, ...]]]


class Figure(State):
    """One miniature: where it stands, which way it looks, and how big it is."""

    __slots__ = ("base", "facing", "height", "id", "radius", "x", "y", "z")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"base": SHARED}

    def __init__(self, id: str, base: Base, height: float) -> None:
        self.id = id
        self.base = base
        self.radius = base.reach
        self.height = height
        self.x = 0.0
        self.y = 0.0
        self.z = 0.0
        self.facing = 0.0


class Card(NamedTuple):
    """A card on the table: what it is called and what it says, by language."""

    name: Mapping[str, str]
    text: Mapping[str, str] = {}


class Pile(NamedTuple):
    """Cards of a side beside the table, the top one first; None lies face down. `shown` were turned up from it."""

    side: int
    kind: str
    cards: tuple[Card | None, ...]
    shown: tuple[Card, ...] = ()


F = TypeVar("F", bound=Figure)


class Unit(State, Generic[F]):
    """Figures that act together. `box` bounds their bases, so that most questions about distance end early."""

    __slots__ = ("box", "fallen", "figures", "id", "side", "tag")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "box": derived("settle"),
        "fallen": PARTS,
        "figures": PARTS,
        "tag": LABEL,
    }

    def __init__(self, id: str, side: int, figures: list[F]) -> None:
        self.id = id
        self.side = side
        # The short name it has on a table that somebody looks at, if that must outlive changes to the army.
        self.tag = ""
        self.figures = figures
        self.fallen: list[F] = []
        self.box = (0.0, 0.0, 0.0, 0.0)
        self.settle()

    def settle(self) -> None:
        """The figures have moved: bound them anew."""
        figures = self.figures
        if not figures:
            return
        x0 = y0 = 1e9
        x1 = y1 = -1e9
        for f in figures:
            r = f.radius
            x, y = f.x, f.y
            if x - r < x0:
                x0 = x - r
            if x + r > x1:
                x1 = x + r
            if y - r < y0:
                y0 = y - r
            if y + r > y1:
                y1 = y + r
        self.box = (x0, y0, x1, y1)

    def __repr__(self) -> str:
        return f"<{self.id}: {len(self.figures)}>"


U = TypeVar("U", bound=Unit[Any])


def box_gap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """No two points of two boxes are nearer than this."""
    dx = a[0] - b[2] if a[0] > b[2] else b[0] - a[2] if b[0] > a[2] else 0.0
    dy = a[1] - b[3] if a[1] > b[3] else b[1] - a[3] if b[1] > a[3] else 0.0
    if dx == 0.0:
        return dy
    if dy == 0.0:
        return dx
    return float((dx * dx + dy * dy) ** 0.5)


class Battle(State, Generic[U]):
    """The state of a battle between two steps. A game derives its own and adds what its book keeps track of.

    The log is what has been told, not what is: a copy has none.
    """

    __slots__ = ("dice", "log", "options", "over", "round", "sides", "table", "track", "units", "winner")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "dice": PART,
        "log": BESIDE,
        "options": SHARED,
        "table": SHARED,
        "track": LIST,
        "units": NAMED_PARTS,
    }

    def __init__(self, table: Table, sides: int, options: dict[str, str], dice: Dice) -> None:
        self.table = table
        self.sides = sides
        self.options = options
        self.dice = dice
        self.units: dict[str, U] = {}
        self.track: Track = []
        self.round = 0
        self.over = False
        self.winner: int | None = None
        self.log: list[Event] | None = []

    def tell(self, event: Event) -> None:
        """State a fact."""
        if self.log is not None:
            self.log.append(event)

    def then(self, *steps: tuple[Any, ...]) -> None:
        """Put steps before everything else on the turn track: the first given comes first."""
        for step, *args in reversed(steps):
            self.track.append((step if isinstance(step, str) else step.__name__, tuple(args)))

    def option(self, key: str) -> str:
        return self.options[key]

    def units_of(self, side: int) -> Iterator[U]:
        return (u for u in self.units.values() if u.side == side)

    def hide(self, side: int) -> None:
        """Take out of this copy what that side may not know."""

    def piles(self) -> Sequence[Pile]:
        """Cards beside the table, as far as may be known."""
        return ()

    def is_open(self) -> bool:
        """Nothing is hidden from anybody at the moment: `hide` would take nothing out, whoever looks."""
        return type(self).hide is Battle.hide


class Steps:
    """The steps of a game by name: what the turn track may hold."""

    def __init__(self) -> None:
        self.by_name: dict[str, StepFunction] = {}

    def step(self, function: StepFunction) -> StepFunction:
        """Declare a step: a generator that reads like the rulebook page, or a plain function that asks nothing."""
        self.by_name[function.__name__] = function
        return function
