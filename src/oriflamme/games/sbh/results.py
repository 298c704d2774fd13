"""What a fight does: recoil, fall, kill, wound, poison, and the free hacks that follow (SBH-RECOIL, -HACK, -FALL).

Morale comes last (SBH-COMBAT-19, step 6): what shakes a band is noted here as an alarm and settled by `morale`.
"""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin
from random import Random

from oriflamme.engine.blocks.sweeps import UNTOUCHED
from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import ask_at, at
from oriflamme.engine.core.questions import move_figures, pick_one, put_in_order
from oriflamme.engine.geometry.intervals import candidates
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.places import Curve, Line, critical_places, edges, rim
from oriflamme.engine.table.maps import is_obstacle
from oriflamme.games.sbh import resources
from oriflamme.games.sbh.bout import FALLS, GRUESOME, KILLED, NOTHING, RECOILS, WOUNDED, Bout, Outcome
from oriflamme.games.sbh.events import (
    DieRerolled,
    Dropped,
    Fell,
    Fought,
    ItemDrained,
    PrizeDropped,
    QualityLost,
    QualityRolled,
    Recoiled,
    Removed,
    ResultChanged,
    TransfixEnded,
)
from oriflamme.games.sbh.fighting import close_bout
from oriflamme.games.sbh.markers import search
from oriflamme.games.sbh.moments import Keyword, Upgrade
from oriflamme.games.sbh.movement import contacts_at, gait_of, is_straight, kin_of, put, until_met
from oriflamme.games.sbh.profile import Profile
from oriflamme.games.sbh.quality import quality_roll, target_of, with_leaders
from oriflamme.games.sbh.runs import boundaries, free_spot
from oriflamme.games.sbh.state import DEADLY_QUALITY, Alarm, Asking, Battle, Fighter, Marker

Spot = tuple[float, float]


# -- Quality rolls that somebody makes ---------------------------------------------------------------------------------


def test_quality(battle: Battle, fighter: Fighter, number: int, about: str, rule: str) -> Asking[int]:
    """A Quality roll on so many dice, the Hero's re-roll included; gives back the failures."""
    roll = quality_roll(battle, fighter, about)
    faces = roll.throw(number, battle.dice)
    rolled = number - min(roll.sure, number)
    again = yield from resources.reroll(battle, fighter, faces[:rolled], {"about": about, "needed": roll.needed})
    if again >= 0:
        was, faces[again] = faces[again], battle.dice.d6()
        battle.tell(DieRerolled("SBH-SR-HERO-02", fighter.id, was, faces[again]))
    good = roll.successes(faces)
    rolled_facts = (tuple(faces), roll.needed, good, number - good, tuple(roll.reasons))
    battle.tell(QualityRolled(rule, fighter.id, about, *rolled_facts))
    return number - good


# -- out of play -------------------------------------------------------------------------------------------------------


def counts_as_killed(battle: Battle, fate: str) -> bool:
    """Whether rules that speak of a fighter being killed react (SBH-GEN-08)."""
    return fate in ("killed", "trapped") or battle.options["sbh.killedMeansRemoved"] == "yes"


def remove(battle: Battle, fighter: Fighter, fate: str, by: str, rule: str, *, gruesome: bool = False) -> None:
    """He is out of the game, and what follows from it at once; what shakes his friends is noted for later."""
    if fighter.fate:
        return
    beside = tuple(f.id for f in kin_of(battle, fighter) if battle.in_contact(fighter, f))
    fighter.fate = fate
    fighter.figures, fighter.fallen = [], [fighter.body]
    fighter.down = False
    fighter.transfixed = None
    battle.displaced()
    if fighter.reserve is not None:
        battle.markers = tuple(m for m in battle.markers if m.holds != fighter.id)
    battle.tell(Removed(rule, fighter.id, fate, by, gruesome))
    _drop_prize(battle, fighter)
    side = fighter.side
    killed = counts_as_killed(battle, fate)
    if killed:
        for other in battle.units.values():
            if other.transfixed == fighter.id:
                other.transfixed = None
                battle.tell(TransfixEnded("SBH-TRANSFIX-09", other.id))
        if fighter.profile.leads:
            battle.alarms.append(Alarm("leader", side, fighter.id))
    if gruesome:
        kin = fighter.own.card if fighter.profile.gruesome_kin else ""
        near = frozenset(f.id for f in battle.friends(fighter) if battle.within(fighter, f, "long"))
        battle.alarms.append(Alarm("gruesome", side, fighter.id, near, kin))
    left = battle.in_play(side)
    if not battle.halved[side] and left and len(left) <= battle.start[side] // 2:
        battle.halved = (True, battle.halved[1]) if side == 0 else (battle.halved[0], True)
        battle.alarms.append(Alarm("half", side))
    if len(beside) > 1:
        battle.gaps.append((side, beside))
    if killed and not fighter.profile.animal and left and all(f.profile.animal for f in left):
        for animal in left:
            remove(battle, animal, "routed", "animal", "SBH-SR-ANIMAL-04")


def _drop_prize(battle: Battle, fighter: Fighter) -> None:
    """What he carried stays where he was (SBH-SCEN-TREASURE-08, SBH-SCEN-ITEM-05)."""
    if fighter.fate == "left" and fighter.carries and battle.prize == fighter.side:
        return
    if fighter.carries:
        fighter.carries = False
        _lay_down(
            battle, fighter, "SBH-SCEN-TREASURE-08", Marker("prize", "prize", fighter.x, fighter.y, fighter.radius)
        )
    item = fighter.item
    if item is not None and not item.drained and fighter.fate != "left":
        fighter.equip(None)
        marker = Marker(f"prize.{fighter.id}", "prize", fighter.x, fighter.y, fighter.radius, item=item)
        _lay_down(battle, fighter, "SBH-SCEN-ITEM-05", marker)


def _lay_down(battle: Battle, fighter: Fighter, rule: str, marker: Marker) -> None:
    battle.markers = (*battle.markers, marker)
    battle.tell(PrizeDropped(rule, fighter.id))


def lose_quality(battle: Battle, fighter: Fighter, by: str, rule: str) -> None:
    """A wound or a poisoning: his Quality is worse by one; at 7+ he dies (SBH-PROFILE-05)."""
    if by == "wound":
        fighter.wounds += 1
    else:
        fighter.poison += 1
    quality = target_of(battle, fighter)
    battle.tell(QualityLost(rule, fighter.id, by, quality))
    if fighter.own.quality + fighter.wounds + fighter.poison >= DEADLY_QUALITY:
        remove(battle, fighter, "killed", by, "SBH-PROFILE-05")


# -- a fight from its dice to its consequences -------------------------------------------------------------------------


class Chain:
    """Free hacks of one chain of recoils: the same enemy strikes the same fighter once (SBH-RECOIL-06)."""

    __slots__ = ("struck",)

    def __init__(self) -> None:
        self.struck: set[tuple[str, str]] = set()


def fight(
    battle: Battle,
    attacker: Fighter,
    defender: Fighter,
    manner: str,
    *,
    power: bool = False,
    chain: Chain | None = None,
) -> Asking[int]:
    """A close-combat attack or a free hack, with all that follows but morale.

    Gives back 1 if the attacker won the roll, -1 if the defender did, 0 for a tie.
    """
    cancelled = yield from resources.cancel_rules(
        battle, (attacker, defender), fighter=attacker.id, target=defender.id, manner=manner
    )
    bout = close_bout(battle, attacker, defender, manner, power=power)
    yield from resolve(battle, bout, chain)
    resources.restore_rules(cancelled)
    return (bout.attacker.total > bout.defender.total) - (bout.attacker.total < bout.defender.total)


def resolve(battle: Battle, bout: Bout, chain: Chain | None = None, *, spared: bool = False) -> Asking[Outcome | None]:
    """Strengthen, throw, roll again, judge, and conclude. A spell may be cancelled once its result is known."""
    a, d = bout.attacker, bout.defender
    for roll, other in ((a, d), (d, a)):
        added = yield from resources.before_combat(battle, roll.fighter, other.fighter, bout.manner)
        for amount, source, rule in added:
            roll.change_by(amount, source, rule)
    bout.throw(battle.dice)
    for roll, other in ((a, d), (d, a)):
        about = {"about": "combat", "target": other.id, "total": roll.total, "against": other.total}
        again = yield from resources.reroll(battle, roll.fighter, [roll.die], about)
        if again >= 0:
            was, roll.die = roll.die, battle.dice.d6()
            battle.tell(DieRerolled("SBH-SR-HERO-02", roll.id, was, roll.die))
    bout.close()
    outcome = bout.judge()
    _tell_bout(battle, bout, outcome)
    for roll in (a, d):
        _drain(battle, roll.fighter, roll.drained)
    if outcome is None:
        return None
    if spared:
        mishap = resources.Mishap(battle, outcome.loser.fighter, result=outcome.result)
        yield from ask_at(Upgrade.when_spell_strikes, resources.upgrades_of(battle, outcome.loser.fighter.side), mishap)
        if mishap.averted:
            return None
    yield from conclude(battle, outcome, chain or Chain())
    return outcome


RULE_OF: dict[str, str] = {
    "melee": "SBH-COMBAT-02",
    "hack": "SBH-HACK-01",
    "shot": "SBH-SHOOT-03",
    "javelin": "SBH-ITEM-JAVELINS-01",
    "spell": "SBH-MAGIC-09",
}


def _tell_bout(battle: Battle, bout: Bout, outcome: Outcome | None) -> None:
    if battle.log is None:
        return
    a, d = bout.attacker, bout.defender
    raw = bout.result(outcome.winner, outcome.loser) if outcome is not None else NOTHING
    loser = outcome.loser.id if outcome is not None else ""
    battle.tell(
        Fought(
            RULE_OF[bout.manner],
            bout.manner,
            a.id,
            d.id,
            (a.die, d.die),
            (a.total, d.total),
            loser,
            raw,
            tuple(a.reasons),
            tuple(d.reasons),
        )
    )


def _drain(battle: Battle, fighter: Fighter, titles: tuple[str, ...]) -> None:
    if titles and fighter.item is not None:
        battle.tell(ItemDrained(f"SBH-ITEM-{fighter.item.kind.upper()}-01", fighter.id, fighter.item.kind))
        fighter.equip(fighter.item.drain())


def conclude(battle: Battle, outcome: Outcome, chain: Chain) -> Asking[None]:
    """Apply a result in the order of SBH-COMBAT-19."""
    loser, winner = outcome.loser.fighter, outcome.winner.fighter
    if outcome.kills:
        mishap = resources.Mishap(battle, loser, result=outcome.result)
        yield from ask_at(Upgrade.when_fighter_is_killed, resources.upgrades_of(battle, loser.side), mishap)
        if mishap.averted:
            outcome.result = FALLS
    outcome.finish_warding()
    for title, rule, result in outcome.changes:
        battle.tell(ResultChanged(rule, loser.id, title, result))
    if outcome.warded:
        _drain(battle, loser, (outcome.warded,))
    if outcome.result == RECOILS and outcome.bout.ranged and loser.transfixed is not None:
        outcome.result = FALLS
        battle.tell(ResultChanged("SBH-SHOOT-06", loser.id, "Transfixed target", FALLS))
    changed = len(outcome.changes)
    outcome.drive_back(battle.dice)
    _flush(battle, outcome)
    for title, rule, result in outcome.changes[changed:]:
        battle.tell(ResultChanged(rule, loser.id, title, result))
    result = outcome.result
    if result == FALLS:
        yield from fall_down(battle, loser, winner.x, winner.y)
    elif result == RECOILS:
        yield from recoil(battle, loser, winner, chain)
    elif result == WOUNDED:
        lose_quality(battle, loser, "wound", "SBH-SR-TOUGH-01")
    elif result in (KILLED, GRUESOME):
        rule = "SBH-COMBAT-08" if result == GRUESOME else "SBH-COMBAT-07"
        remove(battle, loser, "killed", winner.id, rule, gruesome=result == GRUESOME)
    if loser.on_table and not outcome.warded:
        outcome.after(battle.dice)
        _flush(battle, outcome)
        if outcome.poisoned:
            lose_quality(battle, loser, "poison", "SBH-SR-POISON-01")


def _flush(battle: Battle, outcome: Outcome) -> None:
    for event in outcome.events:
        battle.tell(event)
    outcome.events = []


# -- falling -----------------------------------------------------------------------------------------------------------


def fall_down(battle: Battle, fighter: Fighter, from_x: float, from_y: float) -> Asking[None]:
    """He falls, and drops if he stands at an edge that lies away from whoever struck him (SBH-FALL-01).

    Who lies already cannot fall any further (SBH-FALLEN-05).
    """
    if fighter.down:
        return
    fighter.down = True
    battle.tell(Fell("SBH-COMBAT-05", fighter.id))
    spot = landing(battle, fighter, from_x, from_y)
    if spot is not None:
        yield from _drop(battle, fighter, *spot)


def landing(battle: Battle, fighter: Fighter, from_x: float, from_y: float) -> tuple[float, float, float] | None:
    """Where he lands if he falls over an edge, and how deep: it lies within one base width of his base, in the half of
    the table away from the attacker, without a parapet, and the drop is his own height or more (SBH-FALL-01, -02).

    The nearest edge, by critical places, and of two as near the one that lies more straight away. None is a proof.
    """
    table = battle.table
    if fighter.z <= TOLERANCE:
        return None
    x, y = fighter.x, fighter.y
    if any("parapet" in piece.traits for piece in table.at(x, y) if piece.levels):
        return None
    away = atan2(y - from_y, x - from_x)
    ux, uy = cos(away), sin(away)

    def ahead(px: float, py: float) -> float:
        return (px - x) * ux + (py - y) * uy

    def deep_at(px: float, py: float) -> float:
        """How deep it is there, if he falls over an edge to it: the ground is lower by his own height or more."""
        deep = fighter.z - table.height_at(px, py)
        inside = -UNTOUCHED <= px <= table.width + UNTOUCHED and -UNTOUCHED <= py <= table.depth + UNTOUCHED
        return deep if inside and deep >= fighter.width - TOLERANCE and ahead(px, py) >= -UNTOUCHED else 0.0

    curves: list[Curve] = [Line(ux, uy, ux * x + uy * y), *edges(0.0, 0.0, table.width, table.depth)]
    for piece in table.standable():
        curves += rim(piece.outline, UNTOUCHED)
    places = critical_places(curves, x, y, fighter.radius + fighter.width + UNTOUCHED + TOLERANCE)
    lower = [(px, py) for px, py in places if deep_at(px, py)]
    if not lower:
        return None
    nearest = hypot(lower[0][0] - x, lower[0][1] - y) + TOLERANCE
    px, py = max((place for place in lower if hypot(place[0] - x, place[1] - y) <= nearest), key=lambda p: ahead(*p))
    spot = _room_below(battle, fighter, px, py)
    return (*spot, deep_at(px, py)) if spot is not None else None


def _room_below(battle: Battle, fighter: Fighter, x: float, y: float) -> Spot | None:
    """The place for his base at the bottom beside the edge: the nearest with room. None only if there is none on the
    table."""
    bottom = battle.table.height_at(x, y)

    def fits(px: float, py: float) -> bool:
        return battle.table.holds(fighter.body.base, px, py, 0.0) and not _is_taken(battle, fighter, px, py, bottom)

    return free_spot(battle, fighter, x, y, fits)


def _is_taken(battle: Battle, fighter: Fighter, x: float, y: float, bottom: float) -> bool:
    """A fighter, impassable ground or a higher level is where he would land."""
    if any(
        hypot(x - f.x, y - f.y) < fighter.radius + f.radius - TOLERANCE for f in battle.present() if f is not fighter
    ):
        return True
    near = (
        battle.table.at(x, y)
        if battle.ruler.grid is not None
        else battle.table.touching(x, y, fighter.radius - TOLERANCE)
    )
    return any(p.levels[-1] > bottom + TOLERANCE if p.levels else "impassable" in p.traits for p in near)


def _drop(battle: Battle, fighter: Fighter, x: float, y: float, deep: float) -> Asking[None]:
    """He drops the whole height: a Quality roll decides whether he lives (SBH-FALL-02 to -05)."""
    sticks = battle.sticks
    start = (fighter.x, fighter.y)
    put(battle, fighter, x, y)
    battle.tell(Dropped("SBH-FALL-01", fighter.id, round(deep, 1)))
    cancelled = yield from resources.cancel_rules(
        battle, with_leaders(battle, fighter), fighter=fighter.id, manner="fall"
    )
    safe = fighter.profile.safe_falls
    number = 1 if deep <= sticks.short + TOLERANCE else 2 if deep <= sticks.medium + TOLERANCE else 3
    failures = 0 if safe else (yield from test_quality(battle, fighter, number, "fall", "SBH-FALL-02"))
    resources.restore_rules(cancelled)
    if failures:
        remove(battle, fighter, "killed", "fall", "SBH-FALL-03")
    else:
        fighter.slow_to_rise = not safe
        yield from after_entering(battle, fighter, start)


# -- recoiling ---------------------------------------------------------------------------------------------------------


class Retreat:
    """One way to recoil: the place he is pushed towards, where it ends, and the enemies it newly touches."""

    __slots__ = ("contacts", "towards", "x", "y")

    def __init__(self, towards: Spot, x: float, y: float, contacts: tuple[Fighter, ...]) -> None:
        self.towards = towards
        self.x = x
        self.y = y
        self.contacts = contacts


def retreat(battle: Battle, fighter: Fighter, towards: Spot, before: set[str]) -> Retreat | None:
    """One base width in that direction, stopped by contact with an enemy; None if something is in the way."""
    angle = atan2(towards[1] - fighter.y, towards[0] - fighter.x)
    ux, uy = cos(angle), sin(angle)
    first, met = fighter.width, None
    for other in battle.present():
        if other is fighter or (other.x - fighter.x) * ux + (other.y - fighter.y) * uy <= 0.0:
            continue
        until, missed = until_met(fighter, ux, uy, other)
        if missed < -TOLERANCE and until < first - TOLERANCE:
            first, met = until, other
    if met is not None and (met.side == fighter.side or met.id in before):
        return None
    x, y = battle.ruler.spot(fighter.x + ux * first, fighter.y + uy * first)
    if not battle.table.holds(fighter.body.base, x, y, 0.0) or _is_walled(battle, fighter, x, y):
        return None
    return Retreat(towards, x, y, tuple(f for f in contacts_at(battle, fighter, x, y) if f.id not in before))


def _is_walled(battle: Battle, fighter: Fighter, x: float, y: float) -> bool:
    """A wall, a rock, impassable ground or an edge stands in the way of a recoil (SBH-RECOIL-04)."""
    table = battle.table
    if not table.pieces:
        return False
    if _is_edge(battle, fighter, x, y):
        return True
    gait = gait_of(battle, fighter)
    r = fighter.radius if battle.ruler.grid is None else 0.0
    for piece in table.pieces_near(
        min(x, fighter.x) - r, min(y, fighter.y) - r, max(x, fighter.x) + r, max(y, fighter.y) + r
    ):
        if not (gait.stopped_by(piece) or is_obstacle(piece) or not gait.may_stand(piece)):
            continue
        outline = piece.outline
        inside = outline.touches_disc(fighter.x, fighter.y, r) if r else outline.contains(fighter.x, fighter.y)
        meets = (
            outline.comes_within(fighter.x, fighter.y, x, y, r - TOLERANCE)
            if r
            else outline.crosses(fighter.x, fighter.y, x, y)
        )
        # Who leans upon a low wall is not pushed over it.
        over = inside and outline.crosses(fighter.x, fighter.y, x, y) and not outline.contains(fighter.x, fighter.y)
        if meets and (not inside or over):
            return True
    return False


def _is_edge(battle: Battle, fighter: Fighter, x: float, y: float) -> bool:
    """Between him and that place the ground drops or rises by his own height or more, and not as a slope."""
    climb = battle.table.height_at(x, y) - fighter.z
    if abs(climb) < fighter.width - TOLERANCE or fighter.profile.safe_falls:
        return False
    top = (x, y) if climb > 0.0 else (fighter.x, fighter.y)
    return not any(piece.kind == "hill" and "parapet" in piece.traits for piece in battle.table.at(*top))


def _hex_retreats(battle: Battle, fighter: Fighter, foe: Fighter, before: set[str]) -> list[Retreat]:
    """The hexes facing away from the attacker, the middle one first (SBH-HEX-03)."""
    grid = battle.ruler.grid
    assert grid is not None
    taken = {grid.cell_at(f.x, f.y) for f in battle.present() if f is not fighter}
    ways = []
    cells = grid.away(grid.cell_at(foe.x, foe.y), grid.cell_at(fighter.x, fighter.y))
    for cell in cells[:1] if battle.options["sbh.recoilArc"] == "0" else cells:
        if not grid.on_board(cell) or cell in taken:
            continue
        x, y = grid.spot(*grid.centre(cell))
        if _is_walled(battle, fighter, x, y):
            continue
        contacts = tuple(
            f for f in battle.foes(fighter) if f.id not in before and grid.distance(cell, grid.cell_at(f.x, f.y)) == 1
        )
        ways.append(Retreat((x, y), x, y, contacts))
    return ways


def recoil(battle: Battle, fighter: Fighter, foe: Fighter, chain: Chain) -> Asking[None]:
    """One base width away from the attacker, the exact direction chosen by his owner (SBH-RECOIL-01, -02)."""
    before = {f.id for f in battle.enemies_at(fighter)}
    away = atan2(fighter.y - foe.y, fighter.x - foe.x)
    arc = float(battle.options["sbh.recoilArc"]) * pi / 180
    start = (fighter.x, fighter.y)
    if battle.ruler.grid is not None:
        ways = _hex_retreats(battle, fighter, foe, before)
    else:
        way = first_retreat(battle, fighter, away, arc, before)
        ways = [way] if way is not None else []
    if not ways:
        battle.tell(ResultChanged("SBH-RECOIL-04", fighter.id, "No room", FALLS))
        yield from fall_down(battle, fighter, foe.x, foe.y)
        return
    way = ways[0]
    if arc > 0 and (battle.ruler.grid is None or len(ways) > 1):
        way = yield from _choose_retreat(battle, fighter, foe, away, arc, before, ways)
    put(battle, fighter, way.x, way.y)
    distance = battle.ruler.in_measure(battle.ruler.walked(*start, way.x, way.y))
    battle.tell(Recoiled("SBH-RECOIL-01", fighter.id, distance, tuple(f.id for f in way.contacts)))
    yield from after_entering(battle, fighter, start)
    if fighter.on_table and way.contacts:
        yield from free_hacks(battle, fighter, list(way.contacts), chain, "SBH-RECOIL-03")


def first_retreat(battle: Battle, fighter: Fighter, away: float, arc: float, before: set[str]) -> Retreat | None:
    """Directly away, or aside where there is room; None if every direction of the arc is blocked (SBH-RECOIL-04).

    Every third degree is looked at first. If none of these is free it is proven: what is in the way begins and ends at
    directions that are known, and one of these or one between two of them is free if any is.
    """

    def pushed(turn: float) -> Retreat | None:
        return retreat(battle, fighter, _pushed(battle, fighter, away + turn), before)

    turns = sorted((k * pi / 60 for k in range(-30, 31) if abs(k) * pi / 60 <= arc + 1e-9), key=abs)
    way = next((way for turn in turns if (way := pushed(turn)) is not None), None)
    if way is not None or arc == 0.0:
        return way
    x, y = fighter.x, fighter.y
    curves = boundaries(battle, fighter, reach=fighter.width, pushed=True)
    spots = critical_places(curves, x, y, fighter.width + UNTOUCHED)
    cuts = [(atan2(py - y, px - x) - away + pi) % (2 * pi) - pi for px, py in spots if (px, py) != (x, y)]
    exact = sorted(candidates([(-arc, arc)], cuts), key=abs)
    return next((way for turn in exact if (way := pushed(turn)) is not None), None)


def _pushed(battle: Battle, fighter: Fighter, angle: float) -> Spot:
    """The place one base width away in that direction."""
    return battle.ruler.spot(fighter.x + cos(angle) * fighter.width, fighter.y + sin(angle) * fighter.width)


def _choose_retreat(
    battle: Battle, fighter: Fighter, foe: Fighter, away: float, arc: float, before: set[str], ways: list[Retreat]
) -> Asking[Retreat]:
    """The owner points where his fighter is pushed; he goes as far that way as a recoil goes."""

    def towards(x: float, y: float) -> Retreat | Refusal:
        if battle.ruler.grid is not None:
            spot = battle.ruler.spot(x, y)
            found = next((way for way in ways if way.towards == spot), None)
            return found or Refusal("SBH-HEX-03", "not_away", {"fighter": fighter.id})
        turn = (atan2(y - fighter.y, x - fighter.x) - away + pi) % (2 * pi) - pi
        if hypot(x - fighter.x, y - fighter.y) < 1.0 or abs(turn) > arc + 1e-3:
            facts = {"degrees": round(abs(turn) * 180 / pi, 1), "most": round(arc * 180 / pi)}
            return Refusal("SBH-RECOIL-02", "not_away", facts)
        return retreat(battle, fighter, (x, y), before) or Refusal("SBH-RECOIL-04", "no_room", {"fighter": fighter.id})

    def check(moves: Moves) -> Moves | Refusal:
        path = moves.get(fighter.id, ())
        if not path:
            return Refusal("SBH-RECOIL-01", "must_recoil", {"fighter": fighter.id})
        if not is_straight(fighter, path):
            return Refusal("SBH-RECOIL-02", "not_straight", {"points": len(path)})
        far = hypot(path[-1][0] - fighter.x, path[-1][1] - fighter.y)
        if far > fighter.width + 1.0:
            return Refusal("SBH-RECOIL-01", "too_far", {"distance": round(far, 1), "reach": fighter.width})
        way = towards(*path[-1])
        return way if isinstance(way, Refusal) else {fighter.id: (path[-1],)}

    def propose(random: Random) -> Moves:
        way = ways[int(random.random() * len(ways))]
        if battle.ruler.grid is None:
            spot = _pushed(battle, fighter, away + (2 * random.random() - 1) * arc)
            way = retreat(battle, fighter, spot, before) or way
        return {fighter.id: (way.towards,)}

    def suggest() -> Moves:
        return {fighter.id: (ways[0].towards,)}

    about = {"fighter": fighter.id, "target": foe.id}
    moves = yield from move_figures(
        fighter.side, (fighter.id,), check, propose, "recoil", "SBH-RECOIL-02", about, suggest=suggest
    )
    way = towards(*moves[fighter.id][-1])
    assert isinstance(way, Retreat)
    return way


def after_entering(battle: Battle, fighter: Fighter, start: Spot) -> Asking[None]:
    """What he comes to: treacherous ground (SBH-SCEN-HARD-04), a marker to search (SBH-SCEN-TREASURE-03)."""
    if battle.scenario == "hard":
        from oriflamme.games.sbh.scenarios import enter_ground

        yield from enter_ground(battle, fighter, start)
    if fighter.on_table:
        search(battle, fighter)


# -- free hacks --------------------------------------------------------------------------------------------------------


class Hack:
    """A free hack that an enemy may make, unless something protects the victim (SBH-HACK-05)."""

    __slots__ = ("evaded", "hacker", "victim")

    def __init__(self, hacker: Profile, victim: Profile) -> None:
        self.hacker = hacker
        self.victim = victim
        self.evaded = False

    def evade(self, because: AnyKeyword) -> None:
        self.evaded = True


def may_hack(battle: Battle, hacker: Fighter, victim: Fighter) -> bool:
    """An operational enemy, and a victim who is not immune (SBH-HACK-04, -05)."""
    if hacker.helpless:
        return False
    hack = Hack(hacker.profile, victim.profile)
    at(Keyword.when_hacked, (victim.keywords,), hack)
    return not hack.evaded


def free_hacks(battle: Battle, victim: Fighter, hackers: list[Fighter], chain: Chain, rule: str) -> Asking[list[int]]:
    """Each of these enemies strikes once, in an order their owner chooses; each may hold back (SBH-HACK-07).

    Gives back how each roll went for the hacker: 1 won, 0 tied, -1 lost.
    """

    def strikes(hacker: Fighter) -> bool:
        return (
            (hacker.id, victim.id) not in chain.struck
            and battle.in_contact(hacker, victim)
            and may_hack(battle, hacker, victim)
        )

    order = [hacker.id for hacker in hackers if strikes(hacker)]
    owner = 1 - victim.side
    if len(order) > 1:
        options = [Option.thing(id) for id in order]
        picked = yield from put_in_order(owner, options, "order_of_hacks", rule, {"fighter": victim.id})
        order = list(picked)
    results = []
    for id in order:
        hacker = battle.units[id]
        if not strikes(hacker):
            continue
        answer = yield from pick_one(
            owner, (Option("yes"), Option("no")), "make_free_hack", "SBH-HACK-07", {"fighter": id, "target": victim.id}
        )
        if answer == "no":
            continue
        chain.struck.add((id, victim.id))
        results.append((yield from fight(battle, hacker, victim, "hack", chain=chain)))
    return results
