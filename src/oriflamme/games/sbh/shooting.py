"""Ranged combat (SBH-SHOOT), the choice of targets (SBH-TARGET) and ammunition (SBH-AMMO)."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.sbh.bout import Bout, Roll
from oriflamme.games.sbh.events import AmmunitionRolled
from oriflamme.games.sbh.moments import Keyword, book
from oriflamme.games.sbh.sight import Line, can_see, in_cover_terrain, line_between, shoots_from_ambush
from oriflamme.games.sbh.state import Battle, Fighter, Marker

NORMAL_SIZE = 0


class Aim:
    """How somebody attacks from afar: "shot", "javelin" or "spell", its stick, and whether it has range bands."""

    __slots__ = ("bands", "manner", "power", "stick")

    def __init__(self, manner: str, stick: str, bands: bool, power: int = 0) -> None:
        self.manner = manner
        self.stick = stick
        self.bands = bands
        self.power = power


def aim_of(battle: Battle, fighter: Fighter, manner: str, power: int = 0) -> Aim:
    """The aim of a shot, a magic javelin (Short) or a spell, whose Power is its range (SBH-MAGIC-07)."""
    if manner == "spell":
        stick = ("short", "medium", "long")[power - 1]
        return Aim(manner, stick, battle.options["sbh.spellRangeBands"] == "doubleTriple", power)
    return Aim(manner, "short" if manner == "javelin" else fighter.profile.range, True)


def band_of(battle: Battle, distance: float, aim: Aim) -> int:
    """1 for normal range, 2 for double, 3 for triple; 0 if it is too far (SBH-SHOOT-02)."""
    stick = battle.ruler.sticks.of(aim.stick)
    for band in (1, 2, 3) if aim.bands else (1,):
        if distance <= stick * band + TOLERANCE:
            return band
    return 0


def why_not_aim(battle: Battle, fighter: Fighter, aim: Aim) -> Refusal | None:
    """Why he cannot attack anybody from afar at the moment, whoever the target."""
    if fighter.helpless:
        rule = "SBH-TRANSFIX-04" if fighter.transfixed is not None else "SBH-FALLEN-02"
        return Refusal(rule, "helpless", {"fighter": fighter.id})
    if aim.manner == "shot":
        if not fighter.profile.range:
            return Refusal("SBH-SHOOT-01", "no_shooter", {"fighter": fighter.id})
        if fighter.out_of_ammo:
            return Refusal("SBH-AMMO-01", "out_of_ammunition", {"fighter": fighter.id})
    if fighter.attacked:
        return Refusal("SBH-ACTION-02", "has_attacked", {"fighter": fighter.id})
    for enemy in battle.enemies_at(fighter):
        if not enemy.down:
            rule = "SBH-MAGIC-06" if aim.manner == "spell" else "SBH-SHOOT-07"
            return Refusal(rule, "in_close_combat", {"fighter": enemy.id})
    return None


def why_not_target(battle: Battle, fighter: Fighter, target: Fighter, aim: Aim) -> Refusal | None:
    """Why that enemy is no legal target, if there is a reason (SBH-SHOOT-02, -07 to -09, SBH-LOS, SBH-WOODS)."""
    if target.side == fighter.side or not target.on_table:
        return Refusal("SBH-SHOOT-01", "not_an_enemy", {"fighter": target.id})
    distance = battle.gap(fighter, target)
    if not band_of(battle, distance, aim):
        bands = 3 if aim.bands else 1
        facts = {"distance": battle.ruler.in_measure(distance), "reach": battle.ruler.sticks.of(aim.stick) * bands}
        return Refusal("SBH-MAGIC-07" if aim.manner == "spell" else "SBH-SHOOT-02", "too_far", facts)
    for friend in battle.enemies_at(target):
        if friend is not fighter:
            rule = "SBH-SHOOT-09" if friend.down else "SBH-SHOOT-07"
            return Refusal(rule, "target_in_close_combat", {"fighter": target.id, "friend": friend.id})
    return why_not_seen(battle, fighter, target)


def why_not_seen(battle: Battle, fighter: Fighter, target: Fighter) -> Refusal | None:
    """Why he cannot pick out that enemy: hidden, in a wood, behind somebody, or too stealthy."""
    if target.profile.shy and in_cover_terrain(battle, target):
        return Refusal("SBH-SR-STEALTHY-01", "stealthy", {"fighter": target.id})
    line = line_between(battle, fighter, target)
    if line.woods:
        return Refusal("SBH-WOODS-02", "inside_a_wood", {"fighter": target.id})
    if line.too_deep():
        facts = {"distance": battle.ruler.in_measure(battle.gap(fighter, target)), "reach": battle.ruler.sticks.short}
        return Refusal("SBH-WOODS-04", "too_far_in_the_wood", facts)
    if not line.free_of_terrain():
        return Refusal("SBH-COVER-02", "hidden", {"fighter": target.id})
    if not can_see(battle, fighter, target):
        return Refusal("SBH-LOS-01", "line_blocked", {"fighter": target.id})
    return None


def is_covered(battle: Battle, fighter: Fighter, target: Fighter) -> bool:
    """In cover from him (SBH-COVER-01), or both inside the same wood (SBH-WOODS-04)."""
    return bool(battle.table.pieces) and line_between(battle, fighter, target).covers()


class Mark:
    """A legal target as the choice of targets sees it: an enemy, or a marker that may be one (SBH-SCEN-AMBUSH-07)."""

    __slots__ = ("distance", "id", "passable", "size")

    def __init__(self, id: str, distance: float, size: int, passable: bool) -> None:
        self.id = id
        self.distance = distance
        self.size = size
        # He may be ignored whoever is behind him (SBH-TARGET-02, -03).
        self.passable = passable


def marks(battle: Battle, fighter: Fighter, aim: Aim) -> dict[str, Mark]:
    """All legal targets, with what the choice between them depends on."""
    found = {}
    for enemy in battle.foes(fighter):
        if why_not_target(battle, fighter, enemy, aim) is None:
            slight = 2 * enemy.points < fighter.points
            passable = slight or enemy.down or is_covered(battle, fighter, enemy)
            found[enemy.id] = Mark(enemy.id, battle.gap(fighter, enemy), enemy.profile.size, passable)
    for marker in battle.markers:
        if marker.kind == "ambush" and marker.side != fighter.side:
            distance = marker_distance(battle, fighter, marker)
            line = _line_to(battle, fighter, marker)
            if band_of(battle, distance, aim) and line.free(_others(battle, fighter)):
                found[marker.id] = Mark(marker.id, distance, NORMAL_SIZE, line.covers())
    return found


def marker_distance(battle: Battle, fighter: Fighter, marker: Marker) -> float:
    return battle.ruler.between(fighter.x, fighter.y, fighter.radius, marker.x, marker.y, marker.radius)


def _line_to(battle: Battle, fighter: Fighter, marker: Marker) -> Line:
    """How he looks at a marker: as at a fighter who stands there."""
    x, y, z = marker.x, marker.y, battle.table.height_at(marker.x, marker.y)
    return Line(battle, fighter.x, fighter.y, fighter.z, fighter.radius, x, y, z, marker.radius)


def _others(battle: Battle, fighter: Fighter) -> list[Fighter]:
    """Who may stand in his way: everybody but the friends he touches (SBH-LOS-02)."""
    friends = [f for f in battle.touching(fighter) if f.side == fighter.side]
    return [f for f in battle.present() if f is not fighter and f not in friends]


def why_not_chosen(legal: dict[str, Mark], wanted: str) -> Refusal | None:
    """Why a legal target may not be chosen: a nearer one cannot be ignored (SBH-TARGET-01 to -05)."""
    target = legal[wanted]
    for other in legal.values():
        if other.distance >= target.distance - TOLERANCE or other.passable:
            continue
        if target.size > NORMAL_SIZE and other.size == NORMAL_SIZE:
            continue
        facts = {"fighter": other.id, "distance": round(other.distance, 1), "farther": round(target.distance, 1)}
        return Refusal("SBH-TARGET-01", "nearer_enemy", facts)
    return None


def targets(battle: Battle, fighter: Fighter, aim: Aim) -> list[str]:
    """The enemies and markers he may shoot at."""
    if why_not_aim(battle, fighter, aim) is not None:
        return []
    legal = marks(battle, fighter, aim)
    return [id for id in legal if why_not_chosen(legal, id) is None]


def why_not_shoot(battle: Battle, fighter: Fighter, wanted: str, aim: Aim) -> Refusal | None:
    """Why he may not attack that target from afar, if there is a reason."""
    refusal = why_not_aim(battle, fighter, aim)
    if refusal is not None:
        return refusal
    target = battle.units.get(wanted)
    if target is not None:
        refusal = why_not_target(battle, fighter, target, aim)
        if refusal is not None:
            return refusal
    legal = marks(battle, fighter, aim)
    if wanted not in legal:
        return Refusal("SBH-LOS-01", "line_blocked", {"fighter": wanted})
    return why_not_chosen(legal, wanted)


# -- the shot ----------------------------------------------------------------------------------------------------------


def ranged_bout(battle: Battle, shooters: Sequence[Fighter], target: Fighter, aim: Aim, *, aimed: bool = False) -> Bout:
    """A ranged roll with all that bears on it; for a volley whatever holds for one holds for all (SBH-VOLLEY-03)."""
    lead = min(shooters, key=lambda f: f.profile.combat)
    if aim.manner == "spell":
        a = Roll(lead, aim.power, "Power", "SBH-MAGIC-09")
    else:
        a = Roll(lead, lead.profile.combat, "Combat", "SBH-SHOOT-03")
    d = Roll(target, target.profile.combat, "Combat", "SBH-SHOOT-03")
    bout = Bout(aim.manner, a, d, battle.options)
    if len(shooters) > 1:
        shared = set(lead.profile.keywords).intersection(*(set(f.profile.keywords) for f in shooters))
        bout.keywords = book.set_of(k for k in lead.profile.keywords if k in shared)
        d.change_by(1 - len(shooters), "Concentrated fire", "SBH-VOLLEY-02")
    if any(is_covered(battle, f, target) and not battle.is_sure_footed(f) for f in shooters):
        a.change_by(-1, "Cover", "SBH-COVER-01")
    # The worst range band counts once for all.
    band = max(
        band_of(battle, battle.gap(f, target), aim_of(battle, f, aim.manner, aim.power) if len(shooters) > 1 else aim)
        for f in shooters
    )
    if band > 1:
        a.change_by(-2 * (band - 1), "Range", "SBH-SHOOT-02")
    if any(shoots_from_ambush(battle, f, target) for f in shooters):
        a.change_by(1, "Ambush", "SBH-HIDE-02")
    if target.transfixed is not None:
        a.change_by(2, "Transfixed target", "SBH-TRANSFIX-06")
    if any(target.profile.size > f.profile.size for f in shooters):
        a.change_by(1, "Larger target", "SBH-SIZE-03")
    if aim.manner == "javelin":
        a.change_by(1, "Magic javelin", "SBH-ITEM-JAVELINS-01")
    if aimed:
        d.change_by(-1, "Aimed shot", "SBH-ACTION-04")
    at(Keyword.before_shooting, (bout.keywords,), a, bout)
    at(Keyword.before_being_shot, (d.keywords,), a, bout)
    at(Keyword.before_dodging, (d.keywords,), d, bout)
    return bout


def check_ammunition(battle: Battle, shooters: Sequence[Fighter], die: int) -> None:
    """After a natural 1, another 1 means that a shooter has nothing left (SBH-AMMO-01, SBH-VOLLEY-06)."""
    if die != 1:
        return
    face = battle.dice.d6()
    unlucky = shooters[0]
    if face == 1 and len(shooters) > 1:
        unlucky = _one_of(battle, shooters)
    battle.tell(AmmunitionRolled("SBH-AMMO-01", unlucky.id, face, face == 1))
    if face == 1:
        unlucky.out_of_ammo = True


def _one_of(battle: Battle, shooters: Sequence[Fighter]) -> Fighter:
    """One participant at random: a die names him, rolled again if it names nobody."""
    while True:
        face = battle.dice.d6()
        if face <= len(shooters):
            return shooters[face - 1]
