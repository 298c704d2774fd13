"""What a battle of Song of Blades and Heroes states as facts, in the order of the book. Distances are as `Ruler` tells
them: millimetres, or hexes on a hexagonal board."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from oriflamme.engine.core.events import Event, Reason, Throw
from oriflamme.engine.core.luck import HALF, opposed, reached, tried
from oriflamme.engine.core.rolls import Kind, Roll

Before = Sequence[Event]
SIXTH = Fraction(1, 6)

# -- before the battle -------------------------------------------------------------------------------------------------


class RolledOff(Event, frozen=True):
    """A die each, the higher wins; ties were rolled again. `about` says for what."""

    about: str
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    winner: int

    def thrown(self) -> tuple[Throw, ...]:
        totals = [face + more for face, more in zip(self.faces, self.bonus, strict=True)]
        return tuple(
            Throw((face,), good=int(side == self.winner), total=totals[side], by=side)
            for side, face in enumerate(self.faces)
        )


class ScenarioRolled(Event, frozen=True):
    face: int
    scenario: str


class RolesChosen(Event, frozen=True):
    attacker: int
    defender: int


class TerrainLaid(Event, frozen=True):
    side: int
    piece: str
    kind: str


class TerrainTakenBack(Event, frozen=True):
    """No place was known for what the table still needed, and the piece laid last was taken up again."""

    side: int
    piece: str
    terrain: str


class MarkerLaid(Event, frozen=True):
    """A treasure or item marker was placed."""

    side: int
    marker: str
    piece: str


class PlaceOfPowerNamed(Event, frozen=True):
    side: int
    piece: str


class EdgeChosen(Event, frozen=True):
    side: int
    edge: str


class BandDeployed(Event, frozen=True):
    side: int
    fighters: tuple[str, ...]


class StayedBehind(Event, frozen=True):
    """So many fighters found no room at deployment, and count as having left the table."""

    side: int
    number: int


class MarkersDeployed(Event, frozen=True):
    """An ambush was laid: so many markers, half of them decoys."""

    side: int
    markers: int


# -- turns and activations ---------------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True):
    side: int
    turn: int


class TurnEnded(Event, frozen=True):
    """Why: "all_activated", "turnover" or "chosen"."""

    side: int
    because: str


class Activated(Event, frozen=True):
    """An activation roll: the faces (6 for a die that is not rolled), the face needed and what made it so."""

    fighter: str
    faces: tuple[int, ...]
    needed: int
    successes: int
    failures: int
    announced: str
    why: tuple[Reason, ...]

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return _quality(self.fighter, "activation", self.faces, self.needed, self.why, before)


class OrderGiven(Event, frozen=True):
    """A Leader's order: "group", "rally" or "volley"."""

    fighter: str
    order: str
    members: tuple[str, ...]


class GroupActivated(Event, frozen=True):
    fighter: str
    members: tuple[str, ...]
    faces: tuple[int, ...]
    needed: int
    successes: int
    failures: int
    worst: str
    why: tuple[Reason, ...]

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return _quality(self.fighter, "activation", self.faces, self.needed, self.why, before)


class TurnedOver(Event, frozen=True):
    """Two failures or more: the turn passes when this activation is over."""

    fighter: str
    side: int


class Exhausted(Event, frozen=True):
    """Three failures took a power away: "magic", "healing" or "scroll"."""

    fighter: str
    power: str


class QualityRolled(Event, frozen=True):
    """A Quality roll that is neither activation nor morale: against a spell, a fall, Terror, a trap."""

    fighter: str
    about: str
    faces: tuple[int, ...]
    needed: int
    successes: int
    failures: int
    why: tuple[Reason, ...]

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return _quality(self.fighter, "nerve", self.faces, self.needed, self.why, before)


class ResourceUsed(Event, frozen=True):
    """Something that can be used once, or so many times: a re-roll, a band upgrade, a point of a belt."""

    side: int
    resource: str
    fighter: str = ""
    amount: int = 1


class DieRerolled(Event, frozen=True):
    fighter: str
    was: int
    face: int


def _again(fighter: str, before: Before) -> list[int]:
    """What a fighter's dice showed that were thrown again for the roll told next."""
    faces: list[int] = []
    for event in reversed(before):
        if isinstance(event, DieRerolled):
            faces += [event.was] if event.fighter == fighter else []
        elif not isinstance(event, ResourceUsed):
            break
    return faces


def _quality(
    fighter: str, kind: Kind, faces: Sequence[int], needed: int, why: Sequence[Reason], before: Before
) -> tuple[Roll, ...]:
    """The dice of a Quality roll, those that were thrown again too; one that is sure was not rolled (SBH-SR-HERO)."""
    sure = any(reason.rule == "SBH-SR-HERO" for reason in why)
    return (reached(fighter, kind, [*faces[: len(faces) - sure], *_again(fighter, before)], needed),)


# -- actions -----------------------------------------------------------------------------------------------------------


class Moved(Event, frozen=True):
    fighter: str
    distance: float
    slowed: bool
    contacts: tuple[str, ...]


class StoodUp(Event, frozen=True):
    fighter: str


class BrokeFree(Event, frozen=True):
    fighter: str


class LeftCombat(Event, frozen=True):
    """An attempt to leave combat: whether it came off."""

    fighter: str
    free: bool


class LeftTable(Event, frozen=True):
    fighter: str
    fleeing: bool


class TerrorFelt(Event, frozen=True):
    """A move into contact that was not dared."""

    fighter: str
    target: str


class Fought(Event, frozen=True):
    """An opposed roll: faces, totals, and what came of it: for whom, and "nothing", "recoils", "falls", "killed",
    "gruesome"."""

    manner: str
    attacker: str
    defender: str
    faces: tuple[int, int]
    totals: tuple[int, int]
    loser: str
    result: str
    attacker_why: tuple[Reason, ...]
    defender_why: tuple[Reason, ...]

    def luck(self, before: Before) -> tuple[Roll, ...]:
        """Who wins the roll: a tie is half a success in a melee, and else of use to the defender alone.

        A die that is thrown again is a new roll against the other as it lies, the attacker's first.
        """
        who: tuple[str, str] = (self.attacker, self.defender)
        bonus = (self.totals[0] - self.faces[0], self.totals[1] - self.faces[1])
        tie = HALF if self.manner == "melee" else Fraction(0)
        first = [_again(id, before) for id in who]
        lie = [old[0] if old else face for old, face in zip(first, self.faces, strict=True)]
        made: tuple[Roll, ...] = opposed(who, ("attack", "defence"), (lie[0], lie[1]), bonus, tie=tie)
        for side in (0, 1):
            if first[side]:
                lie[side] = self.faces[side]
                fell = (side == 0, side == 1)
                made += opposed(who, ("attack", "defence"), (lie[0], lie[1]), bonus, tie=tie, thrown=fell)
        return made

    def thrown(self) -> tuple[Throw, ...]:
        who = (self.attacker, self.defender)
        won = [None if not self.loser else int(id != self.loser) for id in who]
        return tuple(Throw((self.faces[n],), good=won[n], total=self.totals[n], by=who[n]) for n in (0, 1))


class ResultChanged(Event, frozen=True):
    """A special rule has made something else of a result."""

    fighter: str
    by: str
    result: str


class Recoiled(Event, frozen=True):
    fighter: str
    distance: float
    contacts: tuple[str, ...]


class Fell(Event, frozen=True):
    fighter: str


class Dropped(Event, frozen=True):
    """Fell from a height, to the bottom."""

    fighter: str
    height: float


class TailSlapRolled(Event, frozen=True):
    fighter: str
    target: str
    face: int

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (tried(self.fighter, "attack", 1, self.face == 1, SIXTH),)


class PoisonRolled(Event, frozen=True):
    fighter: str
    target: str
    face: int

    needs: ClassVar[int] = 6

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.fighter, "attack", (self.face,), 6),)


class QualityLost(Event, frozen=True):
    """Quality is worse by one: "wound" or "poison"; `quality` is the target number now."""

    fighter: str
    by: str
    quality: int


class Removed(Event, frozen=True):
    """Out of play: "killed", "trapped", "routed" or "left". `by` says what did it."""

    fighter: str
    fate: str
    by: str
    gruesome: bool = False


class AmmunitionRolled(Event, frozen=True):
    fighter: str
    face: int
    out: bool

    needs: ClassVar[int] = 2

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.fighter, "other", (self.face,), 2),)


class SpellCast(Event, frozen=True):
    """A spell, or an entangling: "bolt", "transfix" or "entangle"."""

    fighter: str
    spell: str
    power: int
    target: str


class Transfixed(Event, frozen=True):
    fighter: str
    by: str


class TransfixEnded(Event, frozen=True):
    fighter: str


class Healed(Event, frozen=True):
    fighter: str
    target: str
    quality: int


class Raised(Event, frozen=True):
    fighter: str
    target: str


# -- morale ------------------------------------------------------------------------------------------------------------


class MoraleRolled(Event, frozen=True):
    """`because`: "gruesome", "leader", "half", "terror", several joined by "+"."""

    fighter: str
    because: str
    faces: tuple[int, ...]
    needed: int
    failures: int
    why: tuple[Reason, ...]

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return _quality(self.fighter, "nerve", self.faces, self.needed, self.why, before)


class Fled(Event, frozen=True):
    fighter: str
    moves: int
    distance: float


class RanksClosed(Event, frozen=True):
    side: int
    fighters: tuple[str, ...]


# -- scenarios ---------------------------------------------------------------------------------------------------------


class MarkerRevealed(Event, frozen=True):
    """An ambush marker is turned over: its fighter, or "" for a decoy."""

    side: int
    marker: str
    fighter: str


class MarkersRemoved(Event, frozen=True):
    markers: tuple[str, ...]


FOUND = 5  # SBH-SCEN-TREASURE-03


class MarkerSearched(Event, frozen=True):
    fighter: str
    marker: str
    face: int
    found: bool

    needs: ClassVar[int] = FOUND

    def luck(self, before: Before) -> tuple[Roll, ...]:
        return (reached(self.fighter, "other", (self.face,), FOUND),) if self.face else ()


class PrizeTaken(Event, frozen=True):
    """The treasure, or the magic item, is taken up."""

    fighter: str
    prize: str


class ItemDrawn(Event, frozen=True):
    fighter: str
    face: int
    item: str
    left: int


class PrizeOffered(Event, frozen=True):
    fighter: str
    target: str


class PrizeHandedOver(Event, frozen=True):
    fighter: str
    target: str


class PrizeDropped(Event, frozen=True):
    fighter: str


class PrizeBroughtOff(Event, frozen=True):
    fighter: str


class ItemDrained(Event, frozen=True):
    fighter: str
    item: str


class TrapRolled(Event, frozen=True):
    fighter: str
    piece: str
    face: int
    dangerous: bool


class Conceded(Event, frozen=True):
    side: int


class BattleEnded(Event, frozen=True):
    """Victory points of both sides, points still on the table, and the winner (-1: nobody)."""

    because: str
    victory: tuple[int, ...]
    standing: tuple[int, ...]
    winner: int
