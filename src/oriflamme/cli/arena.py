"""`oriflamme arena`: bots of a game meet until each two have met so often, and get their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oriflamme.cli import show
from oriflamme.cli.phrases import words
from oriflamme.cli.progress import progress
from oriflamme.games import load
from oriflamme.lab.ladder import Met, Rating, add, check, meetings, ratings, read, shares


def arena(
    game_id: str, file: Path, *, battles: int, bots: str, seed: int, points: int, as_json: bool, lang: str
) -> None:
    """Play what is missing, and tell how they stand."""
    game = load(game_id)
    named = show.parts(bots) or tuple(game.bots())
    known = read(file, game_id)
    if battles:
        check(game_id, named)
        missing = number_missing(known, named, battles)
        with progress(words(lang)["arena"]["battles"], missing) as note:
            add(file, meetings(game_id, named, battles, known, seed, points), lambda met: note())
        known = read(file, game_id)
    found = ratings(known)
    if as_json:
        show.say_json(_data(game_id, found, known))
        return
    said = words(lang)["arena"]
    if not found:
        show.say(said["nobody"])
        return
    made = show.table(said["bot"], said["rating"], said["within"], said["battles"], said["won"], right=(1, 2, 3, 4))
    for one in found:
        made.add_row(
            one.bot,
            f"{one.rating:.0f}",
            f"± {one.within:.0f}",
            str(one.battles),
            show.percent(one.wins / one.battles, lang),
        )
    show.show_table(made)


def number_missing(known: Sequence[Met], bots: Sequence[str], battles: int) -> int:
    """How many battles are still to be played."""
    met = shares(known)
    pairs = [(one, other) for n, one in enumerate(bots) for other in bots[n + 1 :]]
    return sum(max(0, battles - met.get(pair, (0.0, 0))[1]) for pair in pairs)


def _data(game: str, found: Sequence[Rating], known: Sequence[Met]) -> dict[str, Any]:
    return {
        "game": game,
        "ratings": [
            {"bot": r.bot, "rating": r.rating, "within": r.within, "battles": r.battles, "wins": r.wins} for r in found
        ],
        "met": [
            {"bots": list(pair), "wins": wins, "battles": of} for pair, (wins, of) in sorted(shares(known).items())
        ],
    }
