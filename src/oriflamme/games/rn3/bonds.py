"""The bond between a summoner and what he summoned (RN3-SUM-03, -07, -08)."""

from __future__ import annotations

from oriflamme.games.rn3.events import SummonedLeft
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit


def may_fight(battle: Battle, unit: Unit) -> bool:
    """A summoned unit can do nothing in the turn it is summoned and in the next: no attack, no defence (RN3-SUM-04,
    -05)."""
    return not unit.summoner or battle.round - unit.summoned >= 2


def summoned_by(battle: Battle, fighter: Fighter) -> Unit | None:
    """The unit a mystic has summoned and still controls (RN3-SUM-03)."""
    for unit in battle.units.values():
        if unit.summoner == fighter.id and unit.on_table:
            return unit
    return None


def summoned_of(battle: Battle, unit: Unit) -> list[Unit]:
    """What the mystics of a unit have summoned: it is activated together with it (RN3-SUM-09)."""
    ids = {f.id for f in unit.figures}
    return [other for other in battle.on_table() if other.summoner in ids]


def send_away(battle: Battle, unit: Unit, why: str, rule: str) -> None:
    """A summoned unit is removed; it is no loss of anybody."""
    unit.fallen += unit.figures
    unit.figures = []
    unit.place = "gone"
    battle.tell(SummonedLeft(rule, unit.id, why))


def after_elimination(battle: Battle, unit: Unit, fighter: Fighter) -> Asking[None]:
    """Somebody has fallen: what he has summoned goes with him at once (RN3-SUM-08)."""
    found = summoned_by(battle, fighter)
    if found is not None:
        send_away(battle, found, "summoner", "RN3-SUM-08")
    return
    yield
