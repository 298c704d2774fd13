"""Cases of sight and blows: sentences, questions, and what may be expected of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from oriflamme.cases.scene import Deed, Sentence
from oriflamme.engine.events import Event
from oriflamme.engine.faces import arcs_of
from oriflamme.engine.problems import problem_with
from oriflamme.games.tlaok import auras as auras
from oriflamme.games.tlaok import clash as clash
from oriflamme.games.tlaok import volley as volley
from oriflamme.games.tlaok.aftermath import settle
from oriflamme.games.tlaok.attacks import strike_without_dice
from oriflamme.games.tlaok.contact import block_of, engaged_stands, rectangle_of
from oriflamme.games.tlaok.events import AttacksRolled, DefenceRolled, HitWithoutDice, VolleyShot
from oriflamme.games.tlaok.impact import charge_home
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.sight import sees, size_of
from oriflamme.games.tlaok.state import Activation, Battle, Regiment, Step, step
from oriflamme.games.tlaok.wounds import Cause

R: Final = r"(?P<regiment>[\w-]+)"
T: Final = r"(?P<target>[\w-]+)"
STOP: Final = ("draw_card", "begin_round", "victory_phase")

QUESTIONS: Final = frozenset(
    """
    choose_barrage declare_reroll order_of_targets overrun roll_again shoot_arc shoot_arcs shoot_target strike_target
    strike_targets support_target support_targets trample_target
    """.split()  # noqa: SIM905
)
# Nobody leaves failed dice as they are without a reason, and one target is as good as another to begin with.
SUGGESTED: Final = frozenset({"order_of_targets", "roll_again"})


@step
def case_charge_home(battle: Battle, id: str, target: str, hindered: bool) -> Step:
    """A charge has succeeded because a case says so."""
    regiment = battle.units[id]
    battle.acting = Activation(id)
    yield from charge_home(battle, regiment, battle.units[target], hindered=hindered)
    for each in battle.units.values():
        each.end_effects("action")
    yield from settle(battle)


@step
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
    return Deed([("case_hits", match["regiment"], match["target"], int(match["hits"]), rules)], {}, STOP)


SENTENCES: Final[list[Sentence]] = [
    (rf"{R} charges home into {T}(?P<hindered> through hindering ground)?", _charges),
    (rf"{R} causes (?P<hits>\d+) hits? on {T}(?: with (?P<rules>.+))?", _hits),
]


def state_of(battle: Battle, regiment: Regiment) -> dict[str, Any]:
    """What a regiment sees: enemies in sight, its size for sight, in which arcs of it others are, and how many of its
    stands are engaged."""
    if not regiment.on_table or not regiment.figures:
        return {"sees": [], "sight_size": 0, "arcs": {}, "engaged_stands": 0}
    others = [o for o in battle.present() if o is not regiment]
    arcs = {}
    if not regiment.garrison:
        whole = rectangle_of(regiment)
        for other in others:
            if not other.garrison:
                found = {arc for stand in other.figures for arc in arcs_of(whole, block_of(stand))}
                arcs[other.id] = sorted(found)
    return {
        "sees": sorted(foe.id for foe in battle.foes(regiment) if sees(battle, regiment, foe)),
        "sight_size": size_of(battle, regiment),
        "arcs": arcs,
        "engaged_stands": len(engaged_stands(battle, regiment)),
    }


def facts_of_blows(events: Sequence[Event]) -> dict[str, Any]:
    """Dice, hits and wounds over everything that was done; `hits_on` and `saves_on` are the values, roll by roll."""
    rolled = [e for e in events if isinstance(e, AttacksRolled)]
    saved = [e for e in events if isinstance(e, DefenceRolled)]
    return {
        "attacks": sum(e.attacks for e in rolled),
        "attacks_on": _totals([(e.target, e.attacks) for e in rolled]),
        "hits": sum(e.hits for e in saved),
        "hits_on": [e.value for e in rolled],
        "saves_on": [[e.defence, e.evasion] for e in saved],
        "wounds": sum(e.wounds for e in saved),
        "shots": [e.shots for e in events if isinstance(e, VolleyShot)],
        "automatic_hits": _totals([(e.target, e.hits) for e in events if isinstance(e, HitWithoutDice)]),
    }


def _totals(pairs: list[tuple[str, int]]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for key, number in pairs:
        totals[key] = totals.get(key, 0) + number
    return totals
