"""LEG5 Commanding respect: two champions, and points for how one of them falls (LFW-LEG5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.engine.core.decisions import Option, PickOne
from oriflamme.engine.core.questions import answers_to, pick_one
from oriflamme.games.lfw.deployment import reveal_armies
from oriflamme.games.lfw.events.scenarios import ChampionNamed, PointsScored, TerritoryChosen
from oriflamme.games.lfw.scenarios.aims import Aim
from oriflamme.games.lfw.scenarios.book import Scenario, Zone, scenario, side_of
from oriflamme.games.lfw.scenarios.territories import VAST, names, part_of
from oriflamme.games.lfw.state import Asking, Battle, Kill, Model, Part

AWAY: Final = 9.0  # inches from the enemy territory (LFW-LEG5-05)
TERRITORY: Final = "territory"
LED_BY_CAPTAIN: Final = 2  # LFW-LEG5-07
KILL: Final = 1  # LFW-LEG5-08
BY_ANOTHER: Final = -3  # LFW-LEG5-09
FLED: Final = 2  # LFW-LEG5-10
LEFT: Final = 3  # LFW-LEG5-11
BY_CHAMPION: Final = 4  # LFW-LEG5-12
IN_DUEL: Final = 1  # LFW-LEG5-13


@scenario
class CommandingRespect(Scenario):
    """Two territories, each army more than 9" from the other's (LFW-LEG5-05)."""

    id = "leg5"
    rule = "LFW-LEG5-01"
    legendary = True
    unlimited = True
    size = VAST
    points = 600
    legends = True
    dear_units = True
    terrain: tuple[Mapping[str, Any], ...] = (
        {"id": "west_ruin", "kind": "ruin", "at": [16, 6], "size": [4, 3]},
        {"id": "east_ruin", "kind": "ruin", "at": [32, 18], "size": [4, 3]},
        {"id": "west_wood", "kind": "forest", "at": [18, 19], "radius": 2.5},
        {"id": "east_wood", "kind": "forest", "at": [30, 5], "radius": 2.5},
        {"id": "hill", "kind": "hill", "at": [24, 12], "radius": 3, "slopes": "all"},
    )

    def roles(self, players: int) -> tuple[str, ...]:
        return ("attacker", "defender")

    def before_deployment(self, battle: Battle) -> Asking[None]:
        """The defender chooses a territory; champions are named in secret and revealed with the armies (LFW-LEG5-05,
        -06)."""
        defender = side_of(battle, "defender")
        options = [Option(name, "territory") for name in names(battle)]
        chosen = yield from pick_one(defender, options, "choose_territory", "LFW-LEG5-05", {})
        battle.notes[TERRITORY] = names(battle).index(chosen)
        battle.tell(TerritoryChosen("LFW-LEG5-05", defender, chosen))
        yield from name_champions(battle)

    def territory(self, battle: Battle, side: int) -> int:
        """The number of a side's territory."""
        of_defender = int(battle.notes.get(TERRITORY, 1))
        return of_defender if battle.roles[side] == "defender" else 1 - of_defender

    def zone(self, battle: Battle, side: int) -> Zone:
        return part_of(battle, self.territory(battle, side), short_by=AWAY)

    def deployment_order(self, battle: Battle, order: tuple[int, ...]) -> tuple[int, ...]:
        """The defender starts (LFW-LEG5-05)."""
        return (side_of(battle, "defender"), side_of(battle, "attacker"))

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """One's champion goes where the enemy's is."""
        theirs = [champion_of(battle, other) for other in battle.enemy_sides(side)]
        near = [battle.model_of(part).body for part in theirs if part is not None and battle.model_of(part).on_table]
        return [Aim("hold", body.x, body.y, body.x, body.y, 0.5) for body in near]

    # -- points --------------------------------------------------------------------------------------------------------

    def after_flight(self, battle: Battle, model: Model) -> None:
        """The enemy scores once if a champion flees (LFW-LEG5-10)."""
        champion = champion_of(battle, model.side)
        if champion is None or champion not in model.alive or battle.notes.get(f"fled_{model.side}"):
            return
        battle.notes[f"fled_{model.side}"] = True
        score(battle, 1 - model.side, FLED, "fled", "LFW-LEG5-10")

    def after_destroyed(self, battle: Battle, kill: Kill) -> None:
        """What a destruction is worth to the enemy of who fell (LFW-LEG5-08 to -13)."""
        side = 1 - kill.side
        own, theirs = champion_of(battle, side), champion_of(battle, kill.side)
        by_champion = own is not None and kill.by == own.id
        if by_champion:
            score(battle, side, KILL, "kill", "LFW-LEG5-08")
        if theirs is None or kill.victim != theirs.id:
            return
        battle.notes["fallen"] = (*battle.notes.get("fallen", ()), kill.side)
        if battle.model_of(theirs).fled:
            score(battle, side, LEFT, "left", "LFW-LEG5-11")
        if not kill.by or battle.part(kill.by).side != side:
            return
        if by_champion:
            score(battle, side, BY_CHAMPION, "champion", "LFW-LEG5-12")
        else:
            score(battle, side, BY_ANOTHER, "another", "LFW-LEG5-09")
        if theirs.duel == kill.by:
            score(battle, side, IN_DUEL, "duel", "LFW-LEG5-13")

    def is_over(self, battle: Battle) -> bool:
        """One champion is destroyed (LFW-LEG5-03)."""
        return bool(battle.notes.get("fallen")) or super().is_over(battle)


def champion_of(battle: Battle, side: int) -> Part | None:
    """The champion of a side."""
    named = battle.notes.get("champions", ())
    return battle.part(named[side]) if side < len(named) and named[side] else None


def score(battle: Battle, side: int, points: int, about: str, rule: str) -> None:
    found = list(battle.score)
    found[side] += points
    battle.score = tuple(found)
    battle.tell(PointsScored(rule, side, points, about))


def name_champions(battle: Battle) -> Asking[None]:
    """Each player names one of his units, a rider or a mount too; all are revealed together (LFW-LEG5-06)."""
    asked = []
    for side in range(battle.sides):
        parts = [part for model in battle.units_of(side) for part in model.parts]
        leaders = [part.id for part in parts if is_captain(part)]
        options = [Option(part.id, "unit", {"unit": part.id}, (part.model,)) for part in parts]
        first = leaders[0] if leaders else parts[0].id
        asked.append(PickOne(side, options, "choose_champion", "LFW-LEG5-06", {}, default=first))
    chosen = yield from answers_to(*asked)
    reveal_armies(battle)
    battle.notes["champions"] = tuple(chosen)
    for side, id in enumerate(chosen):
        battle.tell(ChampionNamed("LFW-LEG5-06", side, id))
        if is_captain(battle.part(id)):
            score(battle, side, LED_BY_CAPTAIN, "captain", "LFW-LEG5-07")


def is_captain(part: Part) -> bool:
    """The captain of its army, or a commander, who is the captain of any army he is in (LFW-LEG5-07, LFW-ARMY-05)."""
    return part.specialisation == "captain" or "commander" in part.sheet.notes
