"""Sentences from facts. Rules state events, ask decisions and give refusals; here they are put into words.

How sentences are written is told in `engine.words.sentences`. An option without a word of its own is told by the entry
named like the question, or else by the name of its key.

A sentence is a `Line`: spans of text that say what they name, and the rule behind it, for a screen to colour and link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from oriflamme.engine.core.battle import Battle, Unit
from oriflamme.engine.core.decisions import Allocate, Decision, Option
from oriflamme.engine.core.events import Event, Reason, Refusal
from oriflamme.engine.words.notices import SHOWN, quoted
from oriflamme.engine.words.outcomes import LETTERS, side_letter
from oriflamme.engine.words.sentences import Fact, Forms, Template, form_of, is_there, sentences
from oriflamme.engine.words.subject import Subject

_SIGNS: Final = {"in": '"', "cm": " cm", "mm": " mm"}


class Span(NamedTuple):
    """A piece of a sentence: what it says, what kind of thing that is, and the id of what it names."""

    text: str
    kind: str = ""
    ref: str = ""
    side: int | None = None


class Line(NamedTuple):
    """A sentence and the rule behind it."""

    spans: tuple[Span, ...]
    rule: str = ""

    @property
    def text(self) -> str:
        """The sentence without its rule."""
        return "".join(span.text for span in self.spans)

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


# -- names -------------------------------------------------------------------------------------------------------------


class Named(NamedTuple):
    """What an id stands for: its name in each language, what kind of thing it is, and whose."""

    name: Mapping[str, str]
    kind: str = ""
    side: int | None = None


class Names:
    """The names of everything a battle speaks of by id. Taken before the first step, when everybody is still there.

    Units alike are numbered, unless `tags` tell them apart: then every unit has its tag before its name. What comes to
    the table only later is learned from the battle as it is, or as one side sees it: a unit then gets the next tag of
    its side, which is written into `tags`.
    """

    def __init__(self, game: Subject, battle: Any, tags: dict[str, str] | None = None) -> None:
        self.of: dict[str, Named] = {}
        self._everything, self._hidden = self.of, frozenset[str]()
        self._tags = tags
        self._figures: dict[str, list[str]] = {}
        # How many sides somebody plays; the others are armies nobody owns.
        self.players: int = getattr(battle, "players", len(LETTERS))
        # Where something may be hidden each side is counted by itself: a number would tell who is on the other one.
        apart = isinstance(battle, Battle) and type(battle).hide is not Battle.hide
        alike: dict[tuple[str, int], list[str]] = {}
        for unit in battle.units.values():
            alike.setdefault((_english(unit), unit.side if apart else 0), []).append(unit.id)
        for unit in battle.units.values():
            twins = alike[_english(unit), unit.side if apart else 0]
            tag = f"{tags[unit.id]} " if tags and unit.id in tags else ""
            number = f" {_roman(twins.index(unit.id) + 1)}" if len(twins) > 1 and not tag else ""
            self._meet(unit, tag, number)
        self.by_field = game.names(battle)
        self.counts_hexes = getattr(battle, "hexes", None) is not None
        self._game, self._first, self._now = game, self.by_field, self.by_field
        self._any: re.Pattern[str] | None = None

    def learn(self, battle: Any, hidden: frozenset[str] = frozenset()) -> None:
        """Take up what things are called now, and forget what they were called when this was last done.

        Units that are `hidden` from whoever is spoken to have no names: not even a question about one finds it.
        """
        for unit in getattr(battle, "units", {}).values():
            if unit.id not in self._figures:
                self._meet(unit, self._tag_for(unit))
                self.of, self._hidden, self._any = self._everything, frozenset(), None
        if hidden != self._hidden:
            unseen = hidden | {figure for unit in hidden for figure in self._figures.get(unit, ())}
            self.of = {id: named for id, named in self._everything.items() if id not in unseen}
            self._hidden, self._any = hidden, None
        now = self._game.names(battle)
        if now == self._now:
            return
        self._now = now
        self.by_field = dict(self._first)
        for field, names in now.items():
            known = self._first.get(field, {})
            if not names.items() <= known.items():
                self.by_field[field] = {**known, **names}

    def _meet(self, unit: Any, tag: str, number: str = "") -> None:
        """A unit, its figures and its parts have names from now on."""

        def told_apart(name: Mapping[str, str]) -> Mapping[str, str]:
            return {lang: tag + word + number for lang, word in name.items()}

        name = told_apart(_name(unit))
        parts: Mapping[str, Mapping[str, str]] = unit.named_parts() if isinstance(unit, Unit) else {}
        self._everything[unit.id] = Named(name, "unit", unit.side)
        self._figures[unit.id] = [*(figure.id for figure in (*unit.figures, *unit.fallen)), *parts]
        for figure in (*unit.figures, *unit.fallen):
            self._everything[figure.id] = self._figure(unit, figure, name)
        for id, part in parts.items():
            self._everything[id] = Named(told_apart(part), "unit", unit.side)

    def _tag_for(self, unit: Any) -> str:
        """The tag of a unit that has come later, as it stands before its name: the next one of its side."""
        if self._tags is None:
            return ""
        if unit.id not in self._tags:
            letters = [tag[0] for id, tag in self._tags.items() if tag and self._everything[id].side == unit.side]
            letter = letters[0] if letters else side_letter(unit.side, self.players)
            number = 1
            while f"{letter}{number}" in self._tags.values():
                number += 1
            self._tags[unit.id] = f"{letter}{number}"
        return f"{self._tags[unit.id]} "

    @staticmethod
    def _figure(unit: Any, figure: Any, name: Mapping[str, str]) -> Named:
        owner, _, number = figure.id.rpartition(".")
        if owner != unit.id and owner:
            own = getattr(getattr(figure, "profile", None), "name", "") or owner
            return Named({"en": own}, "figure", unit.side)
        if len(unit.figures) + len(unit.fallen) == 1:
            return Named(name, "figure", unit.side)
        return _numbered(tuple(name.items()), number, unit.side)

    def get(self, id: str, lang: str, field: str = "") -> str | None:
        """The name of what a field holds: a thing of that field, or else a unit or figure."""
        own = self.by_field.get(field, {}).get(id)
        found = self.of.get(id)
        if own is None and found is None:
            return None
        name = own if own is not None else found.name if found is not None else {}
        return name.get(lang) or name.get("en") or id

    def side_of(self, who: str | int) -> int | None:
        """Whose a unit or figure is; a side is its own."""
        if isinstance(who, int):
            return who
        found = self.of.get(who)
        return found.side if found is not None else None

    def spell_out(self, text: str, lang: str) -> str:
        """A text with every id in it replaced by its name: "levy.3: sling" becomes "Levy 3: sling"."""
        if self._any is None:
            longest = sorted((re.escape(id) for id in self.of), key=len, reverse=True)
            self._any = re.compile(rf"(?<![\w.])(?:{'|'.join(longest)})(?!\w)") if longest else re.compile(r"(?!)")
        return self._any.sub(lambda found: self.get(found.group(), lang) or found.group(), text)


@lru_cache(maxsize=8192)
def _numbered(name: tuple[tuple[str, str], ...], number: str, side: int | None) -> Named:
    """A figure among others of its unit; battles with the same armies share what it is called."""
    return Named({lang: f"{word} {number}" for lang, word in name}, "figure", side)


def _name(unit: Any) -> Mapping[str, str]:
    name = getattr(unit, "name", None)
    if isinstance(name, Mapping) and name:
        return name
    return {"en": str(name or unit.id)}


def _english(unit: Any) -> str:
    name = _name(unit)
    return name.get("en") or next(iter(name.values()))


def _roman(number: int) -> str:
    signs = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
    written = ""
    for value, sign in signs:
        while number >= value:
            written += sign
            number -= value
    return written


# -- speaking ----------------------------------------------------------------------------------------------------------


class Voice:
    """Puts the facts of one battle into the words of one language."""

    def __init__(self, game: Subject, names: Names, lang: str = "en") -> None:
        self.text = sentences(game.id, lang)
        self.lang = self.text.lang
        self.names = names
        self.measure = game.measure

    def event(self, event: Event) -> Line:
        """What happened."""
        facts = {field: getattr(event, field) for field in event.__struct_fields__}
        return Line(_capital(self._say("event", event.name, facts)), event.rule)

    def ask(self, decision: Decision) -> Line:
        """What a side is asked."""
        facts = {"side": decision.side, **decision.about}
        return Line(_capital(self._say("ask", decision.ask, facts)), decision.rule)

    def option(self, decision: Decision, option: Option) -> Line:
        """What may be chosen."""
        return Line(self._option(option, decision.ask, decision.about))

    def slot(self, decision: Allocate, slot: str) -> Line:
        """What may be given a share: told as the options of the question are, unless it has words of its own."""
        return self.option(decision, decision.words.get(slot) or Option(slot))

    def refusal(self, refusal: Refusal) -> Line:
        """Why not."""
        return Line(self._say("why", refusal.why, refusal.facts | {"rule": refusal.rule}), refusal.rule)

    def aid(self, say: str, facts: Mapping[str, Any], rule: str = "") -> Line:
        """What something drawn on the table means."""
        return Line(self._say("aid", say, facts), rule)

    def name(self, id: str, field: str = "") -> str:
        """The name of a unit or figure, or of what a field such as `weapon` holds; ids in other keys spelled out."""
        return self.names.get(id, self.lang, field) or self.names.spell_out(id, self.lang)

    def side(self, side: int) -> str:
        """Side A, side B, standing alone; sentences have `the_side`, with the article French needs."""
        return self.word("side", self._side_key(side))

    def _side_key(self, side: int) -> str:
        return str(side) if side < self.names.players else "unowned"

    def word(self, field: str, value: str) -> str:
        """The word for one value of a field; the value itself if there is none."""
        return self.text.words.get(field, {}).get(value, value)

    def term(self, text: str) -> str:
        """A term of the rules as players of this language say it, with its number or word: "Blast(3)"."""
        return self.text.term(text)

    def length(self, length: float) -> str:
        """A length as the rules count it: in the game's measure, or in hexes."""
        if self.names.counts_hexes:
            return (
                f"{self.number(length)} {self.word('hexes', 'one' if form_of(length, 2, self.lang) == 0 else 'many')}"
            )
        return self.tape(length)

    def tape(self, length: float) -> str:
        """A length in the game's measure, whatever the rules count in."""
        return self.number(length) + _SIGNS.get(self.measure, f" {self.measure}")

    def spot(self, place: Iterable[float]) -> str:
        """A place on the table; nobody reads a table in millimetres."""
        if self.measure == "mm":
            return " × ".join(self.number(round(part / 10, 1)) for part in place) + _SIGNS["cm"]
        return " × ".join(map(self.tape, place))

    def number(self, number: float) -> str:
        written = f"{round(number, 2):g}"
        return written.replace(".", ",") if self.lang == "fr" else written

    def listed(self, parts: Sequence[tuple[Span, ...]]) -> tuple[Span, ...]:
        """One, two and three; names that have commas are kept apart by more."""
        if not parts:
            return (Span(self.word("list", "none")),)
        apart = self.word("list", "apart") if any("," in span.text for part in parts for span in part) else ", "
        spans = list(parts[0])
        for number, part in enumerate(parts[1:], 2):
            spans.append(Span(f" {self.word('list', 'and')} " if number == len(parts) else apart))
            spans += part
        return tuple(spans)

    def reasons(self, reasons: Iterable[Reason], spec: str) -> tuple[Span, ...]:
        """`Quality 4+, Thrust +1`: what a number began as, and what changed it."""
        spans: list[Span] = []
        summed: dict[tuple[str, str, bool], int] = {}
        for number, reason in enumerate(reasons):
            key = (reason.source, reason.rule, spec != "changes" and number == 0)
            summed[key] = summed.get(key, 0) + reason.amount
        for (source, rule, first), amount in summed.items():
            if spans:
                spans.append(Span(", "))
            if first:
                words = f" {amount}+" if spec == "needed" else f" {amount}"
            else:
                words = f" {amount:+d}" if amount else ""
            name = self.names.get(source, self.lang, "source") or self.term(source)
            spans.append(Span(name + words, "reason", rule))
        return tuple(spans)

    # What follows turns a template and its facts into spans.

    def _say(self, kind: str, key: str, facts: Mapping[str, Any]) -> tuple[Span, ...]:
        entry = self.text.of[kind].get(key)
        template = entry.template(facts) if entry is not None else None
        if template is None:
            return self._unworded(key, facts)
        return tuple(self._fill(template, facts, None))

    def _option(self, option: Option, ask: str = "", about: Mapping[str, Any] | None = None) -> tuple[Span, ...]:
        facts = {**(about or {}), **option.facts, "key": option.key}
        known = self.text.of["option"]
        word = next((word for word in (option.word, ask) if word in known), "")
        if not word and self._is_named("key", option.key):
            return (self._text("key", option.key),)
        return self._say("option", word or option.word or option.key, facts)

    def _unworded(self, key: str, facts: Mapping[str, Any]) -> tuple[Span, ...]:
        """A fact nobody has found words for yet is still told, by its bare particulars."""
        words = ", ".join(f"{field} {_bare(value)}" for field, value in facts.items() if field != "rule")
        bare = key.replace("_", " ")
        return (Span(self.names.spell_out(f"{bare}: {words}" if words else bare, self.lang)),)

    def _fill(self, template: Template, facts: Mapping[str, Any], number: str | None) -> list[Span]:
        spans: list[Span] = []
        for node in template:
            if isinstance(node, str):
                spans.append(Span(node if number is None else node.replace("#", number)))
            elif isinstance(node, Fact):
                spans += self._tell(node.field, facts.get(node.field), node.spec)
            elif isinstance(node, Forms):
                value = facts.get(node.field)
                count = len(value) if isinstance(value, list | tuple | dict) else value or 0
                form = node.forms[form_of(count, len(node.forms), self.lang)]
                spans += self._fill(form, facts, self.number(count))
            else:
                spans += self._fill(node.yes if is_there(facts.get(node.field)) else node.no, facts, number)
        return spans

    def _tell(self, field: str, value: Any, spec: str) -> tuple[Span, ...]:
        if not spec:
            return self._plain(field, value)
        match spec:
            case "side" if isinstance(value, list | tuple):
                return self.listed([(self._side(side),) for side in value])
            case "side":
                if isinstance(value, list | tuple):
                    return self.listed([(self._side(part),) for part in value])
                return (self._side(value),)
            case "needed" | "changes" | "sum":
                return self.reasons(_flat(value or ()), spec)
            case "dice":
                faces = (value,) if isinstance(value, int) else value or ()
                return (Span(" ".join(map(str, faces)), "dice"),)
            case "score":
                return (Span("–".join(map(str, value or ()))),)
            case "first" | "last":
                return self._plain(field, value[0 if spec == "first" else -1]) if value else ()
            case "length" | "tape":
                return (Span(self.length(value) if spec == "length" else self.tape(value), "length"),)
            case "spot":
                return (Span(self.spot(value or ()), "length"),)
            case "parts":
                return self.listed([self._parts(field, part) for part in str(value).split("+")])
            case "terms":
                return self.listed([(Span(self.term(part), "term"),) for part in value or ()])
            case "bare":
                return (Span(_bare(value)),)
            case "number":
                return (Span(self.number(value or 0), "number"),)
            case "signed" if isinstance(value, int):
                return (Span(f"{value:+d}", "number"),)
            case "turn":
                way = self.word("turn", "left" if (value or 0) > 0 else "right")
                return (Span(f"{self.number(abs(value or 0))}° {way}", "number"),)
        return self._plain(field, value)

    def _plain(self, field: str, value: Any) -> tuple[Span, ...]:
        if isinstance(value, str):
            return (self._text(field, value),)
        match value:
            case None:
                return (Span(self.word(field, "none")),)
            case bool():
                return (Span(self.word("bool", "yes" if value else "no")),)
            case int():
                return (self._side(value) if field == "side" else Span(str(value), "number"),)
            case float():
                return (Span(self.length(value), "length"),)
            case Option():
                return self._option(value)
            case Mapping() if set(value) == set(Option.__struct_fields__):
                # An option that has been in another process.
                return self._option(msgspec.convert(value, Option))
            case Mapping():
                return (Span(str(value.get(self.lang) or value.get("en") or _bare(value))),)
            case list() | tuple():
                return self.listed([self._plain(field, part) for part in value])
        return (Span(str(value)),)

    def _text(self, field: str, value: str) -> Span:
        if value in self.names.by_field.get(field, {}):
            return Span(self.name(value, field), field, value)
        named = self.names.of.get(value)
        if named is not None:
            return Span(self.name(value), named.kind, value, named.side)
        word = self.text.words.get(field, {}).get(value)
        return Span(word if word is not None else self.names.spell_out(value, self.lang))

    def _is_named(self, field: str, value: str) -> bool:
        """Whether people have a name or a word for it."""
        words = self.text.words.get(field, {})
        return value in self.names.by_field.get(field, {}) or value in self.names.of or value in words

    def _parts(self, field: str, text: str) -> tuple[Span, ...]:
        """`Levy: Fear`: each part of it by its name, or as a term of the rules."""
        spans: list[Span] = []
        for part in text.split(":"):
            spans += [Span(self.word("list", "of"))] if spans else []
            spans.append(self._text(field, part) if self._is_named(field, part) else Span(self.term(part), "term"))
        return tuple(spans)

    def _side(self, value: Any) -> Span:
        if not isinstance(value, int):
            return Span(self.word("side", "none"))
        return Span(self.word("the_side", self._side_key(value)), "side", str(value), value)


def _capital(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """A sentence that begins with a side begins with a capital."""
    match spans:
        case (first, *rest) if first.kind == "side":
            return (first._replace(text=first.text[:1].upper() + first.text[1:]), *rest)
    return spans


def _flat(reasons: Iterable[Any]) -> Iterator[Reason]:
    for reason in reasons:
        if isinstance(reason, Reason):
            yield reason
        else:
            yield from _flat(reason)


def _bare(value: Any) -> str:
    """Anything at all, on one line and not endless: what a stranger answered may be shown so."""
    try:
        return quoted(value) if isinstance(value, str) else _cut(msgspec.json.encode(value).decode())
    except (TypeError, ValueError, RecursionError):
        return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
