"""What an editor needs to know of a game: the units it may lay, what may be said of them, and the terrain there is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from oriflamme.cases.words import Noted, notes_of
from oriflamme.engine.cases.scene_battles import table_of
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.game import Game
from oriflamme.engine.table.maps import KINDS, MEASURES, TRAITS, load_map
from oriflamme.engine.words.homes import home_of
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import did_you_mean, problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.engine.words.wording import Wording
from oriflamme.games import load

Data = dict[str, Any]

# Keys of a unit that say where it is: the editor sets them by hand.
PLACES: Final = ("at", "places", "ranks", "spacing", "facing", "touches", "board", "elevation", "began", "side")


@cache
def desk(game_id: str) -> Data:
    """The forms of a game, and what lies at hand."""
    game = load(game_id)
    scenes = game.scenes()
    noted = notes_of(scenes)
    unit = noted.get(f"given.<{scenes.unit}>", {})
    return {
        "game": game.id,
        "measure": game.measure,
        "unit_word": scenes.unit,
        "size": list(scenes.table_size),
        "sides": game.most_sides,
        "places": [key for key in PLACES if key in unit],
        "unit": [_field(game, key, unit[key]) for key in scenes.states if key in unit],
        "battle": [_field(game, key, found) for key, found in noted.get("battle", {}).items() if found.form],
        "terrain": [
            {
                "kind": id,
                "height": round(kind.height / MEASURES[game.measure], 2),
                "traits": sorted(kind.traits),
            }
            for id, kind in KINDS.items()
        ],
        "traits": list(TRAITS),
        "armies": game.armies().lists(),
        "bots": list(game.bots()),
    }


def _labels(game_id: str) -> Mapping[str, dict[str, str]]:
    """What the keys of a scene are called, where the game says it."""
    home = home_of(game_id)
    if home is None or not (home.folder / "text" / "en" / "labels.toml").is_file():
        return {}
    try:
        return Wording(home.folder / "text", "scene").all()
    except KeyError:
        return {}


def _field(game: Game, key: str, noted: Noted) -> Data:
    """A key of a scene as a field of a form: what may stand there, and what it is called."""
    words = _labels(game.id).get(key, dict.fromkeys(LANGUAGES, key.replace("_", " ")))
    choices = noted.form.split(" or ") if noted.form.startswith('"') else []
    kind = (
        "flag"
        if noted.form == "true or false"
        else "choice"
        if choices
        else "number"
        if noted.form.startswith(("a whole number", "a number"))
        else "words"
        if noted.form == "a list of texts"
        else "text"
        if noted.form == "text"
        else "free"
    )
    return {
        "key": key,
        "kind": kind,
        "choices": [c.strip('"') for c in choices],
        "default": noted.default,
        "words": words,
    }


def palette(game_id: str, army: str) -> Data:
    """The units of a ready-made list as a scene has them, fresh and without a place."""
    game = load(game_id)
    if army not in {one.id for one in game.armies().lists()}:
        raise problem_with(
            "army", notice("no_list", list=army), hint=did_you_mean(army, [a.id for a in game.armies().lists()])
        )
    agreed = game.agreed({})
    setup = game.setup(0, lists=[army] * game.players_of(agreed), points=0)
    battle = game.open(setup, SeededDice(0))
    given = game.scenes().written(battle)["given"]
    found: list[Data] = []
    for id, unit in battle.units.items():
        if unit.side == 0 and id in given:
            fresh = _fresh(game, given[id])
            if not any(one["given"] == fresh for one in found):
                found.append({"id": id, "name": dict(unit.name), "given": fresh})
    return {"units": found}


def _fresh(game: Game, unit: Data) -> Data:
    off = {*PLACES, *game.scenes().off_table}
    return {key: value for key, value in unit.items() if value is not None and key not in off}


def map_table(game_id: str, name: str) -> Data:
    """A map that ships as [table] of a scene."""
    game = load(game_id)
    if name not in game.maps():
        raise problem_with("map", notice("no_such", what="map", word=name), hint=did_you_mean(name, game.maps()))
    made = load_map(name)
    return {"table": table_of(made.table, game.measure, {"map": made.to_data()})}
