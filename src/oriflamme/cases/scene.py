"""What a game gives to the runner of cases: how a scene is laid out, what a sentence means, what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar

from oriflamme.engine.catalogue import load as load_catalogue
from oriflamme.engine.decisions import Decision
from oriflamme.engine.dice import Dice
from oriflamme.engine.events import Event
from oriflamme.engine.game import Game
from oriflamme.engine.maps import Map, map_from_data
from oriflamme.engine.notices import listed, quoted
from oriflamme.engine.problems import Problem, Problems, Reader, did_you_mean, problem_with


class Deed:
    """One thing that is done: the steps it puts on the turn track, the answers it gives, and where it stops.

    `answers` maps an `ask` to its answer. `stop_before` names the steps that belong to what would come next. A deed
    that asks nothing of the table (an army is checked) has `problems` instead.
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


class Scenes:
    """A game's part of the case format. `docs/cases.md` describes it for those who write cases."""

    # Decisions that take the suggestion unless the case answers them.
    suggested: frozenset[str] = frozenset()
    # Keys of a unit's state that also depend on other units: they do not count when nothing about it has changed.
    relative: frozenset[str] = frozenset()
    # Every event the game can state, by name: a case that names another is misspelt.
    events: ClassVar[Mapping[str, type[Event]]] = {}
    # Every question the game can ask.
    questions: frozenset[str] = frozenset()
    # Fields of events that hold the name of something in the scene.
    naming: frozenset[str] = frozenset()
    # Whose steps the deeds are, if not those of a battle.
    game: Game | None = None

    def of(self, scene: Mapping[str, Any]) -> Scenes:
        """Who knows about a scene with these keys: a game may have several kinds of scene."""
        return self

    def build(self, top: Reader, problems: Problems, dice: Dice) -> Any:
        """The battle that the keys of a case describe; every mistake goes to `problems`."""
        raise NotImplementedError

    def deed(self, battle: Any, sentence: str, top: dict[str, Any]) -> Deed:
        """What a sentence means; raises Problems if it means nothing."""
        raise NotImplementedError

    def answer(self, battle: Any, decision: Decision, raw: Any) -> Any:
        """An answer as a case writes it (in the game's own measure), as the decision wants it."""
        raise NotImplementedError

    def state(self, battle: Any, unit: str) -> dict[str, Any]:
        """What a case may expect of a unit, by key."""
        raise NotImplementedError

    def units(self, battle: Any) -> list[str]:
        """The names of the units there are, fallen ones included."""
        raise NotImplementedError

    def facts(self, battle: Any, events: Sequence[Event]) -> dict[str, Any]:
        """What a case may expect of the whole: sums over the events, and the state of the battle."""
        raise NotImplementedError

    def unheard_of(self, battle: Any, name: str) -> str | None:
        """A hint if nothing in the scene has this name: that it does not happen, or is not offered, shows nothing."""
        return None


# -- what scenes of every game have in common --------------------------------------------------------------------------

Make = Callable[[Any, re.Match[str], dict[str, Any]], Deed]
Sentence = tuple[str, Make]


def events_of(module: ModuleType) -> dict[str, type[Event]]:
    """Every event that a module declares, by name."""
    return {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
    }


def meaning_of(sentences: Sequence[Sentence], sentence: str) -> tuple[re.Match[str], Sentence]:
    """The pattern that a sentence fits; raises Problems if it means nothing."""
    words = " ".join(sentence.replace(",", " ").split())
    for known in sentences:
        match = re.fullmatch(known[0], words)
        if match:
            return match, known
    raise problem_with("do", f'"{sentence}" means nothing here', hint="see the list of sentences in docs/cases.md")


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
    """The house rules as the views of both players show them; those they see differently are left out."""
    seen: list[dict[str, str]] = []
    for side in (0, 1):
        view = battle.copy()
        view.hide(side)
        seen.append(view.data()["options"])
    return {key.partition(".")[2]: value for key, value in seen[0].items() if seen[1].get(key) == value}


def read_table(top: Reader, measure: str, size: tuple[float, float]) -> Map:
    """The table of a scene, in the game's own measure; an empty one if it cannot be read."""
    reader = top.table("table", required=False)
    data = {key: reader.value(key) for key in reader.names()}
    data.setdefault("name", {"en": "case", "fr": "cas"})
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
        blank = {"name": {"en": "case", "fr": "cas"}, "size": list(size), "measure": measure}
        return map_from_data(blank, "table")


_LONG = {"in": "inches", "cm": "centimetres", "mm": "millimetres"}
