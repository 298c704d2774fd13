"""Cards of units in a terminal: all units of a side as a table, or one of them with everything that is on its card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oriflamme.cli import library, show
from oriflamme.cli.phrases import Phrases
from oriflamme.drawing.words import fate_words, state_words, waiting_words
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.picture.shown import UnitShown
from oriflamme.engine.words.text import Voice

SHORT = 3  # letters of a characteristic that stand for themselves at the head of a column
MOST_MODELS = 12  # of one kind that are told one by one


def show_forces(battle: Any, side: int, game: Rulebook, voice: Voice, tags: Mapping[str, str]) -> None:
    """The units of a side, whoever leads or carries them below them."""
    ids = [unit.id for unit in battle.units_of(side)]
    _show_table(battle, side, ids, game, voice, tags)


def show_card(battle: Any, id: str, game: Rulebook, voice: Voice, tags: Mapping[str, str], say: Phrases) -> None:
    """All that is known of one unit: its profile and its persons', spells, and which model is which."""
    data = game.unit_at(battle, id)
    _show_table(battle, data["side"], [id], game, voice, tags)
    if data["figures"]:
        words = [f"{voice.term(key)} {value}" for key, value in data.get("numbers", {}).items()]
        if any(len(key) > SHORT for key in data.get("numbers", {})):
            show.say("  " + " · ".join(words), "dim")
        _show_models(battle, data, voice, tags, say)
    _show_spells(data, game, voice, say)


def _show_table(
    battle: Any, side: int, ids: Sequence[str], game: Rulebook, voice: Voice, tags: Mapping[str, str]
) -> None:
    data = {id: game.unit_at(battle, id) for id in ids}
    pictured = {unit.id: unit for unit in game.picture().show(battle).units}
    persons = [person for unit in data.values() for person in unit.get("with", ())]
    keys = list(dict.fromkeys(key for one in (*data.values(), *persons) for key in one.get("numbers", {})))
    several = any("start" in unit for unit in data.values())
    heads = ([""] if several else []) + [_head(key) for key in keys]
    made = show.table("", voice.side(side), *heads, "", right=range(2, 2 + len(heads)))
    for id, unit in data.items():
        there = bool(unit["figures"])
        style = show.side_style(side, battle.players) if there else "dim"
        strength = [f"{unit['figures']}/{unit['start']}" if there and "start" in unit else ""] if several else []
        numbers = [unit.get("numbers", {}).get(key, "") if there else "" for key in keys]
        made.add_row(
            show.cell(tags.get(id, ""), style),
            show.cell(show.name_of(unit["name"], voice.lang), style),
            *map(show.cell, strength + numbers),
            show.cell(_notes(pictured[id], unit, game, voice), "" if there else "dim"),
        )
        for person in unit.get("with", ()) if there else ():
            numbers = [person.get("numbers", {}).get(key, "") for key in keys]
            made.add_row(
                "",
                show.cell(f"+ {show.name_of(person['name'], voice.lang)}", style),
                *map(show.cell, ([""] if several else []) + numbers),
                show.cell(_sheet_words(person, 1, voice)),
            )
    show.show_table(made)


def _head(key: str) -> str:
    """What stands over a column: a short name as it is, a long one by its letter."""
    return key if len(key) <= SHORT else key[:1].upper()


def _notes(unit: UnitShown, data: dict[str, Any], game: Rulebook, voice: Voice) -> str:
    """Weapons, special rules, and the states it is in; or what became of it."""
    signs = game.picture().signs
    if not data["figures"]:
        return fate_words(signs, unit, voice.lang)
    waits = [waiting_words(signs, unit, voice.lang)] if not unit.on_table else []
    states = [state_words(signs, state, voice.lang) for state in unit.states]
    notes = ", ".join([*map(voice.term, data["rules"]), *waits, *states])
    return " · ".join(part for part in (_weapons(data, data["figures"], voice), notes) if part)


def _sheet_words(data: dict[str, Any], figures: int, voice: Voice) -> str:
    rules = ", ".join(map(voice.term, data.get("rules", ())))
    return " · ".join(part for part in (_weapons(data, figures, voice), rules) if part)


def _weapons(data: dict[str, Any], figures: int, voice: Voice) -> str:
    return "; ".join(_weapon(weapon, figures, data, voice) for weapon in data.get("weapons", ()))


def _weapon(weapon: dict[str, Any], figures: int, data: dict[str, Any], voice: Voice) -> str:
    reach = [voice.length(weapon["range"])] if weapon["range"] else []
    words = ", ".join([*reach, f"A{weapon['attacks']}", *map(voice.term, weapon["rules"])])
    count = f"{weapon['models']}× " if figures > 1 else ""
    named = data.get("weapon_names", {}).get(weapon["name"])
    name = show.name_of(named, voice.lang) if named else voice.name(weapon["name"], "weapon")
    return f"{count}{name} ({words})"


def _show_models(battle: Any, data: dict[str, Any], voice: Voice, tags: Mapping[str, str], say: Phrases) -> None:
    """Which model is which, by the number a player types, and where it stands."""
    figures = {figure.id: figure for figure in battle.units[data["id"]].figures}
    if len(figures) < 2:
        return
    key = "card_model" if not data.get("reserve") else "card_waits"
    known = [one for one in data.get("who", ()) if any(id in figures for id in one["figures"])]
    named = {id for one in known for id in one["figures"]}
    rest = [id for id in figures if id not in named]
    groups = [(_who(one, voice) or say("card_others"), one["figures"]) for one in known]
    groups += [(say("card_others") if groups else show.name_of(data["name"], voice.lang), rest)] if rest else []
    show.say(say("card_models"), "bold")
    for name, ids in groups:
        there = [figures[id] for id in ids if id in figures]
        told = [
            say(key, number=tags.get(f.id, f.id.rpartition(".")[2]), **say.spot(f.x, f.y)) for f in there[:MOST_MODELS]
        ]
        more = f" … {len(there)}" if len(there) > MOST_MODELS else ""
        show.say(say("card_who", name=name, numbers="; ".join(told) + more))


def _who(one: dict[str, Any], voice: Voice) -> str:
    if "name" in one:
        return show.name_of(one["name"], voice.lang)
    return ", ".join(
        voice.term(word) if voice.term(word) != word else voice.name(word, "weapon") for word in one["words"]
    )


def _show_spells(data: dict[str, Any], game: Rulebook, voice: Voice, say: Phrases) -> None:
    """What each spell does; of one that has a rule of its own, the rule."""
    parts = [data, *data.get("with", ())]
    texts = {str(spell["name"]): spell for part in parts for spell in part.get("spell_texts", ())}
    rules = dict.fromkeys(rule for part in parts for rule in part.get("spell_rules", ()))
    if texts or rules:
        show.say(say("card_spells"), "bold")
    for spell in texts.values():
        about = show.name_of(spell["about"], voice.lang)
        laid = ", ".join(map(voice.term, spell.get("rules", ())))
        show.say(f"  {show.name_of(spell['name'], voice.lang)}: {about}{f' {laid}' if laid else ''}")
    for rule in rules:
        for found in library.find_rules(rule, game.id, voice.lang)[:1]:
            library.print_rule(found, voice.lang)
