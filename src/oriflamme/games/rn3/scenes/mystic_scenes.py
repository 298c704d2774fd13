"""Sentences and questions of cases about faith, magic, summoning and titans."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Question, Sentence
from oriflamme.engine.words.notices import listed, quoted
from oriflamme.engine.words.problems import did_you_mean, problem_with
from oriflamme.games.rn3.mystics import end_effects, end_orders, keep_summoned, refill
from oriflamme.games.rn3.scenes import case_steps
from oriflamme.games.rn3.state import Activation, Battle, Step


def _begin(battle: Battle, unit_id: str) -> None:
    if battle.activation is None:
        battle.activation = Activation(unit_id, battle.units[unit_id].side, 1)


@case_steps.step
def case_refill(battle: Battle, unit_id: str) -> None:
    refill(battle, battle.units[unit_id])


@case_steps.step
def case_keep_summoned(battle: Battle, unit_id: str) -> Step:
    _begin(battle, unit_id)
    yield from keep_summoned(battle, battle.units[unit_id])


@case_steps.step
def case_end_orders(battle: Battle) -> None:
    end_orders(battle)


@case_steps.step
def case_end_effects(battle: Battle, until: str) -> None:
    end_effects(battle, until)


def _calls(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """One power once, and then no more."""
    unit = battle.units[match["unit"]]
    _begin(battle, unit.id)
    known = {power.id: f.id for f in unit.figures for power in f.profile.powers}
    power = match["power"]
    if power not in known:
        hint = did_you_mean(power, known) or (f"it knows {listed(list(known), 'and')}" if known else None)
        raise problem_with("do", f"{quoted(unit.id)} knows no power {quoted(power)}", hint=hint)
    key = f"{known[power]}/{power}"
    answers: dict[str, Any] = {"mystic_action": lambda decision, n: key if n == 0 else "none"}
    target = match.groupdict().get("target")
    if target:
        answers["power_target"] = target
    return Deed([("mystic_actions", unit.id, "before")], answers)


def _acts(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    _begin(battle, match["unit"])
    return Deed([("mystic_actions", match["unit"], "before")])


def _one(step: Any) -> Any:
    def make(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
        return Deed([(step.__name__, match["unit"])])

    return make


def _card(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    return Deed([("activate_card", match["unit"], match["power"])])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(
        "<unit> calls <power>[ on <target>]",
        "a mystic uses that power once: target, sublimation, range, censure or counter-magic, test, effects",
        _calls,
        "mystic_action: <power> once and then none, power_target: <target>",
    ),
    Sentence("<unit> acts by its mystics", "the window in which mystics act; what they do is asked for", _acts),
    Sentence("<unit> gathers mana and faith", "as at the start, in upkeep and on entering", _one(case_refill)),
    Sentence("<unit> keeps what it summoned", "as at the start of its activation", _one(case_keep_summoned)),
    Sentence("<unit> plays <power>", "a titan plays an ability card: a whole activation", _card),
    Sentence("the orders phase ends for mystics", "faith is lost", lambda b, m, t: Deed([("case_end_orders",)])),
    Sentence(
        "what lasts until the end of the <until:turn|phase> ends",
        "effects of powers",
        lambda b, m, t: Deed([("case_end_effects", m["until"])]),
    ),
)
QUESTIONS: Final[Mapping[str, Question]] = {
    "mystic_action": Question("owner", "<model>/<power> none", "again and again, until it is none"),
    "power_target": Question("owner", "<unit>"),
    "sublimation": Question("owner", "<number>", 'how many dice are bought, as a text: "2"'),
    "censure": Question("opponent", "<unit> none", "of a litany"),
    "counter_magic": Question("opponent", "<unit> none", "of a ritual"),
    "summoning_spot": Question("owner", what="[x, y]"),
    "keep_summoned": Question("owner", "pay keep dismiss"),
    "summoned_first": Question("owner", "first after"),
    "ability_target": Question("owner", "<unit>"),
    "sacrifice_card": Question("owner of the titan", "<power> none", "after a Force test with successes"),
    "move_by_power": Question("owner", what="[x, y] of the leader"),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {
    "PoolLost.what": ("faith", "mana"),
    "PoolChanged.what": ("dice", "tactic_points", "mana", "faith"),
    "EffectLaid.until": ("activation", "phase", "turn", "battle"),
    "EffectLaid.what": "the characteristic or skill",
    "EffectLaid.source": "the power it comes from",
    "EffectEnded.source": "the power it came from",
    "SummonedLeft.why": ("dismissed", "unpaid", "unseen", "summoner"),
}
