"""SCN1 Assault on a stronghold: who holds most of four strategic points at the end has won (LFW-SCN1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.lfw.events.scenarios import ControlCounted, PointChosen
from oriflamme.games.lfw.scenarios.aims import Aim, aim_round
from oriflamme.games.lfw.scenarios.book import Scenario, Zone, scenario, side_of
from oriflamme.games.lfw.scenarios.control import holds_alone
from oriflamme.games.lfw.scenarios.points import is_on, place_of
from oriflamme.games.lfw.scenarios.zones import Ring, Square
from oriflamme.games.lfw.state import Asking, Battle
from oriflamme.games.lfw.values import Amount

NUMBER: Final = 4
KINDS: Final = ("building", "barricade", "wall", "ruin")
FROM_EDGES: Final = inches(6)
FROM_OTHERS: Final = inches(3)


@scenario
class Assault(Scenario):
    """The defender is more than 9" from every edge, the attacker within 3" of one (LFW-SCN1-04)."""

    id = "scn1"
    rule = "LFW-SCN1-01"
    length = Amount(5, 1, 3)
    length_rule = "LFW-SCN1-02"
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "west_ruin", "kind": "ruin", "at": [8, 12], "size": [2.5, 3]},
        {"id": "east_ruin", "kind": "ruin", "at": [16, 12], "size": [2.5, 3]},
        {"id": "south_barricade", "kind": "barricade", "at": [12, 8], "size": [4, 0.5]},
        {"id": "north_barricade", "kind": "barricade", "at": [12, 16], "size": [4, 0.5]},
        {"id": "wood", "kind": "forest", "at": [4.5, 19.5], "radius": 1.5},
    )

    def roles(self, players: int) -> tuple[str, ...]:
        return ("attacker", "defender")

    def zone(self, battle: Battle, side: int) -> Zone:
        if battle.roles[side] == "attacker":
            return Ring(3)
        width, depth = in_inches(battle.table.width), in_inches(battle.table.depth)
        return Square(9, 9, width - 9, depth - 9)

    def batches(self, battle: Battle) -> list[tuple[int, int]]:
        return [(side_of(battle, role), len(battle.units)) for role in ("defender", "attacker")]

    # -- the points ---------------------------------------------------------------------------------------------------

    def may_be_point(self, battle: Battle, piece: Piece, chosen: Sequence[str]) -> bool:
        """A building, barricade or ruin more than 6" from the edges and 3" from the other points (LFW-SCN1-05)."""
        if piece.kind not in KINDS or piece.id in chosen:
            return False
        outline = piece.outline
        table = battle.table
        edge = min(outline.x0, outline.y0, table.width - outline.x1, table.depth - outline.y1)
        if edge <= FROM_EDGES + TOLERANCE:
            return False
        pieces = [other for other in table.pieces if other.id in chosen]
        return all(gap_between(piece, other) > FROM_OTHERS + TOLERANCE for other in pieces)

    def open_points(self, battle: Battle, chosen: tuple[str, ...]) -> list[str]:
        """What may be the next point: nothing that leaves no room for the four, or as many as this place has
        (LFW-SCN1-05)."""
        found = [piece for piece in battle.table.pieces if self.may_be_point(battle, piece, chosen)]
        left = NUMBER - len(chosen) - 1
        more = {piece.id: self._room_for(battle, left, (*chosen, piece.id), found) for piece in found}
        return [id for id in more if more[id] == max(more.values())]

    def _room_for(self, battle: Battle, left: int, chosen: tuple[str, ...], among: Sequence[Piece]) -> int:
        """How many more points can be chosen of these pieces, as many as are left at most."""
        free = [piece for piece in among if self.may_be_point(battle, piece, chosen)]
        most = 0
        for number, piece in enumerate(free):
            if most == left:
                break
            rest = free[number + 1 :]
            most = max(most, 1 + self._room_for(battle, left - 1, (*chosen, piece.id), rest))
        return most

    def points_chosen(self, battle: Battle) -> tuple[str, ...]:
        return tuple(battle.notes.get("points", ()))

    def before_deployment(self, battle: Battle) -> Asking[None]:
        """The players choose the points together: one each in turn, of those that may be one (LFW-SCN1-05)."""
        while len(self.points_chosen(battle)) < NUMBER:
            chosen = self.points_chosen(battle)
            found = self.open_points(battle, chosen)
            if not found:
                return
            side = battle.order[len(chosen) % len(battle.order)]
            options = [Option(id, "point", {"piece": id}) for id in found]
            id = yield from pick_one(side, options, "choose_objective", "LFW-SCN1-05", {"number": len(chosen) + 1})
            battle.notes["points"] = (*chosen, id)
            battle.tell(PointChosen("LFW-SCN1-05", side, id))

    def places(self, battle: Battle) -> Sequence[tuple[float, float, float]]:
        chosen = self.points_chosen(battle)
        return [place_of(piece) for piece in battle.table.pieces if piece.id in chosen]

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """Every point, alone: those who hold it and some who drive others off."""
        return [aim_round("hold", x, y, radius, 0.4, 3) for x, y, radius in self.places(battle)]

    def held(self, battle: Battle) -> Sequence[tuple[float, float, float, int | None]]:
        chosen = self.points_chosen(battle)
        pieces = [piece for piece in battle.table.pieces if piece.id in chosen]
        return [(*place_of(piece), holds_alone(battle, partial(is_on, battle, piece))) for piece in pieces]

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        """Who alone has units on a point that neither flee nor fight controls it (LFW-SCN1-06)."""
        score = [0] * battle.sides
        chosen = self.points_chosen(battle)
        for piece in (piece for piece in battle.table.pieces if piece.id in chosen):
            owner = holds_alone(battle, partial(is_on, battle, piece))
            battle.tell(ControlCounted("LFW-SCN1-06", piece.id, owner))
            if owner is not None:
                score[owner] += 1
        battle.score = tuple(score)
        return
        yield


def gap_between(one: Piece, other: Piece) -> float:
    """Between the nearest points of two pieces."""
    a, b = one.outline, other.outline
    if a.is_circle:
        return b.distance(a.cx, a.cy) - a.reach
    if b.is_circle:
        return a.distance(b.cx, b.cy) - b.reach
    corners = a.corners()
    return min(b.segment_distance(*corners[i - 1], *corner) for i, corner in enumerate(corners))
