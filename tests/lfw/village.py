"""A battle on a table with roofs, doors and a lamp, played to the first normal moves: for whoever looks or moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from oriflamme.engine.core.decisions import Decision, PickOne, Place
from oriflamme.engine.core.play import Play
from oriflamme.games import load

# Two houses side by side with flat roofs, a gap of an inch between them, and a door in the south of the first.
VILLAGE: Mapping[str, Any] = {
    "name": {"en": "Two houses", "fr": "Deux maisons"},
    "size": [24, 24],
    "piece": [
        {"id": "house", "kind": "building", "at": [6, 4.5], "size": [5, 3], "height": 2.5, "levels": [2.5]},
        {"id": "barn", "kind": "building", "at": [12.5, 4.5], "size": [6, 3], "height": 2, "levels": [2]},
        {"id": "hill", "kind": "hill", "at": [12, 12], "radius": 4, "slopes": "all"},
        {"id": "wall", "kind": "wall", "at": [18.5, 7], "size": [5, 0.4], "height": 0.9},
        {"id": "wood", "kind": "forest", "at": [4.5, 14], "radius": 2.2},
        {"id": "pool", "kind": "stream", "at": [20.5, 13], "size": [4, 3]},
        {"id": "pit", "kind": "hollow", "at": [18.5, 20], "size": [4, 3], "height": -1.5, "slopes": [1]},
        {"id": "ruin", "kind": "ruin", "at": [5.5, 20], "size": [5, 4]},
        {"id": "lamp", "kind": "torch", "at": [9.2, 7.4], "radius": 0.3},
    ],
    "board": [{"of": "house"}],
    "opening": [
        {"id": "front_door", "kind": "door", "piece": "house", "at": [6, 3]},
        {"id": "side_window", "kind": "window", "piece": "house", "at": [3.5, 4.5]},
    ],
}
INCH = 25.4
# Where some stand: before the door, beside the barn, on both roofs, behind the houses, and a rider by the wall.
SPOTS = {
    "a1": (17.0, 4.0), "a2": (20.0, 4.0), "a3": (6.0, 1.9), "a4": (11.0, 2.2), "a5": (12.5, 3.7), "a6": (22.5, 4.0),
    "a7": (6.0, 4.5), "a8": (8.2, 2.2), "a9": (18.0, 1.2), "a10": (19.2, 1.2), "a11": (20.4, 1.2), "a12": (21.6, 1.2),
    "a13": (22.8, 1.2), "a14": (16.5, 1.2),
}  # fmt: skip


# The same houses, farther apart, with a window at the back, and an archer of the other side who can see through it.
BACK_WINDOW = {"id": "back_window", "kind": "window", "piece": "house", "at": [6, 6]}
BACKED: Mapping[str, Any] = VILLAGE | {
    "piece": [piece | {"at": [12.9, 4.5]} if piece["id"] == "barn" else piece for piece in VILLAGE["piece"]],
    "opening": [*VILLAGE["opening"], BACK_WINDOW],
}
ARCHER = {"b1": (6.0, 18.4)}
# Just inside the front door, on the board of the room.
INSIDE = (28.5, 0.52)


def at_first_moves(
    spots: Mapping[str, tuple[float, float]],
    *,
    light: str = "day",
    seed: int = 4,
    players: int = 2,
    village: Mapping[str, Any] = VILLAGE,
) -> Play:
    """Everybody deployed, those who are named where it is said in inches, and the first side asked who moves."""
    rules = load("lfw")
    lists = ["hearth_ride", "thorn_hunt", "tide_boarding", "cinder_hunt"][:players]
    setup = rules.setup(seed, lists=lists, choices={"light": light, "players": str(players)}) | {"map": dict(village)}
    play = Play(rules, setup, seed)
    pass_until(play, lambda asked: asked.ask == "choose_mover" and asked.side == 0, spots)
    return play


def pass_until(
    play: Play, stop: Callable[[Decision], bool], spots: Mapping[str, tuple[float, float]] | None = None
) -> Decision:
    """Everybody passes where he can, and does what is suggested where he cannot, until this is asked."""
    while play.pending:
        decision = play.pending[0]
        if stop(decision):
            return decision
        answer: Any = decision.suggestion()
        if isinstance(decision, PickOne) and "pass" in decision.keys():
            answer = "pass"
        if isinstance(decision, Place):
            (figure,) = decision.figures
            if spots and figure in spots:
                answer = {figure: [spots[figure][0] * INCH, spots[figure][1] * INCH]}
        refusal = play.answer(decision.side, answer)
        assert refusal is None, (decision.ask, answer, refusal)
    raise AssertionError("it was never asked")


def at_the_door() -> Play:
    """A sergeant has gone into the house; in the next turn his side is asked what it does: he may block the door."""
    play = at_first_moves(SPOTS | ARCHER, village=BACKED)
    way = [[6 * INCH, 2.48 * INCH], [INSIDE[0] * INCH, INSIDE[1] * INCH, "front_door"]]
    for answer in ("a3", {"a3": way}):
        refusal = play.answer(0, answer)
        assert refusal is None, refusal
    pass_until(play, lambda asked: isinstance(asked, PickOne) and "block_opening:a3" in asked.keys())
    return play
