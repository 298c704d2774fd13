"""What is sent is what the types of messages say, and the pages have these types."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from tests.server.table import Player, Server
from tools import messages

from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.decisions import Move
from oriflamme.engine.core.play import Play
from oriflamme.games import ids, load
from oriflamme.server import sent
from oriflamme.server.clients import encode
from oriflamme.server.eye_aids import aids_for, costs_of
from oriflamme.server.views import Views

HEARD = {"hello": sent.Hello, "update": sent.Update}


def arrived(data: Any) -> Any:
    return msgspec.json.decode(encode(data))


def test_the_pages_have_the_types_of_all_messages() -> None:
    assert messages.FILE.read_text(encoding="utf-8") == messages.text(), "run python tools/messages.py"


@pytest.mark.parametrize("game", ids())
def test_all_that_is_sent_over_a_battle_is_in_the_types(game: str) -> None:
    game_of = load(game)
    play = Play(game_of, game_of.setup(11), 11, keep=False)
    views, bot = Views(game_of, play.battle, play), RandomBot(11)
    kinds: set[str] = set()

    while play.pending and len(play.answers) < 80:
        decision = play.pending[0]
        side = decision.side
        views.changed()
        data = arrived(views.decision(side, "en"))
        msgspec.convert(data, sent.Decision)
        kinds.add(data["kind"])
        msgspec.convert(arrived(aids_for(views, side, "fr", threats=False)), list[sent.Aid])
        refused = play.answer(side, {"nobody": 1})
        assert refused is not None
        msgspec.convert(arrived(views.refusal(refused, side, "en")), sent.Refusal)
        answer = bot.decide(None, decision)
        if isinstance(decision, Move):
            msgspec.convert(arrived(costs_of(views, side, "en", decision.accept(answer))), list[sent.Cost])
        assert play.answer(side, answer) is None

    views.changed()
    msgspec.convert(arrived(views.lines(0, "en").since(0)), list[sent.Line])
    for side in (-1, 0, 1):
        msgspec.convert(arrived(views.scene(side).data()), sent.Scene)
    assert len(kinds) > 1


def test_a_player_hears_what_the_types_say(server: Server) -> None:
    made = server.new("sbh", "bot")
    player = Player(server, made)

    asyncio.run(player.play(8))

    for text in player.heard:
        kind = HEARD.get(msgspec.json.decode(text)["type"])
        if kind is not None:
            msgspec.json.decode(text, type=kind)
    assert player.hellos == 1
