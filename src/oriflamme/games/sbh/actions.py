"""What a fighter can do with his successes (SBH-ACTION-01), each action with its cost, its reasons and its course."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from oriflamme.engine.decisions import Move, Moves, Option
from oriflamme.engine.events import Refusal
from oriflamme.engine.measure import TOLERANCE
from oriflamme.games.sbh import markers, resources
from oriflamme.games.sbh.events import (
    BrokeFree,
    Healed,
    LeftCombat,
    LeftTable,
    Moved,
    Raised,
    ResourceUsed,
    SpellCast,
    StoodUp,
    TerrorFelt,
    Transfixed,
)
from oriflamme.games.sbh.fighting import why_not_attack
from oriflamme.games.sbh.morale import fears, give_way, roll_morale
from oriflamme.games.sbh.movement import Stride, check_move, contact_spot, plan_move, propose_move, put
from oriflamme.games.sbh.quality import quality_roll, target_of, with_leaders
from oriflamme.games.sbh.results import (
    Chain,
    after_entering,
    fight,
    free_hacks,
    remove,
    resolve,
    test_quality,
)
from oriflamme.games.sbh.runs import edge_distances, find_move, spot_on_edge, spots_on_edge
from oriflamme.games.sbh.shooting import (
    Aim,
    aim_of,
    band_of,
    check_ammunition,
    ranged_bout,
    targets,
    why_not_seen,
    why_not_shoot,
)
from oriflamme.games.sbh.state import Asking, Battle, Fighter

SHOTS = {"shoot": ("shot", 1), "aim": ("shot", 2), "javelin": ("javelin", 1), "aimjavelin": ("javelin", 2)}
SPELLS = ("bolt", "transfix", "entangle")
RANGE_OF = {"transfix": "SBH-MAGIC-07", "entangle": "SBH-SR-ENTANGLE-01"}
# What may be done under a rally order: no attacks, shots or spells (SBH-RALLY-04).
PEACEFUL = frozenset({"move", "leave", "stand", "break", "take", "give", "receive", "off", "done"})
# Orders are given by a Leader who acts on his own.
ORDERS = ("group", "rally", "volley")


def open_actions(battle: Battle, fighter: Fighter) -> list[str]:
    """Everything he may do now with the actions he has, "done" last."""
    activation = battle.active
    actions = activation.actions[fighter.id]
    keys: list[str] = []
    if fighter.transfixed is not None:
        return ["break", "done"] if actions >= 2 else ["done"]
    enemies = battle.enemies_at(fighter)
    peaceful = activation.kind == "rally"
    if fighter.down:
        if not peaceful and not fighter.attacked:
            keys += _attacks(enemies, actions)
        if actions >= standing_cost(fighter):
            keys.append("stand")
        return [*keys, "done"]
    held = any(not f.helpless for f in enemies)
    if not (fighter.profile.one_move and fighter.moved):
        if not held:
            keys.append("move")
        elif actions >= 2:
            keys.append("leave")
    if not peaceful:
        if not fighter.attacked:
            keys += _attacks(enemies, actions)
            if activation.kind != "volley" and (fighter.profile.range or fighter.bears("javelins") is not None):
                keys += _shots(battle, fighter, actions)
        keys += _spells(battle, fighter, actions)
        keys += _healing(battle, fighter, actions)
        keys += _orders(battle, fighter)
    return [*keys, *markers.deeds(battle, fighter, actions), "done"]


def _attacks(enemies: list[Fighter], actions: int) -> list[str]:
    return [f"attack:{f.id}" for f in enemies] + ([f"power:{f.id}" for f in enemies] if actions >= 2 else [])


def _shots(battle: Battle, fighter: Fighter, actions: int) -> list[str]:
    keys = []
    if fighter.profile.range and not fighter.dry:
        marks = targets(battle, fighter, aim_of(battle, fighter, "shot"))
        keys += [f"shoot:{id}" for id in marks] + ([f"aim:{id}" for id in marks] if actions >= 2 else [])
    if fighter.bears("javelins") is not None:
        marks = targets(battle, fighter, aim_of(battle, fighter, "javelin"))
        keys += [f"javelin:{id}" for id in marks] + ([f"aimjavelin:{id}" for id in marks] if actions >= 2 else [])
    return keys


def _spells(battle: Battle, fighter: Fighter, actions: int) -> list[str]:
    keys = []
    if why_not_cast(battle, fighter) is None:
        for power in range(1, min(actions, 3) + 1):
            aim = aim_of(battle, fighter, "spell", power)
            if not fighter.attacked:
                keys += [f"bolt:{power}:{id}" for id in targets(battle, fighter, aim)]
            keys += [f"transfix:{power}:{f.id}" for f in _snared(battle, fighter, "transfix", power)]
    if why_not_entangle(battle, fighter) is None:
        for power in range(1, min(actions, 3) + 1):
            keys += [f"entangle:{power}:{f.id}" for f in _snared(battle, fighter, "entangle", power)]
    return keys


def _snared(battle: Battle, fighter: Fighter, spell: str, power: int) -> list[Fighter]:
    return [f for f in battle.foes(fighter) if why_not_snare(battle, fighter, f, spell, power) is None]


def why_not_cast(battle: Battle, fighter: Fighter) -> Refusal | None:
    """Why he cannot cast at all now (SBH-MAGIC-01, -02, -05, -06, -08)."""
    announced = battle.active.announced.get(fighter.id, frozenset())
    if not fighter.profile.casts and fighter.bears("scroll") is None:
        return Refusal("SBH-MAGIC-01", "no_mage", {"fighter": fighter.id})
    if fighter.drained and "scroll" not in announced:
        return Refusal("SBH-MAGIC-05", "magic_exhausted", {"fighter": fighter.id})
    if not announced & {"cast", "scroll"}:
        return Refusal("SBH-MAGIC-02", "not_announced", {"fighter": fighter.id})
    if fighter.helpless:
        return Refusal("SBH-FALLEN-02", "helpless", {"fighter": fighter.id})
    if any(not f.down for f in battle.enemies_at(fighter)):
        return Refusal("SBH-MAGIC-06", "in_close_combat", {"fighter": fighter.id})
    if battle.options["sbh.spellsPerActivation"] == "1" and battle.active.cast.get(fighter.id):
        return Refusal("SBH-MAGIC-08", "one_spell", {"fighter": fighter.id})
    return None


def why_not_entangle(battle: Battle, fighter: Fighter) -> Refusal | None:
    """Why he cannot entangle anybody now (SBH-SR-ENTANGLE-03)."""
    if not fighter.profile.entangles:
        return Refusal("SBH-SR-ENTANGLE-01", "cannot_entangle", {"fighter": fighter.id})
    if "entangle" in fighter.used:
        return Refusal("SBH-SR-ENTANGLE-03", "once_per_turn", {"fighter": fighter.id})
    if fighter.helpless or any(not f.down for f in battle.enemies_at(fighter)):
        return Refusal("SBH-SR-ENTANGLE-03", "in_close_combat", {"fighter": fighter.id})
    return None


def why_not_snare(battle: Battle, fighter: Fighter, target: Fighter, spell: str, power: int) -> Refusal | None:
    """Why that enemy cannot be transfixed or entangled at this Power: range and sight only (SBH-TRANSFIX-01, -02)."""
    if target.side == fighter.side or not target.on_table:
        return Refusal("SBH-TRANSFIX-02", "not_an_enemy", {"fighter": target.id})
    aim = aim_of(battle, fighter, "spell", power)
    distance = battle.gap(fighter, target)
    if not band_of(battle, distance, Aim("spell", aim.stick, False, power)):
        facts = {"distance": battle.ruler.told(distance), "reach": battle.ruler.sticks.of(aim.stick)}
        return Refusal(RANGE_OF[spell], "too_far", facts)
    return why_not_seen(battle, fighter, target)


def _healing(battle: Battle, fighter: Fighter, actions: int) -> list[str]:
    if why_not_heal(battle, fighter) is not None:
        return []
    deeds = ("heal", "raise") if actions >= 2 else ("heal",)
    friends = battle.touching(fighter)
    return [f"{deed}:{f.id}" for deed in deeds for f in friends if why_not_healed(battle, fighter, f, deed) is None]


def why_not_heal(battle: Battle, fighter: Fighter) -> Refusal | None:
    """Why he cannot heal now (SBH-SR-PRIEST-02, -04)."""
    if not fighter.profile.heals:
        return Refusal("SBH-SR-PRIEST-02", "no_priest", {"fighter": fighter.id})
    if fighter.forsaken:
        return Refusal("SBH-SR-PRIEST-04", "powers_lost", {"fighter": fighter.id})
    if "heal" not in battle.active.announced.get(fighter.id, frozenset()):
        return Refusal("SBH-SR-PRIEST-02", "not_announced", {"fighter": fighter.id})
    if fighter.helpless:
        return Refusal("SBH-FALLEN-02", "helpless", {"fighter": fighter.id})
    return None


def why_not_healed(battle: Battle, fighter: Fighter, friend: Fighter, deed: str) -> Refusal | None:
    """Why that fighter cannot be healed, or made to stand, by this Priest (SBH-SR-PRIEST-02, -03)."""
    if friend.side != fighter.side or not battle.in_contact(fighter, friend):
        return Refusal("SBH-SR-PRIEST-02", "not_adjacent", {"fighter": friend.id})
    if deed == "heal" and not friend.wounds and not friend.poison:
        return Refusal("SBH-SR-PRIEST-02", "unhurt", {"fighter": friend.id})
    if deed == "raise" and not friend.down:
        return Refusal("SBH-SR-PRIEST-03", "stands", {"fighter": friend.id})
    return None


def _orders(battle: Battle, fighter: Fighter) -> list[str]:
    from oriflamme.games.sbh.orders import why_not_order

    if not fighter.profile.leads or battle.active.kind:
        return []
    return [f"order:{order}" for order in ORDERS if why_not_order(battle, fighter, order) is None]


def standing_cost(fighter: Fighter) -> int:
    """1 action, 2 after a fall from a height (SBH-FALLEN-01, SBH-FALL-04)."""
    return 2 if fighter.stiff else 1


def why_not(battle: Battle, fighter: Fighter, key: str) -> Refusal | None:
    """Why he may not do what a key names: the rule behind it, with its numbers."""
    from oriflamme.games.sbh.orders import why_not_order

    deed, _, rest = key.partition(":")
    actions = battle.active.actions.get(fighter.id, 0)
    if fighter.transfixed is not None and deed != "break":
        return Refusal("SBH-TRANSFIX-04", "transfixed", {"fighter": fighter.id})
    if battle.active.kind == "rally" and deed not in PEACEFUL:
        return Refusal("SBH-RALLY-04", "no_attacks", {"fighter": fighter.id})
    target = battle.units.get(rest)
    if deed in ("attack", "power") and target is not None:
        return why_not_attack(battle, fighter, target, actions, 1 if deed == "attack" else 2)
    if deed in SHOTS:
        manner, cost = SHOTS[deed]
        if manner == "javelin" and fighter.bears("javelins") is None:
            return Refusal("SBH-ITEM-JAVELINS-01", "no_javelins", {"fighter": fighter.id})
        if manner == "shot" and not fighter.profile.range:
            return Refusal("SBH-SHOOT-01", "no_shooter", {"fighter": fighter.id})
        refusal = why_not_shoot(battle, fighter, rest, aim_of(battle, fighter, manner))
        return refusal or _short_of(actions, cost)
    if deed in SPELLS:
        number, _, id = rest.partition(":")
        power = int(number) if number in ("1", "2", "3") else 1
        refusal = why_not_entangle(battle, fighter) if deed == "entangle" else why_not_cast(battle, fighter)
        if refusal is None and actions < power:
            rule = "SBH-SR-ENTANGLE-01" if deed == "entangle" else "SBH-MAGIC-03"
            refusal = Refusal(rule, "too_few_actions", {"needed": power, "actions": actions})
        if refusal is None and deed == "bolt":
            refusal = why_not_shoot(battle, fighter, id, aim_of(battle, fighter, "spell", power))
        elif refusal is None and id in battle.units:
            refusal = why_not_snare(battle, fighter, battle.units[id], deed, power)
        return refusal
    if deed in ("heal", "raise"):
        refusal = why_not_heal(battle, fighter)
        if refusal is None and target is not None:
            refusal = why_not_healed(battle, fighter, target, deed)
        return refusal or _short_of(actions, 1 if deed == "heal" else 2)
    if deed == "order" and rest in ORDERS:
        return why_not_order(battle, fighter, rest)
    if deed in ("move", "leave"):
        return _why_not_go(battle, fighter, deed, actions)
    if deed == "stand":
        return _short_of(actions, standing_cost(fighter)) if fighter.down else None
    if deed == "break":
        return _short_of(actions, 2) if fighter.transfixed is not None else None
    if deed == "off":
        return why_not_off(battle, fighter)
    return markers.why_not(battle, fighter, key, actions)


def _short_of(actions: int, cost: int) -> Refusal | None:
    if actions < cost:
        return Refusal("SBH-ACTION-01", "too_few_actions", {"needed": cost, "actions": actions})
    return None


def _why_not_go(battle: Battle, fighter: Fighter, deed: str, actions: int) -> Refusal | None:
    if fighter.down:
        return Refusal("SBH-FALLEN-02", "helpless", {"fighter": fighter.id})
    if fighter.profile.one_move and fighter.moved:
        return Refusal("SBH-SR-SLOW-01", "one_move", {"fighter": fighter.id})
    held = [f.id for f in battle.enemies_at(fighter) if not f.helpless]
    if deed == "move" and held:
        return Refusal("SBH-MOVE-08", "engaged", {"fighter": held[0]})
    if deed == "leave" and not held:
        return Refusal("SBH-LEAVE-01", "not_held", {"fighter": fighter.id})
    return _short_of(actions, 2 if deed == "leave" else 1)


# -- doing it ----------------------------------------------------------------------------------------------------------


def perform(battle: Battle, fighter: Fighter, key: str) -> Asking[None]:
    """Do what was chosen: spend the actions, then whatever the rule says."""
    deed, _, rest = key.partition(":")
    if deed == "move":
        yield from make_move(battle, fighter)
    elif deed in ("attack", "power"):
        spend(battle, fighter, 1 if deed == "attack" else 2)
        fighter.attacked = True
        yield from fight(battle, fighter, battle.units[rest], "melee", power=deed == "power")
    elif deed in SHOTS:
        manner, cost = SHOTS[deed]
        spend(battle, fighter, cost)
        yield from shoot(battle, fighter, rest, manner, aimed=cost == 2)
    elif deed in SPELLS:
        number, _, id = rest.partition(":")
        spend(battle, fighter, int(number))
        yield from cast(battle, fighter, deed, int(number), id)
    elif deed == "leave":
        yield from leave_combat(battle, fighter)
    elif deed == "stand":
        spend(battle, fighter, standing_cost(fighter))
        yield from stand_up(battle, fighter)
    elif deed == "break":
        spend(battle, fighter, 2)
        fighter.transfixed = None
        battle.tell(BrokeFree("SBH-TRANSFIX-04", fighter.id))
    elif deed in ("heal", "raise"):
        spend(battle, fighter, 1 if deed == "heal" else 2)
        yield from heal(battle, fighter, battle.units[rest], deed)
    elif deed == "order":
        from oriflamme.games.sbh.orders import give_order

        spend(battle, fighter, 1)
        yield from give_order(battle, fighter, rest)
    elif deed == "off":
        yield from leave_table(battle, fighter)
    else:
        yield from markers.perform(battle, fighter, key)


def spend(battle: Battle, fighter: Fighter, cost: int) -> None:
    battle.active.actions[fighter.id] -= cost


# -- moving ------------------------------------------------------------------------------------------------------------


def make_move(battle: Battle, fighter: Fighter, *, shun: tuple[Fighter, ...] = (), paid: bool = False) -> Asking[None]:
    """One straight move: declared, dared, made, and what it leads to."""
    actions = 2 if paid else battle.active.actions[fighter.id]

    rally = battle.active.kind == "rally"

    def left(cost: int) -> int:
        return battle.active.actions[fighter.id] - (0 if paid else cost)

    def going(x: float, y: float) -> Stride | Refusal:
        return plan_move(battle, fighter, x, y, actions, shun=shun)

    def allowed(stride: Stride) -> Stride | Refusal:
        from oriflamme.games.sbh.orders import why_not_rally

        return (why_not_rally(battle, fighter, stride, closest(), left) or stride) if rally else stride

    def plan(x: float, y: float) -> Stride | Refusal:
        from oriflamme.games.sbh.orders import spot_meant

        if rally:
            meant = going(*spot_meant(battle, fighter, x, y))
            if isinstance(meant, Stride):
                return allowed(meant)
        stride = going(x, y)
        return allowed(stride) if isinstance(stride, Stride) else stride

    @cache
    def closest() -> Stride | None:
        from oriflamme.games.sbh.orders import closest_move

        return closest_move(battle, fighter, going) if rally else None

    def check(moves: Moves) -> Moves | Refusal:
        checked = check_move(battle, fighter, plan, moves)
        if checked == {}:
            if shun and find_move(battle, fighter, plan):
                return Refusal("SBH-LEAVE-04", "still_in_contact", {"fighter": shun[0].id})
            stays = allowed(Stride(fighter.x, fighter.y, 0.0, False, 1, (), ()))
            return stays if isinstance(stays, Refusal) else checked
        return checked

    def closing() -> Moves:
        stride = closest()
        return {fighter.id: ((stride.x, stride.y),)} if stride is not None else {}

    def propose(random: Random) -> Moves:
        found = propose_move(battle, fighter, plan, random)
        if found or (not shun and isinstance(check({}), dict)):
            return found
        return (find_move(battle, fighter, plan) if shun else {}) or closing()

    def suggest() -> Moves:
        beside = closing()
        if beside and not shun:
            return beside
        foes = sorted(battle.foes(fighter), key=lambda f: battle.gap(fighter, f))
        for foe in foes:
            stride = plan(*contact_spot(battle, fighter, foe))
            if isinstance(stride, Stride) and stride.distance > 0.0:
                return {fighter.id: ((stride.x, stride.y),)}
        return propose(Random(0))

    about = {
        "fighter": fighter.id,
        "stick": fighter.profile.move,
        "reach": battle.ruler.sticks.of(fighter.profile.move),
    }
    moves = yield Move(
        fighter.side, (fighter.id,), check, propose, "move_fighter", "SBH-MOVE-01", about, suggest=suggest
    )
    stride: Stride | Refusal
    if not moves:
        stride = Stride(fighter.x, fighter.y, 0.0, False, 1, (), ())
    else:
        stride = plan(*moves[fighter.id][-1])
        assert isinstance(stride, Stride)
        hidden = markers.ambush_in_the_way(battle, fighter, stride.x, stride.y)
        if hidden:
            # He would move into a marker: it is revealed first, and what rises there ends the move.
            for marker in hidden:
                markers.reveal(battle, marker)
            again = plan_move(battle, fighter, stride.x, stride.y, actions, shun=shun, bold=True)
            stride = again if isinstance(again, Stride) else Stride(fighter.x, fighter.y, 0.0, False, 1, (), ())
    if not (yield from complete_move(battle, fighter, stride, paid=paid)) and paid:
        # He is out of the fight he leaves, and goes somewhere else (SBH-SR-TERROR-02).
        yield from make_move(battle, fighter, shun=shun, paid=True)


def complete_move(battle: Battle, fighter: Fighter, stride: Stride, *, paid: bool) -> Asking[bool]:
    """Terror is faced first; then he goes, and what he finds there is dealt with. False if he did not dare."""
    before = {f.id for f in battle.enemies_at(fighter)}
    contacts = [f for f in stride.contacts if f.id not in before]
    if not (yield from _dares(battle, fighter, contacts)):
        return False
    fleeing = yield from _terrify(battle, fighter, contacts)
    start = (fighter.x, fighter.y)
    if not paid:
        spend(battle, fighter, stride.cost)
    fighter.moved = True
    put(battle, fighter, stride.x, stride.y)
    if stride.distance > 0.0:
        touched = tuple(f.id for f in contacts)
        battle.tell(Moved("SBH-MOVE-01", fighter.id, battle.ruler.told(stride.distance), stride.slowed, touched))
    for victim, failures in fleeing:
        if victim.on_table:
            yield from give_way(battle, victim, failures, no_hacks=True)
    yield from after_entering(battle, fighter, start)
    if fighter.on_table:
        markers.look_around(battle, fighter, start)
    return True


def _dares(battle: Battle, fighter: Fighter, contacts: list[Fighter]) -> Asking[bool]:
    """To move into contact with a Terror enemy he must pass a Quality roll on one die (SBH-SR-TERROR-01 to -03)."""
    if fighter.brave and battle.options["sbh.terrorImmunity"] == "bothTests":
        return True
    for enemy in contacts:
        if enemy.profile.terrible and fears(fighter, "terror"):
            concerned = (enemy, *with_leaders(battle, fighter))
            tricked = yield from resources.tricks_on(battle, concerned, fighter=fighter.id, manner="terror")
            failures = 0
            if enemy.profile.terrible:
                failures = yield from test_quality(battle, fighter, 1, "terror", "SBH-SR-TERROR-01")
            resources.end_tricks(tricked)
            if failures:
                fighter.barred |= {enemy.id}
                battle.tell(TerrorFelt("SBH-SR-TERROR-02", fighter.id, enemy.id))
                return False
    return True


def _terrify(battle: Battle, fighter: Fighter, contacts: list[Fighter]) -> Asking[list[tuple[Fighter, int]]]:
    """Each fighter that a Terror fighter will contact makes a morale roll at once (SBH-SR-TERROR-04, -06)."""
    fleeing = []
    for victim in contacts:
        if not fighter.profile.terrible or victim.brave or not fears(victim, "terror"):
            continue
        concerned = (fighter, *with_leaders(battle, victim))
        tricked = yield from resources.tricks_on(battle, concerned, fighter=victim.id, manner="morale")
        if fighter.profile.terrible:
            roll = quality_roll(battle, victim, "morale")
            failures = yield from roll_morale(battle, roll, "terror", "SBH-SR-TERROR-04")
            if failures:
                fleeing.append((victim, failures))
            else:
                victim.brave = True
        resources.end_tricks(tricked)
    return fleeing


def leave_combat(battle: Battle, fighter: Fighter) -> Asking[None]:
    """Two actions; every free hack must be won to get away, and going includes a move (SBH-LEAVE-02 to -05)."""
    spend(battle, fighter, 2)
    tricked = yield from resources.tricks_on(battle, (fighter,), fighter=fighter.id, manner="leave")
    enemies = battle.enemies_at(fighter)
    hackers = [f for f in enemies if not f.helpless]
    results = yield from free_hacks(battle, fighter, hackers, Chain(), "SBH-LEAVE-02")
    resources.end_tricks(tricked)
    beaten = 0 if battle.options["sbh.leaveTie"] == "free" else -1
    free = all(result <= beaten for result in results)
    battle.tell(LeftCombat("SBH-LEAVE-03", fighter.id, free))
    if free:
        yield from make_move(battle, fighter, shun=tuple(enemies), paid=True)


def stand_up(battle: Battle, fighter: Fighter) -> Asking[None]:
    """He stands, and each adjacent operational enemy makes a free hack (SBH-FALLEN-01, -07)."""
    fighter.down = fighter.stiff = False
    battle.tell(StoodUp("SBH-FALLEN-01", fighter.id))
    if battle.options["sbh.standUpFreeHack"] == "always":
        yield from free_hacks(battle, fighter, battle.enemies_at(fighter), Chain(), "SBH-FALLEN-07")


def why_not_off(battle: Battle, fighter: Fighter) -> Refusal | None:
    """Why he cannot leave the table by his own entry edge with one move (SBH-MOVE-11)."""
    actions = battle.active.actions.get(fighter.id, 0)
    refusal = _why_not_go(battle, fighter, "move", actions)
    if refusal is not None:
        return refusal
    if battle.active.kind == "rally":
        return Refusal("SBH-RALLY-03", "ends_beside_a_friend", {"fighter": fighter.id})
    way = way_off(battle, fighter, actions)
    return way if isinstance(way, Refusal) else None


def way_off(battle: Battle, fighter: Fighter, actions: int) -> Stride | Refusal:
    """A straight move that makes his base touch his own edge, or what keeps him from it (SBH-MOVE-11).

    Straight at it and a few lines aside are looked at first. That there is none is proven: by the critical places along
    the edge, on a hexagonal board by all its cells. Where the ground is treacherous (SBH-SCEN-HARD-04) he keeps off it
    if he can.
    """
    edge = battle.edges[fighter.side]
    away = edge_distances(battle, fighter.x, fighter.y, fighter.radius)[edge]
    if away > battle.sticks.of(fighter.profile.move) + TOLERANCE:
        return Refusal("SBH-MOVE-11", "edge_out_of_reach", {"distance": battle.ruler.told(away)})

    def going(x: float, y: float) -> Stride | Refusal:
        stride = plan_move(battle, fighter, x, y, actions, fleeing=True)
        if isinstance(stride, Stride) and stride.contacts:
            return Refusal("SBH-MOVE-07", "contact_ends_the_move", {"fighter": stride.contacts[0].id})
        return stride

    first = going(*spot_on_edge(battle, fighter, edge))
    risky = battle.scenario == "hard"
    if isinstance(first, Stride) and not (risky and first.entered):
        return first
    for x, y in () if risky else _lines_aside(battle, fighter, edge, away):
        aside = going(x, y)
        if isinstance(aside, Stride):
            return aside
    strides = [way for x, y in spots_on_edge(battle, fighter, edge) if isinstance(way := going(x, y), Stride)]
    if strides:
        return next((way for way in strides if not way.entered), strides[0]) if risky else strides[0]
    if isinstance(first, Refusal) and first.why == "too_far":
        facts = {"distance": battle.ruler.told(away), "reach": first.facts["reach"]}
        return Refusal("SBH-MOVE-11", "edge_out_of_reach", facts)
    return first


def _lines_aside(battle: Battle, fighter: Fighter, edge: str, away: float) -> list[tuple[float, float]]:
    """Some places along the edge within his stick."""
    (x, y), stick = spot_on_edge(battle, fighter, edge), battle.sticks.of(fighter.profile.move)
    aside = max(0.0, stick * stick - away * away) ** 0.5
    shifts = [aside * share for share in (0.3, -0.3, 0.6, -0.6)]
    return [(x + shift, y) if edge in ("south", "north") else (x, y + shift) for shift in shifts]


def leave_table(battle: Battle, fighter: Fighter) -> Asking[None]:
    """He goes off by his own edge, with the treasure if he has it (SBH-MOVE-11, SBH-SCEN-TREASURE-06)."""
    stride = way_off(battle, fighter, battle.active.actions[fighter.id])
    assert isinstance(stride, Stride)
    spend(battle, fighter, stride.cost)
    start = (fighter.x, fighter.y)
    put(battle, fighter, stride.x, stride.y)
    yield from after_entering(battle, fighter, start)
    if not fighter.on_table:
        return
    markers.bring_off(battle, fighter)
    battle.tell(LeftTable("SBH-MOVE-11", fighter.id, False))
    remove(battle, fighter, "left", "choice", "SBH-MOVE-11")


# -- from afar ---------------------------------------------------------------------------------------------------------


def shoot(battle: Battle, fighter: Fighter, wanted: str, manner: str, *, aimed: bool) -> Asking[None]:
    """A shot or a magic javelin at one target (SBH-SHOOT-03)."""
    fighter.attacked = True
    if manner == "javelin":
        item = fighter.bears("javelins")
        assert item is not None
        fighter.equip(item.less(1))
        battle.tell(ResourceUsed("SBH-ITEM-JAVELINS-01", fighter.side, "javelins", fighter.id))
    target = markers.struck(battle, wanted)
    if target is None:
        return
    tricked = yield from resources.tricks_on(
        battle, (fighter, target), fighter=fighter.id, target=target.id, manner=manner
    )
    if manner == "javelin" or fighter.profile.range:
        bout = ranged_bout(battle, [fighter], target, aim_of(battle, fighter, manner), aimed=aimed)
        yield from resolve(battle, bout)
        if manner == "shot":
            check_ammunition(battle, [fighter], bout.attacker.die)
    resources.end_tricks(tricked)


def cast(battle: Battle, fighter: Fighter, spell: str, power: int, wanted: str) -> Asking[None]:
    """A spell as a ranged attack, a transfix, or an entangling (SBH-MAGIC-09, SBH-TRANSFIX-03, SBH-SR-ENTANGLE-01)."""
    rules = {"bolt": "SBH-MAGIC-03", "transfix": "SBH-TRANSFIX-01", "entangle": "SBH-SR-ENTANGLE-01"}
    if spell == "entangle":
        fighter.used |= {"entangle"}
    else:
        battle.active.cast[fighter.id] = battle.active.cast.get(fighter.id, 0) + 1
    if spell == "bolt":
        fighter.attacked = True
    battle.tell(SpellCast(rules[spell], fighter.id, spell, power, wanted))
    target = markers.struck(battle, wanted)
    if target is None:
        return
    concerned = (fighter, *with_leaders(battle, target))
    tricked = yield from resources.tricks_on(battle, concerned, fighter=fighter.id, target=target.id, manner=spell)
    reads = "scroll" in battle.active.announced.get(fighter.id, frozenset())
    able = fighter.profile.entangles if spell == "entangle" else fighter.profile.casts or reads
    if able and spell == "bolt":
        bout = ranged_bout(battle, [fighter], target, aim_of(battle, fighter, "spell", power))
        yield from resolve(battle, bout, spared=True)
    elif able:
        yield from snare(battle, fighter, target, spell, power)
    resources.end_tricks(tricked)


def snare(battle: Battle, fighter: Fighter, target: Fighter, spell: str, power: int) -> Asking[None]:
    """He resists with as many dice as the Power; one failure and he is transfixed (SBH-TRANSFIX-03).

    Who is so already is no more so, nor by another (SBH-TRANSFIX-12).
    """
    rule = "SBH-TRANSFIX-03" if spell == "transfix" else "SBH-SR-ENTANGLE-01"
    failures = yield from test_quality(battle, target, power, "spell", rule)
    if not failures or target.transfixed is not None:
        return
    if spell == "transfix" and resources.has(battle, target.side, "divine_protection"):
        about = {"fighter": target.id, "result": "transfixed"}
        used = yield from resources.ask(
            battle, target.side, "protect_from_spell", "SBH-UPG-DIVINE-01", ["divine_protection"], about
        )
        if used != "none":
            resources.spend(battle, target.side, "divine_protection", "SBH-UPG-DIVINE-01", target.id)
            return
    target.transfixed = fighter.id if spell == "transfix" else ""
    battle.tell(Transfixed(rule, target.id, fighter.id))


def heal(battle: Battle, fighter: Fighter, target: Fighter, deed: str) -> Asking[None]:
    """A success restores one lost point of Quality; two make a fallen friend stand up (SBH-SR-PRIEST-02, -03)."""
    tricked = yield from resources.tricks_on(battle, (fighter,), fighter=fighter.id, manner=deed)
    able = fighter.profile.heals
    resources.end_tricks(tricked)
    if not able:
        return
    if deed == "raise":
        target.down = target.stiff = False
        battle.tell(Raised("SBH-SR-PRIEST-03", fighter.id, target.id))
        return
    if target.poison:
        target.poison -= 1
    else:
        target.wounds -= 1
    battle.tell(Healed("SBH-SR-PRIEST-02", fighter.id, target.id, target_of(battle, target)))


def option_of(battle: Battle, key: str) -> Option:
    """An action as it is offered: what kind of thing it is, and whom it concerns."""
    deed, _, rest = key.partition(":")
    facts: dict[str, Any] = {}
    if deed in SPELLS:
        number, _, rest = rest.partition(":")
        facts["power"] = int(number)
    if rest:
        facts["target" if deed != "order" else "order"] = rest
    return Option(key, deed, facts)
