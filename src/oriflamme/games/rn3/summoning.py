"""Summoning: a ritual or litany that calls up fighters, and what they may do turn by turn (RN3-SUM)."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from random import Random
from typing import Any

import msgspec

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one, place_figures
from oriflamme.engine.geometry.measure import cm, in_cm, rounded
from oriflamme.games.rn3.army.rosters import Card
from oriflamme.games.rn3.bonds import send_away, summoned_of
from oriflamme.games.rn3.events import PowerOutOfRange, PowerTookEffect, Summoned
from oriflamme.games.rn3.levels import level_at
from oriflamme.games.rn3.measures import CONTACT, MYSTIC_RANGE
from oriflamme.games.rn3.placing import place_near
from oriflamme.games.rn3.powers import Power
from oriflamme.games.rn3.sight import Lines, fighter_sees, sees_point
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Unit

# Casting after the points are spent: `mystics.cast`.
Cast = Callable[[Battle, Unit, Fighter, Power, int, Unit | None], Asking[bool]]
Pay = Callable[[Battle, Unit, Fighter, Power, str], Asking[int]]


def call_up(battle: Battle, unit: Unit, fighter: Fighter, power: Power, pay: Pay, cast: Cast) -> Asking[bool]:
    """A summoning (RN3-SUM-01, -02).

    1. The mystic names a spot and pays, and only then is it measured.        RN3-SUM-01
    2. Beyond 40 cm the points are lost.                                      RN3-SUM-01
    3. It may be countered or censured, and is tested.                        RN3-FAI-10, -11
    4. The models are placed no farther from the mystic than the spot.        RN3-SUM-02
    """
    x, y = yield from _spot(battle, unit, fighter, power)
    spent = yield from pay(battle, unit, fighter, power, "")
    away = hypot(x - fighter.x, y - fighter.y) - fighter.radius
    if away > MYSTIC_RANGE + CONTACT:
        battle.tell(PowerOutOfRange("RN3-SUM-01", unit.id, power.id, "", in_cm(away), spent))
        return False
    if not (yield from cast(battle, unit, fighter, power, spent, None)):
        return False
    battle.tell(PowerTookEffect("RN3-SUM-01", unit.id, power.id, ""))
    summoned = make_summoned(battle, unit, fighter, power)
    battle.units[summoned.id] = summoned

    placed = yield from place_near(battle, summoned, (x, y), fighter, _sight(battle, unit, fighter, summoned))
    if not placed:
        del battle.units[summoned.id]
        return False
    battle.tell(Summoned("RN3-SUM-02", summoned.id, fighter.id, len(summoned.figures)))
    return True


def _sight(battle: Battle, unit: Unit, fighter: Fighter, summoned: Unit) -> Callable[[float, float], bool]:
    """Whether a mystic would see one of those he summons at a place; they do not hide each other (RN3-SUM-02)."""
    one = Fighter(summoned.leader, summoned.profile)
    alone = Unit(summoned.id, summoned.side, [one], summoned.name, summoned.profile)

    def sees(x: float, y: float) -> bool:
        one.x, one.y, one.level = x, y, level_at(battle.table, x, y)
        alone.update_bounds()
        return Lines(battle, unit, alone, "mystic").sees(fighter, one)

    return sees


def _spot(battle: Battle, unit: Unit, fighter: Fighter, power: Power) -> Asking[tuple[float, float]]:
    """Any spot of the table that the mystic sees; how far it is, is measured afterwards (RN3-SUM-01)."""

    def check(places: dict[str, tuple[float, ...]]) -> Refusal | None:
        x, y = places["spot"][:2]
        if not (0 <= x <= battle.table.width and 0 <= y <= battle.table.depth):
            return Refusal("RN3-GEN-10", "spot_off_the_table", {"fighter": fighter.id})
        if not sees_point(battle, unit, fighter, x, y):
            return Refusal("RN3-MYS-05", "spot_not_seen", {"fighter": fighter.id})
        return None

    def propose(random: Random) -> dict[str, Any]:
        for _ in range(24):
            x = min(battle.table.width, max(0.0, fighter.x + random.uniform(-1, 1) * cm(25)))
            y = min(battle.table.depth, max(0.0, fighter.y + random.uniform(-1, 1) * cm(25)))
            if sees_point(battle, unit, fighter, x, y):
                return {"spot": (rounded(x), rounded(y))}
        return {"spot": (fighter.x, fighter.y)}

    about = {"unit": unit.id, "fighter": fighter.id, "power": power.id}
    places = yield from place_figures(
        unit.side, ["spot"], check, propose, "summoning_spot", "RN3-SUM-01", about, pointing=True
    )
    x, y = places["spot"][:2]
    return x, y


def make_summoned(battle: Battle, unit: Unit, fighter: Fighter, power: Power) -> Unit:
    """The summoned unit, not yet placed: what the power says (RN3-SUM-03)."""
    called = power.effect["summon"]
    profile = msgspec.convert(called["card"], Card).profile()
    number = sum(id.startswith(f"{power.id}_") for id in battle.units) + 1
    id = f"{power.id}_{number}"
    figures = [Fighter(f"{id}.{n}", profile) for n in range(1, int(called.get("count", 1)) + 1)]
    summoned = Unit(id, unit.side, figures, dict(profile.name), profile)
    summoned.leader = figures[0].id
    summoned.summoner = fighter.id
    summoned.summoned = battle.round
    summoned.called_with = power.id
    summoned.order = "summoned"
    return summoned


def upkeep_of_summoned(battle: Battle, unit: Unit, pay: Pay, cast: Cast) -> Asking[tuple[str, ...]]:
    """At the activation of a unit: what its mystics have summoned (RN3-SUM-05 to -09). Those that may act, by id.

    Who sees it no more loses it. In the turn after it was summoned it does nothing; from then on its mystic pays and
    tests again to keep it, which activates it at once, or lets it go.
    """
    able: list[str] = []
    for summoned in summoned_of(battle, unit):
        fighter = unit.figure(summoned.summoner)
        assert fighter is not None
        if not any(fighter_sees(battle, unit, fighter, summoned, f, "mystic") for f in summoned.figures):
            send_away(battle, summoned, "unseen", "RN3-SUM-08")
            continue
        power = next(p for p in fighter.profile.powers if p.id == summoned.called_with)
        if battle.round - summoned.summoned < 2:
            keep = yield from _keep_or_dismiss(battle, unit, fighter, summoned, power, ("keep", "dismiss"))
            if keep == "dismiss":
                send_away(battle, summoned, "dismissed", "RN3-SUM-07")
            continue
        if (yield from _paid_for(battle, unit, fighter, summoned, power, pay, cast)):
            able.append(summoned.id)
    return tuple(able)


def _paid_for(
    battle: Battle, unit: Unit, fighter: Fighter, summoned: Unit, power: Power, pay: Pay, cast: Cast
) -> Asking[bool]:
    """To keep it the mystic pays the printed cost and tests, again and again if he likes; otherwise it is removed
    (RN3-SUM-06)."""
    while True:
        points = unit.faith if power.faithful else unit.mana
        choices = ("pay", "dismiss") if points >= power.cost else ("dismiss",)
        key = yield from _keep_or_dismiss(battle, unit, fighter, summoned, power, choices)
        if key == "dismiss":
            able = points >= power.cost
            send_away(battle, summoned, "dismissed" if able else "unpaid", "RN3-SUM-07" if able else "RN3-SUM-06")
            return False
        spent = yield from pay(battle, unit, fighter, power, summoned.id)
        if (yield from cast(battle, unit, fighter, power, spent, None)):
            return True
        if battle.is_option("summonRetry", "no"):
            send_away(battle, summoned, "unpaid", "RN3-SUM-06")
            return False


def _keep_or_dismiss(
    battle: Battle, unit: Unit, fighter: Fighter, summoned: Unit, power: Power, choices: tuple[str, ...]
) -> Asking[str]:
    about = {"unit": unit.id, "fighter": fighter.id, "summoned": summoned.id, "power": power.id, "cost": power.cost}
    options = [Option(choice, "summoned", {"summoned": summoned.id, "cost": power.cost}) for choice in choices]
    return (yield from pick_one(unit.side, options, "keep_summoned", "RN3-SUM-06", about))
