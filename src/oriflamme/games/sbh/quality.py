"""Quality rolls (SBH-GEN-05 to -07): one to three dice, each against the fighter's Quality."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at
from oriflamme.games.sbh.moments import Keyword
from oriflamme.games.sbh.sight import sees_leader
from oriflamme.games.sbh.state import Battle, Fighter

ACTIVATION = ("activation", "group", "scroll")


def target_of(battle: Battle, fighter: Fighter) -> int:
    """His Quality as a target number: printed, or swapped with another's, and worse for each wound and poisoning."""
    printed = fighter.own.quality
    if fighter.id in battle.swapped:
        other = next(id for id in battle.swapped if id != fighter.id)
        printed = battle.units[other].own.quality
    return printed + fighter.wounds + fighter.poison


class QualityRoll:
    """A Quality roll about to be made: what it is about, the target number and what is added to each die.

    `about` is "activation", "group", "scroll", "morale", or what else is resisted: "spell", "fall", "terror", "trap",
    "survival". `sure` dice are not rolled and count as sixes.
    """

    __slots__ = ("about", "bonus", "company", "fighter", "naturals", "options", "reasons", "sure", "target")

    def __init__(
        self, fighter: Fighter, about: str, target: int, options: dict[str, str], company: Sequence[Fighter] = ()
    ) -> None:
        self.fighter = fighter
        self.about = about
        self.target = target
        self.options = options
        self.company = company
        self.bonus = 0
        self.sure = 0
        self.reasons: list[Reason] = [Reason("Quality", target, "SBH-GEN-05")]
        # A natural 1 always fails and a natural 6 always succeeds (SBH-GEN-06).
        self.naturals = about in ACTIVATION or options["sbh.naturalAlways"] == "allQualityRolls"

    def change(self, amount: int, because: AnyKeyword) -> None:
        self.bonus += amount
        self.reasons.append(Reason(because.title, amount, because.rule))

    def change_by(self, amount: int, source: str, rule: str) -> None:
        self.bonus += amount
        self.reasons.append(Reason(source, amount, rule))

    def be_sure(self, because: AnyKeyword) -> None:
        """One of the dice is not rolled, and counts as a six."""
        self.sure = 1
        self.reasons.append(Reason(because.title, 0, because.rule))

    def together(self, kind: type[Keyword]) -> bool:
        """Whether the company rolls as this special rule asks: always, or only if all have it."""
        return self.options["sbh.gregarious"] == "anyGroupRoll" or all(f.keywords.has(kind) for f in self.company)

    @property
    def needed(self) -> int:
        """The lowest face that succeeds; 7 if none does, 1 if all do."""
        face = self.target - self.bonus
        return max(2, min(6, face)) if self.naturals else max(1, min(7, face))

    def throw(self, number: int, dice: Dice) -> list[int]:
        """So many dice; those that are sure are not rolled."""
        sure = min(self.sure, number)
        return [dice.d6() for _ in range(number - sure)] + [6] * sure

    def successes(self, faces: Sequence[int]) -> int:
        """How many succeed. A sure die does so whatever is needed."""
        needed = self.needed
        sure = min(self.sure, len(faces))
        return sure + sum(face >= needed for face in faces[: len(faces) - sure])


def quality_roll(battle: Battle, fighter: Fighter, about: str, company: Sequence[Fighter] = ()) -> QualityRoll:
    """The roll with everything that bears on it: Leader, scars, Place of Power, special rules.

    A scroll is read with its own Quality, and no Leader helps (SBH-ITEM-SCROLL-01).
    """
    if about == "scroll":
        assert fighter.item is not None
        roll = QualityRoll(fighter, about, fighter.item.quality, battle.options)
    else:
        roll = QualityRoll(fighter, about, target_of(battle, fighter), battle.options, company)
        if not fighter.profile.leads and led_by(battle, fighter) is not None:
            roll.change_by(1, "Leader", "SBH-SR-LEADER-01")
    if fighter.hurt:
        roll.change_by(-fighter.hurt, "Hurt", "SBH-CAMP-04")
    if on_place_of_power(battle, fighter):
        roll.change_by(1, "Place of Power", "SBH-SCEN-POWER-02")
    at(Keyword.before_quality_roll, (fighter.keywords,), roll)
    return roll


def led_by(battle: Battle, fighter: Fighter) -> Fighter | None:
    """A Leader who steadies him: within Long, in sight, neither fallen nor transfixed (SBH-SR-LEADER-01 to -05)."""
    side = fighter.side
    for leader in battle.units.values():
        if (
            leader.side == side
            and leader.profile.leads
            and leader is not fighter
            and leader.on_table
            and not leader.helpless
            and battle.within(fighter, leader, "long")
            and sees_leader(battle, fighter, leader)
        ):
            return leader
    return None


def with_leaders(battle: Battle, fighter: Fighter) -> list[Fighter]:
    """Whose special rules may bear on a Quality roll of his: his own, and those of the friends who lead."""
    return [fighter, *(f for f in battle.friends(fighter) if f.profile.leads)]


def on_place_of_power(battle: Battle, fighter: Fighter) -> bool:
    """A Mage who stands with his base centre on the Place of Power (SBH-SCEN-POWER-02)."""
    if not battle.place_of_power or not fighter.profile.casts or fighter.down:
        return False
    return battle.table.piece(battle.place_of_power).outline.contains(fighter.x, fighter.y)
