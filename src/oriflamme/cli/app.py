"""The commands and their options. Each one imports what it needs when it is called."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option, Typer, echo

from oriflamme.cli import speak

app = Typer(
    name="oriflamme",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _group(name: str, help: str) -> Typer:
    group = Typer(name=name, help=help, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name=name)
    return group


class LogLevel(StrEnum):
    """What a server logs."""

    error = "error"
    warning = "warning"
    info = "info"


class Lang(StrEnum):
    """The languages we speak."""

    en = "en"
    fr = "fr"


def _spoken(lang: Lang) -> Lang:
    """What is wrong is said in the language that is asked for, too."""
    speak(lang.value)
    return lang


GameId = Annotated[str, Argument(metavar="GAME", help="The game, such as aof; `oriflamme games` lists them.")]
OneGame = Annotated[str, Option("--game", metavar="GAME", help="The game; needed only where several could be meant.")]
Bots = Annotated[
    str, Option("--bots", metavar="A,B,…", help="Who plays, side by side; the best bot everywhere if not given.")
]
Workers = Annotated[
    int,
    Option("--workers", metavar="N", help="Processes to share the work; 0 for one per processor.", min=0, max=512),
]
AsJson = Annotated[bool, Option("--json", help="Print JSON, for programs.")]
Language = Annotated[
    Lang,
    Option("--lang", envvar="ORIFLAMME_LANG", help="Language of the sentences.", show_envvar=True, callback=_spoken),
]
Seed = Annotated[int | None, Option("--seed", metavar="N", help="Same seed, same battle; drawn by lot if not given.")]
Points = Annotated[
    int | None,
    Option("--points", metavar="N", help="Size of the armies; the game's usual one if not given.", min=1, max=100_000),
]
Lists = Annotated[str, Option("--lists", metavar="A,B", help="The lists: ids of ready-made ones, or files.")]
MapName = Annotated[str, Option("--map", metavar="MAP", help="A map that ships, generated_SEED, or a file.")]
HouseRules = Annotated[
    list[str] | None, Option("--option", metavar="KEY=VALUE", help="A house rule; may be given several times.")
]
Choices = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="KEY=VALUE",
        help="What players agree on besides, such as scenario=ambush; `oriflamme games` lists it. May be repeated.",
    ),
]
Svg = Annotated[Path | None, Option("--svg", metavar="FILE", help="Draw the table into this file.")]
Recover = Annotated[bool, Option("--recover", help="Take a damaged save as far as it is whole.")]


def _version(wanted: bool) -> None:
    if wanted:
        from oriflamme import __version__

        echo(f"oriflamme {__version__}")
        raise Exit()


@app.callback()
def oriflamme(
    version: Annotated[bool, Option("--version", help="Print the version.", callback=_version, is_eager=True)] = False,
) -> None:
    """Play fantasy miniature wargames with every rule enforced, explained and counted.

    \b
    Try:
      oriflamme play aof                      a battle against a bot, in this terminal
      oriflamme play sbh                      a skirmish of single fighters
      oriflamme battle aof --seed 7 --log     two bots fight, told line by line
      oriflamme rules search charge           what the rules say
      oriflamme COMMAND --help                more about a command, with examples
    """


@app.command()
def games(as_json: AsJson = False, lang: Language = Lang.en) -> None:
    """The games there are."""
    from oriflamme.cli import library

    library.show_games(as_json, lang.value)


@app.command()
def options(game: GameId, as_json: AsJson = False, lang: Language = Lang.en) -> None:
    """The house rules of a game, and what else players agree on before a battle.

    \b
    Examples:
      oriflamme options aof
      oriflamme options lfw --lang fr
    """
    from oriflamme.cli import agreeing

    agreeing.show_options(game, as_json, lang.value)


@app.command()
def saves(
    folder: Annotated[
        Path | None,
        Argument(metavar="[FOLDER]", help="Where to look; where battles are kept as you play."),
    ] = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """The battles that are saved, the last one first.

    \b
    Examples:
      oriflamme saves
      oriflamme saves .
    """
    from oriflamme.cli import keeping

    keeping.show_saves(folder, as_json, lang.value)


@app.command()
def play(
    game: GameId = "aof",
    bot: Annotated[
        str, Option("--bot", metavar="NAME", help="Who plays against you; the best bot there is if not given.")
    ] = "",
    side: Annotated[str, Option("--side", metavar="a|b|…", help="Which side you play: a, b and so on.")] = "a",
    hotseat: Annotated[bool, Option("--hotseat", help="Only people, at one keyboard, no bot.")] = False,
    seats: Annotated[
        str, Option("--seats", metavar="A,B,…", help="Who plays, side by side: human, or the name of a bot.")
    ] = "",
    seed: Seed = None,
    points: Points = None,
    lists: Lists = "",
    map_name: MapName = "",
    option: HouseRules = None,
    choice: Choices = None,
    carry_on: Annotated[
        Path | None, Option("--continue", metavar="FILE", help="Go on with a battle that was saved.")
    ] = None,
    recover: Recover = False,
    first: Annotated[bool, Option("--first", help="Your first battle: small, deployed already, with hints.")] = False,
    first_file: Annotated[
        Path | None, Option("--first-file", metavar="FILE", help="A first battle that somebody has written.")
    ] = None,
    lang: Language = Lang.en,
) -> None:
    """Play a battle in the terminal: pick by number or name, see the table, ask why, odds, rules; undo and save.

    \b
    Examples:
      oriflamme play aof
      oriflamme play aof --first
      oriflamme play aof --points 1500 --map village --bot captain
      oriflamme play aof --lists kiln_clans_750_red_hot,my_list.toml
      oriflamme play aof --hotseat --lang fr
      oriflamme play aof --seats captain,human
      oriflamme play sbh --set scenario=ambush --set board=hex
      oriflamme play --continue battle.save
    """
    from oriflamme.cli import table

    table.play(
        game, bot=bot, side=side, hotseat=hotseat, seats=seats, seed=seed, points=points or 0, lists=lists,
        map_name=map_name, options=option or [], choices=choice or [], carry_on=carry_on, recover=recover,
        first=first, first_file=first_file, lang=lang.value,
    )  # fmt: skip


@app.command()
def battle(
    game: GameId,
    seed: Seed = None,
    bots: Bots = "",
    points: Points = None,
    lists: Lists = "",
    map_name: MapName = "",
    option: HouseRules = None,
    choice: Choices = None,
    save: Annotated[Path | None, Option("--save", metavar="FILE", help="Save the battle.")] = None,
    svg: Svg = None,
    log: Annotated[bool, Option("--log", help="Tell everything that happens, and show the final table.")] = False,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Let bots play one battle to its end.

    \b
    Examples:
      oriflamme battle aof --seed 7 --log
      oriflamme battle aof --seed 7 --bots captain,random --points 1500 --json
      oriflamme battle aof --lists kiln_clans_750_red_hot,drowned_parish_750_evensong --map ford
      oriflamme battle aof --seed 7 --save seven.save --svg seven.svg
      oriflamme battle sbh --seed 7 --log --set scenario=treasure --set scale=28mm
    """
    from oriflamme.cli import battles

    battles.battle(
        game, seed=seed, bots=bots, points=points or 0, lists=lists, map_name=map_name, options=option or [],
        choices=choice or [], save=save, svg=svg, log=log, as_json=as_json, lang=lang.value,
    )  # fmt: skip


@app.command()
def serve(
    host: Annotated[str, Option("--host", metavar="HOST", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, Option("--port", metavar="N", help="The port; 0 for any that is free.", min=0, max=65535)
    ] = 8000,
    database: Annotated[
        str, Option("--database", envvar="ORIFLAMME_DATABASE", help="Where battles are kept, as a URL.")
    ] = "",
    thinkers: Annotated[int, Option("--thinkers", metavar="N", help="Processes for bots and odds.", min=1, max=64)] = 2,
    log_level: Annotated[LogLevel, Option("--log-level", help="What is logged.")] = LogLevel.warning,
    proxy: Annotated[
        str,
        Option(
            "--proxy",
            metavar="A,B",
            envvar="ORIFLAMME_PROXIES",
            help="Addresses or networks of proxies that say for whom they speak; nobody else is believed.",
        ),
    ] = "",
    host_name: Annotated[
        str,
        Option(
            "--host-name",
            metavar="A,B",
            envvar="ORIFLAMME_HOST_NAMES",
            help="Names by which browsers call this server, besides localhost and its addresses.",
        ),
    ] = "",
    open_it: Annotated[bool, Option("--open", help="Open it in the browser of this machine, if it has one.")] = False,
    first_battles: Annotated[
        str,
        Option("--first-battles", metavar="FOLDER", envvar="ORIFLAMME_FIRST_BATTLES", help="A club's first battles."),
    ] = "",
    lobby: Annotated[
        bool, Option("--lobby", help="Strangers may meet at open tables, not only at this machine.")
    ] = False,
    admin: Annotated[
        bool,
        Option("--admin", help="Print the link to a page for the owner: battles, load, limits; kick, close, revoke."),
    ] = False,
    fetch_lists: Annotated[
        bool, Option("--fetch-lists", help="Share links of list builders are opened: the server asks their sites.")
    ] = False,
) -> None:
    """Serve the table to browsers.

    \b
    Examples:
      oriflamme serve --open
      oriflamme serve --host 0.0.0.0 --port 8080
      oriflamme serve --database postgresql://localhost/oriflamme
      oriflamme serve --proxy 127.0.0.1 --host-name club.example
    """
    from oriflamme.cli.serve import serve as run

    run(
        host,
        port,
        database,
        thinkers,
        log_level.value,
        proxies=proxy,
        names=host_name,
        open_it=open_it,
        first_battles=first_battles,
        lobby=lobby,
        admin=admin,
        fetch_lists=fetch_lists,
    )


@app.command()
def join(
    link: Annotated[str, Argument(metavar="LINK", help="The link of a seat, as whoever is invited gets it.")],
    bot: Annotated[
        str,
        Option("--bot", metavar="BOT", help="Who plays: captain, my_bot.py:MyBot, …; the game's best if not given."),
    ] = "",
    seed: Annotated[
        int | None, Option("--seed", metavar="N", help="The bot's own chance; drawn by lot if not given.")
    ] = None,
    patience: Annotated[
        float, Option("--patience", metavar="SECONDS", help="How long a server may be gone.", min=0, max=86_400)
    ] = 60.0,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Let a bot play a seat of a battle on a server, to its end. It knows what its seat is told.

    \b
    Examples:
      oriflamme join "http://127.0.0.1:8000/play/IYry2mD2iOmV?seat=VpDg0PEZ" --bot captain
      oriflamme join "http://127.0.0.1:8000/play/IYry2mD2iOmV?seat=VpDg0PEZ" --bot my_bot.py:Brash
    """
    from oriflamme.cli.join import join_battle

    join_battle(link, bot=bot, seed=seed, patience=patience, as_json=as_json, lang=lang.value)


@app.command()
def export(
    file: Annotated[Path, Argument(metavar="FILE", help="Decisions go to a .parquet, replays to a .jsonl.")],
    saves: Annotated[list[Path] | None, Argument(metavar="SAVES…", help="Battles that were saved.")] = None,
    game: Annotated[str, Option("--game", metavar="GAME", help="Bots play battles of this game besides.")] = "",
    number: Annotated[int, Option("--battles", metavar="N", help="How many.", min=1, max=100_000)] = 10,
    bots: Bots = "",
    seed: Annotated[int, Option("--seed", metavar="N", help="Same seed, same battles.")] = 0,
    points: Points = None,
    lang: Language = Lang.en,
) -> None:
    """Write battles as data: a row for each decision, or replays as lines of JSON. docs/research.md has the schema.

    \b
    Examples:
      oriflamme export decisions.parquet --game sbh --battles 20 --points 100
      oriflamme export replays.jsonl my_battle.save
    """
    from oriflamme.cli import exporting

    exporting.export(
        file, saves or [], game=game, number=number, bots=bots, seed=seed, points=points or 0, lang=lang.value
    )


@app.command()
def simulate(
    game: GameId,
    number: Annotated[int, Option("--battles", metavar="N", help="How many battles.", min=1, max=10_000_000)] = 100,
    workers: Workers = 0,
    bots: Bots = "",
    seed: Annotated[int, Option("--seed", metavar="N", help="Same seed, same result, for any number of workers.")] = 0,
    points: Points = None,
    lists: Lists = "",
    map_name: MapName = "",
    option: HouseRules = None,
    choice: Choices = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Let bots play many battles and count who wins. Seats are swapped every other battle.

    \b
    Examples:
      oriflamme simulate aof --battles 200 --bots captain,random
      oriflamme simulate aof --battles 1000 --lists my_list.toml,kiln_clans_750_red_hot --json
      oriflamme simulate sbh --battles 50 --bots captain,random --set scenario=battle
    """
    from oriflamme.cli import battles

    battles.simulate_many(
        game, number=number, workers=workers, bots=bots, seed=seed, points=points or 0, lists=lists,
        map_name=map_name, options=option or [], choices=choice or [], as_json=as_json, lang=lang.value,
    )  # fmt: skip


@app.command()
def arena(
    game: GameId,
    file: Annotated[
        Path,
        Option("--file", metavar="FILE", help="Where the battles are kept; those that are there are not repeated."),
    ] = Path("ladder.jsonl"),
    battles: Annotated[
        int,
        Option("--battles", metavar="N", help="How often each two meet, all told; 0 only shows.", min=0, max=100_000),
    ] = 20,
    bots: Bots = "",
    seed: Annotated[int, Option("--seed", metavar="N", help="Same seed, same battles.")] = 0,
    points: Points = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Let the bots of a game meet, each two on both seats, and rate them.

    \b
    Examples:
      oriflamme arena sbh --bots recruit,captain --battles 10
      oriflamme arena aof --file aof.jsonl --battles 0 --json
    """
    from oriflamme.cli.arena import arena as run

    run(game, file, battles=battles, bots=bots, seed=seed, points=points or 0, as_json=as_json, lang=lang.value)


@app.command()
def league(
    game: GameId = "aof",
    lists: Annotated[
        list[str] | None,
        Argument(metavar="[LIST]...", help="Lists, each with its bot if need be: autumn.toml@captain; all that ship."),
    ] = None,
    bots: Annotated[str, Option("--bots", metavar="A,B,…", help="Who plays the lists: each list with each bot.")] = "",
    tables: Annotated[
        int, Option("--tables", metavar="N", help="Tables on which every two lists meet, twice on each.", min=1)
    ] = 2,
    swiss: Annotated[
        int, Option("--swiss", metavar="N", help="So many rounds; who has won as much meets. 0: all meet all.", min=0)
    ] = 0,
    seed: Annotated[int, Option("--seed", metavar="N", help="The league is the same for the same seed.")] = 0,
    points: Points = None,
    map_name: MapName = "",
    option: HouseRules = None,
    choice: Choices = None,
    versus: Annotated[
        list[str] | None,
        Option("--versus", metavar="KEY=VALUE", help="Play everything with this house rule too, on the same dice."),
    ] = None,
    workers: Workers = 0,
    on: Annotated[
        str, Option("--on", metavar="WHERE", help="local, ray for a cluster of this machine, or the address of one.")
    ] = "local",
    out: Annotated[
        Path | None,
        Option("--out", metavar="FOLDER", help="Keep results and the report here; goes on where it was stopped."),
    ] = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Let army lists meet each other, on the same tables and from both seats, and rate them.

    \b
    Examples:
      oriflamme league aof --points 750
      oriflamme league sbh ash_choir autumn.toml --tables 20 --out autumn
      oriflamme league rn3 --swiss 4 --tables 5 --out cup --workers 0
      oriflamme league aof --versus aof.mixedUnits=allModelsOnly --out mixed
    """
    from oriflamme.cli import league as leagues

    leagues.league(
        game, lists=lists or [], bots=bots, tables=tables, swiss=swiss, seed=seed, points=points or 0,
        map_name=map_name, options=option or [], choices=choice or [], versus=versus or [], workers=workers, on=on,
        out=out, as_json=as_json, lang=lang.value,
    )  # fmt: skip


@app.command()
def balance(
    game: GameId,
    battles: Annotated[
        int, Option("--battles", metavar="N", help="Battles for every two armies, all told.", min=1, max=10_000)
    ] = 40,
    points: Points = None,
    seed: Annotated[int, Option("--seed", metavar="N", help="Same seed, same battles.")] = 13,
    mirrors: Annotated[
        int,
        Option(
            "--mirrors", metavar="N", help="Battles of each list against itself with less, for prices.", min=0, max=40
        ),
    ] = 40,
    workers: Workers = 0,
    file: Annotated[
        Path | None,
        Option("--file", metavar="FILE", help="Keep the battles here; those that are there are not repeated."),
    ] = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Let the armies that ship meet, and say which are out of line and how far prices would have to change.

    \b
    Examples:
      oriflamme balance aof --points 750 --battles 10
      oriflamme balance lfw --battles 100 --mirrors 0
      oriflamme balance sbh --battles 2 --workers 2 --file sbh.jsonl --json
    """
    from oriflamme.cli.balance import balance as run

    run(
        game, points=points or 0, battles=battles, seed=seed, mirrors=mirrors, workers=workers, file=file,
        as_json=as_json, lang=lang.value,
    )  # fmt: skip


@app.command()
def replay(
    file: Annotated[Path, Argument(metavar="FILE", help="A saved battle.")],
    verify: Annotated[bool, Option("--verify", help="Play it again and compare every die and event.")] = False,
    to: Annotated[int | None, Option("--to", metavar="N", help="Jump to the moment after answer N.", min=0)] = None,
    svg: Svg = None,
    html: Annotated[
        Path | None, Option("--html", metavar="FILE", help="Write the replay as one page for a browser.")
    ] = None,
    recover: Recover = False,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Go through a saved battle: step by step in a terminal, as a log elsewhere.

    \b
    Examples:
      oriflamme replay seven.save
      oriflamme replay seven.save --verify
      oriflamme replay seven.save --to 40 --svg turn.svg
      oriflamme replay seven.save --html seven.html --lang fr
      oriflamme replay damaged.save --recover
    """
    from oriflamme.cli import battles

    battles.replay(file, verify=verify, to=to, svg=svg, html=html, recover=recover, as_json=as_json, lang=lang.value)


@app.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
def odds(arguments: Annotated[list[str] | None, Argument(metavar="GAME ATTACKER DEFENDER")] = None) -> None:
    """The odds of an attack, and of what leads to it. Which circumstances count depends on the game."""
    from oriflamme.cli.odds import command

    asked = arguments or []
    command(asked)(asked, prog_name="oriflamme odds", standalone_mode=False)


@app.command()
def analyse(
    file: Annotated[Path, Argument(metavar="FILE", help="A case file: its scene is laid.")],
    scene: Annotated[int, Option("--scene", metavar="N", help="Which scene of the file.", min=1)] = 1,
    unit: Annotated[str, Option("--unit", metavar="NAME", help="The unit that acts first: what may it do?")] = "",
    captain: Annotated[bool, Option("--captain", help="What would the captain do, and why?")] = False,
    odds: Annotated[str, Option("--odds", metavar="TARGET", help="The odds of that unit against this one.")] = "",
    charge: Annotated[bool, Option("--charge", help="With --odds: it charges.")] = False,
    game: OneGame = "",
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Lay the scene of a case, and ask: what may be done, what would the captain do, what are the odds.

    \b
    Examples:
      oriflamme analyse my_case.toml
      oriflamme analyse my_case.toml --unit archers --captain
      oriflamme analyse my_case.toml --unit knights --odds levy --charge
    """
    from oriflamme.cli import analyse as analysis

    analysis.analyse(
        file, number=scene, game=game, acts=unit, captain=captain, odds=odds, charge=charge, as_json=as_json,
        lang=lang.value,
    )  # fmt: skip


@app.command()
def points(
    names: Annotated[
        list[str] | None,
        Argument(metavar="[NAME]...", help="A game, and units, factions or lists; every unit if none is named."),
    ] = None,
    quality: Annotated[int | None, Option("--quality", metavar="N", help="Quality of an invented unit.")] = None,
    combat: Annotated[int | None, Option("--combat", metavar="N", help="Combat of an invented unit.")] = None,
    profile: Annotated[
        str | None, Option("--profile", metavar="K=V,...", help="Whatever else an invented unit is.")
    ] = None,
    rules: Annotated[str | None, Option("--rules", metavar="A,B", help="Special rules of an invented unit.")] = None,
    game: OneGame = "",
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """What units cost, part by part; also those you invent.

    \b
    Examples:
      oriflamme points
      oriflamme points kiln_clans
      oriflamme points stokers+banner my_list.toml
      oriflamme points sbh --quality 3 --combat 4 --rules "tough, shooter(long)"
    """
    from oriflamme.cli import library
    from oriflamme.cli.show import parts

    given: dict[str, Any] = {"quality": quality, "combat": combat, "rules": None if rules is None else parts(rules)}
    given |= library.read_profile(profile or "")
    invented = {key: value for key, value in given.items() if value is not None}
    library.show_points(names or [], game, invented, as_json, lang.value)


# -- cases -------------------------------------------------------------------------------------------------------------

cases = _group("cases", "Examples of the rules that the program must play right.")


@cases.callback()
def _cases() -> None:
    """Examples of the rules that the program must play right."""


@cases.command("run")
def cases_run(
    paths: Annotated[
        list[Path] | None, Argument(metavar="[PATH]...", help="Files and folders; all cases if none is named.")
    ] = None,
    workers: Workers = 0,
    as_json: AsJson = False,
) -> None:
    """Play cases; the exit code is 1 if any fails.

    \b
    Examples:
      oriflamme cases run
      oriflamme cases run cases/aof/melee my_case.toml --json
    """
    from oriflamme.cli import library

    raise Exit(library.run_cases(paths or [], workers, as_json))


@cases.command("words")
def cases_words(game: GameId, as_json: AsJson = False) -> None:
    """List all words of a game's cases: sentences, questions, keys, events, refusals.

    \b
    Examples:
      oriflamme cases words sbh
      oriflamme cases words tlaok --json
    """
    from oriflamme.cli import library

    library.show_words(game, as_json)


# -- rules -------------------------------------------------------------------------------------------------------------

rules = _group("rules", "The rules of the games, statement by statement.")


@rules.command("show")
def rules_show(
    id: Annotated[str, Argument(metavar="ID", help="A rule, such as AOF-CHARGE-02, or the beginning of several.")],
    game: OneGame = "",
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Show a rule, its rulings and its worked examples.

    \b
    Examples:
      oriflamme rules show AOF-MOVE-06
      oriflamme rules show sr-blast --lang fr
    """
    from oriflamme.cli import library

    library.show_rule(id, game, as_json, lang.value)


@rules.command("search")
def rules_search(
    words: Annotated[list[str], Argument(metavar="WORD...", help="What to look for.")],
    game: OneGame = "",
    most: Annotated[int, Option("--most", metavar="N", help="How many to show.", min=1, max=1000)] = 15,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Find the rules that speak of something.

    \b
    Examples:
      oriflamme rules search charge terrain
      oriflamme rules search couvert explosion --lang fr
    """
    from oriflamme.cli import library

    raise Exit(library.search_rules(" ".join(words), game, most, as_json, lang.value))


@rules.command("coverage")
def rules_coverage(game: GameId, as_json: AsJson = False) -> None:
    """Run the cases of a game and count which of its rules they show.

    \b
    Example:
      oriflamme rules coverage aof --json
    """
    from oriflamme.cli import library

    library.show_coverage(game, as_json)


# -- armies ------------------------------------------------------------------------------------------------------------

army = _group("army", "Factions and army lists.")


@army.command("list")
def army_list(game: OneGame = "", as_json: AsJson = False, lang: Language = Lang.en) -> None:
    """The factions and the ready-made lists there are."""
    from oriflamme.cli import library

    library.list_armies(game, as_json, lang.value)


@army.command("show")
def army_show(
    name: Annotated[str, Argument(metavar="NAME", help="A faction, a ready-made list, a file, or a unit.")],
    game: OneGame = "",
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Show a faction, a list or a unit.

    \b
    Examples:
      oriflamme army show kiln_clans
      oriflamme army show kiln_clans_750_red_hot
      oriflamme army show stokers+banner
    """
    from oriflamme.cli import library

    library.show_army(name, game, as_json, lang.value)


@army.command("check")
def army_check(
    files: Annotated[list[Path], Argument(metavar="FILE...", help="Lists to check.")],
    game: OneGame = "",
    option: HouseRules = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Check army lists; the exit code is 1 if one has mistakes, which are all reported.

    \b
    Example:
      oriflamme army check autumn.toml
    """
    from oriflamme.cli import library

    raise Exit(library.check_armies(files, game, option or [], as_json, lang.value))


@army.command("improve")
def army_improve(
    name: Annotated[str, Argument(metavar="FILE", help="The list: a file, or a ready-made one.")],
    against: Annotated[
        str,
        Option("--against", metavar="A,B,…", help="Lists it is to beat; all that ship at its size if not given."),
    ] = "",
    battles: Annotated[
        int, Option("--battles", metavar="N", help="About how many battles a step takes.", min=20, max=100_000)
    ] = 400,
    steps: Annotated[
        int, Option("--steps", metavar="N", help="Changes to look for, one after the other.", min=1, max=20)
    ] = 1,
    seed: Annotated[int, Option("--seed", metavar="N", help="Same seed, same search.")] = 0,
    workers: Workers = 0,
    game: OneGame = "",
    option: HouseRules = None,
    choice: Choices = None,
    file: Annotated[
        Path | None, Option("--file", metavar="FILE", help="Keep the battles here, and go on where it was stopped.")
    ] = None,
    out: Annotated[Path | None, Option("--out", metavar="FILE", help="Write the better list into this file.")] = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Look for allowed changes of a list that win more against others, by battles between captains.

    \b
    Examples:
      oriflamme army improve autumn.toml --battles 200 --out better.toml
      oriflamme army improve kiln_clans_750_red_hot --against drowned_parish_750_evensong --battles 20
    """
    from oriflamme.cli import library
    from oriflamme.cli.improve import improve
    from oriflamme.cli.show import parts

    improve(
        library.game_of_list(name, game), name, against=parts(against), battles=battles, steps=steps, seed=seed,
        workers=workers, options=option or [], choices=choice or [], file=file, out=out, as_json=as_json,
        lang=lang.value,
    )  # fmt: skip


@army.command("import")
def army_import(
    file: Annotated[Path, Argument(metavar="FILE", help="A list of Army Forge as JSON, or a .ros or .rosz.")],
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Where to store it; to play, name this file.")
    ] = None,
    printed: Annotated[
        bool, Option("--their-points", help="The points of that program count, where they are known, not ours.")
    ] = False,
    game: OneGame = "",
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Import a list made with another program, with a note on everything that is not known here.

    \b
    Examples:
      oriflamme army import export.json
      oriflamme army import export.json --out my_army.json
      oriflamme army import tuesday.rosz
      oriflamme play aof --lists my_army.json
    """
    from oriflamme.cli import library

    library.import_army(file, out, game, as_json, lang.value, printed=printed)


# -- maps --------------------------------------------------------------------------------------------------------------

maps = _group("map", "Tables to play on.")


@maps.command("list")
def map_list(as_json: AsJson = False, lang: Language = Lang.en) -> None:
    """The maps that ship."""
    from oriflamme.cli import library

    library.list_maps(as_json, lang.value)


@maps.command("show")
def map_show(
    name: Annotated[str, Argument(metavar="MAP", help="A map that ships, generated_SEED, or a file.")],
    svg: Svg = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Show a map.

    \b
    Examples:
      oriflamme map show village
      oriflamme map show generated_7 --svg seven.svg
    """
    from oriflamme.cli import library

    library.show_map(name, svg, as_json, lang.value)


@maps.command("generate")
def map_generate(
    seed: Seed = None,
    size: Annotated[
        str, Option("--size", metavar="WxD", help="Size of the table in inches, or with its measure: 60x60cm.")
    ] = "",
    pieces: Annotated[
        int | None, Option("--pieces", metavar="N", help="How many pieces of terrain.", min=0, max=60)
    ] = None,
    hexes: Annotated[
        float, Option("--hexes", metavar="MM", help="Divide it into hexes so many millimetres wide.", min=0)
    ] = 0,
    company: Annotated[
        bool, Option("--company", help="Hills with slopes and obstacles with sizes, 120x120cm unless --size says more.")
    ] = False,
    game: Annotated[str, Option("--game", metavar="GAME", help="As this game makes its tables.")] = "",
    scenario: Annotated[str, Option("--scenario", metavar="NAME", help="Short for --set scenario=NAME.")] = "",
    choice: Choices = None,
    out: Annotated[Path | None, Option("--out", metavar="FILE", help="Write the map into this file.")] = None,
    svg: Svg = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Make a map from a seed.

    \b
    Examples:
      oriflamme map generate --seed 7
      oriflamme map generate --seed 7 --size 48x48 --out duel.toml --svg duel.svg
      oriflamme map generate --seed 7 --size 60x60cm --hexes 20 --out moor.toml
      oriflamme map generate --seed 7 --company --size 180x120cm
      oriflamme map generate --seed 3 --game lfw --scenario scn3
    """
    from oriflamme.cli import library

    agreed = [*(choice or []), *([f"scenario={scenario}"] if scenario else [])]
    library.generate(seed, size, pieces, hexes, company, game, agreed, out, svg, as_json, lang.value)


# -- campaigns ---------------------------------------------------------------------------------------------------------

campaign = _group("campaign", "Campaigns: battles in a row, with bands that suffer, learn and grow.")
CampaignFile = Annotated[Path, Argument(metavar="FILE", help="The campaign.")]


@campaign.command("new")
def campaign_new(
    file: Annotated[Path, Argument(metavar="FILE", help="Where to keep the campaign, such as autumn.campaign.")],
    lists: Lists = "",
    battles: Annotated[int, Option("--battles", metavar="N", help="How many battles; 3 to 5 are recommended.")] = 4,
    players: Annotated[
        str,
        Option("--players", metavar="A,B", help="Who plays: human, or the name of a bot; you and a bot if not given."),
    ] = "",
    game: Annotated[
        str, Option("--game", metavar="GAME", help="Which game; the one that has campaigns if not given.")
    ] = "",
    seed: Seed = None,
    points: Points = None,
    map_name: MapName = "",
    option: HouseRules = None,
    choice: Choices = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Begin a campaign.

    \b
    Examples:
      oriflamme campaign new autumn.campaign
      oriflamme campaign new autumn.campaign --lists green_mile,my_band.toml --battles 5
      oriflamme campaign new bots.campaign --players captain,captain --seed 7
      oriflamme campaign new ours.campaign --players human,human --option campaignScore=unspent --set scale=28mm
    """
    from oriflamme.cli import campaign as campaigns

    campaigns.new(
        file, game_id=game, lists=lists, battles=battles, players=players, seed=seed, points=points or 0,
        map_name=map_name, options=option or [], choices=choice or [], as_json=as_json, lang=lang.value,
    )  # fmt: skip


@campaign.command("play")
def campaign_play(
    file: CampaignFile,
    to_the_end: Annotated[bool, Option("--all", help="Go on to the end; for campaigns between bots.")] = False,
    recover: Annotated[bool, Option("--recover", help="Take a damaged campaign as far as it is whole.")] = False,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Play the next battle, or the rest of the one in progress, and then the time between battles.

    \b
    Examples:
      oriflamme campaign play autumn.campaign
      oriflamme campaign play bots.campaign --all
      oriflamme campaign play damaged.campaign --recover
    """
    from oriflamme.cli import campaign as campaigns

    campaigns.play(file, to_the_end=to_the_end, recover=recover, as_json=as_json, lang=lang.value)


@campaign.command("status")
def campaign_status(file: CampaignFile, as_json: AsJson = False, lang: Language = Lang.en) -> None:
    """The score, and both bands with experience, wounds, upgrades and items.

    \b
    Example:
      oriflamme campaign status autumn.campaign
    """
    from oriflamme.cli import campaign as campaigns

    campaigns.status(file, as_json=as_json, lang=lang.value)


@campaign.command("log")
def campaign_log(
    file: CampaignFile,
    battle: Annotated[int | None, Option("--battle", metavar="N", help="Only this battle.", min=1)] = None,
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """What happened, battle by battle, each line with its rule.

    \b
    Examples:
      oriflamme campaign log autumn.campaign
      oriflamme campaign log autumn.campaign --battle 2 --lang fr
    """
    from oriflamme.cli import campaign as campaigns

    campaigns.log(file, battle=battle, as_json=as_json, lang=lang.value)


store_app = _group("store", "What a server keeps: how it stands, what is old, and copies of it.")

Database = Annotated[str, Option("--database", envvar="ORIFLAMME_DATABASE", help="The store, as a URL.")]


@store_app.command("status")
def store_status(database: Database = "", as_json: AsJson = False, lang: Language = Lang.en) -> None:
    """How the store stands: battles, size, and what is old."""
    from oriflamme.cli import store

    store.status(database, as_json=as_json, lang=lang.value)


@store_app.command("prune")
def store_prune(
    archive: Annotated[
        Path | None, Option("--archive", metavar="FOLDER", help="Write them there first, as saves with their seeds.")
    ] = None,
    over: Annotated[int, Option("--over", metavar="DAYS", help="Battles that have been over so long.", min=0)] = 365,
    idle: Annotated[int, Option("--idle", metavar="DAYS", help="Battles nobody has answered in so long.", min=0)] = 180,
    empty: Annotated[int, Option("--empty", metavar="DAYS", help="Battles nobody ever answered in.", min=0)] = 14,
    dry: Annotated[bool, Option("--dry-run", help="Only say how many would go.")] = False,
    database: Database = "",
    lang: Language = Lang.en,
) -> None:
    """Take out old battles. Those of campaigns stay. A server may be running meanwhile.

    \b
    Examples:
      oriflamme store prune --dry-run
      oriflamme store prune --archive old-battles
    """
    from oriflamme.cli import store
    from oriflamme.server.upkeep import Retention

    store.prune(database, Retention(over, idle, empty), archive, dry=dry, lang=lang.value)


@store_app.command("backup")
def store_backup(
    file: Annotated[Path, Argument(metavar="FILE", help="The copy; what is there already is replaced.")],
    database: Database = "",
    lang: Language = Lang.en,
) -> None:
    """Copy the whole store into one file, as it is at this moment, while battles go on.

    \b
    Examples:
      oriflamme store backup monday.backup
      oriflamme store backup monday.backup --database postgresql://localhost/oriflamme
    """
    from oriflamme.cli import store

    store.backup(database, file, lang=lang.value)


@store_app.command("restore")
def store_restore(
    file: Annotated[Path, Argument(metavar="FILE", help="A backup.")],
    database: Database = "",
    lang: Language = Lang.en,
) -> None:
    """Put a backup into a new database, of whatever kind it was taken.

    \b
    Examples:
      oriflamme store restore monday.backup --database sqlite:////srv/oriflamme/battles.sqlite
      oriflamme store restore monday.backup --database postgresql://localhost/oriflamme
    """
    from oriflamme.cli import store

    store.restore(database, file, lang=lang.value)


@store_app.command("export")
def store_export(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="Where the saves are written.")],
    battle: Annotated[str, Option("--battle", metavar="ID", help="Only this one.")] = "",
    database: Database = "",
    lang: Language = Lang.en,
) -> None:
    """Write every battle as a save, for `oriflamme replay`. A save has the seed of its battle."""
    from oriflamme.cli import store

    store.export(database, folder, battle, lang=lang.value)


club_app = _group("club", "What a club does beside single battles.")
club_league = Typer(
    name="league", help="A league of players, each with a list, in battles of this server.", no_args_is_help=True
)
club_app.add_typer(club_league, name="league")

LeagueId = Annotated[str, Argument(metavar="LEAGUE", help="The id of a league; `oriflamme club league list` has them.")]


class LeagueKind(StrEnum):
    """How players meet."""

    round_robin = "round-robin"
    swiss = "swiss"


@club_league.command("new")
def club_league_new(
    name: Annotated[str, Argument(metavar="NAME", help="What it is called.")],
    game: Annotated[str, Option("--game", metavar="GAME", help="The game, such as aof.")],
    points: Annotated[int, Option("--points", metavar="N", help="The size of the lists.", min=0)] = 0,
    kind: Annotated[LeagueKind, Option("--kind", help="How players meet.")] = LeagueKind.round_robin,
    rounds: Annotated[int, Option("--rounds", metavar="N", help="Of Swiss; 0 for the usual number.", min=0)] = 0,
    choices: Annotated[list[str] | None, Option("--set", metavar="KEY=VALUE", help="What is agreed on.")] = None,
    database: Database = "",
    as_json: AsJson = False,
    lang: Language = Lang.en,
) -> None:
    """Open a league between players. `oriflamme league` lets lists meet that bots play.

    \b
    Examples:
      oriflamme club league new Autumn --game aof --points 750
      oriflamme club league new Winter --game sbh --kind swiss
    """
    from oriflamme.cli import club, show
    from oriflamme.games import load

    wanted = {"name": name, "game": game, "points": points, "kind": kind.value.replace("-", " "), "rounds": rounds}
    agreed = show.agreed(load(game), choices or ())
    club.new(database, wanted | {"choices": dict(agreed)}, as_json=as_json, lang=lang.value)


@club_league.command("enter")
def club_league_enter(
    league: LeagueId,
    name: Annotated[str, Argument(metavar="NAME", help="What the player is called.")],
    army: Annotated[str, Option("--army", metavar="LIST", help="A ready-made list or a file; any if not given.")] = "",
    bot: Annotated[str, Option("--bot", metavar="BOT", help="A bot that takes the place.")] = "",
    database: Database = "",
    lang: Language = Lang.en,
) -> None:
    """Let somebody take part; the link with which he gets his seats is printed."""
    from oriflamme.cli import club

    club.enter(database, league, name, army, bot, lang=lang.value)


@club_league.command("pair")
def club_league_pair(
    league: LeagueId, database: Database = "", as_json: AsJson = False, lang: Language = Lang.en
) -> None:
    """Pair the next round, when all of the last one is decided."""
    from oriflamme.cli import club

    club.pair(database, league, as_json=as_json, lang=lang.value)


@club_league.command("result")
def club_league_result(
    league: LeagueId,
    round: Annotated[int, Argument(metavar="ROUND", min=1)],
    number: Annotated[int, Argument(metavar="NUMBER", help="Which fixture of the round.", min=1)],
    result: Annotated[str, Argument(metavar="RESULT", help="first, second or draw; open takes it back.")],
    database: Database = "",
    lang: Language = Lang.en,
) -> None:
    """Say how a fixture of the last round has ended that was played elsewhere, or not at all.

    Battles of this server count by themselves.
    """
    from oriflamme.cli import club

    club.result(database, league, round, number, result, lang=lang.value)


@club_league.command("standings")
def club_league_standings(
    league: LeagueId, database: Database = "", as_json: AsJson = False, lang: Language = Lang.en
) -> None:
    """The last round, and who stands where."""
    from oriflamme.cli import club

    club.standings(database, league, as_json=as_json, lang=lang.value)


@club_league.command("list")
def club_league_list(database: Database = "", as_json: AsJson = False, lang: Language = Lang.en) -> None:
    """All leagues."""
    from oriflamme.cli import club

    club.all_of_them(database, as_json=as_json, lang=lang.value)
