"""Conquest: The Last Argument of Kings: regiments of stands, secret command stacks, reinforcements that march on."""

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
from oriflamme.engine.table.maps import Map, shipped_maps
from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.characters import characters, duel, magic
from oriflamme.games.tlaok.charge import bloodlust, charge
from oriflamme.games.tlaok.combat import clash, combat_reform, press, volley, withdraw
from oriflamme.games.tlaok.evidence import keywords_seen
from oriflamme.games.tlaok.invariants import what_is_wrong
from oriflamme.games.tlaok.keywords import book
from oriflamme.games.tlaok.losses import aftermath, auras, morale, wounds
from oriflamme.games.tlaok.movement import entry, garrison, march, reform
from oriflamme.games.tlaok.names import names_of_things
from oriflamme.games.tlaok.regiment import ranks
from oriflamme.games.tlaok.rounds import actions
from oriflamme.games.tlaok.setup import CHOICES, begin, choose_setup
from oriflamme.games.tlaok.state import Battle, steps
from oriflamme.games.tlaok.terrain.field import field_problems, generate_field

in_both: Final = Wording(Path(__file__).parent / "text", "game")

actions.complete(
    *(bloodlust, characters, charge, clash, combat_reform, duel, garrison),
    *(magic, march, morale, reform, volley, withdraw),
)
aftermath.complete(characters, garrison, press, ranks)
march.complete(entry, garrison)
wounds.complete(auras)


class Conquest(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "tlaok"
    title: ClassVar[Mapping[str, str]] = in_both("title")
    minutes = (60, 120)
    learning = 5
    version = 3  # cards that are all alike are not put in order
    measure = "in"
    sides = 2
    sizes = (1000, 2000)
    steps = steps
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = CHOICES
    surrender = "concede"
    headlines = frozenset({"RoundBegan", "Activated", "BattleEnded"})
    asides = frozenset({"ActivationEnded", "PhaseBegan"})

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

    def maps(self) -> tuple[str, ...]:
        return tuple(shipped_maps("regiments"))

    def generate_map(self, seed: int, choices: Mapping[str, str]) -> Map:
        return generate_field(seed, choices["scenario"])

    def fits(self, map: Map, choices: Mapping[str, str]) -> bool:
        return not field_problems(map.table, choices["scenario"])

    def invariants(self, battle: Battle) -> list[str]:
        return what_is_wrong(battle)

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        return begin(setup, dice)

    def deal(self, battle: Battle, seen: Battle, side: int, random: Random) -> None:
        from oriflamme.games.tlaok.dealing import deal

        deal(battle, seen, side, random)

    def score(self, battle: Battle) -> Sequence[int]:
        return battle.score

    def standing(self, battle: Battle, side: int) -> Mapping[str, float]:
        from oriflamme.games.tlaok.standing import standing

        return standing(battle, side)

    def progress(self, battle: Battle) -> float:
        from oriflamme.games.tlaok.standing import progress

        return progress(battle)

    def names(self, battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        return names_of_things(battle)

    def armies(self) -> Armies[Any, Any, Any]:
        from oriflamme.games.tlaok.army.armies import ARMIES

        return ARMIES

    def picture(self) -> Picture[Any, Any]:
        from oriflamme.games.tlaok.picture import TlaokPicture

        return TlaokPicture(self.measure)

    def odds(self) -> Odds[Any, Any]:
        from oriflamme.games.tlaok.odds.telling import TlaokOdds

        return TlaokOdds(self)

    def unit_at(self, battle: Battle, id: str) -> dict[str, Any]:
        from oriflamme.games.tlaok.unit_card import unit_at

        return unit_at(battle, id)

    def aids(self) -> Aids:
        from oriflamme.games.tlaok.aids import TlaokAids

        return TlaokAids()

    def keywords(self) -> frozenset[str]:
        return frozenset(keyword.title for keyword in book.declared.values())

    def keywords_seen(self, events: Sequence[Event], battle: Battle) -> set[str]:
        return keywords_seen(events, battle)

    def scenes(self) -> Scenes:
        from oriflamme.games.tlaok.scene import TlaokScenes

        return TlaokScenes(self)

    def bots(self) -> Mapping[str, Callable[..., Bot]]:
        from oriflamme.engine.search.levels import levels
        from oriflamme.games.tlaok.captain import CaptainBot

        return {**super().bots(), **levels(self, CaptainBot)}


game = Conquest()
