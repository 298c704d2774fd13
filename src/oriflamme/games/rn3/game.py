"""Rag'Narok 3: units round their leaders, orders and reactions, one pool of dice for attack and defence of a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

from oriflamme.engine.cases.scenes import Scenes
from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.armies import Armies
from oriflamme.engine.odds import Odds
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.screen.aids import Aids
from oriflamme.engine.table.maps import Map, generate_company_map, shipped_maps
from oriflamme.engine.words.wording import Wording
from oriflamme.games.rn3 import assault, disengaging, engagement, marching, orders, shooting
from oriflamme.games.rn3.evidence import keywords_seen
from oriflamme.games.rn3.invariants import what_is_wrong
from oriflamme.games.rn3.names import names_of_things
from oriflamme.games.rn3.scenarios import SCENARIOS
from oriflamme.games.rn3.setup import CHOICES, begin, choose_setup, suits
from oriflamme.games.rn3.skills import book
from oriflamme.games.rn3.state import Battle, steps

orders.complete(marching, assault, engagement, disengaging, shooting)
in_both: Final = Wording(Path(__file__).parent / "text", "game")


class RagNarok(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "rn3"
    title: ClassVar[Mapping[str, str]] = in_both("title")
    minutes = (60, 120)
    learning = 4
    measure = "cm"
    sides = 2
    sizes = (1500, 3000)
    generated_maps = "generated_company_"
    steps = steps
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = CHOICES
    surrender = "concede"
    headlines = frozenset({"TurnBegan", "Activated", "BattleEnded"})
    asides = frozenset({"ActivationEnded", "PhaseBegan", "TacticEnded"})

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
        made = self.defaults() | dict(options or {})
        scenario = self.agreed(choices)["scenario"] if "scenario" in (choices or {}) else ""
        return choose_setup(seed, points, lists, map, made, scenario)

    def invariants(self, battle: Battle) -> list[str]:
        return what_is_wrong(battle)

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        return begin(setup, dice)

    def deal(self, battle: Battle, seen: Battle, side: int, random: Random) -> None:
        from oriflamme.games.rn3.dealing import deal

        deal(battle, seen, side, random)

    def score(self, battle: Battle) -> Sequence[int]:
        return battle.score

    def standing(self, battle: Battle, side: int) -> Mapping[str, float]:
        from oriflamme.games.rn3.standing import standing

        return standing(battle, side)

    def progress(self, battle: Battle) -> float:
        from oriflamme.games.rn3.standing import progress

        return progress(battle)

    def names(self, battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        return names_of_things(battle)

    def maps(self) -> tuple[str, ...]:
        return tuple(shipped_maps("company"))

    def generate_map(self, seed: int, choices: Mapping[str, str]) -> Map:
        return generate_company_map(seed, SCENARIOS[choices["scenario"]].size)

    def fits(self, map: Map, choices: Mapping[str, str]) -> bool:
        return suits(map.table, choices["scenario"])

    def picture(self) -> Picture[Any, Any]:
        from oriflamme.games.rn3.picture import Rn3Picture

        return Rn3Picture(self.measure)

    def odds(self) -> Odds[Any, Any]:
        from oriflamme.games.rn3.odds.telling import Rn3Odds

        return Rn3Odds(self)

    def aids(self) -> Aids:
        from oriflamme.games.rn3.aids import Rn3Aids

        return Rn3Aids()

    def keywords_seen(self, events: Sequence[Event], battle: Battle) -> set[str]:
        return keywords_seen(events, battle)

    def unit_at(self, battle: Battle, id: str) -> dict[str, Any]:
        from oriflamme.games.rn3.unit_card import unit_at

        return unit_at(battle, id)

    def armies(self) -> Armies[Any, Any, Any]:
        from oriflamme.games.rn3.army.armies import ARMIES

        return ARMIES

    def keywords(self) -> frozenset[str]:
        return frozenset(keyword.title for keyword in book.declared.values())

    def bots(self) -> Mapping[str, Callable[..., Bot]]:
        from oriflamme.engine.search.levels import levels
        from oriflamme.games.rn3.captain import CaptainBot

        return {**super().bots(), **levels(self, CaptainBot)}

    def scenes(self) -> Scenes:
        from oriflamme.games.rn3.scene import Rn3Scenes

        return Rn3Scenes(self)


game = RagNarok()
