"""Morale (TLAOK-MORALE), Broken and Shattered regiments (TLAOK-BROKEN, TLAOK-SHATTER), and how they rally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.games.tlaok.events import (
    BreakingPrevented,
    MoraleTested,
    Rallied,
    RegimentBroke,
    ResolveTested,
    RollSpared,
)
from oriflamme.games.tlaok.moments import Exemption, Keyword, KeywordSet
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.rounds.secondaries import note
from oriflamme.games.tlaok.state import Asking, Battle, Regiment, Stand
from oriflamme.games.tlaok.trials import RollTarget, Value, attempt, effects_on, value_of
from oriflamme.games.tlaok.triggers import Trigger

# Bonus to Resolve from so many stands on (TLAOK-MORALE-02); the first that fits counts.
SIZE_BONUS: Final = ((10, 3), (7, 2), (4, 1))
# What is effective during play, as against what was bought (TLAOK-BROKEN-04, TLAOK-PROF-14).
IN_PLAY: Final = frozenset({"action", "activation", "round"})
BEHIND: Final = frozenset({"left", "right", "rear"})


# -- Resolve -----------------------------------------------------------------------------------------------------------


def size_bonus(stands: int) -> int:
    """What so many stands add to the Resolve of their regiment (TLAOK-MORALE-02)."""
    return next((bonus for least, bonus in SIZE_BONUS if stands >= least), 0)


def resolve_of(battle: Battle, regiment: Regiment, *, size: int | None = None) -> Value:
    """The Resolve of a regiment: the highest among its stands and the bonus of its size (TLAOK-MORALE-01).

    Its lowest if it is Broken, with nothing added that is effective during play (TLAOK-BROKEN-04); its lowest, with the
    bonus of its size, if its character refused a duel (TLAOK-DUEL-04). `size` where not the present one counts.
    """
    stands = regiment.size if size is None else size
    values = [own_resolve(battle, regiment, stand) for stand in regiment.figures]
    found = (min if regiment.broken or regiment.refused else max)(values, key=lambda v: v.number)
    bonus = size_bonus(stands)
    if regiment.broken and battle.option("tlaok.brokenSizeBonus") == "no":
        bonus = 0
    found.add(bonus, "size", "TLAOK-MORALE-02")
    return found


def own_resolve(battle: Battle, regiment: Regiment, stand: Stand) -> Value:
    """The Resolve of one stand by itself; in a Broken regiment nothing effective during play raises it."""
    return _unraised(regiment, stand) if regiment.broken else value_of(battle, regiment, stand, "resolve")


def _unraised(regiment: Regiment, stand: Stand) -> Value:
    """The Resolve of a stand of a Broken regiment: what is effective during play may only lower it."""
    value = Value("resolve", stand.profile.resolve, "resolve", "TLAOK-BROKEN-04")
    for effect in effects_on(regiment, stand, "resolve"):
        raises = effect.add > 0 or (effect.set is not None and effect.set > stand.profile.resolve)
        if effect.until not in IN_PLAY or not raises:
            value.lay(effect)
    return value


def roll_target(regiment: Regiment, value: Value) -> RollTarget:
    """What dice must not exceed; who refused a duel rolls successes of 1 again (TLAOK-DUEL-06)."""
    made = RollTarget(value.number)
    if regiment.refused:
        made.retry_successes("refused", "TLAOK-DUEL-06", 1)
    return made


def passes(battle: Battle, regiment: Regiment, about: str, rule: str) -> bool:
    """One die against the Resolve of a regiment, outside morale tests (TLAOK-MORALE-01)."""
    bare = battle.option("tlaok.resolveChecks") == "withoutSizeBonus"
    value = resolve_of(battle, regiment, size=0 if bare else None)
    wanted = roll_target(regiment, value)
    cancel = battle.option("tlaok.rerollCancel")
    tested = attempt(battle.dice, 1, wanted, cancel)
    why = (*value.reasons, *wanted.why(cancel))
    passed = tested.successes == 1
    battle.tell(ResolveTested(rule, regiment.id, about, value.number, passed, tested.faces, why, tested.again))
    return passed


# -- the morale test ---------------------------------------------------------------------------------------------------


class Morale:
    """A morale test: one die for each wound of a pool, and what special rules make of it (TLAOK-MORALE-03 to -08)."""

    __slots__ = ("dice", "duel", "face", "halved", "spared", "value")

    def __init__(self, dice: int, value: Value, face: str = "", *, duel: bool = False) -> None:
        self.dice = dice
        # For wounds of a duel, where a character's own special rules count (TLAOK-DUEL-11).
        self.duel = duel
        self.value = value
        # The face the wounds came from: what passes is rolled again for flank and rear (-08).
        self.face = face
        # Failed dice that count as passed, and whether two failures are one wound.
        self.spared = 0
        self.halved = False

    def _because(self, rule: SpecialRule) -> None:
        self.value.reasons.append(Reason(rule.title, 0, rule.rule))

    def steady(self, because: SpecialRule) -> None:
        """Wounds in flank or rear are like any others."""
        if self.face in BEHIND:
            self.face = ""
            self._because(because)

    def spare(self, dice: int, because: SpecialRule) -> None:
        """So many failed dice count as passed, after re-rolls."""
        self.spared = max(self.spared, dice)
        self._because(because)

    def halve(self, because: SpecialRule) -> None:
        """Two failures are one wound."""
        self.halved = True
        self._because(because)

    def wounds(self, failures: int) -> int:
        """The wounds that so many failed dice cause."""
        failures = max(0, failures - self.spared)
        return -(-failures // 2) if self.halved else failures


class Dismay:
    """How much something lowers the Resolve of those who face it: the worst counts (TLAOK-SR-GEN-01)."""

    __slots__ = ("amount", "because")

    def __init__(self) -> None:
        self.amount = 0
        self.because: SpecialRule | None = None

    def lower(self, amount: int, because: SpecialRule) -> None:
        if self.because is None or amount > self.amount:
            self.amount, self.because = amount, because


class Fright:
    """A special rule that frightens a regiment, or its character in a `duel`, and the one that lets it ignore that."""

    __slots__ = ("duel", "ignored", "of")

    def __init__(self, of: SpecialRule, *, duel: bool = False) -> None:
        self.of = of
        self.duel = duel
        self.ignored: SpecialRule | None = None

    def ignore(self, because: SpecialRule) -> None:
        self.ignored = because


def fearless_by(regiment: Regiment, by: SpecialRule) -> SpecialRule | None:
    """The special rule that lets a regiment ignore what would frighten it, if it has one."""
    fright = Fright(by)
    for stand, held in kinds_of(regiment):
        at(Keyword.when_frightened, (held,), fright, regiment, stand)
    return fright.ignored


def kinds_of(regiment: Regiment) -> Iterator[tuple[Stand, KeywordSet]]:
    """One stand of each kind with its special rules: the troops, and the character."""
    seen: list[KeywordSet] = []
    for stand in regiment.figures:
        held = regiment.keywords_of(stand)
        if stand.hero or held not in seen:
            seen.append(held)
            yield stand, held


def roll_for_morale(
    battle: Battle,
    regiment: Regiment,
    wounds: int,
    *,
    by: str = "",
    face: str = "",
    near: Iterable[str] = (),
    size: int = 0,
) -> int:
    """A regiment tests its morale for so many wounds (TLAOK-MORALE-03); the wounds that come of it."""
    morale, wanted = morale_test(battle, regiment, wounds, by=by, face=face, near=near, size=size)
    value = morale.value
    cancel = battle.option("tlaok.rerollCancel")
    tested = attempt(battle.dice, wounds, wanted, cancel)
    suffered = morale.wounds(tested.failures)
    why = (*value.reasons, *wanted.why(cancel))
    battle.tell(
        MoraleTested(
            "TLAOK-MORALE-05",
            regiment.id,
            wounds,
            value.number,
            tested.failures,
            suffered,
            tested.faces,
            why,
            tested.again,
        )
    )
    return suffered


def morale_test(
    battle: Battle,
    regiment: Regiment,
    wounds: int,
    *,
    by: str = "",
    face: str = "",
    near: Iterable[str] = (),
    size: int = 0,
) -> tuple[Morale, RollTarget]:
    """The morale test for so many wounds, and what its dice need.

    `by` is the regiment that caused them, and `near` those of its stands that touched this one. `size` is what it was
    before its losses.
    """
    before = battle.option("tlaok.moraleSize") == "beforeCasualties"
    value = resolve_of(battle, regiment, size=size if before else None)
    morale = Morale(wounds, value, face)
    causer = battle.units.get(by)
    if causer is not None:
        touching = [s for s in (*causer.figures, *causer.fallen) if s.id in near]
        _frighten(battle, regiment, morale, causer, touching)
    for stand, held in kinds_of(regiment):
        at(Keyword.before_morale, (held,), morale, regiment, stand)
    wanted = roll_target(regiment, value)
    if morale.face in BEHIND:
        wanted.retry_successes("rear" if morale.face == "rear" else "flank", "TLAOK-CLASH-19")
    return morale, wanted


def _frighten(battle: Battle, regiment: Regiment, morale: Morale, causer: Regiment, touching: Iterable[Stand]) -> None:
    """Those who caused the wounds may be terrifying: the worst of them counts."""
    worst = Dismay()
    for stand in touching:
        at(Keyword.when_enemy_tests, (causer.keywords_of(stand),), worst, causer, stand)
    if worst.because is not None and fearless_by(regiment, worst.because) is None:
        morale.value.change(-worst.amount, worst.because)


# -- Broken and rallied ------------------------------------------------------------------------------------------------


def breaks(battle: Battle, regiment: Regiment, rule: str) -> None:
    """A regiment becomes Broken, by its losses or because a rule says so (TLAOK-BROKEN-01, -03)."""
    if regiment.broken or regiment.fate:
        return
    breaking = Exemption()
    for stand, held in kinds_of(regiment):
        at(Keyword.before_breaking, (held,), breaking, regiment, stand)
    if breaking.because is not None:
        battle.tell(BreakingPrevented(breaking.because.rule, regiment.id, breaking.because.title))
        return
    regiment.broken = True
    regiment.remained = regiment.size
    by_losses = rule == "TLAOK-BROKEN-01"
    battle.tell(
        RegimentBroke(rule, regiment.id, regiment.lost if by_losses else 0, regiment.started if by_losses else 0)
    )
    note(battle, "broken", 1 - regiment.side, regiment.id)


def rally(battle: Battle, regiment: Regiment, rule: str) -> None:
    """A regiment is Broken no longer (TLAOK-BROKEN-02)."""
    if regiment.broken:
        regiment.broken = False
        regiment.remained = 0
        battle.tell(Rallied(rule, regiment.id))


def _take_heart(battle: Battle, regiment: Regiment) -> Asking[None]:
    """Broken is removed before the first action (TLAOK-SR-BRAVERY-02)."""
    rally(battle, regiment, "TLAOK-SR-BRAVERY-02")
    return
    yield


TAKE_HEART: Final = Trigger("bravery", "TLAOK-SR-BRAVERY-02", _take_heart)


def why_not_rally(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Only the Broken rally (TLAOK-RALLY-01, TLAOK-CRALLY-01)."""
    rule = "TLAOK-CRALLY-01" if battle.is_engaged(regiment) else "TLAOK-RALLY-01"
    return None if regiment.broken else Refusal(rule, "not_broken", {"regiment": regiment.id})


@action("rally", "TLAOK-RALLY-01", engaged=False, why_not=why_not_rally)
def perform_rally(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It stops being Broken; no die (TLAOK-RALLY-01)."""
    rally(battle, regiment, "TLAOK-RALLY-01")
    return
    yield


@action("combat_rally", "TLAOK-CRALLY-01", engaged=True, why_not=why_not_rally)
def perform_combat_rally(battle: Battle, regiment: Regiment) -> Asking[None]:
    """It stops being Broken, unless it does not dare to (TLAOK-CRALLY-01, TLAOK-SR-FEARSOME-01)."""
    if dares(battle, regiment, "combat_rally"):
        rally(battle, regiment, "TLAOK-CRALLY-01")
    return
    yield


def rally_as_it_stands(battle: Battle, regiment: Regiment) -> Asking[None]:
    """A character rallies his regiment as it would itself, in combat or out of it (TLAOK-BROKEN-10)."""
    perform = perform_combat_rally if battle.is_engaged(regiment) else perform_rally
    yield from perform(battle, regiment)


# -- nerve in combat ---------------------------------------------------------------------------------------------------


def dares(battle: Battle, regiment: Regiment, about: str) -> bool:
    """Whether it dares to rally or reform in contact with something fearsome; if not the action is lost.

    `about` is "combat_rally" or "dare_reform".
    """
    feared = Dismay()
    for enemy in battle.engaged(regiment):
        for stand, held in kinds_of(enemy):
            at(Keyword.when_enemy_steadies, (held,), feared, enemy, stand)
    if feared.because is None:
        return True
    ignored = fearless_by(regiment, feared.because)
    if ignored is not None:
        battle.tell(RollSpared(ignored.rule, regiment.id, about, ignored.title))
        return True
    return passes(battle, regiment, about, feared.because.rule)


def keeps_order(battle: Battle, regiment: Regiment, about: str, rule: str) -> bool:
    """Whether a Combat Reform or a Withdraw is an ordered one (TLAOK-CREFORM-02, TLAOK-WITHDRAW-03)."""
    order = Exemption()
    for stand, held in kinds_of(regiment):
        at(Keyword.when_ordering, (held,), order, regiment, stand)
    if order.because is not None:
        battle.tell(RollSpared(order.because.rule, regiment.id, about, order.because.title))
        return True
    return passes(battle, regiment, about, rule)
