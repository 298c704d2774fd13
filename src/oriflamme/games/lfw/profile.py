"""What a unit is: its sheet and its weapons (LFW-CHAR, LFW-UNIT, LFW-WPN). They never change; copies share them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from oriflamme.engine.core.state import key_of
from oriflamme.engine.geometry.measure import inches
from oriflamme.engine.geometry.shapes import Disc
from oriflamme.engine.words.wording import Wording
from oriflamme.games.lfw.measures import HEIGHTS
from oriflamme.games.lfw.moments import Keyword, RuleSet, rules_named
from oriflamme.games.lfw.values import Amount

TYPES: Final = ("infantry", "beast", "monster", "behemoth")  # LFW-UNIT-01 to -04
ROLES: Final = ("classic", "elite", "monster")  # LFW-UNIT-05
VITALITIES: Final = ("living", "dead", "neutral")  # LFW-SR-BLD-12
NOTES: Final = ("commander", "legend")
SPECIALISATIONS: Final = ("captain", "mage", "zealot", "sharpshooter", "veteran", "scout")  # LFW-SPEC-01
DOMAINS: Final = ("fire", "water", "earth", "wind", "savagery", "light", "shadow", "thought")  # LFW-SPELL
BEHAVIOURS: Final = ("classic", "aggressive", "shooter")
# The characteristics of a sheet (T-18). Thresholds: lower is better.
CHARACTERISTICS: Final = ("M", "CC", "CT", "CP", "E", "D", "Pv", "Co", "Pc", "Pm")
THRESHOLDS: Final = frozenset({"CC", "CT", "D", "Co"})
# The rules that a type gives (T-5); they are declared with the others.
TYPE_RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "infantry": (),
    "beast": ("Fear of fire",),
    "monster": ("Monster",),
    "behemoth": ("Monstrous attack",),
}
# What weapons are called that no sheet names.
WEAPON_NAMES: Final = Wording(Path(__file__).parent / "text", "weapons")


class Weapon:
    """Range in inches, None for a melee weapon (LFW-WPN-03); Attack; Strength; special rules (LFW-WPN-02)."""

    __slots__ = ("attack", "id", "name", "range", "rules", "strength")

    def __init__(
        self,
        id: str,
        name: Mapping[str, str],
        range: float | None,
        attack: Amount,
        strength: int,
        rules: Iterable[str] = (),
    ) -> None:
        self.id = id
        self.name = dict(name)
        self.range = range
        self.attack = attack
        self.strength = strength
        self.rules: RuleSet = rules_named(tuple(rules))

    @property
    def melee(self) -> bool:
        return self.range is None

    def facts(self) -> list[Any]:
        return [self.id, self.range, str(self.attack), self.strength, self.rules.identity()]

    def __repr__(self) -> str:
        return f"<{self.id}>"


class Sheet:
    """A unit sheet. `ct` is None for who has no shooting skill (LFW-CHAR-12); bases are in millimetres."""

    __slots__ = (
        "adc", "armour", "base", "behaviour", "cc", "co", "cost", "cp", "ct", "d", "diameter", "domains", "e",
        "has_aura", "height", "id", "m", "name", "notes", "pc", "pm", "pv", "role", "rules", "specialisations",
        "spells", "type", "vitality", "weapons",
    )  # fmt: skip

    def __init__(
        self,
        id: str,
        name: Mapping[str, str],
        *,
        type: str = "infantry",
        role: str = "classic",
        cost: int = 0,
        base: float = 25.4,
        height: float = 0.0,
        vitality: str = "living",
        armour: bool = False,
        M: float = 5,
        CC: int = 4,
        CT: int | None = 4,
        CP: int = 0,
        E: int = 0,
        D: int = 4,
        Pv: int = 1,
        Co: int = 7,
        Pc: int = 0,
        Pm: int = 0,
        weapons: Iterable[Weapon] = (),
        rules: Iterable[str] = (),
        adc: Iterable[str] = (),
        domains: Iterable[str] = (),
        spells: Iterable[str] = (),
        notes: Iterable[str] = (),
        specialisations: Iterable[str] = (),
        behaviour: str = "",
    ) -> None:
        self.id = id
        self.name = dict(name)
        self.type = type
        self.role = role
        self.cost = cost
        self.diameter = base
        self.base = Disc(base / 2)
        self.height = inches(height or HEIGHTS[type])
        self.vitality = vitality
        self.armour = armour
        self.m, self.cc, self.ct, self.cp, self.e, self.d = M, CC, CT, CP, E, D
        self.pv, self.co, self.pc, self.pm = Pv, Co, Pc, Pm
        self.weapons = tuple(weapons)
        self.rules: RuleSet = rules_named((*rules, *TYPE_RULES[type]))
        # Some of its rules bear on others who are near (LFW-UNIT-13).
        self.has_aura = Keyword.when_near.__name__ in self.rules.by_moment
        self.adc = tuple(adc)
        self.domains = tuple(domains)
        self.spells = tuple(spells)
        self.notes = tuple(notes)
        self.specialisations = tuple(specialisations)
        self.behaviour = behaviour

    def printed(self, characteristic: str) -> float | None:
        """A characteristic as the sheet has it."""
        value: float | None = getattr(self, characteristic.lower())
        return value

    @property
    def melee_weapons(self) -> tuple[Weapon, ...]:
        return tuple(weapon for weapon in self.weapons if weapon.melee)

    @property
    def ranged_weapons(self) -> tuple[Weapon, ...]:
        return tuple(weapon for weapon in self.weapons if not weapon.melee)

    def facts(self) -> list[Any]:
        """All that it is made of."""
        return [
            *(self.id, self.type, self.role, self.cost, self.diameter, self.height, self.vitality, self.armour),
            *(self.printed(each) for each in CHARACTERISTICS),
            *(self.rules.identity(), list(self.adc), list(self.domains), list(self.spells), list(self.notes)),
            *(list(self.specialisations), self.behaviour, [weapon.facts() for weapon in self.weapons]),
        ]

    def identity(self) -> str:
        return key_of(self)

    def __repr__(self) -> str:
        return f"<{self.id}>"
