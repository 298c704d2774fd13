"""What the server itself refuses, in words. Refusals of the rules have theirs with the rules."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.events import Refusal
from oriflamme.engine.text import Line, Span, Voice

WHY: Final = {
    "en": {
        "spectators_watch": "Spectators watch; this link has no seat at the table",
        "not_your_side": "You do not play {side}",
        "no_such_unit": "No such unit is to be seen",
        "nothing_to_take_back": "There is no answer of yours to take back",
        "not_your_answer": "That answer is not yours",
        "others_have_answered": "Others have answered since; they would have to agree",
        "dice_have_fallen": "Dice have fallen since; the others would have to agree",
        "something_was_revealed": "Something hidden has come to light since; the others would have to agree",
        "nothing_to_consent_to": "Nobody has asked you to let them take answers back",
    },
    "fr": {
        "spectators_watch": "Les spectateurs regardent ; ce lien n'a pas de place à la table",
        "not_your_side": "Vous ne jouez pas : {side}",
        "no_such_unit": "Aucune unité de ce nom n'est visible",
        "nothing_to_take_back": "Vous n'avez aucune réponse à reprendre",
        "not_your_answer": "Cette réponse n'est pas la vôtre",
        "others_have_answered": "D'autres ont répondu depuis ; il faudrait leur accord",
        "dice_have_fallen": "Des dés sont tombés depuis ; il faudrait l'accord des autres",
        "something_was_revealed": "Un secret a été dévoilé depuis ; il faudrait l'accord des autres",
        "nothing_to_consent_to": "Personne ne vous a demandé de reprendre des réponses",
    },
}


def refusal_line(voice: Voice, refusal: Refusal) -> Line:
    """Why not, whoever says so."""
    said = WHY[voice.lang].get(refusal.why)
    if said is None:
        return voice.refusal(refusal)
    side = refusal.facts.get("side")
    return Line((Span(said.format(side=voice.side(side) if isinstance(side, int) else "")),), refusal.rule)
