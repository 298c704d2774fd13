"""The odds of a volley, a Clash, a charge, a duel or a spell, counted by the very rules that play them.

What is asked about is prepared by the chapter that plays it: the same strikes, with the same values and special rules.
One die of each kind is counted by the rule that rolls it, many dice are added up, and what the rules make of the sums
is asked of the rules again. Wounds are then suffered, one by one, on a copy of the battle.

Odds tell what an attack does by itself and what it gets back for it, with every re-roll taken and every choice made as
it usually is. What comes of a regiment that is gone (a last stand, those who press on) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeVar

from oriflamme.engine.dice import Dice, HiddenDice, OutOfDice, ScriptedDice, Sorting
from oriflamme.engine.events import Event
from oriflamme.engine.keywords import Keyword as SpecialRule
from oriflamme.engine.measure import INCH, TOLERANCE
from oriflamme.games.tlaok import magic
from oriflamme.games.tlaok.aftermath import settle
from oriflamme.games.tlaok.attacks import charged, counter_of, declare, free_strike
from oriflamme.games.tlaok.auras import demise_of
from oriflamme.games.tlaok.blows import Guard, Strike
from oriflamme.games.tlaok.charge import BEST_ROLL, charge_at, distance_to, onrush_of, roll
from oriflamme.games.tlaok.clash import blows_at, dice_against, may_strike
from oriflamme.games.tlaok.duel import Duellist, blow_back, blow_of, resolve_test
from oriflamme.games.tlaok.events import Healed
from oriflamme.games.tlaok.ground import pose_of
from oriflamme.games.tlaok.impact import impact_of
from oriflamme.games.tlaok.morale import Morale, morale_test, passes
from oriflamme.games.tlaok.profile import Spell
from oriflamme.games.tlaok.state import Activation, Asking, Battle, Regiment, Stand
from oriflamme.games.tlaok.trials import Sought, Tested
from oriflamme.games.tlaok.volley import choose_shots, is_murderous, strikes_of
from oriflamme.games.tlaok.wounds import Cause, allocate, suffer, toughness
from oriflamme.games.tlaok.wounds import Pool as Wounded
from oriflamme.odds import Distribution

A = TypeVar("A")
R = TypeVar("R", bound=Hashable)

# Hits, wounds before morale, and hits that strike back, of a pool.
Blow = tuple[int, int, int]
# What defence dice come to: wounds; failed dice of which one may yet be spared, and the sixes among them that wound
# twice; natural ones that strike back.
Saves = tuple[int, int, int, int]
NO_BLOW: Final = (0, 0, 0)
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


class Odds(NamedTuple):
    """What an attack may do: hits, wounds before morale, and what becomes of the regiment when all is over. `taken` are
    the wounds of the attacker, before morale, and `own` is what becomes of him, if anything is struck back at all."""

    what: str
    attacks: int
    hits: Distribution[int]
    wounds: Distribution[int]
    fate: Distribution[Fate]
    taken: Distribution[int] = NOTHING
    own: Distribution[Fate] = UNHARMED

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


def settled(asking: Asking[A]) -> A:
    """What comes of a part of a step when every question is answered as it usually is."""
    try:
        question = next(asking)
        while True:
            question = asking.send(question.suggestion())  # type: ignore[union-attr]
    except StopIteration as end:
        found: A = end.value
        return found


# -- dice that hit -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _hit_dice(by: Sorting, number: int) -> Distribution[tuple[int, int]]:
    """So many dice of one sorting: successes, and the natural ones among them."""

    def one(dice: Dice) -> tuple[int, int]:
        _, passed, ones = (*dice.sort(1, by), 0, 0)[:3]
        return passed + ones, ones

    return Distribution.of(one).power(number)


def hits_of(strike: Strike) -> Distribution[tuple[int, int]]:
    """Hits, and the natural ones among them."""
    if strike.value is None:
        return Distribution.always((strike.hits, 0))
    if not strike.attacks:
        return Distribution.always((0, 0))
    strike = _fresh(strike)
    strike.settle_hits()

    def taken(rolled: tuple[int, int]) -> tuple[int, int]:
        struck = copy(strike)
        struck.extra = []
        struck.take_hits(Tested(*rolled, strike.attacks - rolled[0], 0, ()))
        return struck.hits, struck.ones

    return _hit_dice(strike.sought.sorting(strike.house.cancel), strike.attacks).map(taken)


def _fresh(strike: Strike) -> Strike:
    """The same strike, to be settled apart."""
    twin = copy(strike)
    twin.value = strike.value.copy() if strike.value is not None else None
    twin.sought = Sought(0)
    twin.extra = []
    return twin


# -- dice that save ----------------------------------------------------------------------------------------------------


class Die(NamedTuple):
    """One defence die: how it is sorted, None where nothing is thrown; whether failed sixes wound twice and ones strike
    back; what spares one failed die, among all of the pool or among those of one `group`."""

    by: Sorting | None
    deadly: bool
    answered: bool
    spared: SpecialRule | None
    group: int = 0


@lru_cache(maxsize=1024)
def _saves(die: Die) -> Distribution[Saves]:
    """What comes of one die."""
    by = die.by

    def one(dice: Dice) -> Saves:
        failed, _, ones, sixes, blanks = (*dice.sort(1, by), 0, 0, 0, 0)[:5] if by is not None else (1, 0, 0, 0, 0)
        lost = failed + sixes + blanks
        twice = sixes if die.deadly else 0
        back = ones + blanks if die.answered else 0
        return (lost + twice, 0, 0, back) if die.spared is None else (0, lost, twice, back)

    return Distribution.of(one)


def _guards(strike: Strike) -> list[Guard]:
    """What the hits of a strike meet: the plain ones, and natural ones apart where a rule looks at them."""
    strike.hits, strike.ones = 2, 1
    strike.settle_defence()
    return strike.guards


def _spared(saves: Saves, because: SpecialRule | None) -> tuple[int, int]:
    """Wounds, with one failed die spared where there is one, and ones that strike back."""
    wounds, failed, sixes, ones = saves
    if because is not None:
        guard = Guard(failed, 0, 0, Sought(0), ())
        guard.tested = Tested(0, 0, failed, sixes, ())
        guard.deadly = bool(sixes)
        guard.spare(because)
        wounds += guard.wounds
    return wounds, ones


def blows_of(strikes: Sequence[Strike]) -> Distribution[Blow]:
    """Hits, wounds and hits that strike back, of one pool."""
    kinds: list[Die] = []
    meets: list[list[int]] = []
    for strike in strikes:
        ready = _fresh(strike)
        met = []
        for guard in _guards(ready):
            by = guard.sought.sorting(ready.house.cancel) if ready.looked_at(guard) else None
            die = Die(by, guard.deadly, ready.answered is not None, ready.spared)
            if ready.spared is not None and ready.house.tenacious != "pool":
                die = die._replace(group=len(kinds) + 1)
            if die not in kinds:
                kinds.append(die)
            met.append(kinds.index(die))
        meets.append(met)
    counts = [
        hits_of(strike).map(lambda told, met=met: _shared(told, met, len(kinds)))  # type: ignore[misc]
        for strike, met in zip(strikes, meets, strict=True)
    ]
    return Distribution.added(*((law, 1) for law in counts)).then(lambda met: _defended(kinds, met))


def _shared(told: tuple[int, int], met: Sequence[int], kinds: int) -> tuple[int, ...]:
    """How many dice of each kind are rolled against so many hits and ones."""
    hits, ones = told
    numbers = [0] * kinds
    sharp = ones if len(met) > 1 else 0
    numbers[met[0]] += hits - sharp
    numbers[met[-1]] += sharp
    return tuple(numbers)


def _defended(kinds: Sequence[Die], numbers: Sequence[int]) -> Distribution[Blow]:
    """So many dice of each kind."""
    rolled = [(die, number) for die, number in zip(kinds, numbers, strict=True) if number]
    if not rolled:
        return Distribution.always(NO_BLOW)
    hits = sum(numbers)
    if any(die.group for die, _ in rolled):
        groups = [_saves(die).power(number).map(lambda s, d=die: _spared(s, d.spared)) for die, number in rolled]  # type: ignore[misc]
        found = Distribution.added(*((law, 1) for law in groups))
    else:
        because = next((die.spared for die, _ in rolled if die.spared is not None), None)
        found = Distribution.added(*((_saves(die), number) for die, number in rolled)).map(
            lambda saves: _spared(saves, because)
        )
    return found.map(lambda told: (hits, *told))


def _together(laws: Iterable[Distribution[R]]) -> Distribution[tuple[R, ...]]:
    """Several things that do not touch one another, side by side."""
    joint: Distribution[tuple[R, ...]] = Distribution.always(())
    for law in laws:
        joint = _beside(joint, law)
    return joint


def _beside(before: Distribution[tuple[R, ...]], law: Distribution[R]) -> Distribution[tuple[R, ...]]:
    return before.then(lambda told: law.map(lambda value: (*told, value)))


def mean_wounds(strikes: Sequence[Strike]) -> float:
    """The wounds of a pool on average, Tenacious left out. Made for being asked often."""
    found = 0.0
    for strike in strikes:
        if strike.value is None:
            hits, ones = float(strike.hits), 0.0
        else:
            rolled = _fresh(strike)
            rolled.settle_hits()
            odds = rolled.sought.sorting(rolled.house.cancel).odds
            passed, lucky = (*odds, 0, 0, 0)[1:3]
            ones = strike.attacks * lucky / sum(odds)
            plain = copy(rolled)
            plain.take_hits(Tested(1, 1, 0, 0, ()))
            hits = strike.attacks * (passed + lucky) / sum(odds) + ones * (plain.hits - 1)
        ready = _fresh(strike)
        guards = _guards(ready)
        shares = [hits - ones, ones] if len(guards) > 1 else [hits]
        for guard, share in zip(guards, shares, strict=True):
            failed = 1.0
            if ready.looked_at(guard):
                odds = (*guard.sought.sorting(ready.house.cancel).odds, 0, 0, 0, 0)
                failed = (odds[0] + odds[3] * (1 + guard.deadly) + odds[4]) / sum(odds)
            found += share * failed
    return found


# -- what it does to a regiment ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _failures(by: Sorting, number: int) -> Distribution[int]:
    """How many of so many dice fail."""

    def one(dice: Dice) -> int:
        failed, _, _, sixes, blanks = (*dice.sort(1, by), 0, 0, 0, 0)[:5]
        return failed + sixes + blanks

    return Distribution.of(one).power(number)


def _unnerved(battle: Battle, test: tuple[Morale, Sought]) -> Distribution[int]:
    """The wounds that come of a test of Resolve."""
    morale, wanted = test
    return _failures(wanted.sorting(battle.option("tlaok.rerollCancel")), morale.dice).map(morale.wounds)


class Falling:
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
                settled(suffer(twin, twin.units[self.id], 1, Cause("TLAOK-WOUND-01", "wounds", morale=False)))
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
        return _unnerved(end, self.test(before, wounds, cause))

    def test(self, before: int, wounds: int, cause: Cause) -> tuple[Morale, Sought]:
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
            settled(allocate(twin, whom, pool))
        except OutOfDice:
            pass
        hits = sum(number for number, _ in pool.back)
        return hits, demise_of(whom, pool.back[0][1]) if pool.back else None


def fates(battle: Battle, target: Regiment, pools: Sequence[tuple[int, Cause]]) -> Distribution[Fate]:
    """What becomes of a regiment that suffers so many wounds, one pool after the other, with its morale."""
    falling, total = Falling(battle, target), NOTHING
    for wounds, cause in pools:
        total = falling.suffers(total, Distribution.always(wounds), cause)
    return total.map(falling.fate)


def odds_of(battle: Battle, by: Regiment, target: Regiment, what: str, pools: Sequence[Pool]) -> Odds:
    """What pools of strikes may do to a regiment, and to those who strike."""
    twin = battle.copy()
    own, on = twin.units[by.id], twin.units[target.id]
    for strikes, cause in pools:
        settled(declare(twin, own, "hits", strikes, cause.what))
        settled(declare(twin, on, "saves", strikes, cause.what))
    falling = Falling(battle, target)
    whole = _together(blows_of(pool.strikes) for pool in pools)

    def fate(wounds: tuple[int, ...]) -> Distribution[Fate]:
        total = NOTHING
        for number, pool in zip(wounds, pools, strict=True):
            total = falling.suffers(total, Distribution.always(number), pool.cause)
        return total.map(falling.fate)

    found = Odds(
        what,
        sum(strike.attacks for pool in pools for strike in pool.strikes),
        whole.map(lambda blows: sum(hits for hits, _, _ in blows)),
        whole.map(lambda blows: sum(wounds for _, wounds, _ in blows)),
        whole.map(lambda blows: tuple(wounds for _, wounds, _ in blows)).then(fate),
    )
    if len(pools) != 1:
        # Only blows are struck back, and they are one pool.
        return found
    back = Back(twin, own, on, falling, pools[0])
    struck = whole.map(lambda blows: blows[0][1:]).then(lambda told: back.law(*told))
    return found._replace(
        taken=struck.map(lambda told: told[0]), own=struck.map(lambda told: back.falling.fate(told[1]))
    )


class Back:
    """What a pool of blows gets back: hits for wounds that were suffered, then those of natural ones of the defence
    (TLAOK-SR-LETHALDEMISE-01, TLAOK-SR-COUNTERATTACK-02)."""

    def __init__(self, battle: Battle, own: Regiment, target: Regiment, wounded: Falling, pool: Pool) -> None:
        self.battle = battle
        self.own = own
        self.target = target
        # What the enemy suffers.
        self.wounded = wounded
        self.pool = pool
        self.falling = Falling(battle, own)
        ready = [_fresh(strike) for strike in pool.strikes]
        for strike in ready:
            strike.settle_defence()
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
        settled(declare(twin, own, "saves", [strike], cause.what))
        wounds = blows_of([strike]).map(lambda blow: blow[1])

        def more(told: tuple[int, int]) -> Distribution[tuple[int, int]]:
            before, total = told
            return wounds.then(
                lambda new: self.falling.morale(total, new, cause).map(lambda lost: (before + new, total + new + lost))
            )

        return law.then(more)


# -- attacks -----------------------------------------------------------------------------------------------------------


def volley_pools(battle: Battle, regiment: Regiment, target: Regiment, *, arcing: bool = False) -> list[Pool]:
    """The shots of a volley, a pool for each arc of the target; who is in two shoots at the first."""
    shooters = settled(choose_shots(battle, regiment, target, arcing=arcing))
    by_arc: dict[str, list[int]] = {}
    for number, shooter in enumerate(shooters):
        by_arc.setdefault(shooter.arcs[0], []).append(number)
    tested = is_murderous(battle, regiment, target)
    return [
        Pool(
            list(strikes_of(battle, regiment, target, arc, [shooters[n] for n in numbers], arcing)),
            Cause("TLAOK-VOLLEY-21", "volley", regiment.id, arc, morale=tested, saved=True),
        )
        for arc, numbers in by_arc.items()
    ]


def clash_pools(battle: Battle, regiment: Regiment, target: Regiment) -> list[Pool]:
    """All that can strike or support against one enemy in contact."""
    touched = may_strike(battle, regiment)
    fighting = [stand for stand, ids in touched if target.id in ids]
    busy = {stand.id for stand, _ in touched}
    supporting = [stand for stand in regiment.figures if stand.id not in busy]
    strikes, cause = blows_at(battle, regiment, target, list(dice_against(battle, regiment, fighting, supporting)))
    return [Pool(strikes, cause)] if strikes else []


def impact_pools(battle: Battle, regiment: Regiment, target: Regiment) -> list[Pool]:
    strikes, cause = impact_of(battle, regiment, target)
    return [Pool(strikes, cause)] if strikes and not target.garrison else []


def volley_odds(battle: Battle, regiment: Regiment, target: Regiment, *, arcing: bool = False) -> Odds:
    return odds_of(battle, regiment, target, "volley", volley_pools(battle, regiment, target, arcing=arcing))


def clash_odds(battle: Battle, regiment: Regiment, target: Regiment) -> Odds:
    return odds_of(battle, regiment, target, "clash", clash_pools(battle, regiment, target))


def impact_odds(battle: Battle, regiment: Regiment, target: Regiment) -> Odds:
    return odds_of(battle, regiment, target, "impact", impact_pools(battle, regiment, target))


def both_odds(battle: Battle, regiment: Regiment, target: Regiment) -> Odds | None:
    """The impact attacks of a charge that has come home, and then a Clash with all that is left; None where there are
    no impact attacks, or where they would be struck back."""
    twin = battle.copy()
    own, on = twin.units[regiment.id], twin.units[target.id]
    pools = impact_pools(twin, own, on)
    if not pools:
        return None
    ((strikes, cause),) = pools
    settled(declare(twin, own, "hits", strikes, cause.what))
    settled(declare(twin, on, "saves", strikes, cause.what))
    falling = Falling(twin, on)
    if falling.gives_back(1, cause)[1] is not None:
        return None
    known: dict[int, Odds] = {}

    def clash(total: int) -> Odds:
        """The Clash after so many wounds."""
        if total not in known:
            left = falling.after(total).copy()
            gone = falling.fate(total)
            if gone.gone:
                known[total] = Odds("clash", 0, NOTHING, NOTHING, Distribution.always(gone))
            else:
                settled(settle(left))
                for each in (left.units[own.id], left.units[on.id]):
                    each.end_effects("action")
                found = clash_odds(left, left.units[own.id], left.units[on.id])
                fate = found.fate.map(lambda fate: Fate(gone.lost + fate.lost, fate.broken, fate.gone))
                known[total] = found._replace(fate=fate)
        return known[total]

    def tested(blow: Blow) -> Distribution[tuple[int, int, int]]:
        hits, wounds, _ = blow
        return falling.morale(0, wounds, cause).map(lambda more: (hits, wounds, wounds + more))

    law = blows_of(strikes).then(tested)
    total = law.map(lambda told: told[2])
    return Odds(
        "both",
        sum(strike.attacks for strike in strikes) + clash(0).attacks,
        law.then(lambda told: clash(told[2]).hits.map(lambda more: told[0] + more)),
        law.then(lambda told: clash(told[2]).wounds.map(lambda more: told[1] + more)),
        total.then(lambda wounds: clash(wounds).fate),
        total.then(lambda wounds: clash(wounds).taken),
        total.then(lambda wounds: clash(wounds).own),
    )


# -- charges -----------------------------------------------------------------------------------------------------------


def charge_die(battle: Battle, regiment: Regiment, target: Regiment) -> Distribution[int]:
    """The die of a charge, a failed roll rolled again where that is allowed; what counts instead of a die if none is
    rolled."""
    onrush, away = onrush_of(battle, regiment), distance_to(battle, regiment, target)
    twin = battle.copy()

    def rolled(dice: Dice) -> int:
        twin.dice = dice
        return settled(roll(twin, regiment, onrush, away))

    return Distribution.of(rolled)


def reach_chance(battle: Battle, regiment: Regiment, target: Regiment) -> float:
    """The chance that a charge is long enough."""
    onrush, away = onrush_of(battle, regiment), distance_to(battle, regiment, target)
    die = charge_die(battle, regiment, target)
    return float(die.chance(lambda face: onrush.reach(face) + TOLERANCE >= away))


def reach_by_distance(battle: Battle, regiment: Regiment) -> dict[int, float]:
    """By distance in whole inches, the chance that a charge of a regiment is long enough: from the last that is certain
    to the last that is possible (TLAOK-CHARGE-05)."""
    onrush = onrush_of(battle, regiment)
    faces = range(1, BEST_ROLL + 1) if onrush.fixed is None else (onrush.fixed[0],)
    found = {}
    for away in sorted({round(onrush.reach(face) / INCH) for face in faces}):
        missed = sum(onrush.reach(face) + TOLERANCE < away * INCH for face in faces) / len(faces)
        found[away] = 1 - missed * (missed if onrush.again is not None else 1)
    return found


class ChargeDice(Dice):
    """A charge roll that is known, then other dice for the ground it crosses; they run out when it has come home."""

    __slots__ = ("_charger", "_face", "_ground")

    def __init__(self, face: int, ground: Dice, charger: Regiment) -> None:
        super().__init__()
        self._face = face
        self._ground = ground
        self._charger = charger

    def sort(self, number: int, by: Sorting) -> tuple[int, ...]:
        if self._face:
            sort = by.faces[self._face - 1]
            self._face = 0
            return tuple(int(kind == sort) for kind in range(by.kinds))
        if charged(self._charger):
            raise OutOfDice
        return self._ground.sort(number, by)


def _charged(battle: Battle, regiment: Regiment, target: Regiment, die: int, ground: Dice) -> Battle | None:
    """The battle when a charge with that die has come home, before its impact attacks; None if it does not."""
    twin = battle.copy()
    own = twin.units[regiment.id]
    # A charge before this one is forgotten: it has come home when it is known to have charged.
    own.effects = tuple(effect for effect in own.effects if effect.stat != "charged")
    own.affect()
    twin.dice = ChargeDice(die if onrush_of(twin, own).fixed is None else 0, ground, own)
    twin.acting = twin.acting or Activation(regiment.id)
    try:
        settled(charge_at(twin, own, twin.units[target.id]))
    except OutOfDice:
        pass
    twin.dice = HiddenDice()
    return twin if target.id in twin.contacts.get(regiment.id, {}) and not own.fate else None


def charged_home(battle: Battle, regiment: Regiment, target: Regiment) -> Battle | None:
    """The battle after the longest possible charge over ground that does no harm, before its impact attacks; None if it
    fails even so."""
    return _charged(battle, regiment, target, BEST_ROLL, Harmless())


class Harmless(Dice):
    """Dice that show ones."""

    __slots__ = ()

    def throw(self, number: int) -> list[int]:
        return [1] * number


def arrivals(battle: Battle, regiment: Regiment, target: Regiment) -> list[tuple[Battle, Fraction]]:
    """The battles in which a charge has come home, before its impact attacks, each with its chance: one for each way it
    may go and for each harm that the ground may do it."""
    onrush, away = onrush_of(battle, regiment), distance_to(battle, regiment, target)
    dice = charge_die(battle, regiment, target)
    enough = sorted(face for face in dice if onrush.reach(face) + TOLERANCE >= away)
    if not enough:
        return []
    longest = _homes(battle, regiment, target, enough[-1])
    # A longer charge may find a better way; where the shortest and the longest end alike, so do all between.
    if len(enough) == 1 or _end(battle, regiment, target, enough[0]) in {_pose(home, regiment) for home, _ in longest}:
        chance = sum((dice[face] for face in enough), Fraction())
        return [(home, chance * share) for home, share in longest]
    found = [(home, dice[enough[-1]] * share) for home, share in longest]
    for face in enough[:-1]:
        found += [(home, dice[face] * share) for home, share in _homes(battle, regiment, target, face)]
    return found


def _homes(battle: Battle, regiment: Regiment, target: Regiment, die: int) -> list[tuple[Battle, Fraction]]:
    """The battles in which a charge with that die has come home, by what the ground does to it."""
    homes: dict[Hashable, Battle] = {}

    def cross(ground: Dice) -> Hashable:
        home = _charged(battle, regiment, target, die, ground)
        if home is None:
            return None
        key = tuple((stand.id, stand.wounds) for stand in home.units[regiment.id].figures)
        homes.setdefault(key, home)
        return key

    return [(homes[key], share) for key, share in Distribution.of(cross).items() if key is not None]


def _pose(home: Battle, regiment: Regiment) -> tuple[float, ...]:
    return tuple(pose_of(home.units[regiment.id]))


def _end(battle: Battle, regiment: Regiment, target: Regiment, die: int) -> tuple[float, ...] | None:
    """Where a charge with that die ends, if the ground does it no harm; None if it does not come home."""
    home = _charged(battle, regiment, target, die, Harmless())
    return _pose(home, regiment) if home is not None else None


def mixed(parts: Sequence[tuple[Odds, Fraction]]) -> Odds:
    """Odds of which one or the other will be true, each as likely as is told."""
    total = sum((chance for _, chance in parts), Fraction())
    which = Distribution({number: chance / total for number, (_, chance) in enumerate(parts)})
    likely = max(parts, key=lambda part: part[1])[0]

    def mix(of: Callable[[Odds], Distribution[R]]) -> Distribution[R]:
        return which.then(lambda number: of(parts[number][0]))

    return Odds(
        likely.what,
        likely.attacks,
        mix(lambda odds: odds.hits),
        mix(lambda odds: odds.wounds),
        mix(lambda odds: odds.fate),
        mix(lambda odds: odds.taken),
        mix(lambda odds: odds.own),
    )


def charge_odds(
    battle: Battle, regiment: Regiment, target: Regiment, *, both: bool = False
) -> tuple[float, list[Odds]]:
    """The chance that a charge comes home, and what its impact attacks do then, or a Clash that nothing came before;
    and `both`, one after the other."""
    homes = arrivals(battle, regiment, target)
    chance = float(sum((share for _, share in homes), Fraction()))
    found = []
    for odds in (impact_odds, clash_odds, both_odds) if both else (impact_odds, clash_odds):
        made = [(odds(home, home.units[regiment.id], home.units[target.id]), share) for home, share in homes]
        parts = [(part, share) for part, share in made if part is not None]
        if len(parts) == len(homes) and any(part.attacks for part, _ in parts):
            found.append(mixed(parts))
    return chance, found


# -- duels -------------------------------------------------------------------------------------------------------------


class DuelOdds(NamedTuple):
    """Wounds of the challenger and of the challenged, together; and who falls of the two."""

    wounds: Distribution[tuple[int, int]]
    falls: Distribution[tuple[bool, bool]]

    @property
    def challenger_falls(self) -> float:
        return float(self.falls.chance(lambda fallen: fallen[0]))

    @property
    def challenged_falls(self) -> float:
        return float(self.falls.chance(lambda fallen: fallen[1]))


def duel_odds(battle: Battle, regiment: Regiment, enemy: Regiment) -> DuelOdds:
    """A duel that is accepted (TLAOK-DUEL-09 to -12), with what is struck back."""
    own, other = Duellist(battle, regiment), Duellist(battle, enemy)
    first, second = (other, own) if other.first and not own.first else (own, other)
    quick = bool(own.first) != bool(other.first)
    deadly = [toughness(battle, each.regiment, each.stand) - each.stand.wounds for each in (first, second)]
    answer = _struck_in_duel(battle, second, first)

    def then(told: tuple[int, int]) -> Distribution[tuple[int, int]]:
        """Wounds of the second and of the first, who has struck."""
        hurt, back = told
        if quick and (back >= deadly[0] or hurt >= deadly[1]):
            return Distribution.always((back, hurt))
        return answer.map(lambda more: (back + more[0], hurt + more[1]))

    law = _struck_in_duel(battle, first, second).then(then)
    if first is other:
        law, deadly = law.map(lambda told: (told[1], told[0])), deadly[::-1]
    return DuelOdds(law, law.map(lambda told: (told[0] >= deadly[0], told[1] >= deadly[1])))


def _struck_in_duel(battle: Battle, by: Duellist, whom: Duellist) -> Distribution[tuple[int, int]]:
    """The wounds that one gives the other and gets back, with those of the Resolve rolls."""
    blow = blow_of(battle, by, whom)
    if not blow.attacks:
        return Distribution.always((0, 0))

    @cache
    def back(hits: int) -> Distribution[int]:
        if not hits:
            return NOTHING
        wounds = blows_of([blow_back(battle, by, whom, hits)]).map(lambda told: told[1])
        return wounds.then(lambda number: _resolved(battle, by, whom, number))

    def follow(told: Blow) -> Distribution[tuple[int, int]]:
        _, wounds, answers = told
        return _resolved(battle, whom, by, wounds).then(lambda hurt: back(answers).map(lambda own: (hurt, own)))

    return blows_of([blow]).then(follow)


def _resolved(battle: Battle, whom: Duellist, by: Duellist, wounds: int) -> Distribution[int]:
    """So many wounds, and those of the Resolve rolls for them."""
    if not wounds:
        return NOTHING
    return _unnerved(battle, resolve_test(battle, whom, by, wounds)).map(lambda more: wounds + more)


# -- spells ------------------------------------------------------------------------------------------------------------


class SpellOdds(NamedTuple):
    """The chance that a spell is cast; its hits, if it has any, and the wounds it heals, nothing where it fails."""

    cast: float
    dice: int
    attunement: int
    needed: int
    odds: Odds | None
    healed: Distribution[int]


def spell_odds(
    battle: Battle, regiment: Regiment, stands: Sequence[Stand], spell: Spell, target: Regiment
) -> SpellOdds:
    """A spell that those stands cast on a regiment (TLAOK-MAGIC-09 to -16)."""
    twin = battle.copy()
    own, on = twin.units[regiment.id], twin.units[target.id]
    by = [stand for stand in own.figures if stand.id in {each.id for each in stands}]
    casting = magic.casting_of(twin, own, by, spell, on)
    number, wanted = casting.attunement.number, casting.wanted.number

    def rolled(dice: Dice) -> int:
        twin.dice = dice
        return casting.successes(magic.roll_to_cast(twin, casting.power.dice, number))

    successes = Distribution.of(rolled)
    done = successes.map(lambda got: got if got >= wanted else -1)
    odds: Odds | None = None
    if spell.hits:
        falling = Falling(battle, target)
        _, cause = magic.blow_of(twin, own, by, spell, on, 1)

        def struck(got: int) -> Distribution[Blow]:
            hits = casting.hits(got) if got >= 0 else 0
            return blows_of([magic.blow_of(twin, own, by, spell, on, hits)[0]])

        blows = done.then(struck)
        odds = Odds(
            "spell",
            casting.power.dice,
            blows.map(lambda told: told[0]),
            blows.map(lambda told: told[1]),
            falling.suffers(NOTHING, blows.map(lambda told: told[1]), cause).map(falling.fate),
        )
    healed = done.map(lambda got: _healed(battle, regiment, by, casting, target, got) if got >= 0 else 0)
    return SpellOdds(float(successes.at_least(wanted)), casting.power.dice, number, wanted, odds, healed)


def _healed(
    battle: Battle, regiment: Regiment, by: Sequence[Stand], casting: magic.Casting, target: Regiment, successes: int
) -> int:
    """The points of healing that a spell with so many successes makes use of."""
    if casting.spell.hits:
        return 0
    twin = battle.copy()
    told: list[Event] = []
    twin.log = told
    settled(magic.take_effect(twin, twin.units[regiment.id], by, casting, twin.units[target.id], successes))
    return sum(event.points - event.wasted for event in told if isinstance(event, Healed))


# -- morale ------------------------------------------------------------------------------------------------------------


class MoraleOdds(NamedTuple):
    """What comes of so many wounds: the Resolve that is tested, more wounds by it, and what becomes of the regiment."""

    wounds: int
    resolve: int
    more: Distribution[int]
    fate: Distribution[Fate]


def morale_odds(battle: Battle, regiment: Regiment, cause: Cause) -> list[MoraleOdds]:
    """A morale test for each number of wounds that leaves somebody to test (TLAOK-MORALE-03)."""
    falling = Falling(battle, regiment)
    found = []
    for wounds in range(1, sum(toughness(battle, regiment, stand) for stand in regiment.troops)):
        if falling.fate(wounds).gone:
            break
        morale, _ = falling.test(0, wounds, cause)
        more = falling.morale(0, wounds, cause)
        fate = more.map(lambda lost, wounds=wounds: falling.fate(wounds + lost))  # type: ignore[misc]
        found.append(MoraleOdds(wounds, morale.value.number, more, fate))
    return found


def passes_chance(battle: Battle, regiment: Regiment) -> float:
    """That one die against its Resolve succeeds, outside morale tests (TLAOK-MORALE-01)."""
    twin = battle.copy()

    def tested(dice: Dice) -> bool:
        twin.dice = dice
        return passes(twin, twin.units[regiment.id], "odds", "TLAOK-MORALE-01")

    return float(Distribution.of(tested)[True])
