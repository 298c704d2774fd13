"""The magic phase: mages gain magic points and cast spells in turn (LFW-MAG, LFW-SPL). Spells are declared in
`spells/<domain>.py`."""

from __future__ import annotations

from typing import Final, NamedTuple

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one, yes_or_no
from oriflamme.engine.geometry.measure import inches
from oriflamme.games.lfw.alternation import Activity, activity, begin_alternation
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.deeds import SPELL, note_deed
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.magic import MagicGained, SpellCast
from oriflamme.games.lfw.ground import in_melee, within
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.permits import is_free
from oriflamme.games.lfw.shooting import Blast
from oriflamme.games.lfw.state import Asking, Battle, Effect, Model, Part, Step, step
from oriflamme.games.lfw.targeting import Entry, choose_parts, choose_target, lay_effect
from oriflamme.games.lfw.values import Amount

SECOND = 3  # inches between two targets (LFW-MAGE-06)
GAIN = 1  # Pm at the start of the magic phase (LFW-MAG-01)
CASTS: Final = frozenset({"cast", "cast_again"})  # the spells of a turn (LFW-MAG-05, LFW-MAGE-09)


class Aim(NamedTuple):
    """What a spell brings to a place of the table: a unit by its id, or a disc of so many inches."""

    x: float
    y: float
    unit: str = ""
    radius: float = 0.0


class Spell:
    """A spell: domain, cost, target, range, duration (LFW-SPL-01).

    Without more, it lays an effect on its targets that gives them `rules` for its `duration`; one that does something
    else overrides `resolve`. A spell without a unit as its target has `entry` None and asks for what it needs itself.
    One that brings something to the table (`aims`) asks for a place before it is paid for, and that may be taken back:
    then it is not cast, nor offered again this turn.
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
    points_within = 0.0  # range of a spell that is aimed at a point (LFW-SPL-05)
    explosion: Blast | None = None  # what it makes explode on its target or point
    aims = False

    def price(self, battle: Battle) -> int:
        return self.cost

    def matches(self, battle: Battle, caster: Part, model: Model) -> bool:
        """Whether a model that fits the entry may be a target, for what the entry does not say."""
        return True

    def range(self, battle: Battle) -> float | None:
        """Its range in inches, None without one (LFW-SPL-03)."""
        return self.entry.range if self.entry is not None else self.points_within or None

    def reach(self, battle: Battle, caster: Part) -> float:
        """How far away its point may be, as skills leave it (LFW-MAGE-04)."""
        return craft_of(battle, caster, self).range or 0.0

    def is_open(self, battle: Battle, caster: Part) -> bool:
        """Whether it can be cast now, targets aside."""
        return True

    def effect(self, by: str) -> Effect:
        """What it lays on a target."""
        return Effect(self.id, self.rule, self.duration, self.rules, by)

    def resolve(self, battle: Battle, caster: Part, targets: list[Part]) -> Step:
        for part in targets:
            lay_effect(battle, part, self.effect(caster.id))
        return
        yield

    def aim(self, battle: Battle, caster: Part) -> Asking[Aim | None]:
        """What it brings, and where to; None if that is taken back."""
        raise NotImplementedError

    def resolve_at(self, battle: Battle, caster: Part, aim: Aim) -> Step:
        raise NotImplementedError


SPELLS: Final[dict[str, Spell]] = {}


def spell(kind: type[Spell]) -> type[Spell]:
    """Declare a spell."""
    SPELLS[kind.id] = kind()
    return kind


class Craft:
    """How a mage works: magic points it gains, spells it casts in a turn; and for one spell its range in inches,
    whether the dice of its wounds may be thrown again, and whether it takes a second friend as target. `when_casting`
    changes it."""

    __slots__ = ("battle", "caster", "casts", "gain", "range", "rerolls", "second", "spell")

    def __init__(self, battle: Battle, caster: Part, known: Spell | None) -> None:
        self.battle = battle
        self.caster = caster
        self.spell = known
        self.gain = GAIN
        self.casts = 1
        self.range = known.range(battle) if known is not None else None
        self.rerolls = False
        self.second = False


def craft_of(battle: Battle, caster: Part, known: Spell | None = None) -> Craft:
    """How a mage casts a spell, as its skills leave it."""
    craft = Craft(battle, caster, known)
    at(Keyword.when_casting, sets_of(battle, caster), craft)
    return craft


def roll_wounds(battle: Battle, caster: Part, side: int, number: int, known: Spell) -> Asking[tuple[int, ...]]:
    """The dice that fix the wounds of a spell; a skill lets the mage throw all of them again (LFW-MAGE-05)."""
    faces = yield from roll_faces(battle, side, number, known.id)
    if faces and craft_of(battle, caster, known).rerolls:
        facts = {"unit": caster.id, "spell": known.id, "faces": list(faces)}
        if (yield from yes_or_no(caster.side, "wounds_again", "LFW-MAGE-05", facts, word="roll_again")):
            faces = yield from roll_faces(battle, side, number, known.id)
    return faces


def roll_wound_amount(battle: Battle, caster: Part, amount: Amount, known: Spell) -> Asking[int]:
    """The same for a formula such as D3+1."""
    faces = yield from roll_wounds(battle, caster, caster.side, amount.dice, known)
    return amount.total(faces)


def is_mage(part: Part) -> bool:
    """It has magic points on its sheet, and a domain or a spell (LFW-CHAR-13)."""
    return bool(part.spells or part.sheet.domains) and (part.sheet.pm > 0 or part.pm > 0)


@step
def begin_magic(battle: Battle) -> None:
    """Every mage on the table gains Pm, except on turn 1; fleeing ones too (LFW-MAG-01, -06)."""
    if battle.round > 1:
        for model in battle.there():
            for part in model.alive:
                if is_mage(part):
                    gain = craft_of(battle, part).gain
                    part.pm += gain
                    battle.tell(MagicGained("LFW-MAG-01", part.id, gain, part.pm))
    begin_alternation(battle, "cast")


def targets_of(battle: Battle, caster: Part, known: Spell) -> list[Model]:
    """Whom a spell may be cast on; a projectile not on who is in a melee (LFW-MAG-07)."""
    if known.entry is None:
        return []
    found = known.entry.matching(battle, caster, craft_of(battle, caster, known).range)
    found = [model for model in found if known.matches(battle, caster, model)]
    return [model for model in found if not known.projectile or not in_melee(battle, model)]


def castable(battle: Battle, side: int) -> list[tuple[Part, Spell]]:
    """Spells that mages of a side may cast now: paid for, with a target, once a turn (LFW-MAG-03, -05 to -07)."""
    found = []
    for model in battle.own(side):
        if model.fleeing or model.behaviour or not is_free(battle, model, "cast"):
            continue
        for part in model.alive:
            if part.spells and len(CASTS & part.used) >= craft_of(battle, part).casts:
                continue
            for id in part.spells:
                known = SPELLS.get(id)
                if known is None or part.pm < known.price(battle) or not known.is_open(battle, part):
                    continue
                if _taken_back(known) in part.used:
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
    aim: Aim | None = None
    if known.aims:
        aim = yield from known.aim(battle, caster)
        if aim is None:
            caster.used |= {_taken_back(known)}
            return
    if known.entry is not None:
        models = targets_of(battle, caster, known)
        if known.entry.every:
            parts = [part for model in models for part in model.alive]
        else:
            parts = yield from choose_target(battle, caster, models, known.id, "LFW-SPL-04", whole=known.whole)
    caster.used |= {"cast" if "cast" not in caster.used else "cast_again"}
    price = known.price(battle)
    caster.pm -= price
    more: list[Part] = []
    if parts and known.entry is not None and not known.entry.every:
        more = yield from second_target(battle, caster, known, parts)
    price += second_price(known, battle) if more else 0
    told = tuple(part.id for part in (*parts, *more)) or ((aim.unit,) if aim is not None and aim.unit else ())
    battle.tell(SpellCast(known.rule, caster.id, known.id, price, caster.pm, told))
    note_deed(battle, SPELL, caster)
    if aim is not None:
        yield from known.resolve_at(battle, caster, aim)
        return
    yield from known.resolve(battle, caster, parts)
    if more:
        yield from known.resolve(battle, caster, more)


def _taken_back(known: Spell) -> str:
    return f"took_back_{known.id}"


def second_price(known: Spell, battle: Battle) -> int:
    """Half of the cost, rounded down, 1 at least (LFW-MAGE-06)."""
    return max(1, known.price(battle) // 2)


def second_target(battle: Battle, caster: Part, known: Spell, first: list[Part]) -> Asking[list[Part]]:
    """A second friend who meets the same conditions, within 3" of the first instead of within range, for half the cost
    more (LFW-MAGE-06)."""
    assert known.entry is not None
    one = battle.model_of(first[0])
    extra = second_price(known, battle)
    if not craft_of(battle, caster, known).second or caster.pm < extra or not battle.are_friends(caster.side, one.side):
        return []
    found = [
        model
        for model in known.entry.matching(battle, caster, None)
        if model is not one
        and battle.are_friends(caster.side, model.side)
        and known.matches(battle, caster, model)
        and within(battle, one, model, inches(SECOND))
    ]
    if not found:
        return []
    options = [Option("none", "no_second"), *(Option.thing(m.id, "unit", {"unit": m.id}) for m in found)]
    facts = {"unit": caster.id, "spell": known.id, "cost": extra}
    key = yield from pick_one(caster.side, options, "second_target", "LFW-MAGE-06", facts)
    if key == "none":
        return []
    caster.pm -= extra
    return (yield from choose_parts(battle, caster, battle.units[key], whole=known.whole))
