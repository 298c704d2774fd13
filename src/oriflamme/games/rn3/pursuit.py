"""Pursuit and push: a move after a fight in which nobody is left in contact (RN3-PUR, RN3-REC-08, RN3-CCH-11)."""

from __future__ import annotations

from oriflamme.engine.core.events import Refusal
from oriflamme.engine.core.questions import yes_or_no
from oriflamme.games.rn3.contact import is_free
from oriflamme.games.rn3.events.melee import Pursued
from oriflamme.games.rn3.moving import free_move
from oriflamme.games.rn3.state import Asking, Battle, Step, Unit, step
from oriflamme.games.rn3.ways import reach_of


def why_not_pursue(battle: Battle, unit: Unit) -> Refusal | None:
    """Why a unit may not pursue or push, if so (RN3-PUR-01)."""
    if not unit.on_table:
        return Refusal("RN3-PUR-01", "left_the_table", {"unit": unit.id})
    if unit.machine is not None:
        return Refusal("RN3-WM-04", "machines_never", {"unit": unit.id})
    if not is_free(battle, unit):
        return Refusal("RN3-PUR-01", "still_in_contact", {"unit": unit.id})
    return None


@step
def pursue(battle: Battle, unit_id: str, fought: tuple[str, ...]) -> Step:
    """After a fight the active unit may pursue if it touches no enemy any more; after a reception or a counter-charge
    that is a push, which the other may make if the charger declines (RN3-PUR-01, RN3-REC-08, RN3-CCH-11)."""
    unit = battle.units[unit_id]
    reaction = battle.acting.reaction
    enemies = [battle.units[id] for id in fought]
    pushes = reaction in ("reception", "counter_charge")
    rule = {"reception": "RN3-REC-08", "counter_charge": "RN3-CCH-11"}.get(reaction, "RN3-PUR-01")
    done = yield from _offer(battle, unit, enemies, rule)
    if not done and pushes:
        for enemy in enemies:
            yield from _offer(battle, enemy, [unit], rule)


def _offer(battle: Battle, unit: Unit, enemies: list[Unit], rule: str) -> Asking[bool]:
    """Up to MOU in any direction, perhaps into contact with whom it has just fought, and with nobody else; it keeps its
    formation, and no fight follows (RN3-PUR-01 to -05)."""
    if why_not_pursue(battle, unit) is not None:
        return False
    ask = "pursue" if rule == "RN3-PUR-01" else "push"
    about = {"unit": unit.id}
    if not (yield from yes_or_no(unit.side, ask, rule, about, word=ask, facts=about, default=False)):
        return False
    battle.tell(Pursued(rule, unit.id, ask))
    touch = [enemy for enemy in enemies if enemy.on_table]
    reach = reach_of(battle, unit, "pursuit")
    yield from free_move(battle, unit, reach, rule, "pursuit_move", may_touch=touch, how="pursuit")
    return True
