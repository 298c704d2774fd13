"""The end of a turn and of the game (LFW-END)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oriflamme.games.lfw.alternation import begin_alternation
from oriflamme.games.lfw.events.magic import EffectEnded
from oriflamme.games.lfw.events.turns import BattleEnded, Conceded
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Asking, Battle, Effect, Part, Step, step
from oriflamme.games.lfw.wounds import mark_destroyed, take_off

# What happens when an effect ends on somebody, by its source: a recalled unit is removed (LFW-SPELL-O5).
ENDINGS: Final[dict[str, Callable[[Battle, Part], Asking[None]]]] = {}


def end_effects(battle: Battle, until: str) -> Asking[None]:
    """Effects that last so long end (LFW-ABL-07)."""
    battle.powers = tuple(power for power in battle.powers if power.until != until)
    for model in list(battle.units.values()):
        for part in model.parts:
            ended = [effect for effect in part.effects if effect.until == until]
            part.effects = tuple(effect for effect in part.effects if effect.until != until)
            for effect in ended:
                battle.tell(EffectEnded("LFW-ABL-07", part.id, effect.source))
                if effect.source in ENDINGS:
                    yield from ENDINGS[effect.source](battle, part)


@step
def end_turn_abilities(battle: Battle) -> None:
    """In initiative order (LFW-END-01, 1)."""
    begin_alternation(battle, "abilities_end")


@step
def end_turn_effects(battle: Battle) -> Step:
    """Effects of the turn end; those until the end of the next turn are now of this one (LFW-END-01, 2)."""
    yield from end_effects(battle, "turn")
    for model in battle.units.values():
        for part in model.parts:
            part.effects = tuple(_nearer(effect) for effect in part.effects)


def _nearer(effect: Effect) -> Effect:
    if effect.until != "next_turn":
        return effect
    return Effect(
        effect.source, effect.rule, "turn", effect.rules, effect.by, effect.weapons, behaviour=effect.behaviour
    )


@step
def score_turn(battle: Battle) -> Step:
    """The scenario scores (LFW-END-01, 3)."""
    yield from scenario_of(battle).end_of_turn(battle)


def end_battle(battle: Battle, winners: tuple[int, ...], because: str, rule: str = "LFW-END-02") -> None:
    """The game is over."""
    battle.end(winners)
    battle.track = []
    battle.tell(BattleEnded(rule, winners, battle.score, because))


@step
def concede(battle: Battle, side: int) -> Step:
    """A player's units are removed and count as destroyed by nobody; the others play on (LFW-END-04)."""
    battle.tell(Conceded("LFW-END-04", side))
    if side not in battle.gone:
        battle.gone = (*battle.gone, side)
    for model in battle.own(side):
        for part in model.alive:
            mark_destroyed(battle, part, "conceded", rule="LFW-END-04")
        yield from take_off(battle, model, "gone")
    for model in battle.units_of(side):
        model.place = "gone"
    left = battle.playing
    if not left:
        end_battle(battle, scenario_of(battle).winners(battle), "conceded", "LFW-END-04")
    elif battle.nobody < 0 and len({battle.camp(other) for other in left}) == 1:
        end_battle(battle, left, "conceded", "LFW-END-04")
