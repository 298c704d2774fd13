"""What a side may know, sent as data: a view there is the view here, tells nothing more, and nonsense makes none."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.test_honest_search import SETUPS, at_chance, begun, encoded, positions

from oriflamme.engine.core.carried import Misread, Reader, data_of
from oriflamme.engine.core.play import Play

ROOT = Path(__file__).parents[1]


def sent(play: Play, side: int) -> bytes:
    return msgspec.json.encode(data_of(play.known(side)), enc_hook=str)


@pytest.mark.parametrize(("id", "choices"), SETUPS)
def test_a_view_that_was_sent_is_the_view_and_is_played_on_alike(id: str, choices: dict[str, str]) -> None:
    play = begun(id, choices)
    reader, looked = Reader(play.game), 0
    for now in positions(play, every=40, first=8):
        for side in [decision.side for decision in now.pending]:
            here = now.view(side, sealed=True)
            there = reader.view(msgspec.json.decode(sent(now, side)))

            assert encoded(there.battle.data()) == encoded(here.battle.data())
            assert there.decision is not None
            assert here.decision is not None
            assert encoded(there.decision.data()) == encoded(here.decision.data())
            futures = [at_chance(view.imagine(Random(7)), 7, 12) for view in (here, there)]
            assert futures[0] == futures[1]
            looked += 1
    assert looked > 8


@pytest.mark.parametrize(("id", "choices"), SETUPS)
def test_what_is_sent_is_the_same_where_only_secrets_and_dice_to_come_differ(id: str, choices: dict[str, str]) -> None:
    random, differ = Random(6), 0
    for play in positions(begun(id, choices), every=60, first=8):
        for side in range(play.battle.players):
            told = sent(play, side)
            for twin in (play.fork(), play.known(side).imagine(random)):
                differ += twin.battle.data() | {"dice": 0} != play.battle.data() | {"dice": 0}
                there = msgspec.json.decode(sent(twin, side))
                # Where a battle goes on from a view, its answers are counted from there.
                assert msgspec.json.encode(there | {"number": play.number}) == told
    assert differ or play.battle.is_open()


def test_profiles_and_the_table_are_the_same_things_in_the_next_view() -> None:
    play = begun("aof", {})
    reader = Reader(play.game)
    views = [
        reader.view(msgspec.json.decode(sent(now, now.pending[0].side)))
        for now in positions(play, every=1, first=3, most=3)
    ]

    one, other = (view.battle for view in views[:2])
    assert one.table is other.table
    for id, unit in one.units.items():
        assert unit is not other.units[id]
        assert all(a.profile is b.profile for a, b in zip(unit.figures, other.units[id].figures, strict=True))


def spoilt(data: Any, place: str, value: Any) -> Any:
    """The same data with something else in it."""
    twin = msgspec.json.decode(msgspec.json.encode(data))
    match place:
        case "class":
            twin["classes"][0][0] = value
        case "field":
            twin["classes"] = [[name, *(value for _ in fields)] for name, *fields in twin["classes"]]
        case "thing":
            twin["things"][0] = value
        case _:
            twin[place] = value
    return twin


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("class", "os:system"),
        ("class", "pathlib:Path"),
        ("class", "oriflamme.server.store:Store"),
        ("class", "oriflamme.games.sbh.state:Fighter"),
        ("class", "oriflamme.engine.core.carried:sys"),
        ("class", "oriflamme.engine.core.carried:data_of"),
        ("field", "__class__"),
        ("field", "nothing_of_the_kind"),
        ("thing", ["tuple", [99_999]]),
        ("thing", ["no such form"]),
        ("thing", []),
        ("things", []),
        ("things", 3),
        ("side", 5),
        ("number", "x"),
    ],
)
def test_what_is_no_view_is_refused(place: str, value: Any) -> None:
    play = begun("aof", {})
    data = msgspec.json.decode(sent(play, play.pending[0].side))
    reader = Reader(play.game)
    assert reader.view(data).decision is not None

    with pytest.raises(Misread):
        reader.view(spoilt(data, place, value))


def test_a_table_without_end_is_refused() -> None:
    play = begun("aof", {})
    data = msgspec.json.decode(sent(play, play.pending[0].side))
    (number,) = [n for n, (name, *_) in enumerate(data["classes"]) if name.endswith(":Table")]
    (table,) = [thing for thing in data["things"] if thing[0] == number]
    table[1] = 1e9

    with pytest.raises(Misread, match="too large"):
        Reader(play.game).view(data)


def test_what_is_compiled_says_of_what_it_is_made() -> None:
    """Of such a class no instance can be made but by calling it."""
    lines = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["oriflamme"]["compiled"]
    source = ROOT / "src" / "oriflamme"
    compiled = {
        ".".join(("oriflamme", *path.relative_to(source).with_suffix("").parts))
        for patterns in lines.values()
        for pattern in patterns
        for path in source.glob(pattern)
    }
    met: set[str] = set()
    for id, choices in [*SETUPS, ("sbh", {"board": "hex"}), ("lfw", {"scenario": "scn5"})]:
        play = begun(id, choices)
        met |= {name for name, *fields in data_of(play.known(play.pending[0].side))["classes"] if fields}

    silent = {name for name in met if name.partition(":")[0] in compiled}
    # Tuples are made as what they are.
    assert not {
        name
        for name in silent
        if not hasattr(getattr(sys.modules[name.partition(":")[0]], name.partition(":")[2]), "_fields")
    }
