"""Titanic ability cards that are given up to cancel a Force test (RN3-TIT-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one
from oriflamme.games.rn3.events.mystics import CardSacrificed
from oriflamme.games.rn3.state import Asking, Battle, Unit

if TYPE_CHECKING:
    from oriflamme.games.rn3.trials import Result, Trial

FORCE_TESTS: Final = frozenset({"force", "ranged_force", "blast"})


def may_cancel(battle: Battle, trial: Trial, unit: Unit | None, result: Result) -> Asking[bool]:
    """After a Force test against his titan the owner may give up one ability card: the whole test is cancelled
    (RN3-TIT-05)."""
    if unit is None or trial.kind not in FORCE_TESTS or unit.profile.category != "titan":
        return False
    if not result.successes or not unit.cards or not unit.figures:
        return False
    options = [Option("none", "none"), *(Option(card, "card", {"card": card}) for card in unit.cards)]
    about = {"unit": unit.id, "successes": result.successes}
    key = yield from pick_one(unit.side, options, "sacrifice_card", "RN3-TIT-05", about, default="none", measured=True)
    if key == "none":
        return False
    unit.cards = tuple(card for card in unit.cards if card != key)
    battle.tell(CardSacrificed("RN3-TIT-05", unit.id, key))
    return True
