"""Bands by chance: legal ones, with nearly all the points spent."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from oriflamme.engine.lists.reading import Options
from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with
from oriflamme.engine.words.wording import Wording
from oriflamme.games.sbh.bands import BandLine, number_fighters
from oriflamme.games.sbh.fighters import DEFAULTS, Band, at_cost
from oriflamme.games.sbh.roster import Card, cards, races

MOST_FIGHTERS: Final = 24  # of a band by chance
LOYAL: Final = 0.7  # how often a fighter is sought among the race that leads
TRIES: Final = 6

PLACES: Final = tuple(Wording(Path(__file__).parent / "text", "places").all().values())


class _Offers(NamedTuple):
    """Profiles that may be taken, the cheapest first, and what they cost."""

    cards: tuple[Card, ...]
    costs: tuple[int, ...]


@cache
def _offers(source: str, race: str = "") -> _Offers:
    """All that a race offers, or the whole roster; each card costs what the players agreed."""
    priced = [at_cost(card, {"sbh.pointsSource": source}) for card in cards().values() if race in ("", card.race)]
    kept = sorted((card for card in priced if not card.noncombatant), key=lambda card: card.points)
    return _Offers(tuple(kept), tuple(card.points for card in kept))


class _Purse:
    """What is left to spend while a band is being put together, and what the limits of a band still allow."""

    __slots__ = ("cards", "left", "more_animals", "third")

    def __init__(self, points: int) -> None:
        self.cards: list[Card] = []
        self.left = points
        self.third = points // 3
        self.more_animals = 0

    def bases(self, card: Card) -> int:
        """How many come at once: two of a new swarm, else one."""
        return 2 if card.swarm and card not in self.cards else 1

    def allows(self, card: Card) -> bool:
        bases = self.bases(card)
        return (
            card.points * bases <= self.left
            and len(self.cards) + bases <= MOST_FIGHTERS
            and (not card.personality or card.points * bases <= self.third)
            and (not card.animal or bases <= self.more_animals)
        )

    def take(self, card: Card) -> None:
        bases = self.bases(card)
        self.left -= card.points * bases
        self.third -= card.points * bases if card.personality else 0
        self.more_animals += -bases if card.animal else bases
        self.cards += [card] * bases


def random_band(random: Random, points: int, options: Options = DEFAULTS) -> Band:
    """A legal band by chance: a race that leads, whoever joins it, and nearly all the points spent.

    It has at most 24 fighters, so that very many points are not all spent.
    """
    source = options.get("sbh.pointsSource", DEFAULTS["sbh.pointsSource"])
    single = options.get("sbh.racialBands") == "singleRace"
    everybody = _offers(source)
    first = [card for card in everybody.cards if _Purse(points).allows(card)]
    if not first:
        cheapest = everybody.costs[0]
        what, hint = notice("buys_nobody", points=points, cheapest=cheapest), notice("agree_on", least=cheapest)
        raise problem_with("band", what, where="points", rule="SBH-BAND-07", hint=hint)

    best: _Purse | None = None
    for _ in range(TRIES):
        purse = _Purse(points)
        purse.take(random.choice(first))
        kin = _offers(source, purse.cards[0].race)
        _fill(random, purse, kin, kin if single else everybody)
        if best is None or purse.left < best.left:
            best = purse
        if best.left <= points // 50:
            break
    assert best is not None

    race = races()[best.cards[0].race].name
    place = random.choice(PLACES)
    order = {id: number for number, id in enumerate(cards())}
    lines = [BandLine(card, 1, card.name, "") for card in sorted(best.cards, key=lambda card: order[card.id])]
    number_fighters(lines)
    fighters = tuple(fighter for line in lines for fighter in line.fighters)
    return Band({lang: f"{race[lang]} {place[lang]}" for lang in race}, points, fighters)


def _fill(random: Random, purse: _Purse, kin: _Offers, everybody: _Offers) -> None:
    """Take fighters until nobody more can be paid: the last one is he who leaves least."""
    closing = purse.left // 4
    while True:
        offers = kin if random.random() < LOYAL else everybody
        if purse.left <= closing:
            card = _drawn(random, purse, kin, purse.left - 2) or _drawn(random, purse, everybody, purse.left - 2)
        else:
            card = None
        # With many points and few places left, cheap fighters would leave them unspent.
        share = purse.left // max(1, MOST_FIGHTERS - len(purse.cards))
        card = card or _drawn(random, purse, offers, share) or _dearest(purse, offers) or _dearest(purse, everybody)
        if card is None:
            return
        purse.take(card)


def _drawn(random: Random, purse: _Purse, offers: _Offers, least: int) -> Card | None:
    """One of those that can be paid and cost at least so much, by lot."""
    low, high = bisect_left(offers.costs, least), bisect_right(offers.costs, purse.left)
    if low >= high:
        return None
    for _ in range(6):
        card = offers.cards[random.randrange(low, high)]
        if purse.allows(card):
            return card
    allowed = [card for card in offers.cards[low:high] if purse.allows(card)]
    return random.choice(allowed) if allowed else None


def _dearest(purse: _Purse, offers: _Offers) -> Card | None:
    """The dearest that can still be paid."""
    return next((card for card in reversed(offers.cards) if purse.allows(card)), None)
