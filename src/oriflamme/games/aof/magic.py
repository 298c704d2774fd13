"""Magic (AOF-SR-CASTER): tokens, casting rolls, and what spells do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf

from oriflamme.engine.core.decisions import Allocate, Option
from oriflamme.engine.core.dice import Needed
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import answer_to, answers_to, pick_one, pick_several
from oriflamme.engine.core.steps import Asking, Step
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches
from oriflamme.games.aof.attack import Attack, count_hits
from oriflamme.games.aof.attacks import block, take_unblocked
from oriflamme.games.aof.events import CastingRolled, Healed, SpellEnded, SpellLaid, SpellTried, TokensSpent
from oriflamme.games.aof.moments import book
from oriflamme.games.aof.sight import can_see, gap, range_to
from oriflamme.games.aof.spells import Spell
from oriflamme.games.aof.state import Battle, Figure, Unit, step

CASTING = 4  # AOF-SR-CASTER-06
MEDDLING = inches(18)  # AOF-SR-CASTER-07


def spell_targets(battle: Battle, unit: Unit, figure: Figure, spell: Spell) -> list[Unit]:
    """The units a spell may be cast on: of the right side, in range, in line of sight (AOF-SR-CASTER-06)."""
    wanted = battle.friends_of(unit.side) if spell.targets == "friend" else battle.enemies_of(unit.side)
    return [t for t in wanted if t is unit or range_to(battle, figure, unit, t, spell.range, True) is not None]


def castable(battle: Battle, unit: Unit, figure: Figure) -> Iterator[Spell]:
    """The spells this model can try now: affordable, not tried yet in this activation, with a target.

    What one spell has a target for another that goes as far has too; so not every one is looked for.
    """
    tried = battle.acting.tried
    # On friends or enemies: from how far on somebody is known to be there, and up to where nobody.
    some: dict[str, float] = {}
    none: dict[str, float] = {}
    for spell in unit.spells:
        if spell.value > figure.tokens or (figure.id, spell.id) in tried:
            continue
        on, reach = spell.targets, spell.range
        if reach < some.get(on, inf) and reach > none.get(on, -inf):
            if _has_target(battle, unit, figure, spell):
                some[on] = reach
            else:
                none[on] = reach
        if reach >= some.get(on, inf):
            yield spell


def _has_target(battle: Battle, unit: Unit, figure: Figure, spell: Spell) -> bool:
    """Whether there is any unit that the spell may be cast on."""
    if spell.targets != "friend":
        wanted = battle.enemies_of(unit.side)
    elif unit.on_table:
        return True  # its own unit
    else:
        wanted = battle.friends_of(unit.side)
    return any(range_to(battle, figure, unit, t, spell.range, True) is not None for t in wanted)


@step
def cast(battle: Battle, unit_id: str) -> Step:
    """A casting window (AOF-SR-CASTER-04): at any time before attacking, any number of different spells, in any order.

    1. Casters are asked one after the other; who casts nothing now is asked again when another has tried a spell.
    2. The caster names a spell and its target and pays its value.             AOF-SR-CASTER-06
    3. Casters within 18" and sight, of both sides, commit tokens in secret.   AOF-SR-CASTER-07, -08
    4. One die, 4+ with +1 or -1 per token.                                    AOF-SR-CASTER-06, -09
    """
    unit = battle.units[unit_id]
    # Whose turn it is to say, the first one first; and who wants nothing since the last spell was tried.
    casters = [f.id for f in unit.figures if f.profile.caster]
    content: set[str] = set()
    while True:
        asked = [f for id in casters if id not in content and (f := unit.figure(id)) is not None]
        able = (f for f in asked if next(castable(battle, unit, f), None) is not None)
        figure = next(able, None)
        if figure is None:
            return
        spells = list(castable(battle, unit, figure))
        key = yield from pick_one(
            unit.side,
            [*(Option(s.id, "spell", {"value": s.value, "name": s.name}) for s in spells), Option("none", "no_spell")],
            "choose_spell",
            "AOF-SR-CASTER-04",
            {"figure": figure.id, "unit": unit.id, "tokens": figure.tokens},
            default="none",
            passing="none",
            why_not=partial(why_not_cast, battle, unit, figure),
            extra_options=(Option("no_more", "no_more_spells"),) if next(able, None) is not None else (),
        )
        if key == "no_more":
            return
        if key == "none":
            content.add(figure.id)
            casters = [*casters[casters.index(figure.id) + 1 :], *casters[: casters.index(figure.id) + 1]]
        else:
            content.clear()
            yield from try_spell(battle, unit, figure, next(s for s in spells if s.id == key))


def why_not_cast(battle: Battle, unit: Unit, figure: Figure, key: str) -> Refusal | None:
    """The reason a spell cannot be tried now, if any."""
    spell = next((s for s in unit.spells if s.id == key), None)
    if spell is None:
        return None
    if (figure.id, key) in battle.acting.tried:
        return Refusal("AOF-SR-CASTER-05", "already_tried", {"spell": key})
    if spell.value > figure.tokens:
        facts = {"spell": key, "value": spell.value, "tokens": figure.tokens}
        return Refusal("AOF-SR-CASTER-04", "not_enough_tokens", facts)
    if not spell_targets(battle, unit, figure, spell):
        return Refusal("AOF-SR-CASTER-06", "no_target_in_sight", {"spell": key, "range": in_inches(spell.range)})
    return None


def try_spell(battle: Battle, unit: Unit, figure: Figure, spell: Spell) -> Step:
    """Spell, target and cost are declared and paid before the roll; a failed try counts (AOF-SR-CASTER-05, -06)."""
    open_to = spell_targets(battle, unit, figure, spell)
    about = {"figure": figure.id, "spell": spell.id, "name": spell.name}
    options = [Option.thing(t.id, "unit") for t in open_to]

    def why_not(key: str) -> Refusal | None:
        target = battle.units.get(key)
        if target is None or not target.on_table:
            return None
        if (target.side == unit.side) != (spell.targets == "friend"):
            return Refusal("AOF-SR-CASTER-06", "wrong_side", {"target": key})
        near = min(gap(figure, f) for f in target.figures)
        facts = {"target": key, "gap": in_inches(near), "range": in_inches(spell.range)}
        if near > spell.range + TOLERANCE:
            return Refusal("AOF-SR-CASTER-06", "out_of_range", facts)
        return Refusal("AOF-SR-CASTER-06", "not_in_sight", facts)

    if spell.count <= 1:
        key = yield from pick_one(unit.side, options, "choose_spell_target", "AOF-SR-CASTER-06", about, why_not=why_not)
        targets: tuple[str, ...] = (key,)
    else:
        most = min(spell.count, len(options))
        targets = yield from pick_several(
            unit.side, options, 1, most, "choose_spell_targets", "AOF-SR-CASTER-06", about,
            default=[o.key for o in options[:most]], why_not=why_not,
        )  # fmt: skip
    figure.tokens -= spell.value
    acting = battle.acting
    acting.tried = (*acting.tried, (figure.id, spell.id))
    battle.tell(SpellTried("AOF-SR-CASTER-06", figure.id, spell.id, targets, spell.value))

    bonus = yield from meddle(battle, unit, figure, spell)

    needed = Needed(CASTING, "Casting", "AOF-SR-CASTER-06")
    needed.change_by(bonus, "Tokens", "AOF-SR-CASTER-07")
    success = battle.dice.reach(1, needed).successes == 1
    face = battle.dice.last[0]
    battle.tell(CastingRolled("AOF-SR-CASTER-06", figure.id, spell.id, face, needed.face, needed.why(), success))
    if success:
        for id in targets:
            yield from take_effect(battle, figure, spell, battle.units[id])


def meddlers(battle: Battle, side: int, unit: Unit, caster: Figure) -> list[Figure]:
    """Models of a side that may spend tokens on this roll: Casters within 18" and sight (AOF-SR-CASTER-07)."""
    found = []
    for other in battle.friends_of(side):
        if other.shaken and battle.option("aof.shakenTokens") == "none":
            continue
        for f in other.figures:
            if not f.tokens or not f.profile.caster:
                continue
            if f is caster:
                if battle.option("aof.casterSelfBoost") == "yes":
                    found.append(f)
                continue
            if gap(f, caster) <= MEDDLING + TOLERANCE and can_see(battle, f, other, caster, unit):
                found.append(f)
    return found


def meddle(battle: Battle, unit: Unit, caster: Figure, spell: Spell) -> Asking[int]:
    """Both players commit tokens for or against the roll, at the same time and in secret (AOF-SR-CASTER-08)."""
    secret = battle.option("aof.tokenBids") == "secretSimultaneous"
    asked = []
    for side in (unit.side, 1 - unit.side):
        found = meddlers(battle, side, unit, caster)
        if found:
            asked.append(_bid(side, found, caster, spell, secret=secret))
    if not asked:
        return 0
    if secret:
        bids = yield from answers_to(*asked)
    else:
        # House rule: the caster's side commits first, and the other side knows what it is up against.
        bids = []
        for decision in asked:
            decision.about["bids"] = bids[:]
            bids.append((yield from answer_to(decision)))
    bonus = 0
    for decision, bid in zip(asked, bids, strict=True):
        for id in dict.fromkeys(slot[:-1] for slot in bid):
            helping, hindering = bid.get(f"{id}+", 0), bid.get(f"{id}-", 0)
            figure = battle.unit_of(id).figure(id)
            if figure is not None:
                figure.tokens -= helping + hindering
            bonus += helping - hindering
            battle.tell(TokensSpent("AOF-SR-CASTER-07", decision.side, id, helping, hindering))
    return bonus


def _bid(side: int, found: list[Figure], caster: Figure, spell: Spell, *, secret: bool) -> Allocate:
    tokens = {f.id: f.tokens for f in found}

    def check(answer: dict[str, int]) -> Refusal | None:
        for id, held in tokens.items():
            spent = answer.get(f"{id}+", 0) + answer.get(f"{id}-", 0)
            if spent > held:
                return Refusal("AOF-SR-CASTER-07", "not_enough_tokens", {"figure": id, "spent": spent, "tokens": held})
        return None

    slots = {f"{id}{sign}": held for id, held in tokens.items() for sign in "+-"}
    words = {f"{id}+": Option(f"{id}+", "help_cast", {"figure": id}) for id in tokens}
    words |= {f"{id}-": Option(f"{id}-", "hinder_cast", {"figure": id}) for id in tokens}
    about = {"figure": caster.id, "spell": spell.id, "name": spell.name}
    total = sum(tokens.values())
    ask, rule = "spend_tokens", "AOF-SR-CASTER-08"
    return Allocate(side, slots, 0, total, ask, rule, about, secret=secret, check=check, words=words)


def take_effect(battle: Battle, figure: Figure, spell: Spell, target: Unit) -> Step:
    """What a spell does: hits, rules laid on a unit until the end of the round, or wounds healed."""
    if not target.on_table:
        return
    if spell.hits:
        # No hit roll; neither shooting nor melee, so no Cover (AOF-SR-CASTER-10).
        attack = Attack(0, 0, target.defense, len(target.figures), (spell.keywords,), (target.shared,))
        attack.hits = spell.hits
        count_hits(attack)
        yield from take_unblocked(battle, block(battle, attack, target), attack, target, None)
    if spell.gives:
        target.effects = book.set_of((*target.effects, *spell.gives))
        target.changed()
        battle.tell(SpellLaid("AOF-SR-CASTER-06", target.id, spell.id, tuple(map(str, spell.gives))))
    left = spell.heals
    for model in sorted(target.figures, key=lambda f: -f.wounds):
        healed = min(left, model.wounds)
        if healed:
            model.wounds -= healed
            left -= healed
            battle.tell(Healed("AOF-WOUND-07", model.id, healed))


def end_spells(battle: Battle) -> None:
    """What spells laid on units ends with the round."""
    for unit in battle.units.values():
        if unit.effects:
            battle.tell(SpellEnded("AOF-SR-CASTER-06", unit.id, tuple(map(str, unit.effects))))
            unit.effects = book.empty
            unit.changed()
