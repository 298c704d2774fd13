"""Dull units for the tests of the odds, and two ways to count that know nothing of the odds module."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import oriflamme.games.aof.keywords  # noqa: F401  the special rules declare themselves
from oriflamme.engine.core.dice import Dice, HiddenDice, OutOfDice, ScriptedDice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.catalogue import load
from oriflamme.games.aof.moments import book
from oriflamme.games.aof.odds import telling
from oriflamme.games.aof.odds.telling import AofConditions
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.state import Battle, Figure, Unit, steps

Found = dict[Any, Fraction]


def weapon(name: str = "blade", *, attacks: int = 1, range: float = 0, keywords: Sequence[str] = ()) -> Weapon:
    return Weapon(name, inches(range), attacks, map(book.parse, keywords))


def troops(
    id: str,
    models: int = 1,
    *,
    quality: int = 4,
    defense: int = 4,
    weapons: Sequence[Weapon] = (),
    keywords: Sequence[str] = (),
    hero: Profile | None = None,
    side: int = 0,
) -> Unit:
    """A unit of like models, and a joined Hero if one is given."""
    profile = Profile(id, quality, defense, weapons, map(book.parse, keywords))
    profiles = [profile] * models + ([hero] if hero is not None else [])
    unit = Unit(id, side, [Figure(f"{id}.{n}", p) for n, p in enumerate(profiles, 1)], {"en": id, "fr": id})
    unit.reserve = None
    return unit


def hero(
    *, quality: int = 3, defense: int = 2, weapons: Sequence[Weapon] = (), keywords: Sequence[str] = ()
) -> Profile:
    return Profile("hero", quality, defense, weapons, map(book.parse, ("Hero", *keywords)))


def field(*units: Unit, pieces: Sequence[Piece] = (), **options: str) -> Battle:
    """A battle with these units on a table; options are written without their prefix."""
    rules = {key: option.default for key, option in load("aof").options.items()}
    rules |= {f"aof.{key}": value for key, value in options.items()}
    battle = Battle(Table(inches(72), inches(48), pieces), rules, HiddenDice())
    battle.units = {unit.id: unit for unit in units}
    battle.round = 1
    return battle


def line_up(unit: Unit, x: float, y: float, *, per_rank: int = 10) -> Unit:
    """Models side by side from a point (in inches), half an inch apart, further ranks behind."""
    for number, figure in enumerate(unit.figures):
        rank, place = divmod(number, per_rank)
        figure.x = inches(x) + place * (2 * figure.radius + inches(0.5))
        figure.y = inches(y) + rank * (2 * figure.radius + inches(0.5)) * (1 if unit.side else -1)
    unit.update_bounds()
    return unit


def answered(step: Any) -> None:
    """A step with every question answered as suggested."""
    if step is None:
        return
    try:
        asked = next(step)
        while True:
            asked = step.send(asked.suggestion())
    except StopIteration:
        return


def play_track(battle: Battle, last: str = "") -> None:
    """The real steps on the turn track, one after the other."""
    while battle.track:
        name, args = battle.track.pop()
        answered(steps.by_name[name](battle, *args))
        if name == last:
            return


class Script(ScriptedDice):
    """Written dice that know how many more were asked for."""

    def throw(self, number: int) -> list[int]:
        self.missing = self.position + number - len(self.faces)
        return super().throw(number)


def by_faces(resolve: Callable[[Dice], Hashable]) -> Found:
    """A rule played with every sequence of faces there is."""
    found: Found = {}
    scripts: list[tuple[int, ...]] = [()]
    while scripts:
        script = scripts.pop()
        dice = Script(script)
        try:
            result = resolve(dice)
        except OutOfDice:
            scripts += [(*script, *faces) for faces in product(range(1, 7), repeat=dice.missing)]
            continue
        found[result] = found.get(result, Fraction(0)) + Fraction(1, 6 ** len(script))
    return found


def odds_between(attacker: Unit, defender: Unit, *, charge: bool = False, weapons: Any = None, **how: Any) -> Any:
    """The odds of two units that stand on no table, with whatever is told of them."""
    return telling.odds_between(attacker, defender, AofConditions(**how), charge=charge, weapons=weapons)
