"""Arrows of the import graph point one way, whether an import is at the top, in a function or for the type checker."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from oriflamme.games import ids

SOURCE = Path(__file__).parents[1] / "src" / "oriflamme"
# What each part of the program may know, itself aside: docs/architecture.md draws it.
MAY_KNOW = {
    "engine": set(),
    "bots": {"engine"},
    "drawing": {"engine"},
    "games": {"engine"},
    "lab": {"engine", "games", "bots"},
    "cases": {"engine", "games", "lab"},
    "research": {"engine", "games", "drawing", "lab"},
    "server": {"engine", "games", "bots", "drawing", "lab", "cases"},
    "cli": {"engine", "games", "bots", "drawing", "lab", "cases", "research", "server"},
}


def imported(module: tuple[str, ...], text: str, *, later: bool = True) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The modules that a module of ours imports, with the line, names that may be modules included; `later`: also
    those that its functions import when they are called."""
    package = module if module[-1] == "__init__" else module[:-1]
    tree = ast.parse(text)
    functions = [] if later else [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = {id(node) for made in functions for node in ast.walk(made)}
    for node in ast.walk(tree):
        if id(node) in inside:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, tuple(name.name.split("."))) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            base = (*start, *(node.module.split(".") if node.module else ()))
            yield from ((node.lineno, (*base, name.name)) for name in node.names)


def wrong_arrows(module: tuple[str, ...], text: str) -> list[str]:
    """The imports of a module that point backwards, or from one game into another."""
    wrong = []
    part = module[1]
    for line, target in imported(module, text):
        if target[0] != "oriflamme" or len(target) < 2 or target[1] not in MAY_KNOW:
            continue
        arrow = f"{'.'.join(module)}, line {line}: {'.'.join(target)}"
        if target[1] != part and target[1] not in MAY_KNOW[part]:
            wrong.append(f"{arrow}: {part} may not know {target[1]}")
        elif target[1] == "games" and len(target) > 2 and (SOURCE / "games" / target[2]).is_dir():
            own = part == "games" and len(module) > 2 and module[2] == target[2]
            if not own:
                wrong.append(f"{arrow}: only {target[2]} itself may know {target[2]}")
    return wrong


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] in MAY_KNOW)


def test_no_arrow_points_backwards() -> None:
    wrong = []
    for path in modules():
        module = ("oriflamme", *path.relative_to(SOURCE).with_suffix("").parts)
        wrong += wrong_arrows(module, path.read_text(encoding="utf-8"))
    assert not wrong, "\n".join(wrong)


def test_every_part_of_the_program_has_its_place() -> None:
    parts = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
    assert parts - {"maps"} == set(MAY_KNOW)


@pytest.mark.parametrize(
    ("module", "text", "wrong"),
    [
        ("engine.core.save", "def f():\n    from oriflamme.games import load", "engine may not know games"),
        ("engine.core.save", "from oriflamme import games", "engine may not know games"),
        ("engine.core.save", "from ... import games", "engine may not know games"),
        ("engine.core.save", "if TYPE_CHECKING:\n    import oriflamme.games.aof", "engine may not know games"),
        ("games.aof.scene", "from oriflamme.cases.runner import run", "games may not know cases"),
        ("games.aof.scene", "from oriflamme.games.sbh.state import Battle", "only sbh itself may know sbh"),
        ("games.aof.scene", "from oriflamme.games import sbh", "only sbh itself may know sbh"),
        ("cli.campaign", "from oriflamme.games.sbh.roster import cards", "only sbh itself may know sbh"),
        ("games.__init__", "from oriflamme.games import aof", "only aof itself may know aof"),
    ],
)
def test_an_arrow_that_points_backwards_is_noticed(module: str, text: str, wrong: str) -> None:
    (found,) = wrong_arrows(("oriflamme", *module.split(".")), text)
    assert wrong in found


def test_arrows_that_point_onwards_are_left_alone() -> None:
    text = (
        "from oriflamme.games import load\nfrom oriflamme.engine.core.play import Play\nfrom . import show\nimport os"
    )
    assert not wrong_arrows(("oriflamme", "cli", "campaign"), text)
    assert not wrong_arrows(("oriflamme", "games", "aof", "scene"), "from oriflamme.games.aof.state import Battle")


def arrows_within(part: str, *, later: bool = True) -> dict[str, set[str]]:
    """Which modules of a part ("engine", "games.aof") know which, at the top, for the type checker, and later."""
    known = {".".join(("oriflamme", *path.relative_to(SOURCE).with_suffix("").parts)): path for path in modules()}
    known = {name: path for name, path in known.items() if name.startswith(f"oriflamme.{part}.")}
    return arrows_between({name: path.read_text(encoding="utf-8") for name, path in known.items()}, later=later)


def arrows_between(texts: Mapping[str, str], *, later: bool = True) -> dict[str, set[str]]:
    """Which of these modules know which, by what they import."""
    plain = {name.removesuffix(".__init__") for name in texts}
    found: dict[str, set[str]] = {}
    for name, text in texts.items():
        targets = {".".join(target) for _, target in imported(tuple(name.split(".")), text, later=later)}
        named = {target if target in plain else target.rpartition(".")[0] for target in targets}
        found[name.removesuffix(".__init__")] = named & plain - {name.removesuffix(".__init__")}
    return found


def in_circles(arrows: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The modules that need one another, or one of those: whoever knows only what is left out already is left out too,
    and in a circle nobody ever is."""
    left = dict(arrows)
    while free := [name for name, to in left.items() if not to & left.keys()]:
        for name in free:
            del left[name]
    return {name: to & left.keys() for name, to in left.items()}


@pytest.mark.parametrize("game", ids())
def test_no_chapter_needs_one_that_needs_it_for_its_types_either(game: str) -> None:
    """Only `moments`, the list of all moments, names what each of them is about, which is described further up."""
    arrows = arrows_within(f"games.{game}", later=False)

    assert not in_circles({name: set() if name.endswith(".moments") else to for name, to in arrows.items()})


def test_no_module_of_the_engine_needs_one_that_needs_it_for_its_types_either() -> None:
    assert not in_circles(arrows_within("engine"))


@pytest.mark.parametrize(
    "back",
    [
        "from oriflamme.engine.core.play import Play",
        "from oriflamme.engine.core import play",
        "import oriflamme.engine.core.play",
        "from .play import Play",
        "if TYPE_CHECKING:\n    from oriflamme.engine.core.play import Play",
        "def f():\n    from oriflamme.engine.core.play import Play",
    ],
)
def test_a_circle_is_noticed_however_its_last_arrow_is_written(back: str) -> None:
    core = "oriflamme.engine.core"
    texts = {
        f"{core}.__init__": "",
        f"{core}.play": "from oriflamme.engine.core.game import Game",
        f"{core}.game": "from oriflamme.engine.core.bots import Bot",
        f"{core}.bots": back,
        f"{core}.dice": "import os",
    }

    assert in_circles(arrows_between(texts)).keys() == {f"{core}.play", f"{core}.game", f"{core}.bots"}


# Loads a game and begins a battle, then imports all its modules, and says which collections have grown.
KEPT = """
import importlib, json, pkgutil, sys
from oriflamme.games import load
from oriflamme.engine.core.steps import Steps

def kept():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(package) or name.startswith("oriflamme.engine"):
            for attribute, value in vars(module).items():
                if isinstance(value, Steps):
                    value = value.by_name
                if isinstance(value, (list, dict, set)) and not attribute.startswith("__"):
                    found[name + "." + attribute] = len(value)
    return found

game = load(sys.argv[1])
package = type(game).__module__.removesuffix(".game")
game.begin(game.setup(0), __import__("oriflamme.engine.core.dice").engine.core.dice.SeededDice(0))
before = kept()
for module in pkgutil.walk_packages(sys.modules[package].__path__, package + "."):
    importlib.import_module(module.name)
after = kept()
print(json.dumps({name: (number, after[name]) for name, number in before.items() if after[name] != number}))
"""


@pytest.mark.parametrize("game", ids())
def test_nothing_is_added_to_a_game_that_is_loaded(game: str) -> None:
    """Whatever chapters register is there once the game is loaded, whoever imports the rest of its modules later."""
    told = subprocess.run([sys.executable, "-c", KEPT, game], check=True, capture_output=True, text=True).stdout

    assert json.loads(told) == {}
