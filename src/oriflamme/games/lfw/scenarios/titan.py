"""LEG4 Assault on a titan: one unit alone against up to three assailants (LFW-LEG4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import in_inches
from oriflamme.games.lfw.battlefields.demands import Field, corridor_of
from oriflamme.games.lfw.deployment import army_to_deploy
from oriflamme.games.lfw.events.scenarios import AimChosen
from oriflamme.games.lfw.scenarios.aims import Aim
from oriflamme.games.lfw.scenarios.book import Scenario, Zone, scenario, side_of
from oriflamme.games.lfw.scenarios.territories import VAST, is_beyond, is_wide, part_of
from oriflamme.games.lfw.scenarios.zones import Outside, Square
from oriflamme.games.lfw.state import Asking, Battle, Model

TITAN: Final = "titan"
LAST: Final = 8  # LFW-LEG4-05
FOR_EACH: Final = 300  # points of the titan for each assailant (LFW-LEG4-02)
CORRIDOR: Final = 12.0  # inches wide (LFW-LEG4-07)
APART: Final = 6.0  # of assailants from enemies (LFW-LEG4-07)
NEAR: Final = 1.0  # of the titan
# What assailants want: to kill the titan themselves, or that it be killed (LFW-LEG4-03).
KILL, KILLED = "kill", "killed"


@scenario
class TitanAssault(Scenario):
    """Two territories; the titan begins in a corridor through the first one, the others anywhere else (LFW-LEG4-06,
    -07)."""

    id = "leg4"
    rule = "LFW-LEG4-01"
    legendary = True
    players = (2, 4)
    size = VAST
    lone_role = TITAN
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "south_hill", "kind": "hill", "at": [10, 3], "radius": 2.5, "slopes": "all"},
        {"id": "north_wood", "kind": "forest", "at": [10, 21], "radius": 2.5},
        {"id": "south_rocks", "kind": "rocks", "at": [20, 3], "size": [3, 2]},
        {"id": "ruin", "kind": "ruin", "at": [30, 12], "size": [4, 4]},
        {"id": "east_ruin", "kind": "ruin", "at": [40, 17], "size": [4, 3]},
        {"id": "east_wood", "kind": "forest", "at": [40, 5], "radius": 3},
        {"id": "wall", "kind": "wall", "at": [35, 12], "size": [0.5, 4]},
        {"id": "barricade", "kind": "barricade", "at": [28, 19], "size": [3, 0.5]},
        {"id": "north_wall", "kind": "wall", "at": [36, 21], "size": [3, 0.5]},
        {"id": "east_hill", "kind": "hill", "at": [45, 11], "radius": 2, "slopes": "all"},
        {"id": "pond", "kind": "pond", "at": [31, 4], "radius": 2},
    )

    def roles(self, players: int) -> tuple[str, ...]:
        return (TITAN, *("assailant",) * (players - 1))

    def most_points(self, role: str, players: int) -> int:
        return FOR_EACH * (players - 1) if role == TITAN else 0

    def before_deployment(self, battle: Battle) -> Asking[None]:
        """Assailants say openly what they want, one after the other (LFW-LEG4-03)."""
        for side in battle.order:
            if battle.roles[side] == TITAN or aim_of(battle, side):
                continue
            options = [Option(key, "titan_aim") for key in (KILLED, KILL)]
            key = yield from pick_one(side, options, "choose_aim", "LFW-LEG4-03", {}, default=KILLED)
            battle.notes[f"aim_{side}"] = key
            battle.tell(AimChosen("LFW-LEG4-03", side, key))
        set_teams(battle)

    def corridor(self, battle: Battle) -> Square:
        """The widest strip free of scenery through the first territory lengthwise; no more than 12" of it, in its
        middle, and 12" in the middle of the table where there is none (LFW-LEG4-06, -07)."""
        broad = in_inches(min(battle.table.width, battle.table.depth))
        low, high = 0.0, broad
        found = corridor_of(Field(battle.table))
        if found is not None:
            x0, y0, x1, y1 = (in_inches(length) for length in found)
            low, high = (y0, y1) if is_wide(battle) else (x0, x1)
        middle, half = (low + high) / 2, min(high - low, CORRIDOR) / 2
        return part_of(battle, 0, low=middle - half, high=middle + half)

    def zone(self, battle: Battle, side: int) -> Zone:
        corridor = self.corridor(battle)
        return corridor if battle.roles[side] == TITAN else Outside(corridor)

    def apart(self, battle: Battle, side: int) -> float:
        return NEAR if battle.roles[side] == TITAN else APART

    def when_full(self, battle: Battle, side: int) -> tuple[Zone, float, float] | None:
        """Where enemies leave no place, as near as can be to the far end of the second territory."""
        width, depth = battle.table.width, battle.table.depth
        end = (width, depth / 2) if is_wide(battle) else (width / 2, depth)
        return None if battle.roles[side] == TITAN else (self.zone(battle, side), *end)

    def waits(self, battle: Battle, side: int) -> bool:
        """The titan is placed when all assailants stand (LFW-LEG4-07)."""
        if battle.roles[side] != TITAN:
            return False
        others = [model for other in range(battle.sides) if other != side for model in army_to_deploy(battle, other)]
        return any(model.place == "reserve" for model in others)

    def prepare(self, battle: Battle) -> Asking[None]:
        battle.last_turn = LAST
        return
        yield

    def forbids_charge(self, battle: Battle, model: Model, target: Model) -> str:
        """Assailants do not charge each other on turn 1 (LFW-LEG4-08)."""
        is_titan = TITAN in (battle.roles[model.side], battle.roles[target.side])
        return "LFW-LEG4-08" if battle.round == 1 and not is_titan else ""

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """The titan goes into the second territory; the others go where it is."""
        titan = side_of(battle, TITAN)
        if side == titan:
            x0, y0, x1, y1 = part_of(battle, 1, short_by=3).bounds(battle)
            return [Aim("hold", x0, y0, x1, y1, 1.0, 1)]
        near = [model.body for model in battle.own(titan)]
        return [Aim("hold", body.x, body.y, body.x, body.y, 0.5) for body in near]

    def is_over(self, battle: Battle) -> bool:
        """After turn 8, or when the titan is eliminated (LFW-LEG4-05)."""
        return battle.round >= LAST or not battle.own(side_of(battle, TITAN))

    def winners(self, battle: Battle) -> tuple[int, ...]:
        """Of a titan that lives, itself, if it is in the second territory; of one that was killed, all who wanted it
        killed, and who wanted to kill it if one of his own units did (LFW-LEG4-09)."""
        titan = side_of(battle, TITAN)
        alive = battle.own(titan)
        if alive:
            return (titan,) if any(is_beyond(battle, model.body.x, model.body.y) for model in alive) else ()
        deaths = [kill for kill in battle.kills if kill.side == titan]
        killer = battle.part(deaths[-1].by).side if deaths and deaths[-1].by else None
        return tuple(
            side for side in battle.playing if side != titan and (aim_of(battle, side) != KILL or side == killer)
        )


def aim_of(battle: Battle, side: int) -> str:
    """What an assailant has said he wants, "" if nothing yet."""
    return str(battle.notes.get(f"aim_{side}", ""))


def set_teams(battle: Battle) -> None:
    """Assailants who want it killed are friends of each other; everybody else stands alone (LFW-LEG4-04)."""
    together = next((side for side in range(battle.sides) if aim_of(battle, side) == KILLED), 0)
    battle.teams = tuple(together if aim_of(battle, side) == KILLED else side for side in range(battle.sides))
