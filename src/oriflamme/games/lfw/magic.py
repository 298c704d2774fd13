"""The magic phase: mages gain magic points and cast spells in turn (LFW-MAG, LFW-SPL). Spells are declared in
`spells/<domain>.py`."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.games.lfw.alternation import Activity, activity, begin_alternation
from oriflamme.games.lfw.events.magic import MagicGained, SpellCast
from oriflamme.games.lfw.ground import in_melee
from oriflamme.games.lfw.state import Asking, Battle, Effect, Model, Part, Step, step
from oriflamme.games.lfw.targeting import Entry, choose_target, lay_effect

GAIN = 1  # Pm at the start of the magic phase (LFW-MAG-01)


class Spell:
    """A spell: domain, cost, target, range, duration (LFW-SPL-01).

    Without more, it lays an effect on its targets that gives them `rules` for its `duration`; one that does something
    else overrides `resolve`. A spell without a unit as its target has `entry` None and asks for what it needs itself.
    """

    id = ""
    rule = ""
    domain = ""
    cost = 1
    entry: Entry | None = Entry("friend", 6)
    duration = "turn"
    rules: tuple[str, ...] = ()
    projectile = False  # LFW-MAG-07
    whole = False  # bears on a whole duo (LFW-CAV-17)

    def price(self, battle: Battle) -> int:
        return self.cost

    def matches(self, battle: Battle, caster: Part, model: Model) -> bool:
        """Whether a model that fits the entry may be a target, for what the entry does not say."""
        return True

    def is_open(self, battle: Battle, caster: Part) -> bool:
        """Whether it can be cast now, targets aside."""
        return True

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        for part in targets:
            lay_effect(battle, part, Effect(self.id, self.rule, self.duration, self.rules, caster.id))
        return
        yield


SPELLS: Final[dict[str, Spell]] = {}


def spell(kind: type[Spell]) -> type[Spell]:
    """Declare a spell."""
    SPELLS[kind.id] = kind()
    return kind


def is_mage(part: Part) -> bool:
    """It has magic points on its sheet and knows spells (LFW-CHAR-13)."""
    return bool(part.spells) and (part.sheet.pm > 0 or part.pm > 0)


@step
def begin_magic(battle: Battle) -> None:
    """Every mage on the table gains Pm, except on turn 1; fleeing ones too (LFW-MAG-01, -06)."""
    if battle.round > 1:
        for model in battle.there():
            for part in model.alive:
                if is_mage(part):
                    part.pm += GAIN
                    battle.tell(MagicGained("LFW-MAG-01", part.id, GAIN, part.pm))
    begin_alternation(battle, "cast")


def targets_of(battle: Battle, caster: Part, known: Spell) -> list[Model]:
    """Whom a spell may be cast on; a projectile not on who is in a melee (LFW-MAG-07)."""
    if known.entry is None:
        return []
    found = known.entry.matching(battle, caster, known.entry.range)
    found = [model for model in found if known.matches(battle, caster, model)]
    return [model for model in found if not known.projectile or not in_melee(battle, model)]


def castable(battle: Battle, side: int) -> list[tuple[Part, Spell]]:
    """Spells that mages of a side may cast now: paid for, with a target, once a turn (LFW-MAG-03, -05 to -07)."""
    found = []
    for model in battle.own(side):
        if model.fleeing or model.behaviour:
            continue
        for part in model.alive:
            if "cast" in part.used:
                continue
            for id in part.spells:
                known = SPELLS.get(id)
                if known is None or part.pm < known.price(battle) or not known.is_open(battle, part):
                    continue
                if known.projectile and in_melee(battle, model):
                    continue
                if known.entry is None or targets_of(battle, part, known):
                    found.append((part, known))
    return found


@activity
class Casting(Activity):
    """Each player may activate one mage, who casts one spell (LFW-MAG-02)."""

    name = "cast"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_spell", "LFW-MAG-02")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [
            Option(
                f"{known.id}:{part.id}",
                "spell",
                {"unit": part.id, "spell": known.id, "cost": known.price(battle)},
                (part.model,),
            )
            for part, known in castable(battle, side)
        ]

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        id, _, name = key.partition(":")
        yield from cast(battle, battle.part(name), SPELLS[id])


def cast(battle: Battle, caster: Part, known: Spell) -> Step:
    """Choose the targets, pay, and apply the effect (LFW-MAG-03, -04, LFW-SPL-04)."""
    parts: list[Part] = []
    if known.entry is not None:
        models = targets_of(battle, caster, known)
        if known.entry.every:
            parts = [part for model in models for part in model.alive]
        else:
            parts = yield from choose_target(battle, caster, models, known.id, "LFW-SPL-04", whole=known.whole)
    caster.used |= {"cast"}
    caster.pm -= known.price(battle)
    battle.tell(SpellCast(known.rule, caster.id, known.id, known.price(battle), caster.pm, tuple(p.id for p in parts)))
    yield from known.resolve(battle, caster, parts)
