"""Characters, duels and spells."""

from __future__ import annotations

from collections.abc import Sequence

from oriflamme.engine.core.events import Event, Reason, Throw
from oriflamme.engine.core.luck import stayed
from oriflamme.engine.core.rolls import Roll
from oriflamme.games.tlaok.events.strikes import most


class DuelOffered(Event, frozen=True):
    """A character challenges another, whose regiment touches his own (TLAOK-DUEL-01)."""

    regiment: str
    character: str
    target: str
    challenged: str


class DuelAccepted(Event, frozen=True):
    """He fights; `must` if he could not refuse."""

    regiment: str
    character: str
    must: bool = False


class DuelRefused(Event, frozen=True):
    """His regiment suffers for it until the round ends, unless something spares it (TLAOK-DUEL-03 to -07)."""

    regiment: str
    character: str
    spared: str = ""


class DuelFought(Event, frozen=True):
    """How many wounds each suffered, and who was slain (TLAOK-DUEL-10)."""

    character: str
    wounds: int
    challenged: str
    returned: int
    slain: tuple[str, ...]


class SpellCast(Event, frozen=True):
    """Dice against the Attunement of a spell, and whether enough succeeded (TLAOK-MAGIC-09, -10).

    `why` is what changed the Attunement, `more` what changed the number of successes needed and had. Where it is not
    `certain`, a 1 may fail and a 6 succeed (TLAOK-MAGIC-17).
    """

    regiment: str
    spell: str
    target: str
    dice: int
    attunement: int
    successes: int
    needed: int
    cast: bool
    faces: tuple[int, ...]
    why: tuple[Reason, ...]
    more: tuple[Reason, ...] = ()
    character: str = ""
    certain: bool = True

    def goal(self) -> int:
        return most(self.attunement) if self.certain else self.attunement

    def thrown(self) -> tuple[Throw, ...]:
        good = sum(face <= self.goal() for face in self.faces)
        return (Throw(self.faces, self.goal(), good, low=True),) if self.faces else ()

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        return (stayed(self.regiment, "magic", self.faces, self.goal()),)


class SpellHit(Event, frozen=True):
    """Hits of a spell on a regiment, and what halved them (TLAOK-MAGIC-14)."""

    target: str
    spell: str
    hits: int
    face: str = ""
    why: tuple[Reason, ...] = ()


class SpellTookEffect(Event, frozen=True):
    """What the spell changes lasts until the round ends (TLAOK-MAGIC-16)."""

    target: str
    spell: str


class LastStandMade(Event, frozen=True):
    """His regiment is destroyed: he strikes once more before he falls (TLAOK-LAST-01)."""

    regiment: str
    character: str
    target: str
