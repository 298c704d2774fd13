"""Companies: troops, Incarnates, machines, titans, artefacts and powers of one people, as their files describe them.

A file has a name, a story, a trait and tables of things to choose; docs/authoring.md shows one. Prices are not written
but worked out (`prices`), so that nobody's own troop is cheaper than ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.lists.shelf import Shelf, read_whole
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem, Reader, read_names
from oriflamme.games.rn3.army.prices import price_of
from oriflamme.games.rn3.army.rosters import Card, Combat, FreeTactic, Names
from oriflamme.games.rn3.effects import LASTING
from oriflamme.games.rn3.measures import CATEGORIES
from oriflamme.games.rn3.moments import book
from oriflamme.games.rn3.powers import ASPECTS, DURATIONS, ELEMENTS, TARGETS, Power
from oriflamme.games.rn3.profile import CHARACTERISTICS, ROLES

SCHOOLS: Final = ("universal", *ELEMENTS, *ASPECTS)


class Special(msgspec.Struct, frozen=True):
    """A special fighter that a unit may have: how many at most, his card, and what he costs more than one of the troop
    (RN3-UNIT-05)."""

    id: str
    card: Card
    most: int
    cost: int


class Troop(msgspec.Struct, frozen=True):
    """A unit to choose: the card of its fighters, how many there may be, and who may be among them. A machine has the
    card of the machine, and its crew are the fighters; a titan has ability cards."""

    id: str
    card: Card
    least: int
    most: int
    cost: int
    specials: dict[str, Special] = {}
    tactics: tuple[FreeTactic, ...] = ()
    machine: Card | None = None
    machine_cost: int = 0
    abilities: tuple[str, ...] = ()
    about: Names = {}
    # An Incarnate whose card lets him be a unit on his own (RN3-UNIT-02): the unit is himself.
    alone: bool = False

    @property
    def name(self) -> Names:
        return self.machine.name if self.machine is not None else self.card.name


class Hero(msgspec.Struct, frozen=True):
    """An Incarnate: his card, what he may carry, and whom he may lead (RN3-INC, RN3-ARMY-05, -06)."""

    id: str
    card: Card
    cost: int
    allowance: int
    champion_of: str = ""
    path: str = ""
    cult: str = ""
    schools: tuple[str, ...] = ()
    alone: bool = False
    about: Names = {}


class Attribute(msgspec.Struct, frozen=True):
    """An artefact, ritual or litany that an Incarnate may be given: its value counts against his allowance
    (RN3-ARMY-06). An artefact changes his card, or is an exploit (`power`)."""

    id: str
    name: Names
    value: int
    power: Power | None = None
    stat: dict[str, int] = {}
    skills: tuple[str, ...] = ()
    elixir: int = 0
    only_for: tuple[str, ...] = ()
    about: Names = {}


class Trait(msgspec.Struct, frozen=True):
    """What all units of a company have: a skill for those of some ranks, or elixir to begin with."""

    name: Names = {}
    about: Names = {}
    skills: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    elixir: int = 0


class Banner(msgspec.Struct, frozen=True):
    """How units may be gathered under a banner: how many, and of which ranks (RN3-UNIT-04)."""

    id: str
    name: Names
    least: int
    most: int
    ranks: tuple[int, ...] = (1, 2, 3)


class People(msgspec.Struct, frozen=True):
    """A company to choose from."""

    id: str
    name: Names
    story: Names
    trait: Trait
    troops: dict[str, Troop]
    heroes: dict[str, Hero]
    attributes: dict[str, Attribute]
    banners: dict[str, Banner]


# -- reading -----------------------------------------------------------------------------------------------------------


def read_people(top: Reader, id: str) -> People:
    """A company from its file; everything that is wrong is noted."""
    name = read_names(top, "name")
    story = read_names(top, "story", required=False)
    trait = _trait(top.table("trait", required=False))
    powers = {key: _power(key, one) for key, one in top.named_tables("power", required=False).items()}
    troops = {key: _troop(key, one, powers) for key, one in top.named_tables("troop").items()}
    troops |= {key: _machine(key, one, troops) for key, one in top.named_tables("machine", required=False).items()}
    heroes = {key: _hero(key, one, powers) for key, one in top.named_tables("incarnate").items()}
    troops |= {
        hero.id: Troop(hero.id, hero.card, 1, 1, hero.cost, alone=True) for hero in heroes.values() if hero.alone
    }
    attributes = {
        key: Attribute(key, dict(power.name), power.value, power, about=dict(power.about))
        for key, power in powers.items()
        if power.tested
    }
    attributes |= {key: _artefact(key, one) for key, one in top.named_tables("artefact", required=False).items()}
    banners = {key: _banner(key, one) for key, one in top.named_tables("banner", required=False).items()}
    top.finish()
    return People(id, name, story, trait, troops, heroes, attributes, banners)


def _skills(reader: Reader, key: str = "skills") -> tuple[str, ...]:
    found = []
    for number, text in enumerate(reader.texts(key, default=[]), 1):
        try:
            found.append(str(book.parse(text)))
        except UnknownKeyword as unknown:
            reader.problem(f"{key}[{number}]", unknown.notice, hint=unknown.hint)
    return tuple(found)


def _combat(reader: Reader, key: str) -> Combat | None:
    """A line of combat: [dice, ATT, FOR], or a table that says more."""
    if not reader.has(key):
        return None
    if isinstance(reader.value(key), list):
        numbers = reader.integers(key, low=0, high=20, default=[])
        if len(numbers) == 3:
            return Combat(numbers[0], numbers[1], numbers[2])
        reader.problem(key, notice("line_of_combat"), hint=notice("write_line_of_combat"))
        return None
    table = reader.table(key)
    return Combat(
        table.integer("dice", low=0, high=20),
        table.integer("att", low=0, high=20),
        table.integer("for", low=0, high=20),
        table.flag("area", default=False),
        table.integer("range", low=0, high=300, default=0),
    )


_NUMBERS: Final = (
    *(("rank", 1, 3), ("base", 20, 150), ("size", 1, 9), ("hit_points", 1, 30), ("power", 1, 9), ("mou", 0, 40)),
    *(("def", 0, 15), ("res", 0, 15), ("aut", 0, 9), ("pou", 0, 9), ("foi", 0, 9), ("elixir", 0, 9)),
    ("return_cost", 0, 9),
)


def _card(
    id: str, reader: Reader, powers: Mapping[str, Power], *, role: str = "troop", over: Card | None = None
) -> Card:
    """A card as a table has it; what it does not say is as on the card it is laid over."""
    values: dict[str, Any] = msgspec.structs.asdict(over) if over is not None else {}
    values |= {"id": id, "role": role}
    if over is None or reader.has("name"):
        values["name"] = read_names(reader, "name")
    if reader.has("category"):
        values["category"] = reader.choice("category", CATEGORIES, what="category")
    for key, low, high in _NUMBERS:
        if reader.has(key):
            values["defence" if key == "def" else key] = reader.integer(key, low=low, high=high)
    if reader.has("cou") or reader.has("peu"):
        values["cou"] = reader.integer("cou", low=0, high=15, default=None)
        values["peu"] = reader.integer("peu", low=0, high=15, default=None)
    elif over is None:
        reader.problem("cou", notice("courage_or_fear"), "RN3-CARD-03")
    if reader.has("cou") and reader.has("peu"):
        reader.problem("peu", notice("courage_or_fear"), "RN3-CARD-03")
    for key in ("melee", "ranged"):
        line = _combat(reader, key)
        if line is not None:
            values[key] = line
    if reader.has("skills"):
        values["skills"] = (*(over.skills if over is not None and role != "incarnate" else ()), *_skills(reader))
    if reader.has("powers"):
        known = reader.texts("powers")
        for number, power in enumerate(known, 1):
            if power not in powers:
                reader.unknown(f"powers[{number}]", power, powers, what="power")
        values["powers"] = tuple(powers[power] for power in known if power in powers)
        for number, power in enumerate(known, 1):
            if power in powers and (why := _why_not_known(powers[power], values)) is not None:
                reader.problem(f"powers[{number}]", why.what, why.rule)
    if reader.has("person"):
        values["person"] = reader.text("person")
    return Card(**values)


def _why_not_known(power: Power, card: Mapping[str, Any]) -> Problem | None:
    """Why a card cannot have a power printed on it: rituals and litanies are for Incarnates only, miracles for others
    (RN3-FAI-04, -05, RN3-MAG-05); whoever knows one has POU or FOI; abilities are those of titans (RN3-TIT-04)."""
    incarnate = card["role"] == "incarnate"
    if power.kind == "ability":
        return (
            None
            if card.get("category") == "titan"
            else Problem("", notice("ability_of_a_titan", power=power.id), "RN3-TIT-04")
        )
    rule = "RN3-FAI-05" if power.faithful else "RN3-MAG-05"
    if power.tested and not incarnate:
        return Problem("", notice("for_incarnates_only", power=power.id), rule)
    if power.kind == "miracle" and incarnate:
        return Problem("", notice("not_for_incarnates", power=power.id), "RN3-FAI-04")
    stat = "foi" if power.faithful else "pou"
    return None if card.get(stat) else Problem("", notice("needs_stat", power=power.id, stat=stat), "RN3-CARD-02")


def _troop(id: str, reader: Reader, powers: Mapping[str, Power]) -> Troop:
    card = _card(id, reader, powers)
    if card.category == "titan":
        card = msgspec.structs.replace(card, role="titan")
    sizes = reader.integers("unit", low=1, high=40, default=[1, 1])
    if len(sizes) != 2 or sizes[0] > sizes[-1]:
        reader.problem("unit", notice("strength_from_to"), hint=notice("write_strength_from_to"))
        sizes = [1, 1]
    tactics = tuple(_tactic(key, one) for key, one in reader.named_tables("tactics", required=False).items())
    cost = price_of(card, tactics=len(tactics)).total
    specials = {}
    for key, one in reader.named_tables("specials", required=False).items():
        role = one.choice("role", ROLES, what="role", default=key if key in ROLES else "special")
        special = _card(f"{id}_{key}", one, powers, role=role, over=card)
        extra = max(5, price_of(special).total - cost) + (10 if role == "standard" else 0)
        specials[key] = Special(key, special, one.integer("most", low=1, high=5, default=1), extra)
    abilities = tuple(power.id for power in card.powers if power.kind == "ability")
    about = read_names(reader, "about", required=False)
    return Troop(id, card, sizes[0], sizes[1], cost, specials, tactics, None, 0, abilities, about)


def _machine(id: str, reader: Reader, troops: Mapping[str, Troop]) -> Troop:
    """A war machine: its own card, and the troop that works it (RN3-WM-02)."""
    crew = reader.table("crew")
    card = _card(f"{id}_crew", crew, {}, role="crew")
    regular = crew.integer("count", low=1, high=10)
    machine = _card(id, reader, {}, role="machine", over=msgspec.structs.replace(card, ranged=None, skills=()))
    machine = msgspec.structs.replace(machine, category="war_machine", base=max(50, machine.base))
    cost = price_of(card).total
    about = read_names(reader, "about", required=False)
    return Troop(id, card, regular, regular, cost, {}, (), machine, price_of(machine).total, (), about)


def _tactic(id: str, reader: Reader) -> FreeTactic:
    skills = _skills(reader, "skill") if isinstance(reader.value("skill"), list) else ()
    stat = reader.choice("stat", ("", *CHARACTERISTICS), default="")
    amount = reader.integer("amount", low=-9, high=9, default=0)
    return FreeTactic(id, read_names(reader, "name"), skills[0] if skills else "", stat, amount)


def _hero(id: str, reader: Reader, powers: Mapping[str, Power]) -> Hero:
    card = _card(id, reader, powers, role="incarnate")
    allowance = reader.integer("allowance", low=0, high=12, default=0)
    schools = tuple(reader.texts("schools", default=[]))
    for number, school in enumerate(schools, 1):
        if school not in SCHOOLS:
            reader.unknown(f"schools[{number}]", school, SCHOOLS, what="element or aspect")
    return Hero(
        id,
        card,
        price_of(card, allowance=allowance).total,
        allowance,
        reader.text("champion_of", default=""),
        reader.text("path", default=""),
        reader.text("cult", default=""),
        schools,
        reader.flag("alone", default=False),
        read_names(reader, "about", required=False),
    )


def read_effect(reader: Reader, id: str, name: Names) -> dict[str, Any]:
    """What a power does, as its table `effect` says it (`games.rn3.effects`), ready to be played; what it summons has
    the id and name of the power."""
    if not reader.has("effect"):
        return {}
    if not isinstance(reader.value("effect"), dict):
        reader.problem("effect", notice("effect_is_a_table"))
        return {}
    table = reader.table("effect")
    made: dict[str, Any] = {}
    if table.has("stat"):
        made["stat"] = _changes(table.table("stat"), most=9)
    if table.has("skills"):
        made["skills"] = list(_skills(table))
    if table.has("force"):
        force = table.table("force")
        made["force"] = {"for": force.integer("for", low=0, high=20)}
        if force.flag("each", default=False):
            made["force"]["each"] = True
        else:
            made["force"]["dice"] = force.integer("dice", low=1, high=20, default=1)
    for key, low, high in _AMOUNTS:
        if table.has(key):
            made[key] = table.integer(key, low=low, high=high)
    for key in ("rally", "disperse"):
        if table.flag(key, default=False):
            made[key] = True
    if table.has("summon"):
        summon = table.table("summon")
        card = _card(id, summon.table("card"), {}, over=Card(id, dict(name)))
        if card.cou is None and card.peu is None:
            summon.problem("card.cou", notice("courage_or_fear"), "RN3-CARD-03")
        count = summon.integer("count", low=1, high=12, default=1)
        made["summon"] = {"count": count, "card": msgspec.json.decode(msgspec.json.encode(card))}
    if not made and not table.names():
        reader.problem("effect", notice("effect_does_nothing"))
    return made


_AMOUNTS: Final = (
    *(("heal", 1, 20), ("dice", -9, 9), ("move", 1, 60)),
    *(("tactic_points", -3, 3), ("mana", -30, 30), ("faith", -30, 30)),
)


def _changes(reader: Reader, most: int) -> dict[str, int]:
    """Characteristics and by how much they change."""
    for key in reader.names():
        if key not in CHARACTERISTICS:
            reader.unknown(key, key, CHARACTERISTICS, what="characteristic")
    return {key: reader.integer(key, low=-most, high=most) for key in reader.names() if key in CHARACTERISTICS}


def _power(id: str, reader: Reader) -> Power:
    kind = reader.choice("kind", ("spell", "miracle", "ritual", "litany", "ability"), what="kind of power")
    difficulty = reader.value("difficulty", 0)
    if not (isinstance(difficulty, int) and not isinstance(difficulty, bool)) and difficulty not in CHARACTERISTICS:
        reader.problem("difficulty", notice("difficulty_is"))
        difficulty = 0
    name = read_names(reader, "name")
    effect = read_effect(reader, id, name)
    duration = reader.choice("duration", DURATIONS, default="turn")
    if duration == "instant" and LASTING & effect.keys():
        reader.problem("duration", notice("lasts_no_time"), "RN3-MYS-09", notice("say_how_long"))
    return Power(
        id,
        kind,
        name,
        origin=reader.text("origin", default="universal"),
        school=reader.choice("school", SCHOOLS, what="element or aspect", default="universal"),
        value=reader.integer("value", low=0, high=9, default=1),
        cost=reader.integer("cost", low=0, high=30, default=1),
        difficulty=difficulty,
        target=reader.choice("target", TARGETS, default="enemy"),
        duration=duration,
        effect=effect,
        once=reader.flag("once", default=False),
        about=read_names(reader, "about", required=False),
    )


def _artefact(id: str, reader: Reader) -> Attribute:
    """An artefact changes its bearer's card, or is an exploit that costs elixir (RN3-ELX-04)."""
    name = read_names(reader, "name")
    value = reader.integer("value", low=0, high=9)
    about = read_names(reader, "about", required=False)
    power = None
    if reader.has("exploit"):
        exploit = reader.table("exploit")
        power = Power(
            id,
            "artefact",
            name,
            value=value,
            cost=exploit.integer("elixir", low=1, high=9),
            target=exploit.choice("target", TARGETS, default="self"),
            duration=exploit.choice("duration", DURATIONS, default="turn"),
            effect=read_effect(exploit, id, name),
            about=about,
        )
    changes = _changes(reader.table("stat", required=False), most=5)
    return Attribute(
        id,
        name,
        value,
        power,
        changes,
        _skills(reader),
        reader.integer("elixir", low=0, high=3, default=0),
        tuple(reader.texts("only_for", default=[])),
        about,
    )


def _trait(reader: Reader) -> Trait:
    if not reader.names():
        return Trait()
    return Trait(
        read_names(reader, "name"),
        read_names(reader, "about", required=False),
        _skills(reader),
        tuple(reader.integers("ranks", low=1, high=3, default=[1, 2, 3])),
        reader.integer("elixir", low=0, high=3, default=0),
    )


def _banner(id: str, reader: Reader) -> Banner:
    return Banner(
        id,
        read_names(reader, "name"),
        reader.integer("least", low=1, high=10, default=1),
        reader.integer("most", low=1, high=10, default=6),
        tuple(reader.integers("ranks", low=1, high=3, default=[1, 2, 3])),
    )


PEOPLES: Final = Shelf(
    Path(__file__).parents[1] / "factions",
    lambda path: read_whole(path, read_people),
    what="company",
    where="army",
    rule="RN3-UNIT-04",
)
