"""LEG2 Descent into the abandoned mines: the attacker carries a treasure out of the dark (LFW-LEG2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot, inf
from random import Random
from typing import Any, Final

from oriflamme.engine.core.decisions import Option, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_several, place_figures, yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE, in_inches, inches, rounded
from oriflamme.engine.geometry.places import critical_places
from oriflamme.engine.heights import routes, walks
from oriflamme.engine.heights.contacts import stand_curves
from oriflamme.games.lfw.attack import Attack
from oriflamme.games.lfw.ending import end_battle
from oriflamme.games.lfw.events.scenarios import TorchesGiven, TreasureLaid
from oriflamme.games.lfw.ground import contact_reach
from oriflamme.games.lfw.measures import STEP
from oriflamme.games.lfw.moments import Keyword, effect
from oriflamme.games.lfw.objectives import leave
from oriflamme.games.lfw.organisation import Action, action
from oriflamme.games.lfw.scenarios.aims import Aim, aim_round
from oriflamme.games.lfw.scenarios.book import Scenario, Zone, scenario, side_of
from oriflamme.games.lfw.scenarios.zones import FarFrom, NearTo, Stretch
from oriflamme.games.lfw.sight import Looking
from oriflamme.games.lfw.state import Asking, Battle, Effect, Model, Part, Step
from oriflamme.games.lfw.terrain import relief_of
from oriflamme.games.lfw.tokens import RADIUS, lay, treasures

LOOT: Final = "treasure1"
ENTRANCE: Final = "entrance"  # the id of a piece that marks it on a map
WIDE: Final = 3.0  # inches, of the entrance (LFW-LEG2-06)
AWAY: Final = 9  # of the defender from it
NEAR: Final = 6  # of the attacker
ROOM: Final = inches(1.5)  # round the treasure in the middle of a room (LFW-LEG2-05)
GOER: Final = 12.7  # millimetres: half of an inch, the base that must get to the treasure
_TRIES: Final = 60


def _rock(id: str, x0: float, y0: float, x1: float, y1: float) -> Mapping[str, Any]:
    return {"id": id, "kind": "rocks", "at": [(x0 + x1) / 2, (y0 + y1) / 2], "size": [x1 - x0, y1 - y0]}


@scenario
class AbandonedMines(Scenario):
    """Rooms and corridors between blocks of rock, at night, with one way in (LFW-LEG2-02, -05, -06)."""

    id = "leg2"
    rule = "LFW-LEG2-01"
    legendary = True
    unlimited = True
    night = True
    roofed = True
    terrain: tuple[Mapping[str, Any], ...] = (
        _rock("south_west_rock", 0, 0, 6, 4),
        _rock("south_east_rock", 18, 0, 24, 4),
        _rock("west_rock", 0, 7, 4, 10),
        _rock("left_pillar", 7, 7, 10, 10),
        _rock("right_pillar", 14, 7, 17, 10),
        _rock("east_rock", 20, 7, 24, 10),
        _rock("north_west_rock", 0, 15, 7, 18),
        _rock("north_rock", 10.5, 15, 16, 18),
        _rock("north_east_rock", 20, 15, 24, 18),
        _rock("inner_wall", 11.5, 18, 13.5, 24),
        {"id": "west_crates", "kind": "barricade", "at": [5, 12.5], "size": [2, 0.5]},
        {"id": "east_crates", "kind": "barricade", "at": [19, 12.5], "size": [2, 0.5]},
    )

    def roles(self, players: int) -> tuple[str, ...]:
        return ("attacker", "defender")

    def why_not_kind(self, role: str, keyword: str) -> str:
        """The defender plays demons (LFW-LEG2-01)."""
        return "LFW-LEG2-01" if role == "defender" and keyword != "demons" else ""

    def entrance(self, battle: Battle) -> Stretch:
        """Three inches of the edge next to the piece called so, or of the middle of the near edge (LFW-LEG2-06)."""
        width, depth = in_inches(battle.table.width), in_inches(battle.table.depth)
        marked = next((piece for piece in battle.table.pieces if piece.id == ENTRANCE), None)
        x, y = (in_inches(marked.outline.cx), in_inches(marked.outline.cy)) if marked is not None else (width / 2, 0.0)
        half = WIDE / 2
        along_x, along_y = min(max(x, half), width - half), min(max(y, half), depth - half)
        found = {
            y: Stretch(along_x - half, 0.0, along_x + half, 0.0),
            depth - y: Stretch(along_x - half, depth, along_x + half, depth),
            x: Stretch(0.0, along_y - half, 0.0, along_y + half),
            width - x: Stretch(width, along_y - half, width, along_y + half),
        }
        return found[min(found)]

    def zone(self, battle: Battle, side: int) -> Zone:
        entrance = self.entrance(battle)
        return NearTo(entrance, NEAR) if battle.roles[side] == "attacker" else FarFrom(entrance, AWAY)

    def batches(self, battle: Battle) -> list[tuple[int, int]]:
        return [(side_of(battle, role), len(battle.units)) for role in ("defender", "attacker")]

    def before_deployment(self, battle: Battle) -> Asking[None]:
        """The defender lays the treasure, the attacker gives torches (LFW-LEG2-03, -05)."""
        yield from lay_treasure(battle, self, side_of(battle, "defender"))
        yield from give_torches(battle, side_of(battle, "attacker"))

    def heed_notes(self, battle: Battle) -> None:
        for id in battle.notes.get(TORCHES, ()):
            if id in battle.units:
                give_torch(battle.units[id])

    def places(self, battle: Battle) -> Sequence[tuple[float, float, float]]:
        ax, ay, bx, by = (inches(length) for length in self.entrance(battle))
        return [*super().places(battle), ((ax + bx) / 2, (ay + by) / 2, inches(WIDE / 2))]

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """The attacker takes the treasure and brings it to the entrance; the defender stands by it."""
        found = super().places(battle)
        if battle.roles[side] == "attacker":
            ax, ay, bx, by = (inches(length) for length in self.entrance(battle))
            out = Aim("bring", min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
            return [out, *(aim_round("take", x, y, 0.0, 1.0, 3) for x, y, _ in found)]
        holder = next((model for model in battle.there() if model.treasure), None)
        if holder is not None:
            return [aim_round("hold", holder.body.x, holder.body.y, inches(3))]
        return [aim_round("hold", x, y, inches(4)) for x, y, _ in found]

    def after_move(self, battle: Battle, model: Model, kind: str) -> Asking[None]:
        """In contact with the entrance after any move but a flight a unit of the attacker may leave; with the treasure
        he wins at once (LFW-LEG2-07, -08)."""
        if battle.roles[model.side] != "attacker" or kind == "flee" or model.board:
            return
        gap = self.entrance(battle).distance(model.body.x, model.body.y) - model.body.radius
        if gap > contact_reach(battle) + TOLERANCE:
            return
        about, wants, side = {"unit": model.id}, bool(model.treasure), model.side
        if not (yield from yes_or_no(side, "leave_table", "LFW-LEG2-07", about, word="leave_table", default=wants)):
            return
        yield from leave(battle, model, "LFW-LEG2-07")
        if wants:
            end_battle(battle, (side,), "scenario", "LFW-LEG2-08")

    def is_over(self, battle: Battle) -> bool:
        """No unit of the attacker is on the table, and the treasure still is (LFW-LEG2-08)."""
        return self.is_lost(battle) or super().is_over(battle)

    def is_lost(self, battle: Battle) -> bool:
        return bool(treasures(battle)) and not battle.own(side_of(battle, "attacker"))

    def winners(self, battle: Battle) -> tuple[int, ...]:
        return (side_of(battle, "defender"),) if self.is_lost(battle) else ()


# -- the treasure ------------------------------------------------------------------------------------------------------


def lay_treasure(battle: Battle, plan: AbandonedMines, side: int) -> Asking[None]:
    """The defender puts a treasure in the middle of a room that can be got to (LFW-LEG2-05)."""
    room = ROOM
    spot = _some_spot(battle, plan, ROOM)
    if spot is None:
        # No room of this mine is so large: wherever it can lie.
        room, spot = RADIUS, _some_spot(battle, plan, RADIUS)
    if spot is None:
        lay(battle, LOOT, battle.table.width / 2, battle.table.depth / 2)
        return

    def check(places: Places) -> Refusal | None:
        ((x, y, *_),) = places.values()
        return why_not_lay(battle, plan, x, y, room)

    def propose(random: Random) -> Places:
        for _ in range(_TRIES):
            x, y = rounded(random.uniform(0, battle.table.width)), rounded(random.uniform(0, battle.table.depth))
            if why_not_lay(battle, plan, x, y, room) is None:
                return {LOOT: (x, y)}
        return {LOOT: spot}

    places = yield from place_figures(side, (LOOT,), check, propose, "lay_treasure", "LFW-LEG2-05", {})
    x, y, *_ = places[LOOT]
    lay(battle, LOOT, x, y)
    battle.tell(TreasureLaid("LFW-LEG2-05", side, LOOT))


def why_not_lay(battle: Battle, plan: AbandonedMines, x: float, y: float, room: float) -> Refusal | None:
    """Why the treasure cannot lie there: no ground, no room round it, or no way from the entrance, which is proven."""
    relief = relief_of(battle.table)
    if battle.table.board_at(x, y) is None or not relief.may_stand(x, y, RADIUS, battle.closed):
        return Refusal("LFW-LEG2-05", "no_ground", {"treasure": LOOT})
    if not relief.may_stand(x, y, room, battle.closed):
        return Refusal("LFW-LEG2-05", "no_room", {"treasure": LOOT, "reach": in_inches(room)})
    return None if _can_be_reached(battle, plan, x, y) else Refusal("LFW-LEG2-05", "no_way_in", {"treasure": LOOT})


def _can_be_reached(battle: Battle, plan: AbandonedMines, x: float, y: float) -> bool:
    """That no way leads there from the entrance for a base of one inch is proven, or else one does."""
    relief = relief_of(battle.table)
    start = _just_inside(battle, plan.entrance(battle))
    if not relief.may_stand(*start, GOER, battle.closed):
        return True
    gait = walks.Gait(radius=GOER, step=STEP)
    # Closed openings can be forced (LFW-ENV-12).
    return routes.least_cost(relief, start, (x, y), gait, 8 * sum(battle.table.extent)).total < inf


def _just_inside(battle: Battle, entrance: Stretch) -> tuple[float, float]:
    """The place of a base of one inch that touches the middle of the entrance."""
    ax, ay, bx, by = (inches(length) for length in entrance)
    x, y = (ax + bx) / 2, (ay + by) / 2
    width, depth = battle.table.width, battle.table.depth
    return min(max(x, GOER), width - GOER), min(max(y, GOER), depth - GOER)


def _some_spot(battle: Battle, plan: AbandonedMines, room: float) -> tuple[float, float] | None:
    """A place for it, the nearest to the middle of the table of the finite list in which there is one if there is any
    with so much room round it."""
    relief = relief_of(battle.table)
    middle = battle.table.width / 2, battle.table.depth / 2
    spots = critical_places(stand_curves(relief, room, battle.closed), *middle)
    spots = sorted([middle, *spots], key=lambda spot: hypot(spot[0] - middle[0], spot[1] - middle[1]))
    for x, y in spots:
        if why_not_lay(battle, plan, rounded(x), rounded(y), room) is None:
            return rounded(x), rounded(y)
    return None


# -- torches -----------------------------------------------------------------------------------------------------------

TORCH, LIT = "Torch", "Lit torch"
TORCHES: Final = "torches"  # the note of a scene: units that have been given torches


@effect("LFW-LEG2-03", TORCH)
class Torch(Keyword):
    """It can be lit in the organisation phase."""

    __slots__ = ()


@effect("LFW-LEG2-03", LIT)
class LitTorch(Keyword):
    """It gives light for the turn, and its bearer has -1 to hit and combat rolls."""

    __slots__ = ()

    def when_looking(self, looking: Looking) -> None:
        looking.luminous = True

    def when_attacking(self, attack: Attack) -> None:
        attack.bonus.change(-1, self)


def give_torches(battle: Battle, side: int) -> Asking[None]:
    """The attacker gives torches to as many of his units as he likes; of a duo the rider has it (LFW-LEG2-03)."""
    models = list(battle.units_of(side))
    if not models:
        return
    options = [Option.thing(model.id, "unit", {"unit": model.id}) for model in models]
    every = [option.key for option in options]
    chosen = yield from pick_several(side, options, 0, len(options), "give_torches", "LFW-LEG2-03", {}, default=every)
    for id in chosen:
        give_torch(battle.units[id])
    battle.tell(TorchesGiven("LFW-LEG2-03", side, len(chosen)))


def give_torch(model: Model) -> None:
    """Of a duo the rider has it (LFW-LEG2-03)."""
    model.parts[0].lay(Effect(TORCH, "LFW-LEG2-03", "game", (TORCH,)))


@action
class LightTorch(Action):
    """A unit with a torch lights it for the turn (LFW-LEG2-03)."""

    id, rule = "light_torch", "LFW-LEG2-03"

    def is_open(self, battle: Battle, part: Part) -> bool:
        return any(TORCH in lying.rules for lying in part.effects)

    def perform(self, battle: Battle, part: Part) -> Step:
        part.lay(Effect(LIT, self.rule, "turn", (LIT,), part.id))
        return
        yield
