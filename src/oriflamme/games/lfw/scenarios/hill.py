"""SCN5 King of the hill: who holds the hill in the middle for the third turn in a row has won (LFW-SCN5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.lfw.events.scenarios import ControlCounted
from oriflamme.games.lfw.ground import distance_to_point
from oriflamme.games.lfw.scenarios.book import EDGES, Scenario, Strip, Zone, scenario
from oriflamme.games.lfw.scenarios.control import controller
from oriflamme.games.lfw.scenarios.points import is_on, place_of
from oriflamme.games.lfw.state import Asking, Battle, Model

RADIUS: Final = inches(6)  # LFW-SCN5-03
TURNS: Final = 3  # LFW-SCN5-02


@scenario
class KingOfTheHill(Scenario):
    """Players own an edge each; zones are 6" deep, and with 3 or 4 players off both diagonals (LFW-SCN5-04)."""

    id = "scn5"
    unlimited = True
    rule = "LFW-SCN5-01"
    players = (2, 4)
    open_ended = True
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "hill", "kind": "hill", "at": [12, 12], "radius": 5, "slopes": "all"},
        {"id": "west_wood", "kind": "forest", "at": [3, 12], "radius": 1.5},
        {"id": "east_ruin", "kind": "ruin", "at": [21, 12], "size": [2.5, 3]},
    )

    def zone(self, battle: Battle, side: int) -> Zone:
        return Strip(EDGES[side], 6, 0.0 if battle.sides == 2 else 1.5)

    def hill(self, battle: Battle) -> Piece | None:
        """The hill in the middle of the table, None if nobody has laid one (LFW-SCN5-03)."""
        x, y = battle.table.width / 2, battle.table.depth / 2
        hills = [piece for piece in battle.table.pieces if piece.kind == "hill" and piece.outline.contains(x, y)]
        return hills[0] if hills else None

    def places(self, battle: Battle) -> Sequence[tuple[float, float, float]]:
        hill = self.hill(battle)
        return (place_of(hill) if hill else (battle.table.width / 2, battle.table.depth / 2, RADIUS),)

    def held(self, battle: Battle) -> Sequence[tuple[float, float, float, int | None]]:
        owner = controller(battle, lambda model: self.on_hill(battle, model))
        return [(*place, owner) for place in self.places(battle)]

    def on_hill(self, battle: Battle, model: Model) -> bool:
        """Its base is partly on the hill (LFW-OBJ-17), or in the circle of 12" where it would be."""
        hill = self.hill(battle)
        if hill is not None:
            return is_on(battle, hill, model)
        width, depth = battle.table.width, battle.table.depth
        return distance_to_point(battle, model, width / 2, depth / 2) <= RADIUS + TOLERANCE

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        """Control is checked; the count returns to 0 for who does not hold it (LFW-SCN5-05)."""
        owner = controller(battle, lambda model: self.on_hill(battle, model))
        held = (battle.notes.get("holder"), battle.notes.get("held", 0))
        turns = 0 if owner is None else held[1] + 1 if held[0] == owner else 1
        battle.notes["holder"], battle.notes["held"] = owner, turns
        battle.tell(ControlCounted("LFW-SCN5-05", "hill", owner, turns))
        return
        yield

    def is_over(self, battle: Battle) -> bool:
        return battle.notes.get("held", 0) >= TURNS or super().is_over(battle)

    def winners(self, battle: Battle) -> tuple[int, ...]:
        owner = battle.notes.get("holder")
        return () if owner is None else (owner,)
