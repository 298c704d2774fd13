"""What a scenario is (LFW-SCN0-01, LFW-SETUP-04), and all that there are. A game asks only here.

A scenario is declared by a class with `@scenario`. It is asked at these moments, in this order: `layout` of the table,
`roles`, `zones` where each side deploys, `deployment` order, `prepare` when all stand, `start_of_turn`, `end_of_turn`,
`is_over` and `winners`. What it keeps track of is in `battle.notes`, `battle.score` and `battle.tokens`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.measures import TABLE
from oriflamme.games.lfw.state import Asking, Battle, Model
from oriflamme.games.lfw.tokens import lying


class Strip(NamedTuple):
    """Part of the table along an edge: how deep in inches, and how far from both diagonals (LFW-SCN5-04)."""

    edge: str
    depth: float
    off_diagonals: float = 0.0

    def why_not(self, battle: Battle, x: float, y: float, radius: float) -> bool:
        """A base there is not wholly in it (LFW-SETUP-08)."""
        width, depth = battle.table.width, battle.table.depth
        far = {"south": y, "north": depth - y, "west": x, "east": width - x}[self.edge]
        if far + radius > inches(self.depth) + TOLERANCE:
            return True
        if self.off_diagonals:
            for away in (abs(x - y), abs(x + y - width)):
                if away / 2**0.5 - radius <= inches(self.off_diagonals) - TOLERANCE:
                    return True
            along = x if self.edge in ("south", "north") else y
            if not far <= along <= width - far:
                return True
        return False

    def bounds(self, battle: Battle) -> tuple[float, float, float, float]:
        """A rectangle that holds it."""
        width, depth, far = battle.table.width, battle.table.depth, inches(self.depth)
        return {
            "south": (0.0, 0.0, width, far),
            "north": (0.0, depth - far, width, depth),
            "west": (0.0, 0.0, far, depth),
            "east": (width - far, 0.0, width, depth),
        }[self.edge]


EDGES: Final = ("south", "north", "west", "east")


class Scenario:
    """A scenario of the book. `id` is its id in the catalogue, in lower case: scn5."""

    id = ""
    rule = ""
    legendary = False
    players: tuple[int, int] = (2, 2)
    # Sizes of the table in inches (LFW-TERR-01, LFW-ENV-09), and the points armies are written for.
    size: tuple[float, float] = TABLE
    points = 300
    # "alternating", or one player after the other "entirely" (LFW-SETUP-05, -06).
    deploys = "alternating"
    # It ends only by what happens (LFW-END-03).
    open_ended = False
    # Armies may have legend units (LFW-ARMY-07), and units dearer than half of the format (LFW-ARMY-08).
    legends = False
    dear_units = False
    # The role whose army is a single unit without a captain, to which both are open (LFW-LEG4-02).
    lone_role = ""
    # Secondary objectives are used (LFW-SEC-01).
    secondary = False

    def roles(self, players: int) -> tuple[str, ...]:
        """The role of each side, with one more for an army that no player owns, which comes last."""
        return ("attacker",) * players

    def teams(self, players: int) -> tuple[int, ...]:
        """The alliance of each side by a number, where some are friends (LFW-UNIT-09)."""
        return ()

    def layout(self, battle: Battle) -> None:
        """The table is there: objectives, treasures and zones are laid out."""

    def zone(self, battle: Battle, side: int) -> Strip:
        """Where a side deploys."""
        return Strip(EDGES[side], 3)

    def may_deploy(self, battle: Battle, model: Model, x: float, y: float) -> bool:
        """Whether a model may be deployed with its middle there, other models aside (LFW-SETUP-08)."""
        return not self.zone(battle, model.side).why_not(battle, x, y, model.body.radius)

    def deployment_order(self, battle: Battle, order: tuple[int, ...]) -> tuple[int, ...]:
        """The sides in the order in which they deploy; `order` was rolled (LFW-SETUP-07)."""
        return order

    def prepare(self, battle: Battle) -> Asking[None]:
        """All stand: the length of the game and the like are rolled (LFW-SETUP-02, 12)."""
        return
        yield

    def start_of_turn(self, battle: Battle) -> Asking[None]:
        """Arrivals (LFW-TURN-08, 3)."""
        return
        yield

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        """Scoring (LFW-END-01, 3)."""
        return
        yield

    def after_move(self, battle: Battle, model: Model, kind: str) -> Asking[None]:
        """A unit has made a move of some kind: it may deliver a treasure, or leave by an exit."""
        return
        yield

    def places(self, battle: Battle) -> Sequence[tuple[float, float, float]]:
        """Strategic points and treasures as x, y and radius on the table, for who wants to go there (LFW-AUTO-C4)."""
        return [(token.x, token.y, token.radius) for token in lying(battle)]

    def is_over(self, battle: Battle) -> bool:
        """Whether the game ends after this turn (LFW-END-02)."""
        return bool(battle.last_turn) and battle.round >= battle.last_turn

    def winners(self, battle: Battle) -> tuple[int, ...]:
        """The sides that have won; none is a draw (LFW-SETUP-10, -11)."""
        best = max(battle.score)
        found = tuple(side for side, score in enumerate(battle.score) if score == best)
        return found if len(found) == 1 else ()


SCENARIOS: Final[dict[str, Scenario]] = {}


def scenario(kind: type[Scenario]) -> type[Scenario]:
    """Declare a scenario."""
    SCENARIOS[kind.id] = kind()
    return kind


def scenario_of(battle: Battle) -> Scenario:
    """The scenario that is played; a case without one plays none."""
    return SCENARIOS.get(battle.scenario, NONE)


NONE: Final = Scenario()
Words = Mapping[str, Any]
