"""Secondary objectives (LFW-SEC): chosen in secret, revealed together, never worth more than 6 points.

An objective is declared by a class with `@objective`. What it is worth so far is counted from the battle; what was
gained turn by turn is in `battle.notes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from oriflamme.engine.core.decisions import Option, PickOne
from oriflamme.engine.core.questions import answers_to, pick_one
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.scenarios import Improvised, Investigated, PointsScored, SecondariesRevealed
from oriflamme.games.lfw.ground import distance_to_point
from oriflamme.games.lfw.moments import Keyword, effect
from oriflamme.games.lfw.organisation import Action, action
from oriflamme.games.lfw.permits import Permit
from oriflamme.games.lfw.scenarios.aims import Aim, aim_round
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Asking, Battle, Effect, Kill, Part, Step

MOST: Final = 6  # LFW-SEC-02
NEAR: Final = inches(6)  # LFW-SEC-04, -05
CHOSEN, IMPROVISED = "secondary", "improvised"


class Objective:
    """A secondary objective. `id` has its words in `[word.objective]` of the texts."""

    id = ""
    rule = ""

    def points(self, battle: Battle, side: int) -> int:
        """What it would be worth to a side if the game ended now, the most it may be worth aside."""
        return gained(battle, self.id)[side]

    def for_kill(self, battle: Battle, side: int) -> int:
        """What the last of the kills has brought a side at once."""
        return 0

    def at_end_of_turn(self, battle: Battle, side: int) -> None:
        """What a side gains with it at the end of a turn."""

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        """Where a side wants its units to be for it."""
        return ()


OBJECTIVES: Final[dict[str, Objective]] = {}


def objective(kind: type[Objective]) -> type[Objective]:
    """Declare a secondary objective."""
    OBJECTIVES[kind.id] = kind()
    return kind


def gained(battle: Battle, id: str) -> tuple[int, ...]:
    """What each side has gained so far with an objective that scores turn by turn."""
    return tuple(battle.notes.get(f"gained_{id}", (0,) * battle.sides))


def gain(battle: Battle, side: int, points: int, id: str) -> None:
    found = list(gained(battle, id))
    before = min(found[side], MOST)
    found[side] += points
    battle.notes[f"gained_{id}"] = tuple(found)
    _tell_gain(battle, side, min(found[side], MOST) - before, id)


def _tell_gain(battle: Battle, side: int, points: int, id: str) -> None:
    """What counts is told: an objective is never worth more than 6 (LFW-SEC-02)."""
    if points:
        battle.tell(PointsScored(OBJECTIVES[id].rule, side, points, id))


def worth(battle: Battle, side: int, id: str) -> int:
    """What an objective is worth to a side so far, never more than 6 (LFW-SEC-02)."""
    return min(OBJECTIVES[id].points(battle, side), MOST) if id else 0


# -- chosen in secret --------------------------------------------------------------------------------------------------


def choose_in_secret(battle: Battle) -> Asking[None]:
    """Each player chooses one of the five; when all have chosen they are revealed together (LFW-SEC-01)."""
    sides = [side for side in battle.order if side != battle.nobody]
    questions = [
        PickOne(
            side, [Option(id, "objective", {"objective": id}) for id in OBJECTIVES], "choose_secondary", "LFW-SEC-01"
        )
        for side in sides
    ]
    answers = yield from answers_to(*questions)
    chosen = dict(zip(sides, answers, strict=True))
    battle.notes[CHOSEN] = tuple(chosen.get(side, "") for side in range(battle.sides))
    battle.tell(SecondariesRevealed("LFW-SEC-01", battle.notes[CHOSEN]))
    yield from scenario_of(battle).after_reveal(battle)


def draw_improvised(battle: Battle) -> Asking[None]:
    """One of those that nobody chose, at random; all players score it besides (LFW-SCN8-05)."""
    left = [id for id in OBJECTIVES if id not in battle.notes[CHOSEN]]
    limit = 6 // len(left) * len(left)
    face = limit + 1
    while face > limit:
        (face,) = yield from roll_faces(battle, battle.order[0], 1, "improvised")
    battle.notes[IMPROVISED] = left[(face - 1) * len(left) // limit]
    battle.tell(Improvised("LFW-SCN8-05", battle.notes[IMPROVISED], face))


def chosen_by(battle: Battle, side: int) -> str:
    chosen = battle.notes.get(CHOSEN, ())
    return str(chosen[side]) if side < len(chosen) else ""


def goes_for(battle: Battle, side: int, id: str) -> bool:
    """A side scores an objective: it chose it, or all do."""
    return side != battle.nobody and id in (chosen_by(battle, side), battle.notes.get(IMPROVISED, ""))


def score_secondaries(battle: Battle) -> None:
    """The end of a turn: what is gained with it, and the score as it stands now."""
    _end_investigations(battle)
    for side in battle.order:
        for each in OBJECTIVES.values():
            if goes_for(battle, side, each.id):
                each.at_end_of_turn(battle, side)
    battle.score = tuple(worth(battle, side, chosen_by(battle, side)) for side in range(battle.sides))


def score_kill(battle: Battle) -> None:
    """Somebody was just destroyed: what that brings at once (LFW-SEC-07)."""
    for side in battle.order:
        for each in OBJECTIVES.values():
            points = each.for_kill(battle, side) if goes_for(battle, side, each.id) else 0
            _tell_gain(battle, side, points, each.id)
            if points and each.id == chosen_by(battle, side):
                score = list(battle.score)
                score[side] = worth(battle, side, each.id)
                battle.score = tuple(score)


# -- the five ----------------------------------------------------------------------------------------------------------


def _kills_by(battle: Battle, side: int, kills: Iterable[Kill] | None = None) -> Iterator[Kill]:
    """Enemy units that units of a side have destroyed (LFW-WND-05)."""
    for kill in battle.kills if kills is None else kills:
        if kill.by and battle.part(kill.by).side == side and not battle.are_friends(side, kill.side):
            yield kill


@objective
class Attrition(Objective):
    """Enemy units destroyed by one's own, less one's own that were destroyed (LFW-SEC-03)."""

    id, rule = "attrition", "LFW-SEC-03"

    def points(self, battle: Battle, side: int) -> int:
        lost = sum(kill.side == side for kill in battle.kills)
        found = len(list(_kills_by(battle, side))) - lost
        return found if battle.option("lfw.attritionFloor") == "negative" else max(0, found)


@objective
class Investigation(Objective):
    """Corners of the table are investigated (LFW-SEC-04, -08, -09)."""

    id, rule = "investigation", "LFW-SEC-09"

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        done = {corner for of, corner in battle.notes.get(_DONE, ()) if of == side}
        spots = [spot for id, spot in corners(battle).items() if id not in done]
        return [aim_round("investigate", x, y, NEAR, 0.3, 1) for x, y in spots]


@objective
class Supremacy(Objective):
    """More units than the enemy within 6" of the middle of the table, from turn 2 (LFW-SEC-05)."""

    id, rule = "supremacy", "LFW-SEC-05"

    def aims(self, battle: Battle, side: int) -> Sequence[Aim]:
        return [aim_round("hold", battle.table.width / 2, battle.table.depth / 2, NEAR)]

    def at_end_of_turn(self, battle: Battle, side: int) -> None:
        if battle.round < 2:
            return
        x, y = battle.table.width / 2, battle.table.depth / 2
        near = [model for model in battle.there() if distance_to_point(battle, model, x, y) <= NEAR + TOLERANCE]
        own = sum(model.side == side for model in near)
        enemies = sum(not battle.are_friends(model.side, side) for model in near)
        if own > enemies:
            gain(battle, side, 2 if not enemies else 1, self.id)


@objective
class Preservation(Objective):
    """How much of one's army was not destroyed (LFW-SEC-06)."""

    id, rule = "preservation", "LFW-SEC-06"

    def points(self, battle: Battle, side: int) -> int:
        parts = [part for model in battle.units_of(side) for part in model.parts]
        lost = sum(part.destroyed for part in parts)
        if not lost:
            return 6
        if 4 * lost >= 3 * len(parts):
            return 0
        return 4 if 4 * lost <= len(parts) else 2


@objective
class Assassination(Objective):
    """Enemy specialists killed; with 4 players only the first of each army (LFW-SEC-07)."""

    id, rule = "assassination", "LFW-SEC-07"

    def points(self, battle: Battle, side: int) -> int:
        return self._for(battle, side, battle.kills)

    def for_kill(self, battle: Battle, side: int) -> int:
        now, before = (min(self._for(battle, side, kills), MOST) for kills in (battle.kills, battle.kills[:-1]))
        return now - before

    def _for(self, battle: Battle, side: int, kills: Iterable[Kill]) -> int:
        killed = [kill.side for kill in _kills_by(battle, side, kills) if battle.part(kill.victim).specialisation]
        return 2 * (len(set(killed)) if battle.players == 4 else len(killed))


# -- investigations ----------------------------------------------------------------------------------------------------

BUSY: Final = "Investigating"
_DONE, _BEGUN = "investigated", "investigating"


@effect("LFW-SEC-04", BUSY)
class Investigating(Keyword):
    """Casts nothing, does not shoot and does not move of its own will."""

    __slots__ = ()

    def when_acting(self, permit: Permit) -> None:
        permit.forbidden_by = self.rule


def corners(battle: Battle) -> dict[str, tuple[float, float]]:
    """The corners of the table."""
    width, depth = battle.table.width, battle.table.depth
    return {
        "south_west": (0.0, 0.0),
        "south_east": (width, 0.0),
        "north_west": (0.0, depth),
        "north_east": (width, depth),
    }


def _open_corners(battle: Battle, part: Part) -> list[str]:
    """Corners within 6" of it that its army has not investigated and does not investigate now (LFW-SEC-04)."""
    taken = {corner for side, corner in battle.notes.get(_DONE, ()) if side == part.side}
    taken |= {corner for unit, corner in battle.notes.get(_BEGUN, ()) if battle.part(unit).side == part.side}
    model = battle.model_of(part)
    return [
        id
        for id, (x, y) in corners(battle).items()
        if id not in taken and distance_to_point(battle, model, x, y) <= NEAR + TOLERANCE
    ]


@action
class Investigate(Action):
    """A unit tries to investigate a corner (LFW-SEC-04)."""

    id, rule = "investigate", "LFW-SEC-04"

    def is_open(self, battle: Battle, part: Part) -> bool:
        if not goes_for(battle, part.side, Investigation.id) or part is not battle.model_of(part).alive[0]:
            return False
        return bool(_open_corners(battle, part))

    def perform(self, battle: Battle, part: Part) -> Step:
        found = _open_corners(battle, part)
        corner = found[0]
        if len(found) > 1:
            options = [Option(id, "corner", {"corner": id}) for id in found]
            corner = yield from pick_one(part.side, options, "which_corner", self.rule, {"unit": part.id})
        battle.notes[_BEGUN] = (*battle.notes.get(_BEGUN, ()), (part.id, corner))
        for each in battle.model_of(part).alive:
            each.lay(Effect(self.id, self.rule, "turn", (BUSY,), part.id))


def _end_investigations(battle: Battle) -> None:
    """They succeed if the unit is still on the table, does not flee and took part in no combat (LFW-SEC-08)."""
    for unit, corner in battle.notes.pop(_BEGUN, ()):
        part = battle.part(unit)
        model = battle.model_of(part)
        succeeds = model.on_table and not model.fleeing and not model.fought
        battle.tell(Investigated("LFW-SEC-08", unit, corner, succeeds))
        if succeeds:
            battle.notes[_DONE] = (*battle.notes.get(_DONE, ()), (part.side, corner))
            own = scenario_of(battle).zone(battle, part.side).holds(battle, *corners(battle)[corner], 0.0)
            gain(battle, part.side, 1 if own else 2, Investigation.id)
