"""The state of a battle of Rag'Narok 3: fighters, units with their pools of dice, companies, and whose go it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.state import MAYBE_PART, SHARED, Kind, Record, State, part_of
from oriflamme.engine.core.steps import Asking as Asking
from oriflamme.engine.core.steps import Step as Step
from oriflamme.engine.core.steps import Steps
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.table.pieces import Table
from oriflamme.games.rn3.measures import USUAL_TURNS
from oriflamme.games.rn3.moments import SkillSet, book
from oriflamme.games.rn3.profile import Profile

steps = Steps()
step = steps.step

# Where a unit is: its card is yet to be placed or lies face down, it waits in reserve, has been announced for this turn
# (RN3-RSV-06), stands on the table, or has left it for good.
PLACES: Final = ("hand", "card", "reserve", "announced", "table", "gone")
GROUND: Final = ""  # the level of whoever stands on no hill (RN3-LVL-01)


class Fighter(engine.Figure):
    """A model: its card, the damage it has taken, and the level it stands on."""

    __slots__ = ("doomed", "level", "moved", "profile", "swapped", "wounds")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"profile": SHARED}

    def __init__(self, id: str, profile: Profile) -> None:
        super().__init__(id, profile.base, cm(2) * profile.size)
        self.profile = profile
        self.wounds = 0
        # The hill it stands on, by its id (RN3-LVL-01).
        self.level = GROUND
        # It has moved in the activation of its unit this turn (RN3-SKL-13).
        self.moved = False
        # It went into the enemy ranks (RN3-BRK-04).
        self.swapped = False
        # It has lost its last hit point and stays until the end of the phase (RN3-SKL-01): the cause of its loss.
        self.doomed: tuple[str, str, str] | None = None

    @property
    def left(self) -> int:
        """Hit points, or structure points, that are left (RN3-GEN-07)."""
        return self.profile.hit_points - self.wounds


class Pool(State):
    """Melee dice of a unit, or of its Incarnate, this turn (RN3-MELEE-02, -03): what is left of the reserve, and what
    was used and has not been taken out with the dead (RN3-MELEE-17). `defence` are used dice that defended in the fight
    under way."""

    __slots__ = ("defence", "left", "used")

    def __init__(self, left: int = 0) -> None:
        self.left = left
        self.used = 0
        self.defence = 0


class Effect(Record):
    """Something that lasts on a unit: a skill it has meanwhile, or a characteristic that is changed.

    `until` is "activation" (its next), "phase", "turn" or "battle". `source` is the power or artefact it comes from.
    """

    __slots__ = ("amount", "fighters", "most", "rule", "skill", "source", "stat", "until")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"skill": SHARED}

    def __init__(
        self,
        source: str,
        rule: str,
        until: str,
        *,
        stat: str = "",
        amount: int = 0,
        most: int | None = None,
        skill: Any = None,
        fighters: tuple[str, ...] = (),
    ) -> None:
        self.source = source
        self.rule = rule
        self.until = until
        self.stat = stat
        self.amount = amount
        # The characteristic is no more than this, whatever raises it.
        self.most = most
        self.skill = skill
        # Only these models have it; without any, the whole unit does (RN3-MYS-04).
        self.fighters = fighters


class Unit(engine.Unit[Fighter]):
    """Fighters of one type that act together, perhaps with an Incarnate who leads them (RN3-UNIT)."""

    __slots__ = (
        "attacked",
        "banner",
        "called_with",
        "card",
        "cards",
        "edge",
        "effects",
        "entered",
        "faith",
        "formation",
        "fought",
        "hero_pool",
        "leader",
        "mana",
        "moved_turn",
        "name",
        "order",
        "place",
        "points",
        "pool",
        "profile",
        "reaction",
        "regular_crew",
        "revealed",
        "routed",
        "spot",
        "standby",
        "start",
        "summoned",
        "summoner",
        "tactics",
        "used_up",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "card": SHARED,
        "hero_pool": part_of(Pool),
        "name": SHARED,
        "pool": part_of(Pool),
        "profile": SHARED,
    }

    def __init__(self, id: str, side: int, figures: list[Fighter], name: Mapping[str, str], profile: Profile) -> None:
        super().__init__(id, side, figures)
        self.name = dict(name)
        self.card: dict[str, Any] = {}
        # The base troop: it gives the unit its type and rank, whoever leads it (RN3-UNIT-06, -07).
        self.profile = profile
        self.banner = ""
        self.points = 0
        self.start = self.strength  # initial strength (RN3-UNIT-09)
        self.regular_crew = self.strength  # of a machine: support crew only replace losses (RN3-WM-08)
        self.leader = ""
        self.formation = "dispersed"
        self.routed = False
        self.place = "hand"
        self.spot: tuple[float, float] | None = None  # where its card lies (RN3-DEP-03)
        # The order of this turn, an action or a reaction; None until it has one (RN3-ORD-02, -05).
        self.order: str | None = None
        self.reaction: str | None = None
        # It has used its right to attack, and has fought in melee at all, this turn (RN3-MELEE-19, RN3-TAC-01).
        self.attacked = False
        self.fought = False
        self.pool = Pool()
        self.hero_pool = Pool()
        # Tactics until its next activation, a copy for each time it was bought (RN3-TACG-03, -04).
        self.tactics: tuple[str, ...] = ()
        self.standby = False  # the marker lies beside it (RN3-TAC-07)
        self.mana = 0
        self.faith = 0
        self.effects: tuple[Effect, ...] = ()
        # The turn in which a machine last moved, and in which the unit came from reserve (RN3-WM-05, RN3-RSV-12).
        self.moved_turn = 0
        self.entered = 0
        self.edge = ""  # the table edge it came in by (RN3-RSV-08)
        self.revealed = False  # scouts who may be targets (RN3-SKL-17)
        # Who summoned it, when, and by which ritual or litany (RN3-SUM-03, -04, -06).
        self.summoner = ""
        self.summoned = 0
        self.called_with = ""
        # Titanic ability cards that are left (RN3-TIT-04), and what is once in a turn or battle and has been used.
        self.cards: tuple[str, ...] = ()
        self.used_up: tuple[str, ...] = ()

    @property
    def hero(self) -> Fighter | None:
        """Its Incarnate (RN3-UNIT-03)."""
        for figure in self.figures:
            if figure.profile.role == "incarnate":
                return figure
        return None

    @property
    def machine(self) -> Fighter | None:
        for figure in self.figures:
            if figure.profile.role == "machine":
                return figure
        return None

    @property
    def strength(self) -> int:
        """Its fighters without the Incarnate (RN3-UNIT-09) and without the machine they work."""
        return sum(f.profile.role not in ("incarnate", "machine") for f in self.figures)

    @property
    def below_half(self) -> bool:
        """Its strength is less than half of what it was (RN3-MOR-09)."""
        return self.strength * 2 < self.start

    @property
    def rank(self) -> int:
        return self.profile.rank

    @property
    def cavalry(self) -> bool:
        """Riders are a cavalry unit, whoever leads them (RN3-CAV-06)."""
        return self.profile.cavalry

    @property
    def on_table(self) -> bool:
        return self.place == "table" and bool(self.figures)

    @property
    def compact(self) -> bool:
        """A unit of one model always is (RN3-FORM-10)."""
        return self.formation == "compact" or len(self.figures) == 1

    def figure(self, id: str) -> Fighter | None:
        for figure in self.figures:
            if figure.id == id:
                return figure
        return None

    @property
    def leading(self) -> Fighter:
        """Its leader; the machine while it stands (RN3-LEAD-01, RN3-WM-16)."""
        machine = self.machine
        if machine is not None:
            return machine
        return self.figure(self.leader) or self.figures[0]

    def pool_of(self, fighter: Fighter) -> Pool:
        """The reserve its dice come from (RN3-MELEE-03)."""
        return self.hero_pool if fighter.profile.role == "incarnate" else self.pool


class Activation(State):
    """What must be remembered while one unit acts."""

    __slots__ = (
        "broken_from",
        "charge",
        "climbed",
        "compact",
        "counter_bonus",
        "destination",
        "distance",
        "exploits",
        "formed",
        "moved",
        "number",
        "order",
        "plan",
        "reaction",
        "shot",
        "side",
        "targets",
        "triggered",
        "unit",
        "walked",
    )

    def __init__(self, unit: str, side: int, number: int) -> None:
        self.unit = unit
        self.side = side
        self.number = number
        self.order = ""
        self.targets: tuple[str, ...] = ()
        # How an order that has several parts is carried out, as it was declared (RN3-SHOOT-03).
        self.plan = ""
        # Where its leader is to go (RN3-MOVE-05), and how far each of its fighters has gone (RN3-FCH-07).
        self.destination: tuple[float, float] | None = None
        self.walked: tuple[tuple[str, float], ...] = ()
        # Whether it has tried to change formation (RN3-FCH-02), moved, shot, and changed its level (RN3-LVL-05).
        self.formed = False
        self.moved = False
        self.shot = False
        self.climbed = False
        # The assaulted units on which it is a charge (RN3-ASLT-10).
        self.charge: tuple[str, ...] = ()
        # What its target does about the assault: "reception", "counter_charge", "retreat" or nothing (RN3-REA-01), and
        # whether a counter-charge has the bonus of a charge (RN3-CCH-09).
        self.reaction = ""
        self.counter_bonus = False
        # The distance of its assault as last measured, and who was compact when it was declared (RN3-PWR-04).
        self.distance = 0.0
        self.compact: tuple[str, ...] = ()
        # The units it has broken away from, which it may not assault (RN3-DIS-07).
        self.broken_from: tuple[str, ...] = ()
        # Enemies on standby that have answered it (RN3-TAC-07).
        self.triggered: tuple[str, ...] = ()
        # Exploits used in it, as (Incarnate, exploit): each once (RN3-ELX-10).
        self.exploits: tuple[tuple[str, str], ...] = ()


class Objective(Record):
    """A marker or zone of the scenario: where, how wide, what it is worth, and who holds it."""

    __slots__ = ("elixir", "id", "owner", "points", "radius", "x", "y")

    def __init__(
        self, id: str, x: float, y: float, radius: float, points: int, elixir: int, owner: int | None = None
    ) -> None:
        self.id = id
        self.x = x
        self.y = y
        self.radius = radius
        self.points = points
        self.elixir = elixir
        self.owner = owner


class Battle(engine.Battle[Unit]):
    """A battle of Rag'Narok 3 between two steps."""

    __slots__ = (
        "activation",
        "activations",
        "commander",
        "elixir",
        "exploits",
        "fight",
        "first",
        "go",
        "objectives",
        "passed",
        "phase",
        "placed",
        "points",
        "returned",
        "scenario",
        "score",
        "spots",
        "tactic_points",
        "template",
        "turns",
        "unseen",
        "winner_of_authority",
    )
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "activation": MAYBE_PART,
        "fight": MAYBE_PART,
    }

    def __init__(
        self, table: Table, options: dict[str, str], dice: Dice, *, scenario: str = "", points: int = 0
    ) -> None:
        super().__init__(table, 2, options, dice)
        self.scenario = scenario
        self.points = points
        self.turns = USUAL_TURNS
        self.phase = ""
        self.first = 0
        self.go = 0
        self.winner_of_authority = 0
        # Points for tactics, elixir, victory points and the commander's id, of each company.
        self.tactic_points: tuple[int, int] = (0, 0)
        self.elixir: tuple[int, int] = (0, 0)
        self.score: tuple[int, int] = (0, 0)
        self.commander: tuple[str, str] = ("", "")
        # Whether each player's last go was a pass by Annulation (RN3-TAC-04).
        self.passed: tuple[bool, bool] = (False, False)
        self.objectives: tuple[Objective, ...] = ()
        # Exploits used outside activations in the phase under way (RN3-ELX-10), and units in the order in which their
        # cards were placed (RN3-DEP-05).
        self.exploits: tuple[tuple[str, str], ...] = ()
        self.placed: tuple[str, ...] = ()
        # Where these cards lie, which anybody sees: (side, x, y).
        self.spots: tuple[tuple[int, float, float], ...] = ()
        # How many activations have begun, and the one under way.
        self.activations = 0
        self.activation: Activation | None = None
        # Where the last template of the activation under way lies: x, y and radius (RN3-AREA-06).
        self.template: tuple[float, float, float] | None = None
        # The fight under way (`games.rn3.melee`).
        self.fight: Any = None
        # Incarnates who fell this turn: (unit, fighter, slain by an Incarnate) (RN3-ELX-08).
        self.returned: tuple[tuple[str, str, bool], ...] = ()

        # In the view of a side: how many cards the other has in hand, and how many units in reserve.
        self.unseen: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))

    @property
    def measuring_rule(self) -> str:
        return "" if self.is_option("openMeasuring", "yes") else "RN3-GEN-04"

    def is_secret(self, unit: Unit) -> bool:
        """Only its owner may know of it: its card has not been turned over, or it is kept in reserve (RN3-DEP-05,
        RN3-RSV-02)."""
        hidden = unit.place == "reserve" and self.is_option("reserveSecrecy", "hidden")
        return hidden or unit.place == "hand" or (unit.place == "card" and self.phase == "deployment")

    def hide(self, side: int) -> None:
        """What lies face down, and what is kept back, is its owner's secret; how many there are is not (0.5)."""
        unseen = [(0, 0), (0, 0)]
        for other in (0, 1):
            if other == side:
                continue
            mine = [unit for unit in self.units_of(other) if self.is_secret(unit)]
            reserves = sum(unit.place == "reserve" for unit in mine)
            unseen[other] = (sum(unit.place == "hand" for unit in mine), reserves)
            secrets = {unit.id for unit in mine}
            self.units = {id: unit for id, unit in self.units.items() if id not in secrets}
            self.placed = tuple("" if id in secrets else id for id in self.placed)
            if any(unit.figure(self.commander[other]) is not None for unit in mine):
                named = list(self.commander)
                named[other] = ""
                self.commander = (named[0], named[1])
        self.unseen = (unseen[0], unseen[1])

    def is_open(self) -> bool:
        return not any(self.is_secret(unit) for unit in self.units.values())

    def piles(self) -> list[engine.Pile]:
        """Cards in hand and in reserve; the opponent's lie face down."""
        made = []
        for side in (0, 1):
            for number, kind in enumerate(("hand", "reserve")):
                own = [engine.Card(unit.name) for unit in self.units_of(side) if unit.place == kind]
                cards = (*own, *(None,) * self.unseen[side][number])
                if cards:
                    made.append(engine.Pile(side, kind, cards))
        return made

    @property
    def acting(self) -> Activation:
        assert self.activation is not None
        return self.activation

    def on_table(self) -> list[Unit]:
        return [u for u in self.units.values() if u.place == "table" and u.figures]

    def friends_of(self, side: int) -> list[Unit]:
        return [u for u in self.units.values() if u.side == side and u.place == "table" and u.figures]

    def enemies_of(self, side: int) -> list[Unit]:
        return [u for u in self.units.values() if u.side != side and u.place == "table" and u.figures]

    def unit_of(self, figure: str) -> Unit:
        """The unit a fighter belongs to."""
        for unit in self.units.values():
            if unit.figure(figure) is not None:
                return unit
        raise KeyError(figure)

    def fighters(self) -> Iterator[tuple[Unit, Fighter]]:
        """Everybody on the table."""
        for unit in self.units.values():
            if unit.place == "table":
                for figure in unit.figures:
                    yield unit, figure

    def is_option(self, key: str, value: str) -> bool:
        """Whether a house rule is played so: `battle.is_option("unitBlocks", "always")`."""
        return self.options[f"rn3.{key}"] == value


def skills_of(unit: Unit, fighter: Fighter) -> SkillSet:
    """The skills at work for a fighter: its own and what powers lay on it (chapter 40)."""
    laid = [e.skill for e in unit.effects if e.skill is not None and (not e.fighters or fighter.id in e.fighters)]
    return book.set_of((*fighter.profile.skills, *laid)) if laid else fighter.profile.skills


def value_of(unit: Unit, fighter: Fighter, stat: str, effects: tuple[Effect, ...] | None = None) -> int:
    """A characteristic of a fighter as it is now, with what lasts on it; never below 0. Skills speak at their moments.

    `stat` is one of `profile.CHARACTERISTICS`. `effects` are those that count, all that lasts on the unit unless said.
    """
    profile = fighter.profile
    if stat in ("att", "for"):
        base = profile.melee.att if stat == "att" else profile.melee.force
    elif stat in ("ranged_att", "ranged_for"):
        base = 0
        if profile.ranged is not None:
            base = profile.ranged.att if stat == "ranged_att" else profile.ranged.force
    else:
        base = profile.defence if stat == "def" else getattr(profile, stat) or 0
    most = base + 99
    for effect in unit.effects if effects is None else effects:
        if effect.stat == stat and (not effect.fighters or fighter.id in effect.fighters):
            base += effect.amount
            most = most if effect.most is None else min(most, effect.most)
    return max(0, min(most, int(base)))
