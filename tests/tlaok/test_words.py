"""Everything a battle tells and asks has words in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.decisions import Allocate, Decision
from oriflamme.engine.core.play import Play
from oriflamme.engine.words.sentences import LANGUAGES, sentences
from oriflamme.engine.words.text import Names, Voice
from oriflamme.games.tlaok.game import game
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.profile import CHARACTERISTICS, DRAW_EVENTS
from oriflamme.games.tlaok.rounds.actions import ACTIONS, CHARACTER_ACTIONS

# Ids are snake_case or camelCase; no sentence of ours is.
RAW = re.compile(r"[a-z0-9]+_[a-z0-9_]+|\b[a-z]+[A-Z]\w+")


def asked(voice: Voice, decision: Decision) -> Iterator[str]:
    """A question and everything that may be answered, as its side reads them."""
    yield voice.ask(decision).text
    for option in (*getattr(decision, "options", ()), *getattr(decision, "extra_options", ())):
        yield voice.option(decision, option).text
    if isinstance(decision, Allocate):
        for slot in decision.slots:
            yield voice.slot(decision, slot).text


@pytest.mark.parametrize("seed", [12, 13])
def test_a_whole_battle_is_told_without_a_raw_id(seed: int) -> None:
    play = Play(game, game.setup(seed, points=1000), seed, keep=False)
    names = Names(game, play.battle)
    voices = [Voice(game, names, lang) for lang in LANGUAGES]
    bots = [RandomBot(seed + side) for side in (0, 1)]
    raw: set[str] = set()
    told = 0
    while not play.over:
        decision = play.pending[0]
        for voice in voices:
            raw |= {text for text in asked(voice, decision) if RAW.search(text)}
        assert play.answer(decision.side, bots[decision.side].decide(None, decision)) is None
        names.learn(play.battle)
        for event in play.battle.log[told:]:
            raw |= {text for voice in voices if RAW.search(text := voice.event(event).text)}
        told = len(play.battle.log)

    assert raw == set()
    assert told > 200


@pytest.mark.parametrize(
    "ids", [{**ACTIONS, **CHARACTER_ACTIONS, "pass": None}, DRAW_EVENTS, dict.fromkeys(CHARACTERISTICS)]
)
def test_what_the_book_has_a_word_for_is_called_by_it(ids: dict[str, object]) -> None:
    for id in ids:
        english, french = (sentences("tlaok", lang).term(id) for lang in LANGUAGES)
        assert id not in (english, french)


def test_every_special_rule_has_a_french_name() -> None:
    french = sentences("tlaok", "fr")

    assert {kind.title for kind in book.declared.values()} <= set(french.terms)
