"""What the table shows of Rag'Narok 3: units round their leaders, their dice, formations and cards face down."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final

from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import (
    AreaShown,
    Coherency,
    FallenShown,
    FigureShown,
    ObjectiveShown,
    PoolShown,
    StateShown,
    TokenShown,
    UnitShown,
    ZoneShown,
    usual,
)
from oriflamme.games.rn3.blind_zones import blind_zones
from oriflamme.games.rn3.contact import in_contact
from oriflamme.games.rn3.looks import look_of
from oriflamme.games.rn3.measures import LEADER_REACH, LEAST_GAP, NEIGHBOUR
from oriflamme.games.rn3.scenarios import zone_of
from oriflamme.games.rn3.state import Battle, Fighter, Unit

CARD: Final = cm(3)  # how large a card is drawn on the table


class Rn3Picture(Picture[Battle, Unit]):
    """Units with the ring of their leader, pools of dice, formations, and cards that lie face down."""

    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("unit", "summoned", "target")

    def last_round(self, battle: Battle) -> int:
        return battle.turns

    def unit(self, unit: Unit) -> UnitShown:
        figures = tuple(map(_figure, unit.figures))
        looks = [look_of(f.profile) for f in (*unit.figures, *unit.fallen)]
        return UnitShown(
            unit.id,
            unit.side,
            unit.name,
            figures,
            tuple(map(FallenShown.of, unit.fallen)) if unit.place in ("table", "gone") and not unit.summoner else (),
            start=unit.start,
            look=usual(looks),
            states=_states(unit),
            reserve=None if unit.place in ("table", "gone") else unit.place,
            coherency=_coherency(unit),
            pools=_pools(unit),
        )

    def turn(self, battle: Battle) -> int:
        return battle.go

    def zones(self, battle: Battle) -> Iterator[ZoneShown]:
        for side in (0, 1):
            x0, y0, x1, y1 = zone_of(battle, side)
            yield ZoneShown(side, _rectangle(x0, y0, x1, y1))

    def objectives(self, battle: Battle) -> Iterator[ObjectiveShown]:
        return (ObjectiveShown(o.x, o.y, o.owner, o.radius) for o in battle.objectives)

    def tokens(self, battle: Battle) -> Iterator[TokenShown]:
        """Cards on the table, of which a view has no names for those of the other side (RN3-DEP-03), and the template
        that was laid last."""
        for unit in battle.units.values():
            if unit.place == "card" and unit.spot is not None:
                x, y = unit.spot
                yield TokenShown(f"card_{unit.id}", "card", x, y, CARD, unit.side, unit.id)
        if battle.template is not None:
            yield TokenShown("burst", "burst", *battle.template)

    def areas(self, battle: Battle) -> Iterator[AreaShown]:
        """The blind zones of the active unit: where hills hide whoever is of ordinary size from it (RN3-HILL-02).

        How deep they are is how far it stands from an edge, so they are drawn where measuring is open, and else not: a
        zone that is drawn to scale would measure that distance for a player who has declared nothing (RN3-GEN-04).
        """
        active = battle.units.get(battle.activation.unit) if battle.activation is not None else None
        if active is not None and active.on_table:
            for ring in blind_zones(battle, active):
                yield AreaShown("blind", active.side, ring)

    def contacts(self, battle: Battle) -> Iterator[tuple[str, str]]:
        for unit in battle.friends_of(0):
            for enemy in battle.enemies_of(0):
                if in_contact(unit, enemy):
                    yield unit.id, enemy.id


@lru_cache(maxsize=64)
def _rectangle(x0: float, y0: float, x1: float, y1: float) -> Outline:
    return Outline.rectangle((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)


def _figure(fighter: Fighter) -> FigureShown:
    profile = fighter.profile
    hero = profile.incarnate or profile.category == "titan"
    return FigureShown.of(fighter, look_of(profile), fighter.wounds, profile.hit_points, hero)


def _coherency(unit: Unit) -> Coherency | None:
    """Each within 2.5 cm of another, half a centimetre apart where the unit is dispersed, and all within 10 cm of the
    leader (RN3-UNIT-10, RN3-FORM-05)."""
    if len(unit.figures) < 2 or unit.place != "table":
        return None
    least = 0.0 if unit.compact else LEAST_GAP
    return Coherency(NEIGHBOUR, least=least, leader=unit.leading.id, round_leader=LEADER_REACH)


def _pools(unit: Unit) -> tuple[PoolShown, ...]:
    """Melee dice that are left and used, mana and faith."""
    if unit.place != "table" or not unit.figures:
        return ()
    found = [PoolShown("dice", unit.pool.left, unit.pool.used)]
    if unit.hero is not None:
        found.append(PoolShown("incarnate_dice", unit.hero_pool.left, unit.hero_pool.used))
    if unit.mana:
        found.append(PoolShown("mana", unit.mana))
    if unit.faith:
        found.append(PoolShown("faith", unit.faith))
    return tuple(found)


def _states(unit: Unit) -> tuple[StateShown, ...]:
    found = (
        ("routed", unit.routed),
        ("standby", unit.standby),
        ("compact", unit.compact and len(unit.figures) > 1 and unit.place == "table"),
        ("attacked", unit.attacked),
        ("ordered", unit.order is not None),
    )
    return tuple(StateShown(state) for state, so in found if so)
