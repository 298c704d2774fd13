"""What a player may use once, or so many times: the Hero's re-roll, band upgrades, the points of a belt.

A resource belongs to a moment at which its owner is asked. The flow announces the moment to the upgrades that a band
has left (`upgrades_of`) and names nobody. If nothing can be used, nobody is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.keywords import ask_at, at
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.sbh.events import ItemDrained, ResourceUsed
from oriflamme.games.sbh.moments import Upgrade, UpgradeSet, upgrade_book
from oriflamme.games.sbh.state import Asking, Battle, Fighter, Item

# -- what moments of bands are about -----------------------------------------------------------------------------------


class RollBonus:
    """What a side adds to a die."""

    __slots__ = ("amount",)

    def __init__(self) -> None:
        self.amount = 0


class Company:
    """Those who are about to be activated together. Difficult ground does not hinder whoever is `sure_footed`."""

    __slots__ = ("battle", "members", "sure_footed")

    def __init__(self, battle: Battle, members: Sequence[Fighter]) -> None:
        self.battle = battle
        self.members = members
        self.sure_footed = ""


class Mishap:
    """Something bad that is about to befall a fighter, `about` being what his player is told of it."""

    __slots__ = ("about", "averted", "battle", "fighter")

    def __init__(self, battle: Battle, fighter: Fighter, **about: Any) -> None:
        self.battle = battle
        self.fighter = fighter
        self.about = {"fighter": fighter.id, **about}
        self.averted = False


class Matter:
    """An action or a roll on which special rules of some fighters bear, unless one is cancelled for the moment."""

    __slots__ = ("about", "battle", "cancelled", "concerned")

    def __init__(self, battle: Battle, concerned: Iterable[Fighter], about: dict[str, str]) -> None:
        self.battle = battle
        self.concerned = tuple(concerned)
        self.about = about
        self.cancelled: list[Fighter] = []

    def cancel(self, fighter: Fighter, title: str) -> None:
        fighter.trick(title)
        self.cancelled.append(fighter)


class Strengthening:
    """A combat roll of a fighter that is about to be thrown: what could be used for it, and what is added."""

    __slots__ = ("added", "battle", "fighter", "offered")

    def __init__(self, battle: Battle, fighter: Fighter) -> None:
        self.battle = battle
        self.fighter = fighter
        self.offered: dict[str, Callable[[Strengthening], None]] = {}
        self.added: list[tuple[int, str, str]] = []

    def offer(self, key: str, use: Callable[[Strengthening], None]) -> None:
        """The player may answer with this key; then it is used so."""
        self.offered[key] = use

    def add(self, amount: int, source: str, rule: str) -> None:
        self.added.append((amount, source, rule))


# -- having, asking, using up ------------------------------------------------------------------------------------------


def upgrades_of(battle: Battle, side: int) -> tuple[UpgradeSet, ...]:
    """The upgrades that a band has left."""
    held = battle.upgrades[side]
    return (_set_of(held),) if held else ()


@lru_cache(maxsize=512)
def _set_of(held: frozenset[str]) -> UpgradeSet:
    return upgrade_book.set_of(kind() for kind in upgrade_book.declared.values() if kind.key in held)


def spend(battle: Battle, side: int, upgrade: Upgrade, rule: str, fighter: str = "") -> None:
    """A band upgrade is used up."""
    held = list(battle.upgrades)
    held[side] = held[side] - {upgrade.key}
    battle.upgrades = (held[0], held[1])
    battle.tell(ResourceUsed(rule, side, upgrade.key, fighter))


def ask(battle: Battle, side: int, question: str, rule: str, keys: list[str], about: dict[str, Any]) -> Asking[str]:
    """Which of these is used, if any: "none" or a key."""
    if not keys:
        return "none"
    options = [Option.thing(key) if key in battle.units else Option(key) for key in keys]
    return (yield from pick_one(side, [Option("none"), *options], question, rule, about, default="none"))


def before_combat(
    battle: Battle, fighter: Fighter, opponent: Fighter, manner: str
) -> Asking[list[tuple[int, str, str]]]:
    """What a fighter adds to a combat roll before the dice: by an upgrade of his band, by points of a belt, by both."""
    strengthening = Strengthening(battle, fighter)
    at(Upgrade.before_combat_roll, upgrades_of(battle, fighter.side), strengthening)
    item = fighter.bears("belt")
    points = [f"belt:{n}" for n in range(1, item.left + 1)] if item is not None else []
    keys = [*strengthening.offered, *points, *(f"{key}+{n}" for key in strengthening.offered for n in points)]
    if not keys:
        return []
    about = {"fighter": fighter.id, "target": opponent.id, "manner": manner}
    used = yield from ask(battle, fighter.side, "strengthen_roll", "SBH-COMBAT-02", keys, about)
    for part in used.split("+"):
        if part in strengthening.offered:
            strengthening.offered[part](strengthening)
        elif item is not None and part in points:
            number = int(part.partition(":")[2])
            use_item(battle, fighter, item, number, "SBH-ITEM-BELT-01")
            strengthening.add(number, "Belt of Strength", "SBH-ITEM-BELT-01")
    return strengthening.added


def use_item(battle: Battle, fighter: Fighter, item: Item, number: int, rule: str) -> None:
    """So many of its points or javelins are used; with the last of them it is drained (SBH-ITEM-BELT-01,
    SBH-ITEM-JAVELINS-01)."""
    battle.tell(ResourceUsed(rule, fighter.side, item.kind, fighter.id, number))
    left = item.less(number)
    fighter.equip(left)
    if left.drained:
        battle.tell(ItemDrained(rule, fighter.id, item.kind))


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


def cancel_rules(battle: Battle, concerned: Iterable[Fighter], **about: str) -> Asking[list[Fighter]]:
    """Before an action or its dice, a side may be able to cancel a special rule of somebody whom it concerns.

    Gives back of whom one was cancelled; `restore_rules` ends it when the action or roll is over.
    """
    if not battle.upgrades[0] and not battle.upgrades[1]:
        return []
    matter = Matter(battle, concerned, about)
    for side in (0, 1):
        yield from ask_at(Upgrade.before_rules_count, upgrades_of(battle, side), matter, side)
    return matter.cancelled


def restore_rules(cancelled: list[Fighter]) -> None:
    """What was cancelled works again."""
    for victim in cancelled:
        victim.trick("")
