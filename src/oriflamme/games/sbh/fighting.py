"""Close combat (SBH-COMBAT): who may attack whom, and what is added to each die."""

from __future__ import annotations

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.sbh.bout import Bout, Roll
from oriflamme.games.sbh.moments import Keyword
from oriflamme.games.sbh.sight import RESTING, hidden_at_start
from oriflamme.games.sbh.state import Battle, Fighter, obstacles


def why_not_attack(battle: Battle, fighter: Fighter, target: Fighter, actions: int, cost: int) -> Refusal | None:
    """Why he may not attack that enemy now, if there is a reason."""
    if fighter.transfixed is not None:
        return Refusal("SBH-TRANSFIX-04", "transfixed", {"fighter": fighter.id})
    if target.side == fighter.side or not target.on_table:
        return Refusal("SBH-COMBAT-01", "not_an_enemy", {"fighter": target.id})
    if fighter.attacked:
        return Refusal("SBH-ACTION-02", "has_attacked", {"fighter": fighter.id})
    if not battle.in_contact(fighter, target):
        apart = battle.ruler.in_measure(battle.gap(fighter, target))
        return Refusal("SBH-COMBAT-01", "not_in_contact", {"fighter": target.id, "gap": apart})
    if actions < cost:
        return Refusal("SBH-ACTION-01", "too_few_actions", {"needed": cost, "actions": actions})
    return None


def close_bout(battle: Battle, attacker: Fighter, defender: Fighter, manner: str, *, power: bool = False) -> Bout:
    """A close-combat roll of two fighters with all that bears on it."""
    a = Roll(attacker, attacker.profile.combat, "Combat", "SBH-PROFILE-04")
    d = Roll(defender, defender.profile.combat, "Combat", "SBH-PROFILE-04")
    bout = Bout(manner, a, d, battle.options)
    for roll in (a, d):
        other = bout.opponent_of(roll)
        roll.change_by(-_outnumbered(battle, roll.fighter, other.fighter), "Outnumbered", "SBH-COMBAT-12")
        if other.helpless:
            roll.change_by(2, "Helpless opponent", "SBH-COMBAT-14")
    if power:
        d.change_by(-1, "Power attack", "SBH-ACTION-03")
    if manner == "melee" and hidden_at_start(battle, attacker, defender) and _is_own_turn(battle, attacker):
        a.change_by(1, "Ambush", "SBH-HIDE-03")
    _add_ground(battle, a, d)
    for roll in (a, d):
        at(Keyword.before_fighting, (roll.keywords,), roll, bout)
    return bout


def _is_own_turn(battle: Battle, fighter: Fighter) -> bool:
    return battle.turn == fighter.side


def _outnumbered(battle: Battle, fighter: Fighter, opponent: Fighter) -> int:
    """Enemies in contact beyond the first (SBH-COMBAT-12); the opponent is one, also of a fight yet to come."""
    enemies = {*battle.enemies_at(fighter), opponent}
    if battle.options["sbh.countHelpless"] == "operationalOnly":
        enemies = {f for f in enemies if not f.helpless}
    return max(0, len(enemies) - 1)


def _add_ground(battle: Battle, a: Roll, d: Roll) -> None:
    """+1 for defending an obstacle, +1 for standing higher; once, or both by house rule (SBH-COMBAT-16)."""
    if not battle.table.pieces:
        return
    cumulative = battle.options["sbh.obstacleAndHeight"] == "cumulative"
    behind = _obstacle_between(battle, d.fighter, a.fighter) and not battle.is_sure_footed(a.fighter)
    for roll, other in ((a, d), (d, a)):
        higher = _is_higher(battle, roll.fighter, other.fighter)
        defends = roll is d and behind
        if defends:
            roll.change_by(1, "Obstacle", "SBH-COMBAT-16")
        if higher and (cumulative or not defends):
            roll.change_by(1, "Higher", "SBH-COMBAT-16")


def _is_higher(battle: Battle, fighter: Fighter, other: Fighter) -> bool:
    """Stands on a higher level, or climbs on a wall beside somebody on the ground (SBH-SR-CLIMBER-03)."""
    if fighter.z > other.z + TOLERANCE:
        return True
    return (
        fighter.profile.walks_walls
        and not other.profile.walks_walls
        and fighter.z <= other.z + TOLERANCE
        and any("impassable" in p.traits and p.height > 0 for p in battle.table.at(fighter.x, fighter.y))
        and not any("impassable" in p.traits and p.height > 0 for p in battle.table.at(other.x, other.y))
    )


def _obstacle_between(battle: Battle, defender: Fighter, attacker: Fighter) -> bool:
    """He touches a linear obstacle that lies between him and the attacker."""
    for piece in obstacles(battle.table):
        outline = piece.outline
        if outline.crosses(defender.x, defender.y, attacker.x, attacker.y) and outline.touches_disc(
            defender.x, defender.y, defender.radius + RESTING
        ):
            return True
    return False
