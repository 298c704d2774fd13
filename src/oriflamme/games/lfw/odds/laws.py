"""What an attack may bring, exactly: the functions that play it, run over every outcome of their dice.

Optional re-rolls are made as the rules suggest them: whatever fails is thrown again.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import at
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.games.lfw.attack import Attack, roll_defence, roll_to_hit
from oriflamme.games.lfw.attacks import make_attack, prepare
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.combat import attack_with
from oriflamme.games.lfw.courage import prepared
from oriflamme.games.lfw.melee import melee_attack
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.precedence import STAGES, stage_of
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.rolls import Outcome, Rerolls, plain_throw, roll_test
from oriflamme.games.lfw.sight import cover_of
from oriflamme.games.lfw.state import Battle, Model, Part
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.wounds import EFFECTS, Wounding

Make = Callable[[], Attack]
Law = Distribution[int]
REDIRECTED = Fraction(1, 3)  # 1 or 2 of a die (LFW-CAV-08)


def amount_law(amount: Amount) -> Law:
    """What a formula may come to (LFW-DICE-03)."""
    if not amount.dice:
        return Distribution.always(amount.plus)
    faces = Distribution.of(lambda dice: Amount(0, 1, amount.sides).total((dice.d6(),)))
    return faces.power(amount.dice).map(lambda total: total + amount.plus)


def _hits(make: Make) -> Distribution[tuple[int, int]]:
    """Successes and criticals of its hit or combat rolls."""

    def rolled(dice: Dice) -> tuple[int, int]:
        attack = make()
        play_out(roll_to_hit(attack, plain_throw(dice)))
        return attack.successes, attack.criticals

    return Distribution.of(rolled)


def _struck(make: Make, successes: int, criticals: int) -> Attack:
    """The attack, once so many rolls have succeeded."""
    attack = make()
    attack.outcomes = [Outcome(6, 6, True, number < criticals) for number in range(successes)]
    return attack


def wounds_law(battle: Battle, make: Make) -> Law:
    """Wounds that are not cancelled, of one attack on its target (LFW-ATK-03)."""

    def defended(hits: tuple[int, int]) -> Law:
        if not hits[0]:
            return Distribution.always(0)

        def tested(dice: Dice) -> int:
            return play_out(roll_defence(_struck(make, *hits), plain_throw(dice)))

        struck = _struck(make, *hits)
        return Distribution.of(tested).then(lambda wounds: uncancelled(battle, struck, wounds))

    return _hits(make).then(defended)


def uncancelled(battle: Battle, attack: Attack, number: int) -> Law:
    """Of so many wounds, those that protections leave (LFW-WND-02, -15)."""
    if not number:
        return Distribution.always(0)
    wounding = Wounding(battle, attack.target, number, "", flaming=attack.flaming)
    forced = attack.rerolls["protection"]
    wounding.rerolls.impertinent |= forced.impertinent
    wounding.rerolls.impetuous |= forced.impetuous
    at(Keyword.before_wounds, sets_of(battle, attack.target), wounding)
    if wounding.ignored:
        return Distribution.always(0)
    if attack.pierces:
        return Distribution.always(number)
    passes = Fraction(1)
    for needed in (wounding.protection, wounding.magic_protection):
        if needed is not None:
            passes *= 1 - _protects(needed, wounding.rerolls)
    one = Distribution({0: 1 - passes, 1: passes}) if 0 < passes < 1 else Distribution.always(int(passes))
    return one.power(number)


def _protects(needed: int, rerolls: Rerolls) -> Fraction:
    def judge(face: int) -> Outcome:
        return Outcome(face, face, face >= needed, False, face == needed)

    def rolled(dice: Dice) -> bool:
        (outcome,) = play_out(roll_test(plain_throw(dice), 0, 1, "protection", judge, rerolls, ""))
        return outcome.success

    return Distribution.of(rolled)[True]


# -- shots -------------------------------------------------------------------------------------------------------------


def shot_law(battle: Battle, part: Part, weapon: Weapon, target: Part, cover: int | None = None) -> Law:
    """Wounds of one shot on the part that is aimed at, whose owner takes the better of dodge and cover; of a duo the
    other may be hit instead (LFW-CAV-08)."""
    hidden = cover_of(battle, battle.model_of(part), battle.model_of(target)) if cover is None else cover

    def law(number: int) -> Law:
        def make() -> Attack:
            attack = make_attack(battle, "ranged", part, target, weapon, number=number)
            prepare(attack)
            if hidden > attack.guard.value:
                attack.guard.restart(hidden, attack.against)
            return attack

        return wounds_law(battle, make)

    whole = amount_law(weapon.attack).then(law)
    if not battle.model_of(target).duo:
        return whole
    return Distribution({True: 1 - REDIRECTED, False: REDIRECTED}).then(
        lambda stays: whole if stays else Distribution.always(0)
    )


# -- blows -------------------------------------------------------------------------------------------------------------


def blow_law(battle: Battle, part: Part, weapon: Weapon, target: Part) -> Law:
    """Wounds of one melee attack that is not split, saturation included."""
    number = attack_with(battle, part, weapon, target)
    return wounds_law(battle, lambda: melee_attack(battle, part, weapon, target, number))


def best_blow(battle: Battle, part: Part, target: Part) -> tuple[Weapon | None, Law]:
    """The melee weapon that wounds most on average, and what it does."""
    found: tuple[Weapon | None, Law] = (None, Distribution.always(0))
    for weapon in part.weapons:
        if weapon.melee:
            law = blow_law(battle, part, weapon, target)
            if found[0] is None or law.mean() > found[1].mean():
                found = (weapon, law)
    return found


class Exchange(NamedTuple):
    """What a combat of two came to: wounds of both, and whether each is destroyed."""

    own: int
    their: int
    own_lost: bool
    their_lost: bool


def exchange_law(battle: Battle, part: Part, enemy: Part) -> Distribution[Exchange]:
    """A combat between two parts alone, each with its best weapon (LFW-MEL-05): who strikes first may kill or cripple
    the other before it strikes."""
    pair = (part, enemy)
    stages = [STAGES.index(stage_of(battle, one, "strike")) for one in pair]

    def blows(number: int, unsteady: bool) -> Law:
        striker, other = pair[number], pair[1 - number]
        before = striker.crippled
        if unsteady and not striker.unsteady:
            striker.crippled = "unsteady"
        try:
            return best_blow(battle, striker, other)[1]
        finally:
            striker.crippled = before

    if stages[0] == stages[1]:
        mine, theirs = blows(0, False), blows(1, False)
        return mine.then(lambda m: theirs.map(lambda t: _exchange(pair, t, m)))
    first = 0 if stages[0] < stages[1] else 1
    second = 1 - first
    victim = pair[second]
    plain, shaken = blows(second, False), blows(second, True)

    def answered(wounds: int) -> Distribution[Exchange]:
        left = victim.pv - wounds
        if left <= 0:
            return Distribution.always(_in_order(pair, first, wounds, 0))
        back = plain
        if 2 * left <= victim.most and not victim.crippled:
            steady = Fraction(sum(effect == "slow" for effect in EFFECTS.values()), 6)
            back = Distribution({True: steady, False: 1 - steady}).then(lambda calm: plain if calm else shaken)
        return back.map(lambda answer: _in_order(pair, first, wounds, answer))

    return blows(first, False).then(answered)


def _in_order(pair: tuple[Part, Part], first: int, dealt: int, answer: int) -> Exchange:
    """`dealt` by who struck first, `answer` by the other."""
    return _exchange(pair, answer, dealt) if first == 0 else _exchange(pair, dealt, answer)


def _exchange(pair: tuple[Part, Part], own: int, their: int) -> Exchange:
    return Exchange(own, their, own >= pair[0].pv, their >= pair[1].pv)


# -- courage -----------------------------------------------------------------------------------------------------------


def courage_chance(battle: Battle, model: Model, part: Part, about: str, penalty: int = 0) -> Fraction:
    """That a part passes a courage test, re-rolls included (LFW-DICE-09 to -11)."""
    courage = prepared(battle, model, part, about)
    if courage.passes:
        return Fraction(1)
    modifier = courage.modifier - (0 if courage.unmodified else penalty)
    passed = 0
    for first in range(1, 7):
        for second in range(1, 7):
            sure, lost = (first, second) == (6, 6), (first, second) == (1, 1)
            passed += sure or (not lost and first + second + modifier >= courage.needed)
    chance = Fraction(passed, 36)
    return chance + (1 - chance) * chance if courage.may_reroll else chance
