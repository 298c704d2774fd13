"""What the table shows of Last Fantasy War."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import msgspec

from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import UnitShown
from oriflamme.games.lfw.state import Battle, Model


class LfwPicture(Picture[Battle, Model]):
    """Every unit is one figure."""

    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("unit", "target")

    def unit(self, unit: Model) -> UnitShown:
        return msgspec.structs.replace(
            super().unit(unit), name=unit.name, reserve=None if unit.place != "reserve" else "reserve"
        )
