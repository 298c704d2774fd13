"""What a picture of a battle says in words: of figures, objectives and tokens, and in the list of forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from oriflamme.drawing.words import fate_words, length_text, pool_words, state_words, waiting_words, words
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.picture.shown import (
    AreaShown,
    BorderShown,
    FigureShown,
    ObjectiveShown,
    StateShown,
    TableShown,
    TokenShown,
    UnitShown,
)
from oriflamme.engine.picture.signs import Signs
from oriflamme.engine.words.outcomes import side_letter


class Row(msgspec.Struct, frozen=True):
    """One unit in the list of forces."""

    tag: str
    name: str
    strength: str
    states: tuple[StateShown, ...]
    gone: str
    waiting: str


class Force(msgspec.Struct, frozen=True):
    """One side in the list of forces."""

    side: int
    name: str
    rows: tuple[Row, ...]


class Captions:
    """A battle in words."""

    def __init__(
        self,
        shown: TableShown,
        signs: Signs,
        tags: Mapping[str, str],
        lang: str,
        sides: Sequence[str],
        measure: str,
    ) -> None:
        self.shown = shown
        self.signs = signs
        self.tags = tags
        self.lang = lang
        self.words = words(lang)
        self.sides = sides
        self.measure = measure

    def side_name(self, side: int) -> str:
        if side < len(self.sides):
            return self.sides[side]
        players = self.shown.players
        return f"{self.words['side']} {side_letter(side, players)}" if side < players else self.words["nobodys"]

    def force(self, side: int) -> Force:
        return Force(side, self.side_name(side), tuple(self._row(unit) for unit in self.shown.units_of(side)))

    def _row(self, unit: UnitShown) -> Row:
        return Row(
            self.tags[unit.id],
            unit.name_in(self.lang),
            self._strength(unit),
            unit.states,
            gone="" if unit.figures else fate_words(self.signs, unit, self.lang),
            waiting="" if unit.on_table else waiting_words(self.signs, unit, self.lang),
        )

    def _strength(self, unit: UnitShown) -> str:
        """Figures left of those it began with; for a single figure, the wounds it can still take, or its states."""
        if unit.start == 1 and unit.figures:
            figure = unit.figures[0]
            if figure.tough > 1:
                return f"{figure.tough - figure.wounds}/{figure.tough}"
            return ", ".join(state_words(self.signs, state, self.lang) for state in unit.states)
        return f"{len(unit.figures)}/{unit.start}"

    def figure_title(self, unit: UnitShown, figure: FigureShown, number: int) -> str:
        said = self.words
        parts = [f"{self.tags[unit.id]} {unit.name_in(self.lang)}"]
        if len(unit.figures) > 1:
            parts.append(f"{said['figure']} {number} {said['of']} {len(unit.figures)}")
        if figure.hero:
            parts.append(said["hero"])
        if figure.tough > 1:
            taken = said["wound" if figure.wounds == 1 else "wounds"]
            parts.append(f"{figure.wounds} {said['of']} {figure.tough} {taken}")
        if unit.leader is figure:
            parts.append(said["leader"])
        parts += [state_words(self.signs, state, self.lang) for state in unit.states]
        parts += [pool_words(self.signs, pool, self.lang) for pool in unit.pools]
        if abs(figure.z) > TOLERANCE:
            word = said["high"] if figure.z > 0 else said["deep"]
            parts.append(f"{length_text(abs(figure.z), self.measure)} {word}")
        return ", ".join(parts)

    def fallen_title(self, unit: UnitShown) -> str:
        return f"{self.tags[unit.id]} {unit.name_in(self.lang)}: {self.words['fallen']}"

    def token_title(self, token: TokenShown) -> str:
        name = self.signs.word("token", token.kind, self.lang)
        return name if token.owner is None else f"{name}: {self.side_name(token.owner)}"

    def border_title(self, border: BorderShown) -> str:
        return f"{self.signs.word('border', border.kind, self.lang)}: {self.side_name(border.side)}"

    def area_title(self, area: AreaShown) -> str:
        return f"{self.signs.word('area', area.kind, self.lang)}: {self.side_name(area.side)}"

    def objective_title(self, objective: ObjectiveShown, number: int) -> str:
        said = self.words
        owner = said["neutral"] if objective.owner is None else f"{said['held']} {self.side_name(objective.owner)}"
        return f"{said['objective']} {number}: {owner}"
