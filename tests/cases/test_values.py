"""Bounds and choices in what a row expects: they hold anywhere a value is compared, and cannot be written wrongly."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from tests.cases.test_runner import case, problems, with_row

from oriflamme.cases.values import same


@pytest.mark.parametrize(
    ("wanted", "found", "as_expected"),
    [
        ({"at_least": 2}, 2, True),
        ({"at_least": 2}, 1, False),
        ({"at_most": 2}, 2, True),
        ({"at_most": 2}, 3, False),
        ({"at_least": 2, "at_most": 4}, 3, True),
        ({"at_least": 2, "at_most": 4}, 5, False),
        ({"at_least": 1.5}, 1.49, True),
        ({"at_least": 1.5}, 1.48, False),
        ({"at_least": 0}, True, False),
        ({"at_least": 0}, "2", False),
        ({"one_of": ["killed", "routed"]}, "routed", True),
        ({"one_of": ["killed", "routed"]}, "left", False),
        ({"one_of": [1, "draw"]}, 1, True),
        ({"one_of": [{"at_most": 1}, 4]}, 4, True),
        ({"one_of": [{"at_most": 1}, 4]}, 3, False),
        ([{"at_least": 3}, 1], [4, 1], True),
        ([{"at_least": 3}, 1], [2, 1], False),
        ({"levy": {"at_least": 3}}, {"levy": 2}, False),
    ],
)
def test_a_value_within_bounds_is_as_expected(wanted: Any, found: Any, as_expected: bool) -> None:
    assert same(wanted, found) is as_expected


@pytest.mark.parametrize(
    "row",
    [
        {"hits": {"at_least": 1}},
        {"hits_on": [{"one_of": [3, 4]}]},
        {"events": [{"event": "HitsRolled", "hits": {"at_most": 1}, "weapon": {"one_of": ["bow", "axe"]}}]},
        {"no_events": [{"event": "HitsRolled", "hits": {"at_least": 2}}]},
        {"units": {"levy": {"figures": {"at_least": 3}, "gaps": {"archers": {"at_least": 11, "at_most": 12.5}}}}},
    ],
)
def test_bounds_stand_in_rows_events_and_units(row: dict[str, Any]) -> None:
    assert problems(with_row(**row)) == []


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"hits": {"at_least": 2}}, "then[1].hits: expected {'at_least': 2}, got 1"),
        ({"hits_on": [{"one_of": [2, 3]}]}, "then[1].hits_on: expected [{'one_of': [2, 3]}], got [4]"),
        ({"events": [{"event": "HitsRolled", "hits": {"at_least": 2}}]}, "then[1].events[1]: "),
        ({"no_events": [{"event": "HitsRolled", "hits": {"at_most": 2}}]}, "then[1].no_events: HitsRolled("),
        ({"units": {"levy": {"figures": {"at_most": 2}}}}, "then[1].units.levy.figures: expected"),
    ],
)
def test_a_value_out_of_bounds_fails(row: dict[str, Any], said: str) -> None:
    (found,) = problems(with_row(**row))

    assert found.startswith(said)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"at_least": 2, "at_mots": 4}, 'then[1].hits.at_mots: unknown key beside a bound; did you mean "at_most"?'),
        ({"at_leest": 2}, 'then[1].hits.at_leest: unknown key; did you mean "at_least"?'),
        ({"at_least": "2"}, 'then[1].hits.at_least: expected a number, found "2"'),
        ({"at_least": True}, "then[1].hits.at_least: expected a number, found true"),
        ({"at_most": inf}, "then[1].hits.at_most: expected a number, found inf"),
        ({"at_least": 4, "at_most": 2}, "then[1].hits: nothing is at least 4 and at most 2"),
        ({"at_least": 4, "at_most": 4}, "then[1].hits: both bounds are the same; write 4"),
        ({"one_of": []}, "then[1].hits.one_of: an empty list: nothing is one of it"),
        ({"one_of": [1]}, "then[1].hits.one_of: a choice of one; write the value itself"),
        ({"one_of": [1, 1]}, "then[1].hits.one_of: the same value twice"),
        ({"one_of": 1}, "then[1].hits.one_of: expected a list of values, found 1"),
        ({"one_of": [1, 2], "at_least": 1}, 'then[1].hits.at_least: unknown key beside "one_of"'),
        ({"one_of": [True, False]}, "then[1].hits.one_of: true or false: it cannot fail"),
    ],
)
def test_a_bound_that_is_none_is_reported(value: Any, said: str) -> None:
    found = problems(with_row(hits=value))

    assert any(p.startswith(said) for p in found), found


def test_a_field_of_an_event_cannot_be_one_of_what_it_never_is() -> None:
    found = problems(with_row(events=[{"event": "HitsRolled", "weapon": {"one_of": ["bow", 5]}}]))

    assert found[0].startswith("then[1].events[1].weapon: can never be")
    found = problems(with_row(events=[{"event": "HitsRolled", "weapon": {"at_least": 2}}]))
    assert found[0].startswith("then[1].events[1].weapon: can never be")


# -- several cases in one file -----------------------------------------------------------------------------------------


def file_of(*cases: dict[str, Any], **shared: Any) -> dict[str, Any]:
    data = {key: value for key, value in case("note", "shared").items() if key not in ("rule", "title", "then")}
    return {**data, **shared, "case": list(cases)}


ONE = {"rule": "AOF-HIT-04", "title": "one", "then": [{"hits": 1}]}
TWO = {"rule": "AOF-HIT-04", "title": "two", "given": {"archers": {"quality": 3}}, "then": [{"hits": 2}]}


def test_cases_of_one_file_share_what_stands_above_them() -> None:
    assert problems(file_of(ONE, TWO)) == []


def test_a_case_has_its_own_deed_and_dice() -> None:
    three = {**TWO, "title": "three", "when": {"dice": [1, 1]}, "then": [{"hits": 0}]}

    assert problems(file_of(ONE, TWO, three)) == []


def test_a_report_says_which_case_failed() -> None:
    from oriflamme.cases.runner import run_case

    rows = run_case(file_of(ONE, {**TWO, "then": [{"hits": 1}]}))

    assert [(row.title, row.passed) for row in rows] == [("one", True), ("two", False)]
    assert rows[1].problems[0].startswith("case[2].then[1].hits: expected 1, got 2")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (file_of(ONE, ONE), "case[2].title: the same as that of case 1"),
        (file_of({"rule": "AOF-HIT-04", "then": [{"hits": 1}]}), "case[1].title: missing"),
        (file_of({**ONE, "rule": "AOF-HITT-04"}), 'case[1].rule: no rule "AOF-HITT-04"'),
        (file_of({**ONE, "givn": {}}), 'case[1].givn: unknown key; did you mean "given"?'),
        (file_of({**ONE, "case": []}), "case[1].case: unknown key"),
        (file_of({**ONE, "given": {"levy": {"at": 5}}}), "case[1].given.levy.at: 5 is not a place"),
        (file_of(ONE, options={"loss": "x"}), 'options.loss: no house rule "loss"'),
        (file_of(ONE, title="both"), "title: stands above [[case]]; each case has its own"),
        (file_of(ONE, then=[{"hits": 1}]), "then: stands above [[case]]"),
        (file_of(ONE, whem={}), 'whem: unknown key; did you mean "when"?'),
        (file_of(), "case: an empty list"),
        ({**file_of(), "case": 5}, "case: expected a list of cases, found 5"),
        ({**file_of(), "case": [5]}, "case[1]: expected a table, found 5"),
    ],
)
def test_a_mistake_in_a_file_of_cases_is_reported(data: dict[str, Any], said: str) -> None:
    found = problems(data)

    assert any(p.startswith(said) for p in found), found


# -- places beside others ----------------------------------------------------------------------------------------------

BESIDE = {
    "aof": ("AOF-HIT-04", "levy tests morale", "1in ahead of {}"),
    "sbh": ("SBH-MOVE-01", "levy tests morale", "50mm ahead of {}"),
    "tlaok": ("TLAOK-DIST-02", "levy breaks", "6in ahead of {}"),
}


@pytest.mark.parametrize("game", BESIDE)
@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("later", '"later" comes after "levy" and has no place yet; write later above levy under [given], or give'),
        ("levy", '"levy" cannot stand beside itself'),
        ("lator", 'no {what} "lator" to stand beside; did you mean "later"?'),
        ("away", '"away" has no place on the table'),
    ],
)
def test_who_stands_beside_another_is_placed_after_him(game: str, other: str, said: str) -> None:
    rule, do, at = BESIDE[game]
    away = {"aof": "ambush", "sbh": "band", "tlaok": "reinforcements"}[game]
    what = {"aof": "unit", "sbh": "fighter", "tlaok": "regiment"}[game]
    given = {"away": {"reserve": away}, "levy": {"at": at.format(other)}, "later": {"side": 2}}
    found = problems({"rule": rule, "given": given, "when": {"do": do}, "then": [{"over": False}]})

    assert found[0].startswith(f"given.levy.at: {said.format(what=what)}")
