"""What the server itself refuses, in words. Refusals of the rules have theirs with the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from oriflamme.engine.events import Refusal
from oriflamme.engine.sentences import LANGUAGES, sentences
from oriflamme.engine.text import Line, Span, Voice

Data = dict[str, Any]

WHY: Final = {
    "en": {
        "spectators_watch": "Spectators watch; this link has no seat at the table",
        "not_your_side": "You do not play {side}",
        "no_such_unit": "No such unit is to be seen",
        "nothing_to_take_back": "There is no answer of yours to take back",
        "not_your_answer": "That answer is not yours",
        "others_have_answered": "Others have answered since; they would have to agree",
        "others_are_asked": "Others are asked at the same time; they would have to agree",
        "dice_have_fallen": "Dice have fallen since; the others would have to agree, and other dice would fall",
        "nothing_is_asked": "Nothing is asked of you now",
        "campaign_went_on": "The campaign has gone on from this battle; nothing in it can be taken back",
        "nothing_to_consent_to": "Nobody has asked you to let them take answers back",
        "branch_when_over": "Others play here too; you can play on from any moment when the battle is over",
        "dice_to_come": "The battle is not over, and its dice are not to be known yet; play on with new dice",
        "branch_your_side": "The battle is not over; until then you can play on as {side}, against bots",
    },
    "fr": {
        "spectators_watch": "Les spectateurs regardent ; ce lien n'a pas de place à la table",
        "not_your_side": "Vous ne jouez pas : {side}",
        "no_such_unit": "Aucune unité de ce nom n'est visible",
        "nothing_to_take_back": "Vous n'avez aucune réponse à annuler",
        "not_your_answer": "Cette réponse n'est pas la vôtre",
        "others_have_answered": "D'autres ont répondu depuis ; il faudrait leur accord",
        "others_are_asked": "D'autres sont interrogés en même temps ; il faudrait leur accord",
        "dice_have_fallen": "Des dés sont tombés depuis ; il faudrait l'accord des autres, et d'autres dés tomberaient",
        "nothing_is_asked": "Rien ne vous est demandé pour le moment",
        "campaign_went_on": "La campagne a continué après cette bataille ; rien n'y peut plus être annulé",
        "nothing_to_consent_to": "Personne ne vous a demandé d'annuler des réponses",
        "branch_when_over": "D'autres jouent ici ; une fois la bataille finie, rejouez à partir de tout moment",
        "dice_to_come": "La bataille n'est pas finie, et nul ne doit connaître ses dés ; rejouez avec de nouveaux dés",
        "branch_your_side": "La bataille n'est pas finie ; d'ici là, vous pouvez rejouer contre des bots : {side}",
    },
}


def spans(line: Line) -> list[Data]:
    """A sentence in pieces: text, and what it names where it names something."""
    told: list[Data] = []
    for span in line.spans:
        piece: Data = {"text": span.text}
        if span.kind:
            piece["kind"] = span.kind
        if span.ref:
            piece["ref"] = span.ref
        if span.side is not None:
            piece["side"] = span.side
        told.append(piece)
    return told


def refusal_line(voice: Voice, refusal: Refusal) -> Line:
    """Why not, whoever says so."""
    said = WHY[voice.lang].get(refusal.why)
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
