"""When a unit strikes in a combat (LFW-SR-BLD-04, -05)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.lfw.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.lfw.combat import Striking


@keyword("LFW-SR-BLD-05", "Strike first")
class StrikeFirst(Keyword):
    """Fights before the other units of the combat; its wounds are resolved at once."""

    def when_striking_order_is_set(self, striking: Striking) -> None:
        striking.first = True


@keyword("LFW-SR-BLD-04", "Strike last")
class StrikeLast(Keyword):
    """Fights after the wounds of the combat are resolved."""

    def when_striking_order_is_set(self, striking: Striking) -> None:
        striking.last = True
