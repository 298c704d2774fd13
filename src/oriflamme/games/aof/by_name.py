"""Units by name, with the upgrades they take behind it: `kiln_clans/stokers+banner`."""

from __future__ import annotations

from oriflamme.engine.lists.armies import find_unit
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import guess_or_choices, problem_with
from oriflamme.games.aof.cards import FACTIONS, Faction, Taken, UnitCard
from oriflamme.games.aof.rosters import equip_unit
from oriflamme.games.aof.setup import field
from oriflamme.games.aof.state import Unit


def find_card(name: str) -> tuple[Faction, UnitCard, list[Taken]]:
    """A unit, its faction, and the upgrades behind its name; raises Problems with a guess."""
    known = FACTIONS.all()
    army, card, words = find_unit(name, {id: faction.units for id, faction in known.items()})
    return known[army], card, [_take(card, word) for word in words]


def _take(card: UnitCard, wanted: str) -> Taken:
    upgrade = card.upgrades.get(wanted)
    if upgrade is None:
        hint = guess_or_choices(wanted, card.upgrades)
        raise problem_with("unit", notice("no_upgrade", upgrade=wanted, unit=card.id), hint=hint)
    return Taken(upgrade)


def fielded(name: str, side: int) -> Unit:
    """A unit by its name, as a battle has it."""
    unit = field(equip_unit(*find_card(name)), side, {})
    unit.reserve = None
    return unit
