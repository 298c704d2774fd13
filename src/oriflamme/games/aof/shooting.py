"""Shooting (AOF-SHOOT): who fires what at whom, and how groups of attacks are resolved (AOF-HIT)."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one, pick_several
from oriflamme.engine.core.steps import Asking, Step
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches
from oriflamme.games.aof.attacks import aim, in_hand, order_attacks, use_up, victims_named
from oriflamme.games.aof.events import ShotsDeclared
from oriflamme.games.aof.profile import Profile, Weapon
from oriflamme.games.aof.sight import can_see, cover_of, gap, range_to, unit_in_reach
from oriflamme.games.aof.state import Battle, Figure, Group, Unit, step

LONG_SHOT = inches(9)  # AOF-HIT-07


def ranged_types(unit: Unit) -> dict[str, Weapon]:
    """The weapon types the unit can still shoot with, each with its longest range (AOF-SHOOT-03, AOF-SR-LIMITED-01)."""
    types: dict[str, Weapon] = {}
    for figure in unit.figures:
        for weapon in in_hand(unit, figure.profile.ranged_weapons):
            known = types.get(weapon.type)
            if weapon.type not in figure.used and (known is None or known.range < weapon.range):
                types[weapon.type] = weapon
    return types


def shooters(battle: Battle, unit: Unit, weapon_type: str, target: Unit) -> list[tuple[Figure, Weapon, float]]:
    """The models that can fire this weapon at that unit, with the distance each one fires over (AOF-SHOOT-01)."""
    able = []
    for figure in unit.figures:
        for weapon in in_hand(unit, figure.profile.ranged_weapons):
            if weapon.type != weapon_type or weapon.type in figure.used:
                continue
            away = range_to(battle, figure, unit, target, weapon.range, weapon.needs_sight)
            if away is not None:
                able.append((figure, weapon, away))
    return able


def why_not_shoot(battle: Battle, unit: Unit, weapon: Weapon, target: Unit) -> Refusal | None:
    """The reason nobody can fire this weapon at that unit, if so (AOF-SHOOT-01, -02, AOF-LOS-01)."""
    in_range = False
    nearest = 1e9
    for figure in unit.figures:
        for held in in_hand(unit, figure.profile.ranged_weapons):
            if held.type != weapon.type or held.type in figure.used:
                continue
            if range_to(battle, figure, unit, target, held.range, held.needs_sight) is not None:
                return None
            away = min(gap(figure, f) for f in target.figures)
            nearest = min(nearest, away)
            in_range = in_range or away <= held.range + TOLERANCE
    facts = {"target": target.id, "weapon": weapon.name, "gap": in_inches(nearest), "range": in_inches(weapon.range)}
    if in_range:
        return Refusal("AOF-LOS-01", "not_in_sight", facts)
    return Refusal("AOF-SHOOT-02", "out_of_range", facts)


@step
def shoot(battle: Battle, unit_id: str) -> Step:
    """A unit shoots (AOF-SHOOT).

    1. For each weapon type its player names a target or holds fire; at most two targets.   AOF-SHOOT-03, -08
    2. Everything is declared before the first die, and stays as declared.                  AOF-SHOOT-04
    3. Takedown first, then Deadly, then the rest in the order the attacker likes.          AOF-HIT-02
    """
    unit = battle.units[unit_id]
    types = ranged_types(unit)
    if not types:
        return
    enemies = [e for e in battle.enemies_of(unit.side) if unit_in_reach(unit, e, max(w.range for w in types.values()))]
    declared: list[Group] = []
    targets: list[str] = []
    for weapon_type, weapon in types.items():
        able = {e.id: found for e in enemies if (found := shooters(battle, unit, weapon_type, e))}
        if len(targets) == 2:
            able = {id: found for id, found in able.items() if id in targets}
        if not able:
            continue

        def why_not(key: str, weapon: Weapon = weapon, targets: tuple[str, ...] = tuple(targets)) -> Refusal | None:
            target = battle.units.get(key)
            if target is None or target.side == unit.side or not target.on_table:
                return None
            if len(targets) == 2 and key not in targets:
                return Refusal("AOF-SHOOT-03", "two_targets_at_most", {"target": key, "targets": list(targets)})
            return why_not_shoot(battle, unit, weapon, target)

        chosen = yield from pick_one(
            unit.side,
            [
                *(Option.thing(id, "unit", {"shooters": len(found)}) for id, found in able.items()),
                Option("none", "hold_fire"),
            ],
            "choose_target",
            "AOF-SHOOT-03",
            {"unit": unit.id, "weapon": weapon.name},
            why_not=why_not,
        )
        if chosen == "none":
            continue
        if chosen not in targets:
            targets.append(chosen)
        declared += yield from declare_shots(battle, unit, weapon, battle.units[chosen], able[chosen], declared)
    if len(types) > 1:
        judge_cover(battle, unit, declared)
    for figure_id, weapon_type in [(f, g.weapon.type) for g in declared if g.weapon.used_once for f in g.figures]:
        use_up(unit, figure_id, weapon_type)
    yield from order_attacks(battle, unit.side, declared)


def declare_shots(
    battle: Battle,
    unit: Unit,
    weapon: Weapon,
    target: Unit,
    firing: list[tuple[Figure, Weapon, float]],
    before: Sequence[Group] = (),
) -> Asking[list[Group]]:
    """Who fires this weapon at that unit, as groups of attacks; some may save a Limited one (AOF-SHOOT-04)."""
    bearers = list(dict.fromkeys(f.id for f, _, _ in firing))
    if weapon.used_once and len(bearers) > 1:
        keys = yield from pick_several(
            unit.side,
            [Option.thing(id, "figure") for id in bearers],
            1,
            len(bearers),
            "who_uses_it_up",
            "AOF-SR-LIMITED-01",
            {"unit": unit.id, "weapon": weapon.name},
            default=bearers,
        )
        firing = [shot for shot in firing if shot[0].id in keys]
    battle.tell(ShotsDeclared("AOF-SHOOT-04", unit.id, weapon.name, target.id, tuple(f.id for f, _, _ in firing)))
    return (yield from _shooting_groups(battle, unit, target, firing, before))


def _shooting_groups(
    battle: Battle,
    unit: Unit,
    target: Unit,
    firing: list[tuple[Figure, Weapon, float]],
    before: Sequence[Group],
) -> Asking[list[Group]]:
    """The attacks of one weapon type, apart where their shooters, distances or views differ."""
    each = battle.option("aof.coverView") == "eachShooter"
    groups: dict[tuple[Weapon, Profile, bool, bool, tuple[bool, bool], str | None], list[Figure]] = {}
    named = victims_named(battle, before)
    for figure, weapon, away in firing:
        victim: Figure | None = None
        if weapon.picks_victim and len(target.figures) > 1:
            open_to = [
                f
                for f in target.figures
                if gap(figure, f) <= weapon.range + TOLERANCE
                and (not weapon.needs_sight or can_see(battle, figure, unit, f, target))
            ]
            key = yield from aim(unit.side, figure, weapon, open_to, named)
            victim = target.figure(key) if key is not None else None
            if victim is not None:
                away = gap(figure, victim)
        view = cover_of(battle, figure, target, victim) if each else (False, False)
        beyond = away > LONG_SHOT + TOLERANCE
        aimed = victim.id if victim is not None else None
        groups.setdefault((weapon, figure.profile, beyond, figure.moved, view, aimed), []).append(figure)
    made = [
        Group(
            unit.id,
            target.id,
            weapon,
            profile,
            tuple(f.id for f in figures),
            weapon.attacks * len(figures),
            (weapon.keywords, *battle.rules_of(unit, figures[0])),
            melee=False,
            beyond_9=beyond,
            after_moving=moved,
            inside=view[0],
            behind=view[1],
            victim=aimed,
        )
        for (weapon, profile, beyond, moved, view, aimed), figures in groups.items()
    ]
    judge_cover(battle, unit, made)
    return made


def judge_cover(battle: Battle, unit: Unit, groups: Sequence[Group]) -> None:
    """Cover is judged once for each target, from the closest of all the models that fire at it (AOF-TERRAIN-04)."""
    if not battle.table.pieces or battle.option("aof.coverView") == "eachShooter":
        return
    for target_id, aimed in dict.fromkeys((g.target, g.victim) for g in groups):
        target = battle.units[target_id]
        victim = target.figure(aimed) if aimed is not None else None
        together = [g for g in groups if g.target == target_id and g.victim == aimed]
        firing = {id for g in together for id in g.figures}
        seen = target.figures if victim is None else [victim]
        eye = min((f for f in unit.figures if f.id in firing), key=lambda f: min(gap(f, s) for s in seen))
        inside, behind = cover_of(battle, eye, target, victim)
        for group in together:
            group.inside, group.behind = inside, behind
