"""`oriflamme balance`: armies that ship meet, are kept and taken up again, and it is said which are out of line."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from oriflamme.cli import run
from oriflamme.engine.words.problems import Problems
from oriflamme.games import load
from oriflamme.lab import balance
from oriflamme.lab.balance import (
    Bout,
    Fought,
    Plan,
    Worth,
    about,
    armies_of,
    bouts,
    current,
    made_of,
    play,
    play_bout,
    seats,
    stand,
    table,
    worth_of,
)
from oriflamme.lab.battle import Result, derived
from oriflamme.lab.journal import Journal
from oriflamme.lab.simulate import Z

PLAN = Plan("aof", 750, 4)
BANDS = {"ash_choir": ("ash_choir",), "high_toll": ("high_toll",)}


def by_hand(plan: Plan, bout: Bout) -> Fought:
    """A battle that is not played: who is first in the alphabet has won, and a list beats itself with less."""
    lists = seats(plan, bout) if bout.second else (bout.first, "")
    of = made_of(plan.game, lists[0]), made_of(plan.game, lists[1] or lists[0])
    return Fought(bout.first, bout.second, bout.number, lists, of, (100, 90), 1.0, 4, "")


@pytest.fixture
def told_by_hand(monkeypatch: pytest.MonkeyPatch) -> list[Bout]:
    played: list[Bout] = []

    def tell(plan: Plan, bout: Bout) -> Fought:
        played.append(bout)
        return by_hand(plan, bout)

    monkeypatch.setattr(balance, "play_bout", tell)
    return played


def test_every_two_armies_meet_as_often_with_all_their_lists_on_both_seats() -> None:
    armies = armies_of("aof", 750)
    wanted = [bout for bout in bouts(Plan("aof", 750, 8)) if bout.second]
    pair = [bout for bout in wanted if (bout.first, bout.second) == ("drowned_parish", "kiln_clans")]

    assert len(wanted) == len(set(wanted)) == 6 * 8
    assert [bout.number for bout in pair] == list(range(8))
    met = {seats(PLAN, bout) for bout in pair}
    assert met == {(one, other) for one in armies["drowned_parish"] for other in armies["kiln_clans"]}
    for even, odd in zip(pair[::2], pair[1::2], strict=True):
        assert seats(PLAN, even) == seats(PLAN, odd)


def test_lists_meet_themselves_no_more_often_than_was_said() -> None:
    number = {
        mirrors: sum(not bout.second for bout in bouts(Plan("aof", 750, 8, mirrors=mirrors))) for mirrors in (0, 3)
    }

    assert number == {0: 0, 3: 3 * 8}  # there are eight lists


def test_figures_can_be_compared_with_those_from_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables and dice are those that docs/balance.md has had since its first table."""
    asked: list[tuple[object, ...]] = []

    def play_nothing(game: Any, setup: dict[str, Any], seed: int, bots: tuple[str, ...]) -> Result:
        asked.append((setup, seed, bots))
        return Result(game.id, seed, bots, 1, 4, (0, 1), 90, "f")

    monkeypatch.setattr(balance, "play_battle", play_nothing)
    lists = ("kiln_clans_750_red_hot", "drowned_parish_750_spring_tide")
    there = derived(13, "drowned_parish", "kiln_clans", 1)
    dice = derived(13, "drowned_parish", "kiln_clans", "battle", 3)

    fought = play_bout(PLAN, Bout(3, "drowned_parish", "kiln_clans"))

    assert asked == [(load("aof").setup(there, points=750, lists=lists), dice, ("captain", "captain"))]
    assert fought.lists == lists[::-1]
    assert fought.share == 1  # on the second seat, which has won


def test_a_battle_is_the_same_whenever_it_is_played() -> None:
    bout = Bout(3, "drowned_parish", "kiln_clans")

    assert play_bout(PLAN, bout) == play_bout(PLAN, bout)
    assert play_bout(Plan("aof", 750, 4, seed=14), bout).fingerprint != play_bout(PLAN, bout).fingerprint


def test_nothing_is_played_twice_and_more_battles_are_added(told_by_hand: list[Bout], tmp_path: Path) -> None:
    journal = Journal(tmp_path / "aof.jsonl", about(PLAN), Fought)
    with journal.adding() as add:
        for fought in play(PLAN, [], 1):
            add(fought)
            if len(told_by_hand) == 7:
                break
    for fought in play(PLAN, journal.read(), 1):
        assert Bout(fought.number, fought.first, fought.second) in told_by_hand[7:]
    assert len(told_by_hand) == len(set(told_by_hand)) == len(list(bouts(PLAN)))

    longer = Plan("aof", 750, 6)
    before = len(told_by_hand)
    list(play(longer, [by_hand(PLAN, bout) for bout in bouts(PLAN)], 1))
    assert {bout.number for bout in told_by_hand[before:]} == {4, 5}


def test_a_changed_list_plays_its_own_battles_again_and_no_others(told_by_hand: list[Bout]) -> None:
    known = list(play(PLAN, [], 1))
    changed = [
        Fought(*(("0ld",) * 2 if field == "of" and "kiln_clans_750_red_hot" in one.lists else getattr(one, field)
                 for field in Fought.__struct_fields__))
        for one in known
    ]  # fmt: skip
    del told_by_hand[:]

    list(play(PLAN, changed, 1))

    assert told_by_hand
    assert all("kiln_clans_750_red_hot" in (*seats(PLAN, bout), bout.first) if bout.second
               else bout.first == "kiln_clans_750_red_hot" for bout in told_by_hand)  # fmt: skip
    assert len(current(PLAN, known)) == len(known)


def test_other_results_are_left_alone(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.jsonl", about(PLAN), Fought).adding():
        pass

    with pytest.raises(Problems, match="another game, seed, size"):
        Journal(tmp_path / "a.jsonl", about(Plan("aof", 1500, 4)), Fought).read()


def test_a_list_meets_itself_with_an_entry_less(monkeypatch: pytest.MonkeyPatch) -> None:
    fought = play_bout(PLAN, Bout(0, "kiln_clans_750_red_hot"))

    assert fought.lists == ("kiln_clans_750_red_hot", "")
    whole, short = fought.costs
    assert 0.05 <= 1 - short / whole <= 0.30


def test_what_points_are_worth_is_found_again() -> None:
    """Battles made by a known law give back its power, within their bounds."""
    chance, power = random.Random(4), 5.0
    made = []
    for number in range(3000):
        cost = chance.randrange(70, 96)
        odds = (100 / cost) ** power
        share = float(chance.random() < odds / (1 + odds))
        made.append(Fought("a", "", number, ("a", ""), ("", ""), (100, cost), share, 4, ""))

    worth = worth_of(made)

    assert worth is not None
    assert worth.low < power < worth.high
    assert worth.high - worth.low < 1.5
    assert worth_of([]) is None


def test_the_verdict_says_what_the_interval_allows() -> None:
    assert stand("a", [1.0] * 300 + [0.0] * 100, None).verdict == "strong"
    assert stand("a", [1.0] * 24 + [0.0] * 16, None).verdict == "seems_strong"
    assert stand("a", [0.5] * 40, None).verdict == "within"
    assert stand("a", [1.0] * 16 + [0.0] * 24, None).verdict == "seems_weak"
    assert stand("a", [0.0] * 300 + [1.0] * 100, None).verdict == "weak"


def test_a_price_moves_with_the_wins_and_not_at_all_at_half_of_them() -> None:
    worth = Worth(5.0, 4.0, 6.0, 200)
    even, strong, weak = (stand("a", [1.0] * won + [0.0] * (100 - won), worth) for won in (50, 70, 30))

    assert even.price == pytest.approx(0)
    assert strong.price == pytest.approx((70.5 / 30.5) ** (1 / 5) - 1)
    assert strong.price_low is not None
    assert strong.price_high is not None
    assert 0 < strong.price_low < strong.price < strong.price_high
    assert (1 + (weak.price or 0)) * (1 + strong.price) == pytest.approx(1)
    assert stand("a", [1.0] * 4, Worth(2.0, 2.0 - 3 * Z, 2.0 + 3 * Z, 3)).price is None


def test_the_table_counts_every_battle_for_both(told_by_hand: list[Bout]) -> None:
    made = table(PLAN, play(PLAN, [], 1))

    assert made.battles == 24
    assert {one.name: (one.wins, one.battles) for one in made.armies} == {
        "antlered_assize": (12, 12),
        "drowned_parish": (8, 12),
        "kiln_clans": (4, 12),
        "lantern_league": (0, 12),
    }
    assert made.met["kiln_clans"]["drowned_parish"] == (0, 4)
    assert sum(one.battles for one in made.lists) == 48


def test_it_is_told_and_goes_on_from_its_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(balance, "armies_of", lambda game, points: BANDS)
    command = ["balance", "sbh", "--workers", "1", "--file", str(tmp_path / "sbh.jsonl")]

    assert run([*command, "--battles", "1"]) == 0
    first = capsys.readouterr().out
    assert run([*command, "--battles", "1", "--lang", "fr"]) == 0
    again = capsys.readouterr().out
    assert run([*command, "--battles", "2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)

    assert "1 battles of captains" in first
    assert "3 batailles étaient déjà là" in again
    assert data["battles"] == 2
    assert len((tmp_path / "sbh.jsonl").read_text().splitlines()) == 1 + 2 * 3


def test_a_size_nobody_has_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["balance", "lfw", "--points", "301"]) == 1

    assert "no ready-made list is for 301; ask for 300 or 600" in capsys.readouterr().err
