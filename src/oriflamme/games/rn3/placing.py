"""Placing models on the table: the set-up (RN3-DEP-05), entries (RN3-RSV-11), who comes back (RN3-ELX-08b, RN3-SKL-51),
who is summoned (RN3-SUM-02).

Whether there is a place for a single model is decided exactly, by critical places: "no room" is a proof. Whether a
whole unit finds room in formation is too rich for that: if some of its models has no place at all, there is none;
otherwise a known arrangement is proposed, or the player shows one, or takes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import hypot, inf
from random import Random

from oriflamme.engine.core.decisions import Option, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one, place_figures
from oriflamme.engine.geometry.measure import TOLERANCE, cm, in_cm, rounded
from oriflamme.engine.geometry.places import Box, Circle, Curve, Line, critical_places, rim
from oriflamme.engine.geometry.shapes import Outline, Point
from oriflamme.games.rn3 import levels
from oriflamme.games.rn3.arranging import placed_round
from oriflamme.games.rn3.events.moves import FighterPlaced, NoRoomForFighter, NoRoomFound, UnitEntered, UnitSetUp
from oriflamme.games.rn3.formation import formations_open_to
from oriflamme.games.rn3.ground import Ground, ground_of, put
from oriflamme.games.rn3.measures import CONTACT, LEADER_REACH, LEAST_GAP, NEIGHBOUR
from oriflamme.games.rn3.spacing import why_not_formation
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit
from oriflamme.games.rn3.ways import reach_of

EDGES = ("south", "north", "west", "east")  # the near edge, the far one, left and right as side 1 sees them
BEGINNINGS = 40  # places that a unit without a known arrangement is begun from,
APART = cm(1.5)  # and how far they are apart
NEAR = cm(5)  # how far from a spot a place is looked for at first
OFFERED = 24  # places of one who comes back that chance picks from
_TOUCHING = 0.02


class Area:
    """Where the bases of a placing may be, beyond what the ground says: `why_not` for one fighter at a place, and the
    boundaries of it, so that critical places decide."""

    def why_not(self, fighter: Fighter, x: float, y: float) -> Refusal | None:
        return None

    def curves(self, fighter: Fighter) -> list[Curve]:
        return []

    def farthest(self, near: Point) -> float:
        """No place of it is farther from a point."""
        return inf

    def box(self, fighter: Fighter) -> Box | None:
        """All its places are in this box, if that says anything."""
        return None


class InZone(Area):
    """The whole base in a deployment zone (RN3-DEP-05)."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline

    def why_not(self, fighter: Fighter, x: float, y: float) -> Refusal | None:
        o = self.outline
        if o.contains(x, y) and o.edge_distance(x, y) >= fighter.radius - TOLERANCE:
            return None
        return Refusal("RN3-DEP-05", "out_of_zone", {"figure": fighter.id})

    def curves(self, fighter: Fighter) -> list[Curve]:
        return rim(self.outline, -fighter.radius)

    def box(self, fighter: Fighter) -> Box:
        o = self.outline
        return o.x0, o.y0, o.x1, o.y1


class FromEdge(Area):
    """The whole base within the MOU of the fighter from an edge of the table; a machine comes as its crew moves it
    (RN3-RSV-11, RN3-WM-04)."""

    def __init__(self, battle: Battle, unit: Unit, edge: str) -> None:
        self.edge = edge
        self.size = (battle.table.width, battle.table.depth)
        self.reach = reach_of(battle, unit, "entry")

    def away(self, fighter: Fighter, x: float, y: float) -> float:
        """From the edge to the far side of the base."""
        width, depth = self.size
        in_ = {"south": y, "north": depth - y, "west": x, "east": width - x}[self.edge]
        return in_ + fighter.radius

    def why_not(self, fighter: Fighter, x: float, y: float) -> Refusal | None:
        away, reach = self.away(fighter, x, y), self.reach[fighter.id]
        if away <= reach + CONTACT:
            return None
        return Refusal("RN3-RSV-11", "too_far_in", {"figure": fighter.id, "gap": in_cm(away), "reach": in_cm(reach)})

    def curves(self, fighter: Fighter) -> list[Curve]:
        width, depth = self.size
        deep = self.reach[fighter.id] - fighter.radius
        at = {"south": deep, "north": depth - deep, "west": deep, "east": width - deep}[self.edge]
        return [Line(0.0, 1.0, at) if self.edge in ("south", "north") else Line(1.0, 0.0, at)]

    def box(self, fighter: Fighter) -> Box:
        width, depth = self.size
        deep = self.reach[fighter.id] - fighter.radius + 2 * CONTACT
        return {
            "south": (0.0, 0.0, width, deep),
            "north": (0.0, depth - deep, width, depth),
            "west": (0.0, 0.0, deep, depth),
            "east": (width - deep, 0.0, width, depth),
        }[self.edge]


class Within(Area):
    """Nobody farther from a mystic than the announced spot, and everybody in his sight (RN3-SUM-02)."""

    def __init__(self, mystic: Fighter, spot: Point, sees: Callable[[float, float], bool]) -> None:
        self.mystic = mystic
        self.reach = hypot(spot[0] - mystic.x, spot[1] - mystic.y) - mystic.radius
        self.sees = sees

    def why_not(self, fighter: Fighter, x: float, y: float) -> Refusal | None:
        away = hypot(x - self.mystic.x, y - self.mystic.y) - self.mystic.radius
        if away > self.reach + CONTACT:
            facts = {"figure": fighter.id, "gap": in_cm(away), "reach": in_cm(self.reach)}
            return Refusal("RN3-SUM-02", "beyond_the_spot", facts)
        if not self.sees(x, y):
            return Refusal("RN3-SUM-02", "out_of_sight", {"figure": fighter.id})
        return None

    def curves(self, fighter: Fighter) -> list[Curve]:
        return [Circle(self.mystic.x, self.mystic.y, self.reach + self.mystic.radius)]

    def farthest(self, near: Point) -> float:
        return hypot(near[0] - self.mystic.x, near[1] - self.mystic.y) + self.reach + self.mystic.radius


def places_for(ground: Ground, fighter: Fighter, area: Area, near: Point) -> Iterator[Point]:
    """Free places of one fighter, the nearest to a point first; one at least, if any place is free.

    They are looked for within 5 cm first, then twice as far, and so on to the farthest corner of the table.
    """
    curves, closed = [*ground.curves(fighter), *area.curves(fighter)], ground.ends(fighter)
    box = area.box(fighter)
    far, most = 0.0, min(hypot(ground.table.width, ground.table.depth), area.farthest(near))
    while far < most:
        done, far = far, min(max(2 * far, NEAR), most)
        for px, py in critical_places(curves, *near, far, [d for d in closed if _is_near(d, near, far)], box):
            x, y = rounded(px), rounded(py)
            if done and hypot(px - near[0], py - near[1]) <= done:
                continue
            if ground.stands_free(fighter, x, y) and area.why_not(fighter, x, y) is None:
                yield x, y


def _is_near(disc: tuple[float, float, float], near: Point, far: float) -> bool:
    return hypot(disc[0] - near[0], disc[1] - near[1]) - disc[2] <= far


def is_room(ground: Ground, area: Area, near: Point) -> bool:
    """False proves that some model of the unit has no place, even without the others."""
    sizes = {f.radius: f for f in ground.unit.figures}
    return all(next(places_for(ground, f, area, near), None) is not None for f in sizes.values())


# -- whole units -------------------------------------------------------------------------------------------------------


class Arrival:
    """A unit that is being placed, in a formation: what is known of it."""

    def __init__(self, battle: Battle, unit: Unit, area: Area, spot: Point) -> None:
        self.battle = battle
        self.unit = unit
        self.area = area
        self.ground = ground_of(battle, unit)
        # Where its leader is to stand: the spot, or the nearest place to it; and whether that is binding.
        self.spot = spot
        self.known: Places | None = None
        self.bound = False

    def fits(self, fighter: Fighter, x: float, y: float) -> bool:
        return self.ground.stands_free(fighter, x, y) and self.area.why_not(fighter, x, y) is None

    def find(self, *, hold: bool) -> bool:
        """`search`, or what it found when the step was played before."""
        room, self.spot, self.known, self.bound = self.battle.worked_out(
            lambda: (self.search(hold=hold), self.spot, self.known, self.bound)
        )
        return room

    def search(self, *, hold: bool) -> bool:
        """Look for an arrangement; False proves that there is none. `hold`: the leader stands on the spot if he can."""
        leader = self.unit.leading
        if self._try(self.spot):
            self.bound = hold
            return True
        first: Point | None = None
        tried: list[Point] = []
        for spot in places_for(self.ground, leader, self.area, self.spot):
            first = first or spot
            # Places that are hardly apart from one tried before are left out.
            if all(hypot(spot[0] - x, spot[1] - y) > APART for x, y in tried):
                tried.append(spot)
                if self._try(spot) or len(tried) == BEGINNINGS:
                    break
        if first is None or (self.known is None and not is_room(self.ground, self.area, self.spot)):
            return False
        # A spot that is taken is moved to the nearest place that is free.
        if hold and self.known is not None and self.known[leader.id] == first:
            self.spot, self.bound = first, not self.fits(leader, *self.spot)
        return True

    def _try(self, spot: Point) -> bool:
        found = placed_round(self.unit, self.unit.formation, spot, self.fits)
        if found is None or self.why_not_together(found) is not None:
            return False
        self.known = dict(found)
        return True

    def why_not_together(self, places: dict[str, Point]) -> Refusal | None:
        """The whole unit in formation, on one level (RN3-LVL-01)."""
        table = self.battle.table
        if len({levels.levels_under(table, *spot) for spot in places.values()}) > 1:
            return Refusal("RN3-LVL-01", "on_two_levels", {"unit": self.unit.id})
        return why_not_formation(self.battle, self.unit, self.unit.formation, places)

    def check(self, places: Places) -> Refusal | None:
        unit = self.unit
        spots: dict[str, Point] = {id: (place[0], place[1]) for id, place in places.items()}
        if self.bound and hypot(
            spots[unit.leading.id][0] - self.spot[0], spots[unit.leading.id][1] - self.spot[1]
        ) > cm(0.1):
            return Refusal("RN3-DEP-05", "leader_off_his_card", {"figure": unit.leading.id})
        for number, fighter in enumerate(unit.figures):
            x, y = spots[fighter.id]
            refusal = self.ground.why_not_stand(fighter, x, y) or self.area.why_not(fighter, x, y)
            if refusal is not None:
                return refusal
            for other in unit.figures[:number]:
                ox, oy = spots[other.id]
                if hypot(x - ox, y - oy) < fighter.radius + other.radius - TOLERANCE:
                    return Refusal("RN3-GEN-10", "on_a_base", {"figure": fighter.id})
        return self.why_not_together(spots)


def choose_formation(unit: Unit, rule: str) -> Asking[None]:
    """Its player chooses the formation in which a unit comes to the table (RN3-FORM-11)."""
    formations = formations_open_to(unit)
    options = [Option(formation, "formation") for formation in formations]
    unit.formation = yield from pick_one(
        unit.side, options, "choose_formation", rule, {"unit": unit.id}, default=formations[-1], measured=True
    )


def _place(arrival: Arrival, ask: str, rule: str) -> Asking[dict[str, Point]]:
    """Where everybody stands; {} if it was taken back, which is open only where no arrangement is known."""
    unit = arrival.unit

    def propose(random: Random) -> Places | None:
        return arrival.known

    places = yield from place_figures(
        unit.side,
        [f.id for f in unit.figures],
        arrival.check,
        propose,
        ask,
        rule,
        {"unit": unit.id, "formation": unit.formation},
        may_take_back=arrival.known is None,
        measured=True,
    )
    return {id: (place[0], place[1]) for id, place in places.items()}


def _stand(battle: Battle, unit: Unit, places: dict[str, Point]) -> dict[str, tuple[float, float]]:
    for fighter in unit.figures:
        put(battle, fighter, *places[fighter.id])
    unit.place = "table"
    unit.update_bounds()
    return {id: (in_cm(x), in_cm(y)) for id, (x, y) in places.items()}


def set_up(battle: Battle, unit: Unit, spot: Point, zone: Outline | None = None) -> Asking[bool]:
    """The card is turned over and its unit set up; whether it stands on the table (RN3-DEP-05).

    1. Its player chooses the formation.                                                     RN3-FORM-11
    2. The leader stands on the card's spot, or as near to it as there is a place.
    3. The whole unit is in the zone, in formation, and touches no enemy.
    """
    yield from choose_formation(unit, "RN3-FORM-11")
    arrival = Arrival(battle, unit, InZone(zone) if zone is not None else Area(), spot)
    proven = not arrival.find(hold=True)
    places: dict[str, Point] = {}
    if not proven:
        places = yield from _place(arrival, "set_up", "RN3-DEP-05")
    if not places:
        battle.tell(NoRoomFound("RN3-DEP-05", unit.id, proven))
        return False
    battle.tell(UnitSetUp("RN3-DEP-05", unit.id, unit.side, unit.formation, _stand(battle, unit, places)))
    return True


def enter_from(battle: Battle, unit: Unit, edge: str) -> Asking[bool]:
    """A reserve unit comes in by an edge, within its MOU of it, in a formation chosen now, touching nobody; whether it
    stands on the table (RN3-RSV-11)."""
    yield from choose_formation(unit, "RN3-RSV-11")
    area = FromEdge(battle, unit, edge)
    table, deep = battle.table, min(area.reach.values()) - unit.leading.radius
    middle = (table.width / 2, table.depth / 2)
    spot = {
        "south": (middle[0], deep),
        "north": (middle[0], table.depth - deep),
        "west": (deep, middle[1]),
        "east": (table.width - deep, middle[1]),
    }[edge]
    arrival = Arrival(battle, unit, area, (rounded(spot[0]), rounded(spot[1])))
    proven = not arrival.find(hold=False)
    places: dict[str, Point] = {}
    if not proven:
        places = yield from _place(arrival, "enter_table", "RN3-RSV-11")
    if not places:
        battle.tell(NoRoomFound("RN3-RSV-11", unit.id, proven))
        return False
    stood = _stand(battle, unit, places)
    unit.edge = edge
    battle.tell(UnitEntered("RN3-RSV-11", unit.id, unit.side, edge, unit.formation, stood))
    return True


def place_near(
    battle: Battle,
    unit: Unit,
    spot: Point,
    mystic: Fighter,
    sees: Callable[[float, float], bool],
) -> Asking[bool]:
    """Summoned models are placed: in formation, no farther from the mystic than the spot, all in his sight, touching
    nobody; whether they are (RN3-SUM-02)."""
    yield from choose_formation(unit, "RN3-SUM-02")
    arrival = Arrival(battle, unit, Within(mystic, spot, sees), spot)
    # Sight has boundaries of its own: that the search finds nothing proves nothing, unless the ground is full.
    arrival.find(hold=False)
    places = yield from _place(arrival, "place_summoned", "RN3-SUM-02")
    if not places:
        battle.tell(NoRoomFound("RN3-SUM-02", unit.id, proven=False))
        return False
    battle.tell(UnitSetUp("RN3-SUM-02", unit.id, unit.side, unit.formation, _stand(battle, unit, places)))
    return True


# -- one fighter -------------------------------------------------------------------------------------------------------


class BesideHisOwn(Area):
    """In his unit, in its formation (RN3-ELX-08b, RN3-SKL-51): touching two of a compact one; half a centimetre from
    all of a dispersed one, and within 2.5 cm of somebody. Within 10 cm of the leader, unless he leads himself."""

    def __init__(self, unit: Unit, fighter: Fighter) -> None:
        self.mates = [f for f in unit.figures if f is not fighter]
        self.tight = unit.formation == "compact"
        self.needed = min(2, len(self.mates)) if self.tight else 1
        leads = fighter.profile.incarnate
        self.leader = None if leads or not self.mates else unit.leading

    def why_not(self, fighter: Fighter, x: float, y: float) -> Refusal | None:
        gaps = [hypot(x - f.x, y - f.y) - f.radius - fighter.radius for f in self.mates]
        if not gaps:
            return None
        least, reach = (-TOLERANCE, CONTACT) if self.tight else (LEAST_GAP - CONTACT, NEIGHBOUR + CONTACT)
        if min(gaps) < least:
            return Refusal("RN3-FORM-05", "too_close_together", {"figure": fighter.id})
        if sum(gap <= reach for gap in gaps) < self.needed:
            return Refusal("RN3-FORM-02" if self.tight else "RN3-UNIT-10", "not_beside", {"figure": fighter.id})
        if self.leader is not None:
            away = hypot(x - self.leader.x, y - self.leader.y) - self.leader.radius - fighter.radius
            if away > LEADER_REACH + CONTACT:
                return Refusal("RN3-UNIT-10", "too_far_from_leader", {"figure": fighter.id})
        return None

    def curves(self, fighter: Fighter) -> list[Curve]:
        r = fighter.radius
        apart = (_TOUCHING,) if self.tight else (LEAST_GAP, NEIGHBOUR)
        found: list[Curve] = [Circle(f.x, f.y, r + f.radius + away) for f in self.mates for away in apart]
        if self.leader is not None:
            found.append(Circle(self.leader.x, self.leader.y, r + self.leader.radius + LEADER_REACH))
        return found

    def farthest(self, near: Point) -> float:
        far = (hypot(f.x - near[0], f.y - near[1]) + 3 * f.radius for f in self.mates)
        return max(far, default=0.0) + NEIGHBOUR + cm(5)


def room_in_unit(battle: Battle, unit: Unit, fighter: Fighter) -> Sequence[Point]:
    """Places for somebody who comes back to his unit; none at all is a proof that there is none (RN3-ELX-08b).

    Exact: critical places round his comrades, among everything that stands in the way.
    """
    ground, area = ground_for(battle, unit, fighter), BesideHisOwn(unit, fighter)
    leader = unit.leading
    return [*islice(places_for(ground, fighter, area, (leader.x, leader.y)), OFFERED)]


def ground_for(battle: Battle, unit: Unit, fighter: Fighter) -> Ground:
    """The ground of one who is not on the table yet."""
    ground = ground_of(battle, unit)
    if fighter.id not in ground.gaits and unit.figures:
        ground.gaits = {**ground.gaits, fighter.id: next(iter(ground.gaits.values()))}
    return ground


def place_back(battle: Battle, unit: Unit, fighter: Fighter, rule: str, ask: str) -> Asking[bool]:
    """Somebody takes a place in his unit again, in formation, touching no enemy; whether there is one for him
    (RN3-ELX-08b, RN3-SKL-51). He joins the figures of the unit; what else he gets back is not decided here."""
    rooms = battle.worked_out(lambda: room_in_unit(battle, unit, fighter))
    if not rooms:
        battle.tell(NoRoomForFighter(rule, unit.id, fighter.id))
        return False
    ground, area = ground_for(battle, unit, fighter), BesideHisOwn(unit, fighter)

    def check(places: Places) -> Refusal | None:
        x, y = places[fighter.id][:2]
        return ground.why_not_stand(fighter, x, y) or area.why_not(fighter, x, y)

    def propose(random: Random) -> Places:
        return {fighter.id: rooms[int(random.random() * len(rooms))]}

    places = yield from place_figures(
        unit.side, [fighter.id], check, propose, ask, rule, {"unit": unit.id, "figure": fighter.id}, measured=True
    )
    x, y = places[fighter.id][:2]
    put(battle, fighter, x, y)
    if fighter not in unit.figures:
        unit.figures.append(fighter)
    if fighter in unit.fallen:
        unit.fallen.remove(fighter)
    unit.update_bounds()
    battle.tell(FighterPlaced(rule, unit.id, fighter.id, in_cm(x), in_cm(y)))
    return True
