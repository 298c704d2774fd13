"""The limits of a band (SBH-BAND), each with the rule it comes from, in the order of the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from oriflamme.engine.lists.checking import Limit, Most, Terms, WithinPoints, problems_with
from oriflamme.engine.lists.reading import Options
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problem
from oriflamme.engine.words.wording import Wording
from oriflamme.games.sbh.fighters import DEFAULTS, Fighter
from oriflamme.games.sbh.roster import NONCOMBATANT

in_both: Final = Wording(Path(__file__).parent / "text", "lists")


class Placed(NamedTuple):
    """A fighter, and how problems call his place."""

    fighter: Fighter
    place: str

    @property
    def cost(self) -> int:
        return self.fighter.points


class BandPoints(WithinPoints):
    """The agreed value is a ceiling; a band may cost less (SBH-BAND-02)."""

    def hint(self, used: int, most: int) -> Notice:
        return notice("leave_out_or_agree", over=used - most, cost=used)


class OneRace(Limit[Placed]):
    """Races may be mixed, unless the players agreed that they are not."""

    rule = "SBH-BAND-03"

    def holds(self, terms: Terms) -> bool:
        return terms.options.get("sbh.racialBands") == "singleRace"

    def problems(self, units: Sequence[Placed], terms: Terms) -> Iterator[Problem]:
        mixed = [race or None for race, _ in Counter(one.fighter.race for one in units).most_common()]
        if len(mixed) > 1:
            kept = next(race for race in mixed if race)
            hint = notice("keep_to_one_race", race=kept, some=None in mixed)
            yield self.broken("fighters", notice("mixed_races", race=mixed), hint)


class Personalities(Most[Placed]):
    """At most one third of the points, rounded down, goes to Personalities (SBH-BAND-04, SBH-BAND-05)."""

    rule = "SBH-BAND-04"
    key = "personalities"
    name = in_both("points_of_personalities")

    def used(self, units: Sequence[Placed], terms: Terms) -> int:
        return sum(one.cost for one in units if one.fighter.personality)

    def most(self, units: Sequence[Placed], terms: Terms) -> int:
        return terms.points // 3

    def exceeded(self, units: Sequence[Placed], terms: Terms, used: int, most: int) -> Problem:
        leading = [one.fighter for one in units if one.fighter.personality]
        dear = max(leading, key=lambda fighter: fighter.points)
        if dear.points > most:
            hint = notice("personality_needs", fighter=dear.name, cost=dear.points, total=3 * dear.points)
        else:
            prices = [notice("fighter_at", fighter=fighter.name, cost=fighter.points) for fighter in leading]
            hint = notice("leave_out_among", over=used - most, fighters=prices)
        what = notice("too_much_for_personalities", spent=used, total=terms.points, third=most)
        return self.broken("fighters", what, hint)


class Animals(Most[Placed]):
    """At most half of the fighters are animals, swarms included."""

    rule = "SBH-BAND-06"
    key = "animals"
    name = in_both("animals_2")

    def used(self, units: Sequence[Placed], terms: Terms) -> int:
        return sum(one.fighter.animal for one in units)

    def most(self, units: Sequence[Placed], terms: Terms) -> int:
        return len(units) // 2

    def exceeded(self, units: Sequence[Placed], terms: Terms, used: int, most: int) -> Problem:
        what = notice("too_many_animals", number=used, fighters=len(units), most=most)
        return self.broken("fighters", what, notice("fewer_animals", over=2 * used - len(units)))


class NoNonCombatants(Limit[Placed]):
    """Whoever costs 5 points or less is for special scenarios only."""

    rule = "SBH-BAND-07"

    def problems(self, units: Sequence[Placed], terms: Terms) -> Iterator[Problem]:
        for one in units:
            if one.cost <= NONCOMBATANT:
                what = notice("a_noncombatant", cost=one.cost, most=NONCOMBATANT)
                yield self.broken(one.place, what, notice("special_scenarios_only"))


class SwarmsInPairs(Limit[Placed]):
    """Of a swarm type at least two bases are taken, if any."""

    rule = "SBH-BAND-09"

    def problems(self, units: Sequence[Placed], terms: Terms) -> Iterator[Problem]:
        bases = Counter(one.fighter.type for one in units if one.fighter.swarm)
        for one in units:
            if one.fighter.swarm and bases[one.fighter.type] == 1:
                what = notice("lonely_swarm", fighter=one.fighter.name)
                yield self.broken(one.place, what, notice("two_or_none"))


POINTS: Final = BandPoints("SBH-BAND-02")
PERSONALITIES: Final = Personalities()
ANIMALS: Final = Animals()
LIMITS: Final[tuple[Limit[Placed], ...]] = (
    POINTS,
    OneRace(),
    PERSONALITIES,
    ANIMALS,
    NoNonCombatants(),
    SwarmsInPairs(),
)
# A band in a campaign grows by recruits and is thinned by losses: neither the agreed points nor pairs hold it.
CAMPAIGN_LIMITS: Final = LIMITS[1:-1]


def band_problems(
    fighters: Iterable[Fighter | Mapping[str, Any]],
    points: int,
    options: Options = DEFAULTS,
    *,
    campaign_total: int | None = None,
    places: Sequence[str] = (),
) -> list[Problem]:
    """All that is wrong with a band of these fighters at the agreed points, in the order of the book.

    In a campaign `campaign_total` is what the band is worth: one third is taken of that (SBH-CAMP-06).
    `places` is how problems call the places of the fighters: `fighters[1]` and so on, if nothing else is said.
    """
    band = [one if isinstance(one, Fighter) else msgspec.convert(one, Fighter) for one in fighters]
    if not band:
        return [Problem("fighters", notice("no_fighter"), hint=notice("add_a_fighter"))]
    where = list(places) or [f"fighters[{number}]" for number in range(1, len(band) + 1)]
    units = [Placed(fighter, place) for fighter, place in zip(band, where, strict=True)]
    if campaign_total is None:
        found = problems_with(LIMITS, units, Terms(points, options))
    else:
        found = problems_with(CAMPAIGN_LIMITS, units, Terms(campaign_total, options))
    return list(dict.fromkeys(found))
