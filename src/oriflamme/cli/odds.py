"""`oriflamme odds`: its options are the conditions that games declare, and odds are printed as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Final, get_args

from typer import Argument, Option, Typer

from oriflamme.cli import show
from oriflamme.cli.app import AsJson, GameId, Lang, Language
from oriflamme.engine.odds import Answer, Odds, Table
from oriflamme.engine.odds.conditions import Field
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problems
from oriflamme.games import ids, load

# Options that are the same whatever the game.
OWN: Final = frozenset({"--charge", "--json", "--lang"})
# How many steps of "at least so many" are shown, and how rare the last of them is.
MOST_STEPS: Final = 10
RARE: Final = 0.005


def command(arguments: Sequence[str]) -> Typer:
    """The command with an option for each condition that the game declares, or any game if others are written."""
    named = [game for game in ids() if game in arguments]
    options = _options(named)
    known = {*OWN, *(flag for one in options for flag in _flags(one))}
    if any(word.startswith("-") and word.partition("=")[0] not in known for word in arguments):
        options = _options(ids())
    made = Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )
    made.command()(_asking(options))
    return made


def _options(games: Iterable[str]) -> list[Parameter]:
    found: dict[str, dict[str, Odds[Any, Any]]] = {}
    for game in games:
        odds = load(game).odds()
        for field in odds.fields():
            found.setdefault(field.key, {})[game] = odds
    return [_option(key, games) for key, games in found.items()]


def _option(key: str, games: Mapping[str, Odds[Any, Any]]) -> Parameter:
    """An option as `typer` reads it; a condition that means the same in several games is explained once."""
    fields = [field for odds in games.values() for field in odds.fields() if field.key == key]
    meanings: dict[str, list[str]] = {}
    for game, odds in games.items():
        meanings.setdefault(odds.meaning(key)["en"], []).append(game)
    flag = all(field.kind == "flag" for field in fields)
    names = [key, *dict.fromkeys(odds.conditions.short[key] for odds in games.values() if key in odds.conditions.short)]
    option = Option(
        *map(_flag, names),
        metavar=None if flag else key.upper() if any(field.choices for field in fields) else "N",
        help=" ".join(f"{meaning} [{', '.join(known)}]" for meaning, known in meanings.items()),
    )
    kind = Annotated[bool, option] if flag else Annotated[str | None, option]
    return Parameter(key, Parameter.KEYWORD_ONLY, default=False if flag else None, annotation=kind)


def _flags(option: Parameter) -> Iterable[str]:
    """How it is written."""
    # `typer` keeps the first of them as if it were a default.
    return (flag for made in get_args(option.annotation)[1:] for flag in (made.default, *made.param_decls))


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def _asking(options: list[Parameter]) -> Callable[..., None]:
    """The function behind the command: its own arguments, and those options."""

    def odds(
        game: GameId,
        attacker: Annotated[str, Argument(metavar="ATTACKER", help="A unit, such as stokers or stokers+banner.")],
        defender: Annotated[str, Argument(metavar="DEFENDER", help="A unit.")],
        charge: Annotated[bool, Option("--charge", help="Close combat: a charge, or an attack in contact.")] = False,
        as_json: AsJson = False,
        lang: Language = Lang.en,
        **given: Any,
    ) -> None:
        """The odds of an attack, and of what leads to it. Which circumstances count depends on the game.

        \b
        Examples:
          oriflamme odds aof crossbow_company stokers --distance 20 --cover
          oriflamme odds aof hired_lances wharf_pikes+banner --charge
          oriflamme odds sbh elf-archer orc-warrior --distance 100 --cover
          oriflamme odds sbh human-heavy-cavalry troll --charge --outnumbered 2
          oriflamme odds tlaok salt_knights+5 tide_pikes+6+standard --charge --distance 11
          oriflamme odds tlaok tide_abbot masked_axes
          oriflamme odds tlaok salt_knights+salt_constable huntmaster --duel
        """
        # What is not told is left to the game.
        data = {key: value for key, value in given.items() if value is not None and value is not False}
        show_odds(game, attacker, defender, data, charge=charge, as_json=as_json, lang=lang.value)

    *own, _ = signature(odds, eval_str=True).parameters.values()
    made = [*own[:4], *options, *own[4:]]
    odds.__signature__ = Signature([one.replace(kind=Parameter.KEYWORD_ONLY) for one in made])  # type: ignore[attr-defined]
    odds.__annotations__ = {one.name: one.annotation for one in made}
    return odds


def show_odds(
    game: str, attacker: str, defender: str, given: Mapping[str, Any], *, charge: bool, as_json: bool, lang: str
) -> None:
    """`oriflamme odds`"""
    odds = load(game).odds()
    fields = {field.key: field for field in odds.fields()}
    problems = Problems("odds")
    for key in sorted(given.keys() - fields.keys()):
        known = [one.replace("_", "-") for one in sorted(fields)]
        problems.add(_flag(key), notice("does_not_count", game=game), hint=notice("choose_from", choices=known))
    problems.raise_if_any()
    values = {key: _value(fields[key], written) for key, written in given.items()}
    answer = odds.between(attacker, defender, charge=charge, **values)
    if as_json:
        show.say_json(answer.data())
    else:
        print_answer(answer, lang)


def _value(field: Field, written: Any) -> Any:
    """What was written, as a number where one is meant; what is none stays as it is, and is refused by its reader."""
    try:
        match field.kind:
            case "whole":
                return int(written)
            case "number":
                return float(written)
    except ValueError:
        pass
    return written


def print_answer(answer: Answer, lang: str) -> None:
    """Odds as tables, the first of which says how they were found."""
    for number, table in enumerate(answer.tables):
        print_table(table, lang, method="" if number else answer.method_words()[lang])


def print_table(odds: Table, lang: str, *, method: str = "", label: Callable[[str], str] = str) -> None:
    """Print a table; `label` puts the key of an option into words."""
    head, *columns = odds.columns
    title = show.name_of(odds.title, lang) + (f" ({method})" if method else "")
    numbers = [number for number, column in enumerate(columns, 1) if column.get("as") != "at_least"]
    made = show.table(*(show.name_of(column, lang) for column in (head, *columns)), title=title, right=numbers)
    for first, *values in odds.rows:
        cells = [label(first) if isinstance(first, str) else show.name_of(first, lang)]
        cells += [_cell(value, column.get("as", "")) for column, value in zip(columns, values, strict=True)]
        made.add_row(*map(show.cell, cells))
    show.show_table(made)
    if odds.note:
        show.say(show.name_of(odds.note, lang), "dim")
        show.say("")


def _cell(value: Any, kind: str) -> str:
    match kind:
        case "number":
            return f"{value:.2f}"
        case "at_least":
            return _at_least(value)
    return f"{value:.1%}"


def _at_least(chances: Mapping[str, float]) -> str:
    """`1: 98%  2: 90%  …`: how likely so many or more are."""
    steps = [f"{number}: {chance:.0%}" for number, chance in chances.items() if chance >= RARE]
    return "  ".join(steps[:: -(-len(steps) // MOST_STEPS) or 1])
