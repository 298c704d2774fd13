"""Poses of a block, wherever and whichever way it looks: a proof that none of them will do.

Poses have three dimensions, and what makes one legal is seldom an equation that can be solved. But from one pose to
another no point of a block moves further than the middle does and the turn takes it. So one look at the middle of a box
of poses may exclude them all; if it does not, the box is halved.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, pi, sin
from typing import Final

from oriflamme.engine.blocks.bodies import Pose

# Boxes in which nothing moves further than this are not halved any more.
_FINEST: Final = 0.25


def none_will_do(
    might: Callable[[Pose, float], bool], x: float, y: float, radius: float, far: float, boxes: int
) -> bool:
    """It is proven that no pose with its middle within the radius of a point will do.

    `might(pose, slack)` may say no only if no pose will do in which every point is within the slack of where it is in
    this one; `far` is how far points are from the middle at most. True is a proof. False says nothing: some pose may
    do, or so many boxes were too few to tell.
    """
    stack = [(x, y, 0.0, radius, pi)]
    for _ in range(boxes):
        if not stack:
            return True
        cx, cy, facing, half, turn = stack.pop()
        across, around = half * 2**0.5, 2 * far * sin(min(turn, pi) / 2)
        if hypot(cx - x, cy - y) > radius + across or not might(Pose(cx, cy, facing), across + around):
            continue
        if across + around <= _FINEST:
            return False
        if around > across:
            half_turn = turn / 2
            stack += [(cx, cy, facing + side * half_turn, half, half_turn) for side in (-1.0, 1.0)]
        else:
            quarter = half / 2
            stack += [(cx + i * quarter, cy + j * quarter, facing, quarter, turn) for i in (-1, 1) for j in (-1, 1)]
    return not stack
