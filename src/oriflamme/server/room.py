"""A battle in memory and the clients round it.

A room is loaded by playing the stored answers again, and forgotten when nobody is there. Everything sent is made from
`Play.view`: no message holds the dice to come, the seed, what is hidden from its receiver, or what others committed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from operator import itemgetter
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from oriflamme.drawing import is_on_table, unit_tags
from oriflamme.engine.aids import End
from oriflamme.engine.battle import Battle
from oriflamme.engine.decisions import Allocate, Decision, Manoeuvre, Option, Refused
from oriflamme.engine.dice import dice_from
from oriflamme.engine.events import Refusal
from oriflamme.engine.game import Game
from oriflamme.engine.notices import notice
from oriflamme.engine.play import Play
from oriflamme.engine.problems import problem_with
from oriflamme.engine.taking_back import why_never
from oriflamme.engine.text import Names, Voice
from oriflamme.games import load
from oriflamme.server.film import line_of
from oriflamme.server.scene import Painter, changes
from oriflamme.server.store import HOTSEAT, SPECTATOR, Conflict, Kept, Record, Settled, Store, sealed
from oriflamme.server.thinking import GaveUp, Job, Thinkers, Thought
from oriflamme.server.words import refusal_line, spans

Data = dict[str, Any]
T = TypeVar("T")

log = logging.getLogger("oriflamme.server")

ROOMS: Final = 400  # battles kept in memory
QUEUE: Final = 400  # messages a slow client may be behind
CLIENTS: Final = 64  # round one table
NOBODY: Final = -9  # whose names nobody has asked for yet
SLICE: Final = 25  # answers played again before others have a turn


encode = msgspec.json.Encoder(enc_hook=str).encode


def question(decision: Decision, voice: Voice, tell: Callable[[Option], Data] | None = None) -> Data:
    """What somebody is asked, with words for everything; options as `tell` tells them, if it is given."""
    told = decision.data() | {"words": spans(voice.ask(decision)), "secret": decision.secret}
    for group in ("options", "besides"):
        options = getattr(decision, group, ())
        if options:
            told[group] = [tell(option) if tell else offered(option, decision, voice) for option in options]
    if isinstance(decision, Allocate):
        told["slot_words"] = {slot: spans(voice.slot(decision, slot)) for slot in decision.slots}
    default = getattr(decision, "default", None)
    return told | {"default": default} if default is not None else told


def offered(option: Option, decision: Decision, voice: Voice) -> Data:
    """Something that may be chosen, in words."""
    return {**msgspec.to_builtins(option, enc_hook=str), "words": spans(voice.option(decision, option))}


class Client:
    """Somebody at the table: the sides he plays, his language, and what he has been told."""

    def __init__(self, seat: int, sides: Sequence[int], lang: str) -> None:
        self.seat = seat
        self.sides = tuple(sides)
        self.lang = lang
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        self.scene: Data | None = None
        self.lines = 0
        self.side = SPECTATOR
        self.lost = False

    def push(self, message: bytes) -> None:
        """Send when it can be sent. Who cannot keep up is cut off and may come back."""
        if self.lost:
            return
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.lost = True
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)


class Room:
    """One battle: the play, what is stored of it, and who is there."""

    def __init__(self, record: Record, store: Store, thinkers: Thinkers) -> None:
        self.record = record
        self.store = store
        self.thinkers = thinkers
        self.game: Game = load(record.game)
        if record.rules != self.game.version:
            said = notice("played_with_rules", rules=record.rules, game=record.game, now=self.game.version)
            raise problem_with("battle", said, hint=notice("open_with_its_version"))
        self.setup: Data = msgspec.json.decode(record.setup)
        first = self.game.begin(self.setup, dice_from(record.seed, record.given))
        self.tags = unit_tags(first)
        # Whether this game ever hides anything; whether it does now, the battle knows.
        self.has_secrets = type(first).hide is not Battle.hide
        self.names = Names(self.game, first, self.tags)
        self.voices = {lang: Voice(self.game, self.names, lang) for lang in ("en", "fr")}
        self.lock = asyncio.Lock()
        self.clients: set[Client] = set()
        self.epoch = record.epoch
        self.undo: Data = msgspec.json.decode(record.undo) if record.undo else {}
        self.bots = {side: name for side, name in enumerate(record.players) if name}
        self.play = Play(self.game, self.setup, record.seed, **record.dice, keep=False)
        self.raw: list[tuple[int, bytes]] = []
        self.asked: tuple[int, ...] = ()
        self._seen: dict[int, Any] = {}
        self._scenes: dict[int, Data] = {}
        self._painters: dict[int, Painter] = {}
        self._named = NOBODY
        self._open = False
        self._lines: dict[tuple[int, str], list[msgspec.Raw]] = {}
        self._spoken: dict[tuple[int, str, int], msgspec.Raw] = {}
        self._thinking: asyncio.Task[None] | None = None
        # Bots play on although nobody watches, as fast as they can.
        self.hurried = False
        self.stale = True
        self.veiled = bool(record.parent)

    # -- loading ---------------------------------------------------------------------------------------------------

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
        self.record, self.epoch = record, record.epoch
        await self.look_at_parent()
        self.undo = msgspec.json.decode(record.undo) if record.undo else {}
        self.play = Play(self.game, self.setup, record.seed, **record.dice, keep=False)
        self.raw = []
        self._lines.clear()
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
            refusal = self.play.answer(one.side, msgspec.json.decode(one.answer))
            dice = self.play.marks[-2][2] if len(self.play.marks) > 1 else 0
            if refusal is not None or tuple(self.play.battle.dice.thrown[dice:]) != one.dice:
                raise problem_with("battle", notice("answer_misfit", number=one.number), hint=notice("store_changed"))
            self.raw.append((one.side, one.answer))
            if place % SLICE == 0:
                await asyncio.sleep(0)
        self._changed()
        self.stale = False

    def _changed(self) -> None:
        self._seen.clear()
        self._scenes.clear()
        self._spoken.clear()
        self._named = NOBODY
        self._open = self.play.battle.is_open()
        # Who was asked, not who has yet to answer: of a simultaneous decision nobody sees who was quicker.
        if len(self.play.answers) == self.play.number:
            self.asked = tuple(sorted(d.side for d in self.play.pending))

    @property
    def over(self) -> bool:
        return not self.play.pending

    @property
    def disclosed(self) -> bool:
        """Everything may be known: it is over, and so is the battle it was branched from, where the same is hidden."""
        return self.over and not self.veiled

    # -- what a side may know --------------------------------------------------------------------------------------

    def seen(self, side: int) -> Any:
        """The battle as a side sees it; a spectator sees what everybody does."""
        side = self._eyes(side)
        if side not in self._seen:
            self._seen[side] = self.play.view(side).battle
        return self._seen[side]

    def _eyes(self, side: int) -> int:
        """Whose eyes are as good: where nothing is hidden, anybody's."""
        return SPECTATOR if self._open else side

    def _look(self, side: int) -> Any:
        """What a side sees, to be read and nothing else: the battle itself where nothing is hidden."""
        return self.play.battle if self._open else self.seen(side)

    def scene(self, side: int) -> Data:
        side = self._eyes(side)
        if side not in self._scenes:
            painter = self._painters.setdefault(side, Painter(self.game, self.tags))
            self._scenes[side] = painter.scene(self._look(side))
        return self._scenes[side]

    def voice(self, side: int, lang: str) -> Voice:
        side = self._eyes(side)
        if self._named != side:
            seen = self._look(side)
            self.names.learn(seen, frozenset(id for id in self.play.battle.units if id not in seen.units))
            self._named = side
        return self.voices[lang]

    def lines(self, side: int, lang: str) -> list[msgspec.Raw]:
        """The log in words. Events are public; what a thing is called may depend on who looks."""
        made = self._lines.setdefault((side if self.has_secrets else SPECTATOR, lang), [])
        events = self.play.events
        if len(made) < len(events):
            voice, eyes = self.voice(side, lang), self._eyes(side)
            number = bisect_right(self.play.marks, len(made), key=itemgetter(1))
            for place in range(len(made), len(events)):
                while number < len(self.play.marks) and self.play.marks[number][1] <= place:
                    number += 1
                line = self._spoken.get((eyes, lang, place))
                if line is None:
                    line = self._spoken[eyes, lang, place] = msgspec.Raw(
                        encode(line_of(self.play, voice, place, number))
                    )
                made.append(line)
        return made

    def decision(self, side: int, lang: str) -> Data | None:
        """What a side is asked, with words for everything."""
        decision = self.play.decision_of(side)
        if decision is None:
            return None
        voice = self.voice(side, lang)
        told = question(decision, voice, lambda option: self._option(voice, decision, option))
        guide = self.game.aids().guide(self.seen(side), decision) if isinstance(decision, Manoeuvre) else None
        return told | {"guide": msgspec.to_builtins(guide)} if guide is not None else told

    def _option(self, voice: Voice, decision: Decision, option: Option) -> Data:
        """Something that may be chosen: in words, and if it is an attack, whose on whom."""
        told = offered(option, decision, voice)
        if option in decision.besides:
            return told
        strike = self.game.aids().strike(decision, option)
        return told | {"strike": msgspec.to_builtins(strike)} if strike is not None else told

    # -- aids for the eye ------------------------------------------------------------------------------------------

    def aids(self, side: int, lang: str, *, threats: bool, option: str = "") -> list[Data]:
        """What may be drawn for what a side is asked, or for one option of it; or how far its enemies could strike."""
        seen, voice, aids = self.seen(side), self.voice(side, lang), self.game.aids()
        decision = self.play.decision_of(side) if side >= 0 else None
        if threats:
            found = aids.threats(seen, side)
        elif option and decision is not None:
            meant = next((one for one in getattr(decision, "options", ()) if one.key == option), None)
            found = aids.pointed(seen, decision, meant) if meant is not None else []
        else:
            found = aids.around(seen, decision) if decision is not None else []
        return [
            {
                "kind": aid.kind,
                "of": aid.of,
                "rule": aid.rule,
                "words": spans(voice.aid(aid.say, aid.facts, aid.rule)),
                "circles": aid.circles,
                "rings": aid.rings,
                "limits": aid.limits,
            }
            for aid in found
        ]

    def sight(self, side: int, lang: str, start: End, end: End) -> Data:
        """What lies between two figures or points, as this side sees the table."""
        found = self.game.aids().sight(self.seen(side), start, end)
        words = spans(self.voice(side, lang).aid(found.say, found.facts, found.rule))
        return {
            "distance": found.distance,
            "seen": found.seen,
            "cover": found.cover,
            "through": found.through,
            "rule": found.rule,
            "words": words,
        }

    def end_at(self, side: int, place: str | list[float]) -> End | None:
        """One end of a line: a figure this side sees on the table, or a point of it."""
        if not isinstance(place, str):
            table = self.play.battle.table
            return End(min(max(place[0], 0.0), table.width), min(max(place[1], 0.0), table.depth))
        for unit in self.seen(side).units.values():
            if is_on_table(unit):
                for figure in unit.figures:
                    if figure.id == place:
                        return End(figure.x, figure.y, figure.id)
        return None

    def why(self, side: int, lang: str, unit: str) -> list[Data]:
        """What cannot be done now with a unit, or to it, and why."""
        decision = self.play.decision_of(side) if side >= 0 else None
        voice = self.voice(side, lang)
        return [
            {"deed": voice.word("deed", one.deed), "refusal": self.refusal(one.refusal, side, lang)}
            for one in self.game.aids().cannot(self.seen(side), decision, unit)
        ]

    def refusal(self, refusal: Refusal, side: int, lang: str) -> Data:
        """Why not: rule, numbers and words."""
        words = spans(refusal_line(self.voice(side, lang), refusal))
        return {"rule": refusal.rule, "why": refusal.why, "facts": refusal.facts, "words": words}

    def armies(self, side: int) -> list[Data | None]:
        """What the armies are called; one of which something is hidden keeps its name to itself."""
        told: list[Data | None] = []
        seen = self.play.battle.units if self.disclosed else self._look(side).units
        for number, army in enumerate(self.setup.get("armies", ())):
            hidden = any(u.side == number and id not in seen for id, u in self.play.battle.units.items())
            told.append(None if hidden and number != side else army.get("name"))
        return told

    def summary(self) -> Data:
        """What anybody may know who knows the id."""
        record = self.record
        told: Data = {
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
            "armies": self.armies(SPECTATOR),
        }
        if self.over:
            told |= self.end()
        return told

    def end(self) -> Data:
        """What is published when the battle is over: the result, and what the dice were made from."""
        result = self.game.result(self.play.battle)
        seeds = {"seed": str(self.record.seed), "salt": self.record.salt, "further_seeds": self.further_seeds()}
        return {"result": result, **seeds, "open": self.disclosed}

    def further_seeds(self) -> list[Data]:
        """The seeds after the first, each published as that is: its hash at once, the rest when the battle is over."""
        return [
            {"after": one.after, "seed_hash": one.seed_hash}
            | ({"seed": str(one.seed), "salt": one.salt} if self.over else {})
            for one in self.record.seeds
        ]

    # -- messages --------------------------------------------------------------------------------------------------

    def hello(self, client: Client, since: int = 0) -> bytes:
        """Everything from the beginning, or the log since what the client has already."""
        side = client.side = self.viewpoint(client)
        client.scene = self.scene(side)
        lines = self.lines(side, client.lang)
        since = since if 0 < since <= len(lines) else 0
        client.lines = len(lines)
        about = self.summary()
        return encode(
            {
                "type": "hello",
                "battle": about.pop("id"),
                **about,
                "measure": self.game.measure,
                "you": {"sides": list(client.sides), "spectator": client.seat == SPECTATOR},
                "armies": self.armies(side),
                **self._now(client),
                "scene": client.scene,
                "from": since,
                "log": lines[since:],
            }
        )

    def _now(self, client: Client) -> Data:
        told: Data = {
            "number": self.play.number,
            "epoch": self.epoch,
            "side": client.side,
            "decision": self.decision(client.side, client.lang) if client.sides else None,
            "waiting": list(self.asked) if not self.over else [],
            "undo": self.undo or None,
            "over": self.over,
        }
        return told | self.end() if self.over else told

    def viewpoint(self, client: Client) -> int:
        """The side a client looks from: his own; in a hot seat, the one that is asked."""
        if not client.sides:
            return SPECTATOR
        mine = [d.side for d in self.play.pending if d.side in client.sides]
        if mine:
            return mine[0]
        return client.side if client.side in client.sides else client.sides[0]

    def broadcast(self) -> None:
        """Tell everybody what has changed; of a commitment that others have yet to make, only those who made it."""
        committed = {side for side, _ in self.play.answers[self.play.number :]}
        heads: dict[tuple[Any, ...], bytes] = {}
        tails: dict[tuple[Any, ...], bytes] = {}
        for client in self.clients:
            before = client.scene
            if before is None or (committed and committed.isdisjoint(client.sides)):
                continue
            side = client.side = self.viewpoint(client)
            scene, lines = self.scene(side), self.lines(side, client.lang)
            head = (side, client.sides, client.lang)
            if head not in heads:
                heads[head] = encode({"type": "update", **self._now(client)})
            tail = (id(before), id(scene), id(lines), client.lines)
            if tail not in tails:
                told = {"changes": changes(before, scene), "from": client.lines, "log": lines[client.lines :]}
                tails[tail] = encode(told)
            client.scene, client.lines = scene, len(lines)
            client.push(heads[head][:-1] + b"," + tails[tail][1:])

    # -- answers ---------------------------------------------------------------------------------------------------

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
            await self.ready()
            late = self._late(number, epoch)
            if late is not None:
                return late
            if self.play.pending and self.play.decision_of(side) is None:
                return self.not_yours(side)
            try:
                refusal = self.play.answer(side, raw, number)
                if refusal is not None:
                    return refusal
                kept = self._kept()
                await self.run(self.store.append, self.record.id, self.epoch, kept, over=self.over)
            except Conflict:
                await self._resume()
                return self._late(number, epoch) or Refusal("", "answer_is_late", {"number": number})
            except BaseException:
                # The play may be ahead of the store, or in the middle of something: what is stored counts.
                await self._resume()
                raise
            self.raw.append((side, kept.answer))
            self.undo = {}
            self._changed()
            self.broadcast()
            self.think()
            return None

    def _kept(self) -> Kept:
        play = self.play
        (_, events, dice), (ask, events_now, dice_now) = play.marks[-2:]
        side, answer = play.answers[-1]
        thrown = tuple(play.battle.dice.thrown[dice:dice_now])
        told = encode(play.events[events:events_now])
        return Kept(len(play.answers), side, ask, encode(answer), thrown, told)

    async def _resume(self) -> None:
        """Go on from what is stored."""
        epoch, self.stale = self.epoch, True
        await self.load()
        if epoch == self.epoch:
            self.broadcast()
        else:
            for client in self.clients:
                client.push(self.hello(client))
        self.think()

    async def ready(self) -> None:
        """What could not be read when something went wrong is read now. To be called with the lock held."""
        if self.stale:
            await self._resume()
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
                await self._resume()
            if epoch < self.epoch or answers < len(self.play.answers):
                return
            asked = msgspec.json.decode(undo) if undo else {}
            if answers > len(self.play.answers) or asked != self.undo:
                self.undo = asked
                await self.catch_up()
                self.broadcast()
                self.think()

    # -- taking back -----------------------------------------------------------------------------------------------

    async def take_back(self, sides: Sequence[int], to: int | None, *, anyway: bool) -> Refusal | None:
        """Take answers back: freely while no die fell, further if the others consent; but not what ended the battle or
        brought something to light. Where dice fell, those to come are of a new seed."""
        async with self.lock:
            await self.ready()
            if bool(self.record.campaign) and await self.run(self.store.is_settled, self.record.id):
                return Refusal("", "campaign_went_on")
            mine = [n for n, (side, _) in enumerate(self.play.answers) if side in sides]
            if not mine:
                return Refusal("", "nothing_to_take_back")
            to = mine[-1] if to is None else to
            if to not in mine:
                return Refusal("", "not_your_answer", {"number": to})
            never = await self._why_never(to)
            if never is not None:
                return never
            why = self._why_not_back(sides, to)
            if why is not None and not anyway:
                return why
            others = self._others(sides)
            if why is not None and others:
                wish = {"by": sides[0], "to": to, "yes": []}
                try:
                    await self.run(
                        self.store.ask_undo, self.record.id, self.epoch, len(self.play.answers), encode(wish).decode()
                    )
                except Conflict:
                    await self._resume()
                    return Refusal("", "answer_is_late")
                self.undo = wish
                self.broadcast()
                return None
            return await self._back(to)

    async def consent(self, sides: Sequence[int], yes: bool) -> Refusal | None:
        """Let the opponent take answers back, or not."""
        async with self.lock:
            await self.ready()
            wish = self.undo
            if not wish or wish["by"] in sides:
                return Refusal("", "nothing_to_consent_to")
            agreed = sorted({*wish["yes"], *(side for side in sides if yes)})
            if yes and all(side in agreed for side in self._others((wish["by"],))):
                return await self._back(wish["to"])
            wish = wish | {"yes": agreed} if yes else {}
            told = encode(wish).decode() if wish else ""
            try:
                await self.run(self.store.ask_undo, self.record.id, self.epoch, len(self.play.answers), told)
            except Conflict:
                await self._resume()
                return Refusal("", "answer_is_late")
            self.undo = wish
            self.broadcast()
            return None

    def _others(self, sides: Sequence[int]) -> list[int]:
        """The people who would have to agree."""
        if self.record.mode == "hotseat":
            return []
        return [side for side in range(len(self.record.players)) if side not in sides and side not in self.bots]

    async def _back(self, to: int) -> Refusal | None:
        seeds = self.record.seeds
        if not self.record.analysis:
            kept = {one.after: one for one in seeds}
            pairs = self.play.seeds_after(to, secrets.randbits(62))
            # One that stays was published when it came; another one in its place is published now.
            seeds = tuple(
                kept[after] if after in kept and kept[after].seed == seed else sealed(after, seed)
                for after, seed in pairs
            )
        try:
            await self.run(self.store.take_back, self.record.id, self.epoch, len(self.play.answers), to, seeds)
        except Settled:
            return Refusal("", "campaign_went_on")
        except Conflict:
            await self._resume()
            return Refusal("", "answer_is_late")
        await self._resume()
        return None

    async def _why_never(self, to: int) -> Refusal | None:
        """Why nobody can take back the answers after `to`, whoever agrees."""
        looking = why_never(self.play, to)
        for number in count(1):
            try:
                next(looking)
            except StopIteration as done:
                refusal: Refusal | None = done.value
                return refusal
            if number % SLICE == 0:
                await asyncio.sleep(0)
        return None

    def _why_not_back(self, sides: Sequence[int], to: int) -> Refusal | None:
        """Why answers after `to` may not be taken back just like that."""
        play = self.play
        others = sorted({s for s, _ in play.answers[to : play.number] if s not in sides and s not in self.bots})
        if others:
            return Refusal("", "others_have_answered", {"sides": others})
        if len(self.asked) > 1 and any(side not in sides and side not in self.bots for side in self.asked):
            # Whether they have answered already is nobody's business.
            return Refusal("", "others_are_asked")
        if play.marks[to][2] != play.marks[-1][2]:
            return Refusal("", "dice_have_fallen", {"dice": play.marks[-1][2] - play.marks[to][2]})
        return None

    # -- thinking --------------------------------------------------------------------------------------------------

    def job(self, do: str, side: int, **facts: Any) -> Job:
        record = self.record
        raw = list(self.raw)
        about = (record.id, record.game, record.setup, record.seed, self.epoch)
        return Job(do, *about, raw, side, facts, **record.dice)

    async def ask(self, do: str, side: int, **facts: Any) -> Thought:
        """Let a thinking process work something out."""
        async with self.lock:
            job = self.job(do, side, **facts)
        return await self.thinkers.ask(job)

    async def suggested(self, side: int, bot: str, other: int) -> Thought:
        """What a bot thinks of in this seat; what the rules suggest, where it has failed or takes too long."""
        number = self.play.number
        try:
            thought = await self.ask("suggest", side, bot=bot, other=other)
            failed = thought.failed
        except GaveUp as error:
            thought, failed = Thought(), str(error)
        if failed:
            log.error("battle %s: no suggestion: %s", self.record.id, failed)
            async with self.lock:
                asked = self.play.decision_of(side)
                if asked is not None and number == self.play.number:
                    return Thought(msgspec.json.encode(asked.suggestion(), enc_hook=str))
        return thought

    def think(self) -> None:
        """Wake the bots if one of them is asked and somebody is there to see it."""
        if self._thinking is not None or not (self.clients or self.hurried):
            return
        if not any(d.side in self.bots for d in self.play.pending):
            return
        self._thinking = asyncio.create_task(self._let_bots())
        self._thinking.add_done_callback(self._thought)

    def _thought(self, task: asyncio.Task[None]) -> None:
        self._thinking, self.hurried = None, False
        if not task.cancelled() and task.exception() is not None:
            log.error("battle %s: the bots stopped", self.record.id, exc_info=task.exception())

    async def _let_bots(self) -> None:
        while self.clients or self.hurried:
            async with self.lock:
                asked = next((d for d in self.play.pending if d.side in self.bots), None)
                if asked is None:
                    return
                side, number, epoch = asked.side, self.play.number, self.epoch
                job = self.job("bot", side, bot=self.bots[side])
            if self.record.pace and not self.hurried:
                await asyncio.sleep(self.record.pace)
            answer = await self._bots_answer(job, asked)
            refusal = await self.answer(side, answer, number, epoch)
            if refusal is not None and refusal.why not in ("answer_is_late", "not_yours", "battle_is_over"):
                log.error("battle %s: a bot was refused: %s", self.record.id, refusal)
                await self.answer(side, asked.suggestion(), number, epoch)

    async def _bots_answer(self, job: Job, asked: Decision) -> Any:
        """What the bot answers; what the rules suggest, where it has failed."""
        try:
            thought = await self.thinkers.ask(job)
        except GaveUp as error:
            log.error("battle %s: a bot was given up: %s", self.record.id, error)
            return asked.suggestion()
        if thought.failed:
            log.error("battle %s: a bot failed: %s", self.record.id, thought.failed)
            return asked.suggestion()
        return msgspec.json.decode(thought.value)

    def close(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()


class Rooms:
    """The battles in memory, the least used forgotten first; only those where somebody sits are sure to stay."""

    def __init__(self, store: Store, thinkers: Thinkers, poll: float = 0.1) -> None:
        self.store = store
        self.thinkers = thinkers
        self.poll = poll
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Room | None]] = {}

    async def get(self, id: str) -> Room | None:
        """The room of a battle, loaded if it must be; raises Problems if it cannot be played again."""
        room = self._rooms.get(id)
        if room is not None:
            self._rooms.move_to_end(id)
            if not room.clients:
                await self._refresh([room])
            return room
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = asyncio.create_task(self._load(id))
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(task)

    async def _load(self, id: str) -> Room | None:
        record = self.store.get(id) if self.store.is_file else await asyncio.to_thread(self.store.get, id)
        if record is None:
            return None
        room = Room(record, self.store, self.thinkers)
        await room.load()
        self._rooms[id] = room
        for old in [key for key, other in self._rooms.items() if not (other.clients or other.hurried or other is room)]:
            if len(self._rooms) <= ROOMS:
                break
            self._rooms.pop(old).close()
        return room

    async def watch(self) -> None:
        """Look for what other processes have written, for as long as the server runs."""
        while True:
            await asyncio.sleep(self.poll)
            try:
                await self._refresh([room for room in self._rooms.values() if room.clients])
            except SQLAlchemyError as error:
                log.error("the database does not answer: %s", error)
            except Exception:
                log.exception("a battle could not be taken up")

    async def _refresh(self, rooms: Iterable[Room]) -> None:
        by_id = {room.record.id: room for room in rooms}
        if not by_id:
            return
        ids = list(by_id)
        states = self.store.states(ids) if self.store.is_file else await asyncio.to_thread(self.store.states, ids)
        for id, state in states.items():
            room = by_id[id]
            if (state.answers, state.epoch) != (len(room.play.answers), room.epoch) or bool(state.undo) != bool(
                room.undo
            ):
                await room.notice(state.answers, state.epoch, state.undo)

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()


def sides_of(seat: int, players: Sequence[str]) -> tuple[int, ...]:
    """The sides a seat plays."""
    if seat == SPECTATOR:
        return ()
    if seat == HOTSEAT:
        return tuple(side for side, bot in enumerate(players) if not bot)
    return (seat,)
