"""Units of Rag'Narok 3 that stand where a test wants them."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.dice import ScriptedDice
from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.table.pieces import Table
from oriflamme.games.rn3.game import game
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.profile import Profile
from oriflamme.games.rn3.state import Battle, Fighter, Unit

Spot = tuple[float, float]


def unit_of(id: str, side: int, spots: Sequence[Spot], hero: Spot | None = None, **card: object) -> Unit:
    """A unit on spots in centimetres, with an Incarnate if he has one."""
    skills = book.set_of(map(book.parse, card.pop("skills", ())))  # type: ignore[call-overload]
    profile = Profile(id, {"en": id, "fr": id}, skills=skills, **card)  # type: ignore[arg-type]
    incarnate = Profile("hero", {"en": "hero", "fr": "hero"}, role="incarnate", hit_points=3)
    figures = [Fighter(f"{id}.{n}", profile) for n in range(len(spots))]
    figures += [Fighter(f"{id}.hero", incarnate)] if hero is not None else []
    for figure, (x, y) in zip(figures, [*spots, *([hero] if hero is not None else [])], strict=True):
        figure.x, figure.y = cm(x), cm(y)
    unit = Unit(id, side, figures, {"en": id, "fr": id}, profile)
    unit.place, unit.leader = "table", figures[0].id
    unit.pool.left = sum(f.profile.melee.dice for f in figures if not f.profile.incarnate)
    unit.hero_pool.left = sum(f.profile.melee.dice for f in figures if f.profile.incarnate)
    unit.update_bounds()
    return unit


def battle_of(*units: Unit, **options: str) -> Battle:
    chosen = game.defaults() | {f"rn3.{key}": value for key, value in options.items()}
    battle = Battle(Table(1200.0, 1200.0), chosen, ScriptedDice([]))
    for unit in units:
        battle.units[unit.id] = unit
    return battle


def fallen(battle: Battle, side: int) -> int:
    return sum(len(u.fallen) + sum(f.doomed is not None for f in u.figures) for u in battle.units_of(side))
