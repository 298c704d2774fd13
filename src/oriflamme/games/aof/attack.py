"""Attack resolution (AOF-HIT): hits, then blocks, then wounds. The same pipeline serves shooting, melee and spells.

Nothing in here knows where models stand: an `Attack` holds what the dice need, so that the same lines play the battle
and compute the odds. Each function is a stage; between them only small numbers are known.
"""

from __future__ import annotations

from typing import NamedTuple

from oriflamme.engine.core.dice import Dice, Needed, ScriptedDice
from oriflamme.engine.core.events import Reason
from oriflamme.engine.core.keywords import Keyword as AnyKeyword
from oriflamme.engine.core.keywords import at, at_against
from oriflamme.games.aof.moments import Keyword, KeywordSet


class Cover:
    """What the target claims: enough models inside Cover terrain, or only together with those behind something."""

    __slots__ = ("behind", "inside")

    def __init__(self, inside: bool, behind: bool) -> None:
        self.inside = inside
        self.behind = behind

    @property
    def holds(self) -> bool:
        return self.inside or self.behind

    def deny(self, because: AnyKeyword) -> None:
        self.inside = self.behind = False

    def deny_what_stands_between(self, because: AnyKeyword) -> None:
        self.behind = False


class WoundRoll:
    """Wounds about to be suffered, and how many of them are ignored."""

    __slots__ = ("faces", "ignored", "number", "reason")

    def __init__(self, number: int) -> None:
        self.number = number
        self.ignored = 0
        self.faces: tuple[int, ...] = ()
        self.reason: AnyKeyword | None = None

    def ignore_on(self, number: int, dice: Dice, because: AnyKeyword) -> None:
        """Roll for each wound; those that reach the number are ignored."""
        rolled = dice.reach(self.number - self.ignored, Needed(number, because.title, because.rule))
        self.faces += tuple(dice.last)
        self.ignored += rolled.successes
        self.reason = because


class Attack:
    """One group of attacks on its way from the hit roll to the wounds."""

    __slots__ = (
        "after_moving",
        "attacks",
        "beyond_9",
        "block",
        "charging",
        "cover",
        "defense",
        "extra",
        "hits",
        "melee",
        "models_in_target",
        "multiplier",
        "needed",
        "only_sixes",
        "quality",
        "sets",
        "sharp",
        "sharp_ap",
        "sharp_reason",
        "shooting",
        "sixes",
        "target_sets",
    )

    def __init__(
        self,
        attacks: int,
        quality: int,
        defense: int,
        models_in_target: int,
        sets: tuple[KeywordSet, ...],
        target_sets: tuple[KeywordSet, ...],
        *,
        shooting: bool = False,
        melee: bool = False,
        charging: bool = False,
        beyond_9: bool = False,
        after_moving: bool = False,
        inside_cover: bool = False,
        behind_cover: bool = False,
        only_sixes: str = "",
    ) -> None:
        self.attacks = attacks
        self.quality = quality
        self.defense = defense
        self.models_in_target = models_in_target
        self.sets = sets
        self.target_sets = target_sets
        self.shooting = shooting
        self.melee = melee
        self.charging = charging
        self.beyond_9 = beyond_9
        self.after_moving = after_moving
        self.only_sixes = only_sixes
        self.cover = Cover(inside_cover, behind_cover)
        self.hits = 0
        self.sixes = 0
        self.sharp = 0
        self.sharp_ap = 0
        self.sharp_reason: AnyKeyword | None = None
        self.multiplier = 1
        self.extra: list[Reason] = []
        self.needed = Needed(quality, "Quality", "AOF-HIT-04")
        self.block = Needed(defense, "Defense", "AOF-HIT-11")

    def add_hits(self, number: int, because: AnyKeyword) -> None:
        """Extra hits: ordinary ones, whatever die caused them (AOF-GEN-13)."""
        if number:
            self.hits += number
            self.extra.append(Reason(because.title, number, because.rule))

    def sharpen_sixes(self, ap: int, because: AnyKeyword) -> None:
        """The hits of unmodified sixes gain AP; extra hits do not (AOF-HIT-09)."""
        self.sharp = self.sixes
        self.sharp_ap += ap
        self.sharp_reason = because

    def multiply_hits(self, factor: int, because: AnyKeyword) -> None:
        """Every hit counts so many times, and keeps its marks (AOF-HIT-09)."""
        if factor > 1 and self.hits:
            self.extra.append(Reason(because.title, self.hits * (factor - 1), because.rule))
            self.hits *= factor
            self.sharp *= factor

    def multiply_wounds(self, factor: int) -> None:
        self.multiplier = max(self.multiplier, factor)


def roll_to_hit(attack: Attack, dice: Dice) -> None:
    """One Quality test per attack; each success is a hit (AOF-SHOOT-05).

    1. The number needed is Quality, with every modifier added to the die.   AOF-HIT-04, -06
    2. A Fatigued unit hits in melee only on unmodified sixes.               AOF-HIT-05
    3. Extra hits and marks of unmodified sixes, then Blast.                 AOF-HIT-08
    """
    _roll_hit_dice(attack, dice)
    count_hits(attack)


def _roll_hit_dice(attack: Attack, dice: Dice) -> None:
    at(Keyword.before_hit_roll, attack.sets, attack)
    at(Keyword.before_being_hit, attack.target_sets, attack)

    if attack.only_sixes:
        attack.needed.only_sixes(attack.only_sixes, "AOF-HIT-05")
    rolled = dice.reach(attack.attacks, attack.needed)
    attack.hits = rolled.successes
    attack.sixes = rolled.sixes

    at(Keyword.after_hit_roll, attack.sets, attack)


def count_hits(attack: Attack) -> None:
    """After all other effects on hits, each hit may be multiplied (AOF-HIT-08)."""
    at(Keyword.after_hits, attack.sets, attack)


class Block:
    """One throw of Defense dice against hits that share the same AP."""

    __slots__ = ("faces", "hits", "needed", "wounds")

    def __init__(self, hits: int, needed: Needed) -> None:
        self.hits = hits
        self.needed = needed
        self.wounds = 0
        self.faces: tuple[int, ...] = ()


def roll_to_block(attack: Attack, dice: Dice) -> list[Block]:
    """For each hit the defender rolls Defense or more, or takes a wound (AOF-SHOOT-06).

    Cover adds 1 against shooting, AP takes away, and hits with added AP are rolled apart (AOF-HIT-10).
    """
    set_block_target(attack)
    blocks = [Block(attack.hits - attack.sharp, attack.block)]
    if attack.sharp and attack.sharp_reason is not None:
        sharper = Needed(attack.block.number, "", "")
        sharper.reasons = [*attack.block.reasons]
        sharper.again = attack.block.again
        sharper.change(-attack.sharp_ap, because=attack.sharp_reason)
        blocks.append(Block(attack.sharp, sharper))
    for block in blocks:
        if block.hits:
            block.wounds = dice.reach(block.hits, block.needed).failures
            block.faces = tuple(dice.last)
    return blocks


def set_block_target(attack: Attack) -> None:
    """The number needed to block: Defense, Cover and AP (AOF-HIT-10)."""
    if attack.shooting and attack.cover.holds:
        at(Keyword.when_cover_is_claimed, attack.sets, attack, attack.cover)
        if attack.cover.holds:
            attack.block.change_by(+1, "Cover", "AOF-TERRAIN-01")
    at(Keyword.before_defense_roll, attack.sets, attack)
    at(Keyword.before_defending, attack.target_sets, attack)


class Needs(NamedTuple):
    """What the dice of an attack need, as the rules make it at this moment (AOF-HIT-01).

    `numbers` are those that its dice need to hit and to block, and what its wounds do: attacks with one weapon on one
    target that agree in them are one group. `reasons` are where the number to hit comes from and what a six counts for:
    attacks of a group that differ in them throw their dice apart.
    """

    numbers: tuple[object, ...]
    reasons: tuple[object, ...]


def needs_of(attack: Attack) -> Needs:
    """What an attack needs, told by one die that shows a six. Uses the attack up."""
    attack.attacks = 1
    _roll_hit_dice(attack, ScriptedDice((6,)))
    set_block_target(attack)
    to_hit, to_block = attack.needed, attack.block
    sharper = max(2, to_block.number - to_block.bonus + attack.sharp_ap) if attack.sharp else 0
    silenced = tuple(type(k) for held in attack.sets for k in held.silencers)
    return Needs(
        (to_hit.face, to_block.face, to_block.again, min(6, sharper), wound_multiplier(attack), silenced),
        (to_hit.number, to_hit.bonus, to_block.number, to_block.bonus, attack.hits),
    )


def wound_multiplier(attack: Attack) -> int:
    """How many wounds each wound counts for (AOF-SR-DEADLY-01)."""
    at(Keyword.when_wounds_are_assigned, attack.sets, attack)
    return attack.multiplier


def shrug_off(wounds: int, sets: tuple[KeywordSet, ...], target_sets: tuple[KeywordSet, ...], dice: Dice) -> WoundRoll:
    """Wounds that the unit may ignore, unless the weapon forbids it (AOF-HIT-13)."""
    roll = WoundRoll(wounds)
    if wounds:
        at_against(Keyword.when_wounded, target_sets, sets, roll, dice)
    return roll
