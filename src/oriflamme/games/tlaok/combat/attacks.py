"""Attacks on a regiment: who is struck, how many dice a stand brings, and one pool of wounds from the first die to the
last (TLAOK-WOUND-01)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword as SpecialRule
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import allocate, pick_one
from oriflamme.games.tlaok.combat.blows import DiceRulings, Strike, Struck, roll_to_defend, roll_to_hit_and_ask
from oriflamme.games.tlaok.events import AttacksRolled, DefenceRolled, RerollDeclared
from oriflamme.games.tlaok.losses.wounds import Cause, take_wounds
from oriflamme.games.tlaok.moments import Keyword, KeywordSet, book
from oriflamme.games.tlaok.regiment.contact import stands_touching
from oriflamme.games.tlaok.state import Asking, Battle, Effect, Regiment, Stand
from oriflamme.games.tlaok.terrain.ground import garrison_of, in_water
from oriflamme.games.tlaok.trials import Value, unmodified, value_of

BLESSED = "blessed"
# What is rolled during a Clash or a Charge: for blows, and for what they bring back (TLAOK-SR-BLESSED-01).
IN_MELEE: Final = frozenset({"clash", "impact", "counter", "demise"})


def dice_rulings_of(battle: Battle) -> DiceRulings:
    """The house rules of this battle that dice have to know."""
    return DiceRulings(
        battle.option("tlaok.rerollCancel"),
        battle.option("tlaok.shieldAndPhalanx"),
        battle.option("tlaok.tenaciousPer"),
        shock_on_impact=battle.option("tlaok.shockOnImpact") == "yes",
    )


def defence_of(battle: Battle, regiment: Regiment, stand: Stand) -> Value:
    """The Defence of a stand; of every stand in a garrison with that of the garrison (TLAOK-GARR-11)."""
    defence = value_of(battle, regiment, stand, "defence")
    if regiment.garrison:
        defence.add(garrison_of(battle, regiment).defence, "garrison", "TLAOK-GARR-11")
    return defence


def struck_by(battle: Battle, target: Regiment, face: str) -> Struck:
    """A regiment as hits find it: the Defence and Evasion of its troops, never of its character (TLAOK-CHAR-11)."""
    stand = target.troops[0]
    struck = Struck(
        target.side,
        defence_of(battle, target, stand),
        value_of(battle, target, stand, "evasion"),
        target.keywords_of(stand),
        "" if target.garrison else face,
        target.kind,
    )
    struck.blessed = _has(target, "blessed_saves")
    return struck


def _has(regiment: Regiment, stat: str) -> bool:
    return any(effect.stat == stat for effect in regiment.effects)


def charged(regiment: Regiment) -> bool:
    """It has charged home this round."""
    return _has(regiment, "charged")


# -- how many dice -----------------------------------------------------------------------------------------------------


class Count:
    """How many dice a stand brings: attacks of its own, support attacks, or impact attacks."""

    __slots__ = ("_steady", "_support", "flanked", "kind", "number", "reasons")

    def __init__(self, kind: str, number: int, *, flanked: bool = False) -> None:
        self.kind = kind
        self.number = number
        # An enemy touches a flank or the rear of its regiment.
        self.flanked = flanked
        self.reasons: list[Reason] = []
        self._support: SpecialRule | None = None
        self._steady = False

    def bring(self, number: int, because: SpecialRule) -> None:
        """So many dice because of a special rule."""
        self.number += number
        self.reasons.append(Reason(because.title, number, because.rule))

    def forbid(self, because: SpecialRule) -> None:
        """None at all."""
        self.number = 0
        self.reasons.append(Reason(because.title, 0, because.rule))
        self.kind = ""

    def support(self, because: SpecialRule) -> None:
        """So many support attacks instead of one. That of a regiment is not for its character (TLAOK-CLASH-06)."""
        self._support = because

    def steady(self, because: SpecialRule) -> None:
        """An enemy in flank or rear makes no difference."""
        self._steady = True

    def total(self) -> int:
        rule = self._support
        if self.kind == "support" and rule is not None and (self._steady or not self.flanked):
            self.number = rule.x
            self.reasons.append(Reason(rule.title, rule.x, rule.rule))
        return self.number


def dice_of(battle: Battle, regiment: Regiment, stand: Stand, kind: str) -> int:
    """The dice of a stand: its Attacks if it is engaged, one if it only supports (TLAOK-CLASH-02, -03), those of its
    special rules on impact (TLAOK-IMPACT-02). Who has no Clash or no Attacks has none (TLAOK-DICE-08)."""
    if not unmodified(regiment, stand, "clash") or (kind == "clash" and not unmodified(regiment, stand, "attacks")):
        return 0
    number = 0
    if kind == "clash":
        number = value_of(battle, regiment, stand, "attacks").number
    elif kind == "support":
        number = 1
    faces = battle.contacts.get(regiment.id, {}).values()
    count = Count(kind, number, flanked=any(face not in ("front", "") for face in faces))
    at(Keyword.when_counting, (battle.rules_of(regiment, stand),), count, regiment, stand)
    return count.total()


def shallow(battle: Battle, regiment: Regiment) -> int | None:
    """How low water brings its Clash, if at least half of its stands are in it (TLAOK-ZONE-25)."""
    return int(battle.option("tlaok.waterMinimum")) if in_water(battle, regiment) else None


def uninspired(battle: Battle, regiment: Regiment) -> bool:
    """It is Broken (TLAOK-BROKEN-08), its character refused a duel (TLAOK-DUEL-05), or it came through hindering ground
    (TLAOK-ZONE-20)."""
    return regiment.broken or regiment.refused or _has(regiment, "uninspired")


def close_strike(battle: Battle, regiment: Regiment, stand: Stand, kind: str, attacks: int, struck: Struck) -> Strike:
    """Dice of a stand, or of several that are alike, in a Clash, on impact or in a duel."""
    strike = Strike(
        kind,
        regiment.side,
        attacks,
        value_of(battle, regiment, stand, "clash"),
        (battle.duel_rules_of if kind == "duel" else battle.rules_of)(regiment, stand),
        struck,
        dice_rulings_of(battle),
        hero=stand.hero,
        charged=charged(regiment),
        uninspired=uninspired(battle, regiment),
        shallow=shallow(battle, regiment),
    )
    strike.blessed = _has(regiment, "blessed_hits")
    for enemy in battle.engaged(regiment):
        near = {enemy.keywords_of(s) for s in (*enemy.troops, *stands_touching(battle, enemy, regiment))}
        at(Keyword.when_enemy_inspired, tuple(sorted(near, key=str)), strike)
    return strike


# -- who strikes whom --------------------------------------------------------------------------------------------------


def share_out(
    battle: Battle, regiment: Regiment, choices: Iterable[tuple[Stand, tuple[str, ...]]], ask: str, asks: str, rule: str
) -> Asking[dict[str, list[Stand]]]:
    """By key, the stands that go for it: each for one of what it may choose. Stands that are alike are asked about
    together, the character apart."""
    found: dict[str, list[Stand]] = {}
    alike: dict[tuple[tuple[str, ...], bool, tuple[str, ...]], list[Stand]] = {}
    for stand, keys in choices:
        alike.setdefault((keys, stand.hero, stand.models), []).append(stand)
    for (keys, _, _), stands in alike.items():
        if len(keys) == 1:
            found.setdefault(keys[0], []).extend(stands)
        elif len(stands) == 1:
            options = [Option.thing(key, ask) for key in keys]
            about = {"regiment": regiment.id, "stand": stands[0].id}
            key = yield from pick_one(regiment.side, options, ask, rule, about)
            found.setdefault(key, []).extend(stands)
        else:
            number = len(stands)
            group = {"regiment": regiment.id, "stands": [s.id for s in stands]}
            shares = yield from allocate(regiment.side, dict.fromkeys(keys, number), number, number, asks, rule, group)
            rest = list(stands)
            for key in keys:
                found.setdefault(key, []).extend(rest[: shares.get(key, 0)])
                rest = rest[shares.get(key, 0) :]
    return {key: stands for key, stands in found.items() if stands}


# -- one pool ----------------------------------------------------------------------------------------------------------


def resolve(
    battle: Battle, regiment: Regiment, target: Regiment, strikes: Sequence[Strike], cause: Cause
) -> Asking[None]:
    """Strikes on one regiment, from hit roll to morale (TLAOK-CLASH-14).

    1. Hit rolls, group by group.                                   TLAOK-CLASH-15, TLAOK-VOLLEY-17
    2. Defence rolls against all the hits.                          TLAOK-CLASH-17, TLAOK-VOLLEY-19
    3. The wounds are one pool.                                     TLAOK-CLASH-18, TLAOK-VOLLEY-21
    4. Natural ones of the defence may strike back.                 TLAOK-SR-COUNTERATTACK-02
    """
    strikes = [strike for strike in strikes if strike.attacks]
    about = {"regiment": regiment.id, "target": target.id}
    yield from declare(battle, regiment, "hits", strikes, cause.what)
    for strike in strikes:
        yield from roll_to_hit_and_ask(strike, battle.dice, about)
        tell_hits(battle, regiment, target, strike)
    if not any(strike.hits for strike in strikes):
        return
    yield from declare(battle, target, "saves", strikes, cause.what)
    wounds = roll_to_defend(strikes, battle.dice)
    for strike in strikes:
        tell_defence(battle, target, strike)
    back = counter_of(battle, regiment, target, strikes)
    yield from take_wounds(battle, target, wounds, cause)
    answers = sum(strike.answers for strike in strikes)
    if answers and back is not None and not regiment.fate:
        yield from strike_without_dice(battle, target, regiment, answers, back)


def counter_of(battle: Battle, regiment: Regiment, target: Regiment, strikes: Sequence[Strike]) -> Cause | None:
    """What hits come from that natural ones of the target's defence strike back with, if they do: on the face that
    touches the target, who may be gone by then (TLAOK-SR-COUNTERATTACK-02)."""
    because = next((strike.answered for strike in strikes if strike.answered is not None), None)
    if because is None:
        return None
    face = battle.contacts.get(regiment.id, {}).get(target.id, "front")
    return Cause(because.rule, "counter", target.id, face, saved=True)


HITS: Final = {"volley": "TLAOK-VOLLEY-17", "impact": "TLAOK-IMPACT-04", "duel": "TLAOK-DUEL-09"}
SAVES: Final = {"volley": "TLAOK-VOLLEY-19", "duel": "TLAOK-DUEL-09", "spell": "TLAOK-MAGIC-14"}


def tell_hits(battle: Battle, regiment: Regiment, target: Regiment, strike: Strike) -> None:
    """Say what came of the hit dice, if there were any."""
    if strike.value is None or strike.rolled is None:
        return
    rule = HITS.get(strike.kind, "TLAOK-CLASH-15")
    why = (*strike.value.reasons, *strike.roll_target.why(strike.house.cancel))
    battle.tell(
        AttacksRolled(
            rule,
            regiment.id,
            target.id,
            strike.kind,
            strike.hero,
            strike.struck.face if strike.kind != "duel" else "",
            strike.attacks,
            strike.roll_target.number,
            strike.hits,
            strike.rolled.faces,
            why,
            tuple(strike.extra),
            strike.rolled.again,
        )
    )


def tell_defence(battle: Battle, target: Regiment, strike: Strike) -> None:
    """Say what came of the defence dice."""
    rule = SAVES.get(strike.kind, "TLAOK-CLASH-17")
    for guard in strike.defence_rolls:
        tested = guard.tested
        because = strike.deadly
        doubled = (Reason(because.title, 0, because.rule),) if because is not None and tested.sixes else ()
        battle.tell(
            DefenceRolled(
                rule,
                target.id,
                guard.hits,
                guard.defence,
                guard.evasion,
                guard.wounds,
                tested.faces,
                (*guard.why, *doubled),
                tested.again,
            )
        )


def strike_without_dice(
    battle: Battle,
    regiment: Regiment,
    target: Regiment,
    hits: int,
    cause: Cause,
    *,
    kind: str = "hits",
    rules: KeywordSet = book.empty,
) -> Asking[None]:
    """Hits that nobody rolled for: they are saved, wound and test like others, and benefit only from `rules`
    (TLAOK-SR-GEN-02, -04). Of a character in his last stand there is nobody left to be hit."""
    if hits <= 0 or target.fate or not target.troops:
        return
    yield from resolve(
        battle, regiment, target, [free_strike(battle, regiment, target, hits, cause, kind, rules)], cause
    )


def free_strike(
    battle: Battle,
    regiment: Regiment,
    target: Regiment,
    hits: int,
    cause: Cause,
    kind: str = "hits",
    rules: KeywordSet = book.empty,
) -> Strike:
    """So many hits without a die."""
    return Strike(
        kind, regiment.side, hits, None, rules, struck_by(battle, target, cause.face), dice_rulings_of(battle)
    )


def declare(battle: Battle, regiment: Regiment, roll: str, strikes: Sequence[Strike], what: str) -> Asking[None]:
    """Once a round, in a Clash or a Charge, stands may say before they roll that they roll all failed hit rolls, or all
    failed defence rolls, again (TLAOK-SR-BLESSED-01)."""
    if what not in IN_MELEE or _has(regiment, BLESSED):
        return
    sets = (
        [s.rules for s in strikes if s.value is not None] if roll == "hits" else [s.struck.rules for s in strikes[:1]]
    )
    rule = next((k for held in sets for k in held if k.declares), None)
    if rule is None:
        return
    options = [Option("no", "declare"), Option("yes", "declare")]
    about = {"regiment": regiment.id, "roll": roll, "because": rule.title}
    if (yield from pick_one(regiment.side, options, "declare_reroll", rule.rule, about, default="yes")) == "no":
        return
    battle.tell(RerollDeclared(rule.rule, regiment.id, roll, rule.title))
    regiment.affect(
        Effect(rule.title, rule.rule, "round", BLESSED), Effect(rule.title, rule.rule, "action", f"blessed_{roll}")
    )
    for strike in strikes:
        if roll == "hits":
            strike.blessed = True
        else:
            strike.struck.blessed = True
