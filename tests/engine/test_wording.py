"""What screens call things stands in the text files, in both languages, and nowhere in Python."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

import oriflamme
from oriflamme.engine.words.sentences import LANGUAGES, Sentence, fields_of, parse
from oriflamme.engine.words.wording import Wording

SOURCE = Path(oriflamme.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
FILES = sorted(SOURCE.rglob("en/labels.toml"))
# What somebody says of an edge who looks at it from one side of the table; from the other side it is not so.
AS_SEEN = re.compile(
    r"\b(?:near|far|left|right) (?:left |right )?(?:edge|corner|half|territory|breach)\b|\((?:near|far|left|right)\)"
    r"|\b(?:bord|coin|moitié|territoire|brèche) (?:proche|lointaine?|éloignée?|(?:de )?gauche|(?:de )?droite?)\b"
    r"|\((?:proche|éloigné|gauche|droite)\)"
)
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


def test_edges_are_called_the_same_from_wherever_one_looks() -> None:
    told = [*SOURCE.glob("games/*/text/**/*.toml"), *SOURCE.glob("engine/words/**/*.toml")]
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line}"
        for path in told
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if AS_SEEN.search(line)
    ]

    assert len(told) > 60
    assert not found


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
    chapters = sorted({(owner, chapter) for path in MODULES for owner, _, chapter in _declared(path)})
    for owner, chapter in chapters:
        labels = tomllib.loads((owner / "en" / "labels.toml").read_text(encoding="utf-8"))["label"][chapter]
        used: set[str] = set()
        for path in MODULES:
            names = {name for where, name, which in _known(path) if (where, which) == (owner, chapter)}
            for call in ast.walk(tree_of(path)) if names else ():
                for key in _asked(call, names):
                    place = (path.relative_to(SOURCE), key)
                    assert key is None or key in labels, place
                    # A key that is not written there stands in some table of the same game.
                    used |= (
                        {key}
                        if key is not None
                        else _texts_below(SOURCE / "engine" if "engine" in owner.parts else owner.parent)
                    )
                    given = {word.arg for word in call.keywords} if isinstance(call, ast.Call) else set()
                    facts = Sentence(labels[key]).fields() if isinstance(labels.get(key), str) else set()
                    assert not given or key is None or given == facts, place
            if names and _takes_all(path, names):
                used |= set(labels)

        assert set(labels) <= used, (owner.relative_to(SOURCE), chapter, sorted(set(labels) - used))

    assert len(chapters) >= 20


@cache
def _texts_below(folder: Path) -> set[str]:
    return {text.value for path in MODULES if folder in path.parents for text in literals(tree_of(path))}


@cache
def _declared(path: Path) -> list[tuple[Path, str, str]]:
    """The chapters of labels that a module has: the folder of their file, what the module calls them, the chapter."""
    return list(_made(path)) if "Wording(" in path.read_text(encoding="utf-8") else []


def _made(path: Path) -> Iterator[tuple[Path, str, str]]:
    for node in ast.walk(tree_of(path)):
        match node:
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=value)
                | ast.Assign(targets=[ast.Name(id=name)], value=value)
            ):
                for made in ast.walk(value) if value is not None else ():
                    match made:
                        case ast.Call(func=ast.Name(id="Wording"), args=[_, ast.Constant(value=str(chapter))]):
                            yield _owner(path, chapter), name, chapter


@cache
def _known(path: Path) -> list[tuple[Path, str, str]]:
    """Those of a module itself, and those it takes from another one."""
    return [*_declared(path), *_taken(path)]


def _taken(path: Path) -> Iterator[tuple[Path, str, str]]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("oriflamme."):
            source = SOURCE.joinpath(*node.module.split(".")[1:]).with_suffix(".py")
            taken = {name.name: name.asname or name.name for name in node.names}
            if source.exists() and source != path:
                yield from ((o, taken[n], c) for o, n, c in _declared(source) if n in taken)


def _asked(node: ast.AST, names: set[str]) -> Iterator[str | None]:
    """The keys that are asked of labels known by these names; None for one that is not written there."""
    match node:
        case ast.Call(func=func, args=[key, *_]):
            match func:
                case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name), attr="forms" | "__call__"):
                    asked = name in names
                case ast.Attribute(value=ast.Name(id="self"), attr=name):
                    asked = name in names
                case _:
                    asked = False
            if asked:
                yield from _keys(key)


def _keys(node: ast.expr) -> Iterator[str | None]:
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp(body=body, orelse=other):
            yield from (*_keys(body), *_keys(other))
        case _:
            yield None


def _takes_all(path: Path, names: set[str]) -> bool:
    """Whether a module shows a whole chapter, or hands it on: labels used otherwise than by asking for one."""
    tree = tree_of(path)
    asked = {id(call.func) for call in ast.walk(tree) if isinstance(call, ast.Call)}
    asked |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "forms"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load) and id(node) not in asked:
            return True
        if isinstance(node, ast.Attribute) and node.attr == "all" and isinstance(node.value, ast.Call):
            return True
        if isinstance(node, ast.ClassDef) and any(
            isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and line.targets[0].id in names
            for line in node.body
        ):
            return True
    return False


def _owner(path: Path, chapter: str) -> Path:
    """The folder of the labels that a module reads: its own, or that of the nearest folder above it that has some."""
    for above in path.parents:
        for folder in ("text", "texts", "words/texts"):
            file = above / folder / "en" / "labels.toml"
            if file.exists() and chapter in tomllib.loads(file.read_text(encoding="utf-8"))["label"]:
                return above / folder
    raise AssertionError((path, chapter))


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
