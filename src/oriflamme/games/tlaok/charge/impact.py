"""Impact attacks (TLAOK-IMPACT), and all that a charge brings that has succeeded (TLAOK-CHARGE-26)."""

from __future__ import annotations

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.keywords import at
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.tlaok.combat.attacks import close_strike, dice_of, resolve, struck_by
from oriflamme.games.tlaok.combat.blows import Strike
from oriflamme.games.tlaok.combat.clash import be_inspired
from oriflamme.games.tlaok.events import ChargeHindered, RegimentInspired
from oriflamme.games.tlaok.losses.wounds import Cause
from oriflamme.games.tlaok.moments import Keyword
from oriflamme.games.tlaok.state import Asking, Battle, Effect, Regiment
from oriflamme.games.tlaok.triggers import Trigger, Triggers


def resolve_charge(battle: Battle, regiment: Regiment, target: Regiment, *, hindered: bool = False) -> Asking[None]:
    """A charge has succeeded.

    1. The charger is Inspired, even with no action left.                    TLAOK-CHARGE-26
    2. Its impact attacks, unless hindering ground forbids them.             TLAOK-IMPACT-01, TLAOK-ZONE-19
    3. What special rules do at the end of the Charge.                       TLAOK-SR-OVERRUN-01

    Through hindering ground regiments that are not light do not benefit from Inspired this round (TLAOK-ZONE-20).
    """
    regiment.affect(Effect("charge", "TLAOK-CHARGE-26", "round", "charged"))
    slow = hindered and regiment.weight != "light"
    if slow:
        regiment.affect(Effect("hindering", "TLAOK-ZONE-20", "round", "uninspired"))
    be_inspired(regiment, "TLAOK-CHARGE-26")
    battle.tell(RegimentInspired("TLAOK-CHARGE-26", regiment.id))
    if hindered:
        battle.tell(ChargeHindered("TLAOK-ZONE-19", regiment.id, not slow))
        return
    yield from impact_attacks(battle, regiment, target)
    home = Triggers("home")
    for stand in regiment.figures:
        at(Keyword.after_charging, (regiment.keywords_of(stand),), home, battle, regiment, stand)
    for trigger in home.first:
        yield from trigger.resolve(battle, regiment)


def impact_attacks(battle: Battle, regiment: Regiment, target: Regiment) -> Asking[None]:
    """Each stand that has them makes them, engaged or not, against the enemy it charged, never one in a garrison
    (TLAOK-IMPACT-02, -03, -07)."""
    if target.garrison or target.fate or regiment.fate:
        return
    strikes, cause = impact_of(battle, regiment, target)
    yield from resolve(battle, regiment, target, strikes, cause)


def impact_of(battle: Battle, regiment: Regiment, target: Regiment) -> tuple[list[Strike], Cause]:
    """The impact attacks of the troops and of the character, and what their wounds are caused by."""
    struck = struck_by(battle, target, battle.contacts.get(target.id, {}).get(regiment.id, ""))
    strikes = []
    for hero in (False, True):
        stands = [stand for stand in regiment.figures if stand.hero == hero]
        attacks = sum(dice_of(battle, regiment, stand, "impact") for stand in stands)
        if attacks:
            strikes.append(close_strike(battle, regiment, stands[0], "impact", attacks, struck))
    return strikes, Cause("TLAOK-IMPACT-04", "impact", regiment.id, struck.face, saved=True)


def _overrun(battle: Battle, regiment: Regiment) -> Asking[None]:
    """If the enemy in contact is Broken, the impact attacks may be made again (TLAOK-SR-OVERRUN-01)."""
    broken = [enemy for enemy in battle.engaged(regiment) if enemy.broken and not enemy.garrison]
    if not broken or not any(dice_of(battle, regiment, stand, "impact") for stand in regiment.figures):
        return
    options = [*(Option.thing(enemy.id, "overrun") for enemy in broken), Option("no", "overrun")]
    about = {"regiment": regiment.id}
    key = yield from pick_one(regiment.side, options, "overrun", "TLAOK-SR-OVERRUN-01", about)
    if key != "no":
        yield from impact_attacks(battle, regiment, battle.units[key])


OVERRUN = Trigger("overrun", "TLAOK-SR-OVERRUN-01", _overrun)
