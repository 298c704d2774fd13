"""Rules about rolling dice again (LFW-SR-ROLL). What they come to together: `rolls.Rerolls`, T-10."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.lfw.moments import Keyword, keyword
from oriflamme.games.lfw.rolls import KINDS

if TYPE_CHECKING:
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.wounds import Wounding

# Rolls that a unit makes itself when it attacks, and when it is attacked.
_ATTACKING = ("hit", "combat")
_DEFENDING = ("defence", "protection")


class _OfRolls(Keyword):
    """A rule that names one kind of roll or several: "hit", "hit, combat" (LFW-SR-ROLL-01)."""

    __slots__ = ()

    @classmethod
    def read_text(cls, text: str) -> str | None:
        said = [word.strip().casefold() for word in text.replace(" and ", ",").split(",")]
        known = [kind for kind in KINDS if kind in said]
        return ", ".join(known) if known and set(said) <= set(KINDS) else None

    @property
    def rolls(self) -> list[str]:
        return self.word.split(", ")


class _Helping(_OfRolls):
    """Helps rolls of its bearer."""

    __slots__ = ()
    _elite = False

    def when_attacking(self, attack: Attack) -> None:
        for kind in self.rolls:
            if kind in _ATTACKING:
                attack.rerolls[kind].help(self, elite=self._elite, times=max(1, self.x))

    def when_attacked(self, attack: Attack) -> None:
        if "defence" in self.rolls:
            attack.rerolls["defence"].help(self, elite=self._elite, times=max(1, self.x))

    def before_wounds(self, wounding: Wounding) -> None:
        if "protection" in self.rolls:
            wounding.rerolls.help(self, elite=self._elite, times=max(1, self.x))


class _Harming(_OfRolls):
    """Harms rolls made against its bearer or against its attacks."""

    __slots__ = ()
    _all = False

    def when_attacking(self, attack: Attack) -> None:
        for kind in self.rolls:
            if kind in _DEFENDING:
                attack.rerolls[kind].harm(self, all=self._all)

    def when_attacked(self, attack: Attack) -> None:
        for kind in self.rolls:
            if kind in _ATTACKING:
                attack.rerolls[kind].harm(self, all=self._all)


@keyword("LFW-SR-ROLL-02", "Elite({text})")
class Elite(_Helping):
    """Failed rolls of this kind may be re-rolled."""

    __slots__ = ()
    _elite = True


@keyword("LFW-SR-ROLL-03", "Skilful({text})")
class Skilful(_Helping):
    """Rolls of this kind with a natural 1 may be re-rolled; twice, it is Elite (LFW-SR-ROLL-04)."""

    __slots__ = ()
    cumulative = True

    def __init__(self, x: int = 1, word: str = "", *, adds: bool = False) -> None:
        super().__init__(x, word, adds=adds)


@keyword("LFW-SR-ROLL-05", "Impertinent({text})")
class Impertinent(_Harming):
    """Rolls of this kind that succeed exactly must be re-rolled."""

    __slots__ = ()


@keyword("LFW-SR-ROLL-06", "Impetuous({text})")
class Impetuous(_Harming):
    """All successful rolls of this kind must be re-rolled."""

    __slots__ = ()
    _all = True
