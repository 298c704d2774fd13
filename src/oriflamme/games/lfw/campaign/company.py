"""An army through a campaign: its units one by one, and what their specialists have learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from oriflamme.games.lfw.army.cards import Enlisted, Warband
from oriflamme.games.lfw.army.offers import open_skills
from oriflamme.games.lfw.specialists import HIGHEST, SKILLS

LETTERS: Final = "abcde"  # as `setup` numbers the units of each side
PRICE: Final = 3  # experience for each number of the level that is reached (LFW-CAMP-08)


class Member(msgspec.Struct):
    """A unit, by the id it has on the table; `earned` and `spent` experience, if it is a specialist."""

    id: str
    unit: Enlisted
    earned: int = 0
    spent: int = 0

    @property
    def left(self) -> int:
        return self.earned - self.spent

    @property
    def price(self) -> int:
        """What its next level costs (LFW-CAMP-08)."""
        return PRICE * (self.unit.level + 1)

    @property
    def may_rise(self) -> bool:
        """It is a specialist below the highest level, can pay the next one, and has a skill left to learn."""
        able = bool(self.unit.specialisation) and self.unit.level < HIGHEST and self.left >= self.price
        return able and any(True for _ in self.lessons())

    def lessons(self) -> Iterator[str]:
        """Skills of its next level or a lower one that it does not have yet (LFW-SPEC-04)."""
        known = {skill.partition("(")[0] for skill in self.unit.skills}
        levels = SKILLS[self.unit.specialisation]
        for skill in open_skills(self.unit.expert, self.unit.specialisation):
            title = skill.partition("(")[0]
            if title not in known and levels[title] <= self.unit.level + 1:
                yield skill

    def rise(self, skill: str) -> None:
        self.spent += self.price
        skills = (*self.unit.skills, skill)
        self.unit = msgspec.structs.replace(self.unit, level=self.unit.level + 1, skills=skills)


class Company(msgspec.Struct):
    """An army in a campaign, and the battles it has won."""

    army: Warband
    members: list[Member]
    won: int = 0

    @property
    def name(self) -> Mapping[str, str]:
        return self.army.name

    def member(self, id: str) -> Member:
        return next(member for member in self.members if member.id == id)

    def for_battle(self) -> dict[str, Any]:
        """The army as a battle takes it: every unit for itself, in the order of their ids."""
        return msgspec.structs.replace(self.army, troops=tuple(member.unit for member in self.members)).to_data()

    def copy(self) -> Company:
        return msgspec.convert(msgspec.to_builtins(self), Company)


def muster(data: Mapping[str, Any], side: int) -> Company:
    """The army that a side begins a campaign with."""
    army = msgspec.convert(data, Warband)
    units = [msgspec.structs.replace(troop, count=1) for troop in army.troops for _ in range(troop.count)]
    members = [Member(f"{LETTERS[side]}{number}", unit) for number, unit in enumerate(units, 1)]
    return Company(army, members)
