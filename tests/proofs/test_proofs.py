"""Some scenes of every question; `python -m tests.proofs --scenes 10000` plays many."""

from __future__ import annotations

import pytest
from tests.proofs import Question, questions


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.name)
def test_nothing_legal_is_refused_and_nothing_illegal_allowed(question: Question) -> None:
    found = [question.scene(seed) for seed in range(24)]

    assert len(set(found)) > 1, "the scenes are all alike: they do not put the question"
