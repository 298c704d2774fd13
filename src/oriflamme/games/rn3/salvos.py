"""What is rolled in a shot: attack, saves and force of one salvo (RN3-SHOOT-11 to -13).

A salvo knows the shooters' card, the skills of both sides and the dice, and nothing of the battle, so that odds count
the very same functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from oriflamme.engine.core.dice import Dice, Sorting, sorting
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import at
from oriflamme.games.rn3.moments import Keyword, SkillSet, book
from oriflamme.games.rn3.profile import Profile
from oriflamme.games.rn3.trials import Melee, Trial, prepare

# A die of a save cancels a hit on a 5 or 6; its sixes earn nothing (RN3-FORM-08).
SAVES: Final[Sorting] = sorting((0, 0, 0, 0, 1, 1))


class Save(NamedTuple):
    """One roll of the target that may cancel hits."""

    source: str
    rule: str


class Salvo:
    """The shots of all fighters of one profile at one target (RN3-SHOOT-09)."""

    __slots__ = (
        "att",
        "card",
        "dice",
        "difficulty",
        "force",
        "its_skills",
        "most_losses",
        "options",
        "res",
        "saves",
        "shooters",
        "skills",
        "stood",
        "titan",
    )

    def __init__(
        self,
        card: Profile,
        shooters: int,
        dice: int,
        att: int,
        force: int,
        difficulty: tuple[Reason, ...],
        res: int,
        skills: SkillSet,
        its_skills: SkillSet,
        *,
        scattered: bool = False,
        stood: bool = False,
        titan: bool = False,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.card = card
        self.shooters = shooters
        self.dice = dice
        self.att = att
        self.force = force
        self.difficulty = difficulty
        self.res = res
        self.skills = skills
        self.its_skills = its_skills
        self.stood = stood
        self.titan = titan  # the target is one
        self.options = options or {}
        # How many models it may eliminate at most; None without a limit (RN3-SHOOT-15).
        self.most_losses: int | None = shooters
        # What the target rolls to cancel hits: first because it is dispersed, then by what else protects it
        # (RN3-SHOOT-12).
        self.saves: list[Save] = [Save("dispersed", "RN3-FORM-08")] if scattered else []

    @property
    def is_area(self) -> bool:
        """It is a weapon with a template (RN3-AREA-01)."""
        return self.card.ranged is not None and self.card.ranged.area

    def attack(self, unit: str, target: str) -> Trial:
        """ATT against range and penalties (RN3-SHOOT-11)."""
        trial = Trial(
            "ranged_attack", self.dice, self.att, 0, "RN3-SHOOT-11", by=unit, against=target, sources=("ATT", "")
        )
        trial.difficulty_reasons.clear()
        for reason in self.difficulty:
            trial.harden(reason.amount, reason.source, reason.rule)
        return self.prepared(trial, self.its_skills, against_titan=self.titan)

    def wound(self, unit: str, target: str, hits: int) -> Trial:
        """One die for each hit: FOR of the weapon against RES (RN3-SHOOT-13)."""
        trial = Trial(
            "ranged_force",
            hits,
            self.force_against(titan=self.titan),
            self.res,
            "RN3-SHOOT-13",
            by=unit,
            against=target,
            sources=("FOR", "RES"),
        )
        return self.prepared(trial, self.its_skills, against_titan=self.titan)

    def force_against(self, *, titan: bool) -> int:
        """FOR of the weapon; nothing improves it against a titan (RN3-TIT-08)."""
        printed = self.card.ranged.force if self.card.ranged is not None else self.force
        return min(self.force, printed) if titan else self.force

    def prepared(self, trial: Trial, its_skills: SkillSet, *, against_titan: bool) -> Trial:
        """What skills of both sides make of a test of this salvo; few of them touch a titan (RN3-TIT-07, -08)."""
        trial.melee = self._scene()
        by_titan = self.card.category == "titan"
        return prepare(trial, (self.skills,), (its_skills,), by_titan=by_titan, against_titan=against_titan)

    def _scene(self) -> Melee:
        return Melee(stood=self.stood, fighters=self.shooters, att=self.att, options=self.options)

    def protect(self, tactics: SkillSet = book.empty) -> None:
        """What else protects the target adds its saves, and what the shooters have may lift limits."""
        at(Keyword.when_shooting, (self.skills,), self)
        at(Keyword.when_shot_at, (self.its_skills, tactics), self)


def save_hits(dice: Dice, hits: int) -> tuple[int, tuple[int, ...]]:
    """One die for each hit; each 5 or 6 cancels one: the hits that are left, and the faces (RN3-FORM-08)."""
    if not hits:
        return 0, ()
    saved = dice.sort(hits, SAVES)[1]
    return hits - saved, tuple(dice.last)
