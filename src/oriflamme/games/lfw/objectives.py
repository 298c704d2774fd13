"""Treasures: taken, carried, put down, dropped, won in a combat and saved (LFW-OBJ).

Who holds a treasure carries its burden (`Burdened`) as an effect. Whether a dropped treasure fits beside its holder is
decided by the finite list of places where two boundaries meet; if it does not, it lies in the nearest of them
(LFW-OBJ-08).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, pi, sin
from random import Random
from typing import TYPE_CHECKING, Final

from oriflamme.engine.core.decisions import Option, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one, place_figures, yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE, rounded
from oriflamme.engine.geometry.places import Circle, Curve, critical_places
from oriflamme.engine.geometry.shapes import point_segment_distance
from oriflamme.engine.heights.contacts import stand_curves
from oriflamme.games.lfw import tokens
from oriflamme.games.lfw.deeds import SAVED, note_deed
from oriflamme.games.lfw.events.scenarios import TreasureDropped, TreasureSaved, TreasureTaken, UnitSaved
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import contact_reach, in_contact
from oriflamme.games.lfw.measures import ADDED, STEP
from oriflamme.games.lfw.melee import AFTER_COMBAT
from oriflamme.games.lfw.moments import Keyword, effect
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Asking, Battle, Combat, Effect, Model
from oriflamme.games.lfw.terrain import elevation, relief_of
from oriflamme.games.lfw.tokens import RADIUS, holder_of, lying
from oriflamme.games.lfw.walking import ARRIVED, SETTING_OUT, Journey
from oriflamme.games.lfw.wounds import take_off, when_removed

if TYPE_CHECKING:
    from oriflamme.games.lfw.gait import Gait
    from oriflamme.games.lfw.shooting import Permission

BURDEN: Final = "Burdened"
SOURCE: Final = "LFW-OBJ-14"
SLOWER: Final = -1  # inches (LFW-OBJ-14)
CARRIERS: Final = ("infantry", "beast")  # LFW-OBJ-06
# What a unit has said this turn: it keeps its treasure and makes no move for which it would abandon it.
KEEPS: Final = "keeps_treasure"
_TRIES: Final = 24


@effect("LFW-OBJ-14", BURDEN)
class Burdened(Keyword):
    """Infantry and beasts with a treasure: -1" and every ranged weapon is heavy."""

    __slots__ = ()

    def when_moving(self, gait: Gait) -> None:
        if is_burdened(gait.model):
            gait.burden = SLOWER

    def when_choosing_weapon(self, permission: Permission) -> None:
        permission.heavy |= is_burdened(permission.model)


def is_burdened(model: Model) -> bool:
    """It holds a treasure and is infantry or a beast; the mount's type decides for a duo (LFW-OBJ-06)."""
    return bool(model.treasure) and model.type in CARRIERS


def must_abandon(battle: Battle, model: Model, kind: str) -> bool:
    """It would have to abandon its treasure for a move of that kind (LFW-OBJ-06)."""
    return is_burdened(model) and kind != "normal" and not (kind in ADDED and gait_of(battle, model, kind).carries)


def may_set_out(battle: Battle, model: Model, kind: str) -> bool:
    """It has not said this turn that it rather keeps its treasure than makes such a move."""
    return KEEPS not in model.mover.used or not must_abandon(battle, model, kind)


def hold(battle: Battle, model: Model, id: str) -> None:
    """It holds a treasure from now on."""
    model.treasure = id
    for part in model.parts:
        part.lay(Effect(SOURCE, SOURCE, "game", (BURDEN,)))


def release(model: Model) -> str:
    """It holds none any more; which it held."""
    held, model.treasure = model.treasure, ""
    for part in model.parts:
        part.effects = tuple(each for each in part.effects if each.source != SOURCE)
    return held


# -- with a move -------------------------------------------------------------------------------------------------------


def before_move(battle: Battle, model: Model, kind: str) -> Asking[str]:
    """Somebody with a treasure is about to move by hand: "go", "stay" if it rather keeps its treasure than makes such a
    move (LFW-OBJ-06), or "drop" if it puts it down when it has moved (LFW-OBJ-07)."""
    if not model.treasure:
        return "go"
    about = {"unit": model.id, "treasure": model.treasure}
    if must_abandon(battle, model, kind):
        if (yield from yes_or_no(model.side, "abandon", "LFW-OBJ-06", about, word="abandon", default=False)):
            yield from drop(battle, model, "LFW-OBJ-06")
            return "go"
        model.mover.used |= {KEEPS}
        return "stay"
    options = [Option(key, "carry") for key in ("keep", "put_down_first", "put_down_after")]
    key = yield from pick_one(model.side, options, "carry", "LFW-OBJ-07", about, default="keep")
    if key == "put_down_first":
        yield from drop(battle, model, "LFW-OBJ-07")
    return "drop" if key == "put_down_after" else "go"


def after_move(battle: Battle, model: Model, answer: str) -> Asking[None]:
    """Who said so before it moved puts its treasure down (LFW-OBJ-07)."""
    if answer == "drop" and model.on_table and model.treasure:
        yield from drop(battle, model, "LFW-OBJ-07")


def _set_out(battle: Battle, model: Model, kind: str) -> Asking[None]:
    """Any move but a normal one makes infantry and beasts abandon their treasure (LFW-OBJ-06, LFW-FLEE-15)."""
    if must_abandon(battle, model, kind):
        yield from drop(battle, model, "LFW-OBJ-06")


def _arrived(journey: Journey) -> Asking[None]:
    """After a normal move what it came into contact with may be taken (LFW-OBJ-04); then what the scenario says. Who
    follows a behaviour leaves by no exit and delivers nothing (LFW-AUTO-09)."""
    battle, model = journey.battle, journey.model
    if journey.kind == "normal" and model.on_table and _may_take(battle, model):
        yield from _offer(journey)
    if model.on_table and not model.behaviour:
        yield from scenario_of(battle).after_move(battle, model, journey.kind)


SETTING_OUT.append(_set_out)
ARRIVED.append(_arrived)


def _may_take(battle: Battle, model: Model) -> bool:
    """At most one treasure each (LFW-OBJ-05); a unit with a behaviour takes none (LFW-AUTO-13)."""
    return not model.treasure and not model.behaviour and model.side != battle.nobody and not model.fleeing


def _offer(journey: Journey) -> Asking[None]:
    battle, model = journey.battle, journey.model
    found = [
        Option(token.id, "take", {"treasure": token.id})
        for token in lying(battle)
        if _came_near(journey, token.x, token.y, token.radius)
    ]
    found += [
        Option(friend.treasure, "take_from", {"treasure": friend.treasure, "unit": friend.id}, (friend.id,))
        for friend in battle.friends_of(model)
        if friend is not model and friend.treasure
        if _came_near(journey, friend.body.x, friend.body.y, friend.body.radius)
    ]
    if not found:
        return
    options = [*found, Option("none", "take_nothing")]
    key = yield from pick_one(model.side, options, "take_treasure", "LFW-OBJ-04", {"unit": model.id}, passing="none")
    if key != "none":
        take(battle, model, key, "LFW-OBJ-04")


def _came_near(journey: Journey, x: float, y: float, radius: float) -> bool:
    """Its base came into contact with something round on its way (LFW-OBJ-04, LFW-DIST-07)."""
    battle, model = journey.battle, journey.model
    board = battle.table.board_at(x, y)
    reach = model.body.radius + radius + contact_reach(battle) + TOLERANCE
    high = elevation(battle, x, y)
    for (ax, ay, *_), (bx, by, *_) in zip(journey.way, journey.way[1:], strict=False):
        if battle.table.board_at(ax, ay) != battle.table.board_at(bx, by):
            # Through an opening: only where it comes out counts.
            ax, ay = bx, by
        if battle.table.board_at(ax, ay) != board or point_segment_distance(x, y, ax, ay, bx, by) > reach:
            continue
        px, py = _nearest_on(x, y, ax, ay, bx, by)
        if abs(elevation(battle, px, py) - high) < STEP - TOLERANCE:
            return True
    return False


def _nearest_on(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    share = 0.0 if length2 == 0.0 else min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / length2))
    return ax + share * dx, ay + share * dy


def take(battle: Battle, model: Model, id: str, rule: str) -> None:
    """A unit takes a treasure: from the table, or from who held it."""
    before = holder_of(battle, id)
    if before is not None:
        release(before)
    hold(battle, model, id)
    battle.tell(TreasureTaken(rule, model.id, id, before.id if before is not None else ""))


def save_treasure(battle: Battle, side: int, id: str, rule: str) -> None:
    """A treasure leaves the battlefield and is saved by a side (LFW-OBJ-13)."""
    holder = holder_of(battle, id)
    if holder is not None:
        release(holder)
        for part in holder.alive:
            note_deed(battle, SAVED, part)
    del battle.tokens[id]
    saved = list(saved_by(battle))
    saved[side] += 1
    battle.notes["saved"] = tuple(saved)
    battle.tell(TreasureSaved(rule, side, id))


def saved_by(battle: Battle) -> tuple[int, ...]:
    """How many treasures each side has saved."""
    return tuple(battle.notes.get("saved", (0,) * battle.sides))


def leave(battle: Battle, model: Model, rule: str) -> Asking[None]:
    """A unit leaves by an exit: it is saved, with any treasure it holds (LFW-OBJ-13)."""
    if model.treasure:
        save_treasure(battle, model.side, model.treasure, rule)
    battle.tell(UnitSaved(rule, model.id))
    yield from take_off(battle, model, "saved")


# -- dropped -----------------------------------------------------------------------------------------------------------


def drop(battle: Battle, model: Model, rule: str) -> Asking[None]:
    """Its treasure is placed in contact with it, or with where it stood, where its player decides; as near as possible
    where there is no such place (LFW-OBJ-08)."""
    id = release(model)
    x, y = yield from _spot(battle, model, id)
    tokens.lay(battle, id, x, y, battle.tokens[id].kind)
    battle.tell(TreasureDropped(rule, model.id, id))


def _spot(battle: Battle, model: Model, id: str) -> Asking[tuple[float, float]]:
    nearest = next(_free(battle, model, id), None)
    if nearest is None:
        return model.body.x, model.body.y
    decides = model.side not in battle.gone and model.side != battle.nobody
    if not decides or _why_not_there(battle, model, id, *nearest) is not None:
        return nearest

    def check(places: Places) -> Refusal | None:
        ((x, y, *_),) = places.values()
        return _why_not_there(battle, model, id, x, y)

    def propose(random: Random) -> Places:
        apart = model.body.radius + RADIUS
        for _ in range(_TRIES):
            angle = random.uniform(0, 2 * pi)
            x, y = rounded(model.body.x + apart * cos(angle)), rounded(model.body.y + apart * sin(angle))
            if _why_not_there(battle, model, id, x, y) is None:
                return {id: (x, y)}
        return {id: nearest}

    about = {"unit": model.id, "treasure": id}
    places = yield from place_figures(model.side, (id,), check, propose, "drop_treasure", "LFW-OBJ-08", about)
    x, y, *_ = places[id]
    return x, y


def _why_not_there(battle: Battle, model: Model, id: str, x: float, y: float) -> Refusal | None:
    """Why a dropped treasure may not be put there."""
    away = hypot(x - model.body.x, y - model.body.y) - model.body.radius - RADIUS
    if away > contact_reach(battle) + TOLERANCE or battle.table.board_at(x, y) != model.board:
        return Refusal("LFW-OBJ-08", "not_beside", {"unit": model.id, "treasure": id})
    return _why_not_free(battle, model, id, x, y)


def _why_not_free(battle: Battle, model: Model, id: str, x: float, y: float) -> Refusal | None:
    facts = {"unit": model.id, "treasure": id}
    if relief_of(battle.table).why_not_stand(x, y, RADIUS, battle.closed) is not None:
        return Refusal("LFW-OBJ-08", "no_ground", facts)
    for px, py, radius in _taken(battle, model, id):
        if hypot(px - x, py - y) < radius + RADIUS - TOLERANCE:
            return Refusal("LFW-OBJ-08", "on_something", facts)
    return None


def _taken(battle: Battle, model: Model, id: str) -> list[tuple[float, float, float]]:
    """The bases on the table, the place where the holder stood, and other treasures."""
    bodies = [other.body for other in battle.there() if other is not model]
    found = [(body.x, body.y, body.radius) for body in (*bodies, model.body)]
    return found + [(token.x, token.y, token.radius) for token in lying(battle) if token.id != id]


def _free(battle: Battle, model: Model, id: str) -> Iterator[tuple[float, float]]:
    """Free places by their distance from the holder; the nearest of all is the first."""
    curves: list[Curve] = stand_curves(relief_of(battle.table), RADIUS, battle.closed)
    curves += [Circle(x, y, radius + RADIUS + TOLERANCE) for x, y, radius in _taken(battle, model, id)]
    for x, y in critical_places(curves, model.body.x, model.body.y):
        place = rounded(x), rounded(y)
        if battle.table.board_at(*place) == model.board and _why_not_free(battle, model, id, *place) is None:
            yield place


@when_removed
def _drop_when_removed(battle: Battle, model: Model) -> Asking[None]:
    """Who is destroyed drops its treasure (LFW-OBJ-08); in a combat once it is known whether somebody takes it
    (LFW-OBJ-09)."""
    fighting = battle.combat is not None and model.id in battle.combat.models
    if model.treasure and not fighting:
        yield from drop(battle, model, "LFW-OBJ-08")


# -- won in a combat ---------------------------------------------------------------------------------------------------


def _spoils(battle: Battle, combat: Combat, winners: tuple[int, ...]) -> Asking[None]:
    """Winners in contact with somebody who held a treasure, or with where it died, may take it; not if its own side has
    won as well (LFW-OBJ-09)."""
    for id in combat.models:
        holder = battle.units[id]
        if not holder.treasure:
            continue
        if not any(battle.are_friends(holder.side, side) for side in winners):
            yield from _plunder(battle, combat, winners, holder)
        if holder.treasure and not holder.on_table:
            yield from drop(battle, holder, "LFW-OBJ-08")


def _plunder(battle: Battle, combat: Combat, winners: tuple[int, ...], holder: Model) -> Asking[None]:
    for side in (side for side in battle.order if side in winners):
        takers = [
            model
            for model in (battle.units[id] for id in combat.models)
            if model.side == side and model.on_table and _may_take(battle, model) and in_contact(battle, model, holder)
        ]
        if not takers:
            continue
        options = [*(Option.thing(m.id, "unit", {"unit": m.id}) for m in takers), Option("none", "take_nothing")]
        about = {"unit": holder.id, "treasure": holder.treasure}
        key = yield from pick_one(side, options, "take_spoils", "LFW-OBJ-09", about, passing="none")
        if key != "none":
            take(battle, battle.units[key], holder.treasure, "LFW-OBJ-09")
            return


AFTER_COMBAT.append(_spoils)
