"""What one side does not know, dealt anew for it: units whose cards lie face down or are in hand, and reserves."""

from __future__ import annotations

from random import Random

from oriflamme.games.rn3.army.fielding import field_company
from oriflamme.games.rn3.army.reading import LISTS
from oriflamme.games.rn3.deployment import name_commander_of
from oriflamme.games.rn3.leaders import successors
from oriflamme.games.rn3.state import Battle, Unit


def deal(battle: Battle, seen: Battle, side: int, random: Random) -> None:
    """As many units as are hidden, from a ready-made list that is like what was seen; those that have come to light
    since were there."""
    for other in (0, 1):
        if other != side:
            _deal(battle, seen, other, random)
    battle.unseen = ((0, 0), (0, 0))


def _deal(battle: Battle, seen: Battle, side: int, random: Random) -> None:
    in_hand, in_reserve = battle.unseen[side]
    cards = [number for number, (of, _, _) in enumerate(battle.spots) if of == side and not battle.placed[number]]
    new = [unit for unit in seen.units_of(side) if unit.id not in battle.units and not unit.summoner]
    to_light = [unit.copy() for unit in new[: in_reserve - seen.unseen[side][1]]]
    for unit in to_light:
        unit.place = "reserve"
        battle.units[unit.id] = unit
    wanted = in_hand + in_reserve + len(cards) - len(to_light)
    if wanted <= 0:
        return
    # The commander is not among the reserves (RN3-RSV-03).
    units = sorted(_some_units(battle, side, wanted, random), key=lambda unit: unit.hero is None)
    places = ["hand"] * in_hand + ["card"] * len(cards) + ["reserve"] * (in_reserve - len(to_light))
    placed = list(battle.placed)
    for unit, place in zip(units, places, strict=True):
        unit.place = place
        battle.units[unit.id] = unit
        if place == "card":
            number = cards.pop(0)
            placed[number] = unit.id
            unit.spot = battle.spots[number][1:]
    battle.placed = tuple(placed)
    _in_order(battle)
    if not battle.commander[side] and (name_commander_of.__name__, (side,)) not in battle.track:
        able = successors(battle, side)
        named = list(battle.commander)
        named[side] = able[0].id if able else ""
        battle.commander = (named[0], named[1])


def _in_order(battle: Battle) -> None:
    """The first side's units come first, as in the battle itself."""
    battle.units = {unit.id: unit for side in (0, 1) for unit in battle.units_of(side)}


def _some_units(battle: Battle, side: int, number: int, random: Random) -> list[Unit]:
    """So many units of ready-made lists of this size, of the same company as those that were seen."""
    known = {unit.id for unit in battle.units_of(side)}
    lists = [LISTS.load(name) for name in LISTS.ready]
    lists = [company for company in lists if company.points == battle.points] or lists
    like = [company for company in lists if known & {unit.id for unit in company.units}]
    companies = like or lists
    random.shuffle(companies)
    # One with as many units as there must be comes first.
    companies.sort(key=lambda company: abs(len(company.units) - len(known) - number))
    found: list[Unit] = []
    taken = set(battle.units)
    while len(found) < number:
        for company in companies:
            units = [unit for unit in field_company(company, side, taken) if like == [] or unit.card["id"] not in known]
            random.shuffle(units)
            found += units
            taken |= {unit.id for unit in units}
            if len(found) >= number:
                break
        known = set()
    return found[:number]
