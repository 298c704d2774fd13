"""Decay (TLAOK-SR-DECAY): wounds of its own at the end of an activation."""

from __future__ import annotations

from typing import Final

from oriflamme.engine.core.dice import sorting
from oriflamme.games.tlaok.events import Decayed
from oriflamme.games.tlaok.keywords.holding import Decay
from oriflamme.games.tlaok.losses.wounds import Cause, hurt_character, take_wounds
from oriflamme.games.tlaok.moments import KeywordSet
from oriflamme.games.tlaok.state import Asking, Battle, Regiment
from oriflamme.games.tlaok.triggers import Trigger

ROTTEN: Final = sorting((0, 0, 0, 0, 1, 1))  # 5 and 6 (TLAOK-SR-DECAY-01)


def _decay(battle: Battle, regiment: Regiment) -> Asking[None]:
    """X dice for each stand, the character's too; each 5 or 6 is a wound on the regiment (TLAOK-SR-DECAY-01, -03).

    With tlaok.decayCharacter = ownStand the dice of a character's stand wound the character.
    """
    hero = regiment.hero
    x = _number(regiment.keywords_of(regiment.troops[0]))
    own = x + _number(hero.profile.keywords) if hero is not None else 0
    apart = battle.option("tlaok.decayCharacter") == "ownStand"
    wounds = _roll(battle, regiment, x * len(regiment.troops) + (0 if apart else own))
    yield from take_wounds(battle, regiment, wounds, Cause("TLAOK-SR-DECAY-01", "decay", morale=False))
    if apart and own and not regiment.fate:
        wounds = _roll(battle, regiment, own)
        yield from hurt_character(battle, regiment, wounds, Cause("TLAOK-SR-DECAY-03", "decay", morale=False))


def _number(held: KeywordSet) -> int:
    decay = held.get(Decay)
    return decay.x if decay is not None else 0


def _roll(battle: Battle, regiment: Regiment, dice: int) -> int:
    _, wounds = battle.dice.sort(dice, ROTTEN)
    battle.tell(Decayed("TLAOK-SR-DECAY-01", regiment.id, dice, wounds, tuple(battle.dice.last)))
    return wounds


DECAY: Final = Trigger("decay", "TLAOK-SR-DECAY-01", _decay)
