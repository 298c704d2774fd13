"""Melee dice: who may spend how many on whom, and the question that both sides answer in secret (RN3-MELEE-02 to -09).

A melee is split profile against profile. A model that touches several enemy profiles may give its dice to any of them,
but only once: so for whatever set of pairings one looks at, no more can be spent on them than the models bring that
touch one of their profiles. Where that holds for every set of pairings, the dice can be handed to the models (this is
Hall's theorem), so these bounds are all there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.decisions import Allocate, Group, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.games.rn3.bonds import may_fight
from oriflamme.games.rn3.contact import touches
from oriflamme.games.rn3.state import Battle, Fighter, Pool, Unit

# What dice are set aside for.
ATTACK: Final = "attack"
DEFENCE: Final = "defence"
# The pools of a unit (RN3-MELEE-03).
TROOP: Final = "troop"
INCARNATE: Final = "incarnate"
POOLS: Final = (TROOP, INCARNATE)


class UnitProfile(NamedTuple):
    """A profile of a unit: those who fight together (RN3-MELEE-06)."""

    unit: str
    profile: str


class Pair(NamedTuple):
    """A pairing, seen from one side: a profile of it, and an enemy profile it touches (RN3-MELEE-06)."""

    own: UnitProfile
    against: UnitProfile


class Share(NamedTuple):
    """Models of one profile that touch the very same enemy profiles, and the dice they bring together."""

    own: UnitProfile
    pool: str
    touching: frozenset[UnitProfile]
    models: int
    dice: int


def profile_of(unit: Unit, fighter: Fighter) -> str:
    """The name of the profile he fights as: that of his card, but for an Incarnate, who is always one of his own
    (RN3-INC-06), and for models on which lies what does not lie on the whole unit: while it lasts, their values are
    others than those of their fellows."""
    own = fighter.profile.id
    if fighter.profile.incarnate:
        own = f"{own} ({INCARNATE})" if any(f.profile.id == own for f in unit.figures if f is not fighter) else own
    apart = [effect.source for effect in unit.effects if fighter.id in effect.fighters] if unit.effects else []
    return f"{own} ({', '.join(apart)})" if apart else own


def members(unit: Unit, profile: str) -> list[Fighter]:
    """Those of a unit who fight as this profile."""
    return [fighter for fighter in unit.figures if profile_of(unit, fighter) == profile]


def dice_of(battle: Battle, unit: Unit, fighter: Fighter) -> int:
    """The melee dice of a model: a machine has none (RN3-WM-14), nor has what was summoned this turn or the turn before
    (RN3-SUM-05)."""
    if fighter.profile.machine or not may_fight(battle, unit):
        return 0
    return fighter.profile.melee.dice


def pool_named(unit: Unit, pool: str) -> Pool:
    return unit.hero_pool if pool == INCARNATE else unit.pool


def has_dice(unit: Unit) -> bool:
    """A die in the reserve of the unit or of its Incarnate (RN3-ASLT-01)."""
    return unit.pool.left + unit.hero_pool.left > 0


def shares(battle: Battle, unit: Unit, enemies: Iterable[Unit], profiles: Collection[str] | None = None) -> list[Share]:
    """What the models of a unit that touch these enemies can give to whom; only some profiles, if it says which."""
    found: dict[tuple[UnitProfile, str, frozenset[UnitProfile]], list[int]] = {}
    others = [(enemy, fighter) for enemy in enemies for fighter in enemy.figures]
    for fighter in unit.figures:
        own = profile_of(unit, fighter)
        if profiles is not None and own not in profiles:
            continue
        touched = frozenset(
            UnitProfile(enemy.id, profile_of(enemy, other)) for enemy, other in others if touches(fighter, other)
        )
        if touched:
            key = (UnitProfile(unit.id, own), INCARNATE if fighter.profile.incarnate else TROOP, touched)
            found.setdefault(key, []).append(dice_of(battle, unit, fighter))
    return [Share(*key, len(dice), sum(dice)) for key, dice in found.items()]


def pairs_of(unit: Unit, enemies: Sequence[Unit], found: Iterable[Share]) -> list[Pair]:
    """Every pairing in which the unit is, in the order in which its models and those of its enemies are listed."""
    own = list(dict.fromkeys(profile_of(unit, fighter) for fighter in unit.figures))
    theirs = list(
        dict.fromkeys(UnitProfile(enemy.id, profile_of(enemy, f)) for enemy in enemies for f in enemy.figures)
    )
    pairs = {Pair(share.own, against) for share in found for against in share.touching}
    return sorted(pairs, key=lambda pair: (own.index(pair.own.profile), theirs.index(pair.against)))


def most_for(found: Iterable[Share], against: Iterable[UnitProfile]) -> int:
    """The dice of the models that touch one of these profiles, each counted once (RN3-MELEE-05, -06)."""
    wanted = set(against)
    return sum(share.dice for share in found if not share.touching.isdisjoint(wanted))


def limit(found: Iterable[Share], pool: str, left: int) -> int:
    """The dice that a pool may bring to this fight: those of its models in contact, each counted once, and never more
    than it holds (RN3-MELEE-05, -08)."""
    return min(left, sum(share.dice for share in found if share.pool == pool))


def majority(dice: int) -> int:
    """The least that is more than half of so many dice (RN3-MELEE-08)."""
    return dice // 2 + 1 if dice else 0


# -- the question ------------------------------------------------------------------------------------------------------


class Terms(NamedTuple):
    """How a side may spend its dice: `uses` is what for, `majority` binds who assaults or engages (RN3-MELEE-08), `all`
    whom a reaction leaves no choice (RN3-REC-04, RN3-CCH-04), and `least` is what an attack of one's own takes."""

    rule: str
    uses: tuple[str, ...]
    majority: bool = False
    all: bool = False
    least: int = 0


ASSAULT: Final = Terms("RN3-MELEE-07", (ATTACK, DEFENCE), majority=True)
DEFEND: Final = Terms("RN3-MELEE-07", (DEFENCE,))
RECEIVE: Final = Terms("RN3-REC-04", (DEFENCE,), all=True)
COUNTER_CHARGE: Final = Terms("RN3-CCH-04", (ATTACK,), all=True)
STRIKE_BACK: Final = Terms("RN3-MELEE-20", (ATTACK,), least=1)


class Hand(NamedTuple):
    """What one unit may bring to a fight: its models in contact, its pairings, and what its pools hold."""

    unit: Unit
    shares: Sequence[Share]
    pairs: Sequence[Pair]
    left: Mapping[str, int]

    def limit(self, pool: str) -> int:
        return limit(self.shares, pool, self.left[pool])

    @property
    def total(self) -> int:
        return sum(self.limit(pool) for pool in POOLS)


def hand_of(battle: Battle, unit: Unit, enemies: Sequence[Unit], profiles: Collection[str] | None = None) -> Hand:
    found = shares(battle, unit, enemies, profiles)
    return Hand(unit, found, pairs_of(unit, enemies, found), {pool: pool_named(unit, pool).left for pool in POOLS})


def slot(use: str, pair: Pair) -> str:
    """What dice set aside for a pairing are called in the question and its answer."""
    (unit, profile), (target, against) = pair
    return f"{use} {unit}/{profile} > {target}/{against}"


def pair_of(slot: str) -> Pair:
    """The pairing that a slot is about."""
    own, _, against = slot.partition(" ")[2].partition(" > ")
    return Pair(*(UnitProfile(*one.split("/", 1)) for one in (own, against)))


def question(battle: Battle, side: int, hands: Sequence[Hand], terms: Terms) -> Allocate:
    """How many dice the units of a side set aside for each of their pairings, in secret; what is not set aside stays in
    the reserve (RN3-MELEE-07)."""
    committed = terms.majority and battle.is_option("majorityOf", "committed")
    if committed:
        terms = terms._replace(majority=False, least=1)
    slots: dict[str, int] = {}
    words: dict[str, Option] = {}
    groups: list[Group] = []
    for hand in hands:
        own = _slots(hand, terms)
        slots |= own
        words |= {slot(use, pair): words_of(battle, use, pair) for use in terms.uses for pair in hand.pairs}
        groups += _groups(battle, hand, own, terms)
    most = sum(hand.total for hand in hands)
    return Allocate(
        side,
        slots,
        min(terms.least, most) if slots else 0,
        most if slots else 0,
        "set_dice_aside",
        terms.rule,
        {"unit": hands[0].unit.id, "dice": most},
        secret=True,
        groups=groups,
        words={key: word for key, word in words.items() if key in slots},
        check=_mostly_attack(hands) if committed else None,
        measured=True,
    )


def set_aside(answer: Mapping[str, int], use: str, pair: Pair) -> int:
    """What an answer puts there."""
    return answer.get(slot(use, pair), 0)


def _slots(hand: Hand, terms: Terms) -> dict[str, int]:
    """What each use of dice in each pairing can be given at most."""
    found: dict[str, int] = {}
    for use in terms.uses:
        for pair in hand.pairs:
            mine = [share for share in hand.shares if share.own == pair.own]
            most = min(hand.limit(mine[0].pool), most_for(mine, [pair.against]))
            if most:
                found[slot(use, pair)] = most
    return found


def card_in(battle: Battle, one: UnitProfile) -> str:
    """What tells a profile from the others of its unit; nothing if it is the one the unit is named after."""
    return "" if one.profile == battle.units[one.unit].profile.id else one.profile


def words_of(battle: Battle, use: str, pair: Pair) -> Option:
    facts = {
        "use": use,
        "unit": pair.own.unit,
        "card": card_in(battle, pair.own),
        "target": pair.against.unit,
        "foe": card_in(battle, pair.against),
    }
    return Option(slot(use, pair), "set_dice_aside", facts, (pair.against.unit,))


def _groups(battle: Battle, hand: Hand, slots: Mapping[str, int], terms: Terms) -> list[Group]:
    """The budgets of a unit: each pool, the majority in attack, and models that touch several profiles."""
    groups: list[Group] = []
    unit = hand.unit.id
    for pool in POOLS:
        profiles = list(dict.fromkeys(share.own for share in hand.shares if share.pool == pool))
        mine = [pair for pair in hand.pairs if pair.own in profiles]
        keys = _keys(slots, terms.uses, mine)
        if not keys:
            continue
        most = hand.limit(pool)
        facts: dict[str, Any] = {"unit": unit, "pool": pool}
        rule = terms.rule if terms.all else "RN3-MELEE-05"
        groups.append(
            Group(Option(f"{unit} {pool}", "dice_of_pool", facts), keys, most if terms.all else 0, most, rule)
        )
        attacks = _keys(slots, (ATTACK,), mine)
        if terms.majority and attacks:
            half = Option(f"{unit} {pool} attack", "attack_of_pool", facts)
            groups.append(Group(half, attacks, majority(most), None, "RN3-MELEE-08"))
        for own in profiles:
            # A budget that says no more than that of the pool is not said again.
            own_budgets = _budgets(battle, hand, own, slots, terms)
            groups += [one for one in own_budgets if set(one.slots) != set(keys) or (one.most or 0) < most]
    return groups


def _budgets(battle: Battle, hand: Hand, own: UnitProfile, slots: Mapping[str, int], terms: Terms) -> list[Group]:
    """For each set of enemy profiles: no more dice than the models bring that touch one of them, each once."""
    mine = [share for share in hand.shares if share.own == own]
    against = [pair.against for pair in hand.pairs if pair.own == own]
    groups: list[Group] = []
    for number in range(1, len(against) + 1):
        for some in combinations(against, number):
            most = most_for(mine, some)
            keys = _keys(slots, terms.uses, [Pair(own, one) for one in some])
            # What one slot holds it says itself; where no model touches two of them, the smaller sets say it all.
            alone = len(keys) <= 1 if number == 1 else most == sum(most_for(mine, [one]) for one in some)
            if not alone:
                facts = {"unit": own.unit, "card": card_in(battle, own), "foe": [one.profile for one in some]}
                key = f"{own.unit}/{own.profile} > {', '.join(f'{one.unit}/{one.profile}' for one in some)}"
                groups.append(Group(Option(key, "dice_of_models", facts), keys, 0, most, "RN3-MELEE-06"))
    return groups


def _keys(slots: Mapping[str, int], uses: Iterable[str], pairs: Sequence[Pair]) -> tuple[str, ...]:
    return tuple(key for use in uses for pair in pairs if (key := slot(use, pair)) in slots)


def _mostly_attack(hands: Sequence[Hand]) -> Callable[[dict[str, int]], Refusal | None]:
    """Of the dice a pool sets aside, more than half attack (RN3-MELEE-08, `majorityOf`)."""

    def check(answer: dict[str, int]) -> Refusal | None:
        for hand in hands:
            for pool in POOLS:
                profiles = {share.own for share in hand.shares if share.pool == pool}
                mine = [pair for pair in hand.pairs if pair.own in profiles]
                attack, defence = (sum(set_aside(answer, use, pair) for pair in mine) for use in (ATTACK, DEFENCE))
                if defence and attack <= defence:
                    facts = {"unit": hand.unit.id, "pool": pool, "attack": attack, "defence": defence}
                    return Refusal("RN3-MELEE-08", "not_mostly_attack", facts)
        return None

    return check
