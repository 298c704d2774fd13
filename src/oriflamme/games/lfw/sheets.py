"""Sheets and weapons as files and cases write them (LFW-MISS, 37.1 and 37.2): read once, for both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Reader, read_names
from oriflamme.engine.words.sentences import LANGUAGES
from oriflamme.games.lfw.moments import book, effects
from oriflamme.games.lfw.profile import (
    BEHAVIOURS,
    CHARACTERISTICS,
    DOMAINS,
    NOTES,
    ROLES,
    SPECIALISATIONS,
    TYPES,
    VITALITIES,
    WEAPON_NAMES,
    Sheet,
    Weapon,
)
from oriflamme.games.lfw.values import amount_of

_FORMS: Final = {
    "M": ("Movement", 1, 20),
    "CC": ("Combat skill", 1, 9),
    "CT": ("Shooting skill", 1, 9),
    "CP": ("Parry", 0, 9),
    "E": ("Dodge", 0, 9),
    "D": ("Defence", 1, 12),
    "Pv": ("Life points", 1, 30),
    "Co": ("Courage", 2, 13),
    "Pc": ("Command points", 0, 20),
    "Pm": ("Magic points", 0, 20),
}


class WeaponData(msgspec.Struct, frozen=True):
    """A weapon as plain data; a range of None is a melee weapon."""

    id: str
    name: dict[str, str]
    range: float | None
    attack: str
    strength: int
    rules: tuple[str, ...] = ()


class SheetData(msgspec.Struct, frozen=True):
    """A sheet as plain data, without its id, name and cost. Thresholds are numbers: 4 for 4+; `CT` 0 for none."""

    type: str = "infantry"
    role: str = "classic"
    base: float = 25.4
    height: float = 0.0
    vitality: str = "living"
    armour: bool = False
    stats: dict[str, int] = {}
    weapons: tuple[WeaponData, ...] = ()
    rules: tuple[str, ...] = ()
    adc: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    specialisations: tuple[str, ...] = ()
    behaviour: str = ""


def read_stats(reader: Reader, usual: dict[str, int]) -> dict[str, int]:
    """The characteristics of a table, those of `usual` where it says nothing; "none" is no CT."""
    stats: dict[str, int] = {}
    for key in CHARACTERISTICS:
        _, low, high = _FORMS[key]
        if key == "CT" and reader.value("CT", None) == "none":
            stats[key] = 0
            continue
        stats[key] = reader.integer(key, low=low, high=high, default=usual.get(key, 0))
    return stats


USUAL: Final = {"M": 5, "CC": 4, "CT": 4, "CP": 0, "E": 0, "D": 4, "Pv": 1, "Co": 7, "Pc": 0, "Pm": 0}


def read_sheet(reader: Reader, usual: dict[str, int] | None = None) -> SheetData:
    """A sheet from its table in a file or a case; what is wrong is noted."""
    kind = reader.choice("type", TYPES, what="type", default="infantry")
    return SheetData(
        type=kind,
        role=reader.choice("role", ROLES, what="role", default="classic"),
        base=reader.number("base", low=10, high=150, default=25.4),
        height=reader.number("height", low=0, high=12, default=0.0),
        vitality=reader.choice("vitality", VITALITIES, what="vitality", default="living"),
        armour=reader.flag("armour", default=False),
        stats=read_stats(reader, USUAL if usual is None else usual),
        weapons=tuple(read_weapon(table) for table in reader.tables("weapons", required=False)) or (FISTS,),
        rules=read_rules(reader, "rules"),
        adc=tuple(reader.texts("adc", default=[])),
        domains=_words(reader, "domains", DOMAINS, "domain"),
        spells=tuple(reader.texts("spells", default=[])),
        notes=_words(reader, "notes", NOTES, "note"),
        specialisations=_words(reader, "specialisations", SPECIALISATIONS, "specialisation"),
        behaviour=reader.choice("behaviour", ("", *BEHAVIOURS), what="behaviour", default=""),
    )


def _words(reader: Reader, key: str, known: Sequence[str], what: str) -> tuple[str, ...]:
    """Words of a list, each one of those that are known; others are noted."""
    found = reader.texts(key, default=[])
    for word in found:
        if word not in known:
            reader.unknown(key, word, known, what=what)
    return tuple(word for word in found if word in known)


def read_rules(reader: Reader, key: str) -> tuple[str, ...]:
    """Special rules as printed, with their parameters (LFW-SR-GEN-02), or effects of spells and abilities; what is
    neither is noted."""
    found = []
    for text in reader.texts(key, default=[]):
        try:
            found.append(str(book.parse(text)))
        except UnknownKeyword as unknown:
            try:
                found.append(str(effects.parse(text)))
            except UnknownKeyword:
                reader.problem(key, unknown.notice, "LFW-SR-GEN-02", unknown.hint)
    return tuple(found)


def read_weapon(reader: Reader) -> WeaponData:
    """A weapon: name, range in inches (none for melee), Attack (perhaps a formula), Strength, rules (LFW-WPN-02)."""
    id = reader.text("id", default="")
    name = read_names(reader, "name", required=False)
    name = name if name["en"] else dict.fromkeys(LANGUAGES, id) if id else dict(WEAPON_NAMES("weapon"))
    written = reader.value("attack", 1)
    attack = amount_of(written) if isinstance(written, int | str) and not isinstance(written, bool) else None
    if attack is None:
        reader.problem("attack", notice("not_an_amount", written=str(written)), "LFW-DICE-03")
    if attack is not None and attack.dice and not reader.has("range"):
        reader.problem("attack", notice("melee_attack_is_fixed", written=str(written)), "LFW-WPN-04")
    return WeaponData(
        id=id or name["en"].casefold().replace(" ", "_"),
        name=name,
        range=reader.number("range", low=0.5, high=72, default=None),
        attack=str(attack or 1),
        strength=reader.integer("strength", low=-3, high=12, default=0),
        rules=read_rules(reader, "rules"),
    )


FISTS: Final = WeaponData("hands", dict(WEAPON_NAMES("hands")), None, "1", 0)


def weapon_of(data: WeaponData) -> Weapon:
    """The weapon that is described so."""
    amount = amount_of(data.attack)
    assert amount is not None
    return Weapon(data.id, data.name, data.range, amount, data.strength, data.rules)


@lru_cache(maxsize=2048)
def _sheet(id: str, name: tuple[tuple[str, str], ...], cost: int, encoded: bytes) -> Sheet:
    data = msgspec.json.decode(encoded, type=SheetData)
    stats: dict[str, Any] = {key: value for key, value in data.stats.items() if key != "CT"}
    return Sheet(
        id,
        dict(name),
        type=data.type,
        role=data.role,
        cost=cost,
        base=data.base,
        height=data.height,
        vitality=data.vitality,
        armour=data.armour,
        CT=data.stats.get("CT") or None,
        weapons=tuple(map(weapon_of, data.weapons)),
        rules=data.rules,
        adc=data.adc,
        domains=data.domains,
        spells=data.spells,
        notes=data.notes,
        specialisations=data.specialisations,
        behaviour=data.behaviour,
        **stats,
    )


def sheet_of(id: str, name: dict[str, str], cost: int, data: SheetData) -> Sheet:
    """The sheet that is described so; equal ones are shared."""
    return _sheet(id, tuple(sorted(name.items())), cost, msgspec.json.encode(data))
