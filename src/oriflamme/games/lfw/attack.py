"""One attack, from the hit or combat roll to the number of wounds (LFW-ATK). It knows its dice and no battle, so that
odds count the very same functions; `attacks.py` makes attacks from a battle.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.steps import Asking
from oriflamme.games.lfw.moments import Keyword, RuleSet
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.rolls import Judge, Outcome, Rerolls, Throw, roll_test, successes_in
from oriflamme.games.lfw.state import Model, Part
from oriflamme.games.lfw.values import Sum

CRITICAL = 2  # LFW-ATK-14


class Rulings(NamedTuple):
    """House rules that bear on attacks."""

    fate_six_is_critical: bool = False  # lfw.fateSixIsCritical
    criticals_once: bool = False  # lfw.rangedCriticals
    fate_last: bool = True  # lfw.fateLast
    guard_floor: int | None = 0  # lfw.parryDodgeFloor
    classic_by_role: bool = False  # lfw.classicCavalry


class Attack:
    """One blow or set of blows by one unit against one target (LFW-ATK-01). Special rules change it before the dice.

    `number` is the Attack value: how many hit rolls a ranged attack makes, and what counts for saturation in melee.
    `guard` is dodge or parry; `bonus` are the external modifiers; `multiple`, `magic` and `weak` change the number of
    wounds (LFW-ATK-20).
    """

    __slots__ = (
        "against",
        "attacker",
        "bonus",
        "charged",
        "cover",
        "critical",
        "critical_adds",
        "defence",
        "defence_bonus",
        "distance",
        "extra",
        "flaming",
        "from_melee",
        "guard",
        "guarding",
        "kind",
        "magic",
        "may_be_critical",
        "model",
        "multiple",
        "number",
        "on_the_move",
        "one_hits",
        "outcomes",
        "piercing",
        "range",
        "rerolls",
        "rulings",
        "saturates",
        "saved",
        "saving",
        "sets",
        "side",
        "six_is_critical",
        "skill",
        "strength",
        "target",
        "target_model",
        "target_sets",
        "times",
        "weak",
        "weapon",
    )  # fmt: skip

    def __init__(
        self,
        kind: Literal["ranged", "melee", "hit"],
        *,
        side: int,
        attacker: Part | None,
        model: Model | None,
        target: Part,
        target_model: Model,
        weapon: Weapon | None,
        skill: int,
        guard: int,
        number: int,
        strength: int,
        defence: int,
        rulings: Rulings,
        sets: tuple[RuleSet, ...] = (),
        target_sets: tuple[RuleSet, ...] = (),
        distance: float = 0.0,
    ) -> None:
        self.kind = kind
        self.side = side
        self.attacker = attacker
        self.model = model
        self.target = target
        self.target_model = target_model
        self.weapon = weapon
        self.rulings = rulings
        self.sets = sets
        self.target_sets = target_sets
        # Inches between them; whether the attacker has charged this turn (LFW-CHG-18); dodge of the cover, if any.
        self.distance = distance
        self.charged = model is not None and model.charged
        self.cover: int | None = None
        # A ranged attack that is made in a combat (LFW-SR-EQP-19, LFW-SR-BLD-06): its wounds wait.
        self.from_melee = False
        self.skill = Sum(skill)
        self.guard = Sum(guard, floor=rulings.guard_floor)
        # Whose dodge or parry that is: of a duo that is shot at always the mount's (LFW-CAV-07).
        self.guarding = target
        # What the attacker's rules change about it, which cover does not undo (LFW-TERR-14, LFW-SHA-07).
        self.against: list[Reason] = []
        self.bonus = Sum()
        self.number = Sum(number, floor=0)
        # Inches it can shoot, and whether it shoots after a move that others do not shoot after (LFW-SHA-04, -06).
        self.range = (weapon.range or 0.0) if weapon is not None else 0.0
        self.on_the_move = False
        # A pair of weapons: all of that so many times (LFW-SR-EQP-17).
        self.times = 1
        self.strength = Sum(strength)
        self.defence = Sum(defence)
        self.defence_bonus = Sum()
        self.rerolls = {what: Rerolls() for what in ("hit", "combat", "defence", "protection")}
        self.critical = Sum(CRITICAL)
        self.may_be_critical = True
        self.critical_adds = True
        self.six_is_critical = False
        self.one_hits = False
        # Saturation helps it (LFW-MEL-15), unless a rule of the target forbids that (LFW-SR-EQP-02).
        self.saturates = True
        # More hit rolls that the first ones have earned: how many, and the modifier of each.
        self.extra: list[tuple[int, int]] = []
        self.multiple = 0
        self.magic = False
        self.weak = 0
        self.piercing = False
        self.flaming = False
        self.outcomes: list[Outcome] = []
        self.saved: Outcome | None = None
        self.saving = 0

    @property
    def roll(self) -> str:
        """What its dice are called."""
        return "combat" if self.kind == "melee" else "hit"

    @property
    def own_weapon(self) -> bool:
        """It is made with a weapon that the attacker has, not by a spell or an impact."""
        weapon, attacker = self.weapon, self.attacker
        return weapon is not None and attacker is not None and any(own.id == weapon.id for own in attacker.weapons)

    @property
    def successes(self) -> int:
        return successes_in(self.outcomes)

    def make_precise(self, number: int, because: Keyword) -> None:
        """Critical hits need so much less; of several such rules the best counts (LFW-SR-EQP-23, LFW-SR-GEN-04)."""
        if number > -self.critical.changes:
            self.critical.restart(self.critical.base, [Reason(because.title, -number, because.rule)])

    @property
    def criticals(self) -> int:
        return sum(outcome.critical for outcome in self.outcomes)

    @property
    def hits(self) -> bool:
        """It hits: the target makes one defence test (LFW-ATK-06, -11). A hit that a rule imposes always does
        (LFW-ATK-02)."""
        return self.kind == "hit" or self.successes > 0

    @property
    def force(self) -> int:
        """The strength against which the target defends: +1 for each successful hit roll after the first
        (LFW-ATK-07) and for each critical hit (LFW-ATK-16)."""
        criticals = self.criticals if self.critical_adds else 0
        if self.kind == "ranged":
            criticals = min(criticals, 1) if self.rulings.criticals_once else criticals
            return self.strength.value + max(0, self.successes - 1) + criticals
        return self.strength.value + criticals

    @property
    def pierces(self) -> bool:
        """No protection cancels its wounds (LFW-SR-EQP-18)."""
        return self.piercing and self.criticals > 0

    @property
    def needed(self) -> int:
        """The natural result a hit or combat roll needs, fate aside."""
        return self.skill.value + self.guard.value - self.bonus.value

    def facts(self) -> dict[str, object]:
        """What it is made of, for whoever is asked about it before it is rolled."""
        return {
            "by": self.attacker.id if self.attacker is not None else "",
            "weapon": self.weapon.id if self.weapon is not None else "",
            "rolls": self.number.value * self.times,
            "skill": self.skill.value,
            "bonus": self.bonus.value,
            "strength": self.strength.value,
            "critical": self.may_be_critical,
        }

    # -- judging dice --------------------------------------------------------------------------------------------------

    def judge(self, face: int, modifier: int = 0) -> Outcome:
        """A hit or combat roll: a natural 6 always succeeds, a natural 1 never (LFW-ATK-05, -10, -12 to -15)."""
        result = face - self.guard.value + self.bonus.value + modifier
        needed = self.skill.value
        reached = result >= needed
        success = (face == 6 or reached) and (face != 1 or self.one_hits)
        by_fate = success and not reached
        critical = success and self.may_be_critical and result >= needed + self.critical.value
        if success and self.may_be_critical and face == 6:
            critical |= self.six_is_critical or (by_fate and self.rulings.fate_six_is_critical)
        return Outcome(face, result, success, critical, success and result == needed)

    def judge_defence(self, face: int) -> Outcome:
        """A defence test; a natural 1 counts as failed (LFW-ATK-18, -20 b)."""
        result = face - self.force + self.defence_bonus.value
        success = result >= self.defence.value and face != 1
        return Outcome(face, result, success, False, success and result == self.defence.value)

    def count_wounds(self, test: Outcome) -> int:
        """How many wounds a defence test leaves, in the order of LFW-ATK-20."""
        difference = max(0, self.defence.value - test.result)
        if test.face == 1:
            difference = max(1, difference)
        if not self.rulings.fate_last and test.face == 6:
            difference = max(0, difference - 1)
        wounds = difference
        if not test.success:
            wounds += self.multiple
        if self.magic and test.result < self.defence.value + 2:
            wounds += 1
        wounds = max(0, wounds - self.weak)
        if not self.rulings.fate_last:
            return wounds
        if test.face == 6:
            wounds = max(0, wounds - 1)
        return max(1, wounds) if test.face == 1 else wounds

    def copy(self) -> Attack:
        """The same attack, for dice of its own: odds roll one again and again."""
        twin: Attack = Attack.__new__(Attack)
        for slot in self.__slots__:
            value = getattr(self, slot)
            setattr(twin, slot, value.copy() if isinstance(value, Sum | list) else value)
        twin.rerolls = {what: rerolls.copy() for what, rerolls in self.rerolls.items()}
        return twin

    def signature(self) -> tuple[object, ...]:
        """All that the number of its wounds hangs on: attacks that are alike in it have the same law."""
        sums = (self.skill, self.guard, self.bonus, self.number, self.strength, self.defence, self.defence_bonus)
        earned = [str(rule) for held in self.sets for rule in held.changing(Keyword.after_hit_rolls)]
        cancelled = [str(rule) for held in self.target_sets for rule in held.changing(Keyword.before_wounds)]
        forced = self.rerolls["protection"]
        return (
            self.kind,
            self.times,
            tuple([each.value for each in sums]),
            tuple([self.rerolls[what].kind for what in ("hit", "combat", "defence")]),
            (forced.impertinent, forced.impetuous, self.critical.value, self.may_be_critical, self.critical_adds),
            (self.six_is_critical, self.one_hits, self.multiple, self.magic, self.weak, self.piercing, self.flaming),
            (self.rulings, tuple(earned), tuple(cancelled), tuple(self.extra)),
        )

    def take_hits(self, other: Attack) -> None:
        """The hits of another attack fall on this one's target (LFW-CAV-08)."""
        self.outcomes = list(other.outcomes)
        self.may_be_critical = other.may_be_critical
        self.piercing = other.piercing


def roll_to_hit(attack: Attack, throw: Throw) -> Asking[None]:
    """Hit rolls, as many as the Attack value (LFW-ATK-04), or one combat roll (LFW-ATK-09), with re-rolls; and those
    that they earn."""
    if attack.kind == "hit":
        return
    number = attack.number.value * attack.times if attack.kind == "ranged" else 1
    unit = attack.attacker.id if attack.attacker is not None else ""
    rerolls = attack.rerolls[attack.roll]
    attack.outcomes = yield from roll_test(throw, attack.side, number, attack.roll, attack.judge, rerolls, unit)
    at(Keyword.after_hit_rolls, attack.sets, attack)
    for more, modifier in attack.extra:
        judge = _with_modifier(attack, modifier)
        attack.outcomes += yield from roll_test(throw, attack.side, more, attack.roll, judge, rerolls, unit)
    attack.extra = []


def _with_modifier(attack: Attack, modifier: int) -> Judge:
    return lambda face: attack.judge(face, modifier)


def roll_defence(attack: Attack, throw: Throw) -> Asking[int]:
    """One defence test against the whole attack, and the wounds it leaves (LFW-ATK-06, -18 to -22)."""
    target, rerolls = attack.target, attack.rerolls["defence"]
    (attack.saved,) = yield from roll_test(
        throw, target.side, 1, "defence", attack.judge_defence, rerolls, target.id, attack.count_wounds
    )
    attack.saving = attack.count_wounds(attack.saved)
    return attack.saving
