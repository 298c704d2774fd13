"""What a spell can lay on a unit: a rule that would do nothing there is refused, not ignored."""

from __future__ import annotations

import pytest

from oriflamme.cases.runner import run_case
from oriflamme.games import load
from oriflamme.games.aof.moments import book, may_be_laid

load("aof")


@pytest.mark.parametrize("text", ["Tough(3)", "Hero", "Caster(2)", "Ambush", "Scout", "Banner", "Musician"])
def test_what_is_settled_at_muster_cannot_be_laid(text: str) -> None:
    assert not may_be_laid(book.parse(text))


@pytest.mark.parametrize("text", ["Stealth", "Fast", "Rending", "Takedown", "Fear(1)", "Regeneration", "Hindered(1)"])
def test_what_changes_a_later_moment_can(text: str) -> None:
    assert may_be_laid(book.parse(text))


def test_a_case_that_lays_toughness_is_told_so() -> None:
    case = {
        "rule": "AOF-SR-CASTER-06",
        "given": {"levy": {"effects": ["Tough(3)"]}},
        "when": {"do": "levy takes 1 wound"},
        "then": [{"lost": 0}],
    }

    (row,) = run_case(case)

    assert not row.passed
    assert "Tough cannot be laid by a spell" in row.problems[0]
