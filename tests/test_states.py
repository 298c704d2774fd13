"""The state of every game: each slot is in the fingerprint, and nothing done to a copy is seen in the original.

Battles are played by chance until every class of state has been met in the middle of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from oriflamme import games
from oriflamme.bots.random import RandomBot
from oriflamme.engine.core.battle import Figure
from oriflamme.engine.core.dice import ScriptedDice, SeededDice
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.state import Record, State, kinds_of
from oriflamme.engine.words.problems import Problems, Reader
from oriflamme.games.lfw.state import Combat, Power, Wound
from oriflamme.games.rn3.melee import Fight, Pairing
from oriflamme.games.sbh.campaign.camp import Camp
from oriflamme.games.sbh.campaign.scene import Between, CampaignScenes
from oriflamme.games.sbh.state import Alarm, Item

CHOICES: Mapping[str, tuple[dict[str, str], ...]] = {
    "aof": ({},),
    "lfw": ({"scenario": "scn4"}, {"scenario": "leg1", "turns": "none"}, {"scenario": "scn5"}),
    "rn3": ({"scenario": "three_wells"}, {}),
    "sbh": ({"scenario": "item"}, {"scenario": "ambush"}, {"scenario": "treasure"}, {"board": "hex"}),
    "tlaok": ({},),
}


# State that is not in the module of the others.
BESIDES: Mapping[str, tuple[type[State], ...]] = {"rn3": (Fight, Pairing), "sbh": (Figure,)}


def classes_of(module: str) -> list[type[State]]:
    """Every class of state that is made there."""
    found: dict[type[State], None] = {}
    ahead: list[type[State]] = [State]
    while ahead:
        cls = ahead.pop()
        found[cls] = None
        ahead += cls.__subclasses__()
    return [cls for cls in found if cls.__module__ == module]


def inside(thing: Any) -> Iterator[State]:
    """All state that can be reached from a thing, itself among it."""
    seen: set[int] = set()
    ahead = [thing]
    while ahead:
        thing = ahead.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, State):
            yield thing
            ahead += [getattr(thing, slot) for slot, kind in kinds_of(type(thing)).items() if kind.is_state]
        elif isinstance(thing, Mapping):
            ahead += list(thing.values())
        elif isinstance(thing, list | tuple):
            ahead += list(thing)


def plays(game: str, seed: int) -> Iterator[Play]:
    """A battle played by chance, at each of its questions."""
    rules = games.load(game)
    choices = CHOICES[game][seed % len(CHOICES[game])]
    play = Play(rules, rules.setup(seed, points=min(rules.sizes), choices=choices), seed)
    bot = RandomBot(seed)
    while play.pending:
        yield play
        decision = play.pending[0]
        assert play.answer(decision.side, bot.decide(None, decision)) is None


@cache
def met(game: str) -> dict[type[State], tuple[Any, State]]:
    """Of every class of state of a game, one that is met in the middle of a battle, and that battle."""
    games.load(game)
    wanted = {*classes_of(f"oriflamme.games.{game}.state"), *BESIDES.get(game, ())}
    found: dict[type[State], tuple[Any, State]] = {}
    for seed in range(12):
        for play in plays(game, seed):
            lacking = wanted - found.keys()
            if play.battle.round < 1 or not any(type(thing) in lacking for thing in inside(play.battle)):
                continue
            battle = play.battle.copy()
            if game == "sbh":
                # What shakes a band is settled before anybody is asked; and magic items are rare.
                battle.alarms.append(Alarm("half", 1))
                next(iter(battle.units.values())).equip(Item("sword"))
            if game == "lfw":
                # Chance seldom casts what lasts for a side, and seldom comes to blows.
                battle.powers = (Power("night_falls", "LFW-SPELL-O2", 0, "turn"),)
                battle.combat = Combat(tuple(battle.units), tuple(battle.units), 0)
                battle.combat.waiting.append(Wound("a1", 1, "b1"))
            for thing in inside(battle):
                found.setdefault(type(thing), (battle, thing))
            if wanted <= found.keys():
                return found
    raise AssertionError(f"never met: {wanted - found.keys()}")


def camps() -> dict[type[State], tuple[Any, State]]:
    """The time between battles is state too."""
    problems = Problems("case")
    scene = {"given": {"elf": {"experience": 2}, "orc": {"side": 2}}, "campaign": {}}
    between = CampaignScenes(games.load("sbh")).build(Reader(scene, problems), problems, ScriptedDice([]))
    assert not problems
    camp = Camp(0, 2, between.bands[0].copy(), {}, SeededDice(1))
    return {Camp: (camp, camp), Between: (between, between)}


def another(value: Any) -> Any:
    """Something else that a slot might hold."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "x"
        case frozenset():
            return value ^ {"x"}
        case tuple():
            return (*value, "x")
        case list():
            return value[:-1] if value else ["x"]
        case Mapping():
            return dict(list(value.items())[:-1]) if value else {"x": "x"}
    return "x"


def everything() -> Iterator[tuple[type[State], Any, State]]:
    for game in games.ids():
        for cls, (battle, thing) in met(game).items():
            yield cls, battle, thing
    for cls, (battle, thing) in camps().items():
        yield cls, battle, thing


def test_changing_any_slot_of_any_state_changes_the_fingerprint() -> None:
    missed, tried = [], 0
    for cls, battle, thing in everything():
        before = battle.fingerprint()
        for slot, kind in kinds_of(cls).items():
            if not kind.is_state or (cls is Between and slot == "band"):  # one of `bands`, and told there
                continue
            held = getattr(thing, slot)
            setattr(thing, slot, another(held))
            tried += 1
            if battle.fingerprint() == before:
                missed.append(f"{cls.__module__}.{cls.__qualname__}.{slot}")
            setattr(thing, slot, held)
        assert battle.fingerprint() == before

    assert not missed
    assert tried > 200


def test_what_is_no_state_follows_from_the_rest_or_is_for_whoever_looks() -> None:
    beside = {
        slot
        for cls, _, _ in everything()
        for slot, kind in kinds_of(cls).items()
        if not kind.is_state and not kind.found_by
    }

    assert beside == {"findings", "log", "tag"}


def test_the_state_that_was_left_out_once_is_in_it() -> None:
    for game, name, slots in (
        ("aof", "Activation", ("side", "endangered", "rolled", "causes")),
        ("aof", "Figure", ("moved",)),
        ("sbh", "Battle", ("gaps", "start_spots", "turn_limit")),
        ("tlaok", "Battle", ("seen_by",)),
    ):
        (cls,) = [cls for cls in met(game) if cls.__name__ == name and game in cls.__module__]
        assert set(slots) <= set(met(game)[cls][1].data())


@pytest.mark.parametrize("game", games.ids())
def test_nothing_done_to_a_copy_is_seen_in_the_original(game: str) -> None:
    for battle, _ in met(game).values():
        before, twin = battle.fingerprint(), battle.copy()
        assert twin.fingerprint() == before
        shared = _shared(twin)
        for thing in list(inside(twin)):
            if not isinstance(thing, Record) and id(thing) not in shared:
                spoil(thing)

        assert twin.fingerprint() != before
        assert battle.fingerprint() == before


def _shared(battle: Any) -> set[int]:
    """State that copies share, since nobody alters it: the fallen of Age of Fantasy, characters who wait."""
    found: set[int] = set()
    for thing in inside(battle):
        for slot, kind in kinds_of(type(thing)).items():
            if kind.is_state and kind.copied in ("{0}", "{0}[:]"):
                found |= {id(part) for part in inside(getattr(thing, slot))}
    return found


def spoil(thing: State) -> None:
    """Alter all that it holds, in place where that can be."""
    for slot, kind in kinds_of(type(thing)).items():
        held = getattr(thing, slot)
        if kind.copied != "{0}" and isinstance(held, list):
            held.append("spoilt")
        elif kind.copied != "{0}" and isinstance(held, dict):
            held["spoilt"] = "spoilt"
        elif kind.is_state and kind.copied == "{0}":
            setattr(thing, slot, "spoilt")


@pytest.mark.parametrize("game", games.ids())
@pytest.mark.parametrize("seed", [1, 2])
def test_what_follows_from_the_rest_is_found_anew(game: str, seed: int) -> None:
    """A battle whose derived slots are emptied again and again is the same battle to its end."""
    play = next(islice(plays(game, seed), 60, None))
    fork, bots, random = play.twin(), (RandomBot(seed), RandomBot(seed)), Random(seed)
    while play.pending:
        if random.random() < 0.2:
            empty(fork.battle)
        for each, bot in zip((play, fork), bots, strict=True):
            decision = each.pending[0]
            assert each.answer(decision.side, bot.decide(None, decision)) is None
    assert fork.battle.fingerprint() == play.battle.fingerprint()


def empty(battle: Any) -> None:
    log = battle.log
    for thing in inside(battle):
        thing.find_anew()
    battle.log = log


def test_bands_of_campaigns_are_told_whole() -> None:
    scene = camps()[Between][0]
    before = scene.fingerprint()
    scene.bands[1].members[0].experience += 1

    assert scene.fingerprint() != before
