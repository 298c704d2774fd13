"""A company takes the field: the units of a list become those of a battle (RN3-UNIT)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

import msgspec

from oriflamme.games.rn3.army.rosters import Company, ListedUnit
from oriflamme.games.rn3.profile import Profile
from oriflamme.games.rn3.state import Battle, Fighter, Unit


def unique_id(id: str, taken: Container[str]) -> str:
    """An id of its own: the second of a kind is `guards_2`."""
    made, number = id, 1
    while made in taken:
        number += 1
        made = f"{id}_{number}"
    return made


def make_unit(
    id: str,
    side: int,
    troop: Profile,
    count: int,
    *,
    name: Mapping[str, str] | None = None,
    specials: Sequence[Profile] = (),
    hero: Profile | None = None,
    machine: Profile | None = None,
) -> Unit:
    """A unit off the table: machine, Incarnate, special fighters, then the base troop; its usual leader is named."""
    profiles = [p for p in (machine, hero) if p is not None] + [*specials] + [troop] * count
    figures = [Fighter(f"{id}.{number}", profile) for number, profile in enumerate(profiles, 1)]
    unit = Unit(id, side, figures, name or troop.name, troop)
    unit.leader = usual_leader(unit).id
    fill_pools(unit)
    return unit


def usual_leader(unit: Unit) -> Fighter:
    """The Incarnate, else the first who is no special fighter, else anybody (RN3-LEAD-02, -03)."""
    if unit.hero is not None:
        return unit.hero
    plain = [f for f in unit.figures if f.profile.role not in ("standard", "musician", "mage", "monk", "machine")]
    return (plain or [f for f in unit.figures if not f.profile.machine] or unit.figures)[0]


def fill_pools(unit: Unit) -> None:
    """The melee dice of all its fighters, the Incarnate's apart; none has been used (RN3-MELEE-02, -03)."""
    for pool in (unit.pool, unit.hero_pool):
        pool.left = pool.used = pool.defence = 0
    for figure in unit.figures:
        if not figure.profile.machine:
            unit.pool_of(figure).left += figure.profile.melee.dice


def field_unit(listed: ListedUnit, side: int, id: str) -> Unit:
    """A unit of a list as a unit of the battle, its card still in hand."""
    unit = make_unit(
        id,
        side,
        listed.troop.profile(),
        listed.count,
        name=listed.name or listed.troop.name,
        specials=[card.profile() for card in listed.specials],
        hero=listed.hero.profile() if listed.hero is not None else None,
        machine=listed.machine.profile() if listed.machine is not None else None,
    )
    unit.banner = listed.banner
    unit.points = listed.cost
    unit.cards = listed.abilities
    if listed.machine is not None:
        unit.regular_crew = listed.regular_crew
    unit.card = {
        **listed.more,
        "id": listed.id,
        "points": listed.cost,
        "tactics": [msgspec.to_builtins(tactic) for tactic in listed.tactics],
    }
    return unit


def field_company(company: Company, side: int, taken: Iterable[str] = ()) -> list[Unit]:
    """All units of a company in its order. Their ids are none of those taken."""
    units: dict[str, Unit] = {}
    for listed in company.units:
        id = unique_id(listed.id, {*taken, *units})
        units[id] = field_unit(listed, side, id)
    return list(units.values())


def take_the_field(battle: Battle, companies: Sequence[Company]) -> None:
    """The units of both companies, in hand; elixir starts at the number of Incarnates (RN3-ELX-02)."""
    for side, company in enumerate(companies):
        for unit in field_company(company, side, battle.units):
            battle.units[unit.id] = unit
    fill_elixir(battle, (companies[0].elixir, companies[1].elixir))


def fill_elixir(battle: Battle, more: tuple[int, int] = (0, 0)) -> None:
    """The elixir of each company starts at the number of its Incarnates, and what artefacts add (RN3-ELX-02)."""
    first, second = (sum(unit.hero is not None for unit in battle.units_of(side)) for side in (0, 1))
    battle.elixir = (first + more[0], second + more[1])
