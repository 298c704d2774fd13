"""What a formation is on the table: who touches whom, who is how far from whom (RN3-UNIT-10, RN3-FORM-02, -05)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import in_cm
from oriflamme.engine.geometry.shapes import Point
from oriflamme.games.rn3.contact import touches
from oriflamme.games.rn3.measures import CONTACT, LEADER_REACH, LEAST_GAP, NEIGHBOUR
from oriflamme.games.rn3.state import Battle, Fighter, Unit

Disc3 = tuple[float, float, float]


def standing(unit: Unit) -> dict[str, Point]:
    """Where everybody of a unit stands."""
    return {f.id: (f.x, f.y) for f in unit.figures}


def why_not_formation(
    battle: Battle,
    unit: Unit,
    formation: str,
    places: Mapping[str, Point],
    *,
    touching: frozenset[str] = frozenset(),
) -> Refusal | None:
    """The reason a unit that stood there would not be in this formation; exact.

    1. A single model always is.                                                       RN3-FORM-10
    2. A chain of 2.5 cm holds everybody together, nobody is 10 cm from the leader.    RN3-UNIT-10
    3. Compact: all hang together by touching, each touches two others.                RN3-FORM-02
    4. Dispersed: nobody is nearer than 0.5 cm to another, unless it touches an enemy. RN3-FORM-05
    5. A crew stands by its machine instead.                                           RN3-WM-06

    `touching` are the enemy units that the unit may be placed in contact with.
    """
    figures = unit.figures
    if len(figures) < 2:
        return None
    spots = [(*places[f.id], f.radius) for f in figures]
    if unit.machine is not None:
        return _why_not_crew(unit, spots)
    apart = _gaps(spots)
    if formation == "compact":
        refusal = _why_not_compact(figures, apart)
    else:
        refusal = _why_not_chained(figures, apart, NEIGHBOUR) or _too_close(battle, figures, spots, apart, touching)
    return refusal or _too_far_from_leader(unit, spots)


def is_in_formation(battle: Battle, unit: Unit, formation: str | None = None) -> bool:
    """The unit stands as its formation asks."""
    formation = formation or unit.formation
    return why_not_formation(battle, unit, formation, standing(unit)) is None


def _gaps(spots: Sequence[Disc3]) -> list[list[float]]:
    """The gaps between all pairs: row i holds those to the ones before i."""
    return [
        [hypot(x - spots[j][0], y - spots[j][1]) - r - spots[j][2] for j in range(i)]
        for i, (x, y, r) in enumerate(spots)
    ]


def _parts(apart: Sequence[Sequence[float]], reach: float) -> list[int]:
    """For each, the first of those it hangs together with by gaps within reach."""
    head = list(range(len(apart)))
    for i, row in enumerate(apart):
        for j, gap in enumerate(row):
            if gap <= reach and head[i] != head[j]:
                keep, drop = min(head[i], head[j]), max(head[i], head[j])
                head = [keep if h == drop else h for h in head]
    return head


def _why_not_chained(figures: Sequence[Fighter], apart: Sequence[Sequence[float]], reach: float) -> Refusal | None:
    head = _parts(apart, reach + CONTACT)
    if max(head) == 0:
        return None
    lonely = next(i for i, h in enumerate(head) if h)
    gap = min(
        apart[max(i, j)][min(i, j)]
        for i, h in enumerate(head)
        for j, g in enumerate(head)
        if h == head[lonely] and g != head[lonely]
    )
    facts = {"figure": figures[lonely].id, "gap": in_cm(gap), "limit": in_cm(reach)}
    return Refusal("RN3-UNIT-10", "chain_broken", facts)


def _why_not_compact(figures: Sequence[Fighter], apart: Sequence[Sequence[float]]) -> Refusal | None:
    number = len(figures)
    needed = min(2, number - 1)
    touched = [0] * number
    for i, row in enumerate(apart):
        for j, gap in enumerate(row):
            if gap <= CONTACT:
                touched[i] += 1
                touched[j] += 1
    for figure, count in zip(figures, touched, strict=True):
        if count < needed:
            return Refusal("RN3-FORM-02", "not_touching", {"figure": figure.id, "touched": count, "needed": needed})
    head = _parts(apart, CONTACT)
    if max(head):
        lonely = next(i for i, h in enumerate(head) if h)
        return Refusal("RN3-FORM-02", "block_in_parts", {"figure": figures[lonely].id})
    return None


def _too_close(
    battle: Battle,
    figures: Sequence[Fighter],
    spots: Sequence[Disc3],
    apart: Sequence[Sequence[float]],
    touching: frozenset[str],
) -> Refusal | None:
    for i, row in enumerate(apart):
        for j, gap in enumerate(row):
            if gap < LEAST_GAP - CONTACT and not (
                _meets(battle, spots[i], touching) or _meets(battle, spots[j], touching)
            ):
                facts = {"figure": figures[i].id, "gap": in_cm(max(0.0, gap)), "least": in_cm(LEAST_GAP)}
                return Refusal("RN3-FORM-05", "too_close_together", facts)
    return None


def _meets(battle: Battle, spot: Disc3, units: frozenset[str]) -> bool:
    """A base there touches one of these units: it was placed in contact (RN3-FORM-05)."""
    x, y, r = spot
    return any(
        hypot(f.x - x, f.y - y) - f.radius - r <= CONTACT
        for id in units
        if id in battle.units
        for f in battle.units[id].figures
    )


def _too_far_from_leader(unit: Unit, spots: Sequence[Disc3]) -> Refusal | None:
    leader = unit.leading
    lx, ly, lr = spots[unit.figures.index(leader)]
    for figure, (x, y, r) in zip(unit.figures, spots, strict=True):
        gap = hypot(x - lx, y - ly) - r - lr
        if gap > LEADER_REACH + CONTACT:
            facts = {"figure": figure.id, "gap": in_cm(gap), "limit": in_cm(LEADER_REACH)}
            return Refusal("RN3-UNIT-10", "too_far_from_leader", facts)
    return None


def _why_not_crew(unit: Unit, spots: Sequence[Disc3]) -> Refusal | None:
    """The crew hold together by 2.5 cm, and so many as work the machine are within 2.5 cm of it (RN3-WM-06, -07)."""
    machine = unit.machine
    assert machine is not None
    at = unit.figures.index(machine)
    crew = [f for f in unit.figures if f is not machine]
    others = [spot for number, spot in enumerate(spots) if number != at]
    refusal = _why_not_chained(crew, _gaps(others), NEIGHBOUR)
    if refusal is not None:
        return Refusal("RN3-WM-06", refusal.why, refusal.facts)
    mx, my, mr = spots[at]
    away = sorted((hypot(x - mx, y - my) - r - mr, f.id) for f, (x, y, r) in zip(crew, others, strict=True))
    regular = min(len(crew), unit.regular_crew)
    for gap, id in away[:regular]:
        if gap > NEIGHBOUR + CONTACT:
            return Refusal(
                "RN3-WM-06", "away_from_machine", {"figure": id, "gap": in_cm(gap), "limit": in_cm(NEIGHBOUR)}
            )
    return None


def breaks(unit: Unit, places: Mapping[str, Point]) -> int:
    """At how many places the coherency of a unit that stood there would be broken (RN3-UNIT-10): the gaps between the
    parts it falls into, and who is too far from the leader; with a machine, who is missing at it (RN3-WM-06).

    It changes only where somebody comes to 2.5 cm or 10 cm from another.
    """
    figures = unit.figures
    spots = {f.id: (*places[f.id], f.radius) for f in figures}
    chained = [spots[f.id] for f in figures if f is not unit.machine]
    gaps = len(set(_parts(_gaps(chained), NEIGHBOUR + CONTACT))) - 1 if chained else 0
    lx, ly, lr = spots[(unit.machine or unit.leading).id]
    away = [hypot(x - lx, y - ly) - r - lr for x, y, r in chained]
    if unit.machine is None:
        return gaps + sum(gap > LEADER_REACH + CONTACT for gap in away)
    present = sum(gap <= NEIGHBOUR + CONTACT for gap in away)
    return gaps + max(0, min(len(chained), unit.regular_crew) - present)


def looseness(unit: Unit, formation: str, places: Mapping[str, Point]) -> float:
    """How far a unit is from its formation: the gaps it would have to close, and to open; 0 if none (RN3-UNIT-11)."""
    spots = [(*places[f.id], f.radius) for f in unit.figures]
    if len(spots) < 2:
        return 0.0
    reach = CONTACT if formation == "compact" and unit.machine is None else NEIGHBOUR
    apart = _gaps(spots)
    total = 0.0
    # The shortest links that would hold all together.
    joined, out = {0}, set(range(1, len(spots)))
    while out:
        gap, next_ = min((apart[max(i, j)][min(i, j)], j) for i in joined for j in out)
        total += max(0.0, gap - reach)
        joined.add(next_)
        out.remove(next_)
    lx, ly, lr = spots[unit.figures.index(unit.leading)]
    total += sum(max(0.0, hypot(x - lx, y - ly) - r - lr - LEADER_REACH) for x, y, r in spots)
    if unit.machine is not None:
        total += sum(max(0.0, hypot(x - lx, y - ly) - r - lr - NEIGHBOUR) for x, y, r in spots)
    elif reach == CONTACT:
        # Each is to touch two others.
        for i in range(len(spots)):
            nearest = sorted(apart[max(i, j)][min(i, j)] for j in range(len(spots)) if j != i)[:2]
            total += sum(max(0.0, gap - CONTACT) for gap in nearest)
    else:
        total += sum(max(0.0, LEAST_GAP - gap) for row in apart for gap in row)
    return total


def in_contact_with_enemy(battle: Battle, unit: Unit) -> bool:
    return any(touches(f, e) for enemy in battle.enemies_of(unit.side) for e in enemy.figures for f in unit.figures)
