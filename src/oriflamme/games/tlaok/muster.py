"""Mustering an army of Conquest: characters, the regiments that follow them, and what both take.

A draft is a plain row of entries: a character begins a warband, and the regiments after it follow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.desk import Data
from oriflamme.engine.keywords import UnknownKeyword
from oriflamme.engine.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.muster import PRICE_PARTS, Draft, Entry, Muster, Pick, french_rules, tables_in, told_rule, whole
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import Problem, Problems, Reader, read_toml
from oriflamme.engine.sentences import LANGUAGES, sentences
from oriflamme.engine.wording import Wording
from oriflamme.games.tlaok.armies import (
    Leader,
    Raised,
    cost_of_regiment,
    factions,
    lead,
    read_list,
    ready_lists,
    with_own_regiments,
)
from oriflamme.games.tlaok.building import USUAL_POINTS
from oriflamme.games.tlaok.cards import Change, CharacterCard, Extra, Faction, RegimentCard, SpellCard, Stand, Supremacy
from oriflamme.games.tlaok.desk import MODELS
from oriflamme.games.tlaok.draw_events import RESOLVE
from oriflamme.games.tlaok.looks import look_of
from oriflamme.games.tlaok.measures import CLASSES, TYPES
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.points import (
    cost_of_extra,
    cost_of_model,
    cost_of_option,
    cost_of_spell,
    cost_of_stands,
    parts_of,
)
from oriflamme.games.tlaok.profile import DRAW_EVENTS, LETTERS, Barrage, parse_barrage, parse_event
from oriflamme.games.tlaok.reading import MOST
from oriflamme.games.tlaok.wording import change_told, spell_told

in_both: Final = Wording(Path(__file__).parent / "text", "muster")

Names = Mapping[str, str]

PACKAGE: Final = "oriflamme.games.tlaok"
WARLORD: Final = "warlord"
MOST_X: Final = 12
MOST_STANDS: Final = 20

NAME: Final = in_both("name")
SPECIAL: Final = in_both("special_rules")

TYPE_NAMES: Final = {
    "infantry": in_both("infantry"),
    "cavalry": in_both("cavalry"),
    "brute": in_both("brutes"),
    "chariot": in_both("chariots"),
    "monster": in_both("monster"),
}
# The French adjectives agree: infantry and cavalry are feminine, as brutes are.
CLASS_NAMES: Final = {
    "light": in_both.forms("light"),
    "medium": in_both.forms("medium"),
    "heavy": in_both.forms("heavy"),
}
AGREE: Final = {"infantry": 1, "cavalry": 1, "brute": 3, "chariot": 2, "monster": 0}

GROUPS: Final = {
    "rank": in_both("rank"),
    "command": in_both("command_models"),
    "options": in_both("options"),
    "upgrades": in_both("upgrades"),
    "mastery": in_both("mastery_one_of_them"),
    "spells": in_both("spells"),
}

# What the catalogue says by pointing elsewhere.
SAID: Final = {
    "Deadly Shot": "In its Volley each failed defence roll of 6 causes 2 wounds instead of 1.",
    "Impact": "After a successful charge each stand in contact makes X impact attacks with its Clash.",
    "Wizard": "May perform Spellcasting with X dice. Without spells it counts only for Interference.",
}

PARTS: Final = {**PRICE_PARTS, "total": in_both("a_stand")}

FIRST: Final = {
    "name": "", "type": "infantry", "class": "medium", "choice": "restricted", "least": 3, "most": 6,
    "M": 5, "V": 0, "C": 2, "A": 4, "W": 4, "R": 3, "D": 2, "E": 0,
}  # fmt: skip


class TlaokMuster(Muster):
    """The muster of Conquest."""

    entries = "warbands"

    def offers(self) -> Data:
        return _offers()

    def ready(self) -> Mapping[str, Data]:
        return {id: read_toml(path) for id, path in ready_lists().items()}

    def to_list(self, draft: Draft) -> Data:
        army = _army(draft)
        data: Data = {"game": self.game}
        if draft.name:
            data["name"] = draft.name
        bands: list[Data] = []
        for entry in draft.entries:
            if entry.unit in army.characters:
                bands.append(_leader_line(entry, army.characters[entry.unit], army))
            else:
                if not bands:
                    bands.append({})
                bands[-1].setdefault("regiments", []).append(_regiment_line(entry, army.regiments.get(entry.unit)))
        data |= {"army": draft.faction, "points": draft.points, "warbands": bands}
        if draft.custom:
            data["custom"] = [_own(profile) for profile in draft.custom]
        return data

    def from_list(self, data: Data) -> Draft:
        bands = data.get("warbands")
        custom = data.get("custom")
        entries = [entry for band in tables_in(bands, MOST_ENTRIES) for entry in _entries(band)]
        return Draft(
            name=_text(data.get("name"))[:80],
            points=whole(data.get("points"), 0, 100_000, 0),
            faction=_text(data.get("army"))[:80],
            entries=entries[:MOST_ENTRIES],
            custom=[_form_of(one) for one in tables_in(custom, MOST_CUSTOM)],
        )

    def problems_of(self, data: Data, options: Mapping[str, str]) -> list[Problem]:
        return list(read_list(data, "list").problems)

    def entry_of(self, where: str, draft: Draft | None) -> int | None:
        """The entry that a place of the list stands for: a character, or a regiment after it."""
        found = re.match(r"warbands\[(\d+)\](?:\.regiments\[(\d+)\])?", where)
        if not found or draft is None:
            return None
        places = list(_places(draft))
        place = (int(found[1]), int(found[2] or 0))
        # What is said of a warband without a character is said at its first regiment.
        return places.index(place) + 1 if place in places else places.index((place[0], 1)) + 1

    def checked(self, draft: Draft, options: Mapping[str, str]) -> Data:
        read = read_list(self.to_list(draft), "list")
        army = read.army if read.army is not None else _nobody()
        entries = []
        for entry, (band, number) in zip(draft.entries, _places(draft), strict=True):
            told: Data = {"asked": entry.unit, "unit": None, "cost": 0, "figures": 0, "picks": [], "joins": 0}
            found = read.bands[band - 1] if len(read.bands) >= band else None
            one = None if found is None else found.leader if not number else _at(found.regiments, number)
            if one is not None:
                told |= _told_entry(one, entry, army)
            entries.append(told)
        leaders = [band.leader for band in read.bands if band.leader is not None]
        cost = sum(told["cost"] for told in entries)
        limits = [
            ("points", in_both("points"), cost, draft.points, "TLAOK-BUILD-02"),
            (
                "warlord", in_both("warlord"), sum(one.warlord for one in leaders), 1,
                "TLAOK-BUILD-04",
            ),
        ]  # fmt: skip
        names: dict[str, Names] = {id: card.name for id, card in army.regiments.items()}
        names |= {id: card.name for id, card in army.characters.items()}
        return {
            "name": draft.name,
            "faction": army.name if read.army is not None else {},
            "points": draft.points,
            "cost": cost,
            "models": sum(told["figures"] for told in entries),
            "limits": [dict(zip(("key", "name", "used", "most", "rule"), one, strict=True)) for one in limits],
            "entries": entries,
            "problems": self.told(read.problems, names, draft),
            "custom": [self.invented(profile) for profile in draft.custom],
        }

    def invented(self, profile: Data) -> Data:
        problems = Problems("regiment")
        made = _own({**FIRST, "id": "own", **profile})
        table = Reader(made | {"name": made.get("name") or "?"}, problems)
        army = with_own_regiments(_nobody(), [table])
        table.finish()
        if not made.get("name"):
            problems.add("name", notice("give_regiment_name"))
        id = _text(profile.get("id"))
        if problems:
            return {"id": id, "cost": None, "parts": [], "unit": None, "problems": self.told(problems)}
        card = next(iter(army.regiments.values()))
        worth = parts_of(card.stand)
        worth["halved"] = worth["arms"] - worth["melee"] - worth["shooting"]
        parts: list[Data] = [
            {"name": PARTS[key], "value": round(worth[key], 1), "sum": key == "total"}
            for key in PARTS
            if worth[key] or key == "total"
        ]
        each = in_both("stands_number", number=card.least)
        parts.append({"name": each, "value": cost_of_stands(card.stand, card.least), "sum": True})
        return {
            "id": id,
            "cost": cost_of_regiment(card, card.least),
            "parts": parts,
            "unit": _regiment_offer(card, army),
            "problems": [],
        }


# -- what may be picked ------------------------------------------------------------------------------------------------


@cache
def _offers() -> Data:
    return {
        "title": in_both("title"),
        "factions": [
            {
                "id": army.id,
                "name": army.name,
                "story": army.story,
                "units": [
                    *(_character_offer(card, army) for card in army.characters.values()),
                    *(_regiment_offer(card, army) for card in army.regiments.values()),
                ],
                "notes": _notes(army),
            }
            for army in factions().values()
        ],
        "options": [],
        "one_faction": True,
        "counted": 1,
        "points": [1000, USUAL_POINTS],
        "stats": [
            {"key": letter, "short": letter, "name": {lang: sentences("tlaok", lang).term(stat) for lang in LANGUAGES}}
            for letter, stat in LETTERS.items()
        ],
        "groups": GROUPS,
        "kinds": _kinds(),
        "glossary": _glossary(),
        "words": {},
        "imports": in_both("paste_a_list_toml_or_json"),
        "form": _form(),
    }


def _notes(army: Faction) -> list[Data]:
    """What a faction has besides its units: its rule, and its deck of secondary objectives (TLAOK-SEC-01)."""
    rule = [{"name": army.rule.name, "text": army.rule.text}] if army.rule is not None else []
    deck = [
        {
            "name": {lang: f"{name} × {card.copies}" if card.copies > 1 else name for lang, name in card.name.items()},
            "text": card.text,
        }
        for card in army.deck
    ]
    objectives = in_both("secondary_objectives")
    special = in_both("rule_of_the_army")
    return [{"title": special, "rows": rule}, {"title": objectives, "rows": deck}]


def _kinds() -> dict[str, Names]:
    """What units are, in words: `light infantry`, `character infantry`; and what a form has to choose from."""
    made: dict[str, Names] = dict(TYPE_NAMES)
    for kind, name in TYPE_NAMES.items():
        made[f"character {kind}"] = in_both("character_of", kind=name)
        for weight, word in CLASS_NAMES.items():
            agreeing = {lang: forms[AGREE[kind] % len(forms)] for lang, forms in word.items()}
            made[f"{weight} {kind}"] = in_both("of_class", weight=agreeing, kind=name)
    for weight, word in CLASS_NAMES.items():
        made[weight] = {lang: forms[0] for lang, forms in word.items()}
    made["mainstay"] = in_both("a_mainstay_choice")
    made["restricted"] = in_both("a_restricted_choice")
    return made


@cache
def _glossary() -> Data:
    french = french_rules(PACKAGE)
    told: Data = {}
    for cls in book.declared.values():
        told[cls.title] = {
            "name": {"en": cls.title, "fr": french[cls.title]["name"]},
            "text": {"en": SAID.get(cls.title) or told_rule("tlaok", cls.rule), "fr": french[cls.title]["text"]},
            "rule": cls.rule,
            "takes": [1, MOST_X] if cls.takes_x else [],
        }
    for id, printed in DRAW_EVENTS.items():
        title, _, takes = printed.partition(" (")
        rule, effect = RESOLVE[id]
        book_says = told_rule("tlaok", rule.rpartition("-")[0]) if rule.startswith("TLAOK-DE-") else effect.__doc__
        told[title] = {
            "name": {"en": title, "fr": french[title]["name"]},
            "text": {"en": book_says or "", "fr": french[title]["text"]},
            "rule": rule,
            "takes": [1, MOST_X] if takes else [],
        }
    return told


def _form() -> Data:
    def number(key: str, low: int, high: int) -> Data:
        name = {lang: sentences("tlaok", lang).term(LETTERS[key]) for lang in LANGUAGES}
        return {"key": key, "kind": "number", "name": name, "low": low, "high": high}

    on_stands = [
        cls.title for cls in book.declared.values() if "stand" in cls.on and cls.title not in ("Priest", "Wizard")
    ]
    on_shots = [cls.title for cls in book.declared.values() if "barrage" in cls.on]
    events = [printed.partition(" (")[0] for printed in DRAW_EVENTS.values()]
    shots = in_both("shots_a_stand")
    barrage = [
        {"key": "shots", "kind": "number", "name": shots, "low": 1, "high": 12},
        {
            "key": "range", "kind": "number", "name": in_both("range"), "low": 1, "high": 48,
            "suffix": '"',
        },
        {"key": "rules", "kind": "rules", "name": SPECIAL, "choices": on_shots},
    ]  # fmt: skip
    least, most = in_both("stands_least"), in_both("stands_most")
    return {
        "first": {**FIRST, "rules": [], "events": [], "barrages": []},
        "note": in_both("own_regiment_costs"),
        "formula": in_both("price_of_a_stand"),
        "fields": [
            {"key": "name", "kind": "text", "name": NAME},
            {"key": "type", "kind": "choice", "name": in_both("type"), "choices": list(TYPES)},
            {"key": "class", "kind": "choice", "name": in_both("class"), "choices": list(CLASSES)},
            {
                "key": "choice", "kind": "choice", "name": in_both("in_a_warband"),
                "choices": ["mainstay", "restricted"],
            },
            {"key": "least", "kind": "number", "name": least, "low": 1, "high": MOST_STANDS},
            {"key": "most", "kind": "number", "name": most, "low": 1, "high": MOST_STANDS},
            *(number(letter, 1 if letter == "W" else 0, MOST.get(stat, 6)) for letter, stat in LETTERS.items()),
            {"key": "rules", "kind": "rules", "name": SPECIAL, "choices": on_stands},
            {
                "key": "events", "kind": "rules", "name": in_both("draw_events"),
                "choices": events,
            },
            {"key": "barrages", "kind": "rows", "name": in_both("barrages"), "fields": barrage,
             "first": {"shots": 2, "range": 16, "rules": []}},
        ],
    }  # fmt: skip


def _regiment_offer(card: RegimentCard, army: Faction) -> Data:
    return {
        "id": card.id,
        **_told(card.stand),
        "cost": cost_of_regiment(card, card.least),
        "figures": card.least,
        "count": [card.least, card.most],
        "combine": False,
        "joins": False,
        "leads": False,
        "options": [
            *(
                _option(id, _model(id, army), _cost_of_model(card, army, id, card.least), "command")
                for id in card.command.models
                if not (id == "leader" and card.command.leader == "free")
            ),
            *(
                _option(option.id, option, cost_of_option(option, card.stand, card.least), "options")
                for option in card.options.values()
            ),
        ],
    }


def _character_offer(card: CharacterCard, army: Faction) -> Data:
    leader = lead(card, army)
    upgrades = [army.upgrades[id] for id in card.upgrades]
    masteries = [one for one in army.masteries.values() if one.category in card.masteries]

    def priced(extra: Extra, group: str) -> Data:
        supremacy = army.supremacies.get(extra.supremacy)
        return _option(extra.id, extra, cost_of_extra(extra, card.stand, supremacy), group, supremacy)

    rank = {
        "id": WARLORD, "name": in_both("warlord"), "cost": 0, "models": 1, "all": True,
        "group": "rank", "rules": [], "weapons": [], "replaces": {},
        "about": _ability(army.supremacies.get(card.supremacy)),
    }  # fmt: skip
    return {
        "id": card.id,
        **_told(card.stand),
        "cost": leader.cost,
        "figures": 1,
        "combine": False,
        "joins": False,
        "leads": True,
        "follows": {
            "mainstay": [army.regiments[id].name for id in card.mainstay],
            "restricted": [army.regiments[id].name for id in card.restricted],
        },
        "options": [
            rank,
            *(priced(extra, "upgrades") for extra in upgrades),
            *(priced(extra, "mastery") for extra in masteries),
            *(
                {
                    "id": spell.id, "name": spell.name, "cost": cost_of_spell(spell, card.stand), "models": 1,
                    "all": True, "group": "spells", "rules": [], "weapons": [], "replaces": {},
                    "about": _spell_about(spell),
                }
                for spell in card.learns
            ),
        ],
    }  # fmt: skip


def _model(id: str, army: Faction) -> Extra:
    if id in army.officers:
        return army.officers[id]
    does = {
        "leader": (Change("attacks", 1),),
        "standard": (Change(grant="Unstoppable"),),
    }
    return Extra(id, dict(MODELS[id]), does[id])


def _cost_of_model(card: RegimentCard, army: Faction, id: str, stands: int) -> int:
    return cost_of_model(id, card.stand, stands, army.officers.get(id))


def _option(id: str, extra: Extra, cost: int, group: str, supremacy: Supremacy | None = None) -> Data:
    rules = [change.grant or change.event for change in extra.changes if change.grant or change.event]
    stats = [change for change in extra.changes if change.stat]
    about = {
        lang: ", ".join(filter(None, (*(change_told(change, lang) for change in stats), _ability(supremacy).get(lang))))
        for lang in LANGUAGES
    }
    return {
        "id": id,
        "name": dict(extra.name),
        "cost": cost,
        "models": 1,
        "all": True,
        "group": group,
        "rules": [_key(rule) for rule in dict.fromkeys(rules) if not _is_barrage(rule)],
        "weapons": [],
        "replaces": {},
        "about": about,
    }


def _ability(supremacy: Supremacy | None) -> Names:
    if supremacy is None:
        return {}
    return {lang: f"{name} – {supremacy.text[lang]}" for lang, name in supremacy.name.items()}


def _spell_about(spell: SpellCard) -> Names:
    """Range, Attunement and what it does (TLAOK-MAGIC-03)."""
    made = {}
    for lang in LANGUAGES:
        reach = f'{spell.range}"' if spell.range else in_both("self")[lang]
        attunement = f"{sentences('tlaok', lang).term('attunement')} {spell.attunement}{'+' if spell.scaling else ''}"
        made[lang] = f"{reach}, {attunement}; {spell_told(spell, lang)}"
    return made


def _key(rule: str) -> str:
    """A rule as the page reads it: its number right behind it, without a space or what a file adds."""
    return rule.rstrip("!").replace(" (", "(")


def _is_barrage(rule: str) -> bool:
    return parse_barrage(rule) is not None


def _told(stand: Stand) -> Data:
    profile = stand.muster()
    return {
        "name": dict(stand.name),
        "kind": f"{'character' if stand.character else stand.weight} {stand.kind}",
        "look": look_of(profile),
        "stats": {letter: str(getattr(profile, stat)) for letter, stat in LETTERS.items()},
        "rules": [_key(str(one)) for one in (*profile.keywords, *profile.events)],
        "weapons": [
            {
                "name": in_both("barrage"),
                "count": 1,
                "about": f'{barrage.shots}, {barrage.range}"',
                "rules": [_key(str(rule)) for rule in barrage.rules],
            }
            for barrage in profile.barrages
        ],
        "spells": [
            {"name": spell.name, "cost": 0, "about": _spell_about(spell), "rules": []} for spell in stand.spells
        ],
    }


# -- what an entry comes to --------------------------------------------------------------------------------------------


def _told_entry(one: Leader | Raised, entry: Entry, army: Faction) -> Data:
    told: Data = {"unit": _told(one.stand), "cost": one.cost}
    if isinstance(one, Leader):
        offered = _character_offer(army.characters[one.id], army)["options"]
        told |= {"figures": 1}
    else:
        card = army.regiments[one.id]
        offered = _regiment_offer(card, army)["options"]
        costs = {id: _cost_of_model(card, army, id, one.stands) for id in card.command.models}
        costs |= {id: cost_of_option(option, card.stand, one.stands) for id, option in card.options.items()}
        told |= {"figures": one.stands, "costs": costs}
    names = {option["id"]: option["name"] for option in offered}
    return told | {"picks": [names.get(pick.option, {"en": pick.option}) for pick in entry.picks]}


def _places(draft: Draft) -> Iterator[tuple[int, int]]:
    """For each entry the number of its warband, and of the regiment in it, 0 for a character."""
    characters = _army(draft).characters
    band = number = 0
    for entry in draft.entries:
        if entry.unit in characters:
            band, number = band + 1, 0
        else:
            band, number = max(band, 1), number + 1
        yield band, number


def _at(regiments: Sequence[Raised | None], number: int) -> Raised | None:
    return regiments[number - 1] if number <= len(regiments) else None


def _army(draft: Draft) -> Faction:
    """The faction of a draft with the regiments of its player's own."""
    found = factions().get(draft.faction, _nobody())
    tables = [Reader(_own(profile), Problems("custom")) for profile in draft.custom]
    return with_own_regiments(found, tables)


@cache
def _nobody() -> Faction:
    return Faction("", in_both("blank"), {}, None, {}, {}, {}, {}, {}, {}, {}, ())


# -- drafts and list files ---------------------------------------------------------------------------------------------


def _leader_line(entry: Entry, card: CharacterCard, army: Faction) -> Data:
    line: Data = {"character": entry.unit}
    taken = [pick.option for pick in entry.picks]
    if entry.name:
        line["name"] = entry.name
    if WARLORD in taken:
        line["warlord"] = True
    masteries = [id for id in taken if id in army.masteries]
    learnt = [id for id in taken if id in {spell.id for spell in card.learns}]
    upgrades = [id for id in taken if id != WARLORD and id not in masteries and id not in learnt]
    if upgrades:
        line["upgrades"] = upgrades
    if masteries:
        line["mastery"] = masteries[0] if len(masteries) == 1 else masteries
    if learnt:
        line["spells"] = learnt
    return line


def _regiment_line(entry: Entry, card: RegimentCard | None) -> Data:
    line: Data = {"regiment": entry.unit}
    if entry.name:
        line["name"] = entry.name
    if entry.count != 1:
        line["stands"] = entry.count
    taken = [pick.option for pick in entry.picks]
    options = [id for id in taken if card is None or id in card.options]
    command = [id for id in taken if id not in options]
    if command:
        line["command"] = command
    if options:
        line["options"] = options
    return line


def _entries(band: Data) -> Iterator[Entry]:
    """A warband of a list file as entries."""
    character = _text(band.get("character"))[:80]
    if character:
        mastery = band.get("mastery")
        picks = [
            *((WARLORD,) if band.get("warlord") is True else ()),
            *_words(band.get("upgrades")),
            *(_words(mastery) if isinstance(mastery, list) else filter(None, (_text(mastery),))),
            *_words(band.get("spells")),
        ]
        yield Entry(character, _text(band.get("name"))[:80], picks=_picks(picks))
    regiments = band.get("regiments")
    for line in regiments if isinstance(regiments, list) else ():
        if isinstance(line, dict):
            picks = [*_words(line.get("command")), *_words(line.get("options"))]
            stands = whole(line.get("stands"), 1, 1000, 1)
            name = _text(line.get("name"))[:80]
            yield Entry(_text(line.get("regiment"))[:80], name, stands, _picks(picks))


def _picks(words: Iterable[str]) -> list[Pick]:
    return [Pick(word[:80]) for word in dict.fromkeys(words)][:60]


def _words(value: object) -> list[str]:
    return [word for word in value if isinstance(word, str) and word] if isinstance(value, list) else []


def _own(profile: Data) -> Data:
    """A regiment one made up, from the fields of the form to what a list file has; what is empty is left out."""
    rest = {key: value for key, value in profile.items() if value not in (None, "", [])}
    letters = {letter: rest.pop(letter) for letter in LETTERS if letter in rest}
    barrages = rest.pop("barrages", ())
    least, most = rest.pop("least", None), rest.pop("most", None)
    if letters:
        rest["profile"] = letters
    if least is not None or most is not None:
        sizes = [size for size in (least, most) if size is not None]
        rest["stands"] = sizes[:1] if len(set(map(str, sizes))) == 1 else sizes
    rules = (
        [_printed(rule) for rule in rest.get("rules", ())] if isinstance(rest.get("rules"), list) else rest.get("rules")
    )
    made = [_barrage(row) for row in (barrages if isinstance(barrages, list) else ()) if isinstance(row, Mapping)]
    if rules or made:
        rest["rules"] = [*(rules or ()), *filter(None, made)] if isinstance(rules, list | None) else rules
    if isinstance(rest.get("events"), list):
        rest["events"] = [_printed(event) for event in rest["events"]]
    if rest.get("type") not in ("monster", "chariot") and "command" not in rest:
        rest["command"] = {"leader": "buy", "standard": True}
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


def _form_of(own: Data) -> Data:
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
    for rule in _words(own.get("rules")):
        barrage = _read_barrage(rule)
        if barrage is None:
            rules.append(_key(rule))
        else:
            held = [_key(str(one)) for one in barrage.rules]
            barrages.append({"shots": barrage.shots, "range": barrage.range, "rules": held})
    if rules:
        rest["rules"] = rules
    if barrages:
        rest["barrages"] = barrages
    if events := [_key(event) for event in _words(own.get("events"))]:
        rest["events"] = events
    return rest


def _read_barrage(rule: str) -> Barrage | None:
    try:
        return parse_barrage(rule)
    except UnknownKeyword:
        return None


def _text(value: object) -> str:
    """A text, or a name in one of its languages."""
    if isinstance(value, Mapping):
        value = value.get("en") or value.get("fr")
    return value if isinstance(value, str) else ""
