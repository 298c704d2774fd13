"""Everything there is to look up: games, rules, armies, points, maps; and the cases."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from oriflamme.cli import show
from oriflamme.engine.core.game import Game
from oriflamme.engine.lists.units import FactionPage, ListPage, ListSummary, Page, Sheet, UnitPage, plain
from oriflamme.engine.words.catalogue import Catalogue, Rule
from oriflamme.engine.words.catalogue import games as catalogue_games
from oriflamme.engine.words.catalogue import load as load_catalogue
from oriflamme.engine.words.notices import notice, quoted
from oriflamme.engine.words.problems import Problems, did_you_mean, problem_with
from oriflamme.games import faults, ids, load, unknown

Data = dict[str, Any]

# -- games -------------------------------------------------------------------------------------------------------------


def show_games(as_json: bool, lang: str) -> None:
    """`oriflamme games`"""
    from oriflamme.cli.phrases import words

    found: list[Data] = []
    for id in ids():
        game = load(id)
        rules = len(load_catalogue(id).rules) if id in catalogue_games() else 0
        found.append(
            {
                "id": id,
                "title": dict(game.title),
                "sides": game.sides,
                "measure": game.measure,
                "version": game.version,
                "rules": rules,
                "options": {key: rule.default for key, rule in game.options.items()},
                "choices": {key: list(values) for key, values in game.choices.items()},
                "bots": list(game.bots()),
            }
        )
    if as_json:
        show.say_json({"games": found})
        return
    said = words(lang)["games"]
    made = show.table("id", *(said[key] for key in ("game", "sides", "measure", "rules", "bots")), right=(2, 4))
    for game_data in found:
        cells = (
            game_data["id"],
            show.name_of(game_data["title"], lang),
            game_data["sides"],
            game_data["measure"],
            game_data["rules"],
            ", ".join(game_data["bots"]),
        )
        made.add_row(*map(show.cell, cells))
    show.show_table(made)
    for fault in faults():
        print(fault, file=sys.stderr)
    agreed = [(data["id"], key, values) for data in found for key, values in data["choices"].items()]
    if agreed:
        made = show.table(said["game"], "--set", said["choices"])
        for id, key, values in agreed:
            made.add_row(*map(show.cell, (id, key, ", ".join(values))))
        show.show_table(made)


def _games(wanted: str) -> tuple[str, ...]:
    """The game that is wanted, or all of them."""
    if not wanted:
        return ids()
    if wanted not in ids():
        raise unknown(wanted)
    return (wanted,)


# -- rules -------------------------------------------------------------------------------------------------------------


def _catalogues(wanted: str, lang: str) -> list[Catalogue]:
    return [load_catalogue(game, lang) for game in ([wanted] if wanted else catalogue_games())]


def show_rule(id: str, game: str, as_json: bool, lang: str) -> None:
    """`oriflamme rules show`"""
    rules = find_rules(id, game, lang)
    if as_json:
        data = [msgspec.to_builtins(rule) for rule in rules]
        show.say_json(data[0] if len(data) == 1 else {"rules": data})
        return
    for number, rule in enumerate(rules):
        if number:
            show.say()
        print_rule(rule, lang)


def find_rules(id: str, game: str, lang: str) -> list[Rule]:
    """The rule of that id, or those that begin so, of every game that has some; raises Problems with a guess."""
    catalogues = _catalogues(game, lang)
    named = [c for c in catalogues if not game and id.strip().upper().startswith(f"{c.game.upper()}-")]
    problems: Problems | None = None
    rules: list[Rule] = []
    for catalogue in named or catalogues:
        try:
            rules.append(catalogue.find(id))
        except Problems as found:
            problems = problems or found
            prefix = id.strip().upper()
            full = prefix if prefix.startswith(f"{catalogue.game.upper()}-") else f"{catalogue.game.upper()}-{prefix}"
            rules += catalogue.under(full)
    if rules or problems is None:
        return rules
    raise problems


def print_rule(rule: Rule, lang: str) -> None:
    """A rule with all that belongs to it."""
    from rich.padding import Padding
    from rich.text import Text

    from oriflamme.cli.phrases import words

    labels = words(lang)["rule_part"]
    show.say(Text.assemble((rule.id, "bold"), ("  " + " · ".join(filter(None, (rule.chapter, rule.section))), "dim")))
    for label, texts in (
        ("", (rule.text,)),
        (labels["ruling"], rule.rulings),
        (labels["example"], rule.examples),
        (labels["check"], rule.checks),
    ):
        for text in texts:
            body = Text.assemble((label, "italic"), plain_markdown(text))
            show.console().print(Padding(body, (0, 0, 0, 2 if not label else 4)), soft_wrap=False)


def plain_markdown(text: str) -> str:
    """Without the stars and ticks of Markdown."""
    return re.sub(r"\*\*|`", "", text)


def search_rules(wanted: str, game: str, most: int, as_json: bool, lang: str) -> int:
    """`oriflamme rules search`"""
    from oriflamme.cli.phrases import words

    found = [rule for catalogue in _catalogues(game, lang) for rule in catalogue.search(wanted)]
    if as_json:
        shown = [{"id": r.id, "title": r.title, "text": r.text} for r in found[:most]]
        show.say_json({"words": wanted, "found": len(found), "rules": shown})
        return 0 if found else 1
    if not found:
        show.say(words(lang)["nothing_found"].format(text=quoted(wanted)))
        return 1
    print_found(found, most, lang)
    return 0


def print_found(found: Sequence[Rule], most: int, lang: str) -> None:
    """Rules in short."""
    from rich.text import Text

    from oriflamme.cli.phrases import words

    for rule in found[:most]:
        show.console().print(
            Text.assemble((rule.id, "bold"), "  ", plain_markdown(rule.text), (f"  {rule.title}", "dim")),
            soft_wrap=False,
        )
    if len(found) > most:
        show.say(words(lang)["more_found"].format(more=len(found) - most, all=len(found)), "dim")


def show_coverage(game: str, as_json: bool) -> None:
    """`oriflamme rules coverage`"""
    from oriflamme.cases.runner import coverage

    _games(game)
    report = coverage(game)
    if as_json:
        show.say_json(report)
        return
    rules, covered = report["rules"], report["covered"]
    show.say(f"{covered} of {rules} rules of {game} are shown by a passing case ({covered / max(1, rules):.0%})")
    if report.get("cases") is not None:
        show.say(f"{report['cases']} rows of cases, {report['failed']} failed")
    if report["missing"]:
        show.say(f"missing: {', '.join(report['missing'])}")


# -- cases -------------------------------------------------------------------------------------------------------------


def run_cases(paths: Sequence[Path], workers: int, as_json: bool) -> int:
    """`oriflamme cases run`"""
    from oriflamme.cases.runner import run

    report = run(paths, workers or os.cpu_count() or 1)
    failed = report.failed
    if as_json:
        rows = [msgspec.to_builtins(row) for row in report.rows]
        show.say_json(
            {
                "rows": len(rows),
                "passed": len(rows) - len(failed),
                "failed": len(failed),
                "seconds": round(report.seconds, 3),
                "failures": [msgspec.to_builtins(row) for row in failed],
                "results": rows,
            }
        )
        return 0 if report.passed else 1
    for row in failed:
        show.say(f"FAILED {row.file}: {row.title}" + (f" ({row.why})" if row.why else ""), "bold red")
        for problem in row.problems:
            for line in str(problem).splitlines():
                show.say(f"  {line}")
    if not report.rows:
        show.say("no cases found")
        return 1
    files = len({row.file for row in report.rows})
    show.say(
        f"{len(report.rows) - len(failed)} of {len(report.rows)} rows passed, "
        f"in {files} {'file' if files == 1 else 'files'} and {report.seconds:.1f} s",
        "red" if failed else "green",
    )
    return 1 if failed else 0


def show_words(game: str, as_json: bool) -> None:
    """`oriflamme cases words`"""
    from oriflamme.cases.words import as_text, words_of

    _games(game)
    words = words_of(game)
    if as_json:
        show.say_json(msgspec.to_builtins(words))
        return
    for line in as_text(words):
        show.say(line.removeprefix("# "), "bold" if line.startswith("# ") else "")


# -- armies ------------------------------------------------------------------------------------------------------------


def list_armies(game: str, as_json: bool, lang: str) -> None:
    """`oriflamme army list`"""
    found = {id: (load(id).armies().factions(), load(id).armies().lists()) for id in _games(game)}
    if as_json:
        show.say_json(
            {
                "factions": [
                    {"game": id, "id": f.id, "name": f.name, "units": len(f.units)}
                    for id, (factions, _) in found.items()
                    for f in factions
                ],
                "lists": [{"game": id, **plain(army)} for id, (_, lists) in found.items() for army in lists],
            }
        )
        return
    for id, (factions, lists) in found.items():
        title = show.name_of(load(id).title, lang)
        made = show.table(*_heads(lang, "faction", "name", "units", ""), right=(2,), title=title)
        for f in factions:
            made.add_row(*map(show.cell, (f.id, show.name_of(f.name, lang), len(f.units), _story(f, lang))))
        show.show_table(made)
        heads = _heads(lang, "list", "name", "points", "cost", "units", "models", "")
        made = show.table(*heads, right=(2, 3, 4, 5))
        for army in lists:
            name, story = show.name_of(army.name, lang), _story(army, lang)
            cells = (army.id, name, army.points, army.cost, army.units, army.models, story)
            made.add_row(*map(show.cell, cells))
        show.show_table(made)


def _heads(lang: str, *columns: str) -> tuple[str, ...]:
    """What stands above columns, in a language; what the book prints stays as it is."""
    from oriflamme.cli.phrases import words

    known = words(lang).get("columns", {})
    return tuple(known.get(column, column) for column in columns)


def _story(page: FactionPage | ListPage | ListSummary, lang: str) -> str:
    return show.name_of(page.story, lang) if page.story else ""


def show_army(name: str, game: str, as_json: bool, lang: str) -> None:
    """`oriflamme army show`"""
    from oriflamme.cli.phrases import words

    id, page = _looked_up(name, game)
    if as_json:
        show.say_json({"kind": _kind(page), "game": id, **plain(page)})
        return
    if not isinstance(page, UnitPage):
        name = show.name_of(page.name, lang)
        if isinstance(page, ListPage):
            said = words(lang)["library"]["cost"]
            name = said.format(name=name, cost=page.cost, points=page.points, faction=page.faction)
        show.say(name, "bold")
        if page.story:
            show.say(_story(page, lang))
    for sheet in load(id).armies().sheets(page, lang):
        _show_sheet(sheet, lang)


def _kind(page: Page) -> str:
    return "unit" if isinstance(page, UnitPage) else "list" if isinstance(page, ListPage) else "faction"


def _show_sheet(sheet: Sheet, lang: str) -> None:
    made = show.table(*_heads(lang, *sheet.columns), right=sheet.right)
    for row in sheet.rows:
        made.add_row(*map(show.cell, row))
    show.show_table(made)
    if sheet.note:
        show.say(sheet.note, "dim")


def _looked_up(name: str, game: str) -> tuple[str, Page]:
    """What a name stands for, and in which game: a faction, a list or a unit; raises Problems with a guess among all
    of them."""
    known: set[str] = set()
    a_file = name.lower().endswith((".toml", ".json")) or Path(name).is_file()
    written_for = (game or _game_of(Path(name))) if a_file else ""
    for id in _games(game):
        armies = load(id).armies()
        factions = {f.id: f for f in armies.factions()}
        lists = {army.id for army in armies.lists()}
        units = {unit.id for f in factions.values() for unit in f.units}
        if name in factions:
            return id, factions[name]
        if name in lists or id == written_for:
            return id, armies.army(name)
        known |= {*factions, *lists, *units}
        if name.partition("+")[0].rpartition("/")[2] in units:
            return id, armies.unit(name)
    hint = did_you_mean(name, known) or notice("how_to_list_armies")
    raise problem_with("army", notice("no_faction_list_unit", name=name), hint=hint)


def check_armies(files: Sequence[Path], game: str, options: Sequence[str], as_json: bool, lang: str) -> int:
    """`oriflamme army check`: everything wrong with every file, and 1 if there is anything."""
    import sys

    entries: list[Data] = []
    bad = 0
    for file in files:
        id = game or _game_of(file)
        try:
            found = load(id)
            army = found.armies().army(str(file), show.chosen_options(found, options))
        except Problems as problems:
            bad += 1
            entries.append(
                {"file": str(file), "legal": False, "problems": [problem.data(lang) for problem in problems]}
            )
            if not as_json:
                print(problems.in_words(lang), file=sys.stderr)
            continue
        entries.append({"file": str(file), "legal": True, "problems": [], **plain(army)})
        if not as_json:
            units = len(army.units)
            show.say(
                f"{file}: legal; {show.name_of(army.name, lang)}, {army.cost} of {army.points} points, "
                f"{units} {'unit' if units == 1 else 'units'}"
            )
    if as_json:
        show.say_json({"legal": not bad, "lists": entries})
    return 1 if bad else 0


def _game_of(file: Path) -> str:
    """The game a list says it is for; what is wrong with the file itself is told by whoever checks it."""
    from oriflamme.engine.words.problems import read_json, read_toml

    try:
        data = read_json(file) if file.suffix.lower() == ".json" else read_toml(file)
    except Problems:
        return ids()[0]
    named = data.get("game") if isinstance(data, Mapping) else None
    return named if isinstance(named, str) and named in ids() else ids()[0]


def game_of_list(name: str, game: str) -> Game:
    """The game of a list: the one that is named, the one that has it ready-made, or the one its file is for."""
    for id in _games(game):
        if name in load(id).armies().reader.ready:
            return load(id)
    return load(game or _game_of(Path(name)))


def import_army(file: Path, out: Path | None, game: str, as_json: bool, lang: str, *, printed: bool = False) -> None:
    """`oriflamme army import`"""
    from oriflamme.cli.phrases import words

    id = game or ids()[0]
    _games(id)
    game_of = load(id)
    armies = game_of.armies()
    data, notes = armies.import_file(file, lang=lang, printed=printed)
    if out is not None:
        show.write_text(out, msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")
    checked = armies.checked(armies.from_list(data), game_of.defaults())
    number = len(checked.entries)
    if as_json:
        about = {"file": str(file), "out": str(out) if out else None, "cost": checked.cost, "notes": notes}
        show.say_json(about | {"list": data})
        return
    said = words(lang)["library"]
    counted = said["theirs" if printed else "ours"]
    name = data["name"] if isinstance(data["name"], str) else show.name_of(data["name"], lang)
    show.say(said["imported"].format(name=name, number=number, cost=checked.cost, counted=counted), "bold")
    for note in notes:
        show.say(f"  {note}")
    if out is not None:
        show.say(said["stored"].format(path=out, game=id), "dim")
    else:
        show.say(said["unstored"], "dim")


# -- points ------------------------------------------------------------------------------------------------------------


def show_points(names: Sequence[str], game: str, invented: Data, as_json: bool, lang: str) -> None:
    """`oriflamme points`: of units, factions and lists, of a whole game, or of a unit that somebody invents."""
    if names and not game and names[0] in ids():
        game, names = names[0], names[1:]
    if invented:
        units = [_invented(names, game, invented)]
    else:
        units = list(_priced(names, game))
    if as_json:
        show.say_json({"units": [{"game": id, **plain(unit)} for id, unit in units]})
        return
    for id in dict.fromkeys(id for id, _ in units):
        _show_sheet(load(id).armies().points_sheet([unit for game, unit in units if game == id], lang), lang)


def read_profile(text: str) -> Data:
    """What an invented unit is, as `M=5, type=infantry`; raises Problems."""
    made: Data = {}
    for part in show.parts(text):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise problem_with(
                "--profile", notice("no_key_value", text=part), hint=notice("write_it", text="M=5,type=infantry")
            )
        made[key] = int(value) if value.isdigit() else value
    return made


def _invented(names: Sequence[str], game: str, profile: Data) -> tuple[str, UnitPage]:
    if names:
        raise problem_with("points", notice("besides_invented", name=names[0]), hint=notice("one_or_other"))
    if not game:
        raise problem_with("points", notice("no_game_for_invented"), hint=notice("name_it_first", choices=list(ids())))
    _games(game)
    return game, load(game).armies().invented(**profile)


def _priced(names: Sequence[str], game: str) -> Iterator[tuple[str, UnitPage]]:
    """The units of these names, each with its game and its parts; all there are, if none is named."""
    if not names:
        for id in _games(game):
            for faction in load(id).armies().factions():
                yield from _units_of(id, faction)
        return
    for name in names:
        id, page = _looked_up(name, game)
        if isinstance(page, UnitPage):
            yield id, page
        elif isinstance(page, ListPage):
            yield from ((id, unit) for unit in page.units)
        else:
            yield from _units_of(id, page)


def _units_of(game: str, faction: FactionPage) -> Iterator[tuple[str, UnitPage]]:
    armies = load(game).armies()
    for unit in faction.units:
        yield game, armies.unit(f"{faction.id}/{unit.id}")


# -- maps --------------------------------------------------------------------------------------------------------------


def list_maps(as_json: bool, lang: str) -> None:
    """`oriflamme map list`"""
    from oriflamme.engine.table.maps import SIZES, load_map, shipped_maps

    found = [(kind, load_map(name)) for kind in SIZES for name in shipped_maps(kind)]
    if as_json:
        data = [
            {
                "id": m.id,
                "name": m.name,
                "for": kind,
                "size": m.data["size"],
                "measure": m.measure,
                "hexes": m.data.get("hexes"),
                "pieces": len(m.table.pieces),
            }
            for kind, m in found
        ]
        show.say_json({"maps": data})
        return
    from oriflamme.cli.phrases import words

    made = show.table(*_heads(lang, "map", "for a", "name", "size", "pieces", ""), right=(4,))
    for kind, m in found:
        size = " × ".join(show.decimal(side, lang) for side in m.data["size"]) + f" {m.measure}"
        if m.data.get("hexes"):
            size = words(lang)["library"]["hexes"].format(size=size, width=show.decimal(m.data["hexes"], lang))
        about = show.name_of(m.about, lang) if m.about else ""
        made.add_row(
            *map(show.cell, (m.id, *_heads(lang, kind), show.name_of(m.name, lang), size, len(m.table.pieces), about))
        )
    show.show_table(made)


def show_map(name: str, svg: Path | None, as_json: bool, lang: str) -> None:
    """`oriflamme map show`"""
    from oriflamme.engine.table.maps import load_map

    _present_map(load_map(name), None, svg, as_json, lang)


def generate(
    seed: int | None,
    size: str,
    pieces: int | None,
    hexes: float,
    company: bool,
    game: str,
    choices: Sequence[str],
    out: Path | None,
    svg: Path | None,
    as_json: bool,
    lang: str,
) -> None:
    """`oriflamme map generate`"""
    if game or choices:
        if size or pieces is not None or hexes or company:
            raise problem_with("--game", notice("game_makes_its_own"), hint=notice("either_game_or_size"))
        _present_map(_generated_for(game, choices, seed), out, svg, as_json, lang)
        return
    from oriflamme.engine.table.maps import COMPANY_SIZE, generate_company_map, generate_map

    usual = "{}x{}cm".format(*COMPANY_SIZE) if company else "72x48"
    wanted = size or usual
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[x×]\s*(\d+(?:\.\d+)?)\s*(in|cm|mm)?\s*", wanted.lower())
    if found is None:
        raise problem_with("--size", notice("cannot_read", text=size), hint=notice("size_like"))
    sides = (float(found[1]), float(found[2]))
    whole = (int(sides[0]) if sides[0].is_integer() else sides[0], int(sides[1]) if sides[1].is_integer() else sides[1])
    number = show.drawn_seed() if seed is None else seed
    if not company:
        made = generate_map(number, whole, found[3] or "in", pieces, hexes)
    elif (found[3] or "cm") != "cm" or pieces is not None or hexes:
        raise problem_with("--company", notice("company_in_cm"), hint=notice("write_size_in_cm", size=usual))
    else:
        made = generate_company_map(number, whole)
    _present_map(made, out, svg, as_json, lang)


def _generated_for(game: str, choices: Sequence[str], seed: int | None) -> Any:
    """The map that a game makes from a seed for what players agree on."""
    if not game:
        raise problem_with("--set", notice("no_game_named"), hint=notice("name_a_game", games=list(ids())))
    if game not in ids():
        raise unknown(game)
    made = load(game)
    agreed = made.agreed(show.agreed(made, choices))
    return made.generate_map(show.drawn_seed() if seed is None else seed, agreed)


def _present_map(map: Any, out: Path | None, svg: Path | None, as_json: bool, lang: str) -> None:
    if out is not None:
        show.write_text(out, map.to_toml())
    if svg is not None:
        from oriflamme.drawing.svg import draw_map

        show.write_text(svg, draw_map(map, lang=lang))
    if as_json:
        show.say_json({"out": str(out) if out else None, "svg": str(svg) if svg else None, **map.to_data()})
        return
    from rich.text import Text

    from oriflamme.cli.phrases import words
    from oriflamme.drawing.terminal import map_text

    show.say(show.name_of(map.name, lang) + f" ({map.id})", "bold")
    show.say(Text.from_ansi(map_text(map, min(show.width(), 120), lang, colour=show.has_colour())))
    for path, what in ((out, words(lang)["library"]["written"]), (svg, words(lang)["drawn_as"])):
        if path is not None:
            show.say(what.format(path=path), "dim")
