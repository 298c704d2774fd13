"""The army that nobody owns: what its units may cost (LFW-LEG1-06), and the rosters that ship.

A roster is a list with `scenario = "leg1"` and `role = "tide"`; each entry says which `wave` it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from oriflamme.engine.lists.checking import Limit, Terms
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import Problem
from oriflamme.games.lfw.army.cards import Enlisted
from oriflamme.games.lfw.scenarios.book import SCENARIOS

MOST: Final = 10_000


class Band(NamedTuple):
    """What a unit may cost, and how many such units there are."""

    least: int = 1
    most: int = MOST
    fewest: int = 1
    number: int = 1


BANDS: Final[Mapping[str, Band]] = MappingProxyType(
    {
        "swarm": Band(most=14),
        "base": Band(10, 25),
        "elite": Band(20, 50, number=3),
        "heavy": Band(),
        "boss": Band(),
    }
)


def is_tide(scenario: str, role: str) -> bool:
    """A list for these is of an army that nobody owns."""
    return scenario in SCENARIOS and bool(role) and role == SCENARIOS[scenario].unowned_role


class EachWave(Limit[Enlisted]):
    """One swarm, one base, one to three elites, one heavy unit and one boss (LFW-LEG1-06)."""

    rule = "LFW-LEG1-06"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        for wave, band in BANDS.items():
            number = sum(unit.wave == wave for unit in units)
            if not band.fewest <= number <= band.number:
                what = notice("units_of_wave", wave=wave, number=number)
                yield self.broken("units", what, notice("of_wave_there_are", fewest=band.fewest, most=band.number))


class WithinBand(Limit[Enlisted]):
    """Each costs what its wave allows, with its equipment (LFW-LEG1-06)."""

    rule = "LFW-LEG1-06"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            if not unit.wave:
                yield self.broken(unit.where, notice("no_wave", unit=unit.card.id), notice("waves_are", waves=[*BANDS]))
                continue
            band = BANDS[unit.wave]
            if not band.least <= unit.each <= band.most:
                what = notice("out_of_band", unit=unit.card.id, cost=unit.each, wave=unit.wave)
                yield self.broken(unit.where, what, notice("band_is", least=band.least, most=band.most))


class OnlyEquipped(Limit[Enlisted]):
    """Its units are equipped and nothing more: each is one of its kind, and none a specialist (LFW-LEG1-06)."""

    rule = "LFW-LEG1-06"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            if unit.count != 1 or unit.specialisation:
                yield self.broken(unit.where, notice("only_equipped", unit=unit.card.id))


class OnlyElitesDiffer(Limit[Enlisted]):
    """All but elites follow the classic behaviour (LFW-LEG1-08)."""

    rule = "LFW-LEG1-08"

    def problems(self, units: Sequence[Enlisted], terms: Terms) -> Iterator[Problem]:
        for unit in units:
            if unit.wave != "elite" and unit.behaviour not in ("", "classic"):
                yield self.broken(unit.where, notice("behaves_classically", unit=unit.card.id))


TIDE_LIMITS: Final[tuple[Limit[Enlisted], ...]] = (EachWave(), WithinBand(), OnlyEquipped(), OnlyElitesDiffer())
