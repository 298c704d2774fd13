"""The state of a battle of Age of Fantasy: models, units, objectives, and whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.state import DICT, LIST_OF_SHARED, MAYBE_PART, SHARED, Kind, Record, State, derived
from oriflamme.engine.core.steps import Step as Step
from oriflamme.engine.core.steps import Steps
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.table.pieces import Table
from oriflamme.games.aof.moments import Keyword, KeywordSet, book
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.spells import Spell
from oriflamme.games.aof.tables import axis_between

ROUNDS = 4  # AOF-MISSION-11
ENEMY_DISTANCE = inches(1)  # AOF-MOVE-03
CONTROL = inches(3)  # AOF-MISSION-05

steps = Steps()
step = steps.step


class Figure(engine.Figure):
    """A model on the table: its profile, the wounds it has taken, its spell tokens and used-up weapons."""

    __slots__ = ("moved", "profile", "tokens", "used", "wounds")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"profile": SHARED}

    def __init__(self, id: str, profile: Profile) -> None:
        super().__init__(id, profile.base, profile.height)
        self.profile = profile
        self.wounds = 0
        self.tokens = 0
        self.used: frozenset[str] = frozenset()
        self.moved = False

    @property
    def left(self) -> int:
        """Wounds it can still take (AOF-GEN-15)."""
        return self.profile.tough - self.wounds


class Unit(engine.Unit[Figure]):
    """Models that activate, move, shoot, fight and test morale together."""

    __slots__ = (
        "_shared",
        "activated",
        "arrived",
        "card",
        "effects",
        "fatigued",
        "name",
        "reserve",
        "shaken",
        "spells",
        "start",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "_shared": derived("shared"),
        "card": SHARED,
        "effects": SHARED,
        "fallen": LIST_OF_SHARED,  # who has fallen is never altered any more
        "name": SHARED,
        "spells": SHARED,
    }

    def __init__(
        self, id: str, side: int, figures: list[Figure], name: dict[str, str], spells: tuple[Spell, ...] = ()
    ) -> None:
        super().__init__(id, side, figures)
        self.name = name
        self.card: dict[str, Any] = {}
        self.spells = spells
        self.start = len(figures)
        self.activated = False
        self.shaken = False
        self.fatigued = False
        # Where a unit that is not on the table waits: "deploy", "scout", "ambush"; None once it is on the table.
        self.reserve: str | None = "deploy"
        self.arrived = 0
        self.effects: KeywordSet = book.empty
        self._shared: KeywordSet | None = None

    @property
    def alive(self) -> bool:
        return bool(self.figures)

    @property
    def on_table(self) -> bool:
        return self.reserve is None and bool(self.figures)

    @property
    def shared(self) -> KeywordSet:
        """The special rules that every living model has, and what spells lay on the unit (AOF-GEN-10)."""
        if self._shared is None:
            profiles = dict.fromkeys(f.profile for f in self.figures)
            common: tuple[Keyword, ...] = ()
            for number, profile in enumerate(profiles):
                held = profile.keywords.keywords
                common = held if number == 0 else tuple(k for k in common if _same(k, held))
            self._shared = book.set_of((*common, *self.effects))
        return self._shared

    def changed(self) -> None:
        """A model has left, or a spell was laid on the unit or ended: what all models share is found anew."""
        self._shared = None

    @property
    def single(self) -> bool:
        """Single-model units count wounds, all others models; the starting size decides (AOF-MORALE-03)."""
        return self.start == 1

    @property
    def at_half(self) -> bool:
        """Half or less of the starting size is left (AOF-MORALE-02)."""
        if not self.figures:
            return True
        if self.single:
            figure = self.figures[0]
            return figure.left * 2 <= figure.profile.tough
        return len(self.figures) * 2 <= self.start

    @property
    def joined_hero(self) -> Figure | None:
        """The Hero that joined this unit of several models, if it lives."""
        if self.start == 1:
            return None
        for figure in self.figures:
            if figure.profile.hero:
                return figure
        return None

    @property
    def defense(self) -> int:
        """The unit's Defense: of most of its models, the worse one on a tie; a lone Hero's own (AOF-HIT-11)."""
        values = [f.profile.defense for f in self.figures if not f.profile.hero]
        if not values:
            return self.figures[0].profile.defense
        first = values[0]
        if values.count(first) == len(values):
            return first
        return max(values, key=lambda value: (values.count(value), value))

    def figure(self, id: str) -> Figure | None:
        for figure in self.figures:
            if figure.id == id:
                return figure
        return None


def _same(keyword: Keyword, held: tuple[Keyword, ...]) -> bool:
    return any(type(k) is type(keyword) for k in held)


@lru_cache(maxsize=20_000)
def at_once(*sets: KeywordSet) -> KeywordSet:
    """All these special rules as one set: copies of a rule do not add up, the highest value counts (AOF-GEN-12)."""
    filled = [held for held in sets if held]
    if len(filled) < 2:
        return filled[0] if filled else book.empty
    return book.set_of(keyword for held in filled for keyword in held)


class Group(Record):
    """Attacks declared alike: by models of one kind, with one weapon, at one target, from one side of 9".

    Frozen when they are declared. Which of them are rolled together is known when they are rolled (AOF-HIT-01).
    """

    __slots__ = (
        "after_moving",
        "attacks",
        "behind",
        "beyond_9",
        "by",
        "figures",
        "inside",
        "key",
        "melee",
        "profile",
        "sets",
        "target",
        "victim",
        "weapon",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"profile": SHARED, "sets": SHARED, "weapon": SHARED}

    def __init__(
        self,
        by: str,
        target: str,
        weapon: Weapon,
        profile: Profile,
        figures: tuple[str, ...],
        attacks: int,
        sets: tuple[KeywordSet, ...],
        *,
        melee: bool,
        beyond_9: bool = False,
        after_moving: bool = False,
        inside: bool = False,
        behind: bool = False,
        victim: str | None = None,
    ) -> None:
        self.by = by
        self.target = target
        self.weapon = weapon
        self.profile = profile
        self.figures = figures
        self.attacks = attacks
        self.sets = (at_once(*sets),)
        self.melee = melee
        self.beyond_9 = beyond_9
        self.after_moving = after_moving
        self.inside = inside
        self.behind = behind
        self.victim = victim
        self.key = f"{weapon.name}/{target}/{figures[0]}"


class Activation(State):
    """What must be remembered while one unit acts. Copied with the battle."""

    __slots__ = (
        "action",
        "causes",
        "endangered",
        "fought",
        "groups",
        "hurt",
        "rolled",
        "side",
        "targets",
        "tried",
        "unit",
        "wounds",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"wounds": DICT}

    def __init__(self, unit: str, side: int, action: str, targets: tuple[str, ...] = ()) -> None:
        self.unit = unit
        self.side = side
        self.action = action
        self.targets = targets
        # Spells tried, each once by each Caster (AOF-SR-CASTER-05), as (figure, spell).
        self.tried: tuple[tuple[str, str], ...] = ()
        # Units that took wounds (AOF-MORALE-01) and units that fought a melee (AOF-MORALE-05).
        self.hurt: tuple[str, ...] = ()
        self.fought: tuple[str, ...] = ()
        # Models that must roll for Dangerous terrain, and those that have (AOF-TERRAIN-07).
        self.endangered: tuple[str, ...] = ()
        self.rolled: tuple[str, ...] = ()
        self.groups: tuple[Group, ...] = ()
        # Wounds each unit caused in this melee, as (by, on) -> wounds (AOF-MELEE-07).
        self.wounds: dict[tuple[str, str], int] = {}
        # Units that have struck or struck back, and are Fatigued once the melee is over (AOF-FATIGUE-01).
        self.causes: tuple[str, ...] = ()


class Objective(Record):
    """A marker on the table: a point, and who holds it. Never altered; a captured marker is a new one."""

    __slots__ = ("owner", "x", "y")

    def __init__(self, x: float, y: float, owner: int | None = None) -> None:
        self.x = x
        self.y = y
        self.owner = owner


class Battle(engine.Battle[Unit]):
    """A battle of Age of Fantasy between two steps."""

    __slots__ = (
        "activation",
        "axis",
        "count",
        "edge",
        "exhausted",
        "first",
        "last_activation",
        "objectives",
        "passed",
        "points",
        "to_place",
        "turn",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"activation": MAYBE_PART}

    def __init__(self, table: Table, options: dict[str, str], dice: Dice, points: int = 0) -> None:
        super().__init__(table, 2, options, dice)
        self.points = points
        self.objectives: tuple[Objective, ...] = ()
        self.to_place = 0
        # Edges: the armies stand at opposite ends of "y" or "x"; edge[side] is "low" or "high".
        self.axis = axis_between(table)
        self.edge: tuple[str, str] = ("low", "high")
        self.first = 0
        self.turn = 0
        self.count = 0
        self.last_activation: tuple[int, int] = (0, 0)
        self.exhausted: tuple[int, ...] = ()
        self.passed: tuple[int, ...] = ()
        self.activation: Activation | None = None

    def enemies_of(self, side: int) -> list[Unit]:
        return [u for u in self.units.values() if u.side != side and u.reserve is None and u.figures]

    def friends_of(self, side: int) -> list[Unit]:
        return [u for u in self.units.values() if u.side == side and u.reserve is None and u.figures]

    def on_table(self) -> list[Unit]:
        return [u for u in self.units.values() if u.reserve is None and u.figures]

    def unit_of(self, figure: str) -> Unit:
        """The unit a figure belongs to."""
        for unit in self.units.values():
            if unit.figure(figure) is not None:
                return unit
        raise KeyError(figure)

    @property
    def acting(self) -> Activation:
        assert self.activation is not None
        return self.activation

    def rules_of(self, unit: Unit, figure: Figure) -> tuple[KeywordSet, ...]:
        """The special rules at work for a model: its own, and what spells lay on its unit (AOF-GEN-11)."""
        own = figure.profile.keywords
        if self.options["aof.mixedUnits"] == "allModelsOnly" and own:
            shared = unit.shared
            own = book.set_of(k for k in own if k.personal or shared.has(type(k)))
        return (at_once(own, unit.effects),)


def tell_moment(moment: Any, battle: Battle, unit: Unit, subject: Any, *details: Any) -> None:
    """Announce a moment to every living model of a unit, one after the other."""
    for figure in unit.figures:
        at(moment, battle.rules_of(unit, figure), subject, *details)
