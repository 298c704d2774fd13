"""Campaigns over HTTP: every battle counts once, whatever happens, and nobody is told what he may not know."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.table import PATIENCE, Data, Guest, Player, Server
from tests.server.test_hostile import NONSENSE

from oriflamme.games.sbh.campaign import Campaign
from oriflamme.server.store import Chapter, Chronicle, Conflict, Record, Settled, Store

BANDS = ["green_mile", "broken_tusks"]


def new(server: Server, mode: str, **more: Any) -> Data:
    status, made = server.call("/api/campaigns", {"game": "sbh", "mode": mode, "armies": BANDS, "seed": 5, **more})
    assert status == 201, made
    return dict(made)


def stands(server: Server, campaign: Data, secret: str, more: str = "") -> Data:
    status, told = server.call(f"/api/campaigns/{campaign['id']}?seat={secret}{more}")
    assert status == 200, told
    return dict(told)


def secrets(campaign: Data) -> list[str]:
    return [seat["secret"] for seat in campaign["seats"]]


class Careful(Player):
    """Does what a captain would, until so many of his have fallen: then he gives up as soon as he may."""

    losses = 2

    def by_chance(self, asked: Data) -> Any:
        mine = [unit for unit in self.scene["units"] if unit["side"] == asked["side"] and unit["fate"] == "killed"]
        may = any(option["key"] == "concede" for option in asked.get("besides", ()))
        return "concede" if may and len(mine) >= self.losses else None


class Coward(Careful):
    losses = 0


def fight(server: Server, campaign: Data, battle: str, *kinds: type[Player]) -> None:
    """The battle that is due, by the people of the campaign, with the secrets they have in it."""
    seated = {"id": battle, "seats": campaign["seats"]}

    async def go() -> None:
        players = [kind(server, seated, seat) for seat, kind in enumerate(kinds)]
        await asyncio.wait_for(asyncio.gather(*(player.play() for player in players)), PATIENCE)
        for player in players:
            await player.leave()

    asyncio.run(go())


def choose(server: Server, campaign: Data, secret: str, answer: Any, more: Data | None = None) -> tuple[int, Data]:
    now = stands(server, campaign, secret)
    told = {"seat": secret, "number": now["asked"] or 0, "answer": answer} | (more or {})
    return server.call(f"/api/campaigns/{campaign['id']}/choose", told)


def make_ready(server: Server, campaign: Data, secret: str) -> Data:
    """Choose in camp what is usual until there is nothing left to choose."""
    now = stands(server, campaign, secret)
    while now["decision"] is not None:
        status, now = choose(server, campaign, secret, now["decision"]["default"])
        assert status == 200, now
    return now


def bots_fight(server: Server, campaign: Data, secret: str, patience: float = PATIENCE) -> Data:
    """Let bots fight the battle that is due; how the campaign stands then. Patience ends only where it never would."""
    now = stands(server, campaign, secret)
    number = now["number"]
    end = time.monotonic() + patience
    while not now["over"] and now["number"] == number:
        assert time.monotonic() < end, now["battle"]
        status, _ = server.call(f"/api/campaigns/{campaign['id']}/fight", {"seat": secret})
        time.sleep(0.2)
        now = stands(server, campaign, secret)
        # The battle may have ended since we looked: then there is none to be fought.
        assert status == 202 or (status == 409 and (now["over"] or now["number"] != number)), (status, now)
    return now


def kinds_of(store: Store, campaign: Data) -> Counter[tuple[str, int]]:
    """What the stored lines say was done, and before which battle."""
    lines = [msgspec.json.decode(line) for line in store.lines(campaign["id"])[1:]]
    assert [line["n"] for line in lines] == list(range(1, len(lines) + 1))
    return Counter((line["do"], line["battle"]) for line in lines if line["do"] in ("march", "fight"))


def campaign_in_camp(server: Server, mode: str = "invite") -> Data:
    """Two people after their first battle, and who lost it: he has fighters to replace."""
    for _ in range(5):
        campaign = new(server, mode, battles=3)
        players = [Careful] * len(campaign["seats"])
        fight(server, campaign, stands(server, campaign, secrets(campaign)[0])["battle"], *players)
        now = stands(server, campaign, secrets(campaign)[0])
        winner = now["fought"][0]["winner"]
        if now["stage"] == "camp" and winner is not None and not now["ready"][1 - winner]:
            return campaign | {"lost": 1 - winner}
    raise AssertionError("nobody was hurt in five battles")


def in_order(campaign: Data) -> tuple[str, str]:
    """The secrets of who lost the first battle, and of who won it."""
    both = secrets(campaign)
    return both[campaign["lost"]], both[1 - campaign["lost"]]


@pytest.fixture
def between(server: Server) -> Data:
    return campaign_in_camp(server)


@pytest.fixture(scope="module")
def untouched(server: Server) -> Data:
    """The same, for tests in which nothing is to change."""
    return campaign_in_camp(server)


def test_bots_fight_a_whole_campaign(server: Server, tmp_path: Path) -> None:
    campaign = new(server, "watch", battles=2, bots=["captain", "random"])
    seat = campaign["spectator"]["secret"]

    first = bots_fight(server, campaign, seat)
    last = bots_fight(server, campaign, seat)

    assert (first["number"], first["over"], last["over"]) == (2, False, True)
    assert [fought["number"] for fought in last["fought"]] == [1, 2]
    assert all(line["rule"].startswith("SBH-") and line["words"] for line in last["log"])
    assert hashlib.sha256(f"{last['salt']}:{last['seed']}".encode()).hexdigest() == campaign["seed_hash"]
    assert kinds_of(Store(server.database), campaign) == {(do, n): 1 for do in ("march", "fight") for n in (1, 2)}
    # What was stored is a campaign file, and the command line comes to the same.
    file = tmp_path / "autumn.campaign"
    file.write_bytes(server.call(f"/api/campaigns/{campaign['id']}/file?seat={seat}")[1])
    read = Campaign.read(file)
    assert (list(read.score), read.winner, read.over) == (last["score"], last["winner"], True)


def test_people_fight_and_choose_in_camp(server: Server, between: Data) -> None:
    loser, winner = in_order(between)
    lost = between["lost"]
    now = stands(server, between, loser)
    assert (now["number"], now["stage"], now["battle"], now["ready"][lost]) == (2, "camp", None, False)
    assert now["fought"][0]["winner"] == 1 - lost
    assert (now["decision"]["kind"], now["decision"]["rule"]) == ("pick one", "SBH-CAMP-02")

    # An answer, the same one again, one that is not offered, and second thoughts.
    key = next(option["key"] for option in now["decision"]["options"] if option["key"] != "ready")
    status, chosen = choose(server, between, loser, key)
    assert (status, chosen["answers"]) == (200, 1)
    status, late = choose(server, between, loser, key, {"number": now["asked"]})
    assert (status, late["refusal"]["why"]) == (409, "answer_is_late")
    status, no = choose(server, between, loser, "a better band")
    assert status == 409
    assert no["refusal"]["words"]
    back = {"seat": loser, "number": chosen["asked"]}
    status, again = server.call(f"/api/campaigns/{between['id']}/back", back)
    assert (status, again["answers"], again["decision"]["ask"]) == (200, 0, now["decision"]["ask"])
    status, nothing = server.call(f"/api/campaigns/{between['id']}/back", back | {"number": again["asked"]})
    assert (status, nothing["refusal"]["why"]) == (409, "nothing_to_take_back")

    make_ready(server, between, winner)
    after = make_ready(server, between, loser)
    assert (after["stage"], after["ready"]) == ("battle", [True, True])
    assert after["battle"] not in (None, now["fought"][0]["battle"])
    status, done = choose(server, between, loser, "ready")
    assert (status, done["refusal"]["why"]) == (409, "nothing_is_asked")
    # It is a battle like any other, and both have seats at it.
    fight(server, between, after["battle"], Coward, Coward)
    assert stands(server, between, loser)["number"] == 3


def test_what_one_side_chooses_the_other_is_not_told(server: Server, between: Data) -> None:
    loser, winner = in_order(between)
    others = (winner, between["spectator"]["secret"])
    before = {secret: stands(server, between, secret) for secret in others}
    campaign_went_on = before[winner]["ready"][1 - between["lost"]]

    mine = make_ready(server, between, loser)
    joined = {line["event"]["fighter"] for line in mine["log"] if line["event"]["event"] == "FighterJoined"}
    assert joined
    if not campaign_went_on:
        for secret in others:
            told = stands(server, between, secret)
            assert told["ready"][between["lost"]]
            assert {**told, "ready": []} == {**before[secret], "ready": []}

    # Nor when the battle is due: bands are secret until they are deployed.
    battle = make_ready(server, between, winner)["battle"]
    assert battle
    for secret in others:
        said = json.dumps(stands(server, between, secret))
        assert not [fighter for fighter in joined if f'"{fighter}"' in said]
    assert all(fighter in json.dumps(stands(server, between, loser)) for fighter in joined)
    fight(server, between, battle, Coward, Coward)
    assert all(fighter in json.dumps(stands(server, between, winner)) for fighter in joined)


def test_before_the_first_battle_nothing_is_known_of_the_other_band(server: Server) -> None:
    campaign = new(server, "bot", battles=3)
    mine = stands(server, campaign, secrets(campaign)[0])
    watched = stands(server, campaign, campaign["spectator"]["secret"])

    assert [page is None for page in mine["bands"]] == [False, True]
    assert watched["bands"] == [None, None]
    for told in (mine, watched):
        assert "seed" not in told
        assert "salt" not in told
        assert "Tusk" not in json.dumps(told)
    assert server.call(f"/api/campaigns/{campaign['id']}/file?seat={secrets(campaign)[0]}")[0] == 409


def test_a_hot_seat_sees_one_side_at_a_time(server: Server) -> None:
    campaign = new(server, "hotseat", battles=2)
    (seat,) = secrets(campaign)

    for side in (0, 1):
        told = stands(server, campaign, seat, f"&side={side}")
        assert (told["side"], [page is None for page in told["bands"]]) == (side, [side == 1, side == 0])


def test_a_foreign_secret_opens_nothing(server: Server) -> None:
    mine, theirs = new(server, "invite"), new(server, "invite")
    battle = server.new("sbh")
    due = stands(server, mine, secrets(mine)[0])["battle"]
    foreign = [secrets(theirs)[0], theirs["spectator"]["secret"], battle["seats"][0]["secret"], "", "x" * 32]

    for secret in foreign:
        path = f"/api/campaigns/{mine['id']}"
        answer = {"seat": secret, "number": 0, "answer": "ready"}
        assert server.call(f"{path}?seat={secret}") == (404, {"error": "not_found"})
        assert server.call(f"{path}/choose", answer)[0] == 404
        assert server.call(f"{path}/back", {"seat": secret, "number": 0})[0] == 404
        assert server.call(f"{path}/fight", {"seat": secret})[0] == 404
        assert server.call(f"{path}/file?seat={secret}")[0] == 404
        assert server.call(f"/api/battles/{due}/replay?seat={secret}")[0] == 404
    # A seat in a campaign is a seat at its own battles and at no other.
    assert server.call(f"/api/battles/{due}/replay?seat={secrets(mine)[1]}")[0] == 200
    assert server.call(f"/api/battles/{battle['id']}/replay?seat={secrets(mine)[0]}")[0] == 404


def test_who_watches_and_who_plays_the_other_side_cannot_choose(server: Server, untouched: Data) -> None:
    loser, winner = in_order(untouched)
    before = stands(server, untouched, loser)

    status, said = choose(server, untouched, untouched["spectator"]["secret"], "ready")
    assert (status, said["refusal"]["why"]) == (409, "spectators_watch")
    status, said = choose(server, untouched, winner, "ready", {"side": untouched["lost"]})
    assert (status, said["refusal"]["why"]) == (409, "not_your_side")
    assert server.call(f"/api/campaigns/{untouched['id']}/fight", {"seat": loser})[0] == 409
    assert stands(server, untouched, loser) == before


def test_nonsense_changes_nothing(server: Server, untouched: Data) -> None:
    loser, _ = in_order(untouched)
    before = stands(server, untouched, loser)

    for answer in NONSENSE:
        status, said = choose(server, untouched, loser, answer)
        assert (status, said["error"]) == (409, "refused"), answer
    for body in ({}, [], 7, {"seat": [loser]}, {"seat": loser, "number": -1, "answer": 1}, {"seat": "", "n": 0}):
        for path in ("choose", "back", "fight"):
            assert server.call(f"/api/campaigns/{untouched['id']}/{path}", body)[0] == 422, (path, body)
    assert stands(server, untouched, loser, "&side=-7&lang=xx") == before


@pytest.mark.parametrize(
    ("body", "where", "said"),
    [
        ({"game": "aof"}, "", '"aof" has no campaigns'),
        ({"game": "sbh", "battles": 0}, "battles", "a campaign of 0"),
        ({"game": "sbh", "battles": 21}, "battles", "a campaign of 21"),
        ({"game": "sbh", "choices": {"scenario": "ambush"}}, "scenario", "the scenarios of a campaign are rolled"),
        ({"game": "sbh", "armies": ["gren_mile"]}, "", 'no list "gren_mile"'),
        ({"game": "sbh", "bots": ["colonel"]}, "", 'no bot "colonel"'),
        ({"game": "sbh", "options": {"sbh.campaignScor": "earned"}}, "sbh.campaignScor", "no such house rule"),
        ({"game": "sbh", "armies": [{"text": "band = ["}]}, "", ""),
        ({"game": "sbh", "battles": "4"}, "", "Expected"),
        ({"game": "sbh", "fog": True}, "", "unknown field"),
        (b"\xff{", "", ""),
        (b"", "", ""),
    ],
)
def test_what_cannot_be_begun_is_said(server: Server, body: Any, where: str, said: str) -> None:
    status, told = server.call("/api/campaigns", body)

    assert status == 422
    assert where in told["problems"][0]["where"]
    assert said in told["problems"][0]["what"]


# -- power cuts, and two servers ---------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: Any, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/battles.sqlite"
    return str(request.getfixturevalue("postgres"))


@pytest.fixture
def two_servers(database: str) -> Iterator[tuple[Server, Server]]:
    one, two = Server(database), Server(database)
    yield one, two
    one.stop()
    two.stop()


def test_an_aftermath_comes_once_though_the_server_was_killed_before_it(
    two_servers: tuple[Server, Server],
) -> None:
    one, two = two_servers
    campaign = new(one, "invite", battles=3)
    first, second = secrets(campaign)
    battle = stands(one, campaign, first)["battle"]
    fight(one, campaign, battle, Careful, Careful)
    store = Store(one.database)
    assert kinds_of(store, campaign) == {("march", 1): 1}  # The battle is over; nobody has looked since.
    one.kill()
    one.start()

    # Both servers are asked at once, again and again.
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(stands, server, campaign, secret) for server in (one, two) for secret in (first, second)]
        told = [future.result() for future in asked * 2]

    assert kinds_of(store, campaign)["fight", 1] == 1
    assert len({json.dumps([one["fought"], one["score"], len(one["log"])]) for one in told}) == 1
    # What the campaign has gone on from is not taken back, on either server.
    for server in (one, two):
        for secret in (first, second):
            status, said = server.call(f"/api/battles/{battle}/undo", {"seat": secret, "anyway": True})
            assert (status, said["refusal"]["why"]) == (409, "campaign_went_on")
            assert said["refusal"]["words"]
    # Choices on one server are seen on the other.
    make_ready(two, campaign, first)
    make_ready(one, campaign, second)
    assert stands(two, campaign, first)["battle"] == stands(one, campaign, second)["battle"] is not None


def test_the_end_of_a_battle_of_a_campaign_is_taken_back_by_nobody(
    server: Server,
) -> None:
    campaign = new(server, "bot", battles=2)
    (seat,) = secrets(campaign)
    battle = stands(server, campaign, seat)["battle"]
    fight(server, campaign, battle, Coward)
    store = Store(server.database)

    status, said = server.call(f"/api/battles/{battle}/undo", {"seat": seat, "anyway": True})

    assert (status, said["refusal"]["why"]) == (409, "ended_for_good")
    assert kinds_of(store, campaign) == {("march", 1): 1}
    assert stands(server, campaign, seat)["number"] == 2
    assert kinds_of(store, campaign)["fight", 1] == 1


def test_a_campaign_of_bots_goes_on_after_power_cuts(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/battles.sqlite")
    try:
        campaign = new(server, "watch", battles=2)
        seat = campaign["spectator"]["secret"]
        for pause in (0.3, 1.2):
            stands(server, campaign, seat)
            server.call(f"/api/campaigns/{campaign['id']}/fight", {"seat": seat})
            time.sleep(pause)
            server.kill()
            server.start()
        now = stands(server, campaign, seat)
        while not now["over"]:
            now = bots_fight(server, campaign, seat)
    finally:
        server.stop()

    assert kinds_of(Store(server.database), campaign) == {(do, n): 1 for do in ("march", "fight") for n in (1, 2)}


def test_a_line_is_taken_once_and_closes_its_battle(database: str) -> None:
    store = Store(database)
    id = f"line-{time.monotonic_ns()}"
    store.begin(Chronicle(id, "sbh", "", "invite", ("", ""), {}, "salt", "hash", 0.0, 1.5), [(id, 1)], b"first")
    record = Record(id, "sbh", 1, "", "invite", ("", ""), {}, b"{}", 7, "salt", "hash", 0.0, 1.5)
    store.add(msgspec.structs.replace(record, campaign=id, chapter=1), [])
    other = msgspec.structs.replace(record, id=f"{id}-other", campaign=id, chapter=1)
    over = Chapter(1, id, 0, 0, over=True, settled=False)

    with pytest.raises(Conflict):
        store.add(other, [])
    assert store.get(other.id) is None
    store.write(id, 2, b"second")
    with pytest.raises(Conflict):
        store.write(id, 2, b"again")
    with pytest.raises(Conflict):
        store.write(id, 3, b"too early", over)
    assert store.lines(id) == [b"first", b"second"]
    assert store.seat(id, id) == 1

    _end(store, id)
    with pytest.raises(Conflict):
        store.write(id, 3, b"of another epoch", msgspec.structs.replace(over, epoch=1))
    store.write(id, 3, b"third", over)
    with pytest.raises(Conflict):
        store.write(id, 4, b"the same battle again", over)
    with pytest.raises(Settled):
        store.take_back(id, 0, 0, 0)
    assert store.lines(id, after=2) == [b"third"]
    assert [chapter.settled for chapter in store.chapters(id)] == [True]
    assert store.is_closed(id)


def _end(store: Store, id: str) -> None:
    with store.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE battles SET over = {'1' if store.is_file else 'true'} WHERE id = '{id}'")


def test_somebody_at_the_table_of_a_campaign_knows_which(server: Server) -> None:
    campaign = new(server, "bot")
    (seat,) = secrets(campaign)
    battle = stands(server, campaign, seat)["battle"]

    async def go() -> Data:
        guest = await Guest(server, {"id": battle}, seat).sit()
        await guest.leave()
        return guest.now

    assert asyncio.run(go())["campaign"] == campaign["id"]
    assert server.call(f"/api/battles/{server.new('sbh')['id']}")[1]["campaign"] is None
