"""Assaults, reactions, fights, breaking away, pursuit."""

from __future__ import annotations

from typing import ClassVar

from oriflamme.engine.core.events import Event


class AssaultDeclared(Event, frozen=True):
    """The target of an assault, or two of one melee, is named before anything is measured (RN3-ASLT-02)."""

    unit: str
    targets: tuple[str, ...]


class AssaultMeasured(Event, frozen=True):
    """The distance of an assault along the shortest way, in cm; None if there is no way (RN3-ASLT-04)."""

    measures: ClassVar[bool] = True

    unit: str
    targets: tuple[str, ...]
    distance: float | None
    reach: float
    in_reach: bool


class AssaultFailed(Event, frozen=True):
    unit: str


class ReactionDeclared(Event, frozen=True):
    """The target of an assault reacts: "reception", "counter_charge" or "retreat" (RN3-REA-01)."""

    unit: str
    against: str
    reaction: str


class AssaultMaintained(Event, frozen=True):
    """After a retreat the assault is maintained, or given up for a move (RN3-RET-03)."""

    unit: str
    maintained: bool


class PowerCompared(Event, frozen=True):
    """Whether an assault is a charge (RN3-ASLT-10): `because` is "power", "cavalry" or a skill. `counter` tells that a
    counter-charge has the bonus of a charge (RN3-CCH-09)."""

    unit: str
    target: str
    power: float
    against: float
    charge: bool
    because: str
    counter: bool = False


class RanksBroken(Event, frozen=True):
    """Models have changed places with enemies, as (model, enemy) (RN3-BRK-03)."""

    unit: str
    targets: tuple[str, ...]
    swaps: tuple[tuple[str, str], ...]


class ModelsSlid(Event, frozen=True):
    """Models were slid into contact (RN3-BRK-03)."""

    unit: str
    figures: tuple[str, ...]


class Pursued(Event, frozen=True):
    """A unit pursues or pushes: `kind` is "pursue" or "push" (RN3-PUR-01, RN3-REC-08)."""

    unit: str
    kind: str


class BrokeAway(Event, frozen=True):
    """A unit has left its melee (RN3-DIS-07)."""

    unit: str
    enemies: tuple[str, ...]


class NoTestToBreakAway(Event, frozen=True):
    """Fighters leave without a test (RN3-DIS-08)."""

    unit: str
    card: str
    because: str


class DiceRevealed(Event, frozen=True):
    """What both sides have set aside for a pairing (RN3-MELEE-07): `card` of the unit against `foe` of the
    target, each only where it is another than the unit itself is named after.

    `attack` and `guard` are the attack and defence dice of the unit whose fight it is, `defence` and `counter` those of
    its enemy.
    """

    unit: str
    card: str
    target: str
    foe: str
    attack: int
    guard: int
    defence: int
    counter: int = 0


class AttackDiceGained(Event, frozen=True):
    """Attack dice that do not come from the reserve (RN3-TAC-08, RN3-SKL-07, RN3-SKL-12)."""

    unit: str
    target: str
    dice: int
    because: str


class PairingOver(Event, frozen=True):
    """Nobody is left to fight in a pairing: its dice are lost."""

    unit: str
    card: str
    target: str
    foe: str


class HitWithoutTest(Event, frozen=True):
    """Attack dice succeed without being rolled: nobody works the machine (RN3-WM-14)."""

    unit: str
    target: str
    hits: int


class AttacksCancelled(Event, frozen=True):
    """Successes in defence cancel successes in attack (RN3-MELEE-12)."""

    unit: str
    target: str
    cancelled: int
    left: int


class StrikesBack(Event, frozen=True):
    """A unit that has had its order attacks whoever attacked it (RN3-MELEE-20)."""

    unit: str
    target: str


class FightsAgain(Event, frozen=True):
    """Some of its fighters fight once more (RN3-SKL-33)."""

    unit: str
    because: str


class DiceReturned(Event, frozen=True):
    """Defence dice that were never rolled go back to the reserve (RN3-MELEE-22)."""

    unit: str
    dice: int


class FighterSacrificed(Event, frozen=True):
    """`reach` is how far it is felt, in cm; 0 for those in contact (RN3-SKL-21, RN3-SKL-31)."""

    unit: str
    fighter: str
    force: int
    reach: float
    because: str
