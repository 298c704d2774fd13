"""Last Fantasy War: warbands of single figures, one thing each in turn, wounds that wait, courage that breaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

from oriflamme.engine.cases.scenes import Scenes
from oriflamme.engine.core.bots import Bot
from oriflamme.engine.core.campaign import Campaigns
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.armies import Armies
from oriflamme.engine.odds import Odds
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.screen.aids import Aids
from oriflamme.engine.table.maps import Map
from oriflamme.engine.words.wording import Wording
from oriflamme.games.lfw import registries as registries
from oriflamme.games.lfw.battlefields.choice import battlefield, scenario_on, scenarios_on, shipped
from oriflamme.games.lfw.battlefields.generator import generate_battlefield
from oriflamme.games.lfw.ending import concede as concede
from oriflamme.games.lfw.experience import experience_of
from oriflamme.games.lfw.invariants import what_is_wrong
from oriflamme.games.lfw.moments import book
from oriflamme.games.lfw.names import names_of_things
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.setup import BY_LOT, TURNS, begin, choices, choose_setup, goes_with, scenario_for
from oriflamme.games.lfw.state import Battle, steps

in_both: Final = Wording(Path(__file__).parent / "text", "game")


class LastFantasyWar(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "lfw"
    title: ClassVar[Mapping[str, str]] = in_both("title")
    minutes = (45, 90)
    learning = 3
    measure = "in"
    sides = 2
    players_choice = "players"
    unowned = 1
    surrender = "concede"
    surrender_removes = True
    sizes = (300, 600)
    steps = steps
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = choices()
    goes_with: ClassVar[Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]]] = goes_with()
    headlines = frozenset({"TurnBegan", "PhaseBegan", "BattleEnded"})
    asides = frozenset({"Passed", "EffectEnded"})

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
        said = dict(scenario_on(map, seed, choices or {}))
        if (choices or {}).get("scenario") == BY_LOT:
            # One that was drawn by lot may have an end of its own.
            usable = self.goes_with["scenario"].get(said["scenario"], {}).get("turns", TURNS)
            if said.get("turns") not in usable:
                said["turns"] = usable[0]
        agreed = self.agreed(said)
        chosen = choose_setup(seed, points, lists, made, agreed)
        table = battlefield(map, seed, chosen["scenario"], self.players_of(agreed))
        return chosen | {"map": table.to_data()}

    def maps(self) -> tuple[str, ...]:
        return shipped()

    def fits(self, map: Map, choices: Mapping[str, str]) -> bool:
        """The map is what the scenario asks for, or what one of those asks for that may be drawn by lot."""
        usable = scenarios_on(map)
        return choices["scenario"] in usable or (choices["scenario"] == BY_LOT and bool(usable))

    def generate_map(self, seed: int, choices: Mapping[str, str]) -> Map:
        plan = scenario_for(choices["scenario"], self.players_of(choices), Random(seed))
        return generate_battlefield(seed, plan.id, self.players_of(choices))

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        return begin(setup, dice)

    def deal(self, battle: Battle, seen: Battle, side: int, random: Random) -> None:
        from oriflamme.games.lfw.dealing import deal

        deal(battle, seen, side, random)

    def invariants(self, battle: Battle) -> list[str]:
        return what_is_wrong(battle)

    def score(self, battle: Battle) -> Sequence[int]:
        return battle.score

    def standing(self, battle: Battle, side: int) -> Mapping[str, float]:
        from oriflamme.games.lfw.standing import standing

        return standing(battle, side)

    def progress(self, battle: Battle) -> float:
        from oriflamme.games.lfw.standing import progress

        return progress(battle)

    def counted(self, battle: Battle) -> str:
        return scenario_of(battle).counted(battle)

    def names(self, battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        return names_of_things(battle)

    def picture(self) -> Picture[Any, Any]:
        from oriflamme.games.lfw.picture import LfwPicture

        return LfwPicture(self.measure)

    def aids(self) -> Aids:
        from oriflamme.games.lfw.aids import LfwAids

        return LfwAids()

    def odds(self) -> Odds[Any, Any]:
        from oriflamme.games.lfw.odds.telling import LfwOdds

        return LfwOdds(self)

    def unit_at(self, battle: Battle, id: str) -> dict[str, Any]:
        from oriflamme.games.lfw.unit_card import unit_at

        return unit_at(battle, id)

    def armies(self) -> Armies[Any, Any, Any]:
        from oriflamme.games.lfw.armies import ARMIES

        return ARMIES

    def keywords(self) -> frozenset[str]:
        return frozenset(keyword.title for keyword in book.declared.values())

    def bots(self) -> Mapping[str, Callable[..., Bot]]:
        from oriflamme.engine.search.levels import levels
        from oriflamme.games.lfw.captain import CaptainBot

        return {**super().bots(), **levels(self, CaptainBot)}

    def campaigns(self) -> Campaigns:
        from oriflamme.games.lfw.campaign.series import LfwCampaigns

        return LfwCampaigns(self)

    def aftermath(self, battle: Battle) -> dict[str, Any]:
        parts = [part for model in battle.units.values() for part in model.parts]
        earned = {part.model: experience_of(battle, part) for part in parts if part.specialisation}
        return {
            "scenario": battle.scenario,
            "winners": battle.winners,
            "points": tuple(battle.score[: battle.players]),
            "experience": earned,
        }

    def scenes(self) -> Scenes:
        from oriflamme.games.lfw.scene import LfwScenes

        return LfwScenes(self)


game = LastFantasyWar()
