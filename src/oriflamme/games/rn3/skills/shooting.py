"""Skills of shooters, and of those who are shot at (RN3-SKL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.rn3.moments import Keyword, keyword
from oriflamme.games.rn3.trials import PLAIN, Trial

if TYPE_CHECKING:
    from oriflamme.games.rn3.salvos import Salvo
    from oriflamme.games.rn3.shooting import Permission


@keyword("RN3-SKL-19", "Dodge")
class Dodge(Keyword):
    """Successes of ranged Attack tests against him are thrown again once more."""

    __slots__ = ()

    def before_test_against(self, trial: Trial) -> None:
        if trial.kind == "ranged_attack":
            trial.retry_successes(self.title, self.rule)


@keyword("RN3-SKL-43", "Instinctive shot")
class InstinctiveShot(Keyword):
    """May shoot at engaged enemies."""

    __slots__ = ()

    def when_choosing_target(self, permission: Permission) -> None:
        permission.at_engaged = True


@keyword("RN3-SKL-44", "Assault shot")
class AssaultShot(Keyword):
    """After a successful charge of the unit, those in contact may shoot with difficulty 0, before the melee."""

    __slots__ = ()

    def when_choosing_target(self, permission: Permission) -> None:
        permission.after_charge = True


@keyword("RN3-SKL-45", "Marksman")
class Marksman(Keyword):
    """Ranged Force tests: columns 5+, 6 and défi count as 4+."""

    __slots__ = ()

    def when_column_is_read(self, trial: Trial) -> None:
        if trial.kind == "ranged_force" and trial.read_column < PLAIN:
            trial.read_as_plain(self)


@keyword("RN3-SKL-46", "Piercing shot")
class PiercingShot(Keyword):
    """The unit may eliminate more models than it has shooters."""

    __slots__ = ()

    def when_shooting(self, salvo: Salvo) -> None:
        salvo.most_losses = None


@keyword("RN3-SKL-49", "Aim")
class Aim(Keyword):
    """Adds ATT to FOR in ranged Force tests if at least one member of the unit did not move in its activation."""

    __slots__ = ()

    def before_test(self, trial: Trial) -> None:
        if trial.kind == "ranged_force" and trial.melee.stood:
            trial.add(trial.melee.att, self.title, self.rule)
