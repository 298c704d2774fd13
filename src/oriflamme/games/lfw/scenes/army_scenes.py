"""Cases about armies: a list is checked and musters, and what its units have then."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from oriflamme.engine.cases.scenes import Deed, Fact, Question, Sentence, count
from oriflamme.engine.words.problems import Problems, Reader, without_nulls
from oriflamme.games.lfw.armies import ARMIES
from oriflamme.games.lfw.army.cards import People, Warband
from oriflamme.games.lfw.campaign.company import muster as enrol
from oriflamme.games.lfw.scenarios.book import SCENARIOS
from oriflamme.games.lfw.setup import Seat, take_the_field
from oriflamme.games.lfw.state import Battle


def muster(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """`[army]` is a list as a player writes it, of one of our factions or of the `faction` the case brings along. Its
    units are in reserve: a1, a2 ... of side 1, b1, b2 ... of side 2, in the order of the list."""
    try:
        roster = roster_of(battle, top)
    except Problems as wrong:
        return Deed(problems=list(wrong))
    side = int(match["side"]) - 1
    take_the_field(battle, side, _learned(roster, side, match))
    return Deed(problems=[])


def roster_of(battle: Battle, top: Mapping[str, Any]) -> Warband:
    """The list under `[army]`; raises Problems."""
    data = dict(top.get("army", {}))
    own = _own_faction(data)
    roster = ARMIES.reader.check({"game": "lfw", **data}, "army", battle.options, own=own)
    assert isinstance(roster, Warband)
    return roster


def _learned(roster: Warband, side: int, match: re.Match[str]) -> Warband:
    """The army after one of its units has earned so much experience in a campaign and buys all the levels it can, each
    with the first skill that is open to it."""
    if not match.groupdict().get("earned"):
        return roster
    company = enrol(roster.to_data(), side)
    member = company.member(match["learner"])
    member.earned = int(match["earned"])
    while member.may_rise:
        member.rise(next(member.lessons()))
    return msgspec.convert(company.for_battle(), Warband)


def take_seat(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """`[army]` is a list as a player writes it: whether it can have the role of that side in the scenario."""
    try:
        roster = roster_of(battle, top)
    except Problems as wrong:
        return Deed(problems=list(wrong))
    plan = SCENARIOS[battle.scenario]
    role = plan.roles(battle.players)[int(match["side"]) - 1]
    return Deed(problems=Seat(plan, role, battle.players, battle.options).problems(roster))


def _own_faction(army: dict[str, Any]) -> People | None:
    """A faction that the case describes itself; it is taken out of the list."""
    if "faction" not in army:
        return None
    problems = Problems("army")
    data = army.pop("faction")
    if isinstance(data, Mapping):
        data = without_nulls({"name": "The case's own", **data})
    own = ARMIES.reader.read_faction(Reader(data, problems, "faction"), "own")
    problems.raise_if_any()
    assert isinstance(own, People)
    return own


def read_own_faction(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """What is wrong with the faction that the case describes."""
    try:
        _own_faction(dict(top.get("army", {})))
    except Problems as wrong:
        return Deed(problems=list(wrong))
    return Deed(problems=[])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(
        "side <side> musters",
        "[army] is a list as a player writes it: it is checked (problems), and its units are in reserve, a1, a2 ... of "
        "side 1, b1, b2 ... of side 2",
        muster,
    ),
    Sentence(
        "side <side> brings its army",
        "[army] is a list as a player writes it: it is checked for the role of that side in the scenario (problems)",
        take_seat,
    ),
    Sentence(
        "side <side> musters when <learner> has earned <earned>",
        "the same between two battles of a campaign: it buys all the levels it can, each with the first skill open",
        muster,
    ),
    Sentence("the faction is read", "what is wrong with [army.faction]; expect problems", read_own_faction),
)
# Asked between the battles of a campaign.
QUESTIONS: Final[Mapping[str, Question]] = {
    "prepare": Question(keys="<unit> ready"),
    "learn": Question(keys="<skill> back"),
}
VALUES: Final[Mapping[str, Sequence[str] | str]] = {}
ARMY: Final[Mapping[str, Mapping[str, str]]] = {
    "side 1 musters": {
        "army": "a faction (oriflamme army list names them)",
        "faction": "a faction of the case's own instead, with the tables of a faction file (docs/authoring.md)",
        "points": "the format",
        "scenario": "the scenario the list is written for, where that changes what it may be",
        "role": "the role of the army in that scenario",
        "permitted": "Unique units that the opponents have allowed",
        "units": "the entries, as a player writes them (docs/authoring.md)",
    },
    "side 1 brings its army": {
        "army": "a faction (oriflamme army list names them)",
        "points": "the format",
        "scenario": "the scenario the list is written for, where that changes what it may be",
        "role": "the role of the army in that scenario",
        "units": "the entries, as a player writes them (docs/authoring.md)",
    },
    "the faction is read": {"faction": "the tables of a faction file (docs/authoring.md)"},
}
OF_UNIT: Final[Mapping[str, Fact]] = {
    "sheet": Fact("its sheet, by its id", lambda _, found: found[1].sheet.id),
    "cost": count("points of its sheet with options", lambda _, found: found[1].sheet.cost),
    "vitality": Fact('"living", "dead" or "neutral"', lambda _, found: found[1].sheet.vitality),
    "specialisation": Fact("what it is a specialist of", lambda _, found: found[1].specialisation),
    "level": count("its level as a specialist", lambda _, found: found[1].level),
    "skills": Fact("its skills", lambda _, found: list(found[1].skills)),
    "adc": Fact("command abilities it knows", lambda _, found: list(found[1].adc)),
    "spells": Fact("spells it knows", lambda _, found: list(found[1].spells)),
    "weapons": Fact("its weapons, by their ids", lambda _, found: [weapon.id for weapon in found[1].weapons]),
}
