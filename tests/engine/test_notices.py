"""Whatever is wrong with a list, a map, a save or an import is told in either language, and no sentence is left over.

The notices there are, each with the facts it carries, are read from the source itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import oriflamme
from oriflamme.engine.notices import Notice, notice
from oriflamme.engine.problems import Problem, Problems, in_range, wrong_kind
from oriflamme.engine.sentences import LANGUAGES, Choice, Template, fields_of, notices

SOURCE = Path(oriflamme.__file__).parent


class Given(NamedTuple):
    """A notice that is given somewhere: `code` may end in * where a part of it is computed; None: facts unknown."""

    code: str
    facts: frozenset[str] | None
    where: str


@cache
def given() -> list[Given]:
    return [one for path in sorted(SOURCE.rglob("*.py")) for one in _in_file(path)]


def _in_file(path: Path) -> Iterator[Given]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not call.args:
            continue
        where = f"{path.relative_to(SOURCE)}:{call.lineno}"
        if call.func.id == "notice":
            facts: frozenset[str] | None = frozenset(k.arg for k in call.keywords if k.arg)
        elif call.func.id == "Notice":
            held = call.args[1] if len(call.args) > 1 else None
            written = held.keys if isinstance(held, ast.Dict) else None
            facts = None if written is None else frozenset(k.value for k in written if isinstance(k, ast.Constant))
        elif call.func.id == "in_range":
            for code in _codes(call.args[0]):
                yield from (Given(f"{code}{end}", None, where) for end in ("", "_low", "_high", "_low_high"))
            continue
        else:
            continue
        for code in _codes(call.args[0]):
            yield Given(code, facts, where)


def _codes(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from _codes(body)
            yield from _codes(other)
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
            yield f"{start}*"


def unguarded(template: Template) -> set[str]:
    """The facts that a sentence speaks of whatever else is there."""
    return {field for node in template if not isinstance(node, Choice) for field in fields_of((node,))}


def covers(code: str, known: set[str]) -> bool:
    return any(one.startswith(code[:-1]) for one in known) if code.endswith("*") else code in known


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_notice_has_its_sentence(lang: str) -> None:
    known = set(notices(lang))

    missing = {f"{one.code} ({one.where})" for one in given() if not covers(one.code, known)}

    assert len(given()) > 250
    assert not missing


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_notice_carries_the_facts_its_sentence_speaks_of(lang: str) -> None:
    wrong = []
    for one in given():
        if one.facts is None or one.code.endswith("*"):
            continue
        sentence, _ = notices(lang)[one.code]
        always = set().union(*map(unguarded, sentence.variants.values()))
        wrong += [f"{one.code}: {field} is not given at {one.where}" for field in always - one.facts]
        wrong += [f"{one.code}: {field} is told nowhere, {one.where}" for field in one.facts - sentence.fields()]

    assert not wrong


def test_no_sentence_is_left_over() -> None:
    used = {one.code for one in given()} | CHOSEN
    begun = tuple(code[:-1] for code in used if code.endswith("*"))

    assert not {code for code in notices("en") if code not in used and not code.startswith(begun)}


# Codes that stand in a table or a variable before they become a notice.
CHOSEN = {"one_stick", "one_size", "swarms_are_animals", "one_range", "needs_its_number", "takes_no_number"}


def test_a_notice_within_a_notice_speaks_the_same_language() -> None:
    problem = Problem("units[2].figures", wrong_kind(in_range("a_whole_number", 1, 6), [1, 2, 3]))

    assert str(problem) == "units[2].figures: expected a whole number from 1 to 6, found a list of 3"
    french = "units[2].figures: attendu : un nombre entier de 1 à 6 ; trouvé : une liste de 3"
    assert problem.in_words("fr") == french


def test_ids_are_told_by_their_names_where_there_are_any() -> None:
    said = notice("too_many_copies", number=3, unit="levy", points=750, most=2)

    assert str(said) == "3 of levy; 750 points allow 2"
    assert said.in_words("fr", {"levy": {"en": "Levy", "fr": "Milice"}}) == "3 fois Milice ; 750 points en permettent 2"


def test_the_same_problem_is_noted_once() -> None:
    problems = Problems("autumn.toml")

    problems.add("units", notice("no_unit"))
    problems.add("units", notice("no_unit"))

    assert str(problems) == "autumn.toml: 1 problem\n  units: an army needs at least one unit"
    assert problems.in_words("fr") == "autumn.toml : 1 problème\n  units: une armée a au moins une unité"


def test_a_notice_without_words_is_told_bare() -> None:
    assert str(Notice("never_heard_of", {"number": 3})) == "never heard of: number 3"
