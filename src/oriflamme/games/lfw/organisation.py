"""The organisation phase: one action each, in turn (LFW-ORG). Actions are declared here and in their own chapters."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.alternation import Activity, activity
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.events.magic import ActionTaken
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Asking, Battle, Part, Step


class Action:
    """Something a unit may do in the organisation phase, once a turn (LFW-ORG-04). `id` has its words in
    `[word.action]` of the texts."""

    id = ""
    rule = ""
    # It must be resolved before its owner may end the phase (LFW-ORG-03); a fleeing unit does it too (LFW-ORG-05).
    compulsory = False

    def is_open(self, battle: Battle, part: Part) -> bool:
        """Whether the part may do it now; that it did it already this turn and that it flees are asked besides."""
        raise NotImplementedError

    def perform(self, battle: Battle, part: Part) -> Step:
        raise NotImplementedError


ACTIONS: Final[dict[str, Action]] = {}


def action(kind: type[Action]) -> type[Action]:
    """Declare an organisation action."""
    ACTIONS[kind.id] = kind()
    return kind


class Upkeep:
    """What a part must still resolve in the organisation phase. `in_organisation` names compulsory actions."""

    __slots__ = ("actions", "battle", "part")

    def __init__(self, battle: Battle, part: Part) -> None:
        self.battle = battle
        self.part = part
        # Each with the result that it needs.
        self.actions: dict[str, int] = {}


def upkeep_of(battle: Battle, part: Part) -> Upkeep:
    """What a part must still resolve."""
    upkeep = Upkeep(battle, part)
    at(Keyword.in_organisation, sets_of(battle, part), upkeep)
    return upkeep


def open_actions(battle: Battle, side: int, *, compulsory: bool = False) -> list[tuple[Part, Action]]:
    """What the units of a side may do now, or only what they must; who flees or follows a behaviour only what it must
    (LFW-ORG-05, LFW-AUTO-09)."""
    found = []
    for model in battle.own(side):
        only_must = compulsory or model.fleeing or bool(model.behaviour)
        for part in model.alive:
            upkeep = upkeep_of(battle, part)
            for each in ACTIONS.values():
                if each.id in part.used or (only_must and not each.compulsory):
                    continue
                if each.id in upkeep.actions if each.compulsory else each.is_open(battle, part):
                    found.append((part, each))
    return found


@activity
class Organising(Activity):
    """In initiative order each player performs one action (LFW-ORG-01)."""

    name = "organise"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_action", "LFW-ORG-01")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [
            Option(f"{each.id}:{part.id}", "action", {"unit": part.id, "action": each.id}, (part.model,))
            for part, each in open_actions(battle, side)
        ]

    def must(self, battle: Battle, side: int) -> bool:
        return bool(open_actions(battle, side, compulsory=True))

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        id, _, name = key.partition(":")
        part = battle.part(name)
        part.used |= {id}
        battle.tell(ActionTaken(ACTIONS[id].rule, part.id, id))
        yield from ACTIONS[id].perform(battle, part)
