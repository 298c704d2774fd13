"""`import oriflamme` as a library: the examples of docs/library.md, and what they rest on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oriflamme
from oriflamme.games import ids

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("game", ids())
def test_the_examples_of_the_page_run_for_every_game(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    known: dict[str, Any] = {}
    for example in EXAMPLES:
        if not example.startswith("# aof") or game == "aof":
            exec(compile(example.replace('"aof"', f'"{game}"'), str(PAGE), "exec"), known)

    assert known["result"].game == game
    assert known["odds"].method == "exact" if game == "aof" else "odds" not in known


def test_nothing_is_loaded_before_it_is_used() -> None:
    asked = "import sys, oriflamme; print([name for name in sys.modules if name.startswith('oriflamme.')])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_every_name_of_the_library_is_there() -> None:
    for name in oriflamme.__all__:
        assert getattr(oriflamme, name) is not None
        assert name in dir(oriflamme)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = oriflamme.no_such_name


@pytest.mark.parametrize("game", ids())
def test_every_answer_that_is_listed_is_accepted(game: str) -> None:
    match, random = oriflamme.new_match(game, seed=3), Random(3)
    listed = 0
    for _ in range(40):
        decision = match.decision
        assert decision is not None
        answers = decision.answers(most=50)
        for answer in answers:
            assert decision.accept(answer) == answer
        listed += len(answers)
        assert f"{decision.ask} for side {'abcd'[decision.side]}" in repr(match)
        match.push(decision.sample(random))

    assert listed > 40


@pytest.mark.parametrize("game", ids())
def test_what_is_taken_back_is_as_it_was_and_stays_a_match(game: str) -> None:
    match, random = oriflamme.new_match(game, seed=5), Random(5)
    for _ in range(12):
        match.push(match.pending[0].sample(random))
    before = match.battle.data() | {"dice": None}
    for _ in range(3):
        match.push(match.pending[0].sample(random))
    match.undo(3)

    assert match.battle.data() | {"dice": None} == before
    assert len(match.answers) == 12
    assert all(type(one) is oriflamme.Match for one in (match, match.fork(), match.back(2), match.again()))


def test_an_answer_against_the_rules_changes_nothing() -> None:
    match = oriflamme.new_match("sbh", seed=1)
    before = match.battle.fingerprint()

    with pytest.raises(oriflamme.Refused):
        match.push(["nonsense"])

    assert match.battle.fingerprint() == before


def test_a_bot_is_called_by_its_class_unless_it_says_otherwise() -> None:
    class Careful(oriflamme.BaseBot):
        pass

    class Named(oriflamme.BaseBot):
        name = "fearless"

    assert (Careful().name, Named().name, oriflamme.RandomBot().name) == ("Careful", "fearless", "random")
    assert Careful(seed=4).random.random() == Random(4).random()
