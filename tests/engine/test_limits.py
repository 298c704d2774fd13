"""Texts that are far too large are refused before anybody parses them, in one pass and with a few counts."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oriflamme.engine.words import limits
from oriflamme.engine.words.limits import DEEPEST, MOST_TOML, MOST_TOML_VALUES, is_deep_json, json_excess, toml_excess
from oriflamme.engine.words.problems import Problems, parse_json, parse_toml

MONSTERS = {
    "a key of 99,000 parts": "a" + ".a" * 99_000 + " = 1",
    "a heading of 99,000 parts": "[a" + ".a" * 99_000 + "]",
    "a list of lists": "a = " + "[" * 99_000,
    "a table in a table": "a = " + "{ a = " * 30_000,
    "a little of each": "[a" + ".a" * 9 + "]\nb" + ".b" * 9 + " = [[{ c" + ".c" * 9 + " = [[1]] }]]",
    "very many keys": "\n".join(f"k{n} = 1" for n in range(MOST_TOML_VALUES + 1)),
    "very many entries": "a = [" + "1," * (MOST_TOML_VALUES + 1) + "]",
    "very many tables": "[[units]]\n" * (MOST_TOML_VALUES + 1),
    "very long": "# " + "x" * MOST_TOML,
}


@pytest.mark.parametrize("text", MONSTERS.values(), ids=MONSTERS)
def test_a_monster_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(tomllib, "loads", lambda text: pytest.fail("it was parsed"))

    with pytest.raises(Problems) as caught:
        parse_toml(text, "list")
    monkeypatch.undo()

    [problem] = caught.value
    assert problem.where.startswith("line ")
    assert str(problem.what).startswith(("nested", "more than", "longer than"))
    assert problem.in_words("fr") != problem.in_words("en")
    assert problem.hint


def test_a_monster_needs_hardly_any_memory(tmp_path: Path) -> None:
    """A process that may grow by 150 MB reads all of them; the first alone needs gigabytes when it is parsed."""
    (tmp_path / "monsters.json").write_text(json.dumps(list(MONSTERS.values())))
    program = """
import json, sys
from oriflamme.engine.words.problems import Problems, parse_toml
from oriflamme.server.workers import limit_memory

texts = json.load(open(sys.argv[1]))
limit_memory(150 * 2**20)
try:
    bytearray(200 * 2**20)
    print("there is no limit")
except MemoryError:
    pass
for text in texts:
    try:
        parse_toml(text, "list")
    except Problems:
        print("refused")
"""
    command = [sys.executable, "-c", program, str(tmp_path / "monsters.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["refused"] * len(MONSTERS)


def test_a_problem_says_where_it_becomes_too_much() -> None:
    with pytest.raises(Problems) as caught:
        parse_toml("points = 5\n[" + "a." * 40 + "a]", "list")

    assert str(caught.value).splitlines()[1].startswith("  line 2, column 67: nested more than 32 levels deep; ")


def levels(data: Any) -> int:
    """How deep tables and lists lie in one another."""
    if isinstance(data, Mapping):
        return 1 + max(map(levels, data.values()), default=0)
    return 1 + max(map(levels, data), default=0) if isinstance(data, list) else 0


PARTS = [
    "a", "b", ".", "=", "[", "]", "[[", "]]", "{", "}", ",", "\n", " ", "1", "1.5", '"', "'", '"""', "'''", "\\", "#",
    "a = [", "a = {", "[a.b]\n", "[[a]]\n", "b = 1\n", '"a.b"', "'a'", '"""x"""', '\\"', "# [[[\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_whatever_is_parsed_is_as_deep_as_it_was_measured(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    deepest = levels(data) - 1  # the file itself is no level
    with pytest.MonkeyPatch.context() as patch:
        # A list of tables counts once by its name, and is a list and a table.
        patch.setattr(limits, "DEEPEST", (deepest - 1) // 2)
        assert deepest < 1 or toml_excess(text) is not None
        # The point of a number may be taken for one of a key.
        patch.setattr(limits, "DEEPEST", deepest + 1)
        assert toml_excess(text) is None


leaves = st.integers() | st.text(max_size=5)
trees = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(trees, st.integers(0, 6))
def test_json_is_measured_exactly(data: Any, most: int) -> None:
    text = json.dumps(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "DEEPEST", most)
        assert (json_excess(text) is not None) == (levels(data) > most)
        assert is_deep_json(text.encode()) == (levels(data) > most)


@pytest.mark.parametrize("text", ["[" * 99_000, '{"a":' * 99_000, "[[],[]," + "[" * DEEPEST])
def test_deep_json_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(json, "loads", lambda text: pytest.fail("it was parsed"))

    with pytest.raises(Problems, match="nested more than"):
        parse_json(text, "list")
    assert is_deep_json(text.encode())


def test_a_string_that_never_ends_is_read_once() -> None:
    """Each of its quotes could begin another string that never ends."""
    text = '\\"' * 200_000

    assert toml_excess(f'a = "{text}') is None
    assert toml_excess(f'a = """{text}') is None
    assert json_excess(f'["{text}') is None
    assert not is_deep_json(f'["{text}'.encode() + b"]" * DEEPEST)


def test_everything_that_ships_is_far_within_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DEEPEST", DEEPEST // 2)
    monkeypatch.setattr(limits, "MOST_TOML_VALUES", MOST_TOML_VALUES // 4)
    root = Path(__file__).parents[2]
    files = [path for folder in ("src", "cases", "docs") for path in (root / folder).rglob("*.toml")]

    assert len(files) > 100
    assert not [path for path in files if toml_excess(path.read_text(encoding="utf-8"))]


@pytest.mark.slow
def test_the_command_line_refuses_monsters_too(tmp_path: Path) -> None:
    """In a process that may grow by 300 MB; the format is read before anything else is done with it."""
    monster = MONSTERS["a key of 99,000 parts"]
    for name in ("list.toml", "case.toml", "map.toml"):
        (tmp_path / name).write_text(f"points = 7\n{monster}")
    (tmp_path / "list.json").write_text("[" * 99_000)
    (tmp_path / "battle.save").write_text('{"format": "oriflamme-save", "setup": ' + "[" * 99_000)
    program = """
import sys
from oriflamme.cli import run
from oriflamme.server.workers import limit_memory

limit_memory(300 * 2**20)
sys.exit(run(sys.argv[1:]))
"""
    commands = (
        ("army", "check", "list.toml"), ("army", "check", "list.json"), ("army", "import", "list.json"),
        ("army", "import", "list.toml"), ("cases", "run", "case.toml"), ("map", "show", "map.toml"),
        ("replay", "battle.save", "--verify"), ("battle", "aof", "--lists", "list.toml,list.toml"),
        ("battle", "aof", "--map", "map.toml"),
    )  # fmt: skip
    for command in commands:
        line = [sys.executable, "-c", program, *(str(tmp_path / w) if (tmp_path / w).is_file() else w for w in command)]
        done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)
        said = done.stdout + done.stderr
        assert done.returncode != 0, command
        assert "Traceback" not in said, said
        assert "nested more than 32 levels deep" in said or "not JSON" in said, (command, said)
