"""What happens in a round: phases, arrivals, cards, activations, points."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.events import Event, Throw
from oriflamme.engine.core.luck import stayed
from oriflamme.engine.core.rolls import Roll


class RoundBegan(Event, frozen=True):
    round: int


class PhaseBegan(Event, frozen=True):
    phase: str


class RolledOff(Event, frozen=True):
    """Each side rolls a die, the lowest wins (TLAOK-DICE-14). `changed` is what the modified dice show."""

    about: str
    faces: tuple[int, int]
    changed: tuple[int, int]
    winner: int | None

    def thrown(self) -> tuple[Throw, ...]:
        return tuple(
            Throw(
                (face,),
                good=int(side == self.winner) if self.winner is not None else None,
                total=self.changed[side],
                by=side,
                low=True,
            )
            for side, face in enumerate(self.faces)
        )


class EdgeChosen(Event, frozen=True):
    side: int
    edge: str


class CharacterAttached(Event, frozen=True):
    side: int
    character: str
    regiment: str


class SecondariesKept(Event, frozen=True):
    side: int
    number: int


class LineDrawn(Event, frozen=True):
    """Where the reinforcement line of a side lies, in inches from its edge."""

    side: int
    distance: float


class ArrivalPicked(Event, frozen=True):
    """The one regiment that arrives, or stays, without a die (TLAOK-REINF-03), or one with Flank."""

    side: int
    regiment: str
    arrives: bool


class ReinforcementsRolled(Event, frozen=True):
    side: int
    weight: str
    needed: int
    faces: tuple[int, ...]
    successes: int

    low = True

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        return (stayed(self.side, "other", self.faces, self.needed),)


class Arriving(Event, frozen=True):
    """These regiments come onto the table when their cards are drawn (TLAOK-REINF-10)."""

    side: int
    regiments: tuple[str, ...]


class StackBuilt(Event, frozen=True):
    side: int
    cards: int


class SupremacyUsed(Event, frozen=True):
    side: int
    character: str
    ability: str


class CardDrawn(Event, frozen=True):
    """A card is turned over; `left` are still in the stack."""

    side: int
    card: str
    left: int


class CardDiscarded(Event, frozen=True):
    """Nobody is left whom this card could activate (TLAOK-ACT-06)."""

    side: int
    card: str


class CardReturned(Event, frozen=True):
    """Not the character's own regiment: the card goes back on top of the stack (TLAOK-CHAIN-03)."""

    side: int
    card: str


class Activated(Event, frozen=True):
    side: int
    regiment: str
    character: str = ""
    chained: bool = False


class DrawEventUsed(Event, frozen=True):
    regiment: str
    draw_event: str
    x: int = 0


class ActionTaken(Event, frozen=True):
    regiment: str
    action: str
    free: bool = False
    character: str = ""


class Passed(Event, frozen=True):
    regiment: str
    character: str = ""


class ActivationEnded(Event, frozen=True):
    regiment: str


class ZoneControlled(Event, frozen=True):
    """Who controls an objective zone, and with how many stands that capture and that are there (TLAOK-CTRL-02)."""

    zone: str
    owner: int | None
    capturing: tuple[int, int]
    there: tuple[int, int]


class PointsScored(Event, frozen=True):
    side: int
    points: int
    about: str
    of: str = ""


class SecondaryScored(Event, frozen=True):
    side: int
    objective: str


class Conceded(Event, frozen=True):
    side: int


class BattleEnded(Event, frozen=True):
    winner: int | None
    score: tuple[int, int]
    because: str
