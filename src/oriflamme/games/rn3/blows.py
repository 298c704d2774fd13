"""The three tests of a pairing: attack, defence, wounds (RN3-MELEE-10 to -13).

They know two profiles, what the fight is, and dice; nothing of the battle. The battle asks its players between the
throws (`games.rn3.melee`); odds run `exchange`, where whatever may be thrown again is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import at
from oriflamme.games.rn3.moments import Keyword, SkillSet, book
from oriflamme.games.rn3.trials import Melee, Result, Trial, prepare, throw


class Party(NamedTuple):
    """A profile as it fights in a pairing: its values as they are now, its skills, the tactics of its unit.

    `fighters` are its models in the pairing, `stood` if a member of its unit has not moved (RN3-SKL-13). Whoever is
    `helpless` is hit without a die: a machine without crew (RN3-WM-14).
    """

    unit: str = ""
    att: int = 5
    defence: int = 5
    force: int = 5
    res: int = 5
    skills: SkillSet = book.empty
    tactics: SkillSet = book.empty
    titan: bool = False
    fighters: int = 1
    stood: bool = False
    helpless: bool = False

    @property
    def rules(self) -> tuple[SkillSet, ...]:
        return (self.tactics, self.skills)


class Onset(NamedTuple):
    """How one side comes to strike. `assault` after a successful assault (RN3-SKL-08), `bonus` with the re-roll of a
    charge (RN3-ASLT-10), `charge` if it counts as a charge for its force (RN3-CAV-04), `into_counter_charge` if its
    target counter-charges (RN3-CCH-08). `options` are the house rules."""

    assault: bool = False
    bonus: bool = False
    charge: bool = False
    into_counter_charge: bool = False
    options: Mapping[str, str] = {}


def attack_trial(by: Party, at_: Party, dice: int, onset: Onset) -> Trial:
    """ATT against DEF, one die for each attack die (RN3-MELEE-10)."""
    trial = _trial("attack", dice, by, at_, (by.att, at_.defence), "RN3-MELEE-10", ("att", "def"))
    trial.charging = onset.charge
    trial.melee = _melee(by, onset, min(by.fighters, dice))
    if onset.bonus:
        trial.give_charge_bonus("RN3-ASLT-10")
    if onset.into_counter_charge:
        trial.move_column(1, "counter_charge", "RN3-CCH-08")
    return _prepared(trial, by, at_)


def defence_trial(by: Party, at_: Party, dice: int, onset: Onset) -> Trial:
    """DEF against the ATT of who attacks, one die for each defence die (RN3-MELEE-11). `by` is who defends."""
    trial = _trial("defence", dice, by, at_, (by.defence, at_.att), "RN3-MELEE-11", ("def", "att"))
    trial.melee = Melee(fighters=by.fighters, options=onset.options)
    return _prepared(trial, by, at_)


def force_trial(by: Party, at_: Party, dice: int, onset: Onset) -> Trial:
    """FOR against RES, one die for each attack that was not cancelled (RN3-MELEE-13)."""
    trial = _trial("force", dice, by, at_, (by.force, at_.res), "RN3-MELEE-13", ("for", "res"))
    trial.charging = onset.charge
    trial.melee = _melee(by, onset, by.fighters)
    return _prepared(trial, by, at_)


def _trial(
    kind: str, dice: int, by: Party, at_: Party, values: tuple[int, int], rule: str, sources: tuple[str, str]
) -> Trial:
    return Trial(kind, dice, *values, rule, by=by.unit, against=at_.unit, sources=sources)


def _melee(by: Party, onset: Onset, fighters: int) -> Melee:
    return Melee(onset.assault, onset.charge, by.stood, fighters, by.att, onset.options)


def _prepared(trial: Trial, by: Party, at_: Party) -> Trial:
    return prepare(trial, by.rules, at_.rules, by_titan=by.titan, against_titan=at_.titan)


class Blows:
    """What comes of the attack dice of one side of a pairing, test by test."""

    __slots__ = (
        "attack",
        "attacked",
        "by",
        "damage",
        "defence",
        "defended",
        "defends_anyway",
        "onset",
        "struck",
        "unanswered",
    )

    def __init__(
        self, by: Party, struck: Party, attack: int, defence: int, onset: Onset, *, unanswered: bool = False
    ) -> None:
        self.by = by
        self.struck = struck
        self.attack = attack
        self.defence = defence
        self.onset = onset
        self.attacked = Result(0, 0)
        self.defended = Result(0, 0)
        # A skill counts defence successes: the test is made even if no attack succeeded (RN3-MELEE-11).
        self.defends_anyway = False
        # Attacks that are themselves an answer: no skill answers them in return (RN3-SKL-07).
        self.unanswered = unanswered
        self.damage = 0

    def attack_test(self) -> Trial:
        return attack_trial(self.by, self.struck, self.attack, self.onset)

    def defence_test(self) -> Trial:
        return defence_trial(self.struck, self.by, self.defence, self.onset)

    def force_test(self) -> Trial:
        return force_trial(self.by, self.struck, self.hits, self.onset)

    def hit_without_dice(self) -> None:
        """Every attack die is a success (RN3-WM-14)."""
        self.attacked = Result(self.attack, 0)

    def defence_is_rolled(self) -> bool:
        """If no attack succeeded the dice are used and not rolled, unless a skill counts their successes
        (RN3-MELEE-11)."""
        if not self.unanswered:
            at(Keyword.before_defence, (self.struck.skills,), self)
        return self.defence > 0 and (self.attacked.successes > 0 or self.defends_anyway)

    @property
    def hits(self) -> int:
        """Each success in defence cancels one in attack; a surplus is lost (RN3-MELEE-12)."""
        return max(0, self.attacked.successes - self.defended.successes)


def exchange(dice: Dice, by: Party, struck: Party, attack: int, defence: int, onset: Onset) -> Blows:
    """The three tests of one side of a pairing without questions, for odds: whatever may be thrown again is."""
    blows = Blows(by, struck, attack, defence, onset)
    if struck.helpless:
        blows.hit_without_dice()
    else:
        blows.attacked = throw(dice, blows.attack_test())
    if blows.defence_is_rolled():
        blows.defended = throw(dice, blows.defence_test())
    if blows.hits:
        blows.damage = throw(dice, blows.force_test()).successes
    return blows
