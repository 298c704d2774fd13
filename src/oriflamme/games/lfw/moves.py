"""Runs, normal moves and engagements (LFW-RUN, LFW-NORM, LFW-ENG), and the order of moves (LFW-MOVE-01)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import hypot
from random import Random
from typing import cast

from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_figures
from oriflamme.engine.core.steps import due
from oriflamme.engine.heights.walks import Waypoint
from oriflamme.games.lfw.alternation import Activity, activity, begin_alternation
from oriflamme.games.lfw.charge import (
    Declarations,
    FirstDeclarations,
    FirstResolutions,
    LastResolutions,
    Resolutions,
)
from oriflamme.games.lfw.events.moves import Moved
from oriflamme.games.lfw.flee import Flights, rally_tests
from oriflamme.games.lfw.gait import gait_of, gait_of_inches
from oriflamme.games.lfw.ground import in_melee, is_bystander, touching_enemies
from oriflamme.games.lfw.measures import in_inches
from oriflamme.games.lfw.objectives import after_move, before_move, may_set_out
from oriflamme.games.lfw.permits import is_free
from oriflamme.games.lfw.state import Asking, Battle, Model, Step, step
from oriflamme.games.lfw.walking import Walk, taken_along
from oriflamme.games.lfw.wounds import end_parted_duels


def may_run(battle: Battle, model: Model) -> bool:
    """Not fleeing, not in a melee, and has made no move (LFW-RUN-02)."""
    return (
        not model.fleeing
        and not model.moved
        and not in_melee(battle, model)
        and is_free(battle, model, "run")
        and may_set_out(battle, model, "run")
    )


def may_move(battle: Battle, model: Model) -> bool:
    """Not fleeing, touching no enemy, and has made no move (LFW-NORM-02)."""
    return (
        not model.fleeing
        and not model.moved
        and (is_bystander(battle, model) or not touching_enemies(battle, model))
        and is_free(battle, model, "normal")
    )


def may_move_besides(battle: Battle, model: Model, kind: str) -> bool:
    """A move of its own choosing that is not that of the movement phase: it does not flee, no behaviour dictates what
    it does, and nothing forbids it (LFW-MARK-04, LFW-AUTO-09, LFW-SPELL-P2, LFW-SEC-04)."""
    return not model.fleeing and not model.behaviour and is_free(battle, model, kind)


def may_engage(battle: Battle, model: Model) -> bool:
    """In a melee, and has made no other move this turn (LFW-ENG-02)."""
    return (
        not model.fleeing
        and not model.moved
        and in_melee(battle, model)
        and is_free(battle, model, "engagement")
        and may_set_out(battle, model, "engagement")
    )


class _ByHand(Activity):
    """Players move one unit each, of those that may."""

    kind = ""

    def may(self, battle: Battle, model: Model) -> bool:
        raise NotImplementedError

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [Option.thing(m.id, "unit", {"unit": m.id}) for m in battle.own(side) if self.may(battle, m)]

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        yield from move_by_hand(battle, battle.units[key], self.kind)


@activity
class Runs(_ByHand):
    name, kind = "run", "run"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_runner", "LFW-RUN-01")

    def may(self, battle: Battle, model: Model) -> bool:
        return may_run(battle, model)


@activity
class NormalMoves(_ByHand):
    name, kind = "move", "normal"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_mover", "LFW-NORM-01")

    def may(self, battle: Battle, model: Model) -> bool:
        return may_move(battle, model)


@activity
class Engagements(_ByHand):
    name, kind = "engage", "engagement"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_engaged", "LFW-ENG-01")

    def may(self, battle: Battle, model: Model) -> bool:
        return may_engage(battle, model)


_RULES = {"run": "LFW-RUN-03", "normal": "LFW-NORM-03", "engagement": "LFW-ENG-03"}


def move_by_hand(battle: Battle, model: Model, kind: str) -> Asking[None]:
    """A run, a normal move or an engagement: its player shows the way (LFW-MOVE-04); who holds a treasure says first
    what becomes of it (LFW-OBJ-06, -07)."""
    carrying = yield from before_move(battle, model, kind)
    if carrying == "stay":
        return
    gait = gait_of(battle, model, kind)
    engaging = kind == "engagement"
    walk = Walk(battle, gait, _RULES[kind], clearance=0.0, keeps=True) if engaging else Walk(battle, gait, _RULES[kind])
    about = {"unit": model.id, "reach": gait.inches, "how": kind}
    moves = yield from move_figures(
        model.side, walk.figures, walk.check, walk.propose, "move", walk.rule, about, words=walk.words
    )
    yield from walk.go(moves, kind)
    yield from after_move(battle, model, carrying)


def move_besides(
    battle: Battle,
    model: Model,
    rule: str,
    *,
    kind: str = "normal",
    inches: float | None = None,
    why_not_end: Callable[[float, float], Refusal | None] | None = None,
    marked: bool = False,
    past: Collection[str] = (),
    marker: str = "",
) -> Asking[None]:
    """A move that is not the unit's move of the movement phase, unless it is `marked`: a normal move or a run, of so
    many inches instead of its own, that ends where `why_not_end` lets it. From enemies that are `past` it keeps no
    distance. Who holds a treasure says first what becomes of it (LFW-OBJ-06, -07). With a `marker` of its own it is
    neither a normal move nor a run, only paid for as one."""
    carrying = yield from before_move(battle, model, marker or kind)
    if carrying == "stay":
        return
    gait = gait_of(battle, model, kind) if inches is None else gait_of_inches(battle, model, inches, kind)
    walk = Walk(battle, gait, rule)
    walk.keep_no_distance(past)
    before = model.moved

    def check(moves: Moves) -> Refusal | Moves:
        found = walk.check(moves)
        if isinstance(found, Refusal) or why_not_end is None or not found:
            return found
        (way,) = found.values()
        return why_not_end(way[-1][0], way[-1][1]) or found

    def propose(random: Random) -> Moves:
        moves = walk.propose(random)
        return moves if not isinstance(check(moves), Refusal) else {}

    about = {"unit": model.id, "reach": gait.inches, "how": kind}
    moves = yield from move_figures(model.side, walk.figures, check, propose, "move", rule, about, words=walk.words)
    yield from walk.go(moves, kind, marker)
    yield from after_move(battle, model, carrying)
    if not marked:
        model.moved = before


def shove(battle: Battle, model: Model, side: int, far: float, rule: str) -> Asking[None]:
    """Another side moves a unit up to so many inches, straight, not through bases or impassable terrain and not off the
    table (LFW-ZEL-09). It is no move of its own: its hideout stays, it takes no treasure and leaves by no exit, and
    what burdens it takes nothing from the way."""
    gait = gait_of_inches(battle, model, far)
    gait.burden = 0
    walk = Walk(battle, gait, rule, clearance=0.0)

    def check(moves: Moves) -> Refusal | Moves:
        if not moves:
            return moves
        (points,) = moves.values()
        straight = (walk.start, points[-1])
        return walk.why_not(straight) or {model.body.id: straight}

    def propose(random: Random) -> Moves:
        moves = walk.propose(random)
        return {} if isinstance(check(moves), Refusal) else moves

    about = {"unit": model.id, "reach": far, "how": "shoved"}
    moves = yield from move_figures(side, walk.figures, check, propose, "shove", rule, about)
    if moves:
        way = cast(tuple[Waypoint, ...], moves[model.body.id])
        length = in_inches(hypot(way[-1][0] - way[0][0], way[-1][1] - way[0][1]))
        battle.tell(Moved(rule, model.id, "normal", length))
        yield from taken_along(battle, model, way, walk.gait)
        end_parted_duels(battle, model)


@step
def movement_steps(battle: Battle) -> None:
    """Flee, charge, run, normal move, engagement: all moves of one kind before the next (LFW-MOVE-01). What a flying
    move gave ends now (LFW-SR-MOV-10c)."""
    for model in battle.units.values():
        model.flew = False
    battle.then_all(
        due(rally_tests),
        due(begin_moves, Flights.name),
        *(due(begin_moves, kind.name) for kind in (FirstDeclarations, Declarations)),
        *(due(begin_moves, kind.name) for kind in (FirstResolutions, Resolutions, LastResolutions)),
        *(due(begin_moves, kind.name) for kind in (Runs, NormalMoves, Engagements)),
    )


@step
def begin_moves(battle: Battle, what: str) -> None:
    """The next kind of move; it starts with the first player (LFW-TURN-10)."""
    begin_alternation(battle, what)
