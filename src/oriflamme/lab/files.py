"""Results for other programs: CSV, and Parquet where pyarrow is there (`pip install oriflamme[lab]`)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from oriflamme.engine.core.save import write_whole
from oriflamme.lab.report import Report
from oriflamme.lab.tournament import Line, name_of

Row = dict[str, Any]


def battle_rows(lines: Iterable[Line]) -> list[Row]:
    """A row for each battle."""
    return [
        {
            "first": line.first,
            "second": line.second,
            "table": line.table,
            "first_seat": line.second if line.turned else line.first,
            "variant": line.variant,
            "share_of_first": line.share,
            "score_of_first": line.score[0],
            "score_of_second": line.score[1],
            "rounds": line.rounds,
            "decisions": line.decisions,
            "scenario": line.scenario,
            "fingerprint": line.fingerprint,
        }
        for line in sorted(lines, key=lambda line: line.key)
    ]


def entrant_rows(report: Report) -> list[Row]:
    """A row for each entry."""
    return [
        {
            "name": one.name,
            "battles": one.battles,
            "wins": one.wins.rate,
            "wins_low": one.wins.low,
            "wins_high": one.wins.high,
            "rating": one.rating,
            "rating_low": one.low,
            "rating_high": one.high,
            "score": one.score,
            "against": one.against,
            "figures_lost": one.lost,
            "figures_killed": one.killed,
        }
        for one in report.entrants
    ]


def unit_rows(report: Report) -> list[Row]:
    """A row for each unit of each entry."""
    return [
        {
            "entry": one.entry,
            "unit": one.unit,
            "name": name_of(one.name, "en"),
            "battles": one.battles,
            "figures": one.figures,
            "lives": one.lives.rate,
            "lives_low": one.lives.low,
            "lives_high": one.lives.high,
            "whole": one.whole,
            "wiped_out": one.wiped,
        }
        for one in report.units
    ]


def write_files(folder: Path, report: Report, lines: Iterable[Line]) -> list[Path]:
    """Write all tables into a folder, and say which files there are."""
    tables = {"battles": battle_rows(lines), "entries": entrant_rows(report), "units": unit_rows(report)}
    written = []
    for name, rows in tables.items():
        written.append(folder / f"{name}.csv")
        write_whole(written[-1], as_csv(rows).encode())
        if _write_parquet(folder / f"{name}.parquet", rows):
            written.append(folder / f"{name}.parquet")
    return written


def as_csv(rows: Sequence[Row]) -> str:
    text = StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """A name that a spreadsheet would take for a formula is text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def _write_parquet(path: Path, rows: Sequence[Row]) -> bool:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return False
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path)
    return True
