"""Special rules of characters, duels and magic (TLAOK-SR)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.tlaok.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.tlaok.characters.duel import Duellist
    from oriflamme.games.tlaok.characters.magic import Casting, Power
    from oriflamme.games.tlaok.moments import Exemption
    from oriflamme.games.tlaok.profile import Profile
    from oriflamme.games.tlaok.state import Regiment, Stand


@keyword("TLAOK-SR-BODYGUARDS", "Bodyguards")
class Bodyguards(Keyword):
    """Its character may refuse a duel and the regiment does not suffer for it."""

    on = ("stand",)

    def when_refusing(self, challenge: Exemption, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            challenge.grant(self)


@keyword("TLAOK-SR-DEVOUT", "Devout")
class Devout(Keyword):
    """One failed die of a Priest who casts on it counts as a success; a character confers it on his regiment."""

    def when_spellbound(self, casting: Casting, regiment: Regiment, stand: Stand) -> None:
        if casting.power.priest:
            casting.convert(self)


@keyword("TLAOK-SR-FANATICALDEVOTION", "Fanatical Devotion")
class FanaticalDevotion(Keyword):
    """A Priest's spell that reaches it from elsewhere also heals 3 wounds."""

    def when_spellbound(self, casting: Casting, regiment: Regiment, stand: Stand) -> None:
        if casting.power.priest and casting.spell.range and not stand.hero:
            casting.heal(3, self)


@keyword("TLAOK-SR-FORWARDFORCE", "Forward Force")
class ForwardForce(Keyword):
    """The regiment this character is attached to has Flank, unless it is a Monster."""

    on = ("character",)
    leads_round = True


@keyword("TLAOK-SR-PRIEST", "Priest ({x})")
class Priest(Keyword):
    """Casts with X dice."""

    def when_mustered(self, profile: Profile) -> None:
        profile.caster = max(profile.caster, self.x)

    def when_casting(self, power: Power) -> None:
        power.give(self.x, priest=True)


@keyword("TLAOK-SR-QUICKSILVER", "Quicksilver Strike")
class QuicksilverStrike(Keyword):
    """In a duel it resolves all its attacks first."""

    on = ("character",)

    def when_duelling(self, duellist: Duellist) -> None:
        duellist.strike_first(self)


@keyword("TLAOK-SR-RIDER", "Rider")
class Rider(Keyword):
    """This character has no stand of its own and rides a Monster of its warband."""

    on = ("character",)

    def when_mustered(self, profile: Profile) -> None:
        profile.rider = True


@keyword("TLAOK-SR-WIZARD", "Wizard ({x})")
class Wizard(Keyword):
    """Casts with X dice."""

    def when_mustered(self, profile: Profile) -> None:
        profile.caster = max(profile.caster, self.x)

    def when_casting(self, power: Power) -> None:
        power.give(self.x)
