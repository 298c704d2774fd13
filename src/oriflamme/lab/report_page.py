"""The report of a tournament as one HTML page that needs nothing else: nothing in it is taken for markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from oriflamme.engine.words import numbers
from oriflamme.lab.report import Part, Report
from oriflamme.lab.simulate import Share
from oriflamme.lab.tournament import name_of

STYLE: Final = """
:root { color-scheme: light dark; --ink: #2b2620; --paper: #f6f0e2; --line: #cbbfa5; --accent: #2f5d8a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e1cf; --paper: #23201b; --line: #57503f; --accent: #8fb7dd; } }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
body { color: var(--ink); background: var(--paper); }
h1, h2 { font-family: Georgia, serif; font-weight: 500; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, td.text { text-align: left; }
figure { margin: 1rem 0; background: #fff; padding: .5rem; width: fit-content; max-width: 100%; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
small { color: color-mix(in srgb, var(--ink) 75%, transparent); }
"""
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

Row = Sequence[str]


def page(report: Report, title: str, said: Mapping[str, str], drawn: Mapping[str, bytes], lang: str) -> str:
    """The whole page."""
    counts = made_of(report, said, lang)
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(counts)}</p>",
        f"<h2>{escape(said['entries'])}</h2>",
        _picture(drawn, "ratings", said["entries"]),
        _table(entrant_table(report, said, lang)),
        f"<h2>{escape(said['matrix'])}</h2><p><small>{escape(said['matrix_note'])}</small></p>",
        _picture(drawn, "matrix", said["matrix"]),
        _table(matrix_table(report, lang)),
        f"<h2>{escape(said['standings'])}</h2>",
        _table(standing_table(report, said)),
    ]
    if report.changes:
        rule = ", ".join(f"{key} = {value}" for key, value in report.versus.items())
        parts.append(
            f"<h2>{escape(said['changes'].format(rule=rule))}</h2><p><small>{escape(said['changes_note'])}</small></p>"
        )
        parts.append(_table(change_table(report, said, lang)))
    if len(report.scenarios) > 1:
        parts += [f"<h2>{escape(said['scenarios'])}</h2>", _table(part_table(report, report.scenarios, said, lang))]
    lengths = [_named(part, said["length"].format(number=part.name)) for part in report.lengths]
    parts += [f"<h2>{escape(said['lengths'])}</h2>", _table(part_table(report, lengths, said, lang))]
    parts += [f"<h2>{escape(said['units'])}</h2>", _table(unit_table(report, said, lang))]
    return _PAGE.format(lang=lang, policy=POLICY, title=escape(title), style=STYLE, body="\n".join(parts))


_PAGE: Final = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def made_of(report: Report, said: Mapping[str, str], lang: str) -> str:
    """How many battles there were, how long, and of what seed."""
    rounds, decisions = (numbers.decimal(one, lang) for one in (report.rounds, report.decisions))
    counts = {"battles": report.battles, "rounds": rounds, "decisions": decisions}
    return said["made_of"].format(**counts, seed=report.seed, digest=report.digest)


def percent(value: float, lang: str, *, sign: bool = False) -> str:
    return numbers.percent(value, lang, sign=sign, digits=1)


def bounds(share: Share, lang: str) -> str:
    return f"{percent(share.low, lang)} – {percent(share.high, lang)}"


def entrant_table(report: Report, said: Mapping[str, str], lang: str) -> list[Row]:
    """Ratings, with how sure they are; the first row has the headings."""
    heads = ("entry", "battles", "wins", "interval", "rating", "interval", "score", "against", "lost", "killed")
    rows = [
        (
            one.name,
            str(one.battles),
            percent(one.wins.rate, lang),
            bounds(one.wins, lang),
            f"{one.rating:.0f}",
            f"{one.low:.0f} – {one.high:.0f}",
            numbers.decimal(one.score, lang, ".1f"),
            numbers.decimal(one.against, lang, ".1f"),
            percent(one.lost, lang),
            percent(one.killed, lang),
        )
        for one in report.entrants
    ]
    return [[said[head] for head in heads], *rows]


def matrix_table(report: Report, lang: str) -> list[Row]:
    names = [one.name for one in report.entrants]
    cells = {(cell.first, cell.second): f"{percent(cell.wins.rate, lang)} ({cell.battles})" for cell in report.cells}
    return [["", *names], *([one, *(cells.get((one, other), "") for other in names)] for one in names)]


def standing_table(report: Report, said: Mapping[str, str]) -> list[Row]:
    heads = ("place", "entry", "points", "won", "drawn", "lost_games")
    rows = [
        (str(one.place), one.player, str(one.points), str(one.won), str(one.drawn), str(one.lost))
        for one in report.standings
    ]
    return [[said[head] for head in heads], *rows]


def change_table(report: Report, said: Mapping[str, str], lang: str) -> list[Row]:
    heads = ("entry", "battles", "without", "with_it", "change", "interval")
    rows = [
        (
            one.name,
            str(one.battles),
            percent(one.without, lang),
            percent(one.with_it, lang),
            percent(one.change, lang, sign=True),
            f"{percent(one.low, lang, sign=True)} – {percent(one.high, lang, sign=True)}",
        )
        for one in report.changes
    ]
    return [[said[head] for head in heads], *rows]


def part_table(report: Report, parts: Iterable[Part], said: Mapping[str, str], lang: str) -> list[Row]:
    names = [one.name for one in report.entrants]
    rows = [
        [
            part.name,
            str(part.battles),
            *(percent(part.wins[name].rate, lang) if name in part.wins else "" for name in names),
        ]
        for part in parts
    ]
    return [["", said["battles"], *names], *rows]


def unit_table(report: Report, said: Mapping[str, str], lang: str) -> list[Row]:
    heads = ("entry", "unit", "battles", "figures", "lives", "interval", "whole", "wiped")
    rows = [
        (
            one.entry,
            name_of(one.name, lang),
            str(one.battles),
            numbers.decimal(one.figures, lang),
            percent(one.lives.rate, lang),
            bounds(one.lives, lang),
            percent(one.whole, lang),
            percent(one.wiped, lang),
        )
        for one in report.units
    ]
    return [[said[head] for head in heads], *rows]


def _named(part: Part, name: str) -> Part:
    return Part(name, part.battles, part.wins)


def _table(rows: Sequence[Row]) -> str:
    head, *body = rows
    cells = "".join(f"<th scope='col'>{escape(text)}</th>" for text in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in body)
    return f"<div class='wide' tabindex='0'><table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table></div>"


def _picture(drawn: Mapping[str, bytes], name: str, alt: str) -> str:
    if name not in drawn:
        return ""
    # Its ids are its own: two pictures on one page would share them.
    svg = re.sub(r"<metadata>.*?</metadata>", "", drawn[name].decode(), flags=re.DOTALL)
    svg = re.sub(r"(\bid=\"|url\(#|href=\"#)", rf"\g<1>{name}-", svg)
    svg = svg[svg.index("<svg") :].replace("<svg", f"<svg role='img' aria-label='{escape(alt, quote=True)}'", 1)
    return f"<figure>{svg}</figure>"
