"""Skills of movement (RN3-SKL): who leaps, who flies, who scouts ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.core.events import Refusal
from oriflamme.games.rn3.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.rn3.deployment import Deploying
    from oriflamme.games.rn3.formation import FormationChange
    from oriflamme.games.rn3.targets import Targeting
    from oriflamme.games.rn3.ways import Gait


@keyword("RN3-SKL-05", "Leap")
class Leap(Keyword):
    """Moves over friends, enemies and melees, and over obstacles up to 10 cm high and 10 cm wide; it ends on none."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.leap(self)


@keyword("RN3-SKL-17", "Scout")
class Scout(Keyword):
    """A unit of scouts alone deploys anywhere, and is no target until it is revealed."""

    __slots__ = ()

    def before_deployment(self, deploying: Deploying) -> None:
        deploying.anywhere += 1

    def before_targeted(self, targeting: Targeting) -> None:
        if not targeting.target.revealed:
            targeting.hide(Refusal(self.rule, "not_revealed", {"target": targeting.target.id}))


@keyword("RN3-SKL-50", "Flight")
class Flight(Keyword):
    """Moves over obstacles and units; a unit of such fighters is always dispersed."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.fly(self)

    def before_forming(self, change: FormationChange) -> None:
        if change.formation == "compact":
            change.never(self)
