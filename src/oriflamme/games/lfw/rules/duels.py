"""Duels (LFW-SR-BLD-02)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.questions import pick_one, yes_or_no
from oriflamme.games.lfw.events.melee import Challenged
from oriflamme.games.lfw.moments import Keyword, keyword

if TYPE_CHECKING:
    from oriflamme.engine.core.steps import Asking
    from oriflamme.games.lfw.combat import Challenge


@keyword("LFW-SR-BLD-02a", "Duellist")
class Duellist(Keyword):
    """May challenge an enemy in contact at the start of a combat; a Duellist must accept."""

    def before_combat(self, challenge: Challenge) -> Asking[None]:
        battle, combat, part = challenge.battle, challenge.combat, challenge.part
        model = battle.model_of(part)
        if part.id in combat.challenged or not challenge.targets or model.behaviour or part.duel:
            return
        options = [Option(enemy.id, "target", {"unit": enemy.id}, (enemy.model,)) for enemy in challenge.targets]
        about = {"unit": part.id}
        options.append(Option("none", "no_challenge"))
        key = yield from pick_one(part.side, options, "challenge", "LFW-SR-BLD-02a", about, passing="none")
        if key == "none":
            return
        combat.challenged |= {part.id}
        enemy = battle.part(key)
        accepted = any(isinstance(rule, Duellist) for held in enemy.sets() for rule in held)
        if not accepted and not battle.model_of(enemy).behaviour:
            facts = {"unit": enemy.id, "target": part.id}
            accepted = yield from yes_or_no(enemy.side, "accept_challenge", "LFW-SR-BLD-02b", facts, word="accept")
        if accepted:
            part.duel, enemy.duel = enemy.id, part.id
        battle.tell(Challenged("LFW-SR-BLD-02c" if accepted else "LFW-SR-BLD-02b", part.id, enemy.id, accepted))
