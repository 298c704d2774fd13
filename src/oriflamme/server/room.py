"""A battle in memory and the clients round it: loading it, taking answers, and telling everybody what has changed.

A room is loaded by playing the stored answers again, and forgotten when nobody is there. What a side may know is in
`views`, taking back in `undo`, and what programs do at the table in `bots`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from oriflamme.engine.core.decisions import Refused
from oriflamme.engine.core.dice import dice_from
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import GIVE_UP, Play
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.games import load
from oriflamme.server.bots import BotPlayers
from oriflamme.server.clients import SAME, Client, encode
from oriflamme.server.film import result_data
from oriflamme.server.learn.teaching import Teacher, kept_of
from oriflamme.server.scene import changes
from oriflamme.server.store import SPECTATOR, Conflict, Record, Store
from oriflamme.server.thinking import Job, Thinkers, Thought
from oriflamme.server.views import Views

if TYPE_CHECKING:
    from oriflamme.server.club.clocks import Clock

Data = dict[str, Any]
T = TypeVar("T")

MOST_BEFORE: Final = 100  # answers given in place of somebody before one with which he can give up
SLICE: Final = 25  # answers played again before others have a turn


def setup_of(raw: bytes) -> Data:
    """What a battle begins with; its parts are shared with other battles that begin with the same army or map. Nobody
    changes them: a battle is made from them."""
    parts = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    return {
        key: [_part(bytes(one)) for one in msgspec.json.decode(part, type=list[msgspec.Raw])]
        if bytes(part).startswith(b"[")
        else _part(bytes(part))
        for key, part in parts.items()
    }


@lru_cache(maxsize=512)
def _part(raw: bytes) -> Any:
    return msgspec.json.decode(raw)


def _light(record: Record) -> Record:
    return msgspec.structs.replace(record, setup=b"")


class Room:
    """One battle: the play, what is stored of it, and who is there."""

    def __init__(self, record: Record, store: Store, thinkers: Thinkers) -> None:
        # Without its setup, of which there are parts below that it shares with other battles.
        self.record = _light(record)
        self.store = store
        self.thinkers = thinkers
        self.game: Game = load(record.game)
        if record.rules != self.game.version:
            said = notice("played_with_rules", rules=record.rules, game=record.game, now=self.game.version)
            raise problem_with("battle", said, hint=notice("open_with_its_version"))
        self.setup = setup_of(record.setup)
        first = self.game.open(self.setup, dice_from(record.seed, record.given))
        self.lock = asyncio.Lock()
        self.clients: set[Client] = set()
        self.epoch = record.epoch
        self.undo: Data = msgspec.json.decode(record.undo) if record.undo else {}
        self.bots = {side: name for side, name in enumerate(record.players) if name}
        self.play = Play(self.game, self.setup, record.seed, **record.dice, keep=False)
        self.asked: tuple[int, ...] = ()
        self.views = Views(self.game, first, self.play)
        self.teacher = Teacher(self.setup)
        self.bot_players = BotPlayers(self)
        # What each side lets pass, with the words it was asked in; and the question it is asked all the same, since
        # answers were taken back to it.
        self.passes: dict[int, dict[str, dict[str, str]]] = {}
        self.asked_again: int | None = None
        self.clock: Clock | None = None
        self.stale = True
        self.veiled = bool(record.parent)
        # Seconds it took to find that the last answer is to be refused.
        self.took = 0.0
        # When something happened here last, or somebody wanted something.
        self.used = monotonic()

    # -- loading -------------------------------------------------------------------------------------------------------

    async def run(self, function: Callable[..., T], *args: Any, **named: Any) -> T:
        """Use the store: a file at once, a server in a thread."""
        if self.store.is_file:
            return function(*args, **named)
        return await asyncio.to_thread(function, *args, **named)

    async def load(self) -> None:
        """Play everything that is stored again, from the beginning."""
        record = await self.run(self.store.get, self.record.id)
        if record is None:
            raise problem_with("battle", notice("battle_gone"))
        self.record, self.epoch = _light(record), record.epoch
        await self.look_at_parent()
        self.undo = msgspec.json.decode(record.undo) if record.undo else {}
        self.passes = await self.run(self.store.passes, record.id)
        self.play = Play(self.game, self.setup, record.seed, **record.dice, keep=False)
        self.views.begin_anew(self.play)
        await self.catch_up()

    async def look_at_parent(self) -> None:
        """Whether the battle this one was branched from goes on."""
        if self.veiled:
            parent = await self.run(self.store.get, self.record.parent)
            self.veiled = parent is not None and not parent.over

    async def catch_up(self) -> None:
        """Play the stored answers that are new."""
        kept = await self.run(self.store.answers, self.record.id, after=len(self.play.answers))
        for place, one in enumerate(kept, 1):
            self.teacher.look(self.play)
            refusal = self.play.answer(one.side, msgspec.json.decode(one.answer))
            dice = self.play.marks[-2][2] if len(self.play.marks) > 1 else 0
            if refusal is not None or tuple(self.play.battle.dice.thrown[dice:]) != one.dice:
                raise problem_with("battle", notice("answer_misfit", number=one.number), hint=notice("store_changed"))
            if place % SLICE == 0:
                await asyncio.sleep(0)
        self._changed()
        self.stale = False

    def _changed(self) -> None:
        self.used = monotonic()
        self.teacher.look(self.play)
        self.views.changed()
        # Who was asked, not who has yet to answer: of a simultaneous decision nobody sees who was quicker.
        answered = (side for side, _ in self.play.answers[self.play.number :])
        self.asked = tuple(sorted({*answered, *(decision.side for decision in self.play.pending)}))

    @property
    def is_used(self) -> bool:
        """Somebody sits here, or something goes on: it cannot be forgotten now."""
        return bool(self.clients) or self.bot_players.hurried or self.lock.locked()

    @property
    def over(self) -> bool:
        return not self.play.pending

    @property
    def disclosed(self) -> bool:
        """Everything may be known: it is over, and so is the battle it was branched from, where the same is hidden."""
        return self.over and not self.veiled

    # -- what everybody may know ---------------------------------------------------------------------------------------

    def summary(self) -> Data:
        """What anybody may know who knows the id."""
        record = self.record
        data: Data = {
            "id": record.id,
            "game": record.game,
            "title": record.title,
            "mode": record.mode,
            "created": record.created,
            "players": [{"side": side, "bot": name or None} for side, name in enumerate(record.players)],
            "options": record.options,
            "choices": {key: self.setup[key] for key in self.game.choices if key in self.setup},
            "seed_hash": record.seed_hash,
            "further_seeds": self.further_seeds(),
            "analysis": record.analysis,
            "campaign": record.campaign or None,
            "number": self.play.number,
            "epoch": self.epoch,
            "round": self.play.battle.round,
            "over": self.over,
            "waiting": list(self.asked) if not self.over else [],
            "armies": self.views.armies(SPECTATOR, disclosed=self.disclosed),
            "measuring": self.measuring(),
        }
        if self.over:
            data |= self.end()
        return data

    def whole_record(self) -> Record:
        """The record as it is stored."""
        return msgspec.structs.replace(self.record, setup=msgspec.json.encode(self.setup))

    def measuring(self) -> Data:
        """Whether everybody may measure at any time, and the rule by which nobody may."""
        battle = self.play.battle
        return {"open": bool(battle.open_measuring), "rule": battle.measuring_rule}

    def end(self) -> Data:
        """What is published when the battle is over: the result, and what the dice were made from."""
        result = result_data(self.game, self.play)
        seeds = {"seed": str(self.record.seed), "salt": self.record.salt, "further_seeds": self.further_seeds()}
        return {"result": result, **seeds, "open": self.disclosed, "measuring": self.measuring()}

    def further_seeds(self) -> list[Data]:
        """The seeds after the first, each published as that is: its hash at once, the rest when the battle is over."""
        return [
            {"after": one.after, "seed_hash": one.seed_hash}
            | ({"seed": str(one.seed), "salt": one.salt} if self.over else {})
            for one in self.record.seeds
        ]

    # -- who is there --------------------------------------------------------------------------------------------------

    def sit_down(self, client: Client) -> None:
        """Somebody comes to the table. Who has the same seat open too often is let go where he sat first."""
        if client.sides:
            same = [one for one in self.clients if one.seat == client.seat and not one.lost]
            for one in sorted(same, key=lambda one: one.since)[: max(0, len(same) - SAME + 1)]:
                one.cut()
        self.clients.add(client)

    # -- messages ------------------------------------------------------------------------------------------------------

    def hello(self, client: Client, since: int = 0) -> bytes:
        """Everything from the beginning, or the log since what the client has already."""
        side = client.side = self.viewpoint(client)
        client.answers = len(self.play.answers)
        client.scene = self.views.scene(side)
        lines = self.views.lines(side, client.lang)
        since = since if 0 < since <= len(lines) else 0
        client.lines = len(lines)
        about = self.summary()
        return encode(
            {
                "type": "hello",
                "battle": about.pop("id"),
                **about,
                **self.teacher.about(),
                "measure": self.game.measure,
                "you": {"sides": list(client.sides), "spectator": client.seat == SPECTATOR},
                **self._now(client),
                "scene": client.scene.data(),
                "from": since,
                "log": lines.since(since),
            }
        )

    def _now(self, client: Client) -> Data:
        data: Data = {
            "number": self.play.number,
            "epoch": self.epoch,
            "side": client.side,
            "decision": self._question(client) if client.sides else None,
            "waiting": list(self.asked) if not self.over else [],
            "undo": self.undo or None,
            "over": self.over,
            # What was hidden of an army may have its name now.
            "armies": self.views.armies(client.side, disclosed=self.disclosed),
        }
        passes = self.passes_of(client.sides)
        if passes:
            data["passes"] = passes
        if not self.over:
            return data
        return data | self.end()

    def _question(self, client: Client) -> Data | None:
        data = self.views.decision(client.side, client.lang)
        return self.teacher.with_hint(data, self.play, client.side, client.lang)

    def viewpoint(self, client: Client) -> int:
        """The side a client looks from: his own; in a hot seat, the one that is asked."""
        if not client.sides:
            return SPECTATOR
        mine = [d.side for d in self.play.pending if d.side in client.sides]
        if mine:
            return mine[0]
        return client.side if client.side in client.sides else client.sides[0]

    def broadcast(self) -> None:
        """Send everybody what has changed; of a commitment that others have yet to make, only who has just made it."""
        committed = {side for side, _ in self.play.answers[self.play.number :]}
        heads: dict[tuple[Any, ...], bytes] = {}
        tails: dict[tuple[Any, ...], bytes] = {}
        for client in self.clients:
            before = client.scene
            fresh = {side for side, _ in self.play.answers[max(client.answers, self.play.number) :]}
            wished = bool(self.undo) and client.undo != self.undo
            if before is None or (committed and fresh.isdisjoint(client.sides) and not wished):
                continue
            client.answers, client.undo = len(self.play.answers), self.undo
            side = client.side = self.viewpoint(client)
            scene, lines = self.views.scene(side), self.views.lines(side, client.lang)
            head = (side, client.sides, client.lang)
            if head not in heads:
                heads[head] = encode({"type": "update", **self._now(client)})
            tail = (id(before), id(scene), id(lines), client.lines)
            if tail not in tails:
                news = {"changes": changes(before, scene), "from": client.lines, "log": lines.since(client.lines)}
                tails[tail] = encode(news)
            client.scene, client.lines = scene, len(lines)
            client.push(heads[head][:-1] + b"," + tails[tail][1:])

    # -- answers -------------------------------------------------------------------------------------------------------

    def _late(self, number: int, epoch: int) -> Refusal | None:
        if epoch != self.epoch or number != self.play.number:
            facts = {"number": number, "expected": self.play.number, "epoch": epoch, "expected_epoch": self.epoch}
            return Refusal("", "answer_is_late", facts)
        return None

    def not_yours(self, side: int) -> Refusal:
        """Somebody else is asked. Of those asked together nobody is told who has yet to answer."""
        if not self.play.pending:
            return Refusal("", "battle_is_over")
        return Refusal("", "not_yours", {"side": side, "waiting_for": self.asked[0]})

    async def answer(self, side: int, raw: Any, number: int, epoch: int) -> Refusal | None:
        """Take an answer: it is stored when this returns None, and has changed nothing when it returns why not."""
        async with self.lock:
            self.took = 0.0
            await self.ready()
            late = self._late(number, epoch)
            if late is not None:
                return late
            if self.play.pending and self.play.decision_of(side) is None:
                return self.not_yours(side)
            refusal = await self._take(side, raw, number, epoch)
            if refusal is not None:
                return refusal
            await self._let_pass()
            await self._turned()
            self.broadcast()
            self.bot_players.wake()
            return None

    async def _turned(self) -> None:
        """Somebody else is asked now: other clocks run."""
        if self.clock is not None:
            await self.clock.turned()

    async def concede(self, side: int) -> None:
        """Let a side give up that has nobody to do it, at its first question that can be answered so; those before are
        answered as the rules suggest. To be called with the lock held."""
        for _ in range(MOST_BEFORE):
            asked = self.play.decision_of(side)
            if asked is None:
                return
            gives_up = any(option.key == GIVE_UP.key for option in asked.extra_options)
            answer = GIVE_UP.key if gives_up else asked.suggestion()
            if await self._take(side, answer, self.play.number, self.epoch) is not None or gives_up:
                break
        await self._let_pass()

    async def _take(self, side: int, raw: Any, number: int, epoch: int) -> Refusal | None:
        """Play an answer and store it; nobody is told yet."""
        try:
            begun = perf_counter()
            refusal = self.play.answer(side, raw, number)
            if refusal is not None:
                self.took = perf_counter() - begun
                return refusal
            kept = kept_of(self.play, len(self.play.answers) - 1)[0]
            await self.store.append_soon(self.record.id, self.epoch, kept, over=self.over)
        except Conflict:
            await self.resume()
            return self._late(number, epoch) or Refusal("", "answer_is_late", {"number": number})
        except BaseException:
            # The play may be ahead of the store, or in the middle of something: what is stored counts.
            await self.resume()
            raise
        self.undo = {}
        self._changed()
        return None

    # -- questions that are let pass -------------------------------------------------------------------------------

    def passes_of(self, sides: tuple[int, ...]) -> list[Data]:
        """What these sides let pass whenever it is asked."""
        return [
            {"side": side, "ask": ask, "words": words}
            for side in sides
            for ask, words in self.passes.get(side, {}).items()
        ]

    async def _let_pass(self) -> None:
        """Answer for those who let pass what they are asked, until somebody has to be asked."""
        while self.play.number != self.asked_again:
            may = [d for d in self.play.pending if d.passing is not None and d.side not in self.bots]
            if not may:
                return
            # Another process may have been told.
            self.passes = await self.run(self.store.passes, self.record.id)
            asked = next((d for d in may if d.ask in self.passes.get(d.side, {})), None)
            if asked is None or asked.passing is None:
                return
            if await self._take(asked.side, asked.passing[0], self.play.number, self.epoch) is not None:
                return

    async def pass_always(self, side: int, ask: str, number: int, epoch: int) -> Refusal | None:
        """Let the question pass that a side is asked, and from now on whenever it is asked again."""
        async with self.lock:
            await self.ready()
            late = self._late(number, epoch)
            if late is not None:
                return late
            asked = self.play.decision_of(side)
            if asked is None:
                return self.not_yours(side)
            if asked.ask != ask or asked.passing is None:
                return Refusal(asked.rule, "must_be_answered")
            words = {lang: self.views.voice(side, lang).ask(asked).text for lang in LANGUAGES}
            await self.run(self.store.let_pass, self.record.id, side, ask, words)
            self.passes.setdefault(side, {})[ask] = words
            refusal = await self._take(side, asked.passing[0], number, epoch)
            if refusal is not None:
                return refusal
            await self._let_pass()
            await self._turned()
            self.broadcast()
            self.bot_players.wake()
            return None

    async def ask_again(self, side: int, ask: str) -> None:
        """Ask a side again what it has let pass."""
        async with self.lock:
            await self.ready()
            await self.run(self.store.let_pass, self.record.id, side, ask, None)
            self.passes.get(side, {}).pop(ask, None)
            for client in self.clients:
                if side in client.sides:
                    client.push(encode({"type": "passes", "passes": self.passes_of(client.sides)}))

    async def resume(self) -> None:
        """Go on from what is stored."""
        epoch, self.stale = self.epoch, True
        await self.load()
        if epoch == self.epoch:
            self.broadcast()
        else:
            self.asked_again = self.play.number
            self.bot_players.deploying.clear()
            for client in self.clients:
                client.push(self.hello(client))
        await self._turned()
        self.bot_players.wake()

    async def ready(self) -> None:
        """What could not be read when something went wrong is read now. To be called with the lock held."""
        if self.stale:
            await self.resume()
        elif self.over:
            await self.look_at_parent()

    def tried(self, side: int, raw: Any, number: int, epoch: int) -> tuple[Any, Refusal | None]:
        """Whether an answer would be accepted, and as what."""
        late = self._late(number, epoch)
        if late is not None:
            return None, late
        decision = self.play.decision_of(side)
        if decision is None:
            return None, self.not_yours(side)
        try:
            return decision.accept(raw), None
        except Refused as refused:
            return None, refused.refusal

    async def notice(self, answers: int, epoch: int, undo: str) -> None:
        """Somebody else may have written to the battle: take it up."""
        async with self.lock:
            await self.ready()
            if epoch > self.epoch:
                await self.resume()
            if epoch < self.epoch or answers < len(self.play.answers):
                return
            asked = msgspec.json.decode(undo) if undo else {}
            if answers > len(self.play.answers) or asked != self.undo:
                self.undo = asked
                await self.catch_up()
                await self._turned()
                self.broadcast()
                self.bot_players.wake()

    # -- thinking ------------------------------------------------------------------------------------------------------

    def job(self, do: str, side: int, **facts: Any) -> Job:
        """Something for a thinking process, with all it must know of the battle."""
        record = self.whole_record()
        about = (record.id, record.game, record.setup, record.seed, self.epoch)
        return Job(do, *about, self.written_answers(), side, facts, **record.dice)

    def written_answers(self, most: int | None = None) -> list[tuple[int, bytes]]:
        """The answers so far, or the first of them, each with whose it is, as they are stored."""
        return [(side, encode(answer)) for side, answer in self.play.answers[:most]]

    async def ask(self, do: str, side: int, **facts: Any) -> Thought:
        """Let a thinking process work something out."""
        async with self.lock:
            job = self.job(do, side, **facts)
        return await self.thinkers.ask(job)
