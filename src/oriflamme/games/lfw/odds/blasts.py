"""What an explosion may bring: whether it goes astray, how far and in which of the 3,600 directions, who is caught
there, and what is left of them (LFW-SR-EQP-07a to -07c)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import hypot
from typing import NamedTuple

from oriflamme.engine.core.dice import DIRECTIONS, Dice
from oriflamme.engine.geometry.measure import TOLERANCE, inches
from oriflamme.engine.geometry.shapes import Point
from oriflamme.engine.odds import Distribution, play_out
from oriflamme.games.lfw.areas import Impact, aim_of, blast, drifted
from oriflamme.games.lfw.attacks import attack_value
from oriflamme.games.lfw.odds.wounds import NOTHING, Law, Tolls, amount_law, mixed, tolls_of
from oriflamme.games.lfw.rolls import plain_throw, roll_test
from oriflamme.games.lfw.shooting import PLAIN, Blast, Terms
from oriflamme.games.lfw.sight import cover_from
from oriflamme.games.lfw.state import Asking, Battle, Model, Part


class Caught(NamedTuple):
    """Somebody who is caught: behind which cover, and whether the point is on him."""

    model: str
    cover: int
    on_point: bool


def astray_law(battle: Battle, part: Part, what: Blast, terms: Terms = PLAIN) -> Distribution[int]:
    """How many inches the point drifts: none if the hit roll succeeds."""
    aim = aim_of(battle, part, what.weapon, terms)

    def rolled(dice: Dice) -> bool:
        (outcome,) = play_out(roll_test(plain_throw(dice), part.side, 1, "hit", aim.judge, aim.rerolls["hit"], part.id))
        return outcome.success

    far = amount_law(what.drift)
    return Distribution.of(rolled).then(lambda stays: Distribution.always(0) if stays else far)


def blast_tolls(battle: Battle, part: Part, what: Blast, point: Point, terms: Terms = PLAIN) -> Tolls:
    """Wounds of everybody whom an explosion may catch that is aimed at a point, by part. Each is counted as if the
    others were not hurt."""
    places = _places(battle, part, what, point, terms)
    # Wherever the point lies, who is caught alike suffers alike: each of them is counted once.
    shares: dict[Caught, Fraction] = {}
    seen_from: dict[Caught, Impact] = {}
    for caught, (spot, share) in places:
        for one in caught:
            shares[one] = shares.get(one, Fraction(0)) + share
            seen_from.setdefault(one, spot)
    laws: dict[str, list[tuple[Law, Fraction]]] = {}
    known: dict[Impact, Tolls] = {}
    for one, share in shares.items():
        spot = seen_from[one]
        if spot not in known:
            known[spot] = tolls_of(battle, lambda twin, spot=spot: _burst(twin, part.id, what, spot, terms))  # type: ignore[misc]
        for victim in battle.units[one.model].alive:
            laws.setdefault(victim.id, []).append((known[spot].get(victim.id, NOTHING), share))
    return {
        id: mixed([*found, (NOTHING, 1 - sum((share for _, share in found), Fraction(0)))])
        for id, found in laws.items()
    }


def _burst(battle: Battle, id: str, what: Blast, spot: Impact, terms: Terms) -> Asking[None]:
    """It explodes where it has come to lie."""
    part = battle.part(id)
    number = yield from attack_value(battle, part, what.weapon)
    yield from blast(battle, part, what, spot, number, terms)


def _places(
    battle: Battle, part: Part, what: Blast, point: Point, terms: Terms
) -> Iterable[tuple[tuple[Caught, ...], tuple[Impact, Fraction]]]:
    """Where the point may come to lie, how likely, and who is caught there."""
    for far, chance in astray_law(battle, part, what, terms).items():
        directions = range(DIRECTIONS) if far else range(1)
        share = chance / len(directions)
        for tenths in directions:
            spot = drifted(battle, point, far, tenths / 10)
            caught = tuple(_caught(battle, what, spot))
            if caught:
                yield caught, (spot, share)


def _caught(battle: Battle, what: Blast, spot: Impact) -> Iterable[Caught]:
    reach = inches(what.radius) + TOLERANCE
    for model in battle.there():
        if not _may_be_near(battle, model, spot, reach):
            continue
        gap = spot.gap(battle, model)
        if gap <= reach:
            cover = cover_from(battle, *spot, model) if battle.table.pieces or model.board else 0
            yield Caught(model.id, cover, bool(what.stronger) and gap <= TOLERANCE)


def _may_be_near(battle: Battle, model: Model, spot: Impact, reach: float) -> bool:
    """A look in plan, where no opening leads anywhere else."""
    body = model.body
    return bool(battle.table.openings) or hypot(body.x - spot.x, body.y - spot.y) - body.radius <= reach
