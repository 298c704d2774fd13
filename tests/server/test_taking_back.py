"""Taking back gives nobody what he did not have: no end, no secret, no die is known before it is played for."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.server.table import PATIENCE, Guest, Player, Server

from oriflamme.engine.core.play import Play
from oriflamme.engine.core.save import read, verify
from oriflamme.games import load
from oriflamme.server.store import Record, Store


def record_of(server: Server, id: str) -> Record:
    found = Store(server.database).get(id)
    assert found is not None
    return found


def stored(server: Server, id: str) -> Play:
    """The battle as its record has it, played again."""
    record = record_of(server, id)
    play = Play(load(record.game), json.loads(record.setup), record.seed, **record.dice)
    play.replay((kept.side, json.loads(kept.answer)) for kept in Store(server.database).answers(id))
    return play


async def play_until(player: Player, enough: Callable[[], bool]) -> None:
    while not enough() and not player.now["over"]:
        if player.now["decision"] is None:
            await player.hear()
        else:
            await player._decide(player.now["decision"])


def _is_past(player: Player, number: int) -> bool:
    return bool(player.now["number"] > number and player.now["decision"] is not None)


async def concede(player: Player) -> None:
    while not player.now["over"]:
        asked = player.now["decision"]
        if asked is None:
            await player.hear()
        elif any(option["key"] == "concede" for option in asked.get("besides", ())):
            assert (await player.answer("concede"))["type"] == "ack"
        else:
            await player._decide(asked)


async def back_past_dice(server: Server, player: Player) -> tuple[Play, int]:
    """Play on until dice have fallen since an answer of his, and take that back; the battle as it was, and how far."""
    while not player.now["over"]:
        play = stored(server, player.battle["id"])
        numbers = [n for n, _, _ in player.acknowledged if n < len(play.answers)]
        fallen = [n for n in numbers if play.marks[n][2] < play.marks[-1][2]]
        if fallen and (await player.ask("undo", to=fallen[-1], anyway=True))["type"] == "ack":
            player.acknowledged = [one for one in player.acknowledged if one[0] < fallen[-1]]
            return play, fallen[-1]
        number = player.now["number"]
        await play_until(player, partial(_is_past, player, number))
    raise AssertionError("the battle ended")


@pytest.mark.parametrize("game", ["aof", "sbh", "tlaok"])
@pytest.mark.parametrize("mode", ["bot", "hotseat", "invite"])
def test_who_concedes_has_conceded(server: Server, game: str, mode: str) -> None:
    battle = server.new(game, mode, **({"bots": ["random"]} if mode == "bot" else {}))

    async def go() -> None:
        players = [await Player(server, battle, seat).sit() for seat in range(len(battle["seats"]))]
        first = players[0]
        assert isinstance(first, Player)
        # In some games one may give up only when something is asked; the others play until then.
        others = [asyncio.create_task(one.play()) for one in players[1:] if isinstance(one, Player)]
        await concede(first)
        await asyncio.gather(*others)
        assert first.now["seed"]
        for to in (None, 0, 1, first.now["number"] - 1):
            for anyway in (False, True):
                said = await first.ask("undo", anyway=anyway, **({} if to is None else {"to": to}))
                assert said["type"] == "refused", said
                assert said["refusal"]["why"] in ("ended_for_good", "not_your_answer", "nothing_to_take_back")
        assert (await first.ask("undo", anyway=True))["refusal"]["why"] == "ended_for_good"
        status, told = server.call(
            f"/api/battles/{battle['id']}/undo?lang=fr", {"seat": battle["seats"][0]["secret"], "anyway": True}
        )
        assert (status, told["refusal"]["why"]) == (409, "ended_for_good")
        assert "bataille" in told["refusal"]["words"][0]["text"]
        assert first.now["undo"] is None

    asyncio.run(go())
    record = record_of(server, battle["id"])
    assert (record.over, record.epoch, record.undo) == (True, 0, "")


def test_dice_after_a_take_back_past_dice_are_of_a_new_seed_published_like_the_first(
    server: Server, tmp_path: Path
) -> None:
    battle = server.new("aof", "bot", bots=["random"])

    async def go() -> tuple[Player, list[int]]:
        player = Player(server, battle)
        await player.sit()
        await play_until(player, lambda: len(player.acknowledged) > 12)
        numbers = []
        for _ in range(2):
            known = record_of(server, battle["id"]).seeds
            before, to = await back_past_dice(server, player)
            numbers.append(to)
            # The hash is told at once, the seed to nobody.
            *others, last = player.now["further_seeds"]
            assert set(last) == {"after", "seed_hash"}
            assert last["after"] == to
            assert [one["after"] for one in others] == [one.after for one in known if one.after < to]
            kept = record_of(server, battle["id"]).seeds[-1]
            assert kept.seed != before.seed_at(to)
            assert str(kept.seed) not in "".join(player.heard)
            await play_until(player, lambda: len(player.acknowledged) > 12)
        await concede(player)
        return player, numbers

    player, numbers = asyncio.run(go())

    _, summary = server.call(f"/api/battles/{battle['id']}")
    assert summary["further_seeds"] == player.now["further_seeds"]
    assert summary["further_seeds"][-1]["after"] == numbers[-1]
    for told in (summary, *summary["further_seeds"]):
        assert hashlib.sha256(f"{told['salt']}:{told['seed']}".encode()).hexdigest() == told["seed_hash"]
    _, content = server.call(f"/api/battles/{battle['id']}/save?seat={battle['seats'][0]['secret']}")
    (tmp_path / "battle.save").write_bytes(content)
    assert verify(tmp_path / "battle.save", load).seeds == 1 + len(summary["further_seeds"])
    assert read(tmp_path / "battle.save", load).seeds == tuple(
        (one["after"], int(one["seed"])) for one in summary["further_seeds"]
    )
    status, replay = server.call(f"/api/battles/{battle['id']}/replay?seat={battle['seats'][0]['secret']}&scenes=1")
    assert status == 200
    assert len(replay["changes"]) == replay["number"]


def test_what_no_die_fell_for_is_taken_back_without_another_seed(server: Server) -> None:
    battle = server.new("aof", "hotseat")

    async def go() -> None:
        player = Player(server, battle)
        await player.sit()
        await play_until(
            player, lambda: bool(player.now["decision"] and player.now["decision"]["ask"] == "choose_unit")
        )
        await player.answer(player.by_chance(player.now["decision"]))
        assert (await player.ask("undo"))["type"] == "ack"
        assert player.now["further_seeds"] == []

    asyncio.run(go())
    assert record_of(server, battle["id"]).seeds == ()


def test_a_secret_that_came_to_light_is_taken_back_by_nobody(server: Server) -> None:
    """Bands are secret until they are deployed (SBH-BAND-01): who has seen a fighter cannot forget him."""
    battle = server.new("sbh", "invite")

    async def go() -> None:
        one, two = [Player(server, battle, seat) for seat in (0, 1)]
        await asyncio.wait_for(asyncio.gather(one.play(24), two.play(24)), PATIENCE)
        for player in (one, two):
            first = player.acknowledged[0][0]
            for anyway in (False, True):
                said = await player.ask("undo", to=first, anyway=anyway)
                assert said["type"] == "refused", said
                assert said["refusal"]["why"] == "something_was_revealed"
            assert player.now["undo"] is None

    asyncio.run(go())


def test_answers_that_were_opened_together_are_taken_back_by_nobody(server: Server) -> None:
    battle = server.new("tlaok", "bot", bots=["random"])

    async def go() -> None:
        player = Player(server, battle)
        await player.sit()
        stacked: list[int] = []
        while not stacked:
            asked = player.now["decision"]
            if asked is None:
                await player.hear()
                continue
            number = player.now["number"]
            await player._decide(asked)
            if asked["ask"] == "order_stack":
                stacked.append(number)
        await play_until(player, lambda: player.now["decision"] is not None)
        said = await player.ask("undo", to=stacked[0], anyway=True)
        if said["refusal"]["why"] == "not_your_answer":  # the bot was first to answer
            said = await player.ask("undo", to=stacked[0] + 1, anyway=True)
        assert said["refusal"]["why"] == "something_was_revealed"

    asyncio.run(go())


def test_in_an_analysis_the_dice_stay_as_they_are_known(server: Server) -> None:
    battle = server.new("aof", "hotseat")

    async def fought() -> None:
        player = Player(server, battle)
        await player.sit()
        await play_until(player, lambda: player.now["number"] > 30)
        await back_past_dice(server, player)
        await play_until(player, lambda: player.now["number"] > 34)
        await concede(player)

    asyncio.run(fought())
    seat = battle["seats"][0]["secret"]
    wanted = {"seat": seat, "number": 20, "mode": "hotseat", "dice": "same"}
    status, made = server.call(f"/api/battles/{battle['id']}/branch", wanted)
    assert status == 201
    first, second = record_of(server, battle["id"]), record_of(server, made["id"])
    assert (first.analysis, second.analysis) == (False, True)
    assert first.seeds
    assert [(one.after, one.seed) for one in second.seeds] == [(one.after, one.seed) for one in first.seeds]

    async def analysed() -> Guest:
        player = Player(server, made)
        await player.sit()
        await play_until(player, lambda: player.now["number"] > 40)
        await back_past_dice(server, player)
        return player

    player = asyncio.run(analysed())
    again = record_of(server, made["id"])
    assert player.now["epoch"] == 1
    assert (again.seed, again.seeds) == (second.seed, second.seeds)
    assert server.call(f"/api/battles/{made['id']}")[1]["analysis"] is True


def test_a_server_that_starts_again_goes_on_with_the_new_seed(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/battles.sqlite")
    try:
        battle = server.new("aof", "hotseat")
        player = Player(server, battle)

        async def first() -> int:
            await player.sit()
            await play_until(player, lambda: player.now["number"] > 30)
            await back_past_dice(server, player)
            await play_until(player, lambda: player.now["number"] > 34)
            await player.leave()
            return int(player.now["number"])

        number = asyncio.run(first())
        assert record_of(server, battle["id"]).seeds
        server.kill()
        server.start()

        async def second() -> Any:
            again = await Player(server, battle).sit()
            assert again.now["number"] == number
            assert again.log == player.log
            said = await again.ask("suggest")
            await again.leave()
            return said

        assert asyncio.run(second())["type"] == "suggestion"
    finally:
        server.stop()
