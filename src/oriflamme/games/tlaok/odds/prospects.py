"""What fights and places are worth to a side, in points: quick to ask, for one who weighs many.

Blows are those of the rules, on average; where regiments would lie is guessed: front to face, middle to middle, with
nobody in the way.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Final, NamedTuple

from oriflamme.engine.blocks.bodies import Pose, turn_between
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Arc, Box, arc_of, facing_towards
from oriflamme.games.tlaok.charge.charge import onrush_of
from oriflamme.games.tlaok.combat.clash import be_inspired
from oriflamme.games.tlaok.combat.volley import can_shoot
from oriflamme.games.tlaok.losses.wounds import toughness
from oriflamme.games.tlaok.movement.march import reach_of
from oriflamme.games.tlaok.odds.attacks import clash_pools, impact_pools
from oriflamme.games.tlaok.odds.casualties import Pool
from oriflamme.games.tlaok.odds.strikes import mean_wounds
from oriflamme.games.tlaok.regiment.contact import rectangle_of
from oriflamme.games.tlaok.rounds.victory import SCENARIOS
from oriflamme.games.tlaok.state import Battle, Effect, Regiment, Zone
from oriflamme.games.tlaok.terrain.ground import flies, terrain_with
from oriflamme.games.tlaok.trials import value_of

# What a blow taken counts beside one given: who attacks chooses when, and is fresh for it.
BOLD: Final = 0.6
# What a fight that may come counts beside one that is there.
HOPE: Final = 0.4
FEAR: Final = 0.2
ALONE: Final = 0.1
# What each friend costs who is that near: regiments get in each other's way.
CROWD: Final = 5.0
NEAR: Final = 7 * INCH
# What the middle of the table is worth, in victory points.
FORWARD: Final = 0.2
# How far a die carries a charge that may be counted on.
USUAL: Final = 3 * INCH
# A face that is that far round to the side costs so much of a way more.
ROUND: Final[dict[Arc, float]] = {"front": 0.0, "left": 4 * INCH, "right": 4 * INCH, "rear": 10 * INCH}
FACES: Final[tuple[Arc, ...]] = ("front", "left", "right", "rear")
OUT: Final[dict[Arc, float]] = {"front": 0.0, "left": pi / 2, "right": -pi / 2, "rear": pi}


class Fight(NamedTuple):
    """What a charge does to its target and what comes back, as shares of what each has left."""

    impact: float
    given: float
    taken: float

    def worth(self, own: float, other: float, *, strikes: float = 1.0) -> float:
        """In points, for regiments worth so much; `strikes` is the part of the Clash that comes before an answer."""
        first = min(1.0, self.impact + strikes * self.given)
        back = self.taken * (1.0 - first)
        dealt = min(1.0, first + (1.0 - strikes) * self.given * (1.0 - back))
        return dealt * other - BOLD * back * own


class Prospects:
    """The worth of things in one battle, remembered for as long as nothing they depend on has changed."""

    def __init__(self) -> None:
        self._fights: dict[tuple[object, ...], Fight] = {}
        self._worth: dict[str, float] = {}
        self._reach: dict[str, float] = {}
        self._shots: dict[str, tuple[float, float]] = {}

    def look(self) -> None:
        """The battle has gone on."""
        self._worth.clear()
        self._reach.clear()
        self._shots.clear()

    # -- regiments -----------------------------------------------------------------------------------------------------

    def worth(self, battle: Battle, regiment: Regiment) -> float:
        """What is left of it in points, with what its cards are worth to the enemy, and a zone it stands on."""
        found = self._worth.get(regiment.id)
        if found is None:
            share = regiment.size / max(1, regiment.initial)
            found = points_of(regiment) * (0.4 + 0.6 * share)
            if SCENARIOS[battle.scenario].kills:
                cards = 1 + (2 if regiment.led and regiment.character is not None and regiment.character.warlord else 0)
                found += price(battle) * cards
            found += sum(
                price(battle) * zone.worth[regiment.side]
                for zone in battle.zones_of_objectives
                if presence(regiment, zone) and not regiment.broken and regiment.weight != "light"
            )
            self._worth[regiment.id] = found
        return found

    def charge_reach(self, battle: Battle, regiment: Regiment) -> float:
        """How far it charges with a usual die."""
        found = self._reach.get(regiment.id)
        if found is None:
            found = self._reach[regiment.id] = onrush_of(battle, regiment).reach(0) + USUAL
        return found

    def march_reach(self, battle: Battle, regiment: Regiment) -> float:
        found = self._reach.get(f"{regiment.id}:march")
        if found is None:
            found = self._reach[f"{regiment.id}:march"] = max(INCH, reach_of(battle, regiment))
        return found

    def shots(self, battle: Battle, regiment: Regiment) -> tuple[float, float]:
        """The hits of its volley at best, and how far it shoots."""
        found = self._shots.get(regiment.id)
        if found is None:
            hits, far = 0.0, 0.0
            for stand in regiment.figures:
                if can_shoot(regiment, stand):
                    barrage = max(stand.profile.barrages, key=lambda b: b.shots)
                    aim = min(5, max(1, value_of(battle, regiment, stand, "volley").number)) / 6
                    hits += barrage.shots * aim
                    far = max(far, barrage.range * INCH)
            found = self._shots[regiment.id] = hits, far
        return found

    # -- fights --------------------------------------------------------------------------------------------------------

    def fight(self, battle: Battle, own: Regiment, foe: Regiment, face: Arc) -> Fight:
        """What comes of a charge at a face that arrives."""
        # A flank is like the other, and like a rear that is deep enough.
        face = "front" if face == "front" else "left"
        key = (own.id, own.size, own.broken, foe.id, foe.size, foe.broken, foe.garrison, face)
        found = self._fights.get(key)
        if found is None:
            found = self._fights[key] = fight_of(battle, own, foe, face)
        return found

    def charge(self, battle: Battle, own: Regiment, foe: Regiment, face: Arc, *, strikes: float) -> float:
        """What a charge that arrives is worth."""
        fight = self.fight(battle, own, foe, face)
        return fight.worth(self.worth(battle, own), self.worth(battle, foe), strikes=strikes)


class Target(NamedTuple):
    """An enemy as one looks at him who may go for him: where he is, and what he is worth by face."""

    x: float
    y: float
    facing: float
    box: Box
    garrison: bool
    # What his volley would do, what a charge at each face is worth, and where one would come from for it.
    shots: float
    charges: tuple[tuple[Arc, float, float, float], ...]


class Threat(NamedTuple):
    """An enemy as one looks at him who may be charged by him: what that costs by face, and how soon it may come."""

    x: float
    y: float
    facing: float
    deep: float
    charge: float
    march: float
    cost: dict[Arc, float]


class Outlook:
    """What a regiment sees around it, for weighing the places it could stand at."""

    def __init__(self, prospects: Prospects, battle: Battle, regiment: Regiment) -> None:
        self.box = regiment.footprint
        self.march = prospects.march_reach(battle, regiment)
        self.charge = prospects.charge_reach(battle, regiment)
        hits, self.range = prospects.shots(battle, regiment)
        # Wherever nothing else draws it, it goes forward: reinforcements come in behind it.
        x, y, worth = battle.table.width / 2, battle.table.depth / 2, FORWARD * price(battle)
        self.middle = Ground(x, y, 6 * INCH, worth, contested=True, friends=())
        self.blocks = [] if flies(regiment) else _walls(battle, self.box.width / 2)
        self.zones = [ground_at(battle, regiment, zone) for zone in battle.zones_of_objectives]
        self.friends = [(friend.x, friend.y) for friend in battle.friends(regiment)]
        self.targets: list[Target] = []
        self.threats: list[Threat] = []
        deep = self.box.depth / 2
        for foe in battle.foes(regiment):
            box = foe.footprint
            worth = prospects.worth(battle, foe)
            # Who cannot beat him alone still goes for him: friends will come too.
            aside: dict[Arc, float] = {
                face: max(ALONE * worth, prospects.charge(battle, regiment, foe, face, strikes=1.0))
                for face in ("front", "left")
            }
            charges = tuple(
                (face, aside["front" if face == "front" else "left"], *beside(foe, face, 5 * INCH + deep))
                for face in (FACES if not foe.garrison else ("front",))
            )
            shots = min(1.0, 0.5 * hits / strength(battle, foe)) * worth
            self.targets.append(Target(foe.x, foe.y, foe.facing, box, bool(foe.garrison), shots, charges))
            if not foe.broken and not foe.garrison and not battle.is_engaged(foe):
                soon = 0.7 if foe.activated else 1.0
                front, flank = (prospects.charge(battle, foe, regiment, f, strikes=1.0) * soon for f in FACES[:2])
                cost: dict[Arc, float] = {"front": front, "left": flank, "right": flank, "rear": flank}
                reach = prospects.charge_reach(battle, foe), prospects.march_reach(battle, foe)
                self.threats.append(Threat(foe.x, foe.y, foe.facing, box.depth / 2, *reach, cost))

    def place(self, pose: Pose, *, acts: int = 0) -> dict[str, float]:
        """What standing there is worth: ground, enemies it could go for, shots; less what could be done to it.

        `acts` are the actions it has left when it is there.
        """
        crowd = sum(hypot(x - pose.x, y - pose.y) < NEAR for x, y in self.friends)
        return {
            "ground": self.ground(pose) - CROWD * crowd,
            "exchange": self.hope(pose, acts),
            "danger": -self.danger(pose),
        }

    def ground(self, pose: Pose) -> float:
        """The zone that draws it most: on it, or nearer to it; less if friends are there or nearer."""
        best = 0.0
        for zone in (*self.zones, self.middle):
            away = hypot(pose.x - zone.x, pose.y - zone.y)
            crowd = sum(far < max(away, zone.radius) for far in zone.friends)
            worth = zone.worth / (1.0 + (0.4 if zone.contested else 1.0) * crowd)
            if away <= zone.radius:
                best = max(best, worth)
            elif 0.85 * worth > best:
                late = (self.way(pose, zone.x, zone.y) - zone.radius) / (2 * self.march)
                best = max(best, 0.85 * worth / (1.0 + late))
        return best

    def hope(self, pose: Pose, acts: int) -> float:
        """The enemy it could do most to from there, soon."""
        best = 0.0
        deep = self.box.depth / 2
        for foe in self.targets:
            gap = hypot(foe.x - pose.x, foe.y - pose.y) - deep - foe.box.depth / 2
            turn = abs(turn_between(pose.facing, facing_towards(pose.x, pose.y, foe.x, foe.y)))
            if foe.shots:
                late = max(0.0, gap - self.range) / self.march + (turn if turn > pi / 4 else 0.0)
                best = max(best, HOPE * foe.shots / (0.5 + late))
            here: Arc = "front" if foe.garrison else arc_of(foe.box, foe.x, foe.y, foe.facing, pose.x, pose.y)
            for face, worth, x, y in foe.charges:
                if face == here:
                    late = max(0.0, gap - self.charge) / self.march + turn
                    sure = acts > 0 and gap <= self.charge and turn < pi / 4
                    best = max(best, worth * (0.7 if sure else HOPE) / (1.0 + late / 2))
                else:
                    if HOPE * worth / 1.5 > best:
                        late = (self.way(pose, x, y) + ROUND[face]) / self.march
                        best = max(best, HOPE * worth / (1.5 + late / 2))
        return best

    def way(self, pose: Pose, gx: float, gy: float) -> float:
        """How far it is to a spot, round the first thing that nobody can march through; to wheel towards it costs what
        the corner goes, or an action at most."""
        x, y, facing = pose
        far, hx, hy = hypot(gx - x, gy - y), gx, gy
        for x0, y0, x1, y1 in self.blocks:
            if _crosses(x, y, gx, gy, x0, y0, x1, y1):
                corners = ((x0, y0), (x0, y1), (x1, y0), (x1, y1))
                far, hx, hy = min((hypot(cx - x, cy - y) + hypot(gx - cx, gy - cy), cx, cy) for cx, cy in corners)
                break
        turn = abs(turn_between(facing, facing_towards(x, y, hx, hy)))
        return far + min(turn * self.box.width, self.march)

    def danger(self, pose: Pose) -> float:
        """What the worst enemy could do to it there by a charge."""
        worst = 0.0
        deep = self.box.depth / 2
        for foe in self.threats:
            gap = hypot(foe.x - pose.x, foe.y - pose.y) - deep - foe.deep
            if gap <= foe.charge + foe.march:
                cost = foe.cost[arc_of(self.box, pose.x, pose.y, pose.facing, foe.x, foe.y)]
                turn = abs(turn_between(foe.facing, facing_towards(foe.x, foe.y, pose.x, pose.y)))
                likely = (1.0 if gap <= foe.charge else 0.4) * (1.0 if turn < pi / 3 else 0.4)
                worst = max(worst, cost * likely)
        return FEAR * worst


Walls = tuple[float, float, float, float]


def _walls(battle: Battle, aside: float) -> list[Walls]:
    """What nobody marches through, as rectangles that leave room for half a front."""
    things = [
        solid
        for kind in ("impassable", "garrison")
        for terrain in terrain_with(battle.table, kind)
        for solid in terrain.solids
    ]
    return [(s.x0 - aside, s.y0 - aside, s.x1 + aside, s.y1 + aside) for s in things]


def _crosses(x: float, y: float, gx: float, gy: float, x0: float, y0: float, x1: float, y1: float) -> bool:
    """The straight line between two spots comes into a rectangle."""
    enters, leaves = 0.0, 1.0
    for start, way, low, high in ((x, gx - x, x0, x1), (y, gy - y, y0, y1)):
        if abs(way) < 1e-9:
            if not low < start < high:
                return False
            continue
        one, other = (low - start) / way, (high - start) / way
        enters, leaves = max(enters, min(one, other)), min(leaves, max(one, other))
    return enters < leaves


class Ground(NamedTuple):
    """A zone as one looks at it who may go there: its worth, whether enemies are near, and how far each friend is who
    may capture it and holds no other."""

    x: float
    y: float
    radius: float
    worth: float
    contested: bool
    friends: tuple[float, ...]


def ground_at(battle: Battle, regiment: Regiment, zone: Zone) -> Ground:
    """A zone to a regiment; one that cannot capture is only wanted there to keep the enemy from it."""
    worth = price(battle) * zone.worth[regiment.side]
    contested = any(
        hypot(foe.x - zone.x, foe.y - zone.y) < zone.radius + 4 * INCH
        for foe in battle.foes(regiment)
        if not foe.garrison
    )
    if regiment.weight == "light" or regiment.broken:
        worth *= 0.25 if contested else 0.0
    others = [each for each in battle.zones_of_objectives if each.id != zone.id]
    friends = (
        hypot(friend.x - zone.x, friend.y - zone.y)
        for friend in battle.friends(regiment)
        if friend.weight != "light"
        and not friend.broken
        and not friend.garrison
        and not any(presence(friend, other) for other in others)
    )
    return Ground(zone.x, zone.y, zone.radius, worth, contested, tuple(friends))


# -- what they are made of ---------------------------------------------------------------------------------------------


def points_of(regiment: Regiment) -> int:
    return int(regiment.card.get("points", 0)) or 100


def price(battle: Battle) -> float:
    """A victory point, in points of an army."""
    return battle.points / SCENARIOS[battle.scenario].ends_at


def strength(battle: Battle, regiment: Regiment) -> int:
    """The wounds it can take."""
    return max(1, sum(toughness(battle, regiment, stand) - stand.wounds for stand in regiment.troops))


def harm(battle: Battle, target: Regiment, pools: list[Pool]) -> float:
    """The share of a regiment that an attack takes away on average, with its failed morale."""
    lost = 0.0
    if not target.troops:
        return lost
    resolve = min(5, max(1, value_of(battle, target, target.troops[0], "resolve").number)) / 6
    for pool in pools:
        passes = resolve**2 if pool.cause.face not in ("front", "") else resolve
        lost += mean_wounds(pool.strikes) * (2 - passes if pool.cause.morale else 1.0)
    return min(1.0, lost / strength(battle, target))


def fight_of(battle: Battle, own: Regiment, foe: Regiment, face: Arc) -> Fight:
    """The blows of two regiments that lie front to face, with nobody beside them."""
    twin = battle.copy()
    by, on = twin.units[own.id], twin.units[foe.id]
    if not on.garrison:
        facing = on.facing + OUT[face] + pi
        x, y = beside(on, face, by.footprint.depth / 2)
        by.stand_at(x, y, facing)
    twin.contacts = {}
    twin.engage(by, "front", on, "" if on.garrison else face)
    by.affect(Effect("charge", "TLAOK-CHARGE-26", "round", "charged"))
    be_inspired(by, "TLAOK-CHARGE-26")
    return Fight(
        harm(twin, on, impact_pools(twin, by, on)),
        harm(twin, on, clash_pools(twin, by, on)),
        harm(twin, by, clash_pools(twin, on, by)),
    )


def beside(regiment: Regiment, face: Arc, away: float) -> tuple[float, float]:
    """The spot so far before the middle of a face."""
    box = rectangle_of(regiment)
    far = (box.depth if face in ("front", "rear") else box.width) / 2 + away
    facing = regiment.facing + OUT[face]
    return regiment.x - sin(facing) * far, regiment.y + cos(facing) * far


def presence(regiment: Regiment, zone: Zone) -> bool:
    """Its middle is on the zone."""
    return hypot(regiment.x - zone.x, regiment.y - zone.y) <= zone.radius
