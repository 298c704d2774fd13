"""The experience that specialists have earned when a battle of a campaign is over (LFW-CAMP)."""

from __future__ import annotations

from typing import Final

from oriflamme.games.lfw.deeds import ABILITY, COMBAT, SAVED, SPELL
from oriflamme.games.lfw.scenarios.book import scenario_of
from oriflamme.games.lfw.scenarios.control import counts
from oriflamme.games.lfw.scenarios.points import stands_on
from oriflamme.games.lfw.state import Battle, Part

VICTORY: Final = 4  # LFW-CAMP-02
SURVIVAL: Final = 3  # LFW-CAMP-06
CONTROL: Final = 3  # LFW-CAMP-07


def experience_of(battle: Battle, part: Part) -> int:
    """What a specialist has earned in a battle that is over (LFW-CAMP-02 to -07)."""

    def done(what: str) -> int:
        return int(battle.notes.get(f"{what}:{part.id}", 0))

    destroyed = sum(kill.by == part.id for kill in battle.kills)
    match part.specialisation:
        case "captain":
            return done(ABILITY) + (VICTORY if part.side in battle.winners else 0)
        case "mage" if battle.option("lfw.mageXp") == "asPrinted":
            return done(ABILITY) + (VICTORY if part.side in battle.winners else 0)
        case "mage":
            return done(SPELL)
        case "zealot":
            return done(COMBAT) + destroyed
        case "sharpshooter":
            return destroyed
        case "veteran":
            return 0 if part.destroyed else SURVIVAL
        case "scout":
            quarters = len(battle.notes.get(f"quarters:{part.id}", ()))
            return quarters + done(SAVED) + (CONTROL if controls_something(battle, part) else 0)
    return 0


def controls_something(battle: Battle, part: Part) -> bool:
    """It is on a strategic point or in a zone that its side controls as the scenario counts it, and is one of those who
    count there (LFW-CAMP-07, LFW-OBJ-01, -02, LFW-SCN1-06)."""
    model = battle.model_of(part)
    if part.destroyed or not model.on_table or not counts(battle, model):
        return False
    held = scenario_of(battle).held(battle)
    return any(owner == part.side and stands_on(battle, (x, y, radius), model) for x, y, radius, owner in held)
