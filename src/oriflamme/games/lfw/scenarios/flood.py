"""LEG1 Stem the endless tide: one to four players against waves of automata that nobody owns (LFW-LEG1).

Alone or together they count the turns that they survive; against each other the last one to be eliminated wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.heights.walks import standing_parts
from oriflamme.games.lfw.automata.answers import draw
from oriflamme.games.lfw.events.scenarios import Eliminated, WaveArrived
from oriflamme.games.lfw.events.turns import UnitDeployed
from oriflamme.games.lfw.measures import CLEARANCE
from oriflamme.games.lfw.scenarios.aims import Aim
from oriflamme.games.lfw.scenarios.book import Scenario, Strip, Zone, scenario, the_best
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Recruit
from oriflamme.games.lfw.terrain import other_bases, relief_for
from oriflamme.games.lfw.walking import stand

SWARM, BASE, ELITE, HEAVY, BOSS = "swarm", "base", "elite", "heavy", "boss"
COMPETITIVE: Final = "competitive"
MODES: Final = ("cooperative", COMPETITIVE)
LETTER: Final = "x"  # the ids of the tide's units begin with it
DEPTH: Final = 12  # inches of the players' zone (LFW-LEG1-05)
APART: Final = 1.0  # inches from enemies (LFW-LEG1-05)


class Wave(NamedTuple):
    """What comes in a turn: so many of a kind for each player, and so many however many play."""

    kind: str
    each: int
    besides: int = 0


# T-13, by turn; the last one comes again and again.
WAVES: Final[tuple[tuple[Wave, ...], ...]] = (
    (Wave(SWARM, 2),),
    (Wave(SWARM, 2), Wave(BASE, 1)),
    (Wave(SWARM, 2), Wave(ELITE, 1)),
    (Wave(BASE, 2), Wave(HEAVY, 0, 1)),
    (Wave(BASE, 2), Wave(ELITE, 1)),
    (Wave(HEAVY, 1),),
    (Wave(SWARM, 3), Wave(BASE, 1)),
    (Wave(ELITE, 2),),
    (Wave(SWARM, 1),),
    (Wave(BOSS, 0, 1),),
    (Wave(HEAVY, 1), Wave(BASE, 2), Wave(SWARM, 3)),
)


@scenario
class EndlessTide(Scenario):
    """The tide arrives at the far edge; players are less than 12" from the near one (LFW-LEG1-04, -05)."""

    id = "leg1"
    rule = "LFW-LEG1-01"
    legendary = True
    players = (1, 4)
    unowned_role = "tide"
    breaks_in = True
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "west_ruin", "kind": "ruin", "at": [5, 9], "size": [3, 3]},
        {"id": "east_ruin", "kind": "ruin", "at": [19, 9], "size": [3, 3]},
        {"id": "wood", "kind": "forest", "at": [12, 16], "radius": 2},
    )

    def roles(self, players: int) -> tuple[str, ...]:
        return (*("defender",) * players, self.unowned_role)

    def teams(self, players: int, agreed: Mapping[str, str]) -> tuple[int, ...]:
        """Together all players are friends; the tide is the enemy of all (LFW-LEG1-12)."""
        if players == 1 or agreed.get("mode") == COMPETITIVE:
            return ()
        return (*(0,) * players, 1)

    def zone(self, battle: Battle, side: int) -> Zone:
        return Strip("south", DEPTH)

    def apart(self, battle: Battle, side: int) -> float:
        return APART if is_competitive(battle) else 0.0

    def start_of_turn(self, battle: Battle) -> Asking[None]:
        """The wave of this turn arrives (LFW-LEG1-09)."""
        arrived = 0
        for wave in WAVES[min(battle.round, len(WAVES)) - 1]:
            known = [recruit for recruit in battle.tide if recruit.wave == wave.kind]
            for _ in range(wave.each * battle.players + wave.besides if known else 0):
                arrived += arrive(battle, draw(battle, known))
        battle.tell(WaveArrived("LFW-LEG1-09", battle.round, arrived))
        return
        yield

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """As far from the tide as can be."""
        return [Aim("hold", 0.0, 0.0, battle.table.width, battle.table.depth / 4, 0.2)]

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        """Whoever still has a unit has survived the turn; who plays together survives together (LFW-LEG1-13)."""
        standing = [side for side in range(battle.players) if battle.own(side)]
        survived = [
            battle.round if any(battle.are_friends(side, other) for other in standing) else battle.score[side]
            for side in range(battle.players)
        ]
        battle.score = (*survived, 0)
        known = tuple(battle.notes.get("eliminated", ()))
        for side in range(battle.players):
            if side not in standing and side not in known:
                known += (side,)
                battle.tell(Eliminated("LFW-LEG1-13", side, battle.score[side]))
        battle.notes["eliminated"] = known
        return
        yield

    def is_over(self, battle: Battle) -> bool:
        """No unit of a player is left (LFW-LEG1-03)."""
        return not any(battle.own(side) for side in range(battle.players)) or super().is_over(battle)

    def winners(self, battle: Battle) -> tuple[int, ...]:
        """Against each other the last player to be eliminated wins, whether or not he conceded; of several in the same
        turn nobody does (LFW-LEG1-02, LFW-SETUP-11)."""
        return the_best(dict(enumerate(battle.score[: battle.players]))) if is_competitive(battle) else ()

    def counted(self, battle: Battle) -> str:
        return "" if is_competitive(battle) else "turns"


def is_competitive(battle: Battle) -> bool:
    """The players are enemies of each other (LFW-LEG1-02)."""
    return battle.players > 1 and not battle.are_friends(0, 1)


# -- arrivals ----------------------------------------------------------------------------------------------------------


def arrive(battle: Battle, recruit: Recruit) -> bool:
    """A unit of the tide is placed at random where its base touches the arrival edge, in the next row where that is
    full; it does not come if there is no row for it on the whole table (LFW-LEG1-10)."""
    model = recruited(battle, recruit)
    for row in rows(battle, model):
        free = list(row.free(battle, model))
        if free:
            stand(battle, model, row.drawn(battle, free), row.y)
            battle.units[model.id] = model
            battle.tell(UnitDeployed("LFW-LEG1-10", model.side, model.id))
            return True
    return False


def recruited(battle: Battle, recruit: Recruit) -> Model:
    """One more of its kind: its behaviour is that of its kind (LFW-LEG1-08)."""
    side = battle.nobody
    id = f"{LETTER}{sum(1 for _ in battle.units_of(side)) + 1}"
    roles = ("rider", "mount") if len(recruit.sheets) > 1 else ("",)
    parts = [
        Part(f"{id}.mount" if role == "mount" else id, id, side, sheet, role=role)
        for sheet, role in zip(recruit.sheets, roles, strict=True)
    ]
    model = Model(id, side, parts, recruit.name)
    model.manner = recruit.behaviour
    return model


class Row(NamedTuple):
    """Where the middles of bases of one size may be along the arrival edge, in millimetres."""

    x0: float
    x1: float
    y: float

    def free(self, battle: Battle, model: Model) -> Iterator[tuple[float, float]]:
        """The parts of it where a base fits more than 1" from players' units: exact."""
        others = other_bases(battle, model, CLEARANCE + 2.5 * TOLERANCE)
        far = self.x1 - self.x0
        parts = standing_parts(
            relief_for(battle, model), (self.x0, self.y), (self.x1, self.y), model.body.radius, battle.closed, others
        )
        for low, high in parts:
            yield self.x0 + low * far, self.x0 + high * far

    def drawn(self, battle: Battle, free: Sequence[tuple[float, float]]) -> float:
        """A place of those, each as likely as the next; drawn like a direction."""
        total = sum(high - low for low, high in free)
        if total <= TOLERANCE:
            return rounded(draw(battle, free)[0])
        along = total * battle.dice.direction() / 360
        for low, high in free:
            if along <= high - low:
                return rounded(low + along)
            along -= high - low
        return rounded(free[-1][1])


def rows(battle: Battle, model: Model) -> Iterator[Row]:
    """The rows for its base, that at the edge first."""
    r = model.body.radius
    y = battle.table.depth - r
    while y >= r:
        yield Row(r, battle.table.width - r, y)
        y -= 2 * r
