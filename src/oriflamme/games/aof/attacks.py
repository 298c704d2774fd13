"""Attacks, whether shots or blows (AOF-HIT): aimed, put in order, rolled to hit, blocked and turned into wounds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one, put_in_order
from oriflamme.engine.core.steps import Asking, Step
from oriflamme.games.aof.attack import Attack, needs_of, roll_to_block, roll_to_hit, wound_multiplier
from oriflamme.games.aof.events import DefenseRolled, HitsRolled
from oriflamme.games.aof.moments import Keyword, KeywordSet
from oriflamme.games.aof.profile import Weapon
from oriflamme.games.aof.state import Battle, Figure, Group, Unit, at_once, step
from oriflamme.games.aof.wounds import Harm, alone, take_wounds


@lru_cache(maxsize=256)
def _enchanted(weapon: Weapon, effects: KeywordSet) -> Weapon:
    made = Weapon(weapon.name, weapon.range, weapon.attacks, at_once(weapon.keywords, effects))
    made.type = weapon.type  # it is still the same weapon, and used up if that is
    return made


def in_hand(unit: Unit, weapons: tuple[Weapon, ...]) -> tuple[Weapon, ...]:
    """These weapons as they are now: a spell may lay rules of weapons on the unit that bears them."""
    if not unit.effects.changing(Keyword.when_forged):
        return weapons
    return tuple(_enchanted(weapon, unit.effects) for weapon in weapons)


def use_up(unit: Unit, figure_id: str, weapon_type: str) -> None:
    """A Limited weapon has had its one use (AOF-SR-LIMITED-01)."""
    figure = unit.figure(figure_id)
    if figure is not None:
        figure.used |= {weapon_type}


def victims_named(battle: Battle, declared: Sequence[Group] = ()) -> dict[str, str]:
    """The victim that each attacking model has named in this activation (AOF-SR-TAKEDOWN-01)."""
    groups = (*(battle.activation.groups if battle.activation is not None else ()), *declared)
    return {figure: g.victim for g in groups if g.victim is not None for figure in g.figures}


def aim(side: int, figure: Figure, weapon: Weapon, open_to: list[Figure], named: dict[str, str]) -> Asking[str | None]:
    """The one model that these attacks are aimed at, or None for the unit as a whole (AOF-SR-TAKEDOWN-01).

    A model names one victim per activation: all its Takedown weapons are aimed there, or at no model in particular.
    """
    if figure.id in named:
        return next((f.id for f in open_to if f.id == named[figure.id]), None)
    key = yield from pick_one(
        side,
        [*(Option.thing(f.id, "figure") for f in open_to), Option("none", "whole_unit")],
        "choose_victim",
        "AOF-SR-TAKEDOWN-01",
        {"figure": figure.id, "weapon": weapon.name},
        default=max(open_to, key=lambda f: (f.profile.hero, f.profile.tough)).id,
    )
    if key == "none":
        return None
    named[figure.id] = key
    return key


def order_attacks(battle: Battle, side: int, declared: Sequence[Group]) -> Step:
    """Put declared attacks in the order they are resolved, and on the turn track (AOF-HIT-02)."""
    acting = battle.acting
    waiting = range(len(acting.groups), len(acting.groups) + len(declared))
    acting.groups = (*acting.groups, *declared)
    ordered: list[tuple[int, ...]] = []
    for precedence in sorted({g.weapon.precedence for g in declared}):
        due = [number for number in waiting if acting.groups[number].weapon.precedence == precedence]
        ordered += yield from _put_in_order(battle, side, joined(battle, due))
    if ordered:
        battle.then(resolve_attacks, side, tuple(ordered))


def _put_in_order(battle: Battle, side: int, groups: list[tuple[int, ...]]) -> Asking[list[tuple[int, ...]]]:
    """Groups of the same precedence are resolved in the order the attacker likes (AOF-HIT-02)."""
    if len(groups) < 2:
        return groups
    declared = battle.acting.groups
    options = []
    for number, members in enumerate(groups, 1):
        first = declared[members[0]]
        attacks = sum(declared[member].attacks for member in members)
        facts = {"target": first.target, "attacks": attacks, "weapon": first.weapon.name}
        options.append(Option(f"{number}:{first.weapon.name}", "group", facts, (first.target,)))
    names = [option.key for option in options]
    order = yield from put_in_order(side, options, "order_of_attacks", "AOF-HIT-02")
    return [groups[names.index(key)] for key in order]


def joined(battle: Battle, waiting: Sequence[int]) -> list[tuple[int, ...]]:
    """The groups that declared attacks make at this moment, each as the numbers of its members (AOF-HIT-01).

    One weapon, one target, and dice that need the same numbers. What models have besides, and how far away they stand,
    keeps them apart only if it makes a difference to those numbers.
    """
    declared = battle.acting.groups
    if len(waiting) < 2:
        return [(number,) for number in waiting]
    alike: dict[tuple[object, ...], list[int]] = {}
    for number in waiting:
        g = declared[number]
        alike.setdefault((g.weapon.type, g.target, g.victim, needs_of(attack_of(battle, g)).numbers), []).append(number)
    return [tuple(members) for members in alike.values()]


def next_group(battle: Battle, waiting: Sequence[int]) -> tuple[list[tuple[int, ...]], list[int]]:
    """The groups that are due among attacks that wait, and the attacks that come after all of those.

    Attacks that are lost are in neither (AOF-SHOOT-04).
    """
    declared = battle.acting.groups
    left = [number for number in waiting if not is_lost(battle, declared[number])]
    first = min((declared[number].weapon.precedence for number in left), default=0)
    due = [number for number in left if declared[number].weapon.precedence == first]
    return joined(battle, due), [number for number in left if number not in due]


def attack_of(battle: Battle, group: Group) -> Attack:
    """The attack a group makes, as things stand now."""
    unit, target = battle.units[group.by], battle.units[group.target]
    victim = target.figure(group.victim) if group.victim is not None else None
    defense = target.defense
    if victim is not None and (not victim.profile.hero or battle.option("aof.takedownHeroDefense") == "own"):
        defense = victim.profile.defense
    charging = group.melee and battle.acting.unit == unit.id and battle.acting.action == "charge"
    tired = ""
    if group.melee and unit.shaken:
        tired = "Shaken"
    elif group.melee and unit.fatigued:
        tired = "Fatigued"
    return Attack(
        group.attacks,
        group.profile.quality,
        defense,
        1 if victim is not None else len(target.figures),
        group.sets,
        (target.shared,) if victim is None else alone(target, victim),
        shooting=not group.melee,
        melee=group.melee,
        charging=charging,
        beyond_9=group.beyond_9,
        after_moving=group.after_moving,
        inside_cover=group.inside,
        behind_cover=group.behind,
        only_sixes=tired,
    )


def is_lost(battle: Battle, group: Group) -> bool:
    """Attacks left over against a destroyed unit, or a victim that has fallen, are lost (AOF-SHOOT-04)."""
    target = battle.units[group.target]
    return not target.on_table or (group.victim is not None and target.figure(group.victim) is None)


@step
def resolve_attacks(battle: Battle, side: int, ordered: tuple[tuple[int, ...], ...]) -> Step:
    """Declared attacks are resolved group by group, in the order they were put in (AOF-HIT-02).

    Groups are what they are when they are rolled: if losses have changed what the dice need, so that the attacks left
    make other groups than were put in order, the attacker orders them anew (AOF-HIT-01).
    """
    groups, after = next_group(battle, [number for members in ordered for number in members])
    if not groups:
        return
    lasting = [members for members in ordered if members in groups]
    if len(lasting) < len(groups):
        lasting = yield from _put_in_order(battle, side, groups)
    later = [tuple(number for number in members if number in after) for members in ordered]
    battle.then(resolve_attacks, side, (*lasting[1:], *(members for members in later if members)))
    yield from resolve_group(battle, [battle.acting.groups[number] for number in lasting[0]])


def resolve_group(battle: Battle, members: Sequence[Group]) -> Step:
    """One group of attacks: hits, blocks, and when all Defense dice are down, wounds (AOF-HIT-14).

    Those whose sixes count for more, or whose number comes from elsewhere, throw apart, one after the other.
    """
    throws: dict[object, list[Group]] = {}
    for g in members:
        reasons = needs_of(attack_of(battle, g)).reasons if len(members) > 1 else None
        throws.setdefault(reasons, []).append(g)
    first = members[0]
    target = battle.units[first.target]
    wounds = 0
    for thrown in throws.values():
        attack = attack_of(battle, thrown[0])
        attack.attacks = sum(g.attacks for g in thrown)
        roll_to_hit(attack, battle.dice)
        battle.tell(
            HitsRolled(
                "AOF-SHOOT-05",
                first.by,
                first.target,
                first.weapon.name,
                attack.attacks,
                tuple(battle.dice.last),
                attack.needed.face,
                attack.needed.why(),
                attack.hits - sum(r.amount for r in attack.extra),
                attack.hits,
                tuple(attack.extra),
            )
        )
        wounds += block(battle, attack, target)
    yield from take_unblocked(battle, wounds, attack, target, first.by, first.victim)


def block(battle: Battle, attack: Attack, target: Unit) -> int:
    """The defender blocks what it can; the rest are wounds (AOF-SHOOT-06)."""
    wounds = 0
    for thrown in roll_to_block(attack, battle.dice):
        if thrown.hits:
            wounds += thrown.wounds
            battle.tell(
                DefenseRolled(
                    "AOF-SHOOT-06",
                    target.id,
                    thrown.hits,
                    thrown.faces,
                    thrown.needed.face,
                    thrown.needed.why(),
                    thrown.wounds,
                )
            )
    return wounds


def take_unblocked(
    battle: Battle, wounds: int, attack: Attack, target: Unit, by: str | None, victim: str | None = None
) -> Step:
    """The defender takes what was not blocked as wounds, and those of a melee are counted (AOF-MELEE-07)."""
    if not wounds:
        return
    harm = harm_of(battle, attack, victim)
    yield from take_wounds(battle, target, wounds, harm)
    if by is not None and attack.melee:
        key = (by, target.id)
        battle.acting.wounds[key] = battle.acting.wounds.get(key, 0) + harm.counted


def harm_of(battle: Battle, attack: Attack, victim: str | None = None) -> Harm:
    """What the wounds of an attack do: how many each one counts for, and what may be ignored (AOF-HIT-13)."""
    return Harm(
        attack.sets,
        wound_multiplier(attack),
        victim,
        regen_first=battle.option("aof.regenVsDeadly") == "beforeMultiply",
        overkill=battle.option("aof.woundCount") == "overkillCounts",
    )
