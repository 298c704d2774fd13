"""What one attack leaves, exactly: the functions that play it, run over every outcome of their dice; and what several
attacks leave that a rule makes, each counted by itself.

Optional re-rolls are made as the rules suggest them: whatever fails is thrown again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import at
from oriflamme.engine.odds import Distribution, over_all_dice, play_out
from oriflamme.engine.odds.playing import AnswerTo, suggested
from oriflamme.games.lfw.attack import Attack, roll_defence, roll_to_hit
from oriflamme.games.lfw.attacks import REDIRECTED_ON, turned_to
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.noting import Noted, NotedWounds, noting
from oriflamme.games.lfw.rolls import Outcome, Rerolls, plain_throw, roll_test
from oriflamme.games.lfw.state import Asking, Battle
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.wounds import Wounding

Law = Distribution[int]
# Wounds that are not cancelled, by part.
Tolls = dict[str, Law]
NOTHING: Final[Law] = Distribution.always(0)
REDIRECTED: Final = Fraction(REDIRECTED_ON, 6)


class TooMany(Exception):
    """There are more ends than are counted."""


def amount_law(amount: Amount) -> Law:
    """What a formula may come to (LFW-DICE-03)."""
    if not amount.dice:
        return Distribution.always(amount.plus)
    faces = Distribution.of(lambda dice: Amount(0, 1, amount.sides).total((dice.d6(),)))
    return faces.power(amount.dice).map(lambda total: total + amount.plus)


def hits_law(attack: Attack) -> Distribution[tuple[int, int]]:
    """Successes and criticals of its hit or combat rolls."""

    def rolled(dice: Dice) -> tuple[int, int]:
        twin = attack.copy()
        play_out(roll_to_hit(twin, plain_throw(dice)))
        return twin.successes, twin.criticals

    return Distribution.of(rolled)


def _struck(attack: Attack, hits: tuple[int, int]) -> Attack:
    """The attack, once so many rolls have succeeded, so many of them critical."""
    twin = attack.copy()
    twin.outcomes = [Outcome(6, 6, True, number < hits[1]) for number in range(hits[0])]
    return twin


def wounds_law(battle: Battle, attack: Attack) -> Law:
    """Wounds that are not cancelled, of one prepared attack on its target (LFW-ATK-03)."""
    return hits_law(attack).then(lambda hits: wounds_of_hits(battle, attack, hits))


def wounds_of_hits(battle: Battle, attack: Attack, hits: tuple[int, int]) -> Law:
    """The same, once its hit or combat rolls lie: the defence test, and protections."""
    struck = _struck(attack, hits)
    if not struck.hits:
        return Distribution.always(0)

    def tested(dice: Dice) -> int:
        return play_out(roll_defence(struck.copy(), plain_throw(dice)))

    pierces, forced = struck.pierces, struck.rerolls["protection"]
    return Distribution.of(tested).then(
        lambda number: uncancelled(battle, NotedWounds(attack.target, number, pierces, attack.flaming, forced))
    )


def uncancelled(battle: Battle, wounds: NotedWounds) -> Law:
    """Of some wounds, those that protections leave (LFW-WND-02, -15)."""
    if not wounds.number:
        return Distribution.always(0)
    wounding = Wounding(battle, wounds.part, wounds.number, "", flaming=wounds.flaming)
    if wounds.forced is not None:
        wounding.rerolls.impertinent |= wounds.forced.impertinent
        wounding.rerolls.impetuous |= wounds.forced.impetuous
    at(Keyword.before_wounds, sets_of(battle, wounds.part), wounding)
    if wounding.ignored:
        return Distribution.always(0)
    if wounds.piercing:
        return Distribution.always(wounds.number)
    passes = Fraction(1)
    for needed in (wounding.protection, wounding.magic_protection):
        if needed is not None:
            passes *= 1 - _protects(needed, wounding.rerolls)
    one = Distribution({0: 1 - passes, 1: passes}) if 0 < passes < 1 else Distribution.always(int(passes))
    return one.power(wounds.number)


def _protects(needed: int, rerolls: Rerolls) -> Fraction:
    def judge(face: int) -> Outcome:
        return Outcome(face, face, face >= needed, False, face == needed)

    def rolled(dice: Dice) -> bool:
        (outcome,) = play_out(roll_test(plain_throw(dice), 0, 1, "protection", judge, rerolls, ""))
        return outcome.success

    return Distribution.of(rolled)[True]


# -- attacks that are noted --------------------------------------------------------------------------------------------


def laws_of(battle: Battle, noted: Noted) -> Tolls:
    """Wounds by whom an attack may wound: its target, and of a duo the other too (LFW-CAV-08)."""
    if isinstance(noted, NotedWounds):
        return {noted.part.id: uncancelled(battle, noted)}
    attack = noted.attack
    if not noted.redirects or not attack.target_model.duo:
        return {attack.target.id: wounds_law(battle, attack)}
    (other,) = (part for part in attack.target_model.alive if part is not attack.target)
    turned = turned_to(battle, attack, other)
    turned.take_hits(attack)
    hits = hits_law(attack)
    found = {}
    for part, of, share in ((attack.target, attack, 1 - REDIRECTED), (other, turned, REDIRECTED)):
        law = hits.then(lambda struck, of=of: wounds_of_hits(battle, of, struck))  # type: ignore[misc]
        found[part.id] = mixed([(law, share), (NOTHING, 1 - share)])
    return found


def mixed(laws: Iterable[tuple[Law, Fraction]]) -> Law:
    """One of some laws, each as likely as is said."""
    found = list(laws)
    return Distribution({number: share for number, (_, share) in enumerate(found)}).then(lambda n: found[n][0])


def tolls_of(battle: Battle, play: Callable[[Battle], Asking[object]], answer: AnswerTo = suggested) -> Tolls:
    """Wounds by part of all attacks that are made when something is played, each counted as if the others did nothing:
    by the rules that make them, over every outcome of the dice besides."""

    def played(twin: Battle) -> tuple[Noted, ...]:
        with noting() as noted:
            play_out(play(twin), answer)
        return tuple(noted)

    return added(battle, over_all_dice(battle, played))


def added(battle: Battle, runs: Distribution[tuple[Noted, ...]]) -> Tolls:
    """Wounds by part, where the attacks that are made are left to chance."""
    found: dict[tuple[Noted, ...], Tolls] = {}
    for run in runs:
        tolls: Tolls = {}
        for noted in run:
            for id, law in laws_of(battle, noted).items():
                tolls[id] = tolls[id].convolve(law) if id in tolls else law
        found[run] = tolls
    ids = dict.fromkeys(id for tolls in found.values() for id in tolls)
    return {id: runs.then(lambda run, id=id: found[run].get(id, NOTHING)) for id in ids}  # type: ignore[misc]
