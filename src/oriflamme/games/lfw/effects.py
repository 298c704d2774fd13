"""What spells and command abilities leave on a unit where that is no special rule of chapter 33 (T-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.games.lfw.moments import Keyword, effect
from oriflamme.games.lfw.rules.morale import Terror
from oriflamme.games.lfw.rules.movement import RAPID

if TYPE_CHECKING:
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.courage import Courage
    from oriflamme.games.lfw.gait import Gait
    from oriflamme.games.lfw.permits import Permit
    from oriflamme.games.lfw.precedence import Precedence
    from oriflamme.games.lfw.stats import Stat
    from oriflamme.games.lfw.wounds import Wounding


@effect("LFW-ADC-01", "Better shots")
class BetterShots(Keyword):
    """+1 to hit rolls."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "ranged":
            attack.bonus.change(1, self)


@effect("LFW-ADC-02", "Better blows")
class BetterBlows(Keyword):
    """+1 to combat rolls."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee":
            attack.bonus.change(1, self)


@effect("LFW-ADC-04", "Heroic attack")
class HeroicAttack(Keyword):
    """Strength and Attack of its melee weapons +1."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee":
            attack.strength.change(1, self)
            attack.number.change(1, self)


@effect("LFW-ADC-07", "Better defence")
class BetterDefence(Keyword):
    """+1 to defence rolls."""

    __slots__ = ()

    def when_attacked(self, attack: Attack) -> None:
        attack.defence_bonus.change(1, self)


@effect("LFW-ADC-08", "At the double")
class AtTheDouble(Keyword):
    """Rapid in every move that is not a charge."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        if gait.kind != "charge":
            gait.hurry(RAPID, self)


@effect("LFW-CHG-21", "First to charge")
class FirstToCharge(Keyword):
    """Declares and resolves its charge before all others."""

    __slots__ = ()

    def when_order_is_set(self, precedence: Precedence) -> None:
        precedence.first |= precedence.about in ("declare", "resolve")


@effect("LFW-ADC-12", "Better courage")
class BetterCourage(Keyword):
    """+1 to courage tests."""

    __slots__ = ()

    def before_courage(self, courage: Courage) -> None:
        courage.bonus.change(1, self)


@effect("LFW-SPELL-W1", "Courage again")
class CourageAgain(Keyword):
    """Failed courage tests may be thrown again."""

    __slots__ = ()

    def before_courage(self, courage: Courage) -> None:
        courage.may_reroll = True


@effect("LFW-SPELL-T1", "Slowed({x})")
class Slowed(Keyword):
    """Movement X" less."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.change(-self.x, self.title, self.rule)


@effect("LFW-SPELL-T4", "Shaken ground")
class ShakenGround(Keyword):
    """Movement 1" less, except in flying moves."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        gait.on_ground.append((self.title, -1, self.rule))


@effect("LFW-SPELL-V3", "Better dodge")
class BetterDodge(Keyword):
    """Dodge +1."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "E":
            stat.improve(1, self)


@effect("LFW-SPELL-O4", "Hidden in shadow")
class HiddenInShadow(Keyword):
    """Dodge 3 if it was lower; nothing else is added."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "E" and stat.sum.base < 3:
            stat.sum.hold(3, self)


@effect("LFW-SPELL-S1", "Stronger weapons")
class StrongerWeapons(Keyword):
    """Strength of its weapons +1."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.own_weapon:
            attack.strength.change(1, self)


@effect("LFW-SPELL-L2", "Blessed sixes")
class BlessedSixes(Keyword):
    """Natural 6s on its hit and combat rolls are always critical."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        attack.six_is_critical = True


@effect("LFW-SPELL-L3", "Revealed")
class Revealed(Keyword):
    """Ranged attacks against it may throw failed hit rolls again."""

    __slots__ = ()

    def when_attacked(self, attack: Attack) -> None:
        attack.rerolls["hit"].help(self, elite=True)


@effect("LFW-SPELL-O5", "A memory")
class Memory(Keyword):
    """Suffers no wound."""

    __slots__ = ()

    def before_wounds(self, wounding: Wounding) -> None:
        wounding.ignored = True


@effect("LFW-SPELL-P2", "Held by thought")
class HeldByThought(Keyword):
    """Makes no move of its own choosing and no shot; flights that it must make are made."""

    __slots__ = ()

    def when_acting(self, permit: Permit) -> None:
        if permit.what != "cast":
            permit.forbidden_by = self.rule


@effect("LFW-SPELL-P5", "Seen through")
class SeenThrough(Keyword):
    """Its Terror frightens nobody."""

    __slots__ = ()

    def suppresses(self, other: AnyKeyword, subject: object) -> bool:
        return isinstance(other, Terror)


@effect("LFW-SPELL-P6", "Astral sight")
class AstralSight(Keyword):
    """May declare charges against enemies that it does not see."""

    __slots__ = ()

    def when_acting(self, permit: Permit) -> None:
        permit.sees_all |= permit.what == "charge"
