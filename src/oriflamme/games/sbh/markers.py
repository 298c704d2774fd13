"""Markers: ambushers in hiding (SBH-SCEN-AMBUSH), places to search, treasure and items (SBH-SCEN-TREASURE, -ITEM)."""

from __future__ import annotations

from math import hypot

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.geometry.measure import TOLERANCE
from oriflamme.engine.geometry.shapes import point_segment_distance
from oriflamme.games.sbh.events import (
    FOUND,
    ItemDrawn,
    MarkerRevealed,
    MarkerSearched,
    MarkersRemoved,
    PrizeBroughtOff,
    PrizeHandedOver,
    PrizeOffered,
    PrizeTaken,
)
from oriflamme.games.sbh.movement import gait_of, put
from oriflamme.games.sbh.runs import free_spot
from oriflamme.games.sbh.state import Asking, Battle, Fighter, Item, Marker

ITEMS = ("sword", "javelins", "cloak", "ring", "belt", "scroll")
RULES = {"treasure": "SBH-SCEN-TREASURE-03", "item": "SBH-SCEN-ITEM-02"}
BELT = 3  # SBH-ITEM-BELT-01


# -- ambushers ---------------------------------------------------------------------------------------------------------


def ambushes(battle: Battle, side: int | None = None) -> list[Marker]:
    """The ambush markers on the table, of one side or of both."""
    return [m for m in battle.markers if m.kind == "ambush" and (side is None or m.side == side)]


def discard(battle: Battle, *gone: Marker) -> None:
    battle.markers = tuple(m for m in battle.markers if m not in gone)


def reveal(battle: Battle, marker: Marker) -> Fighter | None:
    """A marker is turned over: its fighter stands there, or it was a decoy (SBH-SCEN-AMBUSH-05, -06)."""
    if marker not in battle.markers:
        return None
    discard(battle, marker)
    fighter = battle.units[marker.holds] if marker.holds else None
    battle.tell(MarkerRevealed("SBH-SCEN-AMBUSH-05", marker.side, marker.id, fighter.id if fighter else ""))
    if fighter is not None:
        fighter.reserve = None
        put(battle, fighter, *_free_spot(battle, fighter, marker))
        # He has been there all along (SBH-HIDE-01).
        spot = (marker.x, marker.y, battle.table.height_at(marker.x, marker.y))
        battle.start_spots = {**battle.start_spots, fighter.id: spot}
    if not any(m.holds for m in ambushes(battle, marker.side)):
        left = ambushes(battle, marker.side)
        if left:
            discard(battle, *left)
            battle.tell(MarkersRemoved("SBH-SCEN-AMBUSH-06", tuple(m.id for m in left)))
    return fighter


def _free_spot(battle: Battle, fighter: Fighter, marker: Marker) -> tuple[float, float]:
    """Where the marker lies, or as near to it as there is room: somebody may have come to stand on it, or he may be too
    large to stand so near to a rock or an edge."""
    table, gait = battle.table, gait_of(battle, fighter)
    others = [f for f in battle.present() if f is not fighter]

    def fits(x: float, y: float) -> bool:
        return (
            table.holds(fighter.body.base, x, y, 0.0)
            and all(gait.may_stand(piece) for piece in table.touching(x, y, fighter.radius - TOLERANCE))
            and all(hypot(x - f.x, y - f.y) >= fighter.radius + f.radius - TOLERANCE for f in others)
        )

    spot = battle.ruler.spot(marker.x, marker.y)
    if fits(*spot):
        return spot
    # Only a table without any room is left to fall back on the marker's own place.
    return free_spot(battle, fighter, marker.x, marker.y, fits) or (marker.x, marker.y)


def struck(battle: Battle, wanted: str) -> Fighter | None:
    """Who is attacked: a fighter, or what an attacked marker hides; None for a decoy (SBH-SCEN-AMBUSH-04, -05)."""
    if wanted in battle.units:
        return battle.units[wanted]
    marker = next(m for m in battle.markers if m.id == wanted)
    return reveal(battle, marker)


def ambush_in_the_way(battle: Battle, fighter: Fighter, x: float, y: float) -> list[Marker]:
    """The enemy markers that a straight move runs into, the nearest first; a flyer runs into where it lands."""
    found = []
    start = (x, y) if fighter.profile.flies else (fighter.x, fighter.y)
    for marker in ambushes(battle, 1 - fighter.side):
        near = point_segment_distance(marker.x, marker.y, *start, x, y)
        if near < fighter.radius + marker.radius - TOLERANCE:
            found.append(marker)
    return sorted(found, key=lambda m: hypot(m.x - fighter.x, m.y - fighter.y))


def look_around(battle: Battle, fighter: Fighter, start: tuple[float, float]) -> None:
    """A move within Long of ambush markers brings them to light (SBH-SCEN-AMBUSH-04)."""
    if not battle.markers or (fighter.x, fighter.y) == start:
        return
    long = battle.ruler.sticks.long
    for marker in ambushes(battle, 1 - fighter.side):
        if _nearest(battle, fighter, start, marker) <= long + TOLERANCE:
            reveal(battle, marker)


def _nearest(battle: Battle, fighter: Fighter, start: tuple[float, float], marker: Marker) -> float:
    if battle.ruler.grid is not None:
        return min(
            battle.ruler.between(x, y, fighter.radius, marker.x, marker.y, marker.radius)
            for x, y in ((fighter.x, fighter.y), start)
        )
    near = point_segment_distance(marker.x, marker.y, *start, fighter.x, fighter.y)
    return near - fighter.radius - marker.radius


# -- treasure and items ------------------------------------------------------------------------------------------------


def is_beside(battle: Battle, fighter: Fighter, marker: Marker) -> bool:
    """Adjacent to a marker: in contact, or on it."""
    apart = battle.ruler.between(fighter.x, fighter.y, fighter.radius, marker.x, marker.y, marker.radius)
    return apart <= (TOLERANCE if battle.ruler.grid is None else 1)


def search(battle: Battle, fighter: Fighter) -> None:
    """As soon as he is adjacent to a marker a die tells whether it is the one (SBH-SCEN-TREASURE-03, -04)."""
    for marker in battle.markers:
        if marker.kind not in RULES or marker not in battle.markers or not is_beside(battle, fighter, marker):
            continue
        last = battle.searched >= 2
        face = 0 if last else battle.dice.d6()
        found = last or face >= FOUND
        battle.tell(MarkerSearched(RULES[marker.kind], fighter.id, marker.id, face, found))
        if found:
            others = [m for m in battle.markers if m.kind in RULES]
            discard(battle, *others)
            battle.markers = (*battle.markers, Marker("prize", "prize", marker.x, marker.y, marker.radius))
        else:
            battle.searched += 1
            discard(battle, marker)


def _prizes(battle: Battle, fighter: Fighter) -> list[Marker]:
    return [m for m in battle.markers if m.kind == "prize" and is_beside(battle, fighter, m)]


def _is_item(battle: Battle, marker: Marker) -> bool:
    return marker.item is not None or battle.scenario == "item"


def why_not_take(battle: Battle, fighter: Fighter, marker: Marker, actions: int) -> Refusal | None:
    """Why he cannot take up what lies there (SBH-SCEN-TREASURE-05, -08, SBH-SCEN-ITEM-03, -04)."""
    item = _is_item(battle, marker)
    if item and fighter.profile.animal:
        return Refusal("SBH-SCEN-ITEM-04", "animals_cannot", {"fighter": fighter.id})
    if fighter.helpless:
        return Refusal("SBH-FALLEN-02", "helpless", {"fighter": fighter.id})
    if battle.enemies_at(fighter):
        return Refusal("SBH-SCEN-TREASURE-08", "engaged", {"fighter": fighter.id})
    if not is_beside(battle, fighter, marker):
        return Refusal("SBH-SCEN-ITEM-03" if item else "SBH-SCEN-TREASURE-05", "not_adjacent", {"fighter": fighter.id})
    if item and fighter.item is not None and not fighter.item.drained:
        return Refusal("SBH-SCEN-ITEM-03", "bears_one_already", {"fighter": fighter.id})
    if actions < 2:
        rule = "SBH-SCEN-ITEM-03" if item else "SBH-SCEN-TREASURE-05"
        return Refusal(rule, "too_few_actions", {"needed": 2, "actions": actions})
    return None


def why_not_give(battle: Battle, fighter: Fighter, friend: Fighter) -> Refusal | None:
    """Why he cannot hand over what he carries (SBH-SCEN-ITEM-06)."""
    if not carried(fighter):
        return Refusal("SBH-SCEN-ITEM-06", "carries_nothing", {"fighter": fighter.id})
    if friend.side != fighter.side or not battle.in_contact(fighter, friend):
        return Refusal("SBH-SCEN-ITEM-06", "not_adjacent", {"fighter": friend.id})
    if friend.activated and not any(a.actions.get(friend.id) for a in battle.acting):
        return Refusal("SBH-SCEN-ITEM-06", "cannot_receive", {"fighter": friend.id})
    if not fighter.carries and friend.profile.animal:
        return Refusal("SBH-SCEN-ITEM-04", "animals_cannot", {"fighter": friend.id})
    if not fighter.carries and friend.item is not None and not friend.item.drained:
        return Refusal("SBH-SCEN-ITEM-06", "bears_one_already", {"fighter": friend.id})
    return None


def carried(fighter: Fighter) -> bool:
    """Whether he has something to hand over."""
    return fighter.carries or (fighter.item is not None and not fighter.item.drained)


def to_take(battle: Battle, fighter: Fighter, actions: int) -> list[str]:
    """What he may take up."""
    if not battle.markers:
        return []
    return [m.id for m in _prizes(battle, fighter) if why_not_take(battle, fighter, m, actions) is None]


def to_give(battle: Battle, fighter: Fighter) -> list[str]:
    """The friends whom he may offer what he carries."""
    if not carried(fighter) or fighter.offers:
        return []
    friends = (f for f in battle.touching(fighter) if f.side == fighter.side)
    return [f.id for f in friends if why_not_give(battle, fighter, f) is None]


def to_receive(battle: Battle, fighter: Fighter) -> list[str]:
    """The friends from whom he may receive what they have offered him."""
    return [f.id for f in battle.touching(fighter) if f.offers == fighter.id and carried(f)]


def why_not_take_up(battle: Battle, fighter: Fighter, id: str, actions: int) -> Refusal | None:
    marker = next((m for m in battle.markers if m.id == id), None)
    return why_not_take(battle, fighter, marker, actions) if marker is not None else None


def why_not_give_to(battle: Battle, fighter: Fighter, id: str) -> Refusal | None:
    return why_not_give(battle, fighter, battle.units[id]) if id in battle.units else None


def why_not_receive(battle: Battle, fighter: Fighter, id: str) -> Refusal | None:
    friend = battle.units.get(id)
    if friend is not None and friend.offers != fighter.id:
        return Refusal("SBH-SCEN-ITEM-06", "nothing_offered", {"fighter": friend.id})
    return None


def take(battle: Battle, fighter: Fighter, id: str) -> Asking[None]:
    """He takes up what lies there (SBH-SCEN-TREASURE-05, SBH-SCEN-ITEM-03)."""
    yield from ()
    marker = next(m for m in battle.markers if m.id == id)
    discard(battle, marker)
    if _is_item(battle, marker):
        battle.tell(PrizeTaken("SBH-SCEN-ITEM-03", fighter.id, "item"))
        fighter.equip(marker.item if marker.item is not None else draw_item(battle, fighter))
    else:
        fighter.carries = True
        battle.tell(PrizeTaken("SBH-SCEN-TREASURE-05", fighter.id, "treasure"))


def give(battle: Battle, fighter: Fighter, id: str) -> Asking[None]:
    """He offers what he carries to a friend, who has to receive it (SBH-SCEN-ITEM-06)."""
    yield from ()
    fighter.offers = id
    battle.tell(PrizeOffered("SBH-SCEN-ITEM-06", fighter.id, id))


def receive(battle: Battle, fighter: Fighter, id: str) -> Asking[None]:
    """He receives what a friend has offered him (SBH-SCEN-ITEM-06)."""
    yield from ()
    giver = battle.units[id]
    giver.offers = ""
    if giver.carries:
        giver.carries, fighter.carries = False, True
    else:
        item = giver.item
        giver.equip(None)
        fighter.equip(item)
    battle.tell(PrizeHandedOver("SBH-SCEN-ITEM-06", giver.id, fighter.id))


def draw_item(battle: Battle, fighter: Fighter) -> Item:
    """Roll on the item table; javelins and scrolls need another die (SBH-ITEM)."""
    face = battle.dice.d6()
    kind = ITEMS[face - 1]
    left = battle.dice.d6() if kind in ("javelins", "scroll") else BELT if kind == "belt" else 0
    item = Item(kind, left if kind != "scroll" else 0, left if kind == "scroll" else 0, prize=True)
    rule = f"SBH-ITEM-{kind.upper()}-01"
    battle.tell(ItemDrawn(rule, fighter.id, face, kind, left))
    return item


def bring_off(battle: Battle, fighter: Fighter) -> None:
    """The treasure leaves the table by the edge by which the band entered: that decides the game
    (SBH-SCEN-TREASURE-06)."""
    if fighter.carries:
        battle.prize = fighter.side
        battle.tell(PrizeBroughtOff("SBH-SCEN-TREASURE-06", fighter.id))
