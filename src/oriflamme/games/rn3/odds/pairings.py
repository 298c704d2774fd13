"""A pairing as its fight stands: who touches whom, the dice both may set aside, and what each split would bring."""

from __future__ import annotations

from typing import NamedTuple

from oriflamme.games.rn3.allocation import Pair, hand_of, most_for
from oriflamme.games.rn3.blows import Onset, Party
from oriflamme.games.rn3.melee import counter_onset, eligible, fight_of, onset, party_of
from oriflamme.games.rn3.odds.laws import NOTHING, Law, damage_law, fallen_law, matrix, suffered
from oriflamme.games.rn3.state import Battle, Unit


class Strike(NamedTuple):
    """One side of a pairing strikes the other. `left` are the hit points of those who can be hit, the wounded first,
    who are finished before others (RN3-MELEE-14); `attack` and `defence` are the most dice there can be."""

    pair: Pair
    by: Party
    struck: Party
    onset: Onset
    left: tuple[int, ...]
    attack: int
    defence: int

    def losses(self, attack: int, defence: int) -> Law:
        """Models that fall to so many dice against so many."""
        if not attack:
            return NOTHING
        damage = damage_law(self.by, self.struck, attack, defence, self.onset)
        return fallen_law(suffered(damage, self.struck.skills), self.left)

    def matrix(self, most_attack: int, most_defence: int) -> list[list[Law]]:
        attack, defence = min(self.attack, most_attack), min(self.defence, most_defence)
        return matrix(self.by, self.struck, attack, defence, self.onset, self.left)


def strike_of(battle: Battle, pair: Pair) -> Strike:
    """How the first of a pairing would strike the second in the fight under way."""
    fight = fight_of(battle)
    own, against = pair
    unit, enemy = battle.units[own.unit], battle.units[against.unit]
    by = party_of(battle, own, against)
    how = onset(battle, fight, enemy, by.skills) if fight.unit == unit.id else counter_onset(battle, fight)
    hurt = [f for f in eligible(battle, own, against) if f.doomed is None]
    return Strike(
        pair,
        by,
        party_of(battle, against, own),
        how,
        tuple(sorted(f.left for f in hurt)),
        _most(battle, unit, enemy, pair),
        _most(battle, enemy, unit, Pair(against, own)),
    )


def _most(battle: Battle, unit: Unit, enemy: Unit, pair: Pair) -> int:
    """The most dice that a profile can spend on a pairing (RN3-MELEE-05, -06)."""
    hand = hand_of(battle, unit, [enemy])
    mine = [share for share in hand.shares if share.own == pair.own]
    return min(hand.limit(mine[0].pool), most_for(mine, [pair.against])) if mine else 0
