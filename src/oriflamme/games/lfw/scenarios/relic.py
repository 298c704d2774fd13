"""SCN6 Relic defence: two attackers, enemies of each other, want the treasure of a defender (LFW-SCN6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.geometry.measure import in_inches
from oriflamme.games.lfw.scenarios.aims import Aim, aim_round
from oriflamme.games.lfw.scenarios.book import Scenario, Zone, scenario, side_of
from oriflamme.games.lfw.scenarios.zones import Ring, Square
from oriflamme.games.lfw.state import Asking, Battle, Model
from oriflamme.games.lfw.tokens import lay, lying
from oriflamme.games.lfw.values import Amount

RELIC: Final = "treasure1"
ROLLED_AFTER: Final = 4  # LFW-SCN6-02
APART: Final = 3.0  # inches, of attackers from enemies (LFW-SCN6-04)


def _holder(battle: Battle) -> Model | None:
    """Who holds the one treasure there is (LFW-OBJ-12)."""
    return next((model for model in battle.units.values() if model.treasure), None)


@scenario
class RelicDefence(Scenario):
    """The northern half is the defender's; each attacker has one of the southern quarters (LFW-SCN6-04)."""

    id = "scn6"
    rule = "LFW-SCN6-01"
    players = (3, 3)
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "west_barricade", "kind": "barricade", "at": [7, 14], "size": [4, 0.5]},
        {"id": "east_barricade", "kind": "barricade", "at": [17, 14], "size": [4, 0.5]},
        {"id": "wall", "kind": "wall", "at": [12, 15.5], "size": [3, 0.5]},
        {"id": "wood", "kind": "forest", "at": [12, 6], "radius": 2},
    )

    def roles(self, players: int) -> tuple[str, ...]:
        return ("attacker_a", "attacker_b", "defender")

    def layout(self, battle: Battle) -> None:
        lay(battle, RELIC, battle.table.width / 2, battle.table.depth / 2)

    def zone(self, battle: Battle, side: int) -> Zone:
        width, depth = in_inches(battle.table.width), in_inches(battle.table.depth)
        match battle.roles[side]:
            case "attacker_a":
                return Ring(3, Square(0, 0, width / 2, depth / 2))
            case "attacker_b":
                return Ring(3, Square(width / 2, 0, width, depth / 2))
        return Square(0, depth / 2, width, depth)

    def apart(self, battle: Battle, side: int) -> float:
        return 0.0 if battle.roles[side] == "defender" else APART

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """The relic, and whoever of one's own holds it is not left alone."""
        holder = _holder(battle)
        if holder is not None and battle.are_friends(side, holder.side):
            return [aim_round("hold", holder.body.x, holder.body.y, battle.table.width / 6, 0.3, 4)]
        return [aim_round("take", token.x, token.y, 0.0, 1.0, 3) for token in lying(battle)]

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        """At the end of turn 4 a D3 says how many turns there are still (LFW-SCN6-02)."""
        if battle.round == ROLLED_AFTER:
            yield from self.roll_length(battle, Amount(ROLLED_AFTER, 1, 3), "LFW-SCN6-02")

    def winners(self, battle: Battle) -> tuple[int, ...]:
        """Who holds the treasure, else the defender (LFW-SCN6-05), unless he has conceded (LFW-END-04)."""
        holder = _holder(battle)
        winner = holder.side if holder is not None else side_of(battle, "defender")
        return (winner,) if winner in battle.playing else ()
