"""Skills of mages (LFW-MAGE)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from oriflamme.engine.words.notices import notice
from oriflamme.games.lfw.magic import SPELLS
from oriflamme.games.lfw.moments import Keyword, skill

if TYPE_CHECKING:
    from oriflamme.games.lfw.army.choices import Choice
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.magic import Craft
    from oriflamme.games.lfw.state import Part

ELEMENTS = ("fire", "water", "earth", "wind")  # LFW-MAGE-07
SHORT = 12  # inches (LFW-MAGE-04)


@skill("LFW-MAGE-02", "Great soul")
class GreatSoul(Keyword):
    """Two magic points more."""

    __slots__ = ()

    def when_mustered(self, part: Part) -> None:
        part.pm += 2


class _KnowsOne(Keyword):
    """Knows one spell more, by its id."""

    __slots__ = ()

    @classmethod
    def read_text(cls, text: str) -> str | None:
        return text.strip() if text.strip() in SPELLS else None

    def _domains(self, choice: Choice) -> Iterable[str]:
        """The domains it may be of."""
        raise NotImplementedError

    def when_enlisted(self, choice: Choice) -> None:
        domain = SPELLS[self.word].domain
        if self.word in choice.spells:
            choice.refuse(notice("spell_known", spell=self.word), self.rule)
        elif domain not in self._domains(choice):
            choice.refuse(notice("spell_of_other_domain", spell=self.word, domain=domain), self.rule)
        choice.spells = (*choice.spells, self.word)

    def when_mustered(self, part: Part) -> None:
        part.spells = (*part.spells, self.word)


@skill("LFW-MAGE-03", "Sage({text})")
class Sage(_KnowsOne):
    """Knows one spell more of its own domains."""

    __slots__ = ()

    def _domains(self, choice: Choice) -> Iterable[str]:
        return choice.sheet.domains


@skill("LFW-MAGE-04", "Projection")
class Projection(Keyword):
    """Ranges up to 12" are 3" longer, others 6"."""

    __slots__ = ()

    def when_casting(self, craft: Craft) -> None:
        if craft.range is not None:
            craft.range += 3 if craft.range <= SHORT else 6


@skill("LFW-MAGE-05", "Mental violence")
class MentalViolence(Keyword):
    """Attacks of its spells are Elite, and dice for their wounds may be thrown again."""

    __slots__ = ()

    def when_casting(self, craft: Craft) -> None:
        craft.rerolls = True

    def when_attacking(self, attack: Attack) -> None:
        if attack.weapon is not None and attack.weapon.id in SPELLS:
            attack.rerolls["hit"].help(self, elite=True)


@skill("LFW-MAGE-06", "Wave of magic")
class WaveOfMagic(Keyword):
    """A second friend within 3" of the first, for half the cost more."""

    __slots__ = ()

    def when_casting(self, craft: Craft) -> None:
        craft.second = True


@skill("LFW-MAGE-07", "Open mind({text})")
class OpenMind(_KnowsOne):
    """Knows one spell of the common domains: the elements, or any (option)."""

    __slots__ = ()

    def _domains(self, choice: Choice) -> Iterable[str]:
        every = choice.options.get("lfw.openMindDomains") == "allEight"
        return {spell.domain for spell in SPELLS.values()} if every else ELEMENTS


@skill("LFW-MAGE-08", "Strong mind")
class StrongMind(Keyword):
    """Gains two magic points a turn."""

    __slots__ = ()

    def when_casting(self, craft: Craft) -> None:
        craft.gain = 2


@skill("LFW-MAGE-09", "Creative mind")
class CreativeMind(Keyword):
    """Casts two spells a turn."""

    __slots__ = ()

    def when_casting(self, craft: Craft) -> None:
        craft.casts = 2
