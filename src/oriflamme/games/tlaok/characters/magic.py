"""Magic (TLAOK-MAGIC): a spell, a target, dice against the Attunement, and what comes of it.

Characters cast with their own action, regiments with one of their two; the rules are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oriflamme.engine.blocks.faces import arcs_of
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import sorting
from oriflamme.engine.core.events import Reason, Refusal
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import INCH, TOLERANCE, in_inches
from oriflamme.games.tlaok.characters.abilities import apply
from oriflamme.games.tlaok.combat.attacks import dice_rulings_of, resolve, struck_by
from oriflamme.games.tlaok.combat.blows import Strike
from oriflamme.games.tlaok.events import SpellCast, SpellHit, SpellTookEffect
from oriflamme.games.tlaok.losses.healing import heal
from oriflamme.games.tlaok.losses.morale import kinds_of
from oriflamme.games.tlaok.losses.wounds import Cause
from oriflamme.games.tlaok.moments import Keyword, KeywordSet, book
from oriflamme.games.tlaok.profile import Spell
from oriflamme.games.tlaok.regiment.contact import rectangle_of
from oriflamme.games.tlaok.regiment.distances import apart, ground_of
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.rounds.secondaries import note
from oriflamme.games.tlaok.state import Asking, Battle, Effect, Regiment, Stand
from oriflamme.games.tlaok.terrain.sight import eyes, sees, stand_sees, view_of
from oriflamme.games.tlaok.terrain.sight import face_towards as face_looking
from oriflamme.games.tlaok.trials import RollResult, RollTarget, Value, attempt

INTERFERENCE: Final = 10 * INCH  # TLAOK-MAGIC-11
# More successes for so many stands in the target; the first that fits counts (TLAOK-MAGIC-12).
SCALING: Final = ((10, 3), (8, 2), (5, 1))
# What lasts on a regiment that a spell was cast on this round (TLAOK-MAGIC-08).
TARGETED: Final = "targeted"


class Power:
    """With how many dice somebody casts, and whether as a Priest."""

    __slots__ = ("dice", "priest")

    def __init__(self) -> None:
        self.dice = 0
        self.priest = False

    def give(self, dice: int, *, priest: bool = False) -> None:
        self.dice = max(self.dice, dice)
        self.priest |= priest


class Casting:
    """A spell about to be cast on a regiment: what its dice must not exceed, how many successes are wanted, and what
    the special rules of the target make of it."""

    __slots__ = ("attunement", "converted", "halved", "healed", "power", "spell", "wanted")

    def __init__(self, spell: Spell, power: Power, attunement: Value, wanted: Value) -> None:
        self.spell = spell
        self.power = power
        self.attunement = attunement
        self.wanted = wanted
        self.converted: SpecialRule | None = None
        self.halved: SpecialRule | None = None
        self.healed: tuple[int, SpecialRule] | None = None

    def convert(self, because: SpecialRule) -> None:
        """One failed die is a success."""
        self.converted = because

    def successes(self, tested: RollResult) -> int:
        return tested.successes + int(self.converted is not None and tested.failures > 0)

    def hits(self, successes: int) -> int:
        """How many hits so many successes cause."""
        effect = self.spell.effect
        number = int(effect.get("hits", 0)) + int(effect.get("hits_per_success", 0)) * successes
        return number if self.halved is None else -(-number // 2)

    def halve_hits(self, because: SpecialRule) -> None:
        self.halved = because

    def heal(self, points: int, because: SpecialRule) -> None:
        """So many wounds are healed when the spell has taken effect."""
        self.healed = (points, because)


# -- who casts what ----------------------------------------------------------------------------------------------------


def power_of(regiment: Regiment, stand: Stand) -> Power:
    """The dice a stand casts with; none if it is neither Wizard nor Priest."""
    power = Power()
    at(Keyword.when_casting, (regiment.keywords_of(stand),), power)
    return power


def casters(regiment: Regiment, *, hero: bool) -> list[Stand]:
    """The stands that cast: the character, or those of the regiment that can."""
    stands = [regiment.hero] if hero else regiment.troops
    return [s for s in stands if s is not None and power_of(regiment, s).dice]


def spells_of(regiment: Regiment, *, hero: bool) -> tuple[Spell, ...]:
    """What they know, by their list entry (TLAOK-MAGIC-02)."""
    if not hero:
        return regiment.profile.spells
    return regiment.character.profile.spells if regiment.character is not None else ()


def rules_of_hits(regiment: Regiment, stand: Stand, spell: Spell) -> KeywordSet:
    """The special rules of a spell's hits: those of the spell, and those of its caster (TLAOK-SR-ARMORPIERCING-01)."""
    lent = (k for k in regiment.keywords_of(stand) if k.in_spells)
    return book.set_of((*lent, *(book.parse(rule) for rule in spell.effect.get("rules", ()))))


# -- targets -----------------------------------------------------------------------------------------------------------


def why_not_target(
    battle: Battle, regiment: Regiment, stands: Sequence[Stand], spell: Spell, target: Regiment
) -> Refusal | None:
    """Why a spell cannot be cast on a regiment (TLAOK-MAGIC-04 to -08)."""
    facts: dict[str, Any] = {"spell": spell.id, "target": target.id}
    if not target.on_table:
        return Refusal("TLAOK-MAGIC-04", "not_on_the_table", facts)
    if not spell.range:
        if target is not regiment:
            return Refusal("TLAOK-MAGIC-07", "only_self", facts)
    elif (target.side != regiment.side) != (spell.target == "enemy"):
        return Refusal("TLAOK-MAGIC-04", "wrong_side", facts)
    away = reach_to(battle, regiment, stands, target)
    if away > spell.range * INCH + TOLERANCE:
        return Refusal("TLAOK-MAGIC-04", "spell_too_far", facts | {"gap": in_inches(away), "reach": spell.range})
    if not spell.hits:
        if any(e.stat == TARGETED and e.source == spell.id for e in target.effects):
            return Refusal("TLAOK-MAGIC-08", "cast_on_already", facts)
        return None
    if battle.is_engaged(regiment):
        # Whom he fights he always sees (TLAOK-MAGIC-06).
        return None if target in battle.engaged(regiment) else Refusal("TLAOK-MAGIC-06", "engaged_elsewhere", facts)
    if not sees_to_cast(battle, regiment, stands, target):
        return Refusal("TLAOK-MAGIC-05", "spell_no_sight", facts)
    return None


def sees_to_cast(battle: Battle, regiment: Regiment, stands: Sequence[Stand], target: Regiment) -> bool:
    """The caster sees the target: a character with his own eyes, a regiment as for a volley (TLAOK-LOS-03)."""
    hero = stands[0] if stands[0].hero else None
    if hero is None:
        return sees(battle, regiment, target, "spell")
    face = face_looking(battle, regiment, target, view_of(battle, regiment, "spell"))
    return bool(face) and any(
        stand_sees(battle, regiment, eye, target, "spell") for eye in eyes(battle, regiment, face, hero)
    )


def reach_to(battle: Battle, regiment: Regiment, stands: Sequence[Stand], target: Regiment) -> float:
    """From the caster's stand to the target; none to his own regiment (TLAOK-MAGIC-04, TLAOK-DIST-06)."""
    if target is regiment:
        return 0.0
    return apart(ground_of(battle, regiment, stands), ground_of(battle, target))


def targets_of(battle: Battle, regiment: Regiment, stands: Sequence[Stand], spell: Spell) -> list[Regiment]:
    return [r for r in battle.present() if why_not_target(battle, regiment, stands, spell, r) is None]


def why_not_cast(battle: Battle, regiment: Regiment, *, hero: bool) -> Refusal | None:
    """Why they cannot cast at all (TLAOK-MAGIC-01)."""
    facts = {"regiment": regiment.id}
    stands = casters(regiment, hero=hero)
    if not stands:
        return Refusal("TLAOK-MAGIC-01", "no_caster", facts)
    spells = spells_of(regiment, hero=hero)
    if not spells:
        return Refusal("TLAOK-MAGIC-01", "no_spell", facts)
    if not any(targets_of(battle, regiment, stands, spell) for spell in spells):
        return Refusal("TLAOK-MAGIC-04", "no_spell_target", facts)
    return None


# -- the action --------------------------------------------------------------------------------------------------------


@action("cast", "TLAOK-MAGIC-18", engaged=None, why_not=lambda b, r: why_not_cast(b, r, hero=False))
def regiment_casts(battle: Battle, regiment: Regiment) -> Asking[None]:
    yield from cast(battle, regiment, hero=False)


@action("cast", "TLAOK-MAGIC-01", engaged=None, why_not=lambda b, r: why_not_cast(b, r, hero=True), character=True)
def character_casts(battle: Battle, regiment: Regiment) -> Asking[None]:
    yield from cast(battle, regiment, hero=True)


def cast(battle: Battle, regiment: Regiment, *, hero: bool) -> Asking[None]:
    """Spellcasting.

    1. Choose one spell, and one regiment it may be cast on.      TLAOK-MAGIC-04 to -08
    2. Roll the dice of the caster against the Attunement.        TLAOK-MAGIC-09, -11, -17
    3. With too few successes nothing happens.                    TLAOK-MAGIC-10, -12, -13
    4. Else the spell takes effect.                               TLAOK-MAGIC-14 to -16
    """
    stands = casters(regiment, hero=hero)
    known = {spell.id: spell for spell in spells_of(regiment, hero=hero)}
    able = {id: spell for id, spell in known.items() if targets_of(battle, regiment, stands, spell)}
    about = {
        "regiment": regiment.id,
        "character": regiment.character.id if hero and regiment.character is not None else "",
    }

    def no_target(key: str) -> Refusal | None:
        return Refusal("TLAOK-MAGIC-04", "no_target_for", {"spell": key}) if key in known else None

    options = [Option(spell.id, "spell", {"spell": spell.id}) for spell in able.values()]
    key = yield from pick_one(regiment.side, options, "choose_spell", "TLAOK-MAGIC-04", about, why_not=no_target)
    spell = able[key]

    def not_on(key: str) -> Refusal | None:
        target = battle.units.get(key)
        return why_not_target(battle, regiment, stands, spell, target) if target is not None else None

    targets = targets_of(battle, regiment, stands, spell)
    key = yield from pick_one(
        regiment.side, [Option.thing(r.id) for r in targets], "choose_spell_target", "TLAOK-MAGIC-04",
        about | {"spell": spell.id}, why_not=not_on, default=_first_choice(regiment, spell, targets),
    )  # fmt: skip
    yield from cast_on(battle, regiment, stands, spell, battle.units[key])


def _first_choice(regiment: Regiment, spell: Spell, targets: Sequence[Regiment]) -> str:
    """The own regiment for what helps it."""
    return regiment.id if regiment in targets and spell.target != "enemy" else targets[0].id


def cast_on(
    battle: Battle, regiment: Regiment, stands: Sequence[Stand], spell: Spell, target: Regiment
) -> Asking[None]:
    """The casting roll, and what the spell does to its target."""
    if not spell.hits:
        target.affect(Effect(spell.id, "TLAOK-MAGIC-08", "round", TARGETED))
    caster = stands[0]
    casting = casting_of(battle, regiment, stands, spell, target)
    value, wanted = casting.attunement, casting.wanted
    tested = roll_to_cast(battle, casting.power.dice, value.number)
    successes, more = casting.successes(tested), wanted.reasons[1:]
    if successes > tested.successes and casting.converted is not None:
        more.append(Reason(casting.converted.title, 1, casting.converted.rule))
    done = successes >= wanted.number
    battle.tell(
        SpellCast(
            "TLAOK-MAGIC-10" if done else "TLAOK-MAGIC-13", regiment.id, spell.id, target.id, casting.power.dice,
            value.number, successes, wanted.number, done, tested.faces, tuple(value.reasons), tuple(more),
            caster.id if caster.hero else "", battle.option("tlaok.castingAutomatics") == "yes",
        )
    )  # fmt: skip
    if done:
        note(battle, "spell_cast", regiment.side, target.id)
        yield from take_effect(battle, regiment, stands, casting, target, successes)


def casting_of(battle: Battle, regiment: Regiment, stands: Sequence[Stand], spell: Spell, target: Regiment) -> Casting:
    """All that is known before the dice fall."""
    wanted = Value("successes", spell.needed, "successes", "TLAOK-MAGIC-10")
    _scale(wanted, spell, target)
    value = attunement(battle, regiment, stands, spell, target)
    casting = Casting(spell, power_of(regiment, stands[0]), value, wanted)
    for stand, held in kinds_of(target):
        at(Keyword.when_spellbound, (held,), casting, target, stand)
    return casting


def attunement(battle: Battle, regiment: Regiment, stands: Sequence[Stand], spell: Spell, target: Regiment) -> Value:
    """What the dice must not exceed: one less if enemy casters are near, or one less for each (TLAOK-MAGIC-11)."""
    value = Value("attunement", spell.attunement, "attunement", "TLAOK-MAGIC-09")
    near = interfering(battle, regiment, stands, target)
    if near and battle.option("tlaok.interference") == "once":
        near = near[:1]
    for id in near:
        value.add(-1, id, "TLAOK-MAGIC-11")
    return value


def interfering(battle: Battle, regiment: Regiment, stands: Sequence[Stand], target: Regiment) -> list[str]:
    """Enemy regiments and characters who could cast, within 10 inches of the caster or of his target."""
    froms = (*ground_of(battle, regiment, stands), *ground_of(battle, target))
    found = []
    for enemy in battle.foes(regiment):
        for hero in (False, True):
            able = casters(enemy, hero=hero)
            if able and apart(froms, ground_of(battle, enemy, able)) <= INTERFERENCE + TOLERANCE:
                found.append(able[0].id if hero else enemy.id)
    return found


def _scale(wanted: Value, spell: Spell, target: Regiment) -> None:
    """A spell with Scaling is harder on many stands, and on Monsters (TLAOK-MAGIC-12)."""
    if spell.scaling:
        wanted.add(next((more for least, more in SCALING if target.size >= least), 0), "size", "TLAOK-MAGIC-12")
        wanted.add(1 if target.kind == "monster" else 0, "monster", "TLAOK-MAGIC-12")


def roll_to_cast(battle: Battle, dice: int, number: int) -> RollResult:
    """Each die equal to or below the Attunement is a success; 1 always is and 6 never, unless that is played otherwise
    (TLAOK-MAGIC-09, -17)."""
    if battle.option("tlaok.castingAutomatics") == "yes":
        return attempt(battle.dice, dice, RollTarget(number), battle.option("tlaok.rerollCancel"))
    failed, passed = (*battle.dice.sort(dice, sorting(tuple(int(face <= number) for face in range(1, 7)))), 0)[:2]
    return RollResult(passed, 0, failed, 0, tuple(battle.dice.last))


# -- what it does ------------------------------------------------------------------------------------------------------


def take_effect(
    battle: Battle, regiment: Regiment, stands: Sequence[Stand], casting: Casting, target: Regiment, successes: int
) -> Asking[None]:
    """Hits are saved and tested for; whatever else it does lasts until the round ends (TLAOK-MAGIC-14, -16)."""
    spell, effect = casting.spell, casting.spell.effect
    if spell.hits:
        yield from strike(battle, regiment, stands, casting, target, casting.hits(successes))
    if not target.fate:
        if effect.get("changes"):
            battle.tell(SpellTookEffect("TLAOK-MAGIC-16", target.id, spell.id))
        yield from apply(battle, target, effect, spell.id, "TLAOK-MAGIC-14", successes=successes)
    if casting.healed is not None and not target.fate:
        points, because = casting.healed
        yield from heal(battle, target, points, because.rule)


def arc_of_caster(battle: Battle, regiment: Regiment, stands: Sequence[Stand], target: Regiment) -> str:
    """The arc of the target in which the caster stands, a flank rather than the front where he is in both; "" for a
    garrison (TLAOK-MAGIC-15)."""
    if target.garrison:
        return ""
    whole = rectangle_of(target)
    arcs = [arc for ground in ground_of(battle, regiment, stands) for arc in arcs_of(whole, ground)]
    return next((arc for arc in arcs if arc != "front"), "front")


def strike(
    battle: Battle, regiment: Regiment, stands: Sequence[Stand], casting: Casting, target: Regiment, hits: int
) -> Asking[None]:
    """The hits of a spell: saved by where the caster stands, morale without regard to it (TLAOK-MAGIC-15)."""
    halved = casting.halved
    why = (Reason(halved.title, 0, halved.rule),) if halved is not None else ()
    blow, cause = blow_of(battle, regiment, stands, casting.spell, target, hits)
    battle.tell(SpellHit("TLAOK-MAGIC-14", target.id, casting.spell.id, hits, blow.struck.face, why))
    yield from resolve(battle, regiment, target, [blow], cause)


def blow_of(
    battle: Battle, regiment: Regiment, stands: Sequence[Stand], spell: Spell, target: Regiment, hits: int
) -> tuple[Strike, Cause]:
    """So many hits of a spell, and what their wounds are caused by."""
    struck = struck_by(battle, target, arc_of_caster(battle, regiment, stands, target))
    rules = rules_of_hits(regiment, stands[0], spell)
    blow = Strike("spell", regiment.side, hits, None, rules, struck, dice_rulings_of(battle))
    return blow, Cause("TLAOK-MAGIC-14", "spell", regiment.id, saved=True)
