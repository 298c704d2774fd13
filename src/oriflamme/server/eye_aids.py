"""Aids for the eye as clients are sent them: what may be drawn, what is seen from where, and why something cannot be
done."""

from __future__ import annotations

from typing import Any

from oriflamme.engine.core.decisions import Move
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.screen.aids import End
from oriflamme.engine.screen.measuring import aids_to_show, why_not_measured, why_not_seen
from oriflamme.server.views import Views
from oriflamme.server.words import spans

Data = dict[str, Any]


def aids_for(views: Views, side: int, lang: str, *, threats: bool, option: str = "") -> list[Data] | Refusal:
    """What may be drawn for what a side is asked, or for one option of it; or how far its enemies could strike."""
    barred = why_not_measured(views.play.battle) if threats else None
    if barred is not None:
        return barred
    seen, voice, aids = views.seen(side), views.voice(side, lang), views.game.aids()
    decision = views.play.decision_of(side) if side >= 0 else None
    if threats:
        found = aids.threats(seen, side)
    elif option and decision is not None:
        meant = next((one for one in getattr(decision, "options", ()) if one.key == option), None)
        found = aids.pointed(seen, decision, meant) if meant is not None else []
    else:
        found = aids.around(seen, decision) if decision is not None else []
    return [
        {
            "kind": aid.kind,
            "of": aid.of,
            "rule": aid.rule,
            "words": spans(voice.aid(aid.say, aid.facts, aid.rule)),
            "circles": aid.circles,
            "rings": aid.rings,
            "limits": aid.limits,
        }
        for aid in (found if threats else aids_to_show(seen, decision, found))
    ]


def costs_of(views: Views, side: int, lang: str, answer: Any) -> list[Data]:
    """What a move that was tried costs, part by part."""
    decision = views.play.decision_of(side)
    if not isinstance(decision, Move):
        return []
    voice = views.voice(side, lang)
    found = views.game.aids().costs(views.seen(side), decision, answer)
    return [
        {"at": (cost.x, cost.y), "length": cost.length, "words": spans(voice.aid(cost.say, cost.facts))}
        for cost in found
    ]


def sight_between(views: Views, side: int, lang: str, start: End, end: End) -> Data | Refusal:
    """What lies between two figures or points, as this side sees the table."""
    seen = views.seen(side)
    found = views.game.aids().sight(seen, start, end)
    line = views.voice(side, lang).aid(found.say, found.facts, found.rule)
    barred = why_not_seen(seen, found, line)
    if barred is not None:
        return barred
    words = spans(line)
    return {
        "distance": found.distance if seen.open_measuring else None,
        "seen": found.seen,
        "cover": found.cover,
        "through": found.through,
        "rule": found.rule,
        "words": words,
    }


def end_at(views: Views, side: int, place: str | list[float]) -> End | None:
    """One end of a line: a figure this side sees on the table, or a point of it."""
    if not isinstance(place, str):
        wide, deep = views.play.battle.table.extent
        return End(min(max(place[0], 0.0), wide), min(max(place[1], 0.0), deep))
    for unit in views.game.picture().show(views.seen(side)).standing:
        for figure in unit.figures:
            if figure.id == place:
                return End(figure.x, figure.y, figure.id)
    return None


def why_not_now(views: Views, side: int, lang: str, unit: str) -> list[Data]:
    """What cannot be done now with a unit, or to it, and why; what tells a length is left out while none may be."""
    decision = views.play.decision_of(side) if side >= 0 else None
    voice = views.voice(side, lang)
    return [
        {"deed": voice.word("deed", one.deed), "refusal": views.refusal(one.refusal, side, lang)}
        for one in views.game.aids().cannot(views.seen(side), decision, unit)
        if views.told_of(one.refusal, None, side, lang) is one.refusal
    ]
