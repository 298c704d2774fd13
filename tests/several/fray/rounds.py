"""The course of a fray (FRAY-ROUND, FRAY-END)."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option, PickOne
from oriflamme.engine.core.questions import answers_to, pick_one
from oriflamme.engine.core.steps import Step, Steps, due

from .events import FrayEnded, RoundBegan, SideLeft, SignsShown, Struck
from .gangs import Battle, Pack

steps = Steps()
ROUNDS, LONGEST = 3, 5  # FRAY-END-01, FRAY-END-02


@steps.step
def begin_round(battle: Battle) -> Step:
    """Everybody chooses a sign in secret (FRAY-ROUND-01)."""
    battle.round += 1
    battle.tell(RoundBegan("FRAY-ROUND-01", battle.round))
    able = [side for side in battle.playing if battle.standing(side)]
    signs = [Option(str(n), "sign", {"n": n}) for n in (1, 2, 3)]
    chosen = yield from answers_to(*(PickOne(side, signs, "sign", "FRAY-ROUND-01", secret=True) for side in able))

    by_side = dict(zip(able, map(int, chosen), strict=True))
    battle.signs = tuple(by_side.get(side, 0) for side in range(battle.sides))
    battle.omens = tuple(side for side, sign in by_side.items() if battle.signs.count(sign) == 1)
    battle.tell(SignsShown("FRAY-ROUND-01", battle.signs, battle.omens))
    battle.then_all(*(due(go, side) for side in able), due(prowl), due(end_round))


@steps.step
def go(battle: Battle, side: int) -> Step:
    """A player strikes at an enemy, or lets it be (FRAY-ROUND-02)."""
    own, enemies = battle.standing(side), [pack for pack in battle.units_against(side) if pack.figures]
    if not own or not enemies:
        return
    options = [*(Option.thing(p.id, "strike", {"target": p.id}) for p in enemies), Option("none", "none")]
    about = {"unit": own[0].id}
    key = yield from pick_one(side, options, "strike", "FRAY-ROUND-02", about, default="none", passing="none")
    if key != "none":
        strike(battle, own[0], battle.units[key], 4 - (side in battle.omens), "FRAY-ROUND-02")


@steps.step
def prowl(battle: Battle) -> None:
    """The beasts, which nobody owns, strike (FRAY-ROUND-03)."""
    for side in range(battle.players, battle.sides):
        for beast in battle.standing(side):
            prey = next((pack for pack in battle.units_against(side) if pack.figures), None)
            if prey is not None:
                strike(battle, beast, prey, 5, "FRAY-ROUND-03")


def strike(battle: Battle, pack: Pack, target: Pack, needed: int, rule: str) -> None:
    face = battle.dice.d6()
    if face >= needed:
        target.fallen.append(target.figures.pop())
        target.update_bounds()
    battle.tell(Struck(rule, pack.id, target.id, face, needed, face >= needed))


@steps.step
def end_round(battle: Battle) -> None:
    """It may be over (FRAY-END-01, FRAY-END-02)."""
    battle.survived = tuple(n + bool(battle.standing(side)) for side, n in enumerate(battle.survived))
    longest = LONGEST if battle.endures else ROUNDS
    battle.then(end_fray if battle.round >= longest or not opposed(battle) else begin_round)


def opposed(battle: Battle) -> bool:
    """Two sides are left that are enemies, and somebody to play one of them."""
    left = [side for side in range(battle.sides) if battle.standing(side)]
    players = any(side in battle.playing for side in left)
    return players and any(not battle.are_friends(a, b) for a in left for b in left)


@steps.step
def end_fray(battle: Battle) -> None:
    """Whoever has most has won, with his ally (FRAY-END-01); nobody, where they endure (FRAY-END-02)."""
    fighters = [sum(len(pack.figures) for pack in battle.units_of(side)) for side in range(battle.sides)]
    best = [side for side, number in enumerate(fighters) if number and number == max(fighters)]
    battle.end(() if battle.endures else {friend for side in best for friend in battle.friendly_sides(side)})
    score = battle.survived if battle.endures else tuple(fighters)
    battle.tell(FrayEnded("FRAY-END-02" if battle.endures else "FRAY-END-01", battle.winners, score))


@steps.step
def leave(battle: Battle, side: int) -> None:
    """Who concedes is taken off the table; the others play on (FRAY-END-03)."""
    for pack in battle.units_of(side):
        pack.fallen, pack.figures = pack.fallen + pack.figures, []
    battle.track = [step for step in battle.track if step != due(go, side)]
    battle.tell(SideLeft("FRAY-END-03", side))
    if not opposed(battle):
        battle.track.clear()
        battle.then(end_fray)
