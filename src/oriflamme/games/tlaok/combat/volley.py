"""Volley and Aim (TLAOK-VOLLEY, TLAOK-AIM): whom a regiment may shoot at, which stands shoot, with how many shots."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from oriflamme.engine.blocks.faces import arcs_of, lies_in
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.games.tlaok.combat.attacks import dice_rulings_of, resolve, share_out, struck_by
from oriflamme.games.tlaok.combat.blows import Strike
from oriflamme.games.tlaok.events import AimTaken, VolleyShot
from oriflamme.games.tlaok.losses.wounds import Cause
from oriflamme.games.tlaok.moments import Keyword, KeywordSet, book
from oriflamme.games.tlaok.profile import Barrage
from oriflamme.games.tlaok.regiment.command import led
from oriflamme.games.tlaok.regiment.contact import rectangle_of
from oriflamme.games.tlaok.regiment.distances import apart, between, ground_of, may_be_within
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.state import Asking, Battle, Effect, Regiment, Stand
from oriflamme.games.tlaok.terrain.sight import (
    Eye,
    View,
    eyes,
    face_towards,
    has_clear_shot,
    hazes_between,
    is_hidden,
    sees,
    view_of,
    why_not_seen,
)
from oriflamme.games.tlaok.trials import Value, unmodified, value_of

MURDEROUS = 12 * INCH  # TLAOK-DE-MURDEROUSVOLLEY-01


@action("aim", "TLAOK-AIM-01", engaged=False)
def aim(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It gains Aimed Shot until the end of its activation (TLAOK-AIM-01)."""
    battle.tell(AimTaken("TLAOK-AIM-01", regiment.id))
    regiment.affect(Effect("Aimed Shot", "TLAOK-AIM-01", "activation", grant=book.parse("Aimed Shot")))
    return
    yield


# -- shots -------------------------------------------------------------------------------------------------------------


class Shot:
    """What one stand has to shoot at a target with: its Barrage, and what halves or spoils it (TLAOK-VOLLEY-16)."""

    __slots__ = ("aimed", "barrage", "effective", "halved", "lobs", "obscured", "shots")

    def __init__(self, barrage: Barrage, shots: Value, *, effective: bool = False, obscured: bool = False) -> None:
        self.barrage = barrage
        self.shots = shots
        self.effective = effective
        self.obscured = obscured
        self.halved: Reason | None = Reason("obscuring", 0, "TLAOK-ZONE-05") if obscured else None
        # It has Aimed Shot, and may shoot over the heads of others (TLAOK-SR-ARCINGFIRE-01).
        self.aimed = False
        self.lobs = False

    def halve(self, source: str, rule: str) -> None:
        """Once at most, whatever the number of causes (TLAOK-ZONE-08, TLAOK-SR-LOOSEFORMATION-02)."""
        self.halved = self.halved or Reason(source, 0, rule)

    def see_through(self, because: SpecialRule) -> None:
        """Obscuring terrain does not hamper it."""
        if self.obscured:
            self.obscured = False
            self.halved = None

    def number(self, order: str) -> int:
        """Printed, with what adds to it, halved and not below 1, one more at effective range; or halved last."""
        shots, more = self.shots.number, int(self.effective)
        if order == "addThenHalve":
            shots, more = shots + more, 0
        if self.halved is not None:
            shots = max(1, -(-shots // 2))
        return shots + more


def rules_of_shots(battle: Battle, regiment: Regiment, stand: Stand, barrage: Barrage) -> KeywordSet:
    """The special rules of a stand that shoots, and those of its shots."""
    return book.set_of((*battle.rules_of(regiment, stand), *barrage.rules))


def shot_of(
    battle: Battle, regiment: Regiment, stand: Stand, target: Regiment, barrage: Barrage, *, obscured: bool
) -> Shot:
    """The shots of a stand at a target (TLAOK-VOLLEY-15, -16)."""
    shots = Value("barrage", barrage.shots, "Barrage", "TLAOK-SR-BARRAGE-01")
    for reason in led(stand, "barrage"):
        shots.add(reason.amount, reason.source, reason.rule)
    near = distance(battle, regiment, stand, target)
    half = barrage.range * INCH / 2
    # Less than half the range, or half of it too (TLAOK-VOLLEY-11).
    or_less = battle.option("tlaok.effectiveRange") == "halfOrLess"
    effective = near <= half + TOLERANCE if or_less else near < half - TOLERANCE
    shot = Shot(barrage, shots, effective=effective, obscured=obscured)
    at(Keyword.when_shooting, (rules_of_shots(battle, regiment, stand, barrage),), shot)
    at(Keyword.when_shot_at, (target.keywords_of(target.troops[0]),), shot)
    for effect in target.effects:
        if effect.stat == "halved_barrage":
            shot.halve(effect.source, effect.rule)
    return shot


def distance(battle: Battle, regiment: Regiment, stand: Stand, target: Regiment) -> float:
    """From a stand, or from the garrison it is in, to the nearest point of a regiment (TLAOK-DIST-03, -07)."""
    return apart(ground_of(battle, regiment, [stand]), ground_of(battle, target))


def in_range(battle: Battle, regiment: Regiment, stand: Stand, target: Regiment, barrage: Barrage) -> bool:
    return distance(battle, regiment, stand, target) <= barrage.range * INCH + TOLERANCE


def can_shoot(regiment: Regiment, stand: Stand) -> bool:
    """It has a Barrage, and a Volley to shoot with (TLAOK-DICE-08)."""
    return bool(stand.profile.barrages) and unmodified(regiment, stand, "volley") > 0


# -- targets -----------------------------------------------------------------------------------------------------------


def why_not_target(battle: Battle, regiment: Regiment, target: Regiment) -> Refusal | None:
    """Why a Volley cannot be declared against a regiment: not seen, or out of range of all who have something to shoot
    with in the rank that faces it (TLAOK-VOLLEY-02, -05)."""
    face = face_towards(battle, regiment, target, view_of(battle, regiment, "volley"))
    if face:
        stands = [eye.stand for eye in eyes(battle, regiment, face) if can_shoot(regiment, eye.stand)]
        too_far = _out_of_range(battle, regiment, target, stands)
        if too_far is not None:
            return too_far
    return why_not_seen(battle, regiment, target, "volley", face)


def _out_of_range(battle: Battle, regiment: Regiment, target: Regiment, stands: list[Stand]) -> Refusal | None:
    if any(in_range(battle, regiment, s, target, b) for s in stands for b in s.profile.barrages):
        return None
    facts = {"regiment": regiment.id, "target": target.id}
    if not stands:
        return Refusal("TLAOK-VOLLEY-05", "nobody_to_shoot", facts)
    near = min(distance(battle, regiment, stand, target) for stand in stands)
    reach = max(barrage.range for stand in stands for barrage in stand.profile.barrages)
    return Refusal("TLAOK-VOLLEY-02", "out_of_range", facts | {"gap": in_inches(near), "reach": float(reach)})


def lobbers(battle: Battle, regiment: Regiment) -> Iterator[tuple[Stand, Barrage]]:
    """Those of the front rank who may shoot over the heads of others, with what (TLAOK-SR-ARCINGFIRE-01, -04)."""
    if regiment.garrison:
        return
    for eye in eyes(battle, regiment):
        if can_shoot(regiment, eye.stand):
            for barrage in eye.stand.profile.barrages:
                shot = Shot(barrage, Value("barrage", barrage.shots, "Barrage", "TLAOK-SR-BARRAGE-01"))
                at(Keyword.when_shooting, (rules_of_shots(battle, regiment, eye.stand, barrage),), shot)
                if shot.lobs and shot.aimed:
                    yield eye.stand, barrage


def why_not_arcing(battle: Battle, regiment: Regiment, target: Regiment) -> Refusal | None:
    """Why Arcing Fire is not possible: nobody has it with Aimed Shot, the target is not in the front arc, out of range,
    or no friend sees it (TLAOK-SR-ARCINGFIRE-01, -03)."""
    facts = {"regiment": regiment.id, "target": target.id}
    able = list(lobbers(battle, regiment))
    if not able:
        return Refusal("TLAOK-SR-ARCINGFIRE-01", "no_arcing_fire", facts)
    whole = rectangle_of(regiment)
    if not any(lies_in(whole, "front", part) for part in ground_of(battle, target)):
        return Refusal("TLAOK-SR-ARCINGFIRE-03", "not_in_front_arc", facts)
    if not any(in_range(battle, regiment, stand, target, barrage) for stand, barrage in able):
        return _out_of_range(battle, regiment, target, [stand for stand, _ in able])
    if not any(sees(battle, friend, target) for friend in battle.present(regiment.side)):
        return Refusal("TLAOK-SR-ARCINGFIRE-03", "no_friend_sees", facts)
    return None


def targets(battle: Battle, regiment: Regiment) -> list[str]:
    """Whom it may shoot at, and how: "orcs", or "arcing:orcs"."""
    longest = max((barrage.range for stand in regiment.figures for barrage in stand.profile.barrages), default=0)
    foes = [foe for foe in battle.foes(regiment) if may_be_within(regiment, foe, longest * INCH)]
    direct = [foe.id for foe in foes if why_not_target(battle, regiment, foe) is None]
    if next(lobbers(battle, regiment), None) is None:
        return direct
    return direct + [f"arcing:{foe.id}" for foe in foes if why_not_arcing(battle, regiment, foe) is None]


def why_not_volley(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Why a regiment cannot make a Volley at all (TLAOK-VOLLEY-01, -02)."""
    facts = {"regiment": regiment.id}
    if not any(can_shoot(regiment, stand) for stand in regiment.figures):
        return Refusal("TLAOK-VOLLEY-01", "no_barrage", facts)
    return None if targets(battle, regiment) else Refusal("TLAOK-VOLLEY-02", "no_target", facts)


# -- the action --------------------------------------------------------------------------------------------------------


class Shooter(NamedTuple):
    """A stand that shoots, with what, and from which arcs of the target it may choose."""

    stand: Stand
    shot: Shot
    arcs: tuple[str, ...]


@action("volley", "TLAOK-VOLLEY-01", engaged=False, why_not=why_not_volley)
def volley(battle: Battle, regiment: Regiment) -> Asking[None]:
    """A regiment shoots at one enemy (TLAOK-VOLLEY-03).

    1. Its player chooses the target and the Barrage.                          TLAOK-VOLLEY-02, -23
    2. Stands with a clear shot and in range contribute their shots.           TLAOK-VOLLEY-05 to -16
    3. Each shoots at the arc of the target that it is in.                     TLAOK-VOLLEY-12, -13
    4. Each arc is a pool of its own: hits, defence, wounds.                   TLAOK-VOLLEY-14, -17 to -21
    """
    possible = targets(battle, regiment)

    def reason(key: str) -> Refusal | None:
        kind, _, id = key.rpartition(":")
        foe = battle.units.get(id)
        if foe is None or foe.side == regiment.side:
            return None
        return (why_not_arcing if kind else why_not_target)(battle, regiment, foe)

    at = [(key, key.rpartition(":")[2]) for key in possible]
    options = [Option(key, "lob" if ":" in key else "shoot", {"target": id}, (id,)) for key, id in at]
    about = {"regiment": regiment.id}
    key = yield from pick_one(regiment.side, options, "shoot_target", "TLAOK-VOLLEY-02", about, why_not=reason)
    kind, _, id = key.rpartition(":")
    target = battle.units[id]
    shooters = yield from choose_shots(battle, regiment, target, arcing=bool(kind))
    order = battle.option("tlaok.barrageOrder")
    shots = sum(shooter.shot.number(order) for shooter in shooters)
    battle.tell(VolleyShot("TLAOK-VOLLEY-15", regiment.id, id, len(shooters), shots, bool(kind)))
    choices = [(shooter.stand, shooter.arcs) for shooter in shooters]
    by_arc = yield from share_out(battle, regiment, choices, "shoot_arc", "shoot_arcs", "TLAOK-VOLLEY-13")
    tested = is_murderous(battle, regiment, target)
    pools = [
        (arc, list(strikes_of(battle, regiment, target, arc, [s for s in shooters if s.stand in stands], bool(kind))))
        for arc, stands in by_arc.items()
    ]
    for arc, strikes in pools:
        if not target.fate:
            cause = Cause("TLAOK-VOLLEY-21", "volley", regiment.id, arc, morale=tested, saved=True)
            yield from resolve(battle, regiment, target, strikes, cause)
    _spend_aim(regiment)


def choose_shots(battle: Battle, regiment: Regiment, target: Regiment, *, arcing: bool) -> Asking[list[Shooter]]:
    """Who shoots, with which Barrage: all troops with the same one, the character with one of his own
    (TLAOK-VOLLEY-23)."""
    view = view_of(battle, regiment, "volley")
    face = "front" if arcing else face_towards(battle, regiment, target, view)
    found: list[Shooter] = []
    lookers = [eye for eye in eyes(battle, regiment, face) if can_shoot(regiment, eye.stand)]
    for hero in (False, True):
        alike = [eye for eye in lookers if eye.stand.hero == hero]
        if not alike:
            continue
        barrages = {str(n): barrage for n, barrage in enumerate(alike[0].stand.profile.barrages, 1)}
        shooters = {
            key: [_shooter(battle, regiment, eye, target, barrage, view, arcing=arcing) for eye in alike]
            for key, barrage in barrages.items()
        }
        able = {key: [s for s in each if s is not None] for key, each in shooters.items() if any(each)}
        if len(able) == 1:
            found += able.popitem()[1]
        elif able:
            stands = [eye.stand for eye in alike]
            found += able[(yield from _choose_barrage(battle, regiment, target, stands, barrages, able))]
    return found


def _choose_barrage(
    battle: Battle,
    regiment: Regiment,
    target: Regiment,
    stands: list[Stand],
    barrages: dict[str, Barrage],
    able: Container[str],
) -> Asking[str]:
    """One of those with which somebody has a shot (TLAOK-VOLLEY-09, -23)."""

    def reason(key: str) -> Refusal | None:
        barrage = barrages.get(key)
        if barrage is None:
            return None
        facts = {"regiment": regiment.id, "target": target.id}
        near = min(distance(battle, regiment, stand, target) for stand in stands)
        if near <= barrage.range * INCH + TOLERANCE:
            return Refusal("TLAOK-SR-ARCINGFIRE-04", "no_arcing_fire", facts)
        return Refusal(
            "TLAOK-VOLLEY-09", "out_of_range", facts | {"gap": in_inches(near), "reach": float(barrage.range)}
        )

    options = [
        Option(key, "barrage", {"shots": b.shots, "range": float(b.range), "rules": list(map(str, b.rules))})
        for key, b in barrages.items()
        if key in able
    ]
    about = {"regiment": regiment.id, "target": target.id, "stand": stands[0].id}
    key = yield from pick_one(regiment.side, options, "choose_barrage", "TLAOK-VOLLEY-23", about, why_not=reason)
    return key


def _shooter(
    battle: Battle, regiment: Regiment, eye: Eye, target: Regiment, barrage: Barrage, view: View, *, arcing: bool
) -> Shooter | None:
    """A stand contributes if the target is in its range and it has a clear shot (TLAOK-VOLLEY-08, -09)."""
    if not in_range(battle, regiment, eye.stand, target, barrage):
        return None
    obscured = is_hidden(battle, regiment, target)
    if not arcing:
        if not has_clear_shot(battle, regiment, eye, target, view.arcs):
            return None
        hazes = hazes_between(battle, regiment)
        if hazes and not obscured:
            obscured = not has_clear_shot(battle, regiment, eye, target, view.arcs, hazes)
    shot = shot_of(battle, regiment, eye.stand, target, barrage, obscured=obscured)
    if arcing and not shot.lobs:
        return None
    return Shooter(eye.stand, shot, arcs_from(battle, regiment, eye.stand, target))


def arcs_from(battle: Battle, regiment: Regiment, stand: Stand, target: Regiment) -> tuple[str, ...]:
    """The arcs of the target that a stand is in; a garrison has none (TLAOK-VOLLEY-12, TLAOK-GARR-13)."""
    if target.garrison:
        return ("",)
    whole = rectangle_of(target)
    parts = ground_of(battle, regiment, [stand])
    return tuple(dict.fromkeys(arc for part in parts for arc in arcs_of(whole, part))) or ("front",)


def strikes_of(
    battle: Battle, regiment: Regiment, target: Regiment, arc: str, shooters: list[Shooter], arcing: bool
) -> Iterator[Strike]:
    """Dice of one value: the troops, the character; apart by range where a special rule looks at it (TLAOK-DICE-15)."""
    struck = struck_by(battle, target, arc)
    order = battle.option("tlaok.barrageOrder")
    groups: dict[tuple[bool, bool], list[Shooter]] = {}
    for shooter in shooters:
        rules = rules_of_shots(battle, regiment, shooter.stand, shooter.shot.barrage)
        near = shooter.shot.effective and any(rule.by_range for rule in rules)
        groups.setdefault((shooter.stand.hero, near), []).append(shooter)
    for (_, near), alike in groups.items():
        first = alike[0]
        strike = Strike(
            "volley",
            regiment.side,
            sum(shooter.shot.number(order) for shooter in alike),
            value_of(battle, regiment, first.stand, "volley"),
            rules_of_shots(battle, regiment, first.stand, first.shot.barrage),
            struck,
            dice_rulings_of(battle),
            hero=first.stand.profile.character,
            effective=near,
        )
        strike.arcing = arcing
        yield strike


def is_murderous(battle: Battle, regiment: Regiment, target: Regiment) -> bool:
    """After an Aim its volleys at regiments within 12 inches cause morale tests (TLAOK-DE-MURDEROUSVOLLEY-01)."""
    acting = battle.acting
    aimed = acting is not None and "aim" in acting.performed
    murderous = any(effect.stat == "murderous_volley" for effect in regiment.effects)
    return murderous and aimed and between(battle, regiment, target) <= MURDEROUS + TOLERANCE


def _spend_aim(regiment: Regiment) -> None:
    """Aimed Shot was for this Volley (TLAOK-SR-AIMEDSHOT-01)."""
    regiment.effects = tuple(effect for effect in regiment.effects if effect.rule != "TLAOK-AIM-01")
    regiment.affect()
