"""Mustering a band of Song of Blades and Heroes: fighters of the book and of one's own, and the limits of a band."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.desk import Data
from oriflamme.engine.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.muster import Draft, Entry, Muster, french_rules, tables_in, told_rule, whole
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import Problem, Problems, Reader, read_toml
from oriflamme.engine.sentences import LANGUAGES
from oriflamme.engine.wording import Wording
from oriflamme.games.sbh import keywords as keywords
from oriflamme.games.sbh.bands import AGREED, DEFAULTS, MOST_ALIKE, Fighter, at_cost, read_band, ready_bands
from oriflamme.games.sbh.looks import look_of
from oriflamme.games.sbh.moments import book
from oriflamme.games.sbh.points import COMBAT, DEADLY_TO, PRICES, QUALITY, priced, rule_problems
from oriflamme.games.sbh.profile import profile_of
from oriflamme.games.sbh.roster import Card, cards, races

in_both: Final = Wording(Path(__file__).parent / "text", "muster")

PACKAGE: Final = "oriflamme.games.sbh"

STATS: Final = [
    {"key": "quality", "short": "Q", "name": in_both("quality")},
    {"key": "combat", "short": "C", "name": in_both("combat")},
]

KINDS: Final = {
    "personality": in_both("personality"),
    "animal": in_both("animal"),
    "fighter": in_both("fighter"),
}

WORDS: Final = {
    "short": in_both("short"),
    "medium": in_both("medium"),
    "long": in_both("long"),
    "mages": in_both("mages"),
    "undead": in_both("undead"),
    "animals": in_both("animals"),
    "trolls": in_both("trolls"),
    "dragons": in_both("dragons"),
    "orcs": in_both("orcs"),
}

USUAL: Final = (200, 300, 400, 500)
FIRST: Final = {"name": "", "quality": 4, "combat": 3}


class SbhMuster(Muster):
    """The muster of Song of Blades and Heroes."""

    entries = "fighters"

    def offers(self) -> Data:
        return _offers()

    def ready(self) -> Mapping[str, Data]:
        return {id: read_toml(path) for id, path in ready_bands().items()}

    def to_list(self, draft: Draft) -> Data:
        data: Data = {"game": self.game}
        if draft.name:
            data["name"] = draft.name
        data |= {"points": draft.points, "fighters": [_line(entry) for entry in draft.entries]}
        if draft.custom:
            data["custom"] = [_own(profile) for profile in draft.custom]
        return data

    def from_list(self, data: Data) -> Draft:
        points = data.get("points", AGREED)
        fighters, custom = data.get("fighters"), data.get("custom")
        return Draft(
            name=_text(data.get("name"))[:80],
            points=whole(points, 0, 100_000, 0),
            entries=[_entry(one) for one in tables_in(fighters, MOST_ENTRIES)],
            custom=[dict(one) for one in tables_in(custom, MOST_CUSTOM)],
        )

    def problems_of(self, data: Data, options: Mapping[str, str]) -> list[Problem]:
        return list(read_band(data, "list", DEFAULTS | dict(options)).problems)

    def checked(self, draft: Draft, options: Mapping[str, str]) -> Data:
        read = read_band(self.to_list(draft), "list", DEFAULTS | dict(options))
        band = read.fighters
        entries = []
        for entry, line in zip(draft.entries, read.lines, strict=True):
            told: Data = {"asked": entry.unit, "unit": None, "cost": 0, "figures": 0, "picks": [], "joins": 0}
            if line:
                told |= {
                    "unit": _fighter_told(line[0], entry.name),
                    "cost": sum(fighter.points for fighter in line),
                    "figures": len(line),
                }
            entries.append(told)
        cost = sum(fighter.points for fighter in band)
        leading = sum(fighter.points for fighter in band if fighter.personality)
        animals = sum(fighter.animal for fighter in band)
        limits = [
            ("points", in_both("points"), cost, draft.points, "SBH-BAND-02"),
            (
                "personalities", in_both("points_of_personalities"), leading,
                draft.points // 3, "SBH-BAND-04",
            ),
            ("animals", in_both("animals_2"), animals, len(band) // 2, "SBH-BAND-06"),
        ]  # fmt: skip
        return {
            "name": draft.name,
            "faction": {},
            "points": draft.points,
            "cost": cost,
            "models": len(band),
            "limits": [dict(zip(("key", "name", "used", "most", "rule"), one, strict=True)) for one in limits],
            "entries": entries,
            "problems": self.told(read.problems),
            "custom": [self.invented(profile) for profile in draft.custom],
        }

    def invented(self, profile: Data) -> Data:
        problems = Problems("fighter")
        table = Reader({**FIRST, **_own(profile)}, problems)
        name = _text(profile.get("name"))
        if not name.strip():
            problems.add("name", notice("fighter_without_name"))
        quality = table.integer("quality", low=QUALITY[0], high=QUALITY[1])
        combat = table.integer("combat", low=COMBAT[0], high=COMBAT[1])
        race = table.choice("race", races(), what="race", rule="SBH-BAND-03", default="")
        rules = tuple(table.texts("rules", default=()))
        for problem in rule_problems(rules, "rules"):
            problems.note(problem)
        id = _text(profile.get("id"))
        for key in ("id", "name"):
            table.has(key)
        table.finish()
        if problems:
            return {"id": id, "cost": None, "parts": [], "unit": None, "problems": self.told(problems)}
        price = priced(quality, combat, rules)
        glossary = _offers()["glossary"]
        parts: list[Data] = [{"name": in_both("five_times_combat"), "value": 5 * combat}]
        for rule, cost in price.rules:
            parts.append({"name": glossary[rule.partition("(")[0]]["name"], "value": cost})
        factor = in_both("quality_factor", quality=quality)
        parts.append({"name": factor, "value": price.unrounded, "sum": True})
        card = Card(id or "own", race, dict.fromkeys(LANGUAGES, name), {}, price.points, quality, combat, rules)
        return {"id": id, "cost": price.points, "parts": parts, "unit": _offer(card), "problems": []}


@cache
def _offers() -> Data:
    french = french_rules(PACKAGE)
    glossary: Data = {}
    for cls in book.declared.values():
        key = cls.title.lower().replace(" ", "-")
        if key not in french:
            continue
        glossary[key] = {
            "name": {"en": cls.title, "fr": french[key]["name"]},
            "text": {"en": told_rule("sbh", cls.rule), "fr": french[key]["text"]},
            "rule": cls.rule,
            "takes": [],
            "words": [word for word in (*WORDS, *DEADLY_TO) if f"{key}({word})" in PRICES],
        }
    for told in glossary.values():
        told["words"] = list(dict.fromkeys(told["words"]))
    return {
        "title": in_both("song_of_blades_and_heroes"),
        "factions": [
            {"id": race.id, "name": race.name, "story": {}, "units": [_offer(card) for card in race.cards]}
            for race in races().values()
        ],
        "options": list(DEFAULTS),
        "one_faction": False,
        "counted": MOST_ALIKE,
        "points": list(USUAL),
        "stats": STATS,
        "groups": {},
        "kinds": KINDS,
        "glossary": glossary,
        "words": WORDS,
        "imports": in_both("paste_a_list_toml_or_json"),
        "form": {
            "first": {**FIRST, "rules": []},
            "note": in_both("own_fighter_costs"),
            "formula": in_both("5_combat_special_rules_7"),
            "fields": [
                {"key": "name", "kind": "text", "name": in_both("name")},
                {
                    "key": "race", "kind": "choice", "name": in_both("race"), "choices": list(races()),
                    "none": in_both("no_race"),
                },
                {
                    "key": "quality", "kind": "number", "name": STATS[0]["name"], "low": QUALITY[0], "high": QUALITY[1],
                    "suffix": "+",
                },
                {"key": "combat", "kind": "number", "name": STATS[1]["name"], "low": COMBAT[0], "high": COMBAT[1]},
                {
                    "key": "rules", "kind": "rules", "name": in_both("special_rules"),
                    "choices": list(glossary),
                },
            ],
        },
    }  # fmt: skip


def _offer(card: Card) -> Data:
    return {
        "id": card.id,
        **_told(card.name, _look(card.id, card.race, card.quality, card.combat, card.rules), card),
        "cost": at_cost(card).points,
        "figures": 1,
        "combine": False,
        "joins": False,
        "options": [],
    }


def _fighter_told(fighter: Fighter, name: str) -> Data:
    found = cards().get(fighter.card)
    called = dict.fromkeys(LANGUAGES, name) if name else dict(found.name) if found is not None else dict(fighter.name)
    look = _look(fighter.card, fighter.race, fighter.quality, fighter.combat, fighter.rules)
    return _told(called, look, fighter)


def _look(card: str, race: str, quality: int, combat: int, rules: tuple[str, ...]) -> str:
    return look_of(profile_of(card, race, quality, combat, rules))


def _told(name: Mapping[str, str], look: str, one: Card | Fighter) -> Data:
    return {
        "name": dict(name),
        "kind": "personality" if one.personality else "animal" if one.animal else "fighter",
        "look": look,
        "stats": {"quality": f"{one.quality}+", "combat": str(one.combat)},
        "rules": list(one.rules),
        "weapons": [],
        "spells": [],
    }


def _line(entry: Entry) -> Data:
    line: Data = {"fighter": entry.unit}
    if entry.count != 1:
        line["count"] = entry.count
    if entry.name:
        line["name"] = entry.name
    return line


def _entry(line: Data) -> Entry:
    count = whole(line.get("count"), 1, 1000, 1)
    return Entry(_text(line.get("fighter"))[:80], _text(line.get("name"))[:80], count)


def _own(profile: Data) -> Data:
    """A fighter one made up, as a band file has him: what was left empty is left out."""
    return {key: value for key, value in profile.items() if value not in (None, "", [])}


def _text(value: Any) -> str:
    """A text, or a name in one of its languages."""
    if isinstance(value, Mapping):
        value = value.get("en") or value.get("fr")
    return value if isinstance(value, str) else ""
