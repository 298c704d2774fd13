"""Characters (TLAOK-CHAR): what they do with their own card besides duels and spells, and how they die fighting.

Attachment is in `setup`, the chain with the own regiment in `activation`, wounds and removal in `wounds`.
"""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.combat.attacks import dice_of
from oriflamme.games.tlaok.combat.clash import strike_at
from oriflamme.games.tlaok.events import LastStandMade
from oriflamme.games.tlaok.losses.aftermath import resolves
from oriflamme.games.tlaok.losses.morale import rally_as_it_stands
from oriflamme.games.tlaok.regiment.contact import stands_touching
from oriflamme.games.tlaok.rounds.actions import action
from oriflamme.games.tlaok.state import Asking, Battle, Regiment


def why_not_rally_them(battle: Battle, regiment: Regiment) -> Refusal | None:
    """Only the Broken are rallied (TLAOK-BROKEN-10)."""
    return None if regiment.broken else Refusal("TLAOK-BROKEN-10", "not_broken", {"regiment": regiment.id})


@action("rally", "TLAOK-BROKEN-10", engaged=None, why_not=why_not_rally_them, character=True)
def rally_them(battle: Battle, regiment: Regiment) -> Asking[None]:
    """He takes Broken away from his regiment, as if it had rallied itself (TLAOK-CHAR-15, TLAOK-BROKEN-10)."""
    yield from rally_as_it_stands(battle, regiment)


# -- last stand --------------------------------------------------------------------------------------------------------


def may_stand_last(battle: Battle, regiment: Regiment) -> bool:
    """Whether a character whose regiment is destroyed has a blow left: unless both have acted this round, or only if
    neither has (TLAOK-LAST-01, -02)."""
    character = regiment.character
    if character is None:
        return False
    acted = (character.acted, regiment.acted)
    return not (any(acted) if battle.option("tlaok.lastStand") == "onlyIfNeitherActed" else all(acted))


@resolves("last_stand")
def last_stand(battle: Battle, id: str) -> Asking[None]:
    """His regiment is destroyed: he strikes one of the enemies who touch his own stand, with his own attacks, before he
    is removed (TLAOK-LAST-01); if nobody does he is simply removed (TLAOK-LAST-02)."""
    regiment = battle.units[id]
    hero, character = regiment.hero, regiment.character
    if hero is None or character is None or not may_stand_last(battle, regiment):
        return
    near = [
        enemy.id
        for enemy in battle.engaged(regiment)
        if enemy.troops and hero in stands_touching(battle, regiment, enemy)
    ]
    if not near:
        return
    about = {"regiment": regiment.id, "character": character.id}
    key = yield from pick_one(
        regiment.side, [Option.thing(k) for k in near], "choose_last_stand", "TLAOK-LAST-01", about
    )
    battle.tell(LastStandMade("TLAOK-LAST-01", regiment.id, character.id, key))
    yield from strike_at(battle, regiment, battle.units[key], [(hero, dice_of(battle, regiment, hero, "clash"))])
