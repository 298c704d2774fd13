"""What a battle shows of the special rules: which of them had a part in it.

Those that speak at a moment of the flow are noticed there. The others are settled when an army is mustered and are seen
only in what came of them: who rides, who comes when he says, who passes over everything, who shoots.
"""

from __future__ import annotations

from collections.abc import Iterable

from oriflamme.engine.core.events import Event
from oriflamme.games.tlaok.events import ArrivalPicked, CharacterAttached, Charged, Entered, Marched, VolleyShot
from oriflamme.games.tlaok.state import Battle, Regiment

# Special rules that are what a stand is, by what they have a part in.
_ARRIVING = frozenset({"Flank", "Forward Force"})
_COMING_IN = frozenset({"Irregular"})
_MOVING = frozenset({"Fly"})
_JOINING = frozenset({"Rider"})


def keywords_seen(events: Iterable[Event], battle: Battle) -> set[str]:
    """The special rules that these events of a battle show at work."""
    seen: set[str] = set()
    for event in events:
        match event:
            case ArrivalPicked(regiment=id, rule="TLAOK-SR-FLANK-01"):
                seen |= _held(battle.units[id], _ARRIVING)
            case Entered(regiment=id):
                # From now on it counts for no reinforcement line.
                seen |= _held(battle.units[id], _COMING_IN)
            case Marched(regiment=id) | Charged(regiment=id):
                seen |= _held(battle.units[id], _MOVING)
            case CharacterAttached(regiment=id):
                seen |= _held(battle.units[id], _JOINING)
            case VolleyShot():
                seen.add("Barrage")
    return seen


def _held(regiment: Regiment, wanted: frozenset[str]) -> set[str]:
    """Which of these special rules its stands have, those that fell too."""
    stands = (*regiment.figures, *regiment.fallen)
    return {keyword.title for stand in stands for keyword in stand.profile.keywords if keyword.title in wanted}
