"""The odds of a duel of two characters (TLAOK-DUEL)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from oriflamme.engine.odds import Distribution
from oriflamme.games.tlaok.characters.duel import Duellist, blow_back, blow_of, resolve_test
from oriflamme.games.tlaok.losses.wounds import toughness
from oriflamme.games.tlaok.odds.casualties import NOTHING, failed_morale
from oriflamme.games.tlaok.odds.strikes import Blow, blows_of
from oriflamme.games.tlaok.state import Battle, Regiment


class DuelOdds(NamedTuple):
    """Wounds of the challenger and of the challenged, together; and who falls of the two."""

    wounds: Distribution[tuple[int, int]]
    falls: Distribution[tuple[bool, bool]]

    @property
    def challenger_falls(self) -> float:
        return float(self.falls.chance(lambda fallen: fallen[0]))

    @property
    def challenged_falls(self) -> float:
        return float(self.falls.chance(lambda fallen: fallen[1]))


def duel_odds(battle: Battle, regiment: Regiment, enemy: Regiment) -> DuelOdds:
    """A duel that is accepted (TLAOK-DUEL-09 to -12), with what is struck back."""
    own, other = Duellist(battle, regiment), Duellist(battle, enemy)
    first, second = (other, own) if other.first and not own.first else (own, other)
    quick = bool(own.first) != bool(other.first)
    deadly = [toughness(battle, each.regiment, each.stand) - each.stand.wounds for each in (first, second)]
    answer = _struck_in_duel(battle, second, first)

    def then(wounds: tuple[int, int]) -> Distribution[tuple[int, int]]:
        """Wounds of the second and of the first, who has struck."""
        hurt, back = wounds
        if quick and (back >= deadly[0] or hurt >= deadly[1]):
            return Distribution.always((back, hurt))
        return answer.map(lambda more: (back + more[0], hurt + more[1]))

    law = _struck_in_duel(battle, first, second).then(then)
    if first is other:
        law, deadly = law.map(lambda wounds: (wounds[1], wounds[0])), deadly[::-1]
    return DuelOdds(law, law.map(lambda wounds: (wounds[0] >= deadly[0], wounds[1] >= deadly[1])))


def _struck_in_duel(battle: Battle, by: Duellist, whom: Duellist) -> Distribution[tuple[int, int]]:
    """The wounds that one gives the other and gets back, with those of the Resolve rolls."""
    blow = blow_of(battle, by, whom)
    if not blow.attacks:
        return Distribution.always((0, 0))

    @cache
    def back(hits: int) -> Distribution[int]:
        if not hits:
            return NOTHING
        wounds = blows_of([blow_back(battle, by, whom, hits)]).map(lambda struck: struck[1])
        return wounds.then(lambda number: _resolved(battle, by, whom, number))

    def follow(struck: Blow) -> Distribution[tuple[int, int]]:
        _, wounds, answers = struck
        return _resolved(battle, whom, by, wounds).then(lambda hurt: back(answers).map(lambda own: (hurt, own)))

    return blows_of([blow]).then(follow)


def _resolved(battle: Battle, whom: Duellist, by: Duellist, wounds: int) -> Distribution[int]:
    """So many wounds, and those of the Resolve rolls for them."""
    if not wounds:
        return NOTHING
    return failed_morale(battle, resolve_test(battle, whom, by, wounds)).map(lambda more: wounds + more)
