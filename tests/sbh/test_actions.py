"""The table of actions: what each costs, by which rule, and how it is answered is said once (SBH-ACTION-01)."""

from __future__ import annotations

from oriflamme.engine.words.catalogue import load
from oriflamme.games.sbh.actions import ACTIONS
from oriflamme.games.sbh.scene_words import QUESTIONS

# As printed; a move, and leaving the table by one, takes as many as its ground asks.
COSTS = {
    "move": 0,
    "off": 0,
    "attack": 1,
    "power": 2,
    "shoot": 1,
    "aim": 2,
    "javelin": 1,
    "aimjavelin": 2,
    "leave": 2,
    "break": 2,
    "heal": 1,
    "raise": 2,
    "order": 1,
    "take": 2,
    "give": 1,
    "receive": 1,
}


def test_actions_cost_what_the_book_says() -> None:
    fixed = {action.id: action.cost for action in ACTIONS.values() if isinstance(action.cost, int)}

    assert fixed == COSTS
    assert set(ACTIONS) - set(COSTS) == {"bolt", "transfix", "entangle", "stand"}, "by their Power, and by the fall"


def test_every_action_has_a_rule_of_the_catalogue() -> None:
    assert {action.rule for action in ACTIONS.values()} <= set(load("sbh").rules)


def test_cases_know_the_answers_that_the_table_has() -> None:
    keys = QUESTIONS["choose_action"].keys

    assert {key.partition(":")[0] for key in keys} == {*ACTIONS, "done"}
    assert {"bolt:<number>:<fighter>", "order:rally", "take:<marker>", "stand"} <= set(keys)
