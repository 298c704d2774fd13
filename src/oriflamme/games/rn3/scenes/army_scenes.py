"""Cases about companies: a file is read, a list is checked and takes the field, and what its cards say then."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.cases.scenes import Deed, Fact, Sentence, count
from oriflamme.engine.words.problems import Problems, Reader, without_nulls
from oriflamme.games.rn3.army.companies import People, read_people
from oriflamme.games.rn3.army.fielding import field_company
from oriflamme.games.rn3.army.reading import LISTS
from oriflamme.games.rn3.state import Battle, Fighter


def muster(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """`[army]` is a list as a player writes it, of one of our companies or of the `company` the case brings along. Its
    units are in hand, and its elixir is what it begins with (RN3-ELX-02)."""
    data = dict(top.get("army", {}))
    side = int(match["side"]) - 1
    try:
        own = _own_company(data)
        roster = LISTS.check({"game": "rn3", **data}, "army", own=own)
    except Problems as wrong:
        return Deed(problems=list(wrong))
    for unit in field_company(roster, side, battle.units):
        battle.units[unit.id] = unit
    elixir = list(battle.elixir)
    elixir[side] += roster.elixir + sum(unit.hero is not None for unit in battle.units_of(side))
    battle.elixir = (elixir[0], elixir[1])
    return Deed(problems=[])


def _own_company(army: dict[str, Any]) -> People | None:
    """A company that the case describes itself; it is taken out of the list."""
    if "company" not in army:
        return None
    problems = Problems("army")
    data = army.pop("company")
    if isinstance(data, Mapping):
        data = without_nulls({"name": "The case's own", **data})
    own = read_people(Reader(data, problems, "company"), "own")
    problems.raise_if_any()
    return own


def read_own_company(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """What is wrong with the company that the case describes."""
    try:
        _own_company(dict(top.get("army", {})))
    except Problems as wrong:
        return Deed(problems=[problem for problem in wrong if problem.rule])
    return Deed(problems=[])


SENTENCES: Final[Sequence[Sentence]] = (
    Sentence(
        "side <side> musters",
        "[army] is a list as a player writes it: it is checked (problems), and its units are in hand",
        muster,
    ),
    Sentence(
        "the company is read", "what is wrong with [army.company] by some rule; expect problems", read_own_company
    ),
)
ARMY: Final[Mapping[str, Mapping[str, str]]] = {
    "side 1 musters": {
        "army": "a company (oriflamme army list names them)",
        "company": "a company of the case's own instead, with the tables of a company file (docs/authoring.md)",
        "points": "the budget in PA",
        "units": "the entries, as a player writes them (docs/authoring.md)",
    },
    "the company is read": {"company": "the tables of a company file (docs/authoring.md)"},
}


# -- what may be expected ----------------------------------------------------------------------------------------------


def _card(fighter: Fighter) -> dict[str, Any]:
    profile = fighter.profile
    card: dict[str, Any] = {
        **{key: getattr(profile, key) for key in ("category", "rank", "size", "role", "mou", "res", "cou", "peu")},
        **{key: getattr(profile, key) for key in ("aut", "pou", "foi", "elixir", "return_cost", "hit_points")},
        "base": round(2 * profile.base.reach),
        "def": profile.defence,
        "melee": [profile.melee.dice, profile.melee.att, profile.melee.force],
        "skills": sorted(map(str, profile.skills)),
        "powers": [power.id for power in profile.powers],
    }
    if profile.ranged is not None:
        card["ranged"] = [profile.ranged.dice, profile.ranged.att, profile.ranged.force]
    return {key: value for key, value in card.items() if value is not None}


OF_UNIT: Final[Mapping[str, Fact]] = {
    "points": count("its cost in PA", lambda _, unit: unit.points),
    "banner": Fact('the banner it stands under, or ""', lambda _, unit: unit.banner),
    "profile": Fact("the card of its base troop", lambda _, unit: unit.profile.id),
    "rank": count("its rank", lambda _, unit: unit.rank),
    "fighters": Fact(
        "the cards of its models by id: { guard = { rank = 1, melee = [1, 5, 5], skills = [] } }",
        lambda _, unit: {f.profile.id: _card(f) for f in unit.figures},
    ),
    "free_tactics": Fact(
        "tactics that its army list prints", lambda _, u: [tactic["id"] for tactic in u.card.get("tactics", ())]
    ),
    "regular_crew": count("crew whose dice count", lambda _, unit: unit.regular_crew),
}
OF_BATTLE: Final[Mapping[str, Fact]] = {
    "costs": Fact(
        "PA of both companies",
        lambda b, _: [sum(unit.points for unit in b.units_of(side)) for side in (0, 1)],
    ),
}
