"""Every example in the README, in the documents and in `--help` can be typed as it stands there."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from oriflamme.cli import run, show
from oriflamme.cli.app import app
from oriflamme.games import ids, load

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
COMMANDS: Any = typer.main.get_command(app)
# What is carried out here and now; the others are typed, and their own tests carry them out.
QUICK = {"rules show", "rules search", "army show", "army check", "odds", "points", "map show", "map generate",
         "map list", "options", "games", "saves", "cases words", "battle"}  # fmt: skip
# Of a game that docs/new-game.md builds, and that nobody has yet.
UNBUILT = "beacon"


def in_help(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    for name, below in getattr(command, "commands", {}).items():
        yield from in_help(below, (*path, name))
    for line in (command.help or "").splitlines():
        if line.startswith("  ") and line.strip().startswith("oriflamme "):
            yield re.split(r"\s{3,}", line.strip())[0], " ".join(("--help of", *path))


def in_pages() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for line in re.findall(r"^(?:    |\$ )?(oriflamme [a-z].*)$", text, re.MULTILINE):
            if "…" not in line and "..." not in line and not re.match(r"oriflamme \w+[,:;.]", line):
                yield re.sub(r"\$\([^)]*\)", "x", re.split(r"\s{3,}|\s+#", line)[0].strip()), page.name
        for line in re.findall(r"`(oriflamme [a-z][^`]*)`", text):
            # Not those that stand for several, or leave something to be filled in.
            named_only = line.removeprefix("oriflamme ") == leaf(line.split()[1:])
            if (
                not named_only
                and not re.search(r"[|…\[]", line)
                and not re.search(r" (?:[A-Z]+|--\w+)(?: --|$)| [A-Z]+ ", line)
            ):
                yield line, page.name


def leaf(words: list[str]) -> str:
    """The command, with the one below it if it has any."""
    below = getattr(COMMANDS.commands.get(words[0]), "commands", {})
    return f"{words[0]} {words[1]}" if below and len(words) > 1 else words[0]


EXAMPLES = {line: where for line, where in (*in_pages(), *in_help(COMMANDS)) if "COMMAND" not in line}


def test_there_are_examples_everywhere() -> None:
    assert len(EXAMPLES) > 100
    with_examples = {leaf(shlex.split(line)[1:]).split(" ")[0] for line in EXAMPLES}
    assert set(COMMANDS.commands) - with_examples == set()


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_can_be_typed(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands, options and their values are there; nothing is carried out."""
    typed: list[dict[str, Any]] = []
    invoke = click.Command.invoke

    def note(self: click.Command, context: click.Context) -> Any:
        return invoke(self, context) if hasattr(self, "commands") else typed.append(context.params)

    for kind in {type(command) for command in _all(COMMANDS)}:
        if not hasattr(kind, "list_commands"):
            monkeypatch.setattr(kind, "invoke", note)

    COMMANDS(shlex.split(line)[1:], prog_name="oriflamme", standalone_mode=False)

    assert typed, f"{EXAMPLES[line]}: {line}"
    (given,) = typed
    if given.get("game") in ids():
        game = load(given["game"])
        assert show.chosen_options(game, [*(given.get("option") or ()), *(given.get("versus") or ())]) is not None
        assert show.agreed(game, given.get("choice") or ()) is not None


def _all(command: Any) -> Iterator[Any]:
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from _all(below)


@pytest.mark.parametrize(
    "line", [one for one in EXAMPLES if leaf(shlex.split(one)[1:]) in QUICK and UNBUILT not in one.lower()]
)
def test_an_example_does_what_it_says(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("autumn.toml", "my_list.toml"):
        shutil.copy(load("aof").armies().reader.ready["drowned_parish_750_evensong"], tmp_path / name)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name, block in re.findall(r"```(?:toml|python)\n# (\w+\.(?:toml|py))\n(.*?)```", text, re.DOTALL):
            (tmp_path / name).write_text(block, encoding="utf-8")
    monkeypatch.setenv("ORIFLAMME_DATA", str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line)[1:]

    assert run([*words, "--bots", "random,random"] if words[0] == "battle" and "--bots" not in words else words) == 0


def lists_in_pages() -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The whole lists that stand in the documents: a game and its entries."""
    for page in PAGES:
        for number, block in enumerate(re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)):
            try:
                data = tomllib.loads(block)
            except tomllib.TOMLDecodeError:
                continue
            if data.get("game") in ids() and {"units", "fighters", "warbands"} & set(data) and "points" in data:
                yield page.name, number, data


@pytest.mark.parametrize(("page", "number", "data"), list(lists_in_pages()))
def test_a_list_in_a_document_is_legal(page: str, number: int, data: dict[str, Any]) -> None:
    reader = load(data["game"]).armies().reader

    reader.check(data, f"{page}, list {number + 1}", folder=ROOT / "docs")


def test_the_authoring_guide_has_a_list_of_every_game() -> None:
    assert {data["game"] for page, _, data in lists_in_pages() if page == "authoring.md"} == set(ids())
