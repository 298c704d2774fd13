"""What Last Fantasy War shows at the table: reach, zones, threats, sight with cover and light, costs of a way, why not.

Everything asks the very functions that will judge: `walking`, `charge`, `shooting` and `sight`.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Any, Final

from oriflamme.engine.core.decisions import Decision, Move, Moves, Option, Place
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.heights import walks
from oriflamme.engine.heights.walks import Item
from oriflamme.engine.screen.aids import Aid, Aids, Cannot, Cost, End, Sight, Strike, reasons
from oriflamme.games.lfw.charge import why_not_charge
from oriflamme.games.lfw.deployment import terms_of
from oriflamme.games.lfw.gait import gait_of, gait_of_inches
from oriflamme.games.lfw.ground import distance, distance_to_point
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.shooting import permission, why_not_shoot, why_not_target
from oriflamme.games.lfw.sight import NIGHT, QUARTERS, cover_of, has_line, hidden, is_lit, sees, sees_place
from oriflamme.games.lfw.state import MOVES, Battle, Model
from oriflamme.games.lfw.terrain import relief_for
from oriflamme.games.lfw.walking import Walk

RAYS: Final = 48
# Questions that ask for a way, and the kind of move it is where the question does not say.
_WAYS: Final = {"move": "", "charge_move": "charge", "hide": "flee"}
_CHOICES: Final = {
    "choose_charger": "charge",
    "charge_target": "charge",
    "choose_runner": "run",
    "choose_mover": "move",
    "choose_engaged": "engage",
    "choose_shooter": "shoot",
    "shoot_at": "shoot",
    "strike_at": "strike",
}


class LfwAids(Aids):
    """The aids of Last Fantasy War."""

    def around(self, battle: Battle, decision: Decision) -> list[Aid]:
        model = battle.units.get(decision.about.get("unit", ""))
        if model is None:
            return []
        if isinstance(decision, Move) and decision.ask == "move" and decision.about.get("how") in MOVES:
            return [_reach(battle, model, decision.about["how"], decision.about["reach"])]
        if isinstance(decision, Place) and decision.ask == "deploy":
            terms = terms_of(battle, model)
            outlines = terms.zone.outlines(battle)
            rings = tuple(outline.corners() for outline in outlines if not outline.is_circle)
            circles = tuple((outline.cx, outline.cy, outline.reach) for outline in outlines if outline.is_circle)
            return (
                [Aid("zone", "zone", terms.rule, {"unit": model.id}, circles=circles, rings=rings)] if outlines else []
            )
        return []

    def threats(self, battle: Battle, side: int) -> list[Aid]:
        """How far each enemy could charge and shoot, if nothing were in the way (LFW-CHG-04, LFW-SHOOT-05)."""
        found = []
        for model in battle.there():
            if model.side == side or (side >= 0 and battle.are_friends(side, model.side)) or model.fleeing:
                continue
            gait = gait_of(battle, model, "charge")
            found.append(_ring(model, "charge", "threat_charge", "LFW-CHG-04", gait.reach))
            ranges = [
                permission(battle, part, weapon).range
                for part in model.alive
                for weapon in part.weapons
                if not weapon.melee
            ]
            if ranges:
                found.append(_ring(model, "shoot", "threat_shoot", "LFW-SHOOT-05", inches(max(ranges))))
        return found

    def sight(self, battle: Battle, a: End, b: End) -> Sight:
        eye, mark = battle.units.get(a.figure), battle.units.get(b.figure)
        if eye is not None and mark is not None:
            return _sight(battle, eye, mark)
        if eye is not None:
            return _sight_of_place(battle, eye, b)
        if mark is not None:
            apart = in_inches(distance_to_point(battle, mark, a.x, a.y))
        else:
            apart = in_inches(hypot(a.x - b.x, a.y - b.y))
        return Sight(apart, True, False, "apart", "LFW-DIST-02", facts={"distance": apart})

    def costs(self, battle: Battle, decision: Decision, answer: Moves) -> list[Cost]:
        """What a way costs: inches on the level, climbs, jumps, difficult ground, water, doors (LFW-MOVE-04)."""
        model = battle.units.get(decision.about.get("unit", ""))
        if model is None or decision.ask not in _WAYS or not answer:
            return []
        kind = decision.about.get("how", _WAYS[decision.ask])
        (points,) = answer.values()
        here = (model.body.x, model.body.y)
        way: Any = (here, *(points[1:] if tuple(points[0]) == here else points))
        gait = gait_of(battle, model, kind if kind in MOVES else "normal").walk()
        bill = walks.bill(walks.trace(relief_for(battle, model), way, gait, battle.closed))
        return [_cost(item) for item in bill.items if item.length > 0.0 or item.what == "jump"]

    def strike(self, decision: Decision, option: Option) -> Strike | None:
        # Parts of a duo are named after their model.
        by, on = (name.partition(".")[0] for name in (decision.about.get("unit", ""), option.key))
        if decision.ask in ("shoot_at", "shoot_besides") and option.key != "hold":
            return Strike(by, on, False)
        return Strike(by, on, True) if decision.ask in ("strike_at", "charge_target") else None

    def cannot(self, battle: Battle, decision: Decision | None, unit: str) -> list[Cannot]:
        about = battle.units[unit]
        if decision is None or not about.on_table:
            return []
        found = reasons(decision, [(_CHOICES[decision.ask], unit)]) if decision.ask in _CHOICES else []
        if found or decision.side < 0:
            return found
        mine = battle.are_friends(decision.side, about.side)
        if decision.ask == "choose_charger" and mine:
            return _nobody_to_charge(battle, decision, about)
        if decision.ask == "choose_shooter" and mine:
            return _nobody_to_shoot(battle, decision, about)
        return []


def _offered(decision: Decision, model: Model) -> bool:
    return any(option.key == model.id for option in getattr(decision, "options", ()))


def _nobody_to_charge(battle: Battle, decision: Decision, model: Model) -> list[Cannot]:
    """Why it does not charge the nearest enemy."""
    foes = sorted(battle.enemies_of(model), key=lambda foe: distance(battle, model, foe))
    refusal = why_not_charge(battle, model, foes[0]) if foes and not _offered(decision, model) else None
    return [Cannot("charge", refusal)] if refusal is not None else []


def _nobody_to_shoot(battle: Battle, decision: Decision, model: Model) -> list[Cannot]:
    """Why it does not shoot at the nearest enemy, with each of its weapons."""
    foes = sorted(battle.enemies_of(model), key=lambda foe: distance(battle, model, foe))
    if not foes or _offered(decision, model):
        return []
    found = []
    for part in model.alive:
        for weapon in part.weapons:
            if not weapon.melee:
                refusal = why_not_shoot(battle, part, weapon, foes[0]) or why_not_target(battle, model, foes[0])
                found += [Cannot("shoot", refusal)] if refusal is not None else []
    return found


def _reach(battle: Battle, model: Model, how: str, reach: float) -> Aid:
    """How far it gets straight ahead in every direction, over everything it steps on, climbs and wades through."""
    gait = gait_of_inches(battle, model, reach, how)
    gait.burden, gait.kind = 0, "normal"
    paid = gait.walk()
    walk = Walk(battle, gait, "LFW-MOVE-04")
    x, y = walk.start
    far = inches(reach)
    ring = []
    for n in range(RAYS):
        dx, dy = cos(2 * pi * n / RAYS), sin(2 * pi * n / RAYS)
        end = walks.farthest(
            walk.relief, (walk.start, (x + dx * far, y + dy * far)), paid, far, walk.least, battle.closed
        )[-1]
        there = hypot(end[0] - x, end[1] - y) + model.body.radius
        ring.append((round(x + dx * there, 1), round(y + dy * there, 1)))
    facts = {"unit": model.id, "reach": reach}
    return Aid("reach", "reach", "LFW-MOVE-04", facts, model.id, rings=(tuple(ring),), limits=(far,))


def _ring(model: Model, kind: str, say: str, rule: str, reach: float) -> Aid:
    body = model.body
    circle = (body.x, body.y, round(body.radius + reach, 1))
    return Aid(kind, say, rule, {"unit": model.id, "reach": in_inches(reach)}, model.id, (circle,))


def _sight(battle: Battle, eye: Model, mark: Model) -> Sight:
    """From one unit to another: how far, whether it is seen, how many quarters are hidden, and in which light."""
    apart = distance(battle, eye, mark)
    if eye is mark:
        return Sight(0.0, True, False, "itself", "LFW-DIST-12", facts={"unit": eye.id})
    if apart == float("inf"):
        return Sight(0.0, False, False, "no_exit", "LFW-TERR-25", facts={"target": mark.id})
    length = in_inches(apart)
    facts: dict[str, Any] = {"distance": length, "target": mark.id}
    through = _between(battle, eye, mark)
    if not has_line(battle, eye, mark):
        return Sight(length, False, False, "blocked", "LFW-DIST-12", through, facts)
    if not sees(battle, eye, mark):
        return Sight(length, False, False, "dark", "LFW-ENV-02", facts=facts | {"reach": in_inches(NIGHT)})
    facts["lit"] = int(battle.night and is_lit(battle, mark))
    dodge = cover_of(battle, eye, mark)
    if not dodge:
        return Sight(length, True, False, "seen", "LFW-DIST-12", facts=facts)
    quarters = int(hidden(battle, eye, mark) * QUARTERS + 1e-9)
    return Sight(length, True, True, "covered", "LFW-TERR-13", through, facts | {"quarters": quarters, "dodge": dodge})


def _sight_of_place(battle: Battle, eye: Model, end: End) -> Sight:
    """From a unit to a point of the ground."""
    apart = distance_to_point(battle, eye, end.x, end.y)
    if apart == float("inf"):
        return Sight(0.0, False, False, "no_exit_there", "LFW-TERR-25")
    length = in_inches(apart)
    seen = sees_place(battle, eye, end.x, end.y)
    say, rule = ("place_seen", "LFW-DIST-12") if seen else ("place_hidden", "LFW-DIST-12")
    return Sight(length, seen, False, say, rule, facts={"distance": length})


def _between(battle: Battle, eye: Model, mark: Model) -> tuple[str, ...]:
    """The pieces of terrain that the line between two units crosses or ends in; inside a building, that building."""
    if eye.board != mark.board:
        inside = {eye.board, mark.board}
        return tuple(dict.fromkeys(board.of for board in battle.table.boards if board.id in inside))
    a, b = eye.body, mark.body
    return tuple(
        piece.id
        for piece in battle.table.pieces
        if (piece.height > 0.0 or piece.traits) and piece.outline.crosses(a.x, a.y, b.x, b.y)
    )


_SAYS: Final = {
    "level": "cost_level",
    "climb_up": "cost_climb_up",
    "climb_down": "cost_climb_down",
    "climbing": "cost_climbing",
    "difficult": "cost_difficult",
    "water": "cost_water",
    "opening": "cost_opening",
    "jump": "cost_jump",
}


def _cost(item: Item) -> Cost:
    facts: dict[str, Any] = {"cost": in_inches(item.length)}
    facts |= {name: in_inches(item.facts[name]) for name in ("height", "inside") if name in item.facts}
    facts |= {"opening": item.facts["opening"]} if "opening" in item.facts else {}
    return Cost(_SAYS[item.what], round(item.x, 1), round(item.y, 1), facts, round(item.length, 2))
