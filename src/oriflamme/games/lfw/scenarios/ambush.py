"""SCN3 Urban ambush: the attacker carries treasures to the edges of the table (LFW-SCN3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.core.questions import yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches
from oriflamme.games.lfw.deployment import army_to_deploy
from oriflamme.games.lfw.ground import contact_reach, distance_to_edge
from oriflamme.games.lfw.objectives import save_treasure, saved_by
from oriflamme.games.lfw.scenarios.aims import Aim, aim_along
from oriflamme.games.lfw.scenarios.book import EDGES, Scenario, Zone, scenario, side_of
from oriflamme.games.lfw.scenarios.zones import Ring, Round
from oriflamme.games.lfw.state import Asking, Battle, Model
from oriflamme.games.lfw.tokens import lay, treasures

OFF: Final = inches(1.2)  # of each treasure from both axes (LFW-SCN3-03)
NEEDED: Final = 2  # LFW-SCN3-07


@scenario
class UrbanAmbush(Scenario):
    """The defender is in a circle of 6" round the middle, the attacker within 3" of the edges (LFW-SCN3-04)."""

    id = "scn3"
    unlimited = True
    rule = "LFW-SCN3-01"
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "south_ruin", "kind": "ruin", "at": [12, 5.5], "size": [4, 2]},
        {"id": "north_ruin", "kind": "ruin", "at": [12, 18.5], "size": [4, 2]},
        {"id": "west_ruin", "kind": "ruin", "at": [5.5, 12], "size": [2, 4]},
        {"id": "east_ruin", "kind": "ruin", "at": [18.5, 12], "size": [2, 4]},
        {"id": "south_barricade", "kind": "barricade", "at": [12, 8.5], "size": [2, 0.5]},
        {"id": "north_barricade", "kind": "barricade", "at": [12, 15.5], "size": [2, 0.5]},
    )

    def roles(self, players: int) -> tuple[str, ...]:
        return ("attacker", "defender")

    def layout(self, battle: Battle) -> None:
        x, y = battle.table.width / 2, battle.table.depth / 2
        spots = [(dx, dy) for dx in (-OFF, OFF) for dy in (-OFF, OFF)]
        for number, (dx, dy) in enumerate(spots, 1):
            lay(battle, f"treasure{number}", x + dx, y + dy)

    def zone(self, battle: Battle, side: int) -> Zone:
        if battle.roles[side] == "attacker":
            return Ring(3)
        return Round(in_inches(battle.table.width) / 2, in_inches(battle.table.depth) / 2, 6)

    def batches(self, battle: Battle) -> list[tuple[int, int]]:
        """Half of the defender's units, rounded up, all of the attacker's, the rest (LFW-SCN3-05)."""
        attacker, defender = side_of(battle, "attacker"), side_of(battle, "defender")
        all = len(battle.units)
        half = (len(army_to_deploy(battle, defender)) + 1) // 2
        return [(defender, half), (attacker, all), (defender, all)]

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """Both want the treasures, and the attacker brings them to an edge."""
        found = super().aims(battle, side)
        if battle.roles[side] != "attacker":
            return found
        table = battle.table
        return [*found, *(aim_along("bring", edge, table.width, table.depth, 0.6) for edge in EDGES)]

    def after_move(self, battle: Battle, model: Model, kind: str) -> Asking[None]:
        """At an edge after a normal move or a run the attacker may deliver its treasure (LFW-SCN3-06)."""
        if not model.treasure or kind not in ("normal", "run") or battle.roles[model.side] != "attacker":
            return
        if distance_to_edge(battle, model) > contact_reach(battle) + TOLERANCE:
            return
        about = {"unit": model.id, "treasure": model.treasure}
        if (yield from yes_or_no(model.side, "deliver", "LFW-SCN3-06", about, word="deliver")):
            save_treasure(battle, model.side, model.treasure, "LFW-SCN3-06")

    def is_over(self, battle: Battle) -> bool:
        """All treasures are off the table, or three quarters of the attacker flee or are destroyed (LFW-SCN3-02)."""
        parts = [
            part.destroyed or model.fleeing
            for model in battle.units_of(side_of(battle, "attacker"))
            for part in model.parts
        ]
        broken = bool(parts) and 4 * sum(parts) >= 3 * len(parts)
        return not treasures(battle) or broken or super().is_over(battle)

    def winners(self, battle: Battle) -> tuple[int, ...]:
        saved = saved_by(battle)[side_of(battle, "attacker")]
        if saved == NEEDED:
            return ()
        return (side_of(battle, "attacker" if saved > NEEDED else "defender"),)
