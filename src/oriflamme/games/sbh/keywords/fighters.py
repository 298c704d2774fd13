"""The special rules of fighters (SBH-SR), in the order of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.games.sbh.events import PoisonRolled, TailSlapRolled
from oriflamme.games.sbh.moments import Keyword, keyword
from oriflamme.games.sbh.profile import BIG, HUGE

if TYPE_CHECKING:
    from oriflamme.engine.core.dice import Dice
    from oriflamme.games.sbh.bout import Bout, Outcome, Roll
    from oriflamme.games.sbh.morale import Fear
    from oriflamme.games.sbh.movement import Gait
    from oriflamme.games.sbh.profile import Profile
    from oriflamme.games.sbh.quality import QualityRoll
    from oriflamme.games.sbh.results import Hack
    from oriflamme.games.sbh.scenarios import Trap

WOODS = frozenset({"forest", "thorns"})
WATERS = frozenset({"swamp", "marsh", "mire", "water", "river", "stream", "ford", "pond"})


@keyword("SBH-SR-AMPHIBIOUS", "Amphibious")
class Amphibious(Keyword):
    """Bogs, marshes and water do not slow him."""

    def when_moving(self, gait: Gait) -> None:
        gait.unhindered_by(WATERS, self)


@keyword("SBH-SR-ANIMAL", "Animal")
class Animal(Keyword):
    """Gains no experience, uses no magic items, and does not stay without its masters."""

    def when_mustered(self, profile: Profile) -> None:
        profile.animal = True
        profile.kinds |= {"animals"}


@keyword("SBH-SR-ARTIFICIAL", "Artificial")
class Artificial(Keyword):
    """Not alive: no poison, no horror; a gruesome kill is only a kill."""

    def when_mustered(self, profile: Profile) -> None:
        profile.living = False
        profile.poisonable = False

    def when_killed(self, outcome: Outcome) -> None:
        outcome.soften(self)

    def when_frightened(self, fear: Fear) -> None:
        fear.shrug_off(self)


@keyword("SBH-SR-ASSASSIN", "Assassin")
class Assassin(Keyword):
    """Whoever lives and is beaten dies."""

    def when_winning(self, outcome: Outcome) -> None:
        if outcome.loser.living:
            outcome.kill(self)


@keyword("SBH-SR-LEADER", "Leader")
class Leader(Keyword):
    """Steadies his friends and gives orders."""

    def when_mustered(self, profile: Profile) -> None:
        profile.leads = True


@keyword("SBH-SR-TAILSLAP", "Tail Slap")
class TailSlap(Keyword):
    """Who recoils from him falls on a 1, unless he is larger."""

    def when_driving_back(self, outcome: Outcome, dice: Dice) -> None:
        if outcome.bout.ranged or outcome.loser.size > outcome.winner.size:
            return
        face = dice.d6()
        outcome.tell(TailSlapRolled("SBH-SR-TAILSLAP-01", outcome.winner.id, outcome.loser.id, face))
        if face == 1:
            outcome.fell(self)


@keyword("SBH-SR-WOODSMAN", "Woodsman")
class Woodsman(Keyword):
    """At home in woods."""

    def when_moving(self, gait: Gait) -> None:
        gait.unhindered_by(WOODS, self)

    def when_trapped(self, trap: Trap) -> None:
        trap.careful = True


@keyword("SBH-SR-SHORTMOVE", "Short Move")
class ShortMove(Keyword):
    """Moves with the Short stick."""

    def when_mustered(self, profile: Profile) -> None:
        profile.move = "short"


@keyword("SBH-SR-LONGMOVE", "Long Move")
class LongMove(Keyword):
    """Moves with the Long stick."""

    def when_mustered(self, profile: Profile) -> None:
        profile.move = "long"


@keyword("SBH-SR-STEADFAST", "Steadfast")
class Steadfast(Keyword):
    """+1 on morale rolls."""

    def before_quality_roll(self, roll: QualityRoll) -> None:
        if roll.about == "morale":
            roll.change(1, self)


@keyword("SBH-SR-STEALTHY", "Stealthy")
class Stealthy(Keyword):
    """Cannot be aimed at while he touches cover."""

    def when_mustered(self, profile: Profile) -> None:
        profile.shy = True


@keyword("SBH-SR-ENTANGLE", "Entangle")
class Entangle(Keyword):
    """Entangles enemies, like a transfix spell."""

    def when_mustered(self, profile: Profile) -> None:
        profile.entangles = True


@keyword("SBH-SR-BIG", "Big")
class Big(Keyword):
    """Larger than a man."""

    def when_mustered(self, profile: Profile) -> None:
        profile.size = max(profile.size, BIG)

    def before_fighting(self, roll: Roll, bout: Bout) -> None:
        if bout.opponent_of(roll).size < BIG and roll.size == BIG:
            roll.change(1, self)


@keyword("SBH-SR-HUGE", "Huge")
class Huge(Keyword):
    """Larger than anybody else."""

    def when_mustered(self, profile: Profile) -> None:
        profile.size = HUGE

    def before_fighting(self, roll: Roll, bout: Bout) -> None:
        if bout.opponent_of(roll).size < HUGE:
            roll.change(1, self)


@keyword("SBH-SR-CLIMBER", "Climber")
class Climber(Keyword):
    """Walks on walls and trees; takes no harm from falls."""

    def when_mustered(self, profile: Profile) -> None:
        profile.walks_walls = True
        profile.safe_falls = True

    def when_moving(self, gait: Gait) -> None:
        gait.climbs = True


@keyword("SBH-SR-GREGARIOUS", "Gregarious")
class Gregarious(Keyword):
    """+1 when activated as a group."""

    def before_quality_roll(self, roll: QualityRoll) -> None:
        if roll.about == "group" and roll.together(type(self)):
            roll.change(1, self)


@keyword("SBH-SR-HERO", "Hero")
class Hero(Keyword):
    """One of his Quality dice always succeeds; once per game he rolls a die again."""

    def when_mustered(self, profile: Profile) -> None:
        profile.hero = True

    def before_quality_roll(self, roll: QualityRoll) -> None:
        if roll.about != "group":
            roll.be_sure(self)


@keyword("SBH-SR-SLOW", "Slow")
class Slow(Keyword):
    """One move per turn."""

    def when_mustered(self, profile: Profile) -> None:
        profile.one_move = True


@keyword("SBH-SR-DEADLY", "Deadly({word})", ("mages", "undead", "animals", "trolls", "dragons", "orcs"))
class Deadly(Keyword):
    """Whoever of the named kind is beaten dies."""

    def when_winning(self, outcome: Outcome) -> None:
        if self.word in outcome.loser.kinds:
            outcome.kill(self)


@keyword("SBH-SR-MAGE", "Mage")
class Mage(Keyword):
    """Casts spells."""

    def when_mustered(self, profile: Profile) -> None:
        profile.casts = True
        profile.kinds |= {"mages"}


@keyword("SBH-SR-MOUNTED", "Mounted")
class Mounted(Keyword):
    """Rider and mount, one fighter."""

    def when_mustered(self, profile: Profile) -> None:
        profile.mounted = True

    def before_fighting(self, roll: Roll, bout: Bout) -> None:
        other = bout.opponent_of(roll)
        if not other.mounted and other.size <= roll.size:
            roll.change(1, self)

    def when_trapped(self, trap: Trap) -> None:
        trap.clumsy = True

    def when_hacked(self, hack: Hack) -> None:
        if not hack.hacker.mounted and not hack.hacker.flies:
            hack.evade(self)


@keyword("SBH-SR-UNDEAD", "Undead")
class Undead(Keyword):
    """Dead already: hard to shoot, never flees, crumbles when its will fails."""

    def when_mustered(self, profile: Profile) -> None:
        profile.living = False
        profile.poisonable = False
        profile.never_flees = True
        profile.kinds |= {"undead"}

    def before_being_shot(self, roll: Roll, bout: Bout) -> None:
        if not bout.magic:
            roll.change(-2, self)

    def before_quality_roll(self, roll: QualityRoll) -> None:
        if roll.about == "morale":
            roll.change(2, self)


@keyword("SBH-SR-SWARM", "Swarm")
class Swarm(Keyword):
    """Many small animals on one base."""

    def when_mustered(self, profile: Profile) -> None:
        profile.animal = True
        profile.swarm = True
        profile.gruesome_kin = True
        profile.kinds |= {"animals"}

    def when_moving(self, gait: Gait) -> None:
        gait.flows = True

    def before_being_shot(self, roll: Roll, bout: Bout) -> None:
        if not bout.magic:
            roll.change(-2, self)


@keyword("SBH-SR-POISON", "Poison")
class Poison(Keyword):
    """Who is beaten may be poisoned: on a 6 his Quality is worse by one."""

    def after_winning(self, outcome: Outcome, dice: Dice) -> None:
        if not outcome.loser.poisonable:
            return
        face = dice.d6()
        outcome.tell(PoisonRolled("SBH-SR-POISON-01", outcome.winner.id, outcome.loser.id, face))
        if face == 6:
            outcome.poison(self)


@keyword("SBH-SR-PRIEST", "Priest")
class Priest(Keyword):
    """Heals friends and lays the undead to rest, as long as he has his powers."""

    def when_mustered(self, profile: Profile) -> None:
        profile.heals = True

    def when_winning(self, outcome: Outcome) -> None:
        if "undead" in outcome.loser.kinds and not outcome.winner.lost_powers:
            outcome.kill(self)


@keyword("SBH-SR-TOUGH", "Tough")
class Tough(Keyword):
    """A kill is a wound; a gruesome kill is a death that shakes nobody."""

    def when_enduring(self, outcome: Outcome) -> None:
        outcome.endure(self)


@keyword("SBH-SR-FEARLESS", "Fearless")
class Fearless(Keyword):
    """Neither gruesome kills nor Terror move him."""

    def when_frightened(self, fear: Fear) -> None:
        fear.shrug_off(self)


@keyword("SBH-SR-FREEDISENGAGE", "Free Disengage")
class FreeDisengage(Keyword):
    """Nobody strikes at him when he turns away."""

    def when_hacked(self, hack: Hack) -> None:
        hack.evade(self)


@keyword("SBH-SR-SAVAGE", "Savage")
class Savage(Keyword):
    """Every kill is gruesome."""

    def when_killing(self, outcome: Outcome) -> None:
        outcome.mangle(self)


@keyword("SBH-SR-TERROR", "Terror")
class Terror(Keyword):
    """Dreadful to approach and to be approached by."""

    def when_mustered(self, profile: Profile) -> None:
        profile.terrible = True

    def when_frightened(self, fear: Fear) -> None:
        if fear.of == "terror":
            fear.shrug_off(self)


@keyword("SBH-SR-SHOOTER", "Shooter({word})", ("short", "medium", "long"))
class Shooter(Keyword):
    """Shoots, throws or breathes."""

    def when_mustered(self, profile: Profile) -> None:
        profile.range = self.word


@keyword("SBH-SR-FLYING", "Flying")
class Flying(Keyword):
    """Flies over what others walk round."""

    def when_mustered(self, profile: Profile) -> None:
        profile.flies = True
        profile.safe_falls = True

    def when_moving(self, gait: Gait) -> None:
        gait.flies = True

    def when_hacked(self, hack: Hack) -> None:
        if not hack.hacker.flies:
            hack.evade(self)
