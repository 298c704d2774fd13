"""A bot that knows what it wants, and the odds it goes by."""

from __future__ import annotations

from math import hypot
from typing import Any

from oriflamme.engine.core.bots import RandomBot
from oriflamme.engine.core.decisions import Decision, Move, Moves, PickOne
from oriflamme.engine.core.dice import outcomes
from oriflamme.engine.core.view import View

from .rounds import fight
from .wardens import WIDTH, Card


def advantage(one: Card, other: Card) -> float:
    """How much likelier it is that the other falls: the rule itself, played over every outcome of the dice."""
    odds = outcomes(lambda dice: fight(dice, one, other)[1])
    return float(sum(chance * ((a > b) - (a < b)) for (a, b), chance in odds.items()))


def to_the_beacon(moves: Moves) -> float:
    return min((hypot(way[-1][0] - WIDTH / 2, way[-1][1] - WIDTH / 2) for way in moves.values()), default=WIDTH)


class CaptainBot(RandomBot):
    """Goes where the beacon is, and strikes whoever is likelier to fall than he is himself."""

    name = "captain"
    needs_view = True

    def decide(self, view: View | None, decision: Decision) -> Any:
        if isinstance(decision, Move):
            return min((decision.sample(self.random) for _ in range(12)), key=to_the_beacon)
        if view is None or not isinstance(decision, PickOne) or decision.ask != "strike":
            return super().decide(view, decision)
        cards = {id: warden.card for id, warden in view.battle.units.items()}
        own = cards[decision.about["unit"]]
        best = max((key for key in decision.keys() if key != "none"), key=lambda key: advantage(own, cards[key]))
        return best if advantage(own, cards[best]) > 0 else "none"
