"""How many lines of each game are not rules: python tools/lines.py [REVISION ...]

A game is its rules and its data. Everything else it needs so that people can build armies, ask for odds, write cases,
look at the table or play against a bot is counted here, by what it is for. Without a revision the working tree is
counted, with several of them one column each.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

GAMES = "src/oriflamme/games"

# What a file is for, by the names of the file and of its folders below the game.
SERVICE: dict[str, tuple[str, ...]] = {
    "lists and prices": (
        *(
            "armies",
            "army",
            "army_forge",
            "army_limits",
            "band_limits",
            "bands",
            "building",
            "by_name",
            "cards",
            "desk",
            "fighters",
            "lists",
            "muster",
            "points",
            "random_bands",
            "reading",
            "roster",
            "rosters",
        ),
        *("roster", "tables", "wording"),
    ),
    "odds": ("advice", "forecast", "odds", "prospects"),
    "cases": ("army_scenes", "charge_scenes", "musters", "scene", "scene_words", "scenes", "strike_scenes"),
    "screen": ("aids", "looks", "names", "picture", "signs", "unit_card", "voice"),
    "bot": ("captain",),
    "checks": ("evidence", "invariants"),
}
# On paper or at the table: these are rules although a word of their path says otherwise.
RULES = ("army/cards.py", "keywords/fighters.py")


def files_of(revision: str | None) -> Iterator[tuple[str, int]]:
    """The Python files of the games and how many lines each has."""
    if revision is None:
        for path in sorted(Path(GAMES).rglob("*.py")):
            yield path.as_posix(), path.read_text(encoding="utf-8").count("\n")
        return
    names = _git("ls-tree", "-r", "--name-only", revision, GAMES).splitlines()
    for name in names:
        if name.endswith(".py"):
            yield name, _git("show", f"{revision}:{name}").count("\n")


def _git(*words: str) -> str:
    return subprocess.run(("git", *words), check=True, capture_output=True, text=True).stdout


def purpose_of(path: str) -> str:
    """What a file of a game is for: "rules", or one of `SERVICE`."""
    below = PurePosixPath(path).relative_to(GAMES).parts[1:]
    if "/".join(below) in RULES:
        return "rules"
    words = {PurePosixPath(part).stem for part in below}
    return next((purpose for purpose, names in SERVICE.items() if words & set(names)), "rules")


def count(revision: str | None) -> dict[tuple[str, str], int]:
    """Lines by game and purpose."""
    found: dict[tuple[str, str], int] = {}
    for path, lines in files_of(revision):
        parts = PurePosixPath(path).relative_to(GAMES).parts
        if len(parts) > 1:
            key = parts[0], purpose_of(path)
            found[key] = found.get(key, 0) + lines
    return found


def main() -> None:
    revisions: list[str | None] = [*sys.argv[1:]] or [None]
    counted = [count(revision) for revision in revisions]
    print(f"{'':27}" + "".join(f"{revision or 'here':>12}" for revision in revisions))
    for game in sorted({game for one in counted for game, _ in one}):
        for purpose in ("rules", *SERVICE):
            print(f"{game:7}{purpose:20}" + "".join(f"{one.get((game, purpose), 0):12}" for one in counted))
        rest = [sum(n for (g, what), n in one.items() if g == game and what != "rules") for one in counted]
        print(f"{game:7}{'not rules':20}" + "".join(f"{n:12}" for n in rest))


if __name__ == "__main__":
    main()
