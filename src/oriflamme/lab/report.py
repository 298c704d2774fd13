"""What a tournament says: ratings, who beats whom, which units live, each with how sure it is. Plain data; what a
person reads is made of it by `lab.report_page` and the command line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from typing import Final

import msgspec

from oriflamme.lab.league import Scoring, Standing, standings
from oriflamme.lab.ratings import ratings
from oriflamme.lab.simulate import Share, Z, wilson
from oriflamme.lab.tournament import Kept, Line, Tournament, digest, matches_of

EACH_MEETS_EACH: Final = Scoring(bye=0)


class Entrant(msgspec.Struct, frozen=True):
    """How one entry has done."""

    name: str
    battles: int
    wins: Share
    rating: float
    low: float
    high: float
    score: float
    """What it scores in a battle, on average, and what is scored against it."""
    against: float
    lost: float
    """The part of its figures that it loses, and of the others' that it kills."""
    killed: float


class Cell(msgspec.Struct, frozen=True):
    """What the first has won against the second."""

    first: str
    second: str
    battles: int
    wins: Share


class UnitRow(msgspec.Struct, frozen=True):
    """How a unit of an entry has fared: the part of its figures that lives, and how often all of them do or none."""

    entry: str
    unit: str
    name: str | dict[str, str]
    battles: int
    figures: float
    lives: Share
    whole: float
    wiped: float


class Part(msgspec.Struct, frozen=True):
    """The battles of one scenario, or of so many rounds: how many, and what each entry has won of its own."""

    name: str
    battles: int
    wins: dict[str, Share]


class Change(msgspec.Struct, frozen=True):
    """What a house rule changes for an entry: wins without and with it, and by how much, on the same dice."""

    name: str
    battles: int
    without: float
    with_it: float
    change: float
    low: float
    high: float


class Report(msgspec.Struct, frozen=True):
    """All of it."""

    game: str
    battles: int
    seed: int
    rounds: float
    decisions: float
    entrants: tuple[Entrant, ...]
    standings: tuple[Standing, ...]
    cells: tuple[Cell, ...]
    units: tuple[UnitRow, ...]
    scenarios: tuple[Part, ...]
    lengths: tuple[Part, ...]
    changes: tuple[Change, ...]
    versus: dict[str, str]
    digest: str


def report(cup: Tournament, lines: Iterable[Line]) -> Report:
    """What these results say."""
    known = {line.key: line for line in lines}
    usual = [line for line in known.values() if line.variant == 0]
    number = max(len(usual), 1)
    return Report(
        cup.game,
        len(known),
        cup.seed,
        rounds=round(sum(line.rounds for line in usual) / number, 2),
        decisions=round(sum(line.decisions for line in usual) / number, 1),
        entrants=_entrants(cup, usual),
        standings=tuple(standings(cup.names, matches_of(cup, known), Scoring() if cup.swiss else EACH_MEETS_EACH)),
        cells=_cells(cup, usual),
        units=_units(cup, usual),
        scenarios=_parts(cup, usual, lambda line: line.scenario),
        lengths=_parts(cup, usual, lambda line: f"{line.rounds:03d}"),
        changes=_changes(cup, known),
        versus=cup.versus,
        digest=digest(known.values()),
    )


def _share(wins: float, battles: int) -> Share:
    low, high = wilson(wins, battles)
    return Share(wins, round(wins / battles, 4) if battles else 0.0, round(low, 4), round(high, 4))


def _seen_by(line: Line, name: str) -> tuple[float, int, int, float, float]:
    """A battle from the place of one of both: its share, its score, the other's, what it lost and what it killed."""
    mine = 0 if line.first == name else 1
    lost = [_fallen(kept) for kept in line.kept]
    share = line.share if mine == 0 else 1 - line.share
    return share, line.score[mine], line.score[1 - mine], lost[mine], lost[1 - mine]


def _fallen(kept: Sequence[Kept]) -> float:
    """The part of these figures that has fallen."""
    began = sum(unit.began for unit in kept)
    return 1 - sum(unit.left for unit in kept) / began if began else 0.0


def _of(lines: Iterable[Line], name: str) -> list[Line]:
    return [line for line in lines if name in (line.first, line.second)]


def _entrants(cup: Tournament, lines: list[Line]) -> tuple[Entrant, ...]:
    rated = ratings(cup.names, ((line.first, line.second, line.share) for line in lines))
    found = []
    for name in cup.names:
        seen = [_seen_by(line, name) for line in _of(lines, name)]
        number = max(len(seen), 1)
        _, score, against, lost, killed = (round(sum(one[column] for one in seen) / number, 4) for column in range(5))
        rating = rated[name]
        found.append(
            Entrant(
                name,
                len(seen),
                _share(sum(one[0] for one in seen), len(seen)),
                round(rating.rating),
                round(rating.low),
                round(rating.high),
                score,
                against,
                lost,
                killed,
            )
        )
    return tuple(sorted(found, key=lambda entrant: -entrant.rating))


def _cells(cup: Tournament, lines: list[Line]) -> tuple[Cell, ...]:
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for line in lines:
        shares[line.first, line.second].append(line.share)
        shares[line.second, line.first].append(1 - line.share)
    return tuple(
        Cell(one, other, len(shares[one, other]), _share(sum(shares[one, other]), len(shares[one, other])))
        for one in cup.names
        for other in cup.names
        if shares.get((one, other))
    )


def _units(cup: Tournament, lines: list[Line]) -> tuple[UnitRow, ...]:
    rows = []
    for entry in cup.names:
        units: dict[str, list[tuple[str | dict[str, str], int, int]]] = defaultdict(list)
        for line in _of(lines, entry):
            for unit in line.kept[0 if line.first == entry else 1]:
                units[unit.unit].append((unit.name, unit.began, unit.left))
        for id, seen in units.items():
            number = len(seen)
            lives = _share(sum(left / began for _, began, left in seen), number)
            rows.append(
                UnitRow(
                    entry,
                    id,
                    seen[0][0],
                    number,
                    round(sum(began for _, began, _ in seen) / number, 2),
                    lives,
                    round(sum(left == began for _, began, left in seen) / number, 4),
                    round(sum(left == 0 for _, _, left in seen) / number, 4),
                )
            )
    return tuple(rows)


def _parts(cup: Tournament, lines: list[Line], part_of: Callable[[Line], str]) -> tuple[Part, ...]:
    parts: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        parts[part_of(line)].append(line)
    return tuple(Part(name.lstrip("0") or name, len(some), _wins_of(cup, some)) for name, some in sorted(parts.items()))


def _wins_of(cup: Tournament, lines: list[Line]) -> dict[str, Share]:
    found = {}
    for name in cup.names:
        shares = [_seen_by(line, name)[0] for line in _of(lines, name)]
        if shares:
            found[name] = _share(sum(shares), len(shares))
    return found


def _changes(cup: Tournament, known: Mapping[str, Line]) -> tuple[Change, ...]:
    """What the other house rule changes, battle by battle: the same lists, table, seats and dice."""
    twins: dict[tuple[str, str, int, bool], dict[int, Line]] = defaultdict(dict)
    for line in known.values():
        twins[line.first, line.second, line.table, line.turned][line.variant] = line
    pairs = [two for two in twins.values() if len(two) > 1]
    found = []
    for name in cup.names if pairs else ():
        both = [[_seen_by(two[n], name)[0] for n in (0, 1)] for two in pairs if name in (two[0].first, two[0].second)]
        if not both:
            continue
        number = len(both)
        before, after = (sum(column) / number for column in zip(*both, strict=True))
        gains = [b - a for a, b in both]
        change = sum(gains) / number
        spread = Z * sqrt(sum((gain - change) ** 2 for gain in gains) / max(number - 1, 1) / number)
        low, high = max(-1.0, change - spread), min(1.0, change + spread)
        found.append(Change(name, number, *(round(value, 4) for value in (before, after, change, low, high))))
    return tuple(found)
