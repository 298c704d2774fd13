"""Skills of zealots (LFW-ZEL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.words.notices import notice
from oriflamme.games.lfw.ground import in_contact
from oriflamme.games.lfw.moments import Keyword, skill
from oriflamme.games.lfw.rules.build import Protection

if TYPE_CHECKING:
    from oriflamme.games.lfw.army.choices import Choice
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.auras import Aura
    from oriflamme.games.lfw.stats import Stat
    from oriflamme.games.lfw.wounds import Wounding

GUARD = 6  # protection (LFW-ZEL-02)


@skill("LFW-ZEL-02", "Guardian")
class Guardian(Keyword):
    """Protection (6+), or skilful in protection rolls if it has one already."""

    __slots__ = ()

    def before_wounds(self, wounding: Wounding) -> None:
        if any(held.has(Protection) for held in wounding.part.sets()):
            wounding.rerolls.help(self)
        else:
            wounding.protect(GUARD)


@skill("LFW-ZEL-03", "Fiery({text})")
class Fiery(Keyword):
    """+1 Attack on one of its melee weapons."""

    __slots__ = ()

    def when_enlisted(self, choice: Choice) -> None:
        if self.word not in choice.melee_weapons:
            choice.refuse(notice("no_such_melee_weapon", weapon=self.word, there=choice.melee_weapons), self.rule)

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee" and attack.weapon is not None and attack.weapon.id == self.word:
            attack.number.change(1, self)


@skill("LFW-ZEL-04", "Parry expert")
class ParryExpert(Keyword):
    """CP improved by 1."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "CP":
            stat.improve(1, self)


@skill("LFW-ZEL-05", "Seasoned brawler")
class SeasonedBrawler(Keyword):
    """CC improved by 1."""

    __slots__ = ()

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name == "CC":
            stat.improve(1, self)


@skill("LFW-ZEL-06", "Front line")
class FrontLine(Keyword):
    """Friends in contact with it have Lance."""

    __slots__ = ()

    def when_near(self, aura: Aura) -> None:
        friends = aura.model is not aura.other and aura.battle.are_friends(aura.bearer.side, aura.part.side)
        if friends and in_contact(aura.battle, aura.model, aura.other):
            aura.give("Lance")


@skill("LFW-ZEL-07", "Brute")
class Brute(Keyword):
    """+1 strength on its melee weapons."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee":
            attack.strength.change(1, self)
