"""What becomes of a mount whose rider is destroyed (LFW-SR-CAV)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oriflamme.games.lfw.courage import passes_courage
from oriflamme.games.lfw.flee import begin_flight
from oriflamme.games.lfw.moments import Keyword, keyword
from oriflamme.games.lfw.state import Effect
from oriflamme.games.lfw.targeting import lay_effect
from oriflamme.games.lfw.wounds import mark_destroyed

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.lfw.cavalry import Parting

MANNERS: Final = ("faithful", "unfit", "fearful", "wild", "vengeful")  # LFW-SR-CAV-02 to -06


@keyword("LFW-SR-CAV-01", "Unstable behaviour({text})")
class UnstableBehaviour(Keyword):
    """A mount whose rider is destroyed tests its courage: the first manner if it passes, the second if it fails; one
    that is written alone, or twice, needs no test."""

    __slots__ = ()

    @classmethod
    def read_text(cls, text: str) -> str | None:
        words = [word.strip().casefold() for word in text.split(",")]
        known = len(words) in (1, 2) and all(word in MANNERS for word in words)
        return ", ".join(words) if known else None

    def when_duo_breaks(self, parting: Parting) -> Asking[None]:
        battle, model, mount = parting.battle, parting.model, parting.survivor
        if parting.lost.role != "rider":
            return
        first, _, second = self.word.partition(", ")
        passed = first == (second or first) or (yield from passes_courage(battle, model, "unstable"))
        manner = first if passed else second
        match manner:
            case "unfit":
                mark_destroyed(battle, mount, "unfit", parting.by, "LFW-SR-CAV-03")
            case "fearful":
                begin_flight(battle, model, "LFW-SR-CAV-04")
            case "wild":
                model.manner = "classic"
            case "vengeful":
                rules = ("Elite(combat)",)
                lay_effect(
                    battle, mount, Effect("vengeful", "LFW-SR-CAV-06", "next_turn", rules, behaviour="aggressive")
                )
