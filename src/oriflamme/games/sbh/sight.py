"""Line of sight (SBH-LOS), cover (SBH-COVER), woods (SBH-WOODS) and being hidden (SBH-HIDE)."""

from __future__ import annotations

from oriflamme.engine.measure import TOLERANCE
from oriflamme.engine.sight import Blocker, hidden_fraction, sees
from oriflamme.engine.table import Piece, Table
from oriflamme.games.sbh.state import Battle, Fighter

WOOD = "forest"
# A base that rests against an edge is in contact with it.
RESTING = 3 * TOLERANCE
_FAR = 1e6
# A sliver less than this of a base is as good as nothing.
_SLIVER = 1e-6


def woods_at(table: Table, x: float, y: float) -> list[Piece]:
    """The woods that the point is in (SBH-WOODS-02: the base centre counts)."""
    return [piece for piece in table.at(x, y) if piece.kind == WOOD]


class Line:
    """What lies between two places: the woods and solid terrain that matter to a line from a to b."""

    __slots__ = ("ar", "ax", "ay", "az", "battle", "br", "bx", "by", "bz", "same_wood", "shut", "walls")

    def __init__(
        self,
        battle: Battle,
        ax: float,
        ay: float,
        az: float,
        ar: float,
        bx: float,
        by: float,
        bz: float,
        br: float,
    ) -> None:
        self.battle = battle
        self.ax, self.ay, self.az, self.ar = ax, ay, az, ar
        self.bx, self.by, self.bz, self.br = bx, by, bz, br
        table = battle.table
        self.same_wood = False
        # A wood that hides b from everybody outside it (SBH-WOODS-02).
        self.shut = False
        self.walls: list[Piece] = []
        if not table.pieces:
            return
        x0, x1 = (ax, bx) if ax < bx else (bx, ax)
        y0, y1 = (ay, by) if ay < by else (by, ay)
        r = max(ar, br)
        for piece in table.pieces_near(x0 - r, y0 - r, x1 + r, y1 + r):
            if piece.kind == WOOD:
                outside, inside = not piece.outline.contains(ax, ay), piece.outline.contains(bx, by)
                if inside:
                    self.shut |= outside
                    self.same_wood |= not outside
                elif outside:
                    self.walls.append(piece)
            elif "blocking" in piece.traits and not piece.outline.touches_disc(ax, ay, ar + RESTING):
                # Terrain in contact with the shooter is ignored (SBH-LOS-02), and so is what one of the two stands on.
                if piece.levels and piece.outline.contains(bx, by) and bz >= piece.levels[0] - TOLERANCE:
                    continue
                self.walls.append(piece)

    def _blockers(self) -> list[Blocker]:
        return [Blocker(p.outline, 0.0, _FAR) if p.kind == WOOD else p for p in self.walls]

    def free_of_terrain(self) -> bool:
        """Terrain lets at least one line through, or the one between the centres (SBH-LOS-03)."""
        if self.shut:
            return False
        return not self.walls or self._free(())

    def _free(self, discs: tuple[tuple[float, float, float, float, float], ...]) -> bool:
        ar, br = self.ar, self.br
        if self.battle.options["sbh.los"] == "centreToCentre":
            ar = br = 0.0
        return sees(self.ax, self.ay, ar, self.az, self.bx, self.by, br, self.bz, self._blockers(), discs)

    def free(self, others: list[Fighter]) -> bool:
        """Neither terrain nor any of these fighters is in the way of every line."""
        if self.shut:
            return False
        if not self.walls and not others:
            return True
        return self._free(tuple((f.x, f.y, f.radius, 0.0, _FAR) for f in others))

    def covers(self) -> bool:
        """Some of the base at the far end is hidden by terrain from the centre of the near one (SBH-COVER-01)."""
        walls = self._blockers()
        table = self.battle.table
        if table.with_trait("cover"):
            x0, x1 = (self.ax, self.bx) if self.ax < self.bx else (self.bx, self.ax)
            y0, y1 = (self.ay, self.by) if self.ay < self.by else (self.by, self.ay)
            for piece in table.pieces_near(x0 - self.br, y0 - self.br, x1 + self.br, y1 + self.br, "cover"):
                if piece.kind == WOOD or piece in self.walls:
                    continue
                if piece.outline.touches_disc(self.ax, self.ay, self.ar + RESTING):
                    continue
                if "obstacle" not in piece.traits and piece.outline.touches_disc(self.bx, self.by, self.br):
                    # Standing among ruins or graves hides a part of him.
                    return True
                walls.append(Blocker(piece.outline, 0.0, _FAR))
        if not walls:
            return False
        hidden = hidden_fraction(self.ax, self.ay, self.az, self.bx, self.by, self.br, self.bz, 0.0, walls)
        return hidden > _SLIVER


def line_between(battle: Battle, a: Fighter, b: Fighter) -> Line:
    return Line(battle, a.x, a.y, a.z, a.radius, b.x, b.y, b.z, b.radius)


def _in_the_way(battle: Battle, shooter: Fighter, target: Fighter) -> list[Fighter]:
    """All other fighters that may block: friends in contact with the shooter do not (SBH-LOS-02)."""
    touching = battle.touching(shooter)
    x0, x1 = (shooter.x, target.x) if shooter.x < target.x else (target.x, shooter.x)
    y0, y1 = (shooter.y, target.y) if shooter.y < target.y else (target.y, shooter.y)
    r = max(shooter.radius, target.radius)
    found = []
    for f in battle.units.values():
        if f is shooter or f is target or f.reserve is not None or f.fate:
            continue
        x, y, reach = f.x, f.y, r + f.radius
        if x < x0 - reach or x > x1 + reach or y < y0 - reach or y > y1 + reach:
            continue
        if f.side == shooter.side and f in touching:
            continue
        found.append(f)
    return found


def can_see(battle: Battle, shooter: Fighter, target: Fighter) -> bool:
    """A line from shooter to target crosses neither a solid obstacle nor a fighter (SBH-LOS-01)."""
    return line_between(battle, shooter, target).free(_in_the_way(battle, shooter, target))


def leader_sees(battle: Battle, leader: Fighter, friend: Fighter) -> bool:
    """A Leader and his friend see each other: enemies never block, friends only by house rule (SBH-SR-LEADER-05)."""
    if not battle.table.pieces and battle.options["sbh.leaderSight"] == "terrainOnly":
        return True
    line = line_between(battle, leader, friend)
    if battle.options["sbh.leaderSight"] == "friendsBlock":
        others = [f for f in _in_the_way(battle, leader, friend) if f.side == leader.side]
        if not line.free(others):
            return False
    elif not line.free_of_terrain():
        return False
    return not line.same_wood or battle.within(leader, friend, "short")


def hidden_at_start(battle: Battle, fighter: Fighter, enemy: Fighter) -> bool:
    """He began the turn completely hidden by terrain from that enemy: he is in ambush against him (SBH-HIDE-01)."""
    if not battle.table.pieces:
        return False
    mine, his = battle.start_spots.get(fighter.id), battle.start_spots.get(enemy.id)
    if mine is None or his is None:
        return False
    line = Line(battle, *his, enemy.radius, *mine, fighter.radius)
    if line.same_wood:
        return battle.ruler.between(mine[0], mine[1], fighter.radius, his[0], his[1], enemy.radius) > (
            battle.ruler.sticks.short + TOLERANCE
        )
    return not line.free_of_terrain()


def in_cover_terrain(battle: Battle, fighter: Fighter) -> bool:
    """In base contact with, or inside, a piece that counts as cover (SBH-SR-STEALTHY-01)."""
    reach = fighter.radius + RESTING
    return any(
        "cover" in piece.traits or "blocking" in piece.traits
        for piece in battle.table.touching(fighter.x, fighter.y, reach)
    )
