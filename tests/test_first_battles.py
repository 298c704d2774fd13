"""First battles: each game has one, it can be played to its end, and every question in it has its hint."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from oriflamme.engine.core.decisions import PickOne
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load, shipped
from oriflamme.lab.battle import decide
from oriflamme.lab.first_battle import begin, first_battle_of, hint_at, lesson_of, read

VARIETY = 4  # the lesson with its own dice, and with others


@pytest.mark.parametrize("id", shipped())
def test_each_kind_of_question_has_a_hint_in_both_languages_and_the_battle_ends(id: str) -> None:
    taught = first_battle_of(id)
    side, game = taught.lesson.side, load(id)
    missing: set[str] = set()

    for seed in range(taught.seed, taught.seed + VARIETY):
        play = begin(taught, seed)
        lesson = lesson_of(play.setup)
        assert lesson is not None
        bots = [game.bots()[bot or game.best_bot](seed=seed) for bot in taught.seats]
        while play.pending:
            decision = play.pending[0]
            told = hint_at(lesson, play, decision)
            if decision.side == side and (told is None or not all(told.say.get(lang) for lang in ("en", "fr"))):
                missing.add(f"{decision.ask} ({decision.rule})")
            assert play.answer(decision.side, decide(play, decision, bots[decision.side])) is None
        assert play.over
        if seed == taught.seed:
            assert side in game.result(play.battle)["winners"]

    assert not missing


@pytest.mark.parametrize("id", shipped())
def test_it_begins_with_everybody_deployed(id: str) -> None:
    play = begin(first_battle_of(id), first_battle_of(id).seed)

    assert play.battle.round == 1
    assert play.pending


def test_a_hint_is_new_the_first_time_and_goes_with_the_setup() -> None:
    taught = first_battle_of("aof")
    play = begin(taught, taught.seed)
    lesson = lesson_of(play.setup)
    assert lesson is not None
    assert lesson == msgspec.structs.replace(taught.lesson, deployed=len(play.answers))
    seen: dict[str, bool] = {}
    bot = load("aof").bots()["captain"](seed=1)

    while len(seen) < 2 or all(seen.values()):
        decision = play.pending[0]
        told = hint_at(lesson, play, decision)
        if told is not None:
            assert told.new == (decision.ask not in seen)
            seen[decision.ask] = told.new
        else:
            assert decision.side != lesson.side
        play.answer(decision.side, decide(play, decision, bot))


def test_everything_wrong_with_a_file_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(
        'game = "aof"\nname = "Ours"\nseed = -1\nbot = "captian"\n'
        f'[[hint]]\nask = "choose_unti"\nrule = "AOF-ACT-1"\nsay = "{"x" * 700}"\n[[hint]]\nkind = "pick"\nsya = "?"\n'
    )

    with pytest.raises(Problems) as found:
        read(file)

    assert [problem.where for problem in found.value] == [
        "seed", "bot", "hint[1].ask", "hint[1].rule", "hint[1].say", "hint[2].kind", "hint[2].sya",
    ]  # fmt: skip
    assert 'did you mean "captain"' in str(found.value)
    assert 'did you mean "say"' in str(found.value)


def test_a_hint_may_wait_for_an_option_or_for_the_first_time(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(
        'game = "aof"\nname = "Ours"\nseed = 1\n'
        '[[hint]]\nask = "choose_action"\noffers = "rush"\nsay = "Run!"\n'
        '[[hint]]\nkind = "pick one"\nfirst = true\nsay = "Once"\n[[hint]]\nsay = "Whatever"\n'
    )
    taught = read(file)
    play = begin(taught, 1)
    lesson = lesson_of(play.setup)
    assert lesson is not None
    bot = load("aof").bots()["captain"](seed=1)
    said: list[str] = []

    while play.pending:
        decision = play.pending[0]
        told = hint_at(lesson, play, decision)
        assert (told is not None) == (decision.side == lesson.side)
        said += [told.say["en"]] if told is not None else []
        if told is not None and isinstance(decision, PickOne) and decision.ask == "choose_action":
            assert (said[-1] == "Run!") == ("rush" in decision.keys())
        play.answer(decision.side, decide(play, decision, bot))

    assert set(said) == {"Run!", "Once", "Whatever"}
    assert said.count("Once") < said.count("Whatever")
