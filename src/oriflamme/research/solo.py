"""A battle as an environment of Gymnasium: one side is the agent's, and bots play the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium

from oriflamme.engine.core.bots import Bot
from oriflamme.lab.battle import derived, players
from oriflamme.research.battles import BattleEnv

Seen = dict[str, Any]


class SoloEnv(gymnasium.Env):
    """One side against bots, by name or of one's own: one for all other sides, or one for each in their order.

    `side` is the number of the agent's side; `max_cycles` are its own micro-steps. All else is as in `BattleEnv`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(BattleEnv.render_modes), "render_fps": 1}

    def __init__(
        self,
        game: str,
        against: str | Bot | Sequence[str | Bot] = "captain",
        *,
        side: int = 0,
        max_cycles: int = 0,
        **given: Any,
    ) -> None:
        self.env = BattleEnv(game, **given)
        self.side, self.max_cycles = side, max_cycles
        self.agent = self.env.possible_agents[side]
        others = [agent for agent in self.env.possible_agents if agent != self.agent]
        bots = list(against) if isinstance(against, list | tuple) else [against] * len(others)
        self.against = dict(zip(others, bots, strict=True))
        for bot in bots:
            self._seated(bot, 0)
        self.observation_space = self.env.observation_space(self.agent)
        self.action_space = self.env.action_space(self.agent)
        self.render_mode = self.env.render_mode

    def _seated(self, bot: Any, seed: int) -> Any:
        """A bot by its name; raises Problems if there is none."""
        return players(self.env.game, [bot], seed, 1)[0] if isinstance(bot, str) else bot

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """A new battle, up to the first question to the agent."""
        super().reset(seed=seed)
        self.env.reset(seed=seed)
        self.steps = 0
        self.bots = {a: self._seated(bot, derived(self.env.seed, "seat", a)) for a, bot in self.against.items()}
        self._let_others()
        return self.env.observe(self.agent), {}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """A micro-step of the agent, and all that the others answer to it."""
        self.env.step(int(action))
        self.steps += 1
        self._let_others()
        over = self.env.terminations[self.agent]
        cut = not over and bool(self.max_cycles) and self.steps >= self.max_cycles
        return self.env.observe(self.agent), float(self.env.rewards[self.agent]), over, cut, {}

    def _let_others(self) -> None:
        while not self.env.battle.over and self.env.agent_selection != self.agent:
            self.env.let(self.bots[self.env.agent_selection])

    def render(self) -> Any:
        """As `BattleEnv` does."""
        return self.env.render()

    def close(self) -> None:
        """Nothing is left open."""
        self.env.close()
