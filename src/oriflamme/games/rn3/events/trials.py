"""Dice that were thrown against the one table for everything (RN3-URT)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from oriflamme.engine.core.events import Event, Reason, Throw
from oriflamme.engine.core.luck import reached
from oriflamme.engine.core.rolls import Kind, Roll

# Under what luck counts a test.
LUCK: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("attack", "force", "ranged_attack", "ranged_force", "blast"), "attack"),
    "defence": "defence",
    "courage": "nerve",
    "formation": "activation",
    "power": "magic",
    "faith": "magic",
}


class TestRolled(Event, frozen=True):
    """A test: `kind` as in `trials.Trial`, by a unit (or nobody) against another (or nothing).

    `column` is that of RN3-URT-02, 0 for défi to 6 for privilège, after shifts and skills; `faces` are all dice in the
    order of RN3-URT-11, those thrown again and extra dice included; `successes` are halved already in défi. Toxic dice
    and their successes are counted with the test that caused them (RN3-SKL-47). `who` is the profile that tests and
    `foe` the one that is tested against, each only where its unit is named after another.
    """

    kind: str
    unit: str
    against: str
    card: str
    dice: int
    column: int
    needed: int
    successes: int
    failures: int
    faces: tuple[int, ...]
    why: tuple[Reason, ...] = ()
    who: str = ""
    foe: str = ""

    def thrown(self) -> tuple[Throw, ...]:
        reached = sum(face >= self.needed for face in self.faces)
        return (Throw(self.faces, self.needed, reached, by=self.unit or None),) if self.faces else ()

    def luck(self, before: Sequence[Event]) -> tuple[Roll, ...]:
        """Every die that fell against what it needed, those thrown again and earned included: each has its fair chance,
        whatever made it be thrown."""
        return (reached(self.unit, LUCK.get(self.kind, "other"), self.faces, self.needed),) if self.faces else ()


class DiceThrownAgain(Event, frozen=True):
    """Failures, or successes, of the first roll are thrown again (RN3-URT-11, 4 and 5)."""

    unit: str
    what: str
    because: str
    dice: int


class DiceAdded(Event, frozen=True):
    """A skill gives a test more dice (RN3-SKL-39)."""

    unit: str
    source: str
    dice: int


class ExploitUsed(Event, frozen=True):
    """An Incarnate spends elixir (RN3-ELX); `left` is what the company has then."""

    side: int
    fighter: str
    exploit: str
    elixir: int
    left: int
