"""The state of a battle: models and their parts, effects that last, whose go it is, the combat that is being fought.

A `Model` is what stands on the table, moves, deploys and is counted: one figure on one base. It holds one `Part`, or
two of a cavalry duo, the rider and the mount (LFW-CAV-01). A part has its sheet and is what is shot at, strikes, is
wounded and dies. A lone part has the id of its model; of a duo `knight` the rider is `knight`, the mount
`knight.mount`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from msgspec import structs

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.battle import Figure
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.state import (
    DICT,
    LIST_OF_SHARED,
    MAYBE_PART,
    NAMED_PARTS,
    PARTS,
    SHARED,
    Kind,
    Record,
    State,
    derived,
    set_by,
)
from oriflamme.engine.core.steps import Asking as Asking
from oriflamme.engine.core.steps import Step as Step
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.engine.table.pieces import Table
from oriflamme.games.lfw.answered import AnsweredSteps
from oriflamme.games.lfw.measures import HEIGHTS
from oriflamme.games.lfw.moments import Keyword, RuleSet, rules_named
from oriflamme.games.lfw.profile import Sheet, Weapon

steps = AnsweredSteps()
step = steps.step

PHASES: Final = ("organisation", "magic", "movement", "shooting", "melee", "morale")  # LFW-TURN-01
MOVES: Final = ("flee", "charge", "run", "normal", "engagement")  # LFW-MARK-06
# How long an effect lasts (LFW-ABL-07, LFW-SPL-03); "next_turn" until the end of the next turn.
DURATIONS: Final = ("phase", "turn", "next_turn", "game")
CRIPPLED: Final = ("slow", "unsteady", "both")  # T-2
SECRET: Final = "secret"  # the note that lists are not revealed yet (LFW-ARMY-11)
CAMPAIGN: Final = "campaign"  # what is noted of a battle of a campaign (LFW-CAMP-01)
_SPOKEN_OF: Final = ("unit", "units", "target", "targets")  # fields of events that name whom they are about
NIGHT: Final = "night"  # what a power may be (LFW-SPELL-O2)


class Effect(Record):
    """Something that lies on a part for a while: special rules and effects it gives, or weapons. Never altered.

    `source` is the spell, command ability or rule it comes from, by its id; `by` the part that caused it. The same
    source does not lie on somebody twice (LFW-SPL-10).
    """

    __slots__ = ("behaviour", "by", "rule", "rules", "source", "until", "weapons")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"weapons": SHARED}

    def __init__(
        self,
        source: str,
        rule: str,
        until: str,
        rules: Iterable[str] = (),
        by: str = "",
        weapons: Iterable[Weapon] = (),
        *,
        behaviour: str = "",
    ) -> None:
        self.source = source
        self.rule = rule
        self.until = until
        self.rules = tuple(rules)
        self.by = by
        self.weapons = tuple(weapons)
        # The behaviour that dictates what it does meanwhile (LFW-AUTO-01).
        self.behaviour = behaviour

    @property
    def keywords(self) -> RuleSet:
        return rules_named(self.rules)


class Power(Record):
    """Something that a side has for a while: a die it may replace, a night, a wind. `value` is whatever it needs."""

    __slots__ = ("kind", "rule", "side", "source", "until", "value")

    def __init__(self, source: str, rule: str, side: int, until: str, value: float = 0.0, *, kind: str = "") -> None:
        self.kind = kind
        self.source = source
        self.rule = rule
        self.side = side
        self.until = until
        self.value = value


class OwnRules(NamedTuple):
    """The special rules of a part, as long as its skills and what lies on it are these; whether one of them is an aura
    (LFW-UNIT-13)."""

    skills: tuple[str, ...]
    effects: tuple[Effect, ...]
    sets: tuple[RuleSet, ...]
    aura: bool


_NEAR: Final = Keyword.when_near.__name__


class Part(State):
    """Who is shot at, strikes, is wounded and dies: a unit of its own, or one of the two of a duo."""

    __slots__ = (
        "_own", "adc", "crippled", "destroyed", "duel", "effects", "id", "inspires", "level", "model", "most", "pc",
        "pm", "pv", "role", "sheet", "side", "skills", "specialisation", "spells", "start_pc", "targeted", "used",
        "usual",
    )  # fmt: skip
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"sheet": SHARED, "_own": derived("own"), "inspires": set_by("learn")}

    def __init__(
        self,
        id: str,
        model: str,
        side: int,
        sheet: Sheet,
        *,
        role: str = "",
        specialisation: str = "",
        level: int = 0,
        skills: Iterable[str] = (),
    ) -> None:
        self.id = id
        self.model = model
        self.side = side
        self.sheet = sheet
        # "rider" or "mount" of a duo that is together, else "".
        self.role = role
        self.specialisation = specialisation
        self.level = level
        self.skills = tuple(skills)
        self.spells = sheet.spells
        self.adc = sheet.adc
        # Life, command and magic points are counters that never fall below 0 (LFW-DICE-14, -15).
        self.pv = sheet.pv
        self.most = sheet.pv
        # Its maximum before any spell has raised it (LFW-SPELL-S3).
        self.usual = sheet.pv
        self.pc = sheet.pc
        self.start_pc = sheet.pc
        self.pm = sheet.pm
        # What being crippled does to it: "slow", "unsteady" or "both"; "" if it is not (T-2).
        self.crippled = ""
        self.destroyed = False
        # The part it fights a duel with, by its id (LFW-SR-BLD-02c).
        self.duel = ""
        self.effects: tuple[Effect, ...] = ()
        # Command abilities it was the target of this turn (LFW-ABL-03), and what it has done this turn (LFW-ORG-04).
        self.targeted: frozenset[str] = frozenset()
        self.used: frozenset[str] = frozenset()
        self._own: OwnRules | None = None
        # Its sheet or its skills have an aura (LFW-UNIT-13).
        self.inspires = self.own().aura

    def learn(self, skills: Iterable[str] | None = None) -> None:
        """These are its skills from now on; those it has already if none are named."""
        self.skills = self.skills if skills is None else tuple(skills)
        learnt = rules_named(self.skills, skilled=True)
        self.inspires = _NEAR in self.sheet.rules.by_moment or _NEAR in learnt.by_moment

    @property
    def slow(self) -> bool:
        """Crippled, and slow (LFW-WND-11)."""
        return self.crippled in ("slow", "both")

    @property
    def unsteady(self) -> bool:
        """Crippled, with -1 to its hit and combat rolls (LFW-WND-07)."""
        return self.crippled in ("unsteady", "both")

    @property
    def weapons(self) -> tuple[Weapon, ...]:
        """Its weapons, with those that effects give it."""
        return (*self.sheet.weapons, *(weapon for effect in self.effects for weapon in effect.weapons))

    def own(self) -> OwnRules:
        """Its own special rules, its skills and what lies on it."""
        own = self._own
        if own is None or own.effects is not self.effects or own.skills is not self.skills:
            learnt = (rules_named(self.skills, skilled=True),) if self.skills else ()
            sets = (self.sheet.rules, *learnt, *(effect.keywords for effect in self.effects if effect.rules))
            own = self._own = OwnRules(self.skills, self.effects, sets, any(_NEAR in held.by_moment for held in sets))
        return own

    def sets(self) -> tuple[RuleSet, ...]:
        """Its own special rules, its skills and what lies on it; auras and a duo's skills come in `auras.py`."""
        return self.own().sets

    def lay(self, effect: Effect) -> None:
        """An effect lies on it from now on; the same one again takes the place of the first (LFW-SPL-10)."""
        self.effects = (*(e for e in self.effects if e.source != effect.source), effect)

    def __repr__(self) -> str:
        return f"<{self.id}: {self.pv}>"


class Model(engine.Unit[Figure]):
    """One figure on one base: a unit, or a duo of rider and mount."""

    __slots__ = (
        "began_fleeing", "board", "bystander", "causes", "charged", "declared", "fled", "fleeing", "flew",
        "fought", "halfway", "manner", "moved", "name", "parts", "place", "stood", "to_fight", "to_shoot", "treasure",
    )  # fmt: skip
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"name": SHARED, "parts": PARTS}

    def __init__(self, id: str, side: int, parts: list[Part], name: Mapping[str, str], *, base: float = 0.0) -> None:
        mount = parts[-1].sheet
        height = inches(HEIGHTS["cavalry"]) if len(parts) > 1 else mount.height
        super().__init__(id, side, [Figure(id, Disc(base / 2) if base else mount.base, max(height, mount.height))])
        self.name = name
        self.parts = parts
        # "reserve" before it is deployed, "table", "gone" when destroyed, "saved" when it left by an exit.
        self.place = "table"
        # The board it stands on: "" is the table, else the interior of a building by its id (LFW-TERR-20).
        self.board = ""
        # The marker of the move it made this turn (LFW-MARK-06), and whether that was a charge that made contact.
        self.moved = ""
        self.charged = False
        # It made no move in its last movement phase.
        self.stood = False
        # It has a flight marker (LFW-MARK-04), and had one when the turn began (LFW-FLEE-06).
        self.fleeing = False
        self.began_fleeing = False
        # It is in the middle of a flee move, and does not stand yet (LFW-FLEE-09).
        self.halfway = False
        # It left the table as it fled.
        self.fled = False
        # A flying move makes it harder to hit until its owner's next movement phase (LFW-SR-MOV-10c).
        self.flew = False
        # Targets of the charge it has declared and not resolved (LFW-CHG-03).
        self.declared: tuple[str, ...] = ()
        self.to_shoot = False  # LFW-MARK-07
        self.to_fight = False  # LFW-MARK-08
        self.fought = False  # took part in a combat this turn
        # Touches duelling enemies only, and is in no melee (LFW-SR-BLD-02e).
        self.bystander = False
        # Why it tests its courage in the morale phase: kind and source of each cause (LFW-MOR-02).
        self.causes: tuple[tuple[str, str], ...] = ()
        self.treasure = ""
        # The behaviour that dictates what it does, "" if its player decides (LFW-AUTO-01).
        self.manner = parts[0].sheet.behaviour

    @property
    def spoken_of(self) -> str:
        """The id that events name it by: the mount's when it goes on without its rider (LFW-CAV-11)."""
        rider, *mount = self.parts
        return mount[0].id if mount and rider.destroyed and not mount[0].role and not mount[0].destroyed else self.id

    def named_parts(self) -> Mapping[str, Mapping[str, str]]:
        return {part.id: part.sheet.name for part in self.parts if part.id != self.id}

    @property
    def body(self) -> Figure:
        return self.figures[0] if self.figures else self.fallen[0]

    @property
    def behaviour(self) -> str:
        """The behaviour that dictates what it does, "" if its player decides (LFW-AUTO-01)."""
        for part in self.parts:
            if part.effects and not part.destroyed:
                for effect in part.effects:
                    if effect.behaviour:
                        return effect.behaviour
        return self.manner

    def return_whole(self) -> None:
        """It is on the table again as it was before it was ever wounded: no marker and nothing that lay on it."""
        self.figures, self.fallen = [*self.figures, *self.fallen], []
        self.place = "table"
        self.moved = self.treasure = ""
        self.charged = self.fleeing = self.began_fleeing = self.halfway = self.fled = self.flew = False
        self.to_shoot = self.to_fight = self.fought = self.bystander = self.stood = False
        self.declared, self.causes = (), ()
        self.manner = self.parts[0].sheet.behaviour
        for part, role in zip(self.parts, ("rider", "mount") if len(self.parts) > 1 else ("",), strict=True):
            part.pv, part.destroyed, part.role = part.most, False, role
            part.crippled = part.duel = ""
            part.effects = ()
            part.used = part.targeted = frozenset()
        if len(self.parts) > 1:
            mount, body = self.parts[-1].sheet, self.body
            body.base, body.radius = mount.base, mount.base.reach
            body.height = max(inches(HEIGHTS["cavalry"]), mount.height)

    @property
    def on_table(self) -> bool:
        return self.place == "table"

    @property
    def alive(self) -> list[Part]:
        """Its parts that are not destroyed."""
        return [part for part in self.parts if not part.destroyed]

    @property
    def duo(self) -> bool:
        """Rider and mount are together (LFW-CAV-02)."""
        return len(self.parts) > 1 and not any(part.destroyed for part in self.parts)

    @property
    def mover(self) -> Part:
        """Whose sheet moves it: the mount's (LFW-CAV-05)."""
        alive = self.alive
        return alive[-1] if alive else self.parts[-1]

    @property
    def type(self) -> str:
        return self.mover.sheet.type

    def __repr__(self) -> str:
        return f"<{self.id}>"


class Going(Record):
    """Where an alternation stands: what is done, whose go it is by his place in the order, how many have passed or were
    skipped one after the other, and who is out of it (LFW-TURN-09)."""

    __slots__ = ("out", "passes", "place", "what")

    def __init__(self, what: str, place: int = 0, passes: int = 0, out: frozenset[int] = frozenset()) -> None:
        self.what = what
        self.place = place
        self.passes = passes
        self.out = out


class Wound(Record):
    """Wounds that wait for the wound step of a combat (LFW-MEL-07): whose, how many, by whom, with what properties."""

    __slots__ = ("by", "flaming", "forced", "number", "piercing", "target")

    def __init__(
        self, target: str, number: int, by: str, *, piercing: bool = False, flaming: bool = False, forced: str = ""
    ) -> None:
        # What forces protections against them to be rolled again: "impertinent", "impetuous" or "".
        self.forced = forced
        self.target = target
        self.number = number
        self.by = by
        self.piercing = piercing
        self.flaming = flaming


class Combat(State):
    """A combat that is being fought (LFW-MEL-01): who takes part, who has struck, wounds that wait, wounds suffered."""

    __slots__ = (
        "activator",
        "challenged",
        "held",
        "killed",
        "models",
        "parts",
        "place",
        "stage",
        "struck",
        "suffered",
        "waiting",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"suffered": DICT, "waiting": LIST_OF_SHARED}

    def __init__(self, models: tuple[str, ...], parts: tuple[str, ...], activator: int) -> None:
        self.models = models
        self.parts = parts
        self.activator = activator
        # Which of its steps is played, and whose go it is in it, by his place in the order that begins with him.
        self.stage = ""
        self.place = 0
        self.struck: frozenset[str] = frozenset()
        self.challenged: frozenset[str] = frozenset()
        self.waiting: list[Wound] = []
        # Uncancelled wounds by side (LFW-MEL-20).
        self.suffered: dict[int, int] = {}
        self.killed: tuple[str, ...] = ()
        # Models that count as touching each other until it is over, though one of them stands on a smaller base now.
        self.held: frozenset[tuple[str, str]] = frozenset()


class Kill(Record):
    """A part that was destroyed: by whom ("" for nobody), in which turn, and how (LFW-WND-05)."""

    __slots__ = ("by", "how", "side", "turn", "victim")

    def __init__(self, victim: str, side: int, by: str, turn: int, how: str) -> None:
        self.victim = victim
        self.side = side
        self.by = by
        self.turn = turn
        self.how = how


class Recruit(Record):
    """A unit that the army nobody owns brings again and again (LFW-LEG1-06): in which waves, how it behaves, the sheets
    of its parts."""

    __slots__ = ("behaviour", "name", "sheets", "wave")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"name": SHARED}

    def __init__(self, wave: str, behaviour: str, name: Mapping[str, str], sheets: tuple[Sheet, ...]) -> None:
        self.wave = wave
        self.behaviour = behaviour
        self.name = name
        self.sheets = sheets


class Token(Record):
    """A treasure, supply or search marker that lies on the table (LFW-OBJ-04)."""

    __slots__ = ("board", "id", "kind", "radius", "x", "y")

    def __init__(self, id: str, kind: str, x: float, y: float, radius: float, board: str = "") -> None:
        self.id = id
        self.kind = kind
        self.x = x
        self.y = y
        self.radius = radius
        self.board = board


class Battle(engine.Battle[Model]):
    """A battle of Last Fantasy War. `round` is the turn."""

    __slots__ = (
        "closed",
        "combat",
        "combats",
        "dark",
        "fought",
        "going",
        "kills",
        "last_turn",
        "notes",
        "order",
        "phase",
        "points",
        "powers",
        "roles",
        "roofed",
        "run_downs",
        "scenario",
        "score",
        "tide",
        "tokens",
    )  # fmt: skip
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "combat": MAYBE_PART,
        "fought": PARTS,
        "kills": LIST_OF_SHARED,
        "notes": DICT,
        "tokens": NAMED_PARTS,
    }

    def __init__(
        self,
        table: Table,
        sides: int,
        options: dict[str, str],
        dice: Dice,
        *,
        scenario: str = "",
        points: int = 300,
        players: int | None = None,
        teams: Sequence[int] = (),
    ) -> None:
        super().__init__(table, sides, options, dice, players=players, teams=teams)
        self.scenario = scenario
        self.points = points
        # The openings that let nobody and no look through now (LFW-ENV-18), and whether it is night (LFW-ENV-02).
        self.closed = frozenset(opening.id for opening in table.openings if opening.closed)
        self.dark = False
        # There is a ceiling over the whole table: nobody flies or sees over a wall (LFW-ENV-10).
        self.roofed = False
        self.roles: tuple[str, ...] = ("",) * sides
        # The sides in order of initiative (LFW-TURN-03).
        self.order = tuple(range(sides))
        self.phase = ""
        self.going: Going | None = None
        # Melees of this phase that have yet to be fought, by their models (LFW-MEL-03), and the one being fought.
        self.combats: tuple[tuple[str, ...], ...] = ()
        self.combat: Combat | None = None
        # Combats whose wounds wait for the end of the phase (lfw.meleeWounds).
        self.fought: list[Combat] = []
        # Fleeing units that were run down this turn: the charger, the side and the life points it lost (LFW-CHG-19).
        self.run_downs: tuple[tuple[str, int, int], ...] = ()
        self.kills: list[Kill] = []
        self.powers: tuple[Power, ...] = ()
        self.tokens: dict[str, Token] = {}
        # What the army that nobody owns is made of (LFW-LEG1-06).
        self.tide: tuple[Recruit, ...] = ()
        # What a scenario keeps track of, by words of its own: plain values.
        self.notes: dict[str, Any] = {}
        self.score = (0,) * sides
        # The last turn, if that is known (0 if it is not).
        self.last_turn = 0

    # -- sides -------------------------------------------------------------------------------------------------------

    @property
    def nobody(self) -> int:
        """The army that nobody owns, -1 if there is none."""
        return self.players if self.players < self.sides else -1

    def camp(self, side: int) -> int:
        """The army of a side, or its alliance, by a number (LFW-UNIT-06, -09)."""
        return self.teams[side] if self.teams else side

    @property
    def night(self) -> bool:
        """It is night: on this table, or by a spell (LFW-ENV-02, LFW-SPELL-O2)."""
        return self.dark or any(power.kind == NIGHT for power in self.powers)

    # -- secrets -------------------------------------------------------------------------------------------------------

    def hide(self, side: int) -> None:
        """Lists are secret until they are revealed (LFW-ARMY-11)."""
        if not self.is_open():
            self.units = {id: model for id, model in self.units.items() if model.side == side}

    def is_open(self) -> bool:
        return not self.notes.get(SECRET, False)

    # -- models and parts ---------------------------------------------------------------------------------------------

    def there(self) -> Iterator[Model]:
        """The models on the table."""
        return (model for model in self.units.values() if model.place == "table")

    def own(self, side: int) -> list[Model]:
        """The models of a side on the table."""
        return [model for model in self.units.values() if model.side == side and model.place == "table"]

    def enemies_of(self, model: Model | Part) -> list[Model]:
        """The models on the table that are enemies of it (LFW-UNIT-06)."""
        enemies = self.enemy_sides(model.side)
        return [other for other in self.units.values() if other.side in enemies and other.place == "table"]

    def has_enemy(self, model: Model | Part) -> bool:
        """Some enemy of it is on the table."""
        enemies = self.enemy_sides(model.side)
        for other in self.units.values():  # noqa: SIM110  a generator here doubles the time
            if other.side in enemies and other.place == "table":
                return True
        return False

    def friends_of(self, model: Model | Part) -> list[Model]:
        """The models on the table that are its friends, itself included (LFW-UNIT-08)."""
        friends = self.friendly_sides(model.side)
        return [other for other in self.units.values() if other.side in friends and other.place == "table"]

    def tell(self, event: Event) -> None:
        """State a fact: of a mount that has lost its rider by its own id, as its miniature alone is there
        (LFW-CAV-11)."""
        if self.log is None:
            return
        said = {field: value for field in _SPOKEN_OF if (value := getattr(event, field, None))}
        told = {field: self._spoken_of(value) for field, value in said.items()}
        super().tell(structs.replace(event, **told) if told != said else event)

    def _spoken_of(self, said: Any) -> Any:
        if isinstance(said, tuple):
            return tuple(map(self._spoken_of, said))
        model = self.units.get(said) if isinstance(said, str) else None
        return model.spoken_of if model is not None else said

    def part(self, id: str) -> Part:
        """The part of that id."""
        name, _, _ = id.partition(".")
        for part in self.units[name].parts:
            if part.id == id:
                return part
        raise KeyError(id)

    def model_of(self, part: Part) -> Model:
        return self.units[part.model]

    def parts_there(self) -> list[Part]:
        return [part for model in self.there() for part in model.alive]
