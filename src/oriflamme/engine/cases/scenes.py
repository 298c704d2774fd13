"""What a game gives to the runner of cases: how a scene is laid out, what a sentence means, what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, Final

from msgspec.structs import fields

from oriflamme.engine.core.decisions import Decision, Move, Place
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.events import Event
from oriflamme.engine.core.keywords import K, KeywordBook, UnknownKeyword
from oriflamme.engine.core.rulebook import Rulebook
from oriflamme.engine.core.steps import Steps
from oriflamme.engine.table.maps import MEASURES, Map, map_from_data
from oriflamme.engine.table.walks import stand
from oriflamme.engine.words.catalogue import load as load_catalogue
from oriflamme.engine.words.notices import Notice, listed, notice, quoted
from oriflamme.engine.words.problems import Problem, Problems, Reader, did_you_mean, problem_with
from oriflamme.engine.words.sentences import engine_words, sentences


class Deed:
    """One thing that is done: the steps it puts on the turn track, the answers it gives, and where it stops.

    `answers` maps an `ask` to its answer, or to a function that makes one of the decision and of how often the deed
    has answered it (None leaves it to the case). `stop_before` names the steps that belong to what would come next. A
    deed that asks nothing of the table (an army is checked) has `problems` instead.
    """

    def __init__(
        self,
        steps: Sequence[tuple[Any, ...]] = (),
        answers: dict[str, Any] | None = None,
        stop_before: Sequence[str] = (),
        problems: list[Problem] | None = None,
    ) -> None:
        self.steps = tuple(steps)
        self.answers = answers or {}
        self.stop_before = frozenset(stop_before)
        self.problems = problems
        self.number = 1  # which of the sentences it is


# -- what a game declares ----------------------------------------------------------------------------------------------

Make = Callable[[Any, re.Match[str], dict[str, Any]], Deed]


class Sentence:
    """A sentence that `do` understands, in the form in which people read it.

    `<unit>` is a name or number of the case (`SLOTS` says which words fit where they are not names), `<how:a|b>` one of
    these words, `[...]` may be left out, `(a|b)` is either. `answers` says which questions it answers by itself.
    """

    def __init__(self, form: str, what: str, make: Make, answers: str = "") -> None:
        self.form = form
        self.what = what
        self.make = make
        self.answers = answers
        self.pattern = re.compile("".join(map(_pattern, _PARTS.findall(form))))


SLOTS: Final = {
    "side": "[1-9]",
    "number": r"\d{1,3}",
    "successes": "[0-3]",
    "x": r"\d{1,3}(?:\.\d{1,3})?",
    "y": r"\d{1,3}(?:\.\d{1,3})?",
    "rules": ".+",
}
_PARTS: Final = re.compile(r"<[^>]+>|[\[\]()|]|[^<\[\]()|]+")
_BRACKETS: Final = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|"}


def _pattern(part: str) -> str:
    if part in _BRACKETS:
        return _BRACKETS[part]
    if not part.startswith("<"):
        return re.escape(part)
    name, _, words = part[1:-1].partition(":")
    return f"(?P<{name}>{words or SLOTS.get(name, '[^ ]+')})"


class Question:
    """What there is to say of a question besides its kind: who answers, and the keys there are.

    A key may have names in it, `charge:<unit>`; the answers to places and moves, which have no keys, are in `what`.
    One that is `suggested` takes the program's suggestion unless the case answers it or leaves it open with `asks`.
    Without keys, a question may have any.
    """

    def __init__(
        self, who: str = "the side it is put to", keys: str = "", what: str = "", *, suggested: bool = False
    ) -> None:
        self.who = who
        self.keys = tuple(keys.split())
        self.what = what
        self.suggested = suggested
        self.patterns = [re.compile(_key_pattern(key)) for key in self.keys]

    def knows(self, key: str) -> bool:
        return not self.patterns or any(pattern.fullmatch(key) for pattern in self.patterns)

    def unheard_of(self, key: str, names: Collection[str]) -> Notice | str | None:
        """A hint if this could never be a key here: it has no such form, or names nothing in the scene."""
        fits = [found for found in (pattern.fullmatch(key) for pattern in self.patterns) if found]
        if not fits:
            return did_you_mean(key, self.keys) or f"its keys are {', '.join(self.keys)}"
        wrong: list[str] = []
        for found in fits:
            held = [name.strip() for name in found.groups() if name]
            unknown = [name for name in held if name not in names and not _NUMBER.fullmatch(name)]
            if not unknown:
                return None
            wrong += unknown
        return did_you_mean(wrong[0], names) or f"nothing in the scene is called {quoted(wrong[0])}"


_NUMBER: Final = re.compile(r"[+-]?\d+")


def _key_pattern(form: str) -> str:
    parts = re.split(r"(<[^>]+>|\[|\]|\|)", form)
    marks = {"[": "(?:", "]": ")?", "|": "|"}
    return "".join(marks.get(p) or (r"([^:+]+)" if p.startswith("<") else re.escape(p)) for p in parts if p)


class Fact:
    """Something a row may expect: what it is, and how it is found from the battle and its events, or from a unit.

    `keys` are those of the table that it is, where they are always the same. `low` is the least a number can be.
    """

    def __init__(
        self, what: str, of: Callable[[Any, Any], Any], *, keys: Mapping[str, str] | None = None, low: int | None = None
    ) -> None:
        self.what = what
        self.of = of
        self.keys = keys or {}
        self.low = low


def count(what: str, of: Callable[[Any, Any], Any]) -> Fact:
    """A fact that is a number of things, 0 or more."""
    return Fact(what, of, low=0)


def slots(what: Mapping[str, str], slot_of: Mapping[str, str] = MappingProxyType({})) -> dict[str, Fact]:
    """Facts that are slots of a unit: of the same name, or of the one that `slot_of` says."""

    def slot(name: str) -> Callable[[Any, Any], Any]:
        return lambda _, unit: getattr(unit, name)

    return {key: Fact(text, slot(slot_of.get(key, key))) for key, text in what.items()}


def _winner(battle: Any, _: Any) -> str | int | list[int]:
    if not battle.over:
        return "nobody yet"
    winners = [side + 1 for side in battle.winners]
    return "draw" if not winners else winners[0] if len(winners) == 1 else winners


# What a row may expect of the whole and of a unit in any game, unless that has its own facts.
OF_EVERY_BATTLE: Final[Mapping[str, Fact]] = {
    "round": Fact("the round", lambda battle, _: battle.round),
    "over": Fact("the battle is over", lambda battle, _: battle.over),
    "winner": Fact('the side that has won, a list of several, "draw" or "nobody yet"', _winner),
    "house_rules": Fact("house rules as all players see them, by key", lambda battle, _: seen_house_rules(battle)),
}
OF_EVERY_UNIT: Final[Mapping[str, Fact]] = {
    "figures": count("figures left", lambda _, unit: len(unit.figures)),
    "lost": count("figures that have fallen", lambda _, unit: len(unit.fallen)),
}


class Scenes:
    """A game's part of the case format: what its sentences mean, and how a scene is laid.

    The rest is known from what the game has anyway: its events are those of the module `events` beside its scenes, its
    questions have sentences in its words, its house rules are in its catalogue. `oriflamme cases words` and
    docs/cases.md list it all. A game derives its own class in a module of its own package.
    """

    # The sentences of `do`, and what a unit is called in this game.
    sentences: Sequence[Sentence] = ()
    unit: str = "unit"
    # Size of a table if the scene does not say it, in the game's own measure.
    table_size: tuple[float, float] = (48, 48)
    # What a row may expect of the whole, and of a unit.
    of_battle: Mapping[str, Fact] = OF_EVERY_BATTLE
    of_unit: Mapping[str, Fact] = OF_EVERY_UNIT
    # What the keys of a scene mean, table by table, and a scene that has every one of them.
    keys: Mapping[str, Mapping[str, str]] = {}
    specimen: Mapping[str, Any] = {"given": {"ann": {"at": [1, 1]}}}
    # The keys of [army], sentence by sentence.
    army: Mapping[str, Mapping[str, str]] = {}
    # The words that a field of an event can be ("Fought.result"), or what it names.
    values: Mapping[str, Sequence[str] | str] = {}
    # Keys of a unit's state that also depend on other units: they do not count when nothing about it has changed.
    relative: frozenset[str] = frozenset()
    # Keys of a unit that a table shows and an editor offers first, and those that keep it off the table.
    states: Sequence[str] = ()
    off_table: Sequence[str] = ("reserve",)
    # Keys of a unit that say how many figures it has: so many are counted before any is made.
    numbers: Sequence[str] = ("figures", "start")
    # Slots that hold cards whose name is part of what they are: a scene has other names, and they are not compared.
    cards: frozenset[str] = frozenset()
    # Whose steps the deeds are, if not those of a battle.
    game: Rulebook | None = None
    # The steps of the game, and those that only its cases know.
    steps: Steps | None = None

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook

    @property
    def events(self) -> Mapping[str, type[Event]]:
        """Every event the game can state: a case that names another is misspelt."""
        return events_beside(type(self).__module__)

    @property
    def questions(self) -> Mapping[str, Question]:
        """Every question the game can ask, and what there is to say of it."""
        return {ask: Question() for ask in asked_in(self.rulebook.id)}

    @property
    def naming(self) -> frozenset[str]:
        """Fields of events that hold the name of something in the scene: texts that are none of a few words."""
        return frozenset(
            field.name
            for name, kind in self.events.items()
            for field in fields(kind)
            if field.type is str and field.name != "rule" and f"{name}.{field.name}" not in self.values
        )

    @property
    def suggested(self) -> frozenset[str]:
        """Questions that take the suggestion unless the case answers them."""
        return frozenset(ask for ask, question in self.questions.items() if question.suggested)

    def of(self, scene: Mapping[str, Any]) -> Scenes:
        """Who knows about a scene with these keys: a game may have several kinds of scene."""
        return self

    def kinds(self) -> Mapping[str, Scenes]:
        """Every kind of scene there is, by what it is about."""
        return {"": self}

    def build(self, top: Reader, problems: Problems, dice: Dice) -> Any:
        """The battle that the keys of a case describe; every mistake goes to `problems`.

        House rules and [battle] come first, then everybody under [given], what needs them to be there, and their
        places, which may be told from one another.
        """
        options = house_rules(self.rulebook.id, top)
        state = top.table("battle", required=False)
        battle = self.begin(top, state, options, dice)
        given = top.named_tables("given", required=False)
        for name, reader in given.items():
            if not re.fullmatch(r"[\w-]+", name):
                reader.problem("", f"{quoted(name)} is not a name", hint="use letters, digits, - and _ only")
            self.read_unit(battle, name, reader)
            reader.value("at")  # its place is read when everybody is known
        self.read_more(battle, state)
        top.value("army")
        if not problems:
            self.place(battle, given, problems)
        top.finish()
        return None if problems else self.finish(battle, given)

    def begin(self, top: Reader, state: Reader, options: dict[str, str], dice: Dice) -> Any:
        """The battle with its table and what [battle] says, and nobody on it; `table` reads the table."""
        raise NotImplementedError

    def table(self, top: Reader, size: tuple[float, float] | None = None) -> Map:
        """The table of a scene, in the game's own measure."""
        return read_table(top, self.rulebook.measure, size or self.table_size)

    def read_unit(self, battle: Any, name: str, reader: Reader) -> None:
        """Put a unit into the battle as the scene describes it, but for its place."""
        raise NotImplementedError

    def read_more(self, battle: Any, state: Reader) -> None:
        """Read what of [battle] speaks of units."""

    def place(self, battle: Any, given: Mapping[str, Reader], problems: Problems) -> None:
        """Put everybody where the scene says. A game of single figures need not say more: `at = [x, y]`."""
        unit = MEASURES[self.rulebook.measure]
        for name, reader in given.items():
            at = reader.numbers("at", count=2)
            if len(at) == 2:
                stand(battle.units[name], at[0] * unit, at[1] * unit)
                figure = battle.units[name].figures[0]
                if not battle.table.holds(figure.base, figure.x, figure.y, 0.0):
                    reader.problem("at", f"{name} stands off the table")

    def finish(self, battle: Any, given: Mapping[str, Reader]) -> Any:
        """The battle, now that everybody stands."""
        return battle

    def goes_on(self, battle: Any, acts: str) -> Sequence[tuple[Any, ...]]:
        """The steps with which a battle goes on from a scene: those of the unit that `acts` first, if one is named.
        They are steps of the game itself, so that such a battle is saved as any other."""
        raise problem_with(self.rulebook.id, notice("has_none_yet", what="analysis"))

    def sentence(self, battle: Any, acts: str) -> str:
        """The sentence of `do` that says the same: with it a case goes on as such a battle does."""
        raise problem_with(self.rulebook.id, notice("has_none_yet", what="analysis"))

    def written(self, battle: Any) -> dict[str, Any]:
        """`given` and `battle` of a scene that describes this battle (`engine.cases.scene_battles`)."""
        raise problem_with(self.rulebook.id, notice("has_none_yet", what="analysis"))

    def deed(self, battle: Any, sentence: str, top: dict[str, Any]) -> Deed:
        """What a sentence means; raises Problems if it means nothing, or speaks of somebody who is not there."""
        match, known = meaning_of(self.sentences, sentence)
        for slot in (self.unit, "target"):
            name = match.groupdict().get(slot)
            if name is not None:
                self.must_be_there(battle, name)
        side, sides = match.groupdict().get("side"), self.rulebook.most_sides
        if side is not None and side.isdecimal() and int(side) > sides:
            raise problem_with("do", f"no side {side}", hint=f"sides are 1 to {sides}")
        return known.make(battle, match, top)

    def must_be_there(self, battle: Any, name: str) -> None:
        """Raises Problems if nothing can be done by or to a unit of that name."""
        if name not in self.units(battle):
            hint = did_you_mean(name, self.units(battle)) or f"there are {listed(self.units(battle), 'and')}"
            raise problem_with("do", f"no {self.unit} {quoted(name)} in the scene", hint=hint)

    def answer(self, battle: Any, decision: Decision, raw: Any) -> Any:
        """An answer as a case writes it (in the game's own measure), as the decision wants it.

        Of places and moves every number is a length; "stay" moves nobody, and [x, y] is where the only figure goes.
        """
        if not isinstance(decision, Move | Place):
            return raw
        if raw == "stay":
            return {}
        if isinstance(raw, list) and len(decision.figures) == 1:
            raw = {decision.figures[0]: raw}
        return scaled(raw, MEASURES[self.rulebook.measure])

    def found(self, battle: Any, unit: str) -> Any:
        """What facts of a unit are found from."""
        return battle.units[unit]

    def state(self, battle: Any, unit: str, keys: Iterable[str] | None = None) -> dict[str, Any]:
        """What a case may expect of a unit, by key."""
        found = self.found(battle, unit)
        return {key: self.of_unit[key].of(battle, found) for key in (self.of_unit if keys is None else keys)}

    def units(self, battle: Any) -> list[str]:
        """The names of the units there are, fallen ones included."""
        return list(battle.units)

    def unheard_of(self, ask: str, key: str, names: Collection[str]) -> Notice | str | None:
        """A hint if no question of the game could offer this key here: that it is not offered shows nothing."""
        if not self.questions[ask].keys:
            return None
        hint = self.questions[ask].unheard_of(key, names)
        others = (question.unheard_of(key, names) for question in self.questions.values())
        return None if hint is None or any(other is None for other in others) else hint

    def names(self, battle: Any) -> set[str]:
        """Every name there is in a scene, and a few words more: all texts of its data, and the keys of its tables."""
        return set(_texts_in(battle.data())) | set(self.units(battle))


def _texts_in(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield str(key)
            yield from _texts_in(value)
    elif isinstance(data, list | tuple | set | frozenset):
        for value in data:
            yield from _texts_in(value)


# -- what scenes of every game have in common --------------------------------------------------------------------------


@cache
def events_beside(module: str) -> Mapping[str, type[Event]]:
    """The events that are declared in `events` beside a module."""
    return events_of(import_module(f"{module.rpartition('.')[0]}.events"))


@cache
def asked_in(game: str) -> tuple[str, ...]:
    """The questions for which a game has sentences."""
    return tuple(ask for ask in sentences(game, "en").of["ask"] if ask not in engine_words("en").of["ask"])


def scaled(raw: Any, unit: float) -> Any:
    """Every number in an answer in millimetres."""
    if isinstance(raw, dict):
        return {key: scaled(value, unit) for key, value in raw.items()}
    if isinstance(raw, list):
        return [scaled(value, unit) for value in raw]
    return raw * unit if isinstance(raw, int | float) and not isinstance(raw, bool) else raw


def events_of(module: ModuleType) -> dict[str, type[Event]]:
    """Every event that a module declares, by name."""
    return {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
    }


def meaning_of(sentences: Sequence[Sentence], sentence: str) -> tuple[re.Match[str], Sentence]:
    """The sentence whose form a text has; raises Problems if it means nothing."""
    words = " ".join(sentence.replace(",", " ").split())
    for known in sentences:
        match = known.pattern.fullmatch(words)
        if match:
            return match, known
    said = set(words.split())
    nearest = max(sentences, key=lambda known: len(said & set(re.findall(r"[a-z]{2,}", _PLAIN.sub("", known.form)))))
    hint = f"perhaps {quoted(nearest.form)}; oriflamme cases words lists all sentences"
    raise problem_with("do", f'"{sentence}" means nothing here', hint=hint)


_PLAIN: Final = re.compile(r"<[^>]*>|[\[\]()|]")


def steps_of(*made: Any, stop: Sequence[str]) -> Make:
    """A sentence that puts these steps on the track; a step may be made from what the sentence says."""

    def make(battle: Any, match: re.Match[str], top: dict[str, Any]) -> Deed:
        return Deed([s(battle, match) if callable(s) else s for s in made], {}, stop)

    return make


def neighbour(
    units: Mapping[str, Any], placed: Collection[str], name: str, other: str, reader: Reader, what: str
) -> bool:
    """Whether a unit can stand beside another, which must have its place already; notes why if it cannot."""
    if other == name:
        reader.problem("at", f"{quoted(name)} cannot stand beside itself", hint=f"name another {what}")
    elif other not in units:
        hint = did_you_mean(other, units) or f"there are {listed([u for u in units if u != name], 'and')}"
        reader.problem("at", f"no {what} {quoted(other)} to stand beside", hint=hint)
    elif other in placed:
        return True
    elif list(units).index(other) > list(units).index(name):
        hint = f"write {other} above {name} under [given], or give {name} a place [x, y]"
        reader.problem("at", f"{quoted(other)} comes after {quoted(name)} and has no place yet", hint=hint)
    else:
        reader.problem("at", f"{quoted(other)} has no place on the table", hint=f"name another {what}, or write [x, y]")
    return False


def read_keywords(reader: Reader, key: str, book: KeywordBook[K]) -> list[K]:
    """Special rules as they are printed; what is none is noted."""
    found = []
    for text in reader.texts(key, default=[]):
        try:
            found.append(book.parse(text))
        except UnknownKeyword as unknown:
            reader.problem(key, unknown.problem)
    return found


def house_rules(game: str, top: Reader) -> dict[str, str]:
    """House rules by their key, with or without the name of the game before it; the rest as the catalogue has them."""
    known = {key: (o.default, *o.alternatives) for key, o in load_catalogue(game).options.items()}
    reader = top.table("options", required=False)
    chosen = {key: values[0] for key, values in known.items()}
    for name in reader.names():
        key = name if name.startswith(f"{game}.") else f"{game}.{name}"
        if key in known:
            chosen[key] = reader.choice(name, known[key], what="value")
        else:
            reader.value(name)
            reader.unknown(name, name, known, what="house rule")
    return chosen


def seen_house_rules(battle: Any) -> dict[str, str]:
    """The house rules as the views of all players show them; those they see differently are left out."""
    seen: list[dict[str, str]] = []
    for side in range(battle.players):
        view = battle.copy()
        view.hide(side)
        seen.append(view.data()["options"])
    first = seen[0].items()
    return {key.partition(".")[2]: value for key, value in first if all(one.get(key) == value for one in seen)}


# The keys of [table] and of its pieces, as in a map file (docs/maps.md).
TABLE: Final[Mapping[str, Mapping[str, str]]] = {
    "table": {
        "size": "[width, depth]; as the game plays unless it says so",
        "pieces": "the terrain, a list of tables; none unless it says so",
        "hexes": "width of a hex, if the board has hexes",
        "board": "insides of buildings, a list of tables as [[board]] in a map",
        "opening": "doors, windows and breaches, a list of tables as [[opening]] in a map",
        "id": "as in a map",
        "name": "as in a map",
        "about": "as in a map",
    },
    "table.pieces[]": {
        "kind": "what it is: forest, hill, wall ... (docs/maps.md lists them)",
        "at": "[x, y], its middle",
        "radius": "of a round piece",
        "size": "[width, depth] of a rectangle",
        "angle": "degrees that the rectangle is turned",
        "outline": "[[x, y], ...] instead of at with radius or size",
        "traits": "what it does, if not what is usual for its kind",
        "height": "how high it is",
        "levels": "heights on which models may stand",
        "size_class": "its size, where a game compares sizes",
        "slopes": "sides that are gentle, counted from 1",
        "stairs": "sides with stairs, counted from 1",
        "board": "the board it lies on, if that is not the table; its place is counted from that board's corner",
        "passable_for": "words for those who cross it though it is impassable",
        "id": "its name in the case",
    },
    "table.board[]": {
        "of": "the piece whose inside it is",
        "id": "its name; the name of the piece and _inside unless it says so",
        "size": "[width, depth]; the shape of the piece unless it says so",
        "at": "as in a map",
        "angle": "as in a map",
        "radius": "as in a map",
        "outline": "[[x, y], ...] instead of a size",
    },
    "table.opening[]": {
        "kind": "door, window or breach",
        "piece": "the piece it leads into, or the straight wall it leads through",
        "at": "[x, y], on the edge of that piece",
        "to": "[x, y], where it leads to inside, counted from the corner of that board",
        "id": "its name in the case",
        "closed": "it is closed",
        "largest": "diameter in mm of the largest base that passes",
        "width": "how wide it is",
        "sill": "how high it begins",
    },
}


def read_table(top: Reader, measure: str, size: tuple[float, float]) -> Map:
    """The table of a scene, in the game's own measure; an empty one if it cannot be read."""
    reader = top.table("table", required=False)
    data = {key: reader.value(key) for key in reader.names()}
    data.setdefault("name", "case")
    data.setdefault("size", list(size))
    for key in ("measure", "piece"):
        if reader.has(key):
            hint = f"lengths are {_LONG[measure]}" if key == "measure" else 'write "pieces"'
            reader.problem(key, "not a known key", hint=hint)
            del data[key]
    data["measure"] = measure
    if "pieces" in data:
        data["piece"] = data.pop("pieces")
    try:
        return map_from_data(data, "table")
    except Problems as wrong:
        for problem in wrong:
            place = re.sub(r"^piece\b", "pieces", problem.where)
            reader.problems.add(f"table.{place}" if place else "table", problem.what, problem.rule, problem.hint)
        blank = {"name": "case", "size": list(size), "measure": measure}
        return map_from_data(blank, "table")


_LONG = {"in": "inches", "cm": "centimetres", "mm": "millimetres"}
