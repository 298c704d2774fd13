"""Before the battle (SBH-SETUP): roles, terrain, markers, edges, deployment and the first turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import cos, floor, hypot, pi, sin
from random import Random

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.decisions import Option, Place, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import answer_to, pick_one, pick_several, place_figures
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import Circle, Curve, critical_places, edges, rim
from oriflamme.engine.geometry.shapes import Disc, Point
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.sbh import resources
from oriflamme.games.sbh.events import (
    BandDeployed,
    EdgeChosen,
    MarkerLaid,
    MarkersDeployed,
    PlaceOfPowerNamed,
    RolesChosen,
    RolledOff,
    ScenarioRolled,
    StayedBehind,
)
from oriflamme.games.sbh.markers import search
from oriflamme.games.sbh.measures import base_width
from oriflamme.games.sbh.moments import Upgrade
from oriflamme.games.sbh.movement import Gait, gait_of, put
from oriflamme.games.sbh.runs import edge_distances
from oriflamme.games.sbh.scenarios import SCENARIOS
from oriflamme.games.sbh.state import Asking, Battle, Fighter, Marker, Step, step
from oriflamme.games.sbh.terrain import lay_terrain, limits, parts
from oriflamme.games.sbh.turns import begin_turn

# How often places for a whole band are looked for before there is said to be none.
TRIES = 20
CROWD = 300
MARKER_TRIES = 100
EDGES = ("south", "north", "west", "east")
OPPOSITE = {"south": "north", "north": "south", "west": "east", "east": "west"}


def roll_off(battle: Battle, about: str, rule: str, bonus: tuple[int, int] = (0, 0)) -> int:
    """A die each, the higher wins; ties are rolled again (SBH-GEN-10)."""
    while True:
        faces = (battle.dice.d6(), battle.dice.d6())
        mine, theirs = faces[0] + bonus[0], faces[1] + bonus[1]
        if mine != theirs:
            winner = 0 if mine > theirs else 1
            battle.tell(RolledOff(rule, about, faces, bonus, winner))
            return winner


@step
def roll_scenario(battle: Battle) -> None:
    """One die (SBH-SCEN-01)."""
    face = battle.dice.d6()
    battle.scenario = SCENARIOS[face - 1]
    battle.tell(ScenarioRolled("SBH-SCEN-01", face, battle.scenario))


@step
def choose_roles(battle: Battle) -> Step:
    """The higher die decides whether to attack or to defend (SBH-SETUP-01)."""
    winner = roll_off(battle, "roles", "SBH-SETUP-01", (_role_bonus(battle, 0), _role_bonus(battle, 1)))
    options = (Option("attacker"), Option("defender"))
    role = yield from pick_one(winner, options, "choose_role", "SBH-SETUP-01", {"scenario": battle.scenario})
    battle.attacker = winner if role == "attacker" else 1 - winner
    battle.tell(RolesChosen("SBH-SETUP-01", battle.attacker, battle.defender))


def _role_bonus(battle: Battle, side: int) -> int:
    bonus = resources.RollBonus()
    at(Upgrade.before_rolling_for_roles, resources.upgrades_of(battle, side), bonus)
    return bonus.amount


@step
def set_terrain(battle: Battle) -> Step:
    """The defender sets up the terrain (SBH-SETUP-02), unless a map was agreed on."""
    yield from lay_terrain(battle)


@step
def name_place_of_power(battle: Battle) -> Step:
    """A randomly chosen player names one piece (SBH-SCEN-POWER-01)."""
    if battle.scenario != "power" or not battle.table.pieces:
        return
    side = roll_off(battle, "place", "SBH-SCEN-POWER-01")
    options = [Option.thing(p.id, p.kind) for p in battle.table.pieces]
    battle.place_of_power = yield from pick_one(side, options, "name_place_of_power", "SBH-SCEN-POWER-01", {})
    battle.tell(PlaceOfPowerNamed("SBH-SCEN-POWER-01", side, battle.place_of_power))


# -- treasure markers --------------------------------------------------------------------------------------------------


@step
def lay_markers(battle: Battle) -> Step:
    """The attacker places three markers, each inside a terrain piece (SBH-SCEN-TREASURE-02, SBH-SCEN-ITEM-01).

    Whether three have room is offered, judged, and taken back: where no places are known for all he may show some, or
    lay one marker less. Whether one has room is proven. Those that are not laid count as searched in vain.
    """
    if battle.scenario not in ("treasure", "item") or not battle.table.pieces:
        return
    rule = "SBH-SCEN-TREASURE-02" if battle.scenario == "treasure" else "SBH-SCEN-ITEM-01"
    laying = _Laying(battle, rule)
    places: Places = {}
    for number in (3, 2, 1) if laying.roomy else ():
        ids = [f"{battle.scenario}.{n + 1}" for n in range(number)]
        places = yield from answer_to(laying.question(ids))
        if places:
            break
    battle.searched += 3 - len(places)
    for id, spot in places.items():
        x, y = battle.ruler.spot(*spot[:2])
        battle.markers = (*battle.markers, Marker(id, battle.scenario, x, y, laying.radius))
        battle.tell(MarkerLaid(rule, battle.attacker, id, laying.inside(x, y)))


class _Laying:
    """The laying of treasure or item markers: what is legal, and the places that are known."""

    def __init__(self, battle: Battle, rule: str) -> None:
        self.battle = battle
        self.rule = rule
        self.radius = normal_radius(battle)
        self.whole = whole_pieces(battle)
        # The pieces in which a marker may lie, those of a river together.
        found = ([p for p in part if _has_room(battle, p, self.radius)] for part in self.whole)
        self.roomy = [part for part in found if part]

    def inside(self, x: float, y: float) -> str:
        return next((p.id for p in self.battle.table.pieces if p.outline.contains(x, y)), "")

    def question(self, ids: Sequence[str]) -> Place:
        known = self.propose(ids, Random(1))
        about = {
            "scenario": self.battle.scenario,
            "kind": self.battle.scenario,
            "radius": self.radius,
            "number": len(ids),
            "crowded": known is None,
        }
        return Place(
            self.battle.attacker,
            ids,
            self.check,
            lambda random: self.propose(ids, random) or known,
            "place_markers",
            self.rule,
            about,
            may_take_back=known is None,
        )

    def check(self, places: Places) -> Refusal | None:
        battle, rule = self.battle, self.rule
        spots = [(id, *battle.ruler.spot(*spot[:2])) for id, spot in places.items()]
        homes = []
        for number, (id, x, y) in enumerate(spots):
            if not battle.table.holds(Disc(self.radius), x, y, 0.0):
                return Refusal(rule, "off_the_table", {"marker": id})
            if not self.inside(x, y):
                return Refusal(rule, "not_in_terrain", {"marker": id})
            if any(hypot(x - ox, y - oy) < 2 * self.radius - TOLERANCE for _, ox, oy in spots[:number]):
                return Refusal(rule, "markers_overlap", {"marker": id})
            homes.append({n for n, part in enumerate(self.whole) if any(p.outline.contains(x, y) for p in part)})
        if _most_distinct(homes) < min(len(spots), len(self.roomy)):
            return Refusal(rule, "different_pieces", {"pieces": len(self.whole)})
        return None

    def propose(self, ids: Sequence[str], random: Random) -> Places | None:
        """Legal places by chance, or else some that are looked for at the ends of the pieces; None if none is found,
        which proves nothing unless it is a single marker."""
        number = min(len(ids), len(self.roomy))
        for _ in range(MARKER_TRIES):
            chosen = [random.choice(part) for part in random.sample(self.roomy, number)]
            chosen += [chosen[-1]] * (len(ids) - number)
            places: Places = {}
            for id, piece in zip(ids, chosen, strict=True):
                o = piece.outline
                x = o.x0 + random.random() * (o.x1 - o.x0)
                y = o.y0 + random.random() * (o.y1 - o.y0)
                places[id] = self.battle.ruler.spot(x, y)
            if self.check(places) is None:
                return places
        for different in combinations(self.roomy, number):
            for more in combinations_with_replacement(self.roomy, len(ids) - number):
                spots = self._apart([*different, *more], [])
                places = dict(zip(ids, spots or (), strict=False))
                if spots is not None and self.check(places) is None:
                    return places
        return None

    def _apart(self, homes: Sequence[Sequence[Piece]], spots: list[Point]) -> list[Point] | None:
        """Places in these parts of the terrain, one after another at the critical places that those before leave."""
        if not homes:
            return spots
        for piece in homes[0]:
            for x, y in marker_places(self.battle, piece, self.radius, spots):
                found = self._apart(homes[1:], [*spots, (x, y)])
                if found is not None:
                    return found
        return None


def whole_pieces(battle: Battle) -> list[tuple[Piece, ...]]:
    """The terrain as the rules count it: a river with its bridges and fords is one piece (SBH-SCEN-BATTLE-05)."""
    return parts(battle.table.pieces, limits(battle.scenario, battle.sticks))


def _most_distinct(homes: Sequence[set[int]]) -> int:
    """In how many different pieces the markers can be said to lie."""
    best = 0

    def assign(number: int, used: frozenset[int]) -> None:
        nonlocal best
        best = max(best, len(used))
        if number < len(homes):
            for home in homes[number]:
                assign(number + 1, used | {home})

    assign(0, frozenset())
    return best


def _has_room(battle: Battle, piece: Piece, radius: float) -> bool:
    """A marker may lie in the piece, its middle inside and all of it on the table: in the middle of the piece, or by
    proof in some place of it."""
    return next(marker_places(battle, piece, radius, ()), None) is not None


def marker_places(battle: Battle, piece: Piece, radius: float, taken: Sequence[Point]) -> Iterator[Point]:
    """The critical places for a marker in a piece, all of it on the table and off those that lie there already: one of
    them is legal if any place is. On hexes, all there are."""
    table, outline, grid = battle.table, piece.outline, battle.ruler.grid

    def fits(x: float, y: float) -> bool:
        free = all(hypot(x - ox, y - oy) >= 2 * radius - TOLERANCE for ox, oy in taken)
        return free and table.holds(Disc(radius), x, y, 0.0) and outline.contains(x, y)

    middle = battle.ruler.spot(outline.cx, outline.cy)
    if fits(*middle):
        yield middle
    if grid is not None:
        places = [grid.centre(cell) for cell in grid.cells]
    else:
        curves: list[Curve] = edges(radius, radius, table.width - radius, table.depth - radius)
        curves += [*rim(outline, -UNTOUCHED), *(Circle(x, y, 2 * radius) for x, y in taken)]
        # The ends first: they leave most room.
        places = critical_places(curves, outline.cx, outline.cy)[::-1]
    for place in places:
        spot = battle.ruler.spot(*place)
        if fits(*spot):
            yield spot


def normal_radius(battle: Battle) -> float:
    """The radius of a base-sized marker: that of a normal fighter, so that it tells nothing."""
    grid = battle.ruler.grid
    if grid is not None:
        return grid.width / 2
    return base_width(battle.scale, 0, False, battle.options["sbh.baseSizes"]) / 2


# -- edges and deployment ----------------------------------------------------------------------------------------------


@step
def choose_edge(battle: Battle) -> Step:
    """The attacker chooses his edge; the defender gets the opposite one (SBH-SETUP-03)."""
    options = [Option(edge) for edge in EDGES]
    edge = yield from pick_one(battle.attacker, options, "choose_edge", "SBH-SETUP-03", {})
    mine, theirs = edge, OPPOSITE[edge]
    battle.edges = (mine, theirs) if battle.attacker == 0 else (theirs, mine)
    for side in (battle.attacker, battle.defender):
        battle.tell(EdgeChosen("SBH-SETUP-03", side, battle.edges[side]))


def from_edge(battle: Battle, side: int, x: float, y: float, r: float) -> float:
    """How far a base is from a side's edge, as sticks measure it; on hexes the first row is 1."""
    away = edge_distances(battle, x, y, r)[battle.edges[side]]
    grid = battle.ruler.grid
    return away if grid is None else floor(away / grid.width + 0.26) + 1


class Standing:
    """Somebody or something to be placed: its base, and what must be true of its place."""

    __slots__ = ("fighter", "id", "radius")

    def __init__(self, id: str, radius: float, fighter: Fighter | None) -> None:
        self.id = id
        self.radius = radius
        self.fighter = fighter


def why_not_there(battle: Battle, side: int, thing: Standing, x: float, y: float, *, ambush: bool) -> Refusal | None:
    """Why it cannot stand there at deployment, whoever else is placed."""
    if not battle.table.holds(Disc(thing.radius), x, y, 0.0):
        return Refusal("SBH-SETUP-04", "off_the_table", {"fighter": thing.id})
    short = battle.ruler.sticks.short
    away = from_edge(battle, side, x, y, thing.radius)
    if away > short + TOLERANCE and not (ambush and _near_the_lair(battle, side, x, y, thing.radius)):
        rule = "SBH-SCEN-AMBUSH-02" if ambush else "SBH-SETUP-04"
        facts = {"fighter": thing.id, "distance": battle.ruler.in_measure(away), "reach": short}
        return Refusal(rule, "too_far_from_the_edge", facts)
    # A marker lies where anybody could stand: its place must not tell whom it hides.
    gait = gait_of(battle, thing.fighter) if thing.fighter is not None and not ambush else Gait("medium")
    for piece in battle.table.touching(x, y, thing.radius, "impassable"):
        if not gait.may_stand(piece):
            return Refusal("SBH-MOVE-06", "impassable", {"piece": piece.id})
    return None


def _near_the_lair(battle: Battle, side: int, x: float, y: float, r: float) -> bool:
    """Within Short of the terrain piece nearest to the defender's edge (SBH-SCEN-AMBUSH-02)."""
    return any(
        piece.outline.distance(x, y) - r <= battle.sticks.short + TOLERANCE
        for part in lairs(battle, side)
        for piece in part
    )


def lairs(battle: Battle, side: int) -> list[tuple[Piece, ...]]:
    """The terrain piece nearest to a side's edge; several if they are equally near."""
    table, edge = battle.table, battle.edges[side]

    def away(part: tuple[Piece, ...]) -> float:
        boxes = [p.outline for p in part]
        near = {
            "west": [o.x0 for o in boxes],
            "east": [table.width - o.x1 for o in boxes],
            "south": [o.y0 for o in boxes],
            "north": [table.depth - o.y1 for o in boxes],
        }
        return min(near[edge])

    whole = whole_pieces(battle)
    nearest = min(map(away, whole), default=0.0)
    return [part for part in whole if away(part) <= nearest + TOLERANCE]


def place_band(
    battle: Battle, side: int, things: list[Standing], ask: str, rule: str, *, ambush: bool
) -> Asking[Places]:
    """Ask a side where all of these stand; gives back their places, or none if it says that they do not all fit.

    Whether a crowd fits is offered, judged, and taken back: a placing that is found proves that there is room, and then
    all are placed; where none is found the player may still find one, or leave some behind (SBH-SETUP-04).
    """
    by_id = {thing.id: thing for thing in things}

    def check(places: Places) -> Refusal | None:
        taken = [(other.x, other.y, other.radius) for other in battle.present()]
        for id, spot in places.items():
            x, y = battle.ruler.spot(*spot[:2])
            thing = by_id[id]
            refusal = why_not_there(battle, side, thing, x, y, ambush=ambush)
            if refusal is not None:
                return refusal
            if any(hypot(x - ox, y - oy) < thing.radius + r - TOLERANCE for ox, oy, r in taken):
                return Refusal("SBH-SETUP-04", "no_room", {"fighter": id})
            taken.append((x, y, thing.radius))
        return _scattered_swarm(battle, by_id, places) if not ambush else None

    def propose(random: Random) -> Places | None:
        # A large band is soon seen not to fit by chance, and long in being placed.
        for _ in range(min(TRIES, 1 + CROWD // len(things))):
            places = _spread(battle, side, things, random, ambush=ambush)
            if places is not None:
                return places
        packed, left = pack(battle, side, things, ambush=ambush)
        return packed if not left and check(packed) is None else None

    known = propose(Random(1))
    about = {"edge": battle.edges[side], "reach": battle.ruler.sticks.short, "crowded": known is None}
    placed = yield from place_figures(
        side,
        list(by_id),
        check,
        lambda random: propose(random) or known if known is not None else None,
        ask,
        rule,
        about,
        may_take_back=known is None,
    )
    return placed


def pack(battle: Battle, side: int, things: list[Standing], *, ambush: bool) -> tuple[Places, list[Standing]]:
    """Legal places shoulder to shoulder, in rows from the edge; and those for whom no place is left that way."""
    edge, table = battle.edges[side], battle.table
    length = table.width if edge in ("south", "north") else table.depth
    taken = [(f.x, f.y, f.radius) for f in battle.present()]
    places: Places = {}
    left: list[Standing] = []
    along = into = deep = 0.0

    def fits(thing: Standing, x: float, y: float) -> bool:
        free = all((x - ox) ** 2 + (y - oy) ** 2 >= (thing.radius + r - TOLERANCE) ** 2 for ox, oy, r in taken)
        return free and why_not_there(battle, side, thing, x, y, ambush=ambush) is None

    # Widest first: no row is deeper than the first of it, and swarms of a type stay together.
    for thing in sorted(things, key=lambda t: (-t.radius, t.fighter.own.card if t.fighter is not None else "", t.id)):
        wide = 2 * thing.radius
        while into <= battle.sticks.short + TOLERANCE:
            if along + wide > length + TOLERANCE:
                along, into, deep = 0.0, into + (deep or wide), 0.0
                continue
            a, b = along + thing.radius, into + thing.radius
            x, y = {
                "south": (a, b),
                "north": (a, table.depth - b),
                "west": (b, a),
                "east": (table.width - b, a),
            }[edge]
            x, y = battle.ruler.spot(x, y)
            if fits(thing, x, y):
                places[thing.id] = (x, y)
                taken.append((x, y, thing.radius))
                along, deep = along + wide, max(deep, wide)
                break
            along += thing.radius / 4
        else:
            left.append(thing)
    return {thing.id: places[thing.id] for thing in things if thing.id in places}, left


def stay_behind(battle: Battle, side: int, band: list[Fighter], left: list[Standing]) -> Asking[list[Fighter]]:
    """Some fighters for whom there is no room stay behind, and count as having left the table; gives back the others.

    Their player chooses who; at least one, and the rest is then placed anew (SBH-SETUP-04).
    """
    ids = [fighter.id for fighter in band]
    unplaced = {thing.id for thing in left}
    behind = yield from pick_several(
        side,
        [Option.thing(id) for id in ids],
        1,
        len(ids),
        "stay_behind",
        "SBH-SETUP-04",
        {},
        secret=True,
        default=[id for id in ids if id in unplaced] or ids[-1:],
    )
    for fighter in band:
        if fighter.id in behind:
            fighter.fate = "left"
            fighter.figures, fighter.fallen = [], [fighter.body]
    battle.tell(StayedBehind("SBH-SETUP-04", side, len(behind)))
    return [fighter for fighter in band if not fighter.fate]


def _scattered_swarm(battle: Battle, by_id: dict[str, Standing], places: Places) -> Refusal | None:
    """Swarm bases of a type stand in contact with another one (SBH-SR-SWARM-02)."""
    touches = battle.ruler.touches
    for id, thing in by_id.items():
        me = thing.fighter
        if me is None or not me.profile.swarm:
            continue
        kin = [
            o
            for o in by_id.values()
            if o is not thing
            and o.fighter is not None
            and o.fighter.profile.swarm
            and o.fighter.own.card == me.own.card
        ]
        x, y = battle.ruler.spot(*places[id][:2])
        spots = [(battle.ruler.spot(*places[o.id][:2]), o.radius) for o in kin]
        if kin and not any(touches(x, y, thing.radius, ox, oy, r) for (ox, oy), r in spots):
            return Refusal("SBH-SR-SWARM-02", "swarm_must_touch", {"fighter": id})
    return None


def _spread(battle: Battle, side: int, things: list[Standing], random: Random, *, ambush: bool) -> Places | None:
    """Legal places by chance, swarms side by side; a scan of the strip for whoever finds none."""
    places: Places = {}
    taken = [(f.x, f.y, f.radius) for f in battle.present()]
    of_type: dict[str, list[tuple[float, float, float]]] = {}

    def type_of(thing: Standing) -> str:
        me = thing.fighter
        return me.own.card if me is not None and me.profile.swarm and not ambush else ""

    # Swarms first, while there is room beside them.
    for thing in sorted(things, key=lambda t: (not type_of(t), type_of(t), -t.radius)):
        kin = of_type.setdefault(type_of(thing), []) if type_of(thing) else []
        spot = _some_spot(battle, side, thing, taken, random, kin, ambush=ambush)
        if spot is None:
            return None
        places[thing.id] = spot
        taken.append((*spot, thing.radius))
        kin.append((*spot, thing.radius))
    return {thing.id: places[thing.id] for thing in things}


def _some_spot(
    battle: Battle,
    side: int,
    thing: Standing,
    taken: list[tuple[float, float, float]],
    random: Random,
    kin: list[tuple[float, float, float]],
    *,
    ambush: bool,
) -> tuple[float, float] | None:
    """A free place by chance, beside one of its kin if it has any."""

    def fits(x: float, y: float) -> bool:
        return why_not_there(battle, side, thing, x, y, ambush=ambush) is None and all(
            (x - ox) ** 2 + (y - oy) ** 2 >= (thing.radius + r - TOLERANCE) ** 2 for ox, oy, r in taken
        )

    if kin:
        spots = (spot for other in random.sample(kin, len(kin)) for spot in _beside(battle, thing, other, random))
        return next((spot for spot in spots if fits(*spot)), None)
    width, depth = battle.table.width, battle.table.depth
    deep = min(battle.sticks.short, 10 * thing.radius) + thing.radius
    edge = battle.edges[side]
    for _ in range(60):
        along, into = random.random(), thing.radius + random.random() * deep
        if ambush and random.random() < 0.5 and battle.table.pieces:
            x, y = random.random() * width, random.random() * depth
        elif edge in ("south", "north"):
            x, y = along * width, into if edge == "south" else depth - into
        else:
            x, y = into if edge == "west" else width - into, along * depth
        x, y = battle.ruler.spot(x, y)
        if fits(x, y):
            return x, y
    rows = max(1, int((battle.sticks.short + 2 * thing.radius) / (2 * thing.radius)))
    for row in range(rows + 1):
        into = thing.radius * (1 + 2 * row)
        length = width if edge in ("south", "north") else depth
        steps = int(length / (thing.radius / 2))
        for n in range(steps):
            along = n * thing.radius / 2
            if edge in ("south", "north"):
                x, y = along, into if edge == "south" else depth - into
            else:
                x, y = into if edge == "west" else width - into, along
            x, y = battle.ruler.spot(x, y)
            if fits(x, y):
                return x, y
    return None


def _beside(
    battle: Battle, thing: Standing, other: tuple[float, float, float], random: Random
) -> list[tuple[float, float]]:
    x, y, r = other
    grid = battle.ruler.grid
    if grid is not None:
        return [grid.spot(*grid.centre(c)) for c in grid.neighbours(grid.cell_at(x, y)) if grid.on_board(c)]
    reach = r + thing.radius
    turn = random.random() * 2 * pi
    return [
        battle.ruler.spot(x + reach * cos(turn + n * pi / 18), y + reach * sin(turn + n * pi / 18)) for n in range(36)
    ]


@step
def deploy_bands(battle: Battle) -> None:
    """The defender first, then the attacker; then the first turn is rolled for (SBH-SETUP-04, -05)."""
    battle.then_all(due(deploy, battle.defender), due(deploy, battle.attacker), due(roll_for_first_turn))


@step
def deploy(battle: Battle, side: int) -> Step:
    """All fighters within Short of the side's edge, or an ambush is laid (SBH-SETUP-04, SBH-SCEN-AMBUSH-01).

    Those for whom there is no room stay behind.
    """
    band = [f for f in battle.units.values() if f.side == side and f.reserve == "band"]
    if not band:
        return
    ambush = battle.scenario == "ambush" and side == battle.defender
    radius = normal_radius(battle)
    while True:
        if ambush:
            things = [Standing(f.id, radius, f) for f in band]
            things += [Standing(f"decoy.{n}", radius, None) for n in range(1, len(band) + 1)]
            places = yield from place_band(battle, side, things, "lay_ambush", "SBH-SCEN-AMBUSH-01", ambush=True)
        else:
            things = [Standing(f.id, f.radius, f) for f in band]
            places = yield from place_band(battle, side, things, "deploy", "SBH-SETUP-04", ambush=False)
        if places:
            break
        band = yield from stay_behind(battle, side, band, pack(battle, side, things, ambush=ambush)[1])
        if not band:
            break
    start = list(battle.start)
    start[side] = len(battle.in_play(side))
    battle.start = (start[0], start[1])
    if ambush:
        _lay_ambush(battle, side, band, things, places)
        return
    for fighter in band:
        fighter.reserve = None
        put(battle, fighter, *battle.ruler.spot(*places[fighter.id][:2]))
    battle.tell(BandDeployed("SBH-SETUP-04", side, tuple(f.id for f in band)))
    for fighter in band:
        search(battle, fighter)


def _lay_ambush(battle: Battle, side: int, band: list[Fighter], things: list[Standing], places: Places) -> None:
    """Two markers for each fighter, half of them decoys; which is which only the defender knows (SBH-SCEN-AMBUSH-03).

    Markers are numbered by where they lie, so that their names tell nothing.
    """
    things = [thing for thing in things if thing.id in places]
    things.sort(key=lambda thing: battle.ruler.spot(*places[thing.id][:2]))
    laid = [
        Marker(
            f"marker.{n}",
            "ambush",
            *battle.ruler.spot(*places[thing.id][:2]),
            thing.radius,
            side,
            thing.id if thing.fighter is not None else "",
        )
        for n, thing in enumerate(things, 1)
    ]
    battle.markers = (*battle.markers, *laid)
    for fighter in band:
        fighter.reserve = "marker"
    battle.tell(MarkersDeployed("SBH-SCEN-AMBUSH-01", side, len(laid)))


@step
def roll_for_first_turn(battle: Battle) -> None:
    """A new roll: the higher takes the first turn (SBH-SETUP-05)."""
    first = roll_off(battle, "first", "SBH-SETUP-05")
    battle.then(begin_turn, first)
