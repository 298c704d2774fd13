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
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem, Problems, in_range, wrong_kind
from oriflamme.engine.words.sentences import LANGUAGES, Choice, Fact, Forms, Template, fields_of, notices
from oriflamme.games import ids

SOURCE = Path(oriflamme.__file__).parent
# Games that have been found speak too.
assert ids()


class Given(NamedTuple):
    """A notice that is given somewhere: `code` may end in * where a part of it is computed; None: facts unknown."""

    code: str
    facts: frozenset[str] | None
    where: str


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def given() -> list[Given]:
    return [one for path in sorted(SOURCE.rglob("*.py")) for one in (*_in_file(path), *_in_classes(path))]


# What limits and readers of lists have for a class: the code of what is wrong, and of what helps.
HELD = {"code", "remedy", "unknown_list"}


def _in_classes(path: Path) -> Iterator[Given]:
    for cls in ast.walk(tree_of(path)):
        for line in cls.body if isinstance(cls, ast.ClassDef) else ():
            if isinstance(line, ast.Assign) and HELD & {n.id for n in ast.walk(line) if isinstance(n, ast.Name)}:
                for one in ast.walk(line.value):
                    if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value:
                        yield Given(one.value, None, f"{path.relative_to(SOURCE)}:{line.lineno}")


def _in_file(path: Path) -> Iterator[Given]:
    tree = tree_of(path)
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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_notice_is_told(lang: str) -> None:
    for code, (sentence, _) in notices(lang).items():
        for variant, template in sentence.variants.items():
            facts = dict(_made_up(template))
            facts |= {sentence.by: variant} if sentence.by and "/" not in sentence.by else {}
            told = Notice(code, facts).in_words(lang)
            assert told.strip(), code
            assert told != code.replace("_", " ") or not sentence.fields(), code
            assert "thing" in told or "thing" not in facts.values(), told


def _made_up(template: Template) -> Iterator[tuple[str, object]]:
    """Facts of the kinds a sentence speaks of."""
    for node in template:
        match node:
            case Fact(field, "or" | "terms"):
                yield field, ["thing"]
            case Fact(field, _):
                yield field, "thing"
            case Forms(field, forms):
                yield field, 2
                for form in forms:
                    yield from _made_up(form)
            case Choice(field, yes, no):
                yield from ((field, "thing"), *_made_up(no), *_made_up(yes))


def test_no_sentence_is_left_over() -> None:
    used = {one.code for one in given()} | CHOSEN
    begun = tuple(code[:-1] for code in used if code.endswith("*"))

    assert not {code for code in notices("en") if code not in used and not code.startswith(begun)}


def test_no_problem_is_a_plain_text() -> None:
    """Only the language of cases, for people who write cases, says what is wrong in English alone."""
    found = [f"{where}: {ast.unparse(text)}" for where, text in _texts_of_problems() if _is_text(text)]

    assert not found


def test_a_plain_text_would_be_found() -> None:
    for written in ('"gone"', 'f"{a} is gone"', "str(error)", '"a" + b', '", ".join(known)', 'guess(a) or "gone"'):
        assert _is_text(ast.parse(written, mode="eval").body), written
    for written in ('notice("gone")', "error.notice", "guess(a) or None", 'notice(f"needs_{kind}")'):
        assert not _is_text(ast.parse(written, mode="eval").body), written


def _texts_of_problems() -> Iterator[tuple[str, ast.expr]]:
    """Whatever is said of a problem or advised about it, and where; a name stands for all that it is given."""
    for path in sorted(SOURCE.rglob("*.py")):
        if "cases" in path.parts or "scene" in path.name:
            continue
        tree = tree_of(path)
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
            named = _assigned(function)
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and _notes_a_problem(call.func):
                    said = [*call.args[1:2], *call.args[3:4]]
                    said += [word.value for word in call.keywords if word.arg in ("what", "hint")]
                    for text in said:
                        where = f"{path.relative_to(SOURCE)}:{call.lineno}"
                        meant = named.get(text.id, [text]) if isinstance(text, ast.Name) else [text]
                        yield from ((where, one) for one in meant)


def _notes_a_problem(called: ast.expr) -> bool:
    match called:
        case ast.Name(id="Problem" | "problem_with") | ast.Attribute(attr="problem"):
            return True
        case ast.Attribute(attr="add", value=ast.Name(id="problems") | ast.Attribute(attr="problems")):
            return True
    return False


def _assigned(function: ast.AST) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                # Where a name takes several of them, or none, nothing is known of it.
                for name, value in zip(names, values, strict=False):
                    if isinstance(name, ast.Name):
                        found.setdefault(name.id, []).append(value)
    return found


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Name(id="str" | "quoted" | "listed" | "described")):
            return True
        case ast.Call(func=ast.Attribute(attr="join" | "format" | "replace" | "lower" | "in_words")):
            return True
        case ast.BinOp(left=left, right=right):
            return _is_text(left) or _is_text(right)
        case ast.BoolOp(values=values):
            return any(map(_is_text, values))
        case ast.IfExp(body=body, orelse=other):
            return _is_text(body) or _is_text(other)
    return False


# Codes that stand in a table or a variable before they become a notice.
CHOSEN = {"one_stick", "one_size", "swarms_are_animals", "one_range", "needs_its_number", "takes_no_number"}
# What the command that looks after a store prints, chosen by a variable.
CHOSEN |= {"store_version", "store_battles", "store_kept", "store_due"}
CHOSEN |= {"pruned", "would_prune", "backed_up", "restored"}


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
