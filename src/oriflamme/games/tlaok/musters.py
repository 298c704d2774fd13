"""Cases about armies: a list is checked, an army musters, and what its cards say then (see `scene`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import degrees
from typing import Any

import msgspec

from oriflamme.cases.scene import Deed, Sentence
from oriflamme.engine.measure import in_inches
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import Problem, Problems, Reader, given
from oriflamme.games.tlaok.armies import check_list, field_army, lore_of
from oriflamme.games.tlaok.building import Band, army_problems
from oriflamme.games.tlaok.cards import STATES, Faction
from oriflamme.games.tlaok.measures import MODELS
from oriflamme.games.tlaok.profile import LETTERS, Profile
from oriflamme.games.tlaok.reading import read_faction
from oriflamme.games.tlaok.state import Battle, Character, Effect, Regiment, Stand
from oriflamme.games.tlaok.trials import value_of


def check_army(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """`[army]` has `points`, `warbands` as `building.Band` has them, and `against`: what the other is built for."""
    problems = Problems("army")
    reader = Reader(top.get("army", {}), problems, "army")
    points = reader.integer("points", low=0)
    against = reader.integer("against", low=0, default=points)
    bands: list[Band] = []
    for entry in reader.tables("warbands", required=False):
        for key in entry.names():
            entry.value(key)
        try:
            bands.append(msgspec.convert(entry.data, Band))
        except msgspec.ValidationError as wrong:
            entry.problem("", str(wrong).replace("Expected", "expected"))
    reader.finish()
    problems.raise_if_any()
    return Deed(problems=[*equal_sizes(points, against), *army_problems(bands, points)])


def equal_sizes(points: int, against: int) -> list[Problem]:
    """Both armies are built for the same size (TLAOK-BUILD-02)."""
    what = notice("unequal_points", first=points, second=against)
    return [] if points == against else [Problem("points", what, "TLAOK-BUILD-02")]


def muster(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """`[army]` is a list as a player writes it, of one of our factions or of the `faction` the case brings along.

    Its regiments wait in reinforcements, its characters to be attached.
    """
    told = dict(top.get("army", {}))
    side = int(match["side"]) - 1
    try:
        own = _own_faction(told)
        roster = check_list({"game": "tlaok", **told}, "army", own=own)
    except Problems as wrong:
        return Deed(problems=list(wrong))
    taken = {*battle.units, *(character.id for _, _, character in battle.unattached)}
    regiments, characters = field_army(roster, side, taken, custom=battle.option("tlaok.standSizes") == "custom")
    battle.units |= {regiment.id: regiment for regiment in regiments}
    battle.unattached += tuple((side, number, character) for number, character in characters)
    deck = tuple(card.id for card in roster.deck for _ in range(card.copies))
    battle.decks = (deck, battle.decks[1]) if side == 0 else (battle.decks[0], deck)
    lore = lore_of([roster])
    battle.lore = {name: {**battle.lore[name], **known} for name, known in lore.items()}
    return Deed(problems=[])


def _own_faction(told: dict[str, Any]) -> Faction | None:
    """A faction that the case describes itself; it is taken out of the list."""
    if "faction" not in told:
        return None
    problems = Problems("army")
    data = told.pop("faction")
    if isinstance(data, Mapping):
        data = given({"name": "The case's own", **data})
    own = read_faction(Reader(data, problems, "faction"), "own")
    problems.raise_if_any()
    return own


def attach(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """Every character is placed in a regiment of his warband (TLAOK-ROUND-03)."""
    return Deed([("attach_characters",)], {}, ("draw_secondaries", "begin_round"))


def read_own_faction(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """What is wrong with the faction that the case describes."""
    try:
        _own_faction(dict(top.get("army", {})))
    except Problems as wrong:
        return Deed(problems=[problem for problem in wrong if problem.rule])
    return Deed(problems=[])


SENTENCES: list[Sentence] = [
    ("the army is checked", check_army),
    ("the faction is read", read_own_faction),
    (r"side (?P<side>[12]) musters", muster),
    ("the characters join their regiments", attach),
]


# -- what may be expected ----------------------------------------------------------------------------------------------


def profile_of(profile: Profile) -> dict[str, int]:
    """The unmodified characteristics by their letters (TLAOK-PROF-14)."""
    return {letter: getattr(profile, stat) for letter, stat in LETTERS.items()}


def card_of(battle: Battle, regiment: Regiment) -> dict[str, Any]:
    """What the cards of a regiment say: of its list entry, and of all that was bought."""
    base = regiment.profile.base
    return {
        "type": regiment.kind,
        "class": regiment.weight,
        "profile": profile_of(regiment.profile),
        "values": _values(battle, regiment, next(iter(regiment.troops), None)),
        "base": [round(base.width, 2), round(base.depth, 2)],
        "base_inches": [round(in_inches(base.width), 2), round(in_inches(base.depth), 2)],
        "size": regiment.profile.size,
        "figures": MODELS[regiment.kind],
        "draw_events": [str(event) for event in regiment.events_of()],
        "states": _states(regiment.effects),
        "barrages": [str(barrage) for barrage in regiment.profile.barrages],
        "types": sorted({stand.profile.kind for stand in regiment.figures}),
        "facings": sorted({round(degrees(stand.facing) % 360, 1) % 360 for stand in regiment.figures}),
        "carried": sorted([stand.role, *stand.models] for stand in regiment.figures if stand.models),
        "initial": regiment.initial,
        "points": regiment.card.get("points", 0),
        "warband": regiment.warband,
    }


def _states(effects: Iterable[Effect]) -> dict[str, int]:
    """What changes it besides characteristics, special rules and draw events, and by how much."""
    return {effect.stat: effect.add for effect in effects if effect.stat in STATES}


def _values(battle: Battle, regiment: Regiment, stand: Stand | None) -> dict[str, int]:
    """The characteristics of a stand as they are now, with the effects that last on it (TLAOK-PROF-18)."""
    if stand is None:
        return {}
    return {letter: value_of(battle, regiment, stand, stat).number for letter, stat in LETTERS.items()}


def characters_of(battle: Battle) -> dict[str, dict[str, Any]]:
    """The characters of both sides, attached or not, by id."""
    found: dict[str, tuple[int, Character, str]] = {
        character.id: (number, character, "") for _, number, character in battle.unattached
    }
    for regiment in battle.units.values():
        if regiment.character is not None:
            found[regiment.character.id] = (regiment.warband, regiment.character, regiment.id)
    return {
        id: {
            "warband": number,
            "regiment": regiment,
            "type": character.profile.kind,
            "class": character.profile.weight,
            "profile": profile_of(character.profile),
            "values": _values(battle, battle.units[regiment], battle.units[regiment].hero) if regiment else {},
            "rules": sorted(map(str, character.profile.keywords)),
            "fights_with": _fights_with(battle, regiment),
            "draw_events": [str(event) for event in character.profile.events],
            "states": _states(character.effects),
            "spells": [spell.id for spell in character.profile.spells],
            "warlord": character.warlord,
            "supremacies": [ability["id"] for ability in character.card.get("supremacies", ())],
            "upgrades": list(character.upgrades),
            "points": character.card.get("points", 0),
        }
        for id, (number, character, regiment) in found.items()
    }


def _fights_with(battle: Battle, id: str) -> list[str]:
    """The special rules of a character among his regiment (TLAOK-REG-08); of his own in a duel are `rules`."""
    hero = battle.units[id].hero if id else None
    return sorted(map(str, battle.rules_of(battle.units[id], hero))) if hero is not None else []


def facts_of(battle: Battle) -> dict[str, Any]:
    """What a case may expect of the armies: characters, what each army costs, and the decks."""
    characters = characters_of(battle)
    costs = [0, 0]
    for regiment in battle.units.values():
        costs[regiment.side] += regiment.card.get("points", 0)
        if regiment.character is not None and not regiment.character.card.get("own"):
            costs[regiment.side] += characters[regiment.character.id]["points"]
    for side, _, character in battle.unattached:
        costs[side] += characters[character.id]["points"]
    return {
        "characters": characters,
        "costs": costs,
        "decks": [list(deck) for deck in battle.decks],
        "open_lists": [_is_open(battle, side) for side in (0, 1)],
    }


def _is_open(battle: Battle, side: int) -> bool:
    """Whether the opponent sees all that stands in the list of a side (TLAOK-BUILD-14)."""
    view = battle.copy()
    view.hide(1 - side)
    return all(
        id in view.units and view.units[id].data() == regiment.data() and view.units[id].card == regiment.card
        for id, regiment in battle.units.items()
        if regiment.side == side
    )
