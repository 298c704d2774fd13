"""The Supremacy Phase (TLAOK-SUPR): who plays first, and the abilities of the Warlords."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.characters.abilities import abilities_of, use_ability
from oriflamme.games.tlaok.events import PhaseBegan, RolledOff, SupremacyUsed
from oriflamme.games.tlaok.state import Asking, Battle, Character, Regiment, Step, step


def roll_off(battle: Battle, about: str, rule: str) -> int:
    """Each side rolls a die; the lowest wins, ties are rolled again (TLAOK-DICE-14)."""
    while True:
        faces = (battle.dice.d6(), battle.dice.d6())
        winner = None if faces[0] == faces[1] else 0 if faces[0] < faces[1] else 1
        battle.tell(RolledOff(rule, about, faces, faces, winner))
        if winner is not None:
            return winner


@step
def supremacy_phase(battle: Battle) -> Step:
    """The First Player is found; then each may use an ability, the First Player first."""
    battle.tell(PhaseBegan("TLAOK-ROUND-01", "supremacy"))
    battle.first = yield from find_first(battle)
    for side in (battle.first, 1 - battle.first):
        yield from offer_abilities(battle, side)


def find_first(battle: Battle) -> Asking[int]:
    """A roll-off in which the player with fewer cards may change his die by one (TLAOK-SUPR-01 to -05)."""
    sizes = [len(stack) for stack in battle.stacks]
    while True:
        faces = (battle.dice.d6(), battle.dice.d6())
        changed = list(faces)
        if sizes[0] != sizes[1]:
            side = 0 if sizes[0] < sizes[1] else 1
            options = [Option(key, "modifier") for key in ("0", "-1", "+1")]
            about = {"faces": list(faces), "own": faces[side], "other": faces[1 - side]}
            # -1 wins or ties more; +1 hands over the first turn.
            default = "-1" if faces[side] >= faces[1 - side] else "0"
            key = yield from pick_one(side, options, "change_die", "TLAOK-SUPR-02", about, default=default)
            changed[side] += int(key)
        winner = None if changed[0] == changed[1] else 0 if changed[0] < changed[1] else 1
        battle.tell(RolledOff("TLAOK-SUPR-01", "first", faces, (changed[0], changed[1]), winner))
        if winner is not None:
            return winner


def warlords(battle: Battle, side: int) -> list[tuple[Regiment, Character]]:
    """The Warlord of a side, if he is still there."""
    return [
        (r, r.character) for r in battle.units_of(side) if r.character is not None and r.character.warlord and r.led
    ]


def offer_abilities(battle: Battle, side: int) -> Asking[None]:
    """One ability of the Warlord, once in the game, if he is on the table (TLAOK-SUPR-06 to -10)."""
    able = []
    for regiment, hero in warlords(battle, side):
        for ability in abilities_of(battle, hero):
            if ability.always or (ability.once and ability.id in battle.used[side]):
                continue
            if regiment.on_table or ability.anywhere:
                able.append((regiment, hero, ability))
    if not able:
        return
    options = [Option("none", "ability")]
    options += [Option(a.id, "ability", {"character": hero.id, "does": a.id}, r.led_by) for r, hero, a in able]
    key = yield from pick_one(side, options, "use_supremacy", "TLAOK-SUPR-06", {"round": battle.round}, default="none")
    for regiment, hero, ability in able:
        if ability.id == key:
            used = list(battle.used)
            used[side] |= {ability.id}
            battle.used = (used[0], used[1])
            battle.tell(SupremacyUsed("TLAOK-SUPR-06", side, hero.id, ability.id))
            yield from use_ability(battle, regiment, hero, ability)
