"""A scene that somebody has sent: what it looks like, what is asked, what a captain would do and what the odds are.

All of it is called in another process (`site.apart`): a scene may hold whatever somebody likes.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

from oriflamme.cases import analysis
from oriflamme.drawing.tags import unit_tags
from oriflamme.engine.cases.scene_battles import laid
from oriflamme.engine.core.decisions import Decision, Refused
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.games import load
from oriflamme.server.battles import Request, Word
from oriflamme.server.eye_aids import why_not_now
from oriflamme.server.scene import scene_of
from oriflamme.server.views import Views
from oriflamme.server.words import spans

Data = dict[str, Any]

LINES: Final = 60  # of the log that are told


class Position(Request):
    """A scene, the unit that acts in it first, and what was answered since: [side, answer] each."""

    scene: Annotated[Data, msgspec.Meta(max_length=8)]
    acts: Word = ""
    answers: Annotated[list[tuple[int, Any]], msgspec.Meta(max_length=analysis.MOST_ANSWERS)] = msgspec.field(
        default_factory=list
    )
    seed: Annotated[int, msgspec.Meta(ge=0, le=10**15)] = analysis.SEED


class AskPosition(Position):
    """What somebody wants to know of it: why a unit cannot do something, what a bot would do."""

    unit: Word = ""
    advice: bool = False
    bot: Word = ""


class AskStrike(Position):
    """The odds of an attack in it."""

    attacker: Word = ""
    defender: Word = ""
    charge: bool = False
    way: Word = ""


class WriteCase(Position):
    """A position as a case file."""

    title: Annotated[str, msgspec.Meta(max_length=200)] = ""


def looked_at(game_id: str, wanted: Position, lang: str) -> Data:
    """What the table of a scene shows, or what is wrong with the scene."""
    game = load(game_id)
    battle = laid(game.scenes(), wanted.scene, SeededDice(0))
    return {"scene": scene_of(game, battle, unit_tags(battle)), "measure": game.measure}


def asked_about(game_id: str, wanted: AskPosition, lang: str) -> Data:
    """A position: the table, what is asked of whom, why something cannot be done, and what a bot would do."""
    game = load(game_id)
    play = _play(game, wanted, lang)
    views = _views(game, play)
    data: Data = {
        "scene": scene_of(game, play.battle, views.tags),
        "measure": game.measure,
        "number": len(play.answers),
        "over": play.over,
        "asked": [_question(views, decision, lang) for decision in play.pending],
        "log": views.lines(_side(play), lang).since(0)[-LINES:],
        "dice": list(play.battle.dice.thrown),
    }
    if wanted.unit and play.pending:
        data["cannot"] = why_not_now(views, play.pending[0].side, lang, wanted.unit)
    if play.pending:
        data["odds"] = _helping(game, play, play.pending[0])
    if wanted.advice and play.pending:
        data["advice"] = _advice(views, play, wanted.bot, lang)
    return data


def strike_odds(game_id: str, wanted: AskStrike, lang: str) -> Data:
    """The odds of an attack as things stand."""
    game = load(game_id)
    play = _play(game, wanted, lang)
    for key, id in (("attacker", wanted.attacker), ("defender", wanted.defender)):
        if id not in play.battle.units:
            raise problem_with(key, notice("no_such", what="unit", word=id))
    try:
        answer = game.odds().at(play.battle, wanted.attacker, wanted.defender, charge=wanted.charge, way=wanted.way)
    except Refused as refused:
        return {"refusal": _refusal(_views(game, play), refused.refusal, _side(play), lang)}
    return {"odds": msgspec.json.decode(msgspec.json.encode(answer.data(), enc_hook=str))}


def written_case(game_id: str, wanted: WriteCase) -> Data:
    """A position as a case file that passes."""
    return {"text": analysis.case_of(_play(load(game_id), wanted, "en"), wanted.title), "file": "case.toml"}


# -- parts -------------------------------------------------------------------------------------------------------------


def _play(game: Game, wanted: Position, lang: str) -> Play:
    try:
        return analysis.play_of(game, wanted.scene, wanted.acts, wanted.answers, wanted.seed)
    except Refused as refused:
        play = analysis.play_of(game, wanted.scene, wanted.acts, (), wanted.seed)
        line = _refusal(_views(game, play), refused.refusal, _side(play), lang)
        text = "".join(piece["text"] for piece in line["words"])
        raise problem_with(
            "scene", notice("in_their_words", reason=text), where="answers", rule=refused.refusal.rule
        ) from None


def _views(game: Game, play: Play) -> Views:
    views = Views(game, play.again(keep=False).battle if not play.answers else play.battle, play)
    views.changed()
    return views


def _side(play: Play) -> int:
    return play.pending[0].side if play.pending else 0


def _question(views: Views, decision: Decision, lang: str) -> Data:
    data = views.decision(decision.side, lang)
    assert data is not None
    return data | {"suggestion": decision.suggestion()}


def _helping(game: Game, play: Play, decision: Decision) -> Data | None:
    table = game.odds().helping(play.view(decision.side).battle, decision)
    return table.data() if table is not None else None


def _refusal(views: Views, refusal: Refusal, side: int, lang: str) -> Data:
    return views.refusal(refusal, side, lang)


def _advice(views: Views, play: Play, bot: str, lang: str) -> Data:
    """What a bot would answer to the first question, in words where it is one of several options."""
    decision = play.pending[0]
    found = analysis.advice(play, decision, bot)
    voice = views.voice(decision.side, lang)
    keys = (
        [found.answer]
        if isinstance(found.answer, str)
        else list(found.answer)
        if isinstance(found.answer, tuple)
        else []
    )
    options = {option.key: option for option in getattr(decision, "options", ())}
    words = [spans(voice.option(decision, options[key])) for key in keys if isinstance(key, str) and key in options]
    return {"bot": found.bot, "answer": found.answer, "words": words, "because": found.reasons}
