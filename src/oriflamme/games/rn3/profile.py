"""What a fighter is: the card of the book (RN3-CARD). Profiles never change during a battle; copies share them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from oriflamme.engine.core.state import key_of
from oriflamme.engine.geometry.shapes import Base, Disc
from oriflamme.games.rn3.measures import CAVALRY, power_of_size, size_of_base, usual_hit_points
from oriflamme.games.rn3.moments import Keyword, SkillSet, book

if TYPE_CHECKING:
    from oriflamme.games.rn3.powers import Power

# The characteristics of a card that a test may use, an effect change or an event name.
CHARACTERISTICS = ("mou", "def", "res", "cou", "peu", "aut", "pou", "foi", "att", "for", "ranged_att", "ranged_for")
# Who somebody is in his unit. Only a "troop" may be named leader where there is one (RN3-LEAD-03).
ROLES = ("troop", "incarnate", "standard", "musician", "mage", "monk", "crew", "machine", "titan", "special")


class Line(NamedTuple):
    """A line of combat of the card: dice for each fighter, ATT and FOR (RN3-CARD-01). `area` is for weapons with a
    template, `most` the longest range in centimetres if the card gives one (RN3-SHOOT-10)."""

    dice: int
    att: int
    force: int
    area: bool = False
    most: int = 0


USUAL_LINE: Final = Line(1, 5, 5)


class Profile:
    """A fighter's card. `id` names the profile: fighters of one id fight and shoot together (RN3-MELEE-06)."""

    def __init__(
        self,
        id: str,
        name: Mapping[str, str],
        *,
        category: str = "infantry",
        rank: int = 1,
        base: int = 30,
        size: int = 0,
        hit_points: int = 0,
        power: int = 0,
        mou: int = 10,
        defence: int = 5,
        res: int = 5,
        cou: int | None = None,
        peu: int | None = None,
        melee: Line = USUAL_LINE,
        ranged: Line | None = None,
        skills: Iterable[Keyword] = (),
        role: str = "troop",
        aut: int = 0,
        pou: int = 0,
        foi: int = 0,
        elixir: int = 0,
        return_cost: int = 0,
        powers: Iterable[Power] = (),
        person: str = "",
    ) -> None:
        self.id = id
        self.name = dict(name)
        self.category = category
        self.rank = rank
        self.diameter = base
        self.base: Base = Disc(base / 2)
        self.size = size or size_of_base(base)
        self.hit_points = hit_points or usual_hit_points(self.size, rank, category)
        self.power = 0 if role == "machine" else power or (3 if category == "titan" else power_of_size(self.size))
        self.mou = mou
        self.defence = defence
        self.res = res
        self.cou = cou
        self.peu = peu
        self.melee = melee
        self.ranged = ranged
        self.skills: SkillSet = book.set_of(skills)
        self.role = role
        self.aut = aut
        self.pou = pou
        self.foi = foi
        self.elixir = elixir
        self.return_cost = return_cost
        self.powers = tuple(powers)
        self.person = person or id

    @property
    def incarnate(self) -> bool:
        return self.role == "incarnate"

    @property
    def machine(self) -> bool:
        return self.role == "machine"

    @property
    def cavalry(self) -> bool:
        return self.category in CAVALRY

    @property
    def mystic(self) -> bool:
        """A magician or one of the faithful (RN3-MYS-01)."""
        return self.pou > 0 or self.foi > 0

    def facts(self) -> list[Any]:
        """All that it is made of."""
        return [
            *(self.id, self.category, self.rank, self.diameter, self.size, self.hit_points, self.power, self.mou),
            *(self.defence, self.res, self.cou, self.peu, list(self.melee), self.ranged and list(self.ranged)),
            *(self.skills, self.role, self.aut, self.pou, self.foi, self.elixir, self.return_cost, self.person),
            [power.id for power in self.powers],
        ]

    def identity(self) -> str:
        return key_of(self)

    def __repr__(self) -> str:
        return f"<{self.id}>"
