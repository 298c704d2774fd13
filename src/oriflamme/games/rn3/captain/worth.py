"""What things are worth to the captain, in points of the army: models, blows, shots, ground, and dangers.

Here means are enough: what each die brings is counted by the rules (`games.rn3.odds.laws`), how many models come into
contact is estimated, as one has to before a move is made. Once dice are set aside, whole laws count (`splits`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot
from typing import Final

from oriflamme.engine.geometry.measure import cm
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.rn3.area import typical
from oriflamme.games.rn3.army.prices import expected
from oriflamme.games.rn3.blows import Onset, Party, attack_trial, defence_trial, force_trial
from oriflamme.games.rn3.contact import is_free, unit_gap
from oriflamme.games.rn3.leaders import commander_of
from oriflamme.games.rn3.odds.fights import is_charge, meeting
from oriflamme.games.rn3.odds.laws import law_of, mean, suffered
from oriflamme.games.rn3.scenarios import scenario_of, zone_of
from oriflamme.games.rn3.scoring import counted
from oriflamme.games.rn3.shooting import difficulty_of, distance_between, range_of, shooters_of
from oriflamme.games.rn3.state import Battle, Fighter, Unit, skills_of, value_of

# What a victory point is worth at least, where losses bring none.
POINT: Final = 110.0
# Half of a unit counts as lost below half of its strength, the rest when it is gone. What a model counts at the
# beginning of such a half, how much more towards its end, what share of the unit the last of a half are worth, and by
# which power of its unit's points a model counts less: small units are sooner gone.
WHOLE: Final = 0.6
BROKEN: Final = 1.0
LAST: Final = 0.4
SMALL: Final = 0.5
SMALL_UNIT: Final = 300
# How much of what a unit counts goes by its models; the rest goes by halves.
BY_MODEL: Final = 0.5
# How much of what an enemy could do back counts, and what is left of a fight that is a turn away.
DANGER: Final = 0.5
LATE: Final[tuple[float, ...]] = (0.3, 0.6, 1.0)
PATIENCE: Final = 0.7
# What is left of a fight that no turn is left for: enemies come nearer, and the others move too.
HOPE: Final = 0.25
# What shots of a later turn count.
TO_COME: Final = 0.5
# From how much of its reach a whole unit comes into contact, and not only its first.
CLOSE: Final = 0.8
# What shots lose by the save of a dispersed unit (RN3-FORM-06).
SCATTERED: Final = 2 / 3


def point(battle: Battle) -> float:
    """What a victory point is worth in army points: as much as one has to eliminate for it."""
    scenario = scenario_of(battle)
    return max(POINT, 0.8 * scenario.losses) if scenario is not None else POINT


def _total(battle: Battle, unit: Unit) -> float:
    """What a unit is worth, with its commander if his fall counts."""
    total = float(unit.points or 35 * (unit.start + (unit.hero is not None)))
    scenario, commander = scenario_of(battle), commander_of(battle, unit.side)
    if scenario is not None and scenario.commander and commander is not None and commander[0] is unit:
        total += scenario.commander * point(battle) * 0.5
    return total


def price(battle: Battle, unit: Unit) -> float:
    """What one model of a unit is worth. Only halves and whole units count as losses, so the last of a half are worth
    more; and so are those round a commander whose fall counts."""
    total = _total(battle, unit)
    models = unit.start + 2 * (unit.hero is not None)
    left, half = len(unit.figures), (unit.start - 1) // 2
    above = left > half
    to_go = left - half if above else left
    whole = max(1, unit.start - half if above else half)
    done = max(0.0, 1 - to_go / whole)
    each = total / max(1, models) * (WHOLE + BROKEN * done) + LAST * total * done**2 / max(1, to_go)
    return each * float((SMALL_UNIT / max(SMALL_UNIT / 2, total)) ** SMALL)


def losses_of(battle: Battle, unit: Unit, most: int) -> list[float]:
    """What it counts if none, one, two and up to so many of a unit fall: each of them for the dice that fall with him,
    and the half of its points when it comes below half of its strength, and when the last is gone."""
    total, left, start = _total(battle, unit), len(unit.figures), unit.start

    def at(number: int) -> float:
        step = 1.0 if number <= 0 else 0.5 if 2 * number < start else 0.0
        return total * (BY_MODEL * (1 - number / max(left, start)) + (1 - BY_MODEL) * step)

    return [at(left - n) - at(left) for n in range(most + 1)]


# -- blows and shots ---------------------------------------------------------------------------------------------------


def able_to_touch(unit: Unit, enemy: Unit, times: int = 2) -> int:
    """How many of a unit can come into contact with an enemy by so many times their MOU, as the crow flies."""
    bases = [(f.x, f.y, f.radius) for f in enemy.figures]
    number = 0
    for f in unit.figures:
        far = times * cm(value_of(unit, f, "mou")) + f.radius
        number += any((x - f.x) ** 2 + (y - f.y) ** 2 <= (far + r) ** 2 for x, y, r in bases)
    return number


def blow(
    battle: Battle, by: Unit, on: Unit, how: Onset, *, attack: float = 1.0, defence: float = 0.4, models: int = 0
) -> float:
    """What a unit can be expected to kill of another, in army points, with such shares of the dice of both and so many
    of its models in contact, or as many as one may expect."""
    most = meeting(by, on)
    met = meeting(by, on, min(models, most.models)) if models else most
    one, struck = met.parties()
    points = typical(on).profile.hit_points
    fallen = felled(one, struck, met.dice * attack, met.guard * defence, how) / points
    hero = by.hero
    if hero is not None and by.hero_pool.left:
        fallen += felled(party_of_hero(by, hero), struck, by.hero_pool.left, defence, how) / points
    return min(fallen, met.facing + 1) * price(battle, on)


def felled(by: Party, struck: Party, attack: float, defence: float, how: Onset) -> float:
    """The damage to be expected of attack dice against defence dice."""
    hit, kept_off, wound = _each(by._replace(unit=""), struck._replace(unit=""), how[:-1], tuple(how.options.items()))
    hits = attack * hit
    # Even against as many successes in defence some blows come through.
    return max(hits - defence * kept_off, 0.15 * hits) * wound


@lru_cache(maxsize=4096)
def _each(
    by: Party, struck: Party, how: tuple[bool, bool, bool, bool], options: tuple[tuple[str, str], ...]
) -> tuple[float, float, float]:
    """What one die brings in attack, in defence and of damage, with all it earns."""
    onset = Onset(*how, dict(options))
    attack = 1.0 if struck.helpless else mean(law_of(attack_trial(by, struck, 1, onset)))
    wound = mean(suffered(law_of(force_trial(by, struck, 1, onset)), struck.skills))
    return attack, mean(law_of(defence_trial(struck, by, 1, onset))), wound


def party_of_hero(unit: Unit, hero: Fighter) -> Party:
    """An Incarnate as he fights."""
    return Party(
        unit.id,
        value_of(unit, hero, "att"),
        value_of(unit, hero, "def"),
        value_of(unit, hero, "for"),
        value_of(unit, hero, "res"),
        skills_of(unit, hero),
        titan=hero.profile.category == "titan",
    )


def onset_of(battle: Battle, unit: Unit, enemy: Unit) -> Onset:
    """How a unit comes to strike one that it assaults."""
    charge = is_charge(battle, unit, enemy)
    return Onset(True, charge, charge, False, battle.options)


def exchange(battle: Battle, unit: Unit, enemy: Unit, how: Onset, models: int = 0) -> float:
    """What a fight is worth: what falls there, less what could fall here in answer."""
    gain = blow(battle, unit, enemy, how, models=models)
    if enemy.attacked or enemy.machine is not None:
        return gain
    whole = price(battle, enemy) * len(enemy.figures)
    alive = max(0.1, 1 - gain / max(1.0, whole))
    plain = Onset(options=battle.options)
    return gain - caution(battle) * alive * blow(battle, enemy, unit, plain, attack=0.6, defence=0.3, models=models)


def caution(battle: Battle) -> float:
    """How much of what an enemy could do back counts: less in the last turns, when few are left to do it in and only
    whole units are lost."""
    return DANGER * LATE[min(battle.turns - battle.round, len(LATE) - 1)]


def shot(battle: Battle, unit: Unit, enemy: Unit, nearer: float = 0.0) -> float:
    """What a ranged attack can be expected to kill, in army points; from so much nearer."""
    away = distance_between(unit, enemy)
    hard = sum(reason.amount for reason in difficulty_of(battle, unit, enemy))
    hard -= range_of(away) - range_of(max(0.0, away - nearer))
    return volley(battle, unit, enemy, away - nearer, hard)


def volley(battle: Battle, unit: Unit, enemy: Unit, away: float, hard: int) -> float:
    """What a ranged attack from so far away, so difficult, can be expected to kill."""
    target = typical(enemy)
    total = 0.0
    for f in shooters_of(unit):
        line = f.profile.ranged
        if line is None or (line.most and away > cm(line.most)):
            continue
        hits = line.dice * expected(value_of(unit, f, "ranged_att") - hard) * (1.0 if enemy.compact else SCATTERED)
        if f.profile.machine:
            hits *= max(1, len(unit.figures) - 1)
        spread = 2.0 if line.area else 1.0
        total += spread * hits * expected(value_of(unit, f, "ranged_for") - value_of(enemy, target, "res"))
    return min(total / target.profile.hit_points, len(enemy.figures)) * price(battle, enemy)


# -- spots -------------------------------------------------------------------------------------------------------------


def ground(battle: Battle, unit: Unit, spot: Point) -> float:
    """What standing at a spot is worth: objectives that it would help to control, and the enemy's zone where that
    counts."""
    worth, left = 0.0, battle.turns - battle.round
    leader = unit.leading
    for objective in battle.objectives:
        away = max(0.0, hypot(spot[0] - objective.x, spot[1] - objective.y) - objective.radius * 0.6)
        there = counted(battle, objective)
        mine, theirs = there[unit.side], there[1 - unit.side]
        if hypot(leader.x - objective.x, leader.y - objective.y) <= objective.radius:
            mine -= len(unit.figures)
        needed = 0.15 if mine > theirs + 2 else 1.0 if mine + len(unit.figures) > theirs else 0.6
        value = point(battle) * (objective.points + 0.4 * objective.elixir) * needed
        worth += value * (1.0 + 0.3 * min(left, 3)) / (1 + away / cm(15))
    scenario = scenario_of(battle)
    if scenario is not None and scenario.crossing and not unit.summoner:
        zone = zone_of(battle, 1 - unit.side)
        border = zone.y0 + cm(6) if unit.side == 0 else zone.y1 - cm(6)
        away = max(0.0, border - spot[1] if unit.side == 0 else spot[1] - border)
        turns = away / max(1.0, 2 * cm(value_of(unit, leader, "mou")))
        # Who could not come any later has to go now.
        urgent = 1.0 if turns + 1.5 >= left else 0.35
        worth += scenario.crossing * point(battle) * urgent * max(0.0, 1 - turns / (left + 1.0))
    return worth


def reach_of(unit: Unit) -> float:
    """How far a unit can assault."""
    # Where nothing lasts on it, fighters of one profile move alike.
    each = unit.figures if unit.effects else {id(f.profile): f for f in unit.figures}.values()
    return 2 * cm(min([value_of(unit, f, "mou") for f in each]))


def approach(battle: Battle, gain: float, away: float, reach: float) -> float:
    """What a fight to come is worth to somebody who still has so far to go: less for each turn that it takes, and only
    what he may hope for if the enemy does not come to meet him and none is left."""
    left = battle.turns - battle.round
    if left <= 0:
        return 0.0
    late = max(0.0, away - reach) / max(1.0, reach) > left - 1
    return gain * (HOPE if late else 1.0) * float(PATIENCE ** (1 + max(0.0, away - CLOSE * reach) / max(1.0, reach)))


def aim(battle: Battle, unit: Unit, spot: Point, enemies: Sequence[Unit]) -> float:
    """What its shots from a spot can be worth in the next turn, if nothing stands between."""
    if battle.round >= battle.turns or unit.profile.ranged is None:
        return 0.0
    gains = (
        volley(battle, unit, enemy, away, range_of(away))
        for enemy in enemies
        for away in (hypot(spot[0] - enemy.leading.x, spot[1] - enemy.leading.y),)
    )
    return TO_COME * max(gains, default=0.0)


def distance_to(spot: Point, enemy: Unit) -> float:
    """From a spot to the nearest base of a unit."""
    return min(hypot(spot[0] - f.x, spot[1] - f.y) - f.radius for f in enemy.figures)


class Dangers:
    """What enemies who are still to act could do to a unit, wherever it stands. What has been worked out for one spot
    is kept for the next."""

    def __init__(self, battle: Battle, unit: Unit, enemies: Sequence[Unit]) -> None:
        self.battle = battle
        self.unit = unit
        to_act = [enemy for enemy in enemies if enemy.order is None and enemy.machine is None]
        self._threats = [(enemy, reach_of(enemy)) for enemy in to_act]
        # What a fight is worth to an enemy with so many of its models.
        self._fights: dict[tuple[str, int], float] = {}

    def at(self, spot: Point) -> float:
        """What the worst of them could do to it there, less what it could do back."""
        worst = 0.0
        for enemy, reach in self._threats:
            away = distance_to(spot, enemy)
            if reach > 0.0 and away <= reach + cm(2):
                models = round(len(enemy.figures) * min(1.0, 0.3 + (reach - away) / reach))
                worst = max(worst, self._fight(enemy, max(1, models)))
        return worst * caution(self.battle)

    def _fight(self, enemy: Unit, models: int) -> float:
        known = self._fights.get((enemy.id, models))
        if known is None:
            how = onset_of(self.battle, enemy, self.unit)
            known = self._fights[enemy.id, models] = exchange(self.battle, enemy, self.unit, how, models)
        return known


def is_in_reach(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    """Whether an enemy could assault it, as the crow flies."""
    return is_free(battle, enemy) and enemy.machine is None and unit_gap(enemy, unit) <= reach_of(enemy)
