"""What somebody opens in an analysis: a case file, a map, or a battle's save; and what it becomes on the way out."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from oriflamme.cases import analysis
from oriflamme.engine.cases.scene_battles import Written, laid, written
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.table.maps import map_from_data
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import parse_toml, problem_with
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.games import load
from oriflamme.server.battles import Body, Request, Word

Data = dict[str, Any]

MOST_SCENES: Final = 200
Sentence = Annotated[str, msgspec.Meta(max_length=400)]


class ReadFile(Request):
    """The text of a file; of a save, the moment after so many answers, the last one if nothing is said."""

    text: Body
    game: Word = ""
    number: Annotated[int, msgspec.Meta(ge=0)] | None = None


class WriteMap(Request):
    """A table to be written as a map file."""

    table: Annotated[Data, msgspec.Meta(max_length=12)]
    name: Annotated[dict[Word, Word], msgspec.Meta(max_length=2)] = msgspec.field(default_factory=dict)
    about: Annotated[dict[Word, Annotated[str, msgspec.Meta(max_length=400)]], msgspec.Meta(max_length=2)] = (
        msgspec.field(default_factory=dict)
    )


def opened(wanted: ReadFile) -> Data:
    """The scenes a file holds, by its kind."""
    text = wanted.text
    if not text.strip():
        raise problem_with("file", notice("nothing_given"))
    if text.lstrip().startswith("{"):
        return _from_save(text, wanted.number)
    data = parse_toml(text, "file.toml")
    if "piece" in data and "then" not in data and "case" not in data:
        made = map_from_data(data, "file.toml")
        return {"map": _table_of(made.to_data()), "name": made.name, "about": made.about, "measure": made.measure}
    found = analysis.scenes_in(data, "file.toml", wanted.game if "game" not in data else "")[:MOST_SCENES]
    return {"scenes": found}


def _table_of(made: Mapping[str, Any]) -> Data:
    """[table] of a scene from the data of a map."""
    kept = {key: made[key] for key in ("size", "hexes", "board", "opening") if made.get(key)}
    return {**kept, "pieces": list(made.get("piece", ()))}


def _from_save(text: str, number: int | None) -> Data:
    with tempfile.TemporaryDirectory(prefix="oriflamme-") as folder:
        path = Path(folder, "battle.save")
        path.write_text(text, encoding="utf-8", errors="replace")
        saved = saves.read(path, load, recover=True)
        play = saved.play(recover=True, upto=number)
    if not isinstance(play.game, Game):
        raise problem_with("save", notice("no_scene_at_all"))
    return moment(play.game, play) | {"answers": len(saved.entries)}


def moment(game: Game, play: Play) -> Data:
    """A moment of a battle as a scene, and what of it a scene leaves out."""
    found: Written = written(game.scenes(), play.battle, play.setup)
    return {"game": game.id, "scene": found.scene, "left_out": found.left_out, "number": len(play.answers)}


def map_file(game_id: str, wanted: WriteMap) -> Data:
    """A table as a map file that `--map` reads; raises Problems with all that is wrong with it."""
    game = load(game_id)
    name = {lang: notice("a_map").in_words(lang) for lang in LANGUAGES} | wanted.name
    data: Data = {"name": name, "measure": game.measure, **{k: v for k, v in wanted.table.items() if k != "pieces"}}
    if wanted.about:
        data["about"] = {"en": "", "fr": ""} | wanted.about
    data.setdefault("size", list(game.scenes().table_size))
    data["piece"] = wanted.table.get("pieces", [])
    made = map_from_data(data, "map.toml")
    return {"text": made.to_toml(), "file": "map.toml", "fits": game.fits(made, game.agreed({}))}


def checked_scene(game_id: str, scene: Data) -> None:
    """Raises Problems if a battle cannot be played from this scene."""
    laid(load(game_id).scenes(), scene, SeededDice(0))
