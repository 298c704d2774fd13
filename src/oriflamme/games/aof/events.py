"""The facts a battle of Age of Fantasy can state. Sides are 0 and 1, units and models are named by their ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from oriflamme.engine.core.events import Event, Reason, Throw
from oriflamme.engine.core.luck import reached
from oriflamme.engine.core.rolls import Roll

Why = tuple[Reason, ...]
Faces = tuple[int, ...]
Before = Sequence[Event]

REGENERATES = 5  # AOF-SR-REGENERATION-01


class RolledOff(Event, frozen=True):
    """Both sides rolled for something; `rolls` are the last, untied pair."""

    what: str
    rolls: tuple[int, int]
    winner: int

    def thrown(self) -> tuple[Throw, ...]:
        return tuple(Throw((face,), good=int(side == self.winner), by=side) for side, face in enumerate(self.rolls))


class ObjectivesRolled(Event, frozen=True):
    die: int
    number: int

    def thrown(self) -> tuple[Throw, ...]:
        return (Throw((self.die,)),)


class EdgesChosen(Event, frozen=True):
    """The armies deploy along the long or the short edges."""

    side: int
    edges: str


class ObjectivePlaced(Event, frozen=True):
    side: int
    number: int
    at: tuple[float, float]


class ObjectivesLeftOut(Event, frozen=True):
    number: int


class EdgeChosen(Event, frozen=True):
    """`axis` is "y" where the armies deploy in the south and the north, "x" in the west and the east."""

    side: int
    edge: str
    axis: str = "y"


class SetAside(Event, frozen=True):
    side: int
    unit: str
    reserve: str


class HeroJoined(Event, frozen=True):
    side: int
    hero: str
    unit: str


class UnitDeployed(Event, frozen=True):
    """A unit came to the table: by deployment, as Scout, or from Ambush."""

    side: int
    unit: str
    how: str


class UnitLeftOut(Event, frozen=True):
    """There was no room for the unit, and it takes no part, or waits on in Ambush."""

    side: int
    unit: str


class AmbushPassed(Event, frozen=True):
    side: int


class RoundBegan(Event, frozen=True):
    round: int
    first: int


class TokensGained(Event, frozen=True):
    """How many spell tokens a Caster has after those of a new round."""

    figure: str
    tokens: int


class UnitActivated(Event, frozen=True):
    side: int
    unit: str
    action: str
    targets: tuple[str, ...] = ()


class UnitIdled(Event, frozen=True):
    """A Shaken unit spent its activation idle."""

    unit: str


class UnitRecovered(Event, frozen=True):
    unit: str


class UnitMoved(Event, frozen=True):
    """Models moved; `paths` are the points each one passed, the first being where it stood."""

    unit: str
    how: str
    paths: dict[str, tuple[tuple[float, float], ...]]
    longest: float


class DangerRolled(Event, frozen=True):
    unit: str
    figure: str
    faces: Faces
    wounds: int

    needs: ClassVar[int] = 2

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.unit, "other", self.faces, 2),)


class SpellTried(Event, frozen=True):
    figure: str
    spell: str
    targets: tuple[str, ...]
    value: int


class TokensSpent(Event, frozen=True):
    side: int
    figure: str
    helping: int
    hindering: int


class CastingRolled(Event, frozen=True):
    figure: str
    spell: str
    face: int
    needed: int
    why: Why
    success: bool

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.figure, "magic", (self.face,), self.needed),)


class SpellLaid(Event, frozen=True):
    """A spell lays rules on a unit until the end of the round."""

    unit: str
    spell: str
    gives: tuple[str, ...]


class Healed(Event, frozen=True):
    figure: str
    wounds: int


class SpellEnded(Event, frozen=True):
    unit: str
    gives: tuple[str, ...]


class ShotsDeclared(Event, frozen=True):
    unit: str
    weapon: str
    target: str
    figures: tuple[str, ...]


class ImpactRolled(Event, frozen=True):
    unit: str
    target: str
    faces: Faces
    hits: int
    why: Why

    needs: ClassVar[int] = 2

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.unit, "attack", self.faces, 2),)


class HitsRolled(Event, frozen=True):
    """Attacks of one group were rolled; `hits` counts everything, extra and multiplied hits included."""

    unit: str
    target: str
    weapon: str
    attacks: int
    faces: Faces
    needed: int
    why: Why
    successes: int
    hits: int
    extra: Why = ()

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.unit, "attack", self.faces, self.needed),)


class DefenseRolled(Event, frozen=True):
    target: str
    hits: int
    faces: Faces
    needed: int
    why: Why
    wounds: int

    def luck(self, before: Before) -> tuple[Roll, ...]:
        again = (6,) if any(reason.rule == "AOF-SR-BANE" for reason in self.why) else ()
        return (reached(self.target, "defence", self.faces, self.needed, again),)


class WoundsIgnored(Event, frozen=True):
    unit: str
    faces: Faces
    ignored: int

    needs: ClassVar[int] = REGENERATES

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.unit, "defence", self.faces, REGENERATES),)


class FigureWounded(Event, frozen=True):
    unit: str
    figure: str
    wounds: int
    left: int


class FigureLost(Event, frozen=True):
    unit: str
    figure: str
    at: tuple[float, float]


class UnitDestroyed(Event, frozen=True):
    unit: str


class StruckBack(Event, frozen=True):
    unit: str
    strikes: bool


class MeleeCounted(Event, frozen=True):
    """The wounds of a melee, what rules added to them, and who lost."""

    charger: str
    defender: str
    wounds: tuple[int, int]
    why: tuple[Why, Why]
    loser: str | None


class MoraleTested(Event, frozen=True):
    unit: str
    by: str
    face: int
    needed: int
    why: Why
    passed: bool

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.unit, "nerve", (self.face,), self.needed),)


class MoraleFailedAtOnce(Event, frozen=True):
    """A Shaken unit fails without a roll."""

    unit: str


class SecondChanceRolled(Event, frozen=True):
    unit: str
    face: int
    needed: int
    passed: bool

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.unit, "nerve", (self.face,), self.needed),)


class UnitShaken(Event, frozen=True):
    unit: str


class UnitRouted(Event, frozen=True):
    unit: str


class UnitFatigued(Event, frozen=True):
    unit: str


class ActivationEnded(Event, frozen=True):
    unit: str


class ObjectiveTaken(Event, frozen=True):
    number: int
    side: int


class ObjectiveNeutral(Event, frozen=True):
    number: int


class RoundEnded(Event, frozen=True):
    round: int
    score: tuple[int, int]


class ArmyDestroyed(Event, frozen=True):
    side: int


class Conceded(Event, frozen=True):
    side: int


class BattleEnded(Event, frozen=True):
    winner: int | None
    score: tuple[int, int]
