"""What a fighter can do with his successes (SBH-ACTION-01), each action with its cost, its reasons and its course."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import groupby
from random import Random
from typing import Any, Final, NamedTuple

from oriflamme.engine.core.decisions import Moves, Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import ask_at
from oriflamme.engine.core.questions import move_figures
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.games.sbh import markers, resources
from oriflamme.games.sbh.events import (
    BrokeFree,
    Healed,
    LeftCombat,
    LeftTable,
    Moved,
    Raised,
    SpellCast,
    StoodUp,
    TerrorFelt,
    Transfixed,
)
from oriflamme.games.sbh.fighting import why_not_attack
from oriflamme.games.sbh.moments import Upgrade
from oriflamme.games.sbh.morale import fears, give_way, roll_morale
from oriflamme.games.sbh.movement import Stride, check_move, contact_spot, plan_move, propose_move, put
from oriflamme.games.sbh.orders import RULES, give_order, why_not_order
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
from oriflamme.games.sbh.runs import costs_too_much, edge_distances, find_move, spot_on_edge, spots_on_edge
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

SPELLS = ("bolt", "transfix", "entangle")
RANGE_OF = {"transfix": "SBH-MAGIC-07", "entangle": "SBH-SR-ENTANGLE-01"}


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
        facts = {"distance": battle.ruler.in_measure(distance), "reach": battle.ruler.sticks.of(aim.stick)}
        return Refusal(RANGE_OF[spell], "too_far", facts)
    return why_not_seen(battle, fighter, target)


def why_not_heal(battle: Battle, fighter: Fighter) -> Refusal | None:
    """Why he cannot heal now (SBH-SR-PRIEST-02, -04)."""
    if not fighter.profile.heals:
        return Refusal("SBH-SR-PRIEST-02", "no_priest", {"fighter": fighter.id})
    if fighter.lost_powers:
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


def standing_cost(fighter: Fighter) -> int:
    """1 action, 2 after a fall from a height (SBH-FALLEN-01, SBH-FALL-04)."""
    return 2 if fighter.slow_to_rise else 1


def _short_of(actions: int, cost: int) -> Refusal | None:
    if actions < cost:
        return Refusal("SBH-ACTION-01", "too_few_actions", {"needed": cost, "actions": actions})
    return None


def _why_not_go(battle: Battle, fighter: Fighter, *, leaving: bool) -> Refusal | None:
    """Why he cannot move, or leave the fight he is in (SBH-MOVE-08, SBH-LEAVE-01)."""
    if fighter.down:
        return Refusal("SBH-FALLEN-02", "helpless", {"fighter": fighter.id})
    if fighter.profile.one_move and fighter.moved:
        return Refusal("SBH-SR-SLOW-01", "one_move", {"fighter": fighter.id})
    held = [f.id for f in battle.enemies_at(fighter) if not f.helpless]
    if held and not leaving:
        return Refusal("SBH-MOVE-08", "engaged", {"fighter": held[0]})
    if leaving and not held:
        return Refusal("SBH-LEAVE-01", "not_held", {"fighter": fighter.id})
    return None


# -- doing it ----------------------------------------------------------------------------------------------------------


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

    known: list[Stride | None] = []

    def closest() -> Stride | None:
        from oriflamme.games.sbh.orders import closest_move

        if not known:
            known.append(closest_move(battle, fighter, going, actions) if rally else None)
        return known[0]

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
    moves = yield from move_figures(
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
        battle.tell(Moved("SBH-MOVE-01", fighter.id, battle.ruler.in_measure(stride.distance), stride.slowed, touched))
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
            cancelled = yield from resources.cancel_rules(battle, concerned, fighter=fighter.id, manner="terror")
            failures = 0
            if enemy.profile.terrible:
                failures = yield from test_quality(battle, fighter, 1, "terror", "SBH-SR-TERROR-01")
            resources.restore_rules(cancelled)
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
        cancelled = yield from resources.cancel_rules(battle, concerned, fighter=victim.id, manner="morale")
        if fighter.profile.terrible:
            roll = quality_roll(battle, victim, "morale")
            failures = yield from roll_morale(battle, roll, "terror", "SBH-SR-TERROR-04")
            if failures:
                fleeing.append((victim, failures))
            else:
                victim.brave = True
        resources.restore_rules(cancelled)
    return fleeing


def leave_combat(battle: Battle, fighter: Fighter) -> Asking[None]:
    """Every free hack must be won to get away, and going includes a move (SBH-LEAVE-02 to -05)."""
    cancelled = yield from resources.cancel_rules(battle, (fighter,), fighter=fighter.id, manner="leave")
    enemies = battle.enemies_at(fighter)
    hackers = [f for f in enemies if not f.helpless]
    results = yield from free_hacks(battle, fighter, hackers, Chain(), "SBH-LEAVE-02")
    resources.restore_rules(cancelled)
    beaten = 0 if battle.options["sbh.leaveTie"] == "free" else -1
    free = all(result <= beaten for result in results)
    battle.tell(LeftCombat("SBH-LEAVE-03", fighter.id, free))
    if free:
        yield from make_move(battle, fighter, shun=tuple(enemies), paid=True)


def stand_up(battle: Battle, fighter: Fighter) -> Asking[None]:
    """He stands, and each adjacent operational enemy makes a free hack (SBH-FALLEN-01, -07)."""
    fighter.down = fighter.slow_to_rise = False
    battle.tell(StoodUp("SBH-FALLEN-01", fighter.id))
    if battle.options["sbh.standUpFreeHack"] == "always":
        yield from free_hacks(battle, fighter, battle.enemies_at(fighter), Chain(), "SBH-FALLEN-07")


def why_not_off(battle: Battle, fighter: Fighter) -> Refusal | None:
    """Why he cannot leave the table by his own entry edge with one move (SBH-MOVE-11)."""
    actions = battle.active.actions.get(fighter.id, 0)
    refusal = _why_not_go(battle, fighter, leaving=False) or _short_of(actions, 1)
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
        return Refusal("SBH-MOVE-11", "edge_out_of_reach", {"distance": battle.ruler.in_measure(away)})

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
    spots = [] if costs_too_much(battle, fighter, actions) else spots_on_edge(battle, fighter, edge)
    found: Stride | None = None
    for x, y in spots:
        way = going(x, y)
        if isinstance(way, Stride):
            if not (risky and way.entered):
                return way
            found = found or way
    if found is not None:
        return found
    if isinstance(first, Refusal) and first.why == "too_far":
        facts = {"distance": battle.ruler.in_measure(away), "reach": first.facts["reach"]}
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
        resources.use_item(battle, fighter, item, 1, "SBH-ITEM-JAVELINS-01")
    target = markers.struck(battle, wanted)
    if target is None:
        return
    cancelled = yield from resources.cancel_rules(
        battle, (fighter, target), fighter=fighter.id, target=target.id, manner=manner
    )
    if manner == "javelin" or fighter.profile.range:
        bout = ranged_bout(battle, [fighter], target, aim_of(battle, fighter, manner), aimed=aimed)
        yield from resolve(battle, bout)
        if manner == "shot":
            check_ammunition(battle, [fighter], bout.attacker.die)
    resources.restore_rules(cancelled)


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
    cancelled = yield from resources.cancel_rules(battle, concerned, fighter=fighter.id, target=target.id, manner=spell)
    reads = "scroll" in battle.active.announced.get(fighter.id, frozenset())
    able = fighter.profile.entangles if spell == "entangle" else fighter.profile.casts or reads
    if able and spell == "bolt":
        bout = ranged_bout(battle, [fighter], target, aim_of(battle, fighter, "spell", power))
        yield from resolve(battle, bout, spared=True)
    elif able:
        yield from snare(battle, fighter, target, spell, power)
    resources.restore_rules(cancelled)


def snare(battle: Battle, fighter: Fighter, target: Fighter, spell: str, power: int) -> Asking[None]:
    """He resists with as many dice as the Power; one failure and he is transfixed (SBH-TRANSFIX-03).

    Who is so already is no more so, nor by another (SBH-TRANSFIX-12).
    """
    rule = "SBH-TRANSFIX-03" if spell == "transfix" else "SBH-SR-ENTANGLE-01"
    failures = yield from test_quality(battle, target, power, "spell", rule)
    if not failures or target.transfixed is not None:
        return
    if spell == "transfix":
        mishap = resources.Mishap(battle, target, result="transfixed")
        yield from ask_at(Upgrade.when_spell_strikes, resources.upgrades_of(battle, target.side), mishap)
        if mishap.averted:
            return
    target.transfixed = fighter.id if spell == "transfix" else ""
    battle.tell(Transfixed(rule, target.id, fighter.id))


def heal(battle: Battle, fighter: Fighter, target: Fighter, deed: str) -> Asking[None]:
    """A success restores one lost point of Quality; two make a fallen friend stand up (SBH-SR-PRIEST-02, -03)."""
    cancelled = yield from resources.cancel_rules(battle, (fighter,), fighter=fighter.id, manner=deed)
    able = fighter.profile.heals
    resources.restore_rules(cancelled)
    if not able:
        return
    if deed == "raise":
        target.down = target.slow_to_rise = False
        battle.tell(Raised("SBH-SR-PRIEST-03", fighter.id, target.id))
        return
    if target.poison:
        target.poison -= 1
    else:
        target.wounds -= 1
    battle.tell(Healed("SBH-SR-PRIEST-02", fighter.id, target.id, target_of(battle, target)))


# -- the table of actions ----------------------------------------------------------------------------------------------


class Chance:
    """A fighter who may act now, with the actions he has. Targets are found once for all that may be done to them."""

    __slots__ = ("_marks", "actions", "battle", "enemies", "fighter")

    def __init__(self, battle: Battle, fighter: Fighter) -> None:
        self.battle = battle
        self.fighter = fighter
        self.actions = battle.active.actions.get(fighter.id, 0)
        self.enemies = battle.enemies_at(fighter)
        self._marks: dict[tuple[str, int], list[str]] = {}

    def marks(self, manner: str, power: int = 0) -> list[str]:
        """Whom he could shoot at in that manner."""
        found = self._marks.get((manner, power))
        if found is None:
            aim = aim_of(self.battle, self.fighter, manner, power)
            found = self._marks[manner, power] = targets(self.battle, self.fighter, aim)
        return found


class Action(NamedTuple):
    """Something that a fighter may do with his successes (SBH-ACTION-01), said once: offers, refusals, what is spent
    and the list of answers come from here.

    The answer is its id, and after a colon what it is done to. `cost` are the actions it takes; 0 if a move takes as
    many as its ground asks, a function if it depends on the fighter or on what follows the id. `open` says
    what may follow the id now, the cost left aside; `why_not` why something may not. `form` is how that is written.
    """

    id: str
    rule: str
    cost: int | Callable[[Fighter, str], int]
    form: str
    open: Callable[[Chance], Iterable[str]]
    why_not: Callable[[Chance, str, int], Refusal | None]
    perform: Callable[[Battle, Fighter, str], Asking[None]]
    # Done under a rally order too: no attack, no shot, no spell (SBH-RALLY-04).
    peaceful: bool = False
    # Done by whoever stands, lies or is transfixed.
    by: frozenset[str] = frozenset({"standing"})
    # Actions of one group are offered by what they cost, not one after the other.
    group: str = ""

    def cost_of(self, fighter: Fighter, rest: str) -> int:
        return self.cost if isinstance(self.cost, int) else self.cost(fighter, rest)

    def key(self, rest: str) -> str:
        return f"{self.id}:{rest}" if rest else self.id

    def answers(self) -> str:
        """The answers that name it, as they are written."""
        return " ".join(map(self.key, self.form.split() or [""]))


ACTIONS: dict[str, Action] = {}


def _posture(fighter: Fighter) -> str:
    return "transfixed" if fighter.transfixed is not None else "lying" if fighter.down else "standing"


@cache
def _actions_of(posture: str, rally: bool) -> tuple[tuple[Action, ...], ...]:
    """What may be done by whoever stands, lies or is transfixed, one after the other, those of a group together."""
    able = [action for action in ACTIONS.values() if posture in action.by and (action.peaceful or not rally)]
    return tuple(tuple(same) for _, same in groupby(able, key=lambda action: action.group or action.id))


def open_actions(battle: Battle, fighter: Fighter) -> list[str]:
    """Everything he may do now with the actions he has, "done" last."""
    chance = Chance(battle, fighter)
    actions = chance.actions
    keys: list[str] = []
    for group in _actions_of(_posture(fighter), battle.active.kind == "rally"):
        found: list[tuple[int, str]] = []
        for action in group:
            cost = action.cost
            if isinstance(cost, int):
                # What is too dear is not looked at.
                if cost <= actions and (able := action.open(chance)):
                    found += [(cost, action.key(rest)) for rest in able]
            else:
                found += [(dear, action.key(r)) for r in action.open(chance) if (dear := cost(fighter, r)) <= actions]
        if len(group) > 1:
            found.sort(key=lambda one: one[0])
        keys += [key for _, key in found]
    keys.append("done")
    return keys


def why_not(battle: Battle, fighter: Fighter, key: str) -> Refusal | None:
    """Why he may not do what a key names: the rule behind it, with its numbers."""
    deed, _, rest = key.partition(":")
    action = ACTIONS.get(deed)
    if fighter.transfixed is not None and (action is None or "transfixed" not in action.by):
        return Refusal("SBH-TRANSFIX-04", "transfixed", {"fighter": fighter.id})
    if battle.active.kind == "rally" and deed != "done" and (action is None or not action.peaceful):
        return Refusal("SBH-RALLY-04", "no_attacks", {"fighter": fighter.id})
    if action is None:
        return None
    return action.why_not(Chance(battle, fighter), rest, action.cost_of(fighter, rest))


def perform(battle: Battle, fighter: Fighter, key: str) -> Asking[None]:
    """Do what was chosen: spend the actions, then whatever the rule says."""
    deed, _, rest = key.partition(":")
    action = ACTIONS[deed]
    spend(battle, fighter, action.cost_of(fighter, rest))
    yield from action.perform(battle, fighter, rest)


def _attacks(chance: Chance) -> list[str]:
    return [] if chance.fighter.attacked else [f.id for f in chance.enemies]


def _why_not_attack(chance: Chance, rest: str, cost: int) -> Refusal | None:
    target = chance.battle.units.get(rest)
    return None if target is None else why_not_attack(chance.battle, chance.fighter, target, chance.actions, cost)


def _attack(battle: Battle, fighter: Fighter, rest: str) -> Asking[None]:
    fighter.attacked = True
    yield from fight(battle, fighter, battle.units[rest], "melee", power=False)


def _power_attack(battle: Battle, fighter: Fighter, rest: str) -> Asking[None]:
    fighter.attacked = True
    yield from fight(battle, fighter, battle.units[rest], "melee", power=True)


def _may_shoot(chance: Chance, manner: str) -> bool:
    fighter = chance.fighter
    if fighter.attacked or chance.battle.active.kind == "volley":
        return False
    return (
        fighter.bears("javelins") is not None
        if manner == "javelin"
        else bool(fighter.profile.range and not fighter.out_of_ammo)
    )


def _shot(id: str, rule: str, manner: str, cost: int, *, aimed: bool) -> Action:
    """A shot or a throw of a magic javelin, aimed or not (SBH-SHOOT-01, SBH-ACTION-04, SBH-ITEM-JAVELINS-01)."""

    def why_not_now(chance: Chance, rest: str, cost: int) -> Refusal | None:
        battle, fighter = chance.battle, chance.fighter
        if manner == "javelin" and fighter.bears("javelins") is None:
            return Refusal("SBH-ITEM-JAVELINS-01", "no_javelins", {"fighter": fighter.id})
        if manner == "shot" and not fighter.profile.range:
            return Refusal("SBH-SHOOT-01", "no_shooter", {"fighter": fighter.id})
        return why_not_shoot(battle, fighter, rest, aim_of(battle, fighter, manner)) or _short_of(chance.actions, cost)

    return Action(
        id,
        rule,
        cost,
        "<fighter>",
        lambda chance: chance.marks(manner) if _may_shoot(chance, manner) else (),
        why_not_now,
        lambda battle, fighter, rest: shoot(battle, fighter, rest, manner, aimed=aimed),
    )


def _powers(chance: Chance) -> range:
    return range(1, min(chance.actions, 3) + 1)


def _power_of(fighter: Fighter, rest: str) -> int:
    """As many actions as the spell has Power (SBH-MAGIC-03, SBH-SR-ENTANGLE-01)."""
    number = rest.partition(":")[0]
    return int(number) if number in ("1", "2", "3") else 1


def _bolts(chance: Chance) -> list[str]:
    if chance.fighter.attacked or why_not_cast(chance.battle, chance.fighter) is not None:
        return []
    return [f"{power}:{id}" for power in _powers(chance) for id in chance.marks("spell", power)]


def _snares(chance: Chance, spell: str) -> list[str]:
    refuse = why_not_entangle if spell == "entangle" else why_not_cast
    if refuse(chance.battle, chance.fighter) is not None:
        return []
    return [
        f"{power}:{f.id}" for power in _powers(chance) for f in _snared(chance.battle, chance.fighter, spell, power)
    ]


def _spell(id: str, rule: str, short: str, group: str) -> Action:
    """A spell, or an entangling, which is done like one."""

    def why_not_now(chance: Chance, rest: str, cost: int) -> Refusal | None:
        battle, fighter, target = chance.battle, chance.fighter, rest.partition(":")[2]
        refusal = why_not_entangle(battle, fighter) if id == "entangle" else why_not_cast(battle, fighter)
        if refusal is None and chance.actions < cost:
            refusal = Refusal(short, "too_few_actions", {"needed": cost, "actions": chance.actions})
        if refusal is None and id == "bolt":
            refusal = why_not_shoot(battle, fighter, target, aim_of(battle, fighter, "spell", cost))
        elif refusal is None and target in battle.units:
            refusal = why_not_snare(battle, fighter, battle.units[target], id, cost)
        return refusal

    return Action(
        id,
        rule,
        _power_of,
        "<number>:<fighter>",
        _bolts if id == "bolt" else lambda chance: _snares(chance, id),
        why_not_now,
        lambda battle, fighter, rest: cast(battle, fighter, id, _power_of(fighter, rest), rest.partition(":")[2]),
        group=group,
    )


def _healing(id: str, rule: str, cost: int) -> Action:
    def able(chance: Chance) -> list[str]:
        battle, fighter = chance.battle, chance.fighter
        if chance.actions < cost or why_not_heal(battle, fighter) is not None:
            return []
        return [f.id for f in battle.touching(fighter) if why_not_healed(battle, fighter, f, id) is None]

    def why_not_now(chance: Chance, rest: str, cost: int) -> Refusal | None:
        battle, fighter, friend = chance.battle, chance.fighter, chance.battle.units.get(rest)
        refusal = why_not_heal(battle, fighter)
        if refusal is None and friend is not None:
            refusal = why_not_healed(battle, fighter, friend, id)
        return refusal or _short_of(chance.actions, cost)

    def do(battle: Battle, fighter: Fighter, rest: str) -> Asking[None]:
        return heal(battle, fighter, battle.units[rest], id)

    return Action(id, rule, cost, "<fighter>", able, why_not_now, do)


def _orders(chance: Chance) -> list[str]:
    if not chance.fighter.profile.leads or chance.battle.active.kind:
        return []
    return [order for order in RULES if why_not_order(chance.battle, chance.fighter, order) is None]


def _why_not_order(chance: Chance, rest: str, cost: int) -> Refusal | None:
    return why_not_order(chance.battle, chance.fighter, rest) if rest in RULES else None


def _going(id: str, rule: str, cost: int, do: Callable[[Battle, Fighter], Asking[None]]) -> Action:
    """Move, or leave combat and move. What a move costs is known when it is declared: at least one action."""
    leaving = id == "leave"

    def open_now(chance: Chance) -> tuple[str, ...]:
        fighter = chance.fighter
        if fighter.profile.one_move and fighter.moved:
            return ()
        held = any(not f.helpless for f in chance.enemies)
        return ("",) if held == leaving else ()

    def why_not_now(chance: Chance, rest: str, cost: int) -> Refusal | None:
        refusal = _why_not_go(chance.battle, chance.fighter, leaving=leaving)
        return refusal or _short_of(chance.actions, max(1, cost))

    return Action(
        id, rule, cost, "", open_now, why_not_now, lambda battle, fighter, rest: do(battle, fighter), peaceful=True
    )


def _break_free(battle: Battle, fighter: Fighter, rest: str) -> Asking[None]:
    """He shakes off what transfixes him (SBH-TRANSFIX-04)."""
    fighter.transfixed = None
    battle.tell(BrokeFree("SBH-TRANSFIX-04", fighter.id))
    yield from ()


_LYING: Final = frozenset({"lying"})
_TRANSFIXED: Final = frozenset({"transfixed"})
_STANDING_OR_LYING: Final = frozenset({"standing", "lying"})

ACTIONS |= {
    action.id: action
    for action in (
        _going("move", "SBH-MOVE-01", 0, make_move),
        _going("leave", "SBH-LEAVE-01", 2, leave_combat),
        Action("attack", "SBH-COMBAT-01", 1, "<fighter>", _attacks, _why_not_attack, _attack, by=_STANDING_OR_LYING),
        Action(
            "power", "SBH-ACTION-03", 2, "<fighter>", _attacks, _why_not_attack, _power_attack, by=_STANDING_OR_LYING
        ),
        _shot("shoot", "SBH-SHOOT-01", "shot", 1, aimed=False),
        _shot("aim", "SBH-ACTION-04", "shot", 2, aimed=True),
        _shot("javelin", "SBH-ITEM-JAVELINS-01", "javelin", 1, aimed=False),
        _shot("aimjavelin", "SBH-ITEM-JAVELINS-01", "javelin", 2, aimed=True),
        _spell("bolt", "SBH-MAGIC-03", "SBH-MAGIC-03", "spells"),
        _spell("transfix", "SBH-TRANSFIX-01", "SBH-MAGIC-03", "spells"),
        _spell("entangle", "SBH-SR-ENTANGLE-01", "SBH-SR-ENTANGLE-01", ""),
        _healing("heal", "SBH-SR-PRIEST-02", 1),
        _healing("raise", "SBH-SR-PRIEST-03", 2),
        Action("order", "SBH-GROUP-01", 1, " ".join(RULES), _orders, _why_not_order, give_order),
        Action(
            "stand",
            "SBH-FALLEN-01",
            lambda fighter, rest: standing_cost(fighter),
            "",
            lambda chance: ("",),
            lambda chance, rest, cost: _short_of(chance.actions, cost) if chance.fighter.down else None,
            lambda battle, fighter, rest: stand_up(battle, fighter),
            peaceful=True,
            by=_LYING,
        ),
        Action(
            "break",
            "SBH-TRANSFIX-04",
            2,
            "",
            lambda chance: ("",),
            lambda chance, rest, cost: (
                _short_of(chance.actions, cost) if chance.fighter.transfixed is not None else None
            ),
            _break_free,
            peaceful=True,
            by=_TRANSFIXED,
        ),
        Action(
            "take",
            "SBH-SCEN-TREASURE-05",
            2,
            "<marker>",
            lambda chance: markers.to_take(chance.battle, chance.fighter, chance.actions),
            lambda chance, rest, cost: markers.why_not_take_up(chance.battle, chance.fighter, rest, chance.actions),
            markers.take,
            peaceful=True,
        ),
        Action(
            "give",
            "SBH-SCEN-ITEM-06",
            1,
            "<fighter>",
            lambda chance: markers.to_give(chance.battle, chance.fighter),
            lambda chance, rest, cost: markers.why_not_give_to(chance.battle, chance.fighter, rest),
            markers.give,
            peaceful=True,
        ),
        Action(
            "receive",
            "SBH-SCEN-ITEM-06",
            1,
            "<fighter>",
            lambda chance: markers.to_receive(chance.battle, chance.fighter),
            lambda chance, rest, cost: markers.why_not_receive(chance.battle, chance.fighter, rest),
            markers.receive,
            peaceful=True,
        ),
        Action(
            "off",
            "SBH-MOVE-11",
            0,
            "",
            # Open besides what is offered: nobody goes unless he means to.
            lambda chance: (),
            lambda chance, rest, cost: why_not_off(chance.battle, chance.fighter),
            lambda battle, fighter, rest: leave_table(battle, fighter),
            peaceful=True,
        ),
    )
}
SHOTS: Final = ("shoot", "aim", "javelin", "aimjavelin")


def option_of(battle: Battle, key: str) -> Option:
    """An action as it is offered: what kind of thing it is, and whom it concerns."""
    deed, _, rest = key.partition(":")
    facts: dict[str, Any] = {}
    if deed in SPELLS:
        number, _, rest = rest.partition(":")
        facts["power"] = int(number)
    if rest:
        facts["target" if deed != "order" else "order"] = rest
    return Option(key, deed, facts, (rest,) if rest and deed != "order" else ())
