"""For those who build bots: battles as environments of PettingZoo and Gymnasium, and as data. docs/research.md.

What is installed with `oriflamme[research]` is loaded when an environment is made, and not before.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from oriflamme.engine.words.notices import notice
from oriflamme.engine.words.problems import problem_with


def env(game: str, **given: Any) -> Any:
    """A battle as an AEC environment of PettingZoo, an agent for each side; raises Problems. `BattleEnv` says what may
    be given: points, lists, map, options and choices as for `new_match`, and how it is to be observed and rewarded."""
    _look_for("pettingzoo", "numpy")
    from oriflamme.research.battles import BattleEnv

    return BattleEnv(game, **given)


def parallel_env(game: str, **given: Any) -> Any:
    """The same as a parallel environment of PettingZoo: all agents act at once, and who is asked nothing waits."""
    _look_for("pettingzoo", "numpy")
    from pettingzoo.utils.conversions import aec_to_parallel

    return aec_to_parallel(env(game, waiting=True, **given))


def solo_env(game: str, against: Any = "captain", **given: Any) -> Any:
    """A battle as an environment of Gymnasium: one side is the agent's, bots play the others. `SoloEnv` says more."""
    _look_for("pettingzoo", "gymnasium", "numpy")
    from oriflamme.research.solo import SoloEnv

    return SoloEnv(game, against, **given)


def _look_for(*packages: str) -> None:
    """Raises Problems if a package is not there."""
    for package in packages:
        if find_spec(package) is None:
            raise problem_with(package, notice("not_installed", package=package, extra="oriflamme[research]"))
