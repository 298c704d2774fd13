"""The odds of a charge and its melee (AOF-MELEE), by the steps that play them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from oriflamme.engine.core.decisions import Refused
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.steps import due
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.games.aof.charge import touches, why_not_charge
from oriflamme.games.aof.melee import begin_melee, charge
from oriflamme.games.aof.morale import lose_melee
from oriflamme.games.aof.odds.engagement import Engagement, TooMany
from oriflamme.games.aof.odds.results import After, MeleeOdds, QuickMelee, SideOdds
from oriflamme.games.aof.odds.sampling import try_melee
from oriflamme.games.aof.odds.scenes import apart, on_no_table, usual_options
from oriflamme.games.aof.odds.states import Memory, Standing, UnitState, memory_for
from oriflamme.games.aof.state import Activation, Battle, Unit, steps
from oriflamme.games.aof.terrain import notice_danger, roll_for_danger


class Melee(NamedTuple):
    """Both units after a melee, who has won it, and the hits of either side for who asks."""

    charger: Distribution[After]
    defender: Distribution[After]
    winner: Distribution[str]
    hits: Callable[[int], Distribution[int]]


def _after_melee(engagement: Engagement) -> Melee:
    """Both units after the melee and the loser's Morale Test, and who has won (AOF-MELEE-07)."""
    standings = engagement.follow()
    sides: tuple[dict[tuple[UnitState, bool], int], dict[tuple[UnitState, bool], int]] = ({}, {})
    winners: dict[str, int] = {}
    for standing, weight in standings.weights().items():
        loser = engagement.loser(standing)
        for side, state in enumerate(standing[:2]):
            key = (state, loser == side)
            sides[side][key] = sides[side].get(key, 0) + weight
        if loser is None and standing[0].number and standing[1].number:
            winner = "nobody"
        else:
            winner = "defender" if loser == 0 or not standing[0].number else "charger"
        winners[winner] = winners.get(winner, 0) + weight

    def after(side: tuple[UnitState, bool]) -> Distribution[After]:
        state, lost = side
        if not lost:
            return Distribution.always((state.number, state.left, ""))
        return engagement.fate(state, lose_melee).map(lambda fate: (state.number, state.left, fate))

    first, second = (Distribution.weighted(side).then(after) for side in sides)
    return Melee(first, second, Distribution.weighted(winners), engagement.hits_of)


def _charge(battle: Battle, charger: Unit, target: Unit, *, move: bool) -> Battle:
    """The charge is declared, and made as the rules suggest; the melee is on the turn track."""
    scene = apart(battle, charger, target)
    unit, enemy = scene.units[charger.id], scene.units[target.id]
    scene.activation = Activation(unit.id, unit.side, "charge", (enemy.id,))
    notice_danger(scene, unit)
    if move:
        play_out(charge(scene, unit.id))
        if not any(touches(figure, enemy) for figure in unit.figures):
            refusal = why_not_charge(battle, charger, target)
            raise Refused(refusal or Refusal("AOF-MOVE-06", "no_way_to_charge", {"target": target.id}))
    scene.then_all(due(roll_for_danger, unit.id), due(begin_melee, unit.id))
    return scene


def _melee(scene: Battle, unit: Unit, enemy: Unit) -> MeleeOdds:
    """The melee with everybody where they stand after the charge."""
    memory = Memory()
    start = (memory.state_of(unit), memory.state_of(enemy), 0, 0)
    arrived = Engagement(scene, memory, *start[:2], anywhere=False).danger(start, unit.id)

    def fight(standing: Standing) -> Melee:
        # Who fell on the way decides where the defenders move.
        light = apart(scene, standing[0].unit, standing[1].unit)
        light.activation = scene.acting.copy()
        return _fight(light, Memory(), light.units[unit.id], light.units[enemy.id], anywhere=False)

    fought = {standing: fight(standing) for standing in arrived}
    melee = Melee(
        arrived.then(lambda standing: fought[standing].charger),
        arrived.then(lambda standing: fought[standing].defender),
        arrived.then(lambda standing: fought[standing].winner),
        lambda side: arrived.then(lambda standing: fought[standing].hits(side)),
    )
    return _melee_of(start, melee)


def _melee_of(before: Standing, melee: Melee) -> MeleeOdds:
    charger, defender = before[:2]
    return MeleeOdds(
        SideOdds(charger.number, charger.left, melee.charger),
        SideOdds(defender.number, defender.left, melee.defender),
        melee.winner,
        melee.hits,
    )


def _fight(battle: Battle, memory: Memory, unit: Unit, enemy: Unit, *, anywhere: bool) -> Melee:
    """The melee from the counter-move to its results."""
    play_out(begin_melee(battle, unit.id))
    track = battle.track[::-1]
    names = [name for name, _ in track]
    if "melee_results" in names:
        # What comes after the results is not part of the odds.
        del track[names.index("melee_results") :]
    if track and track[0][0] == "counter_move":
        name, args = track.pop(0)
        if not anywhere:
            play_out(steps.by_name[name](battle, *args))
    battle.track = track[::-1]
    return _after_melee(Engagement(battle, memory, memory.state_of(unit), memory.state_of(enemy), anywhere=anywhere))


def melee_odds(battle: Battle, charger: Unit, target: Unit, charging: bool = True) -> MeleeOdds:
    """The odds of a charge as things stand on the table: the charge move is made as the rules suggest, and whoever can
    strike from there does. With `charging` false the charge move has been made already.

    The battle is left as it is. Raises Refused if the target cannot be charged (AOF-MOVE-06).
    """
    scene = _charge(battle, charger, target, move=charging)
    units = (scene.units[charger.id], scene.units[target.id])
    try:
        return _melee(scene, *units)
    except TooMany:
        return try_melee(scene, units)


def sampled_melee(
    battle: Battle, charger: Unit, target: Unit, charging: bool = True, *, samples: int = 0, seed: int = 0
) -> MeleeOdds:
    """`melee_odds` by playing the melee so many times instead of counting it."""
    scene = _charge(battle, charger, target, move=charging)
    return try_melee(scene, (scene.units[charger.id], scene.units[target.id]), samples, seed)


def melee_between(charger: Unit, target: Unit, *, options: Mapping[str, str] | None = None) -> MeleeOdds:
    """The odds of a charge on no table: everybody who lives can strike."""
    rules = usual_options() | dict(options or {})
    return _melee_anywhere(memory_for(rules), charger, target, rules)


def _melee_anywhere(memory: Memory, charger: Unit, target: Unit, options: Mapping[str, str]) -> MeleeOdds:
    """A melee in which everybody who lives can strike."""
    battle = on_no_table(options)
    first, second = memory.state_anywhere(charger, "charger"), memory.state_anywhere(target, "target")
    battle.units = {"charger": first.unit, "target": second.unit}
    battle.activation = Activation("charger", charger.side, "charge", ("target",))
    try:
        return _melee_of((first, second, 0, 0), _fight(battle, memory, first.unit, second.unit, anywhere=True))
    except TooMany:
        battle.track = []
        battle.then(begin_melee, "charger")
        return try_melee(battle, (first.unit, second.unit))


def quick_melee(battle: Battle, charger: Unit, target: Unit) -> QuickMelee:
    """`melee_between` in decimals, and remembered for the next time. Nobody is out of reach."""
    memory = memory_for(battle.options)
    sides = memory.state_anywhere(charger, "charger"), memory.state_anywhere(target, "target")
    found = memory.melees.get(sides)
    if found is None:
        odds = _melee_anywhere(memory, charger, target, battle.options)
        found = memory.melees[sides] = QuickMelee(
            *odds.charger.in_decimals(),
            *odds.defender.in_decimals(),
            odds.winner.decimal(lambda winner: winner == "charger"),
            odds.winner.decimal(lambda winner: winner == "defender"),
        )
    return found
