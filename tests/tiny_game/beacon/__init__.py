"""Beacon: a handful of wardens on each side, and a fire to hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from oriflamme.engine.cases.scenes import Scenes
from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.plain import Army
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import ObjectiveShown, UnitShown
from oriflamme.engine.table.walks import stand

from .captain import CaptainBot
from .rounds import HOLDS, begin_round, score, steps
from .scene import BeaconScenes
from .wardens import WIDTH, Bands, Battle, BeaconArmies, Card, Warden


class Beacon(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "beacon"
    title: ClassVar[Mapping[str, str]] = {"en": "Beacon", "fr": "Le fanal"}
    sizes = (10, 10)
    minutes = (5, 10)
    learning = 1
    steps = steps
    headlines = frozenset({"RoundBegan", "BattleEnded"})

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        """Each side begins in a row along its edge (BEACON-BATTLE-01)."""
        battle = Battle(setup["options"], dice)
        for side, army in enumerate(msgspec.convert(setup["armies"], list[Army[Card]])):
            cards = [troop.card for troop in army.troops for _ in range(troop.count)]
            for number, card in enumerate(cards, 1):
                warden = Warden(f"{'ab'[side]}{number}", side, card)
                stand(warden, WIDTH * number / (len(cards) + 1), abs(WIDTH * side - 40))
                battle.units[warden.id] = warden
        battle.then(begin_round)
        return battle

    def score(self, battle: Battle) -> Sequence[int]:
        return score(battle)

    def bots(self) -> Mapping[str, Callable[..., Bot]]:
        return {**super().bots(), "captain": CaptainBot}

    def scenes(self) -> Scenes:
        return BeaconScenes(self)

    def picture(self) -> Picture[Battle, Warden]:
        return BeaconPicture(self.measure)

    def armies(self) -> BeaconArmies:
        return BeaconArmies(Bands(Path(__file__).parent))


class BeaconPicture(Picture[Battle, Warden]):
    """What the table shows: everybody's name, whose turn it is, and the beacon."""

    def unit(self, unit: Warden) -> UnitShown:
        return msgspec.structs.replace(super().unit(unit), name=unit.name)

    def turn(self, battle: Battle) -> int:
        return battle.turn

    def objectives(self, battle: Battle) -> list[ObjectiveShown]:
        return [ObjectiveShown(WIDTH / 2, WIDTH / 2, None, HOLDS)]


game = Beacon()
