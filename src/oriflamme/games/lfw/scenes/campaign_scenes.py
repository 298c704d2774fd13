"""Cases about campaigns: the scenario that is drawn, armies that come home, and who has won in the end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from oriflamme.engine.cases.scenes import Deed, Question, Sentence
from oriflamme.games.lfw.army.cards import Warband
from oriflamme.games.lfw.campaign.company import muster
from oriflamme.games.lfw.campaign.series import Campaign, Result, come_home, draw_scenario, most_won
from oriflamme.games.lfw.scenes import case_steps
from oriflamme.games.lfw.scenes.army_scenes import roster_of
from oriflamme.games.lfw.setup import take_the_field
from oriflamme.games.lfw.state import Battle


@case_steps.step
def case_draw(battle: Battle) -> None:
    """The scenario of the next battle, for the players of the scene."""
    battle.scenario = draw_scenario(battle.players, battle.dice)


@case_steps.step
def case_next_battle(battle: Battle, side: int, army: dict[str, Any]) -> None:
    """An army comes home from the battle as it stands, and takes the field of the next."""
    company = muster(army, side)
    for event in come_home(company, side, msgspec.convert(Campaign.own_game().aftermath(battle), Result)):
        battle.tell(event)
    take_the_field(battle, side, msgspec.convert(company.for_battle(), Warband))


@case_steps.step
def case_end_of_campaign(battle: Battle) -> None:
    """The score is how many battles each side has won."""
    battle.end(most_won(battle.score))


def _next_battle(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    army = roster_of(battle, top).to_data()
    return Deed([(case_next_battle.__name__, int(match["side"]) - 1, army)])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(
        "the campaign draws a scenario",
        "two dice, for so many players as the scene has; expect scenario",
        lambda battle, match, top: Deed([(case_draw.__name__,)]),
    ),
    Sentence(
        "side <side> goes into its next battle",
        "the army of [army] after the battle as it stands: its units are in reserve, as after side 1 musters",
        _next_battle,
    ),
    Sentence(
        "the campaign ends",
        "the score of the scene is how many battles each side has won; expect winner",
        lambda battle, match, top: Deed([(case_end_of_campaign.__name__,)]),
    ),
)
QUESTIONS: Final[Mapping[str, Question]] = {}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {}
