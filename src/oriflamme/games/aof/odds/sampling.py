"""Odds of attacks with too many outcomes to be counted: the same steps are played many times with seeded dice."""

from __future__ import annotations

from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.games.aof.events import HitsRolled, MeleeCounted
from oriflamme.games.aof.odds.results import After, MeleeOdds, ShootingOdds, SideOdds
from oriflamme.games.aof.odds.scenes import apart
from oriflamme.games.aof.state import Battle, Unit, steps

SAMPLES = 2000


def _try(battle: Battle, units: tuple[Unit, Unit], last: str, samples: int = 0, seed: int = 0) -> list[Battle]:
    """Play what is on the turn track up to a last step so many times; the battles afterwards, with their logs."""
    dice = SeededDice(seed)
    played = []
    for _ in range(samples or SAMPLES):
        twin = apart(battle, *units)
        twin.activation = battle.acting.copy()
        twin.activation.hurt = ()
        twin.track = battle.track[:]
        twin.dice = dice
        twin.log = []
        while twin.track:
            name, args = twin.track.pop()
            play_out(steps.by_name[name](twin, *args))
            if name == last:
                break
        played.append(twin)
    return played


def _after(before: Unit, after: Unit) -> After:
    wounds = {f.id: f.wounds for f in (*after.figures, *after.fallen)}
    left = [f.profile.tough - wounds[f.id] for f in before.figures]
    fate = "shaken" if after.figures and after.shaken and not before.shaken else ""
    if not after.figures and any(left):
        fate = "routed"
    return sum(1 for n in left if n > 0), sum(left), fate


def try_volley(battle: Battle, units: tuple[Unit, Unit], samples: int = 0, seed: int = 0) -> ShootingOdds:
    played = _try(battle, units, "test_after_wounds", samples, seed)
    target = units[1]
    after = Distribution.counted(_after(target, twin.units[target.id]) for twin in played)
    hits = Distribution.counted(sum(e.hits for e in twin.log or () if isinstance(e, HitsRolled)) for twin in played)
    side = SideOdds(len(target.figures), sum(f.left for f in target.figures), after)
    return ShootingOdds(side, sum(g.attacks for g in battle.acting.groups), lambda: hits, len(played))


def try_melee(battle: Battle, units: tuple[Unit, Unit], samples: int = 0, seed: int = 0) -> MeleeOdds:
    played = _try(battle, units, "melee_results", samples, seed)
    afters = [Distribution.counted(_after(unit, twin.units[unit.id]) for twin in played) for unit in units]

    def winner(twin: Battle) -> str:
        for event in twin.log or ():
            if isinstance(event, MeleeCounted):
                return {units[0].id: "defender", units[1].id: "charger"}.get(event.loser or "", "nobody")
        return "charger" if twin.units[units[0].id].figures else "defender"

    charger, defender = (
        SideOdds(len(unit.figures), sum(f.left for f in unit.figures), after)
        for unit, after in zip(units, afters, strict=True)
    )

    def hits(side: int) -> Distribution[int]:
        rolled = ([e for e in twin.log or () if isinstance(e, HitsRolled)] for twin in played)
        return Distribution.counted(sum(e.hits for e in events if e.unit == units[side].id) for events in rolled)

    return MeleeOdds(charger, defender, Distribution.counted(map(winner, played)), hits, len(played))
