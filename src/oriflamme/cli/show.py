"""How things look in a terminal: lines with their rule, tables, JSON."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from oriflamme.engine.words.numbers import decimal as decimal
from oriflamme.engine.words.numbers import percent as percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from oriflamme.engine.core.events import Event
    from oriflamme.engine.core.rulebook import Rulebook
    from oriflamme.engine.words.text import Line, Voice

WIDE = 160  # where nobody sets a limit
LEAST_WIDE, MOST_WIDE = 40, 1000
# The sides as the table shows them.
SIDES = ("bright_blue", "bright_red", "bright_yellow", "bright_magenta")
NOBODYS = "bright_white"


@cache
def console() -> Console:
    """Where everything is printed. Nothing printed is taken for markup."""
    from rich.console import Console

    # In a terminal lines break between words; elsewhere a line stays a line, and tables take the room they are given.
    terminal = sys.stdout.isatty()
    wide = None if terminal else told_width() or WIDE
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=not terminal, width=wide)


def told_width() -> int:
    """How wide the one who reads wants it (COLUMNS); 0 if he does not say."""
    told = os.environ.get("COLUMNS", "")
    return min(int(told), MOST_WIDE) if told.isascii() and told.isdecimal() and int(told[:9]) >= LEAST_WIDE else 0


def width() -> int:
    """How wide the terminal is."""
    return shutil.get_terminal_size((100, 24)).columns


def table_width() -> int:
    """How wide a table is drawn, so that all of it and the question below can be seen."""
    if not sys.stdout.isatty():
        return min(told_width() or 100, 120)
    size = shutil.get_terminal_size((100, 40))
    return min(size.columns, 120, max(64, 2 * (size.lines - 12)))


def has_colour() -> bool:
    return console().color_system is not None and not console().no_color


def is_terminal() -> bool:
    """A person sits there, at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def say(text: str | Text = "", style: str | None = None) -> None:
    console().print(text, style=style)


def say_json(data: Any) -> None:
    """Plain data as JSON, readable by people too."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")


def side_style(side: int | None, players: int = len(SIDES)) -> str:
    """The colour of a side; the first so many are played, the others are nobody's."""
    if side is None:
        return ""
    return SIDES[side] if side < min(players, len(SIDES)) else NOBODYS


def text_of(line: Line, indent: str = "", *, bold: bool = False, players: int = len(SIDES)) -> Text:
    """A sentence with names in the colour of their side, and its rule at the end."""
    from rich.text import Text

    text = Text(indent, style="bold" if bold else "")
    for span in line.spans:
        match span.kind:
            case "unit" | "figure" | "side":
                text.append(span.text, side_style(span.side, players))
            case "dice":
                text.append(span.text, "dim")
            case _:
                text.append(span.text)
    if line.rule:
        text.append(f"  {line.rule}", "not bold dim")
    return text


def log_lines(game: Rulebook, voice: Voice, events: Iterable[Event], *, everything: bool = False) -> list[Text]:
    """Events in words: what follows a headline is indented below it."""
    lines: list[Text] = []
    for event in events:
        if event.name in game.asides and not everything:
            continue
        head = event.name in game.headlines
        lines.append(text_of(voice.event(event), "" if head else "  ", bold=head, players=voice.names.players))
    return lines


def table(*columns: str, title: str = "", right: Sequence[int] = ()) -> Table:
    """A table with these columns; those counted in `right` hold numbers."""
    from rich import box
    from rich.table import Table

    made = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", pad_edge=False)
    for number, column in enumerate(columns):
        made.add_column(column, justify="right" if number in right else "left")
    return made


def show_table(made: Table) -> None:
    """Print a table."""
    console().print(made, soft_wrap=False)


def cell(value: object, style: str = "") -> Text:
    """Text for a cell, whatever is in it."""
    from rich.text import Text

    return Text(str(value), style=style)


def name_of(names: Mapping[str, str], lang: str) -> str:
    return names.get(lang) or names.get("en") or next(iter(names.values()), "")


def drawn_seed() -> int:
    """A seed by lot, short enough to be typed again."""
    return random.SystemRandom().randrange(1_000_000)


def write_text(path: Path, text: str) -> None:
    """Write a file at once or not at all."""
    from oriflamme.engine.core.save import write_whole

    write_whole(path, text.encode())


def chosen_options(game: Rulebook, given: Iterable[str], of: str = "--option") -> dict[str, str]:
    """House rules from KEY=VALUE; the game's id before the key may be left out. Raises Problems with every mistake."""
    from oriflamme.engine.words.notices import notice, quoted
    from oriflamme.engine.words.problems import Problems, did_you_mean

    problems = Problems(of)
    chosen: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        key = key.strip() if key.strip() in game.options else f"{game.id}.{key.strip()}"
        value = value.strip()
        if not equals:
            problems.add(quoted(text), notice("expected_key_value"))
        elif key not in game.options:
            short = [known.removeprefix(f"{game.id}.") for known in game.options]
            problems.add(key, notice("no_such_house_rule"), hint=did_you_mean(key.removeprefix(f"{game.id}."), short))
        elif value not in game.options[key].values:
            rule = game.options[key]
            hint = did_you_mean(value, rule.values) or notice("choose_from", choices=list(rule.values))
            problems.add(key, notice("cannot_be", value=value), rule.rule, hint)
        else:
            chosen[key] = value
    problems.raise_if_any()
    return chosen


def agreed(game: Rulebook, given: Iterable[str]) -> dict[str, str]:
    """What players have agreed on besides, from KEY=VALUE. Raises Problems with every mistake."""
    from oriflamme.engine.words.notices import notice, quoted
    from oriflamme.engine.words.problems import Problems, did_you_mean

    problems = Problems("--set")
    made: dict[str, str] = {}
    for text in given:
        key, equals, value = (part.strip() for part in text.partition("="))
        values = game.choices.get(key, ())
        if not equals:
            problems.add(quoted(text), notice("expected_key_value"))
        elif not game.choices:
            problems.add(key, notice("nothing_to_set", game=game.id), hint=notice("option_for_house_rules"))
        elif not values:
            hint = did_you_mean(key, game.choices) or notice("choose_from", choices=list(game.choices))
            problems.add(key, notice("no_such_choice", game=game.id), hint=hint)
        elif value not in values:
            hint = did_you_mean(value, values) or notice("choose_from", choices=list(values))
            problems.add(key, notice("cannot_be", value=value), hint=hint)
        else:
            made[key] = value
    problems.raise_if_any()
    return made


def parts(text: str) -> tuple[str, ...]:
    """What stands between commas, those in brackets aside."""
    made, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            made.append("")
        else:
            made[-1] += letter
    return tuple(part.strip() for part in made) if text.strip() else ()
