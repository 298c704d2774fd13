"""Cases of sight and blows: sentences, questions, and what may be expected of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from oriflamme.engine.blocks.faces import arcs_of
from oriflamme.engine.cases.scenes import Deed, Fact, Question, Sentence, count
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.words.problems import problem_with
from oriflamme.games.tlaok.charge.impact import resolve_charge
from oriflamme.games.tlaok.combat.attacks import strike_without_dice
from oriflamme.games.tlaok.events import AttacksRolled, DefenceRolled, HitWithoutDice, VolleyShot
from oriflamme.games.tlaok.losses.aftermath import resolve_queue
from oriflamme.games.tlaok.losses.wounds import Cause
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.regiment.contact import block_of, engaged_stands, rectangle_of
from oriflamme.games.tlaok.state import Activation, Battle, Regiment, Step
from oriflamme.games.tlaok.state import steps as game_steps
from oriflamme.games.tlaok.terrain.sight import sees, size_of

E = TypeVar("E", bound=Event)
# What is done in cases only.
case_steps = game_steps.more()
STOP: Final = ("draw_card", "begin_round", "victory_phase")

QUESTIONS: Final[Mapping[str, Question]] = {
    "shoot_target": Question("active player", "<regiment> arcing:<regiment>", "arcing: with Arcing Fire"),
    "choose_barrage": Question(
        "active player",
        "<number>",
        "in the order they are printed, from 1; asked for the troops and for the character",
    ),
    "shoot_arc": Question(
        "active player", "front left right rear", "of the target, for a stand that is in more than one arc"
    ),
    "shoot_arcs": Question("active player", "front left right rear", "{ front = 1, left = 2 }: stands alike"),
    "strike_target": Question("active player", "<regiment>", "for a stand that touches several"),
    "strike_targets": Question("active player", "<regiment>", "{ orcs = 2, levy = 1 }: stands alike"),
    "support_target": Question("active player", "<regiment>", "whom unengaged stands support against"),
    "support_targets": Question("active player", "<regiment>", "{ orcs = 2, levy = 1 }: stands alike"),
    "order_of_targets": Question("active player", "<regiment>", suggested=True),
    "declare_reroll": Question("whose stands are Blessed", "yes no", "before the hit rolls or the defence rolls"),
    "roll_again": Question(
        "roller", "yes no", "a re-roll that need not be taken; the suggestion is yes", suggested=True
    ),
    "overrun": Question("active player", "<regiment> no", "the Broken enemy"),
    "trample_target": Question("active player", "<regiment>", "an enemy at the front"),
}


@case_steps.step
def case_charge_home(battle: Battle, id: str, target: str, hindered: bool) -> Step:
    """A charge has succeeded because a case says so."""
    regiment = battle.units[id]
    battle.acting = Activation(id)
    yield from resolve_charge(battle, regiment, battle.units[target], hindered=hindered)
    for each in battle.units.values():
        each.end_effects("action")
    yield from resolve_queue(battle)


@case_steps.step
def case_hits(battle: Battle, id: str, target: str, hits: int, rules: tuple[str, ...]) -> Step:
    """Hits of a spell because a case says so."""
    cause = Cause("TLAOK-MAGIC-14", "spell", id, "front", saved=True)
    held = book.set_of(book.parse(rule) for rule in rules)
    yield from strike_without_dice(
        battle, battle.units[id], battle.units[target], hits, cause, kind="spell", rules=held
    )


def in_play(regiment: Regiment) -> Regiment:
    """A regiment that a sentence is about must be there; raises Problems if it is not."""
    if regiment.fate:
        raise problem_with("do", f"{regiment.id} is {regiment.fate}")
    if not regiment.on_table and regiment.reserve != "arriving":
        raise problem_with("do", f"{regiment.id} is not on the table")
    return regiment


def _charges(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    regiment, target = in_play(battle.units[match["regiment"]]), in_play(battle.units[match["target"]])
    if target not in battle.engaged(regiment):
        hint = f'put it there: at = "touching ahead of {target.id}"'
        raise problem_with("do", f"{regiment.id} and {target.id} are not in contact", hint=hint)
    return Deed([("case_charge_home", match["regiment"], match["target"], bool(match["hindered"]))], {}, STOP)


def _hits(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    in_play(battle.units[match["target"]])
    rules = tuple(rule.strip() for rule in (match["rules"] or "").split(" and ") if rule)
    for rule in rules:
        try:
            book.parse(rule)
        except UnknownKeyword as unknown:
            raise problem_with("do", unknown.problem) from None
    return Deed([("case_hits", match["regiment"], match["target"], int(match["number"]), rules)], {}, STOP)


SENTENCES: Final[list[Sentence]] = [
    Sentence(
        "<regiment> charges home into <target>[ <hindered:through hindering ground>]",
        "what a charge brings that has succeeded: Inspired, impact attacks, what special rules add; they stand in "
        "contact already",
        _charges,
    ),
    Sentence(
        "<regiment> causes <number> hit[s] on <target>[ with <rules>]",
        "hits without a die, as of a spell; with Armor Piercing (1) and Cleave (1)",
        _hits,
    ),
]


def _arcs(battle: Battle, regiment: Regiment) -> dict[str, list[str]]:
    if not regiment.on_table or not regiment.figures or regiment.garrison:
        return {}
    whole = rectangle_of(regiment)
    others = [other for other in battle.present() if other is not regiment and not other.garrison]
    return {o.id: sorted({arc for stand in o.figures for arc in arcs_of(whole, block_of(stand))}) for o in others}


def _if_there(of: Callable[[Battle, Regiment], Any], otherwise: Any) -> Callable[[Battle, Regiment], Any]:
    return lambda battle, regiment: of(battle, regiment) if regiment.on_table and regiment.figures else otherwise


def _seen(battle: Battle, regiment: Regiment) -> list[str]:
    return sorted(foe.id for foe in battle.foes(regiment) if sees(battle, regiment, foe))


# What a regiment sees, and where others are.
OF_SIGHT: Final[Mapping[str, Fact]] = {
    "sees": Fact("enemies in line of sight", _if_there(_seen, [])),
    "sight_size": Fact("its size for sight", _if_there(size_of, 0)),
    "arcs": Fact('in which of its arcs others are: { orcs = ["front", "left"] }', _arcs),
    "engaged_stands": count("its stands that are engaged", _if_there(lambda b, r: len(engaged_stands(b, r)), 0)),
}


def _of(kind: type[E], events: Sequence[Event]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


# Dice, hits and wounds over everything that was done.
OF_BLOWS: Final[Mapping[str, Fact]] = {
    "attacks": count("hit dice", lambda _, e: sum(x.attacks for x in _of(AttacksRolled, e))),
    "attacks_on": Fact(
        "hit dice by target: { levy = 12 }",
        lambda _, e: _totals([(x.target, x.attacks) for x in _of(AttacksRolled, e)]),
    ),
    "hits": count(
        "hits that dice or rules made, counted when they are saved: none in a row that stops at AttacksRolled",
        lambda _, e: sum(x.hits for x in _of(DefenceRolled, e)),
    ),
    "hits_on": Fact("the value of each hit roll in turn", lambda _, e: [x.value for x in _of(AttacksRolled, e)]),
    "saves_on": Fact(
        "[Defence, Evasion] of each defence roll in turn",
        lambda _, e: [[x.defence, x.evasion] for x in _of(DefenceRolled, e)],
    ),
    "wounds": count("hits not saved", lambda _, e: sum(x.wounds for x in _of(DefenceRolled, e))),
    "shots": Fact("shots of each Volley in turn", lambda _, e: [x.shots for x in _of(VolleyShot, e)]),
    "automatic_hits": Fact(
        "hits without dice by target", lambda _, e: _totals([(x.target, x.hits) for x in _of(HitWithoutDice, e)])
    ),
}


def _totals(pairs: list[tuple[str, int]]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for key, number in pairs:
        totals[key] = totals.get(key, 0) + number
    return totals
