"""When a unit strikes in a combat (LFW-SR-BLD-04, -05)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.lfw.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.lfw.precedence import Precedence


@keyword("LFW-SR-BLD-05", "Strike first")
class StrikeFirst(Keyword):
    """Fights before the other units of the combat; its wounds are resolved at once."""

    def when_order_is_set(self, precedence: Precedence) -> None:
        precedence.first |= precedence.about == "strike"


@keyword("LFW-SR-BLD-04", "Strike last")
class StrikeLast(Keyword):
    """Fights after the wounds of the combat are resolved."""

    def when_order_is_set(self, precedence: Precedence) -> None:
        precedence.last |= precedence.about == "strike"
