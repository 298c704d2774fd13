"""`oriflamme options`: what players may agree on before a battle, house rule by house rule."""

from __future__ import annotations

from typing import Any

from oriflamme.cli import show
from oriflamme.cli.phrases import words
from oriflamme.engine.words.catalogue import games as catalogue_games
from oriflamme.engine.words.catalogue import load as load_catalogue
from oriflamme.engine.words.of_battles import before_battle
from oriflamme.games import load


def show_options(game_id: str, as_json: bool, lang: str) -> None:
    """House rules with their values, the usual one first, and what `--set` knows."""
    game, said = load(game_id), words(lang)["options"]
    known = load_catalogue(game.id, lang).options if game.id in catalogue_games() else {}
    called = before_battle(game)
    rules = [
        {
            "key": key,
            "title": show.name_of(called["options"].get(key, {}).get("title", {}), lang) or key,
            "values": {value: _value(called["options"], key, value, lang) for value in rule.values},
            "default": rule.default,
            "rule": rule.rule,
            "meaning": known[key].meaning if key in known else "",
        }
        for key, rule in game.options.items()
    ]
    choices = [
        {
            "key": key,
            "title": show.name_of(called["choices"].get(key, {}).get("title", {}), lang) or key,
            "values": {value: _value(called["choices"], key, value, lang) for value in values},
            "default": values[0],
        }
        for key, values in game.choices.items()
    ]
    if as_json:
        show.say_json({"game": game.id, "options": rules, "choices": choices})
        return
    show.say(show.name_of(game.title, lang), "bold")
    for heading, rows in ((said["rules"], rules), (said["choices"], choices)):
        if rows:
            show.say()
            show.say(heading, "bold")
        for row in rows:
            _show(row, said)


def _value(called: Any, key: str, value: str, lang: str) -> str:
    return show.name_of(called.get(key, {}).get("values", {}).get(value, {}), lang) or value


def _show(row: dict[str, Any], said: dict[str, str]) -> None:
    titled = said["row"].format(key=row["key"], title=row["title"])
    show.say(f"  {titled}" + (f"  {row['rule']}" if row.get("rule") else ""))
    for value, name in row["values"].items():
        usual = f" ({said['usual']})" if value == row["default"] else ""
        show.say(f"    {value}" + (f" – {name}" if name != value else "") + usual)
    if row.get("meaning"):
        show.say(f"    {row['meaning']}", "dim")
