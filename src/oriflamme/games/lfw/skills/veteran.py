"""Skills of veterans (LFW-BRI)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.geometry.measure import inches
from oriflamme.games.lfw.dicing import roll_faces
from oriflamme.games.lfw.events.magic import Advised
from oriflamme.games.lfw.ground import within
from oriflamme.games.lfw.moments import Keyword, effect, skill
from oriflamme.games.lfw.organisation import Action, action
from oriflamme.games.lfw.rules.duels import Duellist
from oriflamme.games.lfw.skills.common import gives_better_rolls

if TYPE_CHECKING:
    from oriflamme.games.lfw.attack import Attack
    from oriflamme.games.lfw.auras import Aura
    from oriflamme.games.lfw.courage import Courage
    from oriflamme.games.lfw.state import Battle, Part, Step
    from oriflamme.games.lfw.stats import Stat

AURA = 3  # inches
CAPTAIN_NEAR = 6  # inches (LFW-BRI-05, -10)


@skill("LFW-BRI-02", "Hardened")
class Hardened(Keyword):
    """Has the special rules Veteran and Steadfast."""

    __slots__ = ()

    def before_courage(self, courage: Courage) -> None:
        courage.unmodified = True
        courage.passes |= courage.about == "morale"


@skill("LFW-BRI-03", "Elder")
class Elder(Keyword):
    """CC, CP and CT improved by 1; Attack of its weapons and life points 1 less."""

    __slots__ = ()

    def when_mustered(self, part: Part) -> None:
        part.most -= 1

    def when_stat_is_read(self, stat: Stat) -> None:
        if stat.name in ("CC", "CP", "CT"):
            stat.improve(1, self)

    def when_attacking(self, attack: Attack) -> None:
        if attack.number.value > 1:
            attack.number.change(-1, self)


@skill("LFW-BRI-04", "Code of honour")
class CodeOfHonour(Duellist):
    """A Duellist who knows Heroic attack, with two command points more."""

    __slots__ = ()

    def when_mustered(self, part: Part) -> None:
        part.pc += 2
        part.adc = (*part.adc, "heroic_attack")


@skill("LFW-BRI-05", "Tactical expertise")
class TacticalExpertise(Keyword):
    """In the organisation phase it advises its captain or jams an enemy's."""

    __slots__ = ()


class _WithCaptain(Action):
    """A die that is higher than a captain's command points changes them by one (LFW-BRI-05, -10)."""

    rule = "LFW-BRI-05"
    friendly = True

    def captains(self, battle: Battle, part: Part) -> list[Part]:
        own = battle.model_of(part)
        return [
            other
            for other in battle.parts_there()
            if other.specialisation == "captain"
            and (other.side == part.side if self.friendly else not battle.are_friends(part.side, other.side))
            and within(battle, own, battle.model_of(other), inches(CAPTAIN_NEAR))
        ]

    def is_open(self, battle: Battle, part: Part) -> bool:
        knows = "Tactical expertise" in part.skills and not part.used & {"advise", "jam"}
        return knows and bool(self.captains(battle, part))

    def perform(self, battle: Battle, part: Part) -> Step:
        options = [
            Option(other.id, "part", {"unit": other.id}, (other.model,)) for other in self.captains(battle, part)
        ]
        id = yield from pick_one(part.side, options, "which_captain", self.rule, {"unit": part.id})
        captain = battle.part(id)
        (face,) = yield from roll_faces(battle, part.side, 1, self.id)
        if face > captain.pc:
            captain.pc = max(0, captain.pc + (1 if self.friendly else -1))
        battle.tell(Advised(self.rule, part.id, captain.id, face, captain.pc, self.friendly))


@action
class Advise(_WithCaptain):
    """Its own captain gains a command point."""

    id = "advise"


@action
class Jam(_WithCaptain):
    """An enemy captain loses one."""

    id = "jam"
    rule = "LFW-BRI-10"
    friendly = False


@skill("LFW-BRI-06", "Strike true")
class StrikeTrue(Keyword):
    """Precise(1) and Piercing with its melee weapons."""

    __slots__ = ()

    def when_attacking(self, attack: Attack) -> None:
        if attack.kind == "melee":
            attack.make_precise(1, self)
            attack.piercing = True


@skill("LFW-BRI-07", "Strategic knowledge")
class StrategicKnowledge(Keyword):
    """Two command points more, and the ability At the double."""

    __slots__ = ()

    def when_mustered(self, part: Part) -> None:
        part.pc += 2
        part.adc = (*part.adc, "at_the_double")


@skill("LFW-BRI-08", "Lead by example")
class LeadByExample(Keyword):
    """Friends within 3" may use its Courage instead of their own."""

    __slots__ = ()

    def when_near(self, aura: Aura) -> None:
        if aura.reaches(AURA):
            aura.give(f"Lent courage({aura.bearer.sheet.co}+)")


@effect("LFW-BRI-08", "Lent courage({x}+)")
class LentCourage(Keyword):
    """May test its courage with another's Courage."""

    __slots__ = ()
    low = True

    def before_courage(self, courage: Courage) -> None:
        courage.needed = min(courage.needed, self.x)


@skill("LFW-BRI-09", "Combat leader")
class CombatLeader(Keyword):
    """Friends within 3" are skilful in hit and combat rolls."""

    __slots__ = ()

    def when_near(self, aura: Aura) -> None:
        gives_better_rolls(aura, AURA)
