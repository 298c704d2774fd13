"""Special rules that bend an attack, from the hit roll to the wound."""

from __future__ import annotations

from oriflamme.engine.core import keywords as engine
from oriflamme.engine.core.dice import Dice
from oriflamme.games.aof.attack import Attack, Cover, WoundRoll
from oriflamme.games.aof.events import REGENERATES
from oriflamme.games.aof.moments import Keyword, keyword
from oriflamme.games.aof.profile import DEADLY_NEXT, TAKEDOWN_FIRST, Weapon


@keyword("AOF-SR-AP", "AP({x})")
class AP(Keyword):
    """The target has -X to its Defense rolls."""

    on = ("weapon",)

    def before_defense_roll(self, attack: Attack) -> None:
        attack.block.change(-self.x, because=self)


@keyword("AOF-SR-ARTILLERY", "Artillery")
class Artillery(Keyword):
    """Only Holds; shoots better, and is harder to hit, beyond 9"."""

    def restricts_actions(self, actions: set[str]) -> None:
        actions &= {"hold"}

    def before_hit_roll(self, attack: Attack) -> None:
        if attack.shooting and attack.beyond_9:
            attack.needed.change(+1, because=self)

    def before_being_hit(self, attack: Attack) -> None:
        if attack.shooting and attack.beyond_9:
            attack.needed.change(-2, because=self)


@keyword("AOF-SR-BANE", "Bane")
class Bane(Keyword):
    """Ignores Regeneration; unmodified Defense sixes are rolled again."""

    on = ("weapon",)

    def suppresses(self, other: engine.Keyword, subject: object) -> bool:
        return isinstance(other, Regeneration)

    def before_defense_roll(self, attack: Attack) -> None:
        attack.block.roll_again(6, because=self)


@keyword("AOF-SR-BLAST", "Blast({x})")
class Blast(Keyword):
    """Ignores Cover; each hit counts X times, but never more than the models in the target."""

    on = ("weapon",)

    def when_cover_is_claimed(self, attack: Attack, cover: Cover) -> None:
        cover.deny(because=self)

    def after_hits(self, attack: Attack) -> None:
        attack.multiply_hits(min(self.x, attack.models_in_target), because=self)


@keyword("AOF-SR-DEADLY", "Deadly({x})")
class Deadly(Keyword):
    """Each wound goes to one model and is multiplied by X; what is too much for it is lost."""

    on = ("weapon",)

    def when_forged(self, weapon: Weapon) -> None:
        weapon.precedence = min(weapon.precedence, DEADLY_NEXT)

    def when_wounds_are_assigned(self, attack: Attack) -> None:
        attack.multiply_wounds(self.x)


@keyword("AOF-SR-FURIOUS", "Furious")
class Furious(Keyword):
    """When charging, each unmodified six to hit in melee is one more hit."""

    on = ("model", "weapon")

    def after_hit_roll(self, attack: Attack) -> None:
        if attack.charging:
            attack.add_hits(attack.sixes, because=self)


@keyword("AOF-SR-INDIRECT", "Indirect")
class Indirect(Keyword):
    """Shoots without seeing, past what stands in between, but worse after moving."""

    on = ("weapon",)

    def when_forged(self, weapon: Weapon) -> None:
        weapon.needs_sight = False

    def when_cover_is_claimed(self, attack: Attack, cover: Cover) -> None:
        cover.deny_what_stands_between(because=self)

    def before_hit_roll(self, attack: Attack) -> None:
        if attack.shooting and attack.after_moving:
            attack.needed.change(-1, because=self)


@keyword("AOF-SR-REGENERATION", "Regeneration")
class Regeneration(Keyword):
    """Each wound is ignored on 5+, if every model of the unit has this rule."""

    def when_wounded(self, wounds: WoundRoll, dice: Dice) -> None:
        wounds.ignore_on(REGENERATES, dice, because=self)


@keyword("AOF-SR-RELENTLESS", "Relentless")
class Relentless(Keyword):
    """When shooting beyond 9", each unmodified six to hit is one more hit."""

    on = ("model", "weapon")

    def after_hit_roll(self, attack: Attack) -> None:
        if attack.shooting and attack.beyond_9:
            attack.add_hits(attack.sixes, because=self)


@keyword("AOF-SR-RELIABLE", "Reliable")
class Reliable(Keyword):
    """Attacks with this weapon are made at Quality 2+."""

    on = ("weapon",)

    def before_hit_roll(self, attack: Attack) -> None:
        attack.needed.start_from(2, because=self)


@keyword("AOF-SR-RENDING", "Rending")
class Rending(Keyword):
    """Ignores Regeneration; hits from unmodified sixes gain AP(+4)."""

    on = ("weapon",)

    def suppresses(self, other: engine.Keyword, subject: object) -> bool:
        return isinstance(other, Regeneration)

    def after_hit_roll(self, attack: Attack) -> None:
        attack.sharpen_sixes(4, because=self)


@keyword("AOF-SR-STEALTH", "Stealth")
class Stealth(Keyword):
    """Enemies shooting from beyond 9" have -1 to hit, if every model of the unit has this rule."""

    def before_being_hit(self, attack: Attack) -> None:
        if attack.shooting and attack.beyond_9:
            attack.needed.change(-1, because=self)


@keyword("AOF-SR-SURGE", "Surge")
class Surge(Keyword):
    """Each unmodified six to hit with this weapon is one more hit."""

    on = ("weapon",)

    def after_hit_roll(self, attack: Attack) -> None:
        attack.add_hits(attack.sixes, because=self)


@keyword("AOF-SR-TAKEDOWN", "Takedown")
class Takedown(Keyword):
    """These attacks pick one model of the target and are resolved first, as if it stood alone."""

    on = ("weapon",)

    def when_forged(self, weapon: Weapon) -> None:
        weapon.precedence = TAKEDOWN_FIRST
        weapon.picks_victim = True


@keyword("AOF-SR-THRUST", "Thrust")
class Thrust(Keyword):
    """When charging: +1 to hit and AP(+1) in melee."""

    on = ("model", "weapon")

    def before_hit_roll(self, attack: Attack) -> None:
        if attack.charging:
            attack.needed.change(+1, because=self)

    def before_defense_roll(self, attack: Attack) -> None:
        if attack.charging:
            attack.block.change(-1, because=self)


@keyword("AOF-SR-UNSTOPPABLE", "Unstoppable")
class Unstoppable(Keyword):
    """Ignores Regeneration and every negative modifier to its hit rolls."""

    on = ("weapon",)

    def suppresses(self, other: engine.Keyword, subject: object) -> bool:
        return isinstance(other, Regeneration)

    def before_hit_roll(self, attack: Attack) -> None:
        attack.needed.ignore_penalties(because=self)
