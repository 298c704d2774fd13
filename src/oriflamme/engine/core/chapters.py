"""What the chapters of a game declare where they describe it: special rules, actions and the like.

A declaration takes effect when its module is imported, so a module that nobody imports would be missing without a word.
Therefore a game names the chapters that declare something, once: that list is compared with who really did, and from
then on nothing is added.
"""

from __future__ import annotations

from types import ModuleType


class Chapters:
    """The modules that declare things of one kind, and whether they are all there."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.complete = False
        self._declaring: set[str] = set()

    def declare(self, name: str, module: str) -> None:
        """Something of that name is declared by a module."""
        if self.complete:
            raise TypeError(f"{name}: the {self.what} of this game are complete")
        self._declaring.add(module)

    def close(self, *chapters: ModuleType) -> None:
        """These modules declare all there is; without any, what is declared by now is all."""
        listed = {chapter.__name__ for chapter in chapters} or self._declaring
        for module in sorted(self._declaring - listed):
            raise TypeError(f"{module}: declares {self.what}, and is not named among the modules that do")
        for module in sorted(listed - self._declaring):
            raise TypeError(f"{module}: declares no {self.what}")
        self.complete = True
