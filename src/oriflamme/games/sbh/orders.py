"""Orders of a Leader: group (SBH-GROUP), rally (SBH-RALLY) and concentrated fire (SBH-VOLLEY)."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, inf

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one, pick_several
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.sbh import resources
from oriflamme.games.sbh.activation import activate_group
from oriflamme.games.sbh.events import OrderGiven
from oriflamme.games.sbh.markers import struck
from oriflamme.games.sbh.movement import Stride, contact_spot, plan_move, put
from oriflamme.games.sbh.results import resolve
from oriflamme.games.sbh.runs import Plan, costs_too_much, longest_stick, move_to_touch, nearest_move
from oriflamme.games.sbh.shooting import aim_of, check_ammunition, ranged_bout, targets, why_not_shoot
from oriflamme.games.sbh.sight import leader_sees
from oriflamme.games.sbh.state import Asking, Battle, Fighter

MOST = 5  # SBH-GROUP-01
RULES = {"group": "SBH-GROUP-01", "rally": "SBH-RALLY-01", "volley": "SBH-VOLLEY-01"}


def why_not_member(battle: Battle, leader: Fighter, friend: Fighter) -> Refusal | None:
    """Why a friend cannot obey: already activated, too far, or out of sight (SBH-GROUP-02, -03, -08)."""
    if friend is leader:
        return Refusal("SBH-GROUP-10", "the_leader_himself", {"fighter": friend.id})
    if friend.activated:
        return Refusal("SBH-GROUP-08", "activated", {"fighter": friend.id})
    if not battle.within(leader, friend, "long"):
        facts = {"fighter": friend.id, "distance": battle.ruler.in_measure(battle.gap(leader, friend))}
        return Refusal("SBH-GROUP-02", "too_far", facts | {"reach": battle.ruler.sticks.long})
    if not leader_sees(battle, leader, friend):
        return Refusal("SBH-GROUP-03", "out_of_sight", {"fighter": friend.id})
    return None


def candidates(battle: Battle, leader: Fighter, order: str) -> list[Fighter]:
    """The friends who may be named in an order."""
    able = [f for f in battle.friends(leader) if why_not_member(battle, leader, f) is None]
    if order == "group":
        return [f for f in able if any(o in able for o in battle.touching(f))]
    if order == "volley":
        return [f for f in able if f.profile.range and not f.out_of_ammo]
    return able


def why_not_order(battle: Battle, leader: Fighter, order: str) -> Refusal | None:
    """Why a Leader cannot give this order now."""
    if not leader.profile.leads:
        return Refusal("SBH-GROUP-01", "no_leader", {"fighter": leader.id})
    if battle.active.kind:
        return Refusal("SBH-GROUP-04", "not_his_own_activation", {"fighter": leader.id})
    if leader.helpless:
        return Refusal("SBH-GROUP-03", "helpless", {"fighter": leader.id})
    if battle.active.turnover:
        return Refusal("SBH-GROUP-05", "turn_is_lost", {"fighter": leader.id})
    if battle.active.actions.get(leader.id, 0) < 1:
        return Refusal("SBH-ACTION-01", "too_few_actions", {"needed": 1, "actions": 0})
    if len(candidates(battle, leader, order)) < (1 if order == "rally" else 2):
        return Refusal(RULES[order], "nobody_to_order", {"fighter": leader.id})
    return None


def why_not_group(battle: Battle, members: list[Fighter]) -> Refusal | None:
    """Each member touches another one; by house rule all of them hang together (SBH-GROUP-02)."""
    for member in members:
        if not any(f in members for f in battle.touching(member)):
            return Refusal("SBH-GROUP-02", "touches_no_member", {"fighter": member.id})
    if battle.options["sbh.groupChain"] == "connected":
        chain = [members[0]]
        for member in chain:
            chain += [f for f in battle.touching(member) if f in members and f not in chain]
        for member in members:
            if member not in chain:
                return Refusal("SBH-GROUP-02", "not_connected", {"fighter": member.id})
    return None


def give_order(battle: Battle, leader: Fighter, order: str) -> Asking[None]:
    """Name those who obey; they are activated together (SBH-GROUP-04, SBH-RALLY-01, SBH-VOLLEY-01)."""
    able = candidates(battle, leader, order)
    least, most = (1, len(able)) if order == "rally" else (2, min(MOST, len(able)))

    def check(keys: tuple[str, ...]) -> Refusal | None:
        return why_not_group(battle, [battle.units[key] for key in keys]) if order == "group" else None

    def reason(key: str) -> Refusal | None:
        friend = battle.units.get(key)
        if friend is None or friend.side != leader.side or not friend.on_table:
            return None
        refusal = why_not_member(battle, leader, friend)
        if refusal is None and order == "group":
            refusal = Refusal("SBH-GROUP-02", "touches_no_member", {"fighter": key})
        return refusal

    about = {"fighter": leader.id, "order": order}
    options = [Option.thing(f.id) for f in able]
    default = _some_group(battle, able) if order == "group" else [f.id for f in able[:most]]
    picked = yield from pick_several(
        leader.side,
        options,
        least,
        most,
        "choose_members",
        RULES[order],
        about,
        default=default,
        check=check,
        why_not=reason,
    )
    battle.tell(OrderGiven(RULES[order], leader.id, order, tuple(picked)))
    battle.then(activate_group, leader.id, order, tuple(picked))


def _some_group(battle: Battle, able: list[Fighter]) -> list[str]:
    """A group that is legal by every house rule: friends in contact, one after the other."""
    group = [able[0]]
    for member in group:
        for friend in battle.touching(member):
            if friend in able and friend not in group and len(group) < MOST:
                group.append(friend)
    return [f.id for f in able if f in group]


# -- rally -------------------------------------------------------------------------------------------------------------


def touches_friend(battle: Battle, fighter: Fighter, x: float, y: float) -> bool:
    touches = battle.ruler.touches
    return any(touches(x, y, fighter.radius, f.x, f.y, f.radius) for f in battle.friends(fighter))


def gap_to_friends(battle: Battle, fighter: Fighter, x: float, y: float) -> float:
    """How far he would be from his nearest friend there; on hexes, friends in contact are 1 apart."""
    between = battle.ruler.between
    return min((between(x, y, fighter.radius, f.x, f.y, f.radius) for f in battle.friends(fighter)), default=inf)


def why_not_rally(
    battle: Battle, fighter: Fighter, stride: Stride, closing: Stride | None, left: Callable[[int], int]
) -> Refusal | None:
    """He ends in contact with a friend, or as close as his actions bring him (SBH-RALLY-03).

    `closing` is the move that brings him closest now, and `left` says how many actions a move of some cost leaves him:
    with those he may still make up for it. How near he can come in several moves is too rich a question for a list that
    decides it. So it is judged by what is certain: a move is refused only if it would end farther away, even if
    nothing were in his way afterwards, than moves that are known and each as close as possible. A millimetre more is
    forgiven where no friend can be touched.
    """
    if touches_friend(battle, fighter, stride.x, stride.y):
        return None
    possible = _closest_known(battle, fighter, closing, left)
    ends = gap_to_friends(battle, fighter, stride.x, stride.y)
    onward = left(stride.cost) * battle.ruler.sticks.of(fighter.profile.move)
    contact = TOLERANCE if battle.ruler.grid is None else 1.0
    forgiven = TOLERANCE if possible <= contact or battle.ruler.grid is not None else 1.0
    if max(contact, ends - onward) > max(contact, possible) + forgiven or (possible <= contact and not onward):
        facts = {
            "fighter": fighter.id,
            "gap": battle.ruler.in_measure(ends),
            "possible": battle.ruler.in_measure(possible),
        }
        return Refusal("SBH-RALLY-03", "must_close_up", facts)
    return None


def _closest_known(battle: Battle, fighter: Fighter, closing: Stride | None, left: Callable[[int], int]) -> float:
    """How near to a friend he comes by the closest move now, and then by the closest from there, and so on."""
    here = (fighter.x, fighter.y)
    closest = gap_to_friends(battle, fighter, *here)
    spent = 0
    while closing is not None:
        put(battle, fighter, closing.x, closing.y)
        closest = gap_to_friends(battle, fighter, closing.x, closing.y)
        spent += closing.cost
        rest = left(spent)
        closing = closest_move(battle, fighter, _plan(battle, fighter, rest), rest) if rest > 0 else None
    put(battle, fighter, *here)
    return closest


def _plan(battle: Battle, fighter: Fighter, actions: int) -> Plan:
    return lambda x, y: plan_move(battle, fighter, x, y, actions)


def closest_move(battle: Battle, fighter: Fighter, plan: Plan, actions: int) -> Stride | None:
    """The straight move that brings him closest to a friend, into contact if one does; None if none brings him closer.

    Straight at his friends is looked at first. If that touches nobody, it is proven: by the critical places on the arc
    of contact round each friend in reach, and for the closest of all by those of straight moves (`runs`).
    """
    if touches_friend(battle, fighter, fighter.x, fighter.y) or costs_too_much(battle, fighter, actions):
        return None
    reach = longest_stick(battle, fighter)
    friends = sorted(battle.friends(fighter), key=lambda f: battle.gap(fighter, f))
    near = [f for f in friends if hypot(f.x - fighter.x, f.y - fighter.y) <= reach + fighter.radius + f.radius + 1.0]
    for friend in near:
        stride = plan(*contact_spot(battle, fighter, friend))
        if isinstance(stride, Stride) and touches_friend(battle, fighter, stride.x, stride.y):
            return stride
    for friend in near:
        touching = move_to_touch(battle, fighter, friend, plan)
        if touching is not None:
            return touching
    best, closest = None, gap_to_friends(battle, fighter, fighter.x, fighter.y) - TOLERANCE
    stick = battle.ruler.sticks.of(fighter.profile.move)
    for friend in friends:
        if battle.gap(fighter, friend) - stick >= closest:
            break
        within = closest + fighter.radius + friend.radius if battle.ruler.grid is None else inf
        found = _straight_at(battle, fighter, friend, plan)
        found = found or nearest_move(battle, fighter, plan, friend.x, friend.y, within)
        if found is not None:
            gap = battle.ruler.between(found.x, found.y, fighter.radius, friend.x, friend.y, friend.radius)
            if gap < closest:
                best, closest = found, gap
    return best


def _straight_at(battle: Battle, fighter: Fighter, friend: Fighter, plan: Plan) -> Stride | None:
    """The whole stick straight towards a friend who is farther away: nothing brings him closer to that one."""
    apart = hypot(friend.x - fighter.x, friend.y - fighter.y)
    stick = longest_stick(battle, fighter)
    if battle.ruler.grid is not None or apart <= stick + fighter.radius + friend.radius:
        return None
    share = stick / apart
    stride = plan(fighter.x + (friend.x - fighter.x) * share, fighter.y + (friend.y - fighter.y) * share)
    return stride if isinstance(stride, Stride) and stride.distance >= stick - 2 * TOLERANCE else None


def spot_meant(battle: Battle, fighter: Fighter, x: float, y: float) -> tuple[float, float]:
    """Put down within a millimetre of a friend's base, or partly on it, he is meant to touch it."""
    if battle.ruler.grid is not None or touches_friend(battle, fighter, x, y):
        return x, y
    friend = min(battle.friends(fighter), key=lambda f: hypot(f.x - x, f.y - y) - f.radius, default=None)
    if friend is None:
        return x, y
    apart, touch = hypot(friend.x - x, friend.y - y), fighter.radius + friend.radius
    if not touch - fighter.radius < apart <= touch + 1.0:
        return x, y
    return friend.x + (x - friend.x) * touch / apart, friend.y + (y - friend.y) * touch / apart


def may_rest(battle: Battle, fighter: Fighter, actions: int) -> bool:
    """Under a rally order nobody stops short of a friend he can reach, or come closer to (SBH-RALLY-03)."""
    if battle.active.kind != "rally" or actions <= 0 or fighter.helpless or battle.enemies_at(fighter):
        return True
    if touches_friend(battle, fighter, fighter.x, fighter.y) or (fighter.profile.one_move and fighter.moved):
        return True
    stride = closest_move(battle, fighter, _plan(battle, fighter, actions), actions)
    if stride is None or touches_friend(battle, fighter, stride.x, stride.y):
        return stride is None
    forgiven = 1.0 if battle.ruler.grid is None else TOLERANCE
    here = gap_to_friends(battle, fighter, fighter.x, fighter.y)
    return gap_to_friends(battle, fighter, stride.x, stride.y) >= here - forgiven


# -- concentrated fire -------------------------------------------------------------------------------------------------


def volleys(battle: Battle) -> list[str]:
    """The volleys that may be fired now: two participants or more could shoot that target alone (SBH-VOLLEY-04)."""
    marks = dict.fromkeys(id for f in _loaded(battle, 1) for id in targets(battle, f, aim_of(battle, f, "shot")))
    keys = [f"volley:{id}" for id in marks] + [f"aimvolley:{id}" for id in marks]
    return [key for key in keys if len(volley_shooters(battle, key)) > 1]


def _together(key: str) -> Option:
    """What they do together: a volley at somebody, or nothing more."""
    deed, _, target = key.partition(":")
    return Option(key, deed, {}, (target,) if target else ())


def _loaded(battle: Battle, cost: int) -> list[Fighter]:
    """The participants who have the actions for it."""
    activation = battle.active
    members = [battle.units[id] for id in activation.members]
    return [f for f in members if f.on_table and activation.actions[f.id] >= cost]


def volley_shooters(battle: Battle, key: str) -> list[Fighter]:
    """The participants who could shoot that target alone: together they fire the volley."""
    deed, _, id = key.partition(":")
    loaded = _loaded(battle, 2 if deed == "aimvolley" else 1)
    return [f for f in loaded if id in targets(battle, f, aim_of(battle, f, "shot"))]


def why_not_volley(battle: Battle, key: str) -> Refusal | None:
    """Why no volley can be fired at that target: what keeps the first of the participants from it."""
    deed, _, id = key.partition(":")
    cost = 2 if deed == "aimvolley" else 1
    for shooter in (battle.units[member] for member in battle.active.members):
        if not shooter.on_table:
            continue
        actions = battle.active.actions[shooter.id]
        refusal = why_not_shoot(battle, shooter, id, aim_of(battle, shooter, "shot"))
        if refusal is not None:
            return refusal
        if actions < cost:
            return Refusal("SBH-VOLLEY-05", "too_few_actions", {"needed": cost, "actions": actions})
    return None


def fire_volley(battle: Battle, key: str) -> Asking[None]:
    """One combat roll for all of them (SBH-VOLLEY-02, -03, -05)."""
    deed, _, id = key.partition(":")
    shooters = volley_shooters(battle, key)
    for shooter in shooters:
        shooter.attacked = True
        battle.active.actions[shooter.id] -= 2 if deed == "aimvolley" else 1
    target = struck(battle, id)
    if target is None:
        return
    cancelled = yield from resources.cancel_rules(
        battle, (*shooters, target), fighter=battle.active.leader, target=target.id, manner="volley"
    )
    able = [f for f in shooters if f.profile.range]
    if able:
        bout = ranged_bout(battle, able, target, aim_of(battle, able[0], "shot"), aimed=deed == "aimvolley")
        yield from resolve(battle, bout)
        check_ammunition(battle, able, bout.attacker.die)
    resources.restore_rules(cancelled)


def choose_next(battle: Battle, able: list[Fighter]) -> Asking[str]:
    """Which member acts next, or what they do together; "done" ends it (SBH-GROUP-09)."""
    activation = battle.active
    keys = [f.id for f in able]
    if activation.kind == "volley":
        keys = [*volleys(battle), *keys]
    if all(may_rest(battle, f, activation.actions[f.id]) for f in able):
        keys.append("done")
    about = {"fighter": activation.leader, "order": activation.kind}
    rule = "SBH-GROUP-09" if activation.kind == "group" else RULES[activation.kind]
    options = [Option.thing(key) if key in battle.units else _together(key) for key in keys]

    def reason(key: str) -> Refusal | None:
        volley = activation.kind == "volley" and key.partition(":")[0] in ("volley", "aimvolley")
        return why_not_volley(battle, key) if volley else None

    answer = yield from pick_one(able[0].side, options, "choose_member", rule, about, why_not=reason)
    return answer
