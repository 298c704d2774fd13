"""What a company may be (RN3-ARMY): each limit an object that cites its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from oriflamme.engine.lists.checking import Limit, Terms, WithinPoints
from oriflamme.engine.lists.fields import Names
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem
from oriflamme.games.rn3.army.companies import Attribute, Banner, Hero, Special, Troop
from oriflamme.games.rn3.army.prices import SUPPORT_CREW


@dataclass(frozen=True)
class Chosen:
    """A unit of a list in the making: the troop, how many, and what it takes. `where` is its place in the list."""

    troop: Troop
    count: int
    specials: tuple[Special, ...] = ()
    hero: Hero | None = None
    attributes: tuple[Attribute, ...] = ()
    banner: Banner | None = None
    crew: int = 0
    name: Names = field(default_factory=lambda: MappingProxyType({}))
    where: str = ""

    @property
    def fighters(self) -> int:
        """Those of the troop, special ones among them: none where an Incarnate is a unit on his own (RN3-UNIT-02)."""
        return 0 if self.troop.alone else self.count

    @property
    def cost(self) -> int:
        """Its fighters, the machine, who is special among them, the Incarnate (RN3-ARMY-04) and support crew at 40 PA
        each (RN3-WM-07). What an Incarnate carries is within his allowance and costs nothing more."""
        cost = self.troop.cost * self.fighters + self.troop.machine_cost + sum(one.cost for one in self.specials)
        return cost + (self.hero.cost if self.hero is not None else 0) + self.crew * SUPPORT_CREW

    @property
    def models(self) -> int:
        return self.fighters + self.crew + (self.hero is not None) + (self.troop.machine is not None)


def why_not_lead(hero: Hero, troop: Troop) -> Problem | None:
    """Champions lead one troop only (RN3-ARMY-05); nobody leads a machine or a titan."""
    if hero.champion_of and hero.champion_of != troop.id:
        what = notice("champion_of_others", hero=hero.id, troop=hero.champion_of)
        return Problem("take", what, "RN3-ARMY-05", notice("put_him_with", troop=hero.champion_of))
    if troop.machine is not None or troop.card.category == "titan":
        return Problem("take", notice("leads_no_machine", hero=hero.id), "RN3-ARMY-04", notice("put_him_elsewhere"))
    return None


def why_not_attribute(hero: Hero | None, attribute: Attribute) -> Problem | None:
    """Only Incarnates carry attributes; rituals are for magicians, litanies for the faithful, of their own path or cult
    and element or aspect, or universal (RN3-ARMY-06, -07)."""
    what = attribute.id
    if hero is None:
        return Problem("take", notice("attribute_without_incarnate", attribute=what), "RN3-ARMY-06")
    if attribute.only_for and hero.id not in attribute.only_for:
        return Problem("take", notice("attribute_not_his", attribute=what, hero=hero.id), "RN3-ARMY-06")
    power = attribute.power
    if power is None or power.kind == "artefact":
        return None
    able = hero.card.foi if power.faithful else hero.card.pou
    if not able:
        if power.faithful:
            return Problem("take", notice("no_faithful", attribute=what, hero=hero.id), "RN3-ARMY-07")
        return Problem("take", notice("no_magician", attribute=what, hero=hero.id), "RN3-ARMY-07")
    if power.origin not in ("universal", hero.id, hero.cult if power.faithful else hero.path):
        return Problem(
            "take", notice("of_another_path", attribute=what, hero=hero.id, origin=power.origin), "RN3-ARMY-07"
        )
    if power.school != "universal" and power.school not in hero.schools:
        return Problem(
            "take", notice("of_another_school", attribute=what, hero=hero.id, school=power.school), "RN3-ARMY-07"
        )
    return None


class HasIncarnate(Limit[Chosen]):
    """A company contains at least one Incarnate (RN3-ARMY-03, RN3-CMD-01)."""

    rule = "RN3-ARMY-03"

    def problems(self, units: Sequence[Chosen], terms: Terms) -> Iterator[Problem]:
        if units and not any(unit.hero is not None for unit in units):
            yield self.broken("units", notice("no_incarnate"), notice("take_an_incarnate"))


class IncarnatesOnce(Limit[Chosen]):
    """Each Incarnate is unique, even if he has two profiles (RN3-ARMY-03)."""

    rule = "RN3-ARMY-03"

    def problems(self, units: Sequence[Chosen], terms: Terms) -> Iterator[Problem]:
        persons = Counter(unit.hero.card.person or unit.hero.id for unit in units if unit.hero is not None)
        for person, number in persons.items():
            if number > 1:
                yield self.broken("units", notice("incarnate_twice", person=person, number=number))


class WithinAllowance(Limit[Chosen]):
    """The values of what an Incarnate carries are within his allowance, and nothing twice (RN3-ARMY-06)."""

    rule = "RN3-ARMY-06"

    def problems(self, units: Sequence[Chosen], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            if unit.hero is None:
                continue
            spent = sum(attribute.value for attribute in unit.attributes)
            if spent > unit.hero.allowance:
                what = notice("over_allowance", hero=unit.hero.id, spent=spent, allowance=unit.hero.allowance)
                yield self.broken(unit.where, what, notice("leave_an_attribute"))
            for id, number in Counter(attribute.id for attribute in unit.attributes).items():
                if number > 1:
                    yield self.broken(unit.where, notice("attribute_twice", attribute=id))


class ArtefactsOnce(Limit[Chosen]):
    """There is one of each artefact in a company."""

    rule = "RN3-ARMY-06"

    def problems(self, units: Sequence[Chosen], terms: Terms) -> Iterator[Problem]:
        held = Counter(
            attribute.id
            for unit in units
            for attribute in unit.attributes
            if attribute.power is None or attribute.power.kind == "artefact"
        )
        for id, number in held.items():
            if number > 1:
                yield self.broken("units", notice("artefact_twice", attribute=id, number=number))


class BannersFilled(Limit[Chosen]):
    """Under a banner stand as many units as its company says, and of the ranks it says (RN3-UNIT-04)."""

    rule = "RN3-UNIT-04"

    def problems(self, units: Sequence[Chosen], terms: Terms) -> Iterator[Problem]:
        under: dict[str, list[Chosen]] = {}
        for unit in units:
            if unit.banner is not None:
                under.setdefault(unit.banner.id, []).append(unit)
                if unit.troop.card.rank not in unit.banner.ranks:
                    rank, banner_id = unit.troop.card.rank, unit.banner.id
                    what = notice("rank_not_under", unit=unit.troop.id, rank=rank, banner=banner_id)
                    yield self.broken(f"{unit.where}.banner", what)
        for id, found in under.items():
            banner = found[0].banner
            assert banner is not None
            if not banner.least <= len(found) <= banner.most:
                number, least, most = len(found), banner.least, banner.most
                what = notice("banner_of_another_size", banner=id, number=number, least=least, most=most)
                yield self.broken("units", what)


LIMITS: Final[tuple[Limit[Chosen], ...]] = (
    WithinPoints("RN3-ARMY-02"),
    HasIncarnate(),
    IncarnatesOnce(),
    WithinAllowance(),
    ArtefactsOnce(),
    BannersFilled(),
)
