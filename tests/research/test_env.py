"""Battles as environments of PettingZoo and Gymnasium."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test

import oriflamme
from oriflamme.engine.core.bots import RandomBot
from oriflamme.games import ids
from oriflamme.research.battles import BattleEnv
from oriflamme.research.tables import Scene, Sizes

# The smallest battles that are mustered from what ships.
SMALL = {"aof": 750, "lfw": 300, "rn3": 1500, "sbh": 100, "tlaok": 1000}


def small(game: str, **given: Any) -> BattleEnv:
    made = oriflamme.env(game, points=SMALL[game], samples=2, **given)
    assert isinstance(made, BattleEnv)
    return made


def played(env: BattleEnv, seed: int, most: int = 10_000) -> Iterator[tuple[str, Any]]:
    """A battle by chance: who acts, and what he sees."""
    random = Random(seed)
    env.reset(seed=seed)
    for agent in env.agent_iter(most):
        seen, _, over, cut, _ = env.last()
        if over or cut:
            env.step(None)
            continue
        yield agent, seen
        env.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("game", ids())
def test_the_checks_of_pettingzoo_pass(game: str) -> None:
    parallel = partial(oriflamme.parallel_env, game, points=SMALL[game], samples=2)

    api_test(small(game), num_cycles=4)
    seed_test(partial(small, game), num_cycles=4)
    max_cycles_test(SimpleNamespace(env=partial(small, game, waiting=True), parallel_env=parallel))
    render_test(partial(small, game))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_check_of_gymnasium_passes() -> None:
    check_env(oriflamme.solo_env("sbh", "random", points=100, samples=2), skip_render_check=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", ids())
def test_a_side_observes_nothing_but_what_it_may_know(game: str) -> None:
    """A battle that may be the true one, its secrets dealt anew, looks the same to the side."""
    env, looked = small(game), 0
    for number, (agent, seen) in enumerate(played(env, seed=2, most=40)):
        if number % 4:
            continue
        side = env.side_of[agent]
        maybe = env.battle.view(side, sealed=True).imagine(Random(number))
        scene = Scene(env.tables, maybe.view(side), env._turned[side])
        for name, table in scene.arrays.items():
            assert np.array_equal(table, seen["observation"][name]), (number, name)
        looked += 1

    assert looked >= 5


@pytest.mark.slow
def test_rewards_are_those_of_the_winner_and_of_the_score() -> None:
    env = small("sbh", score=0.5)
    steps = sum(1 for _ in played(env, seed=4))
    assert steps >= len(env.battle.answers) > 20
    assert env.battle.over
    assert env.agents == []

    env.reset(seed=4)
    bots = [RandomBot(1), RandomBot(2)]
    while not env.battle.over:
        env.let(bots[env.side_of[env.agent_selection]])

    won = env.battle.battle.winner
    assert won is not None
    assert env.rewards[f"side_{won}"] >= 1.0 > -1.0 >= env.rewards[f"side_{1 - won}"]
    assert sum(env.rewards.values()) == pytest.approx(0.0)


def test_a_long_list_of_options_comes_page_by_page() -> None:
    env = small("sbh", sizes=Sizes(options=2))
    pages = 0
    for _, seen in played(env, seed=1, most=80):
        mask = seen["action_mask"]
        assert mask.shape == (4,)
        assert mask.any()
        pages += int(mask[env.more])

    assert pages > 5


def test_the_table_is_turned_for_who_sits_opposite() -> None:
    env = small("sbh")
    env.reset(seed=3)
    for _, _ in played(env, seed=3, most=60):
        pass
    here, there = (env.observe(agent)["observation"]["pieces"] for agent in env.possible_agents)

    assert np.allclose(here[:, 1:3], -there[:, 1:3])
    assert np.abs(here[:, 1:3]).max() > 0.1


@pytest.mark.slow
def test_bots_play_the_other_sides() -> None:
    env, random = oriflamme.solo_env("sbh", "captain", points=100, side=1, samples=2), Random(1)
    seen, _ = env.reset(seed=5)
    over = cut = False
    reward, steps = 0.0, 0
    while not (over or cut):
        seen, reward, over, cut, _ = env.step(random.choice(np.flatnonzero(seen["action_mask"])))
        steps += 1

    assert steps > 10
    assert reward in (-1.0, 0.0, 1.0)
    with pytest.raises(oriflamme.Problems, match="captan"):
        oriflamme.solo_env("sbh", "captan")
