"""Conquest: The Last Argument of Kings: regiments of stands, secret command stacks, reinforcements that march on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from oriflamme.engine.aids import Aids
from oriflamme.engine.dice import Dice
from oriflamme.engine.events import Event
from oriflamme.engine.game import Game, house_rules_of
from oriflamme.engine.maps import Map, shipped_maps
from oriflamme.engine.wording import Wording
from oriflamme.games.tlaok import activation as activation
from oriflamme.games.tlaok import auras as auras
from oriflamme.games.tlaok import bloodlust as bloodlust
from oriflamme.games.tlaok import characters as characters
from oriflamme.games.tlaok import charge as charge
from oriflamme.games.tlaok import clash as clash
from oriflamme.games.tlaok import combat_moves as combat_moves
from oriflamme.games.tlaok import decay as decay
from oriflamme.games.tlaok import duel as duel
from oriflamme.games.tlaok import entry as entry
from oriflamme.games.tlaok import garrison as garrison
from oriflamme.games.tlaok import magic as magic
from oriflamme.games.tlaok import march as march
from oriflamme.games.tlaok import morale as morale
from oriflamme.games.tlaok import press as press
from oriflamme.games.tlaok import reform as reform
from oriflamme.games.tlaok import reinforcements as reinforcements
from oriflamme.games.tlaok import rounds as rounds
from oriflamme.games.tlaok import stacks as stacks
from oriflamme.games.tlaok import supremacy as supremacy
from oriflamme.games.tlaok import volley as volley
from oriflamme.games.tlaok import withdraw as withdraw
from oriflamme.games.tlaok.desk import TlaokDesk
from oriflamme.games.tlaok.evidence import keywords_seen
from oriflamme.games.tlaok.field import field_problems
from oriflamme.games.tlaok.invariants import what_is_wrong
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.names import names_of_things
from oriflamme.games.tlaok.setup import CHOICES, begin, choose_setup
from oriflamme.games.tlaok.state import Battle, steps

in_both: Final = Wording(Path(__file__).parent / "text", "game")


class Conquest(Game):
    """The rulebook, as the rest of the program sees it."""

    id = "tlaok"
    title: ClassVar[Mapping[str, str]] = in_both("title")
    measure = "in"
    sides = 2
    sizes = (1000, 2000)
    steps = steps
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = CHOICES
    surrender = "concede"
    headlines = frozenset({"RoundBegan", "Activated", "BattleEnded"})
    asides = frozenset({"ActivationEnded", "PhaseBegan"})

    def __init__(self) -> None:
        self.options = house_rules_of(self.id)

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

    def fits(self, map: Map, choices: Mapping[str, str]) -> bool:
        return not field_problems(map.table, choices["scenario"])

    def invariants(self, battle: Battle) -> list[str]:
        return what_is_wrong(battle)

    def begin(self, setup: dict[str, Any], dice: Dice) -> Battle:
        return begin(setup, dice)

    def result(self, battle: Battle) -> dict[str, Any]:
        return {"winner": battle.winner, "rounds": battle.round, "score": list(battle.score)}

    def names(self, battle: Battle) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        return names_of_things(battle)

    def desk(self) -> TlaokDesk:
        return TlaokDesk(self.id)

    def aids(self) -> Aids:
        from oriflamme.games.tlaok.aids import TlaokAids

        return TlaokAids()

    def keywords(self) -> frozenset[str]:
        return frozenset(keyword.title for keyword in book.declared.values())

    def keywords_seen(self, events: Sequence[Event], battle: Battle) -> set[str]:
        return keywords_seen(events, battle)

    def scenes(self) -> Any:
        from oriflamme.games.tlaok.scene import TlaokScenes

        return TlaokScenes()

    def bots(self) -> Mapping[str, Callable[..., Any]]:
        from oriflamme.bots.random import RandomBot
        from oriflamme.games.tlaok.captain import CaptainBot

        return {"random": RandomBot, "captain": CaptainBot}


game = Conquest()
