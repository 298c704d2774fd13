"""Everything sent over whole battles is searched for what its receiver may not know."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.server.leaks import Nosy, everything, pry
from tests.server.table import PATIENCE, Data, Guest, Player, Server

from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.server.store import Record, Store

# Both sides have a say at the same time in this one, and both keep much in the dark in that.
BIDS = {"game": "aof", "armies": ["antlered_assize_750_court_in_session", "antlered_assize_750_hot_pursuit"]}
AMBUSH = {"game": "sbh", "choices": {"scenario": "ambush", "turns": "20"}}
# Stacks lie in a secret order, and objectives are kept in hand.
STACKS = {"game": "tlaok", "points": 1000}


class Truth:
    """What each side could not know after each answer, from the stored battle."""

    def __init__(self, store: Store, record: Record) -> None:
        self.record = record
        game = load(record.game)
        self.play = Play(game, msgspec.json.decode(record.setup), record.seed, keep=False)
        self.hidden: dict[tuple[int, int], frozenset[str]] = {}
        self.names: dict[str, str] = {}
        # Cards in a hand the side never held itself, and the order of cards that lie face down for it.
        self.hands: dict[tuple[int, int], frozenset[str]] = {}
        self.orders: dict[tuple[int, int], list[list[str]]] = {}
        self.dealt: list[set[str]] = [set(), set()]
        self.cards: dict[str, str] = {}
        self._note()
        for kept in store.answers(record.id):
            self.play.replay([(kept.side, msgspec.json.decode(kept.answer))])
            self._note()

    def _note(self) -> None:
        play = self.play
        if len(play.answers) != play.number:
            return
        for id, unit in play.battle.units.items():
            self.names[id] = unit.name["en"]
        for side in (-1, 0, 1):
            seen = play.view(side).battle.units
            self.hidden[play.number, side] = frozenset(id for id in play.battle.units if id not in seen)
        if self.record.game == "tlaok":
            self._note_cards()

    def _note_cards(self) -> None:
        play, battle = self.play, self.play.battle
        for unit in battle.units.values():
            self.cards[unit.profile.id] = unit.profile.name["en"]
            if unit.character is not None:
                self.cards[unit.character.profile.id] = unit.character.profile.name["en"]
        for decision in play.pending:
            if decision.ask == "discard_secondaries":
                self.dealt[decision.side] |= {key.partition(":")[2] for key in decision.keys()}
        told = {event.objective for event in play.events if hasattr(event, "objective")}
        for side in (-1, 0, 1):
            others = [other for other in (0, 1) if other != side]
            own = self.dealt[side] if side >= 0 else set()
            held = {card for other in others for card in (*self.dealt[other], *battle.secrets[other])}
            self.hands[play.number, side] = frozenset(held - own - told)
            stacks = [[self.cards[card] for card in battle.stacks[other]] for other in others]
            known = [stack for stack in stacks if len(stack) > 2 and stack != sorted(stack)]
            self.orders[play.number, side] = [order for stack in known for order in (stack, stack[::-1])]

    def told_too_much(self, side: int, text: str, number: int) -> Iterator[str]:
        """Names and ids of what is hidden, as words of a message."""
        hidden = self.hidden[number, side]
        open_names = {name for id, name in self.names.items() if id not in hidden}
        for id in hidden:
            if re.search(rf'"{re.escape(id)}(\.\d+)?"', text):
                yield f"{id} at answer {number}"
            part_of_another = any(re.search(rf"\b{re.escape(self.names[id])}\b", name) for name in open_names)
            if not part_of_another and re.search(rf"\b{re.escape(self.names[id])}\b", text):
                yield f"{self.names[id]} at answer {number}"
        # What a bot takes to play on has every card of the book once.
        known = 1 if text.startswith('{"type":"seen"') else 0
        for card in self.hands.get((number, side), ()):
            if len(re.findall(rf'"(\d:)?{card}"', text)) > known:
                yield f"{card} in a hand at answer {number}"
        orders = self.orders.get((number, side), ())
        if orders:
            for _, value in everything(json.loads(text)):
                if isinstance(value, list) and [self._on_card(one) for one in value] in orders:
                    yield f"the order of a stack at answer {number}"

    def _on_card(self, one: Any) -> str:
        """The name on the card that an item of a list may stand for; ids of units alike differ by a number."""
        if isinstance(one, dict):
            name = one.get("name")
            one = name.get("en") if isinstance(name, dict) else one.get("key") or one.get("id")
        return self.cards.get(re.sub(r"_\d$", "", str(one)), str(one))


@pytest.mark.parametrize("wanted", [BIDS, AMBUSH, STACKS], ids=["bids", "ambush", "stacks"])
def test_no_message_holds_what_its_receiver_may_not_know(server: Server, wanted: Data) -> None:
    battle = server.new(**wanted)
    limit = 100 if wanted is STACKS else 10_000  # three rounds of a long battle

    async def go() -> tuple[list[Player], Guest]:
        guest = await Guest(server, battle, battle["spectator"]["secret"]).sit()

        async def watch() -> None:
            while not guest.now["over"] and guest.now["number"] < limit:
                await guest.hear()
                if len(guest.heard) % 30 == 1:
                    await pry(guest)

        players: list[Player] = [Nosy(server, battle, seat, seed=4) for seat in (0, 1)]
        await asyncio.wait_for(asyncio.gather(*(player.play(limit) for player in players), watch()), PATIENCE)
        return players, guest

    players, guest = asyncio.run(go())
    store = Store(server.database)
    record = store.get(battle["id"])
    assert record is not None
    truth = Truth(store, record)
    secrets = {player.secret for player in players} | {guest.secret}
    leaks: list[str] = []
    looked = 0
    for side, one in ((-1, guest), (0, players[0]), (1, players[1])):
        number = 0
        for text in (*one.heard, *one.presence):
            message = json.loads(text)
            if message["type"] in ("hello", "update"):
                number = message["number"]
            over = message.get("over", False)
            leaks += [] if over else truth.told_too_much(side, text, number)
            leaks += [secret for secret in secrets if secret in text]
            if not over:
                leaks += [word for word in (str(record.seed), record.salt) if word in text]
                leaks += [key for key, _ in everything(message) if key in ("seed", "salt", "setup", "track")]
            for key, value in everything(message):
                if key in ("markers", "changed") and isinstance(value, list):
                    leaks += [
                        f"{marker['id']} is seen through at answer {number}"
                        for marker in value
                        if isinstance(marker, dict)
                        and marker.get("kind") == "ambush"
                        and marker["owner"] != side
                        and "holds" in marker
                    ]
            looked += 1

    assert leaks == []
    assert looked > 200
    heard = [json.loads(text) for one in (guest, *players) for text in (*one.heard, *one.presence)]
    kinds = {(told["type"], told.get("why")) for told in heard}
    assert {kind for kind, _ in kinds if kind != "error"} - {"sight", "note", "ahead", "ways"} == {
        "hello", "update", "ack", "refused", "tried", "suggestion", "odds", "aids", "why", "unit", "present", "seen"
    }  # fmt: skip
    assert {why for kind, why in kinds if kind == "error"} <= {"no_answer"}
    if wanted is STACKS:
        assert sum(map(bool, truth.orders.values())) > 20
        assert any(truth.hands.values())
    if wanted is AMBUSH:
        assert any(truth.hidden[number, 0] for number in range(4)), "nothing was hidden: the test shows nothing"
        assert any('"kind":"ambush"' in text for text in guest.heard)


def test_nobody_learns_of_a_commitment_before_all_have_made_theirs(server: Server) -> None:
    battle = server.new(**BIDS)

    async def go() -> None:
        players = [Player(server, battle, seat, seed=1) for seat in (0, 1)]
        guest = await Guest(server, battle, battle["spectator"]["secret"]).sit()
        for player in players:
            await player.sit()
        for _ in range(200):
            both = [p for p in players if p.now["decision"] is not None]
            if len(both) == 2 or any(p.now["over"] for p in players):
                break
            await both[0]._decide(both[0].now["decision"])
            await asyncio.gather(*(_settle(p) for p in (*players, guest)))
        assert len(both) == 2, "nobody was asked at the same time"
        first, second = both
        number = second.now["number"]
        answer = (await first.ask("suggest"))["answer"]

        undone = (await second.ask("undo"))["refusal"]
        heard = len(second.heard)
        assert (await first.answer(answer))["type"] == "ack"
        # Whoever tries to take something back does not find out either that somebody was quicker.
        assert (await second.ask("undo"))["refusal"] == undone
        await asyncio.gather(*(_settle(p) for p in (*players, guest)))
        _, summary = server.call(f"/api/battles/{battle['id']}")
        late = await Guest(server, battle, battle["spectator"]["secret"]).sit()

        assert [json.loads(text)["type"] for text in second.heard[heard:]] == ["refused"]
        assert summary["number"] == late.now["number"] == number
        assert summary["waiting"] == late.now["waiting"] == [0, 1]
        assert first.now["decision"] is None
        assert (await first.answer(answer, number=number))["type"] == "refused"
        await second._decide(second.now["decision"])
        await _settle(first)
        assert first.now["number"] == number + 2

    asyncio.run(go())


async def _settle(guest: Guest) -> None:
    """Hear what there is to hear."""
    try:
        while True:
            await guest.hear(0.15)
    except TimeoutError:
        return


def test_a_replay_of_a_running_battle_tells_no_more_than_the_table(server: Server) -> None:
    battle = server.new(**AMBUSH)

    async def go() -> list[Player]:
        players = [Player(server, battle, seat) for seat in (0, 1)]
        await asyncio.wait_for(asyncio.gather(*(player.play(12) for player in players)), PATIENCE)
        return players

    asyncio.run(go())
    store = Store(server.database)
    record = store.get(battle["id"])
    assert record is not None
    truth = Truth(store, record)
    secrets = [seat["secret"] for seat in battle["seats"]]
    for side, secret in ((-1, battle["spectator"]["secret"]), (0, secrets[0]), (1, secrets[1])):
        status, replay = server.call(f"/api/battles/{battle['id']}/replay?seat={secret}&scenes=1")
        text = json.dumps(replay, ensure_ascii=False, separators=(",", ":"))
        assert status == 200
        assert list(truth.told_too_much(side, text, replay["number"])) == []
        assert "seed" not in replay
        assert not any("answer" in one for one in replay["answers"])
        assert server.call(f"/api/battles/{battle['id']}/save?seat={secret}")[0] == 409
        assert server.call(f"/api/battles/{battle['id']}/branch", {"seat": secret, "number": 1})[0] == 409


ANSWERS: list[Any] = ["?", ["?"], {"?": 1}, {"?": [9.0, 9.0]}, {"?": [[9.0, 9.0], [20.0, 20.0]]}, ["?", "?"], [["?"]]]
PROBES: list[tuple[str, Data]] = [
    ("unit", {"unit": "?"}), ("why", {"unit": "?"}), ("odds", {"attacker": "?", "defender": "+"}),
    ("odds", {"attacker": "+", "defender": "?", "charge": True}), ("sight", {"from": "?", "to": "+"}),
    ("sight", {"from": [0.0, 0.0], "to": "?"}),
    *((type, {"answer": answer}) for type in ("try", "answer") for answer in ANSWERS),
]  # fmt: skip


def _about(data: Any, who: str, other: str) -> Any:
    """A message that asks about somebody."""
    if isinstance(data, dict):
        return {_about(key, who, other): _about(value, who, other) for key, value in data.items()}
    if isinstance(data, list):
        return [_about(value, who, other) for value in data]
    return {"?": who, "+": other}.get(data, data) if isinstance(data, str) else data


def test_who_asks_about_somebody_hidden_hears_the_same_as_about_nobody(server: Server) -> None:
    """A guess is not confirmed: neither by another refusal nor by a name."""
    battle = server.new(**AMBUSH)
    store = Store(server.database)
    record = store.get(battle["id"])
    assert record is not None

    async def go() -> int:
        players = [Player(server, battle, seat, seed=2) for seat in (0, 1)]
        guest = Guest(server, battle, battle["spectator"]["secret"])
        asked = 0
        for limit in (1, 4, 7, 10):
            await asyncio.wait_for(asyncio.gather(*(player.play(limit) for player in players)), PATIENCE)
            truth = Truth(store, record)
            if limit == 1:
                await guest.sit()
            for side, one in ((-1, guest), (0, players[0]), (1, players[1])):
                await _settle(one)
                hidden = sorted(truth.hidden[truth.play.number, side])
                seen = next((u["id"] for u in one.scene["units"]), "nobody_at_all")
                facts = {"number": one.now["number"], "epoch": one.now["epoch"]}
                for who in (*hidden[:1], *hidden[-1:]):
                    for type, about in PROBES:
                        told = []
                        for name in (who, "x" * len(who)):
                            number = facts if type in ("try", "answer") else {}
                            said = await one.ask(type, **_about(about, name, seen), **number)
                            said.pop("id")
                            told.append(json.dumps(said).replace(name, "?"))
                        assert told[0] == told[1], f"{type} {about}"
                        asked += 1
        return asked

    assert asyncio.run(go()) > 100


def test_ids_tags_and_names_of_a_band_tell_nothing_of_the_other() -> None:
    """The same band is called the same whoever stands against it, even its twin."""
    from oriflamme.drawing.tags import unit_tags
    from oriflamme.engine.core.dice import SeededDice
    from oriflamme.engine.words.text import Names

    game = load("sbh")
    lists = [army.id for army in game.armies().lists()][:3]

    def called(first: str, second: str, side: int) -> list[Any]:
        battle = game.begin(game.setup(1, lists=[first, second]), SeededDice(1))
        names, tags = Names(game, battle), unit_tags(battle)
        units = [unit for unit in battle.units.values() if unit.side == side]
        return [(u.id, tags[u.id], names.of[u.id].name, [f.id for f in u.figures]) for u in units]

    for mine in lists:
        assert len({str(called(mine, other, 0)) for other in lists}) == 1
        assert len({str(called(other, mine, 1)) for other in lists}) == 1
        twins = {one[0] for one in called(mine, mine, 0)} & {one[0] for one in called(mine, mine, 1)}
        assert twins == set()


def test_tags_in_an_ambush_tell_no_more_than_the_markers_that_everybody_sees() -> None:
    """Two markers lie for each who hides: how many hide is no secret, so that the number on a tag is none either."""
    from oriflamme.bots.random import RandomBot
    from oriflamme.drawing.tags import unit_tags

    game = load("sbh")
    hidden = 0
    for seed in range(6):
        play = Play(game, game.setup(seed, choices=AMBUSH["choices"]), seed, keep=False)
        tags, bot = unit_tags(play.battle), RandomBot(seed)
        while play.pending and not any(marker.kind == "ambush" for marker in play.battle.markers):
            asked = play.pending[0]
            assert play.answer(asked.side, bot.decide(None, asked)) is None
        behind = [unit for unit in play.battle.units.values() if unit.reserve == "marker"]
        markers = [marker for marker in play.view(-1).battle.markers if marker.kind == "ambush"]
        assert len(markers) == 2 * len(behind)
        there = {unit.side for unit in behind}
        away = sum(unit.side in there and unit.reserve == "band" for unit in play.battle.units.values())
        assert max(int(tags[unit.id][1:]) for unit in behind) <= len(markers) // 2 + away
        hidden += len(behind)
    assert hidden > 10


def test_what_is_hidden_has_no_name_and_gets_it_back_when_it_is_seen() -> None:
    from oriflamme.engine.words.text import Names, Voice

    game = load("sbh")
    play = Play(game, game.setup(1), 1, keep=False)
    names = Names(game, play.battle)
    voice = Voice(game, names)
    mine, theirs = (next(u for u in play.battle.units.values() if u.side == side) for side in (0, 1))
    view = play.view(0).battle

    names.learn(view, frozenset(id for id in play.battle.units if id not in view.units))

    assert voice.name(mine.id) == mine.name["en"]
    assert voice.name(theirs.id) == theirs.id
    assert names.spell_out(f"{theirs.id}: no", "en") == f"{theirs.id}: no"
    names.learn(play.battle)
    assert voice.name(theirs.id) == theirs.name["en"]
