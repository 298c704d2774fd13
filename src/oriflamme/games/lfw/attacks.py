"""Attacks of a battle: who attacks whom with what, from what is true now (LFW-ATK-03), and what comes of it."""

from __future__ import annotations

from typing import Final, Literal

from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.attack import Attack, Rulings, roll_defence, roll_to_hit
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.dicing import roll_amount, roll_faces, thrower
from oriflamme.games.lfw.events.attacks import DefenceRolled, HitRedirected, HitsRolled, HitSuffered
from oriflamme.games.lfw.ground import distance
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.noting import NotedAttack, is_noted
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.state import Asking, Battle, Part
from oriflamme.games.lfw.stats import stat_of, value_of
from oriflamme.games.lfw.terrain import is_in_water
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.wounds import suffer

SPELL_ATTACK = Amount(1)  # LFW-SPL-09
REDIRECTED_ON: Final = 2  # or less (LFW-CAV-08)


def rulings_of(battle: Battle) -> Rulings:
    """The house rules that bear on attacks."""
    return Rulings(
        battle.option("lfw.fateSixIsCritical") == "yes",
        battle.option("lfw.rangedCriticals") == "once",
        battle.option("lfw.fateLast") == "yes",
        0 if battle.option("lfw.parryDodgeFloor") == "zero" else None,
        battle.option("lfw.classicCavalry") == "role",
    )


def make_attack(
    battle: Battle,
    kind: Literal["ranged", "melee"],
    attacker: Part | None,
    target: Part,
    weapon: Weapon,
    *,
    number: int | None = None,
    skill: int | None = None,
    side: int | None = None,
) -> Attack:
    """An attack with a weapon, before anything changes it.

    `number` is the Attack value if it is not the weapon's (a split, a die that was rolled), `skill` the CC or CT if it
    is not the attacker's; an attack without an attacker (an explosion, a spell) needs its skill and side.
    """
    model = battle.model_of(attacker) if attacker is not None else None
    other = battle.model_of(target)
    if skill is None:
        assert attacker is not None
        own = stat_of(battle, attacker, "CC" if kind == "melee" else "CT")
        skill = own.value if own is not None else 7
    # Shots at a duo are always against the mount's dodge (LFW-CAV-07).
    guarding = other.mover if kind == "ranged" and other.duo else target
    guard = stat_of(battle, guarding, "CP" if kind == "melee" else "E")
    defence = stat_of(battle, target, "D")
    attack = Attack(
        kind,
        side=attacker.side if attacker is not None else (side if side is not None else target.side),
        attacker=attacker,
        model=model,
        target=target,
        target_model=other,
        weapon=weapon,
        skill=skill,
        guard=0,
        number=weapon.attack.plus if number is None else number,
        strength=weapon.strength,
        defence=defence.value if defence is not None else 7,
        rulings=rulings_of(battle),
        sets=sets_of(battle, attacker, weapon) if attacker is not None else (weapon.rules,),
        target_sets=sets_of(battle, target),
        distance=in_inches(distance(battle, model, other)) if model is not None else 0.0,
    )
    attack.guarding = guarding
    hinder(battle, attack)
    if guard is not None:
        guard.resume()
        guard.floor = attack.guard.floor
        attack.guard = guard
    return attack


def hinder(battle: Battle, attack: Attack) -> None:
    """What makes the rolls of an attacker worse wherever he strikes: water in melee, an unsteady hand."""
    if attack.kind == "melee" and attack.model is not None and is_in_water(battle, attack.model):
        attack.bonus.change_by(-1, "water", "LFW-TERR-34")
    if attack.attacker is not None and attack.attacker.unsteady:
        attack.bonus.change_by(-1, "crippled", "LFW-WND-07")


def prepare(attack: Attack) -> None:
    """Special rules of both change the attack before the dice: those of the attacker and his weapon first, so that the
    target's answer to them."""
    known = len(attack.guard.reasons)
    at(Keyword.when_attacking, attack.sets, attack)
    attack.against = attack.guard.reasons[known:]
    at(Keyword.when_attacked, attack.target_sets, attack)


def attack_value(battle: Battle, attacker: Part, weapon: Weapon) -> Asking[int]:
    """The Attack of a weapon, rolled where it is a formula (LFW-DICE-03)."""
    return (yield from roll_amount(battle, attacker.side, weapon.attack, "attack"))


def roll_attack(battle: Battle, attack: Attack, *, redirects: bool = False) -> Asking[tuple[Attack, int]]:
    """Play a prepared attack from the hit rolls to the number of wounds, before protections (LFW-ATK-03, 2 to 7).

    With `redirects`, a shot that hits one of a duo may go to the other: then it is another attack that is given back.
    """
    if is_noted(NotedAttack(attack, redirects)):
        return attack, 0
    yield from roll_to_hit(attack, thrower(battle))
    if attack.kind != "hit":
        _tell_hits(battle, attack)
    if redirects and attack.hits and attack.target_model.duo:
        attack = yield from _redirected(battle, attack)
    wounds = 0
    if attack.hits:
        wounds = yield from roll_defence(attack, thrower(battle))
        _tell_defence(battle, attack, wounds)
    at(Keyword.after_attack, attack.sets, attack, battle)
    at(Keyword.after_attacked, attack.target_sets, attack, battle)
    return attack, wounds


def _tell_hits(battle: Battle, attack: Attack) -> None:
    battle.tell(
        HitsRolled(
            "LFW-ATK-10" if attack.kind == "melee" else "LFW-ATK-05",
            attack.roll,
            attack.attacker.id if attack.attacker is not None else "",
            attack.target.id,
            attack.weapon.id if attack.weapon is not None else "",
            tuple(outcome.face for outcome in attack.outcomes),
            attack.needed,
            attack.successes,
            attack.criticals,
            attack.number.value * attack.times,
            attack.skill.value,
            attack.guard.value,
            _reasons(attack),
        )
    )


def _tell_defence(battle: Battle, attack: Attack, wounds: int) -> None:
    assert attack.saved is not None
    battle.tell(
        DefenceRolled(
            "LFW-ATK-18",
            attack.target.id,
            attack.attacker.id if attack.attacker is not None else "",
            attack.saved.face,
            attack.force,
            attack.saved.result,
            attack.defence.value,
            wounds,
            (*attack.strength.why(), *attack.defence_bonus.why()),
        )
    )


def _reasons(attack: Attack) -> tuple[Reason, ...]:
    """Everything that changed the roll: what is added to parry or dodge counts against it."""
    against = (Reason(reason.source, -reason.amount, reason.rule) for reason in attack.guard.why())
    return (*attack.bonus.why(), *against)


def _redirected(battle: Battle, attack: Attack) -> Asking[Attack]:
    """A shot that hits one of a duo goes to the other on 1 or 2, with all its hits; the shooter rolls (LFW-CAV-08)."""
    target = attack.target
    (other,) = (part for part in attack.target_model.alive if part is not target)
    (face,) = yield from roll_faces(battle, attack.side, 1, "redirection")
    struck = other if face <= REDIRECTED_ON else target
    battle.tell(HitRedirected("LFW-CAV-08", struck.id, target.id, face, struck is other))
    if struck is target:
        return attack
    turned = turned_to(battle, attack, other)
    turned.take_hits(attack)
    return turned


def turned_to(battle: Battle, attack: Attack, other: Part) -> Attack:
    """The same attack on the other of a duo, prepared."""
    assert attack.weapon is not None
    turned = make_attack(
        battle,
        "ranged",
        attack.attacker,
        other,
        attack.weapon,
        number=attack.number.value,
        skill=attack.skill.value,
        side=attack.side,
    )
    prepare(turned)
    return turned


def impose_hit(
    battle: Battle, part: Part, strength: int, cause: str, by: str = "", rule: str = "LFW-ATK-02"
) -> Asking[int]:
    """A hit of some strength without a hit roll (LFW-ATK-02): wounds that were not cancelled."""
    attack = Attack(
        "hit",
        side=part.side,
        attacker=None,
        model=None,
        target=part,
        target_model=battle.model_of(part),
        weapon=None,
        skill=0,
        guard=0,
        number=0,
        strength=strength,
        defence=value_of(battle, part, "D"),
        rulings=rulings_of(battle),
        target_sets=sets_of(battle, part),
    )
    prepare(attack)
    battle.tell(HitSuffered(rule, part.id, cause, strength))
    _, wounds = yield from roll_attack(battle, attack)
    return (yield from suffer(battle, part, wounds, cause, by))
