"""Special environments: openings that are forced and blocked, deep water (LFW-ENV). Night and light are in `sight.py`.

Which openings are closed is on the battle (`closed`); what a closed one stops is in `terrain.py` and `sight.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import hypot
from random import Random
from typing import Final

from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import move_figures, pick_one, yes_or_no
from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.geometry.places import Circle, Curve, critical_places
from oriflamme.engine.heights.contacts import stand_curves
from oriflamme.engine.heights.walks import Waypoint
from oriflamme.engine.table.insides import Opening
from oriflamme.games.lfw.alternation import Activity
from oriflamme.games.lfw.attack import Attack
from oriflamme.games.lfw.attacks import attack_value, hinder, prepare, roll_attack, rulings_of
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.environments import Drowned, OpeningBlocked, OpeningForced
from oriflamme.games.lfw.gait import gait_of
from oriflamme.games.lfw.ground import contact_reach, in_melee
from oriflamme.games.lfw.measures import CLEARANCE
from oriflamme.games.lfw.melee import MELEE_ACTIONS
from oriflamme.games.lfw.organisation import Action, action
from oriflamme.games.lfw.permits import is_free
from oriflamme.games.lfw.profile import Sheet, Weapon
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Step
from oriflamme.games.lfw.terrain import is_deep, openings_touched, other_bases, relief_for, why_not_stand
from oriflamme.games.lfw.walking import Walk, stand
from oriflamme.games.lfw.wounds import mark_destroyed

HITS_ON: Final = 1  # LFW-ENV-13
DEFENCE: Final = 4  # LFW-ENV-14
THROUGH: Final = inches(2)  # LFW-ENV-15
BLOCKED_ON: Final = 2  # LFW-ENV-16
DROWNS_ON: Final = 3  # LFW-ENV-06
# Which closed openings a unit with a behaviour forces: given by `automata`.
WAYS_IN: Final[list[Callable[[Battle, Model], list[Opening]]]] = []


# -- forcing -----------------------------------------------------------------------------------------------------------


def forceable(battle: Battle, model: Model) -> list[Opening]:
    """Closed openings it may attack: it touches them and is in no melee (LFW-ENV-12). It needs something to strike with
    (LFW-WPN-07); of those with a behaviour only the tide forces any (LFW-AUTO-09, LFW-LEG1-08)."""
    if model.fleeing or "forced" in model.alive[0].used or not battle.closed or in_melee(battle, model):
        return []
    if not any(weapon.melee for part in model.alive for weapon in part.weapons):
        return []
    touched = [o for o in openings_touched(battle, model, contact_reach(battle)) if o.id in battle.closed]
    if not touched or not model.behaviour:
        return touched
    return [opening for ways_in in WAYS_IN for opening in ways_in(battle, model) if opening in touched]


class Forcing(Activity):
    """In the melee phase a unit may make one attack against a closed opening (LFW-ENV-12)."""

    name = "force"

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [
            Option(f"force:{model.id}:{opening.id}", "force", {"unit": model.id, "opening": opening.id}, (model.id,))
            for model in battle.own(side)
            for opening in forceable(battle, model)
        ]

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        _, name, id = key.split(":")
        model = battle.units[name]
        model.alive[0].used |= {"forced"}
        yield from force(battle, model, battle.table.opening(id))


MELEE_ACTIONS.append(Forcing())


def force(battle: Battle, model: Model, opening: Opening) -> Asking[None]:
    """One attack with one weapon; the opening has Defence 4+, and a way through it follows (LFW-ENV-13 to -15)."""
    weapons = [(each, weapon) for each in model.alive for weapon in each.weapons if weapon.melee]
    part, weapon = weapons[0]
    if model.behaviour:
        # As an automaton strikes (LFW-AUTO-11).
        part, weapon = max(weapons, key=lambda each: (each[1].strength, each[1].attack.plus))
    elif len(weapons) > 1:
        options = [Option(f"{each.id}:{w.id}", "weapon", {"unit": each.id, "weapon": w.id}) for each, w in weapons]
        about = {"unit": model.id, "opening": opening.id}
        key = yield from pick_one(model.side, options, "force_with", "LFW-ENV-13", about)
        part, weapon = next((each, w) for each, w in weapons if f"{each.id}:{w.id}" == key)
    about = {"unit": model.id, "opening": opening.id}
    charged = model.charged or (
        yield from yes_or_no(model.side, "force_charging", "LFW-ENV-13", about, word="force_charging")
    )
    attack = attack_on(
        battle, part, weapon, opening.id, (yield from attack_value(battle, part, weapon)), charged=charged
    )
    yield from roll_attack(battle, attack)
    forced = attack.hits and attack.saved is not None and not attack.saved.success
    battle.tell(OpeningForced("LFW-ENV-14", model.id, opening.id, forced))
    if forced:
        battle.closed -= {opening.id}
        if is_free(battle, model, "normal"):
            yield from go_through(battle, model, opening)


def attack_on(battle: Battle, part: Part, weapon: Weapon, opening: str, number: int, *, charged: bool) -> Attack:
    """It hits on 1+, natural 1 included; 3 or more is critical; saturation does not apply (LFW-ENV-13)."""
    sheet = Sheet(opening, {"en": opening, "fr": opening}, type="behemoth", D=DEFENCE, height=1.0)
    door = Part(opening, opening, part.side, sheet)
    attack = Attack(
        "melee",
        side=part.side,
        attacker=part,
        model=battle.model_of(part),
        target=door,
        target_model=Model(opening, part.side, [door], sheet.name),
        weapon=weapon,
        skill=HITS_ON,
        guard=0,
        number=number,
        strength=weapon.strength,
        defence=DEFENCE,
        rulings=rulings_of(battle),
        sets=sets_of(battle, part, weapon),
    )
    attack.charged = charged
    hinder(battle, attack)
    prepare(attack)
    attack.one_hits = True
    return attack


def go_through(battle: Battle, model: Model, opening: Opening) -> Asking[None]:
    """It may move up to 2" through the passage, to more than 1" from every enemy (LFW-ENV-15)."""
    walk = Walk(battle, gait_of(battle, model, "normal"), "LFW-ENV-15", clearance=CLEARANCE + 2.5 * TOLERANCE)
    walk.reach, walk.least = THROUGH, 0.0

    def check(moves: Moves) -> Refusal | Moves:
        found = walk.check(moves)
        if isinstance(found, Refusal) and found.why == "too_near":
            near = found.facts
            facts = {"unit": model.id, "target": near["target"], "gap": near["gap"], "reach": near["reach"]}
            return Refusal("LFW-ENV-15", "too_near", facts)
        if isinstance(found, Refusal) or not found:
            return found
        way: tuple[Waypoint, ...] = next(iter(found.values()))
        if not crosses(battle, model, opening, way):
            return Refusal("LFW-ENV-15", "not_through_opening", {"unit": model.id, "opening": opening.id})
        return found

    def propose(random: Random) -> Moves:
        for _ in range(3):
            moves = walk.propose(random)
            if moves and not isinstance(check(moves), Refusal):
                return moves
        return {}

    about = {"unit": model.id, "opening": opening.id}
    moves = yield from move_figures(
        model.side, walk.figures, check, propose, "go_through", "LFW-ENV-15", about, words=walk.words
    )
    if moves:
        # It is no move of the movement phase.
        moved = model.moved
        yield from walk.go(moves, "normal", "through")
        model.moved = moved


def crosses(battle: Battle, model: Model, opening: Opening, way: tuple[Waypoint, ...]) -> bool:
    """A way leads from one side of an opening to the other."""
    if opening.joins_boards:
        ends = {battle.table.board_at(way[0][0], way[0][1]), battle.table.board_at(way[-1][0], way[-1][1])}
        return ends == {mouth.board for mouth in opening.mouths}
    assert opening.gap is not None
    one, other = opening.mouths
    nearer = [one.distance(x, y) < other.distance(x, y) for x, y, *_ in (way[0], way[-1])]
    points = [(x, y) for x, y, *_ in way]
    passes = any(opening.gap.outline.crosses(*a, *b) for a, b in pairwise(points))
    return passes and nearer[0] != nearer[1]


# -- blocking ----------------------------------------------------------------------------------------------------------


def blockable(battle: Battle, model: Model) -> list[Opening]:
    """Open openings it may try to close: it touches them, is in no melee, and nobody stands in them (LFW-ENV-16)."""
    if not battle.table.openings or model.fleeing or in_melee(battle, model):
        return []
    return [
        opening
        for opening in openings_touched(battle, model, contact_reach(battle))
        if opening.id not in battle.closed and not is_stood_in(battle, opening)
    ]


def is_stood_in(battle: Battle, opening: Opening) -> bool:
    """A base is in an opening through a wall."""
    gap = opening.gap
    return gap is not None and any(
        gap.outline.touches_disc(other.body.x, other.body.y, other.body.radius) for other in battle.there()
    )


@action
class Blocking(Action):
    """Close an opening on 2+ (LFW-ENV-16)."""

    id = "block_opening"
    rule = "LFW-ENV-16"

    def is_open(self, battle: Battle, part: Part) -> bool:
        model = battle.model_of(part)
        # One attempt per unit: of a duo the first does it.
        return part is model.alive[0] and bool(blockable(battle, model))

    def perform(self, battle: Battle, part: Part) -> Step:
        model = battle.model_of(part)
        openings = blockable(battle, model)
        opening = openings[0]
        if len(openings) > 1:
            options = [Option(each.id, "opening", {"opening": each.id}) for each in openings]
            id = yield from pick_one(part.side, options, "which_opening", "LFW-ENV-16", {"unit": model.id})
            opening = battle.table.opening(id)
        (face,) = yield from roll_faces(battle, part.side, 1, "block")
        blocked = face >= BLOCKED_ON
        if blocked:
            battle.closed |= {opening.id}
        battle.tell(OpeningBlocked("LFW-ENV-16", model.id, opening.id, face, blocked))


# -- deep water --------------------------------------------------------------------------------------------------------


def is_in_deep_water(battle: Battle, model: Model) -> bool:
    """It is where deep water stops it (LFW-ENV-05, -07)."""
    body = model.body
    return any(
        is_deep(piece)
        and model.type not in piece.passable_for
        and piece.outline.touches_disc(body.x, body.y, body.radius)
        for piece in battle.table.pieces
    )


def resolve_deep_water(battle: Battle, model: Model) -> Asking[bool]:
    """Who nevertheless ends in deep water drowns on 3 or less; else it is placed at the nearest point outside, and its
    move is over (LFW-ENV-06). Whether it was in it at all."""
    if not is_in_deep_water(battle, model):
        return False
    (face,) = yield from roll_faces(battle, model.side, 1, "drowning")
    drowned = face <= DROWNS_ON
    battle.tell(Drowned("LFW-ENV-06", model.id, face, drowned))
    place = None if drowned else nearest_place(battle, model)
    if place is None:
        for part in model.alive:
            mark_destroyed(battle, part, "drowned", rule="LFW-ENV-06")
        yield from resolve_deaths(battle)
    else:
        stand(battle, model, *place)
    return True


def nearest_place(battle: Battle, model: Model) -> tuple[float, float] | None:
    """The place nearest to where it is in which it can stand, nobody being there: one of the finite list of places
    where boundaries meet, so that none is a proof."""
    body = model.body
    others = other_bases(battle, model, 0.0)
    curves: list[Curve] = stand_curves(relief_for(battle, model), body.radius, battle.closed)
    curves += [Circle(other.x, other.y, other.radius + body.radius) for other in others]
    for x, y in critical_places(curves, body.x, body.y):
        place = (rounded(x), rounded(y))
        free = all(hypot(o.x - x, o.y - y) >= o.radius + body.radius - TOLERANCE for o in others)
        if free and why_not_stand(battle, model, *place) is None:
            return place
    return None
