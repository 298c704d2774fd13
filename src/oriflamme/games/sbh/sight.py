"""Line of sight (SBH-LOS), cover (SBH-COVER), woods (SBH-WOODS) and being hidden (SBH-HIDE)."""

from __future__ import annotations

from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.sight import Blocker, hidden_fraction, sees
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.sbh.state import Battle, Fighter

WOOD = "forest"
# A base that rests against an edge is in contact with it.
RESTING = 3 * TOLERANCE
_FAR = 1e6
# A sliver less than this of a base is as good as nothing.
_SLIVER = 1e-6


class Line:
    """What lies between two places: the woods and solid terrain that matter to a line from a to b."""

    __slots__ = ("ar", "ax", "ay", "az", "battle", "br", "bx", "by", "bz", "same_wood", "walls", "woods")

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
        # The woods that b is in and a is not: they hide him (SBH-WOODS-02).
        self.woods: list[Piece] = []
        self.walls: list[Piece] = []
        if not table.pieces:
            return
        x0, x1 = (ax, bx) if ax < bx else (bx, ax)
        y0, y1 = (ay, by) if ay < by else (by, ay)
        r = max(ar, br)
        for piece in table.pieces_near(x0 - r, y0 - r, x1 + r, y1 + r):
            if piece.kind == WOOD:
                outside, inside = not piece.outline.contains(ax, ay), piece.outline.contains(bx, by)
                if not inside:
                    self.walls += [piece] if outside else []
                elif outside:
                    self.woods.append(piece)
                else:
                    self.same_wood = True
            elif "blocking" in piece.traits and not self._touches_a(piece):
                # What b stands on does not hide him.
                if piece.levels and piece.outline.contains(bx, by) and bz >= piece.levels[0] - TOLERANCE:
                    continue
                self.walls.append(piece)

    def _touches_a(self, piece: Piece) -> bool:
        """In contact with who looks: such terrain neither blocks nor covers (SBH-LOS-02)."""
        return piece.outline.touches_disc(self.ax, self.ay, self.ar + RESTING)

    def too_deep(self) -> bool:
        """Both are in the same wood and farther apart than Short (SBH-WOODS-04)."""
        if not self.same_wood:
            return False
        apart = self.battle.ruler.between(self.ax, self.ay, self.ar, self.bx, self.by, self.br)
        return apart > self.battle.ruler.sticks.short + TOLERANCE

    def free_of_terrain(self) -> bool:
        """Terrain lets at least one line through, or the one between the centres (SBH-LOS-03)."""
        if self.woods or self.too_deep():
            return False
        return not self.walls or self._free(())

    def _free(self, discs: tuple[tuple[float, float, float, float, float], ...]) -> bool:
        ar, br = self.ar, self.br
        if self.battle.options["sbh.los"] == "centreToCentre":
            ar = br = 0.0
        walls = [_as_blocker(piece) for piece in self.walls]
        return sees(self.ax, self.ay, ar, self.az, self.bx, self.by, br, self.bz, walls, discs)

    def free(self, others: list[Fighter]) -> bool:
        """Neither terrain nor any of these fighters is in the way of every line."""
        if self.woods or self.too_deep():
            return False
        if not self.walls and not others:
            return True
        return self._free(tuple((f.x, f.y, f.radius, 0.0, _FAR) for f in others))

    def covers(self) -> bool:
        """Some of the base at the far end is hidden by terrain from the centre of the near one (SBH-COVER-01).

        Low terrain does so too; whoever has a part of his base in it, or in a wood, has it hidden.
        """
        if self.same_wood:
            return True
        low = self._low() if self.battle.table.with_trait("cover") else []
        walls = [piece for piece in (*self.walls, *low) if not self._touches_a(piece)]
        if any(piece.outline.touches_disc(self.bx, self.by, self.br) for piece in walls):
            return True
        if not walls:
            return False
        screens = [_as_blocker(piece) for piece in walls]
        hidden = hidden_fraction(self.ax, self.ay, self.az, self.bx, self.by, self.br, self.bz, 0.0, screens)
        return hidden > _SLIVER

    def _low(self) -> list[Piece]:
        """What gives cover and does not block: walls, ruins, fields."""
        x0, x1 = (self.ax, self.bx) if self.ax < self.bx else (self.bx, self.ax)
        y0, y1 = (self.ay, self.by) if self.ay < self.by else (self.by, self.ay)
        near = self.battle.table.pieces_near(x0 - self.br, y0 - self.br, x1 + self.br, y1 + self.br, "cover")
        return [piece for piece in near if piece.kind != WOOD and piece not in self.walls]


def _as_blocker(piece: Piece) -> Blocker:
    """Nobody looks over a wood; other terrain is as high as it is, if anybody has said how high."""
    return piece if piece.kind != WOOD and piece.height else Blocker(piece.outline, 0.0, _FAR)


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


def sees_leader(battle: Battle, friend: Fighter, leader: Fighter) -> bool:
    """A friend sees his Leader: enemies never block, friends only by house rule (SBH-SR-LEADER-05)."""
    if battle.options["sbh.leaderSight"] == "friendsBlock":
        others = [f for f in _in_the_way(battle, friend, leader) if f.side == friend.side]
        return line_between(battle, friend, leader).free(others)
    return not battle.table.pieces or line_between(battle, friend, leader).free_of_terrain()


def leader_sees(battle: Battle, leader: Fighter, friend: Fighter) -> bool:
    """A Leader sees a friend and is seen by him, as his orders need it (SBH-GROUP-03)."""
    return sees_leader(battle, friend, leader) and sees_leader(battle, leader, friend)


def line_at_start(battle: Battle, fighter: Fighter, enemy: Fighter) -> Line | None:
    """How that enemy looked at him when the turn began; None if one of them was not there."""
    mine, his = battle.start_spots.get(fighter.id), battle.start_spots.get(enemy.id)
    if mine is None or his is None or not battle.table.pieces:
        return None
    return Line(battle, *his, enemy.radius, *mine, fighter.radius)


def hidden_at_start(battle: Battle, fighter: Fighter, enemy: Fighter) -> bool:
    """He began the turn completely hidden by terrain from that enemy: he is in ambush against him (SBH-HIDE-01)."""
    line = line_at_start(battle, fighter, enemy)
    return line is not None and not line.free_of_terrain()


def shoots_from_ambush(battle: Battle, fighter: Fighter, target: Fighter) -> bool:
    """In ambush against the target, and still inside what hid him: in the wood, or against the rocks (SBH-HIDE-02).

    Never if both are in the same wood (SBH-HIDE-04).
    """
    line = line_at_start(battle, fighter, target)
    if line is None or battle.turn != fighter.side or line.free_of_terrain():
        return False
    if line_between(battle, fighter, target).same_wood:
        return False
    x, y, reach = fighter.x, fighter.y, fighter.radius + RESTING
    return any(
        piece.outline.contains(x, y) if piece.kind == WOOD else piece.outline.touches_disc(x, y, reach)
        for piece in (*line.woods, *line.walls)
    )


def in_cover_terrain(battle: Battle, fighter: Fighter) -> bool:
    """In base contact with, or inside, a piece that counts as cover (SBH-SR-STEALTHY-01)."""
    reach = fighter.radius + RESTING
    return any(
        piece.kind == WOOD or "cover" in piece.traits or "blocking" in piece.traits
        for piece in battle.table.touching(fighter.x, fighter.y, reach)
    )
