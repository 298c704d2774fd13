"""What happens in a campaign outside its battles. Units are named by their ids."""

from __future__ import annotations

from oriflamme.engine.core.events import Event


class ScenarioDrawn(Event, frozen=True):
    """The scenario of the next battle was drawn by lot."""

    battle: int
    scenario: str


class BattleFought(Event, frozen=True):
    """A battle is over: who won it, and the score on the table."""

    battle: int
    scenario: str
    winners: tuple[int, ...]
    points: tuple[int, ...]


class ExperienceGained(Event, frozen=True):
    """A specialist has gained experience; so much is left to spend."""

    side: int
    unit: str
    number: int
    left: int


class LevelGained(Event, frozen=True):
    """A specialist has bought its next level, and a skill with it."""

    side: int
    unit: str
    level: int
    skill: str
    cost: int


class CampaignEnded(Event, frozen=True):
    """After the last battle: how many battles each side has won, and who has won the campaign."""

    won: tuple[int, ...]
    winners: tuple[int, ...]
