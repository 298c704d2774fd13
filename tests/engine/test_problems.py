from __future__ import annotations

import contextlib
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oriflamme.engine.words.notices import described, listed
from oriflamme.engine.words.problems import (
    Problem,
    Problems,
    Reader,
    closest,
    did_you_mean,
    lower_first,
    parse_toml,
    read_json,
    read_text,
    read_toml,
)

UNITS = ["archers", "halberdiers", "knights", "war_wagon"]


def reader(text: str) -> tuple[Reader, Problems]:
    problems = Problems("list.toml")
    return Reader(parse_toml(text, "list.toml"), problems), problems


def refused(path: Path) -> str:
    with pytest.raises(Problems) as caught:
        read_toml(path)
    return str(caught.value).removeprefix(f"{path}: 1 problem\n  ")


def test_problems_read_as_the_style_guide_shows() -> None:
    problems = Problems("autumn.toml")
    problems.add("units[1].unit", 'no unit "halberdier" in free_marches', hint=did_you_mean("halberdier", UNITS))
    problems.add("units[2].figures", "15; halberdiers come in 10 or 20", rule="AOF-LIST-03")
    problems.add("points", "1040 of 1000", "AOF-LIST-01")

    assert str(problems) == (
        "autumn.toml: 3 problems\n"
        '  units[1].unit: no unit "halberdier" in free_marches; did you mean "halberdiers"?\n'
        "  units[2].figures: 15; halberdiers come in 10 or 20 (AOF-LIST-03)\n"
        "  points: 1040 of 1000 (AOF-LIST-01)"
    )


def test_one_problem_is_singular_and_may_concern_the_whole_file() -> None:
    assert str(Problems("a.toml", [Problem("", "no such file")])) == "a.toml: 1 problem\n  no such file"


def test_the_same_problem_is_noted_once() -> None:
    problems = Problems("a.toml")
    problems.add("x", "wrong")
    problems.add("x", "wrong")

    assert len(problems) == 1


def test_nothing_is_raised_when_nothing_is_wrong() -> None:
    problems = Problems("a.toml")

    problems.raise_if_any()

    assert not problems


def test_problems_travel_between_processes() -> None:
    problems = Problems("a.toml", [Problem("x", "wrong", "AOF-GEN-01", "try y")])

    assert str(pickle.loads(pickle.dumps(problems))) == str(problems)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("halberdier", "halberdiers"),
        ("HALBERDIERS", "halberdiers"),
        ("war-wagon", "war_wagon"),
        ("war wagon", "war_wagon"),
        ("knihgts", "knights"),
        ("halb", "halberdiers"),
        ("wagon", "war_wagon"),
        ("dragons", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_a_guess_forgives_slips_but_does_not_invent(word: str, meant: str | None) -> None:
    assert closest(word, UNITS) == meant


@given(st.text(), st.lists(st.text()))
def test_a_guess_is_always_one_of_the_choices(word: str, choices: list[str]) -> None:
    assert closest(word, choices) in [None, *choices]


def test_the_guess_does_not_depend_on_the_order_of_the_choices() -> None:
    assert closest("unit_x", ["unit_b", "unit_a"]) == closest("unit_x", ["unit_a", "unit_b"])


def test_long_and_odd_values_are_quoted_on_one_short_line() -> None:
    assert described("a\nb") == r'"a\nb"'
    assert len(described("x" * 1000)) < 70
    assert described(10**5000) == "an enormous number"
    assert described([1, 2]) == "a list of 2"
    assert listed([10, 20, 30]) == "10, 20 or 30"
    assert listed(range(100)).endswith(", ...")


def test_a_missing_file_is_named_with_the_one_beside_it(tmp_path: Path) -> None:
    (tmp_path / "autumn.toml").write_text("x = 1")

    assert refused(tmp_path / "autum.toml") == 'no such file; did you mean "autumn.toml"?'


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    assert refused(tmp_path) == "a folder, not a file"


def test_a_file_behind_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("x = 1")

    assert "cannot be read" in refused(tmp_path / "a.toml" / "b.toml")


def test_a_path_no_system_allows_is_refused() -> None:
    with pytest.raises(Problems, match="cannot be read"):
        read_toml("a\0b.toml")


def test_text_that_is_not_utf_8_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes('x = 1\nnom = "éé'.encode() + b'\xe9"')

    assert refused(tmp_path / "a.toml") == ("line 2, column 10: byte 0xe9 is not UTF-8 text; save the file as UTF-8")


def test_a_byte_order_mark_and_windows_line_ends_are_welcome(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfx = 1\r\ny = 2\r\n")

    assert read_toml(tmp_path / "a.toml") == {"x": 1, "y": 2}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a = 1\nname = Bob\n",
            'line 2, column 8: not TOML: invalid value in "name = Bob"; text goes in double quotes',
        ),
        ("a = 1\na = 2\n", "line 2, column 6"),
        ("[a\n", "line 1, column 3"),
        ("units = [\n  1,\n", "line 2, column 5: not TOML: the file ends too early"),
        ("just words", "line 1, column 6"),
        ("a = " + "[" * 5000, "line 1, column 37: nested more than 32 levels deep"),
        ("a = " + "9" * 5000, "not TOML"),
    ],
)
def test_broken_toml_is_refused_with_line_and_column(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.toml").write_text(text)

    assert said in refused(tmp_path / "a.toml")


@given(st.text())
def test_no_text_breaks_the_toml_reader_in_another_way(text: str) -> None:
    with contextlib.suppress(Problems):
        parse_toml(text, "a.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON: the file is empty"),
        ('{"a": 1,\n "b" 2}', "line 2, column 6: not JSON: expecting ':' delimiter"),
        ('{"a": [1, 2', "line 1, column 12: not JSON"),
        ("[" * 100_000, "line 1, column 33: nested more than 32 levels deep"),
    ],
)
def test_broken_json_is_refused_with_line_and_column(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.json").write_text(text)

    with pytest.raises(Problems) as caught:
        read_json(tmp_path / "a.json")

    assert said in str(caught.value)


def test_a_good_table_is_read_without_a_problem() -> None:
    top, problems = reader(
        """
        name = "Autumn"
        points = 750
        scale = 2
        limits = true
        side = "left"
        tags = ["fast", "cheap"]
        sizes = [10, 20]
        at = [1, 2.5]
        [map]
        width = 72
        [[units]]
        unit = "knights"
        [unit.archers]
        cost = 90
        """
    )

    assert top.text("name") == "Autumn"
    assert top.integer("points", low=0, high=5000) == 750
    assert top.number("scale") == 2.0
    assert top.flag("limits") is True
    assert top.choice("side", ["left", "right"]) == "left"
    assert top.texts("tags") == ["fast", "cheap"]
    assert top.integers("sizes", low=1) == [10, 20]
    assert top.numbers("at", count=2) == [1.0, 2.5]
    assert top.table("map").integer("width") == 72
    assert [entry.choice("unit", UNITS) for entry in top.tables("units")] == ["knights"]
    assert {name: unit.integer("cost") for name, unit in top.named_tables("unit").items()} == {"archers": 90}
    top.finish()
    assert list(problems) == []


def test_what_is_absent_takes_its_default() -> None:
    top, problems = reader("")

    assert top.text("name", default="Nameless") == "Nameless"
    assert top.integer("points", default=None) is None
    assert top.number("scale", default=1.5) == 1.5
    assert top.flag("limits", default=True) is True
    assert top.choice("side", ["left"], default=None) is None
    assert top.texts("tags", default=()) == []
    assert top.tables("units", required=False) == []
    assert top.table("map", required=False).integer("width", default=72) == 72
    top.finish()
    assert not problems


def test_every_mistake_of_a_file_is_reported_at_once() -> None:
    top, problems = reader(
        """
        name = 3
        points = "many"
        scale = nan
        limits = "yes"
        tags = ["fast", 3]
        at = [1]
        map = 5
        [[units]]
        unit = "halberdier"
        figures = 0
        [[units]]
        unit = 7
        colour = "red"
        """
    )
    top.text("name")
    top.integer("points")
    top.number("scale")
    top.flag("limits")
    top.texts("tags")
    top.numbers("at", count=2)
    top.table("map")
    top.text("faction")
    for entry in top.tables("units"):
        entry.choice("unit", UNITS, what="unit")
        entry.integer("figures", low=1, default=10)
    top.finish()

    assert [str(problem) for problem in problems] == [
        "name: expected text, found 3",
        'points: expected a whole number, found "many"',
        "scale: expected a number, found nan",
        'limits: expected true or false, found "yes"',
        "tags[2]: expected text, found 3",
        "at: expected a list of 2 numbers, found a list of 1",
        "map: expected a table, found 5",
        "faction: missing; expected text",
        'units[1].unit: no unit "halberdier"; did you mean "halberdiers"?',
        "units[1].figures: expected a whole number of at least 1, found 0",
        "units[2].unit: expected one of archers, halberdiers, knights or war_wagon, found 7",
        "units[2].colour: not a known key; expected unit or figures",
    ]


def test_a_misspelt_key_is_one_problem_not_two() -> None:
    top, problems = reader("pionts = 750")

    top.integer("points")
    top.finish()

    assert [str(problem) for problem in problems] == ['pionts: not a known key; did you mean "points"?']


def test_true_is_not_the_number_one() -> None:
    top, problems = reader("points = true\nscale = false")

    top.integer("points")
    top.number("scale")

    assert len(problems) == 2


def test_enormous_numbers_are_refused_not_overflown() -> None:
    top, problems = reader(f"points = {'9' * 400}\nscale = {'9' * 400}\nat = [{'9' * 400}, inf]")

    top.integer("points", high=5000)
    top.number("scale")
    top.numbers("at")

    assert len(problems) == 4


def test_a_choice_with_nothing_near_lists_what_there_is() -> None:
    top, problems = reader('side = "zzz"')

    assert top.choice("side", ["left", "right"]) == ""
    assert str(next(iter(problems))) == 'side: unknown "zzz"; expected left or right'


def test_a_file_that_is_one_list_is_not_a_table() -> None:
    problems = Problems("a.json")

    Reader([1, 2], problems).finish()

    assert [str(problem) for problem in problems] == ["expected a table, found a list of 2"]


def test_odd_keys_are_quoted() -> None:
    top, problems = reader('"two words" = 1')

    top.finish()

    assert str(next(iter(problems))) == '"two words": not a known key'


def test_text_files_are_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Épée\n", encoding="utf-8")

    assert read_text(tmp_path / "a.txt") == "Épée\n"


def test_a_sentence_within_another_begins_small_and_abbreviations_stay() -> None:
    assert lower_first("Expected a string") == "expected a string"
    assert lower_first("JSON is malformed") == "JSON is malformed"
    assert (lower_first("A"), lower_first("")) == ("a", "")
