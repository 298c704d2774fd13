"""TLAOK-REFORM: which formations a regiment may take, whichever way it looks then."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

import numpy as np
import shapely
from tests.proofs import Fault, Found, Question
from tests.proofs.tlaok_table import (
    CLEARLY,
    HAIR,
    SIZE,
    Shape,
    added,
    base_of,
    can_share_out,
    field,
    outline_of,
    polygons,
    rocks,
    rows_of,
    shape_of,
)

from oriflamme.engine.geometry.measure import INCH
from oriflamme.games.tlaok.movement.reform import Drill
from oriflamme.games.tlaok.regiment.formation import Formation, frontages
from oriflamme.games.tlaok.state import Battle, Regiment

GRID = np.arange(0.0, 2 * pi, pi / 360)


def crowd(random: Random) -> tuple[Battle, Regiment]:
    """A regiment with little room to turn, in a corner of the table as often as not."""
    spot = random.choice((SIZE / 2, random.uniform(3, 8) * INCH))
    number = random.randint(1, 3)
    pieces = rocks(random, number, SIZE / 2, spot, 5 * INCH, 9 * INCH)
    battle = field(random, pieces)
    own = added(battle, random, "own", 0, random.randint(2, 7), random.randint(3, 9), led=random.random() < 0.5)
    own.stand_at(SIZE / 2, spot, random.uniform(-pi, pi))
    for number in range(random.randint(2, 5)):
        other = added(battle, random, f"other{number}", random.randint(0, 1), random.randint(1, 4))
        for _ in range(30):
            way, away = random.uniform(-pi, pi), random.uniform(3, 9) * INCH
            other.stand_at(own.x + cos(way) * away, own.y + sin(way) * away, random.uniform(-pi, pi))
            apart = shapely.distance(rows_of(own), rows_of(other))
            least = 0.0 if other.side == own.side else random.choice((INCH, INCH, 5.0))
            if apart > least and other.x > 0 and other.y > 0:
                break
        else:
            other.fate = "destroyed"
    return battle, own


class Rule:
    """The rule as its words are: room to stand, and how far each stand goes."""

    def __init__(self, battle: Battle, own: Regiment, formation: Formation) -> None:
        self.own = own
        was, self.shape = (
            shape_of(base_of(own), own.placed, own.formation),
            shape_of(base_of(own), own.placed, formation),
        )
        c, s = np.cos(own.facing), np.sin(own.facing)
        # Who stands in which rank now makes no difference among ordinary stands.
        self.old = np.array([(c * x - s * y, s * x + c * y) for x, y in was.places])
        self.reach = min(value.profile.march for value in own.figures) * INCH
        before = rows_of(own)
        self.things = []
        for other in battle.present():
            if other is not own:
                rows = rows_of(other)
                friend = other.side == own.side
                # An inch from enemies, or as near as it is already; friends may be touched.
                self.things.append((rows, 0.0 if friend else min(INCH, float(shapely.distance(before, rows)))))
        for piece in battle.table.pieces:
            ground = outline_of(piece)
            self.things.append((ground, min(INCH, float(shapely.distance(before, ground)))))

    def legal(self, facings: np.ndarray, more: float) -> np.ndarray:
        """At which of these facings it may be drawn up so, with so much to spare."""
        own, shape = self.own, self.shape
        laid = polygons(shape.rows, own.x, own.y, facings)
        good = np.ones(len(facings), bool)
        bounds = shapely.bounds(laid)
        good &= (bounds[..., :2] >= more).all(axis=(1, 2)) & (bounds[..., 2:] <= SIZE - more).all(axis=(1, 2))
        for thing, least in self.things:
            if least > 0.0:
                good &= (shapely.distance(laid, thing) >= least + more).all(axis=1)
            elif more > 0.0:
                good &= (shapely.distance(laid, thing) >= more).all(axis=1)
            else:
                good &= (shapely.area(shapely.intersection(laid, thing)) <= 300 * -more).all(axis=1)
        for number in np.nonzero(good)[0]:
            good[number] = self.goes(shape, facings[number], more)
        return good

    def goes(self, shape: Shape, facing: float, more: float) -> bool:
        c, s = np.cos(facing), np.sin(facing)
        new = np.array([(c * x - s * y, s * x + c * y) for x, y in shape.places])
        n, most = shape.ordinary, self.reach - more
        if any(hypot(*(a - b)) > most for a, b in zip(self.old[n:], new[n:], strict=True)):
            return False
        costs = np.hypot(*(self.old[:n, None, :] - new[None, :n, :]).transpose(2, 0, 1))
        return can_share_out(costs, most)


def scene(seed: int) -> Found:
    random = Random(f"tlaok-reform {seed}")
    battle, own = crowd(random)
    drill = Drill(battle, own)
    able = drill.able().by_files()
    shapes = [each for files in frontages(own.placed) for each in own.formations(files)]
    asked = [each for each in shapes if each not in able.get(each.files, ())] or shapes
    formation = random.choice(asked if random.random() < 0.7 else shapes)
    rule = Rule(battle, own, formation)
    told = f"{own.placed} stands as {formation}, March {rule.reach / INCH:g}"
    said = formation in able.get(formation.files, ())
    seen = rule.legal(GRID, CLEARLY)
    if said:
        facing = next(drill.facings(formation))
        if not rule.legal(np.array([facing]), -HAIR)[0]:
            raise Fault("allowed", f"{told}, looking to {facing:.4f}")
        return "possible" if seen.any() else "finer"
    if seen.any():
        raise Fault("refused", f"{told}, looking to {GRID[np.argmax(seen)]:.4f}")
    return "impossible"


QUESTION = Question("tlaok-reform", "TLAOK-REFORM-01", scene)
