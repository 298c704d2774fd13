"""Marching a block by what is typed, in any game: `ahead 3, wheel left 30, ahead 2`, `to b2`, `face ne`.

Only the shapes and the legs are known here; the rules judge every way that is tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import cos, hypot, pi, radians, sin
from typing import Any, NamedTuple

from oriflamme.cli.blocks import Shift, refusal_of
from oriflamme.cli.words import WAYS, plain
from oriflamme.engine.blocks.bodies import Pose, Side, advanced, sidled, wheeled
from oriflamme.engine.core.decisions import Manoeuvre
from oriflamme.engine.geometry.shapes import facing_towards

# What may be typed for a leg, in both languages.
_LEGS = {
    "ahead": "ahead forward avant", "back": "back backward arriere recul", "left": "left gauche",
    "right": "right droite", "wheel": "wheel conversion", "turn": "turn face tourne", "at": "at",
}  # fmt: skip
_VERBS = {word: leg for leg, words in _LEGS.items() for word in words.split()}
# The eight ways a block may look, in words of the interface, counterclockwise from the far edge.
COMPASS = ("north", "northwest", "west", "southwest", "south", "southeast", "east", "northeast")
_STEP = 2.0  # millimetres, and so many degrees: how finely a leg is shortened until it is legal
_MOST = 12  # legs of one way

Finder = Callable[[str], tuple[float, float, float | None] | None]


class Leg(NamedTuple):
    """One leg as it was typed; `amount` is None for as far as may be."""

    kind: str
    side: Side = "left"
    amount: float | None = None
    spot: tuple[float, float] | None = None


def compass(facing: float) -> str:
    """Which of the eight ways that is, nearly."""
    return COMPASS[round(facing / (pi / 4)) % 8]


def is_way(typed: str) -> bool:
    """Whether that begins like legs."""
    return plain(typed).split(" ")[0] in _VERBS


def legs_of(typed: str, step: float, printed: float, spot: Finder) -> list[Leg] | str:
    """The legs of a way, or the part that cannot be made out.

    `step` and `printed` are the measures of lengths and of places in millimetres; `spot` finds the place of a name or
    of coordinates.
    """
    legs: list[Leg] = []
    for part in re.split(r"\s*[,;]\s*(?=[^\W\d])", typed.strip()):
        verb, _, rest = part.partition(" ")
        leg = _leg(_VERBS.get(plain(verb), ""), rest.strip(), step, printed, spot)
        if leg is None or len(legs) == _MOST:
            return part
        legs.append(leg)
    return legs


def _leg(kind: str, rest: str, step: float, printed: float, spot: Finder) -> Leg | None:
    if kind in ("ahead", "back", "left", "right"):
        if not rest:
            return Leg(kind)
        far = _number(rest)
        return Leg(kind, amount=far * step) if far is not None else None
    if kind == "wheel":
        side, _, angle = rest.partition(" ")
        way = _VERBS.get(plain(side))
        turn = _number(angle)
        if way not in ("left", "right") or (angle and turn is None):
            return None
        return Leg(kind, "left" if way == "left" else "right", None if turn is None else radians(turn))
    if kind == "turn":
        compass_way = WAYS.get(plain(rest).replace(" ", ""))
        if compass_way is not None:
            return Leg(kind, amount=radians(compass_way) - pi / 2)
        found = spot(rest)
        return Leg(kind, spot=found[:2]) if found else None
    if kind != "at":
        return None
    along = _number(rest)
    if along is not None:
        return Leg(kind, amount=along * printed)
    found = spot(rest)
    return Leg(kind, spot=found[:2]) if found else None


def _number(text: str) -> float | None:
    """A single number, with a point or a comma, and the sign of its measure if somebody writes it."""
    found = re.fullmatch(r"(\d{1,4}(?:[.,]\d{1,3})?)\s*(?:[\"″°]|in|deg)?", text)
    return float(found[1].replace(",", ".")) if found else None


class Block:
    """The block a decision is about: where it stands, and how it moves."""

    def __init__(self, decision: Manoeuvre) -> None:
        self.decision = decision
        self.id = next(iter(decision.blocks))
        self.start = Pose(*decision.blocks[self.id])
        self.body = decision.bodies[self.id]

    def answer(self, path: list[Pose]) -> dict[str, Any]:
        return {self.id: [list(pose) for pose in path]}

    def walk(self, legs: list[Leg], reach: float) -> Shift:
        """The way the legs lead; a last leg without a number, or one that is refused, goes as far as it may."""
        path = [self.start]
        for leg in legs[:-1]:
            path = self._after(path, leg, reach if leg.amount is None else leg.amount)
        last = legs[-1]
        wanted = last.amount if last.amount is not None else pi if last.kind == "wheel" else reach
        whole = self._after(path, last, wanted)
        refusal = refusal_of(self.decision, self.answer(whole))
        if refusal is None:
            return Shift(self.answer(whole), _length(whole), None)
        if last.kind not in ("at", "turn"):
            for amount in _shorter(wanted, radians(_STEP) if last.kind == "wheel" else _STEP):
                tried = self._after(path, last, amount)
                if refusal_of(self.decision, self.answer(tried)) is None:
                    return Shift(self.answer(tried), _length(tried), None if last.amount is None else refusal)
        return Shift(None, 0.0, refusal)

    def _after(self, path: list[Pose], leg: Leg, amount: float) -> list[Pose]:
        """The way with one more leg; a wheel in two parts, so that half a turn and more is not taken for less the
        other way."""
        pose = path[-1]
        match leg.kind:
            case "ahead":
                return [*path, advanced(pose, amount)]
            case "back":
                return [*path, advanced(pose, -amount)]
            case "right":
                return [*path, sidled(pose, amount)]
            case "left":
                return [*path, sidled(pose, -amount)]
            case "wheel":
                wide, deep = self.body.width, self.body.depth
                return [*path, *(wheeled(pose, wide, deep, leg.side, part) for part in (amount / 2, amount))]
            case "turn":
                towards = amount if leg.spot is None else facing_towards(pose.x, pose.y, *leg.spot)
                return [*path, Pose(pose.x, pose.y, towards)]
        # Where it begins: a place, or how far along the line on which it waits.
        if leg.spot is not None:
            return [Pose(*leg.spot, pose.facing)]
        across = abs(cos(pose.facing)) > abs(sin(pose.facing))
        along = amount - (pose.x if across else pose.y)
        return [Pose(pose.x + along * across, pose.y + along * (not across), pose.facing)]

    def towards(self, x: float, y: float, reach: float) -> Shift:
        """Its middle towards a point, at most `reach`: there if there is a way, else by a wheel and straight ahead
        as near as that comes."""
        start = self.start
        away = hypot(x - start.x, y - start.y)
        ahead = facing_towards(start.x, start.y, x, y)
        refusal = None
        if away <= reach:
            for facing in (ahead, start.facing):
                path = [Pose(x, y, facing)]
                stopped = refusal_of(self.decision, self.answer(path))
                if stopped is None:
                    return Shift(self.answer(path), away, None)
                refusal = refusal or stopped
        turn = (ahead - start.facing + pi) % (2 * pi) - pi
        side: Side = "left" if turn > 0 else "right"
        best: tuple[float, list[Pose]] | None = None
        for share in (1.0, 0.75, 0.5, 0.25, 0.0):
            wheel = self._after([start], Leg("wheel", side), abs(turn) * share) if share else [start]
            most = min(reach, hypot(x - wheel[-1].x, y - wheel[-1].y))
            for far in (most, *_shorter(most, 4 * _STEP), 0.0):
                path = self._after(wheel, Leg("ahead"), far) if far else wheel
                missing = hypot(x - path[-1].x, y - path[-1].y)
                if best is not None and missing >= best[0]:
                    continue
                stopped = refusal_of(self.decision, self.answer(path))
                if stopped is None:
                    best = (missing, path)
                    break
                refusal = refusal or stopped
        return Shift(None, 0.0, refusal) if best is None else Shift(self.answer(best[1]), _length(best[1]), refusal)


def _length(path: list[Pose]) -> float:
    return sum(hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(path))


def _shorter(whole: float, step: float) -> Iterator[float]:
    """Ever less of it, down to a step."""
    number = int(whole / step)
    yield from (step * k for k in range(number, 0, -1) if step * k < whole)
