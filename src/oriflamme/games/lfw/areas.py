"""Attacks on an area or a line, and the points they are aimed at (LFW-SR-EQP-07, -14, -20, LFW-SPL-05, LFW-MAG-07).

Everybody an area catches suffers an attack of his own, friend or foe, and of a duo each component: such attacks are
never redirected (LFW-CAV-09).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import atan2, cos, degrees, hypot, inf, radians, sin
from random import Random
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Place, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import answer_to, place_figures
from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.geometry.shapes import Point, point_segment_distance
from oriflamme.engine.heights import distances
from oriflamme.engine.table.insides import TABLE
from oriflamme.games.lfw.attack import Attack
from oriflamme.games.lfw.attacks import SPELL_ATTACK, attack_value, make_attack
from oriflamme.games.lfw.dicing import roll_amount, thrower
from oriflamme.games.lfw.events.attacks import PointAimed
from oriflamme.games.lfw.ground import distance_to_point, in_melee
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.rolls import roll_test
from oriflamme.games.lfw.shooting import PLAIN, Blast, Terms, Volley, permission, resolve_shot
from oriflamme.games.lfw.sight import cover_from, sees_place
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Power
from oriflamme.games.lfw.terrain import spot_of
from oriflamme.games.lfw.values import Amount

BLAST_SKILL = 2  # CT of the attacks of an explosion (LFW-SR-EQP-07b)
_BESIDE = 0.25  # inches: a point of any base, to point at from its middle
BREATH = 1.0  # inches round the line, and off the shooter (LFW-SR-EQP-20)


def parts_of(models: Iterable[Model]) -> tuple[str, ...]:
    """The components of some models, by id."""
    return tuple(part.id for model in models for part in model.alive)


def models_near(battle: Battle, point: Point, reach: float) -> list[Model]:
    """Models within so many inches of a point (LFW-DIST-06)."""
    return [m for m in battle.there() if distance_to_point(battle, m, *point) <= inches(reach) + TOLERANCE]


class Leg(NamedTuple):
    """A straight part of a line, on one board."""

    board: str
    start: Point
    end: Point

    @property
    def towards(self) -> Point:
        """Its direction."""
        return _towards(self.start, self.end)

    def touches(self, model: Model, width: float = 0.0) -> bool:
        """It touches the base of a model, or comes within a width of it."""
        body = model.body
        far = point_segment_distance(body.x, body.y, *self.start, *self.end)
        return model.board == self.board and far <= body.radius + width + TOLERANCE


def models_on(battle: Battle, legs: Iterable[Leg], width: float = 0.0) -> list[Model]:
    """Models whose base a line touches, or that are within a width of it."""
    parts = list(legs)
    return [model for model in battle.there() if any(leg.touches(model, width) for leg in parts)]


def line_to(battle: Battle, model: Model, end: Point) -> list[Leg]:
    """The line from the middle of a model to a point: straight, and to another board through the openings by which the
    distance is measured (LFW-TERR-25)."""
    table, here = battle.table, (model.body.x, model.body.y)
    found = distances.measure(table, spot_of(model), distances.Spot(*end), battle.closed, heights=False)
    board, legs = model.board, list[Leg]()
    for id in found.openings if found is not None else ():
        near, far = sorted(table.opening(id).mouths, key=lambda mouth: mouth.board != board)
        legs.append(Leg(board, here, near.nearest(*here)))
        board, here = far.board, far.nearest(*end) if far.board == table.board_at(*end) else far.middle
    return [*legs, Leg(board, here, end)]


def parts_on_line(volley: Volley, length: float) -> tuple[str, ...]:
    """A line from the nearest point of the target, away from the shooter (LFW-SR-EQP-14)."""
    if volley.target is None:
        return ()
    battle = volley.battle
    target = battle.model_of(volley.target).body
    last = line_to(battle, volley.model, (target.x, target.y))[-1]
    dx, dy = last.towards
    start = (target.x - dx * target.radius, target.y - dy * target.radius)
    end = (start[0] + dx * inches(length), start[1] + dy * inches(length))
    line = [Leg(last.board, start, end)]
    return parts_of(model for model in models_on(battle, line) if model is not volley.model)


def parts_in_breath(volley: Volley) -> tuple[str, ...]:
    """A zone of 1" round the line from 1" off the shooter to the target's centre (LFW-SR-EQP-20)."""
    if volley.target is None:
        return ()
    battle = volley.battle
    shooter, target = volley.model.body, battle.model_of(volley.target).body
    first, *others = line_to(battle, volley.model, (target.x, target.y))
    dx, dy = first.towards
    off = min(shooter.radius + inches(BREATH), hypot(first.end[0] - shooter.x, first.end[1] - shooter.y))
    line = [first._replace(start=(shooter.x + dx * off, shooter.y + dy * off)), *others]
    caught = models_on(battle, line, inches(BREATH))
    return parts_of(model for model in caught if model is not volley.model)


def _towards(start: Point, end: Point) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    return ((end[0] - start[0]) / length, (end[1] - start[1]) / length) if length > TOLERANCE else (0.0, 0.0)


# -- explosions --------------------------------------------------------------------------------------------------------


class Impact(NamedTuple):
    """Where an explosion strikes: a point on the plane of a board, beyond its edge too (LFW-SR-EQP-07a)."""

    x: float
    y: float
    board: str

    def gap(self, battle: Battle, model: Model) -> float:
        """How far a base is from it: through openings only if it has not left its board."""
        if model.board == self.board:
            return max(0.0, hypot(model.body.x - self.x, model.body.y - self.y) - model.body.radius)
        left = battle.table.board_at(self.x, self.y) != self.board
        return inf if left else distance_to_point(battle, model, self.x, self.y)


def explode(battle: Battle, part: Part, what: Blast, point: Point, terms: Terms = PLAIN) -> Asking[None]:
    """An attack on a point: it stays there or drifts, and everybody near it is attacked (LFW-SR-EQP-07a, -07b). Both
    are done on the terms of the shot."""
    final = yield from place_blast(battle, part, what.weapon, point, what.drift, terms)
    number = yield from attack_value(battle, part, what.weapon)
    yield from blast(battle, part, what, final, number, terms)


def explode_there(volley: Volley) -> Asking[None]:
    """A shot that explodes at the middle of its target, or at a point in range that the shooter sees and chooses
    (LFW-SR-EQP-07a)."""
    assert volley.explosion is not None
    battle, part = volley.battle, volley.part
    if volley.target is not None:
        body = battle.model_of(volley.target).body
        point = (body.x, body.y)
    else:
        reach = permission(battle, part, volley.weapon).range
        point = yield from choose_point(battle, part, volley.weapon.id, reach, rule="LFW-SR-EQP-07a")
    yield from explode(battle, part, volley.explosion, point, volley.terms)


def place_blast(
    battle: Battle,
    part: Part,
    weapon: Weapon,
    point: Point,
    drift: Amount,
    terms: Terms = PLAIN,
) -> Asking[Impact]:
    """One hit roll: the point stays, or moves in a random direction (LFW-SR-EQP-07a)."""
    trial = aim_of(battle, part, weapon, terms)
    (aimed,) = yield from roll_test(thrower(battle), part.side, 1, "hit", trial.judge, trial.rerolls["hit"], part.id)
    far, degrees = 0.0, 0.0
    if not aimed.success:
        far = float((yield from roll_amount(battle, part.side, drift, "drift")))
        degrees = battle.dice.direction()
    battle.tell(PointAimed("LFW-SR-EQP-07a", part.id, aimed.face, aimed.result, trial.skill.value, far, degrees))
    return drifted(battle, point, far, degrees)


def aim_of(battle: Battle, part: Part, weapon: Weapon, terms: Terms = PLAIN) -> Attack:
    """The hit roll at a point: nothing dodges, and it is never critical (LFW-SR-EQP-07a, -07c)."""
    trial = make_attack(battle, "ranged", part, part, weapon, number=1)
    trial.guard.restart(0, [])
    trial.may_be_critical = False
    terms.apply(trial)
    at(Keyword.when_attacking, trial.sets, trial)
    trial.guard.restart(0, [])
    return trial


def drifted(battle: Battle, point: Point, far: float, degrees: float) -> Impact:
    """Where a point comes to lie that drifts so far; wind moves it besides (LFW-SPELL-V5). It stays on the plane of its
    board."""
    board = battle.table.board_at(*point) or TABLE
    point = moved(point, far, degrees) if far else point
    for power in battle.powers:
        if power.source in DRIFTS:
            point = moved(point, *DRIFTS[power.source](power))
    return Impact(*point, board)


def moved(point: Point, far: float, degrees: float) -> Point:
    """A point so many inches away in a direction."""
    angle = radians(degrees)
    return rounded(point[0] + inches(far) * cos(angle)), rounded(point[1] + inches(far) * sin(angle))


# Powers that move the points of all explosions, by their source: how far in inches, and in which direction.
DRIFTS: Final[dict[str, Callable[[Power], tuple[float, float]]]] = {}


def blast(battle: Battle, part: Part, what: Blast, point: Impact, number: int, terms: Terms = PLAIN) -> Asking[None]:
    """Everybody within the radius suffers a ranged attack with CT 2+, never critical; dodge counts, and cover as seen
    from the point (LFW-SR-EQP-07b, -07c)."""
    reach = inches(what.radius) + TOLERANCE
    for id in parts_of([model for model in battle.there() if point.gap(battle, model) <= reach]):
        victim = battle.part(id)
        model = battle.model_of(victim)
        if victim.destroyed or not model.on_table:
            continue
        attack = make_attack(battle, "ranged", part, victim, what.weapon, number=number, skill=BLAST_SKILL)
        terms.apply(attack)
        attack.may_be_critical = False
        attack.cover = cover_from(battle, point.x, point.y, point.board, model)
        if what.stronger and point.gap(battle, model) <= TOLERANCE:
            attack.strength.base = what.stronger
        yield from resolve_shot(battle, attack, redirects=False)


# -- attacks of spells -------------------------------------------------------------------------------------------------


def spell_weapon(id: str, strength: int, rules: Iterable[str] = (), attack: Amount = SPELL_ATTACK) -> Weapon:
    """What a spell attacks with (LFW-SPL-09)."""
    return Weapon(id, {"en": id, "fr": id}, 0.0, attack, strength, rules)


def attack_all(battle: Battle, caster: Part, weapon: Weapon, parts: Iterable[str], *, covered: bool) -> Asking[None]:
    """Each of some parts suffers a ranged attack of a spell, resolved with the caster's CT unless its rules say
    otherwise (LFW-SPL-08); cover counts against projectiles only (LFW-MAG-08, -09)."""
    for id in parts:
        victim = battle.part(id)
        if victim.destroyed or not battle.model_of(victim).on_table:
            continue
        number = yield from attack_value(battle, caster, weapon)
        attack = make_attack(battle, "ranged", caster, victim, weapon, number=number)
        yield from resolve_shot(battle, attack, redirects=False, covered=covered)


# -- points ------------------------------------------------------------------------------------------------------------


def why_not_point(
    battle: Battle, caster: Part, point: Point, reach: float, *, visible: bool, projectile: bool
) -> Refusal | None:
    """Why a point may not be chosen: out of range, unseen, or on somebody in a melee (LFW-SPL-05, LFW-MAG-07)."""
    model = battle.model_of(caster)
    x, y = point
    facts: dict[str, object] = {"unit": caster.id}
    if battle.table.board_at(x, y) is None:
        return Refusal("LFW-SPL-05", "point_off_table", facts)
    gap = distance_to_point(battle, model, x, y)
    if gap > inches(reach) + TOLERANCE:
        return Refusal("LFW-SPL-05", "point_out_of_range", {**facts, "gap": in_inches(gap), "reach": reach})
    if (visible or projectile) and not sees_place(battle, model, x, y):
        return Refusal("LFW-MAG-07" if projectile else "LFW-SPL-05", "point_not_visible", facts)
    if projectile:
        for other in models_near(battle, point, 0.0):
            if in_melee(battle, other):
                return Refusal("LFW-MAG-07", "on_who_is_in_melee", {**facts, "target": other.id})
    return None


def choose_direction(battle: Battle, caster: Part, model: Model, about: str, rule: str) -> Asking[float]:
    """The caster's player points from a model in any direction, in degrees."""
    x, y = model.body.x, model.body.y

    def check(places: Places) -> Refusal | None:
        ((px, py, *_),) = places.values()
        if hypot(px - x, py - y) > TOLERANCE and battle.table.board_at(px, py) == model.board:
            return None
        return Refusal(rule, "no_direction", {"unit": model.id})

    def propose(random: Random) -> Places:
        return {"point": moved((x, y), _BESIDE, random.uniform(0.0, 360.0))}

    facts = {"unit": caster.id, "about": about, "target": model.id}
    places = yield from place_figures(
        caster.side, ("point",), check, propose, "choose_direction", rule, facts, pointing=True
    )
    px, py, *_ = places["point"]
    return degrees(atan2(py - y, px - x))


def choose_point(
    battle: Battle,
    caster: Part,
    about: str,
    reach: float,
    *,
    visible: bool = True,
    projectile: bool = False,
    rule: str = "LFW-SPL-05",
) -> Asking[Point]:
    """A point of the table within range of the caster, or of a weapon: where is judged, not searched (LFW-SPL-05). Its
    own place is always one."""
    asked = _point_question(battle, caster, about, reach, visible=visible, projectile=projectile, rule=rule)
    x, y, *_ = (yield from answer_to(asked))["point"]
    return x, y


def choose_point_if_any(
    battle: Battle, caster: Part, about: str, reach: float, besides: Callable[[Point], Refusal | None]
) -> Asking[Point | None]:
    """A visible point with which nothing is wrong `besides`. Whether there is one is too rich a question to decide: it
    is put, what is pointed at is judged, and it may be taken back."""
    places = yield from answer_to(_point_question(battle, caster, about, reach, besides=besides, may_take_back=True))
    if not places:
        return None
    x, y, *_ = places["point"]
    return x, y


def _point_question(
    battle: Battle,
    caster: Part,
    about: str,
    reach: float,
    *,
    visible: bool = True,
    projectile: bool = False,
    rule: str = "LFW-SPL-05",
    besides: Callable[[Point], Refusal | None] | None = None,
    may_take_back: bool = False,
) -> Place:
    model = battle.model_of(caster)

    def why_not(point: Point) -> Refusal | None:
        found = why_not_point(battle, caster, point, reach, visible=visible, projectile=projectile)
        if found is not None:
            return found if found.rule != "LFW-SPL-05" else Refusal(rule, found.why, found.facts)
        return besides(point) if besides is not None else None

    def check(places: Places) -> Refusal | None:
        ((x, y, *_),) = places.values()
        return why_not((x, y))

    def propose(random: Random) -> Places | None:
        enemies = [other.body for other in battle.enemies_of(model)]
        spots = [(body.x, body.y) for body in enemies]
        random.shuffle(spots)
        for _ in range(16):
            far, angle = inches(reach) * random.random() ** 0.5, random.uniform(0.0, 360.0)
            spots.append(moved((model.body.x, model.body.y), far / inches(1), angle))
        spots.append((model.body.x, model.body.y))
        for spot in spots:
            if why_not(spot) is None:
                return {"point": spot}
        return None

    facts = {"unit": caster.id, "about": about, "reach": reach}
    return Place(
        caster.side,
        ("point",),
        check,
        propose,
        "choose_point",
        rule,
        facts,
        pointing=True,
        may_take_back=may_take_back,
    )
