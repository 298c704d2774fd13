"""The domain of fire (LFW-SPELL-F). Who is under one of its spells gives light (LFW-SPELL-F0)."""

from __future__ import annotations

from itertools import pairwise

from oriflamme.engine.table.insides import TABLE
from oriflamme.games.lfw.areas import Leg, attack_all, explode, models_on, parts_of, spell_weapon
from oriflamme.games.lfw.cavalry import resolve_deaths
from oriflamme.games.lfw.magic import Spell, roll_wounds, spell
from oriflamme.games.lfw.moments import Keyword, effect
from oriflamme.games.lfw.profile import WEAPON_NAMES, Weapon
from oriflamme.games.lfw.shooting import Blast
from oriflamme.games.lfw.state import Asking, Battle, Effect, Part, Step
from oriflamme.games.lfw.targeting import Entry
from oriflamme.games.lfw.values import Amount
from oriflamme.games.lfw.walking import Journey
from oriflamme.games.lfw.wounds import suffer

BREATH = Weapon("breath_of_fire", WEAPON_NAMES("breath_of_fire"), 12.0, Amount(1), 0, ("Breath", "Flaming"))
BURNS = 2  # a die of Inner flame that shows so much or less is a wound (LFW-SPELL-F3)


class _Fire(Spell):
    domain = "fire"


@spell
class Fireball(_Fire):
    """An explosion on the target."""

    id, rule = "fireball", "LFW-SPELL-F1"
    cost, entry, duration = 2, Entry("enemy", 18, visible=True), "instant"
    projectile = True
    explosion: Blast = Blast(spell_weapon(id, 1, ("Flaming",)), Amount(0, 1), 1.5)

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        body = battle.model_of(targets[0]).body
        yield from explode(battle, caster, self.explosion, (body.x, body.y))


@spell
class FireBreath(_Fire):
    """The target gains a breath of fire."""

    id, rule = "fire_breath", "LFW-SPELL-F2"
    cost, entry = 2, Entry("friend", 6, visible=True)

    def effect(self, by: str) -> Effect:
        return Effect(self.id, self.rule, self.duration, ("Luminous",), by, (BREATH,))


@spell
class InnerFlame(_Fire):
    """A die for each life point of the target: each 1 or 2 is a wound, without a defence test."""

    id, rule = "inner_flame", "LFW-SPELL-F3"
    cost, entry, duration = 1, Entry("enemy", 6, visible=True), "instant"

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        (part,) = targets
        faces = yield from roll_wounds(battle, caster, part.side, part.pv, self)
        yield from suffer(battle, part, sum(face <= BURNS for face in faces), "spell", caster.id, flaming=True)
        yield from resolve_deaths(battle)


@spell
class BurningWingsOf(_Fire):
    """The target flies, and whoever it flies over is attacked."""

    id, rule = "burning_wings", "LFW-SPELL-F4"
    cost, entry = 3, Entry("friend", 6, visible=True)
    rules, whole = ("Flight", "Burning wings", "Luminous"), True


@effect("LFW-SPELL-F4", "Burning wings")
class BurningWings(Keyword):
    """Everybody it flies over suffers a ranged attack, friend or foe."""

    __slots__ = ()

    def after_move(self, journey: Journey) -> Asking[None]:
        battle, model = journey.battle, journey.model
        flyer = model.alive[0]
        if not journey.flew or len(journey.way) < 2 or not _bears(flyer, self):
            return
        points = [(x, y) for x, y, *_ in journey.way]
        # Neither inside, where there is a ceiling (LFW-ENV-17), nor through a door.
        flown = [
            Leg(TABLE, start, end)
            for start, end in pairwise(points)
            if battle.table.board_at(*start) == battle.table.board_at(*end) == TABLE
        ]
        over = [other for other in models_on(battle, flown, model.body.radius) if other is not model]
        weapon = spell_weapon("burning_wings", 0, ("Independent(4+)", "Flaming"))
        yield from attack_all(battle, flyer, weapon, parts_of(over), covered=False)


def _bears(part: Part, keyword: Keyword) -> bool:
    """It lies on that part: of a duo the attacks are made once."""
    return any(held.has(type(keyword)) for held in part.sets())


@spell
class Drying(_Fire):
    """The target burns easily."""

    id, rule = "drying", "LFW-SPELL-F5"
    cost, entry = 2, Entry("enemy", 12, visible=True)
    rules = ("Flammable", "Luminous")


@spell
class FlamingWeapon(_Fire):
    """The target's attacks are flaming."""

    id, rule = "flaming_weapon", "LFW-SPELL-F6"
    cost, entry = 1, Entry("friend", 6, visible=True)
    rules = ("Flaming", "Luminous")
