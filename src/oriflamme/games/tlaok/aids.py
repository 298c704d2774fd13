"""What Conquest shows at the table before anything is decided."""

from __future__ import annotations

from oriflamme.engine.aids import Aids, Strike
from oriflamme.engine.decisions import Decision, Option


class TlaokAids(Aids):
    """The aids of Conquest: The Last Argument of Kings."""

    def strike(self, decision: Decision, option: Option) -> Strike | None:
        by = decision.about.get("regiment", "")
        if decision.ask == "charge_target":
            return Strike(by, option.key, True)
        if decision.ask == "shoot_target":
            return Strike(by, option.facts["target"], False)
        return None
