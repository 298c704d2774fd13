"""Factions as they are written in text files: regiments, characters and all that may be bought for them.

Whatever is wrong is reported at once, with its place, the rule and a guess at what was meant. docs/authoring.md shows
such a file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.lists.fields import ChoiceField, NumberField
from oriflamme.engine.lists.reading import read_ids
from oriflamme.engine.lists.shelf import Shelf, read_whole
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Reader, did_you_mean, read_names, wrong_kind
from oriflamme.engine.words.sentences import LANGUAGES, sentences
from oriflamme.engine.words.wording import Wording
from oriflamme.games.tlaok.army.cards import (
    CONDITIONS,
    MASTERIES,
    STATES,
    ArmyRule,
    Change,
    CharacterCard,
    Command,
    Extra,
    Faction,
    RegimentCard,
    Secondary,
    SpellCard,
    Stand,
    Supremacy,
)
from oriflamme.games.tlaok.measures import CLASSES, TYPES
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.profile import CHARACTERISTICS, DRAW_EVENTS, LETTERS, parse_barrage, parse_event

labels: Final = Wording(Path(__file__).parents[1] / "text", "lists")

# What a regiment is made of, wherever it is written: in a faction file, in a list, in a form.
TYPE: Final = ChoiceField("type", labels("type"), tuple(TYPES))
CLASS: Final = ChoiceField("class", labels("class"), tuple(CLASSES))
CHOICE: Final = ChoiceField("choice", labels("in_a_warband"), ("mainstay", "restricted"))
MOST_STANDS: Final = 20

# The most of a characteristic: 6 for what dice are compared to; March, Attacks and Wounds exceed it (TLAOK-PROF-04).
MOST: Final = {"march": 24, "attacks": 30, "wounds": 40}

T = TypeVar("T")


@cache
def characteristics() -> tuple[NumberField, ...]:
    """The eight characteristics by their letters (TLAOK-PROF-06 to -13); nothing lives without a Wound (-10)."""
    return tuple(
        NumberField(
            letter,
            {lang: sentences("tlaok", lang).term(stat) for lang in LANGUAGES},
            1 if letter == "W" else 0,
            MOST.get(stat, 6),
        )
        for letter, stat in LETTERS.items()
    )


def load_faction(path: str | os.PathLike[str]) -> Faction:
    """The faction in a file; its id is the file's name. Raises Problems with all that is wrong."""
    return read_whole(path, read_faction)


def read_faction(top: Reader, id: str) -> Faction:
    """A faction from its tables; whatever is wrong is noted in the reader's problems."""
    name, story = read_names(top, "name"), read_names(top, "story", required=False)
    rule = _read_army_rule(top.table("rule")) if top.has("rule") else None

    def all_of(key: str, read: Callable[[str, Reader], T], *, required: bool = False) -> dict[str, T]:
        return {name: read(name, table) for name, table in top.named_tables(key, required=required).items()}

    spells = all_of("spell", _read_spell)
    supremacies = all_of("supremacy", _read_supremacy)
    officers = all_of("officer", _read_extra)
    upgrades = all_of("upgrade", lambda id, table: _read_extra(id, table, supremacies))
    masteries = all_of("mastery", _read_mastery)
    regiments = all_of("regiment", lambda id, table: read_regiment(id, table, rule, spells, officers), required=True)
    categories = {*MASTERIES, *(mastery.category for mastery in masteries.values())}
    characters = all_of(
        "character",
        lambda id, table: read_character(id, table, regiments, spells, upgrades, supremacies, categories),
        required=True,
    )
    for both in sorted(set(regiments) & set(characters)):
        top.problem("character", notice("a_regiment_already", id=both))
    deck = tuple(_read_card(table) for table in top.tables("card", required=False))
    top.finish()
    return Faction(
        id, name, story, rule, regiments, characters, officers, upgrades, masteries, spells, supremacies, deck
    )


def read_stand(
    id: str, table: Reader, *, weight: str, character: bool = False, spells: Mapping[str, SpellCard] | None = None
) -> Stand:
    """What stands of one sort are: type, characteristics by letter, special rules and draw events as printed."""
    name = read_names(table, "name")
    kind = TYPE.read(table, what="type", rule="TLAOK-PROF-02")
    letters = table.table("profile")
    stats = {LETTERS[one.key]: letters.integer(one.key, low=0, high=one.high) for one in characteristics()}
    if letters.value("W") == 0:
        letters.problem("W", notice("no_wound"), "TLAOK-PROF-10")
    return Stand(
        id,
        name,
        kind,
        weight,
        stats,
        read_rules(table, "rules", "character" if character else "stand"),
        read_events(table, "events"),
        tuple(read_ids(table, "spells", spells or {}, what="spell", rule="TLAOK-MAGIC-02").values()),
        character,
        base=_read_base(table),
    )


def _read_base(table: Reader) -> tuple[float, float] | None:
    """How wide and deep a stand is where players agree on sizes of their own, in millimetres (TLAOK-STAND-09)."""
    size = table.numbers("base", count=2, low=20, high=300, default=())
    return (size[0], size[1]) if len(size) == 2 else None


def read_regiment(
    id: str,
    table: Reader,
    rule: ArmyRule | None = None,
    spells: Mapping[str, SpellCard] | None = None,
    officers: Mapping[str, Extra] | None = None,
) -> RegimentCard:
    """A regiment as its entry shows it (TLAOK-STAND, TLAOK-REG)."""
    weight = CLASS.read(table, what="class", rule="TLAOK-PROF-03")
    stand = read_stand(id, table, weight=weight, spells=spells)
    sizes = table.integers("stands", low=1, high=MOST_STANDS)
    if sizes and (len(sizes) > 2 or sizes != sorted(sizes)):
        table.problem("stands", wrong_kind(notice("least_and_most"), sizes))
    if rule is not None and rule.reaches(stand):
        stand = stand.with_changes(rule.changes)
    _check_caster(table, stand)
    command = _read_command(table.table("command", required=False), stand, officers or {})
    options = {
        name: _read_extra(name, option) for name, option in table.named_tables("options", required=False).items()
    }
    return RegimentCard(
        id,
        stand,
        sizes[0] if sizes else 1,
        sizes[-1] if sizes else 1,
        command,
        options,
        table.integer("points", low=1, default=None),
        table.integer("extra", low=1, default=None),
    )


def read_character(
    id: str,
    table: Reader,
    regiments: Mapping[str, RegimentCard],
    spells: Mapping[str, SpellCard],
    upgrades: Mapping[str, Extra],
    supremacies: Mapping[str, Supremacy],
    categories: Iterable[str] = MASTERIES,
) -> CharacterCard:
    """A character as its entry shows it (TLAOK-CHAR-01)."""
    own = table.choice("own_regiment", CLASSES, what="class", rule="TLAOK-PROF-03", default="")
    if table.has("class"):
        table.problem("class", notice("no_class_of_its_own"), "TLAOK-CHAR-01", notice("own_regiment"))
    stand = read_stand(id, table, weight=own, character=True, spells=spells)
    _check_caster(table, stand)
    warband = table.table("warband")
    mainstay = tuple(read_ids(warband, "mainstay", regiments, what="regiment", rule="TLAOK-BUILD-08"))
    restricted = tuple(read_ids(warband, "restricted", regiments, what="regiment", rule="TLAOK-BUILD-08"))
    for both in sorted(set(mainstay) & set(restricted)):
        warband.problem("restricted", notice("mainstay_already", id=both), "TLAOK-BUILD-08")
    wanted = "monster" if "Rider" in stand.rules else stand.kind
    followers = [regiments[name].stand.kind for name in (*mainstay, *restricted)]
    if not own and followers and all(followers) and wanted not in followers:
        warband.problem("", notice("nobody_to_join", kind=wanted, character=id), "TLAOK-BUILD-07")
    return CharacterCard(
        id,
        stand,
        mainstay,
        restricted,
        own,
        tuple(read_ids(table, "learns", spells, what="spell", rule="TLAOK-MAGIC-02").values()),
        tuple(read_ids(table, "masteries", {name: name for name in categories}, what="category of masteries")),
        tuple(read_ids(table, "upgrades", upgrades, what="upgrade", rule="TLAOK-UPGRADE-01")),
        table.choice("supremacy", supremacies, what="supremacy ability", rule="TLAOK-SUPR-07", default=""),
        table.integer("points", low=1, default=None),
    )


def read_rules(table: Reader, key: str, place: str) -> tuple[str, ...]:
    """Special rules as printed, each known and each where it may stand; ranged weapons among them (TLAOK-PROF-16)."""
    kept = []
    for number, text in enumerate(table.texts(key, default=()), 1):
        try:
            barrage = parse_barrage(text)
            held = barrage.rules if barrage is not None else (book.parse(text),)
        except UnknownKeyword as error:
            table.problem(f"{key}[{number}]", error.notice, hint=error.hint)
            continue
        if barrage is not None and place not in ("stand", "character"):
            table.problem(f"{key}[{number}]", notice("ranged_weapon_elsewhere"), "TLAOK-SR-BARRAGE-01")
            continue
        there = "barrage" if barrage is not None else place
        wrong = [keyword for keyword in held if there not in keyword.on and not (keyword.adds and not keyword.on)]
        for keyword in wrong:
            what = notice("belongs_on", rule=keyword.title, place=list(keyword.on))
            table.problem(f"{key}[{number}]", what, f"{keyword.rule}-01")
        if any(keyword.takes_x and keyword.x < 1 for keyword in held):
            table.problem(f"{key}[{number}]", notice("needs_at_least", rule=text, low=1))
        if not wrong:
            kept.append(str(barrage if barrage is not None else held[0]))
    return tuple(kept)


def read_events(table: Reader, key: str) -> tuple[str, ...]:
    """Draw events as printed; `!` behind one that must be used (TLAOK-DRAW-04)."""
    kept = []
    for number, text in enumerate(table.texts(key, default=()), 1):
        event = _checked(table, f"{key}[{number}]", text, parse_event)
        if event is not None:
            kept.append(f"{event}!" if event.mandatory else str(event))
    return tuple(kept)


def read_changes(table: Reader, key: str = "changes", *, required: bool = False) -> tuple[Change, ...]:
    """What something changes: each entry a characteristic, a special rule or a draw event."""
    made = []
    for entry in table.tables(key, required=required):
        stat = entry.choice("stat", (*CHARACTERISTICS, *STATES), what="characteristic", default="")
        change = Change(
            stat,
            entry.integer("add", low=-10, high=10, default=1 if stat in STATES else 0),
            entry.integer("set", low=0, high=24, default=None),
            entry.integer("cap", low=0, high=24, default=None),
            entry.text("grant", default=""),
            entry.text("event", default=""),
            entry.choice("scope", ("regiment",), default=""),
        )
        if change.grant and parse_barrage_or_none(change.grant) is None:
            _checked(entry, "grant", change.grant, book.parse)
        if change.event:
            _checked(entry, "event", change.event, parse_event)
        if sum(map(bool, (change.stat, change.grant, change.event))) != 1:
            entry.problem("", notice("changes_nothing"), hint=notice("one_change_each"))
        elif stat and not change.add and change.set is None and change.cap is None:
            entry.problem("", notice("changes_how", stat=stat), hint=notice("add_set_or_cap"))
        made.append(change)
    return tuple(made)


def parse_barrage_or_none(text: str) -> object:
    """A ranged weapon if the text is one and its rules are known."""
    try:
        return parse_barrage(text)
    except UnknownKeyword:
        return None


def _checked(table: Reader, key: str, text: str, parse: Callable[[str], T]) -> T | None:
    try:
        return parse(text)
    except UnknownKeyword as error:
        guess = error.hint or did_you_mean(text, [p.replace(" ({x})", "") for p in DRAW_EVENTS.values()])
        table.problem(key, error.notice, hint=guess)
        return None


def _check_caster(table: Reader, stand: Stand) -> None:
    """Who knows spells is a Wizard or a Priest (TLAOK-MAGIC-01)."""
    if stand.spells and not any(rule.startswith(("Wizard", "Priest")) for rule in stand.rules):
        table.problem("spells", notice("no_caster", stand=stand.id), "TLAOK-MAGIC-01")


def _read_command(table: Reader, stand: Stand, officers: Mapping[str, Extra]) -> Command:
    command = Command(
        table.choice("leader", ("free", "buy"), default=""),
        table.flag("standard", default=False),
        tuple(read_ids(table, "officers", officers, what="officer", rule="TLAOK-CMD-20")),
    )
    if stand.kind == "monster" and command.models:
        table.problem("", notice("monsters_have_none"), "TLAOK-CMD-15")
    return command


def _read_extra(id: str, table: Reader, supremacies: Mapping[str, Supremacy] | None = None) -> Extra:
    extra = Extra(
        id,
        read_names(table, "name"),
        read_changes(table),
        table.text("category", default=""),
        table.flag("unique", default=False),
        table.choice("supremacy", supremacies, what="supremacy ability", default="") if supremacies else "",
        table.integer("points", low=0, default=None),
    )
    if not extra.changes and not extra.supremacy:
        table.problem("", notice("gives_nothing"), hint=notice("give_it", keys=["changes"]))
    return extra


def _read_mastery(id: str, table: Reader) -> Extra:
    """A mastery: of a category, and once per army unless its entry says otherwise (TLAOK-MASTERY-02)."""
    return Extra(
        id,
        read_names(table, "name"),
        read_changes(table, required=True),
        table.text("category"),
        table.flag("unique", default=True),
        points=table.integer("points", low=0, default=None),
    )


def _read_spell(id: str, table: Reader) -> SpellCard:
    """A spell (TLAOK-MAGIC-03)."""
    own = table.value("range") == "self"
    reach = 0 if own else table.integer("range", low=1, high=48)
    target = "self" if own else table.choice("target", ("friend", "enemy"), what="target")
    effect: dict[str, Any] = {}
    for key in ("hits", "hits_per_success", "heal", "heal_per_success"):
        number = table.integer(key, low=1, high=20, default=None)
        if number is not None:
            effect[key] = number
    if table.flag("rally", default=False):
        effect["rally"] = True
    rules = read_rules(table, "rules", "spell")
    if rules:
        effect["rules"] = list(rules)
    changes = read_changes(table)
    if changes:
        effect["changes"] = [msgspec.to_builtins(change) for change in changes]
    spell = SpellCard(
        id,
        read_names(table, "name"),
        reach,
        table.integer("attunement", low=1, high=6),
        target,
        effect,
        table.flag("scaling", default=False),
        table.integer("needed", low=1, high=6, default=2),
    )
    if not effect:
        table.problem("", notice("does_nothing"), hint=notice("give_it", keys=["hits", "changes", "heal", "rally"]))
    if rules and not spell.hits:
        table.problem("rules", notice("rules_without_hits"))
    if spell.hits and target != "enemy":
        table.problem("target", notice("hits_are_for_enemies"), "TLAOK-MAGIC-06")
    return spell


def _read_supremacy(id: str, table: Reader) -> Supremacy:
    """A supremacy ability (TLAOK-SUPR-07, -08)."""
    ability = Supremacy(
        id,
        read_names(table, "name"),
        read_names(table, "text"),
        table.choice("on", ("own_regiment", "warband", "friends", "enemies"), what="target"),
        table.choice("uses", ("once", "each_round", "always"), default="once"),
        table.flag("anywhere", default=False),
        table.integer("count", low=0, high=12, default=0),
        table.integer("within", low=0, high=72, default=0),
        tuple(read_ids(table, "types", {kind: kind for kind in TYPES}, what="type")),
        tuple(read_ids(table, "classes", {weight: weight for weight in CLASSES}, what="class")),
        read_changes(table),
        table.integer("heal", low=0, high=12, default=0),
        table.flag("rally", default=False),
    )
    if not (ability.changes or ability.heal or ability.rally):
        table.problem("", notice("does_nothing"), hint=notice("give_it", keys=["changes", "heal", "rally"]))
    if ability.always and (ability.on != "own_regiment" or not ability.changes):
        table.problem("on", notice("always_on_its_own"), "TLAOK-SUPR-11", notice("on_own_regiment"))
    return ability


def _read_army_rule(table: Reader) -> ArmyRule:
    return ArmyRule(
        read_names(table, "name"),
        read_names(table, "text"),
        read_changes(table, required=True),
        tuple(read_ids(table, "types", {kind: kind for kind in TYPES}, what="type")),
        tuple(read_ids(table, "classes", {weight: weight for weight in CLASSES}, what="class")),
    )


def _read_card(table: Reader) -> Secondary:
    """A secondary objective: a condition from the closed set, with its parameters (TLAOK-SEC-01)."""
    id, name, text = table.text("id"), read_names(table, "name"), read_names(table, "text")
    when = table.choice("when", CONDITIONS, what="condition", rule="TLAOK-SEC-04")
    asked: dict[str, Any] = {}
    words = {"types": TYPES, "classes": CLASSES}
    for key in CONDITIONS.get(when, {}):
        if not table.has(key):
            continue
        if key in words:
            asked[key] = list(read_ids(table, key, {word: word for word in words[key]}, what=key))
        else:
            asked[key] = table.integer(key, low=1, high=48)
    return Secondary(id, name, text, when, asked, table.integer("copies", low=1, high=9, default=1))


FACTIONS: Final = Shelf(
    Path(__file__).parents[1] / "factions", load_faction, what="faction", where="army", rule="TLAOK-BUILD-03"
)
