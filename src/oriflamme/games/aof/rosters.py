"""Armies of Age of Fantasy, ready for battle: units with everything they take, as a save holds them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Problems, badly_written, in_range, problem_with, wrong_kind
from oriflamme.games.aof.cards import (
    BASE,
    DEFENSE,
    HEIGHT,
    HERO_TOUGH,
    MOST_X,
    QUALITY,
    Faction,
    ModelCard,
    Taken,
    UnitCard,
    equip,
)
from oriflamme.games.aof.moments import book
from oriflamme.games.aof.points import cost_of_unit
from oriflamme.games.aof.profile import Profile
from oriflamme.games.aof.spells import MOST_VALUE, Spell

MOST_MODELS = 400  # of a unit that was stored whole: two units of 200, as Army Forge could have them
MOST_ATTACKS = 40_000
MOST_PRINTED = 20_000  # points of one unit, by whatever list builder


class EquippedUnit(msgspec.Struct, frozen=True, dict=True):
    """One unit of a list with everything it takes. Plain data, so that a save holds it whole.

    `cards` are its different models, `models` says for each model which of them it is.
    """

    id: str
    name: dict[str, str]
    kind: str
    cards: tuple[ModelCard, ...]
    models: tuple[int, ...]
    cost: int
    upgrades: tuple[str, ...] = ()
    combined: bool = False
    spells: tuple[Spell, ...] = ()
    weapon_names: dict[str, dict[str, str]] = {}
    joins: int = 0
    """The unit of the list, counted from 1, that this Hero is meant to join; settled at deployment (AOF-SR-HERO-03)."""
    printed: int | UnsetType = UNSET
    """What the list builder asks for it that it comes from, where that is known."""
    by_printed: bool | UnsetType = UNSET
    """Its player has chosen that this counts, not our formula."""

    @cached_property
    def profiles(self) -> tuple[Profile, ...]:
        """One for each model; equal models share theirs."""
        return tuple(self.cards[number].profile() for number in self.models)

    @property
    def worth(self) -> int:
        """What it costs: by our formula, or what is printed where that was chosen and is known."""
        return (self.by_printed and self.printed) or cost_of_unit(self.profiles)

    @property
    def hero(self) -> bool:
        return any(profile.hero for profile in self.profiles)

    @property
    def caster(self) -> bool:
        return any(profile.caster for profile in self.profiles)


class Roster(msgspec.Struct, frozen=True):
    """An army list that was checked: the agreed points and the units."""

    name: dict[str, str]
    faction: str
    points: int
    units: tuple[EquippedUnit, ...]

    @property
    def cost(self) -> int:
        return sum(unit.cost for unit in self.units)

    def to_data(self) -> dict[str, Any]:
        """The whole list as plain data, which needs no other file to be read again."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {"game": "aof", **data}

    @staticmethod
    def from_data(data: object, where: str = "army list") -> Roster:
        """The list that `to_data` wrote."""
        try:
            roster = msgspec.convert(data, Roster)
            for unit in roster.units:
                _ = unit.profiles, [(spell.keywords, spell.gives) for spell in unit.spells]
        except msgspec.ValidationError as error:
            raise Problems(where, [badly_written(error)]) from None
        except UnknownKeyword as error:
            raise problem_with(where, error.notice, hint=error.hint) from None
        except IndexError:
            raise problem_with(where, notice("no_such_model"), where="units") from None
        return roster


def equip_unit(
    faction: Faction,
    card: UnitCard,
    taken: Sequence[Taken] = (),
    second: Sequence[Taken] | None = None,
    *,
    problems: Problems | None = None,
    where: str = "",
) -> EquippedUnit:
    """One unit of a list; with `second`, two units merged into one, and what the second of them takes (AOF-ARMY-05)."""
    noted = Problems("") if problems is None else problems
    halves = [taken] if second is None else [taken, second]
    models = [model for half in halves for model in equip(card, half, noted, where)]
    different = tuple(dict.fromkeys(models))
    caster = any(model.profile().caster for model in different)
    names = {weapon.name for model in different for weapon in model.weapons}
    return EquippedUnit(
        id=card.id,
        name=card.name,
        kind=card.kind,
        cards=different,
        models=tuple(different.index(model) for model in models),
        cost=cost_of_unit(model.profile() for model in models) + len(halves) * card.surplus,
        upgrades=tuple(choice.upgrade.id for half in halves for choice in half),
        combined=second is not None,
        spells=faction.spells if caster else (),
        weapon_names={name: both for name, both in card.weapon_names.items() if name in names},
    )


def may_be_joined(hero: EquippedUnit, unit: EquippedUnit) -> bool:
    """A Hero with Tough 6 or less may join a unit of several models without another Hero (AOF-SR-HERO-01)."""
    alone = hero.hero and len(hero.models) == 1 and hero.profiles[0].tough <= HERO_TOUGH
    return alone and len(unit.models) > 1 and not unit.hero


# -- units that no faction has -----------------------------------------------------------------------------------------


def whole_problems(unit: EquippedUnit, where: str) -> list[Problem]:
    """What is wrong with a unit that was stored whole: numbers no card may have, and a cost that is not the formula's.

    A faction file may give a unit a cost of its own; a list of such units is kept as TOML, beside that file.
    """
    problems = Problems(where)

    def within(place: str, found: float, low: float, high: float) -> None:
        if not low <= found <= high:
            problems.add(f"{where}.{place}", wrong_kind(in_range("a_number", low, high), found))

    if not re.fullmatch(r"\w{1,80}", unit.id):
        problems.add(f"{where}.id", notice("not_an_id", id=unit.id))
    if not unit.name.get("en"):
        problems.add(f"{where}.name", notice("text_in_english"))
    within("models", len(unit.models), 1, MOST_MODELS)
    if any(not 0 <= number < len(unit.cards) for number in unit.models):
        problems.add(f"{where}.models", notice("no_such_model"))
    for number, card in enumerate(unit.cards, 1):
        place = f"cards[{number}]"
        within(f"{place}.quality", card.quality, QUALITY.low, QUALITY.high)
        within(f"{place}.defense", card.defense, DEFENSE.low, DEFENSE.high)
        within(f"{place}.base", card.base, *BASE)
        within(f"{place}.height", card.height, *HEIGHT)
        _keyword_problems(problems, f"{where}.{place}.keywords", card.keywords, "model")
        for count, weapon in enumerate(card.weapons, 1):
            at = f"{place}.weapons[{count}]"
            within(f"{at}.attacks", weapon.attacks, 1, MOST_ATTACKS)
            within(f"{at}.range", weapon.range, 0, 200)
            _keyword_problems(problems, f"{where}.{at}.keywords", weapon.keywords, "weapon")
    for number, spell in enumerate(unit.spells, 1):
        place = f"spells[{number}]"
        within(f"{place}.value", spell.value, 1, MOST_VALUE)
        within(f"{place}.range", spell.range, 1, inches(72))
        within(f"{place}.count", spell.count, 1, 6)
        within(f"{place}.hits", spell.hits, 0, 60)
        within(f"{place}.heals", spell.heals, 0, 20)
    within("printed", unit.printed or 0, 0, MOST_PRINTED)
    if not problems:
        cost = unit.worth
        if unit.cost != cost:
            what = notice("formula_counts", cost=unit.cost, formula=cost, unit=unit.name)
            problems.add(f"{where}.cost", what, None, notice("write_it", text=str(cost)))
    return list(problems)


def _keyword_problems(problems: Problems, where: str, keywords: Iterable[str], place: str) -> None:
    for number, keyword in enumerate(map(book.parse, keywords), 1):
        if keyword.takes_x and not 1 <= keyword.x <= MOST_X:
            problems.add(f"{where}[{number}]", notice("needs_from_to", rule=str(keyword), low=1, high=MOST_X))
        if place not in keyword.on:
            problems.add(f"{where}[{number}]", notice("does_not_belong", rule=keyword.title, place=place))
