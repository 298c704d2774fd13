"""Two fighters of the roster against each other, on a table that has just what is told of it: a wall, a hill, friends.

What bears on their rolls is found by the rules from where they stand, as in any battle.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Annotated, Final, Literal

import msgspec

from oriflamme.engine.core.dice import HiddenDice
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.shapes import Outline
from oriflamme.engine.odds import Conditions
from oriflamme.engine.table.pieces import Piece, Table
from oriflamme.engine.words.catalogue import load
from oriflamme.engine.words.notices import Notice, notice
from oriflamme.engine.words.problems import Problems, problem_with
from oriflamme.games.sbh.measures import SCALES, Ruler
from oriflamme.games.sbh.movement import put
from oriflamme.games.sbh.odds.attacks import SNARES, AttackOdds, attack_odds, bout_of, law_of, ranged_deeds
from oriflamme.games.sbh.results import may_hack
from oriflamme.games.sbh.roster import Card
from oriflamme.games.sbh.setup import field
from oriflamme.games.sbh.state import Battle, Fighter

MOST: Final = 5
# The table, in millimetres, and where somebody began his turn who attacks from ambush: in a wood far away.
SIZE: Final = 2000.0
LAIR: Final = (100.0, 100.0)
# A fence is so thick, and woods and stones reach half as far beyond a base.
THIN: Final = 1.0

Spot = tuple[float, float]


class SbhConditions(Conditions, frozen=True):
    """How the two stand. Distances are in millimetres; the extra enemies of each are those beyond the other one."""

    close_combat = frozenset({"outnumbered", "attacker_outnumbered", "obstacle", "higher", "attacker_fallen"})
    from_afar = frozenset({"distance", "cover", "shooters"})

    scale: Literal["15mm", "28mm"] = "15mm"
    # One short stick, if it is not told.
    distance: Annotated[float, msgspec.Meta(ge=1, le=SIZE / 2)] | None = None
    cover: bool = False
    shooters: Annotated[int, msgspec.Meta(ge=1, le=MOST)] = 1
    ambush: bool = False
    fallen: bool = False
    transfixed: bool = False
    attacker_fallen: bool = False
    outnumbered: Annotated[int, msgspec.Meta(ge=0, le=MOST)] = 0
    attacker_outnumbered: Annotated[int, msgspec.Meta(ge=0, le=MOST)] = 0
    obstacle: bool = False
    higher: bool = False


class Duel:
    """The scene: who attacks, who is attacked, and everything around them."""

    __slots__ = ("attacker", "battle", "charge", "defender", "shooters")

    def __init__(self, attacker: Card, defender: Card, how: SbhConditions, *, charge: bool) -> None:
        self.charge = charge
        sticks = SCALES[how.scale]
        options = {key: option.default for key, option in load("sbh").options.items()}
        empty = Table(SIZE, SIZE)
        battle = self.battle = Battle(empty, options, HiddenDice(), scale=how.scale, sticks=sticks, ruler=Ruler(sticks))
        self.attacker, self.defender = self._join(attacker, 0), self._join(defender, 1)
        apart = self.attacker.radius + self.defender.radius
        far = sticks.short if how.distance is None else how.distance
        apart += (THIN if how.obstacle else 0.0) if charge else far
        a, d = ((SIZE - apart) / 2, SIZE / 2), ((SIZE + apart) / 2, SIZE / 2)
        battle.table = Table(SIZE, SIZE, self._pieces(a, d, how))
        put(battle, self.attacker, *a)
        put(battle, self.defender, *d)
        battle.start_spots = {f.id: (f.x, f.y, f.z) for f in (self.attacker, self.defender)}
        if how.ambush and charge:
            battle.start_spots[self.attacker.id] = (*LAIR, 0.0)
        self.attacker.down, self.defender.down = how.attacker_fallen, how.fallen
        self.defender.transfixed = "" if how.transfixed else None
        self._crowd(self.defender, attacker, how.outnumbered, 0.0)
        self._crowd(self.attacker, defender, how.attacker_outnumbered, pi)
        self.shooters = [self.attacker, *self._beside(attacker, how.shooters - 1)]

    def _pieces(self, a: Spot, d: Spot, how: SbhConditions) -> Iterator[Piece]:
        """The terrain that makes it so."""
        reach = self.attacker.radius + THIN / 2
        if how.cover:
            yield Piece("stones", "ruin", Outline.circle(*d, self.defender.radius + THIN / 2), 20.0, ("cover",))
        if how.obstacle:
            yield Piece(
                "fence", "fence", Outline.rectangle(a[0] + reach, a[1], THIN, 40.0), 15.0, ("cover", "obstacle")
            )
        if how.higher:
            yield Piece("hill", "hill", Outline.circle(*a, self.attacker.radius / 2), 10.0, (), (10.0,))
        if how.ambush:
            yield Piece("wood", "forest", Outline.circle(*(LAIR if self.charge else a), reach), 80.0, ("cover",))

    def _join(self, card: Card, side: int) -> Fighter:
        fighter = field(self.battle, {**msgspec.to_builtins(card), "card": card.id}, side)
        fighter.reserve = None
        self.battle.units[fighter.id] = fighter
        return fighter

    def _crowd(self, about: Fighter, card: Card, number: int, away: float) -> None:
        """So many more enemies in contact with him, on the side away from his opponent."""
        for place in range(number):
            one = self._join(card, 1 - about.side)
            angle = away + (place - (number - 1) / 2) * pi / 9
            reach = about.radius + one.radius
            put(self.battle, one, about.x + reach * cos(angle), about.y + reach * sin(angle))

    def _beside(self, card: Card, number: int) -> Iterator[Fighter]:
        """More shooters in the same place: a volley is one roll, and what holds for one holds for all."""
        for _ in range(number):
            one = self._join(card, 0)
            put(self.battle, one, self.attacker.x, self.attacker.y)
            self.battle.start_spots[one.id] = self.battle.start_spots[self.attacker.id]
            yield one

    def deeds(self) -> list[tuple[str, int]]:
        """What the attacker can do to the defender from there, with its Power; raises Problems if there is nothing."""
        battle, by, on = self.battle, self.attacker, self.defender
        if self.charge:
            return [("attack", 0), ("power", 0)] + ([("hack", 0)] if may_hack(battle, by, on) else [])
        known = ranged_deeds(battle, by, on)
        if not known:
            raise problem_with(
                "odds", notice("nothing_to_shoot_with", unit=by.name), hint=notice("charge_for_close_combat")
            )
        found = [deed for deed, refusal in known.items() if refusal is None]
        if not found:
            raise _refused(next(refusal for refusal in reversed(known.values()) if refusal is not None))
        if len(self.shooters) > 1:
            together = {"shoot": "volley", "aim": "aimvolley"}
            found = [(together[deed], 0) for deed, _ in found if deed in together]
            if not found:
                raise problem_with("shooters", notice("does_not_shoot", fighter=by.name), rule="SBH-VOLLEY-01")
        return found

    def odds(self) -> list[AttackOdds]:
        """The odds of each of them, wherever there is room to recoil and nowhere to drop."""
        found = []
        for deed, power in self.deeds():
            if deed in SNARES:
                found.append(attack_odds(self.battle, self.attacker, self.defender, deed, power=power))
            else:
                shooters = self.shooters if len(self.shooters) > 1 else ()
                bout = bout_of(self.battle, self.attacker, self.defender, deed, power=power, shooters=shooters)
                found.append(AttackOdds(deed, power, law_of(bout), bout))
        return found


def _refused(refusal: Refusal) -> Problems:
    return problem_with("odds", Notice(f"odds_{refusal.why}", refusal.facts), rule=refusal.rule)
