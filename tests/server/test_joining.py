"""Bots that join a battle on a server by the link of a seat: they play it to its end, whatever becomes of the line."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.table import MAIN, PATIENCE, Data, Guest, Player, Server

from oriflamme.bots.own import maker_of
from oriflamme.cli import run
from oriflamme.engine.core.bots import BaseBot, Bot
from oriflamme.engine.core.game import Game
from oriflamme.engine.words.problems import Problems
from oriflamme.lab import joining
from oriflamme.lab.joining import Ended, join, link_from
from oriflamme.server.store import Store

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The bot of docs/bots.md in a file of its own."""
    (block,) = re.findall(r"```python\n# my_bot\.py\n(.*?)```", (DOCS / "bots.md").read_text("utf-8"), re.DOTALL)
    path = tmp_path / "my_bot.py"
    path.write_text(block, encoding="utf-8")
    return path


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    running = Server(f"sqlite:///{tmp_path}/battles.sqlite")
    yield running
    running.stop()


def link(server: Server, battle: Data, seat: int = 0) -> str:
    return f"http://127.0.0.1:{server.port}{battle['seats'][seat]['link']}"


def stored(server: Server, battle: Data) -> list[int]:
    """Whose each stored answer is."""
    store = Store(server.database)
    try:
        return [one.side for one in store.answers(battle["id"])]
    finally:
        store.close()


def typed(*words: str) -> subprocess.CompletedProcess[str]:
    """`oriflamme join …` as somebody types it."""
    command = [sys.executable, "-c", MAIN, "join", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_the_bot_of_the_documents_plays_a_seat_against_a_bot_of_the_server(server: Server, file: Path) -> None:
    battle = server.new("sbh", "bot", bots=["random"], points=100)

    said = typed(link(server, battle), "--bot", f"{file}:Brash", "--seed", "3", "--lang", "fr")

    assert (said.returncode, said.stderr) == (0, "")
    summary = server.call(f"/api/battles/{battle['id']}")[1]
    assert summary["over"]
    assert summary["result"]["words"]["fr"] in said.stdout
    assert f"Le bot a donné {stored(server, battle).count(0)} réponses".lower() in said.stdout.lower()


class Counting(BaseBot):
    """Plays as another bot does, and does something before its twentieth answer."""

    def __init__(self, bot: Bot, then: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.bot, self.then, self.decided = bot, then, 0

    def decide(self, view: Any, decision: Any) -> Any:
        self.decided += 1
        if self.decided == 20:
            self.then()
        return self.bot.decide(view, decision)


def test_two_bots_join_and_go_on_after_the_server_was_killed(own_server: Server, file: Path) -> None:
    battle = own_server.new("aof", "invite", points=750)
    told: list[str] = []

    def again() -> None:
        own_server.kill()
        own_server.start()

    bots: dict[int, Counting] = {}

    def seat(then: Callable[[], None], name: str, game: Game, side: int) -> Bot:
        bots[side] = Counting(maker_of(game, name)(seed=side), then)
        return bots[side]

    def sit(side: int, name: str, then: Callable[[], None] = lambda: None) -> Ended:
        tell = lambda what, **facts: told.append(what)  # noqa: E731
        return join(link_from(link(own_server, battle, side)), partial(seat, then, name), patience=PATIENCE, tell=tell)

    with ThreadPoolExecutor(2) as two:
        playing = [two.submit(sit, 0, f"{file}:Brash", again), two.submit(sit, 1, "captain")]
        ended = [one.result() for one in playing]

    assert [one.sides for one in ended] == [(0,), (1,)]
    assert (ended[0].winners, ended[0].score) == (ended[1].winners, ended[1].score)
    assert told.count("joined") == 2
    assert told.count("lost") >= 1
    # Each bot was asked each of its questions once, and each of its answers is there once.
    sides = stored(own_server, battle)
    assert [bots[side].decided for side in (0, 1)] == [sides.count(side) for side in (0, 1)]


class Nonsense(BaseBot):
    """Gives an answer that nobody allows."""

    def decide(self, view: Any, decision: Any) -> Any:
        return "nonsense"


def why(server: Server, battle: Data, bot: BaseBot, seat: int = 0) -> str:
    with pytest.raises(Problems) as raised:
        join(link_from(link(server, battle, seat)), lambda game, side: bot, patience=PATIENCE)
    return str(raised.value)


def test_an_answer_that_the_rules_refuse_ends_it_with_the_rule(server: Server) -> None:
    said = why(server, server.new("sbh", "bot", points=100), Nonsense())

    assert "Nonsense: answered " in said
    assert re.search(r"refuse: .+ \(SBH-[A-Z]+-\d+\)", said), said


def test_a_seat_that_somebody_else_plays_is_left_to_him(server: Server) -> None:
    battle = server.new("sbh", "bot", points=100)

    class Slow(BaseBot):
        """While it thinks, somebody answers at the page that is open with the same link."""

        def decide(self, view: Any, decision: Any) -> Any:
            asyncio.run(self.page())
            return decision.suggestion()

        async def page(self) -> None:
            player = Player(server, battle)
            await player.sit()
            await player._decide(player.now["decision"])
            await player.leave()

    assert "somebody else plays this seat" in why(server, battle, Slow())


def test_what_is_no_open_seat_is_said_so_without_a_traceback(
    server: Server, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    battle = server.new("sbh", "bot", points=100)
    good, here = link(server, battle), f"http://127.0.0.1:{server.port}"
    file.write_text(
        f"{file.read_text('utf-8')}\n\nclass Bad(Brash):\n    def decide(self, view, decision):\n        1 / 0\n"
    )
    for words, said in (
        (["nonsense"], "not a link of a battle"),
        (["http://[/play/x?seat=y"], "not a link of a battle"),
        ([f"{here}/play/{battle['id']}"], "has no seat in it"),
        ([f"{here}{battle['spectator']['link']}"], "not for playing"),
        ([f"{here}/play/{battle['id']}?seat={battle['spectator']['secret']}"], "not for playing"),
        ([f"{good}x"], "opens no seat"),
        ([good.replace(battle["id"], "no-such-battle")], "opens no seat"),
        (["http://127.0.0.1:9/play/abc?seat=x"], "no server answers at 127.0.0.1:9"),
        ([good, "--bot", "captian"], 'did you mean "captain"'),
        ([good, "--bot", f"{file}:Bad"], "ZeroDivisionError"),
        ([good, "--bot", "no_file.py:Bot"], "no such file"),
    ):
        assert run(["join", *words]) == 1, words
        printed = capsys.readouterr().err
        assert said in printed
        assert "Traceback" not in printed
        assert battle["seats"][0]["secret"] not in printed


class Line:
    """A line on which everything is heard that is said."""

    def __init__(self) -> None:
        self.said: list[Data] = []

    def send(self, text: str) -> None:
        self.said.append(msgspec.json.decode(text))


def now(**more: Any) -> Data:
    """How a battle stands in which nothing is asked."""
    return {"type": "update", "number": 3, "epoch": 0, "over": False, "undo": None, "decision": None} | more


def test_a_bot_lets_others_take_back_and_pause_and_answers_anew() -> None:
    line: Any = Line()
    made = link_from("https://club.example/table/play/abc?seat=xyz")
    guest = joining.Guest(made, lambda game, side: BaseBot(), "en", 1.0, lambda what, **facts: None)
    hello = now(type="hello", game="sbh", you={"sides": [0], "spectator": False})

    for message in (
        hello,
        now(undo={"by": 1, "to": 2, "yes": []}),
        now(undo={"by": 1, "to": 2, "yes": [0]}),
        {"type": "clock", "claims": [], "wish": {"by": 1, "yes": []}},
        {"type": "clock", "claims": [], "wish": {"by": 0, "yes": []}},
        now(decision={"side": 0, "ask": "act"}),
        now(decision={"side": 0, "ask": "act"}),
        {"type": "error", "why": "busy"},
        hello | {"epoch": 1, "decision": {"side": 0, "ask": "act"}},
    ):
        assert guest.hear(line, message) is None

    asked = {"type": "seen", "side": 0}
    assert made.url("fr") == "wss://club.example/table/ws/abc?seat=xyz&lang=fr"
    assert line.said == [{"type": "consent", "yes": True}, {"type": "pause", "yes": True}, asked, asked, asked]


def test_only_who_is_asked_is_told_what_a_bot_takes_to_play_on(server: Server) -> None:
    battle = server.new("tlaok", "invite", points=1000)

    async def go() -> list[Data]:
        heard = []
        for secret in (*(seat["secret"] for seat in battle["seats"]), battle["spectator"]["secret"]):
            guest = await Guest(server, battle, secret).sit()
            heard += [await guest.ask("seen"), await guest.ask("seen", side=0)]
            await guest.leave()
        return heard

    told = [one.get("view", {}).get("side", one.get("refusal", {}).get("why")) for one in asyncio.run(go())]

    # Dice say who is asked first.
    (asked,) = server.call(f"/api/battles/{battle['id']}")[1]["waiting"]
    first, second = (0, "not_yours") if asked == 0 else ("not_yours", 1)
    assert told == [first, first, second, "not_your_side", "spectators_watch", "spectators_watch"]
