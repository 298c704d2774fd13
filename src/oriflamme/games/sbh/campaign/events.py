"""What happens in a campaign outside its battles, in the order of the book. Fighters are named by their ids."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class ScenarioSet(Event, frozen=True):
    """The scenario of the next battle was rolled, after both bands were chosen."""

    battle: int
    face: int
    scenario: str


class BattleNotFought(Event, frozen=True):
    """Nobody of a band could fight: `side`, or -1 for both."""

    battle: int
    side: int


class BattleFought(Event, frozen=True):
    """A battle is over: who won (-1: nobody), and the victory points made on the table."""

    battle: int
    scenario: str
    winner: int
    victory: tuple[int, ...]


# -- after the battle --------------------------------------------------------------------------------------------------


class FighterRecovered(Event, frozen=True):
    """The game he had to play wounded is over."""

    side: int
    fighter: str


class FighterReturned(Event, frozen=True):
    """He missed a game and is back, still wounded for the next."""

    side: int
    fighter: str


class FighterCameBack(Event, frozen=True):
    """He "left" the table or "routed", and survives."""

    side: int
    fighter: str
    fate: str


class SurvivalRolled(Event, frozen=True):
    """Three dice for one who was eliminated, a 6 for one not rolled: "unharmed", "hurt", "absent" or "dead"."""

    side: int
    fighter: str
    faces: tuple[int, ...]
    needed: int
    successes: int
    outcome: str


class FighterDied(Event, frozen=True):
    """Eliminated on the side that lost."""

    side: int
    fighter: str


class ReinforcementsGranted(Event, frozen=True):
    """The points of the dead, to spend before the next battle; whether Personalities may come."""

    side: int
    points: int
    personalities: bool


class ExperienceGained(Event, frozen=True):
    side: int
    fighters: tuple[str, ...]


class VictoryBanked(Event, frozen=True):
    side: int
    points: int
    total: int


class ItemKept(Event, frozen=True):
    """A magic item stays with a band, or comes to it."""

    side: int
    item: str


class ItemLost(Event, frozen=True):
    side: int
    item: str


class ItemSpent(Event, frozen=True):
    """A magic item was drained in the battle."""

    side: int
    item: str


# -- in camp -----------------------------------------------------------------------------------------------------------


class FighterJoined(Event, frozen=True):
    """Bought with points of the dead ("reinforcements") or with victory points ("victory"); `left` of them remain."""

    side: int
    fighter: str
    card: str
    coin: str
    cost: int
    left: int


class FighterTrained(Event, frozen=True):
    """Experience was spent: for "quality" or "combat", or for a range as a Shooter.

    `value` is what he counts for now, 0 if that has not changed.
    """

    side: int
    fighter: str
    gain: str
    cost: int
    left: int
    value: int


class UpgradeBought(Event, frozen=True):
    side: int
    upgrade: str
    cost: int
    left: int


class ItemGiven(Event, frozen=True):
    """Who bears a magic item in the next battle: nobody if `fighter` is empty."""

    side: int
    item: str
    fighter: str


class ReinforcementsLost(Event, frozen=True):
    """Points of the dead that were not spent."""

    side: int
    points: int


# -- the end -----------------------------------------------------------------------------------------------------------


class CampaignEnded(Event, frozen=True):
    """The score of both sides, and who has most (-1: nobody)."""

    score: tuple[int, ...]
    winner: int
