"""The course of a battle: rounds, and wardens who act in turn (BEACON-BATTLE, BEACON-ACT)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import Dice
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import move_figures, pick_one
from oriflamme.engine.core.steps import Step, Steps
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.table.walks import Walk

from .events import BattleEnded, Fought, Moved, RoundBegan
from .wardens import WIDTH, Battle, Card, Keyword, Warden, book

ROUNDS = 5  # BEACON-BATTLE-03
HOLDS = inches(4)  # BEACON-BATTLE-03
ARM = inches(1)  # BEACON-ACT-02
steps = Steps()


@steps.step
def begin_round(battle: Battle) -> None:
    """Everybody may act again; side A begins the odd rounds (BEACON-BATTLE-02)."""
    battle.round += 1
    battle.turn = (battle.round - 1) % 2
    for warden in battle.units.values():
        warden.acted = False
    battle.tell(RoundBegan("BEACON-BATTLE-02", battle.round, battle.turn))
    battle.then(next_warden)


@steps.step
def next_warden(battle: Battle) -> Step:
    """The side whose turn it is picks a warden who has not acted; if it has none, the other does (BEACON-BATTLE-02)."""
    for side in (battle.turn, 1 - battle.turn):
        waiting = [Option(w.id, "unit", {"unit": w.id}) for w in battle.alive(side) if not w.acted]
        if waiting:
            battle.turn = side
            id = yield from pick_one(side, waiting, "choose_warden", "BEACON-BATTLE-02")
            battle.then(act, id)
            return
    battle.then(begin_round if battle.round < ROUNDS else end_battle)


@steps.step
def act(battle: Battle, id: str) -> Step:
    """A warden acts.

    1. He may move.                              BEACON-ACT-01
    2. He may strike an enemy who is near him.   BEACON-ACT-02
    """
    warden = battle.units[id]
    walk = Walk(battle, warden, inches(move_of(warden.card)), "BEACON-ACT-01")
    about = {"unit": id, "reach": walk.in_measure(walk.reach)}
    moves = yield from move_figures(warden.side, walk.figures, walk.check, walk.propose, "move", walk.rule, about)
    if moves:
        battle.tell(Moved(walk.rule, id, walk.go(moves)))

    near = [foe for foe in battle.alive(1 - warden.side) if gap(warden, foe) <= ARM + TOLERANCE]
    if near:
        options = [*(Option(foe.id, "strike", {"target": foe.id}) for foe in near), Option("none", "none")]
        target = yield from pick_one(warden.side, options, "strike", "BEACON-ACT-02", {"unit": id})
        if target != "none":
            strike(battle, warden, battle.units[target])

    warden.acted = True
    battle.turn = 1 - warden.side
    battle.then(next_warden if battle.alive(0) and battle.alive(1) else end_battle)


def move_of(card: Card) -> int:
    """How many inches he moves, with his special rules (BEACON-ACT-01)."""
    added = [card.move]
    at(Keyword.before_move, (book.set_of(map(book.parse, card.rules)),), added)
    return sum(added)


def gap(warden: Warden, foe: Warden) -> float:
    one, other = warden.figures[0], foe.figures[0]
    return hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius


def strike(battle: Battle, warden: Warden, foe: Warden) -> None:
    """Who has less falls (BEACON-ACT-03)."""
    faces, totals = fight(battle.dice, warden.card, foe.card)
    fallen = "" if totals[0] == totals[1] else warden.id if totals[0] < totals[1] else foe.id
    if fallen:
        loser = battle.units[fallen]
        loser.fallen, loser.figures = loser.figures, []
    battle.tell(Fought("BEACON-ACT-03", warden.id, foe.id, faces, totals, fallen))


def fight(dice: Dice, one: Card, other: Card) -> tuple[tuple[int, int], tuple[int, int]]:
    """Both roll a die and add their Might: the faces, and the totals (BEACON-ACT-03)."""
    faces = (dice.d6(), dice.d6())
    return faces, (faces[0] + one.might, faces[1] + other.might)


def score(battle: Battle) -> tuple[int, int]:
    """Wardens of each side within 4" of the beacon (BEACON-BATTLE-03)."""

    def near(side: int) -> int:
        figures = [warden.figures[0] for warden in battle.alive(side)]
        return sum(hypot(f.x - WIDTH / 2, f.y - WIDTH / 2) <= HOLDS + TOLERANCE for f in figures)

    return near(0), near(1)


@steps.step
def end_battle(battle: Battle) -> None:
    """Who has lost everybody has lost; otherwise the beacon decides (BEACON-BATTLE-03)."""
    a, b = held = score(battle)
    if not (battle.alive(0) and battle.alive(1)):
        a, b = len(battle.alive(0)), len(battle.alive(1))
    battle.winner = None if a == b else int(b > a)
    battle.over = True
    battle.tell(BattleEnded("BEACON-BATTLE-03", -1 if battle.winner is None else battle.winner, held))
