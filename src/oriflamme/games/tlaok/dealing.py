"""What one side does not know, dealt anew for it: the other's stack, his secondary objectives, the decks."""

from __future__ import annotations

from collections import Counter
from random import Random

from oriflamme.games.tlaok.army.factions import FACTIONS
from oriflamme.games.tlaok.state import Battle


def deal(battle: Battle, seen: Battle, side: int, random: Random) -> None:
    """The stack in some order, under the cards that were turned up since; objectives from the deck of his faction."""
    decks = [deck_of(battle, of) for of in (0, 1)]
    if not any(battle.secrets) and not battle.round:
        battle.decks = (decks[0], decks[1])
    stacks, secrets = list(battle.stacks), list(battle.secrets)
    for other in (0, 1):
        if other != side:
            stacks[other] = _stack(battle, seen, other, random)
            hand = len(secrets[other])
            secrets[other] = tuple(random.sample(decks[other], hand)) if hand <= len(decks[other]) else ()
    battle.stacks = (stacks[0], stacks[1])
    battle.secrets = (secrets[0], secrets[1])
    battle.seen_by = None


def _stack(battle: Battle, seen: Battle, side: int, random: Random) -> tuple[str, ...]:
    drawn = seen.drawn[side][len(battle.drawn[side]) :]
    left = list((Counter(battle.stacks[side]) - Counter(drawn)).elements())
    random.shuffle(left)
    return (*left, *reversed(drawn)) if len(left) + len(drawn) == len(battle.stacks[side]) else tuple(left)


def deck_of(battle: Battle, side: int) -> tuple[str, ...]:
    """The whole deck of a side: that of the faction which has all its regiments; else all cards there are."""
    known = {regiment.profile.id for regiment in battle.units_of(side)}
    for faction in FACTIONS.all().values():
        if known <= set(faction.units):
            return tuple(card.id for card in faction.deck for _ in range(card.copies))
    return tuple(battle.lore["secondaries"])
