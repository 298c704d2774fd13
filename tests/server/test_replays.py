"""A battle looked at again: what might have been, links to share, a page to keep, and luck."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import sqlite3
from pathlib import Path

import pytest
from tests.server.table import Data, Guest, Player, Server

from oriflamme.engine.core import save as saves
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.server import film
from oriflamme.server.store import Store


def _watched(server: Server, game: str = "sbh", **more: object) -> tuple[Data, Guest]:
    """A battle of bots, to its end."""
    battle = server.new(game, "watch", bots=["random", "random"], pace=0, choices={"turns": "20"}, **more)

    async def finish() -> Guest:
        guest = await Guest(server, battle, battle["spectator"]["secret"]).sit()
        while not guest.now["over"]:
            await guest.hear()
        return guest

    return battle, asyncio.run(finish())


@pytest.fixture(scope="module")
def over(server: Server) -> tuple[Data, Guest]:
    return _watched(server)


def _branch(server: Server, battle: Data, **wanted: object) -> tuple[int, Data]:
    return server.call(f"/api/battles/{battle['id']}/branch", wanted)


def _to_the_end(server: Server, made: Data) -> Guest:
    async def finish() -> Guest:
        guest = await Guest(server, made, made["spectator"]["secret"]).sit()
        while not guest.now["over"]:
            await guest.hear()
        return guest

    return asyncio.run(finish())


def _saved(server: Server, made: Data, path: Path) -> Data:
    status, content = server.call(f"/api/battles/{made['id']}/save?seat={made['spectator']['secret']}")
    assert status == 200
    path.write_bytes(content)
    header: Data = json.loads(content.split(b"\n")[0])
    return header


@pytest.mark.parametrize("dice", ["same", "new"])
def test_what_might_have_been_is_a_battle_whose_save_can_be_checked(
    server: Server, over: tuple[Data, Guest], dice: str, tmp_path: Path
) -> None:
    battle, guest = over
    number = next(line["n"] for line in guest.log if line["n"] > 30 and "luck" in line)
    first = _saved(server, battle, tmp_path / "first.save")

    status, made = _branch(
        server, battle, seat=guest.secret, number=number, dice=dice, mode="watch", bots=["random", "random"], pace=0
    )
    assert status == 201
    ended = _to_the_end(server, made)
    header = _saved(server, made, tmp_path / "branch.save")

    report = saves.verify(tmp_path / "branch.save", load)
    assert report.over
    fell = first["dice"] + [
        face
        for line in (tmp_path / "first.save").read_bytes().split(b"\n")[1 : number + 1]
        for face in json.loads(line)["dice"]
    ]
    assert header["given"] == (fell if dice == "new" else [])
    assert (header["seed"] == first["seed"]) == (dice == "same")
    told = ended.now
    assert hashlib.sha256(f"{told['salt']}:{told['seed']}".encode()).hexdigest() == made["seed_hash"]
    assert str(header["seed"]) == told["seed"]
    same = [line["event"] for line in guest.log if line["n"] <= number]
    assert [line["event"] for line in ended.log][: len(same)] == same


def test_given_dice_that_were_changed_are_noticed(server: Server, over: tuple[Data, Guest], tmp_path: Path) -> None:
    battle, guest = over
    _, made = _branch(server, battle, seat=guest.secret, number=60, mode="watch", bots=["random", "random"], pace=0)
    _to_the_end(server, made)
    _saved(server, made, tmp_path / "a.save")
    lines = (tmp_path / "a.save").read_bytes().split(b"\n")
    header = json.loads(lines[0])
    header["given"][5] = 7 - header["given"][5]
    (tmp_path / "b.save").write_bytes(b"\n".join([json.dumps(header).encode(), *lines[1:]]))
    header["given"][5] = 9
    (tmp_path / "c.save").write_bytes(b"\n".join([json.dumps(header).encode(), *lines[1:]]))

    with pytest.raises(saves.Problems, match="dice"):
        saves.verify(tmp_path / "b.save", load)
    with pytest.raises(saves.Problems, match="given"):
        saves.verify(tmp_path / "c.save", load)


def test_a_battle_against_bots_is_branched_with_new_dice_and_what_is_hidden_stays_so(server: Server) -> None:
    battle = server.new("sbh", "bot", bots=["random"], choices={"scenario": "ambush"})
    seat = battle["seats"][0]["secret"]

    async def some() -> None:
        player = await Player(server, battle).sit()
        while player.now["number"] < 14:
            if player.now["decision"] is None:
                await player.hear()
            else:
                await player._decide(player.now["decision"])

    asyncio.run(some())
    spectator = battle["spectator"]["secret"]
    wanted = {"seat": seat, "number": 10, "side": 0, "mode": "bot", "bots": ["random"]}

    same = _branch(server, battle, **wanted, dice="same")
    watched = _branch(server, battle, **wanted | {"mode": "watch"})
    other = _branch(server, battle, **wanted | {"side": 1})
    by_spectator = _branch(server, battle, **wanted | {"seat": spectator})
    late = _branch(server, battle, **wanted | {"number": 1000})
    status, made = _branch(server, battle, **wanted)

    assert [got[0] for got in (same, watched, other, by_spectator, late, (status, made))] == [
        409,
        409,
        409,
        409,
        422,
        201,
    ]
    assert same[1]["refusal"]["why"] == "dice_to_come"
    assert watched[1]["refusal"]["why"] == other[1]["refusal"]["why"] == "branch_your_side"
    assert "{" not in json.dumps(watched[1]["refusal"]["words"][0]["text"])
    assert by_spectator[1]["refusal"]["why"] == "branch_when_over"
    store = Store(server.database)
    first, second = store.get(battle["id"]), store.get(made["id"])
    assert first is not None
    assert second is not None
    assert second.seed != first.seed
    assert second.parent == first.id

    # Even when the branch is over the hidden things of the battle that goes on are not told.
    async def concede() -> Guest:
        player = await Player(server, made).sit()
        while not player.now["over"]:
            asked = player.now["decision"]
            if asked is None:
                await player.hear()
                continue
            ways_out = [o["key"] for o in asked.get("besides", []) if "concede" in o["key"]]
            if ways_out:
                await player.answer(ways_out[0])
            else:
                await player._decide(asked)
        return player

    asyncio.run(concede())
    mine = made["seats"][0]["secret"]
    _, replay = server.call(f"/api/battles/{made['id']}/replay?seat={mine}&scenes=1")
    assert replay["over"]
    assert not replay["open"]
    assert not any("answer" in one for one in replay["answers"])
    assert server.call(f"/api/battles/{made['id']}/save?seat={mine}")[0] == 409
    assert str(first.seed) not in json.dumps(replay)


def test_nobody_goes_on_with_an_answer_that_was_given_in_secret(server: Server) -> None:
    armies = ["antlered_assize_750_court_in_session", "antlered_assize_750_hot_pursuit"]
    battle = server.new("aof", "watch", bots=["random", "random"], pace=0, armies=armies)
    guest = _to_the_end(server, battle)
    store = Store(server.database)
    record = store.get(battle["id"])
    assert record is not None
    play = Play(load("aof"), json.loads(record.setup), record.seed, keep=False)
    play.replay((kept.side, json.loads(kept.answer)) for kept in store.answers(record.id))
    half = max(play.halves)

    status, made = _branch(server, battle, seat=guest.secret, number=half)

    branch = store.get(made["id"])
    assert status == 201
    assert branch is not None
    assert branch.answers == half - 1


def test_between_people_a_battle_is_branched_only_when_it_is_over(server: Server) -> None:
    battle = server.new("aof", "invite")

    status, told = _branch(server, battle, seat=battle["seats"][0]["secret"], number=0)

    assert status == 409
    assert told["refusal"]["why"] == "branch_when_over"
    assert server.call(f"/api/battles/{battle['id']}/replay?seat={battle['seats'][0]['secret']}")[1]["branch"] == []


def test_a_shared_link_shows_the_replay_and_cannot_act(server: Server) -> None:
    battle = server.new("aof", "hotseat")

    status, shared = server.call(f"/api/battles/{battle['id']}/share", {"seat": battle["seats"][0]["secret"]})
    stranger = server.call(f"/api/battles/{battle['id']}/share", {"seat": "nobody"})[0]
    replay = server.call(f"/api/battles/{battle['id']}/replay?seat={shared['secret']}&scenes=1")

    async def act() -> Data:
        guest = await Guest(server, battle, shared["secret"]).sit()
        return await guest.answer("hold")

    assert (status, stranger, replay[0]) == (201, 404, 200)
    assert shared["link"] == f"/replay/{battle['id']}?seat={shared['secret']}"
    assert replay[1]["you"] == {"sides": [], "spectator": True}
    assert asyncio.run(act())["refusal"]["why"] == "spectators_watch"


def test_every_roll_in_the_log_says_how_lucky_it_was(over: tuple[Data, Guest]) -> None:
    _, guest = over
    lucky = [line for line in guest.log if "luck" in line]

    assert lucky
    for line in lucky:
        for side, kind, dice, got, expected, variance in line["luck"]:
            assert side in (0, 1)
            assert kind in ("attack", "defence", "nerve", "activation", "magic", "other")
            assert 0 <= expected <= max(1, dice)
            assert 0 <= got <= max(1, dice)
            assert variance >= 0
    for line in lucky:
        if line["event"]["event"] == "Fought":
            mine, theirs = line["luck"][:2]
            assert mine[4] + theirs[4] == pytest.approx(1, abs=1e-5)


def test_the_exported_page_is_one_file_and_no_name_can_break_out_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "film.js").write_text('const a = "</script>", b = "<!--"', encoding="utf-8")
    (tmp_path / "film.css").write_text("p{}", encoding="utf-8")
    monkeypatch.setattr(film, "BUNDLE", tmp_path)
    evil = "</script><script>alert(1)</script><!--"
    data = {"armies": [{"en": evil}, None], "log": [{"words": [{"text": evil}]}]}

    page = film.standalone(data, "en").decode()

    assert page.count("</script") == 2
    assert page.count("<script") == 2
    assert "<!--" not in page
    assert "alert(1)" in page
    told = re.search(r'<script type="application/json" id="film">(.*?)</script>', page, re.S)
    assert told is not None
    assert json.loads(told[1]) == data | {"lang": "en"}


def test_a_database_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    Store(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as old:
        for column in ("given", "parent", "seeds", "analysis"):
            old.execute(f"ALTER TABLE battles DROP COLUMN {column}")

    Store(f"sqlite:///{path}").close()

    with sqlite3.connect(path) as now:
        known = {row[1] for row in now.execute("PRAGMA table_info(battles)")}
    assert {"given", "parent", "seeds", "analysis"} <= known
