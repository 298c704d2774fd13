"""Blows (TLAOK-CLASH-15 to -18, TLAOK-VOLLEY-17 to -20): dice that hit, dice that save, and the wounds that are left.

Nothing in here knows the table: a `Strike` holds what the dice need, so that the same lines play the battle and count
the odds. Clash, impact attacks, volleys, duels and hits without a die all come this way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at_against
from oriflamme.games.tlaok.moments import Keyword, KeywordSet
from oriflamme.games.tlaok.state import Asking
from oriflamme.games.tlaok.trials import RollResult, RollTarget, Value, attempt, attempt_and_ask

# What hits like a Clash (TLAOK-IMPACT-05 leaves impact attacks out), and where Clash is what is rolled against.
MELEE: Final = frozenset({"clash", "duel"})
CLOSE: Final = frozenset({"clash", "duel", "impact"})
BEHIND: Final = frozenset({"left", "right", "rear"})
# A value so high that each natural 1 hits twice (TLAOK-CLASH-16, TLAOK-VOLLEY-18).
MASTERLY: Final = 6
# The highest value that Inspired and Aimed Shot still raise to (TLAOK-SR-INSPIRED-02, TLAOK-SR-AIMEDSHOT-02).
RAISED: Final = 4


class DiceRulings:
    """The house rules that dice have to know."""

    __slots__ = ("cancel", "frontal", "shock_on_impact", "tenacious")

    def __init__(
        self, cancel: str = "all", frontal: str = "add", tenacious: str = "pool", *, shock_on_impact: bool = True
    ) -> None:
        self.cancel = cancel
        self.frontal = frontal
        self.tenacious = tenacious
        self.shock_on_impact = shock_on_impact


class Struck:
    """Who is struck: his Defence and Evasion, his special rules, and where the blows come from.

    `face` is "front", "left", "right" or "rear"; "" in a garrison and in a duel, which know no faces. `kind` is the
    type of his regiment, "" in a duel.
    """

    __slots__ = ("blessed", "defence", "evasion", "face", "kind", "rules", "side")

    def __init__(
        self,
        side: int,
        defence: Value,
        evasion: Value,
        rules: KeywordSet,
        face: str = "",
        kind: str = "",
    ) -> None:
        self.side = side
        self.defence = defence
        self.evasion = evasion
        self.rules = rules
        self.face = face
        self.kind = kind
        # Whether he has said that he rolls failed defence rolls again (TLAOK-SR-BLESSED-01).
        self.blessed = False


class DefenceRoll:
    """A throw of defence dice against hits that meet the same values."""

    __slots__ = ("deadly", "defence", "evasion", "hits", "roll_target", "saved", "tested", "why")

    def __init__(self, hits: int, defence: int, evasion: int, roll_target: RollTarget, why: tuple[Reason, ...]) -> None:
        self.hits = hits
        self.defence = defence
        self.evasion = evasion
        self.roll_target = roll_target
        self.why = why
        self.tested = RollResult(0, 0, hits, 0, ())
        # Failed sixes that wound twice, and failed dice that count as successes: how many wounds that spares.
        self.deadly = False
        self.saved = 0

    @property
    def wounds(self) -> int:
        return self.tested.failures + (self.tested.sixes if self.deadly else 0) - self.saved

    def spare(self, because: SpecialRule) -> None:
        """One failed die counts as a success, the worst of them (TLAOK-SR-TENACIOUS-01)."""
        if self.tested.failures:
            self.saved += 2 if self.deadly and self.tested.sixes else 1
            self.why = (*self.why, Reason(because.title, 0, because.rule))


class Strike:
    """Dice of one value on their way from the hit roll to the wounds (TLAOK-DICE-15).

    `kind` is "clash", "impact", "volley", "duel", "spell", or "hits" for those that benefit from nothing. `hero` if a
    character strikes. `charged` if his regiment has charged home this round, `effective` at effective range,
    `uninspired` if he cannot benefit from Inspired; `shallow` is how low water may bring his Clash (TLAOK-ZONE-25).
    """

    __slots__ = (
        "_aimed",
        "_defence_bonuses",
        "_doubled",
        "_inspired",
        "_pierced",
        "_sharp",
        "answered",
        "arcing",
        "attacks",
        "blessed",
        "blunted",
        "charged",
        "deadly",
        "defence",
        "defence_rolls",
        "effective",
        "evasion",
        "extra",
        "hero",
        "hits",
        "house",
        "kind",
        "ones",
        "roll_target",
        "rolled",
        "rules",
        "saving",
        "shallow",
        "side",
        "spared",
        "struck",
        "uninspired",
        "value",
    )

    def __init__(
        self,
        kind: str,
        side: int,
        attacks: int,
        value: Value | None,
        rules: KeywordSet,
        struck: Struck,
        house: DiceRulings,
        *,
        hero: bool = False,
        charged: bool = False,
        effective: bool = False,
        uninspired: bool = False,
        shallow: int | None = None,
    ) -> None:
        self.kind = kind
        self.side = side
        self.attacks = attacks
        self.value = value
        self.rules = rules
        self.struck = struck
        self.house = house
        self.hero = hero
        self.charged = charged
        self.effective = effective
        self.uninspired = uninspired
        self.shallow = shallow
        # Shot over the heads of others (TLAOK-SR-ARCINGFIRE); failed hit rolls are declared to be rolled again.
        self.arcing = False
        self.blessed = False
        self.roll_target = RollTarget(0)
        self.hits = attacks if value is None else 0
        self.ones = 0
        self.rolled: RollResult | None = None
        self.extra: list[Reason] = []
        self.defence = struck.defence
        self.evasion = struck.evasion
        self.saving = RollTarget(0, certain=False)
        self.blunted = 0
        self.deadly: SpecialRule | None = None
        self.spared: SpecialRule | None = None
        # Who answers natural ones of the defence with hits (TLAOK-SR-COUNTERATTACK).
        self.answered: SpecialRule | None = None
        self.defence_rolls: list[DefenceRoll] = []
        self._doubled = False
        self._inspired: SpecialRule | None = None
        self._aimed: SpecialRule | None = None
        self._sharp: SpecialRule | None = None
        self._pierced: list[tuple[int, SpecialRule]] = []
        self._defence_bonuses: list[tuple[int, SpecialRule]] = []

    @property
    def behind(self) -> bool:
        """Against a flank or the rear."""
        return self.struck.face in BEHIND

    # -- what special rules do to the hit roll -------------------------------------------------------------------------

    def ease(self, amount: int, because: SpecialRule) -> None:
        """A bonus to Clash or Volley, or a penalty."""
        if self.value is not None:
            self.value.change(amount, because)

    def try_again(self, because: SpecialRule, *faces: int, optional: bool = False) -> None:
        """Failed hit rolls are rolled again, or only those of these faces."""
        self.roll_target.retry_failures(because, *faces, optional=optional)

    def refuse_faces(self, because: SpecialRule, *faces: int) -> None:
        """Successful hit rolls must be rolled again."""
        self.roll_target.retry_successes(because.title, because.rule, *faces)

    def dishearten(self, because: SpecialRule) -> None:
        """Nothing comes of Inspired."""
        self.uninspired = True

    def inspire(self, because: SpecialRule, *, always: bool = False) -> None:
        """It strikes Inspired, unless something forbids it; `always` where nothing can."""
        if self.kind in MELEE and (always or not self.uninspired) and self._inspired is None:
            self._inspired = because
            self._raise(because)

    def aim(self, because: SpecialRule) -> None:
        """It shoots with Aimed Shot."""
        if self.kind == "volley" and self._aimed is None:
            self._aimed = because
            self._raise(because)

    def _raise(self, because: SpecialRule) -> None:
        """One more, judged after everything else; where that would be 5 or more sixes may be rolled again instead."""
        if self.value is not None:
            if self.value.number + 1 <= RAISED:
                self.value.change(1, because)
            else:
                self.try_again(because, 6, optional=True)

    def double_ones(self, source: str, rule: str) -> None:
        """Each hit roll of 1 is one more hit; a character's shots do not benefit (TLAOK-SR-RAPIDVOLLEY-01)."""
        if not self._doubled and not (self.kind == "volley" and self.hero):
            self._doubled = True
            self.add_hits(self.ones, source, rule)

    def add_hits(self, number: int, source: str, rule: str) -> None:
        """More hits, without a die of their own (TLAOK-SR-GEN-04)."""
        if number:
            self.hits += number
            self.extra.append(Reason(source, number, rule))

    # -- and to the defence roll ---------------------------------------------------------------------------------------

    def sharpen_ones(self, because: SpecialRule) -> None:
        """Hits of a natural 1 meet Defence 0."""
        self._sharp = because

    def pierce(self, amount: int, because: SpecialRule) -> None:
        """The hits meet that much less Defence."""
        self._pierced.append((amount, because))

    def blunt(self, amount: int) -> None:
        """Whatever pierces does so by that much less."""
        self.blunted = max(self.blunted, amount)

    def shield(self, amount: int, because: SpecialRule) -> None:
        """A bonus to Defence against hits from the front arc, which garrisons do not have; in a duel for who has it."""
        if self.kind == "duel" or self.struck.face == "front":
            self._defence_bonuses.append((amount, because))

    def save_again(self, because: SpecialRule, *faces: int) -> None:
        """Failed defence rolls are rolled again, or only those of these faces."""
        self.saving.retry_failures(because, *faces)

    def answer_ones(self, because: SpecialRule) -> None:
        """Natural ones of the defence strike back."""
        self.answered = because

    # -- the stages ----------------------------------------------------------------------------------------------------

    def set_hit_target(self) -> None:
        """What the dice must not exceed, by everything that changes it; Inspired and Aimed Shot look at the rest."""
        assert self.value is not None
        at_against(Keyword.before_hitting, (self.rules,), (self.struck.rules,), self)
        at_against(Keyword.when_struck, (self.struck.rules,), (self.rules,), self)
        if self.shallow is not None and self.kind in CLOSE and self.value.number > self.shallow:
            self.value.add(-1, "water", "TLAOK-ZONE-25")
        at_against(Keyword.last_before_hitting, (self.rules,), (self.struck.rules,), self)
        self.roll_target.number = self.value.number

    def take_hits(self, tested: RollResult) -> None:
        """The dice are down."""
        assert self.value is not None
        self.rolled = tested
        self.hits = tested.successes
        self.ones = tested.ones
        at_against(Keyword.after_hitting, (self.rules,), (self.struck.rules,), self)
        if self.value.number >= MASTERLY and self.kind in MELEE:
            self.double_ones("clash", "TLAOK-CLASH-16")
        elif self.value.number >= MASTERLY and self.kind == "volley":
            self.double_ones("volley", "TLAOK-VOLLEY-18")

    def set_defence(self) -> None:
        """What the hits meet: Defence with all that changes it, and Evasion, which nothing pierces (TLAOK-PROF-13)."""
        self.defence, self.evasion = self.struck.defence.copy(), self.struck.evasion.copy()
        self._pierced, self._defence_bonuses = [], []
        self.saving = RollTarget(0, certain=False)
        at_against(Keyword.before_defending, (self.rules,), (self.struck.rules,), self)
        at_against(Keyword.when_defending, (self.struck.rules,), (self.rules,), self)
        bonuses = self._defence_bonuses
        if self.house.frontal == "best" and bonuses:
            bonuses = [max(bonuses, key=lambda bonus: bonus[0])]
        for amount, rule in bonuses:
            self.defence.change(amount, rule)
        for amount, rule in self._pierced:
            self.defence.change(-max(0, amount - self.blunted), rule)
        self._make_defence_rolls()

    def _make_defence_rolls(self) -> None:
        """Hits that meet Defence 0 are apart from the rest (TLAOK-SR-FLAWLESSSTRIKES-01)."""
        sharp = self.ones if self._sharp is not None else 0
        self.defence_rolls = []
        if self.hits > sharp:
            self.defence_rolls.append(self._defence_roll(self.hits - sharp, self.defence))
        if sharp and self._sharp is not None:
            bare = self.defence.copy()
            bare.put(0, self._sharp.title, self._sharp.rule)
            self.defence_rolls.append(self._defence_roll(sharp, bare))

    def _defence_roll(self, hits: int, defence: Value) -> DefenceRoll:
        best = max(defence.number, self.evasion.number)
        roll_target = RollTarget(best, certain=False)
        roll_target.failures, roll_target.successes = self.saving.failures, self.saving.successes
        why = (
            *defence.reasons,
            *(self.evasion.reasons if self.evasion.number else ()),
            *roll_target.why(self.house.cancel),
        )
        guard = DefenceRoll(hits, defence.number, self.evasion.number, roll_target, why)
        guard.deadly = self.deadly is not None
        return guard

    def looked_at(self, guard: DefenceRoll) -> bool:
        """Whether dice are thrown for it: where nothing can be saved, only if a rule looks at their faces
        (TLAOK-VOLLEY-20)."""
        return guard.roll_target.number > 0 or self.deadly is not None or self.answered is not None

    @property
    def wounds(self) -> int:
        return sum(guard.wounds for guard in self.defence_rolls)

    @property
    def answers(self) -> int:
        """Hits that natural ones of the defence strike back with."""
        return sum(guard.tested.ones for guard in self.defence_rolls) if self.answered is not None else 0


def roll_to_hit(strike: Strike, dice: Dice) -> None:
    """One die for each attack, every re-roll taken: for odds, and where nobody is asked."""
    if strike.value is None:
        return
    strike.set_hit_target()
    strike.take_hits(attempt(dice, strike.attacks, strike.roll_target, strike.house.cancel))


def roll_to_hit_and_ask(strike: Strike, dice: Dice, about: dict[str, str]) -> Asking[None]:
    """One die for each attack, equal to or below Clash or Volley (TLAOK-CLASH-15, TLAOK-VOLLEY-17)."""
    if strike.value is None:
        return
    strike.set_hit_target()
    tested = yield from attempt_and_ask(
        dice, strike.attacks, strike.roll_target, strike.house.cancel, strike.side, about
    )
    strike.take_hits(tested)


def roll_to_defend(strikes: Sequence[Strike], dice: Dice) -> int:
    """One die for each hit, equal to or below Defence or Evasion; the wounds of the whole pool (TLAOK-VOLLEY-19)."""
    for strike in strikes:
        strike.set_defence()
        for guard in strike.defence_rolls:
            if strike.looked_at(guard):
                guard.tested = attempt(dice, guard.hits, guard.roll_target, strike.house.cancel)
    return wounds_of(strikes)


def wounds_of(strikes: Sequence[Strike]) -> int:
    """The wounds of a pool whose defence dice are down.

    Tenacious spares one failed die of the pool, the one that would hurt most, or one of each group of dice.
    """
    spared = [
        (guard, strike.spared) for strike in strikes if strike.spared is not None for guard in strike.defence_rolls
    ]
    if spared and strikes[0].house.tenacious == "pool":

        def worst(item: tuple[DefenceRoll, SpecialRule]) -> tuple[bool, bool]:
            return item[0].deadly and item[0].tested.sixes > 0, item[0].tested.failures > 0

        spared = [max(spared, key=worst)]
    for guard, because in spared:
        guard.spare(because)
    return sum(strike.wounds for strike in strikes)
