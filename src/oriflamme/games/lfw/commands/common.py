"""The command abilities that all factions know (LFW-ADC, T-16)."""

from __future__ import annotations

from oriflamme.games.lfw.abilities import Ability, ability
from oriflamme.games.lfw.flee import rally
from oriflamme.games.lfw.state import Battle, Model, Part, Step
from oriflamme.games.lfw.targeting import Entry

FRIEND = Entry("friend", 6)
FRIENDS = Entry("friend", 3, every=True)
SHOOTING = ("beginning", "shooting")
MELEE = ("beginning", "melee")
ORGANISATION = ("during", "organisation")


@ability
class OpenFire(Ability):
    """+1 to hit rolls for the phase."""

    id = "open_fire"
    rule = "LFW-ADC-01"
    when = (SHOOTING,)
    entry = FRIEND
    duration = "phase"
    rules = ("Better shots",)


@ability
class SlaughterThem(Ability):
    """+1 to combat rolls for the phase."""

    id = "slaughter_them"
    rule = "LFW-ADC-02"
    when = (MELEE,)
    entry = FRIEND
    duration = "phase"
    rules = ("Better blows",)


@ability
class NoQuarter(Ability):
    """+1 to combat and hit rolls for the phase."""

    id = "no_quarter"
    rule = "LFW-ADC-03"
    when = (SHOOTING, MELEE)
    entry = FRIEND
    duration = "phase"
    rules = ("Better shots", "Better blows")


@ability
class HeroicAttack(Ability):
    """Strength and Attack of the user's melee weapons +1."""

    id = "heroic_attack"
    rule = "LFW-ADC-04"
    when = (MELEE,)
    entry = Entry("friend", None, caster=True)
    duration = "phase"
    rules = ("Heroic attack",)


@ability
class TacticalAttack(Ability):
    """Skilful in hit and combat rolls."""

    id = "tactical_attack"
    rule = "LFW-ADC-05"
    when = (ORGANISATION,)
    entry = FRIENDS
    rules = ("Skilful(hit)", "Skilful(combat)")


@ability
class OrganisedDefence(Ability):
    """Skilful in defence and protection rolls."""

    id = "organised_defence"
    rule = "LFW-ADC-06"
    when = (ORGANISATION,)
    entry = FRIENDS
    rules = ("Skilful(defence)", "Skilful(protection)")


@ability
class TakeCover(Ability):
    """+1 to defence rolls for the phase."""

    id = "take_cover"
    rule = "LFW-ADC-07"
    when = (SHOOTING, MELEE)
    entry = FRIEND
    duration = "phase"
    rules = ("Better defence",)


@ability
class AtTheDouble(Ability):
    """Rapid in every move that is not a charge."""

    id = "at_the_double"
    rule = "LFW-ADC-08"
    when = (("beginning", "movement"),)
    entry = FRIENDS
    duration = "phase"
    rules = ("At the double",)


@ability
class Repositioning(Ability):
    """The target counts as having made no move this turn, and so not as having charged or flown; it does not move
    again."""

    id = "repositioning"
    rule = "LFW-ADC-09"
    when = (("end", "movement"),)
    entry = FRIEND
    whole = True

    def resolve(self, battle: Battle, user: Part, targets: list[Part]) -> Step:
        model = battle.model_of(targets[0])
        model.moved = ""
        model.charged = model.flew = False
        return
        yield


@ability
class HoldTheLine(Ability):
    """+1 to courage tests."""

    id = "hold_the_line"
    rule = "LFW-ADC-12"
    when = (ORGANISATION,)
    entry = FRIENDS
    rules = ("Better courage",)


@ability
class PullTogether(Ability):
    """A fleeing friend rallies."""

    id = "pull_together"
    rule = "LFW-ADC-13"
    when = (ORGANISATION,)
    entry = FRIEND
    whole = True

    def matches(self, battle: Battle, user: Part, model: Model) -> bool:
        return model.fleeing

    def resolve(self, battle: Battle, user: Part, targets: list[Part]) -> Step:
        rally(battle, battle.model_of(targets[0]), self.rule)
        return
        yield
