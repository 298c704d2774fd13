"""Clients who mean no good, or do not know better: nothing changes, nothing breaks."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from tests.server.table import PATIENCE, Data, Guest, Player, Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from oriflamme.server.clients import CLIENTS

NONSENSE: list[Any] = [
    None, True, 0, -1, 1e300, "", "nobody", "\u0000", [], {}, [[]], {"a": 1}, ["x"] * 50, {"x": [[1, 2]]},
    {"x": [1e308, -1e308]}, [{"deep": [[[[]]]]}], "x" * 5000, {"__class__": "x"}, [None], {"": None},
]  # fmt: skip

MALFORMED = [
    "", "{", "null", "[]", "7", '"answer"', "{}", '{"type": 3}', '{"type": "seize"}', '{"type": "answer"}',
    '{"type": "answer", "number": -1, "answer": 0}', '{"type": "answer", "number": "1", "answer": 0}',
    '{"type": "answer", "number": 0, "answer": 0, "as": "admin"}', '{"type": "lang", "lang": "../../etc"}',
    '{"type": "ping", "id": {}}', '{"type": "undo", "to": 1e99}', "[" * 5000 + "]" * 5000,
    '{"type": "answer", "number": 0, "answer": ' + "[" * 3000 + "]" * 3000 + "}", "\udcff".encode(errors="replace"),
    b"\xff\xfe\x00", b'{"type": "ping"', '{"type": "unit", "unit": "' + "x" * 300 + '"}',
]  # fmt: skip


def stands(server: Server, battle: Data) -> Data:
    _, summary = server.call(f"/api/battles/{battle['id']}")
    return dict(summary)


def test_nonsense_is_refused_and_changes_nothing(server: Server) -> None:
    battle = server.new("aof")

    async def go() -> list[Data]:
        players = [Player(server, battle, seat) for seat in (0, 1)]
        await asyncio.wait_for(asyncio.gather(*(player.play(14) for player in players)), PATIENCE)
        player = next(p for p in players if p.now["decision"] is not None)
        before = stands(server, battle)
        said = [await player.answer(answer) for answer in NONSENSE]
        said += [await player.ask("try", number=player.now["number"], answer=answer) for answer in NONSENSE]
        for text in MALFORMED:
            await player.socket.send(text)
            said.append(await player.until("error"))
        assert stands(server, battle) == before
        assert (await player.ask("ping"))["type"] == "pong"
        return said

    said = asyncio.run(go())

    assert {one["type"] for one in said} <= {"refused", "tried", "error"}
    assert not any(one.get("ok") for one in said)
    assert [one["why"] for one in said if one["type"] == "error"] == ["not_understood"] * len(MALFORMED)


def test_a_huge_message_ends_only_its_own_connection(server: Server) -> None:
    battle = server.new("aof")

    async def go() -> None:
        loud, quiet = Player(server, battle, 0), Player(server, battle, 1)
        await loud.sit()
        await quiet.sit()
        await loud.socket.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            await loud.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert (await quiet.ask("ping"))["type"] == "pong"

    asyncio.run(go())
    status, told = server.call("/api/battles", b'{"game": "' + b"x" * 1_000_000 + b'"}')

    assert status == 422
    assert "longer" in told["problems"][0]["what"]


def test_a_flood_is_heard_slowly_and_others_are_not_held_up() -> None:
    server = Server("sqlite://", rate=50)
    try:
        battle = server.new("aof")

        async def go() -> list[int]:
            loud, quiet = Player(server, battle, 0), Player(server, battle, 1)
            await loud.sit()
            await quiet.sit()
            order: list[int] = []

            async def until(player: Player, last: int) -> None:
                while (heard := (await player.hear())["id"]) != last:
                    order.append(heard)
                order.append(last)

            for n in range(150):
                await loud.say("ping", id=n)
            await quiet.say("ping", id=-1)
            await asyncio.gather(until(loud, 149), until(quiet, -1))
            return order

        order = asyncio.run(go())
    finally:
        server.stop()

    assert [n for n in order if n >= 0] == list(range(150))
    assert order.index(-1) < 140


def test_who_does_not_read_is_cut_off_and_holds_up_nobody(server: Server) -> None:
    battle = server.new("sbh")

    async def go() -> int:
        quiet = await Player(server, battle, 1).sit()
        async with connect(server.url(battle, battle["seats"][0]["secret"]), max_queue=1, max_size=2**24) as deaf:
            for lang in ("en", "fr") * 1500:
                await deaf.send(json.dumps({"type": "lang", "lang": lang}))
                if lang == "fr":
                    await asyncio.sleep(0)
            for _ in range(20):
                assert (await quiet.ask("ping"))["type"] == "pong"
            with suppress(ConnectionClosed):
                while True:
                    await asyncio.wait_for(deaf.recv(), PATIENCE)
        assert (await quiet.ask("ping"))["type"] == "pong"
        return deaf.close_code or 0

    assert asyncio.run(go()) == 1013


def test_lines_that_are_cut_or_never_quite_open_take_no_place_at_the_table(server: Server) -> None:
    battle = server.new("sbh")
    path = f"/ws/{battle['id']}?seat={battle['seats'][0]['secret']}"
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
    ]
    shake = "\r\n".join(lines) + "\r\n"
    whole = f"{shake}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()

    async def go() -> list[Data]:
        half = []
        for start in (b"", b"GET /ws", shake.encode(), b"\x16\x03\x01\x02\x00", b"\x00" * 64) * 8:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(start)
            half.append(writer)
        for frame in (b"", b"\x81", b"\x81\xfe\xff", b"\xff\xff\xff\xff", b"\x81\x05plain") * 16:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(whole)
            assert b" 101 " in await asyncio.wait_for(reader.readline(), PATIENCE)
            writer.write(frame)
            writer.transport.abort()
        guests = [await Guest(server, battle, battle["spectator"]["secret"]).sit() for _ in range(CLIENTS)]
        async with connect(server.url(battle, battle["spectator"]["secret"])) as one_more:
            told = json.loads(await one_more.recv())
            with pytest.raises(ConnectionClosed) as closed:
                await one_more.recv()
        assert (told["why"], closed.value.rcvd.code if closed.value.rcvd else 0) == ("full", 1013)
        # A full table is no business of the others.
        elsewhere = await Guest(server, other, other["spectator"]["secret"]).sit()
        pongs = [await elsewhere.ask("ping"), await guests[0].ask("ping"), await guests[-1].ask("ping")]
        await guests.pop().leave()
        await asyncio.sleep(0.2)
        again = await Player(server, battle, 0).sit()
        for writer in half:
            writer.close()
        return [*pongs, await again.ask("ping")]

    other = server.new("aof")
    assert [one["type"] for one in asyncio.run(go())] == ["pong"] * 4


def test_everything_said_before_said_again_changes_nothing(server: Server) -> None:
    battle = server.new("aof")

    async def go() -> None:
        players = [Player(server, battle, seat) for seat in (0, 1)]
        await asyncio.wait_for(asyncio.gather(*(player.play(16) for player in players)), PATIENCE)
        await asyncio.gather(*(player.leave() for player in players))
        before = stands(server, battle)
        for mine, theirs in (players, players[::-1]):
            again = await Guest(server, battle, mine.secret).sit()
            for number, side, answer in (*mine.acknowledged, *theirs.acknowledged):
                for facts in ({}, {"side": side}, {"side": 1 - side}, {"number": 10**6}, {"epoch": 1}):
                    said = await again.answer(answer, **{"number": number, "epoch": 0} | facts)
                    assert said["type"] == "refused", said
                    assert said["refusal"]["why"] in ("answer_is_late", "not_your_side", "not_yours")
        assert stands(server, battle) == before

    asyncio.run(go())


def test_only_whose_turn_it_is_may_answer_and_only_once(server: Server) -> None:
    battle = server.new("sbh")

    async def go() -> None:
        players = [await Player(server, battle, seat).sit() for seat in (0, 1)]
        asked = next(p for p in players if p.now["decision"] is not None)
        other = next(p for p in players if p is not asked)
        assert isinstance(asked, Player)
        answer = asked.by_chance(asked.now["decision"])
        number = asked.now["number"]

        out_of_turn = await other.answer(answer)
        foreign = await other.answer(answer, side=asked.now["decision"]["side"])
        early = await asked.answer(answer, number=number + 1)
        wrong_epoch = await asked.answer(answer, epoch=3)
        before = stands(server, battle)["number"]
        first = await asked.answer(answer, number=number)
        again = await asked.answer(answer, number=number)

        assert out_of_turn["refusal"]["why"] == "not_yours"
        assert foreign["refusal"]["why"] == "not_your_side"
        assert early["refusal"]["why"] == wrong_epoch["refusal"]["why"] == "answer_is_late"
        assert before == number
        assert first["type"] == "ack"
        assert again["type"] == "refused"
        assert again["refusal"]["why"] == "answer_is_late"
        assert stands(server, battle)["number"] == number + 1

    asyncio.run(go())


def test_a_spectator_reads_and_cannot_act(server: Server) -> None:
    battle = server.new("aof")

    async def go() -> None:
        guest = await Guest(server, battle, battle["spectator"]["secret"]).sit()
        player = await Player(server, battle, guest.now["waiting"][0]).sit()
        answer = (await player.ask("suggest"))["answer"]
        number = player.now["number"]

        assert guest.now["decision"] is None
        for type, facts in (
            ("answer", {"number": number, "answer": answer, "side": 0}), ("undo", {}), ("consent", {"yes": True}),
            ("try", {"number": number, "answer": answer}), ("suggest", {}),
        ):  # fmt: skip
            said = await guest.ask(type, **facts)
            assert said["type"] == "refused", said
            assert said["refusal"]["why"] == "spectators_watch"
        await player.answer(answer)
        await guest.until("update")
        assert guest.now["number"] == number + 1
        unit = next(iter(guest.scene["units"]))["id"]
        assert (await guest.ask("unit", unit=unit))["unit"]["id"] == unit

    asyncio.run(go())
    status, _ = server.call(f"/api/battles/{battle['id']}/undo", {"seat": battle["spectator"]["secret"]})

    assert status == 409


def test_a_seat_opens_only_its_own_battle(server: Server) -> None:
    battle, other = server.new("aof"), server.new("aof")

    async def why(id: str, secret: str) -> str:
        async with connect(f"ws://127.0.0.1:{server.port}/ws/{id}?seat={secret}") as socket:
            return str(json.loads(await socket.recv())["why"])

    async def go() -> list[str]:
        secret = battle["seats"][0]["secret"]
        tries = [(other["id"], secret), (battle["id"], ""), (battle["id"], secret[:-1]), ("nowhere", secret)]
        return [await why(*one) for one in tries]

    assert asyncio.run(go()) == ["no_such_seat"] * 4
    assert server.call(f"/api/battles/{other['id']}/replay?seat={battle['seats'][0]['secret']}")[0] == 404


def test_a_page_from_elsewhere_is_turned_away(server: Server) -> None:
    battle = server.new("aof")
    url = server.url(battle, battle["seats"][0]["secret"])

    async def knock(origin: str) -> bool:
        try:
            async with connect(url, origin=origin):  # type: ignore[arg-type]
                return True
        except InvalidStatus:
            return False

    assert asyncio.run(knock(f"http://127.0.0.1:{server.port}"))
    assert not asyncio.run(knock("http://evil.example"))
    assert not asyncio.run(knock("null"))
    status, _ = server.call("/api/battles", {"game": "aof"}, {"Origin": "http://evil.example"})
    assert status == 403


def test_requests_that_make_no_sense_are_told_why(server: Server) -> None:
    def why(path: str, body: Any) -> tuple[int, str]:
        status, told = server.call(path, body)
        return status, json.dumps(told["problems"])

    for body in (
        b"", b"[]", b"\xff", {"game": "chess"}, {"game": "aof", "mode": "cheat"}, {"game": "aof", "map": "/etc/passwd"},
        {"game": "aof", "armies": ["/etc/passwd", "../x.toml"]}, {"game": "aof", "options": {"aof.no": "x"}},
        {"game": "sbh", "choices": {"scenario": "nope"}}, {"game": "aof", "bots": ["nobody"]}, {"game": "aof", "x": 1},
        {"game": "aof", "armies": [{"text": 'game = "aof"\narmy = "/etc/x.toml"'}]},
        {"game": "aof", "armies": [{"text": "not = [toml"}]}, {"game": "aof", "seed": -4}, {"game": "aof", "side": 3},
        {"game": "aof", "armies": [{"text": "{}", "format": "json"}]},
    ):  # fmt: skip
        status, told = why("/api/battles", body)
        assert status == 422, body
        assert told != "[]"
        assert "/tmp" not in told
    assert why("/api/army/check", {"game": "aof", "army": {"text": "units = 3"}})[0] == 422
    assert why("/api/odds", {"game": "aof", "attacker": "nobody", "defender": "none"})[0] == 422
    assert server.call("/api/battles/nope")[0] == 404
    assert server.call("/api/nothing")[0] == 404


def test_numbers_beyond_all_bounds_are_refused_like_any_other_mistake(server: Server) -> None:
    huge, wide = 10**30, "9" * 5000
    for path, body in (
        ("/api/odds", {"game": "sbh", "attacker": "lich", "defender": "zombie", "particulars": {"distance": huge}}),
        ("/api/odds", {"game": "sbh", "attacker": "lich", "defender": "zombie", "particulars": {"distance": 1e308}}),
        ("/api/battles", {"game": "aof", "points": huge}),
        ("/api/army/check", {"game": "aof", "army": {"text": f'game = "aof"\npoints = {huge}\nunits.a.b = 1'}}),
        ("/api/games/%00/picture", None), ("/api/maps/a%00b", None),
    ):  # fmt: skip
        assert server.call(path, body)[0] == 422, path
    assert server.call(f"/api/rules?most={wide}&q=charge")[0] == 200
    _, made = server.call("/api/campaigns", {"game": "sbh", "mode": "invite", "seed": 5})
    seat = made["seats"][0]["secret"]
    assert server.call(f"/api/campaigns/{made['id']}?seat={seat}&side={wide}")[0] == 200
    choice = {"seat": seat, "number": 0, "answer": {"x": [huge]}}
    assert server.call(f"/api/campaigns/{made['id']}/choose", choice)[0] == 422
    battle = server.new("aof")

    async def go() -> list[str]:
        player = next(p for p in [await Player(server, battle, seat).sit() for seat in (0, 1)] if p.now["decision"])
        said = []
        for type in ("answer", "try", "odds"):
            await player.say(type, number=0, answer={"objective 1": [huge, 0]})
            said.append((await player.until("error"))["why"])
        return said

    assert asyncio.run(go()) == ["not_understood"] * 3


def test_an_upload_that_breaks_off_is_nobodys_mistake(server: Server) -> None:
    async def go() -> None:
        for body in (b"", b'{"game"'):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = "POST /api/battles HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n"
            writer.write(head.encode() + body)
            await writer.drain()
            writer.close()

    asyncio.run(go())
    assert server.call("/api/health")[0] == 200
