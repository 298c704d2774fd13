"""The example that learns from the captain, and the bot of docs/bots.md, play."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oriflamme.lab.simulate import Plan, simulate

DOCS = Path(__file__).parents[2] / "docs"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, DOCS / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_policy_learns_what_the_captain_does_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imitate = example("imitate")
    file = tmp_path / "policy.npz"
    monkeypatch.setenv("ORIFLAMME_POLICY", str(file))
    monkeypatch.setattr("sys.argv", ["imitate.py", "sbh", str(file), "2"])

    imitate.main()
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    weights = imitate.learn([(rows, 1)] * 4)
    played = simulate(Plan("sbh", 1, (f"{DOCS}/examples/imitate.py:Imitator", "random"), seed=5, points=100))

    assert {"choose_action", "move_fighter"} <= set(np.load(file))
    assert int((rows @ weights).argmax()) == 1
    assert played.battles == 1


@pytest.mark.slow
def test_the_bot_of_the_page_beats_chance(tmp_path: Path) -> None:
    (bot,) = re.findall(
        r"^```python\n# my_bot.py\n(.*?)^```", (DOCS / "bots.md").read_text(encoding="utf-8"), re.M | re.S
    )
    path = tmp_path / "my_bot.py"
    path.write_text(bot, encoding="utf-8")

    played = simulate(Plan("sbh", 10, (f"{path}:Brash", "random"), seed=3, points=100))

    assert len(bot.splitlines()) <= 30
    assert played.wins[f"{path}:Brash"] > played.wins["random"] + 2
