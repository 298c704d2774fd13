"""Lists and bodies made to choke a parser: each is refused, and nobody at a table notices."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.engine.test_limits import MONSTERS
from tests.server.table import MAIN, Player, Server

# A server, and everything it starts, that cannot grow by more than this.
LIMITED = f"from oriflamme.server.workers import limit_memory; limit_memory(900 * 2**20); {MAIN}"
GAMES = ("aof", "sbh", "tlaok")
LONGEST = 190_000  # characters: the whole request is read, and only then is the list looked at
TEXTS = {name: f"points = 750\n{text}" for name, text in MONSTERS.items() if len(text) <= LONGEST} | {
    "99,000 parts": "a" + ".a" * 94_000 + " = 1",
    "a table in a table": "a = " + "{ a = " * 30_000,
}
JSON = {
    "a deep list": "[" * 94_000,
    "a deep table": '{"a":' * 30_000,
    "one that ends": '{"units":' + "[" * 900 + "]" * 900 + "}",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server("sqlite://", main=LIMITED)
    yield running
    running.stop()


def bodies(game: str, text: str, format: str) -> dict[str, Any]:
    """Every request that takes a list, with this one."""
    army = {"text": text, "format": format}
    return {
        "/api/battles": {"game": game, "armies": [army]},
        "/api/campaigns": {"game": "sbh", "armies": [army]},
        "/api/army/check": {"game": game, "army": army},
        f"/api/muster/{game}/import": {"text": text},
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", TEXTS)
def test_a_monster_of_a_list_is_refused_wherever_it_is_sent(server: Server, game: str, name: str) -> None:
    for path, body in bodies(game, TEXTS[name], "toml").items():
        status, told = server.call(path, body)
        assert status == 422, path
        [problem] = told["problems"]
        assert problem["what"].startswith(("nested more than", "more than")), (path, problem)
        assert problem["where"].startswith("line ")
        assert problem["hint"]
        assert problem["rule"] is None
    assert server.call("/api/health")[0] == 200


@pytest.mark.parametrize("name", JSON)
def test_a_monster_of_json_is_refused_wherever_it_is_sent(server: Server, name: str) -> None:
    for path, body in bodies("aof", JSON[name], "json").items():
        status, told = server.call(path, body)
        assert status == 422, path
        assert "nested more than" in told["problems"][0]["what"], (path, told)
    assert server.call("/api/health")[0] == 200


POSTS = (
    "/api/battles", "/api/campaigns", "/api/army/check", "/api/odds", "/api/muster/aof/draft", "/api/muster/aof/export",
    "/api/muster/aof/import", "/api/muster/aof/invent", "/api/battles/x/share", "/api/battles/x/branch",
    "/api/battles/x/undo", "/api/battles/x/consent", "/api/campaigns/x/choose", "/api/campaigns/x/back",
    "/api/campaigns/x/fight",
)  # fmt: skip


@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_is_a_monster_is_refused(server: Server, path: str) -> None:
    for key in ("answer", "profile", "draft", "army", "x"):
        for value in ("[" * 90_000, "[" * 40 + "]" * 40, '{"a":' * 40 + "1" + "}" * 40):
            status, told = server.call(path, f'{{"{key}": {value}}}'.encode())
            assert status == 422
            assert told["problems"][0]["what"].startswith("nested more than")


def test_a_message_that_is_a_monster_is_not_understood(server: Server) -> None:
    battle = server.new("sbh")

    async def go() -> None:
        player = await Player(server, battle, 0).sit()
        await player.socket.send('{"type": "try", "number": 0, "answer": ' + "[" * 40 + "]" * 40 + "}")
        said = await player.until("error")
        assert (said["why"], said["what"][:16]) == ("not_understood", "nested more than")
        assert (await player.ask("ping"))["type"] == "pong"

    asyncio.run(go())


def entries(game: str, number: int) -> str:
    """A list of so many entries that says nothing else wrong."""
    match game:
        case "aof":
            return 'game = "aof"\narmy = "kiln_clans"\npoints = 9000\n' + '[[units]]\nunit = "stokers"\n' * number
        case "sbh":
            return 'game = "sbh"\npoints = 9000\n' + '[[fighters]]\nfighter = "ratman-warrior"\n' * number
        case _:
            head = 'game = "tlaok"\narmy = "salt_crown"\npoints = 9000\n'
            return head + '[[warbands]]\ncharacter = "nobody"\n' * number


@pytest.mark.parametrize("game", GAMES)
def test_a_list_has_a_bound_on_its_entries(server: Server, game: str) -> None:
    for number in (101, 3500):
        status, told = server.call("/api/army/check", {"game": game, "army": {"text": entries(game, number)}})
        assert status == 422
        [problem] = [one for one in told["problems"] if "at most 100 are read" in one["what"]]
        assert problem["what"].startswith(str(number))
        assert (problem["rule"], bool(problem["hint"])) == (None, True)
        assert len(told["problems"]) <= 201
    _, told = server.call("/api/army/check", {"game": game, "army": {"text": entries(game, 100)}})
    assert "are read" not in json.dumps(told)


def test_fighters_are_counted_however_few_lines_they_take(server: Server) -> None:
    text = 'game = "sbh"\npoints = 90000\n' + '[[fighters]]\nfighter = "ratman-warrior"\ncount = 100\n' * 100
    _, told = server.call("/api/army/check", {"game": "sbh", "army": {"text": text}})

    assert "10000 fighters; at most 500" in [one["what"] for one in told["problems"]]


def test_tables_are_played_at_while_a_monster_of_a_list_is_checked(server: Server) -> None:
    """Thousands of mistakes, each with a guess at what was meant: the check takes many times as long as an answer."""
    battle = server.new("sbh")
    text = 'game = "aof"\n' + "\n".join(f"unitsx{n} = 1" for n in range(13_000))
    heavy = {
        "/api/muster/aof/import": {"text": text},
        "/api/army/check": {"game": "aof", "army": {"text": text}},
        "/api/battles": {"game": "aof", "armies": [{"text": text}]},
    }

    async def go(path: str) -> int:
        player = await Player(server, battle, 0).sit()
        checking = asyncio.create_task(asyncio.to_thread(server.call, path, heavy[path]))
        answered = 0
        while not checking.done():
            assert (await player.ask("ping"))["type"] == "pong"
            answered += 1
        await player.leave()
        status, _ = await checking
        assert status in (200, 422)
        return answered

    for path in heavy:
        assert asyncio.run(go(path)) > 20, path
