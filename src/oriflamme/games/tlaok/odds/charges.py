"""The odds of a charge: whether it arrives, by each way it may go, and what it does then."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import TypeVar

from oriflamme.engine.core.dice import Dice, HiddenDice, OutOfDice, Sorting
from oriflamme.engine.geometry.measure import INCH, TOLERANCE
from oriflamme.engine.odds import Distribution, over_all_rolls, play_out
from oriflamme.games.tlaok.charge.charge import BEST_ROLL, charge_at, distance_to, onrush_of, roll
from oriflamme.games.tlaok.combat.attacks import charged
from oriflamme.games.tlaok.odds.attacks import both_odds, clash_odds, impact_odds
from oriflamme.games.tlaok.odds.casualties import AttackOdds
from oriflamme.games.tlaok.state import Activation, Battle, Regiment
from oriflamme.games.tlaok.terrain.ground import pose_of

R = TypeVar("R", bound=Hashable)


def charge_die(battle: Battle, regiment: Regiment, target: Regiment) -> Distribution[int]:
    """The die of a charge, a failed roll rolled again where that is allowed; what counts instead of a die if none is
    rolled."""
    onrush, away = onrush_of(battle, regiment), distance_to(battle, regiment, target)
    return over_all_rolls(battle, lambda twin: play_out(roll(twin, regiment, onrush, away)))


def reach_chance(battle: Battle, regiment: Regiment, target: Regiment) -> float:
    """The chance that a charge is long enough."""
    onrush, away = onrush_of(battle, regiment), distance_to(battle, regiment, target)
    die = charge_die(battle, regiment, target)
    return float(die.chance(lambda face: onrush.reach(face) + TOLERANCE >= away))


def reach_by_distance(battle: Battle, regiment: Regiment) -> dict[int, float]:
    """By distance in whole inches, the chance that a charge of a regiment is long enough: from the last that is certain
    to the last that is possible (TLAOK-CHARGE-05)."""
    onrush = onrush_of(battle, regiment)
    faces = range(1, BEST_ROLL + 1) if onrush.fixed is None else (onrush.fixed[0],)
    found = {}
    for away in sorted({round(onrush.reach(face) / INCH) for face in faces}):
        missed = sum(onrush.reach(face) + TOLERANCE < away * INCH for face in faces) / len(faces)
        found[away] = 1 - missed * (missed if onrush.again is not None else 1)
    return found


class ChargeDice(Dice):
    """A charge roll that is known, then other dice for the ground it crosses; they run out when it has come home."""

    __slots__ = ("_charger", "_face", "_ground")

    def __init__(self, face: int, ground: Dice, charger: Regiment) -> None:
        super().__init__()
        self._face = face
        self._ground = ground
        self._charger = charger

    def sort(self, number: int, by: Sorting) -> tuple[int, ...]:
        if self._face:
            sort = by.faces[self._face - 1]
            self._face = 0
            return tuple(int(kind == sort) for kind in range(by.kinds))
        if charged(self._charger):
            raise OutOfDice
        return self._ground.sort(number, by)


def _charged(battle: Battle, regiment: Regiment, target: Regiment, die: int, ground: Dice) -> Battle | None:
    """The battle when a charge with that die has come home, before its impact attacks; None if it does not."""
    twin = battle.copy()
    own = twin.units[regiment.id]
    # A charge before this one is forgotten: it has come home when it is known to have charged.
    own.effects = tuple(effect for effect in own.effects if effect.stat != "charged")
    own.affect()
    twin.dice = ChargeDice(die if onrush_of(twin, own).fixed is None else 0, ground, own)
    twin.acting = twin.acting or Activation(regiment.id)
    try:
        play_out(charge_at(twin, own, twin.units[target.id]))
    except OutOfDice:
        pass
    twin.dice = HiddenDice()
    return twin if target.id in twin.contacts.get(regiment.id, {}) and not own.fate else None


def charged_home(battle: Battle, regiment: Regiment, target: Regiment) -> Battle | None:
    """The battle after the longest possible charge over ground that does no harm, before its impact attacks; None if it
    fails even so."""
    return _charged(battle, regiment, target, BEST_ROLL, Harmless())


class Harmless(Dice):
    """Dice that show ones."""

    __slots__ = ()

    def throw(self, number: int) -> list[int]:
        return [1] * number


def arrivals(battle: Battle, regiment: Regiment, target: Regiment) -> list[tuple[Battle, Fraction]]:
    """The battles in which a charge has come home, before its impact attacks, each with its chance: one for each way it
    may go and for each harm that the ground may do it."""
    onrush, away = onrush_of(battle, regiment), distance_to(battle, regiment, target)
    dice = charge_die(battle, regiment, target)
    enough = sorted(face for face in dice if onrush.reach(face) + TOLERANCE >= away)
    if not enough:
        return []
    longest = _homes(battle, regiment, target, enough[-1])
    # A longer charge may find a better way; where the shortest and the longest end alike, so do all between.
    if len(enough) == 1 or _end(battle, regiment, target, enough[0]) in {_pose(home, regiment) for home, _ in longest}:
        chance = sum((dice[face] for face in enough), Fraction())
        return [(home, chance * share) for home, share in longest]
    found = [(home, dice[enough[-1]] * share) for home, share in longest]
    for face in enough[:-1]:
        found += [(home, dice[face] * share) for home, share in _homes(battle, regiment, target, face)]
    return found


def _homes(battle: Battle, regiment: Regiment, target: Regiment, die: int) -> list[tuple[Battle, Fraction]]:
    """The battles in which a charge with that die has come home, by what the ground does to it."""
    homes: dict[Hashable, Battle] = {}

    def cross(ground: Dice) -> Hashable:
        home = _charged(battle, regiment, target, die, ground)
        if home is None:
            return None
        key = tuple((stand.id, stand.wounds) for stand in home.units[regiment.id].figures)
        homes.setdefault(key, home)
        return key

    return [(homes[key], share) for key, share in Distribution.of(cross).items() if key is not None]


def _pose(home: Battle, regiment: Regiment) -> tuple[float, ...]:
    return tuple(pose_of(home.units[regiment.id]))


def _end(battle: Battle, regiment: Regiment, target: Regiment, die: int) -> tuple[float, ...] | None:
    """Where a charge with that die ends, if the ground does it no harm; None if it does not come home."""
    home = _charged(battle, regiment, target, die, Harmless())
    return _pose(home, regiment) if home is not None else None


def mixed(parts: Sequence[tuple[AttackOdds, Fraction]]) -> AttackOdds:
    """Odds of which one or the other will be true, each as likely as is told."""
    total = sum((chance for _, chance in parts), Fraction())
    which = Distribution({number: chance / total for number, (_, chance) in enumerate(parts)})
    likely = max(parts, key=lambda part: part[1])[0]

    def mix(of: Callable[[AttackOdds], Distribution[R]]) -> Distribution[R]:
        return which.then(lambda number: of(parts[number][0]))

    return AttackOdds(
        likely.what,
        likely.attacks,
        mix(lambda odds: odds.hits),
        mix(lambda odds: odds.wounds),
        mix(lambda odds: odds.fate),
        mix(lambda odds: odds.taken),
        mix(lambda odds: odds.own),
    )


def charge_odds(
    battle: Battle, regiment: Regiment, target: Regiment, *, both: bool = False
) -> tuple[float, list[AttackOdds]]:
    """The chance that a charge comes home, and what its impact attacks do then, or a Clash that nothing came before;
    and `both`, one after the other."""
    homes = arrivals(battle, regiment, target)
    chance = float(sum((share for _, share in homes), Fraction()))
    found = []
    for odds in (impact_odds, clash_odds, both_odds) if both else (impact_odds, clash_odds):
        made = [(odds(home, home.units[regiment.id], home.units[target.id]), share) for home, share in homes]
        parts = [(part, share) for part, share in made if part is not None]
        if len(parts) == len(homes) and any(part.attacks for part, _ in parts):
            found.append(mixed(parts))
    return chance, found
