"""Last Fantasy War: warbands of single figures, one thing each in turn, wounds that wait, courage that breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from oriflamme.engine.cases.scenes import Scenes
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.armies import Armies
from oriflamme.engine.odds import Odds
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.table.maps import load_map, shipped_maps
from oriflamme.engine.words.wording import Wording
from oriflamme.games.lfw import registries as registries
from oriflamme.games.lfw.ending import concede as concede
from oriflamme.games.lfw.invariants import what_is_wrong
from oriflamme.games.lfw.moments import book
from oriflamme.games.lfw.names import names_of_things
from oriflamme.games.lfw.setup import begin, choices, choose_setup, goes_with
from oriflamme.games.lfw.state import Battle, steps

in_both: Final = Wording(Path(__file__).parent / "text", "game")


class LastFantasyWar(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "lfw"
    title: ClassVar[Mapping[str, str]] = in_both("title")
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
        chosen = choose_setup(seed, points, lists, made, self.agreed(choices))
        return chosen | {"map": load_map(map).to_data()} if map else chosen

    def maps(self) -> tuple[str, ...]:
        return shipped_maps("warband")

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        return begin(setup, dice)

    def invariants(self, battle: Battle) -> list[str]:
        return what_is_wrong(battle)

    def score(self, battle: Battle) -> Sequence[int]:
        return battle.score

    def names(self, battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        return names_of_things(battle)

    def picture(self) -> Picture[Any, Any]:
        from oriflamme.games.lfw.picture import LfwPicture

        return LfwPicture(self.measure)

    def odds(self) -> Odds[Any, Any]:
        from oriflamme.games.lfw.odds.telling import LfwOdds

        return LfwOdds(self)

    def armies(self) -> Armies[Any, Any, Any]:
        from oriflamme.games.lfw.armies import ARMIES

        return ARMIES

    def keywords(self) -> frozenset[str]:
        return frozenset(keyword.title for keyword in book.declared.values())

    def scenes(self) -> Scenes:
        from oriflamme.games.lfw.scene import LfwScenes

        return LfwScenes(self)


game = LastFantasyWar()
