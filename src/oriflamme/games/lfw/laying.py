"""Terrain that a spell lays on the table, and units that have to make room (LFW-SPL-11)."""

from __future__ import annotations

from math import hypot
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.lfw.areas import choose_point_if_any
from oriflamme.games.lfw.magic import Aim, Spell
from oriflamme.games.lfw.pushing import nearest_place
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Step
from oriflamme.games.lfw.tokens import lying
from oriflamme.games.lfw.walking import stand
from oriflamme.games.lfw.wounds import end_parted_duels

SMALLEST: Final = 0.25  # inches; sizes are so far apart, too (LFW-SPL-11)


class LaidTerrain(Spell):
    """A spell that lays a disc of terrain on a visible point, as large as may be or smaller (LFW-SPL-11).

    Who stands on the ground of the table has always a place for the smallest: under its own feet. From inside or from a
    roof there may be none, and its player may take the spell back.
    """

    entry, duration = None, "game"
    points_within = 9.0
    aims = True
    kind = ""
    largest = 0.0  # inches
    height = 0.0  # inches
    traits: tuple[str, ...] = ()

    def why_not(self, battle: Battle, point: Point, radius: float, caster: Part) -> Refusal | None:
        """Why it cannot be laid there."""
        return why_not_lay(battle, point, radius, caster.id)

    def aim(self, battle: Battle, caster: Part) -> Asking[Aim | None]:
        point = yield from choose_point_if_any(
            battle,
            caster,
            self.id,
            self.reach(battle, caster),
            lambda spot: self.why_not(battle, spot, SMALLEST, caster),
        )
        if point is None:
            return None
        steps = range(round(self.largest / SMALLEST), 0, -1)
        sizes = [n * SMALLEST for n in steps if self.why_not(battle, point, n * SMALLEST, caster) is None]
        options = [Option(f"{size:g}", "size", {"size": size}) for size in sizes]
        facts = {"unit": caster.id, "about": self.id}
        key = yield from pick_one(caster.side, options, "choose_size", "LFW-SPL-11", facts, default=options[0].key)
        return Aim(*point, radius=float(key))

    def resolve_at(self, battle: Battle, caster: Part, aim: Aim) -> Step:
        piece = lay(battle, self.kind, (aim.x, aim.y), aim.radius, self.height, self.traits)
        yield from self.after_laid(battle, caster, piece)

    def after_laid(self, battle: Battle, caster: Part, piece: Piece) -> Step:
        """What happens to those who stand there."""
        return
        yield


def why_not_lay(battle: Battle, point: Point, radius: float, unit: str) -> Refusal | None:
    """A piece is laid on the ground of the table, wholly on it, over no building and no treasure (LFW-SPL-11)."""
    x, y = point
    table, r = battle.table, inches(radius)
    facts = {"unit": unit}
    if not (r <= x <= table.width - r and r <= y <= table.depth - r):
        return Refusal("LFW-SPL-11", "does_not_fit", facts)
    for piece in table.pieces:
        if piece.kind == "building" and piece.outline.distance(x, y) < r - TOLERANCE:
            return Refusal("LFW-SPL-11", "on_a_building", {**facts, "piece": piece.id})
    for token in lying(battle):
        if not token.board and hypot(token.x - x, token.y - y) < r + token.radius - TOLERANCE:
            return Refusal("LFW-SPL-11", "on_a_treasure", facts)
    return None


def lay(battle: Battle, kind: str, point: Point, radius: float, height: float, traits: tuple[str, ...]) -> Piece:
    """A disc of terrain lies there for the rest of the game. A table never changes, so there is a new one."""
    table = battle.table
    number = 1 + sum(piece.id.startswith(f"{kind}_of_") for piece in table.pieces)
    piece = Piece(f"{kind}_of_{number}", kind, Outline.circle(*point, inches(radius)), inches(height), traits)
    battle.table = Table(table.width, table.depth, (*table.pieces, piece), table.boards, table.openings)
    return piece


def why_no_room(battle: Battle, point: Point, radius: float, unit: str) -> Refusal | None:
    """Something solid is laid only where everybody who stands there finds a place to be moved to (LFW-SPELL-T6)."""
    x, y = point
    if all(m.board or hypot(m.body.x - x, m.body.y - y) >= m.body.radius + inches(radius) for m in battle.there()):
        return None
    trial = battle.copy()
    piece = lay(trial, "cliff", point, radius, 0.0, ("blocking", "impassable"))
    make_room(trial, piece)
    left = next((model for model in trial.there() if _is_on(piece, model)), None)
    return Refusal("LFW-SPELL-T6", "no_room_for", {"unit": unit, "target": left.id}) if left is not None else None


def make_room(battle: Battle, piece: Piece) -> list[Model]:
    """Units where a piece was laid are moved the shortest way off it; who has no place, which is proven, stays. Gives
    those that were moved."""
    moved = []
    for model in list(battle.there()):
        place = nearest_place(battle, model) if _is_on(piece, model) else None
        if place is not None:
            stand(battle, model, *place)
            moved.append(model)
    for model in moved:
        end_parted_duels(battle, model)
    return moved


def _is_on(piece: Piece, model: Model) -> bool:
    return not model.board and piece.outline.distance(model.body.x, model.body.y) < model.body.radius - TOLERANCE
