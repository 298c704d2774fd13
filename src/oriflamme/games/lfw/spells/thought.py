"""The domain of thought (LFW-SPELL-P). Hits of its spells have magic damage (LFW-SPELL-P0)."""

from __future__ import annotations

from oriflamme.games.lfw.areas import attack_all, spell_weapon
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.courage import passes_courage
from oriflamme.games.lfw.magic import Spell, spell
from oriflamme.games.lfw.rules.morale import Terror
from oriflamme.games.lfw.state import Battle, Effect, Part, Step
from oriflamme.games.lfw.targeting import Entry, lay_effect
from oriflamme.games.lfw.values import Amount

ARROW = Amount(0, 1, 3)  # Attack (LFW-SPELL-P1)


class _Thought(Spell):
    domain = "thought"


@spell
class MagicArrow(_Thought):
    """A ranged attack of D3 hit rolls and strength 1."""

    id, rule = "magic_arrow", "LFW-SPELL-P1"
    cost, entry, duration = 2, Entry("enemy", 18, visible=True), "instant"
    projectile = True

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        weapon = spell_weapon(self.id, 1, ("Magic damage",), ARROW)
        yield from attack_all(battle, caster, weapon, [targets[0].id], covered=True)


@spell
class Provocation(_Thought):
    """The target tests its courage; if it fails it makes no move of its own choosing and no shot."""

    id, rule = "provocation", "LFW-SPELL-P2"
    cost, entry = 1, Entry("unit", 12)
    rules, whole = ("Held by thought",), True

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        if not (yield from passes_courage(battle, battle.model_of(targets[0]), self.id)):
            yield from super().resolve(battle, caster, targets)


@spell
class ArmedByThought(_Thought):
    """The targets have magic damage."""

    id, rule = "armed_by_thought", "LFW-SPELL-P3"
    cost, entry = 2, Entry("friend", 3, every=True)
    rules = ("Magic damage",)


@spell
class WardOfThought(_Thought):
    """The targets have magic protection."""

    id, rule = "ward_of_thought", "LFW-SPELL-P4"
    cost, entry = 2, Entry("friend", 3, every=True)
    rules = ("Magic protection(5+)",)


@spell
class MonstrousIllusion(_Thought):
    """A target with Terror loses it, one without gains it."""

    id, rule = "monstrous_illusion", "LFW-SPELL-P5"
    cost, entry = 2, Entry("unit", 12)

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        (part,) = targets
        has = any(held.has(Terror) for held in sets_of(battle, part))
        rules = ("Seen through",) if has else ("Terror(3)",)
        lay_effect(battle, part, Effect(self.id, self.rule, self.duration, rules, caster.id))
        return
        yield


@spell
class AstralVision(_Thought):
    """The targets may declare charges against enemies that they do not see."""

    id, rule = "astral_vision", "LFW-SPELL-P6"
    cost, entry = 3, Entry("friend", 6, every=True)
    rules = ("Astral sight",)
