"""One attack, from its hit roll to its wounds; the attacks of a group do not touch one another, and are added up."""

from __future__ import annotations

from functools import lru_cache

from oriflamme.engine.core.dice import Dice
from oriflamme.engine.odds import Distribution
from oriflamme.games.aof.attack import Attack, roll_to_block, roll_to_hit
from oriflamme.games.aof.attacks import attack_of, harm_of
from oriflamme.games.aof.melee import impact_attack, roll_impact
from oriflamme.games.aof.moments import Keyword, KeywordSet, book
from oriflamme.games.aof.state import Battle, Group, Unit
from oriflamme.games.aof.wounds import Harm, ignored

# Everything an attack is declared with, but for the numbers of attacks and of models in the target.
_CIRCUMSTANCES = tuple(
    slot
    for slot in Attack.__slots__
    if slot not in ("attacks", "block", "cover", "extra", "models_in_target", "needed", "sets", "target_sets")
)
# Moments that no attack comes to, between the hit roll and the wounds.
_ELSEWHERE = frozenset(
    moment.__name__
    for moment in (
        Keyword.when_mustered,
        Keyword.when_forged,
        Keyword.at_round_start,
        Keyword.restricts_actions,
        Keyword.when_moving,
        Keyword.when_unit_moves,
        Keyword.before_impact,
        Keyword.before_being_struck,
        Keyword.when_melee_is_counted,
        Keyword.before_morale_test,
        Keyword.before_unit_tests,
        Keyword.after_failed_morale,
    )
)


@lru_cache(maxsize=20_000)
def concerning_attacks(held: KeywordSet) -> KeywordSet:
    """The special rules of a set that may have a bearing on an attack."""
    concerned = {id(k) for moment, found in held.by_moment.items() if moment not in _ELSEWHERE for k in found}
    return book.set_of(k for k in held if id(k) in concerned or k in held.silencers)


class AttackLaw:
    """One attack of a group: the hits it makes, of which some with added AP, and the wounds of each kind of hit.

    Wounds are those that remain to be taken: Regeneration is counted in, unless wounds are multiplied (AOF-HIT-13).
    """

    __slots__ = ("_powers", "hits", "models", "plain", "sharp")

    def __init__(
        self,
        hits: Distribution[tuple[int, int]],
        plain: Distribution[int],
        sharp: Distribution[int],
        models: int | None,
    ) -> None:
        self.hits = hits
        self.plain = plain
        self.sharp = sharp
        # How many models the target has, if any rule asked.
        self.models = models
        self._powers: dict[int, Distribution[int]] = {}

    def _wounds(self, hit: tuple[int, int]) -> Distribution[int]:
        hits, sharp = hit
        return Distribution.added((self.plain, hits - sharp), (self.sharp, sharp))

    def wounds(self, number: int) -> Distribution[int]:
        """The wounds of so many attacks."""
        found = self._powers.get(number)
        if found is None:
            found = self._powers[number] = self.hits.then(self._wounds).power(number)
        return found

    def hits_and_wounds(self) -> Distribution[tuple[int, int]]:
        """The hits of one attack together with their wounds."""
        return self.hits.then(lambda hit: self._wounds(hit).map(lambda wounds: (hit[0], wounds)))


class GroupLaw:
    """What a group does to a target: so many attacks of each kind, and what their wounds do."""

    __slots__ = ("_wounds", "harm", "laws")

    def __init__(self, laws: dict[AttackLaw, int], harm: Harm) -> None:
        self.laws = laws
        self.harm = harm
        self._wounds: Distribution[int] | None = None

    @property
    def models(self) -> int | None:
        """How many models the target has, if any rule asked."""
        return next((law.models for law in self.laws if law.models is not None), None)

    def wounds(self) -> Distribution[int]:
        """The wounds of all its attacks."""
        if self._wounds is None:
            first, *others = [law.wounds(number) for law, number in self.laws.items()]
            self._wounds = Distribution.added((first, 1), *((other, 1) for other in others)) if others else first
        return self._wounds

    def hits(self) -> Distribution[int]:
        """The hits of all its attacks."""
        return Distribution.added(*((law.hits.map(lambda hit: hit[0]), n) for law, n in self.laws.items()))

    def hits_and_wounds(self) -> Distribution[tuple[int, int]]:
        """The hits of all its attacks together with their wounds."""
        return Distribution.added(*((law.hits_and_wounds(), number) for law, number in self.laws.items()))


_attack_laws: dict[tuple[object, ...], AttackLaw] = {}


def forget_attacks() -> None:
    """Forget everything counted so far."""
    _attack_laws.clear()


def attack_law(battle: Battle, group: Group | None, target: Unit, attack: Attack) -> AttackLaw:
    """What one attack of the group does, or one Impact die where there is no group. `attack` is as declared."""
    key = (
        group is None,
        *[getattr(attack, slot) for slot in _CIRCUMSTANCES],
        attack.cover.inside,
        attack.cover.behind,
        tuple([concerning_attacks(held) for held in attack.sets]),
        tuple([concerning_attacks(held) for held in attack.target_sets]),
    )
    number = attack.models_in_target
    found = _attack_laws.get(key) or _attack_laws.get((key, number))
    if found is None:
        if len(_attack_laws) > 50_000:
            _attack_laws.clear()
        try:
            # Where no rule asks how many models the target has, the answer is good for any number.
            found = _attack_laws[key] = _count_attack(battle, group, target, None)
        except AttributeError as asked:
            if asked.name != "models_in_target":
                raise
            found = _attack_laws[key, number] = _count_attack(battle, group, target, number)
    return found


def _count_attack(battle: Battle, group: Group | None, target: Unit, models: int | None) -> AttackLaw:
    victim = group.victim if group is not None else None

    def declared(attacks: int) -> Attack:
        attack = attack_of(battle, group) if group is not None else impact_attack(target, 0)
        attack.attacks = attacks
        if models is None:
            del attack.models_in_target
        else:
            attack.models_in_target = models
        return attack

    def swing(dice: Dice) -> tuple[int, int]:
        if group is None:
            return roll_impact(1, dice), 0
        attack = declared(1)
        roll_to_hit(attack, dice)
        return attack.hits, attack.sharp

    def struck(sharp: int) -> Distribution[int]:
        def strike(dice: Dice) -> int:
            attack = declared(0)
            if group is not None:
                roll_to_hit(attack, dice)
            attack.hits, attack.sharp = 1, sharp
            wounds = sum(block.wounds for block in roll_to_block(attack, dice))
            harm = harm_of(battle, attack, victim)
            if wounds and harm.multiplier == 1:
                battle.dice = dice
                wounds -= ignored(battle, target, wounds, harm)
            return wounds

        return Distribution.of(strike)

    hits = Distribution.of(swing)
    plain = struck(0)
    return AttackLaw(hits, plain, struck(1) if any(sharp for _, sharp in hits) else plain, models)
