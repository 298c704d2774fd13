"""The morale phase: who has a cause tests its courage, and flees at once if it fails (LFW-MOR)."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import at
from oriflamme.games.lfw.alternation import Activity, activity, begin_alternation
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.courage import passes_courage
from oriflamme.games.lfw.events.morale import Eligible
from oriflamme.games.lfw.flee import begin_flight, flee_move
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.state import Asking, Battle, Model, Part, Step, step


class Eligibility:
    """The start of the morale phase for somebody with a rule that makes others eligible (LFW-MOR-06)."""

    __slots__ = ("battle", "bearer", "model")

    def __init__(self, battle: Battle, bearer: Part) -> None:
        self.battle = battle
        self.bearer = bearer
        self.model = battle.model_of(bearer)

    def affect(self, model: Model, kind: str, rule: str) -> None:
        add_cause(self.battle, model, kind, self.bearer.id, rule)


def add_cause(battle: Battle, model: Model, kind: str, source: str, rule: str) -> None:
    """A unit becomes eligible for morale; causes are remembered until the phase ends (LFW-MOR-02, -06)."""
    if (kind, source) not in model.causes and model.on_table:
        model.causes = (*model.causes, (kind, source))
        battle.tell(Eligible(rule, model.id, kind))


def number_of_causes(battle: Battle, model: Model) -> int:
    """Causes count by kind, or by source as a house rule says (LFW-MOR-03)."""
    if battle.option("lfw.moraleCauses") == "bySource":
        return len(model.causes)
    return len({kind for kind, _ in model.causes})


def modifiers_of(battle: Battle, model: Model) -> tuple[Reason, ...]:
    """What its causes do to a test of morale: -1 for each after the first (LFW-MOR-03)."""
    more = number_of_causes(battle, model) - 1
    return (Reason("causes", -more, "LFW-MOR-03"),) if more > 0 else ()


@step
def begin_morale(battle: Battle) -> None:
    """Auras are measured now (LFW-MOR-06); then tests in initiative order, one unit per player (LFW-MOR-05)."""
    for model in list(battle.there()):
        if not model.fleeing:
            for part in model.alive:
                at(Keyword.when_morale_is_gathered, sets_of(battle, part), Eligibility(battle, part))
    begin_alternation(battle, "morale")


@activity
class MoraleTests(Activity):
    """One test for each eligible unit; who is fleeing already does not test (LFW-MOR-01, -07)."""

    name = "morale"

    def choose(self, battle: Battle, side: int, options: list[Option]) -> Asking[str]:
        return self.put(battle, side, options, "choose_test", "LFW-MOR-05")

    def options(self, battle: Battle, side: int) -> list[Option]:
        return [Option.thing(m.id, "unit", {"unit": m.id}) for m in battle.own(side) if m.causes and not m.fleeing]

    def must(self, battle: Battle, side: int) -> bool:
        return True

    def perform(self, battle: Battle, side: int, key: str) -> Step:
        model = battle.units[key]
        modifiers = modifiers_of(battle, model)
        model.causes = ()
        if not (yield from passes_courage(battle, model, "morale", modifiers)):
            begin_flight(battle, model, "LFW-MOR-04")
            yield from flee_move(battle, model)

    def ended(self, battle: Battle, because: str) -> None:
        """Eligibility is cleared (LFW-MOR-08)."""
        for model in battle.units.values():
            model.causes = ()
