"""What a combat is made of: who reaches whom, with what, in which order, and who wins (LFW-MEL).

The objects here are what special rules change; `melee.py` plays them.
"""

from __future__ import annotations

from typing import NamedTuple

from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.attacks import make_attack, prepare
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.ground import in_contact
from oriflamme.games.lfw.moments import Keyword, RuleSet
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.state import Battle, Combat, Model, Part
from oriflamme.games.lfw.values import Sum


class Challenge:
    """The start of a combat for a part that takes part in it: whom it may challenge (LFW-SR-BLD-02a)."""

    __slots__ = ("battle", "combat", "part", "targets")

    def __init__(self, battle: Battle, combat: Combat, part: Part) -> None:
        self.battle = battle
        self.combat = combat
        self.part = part
        self.targets = [
            enemy for enemy in enemies_in_contact(battle, combat, battle.model_of(part), part.side) if not enemy.duel
        ]


class Fighting:
    """A part that fights: whom it can reach, and how. `when_fighting` changes it.

    `supports` are friends through whom somebody who is not in the melee fights (LFW-SR-EQP-13a): a rule that lets it
    adds targets. `impacts` are attacks made besides, each the
    number, the strength and the special rules (LFW-SR-BLD-06).
    """

    __slots__ = ("battle", "combat", "impacts", "model", "part", "supports", "targets")

    def __init__(self, battle: Battle, combat: Combat, part: Part) -> None:
        self.battle = battle
        self.combat = combat
        self.part = part
        self.model: Model = battle.model_of(part)
        self.targets: list[Part] = enemies_in_contact(battle, combat, self.model, part.side)
        self.supports: list[Model] = []
        self.impacts: list[tuple[int, int, tuple[str, ...]]] = []

    def reach_through(self, friend: Model) -> None:
        """It treats the enemies in contact with a friend as being in contact with itself (LFW-SR-EQP-13b)."""
        known = {target.id for target in self.targets}
        found = enemies_in_contact(self.battle, self.combat, friend, self.part.side)
        self.targets += [enemy for enemy in found if enemy.id not in known]


def fighting_of(battle: Battle, combat: Combat, part: Part) -> Fighting:
    """How a part fights in a combat. Who duels reaches only his opponent, and nobody outside reaches either of the two
    (LFW-SR-BLD-02c)."""
    fighting = Fighting(battle, combat, part)
    if part.id not in combat.parts:
        fighting.supports = [
            friend
            for friend in battle.friends_of(part)
            if friend.id in combat.models and in_contact(battle, fighting.model, friend)
        ]
        fighting.targets = []
    at(Keyword.when_fighting, _sets_with_weapons(battle, part), fighting)
    fighting.targets = [enemy for enemy in fighting.targets if may_attack(part, enemy)]
    return fighting


def _sets_with_weapons(battle: Battle, part: Part) -> tuple[RuleSet, ...]:
    return (*sets_of(battle, part), *(weapon.rules for weapon in part.weapons if weapon.rules))


def may_attack(part: Part, enemy: Part) -> bool:
    """Duels bind both: each may attack only the other, and nobody else either of them (LFW-SR-BLD-02c)."""
    if part.duel or enemy.duel:
        return part.duel == enemy.id and enemy.duel == part.id
    return True


def enemies_in_contact(battle: Battle, combat: Combat, model: Model, side: int) -> list[Part]:
    """Enemy parts that take part in a combat and touch a model, or count as touching it: what is left of a duo fights
    on with whom the duo touched (LFW-CAV-11)."""
    return [
        part
        for id in combat.models
        for part in battle.units[id].alive
        if battle.units[id].on_table
        and part.id in combat.parts
        and not battle.are_friends(side, part.side)
        and (in_contact(battle, model, battle.units[id]) or {(model.id, id), (id, model.id)} & combat.held)
    ]


class Blows:
    """The attacks of one weapon in a combat. `when_striking` changes them: `sweeps` is one attack on every one of
    `targets`, without dividing the Attack value (LFW-SR-EQP-03)."""

    __slots__ = ("fighting", "sweeps", "targets", "weapon")

    def __init__(self, fighting: Fighting, weapon: Weapon) -> None:
        self.fighting = fighting
        self.weapon = weapon
        self.targets = list(fighting.targets)
        self.sweeps = False


def blows_of(fighting: Fighting, weapon: Weapon) -> Blows:
    """How the attacks of a weapon are shared out."""
    blows = Blows(fighting, weapon)
    at(Keyword.when_striking, sets_of(fighting.battle, fighting.part, weapon), blows)
    return blows


class Armoury:
    """The weapons a part may fight with in a combat (LFW-MEL-08). `when_arming` changes it.

    `weapons` are melee weapons, of which one is used; `shots` are ranged weapons it may use instead (LFW-SR-EQP-19);
    `besides` are used in addition (LFW-SR-EQP-21). Where there are some that it may use `only`, no others are used
    (LFW-SR-EQP-13b).
    """

    __slots__ = ("battle", "besides", "fighting", "only", "part", "shots", "weapons")

    def __init__(self, battle: Battle, part: Part, fighting: Fighting) -> None:
        self.battle = battle
        self.part = part
        self.fighting = fighting
        self.weapons: list[Weapon] = [weapon for weapon in part.weapons if weapon.melee]
        self.shots: list[Weapon] = []
        self.besides: list[Weapon] = []
        self.only: list[Weapon] = []


def armoury_of(battle: Battle, part: Part, fighting: Fighting) -> Armoury:
    """What a part fights with; rules of its weapons speak too."""
    armoury = Armoury(battle, part, fighting)
    at(Keyword.when_arming, _sets_with_weapons(battle, part), armoury)
    if armoury.only:
        for kind in (armoury.weapons, armoury.shots, armoury.besides):
            kind[:] = [weapon for weapon in kind if weapon in armoury.only]
    return armoury


class Victory:
    """A combat that is decided, for a part that took part: whether its side won (LFW-MEL-20)."""

    __slots__ = ("battle", "combat", "part", "won")

    def __init__(self, battle: Battle, combat: Combat, part: Part, won: bool) -> None:
        self.battle = battle
        self.combat = combat
        self.part = part
        self.won = won


class Verdict(NamedTuple):
    """The sides of a combat, the wounds that each army suffered in it, and who has won."""

    sides: tuple[int, ...]
    suffered: tuple[int, ...]
    winners: tuple[int, ...]


def verdict_on(battle: Battle, combat: Combat) -> Verdict:
    """The side that suffered the fewest wounds wins, ties all win; one that is eliminated has suffered more than the
    others, and if all are nobody wins or loses (LFW-MEL-20 to -23)."""
    parts = [battle.part(id) for id in combat.parts]
    sides = tuple(side for side in battle.order if any(part.side == side for part in parts))
    suffered = dict.fromkeys((battle.camp(side) for side in sides), 0)
    for side, wounds in combat.suffered.items():
        suffered[battle.camp(side)] = suffered.get(battle.camp(side), 0) + wounds
    if battle.option("lfw.runDownWounds") == "remainingPv":
        for charger, side, left in battle.run_downs:
            if charger in combat.models and side in sides:
                suffered[battle.camp(side)] += left
    standing = {battle.camp(part.side) for part in parts if not part.destroyed}
    least = min((suffered[camp] for camp in standing), default=0)
    won = {camp for camp in standing if suffered[camp] == least}
    winners = tuple(side for side in sides if battle.camp(side) in won)
    return Verdict(sides, tuple(suffered[battle.camp(side)] for side in sides), winners)


# -- Attack values and saturation --------------------------------------------------------------------------------------


def attack_with(battle: Battle, part: Part, weapon: Weapon, target: Part) -> int:
    """The Attack value of a melee weapon against a target, with all that changes it (LFW-MEL-18)."""
    trial = make_attack(battle, "melee", part, target, weapon)
    prepare(trial)
    return trial.number.value


def highest_attack(battle: Battle, target: Part, against: Part) -> int:
    """The highest Attack among a target's melee weapons, 0 if it has none (LFW-WPN-07, -08)."""
    every = battle.option("lfw.saturationWeapons") == "all"
    weapons = [weapon for weapon in target.weapons if weapon.melee or every]
    return max((attack_with(battle, target, weapon, against) for weapon in weapons), default=0)


def saturate(
    battle: Battle, attack_number: int, highest: int, bonus: Sum, guard: Sum, *, saturates: bool = True
) -> None:
    """A higher Attack value gives +1 to the combat roll, a lower one +1 to the target's parry; equal ones neither
    (LFW-MEL-15 to -17)."""
    if attack_number > highest:
        if saturates:
            bonus.change_by(1, "saturation", "LFW-MEL-15")
    elif attack_number < highest:
        guard.change_by(1, "fewer_attacks", "LFW-MEL-16")
    elif battle.option("lfw.saturationEqualGivesParry") == "on":
        guard.change_by(1, "fewer_attacks", "LFW-MEL-17")
