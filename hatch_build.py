"""What is installed: the built pages of the table, and the hot modules compiled by mypyc where there is a C compiler.

As a build hook it puts both into a wheel; an editable checkout stays as it is. `make fast` compiles a checkout in place
(python hatch_build.py), `make pure` takes that back. Which modules are compiled is said in pyproject.toml.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What the compiler is run by, in a folder of its own: it wants no pyproject.toml beside it.
SETUP = """
from multiprocessing.pool import ThreadPool
from os import cpu_count
from pathlib import Path
from mypyc.build import mypycify
from setuptools import setup
from setuptools.command.build_ext import build_ext


class Build(build_ext):
    def build_extension(self, extension):
        # One file after the other is how it would be compiled: as many at a time as there are cores.
        def compiled(source):
            [made] = self.compiler.compile(
                [source],
                output_dir=self.build_temp,
                include_dirs=extension.include_dirs,
                extra_postargs=extension.extra_compile_args,
            )
            return made

        with ThreadPool(cpu_count()) as pool:
            extension.extra_objects = pool.map(compiled, extension.sources, chunksize=1)
        extension.sources = []
        super().build_extension(extension)


# One library for all of them: files of separate ones cannot refer to each other (each would define the other's table).
extensions = mypycify(
    ["--strict", "--no-error-summary", *Path("modules").read_text().split()],
    opt_level="1",  # twice is no faster in play, and takes twice as long
    debug_level="0",
    multi_file=True,
    group_name="oriflamme",
)
for extension in extensions:
    # the same last digit on every machine
    extension.extra_compile_args = [*extension.extra_compile_args, "-ffp-contract=off"]
setup(
    name="oriflamme", packages=[], package_dir={"": "src"}, ext_modules=extensions, cmdclass={"build_ext": Build}
)
"""


class Build(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        if not (root / "src/oriflamme/server/static/index.html").exists():
            _build_pages(root)
        if self.target_name == "wheel" and _why_not_compiled() is None:
            self._folder = tempfile.TemporaryDirectory()
            for built in compiled(root, Path(self._folder.name)):
                build_data["force_include"][str(built)] = str(built.relative_to(Path(self._folder.name) / "src"))
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _build_pages(root: Path) -> None:
    for command in (["npm", "ci", "--loglevel=error"], ["npm", "run", "--silent", "build"]):
        try:
            subprocess.run(command, cwd=root / "web", check=True)
        except FileNotFoundError:
            raise SystemExit(
                "The pages of the table are not built, and there is no Node to build them: make web"
            ) from None


# -- compiling ---------------------------------------------------------------------------------------------------------


def _why_not_compiled() -> str | None:
    """What keeps modules from being compiled here."""
    if os.environ.get("ORIFLAMME_PURE"):
        return "ORIFLAMME_PURE is set"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    for module in ("mypyc", "setuptools"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed"
    return None


def groups(root: Path) -> dict[str, list[str]]:
    """The modules to compile, by the part of the program they belong to."""
    wanted: dict[str, list[str]] = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["oriflamme"]["compiled"]
    source = root / "src"
    found: dict[str, list[str]] = {}
    for name, patterns in wanted.items():
        files = [file for pattern in patterns for file in sorted((source / "oriflamme").glob(pattern))]
        if not files or not all(files):
            raise SystemExit(f"pyproject.toml: tool.oriflamme.compiled.{name}: no such modules")
        found[name] = [f"src/{file.relative_to(source).as_posix()}" for file in files if file.name != "__init__.py"]
    return found


def compiled(root: Path, folder: Path, only: tuple[str, ...] = ()) -> Iterator[Path]:
    """Compile a copy of the program in `folder`, all groups or only these; the libraries that came of it."""
    shutil.copytree(root / "src", folder / "src", ignore=shutil.ignore_patterns("*.so", "__pycache__", "static"))
    (folder / "setup.py").write_text(SETUP)
    chosen = {name: files for name, files in groups(root).items() if not only or name in only}
    modules = [file for files in chosen.values() for file in files]
    (folder / "modules").write_text("\n".join(modules))
    # modules that are only imported by these may import what is not installed here: `make types` checks them
    (folder / "mypy.ini").write_text("[mypy]\nmypy_path = src\nfollow_imports = silent\n")
    _run(folder, len(modules))
    return (folder / "src").rglob("*.so")


def _run(folder: Path, modules: int) -> None:
    """Run the compiler, and say how far it is."""
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    shown = sys.stderr.isatty()
    said: list[str] = []
    done = 0
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    assert process.stdout is not None
    print(f"compiling: checking the types of {modules} modules takes a minute", file=sys.stderr, flush=True)
    for line in process.stdout:
        said.append(line)
        if "-c build/__native_" in line:
            done = min(done + 1, modules)
            print(f"\rcompiling: {done} of {modules} modules", end="" if shown else "\n", file=sys.stderr, flush=True)
    if shown:
        print(file=sys.stderr)
    if process.wait():
        raise SystemExit("The modules could not be compiled:\n" + "".join(said[-30:]))


def _compile_in_place(only: tuple[str, ...]) -> None:
    root = Path(__file__).parent
    why_not = _why_not_compiled()
    if why_not is not None:
        raise SystemExit(f"Nothing was compiled: {why_not}. The program runs as it is, only slower.")
    with tempfile.TemporaryDirectory() as folder:
        for built in list(compiled(root, Path(folder), only)):
            shutil.copy2(built, root / built.relative_to(folder))
    print("compiled; `make pure` takes it back, and after a change `make fast` compiles anew", file=sys.stderr)


if __name__ == "__main__":
    _compile_in_place(tuple(sys.argv[1:]))
