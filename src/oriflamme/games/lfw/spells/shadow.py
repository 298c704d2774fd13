"""The domain of shadow (LFW-SPELL-O)."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from random import Random

from oriflamme.engine.core.decisions import Option, Place, Places
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import answer_to, pick_one
from oriflamme.engine.geometry.measure import TOLERANCE, inches, rounded
from oriflamme.engine.geometry.places import Circle, critical_places
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.heights.contacts import stand_curves
from oriflamme.engine.heights.distances import Spot
from oriflamme.games.lfw.areas import choose_point, models_near, parts_of
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.dicing import Replacing, window
from oriflamme.games.lfw.ending import ENDINGS
from oriflamme.games.lfw.events.magic import Faded, Recalled
from oriflamme.games.lfw.ground import distance_to_spot
from oriflamme.games.lfw.magic import Aim, Spell, roll_wound_amount, spell
from oriflamme.games.lfw.measures import CLEARANCE, in_inches
from oriflamme.games.lfw.morale import add_cause
from oriflamme.games.lfw.rolls import Die
from oriflamme.games.lfw.state import NIGHT, Asking, Battle, Effect, Model, Part, Power, Step
from oriflamme.games.lfw.targeting import Entry, lay_effect
from oriflamme.games.lfw.terrain import elevation, relief_for, why_not_stand
from oriflamme.games.lfw.tokens import lying, why_not_on
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.walking import stand
from oriflamme.games.lfw.wounds import suffer, take_off

DARKNESS = Amount(1, 1, 3)  # wounds (LFW-SPELL-O3)


class _Shadow(Spell):
    domain = "shadow"


@spell
class TerrorOfShadow(_Shadow):
    """The target is eligible for morale."""

    id, rule = "terror_of_shadow", "LFW-SPELL-O1"
    cost, entry = 2, Entry("enemy", 12)
    whole = True

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        add_cause(battle, battle.model_of(targets[0]), self.id, caster.id, self.rule)
        return
        yield


@spell
class CallOfNight(_Shadow):
    """It is night until the end of the turn."""

    id, rule = "call_of_night", "LFW-SPELL-O2"
    cost, entry = 2, None

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        battle.powers = (*battle.powers, Power(self.id, self.rule, caster.side, "turn", kind=NIGHT))
        return
        yield


@spell
class OpeningToDarkness(_Shadow):
    """Everybody within 3" of a point suffers D3+1 wounds that nothing cancels."""

    id, rule = "opening_to_darkness", "LFW-SPELL-O3"
    cost, entry, duration = 4, None, "instant"
    projectile, points_within = True, 18.0

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        point = yield from choose_point(battle, caster, self.id, self.reach(battle, caster), projectile=True)
        for id in parts_of(models_near(battle, point, 3.0)):
            wounds = yield from roll_wound_amount(battle, caster, DARKNESS, self)
            yield from suffer(battle, battle.part(id), wounds, "spell", caster.id, piercing=True)
        yield from resolve_deaths(battle)


@spell
class HiddenByShadow(_Shadow):
    """The target has dodge 3."""

    id, rule = "hidden_by_shadow", "LFW-SPELL-O4"
    cost, entry = 2, Entry("friend", 9)
    rules = ("Hidden in shadow",)


@spell
class ShadowOfMemory(_Shadow):
    """A destroyed friend is put back on the table for the turn; it suffers no wound, and is removed again.

    Whether there is a place for it on the board of the caster is proven (`free_places`); through an exit it may be put
    besides, which is judged, and its player may take the spell back.
    """

    id, rule = "shadow_of_memory", "LFW-SPELL-O5"
    cost, entry = 3, None
    points_within = 6.0
    rules = ("A memory",)
    aims = True

    def is_open(self, battle: Battle, caster: Part) -> bool:
        return bool(self.remembered(battle, caster))

    def remembered(self, battle: Battle, caster: Part) -> list[Model]:
        """Destroyed friends for whom there is, or may be, a place."""
        gone = [
            model
            for model in battle.units.values()
            if model.place == "gone" and model.side not in battle.gone and battle.are_friends(caster.side, model.side)
        ]
        if any(opening.joins_boards and opening.id not in battle.closed for opening in battle.table.openings):
            return gone
        return [model for model in gone if next(self.free_places(battle, caster, model), None) is not None]

    def aim(self, battle: Battle, caster: Part) -> Asking[Aim | None]:
        options = [Option(m.id, "unit", {"unit": m.id}) for m in self.remembered(battle, caster)]
        facts = {"unit": caster.id, "about": self.id}
        id = yield from pick_one(caster.side, options, "choose_target", "LFW-SPL-04", facts)
        model = battle.units[id]

        def check(places: Places) -> Refusal | None:
            ((x, y, *_),) = places.values()
            return self.why_not(battle, caster, model, x, y)

        def propose(random: Random) -> Places | None:
            place = next(self.free_places(battle, caster, model), None)
            return {id: place} if place is not None else None

        about = {"unit": id, "target": caster.id, "reach": self.reach(battle, caster)}
        question = Place(caster.side, (id,), check, propose, "recall", self.rule, about, may_take_back=True)
        places = yield from answer_to(question)
        if not places:
            return None
        x, y, *_ = places[id]
        return Aim(x, y, id)

    def why_not(self, battle: Battle, caster: Part, model: Model, x: float, y: float) -> Refusal | None:
        """Why it may not be put there: within range, where it can stand, more than 1" from enemies."""
        refusal = why_not_stand(battle, model, x, y) or why_not_on(battle, model, x, y)
        if refusal is not None:
            return refusal
        here = Spot(x, y, elevation(battle, x, y), model.body.radius)
        gap, reach = distance_to_spot(battle, battle.model_of(caster), here), self.reach(battle, caster)
        facts = {"unit": model.id, "target": caster.id}
        if gap > inches(reach) + TOLERANCE:
            return Refusal(self.rule, "out_of_range", {**facts, "gap": in_inches(gap), "reach": reach})
        for other in battle.there():
            if hypot(other.body.x - x, other.body.y - y) < other.body.radius + here.radius - TOLERANCE:
                return Refusal("LFW-UNIT-12", "on_other", {"unit": model.id, "other": other.id})
            away = distance_to_spot(battle, other, here)
            if not battle.are_friends(model.side, other.side) and away <= CLEARANCE + TOLERANCE:
                gaps = {"gap": in_inches(away), "reach": in_inches(CLEARANCE)}
                return Refusal(self.rule, "too_near", {"unit": model.id, "target": other.id, **gaps})
        return None

    def free_places(self, battle: Battle, caster: Part, model: Model) -> Iterator[Point]:
        """Places for it on the board of the caster, the nearest to him first: if none of the places where boundaries
        meet is free, none is. Distances count heights, so there is a boundary for every level of the ground."""
        own, r = battle.model_of(caster), model.body.radius
        reach = inches(self.reach(battle, caster))
        far = own.body.radius + r + reach
        box = (own.body.x - far, own.body.y - far, own.body.x + far, own.body.y + far)
        curves = stand_curves(relief_for(battle, model), r, battle.closed, box)
        levels = {0.0, *(level for piece in battle.table.pieces for level in piece.levels[-1:])}
        for other in battle.there():
            friends = battle.are_friends(model.side, other.side)
            keep = reach if other is own else 0.0 if friends else CLEARANCE + 3 * TOLERANCE
            off = {max(0.0, keep * keep - (level - other.body.z) ** 2) ** 0.5 for level in levels}
            curves += [Circle(other.body.x, other.body.y, other.body.radius + r + each) for each in {0.0, *off}]
        curves += [Circle(token.x, token.y, token.radius + r) for token in lying(battle)]
        for x, y in critical_places(curves, own.body.x, own.body.y, far, box=box):
            place = rounded(x), rounded(y)
            if battle.table.board_at(*place) == own.board and self.why_not(battle, caster, model, *place) is None:
                yield place

    def resolve_at(self, battle: Battle, caster: Part, aim: Aim) -> Step:
        model = battle.units[aim.unit]
        model.return_whole()
        stand(battle, model, aim.x, aim.y)
        battle.tell(Recalled(self.rule, model.id))
        for part in model.parts:
            lay_effect(battle, part, Effect(self.id, self.rule, self.duration, self.rules, caster.id))
        return
        yield


def fade(battle: Battle, part: Part) -> Asking[None]:
    """Who was recalled is removed at the end of the turn; it is not destroyed again (LFW-SPELL-O5, LFW-END-01)."""
    model = battle.model_of(part)
    if not model.on_table:
        return
    for each in model.parts:
        each.destroyed, each.pv = True, 0
    battle.tell(Faded(ShadowOfMemory.rule, model.id))
    yield from take_off(battle, model, "gone")


ENDINGS[ShadowOfMemory.id] = fade


@spell
class HatredOfTheOldGods(_Shadow):
    """Once this turn the caster's player may replace a die of an opponent by 1, 2 or 3."""

    id, rule = "hatred_of_the_old_gods", "LFW-SPELL-O6"
    cost, entry = 3, None

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        battle.powers = (*battle.powers, Power(self.id, self.rule, caster.side, "turn"))
        return
        yield


@window(HatredOfTheOldGods.id)
def replace_theirs(battle: Battle, power: Power, side: int, dice: list[Die], what: str) -> Asking[list[Die]]:
    if battle.are_friends(side, power.side):
        return dice
    return (yield from Replacing(battle, power, dice, what).ask((1, 2, 3)))
