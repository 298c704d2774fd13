"""What is told about a volley and a melee when all is counted."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from oriflamme.engine.odds import Distribution, Estimate
from oriflamme.engine.odds.telling import law_data

# A unit after the attack: how many models live, how many wounds they can still take, and what morale made of it.
After = tuple[int, int, str]


class SideOdds:
    """What an attack does to one unit.

    `wounds` are those its models take and `lost` the models that fall. It is `destroyed` when the last one falls,
    `routed` when it flees, and `shaken` when it becomes Shaken that was not. `share` is the part it loses, on average,
    of the wounds it could still take; a routed unit has lost everything.
    """

    __slots__ = ("after", "left", "number")

    def __init__(self, number: int, left: int, after: Distribution[After]) -> None:
        self.number = number
        self.left = left
        self.after = after

    @property
    def wounds(self) -> Distribution[int]:
        return self.after.map(lambda unit: self.left - unit[1])

    @property
    def lost(self) -> Distribution[int]:
        return self.after.map(lambda unit: self.number - unit[0])

    @property
    def destroyed(self) -> Fraction:
        return self.after.chance(lambda unit: unit[0] == 0)

    @property
    def routed(self) -> Fraction:
        return self.after.chance(lambda unit: unit[2] == "routed")

    @property
    def shaken(self) -> Fraction:
        return self.after.chance(lambda unit: unit[2] == "shaken")

    @property
    def out(self) -> Fraction:
        """The chance that it is gone afterwards, destroyed or routed."""
        return self.destroyed + self.routed

    @property
    def share(self) -> Fraction:
        kept = self.after.map(lambda unit: 0 if unit[2] == "routed" else unit[1]).mean()
        return 1 - kept / self.left if self.left else Fraction(0)

    def in_decimals(self) -> tuple[float, float, float]:
        """`share`, `out` and `shaken`, for who is in a hurry."""
        return (
            1 - self.after.decimal(lambda unit: 0 if unit[2] == "routed" else unit[1]) / max(1, self.left),
            self.after.decimal(lambda unit: unit[0] == 0 or unit[2] == "routed"),
            self.after.decimal(lambda unit: unit[2] == "shaken"),
        )

    def to_data(self, samples: int = 0) -> dict[str, Any]:
        """Plain data with decimals; of sampled odds also the standard errors."""
        data: dict[str, Any] = {
            "wounds": law_data(self.wounds, samples),
            "lost": law_data(self.lost, samples),
            "destroyed": float(self.destroyed),
            "routed": float(self.routed),
            "shaken": float(self.shaken),
            "share": float(self.share),
        }
        if samples:
            for name in ("destroyed", "routed", "shaken"):
                data[f"{name}_error"] = Estimate.of_chance(getattr(self, name), samples).error
        return data


class ShootingOdds:
    """What a volley does: its hits, and what they do to the target."""

    def __init__(self, target: SideOdds, attacks: int, hits: Callable[[], Distribution[int]], samples: int = 0) -> None:
        self.target = target
        self.attacks = attacks
        self.samples = samples
        self._count_hits = hits
        self._hits: Distribution[int] | None = None

    @property
    def hits(self) -> Distribution[int]:
        """All hits, counted when somebody asks."""
        if self._hits is None:
            self._hits = self._count_hits()
        return self._hits

    @property
    def wounds(self) -> Distribution[int]:
        return self.target.wounds

    @property
    def lost(self) -> Distribution[int]:
        return self.target.lost

    @property
    def destroyed(self) -> Fraction:
        return self.target.destroyed

    @property
    def shaken(self) -> Fraction:
        return self.target.shaken

    @property
    def method(self) -> str:
        return "sampled" if self.samples else "exact"

    def to_data(self) -> dict[str, Any]:
        """Plain data with decimals."""
        data: dict[str, Any] = {"method": self.method, "samples": self.samples, "attacks": self.attacks}
        return data | {"hits": law_data(self.hits, self.samples), "target": self.target.to_data(self.samples)}


class MeleeOdds:
    """What a whole melee does to both units, and who wins it. A unit whose opponent is destroyed has won.

    Hits are those of a unit's weapons, Counter included and Impact not.
    """

    def __init__(
        self,
        charger: SideOdds,
        defender: SideOdds,
        winner: Distribution[str],
        hits: Callable[[int], Distribution[int]],
        samples: int = 0,
    ) -> None:
        self.charger = charger
        self.defender = defender
        self.winner = winner
        self.samples = samples
        self._count_hits = hits
        self._hits: dict[int, Distribution[int]] = {}

    def _hits_of(self, side: int) -> Distribution[int]:
        if side not in self._hits:
            self._hits[side] = self._count_hits(side)
        return self._hits[side]

    @property
    def charger_hits(self) -> Distribution[int]:
        """All hits of the charger's weapons, counted when somebody asks."""
        return self._hits_of(0)

    @property
    def defender_hits(self) -> Distribution[int]:
        """All hits of the defender's weapons, counted when somebody asks."""
        return self._hits_of(1)

    @property
    def charger_wins(self) -> Fraction:
        return self.winner["charger"]

    @property
    def defender_wins(self) -> Fraction:
        return self.winner["defender"]

    @property
    def draw(self) -> Fraction:
        return self.winner["nobody"]

    @property
    def method(self) -> str:
        return "sampled" if self.samples else "exact"

    def to_data(self) -> dict[str, Any]:
        """Plain data with decimals."""
        data = {
            "method": self.method,
            "samples": self.samples,
            "charger_wins": float(self.charger_wins),
            "draw": float(self.draw),
            "defender_wins": float(self.defender_wins),
        }
        if self.samples:
            for name in ("charger_wins", "draw", "defender_wins"):
                data[f"{name}_error"] = Estimate.of_chance(getattr(self, name), self.samples).error
        sides = {
            "charger": self.charger.to_data(self.samples),
            "defender": self.defender.to_data(self.samples),
        }
        for side, hits in (("charger", self.charger_hits), ("defender", self.defender_hits)):
            sides[side] = {"hits": law_data(hits, self.samples)} | sides[side]
        return data | sides


class QuickShooting(NamedTuple):
    """The odds of a volley in decimals: mean wounds, the share of the target that is lost, and the chances."""

    wounds: float
    lost: float
    destroyed: float
    shaken: float


class QuickMelee(NamedTuple):
    """The odds of a melee in decimals: shares lost (a routed unit is all lost), and the chances."""

    charger_lost: float
    charger_out: float
    charger_shaken: float
    target_lost: float
    target_out: float
    target_shaken: float
    charger_wins: float
    target_wins: float
