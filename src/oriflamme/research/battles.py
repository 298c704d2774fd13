"""A battle as an AEC environment of PettingZoo: each question to a side is a few micro-steps of its agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from oriflamme.engine.core.bots import answer_of
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.games import load
from oriflamme.lab.battle import Misplayed, derived
from oriflamme.research.micro import Asking
from oriflamme.research.tables import BOUND, Scene, Sizes, Tables, is_turned


class BattleEnv(AECEnv):
    """A battle. Its agents are its sides: "side_0", "side_1" and so on.

    Points, lists, map, options and choices are those of `new_match`; what is not said is chosen anew by each seed.
    The reward is 1 for a win, -1 for a loss and 0 for a draw, at the end, and `score` times the difference of the
    scores, from -1 to 1. After `max_cycles` micro-steps a battle is cut off; 0 is never. With `waiting`, all agents act
    one after the other, and who is asked nothing waits: then `max_cycles` are rounds of all agents. Where rules propose
    whole answers, there are so many `samples` besides the one they suggest.

    An action that is not open counts as the first one that is.
    """

    render_modes: ClassVar[tuple[str, ...]] = ("human", "ansi", "svg")

    def __init__(
        self,
        game: str | Game,
        *,
        points: int = 0,
        lists: Sequence[str] = (),
        map: str = "",
        options: Mapping[str, str] | None = None,
        choices: Mapping[str, str] | None = None,
        score: float = 0.0,
        max_cycles: int = 0,
        waiting: bool = False,
        samples: int = 7,
        sizes: Sizes | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = load(game) if isinstance(game, str) else game
        self.given: dict[str, Any] = {
            "points": points, "lists": lists, "map": map, "options": options, "choices": choices,
        }  # fmt: skip
        self.score, self.max_cycles, self.waiting, self.samples = score, max_cycles, waiting, samples
        self.sizes = sizes or Sizes()
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"oriflamme_{self.game.id}",
            "render_modes": list(self.render_modes),
            "render_fps": 1,
            "is_parallelizable": waiting,
        }
        # What is wrong with the request is found here.
        setup = self.game.setup(0, **self.given)
        self.possible_agents = [f"side_{side}" for side in range(self.game.players_of(setup))]
        self.side_of = {agent: side for side, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.tables = Tables(self.game, self.sizes)
        self.more, self.done = self.sizes.options, self.sizes.options + 1
        self._spaces = {agent: self._spaces_of_one() for agent in self.possible_agents}
        self._chance = Random()
        self.play: Play | None = None

    def _spaces_of_one(self) -> tuple[spaces.Dict, spaces.Discrete]:
        actions = self.sizes.options + 2
        boxes = {n: spaces.Box(-BOUND, BOUND, shape, dtype=np.float32) for n, shape in self.tables.shapes.items()}
        mask = spaces.Box(0, 1, (actions,), dtype=np.int8)
        return spaces.Dict({"observation": spaces.Dict(boxes), "action_mask": mask}), spaces.Discrete(actions)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Tables of numbers, and which actions are open."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Discrete:
        """A row of the options; or, after those, to turn the page, and to stop or wait."""
        return self._spaces[agent][1]

    # -- a battle ------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new battle: the same for the same seed."""
        if seed is not None:
            self._chance = Random(seed)
        self.seed = self._chance.getrandbits(48)
        setup = self.game.setup(derived(self.seed, "setup"), **self.given)
        self.play = Play(self.game, setup, derived(self.seed, "dice"), log=False)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.cycles = 0
        self._asking: dict[int, Asking] = {}
        self._scenes: dict[int, tuple[int, Scene]] = {}
        self._turned: dict[int, bool] = {}
        self._awake: frozenset[int] = frozenset()
        self._next()

    @property
    def battle(self) -> Play:
        """The battle that is being played, with all its secrets."""
        if self.play is None:
            raise RuntimeError("reset() begins a battle")
        return self.play

    def asking(self, side: int) -> Asking | None:
        """The question to a side, on the way to its answer; None if it is asked nothing, or waits."""
        decision = self.battle.decision_of(side)
        if decision is None or (self.waiting and side not in self._awake):
            return None
        asking = self._asking.get(side)
        if asking is None or asking.decision is not decision:
            seed = derived(self.seed, "rows", side, len(self.battle.answers))
            asking = self._asking[side] = Asking(decision, self.sizes.options, self.samples, seed)
        return asking

    def step(self, action: int | None) -> None:
        """The agent whose turn it is does a micro-step."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        side = self.side_of[agent]
        asking = self.asking(side)
        if asking is not None:
            answer = self._acted(asking, int(action) if action is not None else self.done)
            if answer is not None:
                self._answer(side, answer[0])
        if not self.waiting or agent == self.agents[-1]:
            self.cycles += 1
        self._end_if_over()
        self._next(agent)
        self._accumulate_rewards()

    def let(self, bot: Any) -> None:
        """A bot answers the whole question of the agent whose turn it is; nothing of it was answered yet."""
        agent = self.agent_selection
        side = self.side_of[agent]
        decision = self.battle.decision_of(side)
        if decision is None:
            raise LookupError(f"agent {agent} is asked nothing")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._answer(side, answer_of(bot, self.battle, decision))
        self._end_if_over()
        self._next(agent)
        self._accumulate_rewards()

    def _acted(self, asking: Asking, action: int) -> tuple[Any] | None:
        """The answer, once this action has completed it."""
        shown = asking.shown
        if 0 <= action < len(shown) and asking.is_open(shown[action]):
            return asking.point(shown[action])
        if action == self.more and asking.more:
            asking.turn_page()
            return None
        if action == self.done and asking.may_stop:
            return asking.stop()
        first = next((row for row in shown if asking.is_open(row)), None)
        if first is not None:
            return asking.point(first)
        if asking.may_stop:
            return asking.stop()
        asking.turn_page()
        return None

    def _answer(self, side: int, answer: Any) -> None:
        refusal = self.battle.answer(side, answer)
        if refusal is not None:
            raise Misplayed(f"seed {self.battle.seed}, answer {len(self.battle.answers)}: {refusal}")
        self._asking.pop(side, None)

    def _end_if_over(self) -> None:
        play = self.battle
        cut = bool(self.max_cycles) and self.cycles >= self.max_cycles
        if not play.over and not cut:
            return
        result = self.game.result(play.battle)
        scores = list(result["score"])
        for agent in self.agents:
            side = self.side_of[agent]
            if play.over:
                self.terminations[agent] = True
                won = play.battle.winners
                self.rewards[agent] = (1.0 if side in won else -1.0) if won else 0.0
            else:
                self.truncations[agent] = True
            if self.score:
                self.rewards[agent] += self.score * _ahead(scores, side, play.battle.friendly_sides(side))

    def _next(self, agent: str = "") -> None:
        """Whose turn it is."""
        if not self.waiting:
            pending = self.battle.pending
            self.agent_selection = self.possible_agents[pending[0].side] if pending else self.agents[0]
            return
        number = self.agents.index(agent) + 1 if agent else 0
        if number in (0, len(self.agents)):
            self._awake = frozenset(decision.side for decision in self.battle.pending)
        self.agent_selection = self.agents[number % len(self.agents)]

    # -- what is seen --------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What the side of this agent may know, made of its view and of nothing else."""
        side = self.side_of[agent]
        asking = self.asking(side)
        scene = self._scene(side)
        kept = {name: table.copy() for name, table in scene.arrays.items()}
        tables = {**kept, "question": scene.question(asking), "options": scene.options(asking)}
        return {"observation": tables, "action_mask": self._mask(asking)}

    def _scene(self, side: int) -> Scene:
        number = len(self.battle.answers)
        kept = self._scenes.get(side)
        if kept is not None and kept[0] == number:
            return kept[1]
        view = self.battle.view(side)
        turned = self._turned[side] = is_turned(self.game, view.battle, side, self._turned.get(side))
        scene = Scene(self.tables, view, turned)
        self._scenes[side] = (number, scene)
        return scene

    def _mask(self, asking: Asking | None) -> Any:
        mask = np.zeros(self.sizes.options + 2, dtype=np.int8)
        if asking is None:
            mask[self.done] = 1
            return mask
        for number, row in enumerate(asking.shown):
            mask[number] = asking.is_open(row)
        mask[self.more] = asking.more
        mask[self.done] = asking.may_stop
        return mask

    # -- what a person sees --------------------------------------------------------------------------------------------

    def render(self) -> str | None:
        """The table in characters (`ansi`), printed (`human`), or as a picture (`svg`)."""
        if self.render_mode is None:
            return None
        from oriflamme.drawing.svg import draw
        from oriflamme.drawing.terminal import table_text

        battle, picture = self.battle.battle, self.game.picture()
        if self.render_mode == "svg":
            return draw(battle, picture)
        text = table_text(battle, picture, 96, "en", colour=False)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is left open."""

    def __str__(self) -> str:
        return f"oriflamme_{self.game.id}"


def _ahead(scores: Sequence[float], side: int, friends: Sequence[int]) -> float:
    """How far a side is ahead of the best of the others, as a part of both."""
    if side >= len(scores):
        return 0.0
    best = max((score for other, score in enumerate(scores) if other not in friends), default=0)
    both = abs(scores[side]) + abs(best)
    return (scores[side] - best) / both if both else 0.0
