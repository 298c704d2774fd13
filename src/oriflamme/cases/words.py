"""All the words of a game's cases: sentences, questions, keys, events, refusals. Collected from what the runner itself
uses, so that the list cannot be wrong: `oriflamme cases words GAME` prints it, docs/cases.md is built from it.

What a key of a scene may be is noted by a reader that reads a specimen with every key there is.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Final

import msgspec

from oriflamme import games
from oriflamme.cases import shape
from oriflamme.cases.source import Source, source_of
from oriflamme.engine.cases.scenes import TABLE, Fact, Scenes
from oriflamme.engine.core import decisions
from oriflamme.engine.core.decisions import Decision
from oriflamme.engine.core.dice import ScriptedDice
from oriflamme.engine.core.events import Event
from oriflamme.engine.words.notices import listed
from oriflamme.engine.words.problems import REQUIRED, Problems, Reader
from oriflamme.engine.words.sentences import sentences

# The kinds of decisions by their classes' names, and how they are answered.
KINDS: Final[Mapping[str, type[Decision]]] = {
    kind.__name__: kind
    for kind in vars(decisions).values()
    if isinstance(kind, type) and issubclass(kind, Decision) and kind.kind
}
ANSWERS: Final = {
    "pick one": "one key",
    "pick several": "a list of keys",
    "put in order": "a list of all keys in order",
    "allocate": "a table of numbers by key",
    "place figures": "places",
    "move figures": "a move",
}


class Key(msgspec.Struct, omit_defaults=True):
    """A key of a table: what may stand under it, what holds if it is left out, and what it means."""

    key: str
    what: str
    form: str = ""
    default: str = ""


class SentenceWords(msgspec.Struct, omit_defaults=True):
    form: str
    what: str
    answers: str = ""


class QuestionWords(msgspec.Struct, omit_defaults=True):
    name: str
    who: str
    answer: str
    keys: tuple[str, ...]
    what: str
    suggested: bool
    rules: tuple[str, ...]
    other_rules: bool = False


class FieldWords(msgspec.Struct, omit_defaults=True):
    name: str
    type: str
    words: tuple[str, ...] = ()
    what: str = ""


class EventWords(msgspec.Struct, omit_defaults=True):
    name: str
    what: str
    fields: list[FieldWords]
    rules: tuple[str, ...]
    other_rules: bool = False


class FactWords(msgspec.Struct, omit_defaults=True):
    key: str
    what: str
    keys: dict[str, str] = {}


class RefusalWords(msgspec.Struct, omit_defaults=True):
    """A reason for a refusal, and the rules that may be cited with it; `other_rules` if it may be that of a cause."""

    because: str
    rules: tuple[str, ...]
    other_rules: bool = False


class KindWords(msgspec.Struct, omit_defaults=True):
    """The words of one kind of scene."""

    about: str
    unit: str
    sentences: list[SentenceWords]
    questions: list[QuestionWords]
    scene: dict[str, list[Key]]
    army: dict[str, list[Key]]
    states: list[str]
    row: list[FactWords]
    units: list[FactWords]
    events: list[EventWords]


class Words(msgspec.Struct, omit_defaults=True):
    """The words of a game's cases, and what every game shares: the keys of a case, of a row and of [table]."""

    game: str
    case: dict[str, list[Key]]
    table: dict[str, list[Key]]
    kinds: list[KindWords]
    refusals: list[RefusalWords]
    refusals_of_any_question: list[str]


@cache
def words_of(game: str) -> Words:
    """All the words of a game."""
    scenes = games.load(game).scenes()
    source = source_of(game)
    common = {where: [Key(key, what) for key, what in keys.items()] for where, keys in shape.WHAT.items()}
    table = {where: [Key(key, what) for key, what in keys.items()] for where, keys in TABLE.items()}
    kinds = [_kind(about, kind, source) for about, kind in scenes.kinds().items()]
    texts = sentences(game, "en").of["why"]
    reasons: dict[str, set[str | None]] = {}
    for written, rules in source.refusals().items():
        # A reason that is put together is any of those that have a sentence.
        for why in [key for key in texts if fnmatchcase(key, written)] if "*" in written else [written]:
            reasons.setdefault(why, set()).update(rules)
    refusals = [RefusalWords(why, _ids(rules), None in rules) for why, rules in sorted(reasons.items()) if rules]
    return Words(game, common, table, kinds, refusals, list(OF_ANY_QUESTION))


# Reasons that the engine gives for any question: they cite the rule that asks it.
OF_ANY_QUESTION: Final = (
    "not_offered",
    "not_a_list_of_keys",
    "picked_twice",
    "wrong_number",
    "not_an_allocation",
    "too_many_there",
    "wrong_number_in_group",
    "not_an_order",
    "not_a_placing",
    "not_a_place",
    "not_a_move",
    "not_a_path",
)


def _ids(rules: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted(rule for rule in rules if rule is not None))


def _kind(about: str, scenes: Scenes, source: Source) -> KindWords:
    asked = source.questions()
    noted = notes_of(scenes)
    scene = {where: _keys_of(scenes, where, keys) for where, keys in noted.items() if where != "table"}
    flags = [key for where, keys in scene.items() if where.count(".") == 1 for key in keys if key.form == FLAG]
    questions = []
    for name, question in scenes.questions.items():
        kinds, rules = asked.get(name, (set(), {None}))
        answer = " or ".join(dict.fromkeys(ANSWERS[KINDS[kind].kind] for kind in sorted(kinds)))
        questions.append(
            QuestionWords(
                name, question.who, answer, question.keys, question.what, question.suggested, _ids(rules), None in rules
            )
        )
    return KindWords(
        about,
        scenes.unit,
        [SentenceWords(sentence.form, sentence.what, sentence.answers) for sentence in scenes.sentences],
        questions,
        scene,
        {sentence: [Key(key, what) for key, what in keys.items()] for sentence, keys in scenes.army.items()},
        [key.key for key in flags if key.key in scenes.of_unit],
        _facts(scenes.of_battle),
        _facts(scenes.of_unit),
        [_event(name, kind, scenes, source) for name, kind in scenes.events.items()],
    )


def _facts(facts: Mapping[str, Fact]) -> list[FactWords]:
    return [FactWords(key, fact.what, dict(fact.keys)) for key, fact in facts.items()]


def _keys_of(scenes: Scenes, where: str, noted: Mapping[str, Noted]) -> list[Key]:
    """The keys of a table, those that are explained first, in that order."""
    what = scenes.keys.get(where, {})
    return [
        Key(key, what.get(key, ""), noted[key].form, noted[key].default) for key in {**what, **noted} if key in noted
    ]


# -- events ------------------------------------------------------------------------------------------------------------


def _event(name: str, kind: type[Event], scenes: Scenes, source: Source) -> EventWords:
    fields = []
    for field in msgspec.structs.fields(kind):
        if field.name == "rule":
            continue
        words = scenes.values.get(f"{name}.{field.name}", "")
        what = words if isinstance(words, str) else ""
        if not what and field.name in scenes.naming:
            what = "a name of the scene"
        if field.name == "side":
            what = listed(map(str, range(scenes.rulebook.most_sides)))
        fields.append(FieldWords(field.name, _type(field.type), () if isinstance(words, str) else tuple(words), what))
    doc = inspect.cleandoc(kind.__doc__).replace("\n", " ") if "__doc__" in vars(kind) and kind.__doc__ else ""
    rules = source.events((name,))[name]
    return EventWords(name, doc, fields, _ids(rules), None in rules or not _ids(rules))


TYPES: Final = {"str": "text", "int": "number", "float": "number", "bool": "true or false", "Reason": "reason"}


def _type(kind: Any) -> str:
    """The type of a field in plain words: `number`, `list of text`."""
    written = kind.__name__ if isinstance(kind, type) and not hasattr(kind, "__args__") else str(kind)
    plain = re.sub(r"[\w.]*\.(\w+)", r"\1", written).replace(" | None", " or nothing").replace("NoneType", "nothing")
    plain = re.sub(r"\b(str|int|float|bool|Reason)\b", lambda found: TYPES[found[1]], plain)
    plain = re.sub(r"tuple\[(\w+(?: or \w+)*), \.\.\.\]", r"list of \1", plain)
    return re.sub(r"tuple\[number, number\]", "pair of numbers", plain)


# -- keys of a scene ---------------------------------------------------------------------------------------------------

FLAG: Final = "true or false"


class Noted(msgspec.Struct):
    """What a reader was asked for under a key."""

    form: str = ""
    default: str = ""


class NotingReader(Reader):
    """A reader that also notes what it is asked for, table by table. Names that a case gives are `<name>`."""

    def __init__(self, data: object, problems: Problems, where: str, notes: dict[str, dict[str, Noted]]) -> None:
        super().__init__(data, problems, where)
        self.notes = notes
        self.named = where

    def has(self, key: str) -> bool:
        self.notes.setdefault(self.named, {}).setdefault(key, Noted())
        return super().has(key)

    def _note(self, key: str, form: str, default: object) -> None:
        noted = self.notes.setdefault(self.named, {}).setdefault(key, Noted())
        if not noted.form:
            noted.form = form
            noted.default = "" if default is REQUIRED or default is None else _plain(default)

    def _take(self, key: str, expected: Any, default: object) -> Any:
        self._note(key, str(expected), default)
        return super()._take(key, expected, default)

    def choice(self, key: str, choices: Iterable[str], **how: Any) -> Any:
        known = list(choices)
        self._note(key, " or ".join(f'"{word}"' for word in known), how.get("default", REQUIRED))
        return super().choice(key, known, **how)

    def named_tables(self, key: str, *, required: bool = True) -> dict[str, Reader]:
        found = super().named_tables(key, required=required)
        for name, inner in found.items():
            if isinstance(inner, NotingReader):
                group = self.named + "." + key if self.named else key
                inner.named = f"{group}.<name>"
                self.notes.get(group, {}).pop(name, None)
        return found

    def _child(self, data: object, key: str) -> Reader:
        child = NotingReader(data, self.problems, self.place(key), self.notes)
        plain = re.sub(r"\[\d+\]", "[]", key)
        child.named = f"{self.named}.{plain}" if self.named else plain
        self._children.append(child)
        return child


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        return value and f'"{value}"'
    return str(list(value)) if isinstance(value, list | tuple) else str(value)


def notes_of(scenes: Scenes) -> dict[str, dict[str, Noted]]:
    """What a scene's own reader asks for, table by table, with units as `<unit>`."""
    problems = Problems("specimen")
    notes: dict[str, dict[str, Noted]] = {}
    scenes.build(NotingReader(scenes.specimen, problems, "", notes), problems, ScriptedDice([]))
    unit = f"<{scenes.unit}>"
    return {where.replace("given.<name>", f"given.{unit}", 1): keys for where, keys in notes.items() if where and keys}


# -- as text -----------------------------------------------------------------------------------------------------------


def as_text(words: Words) -> list[str]:
    """The words of a game as lines of text; a heading begins with #."""
    return [line for title, lines in _parts(words) for line in (f"# {title}", *lines, "")]


def _parts(words: Words) -> Iterable[tuple[str, list[str]]]:
    for where, keys in words.case.items():
        yield where, [_key_line(key) for key in keys]
    for where, keys in words.table.items():
        yield where, [_key_line(key) for key in keys]
    for kind in words.kinds:
        of = f" of a {kind.about}" if kind.about else ""
        yield f"sentences{of} (do)", [_sentence_line(sentence) for sentence in kind.sentences]
        yield f"questions{of}", [_question_line(question) for question in kind.questions]
        for where, keys in kind.scene.items():
            yield where, [_key_line(key) for key in keys]
        for sentence, keys in kind.army.items():
            yield f"army, for: {sentence}", [_key_line(key) for key in keys]
        if kind.states:
            yield f"states{of}, both keys of a {kind.unit} and of units", [", ".join(kind.states)]
        yield f"then{of}: what a row may expect of the whole", list(_fact_lines(kind.row))
        yield f"then.units{of}: what it may expect of a {kind.unit}", list(_fact_lines(kind.units))
        yield f"events{of}", [line for event in kind.events for line in _event_lines(event)]
    yield "refusals: reason (because), and the rules it may cite (by)", [_refusal_line(why) for why in words.refusals]
    yield "refusals of any question, by the rule that asks it", [", ".join(words.refusals_of_any_question)]


def _key_line(key: Key) -> str:
    form = f" ({key.form})" if key.form else ""
    default = f" [{key.default}]" if key.default else ""
    return f"{key.key}{form}{default}: {key.what}"


def _sentence_line(sentence: SentenceWords) -> str:
    answers = f". Answers by itself: {sentence.answers}" if sentence.answers else ""
    return f"{sentence.form}: {sentence.what}{answers}"


def _question_line(question: QuestionWords) -> str:
    keys = f": {', '.join(question.keys)}" if question.keys else ""
    what = f"; {question.what}" if question.what else ""
    suggested = "; takes the suggestion if nobody answers" if question.suggested else ""
    asked = f"{question.who}; {_cited(question.rules, question.other_rules)}"
    return f"{question.name} ({asked}): {question.answer}{keys}{what}{suggested}"


def _cited(rules: Sequence[str], others: bool) -> str:
    named = ", ".join(rules)
    if not named:
        return "the rule of what causes it"
    return f"{named}, or the rule of what causes it" if others else named


def _fact_lines(facts: Iterable[FactWords]) -> Iterable[str]:
    for fact in facts:
        yield f"{fact.key}: {fact.what}"
        for key, what in fact.keys.items():
            yield f"    {key}: {what}"


def _event_lines(event: EventWords) -> Iterable[str]:
    what = f": {event.what}" if event.what else ""
    yield f"{event.name} ({_cited(event.rules, event.other_rules)}){what}"
    for field in event.fields:
        yield f"    {field.name}: {_field(field)}"


def _field(field: FieldWords) -> str:
    if field.words:
        return ", ".join(f'"{word}"' for word in field.words)
    return f"{field.type}, {field.what}" if field.what else field.type


def _refusal_line(refusal: RefusalWords) -> str:
    return f"{refusal.because}: {_cited(refusal.rules, refusal.other_rules)}"


# -- as a part of a document -------------------------------------------------------------------------------------------


def begin(part: str) -> str:
    return f"<!-- words of {part}: written by `python -m oriflamme.cases.words`, do not edit -->"


END: Final = "<!-- end of words -->"


def document(text: str) -> str:
    """The document with the parts that are lists of words written anew."""
    for part, lines in {"every game": _common_lines(), **{id: _game_lines(id) for id in games.shipped()}}.items():
        start = begin(part)
        if start in text:
            before, _, rest = text.partition(start)
            text = before + "\n".join([start, "", *lines, ""]) + END + rest.partition(END)[2]
    return text


def _common_lines() -> list[str]:
    words = words_of(games.shipped()[0])
    return [line for where, keys in {**words.case, **words.table}.items() for line in _key_table(where, keys)]


def _game_lines(game: str) -> list[str]:
    words = words_of(game)
    lines: list[str] = []
    for kind in words.kinds:
        of = f" of a {kind.about}" if kind.about else ""
        rows = [(_code(s.form), _sentence_what(s)) for s in kind.sentences]
        lines += _table(f"Sentences{of}", ("sentence", "what happens"), rows)
        asked = [(_code(q.name), q.who, _answer(q), _cited(q.rules, q.other_rules)) for q in kind.questions]
        lines += _table(f"Questions{of}", ("question", "who", "answer", "asked by"), asked)
        for where, keys in kind.scene.items():
            lines += _key_table(where, keys)
        for sentence, keys in kind.army.items():
            lines += _key_table(f"army, for `{sentence}`", keys)
        lines += _fact_table(f"What a row may expect of the whole{of}", kind.row)
        lines += _fact_table(f"What it may expect under `units`{of}", kind.units)
        if kind.states:
            lines += [f"States, keys of a {kind.unit} both in a scene and under `units`: {_codes(kind.states)}.", ""]
    rows = [(_code(r.because), _cited(r.rules, r.other_rules)) for r in words.refusals]
    lines += _table("Refusals", ("because", "by"), rows)
    lines += [f"Of any question, by the rule that asks it: {_codes(words.refusals_of_any_question)}.", ""]
    return lines


def events_document() -> str:
    """docs/events.md: what the games state as facts."""
    lines = [
        "# Events",
        "",
        "What a battle states as facts, in the order a game declares them in its `events.py`. Every event also has",
        "`rule`, the id of the rule behind it: one of those under *cites*. Sides are 0 and 1; units, models and",
        "fighters are named by their ids. A list of words is all that a field can be. A reason is a table with",
        "`source`, `amount` and `rule`. The lists are those of `oriflamme cases words GAME`.",
    ]
    for id in games.shipped():
        for kind in words_of(id).kinds:
            title = games.load(id).title["en"] + (f": {kind.about}" if kind.about else "")
            lines += ["", f"## {title}", "", "| event | fields | cites | |", "|---|---|---|---|"]
            for event in kind.events:
                fields = "; ".join(f"`{f.name}` {_cell(_field(f))}" for f in event.fields)
                cites = _cited(event.rules, event.other_rules)
                lines.append(f"| `{event.name}` | {fields} | {cites} | {_cell(event.what)} |")
    return "\n".join(lines) + "\n"


def _sentence_what(sentence: SentenceWords) -> str:
    return sentence.what + (f". *Answers by itself:* {sentence.answers}" if sentence.answers else "")


def _answer(question: QuestionWords) -> str:
    keys = f": {_codes(question.keys)}" if question.keys else ""
    what = f"; {question.what}" if question.what else ""
    return f"{question.answer}{keys}{what}" + ("; *suggestion*" if question.suggested else "")


def _key_table(where: str, keys: Sequence[Key]) -> list[str]:
    rows = [(_code(k.key), k.form, k.default, k.what) for k in keys]
    if not any(k.form or k.default for k in keys):
        return _table(f"`{where}`" if "`" not in where else where, ("key", "what"), [(r[0], r[3]) for r in rows])
    return _table(f"`{where}`", ("key", "form", "default", "what"), rows)


def _fact_table(title: str, facts: Sequence[FactWords]) -> list[str]:
    rows = []
    for fact in facts:
        inner = "; ".join(f"`{key}` {what}" for key, what in fact.keys.items())
        rows.append((_code(fact.key), fact.what + (f". Its keys: {inner}" if inner else "")))
    return _table(title, ("key", "what must be true"), rows)


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"**{title}**", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return [*lines, *(f"| {' | '.join(map(_cell, row))} |" for row in rows), ""]


def _cell(text: str) -> str:
    """A cell of a table: a bar would end it, and < outside of code begins a tag."""
    parts = re.split(r"(`[^`]*`)", text.replace("|", "\\|"))
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts)


def _code(text: str) -> str:
    return f"`{text}`"


def _codes(texts: Iterable[str]) -> str:
    return ", ".join(map(_code, texts))


def main() -> None:
    """Write docs/cases.md and docs/events.md of the checkout anew."""
    from pathlib import Path

    docs = Path(__file__).resolve().parents[3] / "docs"
    cases = docs / "cases.md"
    cases.write_text(document(cases.read_text(encoding="utf-8")), encoding="utf-8")
    (docs / "events.md").write_text(events_document(), encoding="utf-8")


if __name__ == "__main__":
    main()
