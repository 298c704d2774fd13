"""The moments a special rule of Age of Fantasy may change, in the order they happen.

Read from top to bottom like a battle: the army is mustered, a round begins, a unit acts, moves, attacks, is wounded,
tests its morale. A special rule overrides the moments it cares about; the rest do nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from oriflamme.engine.core import keywords as engine

if TYPE_CHECKING:
    from oriflamme.engine.core.dice import Dice
    from oriflamme.games.aof.attack import Attack, Cover, WoundRoll
    from oriflamme.games.aof.melee import Impact, Tally
    from oriflamme.games.aof.morale import MoraleTest
    from oriflamme.games.aof.movement import Gait
    from oriflamme.games.aof.profile import Profile, Weapon
    from oriflamme.games.aof.state import Figure


class Keyword(engine.Keyword):
    """A special rule of Age of Fantasy. Override the moments it changes; the rest do nothing."""

    __slots__ = ()

    # Where the rule may be printed: on a model, on a weapon, or on both.
    on: ClassVar[tuple[str, ...]] = ("model",)
    # A rule that is what the model is, rather than what it does, always counts for its own model (AOF-GEN-11).
    personal: ClassVar[bool] = False

    def when_mustered(self, profile: Profile) -> None:
        """A model joins the army: what it is, is settled."""

    def when_forged(self, weapon: Weapon) -> None:
        """A weapon joins the army: how it may be used, is settled."""

    def at_round_start(self, figure: Figure) -> None:
        """A round begins (AOF-ROUND-06)."""

    def restricts_actions(self, actions: set[str]) -> None:
        """The actions open to the unit are being settled (AOF-ACT-01)."""

    def when_moving(self, gait: Gait) -> None:
        """How far and in what manner this model moves is being settled (AOF-MOVE-01)."""

    def when_unit_moves(self, gait: Gait) -> None:
        """The same, for every model of the bearer's unit."""

    def when_cover_is_claimed(self, attack: Attack, cover: Cover) -> None:
        """The target says it is in Cover (AOF-TERRAIN-01)."""

    def before_impact(self, impact: Impact) -> None:
        """The charger counts its Impact dice."""

    def before_being_struck(self, impact: Impact) -> None:
        """The charged unit answers, model by model, before the Impact dice are rolled."""

    def before_hit_roll(self, attack: Attack) -> None:
        """The number needed to hit is being settled for the attacker (AOF-HIT-06)."""

    def before_being_hit(self, attack: Attack) -> None:
        """The same, for rules that every model of the target shares."""

    def after_hit_roll(self, attack: Attack) -> None:
        """The dice are down; unmodified sixes are known (AOF-HIT-08)."""

    def after_hits(self, attack: Attack) -> None:
        """Hits are final unless something multiplies them."""

    def before_defense_roll(self, attack: Attack) -> None:
        """The number needed to block is being settled (AOF-HIT-10)."""

    def before_defending(self, attack: Attack) -> None:
        """The same, for rules that every model of the target shares."""

    def when_wounds_are_assigned(self, attack: Attack) -> None:
        """A wound is about to be given to a model (AOF-HIT-13)."""

    def when_wounded(self, wounds: WoundRoll, dice: Dice) -> None:
        """A unit in which every model has this rule takes wounds."""

    def when_melee_is_counted(self, tally: Tally) -> None:
        """The wounds of a melee are compared (AOF-MELEE-08)."""

    def before_morale_test(self, test: MoraleTest) -> None:
        """A unit with this model is about to test its morale."""

    def before_unit_tests(self, test: MoraleTest) -> None:
        """The same, once for the unit: for what every model shares."""

    def after_failed_morale(self, test: MoraleTest, dice: Dice) -> None:
        """A unit in which every model has this rule failed its Morale Test."""


book: engine.KeywordBook[Keyword] = engine.KeywordBook(Keyword)
keyword = book.keyword
KeywordSet = engine.KeywordSet[Keyword]

# What happens when an army is mustered, and what one bearer does for its unit, comes too late or too early for a spell.
_NOT_FOR_SPELLS = frozenset({"when_mustered", "at_round_start", "when_unit_moves", "before_morale_test"})


def may_be_laid(keyword: Keyword) -> bool:
    """Whether a spell can lay this rule on a unit: it changes some moment that is still to come for every model."""
    return not set(book.set_of((keyword,)).by_moment) <= _NOT_FOR_SPELLS
