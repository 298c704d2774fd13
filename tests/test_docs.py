"""The documents say what the code does now."""

from __future__ import annotations

from pathlib import Path

from oriflamme.cases.words import document, events_document

DOCS = Path(__file__).parents[1] / "docs"
RENEW = "is out of date: python -m oriflamme.cases.words writes it anew"


def test_every_event_is_in_the_list_of_events() -> None:
    assert (DOCS / "events.md").read_text(encoding="utf-8") == events_document(), f"docs/events.md {RENEW}"


def test_the_words_of_cases_are_in_the_document() -> None:
    written = (DOCS / "cases.md").read_text(encoding="utf-8")

    assert written == document(written), f"docs/cases.md {RENEW}"
