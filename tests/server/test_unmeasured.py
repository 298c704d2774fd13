"""Where nobody measures before he has decided, and much is chosen in secret: everything that is sent is searched."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.leaks import Nosy, everything, figures_in, kept, lengths_in, pry, secret_of, told_to
from tests.server.table import PATIENCE, Data, Guest, Player, Server
from tests.unmeasured import installed

from oriflamme import games
from oriflamme.engine.core.play import Play
from oriflamme.lab import play_on, players
from oriflamme.server.store import Store

NOT_SAID = "not_measured"


@pytest.fixture(scope="module")
def ford() -> Iterator[Server]:
    """A server that finds the game as if it were installed."""
    with tempfile.TemporaryDirectory() as folder, installed(Path(folder)):
        server = Server(f"sqlite:///{folder}/battles.sqlite")
        yield server
        server.stop()


def begun(measuring: str = "no", seed: int = 3) -> Play:
    game = games.load("ford")
    return Play(game, game.setup(1, options={"ford.openMeasuring": measuring}), seed)


def given(play: Play, *answers: Any) -> Play:
    """The same battle with these answers of whoever is asked first."""
    for answer in answers:
        assert play.answer(play.pending[0].side, answer) is None
    return play


CARDS = ("heron0", {"card": [200.0, 150.0]}, "heron1", {"card": [300.37, 450.0]})


def ordering(measuring: str = "no", *, aside: float = 0.0) -> Play:
    """A battle in which the first order is asked for; one band may stand elsewhere."""
    last = {"card": [610.0 - aside, 500.91]}
    return given(begun(measuring), "otter0", "otter1", *CARDS, {"card": [500.0, 150.0]}, last)


def heard(guest: Guest, side: int) -> Iterator[tuple[Data, bool]]:
    """What somebody was told, and whether the question he had then was measured."""
    measured = False
    for text in guest.heard:
        message = json.loads(text)
        if message["type"] in ("hello", "update"):
            measured = bool((message["decision"] or {}).get("measured"))
        yield message, measured


async def pried(server: Server, play: Play, side: int) -> list[Data]:
    guest = await Guest(server, battle := kept(server, play), secret_of(battle, side)).sit()
    await pry(guest)
    await guest.leave()
    return [json.loads(text) for text in guest.heard]


# -- lengths -----------------------------------------------------------------------------------------------------------


def test_nothing_sent_over_whole_battles_tells_a_length_nobody_has_measured(ford: Server) -> None:
    async def go(seed: int) -> tuple[list[Any], Play]:
        play = begun(seed=seed)
        battle = kept(ford, play)
        guest = await Guest(ford, battle, secret_of(battle, -1)).sit()

        async def watch() -> None:
            while not guest.now["over"]:
                await guest.hear()
                if len(guest.heard) % 7 == 1 and not guest.now["over"]:
                    await pry(guest)

        both: list[Player] = [Nosy(ford, battle, seat, seed) for seat in (0, 1)]
        for one in both:
            one.every = 1  # type: ignore[attr-defined]
        await asyncio.wait_for(asyncio.gather(*(player.play() for player in both), watch()), PATIENCE)
        for kept_answer in Store(ford.database).answers(battle["id"]):
            play.replay([(kept_answer.side, msgspec.json.decode(kept_answer.answer))])
        return [guest, *both], play

    leaks: list[str] = []
    kinds: set[str] = set()
    refused: set[str] = set()
    for seed in range(3):
        people, play = asyncio.run(go(seed))
        for side, one in zip((-1, 0, 1), people, strict=True):
            for message, measured in heard(one, side):
                if message.get("over"):
                    break
                kinds.add(message["type"])
                if message["type"] == "refused":
                    refused.add(message["refusal"]["why"])
                    if message["refusal"]["why"] == NOT_SAID:
                        assert message["refusal"]["rule"] == "FORD-02"
                leaks += lengths_in(message, measured=measured)
        assert play.over

    assert leaks == []
    assert {"aids", "sight", "why", "tried", "suggestion", "odds", "unit", "refused"} <= kinds
    assert NOT_SAID in refused


def test_where_measuring_is_open_the_very_same_questions_tell_lengths(ford: Server) -> None:
    """The search finds something where there is something to find, and all aids are there."""
    closed, open_ = (asyncio.run(pried(ford, ordering(measuring), 0)) for measuring in ("no", "yes"))

    assert [leak for message in closed for leak in lengths_in(message)] == []
    assert [leak for message in closed for leak in figures_in(message, ordering())] == []
    found = {leak.split(":")[0] for message in open_ for leak in lengths_in(message)}
    kinds = {f"an aid of kind {kind}" for kind in ("reach", "keep_off", "blind", "shoot")}
    assert kinds | {"a length in words", "a bot's reason"} <= found
    assert any(leak for message in open_ for leak in figures_in(message, ordering()))
    assert closed[0]["measuring"] == {"open": False, "rule": "FORD-02"}
    assert open_[0]["measuring"] == {"open": True, "rule": ""}


@pytest.mark.parametrize("side", [-1, 0, 1])
def test_two_tables_that_differ_in_a_length_tell_the_same_but_for_the_picture(ford: Server, side: int) -> None:
    near, far = (asyncio.run(told_to(ford, ordering(aside=aside), side, places=False)) for aside in (0.0, 214.7))

    assert near == far
    assert asyncio.run(told_to(ford, ordering("yes"), side, places=False)) != asyncio.run(
        told_to(ford, ordering("yes", aside=214.7), side, places=False)
    )


def test_a_place_is_pointed_at_without_a_trial_and_what_follows_is_measured(ford: Server) -> None:
    async def go() -> None:
        battle = kept(ford, given(ordering(), "walk:heron0"))
        one = await Guest(ford, battle, secret_of(battle, 0)).sit()
        number = one.now["number"]

        tried = [await one.ask("try", number=number, answer={"goal": place}) for place in ([99.0, 99.0], [-9.0, 0.0])]
        assert [told["refusal"]["why"] for told in tried] == [NOT_SAID] * 2
        assert (await one.ask("suggest"))["because"] == []
        assert [aid["kind"] for aid in (await one.ask("aids"))["aids"]] == ["zone"]
        assert (await one.answer({"goal": [700.0, 400.0]}))["type"] == "ack"

        asked = one.now["decision"]
        assert asked["ask"] == "form_up"
        assert asked["measured"]
        assert {"reach", "together", "blind"} <= {aid["kind"] for aid in (await one.ask("aids"))["aids"]}
        far = {figure: [800.0, 500.0] for figure in asked["figures"]}
        told = await one.ask("try", number=one.now["number"], answer=far)
        assert told["refusal"]["facts"]["gap"] > 10
        # But it opens nothing else.
        assert (await one.ask("aids", threats=True))["refusal"]["why"] == NOT_SAID
        assert all("gap" not in str(no) for no in (await one.ask("why", unit="heron1"))["cannot"])

    asyncio.run(go())


def test_what_is_refused_while_measuring_is_closed_is_said_in_both_languages(ford: Server) -> None:
    async def go(lang: str) -> str:
        battle = kept(ford, ordering())
        one = await Guest(ford, battle, secret_of(battle, 0)).sit(f"&lang={lang}")
        number = one.now["number"]
        told = await one.ask("answer", number=number, answer="charge:heron0:heron1")
        assert (told["refusal"]["rule"], told["refusal"]["facts"]) == ("FORD-02", {})
        return "".join(span["text"] for span in told["refusal"]["words"])

    english, french = (asyncio.run(go(lang)) for lang in ("en", "fr"))
    assert "measured" in english
    assert "mesuré" in french


# -- taking back -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measuring", ["no", "yes"])
def test_what_was_measured_is_taken_back_only_with_consent(ford: Server, measuring: str) -> None:
    async def go() -> None:
        battle = kept(ford, given(ordering(measuring), "walk:heron0", {"goal": [700.0, 400.0]}))
        one, other = [await Guest(ford, battle, secret_of(battle, side)).sit() for side in (0, 1)]
        number = one.now["number"]
        told = await one.ask("undo")
        if measuring == "yes":
            assert told["type"] == "ack"
            return
        assert (told["refusal"]["why"], told["refusal"]["rule"]) == ("something_was_measured", "FORD-02")
        assert one.now["number"] == number
        assert (await one.ask("undo", anyway=True))["type"] == "ack"
        await other.until("update")
        assert (await other.ask("consent", yes=True))["type"] == "ack"
        await one.until("hello")
        assert one.now["decision"]["ask"] == "point"

    asyncio.run(go())


def test_an_order_that_nobody_has_measured_yet_is_taken_back_freely(ford: Server) -> None:
    async def go() -> None:
        battle = kept(ford, given(ordering(), "walk:heron0"))
        one = await Guest(ford, battle, secret_of(battle, 0)).sit()
        assert (await one.ask("undo"))["type"] == "ack"

    asyncio.run(go())


def test_nobody_measures_in_a_battle_branched_from_one_that_goes_on(ford: Server) -> None:
    for measuring, status in (("no", 409), ("yes", 201)):
        battle = kept(ford, ordering(measuring), mode="hotseat")
        wanted = {"seat": battle["seats"][0]["secret"], "number": 3, "mode": "hotseat", "dice": "new"}
        code, told = ford.call(f"/api/battles/{battle['id']}/branch", wanted)
        assert code == status, told
        if code == 409:
            assert told["refusal"]["why"] == "branch_measures"


# -- secrets -----------------------------------------------------------------------------------------------------------


def commits(first: dict[str, int]) -> Play:
    """Both are asked for dice, and the attacker has answered."""
    return given(ordering(), "fight:heron0:heron1", first)


# Two battles that differ in what one side has chosen in secret, and whom that is no business of.
SECRETS = {
    "a reserve": ([("otter0",), ("brock0",)], (-1, 1)),
    "both reserves": ([("otter0", "otter1"), ("otter0", "brock1")], (-1, 0)),
    "a card": ([("otter0", "otter1", "heron0"), ("otter0", "otter1", "brock0")], (-1, 1)),
    "a card that lies": (
        [("otter0", "otter1", *CARDS[:2]), ("otter0", "otter1", "brock0", CARDS[1])],
        (-1, 1),
    ),
    "a reserve after the cards": (
        [("otter0", "otter1", *CARDS), ("otter0", "brock1", *CARDS)],
        (-1, 0),
    ),
}


@pytest.mark.parametrize("what", SECRETS)
def test_two_battles_that_differ_in_a_secret_tell_the_same(ford: Server, what: str) -> None:
    (one, other), sides = SECRETS[what]
    for side in sides:
        told = [asyncio.run(told_to(ford, given(begun(), *answers), side)) for answers in (one, other)]
        assert told[0] == told[1], what


@pytest.mark.parametrize("side", [-1, 1])
def test_an_allocation_is_nobodys_business_until_all_have_made_theirs(ford: Server, side: int) -> None:
    splits = ({"attack": 3, "defence": 1}, {"attack": 1}, {})
    told = [asyncio.run(told_to(ford, commits(split), side)) for split in splits]
    before = asyncio.run(told_to(ford, given(ordering(), "fight:heron0:heron1"), side))

    assert told[0] == told[1] == told[2]
    # Not even that somebody has answered is seen.
    assert [text for text in told[0] if text not in before] == []
    own = [asyncio.run(told_to(ford, commits(split), 0)) for split in splits[:2]]
    assert own[0] == own[1]
    after = [asyncio.run(told_to(ford, given(commits(split), {}), side)) for split in splits[:2]]
    assert after[0] != after[1], "it is never told: the test shows nothing"


def test_everything_is_open_when_the_battle_is_over(ford: Server) -> None:
    play = begun()
    play_on(play, players(play.game, ("random", "random"), 1))
    told = asyncio.run(told_to(ford, play, -1))

    assert any("otter1" in text for text in told)
    assert not any('"why": "not_measured"' in text for text in told)
    replayed = next(json.loads(text)[1] for text in told if '"answers"' in text)
    assert replayed["measuring"]["open"]
    assert "answer" in [key for key, _ in everything(replayed["answers"])]
