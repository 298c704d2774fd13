"""Who controls an objective zone (TLAOK-CTRL)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import Disc, gap
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.state import Battle, Regiment, Stand, Zone
from oriflamme.games.tlaok.trials import effects_on


class Holding:
    """What one stand counts for at a zone: as capturing and as being there. Special rules may change it."""

    __slots__ = ("always", "capturing", "denies", "there")

    def __init__(self, capturing: int, there: int) -> None:
        self.capturing = capturing
        self.there = there
        # Whether its side controls the zone whatever else is there (TLAOK-CTRL-09), or keeps the enemy from capturing.
        self.always = False
        self.denies = False


def in_range(battle: Battle, stand: Stand, zone: Zone) -> bool:
    """Any part of the stand lies on the zone; with the house rule, all of it (TLAOK-CTRL-11)."""
    box = stand.rectangle
    corners = box.corners(stand.x, stand.y, stand.facing)
    if battle.option("tlaok.zoneRange") == "wholly":
        return all(hypot(x - zone.x, y - zone.y) <= zone.radius + TOLERANCE for x, y in corners)
    return gap(box, stand.x, stand.y, stand.facing, Disc(zone.radius), zone.x, zone.y, 0.0) <= TOLERANCE


def counts_for(battle: Battle, regiment: Regiment, stand: Stand) -> Holding:
    """Light stands do not capture, Medium and Heavy ones count one, Monsters three (TLAOK-CTRL-03 to -08)."""
    many = 3 if regiment.kind == "monster" and stand.role != "character" else 1
    capturing = 0 if regiment.weight == "light" else many
    holding = Holding(capturing, 1 if battle.option("tlaok.monsterPresence") == "1" else many)
    # What makes a stand count as so many more for capturing, or control the zone whatever is there (-04, -09).
    for effect in effects_on(regiment, stand, "capturing"):
        holding.capturing += effect.add
    holding.always = any(effects_on(regiment, stand, "controls"))
    at(Keyword.when_holding, (battle.rules_of(regiment, stand),), holding, battle, regiment)
    if regiment.broken or regiment.refused:
        holding.capturing = 0
        holding.always = False
    if regiment.broken:
        holding.denies = False
    return holding


def count(battle: Battle, zone: Zone) -> tuple[list[int], list[int], list[bool], list[bool]]:
    """Stands that capture, stands that are there, by side; who always controls it, who denies it to the other."""
    capturing, there, always, denies = [0, 0], [0, 0], [False, False], [False, False]
    for regiment in battle.present():
        if regiment.garrison:
            continue
        for stand in regiment.figures:
            if in_range(battle, stand, zone):
                holding = counts_for(battle, regiment, stand)
                capturing[regiment.side] += holding.capturing
                there[regiment.side] += holding.there
                always[regiment.side] |= holding.always
                denies[regiment.side] |= holding.denies
    return capturing, there, always, denies


def owner_of(battle: Battle, zone: Zone) -> tuple[int, list[int], list[int]]:
    """Who controls a zone, -1 for nobody: more stands that capture and more that are there (TLAOK-CTRL-02, -10)."""
    capturing, there, always, denies = count(battle, zone)
    owner = -1
    both = battle.option("tlaok.controlMajority") == "both"
    for side in (0, 1):
        more = capturing[side] > capturing[1 - side] and (not both or there[side] > there[1 - side])
        if more and not denies[1 - side]:
            owner = side
    if always[0] != always[1]:
        owner = 0 if always[0] else 1
    return owner, capturing, there
