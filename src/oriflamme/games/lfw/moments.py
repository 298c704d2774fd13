"""The moments a special rule, a specialist's skill, a command ability or a spell may change, in the order they happen.

Read from top to bottom like a game: units are deployed, a turn begins, units move, shoot, fight, are wounded, test
their courage, the turn ends. Who has something overrides the moments it changes; the rest do nothing. A moment that may
ask a player is a generator and is announced with `ask_at`.

There are three books with the same moments. `book` has the special rules of chapter 33 (`rules/*.py`), `skills` those
of specialists (`skills/*.py`), and `effects` what spells and command abilities leave behind where that is no special
rule (`spells/*.py`, `commands/*.py`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from oriflamme.engine.core import keywords as engine
from oriflamme.engine.core.keywords import UnknownKeyword
from oriflamme.engine.lists.glossary import french_rules, names_by_kind

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.lfw.abilities import Reach
    from oriflamme.games.lfw.army.choices import Choice
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.auras import Aura, Measure
    from oriflamme.games.lfw.cavalry import Parting
    from oriflamme.games.lfw.charge import ChargeDeclaration
    from oriflamme.games.lfw.combat import Armoury, Blows, Challenge, Fighting, Victory
    from oriflamme.games.lfw.courage import Courage
    from oriflamme.games.lfw.deployment import Deploying
    from oriflamme.games.lfw.gait import Gait
    from oriflamme.games.lfw.magic import Craft
    from oriflamme.games.lfw.morale import Eligibility
    from oriflamme.games.lfw.organisation import Upkeep
    from oriflamme.games.lfw.permits import Permit
    from oriflamme.games.lfw.precedence import Precedence
    from oriflamme.games.lfw.scenarios.control import Presence
    from oriflamme.games.lfw.shooting import Permission, Volley
    from oriflamme.games.lfw.sight import Looking
    from oriflamme.games.lfw.state import Battle, Part
    from oriflamme.games.lfw.stats import Stat
    from oriflamme.games.lfw.walking import Journey
    from oriflamme.games.lfw.wounds import Wounding


class Keyword(engine.Keyword):
    """Something that changes the rules for somebody. Override the moments it changes; the rest do nothing."""

    __slots__ = ()

    def when_enlisted(self, choice: Choice) -> None:
        """A list is written in which a specialist has it: whether what it leaves open is well chosen (LFW-ARMY-12)."""

    def when_mustered(self, part: Part) -> None:
        """Its bearer becomes a specialist: points, abilities and spells it brings (LFW-SPEC-04)."""

    def before_deployment(self, deploying: Deploying) -> None:
        """Its bearer is about to be deployed: with the others, or later and where (LFW-SETUP-02, 9 to 11)."""

    def when_stat_is_read(self, stat: Stat) -> None:
        """A characteristic of its bearer is asked for (LFW-ATK-25)."""

    def when_near(self, aura: Aura) -> None:
        """Somebody's rules are gathered and its bearer is on the table and not fleeing: an aura may reach him
        (LFW-UNIT-13)."""

    def when_aura_is_measured(self, measure: Measure) -> None:
        """How far its bearer's auras reach (LFW-CAP-06)."""

    def when_commanding(self, command: Reach) -> None:
        """Its bearer uses a command ability: how far it reaches (LFW-ABL-06)."""

    def at_start_of_turn(self, part: Part, battle: Battle) -> None:
        """A turn begins (LFW-TURN-08, 4)."""

    def in_organisation(self, upkeep: Upkeep) -> None:
        """The organisation phase: what its bearer must still resolve in it (LFW-ORG-03)."""

    def when_acting(self, permit: Permit) -> None:
        """Its bearer wants to do something of its own choosing: whether it may."""

    def when_casting(self, craft: Craft) -> None:
        """Its bearer is a mage: how much magic it gains, how often and how far it casts (LFW-MAG-01, -05)."""

    def when_moving(self, gait: Gait) -> None:
        """How far its bearer goes in a move of some kind, and what it may ignore (LFW-MOVE-09)."""

    def when_looking(self, looking: Looking) -> None:
        """Who sees whom at night is asked: whether its bearer sees in the dark, and gives light (LFW-ENV-02, -03)."""

    def after_move(self, journey: Journey) -> Asking[None]:
        """Its bearer has gone a way, on foot or through the air (LFW-SR-MOV-10b)."""
        return
        yield

    def after_charge_declared(self, declaration: ChargeDeclaration) -> Asking[None]:
        """Its bearer is the target of a charge that was just declared (LFW-CHG-03)."""
        return
        yield

    def when_choosing_weapon(self, permission: Permission) -> None:
        """Whether its bearer may shoot with a weapon at somebody (LFW-SHOOT-02 to -05); the weapon speaks too."""

    def when_shooting(self, volley: Volley) -> Asking[None]:
        """Target and weapon are chosen: how the shot is made, and who else suffers it (LFW-SHOOT-06)."""
        return
        yield

    def at_end_of_shooting(self, part: Part, battle: Battle) -> Asking[None]:
        """All shooting is done."""
        return
        yield

    def when_attacking(self, attack: Attack) -> None:
        """Its bearer, or the weapon that has it, attacks: everything that is known before the dice (LFW-ATK-03, 1)."""

    def when_attacked(self, attack: Attack) -> None:
        """Its bearer is attacked: everything that is known before the dice."""

    def after_hit_rolls(self, attack: Attack) -> None:
        """Hit or combat rolls of its bearer's attack lie, re-rolls included; criticals are known (LFW-ATK-03, 4)."""

    def after_attack(self, attack: Attack, battle: Battle) -> None:
        """An attack of its bearer has been rolled, whatever came of it."""

    def after_destroyed(self, attack: Attack, battle: Battle) -> None:
        """A shot of its bearer has destroyed its target, who is still where it stood."""

    def after_attacked(self, attack: Attack, battle: Battle) -> None:
        """Its bearer has been attacked, whatever came of it."""

    def before_combat(self, challenge: Challenge) -> Asking[None]:
        """A combat in which its bearer takes part begins (LFW-MEL-05, 1)."""
        return
        yield

    def when_order_is_set(self, precedence: Precedence) -> None:
        """When its bearer charges, shoots or fights: before the others, with them or last (LFW-CHG-21, LFW-SHOOT-08,
        LFW-MEL-05)."""

    def when_striking(self, blows: Blows) -> None:
        """Its bearer fights with a weapon, whose rules speak too: how its attacks are shared out (LFW-MEL-08)."""

    def when_fighting(self, fighting: Fighting) -> None:
        """Whom its bearer can reach in this combat, and how it attacks (LFW-MEL-04)."""

    def when_arming(self, armoury: Armoury) -> None:
        """Which weapons its bearer may fight with (LFW-MEL-08). Rules of its weapons speak too."""

    def before_wounds(self, wounding: Wounding) -> None:
        """Its bearer suffers wounds: what may cancel them (LFW-WND-02)."""

    def after_combat(self, victory: Victory) -> None:
        """A combat in which its bearer took part is decided (LFW-MEL-20)."""

    def at_end_of_melee(self, part: Part, battle: Battle) -> Asking[None]:
        """The melee phase ends (LFW-MEL-26)."""
        return
        yield

    def when_duo_breaks(self, parting: Parting) -> Asking[None]:
        """The other of its duo was destroyed, and its bearer survives (LFW-CAV-12)."""
        return
        yield

    def when_morale_is_gathered(self, eligibility: Eligibility) -> None:
        """The morale phase begins: whom its bearer makes eligible (LFW-MOR-06)."""

    def before_courage(self, courage: Courage) -> None:
        """Its bearer is about to test its courage (LFW-DICE-09)."""

    def when_control_is_counted(self, presence: Presence) -> None:
        """Whether its bearer counts for a strategic point or zone (LFW-OBJ-01)."""


# Lists and cases may say them in the words of the book, which are French.
_FRENCH: Final = {
    title: (said["name"], *([said["printed"]] if "printed" in said else ()))
    for title, said in french_rules(__package__).items()
}
_WITHIN: Final = {
    name: id
    for kind in ("roll", "manner", "ability", "spell")
    for id, names in names_by_kind(__package__)[kind].items()
    for name in names.values()
}
book: engine.KeywordBook[Keyword] = engine.KeywordBook(Keyword, also=_FRENCH, within=_WITHIN)
skills: engine.KeywordBook[Keyword] = engine.KeywordBook(Keyword, also=_FRENCH, within=_WITHIN)
effects: engine.KeywordBook[Keyword] = engine.KeywordBook(Keyword, also=_FRENCH, within=_WITHIN)
keyword = book.keyword
skill = skills.keyword
effect = effects.keyword
RuleSet = engine.KeywordSet[Keyword]


@lru_cache(maxsize=4096)
def rules_named(names: tuple[str, ...], *, skilled: bool = False) -> RuleSet:
    """The special rules, effects or skills of these printed names, as a set."""
    return book.set_of(tuple(_named(name, skills if skilled else book) for name in names))


def _named(name: str, first: engine.KeywordBook[Keyword]) -> Keyword:
    try:
        return first.parse(name)
    except UnknownKeyword:
        if first is skills:
            raise
        return effects.parse(name)
