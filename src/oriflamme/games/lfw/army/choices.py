"""What a specialist's skills leave open is chosen as the list is written (LFW-ARMY-12): which spell, which weapon."""

from __future__ import annotations

from oriflamme.engine.lists.reading import Options
from oriflamme.engine.words.notices import Notice
from oriflamme.games.lfw.sheets import SheetData


class Choice:
    """A specialist in the making, as its skills see it one by one: its sheet with options, the spells it knows by now,
    the house rules. A skill that cannot be taken so refuses."""

    def __init__(self, sheet: SheetData, spells: tuple[str, ...], options: Options) -> None:
        self.sheet = sheet
        self.spells = spells
        self.options = options
        self.refusals: list[tuple[Notice, str]] = []

    @property
    def melee_weapons(self) -> list[str]:
        return [weapon.id for weapon in self.sheet.weapons if weapon.range is None]

    def refuse(self, what: Notice, rule: str) -> None:
        self.refusals.append((what, rule))
