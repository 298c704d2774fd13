"""One to four players and an army nobody owns: who is asked, who is whose friend, who has won, who knows what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.exam.conftest import sittings
from tests.exam.exam import PARTS, sit

from oriflamme import games
from oriflamme.cases.runner import cases_of, run
from oriflamme.engine.core import save as saves
from oriflamme.engine.core.battle import Battle
from oriflamme.engine.core.decisions import Option
from oriflamme.engine.core.dice import SeededDice
from oriflamme.engine.core.game import Game
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.questions import pick_one
from oriflamme.engine.table.pieces import Table
from oriflamme.engine.words.of_battles import names_of
from oriflamme.engine.words.outcomes import outcome, side_letter, side_names
from oriflamme.engine.words.problems import Problems
from oriflamme.engine.words.text import Voice
from oriflamme.lab import play_on, players
from oriflamme.lab.battle import result_of
from oriflamme.lab.simulate import Plan, simulate

NUMBERS = ("1", "2", "3", "4")


def begun(fray: Game, number: int, seed: int = 3, **choices: str) -> Play:
    return Play(fray, fray.setup(seed, choices={"players": str(number), **choices}), seed)


def played(fray: Game, number: int, seed: int = 3, **choices: str) -> Play:
    play = begun(fray, number, seed, **choices)
    play_on(play, players(fray, ("random",) * number, seed, number))
    return play


def answer_all(play: Play, ask: str, answers: dict[int, Any]) -> None:
    """Answer a question that all are asked, side by side."""
    for side, answer in answers.items():
        decision = play.decision_of(side)
        assert decision is not None
        assert decision.ask == ask
        assert play.answer(side, answer) is None


@pytest.mark.parametrize("part", PARTS)
def test_it_sits_the_exam(fray: Game, part: str) -> None:
    for sitting in sittings(fray.id, part):
        sit(part, sitting)


def test_its_cases_pass(fray: Game) -> None:
    report = run([cases_of("fray")])

    assert not [problem for row in report.failed for problem in row.problems]
    assert len(report.rows) == 8


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("beasts", ["none", "wolves"])
def test_the_number_of_sides_comes_from_the_setup(fray: Game, number: str, beasts: str) -> None:
    if number == "1" and beasts == "none":
        with pytest.raises(Problems, match="does not go with"):
            fray.setup(1, choices={"players": number, "beasts": beasts})
        return
    play = begun(fray, int(number), beasts=beasts)

    assert play.battle.players == int(number)
    assert play.battle.sides == int(number) + (beasts == "wolves")
    assert [decision.side for decision in play.pending] == list(range(int(number)))


def test_who_plays_alone_gets_what_goes_with_it(fray: Game) -> None:
    assert fray.agreed({"players": "1"})["beasts"] == "wolves"
    assert fray.agreed({"alliance": "pairs"})["players"] == "4"
    assert fray.agreed({}) == {"players": "2", "beasts": "none", "alliance": "none", "goal": "victory"}
    assert (fray.players_of({"players": "4"}), fray.most_sides, fray.sides) == (4, 5, 2)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_ever_asked_of_an_army_nobody_owns(fray: Game, number: str, seed: int) -> None:
    play = played(fray, int(number), seed, beasts="wolves")

    assert play.over
    assert {side for side, _ in play.answers} <= set(range(int(number)))
    assert any(event.name == "Struck" and event.unit.startswith("wolves") for event in play.events)


def test_a_question_to_nobody_is_a_mistake_that_is_noticed(fray: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def asks_nobody(battle: Any) -> Any:
        yield from pick_one(2, [Option("a"), Option("b")], "sign", "FRAY-ROUND-01")

    monkeypatch.setitem(fray.steps.by_name, "begin_round", asks_nobody)
    with pytest.raises(ValueError, match=r"sign \(FRAY-ROUND-01\) is asked of side 2, which nobody plays"):
        begun(fray, 2, beasts="wolves")


def test_friends_are_those_of_the_alliance(fray: Game) -> None:
    battle = begun(fray, 4, beasts="wolves", alliance="pairs").battle

    assert battle.friendly_sides(0) == (0, 2)
    assert battle.enemy_sides(0) == (1, 3, 4)
    assert battle.enemy_sides(4) == (0, 1, 2, 3)
    assert {unit.side for unit in battle.units_against(1)} == {0, 2, 4}
    alone = Battle(Table(10, 10), 3, {}, SeededDice(1))
    assert alone.enemy_sides(1) == (0, 2)
    assert alone.playing == (0, 1, 2)


def test_no_answer_is_seen_before_all_are_in(fray: Game) -> None:
    play = begun(fray, 4)
    before = play.battle.fingerprint()

    for side, sign in ((2, "3"), (0, "1"), (3, "3")):
        assert play.answer(side, sign) is None
        assert play.battle.fingerprint() == before
        assert play.decision_of(side) is None
        assert all(play.view(other).battle.signs == (0, 0, 0, 0) for other in range(4))
    assert [decision.side for decision in play.pending] == [1]
    assert play.answer(1, "2") is None

    assert play.battle.signs == (1, 2, 3, 3)
    assert play.battle.omens == (0, 1)


@pytest.mark.parametrize("side", [0, 1, 2, 3, -1])
def test_a_view_has_nobody_elses_secrets(fray: Game, side: int) -> None:
    play = begun(fray, 4, beasts="wolves")

    seen = play.view(side)

    assert [fate >= 0 for fate in seen.battle.fates] == [owner == side for owner in range(5)]
    assert (seen.decision.side if seen.decision is not None else None) == (side if side >= 0 else None)


def test_one_of_three_concedes_and_the_others_play_on(fray: Game) -> None:
    play = begun(fray, 3)
    assert play.answer(1, "concede") is None
    assert play.battle.gone == (1,)
    assert [decision.side for decision in play.pending] == [0, 2], "the others are asked as before"
    answer_all(play, "sign", {0: "1", 2: "2"})

    assert not play.over
    assert not any(pack.figures for pack in play.battle.units_of(1))
    play_on(play, players(fray, ("random",) * 3, 1, 3))

    assert {side for side, answer in play.answers[1:]} == {0, 2}
    assert 1 not in play.battle.winners
    assert [event.side for event in play.events if event.name == "SideLeft"] == [1]


def test_who_concedes_in_his_own_turn_does_nothing_more(fray: Game) -> None:
    play = begun(fray, 3)
    answer_all(play, "sign", {0: "1", 1: "2", 2: "3"})
    assert play.answer(0, "concede") is None

    assert [event.name for event in play.events if event.name == "Struck"] == []
    assert play.pending[0].side == 1
    assert not any(option.facts.get("target", "").startswith("gang_1") for option in play.pending[0].options)


def test_the_last_who_is_left_has_won(fray: Game) -> None:
    play = begun(fray, 3)
    answer_all(play, "sign", {0: "1", 1: "concede", 2: "concede"})

    assert play.over
    assert play.battle.winners == (0,)
    assert play.battle.winner == 0


def test_conceding_is_copied_saved_and_looked_at_again(fray: Game, tmp_path: Path) -> None:
    play = begun(fray, 4, beasts="wolves")
    assert play.answer(3, "concede") is None
    answer_all(play, "sign", {0: "1", 1: "2", 2: "3"})
    play_on(play, players(fray, ("random",) * 4, 1, 4))
    path = tmp_path / "four.save"

    saves.save(play, path, ["human"] * 4)

    assert saves.verify(path, games.load).over
    assert saves.load(path, games.load).battle.gone == (3,)
    middle = play.back(2)
    assert middle.twin().battle.fingerprint() == middle.battle.fingerprint()


def seed_with(fray: Game, number: int, winners: int, **choices: str) -> Play:
    return next(
        play
        for play in (played(fray, number, seed, **choices) for seed in range(200))
        if len(play.battle.winners) == winners
    )


def test_several_winners_are_saved_and_told(fray: Game, tmp_path: Path) -> None:
    play = seed_with(fray, 3, 2)
    path = tmp_path / "three.save"
    saves.save(play, path)
    result = fray.result(play.battle)

    end = msgspec.json.decode(path.read_bytes().splitlines()[-1])
    assert (end["winner"], end["winners"]) == (None, list(play.battle.winners))
    assert (result["winner"], result["winners"]) == (None, list(play.battle.winners))
    saves.verify(path, games.load)
    names = [f"gang {side}" for side in range(3)]
    first, second = (names[side] for side in play.battle.winners)
    assert outcome("fray", result, names, "en").startswith(f"{first} and {second} win (")
    assert outcome("fray", result, names, "fr").startswith(f"victoire partagée : {first} et {second} (")


def test_a_save_that_tells_other_winners_is_refused(fray: Game, tmp_path: Path) -> None:
    play = seed_with(fray, 3, 2)
    path = tmp_path / "three.save"
    saves.save(play, path)
    *lines, last = path.read_bytes().splitlines()
    end = msgspec.json.decode(last)
    path.write_bytes(b"\n".join([*lines, msgspec.json.encode(end | {"winners": [0]})]) + b"\n")
    with pytest.raises(Problems, match="winners"):
        saves.verify(path, games.load)


def test_a_save_from_before_there_could_be_several_still_works(fray: Game, tmp_path: Path) -> None:
    play = seed_with(fray, 2, 1)
    path = tmp_path / "two.save"
    saves.save(play, path)
    *lines, last = path.read_bytes().splitlines()
    end = {key: value for key, value in msgspec.json.decode(last).items() if key != "winners"}
    path.write_bytes(b"\n".join([*lines, msgspec.json.encode(end | {"kind": 4})]) + b"\n")

    report = saves.verify(path, games.load)

    assert report.over
    assert not report.same_kind


def test_where_they_endure_the_rounds_are_counted_and_nobody_wins(fray: Game) -> None:
    play = played(fray, 1, goal="endure")
    result = fray.result(play.battle)

    assert play.battle.winners == ()
    assert result["counted"] == "rounds"
    assert outcome("fray", result, ["gang", "wolves"], "en") == f"rounds survived: {result['score'][0]}"
    assert outcome("fray", result, ["gang", "wolves"], "fr") == f"tours survécus : {result['score'][0]}"
    both = fray.result(played(fray, 2, goal="endure", beasts="wolves").battle)
    a, b = both["score"][:2]
    assert outcome("fray", both, ["one", "two", "wolves"], "en") == f"rounds survived: one {a}, two {b}"


def test_armies_of_one_name_are_told_apart_by_their_letter(fray: Game) -> None:
    setup = fray.setup(
        1, lists=["north_gate", "north_gate", "old_bridge"], choices={"players": "3", "beasts": "wolves"}
    )
    battle = fray.begin(setup, SeededDice(1))

    names = side_names(fray, setup, battle, "fr")

    assert names == ["Porte du Nord A", "Porte du Nord B", "Vieux Pont", "La Sauvagine"]
    assert side_names(fray, {"armies": []}, battle, "en") == ["Side A", "Side B", "Side C", "Nobody's army"]
    assert [side_letter(side, battle.players) for side in range(4)] == ["a", "b", "c", "x"]


def test_wins_are_shared_among_winners(fray: Game) -> None:
    plan = Plan("fray", 40, ("random",) * 4, seed=2, choices={"players": "4", "alliance": "pairs", "beasts": "wolves"})

    tally = simulate(plan)

    assert len(tally.sides) == len(tally.score) == 5
    assert sum(part.wins for part in tally.sides) + tally.draws == pytest.approx(40, abs=0.01)
    assert tally.sides[0].wins == tally.sides[2].wins, "allies win together"
    assert tally.sides[1].wins == tally.sides[3].wins
    assert tally.wins["random"] == pytest.approx(sum(part.wins for part in tally.sides[:4]), abs=0.01)


def test_who_plays_alone_is_simulated_too(fray: Game) -> None:
    tally = simulate(Plan("fray", 10, ("random",), choices={"players": "1"}))

    assert tally.wins["random"] + tally.sides[1].wins + tally.draws == pytest.approx(10, abs=0.01)
    counted = simulate(Plan("fray", 3, ("random",), choices={"players": "1", "goal": "endure"}))
    assert (counted.counted, counted.draws) == ("rounds", 3)
    assert counted.score[0] > 0


def test_as_many_bots_as_players(fray: Game) -> None:
    with pytest.raises(Problems, match="2 given; fray has 3 sides"):
        simulate(Plan("fray", 1, ("random", "random"), choices={"players": "3"}))


def test_how_a_battle_stands(fray: Game) -> None:
    play = seed_with(fray, 4, 3)

    result = result_of(play, ("random",) * 4)

    assert (result.winner, len(result.winners)) == (None, 3)


@pytest.mark.parametrize(("lang", "said"), [("en", "Side A and Side C"), ("fr", "le camp A et le camp C")])
def test_several_sides_are_told_in_a_sentence(fray: Game, lang: str, said: str) -> None:
    play = begun(fray, 3, beasts="wolves")
    voice = Voice(fray, names_of(fray, play), lang)

    spans = voice._tell("winners", (0, 2), "side")

    assert "".join(span.text for span in spans) == said
    assert [span.side for span in spans if span.kind == "side"] == [0, 2]
    assert voice.side(3) == {"en": "Nobody's army", "fr": "Armée de personne"}[lang]
