"""What a model is worth in points: one formula for every unit, ours and the players' own (docs/points.md).

A model pays for its body (the hits it takes, how steady and how mobile it is), for its arms (the hits' worth it deals
over a battle, with its best way of fighting in full and the others at half), and for its magic. Everything is counted
in hits against the same five kinds of enemy, and turned into points at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec

from oriflamme.engine.geometry.measure import in_inches
from oriflamme.games.aof.profile import Profile, Weapon

POINTS_PER_HIT_TAKEN = 5.25
POINTS_PER_HIT_DEALT = 7.5
POINTS_PER_SPELL_TOKEN = 21.0


class Enemy(NamedTuple):
    """One kind of enemy: how often it is met, its Defense, the models in its unit and the wounds each can take."""

    share: float
    defense: int
    models: int
    tough: int


OPPOSITION = (
    Enemy(0.30, defense=5, models=10, tough=1),  # light troops
    Enemy(0.30, defense=4, models=10, tough=1),  # the line
    Enemy(0.20, defense=3, models=5, tough=1),  # guards and knights
    Enemy(0.10, defense=4, models=3, tough=3),  # large beasts
    Enemy(0.10, defense=2, models=1, tough=9),  # monsters and great heroes
)

# How much of what the enemy throws has which AP.
INCOMING = ((0.50, 0), (0.30, 1), (0.15, 2), (0.05, 4))

REGENERATING = 0.15  # enemies with Regeneration
HAMPERED = 0.15  # shots at Stealth, Artillery or under a spell
IN_COVER = 0.40  # shots at a target in Cover
IN_COVER_BEYOND_OBSTACLES = 0.20  # the same, when only the ground it stands on counts
SHOT_FROM_AFAR = 0.28  # incoming hits that are shots from more than 9"
SHOOTING_AFTER_MOVING = 0.40

CHARGES = 1.0  # melees a model on foot starts in a battle
CHARGED = 1.0  # melees the enemy starts with it
MOST_SHOOTING = 3.0  # rounds of shooting with an endless range
HALF_RANGE = 14.0  # the range, in inches, that gets half of them
SECOND_WAY = 0.5  # what the lesser of melee and shooting counts


def chance(needed: float) -> float:
    """The chance of one die to reach a number, when six always does and one never (AOF-GEN-02)."""
    return min(5 / 6, max(1 / 6, (7 - needed) / 6))


def hits_to_wound(defense: int) -> float:
    """How many hits it takes on average to wound a model once."""
    return 1 / sum(share * (1 - chance(defense + ap)) for share, ap in INCOMING)


def shooting_rounds(reach: float) -> float:
    """How many rounds of a battle a weapon of this range, in inches, finds a target."""
    reach = max(1.0, reach)
    return MOST_SHOOTING * reach**2 / (reach**2 + HALF_RANGE**2)


def beyond_9(reach: float) -> float:
    """The share of shots at this range, in inches, that go further than 9"."""
    return max(0.0, (reach - 9) / reach)


class Blow:
    """One attack with a weapon in one situation: what the special rules at work make of it."""

    __slots__ = (
        "again",
        "ap",
        "blast",
        "bonus",
        "charging",
        "cover",
        "deadly",
        "far",
        "hampered",
        "moving",
        "per_six",
        "quality",
        "regenerates",
        "sharp",
        "shooting",
        "times",
        "victim",
    )

    def __init__(self, quality: int, *, charging: bool = False, shooting: bool = False, far: float = 0.0) -> None:
        self.quality = quality
        self.charging = charging
        self.shooting = shooting
        self.far = far
        self.moving = SHOOTING_AFTER_MOVING if shooting else 0.0
        self.bonus = 0.0
        self.hampered = HAMPERED if shooting else 0.0
        self.cover = IN_COVER if shooting else 0.0
        self.per_six = 0.0
        self.sharp = 0
        self.ap = 0
        self.again = False
        self.regenerates = True
        self.blast = 1
        self.deadly = 1
        self.victim = False
        self.times = 1.0

    def worth(self) -> float:
        """The hits' worth of one attack: a wound counts as many hits as it takes to make one."""
        hit = chance(self.quality - self.bonus + self.hampered)
        common = hit - 1 / 6 + self.per_six / 6
        return self.times * (common * self.worth_of_hit(self.ap) + self.worth_of_hit(self.ap + self.sharp) / 6)

    def worth_of_hit(self, ap: int) -> float:
        worth = 0.0
        for enemy in OPPOSITION:
            blocked = chance(enemy.defense + ap - self.cover)
            if self.again:
                blocked = blocked - 1 / 6 + blocked / 6
            hits = 1 if self.victim else min(self.blast, enemy.models)
            wounds = hits * (1 - blocked) * min(self.deadly, enemy.tough)
            worth += enemy.share * wounds * hits_to_wound(enemy.defense)
        return worth * (1 - REGENERATING / 3 if self.regenerates else 1)


class Body:
    """What a model is when it does not fight: what the special rules make of its staying power and its legs."""

    __slots__ = ("casts", "charges", "fear", "impact", "mobility", "passes", "reach", "rooted", "staying", "surprise")

    def __init__(self, quality: int, defense: int) -> None:
        self.staying = hits_to_wound(defense)
        self.passes = chance(quality)
        self.mobility = 1.0
        self.charges = CHARGES
        self.reach = 0.0
        self.rooted = False
        self.surprise = 1.0
        self.impact = 0
        self.fear = 0
        self.casts = 0

    def worth(self) -> float:
        """The hits it takes to remove the model, more if it is steady and goes where it is needed."""
        return self.staying * (0.8 + 0.4 * min(1.0, self.passes)) * (0.6 if self.rooted else self.mobility)


# What each special rule does to a blow. The rules of the weapon, of the model and of the situation all pass here.


def _ap(blow: Blow, x: int) -> None:
    blow.ap += x


def _artillery_shot(blow: Blow, x: int) -> None:
    if blow.shooting:
        blow.bonus += blow.far


def _bane(blow: Blow, x: int) -> None:
    blow.regenerates = False
    blow.again = True


def _blast(blow: Blow, x: int) -> None:
    blow.blast = x
    blow.cover = 0.0


def _counter(blow: Blow, x: int) -> None:
    if not blow.charging and not blow.shooting:
        blow.times *= 1.3  # strikes before it suffers, and takes an Impact die away


def _deadly(blow: Blow, x: int) -> None:
    blow.deadly = x


def _furious(blow: Blow, x: int) -> None:
    if blow.charging:
        blow.per_six += 1


def _indirect(blow: Blow, x: int) -> None:
    blow.bonus -= blow.moving
    blow.cover = min(blow.cover, IN_COVER_BEYOND_OBSTACLES)
    blow.times *= 1.35  # nothing is out of sight


def _relentless(blow: Blow, x: int) -> None:
    if blow.shooting:
        blow.per_six += blow.far


def _reliable(blow: Blow, x: int) -> None:
    blow.quality = 2


def _rending(blow: Blow, x: int) -> None:
    blow.regenerates = False
    blow.sharp += 4


def _one_more_on_sixes(blow: Blow, x: int) -> None:
    blow.per_six += 1


def _takedown(blow: Blow, x: int) -> None:
    blow.victim = True
    blow.times *= 1.4  # picks the model that matters


def _thrust(blow: Blow, x: int) -> None:
    if blow.charging:
        blow.bonus += 1
        blow.ap += 1


def _unstoppable(blow: Blow, x: int) -> None:
    blow.regenerates = False
    blow.hampered = 0.0


BLOWS: dict[str, Callable[[Blow, int], None]] = {
    "AP": _ap,
    "Artillery": _artillery_shot,
    "Bane": _bane,
    "Blast": _blast,
    "Counter": _counter,
    "Deadly": _deadly,
    "Furious": _furious,
    "Indirect": _indirect,
    "Relentless": _relentless,
    "Reliable": _reliable,
    "Rending": _rending,
    "Sergeant": _one_more_on_sixes,
    "Surge": _one_more_on_sixes,
    "Takedown": _takedown,
    "Thrust": _thrust,
    "Unstoppable": _unstoppable,
}


# What each special rule does to a body.


def _ambush(body: Body, x: int) -> None:
    body.surprise = max(body.surprise, 1.15)


def _scout(body: Body, x: int) -> None:
    body.surprise = max(body.surprise, 1.10)


def _artillery_piece(body: Body, x: int) -> None:
    body.staying /= 1 - SHOT_FROM_AFAR * 2 / 3
    _immobile(body, x)


def _caster(body: Body, x: int) -> None:
    body.casts = x


def _fast(body: Body, x: int) -> None:
    body.mobility += 0.20
    body.charges += 0.25
    body.reach += 2


def _slow(body: Body, x: int) -> None:
    body.mobility -= 0.20
    body.charges -= 0.25
    body.reach -= 2


def _fear(body: Body, x: int) -> None:
    body.fear = x


def _fearless(body: Body, x: int) -> None:
    body.passes += (1 - body.passes) / 2


def _flying(body: Body, x: int) -> None:
    body.mobility += 0.15
    body.charges += 0.15


def _strider(body: Body, x: int) -> None:
    body.mobility += 0.05
    body.charges += 0.05


def _hero(body: Body, x: int) -> None:
    body.staying *= 1.15  # joined to a unit he is wounded last, and lends it his courage


def _immobile(body: Body, x: int) -> None:
    body.rooted = True


def _impact(body: Body, x: int) -> None:
    body.impact = x


def _regeneration(body: Body, x: int) -> None:
    body.staying *= 1.4  # a third of the wounds, but not those of Bane, Rending and Unstoppable


def _stealth(body: Body, x: int) -> None:
    body.staying /= 1 - SHOT_FROM_AFAR / 3


def _tough(body: Body, x: int) -> None:
    body.staying *= max(1, x)


BODIES: dict[str, Callable[[Body, int], None]] = {
    "Ambush": _ambush,
    "Artillery": _artillery_piece,
    "Caster": _caster,
    "Fast": _fast,
    "Fear": _fear,
    "Fearless": _fearless,
    "Flying": _flying,
    "Hero": _hero,
    "Immobile": _immobile,
    "Impact": _impact,
    "Regeneration": _regeneration,
    "Scout": _scout,
    "Slow": _slow,
    "Stealth": _stealth,
    "Strider": _strider,
    "Tough": _tough,
}


# What a staff upgrade does to every model of its bearer's unit.


def _banner(body: Body, x: int) -> None:
    body.passes += 1 / 6


def _musician(body: Body, x: int) -> None:
    body.mobility += 0.06
    body.charges += 0.06
    body.reach += 1


UNITS: dict[str, Callable[[Body, int], None]] = {"Banner": _banner, "Musician": _musician}

# Limited is not in the tables: it caps how often a weapon is used (see `_uses`).
PRICED = frozenset(BLOWS) | frozenset(BODIES) | frozenset(UNITS) | {"Limited"}


class Worth(msgspec.Struct, frozen=True):
    """What a model is worth, part by part, in points and not yet rounded."""

    body: float
    melee: float
    shooting: float
    magic: float

    @property
    def arms(self) -> float:
        """The better way of fighting in full, the other at half: a model does one at a time."""
        return max(self.melee, self.shooting) + SECOND_WAY * min(self.melee, self.shooting)

    @property
    def total(self) -> float:
        return self.body + self.arms + self.magic


def worth_of(profile: Profile, staff: Iterable[str] = ()) -> Worth:
    """What a model is worth in a unit that has these staff upgrades."""
    return _worth(profile, tuple(sorted(set(staff))))


@lru_cache(maxsize=20_000)
def _worth(profile: Profile, staff: tuple[str, ...]) -> Worth:
    body = Body(profile.quality, profile.defense)
    for keyword in profile.keywords:
        if keyword.title in BODIES:
            BODIES[keyword.title](body, keyword.x)
    for title in staff:
        if title in UNITS:
            UNITS[title](body, 0)
    if body.rooted:
        body.charges = 0.0
        body.reach = -6.0  # the Advance it cannot make

    melee = sum(_melee_worth(profile, body, weapon) for weapon in profile.melee_weapons)
    melee += body.charges * body.impact * chance(2) * _plain_hit()
    melee += (body.charges + CHARGED) * body.fear * 0.5 * _plain_hit()
    shooting = sum(_shooting_worth(profile, body, weapon) for weapon in profile.ranged_weapons)
    return Worth(
        body=POINTS_PER_HIT_TAKEN * body.worth(),
        melee=POINTS_PER_HIT_DEALT * body.surprise * melee,
        shooting=POINTS_PER_HIT_DEALT * body.surprise * shooting,
        magic=POINTS_PER_SPELL_TOKEN * body.casts,
    )


def cost_of_profile(profile: Profile) -> float:
    """The points of one model on its own, not rounded."""
    return worth_of(profile).total


def cost_of_unit(profiles: Iterable[Profile]) -> int:
    """The points of a unit: its models together, with what a Banner or a Musician does for all of them."""
    models = tuple(profiles)
    staff = [keyword.title for profile in models for keyword in profile.keywords if keyword.title in UNITS]
    return int(sum(worth_of(profile, staff).total for profile in models) + 0.5)


def _melee_worth(profile: Profile, body: Body, weapon: Weapon) -> float:
    charging = _forged(Blow(profile.quality, charging=True), profile, weapon).worth()
    standing = _forged(Blow(profile.quality), profile, weapon).worth()
    if weapon.used_once:
        return weapon.attacks * (charging if body.charges else standing)
    return weapon.attacks * (body.charges * charging + CHARGED * standing)


def _shooting_worth(profile: Profile, body: Body, weapon: Weapon) -> float:
    reach = in_inches(weapon.range)
    rounds = shooting_rounds(reach + body.reach)
    if weapon.used_once:
        rounds = min(1.0, rounds)
    blow = Blow(profile.quality, shooting=True, far=beyond_9(reach))
    if body.rooted:
        blow.moving = 0.0
    return weapon.attacks * rounds * _forged(blow, profile, weapon).worth()


def _forged(blow: Blow, profile: Profile, weapon: Weapon) -> Blow:
    """The blow with every special rule of weapon and model, a rule of both counted once (AOF-GEN-12)."""
    rules = {keyword.title: keyword.x for keyword in profile.keywords}
    rules |= {keyword.title: keyword.x for keyword in weapon.keywords}
    for title, x in rules.items():
        if title in BLOWS:
            BLOWS[title](blow, x)
    return blow


@cache
def _plain_hit() -> float:
    """The worth of one hit without any rule."""
    return Blow(4).worth_of_hit(0)
