"""Rules of morale (LFW-SR-MOR)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.geometry.measure import inches
from oriflamme.games.lfw.auras import farther
from oriflamme.games.lfw.ground import within
from oriflamme.games.lfw.moments import Keyword, keyword
from oriflamme.games.lfw.morale import add_cause

if TYPE_CHECKING:
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.courage import Courage
    from oriflamme.games.lfw.morale import Eligibility
    from oriflamme.games.lfw.state import Battle


@keyword("LFW-SR-MOR-01", "Undauntable")
class Undauntable(Keyword):
    """Passes all courage tests."""

    __slots__ = ()

    def before_courage(self, courage: Courage) -> None:
        courage.passes = True


@keyword("LFW-SR-MOR-02", "Steadfast")
class Steadfast(Keyword):
    """Passes the courage tests of the morale phase."""

    __slots__ = ()

    def before_courage(self, courage: Courage) -> None:
        courage.passes |= courage.about == "morale"


@keyword("LFW-SR-MOR-03", "Terror({x})")
class Terror(Keyword):
    """Enemies within X" are eligible for morale; three where no number is written."""

    __slots__ = ()
    usual = 3

    def when_morale_is_gathered(self, eligibility: Eligibility) -> None:
        battle, model = eligibility.battle, eligibility.model
        for enemy in battle.enemies_of(model):
            if within(battle, model, enemy, inches(self.x + farther(eligibility.bearer))):
                eligibility.affect(enemy, "terror", self.rule)


@keyword("LFW-SR-MOR-04", "Veteran")
class Veteran(Keyword):
    """Only modifiers that help count in its courage tests."""

    __slots__ = ()

    def before_courage(self, courage: Courage) -> None:
        courage.unmodified = True


@keyword("LFW-SR-MOR-05", "Fear of fire")
class FearOfFire(Keyword):
    """Attacked with fire, it is eligible for morale."""

    __slots__ = ()

    def after_attacked(self, attack: Attack, battle: Battle) -> None:
        if attack.flaming and (attack.hits or battle.option("lfw.fearOfFire") == "attacked"):
            by = attack.attacker.id if attack.attacker is not None else ""
            add_cause(battle, attack.target_model, "fire", by, self.rule)
