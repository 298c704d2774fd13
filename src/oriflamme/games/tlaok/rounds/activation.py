"""Activations (TLAOK-ACT, TLAOK-DRAW): a card is drawn, its unit named, a draw event resolved, two actions taken."""

from __future__ import annotations

from functools import cache

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one, put_in_order
from oriflamme.games.tlaok.events import (
    ActionTaken,
    Activated,
    ActivationEnded,
    CardDiscarded,
    CardDrawn,
    CardReturned,
    Conceded,
    Passed,
    PhaseBegan,
)
from oriflamme.games.tlaok.losses.aftermath import resolve_queue
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.movement.march import Course, clear_off, crowding, friends_under
from oriflamme.games.tlaok.regiment.command import second_march
from oriflamme.games.tlaok.rounds.actions import ACTIONS, CHARACTER_ACTIONS, IMPULSES, Action
from oriflamme.games.tlaok.rounds.draw_events import more_marches, use_draw_event
from oriflamme.games.tlaok.rounds.lines import check_lines
from oriflamme.games.tlaok.rounds.victory import end_battle
from oriflamme.games.tlaok.state import Activation, Asking, Battle, Character, Regiment, Step, step
from oriflamme.games.tlaok.triggers import Trigger, Triggers

OTHER = {0: 1, 1: 0}


# -- step 1: the card --------------------------------------------------------------------------------------------------


def named(battle: Battle, side: int, card: str) -> list[str]:
    """The units that a card may activate: of its name, in play this round, not activated yet (TLAOK-ACT-04).

    A character is named by its own id, a regiment by its.
    """
    found = []
    for regiment in battle.units.values():
        if regiment.side != side or regiment.fate or regiment.reserve == "reinforcements":
            continue
        if regiment.profile.id == card and not regiment.activated:
            found.append(regiment.id)
        hero = regiment.character
        if hero is not None and hero.profile.id == card and not hero.activated and regiment.hero is not None:
            found.append(hero.id)
    return found


def unit_of(battle: Battle, key: str) -> tuple[Regiment, Character | None]:
    """The regiment of that id, or the character of that id with his regiment."""
    if key in battle.units:
        return battle.units[key], None
    for regiment in battle.units.values():
        if regiment.character is not None and regiment.character.id == key:
            return regiment, regiment.character
    raise KeyError(key)


@step
def action_phase(battle: Battle) -> None:
    """Players alternate, the First Player begins (TLAOK-ACT-01)."""
    battle.tell(PhaseBegan("TLAOK-ROUND-01", "action"))
    battle.turn = battle.first
    battle.then(draw_card)


@step
def draw_card(battle: Battle) -> Step:
    """The top card of the stack, and the unit it activates (TLAOK-ACT-01 to -06)."""
    if not any(battle.stacks):
        return
    if not battle.stacks[battle.turn]:
        battle.turn = OTHER[battle.turn]
    side = battle.turn
    card = take_card(battle, side)
    keys = named(battle, side, card)
    if not keys:
        battle.tell(CardDiscarded("TLAOK-ACT-06", side, card))
        if not battle.stacks[side]:
            battle.turn = OTHER[side]
        battle.then(draw_card)
        return
    key = yield from pick_one(side, [Option.thing(k) for k in keys], "choose_unit", "TLAOK-ACT-04", {"card": card})
    battle.then(activate, key, False)


def take_card(battle: Battle, side: int) -> str:
    """Turn over the top card of a stack."""
    stack = battle.stacks[side]
    card = stack[-1]
    put_stack(battle, side, stack[:-1])
    put_drawn(battle, side, (*battle.drawn[side], card))
    battle.tell(CardDrawn("TLAOK-ACT-04", side, card, len(stack) - 1))
    return card


def put_stack(battle: Battle, side: int, cards: tuple[str, ...]) -> None:
    stacks = list(battle.stacks)
    stacks[side] = cards
    battle.stacks = (stacks[0], stacks[1])


def put_drawn(battle: Battle, side: int, cards: tuple[str, ...]) -> None:
    drawn = list(battle.drawn)
    drawn[side] = cards
    battle.drawn = (drawn[0], drawn[1])


# -- step 2: what happens before the first action ----------------------------------------------------------------------


@step
def activate(battle: Battle, key: str, chained: bool) -> Step:
    """A unit is named: what its enemies do to it for that, then its draw event (TLAOK-ACT-09)."""
    regiment, hero = unit_of(battle, key)
    battle.acting = Activation(regiment.id, character=hero is not None, chained=chained)
    battle.tell(Activated("TLAOK-ACT-03", regiment.side, regiment.id, hero.id if hero is not None else "", chained))
    if hero is None:
        regiment.activated = True
        battle.acting.astray, regiment.strayed = regiment.strayed, False
        named_to = Triggers("named")
        for enemy in battle.engaged(regiment):
            for stand in enemy.figures:
                at(Keyword.when_enemy_named, (enemy.keywords_of(stand),), named_to, battle, enemy, stand, regiment)
        yield from run(battle, regiment, named_to)
        if regiment.fate:
            # It is destroyed before it could do anything: the next card is drawn in its place (-AURAOFDEATH-03), but
            # not after the card of a character's own regiment, which brings no further one (TLAOK-CHAIN-05).
            battle.acting = None
            check_lines(battle)
            if chained:
                battle.turn = OTHER[regiment.side]
            battle.then(draw_card)
            return
    else:
        hero.activated = True
    yield from use_draw_event(battle, regiment, hero)
    if regiment.fate:
        battle.then(end_activation)
        return
    before = Triggers("before")
    for stand in regiment.figures:
        at(Keyword.before_acting, (regiment.keywords_of(stand),), before, battle, regiment, stand)
    yield from run(battle, regiment, before)
    battle.then(next_action)


def run(battle: Battle, regiment: Regiment, triggers: Triggers) -> Asking[None]:
    """Resolve what special rules have brought, in the order its player chooses; what comes last comes last."""
    for pending in (triggers.first, triggers.last):
        left: list[Trigger] = list(pending)
        if len(left) > 1 and triggers.about == "ending":
            options = [Option(t.id, "trigger") for t in left]
            order = yield from put_in_order(
                regiment.side, options, "order_of_triggers", "TLAOK-ACT-23", {"regiment": regiment.id}
            )
            left.sort(key=lambda t: order.index(t.id))
        for trigger in left:
            if not regiment.fate:
                yield from trigger.resolve(battle, regiment)
                yield from resolve_queue(battle)


# -- steps 3 and 4: actions --------------------------------------------------------------------------------------------


def why_not_action(battle: Battle, regiment: Regiment, action: Action) -> Refusal | None:
    """Why a unit cannot choose that action now (TLAOK-ACT-10 to -12)."""
    acting = battle.acting
    assert acting is not None
    facts = {"regiment": regiment.id, "action": action.id}
    if acting.character and not regiment.on_table:
        return Refusal("TLAOK-CHAR-19", "not_on_the_table", facts | {"target": regiment.id})
    if action.engaged is not None and action.engaged != battle.is_engaged(regiment):
        return Refusal("TLAOK-CONTACT-03", "not_in_combat" if action.engaged else "in_combat", facts)
    if regiment.garrison and not action.inside:
        return Refusal("TLAOK-GARR-31", "in_garrison", facts)
    if acting.entering and action.id != "march":
        return Refusal("TLAOK-ENTRY-13", "must_enter", facts)
    if regiment.reserve == "arriving" and action.id != "march":
        return Refusal("TLAOK-ACT-11", "must_march_first", facts)
    done = acting.performed.count(action.id)
    if done and not action.repeats and done > sum(1 for id, _ in acting.allowed if id == action.id):
        return Refusal("TLAOK-ACT-12", "already_performed", facts)
    if acting.used >= acting.limit and (action.id, True) not in acting.allowed:
        return Refusal("TLAOK-ACT-12", "no_actions_left", facts)
    refusal = action.why_not(battle, regiment)
    marched = "march" in acting.performed and action.id not in ("march", "charge")
    if refusal is None and marched and (on := friends_under(battle, regiment)):
        return Refusal("TLAOK-MARCH-14", "must_clear", facts | {"other": on[0].id})
    if refusal is None and action.id not in ("march", "charge") and (near := must_get_clear(battle, regiment)):
        return Refusal("TLAOK-CHARGE-32", "must_get_clear", facts | {"other": near})
    return refusal


def fitting_actions(battle: Battle, regiment: Regiment) -> list[Action]:
    """What it may do now as far as that is told by whether it is in combat and has an action left."""
    acting = battle.acting
    assert acting is not None
    book = CHARACTER_ACTIONS if acting.character else ACTIONS
    if acting.used >= acting.limit and not acting.allowed:
        return []
    fitting = (None, battle.is_engaged(regiment))
    return [action for action in book.values() if action.engaged in fitting]


@step
def next_action(battle: Battle) -> Step:
    """Choose an action by the state it is in now, and perform it (TLAOK-ACT-10, -12, -13)."""
    acting = battle.acting
    assert acting is not None
    regiment = battle.units[acting.unit]
    if regiment.fate or battle.over:
        battle.then(end_activation)
        return
    book = CHARACTER_ACTIONS if acting.character else ACTIONS
    actions = fitting_actions(battle, regiment)

    @cache
    def is_open(key: str) -> bool:
        return key == "pass" or why_not_action(battle, regiment, book[key]) is None

    if not any(is_open(action.id) for action in actions):
        battle.then(end_activation)
        return

    must = why_not_pass(battle, regiment)

    def reason(key: str) -> Refusal | None:
        if key == "pass":
            return must
        return why_not_action(battle, regiment, book[key]) if key in book else None

    options = [Option(a.id, "action") for a in actions] + ([] if must else [Option("pass", "action")])
    hero = regiment.character.id if acting.character and regiment.character is not None else ""
    about = {"regiment": regiment.id, "number": acting.used + 1, "character": hero}
    key = yield from pick_one(
        regiment.side, options, "choose_action", "TLAOK-ACT-10", about,
        why_not=reason, default=lambda: next(option.key for option in options if is_open(option.key)), is_open=is_open,
    )  # fmt: skip
    if key == "pass":
        battle.tell(Passed("TLAOK-ACT-21", regiment.id, hero))
        # With both actions gone a free one may be left; passing that is the end.
        battle.then(next_action if acting.used < acting.limit else end_activation)
        acting.used += 1
        return
    yield from take_action(battle, regiment, book[key])
    battle.then(next_action)


def take_action(battle: Battle, regiment: Regiment, action: Action, *, free: bool = False) -> Asking[None]:
    """Perform an action: it counts as performed from the moment it is begun (TLAOK-ACT-15, -16)."""
    acting = battle.acting
    assert acting is not None
    for what in IMPULSES:
        action = what(battle, regiment, action)
    spent, again = acting.used >= acting.limit, action.id in acting.performed
    if not free and (spent or again or action.free) and (action.id, True) in acting.allowed:
        # One that a special rule gives besides the two (TLAOK-ACT-17): it goes first, so that another is left.
        free = True
        acting.allowed = _without(acting.allowed, (action.id, True))
    if not free:
        acting.used += 1
    acting.performed += (action.id,)
    if acting.character and regiment.character is not None:
        regiment.character.acted = True
    else:
        regiment.acted = True
    hero = regiment.character.id if acting.character and regiment.character is not None else ""
    battle.tell(ActionTaken(action.rule, regiment.id, action.id, free, hero))
    if not free and not acting.character:
        more_marches(battle, regiment, action.id)
    if action.repeats and acting.performed.count(action.id) == 2:
        regiment.affect(*second_march(regiment))
    yield from action.perform(battle, regiment)
    for each in battle.units.values():
        each.end_effects("action")
    yield from resolve_queue(battle)


def _without(allowed: tuple[tuple[str, bool], ...], used: tuple[str, bool]) -> tuple[tuple[str, bool], ...]:
    left = list(allowed)
    if used in left:
        left.remove(used)
    return tuple(left)


def end_now(battle: Battle) -> None:
    """The unit loses all its remaining actions (TLAOK-CHARGE-33, TLAOK-GARR-07)."""
    acting = battle.acting
    assert acting is not None
    acting.used = acting.limit
    acting.allowed = ()


def why_not_pass(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Why it cannot forgo an action: it has to come onto the table (TLAOK-ENTRY-13, -15), or stands on a friend and has
    to move off him (TLAOK-MARCH-12)."""
    acting = battle.acting
    assert acting is not None
    if acting.character:
        return None
    facts = {"regiment": regiment.id}
    if acting.entering:
        return Refusal("TLAOK-ENTRY-13", "must_enter", facts)
    if regiment.reserve == "arriving":
        return Refusal("TLAOK-ENTRY-15", "must_march_first", facts)
    if friends_under(battle, regiment):
        return Refusal("TLAOK-MARCH-12", "stands_on_friend", facts)
    if near := must_get_clear(battle, regiment):
        return Refusal("TLAOK-CHARGE-32", "must_get_clear", facts | {"other": near})
    return None


def must_get_clear(battle: Battle, regiment: Regiment) -> str:
    """Whom or what its last action must take it away from, after a charge that came to nothing (TLAOK-CHARGE-32)."""
    acting = battle.acting
    assert acting is not None
    if not acting.astray or acting.character or acting.used + 1 < acting.limit or battle.is_engaged(regiment):
        return ""
    near = crowding(battle, regiment) if regiment.on_table and not regiment.garrison else []
    return near[0].id if near and Course(battle, regiment).owed else ""


# -- step 5: the end of the activation ---------------------------------------------------------------------------------


@step
def end_activation(battle: Battle) -> Step:
    """What happens at the end, then the turn passes, or a character's regiment follows him (TLAOK-ACT-19, -23)."""
    acting = battle.acting
    assert acting is not None
    regiment = battle.units[acting.unit]
    if not regiment.fate and regiment.on_table and not acting.character:
        ending = Triggers("ending")
        for stand in regiment.figures:
            at(Keyword.when_ending, (regiment.keywords_of(stand),), ending, battle, regiment, stand)
        yield from run(battle, regiment, ending)
        if friends_under(battle, regiment):
            # Something drove it elsewhere than off its friends.
            clear_off(battle, regiment)
    for each in battle.units.values():
        each.end_effects("activation")
    battle.tell(ActivationEnded("TLAOK-ACT-19", regiment.id))
    check_lines(battle)
    battle.acting = None
    if battle.over:
        return
    if acting.character and not acting.chained and (yield from chain(battle, regiment)):
        return
    battle.turn = OTHER[regiment.side]
    battle.then(draw_card)


def chain(battle: Battle, regiment: Regiment) -> Asking[bool]:
    """After a character his player may turn over the next card: his own regiment acts at once (TLAOK-CHAIN); not after
    one who fell, and is attached to nobody any more."""
    side = regiment.side
    if not battle.stacks[side] or not regiment.led:
        return False
    options = [Option("draw", "chain"), Option("no", "chain")]
    about = {"regiment": regiment.id, "character": regiment.character.id if regiment.character is not None else ""}
    if (yield from pick_one(side, options, "chain_draw", "TLAOK-CHAIN-01", about)) == "no":
        return False
    card = take_card(battle, side)
    follows = (
        card == regiment.profile.id
        and not regiment.activated
        and regiment.reserve != "reinforcements"
        and regiment.kind != "monster"
    )
    if not follows:
        battle.tell(CardReturned("TLAOK-CHAIN-03", side, card))
        put_stack(battle, side, (*battle.stacks[side], card))
        put_drawn(battle, side, battle.drawn[side][:-1])
        return False
    battle.then(activate, regiment.id, True)
    return True


@step
def concede(battle: Battle, side: int) -> None:
    """A player gives up, whatever he is asked (TLAOK-VICT-05)."""
    battle.tell(Conceded("TLAOK-VICT-05", side))
    end_battle(battle, "conceded", "TLAOK-VICT-05", winner=OTHER[side])
