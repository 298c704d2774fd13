"""What Age of Fantasy shows at the table: reach, the 1" round enemies, coherency, threats, sight, and why not."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot

from oriflamme.engine.core.decisions import Decision, Move, Option, Path, Place
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches
from oriflamme.engine.geometry.sight import sees
from oriflamme.engine.screen.aids import (
    Aid,
    Aids,
    Cannot,
    Circle,
    End,
    Pin,
    Ring,
    Sight,
    Standing,
    Strike,
    reasons,
    star,
)
from oriflamme.engine.screen.aids import until_touch as until
from oriflamme.games.aof.activation import ACTIONS, allowed_actions, walking_ground, why_not_action
from oriflamme.games.aof.charge import charge_ground, gap_between
from oriflamme.games.aof.deployment import AMBUSH_DISTANCE, area_for, distance_for
from oriflamme.games.aof.mission import APART
from oriflamme.games.aof.movement import (
    DIFFICULT_CAP,
    NEIGHBOUR,
    SHORT_MOVE,
    SPREAD,
    Gait,
    Ground,
    gaits_of,
)
from oriflamme.games.aof.shooting import ranged_types, why_not_shoot
from oriflamme.games.aof.sight import can_see, cover_of
from oriflamme.games.aof.state import ENEMY_DISTANCE, Battle, Figure, Unit

# How each question about a move is walked; an Advance or Rush says so itself.
GAITS = {"charge_move": "charge", "counter_move": "counter-move", "move_after_melee": "consolidate"}
REACHES = {"charge": "AOF-MELEE-01", "counter-move": "AOF-MELEE-02", "consolidate": "AOF-MELEE-11"}
RAYS = 40
# Where a hill shortens a move, its end is searched in steps of this length.
CLIMB = inches(0.5)


class AofAids(Aids):
    """The aids of Age of Fantasy."""

    def around(self, battle: Battle, decision: Decision) -> list[Aid]:
        if isinstance(decision, Move):
            return _moving(battle, decision)
        if isinstance(decision, Place):
            return _placing(battle, decision)
        return []

    def threats(self, battle: Battle, side: int) -> list[Aid]:
        found = []
        for unit in battle.on_table():
            if unit.side != side:
                found += [aid for aid in (_charge(battle, unit), _shots(battle, unit)) if aid is not None]
        return found

    def sight(self, battle: Battle, a: End, b: End) -> Sight:
        (eye, by), (mark, of) = _stands(battle, a), _stands(battle, b)
        apart = max(0.0, hypot(eye.x - mark.x, eye.y - mark.y) - eye.radius - mark.radius)
        distance = in_inches(apart)
        facts = {"distance": distance}
        if by is not None and by is of:
            return Sight(distance, True, False, "same_unit", "AOF-LOS-02", facts=facts)
        if not can_see(battle, eye, by, mark, of):
            through = tuple(_in_the_way(battle, eye, by, mark, of))
            return Sight(distance, False, False, "blocked", "AOF-LOS-02", through, facts)
        if isinstance(eye, Figure) and of is not None:
            inside, behind = cover_of(battle, eye, of)
            if inside or behind:
                say = "covered_inside" if inside else "covered_behind"
                return Sight(distance, True, True, say, "AOF-TERRAIN-02", facts=facts | {"unit": of.id})
        return Sight(distance, True, False, "seen", "AOF-LOS-02", facts=facts)

    def strike(self, decision: Decision, option: Option) -> Strike | None:
        unit = decision.about.get("unit", "")
        if decision.ask == "choose_action" and option.key.startswith("charge:"):
            return Strike(unit, option.facts["target"], True)
        if decision.ask == "choose_target" and option.word == "unit":
            return Strike(unit, option.key, False)
        return None

    def cannot(self, battle: Battle, decision: Decision | None, unit: str) -> list[Cannot]:
        about = battle.units[unit]
        if not about.figures:
            return []
        acting = decision.about.get("unit") if decision is not None else None
        if decision is not None and acting and about.side != battle.units[acting].side:
            deed = {"choose_action": "charge", "choose_target": "shoot"}.get(decision.ask, "choose")
            key = f"charge:{unit}" if decision.ask == "choose_action" else unit
            return reasons(decision, [(deed, key)])
        if decision is not None and acting == unit and decision.ask == "choose_action":
            return [*reasons(decision, ((a, a) for a in ACTIONS[:3])), *_out_of_reach(battle, about)]
        found = (
            reasons(decision, [("activate", unit)]) if decision is not None and decision.ask == "choose_unit" else []
        )
        if found or not about.on_table:
            return found
        if about.shaken:
            return [Cannot("act", Refusal("AOF-SHAKEN-01", "stays_idle", {"unit": unit}))]
        barred = [a for a in ACTIONS if a not in allowed_actions(battle, about)]
        refused = ((a, why_not_action(battle, about, a)) for a in barred)
        return [*(Cannot(a, why) for a, why in refused if why is not None), *_out_of_reach(battle, about)]


def _out_of_reach(battle: Battle, unit: Unit) -> list[Cannot]:
    """The charge and the shots that nobody is near enough for, measured to whoever is nearest."""
    enemies = sorted(battle.enemies_of(unit.side), key=lambda e: gap_between(unit, e))
    if not enemies or not unit.figures:
        return []
    found = []
    if "charge" in allowed_actions(battle, unit):
        refusals: list[Cannot] = []
        for enemy in enemies[:3]:
            refusal = why_not_action(battle, unit, f"charge:{enemy.id}")
            if refusal is None:
                refusals = []
                break
            refusals.append(Cannot("charge", refusal))
        found += refusals[:1]
    for weapon in ranged_types(unit).values():
        refused = [why_not_shoot(battle, unit, weapon, enemy) for enemy in enemies]
        if refused[0] is not None and all(refused):
            found.append(Cannot("shoot", refused[0]))
    return found


# -- moving and placing ------------------------------------------------------------------------------------------------


def _moving(battle: Battle, decision: Move) -> list[Aid]:
    unit = battle.units[decision.about["unit"]]
    action = decision.about.get("action") or GAITS.get(decision.ask)
    if action is None:
        return _together(unit)
    gaits = gaits_of(battle, unit, action)
    if action == "charge":
        ground = charge_ground(battle, unit, gaits)
    elif action in ("advance", "rush"):
        ground = walking_ground(battle, unit, gaits)
    else:
        ground = Ground(battle, unit, SHORT_MOVE, keep_off=ENEMY_DISTANCE if action == "consolidate" else 0.0)
    found = []
    # Moved as a whole a unit gets as far as the slowest of its models.
    slowest = min((gaits[figure].allowance for figure in decision.figures), default=0.0)
    for figure in unit.figures:
        if figure.id in decision.figures:
            gait = gaits[figure.id]
            rings = [_ring(ground, figure, gait, far) for far in dict.fromkeys((gait.allowance, slowest))]
            facts = {"reach": in_inches(gait.allowance)}
            rule = REACHES.get(action, "AOF-MOVE-01")
            limits = (gait.allowance, slowest)
            found.append(Aid("reach", "reach", rule, facts, figure.id, rings=tuple(rings), limits=limits))
    if ground.keep_off:
        found += _keep_off(ground.enemies, ground.keep_off, "AOF-MOVE-03")
    return found + _together(unit)


def _ring(ground: Ground, figure: Figure, gait: Gait, allowance: float) -> Ring:
    """Where the base gets in a straight line; round something solid there is often a longer way.

    Difficult ground caps the move at 6", however far it was before it (AOF-TERRAIN-05).
    """
    x, y, r = figure.x, figure.y, figure.radius
    slow = not gait.flies and not gait.strides and allowance > DIFFICULT_CAP
    walls = [] if gait.flies else [o for o in ground.walls if not o.touches_disc(x, y, r)]
    mud = ground.mud if slow else []
    steps = ground.steps and not gait.flies

    def far(dx: float, dy: float) -> float:
        most = allowance
        for outline in mud:
            most = min(most, max(DIFFICULT_CAP, until(outline, x, y, dx, dy, r, most)))
        for outline in walls:
            most = until(outline, x, y, dx, dy, r, most)
        if steps:
            # What is climbed is gone from the move (AOF-MOVE-05).
            while most > 0 and _is_too_long(ground, ((x, y), (x + dx * most, y + dy * most)), gait, r, slow=slow):
                most -= CLIMB
        return max(0.0, most) + r

    return star(x, y, RAYS, far)


def _is_too_long(ground: Ground, way: Path, gait: Gait, r: float, *, slow: bool) -> bool:
    most = DIFFICULT_CAP if slow and ground.is_difficult(way, r) else gait.allowance
    return ground.length(way) > most + TOLERANCE


def _placing(battle: Battle, decision: Place) -> list[Aid]:
    unit = battle.units.get(decision.about.get("unit", ""))
    if unit is None:
        circles = tuple((o.x, o.y, APART) for o in battle.objectives)
        facts = {"needed": in_inches(APART)}
        return [Aid("keep_off", "objectives_apart", "AOF-MISSION-04", facts, circles=circles)] if circles else []
    reserve = decision.about["reserve"]
    x0, y0, x1, y1 = area_for(battle, unit.side, reserve)
    found = [Aid("zone", "zone", decision.rule, of=unit.id, rings=(((x0, y0), (x1, y0), (x1, y1), (x0, y1)),))]
    enemies = [(f.x, f.y, f.radius) for e in battle.enemies_of(unit.side) for f in e.figures]
    if enemies and reserve != "deploy":
        needed = distance_for(reserve)
        found += _keep_off(enemies, needed, "AOF-SR-AMBUSH-02" if needed == AMBUSH_DISTANCE else "AOF-SR-SCOUT-02")
    return found + _together(unit)


def _keep_off(enemies: Iterable[Circle], needed: float, rule: str) -> list[Aid]:
    circles = tuple((round(x, 1), round(y, 1), round(r + needed, 1)) for x, y, r in enemies)
    return [Aid("keep_off", "keep_off", rule, {"needed": in_inches(needed)}, circles=circles)] if circles else []


def _together(unit: Unit) -> list[Aid]:
    if len(unit.figures) < 2:
        return []
    facts = {"next": in_inches(NEIGHBOUR), "all": in_inches(SPREAD)}
    return [Aid("together", "together", "AOF-MOVE-02", facts, unit.id, limits=(NEIGHBOUR, SPREAD))]


# -- threats -----------------------------------------------------------------------------------------------------------


def _charge(battle: Battle, unit: Unit) -> Aid | None:
    """How far it could charge; a Shaken unit only recovers when it acts next."""
    if unit.shaken or "charge" not in allowed_actions(battle, unit):
        return None
    gaits = gaits_of(battle, unit, "charge")
    circles = tuple((f.x, f.y, round(f.radius + gaits[f.id].allowance, 1)) for f in unit.figures)
    facts = {"unit": unit.id, "reach": in_inches(max(g.allowance for g in gaits.values()))}
    return Aid("charge", "threat_charge", "AOF-ACT-05", facts, unit.id, circles)


def _shots(battle: Battle, unit: Unit) -> Aid | None:
    """How far it could shoot, after an Advance if it may."""
    weapons = ranged_types(unit)
    if unit.shaken or not weapons:
        return None
    first = 0.0
    if "advance" in allowed_actions(battle, unit):
        first = max(g.allowance for g in gaits_of(battle, unit, "advance").values())
    reach = first + max(w.range for w in weapons.values())
    armed = [f for f in unit.figures if f.profile.ranged_weapons]
    circles = tuple((f.x, f.y, round(f.radius + reach, 1)) for f in armed)
    return Aid("shoot", "threat_shoot", "AOF-SHOOT-02", {"unit": unit.id, "reach": in_inches(reach)}, unit.id, circles)


# -- sight -------------------------------------------------------------------------------------------------------------


def _stands(battle: Battle, end: End) -> tuple[Standing, Unit | None]:
    if end.figure:
        unit = battle.unit_of(end.figure)
        figure = unit.figure(end.figure)
        if figure is not None:
            return figure, unit
    return Pin(end.x, end.y, battle.table.height_at(end.x, end.y)), None


def _in_the_way(battle: Battle, eye: Standing, by: Unit | None, mark: Standing, of: Unit | None) -> Iterable[str]:
    """The pieces and units that would each hide one from the other; where only several do together, all on the line."""
    line = (eye.x, eye.y, eye.radius, eye.z, mark.x, mark.y, mark.radius, mark.z)
    straight = (eye.x, eye.y, 0.0, eye.z, mark.x, mark.y, 0.0, mark.z)
    alone, crossed = [], []
    for piece in battle.table.with_trait("blocking"):
        if piece.outline.contains(eye.x, eye.y) or piece.outline.contains(mark.x, mark.y):
            continue
        if not sees(*line, [piece], ()):
            alone.append(piece.id)
        elif not sees(*straight, [piece], ()):
            crossed.append(piece.id)
    if battle.options["aof.los"] == "modelsBlock":
        for unit in battle.on_table():
            if unit is by or unit is of:
                continue
            discs = [(f.x, f.y, f.radius, 0.0, f.z + f.height) for f in unit.figures]
            if not sees(*line, [], discs):
                alone.append(unit.id)
            elif not sees(*straight, [], discs):
                crossed.append(unit.id)
    return alone or crossed
