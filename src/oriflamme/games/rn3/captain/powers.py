"""What powers are worth to the captain: on whom each would do most, in army points (RN3-MYA, RN3-FAI, RN3-MAG)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from oriflamme.games.rn3.area import typical
from oriflamme.games.rn3.army.prices import expected
from oriflamme.games.rn3.blows import Onset
from oriflamme.games.rn3.captain import worth
from oriflamme.games.rn3.contact import engaged_with, unit_gap
from oriflamme.games.rn3.measures import MYSTIC_RANGE
from oriflamme.games.rn3.powers import Power
from oriflamme.games.rn3.state import Battle, Unit, value_of

# What a point of a characteristic adds to blows, or takes from those of the enemy, as a share of them.
A_POINT: Final = 0.2
STRIKES: Final = ("att", "for")
STANDS: Final = ("def", "res")
# What other things are worth: fighters who are called up, a skill, a point of tactics, a centimetre.
CALLED_UP: Final = 40.0
SKILL: Final = 6.0
TACTIC: Final = 8.0
CENTIMETRE: Final = 0.5
# A rout that is over, as a share of what the unit is worth.
RALLIED: Final = 0.3
# What a power must be worth before points are spent on it.
LEAST: Final = 2.0


class Aimed(NamedTuple):
    """A power on a unit, and what that is worth."""

    value: float
    target: str


def aimed(battle: Battle, unit: Unit, power: Power, foe: Unit | None) -> Aimed:
    """The unit in range on which a power would do most; `foe` is whom the unit is about to fight."""
    if power.summons:
        return Aimed(CALLED_UP if battle.round < battle.turns - 1 else 0.0, "")
    if not power.needs_target:
        return Aimed(_gain(battle, unit, unit, power, foe), "")
    meant = [other for other in battle.on_table() if _is_meant(unit, power, other)]
    values = [Aimed(_gain(battle, unit, other, power, foe), other.id) for other in meant]
    return max(values, default=Aimed(0.0, ""))


def gains(battle: Battle, unit: Unit, power: Power, keys: Sequence[str], foe: Unit | None) -> dict[str, float]:
    """What a power does to each of these units; those out of range come last."""
    units = [battle.units[key] for key in keys]
    return {u.id: _gain(battle, unit, u, power, foe) - (0.0 if _is_near(unit, u) else 1e6) for u in units}


def _is_near(unit: Unit, other: Unit) -> bool:
    return other is unit or unit_gap(unit, other) <= MYSTIC_RANGE


def _is_meant(unit: Unit, power: Power, other: Unit) -> bool:
    if power.target == "self":
        return other is unit
    wanted = power.target == "any" or (power.target == "friend") == (other.side == unit.side)
    return wanted and _is_near(unit, other)


def _gain(battle: Battle, unit: Unit, on: Unit, power: Power, foe: Unit | None) -> float:
    """What the effect of a power on a unit is worth to who uses it; nothing if it lies there already."""
    effect = power.effect
    if any(laid.source == power.id for laid in on.effects):
        return 0.0
    sign = 1.0 if on.side == unit.side else -1.0
    gain = sign * _changes(battle, unit, on, effect, foe)
    if "force" in effect:
        gain -= sign * _harm(battle, on, effect["force"])
    if effect.get("heal"):
        wounds = min(int(effect["heal"]), sum(f.wounds for f in on.figures))
        gain += sign * wounds * worth.price(battle, on) / typical(on).profile.hit_points
    if effect.get("rally") and on.routed:
        gain += sign * RALLIED * worth.price(battle, on) * len(on.figures)
    gain += sign * TACTIC * int(effect.get("tactic_points", 0))
    gain += sign * CENTIMETRE * float(effect.get("move", 0)) * (not engaged_with(battle, on))
    return gain


def _harm(battle: Battle, on: Unit, force: Mapping[str, Any]) -> float:
    """What Force tests can be expected to kill."""
    target = typical(on)
    dice = len(on.figures) if force.get("each") else int(force.get("dice", 1))
    damage = dice * expected(int(force["for"]) - value_of(on, target, "res"))
    return min(damage / target.profile.hit_points, len(on.figures)) * worth.price(battle, on)


def _changes(battle: Battle, unit: Unit, on: Unit, effect: Mapping[str, Any], foe: Unit | None) -> float:
    """What characteristics, skills and dice change for a unit that fights, or may have to this turn."""
    stats: Mapping[str, int] = effect.get("stat", {})
    skills, dice = len(effect.get("skills", ())), int(effect.get("dice", 0))
    if not stats and not skills and not dice:
        return 0.0
    foes = engaged_with(battle, on)
    if foe is not None and on is unit and foe not in foes:
        foes = [foe, *foes]
    elif foe is on and unit not in foes:
        foes = [unit, *foes]
    comers = [e for e in battle.enemies_of(on.side) if e.order is None and worth.is_in_reach(battle, on, e)]
    plain = Onset(options=battle.options)
    strikes = max((worth.blow(battle, on, e, plain) for e in foes), default=0.0) if not on.attacked else 0.0
    suffers = max((worth.blow(battle, e, on, plain) for e in {e.id: e for e in foes + comers}.values()), default=0.0)
    gain = A_POINT * strikes * sum(stats.get(stat, 0) for stat in STRIKES)
    gain += A_POINT * suffers * sum(stats.get(stat, 0) for stat in STANDS)
    if foes or comers:
        gain += SKILL * skills
        back = min(dice, on.pool.used) if dice > 0 else max(dice, -on.pool.left)
        gain += A_POINT * back * worth.price(battle, on)
    return gain
