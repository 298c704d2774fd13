"""What wounds make of a regiment: stands that fall, morale, and what is struck back.

Wounds are taken one by one on a copy of the battle, by the rules that remove stands. What comes of a regiment that is
gone (a last stand, those who press on) is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from oriflamme.engine.core.dice import Dice, OutOfDice, ScriptedDice, Sorting
from oriflamme.engine.odds import Distribution, over_all_rolls, play_out
from oriflamme.games.tlaok.combat.attacks import counter_of, declare, free_strike
from oriflamme.games.tlaok.combat.blows import Strike
from oriflamme.games.tlaok.losses.auras import demise_of
from oriflamme.games.tlaok.losses.morale import Morale, morale_test, passes
from oriflamme.games.tlaok.losses.wounds import Cause, allocate, take_wounds, toughness
from oriflamme.games.tlaok.losses.wounds import Pool as Wounded
from oriflamme.games.tlaok.odds.strikes import blows_of, fresh, together
from oriflamme.games.tlaok.state import Battle, Regiment
from oriflamme.games.tlaok.trials import RollTarget

NOTHING: Final = Distribution.always(0)


class Pool(NamedTuple):
    """Strikes whose wounds are suffered together (TLAOK-WOUND-01), and what causes them."""

    strikes: list[Strike]
    cause: Cause


class Fate(NamedTuple):
    """What has become of a regiment: stands lost, and whether it is Broken or gone."""

    lost: int
    broken: bool
    gone: bool


UNHARMED: Final = Distribution.always(Fate(0, False, False))


class AttackOdds(NamedTuple):
    """What an attack may do: hits, wounds before morale, and what becomes of the regiment when all is over. `taken` are
    the wounds of the attacker, before morale, and `own` is what becomes of him, if anything is struck back at all."""

    what: str
    attacks: int
    hits: Distribution[int]
    wounds: Distribution[int]
    fate: Distribution[Fate]
    taken: Distribution[int] = NOTHING
    own: Distribution[Fate] = UNHARMED
    # The chance that a charge comes home, where it is one.
    arrives: float | None = None

    @property
    def lost(self) -> Distribution[int]:
        return self.fate.map(lambda fate: fate.lost)

    @property
    def destroyed(self) -> float:
        return float(self.fate.chance(lambda fate: fate.gone))

    @property
    def broken(self) -> float:
        """Broken and still there, by this attack or before."""
        return float(self.fate.chance(lambda fate: fate.broken and not fate.gone))

    @property
    def own_lost(self) -> Distribution[int]:
        return self.own.map(lambda fate: fate.lost)


@lru_cache(maxsize=4096)
def _failures(by: Sorting, number: int) -> Distribution[int]:
    """How many of so many dice fail."""

    def one(dice: Dice) -> int:
        failed, _, _, sixes, blanks = (*dice.sort(1, by), 0, 0, 0, 0)[:5]
        return failed + sixes + blanks

    return Distribution.of(one).power(number)


def failed_morale(battle: Battle, test: tuple[Morale, RollTarget]) -> Distribution[int]:
    """The wounds that come of a test of Resolve."""
    morale, wanted = test
    return _failures(wanted.sorting(battle.option("tlaok.rerollCancel")), morale.dice).map(morale.wounds)


class Casualties:
    """A regiment as its wounds take it apart: the battle after each of them, by the rules that remove its stands."""

    def __init__(self, battle: Battle, regiment: Regiment) -> None:
        twin = battle.copy()
        # Nothing is rolled for; who rolls after all is a character in his last stand.
        twin.dice = ScriptedDice(())
        self.id = regiment.id
        self.size = regiment.size
        self._after = [twin]
        self._tested: dict[tuple[int, int, Cause], Distribution[int]] = {}

    def after(self, wounds: int) -> Battle:
        """The battle after so many wounds, or when none is left to take them."""
        while len(self._after) <= wounds and not self._is_gone(self._after[-1]):
            twin = self._after[-1].copy()
            twin.dice = ScriptedDice(())
            try:
                play_out(take_wounds(twin, twin.units[self.id], 1, Cause("TLAOK-WOUND-01", "wounds", morale=False)))
            except OutOfDice:
                pass
            self._after.append(twin)
        return self._after[min(wounds, len(self._after) - 1)]

    def _is_gone(self, battle: Battle) -> bool:
        whom = battle.units[self.id]
        return bool(whom.fate) or not whom.troops

    def fate(self, wounds: int) -> Fate:
        battle = self.after(wounds)
        whom = battle.units[self.id]
        if self._is_gone(battle):
            return Fate(self.size, whom.broken, True)
        return Fate(self.size - whom.size, whom.broken, False)

    def morale(self, before: int, wounds: int, cause: Cause) -> Distribution[int]:
        """The wounds of a failed morale test for a pool, that fell on it after so many others."""
        key = (before, wounds, cause)
        if key not in self._tested:
            self._tested[key] = self._tests(before, wounds, cause)
        return self._tested[key]

    def _tests(self, before: int, wounds: int, cause: Cause) -> Distribution[int]:
        end = self.after(before + wounds)
        if not wounds or not cause.morale or self._is_gone(end):
            return NOTHING
        return failed_morale(end, self.test(before, wounds, cause))

    def test(self, before: int, wounds: int, cause: Cause) -> tuple[Morale, RollTarget]:
        """The morale test for such a pool."""
        start, end = self.after(before), self.after(before + wounds)
        pool = Wounded(start, start.units[self.id], wounds, cause)
        return morale_test(
            end, end.units[self.id], wounds, by=cause.by, face=cause.face, near=pool.near, size=pool.size
        )

    def suffers(self, total: Distribution[int], wounds: Distribution[int], cause: Cause) -> Distribution[int]:
        """All wounds when one more pool and its morale have been suffered."""

        def pool(before: int) -> Distribution[int]:
            return wounds.then(lambda more: self.morale(before, more, cause).map(lambda lost: before + more + lost))

        return total.then(pool)

    def gives_back(self, wounds: int, cause: Cause) -> tuple[int, Cause | None]:
        """The hits that so many wounds give back, and what they come from (TLAOK-SR-LETHALDEMISE-01)."""
        twin = self._after[0].copy()
        twin.dice = ScriptedDice(())
        whom = twin.units[self.id]
        pool = Wounded(twin, whom, wounds, cause)
        try:
            play_out(allocate(twin, whom, pool))
        except OutOfDice:
            pass
        hits = sum(number for number, _ in pool.back)
        return hits, demise_of(whom, pool.back[0][1]) if pool.back else None


def fates(battle: Battle, target: Regiment, pools: Sequence[tuple[int, Cause]]) -> Distribution[Fate]:
    """What becomes of a regiment that suffers so many wounds, one pool after the other, with its morale."""
    casualties, total = Casualties(battle, target), NOTHING
    for wounds, cause in pools:
        total = casualties.suffers(total, Distribution.always(wounds), cause)
    return total.map(casualties.fate)


def odds_of(battle: Battle, by: Regiment, target: Regiment, what: str, pools: Sequence[Pool]) -> AttackOdds:
    """What pools of strikes may do to a regiment, and to those who strike."""
    twin = battle.copy()
    own, on = twin.units[by.id], twin.units[target.id]
    for strikes, cause in pools:
        play_out(declare(twin, own, "hits", strikes, cause.what))
        play_out(declare(twin, on, "saves", strikes, cause.what))
    casualties = Casualties(battle, target)
    whole = together(blows_of(pool.strikes) for pool in pools)

    def fate(wounds: tuple[int, ...]) -> Distribution[Fate]:
        total = NOTHING
        for number, pool in zip(wounds, pools, strict=True):
            total = casualties.suffers(total, Distribution.always(number), pool.cause)
        return total.map(casualties.fate)

    found = AttackOdds(
        what,
        sum(strike.attacks for pool in pools for strike in pool.strikes),
        whole.map(lambda blows: sum(hits for hits, _, _ in blows)),
        whole.map(lambda blows: sum(wounds for _, wounds, _ in blows)),
        whole.map(lambda blows: tuple(wounds for _, wounds, _ in blows)).then(fate),
    )
    if len(pools) != 1:
        # Only blows are struck back, and they are one pool.
        return found
    back = StruckBack(twin, own, on, casualties, pools[0])
    struck = whole.map(lambda blows: blows[0][1:]).then(lambda wounds: back.law(*wounds))
    return found._replace(
        taken=struck.map(lambda wounds: wounds[0]), own=struck.map(lambda wounds: back.own_casualties.fate(wounds[1]))
    )


class StruckBack:
    """What a pool of blows gets back: hits for wounds that were suffered, then those of natural ones of the defence
    (TLAOK-SR-LETHALDEMISE-01, TLAOK-SR-COUNTERATTACK-02)."""

    def __init__(self, battle: Battle, own: Regiment, target: Regiment, wounded: Casualties, pool: Pool) -> None:
        self.battle = battle
        self.own = own
        self.target = target
        # What the enemy suffers.
        self.wounded = wounded
        self.pool = pool
        self.own_casualties = Casualties(battle, own)
        ready = [fresh(strike) for strike in pool.strikes]
        for strike in ready:
            strike.set_defence()
        self.counter = counter_of(battle, own, target, ready)
        self.grim = wounded.gives_back(1, pool.cause)[1] is not None
        self._known: dict[tuple[int, int], Distribution[tuple[int, int]]] = {}

    def law(self, wounds: int, answers: int) -> Distribution[tuple[int, int]]:
        """Wounds before morale, and with it."""
        hits, grim = self.wounded.gives_back(wounds, self.pool.cause) if self.grim and wounds else (0, None)
        key = hits, answers
        if key not in self._known:
            twin = self.battle.copy()
            law = Distribution.always((0, 0))
            for number, cause in ((hits, grim), (answers, self.counter)):
                if number and cause is not None:
                    law = self._struck(twin, law, number, cause)
            self._known[key] = law
        return self._known[key]

    def _struck(
        self, twin: Battle, law: Distribution[tuple[int, int]], hits: int, cause: Cause
    ) -> Distribution[tuple[int, int]]:
        own = twin.units[self.own.id]
        strike = free_strike(twin, twin.units[self.target.id], own, hits, cause)
        play_out(declare(twin, own, "saves", [strike], cause.what))
        wounds = blows_of([strike]).map(lambda blow: blow[1])

        def more(so_far: tuple[int, int]) -> Distribution[tuple[int, int]]:
            before, total = so_far

            def tested(new: int) -> Distribution[tuple[int, int]]:
                lost = self.own_casualties.morale(total, new, cause)
                return lost.map(lambda lost: (before + new, total + new + lost))

            return wounds.then(tested)

        return law.then(more)


class MoraleOdds(NamedTuple):
    """What comes of so many wounds: the Resolve that is tested, more wounds by it, and what becomes of the regiment."""

    wounds: int
    resolve: int
    more: Distribution[int]
    fate: Distribution[Fate]


def morale_odds(battle: Battle, regiment: Regiment, cause: Cause) -> list[MoraleOdds]:
    """A morale test for each number of wounds that leaves somebody to test (TLAOK-MORALE-03)."""
    casualties = Casualties(battle, regiment)
    found = []
    for wounds in range(1, sum(toughness(battle, regiment, stand) for stand in regiment.troops)):
        if casualties.fate(wounds).gone:
            break
        morale, _ = casualties.test(0, wounds, cause)
        more = casualties.morale(0, wounds, cause)
        fate = more.map(lambda lost, wounds=wounds: casualties.fate(wounds + lost))  # type: ignore[misc]
        found.append(MoraleOdds(wounds, morale.value.number, more, fate))
    return found


def passes_chance(battle: Battle, regiment: Regiment) -> float:
    """That one die against its Resolve succeeds, outside morale tests (TLAOK-MORALE-01)."""
    tested = over_all_rolls(battle, lambda twin: passes(twin, twin.units[regiment.id], "odds", "TLAOK-MORALE-01"))
    return float(tested[True])
