"""What a player may use once, or so many times: the Hero's re-roll, band upgrades, the points of a belt.

A resource belongs to a moment at which its owner is asked. The flow offers whatever there is with `offer` and names
nobody. If nothing can be used, nobody is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oriflamme.engine.decisions import Option, PickOne
from oriflamme.games.sbh.events import ResourceUsed
from oriflamme.games.sbh.state import Asking, Battle, Fighter

# A use: the key to answer with, the rule, and what it does (the fighter it concerns, how much of it is used).
Use = tuple[str, str, str, int]


def has(battle: Battle, side: int, upgrade: str) -> bool:
    return upgrade in battle.upgrades[side]


def spend(battle: Battle, side: int, upgrade: str, rule: str, fighter: str = "") -> None:
    """A band upgrade is used up."""
    held = list(battle.upgrades)
    held[side] = held[side] - {upgrade}
    battle.upgrades = (held[0], held[1])
    battle.tell(ResourceUsed(rule, side, upgrade, fighter))


def ask(battle: Battle, side: int, question: str, rule: str, keys: list[str], about: dict[str, Any]) -> Asking[str]:
    """Which of these is used, if any: "none" or a key."""
    if not keys:
        return "none"
    answer: str = yield PickOne(side, [Option("none"), *map(Option, keys)], question, rule, about, default="none")
    return answer


def before_combat(
    battle: Battle, fighter: Fighter, opponent: Fighter, manner: str
) -> Asking[list[tuple[int, str, str]]]:
    """What a fighter adds to a combat roll before the dice: Weapon Masters, points of a Belt of Strength."""
    keys = []
    if has(battle, fighter.side, "weapon_masters"):
        keys.append("weapon_masters")
    item = fighter.bears("belt")
    if item is not None:
        keys += [f"belt:{n}" for n in range(1, item.left + 1)]
        if "weapon_masters" in keys:
            keys += [f"weapon_masters+belt:{n}" for n in range(1, item.left + 1)]
    if not keys:
        return []
    about = {"fighter": fighter.id, "target": opponent.id, "manner": manner}
    used = yield from ask(battle, fighter.side, "strengthen_roll", "SBH-COMBAT-02", keys, about)
    added: list[tuple[int, str, str]] = []
    for part in used.split("+"):
        if part == "weapon_masters":
            spend(battle, fighter.side, "weapon_masters", "SBH-UPG-WEAPONMASTERS-01", fighter.id)
            added.append((2, "Weapon Masters", "SBH-UPG-WEAPONMASTERS-01"))
        elif part.startswith("belt:"):
            number = int(part.partition(":")[2])
            assert item is not None
            battle.tell(ResourceUsed("SBH-ITEM-BELT-01", fighter.side, "belt", fighter.id, number))
            fighter.equip(item.less(number))
            added.append((number, "Belt of Strength", "SBH-ITEM-BELT-01"))
    return added


def reroll(battle: Battle, fighter: Fighter, faces: list[int], about: dict[str, Any]) -> Asking[int]:
    """Which of his dice a Hero rolls again, once per game: its index, or -1 (SBH-SR-HERO-02)."""
    if not fighter.profile.hero or fighter.rerolled or not faces:
        return -1
    keys = list(dict.fromkeys(f"die:{face}" for face in faces))
    about = {"fighter": fighter.id, "faces": list(faces), **about}
    used = yield from ask(battle, fighter.side, "reroll_die", "SBH-SR-HERO-02", keys, about)
    if used == "none":
        return -1
    fighter.rerolled = True
    battle.tell(ResourceUsed("SBH-SR-HERO-02", fighter.side, "hero", fighter.id))
    return faces.index(int(used.partition(":")[2]))


def tricks_on(battle: Battle, fighters: Iterable[Fighter], **about: str) -> Asking[list[Fighter]]:
    """Dirty Tricks: before an action or its dice, a side may cancel one special rule of one enemy whom it concerns
    (SBH-UPG-DIRTYTRICKS-01). Magic items and band upgrades are no special rules (-02).

    Gives back who was tricked; `end_tricks` ends it when the action or roll is over.
    """
    tricked = []
    for side in (0, 1):
        if has(battle, side, "dirty_tricks"):
            victims = dict.fromkeys(f for f in fighters if f.side != side)
            keys = [f"{victim.id}:{title}" for victim in victims for title in victim.own.titles]
            used = yield from ask(battle, side, "play_dirty_trick", "SBH-UPG-DIRTYTRICKS-01", keys, dict(about))
            if used != "none":
                id, _, title = used.partition(":")
                spend(battle, side, "dirty_tricks", "SBH-UPG-DIRTYTRICKS-01", id)
                battle.units[id].trick(title)
                tricked.append(battle.units[id])
    return tricked


def end_tricks(tricked: list[Fighter]) -> None:
    """What was cancelled works again."""
    for victim in tricked:
        victim.trick("")
