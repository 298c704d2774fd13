"""Eyes and lights at night (LFW-ENV-02, -03, LFW-SR-MOR-06)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.lfw.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.lfw.sight import Looking


@keyword("LFW-ENV-02", "Night sight")
class NightSight(Keyword):
    """Sees as far at night as by day."""

    def when_looking(self, looking: Looking) -> None:
        looking.night_sight = True


@keyword("LFW-ENV-03", "Luminous")
class Luminous(Keyword):
    """At night, every unit within 9" of it in a free line can be seen normally, and so can it."""

    def when_looking(self, looking: Looking) -> None:
        looking.luminous = True
