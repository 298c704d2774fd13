"""What skills of several specialisations share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oriflamme.games.lfw.auras import Aura


def gives_better_rolls(aura: Aura, reach: float) -> None:
    """Friends are skilful in hit and combat rolls; with a rule like it from elsewhere they are Elite (LFW-CAP-09,
    LFW-BRI-09, LFW-SR-ROLL-04)."""
    if aura.reaches(reach):
        aura.give("Skilful(hit)", "Skilful(combat)")
