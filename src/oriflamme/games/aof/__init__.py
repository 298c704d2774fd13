"""Age of Fantasy: loose units on round bases, alternate activations, four rounds for the objectives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from oriflamme.engine.cases.scenes import Scenes
from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.armies import Armies
from oriflamme.engine.odds import Odds
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.screen.aids import Aids
from oriflamme.games.aof import keywords as keywords
from oriflamme.games.aof import rounds as rounds
from oriflamme.games.aof.deployment import choose_edge as choose_edge
from oriflamme.games.aof.evidence import keywords_seen, titles
from oriflamme.games.aof.invariants import what_is_wrong
from oriflamme.games.aof.mission import score
from oriflamme.games.aof.setup import begin, choose_setup
from oriflamme.games.aof.state import Battle, steps


class AgeOfFantasy(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "aof"
    title: ClassVar[Mapping[str, str]] = {"en": "Age of Fantasy", "fr": "Age of Fantasy"}
    minutes = (30, 60)
    learning = 1
    version = 2  # attacks are grouped when they are rolled; Casters are asked again
    measure = "in"
    sides = 2
    steps = steps
    surrender = "concede"
    headlines = frozenset({"RoundBegan", "UnitActivated", "UnitIdled", "RoundEnded", "Conceded", "BattleEnded"})
    asides = frozenset({"ActivationEnded"})

    def setup(
        self,
        seed: int,
        *,
        points: int = 0,
        lists: Sequence[str] = (),
        map: str = "",
        options: Mapping[str, str] | None = None,
        choices: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        self.agreed(choices)
        return choose_setup(seed, points, lists, map, self.defaults() | dict(options or {}))

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        return begin(setup, dice)

    def names(self, battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        weapons: dict[str, Mapping[str, str]] = {}
        spells: dict[str, Mapping[str, str]] = {}
        for unit in battle.units.values():
            weapons |= unit.card.get("weapon_names", {})
            spells |= {spell.id: spell.name for spell in unit.spells}
        return {"weapon": weapons, "spell": spells}

    def invariants(self, battle: Battle) -> list[str]:
        return what_is_wrong(battle)

    def keywords(self) -> frozenset[str]:
        return titles()

    def keywords_seen(self, events: Sequence[Event], battle: Battle) -> set[str]:
        return keywords_seen(events, battle)

    def score(self, battle: Battle) -> Sequence[int]:
        return score(battle)

    def standing(self, battle: Battle, side: int) -> Mapping[str, float]:
        from oriflamme.games.aof.standing import standing

        return standing(battle, side)

    def progress(self, battle: Battle) -> float:
        from oriflamme.games.aof.standing import progress

        return progress(battle)

    def armies(self) -> Armies[Any, Any, Any]:
        from oriflamme.games.aof.armies import ARMIES

        return ARMIES

    def picture(self) -> Picture[Any, Any]:
        from oriflamme.games.aof.picture import AofPicture

        return AofPicture(self.measure)

    def odds(self) -> Odds[Any, Any]:
        from oriflamme.games.aof.odds.telling import AofOdds

        return AofOdds(self)

    def unit_at(self, battle: Battle, id: str) -> dict[str, Any]:
        from oriflamme.games.aof.unit_card import unit_at

        return unit_at(battle, id)

    def aids(self) -> Aids:
        from oriflamme.games.aof.aids import AofAids

        return AofAids()

    def scenes(self) -> Scenes:
        from oriflamme.games.aof.scene import AofScenes

        return AofScenes(self)

    def bots(self) -> Mapping[str, Callable[..., Bot]]:
        from oriflamme.engine.search.levels import levels
        from oriflamme.games.aof.captain import CaptainBot

        return {**super().bots(), **levels(self, CaptainBot)}


game = AgeOfFantasy()
