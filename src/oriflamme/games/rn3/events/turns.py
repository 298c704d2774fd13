"""From the authority roll and deployment to the end of the battle: turns, phases, goes, reserves, points."""

from __future__ import annotations

from oriflamme.engine.core.events import Event, Throw


class AuthorityRolled(Event, frozen=True):
    """Dice of one side in an authority roll: what it adds, what it keeps and comes to. `failed` after a 1."""

    side: int
    authority: int
    faces: tuple[int, ...]
    total: int
    failed: bool

    def thrown(self) -> tuple[Throw, ...]:
        return (Throw(self.faces, total=self.total, by=self.side),)


class AuthorityPushed(Event, frozen=True):
    """A side announces whether it rolls another die after a 6 (RN3-AUTH-05, -07)."""

    side: int
    pushes: bool


class AuthorityTied(Event, frozen=True):
    totals: tuple[int, int]


class AuthorityWon(Event, frozen=True):
    """`about` is "deployment" or "turn"."""

    side: int
    about: str
    totals: tuple[int, int]


class FirstChosen(Event, frozen=True):
    """Who places the first card, or gives the first order (RN3-AUTH-08)."""

    side: int
    first: int
    about: str


class ReservesKept(Event, frozen=True):
    """How many units a side keeps in reserve; which, only if they are named openly (RN3-RSV-02)."""

    side: int
    number: int
    units: tuple[str, ...] = ()


class CardPlaced(Event, frozen=True):
    """A card is laid face down; nobody says which (RN3-DEP-03)."""

    side: int
    at: tuple[float, float]
    left: int


class CardsRevealed(Event, frozen=True):
    units: tuple[str, ...]


class UnitLeftOut(Event, frozen=True):
    """There is no room for it where its card lies; it waits in reserve."""

    side: int
    unit: str


class ReserveAnnounced(Event, frozen=True):
    side: int
    units: tuple[str, ...]


class TurnBegan(Event, frozen=True):
    turn: int
    turns: int


class PhaseBegan(Event, frozen=True):
    phase: str


class TacticPointsGained(Event, frozen=True):
    points: tuple[int, int]


class Activated(Event, frozen=True):
    side: int
    unit: str


class OrderGiven(Event, frozen=True):
    unit: str
    order: str


class Passed(Event, frozen=True):
    """A go without an order: by Annulation (RN3-TAC-04), or for an unmanned machine (RN3-WM-03)."""

    side: int
    unit: str = ""


class ActivationEnded(Event, frozen=True):
    unit: str


class Revealed(Event, frozen=True):
    """Scouts may be targets from now on (RN3-SKL-17)."""

    unit: str


class FighterLeft(Event, frozen=True):
    """Who died and stayed is removed in the support phase (RN3-TURN-04)."""

    unit: str
    fighter: str


class FightersReturned(Event, frozen=True):
    """Reinforcements (RN3-SKL-51)."""

    unit: str
    fighters: tuple[str, ...]


class ObjectiveControlled(Event, frozen=True):
    """Who controls an objective, and with how many models each side is there."""

    objective: str
    owner: int | None
    there: tuple[int, int]


class PointsScored(Event, frozen=True):
    """`about` is "objective", "losses" or "commander"; `of` the objective or unit."""

    side: int
    points: int
    about: str
    of: str = ""


class Conceded(Event, frozen=True):
    side: int


class BattleEnded(Event, frozen=True):
    winner: int | None
    score: tuple[int, int]
    because: str
