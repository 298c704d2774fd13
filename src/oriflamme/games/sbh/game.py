"""Song of Blades and Heroes: single fighters, three sticks, and the gamble of one to three dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from oriflamme.engine.cases.scenes import Scenes
from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.campaign import Campaigns
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.armies import Armies
from oriflamme.engine.odds import Odds
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.screen.aids import Aids
from oriflamme.engine.table.maps import Map, shipped_maps
from oriflamme.games.sbh.evidence import keywords_seen, titles
from oriflamme.games.sbh.invariants import what_is_wrong
from oriflamme.games.sbh.names import names_of_things
from oriflamme.games.sbh.scenarios import victory_points
from oriflamme.games.sbh.setup import CHOICES, begin, choose_setup, why_not_board
from oriflamme.games.sbh.state import Battle, steps


class SongOfBladesAndHeroes(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "sbh"
    title: ClassVar[Mapping[str, str]] = {"en": "Song of Blades and Heroes", "fr": "Song of Blades and Heroes"}
    minutes = (40, 75)
    learning = 2
    version = 2  # ids of the second band end in _b
    measure = "mm"
    sides = 2
    sizes = (300, 750)
    steps = steps
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = CHOICES
    headlines = frozenset({"TurnBegan", "Activated", "GroupActivated", "BattleEnded"})
    asides = frozenset({"TurnEnded"})

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
        return choose_setup(seed, points, lists, map, self.defaults() | dict(options or {}), self.agreed(choices))

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        return begin(setup, dice)

    def deal(self, battle: Battle, seen: Battle, side: int, random: Random) -> None:
        from oriflamme.games.sbh.dealing import deal

        deal(battle, seen, side, random)

    def maps(self) -> tuple[str, ...]:
        return tuple(shipped_maps("skirmish"))

    def fits(self, map: Map, choices: Mapping[str, str]) -> bool:
        return why_not_board(map.table, map.grid(), choices["scale"]) is None

    def names(self, battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        return names_of_things(battle)

    def invariants(self, battle: Battle) -> list[str]:
        return what_is_wrong(battle)

    def keywords(self) -> frozenset[str]:
        return titles()

    def keywords_seen(self, events: Sequence[Event], battle: Battle) -> set[str]:
        return keywords_seen(events, battle)

    def score(self, battle: Battle) -> Sequence[int]:
        return battle.victory if battle.over else (victory_points(battle, 0), victory_points(battle, 1))

    def standing(self, battle: Battle, side: int) -> Mapping[str, float]:
        from oriflamme.games.sbh.standing import standing

        return standing(battle, side)

    def progress(self, battle: Battle) -> float:
        from oriflamme.games.sbh.standing import progress

        return progress(battle)

    def campaigns(self) -> Campaigns:
        from oriflamme.games.sbh.campaign.series import SongCampaigns

        return SongCampaigns(self)

    def aftermath(self, battle: Battle) -> dict[str, Any]:
        fates: list[dict[str, str]] = [{}, {}]
        item = None
        for fighter in battle.units.values():
            fates[fighter.side][str(fighter.card["id"])] = fighter.fate or "stands"
            held = fighter.item
            if held is not None and held.prize and not held.drained and fighter.fate in ("", "left"):
                item = {"side": fighter.side, "fighter": fighter.card["id"], "item": held.data()}
        return {
            "winner": battle.winner,
            "scenario": battle.scenario,
            "victory_points": list(battle.victory),
            "fates": fates,
            "item": item,
        }

    def armies(self) -> Armies[Any, Any, Any]:
        from oriflamme.games.sbh.armies import ARMIES

        return ARMIES

    def picture(self) -> Picture[Any, Any]:
        from oriflamme.games.sbh.picture import SbhPicture

        return SbhPicture(self.measure)

    def odds(self) -> Odds[Any, Any]:
        from oriflamme.games.sbh.odds.telling import SbhOdds

        return SbhOdds(self)

    def unit_at(self, battle: Battle, id: str) -> dict[str, Any]:
        from oriflamme.games.sbh.unit_card import unit_at

        return unit_at(battle, id)

    def aids(self) -> Aids:
        from oriflamme.games.sbh.aids import SbhAids

        return SbhAids()

    def scenes(self) -> Scenes:
        from oriflamme.games.sbh.scene import SbhScenes

        return SbhScenes(self)

    def bots(self) -> Mapping[str, Callable[..., Bot]]:
        from oriflamme.engine.search.levels import levels
        from oriflamme.engine.search.strategist import Reach
        from oriflamme.games.sbh.captain import CaptainBot

        return {**super().bots(), **levels(self, CaptainBot, Reach(rounds=2))}


game = SongOfBladesAndHeroes()
