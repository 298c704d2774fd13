"""SCN8 Chaotic crossing: secondary objectives, and an improvised one that all score (LFW-SCN8)."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.games.lfw.scenarios.aims import Aim
from oriflamme.games.lfw.scenarios.book import EDGES, Scenario, Strip, Zone, scenario
from oriflamme.games.lfw.secondary import (
    IMPROVISED,
    OBJECTIVES,
    chosen_by,
    draw_improvised,
    goes_for,
    score_kill,
    score_secondaries,
    worth,
)
from oriflamme.games.lfw.state import Asking, Battle, Kill
from oriflamme.games.lfw.values import Amount


@scenario
class ChaoticCrossing(Scenario):
    """Players own an edge each; zones are 3" deep, and with 3 or 4 players off both diagonals (LFW-SCN8-04)."""

    id = "scn8"
    rule = "LFW-SCN8-01"
    players = (2, 4)
    length = Amount(7, 1, 3)
    length_rule = "LFW-SCN8-02"
    secondary = True

    def zone(self, battle: Battle, side: int) -> Zone:
        return Strip(EDGES[side], 3, 0.0 if battle.sides == 2 else 1.5)

    def after_reveal(self, battle: Battle) -> Asking[None]:
        yield from draw_improvised(battle)

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """What the objectives that it scores are about."""
        return [
            aim for each in OBJECTIVES.values() if goes_for(battle, side, each.id) for aim in each.aims(battle, side)
        ]

    def after_destroyed(self, battle: Battle, kill: Kill) -> None:
        score_kill(battle)

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        score_secondaries(battle)
        return
        yield

    def winners(self, battle: Battle) -> tuple[int, ...]:
        """Most points of the chosen objective, then of the improvised one; then it is shared (LFW-SCN8-06)."""
        besides = battle.notes.get(IMPROVISED, "")
        ranks = {
            side: (worth(battle, side, chosen_by(battle, side)), worth(battle, side, besides))
            for side in battle.playing
        }
        return tuple(side for side, rank in ranks.items() if rank == max(ranks.values()))
