"""Tests: one table for everything (RN3-URT).

The difference between an action value and a difficulty selects a column; the column gives the score each die needs.
Dice are thrown, failures and successes are thrown again layer by layer, and only then do sixes earn extra dice
(RN3-URT-11). `Trial` is a test in the making; `throw` plays it through without questions, for odds and where nobody
has a choice, and `attempt` asks players where the book lets them choose. Both are made of the same parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from oriflamme.engine.core.dice import Chain, Dice, Sorting, chain, sorting
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at_against
from oriflamme.games.rn3.events.trials import DiceAdded, TestRolled
from oriflamme.games.rn3.moments import Keyword, SkillSet, book
from oriflamme.games.rn3.state import Battle, Fighter, Unit

# Columns of the table, from défi to privilège, and the score each needs (RN3-URT-02).
DEFI: Final = 0
PRIVILEGE: Final = 6
PLAIN: Final = 3  # the 4+ column, by which skills replace others (RN3-URT-08)
NEEDED: Final = (6, 6, 5, 4, 3, 2, 2)
TOXIC: Final = 5  # RN3-SKL-47


def column_of(difference: int) -> int:
    """The column that a difference selects (RN3-URT-02)."""
    if difference <= -6:
        return DEFI
    if difference >= 6:
        return PRIVILEGE
    return (difference + 7) // 2 if difference < 0 else 3 if difference <= 1 else (difference + 6) // 2


class Reroll(NamedTuple):
    """Dice of the first roll that are thrown again, once for each such effect (RN3-URT-11, 4 and 5). `optional` if who
    has it may leave them as they are, all or none (RN3-URT-13)."""

    source: str
    rule: str
    optional: bool = False


# What the bonus of a charge is called where dice are thrown again (RN3-ASLT-10).
CHARGE: Final = "charge"


class Melee(NamedTuple):
    """What skills ask of the fight that a test of melee belongs to.

    `assault` if who tests has assaulted successfully, `charge` if that was a charge, or counts as one for the force in
    the charge (RN3-ASLT-10, RN3-CAV-04). `stood` if a member of its unit has not moved (RN3-SKL-13). `fighters` are
    those of the profile that attack, `att` is their melee ATT. `options` are the house rules.
    """

    assault: bool = False
    charge: bool = False
    stood: bool = False
    fighters: int = 1
    att: int = 0
    options: Mapping[str, str] = {}

    def is_option(self, key: str, value: str) -> bool:
        return self.options.get(f"rn3.{key}") == value


class Trial:
    """A test in the making: who tests what against what, how many dice, which column, what is thrown again.

    `kind` is what is tested: "attack", "defence", "force", "ranged_attack", "ranged_force", "courage", "formation",
    "disengage", "power", "faith", or "force" of something that is nobody's ("blast"). `single` tests gain nothing from
    extra dice and are not halved (RN3-URT-14, -16).
    """

    __slots__ = (
        "_charge_is_sure",
        "_read_as",
        "_replaced",
        "action",
        "action_reasons",
        "against",
        "by",
        "charging",
        "dice",
        "difficulty",
        "difficulty_reasons",
        "earning",
        "extra",
        "failures_again",
        "kind",
        "melee",
        "no_extra",
        "no_help",
        "only_successes_earn",
        "rule",
        "shift",
        "shift_reasons",
        "single",
        "successes_again",
        "toxic",
        "without_skills",
    )

    def __init__(
        self,
        kind: str,
        dice: int,
        action: int,
        difficulty: int,
        rule: str,
        *,
        by: str = "",
        against: str = "",
        single: bool = False,
        sources: tuple[str, str] = ("", ""),
    ) -> None:
        self.kind = kind
        self.rule = rule
        # Units, by their ids, that test and that are tested against; "" for nobody.
        self.by = by
        self.against = against
        self.dice = dice
        self.action = action
        self.difficulty = difficulty
        self.action_reasons: list[Reason] = [Reason(sources[0] or "value", action, rule)]
        self.difficulty_reasons: list[Reason] = [Reason(sources[1] or "difficulty", difficulty, rule)]
        self.single = single
        self.shift = 0
        self.shift_reasons: list[Reason] = []
        self._replaced: Reason | None = None
        self._read_as = PLAIN
        self._charge_is_sure = False
        self.failures_again: list[Reroll] = []
        self.successes_again: list[Reroll] = []
        # Faces besides those of the column that earn an extra die (RN3-SKL-09, -18).
        self.earning: frozenset[int] = frozenset()
        self.only_successes_earn = False
        self.no_extra = False
        # Dice that are thrown with the extra dice, and never again (RN3-SKL-39).
        self.extra = 0
        # A melee test of a unit whose assault was a charge (RN3-ASLT-10), and the fight it belongs to.
        self.charging = False
        self.melee = Melee()
        # Each success of this Force test causes another that needs 5+ (RN3-SKL-47).
        self.toxic = False
        # No skill has a say in it: breaking away from a melee (RN3-DIS-03).
        self.without_skills = False
        # Nothing may improve it for who tests: a Force test against a titan (RN3-TIT-08).
        self.no_help = False

    # -- what changes it ----------------------------------------------------------------------------------------------

    def add(self, amount: int, source: str, rule: str) -> None:
        """Change the action value."""
        if self.no_help and amount > 0:
            return
        self.action += amount
        self.action_reasons.append(Reason(source, amount, rule))

    def harden(self, amount: int, source: str, rule: str) -> None:
        """Change the difficulty."""
        self.difficulty += amount
        self.difficulty_reasons.append(Reason(source, amount, rule))

    def move_column(self, amount: int, source: str, rule: str) -> None:
        """Read so many columns to the right, or to the left if it is below zero; shifts add up (RN3-URT-07)."""
        if self.no_help and amount > 0:
            return
        self.shift += amount
        self.shift_reasons.append(Reason(source, amount, rule))

    def read_as_plain(self, because: SpecialRule) -> None:
        """The column is replaced by the plain 4+ one (RN3-URT-08)."""
        self.read_as(PLAIN, because.title, because.rule)

    def read_as(self, column: int, source: str, rule: str) -> None:
        """The column is replaced by another."""
        self._read_as = column
        self._replaced = Reason(source, 0, rule)

    def more_dice(self, number: int) -> None:
        """Dice that join the first roll and can be thrown again (RN3-URT-10)."""
        self.dice += number

    def retry_failures(self, source: str, rule: str, *, optional: bool = False) -> None:
        self.failures_again.append(Reroll(source, rule, optional))

    def retry_successes(self, source: str, rule: str) -> None:
        self.successes_again.append(Reroll(source, rule))

    def give_charge_bonus(self, rule: str, *, sure: bool = False) -> None:
        """Failures may be thrown again once, before all else that throws them again (RN3-ASLT-10). There is one such
        bonus, whatever it comes from; `sure` is one that nothing denies (RN3-SKL-34)."""
        self._charge_is_sure |= sure
        if not any(again.source == CHARGE for again in self.failures_again):
            self.failures_again.insert(0, Reroll(CHARGE, rule, optional=True))

    def deny_charge_bonus(self) -> None:
        """No bonus of a charge (RN3-SKL-34)."""
        if not self._charge_is_sure:
            self.failures_again = [again for again in self.failures_again if again.source != CHARGE]

    # -- what it needs ------------------------------------------------------------------------------------------------

    @property
    def difference(self) -> int:
        return self.action - self.difficulty

    @property
    def read_column(self) -> int:
        """The column after all shifts, before a skill replaces it; shifts are added up first (RN3-URT-07)."""
        return min(PRIVILEGE, max(DEFI, column_of(self.difference) + self.shift))

    @property
    def column(self) -> int:
        return self._read_as if self._replaced is not None else self.read_column

    @property
    def needed(self) -> int:
        return NEEDED[self.column]

    @property
    def halved(self) -> bool:
        """Successes of the défi column are halved, rounded up (RN3-URT-03)."""
        return self.column == DEFI and not self.single

    @property
    def earns(self) -> frozenset[int]:
        """The faces that give an extra die: sixes, in privilège fours to sixes (RN3-URT-04, -05), and what skills
        add."""
        if self.no_extra or self.single:
            return frozenset()
        added = self.earning
        if self.only_successes_earn:
            added = frozenset(face for face in added if face >= self.needed)
        return (frozenset({4, 5, 6}) if self.column == PRIVILEGE else frozenset({6})) | added

    def why(self) -> tuple[Reason, ...]:
        """Everything that made the column what it is."""
        minus = (Reason(r.source, -r.amount, r.rule) for r in self.difficulty_reasons)
        replaced = (self._replaced,) if self._replaced is not None else ()
        return (*self.action_reasons, *minus, *self.shift_reasons, *replaced)

    def by_face(self) -> Sorting:
        """Failures, failures that earn a die, successes, successes that earn a die."""
        return _sorts(self.needed, self.earns)


def prepare(
    trial: Trial,
    own: tuple[SkillSet, ...] = (),
    other: tuple[SkillSet, ...] = (),
    *,
    by_titan: bool = False,
    against_titan: bool = False,
) -> Trial:
    """Let skills and tactics of both sides change a test: first dice, values and shifts, then the column that is read
    (RN3-URT-08).

    A titan is touched by no skill of an enemy but those that inflict Force tests (RN3-TIT-07); a Force test against it
    earns no dice and nothing improves it (RN3-TIT-08).
    """
    if against_titan:
        own = tuple(map(_on_titans, own))
        if trial.kind in ("force", "ranged_force", "blast"):
            trial.no_extra = trial.no_help = True
    if by_titan:
        other = tuple(map(_on_titans, other))
    at_against(Keyword.before_test, own, other, trial)
    at_against(Keyword.before_test_against, other, own, trial)
    at_against(Keyword.when_column_is_read, own, other, trial)
    at_against(Keyword.when_column_is_read_against, other, own, trial)
    return trial


@lru_cache(maxsize=512)
def _on_titans(skills: SkillSet) -> SkillSet:
    """What of it is at work against a titan: tactics, and skills that inflict Force tests (RN3-TIT-07)."""
    return book.set_of(keyword for keyword in skills if not keyword.skill or keyword.inflicts_force_tests)


@lru_cache(maxsize=512)
def _sorts(needed: int, earns: frozenset[int]) -> Sorting:
    return sorting(tuple(2 * (face >= needed) + (face in earns) for face in range(1, 7)))


class Result(NamedTuple):
    """What came of a test: successes after halving, dice that did not succeed (RN3-URT-17), and the faces that fell,
    those thrown again and extra dice included, in the order of RN3-URT-11."""

    successes: int
    failures: int
    faces: tuple[int, ...] = ()

    @property
    def passed(self) -> bool:
        return self.successes > 0


# The counts of the four sorts of `Trial.by_face`.
Counts = tuple[int, int, int, int]


def first_throw(dice: Dice, trial: Trial) -> Counts:
    """Step 3: the dice of the first roll."""
    return _four(dice.sort(trial.dice, trial.by_face()))


def throw_failures_again(dice: Dice, trial: Trial, counts: Counts) -> Counts:
    """Step 4: every failure of the first roll once more."""
    again = _four(dice.sort(counts[0] + counts[1], trial.by_face()))
    return again[0], again[1], counts[2] + again[2], counts[3] + again[3]


def throw_successes_again(dice: Dice, trial: Trial, counts: Counts) -> Counts:
    """Step 5: every success of the first roll once more."""
    again = _four(dice.sort(counts[2] + counts[3], trial.by_face()))
    return counts[0] + again[0], counts[1] + again[1], again[2], again[3]


def earn_dice(dice: Dice, trial: Trial, counts: Counts) -> Counts:
    """Step 6: extra dice, generation by generation; none of them is ever thrown again (RN3-URT-05, -09)."""
    earning = counts[1] + counts[3]
    if not earning:
        return counts
    failures, successes = dice.earned(earning, _chain(trial.by_face()))
    return counts[0] + failures, counts[1], counts[2] + successes, counts[3]


@lru_cache(maxsize=512)
def _chain(by: Sorting) -> Chain:
    """Dice so sorted that earn dice; failures and successes are counted."""
    earning = tuple(sort for sort in (1, 3) if sort < by.kinds and by.odds[sort])
    return chain(by, earning, (0, 0, 1, 1)[: by.kinds])


def throw(dice: Dice, trial: Trial) -> Result:
    """The whole test without questions: whatever may be thrown again is."""
    if trial.dice + trial.extra <= 0:
        return Result(0, 0)
    start = len(dice.thrown)
    if trial.extra or trial.by_face().kinds < 3:
        counts = first_throw(dice, trial)
        for _ in trial.failures_again:
            if counts[0] + counts[1]:
                counts = throw_failures_again(dice, trial, counts)
        for _ in trial.successes_again:
            if counts[2] + counts[3]:
                counts = throw_successes_again(dice, trial, counts)
        return finish(dice, trial, counts, start)
    # The same in one go, so that counted dice go through few outcomes.
    again = ((0, 1),) * len(trial.failures_again) + ((2, 3),) * len(trial.successes_again)
    by = trial.by_face()
    layers = tuple(tuple(sort for sort in layer if sort < by.kinds) for layer in again)
    failures, successes = dice.earned(trial.dice, _chain(by), layers)
    return _result(dice, trial, successes, failures, start)


def finish(dice: Dice, trial: Trial, counts: Counts, start: int) -> Result:
    """Steps 6 to 8, and the further test of toxic successes; `start` is where its dice begin among all thrown."""
    if trial.extra:
        counts = _sum(counts, _four(dice.sort(trial.extra, trial.by_face())))
    counts = earn_dice(dice, trial, counts)
    return _result(dice, trial, counts[2] + counts[3], counts[0] + counts[1], start)


def _result(dice: Dice, trial: Trial, successes: int, failures: int, start: int) -> Result:
    """Steps 7 and 8: successes, halved in défi (RN3-URT-03), and the dice that did not succeed (RN3-URT-17)."""
    if trial.halved:
        successes = (successes + 1) // 2
    if trial.toxic and successes:
        successes += throw_toxic(dice, trial, successes)
    return Result(successes, failures, tuple(dice.thrown[start:]))


def throw_toxic(dice: Dice, trial: Trial, number: int) -> int:
    """One more die for each success: a Force test like the first, thrown again and earning dice as that one, but for
    the column (RN3-SKL-47)."""
    needed, earns = toxic_needs(trial)
    sorts = _sorts(needed, earns)
    again = tuple(sort for sort in (2, 3) if sort < sorts.kinds)
    return dice.earned(number, _chain(sorts), (again,) * len(trial.successes_again))[1]


def toxic_needs(trial: Trial) -> tuple[int, frozenset[int]]:
    """What a toxic die needs and which faces earn another: always 5+, and sixes and what skills add, unless the first
    test may earn none; where nothing may help who tests, the worse of 5+ and the column counts (RN3-SKL-47,
    RN3-TIT-08)."""
    needed = max(TOXIC, trial.needed) if trial.no_help else TOXIC
    return needed, frozenset() if trial.no_extra or trial.no_help else frozenset({6}) | trial.earning


def _four(counts: tuple[int, ...]) -> Counts:
    a, b, c, d = (*counts, 0, 0, 0, 0)[:4]
    return a, b, c, d


def _sum(one: Counts, other: Counts) -> Counts:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


# -- a test as it is made: with its questions in `attempts` ------------------------------------------------------------


class Attempt:
    """A test that is about to be thrown: whose, and with or against whose characteristic.

    `hero` is the Incarnate with whose characteristic it is made, `target_hero` the one it is made against; only they
    can spend elixir on it (RN3-ELX-05 to -07).
    """

    __slots__ = ("against", "battle", "hero", "target_hero", "trial", "unit")

    def __init__(
        self,
        battle: Battle,
        trial: Trial,
        unit: Unit | None,
        hero: Fighter | None,
        against: Unit | None,
        target_hero: Fighter | None,
    ) -> None:
        self.battle = battle
        self.trial = trial
        self.unit = unit
        self.hero = hero
        self.against = against
        self.target_hero = target_hero

    def add_dice(self, number: int, source: str, rule: str) -> None:
        """Dice that count as extra dice: they are never thrown again (RN3-SKL-39)."""
        self.trial.extra += number
        self.battle.tell(DiceAdded(rule, self.unit.id if self.unit is not None else "", source, number))


def tell(battle: Battle, trial: Trial, result: Result, card: str = "", foe: str = "") -> None:
    """State that a test was made, and what came of it; `card` is the profile that tests, `foe` the one that is tested
    against where its unit is named after another."""
    unit = battle.units.get(trial.by)
    machine = unit.machine if unit is not None else None
    named = (unit.profile.id, machine.profile.id if machine is not None else "") if unit is not None else (card,)
    who = card if card not in named else ""
    battle.tell(
        TestRolled(
            *(trial.rule, trial.kind, trial.by, trial.against, card, trial.dice, trial.column, trial.needed),
            *(result.successes, result.failures, result.faces, trial.why(), who, foe),
        )
    )
