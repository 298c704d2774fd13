"""The moments a skill, tactic, artefact or power of Rag'Narok 3 may change, in the order they happen.

Read from top to bottom like a battle: an army is raised, a turn begins, a unit is activated, moves, shoots, assaults,
fights, is hurt, tests its courage. What somebody has overrides the moments it changes; the rest do nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from oriflamme.engine.core import keywords as engine
from oriflamme.engine.lists.glossary import french_rules

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.rn3.activation import OrderCheck
    from oriflamme.games.rn3.authority import AuthorityRoll
    from oriflamme.games.rn3.blows import Blows
    from oriflamme.games.rn3.deployment import Deploying
    from oriflamme.games.rn3.disengaging import BreakingAway
    from oriflamme.games.rn3.formation import FormationChange
    from oriflamme.games.rn3.losses import Damage, Removal
    from oriflamme.games.rn3.melee import Again, Answer, Reveal, Sacrifice
    from oriflamme.games.rn3.morale import Courage, Fear
    from oriflamme.games.rn3.pools import Gathering
    from oriflamme.games.rn3.power import Comparison
    from oriflamme.games.rn3.salvos import Salvo
    from oriflamme.games.rn3.shooting import Permission
    from oriflamme.games.rn3.state import Battle, Unit
    from oriflamme.games.rn3.support import Support
    from oriflamme.games.rn3.targets import Targeting
    from oriflamme.games.rn3.trials import Attempt, Trial
    from oriflamme.games.rn3.turns import Closing
    from oriflamme.games.rn3.ways import Gait


class Keyword(engine.Keyword):
    """A skill, tactic or lasting effect of Rag'Narok 3. Override the moments it changes; the rest do nothing."""

    __slots__ = ()

    # Whether it is a skill of chapter 40 (others are tactics, artefacts and effects of powers).
    skill: ClassVar[bool] = True
    # Whether it inflicts Force tests: no other skill of an enemy touches a titan (RN3-TIT-07).
    inflicts_force_tests: ClassVar[bool] = False

    def before_authority(self, roll: AuthorityRoll) -> None:
        """The commander rolls for authority: how many dice (RN3-AUTH-03)."""

    def before_deployment(self, deploying: Deploying) -> None:
        """A card is being placed: where its unit may stand. Asked of each of its fighters (RN3-DEP-04)."""

    def before_order(self, check: OrderCheck) -> None:
        """An order is being considered for its unit: it may forbid it (RN3-ORD-09)."""

    def after_order(self, unit: Unit, battle: Battle) -> None:
        """Its unit has carried out its order (RN3-TAC-07)."""

    def before_targeted(self, targeting: Targeting) -> None:
        """An enemy considers its unit as a target. Asked of each of its fighters (RN3-SKL-17)."""

    def when_moving(self, gait: Gait) -> None:
        """How far the bearer goes in a move, and what it may ignore, is being settled (RN3-MOVE-02 to -10)."""

    def before_forming(self, change: FormationChange) -> None:
        """The bearer's unit may take another formation: whether it can, and whether a test is needed (RN3-FCH-02)."""

    def before_test(self, trial: Trial) -> None:
        """Dice, column and re-rolls of a test made by its bearer are being put together (RN3-URT-11, 1 and 2)."""

    def before_test_against(self, trial: Trial) -> None:
        """The same, for a test made against its bearer."""

    def when_column_is_read(self, trial: Trial) -> None:
        """All shifts are known; a column may be read as another in a test made by its bearer (RN3-URT-08)."""

    def when_column_is_read_against(self, trial: Trial) -> None:
        """The same, for a test made against its bearer."""

    def before_throw(self, attempt: Attempt) -> Asking[None]:
        """The column of a test of its bearer is settled and the dice are in hand: it may ask its player for more of
        them (RN3-SKL-39)."""
        return
        yield

    def when_choosing_target(self, permission: Permission) -> None:
        """Its bearer looks for somebody to shoot at (RN3-SHOOT-05)."""

    def when_shooting(self, salvo: Salvo) -> None:
        """Its bearer shoots: limits of the salvo (RN3-SHOOT-15)."""

    def when_shot_at(self, salvo: Salvo) -> None:
        """Its bearer, or its unit, is shot at: what cancels hits (RN3-SHOOT-12)."""

    def before_losses(self, damage: Damage) -> None:
        """Damage is about to be taken by its bearer (RN3-SKL-40)."""

    def before_removal(self, removal: Removal) -> None:
        """Its bearer has lost the last hit point (RN3-SKL-01)."""

    def before_courage(self, courage: Courage) -> None:
        """Its unit is to test its courage. Asked of each of its fighters (RN3-MOR-11)."""

    def before_fear(self, fear: Fear) -> None:
        """An enemy looks at its unit: how fearsome is it? Asked of each of its fighters (RN3-MOR-04, RN3-SKL-28)."""

    def at_end_of_turn(self, closing: Closing) -> None:
        """Between upkeep and reserves: its unit may still move (RN3-TURN-07)."""

    def when_faith_is_gathered(self, gathering: Gathering) -> None:
        """The faith of its unit is counted. Asked of each of its fighters (RN3-FAI-02)."""

    def in_support(self, support: Support) -> None:
        """The support phase of a turn: who comes back (RN3-TURN-04). Asked of each profile of a unit once."""

    def when_power_is_compared(self, comparison: Comparison) -> None:
        """An assault of its bearer's unit has made contact with too little power for a charge (RN3-SKL-08)."""

    def after_reveal(self, reveal: Reveal) -> None:
        """The dice of a pairing are revealed, in a fight that its bearer's own order has led to (RN3-TAC-08)."""

    def before_attacks(self, sacrifice: Sacrifice) -> Asking[None]:
        """The melee attacks of its bearer are about to be resolved in a pairing (RN3-SKL-21)."""
        return
        yield

    def before_defence(self, blows: Blows) -> None:
        """Its bearer has been attacked: is the Defence test made even if no attack succeeded (RN3-MELEE-11)?"""

    def when_attacks_failed(self, answer: Answer) -> None:
        """Losses of a pairing are removed; failures of the Attack test against its bearer are counted (RN3-SKL-12)."""

    def when_defences_succeeded(self, answer: Answer) -> None:
        """The same, where successes of its bearer's Defence test are counted (RN3-SKL-07)."""

    def before_breaking_away(self, breaking: BreakingAway) -> None:
        """Its bearer is about to leave a melee: does he test (RN3-DIS-08)?"""

    def after_assault(self, again: Again) -> None:
        """The fight of its bearer's assault is over, strike-back included (RN3-SKL-33)."""


# Lists may say them in the words of the book, which are French.
book: engine.KeywordBook[Keyword] = engine.KeywordBook(
    Keyword, also={title: said["name"] for title, said in french_rules(__package__).items()}
)
keyword = book.keyword
SkillSet = engine.KeywordSet[Keyword]
