"""Plots of a tournament, by matplotlib (`pip install oriflamme[lab]`): ratings, and who beats whom."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from oriflamme.lab.report import Report

INK: Final = "#2b2620"
BLUE: Final = "#2f5d8a"


def plots(report: Report, said: Mapping[str, str], kind: str) -> dict[str, bytes]:
    """The plots by name, as "svg" or "png"; none where matplotlib is not there."""
    try:
        import matplotlib as mpl
    except ImportError:
        return {}
    mpl.use("agg")
    style: dict[Any, Any] = {
        "font.family": "serif",
        "svg.fonttype": "path",
        "svg.hashsalt": "oriflamme",
        "text.color": INK,
    }
    with mpl.rc_context(style):
        return {"ratings": _ratings(report, said, kind), "matrix": _matrix(report, said, kind)}


def _ratings(report: Report, said: Mapping[str, str], kind: str) -> bytes:
    """A point for each entry with the bounds of its rating."""
    from matplotlib.figure import Figure

    rows = report.entrants[::-1]
    figure = Figure(figsize=(7.5, 0.9 + 0.36 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    middles = [one.rating for one in rows]
    bounds = [[one.rating - one.low for one in rows], [one.high - one.rating for one in rows]]
    axes.errorbar(middles, range(len(rows)), xerr=bounds, fmt="o", color=BLUE, capsize=3)
    axes.axvline(1500, color=INK, linewidth=0.6, linestyle=":")
    axes.set_yticks(range(len(rows)), [one.name for one in rows])
    axes.set_xlabel(said["rating_axis"])
    return _drawn(figure, kind)


def _matrix(report: Report, said: Mapping[str, str], kind: str) -> bytes:
    """A square for each pairing: what the row has won against the column."""
    from matplotlib.figure import Figure

    names = [one.name for one in report.entrants]
    rates = {(cell.first, cell.second): cell.wins.rate for cell in report.cells}
    size = 2.5 + 0.55 * len(names)
    figure = Figure(figsize=(size + 1.5, size), layout="constrained")
    axes = figure.add_subplot()
    grid = [[rates.get((one, other), float("nan")) for other in names] for one in names]
    image = axes.imshow(grid, cmap="RdBu", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            rate = rates.get((one, other))
            if rate is not None:
                colour = "white" if abs(rate - 0.5) > 0.3 else INK
                axes.text(column, row, f"{rate:.0%}", ha="center", va="center", color=colour, fontsize=8)
    figure.colorbar(image, ax=axes, shrink=0.7, label=said["share_axis"])
    return _drawn(figure, kind)


def _drawn(figure: Any, kind: str) -> bytes:
    made = BytesIO()
    figure.savefig(made, format=kind, dpi=110, metadata={"Date": None} if kind == "svg" else None)
    return made.getvalue()
