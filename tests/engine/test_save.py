"""A save is the whole battle, and whatever happened to the file is told with its line and what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oriflamme.cli import run
from oriflamme.engine.core.play import Play
from oriflamme.engine.core.save import Recorder, load, read, save, verify, write_whole
from oriflamme.engine.core.state import FINGERPRINT
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load as load_game
from oriflamme.lab import play_on, players

SEED = 5
GAME = load_game("aof")
SETUP = GAME.setup(SEED, points=750)


def fresh(**ways: Any) -> Play:
    return Play(GAME, SETUP, SEED, **ways)


@pytest.fixture(scope="module")
def fought() -> Play:
    """A battle that was played to its end."""
    play = fresh()
    play_on(play, players(GAME, ("random", "random"), SEED))
    return play


@pytest.fixture
def path(fought: Play, tmp_path: Path) -> Path:
    save(fought, tmp_path / "battle.save", ("random", "random"))
    return tmp_path / "battle.save"


Lines = list[dict[str, Any]]


def changed(path: Path, change: Callable[[Lines], Any]) -> Path:
    """The save with something in its lines changed, as older versions wrote them."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0].pop("check", None)
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def problem(path: Path, **ways: Any) -> str:
    with pytest.raises(Problems) as raised:
        load(path, load_game, **ways)
    return str(raised.value)


# -- the whole battle --------------------------------------------------------------------------------------------------


def test_a_loaded_battle_is_the_battle_that_was_saved(fought: Play, path: Path) -> None:
    play = load(path, load_game)

    assert play.battle.fingerprint() == fought.battle.fingerprint()
    assert play.answers == fought.answers
    assert play.events == fought.events
    assert read(path, load_game).seats == ["random", "random"]


def test_a_save_says_everything_in_plain_lines(fought: Play, path: Path) -> None:
    head, *entries, end = [json.loads(line) for line in path.read_text().splitlines()]

    assert {"format", "version", "program", "game", "rules", "seed", "setup", "seats", "dice", "events"} <= set(head)
    assert [entry["n"] for entry in entries] == list(range(1, len(fought.answers) + 1))
    assert all({"n", "side", "ask", "answer", "dice", "events"} == set(entry) for entry in entries)
    assert end == {
        "end": True,
        "answers": len(fought.answers),
        "over": True,
        "winner": fought.battle.winner,
        "fingerprint": fought.battle.fingerprint(),
        "kind": FINGERPRINT,
        "winners": list(fought.battle.winners),
    }
    assert [die for line in (head, *entries) for die in line["dice"]] == fought.battle.dice.thrown


def test_verify_compares_every_answer_event_and_die(fought: Play, path: Path) -> None:
    report = verify(path, load_game)

    assert report.answers == len(fought.answers)
    assert report.events == len(fought.events)
    assert report.dice == len(fought.battle.dice.thrown)
    assert report.fingerprint == fought.battle.fingerprint()


def test_a_battle_saved_in_its_middle_goes_on_as_if_nothing_had_happened(fought: Play, tmp_path: Path) -> None:
    half = len(fought.answers) // 2
    play = fresh()
    play.replay(fought.answers[:half])
    save(play, tmp_path / "half.save")

    again = load(tmp_path / "half.save", load_game)
    again.replay(fought.answers[half:])

    assert again.over
    assert again.battle.fingerprint() == fought.battle.fingerprint()


def test_a_battle_played_without_a_log_can_be_saved(fought: Play, path: Path, tmp_path: Path) -> None:
    quiet = fresh(keep=False, log=False)
    quiet.replay(fought.answers)

    save(quiet, tmp_path / "quiet.save", ("random", "random"))

    assert (tmp_path / "quiet.save").read_bytes() == path.read_bytes()


def test_only_the_spelling_of_the_file_may_differ(path: Path) -> None:
    changed(path, lambda lines: None)  # written again with other blanks

    assert verify(path, load_game).answers > 0


def test_any_moment_can_be_loaded(fought: Play, path: Path) -> None:
    for number in (0, 1, 17, len(fought.answers)):
        assert len(read(path, load_game).play(upto=number).answers) == number


# -- saved while it is played ------------------------------------------------------------------------------------------


def test_every_answer_is_in_the_file_before_the_next(fought: Play, path: Path, tmp_path: Path) -> None:
    live = tmp_path / "live.save"
    play = fresh()
    recorder = Recorder(play, live, ("random", "random"))
    for number, (side, answer) in enumerate(fought.answers, 1):
        play.answer(side, answer)
        recorder.note()
        assert live.read_text().count("\n") == number + 1
    recorder.close()

    assert live.read_bytes() == path.read_bytes()


def test_answers_taken_back_leave_the_file_too(fought: Play, tmp_path: Path) -> None:
    live = tmp_path / "live.save"
    play = fresh()
    recorder = Recorder(play, live)
    play.replay(fought.answers[:10])
    recorder.note()

    recorder.rewrite(play.back(4))
    recorder.close()

    assert len(load(live, load_game).answers) == 6


def test_a_file_that_cannot_be_written_is_left_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"half of")

    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_missing_folder_is_named(fought: Play, tmp_path: Path) -> None:
    with pytest.raises(Problems, match="no folder"):
        save(fought, tmp_path / "nowhere" / "battle.save")


# -- what can happen to a file -----------------------------------------------------------------------------------------


def test_a_file_that_is_not_there_is_named_with_a_guess(path: Path) -> None:
    assert 'did you mean "battle.save"?' in problem(path.with_name("batle.save"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"not a save\n", "line 1: not JSON"),
        (b"\xff\xfe\x00", "line 1: not JSON"),
        (b"[1, 2]\n", "no save of Oriflamme"),
        (b'{"format": "chess"}\n', "no save of Oriflamme"),
        (b'{"format": "oriflamme-save", "version": 1}\n', "line 1: damaged"),
        (b"[" * 5000, "line 1: not JSON"),
    ],
)
def test_what_is_no_save_is_told_apart(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "x.save").write_bytes(content)

    assert said in problem(tmp_path / "x.save")


def test_a_truncated_save_says_how_much_is_whole(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    whole = path.read_bytes().count(b"\n") - 1

    said = problem(path)

    assert f"line {whole + 2}: cut short in the middle of a line" in said
    assert f"{whole} answers are whole before it; --recover plays on from there" in said
    assert len(load(path, load_game, recover=True).answers) == whole


def test_a_save_without_its_last_line_is_not_taken_for_whole(fought: Play, path: Path) -> None:
    changed(path, lambda lines: lines.pop())

    assert "its last line is missing" in problem(path)
    assert len(load(path, load_game, recover=True).answers) == len(fought.answers)


def test_a_save_of_another_format_says_who_can_open_it(path: Path) -> None:
    changed(path, lambda lines: lines[0].update(version=2, program="7.0"))

    said = problem(path)

    assert "saved by Oriflamme 7.0 in format 2" in said
    assert "open it with Oriflamme 7.0" in said


def test_a_save_of_other_rules_says_so_and_what_to_do(fought: Play, path: Path) -> None:
    changed(path, lambda lines: lines[0].update(rules=GAME.version + 1, program="7.0"))

    said = problem(path)

    assert f"with version {GAME.version + 1} of the aof rules" in said
    assert "open it with Oriflamme 7.0, or --recover" in said
    assert len(load(path, load_game, recover=True).answers) == len(fought.answers)


def test_a_save_of_an_unknown_game_is_named(path: Path) -> None:
    changed(path, lambda lines: lines[0].update(game="aoff"))

    assert 'a battle of "aoff", which is no game here; did you mean "aof"?' in problem(path)


def test_a_wrong_seed_is_recognised(path: Path) -> None:
    changed(path, lambda lines: lines[0].update(seed=SEED + 1))

    said = problem(path)

    assert f"wrong seed: {SEED + 1} throws" in said
    assert "put the seed back" in said


def test_a_changed_die_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        line = next(line for line in lines[1:] if line.get("dice"))
        line["dice"][0] = line["dice"][0] % 6 + 1
        change.n = line["n"]  # type: ignore[attr-defined]

    changed(path, change)
    number = change.n  # type: ignore[attr-defined]

    assert f"line {number + 1}: the dice are" in problem(path)
    assert len(load(path, load_game, recover=True).answers) == number - 1


def test_a_changed_event_is_named_with_both_values(path: Path) -> None:
    def change(lines: Lines) -> None:
        for line in lines[1:]:
            for event in line.get("events", ()):
                if event["event"] == "RoundBegan":
                    event["round"] = 9
                    return

    changed(path, change)

    assert "RoundBegan: round is 9, but 1 when played (AOF-ROUND-02)" in problem(path)


def test_a_damaged_answer_is_refused_with_its_rule(path: Path) -> None:
    def change(lines: Lines) -> None:
        line = next(line for line in lines if line.get("ask") == "place_objective")
        line["answer"] = {name: [10.0, 10.0] for name in line["answer"]}

    changed(path, change)

    said = problem(path)

    assert 'answer 1, to "place_objective", is refused: that is in a deployment zone (AOF-MISSION-03)' in said


@pytest.mark.parametrize("garbage", [None, 3, "x", [], {}, {"a": [1]}, [[["deep"]]]])
def test_garbage_for_an_answer_is_refused(path: Path, garbage: Any) -> None:
    changed(path, lambda lines: lines[8].update(answer=garbage))

    assert "line 9: answer 8" in problem(path)


def test_an_answer_to_another_question_is_told_apart(path: Path) -> None:
    changed(path, lambda lines: lines[3].update(ask="choose_unit"))

    assert 'answer 3 is to "choose_unit", but "' in problem(path)


def test_nobody_goes_on_with_another_setup_whatever_else_agrees(path: Path) -> None:
    """Here nothing that has happened so far tells of the change."""
    for change in (
        lambda head: head["setup"]["armies"][0]["name"].update(en="Others"),
        lambda head: head["setup"]["options"].update({"aof.los": "terrainOnly"}),
        lambda head: head.update(seed=head["seed"] + 1),
        lambda head: head.update(given=[1]),
    ):
        lines = path.read_bytes().split(b"\n")
        head = json.loads(lines[0])
        change(head)
        other = path.with_name("other.save")
        other.write_bytes(b"\n".join([json.dumps(head).encode(), *lines[1:]]))
        assert "line 1: what the battle begins with was altered" in problem(other)
        assert "was altered" in problem(other, recover=True)


def test_nobody_goes_on_with_another_setup_whose_sum_was_taken_out(tmp_path: Path) -> None:
    """Nothing that has happened so far tells of the change, and the sum is gone: it stands otherwise all the same."""
    play, path = fresh(), tmp_path / "begun.save"
    for _ in range(6):
        asked = play.pending[0]
        assert play.answer(asked.side, asked.suggestion()) is None
    save(play, path, ("human", "human"))
    lines = path.read_bytes().split(b"\n")
    head = json.loads(lines[0])
    card = head["setup"]["armies"][0]["units"][0]["cards"][0]
    card["quality"] = 2 if card["quality"] != 2 else 3
    head["check"] = ""
    path.write_bytes(b"\n".join([json.dumps(head).encode(), *lines[1:]]))
    assert "fingerprint" in problem(path)
    assert "was altered" in problem(path, recover=True)


@pytest.mark.parametrize("steering", ["\x1b[31m", "\x07", "\u202e", "\u200b"])
def test_nothing_in_a_save_steers_a_terminal(path: Path, steering: str, capsys: Any) -> None:
    def renamed(lines: Lines) -> None:
        lines[0]["setup"]["armies"][0]["name"]["en"] = f"Red{steering}"

    assert "steers a terminal" in problem(changed(path, renamed), recover=True)
    changed(path, lambda lines: lines[0].update(program=f"7{steering}", version=99))
    assert run(["replay", str(path)]) == 1
    assert steering not in capsys.readouterr().err


def test_whatever_somebody_writes_into_a_setup_is_told_as_a_problem(path: Path) -> None:
    whole = path.read_text()
    for change in (
        lambda setup: setup.update(points={}),
        lambda setup: setup.update(map=["\0"]),
        lambda setup: setup["armies"].append([setup["map"]]),
        lambda setup: setup["armies"][0]["units"][0].update(cards=[{"keywords": ["Nope(3)"]}]),
        lambda setup: setup["options"].update({"aof.los": 10**30, "a.b": []}),
    ):
        path.write_text(whole)
        said = problem(changed(path, lambda lines, change=change: change(lines[0]["setup"])))
        assert "line" in said


@pytest.mark.parametrize(
    "broken", [b'"setup": {"\xff": 1}', b'"game": "a\xff"', b'"seed": 1e400', b'"seed": ' + b"9" * 5000]
)
def test_a_first_line_that_is_no_text_is_damaged(path: Path, broken: bytes) -> None:
    key = broken.split(b":")[0]
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(first.replace(key + b":", broken + b", " + key[:-1] + b'_":', 1) + b"\n" + rest)

    assert "line 1" in problem(path)


def test_an_answer_left_out_is_missed(path: Path) -> None:
    changed(path, lambda lines: lines.pop(5))

    assert "line 6: damaged: answer 6 where answer 5 belongs" in problem(path)


def test_a_damaged_line_in_the_middle_is_named(path: Path) -> None:
    lines = path.read_text().splitlines()
    lines[11] = lines[11][:-4] + "]]]]"
    path.write_text("\n".join(lines) + "\n")

    assert "line 12: damaged" in problem(path)
    assert len(load(path, load_game, recover=True).answers) == 10


@pytest.mark.parametrize(
    "change",
    [
        lambda setup: setup.clear(),
        lambda setup: setup.pop("armies"),
        lambda setup: setup["map"].update(size=[1, 1]),
        lambda setup: setup["armies"][0]["units"][0]["cards"][0].update(quality="bad"),
        lambda setup: setup["armies"][0]["units"][0]["cards"][0].update(keywords=["Blessing of Nobody"]),
    ],
)
def test_a_damaged_setup_is_told_as_one(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    changed(path, lambda lines: change(lines[0]["setup"]))

    assert "line 1" in problem(path)


@pytest.mark.parametrize("key", ["winner", "fingerprint", "answers", "over"])
def test_the_last_line_is_compared_too(path: Path, key: str) -> None:
    other = {"winner": 7, "fingerprint": "0", "answers": 3, "over": False}[key]
    changed(path, lambda lines: lines[-1].update({key: other}))

    assert "but" in problem(path)


def test_a_fingerprint_of_another_kind_is_not_compared_and_that_is_said(path: Path) -> None:
    """The last version took fingerprints that left some of the state out, and did not say which kind they were."""
    assert verify(path, load_game).same_kind
    changed(path, lambda lines: [lines[-1].update(fingerprint="5d0c"), lines[-1].pop("kind")])

    report = verify(path, load_game)

    assert not report.same_kind
    assert report.over
    assert load(path, load_game).battle.fingerprint() == report.fingerprint


def test_lines_after_the_end_are_noticed(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b'{"n": 1}\n')

    assert "goes on after its last line" in problem(path)


def test_a_setup_with_other_armies_is_another_battle(path: Path) -> None:
    changed(path, lambda lines: lines[0]["setup"].update(armies=[]))

    assert "events, but" in problem(path)


# -- several seeds -----------------------------------------------------------------------------------------------------


@pytest.fixture
def taken_back(fought: Play, tmp_path: Path) -> Path:
    """A battle that was taken back past dice in its middle, and played to its end with others."""
    play = fought.taken_back(len(fought.answers) // 2, 99)
    play_on(play, players(GAME, ("random", "random"), SEED + 1))
    save(play, tmp_path / "again.save")
    return tmp_path / "again.save"


def test_a_save_holds_every_seed_and_from_where_on(fought: Play, taken_back: Path) -> None:
    head = json.loads(taken_back.read_text().splitlines()[0])
    play = load(taken_back, load_game)

    assert head["seeds"] == [{"after": len(fought.answers) // 2, "seed": 99}]
    assert play.seeds == ((len(fought.answers) // 2, 99),)
    assert verify(taken_back, load_game).seeds == 2
    assert play.battle.dice.thrown != fought.battle.dice.thrown


@pytest.mark.parametrize("change", [{"seed": 98}, {"after": 40}, None])
def test_another_seed_or_another_moment_is_found_out(taken_back: Path, change: dict[str, int] | None) -> None:
    def tamper(lines: Lines) -> None:
        if change is None:
            lines[0]["seeds"] = []
        else:
            lines[0]["seeds"][0] |= change

    said = problem(changed(taken_back, tamper))

    assert "the dice are" in said
    assert "throws" in said


def test_a_save_from_before_there_were_several_seeds_is_read(fought: Play, path: Path) -> None:
    changed(path, lambda lines: lines[0].pop("seeds"))

    assert verify(path, load_game).seeds == 1
    assert load(path, load_game).battle.fingerprint() == fought.battle.fingerprint()


def test_a_battle_that_is_recorded_while_it_is_played_keeps_its_seeds(fought: Play, tmp_path: Path) -> None:
    recorder = Recorder(fought.back(0), tmp_path / "kept.save")
    play = fought.taken_back(20, 99)
    recorder.rewrite(play)
    play_on(play, players(GAME, ("random", "random"), SEED))
    recorder.close()

    assert verify(tmp_path / "kept.save", load_game).seeds == 2
    assert load(tmp_path / "kept.save", load_game).battle.fingerprint() == play.battle.fingerprint()


def test_seeds_that_make_no_sense_are_told(path: Path) -> None:
    said = problem(changed(path, lambda lines: lines[0].update(seeds=[{"after": -1, "seed": 4}])))

    assert "line 1" in said
