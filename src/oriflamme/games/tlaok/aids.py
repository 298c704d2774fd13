"""What Conquest shows at the table before anything is decided: reach, arcs, faces, who takes part, sight, why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import hypot

from oriflamme.engine.blocks.bodies import Block, Pose, advanced, face_named, front_corner, overlaps, wheel_angle
from oriflamme.engine.blocks.marches import Leg
from oriflamme.engine.core.decisions import Decision, Manoeuvre, Option
from oriflamme.engine.geometry.measure import INCH, in_inches
from oriflamme.engine.screen.aids import (
    Aid,
    Aids,
    Cannot,
    End,
    Guide,
    Ring,
    Sight,
    Strike,
    arc_ahead,
    grown,
    reasons,
    ring_of,
)
from oriflamme.games.tlaok.charge.charge import faces_seen, may_be_charged, onrush_of
from oriflamme.games.tlaok.charge.charge import why_not_target as why_not_charged
from oriflamme.games.tlaok.combat.clash import may_strike
from oriflamme.games.tlaok.combat.combat_reform import Melee
from oriflamme.games.tlaok.combat.volley import can_shoot
from oriflamme.games.tlaok.combat.volley import why_not_target as why_not_shot
from oriflamme.games.tlaok.movement.entry import Entrance, edge_under
from oriflamme.games.tlaok.movement.garrison import way_out
from oriflamme.games.tlaok.movement.march import Course, hurdles, reach_of
from oriflamme.games.tlaok.movement.reform import body_in, places_in
from oriflamme.games.tlaok.odds.charges import reach_chance
from oriflamme.games.tlaok.regiment.contact import block_of, rectangle_of
from oriflamme.games.tlaok.regiment.distances import apart, between, ground_of
from oriflamme.games.tlaok.regiment.formation import Formation
from oriflamme.games.tlaok.rounds.actions import ACTIONS, CHARACTER_ACTIONS
from oriflamme.games.tlaok.rounds.activation import why_not_action
from oriflamme.games.tlaok.state import Battle, Regiment, Stand
from oriflamme.games.tlaok.terrain.ground import parts_of, pose_of
from oriflamme.games.tlaok.terrain.sight import (
    hazes_between,
    is_hidden,
    obstacles,
    size_of,
    strip,
    view_of,
    why_not_seen,
)

# Wheels that are looked at to each side for how far a March reaches.
WHEELS = 9
# How thick the side of a regiment is drawn that is meant, and an edge over which one comes in.
BAR = INCH / 3
# How many places outside a garrison are shown.
PLACES = 40


class TlaokAids(Aids):
    """The aids of Conquest: The Last Argument of Kings."""

    def around(self, battle: Battle, decision: Decision) -> list[Aid]:
        regiment = battle.units.get(decision.about.get("regiment", ""))
        if regiment is None:
            return []
        if isinstance(decision, Manoeuvre):
            return _moving(battle, regiment, decision)
        if decision.ask == "charge_target":
            return _charge(battle, regiment, "charge_reach")
        if decision.ask == "shoot_target":
            return _shots(battle, regiment, "shot_reach")
        return []

    def pointed(self, battle: Battle, decision: Decision, option: Option) -> list[Aid]:
        regiment = battle.units.get(decision.about.get("regiment", ""))
        if regiment is None:
            return []
        match decision.ask:
            case "choose_action" if not decision.about.get("character"):
                return _action(battle, regiment, option.key)
            case "charge_target":
                return _faces(battle, regiment, battle.units[option.key])
            case "charge_face":
                return [_face(battle.units[decision.about["target"]], option.key)]
            case "charge_wheel":
                return _ghost(regiment, regiment.formation, Pose(*option.facts["at"]), "TLAOK-CHARGE-15")
            case "choose_files" | "choose_places" | "close_gap":
                return _drawn_up(battle, regiment, option)
            case "choose_duel" | "accept_duel":
                return _duellists(regiment, battle.units[option.facts.get("target") or decision.about["target"]])
            case "entry_edge":
                return _edge(Entrance(battle, regiment, regiment.formation, option.key))
            case "strike_target" | "support_target":
                stand = next(s for s in regiment.figures if s.id == decision.about["stand"])
                return [_taking_part("strikes" if decision.ask == "strike_target" else "supports", regiment, [stand])]
        return []

    def guide(self, battle: Battle, decision: Manoeuvre) -> Guide | None:
        regiment, about = battle.units[decision.about["regiment"]], decision.about
        formation = Formation(*about["formation"]) if "formation" in about else regiment.formation
        stands, reach = tuple(_places(regiment, formation)), reach_of(battle, regiment)
        chord = battle.option("tlaok.wheelMeasure") == "chord"
        if decision.ask == "enter":
            gate = Entrance(battle, regiment, formation, about["edge"])
            low, high = gate.span()
            (ax, ay, facing), (bx, by, _) = gate.pose(low), gate.pose(max(low, high))
            return Guide(stands, reach, chord=chord, edge=((ax, ay, facing), (bx, by, facing)))
        if decision.how == "place":
            return Guide(stands, poses=tuple(_legal_poses(battle, regiment, formation, decision.ask)))
        # Only forward, whoever is not yet all in or withdraws (TLAOK-ENTRY-14, TLAOK-WITHDRAW-07).
        forward = decision.rule == "TLAOK-ENTRY-13" or decision.how != "march"
        return Guide(stands, reach, 0.0 if forward else reach / 2, chord)

    def threats(self, battle: Battle, side: int) -> list[Aid]:
        found = []
        for regiment in battle.present():
            if regiment.side == side or regiment.broken or battle.is_engaged(regiment):
                continue
            if not regiment.garrison:
                found += _charge(battle, regiment, "threat_charge")
            found += _shots(battle, regiment, "threat_shoot")
        return found

    def sight(self, battle: Battle, a: End, b: End) -> Sight:
        by, of = (_whose(battle, end) for end in (a, b))
        if by is None or of is None or by is of:
            away = in_inches(_from_end(battle, a, by, b, of))
            return Sight(away, True, False, "measured", "TLAOK-DIST-02", facts={"distance": away})
        away = in_inches(between(battle, by, of))
        refusal = why_not_seen(battle, by, of)
        if refusal is not None:
            through = tuple(dict.fromkeys(_in_the_way(battle, by, of)))
            return Sight(away, False, False, refusal.why, refusal.rule, through, {**refusal.facts, "distance": away})
        facts = {"distance": away, "target": of.id}
        if is_hidden(battle, by, of):
            return Sight(away, True, True, "obscured", "TLAOK-ZONE-05", facts=facts)
        line = strip(by.x, by.y, of.x, of.y)
        hazy = [zone.id for zone in hazes_between(battle, by) if any(overlaps(line, part) for part in zone.solids)]
        if hazy:
            return Sight(away, True, True, "obscured", "TLAOK-ZONE-05", tuple(hazy), facts)
        return Sight(away, True, False, "seen", "TLAOK-LOS-02", facts=facts)

    def strike(self, decision: Decision, option: Option) -> Strike | None:
        about = decision.about
        by = about.get("regiment", "")
        match decision.ask:
            case "charge_target":
                return Strike(by, option.key, True, "charge")
            case "shoot_target":
                return Strike(by, option.facts["target"], False, "lob" if option.word == "lob" else "volley")
            case "strike_target" | "support_target":
                return Strike(by, option.key, True, "clash")
            case "choose_duel":
                return Strike(by, option.facts["target"], True, "duel")
            case "accept_duel" if option.key == "accept":
                return Strike(by, about["target"], True, "duel")
            case "choose_spell_target":
                return Strike(by, option.key, False, f"spell:{about['spell']}")
        return None

    def cannot(self, battle: Battle, decision: Decision | None, unit: str) -> list[Cannot]:
        about = battle.units[unit]
        if decision is None or not about.on_table:
            return []
        acting = battle.units.get(decision.about.get("regiment", ""))
        if decision.ask == "charge_target":
            return reasons(decision, [("charge", unit)])
        if decision.ask == "shoot_target":
            return reasons(decision, [("volley", unit)])
        if decision.ask != "choose_action" or acting is None:
            return reasons(decision, [("choose", unit)])
        if about is acting:
            book = CHARACTER_ACTIONS if decision.about["character"] else ACTIONS
            found = reasons(decision, ((id, id) for id in book))
            # Of what is done in combat, or out of it, one knows without being told.
            return [one for one in found if one.refusal.rule != "TLAOK-CONTACT-03"]
        if about.side == acting.side or decision.about["character"]:
            return []
        return list(_not_at(battle, acting, about))


def _not_at(battle: Battle, regiment: Regiment, target: Regiment) -> Iterator[Cannot]:
    """Why a regiment that chooses its action can neither charge nor shoot at that enemy."""
    onrush = onrush_of(battle, regiment)
    for deed, why_not in (("charge", why_not_charged(battle, regiment, target, onrush)), ("volley", None)):
        refusal = why_not_action(battle, regiment, ACTIONS[deed])
        if refusal is None and deed == "volley":
            why_not = why_not_shot(battle, regiment, target)
        able = deed == "charge" or any(can_shoot(regiment, stand) for stand in regiment.figures)
        reason = why_not or refusal
        if able and reason is not None:
            yield Cannot(deed, reason)


# -- moving ------------------------------------------------------------------------------------------------------------


def _moving(battle: Battle, regiment: Regiment, decision: Manoeuvre) -> list[Aid]:
    found: list[Aid] = []
    if decision.ask == "enter":
        formation = Formation(*decision.about["formation"])
        found += _edge(Entrance(battle, regiment, formation, decision.about["edge"]))
    elif decision.ask == "march":
        found.append(_reach(battle, regiment))
    if decision.ask in ("enter", "march", "withdraw", "reform", "leave_garrison"):
        rings = tuple(grown(solid, h.clearance) for h in hurdles(battle, regiment) if h.clearance for solid in h.solids)
        if rings:
            found.append(Aid("keep_off", "keep_off", "TLAOK-MARCH-10", {"needed": 1.0}, rings=rings))
    return found


def _reach(battle: Battle, regiment: Regiment) -> Aid:
    """Where its front gets with a wheel and then straight ahead, as far as nothing stops it."""
    course = Course(battle, regiment, edge=edge_under(battle, regiment))
    width, depth = course.body.width, course.body.depth
    most = wheel_angle(width, course.reach, chord=course.chord)
    ring = []
    for side, steps in (("left", range(WHEELS, -1, -1)), ("right", range(WHEELS + 1))):
        for step in steps:
            turn = most * step / WHEELS
            wheel = [Leg("left" if side == "left" else "right", turn)] if turn else []
            ahead = max(0.0, course.reach - course.length(wheel))
            end = course.walked([*wheel, Leg("ahead", ahead)], allowance=course.reach).end
            ring.append(front_corner(end, width, depth, "left" if side == "left" else "right"))
    start = course.body.block(course.start)
    corners = (*ring, start.front_right, start.front_left)
    facts = {"reach": in_inches(course.reach), "aside": in_inches(course.reach / 2)}
    outline = tuple((round(x, 1), round(y, 1)) for x, y in corners)
    return Aid("reach", "march_reach", "TLAOK-MARCH-02", facts, regiment.id, rings=(outline,), limits=(course.reach,))


def _edge(gate: Entrance) -> list[Aid]:
    """The stretch of an edge over which it may come in (TLAOK-ENTRY-10, -11)."""
    low, high = gate.span()
    if high < low:
        return []
    half = gate.body.width / 2
    first, last = (gate.body.block(gate.pose(along)) for along in (low, high))
    nx, ny = first.outward("front")
    deep = 3 * BAR
    (ax, ay), (bx, by) = (b.world(0.0, gate.body.depth / 2) for b in (first, last))
    long = hypot(bx - ax, by - ay)
    ux, uy = ((bx - ax) / long, (by - ay) / long) if long else (ny, -nx)
    ends = ((ax - ux * half, ay - uy * half), (bx + ux * half, by + uy * half))
    ring = (*ends, *((x + nx * deep, y + ny * deep) for x, y in reversed(ends)))
    rule = "TLAOK-ENTRY-11" if gate.edge in ("west", "east") else "TLAOK-ENTRY-10"
    entries = tuple((round(x, 1), round(y, 1)) for x, y in ring)
    return [Aid("zone", "entry", rule, {"regiment": gate.regiment.id}, gate.regiment.id, rings=(entries,))]


# -- how it would stand ------------------------------------------------------------------------------------------------


def _places(regiment: Regiment, formation: Formation) -> Iterator[tuple[str, float, float, float, float]]:
    """Its stands drawn up so: who, to the right of and ahead of its middle, how wide and deep. A rider is where the
    Monster is (TLAOK-SR-RIDER-03)."""
    base = regiment.profile.base
    stands = sorted(regiment.ordinary, key=lambda s: (s.rank, s.file))
    hero = regiment.hero
    stands += [s for s in (regiment.command, hero if not regiment.ridden else None) if s is not None]
    for stand, (x, y) in zip(stands, places_in(base, regiment.placed, formation), strict=True):
        yield stand.id, x, y, base.width, base.depth
    if hero is not None and regiment.ridden:
        yield hero.id, 0.0, 0.0, base.width, base.depth


def _legal_poses(battle: Battle, regiment: Regiment, formation: Formation, ask: str) -> Iterator[Pose]:
    """Where it may stand after a Combat Reform, or when it has left its garrison: the poses that are proposed."""
    if ask == "combat_reform":
        yield from dict.fromkeys(Melee(battle, regiment).legal(formation))
    elif (leaving := way_out(battle, regiment)) is not None:
        yield from islice(leaving.poses(formation), PLACES)


def _ghost(regiment: Regiment, formation: Formation, pose: Pose, rule: str) -> list[Aid]:
    """How it would stand, with its command stand and its character (TLAOK-FORM-06, -07)."""
    whole = body_in(regiment.profile.base, regiment.placed, formation).block(pose)
    places = {id: ring_of(whole.part(*place)) for id, *place in _places(regiment, formation)}
    facts = {"regiment": regiment.id}
    found = [Aid("ghost", "ghost", rule, facts, regiment.id, rings=tuple(places.values()))]
    if regiment.command is not None:
        found.append(
            Aid("command", "command", "TLAOK-FORM-06", facts, regiment.id, rings=(places[regiment.command.id],))
        )
    if regiment.hero is not None:
        found.append(Aid("character", "hero", "TLAOK-FORM-07", facts, regiment.id, rings=(places[regiment.hero.id],)))
    return found


def _drawn_up(battle: Battle, regiment: Regiment, option: Option) -> list[Aid]:
    """How it would stand in a formation: about its middle, or behind its edge where it comes in."""
    files = int(option.facts.get("files", option.key))
    shapes = regiment.formations(files)
    facts = option.facts
    if "command" in facts:
        lean = int(option.key.endswith("right"))
        wanted = (facts["command"] - 1, facts["character"] - 1, lean)
        shapes = tuple(f for f in shapes if f[1:] == wanted) or shapes
    pose = pose_of(regiment)
    if regiment.reserve is not None:
        gate = Entrance(battle, regiment, shapes[0], battle.edges[regiment.side])
        on = gate.pose(battle.table.width / 2)
        # With its front on the edge it would be off the table: it is shown where it would be once it is in.
        pose = advanced(on, gate.body.depth)
    elif regiment.garrison:
        outline = battle.table.piece(regiment.garrison).outline
        pose = Pose(outline.cx, outline.cy, regiment.facing)
    return _ghost(regiment, shapes[0], pose, "TLAOK-FORM-11")


# -- attacks -----------------------------------------------------------------------------------------------------------


def _action(battle: Battle, regiment: Regiment, key: str) -> list[Aid]:
    """What an action could do: how far, whom, with which stands."""
    if key == "march" and regiment.on_table:
        return [_reach(battle, regiment)]
    if key == "charge":
        struck = [face for foe in may_be_charged(battle, regiment) for face in _faces(battle, regiment, foe)]
        return [*_charge(battle, regiment, "charge_reach"), *struck]
    if key == "volley":
        return _shots(battle, regiment, "shot_reach")
    if key == "clash":
        striking = [stand for stand, _ in may_strike(battle, regiment)]
        behind = [stand for stand in regiment.figures if stand not in striking]
        entries = [("strikes", striking), ("supports", behind)]
        return [_taking_part(kind, regiment, stands) for kind, stands in entries if stands and not regiment.garrison]
    return []


def _taking_part(kind: str, regiment: Regiment, stands: Iterable[Stand]) -> Aid:
    """The stands that strike because they touch somebody, or that support from behind (TLAOK-CLASH-02, -03)."""
    rings = tuple(ring_of(block_of(stand)) for stand in stands)
    rule = "TLAOK-CLASH-02" if kind == "strikes" else "TLAOK-CLASH-03"
    return Aid(kind, kind, rule, {"regiment": regiment.id, "number": len(rings)}, regiment.id, rings=rings)


def _duellists(*regiments: Regiment) -> list[Aid]:
    """The two who would fight a duel (TLAOK-DUEL-01)."""
    heroes = [regiment.hero or regiment.figures[0] for regiment in regiments if not regiment.garrison]
    rings = tuple(ring_of(block_of(hero)) for hero in heroes)
    return [Aid("strikes", "duellists", "TLAOK-DUEL-01", rings=rings)] if rings else []


def _charge(battle: Battle, regiment: Regiment, say: str) -> list[Aid]:
    """Its arcs as far as its longest charge goes (TLAOK-CHARGE-03, -04)."""
    longest = onrush_of(battle, regiment).longest
    return [_arcs(battle, regiment, "charge", say, "TLAOK-CHARGE-04", longest)]


def _shots(battle: Battle, regiment: Regiment, say: str) -> list[Aid]:
    """Its arcs as far as it shoots (TLAOK-VOLLEY-02); all round a garrison (TLAOK-GARR-26)."""
    ranges = [b.range for s in regiment.figures if can_shoot(regiment, s) for b in s.profile.barrages]
    return [_arcs(battle, regiment, "shoot", say, "TLAOK-VOLLEY-02", max(ranges) * INCH)] if ranges else []


def _arcs(battle: Battle, regiment: Regiment, kind: str, say: str, rule: str, far: float) -> Aid:
    purpose = "charge" if kind == "charge" else "volley"
    rings: tuple[Ring, ...]
    if regiment.garrison:
        rings = tuple(grown(solid, far) for solid in ground_of(battle, regiment))
    else:
        arcs = view_of(battle, regiment, purpose).arcs
        rings = tuple(arc_ahead(rectangle_of(regiment), arc, far) for arc in arcs)
    return Aid(kind, say, rule, {"unit": regiment.id, "reach": in_inches(far)}, regiment.id, rings=rings)


def _faces(battle: Battle, regiment: Regiment, target: Regiment) -> list[Aid]:
    """The face in whose arc most stands of the charger are; several where as many are in each (TLAOK-CHARGE-08 to -11).
    A garrison has none. With the chance that the charge is long enough (TLAOK-CHARGE-05)."""
    chance = reach_chance(battle, regiment, target)
    if target.garrison:
        rings = tuple(grown(solid, BAR) for solid in ground_of(battle, target))
        facts = {"target": target.id, "face": "", "stands": 0, "chance": _percent(chance)}
        return [Aid("face", "face", "TLAOK-CHARGE-05", facts, target.id, rings=rings)]
    seen = faces_seen(battle, regiment, target)
    most = max(seen.values(), default=0)
    return [_face(target, face, number, chance) for face, number in seen.items() if number == most]


def _percent(chance: float) -> str:
    """Neither none nor all while there is a doubt."""
    return str(min(99, max(1, round(100 * chance))) if 0 < chance < 1 else round(100 * chance))


def _face(target: Regiment, face: str, stands: int = 0, chance: float | None = None) -> Aid:
    whole, named = rectangle_of(target), face_named(face)
    ax, ay, bx, by = whole.face(named)
    nx, ny = whole.outward(named)
    ring = ((ax, ay), (bx, by), (bx + nx * BAR, by + ny * BAR), (ax + nx * BAR, ay + ny * BAR))
    facts = {"target": target.id, "face": face, "stands": stands, "chance": "" if chance is None else _percent(chance)}
    outline = tuple((round(x, 1), round(y, 1)) for x, y in ring)
    return Aid("face", "face", "TLAOK-CHARGE-09", facts, target.id, rings=(outline,))


# -- sight -------------------------------------------------------------------------------------------------------------


def _whose(battle: Battle, end: End) -> Regiment | None:
    """The regiment whose stand is at this end of a line."""
    return (
        next((r for r in battle.present() if any(s.id == end.figure for s in r.figures)), None) if end.figure else None
    )


def _from_end(battle: Battle, a: End, by: Regiment | None, b: End, of: Regiment | None) -> float:
    """From nearest point to nearest point, where one end is bare table or both are of one regiment (TLAOK-DIST-02)."""
    if by is of:
        return hypot(a.x - b.x, a.y - b.y)
    there, end = (by, b) if of is None else (of, a)
    assert there is not None
    return apart(ground_of(battle, there), (Block(0.01, 0.01, Pose(end.x, end.y, 0.0)),))


def _in_the_way(battle: Battle, by: Regiment, of: Regiment) -> Iterator[str]:
    """What lies on the line between two regiments and is as big as both (TLAOK-LOS-04)."""
    line = strip(by.x, by.y, of.x, of.y)
    need = max(size_of(battle, by), size_of(battle, of))
    for other in battle.present():
        big = other not in (by, of) and not other.garrison and size_of(battle, other) >= need
        if big and any(overlaps(line, part) for part in parts_of(other)):
            yield other.id
    for way in obstacles(battle, by, of, need):
        if way.zone is not None and overlaps(line, way.shape):
            yield way.zone.id
