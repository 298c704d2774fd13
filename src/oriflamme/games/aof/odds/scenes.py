"""Battles in which an attack is counted: a part of one that is played, or none at all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from oriflamme.engine.core.dice import HiddenDice
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.catalogue import load
from oriflamme.games.aof.state import Battle, Unit


@cache
def usual_options() -> dict[str, str]:
    return {key: option.default for key, option in load("aof").options.items()}


@cache
def _bare_table() -> Table:
    return Table(inches(72), inches(48))


def apart(battle: Battle, *units: Unit) -> Battle:
    """The same table and the same neighbours, with its own copies of these units."""
    twin = Battle(battle.table, battle.options, HiddenDice(), battle.points)
    twin.log = None
    twin.round = battle.round
    twin.units = dict(battle.units)
    for unit in units:
        twin.units[unit.id] = unit.copy()
    return twin


def on_no_table(options: Mapping[str, str]) -> Battle:
    battle = Battle(_bare_table(), dict(options), HiddenDice())
    battle.log = None
    return battle
