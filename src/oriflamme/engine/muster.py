"""Mustering an army: what may be picked, and a draft of a list, in plain data for whoever shows it.

A draft need not be finished or legal. A game reads it with the very code that reads its list files and says what each
entry costs, what it has, and everything that is wrong with it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import msgspec

from oriflamme.engine.catalogue import load as load_catalogue
from oriflamme.engine.desk import Data
from oriflamme.engine.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.notices import name_in, notice
from oriflamme.engine.problems import Problem, did_you_mean, parse_json, parse_toml, problem_with
from oriflamme.engine.sentences import LANGUAGES
from oriflamme.engine.wording import Wording

_TEXTS: Final = Path(__file__).parent / "texts"

MOST_NOTES: Final = 200  # on one list

Word = Annotated[str, msgspec.Meta(max_length=80)]
Names = Mapping[str, str]

# What the price of a unit that somebody makes up is told in, where a game counts these.
PRICE_PARTS: Final = Wording(_TEXTS, "price_parts").all()


class Pick(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Something a unit takes: for how many models (0: for all that may), and in which half of a combined unit."""

    option: Word
    models: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    half: Literal[1, 2] = 1


class Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a draft. `joins` is the entry, counted from 1, that a hero goes with; `whole` a unit from elsewhere
    that no faction has, as the game keeps it."""

    unit: Word
    name: Word = ""
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    picks: Annotated[list[Pick], msgspec.Meta(max_length=60)] = []
    combined: bool = False
    joins: Annotated[int, msgspec.Meta(ge=0, le=MOST_ENTRIES)] = 0
    whole: Data | None = None


class Draft(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A list in the making. `custom` are units that its player makes up, with the fields the game asks for."""

    name: Word = ""
    points: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    faction: Word = ""
    entries: Annotated[list[Entry], msgspec.Meta(max_length=MOST_ENTRIES)] = []
    custom: Annotated[list[Data], msgspec.Meta(max_length=MOST_CUSTOM)] = []


class Muster:
    """Where armies of a game are mustered. A game derives its own."""

    # The key of a list file under which its entries stand; problems name them by it: `units[2].upgrades`.
    entries = "units"

    def __init__(self, game: str) -> None:
        self.game = game

    def offers(self) -> Data:
        """All that may be picked: `factions` with their `units`, the `glossary` of special rules, the `form` of a unit
        one makes up, `stats` a unit has, `points` that are usual."""
        raise NotImplementedError

    def checked(self, draft: Draft, options: Mapping[str, str]) -> Data:
        """What a draft amounts to: `cost`, `limits`, `entries` and `problems`."""
        raise NotImplementedError

    def to_list(self, draft: Draft) -> Data:
        """The draft as a list file has it."""
        raise NotImplementedError

    def from_list(self, data: Data) -> Draft:
        """What a list file has, as a draft; what a draft has no place for is left out."""
        raise NotImplementedError

    def ready(self) -> Mapping[str, Data]:
        """The ready-made lists by id, as their files have them."""
        raise NotImplementedError

    def invented(self, profile: Data) -> Data:
        """What a unit that one makes up costs: `cost`, its `parts`, `unit` as an offer, and `problems`."""
        raise NotImplementedError

    def imported(self, text: str, options: Mapping[str, str]) -> tuple[Draft, list[Names]]:
        """A list from a text, TOML or JSON, and what its player should know; raises Problems if it is none."""
        source = "list"
        data = parse_json(text, source) if text.lstrip()[:1] in ("{", "[") else parse_toml(text, source)
        if not isinstance(data, Mapping):
            raise problem_with(source, notice("not_a_list"), hint=notice("paste_the_whole"))
        named = data.get("game")
        if named != self.game:
            what = notice("list_of_another", game=named) if isinstance(named, str) else notice("names_no_game")
            raise problem_with(source, what, where="game", hint=notice("expected_game", game=self.game))
        draft = self.from_list(dict(data))
        return draft, self.lost(dict(data), draft, options)

    def lost(self, data: Data, draft: Draft, options: Mapping[str, str]) -> list[Names]:
        """What was wrong with a list and is no longer, because the draft has no place for it."""
        kept = {problem.what for problem in self.problems_of(self.to_list(draft), options)}
        gone = [problem for problem in self.problems_of(data, options) if problem.what not in kept]
        return [
            {lang: notice("left_aside", problem=problem).in_words(lang) for lang in LANGUAGES}
            for problem in gone[:MOST_NOTES]
        ]

    def problems_of(self, data: Data, options: Mapping[str, str]) -> list[Problem]:
        """Everything wrong with a list file's data."""
        raise NotImplementedError

    def entry_of(self, where: str, draft: Draft | None) -> int | None:
        """The entry of a draft, counted from 1, that a place in its list file stands for."""
        found = re.match(rf"{self.entries}\[(\d+)\]", where)
        return int(found[1]) if found else None

    def told(
        self,
        problems: Iterable[Problem],
        names: Mapping[str, Names] = MappingProxyType({}),
        draft: Draft | None = None,
    ) -> list[Data]:
        """Problems as plain data, each with the entry it is about, counted from 1, if it is about one.

        `words` are for people: there, units are called by their `names`.
        """
        named = {**names, **{name.get("en", ""): name for name in names.values()}}
        return [
            {
                **problem.data(),
                "entry": self.entry_of(problem.where, draft),
                "words": {lang: problem.data(lang, named) for lang in LANGUAGES},
            }
            for problem in problems
        ]

    def find_ready(self, id: str, lang: str = "en") -> Draft:
        """A ready-made list as a draft, named in this language. Only those that ship are looked at, no file."""
        ready = self.ready()
        if id not in ready:
            raise problem_with("list", notice("no_list", list=id), hint=did_you_mean(id, ready))
        names = ready[id].get("name", "")
        return self.from_list({**ready[id], "name": names if isinstance(names, str) else name_in(names, lang)})


# -- special rules, for people to read ---------------------------------------------------------------------------------


@cache
def french_rules(package: str) -> Data:
    """What special rules are called and say in French: `text/special.toml` of the game."""
    return tomllib.loads((resources.files(package) / "text" / "special.toml").read_text(encoding="utf-8"))


def told_rule(game: str, rule: str) -> str:
    """What the rulebook says about a special rule, all its statements in a row."""
    said = []
    for one in load_catalogue(game).under(rule):
        if one.derived:
            continue
        text = re.sub(r"^[A-Z][\w' -]+(?: \(X\))?(?: \[[^\]]+\])?: (?<=(?:\]|\)): )", "", one.text)
        if len(text.split()) <= 5 and one.rulings:
            # A mere heading: what it means is in the ruling.
            text = f"{text.rstrip('.')}: {one.rulings[0]}"
        text = re.sub(r" ?\((?:[A-Z]{2,}(?:-[A-Z0-9]+)+(?:, |; )?)+\)", "", text)
        said.append(text[:1].upper() + text[1:])
    return " ".join(said)


# -- a list on paper ---------------------------------------------------------------------------------------------------


def as_toml(data: Mapping[str, Any]) -> str:
    """A list as a file a person can read and write in: short tables in one line, long ones under a heading."""
    plain, later = [], []
    for key, value in data.items():
        tables = isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)
        if tables and any(_is_long(item) for item in value):
            later += ["\n".join([f"[[{key}]]", *_lines(item)]) for item in value]
        elif tables:
            plain.append("\n".join([f"{key} = [", *(f"  {_toml(item)}," for item in value), "]"]))
        else:
            plain += _lines({key: value})
    return "\n\n".join(["\n".join(plain), *later]) + "\n"


def tables_in(value: object, most: int) -> list[Data]:
    """The tables among the first `most` values of a list; none if it is no list."""
    return [one for one in value[:most] if isinstance(one, dict)] if isinstance(value, list) else []


def whole(value: object, low: int, high: int, otherwise: int) -> int:
    """A whole number between both, or something else instead."""
    right = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    return int(value) if right and isinstance(value, int) else otherwise


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_toml(value)}" for key, value in table.items() if value is not None]


def _is_long(table: Mapping[str, Any]) -> bool:
    return len(_toml(table)) > 200


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml(key)


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            inside = ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items() if v is not None)
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(_toml(item) for item in value if item is not None)}]"
        case _:
            return str(value)


def as_text(told: Data, offers: Data, lang: str) -> str:
    """A checked draft as plain text, for an organiser to read: one line for each entry, what it takes below it."""
    words = _PRINTED.of(lang)
    lines = [
        f"{told['name'] or words['list']} ({name_in(offers['title'], lang)})",
        f"{told['cost']} / {told['points']} {words['points']}",
    ]
    if told["faction"]:
        lines.insert(1, name_in(told["faction"], lang))
    lines.append("")
    for number, entry in enumerate(told["entries"], 1):
        if entry["unit"] is None:
            lines.append(f"{number}. {entry['asked']}: {words['unknown']}")
            continue
        unit = entry["unit"]
        many = f"{entry['figures']} × " if entry["figures"] > 1 else ""
        lines.append(f"{number}. {many}{name_in(unit['name'], lang)} [{entry['cost']}]")
        stats = [f"{stat['short']}{unit['stats'][stat['key']]}" for stat in offers["stats"]]
        rules = [rule_name(rule, offers["glossary"], offers["words"], lang) for rule in unit["rules"]]
        lines.append(f"   {'  '.join([*stats, ', '.join(rules)]).strip()}")
        if entry["picks"]:
            lines.append(f"   + {', '.join(name_in(pick, lang) for pick in entry['picks'])}")
        for weapon in unit["weapons"]:
            held = [rule_name(rule, offers["glossary"], offers["words"], lang) for rule in weapon["rules"]]
            count = f"{weapon['count']} × " if weapon["count"] > 1 else ""
            lines.append(f"   {count}{name_in(weapon['name'], lang)} ({', '.join([weapon['about'], *held])})")
        if entry["joins"]:
            host = told["entries"][entry["joins"] - 1]["unit"]
            lines.append(
                f"   → {words['joins']} {entry['joins']}. {name_in(host['name'], lang) if host else ''}".rstrip()
            )
    if told["problems"]:
        lines += ["", words["problems"]]
        for problem in told["problems"]:
            said = problem["words"].get(lang) or problem["words"]["en"]
            rule = f" ({problem['rule']})" if problem["rule"] else ""
            lines.append(f"- {problem['where']}: {said['what']}{rule}")
    return "\n".join(lines) + "\n"


_PRINTED: Final = Wording(_TEXTS, "printed_list")


def rule_name(rule: str, glossary: Data, words: Data, lang: str) -> str:
    """A special rule as people say it, with its number or word in brackets."""
    key, _, inside = rule.partition("(")
    known = glossary.get(key)
    if known is None:
        return rule
    inside = inside.rstrip(")")
    said = name_in(words.get(inside, {}), lang) or inside
    return f"{name_in(known['name'], lang)} ({said})" if inside else name_in(known["name"], lang)
