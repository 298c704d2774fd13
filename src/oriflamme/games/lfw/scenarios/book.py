"""What a scenario is (LFW-SCN0-01, LFW-SETUP-04), and all that there are. A game asks only here.

A scenario is declared by a class with `@scenario`. It is asked at these moments, in this order: `layout` of the table,
`roles`, `zone` where each side deploys and `batches` in which, `prepare` when all stand, `start_of_turn`,
`forbids_charge`, `after_move`, `after_flight`, `after_destroyed`, `end_of_turn`, `is_over` and `winners`. What it keeps
track of is in `battle.notes`, `battle.score` and `battle.tokens`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.turns import LengthRolled
from oriflamme.games.lfw.measures import TABLE
from oriflamme.games.lfw.scenarios.aims import Aim, aim_round
from oriflamme.games.lfw.scenarios.zones import Strip as Strip
from oriflamme.games.lfw.scenarios.zones import Zone as Zone
from oriflamme.games.lfw.state import Asking, Battle, Kill, Model
from oriflamme.games.lfw.tokens import lying
from oriflamme.games.lfw.values import Amount

EDGES: Final = ("south", "north", "west", "east")
TREASURE_WORTH: Final = 0.5  # what one treasure contributes to a victory, where a scenario says nothing else


class Scenario:
    """A scenario of the book. `id` is its id in the catalogue, in lower case: scn5."""

    id = ""
    rule = ""
    legendary = False
    players: tuple[int, int] = (2, 2)
    # Sizes of the table in inches (LFW-TERR-01, LFW-ENV-09), and the points armies are written for.
    size: tuple[float, float] = TABLE
    points = 300
    # Its terrain, as pieces of a map, where players bring no map of their own (LFW-SETUP-12).
    terrain: tuple[Mapping[str, Any], ...] = ()
    # How long it lasts, rolled when all stand, and the rule that says so (LFW-SETUP-02, 12).
    length: Amount | None = None
    length_rule = ""
    # It ends only by what happens (LFW-END-03).
    open_ended = False
    # It has no last turn of its own: players may agree on one.
    unlimited = False
    # Armies may have legend units (LFW-ARMY-07), and units dearer than half of the format (LFW-ARMY-08).
    legends = False
    dear_units = False
    # The role whose army is a single unit without a captain, to which both are open (LFW-LEG4-02).
    lone_role = ""
    # The role of an army that nobody owns, played by behaviours (LFW-LEG1-01).
    unowned_role = ""
    # That army breaks into houses where players' last units have shut themselves in (LFW-LEG1-08).
    breaks_in = False
    # It is night all game (LFW-ENV-02); the whole table lies under a ceiling (LFW-ENV-10).
    night = False
    roofed = False
    # Secondary objectives are used (LFW-SEC-01).
    secondary = False

    def roles(self, players: int) -> tuple[str, ...]:
        """The role of each side, with one more for an army that no player owns, which comes last."""
        return ("attacker",) * players

    def teams(self, players: int, agreed: Mapping[str, str]) -> tuple[int, ...]:
        """The alliance of each side by a number, where some are friends (LFW-UNIT-09)."""
        return ()

    def why_not_kind(self, role: str, keyword: str) -> str:
        """The rule by which an army of that kind may not have a role (LFW-LEG2-01, LFW-LEG3-01); "" if it may."""
        return ""

    def most_points(self, role: str, players: int) -> int:
        """What an army of that role may cost, 0 for the format that was agreed (LFW-LEG4-02)."""
        return 0

    def layout(self, battle: Battle) -> None:
        """The table is there: objectives, treasures and zones are laid out."""

    def zone(self, battle: Battle, side: int) -> Zone:
        """Where a side deploys, wholly (LFW-SETUP-08)."""
        return Strip(EDGES[side], 3)

    def apart(self, battle: Battle, side: int) -> float:
        """Farther than so many inches from every enemy a side deploys; contact is never allowed (LFW-SETUP-09)."""
        return 0.0

    def when_full(self, battle: Battle, side: int) -> tuple[Zone, float, float] | None:
        """Where those go for whom the zone of their side has no place: as near as they can to a point of the table."""
        return None

    def waits(self, battle: Battle, side: int) -> bool:
        """A side places nobody yet: others come first, or it has another way to the table."""
        return False

    def deployment_order(self, battle: Battle, order: tuple[int, ...]) -> tuple[int, ...]:
        """The sides in the order in which they deploy: as the scenario says, or as it was rolled (LFW-SETUP-07)."""
        said = dict.fromkeys(side for side, _ in self.batches(battle))
        return tuple(said) or order

    def written_notes(self, battle: Battle) -> Mapping[str, Any]:
        """What a scene of this battle notes besides, so that it is laid out as it is."""
        return {}

    def heed_notes(self, battle: Battle) -> None:
        """What the notes of a scene give to its units."""

    def batches(self, battle: Battle) -> list[tuple[int, int]]:
        """Who deploys until he has placed so many, one after the other (LFW-SETUP-05); none: in turn (LFW-SETUP-06)."""
        return []

    def before_deployment(self, battle: Battle) -> Asking[None]:
        """Objectives that players choose (LFW-SETUP-02, 6)."""
        return
        yield

    def after_reveal(self, battle: Battle) -> Asking[None]:
        """All secondary objectives are known (LFW-SEC-01)."""
        return
        yield

    def prepare(self, battle: Battle) -> Asking[None]:
        """All stand: the length of the game is rolled (LFW-SETUP-02, 12)."""
        if self.length is not None:
            yield from self.roll_length(battle, self.length, self.length_rule)

    def roll_length(self, battle: Battle, length: Amount, rule: str) -> Asking[None]:
        """The last turn from a die."""
        faces = yield from roll_faces(battle, battle.order[0], length.dice, "length")
        battle.last_turn = length.total(faces)
        battle.tell(LengthRolled(rule, faces[0], battle.last_turn))

    def start_of_turn(self, battle: Battle) -> Asking[None]:
        """Arrivals (LFW-TURN-08, 3)."""
        return
        yield

    def end_of_turn(self, battle: Battle) -> Asking[None]:
        """Scoring (LFW-END-01, 3)."""
        return
        yield

    def forbids_charge(self, battle: Battle, model: Model, target: Model) -> str:
        """The rule by which a unit may not charge another now, "" if it may."""
        return ""

    def after_flight(self, battle: Battle, model: Model) -> None:
        """A unit has got a flight marker, or makes a flee move (LFW-LEG5-10)."""

    def after_destroyed(self, battle: Battle, kill: Kill) -> None:
        """A unit was destroyed; whom it duelled with is still known (LFW-LEG5-08 to -13)."""

    def after_move(self, battle: Battle, model: Model, kind: str) -> Asking[None]:
        """A unit has made a move of some kind: it may deliver a treasure, or leave by an exit."""
        return
        yield

    def places(self, battle: Battle) -> Sequence[tuple[float, float, float]]:
        """Strategic points and treasures as x, y and radius on the table, for who wants to go there (LFW-AUTO-C4)."""
        return [(token.x, token.y, token.radius) for token in lying(battle)]

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """Where a side wants its units to be, and what for: treasures to take, and its other places to hold."""
        found = {(token.x, token.y) for token in lying(battle)}
        return [
            aim_round("take", x, y, 0.0, TREASURE_WORTH, 1) if (x, y) in found else aim_round("hold", x, y, radius)
            for x, y, radius in self.places(battle)
        ]

    def held(self, battle: Battle) -> Sequence[tuple[float, float, float, int | None]]:
        """Strategic points as x, y and radius, each with the side that holds it as all stand now."""
        return ()

    def is_over(self, battle: Battle) -> bool:
        """Whether the game ends after this turn (LFW-END-02)."""
        return bool(battle.last_turn) and battle.round >= battle.last_turn

    def winners(self, battle: Battle) -> tuple[int, ...]:
        """The sides that have won; none is a draw (LFW-SETUP-10, -11)."""
        return the_best({side: battle.score[side] for side in battle.playing})

    def counted(self, battle: Battle) -> str:
        """What the score counts where it is the result and nobody wins, by a word of the texts; "" elsewhere."""
        return ""


def the_best(ranks: Mapping[int, Any]) -> tuple[int, ...]:
    """The only side with the highest rank; of several nobody has won (LFW-SETUP-11)."""
    found = tuple(side for side, rank in ranks.items() if rank == max(ranks.values()))
    return found if len(found) == 1 else ()


def side_of(battle: Battle, role: str) -> int:
    """The side that has a role."""
    return battle.roles.index(role)


SCENARIOS: Final[dict[str, Scenario]] = {}


def scenario(kind: type[Scenario]) -> type[Scenario]:
    """Declare a scenario."""
    SCENARIOS[kind.id] = kind()
    return kind


def scenario_of(battle: Battle) -> Scenario:
    """The scenario that is played; a case without one plays none."""
    return SCENARIOS.get(battle.scenario, NONE)


NONE: Final = Scenario()
Words = Mapping[str, Any]
