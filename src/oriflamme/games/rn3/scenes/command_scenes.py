"""Sentences and questions of cases about authority, deployment, reserves, turns, activations, tactics, morale, losses
and elixir."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence, steps_of
from oriflamme.engine.geometry.measure import cm
from oriflamme.games.rn3.activation import carry_out, give_order, next_go
from oriflamme.games.rn3.army.fielding import fill_elixir
from oriflamme.games.rn3.authority import choose_first, roll_authority
from oriflamme.games.rn3.deployment import place_card, set_up_unit
from oriflamme.games.rn3.losses import Cause, cancel_damage, eliminate, hurt
from oriflamme.games.rn3.morale import rally, test_courage, test_fear_at_contact
from oriflamme.games.rn3.scenes import case_steps
from oriflamme.games.rn3.state import Activation, Asking, Battle, Fighter, Step, Unit

CAUSES: Final = ("melee", "shot", "area", "power", "skill", "disengage", "break", "summoning", "case")


@case_steps.step
def case_authority(battle: Battle, about: str) -> Step:
    """An authority roll, and who starts."""
    winner = yield from roll_authority(battle, about)
    battle.winner_of_authority = winner
    battle.first = yield from choose_first(battle, winner, about)


@case_steps.step
def case_card(battle: Battle) -> Step:
    """One card is placed, and no more."""
    yield from place_card(battle)


@case_steps.step
def case_go(battle: Battle) -> Step:
    """One go is taken, and no more."""
    yield from next_go(battle)


@case_steps.step
def case_field(battle: Battle) -> None:
    """What a company begins with."""
    fill_elixir(battle)


@case_steps.step
def case_order(battle: Battle, unit_id: str) -> None:
    """An order alone, without what comes before and after it."""
    unit = battle.units[unit_id]
    battle.activation = Activation(unit_id, unit.side, 1)
    battle.then(carry_out, unit_id)
    battle.then(give_order, unit_id)


@case_steps.step
def case_set_up(battle: Battle, unit_id: str, x: float, y: float) -> None:
    """The card of a unit lies there, and is turned over."""
    unit = battle.units[unit_id]
    unit.spot = (cm(x), cm(y))
    battle.then(set_up_unit, unit_id)


@case_steps.step
def case_harm(battle: Battle, deed: str, fighter_id: str, points: int, kind: str, by: str) -> Step:
    """Damage or elimination, whatever it came from."""
    unit = battle.unit_of(fighter_id)
    fighter = unit.figure(fighter_id)
    assert fighter is not None
    hero = by.endswith(".incarnate")
    cause = Cause(kind, by.partition(".")[0], by if hero else "")
    yield from _harm(battle, deed, unit, fighter, points, cause)


def _harm(battle: Battle, deed: str, unit: Unit, fighter: Fighter, points: int, cause: Cause) -> Asking[None]:
    if deed == "eliminate":
        yield from eliminate(battle, unit, fighter, cause)
        return
    if deed == "damage":
        points = yield from cancel_damage(battle, unit, [fighter], points, None)
    yield from hurt(battle, unit, fighter, points, cause)


@case_steps.step
def case_courage(battle: Battle, deed: str, unit_id: str, other: str, difficulty: int) -> Step:
    """A test of courage: alone, at contact, or to rally."""
    unit = battle.units[unit_id]
    if deed == "fear":
        yield from test_fear_at_contact(battle, unit, battle.units[other])
    elif deed == "rally":
        yield from rally(battle, unit)
    else:
        yield from test_courage(battle, unit, difficulty, "RN3-MOR-03")


def _step(name: str, *slots: str, stop: Sequence[str]) -> Callable[..., Deed]:
    return steps_of(lambda _, said: (name, *(said[slot] for slot in slots)), stop=stop)


def _harmed(deed: str) -> Callable[[Battle, re.Match[str], dict[str, Any]], Deed]:
    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        found = match.groupdict()
        points = int(found.get("number") or 1)
        return Deed([("case_harm", deed, match["model"], points, found.get("cause") or "case", found.get("by") or "")])

    return make


def _tested(deed: str) -> Callable[[Battle, re.Match[str], dict[str, Any]], Deed]:
    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        found = match.groupdict()
        return Deed([("case_courage", deed, match["unit"], found.get("enemy") or "", int(found.get("number") or 1))])

    return make


def _set_up(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([("case_set_up", match["unit"], float(match["x"]), float(match["y"]))])


_BETWEEN: Final = ("next_go", "begin_turn", "orders_phase", "support_phase")
_HARM: Final = f"[ in <cause:{'|'.join(CAUSES)}>][ from <by>]"
SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(
        "authority is rolled for the <about:deployment|turn>",
        "an authority roll, and who starts",
        steps_of(lambda _, said: ("case_authority", said["about"]), stop=()),
    ),
    Sentence("the companies take the field", "they begin with their elixir", _step("case_field", stop=_BETWEEN)),
    Sentence("the commanders are named", "those with the highest AUT", _step("name_commanders", stop=_BETWEEN)),
    Sentence("reserves are kept", "up to two units of each side", _step("keep_reserves", stop=_BETWEEN)),
    Sentence(
        "a card is placed",
        "the side whose go it is lays a card face down; when none is left, all are turned over",
        _step("case_card", stop=("place_card", "set_up_unit", "begin_battle")),
    ),
    Sentence(
        "all cards are placed",
        "by turns, face down, until none is left; they are turned over",
        _step("place_card", stop=("set_up_unit", "begin_battle")),
    ),
    Sentence("<unit> is set up at <x> <y>", "its card lies there and is turned over", _set_up),
    Sentence("the battle begins", "pools of mystics are filled", _step("begin_battle", stop=_BETWEEN)),
    Sentence(
        "a turn begins",
        "the tactical phase: pools, the authority roll, tactic points, who starts",
        _step("begin_turn", stop=("orders_phase",)),
    ),
    Sentence(
        "the next go is taken",
        "a unit is chosen, or its player passes; nothing is done yet",
        _step("case_go", stop=("activate", "enter", "play_card", "next_go")),
    ),
    Sentence("<unit> is activated", "a whole activation (RN3-ORD-08)", _step("activate", "unit", stop=_BETWEEN)),
    Sentence("<unit> buys tactics", "as when it is activated", _step("buy_tactics", "unit", stop=_BETWEEN)),
    Sentence("<unit> is given an order", "the order alone, carried out", _step("case_order", "unit", stop=_BETWEEN)),
    Sentence("<unit> comes in", "a reserve enters as an activation", _step("enter", "unit", stop=_BETWEEN)),
    Sentence("the support phase is played", "phase 3", _step("support_phase", stop=("scoring_phase",))),
    Sentence("the scoring phase is played", "phase 4", _step("scoring_phase", stop=("upkeep_phase",))),
    Sentence("the upkeep phase is played", "phase 5", _step("upkeep_phase", stop=("tactical_moves",))),
    Sentence("tactical moves are made", "between phases 5 and 6", _step("tactical_moves", stop=("open_reserves",))),
    Sentence("the reserve phase is played", "phase 6", _step("reserve_phase", stop=("end_turn",))),
    Sentence("the turn ends", "the next turn, or the end", _step("end_turn", stop=("tactical_phase",))),
    Sentence("the battle ends", "what counts at the end, and who has won", _step("end_battle", stop=())),
    Sentence(f"<model> takes <number> damage{_HARM}", "damage, after what cancels it", _harmed("damage")),
    Sentence(f"<model> loses <number> hit points{_HARM}", "damage that nothing cancels", _harmed("hurt")),
    Sentence(f"<model> is eliminated{_HARM}", "whatever hit points are left", _harmed("eliminate")),
    Sentence("<unit> meets <enemy>", "contact in an assault: a fear test if it is due", _tested("fear")),
    Sentence("<unit> tests courage against <number>", "a courage test alone", _tested("courage")),
    Sentence("<unit> tries to rally", "a rally alone", _tested("rally")),
)
_YES: Final = "yes no"
QUESTIONS: Final[Mapping[str, Question]] = {
    "name_commander": Question("owner", "<model>"),
    "keep_reserves": Question("each side, in secret", "<unit>", "up to two units", suggested=True),
    "push_authority": Question("who rolled a 6", _YES),
    "choose_first_deployment": Question("winner of the authority roll", "1 2", suggested=True),
    "choose_first_turn": Question("winner of the authority roll", "1 2", suggested=True),
    "choose_card": Question("the side whose go it is, in secret", "<unit>"),
    "place_card": Question("the same side", what="[x, y] where the leader will stand", suggested=True),
    "choose_unit": Question("the side whose go it is", "<unit> enter:<unit> card:<unit>:<card> cancel wait"),
    "buy_tactic": Question(
        "active player",
        "none hold_fast unbreakable careful_advance change_formation tactical_move standby hail_of_blows free:<tactic>",
        "one after another, until it is none",
        suggested=True,
    ),
    "choose_order": Question("active player", "stay walk run assault engage disengage shoot"),
    "standby": Question("owner of units on standby", "<unit> none", suggested=True),
    "standby_action": Question("the same", "shoot mystic done"),
    "choose_edge": Question("owner of the reserve", "own left right"),
    "announce_reserves": Question("each side, openly", "<unit>", suggested=True),
    "bring_in": Question("each side, where reserves come in phase 6", "<unit>", suggested=True),
    "tactical_move": Question("owner", _YES),
    "move_tactically": Question("owner", what="[x, y] of the leader"),
    "place_returning": Question("owner", what="[x, y]", suggested=True),
    "place_incarnate": Question("owner", what="[x, y]", suggested=True),
    "use_standard": Question("owner", "<unit> own"),
    "name_leader": Question("owner", "<model>", suggested=True),
    "dead_dice": Question("owner", "<number>", "how many of the dice are used ones", suggested=True),
    "one_more_die": Question("owner of the Incarnate", _YES, "an exploit", suggested=True),
    "reroll_failures": Question("owner of the Incarnate", _YES, "an exploit", suggested=True),
    "deny": Question("owner of the Incarnate", _YES, "an exploit", suggested=True),
    "steady": Question("owner of the Incarnate", _YES, "an exploit", suggested=True),
    "return": Question("owner of the Incarnate", _YES, "an exploit"),
    "throw_again": Question("who tests", _YES, "a bonus that may be used", suggested=True),
    "mutation": Question("owner", _YES, suggested=True),
}
_RULE: Final = "the skill or tactic behind it"
# The words that a field of an event can be ("UnitMoved.how"), or what it names.
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "AuthorityWon.about": ("deployment", "turn"),
    "FirstChosen.about": ("deployment", "turn"),
    "PhaseBegan.phase": ("tactical", "orders", "support", "scoring", "upkeep", "reserves"),
    "OrderGiven.order": ("stay", "walk", "run", "assault", "engage", "disengage", "shoot"),
    "PointsScored.about": ("objective", "losses", "commander", "crossing"),
    "BattleEnded.because": ("points", "wiped_out", "conceded"),
    "CourageHeld.source": _RULE,
    "TacticBought.tactic": "a tactic by its id",
    "TacticEnded.tactic": "a tactic by its id",
    "TacticWasted.tactic": "a tactic by its id",
    "StandbyTriggered.when": ("start", "end"),
    "DamageCancelled.source": _RULE,
    "LivesOn.source": _RULE,
    "DiceAdded.source": _RULE,
    "Eliminated.cause": CAUSES,
    "ElixirGained.cause": ("slain", "objective"),
    "ExploitUsed.exploit": "precise_shot, one_more_die, reroll_failures, deny, return, steady, or an artefact",
}
