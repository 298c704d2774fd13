"""`oriflamme balance`: the armies that ship meet, and it is told which of them are out of line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import cpu_count
from pathlib import Path
from typing import Any

import msgspec

from oriflamme.cli import show
from oriflamme.cli.phrases import words
from oriflamme.cli.progress import progress
from oriflamme.games import load
from oriflamme.lab.balance import HIGH, LOW, Fought, Plan, Stand, Table, Worth, about, bouts, current, play, table
from oriflamme.lab.journal import Journal


def balance(
    game_id: str,
    *,
    points: int,
    battles: int,
    seed: int,
    mirrors: int,
    workers: int,
    file: Path | None,
    as_json: bool,
    lang: str,
) -> None:
    """Play what is missing, and tell how they stand."""
    game, said = load(game_id), words(lang)["balance"]
    plan = Plan(game.id, points or min(game.sizes), battles, seed, mirrors)
    all_of_it = len(list(bouts(plan)))
    journal = Journal(file, about(plan), Fought) if file is not None else None
    known = current(plan, journal.read()) if journal is not None else []
    if known and not as_json:
        show.say(said["resumed"].format(number=len(known)), "dim")

    def play_all(add: Callable[[Fought], None]) -> None:
        with progress(said["progress"], all_of_it, len(known)) as note:
            for one in play(plan, tuple(known), workers or cpu_count() or 1):
                add(one)
                known.append(one)
                note()

    try:
        if journal is None:
            play_all(lambda one: None)
        else:
            with journal.adding() as add:
                play_all(add)
    except KeyboardInterrupt:
        stopped = said["stopped"].format(number=len(known), all=all_of_it)
        show.say(f"{stopped}; {said['goes_on']}" if journal is not None else stopped)
        raise
    made = table(plan, known)
    if as_json:
        show.say_json(msgspec.to_builtins(made))
        return
    _show(made, said, show.name_of(game.title, lang), lang)


def _show(made: Table, said: dict[str, str], title: str, lang: str) -> None:
    facts: dict[str, Any] = {"points": made.points, "battles": made.battles, "seed": made.seed}
    heading = said["armies"].format(game=title, **facts)
    _show_stands(heading, said["army"], made.armies, said, lang)
    if [one.name for one in made.lists] != [one.name for one in made.armies]:
        _show_stands(said["lists"], said["list"], made.lists, said, lang)
    _show_matrix(made, said)
    show.say(said["aim"].format(low=show.percent(LOW, lang), high=show.percent(HIGH, lang)))
    show.say(_worth(made.worth, said, lang))


def _show_stands(heading: str, column: str, stands: Sequence[Stand], said: dict[str, str], lang: str) -> None:
    columns = (column, *(said[key] for key in ("battles", "wins", "interval", "verdict", "price")))
    made = show.table(*columns, title=heading, right=(1, 2, 3, 5))
    for one in stands:
        bounds = said["to"].format(low=show.percent(one.low, lang), high=show.percent(one.high, lang))
        row = (one.name, one.battles, show.percent(one.rate, lang), bounds, said[one.verdict], _price(one, said, lang))
        made.add_row(*map(show.cell, row))
    show.show_table(made)


def _show_matrix(made: Table, said: dict[str, str]) -> None:
    """Who has won how many of how many; with many armies each column is a number."""
    names = [one.name for one in made.armies]
    short = len(names) > 6
    heads = [str(number) for number in range(1, len(names) + 1)] if short else names
    shown = show.table(said["army"], *heads, title=said["matrix"], right=range(1, len(names) + 1))
    for number, name in enumerate(names, 1):
        cells = [made.met.get(name, {}).get(other) for other in names]
        texts = ["" if cell is None else f"{cell[0]:g}/{cell[1]}" for cell in cells]
        shown.add_row(*map(show.cell, (f"{number} {name}" if short else name, *texts)))
    show.show_table(shown)


def _price(one: Stand, said: dict[str, str], lang: str) -> str:
    if one.price is None or one.price_low is None or one.price_high is None:
        return "–"
    middle, low, high = (show.percent(part, lang, sign=True) for part in (one.price, one.price_low, one.price_high))
    return said["change"].format(middle=middle, low=low, high=high)


def _worth(worth: Worth | None, said: dict[str, str], lang: str) -> str:
    if worth is None or worth.low <= 0:
        return said["worthless"].format(battles=worth.battles if worth is not None else 0)
    chance, low, high = (
        show.percent(1.1**power / (1 + 1.1**power), lang) for power in (worth.power, worth.low, worth.high)
    )
    return said["worth"].format(chance=chance, low=low, high=high, battles=worth.battles)
