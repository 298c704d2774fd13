"""Whether anybody is told what he may not know: a kit for the tests of any game that keeps secrets or lengths.

    pry         asks a seat for everything there is to ask
    told_to     everything that a seat is told of a battle as it stands: by the table, by replays, by refusals
    kept        puts a battle into the store of a server as it stands
    lengths_in  the lengths that a message tells, besides the places of figures and what the log tells
    figures_in  numbers of a message that are lengths between figures which nobody has measured

Two battles that differ only in what a side may not know tell it the very same: `told_to` leaves out what differs
anyway. That finds what no search for words would: an order, a count, an option that is there or not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import hypot
from typing import Any

import msgspec
from tests.server.table import Data, Guest, Player, Server

from oriflamme.engine.core.play import Play
from oriflamme.engine.table.maps import MEASURES
from oriflamme.server import battles
from oriflamme.server.store import Kept, Store

# What differs from battle to battle and tells nothing of what happens in it.
_OWN = ("id", "battle", "created", "seed_hash")
# Where everybody may see how things stand: the places of figures; and where a bot may.
_PLACES = ("scene", "changes", "view")


def everything(data: Any) -> Iterator[tuple[str, Any]]:
    """Every key of a message with what it holds."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key, value
            yield from everything(value)
    elif isinstance(data, list):
        for value in data:
            yield from everything(value)


def without(data: Any, keys: Iterable[str]) -> Any:
    """A message without those keys, at whatever depth."""
    if isinstance(data, dict):
        return {key: without(value, keys) for key, value in data.items() if key not in keys}
    return [without(value, keys) for value in data] if isinstance(data, list) else data


# -- asking everything -------------------------------------------------------------------------------------------------


async def pry(guest: Guest) -> None:
    """Ask everything there is to ask."""
    units = [unit["id"] for unit in guest.scene["units"]]
    figures = [figure["id"] for unit in guest.scene["units"] for figure in unit["figures"]]
    theirs = [unit["id"] for unit in guest.scene["units"] if unit["side"] != guest.now["side"]]
    await guest.ask("aids")
    await guest.ask("aids", threats=True)
    await guest.ask("odds")
    await guest.ask("seen")
    for unit in (*units[:1], *theirs[-1:]):
        await guest.ask("unit", unit=unit)
        await guest.ask("why", unit=unit)
        await guest.ask("odds", attacker=units[0], defender=unit)
    if figures:
        await guest.ask("sight", **{"from": figures[0], "to": figures[-1]})
        await guest.ask("sight", **{"from": figures[0], "to": [50.0, 50.0]})
    for marker in guest.scene["markers"][:2]:
        await guest.ask("sight", **{"from": [0.0, 0.0], "to": [marker["x"], marker["y"]]})
        await guest.ask("unit", unit=marker["id"])
    asked = guest.now["decision"]
    if asked is not None:
        number = guest.now["number"]
        for option in asked.get("options", ())[:3]:
            await guest.ask("aids", option=option["key"])
            beside = (await guest.ask("ahead", keys=[option["key"]])).get("decision")
            if beside:
                await guest.ask("ahead", keys=[option["key"], beside["options"][0]["key"]])
        for unit in units[:2]:
            await guest.ask("ways", unit=unit)
        suggested = await guest.ask("suggest", other=1)
        wild = {figure: [50.0, 50.0] for figure in asked.get("figures", ())}
        moved = {figure: [[50.0, 50.0]] for figure in figures[:2]}
        for answer in (suggested.get("answer"), "nobody", [], moved, wild):
            await guest.ask("try", number=number, answer=answer)
    await guest.ask("undo", to=0)
    await guest.say("lang", lang="fr" if len(guest.heard) % 2 else "en")
    await guest.until("hello")


class Nosy(Player):
    """A player who tries to find out what he may not know, every now and then."""

    every = 5

    async def _decide(self, asked: Data) -> None:
        number = self.now["number"]
        if (number < 30 and number % self.every == 0) or number % 40 == 0:
            await pry(self)
            if self.now["number"] != number:
                return
        await super()._decide(asked)


# -- two battles that should tell the same -----------------------------------------------------------------------------


def kept(server: Server, play: Play, mode: str = "invite") -> Data:
    """Put a battle into the store of a server as it stands: its id, and who sits where."""
    made = battles.make(battles.NewBattle(play.game.id, mode))  # type: ignore[arg-type]
    record = msgspec.structs.replace(made.record, setup=msgspec.json.encode(play.setup), seed=play.seed)
    steps = zip(play.answers, play.marks, play.marks[1:], strict=False)
    thrown, encode = play.battle.dice.thrown, msgspec.json.Encoder(enc_hook=str).encode
    answers = [
        Kept(n, side, ask, encode(answer), tuple(thrown[dice:now]), b"[]")
        for n, ((side, answer), (_, _, dice), (ask, _, now)) in enumerate(steps, 1)
    ]
    store = Store(server.database)
    store.add(record, made.seats, answers)
    store.close()
    return dict(made.data)


def secret_of(battle: Data, side: int) -> str:
    """The secret of a seat; of who watches, for side -1."""
    return str(battle["spectator"]["secret"] if side < 0 else battle["seats"][side]["secret"])


async def told_to(server: Server, play: Play, side: int, *, places: bool = True) -> list[str]:
    """Everything a seat is told of a battle as it stands, each as one text; without `places`, not where figures are."""
    battle = kept(server, play)
    secret = secret_of(battle, side)
    guest = await Guest(server, battle, secret).sit()
    await pry(guest)
    await guest.leave()
    id = battle["id"]
    told: list[Any] = [json.loads(text) for text in guest.heard]
    paths = ("", f"/replay?seat={secret}&scenes=1", f"/replay?seat={secret}&lang=fr", f"/save?seat={secret}")
    told += [server.call(f"/api/battles/{id}{path}") for path in paths]
    told.append(server.call(f"/api/battles/{id}/branch", {"seat": secret, "number": len(play.answers)}))
    own = (*_OWN, *(() if places else _PLACES))
    return [
        json.dumps(without(json.loads(json.dumps(one, default=str)), own), sort_keys=True).replace(id, "?")
        for one in told
    ]


# -- lengths -----------------------------------------------------------------------------------------------------------


def lengths_in(message: Data, *, measured: bool = False) -> Iterator[str]:
    """The lengths a message tells of what nobody has measured: in words, as numbers that are one, and as drawings.

    The log tells what has been measured, and the scene is what everybody sees. While a side is asked something that is
    `measured`, what helps to answer it may be told.
    """
    rest = without(message, (*_PLACES, "log"))
    if measured:
        rest = rest if rest["type"] in ("why", "sight") else {"aids": rest.get("aids", [])}
        rest["aids"] = [aid for aid in rest.get("aids", ()) if aid["kind"] in ("charge", "shoot")]
    for key, value in everything(rest):
        if key == "kind" and value == "length":
            yield f"a length in words: {json.dumps(rest)[:400]}"
        elif key in ("distance", "gap") and isinstance(value, int | float):
            yield f"{key} {value}"
    for aid in rest.get("aids", ()):
        if aid["kind"] != "zone" and (aid["circles"] or aid["rings"] or aid["limits"]):
            yield f"an aid of kind {aid['kind']}"
    for reason in rest.get("because", ()):
        if isinstance(reason.get("worth"), float):
            yield f"a bot's reason: {reason}"


def figures_in(message: Data, play: Play) -> Iterator[str]:
    """Numbers in a message that are a length between figures of two units, from base to base or middle to middle, in
    millimetres or the measure of the game: those that could hardly be anything else."""
    rest = json.dumps(without(message, (*_PLACES, "log", "id")))
    numbers = {float(n) for n in re.findall(r"(?<![\w.])\d+\.\d{1,2}(?![\w.])", rest.replace(",", "."))}
    measure = MEASURES[play.game.measure]
    units = [unit for unit in play.battle.units.values() if unit.figures]
    for one, other in combinations(units, 2):
        for a in one.figures[:1]:
            for b in other.figures[:1]:
                far = hypot(a.x - b.x, a.y - b.y)
                for length in (far, far - a.radius - b.radius):
                    for told in (round(length / measure, 2), round(length, 2)):
                        if told != round(told) and told in numbers:
                            yield f"{told} between {a.id} and {b.id}"
