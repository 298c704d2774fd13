"""Special rules of morale, of being Broken and of decay (TLAOK-SR)."""

from __future__ import annotations

from oriflamme.games.tlaok.moments import Keyword, keyword


@keyword("TLAOK-SR-BRAVERY", "Bravery")
class Bravery(Keyword):
    """Ignores Fearsome and Terrifying; Broken is removed when it is activated."""

    reach = "regiment"
    names_characters = True


@keyword("TLAOK-SR-DAUNTLESS", "Dauntless")
class Dauntless(Keyword):
    """Can never be Broken and always counts as Inspired."""


@keyword("TLAOK-SR-DECAY", "Decay ({x})")
class Decay(Keyword):
    """At the end of its activation X dice are rolled for each stand; each 5 or 6 is a wound."""

    cumulative = True


@keyword("TLAOK-SR-DREAD", "Dread")
class Dread(Keyword):
    """Enemies in contact cannot benefit from Inspired."""


@keyword("TLAOK-SR-FEARLESS", "Fearless")
class Fearless(Keyword):
    """Ignores Fearsome and Terrifying."""


@keyword("TLAOK-SR-FEARSOME", "Fearsome")
class Fearsome(Keyword):
    """Enemies in contact must pass a die before a Combat Rally or Combat Reform."""


@keyword("TLAOK-SR-INDOMITABLE", "Indomitable")
class Indomitable(Keyword):
    """One failed morale die counts as passed; its Combat Reform and Withdraw are always ordered."""


@keyword("TLAOK-SR-IRONDISCIPLINE", "Iron Discipline")
class IronDiscipline(Keyword):
    """In flank or rear it keeps its Support and does not re-roll passed morale tests."""


@keyword("TLAOK-SR-OBLIVIOUS", "Oblivious")
class Oblivious(Keyword):
    """Two failed morale tests are one wound."""


@keyword("TLAOK-SR-TERRIFYING", "Terrifying ({x})")
class Terrifying(Keyword):
    """Enemies in contact have X less Resolve in tests for the wounds it caused."""
