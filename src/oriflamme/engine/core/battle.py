"""A battle is data: table, units, turn track, dice. Copying it is copying a few lists; history lives beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Concatenate, Generic, NamedTuple, ParamSpec, Self, TypeVar, cast

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.state import BESIDE, LABEL, LIST, NAMED_PARTS, PART, PARTS, SHARED, Kind, State, set_by
from oriflamme.engine.core.steps import Due, Step, Track, due
from oriflamme.engine.geometry.shapes import Base
from oriflamme.engine.table.pieces import Table

P = ParamSpec("P")
T = TypeVar("T")


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


def _nowhere() -> tuple[float, float, float, float]:
    """What bounds nobody."""
    return 0.0, 0.0, 0.0, 0.0


class Unit(State, Generic[F]):
    """Figures that act together. `box` bounds their bases, so that most questions about distance end early."""

    __slots__ = ("box", "fallen", "figures", "id", "side", "tag")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "box": set_by("update_bounds", empty=_nowhere),
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
        self.box = _nowhere()
        self.update_bounds()

    def update_bounds(self) -> None:
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

    def named_parts(self) -> Mapping[str, Mapping[str, str]]:
        """What else of it is spoken of by an id of its own, with its names by language: the mount of a rider."""
        return {}

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


@lru_cache(maxsize=256)
def _enemies_of(side: int, sides: int, teams: tuple[int, ...]) -> tuple[int, ...]:
    """The sides that are neither this one nor of its alliance."""
    return tuple(o for o in range(sides) if o != side and not (teams and teams[o] == teams[side]))


class Findings:
    """What a step works out on its way to a question, in its order: who plays it again takes what was found. What is
    worked out for something else that is being worked out is part of that."""

    __slots__ = ("_finding", "_known", "_next")

    def __init__(self, known: list[Any]) -> None:
        self._known = known
        self._next = 0
        self._finding = False

    def take(self, find: Callable[[], T]) -> T:
        if self._finding:
            return find()
        if self._next == len(self._known):
            self._finding = True
            self._known.append(find())
            self._finding = False
        self._next += 1
        return cast(T, self._known[self._next - 1])


class Battle(State, Generic[U]):
    """The state of a battle between two steps. A game derives its own and adds what its book keeps track of.

    The first `players` of its `sides` have somebody to answer for them; the others are armies that nobody owns, and
    nothing is ever asked of them. `teams` gives each side the number of its alliance; without any, each stands alone.
    Who is an enemy of whom is asked here (`are_friends`), and nowhere else. `gone` are sides that have conceded while
    others play on. The log is what has been told, not what is: a copy has none.
    """

    __slots__ = (
        "dice", "findings", "gone", "log", "options", "over", "players", "round", "sides", "table", "teams", "track",
        "units", "winners",
    )  # fmt: skip
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "dice": PART,
        "findings": BESIDE,
        "log": BESIDE,
        "options": SHARED,
        "table": SHARED,
        "track": LIST,
        "units": NAMED_PARTS,
    }

    def __init__(
        self,
        table: Table,
        sides: int,
        options: dict[str, str],
        dice: Dice,
        *,
        players: int | None = None,
        teams: Sequence[int] = (),
    ) -> None:
        self.table = table
        self.sides = sides
        self.players = sides if players is None else players
        self.teams = tuple(teams)
        self.gone: tuple[int, ...] = ()
        self.options = options
        self.dice = dice
        self.units: dict[str, U] = {}
        self.track: Track = []
        self.round = 0
        self.over = False
        self.winners: tuple[int, ...] = ()
        self.log: list[Event] | None = []
        # What the step that is under way has worked out, as long as it may be played again.
        self.findings: Findings | None = None

    def worked_out(self, find: Callable[[], T]) -> T:
        """What `find` finds: for a step that works out something dear before it asks. When the step is played again, as
        for a fork, it takes what was found the first time: plain data, and finding it asks and alters nothing. It may
        be an empty memo of what is worked out only if somebody looks, and holds as long as the step alters nothing."""
        return find() if self.findings is None else self.findings.take(find)

    def tell(self, event: Event) -> None:
        """State a fact."""
        if self.log is not None:
            self.log.append(event)

    def then(self, step: Callable[Concatenate[Self, P], Step | None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Put a step before everything else on the turn track."""
        self.track.append(due(step, *args, **kwargs))

    def then_all(self, *steps: Due) -> None:
        """Put several steps (`due`) before everything else on the turn track: the first given comes first."""
        self.track.extend(reversed(steps))

    def option(self, key: str) -> str:
        return self.options[key]

    def units_of(self, side: int) -> Iterator[U]:
        return (u for u in self.units.values() if u.side == side)

    # -- sides ---------------------------------------------------------------------------------------------------------

    def is_owned(self, side: int) -> bool:
        """Somebody plays this side, or did until he conceded."""
        return 0 <= side < self.players

    @property
    def playing(self) -> tuple[int, ...]:
        """The sides of which something may be asked: somebody plays them, and has not conceded."""
        return tuple(side for side in range(self.players) if side not in self.gone)

    def are_friends(self, a: int, b: int) -> bool:
        """Two sides do not fight each other: they are one, or allied."""
        return a == b or bool(self.teams and self.teams[a] == self.teams[b])

    def enemy_sides(self, side: int) -> tuple[int, ...]:
        """The sides that a side fights against."""
        return _enemies_of(side, self.sides, self.teams)

    def friendly_sides(self, side: int) -> tuple[int, ...]:
        """A side and those allied with it."""
        return tuple(other for other in range(self.sides) if self.are_friends(side, other))

    def units_against(self, side: int) -> Iterator[U]:
        """The units of all enemies of a side."""
        return (u for u in self.units.values() if not self.are_friends(side, u.side))

    @property
    def winner(self) -> int | None:
        """The side that has won, if it is one alone."""
        return self.winners[0] if len(self.winners) == 1 else None

    @winner.setter
    def winner(self, side: int | None) -> None:
        self.winners = () if side is None else (side,)

    def end(self, winners: Iterable[int] = ()) -> None:
        """The battle is over: these have won, or nobody has."""
        self.over = True
        self.winners = tuple(sorted(winners))

    def hide(self, side: int) -> None:
        """Take out of this copy what that side may not know."""

    def piles(self) -> Sequence[Pile]:
        """Cards beside the table, as far as may be known."""
        return ()

    @property
    def measuring_rule(self) -> str:
        """The rule by which nobody measures before he has decided; "" where everybody may measure at any time."""
        return ""

    @property
    def open_measuring(self) -> bool:
        """Everybody may measure at any time; also when the battle is over."""
        return self.over or not self.measuring_rule

    def is_open(self) -> bool:
        """Nothing is hidden from anybody at the moment: `hide` would take nothing out, whoever looks."""
        return type(self).hide is Battle.hide
