"""What a side is shown, as tables of numbers: of what its view shows (`engine.picture`) and nothing else.

Lengths are in metres from the middle of the table, and the table is turned so that the side looks away from itself.
Words, such as names, states and kinds, are told apart by signs of 1 and -1 that follow from the word (`signs_of`).
docs/research.md has the columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import cos, hypot, log1p, sin
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oriflamme.engine.core.game import Game
from oriflamme.engine.picture.shown import UnitShown
from oriflamme.engine.table.pieces import Table
from oriflamme.research.micro import KINDS, SUGGESTED, Asking, Row

Rows = NDArray[np.float32]
# No number is further from 0.
BOUND: Final = 8.0
METRE: Final = 1000.0
NAME_SIGNS: Final = 12
ASK_SIGNS: Final = 16
WORD_SIGNS: Final = 12
KIND_SIGNS: Final = 8
FACTS: Final = 4

UNIT: Final = (
    "there", "own", "friend", "enemy", "on_table", "asked", "x", "y", "sin", "cos", "figures", "at_first", "wounds",
    "tough", "hero", "left", "pools",
)  # fmt: skip
FIGURE: Final = (
    "there", "own", "friend", "enemy", "x", "y", "z", "sin", "cos", "radius", "height", "wounds", "tough", "hero",
    "unit",
)  # fmt: skip
PIECE: Final = ("there", "x", "y", "half_width", "half_depth", "height", "round")
MARK: Final = ("there", "x", "y", "reach", "own", "enemy", "objective")
QUESTION: Final = (
    "asked", *KINDS, "least", "most", "picked", "steps", "rows", "whole", "round", "last_round", "progress", "score",
    "enemy_score",
)  # fmt: skip
OPTION: Final = (
    "there", "open", "whole", "suggested", "picked", "room", "own", "enemy", "unit", "at_place", "x", "y", "dx", "dy",
    "sin", "cos", "figures", "near_enemy", "near_own", "near_objective",
)  # fmt: skip


class Sizes(NamedTuple):
    """How many rows each table has. Where there are more units, figures, pieces or marks, the last are left out; where
    there are more options, they come page by page."""

    units: int = 48
    figures: int = 160
    pieces: int = 32
    marks: int = 24
    options: int = 64


@lru_cache(maxsize=65536)
def signs_of(word: str, number: int) -> tuple[float, ...]:
    """So many signs, 1 or -1, that tell a word from others; 0 for no word."""
    if not word:
        return (0.0,) * number
    bits = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
    return tuple([1.0 if bits >> n & 1 else -1.0 for n in range(number)])


class Frame(NamedTuple):
    """How a side looks at the table: from its own edge."""

    width: float
    depth: float
    turned: bool

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place, in metres from the middle."""
        dx, dy = (x - self.width / 2) / METRE, (y - self.depth / 2) / METRE
        return (-dx, -dy) if self.turned else (dx, dy)

    def way(self, angle: float) -> tuple[float, float]:
        """A direction, by its sine and cosine."""
        s, c = sin(angle), cos(angle)
        return (-s, -c) if self.turned else (s, c)


class Scene:
    """What a side sees while it is asked one question, in tables. Only the rows of options change with micro-steps."""

    def __init__(self, tables: Tables, view: Any, turned: bool) -> None:
        game, battle, side = tables.game, view.battle, view.side
        picture = game.picture()
        self.side, self.sizes = side, tables.sizes
        self.frame = Frame(battle.table.width, battle.table.depth, turned)
        self.friends = battle.friendly_sides(side)
        shown = [picture.unit(unit) for unit in battle.units.values()]
        self.units: list[UnitShown] = sorted(shown, key=lambda unit: self._whose(unit.side))
        self.number_of = {unit.id: number for number, unit in enumerate(self.units)}
        subject = picture.subject(view.decision) if view.decision is not None else ""
        self.unit_of = {unit.id: unit for unit in self.units}
        self.spots = {figure.id: (figure.x, figure.y) for unit in self.units for figure in unit.figures}
        self.owner = {figure.id: unit for unit in self.units for figure in unit.figures}
        self.places = {unit.id: _middle(unit) for unit in self.units if unit.is_standing}
        objectives, tokens = list(picture.objectives(battle)), list(picture.tokens(battle))
        self.objectives = [(one.x, one.y) for one in objectives]
        self.spots |= {token.id: (token.x, token.y) for token in tokens}
        self.enemies = [self.places[u.id] for u in self.units if u.side not in self.friends and u.id in self.places]
        self.own = {u.id: self.places[u.id] for u in self.units if u.side == side and u.id in self.places}
        self.subject = subject
        self.arrays: dict[str, Rows] = {
            "units": _table(tables.sizes.units, tables.unit_width, self._unit_rows(tables, subject)),
            "figures": _table(tables.sizes.figures, len(FIGURE), self._figure_rows()),
            "pieces": tables.pieces(battle.table, self.frame),
            "marks": _table(tables.sizes.marks, len(MARK) + KIND_SIGNS, self._mark_rows(objectives, tokens)),
        }
        score = list(game.score(battle))
        theirs = [score[other] for other in range(len(score)) if other not in self.friends]
        self.standing = (
            battle.round / 10,
            picture.last_round(battle) / 10,
            game.progress(battle),
            _soft(score[side] if side < len(score) else 0),
            _soft(max(theirs, default=0)),
        )

    def _whose(self, side: int | None) -> int:
        """0 for the side itself, 1 for its friends, 2 for others."""
        return 0 if side == self.side else 1 if side in self.friends else 2

    def _owned(self, side: int | None) -> tuple[float, float, float]:
        whose = self._whose(side)
        return (float(whose == 0), float(whose == 1), float(whose == 2))

    def _unit_rows(self, tables: Tables, subject: str) -> Iterable[Sequence[float]]:
        for unit in self.units[: self.sizes.units]:
            x, y = self.frame.at(*self.places[unit.id]) if unit.id in self.places else (0.0, 0.0)
            first = unit.figures[0] if unit.figures else None
            facing = unit.block.facing if unit.block is not None else unit.facing
            s, c = (0.0, 0.0)
            if first is not None and unit.on_table:
                s, c = self.frame.way(first.facing if facing is None else facing)
            yield (
                1.0, *self._owned(unit.side), float(unit.on_table), float(unit.id == subject), x, y, s, c,
                len(unit.figures) / 10, unit.start / 10, sum([f.wounds for f in unit.figures]) / 10,
                sum([f.tough for f in unit.figures]) / 10, float(any(f.hero for f in unit.figures)),
                float(bool(unit.fate)), sum([pool.left for pool in unit.pools]) / 10,
                *tables.states_of(unit), *signs_of(unit.name.get("en", ""), NAME_SIGNS),
            )  # fmt: skip

    def _figure_rows(self) -> Iterable[Sequence[float]]:
        left = self.sizes.figures
        for number, unit in enumerate(self.units):
            if not unit.on_table:
                continue
            owned = self._owned(unit.side)
            for f in unit.figures[:left]:
                yield (
                    1.0, *owned, *self.frame.at(f.x, f.y), f.z / METRE, *self.frame.way(f.facing), f.radius / 100,
                    f.height / 100, f.wounds / 10, f.tough / 10, float(f.hero), number / 10,
                )  # fmt: skip
            left -= len(unit.figures[:left])

    def _mark_rows(self, objectives: Sequence[Any], tokens: Sequence[Any]) -> list[Sequence[float]]:
        rows = [
            (one, 1.0, one.reach, "objective") for one in objectives
        ] + [(one, 0.0, one.radius, one.kind) for one in tokens]  # fmt: skip
        return [
            (
                1.0, *self.frame.at(one.x, one.y), reach / METRE, float(one.owner == self.side),
                float(one.owner is not None and one.owner not in self.friends), goal, *signs_of(kind, KIND_SIGNS),
            )
            for one, goal, reach, kind in rows[: self.sizes.marks]
        ]  # fmt: skip

    # -- the question --------------------------------------------------------------------------------------------------

    def question(self, asking: Asking | None) -> Rows:
        """The question, and how things stand."""
        if asking is None:
            numbers = [0.0] * (len(QUESTION) - len(self.standing)) + [*self.standing, *signs_of("", ASK_SIGNS)]
            return _clipped(np.array(numbers, dtype=np.float32))
        decision = asking.decision
        return _clipped(
            np.array(
                [
                    1.0, *(float(decision.kind == kind) for kind in KINDS), _soft(getattr(decision, "least", 0)),
                    _soft(getattr(decision, "most", 0)), _soft(sum(asking.picked.values())), _soft(asking.steps),
                    _soft(len(asking.rows)), float(asking.whole), *self.standing, *signs_of(decision.ask, ASK_SIGNS),
                ],
                dtype=np.float32,
            )
        )  # fmt: skip

    def options(self, asking: Asking | None) -> Rows:
        """What may be pointed at."""
        rows = [] if asking is None else [self._option_row(asking, row) for row in asking.shown]
        return _table(self.sizes.options, len(OPTION) + FACTS + WORD_SIGNS, rows)

    def _option_row(self, asking: Asking, row: Row) -> Sequence[float]:
        if row.drawn is not None:
            return (
                1.0, 1.0, 1.0, float(row.drawn == SUGGESTED), *(0.0,) * 5, *self._told(row.answer),
                *(0.0,) * (FACTS + WORD_SIGNS),
            )  # fmt: skip
        option, decision = row.option, asking.decision
        thing = next((id for id in (*option.things, option.key) if id in self.unit_of or id in self.owner), "")
        unit = self.unit_of.get(thing) or self.owner.get(thing)
        spot = _spot(option.facts.get("at")) or self._place(option.things, option.key)
        x, y, dx, dy = self._where(spot, self.places.get(self.subject))
        slots = getattr(decision, "slots", {})
        return (
            1.0, float(asking.is_open(row)), 0.0, float(getattr(decision, "default", None) == option.key),
            asking.picked.get(option.key, 0) / 10, slots.get(option.key, 0) / 10,
            float(unit is not None and unit.side == self.side),
            float(unit is not None and unit.side not in self.friends),
            self.number_of[unit.id] / 10 if unit is not None else -0.1,
            float(spot is not None), x, y, dx, dy, 0.0, 0.0, 0.0, *self._nearness(spot, ()),
            *_numbers_in(option.facts), *signs_of(option.word or ("" if unit is not None else option.key), WORD_SIGNS),
        )  # fmt: skip

    def _place(self, things: Sequence[str], key: str) -> tuple[float, float] | None:
        for id in (*things, key):
            spot = self.places.get(id) or self.spots.get(id)
            if spot is not None:
                return spot
        return None

    def _where(
        self, spot: tuple[float, float] | None, start: tuple[float, float] | None
    ) -> tuple[float, float, float, float]:
        if spot is None:
            return (0.0, 0.0, 0.0, 0.0)
        x, y = self.frame.at(*spot)
        if start is None:
            return (x, y, 0.0, 0.0)
        x0, y0 = self.frame.at(*start)
        return (x, y, x - x0, y - y0)

    def _nearness(self, spot: tuple[float, float] | None, but: Sequence[str]) -> tuple[float, float, float]:
        """How far it is to the nearest enemy, to the nearest unit of one's own, and to the nearest objective."""
        if spot is None:
            return (0.0, 0.0, 0.0)
        own = [place for id, place in self.own.items() if id not in but]
        return (_nearest(spot, self.enemies), _nearest(spot, own), _nearest(spot, self.objectives))

    def _told(self, answer: Any) -> Sequence[float]:
        """A whole answer: where its figures end, how far that is from where they stand, and what is near."""
        if not isinstance(answer, dict) or not all(isinstance(way, list | tuple) for way in answer.values()):
            return (0.0,) * (len(OPTION) - 9)
        ends = {figure: _end(way) for figure, way in answer.items() if len(way)}
        if not ends:
            return (0.0,) * (len(OPTION) - 9)
        # A block moves by the id of its unit.
        starts = [spot for id in ends if (spot := self.spots.get(id) or self.places.get(id)) is not None]
        spot = _mean([(end[0], end[1]) for end in ends.values()])
        x, y, dx, dy = self._where(spot, _mean(starts) if len(starts) == len(ends) else None)
        first = next(iter(ends.values()))
        way = self.frame.way(first[-1]) if len(first) > 2 else (0.0, 0.0)
        units = [
            id if id in self.unit_of else self.owner[id].id for id in ends if id in self.unit_of or id in self.owner
        ]
        return (1.0, x, y, dx, dy, *way, len(ends) / 10, *self._nearness(spot, units))


class Tables:
    """The tables of one game: how wide they are, and what does not change from one question to the next."""

    def __init__(self, game: Game, sizes: Sizes) -> None:
        self.game, self.sizes = game, sizes
        self.states = {state: number for number, state in enumerate(game.picture().signs.states)}
        self.unit_width = len(UNIT) + len(self.states) + NAME_SIGNS
        self._pieces: tuple[Table, bool, Rows] | None = None

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each table."""
        sizes = self.sizes
        return {
            "units": (sizes.units, self.unit_width),
            "figures": (sizes.figures, len(FIGURE)),
            "pieces": (sizes.pieces, len(PIECE) + KIND_SIGNS),
            "marks": (sizes.marks, len(MARK) + KIND_SIGNS),
            "question": (len(QUESTION) + ASK_SIGNS,),
            "options": (sizes.options, len(OPTION) + FACTS + WORD_SIGNS),
        }

    def states_of(self, unit: UnitShown) -> list[float]:
        """How often a unit is in each state."""
        found = [0.0] * len(self.states)
        for state in unit.states:
            if state.id in self.states:
                found[self.states[state.id]] = state.number / 3
        return found

    def pieces(self, table: Table, frame: Frame) -> Rows:
        """The terrain, which is the same as long as the table is."""
        kept = self._pieces
        if kept is not None and kept[0] is table and kept[1] == frame.turned:
            return kept[2]
        rows = []
        for piece in table.pieces[: self.sizes.pieces]:
            o = piece.outline
            rows.append(
                (
                    1.0, *frame.at((o.x0 + o.x1) / 2, (o.y0 + o.y1) / 2), (o.x1 - o.x0) / 2 / METRE,
                    (o.y1 - o.y0) / 2 / METRE, piece.height / 100, float(o.is_circle),
                    *signs_of(piece.kind, KIND_SIGNS),
                )
            )  # fmt: skip
        made = _table(self.sizes.pieces, len(PIECE) + KIND_SIGNS, rows)
        self._pieces = (table, frame.turned, made)
        return made


def is_turned(game: Game, battle: Any, side: int, before: bool | None) -> bool:
    """Whether a side looks at the table from its far edge: by the zone it deploys in, as long as that is shown, and by
    its number where none is."""
    zones = [zone.outline for zone in game.picture().zones(battle) if zone.side == side]
    if not zones:
        return side % 2 == 1 if before is None else before
    x, y = _mean([((o.x0 + o.x1) / 2, (o.y0 + o.y1) / 2) for o in zones])
    width, depth = battle.table.width, battle.table.depth
    return bool(y > depth / 2 + 1 or (abs(y - depth / 2) <= 1 and x > width / 2))


def _table(length: int, width: int, rows: Iterable[Sequence[float]]) -> Rows:
    made = np.zeros((length, width), dtype=np.float32)
    found = list(rows)
    if found:
        made[: len(found)] = found
        _clipped(made)
    return made


def _clipped(numbers: Rows) -> Rows:
    return np.clip(numbers, -BOUND, BOUND, out=numbers)


def _middle(unit: UnitShown) -> tuple[float, float]:
    if unit.block is not None:
        return (unit.block.x, unit.block.y)
    return _mean([(f.x, f.y) for f in unit.figures])


def _mean(spots: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return (sum([x for x, _ in spots]) / len(spots), sum([y for _, y in spots]) / len(spots))


def _nearest(spot: tuple[float, float], others: Iterable[tuple[float, float]]) -> float:
    x, y = spot
    return min([hypot(x - a, y - b) for a, b in others], default=BOUND * METRE) / METRE


def _spot(at: Any) -> tuple[float, float] | None:
    return (float(at[0]), float(at[1])) if isinstance(at, list | tuple) and len(at) == 2 else None


def _end(way: Sequence[Any]) -> tuple[float, ...]:
    """Where a way ends, or a place: x, y and perhaps the facing."""
    last = way[-1] if isinstance(way[-1], list | tuple) else way
    facing = [float(last[-1])] if len(last) > 2 and isinstance(last[-1], int | float) else []
    return (float(last[0]), float(last[1]), *facing)


def _soft(number: float) -> float:
    """Large numbers made small, their order kept."""
    return log1p(abs(number)) / 2 * (1 if number >= 0 else -1)


def _numbers_in(facts: dict[str, Any]) -> list[float]:
    """The first numbers among facts, in the order of their names."""
    if not facts:
        return [0.0] * FACTS
    found = [
        _soft(facts[name]) for name in sorted(facts) if isinstance(facts[name], int | float | bool) and name != "at"
    ][:FACTS]
    return found + [0.0] * (FACTS - len(found))
