"""The moments a special rule of Conquest may change, in the order they happen.

Read from top to bottom like a battle: a stand is mustered, arrives, is activated, moves, charges, strikes, is struck,
holds or breaks, and ends its activation. A special rule overrides the moments it cares about; the rest do nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from oriflamme.engine.core import keywords as engine

if TYPE_CHECKING:
    from oriflamme.games.tlaok.characters.duel import Duellist
    from oriflamme.games.tlaok.characters.magic import Casting, Power
    from oriflamme.games.tlaok.charge.bloodlust import Urge
    from oriflamme.games.tlaok.charge.charge import Onrush
    from oriflamme.games.tlaok.combat.attacks import Count
    from oriflamme.games.tlaok.combat.blows import Strike
    from oriflamme.games.tlaok.combat.volley import Shot
    from oriflamme.games.tlaok.losses.morale import Dismay, Fright, Morale
    from oriflamme.games.tlaok.losses.wounds import Pool
    from oriflamme.games.tlaok.movement.entry import Arrival
    from oriflamme.games.tlaok.movement.garrison import Occupation
    from oriflamme.games.tlaok.profile import Profile
    from oriflamme.games.tlaok.rounds.control import Holding
    from oriflamme.games.tlaok.state import Battle, Regiment, Stand
    from oriflamme.games.tlaok.terrain.sight import View
    from oriflamme.games.tlaok.triggers import Triggers


class Exemption:
    """Something that would befall a regiment: a roll, a penalty, being Broken. A special rule may spare it that."""

    __slots__ = ("because",)

    def __init__(self) -> None:
        self.because: engine.Keyword | None = None

    def grant(self, because: engine.Keyword) -> None:
        self.because = because


class Keyword(engine.Keyword):
    """A special rule of Conquest. Override the moments it changes; the rest do nothing.

    `by_range` marks those that look at which of the shots come from effective range, `declares` those that are declared
    before rolling.

    `reach` says whom it helps (TLAOK-REG-08): "regiment" if it speaks of the regiment or all its stands, an attached
    character among them; "stand" if only the stands that have it use it. `names_characters` marks those whose text
    names character stands, which reach them under tlaok.characterRules = explicitOnly too. `on` says where it may be
    printed: on a stand, a character, the shots of a barrage, the hits of a spell. A number written (+X) adds
    (TLAOK-SR-GEN-01). `in_duels` says whether a character's duel knows it: "always", only if it is his "own", or
    "never" (TLAOK-SR-GEN-03). `in_spells` marks those of a caster that the hits of his spells have too,
    `flies`, `irregular` and `flanks` what a stand or its regiment is with them, printed, bought or granted;
    `leads_round` those of a character whose regiment flanks, `adds_shots` those that are a part of a ranged weapon.
    """

    additive = True
    reach: ClassVar[str] = "stand"
    names_characters: ClassVar[bool] = False
    by_range: ClassVar[bool] = False
    declares: ClassVar[bool] = False
    on: ClassVar[tuple[str, ...]] = ("stand", "character")
    in_duels: ClassVar[str] = "always"
    in_spells: ClassVar[bool] = False
    flies: ClassVar[bool] = False
    irregular: ClassVar[bool] = False
    flanks: ClassVar[bool] = False
    leads_round: ClassVar[bool] = False
    adds_shots: ClassVar[bool] = False

    __slots__ = ()

    def when_mustered(self, profile: Profile) -> None:
        """A stand joins the army: what it is, is settled."""

    def when_entering(self, arrival: Arrival, stand: Stand) -> None:
        """The bearer's regiment is about to come in from reinforcements at a place (TLAOK-ENTRY-12)."""

    def when_occupying(self, occupation: Occupation, regiment: Regiment, stand: Stand) -> None:
        """The bearer's regiment would occupy a garrison (TLAOK-GARR-06)."""

    def when_enemy_named(self, named: Triggers, battle: Battle, own: Regiment, stand: Stand, enemy: Regiment) -> None:
        """An enemy in contact with the bearer's regiment is named by its card (TLAOK-ACT-04)."""

    def before_acting(self, before: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        """The bearer's regiment, or its character, is about to choose its first action (TLAOK-ACT-10)."""

    def before_action(self, urge: Urge, regiment: Regiment, stand: Stand) -> None:
        """The bearer's regiment is about to act out of combat (TLAOK-ACT-10)."""

    def before_charge(self, onrush: Onrush, regiment: Regiment, stand: Stand) -> None:
        """Whether and how far the bearer's regiment may charge is being settled (TLAOK-CHARGE-02, -04, -05)."""

    def after_charging(self, home: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        """The bearer's regiment has charged home and made its impact attacks (TLAOK-CHARGE-26)."""

    def when_counting(self, count: Count, regiment: Regiment, stand: Stand) -> None:
        """How many attacks or shots the bearer brings is being counted (TLAOK-CLASH-02, TLAOK-VOLLEY-15)."""

    def when_looking(self, view: View) -> None:
        """Which arcs the bearer's regiment looks into is being settled (TLAOK-LOS-01)."""

    def when_shooting(self, shot: Shot) -> None:
        """How many shots the bearer has at a target is being settled (TLAOK-VOLLEY-16)."""

    def when_shot_at(self, shot: Shot) -> None:
        """How many shots somebody has at the bearer's regiment is being settled."""

    def when_enemy_inspired(self, strike: Strike) -> None:
        """An enemy strikes, perhaps Inspired, who touches the bearer's regiment, or the bearer if he is a character."""

    def before_hitting(self, strike: Strike) -> None:
        """The bearer is about to roll to hit (TLAOK-CLASH-15, TLAOK-VOLLEY-17)."""

    def when_struck(self, strike: Strike) -> None:
        """Somebody is about to roll to hit the bearer's regiment."""

    def last_before_hitting(self, strike: Strike) -> None:
        """Everything else that changes the bearer's value is known."""

    def after_hitting(self, strike: Strike) -> None:
        """The bearer's hit dice are down; natural ones are known."""

    def before_defending(self, strike: Strike) -> None:
        """The bearer's hits are about to meet Defence and Evasion."""

    def when_defending(self, strike: Strike) -> None:
        """The bearer's regiment, or the bearer in a duel, is about to roll for its defence."""

    def when_casting(self, power: Power) -> None:
        """What dice the bearer may cast spells with is being counted (TLAOK-MAGIC-09)."""

    def when_spellbound(self, casting: Casting, regiment: Regiment, stand: Stand) -> None:
        """A spell is cast on the bearer's regiment."""

    def when_refusing(self, challenge: Exemption, regiment: Regiment, stand: Stand) -> None:
        """The character of the bearer's regiment refuses a duel (TLAOK-DUEL-03)."""

    def when_duelling(self, duellist: Duellist) -> None:
        """The bearer is about to strike in a duel (TLAOK-DUEL-09)."""

    def when_wounded(self, pool: Pool, battle: Battle, regiment: Regiment, stand: Stand, wounds: int) -> None:
        """So many wounds of a pool are allocated to the bearer (TLAOK-WOUND-02)."""

    def when_enemy_tests(self, dismay: Dismay, own: Regiment, stand: Stand) -> None:
        """An enemy who touches the bearer tests his morale for wounds that its regiment caused (TLAOK-MORALE)."""

    def when_frightened(self, fright: Fright, regiment: Regiment, stand: Stand) -> None:
        """A special rule of an enemy would frighten the bearer's regiment."""

    def before_morale(self, morale: Morale, regiment: Regiment, stand: Stand) -> None:
        """The bearer's regiment is about to roll for its morale (TLAOK-MORALE-03)."""

    def before_breaking(self, breaking: Exemption, regiment: Regiment, stand: Stand) -> None:
        """The bearer's regiment is about to be Broken (TLAOK-BROKEN)."""

    def when_enemy_steadies(self, dismay: Dismay, own: Regiment, stand: Stand) -> None:
        """An enemy in contact is about to make a Combat Rally or a Combat Reform."""

    def when_ordering(self, order: Exemption, regiment: Regiment, stand: Stand) -> None:
        """The bearer's regiment reforms or withdraws in combat: in order, or not (TLAOK-CREFORM-02)."""

    def when_holding(self, holding: Holding, battle: Battle, regiment: Regiment) -> None:
        """What the bearer counts for at an objective zone is being settled (TLAOK-CTRL)."""

    def when_ending(self, ending: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        """The bearer's regiment ends its activation (TLAOK-ACT-23)."""


book: engine.KeywordBook[Keyword] = engine.KeywordBook(Keyword)
keyword = book.keyword
KeywordSet = engine.KeywordSet[Keyword]
