"""Mustering an army of Age of Fantasy: units, upgrades, combined units, heroes that join, and units of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.desk import Data
from oriflamme.engine.limits import MOST_CUSTOM, MOST_ENTRIES
from oriflamme.engine.muster import (
    PRICE_PARTS,
    Draft,
    Entry,
    Muster,
    Names,
    Pick,
    french_rules,
    tables_in,
    told_rule,
    whole,
)
from oriflamme.engine.notices import notice
from oriflamme.engine.problems import Problem, Problems, Reader, parse_json, read_toml
from oriflamme.engine.sentences import LANGUAGES
from oriflamme.engine.wording import Wording
from oriflamme.games.aof.armies import (
    DEFAULTS,
    HERO_TOUGH,
    KINDS,
    Faction,
    ModelCard,
    Mustered,
    Roster,
    Taken,
    UnitCard,
    Upgrade,
    WeaponCard,
    factions,
    may_be_joined,
    muster,
    read_list,
    read_unit,
    ready_lists,
)
from oriflamme.games.aof.army_forge import Note, import_army_forge
from oriflamme.games.aof.desk import parts_of
from oriflamme.games.aof.looks import look_of
from oriflamme.games.aof.moments import book

in_both: Final = Wording(Path(__file__).parent / "text", "muster")

PACKAGE: Final = "oriflamme.games.aof"

NAME: Final = in_both("name")
SPECIAL: Final = in_both("special_rules")

STATS: Final = [
    {"key": "quality", "short": "Q", "name": in_both("quality")},
    {"key": "defense", "short": "D", "name": in_both("defense")},
]

KIND_NAMES: Final = {
    "infantry": in_both("infantry"),
    "cavalry": in_both("cavalry"),
    "skirmishers": in_both("skirmishers"),
    "hero": in_both("hero"),
    "monster": in_both("monster"),
    "beasts": in_both("beasts"),
    "flyers": in_both("flyers"),
    "chariot": in_both("chariot"),
    "artillery": in_both("artillery"),
}

GROUPS: Final = {
    "staff": in_both("staff_one_of_them"),
    "all": in_both("for_all_models"),
    "some": in_both("for_single_models"),
}

PARTS: Final = PRICE_PARTS

SPELL_TARGETS: Final = {
    "enemy": in_both.forms("enemy_unit"),
    "friend": in_both.forms("friendly_unit"),
}

USUAL: Final = (500, 750, 1000, 1500, 2000)
FIRST: Final = {"name": "", "kind": "infantry", "figures": 5, "quality": 4, "defense": 4}
MOST_X: Final = 24


class AofMuster(Muster):
    """The muster of Age of Fantasy."""

    def offers(self) -> Data:
        return _offers()

    def ready(self) -> Mapping[str, Data]:
        return {id: read_toml(path) for id, path in ready_lists().items()}

    def to_list(self, draft: Draft) -> Data:
        data: Data = {"game": self.game}
        if draft.name:
            data["name"] = draft.name
        data |= {"army": draft.faction, "points": draft.points, "units": [_line(entry) for entry in draft.entries]}
        if draft.custom:
            data["custom"] = [_own(profile) for profile in draft.custom]
        return data

    def from_list(self, data: Data) -> Draft:
        if "faction" in data:
            data = {**data, "army": data["faction"]}
        units = data.get("units")
        points = data.get("points")
        custom = data.get("custom")
        return Draft(
            name=_text(data.get("name"))[:80],
            points=whole(points, 0, 100_000, 0),
            faction=_text(data.get("army"))[:80],
            entries=[_entry(unit) for unit in tables_in(units, MOST_ENTRIES)],
            custom=[dict(one) for one in tables_in(custom, MOST_CUSTOM)],
        )

    def problems_of(self, data: Data, options: Mapping[str, str]) -> list[Problem]:
        if "faction" in data:
            return []
        return list(read_list(data, "list", DEFAULTS | dict(options)).problems)

    def imported(self, text: str, options: Mapping[str, str]) -> tuple[Draft, list[Names]]:
        if text.lstrip()[:1] in ("{", "["):
            data = parse_json(text, "list")
            if not isinstance(data, Mapping) or "game" not in data:
                roster, notes = import_army_forge(text, "Army Forge list", DEFAULTS | dict(options))
                # What the limits say is told live; the rest is said once.
                return self.from_list(roster.to_data()), [_note(note) for note in notes if note.kind != "limits"]
            if data.get("game") == self.game and "faction" in data:
                Roster.from_data({key: value for key, value in data.items() if key != "game"}, "list")
        return super().imported(text, options)

    def checked(self, draft: Draft, options: Mapping[str, str]) -> Data:
        read = read_list(self.to_list(draft), "list", DEFAULTS | dict(options))
        found = read.army if read.army is not None else Faction("", {}, {}, {}, ())
        hosts = {unit.joins for unit in read.units if unit is not None and unit.joins}
        entries = []
        for entry, unit in zip(draft.entries, read.units, strict=True):
            card = found.units.get(entry.unit)
            told: Data = {"asked": entry.unit, "unit": None, "cost": 0, "figures": 0, "picks": [], "joins": 0}
            if unit is not None:
                told |= {
                    "unit": _unit_told(unit),
                    "cost": unit.cost,
                    "figures": len(unit.models),
                    "picks": [_pick_name(card, pick) for pick in entry.picks] if card is not None else [],
                    "joins": unit.joins,
                    "may_join": _hosts(unit, read.units, hosts),
                }
            entries.append(told)
        limits = [_limit("points", in_both("points"), read.cost, draft.points, "AOF-ARMY-01")]
        setting = DEFAULTS | dict(options)
        if setting["aof.armyLimits"] != "off":
            units = [unit for unit in read.units if unit is not None]
            heroes = sum(unit.hero for unit in units)
            counted = len(units) if setting["aof.heroCountsAsUnit"] == "yes" else len(units) - heroes
            limits += [
                _limit("units", in_both("units"), counted, draft.points // 150, "AOF-ARMY-10"),
                _limit("heroes", in_both("heroes"), heroes, draft.points // 375, "AOF-ARMY-07"),
            ]
        return {
            "name": draft.name,
            "faction": read.army.name if read.army is not None else {},
            "points": draft.points,
            "cost": read.cost,
            "models": sum(told["figures"] for told in entries),
            "limits": limits,
            "entries": entries,
            "problems": self.told(read.problems, {id: card.name for id, card in found.units.items()}),
            "custom": [self.invented(profile) for profile in draft.custom],
        }

    def invented(self, profile: Data) -> Data:
        card, problems = made_up(_own(profile))
        if problems:
            return {
                "id": _text(profile.get("id")),
                "cost": None,
                "parts": [],
                "unit": None,
                "problems": self.told(problems),
            }
        lent = Faction("", in_both("blank"), {}, {}, ())
        unit = muster(lent, card)
        sums = {
            part: sum(p["models"] * p[part] for p in parts_of(unit)) for part in ("body", "melee", "shooting", "magic")
        }
        halved = -min(sums["melee"], sums["shooting"]) / 2
        parts = {key: sums.get(key, halved) for key in PARTS}
        return {
            "id": card.id,
            "cost": unit.cost,
            "parts": [{"name": PARTS[key], "value": round(value, 1)} for key, value in parts.items() if value],
            "unit": _offer(lent, card),
            "problems": [],
        }


def made_up(profile: Data) -> tuple[UnitCard, Problems]:
    """A unit somebody makes up, as a faction file has it, and what is wrong with it."""
    problems = Problems("unit")
    table = Reader({**FIRST, "id": "own", **profile, "name": profile.get("name") or "?"}, problems)
    id = table.text("id")
    if table.has("cost"):
        table.problem("cost", notice("formula_prices_it"), hint=notice("leave_it_out"))
    card = read_unit(id, table)
    if not profile.get("name"):
        problems.add("name", notice("name_missing"))
    table.finish()
    return card, problems


def _note(note: Note) -> Names:
    return {lang: note.in_words(lang) for lang in LANGUAGES}


# -- what may be picked ------------------------------------------------------------------------------------------------


@cache
def _offers() -> Data:
    return {
        "title": in_both("age_of_fantasy"),
        "factions": [
            {
                "id": faction.id,
                "name": faction.name,
                "story": faction.story,
                "units": [_offer(faction, card) for card in faction.units.values()],
            }
            for faction in factions().values()
        ],
        "options": list(DEFAULTS),
        "one_faction": True,
        "counted": 1,
        "points": list(USUAL),
        "stats": STATS,
        "groups": GROUPS,
        "kinds": KIND_NAMES,
        "glossary": _glossary(),
        "words": {},
        "imports": in_both("paste_a_list"),
        "form": _form(),
    }


def _form() -> Data:
    rules = [cls for cls in book.declared.values() if cls.on != ("effect",)]
    on_models = [cls.title for cls in rules if "model" in cls.on and not cls.rule.startswith("AOF-STAFF")]
    on_weapons = [cls.title for cls in rules if "weapon" in cls.on]
    melee = in_both("melee")
    reach = {"key": "range", "kind": "number", "name": in_both("range"), "low": 1, "high": 120}
    weapon = [
        {"key": "name", "kind": "text", "name": NAME},
        reach | {"suffix": '"', "none": melee},
        {"key": "attacks", "kind": "number", "name": in_both("attacks"), "low": 1, "high": 60},
        {"key": "keywords", "kind": "rules", "name": SPECIAL, "choices": on_weapons},
    ]
    return {
        "first": {
            **FIRST,
            "weapons": [{"name": in_both("hand_weapon"), "attacks": 1}],
            "keywords": [],
        },
        "note": in_both("own_unit_costs"),
        "formula": in_both("price_of_a_model"),
        "fields": [
            {"key": "name", "kind": "text", "name": NAME},
            {"key": "kind", "kind": "choice", "name": in_both("kind"), "choices": list(KINDS)},
            {"key": "figures", "kind": "number", "name": in_both("models"), "low": 1, "high": 40},
            {"key": "quality", "kind": "number", "name": STATS[0]["name"], "low": 2, "high": 6, "suffix": "+"},
            {"key": "defense", "kind": "number", "name": STATS[1]["name"], "low": 2, "high": 6, "suffix": "+"},
            {"key": "keywords", "kind": "rules", "name": SPECIAL, "choices": on_models},
            {"key": "weapons", "kind": "rows", "name": in_both("weapons"), "fields": weapon},
        ],
    }


def _glossary() -> Data:
    french = french_rules(PACKAGE)
    return {
        cls.title: {
            "name": {"en": cls.title, "fr": french[cls.title]["name"]},
            # What spells lay on their targets is ours, and not in the book.
            "text": {
                "en": told_rule("aof", cls.rule) if cls.on != ("effect",) else (cls.__doc__ or ""),
                "fr": french[cls.title]["text"],
            },
            "rule": cls.rule,
            "takes": [1, MOST_X] if cls.takes_x else [],
        }
        for cls in book.declared.values()
    }


def _offer(faction: Faction, card: UnitCard) -> Data:
    unit = muster(faction, card)
    return {
        "id": card.id,
        **_unit_told(unit),
        "cost": unit.cost,
        "figures": card.figures,
        "combine": card.figures > 1,
        "joins": unit.hero and unit.profiles[0].tough <= HERO_TOUGH,
        "options": [_option(faction, card, upgrade, unit.cost) for upgrade in card.upgrades.values()],
    }


def _option(faction: Faction, card: UnitCard, upgrade: Upgrade, cost: int) -> Data:
    names = card.weapon_names
    return {
        "id": upgrade.id,
        "name": upgrade.name,
        "cost": muster(faction, card, (Taken(upgrade),)).cost - cost,
        "models": upgrade.models or card.figures,
        "all": upgrade.for_all,
        "group": "staff" if upgrade.staff else "all" if upgrade.for_all else "some",
        "rules": [] if upgrade.staff else list(upgrade.keywords),
        "weapons": [_weapon_told(weapon, 1, names) for weapon in upgrade.weapons],
        "replaces": names.get(upgrade.replace, {}),
    }


def _weapon_told(weapon: WeaponCard, count: int, names: Mapping[str, Mapping[str, str]]) -> Data:
    reach = f'{weapon.range:g}", ' if weapon.range else ""
    return {
        "name": names.get(weapon.name) or {"en": weapon.name},
        "count": count,
        "about": f"{reach}A{weapon.attacks}",
        "rules": list(weapon.keywords),
    }


def _unit_told(unit: Mustered) -> Data:
    carried: dict[WeaponCard, int] = {}
    for number in unit.models:
        for weapon in unit.cards[number].weapons:
            carried[weapon] = carried.get(weapon, 0) + 1
    rules = dict.fromkeys(rule for card in unit.cards for rule in card.keywords)
    return {
        "name": unit.name,
        "kind": unit.kind,
        "look": look_of(unit.profiles[0], unit.kind),
        "stats": {"quality": _plus(unit.cards, "quality"), "defense": _plus(unit.cards, "defense")},
        "rules": list(rules),
        "weapons": [_weapon_told(weapon, count, unit.weapon_names) for weapon, count in carried.items()],
        "spells": [
            {
                "name": spell.name,
                "cost": spell.value,
                "about": {lang: _spell_told(spell, lang) for lang in ("en", "fr")},
                "rules": [*spell.hit_rules, *spell.laid_rules],
            }
            for spell in unit.spells
        ],
    }


def _spell_told(spell: Any, lang: str) -> str:
    targets = SPELL_TARGETS[spell.targets][lang][spell.count > 1]
    reach = f'{spell.range / 25.4:g}"'
    if spell.hits:
        what = in_both("spell_hits", hits=spell.hits)
    elif spell.heals:
        what = in_both("spell_heals", wounds=spell.heals)
    else:
        what = in_both("until_round_ends")
    return in_both("spell_about", reach=reach, count=spell.count, targets=targets, what=what)[lang]


def _plus(cards: Sequence[ModelCard], key: str) -> str:
    return "/".join(f"{value}+" for value in dict.fromkeys(getattr(card, key) for card in cards))


def _pick_name(card: UnitCard, pick: Pick) -> Data:
    upgrade = card.upgrades.get(pick.option)
    return dict(upgrade.name) if upgrade is not None else {"en": pick.option}


def _hosts(hero: Mustered, units: Sequence[Mustered | None], hosts: Iterable[int]) -> list[int]:
    """The entries a Hero may be meant to join: units of several models without another Hero (AOF-SR-HERO-01)."""
    return [
        place
        for place, unit in enumerate(units, 1)
        if unit is not None and may_be_joined(hero, unit) and (place not in hosts or place == hero.joins)
    ]


def _limit(key: str, name: Data, used: int, most: int, rule: str) -> Data:
    return {"key": key, "name": name, "used": used, "most": most, "rule": rule}


# -- drafts and list files ---------------------------------------------------------------------------------------------


def _line(entry: Entry) -> Data:
    """An entry as a list file has it."""
    line: Data = {"unit": entry.unit}
    if entry.name:
        line["name"] = entry.name
    if entry.joins:
        line["joins"] = entry.joins
    if entry.whole is not None:
        return {**entry.whole, **line, **({} if entry.name else {"name": entry.whole.get("name")})}
    halves = [[_taken(pick) for pick in entry.picks if pick.half == half] for half in (1, 2)]
    if halves[0]:
        line["upgrades"] = halves[0]
    if entry.combined:
        line["combined"] = True
    if halves[1]:
        line["second"] = halves[1]
    return line


def _taken(pick: Pick) -> Any:
    return {"upgrade": pick.option, "models": pick.models} if pick.models else pick.option


def _entry(line: Data) -> Entry:
    """A line of a list file, or a unit of a stored list, as an entry."""
    joins = line.get("joins")
    wish = whole(joins, 0, 100, 0)
    if "cards" in line:
        kept = ("name", "kind", "cards", "models", "upgrades", "combined", "weapon_names")
        kept_whole = {key: line[key] for key in kept if key in line and (line[key] or key in ("cards", "models"))}
        return Entry(_text(line.get("unit") or line.get("id"))[:80], joins=wish, whole=kept_whole)
    picks: list[Pick] = []
    for key, half in (("upgrades", 1), ("second", 2)):
        found = line.get(key)
        for item in (found if isinstance(found, list) else ())[:30]:
            models = item.get("models") if isinstance(item, dict) else 0
            option = _text(item.get("upgrade") if isinstance(item, dict) else item)
            if option:
                picks.append(Pick(option[:80], whole(models, 1, 1000, 0), 2 if half == 2 else 1))
    combined = line.get("combined") is True or _is_double(line)
    if combined and "second" not in line:
        # What all models of a unit take, both halves take.
        own = [pick for pick in picks if _for_all(_text(line.get("unit")), pick.option)]
        picks += [Pick(pick.option, 0, 2) for pick in own]
    return Entry(_text(line.get("unit"))[:80], _text(line.get("name"))[:80], picks=picks, combined=combined, joins=wish)


def _card(unit: str) -> UnitCard | None:
    return next((f.units[unit] for f in factions().values() if unit in f.units), None)


def _is_double(line: Data) -> bool:
    card = _card(_text(line.get("unit")))
    return card is not None and "combined" not in line and card.figures > 1 and line.get("figures") == 2 * card.figures


def _for_all(unit: str, option: str) -> bool:
    card = _card(unit)
    upgrade = card.upgrades.get(option) if card is not None else None
    return upgrade is not None and upgrade.for_all


def _own(profile: Data) -> Data:
    """A unit one made up, as a list file has it: what was left empty is left out."""
    return {key: value for key, value in profile.items() if value not in (None, "", [])}


def _text(value: object) -> str:
    """A text, or a name in one of its languages."""
    if isinstance(value, Mapping):
        value = value.get("en") or value.get("fr")
    return value if isinstance(value, str) else ""
