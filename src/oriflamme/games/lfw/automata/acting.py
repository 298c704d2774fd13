"""A unit that follows a behaviour: what it sees, where it goes, whom it strikes (LFW-AUTO-02, -08 to -11)."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, inf, pi, radians, sin

from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.heights import routes, walks
from oriflamme.engine.heights.walks import Waypoint
from oriflamme.games.lfw.automata.answers import draw
from oriflamme.games.lfw.combat import attack_with
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import distance, in_melee, nearest
from oriflamme.games.lfw.measures import CLEARANCE
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.shooting import permission
from oriflamme.games.lfw.sight import sees, sees_place
from oriflamme.games.lfw.state import Asking, Battle, Model, Part
from oriflamme.games.lfw.stats import value_of
from oriflamme.games.lfw.walking import Walk

ALERT = 12.0  # inches of who has no ranged weapon (LFW-AUTO-T1)
_AROUND = 24  # places round a destination that are tried for a way
_LOOK = inches(0.5)  # how often it looks round as it goes (LFW-AUTO-A4)

Spot = tuple[float, float, float]


class Actor:
    """A unit and what its behaviour asks of it."""

    def __init__(self, battle: Battle, model: Model) -> None:
        self.battle = battle
        self.model = model

    # -- who and what is there ----------------------------------------------------------------------------------------

    @property
    def in_melee(self) -> bool:
        return in_melee(self.battle, self.model)

    def visible(self) -> list[Model]:
        """Enemies it sees (LFW-AUTO-08)."""
        return [enemy for enemy in self.battle.enemies_of(self.model) if sees(self.battle, self.model, enemy)]

    def nearest(self, among: list[Model]) -> Model | None:
        """The nearest of some by base distance, ties drawn at random (LFW-AUTO-08)."""
        found = nearest(self.battle, self.model, among)
        return draw(self.battle, found) if found else None

    def goal(self) -> Spot | None:
        """The nearest strategic point or objective that it sees (LFW-AUTO-C4)."""
        body = self.model.body
        seen = [
            spot
            for spot in scenario_of(self.battle).places(self.battle)
            if sees_place(self.battle, self.model, spot[0], spot[1])
        ]
        return min(seen, key=lambda spot: hypot(spot[0] - body.x, spot[1] - body.y) - spot[2], default=None)

    # -- moving -------------------------------------------------------------------------------------------------------

    def go_towards(self, spot: Spot, kind: str, rule: str) -> Asking[None]:
        """The whole move by the shortest way toward something, or until it is there (LFW-AUTO-02, -10)."""
        walk = Walk(self.battle, gait_of(self.battle, self.model, kind), rule)
        way = self._first_part(walk, self._way(walk, spot), walk.reach)
        yield from self._go(walk, way, kind)

    def go_straight(self, degrees: float, kind: str, rule: str) -> Asking[None]:
        """The whole move in a direction, up to the first obstacle (LFW-AUTO-C5)."""
        walk = Walk(self.battle, gait_of(self.battle, self.model, kind), rule)
        x, y = walk.start
        dx, dy = cos(radians(degrees)), sin(radians(degrees))
        far = min(walk.reach, self._to_edge(x, y, dx, dy))
        end = (rounded(x + far * dx), rounded(y + far * dy))
        yield from self._go(walk, self._first_part(walk, (walk.start, end), walk.reach), kind)

    def _to_edge(self, x: float, y: float, dx: float, dy: float) -> float:
        """How far it can go in a direction on its board."""
        table, r = self.battle.table, self.model.body.radius
        left, bottom, right, top = 0.0, 0.0, table.width, table.depth
        if self.model.board:
            corners = table.board(self.model.board).outline.corners()
            left, right = min(cx for cx, _ in corners), max(cx for cx, _ in corners)
            bottom, top = min(cy for _, cy in corners), max(cy for _, cy in corners)
        far = inf
        for place, step, low, high in ((x, dx, left + r, right - r), (y, dy, bottom + r, top - r)):
            if step > 1e-9:
                far = min(far, (high - place) / step)
            elif step < -1e-9:
                far = min(far, (low - place) / step)
        return max(0.0, far)

    def hunt(self, prey: Model, kind: str, rule: str) -> Asking[None]:
        """Toward a unit, seen or not; toward the first enemy that it sees on its way (LFW-AUTO-A4)."""
        walk = Walk(self.battle, gait_of(self.battle, self.model, kind), rule)
        way = self._first_part(walk, self._way(walk, _place_of(prey)), walk.reach)
        body = self.model.body
        before = body.x, body.y, body.z
        gone, seen = walks.cut_way(way, 0.0) if len(way) > 1 else way, None
        length = _LOOK
        while len(way) > 1 and length < _length(way):
            part = walks.cut_way(way, length)
            body.x, body.y = part[-1][0], part[-1][1]
            seen = self.nearest(self.visible())
            if seen is not None:
                gone = part
                break
            length += _LOOK
        body.x, body.y, body.z = before
        if seen is None:
            yield from self._go(walk, way, kind)
            return
        here = (gone[-1][0], gone[-1][1])
        left = walk.reach - walks.bill(walks.trace(walk.relief, gone, walk.gait, self.battle.closed)).total
        turned = walks.farthest(
            walk.relief, (here, (seen.body.x, seen.body.y)), walk.gait, left, 0.0, self.battle.closed, walk.passed_by
        )
        yield from self._go(walk, (*gone, *turned[1:]), kind)

    def _go(self, walk: Walk, way: tuple[Waypoint, ...], kind: str) -> Asking[None]:
        moves = {self.model.body.id: way} if len(way) > 1 else {}
        yield from walk.go(moves, kind)  # type: ignore[arg-type]

    def _way(self, walk: Walk, spot: Spot) -> tuple[Waypoint, ...]:
        """The shortest way that is found to a place as near to something as one may come; straight at it if none is."""
        x, y, radius = spot
        straight: tuple[Waypoint, ...] = (walk.start, (rounded(x), rounded(y)))
        reach = _length(straight)
        part = self._first_part(walk, straight, reach)
        if reach - _length(part) <= radius + self.model.body.radius + CLEARANCE + 2 * TOLERANCE:
            return straight
        best: tuple[float, tuple[Waypoint, ...]] = (inf, straight)
        apart = radius + self.model.body.radius + CLEARANCE + TOLERANCE
        for number in range(_AROUND):
            angle = 2 * pi * number / _AROUND
            place = (rounded(x + apart * cos(angle)), rounded(y + apart * sin(angle)))
            if walk.why_not_end(*place) is not None:
                continue
            far = 8 * sum(self.battle.table.extent)
            found = routes.find_walk(
                walk.relief, walk.start, place, walk.gait, far, 0.0, self.battle.closed, walk.passed_by
            )
            if found is not None and _length(found.way) < best[0]:
                best = (_length(found.way), found.way)
        return best[1]

    def _first_part(self, walk: Walk, way: tuple[Waypoint, ...], reach: float) -> tuple[Waypoint, ...]:
        return tuple(walks.farthest(walk.relief, way, walk.gait, reach, walk.least, self.battle.closed, walk.passed_by))

    # -- weapons ------------------------------------------------------------------------------------------------------

    def alert(self) -> float:
        """The best range of its weapons that are not heavy plus its movement, or of its heavy ones if that is greater
        (LFW-AUTO-T1); in inches."""
        light, heavy = 0.0, 0.0
        for part in self.model.alive:
            for weapon in part.weapons:
                if weapon.melee:
                    continue
                allowed = permission(self.battle, part, weapon)
                if allowed.heavy:
                    heavy = max(heavy, allowed.range)
                else:
                    light = max(light, allowed.range)
        if not light and not heavy:
            return ALERT
        moves = value_of(self.battle, self.model.mover, "M")
        return max(light + moves if light else 0.0, heavy)

    def is_alarmed(self) -> bool:
        """An enemy is within its alert distance."""
        reach = inches(self.alert()) + TOLERANCE
        return any(distance(self.battle, self.model, enemy) <= reach for enemy in self.battle.enemies_of(self.model))

    def has_in_range(self) -> bool:
        """An enemy is in range of one of its ranged weapons, seen or not (LFW-AUTO-T4)."""
        return any(
            distance(self.battle, self.model, enemy)
            <= inches(permission(self.battle, part, weapon, enemy).range) + TOLERANCE
            for enemy in self.battle.enemies_of(self.model)
            for part in self.model.alive
            for weapon in part.weapons
            if not weapon.melee
        )


def _place_of(model: Model) -> Spot:
    return model.body.x, model.body.y, model.body.radius


def _length(way: tuple[Waypoint, ...] | list[Waypoint]) -> float:
    total = 0.0
    for one, other in pairwise(way):
        total += hypot(other[0] - one[0], other[1] - one[1])
    return total


def strongest(weapons: list[Weapon], battle: Battle, part: Part, target: Part) -> Weapon:
    """The highest strength, then the highest Attack, then the first on the sheet (LFW-AUTO-11)."""
    return max(
        weapons,
        key=lambda weapon: (
            weapon.strength,
            attack_with(battle, part, weapon, target) if weapon.melee else weapon.attack.plus,
            -weapons.index(weapon),
        ),
    )


def weakest(battle: Battle, among: list[Part]) -> Part:
    """The fewest life points left; then the most vulnerable defence, or the smallest number under a house rule; then at
    random (LFW-AUTO-C6)."""
    low = battle.option("lfw.lowestDefence") == "lowestNumber"

    def worth(part: Part) -> tuple[int, int]:
        defence = value_of(battle, part, "D")
        return part.pv, defence if low else -defence

    best = min(worth(part) for part in among)
    return draw(battle, [part for part in among if worth(part) == best])
