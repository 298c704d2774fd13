"""What a shot, a blow and a combat of two may bring, and how likely a courage test is passed, exactly: the functions
that play it, run over every outcome of their dice (`wounds.py`)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from oriflamme.engine.core.keywords import ask_at
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.engine.odds.playing import AnswerTo, suggested
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.combat import attack_with
from oriflamme.games.lfw.courage import prepared
from oriflamme.games.lfw.melee import melee_attack
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.odds.blasts import blast_tolls
from oriflamme.games.lfw.odds.wounds import NOTHING, Law, Tolls, tolls_of, wounds_law
from oriflamme.games.lfw.precedence import STAGES, stage_of
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.shooting import Volley, fire
from oriflamme.games.lfw.state import Asking, Battle, Model, Part
from oriflamme.games.lfw.wounds import EFFECTS

# -- shots -------------------------------------------------------------------------------------------------------------


def shot_tolls(
    battle: Battle, part: Part, weapon: Weapon, target: Part, cover: int | None = None, answer: AnswerTo = suggested
) -> Tolls:
    """Wounds of one shot by part: of a breath, a line or an explosion all that it catches. Owners take the better of
    dodge and cover, which may be given."""
    volley = volley_of(battle, part, weapon, target, answer)
    if volley.explosion is not None:
        body = battle.model_of(target).body
        return blast_tolls(battle, part, volley.explosion, (body.x, body.y), volley.terms)

    def fired(twin: Battle) -> Asking[None]:
        own = twin.part(part.id)
        volley = Volley(twin, own, twin.model_of(own), twin.part(target.id), weapon)
        volley.cover = cover
        return fire(volley)

    return tolls_of(battle, fired, answer)


def volley_of(battle: Battle, part: Part, weapon: Weapon, target: Part | None, answer: AnswerTo = suggested) -> Volley:
    """A shot as special rules leave it before it is fired."""
    volley = Volley(battle, part, battle.model_of(part), target, weapon)
    play_out(ask_at(Keyword.when_shooting, sets_of(battle, part, weapon), volley), answer)
    return volley


def shot_law(battle: Battle, part: Part, weapon: Weapon, target: Part, cover: int | None = None) -> Law:
    """Wounds of one shot on the part that is aimed at, whose owner takes the better of dodge and cover; of a duo the
    other may be hit instead (LFW-CAV-08)."""
    return shot_tolls(battle, part, weapon, target, cover).get(target.id, NOTHING)


# -- blows -------------------------------------------------------------------------------------------------------------


def blow_law(battle: Battle, part: Part, weapon: Weapon, target: Part, number: int | None = None) -> Law:
    """Wounds of one melee attack, saturation included; with a `number`, that is its part of a split (LFW-MEL-09)."""
    value = attack_with(battle, part, weapon, target) if number is None else number
    return wounds_law(battle, melee_attack(battle, part, weapon, target, value))


def best_blow(battle: Battle, part: Part, target: Part) -> tuple[Weapon | None, Law]:
    """The melee weapon that wounds most on average, and what it does."""
    found: tuple[Weapon | None, Law] = (None, Distribution.always(0))
    for weapon in part.weapons:
        if weapon.melee:
            law = blow_law(battle, part, weapon, target)
            if found[0] is None or law.mean() > found[1].mean():
                found = (weapon, law)
    return found


Best = Callable[[Battle, Part, Part], tuple[Weapon | None, Law]]


class Exchange(NamedTuple):
    """What a combat of two came to: wounds of both, and whether each is destroyed."""

    own: int
    their: int
    own_lost: bool
    their_lost: bool


def exchange_law(battle: Battle, part: Part, enemy: Part, best: Best = best_blow) -> Distribution[Exchange]:
    """A combat between two parts alone, each with its best weapon (LFW-MEL-05): who strikes first may kill or cripple
    the other before it strikes. `best` counts a blow."""
    pair = (part, enemy)
    stages = [STAGES.index(stage_of(battle, one, "strike")) for one in pair]

    def blows(number: int, unsteady: bool) -> Law:
        striker, other = pair[number], pair[1 - number]
        before = striker.crippled
        if unsteady and not striker.unsteady:
            striker.crippled = "unsteady"
        try:
            return best(battle, striker, other)[1]
        finally:
            striker.crippled = before

    if stages[0] == stages[1]:
        mine, theirs = blows(0, False), blows(1, False)
        return mine.then(lambda m: theirs.map(lambda t: _exchange(pair, t, m)))
    first = 0 if stages[0] < stages[1] else 1
    second = 1 - first
    victim = pair[second]
    plain, shaken = blows(second, False), blows(second, True)

    def answered(wounds: int) -> Distribution[Exchange]:
        left = victim.pv - wounds
        if left <= 0:
            return Distribution.always(_in_order(pair, first, wounds, 0))
        back = plain
        if 2 * left <= victim.most and not victim.crippled:
            steady = Fraction(sum(effect == "slow" for effect in EFFECTS.values()), 6)
            back = Distribution({True: steady, False: 1 - steady}).then(lambda calm: plain if calm else shaken)
        return back.map(lambda answer: _in_order(pair, first, wounds, answer))

    return blows(first, False).then(answered)


def _in_order(pair: tuple[Part, Part], first: int, dealt: int, answer: int) -> Exchange:
    """`dealt` by who struck first, `answer` by the other."""
    return _exchange(pair, answer, dealt) if first == 0 else _exchange(pair, dealt, answer)


def _exchange(pair: tuple[Part, Part], own: int, their: int) -> Exchange:
    return Exchange(own, their, own >= pair[0].pv, their >= pair[1].pv)


# -- courage -----------------------------------------------------------------------------------------------------------


def courage_chance(
    battle: Battle, model: Model, part: Part, about: str, penalty: int = 0, *, again: bool = True
) -> Fraction:
    """That a part passes a courage test, a re-roll included if it has one and it is made `again` (LFW-DICE-09 to
    -11)."""
    courage = prepared(battle, model, part, about)
    if courage.passes:
        return Fraction(1)
    modifier = courage.modifier - (0 if courage.unmodified else penalty)
    passed = 0
    for first in range(1, 7):
        for second in range(1, 7):
            sure, lost = (first, second) == (6, 6), (first, second) == (1, 1)
            passed += sure or (not lost and first + second + modifier >= courage.needed)
    chance = Fraction(passed, 36)
    return chance + (1 - chance) * chance if courage.may_reroll and again else chance
