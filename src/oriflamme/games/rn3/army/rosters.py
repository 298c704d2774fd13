"""Companies that are ready for battle: units with their cards and everything they take, as a save holds them."""

from __future__ import annotations

from typing import Any

import msgspec

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems, badly_written, problem_with
from oriflamme.games.rn3.measures import usual_skills
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.powers import Power
from oriflamme.games.rn3.profile import Line, Profile

Names = dict[str, str]


class Combat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of combat of a card: dice for each fighter, ATT and FOR (RN3-CARD-01)."""

    dice: int
    att: int
    force: int
    area: bool = False
    most: int = 0

    def line(self) -> Line:
        return Line(self.dice, self.att, self.force, self.area, self.most)


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reference card of a fighter as data (RN3-CARD): what `Profile` is made of."""

    id: str
    name: Names
    category: str = "infantry"
    rank: int = 1
    base: int = 30
    size: int = 0
    hit_points: int = 0
    power: int = 0
    mou: int = 10
    defence: int = 5
    res: int = 5
    cou: int | None = None
    peu: int | None = None
    melee: Combat = Combat(1, 5, 5)
    ranged: Combat | None = None
    skills: tuple[str, ...] = ()
    role: str = "troop"
    aut: int = 0
    pou: int = 0
    foi: int = 0
    elixir: int = 0
    return_cost: int = 0
    powers: tuple[Power, ...] = ()
    person: str = ""

    def profile(self) -> Profile:
        """The profile of whoever has this card, with the rules of its category as skills (RN3-CAV-02, -04, -05)."""
        skills = [book.parse(text) for text in self.skills]
        for text in usual_skills(self.category, self.role):
            if (skill := book.parse(text)) not in skills:
                skills.append(skill)
        return Profile(
            self.id,
            self.name,
            category=self.category,
            rank=self.rank,
            base=self.base,
            size=self.size,
            hit_points=self.hit_points,
            power=self.power,
            mou=self.mou,
            defence=self.defence,
            res=self.res,
            cou=self.cou,
            peu=self.peu,
            melee=self.melee.line(),
            ranged=self.ranged.line() if self.ranged is not None else None,
            skills=skills,
            role=self.role,
            aut=self.aut,
            pou=self.pou,
            foi=self.foi,
            elixir=self.elixir,
            return_cost=self.return_cost,
            powers=self.powers,
            person=self.person,
        )


class FreeTactic(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tactic that an army list prints for a troop: it costs nothing and is no tactic of chapter 35 (RN3-TACG-05).

    Until the next activation of the unit it has a `skill`, or a characteristic (`stat`) is changed by `amount`.
    """

    id: str
    name: Names
    skill: str = ""
    stat: str = ""
    amount: int = 0


class ListedUnit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit of a company: so many fighters of the base troop, special fighters among them (RN3-UNIT-05), perhaps an
    Incarnate who leads it and a machine it works. `count` is without specials, Incarnate and machine."""

    id: str
    troop: Card
    count: int
    name: Names = {}
    specials: tuple[Card, ...] = ()
    hero: Card | None = None
    machine: Card | None = None
    banner: str = ""
    cost: int = 0
    # Crew that the machine has by its description, without support crew (RN3-WM-08).
    regular_crew: int = 0
    tactics: tuple[FreeTactic, ...] = ()
    # Titanic ability cards by their ids (RN3-TIT-04), and what else its pages need, as plain data.
    abilities: tuple[str, ...] = ()
    more: dict[str, Any] = {}


class Company(msgspec.Struct, frozen=True, omit_defaults=True):
    """An army of one people (RN3-UNIT-04), checked: the agreed points and its units. `elixir` is what artefacts and the
    like add to the reserve it starts with (RN3-ELX-02)."""

    name: Names
    points: int
    units: tuple[ListedUnit, ...]
    faction: str = ""
    story: Names = {}
    elixir: int = 0
    trait: dict[str, Any] = {}

    @property
    def cost(self) -> int:
        return sum(unit.cost for unit in self.units)

    def to_data(self) -> dict[str, Any]:
        """The whole company as plain data, which needs no other file to be read again."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {"game": "rn3", **data}

    @staticmethod
    def from_data(data: object, where: str = "army list") -> Company:
        """The company that `to_data` wrote."""
        try:
            company = msgspec.convert(data, Company)
            for unit in company.units:
                for card in cards_of(unit):
                    card.profile()
        except msgspec.ValidationError as error:
            raise Problems(where, [badly_written(error)]) from None
        except UnknownKeyword as error:
            raise problem_with(where, error.notice, hint=error.hint) from None
        except KeyError as error:
            raise problem_with(where, notice("unknown", word=str(error.args[0]))) from None
        return company


def cards_of(unit: ListedUnit) -> list[Card]:
    """Every card in a unit, each once."""
    more = [card for card in (unit.hero, unit.machine) if card is not None]
    return [unit.troop, *unit.specials, *more]
