"""Special rules of arriving, marching, charging and holding ground (TLAOK-SR)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.geometry.measure import inches
from oriflamme.games.tlaok.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.games.tlaok.charge.bloodlust import Urge
    from oriflamme.games.tlaok.charge.charge import Onrush
    from oriflamme.games.tlaok.movement.entry import Arrival
    from oriflamme.games.tlaok.profile import Profile
    from oriflamme.games.tlaok.rounds.control import Holding
    from oriflamme.games.tlaok.state import Battle, Regiment, Stand
    from oriflamme.games.tlaok.terrain.sight import View
    from oriflamme.games.tlaok.triggers import Triggers

# How near enemies may not be to who comes in (TLAOK-SR-VANGUARD-03).
VANGUARD = inches(8)


@keyword("TLAOK-SR-BLOODLUST", "Bloodlust")
class Bloodlust(Keyword):
    """May Charge on arrival and while Broken; unengaged it must pass a die or go for the nearest enemy."""

    reach = "regiment"

    def before_charge(self, onrush: Onrush, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            onrush.on_arrival(because=self)
            onrush.while_broken(because=self)

    def before_action(self, urge: Urge, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            urge.drive(because=self)


@keyword("TLAOK-SR-FLANK", "Flank")
class Flank(Keyword):
    """Rolls for no reinforcements: its player says when it comes."""

    flanks = True


@keyword("TLAOK-SR-FLAWLESSDRILL", "Flawless Drill")
class FlawlessDrill(Keyword):
    """Once per game one additional free Combat Reform."""

    def before_acting(self, before: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        from oriflamme.games.tlaok.combat.combat_reform import DRILL, has_drilled

        acting = battle.acting
        if acting is None or acting.character or stand.hero or has_drilled(battle, regiment):
            return
        if (DRILL, True) not in acting.allowed:
            acting.allowed += ((DRILL, True),)


@keyword("TLAOK-SR-FLUIDFORMATION", "Fluid Formation")
class FluidFormation(Keyword):
    """One additional free Reform per activation; sees and shoots all around."""

    reach = "regiment"

    def when_looking(self, view: View) -> None:
        if view.purpose != "charge":
            view.widen("left", "right", "rear")
            view.turn()

    def before_acting(self, before: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        from oriflamme.games.tlaok.movement.reform import FREELY, may_reform_freely

        if not stand.hero and may_reform_freely(battle, regiment):
            before.add(FREELY)

    def when_ending(self, ending: Triggers, battle: Battle, regiment: Regiment, stand: Stand) -> None:
        from oriflamme.games.tlaok.movement.reform import FREELY

        if not stand.hero:
            ending.add(FREELY)


@keyword("TLAOK-SR-FLY", "Fly")
class Fly(Keyword):
    """A regiment of flyers marches and charges over everything."""

    flies = True

    def when_mustered(self, profile: Profile) -> None:
        profile.flies = True


@keyword("TLAOK-SR-IRREGULAR", "Irregular")
class Irregular(Keyword):
    """Counts for no reinforcement line; nobody without this rule may join it."""

    reach = "regiment"
    irregular = True

    def when_mustered(self, profile: Profile) -> None:
        profile.irregular = True


@keyword("TLAOK-SR-UNSTOPPABLE", "Unstoppable")
class Unstoppable(Keyword):
    """May re-roll failed charge rolls."""

    reach = "regiment"

    def before_charge(self, onrush: Onrush, regiment: Regiment, stand: Stand) -> None:
        if not stand.hero:
            onrush.retry(because=self)


@keyword("TLAOK-SR-UNYIELDING", "Unyielding")
class Unyielding(Keyword):
    """Enemies cannot capture an objective zone its stands are in range of, unless it is Broken."""

    reach = "regiment"

    def when_holding(self, holding: Holding, battle: Battle, regiment: Regiment) -> None:
        holding.denies = True


@keyword("TLAOK-SR-VANGUARD", "Vanguard")
class Vanguard(Keyword):
    """One additional free March when it enters, unless enemies are within 8 inches."""

    def when_entering(self, arrival: Arrival, stand: Stand) -> None:
        if not arrival.enemies_within(VANGUARD):
            arrival.marches = 1
