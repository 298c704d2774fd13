"""Factions and army lists: how they are read from text files, checked against the book and made into regiments.

A faction file has regiments, characters and all that may be bought for them; a list file names a faction, and for each
warband its character and regiments with what they take. Whatever is wrong with either is reported at once, with its
place, the rule and a guess at what was meant. docs/authoring.md shows both files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from oriflamme.engine.keywords import UnknownKeyword
from oriflamme.engine.problems import (
    Problem,
    Problems,
    Reader,
    described,
    did_you_mean,
    given,
    listed,
    parse_json,
    parse_toml,
    problem_with,
    quoted,
    read_json,
    read_names,
    read_toml,
)
from oriflamme.games.tlaok.building import Band, Follower, army_problems, mastery_problems, regiment_problems
from oriflamme.games.tlaok.cards import (
    CONDITIONS,
    MASTERIES,
    ArmyRule,
    Change,
    CharacterCard,
    Command,
    Extra,
    Faction,
    Names,
    RegimentCard,
    Secondary,
    SpellCard,
    Stand,
    Supremacy,
)
from oriflamme.games.tlaok.formation import usual
from oriflamme.games.tlaok.keywords.moving import Irregular
from oriflamme.games.tlaok.measures import CLASSES, TYPES
from oriflamme.games.tlaok.moments import book
from oriflamme.games.tlaok.points import (
    cost_of_character,
    cost_of_extra,
    cost_of_model,
    cost_of_option,
    cost_of_spell,
    cost_of_stands,
)
from oriflamme.games.tlaok.profile import CHARACTERISTICS, DRAW_EVENTS, LETTERS, parse_barrage, parse_event
from oriflamme.games.tlaok.state import Character, Effect, Regiment
from oriflamme.games.tlaok.state import Stand as OnTable

HERE: Final = Path(__file__).parent
FACTIONS: Final = HERE / "factions"
LISTS: Final = HERE / "lists"

# The most of a characteristic: 6 for what dice are compared to; March, Attacks and Wounds exceed it (TLAOK-PROF-04).
MOST: Final = {"march": 24, "attacks": 30, "wounds": 40}

T = TypeVar("T")


# -- an army, ready for battle -----------------------------------------------------------------------------------------


class Raised(msgspec.Struct, frozen=True, omit_defaults=True):
    """A regiment of a list with everything it takes. Plain data, so that a save holds it whole.

    `models` are its command models, `officers` what those among them do that are officers; `caps` what was bought with
    a maximum that stays in force (TLAOK-PROF-15).
    """

    id: str
    stand: Stand
    stands: int
    cost: int
    models: tuple[str, ...] = ()
    officers: dict[str, Extra] = {}
    options: tuple[str, ...] = ()
    caps: tuple[Change, ...] = ()

    @property
    def name(self) -> Names:
        return self.stand.name


class Leader(msgspec.Struct, frozen=True, omit_defaults=True):
    """A character of a list with everything it has bought. `gifts` is what that does for its regiment (-UPGRADE-01)."""

    id: str
    stand: Stand
    cost: int
    warlord: bool = False
    own: str = ""
    supremacies: tuple[Supremacy, ...] = ()
    upgrades: tuple[str, ...] = ()
    mastery: str = ""
    gifts: tuple[Change, ...] = ()
    caps: tuple[Change, ...] = ()

    @property
    def name(self) -> Names:
        return self.stand.name


class Warband(msgspec.Struct, frozen=True):
    """A character and the regiments that follow it."""

    leader: Leader
    regiments: tuple[Raised, ...] = ()

    @property
    def cost(self) -> int:
        return self.leader.cost + sum(regiment.cost for regiment in self.regiments)


class Roster(msgspec.Struct, frozen=True):
    """An army list that was checked: the agreed points, the warbands, and the faction's secondary objectives."""

    name: Names
    story: Names
    faction: str
    points: int
    warbands: tuple[Warband, ...]
    deck: tuple[Secondary, ...] = ()

    @property
    def cost(self) -> int:
        """The sum of all stands and upgrades (TLAOK-BUILD-01)."""
        return sum(band.cost for band in self.warbands)

    @property
    def units(self) -> int:
        """Regiments and characters: as many as it has command cards (TLAOK-CARD-01)."""
        return sum(1 + len(band.regiments) for band in self.warbands)

    def to_data(self) -> dict[str, Any]:
        """The whole list as plain data, which needs no other file to be read again."""
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return {"game": "tlaok", **data}

    @staticmethod
    def from_data(data: object, where: str = "army list") -> Roster:
        """The list that `to_data` wrote."""
        try:
            roster = msgspec.convert(data, Roster)
            for band in roster.warbands:
                for stand in (band.leader.stand, *(raised.stand for raised in band.regiments)):
                    stand.muster()
        except msgspec.ValidationError as error:
            what, _, place = str(error).partition(" - at ")
            raise problem_with(where, what.lower(), where=place.strip("`").removeprefix("$.")) from None
        except (UnknownKeyword, KeyError) as error:
            raise problem_with(where, getattr(error, "problem", f"no {error}")) from None
        return roster


# -- reading a faction -------------------------------------------------------------------------------------------------


def load_faction(path: str | os.PathLike[str]) -> Faction:
    """The faction in a file; its id is the file's name. Raises Problems with all that is wrong."""
    path = Path(path)
    problems = Problems(path)
    faction = read_faction(Reader(read_toml(path), problems), path.stem)
    problems.raise_if_any()
    return faction


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
        top.problem("character", f"{quoted(both)} is a regiment already")
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
    kind = table.choice("type", TYPES, what="type", rule="TLAOK-PROF-02")
    letters = table.table("profile")
    stats = {LETTERS[letter]: letters.integer(letter, low=0, high=MOST.get(LETTERS[letter], 6)) for letter in LETTERS}
    if letters.value("W") == 0:
        letters.problem("W", "0; a stand has at least one wound", "TLAOK-PROF-10")
    return Stand(
        id,
        name,
        kind,
        weight,
        stats,
        read_rules(table, "rules", "character" if character else "stand"),
        read_events(table, "events"),
        tuple(_picked(table, "spells", spells or {}, what="spell", rule="TLAOK-MAGIC-02").values()),
        character,
    )


def read_regiment(
    id: str,
    table: Reader,
    rule: ArmyRule | None = None,
    spells: Mapping[str, SpellCard] | None = None,
    officers: Mapping[str, Extra] | None = None,
) -> RegimentCard:
    """A regiment as its entry shows it (TLAOK-STAND, TLAOK-REG)."""
    weight = table.choice("class", CLASSES, what="class", rule="TLAOK-PROF-03")
    stand = read_stand(id, table, weight=weight, spells=spells)
    sizes = table.integers("stands", low=1, high=20)
    if sizes and (len(sizes) > 2 or sizes != sorted(sizes)):
        table.problem("stands", f"expected the least and the most, found {described(sizes)}")
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
        table.problem("class", "a character has no class of its own", "TLAOK-CHAR-01", 'own_regiment = "heavy"?')
    stand = read_stand(id, table, weight=own, character=True, spells=spells)
    _check_caster(table, stand)
    warband = table.table("warband")
    mainstay = tuple(_picked(warband, "mainstay", regiments, what="regiment", rule="TLAOK-BUILD-08"))
    restricted = tuple(_picked(warband, "restricted", regiments, what="regiment", rule="TLAOK-BUILD-08"))
    for both in sorted(set(mainstay) & set(restricted)):
        warband.problem("restricted", f"{quoted(both)} is Mainstay already", "TLAOK-BUILD-08")
    wanted = "monster" if "Rider" in stand.rules else stand.kind
    followers = [regiments[name].stand.kind for name in (*mainstay, *restricted)]
    if not own and followers and wanted not in followers:
        warband.problem("", f"no {wanted} regiment it could join", "TLAOK-BUILD-07")
    return CharacterCard(
        id,
        stand,
        mainstay,
        restricted,
        own,
        tuple(_picked(table, "learns", spells, what="spell", rule="TLAOK-MAGIC-02").values()),
        tuple(_picked(table, "masteries", {name: name for name in categories}, what="category of masteries")),
        tuple(_picked(table, "upgrades", upgrades, what="upgrade", rule="TLAOK-UPGRADE-01")),
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
            what, _, hint = error.problem.partition("; ")
            table.problem(f"{key}[{number}]", what, hint=hint or None)
            continue
        if barrage is not None and place not in ("stand", "character"):
            table.problem(f"{key}[{number}]", "a ranged weapon belongs on a stand", "TLAOK-SR-BARRAGE-01")
            continue
        there = "barrage" if barrage is not None else place
        wrong = [keyword for keyword in held if there not in keyword.on and not (keyword.adds and not keyword.on)]
        for keyword in wrong:
            places = listed(keyword.on) or 'a ranged weapon: write Barrage (3) (18")'
            table.problem(f"{key}[{number}]", f"{keyword.title} belongs on {places}, not here", f"{keyword.rule}-01")
        if any(keyword.takes_x and keyword.x < 1 for keyword in held):
            table.problem(f"{key}[{number}]", f"{quoted(text)} needs a number of at least 1")
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
        stat = entry.choice("stat", (*CHARACTERISTICS, "halved_barrage"), what="characteristic", default="")
        change = Change(
            stat,
            entry.integer("add", low=-10, high=10, default=1 if stat == "halved_barrage" else 0),
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
            entry.problem("", "changes nothing, or too much: give it one of stat, grant and event")
        elif stat and not change.add and change.set is None and change.cap is None:
            entry.problem("", f"does not say how {stat} changes", hint="give it add, set or cap")
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
        what, _, hint = error.problem.partition("; ")
        guess = hint or did_you_mean(text, [p.replace(" ({x})", "") for p in DRAW_EVENTS.values()])
        table.problem(key, what, hint=guess)
        return None


def _check_caster(table: Reader, stand: Stand) -> None:
    """Who knows spells is a Wizard or a Priest (TLAOK-MAGIC-01)."""
    if stand.spells and not any(rule.startswith(("Wizard", "Priest")) for rule in stand.rules):
        table.problem("spells", f"{stand.id} is neither Wizard nor Priest", "TLAOK-MAGIC-01")


def _read_command(table: Reader, stand: Stand, officers: Mapping[str, Extra]) -> Command:
    command = Command(
        table.choice("leader", ("free", "buy"), default=""),
        table.flag("standard", default=False),
        tuple(_picked(table, "officers", officers, what="officer", rule="TLAOK-CMD-20")),
    )
    if stand.kind == "monster" and command.models:
        table.problem("", "Monsters have no command models", "TLAOK-CMD-15")
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
        table.problem("", "gives nothing", hint="give it changes")
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
        table.problem("", "does nothing", hint="give it hits, changes, heal or rally")
    if rules and not spell.hits:
        table.problem("rules", "are those of hits, but the spell causes none")
    if spell.hits and target != "enemy":
        table.problem("target", "hits are for enemies", "TLAOK-MAGIC-06")
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
        tuple(_picked(table, "types", {kind: kind for kind in TYPES}, what="type")),
        tuple(_picked(table, "classes", {weight: weight for weight in CLASSES}, what="class")),
        read_changes(table),
        table.integer("heal", low=0, high=12, default=0),
        table.flag("rally", default=False),
    )
    if not (ability.changes or ability.heal or ability.rally):
        table.problem("", "does nothing", hint="give it changes, heal or rally")
    if ability.always and (ability.on != "own_regiment" or not ability.changes):
        what = "an ability that is always active changes the character's own regiment"
        table.problem("on", what, "TLAOK-SUPR-11", 'on = "own_regiment"')
    return ability


def _read_army_rule(table: Reader) -> ArmyRule:
    return ArmyRule(
        read_names(table, "name"),
        read_names(table, "text"),
        read_changes(table, required=True),
        tuple(_picked(table, "types", {kind: kind for kind in TYPES}, what="type")),
        tuple(_picked(table, "classes", {weight: weight for weight in CLASSES}, what="class")),
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
            asked[key] = list(_picked(table, key, {word: word for word in words[key]}, what=key))
        else:
            asked[key] = table.integer(key, low=1, high=48)
    return Secondary(id, name, text, when, asked, table.integer("copies", low=1, high=9, default=1))


def _picked(table: Reader, key: str, known: Mapping[str, T], *, what: str, rule: str | None = None) -> dict[str, T]:
    """The things a list of ids names, each once."""
    found: dict[str, T] = {}
    for number, id in enumerate(table.texts(key, default=()), 1):
        if id not in known:
            table.unknown(f"{key}[{number}]", id, known, what=what, rule=rule)
        elif id in found:
            table.problem(f"{key}[{number}]", f"{quoted(id)} is there twice")
        else:
            found[id] = known[id]
    return found


# -- reading a list ----------------------------------------------------------------------------------------------------


@cache
def _faction_files() -> dict[str, Path]:
    return {path.stem: path for path in sorted(FACTIONS.glob("*.toml"))}


@cache
def faction(id: str) -> Faction:
    """One of our factions."""
    files = _faction_files()
    if id not in files:
        hint = did_you_mean(id, files) or f"there is {listed(files)}"
        raise problem_with("army", f"no faction {quoted(id)}", rule="TLAOK-BUILD-03", hint=hint)
    return load_faction(files[id])


def factions() -> dict[str, Faction]:
    """Our factions by id."""
    return {id: faction(id) for id in _faction_files()}


@cache
def ready_lists() -> dict[str, Path]:
    """The ready-made lists by id: `<faction>_<points>_<character>`."""
    return {path.stem: path for path in sorted(LISTS.glob("*.toml"))}


def load_list(name_or_path: str | os.PathLike[str]) -> Roster:
    """A ready-made list by its id, or a player's own by its path: TOML, or JSON, or a list that was stored."""
    text = os.fspath(name_or_path)
    if text in ready_lists():
        return _ready_list(text)
    path = Path(text)
    if path.suffix.lower() not in (".toml", ".json") and not path.exists():
        hint = did_you_mean(text, ready_lists()) or "give the id of a ready-made list or the path of a file"
        raise problem_with(text, "no such list", hint=hint)
    data = read_json(path) if path.suffix.lower() == ".json" else read_toml(path)
    return roster_of(data, path.name, folder=path.parent)


@cache
def _ready_list(id: str) -> Roster:
    path = ready_lists()[id]
    return check_list(read_toml(path), path.name, folder=path.parent)


def parse_list(text: str, source: str = "list") -> Roster:
    """A list from its text, TOML or JSON."""
    data = parse_json(text, source) if text.lstrip()[:1] in ("{", "[") else parse_toml(text, source)
    return roster_of(data, source)


def roster_of(data: object, where: str, folder: str | os.PathLike[str] | None = None) -> Roster:
    """The army in the data of a list file, or in the data of a list that was stored whole."""
    if isinstance(data, Mapping) and isinstance(data.get("warbands"), list) and "faction" in data:
        return Roster.from_data(data, where)
    if not isinstance(data, Mapping):
        raise problem_with(where, f"expected a list, found {described(data)}")
    return check_list(data, where, folder)


def check_list(data: Mapping[str, Any], where: str, folder: str | os.PathLike[str] | None = None) -> Roster:
    """The army a list describes; raises Problems with every mistake in it.

    `folder` is where a faction file named by the list is looked for; without it a list may only name our factions, so
    that a list sent over the network reads no file.
    """
    problems = Problems(where)
    top = Reader(given(data), problems)
    top.choice("game", ["tlaok"], what="game of this kind")
    name = read_names(top, "name", required=False)
    story = read_names(top, "story", required=False)
    points = top.integer("points", low=1)
    army = _army_of(top, folder)
    entries = top.tables("warbands")
    if not entries and isinstance(top.value("warbands"), list):
        top.problem("warbands", "an army needs a character and his warband", "TLAOK-BUILD-04")
    bands: list[Warband] = []
    summaries: list[Band] = []
    for entry in entries:
        read = _read_warband(entry, army) if army is not None else None
        if read is not None:
            bands.append(read[0])
            summaries.append(read[1])
    if army is not None:
        top.finish()
        if len(summaries) == len(entries) and entries and top.value("points") == points:
            _note(problems, "", army_problems(summaries, points))
    problems.raise_if_any()
    assert army is not None
    return Roster(name if name["en"] else army.name, story, army.id, points, tuple(bands), army.deck)


def _army_of(top: Reader, folder: str | os.PathLike[str] | None) -> Faction | None:
    """The one faction a list is from (TLAOK-BUILD-03): one of ours by id, or the player's own file."""
    named = top.text("army")
    if not named.strip():
        return None
    if folder is None or not named.endswith(".toml"):
        if named not in _faction_files():
            top.unknown("army", named, _faction_files(), what="faction", rule="TLAOK-BUILD-03")
            return None
        return faction(named)
    try:
        return load_faction(Path(folder, named))
    except Problems as found:
        _note(top.problems, f"army: {named}", found)
        return None


def _note(problems: Problems, place: str, found: Iterable[Problem]) -> None:
    for problem in found:
        where = ": ".join(filter(None, (place, problem.where)))
        problems.add(where, problem.what, problem.rule, problem.hint)


def _read_warband(entry: Reader, army: Faction) -> tuple[Warband, Band] | None:
    """One warband of a list, and its summary for the limits; nothing if there is no such character."""
    named = entry.choice("character", army.characters, what="character", rule="TLAOK-BUILD-03")
    warlord = entry.flag("warlord", default=False)
    followers = entry.tables("regiments", required=False)
    if not named:
        for key in ("upgrades", "mastery", "spells"):
            entry.has(key)
        for follower in followers:
            _read_raised(follower, army)
        return None

    card = army.characters[named]
    leader, unique = _read_leader(entry, card, army, warlord)
    raised = [_read_raised(follower, army) for follower in followers]
    profile = leader.stand.muster()
    summary = Band(
        character=card.id,
        kind=card.stand.kind,
        warlord=warlord,
        own=bool(card.own),
        rider=profile.rider,
        irregular=profile.keywords.has(Irregular),
        mainstay=card.mainstay,
        restricted=card.restricted,
        regiments=tuple(
            Follower(one.id, one.stand.kind, one.stand.muster().keywords.has(Irregular), follower.where)
            for one, follower in zip(raised, followers, strict=True)
            if one is not None
        ),
        unique=unique,
        cost=leader.cost + sum(one.cost for one in raised if one is not None),
        where=entry.where,
    )
    return Warband(leader, tuple(one for one in raised if one is not None)), summary


def _read_leader(entry: Reader, card: CharacterCard, army: Faction, warlord: bool) -> tuple[Leader, tuple[str, ...]]:
    """A character with what it buys, and what of it an army may have once."""
    offered = {id: army.upgrades[id] for id in card.upgrades}
    taken = _picked(entry, "upgrades", offered, what=f"upgrade for {card.id}", rule="TLAOK-UPGRADE-01")
    learnt = _picked(
        entry,
        "spells",
        {spell.id: spell for spell in card.learns},
        what=f"spell for {card.id}",
        rule="TLAOK-MAGIC-02",
    )
    mastery = _read_mastery_taken(entry, card, army)
    return lead(
        card,
        army,
        upgrades=tuple(taken),
        mastery=mastery.id if mastery is not None else "",
        spells=tuple(learnt),
        warlord=warlord,
    ), tuple(
        extra.name["en"] for extra in (*taken.values(), *((mastery,) if mastery is not None else ())) if extra.unique
    )


def _read_mastery_taken(entry: Reader, card: CharacterCard, army: Faction) -> Extra | None:
    """The one mastery a character takes (TLAOK-MASTERY-01)."""
    if isinstance(entry.value("mastery"), list):
        entry.problem("mastery", "a character takes one mastery", "TLAOK-MASTERY-01")
        return None
    named = entry.choice("mastery", army.masteries, what="mastery", rule="TLAOK-MASTERY-01", default="")
    if not named:
        return None
    found = army.masteries[named]
    _note(entry.problems, entry.where, mastery_problems(card, named, found.category))
    return found


def _read_raised(entry: Reader, army: Faction) -> Raised | None:
    """One regiment of a list; nothing if there is no such regiment."""
    named = entry.choice("regiment", army.regiments, what="regiment", rule="TLAOK-BUILD-03")
    if not named:
        for key in ("stands", "command", "options"):
            entry.has(key)
        return None
    card = army.regiments[named]
    stands = entry.integer("stands", low=1, high=40, default=card.least)
    asked = entry.texts("command", default=())
    models = [*(("leader",) if card.command.leader == "free" and "leader" not in asked else ()), *asked]
    for problem in regiment_problems(card, stands, models):
        entry.problem(problem.where, problem.what, problem.rule, problem.hint)
    known = [model for model in dict.fromkeys(models) if model in card.command.models]
    options = _picked(entry, "options", card.options, what=f"option for {card.id}", rule="TLAOK-BUILD-13")
    return raise_regiment(card, army, stands=stands, models=known, options=tuple(options))


# -- mustering ---------------------------------------------------------------------------------------------------------


def raise_regiment(
    card: RegimentCard,
    army: Faction,
    *,
    stands: int = 0,
    models: Sequence[str] | None = None,
    options: Sequence[str] = (),
) -> Raised:
    """A regiment of so many stands with its command models and options, and what it costs (TLAOK-BUILD-13).

    Without a number it has its least; without models those that are free.
    """
    number = stands or card.least
    free = ("leader",) if card.command.leader == "free" else ()
    held = tuple(free if models is None else models)
    bought = [card.options[id] for id in options]
    officers = {id: army.officers[id] for id in held if id in army.officers}
    changes = [change for option in bought for change in option.changes]
    stand = card.stand.with_changes(changes)

    cost = cost_of_regiment(card, number) + sum(cost_of_option(option, card.stand, number) for option in bought)
    for model in held:
        if model not in free:
            cost += cost_of_model(model, stand, number, officers.get(model))
    caps = tuple(change for change in changes if change.cap is not None)
    return Raised(card.id, stand, number, cost, held, officers, tuple(options), caps)


def cost_of_regiment(card: RegimentCard, stands: int) -> int:
    """So many stands without anything bought: the file's own figures if it gives any, else the formula's."""
    extra = card.extra if card.extra is not None else cost_of_stands(card.stand, 1)
    least = card.points if card.points is not None else cost_of_stands(card.stand, card.least)
    return least + (stands - card.least) * extra


def lead(
    card: CharacterCard,
    army: Faction,
    *,
    upgrades: Sequence[str] = (),
    mastery: str = "",
    spells: Sequence[str] = (),
    warlord: bool = False,
) -> Leader:
    """A character with upgrades, a mastery and more spells, and what it costs."""
    extras = [army.upgrades[id] for id in upgrades] + ([army.masteries[mastery]] if mastery else [])
    abilities = [id for id in (card.supremacy, *(extra.supremacy for extra in extras)) if id]
    supremacy = army.supremacies.get(card.supremacy)
    own = [change for extra in extras for change in extra.changes if change.scope != "regiment"]
    stand = card.stand.with_changes(own)
    learnt = tuple(spell for spell in card.learns if spell.id in spells)
    cost = card.points if card.points is not None else cost_of_character(card.stand, supremacy)
    cost += sum(cost_of_extra(extra, card.stand, army.supremacies.get(extra.supremacy)) for extra in extras)
    for spell in learnt:
        cost += cost_of_spell(spell, stand)
        stand = msgspec.structs.replace(stand, spells=(*stand.spells, spell))
    return Leader(
        card.id,
        stand,
        cost,
        warlord,
        card.own,
        tuple(army.supremacies[id] for id in abilities),
        tuple(upgrades),
        mastery,
        tuple(change for extra in extras for change in extra.changes if change.scope == "regiment"),
        tuple(change for change in own if change.cap is not None),
    )


# -- taking the field --------------------------------------------------------------------------------------------------


def unique_id(id: str, taken: Container[str]) -> str:
    """An id of its own: the second of a kind is `militia_2`."""
    made, number = id, 1
    while made in taken:
        number += 1
        made = f"{id}_{number}"
    return made


def field_regiment(raised: Raised, side: int, id: str) -> Regiment:
    """A regiment of a list as a regiment of the battle, in reinforcements, its stands in the usual formation.

    Infantry has all its command models on one stand (TLAOK-CMD-02); elsewhere each replaces the model of a stand of its
    own, and the leader's is the command stand (TLAOK-CMD-10).
    """
    profile = raised.stand.muster()
    roles: list[tuple[str, tuple[str, ...]]] = [("stand", ())] * raised.stands
    if raised.models and profile.kind == "infantry":
        roles[0] = ("command", raised.models)
    elif raised.models:
        roles[: len(raised.models)] = [
            ("command" if model == "leader" else "stand", (model,)) for model in raised.models
        ]
    stands = [OnTable(f"{id}.{n}", profile, role, models) for n, (role, models) in enumerate(roles, 1)]
    officers = {name: msgspec.to_builtins(officer) for name, officer in raised.officers.items()}
    card = {"id": raised.id, "points": raised.cost, "options": list(raised.options), "officers": officers}
    regiment = Regiment(id, side, profile, stands, card=card)
    for name, officer in raised.officers.items():
        regiment.affect(*(change.effect(name, "TLAOK-CMD-20", "officer") for change in officer.changes))
    regiment.affect(*lasting_caps(raised.caps))
    regiment.draw_up(usual(raised.stands, usual_files(raised.stands), regiment.command is not None, False))
    return regiment


def field_character(leader: Leader, id: str) -> Character:
    """A character of a list, who has yet to join a regiment. What it does for that one is in `card["gifts"]`."""
    card = {
        "id": leader.id,
        "points": leader.cost,
        "own": leader.own,
        "mastery": leader.mastery,
        "supremacies": [msgspec.to_builtins(ability) for ability in leader.supremacies],
        "gifts": [msgspec.to_builtins(gift) for gift in leader.gifts],
    }
    supremacy = leader.supremacies[0].id if leader.supremacies else ""
    upgrades = (*leader.upgrades, *((leader.mastery,) if leader.mastery else ()))
    made = Character(
        id, leader.stand.muster(), warlord=leader.warlord, supremacy=supremacy, upgrades=upgrades, card=card
    )
    made.effects = lasting_caps(leader.caps)
    return made


def field_own_regiment(leader: Leader, side: int, id: str) -> Regiment:
    """A character that is a regiment of its own (TLAOK-CHAR-06, TLAOK-STAND-13): one stand, struck like any other."""
    character = field_character(leader, id)
    stands = [OnTable(f"{id}.1", character.profile)]
    regiment = Regiment(id, side, character.profile, stands, character, {"id": leader.id, "points": leader.cost})
    regiment.affect(*gifts_of(character))
    return regiment


def gifts_of(character: Character) -> tuple[Effect, ...]:
    """What a character does for its regiment for as long as it is there: its upgrades (TLAOK-UPGRADE-01, -02), and the
    abilities of a Warlord that are always active (TLAOK-SUPR-11)."""
    gifts = [("TLAOK-UPGRADE-01", gift) for gift in character.card.get("gifts", ())]
    for ability in character.card.get("supremacies", ()):
        if character.warlord and ability.get("uses") == "always":
            gifts += [("TLAOK-SUPR-11", change) for change in ability["changes"]]
    return tuple(Change(**gift).effect(character.id, rule, "character") for rule, gift in gifts)


def lore_of(rosters: Iterable[Roster]) -> dict[str, dict[str, Any]]:
    """What a battle must be able to look up of its armies: abilities and secondary objectives by id."""
    abilities: dict[str, Any] = {}
    secondaries: dict[str, Any] = {}
    for roster in rosters:
        for band in roster.warbands:
            abilities |= {ability.id: msgspec.to_builtins(ability) for ability in band.leader.supremacies}
        for card in roster.deck:
            secondaries[card.id] = {"name": card.name, "text": card.text, **card.asks}
    return {"abilities": abilities, "secondaries": secondaries}


def lasting_caps(caps: Iterable[Change]) -> tuple[Effect, ...]:
    """A maximum that came with something bought holds for other bonuses too (TLAOK-PROF-15)."""
    return tuple(
        Effect("list", "TLAOK-PROF-15", "battle", change.stat, cap=change.cap) for change in caps if change.stat
    )


def usual_files(stands: int) -> int:
    """A frontage for who has no opinion: one rank of up to four, else two ranks."""
    return stands if stands <= 4 else -(-stands // 2)


def field_army(
    roster: Roster, side: int, taken: Iterable[str] = ()
) -> tuple[list[Regiment], list[tuple[int, Character]]]:
    """All regiments of a list in its order, each with the number of its warband; and the characters who are to join
    one, each with the number of his. Their ids are none of those taken."""
    regiments: dict[str, Regiment] = {}
    characters: dict[str, tuple[int, Character]] = {}

    def own_id(id: str) -> str:
        return unique_id(id, {*taken, *regiments, *characters})

    for number, band in enumerate(roster.warbands, 1):
        id = own_id(band.leader.id)
        if band.leader.own:
            regiments[id] = field_own_regiment(band.leader, side, id)
            regiments[id].warband = number
        else:
            characters[id] = (number, field_character(band.leader, id))
        for raised in band.regiments:
            id = own_id(raised.id)
            regiments[id] = field_regiment(raised, side, id)
            regiments[id].warband = number
    return list(regiments.values()), list(characters.values())
