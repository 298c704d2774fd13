"""Bad input gets a helpful answer: everything at once, with where, what, which rule and a guess at what was meant.

    problems = Problems("autumn.toml")
    top = Reader(read_toml("autumn.toml"), problems)
    points = top.integer("points", low=0)
    for entry in top.tables("units"):
        unit = entry.choice("unit", army.units, what="unit")  # "" after a mistake
    top.finish()
    problems.raise_if_any()

What a player then reads:

    autumn.toml: 2 problems
      units[1].unit: no unit "halberdier"; did you mean "halberdiers"?
      pionts: not a known key; did you mean "points"?

Entries of a list are counted from 1, as people count.
"""

from __future__ import annotations

import difflib
import json
import math
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, overload

import msgspec

from oriflamme.engine.words.limits import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_BYTES,
    Excess,
    json_excess,
    one_line,
    toml_excess,
)
from oriflamme.engine.words.notices import NOBODY, SHOWN, Names, Notice, in_words, notice, quoted
from oriflamme.engine.words.sentences import engine_words

D = TypeVar("D")

MOST_TABLES = 1000  # of a list of tables


class Problem(msgspec.Struct, frozen=True):
    """One thing wrong with what was given: where, what, by which rule, and what to do about it.

    It is told in notices; plain texts are for the language of cases, which is English only.
    """

    where: str
    what: Notice | str
    rule: str | None = None
    hint: Notice | str | None = None

    def __str__(self) -> str:
        return self.in_words("en")

    def in_words(self, lang: str, names: Names = NOBODY) -> str:
        """The problem on one line, in a language; ids of things that have `names` are told by them."""
        data = self.data(lang, names)
        place = f"{data['where']}: " if data["where"] else ""
        rule = f" ({data['rule']})" if data["rule"] else ""
        apart = engine_words(lang).words["list"]["apart"]
        hint = f"{apart}{data['hint']}" if data["hint"] else ""
        return f"{place}{data['what']}{rule}{hint}"

    def data(self, lang: str = "en", names: Names = NOBODY) -> dict[str, str | None]:
        """The problem as plain data, put into words."""
        return {
            "where": self.where,
            "what": in_words(self.what, lang, names),
            "rule": self.rule,
            "hint": None if self.hint is None else in_words(self.hint, lang, names),
        }

    def at(self, where: str) -> Problem:
        """The same problem, found at another place."""
        return Problem(where, self.what, self.rule, self.hint)


class Problems(Exception):
    """All that is wrong with one file or one request, in the order it was found."""

    def __init__(self, source: str | os.PathLike[str], problems: Iterable[Problem] = ()) -> None:
        self.source = os.fspath(source)
        self.problems: list[Problem] = list(problems)
        self._noted: set[Problem] = set(self.problems)
        super().__init__(self.source, self.problems)

    def add(self, where: str, what: Notice | str, rule: str | None = None, hint: Notice | str | None = None) -> None:
        """Note one more problem; the same problem is noted once."""
        self.note(Problem(where, what, rule, hint))

    def note(self, problem: Problem) -> None:
        """Note a problem that was found elsewhere; the same problem is noted once."""
        if len(self._noted) != len(self.problems):
            self._noted = set(self.problems)
        if problem not in self._noted:
            self._noted.add(problem)
            self.problems.append(problem)

    def forget(self, problem: Problem) -> None:
        """Take back a problem that another one explains better."""
        if problem in self.problems:
            self.problems.remove(problem)

    def raise_if_any(self) -> None:
        """Stop here if anything was noted."""
        if self.problems:
            raise self

    def __len__(self) -> int:
        return len(self.problems)

    def __bool__(self) -> bool:
        return bool(self.problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def __str__(self) -> str:
        return self.in_words("en")

    def in_words(self, lang: str, names: Names = NOBODY) -> str:
        """All of them, a line each, under a heading that counts them."""
        title = notice("problems_of", source=self.source, number=len(self.problems)).in_words(lang)
        return "\n".join([title, *(f"  {problem.in_words(lang, names)}" for problem in self.problems)])


def problem_with(
    source: str | os.PathLike[str],
    what: Notice | str,
    *,
    where: str = "",
    rule: str | None = None,
    hint: Notice | str | None = None,
) -> Problems:
    """A single problem, ready to be raised."""
    return Problems(source, [Problem(where, what, rule, hint)])


def closest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that was most likely meant, if any comes near.

    Capitals and `-` for `_` are forgiven first; a word left unfinished is completed.
    """
    candidates = sorted(set(choices))
    wanted = _plain(word)
    if not wanted:
        return None
    plain = {choice: _plain(choice) for choice in candidates}

    for choice in candidates:
        if plain[choice] == wanted:
            return choice

    # Sorted by name, so that the same mistake gets the same guess everywhere.
    by_plain: dict[str, str] = {}
    for choice in candidates:
        by_plain.setdefault(plain[choice], choice)
    near = difflib.get_close_matches(wanted, list(by_plain), n=1, cutoff=0.65)
    if near:
        return by_plain[near[0]]

    if len(wanted) >= 3:
        begun = [choice for choice in candidates if plain[choice].startswith(wanted)]
        held = begun or [choice for choice in candidates if wanted in plain[choice]]
        if len(held) == 1 or begun:
            return held[0]
    return None


def did_you_mean(word: str, choices: Iterable[str]) -> Notice | None:
    """`did you mean "halberdiers"?`, or nothing when no choice comes near."""
    guess = closest(word, choices)
    return None if guess is None else notice("did_you_mean", guess=guess)


def guess_or_choices(word: str, choices: Iterable[str]) -> Notice | None:
    """What was most likely meant; all the choices when none comes near; nothing when there are none."""
    known = list(choices)
    return did_you_mean(word, known) or (notice("expected_one_of", choices=known) if known else None)


def _plain(word: str) -> str:
    return re.sub(r"[\s_\-.]+", "_", word[:200].strip().lower())


# -- files -------------------------------------------------------------------------------------------------------------


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file a player gave, or the reason it cannot be read."""
    return _decode(path, read_bytes(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file a player gave, or the reason it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise problem_with(path, notice("no_such_file"), hint=_file_nearby(path)) from None
    except IsADirectoryError:
        raise problem_with(path, notice("a_folder")) from None
    except PermissionError:
        raise problem_with(path, notice("not_allowed_to_read")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise problem_with(path, notice("cannot_be_read", reason=reason.lower())) from None
    if len(content) > MOST_BYTES:
        raise problem_with(path, notice("file_too_long", most=MOST_BYTES), hint=notice("no_file_of_ours"))
    return content


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The tables of a TOML file, or the line and column where it stops being one."""
    return parse_toml(read_text(path), path)


def parse_toml(text: str, source: str | os.PathLike[str]) -> dict[str, Any]:
    """The tables written in `text`; `source` is what a problem calls it. What is far too large is not even parsed."""
    text = text.replace("\r\n", "\n")
    excess = toml_excess(text)
    if excess is not None:
        raise _too_much(source, text, excess)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _toml_problem(source, text, str(error)) from None
    except ValueError as error:
        raise problem_with(source, notice("not_the_format", format="TOML", reason=str(error))) from None


def read_json(path: str | os.PathLike[str]) -> Any:
    """What a JSON file holds, or the line and column where it stops being one."""
    return parse_json(read_text(path), path)


def parse_json(text: str, source: str | os.PathLike[str]) -> Any:
    """What is written in `text`; `source` is what a problem calls it. What is far too large is not even parsed."""
    if not text.strip():
        raise problem_with(source, notice("file_is_empty", format="JSON"))
    excess = json_excess(text)
    if excess is not None:
        raise _too_much(source, text, excess)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        what = notice("not_the_format", format="JSON", reason=lower_first(error.msg))
        raise problem_with(source, what, where=where) from None
    except ValueError as error:
        raise problem_with(source, notice("not_the_format", format="JSON", reason=str(error))) from None


def _too_much(source: str | os.PathLike[str], text: str, excess: Excess) -> Problems:
    line = text.count("\n", 0, excess.position) + 1
    column = excess.position - (text.rfind("\n", 0, excess.position) + 1) + 1
    return problem_with(source, excess.what, where=f"line {line}, column {column}", hint=excess.hint)


def _decode(path: str | os.PathLike[str], content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise problem_with(
            path,
            notice("not_utf8", byte=f"0x{content[error.start]:02x}"),
            where=f"line {line}, column {column}",
            hint=notice("save_as_utf8"),
        ) from None


def _toml_problem(source: str | os.PathLike[str], text: str, message: str) -> Problems:
    lines = text.split("\n")
    reason, at, place = message.rpartition(" (at ")
    if not at:
        reason, place = message, ""
    found = re.match(r"line (\d+), column (\d+)", place)
    if found:
        line, column = int(found[1]), int(found[2])
    else:
        line = max((number for number, content in enumerate(lines, 1) if content.strip()), default=1)
        column = len(lines[line - 1]) + 1
        reason = "The file ends too early"

    written = lines[line - 1].strip() if line <= len(lines) else ""
    return problem_with(
        source,
        notice("not_the_format", format="TOML", reason=lower_first(reason), written=written),
        where=f"line {line}, column {column}",
        hint=_toml_hint(reason, written),
    )


def _toml_hint(reason: str, written: str) -> Notice | None:
    value = written.partition("=")[2].strip()
    if reason.startswith("Invalid value") and value[:1].isalpha():
        return notice("text_in_quotes")
    if reason.startswith("The file ends"):
        return notice("left_open")
    if reason.startswith(("Cannot overwrite", "Cannot declare")):
        return notice("key_twice")
    if reason.startswith("Expected '='"):
        return notice("key_is_value")
    return None


def lower_first(text: str) -> str:
    """A sentence as part of another one; an abbreviation keeps its letters."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _file_nearby(path: str | os.PathLike[str]) -> Notice | None:
    try:
        there = [entry.name for entry in Path(path).parent.iterdir()]
    except (OSError, ValueError):
        return None
    return did_you_mean(Path(path).name, there)


# -- tables ------------------------------------------------------------------------------------------------------------


class _Required:
    """Stands for: there is no default, the key must be given."""


REQUIRED = _Required()


class Reader:
    """Takes a table apart key by key and notes all that is wrong, so that one reading finds every mistake.

    Each method gives back a value of the type it names, also after a mistake (the default, or an empty value):
    reading goes on, and `problems.raise_if_any()` at the end decides.
    A key asked without a default must be there; `finish` notes the keys nobody asked for.
    """

    def __init__(self, data: object, problems: Problems, where: str = "") -> None:
        self.problems = problems
        self.where = where
        self._asked: dict[str, None] = {}
        self._missing: dict[str, Problem] = {}
        self._children: list[Reader] = []
        self.data: Mapping[str, Any] = {}
        if isinstance(data, Mapping):
            self.data = data
        else:
            problems.add(where, wrong_kind(notice("a_table"), data))

    def place(self, key: str) -> str:
        """Where a key stands, as problems call it: `units[1].figures`."""
        name = key if re.fullmatch(r"[\w\-]+(\[\d+\])?", key) else quoted(key)
        return f"{self.where}.{name}" if self.where else name

    def problem(self, key: str, what: Notice | str, rule: str | None = None, hint: Notice | str | None = None) -> None:
        """Note a problem with the value of a key, or with the whole table when the key is empty."""
        self.problems.add(self.place(key) if key else self.where, what, rule, hint)

    def has(self, key: str) -> bool:
        """The key is given; it then counts as known."""
        self._asked[key] = None
        return key in self.data

    def skip(self) -> None:
        """Nothing here is judged: every key counts as known."""
        self._asked.update(dict.fromkeys(self.data))

    def names(self) -> list[str]:
        """The keys that are given, in the order of the file."""
        return list(self.data)

    def value(self, key: str, default: object = None) -> Any:
        """The value as it stands, unchecked."""
        return self.data[key] if self.has(key) else default

    @overload
    def text(self, key: str) -> str: ...
    @overload
    def text(self, key: str, *, default: D) -> str | D: ...
    def text(self, key: str, *, default: object = REQUIRED) -> object:
        """A text that is not empty."""
        expected = notice("text")
        found = self._take(key, expected, default)
        if found is None:
            return self._fallback(default, "")
        if not isinstance(found, str):
            return self._wrong(key, expected, found, default, "")
        if not found.strip():
            self.problem(key, notice("empty_text"))
        return found

    @overload
    def flag(self, key: str) -> bool: ...
    @overload
    def flag(self, key: str, *, default: D) -> bool | D: ...
    def flag(self, key: str, *, default: object = REQUIRED) -> object:
        """True or false."""
        expected = notice("true_or_false")
        found = self._take(key, expected, default)
        if found is None:
            return self._fallback(default, False)
        if not isinstance(found, bool):
            return self._wrong(key, expected, found, default, False)
        return found

    @overload
    def integer(self, key: str, *, low: int | None = None, high: int | None = None) -> int: ...
    @overload
    def integer(self, key: str, *, low: int | None = None, high: int | None = None, default: D) -> int | D: ...
    def integer(
        self, key: str, *, low: int | None = None, high: int | None = None, default: object = REQUIRED
    ) -> object:
        """A whole number between `low` and `high`, both allowed."""
        expected = in_range("a_whole_number", low, high)
        empty = low or 0
        found = self._take(key, expected, default)
        if found is None:
            return self._fallback(default, empty)
        if isinstance(found, bool) or not isinstance(found, int):
            return self._wrong(key, expected, found, default, empty)
        if _outside(found, low, high):
            return self._wrong(key, expected, found, default, empty)
        return found

    @overload
    def number(self, key: str, *, low: float | None = None, high: float | None = None) -> float: ...
    @overload
    def number(self, key: str, *, low: float | None = None, high: float | None = None, default: D) -> float | D: ...
    def number(
        self, key: str, *, low: float | None = None, high: float | None = None, default: object = REQUIRED
    ) -> object:
        """A number between `low` and `high`, both allowed, whole or not."""
        expected = in_range("a_number", low, high)
        empty = float(low or 0)
        found = self._take(key, expected, default)
        if found is None:
            return self._fallback(default, empty)
        if not _is_number(found) or _outside(found, low, high):
            return self._wrong(key, expected, found, default, empty)
        return float(found)

    @overload
    def choice(self, key: str, choices: Iterable[str], *, what: str = "", rule: str | None = None) -> str: ...
    @overload
    def choice(
        self, key: str, choices: Iterable[str], *, what: str = "", rule: str | None = None, default: D
    ) -> str | D: ...
    def choice(
        self,
        key: str,
        choices: Iterable[str],
        *,
        what: str = "",
        rule: str | None = None,
        default: object = REQUIRED,
    ) -> object:
        """One of the choices. `what` names the kind of thing: `no unit "halberdier"`."""
        known = list(choices)
        expected = notice("one_of", choices=known) if known else notice("no_choice")
        found = self._take(key, expected, default)
        if found is None:
            return self._fallback(default, "")
        if isinstance(found, str) and found in known:
            return found
        if not isinstance(found, str):
            return self._wrong(key, expected, found, default, "")
        self.unknown(key, found, known, what=what, rule=rule)
        return self._fallback(default, "")

    def unknown(self, key: str, word: str, choices: Iterable[str], *, what: str = "", rule: str | None = None) -> None:
        """Note that a word is none of the choices, with a guess, or with the choices when no guess comes near."""
        said = notice("no_such", what=what, word=word) if what else notice("unknown", word=word)
        self.problem(key, said, rule, guess_or_choices(word, choices))

    def texts(self, key: str, *, default: Iterable[str] | _Required = REQUIRED) -> list[str]:
        """A list of texts."""
        found = self._list(key, notice("a_list_of_texts"), default)
        if found is None:
            return [] if isinstance(default, _Required) else list(default)
        kept = []
        for number, item in enumerate(found, 1):
            if isinstance(item, str) and item.strip():
                kept.append(item)
            else:
                self.problem(f"{key}[{number}]", wrong_kind(notice("text"), item))
        return kept

    def integers(
        self,
        key: str,
        *,
        low: int | None = None,
        high: int | None = None,
        default: Iterable[int] | _Required = REQUIRED,
    ) -> list[int]:
        """A list of whole numbers between `low` and `high`, both allowed."""
        found = self._list(key, notice("a_list_of_whole_numbers"), default)
        if found is None:
            return [] if isinstance(default, _Required) else list(default)
        kept = []
        for number, item in enumerate(found, 1):
            if isinstance(item, int) and not isinstance(item, bool) and not _outside(item, low, high):
                kept.append(item)
            else:
                self.problem(f"{key}[{number}]", wrong_kind(in_range("a_whole_number", low, high), item))
        return kept

    def numbers(
        self,
        key: str,
        *,
        count: int | None = None,
        low: float | None = None,
        high: float | None = None,
        default: Iterable[float] | _Required = REQUIRED,
    ) -> list[float]:
        """A list of numbers between `low` and `high`; exactly `count` of them if that is given."""
        expected = notice("a_list_of_numbers", count=count)
        found = self._list(key, expected, default)
        if found is None:
            return [] if isinstance(default, _Required) else list(default)
        if count is not None and len(found) != count:
            self.problem(key, wrong_kind(expected, found))
        kept = []
        for number, item in enumerate(found, 1):
            if _is_number(item) and not _outside(item, low, high):
                kept.append(float(item))
            else:
                self.problem(f"{key}[{number}]", wrong_kind(in_range("a_number", low, high), item))
        return kept

    def table(self, key: str, *, required: bool = True) -> Reader:
        """The table under a key; an empty one when it is absent and need not be there."""
        if key in self.data or not required:
            return self._child(self.value(key, {}), key)
        self.has(key)
        self._note_missing(key, notice("a_table"))
        return self._child({}, key)

    def tables(self, key: str, *, required: bool = True, most: int = MOST_TABLES) -> list[Reader]:
        """The tables of a list, each with its number: `units[1]`, `units[2]`; the first `most` of them."""
        found = self._list(key, notice("a_list_of_tables"), REQUIRED if required else ()) or []
        if len(found) > most:
            self.problem(key, notice("too_many_entries", number=len(found), most=most), hint=notice("leave_others_out"))
        return [self._child(item, f"{key}[{number}]") for number, item in enumerate(found[:most], 1)]

    def named_tables(self, key: str, *, required: bool = True) -> dict[str, Reader]:
        """The tables under a key by name, as in `[unit.halberdiers]`."""
        group = self.table(key, required=required)
        return {name: group.table(name) for name in group.names()}

    def finish(self) -> None:
        """Note every key that nobody asked for, here and in the tables read from here."""
        for key in self.data:
            if key not in self._asked:
                self.problem(key, notice("not_a_known_key"), hint=self._guess_key(key))
        for child in self._children:
            child.finish()

    def _guess_key(self, key: str) -> Notice | None:
        """What an unknown key was meant to be. A key that is missing comes first, and is then no problem of its own."""
        meant = closest(key, self._missing)
        if meant is not None:
            self.problems.forget(self._missing.pop(meant))
            return notice("did_you_mean", guess=meant)
        return guess_or_choices(key, self._asked)

    def _note_missing(self, key: str, expected: Notice) -> None:
        self._missing[key] = Problem(self.place(key), notice("missing", expected=expected))
        self.problems.note(self._missing[key])

    def _take(self, key: str, expected: Notice, default: object) -> Any:
        """The value of a key, or None when it is absent (noted if it has no default)."""
        if self.has(key):
            return self.data[key]
        if isinstance(default, _Required):
            self._note_missing(key, expected)
        return None

    def _list(self, key: str, expected: Notice, default: object) -> list[Any] | None:
        found = self._take(key, expected, default)
        if found is None:
            return None
        if not isinstance(found, list):
            self.problem(key, wrong_kind(expected, found))
            return None
        return found

    def _wrong(self, key: str, expected: Notice, found: object, default: object, empty: object) -> object:
        self.problem(key, wrong_kind(expected, found))
        return self._fallback(default, empty)

    def _child(self, data: object, key: str) -> Reader:
        child = Reader(data, self.problems, self.place(key))
        self._children.append(child)
        return child

    @staticmethod
    def _fallback(default: object, empty: object) -> object:
        return empty if isinstance(default, _Required) else default


def read_names(table: Reader, key: str, *, required: bool = True) -> dict[str, str]:
    """A name in both languages, or one text for both; of any other key, a text as long as a story."""
    most = LONGEST_NAME if key == "name" else LONGEST_TEXT
    found = table.value(key)
    if isinstance(found, Mapping):
        both = table.table(key)
        english = _bounded(both, "en", both.text("en", default=""), most)
        french = _bounded(both, "fr", both.text("fr", default=""), most)
        if not english and not french:
            table.problem(key, notice("text_in_either"))
        return {"en": english or french, "fr": french or english}
    text = _bounded(table, key, table.text(key) if required else table.text(key, default=""), most)
    return {"en": text, "fr": text}


def _bounded(table: Reader, key: str, text: str, most: int) -> str:
    """A text with nothing in it that cannot be seen; that it is too long is noted."""
    if len(text) > most:
        table.problem(key, notice("name_too_long", number=len(text), most=most), hint=notice("shorten_it"))
    return one_line(text[:most])


def without_nulls(data: Any) -> Any:
    """The data without its nulls: what JSON calls null, a list file leaves out."""
    if isinstance(data, Mapping):
        return {key: without_nulls(value) for key, value in data.items() if value is not None}
    return [without_nulls(value) for value in data] if isinstance(data, list) else data


def _is_number(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**SHOWN


def _outside(value: float, low: float | None, high: float | None) -> bool:
    return (low is not None and value < low) or (high is not None and value > high)


def in_range(code: str, low: float | None, high: float | None) -> Notice:
    """`a whole number from 1 to 6`: what was expected, with its bounds if it has any."""
    bounds = {"low": low} if low is not None else {}
    bounds |= {"high": high} if high is not None else {}
    return Notice(code + "".join(f"_{bound}" for bound in bounds), bounds)


def badly_written(error: msgspec.ValidationError) -> Problem:
    """What does not fit the shape of stored data, and where; entries of a list are counted from 1."""
    what, _, place = str(error).partition(" - at ")
    counted = re.sub(r"\[(\d+)\]", lambda found: f"[{int(found[1]) + 1}]", place.strip("`"))
    return Problem(counted.removeprefix("$").removeprefix("."), notice("badly_written", reason=lower_first(what)))


def wrong_kind(expected: Notice, found: object) -> Notice:
    """`expected text, found a list of 3`."""
    return notice("wrong_kind", expected=expected, found=found)
