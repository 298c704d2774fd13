"""The domain of earth (LFW-SPELL-T)."""

from __future__ import annotations

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.table.pieces import Piece
from oriflamme.games.lfw.areas import attack_all, choose_point, line_to, models_on, parts_of, spell_weapon
from oriflamme.games.lfw.laying import LaidTerrain, make_room, why_no_room
from oriflamme.games.lfw.magic import Spell, spell
from oriflamme.games.lfw.state import Battle, Part, Step
from oriflamme.games.lfw.targeting import Entry


class _Earth(Spell):
    domain = "earth"


@spell
class Slowing(_Earth):
    """The target's movement is 2" less."""

    id, rule = "slowing", "LFW-SPELL-T1"
    cost, entry = 1, Entry("enemy", 12, visible=True)
    rules, whole = ("Slowed(2)",), True


@spell
class Stalagmites(_Earth):
    """Everybody on a line from the caster to a point is attacked."""

    id, rule = "stalagmites", "LFW-SPELL-T2"
    cost, entry, duration = 2, None, "instant"
    points_within = 12.0

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        point = yield from choose_point(battle, caster, self.id, self.reach(battle, caster), visible=False)
        own = battle.model_of(caster)
        caught = [model for model in models_on(battle, line_to(battle, own, point)) if model is not own]
        weapon = spell_weapon(self.id, 1, ("Independent(2+)",))
        yield from attack_all(battle, caster, weapon, parts_of(caught), covered=False)


@spell
class ThrownStone(_Earth):
    """A ranged attack of strength 2."""

    id, rule = "thrown_stone", "LFW-SPELL-T3"
    cost, entry, duration = 1, Entry("enemy", 9, visible=True), "instant"
    projectile = True

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        yield from attack_all(battle, caster, spell_weapon(self.id, 2), [targets[0].id], covered=True)


@spell
class Earthquake(_Earth):
    """Movement of all units is 1" less, except in flying moves."""

    id, rule = "earthquake", "LFW-SPELL-T4"
    cost, entry = 3, Entry("unit", None, every=True)
    rules = ("Shaken ground",)


@spell
class SkinOfStone(_Earth):
    """The targets add 1 to their defence tests."""

    id, rule = "skin_of_stone", "LFW-SPELL-T5"
    cost, entry = 3, Entry("friend", 3, every=True)
    rules = ("Better defence",)


@spell
class CalledRock(LaidTerrain):
    """A cliff of at most 1" and 3" high stands there for the rest of the game; units in its place are moved and
    attacked."""

    id, rule, domain, cost = "called_rock", "LFW-SPELL-T6", "earth", 3
    kind, largest, height, traits = "cliff", 1.0, 3.0, ("blocking", "impassable")

    def why_not(self, battle: Battle, point: Point, radius: float, caster: Part) -> Refusal | None:
        return super().why_not(battle, point, radius, caster) or why_no_room(battle, point, radius, caster.id)

    def after_laid(self, battle: Battle, caster: Part, piece: Piece) -> Step:
        weapon = spell_weapon(self.id, 0, ("Independent(3+)",))
        yield from attack_all(battle, caster, weapon, parts_of(make_room(battle, piece)), covered=False)
