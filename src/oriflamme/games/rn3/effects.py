"""What powers, artefacts and titanic abilities do, as their cards say it in data.

| key | what it does |
|---|---|
| `stat` | changes characteristics: `{ def = -1, att = 2 }` |
| `skills` | gives skills: `["Ferocity"]` |
| `force` | Force tests: `{ for = 6, dice = 4 }`, or `each = true` for one die for each model it reaches |
| `heal` | points of damage that are healed, the worst wounded first |
| `rally` | a routed unit is valiant again |
| `disperse` | a compact unit is dispersed |
| `dice` | melee dice that come back from used ones, or are lost if below 0 |
| `move` | the unit may move so many centimetres, not into contact |
| `tactic_points` | points of tactics for the company |
| `mana`, `faith` | points for the pool of the target, or lost from it if below 0 |
| `summon` | fighters that are summoned (RN3-SUM) |

Of a unit only the models within 40 cm and in sight are reached (RN3-MYS-04). On a titan only `force` does anything,
unless it comes from an ability card of its own (RN3-TIT-07); nothing moves it at all (RN3-TIT-02).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.geometry.measure import cm
from oriflamme.games.rn3.attempts import attempt
from oriflamme.games.rn3.events import EffectEnded, EffectLaid, Healed, PoolChanged, Rallied
from oriflamme.games.rn3.formation import disperse
from oriflamme.games.rn3.losses import Cause, cancel_damage, hurt
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.moving import free_move
from oriflamme.games.rn3.pools import MOST_MANA
from oriflamme.games.rn3.state import Asking, Battle, Effect, Fighter, Unit, skills_of, value_of
from oriflamme.games.rn3.targets import hero_tested
from oriflamme.games.rn3.trials import Trial, prepare

LASTING: Final = frozenset({"stat", "skills"})


def apply_effect(
    battle: Battle,
    effect: Mapping[str, Any],
    *,
    source: str,
    rule: str,
    duration: str,
    by: Unit,
    caster: Fighter,
    target: Unit,
    reached: Sequence[Fighter],
) -> Asking[None]:
    """Everything a power does to a unit, in the order of the table above."""
    titan = target.profile.category == "titan"
    fighters = () if len(reached) == len(target.figures) else tuple(f.id for f in reached)
    immune = titan and target is not by
    if not immune:
        lay(battle, effect, source, rule, duration, target, fighters)
    if "force" in effect:
        yield from inflict(battle, effect["force"], rule, by, caster, target, reached)
    if immune or not target.figures:
        return
    if effect.get("heal"):
        heal(battle, target, reached, int(effect["heal"]), rule)
    if effect.get("rally") and target.routed:
        target.routed = False
        battle.tell(Rallied(rule, target.id))
    if effect.get("disperse"):
        disperse(battle, target, rule)
    for what in ("dice", "tactic_points", "mana", "faith"):
        if effect.get(what):
            change_pool(battle, target, what, int(effect[what]), rule)
    if effect.get("move") and not titan:
        reach = {f.id: cm(float(effect["move"])) for f in target.figures}
        yield from free_move(battle, target, reach, rule, "move_by_power")


def lay(
    battle: Battle,
    effect: Mapping[str, Any],
    source: str,
    rule: str,
    duration: str,
    target: Unit,
    fighters: tuple[str, ...],
) -> None:
    """What lasts: characteristics that are changed, and skills (RN3-MYS-09). "instant" is until the next
    activation of the unit; files of companies say so outright."""
    until = "activation" if duration == "instant" else duration
    for stat, amount in effect.get("stat", {}).items():
        target.effects += (Effect(source, rule, until, stat=stat, amount=amount, fighters=fighters),)
        battle.tell(EffectLaid(rule, target.id, source, stat, amount, until))
    for title in effect.get("skills", ()):
        skill = book.parse(title)
        target.effects += (Effect(source, rule, until, skill=skill, fighters=fighters),)
        battle.tell(EffectLaid(rule, target.id, source, str(skill), 0, until))


def end_effects(battle: Battle, until: str, units: Sequence[Unit] | None = None) -> None:
    """What lasted until now ends (RN3-MYS-09)."""
    for unit in units if units is not None else battle.units.values():
        ending = [effect for effect in unit.effects if effect.until == until]
        if ending:
            unit.effects = tuple(effect for effect in unit.effects if effect.until != until)
            for source in dict.fromkeys(effect.source for effect in ending):
                battle.tell(EffectEnded("RN3-MYS-09", unit.id, source))


def inflict(
    battle: Battle,
    force: Mapping[str, Any],
    rule: str,
    by: Unit,
    caster: Fighter,
    target: Unit,
    reached: Sequence[Fighter],
) -> Asking[None]:
    """Force tests of a power: so many dice, or one for each model it reaches, against the RES of the troop. Losses are
    the models nearest to the caster; an Incarnate is protected as long as others are left (RN3-INC-08)."""
    dice = len(reached) if force.get("each") else int(force.get("dice", 1))
    troops = [f for f in reached if not f.profile.incarnate and not f.profile.machine]
    others = [f for f in target.figures if not f.profile.incarnate and not f.profile.machine]
    victims = troops or others or list(reached)
    typical = victims[0]
    res = value_of(target, typical, "res")
    trial = Trial("blast", dice, int(force["for"]), res, rule, by=by.id, against=target.id, sources=("FOR", "RES"))
    titan = target.profile.category == "titan"
    prepare(trial, (), (skills_of(target, typical),), against_titan=titan)
    result = yield from attempt(battle, trial, unit=by, against=target, target_hero=hero_tested(target))
    cause = Cause("power", by.id, caster.id if caster.profile.incarnate else "")
    points = yield from cancel_damage(battle, target, victims, result.successes, trial)
    order = sorted(victims, key=lambda f: (-f.wounds, (f.x - caster.x) ** 2 + (f.y - caster.y) ** 2, f.id))
    for victim in order:
        taken = min(points, victim.left)
        points -= taken
        if taken:
            yield from hurt(battle, target, victim, taken, cause)


def heal(battle: Battle, unit: Unit, reached: Sequence[Fighter], points: int, rule: str) -> None:
    """Damage is taken back, the worst wounded first."""
    for fighter in sorted(reached, key=lambda f: (-f.wounds, f.id)):
        healed = min(points, fighter.wounds)
        if healed:
            fighter.wounds -= healed
            points -= healed
            battle.tell(Healed(rule, unit.id, fighter.id, healed))


def change_pool(battle: Battle, unit: Unit, what: str, number: int, rule: str) -> None:
    """Points that are given or taken away: melee dice come back from those that were used or leave the reserve, mana
    stays below 30 (RN3-MAG-03), tactic points are those of the unit's side; nothing falls below 0."""
    if what == "dice":
        pool = unit.pool
        amount = min(number, pool.used) if number > 0 else -min(-number, pool.left)
        pool.left += amount
        pool.used -= max(0, amount)
        left = pool.left
    elif what == "tactic_points":
        points = list(battle.tactic_points)
        amount = max(number, -points[unit.side])
        points[unit.side] += amount
        battle.tactic_points = (points[0], points[1])
        left = points[unit.side]
    else:
        before = unit.mana if what == "mana" else unit.faith
        left = max(0, before + number)
        if what == "mana":
            left = unit.mana = min(MOST_MANA, left)
        else:
            unit.faith = left
        amount = left - before
    if amount:
        battle.tell(PoolChanged(rule, unit.id, what, amount, left))
