"""From lists, a table and options to the battle before its first step. A setup is plain data and holds everything."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

import msgspec

from oriflamme.engine.core.decisions import Decision, Option, PickOne, PickSeveral
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.questions import answers_to, pick_one
from oriflamme.engine.core.steps import due
from oriflamme.engine.lists.shelf import agreed_points, ready_for
from oriflamme.engine.table.maps import Map, load_map, map_from_data
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems
from oriflamme.games.tlaok.army.fielding import field_army, gifts_of, lore_of
from oriflamme.games.tlaok.army.reading import LISTS, load_list
from oriflamme.games.tlaok.army.rosters import Roster
from oriflamme.games.tlaok.events import CharacterAttached, EdgeChosen, SecondariesKept
from oriflamme.games.tlaok.rounds.rounds import begin_round
from oriflamme.games.tlaok.rounds.supremacy import roll_off
from oriflamme.games.tlaok.rounds.together import ask_together
from oriflamme.games.tlaok.rounds.victory import SCENARIOS, zones_of
from oriflamme.games.tlaok.state import Battle, Character, Regiment, Stand, Step, step
from oriflamme.games.tlaok.terrain.field import field_problems, generate_field

CHOICES: Final = {"scenario": tuple(SCENARIOS)}
USUAL: Final = "attrition"
USUAL_POINTS: Final = 2000
DRAWN: Final = 5  # secondary objectives drawn, and discarded (TLAOK-SEC-02)
DISCARDED: Final = 2


def choose_setup(
    seed: int, points: int, lists: Sequence[str], map_name: str, options: Mapping[str, str], scenario: str
) -> dict[str, Any]:
    """The setup of a battle: what is named, and for the rest what the seed picks. Without points it is as large as the
    list that is named, or as usual.

    Where no scenario is named it is one that the map suits.
    """
    random = Random(seed)
    named = [load_list(name) if name else None for name in (*lists, "", "")[:2]]
    points = agreed_points(points, [roster.points if roster is not None else None for roster in named], USUAL_POINTS)
    rosters = [roster or load_list(random.choice(_lists_of(points))) for roster in named]
    problems = Problems("setup")
    if rosters[0].points != rosters[1].points:
        what = notice("points_against", first=rosters[0].points, second=rosters[1].points)
        problems.add("lists", what, "TLAOK-BUILD-02", notice("choose_same_size"))
    table = field_named(map_name, seed, scenario)
    usual = next((id for id in SCENARIOS if not field_problems(table.table, id)), USUAL)
    for problem in field_problems(table.table, scenario or usual):
        problems.add(f"map {table.id}: {problem.where}", problem.what, problem.rule, problem.hint)
    problems.raise_if_any()
    return {
        "game": "tlaok",
        "points": points,
        "options": dict(options),
        "scenario": scenario or usual,
        "map": table.to_data(),
        "armies": [roster.to_data() for roster in rosters],
    }


def field_named(name: str, seed: int, scenario: str) -> Map:
    """A map by its name, `field_7` for the one made from seed 7; without a name one made from the seed of the setup."""
    made = re.fullmatch(r"field_(\d{1,18})", name)
    if name and not made:
        return load_map(name)
    return generate_field(int(made[1]) if made else seed, scenario or USUAL)


def _lists_of(points: int) -> list[str]:
    return ready_for(points, {name: load_list(name).points for name in LISTS.ready})


@lru_cache(maxsize=64)
def _table(map_data: bytes) -> Table:
    return map_from_data(msgspec.json.decode(map_data), "map of the save").table


def begin(setup: dict[str, Any], dice: Dice) -> Battle:
    """The battle before its first step: everybody in reinforcements, characters yet to be attached."""
    table = _table(msgspec.json.encode(setup["map"]))
    battle = Battle(table, dict(setup["options"]), dice, scenario=setup["scenario"], points=setup["points"])
    decks: list[tuple[str, ...]] = []
    rosters = [Roster.from_data(data) for data in setup["armies"]]
    battle.lore = lore_of(rosters)
    for side, roster in enumerate(rosters):
        taken = {*battle.units, *(character.id for _, _, character in battle.unattached)}
        regiments, characters = field_army(roster, side, taken, custom=battle.option("tlaok.standSizes") == "custom")
        for regiment in regiments:
            battle.units[regiment.id] = regiment
        battle.unattached += tuple((side, number, character) for number, character in characters)
        decks.append(tuple(card.id for card in roster.deck for _ in range(card.copies)))
    battle.decks = (decks[0], decks[1])
    battle.then_all(*map(due, BEFORE_BATTLE))
    return battle


@step
def choose_edges(battle: Battle) -> Step:
    """The winner of a roll-off chooses his edge (TLAOK-SCN-02)."""
    winner = roll_off(battle, "edge", "TLAOK-SCN-02")
    options = [Option("south", "edge"), Option("north", "edge")]
    edge = yield from pick_one(winner, options, "choose_edge", "TLAOK-SCN-02")
    other = "north" if edge == "south" else "south"
    battle.edges = (edge, other) if winner == 0 else (other, edge)
    battle.zones_of_objectives = zones_of(battle.scenario, battle.edges)
    battle.tell(EdgeChosen("TLAOK-SCN-02", winner, edge))


def may_join(battle: Battle, side: int, number: int, character: Character, taken: Sequence[str]) -> list[Regiment]:
    """The regiments of his warband that a character may join."""
    return [r for r in battle.units_of(side) if r.warband == number and r.id not in taken and is_open_to(r, character)]


def is_open_to(regiment: Regiment, character: Character) -> bool:
    """A regiment is of a character's type, without another (TLAOK-CHAR-03, -04), and Irregular only if he is Irregular
    himself (TLAOK-SR-IRREGULAR-01)."""
    profile = character.profile
    wanted = "monster" if profile.rider else profile.kind
    return (
        regiment.kind == wanted and regiment.character is None and (profile.irregular or not regiment.profile.irregular)
    )


@step
def attach_characters(battle: Battle) -> Step:
    """Every character is placed in a regiment of his own warband, both players at the same time (TLAOK-ROUND-03)."""
    waiting, battle.unattached = battle.unattached, ()
    asked: list[Decision] = []
    for side, number, character in waiting:
        options = [Option.thing(r.id) for r in may_join(battle, side, number, character, ())]
        about = {"character": character.id}
        asked.append(PickOne(side, options, "attach_character", "TLAOK-ROUND-03", about, secret=True))
    for (side, _, character), regiment in zip(waiting, (yield from ask_together(asked)), strict=True):
        attach(battle.units[regiment], character)
        battle.tell(CharacterAttached("TLAOK-ROUND-03", side, character.id, regiment))


def attach(regiment: Regiment, character: Character) -> None:
    """He stands in the front rank beside the command stand (TLAOK-CHAR-07), or rides (TLAOK-SR-RIDER-01)."""
    # Copies of the battle share who waits; from now on what he does is this battle's own.
    regiment.character = character.copy()
    regiment.affect(*gifts_of(character))
    regiment.figures.append(Stand(character.id, character.profile, "character"))
    regiment.initial = regiment.started = regiment.size
    files = min(regiment.placed, max(2, regiment.formation.files))
    regiment.draw_up(regiment.formations(files)[0])


@step
def draw_secondaries(battle: Battle) -> None:
    """Five cards each from a shuffled deck (TLAOK-SEC-02)."""
    first, second = _deal(battle, 0), _deal(battle, 1)
    battle.secrets = (tuple(first), tuple(second))
    battle.then(discard_secondaries)


@step
def discard_secondaries(battle: Battle) -> Step:
    """Two of the five are discarded (TLAOK-SEC-02)."""
    hands = battle.secrets
    asked: list[Decision] = []
    for side, hand in enumerate(hands):
        options = [Option(f"{n}:{card}", "secondary", {"card": card, "does": card}) for n, card in enumerate(hand, 1)]
        least = max(0, len(hand) - (DRAWN - DISCARDED))
        asked.append(PickSeveral(side, options, least, least, "discard_secondaries", "TLAOK-SEC-02", secret=True))
    kept: list[tuple[str, ...]] = []
    for side, dropped in enumerate((yield from answers_to(*asked))):
        numbers = {int(key.partition(":")[0]) for key in dropped}
        kept.append(tuple(card for n, card in enumerate(hands[side], 1) if n not in numbers))
        battle.tell(SecondariesKept("TLAOK-SEC-02", side, len(kept[side])))
    battle.secrets = (kept[0], kept[1])


def _deal(battle: Battle, side: int) -> list[str]:
    """Five cards of the deck by chance: each is picked by dice, so that a save deals them again."""
    deck = list(battle.decks[side])
    hand: list[str] = []
    while deck and len(hand) < DRAWN:
        hand.append(deck.pop(_one_of(battle, len(deck))))
    return hand


def _one_of(battle: Battle, number: int) -> int:
    """One of so many, each as likely as the others: two dice make up to 36, rolled again if it is too many."""
    fair = 36 // number * number
    while True:
        rolled = (battle.dice.d6() - 1) * 6 + battle.dice.d6() - 1
        if rolled < fair:
            return rolled % number


# What players do once scenario, lists and terrain are agreed on, in this order (TLAOK-FIELD-09).
BEFORE_BATTLE: Final = (choose_edges, attach_characters, draw_secondaries, begin_round)
