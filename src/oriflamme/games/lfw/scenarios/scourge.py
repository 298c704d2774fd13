"""LEG3 Demon scourge: two attackers save what they can before the demons come, and after (LFW-LEG3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one, yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.alternation import PASS
from oriflamme.games.lfw.deployment import Terms, has_place, place_within
from oriflamme.games.lfw.objectives import leave, saved_by
from oriflamme.games.lfw.scenarios.aims import Aim, aim_along
from oriflamme.games.lfw.scenarios.book import EDGES, Scenario, scenario, side_of, the_best
from oriflamme.games.lfw.scenarios.zones import Anywhere
from oriflamme.games.lfw.specialists import price_of
from oriflamme.games.lfw.state import Asking, Battle, Model
from oriflamme.games.lfw.tokens import SUPPLIES, TREASURE, lay, treasures

DEMON: Final = "demon"
FIRST: Final = 3  # the turn from which demons appear (LFW-LEG3-06)
ALL: Final = 5  # the turn from which there is no limit (LFW-LEG3-07)
APART: Final = inches(3)  # from enemies (LFW-LEG3-06)
EXIT: Final = inches(1)  # LFW-LEG3-08


@scenario
class DemonScourge(Scenario):
    """Attackers own opposite edges, zones 3" deep; the demons are in hell (LFW-LEG3-05)."""

    id = "leg3"
    rule = "LFW-LEG3-01"
    legendary = True
    unlimited = True
    players = (3, 3)
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "ruin", "kind": "ruin", "at": [12, 12], "size": [4, 4]},
        {"id": "west_wood", "kind": "forest", "at": [3, 12], "radius": 2},
        {"id": "east_wood", "kind": "forest", "at": [21, 12], "radius": 2},
        {"id": "south_wall", "kind": "wall", "at": [12, 7], "size": [4, 0.5]},
        {"id": "north_wall", "kind": "wall", "at": [12, 17], "size": [4, 0.5]},
    )

    def roles(self, players: int) -> tuple[str, ...]:
        return ("attacker_a", "attacker_b", DEMON)

    def why_not_kind(self, role: str, keyword: str) -> str:
        """Demons are played by the demon, and by nobody else (LFW-LEG3-01)."""
        return "LFW-LEG3-01" if (role == DEMON) != (keyword == "demons") else ""

    def layout(self, battle: Battle) -> None:
        """In the middle of each quarter: treasures on one diagonal, supplies on the other (LFW-LEG3-03, -04)."""
        width, depth = battle.table.width / 4, battle.table.depth / 4
        lay(battle, "treasure1", width, depth, TREASURE)
        lay(battle, "treasure2", 3 * width, 3 * depth, TREASURE)
        lay(battle, "supplies1", 3 * width, depth, SUPPLIES)
        lay(battle, "supplies2", width, 3 * depth, SUPPLIES)

    def waits(self, battle: Battle, side: int) -> bool:
        return battle.roles[side] == DEMON

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """Attackers carry the objectives off to their edge; the demon stands on them."""
        found = super().aims(battle, side)
        if battle.roles[side] == DEMON:
            return [aim._replace(what="hold") for aim in found]
        table = battle.table
        return [*found, aim_along("bring", EDGES[side], table.width, table.depth)]

    # -- demons appear -------------------------------------------------------------------------------------------------

    def limit(self, battle: Battle) -> float | None:
        """What units that appear in one turn may cost, None for any number (LFW-LEG3-06, -07)."""
        if battle.round >= ALL:
            return None
        return battle.points / 3 if battle.option("lfw.demonWaveLimit") == "third" else battle.points * 0.3

    def start_of_turn(self, battle: Battle) -> Asking[None]:
        """From turn 3 the demon places units one by one, more than 3" from enemies (LFW-LEG3-06)."""
        side = side_of(battle, DEMON)
        limit, spent = self.limit(battle), 0
        terms = Terms(Anywhere(), APART, "LFW-LEG3-06")
        while battle.round >= FIRST and side in battle.playing:
            found = [
                model
                for model in battle.units_of(side)
                if model.place == "reserve" and (limit is None or spent + cost_of(battle, model) <= limit)
                if has_place(battle, model, terms)
            ]
            if not found:
                return
            options = [Option.thing(model.id, "unit", {"unit": model.id}) for model in found]
            left = None if limit is None else int(limit) - spent
            about = {"points": left}
            key = yield from pick_one(
                side, [*options, PASS], "choose_appearing", "LFW-LEG3-06", about, passing="pass", default=found[0].id
            )
            if key == "pass":
                return
            spent += cost_of(battle, battle.units[key])
            yield from place_within(battle, battle.units[key], terms, "LFW-LEG3-06")

    # -- every man for himself -----------------------------------------------------------------------------------------

    def after_move(self, battle: Battle, model: Model, kind: str) -> Asking[None]:
        """Less than 1" from its own edge after a normal move or a run a unit may leave (LFW-LEG3-08)."""
        if kind not in ("normal", "run") or model.board or battle.roles[model.side] == DEMON:
            return
        body = model.body
        edge = (body.y if EDGES[model.side] == "south" else battle.table.depth - body.y) - body.radius
        if edge >= EXIT - TOLERANCE:
            return
        about, wants, side = {"unit": model.id}, bool(model.treasure), model.side
        if (yield from yes_or_no(side, "leave_table", "LFW-LEG3-08", about, word="leave_table", default=wants)):
            yield from leave(battle, model, "LFW-LEG3-08")

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        """Attackers count what they saved, the demon what is not saved (LFW-LEG3-09)."""
        score = list(saved_by(battle))
        score[side_of(battle, DEMON)] = len(treasures(battle))
        battle.score = tuple(score)
        return
        yield

    def is_over(self, battle: Battle) -> bool:
        """No unit of an attacker is on the table (LFW-LEG3-02)."""
        attackers = [model for model in battle.there() if battle.roles[model.side] != DEMON]
        return not attackers or super().is_over(battle)

    def winners(self, battle: Battle) -> tuple[int, ...]:
        return the_best({side: battle.score[side] for side in battle.playing})


def cost_of(battle: Battle, model: Model) -> int:
    """What a unit costs with its options and its level; rider and mount together (LFW-ARMY-09)."""
    summed = battle.option("lfw.specialistPrice") == "sumOfLevels"
    levels = [
        price_of(part.specialisation, part.level, part.sheet.role, summed=summed)
        for part in model.parts
        if part.specialisation
    ]
    return sum(part.sheet.cost for part in model.parts) + sum(levels)
