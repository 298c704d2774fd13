"""What Song of Blades and Heroes shows at the table: the stick, threats, sight, and why not, on hexes too."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Decision, Move, Option, Place
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.screen.aids import (
    Aid,
    Aids,
    Cannot,
    End,
    Pin,
    Ring,
    Sight,
    Standing,
    Strike,
    hexes_of,
    hexes_within,
    reasons,
    star,
)
from oriflamme.games.sbh.actions import SHOTS, standing_cost, why_not
from oriflamme.games.sbh.movement import Stride, contact_spot, gait_of, plan_move
from oriflamme.games.sbh.runs import move_to_touch
from oriflamme.games.sbh.shooting import why_not_seen
from oriflamme.games.sbh.sight import Line
from oriflamme.games.sbh.state import Battle, Fighter

RAYS = 60
# Along a ray that cannot be gone to its end, the longest part that can is searched in so many steps.
STEPS = 8
BANDS = 3  # SBH-SHOOT-02


class SbhAids(Aids):
    """The aids of Song of Blades and Heroes."""

    def around(self, battle: Battle, decision: Decision) -> list[Aid]:
        if isinstance(decision, Move) and decision.ask == "move_fighter":
            return [_reach(battle, battle.units[decision.about["fighter"]])]
        if isinstance(decision, Place) and "edge" in decision.about and battle.scenario != "ambush":
            zone = next(outline for side, outline in battle.zones() if side == decision.side)
            facts = {"reach": decision.about["reach"]}
            return [Aid("zone", "zone", "SBH-SETUP-04", facts, rings=(tuple(zone.corners()),))]
        return []

    def threats(self, battle: Battle, side: int) -> list[Aid]:
        found = []
        for fighter in battle.present():
            if fighter.side != side and not fighter.helpless:
                stick = battle.ruler.sticks.of(gait_of(battle, fighter).stick)
                found.append(_ranged(battle, fighter, "charge", "threat_move", "SBH-MOVE-01", stick))
                if fighter.profile.range and not fighter.out_of_ammo:
                    reach = battle.ruler.sticks.of(fighter.profile.range) * BANDS
                    found.append(_ranged(battle, fighter, "shoot", "threat_shoot", "SBH-SHOOT-02", reach))
        return found

    def sight(self, battle: Battle, a: End, b: End) -> Sight:
        (eye, by), (mark, of) = _stands(battle, a), _stands(battle, b)
        apart = battle.ruler.between(eye.x, eye.y, eye.radius, mark.x, mark.y, mark.radius)
        distance = battle.ruler.in_measure(max(0.0, apart))
        facts = {"distance": distance}
        line = Line(battle, eye.x, eye.y, eye.z, eye.radius, mark.x, mark.y, mark.z, mark.radius)
        if by is not None and of is not None:
            refusal = why_not_seen(battle, by, of)
            if refusal is not None:
                through = tuple(_in_the_way(battle, line, by, of))
                return Sight(distance, False, False, refusal.why, refusal.rule, through, {**refusal.facts, **facts})
        elif not line.free([f for f in battle.present() if f is not by and f is not of]):
            through = tuple(_in_the_way(battle, line, by, of))
            return Sight(distance, False, False, "blocked", "SBH-LOS-01", through, facts)
        if of is not None and battle.table.pieces and line.covers():
            rule = "SBH-WOODS-04" if line.same_wood else "SBH-COVER-01"
            return Sight(distance, True, True, "covered", rule, facts=facts | {"fighter": of.id})
        return Sight(distance, True, False, "seen", "SBH-LOS-01", facts=facts)

    def strike(self, decision: Decision, option: Option) -> Strike | None:
        if decision.ask != "choose_action" or option.word not in ("attack", "power", *SHOTS):
            return None
        return Strike(decision.about["fighter"], option.facts["target"], option.word in ("attack", "power"))

    def cannot(self, battle: Battle, decision: Decision | None, unit: str) -> list[Cannot]:
        about = battle.units[unit]
        if decision is None or not about.on_table:
            return []
        if decision.ask != "choose_action":
            return reasons(decision, [("choose", unit)])
        fighter = battle.units[decision.about["fighter"]]
        if about is fighter:
            return _not_now(battle, decision, fighter)
        if about.side == fighter.side:
            healing = ("heal", "raise") if fighter.profile.heals else ()
            return reasons(decision, ((deed, f"{deed}:{unit}") for deed in healing))
        deeds = [("attack", f"attack:{unit}")]
        deeds += [("shoot", f"shoot:{unit}")] if fighter.profile.range else []
        deeds += [("javelin", f"javelin:{unit}")] if fighter.bears("javelins") is not None else []
        deeds += [("bolt", f"bolt:1:{unit}")] if fighter.profile.casts else []
        found = reasons(decision, deeds)
        actions = battle.active.actions[fighter.id]
        far = plan_move(battle, fighter, *contact_spot(battle, fighter, about), actions)
        if isinstance(far, Refusal) and not battle.in_contact(fighter, about):
            # What is in the way of the straight line is why, unless he can be touched from another side.
            aside = move_to_touch(battle, fighter, about, lambda x, y: plan_move(battle, fighter, x, y, actions))
            found += [Cannot("move", far)] if aside is None else []
        return found


def _not_now(battle: Battle, decision: Decision, fighter: Fighter) -> list[Cannot]:
    """What the one who acts cannot do: go, stand up, shoot at whoever is nearest."""
    deeds = [("move", "move")]
    if fighter.down and battle.active.actions.get(fighter.id, 0) < standing_cost(fighter):
        deeds.append(("stand", "stand"))
    found = reasons(decision, deeds)
    foes = sorted(battle.foes(fighter), key=lambda f: battle.gap(fighter, f))
    offered = {option.word for option in getattr(decision, "options", ())}
    for deed, able in (("attack", True), ("shoot", bool(fighter.profile.range))):
        refusal = why_not(battle, fighter, f"{deed}:{foes[0].id}") if foes and able and deed not in offered else None
        if refusal is not None:
            found.append(Cannot(deed, refusal))
    return found


def _reach(battle: Battle, fighter: Fighter) -> Aid:
    """Everywhere one straight move may end, by the very check that will judge it (SBH-MOVE)."""
    actions = battle.active.actions.get(fighter.id, 1) if battle.acting else 1
    stick = battle.ruler.sticks.of(gait_of(battle, fighter).stick)
    facts = {"reach": stick, "stick": gait_of(battle, fighter).stick}
    grid = battle.ruler.grid
    if grid is not None:
        here = grid.cell_at(fighter.x, fighter.y)
        ends = [
            cell
            for cell in grid.cells_within(here, int(stick))
            if cell != here and isinstance(plan_move(battle, fighter, *grid.spot(*grid.centre(cell)), actions), Stride)
        ]
        return Aid("reach", "reach", "SBH-MOVE-01", facts, fighter.id, rings=hexes_of(grid, ends), limits=(stick,))

    def far(dx: float, dy: float) -> float:
        for step in range(STEPS):
            length = stick * (STEPS - step) / STEPS
            stride = plan_move(battle, fighter, fighter.x + dx * length, fighter.y + dy * length, actions)
            if isinstance(stride, Stride):
                return stride.distance + fighter.radius
        return fighter.radius

    ring: Ring = star(fighter.x, fighter.y, RAYS, far)
    return Aid("reach", "reach", "SBH-MOVE-01", facts, fighter.id, rings=(ring,), limits=(stick,))


def _ranged(battle: Battle, fighter: Fighter, kind: str, say: str, rule: str, reach: float) -> Aid:
    facts = {"fighter": fighter.id, "reach": reach}
    grid = battle.ruler.grid
    if grid is not None:
        ring = hexes_within(grid, grid.cell_at(fighter.x, fighter.y), int(reach))
        return Aid(kind, say, rule, facts, fighter.id, rings=(ring,))
    return Aid(kind, say, rule, facts, fighter.id, ((fighter.x, fighter.y, fighter.radius + reach),))


def _stands(battle: Battle, end: End) -> tuple[Standing, Fighter | None]:
    fighter = battle.units.get(end.figure)
    if fighter is not None:
        return fighter, fighter
    x, y = battle.ruler.spot(end.x, end.y) if battle.ruler.grid is not None else (end.x, end.y)
    return Pin(x, y, battle.table.height_at(x, y)), None


def _in_the_way(battle: Battle, line: Line, by: Fighter | None, of: Fighter | None) -> list[str]:
    """The woods, the pieces and the fighters that keep one from seeing the other."""
    if line.woods:
        return [piece.id for piece in line.woods]
    free, whole = [], line.walls
    for piece in whole:
        line.walls = [piece]
        if not line.free_of_terrain():
            free.append(piece.id)
    line.walls = []
    others = [f for f in battle.present() if f is not by and f is not of]
    free += [f.id for f in others if not line.free([f])]
    line.walls = whole
    return free or [piece.id for piece in whole]
