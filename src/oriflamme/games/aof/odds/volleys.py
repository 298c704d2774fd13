"""The odds of a volley (AOF-SHOOT), by the steps that play it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.games.aof.attacks import order_attacks
from oriflamme.games.aof.morale import test_after_wounds
from oriflamme.games.aof.odds.engagement import Engagement, TooMany, declared_on_track
from oriflamme.games.aof.odds.results import After, QuickShooting, ShootingOdds, SideOdds
from oriflamme.games.aof.odds.sampling import try_volley
from oriflamme.games.aof.odds.scenes import apart, on_no_table, usual_options
from oriflamme.games.aof.odds.states import Memory, Standing, UnitState, Waiting, memory_for
from oriflamme.games.aof.shooting import LONG_SHOT, declare_shots, judge_cover, ranged_types, shooters
from oriflamme.games.aof.sight import can_see, cover_of
from oriflamme.games.aof.state import Activation, Battle, Group, Unit
from oriflamme.games.aof.wounds import note_hurt

_FAR = inches(1000)


def _test_after_volley(battle: Battle, unit: Unit) -> Any:
    battle.acting.hurt = ()
    note_hurt(battle, unit)
    return test_after_wounds(battle)


def after_volley(engagement: Engagement, declared: Waiting) -> Distribution[After]:
    """The target after the volley and the Morale Test that ends the activation (AOF-MORALE-01)."""
    before = engagement.start[1]

    def after(standing: Standing) -> Distribution[After]:
        state = standing[1]
        if state is before:
            return Distribution.always((state.number, state.left, ""))
        return engagement.fate(state, _test_after_volley).map(lambda fate: (state.number, state.left, fate))

    return engagement.attacks(engagement.start, declared).then(after)


def _aim(battle: Battle, unit: Unit, target: Unit, weapons: Iterable[str] | None) -> None:
    """All shots of the unit at that target are declared and on the turn track, the Morale Test behind them."""
    battle.activation = Activation(unit.id, unit.side, "hold")
    named = None if weapons is None else set(weapons)
    declared: list[Group] = []
    for weapon_type, weapon in ranged_types(unit).items():
        if named is not None and not named & {weapon_type, weapon.name}:
            continue
        firing = shooters(battle, unit, weapon_type, target)
        if firing:
            declared += play_out(declare_shots(battle, unit, weapon, target, firing, declared))
    judge_cover(battle, unit, declared)
    battle.then(test_after_wounds)
    play_out(order_attacks(battle, unit.side, declared))


def _volley(battle: Battle, memory: Memory, unit: Unit, target: UnitState) -> ShootingOdds:
    """The volley that is on the turn track."""
    engagement = Engagement(battle, memory, UnitState(unit), target, anywhere=False)
    declared = declared_on_track(battle)
    try:
        after = after_volley(engagement, declared)
    except TooMany:
        return try_volley(battle, (unit, target.unit))
    attacks = sum(group.attacks for group in declared)
    return ShootingOdds(SideOdds(target.number, target.left, after), attacks, lambda: _hits(engagement, declared))


def _hits(engagement: Engagement, declared: Waiting) -> Distribution[int]:
    return engagement.hits(declared, engagement.start) if declared else Distribution.always(0)


def shooting_odds(battle: Battle, unit: Unit, target: Unit, weapons: Iterable[str] | None = None) -> ShootingOdds:
    """The odds of the unit shooting at the target as things stand on the table, with all its weapons or those named.

    The battle is left as it is.
    """
    scene = apart(battle, unit, target)
    unit, target = scene.units[unit.id], scene.units[target.id]
    _aim(scene, unit, target, weapons)
    memory = Memory()
    return _volley(scene, memory, unit, memory.state_of(target))


def sampled_shooting(
    battle: Battle,
    unit: Unit,
    target: Unit,
    weapons: Iterable[str] | None = None,
    *,
    samples: int = 0,
    seed: int = 0,
) -> ShootingOdds:
    """`shooting_odds` by playing the volley so many times instead of counting it."""
    scene = apart(battle, unit, target)
    _aim(scene, scene.units[unit.id], scene.units[target.id], weapons)
    return try_volley(scene, (scene.units[unit.id], scene.units[target.id]), samples, seed)


def shooting_between(
    unit: Unit,
    target: Unit,
    *,
    distance: float = 12.0,
    cover: bool = False,
    moved: bool = False,
    weapons: Iterable[str] | None = None,
    options: Mapping[str, str] | None = None,
) -> ShootingOdds:
    """The odds of a volley on no table, with every weapon that reaches so many inches, or those that are named."""
    rules = usual_options() | dict(options or {})
    away = [inches(distance)] * len(unit.figures)
    return _volley_anywhere(memory_for(rules), unit, target, away, (cover, False), moved, weapons, rules)


def _volley_anywhere(
    memory: Memory,
    unit: Unit,
    target: Unit,
    away: Sequence[float],
    cover: tuple[bool, bool],
    moved: bool,
    weapons: Iterable[str] | None,
    options: Mapping[str, str],
) -> ShootingOdds:
    """A volley in the open: each model so far away from the target, which claims Cover or not."""
    battle = on_no_table(options)
    state = memory.state_anywhere(target, "target")
    shooting, shot = unit.copy(), state.unit.copy()
    shooting.id, shooting.reserve = "shooter", None
    for figure, distance in zip(shooting.figures, away, strict=True):
        figure.x, figure.y, figure.z = -figure.radius - distance, 0.0, 0.0
        figure.moved = moved
    for figure in shot.figures:
        figure.x = figure.radius
    shooting.update_bounds()
    shot.update_bounds()
    battle.units = {shooting.id: shooting, shot.id: shot}
    _aim(battle, shooting, shot, weapons)
    for group in battle.acting.groups:
        group.inside, group.behind = cover
    return _volley(battle, memory, shooting, state)


def quick_shooting(
    battle: Battle, unit: Unit, target: Unit, dx: float = 0.0, dy: float = 0.0, *, moved: bool = False
) -> QuickShooting:
    """`shooting_odds` in decimals, from where the unit would stand if it were shifted; remembered for the next time.

    Range is measured from every model; sight and Cover are judged once, from the model nearest to the target.
    """
    ranges = sorted({LONG_SHOT, *(w.range for f in unit.figures for w in f.profile.ranged_weapons)})
    places = [(f.x, f.y, f.radius, f) for f in target.figures]
    nearest = (_FAR, unit.figures[0], target.figures[0])
    away: list[float] = []
    for figure in unit.figures:
        x, y = figure.x + dx, figure.y + dy
        least = _FAR
        for ox, oy, r, other in places:
            gap = ((x - ox) ** 2 + (y - oy) ** 2) ** 0.5 - r
            if gap < least:
                least, closest = gap, other
        least -= figure.radius
        if least < nearest[0]:
            nearest = (least, figure, closest)
        # Only which ranges it is within makes a difference.
        away.append(next((reach for reach in ranges if least <= reach + TOLERANCE), _FAR))
    if min(away) == _FAR:
        return QuickShooting(0.0, 0.0, 0.0, 0.0)

    eye = nearest[1].copy()
    eye.x, eye.y = eye.x + dx, eye.y + dy
    seen = can_see(battle, eye, unit, nearest[2], target)
    cover = cover_of(battle, eye, target)
    memory = memory_for(battle.options)
    state = memory.state_anywhere(target, "target")
    firing = frozenset(Counter((f.profile, f.used, reach) for f, reach in zip(unit.figures, away, strict=True)).items())
    key = (state, firing, unit.effects, seen, cover, moved)
    found = memory.volleys.get(key)
    if found is None:
        blind = None if seen else [type for type, weapon in ranged_types(unit).items() if not weapon.needs_sight]
        odds = _volley_anywhere(memory, unit, target, away, cover, moved, blind, battle.options).target
        share, destroyed, shaken = odds.in_decimals()
        found = memory.volleys[key] = QuickShooting(share * odds.left, share, destroyed, shaken)
    return found
