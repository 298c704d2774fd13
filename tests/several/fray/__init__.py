"""Fray: one to four gangs, allied or not, and beasts that nobody owns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.plain import Army
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import UnitShown

from .gangs import Battle, Card, FrayArmies, Gangs, Pack, cards_of, stand_apart
from .rounds import begin_round, steps
from .scene import FrayScenes

BEASTS = {"en": "Wolves", "fr": "Loups"}


class Fray(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "fray"
    title: ClassVar[Mapping[str, str]] = {"en": "Fray", "fr": "La mêlée"}
    measure = "mm"
    sizes = (6, 6)
    steps = steps
    headlines = frozenset({"RoundBegan", "FrayEnded"})
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "players": ("2", "1", "3", "4"),
        "beasts": ("none", "wolves"),
        "alliance": ("none", "pairs"),
        "goal": ("victory", "endure"),
    }
    players_choice = "players"
    unowned = 1
    goes_with: ClassVar[Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]]] = {
        "players": {"1": {"beasts": ("wolves",)}},
        "alliance": {"pairs": {"players": ("4",)}},
    }
    surrender = "leave"
    surrender_removes = True

    def setup(self, seed: int, **chosen: Any) -> dict[str, Any]:
        data = super().setup(seed, **chosen)
        wild = {"name": {"en": "The Wild", "fr": "La Sauvagine"}}
        return data | {"armies": data["armies"] + [wild] * (data["beasts"] == "wolves")}

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        number = self.players_of(setup)
        battle = Battle(
            dice,
            number,
            beasts=setup["beasts"] == "wolves",
            allied=setup["alliance"] == "pairs",
            endures=setup["goal"] == "endure",
        )
        for side, army in enumerate(msgspec.convert(setup["armies"][:number], list[Army[Card]])):
            for place, card in enumerate(cards_of(army), 1):
                pack = Pack(f"gang_{side + 1}_{place}", side, card.fighters, card.name)
                battle.units[pack.id] = pack
        for side in range(number, battle.sides):
            for place in (1, 2):
                battle.units[f"wolves_{place}"] = Pack(f"wolves_{place}", side, 3, BEASTS)
        stand_apart(battle)
        battle.fates = tuple(dice.d6() for _ in range(battle.sides))
        battle.then(begin_round)
        return battle

    def score(self, battle: Battle) -> Sequence[int]:
        return battle.survived if battle.endures else super().score(battle)

    def counted(self, battle: Battle) -> str:
        return "rounds" if battle.endures else ""

    def invariants(self, battle: Battle) -> list[str]:
        wrong = [f"{pack.id} stands for a side that left" for s in battle.gone for pack in battle.standing(s)]
        return wrong if not any(name == "leave" for name, _ in battle.track) else []

    def scenes(self) -> FrayScenes:
        return FrayScenes(self)

    def picture(self) -> Picture[Battle, Pack]:
        return FrayPicture(self.measure)

    def armies(self) -> FrayArmies:
        return FrayArmies(Gangs(Path(__file__).parent))


class FrayPicture(Picture[Battle, Pack]):
    subjects: ClassVar[tuple[str, ...]] = ("unit",)

    def unit(self, unit: Pack) -> UnitShown:
        return msgspec.structs.replace(super().unit(unit), name=unit.name)


game = Fray()
