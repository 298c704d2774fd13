"""Command abilities (LFW-ABL): when they may be used, on whom, and what they cost. They are declared in `commands/`."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.alternation import Activity, activity
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.deeds import ABILITY, note_deed
from oriflamme.games.lfw.events.magic import AbilityUsed
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.organisation import Action, action
from oriflamme.games.lfw.state import Asking, Battle, Effect, Model, Part, Step
from oriflamme.games.lfw.targeting import Entry, choose_target, lay_effect

COST = 1  # Pc (LFW-ABL-02)


class Ability:
    """A command ability. `when` are its activations: ("beginning" | "during" | "end", phase), or ("end", "turn").

    Without more, it lays an effect on its targets that gives them `rules` for its `duration`; one that does something
    else overrides `resolve`.
    """

    id = ""
    rule = ""
    when: tuple[tuple[str, str], ...] = ()
    entry: Entry = Entry("friend", 6)
    duration = "turn"
    rules: tuple[str, ...] = ()
    # It bears on the whole duo (LFW-CAV-17).
    whole = False

    def matches(self, battle: Battle, user: Part, model: Model) -> bool:
        """Whether a model that fits the entry may be a target, for what the entry does not say."""
        return True

    def effect(self, by: str) -> Effect:
        """What it lays on a target."""
        return Effect(self.id, self.rule, self.duration, self.rules, by)

    def resolve(self, battle: Battle, user: Part, targets: list[Part]) -> Step:
        for part in targets:
            lay_effect(battle, part, self.effect(user.id))
        return
        yield


class Laid(Ability):
    """A command ability that lays an effect on its targets and does nothing else."""

    def __init__(
        self,
        id: str,
        rule: str,
        when: tuple[tuple[str, str], ...],
        entry: Entry,
        duration: str,
        rules: tuple[str, ...],
    ) -> None:
        self.id = id
        self.rule = rule
        self.when = when
        self.entry = entry
        self.duration = duration
        self.rules = rules


ABILITIES: Final[dict[str, Ability]] = {}


def declare(known: Ability) -> None:
    """Declare a command ability."""
    ABILITIES[known.id] = known


def ability(kind: type[Ability]) -> type[Ability]:
    """Declare a command ability by a class of its own."""
    declare(kind())
    return kind


class Reach:
    """A command ability that somebody uses, and its range in inches, None without a limit. `when_commanding` changes
    it."""

    __slots__ = ("ability", "battle", "range", "user")

    def __init__(self, battle: Battle, user: Part, known: Ability) -> None:
        self.battle = battle
        self.user = user
        self.ability = known
        self.range = known.entry.range

    @classmethod
    def of(cls, battle: Battle, user: Part, known: Ability) -> Reach:
        command = cls(battle, user, known)
        at(Keyword.when_commanding, sets_of(battle, user), command)
        return command


def reach_of(battle: Battle, user: Part, known: Ability) -> float | None:
    """Its range in inches, as skills leave it (LFW-CAP-06); None without a limit (LFW-ABL-06)."""
    return Reach.of(battle, user, known).range


def targets_of(battle: Battle, user: Part, known: Ability) -> list[Model]:
    """Whom an ability may be used on now: nobody is the target of the same one twice a turn (LFW-ABL-03, -12)."""
    if known.entry.caster:
        return [] if known.id in user.targeted else [battle.model_of(user)]
    found = known.entry.matching(battle, user, reach_of(battle, user, known))
    return [
        model
        for model in found
        if known.matches(battle, user, model) and any(known.id not in part.targeted for part in model.alive)
    ]


def usable(battle: Battle, side: int, moment: str, phase: str) -> list[tuple[Part, Ability]]:
    """What the units of a side may use at a moment: who flees uses nothing (LFW-ABL-11)."""
    return [
        (part, known)
        for model in battle.own(side)
        if not model.fleeing and not model.behaviour
        for part in model.alive
        for known in usable_by(battle, part, moment, phase)
    ]


def usable_by(battle: Battle, part: Part, moment: str, phase: str) -> list[Ability]:
    """What a part that does not flee may use at a moment: a Pc is needed (LFW-DICE-15), and somebody to use it on."""
    if part.pc < COST or not part.adc:
        return []
    known = [ABILITIES[id] for id in dict.fromkeys(part.adc) if id in ABILITIES]
    return [each for each in known if (moment, phase) in each.when and targets_of(battle, part, each)]


def use(battle: Battle, user: Part, known: Ability) -> Step:
    """Pay, choose targets, resolve; all targets are fixed now (LFW-ABL-02, -05, -10)."""
    models = targets_of(battle, user, known)
    if known.entry.every or known.entry.caster:
        parts = [part for model in models for part in model.alive if known.id not in part.targeted]
        if known.entry.caster:
            parts = [user]
    else:
        parts = yield from choose_target(
            battle,
            user,
            models,
            known.id,
            "LFW-ABL-05",
            whole=known.whole,
            fits=lambda part: known.id not in part.targeted,
        )
    user.pc -= COST
    for part in parts:
        part.targeted |= {known.id}
    battle.tell(AbilityUsed(known.rule, user.id, known.id, user.pc, tuple(part.id for part in parts)))
    note_deed(battle, ABILITY, user)
    yield from known.resolve(battle, user, parts)


def _options(battle: Battle, side: int, moment: str, phase: str) -> list[Option]:
    return [
        Option(f"{known.id}:{part.id}", "ability", {"unit": part.id, "ability": known.id}, (part.model,))
        for part, known in usable(battle, side, moment, phase)
    ]


class _Window(Activity):
    """Abilities at the beginning or the end of a phase, in initiative order, one each (LFW-ABL-08, -09)."""

    moment = ""

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "use_ability", "LFW-ABL-08")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return _options(battle, side, self.moment, battle.phase)

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        id, _, name = key.partition(":")
        yield from use(battle, battle.part(name), ABILITIES[id])


@activity
class AtBeginning(_Window):
    name, moment = "abilities_beginning", "beginning"


@activity
class AtEnd(_Window):
    name, moment = "abilities_end", "end"


@action
class Command(Action):
    """An ability that is used during the organisation phase is one of its actions (LFW-ORG-02). As long as a Pc is
    left another may follow."""

    id = "command"
    rule = "LFW-ABL-01"

    def is_open(self, battle: Battle, part: Part) -> bool:
        return bool(usable_by(battle, part, "during", "organisation"))

    def perform(self, battle: Battle, part: Part) -> Step:
        from oriflamme.engine.core.questions import pick_one

        known = usable_by(battle, part, "during", "organisation")
        options = [Option(each.id, "ability", {"unit": part.id, "ability": each.id}) for each in known]
        id = yield from pick_one(part.side, options, "which_ability", "LFW-ABL-01", {"unit": part.id})
        part.used -= {self.id}
        yield from use(battle, part, ABILITIES[id])
