"""What Rag'Narok 3 shows at the table: zones, how a unit keeps together, what enemies threaten, sight, and why not.

What tells a length is shown only where measuring is open, or once an order has been declared (RN3-GEN-04): that is
decided for every game in `engine.screen.measuring`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot

from oriflamme.engine.core.decisions import Decision, Move, Option, Place
from oriflamme.engine.geometry.measure import cm, in_cm
from oriflamme.engine.screen.aids import Aid, Aids, Cannot, End, Sight, Strike, reasons
from oriflamme.games.rn3.measures import LEADER_REACH, LEAST_GAP, NEIGHBOUR
from oriflamme.games.rn3.orders import ORDERS
from oriflamme.games.rn3.scenarios import zone_of
from oriflamme.games.rn3.shooting import shooters_of
from oriflamme.games.rn3.sight import Lines, sees_point
from oriflamme.games.rn3.state import Battle, Fighter, Unit, value_of


class Rn3Aids(Aids):
    """The aids of Rag'Narok 3."""

    def around(self, battle: Battle, decision: Decision) -> list[Aid]:
        if decision.ask == "place_card":
            return [_zone(battle, decision.side)]
        if isinstance(decision, Move | Place) and decision.about.get("unit") in battle.units:
            unit = battle.units[decision.about["unit"]]
            return _together(unit) if len(decision.figures) > 1 or decision.ask == "place_the_others" else []
        return []

    def threats(self, battle: Battle, side: int) -> list[Aid]:
        """How far each enemy could assault when it is activated next: twice its MOU (RN3-ASLT-04)."""
        found = []
        for unit in battle.on_table():
            if unit.side != side and unit.order is None and unit.machine is None:
                reach = [(f, 2 * cm(value_of(unit, f, "mou"))) for f in unit.figures]
                circles = tuple((f.x, f.y, round(f.radius + far, 1)) for f, far in reach)
                facts = {"unit": unit.id, "reach": in_cm(max(far for _, far in reach))}
                found.append(Aid("charge", "threat_assault", "RN3-ASLT-04", facts, unit.id, circles))
        return found

    def sight(self, battle: Battle, a: End, b: End) -> Sight:
        eye, mark = _fighter(battle, a), _fighter(battle, b)
        apart = hypot(a.x - b.x, a.y - b.y)
        if eye is not None:
            apart -= eye[1].radius
        if mark is not None:
            apart -= mark[1].radius
        facts = {"distance": in_cm(max(0.0, apart))}
        distance = in_cm(max(0.0, apart))
        if eye is None:
            return Sight(distance, True, False, "seen", "RN3-LOS-02", facts=facts)
        if mark is None:
            seen = sees_point(battle, *eye, b.x, b.y)
        elif eye[0] is mark[0]:
            return Sight(distance, True, False, "same_unit", "RN3-LOS-05", facts=facts)
        else:
            purpose = "shoot" if shooters_of(eye[0]) else "mystic"
            seen = Lines(battle, eye[0], mark[0], purpose).sees(eye[1], mark[1])
        say = "seen" if seen else "blocked"
        return Sight(distance, seen, False, say, "RN3-LOS-02", facts=facts)

    def strike(self, decision: Decision, option: Option) -> Strike | None:
        unit = decision.about.get("unit", "")
        if decision.ask == "assault_target":
            return Strike(unit, option.key.partition("+")[0], True)
        if decision.ask in ("shoot_target", "incarnate_target") and option.key != "none":
            return Strike(unit, option.key, False)
        return None

    def cannot(self, battle: Battle, decision: Decision | None, unit: str) -> list[Cannot]:
        if decision is None or not battle.units[unit].figures:
            return []
        if decision.ask == "choose_order" and decision.about.get("unit") == unit:
            return reasons(decision, ((order, order) for order in ORDERS))
        deeds = {"choose_unit": "activate", "assault_target": "assault", "shoot_target": "shoot"}
        return reasons(decision, [(deeds[decision.ask], unit)]) if decision.ask in deeds else []


def _zone(battle: Battle, side: int) -> Aid:
    x0, y0, x1, y1 = zone_of(battle, side)
    return Aid(
        "zone", "deployment_zone", "RN3-DEP-03", {"side": side}, rings=(((x0, y0), (x1, y0), (x1, y1), (x0, y1)),)
    )


def _together(unit: Unit) -> list[Aid]:
    """How near its fighters keep to each other and to the leader (RN3-UNIT-10, RN3-FORM-05)."""
    leader = unit.leading
    least = 0.0 if unit.compact else LEAST_GAP
    facts = {"unit": unit.id, "nearest": in_cm(NEIGHBOUR), "leader": in_cm(LEADER_REACH), "least": in_cm(least)}
    ring = ((leader.x, leader.y, round(leader.radius + LEADER_REACH, 1)),)
    rule = "RN3-FORM-02" if unit.compact else "RN3-UNIT-10"
    return [Aid("together", "keeps_together", rule, facts, unit.id, ring, limits=(NEIGHBOUR, LEADER_REACH))]


def _fighter(battle: Battle, end: End) -> tuple[Unit, Fighter] | None:
    if not end.figure:
        return None
    for unit, fighter in _standing(battle):
        if fighter.id == end.figure:
            return unit, fighter
    return None


def _standing(battle: Battle) -> Iterable[tuple[Unit, Fighter]]:
    return battle.fighters()
