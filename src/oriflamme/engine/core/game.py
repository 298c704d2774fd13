"""What the rest of the program needs to know of a game. Each rulebook has one of these, called `game`.

A game must say what it is called, what its steps are and how a battle begins (`begin`).
Everything else has a default: docs/new-game.md builds a game that uses them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oriflamme.engine.cases.scene_battles import SCENE, battle_of
from oriflamme.engine.cases.scenes import Scenes
from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.campaign import Campaigns
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with

# Gives the game of an id; raises Problems if there is none. `oriflamme.games.load` is one.
GameOf = Callable[[str], "Game"]


class Game(Rulebook):
    """A rulebook, and what is made of its battles: campaigns and cases."""

    def open(self, setup: dict[str, Any], dice: Dice) -> Battle[Any]:
        if SCENE not in setup:
            return self.begin(setup, dice)
        battle: Battle[Any] = battle_of(self.scenes(), setup, dice)
        return battle

    def campaigns(self) -> Campaigns | None:
        """How it plays series of battles, if it does."""
        return None

    def scenes(self) -> Scenes:
        """How cases describe this game."""
        raise problem_with(self.id, notice("has_none_yet", what="cases"))
