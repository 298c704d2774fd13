"""What fighters cost: one formula for everybody, from what their cards do on the one table (docs/points.md).

| part | what it counts |
|---|---|
| fight | 30 × the square root of what he strikes and what he stands, against a fighter with 5 in everything |
| shot | what his weapon hits and wounds at medium range |
| ways | all of it × (0.7 + 0.03 × MOU) |
| heart | courage above 5, or fear |
| skills | a share of all that for each skill |
| mystics, command | Pouvoir, Ferveur, Authority, allowance and elixir of those who have them |

The book prints one price, 40 PA for a member of a support crew (RN3-WM-07); the rest is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Final, NamedTuple

from oriflamme.games.rn3.army.rosters import Card, Combat
from oriflamme.games.rn3.measures import CAVALRY, power_of_size, size_of_base, usual_hit_points
from oriflamme.games.rn3.trials import column_of

# Expected successes of a die and of all it earns, by column (T2); défi is halved.
EXPECTED: Final = (1 / 10, 1 / 5, 2 / 5, 3 / 5, 4 / 5, 1.0, 5 / 3)
EVEN: Final = 5  # the characteristic others are measured by
FIGHT: Final = 30.0
SHOT: Final = 11.0
FEAR: Final = 2.5
SUPPORT_CREW: Final = 40  # RN3-WM-07

# What a skill adds, as a share of the fighter's price; those that only name something add nothing.
SKILLS: Final[Mapping[str, float]] = {
    "Relentless to death": 0.10,
    "Beloved of the gods": 0.08,
    "Assassin": 0.08,
    "Self-repair": 0.22,
    "Leap": 0.06,
    "Bravery": 0.04,
    "Swashbuckler": 0.15,
    "Brutal": 0.08,
    "Thug": 0.10,
    "Catalyst": 0.06,
    "Bestial charge": 0.08,
    "Counter-attack": 0.12,
    "Master stroke": 0.12,
    "Disengagement": 0.05,
    "Devotion": 0.06,
    "Tough nut": 0.06,
    "Scout": 0.12,
    "Combo": 0.10,
    "Dodge": 0.08,
    "Ethereal": 0.12,
    "Explosive": 0.05,
    "Liege": 0.02,
    "Feint": 0.06,
    "Ferocity": 0.08,
    "Focus": 0.10,
    "Force in the charge": 0.15,
    "War fury": 0.15,
    "Hyperian": 0.08,
    "Iconoclast": 0.02,
    "Illumination": 0.10,
    "Immolation": 0.06,
    "Immortal": 0.0,
    "Implacable": 0.15,
    "Unshakable": 0.07,
    "Survival instinct": 0.20,
    "Righteous": 0.06,
    "Magisterium": 0.06,
    "Mastery of the arcane": 0.08,
    "Mutation": 0.10,
    "Regeneration": 0.22,
    "Care": 0.22,
    "Strategist": 0.08,
    "Instinctive shot": 0.05,
    "Assault shot": 0.08,
    "Marksman": 0.08,
    "Piercing shot": 0.04,
    "Toxic": 0.18,
    "Born killer": 0.06,
    "Aim": 0.12,
    "Flight": 0.12,
    "Reinforcement": 0.06,
}


class Price(NamedTuple):
    """A price part by part; `total` is the sum, rounded."""

    fight: float
    shot: float
    ways: float
    heart: float
    skills: float
    command: float

    @property
    def total(self) -> int:
        return max(1, round(self.fight + self.shot + self.ways + self.heart + self.skills + self.command))


def expected(difference: int) -> float:
    """Successes to be expected of one die in a test (T2)."""
    return EXPECTED[column_of(difference)]


def strikes(line: Combat) -> float:
    """Damage of one fighter's dice against somebody with 5 in everything."""
    return line.dice * expected(line.att - EVEN) * expected(line.force - EVEN)


def stands(card: Card) -> float:
    """How many dice of somebody with 5 in everything it takes to fell him."""
    size = card.size or size_of_base(card.base)
    points = card.hit_points or usual_hit_points(size, card.rank, card.category)
    return points / (expected(EVEN - card.defence) * expected(EVEN - card.res))


def price_of(card: Card, *, allowance: int = 0, tactics: int = 0) -> Price:
    """The price of one fighter."""
    fight = FIGHT * sqrt(strikes(card.melee) * stands(card)) if card.role != "machine" else 6.0 * stands(card)
    shot = 0.0
    if card.ranged is not None:
        worth = card.ranged.dice * expected(card.ranged.att - 3) * expected(card.ranged.force - EVEN) / 0.48
        shot = SHOT * worth * (2.5 if card.ranged.area else 1.0)
    ways = (fight + shot) * 0.03 * (card.mou - 10) if card.role != "machine" else 0.0
    size = card.size or size_of_base(card.base)
    heart = 4.0 * ((card.power or power_of_size(size)) - 1)
    heart += 1.0 * (card.cou - EVEN) if card.cou is not None else 2.0 + FEAR * (card.peu or 0)
    heart += 3.0 * (card.category in CAVALRY)
    base = fight + shot + ways + heart
    skills = base * sum(SKILLS.get(text.partition("(")[0].strip(), 0.05) for text in card.skills)
    command = 8.0 * card.aut + 6.0 * (card.pou + card.foi) + 5.0 * allowance + 2.0 * tactics
    if card.role == "incarnate":
        command += 0.2 * base + 4.0 * card.elixir
    command += sum(2.0 * power.cost for power in card.powers if power.kind in ("spell", "miracle", "ability"))
    return Price(fight, shot, ways, heart, skills, command)
