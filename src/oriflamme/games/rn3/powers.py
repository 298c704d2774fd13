"""What mystics can do: spells, miracles, rituals and litanies (RN3-FAI-06, RN3-MAG-06), as their cards say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

KINDS: Final = ("spell", "miracle", "ritual", "litany", "artefact", "ability")
TARGETS: Final = ("friend", "enemy", "any", "self", "point", "game")
DURATIONS: Final = ("instant", "activation", "phase", "turn", "battle")
ELEMENTS: Final = ("air", "water", "fire", "earth", "light", "darkness")  # RN3-MAG-01
ASPECTS: Final = ("alteration", "creation", "destruction")  # RN3-FAI-01


class Power(msgspec.Struct, frozen=True):
    """A spell, miracle, ritual or litany, the exploit of an artefact (RN3-ELX-04), which costs elixir, or the ability
    of a titan (RN3-TIT-04). `difficulty` is a number or a characteristic of the target (RN3-FAI-11); only rituals and
    litanies have one (RN3-FAI-04, RN3-MAG-04). `effect` is what it does, as data (`games.rn3.effects`)."""

    id: str
    kind: str
    name: Mapping[str, str]
    origin: str = "universal"
    school: str = "universal"
    value: int = 0
    cost: int = 1
    difficulty: int | str = 0
    target: str = "enemy"
    duration: str = "turn"
    effect: Mapping[str, Any] = {}
    once: bool = False
    about: Mapping[str, str] = {}

    @property
    def tested(self) -> bool:
        """A ritual or litany: it needs a test, and can be countered or censured."""
        return self.kind in ("ritual", "litany")

    @property
    def summons(self) -> bool:
        """It calls up fighters (RN3-SUM-01)."""
        return "summon" in self.effect

    @property
    def needs_target(self) -> bool:
        """It is aimed at a unit."""
        return not self.summons and self.target != "game"

    @property
    def faithful(self) -> bool:
        return self.kind in ("miracle", "litany")

    def identity(self) -> str:
        return self.id
