"""A battle of a few dice for the tests of campaigns: it takes the setup of Song of Blades and Heroes and gives its
aftermath, and is over before anybody has moved."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from oriflamme.bots.random import RandomBot
from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.campaign import Campaigns
from oriflamme.engine.core.decisions import Decision, Option, PickOne
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.rulebook import HouseRule
from oriflamme.engine.core.state import SHARED, Kind, made
from oriflamme.engine.core.steps import Step, Steps
from oriflamme.engine.core.view import View
from oriflamme.engine.table.pieces import Table
from oriflamme.games import sbh
from oriflamme.games.sbh.bands import check_band
from oriflamme.games.sbh.campaign import Campaign
from oriflamme.games.sbh.campaign.series import SongCampaigns

steps = Steps()

OPTIONS = {
    "sbh.campaignScore": ("earned", "unspent"),
    "sbh.bankVictoryPoints": ("winnerOnly", "bothSides"),
    "sbh.experienceCost": ("free", "formula"),
    "sbh.racialBands": ("free", "singleRace"),
    "sbh.pointsSource": ("printed", "formula"),
}


class Brawl(engine.Battle[Any]):
    """Who stands, who does not, and how much longer it lasts."""

    __slots__ = ("fates", "item", "items", "left", "markers", "points", "scenario")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {
        "fates": made("[dict(fates) for fates in self.fates]"),
        "item": SHARED,
        "items": SHARED,
        "points": SHARED,
    }

    def __init__(self, setup: dict[str, Any], dice: Dice) -> None:
        super().__init__(Table(600.0, 600.0), 2, dict(setup["options"]), dice)
        self.scenario: str = setup["scenario"]
        self.fates = [{f["id"]: "stands" for f in army["fighters"]} for army in setup["armies"]]
        self.points = {f["id"]: f["points"] for army in setup["armies"] for f in army["fighters"]}
        self.item: dict[str, Any] | None = None
        self.markers = ()
        # Nobody drops what he brought along.
        self.items = [
            {"side": side, "fighter": f["id"], "item": f["item"]}
            for side, army in enumerate(setup["armies"])
            for f in army["fighters"]
            if f["item"]
        ]
        self.left = 9

    def standing(self, side: int) -> list[str]:
        return [id for id, fate in self.fates[side].items() if fate == "stands"]

    def victory(self, side: int) -> int:
        return sum(self.points[id] for id, fate in self.fates[1 - side].items() if fate == "killed") // 20


@steps.step
def strike(battle: Brawl, side: int) -> Step:
    """A side names an enemy; a die decides what becomes of him."""
    enemies, own = battle.standing(1 - side), battle.standing(side)
    options = [Option(id, "enemy") for id in enemies] + [Option("wait", "wait")]
    target = yield PickOne(side, options, "strike", "SBH-ACT-01")
    if target != "wait":
        face = battle.dice.d6()
        fate = {1: "left", 2: "stands", 3: "routed", 4: "killed", 5: "killed", 6: "trapped"}[face]
        battle.fates[1 - side][target] = fate
        if face == 2 and battle.scenario == "item" and battle.item is None and own:
            item = {"kind": "javelins", "left": battle.dice.d6(), "quality": 0}
            battle.item = {"side": side, "fighter": own[0], "item": item}
    battle.left -= 1
    if battle.left and battle.standing(0) and battle.standing(1):
        battle.then(strike, 1 - side)
        return
    a, b = (len(battle.standing(s)) for s in (0, 1))
    battle.winner = None if a == b else int(b > a)
    battle.over = True


class Planner:
    """Answers by how often it was asked before: one that was woken up in the middle would answer otherwise."""

    name = "captain"
    needs_view = True

    def __init__(self, seed: int = 0) -> None:
        self.asked = seed

    def decide(self, view: View | None, decision: Decision) -> Any:
        assert view is not None
        assert isinstance(decision, PickOne)
        self.asked += 1
        time.sleep(float(os.environ.get("SLOWLY", "0")))
        return decision.keys()[self.asked % len(decision.keys())]


class Skirmish(Game):
    """Song of Blades and Heroes without its battle."""

    id = "sbh"
    title: ClassVar[Mapping[str, str]] = {"en": "Skirmish", "fr": "Escarmouche"}
    steps = steps
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"scenario": ("roll", "ambush"), "scale": ("15mm", "28mm")}
    options: ClassVar[Mapping[str, HouseRule]] = {
        key: HouseRule(key, values[0], values[1:], "SBH-CAMP-01") for key, values in OPTIONS.items()
    }

    def begin(self, setup: dict[str, Any], dice: Dice) -> Brawl:
        battle = Brawl(setup, dice)
        battle.then(strike, 0)
        return battle

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
        return setup(options=options) | {"scenario": self.agreed(choices)["scenario"]}

    def bots(self) -> Mapping[str, Callable[..., Any]]:
        return {"random": RandomBot, "captain": Planner}

    def campaigns(self) -> Campaigns:
        return SongCampaigns(self)

    def aftermath(self, battle: Brawl) -> dict[str, Any]:
        return {
            "winner": battle.winner,
            "scenario": battle.scenario,
            "victory_points": [battle.victory(0), battle.victory(1)],
            "fates": battle.fates,
            "item": battle.item,
            "items": battle.items,
        }

    def score(self, battle: Brawl) -> tuple[int, int]:
        return (battle.victory(0), battle.victory(1))


skirmish = Skirmish()


def instead_of_the_battle() -> None:
    """Let everybody who looks for the game find this one."""
    sbh.game = skirmish  # type: ignore[assignment]


def band(*fighters: str, **more: Any) -> dict[str, Any]:
    """A band as a battle takes it; a fighter may be `id` or `id*3`."""
    entries = [dict(zip(("fighter", "count"), (id, int(n or 1)), strict=True)) for id, _, n in _cut(fighters)]
    return check_band({"game": "sbh", "name": "A band", "fighters": entries, **more}, "band").to_data()


def _cut(fighters: tuple[str, ...]) -> list[tuple[str, str, str]]:
    return [one.partition("*") for one in fighters]


ORCS = ("orc-warrior*4", "orc-archer*2", "goblin-warrior*3")
HUMANS = ("human-warrior*5", "human-archer*2")


def setup(
    a: tuple[str, ...] = HUMANS, b: tuple[str, ...] = ORCS, options: Mapping[str, str] | None = None
) -> dict[str, Any]:
    return {
        "game": "sbh",
        "points": 300,
        "options": skirmish.defaults() | dict(options or {}),
        "scenario": "battle",
        "scale": "15mm",
        "board": "open",
        "turns": 0,
        "map": None,
        "armies": [band(*a), band(*b)],
    }


def play_all(campaign: Campaign) -> None:
    """Bots play it to its end."""
    while not campaign.over:
        campaign.choose_by_bots()
        campaign.fight_by_bots()


if __name__ == "__main__":
    instead_of_the_battle()
    with Campaign.open(Path(sys.argv[1])) as opened:
        play_all(opened)
