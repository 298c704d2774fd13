"""Regiments that players make up: the form that asks for them, and how it is written in a list file.

A form has one number for each characteristic, the least and the most stands, and a row for each ranged weapon; a file
has a `profile`, `stands` and the weapons among the special rules, as the book prints them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.lists.drafts import Data, filled_in, words_in
from oriflamme.engine.lists.fields import Field, NumberField, RowsField, RulesField, TextField
from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.army.factions import CHOICE, CLASS, MOST_STANDS, TYPE, characteristics
from oriflamme.games.tlaok.keywords import book
from oriflamme.games.tlaok.profile import DRAW_EVENTS, LETTERS, Barrage, parse_barrage, parse_event

in_both: Final = Wording(Path(__file__).parents[1] / "text", "lists")

FIRST: Final = {
    "name": "", "type": "infantry", "class": "medium", "choice": "restricted", "least": 3, "most": 6,
    "M": 5, "V": 0, "C": 2, "A": 4, "W": 4, "R": 3, "D": 2, "E": 0,
}  # fmt: skip


def fields() -> tuple[Field, ...]:
    """What is asked of who makes up a regiment."""
    special = in_both("special_rules")
    known = book.declared.values()
    on_stands = [cls.title for cls in known if "stand" in cls.on and cls.title not in ("Priest", "Wizard")]
    on_shots = [cls.title for cls in known if "barrage" in cls.on]
    events = [printed.partition(" (")[0] for printed in DRAW_EVENTS.values()]
    barrage = (
        NumberField("shots", in_both("shots_a_stand"), 1, 12),
        NumberField("range", in_both("range"), 1, 48, '"'),
        RulesField("rules", special, tuple(on_shots)),
    )
    return (
        TextField("name", in_both("name")),
        TYPE,
        CLASS,
        CHOICE,
        NumberField("least", in_both("stands_least"), 1, MOST_STANDS),
        NumberField("most", in_both("stands_most"), 1, MOST_STANDS),
        *characteristics(),
        RulesField("rules", special, tuple(on_stands)),
        RulesField("events", in_both("draw_events"), tuple(events)),
        RowsField("barrages", in_both("barrages"), barrage, first={"shots": 2, "range": 16, "rules": []}),
    )


def printed_key(rule: str) -> str:
    """A rule as the page reads it: its number right behind it, without a space or what a file adds."""
    return rule.rstrip("!").replace(" (", "(")


def line_of(profile: Data) -> Data:
    """A regiment one made up, from the fields of the form to what a list file has; what is empty is left out."""
    rest = filled_in(profile)
    letters = {letter: rest.pop(letter) for letter in LETTERS if letter in rest}
    barrages = rest.pop("barrages", ())
    least, most = rest.pop("least", None), rest.pop("most", None)
    if letters:
        rest["profile"] = letters
    if least is not None or most is not None:
        sizes = [size for size in (least, most) if size is not None]
        rest["stands"] = sizes[:1] if len(set(map(str, sizes))) == 1 else sizes
    rules = rest.get("rules")
    if isinstance(rules, list):
        rules = [_printed(rule) for rule in rules]
    made = [_barrage(row) for row in (barrages if isinstance(barrages, list) else ()) if isinstance(row, Mapping)]
    if rules or made:
        rest["rules"] = [*(rules or ()), *filter(None, made)] if isinstance(rules, list | None) else rules
    if isinstance(rest.get("events"), list):
        rest["events"] = [_printed(event) for event in rest["events"]]
    if rest.get("type") not in ("monster", "chariot") and "command" not in rest:
        rest["command"] = {"leader": "buy", "standard": True}
    return rest


def form_of(own: Data) -> Data:
    """A regiment of a list file as the form has it."""
    rest = {key: value for key, value in own.items() if key not in ("profile", "stands", "rules", "events", "command")}
    letters, stands = own.get("profile"), own.get("stands")
    if isinstance(letters, dict):
        rest |= letters
    sizes = stands if isinstance(stands, list) else [stands] if isinstance(stands, int) else []
    if sizes:
        rest |= {"least": sizes[0], "most": sizes[-1]}
    rules: list[str] = []
    barrages: list[Data] = []
    for rule in words_in(own.get("rules")):
        barrage = _read_barrage(rule)
        if barrage is None:
            rules.append(printed_key(rule))
        else:
            held = [printed_key(str(one)) for one in barrage.rules]
            barrages.append({"shots": barrage.shots, "range": barrage.range, "rules": held})
    if rules:
        rest["rules"] = rules
    if barrages:
        rest["barrages"] = barrages
    if events := [printed_key(event) for event in words_in(own.get("events"))]:
        rest["events"] = events
    return rest


def _printed(rule: object) -> object:
    """A rule as the book prints it, if it is one."""
    if not isinstance(rule, str):
        return rule
    for parse in (book.parse, parse_event):
        try:
            return str(parse(rule))
        except UnknownKeyword:
            continue
    return rule


def _barrage(row: Mapping[str, Any]) -> str:
    shots, reach = row.get("shots"), row.get("range")
    if shots is None or reach is None:
        return ""
    rules = "".join(f", {_printed(rule)}" for rule in row.get("rules") or ())
    return f'Barrage ({shots}) ({reach}"{rules})'


def _read_barrage(rule: str) -> Barrage | None:
    try:
        return parse_barrage(rule)
    except UnknownKeyword:
        return None
