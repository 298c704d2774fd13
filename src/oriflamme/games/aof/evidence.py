"""What a battle shows of the special rules: which of them had a part in it, as its events tell.

Most rules speak at a moment of the flow and are noticed there. The others are settled when an army is mustered, or
carried for a whole unit, and are seen only in what came of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oriflamme.engine.core.events import Event, Reason
from oriflamme.games.aof.events import (
    FigureLost,
    FigureWounded,
    HeroJoined,
    HitsRolled,
    MoraleTested,
    UnitActivated,
    UnitDeployed,
    UnitMoved,
)
from oriflamme.games.aof.moments import Keyword, book
from oriflamme.games.aof.movement import ALLOWANCE
from oriflamme.games.aof.profile import Weapon
from oriflamme.games.aof.state import Battle, Figure, Unit


def titles() -> frozenset[str]:
    """All special rules there are, what spells lay on units included."""
    return frozenset(keyword.title for keyword in book.declared.values())


def keywords_seen(events: Iterable[Event], battle: Battle) -> set[str]:
    """The special rules that these events of a battle show at work."""
    seen: set[str] = set()
    lost: set[str] = set()
    charged: tuple[str, ...] = ()
    for event in events:
        seen.update(reason.source for reason in _reasons(event))
        match event:
            case UnitDeployed(how="ambush"):
                seen.add("Ambush")
            case UnitDeployed(how="scout"):
                seen.add("Scout")
            case HeroJoined():
                seen.add("Hero")
            case MoraleTested(unit=unit, by=by) if unit != by:
                seen.add("Hero")
            case UnitActivated(targets=targets):
                charged = targets
            case UnitMoved(unit=unit, how=how) if how in ALLOWANCE:
                seen.update(_carried(battle.units[unit], lost))
            case HitsRolled():
                weapons = list(_weapons(battle.units[event.unit], event.weapon))
                seen.update("Takedown" for weapon in weapons if weapon.picks_victim)
                seen.update("Limited" for weapon in weapons if weapon.used_once)
                seen.update("Counter" for weapon in weapons if weapon.strikes_first and event.unit in charged)
            case FigureWounded():
                seen.add("Tough")
            case FigureLost(figure=figure):
                lost.add(figure)
    return seen & titles()


def _reasons(event: Event) -> Iterator[Reason]:
    """Everything that changed a number of this event."""
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if isinstance(value, tuple):
            for part in value:
                if isinstance(part, Reason):
                    yield part
                elif isinstance(part, tuple):
                    yield from (reason for reason in part if isinstance(reason, Reason))


def _all_figures(unit: Unit) -> Iterator[Figure]:
    yield from unit.figures
    yield from unit.fallen


def _carried(unit: Unit, lost: set[str]) -> Iterator[str]:
    """Rules that a living model carries for the moves of its whole unit."""
    for figure in _all_figures(unit):
        if figure.id not in lost:
            yield from (k.title for k in figure.profile.keywords.changing(Keyword.when_unit_moves))


def _weapons(unit: Unit, name: str) -> Iterator[Weapon]:
    for figure in _all_figures(unit):
        yield from (weapon for weapon in figure.profile.weapons if weapon.name == name)
