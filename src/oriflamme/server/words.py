"""What the server itself refuses, in words. Refusals of the rules have theirs with the rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.words.sentences import LANGUAGES, sentences
from oriflamme.engine.words.text import Line, Span, Voice
from oriflamme.engine.words.wording import Wording

Data = dict[str, Any]

WHY: Final = Wording(Path(__file__).parent / "text", "why")


def spans(line: Line) -> list[Data]:
    """A sentence in pieces: text, and what it names where it names something."""
    pieces: list[Data] = []
    for span in line.spans:
        piece: Data = {"text": span.text}
        if span.kind:
            piece["kind"] = span.kind
        if span.ref:
            piece["ref"] = span.ref
        if span.side is not None:
            piece["side"] = span.side
        pieces.append(piece)
    return pieces


def refusal_line(voice: Voice, refusal: Refusal) -> Line:
    """Why not, whoever says so."""
    said = WHY.of(voice.lang).get(refusal.why)
    if said is None:
        return voice.refusal(refusal)
    side = refusal.facts.get("side")
    return Line((Span(said.format(side=voice.side(side) if isinstance(side, int) else "")),), refusal.rule)


def terms_of(game: str, unit: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What players call the special rules and numbers of a unit and of who is with it, by language."""
    found: dict[str, None] = {}
    for one in (unit, *unit.get("with", ())):
        rules = (rule for weapon in one.get("weapons", ()) for rule in weapon["rules"])
        found |= dict.fromkeys((*one.get("numbers", ()), *one.get("rules", ()), *rules))
    return {term: {lang: sentences(game, lang).term(term) for lang in LANGUAGES} for term in found}
