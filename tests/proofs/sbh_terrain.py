"""Whoever lays the table may choose any piece that has a place somewhere, however it is turned (SBH-SETUP-02,
SBH-SCEN-BATTLE-04, SBH-SCEN-HARD-02)."""

from __future__ import annotations

from math import pi
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.sbh_table import CLEARLY, LONG, SHORT, lay

from oriflamme.engine.core.decisions import PickOne, Place
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.games.sbh.terrain import STOCK, lay_terrain

# Pieces of a river have a question of their own: whether it can be finished.
PIECES = [id for id, stock in STOCK.items() if stock.kind not in ("stream", "bridge", "ford", "water")]
TURNS = np.arange(0.0, 2 * pi, pi / 18)
ACROSS = 5.0


def corners(stock_id: str, turn: float) -> np.ndarray:
    c, s = np.cos(turn) * SHORT, np.sin(turn) * SHORT
    at = np.array(STOCK[stock_id].corners)
    return np.stack([c * at[:, 0] - s * at[:, 1], s * at[:, 0] + c * at[:, 1]], axis=1)


class Rule:
    """On the table, and a Short stick from every other piece unless the ground is hard (by shapely)."""

    def __init__(self, table: Table, between: float) -> None:
        self.table, self.between = table, between
        self.laid = [shapely.Polygon(piece.outline.corners()) for piece in table.pieces]

    def lies(self, laid: np.ndarray, more: float) -> np.ndarray:
        bounds = shapely.bounds(laid)
        most = np.array([self.table.width, self.table.depth]) - more
        good = (bounds[:, :2] >= more).all(axis=1) & (bounds[:, 2:] <= most).all(axis=1)
        for other in self.laid if self.between else ():
            good &= shapely.distance(laid, other) >= self.between + more
        return good

    def may_be_used(self, stock_id: str) -> bool:
        """No larger than two Long, on hard ground one, and no smaller than Short (SBH-SCEN-BATTLE-03, -HARD-02)."""
        at = corners(stock_id, 0.0)
        size = np.hypot(*(at[:, None, :] - at[None, :, :]).transpose(2, 0, 1)).max()
        return bool(SHORT + CLEARLY <= size <= (2 * LONG if self.between else LONG) - CLEARLY)

    def place(self, stock_id: str) -> tuple[float, float, float] | None:
        """A place on a grid that is clearly legal."""
        if not self.may_be_used(stock_id):
            return None
        xs, ys = np.meshgrid(np.arange(0.0, self.table.width, ACROSS), np.arange(0.0, self.table.depth, ACROSS))
        spots = np.stack([xs.ravel(), ys.ravel()], axis=1)
        # Wherever it lies its middle is as far from the others as nothing of it is nearer.
        if self.between and self.laid:
            away = shapely.distance(shapely.points(spots)[:, None], np.array(self.laid)[None, :]).min(axis=1)
            spots = spots[away >= self.between]
        for turn in TURNS:
            at = corners(stock_id, turn)
            inside = (spots + at.min(axis=0) >= CLEARLY).all(axis=1)
            inside &= (spots + at.max(axis=0) <= [self.table.width - CLEARLY, self.table.depth - CLEARLY]).all(axis=1)
            left = spots[inside]
            if len(left):
                good = self.lies(shapely.polygons(left[:, None, :] + at[None, :, :]), CLEARLY)
                if good.any():
                    return (*left[good][0], float(turn))
        return None


def scene(seed: int) -> Found:
    random = Random(f"sbh-terrain {seed}")
    battle = lay()
    battle.scenario = random.choice(("battle", "battle", "battle", "hard"))
    between = 0.0 if battle.scenario == "hard" else SHORT
    wide, deep = random.uniform(90.0, 420.0), random.uniform(90.0, 420.0)
    pieces: list[Piece] = []
    for number in range(random.randint(0, 5)):
        for _ in range(8):
            x, y, turn = random.uniform(0.0, wide), random.uniform(0.0, deep), random.uniform(0.0, 2 * pi)
            stock_id = random.choice(PIECES)
            outline = Outline.polygon([(round(x + a, 2), round(y + b, 2)) for a, b in corners(stock_id, turn)])
            piece = Piece(f"old.{number}", STOCK[stock_id].kind, outline, 0.0, STOCK[stock_id].traits)
            shape = shapely.Polygon(outline.corners())
            if not shapely.box(0.0, 0.0, wide, deep).contains(shape):
                continue
            if all(shape.distance(shapely.Polygon(o.outline.corners())) >= between for o in pieces):
                pieces.append(piece)
                break
    battle.table = Table(wide, deep, pieces)
    rule, wanted = Rule(battle.table, between), random.choice(PIECES)
    seen = rule.place(wanted)

    asking = lay_terrain(battle)
    offered: list[str] = []
    shown: list[str] = []
    choice = next(asking, None)
    if choice is not None:
        assert isinstance(choice, PickOne)
        offered = [option.key for option in choice.options]
        shown = [option.key for option in choice.extra_options]
    told = f"{wanted} on {wide:.1f} by {deep:.1f} with {len(pieces)} pieces"
    if wanted not in offered:
        if seen is not None and wanted not in shown:
            raise Fault("refused", f"{told} lies at {seen}")
        # What is not proven to have no place is offered to be shown.
        return "impossible" if seen is None else "possible"
    where = asking.send(wanted)
    assert isinstance(where, Place)
    x, y, *turned = next(iter(where.suggestion().values()))
    laid = shapely.polygons((np.array([[x, y]]) + corners(wanted, turned[1] if turned else 0.0))[None])
    if not rule.lies(laid, -0.05)[0]:
        raise Fault("allowed", f"{told} at {x}, {y}")
    return "possible" if seen is not None else "finer"


QUESTION = Question("sbh-terrain", "SBH-SETUP-02", scene)
