"""Characteristic tests (TLAOK-DICE, TLAOK-PROF-18): what a die must not exceed, and which dice are rolled again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import Dice, Sorting, sorting
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.regiment.command import led
from oriflamme.games.tlaok.state import Asking, Battle, Effect, Regiment, Stand

# What was bought before the battle never changes a character (TLAOK-REG-07).
_BOUGHT: Final = frozenset({"battle", "officer"})
# Effects that are part of the unmodified value (TLAOK-PROF-14).
LISTED: Final = frozenset({"battle", "officer", "character"})


class Value:
    """A characteristic as it is now, and everything that changed it."""

    __slots__ = ("_added", "_caps", "_set", "base", "reasons", "stat")

    def __init__(self, stat: str, base: int, source: str, rule: str, known: Value | None = None) -> None:
        self.stat = stat
        self.base = base
        self.reasons: list[Reason] = [Reason(source, base, rule)] if known is None else known.reasons[:]
        self._set: int | None = None if known is None else known._set
        self._added: list[Reason] = [] if known is None else known._added[:]
        self._caps: list[int] = [] if known is None else known._caps[:]

    def copy(self) -> Value:
        """The same, to be changed on its own."""
        return Value(self.stat, self.base, "", "", self)

    def add(self, amount: int, source: str, rule: str) -> None:
        """A bonus or penalty."""
        if amount:
            self._added.append(Reason(source, amount, rule))
            self.reasons.append(self._added[-1])

    def change(self, amount: int, because: Keyword) -> None:
        self.add(amount, because.title, because.rule)

    def ignore(self, rule: str) -> None:
        """What that rule adds does not count."""
        self.reasons = [r for r in self.reasons if r.rule != rule or r not in self._added]
        self._added = [r for r in self._added if r.rule != rule]

    def put(self, number: int, source: str, rule: str) -> None:
        """It is this number, before bonuses and penalties; a Defence of 0 for good (TLAOK-PROF-18)."""
        self._set = number
        self.reasons.append(Reason(source, number, rule))

    def cap(self, most: int) -> None:
        """A maximum that came with a bonus holds for all of them (TLAOK-PROF-15)."""
        self._caps.append(most)

    def lay(self, effect: Effect) -> None:
        """What an effect does to it."""
        if effect.set is not None:
            self.put(effect.set, effect.source, effect.rule)
        self.add(effect.add, effect.source, effect.rule)
        if effect.cap is not None:
            self.cap(effect.cap)

    @property
    def number(self) -> int:
        """Set, then added to, then capped, and never below 0."""
        if self._set == 0 and self.stat == "defence":
            return 0
        number = (self._set if self._set is not None else self.base) + sum(r.amount for r in self._added)
        return max(0, min([number, *self._caps]))


def value_of(battle: Battle, regiment: Regiment, stand: Stand, stat: str) -> Value:
    """A characteristic of a stand with the effects that last on it; special rules come at their moments."""
    value = Value(stat, getattr(stand.profile, stat), stat, "TLAOK-PROF-14")
    for effect in effects_on(regiment, stand, stat):
        value.lay(effect)
    for reason in led(stand, stat):
        value.add(reason.amount, reason.source, reason.rule)
    return value


def effects_on(regiment: Regiment, stand: Stand, stat: str) -> Iterator[Effect]:
    """The effects that last on a characteristic of a stand."""
    hero = stand.role == "character"
    for effect in regiment.effects:
        if effect.stat == stat and not (hero and effect.until in _BOUGHT):
            yield effect
    if hero and regiment.character is not None:
        for effect in regiment.character.effects:
            if effect.stat == stat:
                yield effect


def unmodified(regiment: Regiment, stand: Stand, stat: str) -> int:
    """What its list says, with all that was bought (TLAOK-PROF-14). A 0 means it cannot do that at all
    (TLAOK-DICE-08)."""
    value = Value(stat, getattr(stand.profile, stat), stat, "TLAOK-PROF-14")
    for effect in effects_on(regiment, stand, stat):
        if effect.until in LISTED:
            value.lay(effect)
    return value.number


class Again(NamedTuple):
    """Dice to be rolled again: all failures or successes, or only those that show these faces. `optional` if the roller
    may leave them as they are (TLAOK-DICE-13)."""

    source: str
    rule: str
    faces: tuple[int, ...] = ()
    optional: bool = False

    @property
    def full(self) -> bool:
        return not self.faces


class RollTarget:
    """What a die must not exceed (TLAOK-DICE-02 to -05), and which dice are rolled again (-09 to -13).

    A 6 always fails and a 1 always succeeds, but a Defence roll of 1 needs a value of 1 (`certain` is False there).
    """

    __slots__ = ("certain", "failures", "number", "successes")

    def __init__(self, number: int, *, certain: bool = True) -> None:
        self.number = number
        self.certain = certain
        # What lets failures be rolled again, and what forces successes to be.
        self.failures: list[Again] = []
        self.successes: list[Again] = []

    def retry_failures(self, because: Keyword, *faces: int, optional: bool = False) -> None:
        self.failures.append(Again(because.title, because.rule, faces, optional))

    def retry_successes(self, source: str, rule: str, *faces: int) -> None:
        self.successes.append(Again(source, rule, faces))

    def succeeds(self, face: int) -> bool:
        if face == 6:
            return False
        return face <= self.number or (face == 1 and self.certain)

    def rerolls(self, cancel: str) -> tuple[list[Again], list[Again]]:
        """What is left when rules that go against each other have cancelled out (TLAOK-DICE-12)."""
        good, bad = self.failures, self.successes
        if not good or not bad:
            return good, bad
        if cancel == "all":
            return [], []
        full_good, full_bad = [a for a in good if a.full], [a for a in bad if a.full]
        if bool(full_good) == bool(full_bad):
            return [], []
        return (full_good, []) if full_good else ([], full_bad)

    def choice(self, cancel: str) -> tuple[Again, ...]:
        """The re-rolls that the roller may leave; none where others take place anyway and his dice go with them."""
        good, bad = self.rerolls(cancel)
        return tuple(good) if good and not bad and all(a.optional for a in good) else ()

    def plain(self) -> RollTarget:
        """The same without re-rolls."""
        return RollTarget(self.number, certain=self.certain)

    def sorting(self, cancel: str) -> Sorting:
        """Failures, successes, ones that succeed, sixes that fail, ones that fail: five sorts."""
        good, bad = self.rerolls(cancel)
        sorts, again = [], []
        for face in range(1, 7):
            success = self.succeeds(face)
            sorts.append((2 if face == 1 else 1) if success else {6: 3, 1: 4}.get(face, 0))
            rules = bad if success else good
            again.append(any(a.full or face in a.faces for a in rules))
        return sorting(tuple(sorts), tuple(again))

    def why(self, cancel: str) -> tuple[Reason, ...]:
        """The re-rolls that count."""
        good, bad = self.rerolls(cancel)
        return tuple(Reason(a.source, 0, a.rule) for a in (*good, *bad))


class RollResult(NamedTuple):
    """What came of a roll: successes, failures with the sixes among them, natural ones, the faces that stand, and the
    faces that were rolled again."""

    successes: int
    ones: int
    failures: int
    sixes: int
    faces: tuple[int, ...]
    again: tuple[int, ...] = ()


def attempt(dice: Dice, number: int, roll_target: RollTarget, cancel: str) -> RollResult:
    """Roll so many dice against a value; whatever may be rolled again is."""
    by = roll_target.sorting(cancel)
    failed, passed, ones, sixes, blanks = (*dice.sort(number, by), 0, 0, 0, 0)[:5]
    again = tuple(face for face in range(1, 7) if by.again[face - 1])
    return RollResult(passed + ones, ones + blanks, failed + sixes + blanks, sixes, tuple(dice.last), again)


def attempt_and_ask(
    dice: Dice, number: int, roll_target: RollTarget, cancel: str, side: int, about: dict[str, str]
) -> Asking[RollResult]:
    """Roll so many dice; when all have been seen, the roller says whether he takes a re-roll that he need not take
    (TLAOK-DICE-13)."""
    choice = roll_target.choice(cancel)
    if not choice:
        return attempt(dice, number, roll_target, cancel)
    first = attempt(dice, number, roll_target.plain(), cancel)
    full = any(again.full for again in choice)
    wanted = {face for again in choice for face in again.faces}
    kept = [f for f in first.faces if roll_target.succeeds(f) or not (full or f in wanted)]
    again = number - len(kept)
    if not again:
        return first
    options = [Option("yes", "roll_again", {"dice": again}), Option("no", "roll_again", {"dice": again})]
    data = {"regiment": about["regiment"], "because": choice[0].source, "faces": list(first.faces)}
    if (yield from pick_one(side, options, "roll_again", "TLAOK-DICE-13", data)) == "no":
        return first
    second = attempt(dice, again, roll_target.plain(), cancel)
    faces = (*kept, *second.faces)
    passed = sum(map(roll_target.succeeds, faces))
    thrown = tuple(face for face in range(1, 7) if not roll_target.succeeds(face) and (full or face in wanted))
    return RollResult(passed, faces.count(1), number - passed, faces.count(6), faces, thrown)
