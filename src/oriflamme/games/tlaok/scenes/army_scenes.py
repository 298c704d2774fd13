"""Cases about armies: a list is checked, an army musters, and what its cards say then (see `scene`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import degrees
from typing import Any, Final

import msgspec

from oriflamme.engine.cases.scenes import Deed, Fact, Sentence, count
from oriflamme.engine.geometry.measure import INCH
from oriflamme.engine.geometry.shapes import Box
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Problems, Reader, without_nulls
from oriflamme.games.tlaok.army.army_limits import Band, army_problems
from oriflamme.games.tlaok.army.cards import STATES, Faction
from oriflamme.games.tlaok.army.factions import read_faction
from oriflamme.games.tlaok.army.fielding import field_army, lore_of
from oriflamme.games.tlaok.army.reading import check_list
from oriflamme.games.tlaok.measures import MODELS
from oriflamme.games.tlaok.profile import LETTERS, Profile
from oriflamme.games.tlaok.state import Battle, Character, Effect, Regiment, Stand
from oriflamme.games.tlaok.trials import value_of


def check_army(battle: Battle, match: re.Match[str], top: dict[str, Any]) -> Deed:
    """`[army]` has `points`, `warbands` as `army_limits.Band` has them, and `against`: what the other is built for."""
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
            entry.problem("", notice("in_their_words", reason=str(wrong).replace("Expected", "expected")))
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
    data = dict(top.get("army", {}))
    side = int(match["side"]) - 1
    try:
        own = _own_faction(data)
        roster = check_list({"game": "tlaok", **data}, "army", own=own)
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


def _own_faction(army: dict[str, Any]) -> Faction | None:
    """A faction that the case describes itself; it is taken out of the list."""
    if "faction" not in army:
        return None
    problems = Problems("army")
    data = army.pop("faction")
    if isinstance(data, Mapping):
        data = without_nulls({"name": "The case's own", **data})
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
    Sentence("the army is checked", "[army] against TLAOK-BUILD and TLAOK-MASTERY-02; expect problems", check_army),
    Sentence(
        "the faction is read", "what is wrong with [army.faction] by some rule; expect problems", read_own_faction
    ),
    Sentence(
        "side <side> musters",
        "[army] is a list as a player writes it: it is checked (problems), its regiments are in reinforcements, its "
        "characters wait to be attached",
        muster,
    ),
    Sentence("the characters join their regiments", "asks for attach_character where there is a choice", attach),
]
ARMY: Final[Mapping[str, Mapping[str, str]]] = {
    "the army is checked": {
        "points": "what the army is built for",
        "against": "what the other army was built for; the same unless it says so",
        "warbands[].character": "its character",
        "warbands[].warlord": "he is the Warlord",
        "warbands[].kind": "his type",
        "warbands[].own": "he is a regiment of his own",
        "warbands[].rider": "he has no place of his own",
        "warbands[].irregular": "he is Irregular",
        "warbands[].cost": "points of the warband",
        "warbands[].mainstay": "regiments that are mainstay; without mainstay and restricted anybody may follow",
        "warbands[].restricted": "regiments that are restricted",
        "warbands[].regiments": "its regiments: [{ regiment, kind, irregular }]",
        "warbands[].unique": "what an army may have once",
    },
    "side 1 musters": {
        "army": "a faction (oriflamme army list names them)",
        "faction": "a faction of the case's own instead, with the tables of a faction file (docs/authoring.md)",
        "points": "the size of the battle",
        "warbands": "the entries, as a player writes them (docs/authoring.md)",
    },
    "the faction is read": {"faction": "the tables of a faction file (docs/authoring.md)"},
}


# -- what may be expected ----------------------------------------------------------------------------------------------


def profile_of(profile: Profile) -> dict[str, int]:
    """The unmodified characteristics by their letters (TLAOK-PROF-14)."""
    return {letter: getattr(profile, stat) for letter, stat in LETTERS.items()}


# What the cards of a regiment say: of its list entry, and of all that was bought.
OF_CARD: Final[Mapping[str, Fact]] = {
    "type": Fact("its type", lambda _, r: r.kind),
    "class": Fact("its class", lambda _, r: r.weight),
    "profile": Fact("its unmodified characteristics by letter: { M = 5, R = 4 }", lambda _, r: profile_of(r.profile)),
    "values": Fact("its characteristics as they are now", lambda b, r: _values(b, r, next(iter(r.troops), None))),
    "base": Fact("width and depth of a stand in mm", lambda _, r: _size(r.profile.base, 1.0)),
    "base_inches": Fact("the same in inches", lambda _, r: _size(r.profile.base, INCH)),
    "size": Fact("its size", lambda _, r: r.profile.size),
    "figures": count("models on a stand", lambda _, r: MODELS[r.kind]),
    "draw_events": Fact("its draw events", lambda _, r: [str(event) for event in r.events_of()]),
    "states": Fact("what changes it besides: { charge = 1 }", lambda _, r: _states(r.effects)),
    "barrages": Fact("its ranged weapons", lambda _, r: [str(barrage) for barrage in r.profile.barrages]),
    "types": Fact("types of its stands", lambda _, r: sorted({stand.profile.kind for stand in r.figures})),
    "facings": Fact(
        "facings of its stands", lambda _, r: sorted({round(degrees(s.facing) % 360, 1) % 360 for s in r.figures})
    ),
    "carried": Fact(
        'stands with command models: [["command", "leader"]]',
        lambda _, r: sorted([stand.role, *stand.models] for stand in r.figures if stand.models),
    ),
    "initial": count("stands when the game began", lambda _, r: r.initial),
    "points": count("its points", lambda _, r: r.card.get("points", 0)),
    "warband": Fact("the number of its warband", lambda _, r: r.warband),
}


def _size(base: Box, unit: float) -> list[float]:
    return [round(base.width / unit, 2), round(base.depth / unit, 2)]


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


CHARACTER: Final = {
    "warband": "the number of his warband",
    "regiment": 'the regiment he is in, or ""',
    "type": "his type",
    "class": "his class",
    "profile": "his unmodified characteristics by letter",
    "values": "his characteristics as they are now",
    "rules": "his own special rules",
    "fights_with": "those with the rules of his regiment that reach him (TLAOK-REG-08)",
    "draw_events": "his draw events",
    "states": "what changes him besides",
    "spells": "ids of his spells",
    "warlord": "he is the Warlord",
    "supremacies": "ids of his supremacy abilities",
    "upgrades": "what was bought for him",
    "points": "his points",
}


def _costs(battle: Battle, _: Any) -> list[int]:
    characters = characters_of(battle)
    costs = [0, 0]
    for regiment in battle.units.values():
        costs[regiment.side] += regiment.card.get("points", 0)
        if regiment.character is not None and not regiment.character.card.get("own"):
            costs[regiment.side] += characters[regiment.character.id]["points"]
    for side, _number, character in battle.unattached:
        costs[side] += characters[character.id]["points"]
    return costs


# What a case may expect of the armies: characters, what each army costs, and the decks.
OF_ARMIES: Final[Mapping[str, Fact]] = {
    "characters": Fact("the characters by id: { captain = { ... } }", lambda b, _: characters_of(b), keys=CHARACTER),
    "costs": Fact("points of both armies", _costs),
    "decks": Fact("secondary objectives in both decks", lambda battle, _: [list(deck) for deck in battle.decks]),
    "open_lists": Fact("the other side sees each list", lambda battle, _: [_is_open(battle, side) for side in (0, 1)]),
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
