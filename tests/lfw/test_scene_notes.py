"""Notes of a scene are those that there are, each of its form; whatever else is written is refused with its place."""

from __future__ import annotations

from typing import Any

import pytest

from oriflamme.cases.runner import run_case

GIVEN = {"ann": {"side": 1, "at": [12, 12]}, "bob": {"side": 2, "at": [2, 2]}}


def problems_with(notes: dict[str, Any]) -> list[str]:
    case = {
        "game": "lfw",
        "rule": "LFW-SCN5-05",
        "title": "A turn ends",
        "given": GIVEN,
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
