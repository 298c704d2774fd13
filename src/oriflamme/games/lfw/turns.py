"""The turn: initiative, six phases in order, start and end (LFW-TURN)."""

from __future__ import annotations

from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.steps import due
from oriflamme.games.lfw.alternation import begin_alternation
from oriflamme.games.lfw.auras import sets_of
from oriflamme.games.lfw.ending import end_battle, end_effects, end_turn_abilities, end_turn_effects, score_turn
from oriflamme.games.lfw.events.turns import PhaseBegan, TurnBegan
from oriflamme.games.lfw.magic import begin_magic
from oriflamme.games.lfw.melee import begin_melee
from oriflamme.games.lfw.moments import Keyword
from oriflamme.games.lfw.morale import begin_morale
from oriflamme.games.lfw.moves import movement_steps
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.shooting import begin_shooting
from oriflamme.games.lfw.state import PHASES, Battle, Step, step


def rotated(order: tuple[int, ...]) -> tuple[int, ...]:
    """Everybody moves up one place and the first goes to the last (LFW-TURN-04)."""
    return order[1:] + order[:1]


@step
def begin_turn(battle: Battle) -> Step:
    """Rotation from turn 2 on, markers, arrivals, other rules in initiative order (LFW-TURN-04 to -08)."""
    battle.round += 1
    if battle.round > 1:
        battle.order = rotated(battle.order)
    battle.tell(TurnBegan("LFW-TURN-01", battle.round, battle.order))
    clear_markers(battle)
    battle.then(begin_phase, PHASES[0])
    yield from scenario_of(battle).start_of_turn(battle)
    for side in battle.order:
        for model in battle.own(side):
            for part in model.alive:
                at(Keyword.at_start_of_turn, sets_of(battle, part), part, battle)


def clear_markers(battle: Battle) -> None:
    """Movement markers and all that ends with a turn are removed; flight markers stay (LFW-TURN-07)."""
    battle.run_downs = ()
    for model in battle.units.values():
        model.moved = ""
        model.charged = model.fought = False
        model.declared = ()
        model.began_fleeing = model.fleeing
        for part in model.parts:
            burnt = {"was_burnt"} if "burnt" in part.used else set()
            part.used = frozenset(burnt)
            part.targeted = frozenset()
            if battle.option("lfw.pcRefresh") == "eachTurn":
                part.pc = part.start_pc


@step
def begin_phase(battle: Battle, phase: str) -> None:
    """A phase: abilities of its beginning, what is done in it, abilities of its end; then the next (LFW-TURN-01)."""
    battle.phase = phase
    battle.tell(PhaseBegan("LFW-TURN-01", phase))
    later = PHASES[PHASES.index(phase) + 1 :]
    battle.then_all(
        due(open_window, "abilities_beginning"),
        due(play_phase, phase),
        due(open_window, "abilities_end"),
        due(end_phase, phase),
        due(begin_phase, later[0]) if later else due(end_turn),
    )


@step
def open_window(battle: Battle, name: str) -> None:
    """Abilities at the beginning or end of a phase (LFW-ABL-09)."""
    begin_alternation(battle, name)


@step
def play_phase(battle: Battle, phase: str) -> None:
    """What is done in a phase."""
    match phase:
        case "organisation":
            begin_alternation(battle, "organise")
        case "magic":
            battle.then(begin_magic)
        case "movement":
            battle.then(movement_steps)
        case "shooting":
            battle.then(begin_shooting)
        case "melee":
            battle.then(begin_melee)
        case _:
            battle.then(begin_morale)


@step
def end_phase(battle: Battle, phase: str) -> Step:
    """Effects of the phase end (LFW-ABL-07); after the movement phase it is known who has stood still."""
    yield from end_effects(battle, "phase")
    if phase == "movement":
        for model in battle.units.values():
            model.stood = not model.moved


@step
def end_turn(battle: Battle) -> None:
    """Abilities of the end of the turn, effects that end, scoring, the end-of-game check (LFW-END-01)."""
    battle.phase = "turn"
    battle.then_all(due(end_turn_abilities), due(end_turn_effects), due(score_turn), due(check_end))


@step
def check_end(battle: Battle) -> None:
    """The scenario's own end, or only one side is left where it is open-ended (LFW-END-02, -03)."""
    plan = scenario_of(battle)
    if plan.is_over(battle):
        end_battle(battle, plan.winners(battle), "scenario")
        return
    standing = {battle.camp(model.side) for model in battle.there()}
    if len(standing) <= 1 and plan.open_ended and battle.option("lfw.lastSideStanding") == "wins":
        left = tuple(side for side in range(battle.sides) if battle.camp(side) in standing)
        end_battle(battle, left, "last_standing", "LFW-END-03")
        return
    if not standing:
        end_battle(battle, plan.winners(battle), "nobody_left", "LFW-END-03")
        return
    battle.then(begin_turn)
