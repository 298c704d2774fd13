"""What the table shows of Last Fantasy War."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import msgspec

from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import LightShown, TokenShown, UnitShown
from oriflamme.games.lfw.sight import LIGHT, looking
from oriflamme.games.lfw.state import Battle, Model
from oriflamme.games.lfw.tokens import TREASURES, lying


class LfwPicture(Picture[Battle, Model]):
    """Every unit is one figure."""

    folder: ClassVar[Path] = Path(__file__).parent
    subjects: ClassVar[tuple[str, ...]] = ("unit", "target")

    heights: ClassVar[bool] = True

    def closed(self, battle: Battle) -> Iterable[str]:
        return battle.closed

    def night(self, battle: Battle) -> bool:
        return battle.night

    def lights(self, battle: Battle) -> Iterable[LightShown]:
        """Luminous scenery and units, at night (LFW-ENV-03, -04)."""
        if not battle.night:
            return
        for piece in battle.table.with_trait("luminous"):
            o = piece.outline
            yield LightShown(o.cx, o.cy, o.reach + LIGHT)
        for model in battle.there():
            if looking(battle, model).luminous:
                yield LightShown(model.body.x, model.body.y, model.body.radius + LIGHT)

    def tokens(self, battle: Battle) -> Iterable[TokenShown]:
        """Treasures that nobody holds, and markers of a search (LFW-OBJ-04, LFW-SCN7-03)."""
        markers = [token for token in battle.tokens.values() if token.kind not in TREASURES]
        return [
            TokenShown(token.id, token.kind, token.x, token.y, token.radius) for token in (*lying(battle), *markers)
        ]

    def unit(self, unit: Model) -> UnitShown:
        return msgspec.structs.replace(
            super().unit(unit), name=unit.name, reserve=None if unit.place != "reserve" else "reserve"
        )
