"""Attacks on an area or a line, and the points they are aimed at (LFW-SR-EQP-07, -14, -20, LFW-SPL-05, LFW-MAG-07).

Everybody an area catches suffers an attack of his own, friend or foe, and of a duo each component: such attacks are
never redirected (LFW-CAV-09).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import cos, hypot, radians, sin
from random import Random
from typing import Final

from oriflamme.engine.core.decisions import Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import place_figures
from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.geometry.shapes import Point, point_segment_distance
from oriflamme.games.lfw.attacks import SPELL_ATTACK, attack_value, make_attack
from oriflamme.games.lfw.dicing import roll_amount, thrower
from oriflamme.games.lfw.events.attacks import PointAimed
from oriflamme.games.lfw.ground import distance_to_point, in_melee
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.rolls import roll_test
from oriflamme.games.lfw.shooting import Volley, resolve_shot
from oriflamme.games.lfw.sight import cover_from, sees_place
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Power
from oriflamme.games.lfw.values import Amount

BLAST_SKILL = 2  # CT of the attacks of an explosion (LFW-SR-EQP-07b)
BREATH = 1.0  # inches round the line, and off the shooter (LFW-SR-EQP-20)


def parts_of(models: Iterable[Model]) -> tuple[str, ...]:
    """The components of some models, by id."""
    return tuple(part.id for model in models for part in model.alive)


def models_near(battle: Battle, point: Point, reach: float) -> list[Model]:
    """Models within so many inches of a point (LFW-DIST-06)."""
    return [m for m in battle.there() if distance_to_point(battle, m, *point) <= inches(reach) + TOLERANCE]


def models_on(battle: Battle, start: Point, end: Point, width: float = 0.0) -> list[Model]:
    """Models whose base a line touches, or that are within a width of it."""
    return [
        model
        for model in battle.there()
        if point_segment_distance(model.body.x, model.body.y, *start, *end) <= model.body.radius + width + TOLERANCE
    ]


def parts_on_line(volley: Volley, length: float) -> tuple[str, ...]:
    """A line from the nearest point of the target, away from the shooter (LFW-SR-EQP-14)."""
    battle = volley.battle
    shooter, target = volley.model.body, battle.model_of(volley.target).body
    dx, dy = _towards((shooter.x, shooter.y), (target.x, target.y))
    start = (target.x - dx * target.radius, target.y - dy * target.radius)
    end = (start[0] + dx * inches(length), start[1] + dy * inches(length))
    return parts_of(model for model in models_on(battle, start, end) if model is not volley.model)


def parts_in_breath(volley: Volley) -> tuple[str, ...]:
    """A zone of 1" round the line from 1" off the shooter to the target's centre (LFW-SR-EQP-20)."""
    battle = volley.battle
    shooter, target = volley.model.body, battle.model_of(volley.target).body
    dx, dy = _towards((shooter.x, shooter.y), (target.x, target.y))
    off = min(shooter.radius + inches(BREATH), hypot(target.x - shooter.x, target.y - shooter.y))
    start = (shooter.x + dx * off, shooter.y + dy * off)
    caught = models_on(battle, start, (target.x, target.y), inches(BREATH))
    return parts_of(model for model in caught if model is not volley.model)


def _towards(start: Point, end: Point) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    return ((end[0] - start[0]) / length, (end[1] - start[1]) / length) if length > TOLERANCE else (0.0, 0.0)


# -- explosions --------------------------------------------------------------------------------------------------------


def explode(volley: Volley, point: Point, drift: Amount, radius: float) -> Asking[None]:
    """A shot at a point: it stays there or drifts, and everybody near it is attacked (LFW-SR-EQP-07a, -07b)."""
    volley.done = True
    final = yield from place_blast(volley.battle, volley.part, volley.weapon, point, drift, volley.bonus)
    number = yield from attack_value(volley.battle, volley.part, volley.weapon)
    yield from blast(volley.battle, volley.part, volley.weapon, final, radius, number)


def place_blast(
    battle: Battle,
    part: Part,
    weapon: Weapon,
    point: Point,
    drift: Amount,
    bonus: Sequence[tuple[int, str, str]] = (),
) -> Asking[Point]:
    """One hit roll without dodge, never critical: the point stays, or moves in a random direction (LFW-SR-EQP-07a,
    -07c). Wind moves it besides (LFW-SPELL-V5)."""
    trial = make_attack(battle, "ranged", part, part, weapon, number=1)
    trial.guard.restart(0, [])
    trial.may_be_critical = False
    for amount, source, rule in bonus:
        trial.bonus.change_by(amount, source, rule)
    at(Keyword.when_attacking, trial.sets, trial)
    trial.guard.restart(0, [])
    (aimed,) = yield from roll_test(thrower(battle), part.side, 1, "hit", trial.judge, trial.rerolls["hit"], part.id)
    far, degrees = 0.0, 0.0
    if not aimed.success:
        far = float((yield from roll_amount(battle, part.side, drift, "drift")))
        degrees = battle.dice.direction()
        point = moved(point, far, degrees)
    battle.tell(PointAimed("LFW-SR-EQP-07a", part.id, aimed.face, aimed.result, trial.skill.value, far, degrees))
    for power in battle.powers:
        if power.source in DRIFTS:
            point = moved(point, *DRIFTS[power.source](power))
    return point


def moved(point: Point, far: float, degrees: float) -> Point:
    """A point so many inches away in a direction."""
    angle = radians(degrees)
    return rounded(point[0] + inches(far) * cos(angle)), rounded(point[1] + inches(far) * sin(angle))


# Powers that move the points of all explosions, by their source: how far in inches, and in which direction.
DRIFTS: Final[dict[str, Callable[[Power], tuple[float, float]]]] = {}


def blast(
    battle: Battle, part: Part, weapon: Weapon, point: Point, radius: float, number: int, *, stronger: int = 0
) -> Asking[None]:
    """Everybody within the radius suffers a ranged attack with CT 2+, never critical; dodge counts, and cover as seen
    from the point (LFW-SR-EQP-07b, -07c). `stronger` is the strength against who stands on the point itself."""
    for id in parts_of(models_near(battle, point, radius)):
        victim = battle.part(id)
        model = battle.model_of(victim)
        if victim.destroyed or not model.on_table:
            continue
        attack = make_attack(battle, "ranged", part, victim, weapon, number=number, skill=BLAST_SKILL)
        attack.may_be_critical = False
        attack.cover = cover_from(battle, point, model)
        if stronger and distance_to_point(battle, model, *point) <= TOLERANCE:
            attack.strength.base = stronger
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
        return Refusal("LFW-SPL-05", "out_of_range", {**facts, "gap": in_inches(gap), "reach": reach})
    if (visible or projectile) and not sees_place(battle, model, x, y):
        return Refusal("LFW-MAG-07" if projectile else "LFW-SPL-05", "point_not_visible", facts)
    if projectile:
        for other in models_near(battle, point, 0.0):
            if in_melee(battle, other):
                return Refusal("LFW-MAG-07", "on_who_is_in_melee", {**facts, "target": other.id})
    return None


def choose_point(
    battle: Battle,
    caster: Part,
    about: str,
    reach: float,
    *,
    visible: bool = True,
    projectile: bool = False,
    besides: Callable[[Point], Refusal | None] | None = None,
) -> Asking[Point]:
    """A point of the table within range of the caster: where is judged, not searched (LFW-SPL-05). `besides` says what
    else is wrong with a point."""
    model = battle.model_of(caster)

    def why_not(point: Point) -> Refusal | None:
        found = why_not_point(battle, caster, point, reach, visible=visible, projectile=projectile)
        return found if found is not None or besides is None else besides(point)

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
    places = yield from place_figures(
        caster.side, ("point",), check, propose, "choose_point", "LFW-SPL-05", facts, pointing=True
    )
    x, y, *_ = places["point"]
    return x, y
