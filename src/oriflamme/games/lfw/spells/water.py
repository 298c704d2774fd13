"""The domain of water (LFW-SPELL-W)."""

from __future__ import annotations

from oriflamme.games.lfw.areas import attack_all, choose_point, models_near, parts_of, spell_weapon
from oriflamme.games.lfw.laying import LaidTerrain
from oriflamme.games.lfw.magic import Spell, spell
from oriflamme.games.lfw.morale import add_cause
from oriflamme.games.lfw.state import Battle, Model, Part, Step
from oriflamme.games.lfw.targeting import Entry
from oriflamme.games.lfw.wounds import recover

STORM = 3.0  # inches round the point (LFW-SPELL-W4)


class _Water(Spell):
    domain = "water"


@spell
class CalmOfTheLake(_Water):
    """The target may throw its failed courage tests again."""

    id, rule = "calm_of_the_lake", "LFW-SPELL-W1"
    cost, entry = 1, Entry("friend", 6, visible=True)
    rules = ("Courage again",)


@spell
class ViolenceOfTheStorm(_Water):
    """The target is Elite in combat."""

    id, rule = "violence_of_the_storm", "LFW-SPELL-W2"
    cost, entry = 2, Entry("friend", 6, visible=True)
    rules = ("Elite(combat)",)


@spell
class LastDrop(_Water):
    """The target is eligible for morale."""

    id, rule = "last_drop", "LFW-SPELL-W3"
    cost, entry = 1, Entry("enemy", 12, visible=True)
    whole = True

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        add_cause(battle, battle.model_of(targets[0]), self.id, caster.id, self.rule)
        return
        yield


@spell
class Storm(_Water):
    """Everybody within 3" of a point is attacked."""

    id, rule = "storm", "LFW-SPELL-W4"
    cost, entry, duration = 3, None, "instant"
    points_within = 24.0

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        point = yield from choose_point(battle, caster, self.id, self.reach(battle, caster))
        weapon = spell_weapon(self.id, 0, ("Independent(2+)",))
        yield from attack_all(battle, caster, weapon, parts_of(models_near(battle, point, STORM)), covered=False)


@spell
class HealingRain(_Water):
    """All living units recover a lost life point, friend and foe; a house rule says friends only."""

    id, rule = "healing_rain", "LFW-SPELL-W5"
    cost, entry, duration = 2, Entry("unit", None, every=True), "instant"

    def matches(self, battle: Battle, caster: Part, model: Model) -> bool:
        return battle.option("lfw.healingRain") == "everyone" or battle.are_friends(caster.side, model.side)

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        for part in targets:
            if part.sheet.vitality == "living":
                recover(battle, part, 1, self.rule)
        return
        yield


@spell
class Flood(LaidTerrain):
    """A water point of at most 1.5" lies there for the rest of the game."""

    id, rule, domain, cost = "flood", "LFW-SPELL-W6", "water", 3
    kind, largest, traits = "pond", 1.5, ("difficult", "water")
