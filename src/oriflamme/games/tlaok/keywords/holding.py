"""Special rules of morale, of being Broken and of decay (TLAOK-SR).

Those that speak of a regiment are the regiment's: on a character stand they do nothing for the others (TLAOK-REG-06).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.tlaok.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.tlaok.combat.attacks import Count
    from oriflamme.games.tlaok.combat.blows import Strike
    from oriflamme.games.tlaok.losses.morale import Dismay, Fright, Morale
    from oriflamme.games.tlaok.moments import Exemption
    from oriflamme.games.tlaok.state import Battle, Regiment, Stand
    from oriflamme.games.tlaok.triggers import Triggers


@keyword("TLAOK-SR-BRAVERY", "Bravery")
class Bravery(Keyword):
    """Ignores Fearsome and Terrifying; Broken is removed when it is activated."""

    reach = "regiment"
    names_characters = True

    def when_frightened(self, fright: Fright, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero or fright.duel:
            fright.ignore(self)

    def before_acting(self, before: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        from oriflamme.games.tlaok.losses.morale import TAKE_HEART

        acting = battle.acting
        if not stand.hero and regiment.broken and acting is not None and not acting.character:
            before.add(TAKE_HEART)


@keyword("TLAOK-SR-DAUNTLESS", "Dauntless")
class Dauntless(Keyword):
    """Can never be Broken and always counts as Inspired."""

    def last_before_hitting(self, strike: Strike) -> None:
        strike.inspire(self, always=True)

    def before_breaking(self, breaking: Exemption, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            breaking.grant(self)


@keyword("TLAOK-SR-DECAY", "Decay ({x})")
class Decay(Keyword):
    """At the end of its activation X dice are rolled for each stand; each 5 or 6 is a wound."""

    cumulative = True

    def when_ending(self, ending: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        from oriflamme.games.tlaok.losses.decay import DECAY

        ending.add(DECAY, last=True)


@keyword("TLAOK-SR-DREAD", "Dread")
class Dread(Keyword):
    """Enemies in contact cannot benefit from Inspired."""

    def when_enemy_inspired(self, strike: Strike) -> None:
        strike.dishearten(self)


@keyword("TLAOK-SR-FEARLESS", "Fearless")
class Fearless(Keyword):
    """Ignores Fearsome and Terrifying; on a character only for himself, in duels."""

    def when_frightened(self, fright: Fright, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero or fright.duel:
            fright.ignore(self)


@keyword("TLAOK-SR-FEARSOME", "Fearsome")
class Fearsome(Keyword):
    """Enemies in contact must pass a die before a Combat Rally or Combat Reform."""

    def when_enemy_steadies(self, dismay: Dismay, own: Regiment, stand: Stand) -> None:
        dismay.lower(0, because=self)


@keyword("TLAOK-SR-INDOMITABLE", "Indomitable")
class Indomitable(Keyword):
    """One failed morale die counts as passed; its Combat Reform and Withdraw are always ordered."""

    in_duels = "own"

    def before_morale(self, morale: Morale, regiment: Regiment, stand: Stand) -> None:
        if morale.duel or not stand.hero:
            morale.spare(1, because=self)

    def when_frightened(self, fright: Fright, regiment: Regiment, stand: Stand) -> None:
        # Any such stand is enough, a character's too (-02).
        if isinstance(fright.of, Fearsome):
            fright.ignore(self)

    def when_ordering(self, order: Exemption, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            order.grant(self)


@keyword("TLAOK-SR-IRONDISCIPLINE", "Iron Discipline")
class IronDiscipline(Keyword):
    """In flank or rear it keeps its Support and does not re-roll passed morale tests."""

    def when_counting(self, count: Count, regiment: Regiment, stand: Stand) -> None:
        count.steady(self)

    def before_morale(self, morale: Morale, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            morale.steady(because=self)


@keyword("TLAOK-SR-OBLIVIOUS", "Oblivious")
class Oblivious(Keyword):
    """Two failed morale tests are one wound."""

    in_duels = "own"

    def before_morale(self, morale: Morale, regiment: Regiment, stand: Stand) -> None:
        if morale.duel or not stand.hero:
            morale.halve(because=self)


@keyword("TLAOK-SR-TERRIFYING", "Terrifying ({x})")
class Terrifying(Keyword):
    """Enemies in contact have X less Resolve in tests for the wounds it caused."""

    def when_enemy_tests(self, dismay: Dismay, own: Regiment, stand: Stand) -> None:
        dismay.lower(self.x, because=self)
