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
    """Ignores the parry of infantry, beasts and classic cavalry."""

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee" and attack.target.sheet.type in ("infantry", "beast"):
            attack.guard.hold(0, self)


@keyword("LFW-SR-MOR-05", "Fear of fire")
class FearOfFire(Keyword):
    """Attacked with fire, it is eligible for morale."""
