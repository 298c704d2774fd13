"""What stands, characters and all they may buy are worth in points: one formula for every army (docs/points.md).

A stand pays for its body (the hits it takes, how steady and how mobile it is), for its arms (the wounds it deals in a
battle, with its best way of fighting in full and the other at half), and for its magic. Whatever is bought costs the
difference it makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.army.cards import Change, Extra, SpellCard, Stand, Supremacy
from oriflamme.games.tlaok.profile import Barrage, Profile

in_both: Final = Wording(Path(__file__).parents[1] / "text", "points")

POINTS_PER_HIT_TAKEN: Final = 4.8
POINTS_PER_WOUND_DEALT: Final = 8.0
POINTS_PER_CASTING_DIE: Final = 5.0
LEAST_BOUGHT: Final = 5  # nothing that is bought costs less
POINTS_OF_A_CHARACTER: Final = 25.0  # its card, its courage and its company

# The Defence of those it strikes, and what the blows it takes do to its own: Cleave by so much, or all of it.
OPPOSITION: Final = ((0.20, 1), (0.30, 2), (0.30, 3), (0.20, 4))
INCOMING: Final = ((0.50, 0), (0.30, 1), (0.15, 2), (0.05, 6))
EVADING: Final = 0.10  # of those it strikes save with Evasion 2 all the same

CLASHES: Final = 1.7  # of its own in a battle
CHARGES: Final = 1.0
ENGAGED: Final = 0.6  # of its stands in a Clash; the others support
INSPIRED: Final = 0.4  # of its Clashes
FROM_FRONT: Final = 0.7  # of the hits it takes
SHOT_AT: Final = 0.25  # of the hits it takes
TESTED: Final = 0.75  # of the wounds it takes are followed by a morale test
AIMED: Final = 0.5  # of its Volleys
VOLLEYS: Final = 6.0  # with an endless range
HALF_RANGE: Final = 14.0  # the range, in inches, that gets half of them
SHADED: Final = 0.3  # of its shots are halved: obscured, or at Loose Formation
BONUS_OF_SIZE: Final = 1.0  # on Resolve, but for single stands
SECOND_WAY: Final = 0.5  # what the lesser of melee and shooting counts
DUELS: Final = 0.5  # what a character's body counts, who is struck only in duels
CASTINGS: Final = 3.0  # in a battle
USUAL_STANDS: Final = 5  # of a regiment that a spell or a character helps
ROUNDS: Final = 5.0  # that count in a battle


def chance(value: float) -> float:
    """Of a die to be equal to or below a value, when 1 always is and 6 never (TLAOK-DICE-03, -04)."""
    return min(5.0, max(1.0, value)) / 6


def saves(defence: float, evasion: float, less: float = 0.0) -> float:
    """Of a defence roll to succeed: the better of what is left of Defence, and Evasion (TLAOK-DICE-05)."""
    return min(5.0, max(0.0, defence - less, evasion)) / 6


class Making:
    """A stand on the scales: what special rules and draw events make of its numbers."""

    __slots__ = (
        "again", "aim", "attacks", "body", "brutal", "charges", "clash", "cleave", "defence", "doubles", "evasion",
        "flat", "hardened", "impact", "impact_clash", "march", "melee", "mobility", "ones", "piercing", "resolve",
        "shooting", "shot_again", "shot_doubles", "shot_ones", "shot_true", "smites", "steady",
        "support", "torrent", "true", "volley", "wounds",
    )  # fmt: skip

    def __init__(self, profile: Profile) -> None:
        self.march = float(profile.march)
        self.volley = float(profile.volley)
        self.clash = float(profile.clash)
        self.attacks = float(profile.attacks)
        self.wounds = float(profile.wounds)
        self.resolve = float(profile.resolve)
        self.defence = float(profile.defence)
        self.evasion = float(profile.evasion)
        # What multiplies its body, the morale wounds it takes, its mobility, its charges, its melee and its shooting.
        self.body = 1.0
        self.steady = 1.0
        self.hardened = 0.0
        self.mobility = 1.0
        self.charges = CHARGES
        self.melee = 1.0
        self.shooting = 1.0
        # Wounds' worth on top of its Clashes, over the battle.
        self.flat = 0.0
        # In melee: Defence cut, ones that hit twice or meet no Defence, sixes that wound twice, misses rolled again.
        self.support = 1.0
        self.cleave = 0.0
        self.ones = 0.0
        self.true = 0.0
        self.doubles = 0.0
        self.again = 0.0
        self.smites = 0.0
        self.impact = 0.0
        self.impact_clash = 0.0
        self.brutal = 0.0
        # The same in shooting.
        self.aim = AIMED
        self.piercing = 0.0
        self.shot_ones = 0.0
        self.shot_true = 0.0
        self.shot_doubles = 0.0
        self.shot_again = 0.0
        self.torrent = 0.0

    def take(self, amounts: Mapping[str, float], x: int) -> None:
        """Add what a rule or an event adds."""
        for name, amount in amounts.items():
            number, per_x, _ = name.partition(" x")
            setattr(self, number, getattr(self, number) + amount * (x if per_x else 1))


# -- what each special rule and each draw event does to a stand --------------------------------------------------------

# What is added to which of its numbers; those with an x are added X times.
RULES: Final[dict[str, dict[str, float]]] = {
    "Aimed Shot": {"aim": 1 - AIMED},
    "Arcing Fire": {"shooting": 0.10},
    "Armor Piercing": {"piercing x": 1.0},
    "Aura of Death": {"flat x": 1.0},
    "Blessed": {"again": 0.25, "body": 0.04},
    "Bloodlust": {"mobility": -0.05, "charges": 0.15},
    "Bodyguards": {"body": 0.03},
    "Bravery": {"steady": -0.15},
    "Brutal Impact": {"brutal x": 1.0},
    "Cleave": {"cleave x": 1.0},
    "Counter-Attack": {"flat": 0.35},
    "Dauntless": {"steady": -0.20, "clash": 1 - INSPIRED},
    "Deadly Blades": {"doubles": 1.0},
    "Deadly Shot": {"shot_doubles": 1.0},
    "Deadshots": {"aim": 1 - AIMED},
    "Decay": {"body x": -0.06},
    "Devout": {"body": 0.02},
    "Dread": {"melee": 0.06},
    "Fanatical Devotion": {"body": 0.04},
    "Fearless": {"steady": -0.05},
    "Fearsome": {"melee": 0.03},
    "Fiend Hunter": {"again": 0.25, "shot_again": 0.25},
    "Flank": {"mobility": 0.08},
    "Flawless Drill": {"mobility": 0.02},
    "Flawless Strikes": {"true": 1.0},
    "Fluid Formation": {"mobility": 0.08, "shooting": 0.08},
    "Flurry": {"again": 1.0},
    "Fly": {"mobility": 0.12, "charges": 0.15},
    "Forward Force": {"flat": 1.0},
    "Glorious Charge": {"impact_clash": 1.0, "melee": 0.03},
    "Hardened": {"hardened x": 1.0},
    "Impact": {"impact x": 1.0},
    "Indomitable": {"steady": -0.15},
    "Inspired": {"clash": 1 - INSPIRED},
    "Iron Discipline": {"steady": -0.08},
    "Irregular": {"mobility": -0.04},
    "Lethal Demise": {"flat": 0.6},
    "Linebreaker": {"cleave": 0.25, "brutal": 0.25},
    "Loose Formation": {"body": 0.5 * SHOT_AT},
    "Oblivious": {"steady": -0.40},
    "Opportunists": {"again": 0.25, "shot_again": 0.15},
    "Overrun": {"charges": 0.15, "melee": 0.03},
    "Parry": {"body": 0.08},
    "Phalanx": {"defence": FROM_FRONT, "clash": -INSPIRED, "charges": -0.10},
    "Precise Shot": {"shot_true": 1.0},
    "Priest": {},
    "Quicksilver Strike": {"melee": 0.08},
    "Rapid Volley": {"shot_ones": 1.0},
    "Relentless Blows": {"ones": 1.0},
    "Rider": {},
    "Shield": {"defence": FROM_FRONT},
    "Shock": {"clash": 0.35},
    "Smite": {"smites": 1.0},
    "Support": {"support": -1.0, "support x": 1.0},
    "Sureshot": {"shooting": 0.06},
    "Tenacious": {"body": 0.25},
    "Terrifying": {"melee x": 0.05},
    "Torrential Fire": {"torrent": 0.5},
    "Trample": {"flat x": 0.8},
    "Unstoppable": {"charges": 0.12, "mobility": 0.02},
    "Untouchable": {"body": 0.10},
    "Unyielding": {"body": 0.05},
    "Vanguard": {"mobility": 0.06},
    "Weapon Platform": {"shooting": 0.08},
    "Wizard": {},
}
EVENTS: Final[dict[str, dict[str, float]]] = {
    "bastion": {"defence x": 0.8},
    "biotic_renewal": {"body": 0.14},
    "burnout": {"clash": 0.5, "march": 1.0, "body": -0.10},
    "double_time": {"mobility": 0.08},
    "eruption": {"flat x": 0.3},
    "fire_and_advance": {"shooting": 0.08},
    "flux_powered": {"attacks": 1.2},
    "murderous_volley": {"shooting": 0.12},
    "regeneration": {"body x": 0.04},
}


class Worth(NamedTuple):
    """What a stand is worth, part by part, in points and not yet rounded."""

    body: float
    melee: float
    shooting: float
    magic: float
    person: float = 0.0

    @property
    def arms(self) -> float:
        """The better way of fighting in full, the other at half."""
        return max(self.melee, self.shooting) + SECOND_WAY * min(self.melee, self.shooting)

    @property
    def total(self) -> float:
        return self.body + self.arms + self.magic + self.person

    def to_data(self) -> dict[str, float]:
        parts = {name: round(value, 2) for name, value in self._asdict().items()}
        return parts | {"arms": round(self.arms, 2), "total": round(self.total, 2)}


def weigh(profile: Profile) -> Making:
    """The stand on the scales, with its special rules and draw events."""
    making = Making(profile)
    for keyword in profile.keywords:
        making.take(RULES[keyword.title], keyword.x)
    for event in profile.events:
        making.take(EVENTS[event.id], event.x)
    return making


def worth_of(stand: Stand) -> Worth:
    """What one stand is worth: a character with its person and its spells."""
    return _worth(msgspec.json.encode(stand))


@lru_cache(maxsize=4096)
def _worth(data: bytes) -> Worth:
    stand = msgspec.json.decode(data, type=Stand)
    profile = stand.profile()
    making = weigh(profile)
    single = profile.kind in ("monster", "chariot")
    share = DUELS if stand.character and not stand.weight else 1.0
    return Worth(
        body=POINTS_PER_HIT_TAKEN * _staying(making, single) * _mobility(making) * share,
        melee=POINTS_PER_WOUND_DEALT * _melee(making, 1.0 if single else 0.8 if stand.character else ENGAGED),
        shooting=POINTS_PER_WOUND_DEALT * max((_shooting(making, b) for b in profile.barrages), default=0.0),
        magic=_magic(profile.caster, stand.spells),
        person=POINTS_OF_A_CHARACTER if stand.character else 0.0,
    )


def _staying(making: Making, single: bool) -> float:
    """How many hits it takes to remove the stand, morale wounds among them."""
    fails = 1 - sum(
        share * saves(making.defence, making.evasion, 6 if less == 6 else max(0.0, less - making.hardened))
        for share, less in INCOMING
    )
    passes = chance(making.resolve + (0.0 if single else BONUS_OF_SIZE))
    morale = TESTED * (1 - passes) * max(0.2, making.steady)
    return making.wounds / (fails * (1 + morale)) * max(0.3, making.body)


def _mobility(making: Making) -> float:
    """1 at March 5, and six parts in a hundred for every inch."""
    return making.mobility + 0.06 * (making.march - 5)


def _wounds(cleave: float, smites: bool = False) -> float:
    """The chance that a hit wounds those it strikes."""
    plain = sum(share * (1 - saves(defence, 0, 6 if smites else cleave)) for share, defence in OPPOSITION)
    evading = sum(share * (1 - saves(defence, 2, 6 if smites else cleave)) for share, defence in OPPOSITION)
    return (1 - EVADING) * plain + EVADING * evading


def _blow(value: float, again: float, ones: float, true: float, doubles: float, cleave: float, smites: bool) -> float:
    """The wounds of one attack: to hit, again on a miss, ones that do more, sixes that wound twice."""
    if value <= 0:
        return 0.0
    hit = chance(value)
    tries = 1 + min(1.0, again) * (1 - hit)
    sharp = min(1.0, true) / 6
    wounds = (
        (hit - sharp) * _wounds(cleave, smites) + sharp * _wounds(cleave, True) + ones / 6 * _wounds(cleave, smites)
    )
    return tries * wounds * (1 + doubles * 0.2)


def _melee(making: Making, engaged: float) -> float:
    """The wounds a stand deals in a battle: in its Clashes, with its impact, and otherwise."""
    if making.attacks <= 0:
        attacks = 0.0
    else:
        attacks = engaged * making.attacks + (1 - engaged) * making.support
    clash = making.clash + (INSPIRED if making.clash else 0.0)
    each = _blow(clash, making.again, making.ones, making.true, making.doubles, making.cleave, making.smites > 0)
    charges = max(0.0, making.charges + 0.08 * (making.march - 5))
    impact = (
        making.impact * chance(making.clash + making.impact_clash) * _wounds(making.brutal) if making.clash else 0.0
    )
    return making.melee * (CLASHES * attacks * each * (0.8 + 0.2 * charges) + charges * impact) + making.flat


def volleys(reach: float) -> float:
    """How many Volleys of a battle a weapon of this range, in inches, finds a target for."""
    return VOLLEYS * in_range(reach)


def in_range(reach: float) -> float:
    """How often somebody is within so many inches."""
    return reach**2 / (reach**2 + HALF_RANGE**2)


def _shooting(making: Making, barrage: Barrage) -> float:
    """The wounds a stand deals with one ranged weapon in a battle."""
    if not making.volley:
        return 0.0
    shots = Making.__new__(Making)
    for name in Making.__slots__:
        setattr(shots, name, getattr(making, name))
    for keyword in barrage.rules:
        shots.take(RULES[keyword.title], keyword.x)
    volley = shots.volley + min(1.0, shots.aim)
    each = _blow(volley, shots.shot_again, shots.shot_ones, shots.shot_true, shots.shot_doubles, shots.piercing, False)
    torrent = 1 + 0.5 * shots.torrent
    reach = barrage.range + shots.march - 5
    return barrage.shots * (1 - SHADED / 2) * volleys(reach) * each * torrent * shots.shooting


# -- magic -------------------------------------------------------------------------------------------------------------


def casts(dice: int, attunement: int, needed: int) -> list[float]:
    """The chance of each number of successes, and nothing below those needed."""
    each = chance(attunement)
    odds = [comb(dice, n) * each**n * (1 - each) ** (dice - n) for n in range(dice + 1)]
    return [p if n >= needed else 0.0 for n, p in enumerate(odds)]


def worth_of_spell(spell: SpellCard, dice: int) -> float:
    """What knowing a spell is worth to a caster with so many dice."""
    odds = casts(dice, spell.attunement, spell.needed + (1 if spell.scaling else 0))
    success, mean = sum(odds), sum(n * p for n, p in enumerate(odds))
    effect = spell.effect
    hits = effect.get("hits", 0) * success + effect.get("hits_per_success", 0) * mean
    piercing = sum(int("".join(filter(str.isdigit, rule)) or 0) for rule in effect.get("rules", ()))
    worth = POINTS_PER_WOUND_DEALT * hits * _wounds(piercing) * in_range(spell.range or 6)
    worth += success * worth_of_help([Change(**c) for c in effect.get("changes", ())])
    healed = effect.get("heal", 0) * success + effect.get("heal_per_success", 0) * mean
    worth += POINTS_PER_HIT_TAKEN * healed + (6.0 * success if effect.get("rally") else 0.0)
    return float(CASTINGS * worth / 2)


def _magic(dice: int, spells: Sequence[SpellCard]) -> float:
    """Dice, the best spell in full, and a third of the others, which only give a choice (TLAOK-MAGIC-02)."""
    if not dice:
        return 0.0
    known = sorted((worth_of_spell(spell, dice) for spell in spells), reverse=True)
    return POINTS_PER_CASTING_DIE * dice + sum(known[:1]) + sum(known[1:]) / 3


# -- what is bought ----------------------------------------------------------------------------------------------------

# A plain regiment's stand: whom a spell or a character helps.
PLAIN: Final = Stand(
    "plain",
    in_both("plain_stand"),
    "infantry",
    "medium",
    {"march": 5, "volley": 2, "clash": 2, "attacks": 4, "wounds": 4, "resolve": 3, "defence": 2, "evasion": 0},
    ('Barrage (2) (14")',),
)


def worth_of_help(changes: Iterable[Change]) -> float:
    """What changes for one round are worth to a usual regiment, or cost an enemy's."""
    made = tuple(changes)
    halved = sum(POINTS_PER_HIT_TAKEN for change in made if change.stat == "halved_barrage")
    difference = abs(worth_of(PLAIN.with_changes(made)).total - worth_of(PLAIN).total)
    return USUAL_STANDS * difference / ROUNDS * 2 + halved


def cost_of_stands(stand: Stand, number: int) -> int:
    """So many stands of one sort: each costs whole points."""
    return number * int(worth_of(stand).total + 0.5)


def cost_of_model(model: str, stand: Stand, number: int, officer: Extra | None = None) -> int:
    """A command model in a regiment of so many stands: what it adds to its own stand, or to all of them."""
    if officer is not None:
        if officer.points is not None:
            return officer.points
        return _difference(stand, officer.changes, number)
    if model == "leader":
        more = [Change("attacks", 1)]
        if any(rule.lower().startswith("barrage") for rule in stand.all_rules):
            more.append(Change(grant="Barrage (+1)"))
        return _difference(stand, more, 1)
    return max(LEAST_BOUGHT, _difference(stand, [Change(grant="Unstoppable"), Change("march", 1)], number))


def cost_of_option(option: Extra, stand: Stand, number: int) -> int:
    """An option of a regiment: what it adds to all its stands."""
    return option.points if option.points is not None else _difference(stand, option.changes, number)


def _difference(stand: Stand, changes: Iterable[Change], number: int) -> int:
    more = worth_of(stand.with_changes(changes)).total - worth_of(stand).total
    return max(LEAST_BOUGHT, int(number * more + 0.5))


def cost_of_extra(extra: Extra, stand: Stand, supremacy: Supremacy | None = None) -> int:
    """An upgrade or a mastery of a character: what it adds to himself, and to the regiment he is with."""
    if extra.points is not None:
        return extra.points
    own = [change for change in extra.changes if change.scope != "regiment"]
    lent = [change for change in extra.changes if change.scope == "regiment"]
    worth = worth_of(stand.with_changes(own)).total - worth_of(stand).total
    worth += 0.8 * worth_of_help(lent) * ROUNDS / 2
    worth += worth_of_supremacy(supremacy) / 2 if supremacy is not None else 0.0
    return max(LEAST_BOUGHT, int(worth + 0.5))


REACHED: Final[dict[str, int]] = {"own_regiment": 1, "warband": 3, "friends": 6, "enemies": 6}


def worth_of_supremacy(ability: Supremacy) -> float:
    """What an ability is worth that its character may use if he leads the army."""
    reached: int = REACHED[ability.on]
    if ability.types or ability.classes or ability.within:
        reached = max(1, reached // 2)
    if ability.count:
        reached = min(reached, ability.count)
    each = worth_of_help(ability.changes) + POINTS_PER_HIT_TAKEN * ability.heal + (6.0 if ability.rally else 0.0)
    times = 1.0 if ability.uses == "once" else ROUNDS * 0.6
    return reached * each * times


def cost_of_character(stand: Stand, supremacy: Supremacy | None) -> int:
    """A character as it stands in the list: half of its ability's worth, for only the Warlord's is used."""
    ability = worth_of_supremacy(supremacy) / 2 if supremacy is not None else 0.0
    return int(worth_of(stand).total + ability + 0.5)


def cost_of_spell(spell: SpellCard, stand: Stand) -> int:
    """One more spell for a caster."""
    more = msgspec.structs.replace(stand, spells=(*stand.spells, spell))
    return max(LEAST_BOUGHT, int(worth_of(more).total - worth_of(stand).total + 0.5))


def parts_of(stand: Stand) -> dict[str, Any]:
    """What a stand is worth, part by part."""
    return worth_of(stand).to_data()
