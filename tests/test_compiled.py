"""Compiled, the program plays the very same battles: those of every game come to the same digests."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SOME = ("--battles", "1", "--json")


def hook() -> ModuleType:
    """The build hook, which is no module of the program."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def digests(source: Path) -> dict[tuple[str, str], str]:
    """What the program in that folder comes to."""
    command = [sys.executable, "-m", "tests.digest", *SOME]
    env = os.environ | {"PYTHONPATH": str(source)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    return {(line["game"], line["kind"]): line["digest"] for line in lines}


def beside(folder: Path) -> None:
    """What the program reads besides its source."""
    for name in ("docs", "cases"):
        (folder / name).symlink_to(ROOT / name)


@pytest.mark.parametrize(
    "groups",
    [
        pytest.param(("engine",), marks=pytest.mark.slow, id="the engine"),
        pytest.param((), marks=pytest.mark.exam, id="all"),
    ],
)
def test_compiled_battles_and_cases_are_the_same(tmp_path: Path, groups: tuple[str, ...]) -> None:
    """One test for both, since compiling takes long: the geometry of the engine alone a minute or two, all that wheels
    have ten. What is compiled is what runs."""
    build = hook()
    why_not = build._why_not_compiled()
    if why_not is not None:
        pytest.skip(why_not)
    built = [library.name for library in build.compiled(ROOT, tmp_path, groups)]
    source = tmp_path / "src"
    beside(tmp_path)

    assert any(name.startswith("paths.") for name in built)
    assert digests(source) == digests(ROOT / "src")
    command = [sys.executable, "-m", "oriflamme", "cases", "run", "cases"]
    env = os.environ | {"PYTHONPATH": str(source)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_modules_to_compile_exist() -> None:
    found = hook().groups(ROOT)

    assert set(found) >= {"engine"}
    assert all((ROOT / module).is_file() for modules in found.values() for module in modules)


def test_no_compiled_module_multiplies_a_sum_by_a_whole_number() -> None:
    """mypyc takes `8 * sum(lengths)` for a whole number, and what runs fails on lengths that are none: 8.0 is meant."""
    modules = [module for modules in hook().groups(ROOT).values() for module in modules]
    found = [
        f"{module}: {line.strip()}"
        for module in modules
        for line in (ROOT / module).read_text("utf-8").splitlines()
        if re.search(r"(?<![\w.])\d+ \* sum\(", line)
    ]

    assert found == []
