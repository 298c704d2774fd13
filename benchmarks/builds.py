"""The program as it is and as it is compiled, measured in one run: each build in a process of its own.

In a checkout that `make fast` has compiled, libraries lie beside the modules they were made of, and are what Python
imports. A process of the pure build passes over them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path


def is_compiled() -> bool:
    """There are compiled modules in this checkout."""
    return any(_root().rglob("*.so"))


def _root() -> Path:
    spec = find_spec("oriflamme")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def pass_over_libraries() -> None:
    """From now on this process imports modules of the program from their source."""
    root = str(_root())

    def finder(path: str) -> FileFinder:
        if not path.startswith(root):
            raise ImportError
        return FileFinder(path, (SourceFileLoader, SOURCE_SUFFIXES))

    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.clear()


class Build:
    """One build, in a process that measures one figure after the other."""

    def __init__(self, name: str) -> None:
        self.name = name
        prepare = pass_over_libraries if name == "pure" else None
        self._process = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=prepare)

    def measure(self, figure: Callable[[], float]) -> float:
        return self._process.submit(figure).result()

    def close(self) -> None:
        self._process.shutdown()


def builds() -> list[Build]:
    """The pure build, and the compiled one where there is one."""
    return [Build("pure"), *([Build("compiled")] if is_compiled() else [])]
