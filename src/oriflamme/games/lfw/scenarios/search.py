"""SCN7 Hasty search: one of three markers in ruins and buildings is a treasure (LFW-SCN7).

Which one it is, is drawn when a marker is turned over: of so many that are left each is as likely as any other, and
nobody can know it before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.alternation import Activity
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.scenarios import MarkerTurned, Searched
from oriflamme.games.lfw.ground import in_melee
from oriflamme.games.lfw.objectives import leave, saved_by, take
from oriflamme.games.lfw.permits import is_free
from oriflamme.games.lfw.scenarios.aims import Aim, aim_round
from oriflamme.games.lfw.scenarios.book import Scenario, scenario, scenario_of
from oriflamme.games.lfw.scenarios.points import is_on
from oriflamme.games.lfw.shooting import SHOOTING_ACTIONS, SHOT
from oriflamme.games.lfw.state import Asking, Battle, Model, Step
from oriflamme.games.lfw.tokens import lay, lying, treasures
from oriflamme.games.lfw.values import Amount

MARKER: Final = "marker"
MARKERS: Final = 3  # LFW-SCN7-03
FOUND_ON: Final = 4  # LFW-SCN7-05
NEAR: Final = inches(3)  # LFW-SCN7-07
TREASURE: Final = "treasure1"
FAILURES: Final = "failures_"  # how often a place was searched in vain
TURNED: Final = "turned_"  # the note of a scene that the marker of a place was turned over


def markers(battle: Battle) -> list[str]:
    """The ruins and buildings that have a marker which nobody has turned over."""
    return [token.id for token in battle.tokens.values() if token.kind == MARKER]


@scenario
class HastySearch(Scenario):
    """Opposite edges, zones 3" deep (LFW-SCN7-04)."""

    id = "scn7"
    rule = "LFW-SCN7-01"
    length = Amount(7, 1, 3)
    length_rule = "LFW-SCN7-02"
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "west_ruin", "kind": "ruin", "at": [5, 12], "size": [4, 4]},
        {"id": "middle_ruin", "kind": "ruin", "at": [12, 12], "size": [4, 4]},
        {"id": "east_ruin", "kind": "ruin", "at": [19, 12], "size": [4, 4]},
        {"id": "south_wall", "kind": "wall", "at": [12, 7], "size": [4, 0.5]},
        {"id": "north_wall", "kind": "wall", "at": [12, 17], "size": [4, 0.5]},
    )

    def layout(self, battle: Battle) -> None:
        """A marker lies in each of three ruins or buildings, those nearest to the middle of the table; not where a
        scene says that it was turned over."""
        x, y = battle.table.width / 2, battle.table.depth / 2
        found = [piece for piece in battle.table.pieces if piece.kind in ("ruin", "building")]
        found.sort(key=lambda piece: (piece.outline.cx - x) ** 2 + (piece.outline.cy - y) ** 2)
        for piece in found[:MARKERS]:
            if not battle.notes.get(TURNED + piece.id):
                lay(battle, piece.id, piece.outline.cx, piece.outline.cy, MARKER)

    def written_notes(self, battle: Battle) -> Mapping[str, Any]:
        fresh = battle.copy()
        fresh.tokens = {}
        self.layout(fresh)
        return {TURNED + id: True for id in markers(fresh) if id not in battle.tokens}

    def places(self, battle: Battle) -> Sequence[tuple[float, float, float]]:
        found = [battle.tokens[id] for id in markers(battle)]
        return [*super().places(battle), *((token.x, token.y, token.radius) for token in found)]

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """Markers to turn over, the treasure, and one's own edge with it."""
        found: list[Aim] = [aim_round("take", token.x, token.y, 0.0, 0.8, 2) for token in lying(battle)]
        for id in markers(battle):
            outline = next(piece.outline for piece in battle.table.pieces if piece.id == id)
            found.append(aim_round("search", outline.cx, outline.cy, outline.reach, 0.5, 3))
        width, depth = battle.table.width, battle.table.depth
        low, high = (0.0, NEAR / 2) if side == 0 else (depth - NEAR / 2, depth)
        return [*found, Aim("bring", 0.0, low, width, high)]

    def after_move(self, battle: Battle, model: Model, kind: str) -> Asking[None]:
        """With the treasure less than 3" from its own edge a unit may leave the table (LFW-SCN7-07)."""
        if not model.treasure or kind not in ("normal", "run") or model.board:
            return
        body = model.body
        edge = (body.y if model.side == 0 else battle.table.depth - body.y) - body.radius
        if edge >= NEAR - TOLERANCE:
            return
        about = {"unit": model.id}
        if (yield from yes_or_no(model.side, "leave_table", "LFW-SCN7-07", about, word="leave_table")):
            yield from leave(battle, model, "LFW-SCN7-07")

    def is_over(self, battle: Battle) -> bool:
        """Once the treasure is saved nothing can change any more (LFW-SCN7-08)."""
        return any(saved_by(battle)) or super().is_over(battle)

    def winners(self, battle: Battle) -> tuple[int, ...]:
        saved = saved_by(battle)
        holding = {model.side for model in battle.there() if model.treasure}
        return tuple(side for side in range(battle.sides) if saved[side] or side in holding)


class Searches(Activity):
    """In the shooting phase a unit in a marked ruin or building searches it instead of shooting (LFW-SCN7-05)."""

    name = "search"

    def options(self, battle: Battle, side: int) -> list[Option]:
        if not isinstance(scenario_of(battle), HastySearch):
            return []
        found = []
        for model in battle.own(side):
            for piece in (piece for piece in battle.table.pieces if piece.id in markers(battle)):
                if may_search(battle, model) and is_on(battle, piece, model):
                    facts = {"unit": model.id, "piece": piece.id}
                    found.append(Option(f"search:{model.id}:{piece.id}", "search", facts, (model.id,)))
        return found

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        _, id, place = key.split(":")
        yield from search(battle, battle.units[id], place)


SHOOTING_ACTIONS.append(Searches())


def may_search(battle: Battle, model: Model) -> bool:
    """Does not flee or fight, did not run, and has done nothing else in this phase (LFW-SCN7-05)."""
    if model.fleeing or model.moved == "run" or SHOT in model.mover.used or model.treasure:
        return False
    return not in_melee(battle, model) and is_free(battle, model, "shoot")


def is_found(face: int, failures: int) -> bool:
    """A die and 1 for each failure marker on the place reach 4 (LFW-SCN7-05)."""
    return face + failures >= FOUND_ON


def search(battle: Battle, model: Model, place: str) -> Asking[None]:
    """A die and 1 for each failure marker on the place: 4 or more turns its marker over (LFW-SCN7-05)."""
    model.to_shoot = False
    model.mover.used |= {SHOT}
    failures = battle.notes.get(FAILURES + place, 0)
    (face,) = yield from roll_faces(battle, model.side, 1, "search")
    battle.tell(Searched("LFW-SCN7-05", model.id, place, face, face + failures))
    if not is_found(face, failures):
        battle.notes[FAILURES + place] = failures + 1
        return
    is_treasure = yield from _turn_over(battle, model, place)
    battle.tell(MarkerTurned("LFW-SCN7-06", place, is_treasure))
    if is_treasure:
        lay(battle, TREASURE, model.body.x, model.body.y)
        take(battle, model, TREASURE, "LFW-SCN7-06")


def _turn_over(battle: Battle, model: Model, place: str) -> Asking[bool]:
    """Whether a marker is the treasure: one of those that are left is, unless it was found."""
    left = len(markers(battle))
    del battle.tokens[place]
    if treasures(battle) or any(saved_by(battle)):
        return False
    if left == 1:
        return True
    (face,) = yield from roll_faces(battle, model.side, 1, "marker")
    return face * left <= 6
