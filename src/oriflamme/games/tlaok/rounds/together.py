"""Questions to both sides at the same time, several to one side among them (TLAOK-REINF-12, TLAOK-ROUND-03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.questions import answers_to
from oriflamme.games.tlaok.state import Asking


def ask_together(questions: Sequence[Decision]) -> Asking[list[Any]]:
    """The answers to all of them, in order. Each side is asked one thing at a time; nothing happens before all of them
    are answered, so that nobody learns an answer before he has given his own."""
    answers: list[Any] = [None] * len(questions)
    left: dict[int, list[int]] = {}
    for number, question in enumerate(questions):
        forced = question.forced()
        if forced is not None:
            answers[number] = forced[0]
        else:
            left.setdefault(question.side, []).append(number)
    while any(left.values()):
        now = [numbers.pop(0) for _, numbers in sorted(left.items()) if numbers]
        asked, revealed = [questions[n] for n in now], not any(left.values())
        for number, answer in zip(now, (yield from answers_to(*asked, revealed=revealed)), strict=True):
            answers[number] = answer
    return answers
