"""Mystics: when they act, whom they reach, and how a power is called (RN3-MYA, RN3-MYS, RN3-FAI, RN3-MAG)."""

from __future__ import annotations

from collections.abc import Iterator

from oriflamme.engine.core.battle import box_gap
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import in_cm
from oriflamme.games.rn3 import targets
from oriflamme.games.rn3.attempts import attempt
from oriflamme.games.rn3.bonds import summoned_by
from oriflamme.games.rn3.contact import gap
from oriflamme.games.rn3.effects import apply_effect, end_effects
from oriflamme.games.rn3.elixir import spend, why_not_exploit
from oriflamme.games.rn3.events import PowerDeclared, PowerFailed, PowerOutOfRange, PowerStopped, PowerTookEffect
from oriflamme.games.rn3.measures import CONTACT, MYSTIC_RANGE
from oriflamme.games.rn3.pools import faithful, lose_faith, magicians, refill
from oriflamme.games.rn3.powers import Power
from oriflamme.games.rn3.sight import Lines, unit_sees
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Step, Unit, skills_of, step, value_of
from oriflamme.games.rn3.summoning import call_up, upkeep_of_summoned
from oriflamme.games.rn3.trials import Trial, prepare

__all__ = ["can_act", "end_effects", "end_orders", "keep_summoned", "mystic_actions", "refill"]


# -- what may be done --------------------------------------------------------------------------------------------------


def points_of(battle: Battle, unit: Unit, power: Power) -> int:
    """What a unit can pay a power with: mana, faith, or elixir for the exploit of an artefact."""
    if power.kind == "artefact":
        return battle.elixir[unit.side]
    return unit.faith if power.faithful else unit.mana


def why_not_power(battle: Battle, unit: Unit, fighter: Fighter, power: Power) -> Refusal | None:
    """The reason a mystic cannot use a power now, if any."""
    refusal = _why_not_pay(battle, unit, fighter, power)
    if refusal is None and power.needs_target and not has_target(battle, unit, fighter, power):
        facts = {"unit": unit.id, "fighter": fighter.id, "power": power.id}
        return Refusal("RN3-FAI-07", "no_target_seen", facts)
    return refusal


def _why_not_pay(battle: Battle, unit: Unit, fighter: Fighter, power: Power) -> Refusal | None:
    """The reason a mystic cannot use a power, whoever is in sight."""
    facts = {"unit": unit.id, "fighter": fighter.id, "power": power.id}
    if power.kind == "artefact":
        refusal = why_not_exploit(battle, unit, fighter, power.id, power.cost)
        if refusal is not None:
            return refusal
    elif points_of(battle, unit, power) < power.cost:
        rule = "RN3-FAI-08" if power.faithful else "RN3-MAG-07"
        return Refusal(rule, "too_few_points", {**facts, "cost": power.cost, "points": points_of(battle, unit, power)})
    if power.once and _mark(fighter, power) in unit.used_up:
        return Refusal("RN3-MYS-07", "power_used", facts)
    if power.summons and summoned_by(battle, fighter) is not None:
        return Refusal("RN3-SUM-03", "has_summoned", facts)
    return None


def _mark(fighter: Fighter, power: Power) -> str:
    return f"turn:{fighter.id}/{power.id}"


def targets_of(
    battle: Battle, unit: Unit, fighter: Fighter, power: Power, against: Unit | None = None
) -> Iterator[Unit]:
    """The units a power may be aimed at: of the right side and seen by the mystic; how far they are is measured later
    (RN3-FAI-07, RN3-MYS-04, -08). `against` is the only one where a standby unit answers it (RN3-TAC-07)."""
    for other in battle.on_table():
        if against in (None, other) and _is_meant(battle, unit, power, other) and _sees(battle, unit, fighter, other):
            yield other


def has_target(battle: Battle, unit: Unit, fighter: Fighter, power: Power) -> bool:
    """Whether there is a unit that a power may be aimed at (`targets_of`). The nearest are asked first: they are seen
    most often."""
    if power.target == "self":
        return unit.on_table
    x, y = fighter.x, fighter.y
    nearest = sorted(battle.on_table(), key=lambda other: box_gap(other.box, (x, y, x, y)))
    return any(_is_meant(battle, unit, power, other) and _sees(battle, unit, fighter, other) for other in nearest)


def _is_meant(battle: Battle, unit: Unit, power: Power, other: Unit) -> bool:
    """A unit is of those that a power is for, if its mystic sees it."""
    if power.target == "self":
        return other is unit
    if (power.target == "friend") != (other.side == unit.side) and power.target != "any":
        return False
    return other.side == unit.side or targets.why_not_target(battle, unit, other) is None


def _sees(battle: Battle, unit: Unit, fighter: Fighter, other: Unit) -> bool:
    """A mystic sees one model of a unit, or all of them where the whole unit counts (RN3-MYS-04)."""
    seen = all if battle.is_option("mysticTarget", "wholeUnit") else any
    return other is unit or seen(Lines(battle, unit, other, "mystic").seen_by(fighter))


def reached(battle: Battle, unit: Unit, fighter: Fighter, target: Unit) -> list[Fighter]:
    """The models of a target within 40 cm and in sight: only they are affected (RN3-MYS-04). With mysticTarget =
    wholeUnit it is all of them or none."""
    if target is unit:
        found = [f for f in target.figures if gap(fighter, f) <= MYSTIC_RANGE + CONTACT]
    else:
        lines = Lines(battle, unit, target, "mystic")
        near = [f for f in target.figures if gap(fighter, f) <= MYSTIC_RANGE + CONTACT]
        found = [f for f in near if lines.sees(fighter, f)]
    if battle.is_option("mysticTarget", "wholeUnit") and len(found) < len(target.figures):
        return []
    return found


def measured(battle: Battle, unit: Unit, fighter: Fighter, target: Unit) -> float:
    """How far a target is: to the nearest model the mystic sees, or to the farthest where the whole unit counts."""
    if battle.is_option("mysticTarget", "wholeUnit"):
        return max(gap(fighter, f) for f in target.figures)
    lines = Lines(battle, unit, target, "mystic")
    return min(gap(fighter, f) for f in target.figures if target is unit or lines.sees(fighter, f))


def can_act(battle: Battle, unit: Unit, against: Unit | None = None) -> bool:
    """Whether a mystic of the unit has anything he could do now."""
    return any(True for _ in offered(battle, unit, against))


def end_orders(battle: Battle) -> None:
    """The orders phase is over: faith that was not used is lost (RN3-FAI-03)."""
    lose_faith(battle)


# -- a window ----------------------------------------------------------------------------------------------------------


@step
def mystic_actions(battle: Battle, unit_id: str, window: str, against: str = "") -> Step:
    """Mystics of a unit act now, as often as their points allow (RN3-MYA-01).

    `window` says when: "before", "between" or "after" what the unit does, or "standby", where only the enemy who is
    being activated may be the target.
    """
    unit = battle.units[unit_id]
    while unit.on_table:
        options = _options(battle, unit, against)
        if not options:
            return
        key = yield from pick_one(
            unit.side,
            [Option("none", "none"), *options],
            "mystic_action",
            "RN3-MYA-01",
            {"unit": unit.id, "window": window},
            default="none",
            why_not=lambda key: _why_not(battle, unit, key),
            passing="none",
        )
        if key == "none":
            return
        fighter_id, _, power_id = key.partition("/")
        fighter = unit.figure(fighter_id)
        assert fighter is not None
        power = next(p for p in fighter.profile.powers if p.id == power_id)
        yield from use(battle, unit, fighter, power, battle.units[against] if against else None)


def _options(battle: Battle, unit: Unit, against: str) -> list[Option]:
    return battle.worked_out(lambda: list(offered(battle, unit, battle.units[against] if against else None)))


def offered(battle: Battle, unit: Unit, against: Unit | None) -> Iterator[Option]:
    """The powers that mystics of a unit can use now, as `fighter/power`."""
    for fighter in unit.figures:
        # Whether he sees somebody whom powers of a kind may be aimed at.
        sees: dict[str, bool] = {}
        for power in fighter.profile.powers:
            # A titan's abilities are cards of their own (RN3-TIT-04).
            if power.kind == "ability":
                continue
            if against is not None and (power.summons or power.target not in ("enemy", "any")):
                continue
            if _why_not_pay(battle, unit, fighter, power) is not None:
                continue
            if power.needs_target:
                if power.target not in sees:
                    sees[power.target] = has_target(battle, unit, fighter, power)
                if not sees[power.target]:
                    continue
            if against is not None and not any(True for _ in targets_of(battle, unit, fighter, power, against)):
                continue
            facts = {"fighter": fighter.id, "power": power.id, "cost": power.cost}
            yield Option(f"{fighter.id}/{power.id}", "power", facts, (fighter.id,))


def _why_not(battle: Battle, unit: Unit, key: str) -> Refusal | None:
    fighter = unit.figure(key.partition("/")[0])
    for power in fighter.profile.powers if fighter is not None else ():
        if power.id == key.partition("/")[2] and fighter is not None:
            return why_not_power(battle, unit, fighter, power)
    return None


# -- a power -----------------------------------------------------------------------------------------------------------


def use(battle: Battle, unit: Unit, fighter: Fighter, power: Power, against: Unit | None = None) -> Asking[bool]:
    """A power is called (RN3-FAI-07 to -12, RN3-MAG-07). Whether it took effect.

    1. The mystic, the power and the target are named.                                RN3-FAI-07
    2. Points are spent, sublimation included.                                        RN3-FAI-08
    3. The distance is measured; beyond 40 cm the points are lost.                    RN3-FAI-09, RN3-MYS-08
    4. The opponent may censure a litany or counter a ritual.                         RN3-FAI-10, RN3-MAG-07
    5. Rituals and litanies are tested; spells and miracles succeed by themselves.    RN3-FAI-11, RN3-MAG-04
    6. The effects are applied.                                                       RN3-FAI-12
    """
    if power.summons:
        return (yield from call_up(battle, unit, fighter, power, pay, cast))
    target: Unit | None = None
    if power.needs_target:
        target = yield from _choose_target(battle, unit, fighter, power, against)
    targets.reveal(battle, unit)
    if target is not None:
        targets.reveal(battle, target)
    spent = yield from pay(battle, unit, fighter, power, target.id if target is not None else "")
    found: list[Fighter] = []
    if target is not None:
        found = reached(battle, unit, fighter, target)
        if not found:
            away = in_cm(measured(battle, unit, fighter, target))
            battle.tell(PowerOutOfRange("RN3-MYS-08", unit.id, power.id, target.id, away, spent))
            return False
    if not (yield from cast(battle, unit, fighter, power, spent, target)):
        return False
    whole = target is None or len(found) == len(target.figures)
    ids = () if whole else tuple(f.id for f in found)
    battle.tell(PowerTookEffect("RN3-FAI-12", unit.id, power.id, target.id if target is not None else "", ids))
    on = target if target is not None else unit
    yield from apply_effect(
        battle,
        power.effect,
        source=power.id,
        rule=rule_of(power),
        duration=power.duration,
        by=unit,
        caster=fighter,
        target=on,
        reached=found or list(on.figures),
    )
    return True


def rule_of(power: Power) -> str:
    """The rule behind what a power does."""
    return {"spell": "RN3-MAG-04", "miracle": "RN3-FAI-04", "ritual": "RN3-MAG-05", "artefact": "RN3-ELX-04"}.get(
        power.kind, "RN3-FAI-05"
    )


def _choose_target(battle: Battle, unit: Unit, fighter: Fighter, power: Power, against: Unit | None) -> Asking[Unit]:
    about = {"unit": unit.id, "fighter": fighter.id, "power": power.id}
    meant = [other for other in battle.on_table() if against in (None, other) and _is_meant(battle, unit, power, other)]
    options = [Option.thing(other.id, "unit") for other in meant]

    def is_open(key: str) -> bool:
        return _sees(battle, unit, fighter, battle.units[key])

    key = yield from pick_one(unit.side, options, "power_target", "RN3-FAI-07", about, is_open=is_open)
    return battle.units[key]


def pay(battle: Battle, unit: Unit, fighter: Fighter, power: Power, target: str) -> Asking[int]:
    """Its cost, and one point for each die more (RN3-FAI-08, RN3-MAG-08): what was spent."""
    more = 0
    left = points_of(battle, unit, power) - power.cost
    if power.tested and left > 0:
        options = [Option(str(n), "sublimation", {"dice": n}) for n in range(left + 1)]
        about = {"unit": unit.id, "fighter": fighter.id, "power": power.id, "points": left, "target": target}
        rule = "RN3-FAI-08" if power.faithful else "RN3-MAG-08"
        more = int((yield from pick_one(unit.side, options, "sublimation", rule, about, default="0")))
    return spend_points(battle, unit, fighter, power, target, more)


def pay_printed(battle: Battle, unit: Unit, fighter: Fighter, power: Power, target: str) -> Asking[int]:
    """The printed cost and no more: what keeping a summoned unit takes (RN3-SUM-06)."""
    return spend_points(battle, unit, fighter, power, target, 0)
    yield


def spend_points(battle: Battle, unit: Unit, fighter: Fighter, power: Power, target: str, more: int) -> int:
    """Mana, faith or elixir is spent: the cost of a power and `more` points for sublimation."""
    spent = power.cost + more
    if power.kind == "artefact":
        spend(battle, unit, fighter, power.id, power.cost, "RN3-ELX-04")
    elif power.faithful:
        unit.faith -= spent
    else:
        unit.mana -= spent
    if power.once:
        unit.used_up += (_mark(fighter, power),)
    rule = "RN3-FAI-08" if power.faithful else "RN3-MAG-07"
    battle.tell(PowerDeclared(rule, unit.id, fighter.id, power.id, target, spent, more))
    return spent


def cast(battle: Battle, unit: Unit, fighter: Fighter, power: Power, spent: int, target: Unit | None) -> Asking[bool]:
    """Censure or counter-magic, and the test (RN3-FAI-10, -11). Spells, miracles and artefacts need neither."""
    if not power.tested:
        return True
    if (yield from answered(battle, unit, power, spent)):
        return False
    trial = test_of(unit, fighter, power, spent - power.cost, difficulty_of(power, target))
    hero = fighter if fighter.profile.incarnate else None
    result = yield from attempt(battle, trial, unit=unit, hero=hero, against=target)
    if not result.passed:
        battle.tell(PowerFailed("RN3-FAI-11", unit.id, power.id))
    return result.passed


def difficulty_of(power: Power, target: Unit | None) -> int:
    """A number, or the best value of a characteristic in the target unit, as it is now (RN3-FAI-11)."""
    if isinstance(power.difficulty, int):
        return power.difficulty
    if target is None:
        return 0
    return max(value_of(target, f, power.difficulty) for f in target.figures)


def test_of(unit: Unit, fighter: Fighter, power: Power, sublimation: int, difficulty: int) -> Trial:
    """Ferveur or Pouvoir against the difficulty; the player keeps the die he prefers, so one success is enough
    (RN3-FAI-11)."""
    stat, kind, rule = ("foi", "faith", "RN3-FAI-11") if power.faithful else ("pou", "power", "RN3-MAG-07")
    trial = Trial(
        kind,
        1 + sublimation,
        value_of(unit, fighter, stat),
        difficulty,
        rule,
        by=unit.id,
        single=True,
        sources=(stat.upper(), "difficulty"),
    )
    prepare(trial, (skills_of(unit, fighter),))
    return trial


def answered(battle: Battle, unit: Unit, power: Power, spent: int) -> Asking[bool]:
    """An enemy unit with a mystic of the same kind that sees the calling unit may spend as much to stop the power; both
    sides lose the points (RN3-FAI-10, RN3-MAG-07, -09)."""
    cost = power.cost if battle.is_option("censureCost", "printedCost") else spent
    able = []
    for enemy in battle.enemies_of(unit.side):
        mystics = faithful(enemy) if power.faithful else magicians(enemy)
        points = enemy.faith if power.faithful else enemy.mana
        if mystics and points >= cost and unit_sees(battle, enemy, unit, "react"):
            able.append(enemy)
    if not able:
        return False
    rule = "RN3-FAI-10" if power.faithful else "RN3-MAG-07"
    key = yield from pick_one(
        1 - unit.side,
        [Option("none", "none"), *(Option.thing(e.id, "unit") for e in able)],
        "censure" if power.faithful else "counter_magic",
        rule,
        {"unit": unit.id, "power": power.id, "cost": cost},
        default="none",
        passing="none",
    )
    if key == "none":
        return False
    enemy = battle.units[key]
    if power.faithful:
        enemy.faith -= cost
    else:
        enemy.mana -= cost
    battle.tell(PowerStopped(rule, unit.id, power.id, enemy.id, cost))
    return True


def keep_summoned(battle: Battle, unit: Unit) -> Asking[tuple[str, ...]]:
    """At the start of a unit's activation: what its mystics have summoned, and may act with it (RN3-SUM-05 to -09)."""
    return (yield from upkeep_of_summoned(battle, unit, pay_printed, cast))
