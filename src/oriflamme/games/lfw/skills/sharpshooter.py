"""Skills of sharpshooters (LFW-SHA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.geometry.measure import inches
from oriflamme.games.lfw.ground import within
from oriflamme.games.lfw.moments import Keyword, skill
from oriflamme.games.lfw.morale import add_cause

if TYPE_CHECKING:
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.shooting import Permission
    from oriflamme.games.lfw.state import Battle
    from oriflamme.games.lfw.stats import Stat

NEAR = 3  # inches round who was destroyed (LFW-SHA-08)


@skill("LFW-SHA-02", "Saturating fire")
class SaturatingFire(Keyword):
    """Each critical hit of its ranged attacks earns one more hit roll at -1, which earns nothing."""

    __slots__ = ()

    def after_hit_rolls(self, attack: Attack) -> None:
        if attack.kind == "ranged" and attack.criticals:
            attack.extra.append((attack.criticals, -1))


@skill("LFW-SHA-03", "Long range")
class LongRange(Keyword):
    """+6" range on its ranged weapons."""

    __slots__ = ()

    def when_choosing_weapon(self, permission: Permission) -> None:
        permission.range += 6


@skill("LFW-SHA-04", "Point blank")
class PointBlank(Keyword):
    """+1 Attack against a target within half the range."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "ranged" and attack.range and 2 * attack.distance <= attack.range + 1e-6:
            attack.number.change(1, self)


@skill("LFW-SHA-05", "Seasoned shooter")
class SeasonedShooter(Keyword):
    """CT improved by 1."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "CT":
            stat.improve(1, self)


@skill("LFW-SHA-06", "Mobile shooter")
class MobileShooter(Keyword):
    """Shoots heavy weapons after a normal move and others after a run, with -1 to the hit rolls."""

    __slots__ = ()

    def when_choosing_weapon(self, permission: Permission) -> None:
        permission.mobile = True

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "ranged" and attack.on_the_move:
            attack.bonus.change(-1, self)


@skill("LFW-SHA-07", "Precision")
class Precision(Keyword):
    """Dodge counts 1 less against its ranged attacks, that of cover too."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "ranged":
            attack.guard.change(-1, self)


@skill("LFW-SHA-08", "Suppressive fire")
class SuppressiveFire(Keyword):
    """Who it shoots at is eligible for morale, and friends near one it destroys."""

    __slots__ = ()

    def after_attack(self, attack: Attack, battle: Battle) -> None:
        if attack.kind != "ranged" or attack.from_melee or attack.attacker is None:
            return
        if attack.hits or battle.option("lfw.suppressionNeedsHit") == "no":
            add_cause(battle, attack.target_model, "suppression", attack.attacker.id, self.rule)

    def after_destroyed(self, attack: Attack, battle: Battle) -> None:
        victim = attack.target_model
        if attack.kind != "ranged" or attack.from_melee or attack.attacker is None:
            return
        for friend in battle.friends_of(attack.target):
            if friend is not victim and within(battle, victim, friend, inches(NEAR)):
                add_cause(battle, friend, "suppression", attack.attacker.id, self.rule)


@skill("LFW-SHA-09", "Lethal shot")
class LethalShot(Keyword):
    """Its ranged weapons are Precise(1) and Piercing."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "ranged" and attack.own_weapon:
            attack.make_precise(1, self)
            attack.piercing = True
