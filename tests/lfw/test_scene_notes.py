"""What a scene notes and names is there, each of its form; whatever else is written is refused with its place."""

from __future__ import annotations

from typing import Any

import pytest

from oriflamme.cases.runner import run_case

GIVEN: dict[str, dict[str, Any]] = {"ann": {"side": 1, "at": [12, 12]}, "bob": {"side": 2, "at": [2, 2]}}


def problems_with(notes: dict[str, Any], **ann: Any) -> list[str]:
    case = {
        "game": "lfw",
        "rule": "LFW-SCN5-05",
        "title": "A turn ends",
        "given": GIVEN | {"ann": GIVEN["ann"] | ann},
        "battle": {"scenario": "scn5", "notes": notes},
        "when": {"do": "the turn ends"},
        "then": [{"over": False}],
    }
    return [str(problem) for row in run_case(case) for problem in row.problems]


@pytest.mark.parametrize(
    ("notes", "said"),
    [
        ({"heldd": 2}, 'battle.notes.heldd: not a known key; did you mean "held"?'),
        ({"holder": 7}, "battle.notes.holder: expected a whole number from 0 to 1, found 7"),
        ({"champions": ["annn"]}, 'battle.notes.champions[1]: no unit "annn"; did you mean "ann"?'),
        ({"saved": [1, 2, 3]}, "battle.notes.saved: 3 entries; at most 2 are read; leave the others out"),
        ({"secondary": "x"}, 'battle.notes.secondary: expected a list, found "x"'),
        ({"investigated": [3]}, 'battle.notes.investigated[1]: expected a list, found 3; write ["ann", "north_west"]'),
        ({"spell:zed": 2}, 'battle.notes."spell:zed": not a known key'),
        ({"failures_mill": "two"}, "battle.notes.failures_mill: expected a whole number from 0 to 99"),
    ],
)
def test_a_note_that_is_none_is_refused_with_its_place(notes: dict[str, Any], said: str) -> None:
    (found,) = problems_with(notes)
    assert said in found


def test_notes_are_taken_as_they_are_written() -> None:
    assert (
        problems_with({"holder": 0, "held": 1, "saved": [1], "spell:ann": 2, "investigated": [[0, "north_west"]]}) == []
    )


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("duel", "bop", 'given.ann.duel: no unit "bop"; did you mean "bob"?'),
        ("declared", ["bop"], 'given.ann.declared: no unit "bop"; did you mean "bob"?'),
        ("targeted", ["open_fir"], 'given.ann.targeted: no ability "open_fir"; did you mean "open_fire"?'),
        ("effects", [{"source": "slowng"}], 'effects[1].source: no spell or ability "slowng"; did you mean "slowing"?'),
    ],
)
def test_what_a_unit_names_is_there(key: str, value: Any, said: str) -> None:
    (found,) = problems_with({}, **{key: value})
    assert said in found
