"""Deployment: cards placed face down by turns, turned over together, and the models set up (RN3-DEP)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from oriflamme.engine.core.decisions import Option, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one, place_figures
from oriflamme.engine.core.steps import due
from oriflamme.engine.geometry.measure import rounded
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.games.rn3 import mystics
from oriflamme.games.rn3.authority import choose_first, roll_authority
from oriflamme.games.rn3.events.turns import CardPlaced, CardsRevealed, UnitLeftOut
from oriflamme.games.rn3.leaders import choose_commander, tell_commander
from oriflamme.games.rn3.moments import Keyword
from oriflamme.games.rn3.placing import set_up
from oriflamme.games.rn3.scenarios import Rect, zone_of
from oriflamme.games.rn3.state import Battle, Step, Unit, skills_of, step
from oriflamme.games.rn3.turns import begin_turn

CARD = "card"  # what is placed: a card, whichever it is


class Deploying:
    """A unit whose card is being placed. `anywhere` counts its fighters that may deploy anywhere (RN3-DEP-04)."""

    __slots__ = ("anywhere", "unit")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.anywhere = 0


@step
def name_commanders(battle: Battle) -> None:
    """The Incarnate with the highest AUT commands; on a tie the owner chooses (RN3-CMD-02). Everybody will know him
    when the cards are turned over."""
    battle.then_all(due(name_commander_of, 0), due(name_commander_of, 1))


@step
def name_commander_of(battle: Battle, side: int) -> Step:
    """A step for each side: what one has named, the other does not know yet."""
    yield from choose_commander(battle, side)


@step
def roll_for_deployment(battle: Battle) -> Step:
    """The winner of an authority roll decides who places the first card (RN3-DEP-02)."""
    winner = yield from roll_authority(battle, "deployment")
    battle.winner_of_authority = winner
    battle.first = yield from choose_first(battle, winner, "deployment")
    battle.go = battle.first


def may_stand_anywhere(unit: Unit) -> bool:
    """A unit composed only of scouts may be deployed anywhere on the battlefield (RN3-DEP-04)."""
    deploying = Deploying(unit)
    for fighter in unit.figures:
        at(Keyword.before_deployment, (skills_of(unit, fighter),), deploying)
    return 0 < len(unit.figures) == deploying.anywhere


def area_of(battle: Battle, unit: Unit) -> Rect:
    """Where a unit may be deployed: in the zone of its side, or anywhere if it is all scouts (RN3-DEP-03, -04)."""
    if may_stand_anywhere(unit):
        return Rect(0.0, 0.0, battle.table.width, battle.table.depth)
    return zone_of(battle, unit.side)


@step
def place_card(battle: Battle) -> Step:
    """The players place one card each by turns, face down, inside their zone; who has none left is skipped
    (RN3-DEP-03)."""
    hands = [[u for u in battle.units_of(side) if u.place == "hand"] for side in (0, 1)]
    if not hands[0] and not hands[1]:
        battle.then(reveal_cards)
        return
    side = battle.go if hands[battle.go] else 1 - battle.go
    options = [Option.thing(u.id, "unit", {"unit": u.id}) for u in hands[side]]
    id = yield from pick_one(side, options, "choose_card", "RN3-DEP-03", secret=True)
    unit = battle.units[id]
    check, propose = _spots(battle, unit)
    placed = yield from place_figures(
        side, [CARD], check, propose, "place_card", "RN3-DEP-03", {"unit": id}, measured=True
    )
    x, y = placed[CARD][:2]
    unit.place = "card"
    unit.spot = (x, y)
    battle.placed += (id,)
    battle.spots += ((side, x, y),)
    battle.go = 1 - side
    battle.tell(CardPlaced("RN3-DEP-03", side, (x, y), len(hands[side]) - 1))
    battle.then(place_card)


def _spots(battle: Battle, unit: Unit) -> tuple[Callable[[Places], Refusal | None], Callable[[Random], Places]]:
    """Where a card may lie: anywhere where the base of the leader is wholly inside the zone. He will stand there, or as
    near as there is a place for him."""
    area, leader = area_of(battle, unit), unit.leading

    def check(places: Places) -> Refusal | None:
        x, y = places[CARD][:2]
        if not area.holds(x, y, leader.radius):
            return Refusal("RN3-DEP-03", "outside_zone", {"unit": unit.id})
        return None

    def propose(random: Random) -> Places:
        x = random.uniform(area.x0 + leader.radius, area.x1 - leader.radius)
        y = random.uniform(area.y0 + leader.radius, area.y1 - leader.radius)
        return {CARD: (rounded(x), rounded(y))}

    return check, propose


@step
def reveal_cards(battle: Battle) -> None:
    """All cards are turned over at once; then models are set up in the order in which the cards were placed
    (RN3-DEP-05)."""
    battle.tell(CardsRevealed("RN3-DEP-05", battle.placed))
    for side in (0, 1):
        tell_commander(battle, side, "RN3-CMD-02")
    battle.phase = "set_up"
    battle.then_all(*(due(set_up_unit, id) for id in battle.placed), due(begin_battle))


@step
def set_up_unit(battle: Battle, unit_id: str) -> Step:
    """A unit is set up with its leader on the spot of the card, in a formation its owner chooses now (RN3-DEP-05,
    RN3-FORM-11)."""
    unit = battle.units[unit_id]
    assert unit.spot is not None
    area = area_of(battle, unit)
    zone = Outline.rectangle(*area.middle, area.x1 - area.x0, area.y1 - area.y0)
    if not (yield from set_up(battle, unit, unit.spot, zone)):
        unit.place = "reserve"
        battle.tell(UnitLeftOut("RN3-DEP-05", unit.side, unit_id))


@step
def begin_battle(battle: Battle) -> None:
    """Magicians and faithful fill their mana and faith, and the first turn begins (RN3-DEP-06)."""
    for unit in battle.on_table():
        mystics.refill(battle, unit)
    battle.placed = ()
    battle.spots = ()
    battle.then(begin_turn)
