"""The end of a turn and of the game (LFW-END)."""

from __future__ import annotations

from oriflamme.games.lfw.alternation import begin_alternation
from oriflamme.games.lfw.events.magic import EffectEnded
from oriflamme.games.lfw.events.turns import BattleEnded, Conceded
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.state import Battle, Effect, Step, step
from oriflamme.games.lfw.wounds import mark_destroyed, take_off


def end_effects(battle: Battle, until: str) -> None:
    """Effects that last so long end (LFW-ABL-07)."""
    for model in battle.units.values():
        for part in model.parts:
            ended = [effect for effect in part.effects if effect.until == until]
            if ended:
                part.effects = tuple(effect for effect in part.effects if effect.until != until)
                for effect in ended:
                    battle.tell(EffectEnded("LFW-ABL-07", part.id, effect.source))
    battle.powers = tuple(power for power in battle.powers if power.until != until)


@step
def end_turn_abilities(battle: Battle) -> None:
    """In initiative order (LFW-END-01, 1)."""
    begin_alternation(battle, "abilities_end")


@step
def end_turn_effects(battle: Battle) -> None:
    """Effects of the turn end; those until the end of the next turn are now of this one (LFW-END-01, 2)."""
    end_effects(battle, "turn")
    for model in battle.units.values():
        for part in model.parts:
            part.effects = tuple(_nearer(effect) for effect in part.effects)


def _nearer(effect: Effect) -> Effect:
    if effect.until != "next_turn":
        return effect
    return Effect(effect.source, effect.rule, "turn", effect.rules, effect.by, effect.weapons)


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
    if not left or (battle.nobody < 0 and len({battle.camp(other) for other in left}) == 1):
        end_battle(battle, left, "conceded", "LFW-END-04")
