"""Four people at one table, people and bots mixed, and what reaches whom."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.table import Guest, Server, play_out
from tests.several import installed


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("site-packages")
    with installed(folder):
        running = Server(f"sqlite:///{folder}/battles.sqlite")
        yield running
        running.stop()


def new(served: Server, number: int, **more: Any) -> dict[str, Any]:
    choices = {"players": str(number)} | more.pop("choices", {})
    return served.new("fray", choices=choices, **more)


async def sit_all(served: Server, battle: dict[str, Any]) -> tuple[list[Guest], Guest]:
    """Everybody who has a seat, and somebody who watches."""
    guests = [Guest(served, battle, seat["secret"]) for seat in battle["seats"]]
    watching = Guest(served, battle, battle["spectator"]["secret"])
    for guest in (*guests, watching):
        await guest.sit()
    return guests, watching


async def told(*guests: Guest) -> None:
    """Nobody has anything more to hear: what was sent before this was asked has come."""
    for guest in guests:
        await guest.ask("why", unit="nobody")


def test_everybody_has_a_link_of_his_own(served: Server) -> None:
    battle = new(served, 4, choices={"beasts": "wolves"})

    assert [seat["sides"] for seat in battle["seats"]] == [[0], [1], [2], [3]]
    assert len({seat["secret"] for seat in battle["seats"]}) == 4
    status, about = served.call(f"/api/battles/{battle['id']}")
    assert status == 200
    assert [player["bot"] for player in about["players"]] == [None] * 4
    assert len(about["armies"]) == 5, "the army that nobody owns has a name, but no seat"
    assert about["armies"][4]["fr"] == "La Sauvagine"


@pytest.mark.parametrize(
    ("seats", "mode", "sides"),
    [
        (["human", "random", "human"], "invite", [[0], [2]]),
        (["random", "human", "random"], "bot", [[1]]),
        (["random", "random", "random"], "watch", []),
    ],
)
def test_people_and_bots_are_mixed_freely(served: Server, seats: list[str], mode: str, sides: list[list[int]]) -> None:
    battle = new(served, 3, seats=seats)

    assert [seat["sides"] for seat in battle["seats"]] == sides
    status, about = served.call(f"/api/battles/{battle['id']}")
    assert (status, about["mode"]) == (200, mode)
    assert [player["bot"] or "human" for player in about["players"]] == seats


def test_people_at_one_screen_and_a_bot(served: Server) -> None:
    battle = new(served, 3, seats=["human", "random", "human"], mode="hotseat")
    assert [seat["sides"] for seat in battle["seats"]] == [[0, 2]]


def test_seats_that_do_not_fit_are_refused(served: Server) -> None:
    base = {"game": "fray", "choices": {"players": "3"}}
    for seats, what in (
        (["human", "human"], "2 given; 3 players of fray sit at this table"),
        (["human", "human", "capten"], 'no bot "capten"'),
    ):
        status, said = served.call("/api/battles", base | {"seats": seats})
        assert status == 422
        assert said["problems"][0]["what"] == what
    status, said = served.call("/api/battles", {"game": "fray", "choices": {"players": "1", "beasts": "none"}})
    assert (status, said["problems"][0]["what"]) == (422, '"none" does not go with players "1"')


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_it_is_played_to_its_end_by_so_many_people(served: Server, number: int) -> None:
    battle = new(served, number, choices={"beasts": "wolves"})
    asyncio.run(play_out(served, battle))

    _, about = served.call(f"/api/battles/{battle['id']}")
    assert about["over"]
    assert about["result"]["players"] == number
    assert about["result"]["words"]["en"]
    assert about["result"]["words"]["fr"]


def test_who_plays_alone_sees_what_was_counted(served: Server) -> None:
    battle = new(served, 1, choices={"goal": "endure"})
    asyncio.run(play_out(served, battle))

    _, about = served.call(f"/api/battles/{battle['id']}")
    assert about["result"]["words"]["fr"] == f"tours survécus : {about['result']['score'][0]}"


def test_a_sign_is_nobodys_business_before_all_are_in(served: Server) -> None:
    battle = new(served, 4)

    async def play() -> None:
        guests, watching = await sit_all(served, battle)
        everybody = (*guests, watching)
        for place, side in enumerate((2, 0, 3)):
            before = [len(guest.heard) for guest in everybody]
            assert (await guests[side].answer(str(place % 3 + 1)))["type"] == "ack"
            await told(*everybody)
            news = [
                [json.loads(text) for text in guest.heard[known:]]
                for guest, known in zip(everybody, before, strict=True)
            ]
            heard = [n for n, messages in enumerate(news) if any(m["type"] == "update" for m in messages)]
            assert heard == [side], "only who has chosen is told anything"
            assert guests[side].now["waiting"] == [0, 1, 2, 3], "and not who was quicker"
        assert (await guests[1].answer("1"))["type"] == "ack"
        for guest in everybody:
            while guest.now["number"] != 4:
                await guest.hear()
            assert [line["event"]["event"] for line in guest.log] == ["RoundBegan", "SignsShown"]
        for guest in everybody:
            await guest.leave()

    asyncio.run(play())


def test_one_of_three_concedes_and_the_others_play_on(served: Server) -> None:
    battle = new(served, 3)

    async def play() -> None:
        guests, watching = await sit_all(served, battle)
        assert (await guests[1].answer("concede"))["type"] == "ack"
        assert (await guests[0].answer("1"))["type"] == "ack"
        assert (await guests[2].answer("2"))["type"] == "ack"
        for guest in (*guests, watching):
            while guest.now["number"] != 3:
                await guest.hear()
            assert guest.scene["left"] == [1]
            assert not guest.now["over"]
        assert guests[1].now["decision"] is None
        refused = await guests[1].answer("1")
        assert refused["refusal"]["why"] == "not_yours"
        for guest in (*guests, watching):
            await guest.leave()

    asyncio.run(play())


def test_who_has_conceded_need_not_agree_to_anything(served: Server) -> None:
    battle = new(served, 3)

    async def play() -> None:
        guests, _ = await sit_all(served, battle)
        await guests[1].answer("concede")
        await guests[0].answer("1")
        await guests[2].answer("2")
        while guests[0].now["decision"] is None or guests[0].now["decision"]["ask"] != "strike":
            await guests[0].hear()
        target = guests[0].now["decision"]["options"][0]["key"]
        assert (await guests[0].answer(target))["type"] == "ack"
        asked = await guests[0].ask("undo", anyway=True)
        assert asked["type"] == "ack"
        while not guests[2].now["undo"]:
            await guests[2].hear()
        assert (await guests[2].ask("consent", yes=True))["type"] == "ack"
        while guests[0].now["epoch"] == 0:
            await guests[0].hear()
        assert guests[0].now["decision"]["ask"] == "strike"
        for guest in guests:
            await guest.leave()

    asyncio.run(play())


def test_branches_keep_the_number_of_players(served: Server) -> None:
    battle = new(served, 3, seats=["random", "human", "random"])
    asyncio.run(play_out(served, battle))
    seat = battle["seats"][0]["secret"]

    status, made = served.call(
        f"/api/battles/{battle['id']}/branch",
        {"seat": seat, "number": 0, "mode": "invite", "seats": ["human", "random", "human"]},
    )

    assert status == 201, made
    assert [seat["sides"] for seat in made["seats"]] == [[0], [2]]
    status, made = served.call(f"/api/battles/{battle['id']}/branch", {"seat": seat, "number": 0, "mode": "hotseat"})
    assert [seat["sides"] for seat in made["seats"]] == [[0, 1, 2]]


def test_a_branch_before_the_end_is_for_ones_own_side(served: Server) -> None:
    battle = new(served, 3, seats=["random", "human", "random"])
    seat = battle["seats"][0]["secret"]
    path = f"/api/battles/{battle['id']}/branch"

    assert served.call(path, {"seat": seat, "number": 0, "seats": ["human", "random", "random"]})[0] == 409
    assert served.call(path, {"seat": seat, "number": 0, "seats": ["human", "human", "random"]})[0] == 409
    assert served.call(path, {"seat": seat, "number": 0, "seats": ["random", "human", "random"]})[0] == 201
