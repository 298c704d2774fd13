"""Melee: secret dice, pairings, attack, defence, wounds, losses, striking back (RN3-MELEE).

A fight is data on the battle (`Fight`); each part of it is a step. It comes from an assault or engagement, a strike-
back, or a skill that lets somebody fight again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from oriflamme.engine.core.decisions import Allocate, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at, at
from oriflamme.engine.core.questions import answers_to, pick_one, pick_several, put_in_order, yes_or_no
from oriflamme.engine.core.state import PARTS, Kind, State
from oriflamme.engine.core.steps import due
from oriflamme.games.rn3 import allocation
from oriflamme.games.rn3.allocation import (
    ASSAULT,
    ATTACK,
    COUNTER_CHARGE,
    DEFENCE,
    DEFEND,
    RECEIVE,
    STRIKE_BACK,
    Hand,
    Pair,
    Terms,
    UnitProfile,
    card_in,
    hand_of,
    members,
    pool_named,
    profile_of,
    set_aside,
)
from oriflamme.games.rn3.attempts import attempt
from oriflamme.games.rn3.blows import Blows, Onset, Party
from oriflamme.games.rn3.contact import engaged_with, in_contact, touches
from oriflamme.games.rn3.events.melee import (
    AttackDiceGained,
    AttacksCancelled,
    DiceReturned,
    DiceRevealed,
    FightsAgain,
    HitWithoutTest,
    PairingOver,
    StrikesBack,
)
from oriflamme.games.rn3.leaders import leads
from oriflamme.games.rn3.losses import Cause, cancel_damage, eliminate, hurt
from oriflamme.games.rn3.moments import Keyword, SkillSet, book
from oriflamme.games.rn3.power import claims_charge
from oriflamme.games.rn3.state import Asking, Battle, Fighter, Step, Unit, skills_of, step, value_of
from oriflamme.games.rn3.tactics import counter_charges, effects_without_tactics, tactics_at_work
from oriflamme.games.rn3.trials import Trial, prepare

# The reactions after which a unit only defends for the rest of the turn (RN3-REC-05, RN3-CCH-10).
DEFENDS_ONLY: Final = ("reception", "counter_charge")


class Pairing(State):
    """One profile of the unit whose fight it is against one of an enemy (RN3-MELEE-06), and the dice set aside for it:
    `attack` and `guard` of the unit, `defence` and `counter` of the enemy. `gained` are attack dice that do not come
    from the reserve (RN3-TAC-08)."""

    __slots__ = ("attack", "card", "counter", "defence", "enemy", "foe", "gained", "guard", "pool")

    def __init__(self, card: str, enemy: str, foe: str, pool: str) -> None:
        self.card = card
        self.enemy = enemy
        self.foe = foe
        # The reserve that the unit's dice come from.
        self.pool = pool
        self.attack = 0
        self.guard = 0
        self.defence = 0
        self.counter = 0
        self.gained = 0


class Gain(NamedTuple):
    """Attack dice that a skill gives a profile against another, to be used before the next pairing."""

    by: UnitProfile
    target: UnitProfile
    dice: int
    because: str
    rule: str


class Loss(NamedTuple):
    """Damage that has been designated and is taken when the fight is over (RN3-CCH-06)."""

    unit: str
    fighter: str
    points: int
    cause: Cause


class Fight(State):
    """A fight under way. `kind` is "assault", "engagement", "strike_back", or "again" for a skill's (RN3-SKL-33).

    `order` are the pairings still to be fought, by number. With `simultaneous` all losses are taken at its end, and the
    enemy attacks too (RN3-CCH-06). `only` are the profiles that fight, if not all do.
    """

    __slots__ = ("enemies", "gains", "kind", "losses", "only", "order", "pairings", "reaction", "unit")
    slot_kinds: ClassVar[Mapping[str, Kind]] = {"pairings": PARTS}

    def __init__(self, kind: str, unit: str, enemies: tuple[str, ...], reaction: str, only: tuple[str, ...]) -> None:
        self.kind = kind
        self.unit = unit
        self.enemies = enemies
        self.reaction = reaction
        self.only = only
        self.pairings: list[Pairing] = []
        self.order: tuple[int, ...] = ()
        self.losses: tuple[Loss, ...] = ()
        self.gains: tuple[Gain, ...] = ()

    @property
    def simultaneous(self) -> bool:
        return self.reaction == "counter_charge"

    @property
    def ordered(self) -> bool:
        """It comes from the order of the unit that fights: it attacks with more than half (RN3-MELEE-08)."""
        return self.kind in ("assault", "engagement")


# -- what skills are shown ---------------------------------------------------------------------------------------------


class Reveal:
    """The dice of a pairing at the moment they are revealed."""

    __slots__ = ("battle", "fight", "pairing")

    def __init__(self, battle: Battle, fight: Fight, pairing: Pairing) -> None:
        self.battle = battle
        self.fight = fight
        self.pairing = pairing

    @property
    def received(self) -> bool:
        """The enemy is in charge reception (RN3-REC-07)."""
        return self.fight.reaction == "reception"

    def gain(self, dice: int, because: Keyword) -> None:
        """Attack dice beyond the limit, which do not come from the reserve."""
        if dice > 0:
            self.pairing.gained += dice
            self.battle.tell(AttackDiceGained(because.rule, self.fight.unit, self.pairing.enemy, dice, because.title))


class Sacrifice:
    """Fighters of one profile who are about to attack in a pairing, and may give their lives instead (RN3-SKL-21)."""

    __slots__ = ("battle", "fighters", "lost", "unit")

    def __init__(self, battle: Battle, unit: Unit, fighters: Sequence[Fighter], dice: int) -> None:
        self.battle = battle
        self.unit = unit
        self.fighters = list(fighters)
        self.lost = 0

    def give_up(self, fighter: Fighter) -> Asking[None]:
        """He is eliminated at once; his melee dice are taken out of the attack (RN3-SKL-21)."""
        self.lost += fighter.profile.melee.dice
        self.fighters.remove(fighter)
        yield from eliminate(self.battle, self.unit, fighter, Cause("skill", self.unit.id))


class Answer:
    """What came of attacks on a profile, for skills that answer them with attack dice."""

    __slots__ = ("attack_failures", "battle", "by", "defence_successes", "fight", "target")

    def __init__(self, battle: Battle, fight: Fight, by: UnitProfile, target: UnitProfile, blows: Blows) -> None:
        self.battle = battle
        self.fight = fight
        self.by = by
        self.target = target
        self.attack_failures = blows.attacked.failures
        self.defence_successes = blows.defended.successes

    def gain(self, dice: int, because: Keyword) -> None:
        """So many attack dice against whoever attacked."""
        if dice > 0:
            self.fight.gains += (Gain(self.by, self.target, dice, because.title, because.rule),)


class Again:
    """A profile in contact after the fight of its unit's assault: may it fight once more (RN3-SKL-33)?"""

    __slots__ = ("because",)

    def __init__(self) -> None:
        self.because: Keyword | None = None

    def fight(self, because: Keyword) -> None:
        self.because = because


def blast(battle: Battle, unit: Unit, fighter: Fighter, force: int, rule: str, cause: Cause) -> Asking[None]:
    """A Force test with a force that is nobody's, against one model: one die, and what exceeds its hit points is lost
    (RN3-GEN-14, RN3-SKL-21)."""
    trial = Trial("blast", 1, force, value_of(unit, fighter, "res"), rule, against=unit.id, sources=("for", "res"))
    skills = skills_of(unit, fighter)
    prepare(trial, (), (skills,), against_titan=fighter.profile.category == "titan")
    result = yield from attempt(
        battle, trial, unit=None, against=unit, target_hero=fighter if fighter.profile.incarnate else None
    )
    points = yield from cancel_damage(battle, unit, [fighter], result.successes, trial)
    yield from hurt(battle, unit, fighter, points, cause)


# -- the right to attack -----------------------------------------------------------------------------------------------


def why_not_attack(unit: Unit) -> Refusal | None:
    """Why a unit may carry out no attacks (any more) this turn, if so: each may once (RN3-MELEE-19), and after a
    reception or counter-charge it only defends (RN3-REC-05, RN3-CCH-10)."""
    if unit.reaction in DEFENDS_ONLY:
        rule = "RN3-REC-05" if unit.reaction == "reception" else "RN3-CCH-10"
        return Refusal(rule, "defends_only", {"unit": unit.id})
    if unit.attacked:
        return Refusal("RN3-MELEE-19", "attacked_already", {"unit": unit.id})
    return None


def why_not_strike_back(battle: Battle, unit: Unit, target: Unit) -> Refusal | None:
    """Why a unit may not strike back at the one that attacked it, if so (RN3-MELEE-20, -21)."""
    facts = {"unit": unit.id, "target": target.id}
    if not unit.on_table or not in_contact(unit, target):
        return Refusal("RN3-MELEE-20", "not_in_contact", facts)
    refusal = why_not_attack(unit)
    if refusal is not None:
        return refusal
    if unit.order is None and unit.entered != battle.round:
        return Refusal("RN3-MELEE-21", "order_to_come", facts)
    if not hand_of(battle, unit, [target]).total:
        return Refusal("RN3-MELEE-05", "no_dice", facts)
    return None


# -- the steps of a fight ----------------------------------------------------------------------------------------------


def fight(battle: Battle, unit: Unit, kind: str) -> None:
    """Put a fight of the active unit on the turn track, after an assault or engagement (RN3-ASLT-14, 9 and 10).

    1. Both sides set dice aside in secret.            RN3-MELEE-07
    2. Pairings are fought one after another.          RN3-MELEE-15, -25
    3. The attacked unit may strike back.              RN3-MELEE-20
    4. Skills may let somebody fight again.            RN3-SKL-33
    5. Dice that were not rolled return.               RN3-MELEE-22
    """
    battle.then_all(
        due(begin_fight, unit.id, kind),
        due(set_dice_aside),
        due(order_pairings),
        due(fight_pairing),
        due(strike_back, unit.id),
        *([due(fight_again, unit.id)] if kind == "assault" else []),
        due(end_fight),
    )


@step
def begin_fight(battle: Battle, unit_id: str, kind: str) -> None:
    """The active unit fights every enemy unit it touches in one allocation (RN3-MELEE-23)."""
    unit = battle.units[unit_id]
    enemies = tuple(enemy.id for enemy in engaged_with(battle, unit)) if unit.on_table else ()
    reaction = battle.acting.reaction if kind == "assault" else ""
    open_fight(battle, kind, unit_id, enemies, reaction)


def open_fight(
    battle: Battle, kind: str, unit: str, enemies: tuple[str, ...], reaction: str = "", only: tuple[str, ...] = ()
) -> None:
    battle.fight = Fight(kind, unit, enemies, reaction, only)


def fight_of(battle: Battle) -> Fight:
    found: Fight = battle.fight
    return found


@step
def set_dice_aside(battle: Battle) -> Step:
    """Both players set dice aside for all pairings, secretly and at the same time; then both reveal (RN3-MELEE-07).

    1. Who assaults or engages attacks with more than half of what it may use.          RN3-MELEE-08
    2. In a reception everything defends, in a counter-charge everything attacks.       RN3-REC-04, RN3-CCH-04
    3. Dice set aside leave the reserve; used ones are gone until the next turn.        RN3-MELEE-04
    4. Tactics may add attack dice once all is revealed.                                RN3-TAC-08
    """
    fight = fight_of(battle)
    unit = battle.units[fight.unit]
    enemies = _still_there(battle, fight)
    if not enemies:
        return
    own, theirs, pairs = what_is_asked(battle, fight)
    answer, reply = yield from answers_to(own, theirs)

    for pair in pairs:
        pairing = Pairing(pair.own.profile, *pair.against, _pool(unit, pair.own.profile))
        back = Pair(pair.against, pair.own)
        pairing.attack, pairing.guard = (set_aside(answer, use, pair) for use in (ATTACK, DEFENCE))
        pairing.counter, pairing.defence = (set_aside(reply, use, back) for use in (ATTACK, DEFENCE))
        fight.pairings.append(pairing)
        enemy = battle.units[pairing.enemy]
        _spend(unit, pairing.pool, attack=pairing.attack, kept=pairing.guard)
        _spend(enemy, _pool(enemy, pairing.foe), attack=pairing.counter, defence=pairing.defence)
        dice = (pairing.attack, pairing.guard, pairing.defence, pairing.counter)
        battle.tell(DiceRevealed("RN3-MELEE-07", *_named(battle, pair), *dice))
    fight.order = tuple(range(len(fight.pairings)))
    _mark_fought(fight, unit, enemies)
    if fight.ordered:
        for pairing in fight.pairings:
            at(Keyword.after_reveal, (tactics_at_work(unit),), Reveal(battle, fight, pairing))


def _still_there(battle: Battle, fight: Fight) -> list[Unit]:
    """The enemies that are fought, if anybody is left to fight them."""
    enemies = [battle.units[id] for id in fight.enemies if battle.units[id].on_table]
    return enemies if battle.units[fight.unit].on_table else []


def what_is_asked(battle: Battle, fight: Fight) -> tuple[Allocate, Allocate, Sequence[Pair]]:
    """What the side whose fight it is and the other are asked at the same time, and the pairings, seen from the
    first."""
    unit, enemies = battle.units[fight.unit], _still_there(battle, fight)
    hand = hand_of(battle, unit, enemies, fight.only or None)
    hands = [_facing(hand_of(battle, enemy, [unit]), hand) for enemy in enemies]
    own, theirs = _terms(fight)
    return (
        allocation.question(battle, unit.side, [hand], own),
        allocation.question(battle, 1 - unit.side, hands, theirs),
        hand.pairs,
    )


def _facing(hand: Hand, other: Hand) -> Hand:
    """Only what is in the pairings of this fight."""
    wanted = {Pair(pair.against, pair.own) for pair in other.pairs}
    pairs = [pair for pair in hand.pairs if pair in wanted]
    profiles = {pair.own for pair in wanted}
    facing = {pair.against for pair in wanted}
    shares = [
        share._replace(touching=share.touching & facing)
        for share in hand.shares
        if share.own in profiles and share.touching & facing
    ]
    return hand._replace(shares=shares, pairs=pairs)


def _terms(fight: Fight) -> tuple[Terms, Terms]:
    """How the unit whose fight it is, and its enemy, may spend their dice."""
    if fight.kind == "strike_back":
        return STRIKE_BACK, DEFEND
    reply = {"reception": RECEIVE, "counter_charge": COUNTER_CHARGE}.get(fight.reaction, DEFEND)
    return ASSAULT, reply


def _pool(unit: Unit, profile: str) -> str:
    found = members(unit, profile)
    return allocation.INCARNATE if found and found[0].profile.incarnate else allocation.TROOP


def _spend(unit: Unit, pool_name: str, *, attack: int = 0, defence: int = 0, kept: int = 0) -> None:
    """Dice leave the reserve; those of `kept` are used only if they are rolled (RN3-MELEE-22)."""
    pool = pool_named(unit, pool_name)
    pool.left -= attack + defence + kept
    pool.used += attack + defence
    pool.defence += defence


def _mark_fought(fight: Fight, unit: Unit, enemies: Sequence[Unit]) -> None:
    """Everybody has fought this turn (RN3-TAC-01); whoever attacks has used that right (RN3-MELEE-19)."""
    if fight.kind != "again":
        unit.attacked = True
    for enemy in enemies:
        enemy.fought = True
        if fight.simultaneous:
            enemy.attacked = True
    unit.fought = True


class _Named(NamedTuple):
    """A pairing as it is told: the cards only where they are not those that the units are named after."""

    unit: str
    card: str
    target: str
    foe: str


def _named(battle: Battle, pair: Pair) -> _Named:
    return _Named(pair.own.unit, card_in(battle, pair.own), pair.against.unit, card_in(battle, pair.against))


@step
def order_pairings(battle: Battle) -> Step:
    """The active player chooses in which order pairings are fought (RN3-MELEE-15)."""
    fight = fight_of(battle)
    options = []
    for number, p in enumerate(fight.pairings):
        if p.attack + p.gained + p.counter:
            own, theirs = UnitProfile(fight.unit, p.card), UnitProfile(p.enemy, p.foe)
            facts = {"card": card_in(battle, own), "target": p.enemy, "foe": card_in(battle, theirs)}
            options.append(Option(str(number), "pairing", facts, (p.enemy,)))
    side = battle.activation.side if battle.activation is not None else battle.units[fight.unit].side
    about = {"unit": fight.unit}
    order = yield from put_in_order(side, options, "order_pairings", "RN3-MELEE-15", about, measured=True)
    fight.order = tuple(map(int, order))


@step
def fight_pairing(battle: Battle) -> Step:
    """Fight one pairing after another (RN3-MELEE-25).

    1. Who would rather die than attack does so.                        RN3-SKL-21
    2. Attack test, Defence test, Force test.                           RN3-MELEE-10 to -13
       Against a counter-charge both sides attack, in this order.       RN3-CCH-12
    3. Protections, then losses, designated by who attacked.            RN3-MELEE-14
    4. Attack dice that skills give are used.                           RN3-SKL-07, -12
    """
    fight = fight_of(battle)
    if not fight.order:
        if fight.losses:
            yield from take_losses(battle, fight)
        if fight.gains:
            battle.then_all(due(use_gains), due(fight_pairing))
        return
    number, *rest = fight.order
    fight.order = tuple(rest)
    battle.then(fight_pairing)
    yield from resolve_pairing(battle, fight, fight.pairings[number])
    if fight.gains and not fight.simultaneous:
        battle.then(use_gains)


def resolve_pairing(battle: Battle, fight: Fight, pairing: Pairing) -> Asking[None]:
    unit, enemy = battle.units[fight.unit], battle.units[pairing.enemy]
    own, theirs = UnitProfile(unit.id, pairing.card), UnitProfile(enemy.id, pairing.foe)
    attack = pairing.attack + pairing.gained
    attack -= yield from _offer_sacrifice(battle, own, theirs, attack)
    counter = pairing.counter
    counter -= yield from _offer_sacrifice(battle, theirs, own, counter)
    if not _meet(battle, own, theirs):
        battle.tell(PairingOver("RN3-MELEE-15", *_named(battle, Pair(own, theirs))))
        return

    mine, foes = party_of(battle, own, theirs), party_of(battle, theirs, own)
    ours = Blows(mine, foes, attack, pairing.defence, onset(battle, fight, enemy, mine.skills))
    back = Blows(foes, mine, counter, pairing.guard, counter_onset(battle, fight))
    if counter and pairing.guard:
        # They are rolled, or at least used, now (RN3-MELEE-11).
        pool = pool_named(unit, pairing.pool)
        pool.used += pairing.guard
        pool.defence += pairing.guard
        pairing.guard = 0

    yield from _attack(battle, own, theirs, ours)
    yield from _attack(battle, theirs, own, back)
    yield from _defend(battle, own, theirs, ours)
    yield from _defend(battle, theirs, own, back)
    trial = yield from _wound(battle, own, theirs, ours)
    their_trial = yield from _wound(battle, theirs, own, back)
    yield from _losses(battle, fight, own, theirs, ours, trial)
    yield from _losses(battle, fight, theirs, own, back, their_trial)
    _gather_answers(battle, fight, theirs, own, ours)
    _gather_answers(battle, fight, own, theirs, back)


def _meet(battle: Battle, own: UnitProfile, theirs: UnitProfile) -> bool:
    """Whether models of the two profiles still touch, or one of the enemy's may be struck wherever it is."""
    unit, enemy = battle.units[own.unit], battle.units[theirs.unit]
    if not unit.on_table or not enemy.on_table:
        return False
    mine, others = members(unit, own.profile), members(enemy, theirs.profile)
    if battle.is_option("meleeCasualties", "wholeProfile"):
        return bool(mine and others)
    return any(touches(a, b) for a in mine for b in others)


# -- the tests ---------------------------------------------------------------------------------------------------------


def _attack(battle: Battle, own: UnitProfile, theirs: UnitProfile, blows: Blows) -> Asking[None]:
    """ATT against DEF (RN3-MELEE-10); a machine that nobody works is hit without a die (RN3-WM-14)."""
    if not blows.attack:
        return
    if blows.struck.helpless:
        blows.hit_without_dice()
        battle.tell(HitWithoutTest("RN3-WM-14", own.unit, theirs.unit, blows.attack))
        return
    blows.attacked = yield from _tested(battle, blows.attack_test(), own, theirs)


def _defend(battle: Battle, own: UnitProfile, theirs: UnitProfile, blows: Blows) -> Asking[None]:
    """DEF against ATT (RN3-MELEE-11); each success cancels one of the attack (RN3-MELEE-12)."""
    if not blows.attack or not blows.defence_is_rolled():
        return
    blows.defended = yield from _tested(battle, blows.defence_test(), theirs, own)
    if blows.attacked.successes:
        cancelled = blows.attacked.successes - blows.hits
        battle.tell(AttacksCancelled("RN3-MELEE-12", own.unit, theirs.unit, cancelled, blows.hits))


def _wound(battle: Battle, own: UnitProfile, theirs: UnitProfile, blows: Blows) -> Asking[Trial | None]:
    """FOR against RES (RN3-MELEE-13)."""
    if not blows.hits:
        return None
    trial = blows.force_test()
    result = yield from _tested(battle, trial, own, theirs)
    blows.damage = result.successes
    return trial


def _tested(battle: Battle, trial: Trial, by: UnitProfile, against: UnitProfile) -> Asking[Any]:
    unit, enemy = battle.units[by.unit], battle.units[against.unit]
    result = yield from attempt(
        battle,
        trial,
        unit=unit,
        hero=hero_in(unit, by),
        against=enemy,
        target_hero=hero_in(enemy, against),
        card=by.profile,
        foe=card_in(battle, against),
    )
    return result


def hero_in(unit: Unit, of: UnitProfile) -> Fighter | None:
    """The Incarnate who is this profile, if it is one."""
    hero = unit.hero
    return hero if hero is not None and profile_of(unit, hero) == of.profile else None


# -- who fights, and how -----------------------------------------------------------------------------------------------


def party_of(battle: Battle, of: UnitProfile, against: UnitProfile) -> Party:
    """A profile as it fights in a pairing, by its models that are in it."""
    unit, enemy = battle.units[of.unit], battle.units[against.unit]
    everybody = members(unit, of.profile)
    others = members(enemy, against.profile)
    inside = [f for f in everybody if any(touches(f, other) for other in others)] or everybody
    one = inside[0]
    crew = [f for f in unit.figures if not f.profile.machine]
    defends = (crew or [one])[0] if one.profile.machine else one
    asleep = counter_charges(battle, unit)
    effects = effects_without_tactics(unit) if asleep else unit.effects
    force = value_of(unit, one, "for", effects)
    titan = one.profile.category == "titan"
    if others and others[0].profile.category == "titan":
        # No effect improves a Force test against a titan (RN3-TIT-08).
        force = min(force, one.profile.melee.force)
    return Party(
        unit.id,
        value_of(unit, one, "att", effects),
        value_of(unit, defends, "def", effects),
        force,
        value_of(unit, one, "res", effects),
        skills_of(unit, one),
        book.empty if asleep else tactics_at_work(unit),
        titan,
        len(inside),
        stood_still(battle, unit),
        one.profile.machine and not crew,
    )


def stood_still(battle: Battle, unit: Unit) -> bool:
    """A member of the unit has not moved in its activation of this turn, or the unit has yet to be activated
    (RN3-SKL-13)."""
    return any(not fighter.moved for fighter in unit.figures)


def onset(battle: Battle, fight: Fight, enemy: Unit, skills: SkillSet) -> Onset:
    """How a profile with these skills, of the unit whose fight it is, comes to strike an enemy."""
    unit = battle.units[fight.unit]
    if fight.kind != "assault":
        return Onset(options=battle.options)
    charge = enemy.id in battle.acting.charge or claims_charge(battle, unit, enemy, skills) is not None
    return Onset(True, charge, charge, fight.simultaneous, battle.options)


def counter_onset(battle: Battle, fight: Fight) -> Onset:
    """How a counter-charging enemy comes to strike: it may have the bonus of a charge, but its reaction is no charge,
    unless a house rule lets its force count (RN3-CCH-09, RN3-CAV-04)."""
    bonus = fight.simultaneous and battle.acting.counter_bonus
    return Onset(False, bonus, bonus and battle.is_option("forceOnCounterCharge", "yes"), False, battle.options)


# -- losses ------------------------------------------------------------------------------------------------------------


def _losses(
    battle: Battle, fight: Fight, own: UnitProfile, theirs: UnitProfile, blows: Blows, trial: Trial | None
) -> Asking[None]:
    """Protections, then who is hit, then their removal; in a counter-charge that waits for the end (RN3-CCH-06)."""
    if not blows.damage:
        return
    unit, enemy = battle.units[own.unit], battle.units[theirs.unit]
    points = yield from cancel_damage(battle, enemy, members(enemy, theirs.profile), blows.damage, trial)
    hero = hero_in(unit, own)
    cause = Cause("melee", unit.id, hero.id if hero is not None else "")
    designated = yield from designate(battle, fight, own, theirs, points)
    fight.losses += tuple(Loss(enemy.id, fighter, number, cause) for fighter, number in designated.items())
    if not fight.simultaneous:
        yield from take_losses(battle, fight)


def eligible(battle: Battle, own: UnitProfile, theirs: UnitProfile) -> list[Fighter]:
    """Who can be hit: models of the profile attacked that touch one of the attacking profile; by a house rule all of
    the profile (RN3-MELEE-14)."""
    unit, enemy = battle.units[own.unit], battle.units[theirs.unit]
    targets = members(enemy, theirs.profile)
    if battle.is_option("meleeCasualties", "wholeProfile"):
        return targets
    strikers = members(unit, own.profile)
    return [f for f in targets if any(touches(f, striker) for striker in strikers)]


def designate(
    battle: Battle, fight: Fight, own: UnitProfile, theirs: UnitProfile, points: int
) -> Asking[dict[str, int]]:
    """The attacker designates who is hit: who is wounded is finished before another is; what nobody can take is lost
    (RN3-MELEE-14). Damage by model."""
    due_already = Counter({loss.fighter: 0 for loss in fight.losses})
    for loss in fight.losses:
        due_already[loss.fighter] += loss.points
    left = {f.id: f.left - due_already[f.id] for f in eligible(battle, own, theirs)}
    left = {id: hit_points for id, hit_points in left.items() if hit_points > 0}
    hit: dict[str, int] = {}
    side = battle.units[own.unit].side
    whole = {f.id: f.profile.hit_points for f in battle.units[theirs.unit].figures}
    while points > 0 and left:
        wounded = {id: n for id, n in left.items() if n < whole[id]}
        among = wounded or left
        if sum(among.values()) <= points:
            chosen: Sequence[str] = tuple(among)
        else:
            chosen = yield from _choose_casualties(side, theirs.unit, among, points)
        for id in chosen:
            taken = min(points, left[id])
            hit[id] = hit.get(id, 0) + taken
            points -= taken
            left[id] -= taken
            if not left[id] or not points:
                left.pop(id)
    return hit


def _choose_casualties(side: int, unit: str, among: Mapping[str, int], points: int) -> Asking[Sequence[str]]:
    """Some who fall, if all have as many hit points left, else the next one."""
    each = set(among.values())
    options = [Option.thing(id, "casualty", {"left": left}) for id, left in among.items()]
    number = points // max(each)
    if len(each) == 1 and number > 1:
        about = {"unit": unit, "number": number, "damage": points}
        chosen = yield from pick_several(
            side, options, number, number, "melee_casualties", "RN3-MELEE-14", about, measured=True
        )
        return chosen
    one = yield from pick_one(
        side, options, "melee_casualty", "RN3-MELEE-14", {"unit": unit, "damage": points}, measured=True
    )
    return (one,)


def take_losses(battle: Battle, fight: Fight) -> Asking[None]:
    """What was designated is taken, and the dead are removed (RN3-MELEE-14); who leads comes last, so that nobody
    follows him who falls with him."""
    losses, fight.losses = fight.losses, ()
    for loss in sorted(losses, key=lambda loss: leads(battle, battle.units[loss.unit], loss.fighter)):
        unit = battle.units[loss.unit]
        fighter = unit.figure(loss.fighter)
        if fighter is not None:
            yield from hurt(battle, unit, fighter, loss.points, loss.cause)


# -- attack dice that skills give --------------------------------------------------------------------------------------


def _gather_answers(battle: Battle, fight: Fight, by: UnitProfile, target: UnitProfile, blows: Blows) -> None:
    """Skills of the profile that was attacked may answer with attack dice."""
    if not blows.attack:
        return
    answer = Answer(battle, fight, by, target, blows)
    at(Keyword.when_attacks_failed, (blows.struck.skills,), answer)
    at(Keyword.when_defences_succeeded, (blows.struck.skills,), answer)


@step
def use_gains(battle: Battle) -> Step:
    """Attack dice that a skill has given are used: the owner decides how many, and his opponent how he defends, in
    secret and at the same time (RN3-SKL-07, RN3-SKL-12).

    They are lost if nobody of the profile is left in contact. The opponent defends with dice he has set aside in that
    pairing and not rolled, and with dice of his reserve, within a fresh limit. Nothing answers such attacks in return.
    """
    fight = fight_of(battle)
    if not fight.gains:
        return
    gain, *rest = fight.gains
    fight.gains = tuple(rest)
    battle.then(use_gains)
    by, target = battle.units[gain.by.unit], battle.units[gain.target.unit]
    if not _meet(battle, gain.by, gain.target):
        return
    battle.tell(AttackDiceGained(gain.rule, by.id, target.id, gain.dice, gain.because))
    pair = Pair(gain.target, gain.by)
    waiting = next((p for p in fight.pairings if _is_of(fight, p, pair)), None)
    hand = _hand_in(battle, target, by, pair, waiting.guard if waiting is not None else 0)
    own = Pair(gain.by, gain.target)
    word = allocation.slot(ATTACK, own)
    asked = Allocate(
        by.side,
        {word: gain.dice},
        0,
        gain.dice,
        "use_gained_dice",
        gain.rule,
        {"unit": by.id, "because": gain.because, "dice": gain.dice},
        secret=True,
        words={word: allocation.words_of(battle, ATTACK, own)},
        measured=True,
    )
    used, reply = yield from answers_to(asked, allocation.question(battle, target.side, [hand], DEFEND))
    attack, defence = set_aside(used, ATTACK, own), set_aside(reply, DEFENCE, pair)
    _spend_on_answer(target, pair, waiting, defence)
    battle.tell(DiceRevealed(gain.rule, *_named(battle, own), attack, 0, defence))

    blows = Blows(
        party_of(battle, gain.by, gain.target),
        party_of(battle, gain.target, gain.by),
        attack,
        defence,
        Onset(options=battle.options),
        unanswered=True,
    )
    yield from _attack(battle, gain.by, gain.target, blows)
    yield from _defend(battle, gain.by, gain.target, blows)
    trial = yield from _wound(battle, gain.by, gain.target, blows)
    yield from _losses(battle, fight, gain.by, gain.target, blows, trial)
    yield from take_losses(battle, fight)


def _is_of(fight: Fight, pairing: Pairing, pair: Pair) -> bool:
    """Whether a pairing is this one, seen from the unit whose fight it is."""
    own, theirs = UnitProfile(fight.unit, pairing.card), UnitProfile(pairing.enemy, pairing.foe)
    return pair == Pair(own, theirs)


def _hand_in(battle: Battle, unit: Unit, enemy: Unit, pair: Pair, guard: int) -> Hand:
    """What a unit may defend with in one pairing: dice set aside there and not rolled, and its reserve."""
    hand = hand_of(battle, unit, [enemy], [pair.own.profile])
    shares = [
        share._replace(touching=frozenset({pair.against})) for share in hand.shares if pair.against in share.touching
    ]
    left = dict(hand.left)
    left[_pool(unit, pair.own.profile)] += guard
    return Hand(unit, shares, [pair] if shares else [], left)


def _spend_on_answer(unit: Unit, pair: Pair, waiting: Pairing | None, defence: int) -> None:
    """Dice that had been set aside go first, the reserve completes them."""
    pool = pool_named(unit, _pool(unit, pair.own.profile))
    ready = min(defence, waiting.guard) if waiting is not None else 0
    if waiting is not None:
        waiting.guard -= ready
    pool.left -= defence - ready
    pool.used += defence
    pool.defence += defence


def _offer_sacrifice(battle: Battle, own: UnitProfile, theirs: UnitProfile, dice: int) -> Asking[int]:
    """Who may give his life instead of attacking is asked now; the dice that are lost (RN3-SKL-21)."""
    unit, enemy = battle.units[own.unit], battle.units[theirs.unit]
    if not dice or not unit.on_table or not enemy.on_table:
        return 0
    others = members(enemy, theirs.profile)
    fighters = [f for f in members(unit, own.profile) if any(touches(f, other) for other in others)]
    if not fighters:
        return 0
    sacrifice = Sacrifice(battle, unit, fighters, dice)
    yield from ask_at(Keyword.before_attacks, (skills_of(unit, fighters[0]),), sacrifice)
    return min(dice, sacrifice.lost)


# -- striking back and fighting again ----------------------------------------------------------------------------------


@step
def strike_back(battle: Battle, unit_id: str) -> Step:
    """Units that were attacked, have had their order and have not attacked may strike back (RN3-MELEE-20).

    Dice that the active unit has set aside and not rolled are at its disposal again.
    """
    fight = fight_of(battle)
    unit = battle.units[unit_id]
    _return_guard(battle, fight)
    enemies = [battle.units[id] for id in fight.enemies]
    able = [enemy for enemy in enemies if unit.on_table and why_not_strike_back(battle, enemy, unit) is None]
    options = [Option.thing(enemy.id, "unit") for enemy in able]
    side = battle.activation.side if battle.activation is not None else unit.side
    order = yield from put_in_order(
        side, options, "order_of_strike_backs", "RN3-GEN-12", {"unit": unit_id}, measured=True
    )
    battle.then_all(*(due(offer_strike_back, enemy, unit_id) for enemy in order))


@step
def offer_strike_back(battle: Battle, unit_id: str, target_id: str) -> Step:
    """A new secret allocation with fresh limits; no majority, no bonus of a charge (RN3-MELEE-20)."""
    unit, target = battle.units[unit_id], battle.units[target_id]
    if not target.on_table or why_not_strike_back(battle, unit, target) is not None:
        return
    about = {"unit": unit_id, "target": target_id}
    if not (
        yield from yes_or_no(
            unit.side, "strike_back", "RN3-MELEE-20", about, word="strike_back", facts=about, measured=True
        )
    ):
        return
    battle.tell(StrikesBack("RN3-MELEE-20", unit_id, target_id))
    enemies = fight_of(battle).enemies
    open_fight(battle, "strike_back", unit_id, (target_id,))
    battle.then_all(due(set_dice_aside), due(order_pairings), due(fight_pairing), due(resume_fight, target_id, enemies))


@step
def resume_fight(battle: Battle, unit_id: str, enemies: tuple[str, ...]) -> None:
    """After a strike-back the fight is that of the active unit again."""
    _return_guard(battle, fight_of(battle))
    open_fight(battle, "over", unit_id, tuple(enemies))


@step
def fight_again(battle: Battle, unit_id: str) -> Step:
    """After an assault, and the strike-back if any, skills may let profiles in contact fight once more, with dice left
    in the reserve and without the bonus of a charge (RN3-SKL-33)."""
    unit = battle.units[unit_id]
    enemies = engaged_with(battle, unit) if unit.on_table else []
    able: dict[str, Keyword] = {}
    for profile in dict.fromkeys(profile_of(unit, fighter) for fighter in unit.figures):
        again = Again()
        at(Keyword.after_assault, (skills_of(unit, members(unit, profile)[0]),), again)
        if again.because is not None and hand_of(battle, unit, enemies, [profile]).total:
            able[profile] = again.because
    if not able:
        return
    because = next(iter(able.values()))
    about = {"unit": unit_id, "because": because.title}
    if not (
        yield from yes_or_no(
            unit.side, "fight_again", because.rule, about, word="fight_again", facts=about, measured=True
        )
    ):
        return
    battle.tell(FightsAgain(because.rule, unit_id, because.title))
    open_fight(battle, "again", unit_id, tuple(enemy.id for enemy in enemies), only=tuple(able))
    battle.then_all(due(set_dice_aside), due(order_pairings), due(fight_pairing))


def _return_guard(battle: Battle, fight: Fight) -> None:
    """Defence dice that were never rolled go back to the reserve (RN3-MELEE-22)."""
    unit, returned = battle.units[fight.unit], 0
    for pairing in fight.pairings:
        pool_named(unit, pairing.pool).left += pairing.guard
        returned += pairing.guard
        pairing.guard = 0
    if returned:
        battle.tell(DiceReturned("RN3-MELEE-22", fight.unit, returned))


@step
def end_fight(battle: Battle) -> None:
    """Unrolled defence dice are back in the reserve; models remain in contact (RN3-MELEE-22, -24)."""
    _return_guard(battle, fight_of(battle))
    for unit in battle.units.values():
        unit.pool.defence = unit.hero_pool.defence = 0
    battle.fight = None
