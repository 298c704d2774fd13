"""What the type of a unit gives it (LFW-UNIT-01 to -04, T-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.lfw.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.lfw.attack import Attack


@keyword("LFW-UNIT-03", "Monster")
class Monster(Keyword):
    """Parry of infantry and beasts counts 1 less against it."""

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee" and attack.target.sheet.type in ("infantry", "beast"):
            attack.guard.change(-1, self)


@keyword("LFW-SR-BLD-01", "Monstrous attack")
class MonstrousAttack(Keyword):
    """Ignores the parry of infantry, beasts and classic cavalry; what fewer attacks add to it too."""

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee" and _is_small(attack):
            attack.guard.hold(0, self)


def _is_small(attack: Attack) -> bool:
    """Infantry or a beast; of a duo both are, or its role is classic as a house rule says."""
    parts = attack.target_model.alive if attack.target_model.duo else [attack.target]
    if attack.target_model.duo and attack.rulings.classic_by_role:
        return all(part.sheet.role == "classic" for part in parts)
    return all(part.sheet.type in ("infantry", "beast") for part in parts)
