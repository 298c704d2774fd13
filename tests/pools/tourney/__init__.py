"""A game of the test's own: two troops, each with a hero, who share out their dice in secret. Nothing outside this
folder knows it.

A round: each side may drink a potion, which nobody has to; then both share out, and the one that attacks better scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from oriflamme.engine.core import battle as engine
from oriflamme.engine.core.decisions import Allocate, Group, Option
from oriflamme.engine.core.dice import Dice, chain, sorting
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.questions import answers_to, pick_one
from oriflamme.engine.core.rulebook import HouseRule
from oriflamme.engine.core.state import Kind
from oriflamme.engine.core.steps import Step, Steps, due
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.engine.odds import Conditions, Distribution, Odds, Table
from oriflamme.engine.picture.picture import Picture
from oriflamme.engine.picture.shown import FigureShown, UnitShown
from oriflamme.engine.table.pieces import Table as Ground

steps = Steps()

ROUNDS = 3
RESERVE = {"troop": 5, "hero": 3}
# Fives and sixes succeed, and a six earns one more die.
HITS = chain(sorting((0, 0, 0, 0, 1, 2)), (2,), (-1, 0, 0))


class Band(engine.Unit[engine.Figure]):
    """Three who fight for a side."""

    __slots__ = ("score",)

    def __init__(self, id: str, side: int, y: float) -> None:
        figures = [engine.Figure(f"{id}.{n}", Disc(15), 20) for n in (1, 2, 3)]
        for number, figure in enumerate(figures):
            figure.x, figure.y = 200.0 + 45 * number, y
        self.score = 0
        super().__init__(id, side, figures)

    @property
    def name(self) -> dict[str, str]:
        return {"en": f"Band {self.side + 1}", "fr": f"Bande {self.side + 1}"}


class Tourney(engine.Battle[Band]):
    __slots__ = ()
    slot_kinds: ClassVar[Mapping[str, Kind]] = {}


@steps.step
def drink(battle: Tourney, side: int) -> Step:
    """A side may drink (TRN-01)."""
    options = [Option("drink", "drink"), Option("keep", "keep")]
    yield from pick_one(side, options, "drink", "TRN-01", {"unit": f"band_{side}"}, default="keep", passing="keep")


@steps.step
def fight(battle: Tourney) -> Step:
    """Both sides share out in secret, and attack (TRN-02)."""
    shares = yield from answers_to(*(share(side) for side in (0, 1)))
    for side, share_of in enumerate(shares):
        hits = battle.dice.earned(share_of.get("troop attack", 0) + share_of.get("hero attack", 0), HITS)[0]
        battle.units[f"band_{side}"].score += hits
    battle.round += 1
    battle.over = battle.round >= ROUNDS
    if not battle.over:
        battle.then_all(due(drink, 0), due(drink, 1), due(fight))


def share(side: int) -> Allocate:
    """The reserves of troop and hero are apart; more than half of each attacks."""
    slots, words, groups = {}, {}, []
    for who, dice in RESERVE.items():
        for use in ("attack", "defend"):
            slots[f"{who} {use}"] = dice
            words[f"{who} {use}"] = Option(f"{who} {use}", use, {"who": who})
        groups.append(Group(Option(who, "reserve", {"who": who}), (f"{who} attack", f"{who} defend"), most=dice))
        majority = Option(f"{who} majority", "majority", {"who": who})
        groups.append(Group(majority, (f"{who} attack",), dice // 2 + 1, rule="TRN-03"))
    return Allocate(
        side, slots, 0, sum(RESERVE.values()), "share", "TRN-02", {"unit": f"band_{side}"}, secret=True, groups=groups,
        words=words,
    )  # fmt: skip


class TourneyPicture(Picture[Tourney, Band]):
    subjects: ClassVar[tuple[str, ...]] = ("unit",)

    def unit(self, unit: Band) -> UnitShown:
        return UnitShown(
            unit.id,
            unit.side,
            unit.name,
            tuple(FigureShown.of(figure, "") for figure in unit.figures),
            start=3,
        )


def odds_of_share(battle: Tourney, decision: Allocate, shares: dict[str, int]) -> Table:
    """How many hits so many dice in attack bring."""
    attacking = shares.get("troop attack", 0) + shares.get("hero attack", 0)
    law = Distribution.of(lambda dice: dice.earned(attacking, HITS)[0])
    columns = [{"en": "", "fr": ""}, *({"en": f"{n} or more", "fr": f"{n} ou plus"} for n in (1, 2, 3))]
    told = {"en": f"{attacking} dice", "fr": f"{attacking} dés"}
    return Table({"en": "Hits", "fr": "Touches"}, columns, [[told, *(float(law.at_least(n)) for n in (1, 2, 3))]])


class TourneyOdds(Odds[Tourney, Conditions]):
    drafts: ClassVar[Mapping[str, Any]] = {"share": odds_of_share}


class NoLists:
    """There is nothing to choose: both bands are alike."""

    def lists(self) -> list[Any]:
        return []


class TourneyGame(Game):
    """The rulebook."""

    id = "tourney"
    title: ClassVar[Mapping[str, str]] = {"en": "The Tourney", "fr": "Le Tournoi"}
    measure = "mm"
    steps = steps
    options: Mapping[str, HouseRule] = {}

    def setup(self, seed: int, **chosen: Any) -> dict[str, Any]:
        return {"armies": [{"name": {"en": "Red", "fr": "Rouge"}}, {"name": {"en": "Blue", "fr": "Bleu"}}]}

    def begin(self, setup: dict[str, Any], dice: Dice) -> Tourney:
        battle = Tourney(Ground(600.0, 600.0), 2, {}, dice)
        battle.units = {f"band_{side}": Band(f"band_{side}", side, 100.0 + 400 * side) for side in (0, 1)}
        battle.then_all(due(drink, 0), due(drink, 1), due(fight))
        return battle

    def score(self, battle: Tourney) -> list[int]:
        return [unit.score for unit in battle.units.values()]

    def armies(self) -> Any:
        return NoLists()

    def odds(self) -> TourneyOdds:
        return TourneyOdds(self)

    def picture(self) -> TourneyPicture:
        return TourneyPicture(self.measure)


game = TourneyGame()
