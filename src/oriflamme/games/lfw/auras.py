"""Whose rules speak for a part: its own, those of the other of its duo, and auras that reach it (LFW-UNIT-13)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from oriflamme.engine.core.keywords import at
from oriflamme.engine.geometry.measure import inches
from oriflamme.games.lfw.ground import within
from oriflamme.games.lfw.moments import Keyword, RuleSet, book, rules_named
from oriflamme.games.lfw.profile import Weapon
from oriflamme.games.lfw.state import Battle, Model, Part


class Measure:
    """How much farther somebody's auras reach, in inches. `when_aura_is_measured` changes it."""

    __slots__ = ("farther",)

    def __init__(self) -> None:
        self.farther = 0


def farther(part: Part) -> int:
    """By how many inches its skills lengthen a part's auras (LFW-CAP-06)."""
    measure = Measure()
    at(Keyword.when_aura_is_measured, part.sets(), measure)
    return measure.farther


class Aura:
    """An aura that may reach somebody: who bears it, for whom rules are gathered, and what it gives him.

    A keyword asks `reaches` and then gives (`give`) special rules by name.
    """

    __slots__ = ("battle", "bearer", "given", "model", "other", "part")

    def __init__(self, battle: Battle, bearer: Part, model: Model, part: Part, other: Model) -> None:
        self.battle = battle
        # Who has the aura, and its model.
        self.bearer = bearer
        self.model = model
        # For whom rules are gathered.
        self.part = part
        self.other = other
        self.given: tuple[str, ...] = ()

    def reaches(self, reach: float, *, friends: bool = True) -> bool:
        """Within so many inches, and a friend (or an enemy); whether one is one's own friend is a house rule
        (LFW-UNIT-08)."""
        if self.battle.are_friends(self.bearer.side, self.part.side) is not friends:
            return False
        if self.model is self.other and self.battle.option("lfw.selfIsFriend") == "no":
            return False
        return within(self.battle, self.model, self.other, inches(reach + farther(self.bearer)))

    def give(self, *rules: str) -> None:
        self.given = (*self.given, *rules)


def sets_of(battle: Battle, part: Part, weapon: Weapon | None = None) -> tuple[RuleSet, ...]:
    """Every special rule, skill and effect that speaks for a part, those of the weapon it uses included (LFW-WPN-06).

    While a duo is together the skills of one are skills of the other (LFW-CAV-04).
    """
    sets = part.sets()
    if weapon is not None and weapon.rules:
        sets = (*sets, weapon.rules)
    if part.role:
        model = battle.units[part.model]
        shared = [other.skills for other in model.alive if other is not part and other.skills and model.duo]
        sets = (*sets, *(rules_named(skills, skilled=True) for skills in shared))
    given = _given(battle, part)
    return each_once((*sets, rules_named(given)) if given else sets)


@lru_cache(maxsize=8192)
def each_once(sets: tuple[RuleSet, ...]) -> tuple[RuleSet, ...]:
    """The same rules, but a special rule that several of these have counts once, with the best of its parameters,
    unless it adds up (LFW-SR-GEN-04). Skills and effects of spells and abilities stay as they are."""
    special = frozenset(book.declared.values())
    counted = Counter(type(rule) for held in sets for rule in held if type(rule) in special)
    if all(number == 1 for number in counted.values()):
        return sets
    several = {kind for kind, number in counted.items() if number > 1}
    apart = [book.set_of(tuple(rule for rule in held if type(rule) not in several)) for held in sets]
    together = book.set_of(tuple(rule for held in sets for rule in held if type(rule) in several))
    return (together, *(held for held in apart if held))


def _given(battle: Battle, part: Part) -> tuple[str, ...]:
    """What auras give it; a bearer that flees gives nothing (LFW-UNIT-13)."""
    found: tuple[str, ...] = ()
    # Most have no aura and nothing lies on them: that is seen before anything else is looked at.
    for bearer in [b for model in battle.units.values() for b in model.parts if b.inspires or b.effects]:
        model = battle.units[bearer.model]
        if not (bearer.inspires or bearer.own().aura) or bearer.destroyed:
            continue
        if model.place == "table" and not model.fleeing:
            aura = Aura(battle, bearer, model, part, battle.units[part.model])
            at(Keyword.when_near, bearer.sets(), aura)
            found += aura.given
    return found
