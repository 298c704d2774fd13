"""What is installed carries the pages of the table, and needs no Node for it."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def build(root: Path, target: str, out: Path, **env: str) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    subprocess.run(command, cwd=root, env=os.environ | env, check=True, capture_output=True, timeout=120)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "src/oriflamme/server/static/index.html").exists():
        pytest.skip("the pages are not built: make web")
    return build(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


def test_a_wheel_from_the_sdist_carries_the_pages_and_needs_no_node(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    assert (source / "web/src/App.svelte").exists()
    assert not (source / "web/node_modules").exists()

    wheel = build(source, "wheel", tmp_path / "wheel", PATH="")

    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        page = packed.read("oriflamme/server/static/index.html").decode()
    scripts = [name for name in names if name.startswith("oriflamme/server/static/assets/") and name.endswith(".js")]
    assert any(f"/assets/{Path(name).name}" in page for name in scripts)
    assert {"oriflamme/reference/aof.md", "oriflamme/reference/fr/aof.toml"} <= names


def test_without_pages_and_without_node_the_build_says_what_to_do(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    (source / "src/oriflamme/server/static/index.html").unlink()

    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "wheel")]
    done = subprocess.run(
        command, cwd=source, env=os.environ | {"PATH": ""}, capture_output=True, text=True, timeout=120, check=False
    )

    assert done.returncode != 0
    assert "make web" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
