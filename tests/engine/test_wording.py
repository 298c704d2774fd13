"""What screens call things stands in the text files, in both languages, and nowhere in Python."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

import oriflamme
from oriflamme.engine.sentences import LANGUAGES, Sentence, fields_of, parse
from oriflamme.engine.wording import Wording

SOURCE = Path(oriflamme.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
FILES = sorted(SOURCE.rglob("en/labels.toml"))
ACCENTS = frozenset("éèêëàâçùûüîïôöœæÉÈÊÀÂÇÙÛÎÔŒ«»")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def literals(tree: ast.Module) -> Iterator[ast.Constant]:
    """The texts of a module, its docstrings apart."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node


def test_no_french_stands_in_python() -> None:
    found = []
    for path in MODULES:
        french = [text for text in literals(tree_of(path)) if ACCENTS & set(text.value)]
        french += [text for node in ast.walk(tree_of(path)) for text in _in_french(node)]
        found += [f"{path.relative_to(SOURCE)}:{text.lineno}: {ast.unparse(text)}" for text in french]

    assert not found


def _in_french(node: ast.AST) -> Iterator[ast.expr]:
    """What a table written in Python says in French, unless it is the same in English, as the name of a game is."""
    if isinstance(node, ast.Dict):
        said = {key.value: value for key, value in zip(node.keys, node.values, strict=True) if _is_word(key)}
        french, english = said.get("fr"), said.get("en")
        same = english is not None and french is not None and ast.unparse(french) == ast.unparse(english)
        if isinstance(french, ast.Constant | ast.JoinedStr | ast.Tuple) and not same:
            yield french


def _is_word(key: ast.expr | None) -> TypeGuard[ast.Constant]:
    return isinstance(key, ast.Constant)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE).parent.parent))
def test_every_label_stands_in_both_languages_with_the_same_facts(path: Path) -> None:
    english, french = (
        tomllib.loads((path.parents[1] / lang / path.name).read_text(encoding="utf-8"))["label"] for lang in LANGUAGES
    )

    assert {chapter: list(labels) for chapter, labels in english.items()} == {
        chapter: list(labels) for chapter, labels in french.items()
    }
    for chapter, labels in english.items():
        for key, text in labels.items():
            other = french[chapter][key]
            assert text or text == other == "", (chapter, key)
            if isinstance(text, str):
                assert set(fields_of(parse(text))) == set(fields_of(parse(other))), (chapter, key)


def test_every_label_is_used_and_every_label_used_is_there() -> None:
    chapters = 0
    for path in MODULES:
        for chapter in _declared(path):
            chapters += 1
            labels = _file_beside(path, chapter)
            asked = {key for call in ast.walk(tree_of(path)) for key in _asked(call)}
            assert asked == set(labels), path.relative_to(SOURCE)
            for call in ast.walk(tree_of(path)):
                for key in _asked(call):
                    given = {word.arg for word in call.keywords} if isinstance(call, ast.Call) else set()
                    facts = Sentence(labels[key]).fields() if isinstance(labels[key], str) else set()
                    assert not given or given == facts, (path.relative_to(SOURCE), key)

    assert chapters >= 10


def _declared(path: Path) -> Iterator[str]:
    """The chapter a module calls `in_both`."""
    for node in tree_of(path).body:
        match node:
            case ast.AnnAssign(
                target=ast.Name(id="in_both"), value=ast.Call(args=[_, ast.Constant(value=str(chapter))])
            ):
                yield chapter


def _asked(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(
            func=ast.Name(id="in_both" | "numbered") | ast.Attribute(value=ast.Name(id="in_both")), args=[key]
        ):
            for one in ast.walk(key):
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def _file_beside(path: Path, chapter: str) -> dict[str, str | list[str]]:
    for folder in ("text", "texts"):
        file = path.parent / folder / "en" / "labels.toml"
        if file.exists():
            labels: dict[str, str | list[str]] = tomllib.loads(file.read_text(encoding="utf-8"))["label"][chapter]
            return labels
    raise AssertionError(path)


def test_a_label_is_told_with_its_facts_in_each_language(tmp_path: Path) -> None:
    for lang, text in (("en", "{who}: {dice|# die|# dice}"), ("fr", "{who} : {dice|# dé|# dés}")):
        (tmp_path / lang).mkdir()
        (tmp_path / lang / "labels.toml").write_text(f'[label.odds]\nthrow = "{text}"\n', encoding="utf-8")

    in_both = Wording(tmp_path, "odds")

    assert in_both("throw", who={"en": "Levy", "fr": "Milice"}, dice=2) == {
        "en": "Levy: 2 dice",
        "fr": "Milice : 2 dés",
    }
    assert in_both("throw") == {"en": "{who}: {dice|# die|# dice}", "fr": "{who} : {dice|# dé|# dés}"}
