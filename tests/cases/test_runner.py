"""The runner of cases: a mistake in a case is reported with its place, and a row that cannot fail fails."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from oriflamme.cases.runner import FILES_PER_WORKER, merged, run, run_case

SHOT: dict[str, Any] = {
    "rule": "AOF-HIT-04",
    "title": "A shot at the levy",
    "given": {
        "archers": {"figures": 2, "weapon": {"name": "bow", "range": 24}},
        "levy": {"side": 2, "figures": 3, "at": "12in ahead"},
    },
    "when": {"do": "archers shoot levy", "dice": [4, 3], "until": "HitsRolled"},
    "then": [{"hits": 1}],
}
MAGE: dict[str, Any] = {
    "side": 1,
    "keywords": ["Caster(2)"],
    "tokens": 2,
    "spells": {"ember": {"value": 1, "hits": 3}},
}


def case(*path_and_value: Any) -> dict[str, Any]:
    """The shot at the levy, with one value changed."""
    *path, value = path_and_value
    data = deepcopy(SHOT)
    inner: Any = data
    for key in path[:-1]:
        inner = inner[key] if isinstance(key, int) else inner.setdefault(key, {})
    inner[path[-1]] = value
    return data


def problems(data: dict[str, Any]) -> list[str]:
    rows = run_case(data)
    assert all(row.passed == (not row.problems) for row in rows)
    found = [problem for row in rows for problem in row.problems]
    assert not [p for p in found if "the program broke" in p], found
    return found


def with_row(**row: Any) -> dict[str, Any]:
    return case("then", [row])


def open_question(**row: Any) -> dict[str, Any]:
    """The archers are about to choose their action."""
    return with_row(do="archers activate", dice=[], until="", **row)


def move_question(**row: Any) -> dict[str, Any]:
    return with_row(do="archers advance", dice=[], until="", **row)


def test_the_case_without_a_mistake_passes() -> None:
    assert problems(SHOT) == []


TOP_MISTAKES = [
    ("rule", 5, "rule: expected text, found 5"),
    ("rule", [], "rule: expected text, found an empty list"),
    ("rule", {"a": 1}, "rule: expected text, found a table"),
    ("rules", 0, "rules: expected a list of texts, found 0"),
    ("rules", True, "rules: expected a list of texts, found true"),
    ("rules", "", 'rules: expected a list of texts, found ""'),
    ("rules", [5], "rules[1]: expected text, found 5"),
    ("rule", "AOF-HITT-04", 'rule: no rule "AOF-HITT-04"; did you mean "AOF-HIT-04"?'),
    ("title", 5, "title: expected text, found 5"),
    ("note", [], "note: expected text, found an empty list"),
    ("game", "chess", 'game: "chess" is not a game'),
    ("then", 5, "then: expected a list of tables, found 5"),
    ("then", [], "then: missing"),
    ("then", [5], "then[1]: expected a table, found 5"),
    ("when", 5, "when: expected a table, found 5"),
    ("given", 5, "given: expected a table, found 5"),
    ("army", 5, "army: expected a table, found 5"),
    ("givn", {}, 'givn: unknown key; did you mean "given"?'),
]


@pytest.mark.parametrize(("key", "value", "said"), TOP_MISTAKES)
def test_a_mistake_at_the_top_of_a_case_is_reported(key: str, value: Any, said: str) -> None:
    assert any(p.startswith(said) for p in problems(case(key, value)))


WHEN_MISTAKES = [
    ("do", 5, "when.do: expected text, found 5"),
    ("do", [], "when.do: an empty list"),
    ("do", "archers dance", 'then[1].do: "archers dance" means nothing here'),
    ("do", "archers shoot levi", 'then[1].do: no unit "levi" in the scene; did you mean "levy"?'),
    ("do", "archers shoot archers", 'then[1].do: "archers" cannot attack itself'),
    ("do", "archers cast zork on levy", 'then[1].do: "archers" knows no spell "zork"'),
    ("do", "levy takes 2 wounds of Zork", 'then[1].do: no special rule "Zork"'),
    ("do", "levy takes 2 wounds of Deadly", 'then[1].do: "Deadly" needs its number'),
    ("do", "the army is checked", "army.points: missing; expected a whole number"),
    ("dice", [True], "when.dice[1]: expected a whole number from 1 to 6, found true"),
    ("dice", [4, 7], "when.dice[2]: expected a whole number from 1 to 6, found 7"),
    ("dice", 4, "when.dice: expected a list of faces"),
    ("dice", ["north"], 'when.dice[1]: expected a face from 1 to 6 or a direction, found "north"; write "90 degrees"'),
    ("dice", ["90 degrees", 4], "then[1].dice: of the wrong kind: 2 dice are thrown after 0, but a direction is given"),
    ("dice", [4, 3, 2], "then[1].dice: 1 dice were not used"),
    ("dice", [4], "then[1].dice: too few"),
    ("until", "HitsRoled", 'then[1].until: no event "HitsRoled"; did you mean "HitsRolled"?'),
    ("until", 5, "when.until: expected text, found 5"),
    ("answers", 0, "when.answers: expected a table, found 0"),
    ("answers", [1], "when.answers: expected a table, found a list of 1"),
    ("answers", {"otherwise": 1}, 'when.answers.otherwise: expected "suggestion", found 1'),
    ("answers", {"strike_back": {"each": 5}}, "when.answers.strike_back.each: expected a list of answers, found 5"),
    ("answers", {"strike_bak": "no"}, 'then[1].answers.strike_bak: no question "strike_bak"; did you mean'),
    ("answers", {"strike_back": "no"}, "then[1].answers.strike_back: was never asked"),
    ("answers", {"strike_back": True}, "then[1].answers.strike_back: true answers no question"),
]


@pytest.mark.parametrize(("key", "value", "said"), WHEN_MISTAKES)
def test_a_mistake_in_what_is_done_is_reported(key: str, value: Any, said: str) -> None:
    assert any(p.startswith(said) for p in problems(case("when", key, value)))


UNIT_MISTAKES = [
    ("at", [nan, 5], "given.levy.at: a list of 2 is not a place"),
    ("at", [36, True], "given.levy.at: a list of 2 is not a place"),
    ("at", [36, 200], "given.levy.1: stands off the table"),
    ("figures", 0, "given.levy.figures: a unit of nobody"),
    ("figures", "x", "given.levy.figures: expected a whole number"),
    ("reserve", "moon", 'given.levy.reserve: unknown "moon"; expected deploy, scout or ambush'),
    ("wounds", [-1, 0, 0], "given.levy.wounds: levy.1 cannot have -1 wounds"),
    ("wounds", "x", "given.levy.wounds: expected a number, or a list of 3"),
    ("tokens", 1, "given.levy.tokens: no model of levy can have tokens"),
    ("used", ["zork"], 'given.levy.used: no weapon "zork"'),
    ("used", {"9": ["zork"]}, 'given.levy.used.9: no model "9"'),
    ("spells", {"x": {}}, "given.levy.spells.x: a spell that does nothing"),
    ("spells", {"x": {"hits": 1, "range": nan}}, "given.levy.spells.x.range: nan is not a length"),
    ("weapon", {"range": inf}, "given.levy.weapon.range: inf is not a length"),
    ("weapon", {"range": True}, "given.levy.weapon.range: true is not a length"),
    ("keywords", ["Zork"], 'given.levy.keywords: no special rule "Zork"'),
]


@pytest.mark.parametrize(("key", "value", "said"), UNIT_MISTAKES)
def test_a_mistake_in_a_unit_is_reported_once(key: str, value: Any, said: str) -> None:
    found = problems(case("given", "levy", key, value))

    assert any(p.startswith(said) for p in found), found
    assert len({p.partition(":")[2] for p in found}) == len(found)


@pytest.mark.parametrize("name", ["a.1", "a+b", "a:b", "a b", ""])
def test_a_unit_needs_a_name_that_sentences_and_answers_can_use(name: str) -> None:
    assert any("is not a name" in p for p in problems(case("given", name, {"at": [10, 10]})))


SCENE_MISTAKES = [
    ("battle", {"last_activations": []}, "battle.last_activations: expected two numbers"),
    ("battle", {"last_activations": [1, 2, 3]}, "battle.last_activations: expected two numbers"),
    ("battle", {"objectives": [{"at": [100, 5]}]}, "battle.objectives[1].at: 100, 5 is off the table"),
    ("table", {"pieces": [{"kind": "zork", "at": [9, 9], "radius": 2}]}, "table.pieces[1].kind:"),
    ("table", {"measure": "cm"}, "table.measure: not a known key; lengths are inches"),
    ("options", {"loss": "x"}, 'options.loss: no house rule "loss"'),
    (
        "table",
        {"pieces": [{"kind": "rocks", "at": [36, 12], "radius": 3, "traits": ["impassable"]}]},
        "given.archers.1: stands in impassable terrain",
    ),
]


@pytest.mark.parametrize(("key", "value", "said"), SCENE_MISTAKES)
def test_a_mistake_in_the_scene_is_reported(key: str, value: Any, said: str) -> None:
    found = problems(case(key, value))

    assert any(p.startswith(said) for p in found), found


WORTHLESS: list[dict[str, Any]] = [
    {},
    {"why": "nothing"},
    {"units": {}},
    {"units": {"levy": {}}},
    {"units": {"levy": {"gaps": {}}}},
    {"events": []},
    {"events": [{}]},
    {"no_events": []},
    {"no_events": "HitsRoled"},
    {"no_events": ["UnitShakn"]},
    {"no_events": [{"event": "UnitShaken", "zork": 1}]},
    {"no_events": [{"event": "UnitShaken", "unit": "levi"}]},
    {"no_events": [{"event": "UnitActivated", "side": 2}]},
    {"no_events": [{"event": "UnitActivated", "unit": 5}]},
    {"unchanged": []},
    {"not_asked": []},
    {"not_asked": "strike_bak"},
    {"losses": {}},
    {"house_rules": {}},
    {"problems": []},
]


@pytest.mark.parametrize("row", WORTHLESS)
def test_a_row_that_cannot_fail_fails(row: dict[str, Any]) -> None:
    found = problems(with_row(**row))

    assert found
    assert all(p.startswith("then[1]") for p in found)


ROW_MISTAKES = [
    ("why", 5, "then[1].why: expected text, found 5"),
    ("hist", 1, 'then[1].hist: unknown key; did you mean "hits"?'),
    ("units", 5, "then[1].units: expected a table, found 5"),
    ("units", {"levy": 5}, "then[1].units.levy: expected a table, found 5"),
    ("units", {"levi": {"lost": 0}}, 'then[1].units.levi: no such unit in the scene; did you mean "levy"?'),
    ("units", {"levy": {"shakn": True}}, 'then[1].units.levy.shakn: unknown key; did you mean "shaken"?'),
    ("unchanged", 5, "then[1].unchanged: expected text, found 5"),
    ("unchanged", [[]], "then[1].unchanged[1]: expected text, found an empty list"),
    ("events", 5, "then[1].events: expected the name of an event or a table, found 5"),
    ("events", [1], "then[1].events[1]: expected the name of an event"),
    ("events", [{"event": "HitsRolled", "hist": 1}], "then[1].events[1].hist: HitsRolled has no such field"),
    ("asks", {}, "then[1].asks: expected text, found a table"),
    ("asks", [[]], "then[1].asks[1]: expected text"),
    ("asks", "strike_bak", 'then[1].asks: no question "strike_bak"; did you mean "strike_back"?'),
    ("asks_side", 3, "then[1].asks_side: expected a whole number from 1 to 2, found 3"),
    ("asked", 5, "then[1].asked: expected text, found 5"),
    ("offered", 5, "then[1].offered: expected a list of keys, found 5"),
    ("offers", 5, "then[1].offers: expected text, found 5"),
    ("accepted", 5, "then[1].accepted: expected a list of answers, found 5"),
    ("problems", 5, "then[1].problems: expected a list of rules, found 5"),
    ("refused", 5, "then[1].refused: expected a table, found 5"),
    ("refused", {}, "then[1].refused.by: missing; say which rule refuses it"),
    ("refused", {"answer": "hold", "by": "AOF-ZORK"}, 'then[1].refused[1].by: no rule "AOF-ZORK"'),
    ("answers", "x", 'then[1].answers: expected a table, found "x"'),
    ("answers", {"strike_back": False}, "then[1].answers.strike_back: there is no such answer to take away"),
    ("hits", "many", "then[1].hits: expected 'many', got 1"),
]


@pytest.mark.parametrize(("key", "value", "said"), ROW_MISTAKES)
def test_a_mistake_in_a_row_is_reported(key: str, value: Any, said: str) -> None:
    found = problems(with_row(**{key: value}))

    assert any(p.startswith(said) for p in found), found


def test_all_mistakes_of_a_row_are_reported_at_once() -> None:
    found = problems(with_row(hist=1, asks="zork", no_events=["UnitShakn"]))

    assert [p.partition(":")[0] for p in found[:1]] == ["then[1].hist"]
    assert {p.partition(":")[0] for p in found} >= {"then[1].hist", "then[1].asks", "then[1].no_events[1]"}


ABSURD = [5, -1, 1.5, nan, inf, 10**30, True, "", "x", [], [1], [[]], [{}], {}, {"x": {}}, date(2020, 1, 1)]


@pytest.mark.parametrize("key", ["why", "rule", "given", "table", "battle", "options", "army", "do", "dice", "answers"])
@pytest.mark.parametrize("value", ABSURD, ids=repr)
def test_no_absurd_value_breaks_the_program(key: str, value: Any) -> None:
    problems(case("then", [{"hits": 1, key: value}]))
    problems(case(key, value))


# -- questions left open -----------------------------------------------------------------------------------------------


def test_an_open_question_must_be_named() -> None:
    assert any('"choose_action"' in p and "left open" in p for p in problems(open_question(hits=0)))
    assert problems(open_question(asks="choose_action")) == []


def test_a_row_says_to_whom_a_question_is_put() -> None:
    assert problems(open_question(asks="choose_action", asks_side=1)) == []
    assert problems(open_question(asks_side=2))[0].startswith("then[1].asks_side: expected 2")


def test_a_row_says_what_a_question_suggests() -> None:
    assert problems(open_question(suggests="hold")) == []
    assert problems(open_question(suggests="rush"))[0].startswith("then[1].suggests: expected 'rush'")


def test_a_key_nobody_could_offer_shows_nothing_by_its_absence() -> None:
    assert problems(open_question(not_offered=["charge:archers"])) == []
    found = problems(open_question(not_offered=["charge:levi"]))
    assert found == [
        'then[1].not_offered: "charge:levi" is no key of "choose_action" in this scene; did you mean "levy"?'
    ]


def test_a_move_offers_no_keys() -> None:
    assert problems(move_question(not_offered=["levy"])) == [
        'then[1].not_offered: "move_unit" offers no keys; use accepted and refused'
    ]


@pytest.mark.parametrize("answer", [{"by": [1]}, {"by": ["x", 1]}, {"by": [0, 6], "to": 1}])
def test_a_move_that_is_none_is_reported(answer: Any) -> None:
    found = problems(move_question(answers={"move_unit": answer}, hits=0))

    assert found[0].startswith("then[1].answers.move_unit.by:")


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ({"at": [1]}, "at"),
        ({"at": "x"}, "at"),
        ({"at": [36, 6], "ranks": 0}, "ranks"),
        ({"at": [36, 6], "ranks": "x"}, "ranks"),
        ({"at": [36, 6], "zork": 1}, "zork"),
    ],
)
def test_a_placing_that_is_none_is_reported(answer: Any, place: str) -> None:
    data = case("given", {"levy": {"figures": 2, "reserve": "deploy"}})
    data["when"] = {"do": "side 1 deploys", "answers": {"place_unit": answer}}

    assert problems(data)[0].startswith(f"then[1].answers.place_unit.{place}:")


def test_refusals_quote_an_answer_in_inches() -> None:
    found = problems(move_question(answers={"move_unit": {"archers.1": [5]}}, hits=0))

    assert "127" not in found[0]
    assert "[5]" in found[0]


# -- what a row may change ---------------------------------------------------------------------------------------------


def test_false_takes_away_what_is_no_flag() -> None:
    base = {"levy": {"shaken": True, "hero": {"tough": 3}}, "archers": {}}

    assert merged(base, {"levy": {"shaken": False, "hero": False}}) == {"levy": {"shaken": False}, "archers": {}}
    assert merged(base, {"levy": False}) == {"archers": {}}


def test_a_row_takes_a_unit_away() -> None:
    data = with_row(given={"levy": False}, units={"levy": {"lost": 0}})

    assert any('no unit "levy"' in p for p in problems(data))


def test_a_row_takes_an_answer_away() -> None:
    data = case("when", {"do": "archers activate", "answers": {"choose_action": "hold", "choose_target": "none"}})
    data["then"] = [{"hits": 0}, {"answers": {"choose_action": False, "choose_target": False}, "asks": "choose_action"}]

    assert problems(data) == []


def test_a_note_stands_in_a_row() -> None:
    assert problems(with_row(hits=1, note="as in the book's example")) == []


def test_a_destroyed_unit_is_there_but_not_on_the_table() -> None:
    data = with_row(hits=1, units={"guard": {"destroyed": True, "on_table": False, "lost": 3}})
    data["given"]["guard"] = {"side": 2, "figures": 0, "start": 3}

    assert problems(data) == []


def test_a_limited_weapon_is_used_up_model_by_model() -> None:
    bow = {"name": "bow", "range": 24, "keywords": ["Limited"]}
    data = case("given", "archers", {"figures": 2, "weapon": bow, "used": {"2": ["bow"]}})
    data["when"]["dice"] = [4]
    data["when"]["answers"] = {"otherwise": "suggestion"}
    data["then"] = [{"attacks": 1}]

    assert problems(data) == []


def test_hits_of_spells_are_counted() -> None:
    data = case("given", "archers", MAGE)
    data["when"] = {"do": "archers cast ember on levy", "dice": [4, 6, 6, 6]}
    data["then"] = [{"hits": 3, "losses": {"levy": 0}}]

    assert problems(data) == []


def test_a_unit_in_reserve_can_do_nothing() -> None:
    found = problems(case("given", "levy", "reserve", "ambush"))

    assert found == ['then[1].do: "levy" is not on the table; it has reserve = "ambush"']


def test_cases_played_side_by_side_are_told_in_the_order_of_their_files(tmp_path: Path) -> None:
    text = """
        rule  = "AOF-HIT-04"
        title = "A shot at the levy, number {number}"
        [given]
        archers = {{ figures = 2, weapon = {{ name = "bow", range = 24 }} }}
        levy = {{ side = 2, figures = 3, at = "12in ahead" }}
        [when]
        do = "archers shoot levy"
        dice = [4, 3]
        until = "HitsRolled"
        [[then]]
        hits = {hits}
    """
    for number in range(2 * FILES_PER_WORKER):
        (tmp_path / f"{number:03}.toml").write_text(text.format(number=number, hits=2 if number == 50 else 1))

    alone, together = run([tmp_path]), run([tmp_path], workers=2)

    assert [row.title for row in together.rows] == [row.title for row in alone.rows]
    assert [row.problems for row in together.rows] == [row.problems for row in alone.rows]
    assert [row.file for row in together.failed] == [str(tmp_path / "050.toml")]
