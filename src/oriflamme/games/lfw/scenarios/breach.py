"""SCN2 Take the breach: who holds the enemy's breach while his own is not the enemy's has won (LFW-SCN2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.events.scenarios import ControlCounted
from oriflamme.games.lfw.ground import distance_to_point
from oriflamme.games.lfw.scenarios.aims import Aim, aim_round
from oriflamme.games.lfw.scenarios.book import Scenario, scenario
from oriflamme.games.lfw.scenarios.control import controller
from oriflamme.games.lfw.state import Asking, Battle, Model

RADIUS: Final = inches(1)  # LFW-SCN2-03
BREACHES: Final = ("south_breach", "north_breach")


@scenario
class TakeTheBreach(Scenario):
    """Each player owns an edge with a breach in its middle; zones are 3" deep (LFW-SCN2-03, -04)."""

    id = "scn2"
    unlimited = True
    rule = "LFW-SCN2-01"
    open_ended = True

    def places(self, battle: Battle) -> Sequence[tuple[float, float, float]]:
        middle = battle.table.width / 2
        return ((middle, 0.0, RADIUS), (middle, battle.table.depth, RADIUS))

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """The enemy's breach is taken by most, one's own kept by two."""
        places = self.places(battle)
        return [aim_round("hold", *places[1 - side]), aim_round("hold", *places[side], 0.4, 2)]

    def held(self, battle: Battle) -> Sequence[tuple[float, float, float, int | None]]:
        owners = [controller(battle, partial(self.in_breach, battle, side)) for side in (0, 1)]
        return [(*place, owner) for place, owner in zip(self.places(battle), owners, strict=True)]

    def in_breach(self, battle: Battle, side: int, model: Model) -> bool:
        """Its base is partly in the breach of a side."""
        x, y, radius = self.places(battle)[side]
        return distance_to_point(battle, model, x, y) <= radius + TOLERANCE

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        """Who holds the enemy's breach while the enemy does not hold his has forced the passage (LFW-SCN2-05)."""
        owners = []
        for side, name in enumerate(BREACHES):
            owner = controller(battle, partial(self.in_breach, battle, side))
            owners.append(owner)
            battle.tell(ControlCounted("LFW-SCN2-05", name, owner))
        battle.notes["forced_by"] = tuple(
            side for side in (0, 1) if owners[1 - side] == side and owners[side] != 1 - side
        )
        return
        yield

    def is_over(self, battle: Battle) -> bool:
        return bool(battle.notes.get("forced_by")) or super().is_over(battle)

    def winners(self, battle: Battle) -> tuple[int, ...]:
        return tuple(battle.notes.get("forced_by", ()))
