"""SCN4 Supply race: treasures on a diagonal are carried off to one's own corner (LFW-SCN4)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Final

from oriflamme.engine.core.questions import yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches
from oriflamme.games.lfw.ground import contact_reach
from oriflamme.games.lfw.objectives import leave, saved_by
from oriflamme.games.lfw.scenarios.aims import Aim
from oriflamme.games.lfw.scenarios.book import EDGES, Scenario, Strip, Zone, scenario, the_best
from oriflamme.games.lfw.scenarios.zones import Approach
from oriflamme.games.lfw.state import Asking, Battle, Model
from oriflamme.games.lfw.tokens import lay, treasures

AWAY: Final = inches(9)  # of the outer treasures from the middle (LFW-SCN4-03)
NEAR: Final = 3  # inches from the arrival point (LFW-SCN4-05, -06)


@scenario
class SupplyRace(Scenario):
    """Treasures lie on the diagonal from the north-west; arrivals are the other two corners (LFW-SCN4-03, -04)."""

    id = "scn4"
    unlimited = True
    rule = "LFW-SCN4-01"

    def layout(self, battle: Battle) -> None:
        x, y, off = battle.table.width / 2, battle.table.depth / 2, AWAY / sqrt(2)
        for number, shift in enumerate((0.0, -off, off), 1):
            lay(battle, f"treasure{number}", x + shift, y - shift)

    def arrival(self, battle: Battle, side: int) -> tuple[float, float]:
        """The corner on the own edge that is not on the line of treasures."""
        return (0.0, 0.0) if side == 0 else (battle.table.width, battle.table.depth)

    def zone(self, battle: Battle, side: int) -> Zone:
        x, y = self.arrival(battle, side)
        return Approach(Strip(EDGES[side], NEAR), in_inches(x), in_inches(y), NEAR)

    def when_full(self, battle: Battle, side: int) -> tuple[Zone, float, float] | None:
        return (Strip(EDGES[side], NEAR), *self.arrival(battle, side))

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """Treasures, one's own corner with them, and at the end one's own corner without."""
        x, y = self.arrival(battle, side)
        far = inches(NEAR) * (1 if side == 0 else -1)
        corner = (min(x, x + far), y, max(x, x + far), y)
        found = [*super().aims(battle, side), Aim("bring", *corner, 0.8)]
        if battle.last_turn and battle.last_turn - battle.round <= 2:
            found.append(Aim("leave", *corner, 0.1))
        return found

    def after_move(self, battle: Battle, model: Model, kind: str) -> Asking[None]:
        """In contact with its own edge and within 3" of its arrival point a unit may escape (LFW-SCN4-06)."""
        if kind not in ("normal", "run") or model.board:
            return
        body = model.body
        edge = body.y if model.side == 0 else battle.table.depth - body.y
        x, y = self.arrival(battle, model.side)
        near = hypot(body.x - x, body.y - y) - body.radius <= inches(NEAR) + TOLERANCE
        if not near or edge - body.radius > contact_reach(battle) + TOLERANCE:
            return
        about = {"unit": model.id}
        wants = bool(model.treasure)
        if (yield from yes_or_no(model.side, "leave_table", "LFW-SCN4-06", about, word="leave_table", default=wants)):
            yield from leave(battle, model, "LFW-SCN4-06")

    def is_over(self, battle: Battle) -> bool:
        return not treasures(battle) or not any(battle.there()) or super().is_over(battle)

    def winners(self, battle: Battle) -> tuple[int, ...]:
        """Most treasures saved, then the larger proportion of the army; a duo is two units (LFW-SCN4-07)."""
        return the_best({side: (saved_by(battle)[side], self.share_saved(battle, side)) for side in battle.playing})

    def share_saved(self, battle: Battle, side: int) -> float:
        parts = [(model, part) for model in battle.units_of(side) for part in model.parts]
        saved = sum(model.place == "saved" and not part.destroyed for model, part in parts)
        return saved / len(parts) if parts else 0.0
