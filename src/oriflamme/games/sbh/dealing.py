"""What one side does not know, dealt anew for it: a band that is not deployed yet, and what ambush markers hide."""

from __future__ import annotations

from collections import Counter
from math import hypot
from random import Random

from oriflamme.games.sbh.bands import BANDS, load_band
from oriflamme.games.sbh.fighters import Band
from oriflamme.games.sbh.random_bands import random_band
from oriflamme.games.sbh.setup import field
from oriflamme.games.sbh.state import Battle, Fighter, Marker


def deal(battle: Battle, seen: Battle, side: int, random: Random) -> None:
    """A band of the size agreed on; behind markers, as many fighters as have not been seen."""
    other = 1 - side
    hidden = [m for m in battle.markers if m.kind == "ambush" and m.side == other]
    if hidden:
        _behind_markers(battle, seen, other, hidden, random)
    elif not battle.start[other] and not any(f.side == other for f in battle.units.values()):
        for card in _some_band(battle, random).to_data()["fighters"]:
            fighter = field(battle, card, other)
            battle.units[fighter.id] = fighter
        _in_order(battle)


def _in_order(battle: Battle) -> None:
    """The first side's fighters come first, as in the battle itself."""
    battle.units = {f.id: f for side in (0, 1) for f in battle.units.values() if f.side == side}


def _behind_markers(battle: Battle, seen: Battle, side: int, hidden: list[Marker], random: Random) -> None:
    left = {m.id for m in seen.markers}
    holds: dict[str, str] = {}
    for fighter in [f for f in seen.units.values() if f.side == side and f.id not in battle.units]:
        # He was behind the marker that was turned over where he stands.
        spot = seen.start_spots.get(fighter.id, (fighter.x, fighter.y))
        gone = [m for m in hidden if m.id not in left and m.id not in holds]
        if gone:
            marker = min(gone, key=lambda m: hypot(m.x - spot[0], m.y - spot[1]))
            _hide(battle, Fighter(fighter.id, side, fighter.profile, fighter.width, dict(fighter.card)))
            holds[marker.id] = fighter.id
    free = [m for m in hidden if m.id in left]
    number = battle.start[side] - sum(f.side == side for f in battle.units.values())
    for marker in random.sample(free, min(max(0, number), len(free))):
        fighter = _another(battle, side, random)
        _hide(battle, fighter)
        holds[marker.id] = fighter.id
    battle.markers = tuple(
        Marker(m.id, m.kind, m.x, m.y, m.radius, m.side, holds.get(m.id, "")) if m in hidden else m
        for m in battle.markers
    )
    _in_order(battle)


def _hide(battle: Battle, fighter: Fighter) -> None:
    fighter.reserve = "marker"
    battle.units[fighter.id] = fighter


def _another(battle: Battle, side: int, random: Random) -> Fighter:
    """Somebody of a band that is like what was seen of it, who was not seen himself."""
    there = Counter(str(f.card["card"]) for f in battle.units.values() if f.side == side)
    bands = [_some_band(battle, random) for _ in range(3)]
    cards = max(
        ([dict(card) for card in band.to_data()["fighters"]] for band in bands),
        key=lambda cards: sum((there & Counter(str(card["card"]) for card in cards)).values()),
    )
    random.shuffle(cards)
    unseen = [card for card in cards if there[str(card["card"])] < sum(c["card"] == card["card"] for c in cards)]
    return field(battle, (unseen or cards)[0], side)


def _some_band(battle: Battle, random: Random) -> Band:
    """A ready-made band if there are any of that size, else one mustered by chance."""
    ready = [load_band(name, battle.options) for name in sorted(BANDS.ready)]
    ready = [band for band in ready if band.points == battle.points]
    return random.choice(ready) if ready else random_band(random, battle.points, battle.options)
